/* SPDX-License-Identifier: Apache-2.0
 *
 * nccl-tests' and rccl-tests' JSON: whole, hand-written oddities and all, and broken.
 */
#include "import_log.h"

#define HEAD(args, config) "{\"version\":1,\"args\":[\"" args "\"],\"nccl_version\":21003,\"config\":{" config "},\n"
#define END ",\"end_time\":\"2026-01-02 03:05:05\"}"
#define ONE "\"results\":[{\"size\":1000,\"out_of_place\":{\"time\":1.0,\"alg_bw\":1.0,\"bus_bw\":1.0,\"nwrong\":0.0}}]"

static const struct import_options none = { 0 };

static void a_document_of_nccl_tests(void **state)
{
	struct log log = log_file(&import_nccl_json, "nccl_v3.json", none);
	const struct result *row = has_row(&log, 0, "all_reduce", 8, 1048576, 20.97152);

	(void)state;
	assert_int_equal(log.rc, 0);
	assert_int_equal(rows_count(log.rows), 3);
	has_rates(row, 50, 87.5);
	assert_int_equal(row->nnodes, 2);
	assert_int_equal(row->count, 262144);
	assert_int_equal(row->iters, 20);
	assert_int_equal(row->wrong, 0);
	assert_false(result_has_flag(row, RESULT_FLAG_UNCHECKED));
	assert_true(row->root == RESULT_NONE);
	assert_string_equal(row->type, "float");
	assert_string_equal(row->redop, "sum");
	assert_string_equal(row->library, "NCCL 2.28.9");
	assert_string_equal(row->backend, "nccl");
	assert_string_equal(row->timing, "loop");
	assert_string_equal(row->placement, RESULT_OUT_OF_PLACE);
	same_real(row->time_min, 20e-6);
	same_real(row->time_max, 30e-6);
	same_real(row->time_mean, 22e-6);
	same_real(row->time_stddev, 2.5e-6);
	same_real(row->time_p95, 28e-6);
	same_real(row->time_p99, 29.5e-6);
	log_free(&log);
}

static void values_that_are_no_numbers(void **state)
{
	struct log log = log_file(&import_nccl_json, "nccl_v3.json", none);
	const struct result *row = has_row(&log, 1, "all_reduce", 8, 1048576, 41.94304);

	(void)state;
	assert_string_equal(row->placement, RESULT_IN_PLACE);
	assert_true(row->wrong == RESULT_NONE && isnan(row->time_min));
	assert_true(result_has_flag(row, RESULT_FLAG_UNCHECKED));
	/* Rates that the document lacks are computed: 8 B in 10 us. */
	row = has_row(&log, 2, "all_reduce", 8, 8, 10);
	has_rates(row, 0.0008, 0.0014);
	assert_int_equal(row->wrong, 3);
	assert_int_equal(log.sink.skipped, 1);
	has_skip(&log, 0, 12, "its time is not above 0");
	assert_int_equal(log.sink.nnotes, 2);
	has_note(&log, 0, "the document counts 1 checks with wrong data");
	has_note(&log, 1, "an error of the run: Test failure\\x0ahere");
	assert_true(sink_is_bad(&log.sink));
	log_free(&log);
}

/* The number of ranks that a document with these devices has, 0 where it must be told. */
static int64_t ranks_of(const char *config)
{
	char text[2048];
	struct log log;
	int64_t nranks = 0;

	snprintf(text, sizeof text, HEAD("sendrecv_perf", "%s") ONE END, config);
	log = log_read(&import_nccl_json, text, none);
	assert_int_equal(log.rc, rows_count(log.rows) ? 0 : -1);
	if (log.rc == 0)
		nranks = rows_get(log.rows, 0)->nranks;
	log_free(&log);
	return nranks;
}

