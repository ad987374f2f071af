/* SPDX-License-Identifier: Apache-2.0
 *
 * What is held against what, ratios and their intervals, names of series, and which series are shown.
 */
#include "compare_rows.h"

#include "report/compare.h"
#include "report/plot.h"
#include "report/series.h"

static const struct report_options plain = { 0 };

static void a_ratio_has_the_intervals_of_both_times(void **state)
{
	struct point base = { .bytes = 8, .time = 10e-6, .low = 9e-6, .high = 11e-6, .launches = 1 };
	struct point point = { .bytes = 8, .time = 20e-6, .low = 19e-6, .high = 24e-6, .launches = 3, .oversubscribed = true };
	struct compare_point made = compare_points(&base, &point);

	(void)state;
	assert_close(made.ratio, 2);
	assert_close(made.low, 2 * exp(-sqrt(pow(log(20.0 / 19), 2) + pow(log(11.0 / 10), 2))));
	assert_close(made.high, 2 * exp(sqrt(pow(log(24.0 / 20), 2) + pow(log(10.0 / 9), 2))));
	assert_int_equal(made.launches, 3);
	assert_int_equal(made.base_launches, 1);
	assert_true(made.oversubscribed);
	/* Two launches that happen to agree are no surer than each of them; five are. */
	point.launches = 2;
	point.below = log(2);
	point.above = log(3);
	base.launches = 5;
	base.below = base.above = log(4);
	made = compare_points(&base, &point);
	assert_close(made.low, 2 * exp(-sqrt(pow(log(2), 2) + pow(log(11.0 / 10), 2))));
	assert_close(made.high, 2 * exp(sqrt(pow(log(3), 2) + pow(log(10.0 / 9), 2))));
	point.low = point.high = NAN;
	made = compare_points(&base, &point);
	assert_close(made.ratio, 2);
	assert_true(isnan(made.low) && isnan(made.high));
}

static void two_runs_of_two_paths_are_named_by_them(void **state)
{
	struct compared compared = { 0 };
	const struct figure *figure;
	char *csv, *said = NULL;
	size_t size;
	FILE *out;

	(void)state;
	file_begin(&compared, "runs/a/gather.csv");
	file_row(&compared, "gather", "nvlink", 4, 8, 10);
	file_row(&compared, "gather", "nvlink", 4, 64, 10);
	file_row(&compared, "gather", "nvlink", 4, 512, 10);
	file_end(&compared);
	file_begin(&compared, "runs/b/gather.csv");
	file_row(&compared, "gather", "tcp", 4, 8, 25);
	file_row(&compared, "gather", "tcp", 4, 64, 10.5);
	file_row(&compared, "gather", "tcp", 4, 128, 5);
	file_row(&compared, "gather", "tcp", 4, 512, 5);
	file_end(&compared);
	figure = compared_build(&compared, &plain, COLL_GATHER);
	assert_string_equal(figure->series[0].label, "nvlink");
	assert_string_equal(figure->series[1].label, "tcp");
	assert_int_equal(figure->ncomparisons, 1);
	assert_ptr_equal(figure->comparisons[0].base, &figure->series[0]);
	assert_int_equal(figure->comparisons[0].npoints, 3);
	assert_true(figure->comparisons[0].shown);
	csv = written(compare_csv, &compared.study);
	assert_string_equal(csv, "collective,series,baseline,bytes,time_us,baseline_time_us,ratio,ratio_low,ratio_high,launches,"
				 "baseline_launches,flags\r\n"
				 "gather,tcp,nvlink,8,25,10,2.5,2.1688938,2.88165331,1,1,\r\n"
				 "gather,tcp,nvlink,64,10.5,10,1.05,0.910935398,1.21029439,1,1,\r\n"
				 "gather,tcp,nvlink,512,5,10,0.5,0.433778761,0.576330661,1,1,\r\n");
	free(csv);
	out = open_memstream(&said, &size);
	compare_put(out, ESCAPE_PLAIN, &figure->comparisons[0]);
	fclose(out);
	assert_string_equal(said,
			    "tcp takes 0.50 to 2.50 times as long as nvlink: slower at 1 of 3 sizes, faster at 1, not told apart "
			    "at 1.");
	free(said);
	compared_end(&compared);
}

