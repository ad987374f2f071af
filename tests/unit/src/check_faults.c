/* SPDX-License-Identifier: Apache-2.0
 *
 * The data check over the simulated backend: every single wrong element or byte is seen, counted once and named, and so is every call
 * that was not the one asked for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "check_bench.h"

static void no_call_is_wrong(struct bench *bench, const struct point *point, const struct pattern *pattern)
{
	struct backend_call call;

	seed(bench, point, pattern, &call);
	expect_wrong(bench, point, pattern);
}

static void test_a_missing_call_is_seen(void **state)
{
	static const int ranks[] = { 2, 3, 5 };

	(void)state;
	for_all(ranks, 3, 13, no_call_is_wrong);
}

/* Element 0 of the whole buffer that holds a rank's result, and how many elements it has. */
static char *whole_buffer(const struct bench *bench, const struct point *point, const struct backend_call *call, int rank,
			  size_t *held)
{
	const struct coll_geom geom = point_geom(point, bench->backend.nranks, rank);
	const bool placed = point->in_place && point->coll->in_place;
	const size_t offset = placed ? point->coll->in_place(&geom).recv : 0;

	*held = point->in_place && point->shape.send > point->shape.recv ? point->shape.send : point->shape.recv;
	return (char *)call->recv[rank] - offset * dtypes[point->type].size;
}

/* Every bit of a byte counts, and nothing is left behind. */
static void flip(const struct bench *bench, const struct point *point, const struct pattern *pattern, int rank, char *byte,
		 size_t element)
{
	*byte = (char)(*byte ^ 0x10);
	expect_one(bench, point, pattern, rank, element);
	*byte = (char)(*byte ^ 0x10);
}

static void flips_are_seen(struct bench *bench, const struct point *point, const struct pattern *pattern)
{
	const size_t size = dtypes[point->type].size, n = point->shape.recv;
	const size_t elements[] = { 0, 1 % n, n / 2, n - 1 };
	struct backend_call call;

	seed_and_call(bench, point, pattern, &call);
	for (int rank = 0; rank < bench->backend.nranks; rank++) {
		size_t held;
		char *data = call.recv[rank], *whole = whole_buffer(bench, point, &call, rank, &held);

		for (size_t i = 0; i < 4; i++) {
			flip(bench, point, pattern, rank, data + elements[i] * size, elements[i]);
			flip(bench, point, pattern, rank, data + elements[i] * size + size - 1, elements[i]);
		}
		flip(bench, point, pattern, rank, whole - 1, n);
		flip(bench, point, pattern, rank, whole - GUARD, n);
		flip(bench, point, pattern, rank, whole + held * size, n);
		flip(bench, point, pattern, rank, whole + held * size + GUARD - 1, n);
	}
	expect_right(bench, point, pattern);
}

static void test_every_flipped_element_is_one(void **state)
{
	static const int ranks[] = { 1, 2, 3, 5 };

	(void)state;
	for_all(ranks, 4, 13, flips_are_seen);
}

/* A value that the pattern holds elsewhere, too: the whole result moved by one. */
static void shift_is_seen(struct bench *bench, const struct point *point, const struct pattern *pattern)
{
	const size_t size = dtypes[point->type].size;
	struct backend_call call;

	seed_and_call(bench, point, pattern, &call);
	memmove(call.recv[point->root], (char *)call.recv[point->root] + size, (point->shape.recv - 1) * size);
	expect_wrong(bench, point, pattern);
}

static void test_data_moved_by_one_are_seen(void **state)
{
	static const int ranks[] = { 2, 5 };

	(void)state;
	for_all(ranks, 2, 13, shift_is_seen);
}

static void other_root_is_seen(struct bench *bench, const struct point *point, const struct pattern *pattern)
{
	struct backend_call call;

	if (!(point->coll->flags & COLL_HAS_ROOT))
		return;
	seed(bench, point, pattern, &call);
	call.root = (point->root + 1) % bench->backend.nranks;
	assert_int_equal(backend_sim.call[point->coll->id](&bench->backend, &call), 0);
	expect_wrong(bench, point, pattern);
}

static void test_another_root_is_seen(void **state)
{
	static const int ranks[] = { 2, 4 };

	(void)state;
	for_all(ranks, 2, 13, other_root_is_seen);
}

