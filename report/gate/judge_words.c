/* SPDX-License-Identifier: Apache-2.0
 *
 * What the findings mean for points, classes of sizes and series, and what could have been seen.
 */
#include "judge_parts.h"

#include <math.h>

enum { HALVINGS = 40 };

static const double four_in_five = 0.8416; /* of normal values are under this many deviations */
static const double confidence = 1.96;
static const double margin = 1.1; /* spreads are estimates */
static const double most_launches = 1e9;
static const double sure = 2, end_odds = 2; /* as judge_find.c has them */

static bool covers(const struct gate_finding *finding, const struct gate_point *point)
{
	return point->bytes >= finding->first_bytes && point->bytes <= finding->last_bytes &&
	       (point->in_place ? finding->in_place : finding->out_of_place);
}

static bool is_loss(const struct gate_finding *finding)
{
	return finding->slower && !(finding->direct.high < 1);
}

/* A point within a window changed if its own ratio did, to what the window's was held against. */
static enum gate_word point_word(const struct gate_trial *trial, size_t series, size_t i)
{
	const struct gate_study *study = &trial->studies[series];
	const struct gate_judgement *judgement = trial->judgement;
	enum gate_word word = GATE_SAME;

	for (size_t f = 0; f < judgement->nfindings; f++) {
		const struct gate_finding *finding = &judgement->findings[f];
		double over = study->difference[i];

		if (finding->series != series || !covers(finding, &study->series->points[i]))
			continue;
		if (finding->kind == GATE_SHAPE)
			over -= log(finding->direct.value / finding->ratio.value);
		if (finding->kind != GATE_POINT && !((finding->slower ? over : -over) > trial->step))
			continue;
		if (finding->slower)
			return GATE_SLOWER;
		word = GATE_FASTER;
	}
	return word;
}

double gate_side_mean(const struct gate_series *series, int side, size_t point)
{
	double sum = 0, n = 0;

	for (size_t launch = 0; launch < series->launches[side]; launch++) {
		double value = series->log_time[side][launch * series->npoints + point];

		if (isfinite(value)) {
			sum += value;
			n++;
		}
	}
	return n > 0 ? sum / n : NAN;
}

double gate_plain_difference(const struct gate_series *series, size_t point)
{
	return gate_side_mean(series, GATE_NEW, point) - gate_side_mean(series, GATE_BASE, point);
}

static void judge_point(const struct gate_trial *trial, size_t series, size_t i, struct gate_point_verdict *verdict)
{
	const struct gate_study *study = &trial->studies[series];
	struct gate_point *point = &study->series->points[i];
	double error, df;

	*verdict = (struct gate_point_verdict){ GATE_UNDECIDED, { NAN, NAN, NAN }, NAN };
	if (!study->judged[i]) {
		double value = exp(gate_plain_difference(study->series, i));

		verdict->ratio.value = isfinite(value) ? value : NAN;
		return;
	}
	df = gate_moderated_df(trial->points, study->sampling.df);
	error = sqrt(gate_moderate(trial->points, study->variance[i], study->sampling.df) * study->sampling.factor);
	verdict->ratio = gate_ratio_of(study->difference[i], error, df);
	verdict->p = gate_tail(study->difference[i] / error, df);
	verdict->word = point_word(trial, series, i);
	if (verdict->word == GATE_SAME && !(gate_t_of_normal(confidence, df) * error <= trial->step)) {
		verdict->word = GATE_UNDECIDED;
		point->doubt = GATE_NOISY;
		point->why = "its interval is wider than the threshold";
	}
}

/* Standard errors and odds of a test of some sizes. */
struct power {
	double level, contrast; /* standard errors; contrast NAN: there is no rest */
	double df_level, df_contrast;
	double level_z, shape_z; /* what a statistic must exceed */
	double whole, need;      /* variance of a launch's part; log odds that the direct difference has to bring */
};

/* The loss from which on the direct difference tells window from rest. */
static double telling(const struct power *power)
{
	double reach = four_in_five * sqrt(power->whole);

	return reach + sqrt(reach * reach + 2 * power->whole * fmax(0, power->need));
}

/* Seen four times in five by the better test, the ratio being over `step` as well. */
static double least_loss(const struct power *power, double step)
{
	double loss, shape;

	loss = fmax(step, gate_t_of_normal(power->level_z, power->df_level) * power->level) + four_in_five * power->level;
	if (!isfinite(power->contrast))
		return loss;
	shape = fmax(step, gate_t_of_normal(power->shape_z, power->df_contrast) * power->contrast) +
		four_in_five * power->contrast;
	return fmin(loss, fmax(shape, telling(power)));
}

static void judge_power(const struct gate_trial *trial, const struct gate_study *study, size_t class,
			struct gate_class_verdict *verdict)
{
	const struct gate_sampling *sampling = &study->sampling;
	double tests = (double)trial->judged, inside = (double)study->class_points[class];
	struct power power = { .level_z = gate_largest_z(study->layout->level, trial->rates[GATE_LEVEL] / tests),
			       .shape_z = gate_largest_z(study->layout->shape, trial->rates[GATE_SHAPE] / tests) };

