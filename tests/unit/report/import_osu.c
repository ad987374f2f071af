/* SPDX-License-Identifier: Apache-2.0
 *
 * Logs of the OSU micro-benchmarks: what Size counts in each test, which time is a row's, and lines that are no rows.
 */
#include "import_log.h"

static const struct import_options four = { .nranks = 4 };

static void sizes_are_of_the_call_as_a_whole(void **state)
{
	struct log log = log_file(&import_osu, "osu_collectives.log", four);

	(void)state;
	assert_int_equal(log.rc, 0);
	assert_int_equal(rows_count(log.rows), 9);
	has_row(&log, 0, "all_reduce", 4, 4, 2);
	has_row(&log, 1, "all_reduce", 4, 1048576, 419.43);
	has_row(&log, 2, "all_gather", 4, 4096, 10);
	has_row(&log, 3, "alltoall", 4, 4096, 10.24);
	has_row(&log, 4, "broadcast", 4, 65536, 8);
	has_row(&log, 5, "reduce", 4, 4096, 4);
	has_row(&log, 6, "reduce_scatter", 4, 4096, 4);
	has_row(&log, 7, "gather", 4, 1024, 2);
	has_row(&log, 8, "scatter", 4, 1024, 4);
	/* 4096 B in 10.24 us are 0.4 GB/s, three quarters of which cross the bus. */
	has_rates(rows_get(log.rows, 3), 0.4, 0.3);
	assert_int_equal(log.sink.skipped, 2);
	has_skip(&log, 0, 1, "no row of a table: '$ srun -n 4 osu_allreduce -f'");
	has_skip(&log, 1, 46, "OSU's \"Non-blocking Allreduce Latency\" test does not time a call that is known here");
	assert_int_equal(log.sink.nnotes, 0);
	log_free(&log);
}

static void the_slowest_rank_is_the_headline(void **state)
{
	struct log log = log_file(&import_osu, "osu_collectives.log", four);
	const struct result *row = has_row(&log, 0, "all_reduce", 4, 4, 2);

	(void)state;
	same_real(row->rank_time_min, 1.25e-6);
	same_real(row->rank_time_avg, 1.5e-6);
	same_real(row->rank_time_max, 2e-6);
	assert_int_equal(row->iters, 1000);
	assert_int_equal(row->nnodes, 1);
	assert_string_equal(row->type, "float");
	assert_string_equal(row->redop, "sum");
	assert_string_equal(row->backend, "mpi");
	assert_string_equal(row->timing, "sync");
	assert_string_equal(row->sync, "barrier");
	assert_string_equal(row->placement, RESULT_OUT_OF_PLACE);
	assert_string_equal(row->algo, "");
	assert_true(row->wrong == RESULT_NONE && row->root == RESULT_NONE);
	assert_true(result_has_flag(row, RESULT_FLAG_UNCHECKED));
	assert_string_equal(rows_get(log.rows, 2)->type, "int8");
	assert_string_equal(rows_get(log.rows, 2)->redop, "");
	log_free(&log);
}

static void a_ping_pong_is_between_two(void **state)
{
	struct log log = log_file(&import_osu, "osu_pair.log", four);
	const struct result *row = has_row(&log, 1, "sendrecv", 2, 1000000, 100);

	(void)state;
	assert_int_equal(rows_count(log.rows), 2);
	has_row(&log, 0, "sendrecv", 2, 8, 2);
	has_rates(row, 10, 10);
	assert_string_equal(row->algo, "ping-pong");
	assert_string_equal(row->timing, "loop");
	assert_string_equal(row->sync, "");
	assert_true(isnan(row->rank_time_avg) && isnan(row->rank_time_max));
	assert_int_equal(log.sink.skipped, 4);
	has_skip(&log, 0, 4, "size 0: nothing was moved");
	has_skip(&log, 1, 9, "OSU's \"Bandwidth\" test does not time a call that is known here");
	has_skip(&log, 2, 13, "OSU's \"Bi-Directional Bandwidth\" test does not time a call that is known here");
	assert_int_equal(log.sink.nnotes, 1);
	has_note(&log, 0, "ping-pong between two ranks: a time is half of a round trip, not the ring of sendrecv_perf");
	log_free(&log);
}

static void without_the_slowest_the_average_stands_and_is_noted(void **state)
{
	struct log log = log_read(
		&import_osu,
		"# OSU MPI Broadcast Latency Test v5.6.3\r\n# Size       Avg Latency(us)\r\n64  0.79\r\n128 0.80\r\n", four);
	const struct result *row = has_row(&log, 1, "broadcast", 4, 128, 0.8);

	(void)state;
	assert_int_equal(rows_count(log.rows), 2);
	same_real(row->rank_time_avg, 0.8e-6);
	assert_true(isnan(row->rank_time_max));
	assert_int_equal(log.sink.nnotes, 1);
	assert_non_null(strstr(log.sink.notes[0], "no times of the slowest rank"));
	assert_string_equal(row->type, "");
	log_free(&log);
}

static void ranks_are_not_guessed(void **state)
{
	struct log log = log_read(&import_osu, "# OSU MPI Allreduce Latency Test v7.4\n# Size Avg Latency(us)\n4 1.0\n",
				  (struct import_options){ 0 });

	(void)state;
	assert_int_equal(rows_count(log.rows), 0);
	has_skip(&log, 0, 3, "how many ranks ran is not in the log: --nranks is needed");
	log_free(&log);
}

