/* SPDX-License-Identifier: Apache-2.0
 *
 * Seeds of launches, and orders.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/driver/seed.h"

enum { COUNT = 9, ROUNDS = 2000 };

/* The first outputs of splitmix64 as published with xoshiro, started at 1234567. */
static void seeds_are_splitmix64(void **state)
{
	static const uint64_t outputs[] = {
		UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),  UINT64_C(9817491932198370423),
		UINT64_C(4593380528125082431), UINT64_C(16408922859458223821),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++)
		assert_true(seed_launch(1234567, i) == outputs[i] >> 11);
}

static void fresh_seeds_are_exact_in_json(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++)
		assert_true(seed_random() < UINT64_C(1) << 53);
}

static void orders_are_permutations(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 100; seed++) {
		size_t order[COUNT];
		unsigned seen = 0;

		for (size_t i = 0; i < COUNT; i++)
			order[i] = i;
		seed_shuffle(seed, 0, order, COUNT);
		for (size_t i = 0; i < COUNT; i++)
			seen |= 1U << order[i];
		assert_int_equal(seen, (1U << COUNT) - 1);
	}
	seed_shuffle(1, 0, NULL, 0);
}

static void orders_repeat_with_their_seed(void **state)
{
	size_t a[COUNT], b[COUNT], c[COUNT];
	size_t same = 0;

	(void)state;
	for (size_t i = 0; i < COUNT; i++)
		a[i] = b[i] = c[i] = i;
	seed_shuffle(5, 1, a, COUNT);
	seed_shuffle(5, 1, b, COUNT);
	seed_shuffle(5, 2, c, COUNT);
	assert_memory_equal(a, b, sizeof(a));
	for (size_t i = 0; i < COUNT; i++)
		same += a[i] == c[i];
	assert_true(same < COUNT);
}

/* Every place gets every number about as often: a shuffle that never leaves the last one alone, or always does, is seen. */
static void orders_are_even(void **state)
{
	unsigned counts[COUNT][COUNT] = { { 0 } };

	(void)state;
	for (uint64_t round = 0; round < ROUNDS; round++) {
		size_t order[COUNT];

		for (size_t i = 0; i < COUNT; i++)
			order[i] = i;
		seed_shuffle(42, round, order, COUNT);
		for (size_t i = 0; i < COUNT; i++)
			counts[i][order[i]]++;
	}
	for (size_t i = 0; i < COUNT; i++) {
		for (size_t k = 0; k < COUNT; k++)
			assert_in_range(counts[i][k], ROUNDS / COUNT * 7 / 10, ROUNDS / COUNT * 13 / 10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seeds_are_splitmix64),    cmocka_unit_test(fresh_seeds_are_exact_in_json),
		cmocka_unit_test(orders_are_permutations), cmocka_unit_test(orders_repeat_with_their_seed),
		cmocka_unit_test(orders_are_even),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