static void short_call_is_seen(struct bench *bench, const struct point *point, const struct pattern *pattern)
{
	struct backend_call call;

	/* The last element may be the extreme one already. */
	if (point->in_place && (point->op == REDOP_MAX || point->op == REDOP_MIN))
		return;
	seed(bench, point, pattern, &call);
	call.count--;
	assert_int_equal(backend_sim.call[point->coll->id](&bench->backend, &call), 0);
	expect_wrong(bench, point, pattern);
}

static void test_a_call_of_one_element_less_is_seen(void **state)
{
	static const int ranks[] = { 2, 5 };

	(void)state;
	for_all(ranks, 2, 13, short_call_is_seen);
}

static void other_operation_is_seen(struct bench *bench, const struct point *point, const struct pattern *pattern)
{
	struct backend_call call;

	if (!(point->coll->flags & COLL_HAS_REDOP))
		return;
	seed(bench, point, pattern, &call);
	call.op = (enum redop)((point->op + 1) % REDOP_COUNT);
	assert_int_equal(backend_sim.call[point->coll->id](&bench->backend, &call), 0);
	expect_wrong(bench, point, pattern);
}

static void test_another_operation_is_seen(void **state)
{
	static const int ranks[] = { 2, 5 };

	(void)state;
	for_all(ranks, 2, 13, other_operation_is_seen);
}

static void corrupt_is_one(struct bench *bench, const struct point *point, const struct pattern *pattern)
{
	struct backend_call call;

	for (int rank = 0; rank < bench->backend.nranks; rank++) {
		seed_and_call(bench, point, pattern, &call);
		assert_int_equal(check_corrupt(bench->check, point, rank), 0);
		expect_one(bench, point, pattern, rank, point->shape.recv / 2);
	}
	seed_and_call(bench, point, pattern, &call);
	assert_int_equal(check_corrupt(bench->check, point, bench->backend.nranks), 0);
	expect_right(bench, point, pattern);
}

static void test_the_injected_fault_is_one(void **state)
{
	static const int ranks[] = { 1, 3 };

	(void)state;
	for_all(ranks, 2, 13, corrupt_is_one);
}

static void test_shifted_buffers(void **state)
{
	struct bench bench;
	struct backend_call call;
	struct point point = make_point(collectives[COLL_ALLTOALL], 3, 13);
	struct pattern *pattern;

	(void)state;
	open_bench(&bench, 3, 3 * sizeof(float));
	pattern = make_pattern(&bench, &point);
	seed_and_call(&bench, &point, pattern, &call);
	for (int rank = 0; rank < 3; rank++)
		assert_int_equal((uintptr_t)call.recv[rank] % 64, 3 * sizeof(float));
	expect_right(&bench, &point, pattern);
	flips_are_seen(&bench, &point, pattern);
	pattern_free(pattern);
	close_bench(&bench);
}

/* One byte past the data is the library's fault, 65 bytes past is nobody's. */
static void test_what_is_far_away_is_not_watched(void **state)
{
	struct bench bench;
	struct backend_call call;
	struct point point = make_point(collectives[COLL_ALL_REDUCE], 2, 13);
	struct pattern *pattern;

	(void)state;
	open_bench(&bench, 2, 0);
	pattern = make_pattern(&bench, &point);
	seed_and_call(&bench, &point, pattern, &call);
	((char *)call.recv[1])[13 * sizeof(float) + GUARD] = 1;
	((char *)call.recv[1])[-GUARD - 1] = 1;
	expect_right(&bench, &point, pattern);
	pattern_free(pattern);
	close_bench(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_missing_call_is_seen),
		cmocka_unit_test(test_every_flipped_element_is_one),
		cmocka_unit_test(test_data_moved_by_one_are_seen),
		cmocka_unit_test(test_another_root_is_seen),
		cmocka_unit_test(test_a_call_of_one_element_less_is_seen),
		cmocka_unit_test(test_another_operation_is_seen),
		cmocka_unit_test(test_the_injected_fault_is_one),
		cmocka_unit_test(test_shifted_buffers),
		cmocka_unit_test(test_what_is_far_away_is_not_watched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
