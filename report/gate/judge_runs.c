/* SPDX-License-Identifier: Apache-2.0
 *
 * A side of several runs (eras): its mean is that of theirs, and NEW is one more. Beyond what launches explain runs may differ; of two or three of them a series
 * knows next to nothing of that, so all series are asked together, and where they say nothing runs are held to be alike. Likewise the launches of the sides.
 */
#include "judge_parts.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "../array.h"

/* From this p value down likeness is doubted more and more. */
static const double doubtful = 0.5;

/* Degrees of freedom and, of some values, variances: of a launch on each side, and of runs as if these were launches. */
struct parts {
	double df[GATE_SIDES], within[GATE_SIDES];
	double between_df, between; /* each run's, in a launch's variance */
	double era;                 /* of a run beyond its launches; may be negative */
};

/* Differences of neighbours of n: they overlap, so n - 1 of them are worth less. */
static double neighbour_df(size_t n)
{
	double m = (double)n;

	return n < 2 ? 0 : 2 * (m - 1) * (m - 1) / (3 * m - 4);
}

static double run_mean(const struct gate_sampling *sampling, int side, const double *values, size_t run)
{
	double sum = 0;

	for (size_t i = 0; i < sampling->n[side]; i++)
		if (sampling->rank[side][i] == run)
			sum += values[i];
	return sum / (double)sampling->share[side][run];
}

double gate_runs_mean(const struct gate_sampling *sampling, int side, const double *values)
{
	double sum = 0;

	for (size_t i = 0; i < sampling->n[side]; i++)
		sum += values[i] / (double)sampling->share[side][sampling->rank[side][i]];
	return sum / (double)sampling->runs[side];
}

/* Of a run's mean in a launch's variance, on average. */
static double run_part(const struct gate_sampling *sampling, int side)
{
	return (double)sampling->runs[side] * sampling->part[side];
}

static double pooled(const struct parts *parts)
{
	double df = parts->df[GATE_BASE] + parts->df[GATE_NEW];

	return df > 0 ? (parts->df[GATE_BASE] * parts->within[GATE_BASE] + parts->df[GATE_NEW] * parts->within[GATE_NEW]) / df
		      : 0;
}

/* Half the squares of steps from a run to the next: a slow drift, which is to be found, adds next to nothing to it. */
static double add_side(struct parts *parts, const struct gate_sampling *sampling, int side, const double *values)
{
	size_t runs = sampling->runs[side];
	double steps = 0, before = 0, squares = 0;

	for (size_t run = 0; run < runs; run++) {
		double mean = run_mean(sampling, side, values, run);

		if (run > 0)
			steps += (mean - before) * (mean - before) / (2 * (double)(runs - 1));
		before = mean;
		for (size_t i = 0; i < sampling->n[side]; i++)
			if (sampling->rank[side][i] == run)
				squares += (values[i] - mean) * (values[i] - mean);
	}
	parts->df[side] = (double)(sampling->n[side] - runs);
	parts->within[side] = parts->df[side] > 0 ? squares / parts->df[side] : 0;
	return steps;
}

static struct parts parts_of(const struct gate_sampling *sampling, const double *values)
{
	struct parts parts = { .era = 0 };
	double steps[GATE_SIDES], launch;

	steps[GATE_BASE] = add_side(&parts, sampling, GATE_BASE, values);
	steps[GATE_NEW] = add_side(&parts, sampling, GATE_NEW, values + sampling->n[GATE_BASE]);
	launch = pooled(&parts);
	for (int side = 0; side < GATE_SIDES; side++) {
		double df = neighbour_df(sampling->runs[side]);

		parts.between_df += df;
		parts.between += df * steps[side] / run_part(sampling, side);
		parts.era += df * (steps[side] - launch * run_part(sampling, side));
	}
	parts.between /= parts.between_df;
	parts.era /= parts.between_df;
	return parts;
}

/* What runs are worth by themselves in a difference of the sides. */
static double era_part(const struct gate_sampling *sampling)
{
	return 1 / (double)sampling->runs[GATE_BASE] + 1 / (double)sampling->runs[GATE_NEW];
}

double gate_runs_variance(const struct gate_sampling *sampling, const double *values)
{
	const struct gate_alike *alike = &sampling->alike;
	struct parts parts = parts_of(sampling, values);
	double df = parts.df[GATE_BASE] + parts.df[GATE_NEW], more = alike->runs * parts.between_df, launch = 0, sum;

	if (df + more > 0)
		launch = (df * pooled(&parts) + more * parts.between) / (df + more);
	sum = fmax(0, (1 - alike->runs) * parts.era) * era_part(sampling);
	for (int side = 0; side < GATE_SIDES; side++) {
		double own = parts.df[side] > 0 ? parts.within[side] : launch;

		sum += (alike->sides * launch + (1 - alike->sides) * own) * sampling->part[side];
	}
	return sum / sampling->factor;
}

