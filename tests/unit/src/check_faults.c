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

static void no_call_is_wrong(struct bench *bench, const struct point *point, const struct patterns *patterns)
{
	struct backend_call call;

	seed(bench, point, patterns, &call);
	expect_wrong(bench, point, patterns);
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
static void flip(const struct bench *bench, const struct point *point, const struct patterns *patterns, int rank, char *byte,
		 size_t element)
{
	*byte = (char)(*byte ^ 0x10);
	expect_one(bench, point, patterns, rank, element);
	*byte = (char)(*byte ^ 0x10);
}

static void flips_are_seen(struct bench *bench, const struct point *point, const struct patterns *patterns)
{
	const size_t size = dtypes[point->type].size, n = point->shape.recv;
	const size_t elements[] = { 0, 1 % n, n / 2, n - 1 };
	struct backend_call call;

	seed_and_call(bench, point, patterns, &call);
	for (int rank = 0; rank < bench->backend.nranks; rank++) {
		size_t held;
		char *data = call.recv[rank], *whole = whole_buffer(bench, point, &call, rank, &held);

		for (size_t i = 0; i < 4; i++) {
			flip(bench, point, patterns, rank, data + elements[i] * size, elements[i]);
			flip(bench, point, patterns, rank, data + elements[i] * size + size - 1, elements[i]);
		}
		flip(bench, point, patterns, rank, whole - 1, n);
		flip(bench, point, patterns, rank, whole - GUARD, n);
		flip(bench, point, patterns, rank, whole + held * size, n);
		flip(bench, point, patterns, rank, whole + held * size + GUARD - 1, n);
	}
	expect_right(bench, point, patterns);
}

static void test_every_flipped_element_is_one(void **state)
{
	static const int ranks[] = { 1, 2, 3, 5 };

	(void)state;
	for_all(ranks, 4, 13, flips_are_seen);
}

/* A value that the pattern holds elsewhere, too: the whole result moved by one. */
static void shift_is_seen(struct bench *bench, const struct point *point, const struct patterns *patterns)
{
	const size_t size = dtypes[point->type].size;
	struct backend_call call;

	seed_and_call(bench, point, patterns, &call);
	memmove(call.recv[point->root], (char *)call.recv[point->root] + size, (point->shape.recv - 1) * size);
	expect_wrong(bench, point, patterns);
}

static void test_data_moved_by_one_are_seen(void **state)
{
	static const int ranks[] = { 2, 5 };

	(void)state;
	for_all(ranks, 2, 13, shift_is_seen);
}

static void other_root_is_seen(struct bench *bench, const struct point *point, const struct patterns *patterns)
{
	struct backend_call call;

	if (!(point->coll->flags & COLL_HAS_ROOT))
		return;
	seed(bench, point, patterns, &call);
	call.root = (point->root + 1) % bench->backend.nranks;
	make_call(bench, &call);
	expect_wrong(bench, point, patterns);
}

static void test_another_root_is_seen(void **state)
{
	static const int ranks[] = { 2, 4 };

	(void)state;
	for_all(ranks, 2, 13, other_root_is_seen);
}

static void short_call_is_seen(struct bench *bench, const struct point *point, const struct patterns *patterns)
{
	const bool is_narrow = dtypes[point->type].is_float && dtypes[point->type].size == 1;
	size_t counts[MAX_RANKS];
	struct coll_layout layouts[MAX_RANKS];
	struct backend_call call;

	/* The last element may be the extreme one already, and in 8 bits what the others send may be 0. */
	if (point->in_place && (point->op == REDOP_MAX || point->op == REDOP_MIN || is_narrow))
		return;
	seed(bench, point, patterns, &call);
	for (int rank = 0; rank < bench->backend.nranks; rank++) {
		counts[rank] = call.count[rank] - 1;
		layouts[rank] = (struct coll_layout){ .hot = counts[rank], .cold = counts[rank] };
	}
	call.count = counts;
	call.layout = layouts;
	make_call(bench, &call);
	expect_wrong(bench, point, patterns);
}

static void test_a_call_of_one_element_less_is_seen(void **state)
{
	static const int ranks[] = { 2, 5 };

	(void)state;
	for_all(ranks, 2, 13, short_call_is_seen);
}

static void other_operation_is_seen(struct bench *bench, const struct point *point, const struct patterns *patterns)
{
	struct backend_call call;

	if (!(point->coll->flags & COLL_HAS_REDOP))
		return;
	seed(bench, point, patterns, &call);
	call.op = (enum redop)((point->op + 1) % REDOP_COUNT);
	make_call(bench, &call);
	expect_wrong(bench, point, patterns);
}

static void test_another_operation_is_seen(void **state)
{
	static const int ranks[] = { 2, 5 };

	(void)state;
	for_all(ranks, 2, 13, other_operation_is_seen);
}

static void corrupt_is_one(struct bench *bench, const struct point *point, const struct patterns *patterns)
{
	struct backend_call call;

	for (int rank = 0; rank < bench->backend.nranks; rank++) {
		seed_and_call(bench, point, patterns, &call);
		assert_int_equal(check_corrupt(bench->check, point, rank), 0);
		expect_one(bench, point, patterns, rank, point->shape.recv / 2);
	}
	seed_and_call(bench, point, patterns, &call);
	assert_int_equal(check_corrupt(bench->check, point, bench->backend.nranks), 0);
	expect_right(bench, point, patterns);
}

static void test_the_injected_fault_is_one(void **state)
{
	static const int ranks[] = { 1, 3 };

	(void)state;
	for_all(ranks, 2, 13, corrupt_is_one);
}

/* In two blocks of one rank, and in one of the next: all are counted, and the lowest is named. */
static void test_several_wrong_elements(void **state)
{
	(void)state;
	for (int way = 0; way < WAYS; way++) {
		struct bench bench;
		struct backend_call call;
		struct point point = make_point(collectives[COLL_ALLTOALL], 3, 13);
		struct patterns patterns;
		struct fold fold;

		open_bench(&bench, (enum way)way, 3, 0);
		patterns = make_patterns(&bench, &point);
		seed_and_call(&bench, &point, &patterns, &call);
		((char *)call.recv[1])[38 * sizeof(float)] ^= 1;
		((char *)call.recv[1])[17 * sizeof(float)] ^= 1;
		((char *)call.recv[1])[18 * sizeof(float)] ^= 1;
		((char *)call.recv[2])[0] ^= 1;
		fold = verify(&bench, &point, &patterns);
		assert_int_equal(fold.wrong, 4);
		assert_int_equal(fold.rank, 1);
		assert_int_equal(fold.first, 17);
		free_patterns(&patterns);
		close_bench(&bench);
	}
}

static void test_shifted_buffers(void **state)
{
	struct bench bench;
	struct backend_call call;
	struct point point = make_point(collectives[COLL_ALLTOALL], 3, 13);
	struct patterns patterns;

	(void)state;
	open_bench(&bench, IN_PLACE, 3, 3 * sizeof(float));
	patterns = make_patterns(&bench, &point);
	seed_and_call(&bench, &point, &patterns, &call);
	for (int rank = 0; rank < 3; rank++)
		assert_int_equal((uintptr_t)call.recv[rank] % 64, 3 * sizeof(float));
	expect_right(&bench, &point, &patterns);
	flips_are_seen(&bench, &point, &patterns);
	free_patterns(&patterns);
	close_bench(&bench);
}

/* One byte past the data is the library's fault, 65 bytes past is nobody's. */
static void test_what_is_far_away_is_not_watched(void **state)
{
	struct bench bench;
	struct backend_call call;
	struct point point = make_point(collectives[COLL_ALL_REDUCE], 2, 13);
	struct patterns patterns;

	(void)state;
	open_bench(&bench, IN_PLACE, 2, 0);
	patterns = make_patterns(&bench, &point);
	seed_and_call(&bench, &point, &patterns, &call);
	((char *)call.recv[1])[13 * sizeof(float) + GUARD] = 1;
	((char *)call.recv[1])[-GUARD - 1] = 1;
	expect_right(&bench, &point, &patterns);
	free_patterns(&patterns);
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
		cmocka_unit_test(test_several_wrong_elements),
		cmocka_unit_test(test_shifted_buffers),
		cmocka_unit_test(test_what_is_far_away_is_not_watched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
