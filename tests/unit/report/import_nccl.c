/* SPDX-License-Identifier: Apache-2.0
 *
 * nccl-tests' table in its versions: columns as the header has them, ranks as the log lists them, and what is not said is not guessed.
 */
#include "import_log.h"

#define NTHREAD                                                                                                            \
	"# nThread 1 nGpus 4 minBytes 8 maxBytes 64 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 " \
	"graph: 0\n"
#define RANK(n) "#  Rank  " #n " Group  0 Pid  100" #n " on node1 device  " #n " [0x0" #n "] GPU\n"
#define DEVICES "# Using devices\n" RANK(0) RANK(1) RANK(2) RANK(3)
#define SETS "#    out-of-place     in-place\n"
#define HEAD                                                                                                                  \
	SETS "#  size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n#  (B) (elements)  (us) (GB/s) " \
	     "(GB/s)\n"
#define STARTING(name) "# Collective test starting: " name "_perf\n"
#define CONCLUDED(name) "#\n# Collective test concluded: " name "_perf\n"
#define OK "# Out of bounds values : 0 OK\n# Avg bus bandwidth : 1\n"
/* 1 MB of floats in 1 ms: 1 GB/s, at 4 ranks 1.5 on the bus. */
#define ROW " 1000000 250000 float sum -1 1000 1.00 1.50 0 500 2.00 3.00 0\n"
#define FRONT STARTING("all_reduce") NTHREAD DEVICES HEAD

static const struct import_options none = { 0 };
static const struct import_options eight = { .nranks = 8 };

static struct log nccl_read(const char *text)
{
	return log_read(&import_nccl_text, text, none);
}

/* One line was left out, no row was read. */
static void leaves_out(const char *text, size_t line, const char *why)
{
	struct log log = nccl_read(text);

	assert_int_equal(log.rc, 0);
	has_skip(&log, 0, line, why);
	assert_int_equal(rows_count(log.rows), 0);
	log_free(&log);
}

static void the_oldest_layout(void **state)
{
	struct log log = log_file(&import_nccl_text, "nccl_allreduce.log", eight);
	const struct result *row;

	(void)state;
	assert_int_equal(log.rc, 0);
	assert_int_equal(rows_count(log.rows), 64);
	assert_int_equal(log.sink.skipped, 2);
	has_skip(&log, 0, 17, "size 0: nothing was moved");
	assert_int_equal(log.sink.shown[0].last, 18);
	assert_int_equal(log.sink.disagree, 0);
	has_note(&log, 0, "the log names no collective; columns, sizes, counts and rates are those of all_reduce alone");
	row = has_row(&log, 62, "all_reduce", 8, 8589934592, 63896);
	has_rates(row, 134.44, 235.26);
	assert_string_equal(row->placement, RESULT_OUT_OF_PLACE);
	assert_string_equal(row->redop, "sum");
	assert_int_equal(row->count, 2147483648);
	assert_int_equal(row->iters, 20);
	assert_int_equal(row->nnodes, 1);
	assert_true(row->root == RESULT_NONE && row->wrong == RESULT_NONE);
	assert_true(result_has_flag(row, RESULT_FLAG_UNCHECKED));
	row = has_row(&log, 63, "all_reduce", 8, 8589934592, 63959);
	has_rates(row, 134.30, 235.03);
	assert_string_equal(row->placement, RESULT_IN_PLACE);
	log_free(&log);
}

static void a_blank_operation_shifts_nothing(void **state)
{
	struct log log = log_file(&import_nccl_text, "nccl_alltoall.log", (struct import_options){ .collective = "alltoall" });
	const struct result *row = has_row(&log, 56, "alltoall", 8, 8589934592, 33508);

	(void)state;
	assert_int_equal(rows_count(log.rows), 58);
	assert_int_equal(log.sink.skipped, 5);
	has_rates(row, 256.36, 224.31);
	assert_string_equal(row->redop, "");
	assert_int_equal(log.sink.disagree, 0);
	log_free(&log);
	log = log_file(&import_nccl_text, "nccl_allgather.log", (struct import_options){ .collective = "all_gather" });
	assert_int_equal(rows_count(log.rows), 58);
	assert_int_equal(log.sink.disagree, 0);
	log_free(&log);
}

