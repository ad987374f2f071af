/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison for people at a terminal: the verdict first, nothing wider than 100 columns, nothing longer than is read.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../escape.h"
#include "../human.h"
#include "words.h"

enum { WIDTH = 100, MOST_FINDINGS = 12, MOST_FASTER = 5, MOST_CLASSES = 15, MOST_LINES = 8, MOST_NOTES = 5, CELL = 512 };

static bool starts_character(char c)
{
	return ((unsigned char)c & 0xC0) != 0x80;
}

/* `text` as a terminal may see it; to be freed. NULL where memory is out. */
static char *clean(const char *text)
{
	char *made = NULL;
	size_t size;
	FILE *out = open_memstream(&made, &size);

	if (!out)
		return NULL;
	escape_text(out, ESCAPE_PLAIN, text);
	return fclose(out) == 0 ? made : NULL;
}

/* Bytes of the next line: up to the last blank in reach, or a whole width where there is none. */
static size_t line_length(const char *text, size_t columns)
{
	size_t used = 0, blank = 0, i = 0;

	for (; text[i]; i++) {
		if (text[i] == ' ')
			blank = i;
		if (starts_character(text[i]) && used++ == columns)
			return blank > 0 ? blank : i;
	}
	return i;
}

/* The first line begins with `mark`, the others are indented as far. */
static void paragraph(FILE *out, const char *mark, const char *text)
{
	char *made = clean(text);
	const size_t indent = strlen(mark);
	const char *rest = made;

	for (size_t line = 0; rest && *rest; line++) {
		const size_t length = line_length(rest, WIDTH - indent);

		fprintf(out, "%*s%.*s\n", line == 0 ? 0 : (int)indent, line == 0 ? mark : "", (int)length, rest);
		rest += length;
		rest += strspn(rest, " ");
	}
	free(made);
}

/* A cell of a table: cut or filled to its width, followed by a blank. */
static void cell(FILE *out, size_t width, const char *text)
{
	char *made = clean(text);
	size_t columns = 0, end = 0, cut = 0;

	for (; made && made[end]; end++) {
		if (!starts_character(made[end]))
			continue;
		if (columns++ == width - 1)
			cut = end;
	}
	if (columns > width)
		fprintf(out, "%.*s~ ", (int)cut, made);
	else
		fprintf(out, "%s%*s ", made ? made : "", (int)(width - columns), "");
	free(made);
}

static void heading(FILE *out, const char *text)
{
	fprintf(out, "\n%s\n", text);
}

static void list(FILE *out, char *const *lines, size_t n, size_t most)
{
	for (size_t i = 0; i < n && i < most; i++)
		paragraph(out, "  - ", lines[i]);
	if (n > most)
		fprintf(out, "  - and %zu more\n", n - most);
}

static void sides(FILE *out, const struct gate_story *story)
{
	static const char *const marks[GATE_SIDES] = { "  BASE  ", "  NEW   " };
	const struct gate_tally tally = gate_story_tally(story);

	for (size_t side = 0; side < GATE_SIDES; side++) {
		char line[2048];

		snprintf(line, sizeof line, "%.900s (%s)", story->names[side], gate_words_launches(&tally, side).text);
		paragraph(out, story->calls[side] ? "  " : marks[side], line);
	}
}

static void circumstances(FILE *out, const struct gate_story *story)
{
	const struct gate_words apart = gate_words_apart(story->sheet);

	if (story->sheet->ndifferences > 0) {
		heading(out, "Of the sides:");
		list(out, story->sheet->differences, story->sheet->ndifferences, MOST_LINES);
	}
	if (*apart.text) {
		putc('\n', out);
		paragraph(out, "", apart.text);
	}
	if (story->nnotes > 0) {
		heading(out, "Said of the inputs:");
		list(out, story->notes, story->nnotes, MOST_NOTES);
	}
}

static void wrong(FILE *out, const struct gate_story *story)
{
	struct gate_words lines[MOST_LINES];
	const size_t n = gate_words_wrong(story->sheet, lines, MOST_LINES);

	if (n > 0)
		fprintf(out, "\nWrong data in %s:\n", gate_words_call(story, GATE_NEW));
	for (size_t i = 0; i < n && i < MOST_LINES; i++)
		paragraph(out, "  - ", lines[i].text);
	if (n > MOST_LINES)
		fprintf(out, "  - and %zu more points\n", n - MOST_LINES);
}

static void finding(FILE *out, const struct gate_story *story, const struct gate_finding *found)
{
	fputs("  ", out);
	cell(out, 26, gate_words_series(story->sheet, found->series).text);
	cell(out, 25, gate_words_sizes(story->sheet, found).text);
	cell(out, 20, gate_words_ratio(&found->direct).text);
	cell(out, 18, gate_words_seen(found).text);
	fprintf(out, "%s\n", gate_words_p(found->adjusted).text);
}

