/* SPDX-License-Identifier: Apache-2.0
 *
 * How schedules are put together: phases add moves of single items, a builder orders them into messages. Ranks of a phase count from the root, as do
 * blocks (schedule_block gives the item); whole messages and segments are the same for every root.
 */
#ifndef COLLPERF_SCHEDULE_BUILD_H
#define COLLPERF_SCHEDULE_BUILD_H

#include "schedule.h"

struct schedule_move {
	int round, from, to, item;
	bool combine;
};

struct schedule_build {
	int nranks, root;
	int segments; /* >= 1 */
	int nitems;
	const int *sizes; /* as of the schedule */
	int base;         /* the round in which the phase begins */
	bool combine;     /* the phase's messages are reduced */
	struct schedule_move *moves;
	size_t nmoves, room;
	bool failed; /* no memory: further moves are dropped */
};

/* Adds moves from round build->base on. nranks >= 2. */
typedef void schedule_phase(struct schedule_build *build);

enum schedule_how {
	SCHEDULE_KEEP = 0,
	SCHEDULE_COMBINE = 1,
	SCHEDULE_BACK = 2, /* rounds in reverse order, every message from its receiver to its sender */
};

/* Runs a phase after those before; `how` is made of enum schedule_how. */
void schedule_run(struct schedule_build *build, schedule_phase *phase, unsigned how);

/* Fills start and wanted of a schedule whose other members are set. */
void schedule_set_ends(struct schedule *schedule);

/* An item of size 0 is left out. `round` counts from the phase's first; ranks from the root, modulo nranks. */
void schedule_move(struct schedule_build *build, int round, int from, int to, int item);
void schedule_move_all(struct schedule_build *build, int round, int from, int to);

/* The item that is the block of a rank counted from the root, modulo nranks. */
int schedule_block(const struct schedule_build *build, int rank);

/* The root gives the whole message to all. */
schedule_phase schedule_whole_linear;
schedule_phase schedule_whole_ring;
schedule_phase schedule_whole_binomial;

/* The same in segments; two trees have 2 * segments items. */
schedule_phase schedule_segments_ring;
schedule_phase schedule_segments_bintree;
schedule_phase schedule_segments_two_tree;
schedule_phase schedule_segments_round_optimal;

/* The root gives every rank its block. */
schedule_phase schedule_blocks_linear;
schedule_phase schedule_blocks_ring;
schedule_phase schedule_blocks_binomial;

/* Every rank gives its block to all. _next: rank r starts with (or ends with, when reducing) block r + 1. */
schedule_phase schedule_gather_ring;
schedule_phase schedule_gather_ring_next;
schedule_phase schedule_gather_bruck;
schedule_phase schedule_gather_circulant;

/* Every rank ends with its block, reduced if combined. */
schedule_phase schedule_reduce_ring;
schedule_phase schedule_reduce_ring_next;

/*
 * On the largest power of two of ranks: of the first 2 * (nranks - 2^k) each even one folds into the odd one after it and rests. Halving has 2^k items
 * or a block a rank, which its partner takes along and hands out at the end.
 */
schedule_phase schedule_fold;
schedule_phase schedule_unfold_blocks;
schedule_phase schedule_doubling;
schedule_phase schedule_halving;

/* Every rank has an item for every rank: from * nranks + to. */
schedule_phase schedule_pairs_linear;
schedule_phase schedule_pairs_exchange;
schedule_phase schedule_pairs_bruck;

/* In round k a rank tells the one 2^k after it all that it has heard. */
schedule_phase schedule_disseminate;

/* Every rank's own item goes to the next rank. */
schedule_phase schedule_shift;

#endif
