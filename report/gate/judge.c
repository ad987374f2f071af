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
 * Of the false alarms allowed. Levels get most: all that launches share is in them. Contrasts are so sharp that little does for them; half of their false
 * alarms are of something faster.
 */
static const double level_share = 0.85, shape_share = 0.2;

/* -1: memory. */
static int add_prior(struct gate_trial *trial, struct gate_prior *prior, size_t offset)
{
	double *variance = malloc(2 * (trial->n + 1) * sizeof *variance), *df = variance + trial->n;

	if (!variance)
		return array_failed();
	for (size_t s = 0; s < trial->n; s++) {
		const struct gate_study *study = &trial->studies[s];

		variance[s] = study->clear ? *(const double *)((const char *)study + offset) : NAN;
		df[s] = study->sampling.df;
	}
	*prior = gate_prior_of(variance, df, trial->n);
	free(variance);
	return 0;
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

static int learn(struct gate_trial *trial)
{
	for (size_t i = 0; i < GATE_LEVELS; i++)
		if (add_prior(trial, &trial->levels[i], offsetof(struct gate_study, levels) + i * sizeof(double)) != 0)
			return -1;
	for (size_t i = 0; i < GATE_CLASSES; i++)
		if (add_prior(trial, &trial->classes[i], offsetof(struct gate_study, classes) + i * sizeof(double)) != 0 ||
		    add_prior(trial, &trial->contrasts[i], offsetof(struct gate_study, contrasts) + i * sizeof(double)) != 0)
			return -1;
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

/* The two components, over all series. */
static int measure(struct gate_trial *trial, struct gate_layout *layouts, size_t nlayouts)
{
	double launch = 0, own = 0, n = 0, with_own = 0, share = 1;

	for (size_t s = 0; s < trial->n; s++) {
		const struct gate_study *study = &trial->studies[s];

		if (!study->clear)
			continue;
		share = study->sampling.paired ? 0.5 : 1;
		launch += study->launch;
		n++;
		if (isfinite(study->own)) {
			own += study->own;
			with_own++;
		}
	}
	launch /= n;
	own = with_own > 0 ? own / with_own : NAN;
	trial->judgement->launch_spread = sqrt(share * launch);
	trial->judgement->point_spread = sqrt(share * own);
	for (size_t l = 0; l < nlayouts; l++)
		if (gate_layout_draw(&layouts[l], launch, isfinite(own) ? own : 0, trial->settings->seed, nlayouts) != 0)
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
	struct gate_finding *grown = array_grow(judgement->findings, judgement->nfindings, sizeof *grown), *finding;

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
					  .direct = direct_ratio(trial, study, seen) };
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

static int judge_trial(struct gate_trial *trial, struct gate_sheet *sheet, struct gate_layout *layouts)
{
	size_t nlayouts = 0;
	int rc = 0;

	for (; rc == 0 && trial->n < sheet->nseries; trial->n += rc == 0) {
		rc = gate_study_make(&trial->studies[trial->n], &sheet->series[trial->n]);
		trial->judged += rc == 0 && trial->studies[trial->n].clear > 0;
	}
	if (rc == 0 && trial->judged > 0 &&
	    (lay_out(trial, layouts, &nlayouts) != 0 || measure(trial, layouts, nlayouts) != 0 || learn(trial) != 0 ||
	     gate_find_shapes(trial) != 0 || gate_find_levels(trial) != 0))
		rc = -1;
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

int gate_judge(struct gate_sheet *sheet, const struct gate_settings *settings, struct gate_judgement *judgement)
{
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	struct gate_judgement made;
	struct gate_study *studies = calloc(sheet->nseries + 1, sizeof *studies);
	struct gate_layout *layouts = calloc(sheet->nseries + 1, sizeof *layouts);
	struct gate_trial trial = {
		.studies = studies, .settings = settings, .step = log1p(settings->threshold), .judgement = &made
	};
	int rc = studies && layouts ? judgement_init(&made, sheet) : array_failed();

	trial.rates[GATE_LEVEL] = level_share * settings->false_alarms;
	trial.rates[GATE_SHAPE] = shape_share * settings->false_alarms;
	if (rc == 0) {
		made.statistics = has_statistics(sheet);
		rc = made.statistics ? judge_trial(&trial, sheet, layouts) : gate_judge_plain(sheet, settings, &made);
		if (rc == 0 && made.nfindings > 1)
			qsort(made.findings, made.nfindings, sizeof *made.findings, worst_first);
		if (rc == 0)
			*judgement = made;
		else
			gate_judgement_clear(&made);
	}
	free(studies);
	free(layouts);
	gsl_set_error_handler(handler);
	return rc;
}
