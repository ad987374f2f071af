/* SPDX-License-Identifier: Apache-2.0
 *
 * What rows say of an absolute gate.
 */
#include "gate_rows.h"

#include "report/gate/rule.h"

/* Rows that one gate is held against. */
struct held {
	struct gate_rows rows;
	struct gate_rules rules;
	struct gate_outcome outcome;
};

static void hold(struct held *held, const char *gate)
{
	char error[512] = "";

	gate_rules_clear(&held->rules);
	if (gate_rule_add(&held->rules, gate, error, sizeof error))
		fail_msg("%s", error);
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

/* The even exchange beside an uneven one of 1M is none of 1M. */
static void evened_rows_are_of_their_own_size(void **state)
{
	struct held held = { 0 };
	struct result row = gate_row("a", 419424, 3);

	(void)state;
	gate_rows_file(&held.rows, "new");
	row.collective = "alltoallv";
	row.bytes_requested = 1048576;
	row.imbalance = 1;
	gate_rows_put(&held.rows, &row);
	hold(&held, "alltoallv time <= 4 us at 1M");
	assert_int_equal(held.outcome.met, GATE_NO_ROW);
	hold(&held, "alltoallv time <= 4 us at 419424");
	assert_int_equal(held.outcome.met, GATE_MET);
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
		cmocka_unit_test(medians_over_launches_are_held),
		cmocka_unit_test(exactly_the_limit_holds),
		cmocka_unit_test(the_bus_factor_counts),
		cmocka_unit_test(the_worst_point_is_held),
		cmocka_unit_test(nothing_measured_is_told),
		cmocka_unit_test(sizes_as_they_were_asked_for),
		cmocka_unit_test(evened_rows_are_of_their_own_size),
		cmocka_unit_test(what_is_no_measurement_is_not_judged),
		cmocka_unit_test(wrong_data_miss),
		cmocka_unit_test(words_stay_on_their_line),
		cmocka_unit_test(copies_and_cycles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
