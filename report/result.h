/* SPDX-License-Identifier: Apache-2.0
 *
 * One measured point and what surrounds it: the only thing that leaves a measurement and the only thing a report reads.
 * In memory: seconds, bytes, bytes per second, elements. Other units exist in columns.c alone.
 */
#ifndef COLLPERF_RESULT_H
#define COLLPERF_RESULT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RESULT_SCHEMA = 1 };

/* An integer that does not apply. A real that does not apply is NAN, a text that does not apply is "". */
#define RESULT_NONE INT64_MIN

#define RESULT_OUT_OF_PLACE "out-of-place"
#define RESULT_IN_PLACE "in-place"

/* Words of the load column. */
#define RESULT_ALONE "alone"
#define RESULT_TOGETHER "all"

#define RESULT_STEP "bucket"

/* Words of the strategy column. */
#define RESULT_NAIVE "naive"       /* after the backward pass one all-reduce a gradient */
#define RESULT_FLAT "flat"         /* after it one all-reduce of all */
#define RESULT_BUCKETED "bucketed" /* an all-reduce starts when the last gradient of its bucket is ready */
#define RESULT_ZERO "zero"         /* a reduce-scatter likewise; after the last one an all-gather of each */
#define RESULT_FSDP "fsdp"         /* an all-gather of each layer ahead of its compute, a reduce-scatter behind */

/* Words of the progress column. */
#define RESULT_POLLING "polling" /* compute stops every so often to test what is under way */
#define RESULT_THREAD "thread"   /* the library's own progress thread */
#define RESULT_DEVICE "device"   /* a stream of its own */
#define RESULT_NOBODY "none"     /* nobody before the wait at the end */

/* Words of the flags column, separated by one space. */
#define RESULT_FLAG_OVERSUBSCRIBED "oversubscribed" /* more ranks than cores on a host */
#define RESULT_FLAG_NOISY "noisy"                   /* the time was used up before the precision was reached */
#define RESULT_FLAG_LATE "late"                     /* a rank kept coming late to the common start; its samples were kept */
#define RESULT_FLAG_SHORT "short"                   /* the time is under 100 steps of the clock */
#define RESULT_FLAG_UNCHECKED "unchecked"           /* -c 0 */
#define RESULT_FLAG_SIMULATED "simulated"           /* the sim backend, or a stand-in of a library */
#define RESULT_FLAG_HOST_BOUND "host_bound"         /* loop timing: queueing a call took as long as the call */
#define RESULT_FLAG_SHARED_GPU "shared_gpu"         /* several ranks on one GPU take turns: times are no measurement */
#define RESULT_FLAG_OTHER_PATH "other_path"         /* the library's log says another path than --path asked for */
#define RESULT_FLAG_TRACED "traced"                 /* the library wrote a line for each call, which is in the time */
#define RESULT_FLAG_IMPORTED "imported"             /* read from another tool's log */
#define RESULT_FLAG_RATES "rates"                   /* its rates do not agree with its size and time */

/* Texts are borrowed: they live as long as whoever filled the struct says. Never NULL. */
struct result {
	int64_t schema;
	int64_t point;   /* 1 .. points */
	int64_t points;  /* rows of the whole sweep; fewer rows in a file: it is incomplete */
	const char *run; /* one launch of one binary */
	const char *collective;
	const char *backend;
	const char *library; /* "MPICH 4.0.2" */
	const char *path;
	const char *algo;
	const char *group;
	int64_t nranks;
	int64_t nnodes;
	const char *type;
	const char *redop; /* "" where the collective has none */
	int64_t root;      /* RESULT_NONE where the collective has none */
	const char *placement;
	int64_t bytes_requested;
	int64_t bytes; /* S as really moved */
	int64_t count;
	const char *timing; /* "sync" or "loop" */
	const char *sync;   /* how the ranks were brought to a common start: "clock", "barrier", "none" */
	int64_t iters;      /* timed calls that count */
	int64_t dropped;    /* timed calls left out as a rank was late */

	double time; /* seconds: the headline, the median over samples of the time of the slowest rank */
	double time_ci_low;
	double time_ci_high; /* 95 % nonparametric confidence interval of the median, absent under 6 samples */
	double time_min;
	double time_mean;
	double time_stddev;
	double time_p95;
	double time_p99;
	double time_max;
	double rank_time_min; /* over ranks, of each rank's own median */
	double rank_time_avg;
	double rank_time_max;
	int64_t slowest_rank;

	double algbw;  /* bytes per second */
	double busbw;  /* absent with one rank */
	int64_t wrong; /* elements, summed over ranks, of the worst check; RESULT_NONE: not checked */
	const char *flags;
	const char *timestamp; /* ISO 8601, UTC, when the row was complete */
	double kernel; /* seconds: median over samples of the longest over ranks by the device's own clock; absent on hosts */
	double enqueue; /* seconds: median over samples of the longest over ranks until a call came back, before waiting; absent likewise */

	/* Rows of two ranks that exchange alone among many (--pairs): which ranks, and whether others did at the same time. Absent elsewhere. */
	int64_t from, to;
	const char *load; /* RESULT_ALONE or RESULT_TOGETHER */

	/*
	 * Rows of a training step (bucket_perf), whose collective is RESULT_STEP, whose bytes are those of all gradients and whose time is that of a step.
	 * Absent elsewhere.
	 */
	const char *strategy; /* RESULT_NAIVE ... */
	int64_t bucket_cap;   /* bytes; RESULT_NONE where the strategy has no buckets */
	int64_t calls;        /* collective calls of a step */
	int64_t tensors;      /* gradients of a step */
	int64_t prefetch;     /* layers gathered ahead (fsdp) */
	const char *progress; /* what moved data during compute: RESULT_POLLING ... */
	double compute;       /* seconds: the step's compute alone */
	double comm;          /* seconds: the step's communication alone */
	double exposed;       /* seconds: step - compute as measured: may be below 0 */
	double overlap;       /* 1 - exposed / comm as measured: may be outside of 0 to 1; absent where nothing can overlap */

	/* What sets calls of one primitive apart, "" for its plain ones: "oneway", "shift stride 2", "pipeline 4", "skew 0.5". */
	const char *variant;
	double imbalance; /* uneven calls: bytes in or out of the busiest rank / the mean over ranks; 1 of the even one beside them, else absent */
	double compute_asked; /* seconds: what a step's compute was to take; the same for all rows of a launch. Absent elsewhere */
	double overlap_error; /* of overlap, to either side: half the 95 % interval of the median of the turns' own overlaps; 0 where times are exact; absent with overlap */
};

/* All numbers absent, all texts "". */
void result_clear(struct result *result);

/* Whether `flag` is one of the words in result->flags. */
bool result_has_flag(const struct result *result, const char *flag);

/* Whether the row is of one pair among more ranks: no point of a sweep of its collective. */
bool result_is_pair(const struct result *result);

/* Whether the row is of a training step: no point of a sweep of a collective. */
bool result_is_step(const struct result *result);

/* Whether its busiest port carries other bytes than those that follow from its size: its busbw tells (alltoallv by a matrix). */
bool result_is_matrix(const struct result *result);

/* Whether it is the even exchange beside an uneven one (alltoallv): of fewer bytes than were asked for. */
bool result_is_evened(const struct result *result);

/* Whether ranks took turns on cores or on a GPU: such a time is no measurement of the network. */
bool result_takes_turns(const struct result *result);

#endif
