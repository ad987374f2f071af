/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts timed rows into the series of each primitive's figures: the part of study_build that needs the most code.
 */
#ifndef COLLPERF_SERIES_H
#define COLLPERF_SERIES_H

#include "study.h"

/* Fills study->figures from study->rows and study->machines. 0, or -1 after one line on stderr. */
int series_build(struct study *study);
void series_clear(struct study *study);

/* The point of the n rows of one size, one a launch; sorts them by time. */
struct point series_make_point(const struct result **rows, size_t n);

/* The point of that size, within 1 % (calls that are split round their size down by the number of ranks); NULL where there is none. */
const struct point *series_point(const struct series *series, double bytes);

/* The same type of data, operation and root: what a reader of one figure takes for granted. */
bool series_same_operation(const struct result *left, const struct result *right);

/* Whether two rows are points of one curve, apart from the file they come from. */
bool series_same_key(const struct result *left, const struct result *right);

#endif
