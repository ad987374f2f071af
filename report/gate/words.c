/* SPDX-License-Identifier: Apache-2.0
 *
 * Words for what was compared: names, sizes, ratios, reasons. Sentences are in words_sentences.c.
 */
#include "words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../human.h"

const char *gate_words_code(enum gate_exit code)
{
	switch (code) {
	case GATE_EXIT_OK:
		return "no regression";
	case GATE_EXIT_REGRESSION:
		return "regression";
	case GATE_EXIT_INCONCLUSIVE:
		return "inconclusive";
	default:
		return "no comparison";
	}
}

const char *gate_words_word(enum gate_word word)
{
	static const char *const words[] = { "same", "slower", "faster", "undecided" };

	return words[word];
}

const char *gate_words_reason(size_t reason)
{
	static const char *const reasons[GATE_REASONS] = {
		[GATE_CLEAR] = "clear",
		[GATE_OVERSUBSCRIBED] = "no measurement (ranks took turns, simulated on one side, or traced)",
		[GATE_INCOMPLETE] = "launches lack it",
		[GATE_WRONG_BASE] = "wrong data in BASE",
		[GATE_UNTIMED] = "no time",
		[GATE_NOISY] = "interval wider than the threshold",
		[GATE_OPEN] = "left open by the data",
	};

	return reasons[reason];
}

const char *gate_words_why(const struct gate_point *point, enum gate_word word)
{
	if (word != GATE_UNDECIDED)
		return "";
	if (point->why && *point->why)
		return point->why;
	return gate_words_reason(point->doubt == GATE_CLEAR ? GATE_OPEN : (size_t)point->doubt);
}

const char *gate_words_met(enum gate_met met)
{
	static const char *const words[] = { "met", "missed", "not measured", "not judged" };

	return words[met];
}

bool gate_words_has_classes(const struct gate_series_verdict *verdict)
{
	for (size_t c = 0; c < GATE_CLASSES; c++) {
		if (verdict->classes[c].points > 0 && verdict->classes[c].word != GATE_SAME)
			return true;
	}
	return false;
}

static void count_launches(struct gate_tally *tally, const struct gate_series *series)
{
	for (size_t side = 0; side < GATE_SIDES; side++) {
		const size_t n = series->launches[side];

		if (tally->most[side] == 0 || n < tally->fewest[side])
			tally->fewest[side] = n;
		if (n > tally->most[side])
			tally->most[side] = n;
	}
}

bool gate_is_barred(enum gate_doubt doubt)
{
	return doubt != GATE_CLEAR && doubt != GATE_NOISY;
}

static size_t count_points(struct gate_tally *tally, const struct gate_series *series, const struct gate_series_verdict *verdict)
{
	size_t barred = 0;

	for (size_t i = 0; i < series->npoints; i++) {
		const enum gate_doubt doubt = series->points[i].doubt;

		barred += gate_is_barred(doubt);
		tally->lost += gate_is_lost(&verdict->points[i]);
		if (verdict->points[i].word == GATE_UNDECIDED)
			tally->reasons[doubt == GATE_CLEAR ? GATE_OPEN : (int)doubt]++;
	}
	tally->points += series->npoints;
	tally->barred += barred;
	return barred;
}

struct gate_tally gate_tally(const struct gate_sheet *sheet, const struct gate_judgement *judgement,
			     const struct gate_rules *rules, const struct gate_outcome *outcomes)
{
	struct gate_tally tally = { .first_barred = sheet->nseries };

	for (size_t s = 0; s < sheet->nseries; s++) {
		const struct gate_series *series = &sheet->series[s];

		count_launches(&tally, series);
		if (count_points(&tally, series, &judgement->series[s]) < series->npoints)
			continue;
		if (tally.barred_series++ == 0)
			tally.first_barred = s;
	}
	for (size_t f = 0; f < judgement->nfindings; f++) {
		tally.slower += gate_is_loss(&judgement->findings[f]);
		tally.faster += !gate_is_loss(&judgement->findings[f]);
	}
	for (size_t i = 0; rules && i < rules->count; i++)
		tally.missed += gate_is_missed(&outcomes[i]);
	return tally;
}

