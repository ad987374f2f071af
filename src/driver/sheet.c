/* SPDX-License-Identifier: Apache-2.0
 *
 * Completeness and joining of CSV files.
 */
#include "sheet.h"

#include <csv.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "say.h"

static const size_t absent = SIZE_MAX;

/* While libcsv reads: columns are counted from 0 in each record. */
struct scan {
	struct sheet *sheet;
	size_t record, column, points_column;
};

/* How much of the text is the first `records` whole records; a line break inside quotes ends none. */
static size_t whole_records(const struct file_text *text, size_t records)
{
	size_t end = 0;
	bool quoted = false;

	for (size_t i = 0; i < text->size && records > 0; i++) {
		if (text->data[i] == '"')
			quoted = !quoted;
		if (text->data[i] == '\n' && !quoted) {
			end = i + 1;
			records--;
		}
	}
	return end;
}

static void take_field(void *data, size_t length, void *user)
{
	struct scan *scan = user;
	const char *field = data;
	char *end;

	if (scan->record == 0 && length == strlen("points") && memcmp(field, "points", length) == 0)
		scan->points_column = scan->column;
	if (scan->record > 0 && scan->column == scan->points_column && length > 0) {
		unsigned long long points = strtoull(field, &end, 10);

		if (*end == '\0' && points > scan->sheet->points)
			scan->sheet->points = (size_t)points;
	}
	scan->column++;
}

static void take_record(int end, void *user)
{
	struct scan *scan = user;

	(void)end;
	scan->record++;
	scan->column = 0;
}

void sheet_check(const char *path, struct sheet *sheet)
{
	struct scan scan = { .sheet = sheet, .points_column = absent };
	struct csv_parser parser;
	struct file_text text;
	size_t whole;

	*sheet = (struct sheet){ 0 };
	if (file_read(path, &text) != 0)
		return;
	whole = whole_records(&text, SIZE_MAX);
	if (csv_init(&parser, CSV_APPEND_NULL) == 0) {
		csv_parse(&parser, text.data, whole, take_field, take_record, &scan);
		csv_fini(&parser, take_field, take_record, &scan);
		csv_free(&parser);
	}
	sheet->rows = scan.record > 0 ? scan.record - 1 : 0;
	sheet->complete = sheet->rows > 0 && sheet->rows >= sheet->points && whole == text.size;
	file_text_clear(&text);
}

/* Adds the file's rows, and its header where it is the first. */
static void join_one(struct file_text *all, size_t *header, const char *path)
{
	struct file_text text;
	size_t first, whole;

	if (file_read(path, &text) != 0)
		return;
	first = whole_records(&text, 1);
	whole = whole_records(&text, SIZE_MAX);
	if (whole == 0)
		goto done;
	if (all->size == 0)
		*header = first;
	if (first != *header || (all->size > 0 && memcmp(text.data, all->data, first) != 0))
		say("%s: its header is not that of the other launches: left out", path);
	else
		file_text_add(all, text.data + (all->size > 0 ? first : 0), whole - (all->size > 0 ? first : 0));
done:
	file_text_clear(&text);
}

int sheet_join(const char *path, const struct words *files)
{
	struct file_text all = { 0 };
	size_t header = 0;
	int rc = 0;

	for (size_t i = 0; i < files->count; i++)
		join_one(&all, &header, files->list[i]);
	if (all.failed || files->failed)
		rc = say("%s: out of memory", path);
	else if (all.size > 0)
		rc = file_replace(path, all.data, all.size);
	file_text_clear(&all);
	return rc;
}