/* Satterthwaite's, of parts that are not alike. */
static double launches_df(const struct gate_sampling *sampling, const struct gate_alike *alike, const double *df, double together)
{
	double sum = 0, squares = 0;

	for (int side = 0; side < GATE_SIDES; side++) {
		double part = alike->variance[side] * sampling->part[side];

		sum += part;
		squares += part * part / (df[side] > 0 ? df[side] : together);
	}
	return alike->sides < 1 && squares > 0 ? alike->sides * together + (1 - alike->sides) * sum * sum / squares : together;
}

double gate_runs_df(const struct gate_sampling *sampling, const struct gate_alike *alike)
{
	double df[GATE_SIDES], between = 0, launches, era, together, share;

	for (int side = 0; side < GATE_SIDES; side++) {
		df[side] = (double)(sampling->n[side] - sampling->runs[side]);
		between += neighbour_df(sampling->runs[side]);
	}
	together = df[GATE_BASE] + df[GATE_NEW] + (alike ? alike->runs * between : 0);
	if (!alike || !(together > 0))
		return between;
	era = alike->era * era_part(sampling);
	launches = alike->variance[GATE_BASE] * sampling->part[GATE_BASE] + alike->variance[GATE_NEW] * sampling->part[GATE_NEW];
	share = era > 0 ? era / (era + launches) : 0;
	return 1 / (share * share / between + (1 - share) * (1 - share) / launches_df(sampling, alike, df, together));
}

/* 1 where `one` may well be no other than `other`, 0 where it cannot be. */
static double likeness(double one, double one_df, double other, double other_df, bool both_ways)
{
	double p = 1;

	if (!(one_df > 0) || !(other_df > 0))
		return 1;
	if (!(one > 0) && !(other > 0))
		return 1;
	if (other > 0)
		p = gsl_cdf_fdist_Q(one / other, one_df, other_df);
	else
		p = 0;
	if (both_ways)
		p = 2 * fmin(p, 1 - p);
	return fmin(1, p / doubtful);
}

/* The mean over the points that are judged, of each launch. false: there is none. */
static bool launch_means(const struct gate_series *series, const struct gate_sampling *sampling, double *means, double *room)
{
	size_t n = sampling->n[GATE_BASE] + sampling->n[GATE_NEW], points = 0;

	for (size_t o = 0; o < n; o++)
		means[o] = 0;
	for (size_t i = 0; i < series->npoints; i++) {
		bool whole = series->points[i].doubt == GATE_CLEAR || series->points[i].doubt == GATE_NOISY;

		gate_observe(series, sampling, i, room);
		for (size_t o = 0; o < n; o++)
			whole = whole && isfinite(room[o]);
		points += whole;
		for (size_t o = 0; whole && o < n; o++)
			means[o] += room[o];
	}
	for (size_t o = 0; points > 0 && o < n; o++)
		means[o] /= (double)points;
	return points > 0;
}

static int add_series(const struct gate_series *series, struct parts *all)
{
	struct gate_sampling sampling;
	struct parts parts;
	size_t n = series->launches[GATE_BASE] + series->launches[GATE_NEW];
	double *room;

	if (series->paired || series->launches[GATE_BASE] < 2 || series->launches[GATE_NEW] < 2)
		return 0;
	if (gate_sampling_of(series, &sampling) != 0)
		return -1;
	room = malloc(2 * n * sizeof *room);
	if (room && sampling.eras && launch_means(series, &sampling, room, room + n)) {
		parts = parts_of(&sampling, room);
		for (int side = 0; side < GATE_SIDES; side++) {
			all->df[side] += parts.df[side];
			all->within[side] += parts.df[side] * parts.within[side];
		}
		all->between_df += parts.between_df;
		all->between += parts.between_df * parts.between;
		all->era += parts.between_df * parts.era;
	}
	gate_sampling_clear(&sampling);
	free(room);
	return room ? 0 : array_failed();
}

int gate_alike_of(const struct gate_sheet *sheet, struct gate_alike *alike)
{
	struct parts all = { .era = 0 };
	double df;

	for (size_t s = 0; s < sheet->nseries; s++)
		if (add_series(&sheet->series[s], &all) != 0)
			return -1;
	*alike = (struct gate_alike){ .sides = 1, .runs = 1 };
	if (!(all.between_df > 0))
		return 0;
	all.between /= all.between_df;
	for (int side = 0; side < GATE_SIDES; side++)
		all.within[side] /= fmax(all.df[side], 1);
	df = all.df[GATE_BASE] + all.df[GATE_NEW];
	alike->sides = likeness(all.within[GATE_NEW], all.df[GATE_NEW], all.within[GATE_BASE], all.df[GATE_BASE], true);
	alike->runs = df > 0 ? likeness(all.between, all.between_df, pooled(&all), df, false) : 0;
	alike->era = fmax(0, (1 - alike->runs) * all.era / all.between_df);
	for (int side = 0; side < GATE_SIDES; side++)
		alike->variance[side] = all.df[side] > 0 ? alike->sides * pooled(&all) + (1 - alike->sides) * all.within[side]
							 : pooled(&all);
	return 0;
}
