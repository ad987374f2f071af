/* SPDX-License-Identifier: Apache-2.0
 *
 * Absolute gates: what is one and what is not, and what rows say of them.
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
		"all_reduce, alltoall, sendrecv), not 'garbage', as in \"all_reduce busbw >= 350 GB/s at 1G\"");
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
	assert_string_equal(error, "/dev/zero: more than 16 MiB");
	assert_int_equal(rules.count, 3);
	gate_rules_clear(&rules);
}

/* Rows that one gate is held against. */
struct held {
	struct gate_rows rows;
	struct gate_rules rules;
	struct gate_outcome outcome;
};

static void hold(struct held *held, const char *gate)
{
	gate_rules_clear(&held->rules);
	accepts(&held->rules, gate);
	gate_rows_side(&held->rows);
	assert_int_equal(gate_rules_apply(&held->rules, held->rows.rows, &held->outcome), 0);
}

static void says(struct held *held, const char *gate, enum gate_met met, const char *words)
{
	hold(held, gate);
	assert_string_equal(held->outcome.words, words);
	assert_int_equal(held->outcome.met, met);
	assert_true(met == GATE_NO_ROW ? !held->outcome.row && isnan(held->outcome.value) : held->outcome.row != NULL);
}

static void end(struct held *held)
{
	gate_rules_clear(&held->rules);
	gate_rows_clear(&held->rows);
}

static void medians_over_launches_are_held(void **state)
{
	static const char *const runs[] = { "a", "b", "c", "d", "e" };
	static const double times[] = { 3, 9, 4, 2, 3.5 };
	struct held held = { 0 };

	(void)state;
	gate_rows_file(&held.rows, "new");
	for (size_t i = 0; i < 5; i++)
		gate_rows_add(&held.rows, runs[i], 1048576, times[i] * 1000);
	says(&held, "all_reduce time <= 3.5 ms at 1M", GATE_MET,
	     "all_reduce time at 1M: 3.5 ms is just the limit (out-of-place, shm, 2 ranks, median of 5 launches)");
	assert_true(held.outcome.value == 3.5e-3 && held.outcome.row->bytes == 1048576);
	says(&held, "all_reduce time <= 3.4 ms at 1M", GATE_MISSED,
	     "all_reduce time at 1M: 3.5 ms is 2.9 % over 3.4 ms (out-of-place, shm, 2 ranks, median of 5 launches)");
	says(&held, "all_reduce time <= 7000 us at 1024K", GATE_MET,
	     "all_reduce time at 1024K: 3500 us is 50 % under 7000 us (out-of-place, shm, 2 ranks, median of 5 launches)");
	says(&held, "all_reduce time >= 3500001 ns at 1M", GATE_MISSED,
	     "all_reduce time at 1M: 3500000 ns is 2.9e-05 % under 3500001 ns (out-of-place, shm, 2 ranks, median of 5 "
	     "launches)");
	/* 2^20 bytes in 3.5 ms; two ranks have a factor of 1. */
	says(&held, "all_reduce busbw >= 300 MB/s at 1M", GATE_MISSED,
	     "all_reduce busbw at 1M: 299.6 MB/s is 0.14 % under 300 MB/s (out-of-place, shm, 2 ranks, median of 5 launches)");
	says(&held, "all_reduce algbw >= 0.29 GB/s at 1M", GATE_MET,
	     "all_reduce algbw at 1M: 0.2996 GB/s is 3.3 % over 0.29 GB/s (out-of-place, shm, 2 ranks, median of 5 launches)");
	says(&held, "all_reduce busbw >= 2.3 Gbit/s at 1M", GATE_MET,
	     "all_reduce busbw at 1M: 2.397 Gbit/s is 4.2 % over 2.3 Gbit/s (out-of-place, shm, 2 ranks, median of 5 launches)");
	end(&held);
}

