/* SPDX-License-Identifier: Apache-2.0
 *
 * Order statistics of a sample of times. Pure. Percentiles: nearest rank. Interval of the median: exact binomial ranks up to n = 70,
 * the normal approximation rounded outwards above (Le Boudec, as in Hoefler & Belli, SC'15, doi 10.1145/2807591.2807644).
 */
#ifndef COLLPERF_STATS_H
#define COLLPERF_STATS_H

#include <stddef.h>

struct stats {
	size_t n;
	double median;
	double ci_low, ci_high; /* 95 % interval of the median; NAN where n < 6 */
	double min, max, mean;
	double stddev; /* n - 1; NAN where n < 2 */
	double p95, p99;
};

/* Sorts `samples`. n = 0: everything NAN. */
void stats_compute(double *samples, size_t n, struct stats *stats);

/* Median of n >= 1 values (mean of the middle two where n is even); sorts them. */
double stats_median(double *samples, size_t n);

/* 1-based ranks of the interval; 0 and 0 where n < 6. */
void stats_median_ranks(size_t n, size_t *low, size_t *high);

/* Half the width of the interval as a fraction of the median; INFINITY where it does not exist. */
double stats_precision(const struct stats *stats);

#endif
