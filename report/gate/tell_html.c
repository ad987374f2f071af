/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison as a section of a report's page.
 */
#include "../escape.h"
#include "words.h"

enum { MOST_FINDINGS = 30, MOST_CLASSES = 200, MOST_LINES = 20 };

static void list(FILE *out, const char *head, char *const *lines, size_t n)
{
	if (n == 0)
		return;
	fprintf(out, "<h3>%s</h3>\n<ul class=\"small\">\n", head);
	for (size_t i = 0; i < n && i < MOST_LINES; i++)
		escape_put(out, ESCAPE_HTML, "<li>%s</li>\n", lines[i]);
	if (n > MOST_LINES)
		fprintf(out, "<li>and %zu more</li>\n", n - MOST_LINES);
	fputs("</ul>\n", out);
}

static const char *level_of(enum gate_exit code)
{
	return code == GATE_EXIT_REGRESSION ? "error" : code == GATE_EXIT_INCONCLUSIVE ? "warning" : "note";
}

static void verdict(FILE *out, const struct gate_story *story)
{
	const struct gate_words apart = gate_words_apart(story->sheet);
	const struct gate_tally tally = gate_story_tally(story);

	escape_put(out, ESCAPE_HTML, "<ul class=\"findings\">\n<li class=\"%s\"><b>verdict</b>%s</li>\n", level_of(story->code),
		   gate_words_verdict(story).text);
	if (*apart.text)
		escape_put(out, ESCAPE_HTML, "<li class=\"note\"><b>note</b>%s</li>\n", apart.text);
	fputs("</ul>\n", out);
	fputs("<p class=\"small\">", out);
	for (size_t side = 0; side < GATE_SIDES; side++)
		escape_put(out, ESCAPE_HTML, "<span class=\"fact\"><span class=\"soft\">%s</span> %s (%s)</span>\n",
			   gate_words_call(story, side), story->names[side], gate_words_launches(&tally, side).text);
	fputs("</p>\n", out);
}

static void wrong(FILE *out, const struct gate_story *story)
{
	struct gate_words lines[MOST_LINES];
	const size_t n = gate_words_wrong(story->sheet, lines, MOST_LINES);

	if (n == 0)
		return;
	escape_put(out, ESCAPE_HTML, "<h3>Wrong data in %s</h3>\n<ul class=\"small\">\n", gate_words_call(story, GATE_NEW));
	for (size_t i = 0; i < n && i < MOST_LINES; i++)
		escape_put(out, ESCAPE_HTML, "<li>%s</li>\n", lines[i].text);
	if (n > MOST_LINES)
		fprintf(out, "<li>and %zu more points</li>\n", n - MOST_LINES);
	fputs("</ul>\n", out);
}

static void finding(FILE *out, const struct gate_story *story, const struct gate_finding *found)
{
	escape_put(out, ESCAPE_HTML, "<tr><td class=\"l\"><a href=\"#%s\">%s</a></td><td class=\"l\">%s</td>",
		   story->sheet->series[found->series].key->collective, gate_words_series(story->sheet, found->series).text,
		   gate_words_sizes(story->sheet, found).text);
	escape_put(out, ESCAPE_HTML, "<td class=\"%s\">%s</td><td class=\"l\">%s</td><td>%s</td>",
		   gate_is_loss(found) ? "bad" : "", gate_words_ratio(&found->direct).text, gate_words_seen(found).text,
		   gate_words_p(found->adjusted).text);
	escape_put(out, ESCAPE_HTML, "<td class=\"wide\">%s</td></tr>\n",
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
				"<h3>%s</h3>\n<div class=\"box\"><table>\n<thead><tr><th class=\"l\">primitive</th><th "
				"class=\"l\">sizes</th>"
				"<th>times as long (95 %%)</th><th class=\"l\">seen</th><th>p</th><th class=\"l\">look "
				"at</th></tr></thead>\n"
				"<tbody>\n",
				gate_words_heading(story, slower));
		finding(out, story, &judgement->findings[f]);
	}
	if (shown > 0)
		fputs("</tbody></table></div>\n", out);
	if (all > shown)
		fprintf(out, "<p class=\"small soft\">and %zu more</p>\n", all - shown);
}

static void class_row(FILE *out, const struct gate_story *story, size_t s, enum gate_class c)
{
	const struct gate_class_verdict *of = &story->judgement->series[s].classes[c];

	escape_put(out, ESCAPE_HTML, "<tr><td class=\"l\">%s</td><td class=\"l\">%s</td><td>%zu</td><td>%s</td>",
		   gate_words_series(story->sheet, s).text, gate_class_names[c], of->points, gate_words_ratio(&of->ratio).text);
	escape_put(out, ESCAPE_HTML, "<td class=\"l%s\">%s</td><td>%s</td></tr>\n", of->word == GATE_SLOWER ? " bad" : "",
		   gate_words_word(of->word), gate_words_loss(of->visible).text);
}

static void classes(FILE *out, const struct gate_story *story)
{
	size_t all = 0;

	fputs("<details><summary>Classes of sizes</summary>\n<div class=\"box tall\"><table>\n<thead><tr><th "
	      "class=\"l\">primitive</th><th "
	      "class=\"l\">class</th><th>points</th><th>times as long (95 %)</th><th class=\"l\">verdict</th><th>visible "
	      "loss</th></tr></thead>\n<tbody>\n",
	      out);
	for (size_t s = 0; s < story->sheet->nseries; s++) {
		for (enum gate_class c = 0; c < GATE_CLASSES; c++) {
			if (story->judgement->series[s].classes[c].points > 0 && all++ < MOST_CLASSES)
				class_row(out, story, s, c);
		}
	}
	fputs("</tbody></table></div>\n", out);
	if (all > MOST_CLASSES)
		fprintf(out, "<p class=\"small soft\">and %zu more</p>\n", all - MOST_CLASSES);
	fputs("</details>\n", out);
}

void gate_tell_html(FILE *out, const struct gate_story *story)
{
	const struct gate_sheet *sheet = story->sheet;
	const struct gate_words undecided = gate_words_undecided(story);

	fputs("<h2 id=\"verdict\">Did it become slower?</h2>\n", out);
	verdict(out, story);
	list(out, "Of the sides", sheet->differences, sheet->ndifferences);
	wrong(out, story);
	findings(out, story, true);
	findings(out, story, false);
	for (size_t side = 0; side < GATE_SIDES; side++) {
		char head[64];

		snprintf(head, sizeof head, "In %s alone", gate_words_call(story, side));
		list(out, head, sheet->only[side], sheet->nonly[side]);
	}
	escape_put(out, ESCAPE_HTML, "<p>Points: %s", gate_words_counts(story).text);
	escape_put(out, ESCAPE_HTML, *undecided.text ? " Undecided: %s" : "%s", undecided.text);
	escape_put(out, ESCAPE_HTML, " %s</p>\n", gate_words_sight(story).text);
	classes(out, story);
	escape_put(out, ESCAPE_HTML, "<p class=\"small soft\">%s <code>collperf compare</code> is the same as a gate.</p>\n",
		   gate_words_method(story).text);
}
