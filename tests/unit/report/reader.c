/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader on files as they come: reordered, concatenated, cut, from other systems, and wrong ones with the message each must give.
 */
#include "report/reader.h"
#include "sample.h"

#define HEAD "schema,collective,nranks,bytes,time_us\n"
#define ROW "1,all_reduce,2,8,1.5\n"

struct outcome {
	struct rows *rows;
	char error[512];
	int rc;
};

static struct outcome parse_bytes(const char *text, size_t size)
{
	struct outcome outcome = { .rows = rows_new() };

	assert_non_null(outcome.rows);
	outcome.rc = rows_parse(outcome.rows, "x.csv", text, size, outcome.error, sizeof(outcome.error));
	return outcome;
}

static struct outcome parse(const char *text)
{
	return parse_bytes(text, strlen(text));
}

static void accepts(const char *text, size_t nrows, size_t nnotes)
{
	struct outcome outcome = parse(text);

	assert_string_equal(outcome.error, "");
	assert_int_equal(outcome.rc, 0);
	assert_int_equal(rows_count(outcome.rows), nrows);
	assert_int_equal(rows_note_count(outcome.rows), nnotes);
	rows_free(outcome.rows);
}

static void refuses(const char *text, const char *error)
{
	struct outcome outcome = parse(text);

	assert_int_equal(outcome.rc, -1);
	assert_string_equal(outcome.error, error);
	assert_null(strchr(outcome.error, '\n'));
	rows_free(outcome.rows);
}

static void notes(const char *text, size_t nrows, const char *note)
{
	struct outcome outcome = parse(text);

	assert_string_equal(outcome.error, "");
	assert_int_equal(rows_count(outcome.rows), nrows);
	assert_int_equal(rows_note_count(outcome.rows), 1);
	assert_string_equal(rows_note(outcome.rows, 0), note);
	rows_free(outcome.rows);
}

static void columns_are_found_by_name(void **state)
{
	struct outcome outcome = parse("busbw_GBps,bytes,wrong,time_us,flags,nranks,collective,schema\n"
				       "0.786432,1048576,3,1000,\"noisy, \"\"x\"\"\",4,all_gather,1\n"
				       ",8,,0.5,,4,all_gather,1\n");
	const struct result *row;

	(void)state;
	assert_int_equal(outcome.rc, 0);
	assert_int_equal(rows_count(outcome.rows), 2);
	row = rows_get(outcome.rows, 0);
	assert_true(row->busbw == 0.786432e9);
	assert_true(row->time == 1e-3);
	assert_true(row->bytes == 1048576 && row->wrong == 3 && row->nranks == 4);
	assert_string_equal(row->flags, "noisy, \"x\"");
	assert_string_equal(row->collective, "all_gather");
	assert_string_equal(row->placement, "");
	assert_true(row->root == RESULT_NONE);
	row = rows_get(outcome.rows, 1);
	assert_true(isnan(row->busbw));
	assert_true(row->wrong == RESULT_NONE);
	assert_string_equal(rows_source(outcome.rows, 1), "x.csv");
	rows_free(outcome.rows);
}

static void files_of_other_systems_are_read(void **state)
{
	(void)state;
	accepts(HEAD ROW, 1, 0);
	accepts("\xEF\xBB\xBF" HEAD ROW, 1, 0);
	accepts("schema,collective,nranks,bytes,time_us\r\n1,all_reduce,2,8,1.5\r\n", 1, 0);
	accepts("\n\r\n" HEAD "\n\n" ROW "\r\n", 1, 0);
	accepts("\"schema\",\"collective\",\"nranks\",\"bytes\",\"time_us\"\n\"1\",\"all_reduce\",\"2\",\"8\",\"1.5\"\n", 1, 0);
	/* Two files, one behind the other. */
	accepts(HEAD ROW HEAD "1,reduce,2,8,1.5\n", 2, 0);
}

