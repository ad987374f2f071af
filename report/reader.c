/* SPDX-License-Identifier: Apache-2.0
 *
 * CSV files of schema 1 to rows. libcsv splits fields (strict: a stray quote is an error); here is what a field may hold.
 * The input is fed by physical lines, so that every message can name one.
 */
#include "reader.h"

#include <csv.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "file.h"
#include "range.h"
#include "rows.h"
#include "text.h"

enum { CHUNK = 64 * 1024, MAX_FIELD = 64 * 1024, MAX_LINE = 1024 * 1024, MAX_FIELDS = 1024, MAX_ROWS = 1 << 23, SHOWN = 64 };

static const uint64_t max_file = (uint64_t)4 << 30;

struct cells {
	char *text; /* each field with its NUL */
	size_t size;
	size_t room;
	size_t offset[MAX_FIELDS];
	size_t count;
};

struct reader {
	struct rows *rows;
	const char *name;
	char *error;
	size_t error_size;
	bool failed;
	struct csv_parser csv;
	uint64_t bytes;   /* fed */
	size_t line;      /* being fed */
	size_t row_line;  /* where the row being fed began */
	size_t row_bytes; /* of it so far; 0: between rows */
	struct cells row;
	char *header; /* the bytes of the header row, as in cells */
	size_t header_size;
	size_t width;                 /* fields of the header */
	int column[MAX_FIELDS];       /* -1: unknown */
	const char *last[MAX_FIELDS]; /* the text before, of the pool: most columns say the same in many rows */
};

/* The first error stays; always returns -1. */
__attribute__((format(printf, 2, 3))) static int fail(struct reader *reader, const char *format, ...)
{
	char name[256];
	char what[512];
	va_list args;

	if (reader->failed)
		return -1;
	reader->failed = true;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	snprintf(reader->error, reader->error_size, "%s: %s", text_escape(reader->name, name, sizeof(name)), what);
	return -1;
}

static int fail_cell(struct reader *reader, const char *column, const char *why)
{
	return fail(reader, "line %zu, column %s: %s", reader->row_line, column, why);
}

static int out_of_memory(struct reader *reader)
{
	return fail(reader, "out of memory");
}

static int check_unique(struct reader *reader, size_t field)
{
	const char *name = reader->row.text + reader->row.offset[field];
	char shown[SHOWN];

	for (size_t i = 0; i < field; i++)
		if (strcmp(reader->row.text + reader->row.offset[i], name) == 0)
			return fail(reader, "line %zu: two columns are named '%s'", reader->row_line,
				    text_escape(name, shown, sizeof(shown)));
	return 0;
}

static int check_needed(struct reader *reader)
{
	static const char *const needed[] = { "schema", "collective", "nranks", "bytes", "time_us" };

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		bool found = false;

		for (size_t field = 0; field < reader->width; field++)
			found |= reader->column[field] == column_find(needed[i]);
		if (!found)
			return fail(reader, "line %zu: no column '%s' in the header", reader->row_line, needed[i]);
	}
	return 0;
}

static int take_header(struct reader *reader)
{
	const char *unknown = NULL;
	size_t nunknown = 0;
	char shown[SHOWN];

	for (size_t i = 0; i < reader->row.count; i++) {
		const char *name = reader->row.text + reader->row.offset[i];

		if (check_unique(reader, i) != 0)
			return -1;
		reader->column[i] = column_find(name);
		if (reader->column[i] < 0 && nunknown++ == 0)
			unknown = name;
	}
	reader->width = reader->row.count;
	if (check_needed(reader) != 0)
		return -1;
	reader->header = malloc(reader->row.size);
	if (!reader->header)
		return out_of_memory(reader);
	memcpy(reader->header, reader->row.text, reader->row.size);
	reader->header_size = reader->row.size;
	if (nunknown > 0 && rows_add_note(reader->rows, "%zu unknown columns are left out (first: '%s')", nunknown,
					  text_escape(unknown, shown, sizeof(shown))) != 0)
		return out_of_memory(reader);
	return 0;
}

