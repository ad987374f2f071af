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

/* Why a point is not judged. The first that holds: untimed, wrong in BASE, oversubscribed, incomplete. */
enum gate_doubt {
	GATE_CLEAR,
	/*
	 * No measurement, or none that compares: ranks shared cores or a GPU, a line was written for each call (traced), rates that do not agree with size
	 * and time; simulated or imported on one side alone, timed by call on one side and by loop on the other. gate_point.why names it.
	 */
	GATE_OVERSUBSCRIBED,
	GATE_INCOMPLETE, /* a launch of its series was cut short and lacks it */
	GATE_WRONG_BASE, /* wrong data in BASE; wrong data in NEW always fail */
	GATE_UNTIMED,    /* no time */
	GATE_NOISY,      /* its interval is wider than the threshold; set by gate_judge */
};

/* A point of a series on both sides. */
struct gate_point {
	const struct result *row[GATE_SIDES]; /* one of its rows; never NULL */
	double bytes;
	bool in_place;
	enum gate_doubt doubt;
	const char *why; /* static words for the doubt that gate_sheet_build found: "ranks shared cores"; "" where clear */
	long wrong_new;  /* elements, over all launches */
};

/*
 * The points that the same launches measured: primitive, backend, path, algo, group, nranks, nnodes, type, operation, root. Sizes that some launches
 * lack are a series of their own, with the launches that have them, so every series is a full table.
 */
struct gate_series {
	const struct result *key;
	struct gate_point *points; /* by placement, then bytes */
	size_t npoints;
	size_t launches[GATE_SIDES];
	double *log_time
		[GATE_SIDES];    /* [launch * npoints + point], oldest launch first: natural logarithm of seconds; NAN: untimed */
	size_t *era[GATE_SIDES]; /* [launch] which input of its side it came from: 0, 1, ... */
	bool paired;             /* launch i of one side belongs to launch i of the other */
};

/* The first launch of a side that did not end well, as its run.json has it; borrowed from facts. */
struct gate_trouble {
	const char *status;              /* "interrupted"; NULL: there is none */
	const char *collective, *repeat; /* "" where unknown */
	const char *file;
	size_t folder_length; /* of file: without "/run.json" */
};

struct gate_sheet {
	struct gate_series *series;
	size_t nseries;
	/* Points on one side alone: what and how many, one line each, for people. */
	char **only[GATE_SIDES];
	size_t nonly[GATE_SIDES], points_only[GATE_SIDES];
	/* How the machines, libraries, topologies and ways of measuring differ, and what else lets the sides be doubted: one line each, for people. */
	char **differences;
	size_t ndifferences;
	size_t launches[GATE_SIDES]; /* sweeps of one primitive by one start */
	size_t cut[GATE_SIDES];      /* of these: fewer rows than they meant to measure */
	size_t failed[GATE_SIDES];   /* launches that did not end well by run.json */
	struct gate_trouble trouble[GATE_SIDES];
	double apart; /* seconds between the end of one side and the start of the other; 0: they overlap, NAN: unknown */
	long wrong_new;
};

struct gate_side {
	const char *name; /* in words; NULL: "BASE" and "NEW" */
	const struct rows *rows;
	const struct facts *facts; /* of its inputs that have any */
	size_t nfacts;
	size_t unread;             /* run.json that could not be read, which was said */
	const char *const *inputs; /* names as given */
	size_t ninputs;
};

/*
 * 0, or -1 after one line on stderr (memory); the sides' rows, facts and names must outlive the sheet. Rows of pairs of ranks (from, to), of training
 * steps and of no known primitive are left out, and one line of `only` counts each. The version of a library, timing and sync are differences, no keys.
 * `paired`: `collperf ab`, whose variants may differ in backend, path and algo: these are no keys then, unless one side has several of them. Launches
 * belong together by the number that ends their run id ("...-3"), else by their order; those without a partner are left out and told.
 */
int gate_sheet_build(const struct gate_side sides[GATE_SIDES], bool paired, struct gate_sheet *sheet);
void gate_sheet_clear(struct gate_sheet *sheet);

/* "all_reduce, mpi, shm, 2 ranks, float sum": cut to size, on one line. Returns buffer. */
const char *gate_key_words(const struct result *key, char *buffer, size_t size);

#endif
