/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes of shape: some sizes against the rest of the same launches. The best window is taken out, and the rest looked at again.
 */
#include "judge_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"

enum { MOST_OF_A_SERIES = 8 };

/*
 * Of a contrast either side may have changed. Log odds of the window to the rest before anything is seen: that all but some sizes in the middle changed alike
 * is not to be expected, at an end it is by the squares of their numbers. Under `sure` neither is told.
 */
static const double middle_odds = 7, end_odds = 2, sure = 2;

/* Each window's variance learns from those of the same width, in all series. */
struct pool {
	double *variance, *df;
	size_t start[GATE_GROUPS + 1], fill[GATE_GROUPS];
	double most[GATE_GROUPS];
};

static void pool_clear(struct pool *pool)
{
	free(pool->variance);
	free(pool->df);
}

static int pool_fill(struct pool *pool, const struct gate_trial *trial)
{
	*pool = (struct pool){ 0 };
	for (size_t s = 0; s < trial->n; s++)
		for (size_t w = 0; trial->studies[s].clear && w < trial->studies[s].layout->nwindows; w++)
			pool->start[trial->studies[s].layout->windows[w].group + 1]++;
	for (size_t g = 0; g < GATE_GROUPS; g++)
		pool->start[g + 1] += pool->start[g];
	memcpy(pool->fill, pool->start, sizeof pool->fill);
	pool->variance = malloc((pool->start[GATE_GROUPS] + 1) * sizeof *pool->variance);
	pool->df = malloc((pool->start[GATE_GROUPS] + 1) * sizeof *pool->df);
	if (!pool->variance || !pool->df) {
		pool_clear(pool);
		return array_failed();
	}
	for (size_t s = 0; s < trial->n; s++) {
		const struct gate_study *study = &trial->studies[s];

		for (size_t w = 0; study->clear && w < study->layout->nwindows; w++) {
			size_t at = pool->fill[study->layout->windows[w].group]++;

			pool->variance[at] = study->window[w];
			pool->df[at] = study->sampling.df;
		}
		for (size_t g = 0; study->clear && g < GATE_GROUPS; g++)
			pool->most[g] += study->sampling.df * gate_group_places(g, study->segments);
	}
	return 0;
}

static int moderate(struct gate_trial *trial)
{
	struct pool pool;

	if (pool_fill(&pool, trial) != 0)
		return -1;
	for (size_t g = 0; g < GATE_GROUPS; g++) {
		size_t start = pool.start[g];

		trial->groups[g] = gate_prior_of(pool.variance + start, pool.df + start, pool.start[g + 1] - start);
		trial->groups[g].most = pool.most[g];
	}
	for (size_t s = 0; s < trial->n; s++) {
		struct gate_study *study = &trial->studies[s];

		for (size_t w = 0; study->clear && w < study->layout->nwindows; w++)
			if (isfinite(study->window[w]))
				study->window[w] = gate_moderate(trial->groups[study->layout->windows[w].group], study->window[w],
								 study->sampling.df);
	}
	pool_clear(&pool);
	return 0;
}

struct best {
	size_t window;
	double contrast, error, t, df, z; /* z: -INFINITY: none is over the threshold */
};

/* Over the threshold? */
static bool measure(const struct gate_trial *trial, const struct gate_study *study, size_t w, struct best *one)
{
	const struct gate_window *window = &study->layout->windows[w];
	double contrast = gate_contrast(study, study->scan, window), error;

	if (!(fabs(contrast) > trial->step))
		return false;
	error = sqrt(study->window[w] * gate_window_scale(study, window) * study->sampling.factor);
	*one = (struct best){ w, contrast, error, fabs(contrast) / error, 0, 0 };
	return true;
}

/* The largest statistic. Within a group t values compare as they are. */
static double largest_of(const struct gate_trial *trial, const struct gate_study *study)
{
	double of_group[GATE_GROUPS], z = -INFINITY;
	struct best one;

	for (size_t g = 0; g < GATE_GROUPS; g++)
		of_group[g] = -1;
	for (size_t w = 0; w < study->layout->nwindows; w++)
		if (measure(trial, study, w, &one))
			of_group[study->layout->windows[w].group] = fmax(of_group[study->layout->windows[w].group], one.t);
	for (size_t g = 0; g < GATE_GROUPS; g++)
		if (of_group[g] >= 0)
			z = fmax(z, gate_normal_of_t(of_group[g], gate_moderated_df(trial->groups[g], study->sampling.df)));
	return z;
}

/*
 * Of the windows that are significant the one that explains most: by the usual variance of its group, as the smallest of many estimated variances would
 * choose for itself.
 */
static bool pick(const struct gate_trial *trial, const struct gate_study *study, double cut, struct best *best)
{
	double z = gate_largest_z(study->layout->shape, cut), least[GATE_GROUPS], most = 0;
	double single = trial->groups[0].variance; /* of sizes by themselves: there are most of these */
	struct best one;

	for (size_t g = 0; g < GATE_GROUPS; g++)
		least[g] = gate_t_of_normal(z, gate_moderated_df(trial->groups[g], study->sampling.df));
	for (size_t w = 0; w < study->layout->nwindows; w++) {
		const struct gate_window *window = &study->layout->windows[w];
		double usual, explained;

		if (!measure(trial, study, w, &one) || !(one.t >= least[window->group]))
			continue;
		usual = fmax(trial->groups[window->group].variance, single) * gate_window_scale(study, window);
		explained = fabs(one.contrast) / sqrt(usual);
		if (!(explained > most))
			continue;
		most = explained;
		*best = one;
		best->df = gate_moderated_df(trial->groups[window->group], study->sampling.df);
		best->z = gate_normal_of_t(best->t, best->df);
	}
	return most > 0;
}