static void the_newest_layout(void **state)
{
	struct log log = log_file(&import_nccl_text, "nccl_modern.log", none);
	const struct result *row = has_row(&log, 8, "all_reduce", 4, 262144, 64);

	(void)state;
	assert_int_equal(rows_count(log.rows), 14);
	assert_int_equal(log.sink.skipped + log.sink.disagree, 0);
	has_rates(row, 4.10, 6.14);
	assert_int_equal(row->nnodes, 2);
	assert_int_equal(row->iters, 40);
	assert_int_equal(row->wrong, 0);
	assert_string_equal(row->library, "NCCL 2.28.9");
	assert_string_equal(row->backend, "nccl");
	assert_string_equal(row->timing, "loop");
	assert_false(result_has_flag(row, RESULT_FLAG_UNCHECKED));
	assert_true(result_has_flag(rows_get(log.rows, 9), RESULT_FLAG_UNCHECKED));
	log_free(&log);
}

static void what_the_log_does_not_say_is_asked_for(void **state)
{
	struct log log;

	(void)state;
	leaves_out(STARTING("all_reduce") HEAD ROW OK, 5, "the log does not say how many ranks there were: say it with --nranks");
	leaves_out(DEVICES HEAD " 1000000 62500 float none -1 1000 1.00 0.75 0 500 2.00 1.50 0\n" OK, 9,
		   "the log does not name the collective, it may be all_gather, alltoall: say it with --collective");
	leaves_out(DEVICES HEAD " 1000000 62500 float none 2 1000 1.00 0.75 0 500 2.00 1.50 0\n" OK, 9,
		   "the log does not name the collective, it may be scatter, gather: say it with --collective");
	leaves_out(DEVICES HEAD " 2000 500 float sum -1 1000 0.00 0.00 0 700 0.00 0.00 0\n" OK, 9,
		   "the log does not name the collective, it may be all_reduce, sendrecv: say it with --collective");
	leaves_out(STARTING("all_reduce") "#   size count type redop root time algbw busbw #wrong\n" ROW OK, 3,
		   "its columns are not those of the header");
	leaves_out(STARTING("all_reduce") DEVICES "# size count type time algbw busbw #wrong\n 4000 1000 float 4 1.0 1.5 0\n" OK,
		   8, "its header does not say whether it is out of place or in place");
	leaves_out(ROW, 1, "no header above it says what its columns are");
	log = log_read(&import_nccl_text, STARTING("all_reduce") HEAD ROW OK,
		       (struct import_options){ .nranks = 4, .nnodes = 2 });
	assert_int_equal(has_row(&log, 1, "all_reduce", 4, 1000000, 500)->nnodes, 2);
	log_free(&log);
	/* What it says is not overruled. */
	log = log_read(&import_nccl_text, FRONT ROW OK, (struct import_options){ .nranks = 8, .collective = "reduce" });
	has_row(&log, 0, "all_reduce", 4, 1000000, 1000);
	has_note(&log, 0, "the log says all_reduce: --collective is for logs that do not say");
	has_note(&log, 1, "the log says 4 ranks: --nranks is for logs that do not say");
	log_free(&log);
}

