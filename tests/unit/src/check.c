/* SPDX-License-Identifier: Apache-2.0
 *
 * The data check over the simulated backend: right data pass for every collective, type, operation, placement, root and number of
 * ranks, and where backends differ in what a valid call is the check knows it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "check_bench.h"
#include "src/uneven.h"

enum { PERIOD = 4093 };

static void call_is_right(struct bench *bench, const struct point *point, const struct patterns *patterns)
{
	struct backend_call call;

	seed_and_call(bench, point, patterns, &call);
	expect_right(bench, point, patterns);
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

/* Groups of unequal sizes call at once: each has its own shape, its own patterns, and roots of its own. */
static void test_groups(void **state)
{
	static const struct {
		int nranks;
		struct split split;
	} worlds[] = { { 4, { SPLIT_MOD, 2 } }, { 5, { SPLIT_MOD, 2 } }, { 7, { SPLIT_DIV, 4 } }, { 7, { SPLIT_MOD, 3 } } };

	(void)state;
	for (size_t i = 0; i < WAYS * sizeof worlds / sizeof worlds[0]; i++) {
		struct bench bench;

		open_split(&bench, (enum way)(i % WAYS), worlds[i / WAYS].nranks, &worlds[i / WAYS].split, 0);
		for (int id = 0; id < COLL_COUNT; id++)
			for_collective(&bench, collectives[id], 97, call_is_right);
		close_bench(&bench);
	}
}

/* Ranks 0 2 4 and 1 3: a point of 96 floats means blocks of 32 in one group, of 48 in the other. */
static void test_geometry_inside_a_group(void **state)
{
	const struct split split = { SPLIT_MOD, 2 };
	struct bench bench;
	struct backend_call call;
	struct point point;
	struct patterns patterns;

	(void)state;
	open_split(&bench, IN_PLACE, 5, &split, 0);
	point = make_point(collectives[COLL_ALLTOALL], 3, 32);
	patterns = make_patterns(&bench, &point);
	seed_and_call(&bench, &point, &patterns, &call);
	for (int rank = 0; rank < 5; rank++)
		assert_int_equal(call.count[rank], rank % 2 ? 48 : 32);
	expect_right(&bench, &point, &patterns);
	/* Rank 3 is number 1 of its group: its block of rank 1, the group's number 0, is the second one there. */
	assert_memory_equal(call.recv[3], (char *)call.send[1] + 48 * sizeof(float), 48 * sizeof(float));
	((float *)call.recv[3])[95] += 1;
	expect_one(&bench, &point, &patterns, 3, 95);
	seed_and_call(&bench, &point, &patterns, &call);
	assert_int_equal(check_corrupt(bench.check, &point, 3), 0);
	expect_one(&bench, &point, &patterns, 3, 48);
	free_patterns(&patterns);
	close_bench(&bench);
}

/* Uneven blocks, empty ones too: what a rank does not receive stays poison, and a block in another's place is seen. */
static void test_uneven_blocks(void **state)
{
	static const uint64_t cells[] = { 0, 400, 28, 160, 0, 0, 800, 12, 48 };
	const struct uneven uneven = { .nranks = 3, .cells = (uint64_t *)(uintptr_t)cells, .busiest = 960 };
	const struct uneven skew = { .skew = 0.75 };

	(void)state;
	for (int i = 0; i < 3 * WAYS; i++) {
		struct point point = { .coll = collectives[COLL_ALLTOALLV],
				       .type = DTYPE_FLOAT,
				       .bytes_requested = 960,
				       .uneven = i / WAYS == 0 ? &uneven : &skew,
				       .evened = i / WAYS == 2 };
		struct bench bench;
		struct backend_call call;
		struct patterns patterns;

		open_bench(&bench, (enum way)(i % WAYS), 3, 0);
		point_resize(&point, 3);
		patterns = make_patterns(&bench, &point);
		seed_and_call(&bench, &point, &patterns, &call);
		expect_right(&bench, &point, &patterns);
		((float *)call.recv[1])[0] += 1;
		expect_one(&bench, &point, &patterns, 1, 0);
		((float *)call.recv[1])[0] -= 1;
		if (i / WAYS == 0) {
			assert_int_equal(point.bytes, 960);
			/* 412 bytes are for rank 1: the next element is nobody's. */
			((char *)call.recv[1])[412] = 0;
			expect_one(&bench, &point, &patterns, 1, 103);
		}
		free_patterns(&patterns);
		close_bench(&bench);
	}
}

enum { TABLES = 4 * 3 * DTYPE_COUNT * 2 };