static void exactly_the_limit_holds(void **state)
{
	struct held held = { 0 };

	(void)state;
	gate_rows_file(&held.rows, "new");
	for (int i = 1; i < 100; i++)
		gate_rows_add(&held.rows, "a", 8 * i, i / 10.);
	for (int i = 1; i < 100; i++) {
		char gate[96];

		snprintf(gate, sizeof gate, "all_reduce time <= %.1f us at %d", i / 10., 8 * i);
		gate_rows_close(&held.rows);
		hold(&held, gate);
		assert_int_equal(held.outcome.met, GATE_MET);
		gate_rules_clear(&held.rules);
		snprintf(gate, sizeof gate, "all_reduce time >= %.1f us at %d", i / 10., 8 * i);
		hold(&held, gate);
		assert_int_equal(held.outcome.met, GATE_MET);
	}
	end(&held);
}

static void the_bus_factor_counts(void **state)
{
	struct held held = { 0 };
	struct result row = gate_row("a", 1000000000, 1000);

	(void)state;
	gate_rows_file(&held.rows, "new");
	row.nranks = 8;
	gate_rows_put(&held.rows, &row);
	says(&held, "all_reduce busbw >= 1749 GB/s at 1000000000", GATE_MET,
	     "all_reduce busbw at 1000000000: 1750 GB/s is 0.057 % over 1749 GB/s (out-of-place, shm, 8 ranks, one launch)");
	says(&held, "all_reduce algbw >= 1749 GB/s at 1000000000", GATE_MISSED,
	     "all_reduce algbw at 1000000000: 1000 GB/s is 43 % under 1749 GB/s (out-of-place, shm, 8 ranks, one launch)");
	end(&held);
}

static void the_worst_point_is_held(void **state)
{
	struct held held = { 0 };
	struct result row = gate_row("a", 8, 3);

	(void)state;
	gate_rows_file(&held.rows, "new");
	gate_rows_put(&held.rows, &row);
	row.placement = RESULT_IN_PLACE;
	row.time = 5e-6;
	gate_rows_put(&held.rows, &row);
	row.placement = RESULT_OUT_OF_PLACE;
	row.path = "tcp";
	row.time = 20e-6;
	row.nranks = 4;
	row.type = "half";
	row.algo = "ring";
	gate_rows_put(&held.rows, &row);
	says(&held, "all_reduce time <= 4 us at 8", GATE_MISSED,
	     "all_reduce time at 8: 20 us is 400 % over 4 us (worst of 3 points: out-of-place, tcp, ring, 4 ranks, one launch)");
	says(&held, "all_reduce time <= 1 us at 8", GATE_MISSED,
	     "all_reduce time at 8: 20 us is 20 times over 1 us (worst of 3 points: out-of-place, tcp, ring, 4 ranks, one "
	     "launch)");
	says(&held, "all_reduce algbw >= 30 MB/s at 8", GATE_MISSED,
	     "all_reduce algbw at 8: 0.4 MB/s is 75 times under 30 MB/s (worst of 3 points: out-of-place, tcp, ring, 4 ranks, "
	     "one "
	     "launch)");
	says(&held, "all_reduce algbw >= 1 TB/s at 8 path tcp", GATE_MISSED,
	     "all_reduce algbw at 8: 0.0000004000 TB/s is 2500000 times under 1 TB/s (out-of-place, tcp, ring, 4 ranks, one "
	     "launch)");
	says(&held, "all_reduce time <= 30 us at 8", GATE_MET,
	     "all_reduce time at 8: 20 us is 33 % under 30 us (worst of 3 points: out-of-place, tcp, ring, 4 ranks, one launch)");
	says(&held, "all_reduce time <= 4 us at 8 path shm", GATE_MISSED,
	     "all_reduce time at 8: 5 us is 25 % over 4 us (worst of 2 points: in-place, shm, 2 ranks, one launch)");
	says(&held, "all_reduce time <= 4 us at 8 path shm out-of-place", GATE_MET,
	     "all_reduce time at 8: 3 us is 25 % under 4 us (out-of-place, shm, 2 ranks, one launch)");
	says(&held, "all_reduce time <= 4 us at 8 in-place", GATE_MISSED,
	     "all_reduce time at 8: 5 us is 25 % over 4 us (in-place, shm, 2 ranks, one launch)");
	hold(&held, "all_reduce time <= 4 us at 8 nranks 2 out-of-place");
	assert_int_equal(held.outcome.met, GATE_MET);
	hold(&held, "all_reduce time <= 4 us at 8 type half");
	assert_int_equal(held.outcome.met, GATE_MISSED);
	hold(&held, "all_reduce time <= 4 us at 8 algo ring");
	assert_int_equal(held.outcome.met, GATE_MISSED);
	says(&held, "all_reduce time >= 4 us at 8 path shm", GATE_MISSED,
	     "all_reduce time at 8: 3 us is 25 % under 4 us (worst of 2 points: out-of-place, shm, 2 ranks, one launch)");
	end(&held);
}

