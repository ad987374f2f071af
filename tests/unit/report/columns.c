/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of columns: the names and order that files promise, units, and cells as text in both directions.
 */
#include "sample.h"

static const struct column *column(const char *name)
{
	int i = column_find(name);

	assert_true(i >= 0);
	return &columns[i];
}

static void names_and_order_are_schema_1(void **state)
{
	static const char *const names[] = {
		"schema",
		"point",
		"points",
		"run",
		"collective",
		"backend",
		"library",
		"path",
		"algo",
		"group",
		"nranks",
		"nnodes",
		"type",
		"redop",
		"root",
		"placement",
		"bytes_requested",
		"bytes",
		"count",
		"timing",
		"sync",
		"iters",
		"dropped",
		"time_us",
		"time_ci_low_us",
		"time_ci_high_us",
		"time_min_us",
		"time_mean_us",
		"time_stddev_us",
		"time_p95_us",
		"time_p99_us",
		"time_max_us",
		"rank_time_min_us",
		"rank_time_avg_us",
		"rank_time_max_us",
		"slowest_rank",
		"algbw_GBps",
		"busbw_GBps",
		"wrong",
		"flags",
		"timestamp",
		"kernel_us",
		"enqueue_us",
		"from",
		"to",
		"load",
		"strategy",
		"bucket_cap",
		"calls",
		"tensors",
		"prefetch",
		"progress",
		"compute_us",
		"comm_us",
		"exposed_us",
		"overlap",
		"variant",
		"imbalance",
		"compute_asked_us",
		"overlap_error",
	};

	(void)state;
	assert_int_equal(column_count, sizeof(names) / sizeof(names[0]));
	for (size_t i = 0; i < column_count; i++) {
		assert_string_equal(columns[i].name, names[i]);
		assert_int_equal(column_find(names[i]), i);
	}
	assert_int_equal(column_find("time"), -1);
	assert_int_equal(column_find(""), -1);
}

/* Every member of the struct has one column of its own: an offset that stands twice would hide another. */
static void every_member_has_a_column(void **state)
{
	(void)state;
	assert_int_equal(column_count * 8, sizeof(struct result));
	for (size_t i = 0; i < column_count; i++)
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(columns[i].offset, columns[j].offset);
}

static void units_are_in_the_names(void **state)
{
	struct result row = sample_row(1048576, 1000, RESULT_OUT_OF_PLACE);
	char buffer[40];

	(void)state;
	/* 1 MiB in 1 ms. */
	assert_string_equal(column_print(column("algbw_GBps"), &row, buffer, sizeof(buffer)), "1.048576");
	assert_string_equal(column_print(column("time_us"), &row, buffer, sizeof(buffer)), "1000");
	for (size_t i = 0; i < column_count; i++) {
		const char *name = columns[i].name;
		const char *unit = strrchr(name, '_');
		bool real = columns[i].type == COLUMN_REAL;
		/* Without a unit: ratios. */
		bool ratio = strncmp(name, "overlap", 7) == 0 || strcmp(name, "imbalance") == 0;

		assert_true((real && !ratio) == (unit && (strcmp(unit, "_us") == 0 || strcmp(unit, "_GBps") == 0)));
		if (ratio)
			assert_true(real && columns[i].scale == 1);
		else if (real)
			assert_true(columns[i].scale == (strcmp(unit, "_us") == 0 ? 1e6 : 1e-9));
	}
}

static void absent_prints_nothing(void **state)
{
	static const double absent[] = { NAN, INFINITY, -INFINITY, 1e308 };
	struct result row;
	char buffer[40];

	(void)state;
	result_clear(&row);
	for (size_t i = 0; i < column_count; i++)
		assert_string_equal(column_print(&columns[i], &row, buffer, sizeof(buffer)), "");
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
		row.time = absent[i];
		assert_string_equal(column_print(column("time_us"), &row, buffer, sizeof(buffer)), "");
		assert_true(isnan(column_real(column("time_us"), &row)));
	}
	row.time = -0.0;
	assert_string_equal(column_print(column("time_us"), &row, buffer, sizeof(buffer)), "0");
}

