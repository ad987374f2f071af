/* SPDX-License-Identifier: Apache-2.0
 *
 * Order statistics of a sample of times. Knows nothing of how the times were taken.
 */
#include "stats.h"

#include <math.h>
#include <stdlib.h>

enum { MIN_INTERVAL = 6, MAX_EXACT = 70 };

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static double sorted_median(const double *sorted, size_t n)
{
	return n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

/* Nearest rank: the smallest value that at least `percent` of all do not exceed. */
static double sorted_percentile(const double *sorted, size_t n, size_t percent)
{
	return sorted[(n / 100) * percent + (n % 100 * percent + 99) / 100 - 1];
}

double stats_median(double *samples, size_t n)
{
	qsort(samples, n, sizeof *samples, compare);
	return sorted_median(samples, n);
}

/* The largest rank below which at most 2.5 % of Binomial(n, 1/2) lies; every probability is exact in a double up to n = 53. */
static size_t exact_low(size_t n)
{
	double probability = ldexp(1, -(int)n);
	double tail = probability;
	size_t low = 0;

	while (tail <= 0.025) {
		low++;
		probability *= (double)(n - low + 1) / (double)low;
		tail += probability;
	}
	return low;
}

void stats_median_ranks(size_t n, size_t *low, size_t *high)
{
	size_t rank = 0;

	if (n >= MIN_INTERVAL && n <= MAX_EXACT)
		rank = exact_low(n);
	else if (n > MAX_EXACT)
		rank = (size_t)floor(0.5 * (double)n - 0.98 * sqrt((double)n));
	*low = rank;
	*high = rank ? n + 1 - rank : 0;
}

/* In two passes and relative to the least: times differ by little, and sums of the whole would round what does not differ at all. */
static void compute_moments(const double *samples, size_t n, struct stats *stats)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		sum += samples[i] - samples[0];
	stats->mean = samples[0] + sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (samples[i] - stats->mean) * (samples[i] - stats->mean);
	stats->stddev = n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
}

void stats_compute(double *samples, size_t n, struct stats *stats)
{
	size_t low, high;

	*stats = (struct stats){ n, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	if (n == 0)
		return;
	stats->median = stats_median(samples, n);
	stats->min = samples[0];
	stats->max = samples[n - 1];
	stats->p95 = sorted_percentile(samples, n, 95);
	stats->p99 = sorted_percentile(samples, n, 99);
	stats_median_ranks(n, &low, &high);
	if (low) {
		stats->ci_low = samples[low - 1];
		stats->ci_high = samples[high - 1];
	}
	compute_moments(samples, n, stats);
}

double stats_precision(const struct stats *stats)
{
	if (stats->ci_low == stats->ci_high && stats->ci_low == stats->median)
		return 0;
	if (!isfinite(stats->ci_low) || !isfinite(stats->ci_high) || !(stats->median > 0))
		return INFINITY;
	return (stats->ci_high - stats->ci_low) / 2 / stats->median;
}
