/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that nccl-tests, rccl-tests and our own perf binaries print, in logs as they come: launchers' tags also in the middle of lines, the library's
 * lines between and inside of rows. A row that was cut in two is put together only where nothing else can have been meant.
 */
#include "nccl_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_AT = 256 * 1024, SHOWN = 48 };

/* A line without what was put in front of it; `tag` is that. */
struct line {
	const char *text;
	size_t length;
	size_t number;
	const char *tag;
	size_t tag_length;
};

/* The beginning of a row whose end is on a later line. */
struct piece {
	char *text;
	size_t length;
	size_t line;
};

static int out_of_memory(void)
{
	fputs("collperf import: out of memory\n", stderr);
	return -1;
}

/* Length of an escape sequence; 0: none. */
static size_t escape_at(const char *text, size_t length)
{
	size_t n = 2;

	if (text[0] != '\x1b' || import_prefix(text, length) == 0)
		return 0;
	while (!isalpha((unsigned char)text[n]))
		n++;
	return n + 1;
}

/* Length of a launcher's tag, "[1,0]<stdout>:" or "[0]", without the blank behind it; 0: none. */
static size_t tag_at(const char *text, size_t length)
{
	size_t taken = text[0] == '[' ? import_prefix(text, length) : 0;
	const char *end = taken ? memchr(text, ']', taken) : NULL;

	if (!end)
		return 0;
	if (end[1] == '<')
		end = memchr(end, ':', taken - (size_t)(end - text));
	else if (end[1] == ':')
		end++;
	return (size_t)(end + 1 - text);
}

/* "0: " in a line that begins with it, likewise; it follows a blank. */
static size_t label_at(const struct line *line, const char *text, size_t length)
{
	size_t end = line->tag_length;
	size_t start;

	if (end < 3 || memcmp(line->tag + end - 2, ": ", 2) != 0)
		return 0;
	for (start = end - 1; start > 0 && line->tag[start - 1] != ' ';)
		start--;
	return length >= end - start && memcmp(text, line->tag + start, end - start) == 0 ? end - start - 1 : 0;
}

/* Another process wrote it, where the line's beginning says which one did. */
static bool is_foreign(const struct line *line, const char *tag, size_t length)
{
	return words_find(line->tag, line->tag_length, "[") < line->tag_length &&
	       !memmem(line->tag, line->tag_length, tag, length);
}

/* Escape sequences, and from rows tags, taken out of the middle; a tag of another process: *mixed. In place. */
static size_t clean(char *text, size_t length, const struct line *line, bool is_row, bool *mixed)
{
	size_t out = 0;

	for (size_t i = 0; i < length;) {
		size_t taken = escape_at(text + i, length - i);

		if (taken == 0 && is_row) {
			taken = tag_at(text + i, length - i);
			*mixed |= taken && is_foreign(line, text + i, taken);
			if (taken == 0 && out > 0 && text[out - 1] == ' ')
				taken = label_at(line, text + i, length - i);
		}
		i += taken;
		if (taken == 0)
			text[out++] = text[i++];
	}
	return out;
}

static int of_library(struct nccl_reader *reader, const struct line *line)
{
	nccl_version_line(reader, line->text, line->length);
	if (reader->of_nccl++ == 0)
		reader->first_of_nccl = line->number;
	return 0;
}

static int junk(struct nccl_reader *reader, const struct line *line)
{
	if (reader->in_table) {
		size_t skip = 0;

		while (skip < line->length && line->text[skip] == ' ')
			skip++;
		return import_skip(reader->sink, line->number, "no row: '%.*s'",
				   line->length - skip < SHOWN ? (int)(line->length - skip) : SHOWN, line->text + skip);
	}
	nccl_version_line(reader, line->text, line->length);
	if (reader->passed++ == 0)
		reader->first_passed = line->number;
	return 0;
}

static int take_row(struct nccl_reader *reader, const struct line *line)
{
	struct nccl_row row;
	const char *why;

	switch (nccl_row_parse(reader, line->text, line->length, &row, &why)) {
	case NCCL_NO_ROW:
		return junk(reader, line);
	case NCCL_BAD_ROW:
		return import_skip(reader->sink, line->number, "%s", why);
	default:
		row.line = line->number;
		return nccl_row_add(reader, &row);
	}
}