static void printed_cells_come_back(void **state)
{
	static const int64_t integers[] = { 0, 1, -1, INT64_MAX, INT64_MIN + 1 };
	static const double reals[] = { 1.23456789e-6, 4.2e-12, 1e3, 0.1 };
	struct result row, back;
	char buffer[40];

	(void)state;
	for (size_t i = 0; i < sizeof(integers) / sizeof(integers[0]); i++) {
		row.wrong = integers[i];
		assert_int_equal(
			column_parse(column("wrong"), column_print(column("wrong"), &row, buffer, sizeof(buffer)), &back), 0);
		assert_true(back.wrong == integers[i]);
	}
	for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
		row.time = reals[i];
		assert_int_equal(
			column_parse(column("time_us"), column_print(column("time_us"), &row, buffer, sizeof(buffer)), &back), 0);
		assert_true(fabs(back.time / reals[i] - 1) < 1e-9);
	}
	assert_int_equal(column_parse(column("wrong"), "", &back), 0);
	assert_true(back.wrong == RESULT_NONE);
	assert_int_equal(column_parse(column("time_us"), "", &back), 0);
	assert_true(isnan(back.time));
}

/* Most numbers are not read by strtod, so as to be read faster: they must be the same to the last bit. */
static void numbers_are_what_strtod_makes_of_them(void **state)
{
	const struct column *column = &columns[column_find("time_us")];
	unsigned long long seed = 1;
	char text[40];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct result row;
		int digits = 2 + i % 17, point = i % 5;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		snprintf(text, sizeof(text), "%.*s%s%.*llu", point, "0000", i % 3 ? "." : "", digits, seed >> 8);
		text[digits + point] = '\0';
		result_clear(&row);
		assert_int_equal(column_parse(column, text, &row), 0);
		assert_true(row.time == strtod(text, NULL) / 1e6);
	}
}

static void what_is_no_number_is_refused(void **state)
{
	static const char *const no_integers[] = {
		" ",   "1 ", " 1", "+1", "-", "1.0", "1e3", "0x10", "abc", "9223372036854775808", "-9223372036854775808",
		"1,0", "--1"
	};
	static const char *const no_reals[] = { " ",  "1 ", " 1", "nan",   "inf",   "-inf", "infinity", "0x1p3",
						"1e", "e5", ".",  "1e999", "1.2.3", "1,5",  "1-2",      "1e400" };
	struct result row;

	(void)state;
	row.count = 5;
	row.algbw = 7;
	for (size_t i = 0; i < sizeof(no_integers) / sizeof(no_integers[0]); i++)
		assert_int_equal(column_parse(column("count"), no_integers[i], &row), -1);
	for (size_t i = 0; i < sizeof(no_reals) / sizeof(no_reals[0]); i++)
		assert_int_equal(column_parse(column("algbw_GBps"), no_reals[i], &row), -1);
	/* Finite as printed, not in memory. */
	assert_int_equal(column_parse(column("algbw_GBps"), "1e300", &row), -1);
	assert_true(row.count == 5 && row.algbw == 7);
}

static void flags_are_whole_words(void **state)
{
	struct result row;

	(void)state;
	result_clear(&row);
	assert_false(result_has_flag(&row, RESULT_FLAG_NOISY));
	row.flags = "oversubscribed noisy";
	assert_true(result_has_flag(&row, RESULT_FLAG_NOISY));
	assert_true(result_has_flag(&row, RESULT_FLAG_OVERSUBSCRIBED));
	assert_false(result_has_flag(&row, "over"));
	assert_false(result_has_flag(&row, "subscribed"));
	assert_false(result_has_flag(&row, "noisy noisy"));
	assert_false(result_has_flag(&row, ""));
	row.flags = "  late ";
	assert_true(result_has_flag(&row, RESULT_FLAG_LATE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_order_are_schema_1), cmocka_unit_test(every_member_has_a_column),
		cmocka_unit_test(units_are_in_the_names),       cmocka_unit_test(absent_prints_nothing),
		cmocka_unit_test(printed_cells_come_back),      cmocka_unit_test(what_is_no_number_is_refused),
		cmocka_unit_test(flags_are_whole_words),        cmocka_unit_test(numbers_are_what_strtod_makes_of_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