static void cut_line_is_left_out(void **state)
{
	(void)state;
	notes(HEAD ROW "1,all_reduce,2,1", 1, "x.csv: line 3 is cut short and left out");
	notes(HEAD ROW "1", 1, "x.csv: line 3 is cut short and left out");
	notes(HEAD ROW "1,\"all_red", 1, "x.csv: line 3 is cut short and left out");
	notes(HEAD ROW "1,reduce,2,8,1.", 2, "x.csv: line 3 has no line end; it may be cut");
	refuses(HEAD "1,all", "x.csv: no rows");
	refuses(HEAD "1,all_reduce,2,8\n" ROW, "x.csv: line 2: 4 fields, the header has 5");
	refuses(HEAD ROW "1,all_reduce,2,8\n", "x.csv: line 3: 4 fields, the header has 5");
	refuses(HEAD ROW "1,all_reduce,2,8,1,1\n", "x.csv: line 3: 6 fields, the header has 5");
	refuses(HEAD ROW "1,all_reduce,2,8,1,1", "x.csv: line 3: 6 fields, the header has 5");
	/* An open quote that may have swallowed rows is no cut line. */
	refuses(HEAD ROW "1,\"all_reduce,2,8,1\n" ROW, "x.csv: line 3: a quoted field of this row never ends");
}

static void wrong_headers_are_refused(void **state)
{
	(void)state;
	refuses("", "x.csv: no header and no rows");
	refuses("\n\n", "x.csv: no header and no rows");
	refuses(HEAD, "x.csv: no rows");
	refuses("collective,nranks,bytes,time_us\n", "x.csv: line 1: no column 'schema' in the header");
	refuses("schema,nranks,bytes,time_us\n", "x.csv: line 1: no column 'collective' in the header");
	refuses("schema,collective,bytes,time_us\n", "x.csv: line 1: no column 'nranks' in the header");
	refuses("schema,collective,nranks,time_us\n", "x.csv: line 1: no column 'bytes' in the header");
	refuses("schema,collective,nranks,bytes\n", "x.csv: line 1: no column 'time_us' in the header");
	refuses(" schema,collective,nranks,bytes,time_us\n", "x.csv: line 1: no column 'schema' in the header");
	refuses("schema,collective,nranks,bytes,bytes,time_us\n", "x.csv: line 1: two columns are named 'bytes'");
	refuses("schema,x\ny,collective,nranks,bytes,time_us,x\n", "x.csv: line 1: no column 'collective' in the header");
	refuses("#schema\n", "x.csv: line 1: no column 'schema' in the header");
}