static bool is_full(const struct nccl_reader *reader, const char *text, size_t length, struct nccl_row *row)
{
	const char *why;

	return nccl_row_parse(reader, text, length, row, &why) == NCCL_FULL_ROW;
}

/* A size and a count, and more. */
static bool starts_row(const char *text, size_t length)
{
	struct word words[3];
	int64_t whole;

	return words_split(text, length, words, 3) >= 3 && word_whole(words[0], &whole) && word_whole(words[1], &whole) &&
	       isalpha((unsigned char)words[2].text[0]);
}

/* Only a row of its own, a comment or the end may follow a piece that is whole: any other line may be its last figure's end. */
static int end_piece(struct nccl_reader *reader, struct piece *piece, bool follows_well)
{
	struct nccl_row row;
	int rc;

	if (!piece->text)
		return 0;
	row.line = piece->line;
	if (follows_well && is_full(reader, piece->text, piece->length, &row)) {
		row.line = piece->line;
		rc = nccl_row_add(reader, &row);
	} else {
		rc = import_skip(reader->sink, piece->line, "a row that another line cut in two");
	}
	free(piece->text);
	piece->text = NULL;
	return rc;
}

/* piece and text one behind the other, if a blank is between them; NULL otherwise or when memory is out. */
static char *join(const struct piece *piece, const char *text, size_t length)
{
	char *joined;

	if (length == 0 || (piece->text[piece->length - 1] != ' ' && text[0] != ' '))
		return NULL;
	joined = malloc(piece->length + length);
	if (!joined)
		return NULL;
	memcpy(joined, piece->text, piece->length);
	memcpy(joined + piece->length, text, length);
	return joined;
}

/* The part of a row before a line of the library. */
static int start_piece(struct nccl_reader *reader, struct piece *piece, const char *text, size_t length, size_t number)
{
	struct piece longer = { NULL, 0, number };
	struct nccl_row row;

	if (piece->text && !is_full(reader, piece->text, piece->length, &row) && (longer.text = join(piece, text, length))) {
		longer.length = piece->length + length;
		longer.line = piece->line;
		free(piece->text);
		*piece = longer;
		return 0;
	}
	if (end_piece(reader, piece, starts_row(text, length)) != 0)
		return -1;
	longer.text = malloc(length);
	if (!longer.text)
		return out_of_memory();
	memcpy(longer.text, text, length);
	longer.length = length;
	*piece = longer;
	return 0;
}

static int library_line(struct nccl_reader *reader, struct piece *piece, const struct line *line, size_t start, size_t host)
{
	size_t cut;

	if (!nccl_library_cut(&reader->section.ranks, line->text, start, host, &cut))
		return import_skip(reader->sink, line->number, "a row and a line of NCCL in one");
	if (of_library(reader, line) != 0 || nccl_is_blank(line->text, cut))
		return 0;
	if (line->text[0] == '#')
		return nccl_comment(reader, line->text, cut, line->number);
	return start_piece(reader, piece, line->text, cut, line->number);
}

static int table_line(struct nccl_reader *reader, struct piece *piece, const struct line *line)
{
	char *joined = piece->text ? join(piece, line->text, line->length) : NULL;
	struct nccl_row row;
	int rc;

	if (joined && is_full(reader, joined, piece->length + line->length, &row)) {
		row.line = piece->line;
		rc = nccl_row_add(reader, &row);
		free(piece->text);
		piece->text = NULL;
	} else {
		rc = end_piece(reader, piece, starts_row(line->text, line->length)) || take_row(reader, line) ? -1 : 0;
	}
	free(joined);
	return rc;
}

static int take_line(struct nccl_reader *reader, struct piece *piece, const struct line *line)
{
	size_t start;
	size_t host;

	if (nccl_is_blank(line->text, line->length))
		return 0;
	if (nccl_library_find(line->text, line->length, &start, &host))
		return library_line(reader, piece, line, start, host);
	if (line->text[0] == '#')
		return end_piece(reader, piece, true) || nccl_comment(reader, line->text, line->length, line->number) ? -1 : 0;
	return table_line(reader, piece, line);
}

