/* SPDX-License-Identifier: Apache-2.0
 *
 * Buckets of gradients: worked numbers, and the formulas of equal buckets against the replay of a step and against trying every number of them.
 */
#include "collectives/training.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

static void assert_close(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance * fabs(want)))
		fail_msg("%.17g, not %.17g", got, want);
}

/* Of 7e9 parameters of two bytes, 16384 tokens a rank and 4e14 FLOP/s on a ring. */
static struct train_buckets ring(int nranks, double alpha, double bandwidth)
{
	return (struct train_buckets){ .backward = 4 * 7e9 * 16384 / 4e14,
				       .bytes = 14e9,
				       .a = 2 * (nranks - 1) * alpha,
				       .b = 2.0 * (nranks - 1) / nranks / bandwidth };
}

static void a_fast_network_is_flat_round_its_optimum(void **state)
{
	const struct train_buckets fast = ring(8, 5e-6, 400e9);
	const double best = train_buckets_best(&fast);

	(void)state;
	assert_close(fast.backward, 1.1469, 1e-4);
	assert_close(fast.b * fast.bytes, 0.06125, 1e-9);
	assert_close(best, 15509, 1e-4);
	assert_close(fast.bytes / best, 0.903e6, 1e-3);
	assert_close(train_buckets_time(&fast, best), 1.146954, 1e-6);
	assert_close(train_buckets_time(&fast, round(fast.bytes / (25 << 20))), 1.147065, 1e-6);
	assert_close(train_buckets_time(&fast, 1), 1.208200, 1e-6);
}

static void on_a_slow_network_small_buckets_cost(void **state)
{
	const struct train_buckets slow = ring(128, 20e-6, 10e9);
	const double best = train_buckets_best(&slow);

	(void)state;
	assert_close(slow.b * slow.bytes, 2.778, 1e-4);
	assert_close(best, 15.03, 4e-4);
	assert_close(slow.bytes / best, 931.8e6, 3e-4);
	assert_close(train_buckets_time(&slow, best), 2.931, 1e-4);
	assert_close(train_buckets_time(&slow, round(slow.bytes / (100 << 20))), 3.467, 2e-4);
	assert_close(train_buckets_time(&slow, round(slow.bytes / (25 << 20))), 5.493, 1e-4);
}

enum { MOST = 600 };

/* Calls that cost much, that cost nothing much, and networks faster and slower than compute. */
static const struct train_buckets kinds[] = {
	{ 1, 1000, 1e-2, 1e-4 }, { 1, 1000, 1e-2, 1e-3 }, { 1, 1000, 1e-3, 5e-3 }, { 1, 1000, 3e-3, 9.9e-4 },
	{ 1, 1000, 2, 1e-4 },    { 1, 1000, 5e-2, 9e-4 }, { 0, 1000, 1e-3, 1e-4 },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void equal_buckets_end_when_the_replay_does(void **state)
{
	uint64_t equal[MOST];

	(void)state;
	for (size_t i = 0; i < MOST; i++)
		equal[i] = 1;
	for (size_t i = 0; i < KINDS; i++) {
		for (size_t k = 1; k <= MOST; k += 1 + k / 7) {
			size_t calls = 0;
			const double size = kinds[i].bytes / (double)k;
			const double end = train_buckets_replay(&kinds[i], equal, k, size, 0, &calls);

			assert_int_equal(calls, k);
			assert_close(end, train_buckets_time(&kinds[i], (double)k), 1e-12);
		}
	}
}

static void the_best_number_is_the_best_of_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		const double best = train_buckets_best(&kinds[i]), least = train_buckets_time(&kinds[i], best);
		double found = INFINITY;

		assert_true(best >= 1);
		for (double k = 1; k < 4 * MOST; k += 1.0 / 64)
			found = fmin(found, train_buckets_time(&kinds[i], k));
		assert_true(least <= found * (1 + 1e-12));
		assert_close(least, found, 1e-3);
	}
}

static void calls_that_cost_nothing_may_be_any_number(void **state)
{
	const struct train_buckets without = { 1, 1000, 0, 1e-4 }, without_backward = { 0, 1000, 0, 1e-4 };

	(void)state;
	assert_true(isinf(train_buckets_best(&without)));
	assert_true(train_buckets_best(&without_backward) == 1);
}

static void a_bucket_closes_before_it_overflows(void **state)
{
	static const uint64_t elements[] = { 10, 5, 5, 30, 1, 1, 48 };
	static const struct {
		double cap;
		size_t calls;
	} cases[] = { { 0, 7 },   { 7, 7 },   { 8, 6 },   { 39, 6 },  { 40, 5 },  { 79, 5 },  { 80, 4 },
		      { 127, 4 }, { 128, 3 }, { 199, 3 }, { 200, 2 }, { 399, 2 }, { 400, 1 }, { INFINITY, 1 } };
	/* 100 elements of 4 bytes in a second; a call takes as good as nothing, so the end is that of the last one. */
	const struct train_buckets buckets = { 1, 400, 1e-6, 0 };
	size_t calls;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const double end = train_buckets_replay(&buckets, elements, sizeof elements / sizeof *elements, 4, cases[i].cap,
							&calls);

		if (calls != cases[i].calls)
			fail_msg("%g bytes: %zu calls", cases[i].cap, calls);
		assert_close(end, 1 + 1e-6, 1e-12);
	}
}

static void uneven_tensors_wait_for_each_other(void **state)
{
	/* Ready at 0.5, 0.6 and 1 s; 2 s a byte of 0.1 and 1: the first call lasts to 1.6, the second to 1.9, the third to 2.8. */
	static const uint64_t elements[] = { 5, 1, 4 };
	const struct train_buckets buckets = { 1, 10, 0.1, 0.2 };

	(void)state;
	assert_close(train_buckets_replay(&buckets, elements, 3, 1, 0, NULL), 0.5 + 1.1 + 0.3 + 0.9, 1e-12);
	/* The first two as one: from 0.6 for 1.3 s. */
	assert_close(train_buckets_replay(&buckets, elements, 3, 1, 6, NULL), 0.6 + 1.3 + 0.9, 1e-12);
	/* A fast one waits for what it sends. */
	assert_close(train_buckets_replay(&(struct train_buckets){ 1, 10, 0.1, 0 }, elements, 3, 1, 0, NULL), 1.1, 1e-12);
}

static void no_gradients_are_the_backward_pass_alone(void **state)
{
	const struct train_buckets buckets = { 1, 0, 0.1, 0.2 };
	const uint64_t nothing = 0;
	size_t calls = 1;

	(void)state;
	assert_true(train_buckets_replay(&buckets, NULL, 0, 2, 100, &calls) == 1);
	assert_int_equal(calls, 0);
	assert_true(isfinite(train_buckets_replay(&buckets, &nothing, 1, 2, 100, &calls)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fast_network_is_flat_round_its_optimum),
		cmocka_unit_test(on_a_slow_network_small_buckets_cost),
		cmocka_unit_test(equal_buckets_end_when_the_replay_does),
		cmocka_unit_test(the_best_number_is_the_best_of_all),
		cmocka_unit_test(calls_that_cost_nothing_may_be_any_number),
		cmocka_unit_test(a_bucket_closes_before_it_overflows),
		cmocka_unit_test(uneven_tensors_wait_for_each_other),
		cmocka_unit_test(no_gradients_are_the_backward_pass_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
