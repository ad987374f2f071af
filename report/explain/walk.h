/* SPDX-License-Identifier: Apache-2.0
 *
 * Round by round through an example, and which rounds, ranks and columns are shown where all would be too many.
 */
#ifndef COLLPERF_EXPLAIN_WALK_H
#define COLLPERF_EXPLAIN_WALK_H

#include "example.h"
#include "lore.h"

struct walk {
	const struct example *example;
	const struct lore *lore; /* may be NULL */
	int first;               /* rounds of its first part; 0: it has one part */
	int most_ranks, most_rounds;
	int round;                /* the one that is looked at, from 0; -1: the start, before any */
	uint64_t *before, *after; /* [nranks][nitems] */
};

/* -1 after one line on stderr: out of memory. */
int walk_open(const struct example *example, int most_ranks, int most_rounds, struct walk *walk);
void walk_close(struct walk *walk);

/* To the next round that is shown; false after the last. *skipped: how many were left out before it. */
bool walk_next(struct walk *walk, int *skipped);

/* Ranks that are shown, of which the first ones are. */
int walk_ranks(const struct walk *walk);

/* What the rank sends and gets in this round, or NULL. */
const struct schedule_message *walk_sent(const struct walk *walk, int rank);
const struct schedule_message *walk_got(const struct walk *walk, int rank);

/* "reduce-scatter", the part that this round belongs to, or "". */
const char *walk_part(const struct walk *walk);

/* Whether a part ends with this round, and another follows. */
bool walk_ends_part(const struct walk *walk);

/* What a rank shows of what it holds: so many columns, and the item of each. */
int walk_columns(const struct example *example);
int walk_item(const struct example *example, int rank, int column);

/*
 * At most `most` of the columns: all, else those that change in this round at a rank that is shown or of which it sends something, else the first ones.
 * Returns how many; *moving: how many of all those change or are sent, 0: that was no reason.
 */
int walk_choose(const struct walk *walk, int most, int *columns, int *moving);

#endif
