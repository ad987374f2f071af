/* SPDX-License-Identifier: Apache-2.0
 *
 * Two sides of rows brought together: what belongs to what, what is counted once, what is in doubt.
 */
#include "collectives/collective.h"
#include "gate_pair.h"

#include <limits.h>

/* The time of a cell in microseconds. */
static double us(const struct gate_series *series, size_t side, size_t launch, size_t point)
{
	assert_true(launch < series->launches[side] && point < series->npoints);
	return exp(series->log_time[side][launch * series->npoints + point]) * 1e6;
}

static void is_about(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
		fail_msg("%.12g is not %.12g", value, expected);
}

static void times_are_where_they_belong(void **state)
{
	struct pair pair;
	const struct gate_series *series;

	(void)state;
	begin(&pair);
	for (int launch = 0; launch < 3; launch++) {
		const char *const runs[] = { "r-1", "r-2", "r-3" };

		for (int size = 2; size >= 0; size--) {
			struct result row = gate_row(runs[launch], 8 << size, 10 * (size + 1) + launch);

			gate_rows_put(&pair.base, &row);
			row.placement = RESULT_IN_PLACE;
			row.time *= 2;
			gate_rows_put(&pair.base, &row);
			row.time *= 2;
			gate_rows_put(&pair.new, &row);
			row.placement = RESULT_OUT_OF_PLACE;
			row.time *= 2;
			if (launch < 2)
				gate_rows_put(&pair.new, &row);
		}
	}
	build(&pair, false);
	/* The third launch of NEW has the in-place points alone. */
	assert_int_equal(pair.sheet.nseries, 2);
	series = &pair.sheet.series[0];
	assert_int_equal(series->npoints, 3);
	assert_int_equal(series->launches[GATE_BASE], 3);
	assert_int_equal(series->launches[GATE_NEW], 2);
	assert_false(series->paired);
	for (size_t p = 0; p < 3; p++) {
		assert_true(series->points[p].bytes == 8 << p);
		assert_false(series->points[p].in_place);
		assert_int_equal(series->points[p].doubt, GATE_CLEAR);
		assert_string_equal(series->points[p].why, "");
		for (size_t launch = 0; launch < 3; launch++)
			is_about(us(series, GATE_BASE, launch, p), 10. * ((double)p + 1) + (double)launch);
		is_about(us(series, GATE_NEW, 1, p), 8 * (10. * ((double)p + 1) + 1));
		/* The middle one stands for all. */
		is_about(series->points[p].row[GATE_BASE]->time, (10. * ((double)p + 1) + 1) * 1e-6);
	}
	series = &pair.sheet.series[1];
	assert_int_equal(series->launches[GATE_NEW], 3);
	assert_true(series->points[0].in_place && series->points[2].in_place);
	is_about(us(series, GATE_NEW, 2, 1), 4 * 22);
	assert_int_equal(pair.sheet.points_only[GATE_BASE] + pair.sheet.points_only[GATE_NEW], 0);
	assert_int_equal(pair.sheet.nonly[GATE_BASE] + pair.sheet.nonly[GATE_NEW] + pair.sheet.ndifferences, 0);
	assert_int_equal(pair.sheet.launches[GATE_BASE], 3);
	assert_int_equal(pair.sheet.cut[GATE_BASE] + pair.sheet.cut[GATE_NEW], 0);
	end(&pair);
}

static void placements_come_one_after_the_other(void **state)
{
	struct pair pair;
	struct result row;

	(void)state;
	begin(&pair);
	for (int i = 0; i < 6; i++) {
		row = gate_row("r-1", 8 << i / 2, 5);
		row.placement = i % 2 ? RESULT_OUT_OF_PLACE : RESULT_IN_PLACE;
		gate_rows_put(&pair.base, &row);
		gate_rows_put(&pair.new, &row);
	}
	build(&pair, false);
	assert_int_equal(pair.sheet.nseries, 1);
	for (size_t p = 0; p < 6; p++) {
		assert_true(pair.sheet.series[0].points[p].in_place == (p >= 3));
		assert_true(pair.sheet.series[0].points[p].bytes == 8 << p % 3);
	}
	end(&pair);
}

