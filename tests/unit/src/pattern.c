/* SPDX-License-Identifier: Apache-2.0
 *
 * The values that ranks send: every order of reduction gives the same bits, for every type and operation and up to more ranks than a type can count;
 * no rank, place or result looks like another.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collectives/collective.h"
#include "src/dtype.h"
#include "src/pattern.h"
#include "src/redop.h"

enum { N = 256, PERIOD = 4093, MAX_RANKS = 300 };

typedef uint64_t buffer[N]; /* N elements of any type */

static struct pattern *make(enum dtype type, enum redop op, int reduces, int nranks, uint64_t seed)
{
	struct pattern *pattern = pattern_new(type, op, reduces, nranks, seed);

	assert_non_null(pattern);
	return pattern;
}

static void shuffle(int *order, int n, uint64_t *random)
{
	for (int i = n - 1; i > 0; i--) {
		*random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
		const int j = (int)((*random >> 33) % (uint64_t)(i + 1)), kept = order[i];

		order[i] = order[j];
		order[j] = kept;
	}
}

/* All into the first, as a chain does. */
static void reduce_chain(enum redop op, enum dtype type, buffer *data, const int *order, int n)
{
	for (int i = 1; i < n; i++)
		redop_combine(op, type, data[order[0]], data[order[i]], N);
}

/* In pairs, as a tree does; the result is where the chain leaves it. */
static void reduce_tree(enum redop op, enum dtype type, buffer *data, const int *order, int n)
{
	for (int distance = 1; distance < n; distance *= 2)
		for (int i = 0; i + distance < n; i += 2 * distance)
			redop_combine(op, type, data[order[i]], data[order[i + distance]], N);
}

/* What mulsum does before it sums. */
static void multiply(enum redop op, enum dtype type, buffer *data, int nranks)
{
	buffer same;

	for (int rank = 1; op == REDOP_MULSUM && rank < nranks; rank += 2) {
		memcpy(same, data[rank], sizeof same);
		redop_combine(REDOP_SUM, type, data[rank], same, N);
	}
}

static void compare_order(const struct pattern *pattern, enum redop op, enum dtype type, int nranks, buffer *data,
			  const int *order, int tree, size_t index)
{
	size_t first = 0;

	for (int rank = 0; rank < nranks; rank++)
		pattern_fill(pattern, rank, index, N, data[rank]);
	multiply(op, type, data, nranks);
	(tree ? reduce_tree : reduce_chain)(op, type, data, order, nranks);
	if (op == REDOP_AVG)
		redop_divide(type, data[order[0]], N, nranks);
	if (pattern_differs(pattern, COLL_REDUCED, index, N, data[order[0]], &first) != 0)
		fail_msg("%s %s of %d ranks, %s: element %zu depends on the order", dtypes[type].name, redop_names[op], nranks,
			 tree ? "tree" : "chain", first);
}

static void check_orders(enum dtype type, enum redop op, int nranks, buffer *data, uint64_t *random)
{
	struct pattern *pattern = make(type, op, 1, nranks, 1);
	int order[MAX_RANKS];

	for (int rank = 0; rank < nranks; rank++)
		order[rank] = rank;
	for (int round = 0; round < 4; round++) {
		/* Over the table's end; and elsewhere. */
		compare_order(pattern, op, type, nranks, data, order, round % 2, 3 * PERIOD - 100 + 577 * (size_t)round);
		shuffle(order, nranks, random);
	}
	pattern_free(pattern);
}

/* Of types that can count few ranks, every number of them. */
static void test_every_order_gives_the_same_bits(void **state)
{
	static const int sizes[] = { 1, 2, 3, 7, 64, MAX_RANKS };
	buffer *data = calloc(MAX_RANKS, sizeof *data);
	uint64_t random = 1;

	(void)state;
	assert_non_null(data);
	for (int i = 0; i < DTYPE_COUNT * REDOP_COUNT; i++) {
		const enum dtype type = (enum dtype)(i % DTYPE_COUNT);
		const enum redop op = (enum redop)(i / DTYPE_COUNT);

		for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
			check_orders(type, op, sizes[k], data, &random);
		for (int nranks = 4; nranks < 64 && dtypes[type].exact_bits < 7; nranks++)
			check_orders(type, op, nranks, data, &random);
	}
	free(data);
}

