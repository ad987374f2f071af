/* SPDX-License-Identifier: Apache-2.0
 *
 * Two sides of rows, brought together point by point: what is compared, what is only on one side, what cannot be judged and why. No statistics here.
 * The launch is the unit of observation: of a point it gives one number, the median that its row holds.
 */
#ifndef COLLPERF_GATE_SHEET_H
#define COLLPERF_GATE_SHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "../facts.h"
#include "../reader.h"
#include "../result.h"

enum gate_side_id { GATE_BASE, GATE_NEW, GATE_SIDES };

enum { GATE_MOST_LAUNCHES = 4096, GATE_MOST_POINTS = 4096 }; /* of a series; what is beyond is told */

/* Why a point is not judged. */
enum gate_doubt {
	GATE_CLEAR,
	GATE_OVERSUBSCRIBED, /* or GPUs shared, simulated on one side alone, traced: no measurement */
	GATE_INCOMPLETE,     /* launches of its series lack it, or its sweep was cut */
	GATE_WRONG_BASE,     /* wrong data in BASE; wrong data in NEW always fail */
	GATE_UNTIMED,        /* no time */
	GATE_NOISY,          /* its interval is wider than the threshold; set by gate_judge */
};

/* A point of a series on both sides. */
struct gate_point {
	const struct result *row[GATE_SIDES]; /* one of its rows; never NULL */
	double bytes;
	bool in_place;
	enum gate_doubt doubt;
	long wrong_new; /* elements, over all launches */
};

/* The points that the same launches measured: primitive, backend, path, algo, group, nranks, nnodes, type, operation, root. */
struct gate_series {
	const struct result *key;
	struct gate_point *points; /* by placement, then bytes */
	size_t npoints;
	size_t launches[GATE_SIDES];
	double *log_time
		[GATE_SIDES];    /* [launch * npoints + point]: natural logarithm of seconds; NAN where the launch lacks it */
	size_t *era[GATE_SIDES]; /* [launch] which input of its side it came from: 0, 1, ... */
	bool paired;             /* launch i of one side belongs to launch i of the other */
};

struct gate_sheet {
	struct gate_series *series;
	size_t nseries;
	/* Points on one side alone: what and how many, one line each, for people. */
	char **only[GATE_SIDES];
	size_t nonly[GATE_SIDES], points_only[GATE_SIDES];
	/* How the machines, libraries, topologies and ways of measuring differ: one line each. */
	char **differences;
	size_t ndifferences;
	double apart; /* seconds between the end of one side and the start of the other; 0: they overlap, NAN: unknown */
	long wrong_new;
};

struct gate_side {
	const struct rows *rows;
	const struct facts *facts; /* of its inputs that have any */
	size_t nfacts;
	const char *const *inputs; /* names as given */
	size_t ninputs;
};

/* 0, or -1 after one line on stderr (memory). `paired`: `collperf ab`. Rows of pairs of ranks (from, to) are left out and counted in `only`. */
int gate_sheet_build(const struct gate_side sides[GATE_SIDES], bool paired, struct gate_sheet *sheet);
void gate_sheet_clear(struct gate_sheet *sheet);

#endif