/* How unlikely it is that launches alone are that far apart: minus the log of Student's density. */
static double unlikely(double difference, double variance, double df)
{
	return (df + 1) / 2 * log1p(difference * difference / (df * variance));
}

/* Log odds that the window has changed and not its rest: what has not is only as far off as launches are. */
static double odds(const struct gate_trial *trial, const struct gate_study *study, const struct gate_window *window)
{
	double in = gate_mean(study, study->scan, window->row, window->first, window->end);
	double out = in - gate_contrast(study, study->scan, window);
	double inside = (double)gate_count(study, window->row, window->first, window->end);
	double rest = (double)gate_count(study, window->row, 0, study->segments) - inside;
	double prior = 0, variance = 0, df = gate_moderated_df(trial->levels[0], study->sampling.df);

	/* Some sizes may vary more than others from launch to launch. */
	for (size_t i = 0; i < GATE_LEVELS; i++)
		if (isfinite(study->levels[i]))
			variance = fmax(variance, study->levels[i] * study->sampling.factor);
	if (window->row == window->against)
		prior = window->first > 0 && window->end < study->segments ? middle_odds : end_odds * log(rest / inside);
	return prior + unlikely(in, variance, df) - unlikely(out, variance, df);
}

/* What was seen need not be seen again. */
static void take_out(const struct gate_study *study, double *sums, size_t row, size_t first, size_t end, double effect)
{
	for (size_t k = first + 1; k <= study->segments; k++) {
		size_t upto = k < end ? k : end, stride = study->segments + 1;

		for (size_t one = 0; one < 2; one++) {
			double part = effect * (double)gate_count(study, one, first, upto);

			if (row != 2 && row != one)
				continue;
			sums[one * stride + k] -= part;
			sums[2 * stride + k] -= part;
		}
	}
}

static enum gate_kind kind_of(const struct gate_study *study, size_t row, size_t first, size_t end)
{
	const struct gate_series *series = study->series;
	double bytes = NAN;

	for (size_t i = 0; i < series->npoints; i++) {
		if (!study->judged[i] || study->segment[i] < first || study->segment[i] >= end ||
		    (row != 2 && series->points[i].in_place != (row == 1)))
			continue;
		if (!isnan(bytes) && series->points[i].bytes != bytes)
			return GATE_SHAPE;
		bytes = series->points[i].bytes;
	}
	return GATE_POINT;
}

/* The window, or its rest where that is what has changed. false: there is no telling. */
static bool settle(const struct gate_trial *trial, const struct gate_study *study, const struct best *best,
		   struct gate_seen *seen)
{
	const struct gate_window *window = &study->layout->windows[best->window];
	double likely = odds(trial, study, window);

	*seen = (struct gate_seen){ .row = window->row, .first = window->first, .end = window->end };
	seen->effect = best->contrast;
	seen->error = best->error;
	seen->t = best->t;
	seen->df = best->df;
	if (window->either && likely <= -sure) {
		seen->effect = -best->contrast;
		seen->row = window->against;
		seen->end = window->row == window->against ? window->first : window->end;
		seen->first = 0;
	}
	seen->kind = kind_of(study, seen->row, seen->first, seen->end);
	return likely >= sure || (window->either && likely <= -sure);
}

/* `adjusted` is that of the series' largest statistic; what is found later is not told to be surer. */
static int search(struct gate_trial *trial, size_t s, double cut, double adjusted)
{
	struct gate_study *study = &trial->studies[s];
	struct best best = { 0 };

	for (int round = 0; round < MOST_OF_A_SERIES && pick(trial, study, cut, &best); round++) {
		struct gate_seen seen;

		if (settle(trial, study, &best, &seen)) {
			seen.p = gate_tail(seen.t, seen.df);
			seen.adjusted = gate_largest_p(study->layout->shape, best.z) * trial->settings->false_alarms / cut;
			seen.adjusted = fmax(seen.adjusted, adjusted);
			take_out(study, study->level, seen.row, seen.first, seen.end, seen.effect);
			if (gate_add_finding(trial, s, &seen) != 0)
				return -1;
		}
		take_out(study, study->scan, seen.row, seen.first, seen.end, seen.effect);
	}
	return 0;
}

/* p and adjusted are room for all series. */
static int find(struct gate_trial *trial, double *p, double *adjusted)
{
	double share = trial->rates[GATE_SHAPE] / trial->settings->false_alarms, cut;
	size_t n = 0, found;

	for (size_t s = 0; s < trial->n; s++)
		if (trial->studies[s].clear)
			p[n++] = gate_largest_p(trial->studies[s].layout->shape, largest_of(trial, &trial->studies[s]));
	if (gate_adjust(p, n, adjusted) != 0)
		return -1;
	cut = gate_cut(p, n, trial->rates[GATE_SHAPE], &found);
	n = 0;
	for (size_t s = 0; found > 0 && s < trial->n; s++)
		if (trial->studies[s].clear && search(trial, s, cut, adjusted[n++] / share) != 0)
			return -1;
	return 0;
}

int gate_find_shapes(struct gate_trial *trial)
{
	double *room = malloc(2 * (trial->n + 1) * sizeof *room);
	int rc = -1;

	if (room)
		rc = moderate(trial) == 0 ? find(trial, room, room + trial->n) : -1;
	else
		array_failed();
	free(room);
	return rc;
}
