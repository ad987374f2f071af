/* SPDX-License-Identifier: Apache-2.0
 *
 * What ranks move.
 */
#include "lore.h"
#include "show.h"
#include "words.h"

struct show_moved show_moved(const struct example *example, int rank)
{
	const struct schedule *schedule = &example->schedule;
	struct show_moved moved = { 0 };

	for (size_t i = 0; i < schedule->nmessages; i++) {
		const struct schedule_message *message = &schedule->messages[i];

		if (message->from == rank) {
			moved.sent_messages++;
			moved.sent_size += (size_t)schedule_size(schedule, message);
		}
		if (message->to == rank) {
			moved.got_messages++;
			moved.got_size += (size_t)schedule_size(schedule, message);
		}
	}
	return moved;
}

bool show_moves_alike(const struct example *example)
{
	const struct show_moved first = show_moved(example, 0);

	for (int rank = 1; rank < example->schedule.nranks; rank++) {
		const struct show_moved moved = show_moved(example, rank);

		if (moved.sent_messages != first.sent_messages || moved.got_messages != first.got_messages ||
		    moved.sent_size != first.sent_size || moved.got_size != first.got_size)
			return false;
	}
	return true;
}

const char *show_validity(const struct example *example, const struct lore *lore)
{
	const struct lore_cost *cost = lore_cost_of(lore, example->schedule.nranks);

	if (example->schedule.coll->id == COLL_ALLTOALLV)
		return "for even blocks";
	switch (words_cost_fit(example, cost)) {
	case WORDS_ABOVE:
		return "at most";
	case WORDS_BELOW:
		return "the model says";
	default:
		break;
	}
	return lore_validity(lore, example->schedule.nranks);
}
