/* SPDX-License-Identifier: Apache-2.0
 *
 * The fit over many noisy sweeps: how far off it is, how often its interval holds the truth, and how often it splits what is one line. The
 * generator and its seeds are fixed, so every number here is the same each time.
 */
#include "fit_sweeps.h"

#include <stdio.h>

enum { TRIALS = 400, MANY = 1000 };

static const struct law one_line = { 10e-6, 100e9, INFINITY, 0, 0 };
static const struct law two_lines = { 8e-6, 20e9, 65536, 25e-6, 150e9 };

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double median(double *values, size_t n)
{
	qsort(values, n, sizeof *values, compare);
	return values[n / 2];
}

static void errors_are_under_one_percent_and_intervals_hold(void **state)
{
	static double alpha_errors[TRIALS], bandwidth_errors[TRIALS];
	struct fit_point points[SWEEP_WHOLE];
	uint64_t seed = 12345;
	int alpha_held = 0, bandwidth_held = 0;
	double alpha_error, bandwidth_error;

	(void)state;
	for (int trial = 0; trial < TRIALS; trial++) {
		struct fit fit;

		assert_int_equal(fit_line(points, sweep_make(points, SWEEP_WHOLE, &one_line, 0.03, &seed), &fit), 0);
		assert_true(fit.alpha > 0 && fit.bandwidth > 0);
		alpha_errors[trial] = fabs(fit.alpha / one_line.alpha - 1);
		bandwidth_errors[trial] = fabs(fit.bandwidth / one_line.bandwidth - 1);
		alpha_held += fit.alpha_low <= one_line.alpha && one_line.alpha <= fit.alpha_high;
		bandwidth_held += fit.bandwidth_low <= one_line.bandwidth && one_line.bandwidth <= fit.bandwidth_high;
	}
	alpha_error = median(alpha_errors, TRIALS);
	bandwidth_error = median(bandwidth_errors, TRIALS);
	printf("# median error of alpha %.2f %%, of B %.2f %%; 95 %% intervals hold %.1f %%, %.1f %%\n", 100 * alpha_error,
	       100 * bandwidth_error, 100.0 * alpha_held / TRIALS, 100.0 * bandwidth_held / TRIALS);
	assert_true(alpha_error <= 0.01 && alpha_error > 0.001);
	assert_true(bandwidth_error <= 0.01 && bandwidth_error > 0.001);
	assert_in_range(alpha_held, 90 * TRIALS / 100, 97 * TRIALS / 100);
	assert_in_range(bandwidth_held, 90 * TRIALS / 100, 97 * TRIALS / 100);
}

static void two_protocols_are_two_segments(void **state)
{
	struct fit_point points[SWEEP_WHOLE];
	uint64_t seed = 777;
	struct fit fit;

	(void)state;
	fit_line(points, sweep_make(points, SWEEP_WHOLE, &two_lines, 0.02, &seed), &fit);
	assert_int_equal(fit.nsegments, 2);
	assert_near(fit.segments[0].last_bytes, 65536, 1e-12);
	assert_near(fit.segments[1].first_bytes, 131072, 1e-12);
	assert_near(fit.segments[0].a.value, 8e-6, 0.02);
	assert_near(1 / fit.segments[0].b.value, 20e9, 0.10);
	assert_near(fit.segments[1].a.value, 25e-6, 0.02);
	assert_near(1 / fit.segments[1].b.value, 150e9, 0.02);
	/* The headline takes alpha from the first and B from the last. */
	assert_near(fit.alpha, fit.segments[0].a.value, 1e-12);
	assert_near(fit.bandwidth, 1 / fit.segments[1].b.value, 1e-12);
	assert_int_equal(fit.verdict, FIT_GOOD);
	assert_int_equal(fit.segments[0].verdict, FIT_NO_BANDWIDTH);
	assert_true(fit.bic[1] < fit.bic[0] - 6 && fit.bic[1] < fit.bic[2] + 6);
	assert_true(isfinite(fit.aicc[0]) && fit.aicc[1] < fit.aicc[0]);
	assert_true(fit.below < 0.10);
	/* The control goes on where that sweep ended. */
	fit_line(points, sweep_make(points, SWEEP_WHOLE, &one_line, 0.02, &seed), &fit);
	assert_int_equal(fit.nsegments, 1);
	assert_near(fit.alpha, 10e-6, 0.01);
	assert_near(fit.bandwidth, 100e9, 0.01);
}

static int count_splits(const struct law *law, double noise, double boundary, int *at_boundary, size_t *outliers)
{
	struct fit_point points[SWEEP_WHOLE];
	uint64_t seed = 99;
	int splits = 0;

	for (int trial = 0; trial < MANY; trial++) {
		struct fit fit;

		fit_line(points, sweep_make(points, SWEEP_WHOLE, law, noise, &seed), &fit);
		splits += fit.nsegments > 1;
		*outliers += fit.outliers;
		*at_boundary += fit.nsegments == 2 && fit.segments[0].last_bytes == boundary;
	}
	return splits;
}

/* 1 in 100 at any noise, and of its sizes as few are left out. */
static void one_protocol_is_seldom_split(void **state)
{
	static const double noises[] = { 0.005, 0.02, 0.08 };

	(void)state;
	for (size_t i = 0; i < sizeof noises / sizeof *noises; i++) {
		size_t outliers = 0;
		int at_boundary = 0, splits = count_splits(&one_line, noises[i], 0, &at_boundary, &outliers);

		printf("# noise %.1f %%: %d of %d sweeps of one line are split, %zu of %d sizes left out\n", 100 * noises[i],
		       splits, MANY, outliers, MANY * SWEEP_WHOLE);
		assert_in_range(splits, 0, 3 * MANY / 100);
		assert_in_range(outliers, 0, MANY * SWEEP_WHOLE / 100);
	}
}

static void two_protocols_are_split_at_their_boundary(void **state)
{
	size_t outliers = 0;
	int at_boundary = 0, splits = count_splits(&two_lines, 0.02, 65536, &at_boundary, &outliers);

	(void)state;
	printf("# %d of %d sweeps of two lines are split, %d of them in two at the boundary\n", splits, MANY, at_boundary);
	assert_int_equal(splits, MANY);
	assert_in_range(at_boundary, 95 * MANY / 100, MANY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_are_under_one_percent_and_intervals_hold),
		cmocka_unit_test(two_protocols_are_two_segments),
		cmocka_unit_test(one_protocol_is_seldom_split),
		cmocka_unit_test(two_protocols_are_split_at_their_boundary),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
