/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves of phases: kept as they come, turned round when a phase runs backwards.
 */
#include "schedule_build.h"

#include <stdlib.h>

static bool make_room(struct schedule_build *build)
{
	size_t room = build->room ? 2 * build->room : 256;
	struct schedule_move *moves;

	if (build->nmoves < build->room)
		return true;
	moves = build->failed ? NULL : realloc(build->moves, room * sizeof(*moves));
	if (!moves) {
		build->failed = true;
		return false;
	}
	build->moves = moves;
	build->room = room;
	return true;
}

static int absolute(const struct schedule_build *build, int rank)
{
	int moved = (rank + build->root) % build->nranks;

	return moved < 0 ? moved + build->nranks : moved;
}

int schedule_block(const struct schedule_build *build, int rank)
{
	return absolute(build, rank);
}

void schedule_move(struct schedule_build *build, int round, int from, int to, int item)
{
	if ((build->sizes && build->sizes[item] == 0) || !make_room(build))
		return;
	build->moves[build->nmoves++] = (struct schedule_move){
		.round = build->base + round,
		.from = absolute(build, from),
		.to = absolute(build, to),
		.item = item,
		.combine = build->combine,
	};
}

void schedule_move_all(struct schedule_build *build, int round, int from, int to)
{
	for (int item = 0; item < build->nitems; item++)
		schedule_move(build, round, from, to, item);
}

void schedule_run(struct schedule_build *build, schedule_phase *phase, unsigned how)
{
	size_t first = build->nmoves;
	int end = build->base;

	build->combine = how & SCHEDULE_COMBINE;
	phase(build);
	for (size_t i = first; i < build->nmoves; i++) {
		if (build->moves[i].round >= end)
			end = build->moves[i].round + 1;
	}
	for (size_t i = first; how & SCHEDULE_BACK && i < build->nmoves; i++) {
		struct schedule_move *move = &build->moves[i];
		int from = move->from;

		move->from = move->to;
		move->to = from;
		move->round = build->base + end - 1 - move->round;
	}
	build->base = end;
}
