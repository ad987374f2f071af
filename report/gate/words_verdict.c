/* SPDX-License-Identifier: Apache-2.0
 *
 * The first sentence of a comparison: the verdict and what decided it.
 */
#include <math.h>
#include <string.h>

#include "../human.h"
#include "words.h"

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static const struct gate_finding *worst_of(const struct gate_judgement *judgement)
{
	const struct gate_finding *worst = NULL;

	for (size_t f = 0; f < judgement->nfindings; f++) {
		/* By the ratio that is told. */
		if (gate_is_loss(&judgement->findings[f]) && (!worst || judgement->findings[f].ratio.value > worst->ratio.value))
			worst = &judgement->findings[f];
	}
	return worst;
}

/* A ratio that is not to BASE needs to be told so. */
static void add_against(struct gate_words *words, const struct gate_story *story, const struct gate_finding *finding)
{
	const char *against = gate_words_against(story->sheet, finding);

	if (strcmp(against, "BASE") != 0)
		gate_words_add(words, ", against %s", against);
}

/* Of two variants: which is slower or faster than which is the question. */
static void add_variants(struct gate_words *words, const struct gate_story *story, const struct gate_finding *finding)
{
	gate_words_add(words, "%s is %s %s than %s: %s %s", gate_words_call(story, GATE_NEW),
		       human_percent(fabs(finding->ratio.value - 1)).text, finding->ratio.value > 1 ? "slower" : "faster",
		       gate_words_call(story, GATE_BASE), gate_words_series(story->sheet, finding->series).text,
		       gate_words_sizes(story->sheet, finding).text);
	add_against(words, story, finding);
}

static const struct gate_finding *best_of(const struct gate_judgement *judgement)
{
	const struct gate_finding *best = NULL;

	for (size_t f = 0; f < judgement->nfindings; f++) {
		if (!gate_is_loss(&judgement->findings[f]) && (!best || judgement->findings[f].ratio.value < best->ratio.value))
			best = &judgement->findings[f];
	}
	return best;
}

static void add_best(struct gate_words *words, const struct gate_story *story, size_t faster)
{
	const struct gate_finding *best = story->calls[GATE_NEW] ? best_of(story->judgement) : NULL;

	if (!best)
		return;
	add_variants(words, story, best);
	gate_words_add(words, "%s; ", faster > 1 ? ", the most of what was found" : "");
}

static void add_worst(struct gate_words *words, const struct gate_story *story, const struct gate_tally *tally)
{
	const struct gate_finding *worst = worst_of(story->judgement);

	if (!worst) {
		gate_words_add(words, "%zu point%s slower by more than %s", tally->lost, plural(tally->lost),
			       human_percent(story->settings->threshold).text);
		return;
	}
	if (story->calls[GATE_NEW]) {
		add_variants(words, story, worst);
	} else {
		gate_words_add(words, "%s takes %s times as long %s", gate_words_series(story->sheet, worst->series).text,
			       human_ratio(worst->ratio.value).text, gate_words_sizes(story->sheet, worst).text);
		add_against(words, story, worst);
	}
	if (tally->slower > 1)
		gate_words_add(words, ", the worst of %zu findings", tally->slower);
}

static const char *separator(const struct gate_words *words, size_t before)
{
	return strlen(words->text) > before ? "; " : "";
}

/* The gate that a sentence names: one that is missed, else one that nothing was measured for, else one that is open. */
static const struct gate_outcome *gate_to_name(const struct gate_story *story)
{
	static const enum gate_met order[] = { GATE_MISSED, GATE_NO_ROW, GATE_NOT_JUDGED };

	for (size_t o = 0; o < sizeof order / sizeof *order; o++) {
		for (size_t i = 0; story->rules && i < story->rules->count; i++) {
			if (story->outcomes[i].met == order[o])
				return &story->outcomes[i];
		}
	}
	return NULL;
}

static void add_gate(struct gate_words *words, const struct gate_story *story, bool first, size_t count)
{
	const struct gate_outcome *outcome = gate_to_name(story);

	if (!outcome)
		return;
	const char *what = outcome->met == GATE_MISSED   ? "ate missed"
			   : outcome->met == GATE_NO_ROW ? "ate not measured"
							 : "ate open";

	gate_words_add(words, "%c%s: %s", first ? 'G' : 'g', what, outcome->words);
	if (count > 1 && story->rules)
		gate_words_add(words, " (and %zu more of %zu gates)", count - 1, story->rules->count);
}