static size_t add_tables(struct pattern_table *tables, size_t n, const struct pattern *pattern)
{
	static const int ranks[] = { COLL_REDUCED, 0, 1, 5 };

	for (size_t i = 0; i < 4; i++) {
		size_t from;
		uint64_t filled[2 * PERIOD];

		pattern_table(pattern, ranks[i], 4000, &tables[n + i], &from);
		assert_true(from < tables[n + i].period);
		pattern_fill(pattern, ranks[i], 4000, PERIOD, filled);
		assert_memory_equal((const char *)tables[n + i].data + from * tables[n + i].size, filled,
				    PERIOD * tables[n + i].size);
	}
	return n + 4;
}

static int same_bytes(const struct pattern_table *a, const struct pattern_table *b)
{
	return a->size == b->size && memcmp(a->data, b->data, 2 * a->period * a->size) == 0;
}

/* A device keeps tables by their serials: two have the same one only when they have the same bytes, and then always. */
static void test_serials(void **state)
{
	static const enum redop ops[] = { REDOP_SUM, REDOP_PROD, REDOP_MAX };
	struct pattern_table *tables = calloc(TABLES, sizeof *tables);
	struct pattern *patterns[TABLES / 4];
	size_t n = 0;

	(void)state;
	assert_non_null(tables);
	for (size_t i = 0; i < TABLES / 4; i++) {
		patterns[i] = pattern_new((enum dtype)(i / 6), ops[i % 3], 1, 3, i % 6 / 3);
		assert_non_null(patterns[i]);
		n = add_tables(tables, n, patterns[i]);
	}
	assert_int_equal(n, TABLES);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			assert_int_equal(tables[i].serial == tables[j].serial, same_bytes(&tables[i], &tables[j]));
	for (size_t i = 0; i < TABLES / 4; i++)
		pattern_free(patterns[i]);
	free(tables);
}

/* What does not fit is refused before anything is written. */
static void test_too_large_a_point(void **state)
{
	struct bench bench;
	struct point point = make_point(collectives[COLL_ALL_REDUCE], 1, MAX_BYTES / sizeof(float) + 1);
	struct patterns patterns;

	(void)state;
	open_bench(&bench, IN_PLACE, 1, 0);
	patterns = make_patterns(&bench, &point);
	assert_int_equal(check_seed(bench.check, &point, patterns.of), -1);
	free_patterns(&patterns);
	close_bench(&bench);
}

/* MPI's broadcast has one buffer: out of place the root's other one must stay as it was. */
static void test_broadcast_that_spares_the_root(void **state)
{
	struct bench bench;
	struct backend_call call;
	struct point point = make_point(collectives[COLL_BROADCAST], 3, 13);
	struct patterns patterns;

	(void)state;
	open_bench(&bench, IN_PLACE, 3, 0);
	bench.backend.quirks = BACKEND_BROADCAST_SPARES_ROOT;
	patterns = make_patterns(&bench, &point);
	for (point.root = 0; point.root < 3; point.root++) {
		seed(&bench, &point, &patterns, &call);
		for (int rank = 0; rank < 3; rank++)
			if (rank != point.root)
				memcpy(call.recv[rank], call.send[point.root], 13 * sizeof(float));
		expect_right(&bench, &point, &patterns);
		memcpy(call.recv[point.root], call.send[point.root], 13 * sizeof(float));
		assert_int_equal(verify(&bench, &point, &patterns).wrong, 13);
	}
	free_patterns(&patterns);
	close_bench(&bench);
}

/* MPI leaves the result of an in-place reduce_scatter at the start, NCCL at the rank's block. */
static void test_reduce_scatter_in_place(void **state)
{
	struct bench bench;
	struct backend_call call;
	struct point point = make_point(collectives[COLL_REDUCE_SCATTER], 4, 13);
	struct patterns patterns;
	char *start[4];

	(void)state;
	point.in_place = true;
	open_bench(&bench, IN_PLACE, 4, 0);
	bench.backend.quirks = BACKEND_REDUCE_SCATTER_AT_START;
	patterns = make_patterns(&bench, &point);
	seed_and_call(&bench, &point, &patterns, &call);
	for (int rank = 0; rank < 4; rank++) {
		assert_ptr_equal(call.recv[rank], call.send[rank]);
		start[rank] = call.send[rank];
	}
	expect_right(&bench, &point, &patterns);
	bench.backend.quirks = 0;
	expect_wrong(&bench, &point, &patterns);
	seed_and_call(&bench, &point, &patterns, &call);
	for (int rank = 0; rank < 4; rank++)
		assert_ptr_equal(call.recv[rank], start[rank] + (size_t)rank * 13 * sizeof(float));
	expect_right(&bench, &point, &patterns);
	free_patterns(&patterns);
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
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_uneven_blocks),
		cmocka_unit_test(test_geometry_inside_a_group),
		cmocka_unit_test(test_serials),
		cmocka_unit_test(test_too_large_a_point),
		cmocka_unit_test(test_broadcast_that_spares_the_root),
		cmocka_unit_test(test_reduce_scatter_in_place),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