static void ranks_from_the_devices(void **state)
{
	(void)state;
	assert_int_equal(ranks_of("\"nthreads\":1,\"ngpus\":8,\"devices\":[{\"rank\":0,\"group\":0}]"), 8);
	assert_int_equal(ranks_of("\"nthreads\":2,\"ngpus\":4,\"devices\":[{\"rank\":0},{\"rank\":8}]"), 16);
	assert_int_equal(ranks_of("\"nthreads\":1,\"ngpus\":1,\"devices\":[{\"rank\":0},{\"rank\":1},{\"rank\":2}]"), 3);
	/* All are listed. */
	assert_int_equal(ranks_of("\"nthreads\":1,\"ngpus\":2,\"devices\":[{\"rank\":0},{\"rank\":1},{\"rank\":2},{\"rank\":3}]"),
			 4);
	assert_int_equal(ranks_of("\"nthreads\":1,\"ngpus\":1,\"devices\":[{\"rank\":0,\"group\":1},{\"rank\":0,\"group\":0},"
				  "{\"rank\":1,\"group\":1}]"),
			 2);
	assert_int_equal(ranks_of("\"nthreads\":1,\"ngpus\":2,\"devices\":[{\"rank\":0},{\"rank\":3}]"), 0);
	assert_int_equal(ranks_of("\"nthreads\":1,\"ngpus\":2"), 0);
}

static void what_the_document_lacks_comes_from_options(void **state)
{
	struct log log = log_read(&import_nccl_json, HEAD("/x/reduce_perf", "") ONE "}",
				  (struct import_options){ .nranks = 4, .nnodes = 2 });
	const struct result *row = has_row(&log, 0, "reduce", 4, 1000, 1);

	(void)state;
	assert_int_equal(row->nnodes, 2);
	assert_string_equal(row->library, "NCCL 2.10.3");
	has_note(&log, 0, "no end_time: the run did not come to its end");
	log_free(&log);
	log = log_read(&import_nccl_json, "{\"args\":[],\"results\":[]" END,
		       (struct import_options){ .nranks = 4, .collective = "gather" });
	assert_int_equal(log.rc, 0);
	log_free(&log);
}

static void roots_and_queueing_times(void **state)
{
	struct log log = log_read(
		&import_nccl_json,
		HEAD("broadcast_perf", "") "\"results\":[\n"
					   "{\"size\":8,\"redop\":\"none\",\"root\":\"     2\",\"out_of_place\":null,"
					   "\"in_place\":{\"time\":2.0}},\n"
					   "{\"size\":8,\"root\":\"     2\",\"out_of_place\":{\"cpu_time\":2.0}},\n"
					   "17,\n"
					   "{\"size\":8,\"root\":\"     4\",\"out_of_place\":{\"time\":2.0}},\n"
					   "{\"root\":\"     0\",\"out_of_place\":{\"time\":2.0}},\n"
					   "{\"size\":8,\"out_of_place\":{\"time\":\"nan\"}}]" END,
		(struct import_options){ .nranks = 4 });
	const struct result *row = has_row(&log, 0, "broadcast", 4, 8, 2);

	(void)state;
	assert_int_equal(rows_count(log.rows), 1);
	assert_int_equal(row->root, 2);
	assert_string_equal(row->redop, "");
	assert_string_equal(row->placement, RESULT_IN_PLACE);
	has_skip(&log, 0, 4, "a time until the call was queued (-C), none of the call");
	assert_int_equal(log.sink.shown[1].line, 6);
	has_skip(&log, 2, 7, "no size");
	has_skip(&log, 3, 8, "no time, or one that is not finite");
	log_free(&log);
}

/* What a call prints on stderr is one line that has `what` in it. */
static void refuses(const char *text, const char *what)
{
	char *path = sample_path(), *errors;
	const int saved = sample_stderr_begin(path);
	struct log log = log_read(&import_nccl_json, text, none);

	sample_stderr_end(saved);
	errors = sample_read(path);
	assert_int_equal(log.rc, -1);
	assert_int_equal(rows_count(log.rows), 0);
	if (!strstr(errors, what))
		fail_msg("'%s' is not in: %s", what, errors);
	assert_int_equal(sample_lines(errors), 1);
	free(errors);
	sample_remove(path);
	log_free(&log);
}

