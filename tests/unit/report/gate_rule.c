/* SPDX-License-Identifier: Apache-2.0
 *
 * Absolute gates: what is one and what is not.
 */
#include "gate_rows.h"

#include "report/gate/rule.h"

static void refuses(const char *text, const char *why)
{
	struct gate_rules rules = { 0 };
	char error[512] = "";

	assert_int_equal(gate_rule_add(&rules, text, error, sizeof error), -1);
	assert_string_equal(error, why);
	assert_int_equal(rules.count, 0);
	assert_null(strchr(error, '\n'));
	gate_rules_clear(&rules);
}

/* Refused, with these words in the line. */
static void refuses_with(const char *text, const char *words)
{
	struct gate_rules rules = { 0 };
	char error[512] = "";

	assert_int_equal(gate_rule_add(&rules, text, error, sizeof error), -1);
	if (!strstr(error, words))
		fail_msg("'%s' does not say '%s'", error, words);
	gate_rules_clear(&rules);
}

static struct gate_rule accepts(struct gate_rules *rules, const char *text)
{
	char error[512] = "";

	if (gate_rule_add(rules, text, error, sizeof error))
		fail_msg("%s", error);
	assert_string_equal(rules->items[rules->count - 1].text, text);
	return rules->items[rules->count - 1];
}

static void what_a_gate_says(void **state)
{
	struct gate_rules rules = { 0 };
	struct gate_rule rule = accepts(&rules, "all_reduce busbw >= 350 GB/s at 1G");

	(void)state;
	assert_string_equal(rule.coll->name, "all_reduce");
	assert_int_equal(rule.measure, GATE_BUSBW);
	assert_true(rule.at_least && rule.limit == 350e9 && rule.bytes == 1073741824);
	assert_string_equal(rule.unit, "GB/s");
	assert_string_equal(rule.size, "1G");
	assert_int_equal(rule.placement, -1);
	assert_true(!rule.path && !rule.algo && !rule.type && rule.nranks == 0);
	rule = accepts(&rules, "\tsendrecv  time <= 3us at 8 ");
	assert_int_equal(rule.measure, GATE_TIME);
	assert_true(!rule.at_least && rule.limit == 3e-6 && rule.bytes == 8);
	rule = accepts(&rules, "alltoall algbw >= 0.5 TB/s at 1.5KiB type half in-place nranks 16 algo ring path ib?");
	assert_int_equal(rule.measure, GATE_ALGBW);
	assert_true(rule.limit == 0.5e12 && rule.bytes == 1536 && rule.placement == 1 && rule.nranks == 16);
	assert_string_equal(rule.path, "ib?");
	assert_string_equal(rule.algo, "ring");
	assert_string_equal(rule.type, "half");
	assert_int_equal(accepts(&rules, "reduce time <= 1 s at 1 out-of-place").placement, 0);
	assert_int_equal(rules.count, 4);
	gate_rules_clear(&rules);
	assert_int_equal(rules.count, 0);
}