static void nothing_measured_is_told(void **state)
{
	struct held held = { 0 };
	struct result row = gate_row("a", 8, 3);

	(void)state;
	gate_rows_file(&held.rows, "new");
	gate_rows_put(&held.rows, &row);
	row.bytes = row.bytes_requested = 1048576;
	gate_rows_put(&held.rows, &row);
	row.bytes = 64;
	row.bytes_requested = RESULT_NONE;
	row.from = 0;
	row.to = 1;
	row.load = RESULT_ALONE;
	gate_rows_put(&held.rows, &row);
	says(&held, "reduce time <= 4 us at 8", GATE_NO_ROW, "reduce time at 8: nothing was measured: there is no row of reduce");
	says(&held, "all_reduce time <= 4 us at 64", GATE_NO_ROW,
	     "all_reduce time at 64: nothing was measured: sizes of all_reduce are 8 B to 1 MiB");
	says(&held, "all_reduce time <= 4 us at 8 in-place", GATE_NO_ROW,
	     "all_reduce time at 8: nothing was measured: rows of this size are of another placement, path, algo, type or number "
	     "of "
	     "ranks");
	end(&held);
}

static void sizes_as_they_were_asked_for(void **state)
{
	struct held held = { 0 };
	struct result row = gate_row("a", 1048560, 3);

	(void)state;
	gate_rows_file(&held.rows, "new");
	row.bytes_requested = 1048576;
	row.nranks = 3;
	gate_rows_put(&held.rows, &row);
	hold(&held, "all_reduce time <= 4 us at 1M");
	assert_int_equal(held.outcome.met, GATE_MET);
	hold(&held, "all_reduce time <= 4 us at 1048560");
	assert_int_equal(held.outcome.met, GATE_MET);
	hold(&held, "all_reduce time <= 4 us at 1048568");
	assert_int_equal(held.outcome.met, GATE_NO_ROW);
	end(&held);
}

static void is_open(const char *flags, int64_t nranks, const char *gate, const char *words)
{
	struct held held = { 0 };
	struct result row = gate_row("a", 8, 3);

	gate_rows_file(&held.rows, "new");
	row.nranks = nranks;
	gate_rows_put(&held.rows, &row);
	row.run = "b";
	row.flags = flags;
	gate_rows_put(&held.rows, &row);
	says(&held, gate, GATE_NOT_JUDGED, words);
	end(&held);
}

static void what_is_no_measurement_is_not_judged(void **state)
{
	struct held held = { 0 };
	struct result row = gate_row("a", 8, 3);

	(void)state;
	is_open("simulated", 2, "all_reduce time <= 4 us at 8",
		"all_reduce time at 8: 3 us is not judged: it is simulated (out-of-place, shm, 2 ranks, median of 2 launches)");
	is_open("late oversubscribed", 2, "all_reduce time <= 1 us at 8",
		"all_reduce time at 8: 3 us is not judged: ranks shared cores (out-of-place, shm, 2 ranks, median of 2 "
		"launches)");
	is_open("shared_gpu", 2, "all_reduce time <= 4 us at 8",
		"all_reduce time at 8: 3 us is not judged: ranks shared a GPU (out-of-place, shm, 2 ranks, median of 2 "
		"launches)");
	is_open("unchecked", 2, "all_reduce time <= 4 us at 8",
		"all_reduce time at 8: 3 us is not judged: its data was not checked (out-of-place, shm, 2 ranks, median of 2 "
		"launches)");
	is_open("traced", 2, "all_reduce time <= 4 us at 8",
		"all_reduce time at 8: 3 us is not judged: the library wrote a line for each call (out-of-place, shm, 2 ranks, "
		"median of 2 "
		"launches)");
	is_open("rates", 2, "all_reduce time <= 4 us at 8",
		"all_reduce time at 8: 3 us is not judged: its rates do not agree with its size and time (out-of-place, shm, 2 "
		"ranks, "
		"median of 2 launches)");
	is_open("", 1, "all_reduce busbw >= 4 B/s at 8",
		"all_reduce busbw at 8: it is not judged: one rank has no bus (out-of-place, shm, 1 rank, median of 2 launches)");
	/* Flags that leave a time a time; and what is missed is worse than what is open. */
	gate_rows_file(&held.rows, "new");
	row.flags = "noisy late short host_bound other_path imported";
	gate_rows_put(&held.rows, &row);
	row.path = "tcp";
	row.flags = "oversubscribed";
	gate_rows_put(&held.rows, &row);
	hold(&held, "all_reduce time <= 4 us at 8 path shm");
	assert_int_equal(held.outcome.met, GATE_MET);
	hold(&held, "all_reduce time <= 4 us at 8");
	assert_int_equal(held.outcome.met, GATE_NOT_JUDGED);
	hold(&held, "all_reduce time <= 2 us at 8");
	assert_int_equal(held.outcome.met, GATE_MISSED);
	assert_string_equal(held.outcome.row->path, "shm");
	end(&held);
}