static void launches_are_in_the_order_of_time(void **state)
{
	static const char *const times[] = { "2026-03-01T10:00:02Z", "2026-03-01T10:00:00.5Z", "2026-03-01T10:00:00.25Z" };
	struct pair pair;

	(void)state;
	begin(&pair);
	for (int i = 0; i < 3; i++) {
		struct result row = gate_row(i == 0 ? "c" : i == 1 ? "b" : "a", 8, 1 + i);

		row.timestamp = times[i];
		gate_rows_put(&pair.base, &row);
		row.timestamp = i == 1 ? "yesterday" : times[i];
		gate_rows_put(&pair.new, &row);
	}
	build(&pair, false);
	for (size_t i = 0; i < 3; i++) {
		is_about(us(pair.sheet.series, GATE_BASE, i, 0), 3. - (double)i);
		/* One has no time: as they were read. */
		is_about(us(pair.sheet.series, GATE_NEW, i, 0), 1. + (double)i);
	}
	end(&pair);
}

static void what_a_point_is_told_apart_by(void **state)
{
	struct result rows[12];
	struct pair pair;

	(void)state;
	begin(&pair);
	for (size_t i = 0; i < 12; i++)
		rows[i] = gate_row("r-1", 8, 5);
	rows[1].collective = "broadcast";
	rows[2].backend = "nccl";
	rows[3].path = "shm?";
	rows[4].algo = "ring";
	rows[5].group = "h0";
	rows[6].nranks = 4;
	rows[7].nnodes = 2;
	rows[8].type = "half";
	rows[9].redop = "prod";
	rows[10].root = 1;
	rows[11].bytes = 16;
	for (size_t i = 0; i < 12; i++)
		gate_rows_put(&pair.base, &rows[i]);
	/* What is no key. */
	rows[0].library = "MPICH 4.1";
	rows[0].sync = "barrier";
	rows[0].bytes_requested = 10;
	rows[0].iters = 1;
	gate_rows_put(&pair.new, &rows[0]);
	gate_rows_put(&pair.new, &rows[3]);
	build(&pair, false);
	assert_int_equal(pair.sheet.nseries, 2);
	assert_int_equal(pair.sheet.series[0].npoints, 1);
	assert_string_equal(pair.sheet.series[1].key->path, "shm?");
	assert_int_equal(pair.sheet.points_only[GATE_BASE], 10);
	only(&pair, GATE_BASE, "broadcast: all of it, 8 B");
	only(&pair, GATE_BASE, "backend nccl: all_reduce, all of it, 8 B");
	only(&pair, GATE_BASE, "algo ring: all_reduce, all of it, 8 B");
	only(&pair, GATE_BASE, "group h0: all_reduce, all of it, 8 B");
	only(&pair, GATE_BASE, "4 ranks: all_reduce, all of it, 8 B");
	only(&pair, GATE_BASE, "2 nodes: all_reduce, all of it, 8 B");
	only(&pair, GATE_BASE, "type half: all_reduce, all of it, 8 B");
	only(&pair, GATE_BASE, "operation prod: all_reduce, all of it, 8 B");
	only(&pair, GATE_BASE, "root 1: all_reduce, all of it, 8 B");
	only(&pair, GATE_BASE, "all_reduce (mpi, shm, 2 ranks, float sum): 1 size over 8 B, out-of-place");
	differs(&pair, "library: MPICH 4.0.2 in BASE, MPICH 4.1, MPICH 4.0.2 in NEW");
	differs(&pair, "common start of the ranks: clock in BASE, barrier, clock in NEW");
	assert_int_equal(pair.sheet.ndifferences, 2);
	end(&pair);
}

/* Rows of a file, and the same once more. */
static void twice(struct gate_rows *side, const struct result *row)
{
	gate_rows_put(side, row);
	gate_rows_put(side, row);
}