/* What there is to say but for gates. */
static void add_comparison(struct gate_words *words, const struct gate_story *story)
{
	struct gate_story alone = *story;

	alone.rules = NULL;
	alone.outcomes = NULL;
	alone.code = gate_decide(story->sheet, story->judgement, NULL, NULL);
	gate_words_add(words, " But for gates: %s", gate_words_verdict(&alone).text);
}

static bool has_loss(const struct gate_story *story)
{
	return gate_decide(story->sheet, story->judgement, NULL, NULL) == GATE_EXIT_REGRESSION;
}

static struct gate_words regression(const struct gate_story *story, const struct gate_tally *tally)
{
	struct gate_words words = { "" };
	size_t before;

	if (!has_loss(story)) {
		add_gate(&words, story, true, tally->missed);
		gate_words_add(&words, ".");
		add_comparison(&words, story);
		return words;
	}
	gate_words_add(&words, "Regression: ");
	before = strlen(words.text);
	if (story->sheet->wrong_new > 0)
		gate_words_add(&words, "wrong data in %s (%ld elements)", gate_words_call(story, GATE_NEW),
			       story->sheet->wrong_new);
	if (story->sheet->nseries == 0)
		gate_words_add(&words, "; no point is on both sides");
	if (tally->slower > 0 || tally->lost > 0) {
		gate_words_add(&words, "%s", separator(&words, before));
		add_worst(&words, story, tally);
	}
	if (tally->missed > 0) {
		gate_words_add(&words, "; ");
		add_gate(&words, story, false, tally->missed);
	}
	gate_words_add(&words, ".");
	return words;
}

static size_t gates_open(const struct gate_story *story)
{
	size_t open = 0;

	for (size_t i = 0; story->rules && i < story->rules->count; i++)
		open += story->outcomes[i].met == GATE_NOT_JUDGED;
	return open;
}

/* Points of one name of series, or of all. */
struct barred {
	size_t points, barred, series;
	size_t doubts[GATE_REASONS];
	const char *why[GATE_REASONS];
};

static struct barred count_barred(const struct gate_story *story, size_t like)
{
	const struct gate_sheet *sheet = story->sheet;
	struct barred of = { 0 };

	for (size_t s = 0; s < sheet->nseries; s++) {
		size_t barred = 0;

		if (like < sheet->nseries && strcmp(gate_words_series(sheet, s).text, gate_words_series(sheet, like).text) != 0)
			continue;
		for (size_t i = 0; i < sheet->series[s].npoints; i++) {
			const struct gate_point *point = &sheet->series[s].points[i];

			if (!gate_is_barred(point->doubt))
				continue;
			barred++;
			of.doubts[point->doubt]++;
			of.why[point->doubt] = point->why;
		}
		of.points += sheet->series[s].npoints;
		of.barred += barred;
		of.series += barred == sheet->series[s].npoints;
	}
	return of;
}

static void add_cut(struct gate_words *words, const struct gate_story *story)
{
	const struct gate_sheet *sheet = story->sheet;
	const bool base = sheet->cut[GATE_BASE] > 0, new = sheet->cut[GATE_NEW] > 0;

	if (base && new)
		gate_words_add(words, "%s and %s were cut", gate_words_call(story, GATE_BASE), gate_words_call(story, GATE_NEW));
	else if (base || new)
		gate_words_add(words, "%s was cut", gate_words_call(story, base ? GATE_BASE : GATE_NEW));
	else
		gate_words_add(words, "launches lack sizes");
	for (size_t side = 0; side < GATE_SIDES; side++) {
		const struct gate_trouble *trouble = &sheet->trouble[side];

		if (sheet->cut[side] == 0 || !trouble->status)
			continue;
		gate_words_add(words, ", %.60s %.10s %.40s", trouble->collective, trouble->repeat, trouble->status);
		if (!story->calls[side] && trouble->folder_length > 0 && trouble->folder_length < 200)
			gate_words_add(words, ", `collperf run --resume %.*s`", (int)trouble->folder_length, trouble->file);
	}
}

/* Why most of them cannot be judged. */
static void add_reason(struct gate_words *words, const struct gate_story *story, const struct barred *of)
{
	size_t most = GATE_CLEAR;

	for (size_t doubt = 1; doubt < GATE_REASONS; doubt++)
		most = of->doubts[doubt] > of->doubts[most] ? doubt : most;
	if (most == GATE_INCOMPLETE)
		add_cut(words, story);
	else if (most != GATE_WRONG_BASE && of->why[most] && *of->why[most])
		gate_words_add(words, "%s", of->why[most]);
	else
		gate_words_add_reason(words, story, most);
	if (of->doubts[most] < of->barred)
		gate_words_add(words, " at most of them");
}

