/* SPDX-License-Identifier: Apache-2.0
 *
 * The test as a whole: each series is condensed, variances learn from each other, shapes are looked for and then levels, and verdicts follow.
 */
#include "judge_parts.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_errno.h>

#include "../array.h"

/*
 * Of the false alarms allowed. Levels get most: all that launches share is in them. They get less where series vary differently, as the largest variances
 * are then taken for too small. Contrasts are so sharp that little does for them; half of their false alarms are of something faster.
 */
static const double alike_share = 0.8, level_share = 0.62, shape_share = 0.18;

typedef const double *variances_of(const struct gate_study *study);

static const double *levels_of(const struct gate_study *study)
{
	return study->levels;
}

static const double *classes_of(const struct gate_study *study)
{
	return study->classes;
}

static const double *contrasts_of(const struct gate_study *study)
{
	return study->contrasts;
}

/* Of the same window of all series. -1: memory. */
static int add_priors(const struct gate_trial *trial, struct gate_prior *priors, variances_of *of, size_t n)
{
	double *variance = malloc((trial->n + 1) * sizeof *variance), *df = malloc((trial->n + 1) * sizeof *df);
	int rc = -1;

	if (variance && df) {
		rc = 0;
		for (size_t i = 0; i < n; i++) {
			for (size_t s = 0; s < trial->n; s++) {
				const struct gate_study *study = &trial->studies[s];

				variance[s] = study->clear ? of(study)[i] : NAN;
				df[s] = study->sampling.df;
			}
			priors[i] = gate_prior_of(variance, df, trial->n);
		}
	} else {
		array_failed();
	}
	free(variance);
	free(df);
	return rc;
}

/* Points of one series share its launches: all together have no more degrees of freedom than these. */
static int add_points_prior(struct gate_trial *trial)
{
	double *variance, *df, most = 0;
	size_t n = 0;

	for (size_t s = 0; s < trial->n; s++)
		n += trial->studies[s].clear ? trial->studies[s].series->npoints : 0;
	variance = malloc((n + 1) * sizeof *variance);
	df = malloc((n + 1) * sizeof *df);
	n = 0;
	for (size_t s = 0; variance && df && s < trial->n; s++) {
		const struct gate_study *study = &trial->studies[s];

		for (size_t i = 0; study->clear && i < study->series->npoints; i++, n++) {
			variance[n] = study->variance[i];
			df[n] = study->sampling.df;
		}
		most += study->clear ? study->sampling.df : 0;
	}
	if (variance && df) {
		trial->points = gate_prior_of(variance, df, n);
		trial->points.most = most;
	}
	free(variance);
	free(df);
	return variance && df ? 0 : array_failed();
}

static void share_out(struct gate_trial *trial)
{
	struct gate_prior prior = trial->levels[0];
	/* With one series there is nothing to be taken for something else. */
	bool alike = !(prior.df > 0) || prior.df >= 2 * prior.most / (double)trial->judged;

	trial->rates[GATE_LEVEL] = (alike ? alike_share : level_share) * trial->settings->false_alarms;
	trial->rates[GATE_SHAPE] = shape_share * trial->settings->false_alarms;
}

static int learn(struct gate_trial *trial)
{
	if (add_priors(trial, trial->levels, levels_of, GATE_LEVELS) != 0 ||
	    add_priors(trial, trial->classes, classes_of, GATE_CLASSES) != 0 ||
	    add_priors(trial, trial->contrasts, contrasts_of, GATE_CLASSES) != 0)
		return -1;
	share_out(trial);
	for (size_t s = 0; s < trial->n; s++) {
		struct gate_study *study = &trial->studies[s];

		for (size_t i = 0; study->clear && i < GATE_LEVELS; i++)
			if (isfinite(study->levels[i]))
				study->levels[i] = gate_moderate(trial->levels[i], study->levels[i], study->sampling.df);
	}
	return add_points_prior(trial);
}

/* Series of as many sizes and placements share a layout. */
static int lay_out(struct gate_trial *trial, struct gate_layout *layouts, size_t *nlayouts)
{
	*nlayouts = 0;
	for (size_t s = 0; s < trial->n; s++) {
		struct gate_study *study = &trial->studies[s];
		size_t l = 0;

		if (!study->clear)
			continue;
		while (l < *nlayouts && (layouts[l].segments != study->segments || layouts[l].placements != study->placements))
			l++;
		if (l == *nlayouts) {
			if (gate_layout_make(&layouts[l], study->segments, study->placements) != 0)
				return -1;
			++*nlayouts;
		}
		study->layout = &layouts[l];
		if (gate_study_windows(study) != 0)
			return -1;
	}
	return 0;
}

