/* SPDX-License-Identifier: Apache-2.0
 *
 * A training step in miniature: gradients in the order of a backward pass, compute between them, and which call goes out when. Pure; times are seconds.
 */
#ifndef COLLPERF_STEP_H
#define COLLPERF_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../collectives/collective.h"

/* In the order of step_strategy_names. */
enum step_strategy { STEP_NAIVE, STEP_FLAT, STEP_BUCKETED, STEP_ZERO, STEP_FSDP, STEP_STRATEGIES };
enum step_progress { STEP_POLLING, STEP_THREAD, STEP_NOBODY };
enum { STEP_MOST_CAPS = 64, STEP_MOST_TENSORS = 1 << 20, STEP_WHOLE = 100 };

struct launch;
struct options;

extern const char *const step_strategy_names[STEP_STRATEGIES + 1]; /* ends with NULL */
extern const char *const step_progress_names[];                    /* ends with NULL */

struct step_gradients {
	uint64_t *elements; /* of each, in the order in which they are ready; owned */
	size_t count;
	uint64_t total;
	long layers; /* 0: each gradient is one of its own */
};

/* What bucket_perf measures. */
struct step_options {
	struct step_gradients gradients; /* none yet, but for `layers`, where a file is still to be read */
	const char *file;                /* NULL: none */
	char shown[104];                 /* its name, for messages */
	enum step_strategy strategies[STEP_STRATEGIES];
	size_t nstrategies;
	uint64_t caps[STEP_MOST_CAPS]; /* bytes */
	size_t ncaps;
	long prefetch; /* layers gathered ahead */
	enum step_progress progress;
	bool progress_given, period_given;
	double period;  /* of polling */
	double compute; /* a step; NAN: by ratio */
	double ratio;   /* compute / communication */
	long occupancy; /* percent of a GPU's multiprocessors that compute fills */
	uint64_t fingerprint;
};

/*
 * A text of one size a line: elements, whole, plain or with K, M or G (thousands), blank lines and '#' to the end of a line left out. 0, or -1 with one line
 * in `error`, which names the line.
 */
int step_gradients_parse(const char *text, size_t length, struct step_gradients *gradients, char *error, size_t size);
/*
 * Collective, where the options name a file: rank 0 reads it, all get its gradients, whose bytes become the size. 0, or -1 after one line on stderr of rank
 * 0, which all know.
 */
int step_gradients_open(struct options *options, struct launch *launch, const char *program);
void step_gradients_free(struct step_gradients *gradients);

/* A number of parameters or elements: "10M", "7e9", "1.5G"; K, M, G and B, T are thousands. Whole, from 1 to 2^53. 0 or -1. */
int step_count_parse(const char *text, double *count);

/* One row of the sweep. */
struct step_row {
	enum step_strategy strategy;
	uint64_t cap; /* bytes; 0: the strategy has no buckets */
};

size_t step_rows(const struct step_options *options);
struct step_row step_row(const struct step_options *options, size_t i);

/* A call of a step. */
struct step_call {
	enum coll_id coll;
	size_t first;    /* element of the buffer */
	size_t elements; /* of all ranks: a multiple of their number in split calls */
	size_t begins;   /* which element of the gradients its first is */
	size_t filling;  /* elements at its end that are no gradients */
	bool weights;    /* gathers weights, not gradients */
};

/* Which element of the gradients element `at` of the buffer is, one of the call's; false where it is none: then the last before it. */
bool step_call_element(const struct step_call *call, size_t at, size_t *element);

enum step_do {
	STEP_COMPUTE, /* `share` of the step's compute */
	STEP_CALL,    /* makes call `index` and waits for it */
	STEP_START,   /* starts it */
	STEP_WAIT
};

struct step_act {
	enum step_do what;
	size_t index;
	double share;
};

/* Calls are in the order of their starts. */
struct step_plan {
	struct step_call *calls;
	size_t ncalls;
	struct step_act *acts;
	size_t nacts;
	size_t elements; /* of a buffer: the gradients and what fills split calls up */
	size_t largest;  /* elements of the largest call */
	size_t units;    /* buckets, or layers */
};

/* 0, or -1 when memory is short. */
int step_plan_open(struct step_plan *plan, const struct step_options *options, const struct step_row *row, int nranks,
		   size_t element_bytes);
void step_plan_close(struct step_plan *plan);

/* Whether the strategy has calls under way while it computes, given several buckets or layers. */
bool step_strategy_overlaps(enum step_strategy strategy);
/* Whether this plan has. */
bool step_plan_overlaps(const struct step_plan *plan);

/* step - compute, as measured: below 0 where the compute alone took longer. */
double step_exposed(double step, double compute);
/* 1 - exposed / comm, as measured: below 0 where the step took longer than both parts one after the other. NAN where there is no communication. */
double step_overlap(double exposed, double comm);
/* Whether an overlap known to within `error` tells anything: not where that is NAN, nor where it is over what can be hidden at most, min(1, compute / comm). */
bool step_overlap_tells(double error, double compute, double comm);

#endif
