/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison for a comment of a pull request or the summary of a job. Such a comment may have some 65000 characters: what is long is folded away and
 * stops in time.
 */
#include "../escape.h"
#include "../human.h"
#include "words.h"

enum { MOST_FINDINGS = 20, MOST_ROWS = 150, MOST_LINES = 20, MOST_BYTES = 55000 };

/* A report may stand before it. */
static bool has_room(FILE *out, long start)
{
	return ftell(out) - start < MOST_BYTES;
}

static void list(FILE *out, const char *head, char *const *lines, size_t n)
{
	if (n == 0)
		return;
	fprintf(out, "**%s**\n\n", head);
	for (size_t i = 0; i < n && i < MOST_LINES; i++)
		escape_put(out, ESCAPE_MARKDOWN, "- %s\n", lines[i]);
	if (n > MOST_LINES)
		fprintf(out, "- and %zu more\n", n - MOST_LINES);
	putc('\n', out);
}

static void sides(FILE *out, const struct gate_story *story)
{
	const struct gate_tally tally = gate_story_tally(story);
	const struct gate_words apart = gate_words_apart(story->sheet);

	for (size_t side = 0; side < GATE_SIDES; side++)
		escape_put(out, ESCAPE_MARKDOWN, "- %s%s%s, %s\n", story->calls[side] ? "" : gate_words_call(story, side),
			   story->calls[side] ? "" : ": ", story->names[side], gate_words_launches(&tally, side).text);
	if (*apart.text)
		escape_put(out, ESCAPE_MARKDOWN, "- %s\n", apart.text);
	putc('\n', out);
}

static void wrong(FILE *out, const struct gate_story *story)
{
	struct gate_words lines[MOST_LINES];
	const size_t n = gate_words_wrong(story->sheet, lines, MOST_LINES);

	if (n == 0)
		return;
	fprintf(out, "**Wrong data in %s**\n\n", gate_words_call(story, GATE_NEW));
	for (size_t i = 0; i < n && i < MOST_LINES; i++)
		escape_put(out, ESCAPE_MARKDOWN, "- %s\n", lines[i].text);
	if (n > MOST_LINES)
		fprintf(out, "- and %zu more points\n", n - MOST_LINES);
	putc('\n', out);
}

static void finding(FILE *out, const struct gate_story *story, const struct gate_finding *found)
{
	escape_put(out, ESCAPE_MARKDOWN, "| %s | %s | %s | %s ", gate_words_series(story->sheet, found->series).text,
		   gate_words_sizes(story->sheet, found).text, gate_words_ratio(&found->direct).text,
		   gate_words_seen(found).text);
	escape_put(out, ESCAPE_MARKDOWN, "| %s | %s |\n", gate_words_p(found->adjusted).text,
		   gate_is_loss(found) ? gate_words_hint(story->sheet, found) : "");
}

static void findings(FILE *out, const struct gate_story *story, bool slower)
{
	const struct gate_judgement *judgement = story->judgement;
	size_t shown = 0, all = 0;

	for (size_t f = 0; f < judgement->nfindings; f++) {
		if (gate_is_loss(&judgement->findings[f]) != slower || all++ >= MOST_FINDINGS)
			continue;
		if (shown++ == 0)
			fprintf(out,
				"**%s**\n\n| primitive | sizes | times as long (95 %%) | seen | p | look at "
				"|\n|---|---|---:|---|---:|---|\n",
				gate_words_heading(story, slower));
		finding(out, story, &judgement->findings[f]);
	}
	if (all > shown)
		fprintf(out, "\nand %zu more\n", all - shown);
	if (shown > 0)
		putc('\n', out);
}

static void gates(FILE *out, const struct gate_story *story)
{
	const struct gate_rules *rules = story->rules;

	if (!rules || rules->count == 0)
		return;
	fputs("**Gates**\n\n| gate | outcome | |\n|---|---|---|\n", out);
	for (size_t i = 0; i < rules->count && i < MOST_ROWS; i++)
		escape_put(out, ESCAPE_MARKDOWN, "| %s | %s | %s |\n", rules->items[i].text,
			   gate_words_met(story->outcomes[i].met), story->outcomes[i].words);
	if (rules->count > MOST_ROWS)
		fprintf(out, "\nand %zu more\n", rules->count - MOST_ROWS);
	putc('\n', out);
}

