/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic of the gate against tests/data/gate/numbers.txt, whose numbers are scipy's or brute force's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/gate/judge_parts.h"

enum { MOST = 64 };

struct list {
	double values[MOST];
	size_t n;
};

/* A line: its kind is read; the numbers follow. */
struct line {
	char *at;
	size_t number;
};

static double real(struct line *line)
{
	char *end;
	double value;

	line->at += strspn(line->at, " =");
	value = strtod(line->at, &end);
	if (end == line->at)
		fail_msg("line %zu: no number at %.20s", line->number, line->at);
	line->at = end;
	return value;
}

static struct list list(struct line *line)
{
	struct list list = { .n = (size_t)real(line) };

	assert_in_range(list.n, 0, MOST);
	for (size_t i = 0; i < list.n; i++)
		list.values[i] = real(line);
	return list;
}

static void near(const struct line *line, double value, double expected, double relative)
{
	if (!(fabs(value - expected) <= relative * fabs(expected) + 1e-12))
		fail_msg("line %zu: %.9g is not %.9g", line->number, value, expected);
}

typedef void checker(struct line *line);

static size_t each(const char *kind, checker *check)
{
	FILE *file = fopen("tests/data/gate/numbers.txt", "r");
	char text[4096], word[32];
	struct line line = { 0 };
	size_t count = 0;

	assert_non_null(file);
	while (fgets(text, sizeof text, file)) {
		line.number++;
		assert_int_equal(sscanf(text, "%31s", word), 1);
		line.at = text + strlen(word);
		if (strcmp(word, kind) != 0)
			continue;
		check(&line);
		count++;
	}
	fclose(file);
	return count;
}

/* A series of one point. */
static void compare_sides(struct line *line, bool paired, bool eras)
{
	struct list sides[GATE_SIDES] = { list(line), list(line) };
	struct gate_series series = { .npoints = 1, .paired = paired };
	struct gate_sampling sampling;
	size_t era[MOST], zero[MOST] = { 0 };
	double values[2 * MOST], t, error;

	for (size_t i = 0; i < MOST; i++)
		era[i] = 2 * i; /* some are not there */
	for (int side = 0; side < GATE_SIDES; side++) {
		series.launches[side] = sides[side].n;
		series.log_time[side] = sides[side].values;
		series.era[side] = eras ? era : zero;
	}
	assert_int_equal(gate_sampling_of(&series, &sampling), 0);
	gate_observe(&series, &sampling, 0, values);
	error = sqrt(gate_variance(&sampling, values) * sampling.factor);
	t = gate_difference(&sampling, values) / error;
	near(line, t, real(line), 1e-6);
	near(line, gate_tail(t, sampling.df), real(line), 1e-6);
	gate_sampling_clear(&sampling);
}

static void check_sides(struct line *line)
{
	compare_sides(line, false, false);
}

static void check_pairs(struct line *line)
{
	compare_sides(line, true, false);
}

static void check_eras(struct line *line)
{
	compare_sides(line, false, true);
}

static void t_of_two_sides_pairs_and_eras(void **state)
{
	(void)state;
	assert_int_equal(each("sides", check_sides), 700);
	assert_int_equal(each("pairs", check_pairs), 200);
	assert_int_equal(each("eras", check_eras), 100);
}

static void check_prior(struct line *line)
{
	struct list variance = list(line), df = list(line), moderated, total;
	struct gate_prior prior = gate_prior_of(variance.values, df.values, variance.n);
	double d0;

	near(line, prior.variance, real(line), 1e-6);
	d0 = real(line);
	if (d0 > 1e299)
		assert_true(isinf(prior.df));
	else
		near(line, prior.df, d0, 1e-6);
	moderated = list(line);
	total = list(line);
	for (size_t i = 0; i < variance.n; i++) {
		near(line, gate_moderate(prior, variance.values[i], df.values[i]), moderated.values[i], 1e-6);
		near(line, gate_moderated_df(prior, df.values[i]), total.values[i], 1e-6);
	}
}

static void check_trigamma(struct line *line)
{
	double x = real(line);

	near(line, gate_trigamma_inverse(x), real(line), 1e-7);
}

static void variances_learn_from_each_other(void **state)
{
	(void)state;
	assert_int_equal(each("prior", check_prior), 60);
	assert_int_equal(each("trigamma", check_trigamma), 40);
}

