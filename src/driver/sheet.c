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
	size_t record, column, points_column, wrong_column;
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

/* 0 where it is not a positive number and nothing else; the text ends in a NUL. */
static uint64_t positive(const char *field, size_t length)
{
	char *end;
	long long value = strtoll(field, &end, 10);

	return end == field + length && value > 0 ? (uint64_t)value : 0;
}

static void find_column(struct scan *scan, const char *name, size_t length)
{
	if (length == strlen("points") && memcmp(name, "points", length) == 0)
		scan->points_column = scan->column;
	if (length == strlen("wrong") && memcmp(name, "wrong", length) == 0)
		scan->wrong_column = scan->column;
}

static void take_points(struct sheet *sheet, const char *field)
{
	char *end;
	unsigned long long points = strtoull(field, &end, 10);

	if (*end == '\0' && points > sheet->points)
		sheet->points = (size_t)points;
}

static void take_field(void *data, size_t length, void *user)
{
	struct scan *scan = user;
	struct sheet *sheet = scan->sheet;

	if (scan->record == 0)
		find_column(scan, data, length);
	else if (scan->column == scan->points_column && length > 0)
		take_points(sheet, data);
	else if (scan->column == scan->wrong_column && length > 0) {
		uint64_t wrong = positive(data, length);

		sheet->wrong = wrong < UINT64_MAX - sheet->wrong ? sheet->wrong + wrong : UINT64_MAX;
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
	struct scan scan = { .sheet = sheet, .points_column = absent, .wrong_column = absent };
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