/*
 * What quarters of the sizes share by themselves: by how much more the first and the last quarter vary than all sizes do together. It is within what seems
 * to be the points' own, which is all that differs within a launch.
 */
static struct gate_spread split(struct gate_spread spread, double quarter, double whole, double points)
{
	double own = (4 / points - 1 / points) * spread.own, share = 0.75;

	spread.quarter = fmax(0, fmin(spread.own, quarter - whole - own)) / share;
	spread.own -= share * spread.quarter;
	spread.launch = fmax(0, whole - spread.quarter / 4 - spread.own / points);
	return spread;
}

/* The components, over all series. */
static struct gate_spread measure(const struct gate_trial *trial)
{
	struct gate_spread spread = { 0 };
	double n = 0, with_own = 0, quarter = 0, whole = 0, points = 0, divided = 0;

	for (size_t s = 0; s < trial->n; s++) {
		const struct gate_study *study = &trial->studies[s];

		if (!study->clear)
			continue;
		n++;
		spread.launch += (study->launch - spread.launch) / n;
		if (isfinite(study->own))
			spread.own += (study->own - spread.own) / ++with_own;
		if (study->segments < 4)
			continue;
		divided++;
		quarter += ((study->levels[2] + study->levels[5]) / 2 - quarter) / divided;
		whole += (study->levels[0] - whole) / divided;
		points += ((double)study->clear - points) / divided;
	}
	/* Differences of pairs vary twice as much as one of them. */
	trial->judgement->launch_spread = sqrt(spread.launch / (trial->studies[0].series->paired ? 2 : 1));
	trial->judgement->point_spread = with_own > 0 ? sqrt(spread.own / (trial->studies[0].series->paired ? 2 : 1)) : NAN;
	return divided > 0 ? split(spread, quarter, whole, points) : spread;
}

static int draw(struct gate_trial *trial, struct gate_layout *layouts, size_t nlayouts, struct gate_spread spread)
{
	double rates[GATE_KINDS];

	for (int kind = 0; kind < GATE_KINDS; kind++)
		rates[kind] = trial->rates[kind] / (double)trial->judged;
	for (size_t l = 0; l < nlayouts; l++)
		if (gate_layout_draw(&layouts[l], spread, rates, trial->settings->seed, nlayouts) != 0)
			return -1;
	return 0;
}

static struct gate_ratio direct_ratio(const struct gate_trial *trial, const struct gate_study *study,
				      const struct gate_seen *seen)
{
	struct gate_prior prior = seen->kind == GATE_POINT ? trial->points : trial->levels[0];
	double df = study->sampling.df, variance = gate_mean_variance(study, seen->row, seen->first, seen->end);
	double error = sqrt(gate_moderate(prior, variance, df) * study->sampling.factor);

	return gate_ratio_of(gate_mean(study, study->shift, seen->row, seen->first, seen->end), error,
			     gate_moderated_df(prior, df));
}

int gate_add_finding(struct gate_trial *trial, size_t series, const struct gate_seen *seen)
{
	const struct gate_study *study = &trial->studies[series];
	struct gate_judgement *judgement = trial->judgement;
	const struct gate_ratio direct = direct_ratio(trial, study, seen);
	struct gate_finding *grown, *finding;

	/* Less slow than what it is held against is not faster. */
	if (seen->effect < 0 && direct.low > 1)
		return 0;
	grown = array_grow(judgement->findings, judgement->nfindings, sizeof *grown);
	if (!grown)
		return -1;
	judgement->findings = grown;
	finding = &grown[judgement->nfindings++];
	*finding = (struct gate_finding){ .series = series,
					  .kind = seen->kind,
					  .slower = seen->effect > 0,
					  .first_bytes = INFINITY,
					  .p = seen->p,
					  .adjusted = seen->adjusted,
					  .ratio = gate_ratio_of(seen->effect, seen->error, seen->df),
					  .direct = direct };
	for (size_t i = 0; i < study->series->npoints; i++) {
		const struct gate_point *point = &study->series->points[i];

		if (!study->judged[i] || study->segment[i] < seen->first || study->segment[i] >= seen->end ||
		    (seen->row < 2 && point->in_place != (seen->row == 1)))
			continue;
		finding->first_bytes = fmin(finding->first_bytes, point->bytes);
		finding->last_bytes = fmax(finding->last_bytes, point->bytes);
		finding->in_place |= point->in_place;
		finding->out_of_place |= !point->in_place;
	}
	return 0;
}