static void add_barred(struct gate_words *words, const struct gate_story *story, const struct gate_tally *tally)
{
	const bool all = tally->barred == tally->points;
	const struct barred of = count_barred(story, all ? story->sheet->nseries : tally->first_barred);

	add_reason(words, story, &of);
	if (all) {
		gate_words_add(words, ": none of %zu points can be judged", of.points);
		return;
	}
	if (of.barred == of.points)
		gate_words_add(words, ": no point");
	else
		gate_words_add(words, ": %zu of %zu points", of.barred, of.points);
	gate_words_add(words, " of %s %s be judged", gate_words_series(story->sheet, tally->first_barred).text,
		       of.barred == of.points ? "can" : "cannot");
	if (tally->barred_series > of.series)
		gate_words_add(words, ", and none of %zu more series", tally->barred_series - of.series);
}

static void add_spread(struct gate_words *words, const struct gate_story *story, const struct gate_tally *tally)
{
	const struct gate_judgement *judgement = story->judgement;

	if (judgement->statistics) {
		gate_words_add(words, "launches spread too widely to see a loss of %s",
			       human_percent(story->settings->threshold).text);
		if (judgement->blind)
			gate_words_add(words, "%s", gate_words_enough(story).text);
		return;
	}
	gate_words_add(words,
		       "%zu of %zu points are over %s slower, but one launch on a side cannot tell a loss from chance; "
		       "use --repeat %d",
		       judgement->slower, tally->points, human_percent(story->settings->threshold).text,
		       story->calls[GATE_NEW] ? 10 : 5);
}

static void add_same(struct gate_words *words, const struct gate_story *story)
{
	if (story->same)
		gate_words_add(words, "%s is one of %s; ", gate_words_call(story, GATE_NEW), gate_words_call(story, GATE_BASE));
}

static struct gate_words inconclusive(const struct gate_story *story, const struct gate_tally *tally)
{
	struct gate_words words = { "Inconclusive: " };
	const size_t open = gates_open(story);

	add_same(&words, story);
	if (open > 0)
		add_gate(&words, story, false, open);
	else if (tally->barred == tally->points || tally->barred_series > 0)
		add_barred(&words, story, tally);
	else
		add_spread(&words, story, tally);
	gate_words_add(&words, ".");
	if (open > 0)
		add_comparison(&words, story);
	return words;
}

/* What was not found, and may be hidden where it is less than would have been seen. */
static void add_nothing(struct gate_words *words, const struct gate_story *story)
{
	const double visible = story->judgement->statistics ? gate_words_visible(story) : NAN;
	const struct gate_words loss = gate_words_loss(visible);
	const struct human threshold = human_percent(story->settings->threshold);

	if (strncmp(loss.text, "over", strlen("over")) == 0)
		gate_words_add(words, "only losses of %s would have been seen", loss.text);
	else if (visible > story->settings->threshold && strcmp(loss.text, threshold.text) != 0)
		gate_words_add(words, "losses over %s would have been seen", loss.text);
	else
		gate_words_add(words, "nothing was found to be over %s slower", threshold.text);
}

static struct gate_words no_regression(const struct gate_story *story, const struct gate_tally *tally)
{
	const struct gate_sheet *sheet = story->sheet;
	struct gate_words words = { "No regression: " };

	add_same(&words, story);
	add_best(&words, story, tally->faster);
	add_nothing(&words, story);
	gate_words_add(&words, " at %zu point%s of %zu series", tally->points, plural(tally->points), sheet->nseries);
	if (!story->judgement->statistics)
		gate_words_add(&words, "; with one launch on a side no statistics stand behind it");
	if (tally->barred > 0) {
		const struct barred of = count_barred(story, sheet->nseries);

		gate_words_add(&words, "; %zu cannot be judged: ", tally->barred);
		add_reason(&words, story, &of);
	}
	if (sheet->points_only[GATE_BASE] > 0)
		gate_words_add(&words, "; %s lacks %zu point%s of %s", gate_words_call(story, GATE_NEW),
			       sheet->points_only[GATE_BASE], plural(sheet->points_only[GATE_BASE]),
			       gate_words_call(story, GATE_BASE));
	gate_words_add(&words, ".");
	return words;
}

struct gate_words gate_words_verdict(const struct gate_story *story)
{
	const struct gate_tally tally = gate_story_tally(story);

	if (story->code == GATE_EXIT_REGRESSION)
		return regression(story, &tally);
	return story->code == GATE_EXIT_INCONCLUSIVE ? inconclusive(story, &tally) : no_regression(story, &tally);
}