static void broken_documents_say_where(void **state)
{
	(void)state;
	refuses("{\"version\":3,\n\"results\":[\n{\"size\":8,", "line 3: no JSON document");
	refuses("{\"version\":3,\n\"args\":[\"x\xff\"]}", "line 2: no JSON document");
	refuses("", "line 1: no JSON document");
	refuses("{\"args\":[\"all_reduce_perf\"]}", "no array \"results\"");
	refuses("{\"args\":[\"scan_perf\"],\"results\":[]}", "args[0], 'scan_perf', is no benchmark");
	refuses("{\"args\":[\"all_reduce\"],\"results\":[]}", "args[0], 'all_reduce', is no benchmark");
	refuses("[]", "no array");
}

static void disagreeing_rates_are_found(void **state)
{
	struct log log = log_read(&import_nccl_json, HEAD("all_reduce_perf", "") ONE END, (struct import_options){ .nranks = 4 });

	(void)state;
	/* 1000 B in 1 us are 1 GB/s, and 1.5 GB/s over the bus of four. */
	assert_true(result_has_flag(rows_get(log.rows, 0), RESULT_FLAG_RATES));
	log_free(&log);
}

static void records_must_be_of_their_primitive(void **state)
{
#define PLACE "\"out_of_place\":{\"time\":1.0,\"alg_bw\":1.0,\"bus_bw\":0.75,\"nwrong\":0}}"
	struct log log = log_read(
		&import_nccl_json,
		HEAD("alltoall_perf", "") "\"results\":[\n"
					  "{\"size\":1024,\"count\":64,\"type\":\"float\",\"redop\":\"none\"," PLACE ",\n"
					  "{\"size\":1024,\"count\":256,\"type\":\"float\",\"redop\":\"none\"," PLACE ",\n"
					  "{\"size\":1024,\"count\":64,\"type\":\"float\",\"redop\":\"sum\"," PLACE ",\n"
					  "{\"size\":1028,\"count\":64,\"type\":\"float9\",\"redop\":\"none\"," PLACE "]" END,
		(struct import_options){ .nranks = 4 });

	(void)state;
#undef PLACE
	assert_int_equal(rows_count(log.rows), 2);
	has_skip(&log, 0, 4, "size and count are not those of alltoall on 4 ranks");
	has_skip(&log, 1, 5, "alltoall has no operation, the row has one");
	has_note(&log, 0, "the size of type 'float9' is not known: sizes and counts of its rows are not compared");
	log_free(&log);
}

static void a_large_environment_hides_nothing(void **state)
{
	enum { SIZE = 1 << 20 };
	char *data = malloc(SIZE + 100);
	int head = sprintf(data, "{\"env\":\"");

	(void)state;
	memset(data + head, 'x', SIZE);
	snprintf(data + head + SIZE, 80, "\",\"nccl_version\":22703}");
	assert_int_equal(import_nccl_json.recognise(&(struct import_text){ "x", data, strlen(data) }), 95);
	free(data);
}

static void rccl_arrays(void **state)
{
	struct log log = log_file(&import_rccl_json, "rccl_array.json", none);
	const struct result *row = has_row(&log, 0, "all_reduce", 8, 1048576, 20.97152);

	(void)state;
	assert_int_equal(rows_count(log.rows), 2);
	assert_int_equal(log.sink.skipped, 0);
	has_rates(row, 50, 87.5);
	assert_int_equal(row->wrong, 0);
	assert_int_equal(row->nnodes, 1);
	assert_string_equal(row->type, "float");
	assert_string_equal(row->redop, "sum");
	assert_string_equal(row->library, "RCCL");
	row = has_row(&log, 1, "all_reduce", 8, 1048576, 41.94304);
	assert_string_equal(row->placement, RESULT_IN_PLACE);
	assert_true(row->wrong == RESULT_NONE);
	assert_true(result_has_flag(row, RESULT_FLAG_UNCHECKED));
	log_free(&log);
}

