/* SPDX-License-Identifier: Apache-2.0
 *
 * From launches to observations: a launch is one; of pairs the difference is. Where a side has several eras (runs kept as a baseline), launches are counted by
 * era, and judge_runs.c has the variance.
 */
#include "judge_parts.h"

#include <math.h>
#include <stdlib.h>

#include "../array.h"

void gate_sampling_clear(struct gate_sampling *sampling)
{
	for (int side = 0; side < GATE_SIDES; side++) {
		free(sampling->rank[side]);
		free(sampling->share[side]);
	}
	*sampling = (struct gate_sampling){ 0 };
}

static size_t largest_era(const size_t *era, size_t n)
{
	size_t most = 0;

	for (size_t i = 0; i < n; i++)
		if (era[i] > most)
			most = era[i];
	return most;
}

/* Eras that a series lacks are passed over: ranks are 0, 1, ... in the order of time. */
static int rank_eras(const size_t *era, size_t n, size_t **rank, size_t **share, size_t *count)
{
	size_t eras = n && era ? largest_era(era, n) + 1 : 1;
	size_t *at = calloc(eras, sizeof *at);

	*rank = calloc(n + 1, sizeof **rank);
	*share = calloc(n + 1, sizeof **share);
	if (!at || !*rank || !*share) {
		free(at);
		return array_failed();
	}
	for (size_t i = 0; i < n; i++)
		at[era ? era[i] : 0] = 1;
	*count = 0;
	for (size_t i = 0; i < eras; i++)
		if (at[i])
			at[i] = (*count)++;
	for (size_t i = 0; i < n; i++) {
		(*rank)[i] = at[era ? era[i] : 0];
		(*share)[(*rank)[i]]++;
	}
	free(at);
	return 0;
}

/* What a side's mean, the mean of its eras' means, has of a launch's variance. */
static double part_of(const struct gate_sampling *sampling, int side)
{
	double sum = 0, runs = (double)sampling->runs[side];

	for (size_t i = 0; i < sampling->runs[side]; i++)
		sum += 1 / (runs * runs * (double)sampling->share[side][i]);
	return sum;
}

int gate_sampling_of(const struct gate_series *series, struct gate_sampling *sampling)
{
	double a = (double)series->launches[GATE_BASE], b = (double)series->launches[GATE_NEW];

	*sampling = (struct gate_sampling){ .paired = series->paired };
	if (series->paired) {
		a = fmin(a, b);
		sampling->n[GATE_BASE] = (size_t)a;
		sampling->df = a - 1;
		sampling->factor = 1 / a;
		return 0;
	}
	for (int side = 0; side < GATE_SIDES; side++)
		if (rank_eras(series->era[side], series->launches[side], &sampling->rank[side], &sampling->share[side],
			      &sampling->runs[side]) != 0) {
			gate_sampling_clear(sampling);
			return -1;
		}
	sampling->eras = sampling->runs[GATE_BASE] > 1 || sampling->runs[GATE_NEW] > 1;
	for (int side = 0; side < GATE_SIDES; side++) {
		sampling->n[side] = series->launches[side];
		sampling->part[side] = part_of(sampling, side);
		sampling->factor += sampling->part[side];
	}
	sampling->df = sampling->eras ? gate_runs_df(sampling, NULL) : a + b - 2;
	return 0;
}

void gate_observe(const struct gate_series *series, const struct gate_sampling *sampling, size_t point, double *out)
{
	for (int side = 0; !sampling->paired && side < GATE_SIDES; side++)
		for (size_t launch = 0; launch < sampling->n[side]; launch++)
			*out++ = series->log_time[side][launch * series->npoints + point];
	if (!sampling->paired)
		return;
	for (size_t launch = 0; launch < sampling->n[GATE_BASE]; launch++) {
		size_t at = launch * series->npoints + point;

		out[launch] = series->log_time[GATE_NEW][at] - series->log_time[GATE_BASE][at];
	}
}

static double mean(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	return sum / (double)n;
}

double gate_difference(const struct gate_sampling *sampling, const double *values)
{
	double base;

	if (sampling->eras)
		return gate_runs_mean(sampling, GATE_NEW, values + sampling->n[GATE_BASE]) -
		       gate_runs_mean(sampling, GATE_BASE, values);
	base = mean(values, sampling->n[GATE_BASE]);
	return sampling->paired ? base : mean(values + sampling->n[GATE_BASE], sampling->n[GATE_NEW]) - base;
}

static double squares(const double *values, size_t n)
{
	double centre = mean(values, n), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (values[i] - centre) * (values[i] - centre);
	return sum;
}

double gate_variance(const struct gate_sampling *sampling, const double *values)
{
	double sum = 0;

	if (sampling->eras)
		return gate_runs_variance(sampling, values);
	for (int side = 0; side < GATE_SIDES; side++) {
		if (sampling->n[side] > 1)
			sum += squares(values, sampling->n[side]);
		values += sampling->n[side];
	}
	return sum / sampling->df;
}