static void one_that_fits_alone_is_no_guess(void **state)
{
	static const struct {
		const char *row, *name;
	} cases[] = {
		{ ROW, "all_reduce" },
		{ " 1000000 62500 float sum -1 1000 1.00 0.75 0 500 2.00 1.50 0\n", "reduce_scatter" },
		{ " 1000000 250000 float sum 3 1000 1.00 1.00 0 500 2.00 2.00 0\n", "reduce" },
		{ " 1000000 250000 float 3 1000 1.00 1.00 0 500 2.00 2.00 0\n", "broadcast" },
		{ " 1000000 250000 float sum -1 1000 1.00 1.00 0 500 2.00 2.00 N/A\n", "sendrecv" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[2000];
		struct log log;

		snprintf(text, sizeof(text), DEVICES HEAD "%s" OK, cases[i].row);
		log = nccl_read(text);
		has_row(&log, 0, cases[i].name, 4, 1000000, 1000);
		log_free(&log);
	}
}

static void ranks_are_counted_not_lines(void **state)
{
	static const char again[] = "# Using devices\n#   Rank  0 Pid  7 on node1 device  0 [0x00] GPU\n#   Rank  1 Pid  7 on "
				    "other device  1 [0x00] GPU\n";
	char text[4000];
	struct log log;

	(void)state;
	/* All processes print the list, or each its own rank. */
	log = nccl_read(STARTING("all_reduce") DEVICES DEVICES HEAD ROW OK);
	has_row(&log, 0, "all_reduce", 4, 1000000, 1000);
	log_free(&log);
	log = nccl_read(STARTING("all_reduce") "# Using devices\n" RANK(2) "# Using devices\n" RANK(0) "# Using devices\n" RANK(3)
				RANK(1) HEAD ROW OK);
	has_row(&log, 0, "all_reduce", 4, 1000000, 1000);
	log_free(&log);
	/* A start that failed, then one of two ranks. */
	snprintf(text, sizeof(text), "%s%s" HEAD " 1000000 250000 float sum -1 1000 1.00 1.00 0 500 2.00 2.00 0\n" OK,
		 STARTING("all_reduce") DEVICES, again);
	log = nccl_read(text);
	has_row(&log, 0, "all_reduce", 2, 1000000, 1000);
	assert_int_equal(log.sink.disagree, 0);
	log_free(&log);
	/* A lost line: the number is not known. */
	leaves_out(STARTING("all_reduce") "# Using devices\n" RANK(0) RANK(1) RANK(3) HEAD ROW OK, 9,
		   "the log does not say how many ranks there were: say it with --nranks");
	leaves_out(STARTING("all_reduce") NTHREAD "# Using devices\n" RANK(0) RANK(1) RANK(2) HEAD ROW OK, 10,
		   "the log does not say how many ranks there were: say it with --nranks");
}

static void groups_have_ranks_of_their_own(void **state)
{
	struct log log = nccl_read(STARTING(
		"all_reduce") "#  Rank  0 Group  0 Pid  1 on a device  0 x\n#  Rank  1 Group  1 Pid  1 on a device  1 x\n"
			      "#  Rank  2 Group  0 Pid  1 on b device  0 x\n#  Rank  3 Group  1 Pid  1 on b device  1 x\n"
			      "#  Rank  4 Group  1 Pid  1 on b device  2 x\n" SETS
			      "#  size count type redop root time algbw busbw #wrong time algbw busbw #wrong group timestamp\n"
			      " 4000 1000 float sum -1 4 1.0 1.0 0 N/A N/A N/A N/A 0 2025-06-07T08:09:10.123Z\n"
			      " 4000 1000 float sum -1 4 1.0 1.3333 0 4 1.0 1.33 0 1 2025-06-07T08:09:10.123Z\n" OK);

	(void)state;
	assert_int_equal(rows_count(log.rows), 3);
	assert_int_equal(log.sink.skipped + log.sink.disagree, 0);
	assert_int_equal(has_row(&log, 0, "all_reduce", 2, 4000, 4)->nnodes, 2);
	assert_string_equal(rows_get(log.rows, 0)->group, "0");
	assert_string_equal(rows_get(log.rows, 0)->timestamp, "2025-06-07T08:09:10.123Z");
	has_row(&log, 1, "all_reduce", 3, 4000, 4);
	assert_string_equal(rows_get(log.rows, 2)->placement, RESULT_IN_PLACE);
	log_free(&log);
}

static void several_tables_in_one_log(void **state)
{
	struct log log = nccl_read(STARTING("all_reduce") NTHREAD DEVICES HEAD ROW OK CONCLUDED(
		"all_reduce") "some chatter\n" NTHREAD DEVICES HEAD
			      " 1000000 62500 float none -1 1000 1.00 0.75 0 500 2.00 1.50 0\n" OK CONCLUDED("all_gather") NTHREAD
				   "# Using devices\n#   Rank  0 Pid  7 on x device  0 [0x00] GPU\n" HEAD ROW);

	(void)state;
	has_row(&log, 0, "all_reduce", 4, 1000000, 1000);
	has_row(&log, 2, "all_gather", 4, 1000000, 1000);
	assert_int_equal(rows_count(log.rows), 4);
	/* One rank of four is no list of ranks. */
	has_skip(&log, 0, 37, "the log does not name the collective: say it with --collective");
	log_free(&log);
	/* Of the second table the first lines were lost. */
	log = nccl_read(FRONT ROW OK CONCLUDED("all_reduce") HEAD
			" 1000000 62500 float none -1 1000 1.00 0.75 0 500 2.00 1.50 0\n" OK CONCLUDED("all_gather"));
	has_row(&log, 0, "all_reduce", 4, 1000000, 1000);
	has_row(&log, 2, "all_gather", 4, 1000000, 1000);
	log_free(&log);
	/* Cycles of -N: all rows stay. */
	log = nccl_read(FRONT ROW ROW HEAD ROW OK);
	assert_int_equal(rows_count(log.rows), 6);
	assert_int_equal(log.sink.repeats, 4);
	assert_int_equal(log.sink.first_line, 12);
	log_free(&log);
	leaves_out(FRONT ROW OK CONCLUDED("reduce"), 11, "two programs' tables in one: all_reduce and reduce");
}

static void figures_beside_the_time(void **state)
{
	struct log log = nccl_read(
		STARTING("all_reduce") DEVICES SETS
		"# size count type redop root time algbw busbw #wrong i_min i_max i_p99 i_cv% time algbw busbw #wrong i_min "
		"i_max i_p99 i_cv%\n"
		" 1000000 250000 float sum -1 1000 1.00 1.50 0 900.5 1300 1290 2.5 500 2.00 3.00 0 450 550 549 1.00\n" OK);
	const struct result *row = has_row(&log, 0, "all_reduce", 4, 1000000, 1000);

	(void)state;
	same_real(row->time_min, 900.5e-6);
	same_real(row->time_max, 1300e-6);
	same_real(row->time_p99, 1290e-6);
	assert_true(isnan(row->time_stddev));
	same_real(rows_get(log.rows, 1)->time_max, 550e-6);
	log_free(&log);
	/* -C: the times are of queueing. */
	log = nccl_read(STARTING("all_reduce") DEVICES SETS
			"# size count type redop root cputime algbw busbw #wrong cputime algbw busbw #wrong\n"
			" 1000000 250000 float sum -1 7.50 1.00 1.50 0 8.50 2.00 3.00 0\n"
			" 10000 2500 float sum -1 7.50 0.01 0.02 0 8.50 0.02 0.03 0\n" OK);
	row = has_row(&log, 0, "all_reduce", 4, 1000000, 1000);
	same_real(row->enqueue, 7.5e-6);
	assert_int_equal(rows_count(log.rows), 2);
	has_skip(&log, 0, 10, "of -C: the rates have too few digits for a time");
	has_note(&log, 0, "-C: times are computed from the rates, the log's own are those of queueing a call");
	log_free(&log);
}

static void wrong_data_are_told(void **state)
{
	struct log log = nccl_read(
		FRONT " 1000000 250000 float sum -1 1000 1.00 1.50 0 500 2.00 3.00 1.5e+06\n# Out of bounds values : 1 FAILED\n");

	(void)state;
	assert_int_equal(rows_get(log.rows, 1)->wrong, 1500000);
	assert_true(sink_is_bad(&log.sink));
	log_free(&log);
	log = nccl_read(FRONT "# Out of bounds values : 3 FAILED\n");
	assert_true(sink_is_bad(&log.sink));
	log_free(&log);
	log = nccl_read(FRONT ROW OK);
	assert_false(sink_is_bad(&log.sink));
	log_free(&log);
	leaves_out(FRONT " 1000000 250000 float sum -1 1000 1.00 1.50 nan 500 2.00 3.00 0\n", 11, "its #wrong is no number");
}

/* A deviation is wrong data only where the program says so. */
static void old_errors_are_deviations(void **state)
{
#define OLD STARTING("all_reduce") DEVICES SETS "# size count type redop time algbw busbw error time algbw busbw error\n"
#define DEVIATING " 1000000 250000 float sum 1000 1.00 1.50 0e+00 500 2.00 3.00 5e-07\n"
	struct log log = nccl_read(OLD DEVIATING OK);

	(void)state;
	assert_int_equal(rows_get(log.rows, 0)->wrong, 0);
	assert_int_equal(rows_get(log.rows, 1)->wrong, 0);
	log_free(&log);
	log = nccl_read(OLD DEVIATING "# Out of bounds values : 1 FAILED\n");
	assert_int_equal(rows_get(log.rows, 0)->wrong, 0);
	assert_true(rows_get(log.rows, 1)->wrong == RESULT_NONE);
	assert_true(sink_is_bad(&log.sink));
	log_free(&log);
	log = nccl_read(OLD DEVIATING);
	assert_true(rows_get(log.rows, 1)->wrong == RESULT_NONE);
	has_note(&log, 0, "the table of line 8 has no footer: incomplete, rows may be missing");
	log_free(&log);
}

static void single_ranks_have_no_busbw(void **state)
{
	struct log log = log_file(&import_nccl_text, "nccl_singletons.log", none);
	const struct result *row = has_row(&log, 1, "all_reduce", 1, 134217728, 0.51);

	(void)state;
	assert_int_equal(rows_count(log.rows), 8);
	assert_int_equal(log.sink.repeats, 4);
	same_real(row->algbw, 263017.30e9);
	assert_true(isnan(row->busbw));
	assert_int_equal(log.sink.disagree, 0);
	assert_int_equal(log.sink.nnotes, 0);
	log_free(&log);
	/* Said to be a job of 16, they do not agree with it. */
	log = nccl_read(STARTING("all_reduce") HEAD
			" 134217728 33554432 float sum -1 631.9 212.41 0.00 0 0.51 263017.30 0.00 0\n" OK);
	log_free(&log);
	log = log_read(&import_nccl_text,
		       STARTING("all_reduce") HEAD
		       " 134217728 33554432 float sum -1 631.9 212.41 0.00 0 0.51 263017.30 0.00 0\n" OK,
		       (struct import_options){ .nranks = 16 });
	assert_int_equal(log.sink.disagree, 2);
	assert_true(rows_get(log.rows, 0)->busbw == 0);
	log_free(&log);
}

static void rows_of_other_tables_are_left_out(void **state)
{
	struct log log;

	(void)state;
	leaves_out(FRONT " 1000004 250000 float sum -1 1000 1.00 1.50 0 500 2.00 3.00 0\n" OK, 11,
		   "size and count are not those of all_reduce");
	/* A block each: that of alltoall on four. */
	leaves_out(FRONT " 1000000 62500 float none -1 1000 1.00 0.75 0 500 2.00 1.50 N/A\n" OK, 11,
		   "size and count are not those of all_reduce");
	leaves_out(STARTING("alltoall") NTHREAD DEVICES HEAD ROW OK, 11, "size and count are not those of alltoall on 4 ranks");
	leaves_out(STARTING("alltoall") NTHREAD DEVICES HEAD
		   " 1000000 62500 float sum -1 1000 1.00 0.75 0 500 2.00 1.50 N/A\n" OK,
		   11, "alltoall has no operation, the row has one");
	leaves_out(FRONT " 1000000 250000 float none 0 1000 1.00 1.50 0 500 2.00 3.00 0\n" OK, 11,
		   "all_reduce has an operation, the row has none");
	log = nccl_read(FRONT " 1000004 250000 float4 sum -1 1000 1.00 1.50 0 500 2.00 3.00 0\n" OK);
	assert_int_equal(rows_count(log.rows), 2);
	has_note(&log, 0, "line 11: the size of type 'float4' is not known: sizes and counts of its rows are not compared");
	log_free(&log);
}

static void our_own_table(void **state)
{
	struct log log = nccl_read("# collperf version 0.1.0 headers=MPI 4.0 library=MPICH 4.0.2\n" FRONT
				   " 1000000 250000 float sum -1 N/A N/A N/A N/A 500 2.00 3.00 0\n" OK);
	const struct result *row = has_row(&log, 0, "all_reduce", 4, 1000000, 500);

	(void)state;
	assert_int_equal(rows_count(log.rows), 1);
	assert_string_equal(row->placement, RESULT_IN_PLACE);
	assert_string_equal(row->backend, "mpi");
	assert_string_equal(row->library, "MPICH 4.0.2");
	log_free(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_oldest_layout),
		cmocka_unit_test(a_blank_operation_shifts_nothing),
		cmocka_unit_test(the_newest_layout),
		cmocka_unit_test(what_the_log_does_not_say_is_asked_for),
		cmocka_unit_test(one_that_fits_alone_is_no_guess),
		cmocka_unit_test(ranks_are_counted_not_lines),
		cmocka_unit_test(groups_have_ranks_of_their_own),
		cmocka_unit_test(several_tables_in_one_log),
		cmocka_unit_test(figures_beside_the_time),
		cmocka_unit_test(wrong_data_are_told),
		cmocka_unit_test(old_errors_are_deviations),
		cmocka_unit_test(single_ranks_have_no_busbw),
		cmocka_unit_test(rows_of_other_tables_are_left_out),
		cmocka_unit_test(our_own_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