struct gate_tally gate_story_tally(const struct gate_story *story)
{
	return gate_tally(story->sheet, story->judgement, story->rules, story->outcomes);
}

void gate_words_add(struct gate_words *words, const char *format, ...)
{
	const size_t used = strlen(words->text);
	va_list args;

	va_start(args, format);
	vsnprintf(words->text + used, sizeof words->text - used, format, args);
	va_end(args);
}

/* Whether some other series of the sheet has another text there. */
static bool texts_differ(const struct gate_sheet *sheet, const char *(*text)(const struct result *))
{
	for (size_t s = 1; s < sheet->nseries; s++) {
		if (strcmp(text(sheet->series[s].key), text(sheet->series[0].key)) != 0)
			return true;
	}
	return false;
}

static const char *backend_of(const struct result *row)
{
	return row->backend;
}

static const char *path_of(const struct result *row)
{
	return row->path;
}

static const char *algo_of(const struct result *row)
{
	return row->algo;
}

static const char *group_of(const struct result *row)
{
	return row->group;
}

static const char *type_of(const struct result *row)
{
	return row->type;
}

static const char *redop_of(const struct result *row)
{
	return row->redop;
}

static bool numbers_differ(const struct gate_sheet *sheet, size_t offset)
{
	int64_t first = 0, other;

	for (size_t s = 0; s < sheet->nseries; s++) {
		memcpy(&other, (const char *)sheet->series[s].key + offset, sizeof other);
		if (s == 0)
			first = other;
		else if (other != first)
			return true;
	}
	return false;
}

/* Operations and roots tell apart what has them; among nine primitives some have none. */
static bool rivals_differ(const struct gate_sheet *sheet, size_t series, bool by_root)
{
	const struct result *key = sheet->series[series].key;

	for (size_t s = 0; s < sheet->nseries; s++) {
		const struct result *other = sheet->series[s].key;

		if (strcmp(other->collective, key->collective) != 0)
			continue;
		if (by_root ? other->root != key->root : strcmp(redop_of(other), redop_of(key)) != 0)
			return true;
	}
	return false;
}

struct gate_words gate_words_series(const struct gate_sheet *sheet, size_t series)
{
	static const char *(*const texts[])(const struct result *) = { backend_of, path_of, algo_of, group_of, type_of };
	const struct result *key = sheet->series[series].key;
	struct gate_words words = { "" };

	gate_words_add(&words, "%.60s%s%.60s", key->collective, *key->variant ? " " : "", key->variant);
	for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
		if (*texts[t](key) && texts_differ(sheet, texts[t]))
			gate_words_add(&words, " %.60s", texts[t](key));
	}
	if (rivals_differ(sheet, series, false))
		gate_words_add(&words, " %.60s", key->redop);
	if (rivals_differ(sheet, series, true) && key->root != RESULT_NONE)
		gate_words_add(&words, " root %s", human_integer(key->root).text);
	if (numbers_differ(sheet, offsetof(struct result, nranks)))
		gate_words_add(&words, ", %s ranks", human_integer(key->nranks).text);
	if (numbers_differ(sheet, offsetof(struct result, nnodes)) && key->nnodes != RESULT_NONE)
		gate_words_add(&words, ", %s nodes", human_integer(key->nnodes).text);
	return words;
}

enum span { SPAN_ALL, SPAN_UP_TO, SPAN_FROM, SPAN_INNER, SPAN_ONE };

static enum span span_of(const struct gate_sheet *sheet, const struct gate_finding *finding)
{
	const struct gate_series *series = &sheet->series[finding->series];
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < series->npoints; i++) {
		least = fmin(least, series->points[i].bytes);
		most = fmax(most, series->points[i].bytes);
	}
	if (finding->first_bytes >= finding->last_bytes)
		return SPAN_ONE;
	if (finding->first_bytes <= least)
		return finding->last_bytes >= most ? SPAN_ALL : SPAN_UP_TO;
	return finding->last_bytes >= most ? SPAN_FROM : SPAN_INNER;
}