static void each_number_of_ranks_has_its_own_base(void **state)
{
	struct compared compared = { 0 };
	const struct figure *figure;

	(void)state;
	file_begin(&compared, "runs/a/gather.csv");
	file_row(&compared, "gather", "", 4, 8, 20);
	file_row(&compared, "gather", "", 2, 8, 10);
	file_end(&compared);
	file_begin(&compared, "runs/b/gather.csv");
	file_row(&compared, "gather", "", 2, 8, 12);
	file_row(&compared, "gather", "", 4, 8, 22);
	file_row(&compared, "gather", "", 8, 8, 42);
	file_end(&compared);
	figure = compared_build(&compared, &plain, COLL_GATHER);
	assert_int_equal(figure->ncomparisons, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct comparison *comparison = &figure->comparisons[i];

		assert_int_equal(comparison->series->key->nranks, comparison->base->key->nranks);
		assert_string_equal(comparison->base->source, "runs/a/gather.csv");
		assert_string_equal(comparison->series->source, "runs/b/gather.csv");
		assert_close(comparison->points[0].ratio, comparison->base->key->nranks == 2 ? 1.2 : 1.1);
	}
	compared_end(&compared);
}

static void the_fewest_ranks_are_the_base_of_the_others(void **state)
{
	static const int order[] = { 16, 2, 32, 4 };
	struct compared compared = { 0 };
	const struct figure *figure;
	char name[32];

	(void)state;
	for (int i = 0; i < 4; i++) {
		snprintf(name, sizeof name, "runs/n%d/gather.csv", order[i]);
		file_begin(&compared, name);
		file_row(&compared, "gather", "", order[i], 1048576 - order[i], order[i]);
		file_end(&compared);
	}
	figure = compared_build(&compared, &plain, COLL_GATHER);
	assert_int_equal(figure->ncomparisons, 3);
	assert_string_equal(figure->series[0].label, "2 ranks");
	assert_string_equal(figure->series[1].label, "4 ranks");
	assert_string_equal(figure->series[2].label, "16 ranks");
	assert_string_equal(figure->series[3].label, "32 ranks");
	assert_ptr_equal(figure->comparisons[2].base, figure->series);
	assert_close(figure->comparisons[2].points[0].ratio, 16);
	compared_end(&compared);
}

static void a_baseline_comes_first(void **state)
{
	static const struct report_options tcp = { .baseline = "tcp" }, run = { .baseline = "runs/c/" },
					   none = { .baseline = "ib" };
	struct compared compared = { 0 };
	const struct figure *figure;

	(void)state;
	file_begin(&compared, "runs/a/gather.csv");
	file_row(&compared, "gather", "nvlink", 4, 8, 10);
	file_row(&compared, "gather", "tcp", 4, 8, 20);
	file_end(&compared);
	file_begin(&compared, "runs/c/gather.csv");
	file_row(&compared, "gather", "tcp", 4, 8, 40);
	file_end(&compared);
	figure = compared_build(&compared, &tcp, COLL_GATHER);
	assert_true(compare_knows_baseline(&compared.study));
	assert_string_equal(figure->series[0].label, "a tcp");
	study_clear(&compared.study);
	figure = compared_build(&compared, &run, COLL_GATHER);
	assert_true(compare_knows_baseline(&compared.study));
	assert_string_equal(figure->series[0].label, "c tcp");
	assert_int_equal(figure->ncomparisons, 2);
	assert_close(figure->comparisons[1].points[0].ratio, 0.5);
	study_clear(&compared.study);
	compared_build(&compared, &none, COLL_GATHER);
	assert_false(compare_knows_baseline(&compared.study));
	compared_end(&compared);
}

