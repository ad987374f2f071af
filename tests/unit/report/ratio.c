/* SPDX-License-Identifier: Apache-2.0
 *
 * What two times leave of their ratio, and when it is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/ratio.h"

static void ratios_carry_the_errors_of_both(void **state)
{
	const struct ratio_time one = { .time = 8, .low = 4, .high = 16 }, other = { .time = 2, .low = 1, .high = 4 },
				exact = { .time = 2, .low = 2, .high = 2 };
	const double both = pow(2, sqrt(2)); /* both may be off by a factor of 2 */
	const struct ratio_time none[] = { { 2, NAN, 3, 0, 0, 0, 0 },
					   { 2, 0, 3, 0, 0, 0, 0 },
					   { 2, 3, 4, 0, 0, 0, 0 },
					   { 2, 1, INFINITY, 0, 0, 0, 0 },
					   { 2, 1, 1.5, 0, 0, 0, 0 } };
	struct ratio ratio = ratio_of(&one, &other);

	(void)state;
	assert_true(ratio.value == 4);
	assert_true(fabs(ratio.low - 4 / both) < 1e-12 && fabs(ratio.high - 4 * both) < 1e-12);
	ratio = ratio_of(&one, &exact);
	assert_true(fabs(ratio.low - 2) < 1e-12 && fabs(ratio.high - 8) < 1e-12);
	ratio = ratio_of(&exact, &exact);
	assert_true(ratio.low == 1 && ratio.value == 1 && ratio.high == 1);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		ratio = ratio_of(&one, &none[i]);
		assert_true(ratio.value == 4 && isnan(ratio.low) && isnan(ratio.high) && ratio.kind == RATIO_FEW);
		ratio = ratio_of(&none[i], &one);
		assert_true(ratio.value == 0.25 && isnan(ratio.low) && isnan(ratio.high) && ratio.kind == RATIO_FEW);
	}
}

static void one_rule_says_what_is_told(void **state)
{
	/* time, low, high, least, p95, turns, late */
	static const struct {
		struct ratio_time one, other;
		enum ratio_kind kind;
	} cases[] = {
		{ { 20, 19.8, 20.2, 19, 30, 0, 0 }, { 10, 9.9, 10.1, 9, 25, 0, 0 }, RATIO_TOLD },
		{ { 10, 10, 10, 10, 10, 0, 0 }, { 10, 9.98, 10.02, 10, 10, 0, 0 }, RATIO_TOLD },
		{ { 10, 9.9, 10.1, 9, 25, 0, 0 }, { 10, 9.9, 10.1, 9, 25, 0, 0 }, RATIO_NOT_APART },
		{ { 10.04, 10.04, 10.06, 9, 25, 0, 0 }, { 10, 9.99, 10.01, 9, 25, 0, 0 }, RATIO_NOT_APART },
		{ { 20, 19.8, 20.2, 19, 30, 1, 1 }, { 10, 9.9, 10.1, 9, 25, 0, 0 }, RATIO_TURNS },
		{ { 20, 19.8, 20.2, 19, 30, 0, 0 }, { 10, 9.9, 10.1, 9, 25, 1, 0 }, RATIO_TURNS },
		{ { 20, 20, 20, 20, 20, 0, 1 }, { 10, 10, 10, 10, 10, 0, 0 }, RATIO_LATE },
		{ { 20, 20, 20, 20, 20, 0, 0 }, { 10, NAN, NAN, 10, 10, 0, 1 }, RATIO_LATE },
		{ { 20, 19.8, 20.2, 19, 30, 0, 0 }, { 10, NAN, NAN, 9, 25, 0, 0 }, RATIO_FEW },
		/* Half a factor that the interval leaves open; one that it does not. */
		{ { 406.07, 400, 410, 400, 410, 0, 0 }, { 192.11, 7, 200, 6, 390, 0, 0 }, RATIO_NOISY },
		{ { 40, 25, 41, 24, 42, 0, 0 }, { 10, 9.9, 10.1, 9, 11, 0, 0 }, RATIO_TOLD },
		{ { 40, 19, 41, 18, 42, 0, 0 }, { 10, 9.9, 10.1, 9, 11, 0, 0 }, RATIO_NOISY },
		/* A median that is known to 3 % and calls that took equally long; of calls that are not known the intervals. */
		{ { 2.84, 2.76, 2.94, 0.8, 4, 0, 0 }, { 0.854, 0.85, 0.86, 0.8, 1, 0, 0 }, RATIO_NOISY },
		{ { 2.84, 2.80, 2.88, 0.8, 4, 0, 0 }, { 0.854, 0.85, 0.86, 0.8, 1, 0, 0 }, RATIO_TOLD },
		{ { 2.84, 2.76, 2.94, 1.1, 4, 0, 0 }, { 0.854, 0.85, 0.86, 0.8, 1, 0, 0 }, RATIO_TOLD },
		{ { 2.84, 2.76, 2.94, NAN, NAN, 0, 0 }, { 0.854, 0.85, 0.86, NAN, NAN, 0, 0 }, RATIO_TOLD },
		{ { 12, 9.5, 14, NAN, NAN, 0, 0 }, { 10, 9.9, 10.1, NAN, NAN, 0, 0 }, RATIO_NOISY },
		{ { NAN, NAN, NAN, NAN, NAN, 0, 0 }, { 10, 9.9, 10.1, 9, 11, 1, 1 }, RATIO_UNKNOWN },
		{ { 10, 9.9, 10.1, 9, 11, 1, 1 }, { 0, 0, 0, 0, 0, 0, 0 }, RATIO_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(ratio_of(&cases[i].one, &cases[i].other).kind, cases[i].kind);
		/* Which of both is held against which makes no difference. */
		assert_int_equal(ratio_of(&cases[i].other, &cases[i].one).kind, cases[i].kind);
	}
}

static void what_is_not_told_has_words(void **state)
{
	(void)state;
	for (enum ratio_kind kind = RATIO_TOLD; kind <= RATIO_NOT_APART; kind++) {
		assert_int_equal(ratio_why(kind) == NULL, kind == RATIO_TOLD || kind == RATIO_NOT_APART);
		assert_int_equal(ratio_mark(kind) == NULL, kind == RATIO_TOLD);
	}
	assert_string_equal(ratio_why(RATIO_LATE), "a rank came late, so no ratio");
	assert_string_equal(ratio_mark(RATIO_NOISY), "too noisy");
}

static void a_row_is_such_a_time(void **state)
{
	struct result row;
	struct ratio_time time;

	(void)state;
	result_clear(&row);
	row.time = 10;
	row.time_ci_low = 9;
	row.time_ci_high = 11;
	row.time_min = 8;
	row.time_p95 = 12;
	row.flags = "noisy late";
	time = ratio_time(&row);
	assert_true(time.time == 10 && time.low == 9 && time.high == 11 && time.least == 8 && time.p95 == 12);
	assert_true(time.late && !time.turns);
	row.flags = "shared_gpu";
	time = ratio_time(&row);
	assert_true(!time.late && time.turns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ratios_carry_the_errors_of_both),
		cmocka_unit_test(one_rule_says_what_is_told),
		cmocka_unit_test(what_is_not_told_has_words),
		cmocka_unit_test(a_row_is_such_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