static void wrong_cells_are_refused(void **state)
{
	static const struct {
		const char *row, *error;
	} cases[] = {
		{ "2,x,2,8,1,,,,,\n", "column schema: 2 is not within 1 and 1" },
		{ ",x,2,8,1,,,,,\n", "column schema: is empty" },
		{ "1,,2,8,1,,,,,\n", "column collective: is empty" },
		{ "1,x,0,8,1,,,,,\n", "column nranks: 0 is not within 1 and 2147483647" },
		{ "1,x,2147483648,8,1,,,,,\n", "column nranks: 2147483648 is not within 1 and 2147483647" },
		{ "1,x,2,-8,1,,,,,\n", "column bytes: -8 is not within 0 and 9223372036854775807" },
		{ "1,x,2,9223372036854775808,1,,,,,\n", "column bytes: '9223372036854775808' is not a whole number" },
		{ "1,x,2,8.5,1,,,,,\n", "column bytes: '8.5' is not a whole number" },
		{ "1,x,2,8, 1,,,,,\n", "column time_us: ' 1' is not a number" },
		{ "1,x,2,8,0,,,,,\n", "column time_us: is not above 0" },
		{ "1,x,2,8,,,,,,\n", "column time_us: is not above 0" },
		{ "1,x,2,8,-1,,,,,\n", "column time_us: is negative" },
		{ "1,x,2,8,nan,,,,,\n", "column time_us: 'nan' is not a number" },
		{ "1,x,2,8,inf,,,,,\n", "column time_us: 'inf' is not a number" },
		{ "1,x,2,8,1e999,,,,,\n", "column time_us: '1e999' is not a number" },
		{ "1,x,2,8,\"1\n2\",,,,,\n", "column time_us: '1\\x0a2' is not a number" },
		{ "1,x,2,8,$(reboot),,,,,\n", "column time_us: '$(reboot)' is not a number" },
		{ "1,x,2,8,1,4,3,,,\n", "column point: is above points" },
		{ "1,x,2,8,1,0,3,,,\n", "column point: 0 is not within 1 and 9223372036854775807" },
		{ "1,x,2,8,1,,,2,,\n", "column root: is no rank" },
		{ "1,x,2,8,1,,,,5,4\n", "column time_ci_low_us: is above time_ci_high_us" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[512];
		char error[256];

		snprintf(text, sizeof(text),
			 "schema,collective,nranks,bytes,time_us,point,points,root,time_ci_low_us,time_ci_high_us\n%s",
			 cases[i].row);
		snprintf(error, sizeof(error), "x.csv: line 2, %s", cases[i].error);
		refuses(text, error);
	}
}

/* What was measured may be so. */
static void steps_may_hide_more_than_all(void **state)
{
	(void)state;
	accepts("schema,collective,nranks,bytes,time_us,strategy,exposed_us,overlap\n1,bucket,2,8,1.5,zero,-0.5,1.2\n"
		"1,bucket,2,16,1.5,zero,3,-0.5\n",
		2, 0);
	refuses("schema,collective,nranks,bytes,time_us,strategy,comm_us\n1,bucket,2,8,1.5,zero,-1\n",
		"x.csv: line 2, column comm_us: is negative");
}

static void what_is_no_csv_is_refused(void **state)
{
	struct outcome outcome;

	(void)state;
	refuses(HEAD "1,all\"reduce,2,8,1.5\n", "x.csv: line 2: a quote where none may stand");
	refuses(HEAD "1,\"all\"reduce,2,8,1.5\n", "x.csv: line 2: a quote where none may stand");
	outcome = parse_bytes(HEAD "1,all\0reduce,2,8,1.5\n", sizeof(HEAD "1,all\0reduce,2,8,1.5\n") - 1);
	assert_int_equal(outcome.rc, -1);
	assert_string_equal(outcome.error, "x.csv: line 2: a NUL byte; this is no text file");
	rows_free(outcome.rows);
}

/* HEAD, then one row whose first field has n bytes of text in front. */
static struct outcome parse_long(size_t n, char fill)
{
	size_t size = sizeof(HEAD) + n + sizeof(ROW);
	char *text = malloc(size + 1);
	struct outcome outcome;

	assert_non_null(text);
	strcpy(text, HEAD);
	memset(text + sizeof(HEAD) - 1, fill, n);
	strcpy(text + sizeof(HEAD) - 1 + n, ROW);
	outcome = parse(text);
	free(text);
	return outcome;
}

static void long_fields_and_lines_are_refused(void **state)
{
	struct outcome outcome = parse_long(65537, 'x');

	(void)state;
	assert_string_equal(outcome.error, "x.csv: line 2: a field of more than 64 KiB");
	rows_free(outcome.rows);
	outcome = parse_long(1048577, 'x');
	assert_string_equal(outcome.error, "x.csv: line 2: a line of more than 1 MiB");
	rows_free(outcome.rows);
	outcome = parse_long(2000, ',');
	assert_string_equal(outcome.error, "x.csv: line 2: more than 1024 fields");
	rows_free(outcome.rows);
	outcome = parse_long(65000, 'x');
	assert_non_null(strstr(outcome.error, "column schema: 'xxx"));
	assert_true(strlen(outcome.error) < 200);
	rows_free(outcome.rows);
}

static void lines_are_counted_as_an_editor_does(void **state)
{
	(void)state;
	refuses("schema,collective,nranks,bytes,time_us,group\n"
		"1,all_reduce,2,8,1.5,\"two\nlines\"\n"
		"\n"
		"1,all_reduce,2,8,x,\n",
		"x.csv: line 5, column time_us: 'x' is not a number");
}

static void unfinished_sweeps_are_noted(void **state)
{
	static const char head[] = "schema,collective,nranks,bytes,time_us,points,run\n";
	char text[512];

	(void)state;
	snprintf(text, sizeof(text), "%s1,a,2,8,1,2,r\n1,a,2,16,1,2,r\n1,b,2,8,1,2,r\n", head);
	notes(text, 3, "x.csv: incomplete: 1 of 2 rows of b, run 'r'");
	snprintf(text, sizeof(text), "%s1,a,2,8,1,2,r1\n1,a,2,16,1,2,r1\n1,a,2,8,1,2,r2\n", head);
	notes(text, 3, "x.csv: incomplete: 1 of 2 rows of a, run 'r2'");
	snprintf(text, sizeof(text), "%s1,a,2,8,1,1,r\n1,b,2,16,1,,r\n", head);
	accepts(text, 2, 0);
}

static void many_unfinished_sweeps_are_summed_up(void **state)
{
	char text[8192] = "schema,collective,nranks,bytes,time_us,points,run\n";
	struct outcome outcome;

	(void)state;
	for (int i = 0; i < 50; i++) {
		size_t used = strlen(text);

		snprintf(text + used, sizeof(text) - used, "1,a,2,8,1,2,r%d\n", i);
	}
	outcome = parse(text);
	assert_int_equal(rows_note_count(outcome.rows), 21);
	assert_string_equal(rows_note(outcome.rows, 20), "x.csv: 30 more sweeps are incomplete");
	rows_free(outcome.rows);
}

static void repeated_rows_are_noted(void **state)
{
	(void)state;
	notes(HEAD ROW ROW "1,all_reduce,2,16,1\n" ROW, 4,
	      "x.csv: 2 rows repeat an earlier one (first on line 3): same run, collective, type, redop, root, placement, bytes "
	      "and group");
	accepts("schema,collective,nranks,bytes,time_us,type,redop,root,placement,run,group\n"
		"1,a,2,8,1,float,sum,,in-place,r,\n"
		"1,a,2,8,1,float,sum,,out-of-place,r,\n"
		"1,a,2,8,1,float,max,,in-place,r,\n"
		"1,a,2,8,1,double,sum,,in-place,r,\n"
		"1,a,2,8,1,float,sum,1,in-place,r,\n"
		"1,a,2,8,1,float,sum,,in-place,s,\n"
		"1,a,2,8,1,float,sum,,in-place,r,g\n"
		"1,b,2,8,1,float,sum,,in-place,r,\n"
		"1,a,2,4,1,float,sum,,in-place,r,\n",
		9, 0);
}

#define RATES "schema,collective,nranks,bytes,time_us,algbw_GBps,busbw_GBps,flags\n"

static void same_rate(double rate, double expected)
{
	if (!(isnan(rate) && isnan(expected)) && !(fabs(rate - expected * 1e9) < 1))
		fail_msg("%.9g is not %.9g", rate / 1e9, expected);
}

static void wrong_rates_are_put_right(void **state)
{
	static const char text[] = RATES "1,all_reduce,4,1000000,1000,1.004,1.497,\n"
					 "1,all_reduce,4,2000000,1000,2,30,noisy\n"
					 "1,all_reduce,4,4000000,1000,5,,\n"
					 "1,all_reduce,4,8000000,1000,1,1,imported\n"
					 "1,all_reduce,4,9000000,2000,1,1,imported rates\n"
					 "1,all_reduce,4,5000000,4000,1.25,0,\n"
					 "1,all_reduce,1,1000000,1000,1,7,\n"
					 "1,mine,4,1000000,1000,9,9,\n"
					 "1,sendrecv,3,0,1000,9,9,\n"
					 "1,sendrecv,4,0,1000,9,9,\n";
	static const double rates[][2] = { { 1.004, 1.497 }, { 2, 3 }, { 4, NAN }, { 1, 1 }, { 1, 1 },
					   { 1.25, 0 },      { 1, 7 }, { 9, 9 },   { 9, 9 }, { 9, 9 } };
	struct outcome outcome = parse(text);

	(void)state;
	notes(text, 10,
	      "x.csv: 2 rows have an algbw or busbw that is over 0.5 % off what follows from their size and time (first on line "
	      "3: "
	      "all_reduce of 2000000 bytes, 4 ranks, busbw 30 GB/s instead of 3): what follows is shown");
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		same_rate(rows_get(outcome.rows, i)->algbw, rates[i][0]);
		same_rate(rows_get(outcome.rows, i)->busbw, rates[i][1]);
	}
	rows_free(outcome.rows);
}