static void a_baseline_has_many_names(void **state)
{
	const struct result row = { .path = "tcp",
				    .algo = "ring",
				    .group = "",
				    .backend = "mpi",
				    .library = "",
				    .type = "float",
				    .nranks = 8,
				    .variant = "" };
	static const char *const good[] = { "x/runs/a/gather.csv",
					    "x/runs/a/gather",
					    "gather.csv",
					    "gather",
					    "x/runs/a",
					    "x/runs/a/",
					    "a",
					    "a/",
					    "tcp",
					    "ring",
					    "mpi",
					    "float",
					    "8",
					    "8 ranks" };
	static const char *const bad[] = { "", "runs", "runs/a", "gath", "x", "tc", "tcp ", "80", "ranks", "/" };

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		if (!compare_names(good[i], "x/runs/a/gather.csv", &row))
			fail_msg("'%s' is not known", good[i]);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (compare_names(bad[i], "x/runs/a/gather.csv", &row))
			fail_msg("'%s' is known", bad[i]);
	}
}

static void types_are_compared_where_nothing_else_is(void **state)
{
	static const char *const types[] = { "float", "int32", "double" };
	struct compared compared = { 0 };
	const struct figure *figure;

	(void)state;
	for (int path = 0; path < 2; path++) {
		file_begin(&compared, "run/all_reduce.csv");
		for (int i = 0; i < 3; i++)
			fprintf(compared.out, "1,r%d,all_reduce,sim,,%s,,,4,%s,sum,out-of-place,8,%d,,,1,0,\n", path,
				path ? "tcp" : "", types[i], 10 + i);
		file_end(&compared);
		figure = compared_build(&compared, &plain, COLL_ALL_REDUCE);
		assert_int_equal(figure->mixed, path == 0);
		assert_int_equal(figure->nshown, path == 0 ? 3 : 2);
		assert_string_equal(figure->series[1].label, path == 0 ? "int32" : "tcp");
		assert_string_equal(figure->comparisons[0].base->key->type, "float");
		assert_close(figure->comparisons[0].points[0].ratio, path == 0 ? 1.1 : 1);
		study_clear(&compared.study);
	}
	compared_end(&compared);
}

static void in_place_is_held_against_in_place(void **state)
{
	struct compared compared = { 0 };
	const struct figure *figure;

	(void)state;
	file_begin(&compared, "run/gather.csv");
	for (int i = 0; i < 2; i++) {
		fprintf(compared.out, "1,r1,gather,sim,,p%d,,,4,float,,out-of-place,8,%d,,,1,0,\n", i, 10 + i);
		fprintf(compared.out, "1,r1,gather,sim,,p%d,,,4,float,,in-place,8,%d,,,1,0,\n", i, 20 + i);
	}
	file_end(&compared);
	figure = compared_build(&compared, &plain, COLL_GATHER);
	assert_int_equal(figure->nshown, 4);
	assert_int_equal(figure->ncomparisons, 2);
	assert_true(figure->comparisons[0].shown);
	assert_false(figure->comparisons[1].shown);
	assert_close(figure->comparisons[1].points[0].ratio, 1.05);
	assert_int_equal(compare_shown(figure), 1);
	compared_end(&compared);
}

static void the_most_different_are_shown(void **state)
{
	static const double times[] = { 10, 10.1, 10.2, 10.3, 100, 50, 25, 10.4, 200, 12 };
	struct compared compared = { 0 };
	const struct figure *figure;
	char path[8];

	(void)state;
	file_begin(&compared, "run/gather.csv");
	for (int i = 0; i < 10; i++) {
		snprintf(path, sizeof path, "p%d", i);
		file_row(&compared, "gather", path, 4, 8, times[i]);
	}
	file_end(&compared);
	figure = compared_build(&compared, &plain, COLL_GATHER);
	assert_int_equal(figure->nshown, STUDY_SHOWN_SERIES);
	assert_string_equal(figure->series[0].label, "p0");
	assert_string_equal(figure->series[1].label, "p4");
	assert_string_equal(figure->series[2].label, "p5");
	assert_string_equal(figure->series[3].label, "p6");
	assert_string_equal(figure->series[4].label, "p8");
	assert_string_equal(figure->series[5].label, "p9");
	assert_string_equal(figure->series[6].label, "p1");
	assert_int_equal(figure->ncomparisons, 9);
	assert_int_equal(compare_shown(figure), 5);
	compared_end(&compared);
}