static void units_and_sizes(void **state)
{
	static const struct {
		const char *text;
		double limit, bytes;
	} good[] = {
		{ "reduce time <= 7 s at 1K", 7, 1024 },
		{ "reduce time <= 7 ms at 2k", 7e-3, 2048 },
		{ "reduce time <= 7 us at 1KB", 7e-6, 1024 },
		{ "reduce time <= 7 ns at 4M", 7e-9, 4194304 },
		{ "reduce time <= 0.1us at 1T", 0.1 / 1e6, 1099511627776 },
		{ "reduce time <= 007.50 us at 2P", 7.5 / 1e6, 2251799813685248 },
		{ "reduce algbw >= 7 KB/s at 8B", 7e3, 8 },
		{ "reduce algbw >= 7 MB/s at 0.25K", 7e6, 256 },
		{ "reduce algbw >= 7 B/s at 1.500M", 7, 1572864 },
		{ "reduce algbw >= 400 Gbit/s at 9223372036854775807", 50e9, 9223372036854775807. },
		{ "reduce algbw >= 7GB/s at 1000000000", 7e9, 1e9 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct gate_rules rules = { 0 };
		struct gate_rule rule = accepts(&rules, good[i].text);

		if (rule.limit != good[i].limit || rule.bytes != good[i].bytes)
			fail_msg("%s: %.17g at %.17g", good[i].text, rule.limit, rule.bytes);
		gate_rules_clear(&rules);
	}
}

static void garbage_is_refused(void **state)
{
	(void)state;
	refuses("garbage",
		"gate 'garbage': expected a primitive (broadcast, scatter, gather, reduce, all_gather, reduce_scatter, "
		"all_reduce, alltoall, sendrecv, alltoallv, hypercube), not 'garbage', as in \"all_reduce busbw >= 350 GB/s at "
		"1G\"");
	refuses("", "gate '': it is empty: expected PRIMITIVE busbw|algbw|time >=|<= NUMBER UNIT at SIZE, as in \"all_reduce "
		    "busbw >= "
		    "350 GB/s at 1G\"");
	refuses_with(" \t", "it is empty");
	refuses_with("1e3", "expected a primitive");
	refuses_with("-1", "expected a primitive");
	refuses_with("nan", "expected a primitive");
	refuses_with("a\nb", "not 'a'");
	refuses_with("all_reduce", "expected busbw, algbw or time where it ends");
	refuses_with("all_reduce latency <= 3 us at 8", "expected busbw, algbw or time, not 'latency'");
	refuses_with("all_reduce time", "expected \">=\" or \"<=\" between blanks where it ends");
	refuses_with("all_reduce time < 3 us at 8", "not '<'");
	refuses_with("all_reduce time<=3 us at 8", "not 'time<=3'");
	refuses_with("all_reduce time == 3 us at 8", "not '=='");
	refuses_with("all_reduce time <= 3 us", "expected \"at\" and a size where it ends");
	refuses_with("all_reduce time <= 3 us 8", "expected \"at\" and a size, not '8'");
	refuses_with("all_reduce time <= 3 us at", "expected a size such as 8, 64K or 1G where it ends");
	refuses_with("all_reduce time <= 3 us at 8 twice",
		     "expected in-place, out-of-place, path, algo, nranks, type or the end, not 'twice'");
}

static void numbers_that_are_none(void **state)
{
	static const char *const numbers[] = { "nan", "inf", "-1",   "+1", "0",   "0.0",      "1e3", "1E3", "0x10",    "1,5",
					       "1.",  ".5",  "1..2", "",   "1_0", "\xC2\xB3", "3e",  "--1", "infinity" };
	char text[128];

	(void)state;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		struct gate_rules rules = { 0 };
		char error[512];

		snprintf(text, sizeof text, "all_reduce time <= %s us at 8", numbers[i]);
		if (gate_rule_add(&rules, text, error, sizeof error) != -1)
			fail_msg("%s", text);
	}
	refuses_with("all_reduce time <= nan us at 8", "expected a number above 0, without sign or exponent, not 'nan'");
	refuses_with("all_reduce time <= 1e3 us at 8", "expected the unit s, ms, us or ns, not 'e3'");
	refuses_with("all_reduce time <= 3 at 8", "expected the unit s, ms, us or ns, not 'at'");
	refuses_with("all_reduce time <= 3", "expected the unit s, ms, us or ns where it ends");
	refuses_with("all_reduce time <= 3 GB/s at 8", "not 'GB/s'");
	refuses_with("all_reduce busbw >= 3 us at 8", "expected the unit TB/s, GB/s, MB/s, KB/s, B/s or Gbit/s, not 'us'");
	refuses_with("all_reduce busbw >= 3 Gb/s at 8", "not 'Gb/s'");
	refuses_with("all_reduce busbw >= 3 GiB/s at 8", "not 'GiB/s'");
	refuses_with("all_reduce busbw >= 3 gb/s at 8", "not 'gb/s'");
	refuses_with("all_reduce busbw >= 99999999999999999999999999999999999999999 GB/s at 8", "expected a number");
	refuses_with("all_reduce time <= 0.0000000000000000000000000000000000000 s at 8", "expected a number");
}

static void sizes_that_are_none(void **state)
{
	static const char *const sizes[] = { "0",     "0K",
					     "-8",    "8X",
					     "1KK",   "1e3",
					     "0x8",   "K",
					     "1.3",   "1.5B",
					     "1.",    ".5K",
					     "1 G",   "9223372036854775808",
					     "8192P", "1Ki",
					     "iB",    "1iB",
					     "nan",   "0.1K",
					     "1.1K",  "1.0000000001P" };
	char text[128];

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		snprintf(text, sizeof text, "all_reduce time <= 3 us at %s", sizes[i]);
		refuses_with(text, strcmp(sizes[i], "1 G") == 0 ? "not 'G'" : "expected a size");
	}
	refuses_with("all_reduce time <= 3 us at 00000000000000000000000000000008", "expected a size");
}

