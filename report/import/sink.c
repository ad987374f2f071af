/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of one log on their way to a CSV: texts made harmless, rates checked against size and time, and what has to be told about them.
 */
#include "sink.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../columns.h"
#include "../range.h"
#include "../rows.h"
#include "../text.h"
#include "rates.h"

enum { TEXT_ROOM = 201, WHY_ROOM = 320, MOST_NOTES = 100 };

static int failed(const char *why)
{
	fprintf(stderr, "collperf import: %s\n", why);
	return -1;
}

int sink_begin(struct import_sink *sink, struct rows *rows, const char *name, const char *run)
{
	*sink = (struct import_sink){ .rows = rows, .run = run, .first = rows_count(rows) };
	return rows_begin_file(rows, name) ? failed("out of memory") : 0;
}

void sink_clear(struct import_sink *sink)
{
	for (size_t i = 0; i < sink->nshown; i++)
		free(sink->shown[i].why);
	for (size_t i = 0; i < sink->nnotes; i++)
		free(sink->notes[i]);
	free(sink->notes);
	*sink = (struct import_sink){ 0 };
}

size_t sink_count(const struct import_sink *sink)
{
	return rows_count(sink->rows) - sink->first;
}

bool sink_is_bad(const struct import_sink *sink)
{
	return sink->disagree > 0 || sink->wrong > 0 || sink->wrong_somewhere;
}

/* A text of the log as it may stand in a cell; NULL when memory is out. */
static const char *harmless(struct import_sink *sink, const char *text)
{
	char cell[TEXT_ROOM + 1] = "'";
	size_t length;

	text += strspn(text, " \t");
	text_escape(text, cell + 1, TEXT_ROOM);
	for (length = strlen(cell); length > 1 && cell[length - 1] == ' '; length--)
		cell[length - 1] = '\0';
	return pool_text(rows_pool(sink->rows), cell[1] && strchr("=+-@", cell[1]) ? cell : cell + 1);
}

static int harmless_texts(struct import_sink *sink, struct result *row)
{
	for (size_t i = 0; i < column_count; i++) {
		const char *kept;

		if (columns[i].type != COLUMN_TEXT)
			continue;
		kept = harmless(sink, column_text(&columns[i], row));
		if (!kept)
			return -1;
		column_parse(&columns[i], kept, row);
	}
	return 0;
}

static int fill(struct import_sink *sink, struct result *row, const struct import_digits *digits)
{
	char flags[TEXT_ROOM];
	bool agree = rates_complete(row, digits);

	snprintf(flags, sizeof(flags), "%s%s" RESULT_FLAG_IMPORTED "%s", row->flags, *row->flags ? " " : "",
		 agree ? "" : " " RESULT_FLAG_RATES);
	row->flags = harmless(sink, flags);
	row->schema = RESULT_SCHEMA;
	row->run = sink->run;
	row->point = row->points = RESULT_NONE;
	if (row->bytes_requested == RESULT_NONE)
		row->bytes_requested = row->bytes;
	if (!*row->timing)
		row->timing = "loop";
	sink->disagree += !agree;
	sink->wrong += row->wrong > 0;
	return row->flags ? harmless_texts(sink, row) : -1;
}

static int add(struct import_sink *sink, const struct result *row, size_t line)
{
	size_t count = rows_count(sink->rows);

	if (count >= IMPORT_MOST_ROWS) {
		fprintf(stderr, "collperf import: line %zu: more than %d rows; import fewer logs at a time\n", line,
			(int)IMPORT_MOST_ROWS);
		return -1;
	}
	if (rows_add(sink->rows, row, line) != 0)
		return failed("out of memory");
	if (rows_is_repeat(sink->rows, count) && sink->repeats++ == 0)
		sink->first_line = line;
	return 0;
}