static int take_cell(struct reader *reader, size_t field, struct result *result)
{
	const struct column *column = &columns[reader->column[field]];
	const char *text = reader->row.text + reader->row.offset[field];
	char shown[SHOWN];
	char why[SHOWN + 32];

	if (column->type == COLUMN_TEXT) {
		/* What writers put in front of a text that looks like a formula. */
		text += text[0] == '\'' && text[1] && strchr("=+-@", text[1]);
		if (!reader->last[field] || strcmp(reader->last[field], text) != 0)
			reader->last[field] = pool_text(rows_pool(reader->rows), text);
		text = reader->last[field];
		if (!text)
			return out_of_memory(reader);
	}
	if (column_parse(column, text, result) == 0)
		return 0;
	snprintf(why, sizeof(why), "'%s' is not %s", text_escape(text, shown, sizeof(shown)),
		 column->type == COLUMN_INTEGER ? "a whole number" : "a number");
	return fail_cell(reader, column->name, why);
}

static int take_row(struct reader *reader)
{
	struct result result;
	const char *column;
	char why[128];

	if (reader->row.count != reader->width)
		return fail(reader, "line %zu: %zu fields, the header has %zu", reader->row_line, reader->row.count,
			    reader->width);
	if (rows_count(reader->rows) >= MAX_ROWS)
		return fail(reader, "line %zu: more than %d rows in all files", reader->row_line, (int)MAX_ROWS);
	result_clear(&result);
	for (size_t i = 0; i < reader->width; i++)
		if (reader->column[i] >= 0 && take_cell(reader, i, &result) != 0)
			return -1;
	if (range_check(&result, &column, why, sizeof(why)) != 0)
		return fail_cell(reader, column, why);
	if (rows_add(reader->rows, &result, reader->row_line) != 0)
		return out_of_memory(reader);
	return 0;
}

/* The last line has no line end: 1 when it has to be left out. */
static int check_cut(struct reader *reader)
{
	bool cut = reader->row.count < reader->width;

	if (rows_add_note(reader->rows, cut ? "line %zu is cut short and left out" : "line %zu has no line end; it may be cut",
			  reader->row_line) != 0)
		return out_of_memory(reader);
	return cut;
}

static void on_field(void *text, size_t size, void *data)
{
	struct reader *reader = data;
	struct cells *row = &reader->row;

	if (reader->failed)
		return;
	if (size > MAX_FIELD || row->count == MAX_FIELDS) {
		fail(reader, "line %zu: %s", reader->row_line,
		     size > MAX_FIELD ? "a field of more than 64 KiB" : "more than 1024 fields");
		return;
	}
	if (size + 1 > row->room - row->size) {
		size_t room = 2 * row->room + size + 1;
		char *grown = realloc(row->text, room);

		if (!grown) {
			out_of_memory(reader);
			return;
		}
		row->text = grown;
		row->room = room;
	}
	row->offset[row->count++] = row->size;
	if (size > 0)
		memcpy(row->text + row->size, text, size);
	row->text[row->size + size] = '\0';
	row->size += size + 1;
}

static void on_row(int end, void *data)
{
	struct reader *reader = data;
	struct cells *row = &reader->row;

	if (!reader->failed) {
		if (!reader->header)
			take_header(reader);
		else if (row->size == reader->header_size && memcmp(row->text, reader->header, row->size) == 0)
			; /* files put one behind the other */
		else if (end >= 0 || check_cut(reader) == 0)
			take_row(reader);
	}
	row->size = 0;
	row->count = 0;
	reader->row_bytes = 0;
}

static int never_space(unsigned char byte)
{
	(void)byte;
	return 0;
}

