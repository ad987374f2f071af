/* SPDX-License-Identifier: Apache-2.0
 *
 * The buffers of a step on the local ranks, what is put into them, one step made on them, and whether what came out is right. Each element of the gradients
 * holds a pattern; after a step every element of the result is the sum over ranks, on those ranks that have it.
 */
#ifndef COLLPERF_STEP_RUN_H
#define COLLPERF_STEP_RUN_H

#include "backend.h"
#include "clock.h"
#include "pattern.h"
#include "step.h"
#include "step_spin.h"

struct inject;
struct watch;

enum step_part { STEP_ALL, STEP_COMPUTE_ALONE, STEP_COMM_ALONE, STEP_PARTS };

/* Borrowed parts that outlive the run. */
struct step_run_parts {
	struct backend *backend;
	const struct clock *clock;
	struct watch *watch;
	const struct options *options; /* options->step too */
	enum dtype type;
};

struct step_run {
	struct step_run_parts parts;
	size_t capacity; /* elements of each buffer */
	/* [local] backend memory */
	void **gradients, **reduced;
	void **weights; /* NULL: nobody gathers any */
	void **send, **recv;
	size_t *counts;
	void *host; /* room for `capacity` elements where the backend's memory is not the host's */
	struct pattern *pattern;
	struct step_spin spin;
	double compute; /* seconds a step */
	const struct step_plan *plan;
	struct step_row row;
	void *state;    /* of the backend's calls */
	bool together;  /* a buffer does not hold all: every call uses its start, and nothing is checked */
	size_t pending; /* calls under way */
	double since;   /* seconds of compute since the last look at them */
};

struct step_wrong {
	uint64_t elements;
	size_t first; /* element of the gradients; with `filling` the last before it */
	bool filling; /* it is one of those that fill a call up */
	int rank;     /* -1: none */
};

/* Bytes that step_run_open allocates for one rank where the backend has its buffers. Saturates. */
uint64_t step_run_memory(const struct options *options, int nranks, uint64_t data_limit);

/* Bytes of host memory beside them: room to compare in; with `library` as much again, where a library reduces in host memory. */
uint64_t step_run_host_memory(const struct options *options, int nranks, uint64_t data_limit, bool library);

/* 0, or -1 after one line on stderr. step_run_close either way. */
int step_run_open(struct step_run *run, const struct step_run_parts *parts);
void step_run_close(struct step_run *run);

/* What the next steps are. 0 or -1. Closed by the next, or by step_run_close. */
int step_run_begin(struct step_run *run, const struct step_plan *plan, const struct step_row *row);

/* Patterns into what is sent, and other bytes into what is received. */
int step_run_seed(struct step_run *run);
/* A whole step, or one part of it. */
int step_run_step(struct step_run *run, enum step_part part);
/* Whether --inject spoils the data of this row; its @SIZE is a bucket's. */
bool step_inject_is_at(const struct inject *inject, const struct step_row *row);
/* Of the local ranks. */
int step_run_verify(struct step_run *run, struct step_wrong *wrong);

#endif
