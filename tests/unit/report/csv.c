/* SPDX-License-Identifier: Apache-2.0
 *
 * The CSV: one table by hand, quoting, a row on disk as soon as it is written, failures told in one line, and the way back through the reader.
 */
#include <signal.h>

#include "report/reader.h"
#include "sample.h"

#define HEADER                                                                                                                \
	"schema,point,points,run,collective,backend,library,path,algo,group,nranks,nnodes,type,redop,root,placement,"         \
	"bytes_requested,bytes,count,timing,sync,iters,dropped,"                                                              \
	"time_us,time_ci_low_us,time_ci_high_us,time_min_us,time_mean_us,time_stddev_us,time_p95_us,time_p99_us,time_max_us," \
	"rank_time_min_us,rank_time_avg_us,rank_time_max_us,slowest_rank,"                                                    \
	"algbw_GBps,busbw_GBps,wrong,flags,timestamp,kernel_us,enqueue_us,from,to,load,strategy,bucket_cap,"                  \
	"calls,tensors,prefetch,progress,compute_us,comm_us,exposed_us,overlap,variant,imbalance,compute_asked_us,overlap_"   \
	"error\n"

static char *written(const struct result *rows, size_t nrows)
{
	struct run_info info = sample_info();
	struct run_summary summary = sample_summary();

	return sample_written(&writer_csv, &info, rows, nrows, &summary);
}

static void table_is_as_promised(void **state)
{
	struct result rows[] = { sample_row(1048576, 1000, RESULT_OUT_OF_PLACE), sample_row(1048576, 1000, RESULT_IN_PLACE) };
	char *text;

	(void)state;
	rows[0].time_ci_low = 999.5e-6;
	rows[0].time_ci_high = 1000.123456789e-6;
	rows[0].slowest_rank = 7;
	rows[1].root = 3;
	rows[1].busbw = NAN;
	rows[1].time_max = INFINITY;
	rows[1].wrong = RESULT_NONE;
	rows[1].flags = "noisy short";
	text = written(rows, 2);
	assert_string_equal(text, HEADER
			    "1,1,2,r1,all_reduce,sim,sim,,,,8,1,float,sum,,out-of-place,1048576,1048576,262144,sync,clock,20,0,"
			    "1000,999.5,1000.12346,,,,,,,,,,7,1.048576,1.835008,0,,2026-01-02T03:04:06Z,,,,,,,,,,,,,,,,,,,\n"
			    "1,1,2,r1,all_reduce,sim,sim,,,,8,1,float,sum,3,in-place,1048576,1048576,262144,sync,clock,20,0,"
			    "1000,,,,,,,,,,,,,1.048576,,,noisy short,2026-01-02T03:04:06Z,,,,,,,,,,,,,,,,,,,\n");
	free(text);
}

static void fields_are_quoted_as_rfc_4180_says(void **state)
{
	struct result row = sample_row(8, 1, RESULT_OUT_OF_PLACE);
	char *text;

	(void)state;
	row.run = "a,b";
	row.backend = "say \"x\"";
	row.library = "two\nlines";
	row.path = "cr\r";
	row.algo = " blank";
	row.group = "blank ";
	row.flags = "no quotes; needed 'here'";
	text = written(&row, 1);
	assert_non_null(
		strstr(text, "\n1,1,2,\"a,b\",all_reduce,\"say \"\"x\"\"\",\"two\nlines\",\"cr\r\",\" blank\",\"blank \",8,"));
	assert_non_null(strstr(text, ",no quotes; needed 'here',2026"));
	free(text);
}

/* What anybody may have put into a label or a host name. */
static const char *const hostile[] = {
	"plain",
	"",
	"a,b,c",
	"\"",
	"\"\"",
	"say \"x\", then\nleave",
	"\n",
	"\r\n",
	"a\rb",
	"$(x)",
	"`x`",
	"<script>x</script>",
	"\xff\xfe\x80",
	" ",
	"\t",
	"'; DROP TABLE",
	"=cmd|' /C x'!A1",
	"+1",
	"-1",
	"@SUM(1,1)",
	"'",
	"''=",
	"'plain",
	"\\",
	"%s%n%d",
	"#",
	"\xEF\xBB\xBF",
	"\x01\x1b[31m",
	",",
	"schema",
};

static void hostile_texts_come_back(void **state)
{
	enum { COUNT = sizeof(hostile) / sizeof(hostile[0]) };
	struct result rows[COUNT];
	struct rows *back = rows_new();
	char error[512] = "";
	char *text;

	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		rows[i] = sample_row(8, 1, RESULT_OUT_OF_PLACE);
		rows[i].run = rows[i].library = rows[i].path = hostile[i];
		rows[i].group = rows[i].flags = rows[i].timestamp = hostile[i];
	}
	text = written(rows, COUNT);
	assert_int_equal(rows_parse(back, "x.csv", text, strlen(text), error, sizeof(error)), 0);
	assert_int_equal(rows_count(back), COUNT);
	for (size_t i = 0; i < COUNT; i++) {
		const struct result *row = rows_get(back, i);

		assert_string_equal(row->run, hostile[i]);
		assert_string_equal(row->library, hostile[i]);
		assert_string_equal(row->path, hostile[i]);
		assert_string_equal(row->group, hostile[i]);
		assert_string_equal(row->flags, hostile[i]);
		assert_string_equal(row->timestamp, hostile[i]);
	}
	free(text);
	rows_free(back);
}

