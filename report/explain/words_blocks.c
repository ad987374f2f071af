/* SPDX-License-Identifier: Apache-2.0
 *
 * Words for what is not cut into equal parts: blocks of any size, of which the busiest rank has most, and messages without data.
 */
#include "words.h"

#include <stdio.h>
#include <string.h>

#include "formula.h"
#include "show.h"

enum { LEAST_ROOM = 8 }; /* for a block that is cut */

/* The next of blocks, as much of it as there is room for; false: no more. An empty block is "-". */
static bool append_block(const struct example *example, const uint64_t *values, int item, bool last, char *buffer, size_t size)
{
	const size_t end = last ? 1 : sizeof " ..", used = strlen(buffer), gap = used > 0 ? strlen(" | ") : 0;
	char piece[200] = "-";

	if (example_count(example, item) > 0)
		words_values(example, values, &item, 1, piece, sizeof piece);
	if (used + gap + strlen(piece) + end <= size) {
		snprintf(buffer + used, size - used, "%s%s", gap > 0 ? " | " : "", piece);
		return true;
	}
	snprintf(buffer + used, size - used, " ..");
	if (used + gap + end + LEAST_ROOM <= size && example_count(example, item) > 1) {
		snprintf(buffer + used, size - used, "%s", gap > 0 ? " | " : "");
		words_values(example, values, &item, 1, buffer + used + gap, size - used - gap - end + 1);
	}
	return false;
}

static const char *blocks_words(const struct example *example, const uint64_t *values, int first, int step, char *buffer,
				size_t size)
{
	const int nranks = example->schedule.nranks;

	*buffer = '\0';
	for (int i = 0; i < nranks; i++) {
		if (!append_block(example, values, first + i * step, i == nranks - 1, buffer, size))
			break;
	}
	return buffer;
}

const char *words_before(const struct example *example, int rank, int width, char *buffer, size_t size)
{
	const uint64_t *start = example->schedule.start + example_at(example, rank);

	if (example_is_signal(example))
		return words_ranks(*start, buffer, size);
	if (example->schedule.sizes)
		return blocks_words(example, start, rank * example->schedule.nranks, 1, buffer, size);
	return words_buffer(example, start, start, width, buffer, size);
}

const char *words_after(const struct example *example, int rank, int width, char *buffer, size_t size)
{
	const size_t at = example_at(example, rank);

	if (example_is_signal(example))
		return words_ranks(example->ended[at], buffer, size);
	if (example->schedule.sizes)
		return blocks_words(example, example->ended + at, rank, example->schedule.nranks, buffer, size);
	return words_buffer(example, example->ended + at, example->schedule.wanted + at, width, buffer, size);
}

const char *words_size(const struct example *example, char *buffer, size_t size)
{
	const int whole = example_whole(example);
	const char *what = "the size of the call";

	if (example_is_signal(example)) {
		snprintf(buffer, size, "messages without data");
		return buffer;
	}
	if (example->schedule.sizes)
		what = "what the busiest rank has or gets";
	if (example->schedule.coll->id == COLL_HYPERCUBE)
		what = "what a rank gets from others";
	snprintf(buffer, size, "S is %s, here %d number%s of %d bytes", what, whole, whole == 1 ? "" : "s", SHOW_FLOAT);
	return buffer;
}

struct show_busiest show_busiest(const struct example *example)
{
	struct show_busiest busiest = { 0 };

	for (int rank = 0; rank < example->schedule.nranks; rank++) {
		const struct show_moved moved = show_moved(example, rank);

		busiest.total += moved.sent_size;
		if (moved.sent_size > busiest.most)
			busiest = (struct show_busiest){ rank, false, moved.sent_size, busiest.total };
		if (moved.got_size > busiest.most)
			busiest = (struct show_busiest){ rank, true, moved.got_size, busiest.total };
	}
	return busiest;
}

/* "3/4 S", "S" */
static const char *part_of_size(const struct example *example, double part, char *buffer, size_t size)
{
	char share[40];

	words_share(example, part, share, sizeof share);
	snprintf(buffer, size, "%s%sS", strcmp(share, "1") == 0 ? "" : share, strcmp(share, "1") == 0 ? "" : " ");
	return buffer;
}

const char *words_busiest(const struct example *example, char *buffer, size_t size)
{
	const struct show_busiest busiest = show_busiest(example);
	const double mean = (double)busiest.total / example->schedule.nranks;
	const double wire = example->count.wire, port = (double)busiest.most * example->schedule.share;
	char share[50], rounds[50], even[32];
	int used;

	if (busiest.most == 0) {
		snprintf(buffer, size, "No rank has anything for another one.");
		return buffer;
	}
	used = (double)busiest.most > mean
		       ? snprintf(buffer, size, "Rank %d is the busiest: it %s", busiest.rank, busiest.gets ? "gets" : "sends")
		       : snprintf(buffer, size, "All ranks are equally busy: each sends");
	used += snprintf(buffer + used, size - (size_t)used,
			 " %zu number%s, one message at a time, so that no order of messages takes less than %s beta.",
			 busiest.most, busiest.most == 1 ? "" : "s", part_of_size(example, port, share, sizeof share));
	if (wire > port * (1 + 1e-9))
		used += snprintf(buffer + used, size - (size_t)used,
				 " As each round waits for its largest block, it is %s beta here.",
				 part_of_size(example, wire, rounds, sizeof rounds));
	snprintf(even, sizeof even, "%.3g", mean);
	if ((double)busiest.most > mean)
		snprintf(buffer + used, size - (size_t)used,
			 " Spread evenly over all ranks it would be %s number%s each; this is %.3g times that.", even,
			 strcmp(even, "1") == 0 ? "" : "s", (double)busiest.most / mean);
	return buffer;
}