static int worst_first(const void *left, const void *right)
{
	const struct gate_finding *a = left, *b = right;
	double x = fabs(log(a->ratio.value)), y = fabs(log(b->ratio.value));

	if (a->slower != b->slower)
		return a->slower ? -1 : 1;
	if (x != y)
		return x > y ? -1 : 1;
	if (a->series != b->series)
		return a->series < b->series ? -1 : 1;
	return (a->first_bytes > b->first_bytes) - (a->first_bytes < b->first_bytes);
}

void gate_judgement_clear(struct gate_judgement *judgement)
{
	if (judgement->series)
		free(judgement->series[0].points);
	free(judgement->series);
	free(judgement->findings);
	*judgement = (struct gate_judgement){ 0 };
}

static int judgement_init(struct gate_judgement *judgement, const struct gate_sheet *sheet)
{
	struct gate_point_verdict *points;
	size_t n = 0;

	*judgement = (struct gate_judgement){ .launches = NAN, .launch_spread = NAN, .point_spread = NAN };
	for (size_t s = 0; s < sheet->nseries; s++)
		n += sheet->series[s].npoints;
	judgement->series = calloc(sheet->nseries + 1, sizeof *judgement->series);
	points = calloc(n + 1, sizeof *points);
	if (!judgement->series || !points) {
		free(points);
		free(judgement->series);
		judgement->series = NULL;
		return array_failed();
	}
	judgement->series[0].points = points;
	for (size_t s = 0; s < sheet->nseries; s++) {
		judgement->series[s].points = points;
		points += sheet->series[s].npoints;
	}
	return 0;
}

static int judge_studies(struct gate_trial *trial, struct gate_layout *layouts, size_t *nlayouts)
{
	struct gate_spread spread;

	if (lay_out(trial, layouts, nlayouts) != 0)
		return -1;
	spread = measure(trial);
	if (learn(trial) != 0 || draw(trial, layouts, *nlayouts, spread) != 0)
		return -1;
	return gate_find_shapes(trial) == 0 && gate_find_levels(trial) == 0 ? 0 : -1;
}

static int judge_trial(struct gate_trial *trial, struct gate_sheet *sheet, struct gate_layout *layouts)
{
	struct gate_alike alike;
	size_t nlayouts = 0;
	int rc = gate_alike_of(sheet, &alike);

	for (; rc == 0 && trial->n < sheet->nseries; trial->n += rc == 0) {
		rc = gate_study_make(&trial->studies[trial->n], &sheet->series[trial->n], &alike);
		trial->judged += rc == 0 && trial->studies[trial->n].clear > 0;
	}
	if (rc == 0 && trial->judged > 0)
		rc = judge_studies(trial, layouts, &nlayouts);
	if (rc == 0)
		gate_judge_words(trial);
	for (size_t l = 0; l < nlayouts; l++)
		gate_layout_clear(&layouts[l]);
	for (size_t s = 0; s < trial->n; s++)
		gate_study_clear(&trial->studies[s]);
	return rc;
}

static bool has_statistics(const struct gate_sheet *sheet)
{
	for (size_t s = 0; s < sheet->nseries; s++)
		if (sheet->series[s].launches[GATE_BASE] > 1 && sheet->series[s].launches[GATE_NEW] > 1)
			return true;
	return false;
}

/* With arrays for as many series as there are. */
static int judge_with(struct gate_sheet *sheet, const struct gate_settings *settings, struct gate_study *studies,
		      struct gate_layout *layouts, struct gate_judgement *judgement)
{
	struct gate_judgement made = { 0 };
	struct gate_trial trial = {
		.studies = studies, .settings = settings, .step = log1p(settings->threshold), .judgement = &made
	};
	int rc;

	if (judgement_init(&made, sheet) != 0)
		return -1;
	made.statistics = has_statistics(sheet);
	rc = made.statistics ? judge_trial(&trial, sheet, layouts) : gate_judge_plain(sheet, settings, &made);
	if (rc != 0) {
		gate_judgement_clear(&made);
		return -1;
	}
	if (made.nfindings > 1)
		qsort(made.findings, made.nfindings, sizeof *made.findings, worst_first);
	*judgement = made;
	return 0;
}

int gate_judge(struct gate_sheet *sheet, const struct gate_settings *settings, struct gate_judgement *judgement)
{
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	struct gate_study *studies = calloc(sheet->nseries + 1, sizeof *studies);
	struct gate_layout *layouts = calloc(sheet->nseries + 1, sizeof *layouts);
	int rc = -1;

	if (studies && layouts)
		rc = judge_with(sheet, settings, studies, layouts, judgement);
	else
		array_failed();
	free(studies);
	free(layouts);
	gsl_set_error_handler(handler);
	return rc;
}