/* Spreadsheets take a cell for a formula by its first character, also within quotes. */
static void no_text_is_a_formula(void **state)
{
	struct result row = sample_row(8, 1, RESULT_OUT_OF_PLACE);
	char *text;

	(void)state;
	row.run = "=1+1";
	row.library = "+a,b";
	row.path = "-x";
	row.group = "@y";
	text = written(&row, 1);
	assert_non_null(strstr(text, ",'=1+1,"));
	assert_non_null(strstr(text, ",\"'+a,b\","));
	assert_non_null(strstr(text, ",'-x,"));
	assert_non_null(strstr(text, ",'@y,"));
	free(text);
}

static void numbers_come_back(void **state)
{
	struct result row = sample_row(8589934592, 63999.96, RESULT_OUT_OF_PLACE);
	struct rows *back = rows_new();
	char error[512] = "";
	char *text;
	const struct result *read;

	(void)state;
	row.time_min = 1.23456789e-5;
	text = written(&row, 1);
	assert_int_equal(rows_parse(back, "x.csv", text, strlen(text), error, sizeof(error)), 0);
	read = rows_get(back, 0);
	for (size_t i = 0; i < column_count; i++) {
		double was = column_real(&columns[i], &row);
		double is = column_real(&columns[i], read);

		if (columns[i].type == COLUMN_INTEGER)
			assert_true(column_integer(&columns[i], read) == column_integer(&columns[i], &row));
		if (columns[i].type == COLUMN_REAL)
			assert_true(isnan(was) ? isnan(is) : fabs(is / was - 1) < 1e-8);
	}
	free(text);
	rows_free(back);
}

static void an_old_file_goes_and_each_row_is_there_at_once(void **state)
{
	struct run_info info = sample_info();
	struct run_summary summary = sample_summary();
	struct result row = sample_row(8, 1, RESULT_OUT_OF_PLACE);
	char *path = sample_path();
	FILE *old = fopen(path, "w");
	void *writing;

	(void)state;
	assert_non_null(old);
	for (int i = 0; i < 1000; i++)
		fputs("something old\n", old);
	fclose(old);
	assert_int_equal(writer_csv.begin(&info, path, &writing), 0);
	for (size_t i = 0; i < 3; i++) {
		char *text = sample_read(path);

		assert_int_equal(sample_lines(text), i + 1);
		assert_int_equal(text[strlen(text) - 1], '\n');
		assert_null(strstr(text, "old"));
		free(text);
		assert_int_equal(writer_csv.row(writing, &row), 0);
	}
	assert_int_equal(writer_csv.end(writing, &summary), 0);
	sample_remove(path);
}

static void begin_that_fails_says_why(void **state)
{
	static const struct {
		const char *path, *line;
	} cases[] = {
		{ "/nowhere/x.csv", "all_reduce_perf: cannot write /nowhere/x.csv: No such file or directory\n" },
		{ "/tmp", "all_reduce_perf: cannot write /tmp: Is a directory\n" },
		{ "/dev/full", "all_reduce_perf: cannot write /dev/full: No space left on device\n" },
		{ "/nowhere/a\nb", "all_reduce_perf: cannot write /nowhere/a\\x0ab: No such file or directory\n" },
	};
	struct run_info info = sample_info();
	char *errors = sample_path();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		void *writing = NULL;
		int saved = sample_stderr_begin(errors);
		int rc = writer_csv.begin(&info, cases[i].path, &writing);
		char *text;

		sample_stderr_end(saved);
		text = sample_read(errors);
		assert_int_equal(rc, -1);
		assert_null(writing);
		assert_string_equal(text, cases[i].line);
		free(text);
	}
	sample_remove(errors);
}

/* Whoever reads stdout leaves after the header. */
static void closed_pipe_is_told_once(void **state)
{
	struct run_info info = sample_info();
	struct run_summary summary = sample_summary();
	struct result row = sample_row(8, 1, RESULT_OUT_OF_PLACE);
	char *errors = sample_path();
	int saved = sample_stderr_begin(errors);
	int out = dup(1);
	int rc[4];
	int ends[2];
	void *writing;
	char *text;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	fflush(stdout);
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], 1);
	close(ends[1]);
	rc[0] = writer_csv.begin(&info, "-", &writing);
	close(ends[0]);
	rc[1] = writer_csv.row(writing, &row);
	rc[2] = writer_csv.row(writing, &row);
	rc[3] = writer_csv.end(writing, &summary);
	dup2(out, 1);
	close(out);
	clearerr(stdout);
	sample_stderr_end(saved);
	text = sample_read(errors);
	sample_remove(errors);
	assert_int_equal(rc[0], 0);
	assert_int_equal(rc[1], -1);
	assert_int_equal(rc[2], -1);
	assert_int_equal(rc[3], -1);
	assert_string_equal(text, "all_reduce_perf: cannot write to stdout: Broken pipe\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_is_as_promised),      cmocka_unit_test(fields_are_quoted_as_rfc_4180_says),
		cmocka_unit_test(hostile_texts_come_back),   cmocka_unit_test(no_text_is_a_formula),
		cmocka_unit_test(numbers_come_back),         cmocka_unit_test(an_old_file_goes_and_each_row_is_there_at_once),
		cmocka_unit_test(begin_that_fails_says_why), cmocka_unit_test(closed_pipe_is_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
