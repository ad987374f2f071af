/* SPDX-License-Identifier: Apache-2.0
 *
 * --pairs: which two ranks exchange when. Every pair meets once in a round-robin tournament, by the circle method: one rank stays where it is, the others go
 * round. The pairs of a round share no rank, so they can also exchange at the same time; with an odd number of ranks one is left out of each round.
 */
#ifndef COLLPERF_PAIRS_H
#define COLLPERF_PAIRS_H

#include <stdint.h>

#include "groups.h"

enum pairs { PAIRS_NONE, PAIRS_ALONE, PAIRS_ALL };

int pairs_rounds(int nranks);
uint64_t pairs_count(int nranks);

/* Pairs of each round, the same in all. */
int pairs_of_round(int nranks);

/* peer[nranks]: whom each rank meets in the round, -1: it is left out. 0 <= round < pairs_rounds. */
void pairs_round(int nranks, int round, int *peer);

/* peer[] without all pairs but the k-th, counted by their lower ranks. 0 <= k < pairs_of_round. */
void pairs_keep(int nranks, int k, int *peer);

/*
 * Groups of two, as many as a round has; nobody is in any. `of` of a rank in none is -1. 0, or -1 after one line on stderr when memory is short;
 * groups_close closes them.
 */
int pairs_open(struct groups *groups, int nranks);

/* The groups are these pairs, by their lower ranks. */
void pairs_group(struct groups *groups, const int *peer);

#endif