static void copies_count_once_and_cycles_become_one(void **state)
{
	struct pair pair;
	struct result row = gate_row("r-1", 8, 5);

	(void)state;
	begin(&pair);
	row.points = 3;
	row.wrong = 2;
	for (row.point = 1; row.point <= 3; row.point++) {
		row.time = row.point == 1 ? 5e-6 : row.point == 2 ? 9e-6 : 6e-6;
		twice(&pair.base, &row);
		twice(&pair.new, &row);
	}
	/* The same run from another folder, and another launch there. */
	gate_rows_file(&pair.base, "copy");
	row.point = 3;
	gate_rows_put(&pair.base, &row);
	row.run = "r-2";
	row.point = 1;
	row.points = 1;
	row.wrong = 0;
	gate_rows_put(&pair.base, &row);
	gate_rows_file(&pair.new, "more");
	row.run = "r-2";
	row.points = 2;
	row.time = 1e-6;
	gate_rows_put(&pair.new, &row);
	row.point = 2;
	row.time = 4e-6;
	gate_rows_put(&pair.new, &row);
	build(&pair, false);
	assert_int_equal(pair.sheet.nseries, 1);
	assert_int_equal(pair.sheet.series->launches[GATE_BASE], 2);
	assert_int_equal(pair.sheet.series->launches[GATE_NEW], 2);
	is_about(us(pair.sheet.series, GATE_BASE, 0, 0), 6);
	is_about(us(pair.sheet.series, GATE_NEW, 1, 0), 2.5);
	assert_int_equal(pair.sheet.series->era[GATE_BASE][0], 0);
	assert_int_equal(pair.sheet.series->era[GATE_BASE][1], 1);
	assert_int_equal(pair.sheet.cut[GATE_BASE] + pair.sheet.cut[GATE_NEW], 0);
	assert_int_equal(pair.sheet.wrong_new, 6);
	assert_int_equal(pair.sheet.series->points[0].wrong_new, 6);
	assert_int_equal(pair.sheet.series->points[0].doubt, GATE_WRONG_BASE);
	end(&pair);
}

static void a_file_without_runs_is_a_launch(void **state)
{
	struct pair pair;

	(void)state;
	begin(&pair);
	gate_rows_add(&pair.base, "", 8, 4);
	gate_rows_add(&pair.base, "", 8, 4);
	gate_rows_add(&pair.base, "", 8, 8);
	gate_rows_file(&pair.base, "second");
	gate_rows_add(&pair.base, "", 8, 5);
	gate_rows_add(&pair.new, "", 8, 5);
	build(&pair, false);
	assert_int_equal(pair.sheet.series->launches[GATE_BASE], 2);
	is_about(us(pair.sheet.series, GATE_BASE, 0, 0), 6);
	is_about(us(pair.sheet.series, GATE_BASE, 1, 0), 5);
	end(&pair);
}

/* A row of each side, of which one has a flag or a timing. */
static void doubts(const char *base_flags, const char *base_timing, const char *new_flags, const char *new_timing,
		   enum gate_doubt doubt, const char *why)
{
	struct pair pair;
	struct result row = gate_row("r-1", 8, 5);

	begin(&pair);
	row.flags = base_flags;
	row.timing = base_timing;
	gate_rows_put(&pair.base, &row);
	row.flags = new_flags;
	row.timing = new_timing;
	gate_rows_put(&pair.new, &row);
	/* A launch without it does not help. */
	gate_rows_add(&pair.new, "r-2", 8, 5);
	build(&pair, false);
	assert_string_equal(pair.sheet.series->points[0].why, why);
	assert_int_equal(pair.sheet.series->points[0].doubt, doubt);
	end(&pair);
}

static void flags_that_make_points_undecided(void **state)
{
	(void)state;
	doubts("oversubscribed", "sync", "oversubscribed", "sync", GATE_OVERSUBSCRIBED, "ranks shared cores");
	doubts("", "sync", "late oversubscribed", "sync", GATE_OVERSUBSCRIBED, "ranks shared cores");
	doubts("", "sync", "shared_gpu", "sync", GATE_OVERSUBSCRIBED, "ranks shared a GPU");
	doubts("traced", "sync", "traced", "sync", GATE_OVERSUBSCRIBED, "the library wrote a line for each call");
	doubts("rates", "sync", "", "sync", GATE_OVERSUBSCRIBED, "its rates do not agree with its size and time");
	doubts("", "sync", "simulated", "sync", GATE_OVERSUBSCRIBED, "simulated on one side alone");
	doubts("imported", "sync", "", "sync", GATE_OVERSUBSCRIBED, "measured by another program on one side");
	doubts("", "sync", "", "loop", GATE_OVERSUBSCRIBED, "timed call by call and in loops");
	doubts("simulated", "sync", "simulated", "sync", GATE_CLEAR, "");
	doubts("imported", "", "imported", "", GATE_CLEAR, "");
	doubts("noisy late short unchecked", "sync", "host_bound other_path", "sync", GATE_CLEAR, "");
	doubts("", "", "", "sync", GATE_CLEAR, "");
}

