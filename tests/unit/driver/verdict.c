/* SPDX-License-Identifier: Apache-2.0
 *
 * What the end of a launch means, and which of two ends a run reports.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/driver/verdict.h"

static void only_our_codes_pass(void **state)
{
	(void)state;
	for (int code = 0; code < 256; code++) {
		const struct verdict_rows good = { .complete = true }, some = { .complete = false };
		int ours = code == 0 || code == 2 || code == 77;

		assert_int_equal(verdict_of(code, 0, &good), ours ? code : VERDICT_FAILED);
		assert_int_equal(verdict_of(code, 0, &some), ours ? code : VERDICT_FAILED);
		assert_int_equal(verdict_of(code, 15, &good), VERDICT_FAILED);
	}
}

static void only_rows_tell_wrong_data(void **state)
{
	(void)state;
	for (int code = 0; code < 256; code++) {
		const struct verdict_rows all = { .complete = true, .wrong = 1 },
					  some = { .complete = false, .wrong = UINT64_MAX };

		assert_int_equal(verdict_of(code, 0, &all), VERDICT_WRONG);
		assert_int_equal(verdict_of(code, 0, &some), VERDICT_FAILED);
		assert_int_equal(verdict_of(code, 9, &all), VERDICT_FAILED);
	}
}

static void the_worse_wins_both_ways(void **state)
{
	static const enum verdict order[] = { VERDICT_NONE,  VERDICT_SKIPPED, VERDICT_OK,    VERDICT_INCONCLUSIVE,
					      VERDICT_WRONG, VERDICT_USAGE,   VERDICT_FAILED };
	const size_t count = sizeof(order) / sizeof(order[0]);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < count; k++)
			assert_int_equal(verdict_worse(order[i], order[k]), order[i > k ? i : k]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(only_our_codes_pass), cmocka_unit_test(only_rows_tell_wrong_data),
					    cmocka_unit_test(the_worse_wins_both_ways) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
