/* SPDX-License-Identifier: Apache-2.0
 *
 * The first screen of index.html: what is wrong, and the figures that a reader came for.
 */
#include "page.h"

#include <math.h>

#include "dataless.h"
#include "escape.h"
#include "human.h"
#include "overview.h"

static void finding(FILE *out, const struct finding *finding)
{
	escape_put(out, ESCAPE_HTML, "<li class=\"%s\"><b>%s</b>%s</li>\n", finding_word(finding->level),
		   finding_word(finding->level), finding->text);
}

/* Errors always; of the others so many that the summary still stands on the first screen. */
static size_t count_open(const struct findings *findings)
{
	size_t open = 0;

	while (open < findings->count && (open < PAGE_OPEN_FINDINGS || findings->items[open].level == FINDING_ERROR))
		open++;
	return findings->count == open + 1 ? open + 1 : open;
}

void html_findings(FILE *out, const struct page *page)
{
	const struct findings *findings = page->findings;
	size_t open = count_open(findings);

	fputs("<h2 id=\"findings\">Findings</h2>\n<ul class=\"findings\">\n", out);
	for (size_t i = 0; i < open; i++)
		finding(out, &findings->items[i]);
	if (findings->count == 0)
		fputs("<li>Nothing out of the ordinary.</li>\n", out);
	if (page->outcome != PLOT_DRAWN)
		escape_put(out, ESCAPE_HTML, "<li class=\"note\"><b>note</b>%s</li>\n",
			   page->outcome == PLOT_NO_GNUPLOT
				   ? "No figures: gnuplot is not on the PATH. Its data and scripts are beside this page."
				   : "gnuplot failed: figures are missing. Its data and scripts are beside this page.");
	fputs("</ul>\n", out);
	if (open == findings->count)
		return;
	escape_put(out, ESCAPE_HTML, "<details><summary>%zu more findings</summary>\n<ul class=\"findings\">\n",
		   findings->count - open);
	for (size_t i = open; i < findings->count; i++)
		finding(out, &findings->items[i]);
	fputs("</ul>\n</details>\n", out);
}

/* A number and, smaller, the size at which it was measured. */
static void put_at(FILE *out, const char *name, struct human value, double bytes)
{
	fprintf(out, "<td data-l=\"%s\">%s</td><td class=\"l at\">%s</td>", name, value.text, human_size(bytes).text);
}

static void summary_row(FILE *out, const struct page *page, const struct figure *figure, const struct series *series,
			bool labelled)
{
	struct overview overview = overview_of(figure, series);
	struct overview_judgement judgement = overview_judge(page->verdicts, figure, series, &overview);

	escape_put(out, ESCAPE_HTML, "<tr><td class=\"l\"><a href=\"#%s\">%s</a></td>", figure->coll->name, figure->coll->name);
	if (labelled)
		escape_put(out, ESCAPE_HTML, "<td class=\"l\">%s</td>", series->label);
	fprintf(out, "<td data-l=\"ranks\">%s</td>", human_integer(series->key->nranks).text);
	put_at(out, "peak busbw", human_rate(overview.peak), overview.peak_bytes);
	put_at(out, "latency", human_time(overview.latency), overview.latency_bytes);
	if (isfinite(judgement.efficiency))
		fprintf(out, "<td class=\"eff\" data-l=\"%s\" style=\"--v:%.0f%%\">%s", overview_efficiency_name(page->study),
			fmin(100, 100 * judgement.efficiency), human_percent(judgement.efficiency).text);
	else
		fprintf(out, "<td data-l=\"%s\">-", overview_efficiency_name(page->study));
	escape_put(out, ESCAPE_HTML, "</td><td class=\"l at\">%s</td><td class=\"l%s\" data-l=\"verdict\">%s</td></tr>\n",
		   human_size(judgement.bytes).text,
		   judgement.level == VERDICT_FAIL   ? " bad"
		   : judgement.level == VERDICT_WARN ? " warn"
						     : "",
		   judgement.word);
}