static void wrong_data(void **state)
{
	struct pair pair;
	struct result row;

	(void)state;
	begin(&pair);
	for (int64_t bytes = 8; bytes <= 32; bytes *= 2) {
		row = gate_row("r-1", bytes, 5);
		row.wrong = bytes == 8 ? 3 : 0;
		gate_rows_put(&pair.base, &row);
		row.wrong = bytes == 16 ? 4 : 0;
		gate_rows_put(&pair.new, &row);
		row.run = "r-2";
		row.wrong = bytes == 16 ? 5 : RESULT_NONE;
		gate_rows_put(&pair.new, &row);
	}
	row.bytes = 64;
	row.wrong = 7;
	gate_rows_put(&pair.new, &row);
	row.from = 0;
	row.to = 1;
	row.load = RESULT_ALONE;
	row.wrong = 1;
	gate_rows_put(&pair.new, &row);
	build(&pair, false);
	assert_int_equal(pair.sheet.series->points[0].doubt, GATE_WRONG_BASE);
	assert_string_equal(pair.sheet.series->points[0].why, "wrong data");
	assert_int_equal(pair.sheet.series->points[1].doubt, GATE_CLEAR);
	assert_int_equal(pair.sheet.series->points[1].wrong_new, 9);
	assert_int_equal(pair.sheet.series->points[2].wrong_new, 0);
	assert_int_equal(pair.sheet.wrong_new, 9 + 7 + 1);
	only(&pair, GATE_NEW, "1 rows of pairs of ranks are not compared");
	end(&pair);
	begin(&pair);
	row = gate_row("r-1", 8, 5);
	gate_rows_put(&pair.base, &row);
	row.wrong = LONG_MAX;
	gate_rows_put(&pair.new, &row);
	row.run = "r-2";
	gate_rows_put(&pair.new, &row);
	build(&pair, false);
	assert_true(pair.sheet.wrong_new == LONG_MAX && pair.sheet.series->points[0].wrong_new == LONG_MAX);
	end(&pair);
}

/* A sweep of `meant` sizes from 8 bytes on of which `kept` were measured. */
static void sweep(struct gate_rows *side, const char *run, int kept, int meant)
{
	for (int i = 0; i < kept; i++) {
		struct result row = gate_row(run, 8 << i, 5 + i);

		row.point = i + 1;
		row.points = meant;
		gate_rows_put(side, &row);
	}
}

static void cut_launches_leave_points_open(void **state)
{
	struct pair pair;
	const struct gate_series *series;

	(void)state;
	begin(&pair);
	sweep(&pair.base, "r-1", 5, 5);
	sweep(&pair.base, "r-2", 5, 5);
	sweep(&pair.new, "r-1", 5, 5);
	sweep(&pair.new, "r-2", 2, 5);
	sweep(&pair.new, "r-3", 5, 5);
	build(&pair, false);
	assert_int_equal(pair.sheet.nseries, 2);
	series = pair.sheet.series;
	assert_int_equal(series[0].npoints, 2);
	assert_int_equal(series[0].launches[GATE_NEW], 3);
	assert_int_equal(series[0].points[1].doubt, GATE_CLEAR);
	assert_int_equal(series[1].npoints, 3);
	assert_int_equal(series[1].launches[GATE_BASE], 2);
	assert_int_equal(series[1].launches[GATE_NEW], 2);
	is_about(us(&series[1], GATE_NEW, 1, 2), 9);
	for (size_t p = 0; p < 3; p++)
		assert_int_equal(series[1].points[p].doubt, GATE_INCOMPLETE);
	assert_string_equal(series[1].points[0].why, "a launch was cut short before it");
	assert_int_equal(pair.sheet.launches[GATE_NEW], 3);
	assert_int_equal(pair.sheet.cut[GATE_NEW], 1);
	assert_int_equal(pair.sheet.cut[GATE_BASE], 0);
	differs(&pair, "NEW: 1 of 3 launches were cut short: sizes that they lack are undecided");
	end(&pair);
}

