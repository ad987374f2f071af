/* SPDX-License-Identifier: Apache-2.0
 *
 * bounds.csv and fit.csv: what the figures show, as numbers. Reals are %.9g, absent ones empty.
 */
#ifndef COLLPERF_TABLES_H
#define COLLPERF_TABLES_H

#include <stdio.h>

#include "study.h"

/*
 * A line a row: its keys, its time, the time of every model, two-level bounds, the busbw that nothing can be above, busbw against it and
 * against the link, bound / measured against the lower and the ring bound.
 */
void tables_bounds(FILE *out, const struct study *study);

/* A line for each machine and each series, and one for each segment where a fit has several: parameters, intervals, how well they fit. */
void tables_fit(FILE *out, const struct study *study);

/* "command line", "sendrecv", "link" (--link alone: alpha is not known), "sendrecv and link", "none". */
const char *tables_origin(const struct machine *machine);

#endif
