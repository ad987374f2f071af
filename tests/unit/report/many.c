/* SPDX-License-Identifier: Apache-2.0
 *
 * What keeps a report of a million rows quick: things found by a hash, and long curves of which only what can be seen is drawn.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/index.h"
#include "report/thin.h"

/* Things are their numbers; the context is the one that is looked for. */
static bool is_number(const void *context, size_t number)
{
	return *(const size_t *)context == number;
}

static void what_was_added_is_found(void **state)
{
	struct index index = { 0 };
	const size_t n = 10000;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		assert_true(index_find(&index, index_mix(0, i), is_number, &i) == INDEX_NONE);
		assert_int_equal(index_add(&index, index_mix(0, i), i), 0);
	}
	for (size_t i = 0; i < n; i++)
		assert_int_equal(index_find(&index, index_mix(0, i), is_number, &i), i);
	assert_int_equal(index.count, n);
	index_clear(&index);
	assert_int_equal(index.count, 0);
}

/* Hostile input may make hashes equal; it must only be slow then, not wrong. */
static void equal_hashes_are_told_apart(void **state)
{
	struct index index = { 0 };

	(void)state;
	for (size_t i = 0; i < 500; i++)
		assert_int_equal(index_add(&index, 7, i), 0);
	for (size_t i = 0; i < 500; i++)
		assert_int_equal(index_find(&index, 7, is_number, &i), i);
	index_clear(&index);
}

static void hashes_differ(void **state)
{
	(void)state;
	assert_true(index_mix_text(0, "ab") != index_mix_text(0, "ba"));
	assert_true(index_mix_text(index_mix_text(0, "a"), "bc") != index_mix_text(index_mix_text(0, "ab"), "c"));
	assert_true(index_mix(index_mix(0, 1), 2) != index_mix(index_mix(0, 2), 1));
}

static void no_more_than_the_most(void **state)
{
	struct index index = { 0 };

	(void)state;
	assert_int_equal(index_add(&index, 0, INDEX_MOST), -1);
	index_clear(&index);
}

static double bytes_of(const void *points, size_t i)
{
	(void)points;
	return 8 * (double)(i + 1);
}

static double value_of(const void *points, size_t i)
{
	return ((const double *)points)[i];
}

static void put(FILE *out, const void *points, size_t i)
{
	(void)points;
	fprintf(out, "%zu\n", i);
}

/* The numbers of the points of a curve of n that are drawn; whether `wanted` is among them. */
static size_t drawn(const double *values, size_t n, size_t wanted, bool *found)
{
	struct thin thin = { values, n, bytes_of, value_of, put };
	size_t count = 0, last = 0, number, size;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	thin_put(out, &thin);
	fclose(out);
	*found = false;
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		number = strtoul(line, NULL, 10);
		assert_true(count == 0 || number > last);
		last = number;
		*found |= number == wanted;
		count++;
	}
	free(text);
	return count;
}

static void short_curves_are_whole(void **state)
{
	double values[THIN_MOST] = { 0 };
	bool found;

	(void)state;
	assert_int_equal(drawn(values, THIN_MOST, 3, &found), THIN_MOST);
	assert_true(found);
	assert_int_equal(drawn(values, 0, 0, &found), 0);
}

static void long_curves_keep_what_stands_out(void **state)
{
	enum { N = 100000 };
	double *values = calloc(N, sizeof(*values));
	size_t count;
	bool found;

	(void)state;
	assert_non_null(values);
	values[77777] = 1;
	count = drawn(values, N, 77777, &found);
	assert_true(found);
	assert_in_range(count, THIN_COLUMNS / 2, 2 * THIN_COLUMNS + 2);
	values[77777] = 0;
	values[55555] = -1;
	drawn(values, N, 55555, &found);
	assert_true(found);
	drawn(values, N, 0, &found);
	assert_true(found);
	drawn(values, N, N - 1, &found);
	assert_true(found);
	free(values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_added_is_found), cmocka_unit_test(equal_hashes_are_told_apart),
		cmocka_unit_test(hashes_differ),           cmocka_unit_test(no_more_than_the_most),
		cmocka_unit_test(short_curves_are_whole),  cmocka_unit_test(long_curves_keep_what_stands_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
