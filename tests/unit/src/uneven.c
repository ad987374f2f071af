/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices as text: what is read, what is refused and where it is; skews; and the points that they make.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collectives/layout.h"
#include "src/options.h"
#include "src/point.h"
#include "src/sweep.h"
#include "src/uneven.h"

static int parse(const char *text, struct uneven *uneven, char *error, size_t size)
{
	*uneven = (struct uneven){ 0 };
	error[0] = '\0';
	return uneven_parse(text, strlen(text), uneven, error, size);
}

static void matrices_are_read(void **state)
{
	static const char text[] = "# tokens to experts\n\n\t0 1K\t7 # rank 0\r\n  40 0 0\n200 3 12";
	static const uint64_t cells[] = { 0, 1024, 7, 40, 0, 0, 200, 3, 12 };
	struct uneven uneven;
	char error[256];

	(void)state;
	assert_int_equal(parse(text, &uneven, error, sizeof error), 0);
	assert_int_equal(uneven.nranks, 3);
	assert_memory_equal(uneven.cells, cells, sizeof cells);
	assert_int_equal(uneven.busiest, 1031);
	uneven_close(&uneven);
	assert_null(uneven.cells);
	assert_int_equal(parse("5", &uneven, error, sizeof error), 0);
	assert_int_equal(uneven.nranks, 1);
	uneven_close(&uneven);
}

static void columns_may_be_busier_than_rows(void **state)
{
	struct uneven uneven;
	char error[256];

	(void)state;
	assert_int_equal(parse("1 2\n300 4\n", &uneven, error, sizeof error), 0);
	assert_int_equal(uneven.busiest, 304);
	uneven_close(&uneven);
	assert_int_equal(parse("300 2\n300 4\n", &uneven, error, sizeof error), 0);
	assert_int_equal(uneven.busiest, 600);
	uneven_close(&uneven);
}

struct bad {
	const char *text, *error;
};

static const struct bad bads[] = {
	{ "", "no sizes in it" },
	{ "# 1 2\n", "no sizes in it" },
	{ "0 0\n0 0\n", "all sizes are 0: nothing would move" },
	{ "1 2\n3 x\n", "line 2, row 1, column 1: 'x' is not a size in bytes (such as 0, 65536, 64K)" },
	{ "1 -2\n3 4\n", "line 1, row 0, column 1: '-2' is not a size in bytes (such as 0, 65536, 64K)" },
	{ "1 2\n\n# none\n3 \033[2J\n", "line 4, row 1, column 1: '?[2J' is not a size in bytes (such as 0, 65536, 64K)" },
	{ "1,2\n", "line 1, row 0, column 0: '1,2' is not a size in bytes (such as 0, 65536, 64K)" },
	{ "1 2\n3\n", "line 2, row 1, column 1: missing, row 0 has 2 columns" },
	{ "1 2\n3 4 5\n", "line 2, row 1, column 2: one more than row 0 has" },
	{ "1 2\n3 4\n5 6\n", "line 3, row 2: one row more than columns, of which there are 2" },
	{ "1 2 3\n3 4 5\n", "row 2, column 0: missing, there are 3 columns and so there must be as many rows" },
	{ "1 2P\n3 4\n", "line 1, row 0, column 1: more than 1P" },
	{ "1 99999999999999999999999999999999999999999\n",
	  "line 1, row 0, column 1: '9999999999999999999999999999999' is not a size in bytes "
	  "(such as 0, 65536, 64K)" },
};

static void bad_matrices_are_refused_with_their_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
		struct uneven uneven;
		char error[256];

		assert_int_equal(parse(bads[i].text, &uneven, error, sizeof error), -1);
		assert_string_equal(error, bads[i].error);
		assert_null(uneven.cells);
	}
}

/* A NUL ends no word; a row of more than 1024 columns is no matrix. */
static void odd_bytes_and_long_rows(void **state)
{
	static char row[2 * 1025 + 1];
	struct uneven uneven = { 0 };
	char error[256];

	(void)state;
	assert_int_equal(uneven_parse("1\0002", 3, &uneven, error, sizeof error), -1);
	assert_string_equal(error, "line 1, row 0, column 0: '1?2' is not a size in bytes (such as 0, 65536, 64K)");
	for (size_t i = 0; i < sizeof row - 1; i++)
		row[i] = i % 2 ? ' ' : '1';
	assert_int_equal(parse(row, &uneven, error, sizeof error), -1);
	assert_string_equal(error, "line 1, row 0, column 1024: more than 1024 ranks");
}

