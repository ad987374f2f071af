/* SPDX-License-Identifier: Apache-2.0
 *
 * How the rows of two sides came about, where that is not the same: library, timing, common start, and flags that one side alone has.
 */
#include <string.h>

#include "../escape.h"
#include "sheet_tell.h"

/* What one side alone has is told; so is NEW unchecked, as wrong data would not be seen. */
static const char *const flags[] = {
	RESULT_FLAG_UNCHECKED, RESULT_FLAG_OVERSUBSCRIBED, RESULT_FLAG_SHARED_GPU, RESULT_FLAG_SIMULATED,  RESULT_FLAG_IMPORTED,
	RESULT_FLAG_RATES,     RESULT_FLAG_TRACED,         RESULT_FLAG_HOST_BOUND, RESULT_FLAG_OTHER_PATH,
};

enum { FLAGS = sizeof flags / sizeof *flags };

static const struct {
	const char *name;
	size_t offset;
	bool of_variants; /* a key unless variants are compared */
	const char *end;
} columns_told[] = {
	{ "library", offsetof(struct result, library), false, "" },
	{ "backend", offsetof(struct result, backend), true, "" },
	{ "path", offsetof(struct result, path), true, "" },
	{ "algorithm", offsetof(struct result, algo), true, "" },
	{ "timing", offsetof(struct result, timing), false, ": calls alone and calls in a loop do not take the same time" },
	{ "common start of the ranks", offsetof(struct result, sync), false, "" },
};

enum { COLUMNS_TOLD = sizeof columns_told / sizeof *columns_told };

struct seen {
	size_t rows;
	size_t unnumbered; /* that do not say which point of how many they are */
	size_t flagged[FLAGS];
	struct gate_set columns[COLUMNS_TOLD];
};

static void look(const struct rows *rows, struct seen *seen)
{
	for (size_t i = 0; i < rows_count(rows); i++) {
		const struct result *row = rows_get(rows, i);

		if (rows_is_repeat(rows, i) || result_is_pair(row) || result_is_step(row))
			continue;
		seen->rows++;
		/* Of another tool's log nobody expects it. */
		seen->unnumbered += (row->point == RESULT_NONE || row->points == RESULT_NONE) &&
				    !result_has_flag(row, RESULT_FLAG_IMPORTED);
		seen->flagged[0] += gate_is_unchecked(row);
		for (size_t f = 1; *row->flags && f < FLAGS; f++)
			seen->flagged[f] += result_has_flag(row, flags[f]);
		for (size_t c = 0; c < COLUMNS_TOLD; c++) {
			const char *text;

			memcpy(&text, (const char *)row + columns_told[c].offset, sizeof text);
			gate_set_add(&seen->columns[c], text);
		}
	}
}

static int tell_flag(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES],
		     const struct seen seen[GATE_SIDES], size_t f)
{
	size_t with = seen[GATE_NEW].flagged[f] > 0 ? GATE_NEW : GATE_BASE, without = with == GATE_NEW ? GATE_BASE : GATE_NEW;
	bool unseen = f == 0 && with == GATE_NEW;
	struct gate_line line;

	if (seen[with].flagged[f] == 0 || (seen[without].flagged[f] > 0 && !unseen))
		return 0;
	if (gate_line_open(&line))
		return -1;
	escape_put(line.out, ESCAPE_PLAIN, "%s: %zu of %zu rows of %s, %zu of %s%s", flags[f], seen[with].flagged[f],
		   seen[with].rows, gathered[with].name, seen[without].flagged[f], gathered[without].name,
		   unseen ? ": wrong data would not be seen" : "");
	return gate_line_close(&line, &sheet->differences, &sheet->ndifferences);
}

static int tell_cut(struct gate_sheet *sheet, const struct gate_gathered *gathered, size_t side)
{
	struct gate_line line;

	if (sheet->cut[side] == 0)
		return 0;
	if (gate_line_open(&line))
		return -1;
	escape_put(line.out, ESCAPE_PLAIN, "%s: %zu of %zu launches were cut short: sizes that they lack are undecided",
		   gathered->name, sheet->cut[side], sheet->launches[side]);
	return gate_line_close(&line, &sheet->differences, &sheet->ndifferences);
}

static int tell_unnumbered(struct gate_sheet *sheet, const struct gate_gathered *gathered, const struct seen *seen)
{
	struct gate_line line;

	if (seen->unnumbered == 0)
		return 0;
	if (gate_line_open(&line))
		return -1;
	escape_put(
		line.out, ESCAPE_PLAIN,
		"%s: %zu of %zu rows do not say which point of how many they are (columns point, points): launches that were cut "
		"short are not seen",
		gathered->name, seen->unnumbered, seen->rows);
	return gate_line_close(&line, &sheet->differences, &sheet->ndifferences);
}

int gate_differences_of_rows(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES], bool loose)
{
	struct seen seen[GATE_SIDES] = { 0 };

	for (size_t side = 0; side < GATE_SIDES; side++)
		look(gathered[side].side->rows, &seen[side]);
	for (size_t c = 0; c < COLUMNS_TOLD; c++) {
		const struct gate_set sets[GATE_SIDES] = { seen[GATE_BASE].columns[c], seen[GATE_NEW].columns[c] };

		if ((loose || !columns_told[c].of_variants) &&
		    gate_set_tell(sheet, gathered, sets, columns_told[c].name, columns_told[c].end))
			return -1;
	}
	for (size_t f = 0; f < FLAGS; f++) {
		if (tell_flag(sheet, gathered, seen, f))
			return -1;
	}
	for (size_t side = 0; side < GATE_SIDES; side++) {
		if (tell_cut(sheet, &gathered[side], side) || tell_unnumbered(sheet, &gathered[side], &seen[side]))
			return -1;
	}
	return 0;
}
