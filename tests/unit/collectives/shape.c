/* SPDX-License-Identifier: Apache-2.0
 *
 * What a collective moves, by brute force. Each primitive is carried out on small arrays from the sender's side
 * (who sends which block to whom, as the MPI standard says), and the result must be what origin() says from the
 * receiver's side. Values are made so that a sum over all ranks names its index too.
 */
#include "collectives/collective.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

enum { RANKS_MAX = 16, TOTAL_MAX = 300 };

typedef uint64_t buffers[RANKS_MAX][TOTAL_MAX];

struct call {
	const struct collective *coll;
	struct coll_shape shape;
	int nranks;
	int root;
};

static const uint64_t untouched = UINT64_MAX;

static uint64_t value(int rank, size_t index)
{
	return ((uint64_t)1 << rank) + ((uint64_t)(index + 1) << 32);
}

static bool has_redop(const struct call *call)
{
	return call->coll->flags & COLL_HAS_REDOP;
}

static struct coll_geom geom_of(const struct call *call, int rank)
{
	return (struct coll_geom){ .nranks = call->nranks, .rank = rank, .root = call->root, .count = call->shape.count };
}

/* A rank puts `count` elements into another's receive buffer; a reduction adds them to what other ranks put there. */
static void deliver(const struct call *call, uint64_t *to, const uint64_t *from, int sender)
{
	for (size_t i = 0; i < call->shape.count; i++)
		to[i] = has_redop(call) && sender > 0 ? to[i] + from[i] : from[i];
}

static void simulate_pair(const struct call *call, buffers send, buffers recv, int from, int to)
{
	size_t count = call->shape.count, from_block = (size_t)from * count, to_block = (size_t)to * count;
	uint64_t *out = send[from], *in = recv[to];

	switch (call->coll->id) {
	case COLL_BROADCAST:
		if (from == call->root)
			deliver(call, in, out, from);
		break;
	case COLL_SCATTER:
		if (from == call->root)
			deliver(call, in, out + to_block, from);
		break;
	case COLL_GATHER:
		if (to == call->root)
			deliver(call, in + from_block, out, from);
		break;
	case COLL_REDUCE:
		if (to == call->root)
			deliver(call, in, out, from);
		break;
	case COLL_ALL_GATHER:
	case COLL_HYPERCUBE:
		deliver(call, in + from_block, out, from);
		break;
	case COLL_REDUCE_SCATTER:
		deliver(call, in, out + to_block, from);
		break;
	case COLL_ALL_REDUCE:
		deliver(call, in, out, from);
		break;
	case COLL_ALLTOALL:
	case COLL_ALLTOALLV:
		deliver(call, in + from_block, out + to_block, from);
		break;
	case COLL_SENDRECV:
		if (to == (from + 1) % call->nranks)
			deliver(call, in, out, from);
		break;
	case COLL_BARRIER:
		break;
	default:
		fail();
	}
}

static void simulate(const struct call *call, buffers send, buffers recv)
{
	assert_true(call->shape.count <= call->shape.send && call->shape.send <= TOTAL_MAX);
	assert_true(call->shape.count <= call->shape.recv && call->shape.recv <= TOTAL_MAX);
	for (int rank = 0; rank < call->nranks; rank++) {
		for (size_t i = 0; i < call->shape.send; i++)
			send[rank][i] = value(rank, i);
		for (size_t i = 0; i < TOTAL_MAX; i++)
			recv[rank][i] = untouched;
	}
	for (int from = 0; from < call->nranks; from++) {
		for (int to = 0; to < call->nranks; to++)
			simulate_pair(call, send, recv, from, to);
	}
}

static uint64_t expected(const struct call *call, const struct coll_origin *origin)
{
	uint64_t sum = 0;

	if (origin->rank == COLL_UNTOUCHED)
		return untouched;
	assert_true(origin->index < call->shape.send);
	if (origin->rank != COLL_REDUCED) {
		assert_in_range(origin->rank, 0, call->nranks - 1);
		return value(origin->rank, origin->index);
	}
	for (int rank = 0; rank < call->nranks; rank++)
		sum += value(rank, origin->index);
	return sum;
}

