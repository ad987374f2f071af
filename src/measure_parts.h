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

enum { MAX_BATCH = 500, MAX_SAMPLES = 200000 };

struct measure {
	struct measure_parts parts;
	const struct groups *groups;
	int nranks;
	int nlocal;
	struct backend_sample *mine;         /* (MAX_BATCH + 1) * nlocal: the last row carries the stop flag */
	struct group_measurement *group_out; /* [group] */
	struct check_result *results;        /* [nlocal] of the last check */
	void **send, **recv;                 /* [nlocal] of a call whose buffers are shifted */
	/* rank 0's process only */
	struct backend_sample *all; /* `mine` of every process */
	double *times;              /* [group][sample], of the samples that count */
	double *kernels, *enqueues; /* the same */
	double *rank_times;         /* [rank][sample] */
	double *scratch;            /* capacity */
	double *lateness;           /* [rank]: latest seen of a late sample */
	long *late_count;           /* [rank] */
	size_t capacity;
	size_t n;
	long skip;           /* -K: samples still to be left out of the summary */
	size_t rotate_bytes; /* call k uses buffers shifted by (k % rotations) * rotate_bytes */
	long rotations;      /* 1: they stay */
	long turn;           /* k % rotations of the next call */
	struct backend_call shifted;
	double slack; /* the least seconds between a plan and its first start */
	struct backend_call call;
	int trips;      /* messages that follow each other in a call, whose time is divided by them */
	bool sits_out;  /* none of this process's ranks is in a group of this point */
	long refreshed; /* points of pairs since the clocks were compared */
};

/* A rank that enters every call late: injected. */
struct measure_delay {
	int local; /* -1: none in this process */
	double seconds;
};

/* Faults injected at the start of a point: a rank that never goes on, or dies. */
void measure_inject_start(const struct measure *measure, const struct point *point);
struct measure_delay measure_inject_delay(const struct measure *measure, const struct point *point);

/* Whether the rank is in a group but has no part in the calls of this point: its times say nothing. */
bool measure_is_idle(const struct measure *measure, int rank);

/* One backend call outside every timed region. */
int measure_call(struct measure *measure);

/* The next timed call: the point's, with its buffers shifted where they rotate. Good until the next one. To be had before a sample starts. */
const struct backend_call *measure_next_call(struct measure *measure);

/* One timed call from `start`, which is now where `is_now`; samples[nlocal]. */
int measure_sample(struct measure *measure, const struct backend_call *call, double start, bool is_now,
		   const struct measure_delay *delay, struct backend_sample *samples);

/*
 * A series in which none of this process's ranks takes part: it sleeps until the series should be over, then goes on to the next act, which it waits for
 * asleep. Fills m->mine.
 */
int measure_sit_out(struct measure *measure, const struct plan *plan);

/* Rank 0: adds one sample of all ranks; sample_of says where rank r's is. Keeps the longest of each group. */
void measure_keep(struct measure *measure, const struct backend_sample *(*sample_of)(const void *where, int rank),
		  const void *where);

/* Both collective. `estimate` in seconds. They fill times, kernels, enqueues, rank_times, n, groups' `precise` and of *out iters, dropped, sync, late*, stop. */
int measure_sync(struct measure *measure, const struct point *point, const struct pattern *const *patterns, double estimate,
		 struct measurement *out);
int measure_loop(struct measure *measure, const struct point *point, double estimate, struct measurement *out);

/* Seeds, makes one call that is not timed, and verifies it. Collective. */
int measure_check(struct measure *measure, const struct point *point, const struct pattern *const *patterns);

/* Verifies what the last call left and folds the result over all ranks into group_out. Collective. */
int measure_verify(struct measure *measure, const struct point *point, const struct pattern *const *patterns);

#endif
