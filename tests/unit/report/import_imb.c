/* SPDX-License-Identifier: Apache-2.0
 *
 * Logs of the Intel MPI Benchmarks: what #bytes counts in each benchmark and version, several tables and numbers of processes in one log.
 */
#include "import_log.h"

#define TABLE(name, processes) \
	"# Benchmarking " name "\n# #processes = " processes "\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"

static const struct import_options none = { 0 };

static void every_benchmark_has_its_size(void **state)
{
	static const struct {
		const char *collective;
		int64_t nranks, bytes;
		double time;
	} rows[] = {
		{ "sendrecv", 2, 1000, 2 },    { "sendrecv", 4, 1000, 4 },        { "all_reduce", 2, 4000, 8 },
		{ "all_reduce", 4, 4000, 10 }, { "reduce_scatter", 4, 4000, 10 }, { "reduce_scatter", 4, 4000, 10 },
		{ "all_gather", 4, 4000, 10 }, { "alltoall", 4, 4000, 10 },       { "gather", 4, 4000, 10 },
		{ "scatter", 4, 4000, 10 },    { "reduce", 4, 1000, 10 },         { "broadcast", 4, 1000, 10 },
	};
	struct log log = log_file(&import_imb, "imb_2021.log", none);

	(void)state;
	assert_int_equal(log.rc, 0);
	assert_int_equal(rows_count(log.rows), 12);
	for (size_t i = 0; i < 12; i++)
		has_row(&log, i, rows[i].collective, rows[i].nranks, rows[i].bytes, rows[i].time);
	/* 4000 B in 10 us, three quarters of them over the bus. */
	has_rates(rows_get(log.rows, 7), 0.4, 0.3);
	assert_int_equal(log.sink.skipped, 5);
	has_skip(&log, 0, 31, "size 0: nothing was moved");
	has_skip(&log, 1, 46, "the benchmark 'Exchange' does not time a call that is known here");
	assert_int_equal(log.sink.shown[2].line, 54);
	assert_int_equal(log.sink.shown[3].line, 63);
	assert_non_null(strstr(log.sink.shown[3].why, "out-of-mem."));
	has_skip(&log, 4, 126, "the benchmark 'Barrier' does not time a call that is known here");
	has_note(&log, 0, "PingPong: a time is half of a round trip, not the ring of sendrecv_perf");
	assert_int_equal(log.sink.nnotes, 1);
	log_free(&log);
}

static void a_row_has_all_that_its_line_says(void **state)
{
	struct log log = log_file(&import_imb, "imb_2021.log", none);
	const struct result *row = has_row(&log, 2, "all_reduce", 2, 4000, 8);

	(void)state;
	same_real(row->rank_time_min, 1e-6);
	same_real(row->rank_time_avg, 5e-6);
	same_real(row->rank_time_max, 8e-6);
	assert_int_equal(row->iters, 1000);
	assert_string_equal(row->type, "float");
	assert_string_equal(row->redop, "sum");
	assert_string_equal(row->backend, "mpi");
	assert_true(row->wrong == RESULT_NONE && row->root == RESULT_NONE);
	assert_true(result_has_flag(row, RESULT_FLAG_UNCHECKED));
	assert_string_equal(rows_get(log.rows, 0)->algo, "ping-pong");
	assert_string_equal(rows_get(log.rows, 1)->algo, "");
	assert_string_equal(rows_get(log.rows, 1)->type, "uint8");
	assert_true(isnan(rows_get(log.rows, 0)->rank_time_max));
	log_free(&log);
}

