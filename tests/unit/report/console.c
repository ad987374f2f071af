/* SPDX-License-Identifier: Apache-2.0
 *
 * The console formats against texts written by hand after nccl-tests' table: widths, roundings, joined placements, '#' lines.
 */
#include "sample.h"

static char *table(const struct run_info *info, const struct result *rows, size_t nrows)
{
	struct run_summary summary = sample_summary();

	return sample_written(&writer_console, info, rows, nrows, &summary);
}

/* The n-th line without '#', from 0; ends the text behind it. */
static char *table_row(char *text, size_t n)
{
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (line[0] != '#' && n-- == 0)
			return line;
	return NULL;
}

static void whole_table_is_as_in_nccl_tests(void **state)
{
	static const char *const before[] = { "a note before" };
	static const char *const after[] = { "a note after" };
	struct run_info info = sample_info();
	struct run_summary summary = sample_summary();
	struct result rows[] = {
		sample_row(8, 12.25, RESULT_OUT_OF_PLACE),          sample_row(8, 11.5, RESULT_IN_PLACE),
		sample_row(1048576, 1000, RESULT_OUT_OF_PLACE),     sample_row(1048576, 12345.6, RESULT_IN_PLACE),
		sample_row(8589934592, 64000, RESULT_OUT_OF_PLACE), sample_row(8589934592, 1234567.8, RESULT_IN_PLACE),
	};
	char *golden = sample_read("tests/data/table.txt");
	char *text;

	(void)state;
	info.notes = before;
	info.nnotes = 1;
	summary.notes = after;
	summary.nnotes = 1;
	summary.wrong = 3;
	rows[3].wrong = 3;
	text = sample_written(&writer_console, &info, rows, 6, &summary);
	assert_string_equal(text, golden);
	free(text);
	free(golden);
}

/* The example row of nccl-tests, with #wrong not checked in place. */
static void absent_check_is_not_available(void **state)
{
	struct run_info info = sample_info();
	struct result rows[] = { sample_row(128, 23.97, RESULT_OUT_OF_PLACE), sample_row(128, 22.42, RESULT_IN_PLACE) };
	char *text;

	(void)state;
	for (int i = 0; i < 2; i++) {
		rows[i].count = 4;
		rows[i].redop = "";
		rows[i].busbw = 0;
	}
	rows[1].wrong = RESULT_NONE;
	text = table(&info, rows, 2);
	assert_string_equal(table_row(text, 0), "         128             4     float    none      -1    23.97    0.01    0.00   "
						"    0    22.42    0.01    0.00    N/A");
	free(text);
	rows[0].wrong = RESULT_NONE;
	text = table(&info, rows, 2);
	assert_string_equal(table_row(text, 0), "         128             4     float    none      -1    23.97    0.01    0.00   "
						" N/A    22.42    0.01    0.00    N/A");
	free(text);
}

static void numbers_keep_to_their_width(void **state)
{
	static const struct {
		double time_us, bandwidth;
		const char *cells;
	} cases[] = {
		{ 0.004, 0.004, "     0.00    0.00    0.00       0" },
		{ 9999.99, 999.99, "  9999.99  999.99  999.99       0" },
		{ 9999.999, 999.999, "  10000.0  1000.0  1000.0       0" },
		{ 12345.67, 1234.56, "  12345.7  1234.6  1234.6       0" },
		{ 123456.7, 12345.6, "   123457   12346   12346       0" },
		{ 1234567.0, 123456.4, "  1234567  123456  123456       0" },
		{ 12345678.0, 1234567.0, "  1.2e+07   1e+06   1e+06       0" },
	};
	struct run_info info = sample_info();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct result row = sample_row(8, cases[i].time_us, RESULT_IN_PLACE);
		char *text, *line;

		row.algbw = row.busbw = cases[i].bandwidth * 1e9;
		text = table(&info, &row, 1);
		line = table_row(text, 0);
		assert_non_null(line);
		assert_string_equal(line + strlen(line) - strlen(cases[i].cells), cases[i].cells);
		free(text);
	}
}