/* Calls without data have a time and no more. */
static void dataless_rows(FILE *out, const struct page *page, bool labelled)
{
	for (size_t s = 0; page->dataless && s < page->dataless->count; s++) {
		const struct dataless_setting *setting = &page->dataless->settings[s];
		const char *name = setting->key->collective;
		char label[DATALESS_WORDS], verdict[DATALESS_WORDS];

		dataless_label(page->study, page->dataless, s, label, sizeof label);
		dataless_verdict(setting, verdict, sizeof verdict);
		escape_put(out, ESCAPE_HTML, "<tr><td class=\"l\"><a href=\"#%s\">%s</a></td>", name, name);
		if (labelled)
			escape_put(out, ESCAPE_HTML, "<td class=\"l\">%s</td>", label);
		fprintf(out, "<td data-l=\"ranks\">%s</td>", human_integer(setting->key->nranks).text);
		put_at(out, "peak busbw", human_rate(NAN), NAN);
		put_at(out, "latency", human_time(setting->time), NAN);
		fprintf(out, "<td data-l=\"%s\">-</td><td class=\"l at\">-</td>", overview_efficiency_name(page->study));
		escape_put(out, ESCAPE_HTML, "<td class=\"l\" data-l=\"verdict\">%s</td></tr>\n", verdict);
	}
}

static void sentences(FILE *out, const struct page *page)
{
	const struct verdicts *verdicts = page->verdicts;
	const size_t calls = page->dataless ? page->dataless->count : 0;
	char text[DATALESS_WORDS], whose[DATALESS_WORDS];

	if (verdicts->count + calls == 0)
		return;
	fputs("<ul class=\"small\">\n", out);
	for (size_t i = 0; i < verdicts->count && i < PAGE_MOST_VERDICTS; i++)
		escape_put(out, ESCAPE_HTML, "<li>%s</li>\n", verdicts->items[i].text);
	for (size_t s = 0; s < calls; s++) {
		dataless_whose(page->study, page->dataless, s, whose, sizeof whose);
		dataless_sentence(&page->dataless->settings[s], text, sizeof text);
		escape_put(out, ESCAPE_HTML, "<li>%s%s: %s</li>\n", page->dataless->settings[s].key->collective, whose, text);
	}
	if (calls > 0 && page->dataless->left_out > 0)
		escape_put(out, ESCAPE_HTML, "<li>%zu more rows of calls without data are in the tables.</li>\n",
			   page->dataless->left_out);
	fputs("</ul>\n", out);
}

void html_summary(FILE *out, const struct page *page)
{
	const struct study *study = page->study;
	bool labelled = overview_needs_labels(study) || (page->dataless && page->dataless->count > 1);

	fputs("<h2 id=\"summary\">Summary</h2>\n<div class=\"box sum\"><table>\n<thead><tr><th class=\"l\">primitive</th>", out);
	fputs(labelled ? "<th class=\"l\">series</th>" : "", out);
	fputs("<th>ranks</th><th>peak busbw</th><th class=\"l at\">at</th><th>latency</th><th class=\"l at\">at</th>", out);
	fprintf(out, "<th>%s</th><th class=\"l at\">at</th><th class=\"l\">verdict</th></tr></thead>\n<tbody>\n",
		overview_efficiency_name(study));
	for (size_t c = 0; c < COLL_COUNT; c++) {
		const struct figure *figure = &study->figures[c];

		for (size_t s = 0; plot_has_figure(figure) && s < figure->nshown; s++) {
			if (overview_is_headline(figure, s))
				summary_row(out, page, figure, &figure->series[s], labelled);
		}
	}
	dataless_rows(out, page, labelled);
	fputs("</tbody></table></div>\n<p class=\"small soft\">", out);
	overview_legend(out, ESCAPE_HTML, study);
	overview_hidden_put(out, ESCAPE_HTML, study);
	fputs("</p>\n", out);
	sentences(out, page);
}
