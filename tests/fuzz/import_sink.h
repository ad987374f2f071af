/* SPDX-License-Identifier: Apache-2.0
 *
 * For the fuzz targets of formats: the real sink, and what must hold of whatever comes out of any bytes.
 */
#ifndef COLLPERF_FUZZ_IMPORT_SINK_H
#define COLLPERF_FUZZ_IMPORT_SINK_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/columns.h"
#include "report/import/sink.h"

static inline void check(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "broken: %s\n", what);
	abort();
}

static inline void check_row(const struct result *row)
{
	check(row->time > 0 && isfinite(row->time), "time");
	check(row->bytes > 0 && row->nranks > 0, "size and ranks");
	for (size_t c = 0; c < column_count; c++) {
		if (columns[c].type == COLUMN_REAL)
			check(isnan(column_real(&columns[c], row)) || column_real(&columns[c], row) >= 0, columns[c].name);
		if (columns[c].type == COLUMN_TEXT)
			check(strpbrk(column_text(&columns[c], row), "\r\n\x1b") == NULL, columns[c].name);
	}
}

/* `options` by the first byte: with and without a number of ranks. */
static inline void check_format(const struct import_format *format, const uint8_t *data, size_t size)
{
	struct import_options options = { 0 };
	struct rows *rows = rows_new();
	struct import_sink sink;
	struct import_text text;
	char *copy = malloc(size + 1);
	size_t lines = 1;

	check(rows && copy, "memory");
	if (size > 0) {
		options.nranks = data[0] % 4;
		memcpy(copy, data + 1, --size);
	}
	copy[size] = '\0';
	for (size_t i = 0; i < size; i++)
		lines += copy[i] == '\n';
	text = (struct import_text){ "fuzz", copy, size };
	check(sink_begin(&sink, rows, "fuzz", "r1") == 0, "begin");
	check(format->recognise(&text) >= 0 && format->recognise(&text) <= 100, "how sure");
	check(format->read(&text, &options, &sink) == 0 || sink_count(&sink) == 0, "a failure has no rows");
	for (size_t i = 0; i < rows_count(rows); i++)
		check_row(rows_get(rows, i));
	for (size_t i = 0; i < sink.nshown; i++)
		check(sink.shown[i].line >= 1 && sink.shown[i].line <= lines, "the line of a skip");
	check(sink.skipped <= lines, "as many skips as lines");
	sink_clear(&sink);
	rows_free(rows);
	free(copy);
}

#endif
