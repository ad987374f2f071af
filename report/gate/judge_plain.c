/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a side has one launch there is nothing to test: ratios over the threshold are told, as runs of sizes, and no statistics stand behind them.
 */
#include "judge_parts.h"

#include <math.h>
#include <stdlib.h>

#include "../array.h"

static enum gate_word word_of(const struct gate_series *series, size_t point, double step, double difference)
{
	if (series->points[point].doubt != GATE_CLEAR || !isfinite(difference))
		return GATE_UNDECIDED;
	return difference > step ? GATE_SLOWER : difference < -step ? GATE_FASTER : GATE_SAME;
}

/* Points are by placement, then size: points first .. end - 1 have the same word. */
static int put_run(struct gate_judgement *judgement, const struct gate_series *series, size_t at, size_t first, size_t end)
{
	const struct gate_point *points = series->points;
	struct gate_finding *grown = array_grow(judgement->findings, judgement->nfindings, sizeof *grown), *finding;
	double sum = 0;

	if (!grown)
		return -1;
	judgement->findings = grown;
	finding = &grown[judgement->nfindings++];
	for (size_t i = first; i < end; i++)
		sum += gate_plain_difference(series, i);
	*finding = (struct gate_finding){ .series = at,
					  .kind = end - first > 1 ? GATE_LEVEL : GATE_POINT,
					  .slower = sum > 0,
					  .first_bytes = points[first].bytes,
					  .last_bytes = points[end - 1].bytes,
					  .in_place = points[first].in_place,
					  .out_of_place = !points[first].in_place,
					  .p = NAN,
					  .adjusted = NAN };
	finding->ratio = finding->direct = (struct gate_ratio){ exp(sum / (double)(end - first)), NAN, NAN };
	return 0;
}

static int put_runs(struct gate_judgement *judgement, const struct gate_series *series, size_t at)
{
	const struct gate_point_verdict *points = judgement->series[at].points;

	for (size_t first = 0, end; first < series->npoints; first = end) {
		end = first + 1;
		if (points[first].word != GATE_SLOWER && points[first].word != GATE_FASTER)
			continue;
		while (end < series->npoints && points[end].word == points[first].word &&
		       series->points[end].in_place == series->points[first].in_place)
			end++;
		if (put_run(judgement, series, at, first, end) != 0)
			return -1;
	}
	return 0;
}

static enum gate_word worst_of(const size_t words[GATE_UNDECIDED + 1])
{
	return words[GATE_SLOWER]   ? GATE_SLOWER
	       : words[GATE_FASTER] ? GATE_FASTER
	       : words[GATE_SAME]   ? GATE_SAME
				    : GATE_UNDECIDED;
}

static void judge_series(struct gate_judgement *judgement, const struct gate_series *series, size_t at, double step,
			 const unsigned char *classes)
{
	struct gate_series_verdict *verdict = &judgement->series[at];
	size_t words[GATE_CLASSES + 1][GATE_UNDECIDED + 1] = { { 0 } };
	double sums[GATE_CLASSES] = { 0 }, counts[GATE_CLASSES] = { 0 };

	for (size_t class = 0; class < GATE_CLASSES; class ++)
		verdict->classes[class] = (struct gate_class_verdict){ GATE_UNDECIDED, 0, { NAN, NAN, NAN }, NAN };
	for (size_t i = 0; i < series->npoints; i++) {
		double difference = gate_plain_difference(series, i);
		enum gate_word word = word_of(series, i, step, difference);

		verdict->points[i] = (struct gate_point_verdict){ word, { NAN, NAN, NAN }, NAN };
		if (isfinite(difference))
			verdict->points[i].ratio.value = exp(difference);
		words[classes[i]][word]++;
		words[GATE_CLASSES][word]++;
		verdict->classes[classes[i]].points++;
		if (word != GATE_UNDECIDED) {
			sums[classes[i]] += difference;
			counts[classes[i]]++;
		}
	}
	for (size_t class = 0; class < GATE_CLASSES; class ++) {
		verdict->classes[class].word = worst_of(words[class]);
		if (counts[class] > 0)
			verdict->classes[class].ratio.value = exp(sums[class] / counts[class]);
	}
	verdict->word = worst_of(words[GATE_CLASSES]);
	judgement->slower += words[GATE_CLASSES][GATE_SLOWER];
	judgement->faster += words[GATE_CLASSES][GATE_FASTER];
	judgement->same += words[GATE_CLASSES][GATE_SAME];
	judgement->undecided += words[GATE_CLASSES][GATE_UNDECIDED];
}

int gate_judge_plain(struct gate_sheet *sheet, const struct gate_settings *settings, struct gate_judgement *judgement)
{
	double step = log1p(settings->threshold);

	for (size_t s = 0; s < sheet->nseries; s++) {
		const struct gate_series *series = &sheet->series[s];
		unsigned char *classes = malloc(series->npoints + 1);

		if (!classes)
			return array_failed();
		gate_classes_of(series, classes);
		judge_series(judgement, series, s, step, classes);
		free(classes);
		if (put_runs(judgement, series, s) != 0)
			return -1;
	}
	return 0;
}
