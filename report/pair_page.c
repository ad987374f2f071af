/* SPDX-License-Identifier: Apache-2.0
 *
 * The section on pairs, in index.html and in report.md.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "escape.h"
#include "page.h"
#include "pair_plot.h"
#include "pair_study.h"

enum { MOST_LISTED_HOSTS = 16 };

/* How a rendering writes an item of a list. */
struct style {
	enum escape how;
	const char *item, *slow, *end;
};

static const struct style html = { ESCAPE_HTML, "<li>", "<li><span class=\"warn\">slow</span> ", "</li>\n" };
static const struct style markdown = { ESCAPE_MARKDOWN, "- ", "- **slow** ", "\n" };

static void put_item(FILE *out, const struct style *style, const char *start, const char *text)
{
	fputs(start, out);
	escape_text(out, style->how, text);
	fputs(style->end, out);
}

/* "0 to 7, 16" */
static void put_ranks(FILE *out, const struct pair_set *set, int host)
{
	const char *between = "";

	for (int rank = set->lowest[host]; rank < set->nranks; rank++) {
		const int first = rank;

		if (set->host[rank] != host)
			continue;
		while (rank + 1 < set->nranks && set->host[rank + 1] == host)
			rank++;
		fprintf(out, rank > first ? "%s%d to %d" : "%s%d", between, first, rank);
		between = ", ";
	}
}

static void put_hosts(FILE *out, const struct style *style, const struct pair_set *set, const struct pair_hosts *hosts)
{
	if (set->nhosts < 2)
		return;
	fputs(style->item, out);
	fprintf(out, "%d hosts, whose ranks stand side by side: ", set->nhosts);
	for (int host = 0; host < set->nhosts && host < MOST_LISTED_HOSTS; host++) {
		const char *name = hosts->name(hosts->context, set->lowest[host]);

		fputs(host > 0 ? "; " : "", out);
		escape_put(out, style->how, "%s: ", name ? name : "not named");
		put_ranks(out, set, host);
	}
	fprintf(out, "%s%s", set->nhosts > MOST_LISTED_HOSTS ? "; and more" : "", style->end);
}

static void put_sentences(FILE *out, const struct style *style, const struct page *page, const struct pair_part *part)
{
	const struct pair_set *set = &part->set;
	struct pair_owner owner;
	const struct pair_hosts hosts = pair_study_hosts(page->findings, part, &owner);
	char text[PAIR_WORDS];

	for (size_t i = 0; i < set->nslow && i < PAIR_MOST_NAMED; i++)
		put_item(out, style, style->slow, pair_words_slow(set, &hosts, &set->slow[i], text, sizeof text));
	if (set->nslow == 0 && !pair_words_limits(set))
		put_item(out, style, style->item, "no rank, host or pair is slower than its like");
	if (pair_words_limits(set))
		put_item(out, style, style->item, pair_words_limits(set));
	for (int load = 0; load < PAIR_LOADS; load++)
		for (int figure = 0; figure < PAIR_FIGURES; figure++)
			if (pair_words_summary(set, load, (enum pair_figure)figure, text, sizeof text))
				put_item(out, style, style->item, text);
	for (int figure = 0; figure < PAIR_FIGURES; figure++)
		if (pair_words_disturbance(set, (enum pair_figure)figure, text, sizeof text))
			put_item(out, style, style->item, text);
	put_hosts(out, style, set, &hosts);
}

static void html_maps(FILE *out, const struct page *page, size_t p)
{
	const struct pair_set *set = &page->pairs->parts[p].set;
	char title[128];

	fputs("<div class=\"figures\">\n", out);
	for (int load = 0; load < PAIR_LOADS; load++) {
		for (int figure = 0; figure < PAIR_FIGURES; figure++) {
			if (!pair_plot_has(page->pairs, p, load, (enum pair_figure)figure))
				continue;
			snprintf(title, sizeof title, "pairs: %s", pair_plot_title(set, load, (enum pair_figure)figure));
			fprintf(out, "<div><h3>%s</h3>\n", pair_plot_title(set, load, (enum pair_figure)figure));
			html_svg(out, page, pair_plot_file(p, load, (enum pair_figure)figure, "svg").text,
				 pair_plot_file(p, load, (enum pair_figure)figure, "png").text, title, PAGE_MOST_MAP);
			fputs("</div>\n", out);
		}
	}
	fputs("</div>\n", out);
}

static const char *const explanation =
	"Every pair of ranks exchanges by itself, both ways at once, while the others sleep; where they were measured so, the "
	"pairs "
	"of a round of a tournament also exchange at the same time. In the maps slow pairs stand out from the page. Slow is what "
	"stands out of the pairs of its kind (within a host, across hosts) by a tenth (a rank, a host) or a fifth (a pair) and "
	"by far "
	"more than these scatter.";

void html_pairs(FILE *out, const struct page *page)
{
	const struct pair_study *pairs = page->pairs;
	char label[512];

	if (pairs->count == 0)
		return;
	fprintf(out, "<section id=\"pairs\">\n<h2>Pairs</h2>\n<p class=\"small soft\">%s</p>\n", explanation);
	for (size_t p = 0; p < pairs->count && p < PAIR_SHOWN_PARTS; p++) {
		pair_study_label(pairs, &pairs->parts[p], label, sizeof label);
		if (*label)
			escape_put(out, ESCAPE_HTML, "<h3>%s</h3>\n", label);
		fputs("<ul>\n", out);
		put_sentences(out, &html, page, &pairs->parts[p]);
		fputs("</ul>\n", out);
		html_maps(out, page, p);
	}
	if (pairs->count > PAIR_SHOWN_PARTS)
		escape_put(out, ESCAPE_HTML, "<p class=\"small soft\">%zu more sets of pairs are in the tables.</p>\n",
			   pairs->count - PAIR_SHOWN_PARTS);
	fputs("<p class=\"small soft\">The matrices as numbers: <code>pairs_latency.csv</code> and "
	      "<code>pairs_bandwidth.csv</code> beside this page.</p>\n</section>\n",
	      out);
}

static void markdown_maps(FILE *out, const struct page *page, size_t p)
{
	const struct pair_set *set = &page->pairs->parts[p].set;

	for (int load = 0; load < PAIR_LOADS; load++) {
		for (int figure = 0; figure < PAIR_FIGURES; figure++) {
			const struct plot_name png = pair_plot_file(p, load, (enum pair_figure)figure, "png");

			if (pair_plot_has(page->pairs, p, load, (enum pair_figure)figure) &&
			    faccessat(page->dir->fd, png.text, R_OK, 0) == 0)
				fprintf(out, "\n%s:\n\n![%s](%s)\n", pair_plot_title(set, load, (enum pair_figure)figure),
					png.text, png.text);
		}
	}
}

void markdown_pairs(FILE *out, const struct page *page)
{
	const struct pair_study *pairs = page->pairs;
	char label[512];

	if (pairs->count == 0)
		return;
	fprintf(out, "## Pairs\n\n%s\n\n", explanation);
	for (size_t p = 0; p < pairs->count && p < PAIR_SHOWN_PARTS; p++) {
		pair_study_label(pairs, &pairs->parts[p], label, sizeof label);
		if (*label)
			escape_put(out, ESCAPE_MARKDOWN, "### %s\n\n", label);
		put_sentences(out, &markdown, page, &pairs->parts[p]);
		markdown_maps(out, page, p);
		putc('\n', out);
	}
	fputs("The matrices as numbers: pairs_latency.csv and pairs_bandwidth.csv.\n\n", out);
}