static struct options options_of(const char *option, const char *value, const char *more)
{
	char *line[] = { "alltoallv_perf",        "--backend", "sim", (char *)(uintptr_t)option, (char *)(uintptr_t)value, "-b",
			 (char *)(uintptr_t)more, NULL };
	struct options options;
	struct options_error error;

	if (options_parse(more ? 7 : 5, line, &options, &error))
		fail_msg("%s", error.text);
	return options;
}

static void sizes_are_the_matrix_s_own_unless_given(void **state)
{
	const struct options own = options_of("--matrix", "m", NULL), given = options_of("--matrix", "m", "4K");
	const struct options skewed = options_of("--skew", "50%", "4K");

	(void)state;
	assert_int_equal(own.min_bytes, 0);
	assert_int_equal(own.max_bytes, 0);
	assert_int_equal(given.min_bytes, 4096);
	assert_int_equal(given.max_bytes, 4096);
	assert_int_equal(skewed.min_bytes, 4096);
	assert_int_equal(skewed.max_bytes, 32 << 20);
	assert_true(skewed.skew == 0.5);
}

static void uneven_points(void **state)
{
	const struct uneven skew = { .skew = 0.5 };
	struct point point = {
		.coll = collective_find("alltoallv"), .type = DTYPE_FLOAT, .bytes_requested = 4096, .uneven = &skew
	};

	(void)state;
	point_resize(&point, 4);
	assert_int_equal(point.bytes, 4096);
	assert_int_equal(point.buffer, 4096);
	assert_int_equal(point.shape.count, 256);
	assert_true(point_port_bytes(&point, 4) == 3072);
	point.evened = true;
	point_resize(&point, 4);
	assert_int_equal(point.bytes, 1600);
	point.uneven = NULL;
	point.evened = false;
	point_resize(&point, 4);
	assert_int_equal(point.bytes, 4096);
	assert_int_equal(point.layout.cold, 256);
}

/* One name, other sizes. */
static void matrices_are_named_by_their_file_and_sizes(void **state)
{
	struct uneven uneven, other;
	char error[256];

	(void)state;
	assert_int_equal(parse("0 1000\n2000 0\n", &uneven, error, sizeof error), 0);
	assert_int_equal(parse("0 2000\n1000 0\n", &other, error, sizeof error), 0);
	uneven_name(&uneven, "a/b/moe,1.txt");
	uneven_name(&other, "moe,1.txt");
	assert_string_equal(uneven.variant, "matrix moe_1.txt 2d949191");
	assert_int_equal(strncmp(other.variant, "matrix moe_1.txt ", 17), 0);
	assert_string_not_equal(other.variant, uneven.variant);
	uneven_name(&uneven, "an_expert_s_choice_of_four_thousand_tokens_and_more_of_them.txt");
	assert_string_equal(uneven.variant, "matrix an_expert_s_choice_of_four_thousand_toke 2d949191");
	uneven_close(&uneven);
	uneven_close(&other);
}

static void a_hypercube_s_buffer_is_more_than_its_size(void **state)
{
	struct point point = { .coll = collective_find("hypercube"), .type = DTYPE_FLOAT, .bytes_requested = 4096 };

	(void)state;
	point_resize(&point, 4);
	assert_int_equal(point.bytes, 3072);
	assert_int_equal(point.buffer, 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matrices_are_read),
		cmocka_unit_test(columns_may_be_busier_than_rows),
		cmocka_unit_test(bad_matrices_are_refused_with_their_place),
		cmocka_unit_test(odd_bytes_and_long_rows),
		cmocka_unit_test(sizes_are_the_matrix_s_own_unless_given),
		cmocka_unit_test(uneven_points),
		cmocka_unit_test(matrices_are_named_by_their_file_and_sizes),
		cmocka_unit_test(a_hypercube_s_buffer_is_more_than_its_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
