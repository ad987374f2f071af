/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of an uneven exchange: closed forms of the skew, sums of a matrix, and what every rank must have at the end, by brute force from the sender's
 * side.
 */
#include "collectives/layout.h"
#include "collectives/primitives.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

static const uint64_t moe[] = { 0, 100, 7, /**/ 40, 0, 0, /**/ 200, 3, 12 };
static const struct coll_layout matrix = { .cells = moe, .busiest = 240, .bytes = 240, .element = 1 };

static void skew_makes_rank_0_busy(void **state)
{
	static const double skews[] = { 0, 0.125, 0.5, 0.9, 1 };

	(void)state;
	for (int s = 0; s < 5; s++) {
		for (int n = 1; n < 70; n++) {
			const size_t total = (size_t)n << 20;
			const struct coll_layout layout = coll_layout_skewed(skews[s], total, n, 1);
			const struct coll_shape shape = coll_layout_shape(&layout, n);
			const double sent = (double)layout.hot + (n - 1) * (double)layout.cold;

			/* What rank 0 receives is all that was asked for; (1 + (n - 1) skew) times what everyone sends. */
			assert_int_equal(shape.recv, total);
			assert_int_equal(shape.send, (size_t)sent);
			assert_int_equal(shape.count, 1 << 20);
			assert_true(fabs((double)total - sent * (1 + (n - 1) * skews[s])) <= (double)n * n);
			assert_true(fabs(coll_layout_imbalance(&layout, n) - (1 + (n - 1) * skews[s])) < 1e-3 * n);
			assert_int_equal(coll_layout_port(&layout, n), total - layout.hot);
			assert_int_equal(coll_layout_total(&layout, n), (size_t)n * (size_t)sent);
		}
	}
}

static void skewed_blocks_are_aligned(void **state)
{
	const struct coll_layout half = coll_layout_skewed(0.5, 1024, 4, 4), all = coll_layout_skewed(1, 1024, 4, 4);

	(void)state;
	/* 256 * 0.5 / 2.5 = 51.2 */
	assert_int_equal(half.hot, 256);
	assert_int_equal(half.cold, 48);
	assert_int_equal(all.hot, 256);
	assert_int_equal(all.cold, 0);
}

static void even_exchange_moves_as_much(void **state)
{
	const struct coll_layout half = coll_layout_skewed(0.5, 1024, 4, 4);
	const struct coll_layout even = coll_layout_evened(&half, 4, 4), of_matrix = coll_layout_evened(&matrix, 3, 1);

	(void)state;
	/* (256 + 3 * 48) / 4 = 100 */
	assert_int_equal(even.hot, 100);
	assert_int_equal(even.cold, 100);
	assert_true(coll_layout_imbalance(&even, 4) == 1);
	assert_int_equal(of_matrix.hot, 362 / 9);
	assert_int_equal(of_matrix.cold, 362 / 9);
}

static void matrix_sums(void **state)
{
	const struct coll_shape shape = coll_layout_shape(&matrix, 3);

	(void)state;
	assert_int_equal(shape.send, 215);
	assert_int_equal(shape.recv, 240);
	assert_int_equal(shape.count, 200);
	assert_int_equal(coll_layout_port(&matrix, 3), 240);
	assert_int_equal(coll_layout_total(&matrix, 3), 362);
	assert_true(fabs(coll_layout_imbalance(&matrix, 3) - 240 * 3 / 362.0) < 1e-12);
	assert_int_equal(coll_layout_send_at(&matrix, 3, 2, 2), 203);
	assert_int_equal(coll_layout_recv_at(&matrix, 3, 2, 0), 40);
}

static void own_blocks_leave_the_port_alone(void **state)
{
	static const uint64_t cells[] = { 900, 10, 20, 30 };
	const struct coll_layout layout = { .cells = cells, .busiest = 920, .bytes = 920, .element = 1 };

	(void)state;
	assert_int_equal(coll_layout_port(&layout, 2), 20);
	assert_int_equal(coll_layout_shape(&layout, 2).recv, 920);
}