static void sweeps_of_other_sizes_are_whole(void **state)
{
	struct pair pair;

	(void)state;
	begin(&pair);
	sweep(&pair.base, "r-1", 5, 5);
	sweep(&pair.base, "r-2", 3, 3);
	sweep(&pair.new, "r-1", 5, 5);
	build(&pair, false);
	assert_int_equal(pair.sheet.nseries, 2);
	assert_int_equal(pair.sheet.series[0].launches[GATE_BASE], 2);
	assert_int_equal(pair.sheet.series[1].launches[GATE_BASE], 1);
	assert_int_equal(pair.sheet.series[1].points[0].doubt, GATE_CLEAR);
	assert_int_equal(pair.sheet.ndifferences, 0);
	end(&pair);
}

static void a_series_is_a_full_table(void **state)
{
	struct pair pair;

	(void)state;
	begin(&pair);
	gate_rows_add(&pair.base, "r-1", 8, 1);
	gate_rows_add(&pair.base, "r-1", 16, 2);
	gate_rows_add(&pair.base, "r-3", 16, 4);
	gate_rows_add(&pair.base, "r-2", 8, 3);
	/* The same run of another input is another launch. */
	gate_rows_file(&pair.base, "second");
	gate_rows_add(&pair.base, "r-2", 16, 5);
	gate_rows_add(&pair.new, "r-1", 8, 6);
	gate_rows_add(&pair.new, "r-1", 16, 7);
	build(&pair, false);
	assert_int_equal(pair.sheet.nseries, 2);
	assert_int_equal(pair.sheet.series[0].launches[GATE_BASE], 2);
	is_about(us(&pair.sheet.series[0], GATE_BASE, 0, 0), 1);
	is_about(us(&pair.sheet.series[0], GATE_BASE, 1, 0), 3);
	assert_int_equal(pair.sheet.series[1].launches[GATE_BASE], 3);
	is_about(us(&pair.sheet.series[1], GATE_BASE, 1, 0), 4);
	is_about(us(&pair.sheet.series[1], GATE_BASE, 2, 0), 5);
	assert_int_equal(pair.sheet.series[1].era[GATE_BASE][2], 1);
	end(&pair);
	/* As many launches, but others. */
	begin(&pair);
	gate_rows_add(&pair.base, "r-1", 8, 1);
	gate_rows_add(&pair.base, "r-1", 16, 2);
	gate_rows_add(&pair.base, "r-2", 8, 3);
	gate_rows_add(&pair.base, "r-3", 16, 4);
	gate_rows_add(&pair.new, "r-1", 8, 6);
	gate_rows_add(&pair.new, "r-1", 16, 7);
	build(&pair, false);
	assert_int_equal(pair.sheet.nseries, 2);
	is_about(us(&pair.sheet.series[0], GATE_BASE, 1, 0), 3);
	is_about(us(&pair.sheet.series[1], GATE_BASE, 1, 0), 4);
	end(&pair);
}

static void runs_belong_together_by_number(void **state)
{
	static const char *const a[] = { "s-A-1", "s-A-3", "s-A-10", "s-A-4" }, *const b[] = { "s-B-10", "s-B-2", "s-B-3",
											       "s-B-4" };
	struct pair pair;

	(void)state;
	begin(&pair);
	for (int i = 0; i < 4; i++) {
		gate_rows_add(&pair.base, a[i], 8, strtod(strrchr(a[i], '-') + 1, NULL));
		gate_rows_add(&pair.new, b[i], 8, 100 * strtod(strrchr(b[i], '-') + 1, NULL));
	}
	build(&pair, true);
	assert_true(pair.sheet.series->paired);
	assert_int_equal(pair.sheet.series->launches[GATE_BASE], 3);
	assert_int_equal(pair.sheet.series->launches[GATE_NEW], 3);
	for (size_t i = 0; i < 3; i++) {
		is_about(us(pair.sheet.series, GATE_BASE, i, 0), i == 0 ? 3 : i == 1 ? 4 : 10);
		is_about(us(pair.sheet.series, GATE_NEW, i, 0), i == 0 ? 300 : i == 1 ? 400 : 1000);
	}
	differs(&pair,
		"BASE: 1 launches of all_reduce, mpi, shm, 2 ranks, float sum have no partner on the other side and are left "
		"out");
	end(&pair);
}

