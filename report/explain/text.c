/* SPDX-License-Identifier: Apache-2.0
 *
 * An example on a terminal: before and after, the rounds, what it costs.
 */
#include <stdlib.h>
#include <string.h>

#include "lore.h"
#include "show.h"
#include "walk.h"
#include "words.h"

enum { BUFFER_WIDTH = 42 };

void show_text_wrap(FILE *out, int indent, const char *text)
{
	int column = 0;

	while (*text) {
		const int length = (int)strcspn(text, " ");

		if (column > 0 && column + 1 + length > SHOW_WIDTH) {
			fputs("\n", out);
			column = 0;
		}
		if (column == 0)
			column = fprintf(out, "%*s", indent, "");
		else
			column += fprintf(out, " ");
		column += fprintf(out, "%.*s", length, text);
		text += length;
		text += *text == ' ';
	}
	fputs("\n", out);
}

static void heading(FILE *out, const struct example *example)
{
	const struct schedule *schedule = &example->schedule;
	const struct collective *coll = schedule->coll;
	const struct lore *lore = lore_find(coll, schedule->algo);
	char cut[160], purpose[200];

	fprintf(out, "%s by %s on p = %d rank%s", coll->name, schedule->algo, schedule->nranks, schedule->nranks == 1 ? "" : "s");
	if (coll->flags & COLL_HAS_REDOP)
		fprintf(out, ", %s", example_ops[example->op]);
	if (coll->flags & COLL_HAS_ROOT)
		fprintf(out, ", root %d", schedule->root);
	fputs("\n\n", out);
	snprintf(purpose, sizeof purpose, "What it is for: %s.", lore_purpose(coll));
	show_text_wrap(out, 0, purpose);
	if (lore) {
		fputs("\n", out);
		show_text_wrap(out, 0, lore->how);
	}
	show_text_wrap(out, 0, words_cut(example, cut, sizeof cut));
}

/* Numbers right under each other, where they all fit; else as they come. */
static int widest_number(const struct example *example, const uint64_t *values)
{
	const struct schedule *schedule = &example->schedule;
	int widest = 1;

	for (int rank = 0; rank < schedule->nranks; rank++) {
		for (int item = 0; item < schedule->nitems; item++) {
			const uint64_t set = values[example_at(example, rank) + (size_t)item];

			for (int e = 0; set && e < example_count(example, item); e++) {
				char number[40];
				const int length = (int)strlen(
					words_number(example_number(example, set, item, e), number, sizeof number));

				widest = length > widest ? length : widest;
			}
		}
	}
	return widest;
}

static void before_and_after(FILE *out, const struct walk *walk)
{
	const struct example *example = walk->example;
	const struct schedule *schedule = &example->schedule;
	const int before = widest_number(example, schedule->start), after = widest_number(example, example->ended);
	const char *empty = example_smallest(example) == 0 ? "; -: an empty block" : "";
	char text[BUFFER_WIDTH + 1];
	int width = 6;

	for (int rank = 0; rank < walk_ranks(walk); rank++) {
		const int length = (int)strlen(words_before(example, rank, before, text, sizeof text));

		width = length > width ? length : width;
	}
	fprintf(out, "\n           %-*s   after\n", width, "before");
	for (int rank = 0; rank < walk_ranks(walk); rank++) {
		fprintf(out, "  rank %-4d%-*s   ", rank, width, words_before(example, rank, before, text, sizeof text));
		fprintf(out, "%s\n", words_after(example, rank, after, text, sizeof text));
	}
	if (walk_ranks(walk) < schedule->nranks)
		fprintf(out, "  and %d more ranks\n", schedule->nranks - walk_ranks(walk));
	if (schedule->coll->flags & COLL_HAS_ROOT)
		fputs("  -: nothing, or what was there before\n", out);
	else if (schedule->sizes)
		fprintf(out, "  |: between blocks, by the rank that they are for, or come from%s\n", empty);
	else if (example_is_signal(example))
		fputs("  the ranks that a rank has heard of\n", out);
}

static void legend(FILE *out, const struct example *example)
{
	const struct schedule *schedule = &example->schedule;

	if (schedule->nrounds == 0) {
		fputs(schedule->nranks > 1 ? "\nNobody has anything to send.\n" : "\nOne rank alone has nothing to send.\n", out);
		return;
	}
	fputs("\nIn a round every rank sends at most one message and gets at most one, all at the same time.\n"
	      "* marks what changed in the round",
	      out);
	if (schedule->coll->flags & COLL_HAS_REDOP)
		fputs("; [ ] what is complete: all ranks' numbers are in it", out);
	if (example_is_signal(example))
		fputs("; [ ] who has heard of all ranks, and may leave", out);
	if (schedule->sizes && example_smallest(example) == 0)
		fputs("; - an empty block", out);
	fputs(".\n", out);
}

/* What the first part left where. */
static void part_done(FILE *out, const struct walk *walk)
{
	const struct example *example = walk->example;
	char line[2000], items[60], numbers[60];
	size_t used = (size_t)snprintf(line, sizeof line, "The %s is done:", walk->lore->parts[0]);

	for (int rank = 0; rank < walk_ranks(walk) && used < sizeof line - 200; rank++) {
		const uint64_t *values = walk->after + example_at(example, rank);
		int held[64], count = 0;

		for (int item = 0; item < example->schedule.nitems && count < 64; item++) {
			if (values[item] && example_is_complete(example, values[item], item))
				held[count++] = item;
		}
		if (count == 0)
			continue;
		used += (size_t)snprintf(line + used, sizeof line - used, " rank %d has %s = %s,", rank,
					 words_items(example, held, count, items, sizeof items),
					 words_values(example, values, held, count, numbers, sizeof numbers));
	}
	snprintf(line + used - 1, sizeof line - used + 1, walk_ranks(walk) < example->schedule.nranks ? ", and so on." : ".");
	show_text_wrap(out, 2, line);
}

int show_text(FILE *out, const struct example *example)
{
	struct walk walk;
	int skipped;

	if (walk_open(example, SHOW_TEXT_RANKS, SHOW_TEXT_ROUNDS, &walk))
		return -1;
	heading(out, example);
	show_text_blocks(out, &walk);
	before_and_after(out, &walk);
	legend(out, example);
	while (walk_next(&walk, &skipped)) {
		if (skipped > 0)
			fprintf(out, "\n(%d rounds like these are left out)\n", skipped);
		show_text_round(out, &walk);
		if (walk_ends_part(&walk))
			part_done(out, &walk);
	}
	show_text_cost(out, &walk);
	walk_close(&walk);
	return 0;
}
