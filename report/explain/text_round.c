/* SPDX-License-Identifier: Apache-2.0
 *
 * One round on a terminal: a line for each rank, what it sends, what it gets, what it then holds.
 */
#include <string.h>

#include "show.h"
#include "walk.h"
#include "words.h"

enum { LABEL_WIDTH = 15, SENDS_MOST = 26, GETS_MOST = 34, CELL_MOST = 30, LEAST_BLOCK = 8, GAP = 2 };

struct layout {
	int sends, gets, cell; /* widths */
	int columns[SHOW_WIDTH];
	int ncolumns; /* of them, that fit */
	int moving;   /* as of walk_choose */
	size_t most;  /* bytes of a cell */
	bool narrow;  /* heads of columns */
};

static const char *sends_words(const struct walk *walk, int rank, char *buffer, size_t size)
{
	const struct schedule_message *message = walk_sent(walk, rank);
	char items[SENDS_MOST - 8];

	if (!message)
		return "-";
	snprintf(buffer, size, "%s to %d", words_items(walk->example, message->items, message->nitems, items, sizeof items),
		 message->to);
	return buffer;
}

/* "block 3 from 3: + 6" */
static const char *gets_words(const struct walk *walk, int rank, char *buffer, size_t size)
{
	const struct example *example = walk->example;
	const struct schedule_message *message = walk_got(walk, rank);
	char items[16];
	const char *sign;
	int used;

	if (!message)
		return "-";
	sign = words_sign(example, message->combine);
	used = snprintf(buffer, size, "%s from %d:%s%s ",
			words_items(example, message->items, message->nitems, items, sizeof items), message->from,
			*sign ? " " : "", sign);
	if (used > 0 && (size_t)used < size - 4)
		words_values(example, walk->before + example_at(example, message->from), message->items, message->nitems,
			     buffer + used, size - (size_t)used);
	return buffer;
}

/* "*[10]", in at most CELL_MOST bytes. */
static const char *cell_words(const struct walk *walk, int rank, int column, char *buffer, size_t size)
{
	const struct example *example = walk->example;
	const int item = walk_item(example, rank, column);
	const uint64_t *values = walk->after + example_at(example, rank);
	const bool changed = values[item] != walk->before[example_at(example, rank) + (size_t)item];
	const bool closes = example->schedule.coll->flags & (COLL_HAS_REDOP | COLL_NO_DATA);
	const bool closed = closes && example_is_complete(example, values[item], item);
	char numbers[CELL_MOST];

	if (!values[item])
		return example->per > 0 && example_count(example, item) == 0 ? "-" : ".";
	words_values(example, values, &item, 1, numbers, size - (example->schedule.sizes ? 1 : 3));
	snprintf(buffer, size, "%s%s%s%s", changed ? "*" : "", closed ? "[" : "", numbers, closed ? "]" : "");
	return buffer;
}

static int wider(int width, const char *words)
{
	const int length = (int)strlen(words);

	return length > width ? length : width;
}

/* How wide the chosen columns are, and how many of them fit. */
static void fit_columns(const struct walk *walk, struct layout *layout)
{
	const int chosen = layout->ncolumns, room = SHOW_WIDTH - LABEL_WIDTH - layout->sends - GAP - layout->gets;
	const bool uneven = walk->example->schedule.sizes != NULL;
	char words[SHOW_WIDTH];

	layout->cell = 1;
	for (int rank = 0; rank < walk_ranks(walk); rank++) {
		for (int i = 0; i < chosen; i++)
			layout->cell = wider(layout->cell, cell_words(walk, rank, layout->columns[i], words, CELL_MOST));
	}
	words_column(walk->example, layout->columns[chosen - 1], false, words, sizeof words);
	layout->narrow = (wider(layout->cell, words) + GAP) * chosen > room && *words_columns(walk->example);
	words_column(walk->example, layout->columns[chosen - 1], layout->narrow, words, sizeof words);
	layout->cell = wider(layout->cell, words);
	/* Large blocks are cut rather than left out. */
	if (uneven && (layout->cell + GAP) * chosen > room) {
		const int even = room / chosen - GAP, least = even > LEAST_BLOCK ? even : LEAST_BLOCK;

		layout->cell = layout->cell < least ? layout->cell : least;
	}
	if ((layout->cell + GAP) * chosen > room)
		layout->ncolumns = (room - 4) / (layout->cell + GAP);
	layout->most = uneven && layout->cell + 1 < CELL_MOST ? (size_t)layout->cell + 1 : CELL_MOST;
}