static void runs_belong_together_by_order(void **state)
{
	static const char *const names[] = { "a", "b-1x", "c-", "d-1" };
	struct pair pair;

	(void)state;
	begin(&pair);
	for (int i = 0; i < 4; i++) {
		gate_rows_add(&pair.base, names[i], 8, 1 + i);
		gate_rows_add(&pair.new, names[3 - i], 8, 11 + i);
	}
	build(&pair, true);
	assert_true(pair.sheet.series->paired);
	is_about(us(pair.sheet.series, GATE_BASE, 3, 0), 4);
	is_about(us(pair.sheet.series, GATE_NEW, 3, 0), 14);
	assert_int_equal(pair.sheet.ndifferences, 0);
	end(&pair);
	/* Numbers that are not one each. */
	begin(&pair);
	for (int i = 0; i < 2; i++) {
		gate_rows_add(&pair.base, i ? "x-1" : "y-1", 8, 1 + i);
		gate_rows_add(&pair.new, i ? "v-1" : "w-1", 8, 11 + i);
	}
	build(&pair, true);
	assert_true(pair.sheet.series->paired);
	for (size_t i = 0; i < 2; i++)
		is_about(us(pair.sheet.series, GATE_NEW, i, 0), 11. + (double)i);
	end(&pair);
	/* Neither numbers nor as many. */
	begin(&pair);
	for (int i = 0; i < 4; i++)
		gate_rows_add(&pair.base, names[i], 8, 1 + i);
	gate_rows_add(&pair.new, "a", 8, 1);
	build(&pair, true);
	assert_false(pair.sheet.series->paired);
	assert_int_equal(pair.sheet.series->launches[GATE_BASE], 4);
	end(&pair);
}

/* A row of each side by other ways. */
static void take_ways(struct pair *pair, struct result *row)
{
	begin(pair);
	row->path = "nvlink";
	row->algo = "ring";
	gate_rows_put(&pair->base, row);
	row->path = "pcie";
	row->algo = "tree";
	gate_rows_put(&pair->new, row);
}

static void variants_may_take_other_ways(void **state)
{
	struct pair pair;
	struct result row = gate_row("r-1", 8, 5);

	(void)state;
	take_ways(&pair, &row);
	build(&pair, true);
	assert_int_equal(pair.sheet.nseries, 1);
	assert_string_equal(pair.sheet.series->points[0].row[GATE_NEW]->path, "pcie");
	assert_int_equal(pair.sheet.points_only[GATE_NEW], 0);
	assert_int_equal(pair.sheet.ndifferences, 2);
	differs(&pair, "path: nvlink in BASE, pcie in NEW");
	differs(&pair, "algorithm: ring in BASE, tree in NEW");
	end(&pair);
}

static void a_variant_of_several_ways_is_told_apart(void **state)
{
	struct pair pair;
	struct result row = gate_row("r-1", 8, 5);

	(void)state;
	take_ways(&pair, &row);
	row.path = "nvlink";
	row.algo = "ring";
	gate_rows_put(&pair.new, &row);
	build(&pair, true);
	assert_int_equal(pair.sheet.nseries, 1);
	assert_string_equal(pair.sheet.series->points[0].row[GATE_NEW]->path, "nvlink");
	assert_int_equal(pair.sheet.points_only[GATE_NEW], 1);
	assert_int_equal(pair.sheet.ndifferences, 0);
	end(&pair);
}

static double apart(const char *base_first, const char *base_last, const char *new_first, const char *new_last)
{
	const char *const times[] = { base_first, base_last, new_first, new_last };
	struct pair pair;
	double seconds;

	begin(&pair);
	for (size_t i = 0; i < 4; i++) {
		struct result row = gate_row(i % 2 ? "r-2" : "r-1", 8, 5);

		row.timestamp = times[i];
		gate_rows_put(i < 2 ? &pair.base : &pair.new, &row);
	}
	build(&pair, false);
	seconds = pair.sheet.apart;
	end(&pair);
	return seconds;
}