static void findings(FILE *out, const struct gate_story *story, bool slower, size_t most)
{
	const struct gate_judgement *judgement = story->judgement;
	const char *last = "";
	size_t shown = 0, all = 0;

	for (size_t f = 0; f < judgement->nfindings; f++) {
		const struct gate_finding *found = &judgement->findings[f];
		const char *hint = gate_words_hint(story->sheet, found);

		if (gate_is_loss(found) != slower || all++ >= most)
			continue;
		if (shown++ == 0) {
			heading(out, gate_words_heading(story, slower));
			fprintf(out, "  %-26s %-25s %-20s %-18s %s\n", "primitive", "sizes", "times as long, 95 %", "seen", "p");
		}
		finding(out, story, found);
		if (slower && strcmp(hint, last) != 0)
			paragraph(out, "    look at ", hint);
		last = hint;
	}
	if (all > shown)
		fprintf(out, "  and %zu more (--json FILE has all)\n", all - shown);
}

static void class_row(FILE *out, const struct gate_story *story, size_t s, enum gate_class c)
{
	const struct gate_class_verdict *verdict = &story->judgement->series[s].classes[c];

	fputs("  ", out);
	cell(out, 34, gate_words_series(story->sheet, s).text);
	cell(out, 10, gate_class_names[c]);
	fprintf(out, "%-7zu", verdict->points);
	cell(out, 20, gate_words_ratio(&verdict->ratio).text);
	cell(out, 10, gate_words_word(verdict->word));
	fprintf(out, "%s\n", gate_words_loss(verdict->visible).text);
}

static void classes(FILE *out, const struct gate_story *story)
{
	size_t shown = 0, all = 0;

	for (size_t s = 0; s < story->sheet->nseries; s++) {
		if (!gate_words_has_classes(&story->judgement->series[s]))
			continue;
		for (enum gate_class c = 0; c < GATE_CLASSES; c++) {
			if (story->judgement->series[s].classes[c].points == 0 || all++ >= MOST_CLASSES)
				continue;
			if (shown++ == 0) {
				heading(out, "By class of sizes, where not all is the same:");
				fprintf(out, "  %-34s %-10s %-6s %-20s %-10s %s\n", "primitive", "class", "points",
					"times as long, 95 %", "verdict", "visible loss");
			}
			class_row(out, story, s, c);
		}
	}
	if (all > shown)
		fprintf(out, "  and %zu more\n", all - shown);
}

static void gates(FILE *out, const struct gate_story *story)
{
	const struct gate_rules *rules = story->rules;

	if (!rules || rules->count == 0)
		return;
	heading(out, "Gates:");
	/* What was missed is not to be looked for. */
	for (size_t pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < rules->count; i++) {
			char line[CELL];

			if ((story->outcomes[i].met == GATE_MET) != (pass == 1))
				continue;
			snprintf(line, sizeof line, "%s: %s", gate_words_met(story->outcomes[i].met), story->outcomes[i].words);
			paragraph(out, "  - ", line);
		}
	}
}

static void one_sided(FILE *out, const struct gate_story *story)
{
	for (size_t side = 0; side < GATE_SIDES; side++) {
		if (story->sheet->nonly[side] == 0)
			continue;
		fprintf(out, "\nIn %s alone (%zu points):\n", gate_words_call(story, side), story->sheet->points_only[side]);
		list(out, story->sheet->only[side], story->sheet->nonly[side], MOST_LINES);
	}
}

static void points(FILE *out, const struct gate_story *story)
{
	heading(out, "Points:");
	fprintf(out, "  %-34s %-10s %-12s %-20s %s\n", "primitive", "size", "placement", "times as long, 95 %", "verdict");
	for (size_t s = 0; s < story->sheet->nseries; s++) {
		const struct gate_series *series = &story->sheet->series[s];

		for (size_t i = 0; i < series->npoints; i++) {
			const struct gate_point_verdict *verdict = &story->judgement->series[s].points[i];

			fputs("  ", out);
			cell(out, 34, gate_words_series(story->sheet, s).text);
			cell(out, 10, human_size(series->points[i].bytes).text);
			cell(out, 12, series->points[i].in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE);
			cell(out, 20, gate_words_ratio(&verdict->ratio).text);
			fprintf(out, "%s\n", gate_words_word(verdict->word));
		}
	}
}

void gate_tell_verdict(FILE *out, const struct gate_story *story)
{
	char *made = clean(gate_words_verdict(story).text);

	fprintf(out, "%s\n", made ? made : "");
	free(made);
}

void gate_tell_text(FILE *out, const struct gate_story *story)
{
	const struct gate_words undecided = gate_words_undecided(story);

	paragraph(out, "", gate_words_verdict(story).text);
	sides(out, story);
	circumstances(out, story);
	wrong(out, story);
	findings(out, story, true, MOST_FINDINGS);
	classes(out, story);
	gates(out, story);
	findings(out, story, false, MOST_FASTER);
	one_sided(out, story);
	if (story->all_points)
		points(out, story);
	putc('\n', out);
	paragraph(out, "Points: ", gate_words_counts(story).text);
	if (*undecided.text)
		paragraph(out, "Undecided: ", undecided.text);
	paragraph(out, "", gate_words_sight(story).text);
	paragraph(out, "", gate_words_method(story).text);
}