static void unknown_columns_are_noted(void **state)
{
	(void)state;
	notes("zeta,schema,collective,nranks,bytes,time_us,\"e\nv\"\n,1,a,2,8,1,$(x)\n", 1,
	      "x.csv: 2 unknown columns are left out (first: 'zeta')");
}

static void several_files_keep_their_names(void **state)
{
	struct rows *rows = rows_new();
	char error[512];
	size_t n = 0;

	(void)state;
	for (int file = 0; file < 5; file++) {
		char name[16];
		char text[512] = HEAD;

		snprintf(name, sizeof(name), "f%d", file);
		for (int i = 0; i < file; i++, n++) {
			size_t used = strlen(text);

			snprintf(text + used, sizeof(text) - used, "1,a,2,%d,1\n", (int)n);
		}
		/* f0 has no rows. */
		assert_int_equal(rows_parse(rows, name, text, strlen(text), error, sizeof(error)), file == 0 ? -1 : 0);
	}
	assert_int_equal(rows_count(rows), 10);
	assert_string_equal(rows_source(rows, 0), "f1");
	assert_string_equal(rows_source(rows, 1), "f2");
	assert_string_equal(rows_source(rows, 2), "f2");
	assert_string_equal(rows_source(rows, 3), "f3");
	assert_string_equal(rows_source(rows, 9), "f4");
	rows_free(rows);
}

