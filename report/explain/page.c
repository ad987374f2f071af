/* SPDX-License-Identifier: Apache-2.0
 *
 * One page that needs nothing else: steps are switched by radio buttons, without a script. Every text goes through escape_put.
 */
#include <stdlib.h>

#include "../escape.h"
#include "../page.h"
#include "show.h"
#include "walk.h"
#include "words.h"

static void put(FILE *out, const char *text)
{
	fputs(text, out);
}

/* Steps are numbered from 0, the start, on. */
static void put_style(FILE *out, int nsteps)
{
	put(out, "<style>\n");
	for (const char *const *part = html_style; *part; part++)
		put(out, *part);
	for (const char *const *part = show_style; *part; part++)
		put(out, *part);
	put(out, "@media screen{.panel{display:none}}\n");
	for (int i = 0; i < nsteps; i++) {
		fprintf(out, "#s%d:checked~.panels .p%d{display:block}", i, i);
		fprintf(out, "#s%d:checked~.strip [for=s%d]{background:var(--accent);color:var(--card)}", i, i);
		fprintf(out, "#s%d:focus-visible~.strip [for=s%d]{outline:3px solid var(--sum)}\n", i, i);
	}
	put(out, "</style>\n");
}

static void put_header(FILE *out, const struct example *example, const struct lore *lore)
{
	const struct schedule *schedule = &example->schedule;
	char cut[160];

	escape_put(out, ESCAPE_HTML, "<header><div>\n<h1>%s by %s on p = %d rank%s</h1>\n<p>What it is for: %s",
		   schedule->coll->name, schedule->algo, schedule->nranks, schedule->nranks == 1 ? "" : "s",
		   lore_purpose(schedule->coll));
	if (schedule->coll->flags & COLL_HAS_REDOP)
		escape_put(out, ESCAPE_HTML, " (%s)", example_ops[example->op]);
	if (schedule->coll->flags & COLL_HAS_ROOT)
		escape_put(out, ESCAPE_HTML, "; the root is rank %d", schedule->root);
	escape_put(out, ESCAPE_HTML, ".</p>\n<p>%s %s</p>\n</div></header>\n", lore ? lore->how : "",
		   words_cut(example, cut, sizeof cut));
}

static void put_buffers(FILE *out, const struct walk *walk)
{
	const struct example *example = walk->example;
	const struct schedule *schedule = &example->schedule;
	char before[160], after[160];

	put(out, "<h2>Before and after</h2>\n");
	if (example_is_signal(example))
		put(out, "<p>The ranks that each has heard of:</p>\n");
	if (schedule->sizes)
		fprintf(out, "<p>A | stands between blocks, by the rank that they are for, or come from%s.</p>\n",
			example_smallest(example) == 0 ? "; a - is an empty block" : "");
	put(out, "<div class=\"box\"><table><thead><tr><th></th><th class=\"l\">before</th>"
		 "<th class=\"l\">after</th></tr></thead><tbody>\n");
	for (int rank = 0; rank < walk_ranks(walk); rank++) {
		words_before(example, rank, 0, before, sizeof before);
		words_after(example, rank, 0, after, sizeof after);
		escape_put(out, ESCAPE_HTML,
			   "<tr><th scope=\"row\">rank %d</th><td class=\"l wrap\">%s</td><td class=\"l wrap\">%s</td></tr>\n",
			   rank, before, after);
	}
	put(out, "</tbody></table></div>\n");
	if (walk_ranks(walk) < schedule->nranks)
		fprintf(out, "<p class=\"small soft\">Ranks %d to %d are left out.</p>\n", walk_ranks(walk),
			schedule->nranks - 1);
}

static void put_key(FILE *out, const struct example *example)
{
	put(out, "<p class=\"small key\"><span><i class=\"knew\">12</i>changed in this round</span>");
	if (example->schedule.coll->flags & COLL_HAS_REDOP)
		put(out, "<span><i class=\"kfull\">12</i>complete: all ranks' numbers are in it</span>"
			 "<span class=\"ksum\">- - &#9654; is reduced by the receiver</span>");
	if (example_is_signal(example))
		put(out, "<span class=\"kcopy\">&mdash;&#9654; an empty message</span></p>\n");
	else
		put(out, "<span class=\"kcopy\">&mdash;&#9654; is kept as it comes</span></p>\n");
}

