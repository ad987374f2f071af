/* SPDX-License-Identifier: Apache-2.0
 *
 * A collective on small numbers: a schedule, and what each rank's items hold. A rank's number of an item is the reduction of the numbers of those
 * ranks whose data are in it.
 */
#ifndef COLLPERF_EXPLAIN_EXAMPLE_H
#define COLLPERF_EXPLAIN_EXAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../collectives/schedule.h"

enum example_op { EXAMPLE_SUM, EXAMPLE_PROD, EXAMPLE_MAX, EXAMPLE_MIN, EXAMPLE_OPS };

extern const char *const example_ops[EXAMPLE_OPS]; /* their names */

enum {
	EXAMPLE_MOST_NUMBERS = 1 << 22, /* of all ranks */
	EXAMPLE_PIPELINE = 4,           /* items of a pipelined buffer unless --segments says otherwise */
};

struct example_request {
	const struct collective *coll;
	const char *algo;
	int nranks, root;
	int segments;     /* 0: a few where the algorithm has a pipeline */
	const char *data; /* NULL: numbers that show where they come from */
	enum example_op op;
};

struct example {
	struct schedule schedule;
	struct schedule_count count;
	enum example_op op;
	int segments;    /* of a pipeline; 0: the algorithm has none */
	int per;         /* numbers of an item */
	double *numbers; /* [nranks][nitems][per]; only of items held at the start */
	uint64_t *ended; /* [nranks][nitems] after the last round */
};

/* 0, or -1 with one line in `error`. A schedule that does not prove right is refused. */
int example_make(const struct example_request *request, struct example *example, char *error, size_t size);
void example_clear(struct example *example);

/* Whether the algorithm cuts its buffers into segments whose number is free. */
bool example_is_pipelined(const struct collective *coll, const char *algo, int nranks, int root);

/* Where the values of a rank begin in an array of [nranks][nitems]. */
size_t example_at(const struct example *example, int rank);

/* The e-th number of an item at a rank whose value of it is `set`, which is not 0. */
double example_number(const struct example *example, uint64_t set, int item, int e);

/* How many numbers the S of the collective is. */
int example_whole(const struct example *example);

/* Whether nothing is left to be reduced into such a value of the item. */
bool example_is_complete(const struct example *example, uint64_t set, int item);

/*
 * Numbers of ranks that hold items at the start: rows by rank, ended by ';' or '/', numbers parted by blanks or commas. Fills per and numbers.
 * 0, or -1 with one line in `error`.
 */
int example_read(const char *text, struct example *example, char *error, size_t size);

#endif