/* The widest type shows the values; a float's must not be infinite, nor its sum. */
static double value_of(enum dtype type, const void *data, size_t i)
{
	float single;
	double value;

	switch (type) {
	case DTYPE_DOUBLE:
		memcpy(&value, (const char *)data + i * 8, 8);
		return value;
	case DTYPE_FLOAT:
		memcpy(&single, (const char *)data + i * 4, 4);
		return (double)single;
	default:
		dtype_widen(type, &single, (const char *)data + i * dtypes[type].size, 1);
		return (double)single;
	}
}

static void test_floats_stay_finite_and_differ(void **state)
{
	(void)state;
	for (int type = DTYPE_HALF; type < DTYPE_COUNT; type++) {
		for (int op = 0; op < REDOP_COUNT; op++) {
			struct pattern *pattern = make((enum dtype)type, (enum redop)op, 1, MAX_RANKS, 1);
			buffer data;
			int changes = 0;

			pattern_fill(pattern, COLL_REDUCED, 0, N, data);
			for (size_t i = 0; i < N; i++) {
				const double value = value_of((enum dtype)type, data, i);

				assert_true(value - value == 0);
				changes += i > 0 && value != value_of((enum dtype)type, data, i - 1);
			}
			/* Of so many ranks the largest value is nearly always the largest there is. */
			if (op != REDOP_MAX && op != REDOP_MIN)
				assert_true(changes > N / 4);
			pattern_free(pattern);
		}
	}
}

/*
 * However few values a type can add up or multiply, each rank sends something that counts, spread evenly, and at no place do more ranks than fit.
 */
static void check_turns(enum dtype type, enum redop op, int nranks, double most)
{
	struct pattern *pattern = make(type, op, 1, nranks, 1);
	char *data = malloc((size_t)PERIOD * 8);
	double *total = calloc(PERIOD, sizeof *total);

	assert_true(data && total);
	for (int rank = 0; rank < nranks; rank++) {
		int counts = 0;

		pattern_fill(pattern, rank, 0, PERIOD, data);
		for (size_t i = 0; i < PERIOD; i++) {
			const double value = value_of(type, data, i) * redop_factor(op, rank);

			counts += op == REDOP_PROD ? value * value > 1 : value > 0;
			total[i] += op == REDOP_PROD ? log2(value * value) / 2 : value;
		}
		if (counts < 1 || counts < PERIOD * fmin(1, most / nranks) / 32)
			fail_msg("%s %s: rank %d of %d counts at %d places", dtypes[type].name, redop_names[op], rank, nranks,
				 counts);
	}
	for (size_t i = 0; i < PERIOD; i++)
		if (total[i] > most)
			fail_msg("%s %s of %d ranks: %g at %zu", dtypes[type].name, redop_names[op], nranks, total[i], i);
	free(total);
	free(data);
	pattern_free(pattern);
}

static void test_ranks_take_turns(void **state)
{
	static const int sizes[] = { 1, 2, 8, 9, 17, 64, 1500 };

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		for (int op = 0; op < REDOP_COUNT; op++) {
			if (op == REDOP_MAX || op == REDOP_MIN || op == REDOP_AVG)
				continue;
			check_turns(DTYPE_F8E5M2, (enum redop)op, sizes[i], op == REDOP_PROD ? 15 : 8);
			check_turns(DTYPE_F8E4M3, (enum redop)op, sizes[i], op == REDOP_PROD ? 8 : 16);
			check_turns(DTYPE_HALF, (enum redop)op, sizes[i], op == REDOP_PROD ? 15 : 2048);
			check_turns(DTYPE_BFLOAT16, (enum redop)op, sizes[i], op == REDOP_PROD ? 127 : 256);
		}
	}
}

