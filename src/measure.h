/* SPDX-License-Identifier: Apache-2.0
 *
 * How one point is measured. Sync timing: a sample is one call from a common start to the end on the slowest rank; rank 0 plans series of starts on
 * the synchronised clock, every rank waits for each, calls, and notes when it came and when it ended; samples to which a rank came late are dropped and
 * counted (Hunold & Carpen-Amarie, arXiv 1505.07734). Loop timing: n calls back to back, one mean a rank. Nothing but the call and the reading of the
 * clock stands inside a timed region.
 */
#ifndef COLLPERF_MEASURE_H
#define COLLPERF_MEASURE_H

#include "check.h"
#include "clock.h"
#include "options.h"
#include "point.h"
#include "stats.h"

struct launch;
struct watch;
struct measure; /* the state that points share: clock, buffers for samples, learnt slack */

/* Borrowed parts that outlive the measure. */
struct measure_parts {
	struct launch *launch;
	struct backend *backend;
	struct watch *watch;
	struct check *check;
	struct clock *clock;
	const struct options *options;
	size_t buffer_bytes; /* of each buffer: how far --rotate may go */
	bool oversubscribed; /* ranks share cores: only a few samples, as they show the scheduler */
	bool quiet;          /* many ranks sit a point out, and sleep (--pairs) */
};

/* What a point gave for the ranks of one group. */
struct group_measurement {
	struct stats stats; /* of the samples; n = 1 in loop timing with -n */
	bool has_each;      /* -I in loop timing: */
	struct stats each;  /* of single calls of the loop */
	double rank_time_min, rank_time_avg, rank_time_max;
	int slowest_rank;       /* over all */
	double kernel, enqueue; /* as struct result has them; NAN where the backend has none */
	bool precise;           /* the precision was reached; true where -n fixes the number */
	bool late;              /* one of its ranks kept coming late: these samples are in */
	long late_samples;      /* to which one of its ranks came late, also those that were dropped */
	int64_t wrong;          /* -1: not checked */
	int wrong_rank;         /* the first with a wrong element, -1: none */
	size_t wrong_first;
};

/* What a point gave; complete on rank 0's process, on the others only `stop`. */
struct measurement {
	struct group_measurement *groups; /* [groups->count], the measure's until the next point */
	long iters;                       /* timed calls that count */
	long dropped;
	const char *sync; /* "clock" or "barrier" */
	bool late;        /* a rank kept coming late: its samples are in */
	int late_rank;    /* the one rank that is, -1: no single one */
	double late_time; /* seconds, its median lateness */
	bool stop;        /* a signal came: no further point, this one is not complete */
};

/* NULL after one line on stderr. */
struct measure *measure_open(const struct measure_parts *parts);
void measure_close(struct measure *measure);

/* From the next point on. */
void measure_share_cores(struct measure *measure, bool oversubscribed);

/* Bytes that rank 0's process keeps for the samples of each of nranks. */
uint64_t measure_memory(int nranks);

/*
 * Collective. Seeds, checks, warms up, times and checks again. patterns[group], NULL where nothing is checked. 0, or -1 after one line on stderr when the backend
 * or the launch failed.
 */
int measure_point(struct measure *measure, const struct point *point, const struct pattern *const *patterns,
		  struct measurement *out);

/* At least this many seconds of calls of the point, so that cores and caches are awake. Collective. */
int measure_warm_up(struct measure *measure, const struct point *point, double seconds);

#endif
