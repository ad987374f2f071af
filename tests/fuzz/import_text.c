/* SPDX-License-Identifier: Apache-2.0 */
/* sources: report/import/sink.c report/import/rates.c report/import/lines.c report/import/words.c report/import/nccl_[thr]*.c report/import/nccl_li*.c report/file.c report/reader.c report/range.c report/rows.c report/index.c report/pool.c report/array.c report/columns.c report/result.c report/text.c collectives/[a-z]*.c */
/*
 * Any bytes as a log of nccl-tests. What is read must be what the reader of CSV takes, with no text that a spreadsheet runs. Links: -lcsv -lm
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/columns.h"
#include "report/import/sink.h"
#include "report/range.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "broken: %s\n", what);
	abort();
}

static void check_row(const struct result *row)
{
	const char *column;
	char why[80];

	check(range_check(row, &column, why, sizeof(why)) == 0, "a row that the reader refuses");
	check(row->time > 0 && isfinite(row->time) && row->bytes > 0, "a row without size or time");
	check(row->nranks > 0 && result_has_flag(row, RESULT_FLAG_IMPORTED), "a row without ranks or flag");
	for (size_t i = 0; i < column_count; i++) {
		const char *text = columns[i].type == COLUMN_TEXT ? column_text(&columns[i], row) : "";

		check(!*text || !strchr("=+-@\t\r\n ", *text), "a formula");
		for (; *text; text++)
			check((unsigned char)*text >= ' ' && *text != 0x7f, "a control character");
	}
}

static void check_lines(const struct import_text *text)
{
	const char *line;
	size_t length;
	size_t number = 0;
	size_t at = 0;

	while (import_next_line(text, &at, &line, &length, &number)) {
		size_t rest = import_prefix(line, length);

		check(rest <= length, "a prefix longer than its line");
		check(import_prefix(line + rest, length - rest) == 0, "a prefix behind a prefix");
	}
	check(at == text->size, "lines end early");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* The first byte chooses what the command line says. */
	const struct import_options options = { .nranks = size ? data[0] & 15 : 0,
						.collective = size && data[0] & 16 ? "all_reduce" : NULL };
	char *copy = malloc(size + 1);
	struct rows *rows = rows_new();
	struct import_text text = { "x", copy, size ? size - 1 : 0 };
	struct import_sink sink;
	FILE *out = fopen("/dev/null", "w");

	check(copy && rows && out, "setting up");
	memcpy(copy, size ? (const char *)data + 1 : "", text.size);
	copy[text.size] = '\0';
	check_lines(&text);
	import_nccl_text.recognise(&text);
	check(sink_begin(&sink, rows, "x", "r") == 0, "begin");
	check(import_nccl_text.read(&text, &options, &sink) == 0, "read");
	for (size_t i = 0; i < rows_count(rows); i++)
		check_row(rows_get(rows, i));
	sink_tell(&sink, out, "x", "nccl-text");
	fclose(out);
	sink_clear(&sink);
	rows_free(rows);
	free(copy);
	return 0;
}