/* Each times 1/n as the type rounds it, as NCCL averages floats. */
static void multiply_by_share(enum dtype type, buffer *data, int nranks)
{
	const float share = 1 / (float)nranks;
	const double exact_share = 1 / (double)nranks;
	buffer shares;

	for (size_t i = 0; i < N; i++) {
		if (type == DTYPE_DOUBLE)
			memcpy((char *)shares + i * 8, &exact_share, 8);
		else if (type == DTYPE_FLOAT)
			memcpy((char *)shares + i * 4, &share, 4);
		else
			dtype_narrow(type, (char *)shares + i * dtypes[type].size, &share, 1);
	}
	for (int rank = 0; rank < nranks; rank++)
		redop_combine(REDOP_PROD, type, data[rank], shares, N);
}

static void check_average(enum dtype type, int nranks, buffer *data, uint64_t *random)
{
	struct pattern *pattern = make(type, REDOP_AVG, 1, nranks, 1);
	int order[MAX_RANKS];
	size_t first = 0;

	for (int rank = 0; rank < nranks; rank++)
		order[rank] = rank;
	for (int tree = 0; tree < 2; tree++) {
		const size_t index = 3 * PERIOD - 100 + 1000 * (size_t)tree;

		for (int rank = 0; rank < nranks; rank++)
			pattern_fill(pattern, rank, index, N, data[rank]);
		multiply_by_share(type, data, nranks);
		shuffle(order, nranks, random);
		(tree ? reduce_tree : reduce_chain)(REDOP_SUM, type, data, order, nranks);
		if (pattern_differs(pattern, COLL_REDUCED, index, N, data[order[0]], &first) != 0)
			fail_msg("%s of %d ranks: element %zu depends on when it is divided", dtypes[type].name, nranks, first);
	}
	pattern_free(pattern);
}

static void test_averages_do_not_depend_on_when_they_are_divided(void **state)
{
	buffer *data = calloc(MAX_RANKS, sizeof *data);
	uint64_t random = 1;

	(void)state;
	assert_non_null(data);
	for (int type = 0; type < DTYPE_COUNT; type++)
		for (int nranks = 1; nranks <= 64 && dtypes[type].is_float; nranks++)
			check_average((enum dtype)type, nranks, data, &random);
	free(data);
}

/* Every rank sends something to an average, and hardly any place gets nothing. */
static void test_averages_have_all_ranks(void **state)
{
	static const int sizes[] = { 2, 3, 8, 24, 63, 300 };
	float *data = malloc(PERIOD * sizeof *data);

	(void)state;
	assert_non_null(data);
	for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
		struct pattern *pattern = make(DTYPE_FLOAT, REDOP_AVG, 1, sizes[k], 1);

		for (int rank = -1; rank < sizes[k]; rank++) {
			int counts = 0;

			pattern_fill(pattern, rank < 0 ? COLL_REDUCED : rank, 0, PERIOD, data);
			for (size_t i = 0; i < PERIOD; i++)
				counts += data[i] < 0 || data[i] > 0;
			if (counts < (rank < 0 ? PERIOD - 2 * sizes[k] : PERIOD / sizes[k] - 1))
				fail_msg("rank %d of %d counts at %d places", rank, sizes[k], counts);
		}
		pattern_free(pattern);
	}
	free(data);
}

