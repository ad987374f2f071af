/* SPDX-License-Identifier: Apache-2.0
 *
 * report.md: the same report for a comment of a pull request or a wiki, with the png figures beside it. What is long comes last and is cut, as such a
 * comment may have some 65000 characters.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare.h"
#include "dataless.h"
#include "escape.h"
#include "gate/tell.h"
#include "human.h"
#include "overview.h"
#include "page.h"
#include "wiring_words.h"

enum { LONG_HOSTS = 200 };

static void header(FILE *out, const struct page *page)
{
	const struct study *study = page->study;
	const struct result *first = rows_get(study->rows, 0);
	const struct overview_text library = overview_libraries(study);
	char *hosts = page->nfacts > 0 ? facts_join(&page->facts[0], "host") : NULL;

	fprintf(out, "# Collective performance%s\n\n", overview_title(study));
	escape_put(out, ESCAPE_MARKDOWN, "%zu points, %s", rows_distinct(study->rows), overview_ranks(study).text);
	if (hosts)
		escape_put(out, ESCAPE_MARKDOWN, strlen(hosts) > LONG_HOSTS ? ", many hosts" : ", %s", hosts);
	if (*library.text)
		escape_put(out, ESCAPE_MARKDOWN, ", %s", library.text);
	if (*first->timestamp)
		escape_put(out, ESCAPE_MARKDOWN, ", %s", first->timestamp);
	fputs("\n\n", out);
	free(hosts);
}

/* Whether a comment still has room for what is next in order. */
static bool has_room(FILE *out, long most)
{
	return ftell(out) < most;
}

static void findings(FILE *out, const struct findings *findings)
{
	size_t i = 0;

	fputs("## Findings\n\n", out);
	for (; i < findings->count && has_room(out, PAGE_MARKDOWN_FINDINGS); i++)
		escape_put(out, ESCAPE_MARKDOWN, "- **%s** %s\n", finding_word(findings->items[i].level),
			   findings->items[i].text);
	if (findings->count == 0)
		fputs("Nothing out of the ordinary.\n", out);
	if (i < findings->count)
		fprintf(out, "- %zu more are in index.html\n", findings->count - i);
	putc('\n', out);
}

static void summary_row(FILE *out, const struct page *page, const struct figure *figure, const struct series *series)
{
	struct overview overview = overview_of(figure, series);
	struct overview_judgement judgement = overview_judge(page->verdicts, figure, series, &overview);

	escape_put(out, ESCAPE_MARKDOWN, "| %s | %s | %s | ", figure->coll->name, series->label,
		   human_integer(series->key->nranks).text);
	escape_put(out, ESCAPE_MARKDOWN, "%s | %s | %s | %s | ", human_rate(overview.peak).text,
		   human_size(overview.peak_bytes).text, human_time(overview.latency).text,
		   human_size(overview.latency_bytes).text);
	escape_put(out, ESCAPE_MARKDOWN, "%s | %s | %s |\n", human_percent(judgement.efficiency).text,
		   human_size(judgement.bytes).text, judgement.word);
}

/* Calls without data have a time and no more. */
static void dataless_rows(FILE *out, const struct page *page)
{
	for (size_t s = 0; page->dataless && s < page->dataless->count; s++) {
		const struct dataless_setting *setting = &page->dataless->settings[s];
		char label[DATALESS_WORDS], verdict[DATALESS_WORDS];

		dataless_label(page->study, page->dataless, s, label, sizeof label);
		dataless_verdict(setting, verdict, sizeof verdict);
		escape_put(out, ESCAPE_MARKDOWN, "| %s | %s | %s | - | - | %s | - | - | - | ", setting->key->collective, label,
			   human_integer(setting->key->nranks).text, human_time(setting->time).text);
		escape_put(out, ESCAPE_MARKDOWN, "%s |\n", verdict);
	}
}

static void dataless_sentences(FILE *out, const struct page *page)
{
	char text[DATALESS_WORDS], whose[DATALESS_WORDS];

	for (size_t s = 0; page->dataless && s < page->dataless->count; s++) {
		dataless_whose(page->study, page->dataless, s, whose, sizeof whose);
		dataless_sentence(&page->dataless->settings[s], text, sizeof text);
		escape_put(out, ESCAPE_MARKDOWN, "- %s%s: %s\n", page->dataless->settings[s].key->collective, whose, text);
	}
	if (page->dataless && page->dataless->left_out > 0)
		escape_put(out, ESCAPE_MARKDOWN, "- %zu more rows of calls without data are in the tables\n",
			   page->dataless->left_out);
}

static void summary(FILE *out, const struct page *page)
{
	fprintf(out,
		"## Summary\n\n| primitive | series | ranks | peak busbw | at | latency | at | %s | at | verdict |\n"
		"|---|---|---:|---:|---:|---:|---:|---:|---:|---|\n",
		overview_efficiency_name(page->study));
	for (size_t c = 0; c < COLL_COUNT; c++) {
		const struct figure *figure = &page->study->figures[c];

		for (size_t s = 0; plot_has_figure(figure) && s < figure->nshown; s++) {
			if (overview_is_headline(figure, s))
				summary_row(out, page, figure, &figure->series[s]);
		}
	}
	dataless_rows(out, page);
	putc('\n', out);
	overview_legend(out, ESCAPE_MARKDOWN, page->study);
	overview_hidden_put(out, ESCAPE_MARKDOWN, page->study);
	fputs("\n\n", out);
	for (size_t i = 0; i < page->verdicts->count && i < PAGE_MOST_VERDICTS; i++)
		escape_put(out, ESCAPE_MARKDOWN, "- %s\n", page->verdicts->items[i].text);
	dataless_sentences(out, page);
	putc('\n', out);
}