static void only_halves_of_one_point_share_a_line(void **state)
{
	struct run_info info = sample_info();
	struct result rows[] = {
		sample_row(8, 1, RESULT_IN_PLACE),      /* nothing before it */
		sample_row(8, 2, RESULT_OUT_OF_PLACE),  /* followed by another size */
		sample_row(16, 3, RESULT_OUT_OF_PLACE), /* followed by another root */
		sample_row(16, 4, RESULT_IN_PLACE),     /* of another root */
		sample_row(16, 5, RESULT_OUT_OF_PLACE), /* followed by another group */
		sample_row(16, 6, RESULT_IN_PLACE),     /* of another group */
		sample_row(16, 7, RESULT_OUT_OF_PLACE), /* the last one */
	};
	static const char *const lines[] = {
		"           8             2     float     sum      -1      N/A     N/A     N/A     N/A     1.00    0.01    0.01  "
		"     0",
		"           8             2     float     sum      -1     2.00    0.00    0.01       0      N/A     N/A     N/A  "
		"   N/A",
		"          16             4     float     sum      -1     3.00    0.01    0.01       0      N/A     N/A     N/A  "
		"   N/A",
		"          16             4     float     sum       3      N/A     N/A     N/A     N/A     4.00    0.00    0.01  "
		"     0",
		"          16             4     float     sum      -1     5.00    0.00    0.01       0      N/A     N/A     N/A  "
		"   N/A",
		"          16             4     float     sum      -1      N/A     N/A     N/A     N/A     6.00    0.00    0.00  "
		"     0",
		"          16             4     float     sum      -1     7.00    0.00    0.00       0      N/A     N/A     N/A  "
		"   N/A",
	};

	(void)state;
	rows[3].root = 3;
	rows[5].group = "1";
	for (size_t i = 0; i < 7; i++) {
		char *text = table(&info, rows, 7);

		assert_string_equal(table_row(text, i), lines[i]);
		free(text);
	}
}

/* All groups out of place, then all in place; a group that lacks one half leaves the others' lines whole. */
static void groups_have_lines_of_their_own(void **state)
{
	struct run_info info = sample_info();
	struct result rows[] = {
		sample_row(16, 1, RESULT_OUT_OF_PLACE), sample_row(16, 2, RESULT_OUT_OF_PLACE),
		sample_row(16, 3, RESULT_IN_PLACE),     sample_row(16, 4, RESULT_IN_PLACE),
		sample_row(32, 5, RESULT_OUT_OF_PLACE), sample_row(32, 6, RESULT_OUT_OF_PLACE),
		sample_row(32, 7, RESULT_IN_PLACE),
	};
	static const char *const lines[] = {
		"          16             4     float     sum      -1     1.00    0.02    0.03       0     3.00    0.01    0.01  "
		"     0       0",
		"          16             4     float     sum      -1     2.00    0.01    0.01       0     4.00    0.00    0.01  "
		"     0       1",
		"          32             8     float     sum      -1     5.00    0.01    0.01       0      N/A     N/A     N/A  "
		"   N/A       0",
		"          32             8     float     sum      -1     6.00    0.01    0.01       0     7.00    0.00    0.01  "
		"     0       1",
	};
	char *text;

	(void)state;
	info.ngroups = 2;
	for (size_t i = 0; i < 7; i++)
		rows[i].group = i == 1 || i == 3 || i > 4 ? "1" : "0";
	for (size_t i = 0; i < 4; i++) {
		text = table(&info, rows, 7);
		assert_string_equal(table_row(text, i), lines[i]);
		free(text);
	}
	text = table(&info, rows, 7);
	assert_non_null(strstr(text, "busbw  #wrong   group\n"));
	free(text);
}

static void single_calls_and_queueing_are_shown_when_asked(void **state)
{
	struct run_info info = sample_info();
	struct result row = sample_row(16, 4, RESULT_OUT_OF_PLACE);
	char *text;

	(void)state;
	info.per_iter = info.cpu_time = true;
	row.enqueue = 1.5e-6;
	row.time_min = 3e-6;
	row.time_max = 9e-6;
	row.time_p99 = 8e-6;
	row.time_mean = 5e-6;
	row.time_stddev = 1e-6;
	text = table(&info, &row, 1);
	assert_non_null(strstr(text, "  cputime   algbw   busbw  #wrong    i_min    i_max    i_p99   i_cv%"));
	assert_string_equal(
		table_row(text, 0),
		"          16             4     float     sum      -1     1.50    0.00    0.01       0     3.00     9.00  "
		"   8.00   20.00      N/A     N/A     N/A     N/A      N/A      N/A      N/A     N/A");
	free(text);
}

static void busbw_of_one_rank_does_not_apply(void **state)
{
	struct run_info info = sample_info();
	struct result row = sample_row(1024, 2, RESULT_OUT_OF_PLACE);
	char *text;

	(void)state;
	row.nranks = 1;
	row.busbw = NAN;
	text = table(&info, &row, 1);
	assert_non_null(
		strstr(text, "\n        1024           256     float     sum      -1     2.00    0.51     n/a       0      N/A"));
	assert_non_null(strstr(text, "\n# Out of bounds values : 0 OK\n# Avg bus bandwidth    : n/a \n# Latency  "));
	assert_null(strstr(text, "nan"));
	assert_null(strstr(text, "Peak"));
	free(text);
}