static void options_that_are_none(void **state)
{
	(void)state;
	refuses_with("all_reduce time <= 3 us at 8 path", "expected a word behind path where it ends");
	refuses_with("all_reduce time <= 3 us at 8 path a path b", "path stands there twice");
	refuses_with("all_reduce time <= 3 us at 8 in-place out-of-place",
		     "a placement stands there twice; without one both must hold");
	refuses_with("all_reduce time <= 3 us at 8 nranks 0", "expected a number of ranks, not '0'");
	refuses_with("all_reduce time <= 3 us at 8 nranks 2147483648", "expected a number of ranks");
	refuses_with("all_reduce time <= 3 us at 8 nranks 2x", "expected a number of ranks, not '2x'");
	refuses_with("all_reduce time <= 3 us at 8 nranks", "expected a number of ranks where it ends");
	refuses_with("all_reduce time <= 3 us at 8 nranks 2 nranks 2", "nranks stands there twice");
}

static void long_and_odd_texts(void **state)
{
	char text[GATE_LONGEST_RULE + 64];

	(void)state;
	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = '\0';
	refuses_with(text, "it is longer than 4096 characters");
	refuses_with("\x01\xff", "gate '\\x01\\xff': ");
}

static int read_text(struct gate_rules *rules, const char *text, size_t size, char *error, size_t error_size)
{
	char *path = sample_path();
	FILE *file = fopen(path, "wb");
	int rc;

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	fclose(file);
	rc = gate_rules_read(rules, path, error, error_size);
	/* Without the name, which is another each time. */
	if (rc && strncmp(error, path, strlen(path)) == 0)
		memmove(error, error + strlen(path), strlen(error + strlen(path)) + 1);
	sample_remove(path);
	return rc;
}

static void files_of_gates(void **state)
{
	static const char good[] = "\xEF\xBB\xBF# nightly\r\n\r\n  all_reduce busbw >= 350 GB/s at 1G # as the vendor says\r\n"
				   "\t#sendrecv\nsendrecv time <= 3 us at 8 path shm";
	struct gate_rules rules = { 0 };
	char error[1024] = "";

	(void)state;
	accepts(&rules, "reduce time <= 1 s at 8");
	assert_int_equal(read_text(&rules, good, sizeof good - 1, error, sizeof error), 0);
	assert_int_equal(rules.count, 3);
	assert_string_equal(rules.items[1].text, "all_reduce busbw >= 350 GB/s at 1G");
	assert_string_equal(rules.items[2].path, "shm");
	assert_int_equal(read_text(&rules, "sendrecv time <= 3 us at 8\n\nsendrecv time\n", 42, error, sizeof error), -1);
	assert_string_equal(error,
			    ": line 3: gate 'sendrecv time': expected \">=\" or \"<=\" between blanks where it ends, as in "
			    "\"all_reduce busbw >= 350 GB/s at 1G\"");
	assert_int_equal(rules.count, 3);
	assert_int_equal(read_text(&rules, "# nothing\n\n", 11, error, sizeof error), -1);
	assert_string_equal(error, ": there is no gate in it");
	assert_int_equal(read_text(&rules, "", 0, error, sizeof error), -1);
	assert_int_equal(read_text(&rules, "a\0b", 3, error, sizeof error), -1);
	assert_string_equal(error, ": a NUL byte; this is no text file");
	assert_int_equal(gate_rules_read(&rules, "/nowhere/at/all", error, sizeof error), -2);
	assert_string_equal(error, "/nowhere/at/all: No such file or directory");
	assert_int_equal(gate_rules_read(&rules, "/tmp", error, sizeof error), -2);
	assert_int_equal(gate_rules_read(&rules, "/dev/zero", error, sizeof error), -2);
	assert_string_equal(error, "/dev/zero: is no regular file but a pipe or a device");
	assert_int_equal(rules.count, 3);
	gate_rules_clear(&rules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_gate_says),    cmocka_unit_test(units_and_sizes),
		cmocka_unit_test(garbage_is_refused),  cmocka_unit_test(numbers_that_are_none),
		cmocka_unit_test(sizes_that_are_none), cmocka_unit_test(options_that_are_none),
		cmocka_unit_test(long_and_odd_texts),  cmocka_unit_test(files_of_gates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
