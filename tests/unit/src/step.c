/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of gradients, buckets, and the order of acts of each strategy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/step.h"

static int parse(const char *text, struct step_gradients *gradients, char *error, size_t size)
{
	return step_gradients_parse(text, strlen(text), gradients, error, size);
}

static void counts_are_thousands(void **state)
{
	static const struct {
		const char *text;
		double value;
	} good[] = { { "1", 1 },       { "10M", 10e6 }, { "7e9", 7e9 }, { "1.3B", 1.3e9 },
		     { "2.5k", 2500 }, { "1e3K", 1e6 }, { "1T", 1e12 } };
	static const char *const bad[] = { "",   "0",   "-1",  "1.5",  "x",    "1M1", "1MM", " 1",
					   "1 ", "inf", "nan", "0x10", "1e17", "K",   ".",   "1e" };
	double value;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_int_equal(step_count_parse(good[i].text, &value), 0);
		assert_true(value == good[i].value);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(step_count_parse(bad[i], &value), -1);
}

static void a_file_is_read_in_its_order(void **state)
{
	struct step_gradients gradients;
	char error[160];

	(void)state;
	assert_int_equal(parse("# output first\n7\n\n 2K # a comment\r\n1M", &gradients, error, sizeof error), 0);
	assert_int_equal(gradients.count, 3);
	assert_int_equal(gradients.elements[0], 7);
	assert_int_equal(gradients.elements[1], 2000);
	assert_int_equal(gradients.elements[2], 1000000);
	assert_int_equal(gradients.total, 1002007);
	step_gradients_free(&gradients);
}

static void a_bad_line_is_named(void **state)
{
	struct step_gradients gradients;
	char error[160];

	(void)state;
	assert_int_equal(parse("1\n\n2\n3x\n", &gradients, error, sizeof error), -1);
	assert_ptr_equal(strstr(error, "line 4: not a number of elements"), error);
	assert_int_equal(parse("0\n", &gradients, error, sizeof error), -1);
	assert_ptr_equal(strstr(error, "line 1: "), error);
	assert_int_equal(step_gradients_parse("1\n2\0x", 5, &gradients, error, sizeof error), -1);
	assert_ptr_equal(strstr(error, "line 2: "), error);
	assert_int_equal(parse("9e15\n9e15\n", &gradients, error, sizeof error), -1);
	assert_string_equal(error, "line 2: over 2^53 elements in all");
	assert_int_equal(parse("# nothing\n", &gradients, error, sizeof error), -1);
	assert_string_equal(error, "no gradients in it");
}

/* Gradients of 1, 2, 3 and 4 elements of 4 bytes. */
static struct step_options four(uint64_t *elements)
{
	for (uint64_t i = 0; i < 4; i++)
		elements[i] = i + 1;
	return (struct step_options){ .gradients = { elements, 4, 10, 0 }, .prefetch = 1 };
}

/* "C0 S0 W0": compute of a gradient, a start, a wait; "A" a call that is waited for. */
static void check_acts(const struct step_plan *plan, const char *expected)
{
	char text[256] = "";

	for (size_t i = 0; i < plan->nacts; i++) {
		const size_t used = strlen(text);

		snprintf(text + used, sizeof text - used, "%s%c%zu", i > 0 ? " " : "", "CASW"[plan->acts[i].what],
			 plan -> acts[i].index);
	}
	assert_string_equal(text, expected);
}

static void open_plan(struct step_plan *plan, const struct step_options *options, enum step_strategy strategy, uint64_t cap,
		      int nranks)
{
	const struct step_row row = { strategy, cap };

	assert_int_equal(step_plan_open(plan, options, &row, nranks, 4), 0);
}

static void strategies_have_their_orders(void **state)
{
	uint64_t elements[4];
	const struct step_options options = four(elements);
	struct step_plan plan;

	(void)state;
	open_plan(&plan, &options, STEP_NAIVE, 0, 2);
	check_acts(&plan, "C0 C1 C2 C3 A0 A1 A2 A3");
	step_plan_close(&plan);
	open_plan(&plan, &options, STEP_FLAT, 0, 2);
	check_acts(&plan, "C0 C1 C2 C3 A0");
	assert_int_equal(plan.calls[0].elements, 10);
	step_plan_close(&plan);
	open_plan(&plan, &options, STEP_BUCKETED, 12, 2);
	check_acts(&plan, "C0 C1 S0 C2 S1 C3 S2 W0 W1 W2");
	step_plan_close(&plan);
	open_plan(&plan, &options, STEP_ZERO, 24, 2);
	check_acts(&plan, "C0 C1 C2 S0 C3 S1 W0 W1 S2 S3 W2 W3");
	assert_int_equal(plan.calls[1].coll, COLL_REDUCE_SCATTER);
	assert_int_equal(plan.calls[2].coll, COLL_ALL_GATHER);
	step_plan_close(&plan);
}