static void section(FILE *out, const struct page *page, const struct figure *figure)
{
	fprintf(out, "## %s\n\n", figure->coll->name);
	for (enum plot_kind kind = 0; kind < PLOT_KINDS; kind++) {
		struct plot_name png = plot_file(figure->coll, kind, "png");

		if (plot_has(figure, kind) && faccessat(page->dir->fd, png.text, R_OK, 0) == 0)
			fprintf(out, "![%s](%s)\n", png.text, png.text);
	}
	putc('\n', out);
	overview_curves(out, ESCAPE_MARKDOWN, figure);
	overview_fits(out, ESCAPE_MARKDOWN, figure);
	fputs("\n\n", out);
	for (size_t i = 0; i < figure->ncomparisons; i++) {
		if (!figure->comparisons[i].shown)
			continue;
		fputs("- ", out);
		compare_put(out, ESCAPE_MARKDOWN, &figure->comparisons[i]);
		putc('\n', out);
	}
	putc('\n', out);
	markdown_uneven(out, page, figure);
}

static void points(FILE *out, const struct figure *figure)
{
	size_t written = 0, all = 0;

	fprintf(out,
		"### Points of %s\n\n| size | series | median | interval | busbw | of lower bound | %s "
		"|\n|---:|---|---:|---:|---:|---:|---:|\n",
		figure->coll->name, plot_is_message(figure->coll) ? "of alpha + S/B" : "of ring");
	for (size_t s = 0; s < figure->nshown; s++) {
		const struct series *series = &figure->series[s];

		all += series->npoints;
		for (size_t i = 0; i < series->npoints && written < PAGE_MOST_MARKDOWN_ROWS && has_room(out, PAGE_MARKDOWN_BYTES);
		     i++, written++) {
			const struct point *point = &series->points[i];
			struct bounds bounds = study_point_bounds(figure, series, point);

			escape_put(out, ESCAPE_MARKDOWN, "| %s | %s | %s | %s to %s ", human_size(point->bytes).text,
				   series->label, human_time(point->time).text, human_time(point->low).text,
				   human_time(point->high).text);
			escape_put(out, ESCAPE_MARKDOWN, "| %s | %s | %s |\n", human_rate(point->busbw).text,
				   human_percent(bounds.lb / point->time).text, human_percent(bounds.ring / point->time).text);
		}
	}
	if (written < all)
		fprintf(out, "\n%zu more are in bounds.csv.\n", all - written);
	putc('\n', out);
}

static void topology(FILE *out, const struct page *page)
{
	size_t told = 0;

	for (size_t f = 0; f < page->nfacts; f++) {
		const struct wiring *wiring = &page->facts[f].wiring;

		for (size_t h = 0; h < wiring->topo.nhosts; h++) {
			if (wiring->topo.hosts[h].alike != TOPO_UNKNOWN || told++ >= PAGE_MOST_HOSTS ||
			    !has_room(out, PAGE_MARKDOWN_BYTES / 2))
				continue;
			fputs(told == 1 ? "## Topology\n\n- " : "- ", out);
			wiring_names(out, ESCAPE_MARKDOWN, &wiring->topo, h);
			fputs(": ", out);
			wiring_host(out, ESCAPE_MARKDOWN, &wiring->topo.hosts[h]);
			fputs(". ", out);
			if (h == 0)
				wiring_peaks(out, ESCAPE_MARKDOWN, wiring);
			putc('\n', out);
		}
	}
	if (told > PAGE_MOST_HOSTS)
		fprintf(out, "- %zu more are in index.html or run.json\n", told - PAGE_MOST_HOSTS);
	if (told > 0)
		putc('\n', out);
}

static void method(FILE *out, const struct study *study)
{
	fputs("## How it was measured\n\n", out);
	overview_method(out, ESCAPE_MARKDOWN, study);
	fputs("\n\n", out);
	if (!overview_has_models(study))
		return;
	fputs("The models say that a message of n bytes takes alpha + n / B; the time to reduce data is taken as 0.\n\n", out);
	for (size_t m = 0; m < study->nmachines && m < PAGE_MOST_MACHINES; m++) {
		fputs("- ", out);
		overview_machine(out, ESCAPE_MARKDOWN, &study->machines[m]);
		putc('\n', out);
	}
	if (study->nmachines > PAGE_MOST_MACHINES)
		fprintf(out, "- %zu more are in fit.csv\n", study->nmachines - PAGE_MOST_MACHINES);
	putc('\n', out);
}

void markdown_write(FILE *out, const struct page *page)
{
	const struct study *study = page->study;

	header(out, page);
	findings(out, page->findings);
	if (page->gate) {
		fputs("## Did it become slower?\n\n", out);
		gate_tell_markdown(out, page->gate);
		putc('\n', out);
	}
	if (study->nmachines > 0)
		summary(out, page);
	for (size_t c = 0; c < COLL_COUNT; c++) {
		if (plot_has_figure(&study->figures[c]))
			section(out, page, &study->figures[c]);
	}
	markdown_pairs(out, page);
	markdown_steps(out, page);
	topology(out, page);
	method(out, study);
	for (size_t c = 0; c < COLL_COUNT; c++) {
		if (plot_has_figure(&study->figures[c]))
			points(out, &study->figures[c]);
	}
}