static void prefixes_and_lost_marks_do_not_matter(void **state)
{
	struct log log = log_read(&import_osu,
				  "[1,0]<stdout>:OSU MPI Allreduce Latency Test v5.9\n"
				  "[1,0]<stdout>:  Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
				  "[1,0]<stdout>:4  1.00 0.50 2.00 1000\n"
				  "[host:123] Rank 0 bound to package[0][core:0]\n"
				  "[1,0]<stdout>:8  1.00 0.50\n"
				  "[1,0]<stdout>:16  1.00 0.50 x 1000\n"
				  "[1,0]<stdout>:9223372036854775808  1.00 0.50 2.00 1000\n",
				  four);

	(void)state;
	assert_int_equal(rows_count(log.rows), 1);
	has_row(&log, 0, "all_reduce", 4, 4, 2);
	assert_int_equal(log.sink.skipped, 4);
	assert_int_equal(log.sink.shown[0].line, 4);
	has_skip(&log, 1, 5, "3 fields, the header has 5");
	has_skip(&log, 2, 6, "'x' is not what its column has");
	assert_int_equal(log.sink.shown[3].line, 7);
	log_free(&log);
}

static void sizes_of_all_ranks_do_not_overflow(void **state)
{
	struct log log = log_read(&import_osu,
				  "# OSU MPI Allgather Latency Test v7\n# Size Avg Latency(us)\n4611686018427387904 1.0\n"
				  "2305843009213693951 1.0\n",
				  four);

	(void)state;
	assert_int_equal(rows_count(log.rows), 1);
	has_row(&log, 0, "all_gather", 4, 9223372036854775804, 1);
	has_skip(&log, 0, 3, "a size of over 2^63 bytes");
	log_free(&log);
}

static void validation_is_kept(void **state)
{
	struct log log = log_read(
		&import_osu,
		"# OSU MPI Reduce Latency Test v7.4\n# Size Avg Latency(us) Max Latency(us) Validation\n"
		"4 1.0 2.0 Pass\n8 1.0 2.0 Fail\n16 1.0 2.0 Maybe\nDATA VALIDATION ERROR: osu exited with status 1\n",
		four);

	(void)state;
	assert_int_equal(rows_count(log.rows), 2);
	assert_int_equal(rows_get(log.rows, 0)->wrong, 0);
	assert_false(result_has_flag(rows_get(log.rows, 0), RESULT_FLAG_UNCHECKED));
	assert_int_equal(rows_get(log.rows, 1)->wrong, 1);
	assert_int_equal(log.sink.skipped, 2);
	assert_true(log.sink.wrong_somewhere && sink_is_bad(&log.sink));
	has_note(&log, 0, "how many elements of a failed validation were wrong is not in the log; 1 stands for them");
	log_free(&log);
}

static void times_are_in_their_order(void **state)
{
	static const char why[] = "its least, average and largest time are not in this order";
	struct log log = log_read(&import_osu,
				  "# OSU MPI Allreduce Latency Test v7.4\n"
				  "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
				  "4 2.0 1.0 3.0 10\n8 4.0 1.0 3.0 10\n16 1.0 2.0 3.0 10\n32 2.0 2.0 2.0 10\n",
				  four);

	(void)state;
	assert_int_equal(rows_count(log.rows), 2);
	assert_int_equal(log.sink.skipped, 2);
	has_skip(&log, 0, 4, why);
	assert_int_equal(log.sink.shown[0].last, 5);
	log_free(&log);
}

static void gpu_libraries_only_where_the_size_is_known(void **state)
{
	struct log log = log_read(
		&import_osu,
		"#Using NCCL\n# OSU NCCL-CUDA Allreduce Latency Test v7.5\n# Size       Avg Latency(us)\n1073741824 8955.18\n"
		"# OSU NCCL-CUDA Allgather Latency Test v7.5\n# Size       Avg Latency(us)\n1024 8.18\n",
		four);

	(void)state;
	assert_int_equal(rows_count(log.rows), 1);
	assert_string_equal(has_row(&log, 0, "all_reduce", 4, 1073741824, 8955.18)->backend, "nccl");
	has_skip(&log, 0, 7, "what Size counts in OSU's NCCL test of all_gather is not known");
	log_free(&log);
}

static void headers_and_titles_must_be_known(void **state)
{
	struct log log = log_read(&import_osu,
				  "1 2.0\n# OSU MPI Reduce Latency Test v9\n4 1.0\n# Size Avg Latency(us) Mood\n4 1.0 good\n"
				  "# Size Iterations\n4 7\n",
				  four);

	(void)state;
	assert_int_equal(rows_count(log.rows), 0);
	has_skip(&log, 0, 1, "no title of a test above this row");
	has_skip(&log, 1, 3, "no header that is known above this row");
	has_skip(&log, 2, 4, "a heading that is not known: 'Size Avg Latency(us) Mood'");
	has_skip(&log, 3, 5, "no header that is known above this row");
	has_skip(&log, 4, 7, "no column of a time");
	log_free(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_of_the_call_as_a_whole),
		cmocka_unit_test(the_slowest_rank_is_the_headline),
		cmocka_unit_test(a_ping_pong_is_between_two),
		cmocka_unit_test(without_the_slowest_the_average_stands_and_is_noted),
		cmocka_unit_test(ranks_are_not_guessed),
		cmocka_unit_test(prefixes_and_lost_marks_do_not_matter),
		cmocka_unit_test(sizes_of_all_ranks_do_not_overflow),
		cmocka_unit_test(validation_is_kept),
		cmocka_unit_test(times_are_in_their_order),
		cmocka_unit_test(gpu_libraries_only_where_the_size_is_known),
		cmocka_unit_test(headers_and_titles_must_be_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
