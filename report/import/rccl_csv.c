/* SPDX-License-Identifier: Apache-2.0
 *
 * rccl-tests' CSV. Columns go by their names; its first version has blanks behind the commas. Each line stands for itself: a bad one costs no other.
 */
#include "rccl.h"

#include <csv.h>
#include <string.h>

enum { MOST_BYTES = 4096 }; /* of the cells of a row */

struct cells {
	char text[MOST_BYTES];
	size_t size;
	struct word cell[WORDS_MOST];
	size_t count;
	bool full;
};

struct table {
	const struct import_options *options;
	struct import_sink *sink;
	int columns[WORDS_MOST]; /* of enum rccl_column, -1: not used */
	size_t width;            /* 0: no header yet */
};

static void on_cell(void *text, size_t size, void *data)
{
	struct cells *cells = data;

	if (size > MOST_BYTES - cells->size || cells->count == WORDS_MOST) {
		cells->full = true;
		return;
	}
	if (size > 0)
		memcpy(cells->text + cells->size, text, size);
	cells->cell[cells->count++] = (struct word){ cells->text + cells->size, size };
	cells->size += size;
}

static void on_row(int end, void *data)
{
	(void)end;
	(void)data;
}

/* False where quotes do not match or there is too much of it. Blanks around cells are no part of them. */
static bool split(const char *line, size_t length, struct cells *cells)
{
	struct csv_parser parser;
	bool good;

	cells->size = 0;
	cells->count = 0;
	cells->full = false;
	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
		return false;
	good = csv_parse(&parser, line, length, on_cell, on_row, cells) == length &&
	       csv_fini(&parser, on_cell, on_row, cells) == 0;
	csv_free(&parser);
	return good && !cells->full;
}

static bool take_header(const struct cells *cells, int *columns)
{
	bool has[RCCL_COLUMNS] = { false };

	for (size_t i = 0; i < cells->count; i++) {
		columns[i] = rccl_column_find(cells->cell[i]);
		if (columns[i] >= 0 && has[columns[i]])
			return false;
		if (columns[i] >= 0)
			has[columns[i]] = true;
	}
	return has[RCCL_COLLECTIVE] && has[RCCL_SIZE] && has[RCCL_IN_PLACE] && has[RCCL_TIME];
}

static int take_row(const struct table *table, const struct cells *cells, size_t line)
{
	struct rccl_record record = { .printed = true };

	if (table->width == 0)
		return import_skip(table->sink, line, "no header above this row");
	if (cells->count != table->width)
		return import_skip(table->sink, line, "%zu fields, the header has %zu", cells->count, table->width);
	for (size_t i = 0; i < RCCL_COLUMNS; i++)
		record.cell[i] = (struct word){ "", 0 };
	for (size_t i = 0; i < cells->count; i++) {
		if (table->columns[i] >= 0)
			record.cell[table->columns[i]] = cells->cell[i];
	}
	return rccl_take(&record, table->options, table->sink, line);
}

static int take_line(struct table *table, const char *text, size_t length, size_t line)
{
	int columns[WORDS_MOST];
	struct word first;
	struct cells cells;

	if (length <= IMPORT_MOST_LINE && words_split(text, length, &first, 1) == 0)
		return 0;
	if (length > MOST_BYTES || !split(text, length, &cells))
		return import_skip(table->sink, line, "no row of a CSV table");
	if (take_header(&cells, columns)) {
		memcpy(table->columns, columns, sizeof columns);
		table->width = cells.count;
		return 0;
	}
	return take_row(table, &cells, line);
}

static int recognise(const struct import_text *text)
{
	const char *line;
	size_t at = 0, length, number = 0;
	int columns[WORDS_MOST];
	struct cells cells;

	while (at < (256 << 10) && import_next_line(text, &at, &line, &length, &number)) {
		if (length < MOST_BYTES && words_find(line, length, ",") < length && split(line, length, &cells) &&
		    take_header(&cells, columns))
			return 95;
	}
	return 0;
}

static int read_csv(const struct import_text *text, const struct import_options *options, struct import_sink *sink)
{
	struct table table = { .options = options, .sink = sink };
	const char *line;
	size_t at = 0, length, number = 0;

	while (import_next_line(text, &at, &line, &length, &number)) {
		if (take_line(&table, line, length, number) != 0)
			return -1;
	}
	return 0;
}

const struct import_format import_rccl_csv = { "rccl-csv", "the CSV of rccl-tests (-Z csv)", recognise, read_csv };