/* Blanks of later columns make room, down to one: still 13 words, and aligned where they fit. */
static void huge_sizes_stay_words(void **state)
{
	struct run_info info = sample_info();
	struct result row = sample_row(INT64_MAX, 1e12, RESULT_IN_PLACE);
	size_t words = 0;
	char *text;

	(void)state;
	row.type = "int8";
	row.redop = "";
	row.count = INT64_MAX;
	text = table(&info, &row, 1);
	assert_non_null(strstr(
		text,
		"\n9223372036854775807 9223372036854775807 int8 none -1      N/A     N/A     N/A     N/A  1.0e+12  9223.4"));
	for (char *word = strtok(table_row(text, 0), " "); word; word = strtok(NULL, " "))
		words++;
	assert_int_equal(words, 13);
	free(text);
}

static void timestamps_end_the_rows(void **state)
{
	struct run_info info = sample_info();
	struct result rows[] = { sample_row(8, 1, RESULT_OUT_OF_PLACE), sample_row(8, 1, RESULT_IN_PLACE) };
	char *text;

	(void)state;
	info.timestamps = true;
	rows[1].timestamp = "2026-01-02T03:04:07.089Z";
	text = table(&info, rows, 2);
	assert_non_null(strstr(text, "       0     1.00    0.01    0.01       0 2026-01-02T03:04:07.089Z\n# Out"));
	assert_non_null(strstr(text, " #wrong                timestamp\n"));
	free(text);
}

static void hostile_texts_stay_on_their_line(void **state)
{
	static const struct run_rank rank = { 0, 0, 1, "evil\n0 0 float", 0, "\x1b[2J\xff" };
	static const char *const notes[] = { "label=a\nb\r\xc2\x9b`$(x)`" };
	struct run_info info = sample_info();
	struct run_summary summary = sample_summary();
	const struct writer_ops *const writers[] = { &writer_console, &writer_wide };

	(void)state;
	info.ranks = &rank;
	info.nranks = 1;
	info.notes = notes;
	info.nnotes = 1;
	info.library = "L\nM";
	summary.complete = false;
	summary.why = "rank 2\ndied";
	for (int i = 0; i < 2; i++) {
		char *text = sample_written(writers[i], &info, NULL, 0, &summary);

		assert_non_null(strstr(text, " on evil\\x0a0 0 float device  0 \\x1b[2J\\xff\n"));
		assert_non_null(strstr(text, "# label=a\\x0ab\\x0d\\xc2\\x9b`$(x)`\n"));
		assert_non_null(strstr(text, "library=L\\x0aM\n"));
		assert_non_null(strstr(text, "# Incomplete           : rank 2\\x0adied\n"));
		free(text);
	}
}

static void wide_rows_are_words_under_their_names(void **state)
{
	struct run_info info = sample_info();
	struct run_summary summary = sample_summary();
	struct result row = sample_row(1048576, 1000, RESULT_OUT_OF_PLACE);
	char *text;

	(void)state;
	row.time_ci_low = 999.5e-6;
	row.time_ci_high = 1001e-6;
	text = sample_written(&writer_wide, &info, &row, 1, &summary);
	assert_non_null(strstr(text,
			       "\n    type  redop  root     placement                bytes                count    iters  dropped"
			       "         time_us  time_ci_low_us  time_ci_high_us"));
	assert_non_null(strstr(text,
			       "\n   float    sum     -  out-of-place              1048576               262144       20        0"
			       "            1000           999.5             1001               -"));
	free(text);
}

static void failed_writes_are_told_once(void **state)
{
	const struct writer_ops *const writers[] = { &writer_console, &writer_wide };
	struct run_info info = sample_info();
	char *errors = sample_path();

	(void)state;
	for (int i = 0; i < 2; i++) {
		void *writing;
		int saved = sample_stderr_begin(errors);
		int rc = writers[i]->begin(&info, "/dev/full", &writing);
		char *text;

		sample_stderr_end(saved);
		text = sample_read(errors);
		assert_int_equal(rc, -1);
		assert_string_equal(text, "all_reduce_perf: cannot write /dev/full: No space left on device\n");
		free(text);
	}
	sample_remove(errors);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_table_is_as_in_nccl_tests),
		cmocka_unit_test(absent_check_is_not_available),
		cmocka_unit_test(numbers_keep_to_their_width),
		cmocka_unit_test(groups_have_lines_of_their_own),
		cmocka_unit_test(single_calls_and_queueing_are_shown_when_asked),
		cmocka_unit_test(only_halves_of_one_point_share_a_line),
		cmocka_unit_test(busbw_of_one_rank_does_not_apply),
		cmocka_unit_test(huge_sizes_stay_words),
		cmocka_unit_test(timestamps_end_the_rows),
		cmocka_unit_test(hostile_texts_stay_on_their_line),
		cmocka_unit_test(wide_rows_are_words_under_their_names),
		cmocka_unit_test(failed_writes_are_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
