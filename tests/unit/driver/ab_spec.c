/* SPDX-License-Identifier: Apache-2.0
 *
 * Variants: from a text to variables and options, and the order of their launches.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/driver/ab.h"
#include "src/driver/ab_spec.h"

enum { MAX_WORDS = 6 };

static void assert_words(const struct words *words, const char *const *expected)
{
	size_t n = 0;

	while (n < MAX_WORDS && expected[n])
		n++;
	assert_int_equal(words->count, n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(words->list[i], expected[i]);
}

static void words_find_their_place(void **state)
{
	static const struct {
		const char *text;
		const char *names[MAX_WORDS], *values[MAX_WORDS], *options[MAX_WORDS], *rest[MAX_WORDS];
	} cases[] = {
		{ "", { NULL }, { NULL }, { NULL }, { NULL } },
		{ " \t\n", { NULL }, { NULL }, { NULL }, { NULL } },
		{ "NCCL_ALGO=Ring --path nvlink", { "NCCL_ALGO" }, { "Ring" }, { "--path", "nvlink" }, { NULL } },
		{ "--path nvlink NCCL_ALGO=Ring", { "NCCL_ALGO" }, { "Ring" }, { "--path", "nvlink" }, { NULL } },
		{ "A= _b1=x=y", { "A", "_b1" }, { "", "x=y" }, { NULL }, { NULL } },
		{ "A='b c' \"D=e\\\"f\" G=h\\ i", { "A", "D", "G" }, { "b c", "e\"f", "h i" }, { NULL }, { NULL } },
		/* what looks like a variable and is a value */
		{ "--inject delay=1:30", { NULL }, { NULL }, { "--inject", "delay=1:30" }, { NULL } },
		{ "--label K=V X=1", { "X" }, { "1" }, { "--label", "K=V" }, { NULL } },
		{ "--label=K=V X=1", { "X" }, { "1" }, { "--label=K=V" }, { NULL } },
		{ "-n 5 X=1", { "X" }, { "1" }, { "-n", "5" }, { NULL } },
		{ "-n5 X=1", { "X" }, { "1" }, { "-n5" }, { NULL } },
		{ "--label --hold X=1", { "X" }, { "1" }, { "--label", "--hold" }, { NULL } },
		{ "--hold X=1", { "X" }, { "1" }, { "--hold" }, { NULL } },
		{ "--hold / X=1", { "X" }, { "1" }, { "--hold", "--bin", "/" }, { NULL } },
		{ "/", { NULL }, { NULL }, { "--bin", "/" }, { NULL } },
		{ "--bin / X=1", { "X" }, { "1" }, { "--bin", "/" }, { NULL } },
		{ "X=1 -- Y=2 / --z", { "X" }, { "1" }, { NULL }, { "Y=2", "/", "--z" } },
		{ "X=1 --", { "X" }, { "1" }, { NULL }, { NULL } },
		{ "--label -- X=1", { "X" }, { "1" }, { "--label", "--" }, { NULL } },
		/* what a shell would not leave alone */
		{ "X=$(touch\\ y) Z=`id` W=;reboot", { "X", "Z", "W" }, { "$(touch y)", "`id`", ";reboot" }, { NULL }, { NULL } },
		{ "X=* Y=~ Z=$HOME", { "X", "Y", "Z" }, { "*", "~", "$HOME" }, { NULL }, { NULL } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ab_spec spec;

		assert_int_equal(ab_spec_read(cases[i].text, "-A", &spec), 0);
		assert_words(&spec.names, cases[i].names);
		assert_words(&spec.values, cases[i].values);
		assert_words(&spec.options, cases[i].options);
		assert_words(&spec.rest, cases[i].rest);
		ab_spec_clear(&spec);
	}
}

static void what_is_no_variant_is_refused(void **state)
{
	static const char *const texts[] = {
		"'",
		"X=1 \"",
		"X=1 \\",
		"''",
		"X=1 ''",
		"nowhere/at/all",
		"1X=2",
		"=2",
		"X-Y=2",
		"X=1 X=2",
		"/ /",
		"/ --bin=/",
		"--bin / /",
		"--np 4",
		"--np=4",
		"--repeat 3",
		"--seed 1",
		"-o x",
		"-ox",
		"--output=x",
		"--resume x",
		"--paths shm",
		"--algos ring",
		"--quiet",
		"--help",
		"--collectives all_reduce",
		"\xff",
		"X=\xff",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct ab_spec spec;

		if (ab_spec_read(texts[i], "-A", &spec) == 0)
			fail_msg("'%s' is taken", texts[i]);
		ab_spec_clear(&spec);
	}
}

static void variables_are_set_and_put_back(void **state)
{
	struct ab_spec spec;
	struct ab_before before = { 0 };

	(void)state;
	setenv("AB_OLD", "before", 1);
	unsetenv("AB_NEW");
	assert_int_equal(ab_spec_read("AB_OLD=within AB_NEW=", "-A", &spec), 0);
	assert_int_equal(ab_spec_enter(&spec, &before), 0);
	assert_string_equal(getenv("AB_OLD"), "within");
	assert_string_equal(getenv("AB_NEW"), "");
	ab_spec_leave(&before);
	assert_string_equal(getenv("AB_OLD"), "before");
	assert_null(getenv("AB_NEW"));
	assert_int_equal(before.names.count + before.values.count + before.absent.count, 0);
	ab_spec_clear(&spec);
}

static void equal_variants_are_known(void **state)
{
	static const struct {
		const char *a, *b;
		bool equal;
	} cases[] = {
		{ "", " ", true },           { "X=1 Y=2", "Y=2  X='1'", true }, { "X=1", "X=2", false },
		{ "X=1", "X=1 Y=2", false }, { "X=1 Y=2", "X=1 Z=2", false },   { "-n 5", "-n 6", false },
		{ "-- a", "-- b", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ab_spec a, b;

		assert_int_equal(ab_spec_read(cases[i].a, "-A", &a), 0);
		assert_int_equal(ab_spec_read(cases[i].b, "-B", &b), 0);
		assert_int_equal(ab_spec_equal(&a, &b), cases[i].equal);
		ab_spec_clear(&a);
		ab_spec_clear(&b);
	}
}

static void turns_are_a_b_b_a(void **state)
{
	char order[17] = "";

	(void)state;
	for (int i = 0; i < 16; i++)
		order[i] = "AB"[ab_turn(i / 2 + 1, i % 2)];
	assert_string_equal(order, "ABBAABBAABBAABBA");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_find_their_place),
		cmocka_unit_test(what_is_no_variant_is_refused),
		cmocka_unit_test(variables_are_set_and_put_back),
		cmocka_unit_test(equal_variants_are_known),
		cmocka_unit_test(turns_are_a_b_b_a),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