/* Of one variance, or of none, nothing is learnt; what is NAN is as if it were not there. */
static void few_variances_say_nothing(void **state)
{
	double variance[] = { NAN, 0.04, NAN, 0.04 }, df[] = { 4, 4, 4, 0 };
	struct gate_prior prior = gate_prior_of(variance, df, 4);

	(void)state;
	assert_true(prior.df == 0 && prior.variance == 0.04);
	assert_true(gate_moderate(prior, 0.01, 4) == 0.01 && gate_moderated_df(prior, 4) == 4);
	prior = gate_prior_of(variance, df, 1);
	assert_true(prior.df == 0 && isnan(prior.variance));
	/* Without any noise there still is what the last digit may hide. */
	assert_true(gate_moderate(prior, 0, 4) > 0);
}

static void check_student(struct line *line)
{
	double z = real(line), df = real(line), t = real(line);

	near(line, gate_t_of_normal(z, df), t, 1e-5);
	near(line, gate_normal_of_t(t, df), z, 1e-5);
}

static void quantiles_of_student(void **state)
{
	(void)state;
	assert_int_equal(each("student", check_student), 60);
	/* Beyond all tables. */
	assert_true(gate_normal_of_t(1e200, 50) > 30 && isfinite(gate_normal_of_t(1e200, 50)));
	assert_true(gate_normal_of_t(-1e200, 50) < -30);
}

static void check_discoveries(struct line *line)
{
	struct list p = list(line), expected;
	double rate = real(line), adjusted[MOST], cut;
	size_t found, within = 0;

	expected = list(line);
	assert_int_equal(gate_adjust(p.values, p.n, adjusted), 0);
	for (size_t i = 0; i < p.n; i++) {
		near(line, adjusted[i], expected.values[i], 1e-6);
		within += adjusted[i] <= rate;
	}
	cut = gate_cut(p.values, p.n, rate, &found);
	assert_int_equal(found, (size_t)real(line));
	assert_int_equal(found, within);
	for (size_t i = 0; i < p.n; i++)
		assert_true((p.values[i] <= cut) == (i < found));
}

static void discoveries_of_benjamini_and_hochberg(void **state)
{
	(void)state;
	assert_int_equal(each("discoveries", check_discoveries), 60);
}

static struct gate_layout layout_of(size_t segments, size_t placements, struct gate_spread spread, double rate)
{
	struct gate_layout layout;

	assert_int_equal(gate_layout_make(&layout, segments, placements), 0);
	assert_int_equal(gate_layout_draw(&layout, spread, (double[]){ rate, rate, rate }, 1, 1), 0);
	return layout;
}

static void check_level(struct line *line)
{
	size_t segments = (size_t)real(line), placements = (size_t)real(line);
	double launch = real(line), own = real(line), z = real(line), expected = real(line), p;
	struct gate_layout layout = layout_of(segments, placements, (struct gate_spread){ launch, 0, own }, expected);

	p = gate_largest_p(layout.level, z);
	near(line, p, expected, 0.1);
	near(line, gate_largest_z(layout.level, p), z, 1e-6);
	gate_layout_clear(&layout);
}

static void check_shape(struct line *line)
{
	size_t segments = (size_t)real(line), placements = (size_t)real(line);
	double z = real(line), expected = real(line), p;
	struct gate_layout layout = layout_of(segments, placements, (struct gate_spread){ 1, 0, 1 }, expected);

	p = gate_largest_p(layout.shape, z);
	if (!(fabs(p - expected) <= 0.15 * expected + 3e-5))
		fail_msg("line %zu: %g is not %g", line->number, p, expected);
	near(line, gate_largest_z(layout.shape, p), z, 1e-6);
	gate_layout_clear(&layout);
}

static void largest_of_statistics_that_overlap(void **state)
{
	(void)state;
	assert_int_equal(each("level", check_level), 27);
	assert_int_equal(each("shape", check_shape), 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(t_of_two_sides_pairs_and_eras),
		cmocka_unit_test(variances_learn_from_each_other),
		cmocka_unit_test(few_variances_say_nothing),
		cmocka_unit_test(quantiles_of_student),
		cmocka_unit_test(discoveries_of_benjamini_and_hochberg),
		cmocka_unit_test(largest_of_statistics_that_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
