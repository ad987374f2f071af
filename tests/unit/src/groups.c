/* SPDX-License-Identifier: Apache-2.0
 *
 * Splits: how they are written, and which ranks they put together.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "src/groups.h"

static const struct {
	const char *text;
	enum split_op op;
	uint64_t value;
} good[] = {
	{ "MOD 8", SPLIT_MOD, 8 },
	{ "mod 8", SPLIT_MOD, 8 },
	{ "Mod8", SPLIT_MOD, 8 },
	{ "% 8", SPLIT_MOD, 8 },
	{ "%8", SPLIT_MOD, 8 },
	{ "  MOD   8  ", SPLIT_MOD, 8 },
	{ "AND 0x7", SPLIT_AND, 7 },
	{ "AND 0XfF", SPLIT_AND, 255 },
	{ "& 0b101", SPLIT_AND, 5 },
	{ "AND 0", SPLIT_AND, 0 },
	{ "OR 1", SPLIT_OR, 1 },
	{ "| 1", SPLIT_OR, 1 },
	{ "|0", SPLIT_OR, 0 },
	{ "DIV 4", SPLIT_DIV, 4 },
	{ "/0B100", SPLIT_DIV, 4 },
	{ "DIV\t010", SPLIT_DIV, 10 },
	{ "AND 18446744073709551615", SPLIT_AND, UINT64_MAX },
	{ "AND 0xffffffffffffffff", SPLIT_AND, UINT64_MAX },
};

static const char *const bad[] = {
	"",
	" ",
	"8",
	"MOD",
	"MOD ",
	"MODULO 8",
	"XOR 1",
	"MOD 8 8",
	"MOD 8x",
	"MOD -1",
	"MOD +1",
	"MOD 1.5",
	"MOD 0x",
	"MOD 0b",
	"MOD 0b2",
	"MOD 0xg",
	"^ 1",
	"%% 8",
	"MO 8",
	"AND,7",
	"MOD 8;",
	"MOD\n8",
	"8 MOD",
	"AND 0x0x7",
	"AND 18446744073709551616",
	"AND 0x10000000000000000",
	"MOD 1K",
};

static void splits_as_people_write_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct split split = { SPLIT_NONE, 99 };
		bool is_zero = true;

		if (split_parse(good[i].text, &split, &is_zero) || is_zero || split.op != good[i].op ||
		    split.value != good[i].value)
			fail_msg("'%s': %d %llu", good[i].text, (int)split.op, (unsigned long long)split.value);
	}
}

static void other_texts_are_refused_and_leave_the_split_alone(void **state)
{
	struct split split = { SPLIT_OR, 99 };
	bool is_zero = true;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (split_parse(bad[i], &split, &is_zero) != -1 || is_zero)
			fail_msg("'%s' is accepted", bad[i]);
		assert_true(split.op == SPLIT_OR && split.value == 99);
	}
}

static void nothing_is_divided_by_zero(void **state)
{
	static const char *const zeros[] = { "MOD 0", "DIV 0", "% 0x0", "/0b0", "mod 000" };
	struct split split = { SPLIT_OR, 99 };

	(void)state;
	for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) {
		bool is_zero = false;

		assert_int_equal(split_parse(zeros[i], &split, &is_zero), -1);
		assert_true(is_zero && split.op == SPLIT_OR);
	}
}

static void check_groups(enum split_op op, uint64_t value, int nranks, int count, const int *of, const int *rank)
{
	struct groups groups;
	int sizes[16] = { 0 };

	assert_int_equal(groups_open(&groups, &(struct split){ op, value }, nranks), 0);
	assert_int_equal(groups.nranks, nranks);
	assert_int_equal(groups.count, count);
	for (int i = 0; i < nranks; i++) {
		assert_int_equal(groups.of[i], of[i]);
		assert_int_equal(groups.rank[i], rank[i]);
		if (rank[i] == 0)
			assert_int_equal(groups.first[of[i]], i);
		sizes[of[i]]++;
	}
	for (int group = 0; group < count; group++) {
		assert_int_equal(groups.size[group], sizes[group]);
		assert_true(groups.least <= sizes[group] && groups.most >= sizes[group]);
	}
	groups_close(&groups);
	assert_null(groups.of);
}

static void groups_of_each_operator(void **state)
{
	(void)state;
	check_groups(SPLIT_NONE, 0, 4, 1, (int[]){ 0, 0, 0, 0 }, (int[]){ 0, 1, 2, 3 });
	check_groups(SPLIT_MOD, 3, 8, 3, (int[]){ 0, 1, 2, 0, 1, 2, 0, 1 }, (int[]){ 0, 0, 0, 1, 1, 1, 2, 2 });
	check_groups(SPLIT_MOD, 1, 3, 1, (int[]){ 0, 0, 0 }, (int[]){ 0, 1, 2 });
	check_groups(SPLIT_MOD, UINT64_MAX, 3, 3, (int[]){ 0, 1, 2 }, (int[]){ 0, 0, 0 });
	check_groups(SPLIT_DIV, 3, 8, 3, (int[]){ 0, 0, 0, 1, 1, 1, 2, 2 }, (int[]){ 0, 1, 2, 0, 1, 2, 0, 1 });
	check_groups(SPLIT_DIV, 8, 3, 1, (int[]){ 0, 0, 0 }, (int[]){ 0, 1, 2 });
	check_groups(SPLIT_AND, 2, 8, 2, (int[]){ 0, 0, 1, 1, 0, 0, 1, 1 }, (int[]){ 0, 1, 0, 1, 2, 3, 2, 3 });
	check_groups(SPLIT_AND, 0, 3, 1, (int[]){ 0, 0, 0 }, (int[]){ 0, 1, 2 });
	check_groups(SPLIT_OR, 1, 6, 3, (int[]){ 0, 0, 1, 1, 2, 2 }, (int[]){ 0, 1, 0, 1, 0, 1 });
	check_groups(SPLIT_OR, 4, 6, 4, (int[]){ 0, 1, 2, 3, 0, 1 }, (int[]){ 0, 0, 0, 0, 1, 1 });
	check_groups(SPLIT_OR, UINT64_MAX, 3, 1, (int[]){ 0, 0, 0 }, (int[]){ 0, 1, 2 });
	check_groups(SPLIT_NONE, 0, 1, 1, (int[]){ 0 }, (int[]){ 0 });
}

static void least_and_most(void **state)
{
	struct groups groups;

	(void)state;
	assert_int_equal(groups_open(&groups, &(struct split){ SPLIT_DIV, 5 }, 12), 0);
	assert_true(groups.least == 2 && groups.most == 5 && groups.count == 3);
	groups_close(&groups);
}

/* The time of a search through all groups for every rank would be hours. */
static void a_million_groups(void **state)
{
	struct groups groups;
	const int n = 1 << 20;

	(void)state;
	assert_int_equal(groups_open(&groups, &(struct split){ SPLIT_MOD, 1 << 19 }, n), 0);
	assert_int_equal(groups.count, 1 << 19);
	for (int i = 0; i < n; i++)
		assert_true(groups.of[i] == i % (1 << 19) && groups.rank[i] == i >> 19);
	groups_close(&groups);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splits_as_people_write_them),
		cmocka_unit_test(other_texts_are_refused_and_leave_the_split_alone),
		cmocka_unit_test(nothing_is_divided_by_zero),
		cmocka_unit_test(groups_of_each_operator),
		cmocka_unit_test(least_and_most),
		cmocka_unit_test(a_million_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
