/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts rows by the machine that they describe and fits each machine's sendrecv rows: a part of study_build.
 */
#ifndef COLLPERF_MACHINES_H
#define COLLPERF_MACHINES_H

#include "study.h"

/* Fills machines and machine_of from rows and runs. Both 0, or -1 after one line on stderr. */
int machines_find(struct study *study);
/* Fills fit and fit_rows of each machine. */
int machines_fit(struct study *study);
void machines_clear(struct study *study);

#endif