static void matrix_is_scaled(void **state)
{
	struct coll_layout layout = { .cells = moe, .busiest = 240, .bytes = UINT64_C(240) << 32, .element = 8 };

	(void)state;
	assert_int_equal(coll_layout_block(&layout, 3, 2, 1), (UINT64_C(3) << 32) / 8);
	layout.bytes = 120;
	assert_int_equal(coll_layout_block(&layout, 3, 0, 1), 50 / 8);
	assert_int_equal(coll_layout_block(&layout, 3, 2, 1), 0);
}

/* The largest numbers that a file may hold, at the largest size. */
static void scaling_does_not_overflow(void **state)
{
	static const uint64_t cells[] = { 0, UINT64_C(1) << 50, (UINT64_C(1) << 50) - 1, 0 };
	const struct coll_layout layout = {
		.cells = cells, .busiest = UINT64_C(1) << 50, .bytes = UINT64_C(1) << 60, .element = 1
	};

	(void)state;
	assert_int_equal(coll_layout_block(&layout, 2, 0, 1), UINT64_C(1) << 60);
	assert_int_equal(coll_layout_block(&layout, 2, 1, 0), (UINT64_C(1) << 60) - 1024);
}

enum { MOST = 512 };

static void check_origins(const struct coll_layout *layout, int n)
{
	const struct coll_shape shape = coll_layout_shape(layout, n);
	int(*recv)[MOST][2] = malloc(sizeof(int[MOST][2]) * (size_t)n);

	assert_true(shape.send <= MOST && shape.recv <= MOST);
	for (int to = 0; to < n; to++) {
		size_t at = 0;

		for (size_t i = 0; i < MOST; i++)
			recv[to][i][0] = COLL_UNTOUCHED;
		for (int from = 0; from < n; from++) {
			size_t begin = 0;

			for (int other = 0; other < to; other++)
				begin += coll_layout_block(layout, n, from, other);
			for (size_t k = 0; k < coll_layout_block(layout, n, from, to); k++, at++) {
				recv[to][at][0] = from;
				recv[to][at][1] = (int)(begin + k);
			}
		}
		const struct coll_geom geom = { .nranks = n, .rank = to, .count = shape.count, .layout = *layout };

		for (size_t i = 0; i < shape.recv; i++) {
			const struct coll_origin origin = alltoallv.origin(&geom, i);
			const size_t left = shape.recv - i;

			assert_int_equal(origin.rank, recv[to][i][0]);
			/* What is not written has no end. */
			assert_in_range(origin.run, 1, origin.rank >= 0 ? left : SIZE_MAX);
			for (size_t k = 0; k < origin.run && k < left; k++) {
				assert_int_equal(origin.rank, recv[to][i + k][0]);
				if (origin.rank >= 0)
					assert_int_equal(origin.index + k, recv[to][i + k][1]);
			}
		}
	}
	free(recv);
}

static void origin_is_what_senders_leave(void **state)
{
	(void)state;
	check_origins(&matrix, 3);
	for (int n = 1; n < 9; n++)
		for (int tenths = 0; tenths <= 10; tenths++) {
			const struct coll_layout layout = coll_layout_skewed(tenths / 10.0, 300, n, 1);

			check_origins(&layout, n);
		}
}

static void sameness_is_of_every_field(void **state)
{
	struct coll_layout other = matrix;

	(void)state;
	assert_true(coll_layout_is_same(&matrix, &other));
	other.bytes++;
	assert_false(coll_layout_is_same(&matrix, &other));
	other = matrix;
	other.element = 4;
	assert_false(coll_layout_is_same(&matrix, &other));
	other = matrix;
	other.cold = 1;
	assert_false(coll_layout_is_same(&matrix, &other));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skew_makes_rank_0_busy),          cmocka_unit_test(skewed_blocks_are_aligned),
		cmocka_unit_test(even_exchange_moves_as_much),     cmocka_unit_test(matrix_sums),
		cmocka_unit_test(own_blocks_leave_the_port_alone), cmocka_unit_test(matrix_is_scaled),
		cmocka_unit_test(scaling_does_not_overflow),       cmocka_unit_test(origin_is_what_senders_leave),
		cmocka_unit_test(sameness_is_of_every_field),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
