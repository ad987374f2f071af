/* SPDX-License-Identifier: Apache-2.0
 *
 * Which alpha and B hold for a row, what the models make of them, and what is kept out of comparisons.
 */
#include "study_rows.h"

#include "report/overview.h"
#include "report/tables.h"

static const struct report_options fitted = { 0 };
static const struct report_options given = { .given = true, .alpha = 5e-6, .bandwidth = 100e9 };

static void given_values_make_the_published_bounds(void **state)
{
	struct study_text text;
	struct studied studied;
	struct bounds bounds;

	(void)state;
	study_text_open(&text);
	/* 8 ranks, 1 MiB: ring 88.3501 us, ideal tree 50.9715 us, lower bound 18.3501 us. */
	fputs("1,,,r1,all_reduce,sim,,8,float,sum,out-of-place,1048576,176.7002,,,20,0,\n", text.out);
	study_read(&text, &given, &studied);
	bounds = study_row_bounds(&studied.study, 0);
	assert_close(bounds.ring, 70e-6 + 1.75 * 1048576 / 100e9);
	assert_close(bounds.tree, 30e-6 + 2.0 * 1048576 / 100e9);
	assert_close(bounds.lb, 1.75 * 1048576 / 100e9);
	assert_string_equal(tables_origin(&studied.study.machines[0]), "command line");
	study_end(&studied);
}

static void efficiency_is_bound_over_measured(void **state)
{
	struct study_text text;
	struct studied studied;
	const struct figure *figure;
	struct overview overview;

	(void)state;
	study_text_open(&text);
	fputs("1,,,r1,all_reduce,sim,,8,float,sum,out-of-place,1024,200,,,1,0,\n"
	      "1,,,r1,all_reduce,sim,,8,float,sum,out-of-place,1048576,176.7001,,,20,0,\n",
	      text.out);
	study_read(&text, &given, &studied);
	figure = &studied.study.figures[COLL_ALL_REDUCE];
	overview = overview_of(figure, &figure->series[0]);
	assert_close(overview.efficiency, 88.35008 / 176.7001);
	assert_true(overview.efficiency < 1);
	assert_close(overview.efficiency_bytes, 1048576);
	assert_close(overview.latency, 200e-6);
	assert_close(overview.latency_bytes, 1024);
	assert_close(overview.peak, 1.75 * 1048576 / 176.7001e-6);
	assert_close(overview.peak_bytes, 1048576);
	study_end(&studied);
}

/* The last two fields of the line of row i in bounds.csv. */
static void table_efficiencies(const struct study *study, size_t i, char *lower, char *ring)
{
	char *table = NULL;
	size_t size;
	FILE *out = open_memstream(&table, &size);
	char *line, *comma;

	tables_bounds(out, study);
	fclose(out);
	line = table;
	for (size_t skip = 0; skip <= i; skip++)
		line = strstr(line, "\r\n") + 2;
	*strstr(line, "\r\n") = '\0';
	comma = strrchr(line, ',');
	snprintf(ring, 32, "%s", comma + 1);
	*comma = '\0';
	snprintf(lower, 32, "%s", strrchr(line, ',') + 1);
	free(table);
}

static void the_table_says_the_same(void **state)
{
	struct study_text text;
	struct studied studied;
	char lower[32], ring[32];

	(void)state;
	study_text_open(&text);
	fputs("1,,,r1,all_reduce,sim,,8,float,sum,out-of-place,1048576,176.7001,,,20,0,\n"
	      "1,,,r1,all_reduce,sim,,8,float,sum,out-of-place,2097152,176.7001,,,20,0,oversubscribed\n"
	      "1,,,r1,no_such,sim,,8,float,sum,out-of-place,2097152,176.7001,,,20,0,\n",
	      text.out);
	study_read(&text, &given, &studied);
	table_efficiencies(&studied.study, 0, lower, ring);
	assert_close(strtod(lower, NULL), 18.35008 / 176.7001);
	assert_close(strtod(ring, NULL), 88.35008 / 176.7001);
	for (size_t i = 1; i < 3; i++) {
		table_efficiencies(&studied.study, i, lower, ring);
		assert_string_equal(lower, "");
		assert_string_equal(ring, "");
	}
	study_end(&studied);
}

static void each_path_has_its_own_fit(void **state)
{
	struct study_text text;
	struct studied studied;

	(void)state;
	study_text_open(&text);
	study_sendrecv(&text, "sm", 2, 0.5e-6, 8e9);
	study_sendrecv(&text, "tcp", 2, 20e-6, 1e9);
	study_sendrecv(&text, "tcp", 4, 40e-6, 1e9);
	fputs("1,,,r1,all_reduce,sim,tcp,2,float,sum,out-of-place,8,50,,,1,0,\n"
	      "1,,,r1,all_reduce,sim,ib,2,float,sum,out-of-place,8,50,,,1,0,\n",
	      text.out);
	study_read(&text, &fitted, &studied);
	assert_int_equal(studied.study.nmachines, 4);
	assert_close(studied.study.machines[0].alpha, 0.5e-6);
	assert_close(studied.study.machines[1].alpha, 20e-6);
	assert_close(studied.study.machines[2].alpha, 40e-6);
	assert_close(study_machine(&studied.study, 63)->bandwidth, 1e9);
	assert_close(study_row_bounds(&studied.study, 63).ring, 2 * 20e-6 + 8 / 1e9);
	/* Another path's values are not borrowed. */
	assert_true(isnan(study_row_bounds(&studied.study, 64).ring));
	assert_true(study_found(&studied, FINDING_NOTE, "no bounds for 2 ranks over ib"));
	study_end(&studied);
}

