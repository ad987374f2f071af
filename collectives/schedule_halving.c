/* SPDX-License-Identifier: Apache-2.0
 *
 * Phases on the largest power of two of ranks: fold the others in, exchange with a partner at a distance that doubles or halves.
 */
#include "schedule_build.h"

/* How many ranks are more than a power of two. */
static int folded(const struct schedule_build *build)
{
	return build->nranks - (1 << coll_log2_floor(build->nranks));
}

/* The rank that is the i-th of those that work on. */
static int worker(const struct schedule_build *build, int i)
{
	return i < folded(build) ? 2 * i + 1 : i + folded(build);
}

void schedule_fold(struct schedule_build *build)
{
	for (int i = 0; i < folded(build); i++)
		schedule_move_all(build, 0, 2 * i, 2 * i + 1);
}

void schedule_unfold_blocks(struct schedule_build *build)
{
	for (int i = 0; i < folded(build); i++)
		schedule_move(build, 0, 2 * i + 1, 2 * i, schedule_block(build, 2 * i));
}

void schedule_doubling(struct schedule_build *build)
{
	int rounds = coll_log2_floor(build->nranks);

	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < 1 << rounds; i++)
			schedule_move_all(build, round, worker(build, i), worker(build, i ^ 1 << round));
	}
}

/* What the i-th worker answers for. */
static void move_share(struct schedule_build *build, int round, int from, int to, int i)
{
	if (build->nitems < build->nranks) {
		schedule_move(build, round, from, to, i);
		return;
	}
	if (i < folded(build))
		schedule_move(build, round, from, to, schedule_block(build, 2 * i));
	schedule_move(build, round, from, to, schedule_block(build, worker(build, i)));
}

/*
 * The distance halves, as is usual, but where some workers have two blocks: these are the first, so that by neighbours apart the halves are as even as can
 * be.
 */
void schedule_halving(struct schedule_build *build)
{
	int rounds = coll_log2_floor(build->nranks), decided = 0;
	bool neighbours = build->nitems == build->nranks && folded(build) > 0;

	for (int round = 0; round < rounds; round++) {
		int distance = 1 << (neighbours ? round : rounds - 1 - round);

		decided |= distance;
		for (int i = 0; i < 1 << rounds; i++) {
			int partner = i ^ distance;

			for (int share = 0; share < 1 << rounds; share++) {
				if ((share & decided) == (partner & decided))
					move_share(build, round, worker(build, i), worker(build, partner), share);
			}
		}
	}
}