/* One physical line, or the part of it that is there. */
static void feed_line(struct reader *reader, const char *text, size_t size)
{
	bool blank = text[0] == '\n' || (size == 2 && text[0] == '\r' && text[1] == '\n');

	if (reader->row_bytes > 0 || !blank) {
		if (reader->row_bytes == 0)
			reader->row_line = reader->line;
		reader->row_bytes += size;
	}
	if (memchr(text, '\0', size))
		fail(reader, "line %zu: a NUL byte; this is no text file", reader->line);
	else if (reader->row_bytes > MAX_LINE)
		fail(reader, "line %zu: a line of more than 1 MiB", reader->row_line);
	else if (csv_parse(&reader->csv, text, size, on_field, on_row, reader) != size)
		fail(reader, "line %zu: %s", reader->line,
		     csv_error(&reader->csv) == CSV_EPARSE ? "a quote where none may stand"
							   : csv_strerror(csv_error(&reader->csv)));
}

static void feed(struct reader *reader, const char *text, size_t size)
{
	reader->bytes += size;
	if (reader->bytes > max_file)
		fail(reader, "a file of more than 4 GiB");
	while (size > 0 && !reader->failed) {
		const char *end = memchr(text, '\n', size);
		size_t length = end ? (size_t)(end - text) + 1 : size;

		feed_line(reader, text, length);
		reader->line += end != NULL;
		text += length;
		size -= length;
	}
}

static int open_reader(struct reader *reader, struct rows *rows, const char *name, char *error, size_t error_size)
{
	memset(reader, 0, sizeof(*reader));
	reader->rows = rows;
	reader->name = name;
	reader->error = error;
	reader->error_size = error_size;
	reader->line = 1;
	if (csv_init(&reader->csv, CSV_STRICT | CSV_STRICT_FINI) != 0 || rows_begin_file(rows, name) != 0)
		return out_of_memory(reader);
	/* Blanks belong to a field: RFC 4180. */
	csv_set_space_func(&reader->csv, never_space);
	return 0;
}

static int close_reader(struct reader *reader, size_t nrows_before)
{
	if (!reader->failed && csv_fini(&reader->csv, on_field, on_row, reader) != 0) {
		/* A quote that is open over several lines may have swallowed rows. */
		if (reader->line > reader->row_line)
			fail(reader, "line %zu: a quoted field of this row never ends", reader->row_line);
		else
			check_cut(reader);
	}
	if (!reader->failed && rows_count(reader->rows) == nrows_before)
		fail(reader, reader->header ? "no rows" : "no header and no rows");
	if (rows_end_file(reader->rows) != 0)
		out_of_memory(reader);
	csv_free(&reader->csv);
	free(reader->header);
	free(reader->row.text);
	return reader->failed ? -1 : 0;
}

static size_t mark_size(const char *text, size_t size)
{
	return size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

int rows_parse(struct rows *rows, const char *name, const char *text, size_t size, char *error, size_t error_size)
{
	size_t before = rows_count(rows);
	struct reader reader;

	if (open_reader(&reader, rows, name, error, error_size) != 0)
		return -1;
	feed(&reader, text + mark_size(text, size), size - mark_size(text, size));
	return close_reader(&reader, before);
}

static void feed_file(struct reader *reader, FILE *file, char *chunk)
{
	size_t size = fread(chunk, 1, CHUNK, file);
	size_t skip = mark_size(chunk, size);

	for (; size > 0 && !reader->failed; size = fread(chunk, 1, CHUNK, file)) {
		feed(reader, chunk + skip, size - skip);
		skip = 0;
	}
	if (ferror(file))
		fail(reader, "cannot be read: %s", strerror(errno));
}

int rows_read(struct rows *rows, const char *path, char *error, size_t error_size)
{
	size_t before = rows_count(rows);
	const char *why;
	FILE *file = file_open(path, &why);
	char *chunk = malloc(CHUNK);
	struct reader reader = { .name = path, .error = error, .error_size = error_size };
	int rc = -1;

	if (!file) {
		fail(&reader, "cannot be opened: %s", why);
	} else if (!chunk) {
		out_of_memory(&reader);
	} else if (open_reader(&reader, rows, path, error, error_size) == 0) {
		feed_file(&reader, file, chunk);
		rc = close_reader(&reader, before);
	}
	free(chunk);
	if (file)
		fclose(file);
	return rc;
}