static void reduce_scatter_by_version(void **state)
{
	static const struct {
		const char *title;
		int64_t bytes;
	} cases[] = {
		{ "#    Intel(R) MPI Benchmarks 2018 Update 1, MPI-1 part\n", 1000 },
		{ "#    Intel (R) MPI Benchmark Suite V3.2, MPI-1 part\n", 1000 },
		{ "#    Intel(R) MPI Benchmarks 2019 Update 6, MPI-1 part\n", 4000 },
		{ "#    Intel(R) MPI Benchmarks 2021.2, MPI-1 part\n", 4000 },
	};
	struct log log;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char text[512];

		snprintf(text, sizeof text, "%s" TABLE("Reduce_scatter", "4") "1000 10 1.00 2.00 1.50\n", cases[i].title);
		log = log_read(&import_imb, text, none);
		assert_int_equal(rows_count(log.rows), 1);
		has_row(&log, 0, "reduce_scatter", 4, cases[i].bytes, 2);
		log_free(&log);
	}
	log = log_read(&import_imb, TABLE("Reduce_scatter", "4") "1000 10 1.00 2.00 1.50\n", none);
	assert_int_equal(rows_count(log.rows), 0);
	assert_non_null(strstr(log.sink.shown[0].why, "depends on the version"));
	log_free(&log);
}

static void what_was_not_said_is_not_guessed(void **state)
{
	struct log log = log_read(
		&import_imb,
		"1000 10 1.00 2.00 1.50\n" TABLE(
			"Allreduce",
			"4") "# Benchmarking Allreduce\n#bytes #repetitions t_max[usec]\n8 10 2.00\n"
			     "# Benchmarking Multi-Allreduce\n# ( 2 groups of 2 processes each running simultaneous )\n"
			     "Group #bytes #repetitions t_max[usec]\n0 8 10 2.00\n" TABLE(
				     "Bcast",
				     "4") "# Benchmarking Bcast\n8 10 1 2 3\n" TABLE("PingPong",
										     "4") "8 10 1 2 3\n"
											  "# Benchmarking PingPong\n# #processes "
											  "= 2\n#bytes #repetitions t[usec] "
											  "Mbytes/sec Msg/sec\n1 10 24.50 0.08 "
											  "81627\n",
		(struct import_options){ .nranks = 4 });

	(void)state;
	assert_int_equal(rows_count(log.rows), 0);
	has_skip(&log, 0, 1, "no benchmark's name above this row");
	has_skip(&log, 1, 7, "no number of processes above this row");
	has_skip(&log, 2, 11, "the benchmark 'Multi-Allreduce' does not time a call that is known here");
	has_skip(&log, 3, 16, "no header that is known above this row");
	has_skip(&log, 4, 20, "a ping-pong of several pairs at once");
	has_skip(&log, 5, 24, "no header that is known above this row");
	log_free(&log);
}

static void prefixes_noise_and_checks(void **state)
{
	struct log log = log_read(&import_imb,
				  "0: # Benchmarking Allreduce \r\n0: # #processes = 3; rank order (rowwise): \r\n"
				  "0:        #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      defects\r\n"
				  "0:            12         1000         0.50         1.00         0.75         0.00\r\n"
				  "lost in between\r\n"
				  "0:            24         1000         0.50         1.00         0.75         1.00\r\n"
				  "0:            48         1000         0.50         -1.00         0.75         1.00\r\n",
				  (struct import_options){ .nranks = 5 });

	(void)state;
	assert_int_equal(rows_count(log.rows), 2);
	assert_int_equal(has_row(&log, 0, "all_reduce", 3, 12, 1)->wrong, 0);
	assert_false(result_has_flag(rows_get(log.rows, 0), RESULT_FLAG_UNCHECKED));
	assert_int_equal(has_row(&log, 1, "all_reduce", 3, 24, 1)->wrong, 1);
	assert_true(sink_is_bad(&log.sink));
	has_skip(&log, 0, 5, "no row of a table: 'lost in between'");
	has_skip(&log, 1, 7, "'-1.00' is not what its column has");
	has_note(&log, 0, "the log says how many processes ran; --nranks is not used");
	log_free(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_benchmark_has_its_size), cmocka_unit_test(a_row_has_all_that_its_line_says),
		cmocka_unit_test(reduce_scatter_by_version),    cmocka_unit_test(what_was_not_said_is_not_guessed),
		cmocka_unit_test(prefixes_noise_and_checks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
