/* SPDX-License-Identifier: Apache-2.0
 *
 * Phases in which the root's message goes through a chain, a tree or two trees in segments. A rank of a tree receives and sends a segment every second
 * round for each child, so both of its ports are busy.
 */
#include "schedule_build.h"

void schedule_segments_ring(struct schedule_build *build)
{
	for (int segment = 0; segment < build->segments; segment++) {
		for (int rank = 1; rank < build->nranks; rank++)
			schedule_move(build, segment + rank - 1, rank - 1, rank, segment);
	}
}

/* The complete binary tree, row by row; the left child comes first. */
void schedule_segments_bintree(struct schedule_build *build)
{
	int first[SCHEDULE_MOST_RANKS] = { -1 }; /* the round in which a rank receives its first segment */

	/* An only child need not wait for a second. */
	if (build->nranks == 2) {
		schedule_segments_ring(build);
		return;
	}
	for (int rank = 1; rank < build->nranks; rank++) {
		int parent = (rank - 1) / 2;

		first[rank] = first[parent] + (rank % 2 ? 1 : 2);
		for (int segment = 0; segment < build->segments; segment++)
			schedule_move(build, first[rank] + 2 * segment, parent, rank, segment);
	}
}

/*
 * Two binary trees over ranks 1 to n, each fed by the root, rank 0: in order, so that odd ranks are leaves, and once more with ranks changed so that
 * whoever is a leaf in one tree has the children in the other.
 */
struct two_trees {
	int ranks;                          /* n */
	int parent[2][SCHEDULE_MOST_RANKS]; /* by tree and rank */
	int colour[2][SCHEDULE_MOST_RANKS]; /* of the edge to the parent: the parity of its rounds; -1: none yet */
};

/* The parent in the tree in order; 0: the root feeds it. */
static int above(int rank, int ranks)
{
	int bit = rank & -rank, without = rank ^ bit, up = without | bit << 1;

	return up <= ranks ? up : without;
}

/* Where a rank of the first tree stands in the second, 0 to 0: mirrored if odd becomes even by it, else moved on by one. */
static int other(int rank, int ranks)
{
	if (rank == 0)
		return 0;
	return ranks % 2 ? rank % ranks + 1 : ranks + 1 - rank;
}

static void grow(struct two_trees *trees, int ranks)
{
	trees->ranks = ranks;
	for (int rank = 1; rank <= ranks; rank++) {
		int parent = above(rank, ranks);

		trees->parent[0][rank] = parent;
		trees->parent[1][other(rank, ranks)] = other(parent, ranks);
		trees->colour[0][rank] = trees->colour[1][rank] = -1;
	}
}

/* The edge that leaves the same sender as this one does: tree * SCHEDULE_MOST_RANKS + rank, or -1. A rank has children in one tree; the root one in each. */
static int sibling(const struct two_trees *trees, int tree, int rank)
{
	for (int t = 0; t < 2; t++) {
		for (int r = 1; r <= trees->ranks; r++) {
			if ((t != tree || r != rank) && trees->parent[t][r] == trees->parent[tree][rank])
				return t * SCHEDULE_MOST_RANKS + r;
		}
	}
	return -1;
}

/*
 * Edges that share a sender or a receiver take turns. Each shares with at most one at either end, so they form paths and even rings, on which two colours
 * alternate.
 */
static void colour_from(struct two_trees *trees, int tree, int rank, int colour)
{
	while (trees->colour[tree][rank] < 0) {
		int next;

		trees->colour[tree][rank] = colour;
		trees->colour[1 - tree][rank] = 1 - colour;
		next = sibling(trees, 1 - tree, rank);
		if (next < 0)
			return;
		tree = next / SCHEDULE_MOST_RANKS;
		rank = next % SCHEDULE_MOST_RANKS;
	}
}

static void colour(struct two_trees *trees)
{
	for (int rank = 1; rank <= trees->ranks; rank++) {
		int back = sibling(trees, 0, rank);

		if (trees->colour[0][rank] >= 0)
			continue;
		colour_from(trees, 0, rank, 0);
		if (back >= 0)
			colour_from(trees, back / SCHEDULE_MOST_RANKS, back % SCHEDULE_MOST_RANKS, 1);
	}
}

/* The round in which a rank receives its first segment of a tree. */
static int first_round(const struct two_trees *trees, int tree, int rank)
{
	int after = -1;

	if (rank == 0)
		return after;
	after = first_round(trees, tree, trees->parent[tree][rank]);
	return after + ((after + 1) % 2 == trees->colour[tree][rank] ? 1 : 2);
}

void schedule_segments_two_tree(struct schedule_build *build)
{
	struct two_trees trees = { .ranks = 0 };

	/* Both trees are the same edge, and a segment of each is one message. */
	for (int item = 0; item < 2 * build->segments && build->nranks == 2; item++)
		schedule_move(build, item / 2, 0, 1, item);
	if (build->nranks == 2)
		return;
	grow(&trees, build->nranks - 1);
	colour(&trees);
	for (int edge = 0; edge < 2 * trees.ranks; edge++) {
		int tree = edge % 2, rank = edge / 2 + 1, first = first_round(&trees, tree, rank);

		for (int segment = 0; segment < build->segments; segment++)
			schedule_move(build, first + 2 * segment, trees.parent[tree][rank], rank, 2 * segment + tree);
	}
}
