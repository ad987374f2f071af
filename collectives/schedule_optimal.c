/* SPDX-License-Identifier: Apache-2.0
 *
 * Broadcast of m segments in m - 1 + ceil(log2 p) rounds on Traeff's circulant graph: q = ceil(log2 p) skips, p halved again and again and rounded up; in
 * round k (mod q) every rank sends skip k ahead. Over q rounds, a phase, the root sends q new segments; every other rank receives one of the new ones, its
 * base, as new, and those of the other q - 1 kinds of the phase before. Which kind a rank receives when is the same in all phases. Traeff constructs that
 * table; here it is searched: in each round a rank takes at random one of the kinds that its sender has and it lacks, until a table works out. For up to
 * SCHEDULE_MOST_RANKS ranks fewer than a hundred tries do.
 */
#include "schedule_build.h"

enum { MOST_SKIPS = 6, TRIES = 10000 };

struct circulant {
	int ranks, skips; /* q */
	int skip[MOST_SKIPS + 1];
	int base[SCHEDULE_MOST_RANKS];
	int base_round[SCHEDULE_MOST_RANKS]; /* when it comes; of the root -1 */
	int kind[SCHEDULE_MOST_RANKS][MOST_SKIPS];
};

/* A rank is a sum of skips, the largest first: the way on which its base comes, the smallest first, which names it. */
static void set_base(struct circulant *graph, int rank)
{
	int left = rank;

	graph->base_round[rank] = -1;
	for (int k = graph->skips - 1; k >= 0 && left > 0; k--) {
		if (graph->skip[k] > left)
			continue;
		left -= graph->skip[k];
		graph->base[rank] = k;
		if (graph->base_round[rank] < 0)
			graph->base_round[rank] = k;
	}
}

static void draw(struct circulant *graph, int ranks)
{
	graph->ranks = ranks;
	graph->skips = coll_log2_ceil(ranks);
	graph->skip[graph->skips] = ranks;
	for (int k = graph->skips - 1; k >= 0; k--)
		graph->skip[k] = (graph->skip[k + 1] + 1) / 2;
	for (int rank = 0; rank < ranks; rank++)
		set_base(graph, rank);
}

/* One of the kinds in a set that is not empty. */
static int pick(unsigned kinds, uint32_t *random)
{
	int count = 0, nth;

	for (unsigned left = kinds; left; left &= left - 1)
		count++;
	*random = *random * 1664525 + 1013904223;
	nth = (int)((*random >> 16) % (unsigned)count);
	for (int kind = 0;; kind++) {
		if (kinds >> kind & 1 && nth-- == 0)
			return kind;
	}
}

/* held: by rank, the kinds of the phase before that it has; its base it has since then. */
static bool fill_round(struct circulant *graph, int round, const unsigned *held, unsigned *then, uint32_t *random)
{
	for (int rank = 1; rank < graph->ranks; rank++) {
		int sender = (rank + graph->ranks - graph->skip[round]) % graph->ranks;
		unsigned choice = held[sender] & ~held[rank];

		if (graph->base_round[rank] == round) {
			graph->kind[rank][round] = graph->base[rank];
			continue;
		}
		if (!choice)
			return false;
		graph->kind[rank][round] = pick(choice, random);
		then[rank] |= 1U << graph->kind[rank][round];
	}
	return true;
}

static bool fill(struct circulant *graph, uint32_t *random)
{
	unsigned held[SCHEDULE_MOST_RANKS] = { 0 }, then[SCHEDULE_MOST_RANKS] = { 0 };

	for (int rank = 1; rank < graph->ranks; rank++)
		held[rank] = then[rank] = 1U << graph->base[rank];
	for (int round = 0; round < graph->skips; round++) {
		if (!fill_round(graph, round, held, then, random))
			return false;
		for (int rank = 0; rank < graph->ranks; rank++)
			held[rank] = then[rank];
	}
	return true;
}

/* Rounds are numbered so that the last one ends a phase; in that phase the last segment stands for all new ones. */
static void add_moves(struct schedule_build *build, const struct circulant *graph)
{
	int q = graph->skips, rounds = build->segments - 1 + q, skipped = (q - rounds % q) % q;

	for (int round = 0; round < rounds; round++) {
		int k = (round + skipped) % q, begun = round - k; /* the segment that the root sends first in this phase */

		for (int rank = 1; rank < graph->ranks; rank++) {
			int segment = begun + graph->kind[rank][k] - (graph->base_round[rank] == k ? 0 : q);

			if (segment >= build->segments)
				segment = build->segments - 1;
			if (segment >= 0)
				schedule_move(build, round, rank - graph->skip[k], rank, segment);
		}
	}
}

void schedule_segments_round_optimal(struct schedule_build *build)
{
	struct circulant graph = { .ranks = 0 };
	uint32_t random = 1;
	bool filled = false;

	draw(&graph, build->nranks);
	for (int i = 0; i < TRIES && !filled; i++)
		filled = fill(&graph, &random);
	if (filled)
		add_moves(build, &graph);
}