static struct layout layout_of(const struct walk *walk)
{
	struct layout layout = { .sends = 5, .gets = 4 };
	char words[SHOW_WIDTH];

	for (int rank = 0; rank < walk_ranks(walk); rank++) {
		layout.sends = wider(layout.sends, sends_words(walk, rank, words, SENDS_MOST));
		layout.gets = wider(layout.gets, gets_words(walk, rank, words, GETS_MOST));
	}
	layout.ncolumns = walk_choose(walk, SHOW_WIDTH, layout.columns, &layout.moving);
	fit_columns(walk, &layout);
	/* No wider than all together. */
	if (layout.ncolumns < walk_columns(walk->example) && layout.moving == 0 && layout.ncolumns > 0)
		layout.ncolumns = walk_choose(walk, layout.ncolumns, layout.columns, &layout.moving);
	return layout;
}

/* Blocks that a rank has although it neither had them first nor wants them. */
static void put_carried(FILE *out, const struct walk *walk, int rank)
{
	const struct example *example = walk->example;
	const size_t at = example_at(example, rank);
	int carried[SHOW_WIDTH], count = 0;
	char words[60];

	for (int item = 0; item < example->schedule.nitems && count < SHOW_WIDTH; item++) {
		if (walk->after[at + (size_t)item] && !example->schedule.start[at + (size_t)item] &&
		    !example->schedule.wanted[at + (size_t)item])
			carried[count++] = item;
	}
	if (count > 0)
		fprintf(out, "%*son the way here: %s\n", LABEL_WIDTH, "",
			words_items(example, carried, count, words, sizeof words));
}

static void put_head(FILE *out, const struct walk *walk, const struct layout *layout)
{
	const char *part = walk_part(walk);
	char words[40];

	fprintf(out, "\nRound %d of %d%s%s", walk->round + 1, walk->example->schedule.nrounds, *part ? ": " : "", part);
	if (layout->moving > layout->ncolumns && layout->ncolumns == 1)
		fprintf(out, "; of %d %ss the first that moves", walk_columns(walk->example), words_item_kind(walk->example));
	else if (layout->moving > layout->ncolumns)
		fprintf(out, "; of %d %ss the first %d that move", walk_columns(walk->example), words_item_kind(walk->example),
			layout->ncolumns);
	else if (layout->moving > 0)
		fprintf(out, "; of %d %ss those that move", walk_columns(walk->example), words_item_kind(walk->example));
	fputs("\n", out);
	fprintf(out, "%*s%-*s%*s%-*s", LABEL_WIDTH, "", layout->sends, "sends", GAP, "", layout->gets, "gets");
	if (layout->narrow)
		fprintf(out, "%*sthen holds %s\n%*s", GAP, "", words_columns(walk->example),
			LABEL_WIDTH + layout->sends + GAP + layout->gets, "");
	for (int i = 0; i < layout->ncolumns; i++)
		fprintf(out, "%*s", layout->cell + GAP,
			words_column(walk->example, layout->columns[i], layout->narrow, words, sizeof words));
	fputs(layout->ncolumns < walk_columns(walk->example) ? "  ..\n" : "\n", out);
}

void show_text_round(FILE *out, const struct walk *walk)
{
	const struct layout layout = layout_of(walk);
	const int nranks = walk->example->schedule.nranks;
	char words[SHOW_WIDTH];

	put_head(out, walk, &layout);
	for (int rank = 0; rank < walk_ranks(walk); rank++) {
		fprintf(out, "  rank %-*d", LABEL_WIDTH - 7, rank);
		fprintf(out, "%-*s%*s", layout.sends, sends_words(walk, rank, words, SENDS_MOST), GAP, "");
		fprintf(out, "%-*s", layout.gets, gets_words(walk, rank, words, GETS_MOST));
		for (int i = 0; i < layout.ncolumns; i++)
			fprintf(out, "%*s", layout.cell + GAP, cell_words(walk, rank, layout.columns[i], words, layout.most));
		fputs(layout.ncolumns < walk_columns(walk->example) ? "  ..\n" : "\n", out);
		if (walk->example->schedule.coll->id == COLL_ALLTOALL)
			put_carried(out, walk, rank);
	}
	if (walk_ranks(walk) < nranks)
		fprintf(out, "  and %d more ranks\n", nranks - walk_ranks(walk));
}
