/* SPDX-License-Identifier: Apache-2.0
 *
 * Which words each binary gets: options of one primitive with their values, in every spelling, to that one alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "src/driver/share.h"

/* Words separated by blanks. */
static void split(const char *text, struct words *words)
{
	char copy[256];

	snprintf(copy, sizeof copy, "%s", text);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		words_add(words, word);
}

static void expect(const char *all, const char *name, const char *wanted, bool has_own)
{
	struct words sweep = { 0 }, got = { 0 }, right = { 0 };
	const struct collective *coll = collective_find(name);

	split(all, &sweep);
	split(wanted, &right);
	share_words(&sweep, coll, &got);
	assert_true(words_equal(&got, &right));
	assert_int_equal(share_has_own(&sweep, coll), has_own);
	words_clear(&sweep);
	words_clear(&got);
	words_clear(&right);
}

static void words_are_shared(void **state)
{
	(void)state;
	expect("-b 1K --skew 0.5 -e 64K", "alltoallv", "-b 1K --skew 0.5 -e 64K", true);
	expect("-b 1K --skew 0.5 -e 64K", "barrier", "-b 1K -e 64K", false);
	expect("--skew=0.5 -e 64K", "sendrecv", "-e 64K", false);
	expect("--mode oneway --matrix=a --stride 2 --pipeline=3 -n 1", "sendrecv", "--mode oneway --stride 2 --pipeline=3 -n 1",
	       true);
	expect("--mode oneway --matrix a --stride 2 -n 1", "alltoallv", "--matrix a -n 1", true);
	expect("--pairs -b 8 --pairs=all", "all_reduce", "-b 8", false);
	expect("--pairs -b 8", "sendrecv", "--pairs -b 8", true);
	expect("-b 8", "sendrecv", "-b 8", false);
	expect("", "sendrecv", "", false);
}

static void values_are_no_options(void **state)
{
	(void)state;
	expect("--label --skew -b 8", "barrier", "--label --skew -b 8", false);
	expect("--matrix --mode -b 8", "sendrecv", "-b 8", false);
	/* The binary says what is missing. */
	expect("-b 8 --skew", "alltoallv", "-b 8 --skew", true);
	expect("-b 8 --skew", "barrier", "-b 8", false);
}

static void check(const char *list, const char *sweep, int wanted)
{
	struct args args;

	args_init(&args);
	assert_int_equal(args_set_collectives(&args, list), 0);
	split(sweep, &args.sweep);
	assert_int_equal(share_check(&args), wanted);
	args_clear(&args);
}

static void somebody_must_have_it(void **state)
{
	(void)state;
	check("alltoallv,barrier", "-b 8 --skew 0.5", 0);
	check("all_reduce,barrier", "-b 8 --skew 0.5", -1);
	check("all", "--mode oneway", 0);
	check("all", "--matrix m", -1);
	check("all", "--label --matrix", 0);
	check("alltoallv", "--skew 0.5 --pairs", -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_shared),
		cmocka_unit_test(values_are_no_options),
		cmocka_unit_test(somebody_must_have_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
