/* SPDX-License-Identifier: Apache-2.0
 *
 * The fit of alpha and B: what it finds in times made from known values, and what it refuses to tell.
 */
#include "fit_sweeps.h"

/* Times of one line; every seed is a sweep of its own. */
static size_t sweep(struct fit_point *points, size_t n, double alpha, double bandwidth, double noise, uint64_t seed)
{
	const struct law law = { alpha, bandwidth, INFINITY, 0, 0 };

	return sweep_make(points, n, &law, noise, &seed);
}

static void exact_times_give_exact_values(void **state)
{
	struct fit_point points[SWEEP_MOST];
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
	struct fit_point points[SWEEP_MOST];
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
	struct fit_point points[SWEEP_MOST];
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

/* A quarter too slow: too little to see in a line through all, enough to bend one through a few. */
static void a_small_outlier_is_the_one_named(void **state)
{
	struct fit_point points[SWEEP_MOST];
	struct fit fit;
	int splits = 0;

	(void)state;
	for (size_t out = 0; out < 31; out++) {
		sweep(points, 31, 35e-6, 130e9, 0.012, 41 + out);
		points[out].time *= 1.26;
		assert_int_equal(fit_line(points, 31, &fit), 0);
		assert_true(points[out].left_out);
		assert_int_equal(fit.outliers, 1);
		assert_near(fit.outlier_bytes, points[out].bytes, 1e-12);
		assert_near(fit.alpha, 35e-6, 0.02);
		assert_near(fit.bandwidth, 130e9, 0.02);
		splits += fit.nsegments > 1;
	}
	/* 1 in 100 is split without any outlier. */
	assert_in_range(splits, 0, 2);
}

/* All-reduce of 8 A100, in place, in us: 128 B took a quarter longer than its neighbours, and three laws follow each other. */
static void a_measured_sweep_has_one_outlier(void **state)
{
	static const double times[] = { 35.30, 34.84, 35.61, 35.27,  34.61,  43.78, 34.95,  35.20, 35.77, 35.89, 36.11,
					36.07, 35.87, 35.73, 37.25,  41.11,  47.94, 60.52,  76.17, 96.10, 110.2, 160.0,
					225.0, 372.8, 581.9, 1162.5, 2111.8, 4184,  8176.5, 16203, 32052, 63959 };
	enum { SIZES = sizeof times / sizeof *times };
	struct fit_point points[SIZES];
	struct fit fit;

	(void)state;
	for (int i = 0; i < SIZES; i++)
		points[i] = (struct fit_point){ .bytes = ldexp(4, i), .time = times[i] * 1e-6 };
	assert_int_equal(fit_line(points, SIZES, &fit), 0);
	assert_int_equal(fit.outliers, 1);
	assert_near(fit.outlier_bytes, 128, 1e-12);
	assert_near(fit.segments[0].last_bytes, 524288, 1e-12);
	assert_near(fit.alpha, 35.2e-6, 0.01);
}

/* t = 5 us + S / 2e9 up to 64 KiB, another law after it, one row that stands out, wherever it is. */
static void a_kink_and_an_outlier_are_told_apart(void **state)
{
	const struct law law = { 5e-6, 2e9, 65536, 60e-6, 20e9 };
	struct fit_point points[SWEEP_MOST];
	struct fit fit;

	(void)state;
	for (size_t out = 0; out < 22; out++) {
		uint64_t seed = 31 + out;

		sweep_make(points, 22, &law, 0.02, &seed);
		points[out].time *= 4;
		assert_int_equal(fit_line(points, 22, &fit), 0);
		assert_true(points[out].left_out);
		assert_near(fit.outlier_bytes, points[out].bytes, 1e-12);
		assert_true(fit.nsegments >= 2);
		assert_near(fit.alpha, 5e-6, 0.10);
		assert_near(fit.bandwidth, 20e9, 0.10);
		assert_true(fit.residual < 0.05);
	}
}

/* Noise of one size that goes with no line: nothing to split, nothing to believe. */
static void what_no_line_describes_is_poor(void **state)
{
	struct fit_point points[SWEEP_MOST];
	struct fit fit;

	(void)state;
	sweep(points, 20, 5e-6, 2e9, 0.02, 7);
	for (size_t i = 0; i < 20; i += 2)
		points[i].time *= 1.7;
	fit_line(points, 20, &fit);
	assert_int_equal(fit.verdict, FIT_POOR);
	assert_true(fit.residual > 0.10);
	assert_true(fit_is_usable(&fit));
	assert_non_null(strstr(fit_sentence(fit.verdict), "poor fit"));
}

static void a_bend_is_said(void **state)
{
	struct fit fit = { .nsegments = 2,
			   .segments = { { .n = 20, .runs = 11, .residual = 0.02 }, { .n = 31, .runs = 12, .residual = 0.02 } } };
	struct fit_point points[SWEEP_MOST];

	(void)state;
	assert_false(fit_is_curved(&fit));
	fit.segments[1].runs = 9;
	assert_true(fit_is_curved(&fit));
	/* What is left of exact times is rounding. */
	sweep(points, 31, 10e-6, 100e9, 0, 1);
	fit_line(points, 31, &fit);
	assert_false(fit_is_curved(&fit));
}

static void the_first_segment_may_tell_no_alpha(void **state)
{
	const struct law law = { 1e-6, 1e9, 1 << 20, 400e-6, 20e9 };
	struct fit_point points[SWEEP_MOST];
	uint64_t seed = 3;
	struct fit fit;

	(void)state;
	sweep_make(points, 28, &law, 0.01, &seed);
	fit_line(points + 10, 18, &fit);
	assert_int_equal(fit.nsegments, 2);
	assert_int_equal(fit.verdict, FIT_NO_ALPHA);
	assert_true(isnan(fit.alpha) && isnan(fit.alpha_low) && isnan(fit.half_bytes));
	assert_near(fit.bandwidth, 20e9, 0.03);
}

static void launches_of_one_size_count_as_their_median(void **state)
{
	struct fit_point points[3 * 20];
	struct fit fit;

	(void)state;
	for (size_t i = 0; i < 20; i++) {
		double time = 5e-6 + ldexp(8, (int)i) / 2e9;

		static const double parts[] = { 0.9, 1, 7 };

		for (size_t k = 0; k < 3; k++)
			points[3 * i + k] = (struct fit_point){ .bytes = ldexp(8, (int)i), .time = parts[(i + k) % 3] * time };
	}
	fit_line(points, 60, &fit);
	assert_int_equal(fit.n, 20);
	assert_int_equal(fit.outliers, 0);
	assert_near(fit.alpha, 5e-6, 1e-6);
	assert_near(fit.bandwidth, 2e9, 1e-6);
	assert_near(fit.half_bytes, 1e4, 1e-6);
	for (size_t i = 0; i < 40; i++)
		points[i] = (struct fit_point){ .bytes = ldexp(8, (int)i / 2), .time = 5e-6 + ldexp(8, (int)i / 2) / 2e9 };
	for (size_t i = 0; i < 40; i++)
		points[i].time *= i % 2 ? 0.8 : 1.2;
	fit_line(points, 40, &fit);
	assert_near(fit.alpha, 5e-6, 1e-6);
}

/* A sweep by steps of bytes: more sizes than are looked at for segments. */
static void long_sweeps_have_segments_too(void **state)
{
	static struct fit_point points[3000];
	uint64_t seed = 8;
	struct fit fit;

	(void)state;
	for (size_t i = 0; i < 3000; i++) {
		double bytes = 1000 * (double)(i + 1);

		points[i] = (struct fit_point){ .bytes = bytes };
		points[i].time = (i < 1500 ? 5e-6 + bytes / 1e9 : 100e-6 + bytes / 4e9) * exp(0.02 * sweep_normal(&seed));
	}
	fit_line(points, 3000, &fit);
	assert_int_equal(fit.nsegments, 2);
	assert_near(fit.segments[0].last_bytes, 1500e3, 0.05);
	assert_near(fit.bandwidth, 4e9, 0.05);
}

static void extreme_times_stay_finite(void **state)
{
	struct fit_point points[SWEEP_MOST];
	struct fit fit;

	(void)state;
	for (size_t i = 0; i < 24; i++)
		points[i] = (struct fit_point){ .bytes = ldexp(1, 63 - (int)i), .time = i % 2 ? 1e-12 : 1e12 };
	assert_int_equal(fit_line(points, 24, &fit), 0);
	assert_true(isfinite(fit.residual) && isfinite(fit.worst));
	for (size_t i = 0; i < 24; i++)
		points[i] = (struct fit_point){ .bytes = 9.2e18 - 1e5 * (double)i, .time = 1e-6 };
	assert_int_equal(fit_line(points, 24, &fit), 0);
	assert_true(isfinite(fit.residual) && !fit_is_usable(&fit));
}

static void few_sizes_tell_nothing(void **state)
{
	struct fit_point points[SWEEP_MOST];
	struct fit fit;

	(void)state;
	for (size_t n = 0; n < 4; n++) {
		fit_line(points, sweep(points, n, 5e-6, 2e9, 0, 1), &fit);
		assert_int_equal(fit.verdict, FIT_TOO_FEW);
		assert_true(isnan(fit.alpha) && isnan(fit.bandwidth) && isnan(fit.residual));
		assert_false(fit_is_usable(&fit));
	}
	/* The same size many times over is one size. */
	for (size_t i = 0; i < SWEEP_MOST; i++)
		points[i] = (struct fit_point){ .bytes = 8 << i % 3, .time = 5e-6 };
	fit_line(points, SWEEP_MOST, &fit);
	assert_int_equal(fit.verdict, FIT_TOO_FEW);
}

static void small_sizes_do_not_tell_bandwidth(void **state)
{
	struct fit_point points[SWEEP_MOST];
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
	struct fit_point points[SWEEP_MOST];
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
	for (enum fit_verdict verdict = FIT_GOOD; verdict <= FIT_NEITHER; verdict++) {
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
		cmocka_unit_test(a_small_outlier_is_the_one_named),
		cmocka_unit_test(a_measured_sweep_has_one_outlier),
		cmocka_unit_test(a_kink_and_an_outlier_are_told_apart),
		cmocka_unit_test(what_no_line_describes_is_poor),
		cmocka_unit_test(a_bend_is_said),
		cmocka_unit_test(the_first_segment_may_tell_no_alpha),
		cmocka_unit_test(launches_of_one_size_count_as_their_median),
		cmocka_unit_test(long_sweeps_have_segments_too),
		cmocka_unit_test(extreme_times_stay_finite),
		cmocka_unit_test(few_sizes_tell_nothing),
		cmocka_unit_test(small_sizes_do_not_tell_bandwidth),
		cmocka_unit_test(large_sizes_do_not_tell_alpha),
		cmocka_unit_test(words_are_there_for_every_verdict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
