/* SPDX-License-Identifier: Apache-2.0
 *
 * rccl-tests' CSV: with and without MPI, its first version with blanks, and lines that are no rows.
 */
#include "import_log.h"

#define HEADER "numCycle,collective,gpus,size,type,redop,inplace,time,algbw,busbw,#wrong\n"

static const struct import_options none = { 0 };

static void ranks_are_processes_times_gpus(void **state)
{
	struct log log = log_file(&import_rccl_csv, "rccl_mpi.csv", none);
	const struct result *row = has_row(&log, 0, "all_reduce", 16, 1048576, 20.97152);

	(void)state;
	assert_int_equal(rows_count(log.rows), 5);
	/* 15/8 and 15/16 of 50 GB/s. */
	has_rates(row, 50, 93.75);
	assert_int_equal(row->nnodes, 2);
	assert_int_equal(row->wrong, 0);
	assert_false(result_has_flag(row, RESULT_FLAG_UNCHECKED));
	assert_string_equal(row->type, "float");
	assert_string_equal(row->redop, "sum");
	assert_string_equal(row->placement, RESULT_OUT_OF_PLACE);
	assert_string_equal(row->backend, "nccl");
	assert_true(row->root == RESULT_NONE && row->count == RESULT_NONE);
	row = has_row(&log, 1, "all_reduce", 16, 1048576, 41.94304);
	assert_string_equal(row->placement, RESULT_IN_PLACE);
	assert_true(row->wrong == RESULT_NONE);
	assert_true(result_has_flag(row, RESULT_FLAG_UNCHECKED));
	row = has_row(&log, 2, "all_gather", 16, 1048576, 20.97152);
	has_rates(row, 50, 46.875);
	assert_int_equal(row->wrong, 2);
	assert_string_equal(row->redop, "");
	has_row(&log, 3, "alltoall", 16, 1048576, 20.97152);
	assert_string_equal(rows_get(log.rows, 4)->collective, "hypercube");
	assert_int_equal(log.sink.skipped, 1);
	has_skip(&log, 0, 7, "8 fields, the header has 14");
	log_free(&log);
}

static void blanks_and_line_ends_of_the_first_version(void **state)
{
	struct log log = log_file(&import_rccl_csv, "rccl_gpus.csv", none);
	const struct result *row = has_row(&log, 0, "broadcast", 4, 4194304, 41.943);

	(void)state;
	assert_int_equal(rows_count(log.rows), 2);
	assert_int_equal(log.sink.skipped, 0);
	has_rates(row, 100, 100);
	assert_int_equal(row->nnodes, 1);
	assert_string_equal(row->type, "bfloat16");
	has_row(&log, 1, "sendrecv", 4, 4194304, 41.943);
	log_free(&log);
}

static void columns_go_by_name(void **state)
{
	struct log log = log_read(&import_rccl_csv,
				  "busbw,extra,time,size,collective,inplace\n0.75,\"a,b\",4.096,4096,\"gather\",0\n"
				  "time,size,collective,inplace\n2.5,8,all_to_all,1\n",
				  (struct import_options){ .nranks = 4, .nnodes = 2 });

	(void)state;
	assert_int_equal(rows_count(log.rows), 2);
	has_rates(has_row(&log, 0, "gather", 4, 4096, 4.096), 1, 0.75);
	assert_int_equal(has_row(&log, 1, "alltoall", 4, 8, 2.5)->nnodes, 2);
	log_free(&log);
}

static void a_bad_line_costs_no_other(void **state)
{
	struct log log = log_read(&import_rccl_csv,
				  "0,AllReduce,4,8,float,sum,0,1,1,1,0\n" HEADER "0,AllReduce,4,8,float,sum,0,\"1,1,1,0\n\n"
				  "0,AllReduce,4,8,float,sum,2,1,1,1,0\n"
				  "0,AllReduce,0,8,float,sum,0,1,1,1,0\n"
				  "0,AllReduce,4,8.5,float,sum,0,1,1,1,0\n"
				  "0,AllReduce,4,8,float,sum,0,inf,1,1,0\n"
				  "0,AllReduce,4,8,=1+1,sum,0,2,nan,-inf,0\n",
				  none);

	(void)state;
	assert_int_equal(rows_count(log.rows), 1);
	/* 8 B in 2 us; six quarters over the bus of four. */
	has_rates(has_row(&log, 0, "all_reduce", 4, 8, 2), 0.004, 0.006);
	assert_string_equal(rows_get(log.rows, 0)->type, "'=1+1");
	has_skip(&log, 0, 1, "no header above this row");
	has_skip(&log, 1, 3, "no row of a CSV table");
	has_skip(&log, 2, 5, "neither in place nor out of place: '2'");
	has_skip(&log, 3, 6, "how many ranks ran is not in the record: --nranks is needed");
	has_skip(&log, 4, 7, "'8.5' is no size");
	has_skip(&log, 5, 8, "'inf' is no time");
	log_free(&log);
}

static void disagreeing_rates_are_found(void **state)
{
	struct log log = log_read(&import_rccl_csv,
				  HEADER "0,AllReduce,4,1000000,float,sum,0,100.00,10.00,15.00,0\n"
					 "0,AllReduce,4,1000000,float,sum,0,100.00,10.02,15.00,0\n"
					 "0,AllReduce,4,1000000,float,sum,0,100.00,10.00,14.00,0\n"
					 "0,AllReduce,4,1000000,float,sum,0,100,1e+01,1.5e+01,0\n",
				  none);
	static const bool agree[] = { true, false, false, true };

	(void)state;
	assert_int_equal(rows_count(log.rows), 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(result_has_flag(rows_get(log.rows, i), RESULT_FLAG_RATES), !agree[i]);
	assert_int_equal(log.sink.disagree, 2);
	log_free(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_are_processes_times_gpus),
		cmocka_unit_test(blanks_and_line_ends_of_the_first_version),
		cmocka_unit_test(columns_go_by_name),
		cmocka_unit_test(a_bad_line_costs_no_other),
		cmocka_unit_test(disagreeing_rates_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
