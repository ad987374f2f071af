/* SPDX-License-Identifier: Apache-2.0
 *
 * The sentences of a comparison.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../human.h"
#include "words.h"

/* Machines were seen to change within minutes. */
static const double far_apart = 600;

/* Nobody waits for more launches. */
static const double worth_it = 200;

static void __attribute__((format(printf, 2, 3))) add(struct gate_words *words, const char *format, ...)
{
	const size_t used = strlen(words->text);
	va_list args;

	va_start(args, format);
	vsnprintf(words->text + used, sizeof words->text - used, format, args);
	va_end(args);
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void add_launches(struct gate_words *words, double launches)
{
	if (launches <= worth_it)
		add(words, "; about %.0f launches of each side would do (--repeat %.0f)", ceil(launches), ceil(launches));
	else if (isfinite(launches))
		add(words,
		    "; about %.0f launches of each side would do, so look for what disturbs the machine, or use `collperf ab`",
		    ceil(launches));
}

static const struct gate_finding *worst_of(const struct gate_judgement *judgement)
{
	const struct gate_finding *worst = NULL;

	for (size_t f = 0; f < judgement->nfindings; f++) {
		if (gate_is_loss(&judgement->findings[f]) &&
		    (!worst || (!judgement->statistics && judgement->findings[f].ratio.value > worst->ratio.value)))
			worst = &judgement->findings[f];
	}
	return worst;
}

const char *gate_words_call(const struct gate_story *story, enum gate_side_id side)
{
	return story->calls[side] ? story->calls[side] : side == GATE_BASE ? "BASE" : "NEW";
}

/* Of two variants: which is slower or faster than which is the question. */
static void add_variants(struct gate_words *words, const struct gate_story *story, const struct gate_finding *finding)
{
	add(words, "%s is %s %s than %s: %s %s", gate_words_call(story, GATE_NEW),
	    human_percent(fabs(finding->direct.value - 1)).text, finding->direct.value > 1 ? "slower" : "faster",
	    gate_words_call(story, GATE_BASE), gate_words_series(story->sheet, finding->series).text,
	    gate_words_sizes(story->sheet, finding).text);
}

static const struct gate_finding *best_of(const struct gate_judgement *judgement)
{
	const struct gate_finding *best = NULL;

	for (size_t f = 0; f < judgement->nfindings; f++) {
		if (!gate_is_loss(&judgement->findings[f]) && (!best || judgement->findings[f].direct.value < best->direct.value))
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
	add(words, "%s; ", faster > 1 ? ", the most of what was found" : "");
}

static void add_worst(struct gate_words *words, const struct gate_story *story, const struct gate_tally *tally)
{
	const struct gate_finding *worst = worst_of(story->judgement);

	if (!worst) {
		add(words, "%zu point%s slower by more than %s", tally->lost, plural(tally->lost),
		    human_percent(story->settings->threshold).text);
		return;
	}
	if (story->calls[GATE_NEW])
		add_variants(words, story, worst);
	else
		add(words, "%s takes %s times as long %s", gate_words_series(story->sheet, worst->series).text,
		    human_ratio(worst->direct.value).text, gate_words_sizes(story->sheet, worst).text);
	if (tally->slower > 1)
		add(words, ", the worst of %zu findings", tally->slower);
}

static const char *separator(const struct gate_words *words, size_t before)
{
	return strlen(words->text) > before ? "; " : "";
}

static struct gate_words regression(const struct gate_story *story, const struct gate_tally *tally)
{
	struct gate_words words = { "Regression: " };
	const size_t before = strlen(words.text);

	if (story->sheet->wrong_new > 0)
		add(&words, "wrong data in %s (%ld elements)", gate_words_call(story, GATE_NEW), story->sheet->wrong_new);
	if (tally->slower > 0 || tally->lost > 0) {
		add(&words, "%s", separator(&words, before));
		add_worst(&words, story, tally);
	}
	if (tally->missed > 0)
		add(&words, "%s%zu of %zu gate%s missed", separator(&words, before), tally->missed, story->rules->count,
		    plural(story->rules->count));
	add(&words, ".");
	return words;
}

static size_t gates_open(const struct gate_story *story)
{
	size_t open = 0;

	for (size_t i = 0; story->rules && i < story->rules->count; i++)
		open += story->outcomes[i].met == GATE_NOT_JUDGED;
	return open;
}

static struct gate_words inconclusive(const struct gate_story *story, const struct gate_tally *tally)
{
	const struct gate_judgement *judgement = story->judgement;
	struct gate_words words = { "Inconclusive: " };

	if (tally->barred == tally->points)
		add(&words, "none of %zu points can be judged", tally->points);
	else if (gates_open(story) > 0)
		add(&words, "%zu of %zu gates cannot be judged", gates_open(story), story->rules->count);
	else if (tally->barred_series > 0)
		add(&words, "no point of %s can be judged", gate_words_series(story->sheet, tally->first_barred).text);
	else if (!judgement->statistics)
		add(&words,
		    "%zu of %zu points are over %s slower, but one launch on a side cannot tell a loss from chance; "
		    "use --repeat 5",
		    judgement->slower, tally->points, human_percent(story->settings->threshold).text);
	else
		add(&words, "launches spread too widely to see a loss of %s", human_percent(story->settings->threshold).text);
	if (tally->barred < tally->points && tally->barred_series > 1)
		add(&words, " (nor of %zu more)", tally->barred_series - 1);
	if (judgement->statistics && judgement->blind)
		add_launches(&words, judgement->launches);
	add(&words, ".");
	return words;
}

static struct gate_words no_regression(const struct gate_story *story, const struct gate_tally *tally)
{
	const struct gate_sheet *sheet = story->sheet;
	struct gate_words words = { "No regression: " };

	add_best(&words, story, tally->faster);
	add(&words, "nothing was found to be over %s slower at %zu point%s of %zu series",
	    human_percent(story->settings->threshold).text, tally->points, plural(tally->points), sheet->nseries);
	if (!story->judgement->statistics)
		add(&words, "; with one launch on a side no statistics stand behind it");
	if (tally->barred > 0)
		add(&words, "; %zu cannot be judged", tally->barred);
	if (sheet->points_only[GATE_BASE] > 0)
		add(&words, "; %s lacks %zu point%s of %s", gate_words_call(story, GATE_NEW), sheet->points_only[GATE_BASE],
		    plural(sheet->points_only[GATE_BASE]), gate_words_call(story, GATE_BASE));
	add(&words, ".");
	return words;
}

struct gate_words gate_words_verdict(const struct gate_story *story)
{
	const struct gate_tally tally = gate_story_tally(story);

	if (story->code == GATE_EXIT_REGRESSION)
		return regression(story, &tally);
	return story->code == GATE_EXIT_INCONCLUSIVE ? inconclusive(story, &tally) : no_regression(story, &tally);
}

const char *gate_words_heading(const struct gate_story *story, bool slower)
{
	if (!story->judgement->statistics)
		return slower ? "Over the threshold in single launches, the worst first:" : "Faster in single launches:";
	return slower ? "Slower, the worst first:" : "Faster:";
}

struct gate_words gate_words_apart(const struct gate_sheet *sheet)
{
	const double seconds = sheet->apart;
	struct gate_words words = { "" };

	if (isnan(seconds)) {
		add(&words, "When the sides were taken is not known: drift of the machine cannot be excluded");
	} else if (seconds > far_apart) {
		add(&words, "Taken ");
		if (seconds < 2 * 3600.0)
			add(&words, "%.0f minutes", seconds / 60);
		else if (seconds < 48 * 3600.0)
			add(&words, "%.0f hours", seconds / 3600);
		else
			add(&words, "%.0f days", seconds / 86400);
		add(&words, " apart: drift of the machine cannot be excluded");
	} else {
		return words;
	}
	add(&words, "; `collperf ab` interleaves.");
	return words;
}

struct gate_words gate_words_counts(const struct gate_story *story)
{
	const struct gate_judgement *judgement = story->judgement;
	struct gate_words words = { "" };

	add(&words, "%zu slower, %zu faster, %zu same, %zu undecided by themselves.", judgement->slower, judgement->faster,
	    judgement->same, judgement->undecided);
	return words;
}

struct gate_words gate_words_undecided(const struct gate_story *story)
{
	const struct gate_tally tally = gate_story_tally(story);
	struct gate_words words = { "" };

	for (size_t reason = 1; reason < GATE_REASONS; reason++) {
		if (tally.reasons[reason] > 0)
			add(&words, "%s%zu: %s", *words.text ? "; " : "", tally.reasons[reason], gate_words_reason(reason));
	}
	if (*words.text)
		add(&words, ".");
	return words;
}

struct gate_words gate_words_launches(const struct gate_tally *tally, enum gate_side_id side)
{
	const size_t fewest = tally->fewest[side], most = tally->most[side];
	struct gate_words words = { "" };

	if (fewest == most)
		add(&words, "%zu launch%s", most, most == 1 ? "" : "es");
	else
		add(&words, "%zu to %zu launches", fewest, most);
	return words;
}

struct sight {
	double least, most, launches;
	size_t least_series, most_series;
	enum gate_class least_class, most_class;
	size_t never, classes;
};

static void look(struct sight *sight, const struct gate_class_verdict *verdict, size_t series, enum gate_class which)
{
	if (verdict->points == 0)
		return;
	sight->classes++;
	if (isfinite(verdict->launches))
		sight->launches = fmax(sight->launches, verdict->launches);
	if (!isfinite(verdict->visible)) {
		sight->never++;
		return;
	}
	if (!(verdict->visible >= sight->least)) {
		sight->least = verdict->visible;
		sight->least_series = series;
		sight->least_class = which;
	}
	if (!(verdict->visible <= sight->most)) {
		sight->most = verdict->visible;
		sight->most_series = series;
		sight->most_class = which;
	}
}

static struct sight look_around(const struct gate_story *story)
{
	struct sight sight = { .least = NAN, .most = NAN };

	for (size_t s = 0; s < story->sheet->nseries; s++) {
		for (enum gate_class c = 0; c < GATE_CLASSES; c++)
			look(&sight, &story->judgement->series[s].classes[c], s, c);
	}
	return sight;
}

struct gate_words gate_words_sight(const struct gate_story *story)
{
	const struct sight sight = look_around(story);
	struct gate_words words = { "" };

	if (!story->judgement->statistics) {
		add(&words,
		    "No statistics stand behind this: one launch on a side. What is under %.0f times as long may be chance; "
		    "`collperf run --repeat 5` would tell.",
		    2.0);
		return words;
	}
	if (isfinite(sight.least)) {
		add(&words, "Would have been seen four times in five: a loss of %s (%s, %s)", gate_words_loss(sight.least).text,
		    gate_words_series(story->sheet, sight.least_series).text, gate_class_names[sight.least_class]);
		if (strcmp(gate_words_loss(sight.most).text, gate_words_loss(sight.least).text) != 0)
			add(&words, " to %s (%s, %s)", gate_words_loss(sight.most).text,
			    gate_words_series(story->sheet, sight.most_series).text, gate_class_names[sight.most_class]);
	} else {
		add(&words, "No loss would have been seen four times in five");
	}
	if (sight.never > 0 && isfinite(sight.least))
		add(&words, ", none at all in %zu of %zu classes", sight.never, sight.classes);
	if (sight.launches > 0)
		add(&words, "; %.0f launches of each side would show %s as surely", ceil(sight.launches),
		    human_percent(story->settings->threshold).text);
	add(&words, ".");
	return words;
}

struct gate_words gate_words_method(const struct gate_story *story)
{
	const struct gate_settings *settings = story->settings;
	struct gate_words words = { "" };

	if (!story->judgement->statistics) {
		add(&words, "Method: ratios of single launches against %s; no test, no correction.",
		    human_percent(settings->threshold).text);
		return words;
	}
	add(&words,
	    "Method: moderated t (empirical Bayes) on log times of launches, slower by more than %s; windows of sizes by the "
	    "largest statistic's distribution; Benjamini-Hochberg over series, false alarms %s, seed %llu. Launches spread by "
	    "%s, "
	    "points by %s more.",
	    human_percent(settings->threshold).text, human_percent(settings->false_alarms).text,
	    (unsigned long long)settings->seed, human_percent(story->judgement->launch_spread).text,
	    human_percent(story->judgement->point_spread).text);
	return words;
}
