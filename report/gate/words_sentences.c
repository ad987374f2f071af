/* SPDX-License-Identifier: Apache-2.0
 *
 * The sentences of a comparison.
 */
#include <math.h>
#include <string.h>

#include "../human.h"
#include "words.h"

/* Machines were seen to change within minutes. */
static const double far_apart = 600;

/* Nobody waits for more launches. */
static const double worth_it = 200;

const char *gate_words_call(const struct gate_story *story, enum gate_side_id side)
{
	return story->calls[side] ? story->calls[side] : side == GATE_BASE ? "BASE" : "NEW";
}

void gate_words_add_reason(struct gate_words *words, const struct gate_story *story, size_t reason)
{
	if (reason == GATE_WRONG_BASE)
		gate_words_add(words, "wrong data in %s", gate_words_call(story, GATE_BASE));
	else
		gate_words_add(words, "%s", gate_words_reason(reason));
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
		gate_words_add(&words, "When the sides were taken is not known: drift of the machine cannot be excluded");
	} else if (seconds > far_apart) {
		gate_words_add(&words, "Taken ");
		if (seconds < 2 * 3600.0)
			gate_words_add(&words, "%.0f minutes", seconds / 60);
		else if (seconds < 48 * 3600.0)
			gate_words_add(&words, "%.0f hours", seconds / 3600);
		else
			gate_words_add(&words, "%.0f days", seconds / 86400);
		gate_words_add(&words, " apart: drift of the machine cannot be excluded");
	} else {
		return words;
	}
	gate_words_add(&words, "; `collperf ab` interleaves.");
	return words;
}

struct gate_words gate_words_counts(const struct gate_story *story)
{
	const struct gate_judgement *judgement = story->judgement;
	struct gate_words words = { "" };

	gate_words_add(&words, "%zu slower, %zu faster, %zu same, %zu undecided by themselves.", judgement->slower,
		       judgement->faster, judgement->same, judgement->undecided);
	return words;
}

struct gate_words gate_words_undecided(const struct gate_story *story)
{
	const struct gate_tally tally = gate_story_tally(story);
	struct gate_words words = { "" };

	for (size_t reason = 1; reason < GATE_REASONS; reason++) {
		if (tally.reasons[reason] == 0)
			continue;
		gate_words_add(&words, "%s%zu: ", *words.text ? "; " : "", tally.reasons[reason]);
		gate_words_add_reason(&words, story, reason);
	}
	if (*words.text)
		gate_words_add(&words, ".");
	return words;
}

struct gate_words gate_words_launches(const struct gate_tally *tally, enum gate_side_id side)
{
	const size_t fewest = tally->fewest[side], most = tally->most[side];
	struct gate_words words = { "" };

	if (fewest == most)
		gate_words_add(&words, "%zu launch%s", most, most == 1 ? "" : "es");
	else
		gate_words_add(&words, "%zu to %zu launches", fewest, most);
	return words;
}

struct sight {
	double least, most;
	size_t least_series, most_series;
	enum gate_class least_class, most_class;
	size_t never, classes;
};

static void look(struct sight *sight, const struct gate_class_verdict *verdict, size_t series, enum gate_class which)
{
	if (verdict->points == 0)
		return;
	sight->classes++;
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

double gate_words_visible(const struct gate_story *story)
{
	return look_around(story).most;
}

/* Where nothing can be judged more launches are of no use. */
static bool is_all_barred(const struct gate_story *story)
{
	const struct gate_tally tally = gate_story_tally(story);

	return tally.barred == tally.points;
}

struct gate_words gate_words_enough(const struct gate_story *story)
{
	static const char *const few[] = { "", "one accepted run", "two accepted runs", "three accepted runs" };
	const struct gate_judgement *judgement = story->judgement;
	const double launches = ceil(judgement->launches);
	struct gate_words words = { "" };

	if (!judgement->statistics || !judgement->blind)
		return words;
	if (judgement->runs > 3)
		gate_words_add(&words, "; %zu accepted runs differ by more than their launches do, of which more are no help",
			       judgement->runs);
	else if (judgement->runs > 0)
		gate_words_add(&words, "; %s cannot tell how much runs differ", few[judgement->runs]);
	else if (isfinite(launches))
		gate_words_add(&words, "; about %.0f launches of each side would be conclusive", launches);
	if (judgement->runs > 0 || !isfinite(launches))
		return words;
	if (launches <= worth_it)
		gate_words_add(&words, " (--repeat %.0f)", launches);
	else
		gate_words_add(&words, ", so look for what disturbs the machine, or use `collperf ab`");
	return words;
}

struct gate_words gate_words_sight(const struct gate_story *story)
{
	const struct sight sight = look_around(story);
	struct gate_words words = { "" };

	if (story->sheet->nseries == 0) {
		gate_words_add(&words, "Nothing was compared.");
		return words;
	}
	if (!story->judgement->statistics) {
		gate_words_add(
			&words,
			"No statistics stand behind this: one launch on a side. What is under %d times as long may be chance",
			GATE_FAR);
		if (!is_all_barred(story))
			gate_words_add(&words, "; `collperf %s` would tell",
				       story->calls[GATE_NEW] ? "ab --repeat 10" : "run --repeat 5");
		gate_words_add(&words, ".");
		return words;
	}
	if (isfinite(sight.least)) {
		gate_words_add(&words, "Would have been seen four times in five: a loss of %s (%s, %s)",
			       gate_words_loss(sight.least).text, gate_words_series(story->sheet, sight.least_series).text,
			       gate_class_names[sight.least_class]);
		if (strcmp(gate_words_loss(sight.most).text, gate_words_loss(sight.least).text) != 0)
			gate_words_add(&words, " to %s (%s, %s)", gate_words_loss(sight.most).text,
				       gate_words_series(story->sheet, sight.most_series).text,
				       gate_class_names[sight.most_class]);
	} else {
		gate_words_add(&words, "No loss would have been seen four times in five");
	}
	if (sight.never > 0 && isfinite(sight.least))
		gate_words_add(&words, ", none at all in %zu of %zu classes", sight.never, sight.classes);
	gate_words_add(&words, "%s.", gate_words_enough(story).text);
	return words;
}

struct gate_words gate_words_method(const struct gate_story *story)
{
	const struct gate_settings *settings = story->settings;
	struct gate_words words = { "" };

	if (!story->judgement->statistics) {
		gate_words_add(&words, "Method: ratios of single launches against %s; no test, no correction.",
			       human_percent(settings->threshold).text);
		return words;
	}
	gate_words_add(&words,
		       "Method: ratios of geometric means over launches; moderated t (empirical Bayes) on log times, slower by "
		       "more than "
		       "%s; windows of sizes by the "
		       "largest statistic's distribution; Benjamini-Hochberg over series, false alarms %s, seed %llu. Launches "
		       "spread by "
		       "%s, "
		       "points by %s more.",
		       human_percent(settings->threshold).text, human_percent(settings->false_alarms).text,
		       (unsigned long long)settings->seed, human_percent(story->judgement->launch_spread).text,
		       human_percent(story->judgement->point_spread).text);
	return words;
}