	power.level = sqrt(gate_moderate(trial->classes[class], study->classes[class], sampling->df) * sampling->factor);
	power.df_level = gate_moderated_df(trial->classes[class], sampling->df);
	power.contrast = sqrt(gate_moderate(trial->contrasts[class], study->contrasts[class], sampling->df) * sampling->factor);
	if (isnan(study->contrasts[class]))
		power.contrast = NAN;
	power.df_contrast = gate_moderated_df(trial->contrasts[class], sampling->df);
	power.whole = study->levels[0] * sampling->factor;
	power.need = sure - end_odds * log(((double)study->clear - inside) / inside);
	verdict->visible = expm1(least_loss(&power, trial->step));
}

static void judge_class(const struct gate_trial *trial, size_t series, size_t class, struct gate_class_verdict *verdict)
{
	const struct gate_study *study = &trial->studies[series];
	const struct gate_point_verdict *points = trial->judgement->series[series].points;
	size_t words[GATE_UNDECIDED + 1] = { 0 };
	double error, df;

	*verdict = (struct gate_class_verdict){ GATE_UNDECIDED, 0, { NAN, NAN, NAN }, NAN };
	for (size_t i = 0; i < study->series->npoints; i++)
		if (study->class_of[i] == class) {
			verdict->points++;
			words[points[i].word]++;
		}
	if (!study->clear || study->class_points[class] == 0)
		return;
	df = gate_moderated_df(trial->classes[class], study->sampling.df);
	error = sqrt(gate_moderate(trial->classes[class], study->classes[class], study->sampling.df) * study->sampling.factor);
	verdict->ratio = gate_ratio_of(study->class_difference[class], error, df);
	if (words[GATE_SLOWER] || words[GATE_FASTER])
		verdict->word = words[GATE_SLOWER] ? GATE_SLOWER : GATE_FASTER;
	else if (gate_t_of_normal(confidence, df) * error <= trial->step)
		verdict->word = GATE_SAME;
	judge_power(trial, study, class, verdict);
}

/* Half of the interval of a series of n launches a side, as the variance is now. */
static double reach_of(const struct gate_trial *trial, const struct gate_study *study, double n)
{
	const struct gate_sampling *sampling = &study->sampling;
	double now = sampling->paired ? (double)sampling->n[GATE_BASE] : 2 / sampling->factor;
	double df = gate_moderated_df(trial->levels[0], sampling->df) * (n - 1) / (now - 1);

	return gate_t_of_normal(confidence, df) * sqrt(study->levels[0] * sampling->factor * now / n);
}

/* The fewest launches of each side with which the interval, with a margin, is within the step. */
static double launches_for(const struct gate_trial *trial, const struct gate_study *study)
{
	double low = 2, high = 2;

	while (margin * reach_of(trial, study, high) > trial->step && high < most_launches)
		high *= 2;
	for (int i = 0; i < HALVINGS && high - low > 0.01; i++) {
		double middle = (low + high) / 2;

		if (margin * reach_of(trial, study, middle) > trial->step)
			low = middle;
		else
			high = middle;
	}
	return ceil(high - 0.01);
}

/* Whether a loss of the threshold's size in all of a series lies within its interval, and what would help. */
static bool is_blind(const struct gate_trial *trial, const struct gate_study *study)
{
	struct gate_judgement *judgement = trial->judgement;
	const struct gate_sampling *sampling = &study->sampling;
	double df = gate_moderated_df(trial->levels[0], sampling->df), launches;

	if (gate_t_of_normal(confidence, df) * sqrt(study->levels[0] * sampling->factor) <= trial->step)
		return false;
	if (sampling->eras && sampling->alike.runs < 1)
		judgement->runs = sampling->runs[GATE_BASE] > judgement->runs ? sampling->runs[GATE_BASE] : judgement->runs;
	if (judgement->runs == 0 && trial->step > 0) {
		launches = launches_for(trial, study);
		judgement->launches = isfinite(judgement->launches) ? fmax(judgement->launches, launches) : launches;
	}
	if (judgement->runs > 0)
		judgement->launches = NAN;
	return true;
}

static enum gate_word series_word(const struct gate_judgement *judgement, size_t series, const size_t *words, bool blind)
{
	for (size_t f = 0; f < judgement->nfindings; f++)
		if (judgement->findings[f].series == series && is_loss(&judgement->findings[f]))
			return GATE_SLOWER;
	return words[GATE_SLOWER] ? GATE_SLOWER : words[GATE_FASTER] ? GATE_FASTER : blind ? GATE_UNDECIDED : GATE_SAME;
}

static void judge_series(struct gate_trial *trial, size_t series)
{
	const struct gate_study *study = &trial->studies[series];
	struct gate_judgement *judgement = trial->judgement;
	struct gate_series_verdict *verdict = &judgement->series[series];
	size_t words[GATE_UNDECIDED + 1] = { 0 };
	bool blind = true;

	for (size_t i = 0; i < study->series->npoints; i++) {
		judge_point(trial, series, i, &verdict->points[i]);
		words[verdict->points[i].word]++;
	}
	for (size_t class = 0; class < GATE_CLASSES; class ++)
		judge_class(trial, series, class, &verdict->classes[class]);
	judgement->slower += words[GATE_SLOWER];
	judgement->faster += words[GATE_FASTER];
	judgement->same += words[GATE_SAME];
	judgement->undecided += words[GATE_UNDECIDED];
	if (study->clear) {
		blind = is_blind(trial, study);
		judgement->blind |= blind;
	}
	verdict->word = series_word(judgement, series, words, blind);
}

void gate_judge_words(struct gate_trial *trial)
{
	for (size_t s = 0; s < trial->n; s++)
		judge_series(trial, s);
}
