/* SPDX-License-Identifier: Apache-2.0
 *
 * bounds.csv and fit.csv: what the figures show, as numbers. Reals are %.9g, absent ones empty.
 */
#ifndef COLLPERF_TABLES_H
#define COLLPERF_TABLES_H

#include <stdio.h>

#include "study.h"

/* A line a row: its keys, its time, the time of every model, bound / measured against the lower and the ring bound. */
void tables_bounds(FILE *out, const struct study *study);

/* A line a machine: alpha, B, where they come from, how well they fit. */
void tables_fit(FILE *out, const struct study *study);

/* "command line", "sendrecv", "none". */
const char *tables_origin(const struct machine *machine);

#endif