static void how_far_apart_runs_are(void **state)
{
	(void)state;
	is_about(apart("2026-02-28T23:59:59Z", "2026-02-28T23:59:50Z", "2026-03-01T00:00:01.5Z", "2026-03-02T00:00:00Z"), 2.5);
	is_about(apart("2024-03-01T00:00:00Z", "2024-03-01T00:00:00Z", "2024-02-28T00:00:00Z", "2024-02-28T12:00:00Z"),
		 1.5 * 86400);
	is_about(apart("1999-12-31T00:00:00Z", "", "2000-12-31T00:00:00.000Z", ""), 366. * 86400);
	is_about(apart("1970-01-01T00:00:00Z", "", "2026-07-27T12:34:56.789Z", ""), 1785155696.789);
	assert_true(apart("2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-05T00:00:00Z") == 0);
	assert_true(isnan(apart("2026-01-01T00:00:00Z", "", "", "")));
	assert_true(isnan(apart("2026-01-01T00:00:00Z", "", "2026-13-01T00:00:00Z", "2026-01-01 00:00:00Z")));
	assert_true(isnan(apart("2026-01-01T00:00:00Z", "", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00")));
}

static void what_is_too_much(void **state)
{
	enum { LAUNCHES = GATE_MOST_LAUNCHES + 10, POINTS = GATE_MOST_POINTS + 5 };
	struct pair pair;
	char run[32];

	(void)state;
	begin(&pair);
	for (int i = 0; i < LAUNCHES; i++) {
		snprintf(run, sizeof run, "r%d", i);
		gate_rows_add(&pair.base, run, 8, 1 + i);
	}
	gate_rows_add(&pair.new, "r", 8, 1);
	for (int i = 1; i < POINTS; i++) {
		struct result row = gate_row("r", 8 * i, 3);

		row.type = "half";
		gate_rows_put(&pair.base, &row);
		gate_rows_put(&pair.new, &row);
	}
	build(&pair, false);
	assert_int_equal(pair.sheet.nseries, 3);
	assert_int_equal(pair.sheet.series[0].launches[GATE_BASE], GATE_MOST_LAUNCHES);
	is_about(us(&pair.sheet.series[0], GATE_BASE, 0, 0), 11);
	differs(&pair, "BASE: 10 launches of all_reduce, mpi, shm, 2 ranks, float sum are too many: the newest count");
	assert_int_equal(pair.sheet.series[1].npoints, GATE_MOST_POINTS);
	assert_int_equal(pair.sheet.series[2].npoints, 4);
	assert_true(pair.sheet.series[2].points[3].bytes == 8. * (POINTS - 1));
	end(&pair);
}

static void words_of_a_key(void **state)
{
	struct result row = gate_row("r", 8, 1);
	char words[128], small[16];

	(void)state;
	assert_string_equal(gate_key_words(&row, words, sizeof words), "all_reduce, mpi, shm, 2 ranks, float sum");
	row.path = "a\nb";
	row.group = "g";
	row.nranks = 1;
	row.nnodes = 3;
	row.root = 2;
	row.redop = "";
	assert_string_equal(gate_key_words(&row, words, sizeof words),
			    "all_reduce, mpi, a\\x0ab, group g, 1 rank, 3 nodes, float, root 2");
	assert_string_equal(gate_key_words(&row, small, sizeof small), "all_reduce, mpi");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_where_they_belong),
		cmocka_unit_test(placements_come_one_after_the_other),
		cmocka_unit_test(launches_are_in_the_order_of_time),
		cmocka_unit_test(what_a_point_is_told_apart_by),
		cmocka_unit_test(copies_count_once_and_cycles_become_one),
		cmocka_unit_test(a_file_without_runs_is_a_launch),
		cmocka_unit_test(flags_that_make_points_undecided),
		cmocka_unit_test(wrong_data),
		cmocka_unit_test(cut_launches_leave_points_open),
		cmocka_unit_test(sweeps_of_other_sizes_are_whole),
		cmocka_unit_test(a_series_is_a_full_table),
		cmocka_unit_test(runs_belong_together_by_number),
		cmocka_unit_test(runs_belong_together_by_order),
		cmocka_unit_test(variants_may_take_other_ways),
		cmocka_unit_test(a_variant_of_several_ways_is_told_apart),
		cmocka_unit_test(how_far_apart_runs_are),
		cmocka_unit_test(what_is_too_much),
		cmocka_unit_test(words_of_a_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
