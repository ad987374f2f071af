/* SPDX-License-Identifier: Apache-2.0
 *
 * How large the blocks of an uneven exchange are: a row for each rank that sends, a column for each that gets.
 */
#include "show.h"
#include "walk.h"

/* What a rank sends, or gets, its own block too. */
static int sum(const struct example *example, int first, int step)
{
	int numbers = 0;

	for (int i = 0; i < example->schedule.nranks; i++)
		numbers += example_count(example, first + i * step);
	return numbers;
}

void show_text_blocks(FILE *out, const struct walk *walk)
{
	const struct example *example = walk->example;
	const int nranks = example->schedule.nranks, shown = walk_ranks(walk);
	const char *end = shown < nranks ? "  .." : "";

	if (!example->schedule.sizes)
		return;
	fputs("\nHow many numbers each rank has for each; who has none sends nothing.\n           ", out);
	for (int to = 0; to < shown; to++)
		fprintf(out, " for %-3d", to);
	fprintf(out, "%s   in all\n", end);
	for (int rank = 0; rank < shown; rank++) {
		fprintf(out, "  rank %-4d", rank);
		for (int to = 0; to < shown; to++)
			fprintf(out, "%8d", example_count(example, rank * nranks + to));
		fprintf(out, "%s%9d\n", end, sum(example, rank * nranks, 1));
	}
	if (shown < nranks)
		fprintf(out, "  and %d more ranks\n", nranks - shown);
	fputs("  in all   ", out);
	for (int to = 0; to < shown; to++)
		fprintf(out, "%8d", sum(example, to, nranks));
	fprintf(out, "%s\n", end);
}

static void put_row(FILE *out, const struct walk *walk, int first, int step, int all)
{
	for (int i = 0; i < walk_ranks(walk); i++)
		fprintf(out, "<td>%d</td>",
			step > 0 ? example_count(walk->example, first + i * step)
				 : sum(walk->example, i, walk->example->schedule.nranks));
	if (all >= 0)
		fprintf(out, "<td>%d</td>", all);
	fputs("</tr>\n", out);
}

void show_page_blocks(FILE *out, const struct walk *walk)
{
	const struct example *example = walk->example;
	const int nranks = example->schedule.nranks, shown = walk_ranks(walk);

	if (!example->schedule.sizes)
		return;
	fputs("<h2>How large blocks are</h2>\n<p>Numbers that each rank has for each. Who has none for another one sends it "
	      "nothing.</p>\n<div class=\"box\"><table><thead><tr><th></th>",
	      out);
	for (int to = 0; to < shown; to++)
		fprintf(out, "<th>for %d</th>", to);
	fputs("<th>in all</th></tr></thead><tbody>\n", out);
	for (int rank = 0; rank < shown; rank++) {
		fprintf(out, "<tr><th scope=\"row\">rank %d</th>", rank);
		put_row(out, walk, rank * nranks, 1, sum(example, rank * nranks, 1));
	}
	fputs("<tr><th scope=\"row\">in all</th>", out);
	put_row(out, walk, 0, 0, -1);
	fputs("</tbody></table></div>\n", out);
	if (shown < nranks)
		fprintf(out, "<p class=\"small soft\">Ranks %d to %d are left out.</p>\n", shown, nranks - 1);
}
