/* SPDX-License-Identifier: Apache-2.0
 *
 * Which series make a scaling, the sizes that it is drawn at, and what its figures are made from.
 */
#include "compare_rows.h"

#include "report/plot.h"
#include "report/plot_parts.h"
#include "report/scaling.h"

static const struct report_options plain = { 0 };
static const struct report_options known = { .given = true, .alpha = 2e-6, .bandwidth = 10e9 };

/* A folder a number of ranks, a time of `nranks` us at 8 bytes and of one more at each further power of 8. */
static void sweep(struct compared *compared, const char *run, int nranks, int first, int last)
{
	char name[64];

	snprintf(name, sizeof name, "%s%d/all_gather.csv", run, nranks);
	file_begin(compared, name);
	for (int e = first; e <= last; e++)
		file_row(compared, "all_gather", "", nranks, pow(8, e), nranks + e - 1);
	file_end(compared);
}

static void folders_of_one_number_each_make_a_scaling(void **state)
{
	struct compared compared = { 0 };
	const struct figure *figure;
	const struct scaling *scaling;

	(void)state;
	sweep(&compared, "n", 16, 3, 9);
	sweep(&compared, "n", 2, 1, 9);
	sweep(&compared, "n", 4, 2, 8);
	figure = compared_build(&compared, &plain, COLL_ALL_GATHER);
	assert_int_equal(figure->nscalings, 1);
	scaling = figure->scalings;
	assert_int_equal(scaling->count, 3);
	for (size_t s = 0; s < 3; s++)
		assert_int_equal(scaling->series[s]->key->nranks, s == 0 ? 2 : s == 1 ? 4 : 16);
	/* 8^3 to 8^8 are shared by all. */
	assert_int_equal(scaling->nbytes, 6);
	assert_close(scaling->bytes[0], 512);
	assert_close(scaling->bytes[5], pow(8, 8));
	assert_int_equal(scaling->nsizes, 4);
	assert_close(scaling->sizes[0], 512);
	assert_true(scaling->sizes[1] == pow(8, 4) || scaling->sizes[1] == pow(8, 5));
	assert_close(scaling->sizes[3], pow(8, 8));
	assert_true(scaling->shown);
	assert_string_equal(scaling->label, "");
	compared_end(&compared);
}

static void two_numbers_of_ranks_make_none(void **state)
{
	struct compared compared = { 0 };
	const struct figure *figure;

	(void)state;
	sweep(&compared, "a", 2, 1, 4);
	sweep(&compared, "a", 4, 1, 4);
	sweep(&compared, "b", 4, 1, 4);
	figure = compared_build(&compared, &plain, COLL_ALL_GATHER);
	assert_int_equal(figure->nscalings, 0);
	assert_false(plot_has(figure, PLOT_SCALING));
	study_clear(&compared.study);
	sweep(&compared, "a", 8, 1, 4);
	figure = compared_build(&compared, &plain, COLL_ALL_GATHER);
	assert_int_equal(figure->nscalings, 1);
	assert_int_equal(figure->scalings[0].count, 3);
	assert_int_equal(figure->scalings[0].left_out, 1);
	study_clear(&compared.study);
	/* No size in common with the others. */
	sweep(&compared, "c", 16, 6, 7);
	figure = compared_build(&compared, &plain, COLL_ALL_GATHER);
	assert_int_equal(figure->nscalings, 0);
	compared_end(&compared);
}

static void files_of_all_numbers_stay_apart(void **state)
{
	static const char *const paths[] = { "tcp", "nvlink", "pcie", "ib", "roce" };
	struct compared compared = { 0 };
	const struct figure *figure;

	(void)state;
	for (int file = 0; file < 5; file++) {
		char name[64];

		snprintf(name, sizeof name, "run%d/all_gather.csv", file);
		file_begin(&compared, name);
		for (int nranks = 2; nranks <= 8; nranks *= 2) {
			file_row(&compared, "all_gather", paths[file], nranks, 64, nranks);
			/* One rank more or less in the blocks: S is rounded down. */
			file_row(&compared, "all_gather", paths[file], nranks, 1048576 - 16 * nranks, 100);
		}
		file_end(&compared);
	}
	figure = compared_build(&compared, &plain, COLL_ALL_GATHER);
	assert_int_equal(figure->nscalings, 5);
	assert_int_equal(scaling_shown(figure), SCALING_SHOWN);
	assert_string_equal(figure->scalings[0].label, "tcp");
	assert_string_equal(figure->scalings[1].label, "nvlink");
	assert_int_equal(figure->scalings[0].nbytes, 2);
	assert_int_equal(figure->scalings[0].nsizes, 2);
	assert_string_equal(plot_file(figure->coll, PLOT_SCALING, "svg").text, "all_gather_scaling_time.svg");
	assert_string_equal(plot_file(figure->coll, PLOT_SCALING + 5, "png").text, "all_gather_scaling3_busbw.png");
	assert_true(plot_has(figure, PLOT_SCALING + 5));
	compared_end(&compared);
}

