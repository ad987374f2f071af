/* SPDX-License-Identifier: Apache-2.0
 *
 * From launches to observations: a launch is one; of pairs the difference is; where a side has several eras (runs kept as a baseline), each of them is one,
 * since they differ by more than their launches do.
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

static double mean_share(const struct gate_sampling *sampling, int side)
{
	double sum = 0;

	for (size_t i = 0; i < sampling->n[side]; i++)
		sum += (double)sampling->share[side][i];
	return sum / (double)sampling->n[side];
}

/* Differences of neighbours of n: they overlap, so n - 1 of them are worth less. */
static double neighbour_df(size_t n)
{
	double m = (double)n;

	return n < 2 ? 0 : 2 * (m - 1) * (m - 1) / (3 * m - 4);
}

/* A side with fewer launches to an era has poorer ones: as if launches were all that varies, which is the worst. */
static void scale_eras(struct gate_sampling *sampling)
{
	double share[GATE_SIDES], best;

	for (int side = 0; side < GATE_SIDES; side++) {
		sampling->df += neighbour_df(sampling->n[side]);
		share[side] = mean_share(sampling, side);
	}
	/* The variance is mostly that of the side with more eras. */
	best = sampling->n[GATE_BASE] >= sampling->n[GATE_NEW] ? share[GATE_BASE] : share[GATE_NEW];
	for (int side = 0; side < GATE_SIDES; side++)
		sampling->factor += fmax(1, best / share[side]) / (double)sampling->n[side];
}

int gate_sampling_of(const struct gate_series *series, struct gate_sampling *sampling)
{
	size_t eras[GATE_SIDES] = { 0 };
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
			      &eras[side]) != 0) {
			gate_sampling_clear(sampling);
			return -1;
		}
	sampling->eras = eras[GATE_BASE] > 1 || eras[GATE_NEW] > 1;
	for (int side = 0; side < GATE_SIDES; side++)
		sampling->n[side] = sampling->eras ? eras[side] : series->launches[side];
	if (sampling->eras) {
		scale_eras(sampling);
	} else {
		sampling->df = a + b - 2;
		sampling->factor = 1 / a + 1 / b;
	}
	return 0;
}

static void observe_side(const struct gate_series *series, const struct gate_sampling *sampling, int side, size_t point,
			 double *out)
{
	for (size_t i = 0; i < sampling->n[side]; i++)
		out[i] = 0;
	for (size_t launch = 0; launch < series->launches[side]; launch++) {
		double value = series->log_time[side][launch * series->npoints + point];
		size_t rank = sampling->rank[side][launch];

		if (sampling->eras)
			out[rank] += value / (double)sampling->share[side][rank];
		else
			out[launch] = value;
	}
}

void gate_observe(const struct gate_series *series, const struct gate_sampling *sampling, size_t point, double *out)
{
	if (!sampling->paired) {
		observe_side(series, sampling, GATE_BASE, point, out);
		observe_side(series, sampling, GATE_NEW, point, out + sampling->n[GATE_BASE]);
		return;
	}
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
	double base = mean(values, sampling->n[GATE_BASE]);

	return sampling->paired ? base : mean(values + sampling->n[GATE_BASE], sampling->n[GATE_NEW]) - base;
}

/* Half the squares of steps from an era to the next: a slow drift, which is to be found, adds next to nothing to it. */
static double neighbours(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 1; i < n; i++)
		sum += (values[i] - values[i - 1]) * (values[i] - values[i - 1]) / (2 * (double)(n - 1));
	return sum;
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

	for (int side = 0; side < GATE_SIDES; side++) {
		size_t n = sampling->n[side];

		if (n > 1)
			sum += sampling->eras ? neighbour_df(n) * neighbours(values, n) : squares(values, n);
		values += n;
	}
	return sum / sampling->df;
}