int import_row(struct import_sink *sink, const struct result *row, const struct import_digits *digits, size_t line)
{
	static const struct import_digits exact = { 0 };
	struct result copy = *row;
	const char *column;
	char why[80];

	if (row->bytes == 0)
		return import_skip(sink, line, "size 0: nothing was moved");
	if (!(row->time > 0))
		return import_skip(sink, line, "its time is not above 0");
	if (!isfinite(row->time))
		return import_skip(sink, line, "its time is not finite");
	copy.schema = RESULT_SCHEMA;
	if (range_check(&copy, &column, why, sizeof(why)) != 0)
		return import_skip(sink, line, "%s %s", column, why);
	if (fill(sink, &copy, digits ? digits : &exact) != 0)
		return failed("out of memory");
	return add(sink, &copy, line);
}

int import_skip(struct import_sink *sink, size_t line, const char *format, ...)
{
	struct import_skipped *skip = sink->nshown ? &sink->shown[sink->nshown - 1] : NULL;
	char why[WHY_ROOM];
	va_list args;

	/* Both placements of a line are one line. */
	if (line == sink->last_skip)
		return 0;
	sink->last_skip = line;
	sink->skipped++;
	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	if (skip && skip->last == sink->last_shown && strcmp(skip->why, why) == 0) {
		skip->last = sink->last_shown = line;
		skip->count++;
		return 0;
	}
	if (sink->nshown == IMPORT_SHOWN_SKIPS) {
		sink->last_shown = 0;
		sink->unshown++;
		return 0;
	}
	skip = &sink->shown[sink->nshown];
	*skip = (struct import_skipped){ line, line, 1, strdup(why) };
	if (!skip->why)
		return failed("out of memory");
	sink->last_shown = line;
	sink->nshown++;
	return 0;
}

void import_wrong(struct import_sink *sink)
{
	sink->wrong_somewhere = true;
}

int import_note(struct import_sink *sink, const char *format, ...)
{
	char text[2 * WHY_ROOM];
	char **notes;
	va_list args;

	if (sink->nnotes == MOST_NOTES)
		return 0;
	notes = realloc(sink->notes, (sink->nnotes + 1) * sizeof(*notes));
	if (!notes)
		return failed("out of memory");
	sink->notes = notes;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	notes[sink->nnotes] = strdup(text);
	if (!notes[sink->nnotes])
		return failed("out of memory");
	sink->nnotes++;
	return 0;
}

static void tell_texts(const struct import_sink *sink, FILE *out, const char *name)
{
	for (size_t i = 0; i < sink->nshown; i++) {
		const struct import_skipped *skip = &sink->shown[i];

		fprintf(out, "%s:%zu", name, skip->line);
		if (skip->count > 1)
			fprintf(out, "-%zu: %zu lines", skip->last, skip->count);
		fputs(": left out: ", out);
		text_print(out, skip->why);
		fputc('\n', out);
	}
	if (sink->unshown)
		fprintf(out, "%s: and %zu more lines left out\n", name, sink->unshown);
	for (size_t i = 0; i < sink->nnotes; i++) {
		fprintf(out, "%s: ", name);
		text_print(out, sink->notes[i]);
		fputc('\n', out);
	}
	if (sink->nnotes == MOST_NOTES)
		fprintf(out, "%s: and perhaps more to be said; only the first %d notes are\n", name, MOST_NOTES);
}

void sink_tell(const struct import_sink *sink, FILE *out, const char *name, const char *format)
{
	char shown[300];
	size_t count = sink_count(sink);

	text_escape(name, shown, sizeof(shown));
	fprintf(out, "%s: %s: %zu row%s", shown, format, count, count == 1 ? "" : "s");
	fprintf(out, ", %zu line%s left out\n", sink->skipped, sink->skipped == 1 ? "" : "s");
	tell_texts(sink, out, shown);
	if (sink->repeats)
		fprintf(out,
			"%s: %zu rows repeat an earlier point, the first on line %zu: several cycles or runs in one log, or "
			"several jobs "
			"that were meant to be one\n",
			shown, sink->repeats, sink->first_line);
	if (sink->disagree)
		fprintf(out,
			"%s: in %zu rows algbw or busbw is not what size, time and ranks give; they have the flag "
			"'" RESULT_FLAG_RATES "'\n",
			shown, sink->disagree);
	if (sink->wrong || sink->wrong_somewhere)
		fprintf(out, "%s: WRONG DATA in the log%s\n", shown, sink->wrong ? "" : ", it does not say in which row");
}