static void runs_beside_each_other_are_not_mixed(void **state)
{
	struct compared compared = { 0 };
	const struct figure *figure;

	(void)state;
	for (int file = 0; file < 2; file++) {
		file_begin(&compared, file ? "new/all_gather.csv" : "old/all_gather.csv");
		for (int nranks = 2; nranks <= 8; nranks *= 2)
			file_row(&compared, "all_gather", "", nranks, 64, nranks + file);
		file_end(&compared);
	}
	figure = compared_build(&compared, &plain, COLL_ALL_GATHER);
	assert_int_equal(figure->nscalings, 2);
	assert_string_equal(figure->scalings[0].label, "old");
	assert_string_equal(figure->scalings[1].label, "new");
	assert_string_equal(figure->scalings[1].series[2]->source, "new/all_gather.csv");
	assert_int_equal(figure->scalings[0].left_out, 0);
	compared_end(&compared);
}

static void the_table_holds_times_and_models(void **state)
{
	struct compared compared = { 0 };
	char *csv;

	(void)state;
	file_begin(&compared, "run/all_gather.csv");
	for (int nranks = 1; nranks <= 4; nranks *= 2)
		file_row(&compared, "all_gather", "tcp", nranks, 4e4, 10 * nranks);
	file_end(&compared);
	compared_build(&compared, &known, COLL_ALL_GATHER);
	csv = written(scaling_csv, &compared.study);
	/* The ring takes (p - 1) alpha + (p - 1) / p S / B, nothing less than log2(p) alpha or the second term. */
	assert_non_null(strstr(csv, "\r\nall_gather,,1,,40000,10,9,11,1,,,,\r\n"));
	assert_non_null(strstr(csv, "\r\nall_gather,,2,,40000,20,18,22,1,2,4,"));
	assert_non_null(strstr(csv, "\r\nall_gather,,4,,40000,40,36,44,0.75,4,9,"));
	free(csv);
	compared_end(&compared);
}

static void figures_are_made_from_numbers(void **state)
{
	struct compared compared = { 0 };
	const struct figure *figure;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	file_begin(&compared, "run/all_gather.csv");
	for (int nranks = 2; nranks <= 16; nranks++)
		file_row(&compared, "all_gather", "$(`x`)", nranks, 40000, 10 * nranks);
	file_end(&compared);
	figure = compared_build(&compared, &known, COLL_ALL_GATHER);
	plot_scaling_data(out, figure, PLOT_SCALING);
	fflush(out);
	assert_non_null(strstr(text, "\n2 40000 20 18 22 1 0.909090909 1.11111111 2 4 "));
	assert_non_null(strstr(text, "\n4 40000 40 36 44 0.75 0.681818182 0.833333333 4 9 "));
	plot_script(out, figure, PLOT_SCALING);
	plot_script(out, figure, PLOT_SCALING + 1);
	fclose(out);
	assert_non_null(strstr(text, "\ndata = \"all_gather_scaling.dat\"\nfile = \"all_gather_scaling_time.\"\n"));
	assert_non_null(strstr(text, "\ntic[1] = 2\ntic[2] = 16\ntic[3] = 4\ntic[4] = 8\n"));
	assert_non_null(strstr(text, "\nhas_ring = 1\n"));
	assert_non_null(strstr(text, "\nbusbw = 0\n"));
	assert_non_null(strstr(text, "\nbusbw = 1\n"));
	assert_null(strpbrk(text, "`$("));
	free(text);
	compared_end(&compared);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folders_of_one_number_each_make_a_scaling),
		cmocka_unit_test(two_numbers_of_ranks_make_none),
		cmocka_unit_test(files_of_all_numbers_stay_apart),
		cmocka_unit_test(runs_beside_each_other_are_not_mixed),
		cmocka_unit_test(the_table_holds_times_and_models),
		cmocka_unit_test(figures_are_made_from_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