static void classes(FILE *out, const struct gate_story *story, long start)
{
	size_t rows = 0, all = 0;

	fputs("<details><summary>Classes of sizes</summary>\n\n| primitive | class | points | times as long (95 %) | verdict | "
	      "visible loss "
	      "|\n|---|---|---:|---:|---|---:|\n",
	      out);
	for (size_t s = 0; s < story->sheet->nseries; s++) {
		for (enum gate_class c = 0; c < GATE_CLASSES; c++) {
			const struct gate_class_verdict *verdict = &story->judgement->series[s].classes[c];

			if (verdict->points == 0 || all++ >= MOST_ROWS || !has_room(out, start))
				continue;
			rows++;
			escape_put(out, ESCAPE_MARKDOWN, "| %s | %s | %zu | %s ", gate_words_series(story->sheet, s).text,
				   gate_class_names[c], verdict->points, gate_words_ratio(&verdict->ratio).text);
			escape_put(out, ESCAPE_MARKDOWN, "| %s | %s |\n", gate_words_word(verdict->word),
				   gate_words_loss(verdict->visible).text);
		}
	}
	if (all > rows)
		fprintf(out, "\nand %zu more\n", all - rows);
	fputs("\n</details>\n\n", out);
}

static void point(FILE *out, const struct gate_story *story, size_t s, size_t i)
{
	const struct gate_point *of = &story->sheet->series[s].points[i];
	const struct gate_point_verdict *verdict = &story->judgement->series[s].points[i];

	escape_put(out, ESCAPE_MARKDOWN, "| %s | %s | %s | %s ", gate_words_series(story->sheet, s).text,
		   human_size(of->bytes).text, of->in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE,
		   gate_words_ratio(&verdict->ratio).text);
	escape_put(out, ESCAPE_MARKDOWN, "| %s | %s |\n", gate_words_word(verdict->word), gate_words_why(of, verdict->word));
}

/* Those that are the same are in the JSON. */
static void points(FILE *out, const struct gate_story *story, long start)
{
	const struct gate_tally tally = gate_story_tally(story);
	size_t rows = 0, all = 0;

	if (tally.points == story->judgement->same)
		return;
	fputs("<details><summary>Points that are not the same</summary>\n\n| primitive | size | placement | times as long (95 %) "
	      "| verdict | why "
	      "|\n|---|---:|---|---:|---|---|\n",
	      out);
	for (size_t s = 0; s < story->sheet->nseries; s++) {
		for (size_t i = 0; i < story->sheet->series[s].npoints; i++) {
			if (story->judgement->series[s].points[i].word == GATE_SAME)
				continue;
			if (all++ >= MOST_ROWS || !has_room(out, start))
				continue;
			rows++;
			point(out, story, s, i);
		}
	}
	if (all > rows)
		fprintf(out, "\nand %zu more\n", all - rows);
	fputs("\n</details>\n\n", out);
}

void gate_tell_markdown(FILE *out, const struct gate_story *story)
{
	const struct gate_sheet *sheet = story->sheet;
	const struct gate_words undecided = gate_words_undecided(story);
	const long start = ftell(out);

	escape_put(out, ESCAPE_MARKDOWN, "### %s\n\n", gate_words_verdict(story).text);
	sides(out, story);
	list(out, "Of the sides", sheet->differences, sheet->ndifferences);
	wrong(out, story);
	findings(out, story, true);
	gates(out, story);
	findings(out, story, false);
	for (size_t side = 0; side < GATE_SIDES; side++) {
		char head[64];

		snprintf(head, sizeof head, "In %s alone", gate_words_call(story, side));
		list(out, head, sheet->only[side], sheet->nonly[side]);
	}
	list(out, "Said of the inputs", story->notes, story->nnotes);
	escape_put(out, ESCAPE_MARKDOWN, "Points: %s", gate_words_counts(story).text);
	escape_put(out, ESCAPE_MARKDOWN, *undecided.text ? " Undecided: %s" : "%s", undecided.text);
	escape_put(out, ESCAPE_MARKDOWN, "\n\n%s\n\n", gate_words_sight(story).text);
	classes(out, story, start);
	points(out, story, start);
	escape_put(out, ESCAPE_MARKDOWN, "%s\n", gate_words_method(story).text);
}