static void rows_that_mislead_do_not_take_part_in_the_fit(void **state)
{
	struct study_text text;
	struct studied studied;

	(void)state;
	study_text_open(&text);
	study_sendrecv(&text, "", 2, 5e-6, 2e9);
	fputs("1,,,r1,sendrecv,sim,,2,float,,in-place,16,900,,,1,0,\n"
	      "1,,,r1,sendrecv,sim,,2,float,,out-of-place,0,900,,,,0,\n"
	      "1,,,r2,sendrecv,sim,,2,float,,out-of-place,16,900,,,1,0,oversubscribed\n",
	      text.out);
	study_read(&text, &fitted, &studied);
	assert_int_equal(studied.study.machines[0].fit_rows, 21);
	assert_close(studied.study.machines[0].alpha, 5e-6);
	assert_true(study_found(&studied, FINDING_WARNING, "1 of 24 points ran more ranks than cores"));
	study_end(&studied);
}

static void one_rank_has_no_bounds(void **state)
{
	struct study_text text;
	struct studied studied;

	(void)state;
	study_text_open(&text);
	fputs("1,,,r1,all_reduce,sim,,1,float,sum,out-of-place,1024,1,,,,0,\n"
	      "1,,,r1,all_reduce,sim,,2000000000,float,sum,out-of-place,1024,1,,,,0,\n",
	      text.out);
	study_read(&text, &given, &studied);
	assert_true(isnan(study_row_bounds(&studied.study, 0).lb));
	assert_true(isnan(study_row_bounds(&studied.study, 1).lb));
	assert_true(study_found(&studied, FINDING_NOTE, "1 rows of one rank"));
	study_end(&studied);
}

static void faster_than_possible_is_said(void **state)
{
	struct study_text text;
	struct studied studied;

	(void)state;
	study_text_open(&text);
	/* The lower bound is 18.35 us: 18.2 is within 2 %, 9 is not. */
	fputs("1,,,r1,all_reduce,sim,,8,float,sum,out-of-place,1048576,18.2,,,,0,\n", text.out);
	study_read(&text, &given, &studied);
	assert_int_equal(studied.findings.count, 0);
	study_end(&studied);
	study_text_open(&text);
	fputs("1,,,r1,all_reduce,sim,,8,float,sum,out-of-place,1048576,9,,,1,0,\n", text.out);
	study_read(&text, &given, &studied);
	assert_true(study_found(&studied, FINDING_WARNING, "above bound"));
	assert_true(study_found(&studied, FINDING_WARNING, "all_reduce 1 of 1 points (up to 2.04 times, at 1 MiB)"));
	study_end(&studied);
}

static void a_poor_fit_makes_rough_bounds(void **state)
{
	struct study_text text;
	struct studied studied;

	(void)state;
	study_text_open(&text);
	for (int i = 0; i <= 20; i++)
		fprintf(text.out, "1,,,r1,sendrecv,sim,,4,float,,out-of-place,%.0f,%.9g,,,1,0,\n", ldexp(8, i),
			(5 + ldexp(8, i) / 1e3) * (i % 2 ? 1.3 : 0.7));
	fputs("1,,,r1,gather,sim,,4,float,,out-of-place,1048576,550,,,1,0,\n"
	      "1,,,r1,gather,sim,,4,float,,out-of-place,2097152,9000,,,1,0,\n",
	      text.out);
	study_read(&text, &fitted, &studied);
	assert_int_equal(studied.study.machines[0].fit.verdict, FIT_POOR);
	assert_int_equal(studied.study.figures[COLL_GATHER].above, 1);
	assert_true(study_found(&studied, FINDING_NOTE, "faster than the rough lower bound"));
	assert_true(study_found(&studied, FINDING_NOTE, "gather 1 of 2 points"));
	assert_false(study_found(&studied, FINDING_WARNING, "above bound"));
	study_end(&studied);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(given_values_make_the_published_bounds),
		cmocka_unit_test(efficiency_is_bound_over_measured),
		cmocka_unit_test(the_table_says_the_same),
		cmocka_unit_test(each_path_has_its_own_fit),
		cmocka_unit_test(rows_that_mislead_do_not_take_part_in_the_fit),
		cmocka_unit_test(one_rank_has_no_bounds),
		cmocka_unit_test(faster_than_possible_is_said),
		cmocka_unit_test(a_poor_fit_makes_rough_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