static void check_origins(const struct call *call)
{
	buffers send, recv;

	simulate(call, send, recv);
	for (int rank = 0; rank < call->nranks; rank++) {
		struct coll_geom geom = geom_of(call, rank);

		for (size_t i = 0; i < call->shape.recv; i++) {
			struct coll_origin origin = call->coll->origin(&geom, i);

			if (expected(call, &origin) != recv[rank][i])
				fail_msg("%s: rank %d of %d, root %d, count %zu: element %zu is not element %zu of rank %d",
					 call->coll->name, rank, call->nranks, call->root, geom.count, i, origin.index,
					 origin.rank);
		}
	}
}

static bool follows(const struct coll_origin *first, const struct coll_origin *later, size_t k)
{
	return later->rank == first->rank && later->index == first->index + k;
}

/* A run holds as far as it says, and no longer: it ends with the buffer or where the rule changes. */
static void check_runs(const struct call *call)
{
	for (int rank = 0; rank < call->nranks; rank++) {
		struct coll_geom geom = geom_of(call, rank);

		for (size_t i = 0; i < call->shape.recv; i++) {
			struct coll_origin first = call->coll->origin(&geom, i);

			assert_in_range(first.run, 1, call->shape.recv - i);
			for (size_t k = 1; k < first.run; k++) {
				struct coll_origin later = call->coll->origin(&geom, i + k);

				assert_true(follows(&first, &later, k) && later.run == first.run - k);
			}
			if (i + first.run < call->shape.recv) {
				struct coll_origin next = call->coll->origin(&geom, i + first.run);

				assert_false(follows(&first, &next, first.run));
			}
		}
	}
}

/*
 * In place, both buffers lie within the larger one, and what a rank keeps for itself is where it has to be:
 * element i that comes from its own input, reduced or not, stands where the input had it.
 */
static void check_in_place(const struct call *call)
{
	size_t size = call->shape.send > call->shape.recv ? call->shape.send : call->shape.recv;

	for (int rank = 0; rank < call->nranks; rank++) {
		struct coll_geom geom = geom_of(call, rank);
		struct coll_place place = call->coll->in_place ? call->coll->in_place(&geom) : (struct coll_place){ 0, 0 };

		assert_true(place.send + call->shape.send <= size);
		assert_true(place.recv + call->shape.recv <= size);
		for (size_t i = 0; i < call->shape.recv; i++) {
			struct coll_origin origin = call->coll->origin(&geom, i);

			if (origin.rank == rank || origin.rank == COLL_REDUCED)
				assert_int_equal(place.recv + i, place.send + origin.index);
		}
	}
}

static void for_each_root(struct call *call, void (*check)(const struct call *))
{
	int roots = call->coll->flags & COLL_HAS_ROOT ? call->nranks : 1;

	for (call->root = 0; call->root < roots; call->root++)
		check(call);
}

static void for_each_call(void (*check)(const struct call *))
{
	static const int nranks[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 16 };
	static const size_t totals[] = { 0, 1, 2, 7, 16, 17, 63, 64, 100, 257 }, aligns[] = { 1, 4, 16 };

	for (int c = 0; c < COLL_COUNT; c++) {
		for (size_t n = 0; n < 10; n++) {
			for (size_t t = 0; t < 30; t++) {
				struct call call = { .coll = collectives[c], .nranks = nranks[n] };

				call.shape = call.coll->shape(totals[t % 10], call.nranks, aligns[t / 10]);
				for_each_root(&call, check);
			}
		}
	}
}

static void origin_is_what_a_run_leaves(void **state)
{
	(void)state;
	for_each_call(check_origins);
}

static void runs_end_where_the_rule_changes(void **state)
{
	(void)state;
	for_each_call(check_runs);
}

static void in_place_moves_no_own_element(void **state)
{
	(void)state;
	for_each_call(check_in_place);
}

struct layout {
	const char *name;
	size_t send, recv, count, place_send, place_recv;
};