static void rows_before_an_error_stay(void **state)
{
	struct outcome outcome = parse(HEAD ROW "1,all_reduce,2,x,1\n");

	(void)state;
	assert_int_equal(outcome.rc, -1);
	assert_int_equal(rows_count(outcome.rows), 1);
	rows_free(outcome.rows);
}

/* More than one chunk of the file and of the row store, with fields across the borders of both. */
static void long_files_are_read_from_disk(void **state)
{
	enum { COUNT = 20000 };
	char *path = sample_path();
	FILE *file = fopen(path, "w");
	struct rows *rows = rows_new();
	const struct result *first;
	char error[512] = "";

	(void)state;
	assert_non_null(file);
	fputs("\xEF\xBB\xBF" HEAD, file);
	for (int i = 0; i < COUNT; i++)
		fprintf(file, "1,all_reduce,2,%d,1.5\r\n", i);
	fclose(file);
	assert_int_equal(rows_read(rows, path, error, sizeof(error)), 0);
	first = rows_get(rows, 0);
	assert_int_equal(rows_count(rows), COUNT);
	for (size_t i = 0; i < COUNT; i++) {
		assert_int_equal(rows_get(rows, i)->bytes, i);
		/* Texts are kept once. */
		assert_ptr_equal(rows_get(rows, i)->collective, first->collective);
	}
	assert_int_equal(rows_note_count(rows), 0);
	rows_free(rows);
	sample_remove(path);
}

static void files_that_cannot_be_read_are_named(void **state)
{
	struct rows *rows = rows_new();
	char error[512];

	(void)state;
	assert_int_equal(rows_read(rows, "/nowhere/a\nb", error, sizeof(error)), -1);
	assert_string_equal(error, "/nowhere/a\\x0ab: cannot be opened: No such file or directory");
	assert_int_equal(rows_read(rows, "/tmp", error, sizeof(error)), -1);
	assert_string_equal(error, "/tmp: cannot be opened: Is a directory");
	rows_free(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_found_by_name),
		cmocka_unit_test(files_of_other_systems_are_read),
		cmocka_unit_test(cut_line_is_left_out),
		cmocka_unit_test(wrong_headers_are_refused),
		cmocka_unit_test(wrong_cells_are_refused),
		cmocka_unit_test(steps_may_hide_more_than_all),
		cmocka_unit_test(what_is_no_csv_is_refused),
		cmocka_unit_test(long_fields_and_lines_are_refused),
		cmocka_unit_test(lines_are_counted_as_an_editor_does),
		cmocka_unit_test(unfinished_sweeps_are_noted),
		cmocka_unit_test(many_unfinished_sweeps_are_summed_up),
		cmocka_unit_test(repeated_rows_are_noted),
		cmocka_unit_test(wrong_rates_are_put_right),
		cmocka_unit_test(unknown_columns_are_noted),
		cmocka_unit_test(several_files_keep_their_names),
		cmocka_unit_test(rows_before_an_error_stay),
		cmocka_unit_test(long_files_are_read_from_disk),
		cmocka_unit_test(files_that_cannot_be_read_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
