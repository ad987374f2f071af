/* SPDX-License-Identifier: Apache-2.0
 *
 * Phases in which a root's message, whole or block by block, goes to all ranks; backwards they gather or reduce.
 */
#include "schedule_build.h"

void schedule_whole_linear(struct schedule_build *build)
{
	for (int rank = 1; rank < build->nranks; rank++)
		schedule_move_all(build, rank - 1, 0, rank);
}

void schedule_whole_ring(struct schedule_build *build)
{
	for (int rank = 1; rank < build->nranks; rank++)
		schedule_move_all(build, rank - 1, rank - 1, rank);
}

void schedule_whole_binomial(struct schedule_build *build)
{
	for (int round = 0; 1 << round < build->nranks; round++) {
		for (int rank = 0; rank < 1 << round && rank + (1 << round) < build->nranks; rank++)
			schedule_move_all(build, round, rank, rank + (1 << round));
	}
}

void schedule_blocks_linear(struct schedule_build *build)
{
	for (int rank = 1; rank < build->nranks; rank++)
		schedule_move(build, rank - 1, 0, rank, schedule_block(build, rank));
}

/* The farthest block leaves first, so that all arrive in the last round. */
void schedule_blocks_ring(struct schedule_build *build)
{
	for (int block = 1; block < build->nranks; block++) {
		for (int rank = 0; rank < block; rank++)
			schedule_move(build, build->nranks - 1 - block + rank, rank, rank + 1, schedule_block(build, block));
	}
}

/* Whoever has `count` blocks from its own on gives the smaller half away. */
static void split(struct schedule_build *build, int round, int rank, int count)
{
	int kept = count - count / 2;

	if (count == 1)
		return;
	for (int block = rank + kept; block < rank + count; block++)
		schedule_move(build, round, rank, rank + kept, schedule_block(build, block));
	split(build, round + 1, rank, kept);
	split(build, round + 1, rank + kept, count - kept);
}

void schedule_blocks_binomial(struct schedule_build *build)
{
	split(build, 0, 0, build->nranks);
}