/* Rows have neither brackets nor labels; comments and the library's lines have brackets of their own. */
static bool may_be_row(const struct line *line)
{
	size_t start;
	size_t host;

	return line->length > 0 && line->text[0] != '#' && !nccl_library_find(line->text, line->length, &start, &host);
}

/* A line with tags or colours in its middle, cleaned in a copy. */
static int take_dirty_line(struct nccl_reader *reader, struct piece *piece, struct line *line)
{
	char *copy = malloc(line->length);
	bool mixed = false;
	int rc;

	if (!copy)
		return out_of_memory();
	memcpy(copy, line->text, line->length);
	line->length = clean(copy, line->length, line, may_be_row(line), &mixed);
	line->text = copy;
	rc = mixed ? import_skip(reader->sink, line->number, "lines of two processes in one") : take_line(reader, piece, line);
	free(copy);
	return rc;
}

static bool is_dirty(const struct line *line)
{
	if (line->length == 0)
		return false;
	if (memchr(line->text, '\x1b', line->length))
		return true;
	return (memchr(line->text, '[', line->length) || memchr(line->text, ':', line->length)) && may_be_row(line);
}

static int read_lines(struct nccl_reader *reader, const struct import_text *text, struct piece *piece)
{
	struct line line = { .number = 0 };
	size_t at = 0;

	while (import_next_line(text, &at, &line.tag, &line.length, &line.number)) {
		int rc;

		if (line.length > IMPORT_MOST_LINE) {
			rc = import_skip(reader->sink, line.number, "a line of more than 1 MiB");
		} else {
			line.tag_length = import_prefix(line.tag, line.length);
			line.text = line.tag + line.tag_length;
			line.length -= line.tag_length;
			rc = is_dirty(&line) ? take_dirty_line(reader, piece, &line) : take_line(reader, piece, &line);
		}
		if (rc != 0)
			return -1;
	}
	return 0;
}

static int tell(const struct nccl_reader *reader)
{
	if (reader->of_nccl && import_note(reader->sink, "passed over: NCCL's own lines, %zu, from line %zu on", reader->of_nccl,
					   reader->first_of_nccl) != 0)
		return -1;
	if (reader->passed == 0)
		return 0;
	return import_note(reader->sink, "passed over: lines outside of tables, %zu, from line %zu on", reader->passed,
			   reader->first_passed);
}

static int read_text(const struct import_text *text, const struct import_options *options, struct import_sink *sink)
{
	struct nccl_reader reader = { .options = options, .sink = sink, .pool = pool_new() };
	struct piece piece = { NULL, 0, 0 };
	int rc = -1;

	if (!reader.pool)
		return out_of_memory();
	nccl_section_clear(&reader.section);
	if (read_lines(&reader, text, &piece) == 0 && end_piece(&reader, &piece, true) == 0 && nccl_flush(&reader) == 0)
		rc = tell(&reader);
	free(piece.text);
	free(reader.section.rows);
	free(reader.section.ranks.items);
	pool_free(reader.pool);
	return rc;
}

static int recognise(const struct import_text *text)
{
	const struct import_text start = { text->name, text->data, text->size < LOOK_AT ? text->size : LOOK_AT };
	const char *line;
	size_t length;
	size_t number = 0;
	size_t at = 0;
	struct nccl_layout layout;
	int sure = 0;

	while (import_next_line(&start, &at, &line, &length, &number)) {
		size_t skip = import_prefix(line, length);

		if (nccl_layout_read(&layout, line + skip, length - skip))
			return 90;
		if (words_start(line + skip, length - skip, "# nThread ") ||
		    words_start(line + skip, length - skip, "# Collective test starting:"))
			sure = 70;
	}
	return sure;
}

const struct import_format import_nccl_text = { "nccl-text", "the table of nccl-tests, rccl-tests and collperf", recognise,
						read_text };