/* Gathers 0 and 1 before the first layer, then one ahead. */
static void fsdp_gathers_ahead(void **state)
{
	uint64_t elements[4];
	struct step_options options = four(elements);
	struct step_plan plan;

	(void)state;
	open_plan(&plan, &options, STEP_FSDP, 0, 2);
	check_acts(&plan, "S0 S1 W0 C0 S2 S3 W1 C1 S4 S5 W3 C2 S6 W5 C3 S7 W2 W4 W6 W7");
	assert_true(plan.calls[3].weights && !plan.calls[2].weights);
	step_plan_close(&plan);
	options.prefetch = 0;
	open_plan(&plan, &options, STEP_FSDP, 0, 2);
	check_acts(&plan, "S0 W0 C0 S1 S2 W2 C1 S3 S4 W4 C2 S5 S6 W6 C3 S7 W1 W3 W5 W7");
	step_plan_close(&plan);
	options.prefetch = 9;
	open_plan(&plan, &options, STEP_FSDP, 0, 2);
	check_acts(&plan, "S0 S1 S2 S3 W0 C0 S4 W1 C1 S5 W2 C2 S6 W3 C3 S7 W4 W5 W6 W7");
	step_plan_close(&plan);
}

/* Two layers of about five elements: 1 + 2 + 3 and 4. */
static void layers_share_the_elements(void **state)
{
	uint64_t elements[4];
	struct step_options options = four(elements);
	struct step_plan plan;

	(void)state;
	options.gradients.layers = 2;
	open_plan(&plan, &options, STEP_FSDP, 0, 4);
	assert_int_equal(plan.units, 2);
	assert_int_equal(plan.calls[0].elements, 8); /* 6, filled up for 4 ranks */
	assert_int_equal(plan.calls[1].first, 8);
	assert_int_equal(plan.calls[1].elements, 4);
	assert_int_equal(plan.elements, 12);
	step_plan_close(&plan);
}

static void a_cap_is_kept(void **state)
{
	uint64_t elements[4];
	const struct step_options options = four(elements);
	static const struct {
		uint64_t cap;
		size_t calls;
	} cases[] = { { 1, 4 }, { 11, 4 }, { 12, 3 }, { 23, 3 }, { 24, 2 }, { 39, 2 }, { 40, 1 }, { 1 << 20, 1 } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct step_plan plan;

		open_plan(&plan, &options, STEP_BUCKETED, cases[i].cap, 3);
		assert_int_equal(plan.ncalls, cases[i].calls);
		assert_int_equal(plan.elements, 10);
		step_plan_close(&plan);
	}
}

static void shares_make_a_whole(void **state)
{
	uint64_t elements[4];
	const struct step_options options = four(elements);

	(void)state;
	for (int strategy = 0; strategy < STEP_STRATEGIES; strategy++) {
		struct step_plan plan;
		double sum = 0;

		open_plan(&plan, &options, (enum step_strategy)strategy, 12, 3);
		for (size_t i = 0; i < plan.nacts; i++)
			sum += plan.acts[i].share;
		assert_float_equal(sum, 1, 1e-12);
		step_plan_close(&plan);
	}
}

static void rows_follow_strategies_and_caps(void **state)
{
	const struct step_options options = {
		.strategies = { STEP_ZERO, STEP_NAIVE, STEP_BUCKETED }, .nstrategies = 3, .caps = { 5, 6 }, .ncaps = 2
	};

	(void)state;
	assert_int_equal(step_rows(&options), 5);
	assert_int_equal(step_row(&options, 1).strategy, STEP_ZERO);
	assert_int_equal(step_row(&options, 1).cap, 6);
	assert_int_equal(step_row(&options, 2).strategy, STEP_NAIVE);
	assert_int_equal(step_row(&options, 2).cap, 0);
	assert_int_equal(step_row(&options, 4).cap, 6);
}