static void rccl_records_one_by_one(void **state)
{
	struct log log = log_file(&import_rccl_json, "rccl_lines.json", none);
	const struct result *row;

	(void)state;
	assert_int_equal(rows_count(log.rows), 3);
	has_rates(has_row(&log, 0, "reduce_scatter", 4, 4096, 4.096), 1, 0.75);
	row = has_row(&log, 1, "gather", 4, 4096, 8.192);
	has_rates(row, 0.5, 0.375);
	assert_string_equal(row->redop, "");
	assert_string_equal(has_row(&log, 2, "reduce", 4, 4096, 4.096)->redop, "max");
	assert_int_equal(log.sink.skipped, 4);
	has_skip(&log, 0, 7, "no JSON");
	has_skip(&log, 1, 8, "a record that is cut, or no record");
	assert_int_equal(log.sink.shown[1].last, 10);
	log_free(&log);
}

static void records_with_marks_in_their_texts(void **state)
{
	struct log log = log_read(
		&import_rccl_json,
		"{\"numCycle\":0,\"name\":\"Reduce\",\"gpus\":4,\"size\":1000000,\"type\":\"a\\\"}{b\",\"inPlace\":0,"
		"\"time\":33.333333,\"algBw\":30.000000,\"busBw\":30.000000}",
		none);

	(void)state;
	assert_int_equal(log.sink.skipped, 0);
	assert_string_equal(has_row(&log, 0, "reduce", 4, 1000000, 33.333333)->type, "a\"}{b");
	/* Of rates six digits are known. */
	assert_false(result_has_flag(rows_get(log.rows, 0), RESULT_FLAG_RATES));
	log_free(&log);
}

static void lines_are_those_of_the_results(void **state)
{
	struct log log = log_read(
		&import_nccl_json,
		HEAD("gather_perf", "\"results\":[{\"x\":[{}]}]") "\"others\":[{\"size\":1}],\n\"results\":[\n"
								  "{\"size\":\"results\",\"out_of_place\":{}}]" END,
		(struct import_options){ .nranks = 4 });

	(void)state;
	has_skip(&log, 0, 4, "no size");
	log_free(&log);
}

static void nodes_are_different_hosts(void **state)
{
	struct log log = log_read(&import_nccl_json,
				  HEAD("sendrecv_perf", "\"nthreads\":1,\"ngpus\":1,\"devices\":[{\"rank\":0,\"hostname\":\"b\"},"
							"{\"rank\":1,\"hostname\":\"a\"},{\"rank\":2,\"hostname\":\"b\"}]")
					  ONE END,
				  (struct import_options){ .nranks = 7, .nnodes = 7 });

	(void)state;
	assert_int_equal(has_row(&log, 0, "sendrecv", 3, 1000, 1)->nnodes, 2);
	has_note(&log, 0, "the document says 3 ranks; --nranks is not used");
	log_free(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_document_of_nccl_tests),
		cmocka_unit_test(values_that_are_no_numbers),
		cmocka_unit_test(ranks_from_the_devices),
		cmocka_unit_test(what_the_document_lacks_comes_from_options),
		cmocka_unit_test(roots_and_queueing_times),
		cmocka_unit_test(broken_documents_say_where),
		cmocka_unit_test(disagreeing_rates_are_found),
		cmocka_unit_test(lines_are_those_of_the_results),
		cmocka_unit_test(nodes_are_different_hosts),
		cmocka_unit_test(rccl_arrays),
		cmocka_unit_test(rccl_records_one_by_one),
		cmocka_unit_test(records_with_marks_in_their_texts),
		cmocka_unit_test(records_must_be_of_their_primitive),
		cmocka_unit_test(a_large_environment_hides_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
