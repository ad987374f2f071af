/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the measure share. Nobody else includes this.
 */
#ifndef COLLPERF_MEASURE_PARTS_H
#define COLLPERF_MEASURE_PARTS_H

#include "measure.h"

/* What rank 0 decides and every rank does next. */
struct plan {
	double start;  /* of the first sample, on rank 0's clock */
	double window; /* from one start to the next */
	long count;    /* samples (sync) or calls of one loop (loop) */
	int stop;      /* the point is complete */
	int aborted;   /* a signal came to some rank */
	int barrier;   /* no common clock: a barrier before each sample */
};

/* One rank's answer to one sample, seconds after the common start. */
struct sample {
	double arrival;
	double end;
};

enum { MAX_BATCH = 500, MAX_SAMPLES = 200000 };

struct measure {
	struct measure_parts parts;
	int nranks;
	int nlocal;
	/* rank 0 only, but for `mine` */
	struct sample *mine; /* (MAX_BATCH + 1) * nlocal: the last row carries the stop flag */
	struct sample *all;  /* the same of every process */
	double *times;       /* of the samples that count */
	double *rank_times;  /* [rank][sample] */
	double *scratch;     /* capacity */
	double *lateness;    /* [rank]: latest seen of a late sample */
	long *late_count;    /* [rank] */
	double *ends;        /* nlocal */
	size_t capacity;
	size_t n;
	double slack; /* the least seconds between a plan and its first start */
	struct backend_call call;
};

/* Faults injected at the start of a point: a rank that never goes on, or dies. */
void measure_inject_start(const struct measure *measure, const struct point *point);
/* Seconds by which *rank enters each call late; 0: none. */
double measure_inject_delay(const struct measure *measure, const struct point *point, int *rank);

/* One backend call outside every timed region. */
int measure_call(struct measure *measure);

/* Both collective. `estimate` in seconds. They fill times, rank_times, n and of *out iters, dropped, sync, precise, late*, stop. */
int measure_sync(struct measure *measure, const struct point *point, const struct pattern *pattern, double estimate,
		 struct measurement *out);
int measure_loop(struct measure *measure, const struct point *point, double estimate, struct measurement *out);

/* Seeds, makes one call that is not timed, and verifies it. Collective. */
int measure_check(struct measure *measure, const struct point *point, const struct pattern *pattern, struct measurement *out);

/* Verifies what the last call left and folds the result over all ranks into *out. Collective. */
int measure_verify(struct measure *measure, const struct point *point, const struct pattern *pattern, struct measurement *out);

#endif
