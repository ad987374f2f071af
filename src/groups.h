/* SPDX-License-Identifier: Apache-2.0
 *
 * Parallel groups: which ranks talk to each other. All groups call at the same time, each over a communicator of its own; without a split there is one
 * group of all ranks. Ranks are numbered over processes, threads and GPUs, as everywhere.
 */
#ifndef COLLPERF_GROUPS_H
#define COLLPERF_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum split_op { SPLIT_NONE, SPLIT_AND, SPLIT_OR, SPLIT_MOD, SPLIT_DIV };

/* A rank's colour is `rank op value`; ranks of one colour are a group. */
struct split {
	enum split_op op;
	uint64_t value; /* not 0 for MOD and DIV */
};

struct groups {
	int nranks;
	int count;  /* groups, >= 1 */
	int *of;    /* [nranks] 0 .. count - 1, in the order in which colours appear; -1: in none (pairs.h) */
	int *rank;  /* [nranks] its number inside its group, in the order of ranks */
	int *size;  /* [count] */
	int *first; /* [count] the lowest rank of the group */
	int least;  /* ranks of the smallest group */
	int most;   /* ranks of the largest group */
	int *peer;  /* NULL; of pairs (pairs.h): [nranks] the other rank of the group, -1: in none */
};

/*
 * "MOD 8", "AND 0x7", "| 1", "% 8", "/0b100": one of AND OR MOD DIV & | % /, blanks or none, one whole number (decimal, 0x, 0b). Words in any case.
 * 0, or -1: not that, or MOD or DIV of 0 (then *is_zero is true).
 */
int split_parse(const char *text, struct split *split, bool *is_zero);

/* 0, or -1 after one line on stderr when memory is short. */
int groups_open(struct groups *groups, const struct split *split, int nranks);
void groups_close(struct groups *groups);

#endif