/* The rounds that are shown, in their order; the first entry is the start. To be freed. NULL: no memory. */
static int *shown_rounds(const struct walk *walk, int *nsteps)
{
	struct walk again;
	int *rounds = malloc(((size_t)walk->example->schedule.nrounds + 1) * sizeof *rounds);
	int skipped;

	if (!rounds || walk_open(walk->example, walk->most_ranks, walk->most_rounds, &again)) {
		free(rounds);
		return NULL;
	}
	*nsteps = 0;
	do
		rounds[(*nsteps)++] = again.round;
	while (walk_next(&again, &skipped));
	walk_close(&again);
	return rounds;
}

static void put_panel(FILE *out, const struct walk *walk, int step, int nsteps)
{
	const char *part = walk_part(walk);
	const int nrounds = walk->example->schedule.nrounds;

	fprintf(out, "<article class=\"panel p%d\">\n<div class=\"turn\">", step);
	if (walk->round < 0)
		put(out, "<h3>At the start</h3>");
	else
		escape_put(out, ESCAPE_HTML, "<h3>Round %d of %d%s%s</h3>", walk->round + 1, nrounds, *part ? ": " : "", part);
	fprintf(out, step > 0 ? "<label for=\"s%d\">&#9664; back</label>" : "<span>&#9664; back</span>", step - 1);
	fprintf(out, step + 1 < nsteps ? "<label for=\"s%d\">next &#9654;</label>" : "<span>next &#9654;</span>", step + 1);
	put(out, "</div>\n");
	show_page_round(out, walk);
	put(out, "</article>\n");
}

static void put_steps(FILE *out, struct walk *walk, const int *rounds, int nsteps)
{
	int skipped, step = 0;

	put(out, "<h2 id=\"steps\">Step by step</h2>\n<p>In a round every rank sends at most one message and gets at most one, "
		 "all at the "
		 "same time. Choose a step, or use the arrow keys.</p>\n");
	if (nsteps - 1 < walk->example->schedule.nrounds)
		fprintf(out, "<p class=\"soft\">Of %d rounds %d are shown.</p>\n", walk->example->schedule.nrounds, nsteps - 1);
	put(out, "<div class=\"steps\">\n");
	for (int i = 0; i < nsteps; i++)
		fprintf(out, "<input type=\"radio\" name=\"step\" id=\"s%d\" aria-label=\"step %d\"%s>\n", i, i,
			i == 0 ? " checked" : "");
	put(out, "<div class=\"strip\"><label for=\"s0\">start</label>");
	for (int i = 1; i < nsteps; i++)
		fprintf(out, "<label for=\"s%d\">%d</label>", i, rounds[i] + 1);
	put(out, "</div>\n");
	put_key(out, walk->example);
	put(out, "<div class=\"panels\">\n");
	do
		put_panel(out, walk, step++, nsteps);
	while (walk_next(walk, &skipped));
	put(out, "</div></div>\n");
}

int show_page(FILE *out, const struct example *example)
{
	const struct schedule *schedule = &example->schedule;
	struct walk walk;
	int nsteps = 0;
	int *rounds;

	if (walk_open(example, SHOW_PAGE_RANKS, SHOW_PAGE_ROUNDS, &walk))
		return -1;
	rounds = shown_rounds(&walk, &nsteps);
	if (!rounds) {
		walk_close(&walk);
		return -1;
	}
	put(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n");
	escape_put(out, ESCAPE_HTML, "<title>%s by %s, step by step</title>\n", schedule->coll->name, schedule->algo);
	put_style(out, nsteps);
	put(out, "</head><body>\n");
	put_header(out, example, walk.lore);
	put(out, "<main>\n");
	show_page_blocks(out, &walk);
	put_buffers(out, &walk);
	put_steps(out, &walk, rounds, nsteps);
	show_page_cost(out, &walk);
	put(out, "<footer>collperf explain</footer>\n</main></body></html>\n");
	free(rounds);
	walk_close(&walk);
	return 0;
}
