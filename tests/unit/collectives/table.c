/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of primitives: complete, in order, findable; each with its bounds. And the whole-number logarithms.
 */
#include "collectives/collective.h"
#include "collectives/primitives.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <string.h>

static void table_is_complete_and_in_order(void **state)
{
	static const struct collective *const order[] = { &broadcast,  &scatter,        &gather,     &reduce,
							  &all_gather, &reduce_scatter, &all_reduce, &alltoall,
							  &sendrecv,   &alltoallv,      &barrier,    &hypercube };

	(void)state;
	for (int c = 0; c < COLL_COUNT; c++) {
		assert_ptr_equal(collectives[c], order[c]);
		assert_int_equal(collectives[c]->id, c);
		assert_ptr_equal(collective_find(collectives[c]->name), order[c]);
		assert_true(strlen(collectives[c]->summary) > 0);
		assert_non_null(collectives[c]->shape);
		assert_non_null(collectives[c]->origin);
		assert_non_null(collectives[c]->bus_factor);
	}
}

static void unknown_names_are_not_found(void **state)
{
	(void)state;
	assert_null(collective_find(""));
	assert_null(collective_find("all_reduc"));
	assert_null(collective_find("all_reduce "));
	assert_null(collective_find("ALL_REDUCE"));
	assert_null(collective_model(&all_reduce, ""));
	assert_null(collective_model(&all_reduce, "bruck"));
	assert_null(collective_model(&sendrecv, sendrecv.tree));
}

static void flags_name_roots_and_operations(void **state)
{
	(void)state;
	for (int c = 0; c < COLL_COUNT; c++) {
		bool has_root = c == COLL_BROADCAST || c == COLL_SCATTER || c == COLL_GATHER || c == COLL_REDUCE;
		bool has_redop = c == COLL_REDUCE || c == COLL_REDUCE_SCATTER || c == COLL_ALL_REDUCE;

		assert_int_equal(!!(collectives[c]->flags & COLL_HAS_ROOT), has_root);
		assert_int_equal(!!(collectives[c]->flags & COLL_HAS_REDOP), has_redop);
	}
}

static void three_are_asked_for_by_name(void **state)
{
	(void)state;
	for (int c = 0; c < COLL_COUNT; c++) {
		bool by_name = c == COLL_ALLTOALLV || c == COLL_BARRIER || c == COLL_HYPERCUBE;

		assert_int_equal(!!(collectives[c]->flags & COLL_BY_NAME), by_name);
		assert_int_equal(!!(collectives[c]->flags & COLL_NO_DATA), c == COLL_BARRIER);
		assert_int_equal(!!(collectives[c]->flags & COLL_OUT_OF_PLACE), c == COLL_ALLTOALLV || c == COLL_BARRIER);
	}
}

static void hypercubes_have_powers_of_two(void **state)
{
	(void)state;
	for (int n = 1; n < 70; n++) {
		assert_int_equal(hypercube.cannot(n) == NULL, n == 2 || n == 4 || n == 8 || n == 16 || n == 32 || n == 64);
		assert_int_equal(hypercube.moved(&(struct coll_shape){ .count = 5 }, n), 5 * (n - 1));
	}
}

static void models_have_one_name_each(void **state)
{
	(void)state;
	for (int c = 0; c < COLL_COUNT; c++) {
		const struct collective *coll = collectives[c];

		for (const struct coll_model *model = coll->models; model->name; model++) {
			assert_non_null(model->time);
			assert_ptr_equal(collective_model(coll, model->name), model);
		}
		assert_non_null(collective_model(coll, "lb"));
		assert_non_null(collective_model(coll, coll->ring));
		assert_true(!coll->tree || collective_model(coll, coll->tree));
	}
}

static void logarithms_are_exact(void **state)
{
	(void)state;
	assert_int_equal(coll_log2_floor(1), 0);
	assert_int_equal(coll_log2_ceil(1), 0);
	assert_true(coll_is_power_of_two(1));
	for (int k = 1; k < 31; k++) {
		int n = 1 << k;

		assert_int_equal(coll_log2_floor(n), k);
		assert_int_equal(coll_log2_ceil(n), k);
		assert_true(coll_is_power_of_two(n));
		assert_int_equal(coll_log2_floor(n - 1), k - 1);
		assert_int_equal(coll_log2_ceil(n - 1), k == 1 ? 0 : k);
		assert_int_equal(coll_log2_floor(n + 1), k);
		assert_int_equal(coll_log2_ceil(n + 1), k + 1);
		assert_false(coll_is_power_of_two(n + 1));
	}
	assert_int_equal(coll_log2_floor(INT_MAX), 30);
	assert_int_equal(coll_log2_ceil(INT_MAX), 31);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_is_complete_and_in_order),
		cmocka_unit_test(unknown_names_are_not_found),
		cmocka_unit_test(flags_name_roots_and_operations),
		cmocka_unit_test(three_are_asked_for_by_name),
		cmocka_unit_test(hypercubes_have_powers_of_two),
		cmocka_unit_test(models_have_one_name_each),
		cmocka_unit_test(logarithms_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
