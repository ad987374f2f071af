/* SPDX-License-Identifier: Apache-2.0
 *
 * Round by round.
 */
#include "walk.h"

#include <stdlib.h>
#include <string.h>

#include "../array.h"

/* Where a part reduces it ends with the last round that does; else by its formula. */
static int first_part(const struct example *example, const struct lore *lore)
{
	const struct schedule *schedule = &example->schedule;
	int rounds = 0;

	if (!lore || !lore->parts[0])
		return 0;
	for (size_t i = 0; i < schedule->nmessages; i++) {
		if (schedule->messages[i].combine)
			rounds = schedule->messages[i].round + 1;
	}
	if (rounds == 0)
		rounds = lore_first(lore, schedule->nranks, example->segments);
	return rounds < schedule->nrounds ? rounds : 0;
}

int walk_open(const struct example *example, int most_ranks, int most_rounds, struct walk *walk)
{
	const struct schedule *schedule = &example->schedule;
	const size_t count = example_at(example, schedule->nranks);
	const struct lore *lore = lore_find(schedule->coll, schedule->algo);

	*walk = (struct walk){ .example = example,
			       .lore = lore,
			       .most_ranks = most_ranks,
			       .most_rounds = most_rounds,
			       .round = -1,
			       .before = malloc(count * sizeof(uint64_t)),
			       .after = malloc(count * sizeof(uint64_t)) };
	walk->first = first_part(example, lore);
	if (!walk->before || !walk->after) {
		walk_close(walk);
		return array_failed();
	}
	memcpy(walk->before, schedule->start, count * sizeof(uint64_t));
	memcpy(walk->after, schedule->start, count * sizeof(uint64_t));
	return 0;
}

void walk_close(struct walk *walk)
{
	free(walk->before);
	free(walk->after);
	walk->before = walk->after = NULL;
}

/* Of many, some at the start, those where one part gives way to the next, and the end. */
static bool is_shown(const struct walk *walk, int round)
{
	const int nrounds = walk->example->schedule.nrounds;

	if (nrounds <= walk->most_rounds)
		return true;
	if (walk->first > 0 && (round == walk->first - 1 || round == walk->first))
		return true;
	return round < walk->most_rounds - 4 || round >= nrounds - 2;
}

bool walk_next(struct walk *walk, int *skipped)
{
	const struct schedule *schedule = &walk->example->schedule;
	const size_t bytes = example_at(walk->example, schedule->nranks) * sizeof *walk->before;
	int round = walk->round + 1;

	while (round < schedule->nrounds && !is_shown(walk, round))
		round++;
	*skipped = round - walk->round - 1;
	if (round >= schedule->nrounds)
		return false;
	memcpy(walk->before, schedule->start, bytes);
	schedule_play(schedule, round, walk->before);
	memcpy(walk->after, schedule->start, bytes);
	schedule_play(schedule, round + 1, walk->after);
	walk->round = round;
	return true;
}

int walk_ranks(const struct walk *walk)
{
	const int nranks = walk->example->schedule.nranks;

	return nranks <= walk->most_ranks ? nranks : walk->most_ranks;
}

const struct schedule_message *walk_sent(const struct walk *walk, int rank)
{
	const struct schedule *schedule = &walk->example->schedule;

	for (size_t i = 0; i < schedule->nmessages; i++) {
		if (schedule->messages[i].round == walk->round && schedule->messages[i].from == rank)
			return &schedule->messages[i];
	}
	return NULL;
}

const struct schedule_message *walk_got(const struct walk *walk, int rank)
{
	const struct schedule *schedule = &walk->example->schedule;

	for (size_t i = 0; i < schedule->nmessages; i++) {
		if (schedule->messages[i].round == walk->round && schedule->messages[i].to == rank)
			return &schedule->messages[i];
	}
	return NULL;
}

const char *walk_part(const struct walk *walk)
{
	if (walk->first == 0)
		return "";
	return walk->lore->parts[walk->round >= walk->first];
}

bool walk_ends_part(const struct walk *walk)
{
	return walk->first > 0 && walk->round == walk->first - 1;
}

int walk_columns(const struct example *example)
{
	if (example_is_pairs(example))
		return example->schedule.nranks;
	return example->schedule.coll->id == COLL_SENDRECV ? 1 : example->schedule.nitems;
}

int walk_item(const struct example *example, int rank, int column)
{
	const int nranks = example->schedule.nranks;

	if (example_is_pairs(example))
		return column * nranks + rank;
	return example->schedule.coll->id == COLL_SENDRECV ? (rank + nranks - 1) % nranks : column;
}

static bool carries(const struct schedule_message *message, int item)
{
	int low = 0, high = message ? message->nitems : 0;

	while (low < high) {
		const int middle = low + (high - low) / 2;

		if (message->items[middle] == item)
			return true;
		if (message->items[middle] < item)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

static bool moves(const struct walk *walk, const struct schedule_message *const *sent, int column)
{
	for (int rank = 0; rank < walk_ranks(walk); rank++) {
		const int item = walk_item(walk->example, rank, column);
		const size_t at = example_at(walk->example, rank) + (size_t)item;

		if (walk->before[at] != walk->after[at] || carries(sent[rank], item))
			return true;
	}
	return false;
}

int walk_choose(const struct walk *walk, int most, int *columns, int *moving)
{
	const int all = walk_columns(walk->example);
	const struct schedule_message *sent[SCHEDULE_MOST_RANKS];

	*moving = 0;
	for (int rank = 0; rank < walk_ranks(walk); rank++)
		sent[rank] = walk_sent(walk, rank);
	for (int column = 0; column < all && all > most; column++) {
		if (!moves(walk, sent, column))
			continue;
		if (*moving < most)
			columns[*moving] = column;
		++*moving;
	}
	if (*moving > 0)
		return *moving < most ? *moving : most;
	for (int column = 0; column < all && column < most; column++)
		columns[column] = column;
	return all < most ? all : most;
}