/* nccl-tests' layout, for 3 ranks, 100 elements at most, blocks of 16 elements; places of rank 2. */
static const struct layout layouts[] = {
	{ "broadcast", 100, 100, 100, 0, 0 },  { "scatter", 96, 32, 32, 0, 64 },    { "gather", 32, 96, 32, 64, 0 },
	{ "reduce", 100, 100, 100, 0, 0 },     { "all_gather", 32, 96, 32, 64, 0 }, { "reduce_scatter", 96, 32, 32, 0, 64 },
	{ "all_reduce", 100, 100, 100, 0, 0 }, { "alltoall", 96, 96, 32, 0, 0 },    { "sendrecv", 100, 100, 100, 0, 0 },
	{ "alltoallv", 96, 96, 32, 0, 0 },     { "barrier", 0, 0, 0, 0, 0 },        { "hypercube", 32, 96, 32, 64, 0 },
};

static void layout_is_nccl_tests(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		const struct layout *want = &layouts[i];
		const struct collective *coll = collective_find(want->name);
		struct coll_shape shape = coll->shape(100, 3, 16);
		struct coll_geom geom = { .nranks = 3, .rank = 2, .root = 0, .count = shape.count };
		struct coll_place place = coll->in_place ? coll->in_place(&geom) : (struct coll_place){ 0, 0 };

		assert_int_equal(shape.send, want->send);
		assert_int_equal(shape.recv, want->recv);
		assert_int_equal(shape.count, want->count);
		assert_int_equal(place.send, want->place_send);
		assert_int_equal(place.recv, want->place_recv);
	}
}

/* Bytes really moved, 1-byte elements in blocks of 16: the sizes that nccl-tests prints for these requests. */
static void sizes_round_down(void **state)
{
	static const size_t cases[][3] = { { 8, 64, 0 },  { 8, 128, 128 },   { 8, 1000, 896 },        { 3, 32, 0 },
					   { 3, 64, 48 }, { 3, 1024, 1008 }, { 3, 1 << 20, 1048560 }, { 5, 1024, 960 } };
	const struct collective *coll = collective_find("all_gather");

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(coll->shape(cases[i][1], (int)cases[i][0], 16).recv, cases[i][2]);
}

static void check_large(const struct collective *coll, size_t total, int nranks, size_t align)
{
	struct coll_shape shape = coll->shape(total, nranks, align);

	if (coll->flags & COLL_NO_DATA)
		return;
	struct coll_geom geom = { .nranks = nranks, .rank = nranks - 1, .root = nranks - 1, .count = shape.count };
	size_t larger = shape.send > shape.recv ? shape.send : shape.recv;
	struct coll_origin first = coll->origin(&geom, 0), last = coll->origin(&geom, shape.recv - 1);

	assert_true(larger <= total && total - larger < (size_t)nranks * align);
	assert_int_equal(first.run > 1, 1);
	assert_true(first.index + first.run <= shape.send && last.index < shape.send);
	assert_int_equal(last.run, 1);
	if (larger == shape.count)
		assert_int_equal(shape.count, total);
	else
		assert_int_equal(shape.count, total / (size_t)nranks / align * align);
	if (coll->in_place) {
		struct coll_place place = coll->in_place(&geom);

		assert_int_equal(place.send + place.recv, (size_t)(nranks - 1) * shape.count);
	}
}

static void large_counts_stay_exact(void **state)
{
	static const size_t totals[] = { (size_t)1 << 31, ((size_t)1 << 32) + 16, (size_t)1 << 40, (size_t)1 << 62 };
	static const int nranks[] = { 1, 2, 3, 7, 16, 1024 };

	(void)state;
	for (size_t t = 0; t < 4; t++) {
		for (size_t n = 0; n < 6; n++) {
			for (int c = 0; c < COLL_COUNT; c++) {
				check_large(collectives[c], totals[t], nranks[n], 16);
				check_large(collectives[c], totals[t] - 1, nranks[n], 1);
				if (totals[t] <= (size_t)1 << 40)
					check_large(collectives[c], totals[t] * (size_t)nranks[n], nranks[n], 4);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(origin_is_what_a_run_leaves),
		cmocka_unit_test(runs_end_where_the_rule_changes),
		cmocka_unit_test(in_place_moves_no_own_element),
		cmocka_unit_test(layout_is_nccl_tests),
		cmocka_unit_test(sizes_round_down),
		cmocka_unit_test(large_counts_stay_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