static void wrong_data_miss(void **state)
{
	struct held held = { 0 };
	struct result row = gate_row("a", 8, 3);

	(void)state;
	gate_rows_file(&held.rows, "new");
	gate_rows_put(&held.rows, &row);
	row.run = "b";
	row.wrong = 12;
	row.flags = "oversubscribed";
	gate_rows_put(&held.rows, &row);
	says(&held, "all_reduce time <= 4 us at 8", GATE_MISSED,
	     "all_reduce time at 8: wrong data, 12 elements (out-of-place, shm, 2 ranks, median of 2 launches)");
	end(&held);
}

static void words_stay_on_their_line(void **state)
{
	struct held held = { 0 };
	struct result row = gate_row("a", 8, 3);
	char path[300];

	(void)state;
	memset(path, 'p', sizeof path);
	path[0] = '\t';
	path[sizeof path - 1] = '\0';
	row.path = path;
	row.algo = path;
	row.time = 1e200;
	gate_rows_file(&held.rows, "new");
	gate_rows_put(&held.rows, &row);
	hold(&held, "all_reduce time <= 0.001 ns at 8");
	assert_null(strchr(held.outcome.words, '\t'));
	assert_non_null(strstr(held.outcome.words, "1e+209 ns is 1e+214 % over"));
	assert_true(strlen(held.outcome.words) < sizeof held.outcome.words);
	end(&held);
}

static void copies_and_cycles(void **state)
{
	struct held held = { 0 };
	struct result row = gate_row("a", 8, 3);

	(void)state;
	gate_rows_file(&held.rows, "new");
	row.points = 3;
	for (row.point = 1; row.point <= 3; row.point++) {
		row.time = row.point == 2 ? 9e-6 : 3e-6;
		gate_rows_put(&held.rows, &row);
		gate_rows_put(&held.rows, &row);
	}
	says(&held, "all_reduce time <= 3 us at 8", GATE_MET,
	     "all_reduce time at 8: 3 us is just the limit (out-of-place, shm, 2 ranks, one launch)");
	end(&held);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_gate_says),
		cmocka_unit_test(units_and_sizes),
		cmocka_unit_test(garbage_is_refused),
		cmocka_unit_test(numbers_that_are_none),
		cmocka_unit_test(sizes_that_are_none),
		cmocka_unit_test(options_that_are_none),
		cmocka_unit_test(long_and_odd_texts),
		cmocka_unit_test(files_of_gates),
		cmocka_unit_test(medians_over_launches_are_held),
		cmocka_unit_test(exactly_the_limit_holds),
		cmocka_unit_test(the_bus_factor_counts),
		cmocka_unit_test(the_worst_point_is_held),
		cmocka_unit_test(nothing_measured_is_told),
		cmocka_unit_test(sizes_as_they_were_asked_for),
		cmocka_unit_test(what_is_no_measurement_is_not_judged),
		cmocka_unit_test(wrong_data_miss),
		cmocka_unit_test(words_stay_on_their_line),
		cmocka_unit_test(copies_and_cycles),
	};

	return cmocka_run_group_tests_name("gate_rule", tests, NULL, NULL);
}
