/* SPDX-License-Identifier: Apache-2.0
 *
 * Sheets made from known parameters, for the tests of the gate: the same on every machine.
 */
#ifndef COLLPERF_TEST_GATE_SHEETS_H
#define COLLPERF_TEST_GATE_SHEETS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/gate/judge.h"

/* How a sheet's launches vary. Spreads are of log times. */
struct lab {
	size_t series, sizes, placements;
	size_t launches[GATE_SIDES]; /* of an era */
	size_t eras;                 /* of BASE; 0: one */
	double launch, own;          /* what points of a launch share, and do not */
	double era;                  /* what launches of an era share */
	double drift;                /* of BASE from an era to the next, and on to NEW */
	double neighbours;           /* correlation of own noise with that of the size before */
	double uneven;               /* spread of the series' spreads (log) */
	double regime;               /* half of the launches are slower by that */
	bool heavy;                  /* Student's t of 3 degrees of freedom, scaled to the same spread */
	bool split;                  /* the smaller half of sizes has a launch part of its own */
	bool paired;
	double pair; /* what both of a pair share */
};

struct change {                     /* of NEW */
	size_t series, first, last; /* indices of sizes */
	double ratio;
	int placement; /* -1: both */
};

static inline double lab_uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

static inline double lab_normal(uint64_t *state)
{
	double radius = sqrt(-2 * log(lab_uniform(state)));

	return radius * cos(6.283185307179586 * lab_uniform(state));
}

static inline double lab_noise(const struct lab *lab, uint64_t *state)
{
	double normal = lab_normal(state), squares = 0;

	if (!lab->heavy)
		return normal;
	for (int i = 0; i < 3; i++) {
		double one = lab_normal(state);

		squares += one * one;
	}
	return normal / sqrt(squares);
}

static inline double lab_bytes(size_t size)
{
	return ldexp(8, (int)size);
}

static inline void lab_launch(const struct lab *lab, double *out, double scale, double common, uint64_t *state)
{
	double launch[2], before[2] = { 0 };

	launch[0] = lab->launch * lab_noise(lab, state);
	launch[1] = lab->split ? lab->launch * lab_noise(lab, state) : launch[0];
	if (lab->regime > 0 && lab_uniform(state) < 0.5)
		launch[0] += lab->regime, launch[1] += lab->regime;
	for (size_t size = 0; size < lab->sizes; size++)
		for (size_t placement = 0; placement < lab->placements; placement++) {
			double own = lab_noise(lab, state), time = 10e-6 + lab_bytes(size) / 20e9;

			if (lab->neighbours > 0 && size > 0)
				own = lab->neighbours * before[placement] + sqrt(1 - lab->neighbours * lab->neighbours) * own;
			before[placement] = own;
			out[placement * lab->sizes + size] = log(time) + common +
							     scale * (launch[2 * size < lab->sizes] + lab->own * own);
		}
}

static inline void lab_side(const struct lab *lab, struct gate_series *series, int side, double scale, const double *shared,
			    uint64_t *state)
{
	size_t eras = side == GATE_BASE && lab->eras ? lab->eras : 1;

	for (size_t era = 0, launch = 0; era < eras; era++) {
		double common = lab->era * lab_normal(state);

		common += lab->drift * (double)(side == GATE_BASE ? era : (lab->eras ? lab->eras : 1));
		for (size_t i = 0; i < lab->launches[side]; i++, launch++) {
			series->era[side][launch] = era;
			lab_launch(lab, series->log_time[side] + launch * series->npoints, scale, common + shared[i], state);
		}
	}
}

static inline void lab_series(const struct lab *lab, struct gate_series *series, uint64_t *state)
{
	double scale = lab->uneven > 0 ? exp(lab->uneven * lab_normal(state)) : 1;
	double *shared;

	series->npoints = lab->sizes * lab->placements;
	series->paired = lab->paired;
	series->points = calloc(series->npoints, sizeof *series->points);
	for (size_t i = 0; i < series->npoints; i++) {
		series->points[i].bytes = lab_bytes(i % lab->sizes);
		series->points[i].in_place = i >= lab->sizes;
		series->points[i].why = "";
	}
	for (int side = 0; side < GATE_SIDES; side++) {
		series->launches[side] = lab->launches[side] * (side == GATE_BASE && lab->eras ? lab->eras : 1);
		series->log_time[side] = calloc(series->launches[side] * series->npoints, sizeof(double));
		series->era[side] = calloc(series->launches[side], sizeof(size_t));
	}
	shared = calloc(lab->launches[GATE_BASE] + lab->launches[GATE_NEW], sizeof *shared);
	for (size_t i = 0; lab->paired && i < lab->launches[GATE_BASE]; i++)
		shared[i] = lab->pair * lab_normal(state);
	lab_side(lab, series, GATE_BASE, scale, shared, state);
	lab_side(lab, series, GATE_NEW, scale, shared, state);
	free(shared);
}

static inline void lab_change(const struct lab *lab, const struct change *change, struct gate_sheet *sheet)
{
	struct gate_series *series = &sheet->series[change->series];

	for (size_t launch = 0; launch < series->launches[GATE_NEW]; launch++)
		for (size_t i = 0; i < series->npoints; i++)
			if (i % lab->sizes >= change->first && i % lab->sizes <= change->last &&
			    (change->placement < 0 || change->placement == (int)(i / lab->sizes)))
				series->log_time[GATE_NEW][launch * series->npoints + i] += log(change->ratio);
}

static inline void lab_make(const struct lab *lab, const struct change *change, struct gate_sheet *sheet, uint64_t *state)
{
	*sheet = (struct gate_sheet){ .nseries = lab->series };
	sheet->series = calloc(lab->series, sizeof *sheet->series);
	for (size_t s = 0; s < lab->series; s++)
		lab_series(lab, &sheet->series[s], state);
	if (change)
		lab_change(lab, change, sheet);
}

static inline void lab_clear(struct gate_sheet *sheet)
{
	for (size_t s = 0; s < sheet->nseries; s++) {
		free(sheet->series[s].points);
		for (int side = 0; side < GATE_SIDES; side++) {
			free(sheet->series[s].log_time[side]);
			free(sheet->series[s].era[side]);
		}
	}
	free(sheet->series);
}

#endif
