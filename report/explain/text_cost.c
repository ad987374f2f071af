/* SPDX-License-Identifier: Apache-2.0
 *
 * What was counted on a schedule, on a terminal.
 */
#include <string.h>

#include "show.h"
#include "walk.h"
#include "words.h"

/* "6 24 3/2 6" in columns. */
static void put_amount(FILE *out, const struct example *example, size_t length, size_t messages)
{
	const size_t numbers = length * (size_t)example->per;
	char share[40];

	words_share(example, (double)length * example->schedule.share, share, sizeof share);
	fprintf(out, "%11zu%9zu%9s%10zu", numbers, numbers * SHOW_FLOAT, share, messages);
}

static void put_rank(FILE *out, const struct example *example, const char *who, int rank)
{
	const struct show_moved moved = show_moved(example, rank);

	fprintf(out, "  %-11s", who);
	put_amount(out, example, moved.sent_size, (size_t)moved.sent_messages);
	put_amount(out, example, moved.got_size, (size_t)moved.got_messages);
	fputs("\n", out);
}

static void put_moved(FILE *out, const struct walk *walk)
{
	const struct example *example = walk->example;
	const int nranks = example->schedule.nranks, rounds = example->count.rounds;
	char who[40], said[120];
	size_t length = 0;

	fprintf(out, "\nWhat it moves in %d round%s (%s)\n", rounds, rounds == 1 ? "" : "s",
		words_size(example, said, sizeof said));
	fprintf(out, "%17s%-39s%s\n  %22s%9s%9s%10s%11s%9s%9s%10s\n", "", "sends", "gets", "numbers", "bytes", "of S", "messages",
		"numbers", "bytes", "of S", "messages");
	if (show_moves_alike(example))
		put_rank(out, example, "every rank", 0);
	else {
		for (int rank = 0; rank < walk_ranks(walk); rank++) {
			snprintf(who, sizeof who, "rank %d", rank);
			put_rank(out, example, who, rank);
		}
		if (walk_ranks(walk) < nranks)
			fprintf(out, "  and %d more ranks\n", nranks - walk_ranks(walk));
	}
	for (size_t i = 0; i < example->schedule.nmessages; i++)
		length += (size_t)schedule_size(&example->schedule, &example->schedule.messages[i]);
	fprintf(out, "  %-11s", "in all");
	put_amount(out, example, length, example->schedule.nmessages);
	fputs("\n", out);
}

static void put_formula(FILE *out, const struct example *example, const struct lore *lore)
{
	const struct lore_cost *cost = lore_cost_of(lore, example->schedule.nranks);
	char words[200], letters[300];

	words_cost(cost, words, sizeof words);
	words_letters(example, cost, letters, sizeof letters);
	fprintf(out, "  %-17s%s\n", show_validity(example, lore), words);
	if (*letters)
		show_text_wrap(out, 19, letters);
}

void show_text_cost(FILE *out, const struct walk *walk)
{
	const struct example *example = walk->example;
	const struct lore *lore = walk->lore;
	char words[200], busiest[400];

	if (example->schedule.nranks == 1)
		return;
	put_moved(out, walk);
	fputs("\nWhat it costs, where a message of n bytes takes alpha + n beta and reducing n bytes takes n gamma\n", out);
	fprintf(out, "  counted, p = %-4d%s\n", example->schedule.nranks, words_counted(example, words, sizeof words));
	if (lore)
		put_formula(out, example, lore);
	if (example->schedule.sizes) {
		fputs("\n", out);
		show_text_wrap(out, 0, words_busiest(example, busiest, sizeof busiest));
	}
	if (lore && lore_kinship(lore)) {
		fputs("\n", out);
		show_text_wrap(out, 0, lore_kinship(lore));
	}
}