static void labels_say_no_more_than_they_must(void **state)
{
	static const struct {
		const char *source, *library, *path, *label;
	} runs[][2] = {
		{ { "old/gather.csv", "A 1", "", "old" }, { "new/gather.csv", "A 2", "", "new" } },
		{ { "old/gather.csv", "A 1", "tcp", "tcp" }, { "new/gather.csv", "A 2", "ib", "ib" } },
		{ { "run/one.csv", "", "", "one" }, { "run/two.csv", "", "", "two" } },
		{ { "a/x/gather.csv", "", "", "a/x" }, { "b/x/gather.csv", "", "", "b/x" } },
		{ { "run/gather.csv", "A 1", "", "A 1" }, { "run/gather.csv", "A 2", "", "A 2" } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct compared compared = { 0 };
		const struct figure *figure;

		for (int k = 0; k < 2; k++) {
			file_begin(&compared, runs[i][k].source);
			fprintf(compared.out, "1,r%d,gather,sim,%s,%s,,,4,float,,out-of-place,8,10,,,1,0,\n", k,
				runs[i][k].library, runs[i][k].path);
			file_end(&compared);
		}
		figure = compared_build(&compared, &plain, COLL_GATHER);
		assert_string_equal(figure->series[0].label, runs[i][0].label);
		assert_string_equal(figure->series[1].label, runs[i][1].label);
		compared_end(&compared);
	}
}

static void scripts_and_data_hold_what_is_compared(void **state)
{
	struct compared compared = { 0 };
	const struct figure *figure;
	char *text = NULL;
	size_t size;
	FILE *out;

	(void)state;
	file_begin(&compared, "run/gather.csv");
	file_row(&compared, "gather", "\"`x`\"", 4, 8, 10);
	file_row(&compared, "gather", "$(x);", 4, 8, 20);
	file_end(&compared);
	figure = compared_build(&compared, &plain, COLL_GATHER);
	assert_true(plot_has(figure, PLOT_RATIO));
	assert_false(plot_has(figure, PLOT_SCALING));
	assert_string_equal(plot_file(figure->coll, PLOT_RATIO, "svg").text, "gather_ratio.svg");
	out = open_memstream(&text, &size);
	plot_script(out, figure, PLOT_RATIO);
	fclose(out);
	assert_non_null(strstr(text, "\nlabel[1] = \"??x??\"\n"));
	assert_non_null(strstr(text, "\nbase = \"?x?\"\n"));
	assert_non_null(strstr(text, "\nshade[1] = 2\n"));
	assert_null(strpbrk(text, "`$("));
	free(text);
	compared_end(&compared);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ratio_has_the_intervals_of_both_times),
		cmocka_unit_test(two_runs_of_two_paths_are_named_by_them),
		cmocka_unit_test(each_number_of_ranks_has_its_own_base),
		cmocka_unit_test(the_fewest_ranks_are_the_base_of_the_others),
		cmocka_unit_test(a_baseline_comes_first),
		cmocka_unit_test(a_baseline_has_many_names),
		cmocka_unit_test(types_are_compared_where_nothing_else_is),
		cmocka_unit_test(in_place_is_held_against_in_place),
		cmocka_unit_test(the_most_different_are_shown),
		cmocka_unit_test(labels_say_no_more_than_they_must),
		cmocka_unit_test(scripts_and_data_hold_what_is_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
