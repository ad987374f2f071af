/* SPDX-License-Identifier: Apache-2.0
 *
 * What an algorithm of a collective does, message by message, on the machine of the cost models: in a round every rank sends at most one message and
 * receives at most one. The message of S bytes is cut into equal items (blocks by rank, segments of a pipeline, or both), or unequal ones where blocks
 * differ; a rank's value of an item is the set of ranks whose data are reduced (or merely held) in it. Counting on a schedule proves the formulas of
 * cost.h. A barrier has one item without bytes: its value is the set of ranks that a rank has heard of.
 */
#ifndef COLLPERF_SCHEDULE_H
#define COLLPERF_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collective.h"

enum { SCHEDULE_MOST_RANKS = 64, SCHEDULE_MOST_ITEMS = 1 << 16 };

struct schedule_message {
	int round; /* from 0; messages stand by rising round */
	int from, to;
	bool combine;     /* the receiver reduces it into its own value of the item; else it keeps what came */
	const int *items; /* [nitems], rising; the schedule's */
	int nitems;
};

struct schedule {
	const struct collective *coll;
	const char *algo; /* of coll->models */
	int nranks, root; /* root 0 where there is none */
	int nitems;
	const int *sizes; /* NULL: all items have size 1; else [nitems], and an item of size 0 is held by nobody and never sent */
	double share; /* bytes of size 1 / S, 0 without data; of alltoall and alltoallv item from * nranks + to is one block */
	int nrounds;
	struct schedule_message *messages;
	size_t nmessages;
	/* [nranks * nitems], rank by rank: bit r of a value: rank r's data are in it. 0: holds nothing of the item. */
	uint64_t *start;
	uint64_t *wanted; /* what the collective promises; 0: anything */
	void *memory;     /* of the parts above */
};

/* What a schedule costs. */
struct schedule_count {
	int rounds;
	double sent_most;     /* bytes / S, of the rank that sends most */
	double received_most; /* of the rank that receives most */
	double total;         /* over all messages */
	double wire;          /* sum over rounds of the largest message: what beta is multiplied with */
	double combined;      /* sum over rounds of the largest that is reduced: what gamma is multiplied with */
};

/*
 * The name of the i-th algorithm of `coll` that has a schedule, NULL after the last; those of coll->models that are bounds or ideals have none.
 */
const char *schedule_algorithm(const struct collective *coll, size_t i);

/* Whether it has one for this many ranks. False of an algorithm that is not known. */
bool schedule_suits(const struct collective *coll, const char *algo, int nranks);

/*
 * 0, or -1 with one line in `error`: no such algorithm, not for this number of ranks, too many items, memory. 1 <= nranks <= SCHEDULE_MOST_RANKS.
 * segments: of a pipeline, >= 1; others ignore it.
 */
int schedule_make(const struct collective *coll, const char *algo, int nranks, int root, int segments, struct schedule *schedule,
		  char *error, size_t size);

/*
 * The same of alltoallv with blocks of sizes[from * nranks + to], none below 0, not all 0; copied. S is what goes in or out of the busiest rank, its own
 * block too. What has size 0 is not sent, and a round in which nobody sends is none.
 */
int schedule_make_uneven(const struct collective *coll, const char *algo, int nranks, const int *sizes, struct schedule *schedule,
			 char *error, size_t size);
void schedule_clear(struct schedule *schedule);

/*
 * Values of [nranks * nitems] before round 0 become those after `rounds` rounds. All messages of a round carry what was held before it. 0, or -1 without
 * memory: values are as before.
 */
int schedule_play(const struct schedule *schedule, int rounds, uint64_t *values);

/*
 * Whether it is a right one: one port a rank and round, nothing is sent that is not held, nothing is reduced twice, and at the end everyone holds what is
 * wanted. 0, or -1 with what is wrong in `error`.
 */
int schedule_check(const struct schedule *schedule, char *error, size_t size);

struct schedule_count schedule_count(const struct schedule *schedule);

/* rounds * alpha + wire * S * beta + combined * S * gamma: what coll's model of that name must say. */
double schedule_time(const struct schedule *schedule, double bytes, const struct coll_link *link);

/* Of all the message's items together, in units of `share`. */
long long schedule_size(const struct schedule *schedule, const struct schedule_message *message);

/* Items that each segment of a pipeline is; 0: the algorithm has none, or is not known. */
int schedule_segment_items(const struct collective *coll, const char *algo);

/* The segments that the model of this name takes for such a call; 1 where it has no pipeline. */
int schedule_segments(const struct collective *coll, const char *algo, int nranks, double bytes, const struct coll_link *link);

#endif
