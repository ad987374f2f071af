/* SPDX-License-Identifier: Apache-2.0
 *
 * report.md: the same report for a pull request or a wiki, with the png figures beside it.
 */
#include <stdlib.h>
#include <unistd.h>

#include "escape.h"
#include "human.h"
#include "overview.h"
#include "page.h"

static void header(FILE *out, const struct page *page)
{
	const struct study *study = page->study;
	const struct result *first = rows_get(study->rows, 0);
	char *hosts = page->nfacts > 0 ? facts_join(&page->facts[0], "host") : NULL;

	fprintf(out, "# Collective performance%s\n\n", overview_is_simulated(study) ? ": simulated, not measured" : "");
	escape_put(out, ESCAPE_MARKDOWN, "%zu points, %s", rows_distinct(study->rows), overview_ranks(study).text);
	if (hosts)
		escape_put(out, ESCAPE_MARKDOWN, ", %s", hosts);
	if (*first->library)
		escape_put(out, ESCAPE_MARKDOWN, ", %s", first->library);
	if (*first->timestamp)
		escape_put(out, ESCAPE_MARKDOWN, ", %s", first->timestamp);
	fputs("\n\n", out);
	free(hosts);
}

static void findings(FILE *out, const struct page *page)
{
	fputs("## Findings\n\n", out);
	for (size_t i = 0; i < page->findings->count; i++)
		escape_put(out, ESCAPE_MARKDOWN, "- **%s** %s\n", finding_word(page->findings->items[i].level),
			   page->findings->items[i].text);
	if (page->findings->count == 0)
		fputs("Nothing out of the ordinary.\n", out);
	putc('\n', out);
}

static void summary(FILE *out, const struct page *page)
{
	fputs("## Summary\n\n| primitive | series | ranks | latency | at | peak busbw | at | of ring bound | at |\n"
	      "|---|---|---:|---:|---:|---:|---:|---:|---:|\n",
	      out);
	for (size_t c = 0; c < COLL_COUNT; c++) {
		const struct figure *figure = &page->study->figures[c];

		for (size_t s = 0; plot_has_figure(figure) && s < figure->nshown; s++) {
			const struct series *series = &figure->series[s];
			struct overview overview = overview_of(figure, series);

			if (!overview_is_headline(figure, s))
				continue;
			escape_put(out, ESCAPE_MARKDOWN, "| %s | %s | %s | ", figure->coll->name, series->label,
				   human_integer(series->key->nranks).text);
			escape_put(out, ESCAPE_MARKDOWN, "%s | %s | %s | %s | %s | %s |\n", human_time(overview.latency).text,
				   human_size(overview.latency_bytes).text, human_rate(overview.peak).text,
				   human_size(overview.peak_bytes).text, human_percent(overview.efficiency).text,
				   human_size(overview.efficiency_bytes).text);
		}
	}
	putc('\n', out);
}

static void section(FILE *out, const struct page *page, const struct figure *figure)
{
	size_t written = 0, all = 0;

	fprintf(out, "## %s\n\n", figure->coll->name);
	for (enum plot_kind kind = 0; kind < PLOT_KINDS; kind++) {
		struct plot_name png = plot_file(figure->coll, kind, "png");

		if (faccessat(page->dir->fd, png.text, R_OK, 0) == 0)
			fprintf(out, "![%s](%s)\n", png.text, png.text);
	}
	putc('\n', out);
	overview_curves(out, ESCAPE_MARKDOWN, figure);
	fprintf(out, "\n\n| size | series | median | busbw | of lower bound | %s |\n|---:|---|---:|---:|---:|---:|\n",
		plot_is_message(figure->coll) ? "of alpha + S/B" : "of ring");
	for (size_t s = 0; s < figure->nshown; s++) {
		const struct series *series = &figure->series[s];

		all += series->npoints;
		for (size_t i = 0; i < series->npoints && written < PAGE_MOST_MARKDOWN_ROWS; i++, written++) {
			const struct point *point = &series->points[i];
			struct bounds bounds = study_point_bounds(figure, series, point);

			escape_put(out, ESCAPE_MARKDOWN, "| %s | %s | %s | %s | %s | %s |\n", human_size(point->bytes).text,
				   series->label, human_time(point->time).text, human_rate(point->busbw).text,
				   human_percent(bounds.lb / point->time).text, human_percent(bounds.ring / point->time).text);
		}
	}
	if (written < all)
		fprintf(out, "\n%zu more are in bounds.csv.\n", all - written);
	putc('\n', out);
}

void markdown_write(FILE *out, const struct page *page)
{
	const struct study *study = page->study;

	header(out, page);
	findings(out, page);
	summary(out, page);
	for (size_t c = 0; c < COLL_COUNT; c++) {
		if (plot_has_figure(&study->figures[c]))
			section(out, page, &study->figures[c]);
	}
	fputs("## How it was measured\n\n", out);
	overview_method(out, ESCAPE_MARKDOWN, study);
	fputs("\n\nThe models say that a message of n bytes takes alpha + n / B; the time to reduce data is taken as 0.\n\n",
	      out);
	for (size_t m = 0; m < study->nmachines; m++) {
		fputs("- ", out);
		overview_machine(out, ESCAPE_MARKDOWN, &study->machines[m]);
		putc('\n', out);
	}
}