/* Where data are only moved, neither another rank's nor the next element's are the same. */
static void test_ranks_and_places_differ(void **state)
{
	(void)state;
	for (int type = 0; type < DTYPE_COUNT; type++) {
		struct pattern *pattern = make((enum dtype)type, REDOP_SUM, 0, 64, 1);
		buffer data;
		size_t first;

		for (int rank = 0; rank < 64; rank++) {
			pattern_fill(pattern, rank, 1000, N, data);
			assert_int_equal(pattern_differs(pattern, rank, 1000, N, data, &first), 0);
			for (int other = 0; other < rank; other++)
				assert_true(pattern_differs(pattern, other, 1000, N, data, &first) > N * 9 / 10);
			assert_true(pattern_differs(pattern, rank, 1001, N, data, &first) > N * 9 / 10);
			assert_true(pattern_differs(pattern, rank, 1000 + N, N, data, &first) > N * 9 / 10);
		}
		pattern_free(pattern);
	}
}

/* Two ranks that keep what they should have swapped are seen, however long the blocks. */
static void test_blocks_that_stay_differ(void **state)
{
	struct pattern *pattern = make(DTYPE_FLOAT, REDOP_SUM, 0, 2, 1);
	buffer data;
	size_t first;

	(void)state;
	for (size_t count = 1; count < PERIOD; count++) {
		pattern_fill(pattern, 0, count, N, data);
		assert_true(pattern_differs(pattern, 1, 0, N, data, &first) > 0);
	}
	pattern_free(pattern);
}

static void test_seeds_differ(void **state)
{
	struct pattern *one = make(DTYPE_INT32, REDOP_SUM, 1, 4, 1), *same = make(DTYPE_INT32, REDOP_SUM, 1, 4, 1);
	struct pattern *other = make(DTYPE_INT32, REDOP_SUM, 1, 4, 2);
	buffer data;
	size_t first;

	(void)state;
	pattern_fill(one, COLL_REDUCED, 0, N, data);
	assert_int_equal(pattern_differs(same, COLL_REDUCED, 0, N, data, &first), 0);
	assert_int_equal(pattern_differs(other, COLL_REDUCED, 0, N, data, &first), N);
	pattern_free(one);
	pattern_free(same);
	pattern_free(other);
}

/* In pieces as at once, over the table's end, for any piece. */
static void test_pieces(void **state)
{
	enum { LENGTH = 3 * PERIOD + 17 };
	struct pattern *pattern = make(DTYPE_INT32, REDOP_SUM, 0, 8, 1);
	uint32_t *whole = malloc(LENGTH * sizeof *whole), *pieces = malloc(LENGTH * sizeof *pieces);
	size_t first = 12345;

	(void)state;
	assert_true(whole && pieces);
	pattern_fill(pattern, 5, 0, LENGTH, whole);
	for (size_t at = 0, piece = 1; at < LENGTH; at += piece, piece = piece * 3 % 1009 + 1) {
		piece = piece < LENGTH - at ? piece : LENGTH - at;
		pattern_fill(pattern, 5, at, piece, pieces + at);
	}
	assert_memory_equal(whole, pieces, LENGTH * sizeof *whole);
	assert_int_equal(pattern_differs(pattern, 5, 0, LENGTH, whole, &first), 0);
	assert_int_equal(first, 12345);
	for (size_t i = 0; i < LENGTH; i += 997) {
		whole[i] ^= 1u << 31;
		whole[LENGTH - 1] ^= 1;
		assert_int_equal(pattern_differs(pattern, 5, 0, LENGTH, whole, &first), 2);
		assert_int_equal(first, i);
		whole[LENGTH - 1] ^= 1;
		whole[i] ^= 1u << 31;
	}
	free(whole);
	free(pieces);
	pattern_free(pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_order_gives_the_same_bits),
		cmocka_unit_test(test_floats_stay_finite_and_differ),
		cmocka_unit_test(test_ranks_take_turns),
		cmocka_unit_test(test_averages_do_not_depend_on_when_they_are_divided),
		cmocka_unit_test(test_averages_have_all_ranks),
		cmocka_unit_test(test_ranks_and_places_differ),
		cmocka_unit_test(test_blocks_that_stay_differ),
		cmocka_unit_test(test_seeds_differ),
		cmocka_unit_test(test_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
