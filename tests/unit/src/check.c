/* SPDX-License-Identifier: Apache-2.0
 *
 * The data check over the simulated backend: right data pass for every collective, type, operation, placement, root and number of
 * ranks, and where backends differ in what a valid call is the check knows it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "check_bench.h"

enum { PERIOD = 4093 };

static void call_is_right(struct bench *bench, const struct point *point, const struct pattern *pattern)
{
	struct backend_call call;

	seed_and_call(bench, point, pattern, &call);
	expect_right(bench, point, pattern);
}

static void test_right_data_pass(void **state)
{
	static const int ranks[] = { 1, 2, 3, 4, 5, 7 };
	static const size_t counts[] = { 1, 13 };

	(void)state;
	for (size_t i = 0; i < 2; i++)
		for_all(ranks, 6, counts[i], call_is_right);
}

/* Longer than the table of values, and not a multiple of it. */
static void test_long_data_pass(void **state)
{
	static const int ranks[] = { 3 };

	(void)state;
	for_all(ranks, 1, 2 * PERIOD + 5, call_is_right);
}

/* MPI's broadcast has one buffer: out of place the root's other one must stay as it was. */
static void test_broadcast_that_spares_the_root(void **state)
{
	struct bench bench;
	struct backend_call call;
	struct point point = make_point(collectives[COLL_BROADCAST], 3, 13);
	struct pattern *pattern;

	(void)state;
	open_bench(&bench, 3, 0);
	bench.backend.quirks = BACKEND_BROADCAST_SPARES_ROOT;
	pattern = make_pattern(&bench, &point);
	for (point.root = 0; point.root < 3; point.root++) {
		seed(&bench, &point, pattern, &call);
		for (int rank = 0; rank < 3; rank++)
			if (rank != point.root)
				memcpy(call.recv[rank], call.send[point.root], 13 * sizeof(float));
		expect_right(&bench, &point, pattern);
		memcpy(call.recv[point.root], call.send[point.root], 13 * sizeof(float));
		assert_int_equal(verify(&bench, &point, pattern).wrong, 13);
	}
	pattern_free(pattern);
	close_bench(&bench);
}

/* MPI leaves the result of an in-place reduce_scatter at the start, NCCL at the rank's block. */
static void test_reduce_scatter_in_place(void **state)
{
	struct bench bench;
	struct backend_call call;
	struct point point = make_point(collectives[COLL_REDUCE_SCATTER], 4, 13);
	struct pattern *pattern;
	char *start[4];

	(void)state;
	point.in_place = true;
	open_bench(&bench, 4, 0);
	bench.backend.quirks = BACKEND_REDUCE_SCATTER_AT_START;
	pattern = make_pattern(&bench, &point);
	seed_and_call(&bench, &point, pattern, &call);
	for (int rank = 0; rank < 4; rank++) {
		assert_ptr_equal(call.recv[rank], call.send[rank]);
		start[rank] = call.send[rank];
	}
	expect_right(&bench, &point, pattern);
	bench.backend.quirks = 0;
	expect_wrong(&bench, &point, pattern);
	seed_and_call(&bench, &point, pattern, &call);
	for (int rank = 0; rank < 4; rank++)
		assert_ptr_equal(call.recv[rank], start[rank] + (size_t)rank * 13 * sizeof(float));
	expect_right(&bench, &point, pattern);
	pattern_free(pattern);
	close_bench(&bench);
}

/* The memory that a sweep asks for covers what is allocated, whatever the size. */
static void test_memory(void **state)
{
	(void)state;
	assert_true(check_memory(8) > 16 && check_memory(8) < 1 << 16);
	assert_true(check_memory(1 << 30) >= (uint64_t)2 << 30);
	assert_true(check_memory(UINT64_MAX) == UINT64_MAX);
	assert_true(check_memory(UINT64_MAX / 2) == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_right_data_pass),
		cmocka_unit_test(test_long_data_pass),
		cmocka_unit_test(test_broadcast_that_spares_the_root),
		cmocka_unit_test(test_reduce_scatter_in_place),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
