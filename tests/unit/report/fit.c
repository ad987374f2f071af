/* SPDX-License-Identifier: Apache-2.0
 *
 * The fit of alpha and B: what it finds in times made from known values, and what it refuses to tell.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "report/fit.h"

enum { MOST = 40 };

/* Sums of uniform values: nearly normal, the same on every machine. */
static double noise(uint64_t *state)
{
	double sum = 0;

	for (int i = 0; i < 12; i++) {
		*state = *state * 6364136223846793005u + 1442695040888963407u;
		sum += (double)(*state >> 11) / 9007199254740992.0;
	}
	return sum - 6;
}

/* Sizes 8, 16, ...; times alpha + bytes / bandwidth with that relative noise. */
static size_t sweep(struct fit_point *points, size_t n, double alpha, double bandwidth, double relative, uint64_t seed)
{
	for (size_t i = 0; i < n; i++) {
		points[i].bytes = ldexp(8, (int)i);
		points[i].time = (alpha + points[i].bytes / bandwidth) * (1 + relative * noise(&seed));
	}
	return n;
}

static void assert_near(double value, double expected, double relative)
{
	if (!(fabs(value / expected - 1) <= relative))
		fail_msg("%g is not within %g of %g", value, relative, expected);
}

static void exact_times_give_exact_values(void **state)
{
	struct fit_point points[MOST];
	struct fit fit;

	(void)state;
	fit_line(points, sweep(points, 20, 5e-6, 2e9, 0, 1), &fit);
	assert_int_equal(fit.verdict, FIT_GOOD);
	assert_near(fit.alpha, 5e-6, 1e-9);
	assert_near(fit.bandwidth, 2e9, 1e-9);
	assert_true(fit.residual < 1e-9);
	assert_near(fit.r_squared, 1, 1e-9);
	assert_int_equal(fit.n, 20);
	assert_int_equal(fit.outliers, 0);
}

/* Ordinary least squares is off by a few times alpha here: 8 GiB would weigh 1e13 times as much as 8 B. */
static void noise_is_relative(void **state)
{
	struct fit_point points[MOST];
	struct fit fit;

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		fit_line(points, sweep(points, 31, 10e-6, 100e9, 0.03, seed), &fit);
		assert_int_equal(fit.verdict, FIT_GOOD);
		assert_near(fit.alpha, 10e-6, 0.05);
		assert_near(fit.bandwidth, 100e9, 0.05);
		assert_true(fit.residual > 0.01 && fit.residual < 0.06);
	}
}

static void an_outlier_is_left_out_and_marked(void **state)
{
	struct fit_point points[MOST];
	struct fit fit;

	(void)state;
	sweep(points, 20, 5e-6, 2e9, 0.02, 7);
	points[12].time *= 8;
	fit_line(points, 20, &fit);
	assert_int_equal(fit.verdict, FIT_GOOD);
	assert_near(fit.alpha, 5e-6, 0.10);
	assert_near(fit.bandwidth, 2e9, 0.02);
	assert_int_equal(fit.outliers, 1);
	assert_int_equal(fit.n, 19);
	assert_near(fit.outlier_bytes, points[12].bytes, 1e-9);
	assert_true(points[12].left_out);
	assert_false(points[11].left_out);
}

static void a_kink_is_a_poor_fit(void **state)
{
	struct fit_point points[MOST];
	struct fit fit;

	(void)state;
	sweep(points, 20, 5e-6, 2e9, 0.02, 7);
	for (size_t i = 0; i < 20; i++) {
		if (points[i].bytes >= 65536)
			points[i].time = 60e-6 + points[i].bytes / 20e9;
	}
	fit_line(points, 20, &fit);
	assert_int_equal(fit.verdict, FIT_POOR);
	assert_true(fit.residual > 0.10);
	assert_true(fit_is_usable(&fit));
	assert_non_null(strstr(fit_sentence(fit.verdict), "poor fit"));
}

static void few_sizes_tell_nothing(void **state)
{
	struct fit_point points[MOST];
	struct fit fit;

	(void)state;
	for (size_t n = 0; n < 4; n++) {
		fit_line(points, sweep(points, n, 5e-6, 2e9, 0, 1), &fit);
		assert_int_equal(fit.verdict, FIT_TOO_FEW);
		assert_true(isnan(fit.alpha) && isnan(fit.bandwidth) && isnan(fit.residual));
		assert_false(fit_is_usable(&fit));
	}
	/* The same size many times over is one size. */
	for (size_t i = 0; i < MOST; i++)
		points[i] = (struct fit_point){ .bytes = 8 << i % 3, .time = 5e-6 };
	fit_line(points, MOST, &fit);
	assert_int_equal(fit.verdict, FIT_TOO_FEW);
}

static void small_sizes_do_not_tell_bandwidth(void **state)
{
	struct fit_point points[MOST];
	struct fit fit;

	(void)state;
	fit_line(points, sweep(points, 6, 5e-6, 2e9, 0, 1), &fit);
	assert_int_equal(fit.verdict, FIT_NO_BANDWIDTH);
	assert_near(fit.alpha, 5e-6, 0.01);
	assert_true(isnan(fit.bandwidth));
	/* Falling times have a negative slope: it is 0, not negative. */
	for (size_t i = 0; i < 8; i++)
		points[i] = (struct fit_point){ .bytes = ldexp(8, (int)i), .time = 5e-6 - 1e-7 * (double)i };
	fit_line(points, 8, &fit);
	assert_int_equal(fit.verdict, FIT_NO_BANDWIDTH);
	assert_true(fit.alpha > 0);
}

static void large_sizes_do_not_tell_alpha(void **state)
{
	struct fit_point points[MOST];
	struct fit fit;

	(void)state;
	sweep(points, 30, 5e-6, 2e9, 0, 1);
	fit_line(points + 20, 10, &fit);
	assert_int_equal(fit.verdict, FIT_NO_ALPHA);
	assert_true(isnan(fit.alpha));
	assert_near(fit.bandwidth, 2e9, 0.01);
	/* An intercept below 0 is 0. */
	for (size_t i = 0; i < 8; i++)
		points[i] = (struct fit_point){ .bytes = 1e6 * (double)(i + 1), .time = 1e-3 * (double)(i + 1) - 0.5e-3 };
	fit_line(points, 8, &fit);
	assert_int_equal(fit.verdict, FIT_NO_ALPHA);
	assert_true(fit.bandwidth > 0);
}

static void words_are_there_for_every_verdict(void **state)
{
	(void)state;
	for (enum fit_verdict verdict = FIT_GOOD; verdict <= FIT_TOO_FEW; verdict++) {
		assert_true(strlen(fit_word(verdict)) > 0);
		assert_true(strlen(fit_sentence(verdict)) > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_times_give_exact_values),
		cmocka_unit_test(noise_is_relative),
		cmocka_unit_test(an_outlier_is_left_out_and_marked),
		cmocka_unit_test(a_kink_is_a_poor_fit),
		cmocka_unit_test(few_sizes_tell_nothing),
		cmocka_unit_test(small_sizes_do_not_tell_bandwidth),
		cmocka_unit_test(large_sizes_do_not_tell_alpha),
		cmocka_unit_test(words_are_there_for_every_verdict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
