/* SPDX-License-Identifier: Apache-2.0
 *
 * What options of a comparison may be: fractions and seeds, read to their end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "report/gate/settings.h"

static void fractions_are_checked_whole(void **state)
{
	static const char *const bad[] = { "",
					   "5",
					   "5 %",
					   "%",
					   "0%",
					   "0",
					   "-5%",
					   "+5%",
					   "5%%",
					   "5%x",
					   "1e-2",
					   "0x5%",
					   ".5%",
					   "5.%",
					   "1.2.3%",
					   "1",
					   "1001%",
					   "nan%",
					   "inf%",
					   " 5%",
					   "5,0%",
					   "1.0",
					   "00000000000000000000000000000005%" };
	double value = 7;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (gate_settings_fraction(bad[i], GATE_MOST_THRESHOLD, &value) != -1)
			fail_msg("'%s' is taken for %g", bad[i], value);
		assert_true(value == 7);
	}
	assert_int_equal(gate_settings_fraction("5%", GATE_MOST_THRESHOLD, &value), 0);
	assert_true(fabs(value - 0.05) < 1e-12);
	assert_int_equal(gate_settings_fraction("0.05", GATE_MOST_THRESHOLD, &value), 0);
	assert_true(fabs(value - 0.05) < 1e-12);
	assert_int_equal(gate_settings_fraction("1000%", GATE_MOST_THRESHOLD, &value), 0);
	assert_int_equal(gate_settings_fraction("51%", GATE_MOST_ALARMS, &value), -1);
	assert_int_equal(gate_settings_fraction("0.6", GATE_MOST_ALARMS, &value), -1);
}

static void seeds_are_checked_whole(void **state)
{
	static const char *const bad[] = { "", "-1", "+1", "1x", " 1", "9223372036854775808", "99999999999999999999999", "1.0" };
	uint64_t seed = 7;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(gate_settings_seed(bad[i], &seed), -1);
	assert_int_equal(seed, 7);
	assert_int_equal(gate_settings_seed("9223372036854775807", &seed), 0);
	assert_true(seed == INT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fractions_are_checked_whole),
		cmocka_unit_test(seeds_are_checked_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
