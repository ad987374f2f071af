/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of `collperf report` that describe the network.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/link.h"
#include "report/options.h"
#include "report/system.h"

enum { MOST_WORDS = 16 };

/* The command line "report LINE", split at blanks. */
static int parse(const char *line, struct report_options *options)
{
	static char program[] = "report";
	char copy[256], *words[MOST_WORDS] = { program }, *rest = copy;
	int n = 1;

	snprintf(copy, sizeof copy, "%s", line);
	while (rest && *rest && n < MOST_WORDS - 1)
		words[n++] = strsep(&rest, " ");
	return report_options_parse(n, words, options);
}

static void assert_parsed(const char *line, struct report_options *options)
{
	if (parse(line, options))
		fail_msg("'%s' is refused", line);
}

static void a_link_by_name_or_rate(void **state)
{
	struct report_options options;

	(void)state;
	assert_parsed("x.csv", &options);
	assert_true(!options.given && options.link == 0 && options.nic == 0 && !options.nvls && !options.system);
	assert_parsed("x.csv --link nvlink3", &options);
	assert_true(options.link == 300e9 && options.known == link_find("nvlink3") && !options.given);
	assert_parsed("x.csv --link=25G", &options);
	assert_true(options.link == 25e9 && !options.known);
	assert_parsed("x.csv --link eth-100x2", &options);
	assert_true(options.link == 25e9 && !options.known);
}

static void alpha_needs_a_rate_and_a_rate_alpha(void **state)
{
	struct report_options options;

	(void)state;
	assert_parsed("x.csv --alpha 5us --link nvlink3", &options);
	assert_true(options.given && fabs(options.alpha - 5e-6) < 1e-12 && options.bandwidth == 300e9);
	assert_parsed("x.csv --alpha 5us --bandwidth 90G --link nvlink3", &options);
	assert_true(options.given && options.bandwidth == 90e9 && options.link == 300e9);
	assert_int_equal(parse("x.csv --alpha 5us", &options), -1);
	assert_int_equal(parse("x.csv --bandwidth 5G", &options), -1);
	assert_int_equal(parse("x.csv --bandwidth 5G --link nvlink3", &options), -1);
}

static void nodes(void **state)
{
	struct report_options options;

	(void)state;
	assert_parsed("x.csv --link nvlink4 --nic ib-ndrx8 --gpus-per-node 8 --nvls --system h100x8", &options);
	assert_true(options.nics == 8 && options.nic == link_find("ib-ndr")->rate && options.gpus_per_node == 8);
	assert_true(options.nvls && options.system == system_find("h100x8"));
	assert_parsed("x.csv --alpha 5us --bandwidth 90G --nic 50G", &options);
	assert_true(options.nic == 50e9 && options.nics == 1);
}

static void lists_need_no_input(void **state)
{
	struct report_options options;

	(void)state;
	assert_parsed("--link list", &options);
	assert_true(options.list_links && !options.list_systems);
	assert_parsed("--system list", &options);
	assert_true(options.list_systems && !options.list_links);
}

static void wrong_words(void **state)
{
	static const char *const lines[] = { "x.csv --link nvlink9",
					     "x.csv --link",
					     "x.csv --link -5G",
					     "x.csv --link 9e999",
					     "x.csv --link 50",
					     "x.csv --link nvlink4 --nic 50",
					     "x.csv --link nvlink4 --nic 50x2",
					     "x.csv --alpha 5us --bandwidth 50",
					     "x.csv --nic ib-ndrx8",
					     "x.csv --nvls",
					     "x.csv --link nvlink4 --nic ib-ndrx0",
					     "x.csv --link nvlink4 --nic list",
					     "x.csv --gpus-per-node 0",
					     "x.csv --gpus-per-node 8x",
					     "x.csv --gpus-per-node 1025",
					     "x.csv --gpus-per-node 99999999999",
					     "x.csv --system h100",
					     "--link nvlink3",
					     "--system h100x8",
					     "" };
	struct report_options options = { .link = 7 };
	int kept = dup(2);

	(void)state;
	assert_non_null(freopen("/dev/null", "w", stderr));
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		if (!parse(lines[i], &options))
			fail_msg("'%s' is taken", lines[i]);
		assert_true(options.link == 7);
	}
	dup2(kept, 2);
	close(kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_by_name_or_rate),
		cmocka_unit_test(alpha_needs_a_rate_and_a_rate_alpha),
		cmocka_unit_test(nodes),
		cmocka_unit_test(lists_need_no_input),
		cmocka_unit_test(wrong_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
