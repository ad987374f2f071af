/* SPDX-License-Identifier: Apache-2.0 */
/* sources: report/file.c report/reader.c report/range.c report/rows.c report/index.c report/pool.c report/columns.c report/result.c report/text.c report/csv.c report/output.c collectives/[a-z]*.c */
/*
 * Any bytes as a CSV file. What is read must print as text that reads back as the same rows, whatever it holds. Links: -lcsv -lm
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/columns.h"
#include "report/reader.h"
#include "report/writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "broken: %s\n", what);
	abort();
}

static int same_cell(const struct column *column, const struct result *a, const struct result *b)
{
	char one[40];
	char other[40];

	return strcmp(column_print(column, a, one, sizeof(one)), column_print(column, b, other, sizeof(other))) == 0;
}

/* Rows as the CSV writer puts them; the caller frees the text. */
static char *written(const struct rows *rows, size_t *size)
{
	char path[] = "/tmp/collperf-fuzz-XXXXXX";
	const struct run_info info = { .program = "fuzz" };
	const struct run_summary summary = { .complete = true, .why = "" };
	int made = mkstemp(path);
	char *text;
	void *state;
	FILE *file;

	check(made >= 0, "mkstemp");
	close(made);
	check(writer_csv.begin(&info, path, &state) == 0, "begin");
	for (size_t i = 0; i < rows_count(rows); i++)
		check(writer_csv.row(state, rows_get(rows, i)) == 0, "row");
	check(writer_csv.end(state, &summary) == 0, "end");
	file = fopen(path, "rb");
	check(file != NULL, "open");
	fseek(file, 0, SEEK_END);
	*size = (size_t)ftell(file);
	rewind(file);
	text = malloc(*size + 1);
	check(text && fread(text, 1, *size, file) == *size, "read");
	fclose(file);
	unlink(path);
	return text;
}

static void check_round_trip(const struct rows *rows)
{
	struct rows *back = rows_new();
	char error[512] = "";
	size_t size;
	char *text = written(rows, &size);

	check(rows_parse(back, "back", text, size, error, sizeof(error)) == 0, error);
	check(rows_count(back) == rows_count(rows), "number of rows");
	for (size_t i = 0; i < rows_count(rows); i++)
		for (size_t c = 0; c < column_count; c++)
			check(same_cell(&columns[c], rows_get(rows, i), rows_get(back, i)), columns[c].name);
	rows_free(back);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rows *rows = rows_new();
	char error[512] = "";
	int rc = rows_parse(rows, "fuzz\n", (const char *)data, size, error, sizeof(error));

	check((rc == 0) == (error[0] == '\0'), "an error has a line, success has none");
	check(strchr(error, '\n') == NULL, "an error is one line");
	check(rc != 0 || rows_count(rows) > 0, "success has rows");
	for (size_t i = 0; i < rows_count(rows); i++)
		check(rows_get(rows, i)->time > 0 && isfinite(rows_get(rows, i)->time), "time");
	for (size_t i = 0; i < rows_note_count(rows); i++)
		check(strchr(rows_note(rows, i), '\n') == NULL, "a note is one line");
	if (rows_count(rows) > 0)
		check_round_trip(rows);
	rows_free(rows);
	return 0;
}
