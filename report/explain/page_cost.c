/* SPDX-License-Identifier: Apache-2.0
 *
 * What was counted on a schedule, on the page.
 */
#include <string.h>

#include "../escape.h"
#include "show.h"
#include "walk.h"
#include "words.h"

static void put_amount(FILE *out, const struct example *example, size_t length, size_t messages)
{
	const size_t numbers = length * (size_t)example->per;
	char share[40];

	words_share(example, (double)length * example->schedule.share, share, sizeof share);
	escape_put(out, ESCAPE_HTML, "<td>%zu</td><td>%zu</td><td>%s</td><td>%zu</td>", numbers, numbers * SHOW_FLOAT, share,
		   messages);
}

static void put_row(FILE *out, const struct example *example, const char *who, size_t length, size_t messages)
{
	escape_put(out, ESCAPE_HTML, "<tr><th class=\"who\" scope=\"row\">%s</th>", who);
	put_amount(out, example, length, messages);
	fputs("</tr>\n", out);
}

static void put_rank(FILE *out, const struct example *example, int rank, bool alike)
{
	const struct show_moved moved = show_moved(example, rank);
	char who[40];

	snprintf(who, sizeof who, alike ? "every rank" : "rank %d", rank);
	if (moved.sent_size == moved.got_size && moved.sent_messages == moved.got_messages)
		snprintf(who + strlen(who), sizeof who - strlen(who), " sends and gets");
	else {
		const size_t named = strlen(who);

		snprintf(who + named, sizeof who - named, " sends");
		put_row(out, example, who, moved.sent_size, (size_t)moved.sent_messages);
		snprintf(who + named, sizeof who - named, " gets");
	}
	put_row(out, example, who, moved.got_size, (size_t)moved.got_messages);
}

static void put_moved(FILE *out, const struct walk *walk)
{
	const struct example *example = walk->example;
	const bool alike = show_moves_alike(example);
	const int ranks = alike ? 1 : walk_ranks(walk), rounds = example->count.rounds;
	size_t length = 0;
	char said[120];

	escape_put(out, ESCAPE_HTML, "<p>%d round%s%s %s.</p>\n", rounds, rounds == 1 ? "" : "s",
		   example_is_signal(example) ? " of" : ".", words_size(example, said, sizeof said));
	fputs("<div class=\"box\"><table><thead><tr><th></th><th>numbers</th><th>bytes</th><th>of "
	      "S</th><th>messages</th></tr></thead>"
	      "<tbody>\n",
	      out);
	for (int rank = 0; rank < ranks; rank++)
		put_rank(out, example, rank, alike);
	for (size_t i = 0; i < example->schedule.nmessages; i++)
		length += (size_t)schedule_size(&example->schedule, &example->schedule.messages[i]);
	put_row(out, example, "in all", length, example->schedule.nmessages);
	fputs("</tbody></table></div>\n", out);
	if (!alike && ranks < example->schedule.nranks)
		fprintf(out, "<p class=\"small soft\">Ranks %d to %d are left out.</p>\n", ranks, example->schedule.nranks - 1);
}

void show_page_cost(FILE *out, const struct walk *walk)
{
	const struct example *example = walk->example;
	const struct lore *lore = walk->lore;
	const char *kinship = lore ? lore_kinship(lore) : NULL;
	char words[200], letters[300], busiest[400];

	fputs("<h2 id=\"cost\">What it moves and costs</h2>\n", out);
	put_moved(out, walk);
	fputs("<p>Where a message of n bytes takes alpha + n beta, and reducing n bytes takes n gamma:</p>\n<pre>", out);
	escape_put(out, ESCAPE_HTML, "counted, p = %d:  %s\n", example->schedule.nranks,
		   words_counted(example, words, sizeof words));
	if (lore) {
		const struct lore_cost *cost = lore_cost_of(lore, example->schedule.nranks);

		escape_put(out, ESCAPE_HTML, "%s:  %s\n%s", show_validity(example, lore), words_cost(cost, words, sizeof words),
			   words_letters(example, cost, letters, sizeof letters));
	}
	fputs("</pre>\n", out);
	if (example->schedule.sizes)
		escape_put(out, ESCAPE_HTML, "<p>%s</p>\n", words_busiest(example, busiest, sizeof busiest));
	if (kinship)
		escape_put(out, ESCAPE_HTML, "<p>%s</p>\n", kinship);
}