struct gate_words gate_words_sizes(const struct gate_sheet *sheet, const struct gate_finding *finding)
{
	const struct human first = human_size(finding->first_bytes), last = human_size(finding->last_bytes);
	struct gate_words words = { "" };

	switch (span_of(sheet, finding)) {
	case SPAN_ALL:
		gate_words_add(&words, "at all sizes");
		break;
	case SPAN_UP_TO:
		gate_words_add(&words, "up to %s", last.text);
		break;
	case SPAN_FROM:
		gate_words_add(&words, "from %s on", first.text);
		break;
	case SPAN_INNER:
		gate_words_add(&words, "%s to %s", first.text, last.text);
		break;
	case SPAN_ONE:
		gate_words_add(&words, "at %s", first.text);
		break;
	}
	if (finding->in_place != finding->out_of_place)
		gate_words_add(&words, ", %s", finding->in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE);
	return words;
}

size_t gate_words_wrong(const struct gate_sheet *sheet, struct gate_words *lines, size_t most)
{
	size_t all = 0;

	for (size_t s = 0; s < sheet->nseries; s++) {
		for (size_t i = 0; i < sheet->series[s].npoints; i++) {
			const struct gate_point *point = &sheet->series[s].points[i];

			if (point->wrong_new <= 0 || all++ >= most)
				continue;
			lines[all - 1] = gate_words_series(sheet, s);
			gate_words_add(&lines[all - 1], " at %s, %s: %ld elements", human_size(point->bytes).text,
				       point->in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE, point->wrong_new);
		}
	}
	return all;
}

const char *gate_words_against(const struct gate_sheet *sheet, const struct gate_finding *finding)
{
	if (finding->kind == GATE_LEVEL || !isfinite(finding->adjusted))
		return "BASE";
	return span_of(sheet, finding) == SPAN_ALL ? "the other placement" : "its other sizes";
}

const char *gate_words_hint(const struct gate_sheet *sheet, const struct gate_finding *finding)
{
	switch (span_of(sheet, finding)) {
	case SPAN_ALL:
		return "what all calls share: clocks and governor, binding, other programs, the library's version and settings";
	case SPAN_UP_TO:
		return "latency: processor clocks, binding, interrupts, kernel launch, the protocol for small messages";
	case SPAN_FROM:
		return "bandwidth: links and NICs (`collperf topo`), path, protocol, channels, copies";
	default:
		return "where the library changes algorithm or protocol, its tuning, alignment and cache sizes";
	}
}

struct gate_words gate_words_ratio(const struct gate_ratio *ratio)
{
	struct gate_words words = { "" };

	gate_words_add(&words, "%s", human_ratio(ratio->value).text);
	if (isfinite(ratio->low) && isfinite(ratio->high))
		gate_words_add(&words, " (%s to %s)", human_ratio(ratio->low).text, human_ratio(ratio->high).text);
	return words;
}

struct gate_words gate_words_seen(const struct gate_finding *finding)
{
	struct gate_words words = { "together" };

	if (finding->kind != GATE_LEVEL && isfinite(finding->adjusted))
		snprintf(words.text, sizeof words.text, finding->kind == GATE_SHAPE ? "%s over the rest" : "%s over others",
			 human_ratio(finding->ratio.value).text);
	else if (finding->kind == GATE_POINT)
		snprintf(words.text, sizeof words.text, "alone");
	return words;
}

struct gate_words gate_words_p(double p)
{
	struct gate_words words = { "-" };

	if (isfinite(p))
		snprintf(words.text, sizeof words.text, p < 1e-6 ? "<1e-6" : "%.2g", p);
	return words;
}

struct gate_words gate_words_loss(double fraction)
{
	struct gate_words words = { "over 1000 %" };

	if (!(fraction > 10))
		snprintf(words.text, sizeof words.text, "%s", human_percent(fraction).text);
	return words;
}
