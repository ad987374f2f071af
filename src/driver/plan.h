/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run will do and has done: its launches in the order of execution, their files, commands and ends. Starts nothing.
 */
#ifndef COLLPERF_DRIVER_PLAN_H
#define COLLPERF_DRIVER_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "args.h"
#include "choice.h"
#include "job.h"
#include "variant.h"
#include "verdict.h"
#include "words.h"

struct json_t;

enum plan_status { PLAN_PENDING, PLAN_OK, PLAN_FAILED, PLAN_SKIPPED, PLAN_INTERRUPTED, PLAN_STATUS_COUNT };

extern const char *const plan_status_names[PLAN_STATUS_COUNT];

struct plan_launch {
	struct variant variant;
	int repeat;   /* 1 .. args->repeat */
	size_t index; /* before the order of a round was shuffled */
	uint64_t seed;
	char *run; /* the id in the rows */
	char *csv; /* written by the binary */
	char *facts_file;
	enum plan_status status;
	struct job_end end;   /* meaningful unless pending */
	struct json_t *facts; /* NULL: none */
};

struct plan {
	const struct args *args; /* borrowed */
	char *dir;
	char *bin;                   /* absolute */
	char stamp[64];              /* of the start, UTC; part of the run ids */
	char started[32], ended[32]; /* ISO 8601; ended is "" until then */
	int np;                      /* 0: the launcher's text says, or one process drives the GPUs */
	struct choice choice;
	int cores;
	struct plan_launch *launches;
	size_t count;
	size_t round; /* launches of each repetition */
	/* Of one variant among two, else NULL; both borrowed. */
	const char *side;      /* "A", for people */
	struct json_t *ab;     /* what run.json says of it */
	struct json_t *inputs; /* digests of files that the binaries read (inputs.h); NULL: none; owned */
};

/* ISO 8601 in UTC, to the millisecond; `compact` as it can stand in a file name. */
void plan_time(char *buffer, size_t size, bool compact);

/*
 * Fills all but the launches: np, cores, where the binaries are. Every binary must be there: exit code 3, or 0. The stamp is set where it
 * was empty. *plan is to be cleared in both cases.
 */
int plan_open(struct plan *plan, const struct args *args);
/* Takes another backend than the options name. After plan_open. */
void plan_choose(struct plan *plan, const struct choice *choice);

/* The launches, all pending; plan->dir is set. 0, or an exit code after one line. */
int plan_launches(struct plan *plan);
/* Whether the rows of a collective come from several launches, each with a file of its own under DIR/launches. */
bool plan_joins(const struct plan *plan);
void plan_clear(struct plan *plan);

/* The first launch from `from` on that is not ok; count: none. */
size_t plan_next(const struct plan *plan, size_t from);
/* How many launches from `from` on are not ok. */
size_t plan_left(const struct plan *plan, size_t from);

/* The words before the binary: empty for sim, and for the one process of nccl. */
void plan_launcher(const struct plan *plan, struct words *words);
/* The binary of the first collective, asked what it can do. */
void plan_question(const struct plan *plan, struct words *words);
void plan_command(const struct plan *plan, const struct plan_launch *launch, struct words *words);
/* The dry run of a collective. */
void plan_dry(const struct plan *plan, const struct collective *coll, struct words *words);

/* Where a collective's rows, or its table, end: DIR/<collective>.<kind>. NULL: out of memory. To be freed. */
char *plan_file(const struct plan *plan, const struct collective *coll, const char *kind);

/* The files of all launches of a collective, in the order of their repetition; within one as they were asked for. */
void plan_sheets(const struct plan *plan, const struct collective *coll, struct words *files);

#endif
