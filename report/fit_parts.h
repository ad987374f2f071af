/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a fit: one line through sizes, and the division of sizes into segments. For fit.c alone.
 */
#ifndef COLLPERF_FIT_PARTS_H
#define COLLPERF_FIT_PARTS_H

#include <stddef.h>

#include "fit.h"

/* Sizes by rising bytes, each once, and their times; borrowed. */
struct fit_data {
	const double *bytes; /* > 0 */
	const double *time;  /* seconds, > 0 */
	const double *log_time;
	const double *weight; /* 1 / time^2 */
	size_t n;
};

struct fit_data fit_slice(struct fit_data data, size_t first, size_t end);

/* A line's logs: ln(time) = ln(exp(u) + exp(v) * bytes). */
struct fit_logs {
	double u, v;
};

/* Natural logarithm of the line's time; never overflows. */
double fit_log_time(struct fit_logs logs, double bytes);

/* Least squares of the log residuals. The least sum of squares; *logs may be NULL. n >= 2. */
double fit_squares(struct fit_data data, struct fit_logs *logs);

/*
 * Robust fit: least Huber loss of the log residuals. Fills all of *segment but its verdict: a and b are always reals. n >= 3.
 * 0, or -1 after one line on stderr.
 */
int fit_huber(struct fit_data data, struct fit_segment *segment);

struct fit_division {
	size_t first[FIT_MOST_SEGMENTS]; /* index of each segment's first size */
	size_t count;
	double bic[FIT_MOST_SEGMENTS], aicc[FIT_MOST_SEGMENTS]; /* as in struct fit */
};

/* The division into segments of at least FIT_LEAST_SIZES sizes that describes them best. data.n >= FIT_LEAST_SIZES. */
void fit_divide(struct fit_data data, struct fit_division *division);

/*
 * The size that stands out most from what its neighbours predict, by far more than the others do; data.n where none does. `scores` and
 * `sorted` have room for data.n reals; scores are made anew for sizes near `from` .. `until` - 1, and kept from the call before elsewhere.
 */
size_t fit_stray(struct fit_data data, double *scores, double *sorted, size_t from, size_t until);

/* Ascending, for qsort of doubles. */
int fit_compare(const void *left, const void *right);

#endif
