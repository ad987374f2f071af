/* SPDX-License-Identifier: Apache-2.0
 *
 * Order statistics against values computed by hand or in exact integer arithmetic elsewhere.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "src/stats.h"

/* Ranks from exact binomial sums of integers (n <= 70) and from decimal arithmetic of 60 digits above. */
static void the_ranks_of_the_interval(void **state)
{
	static const struct {
		size_t n, low, high;
	} cases[] = {
		{ 0, 0, 0 },    { 1, 0, 0 },     { 5, 0, 0 },        { 6, 1, 6 },           { 7, 1, 7 },
		{ 8, 1, 8 },    { 9, 2, 8 },     { 10, 2, 9 },       { 11, 2, 10 },         { 12, 3, 10 },
		{ 15, 4, 12 },  { 17, 5, 13 },   { 18, 5, 14 },      { 20, 6, 15 },         { 25, 8, 18 },
		{ 30, 10, 21 }, { 35, 12, 24 },  { 50, 18, 33 },     { 53, 19, 35 },        { 54, 20, 35 },
		{ 60, 22, 39 }, { 64, 24, 41 },  { 69, 26, 44 },     { 70, 27, 44 },        { 71, 27, 45 },
		{ 72, 27, 46 }, { 100, 40, 61 }, { 1000, 469, 532 }, { 10000, 4902, 5099 }, { 1000000, 499020, 500981 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t low = 77, high = 77;

		stats_median_ranks(cases[i].n, &low, &high);
		if (low != cases[i].low || high != cases[i].high)
			fail_msg("n = %zu: %zu..%zu, not %zu..%zu", cases[i].n, low, high, cases[i].low, cases[i].high);
	}
}

static void the_interval_is_symmetric_and_never_wider_than_the_sample(void **state)
{
	size_t before = 0;

	(void)state;
	for (size_t n = 6; n < 5000; n++) {
		size_t low, high;

		stats_median_ranks(n, &low, &high);
		assert_true(low >= 1 && low < high && high <= n && low + high == n + 1);
		/* One sample more moves the lower rank by at most one. */
		assert_true(low == before || low == before + 1);
		before = low;
	}
}

/* 1 .. n in an order that no sort gets for nothing. */
static double *shuffled(size_t n)
{
	double *values = malloc((n ? n : 1) * sizeof *values);
	uint64_t seed = 88172645463325252;

	assert_non_null(values);
	for (size_t i = 0; i < n; i++)
		values[i] = (double)(i + 1);
	for (size_t i = n; i > 1; i--) {
		size_t j = (seed = seed * 6364136223846793005U + 1442695040888963407U) / 65536 % i;
		double swapped = values[i - 1];

		values[i - 1] = values[j];
		values[j] = swapped;
	}
	return values;
}

static void percentiles_are_nearest_ranks(void **state)
{
	static const struct {
		size_t n;
		double p95, p99;
	} cases[] = {
		{ 1, 1, 1 },    { 2, 2, 2 },     { 10, 10, 10 },   { 19, 19, 19 },    { 20, 19, 20 },     { 21, 20, 21 },
		{ 99, 95, 99 }, { 100, 95, 99 }, { 101, 96, 100 }, { 200, 190, 198 }, { 1000, 950, 990 }, { 1001, 951, 991 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double *values = shuffled(cases[i].n);
		struct stats stats;

		stats_compute(values, cases[i].n, &stats);
		if (stats.p95 != cases[i].p95 || stats.p99 != cases[i].p99)
			fail_msg("n = %zu: %g %g", cases[i].n, stats.p95, stats.p99);
		assert_true(stats.min == 1 && stats.max == (double)cases[i].n);
		free(values);
	}
}

static void medians(void **state)
{
	(void)state;
	assert_true(stats_median((double[]){ 7 }, 1) == 7);
	assert_true(stats_median((double[]){ 4, 1 }, 2) == 2.5);
	assert_true(stats_median((double[]){ 9, 1, 5 }, 3) == 5);
	assert_true(stats_median((double[]){ 9, 1, 5, 2 }, 4) == 3.5);
	assert_true(stats_median((double[]){ 3, 3, 3, 3, 3, 3 }, 6) == 3);
	assert_true(stats_median((double[]){ 1e308, 1.5e308 }, 2) == 1.25e308);
}

static void a_whole_sample(void **state)
{
	double values[] = { 2, 4, 4, 4, 5, 5, 7, 9, 3, 6 };
	struct stats stats;

	(void)state;
	stats_compute(values, 10, &stats);
	assert_int_equal(stats.n, 10);
	assert_true(stats.median == 4.5 && stats.mean == 4.9 && stats.min == 2 && stats.max == 9);
	assert_true(stats.ci_low == 3 && stats.ci_high == 7);
	assert_true(fabs(stats.stddev - sqrt(36.9 / 9)) < 1e-14);
	assert_true(fabs(stats_precision(&stats) - 2 / 4.5) < 1e-15);
	for (size_t i = 1; i < 10; i++)
		assert_true(values[i - 1] <= values[i]);
}

static void small_differences_of_large_values_are_kept(void **state)
{
	double values[] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16 };
	struct stats stats;

	(void)state;
	stats_compute(values, 4, &stats);
	assert_true(fabs(stats.stddev - sqrt(30)) < 1e-9);
}

static void what_does_not_exist_is_nan(void **state)
{
	double values[] = { 3, 1, 2, 5, 4, 6 };
	struct stats stats;

	(void)state;
	stats_compute(values, 0, &stats);
	assert_int_equal(stats.n, 0);
	assert_true(isnan(stats.median) && isnan(stats.ci_low) && isnan(stats.ci_high) && isnan(stats.min) && isnan(stats.max));
	assert_true(isnan(stats.mean) && isnan(stats.stddev) && isnan(stats.p95) && isnan(stats.p99));
	assert_true(isinf(stats_precision(&stats)));
	stats_compute(values, 1, &stats);
	assert_true(stats.median == 3 && isnan(stats.stddev) && isnan(stats.ci_low) && stats.p95 == 3);
	stats_compute(values, 2, &stats);
	assert_true(stats.stddev > 0);
	stats_compute(values, 5, &stats);
	assert_true(isnan(stats.ci_low) && isnan(stats.ci_high) && isinf(stats_precision(&stats)));
	stats_compute(values, 6, &stats);
	assert_true(stats.ci_low == 1 && stats.ci_high == 6);
}

static void equal_times_are_precise(void **state)
{
	double zeros[6] = { 0 }, same[11];
	struct stats stats;

	(void)state;
	stats_compute(zeros, 6, &stats);
	assert_true(stats.stddev == 0 && stats_precision(&stats) == 0);
	/* Eleven times this sum to a mean that is not it, in doubles. */
	for (int i = 0; i < 11; i++)
		same[i] = 20.00064e-6;
	stats_compute(same, 11, &stats);
	assert_true(stats.stddev == 0 && stats.mean == stats.min && stats_precision(&stats) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ranks_of_the_interval),
		cmocka_unit_test(the_interval_is_symmetric_and_never_wider_than_the_sample),
		cmocka_unit_test(percentiles_are_nearest_ranks),
		cmocka_unit_test(medians),
		cmocka_unit_test(a_whole_sample),
		cmocka_unit_test(small_differences_of_large_values_are_kept),
		cmocka_unit_test(what_does_not_exist_is_nan),
		cmocka_unit_test(equal_times_are_precise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
