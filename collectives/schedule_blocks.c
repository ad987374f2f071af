/* SPDX-License-Identifier: Apache-2.0
 *
 * Phases in which all ranks' blocks move at once.
 */
#include "schedule_build.h"

/* `offset`: whose block a rank has first. */
static void gather_ring(struct schedule_build *build, int offset)
{
	for (int round = 0; round < build->nranks - 1; round++) {
		for (int rank = 0; rank < build->nranks; rank++)
			schedule_move(build, round, rank, rank + 1, schedule_block(build, rank + offset - round));
	}
}

void schedule_gather_ring(struct schedule_build *build)
{
	gather_ring(build, 0);
}

void schedule_gather_ring_next(struct schedule_build *build)
{
	gather_ring(build, 1);
}

/* The block that a rank sends first is the one before that which it ends with. */
void schedule_reduce_ring(struct schedule_build *build)
{
	gather_ring(build, -1);
}

void schedule_reduce_ring_next(struct schedule_build *build)
{
	gather_ring(build, 0);
}

/* Whoever has `have` blocks from its own on gives as many as are missing to `next` to the rank `have` before it. */
static void spread(struct schedule_build *build, int round, int have, int next)
{
	for (int rank = 0; rank < build->nranks; rank++) {
		for (int block = 0; block < next - have; block++)
			schedule_move(build, round, rank, rank - have, schedule_block(build, rank + block));
	}
}

void schedule_gather_bruck(struct schedule_build *build)
{
	for (int round = 0, have = 1; have < build->nranks; round++, have *= 2)
		spread(build, round, have, 2 * have < build->nranks ? 2 * have : build->nranks);
}

/* The numbers held are nranks halved again and again, rounded up. */
void schedule_gather_circulant(struct schedule_build *build)
{
	int rounds = coll_log2_ceil(build->nranks);

	for (int round = 0; round < rounds; round++) {
		int left = rounds - round, part = 1 << left;

		spread(build, round, (build->nranks + part - 1) / part, (build->nranks + part / 2 - 1) / (part / 2));
	}
}

void schedule_pairs_linear(struct schedule_build *build)
{
	for (int step = 1; step < build->nranks; step++) {
		for (int rank = 0; rank < build->nranks; rank++)
			schedule_move(build, step - 1, rank, rank + step, rank * build->nranks + (rank + step) % build->nranks);
	}
}

void schedule_pairs_exchange(struct schedule_build *build)
{
	if (!coll_is_power_of_two(build->nranks)) {
		schedule_pairs_linear(build);
		return;
	}
	for (int step = 1; step < build->nranks; step++) {
		for (int rank = 0; rank < build->nranks; rank++)
			schedule_move(build, step - 1, rank, rank ^ step, rank * build->nranks + (rank ^ step));
	}
}

/* An item goes as far as each bit of its distance says, the lowest first. */
void schedule_pairs_bruck(struct schedule_build *build)
{
	int nranks = build->nranks;

	for (int round = 0; 1 << round < nranks; round++) {
		int bit = 1 << round;

		for (int pair = 0; pair < nranks * nranks; pair++) {
			int from = pair / nranks, distance = (pair % nranks - from + nranks) % nranks;
			int at = from + (distance & (bit - 1));

			if (distance & bit)
				schedule_move(build, round, at, at + bit, pair);
		}
	}
}

void schedule_disseminate(struct schedule_build *build)
{
	for (int round = 0; 1 << round < build->nranks; round++) {
		for (int rank = 0; rank < build->nranks; rank++)
			schedule_move_all(build, round, rank, rank + (1 << round));
	}
}

void schedule_shift(struct schedule_build *build)
{
	for (int rank = 0; rank < build->nranks; rank++)
		schedule_move(build, 0, rank, rank + 1, schedule_block(build, rank));
}
