/* SPDX-License-Identifier: Apache-2.0
 *
 * A collective on small numbers: a schedule, and what each rank's items hold. A rank's number of an item is the reduction of the numbers of those
 * ranks whose data are in it. Blocks of alltoallv differ; a barrier has no numbers.
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
	EXAMPLE_MOST_HOT = 600,         /* numbers that a skewed block has at most */
};

struct example_request {
	const struct collective *coll;
	const char *algo;
	int nranks, root;
	int segments;     /* 0: a few where the algorithm has a pipeline */
	const char *data; /* NULL: numbers that show where they come from */
	enum example_op op;
	bool skewed; /* of alltoallv: blocks by `skew`, 0 to 1, as in coll_layout_skewed */
	double skew;
};

struct example {
	struct schedule schedule;
	struct schedule_count count;
	enum example_op op;
	int segments;    /* of a pipeline, for each of its trees; 0: the algorithm has none */
	int per;         /* numbers of an item of size 1; 0: there are none */
	int room;        /* numbers of the largest item */
	double *numbers; /* [nranks or, where nothing is reduced, 1][nitems][room]; only of items held at the start */
	uint64_t *ended; /* [nranks][nitems] after the last round */
};

/* 0, or -1 with one line in `error`. A schedule that does not prove right is refused. */
int example_make(const struct example_request *request, struct example *example, char *error, size_t size);
void example_clear(struct example *example);

/* Where the values of a rank begin in an array of [nranks][nitems]. */
size_t example_at(const struct example *example, int rank);

/* How many numbers an item has. */
int example_count(const struct example *example, int item);

/* Of the smallest item; example->room is that of the largest. */
int example_smallest(const struct example *example);

/* Whether item from * nranks + to is what `from` has for `to`. */
bool example_is_pairs(const struct example *example);

/* Trees of a pipeline that have segments of their own: 1, 2; 0: no pipeline. */
int example_trees(const struct example *example);

/* Whether messages carry no data, and a value is the ranks that have been heard of. */
bool example_is_signal(const struct example *example);

/* The e-th number of an item at a rank whose value of it is `set`, which is not 0. */
double example_number(const struct example *example, uint64_t set, int item, int e);

/* How many numbers the S of the collective is. */
int example_whole(const struct example *example);

/* Whether nothing is left to be reduced into such a value of the item. */
bool example_is_complete(const struct example *example, uint64_t set, int item);

/*
 * Numbers of ranks that hold items at the start: rows by rank, ended by ';' or '/' (the last one by nothing, too), numbers parted by blanks or commas; where blocks differ '|' parts
 * them, and they are of the sizes that example_read_sizes found. Fills per and numbers. 0, or -1 with one line in `error`.
 */
int example_read(const char *text, struct example *example, char *error, size_t size);
int example_read_sizes(const char *text, int nranks, int *sizes, char *error, size_t size);

/* Of the blocks from any rank to any, as asked for or so that zeros and a busy rank are seen; [nranks * nranks]. As above. */
int example_sizes(const struct example_request *request, int *sizes, char *error, size_t size);

/* Room for numbers of which an item of size 1 has `per`. As above. */
int example_allocate(struct example *example, int per, char *error, size_t size);

/* Where the numbers of an item that a rank held at the start stand. */
double *example_place(const struct example *example, int rank, int item);

#endif
