/* SPDX-License-Identifier: Apache-2.0
 *
 * One step of the page: what is sent, and what everyone then holds.
 */
#include "../escape.h"
#include "show.h"
#include "walk.h"
#include "words.h"

/* "4 + 9 = 13" where it is one number, else in words. */
static void put_reduction(FILE *out, const struct walk *walk, const struct schedule_message *message)
{
	const struct example *example = walk->example;
	const size_t at = example_at(example, message->to) + (size_t)message->items[0];
	char own[40], came[40], made[40];

	if (message->nitems > 1 || example->per > 1) {
		fprintf(out, ", which takes the %s of that and its own",
			example->op == EXAMPLE_PROD ? "product" : example_ops[example->op]);
		return;
	}
	words_number(example_number(example, walk->before[at], message->items[0], 0), own, sizeof own);
	words_number(example_number(example, walk->before[example_at(example, message->from) + (size_t)message->items[0]],
				    message->items[0], 0),
		     came, sizeof came);
	words_number(example_number(example, walk->after[at], message->items[0], 0), made, sizeof made);
	if (example->op == EXAMPLE_MAX || example->op == EXAMPLE_MIN)
		escape_put(out, ESCAPE_HTML, ": %s(%s, %s) = <b>%s</b>", example_ops[example->op], own, came, made);
	else
		escape_put(out, ESCAPE_HTML, ": %s %s %s = <b>%s</b>", own, words_sign(example, true), came, made);
}

static void put_message(FILE *out, const struct walk *walk, int rank)
{
	const struct example *example = walk->example;
	const struct schedule_message *message = walk_sent(walk, rank);
	const bool signal = example_is_signal(example);
	char items[80], numbers[80];

	if (!message)
		return;
	words_items(example, message->items, message->nitems, items, sizeof items);
	words_values(example, walk->before + example_at(example, rank), message->items, message->nitems, numbers, sizeof numbers);
	escape_put(out, ESCAPE_HTML, "<li>rank %d sends %s%s (%s%s) to rank %d", rank, signal ? "an " : "", items,
		   signal ? "has heard of " : "", numbers, message->to);
	if (*words_sign(example, message->combine))
		put_reduction(out, walk, message);
	fputs("</li>\n", out);
}

static void put_messages(FILE *out, const struct walk *walk)
{
	const int nranks = walk->example->schedule.nranks;

	if (walk->round < 0) {
		fputs("<p>Nothing has been sent yet.</p>\n", out);
		return;
	}
	fputs("<ul class=\"sent\">\n", out);
	for (int rank = 0; rank < walk_ranks(walk); rank++)
		put_message(out, walk, rank);
	if (walk_ranks(walk) < nranks)
		fprintf(out, "<li class=\"soft\">ranks %d to %d are left out</li>\n", walk_ranks(walk), nranks - 1);
	fputs("</ul>\n", out);
}

static void put_cell(FILE *out, const struct walk *walk, int rank, int column)
{
	const struct example *example = walk->example;
	const bool reduces = example->schedule.coll->flags & COLL_HAS_REDOP;
	const int item = walk_item(example, rank, column);
	const uint64_t *values = walk->after + example_at(example, rank);
	const bool fresh = values[item] != walk->before[example_at(example, rank) + (size_t)item];
	const bool full = (reduces || example_is_signal(example)) && example_is_complete(example, values[item], item);
	char text[80], ranks[60];

	if (!values[item]) {
		fprintf(out, "<td class=\"none\">%s</td>",
			example->per > 0 && example_count(example, item) == 0 ? "empty" : "&middot;");
		return;
	}
	words_values(example, values, &item, 1, text, sizeof text);
	escape_put(out, ESCAPE_HTML, "<td class=\"%s%s\">%s", fresh ? "new" : "", full ? " full" : "", text);
	if (full && example_is_signal(example))
		fputs("<small>may leave</small>", out);
	else if (reduces)
		escape_put(out, ESCAPE_HTML, "<small>%s%s</small>", full ? "all" : "of ",
			   full ? "" : words_ranks(values[item], ranks, sizeof ranks));
	fputs("</td>", out);
}

static void put_carried(FILE *out, const struct walk *walk, int rank)
{
	const struct example *example = walk->example;
	const size_t at = example_at(example, rank);
	int carried[SHOW_WIDTH], count = 0;
	char words[80];

	if (example->schedule.coll->id != COLL_ALLTOALL)
		return;
	for (int item = 0; item < example->schedule.nitems && count < SHOW_WIDTH; item++) {
		if (walk->after[at + (size_t)item] && !example->schedule.start[at + (size_t)item] &&
		    !example->schedule.wanted[at + (size_t)item])
			carried[count++] = item;
	}
	escape_put(out, ESCAPE_HTML, "<td class=\"l wrap\">%s</td>",
		   count > 0 ? words_items(example, carried, count, words, sizeof words) : "");
}

static void put_holdings(FILE *out, const struct walk *walk)
{
	const struct example *example = walk->example;
	const int ncolumns = walk_columns(example);
	int columns[SHOW_PAGE_COLUMNS], moving;
	const int shown = walk_choose(walk, SHOW_PAGE_COLUMNS, columns, &moving);
	char words[40];

	fputs("<div class=\"box\"><table><thead><tr><th class=\"l\">", out);
	fputs(example_is_signal(walk->example) ? "</th>" : "holds</th>", out);
	for (int i = 0; i < shown; i++)
		escape_put(out, ESCAPE_HTML, "<th>%s</th>", words_column(example, columns[i], false, words, sizeof words));
	if (example->schedule.coll->id == COLL_ALLTOALL)
		fputs("<th class=\"l\">to be passed on</th>", out);
	fputs("</tr></thead><tbody>\n", out);
	for (int rank = 0; rank < walk_ranks(walk); rank++) {
		fprintf(out, "<tr><th scope=\"row\">rank %d</th>", rank);
		for (int i = 0; i < shown; i++)
			put_cell(out, walk, rank, columns[i]);
		put_carried(out, walk, rank);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
	if (moving > shown)
		fprintf(out, "<p class=\"small soft\">Of %d %ss the first %d of %d that move in this round are shown.</p>\n",
			ncolumns, words_item_kind(example), shown, moving);
	else if (moving > 0)
		fprintf(out, "<p class=\"small soft\">Of %d %ss those that move in this round are shown.</p>\n", ncolumns,
			words_item_kind(example));
	else if (shown < ncolumns)
		fprintf(out, "<p class=\"small soft\">Columns %d to %d are left out.</p>\n", shown, ncolumns - 1);
}

void show_page_round(FILE *out, const struct walk *walk)
{
	const bool drawn = walk->example->schedule.nranks <= SHOW_PAGE_RANKS;

	fprintf(out, "<div class=\"round%s\">\n", drawn ? "" : " plain");
	show_page_picture(out, walk);
	fputs("<div>\n", out);
	put_messages(out, walk);
	put_holdings(out, walk);
	fputs("</div></div>\n", out);
}