static void overlap_is_as_measured(void **state)
{
	(void)state;
	assert_true(step_exposed(3, 2) == 1 && step_exposed(2, 3) == -1 && step_exposed(0.1 + 0.2, 0.3) == 0);
	assert_true(step_overlap(0, 5) == 1 && step_overlap(5, 5) == 0 && step_overlap(7.5, 5) == -0.5);
	assert_true(step_overlap(-1, 4) == 1.25 && step_overlap(1, 4) == 0.75);
	assert_true(isnan(step_overlap(0, 0)) && isnan(step_overlap(1, NAN)));
	assert_true(step_overlap_tells(0.3, 3, 10) && !step_overlap_tells(0.31, 3, 10)); /* 30 % can be hidden at most */
	assert_true(step_overlap_tells(1, 20, 10) && !step_overlap_tells(1.01, 20, 10)); /* all of it, and no more */
	assert_false(step_overlap_tells(NAN, 3, 10) || step_overlap_tells(0, 0, 10) || step_overlap_tells(0, 3, 0));
	assert_true(step_strategy_overlaps(STEP_BUCKETED) && step_strategy_overlaps(STEP_ZERO) &&
		    step_strategy_overlaps(STEP_FSDP));
	assert_false(step_strategy_overlaps(STEP_NAIVE) || step_strategy_overlaps(STEP_FLAT));
}

static void nothing_overlaps_after_all_compute(void **state)
{
	uint64_t elements[4];
	struct step_options options = four(elements);
	static const struct {
		enum step_strategy strategy;
		uint64_t cap;
		long layers;
		bool overlaps;
	} cases[] = { { STEP_NAIVE, 0, 0, false },    { STEP_FLAT, 0, 0, false },  { STEP_BUCKETED, 40, 0, false },
		      { STEP_BUCKETED, 39, 0, true }, { STEP_ZERO, 40, 0, false }, { STEP_ZERO, 39, 0, true },
		      { STEP_FSDP, 0, 1, false },     { STEP_FSDP, 0, 2, true } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct step_plan plan;

		options.gradients.layers = cases[i].layers;
		open_plan(&plan, &options, cases[i].strategy, cases[i].cap, 2);
		assert_true(step_plan_overlaps(&plan) == cases[i].overlaps);
		step_plan_close(&plan);
	}
}

/* Units of 1 + 2, 3 and 4 elements, filled up to 4, 4 and 4. */
static void places_of_a_buffer_are_gradients(void **state)
{
	uint64_t elements[4];
	const struct step_options options = four(elements);
	struct step_plan plan;
	size_t element;

	(void)state;
	open_plan(&plan, &options, STEP_ZERO, 16, 4);
	assert_int_equal(plan.ncalls, 6);
	assert_true(step_call_element(&plan.calls[0], 2, &element) && element == 2);
	assert_true(!step_call_element(&plan.calls[0], 3, &element) && element == 2);
	assert_true(step_call_element(&plan.calls[1], 4, &element) && element == 3);
	assert_true(!step_call_element(&plan.calls[4], 7, &element) && element == 5);
	assert_true(step_call_element(&plan.calls[5], 11, &element) && element == 9);
	step_plan_close(&plan);
	open_plan(&plan, &options, STEP_FLAT, 0, 4);
	assert_true(step_call_element(&plan.calls[0], 9, &element) && element == 9);
	step_plan_close(&plan);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_thousands),
		cmocka_unit_test(a_file_is_read_in_its_order),
		cmocka_unit_test(a_bad_line_is_named),
		cmocka_unit_test(strategies_have_their_orders),
		cmocka_unit_test(fsdp_gathers_ahead),
		cmocka_unit_test(layers_share_the_elements),
		cmocka_unit_test(a_cap_is_kept),
		cmocka_unit_test(shares_make_a_whole),
		cmocka_unit_test(rows_follow_strategies_and_caps),
		cmocka_unit_test(overlap_is_as_measured),
		cmocka_unit_test(nothing_overlaps_after_all_compute),
		cmocka_unit_test(places_of_a_buffer_are_gradients),
	};

	return cmocka_run_group_tests_name("step", tests, NULL, NULL);
}
