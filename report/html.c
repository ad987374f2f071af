/* SPDX-License-Identifier: Apache-2.0
 *
 * index.html: what a reader needs first comes first. Every text from outside goes through escape_put.
 */
#include "page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "gate/tell.h"
#include "human.h"
#include "outdir.h"
#include "overview.h"
#include "pair_study.h"
#include "step_study.h"

static void put(FILE *out, const char *text)
{
	fputs(text, out);
}

static bool has_topology(const struct page *page)
{
	for (size_t f = 0; f < page->nfacts; f++)
		if (page->facts[f].wiring.topo.nhosts > 0)
			return true;
	return false;
}

static void nav(FILE *out, const struct page *page)
{
	put(out, "<nav><div><a href=\"#findings\">findings</a>");
	put(out, page->gate ? "<a href=\"#verdict\">slower?</a>" : "");
	if (page->study->nmachines > 0)
		put(out, "<a href=\"#summary\">summary</a><a href=\"#machine\">machine</a>");
	for (size_t c = 0; c < COLL_COUNT; c++) {
		if (page->study->figures[c].nrows > 0)
			escape_put(out, ESCAPE_HTML, "<a href=\"#%s\">%s</a>", collectives[c]->name, collectives[c]->name);
	}
	put(out, page->pairs->count > 0 ? "<a href=\"#pairs\">pairs</a>" : "");
	put(out, page->steps->count > 0 ? "<a href=\"#steps\">training steps</a>" : "");
	put(out, has_topology(page) ? "<a href=\"#topology\">topology</a>" : "");
	put(out, "<a href=\"#method\">method</a><a href=\"#facts\">facts</a></div></nav>\n");
}

static void header_fact(FILE *out, const char *name, const char *value)
{
	if (value && *value)
		escape_put(out, ESCAPE_HTML, "<span class=\"fact\"><span class=\"soft\">%s</span> %s</span>\n", name, value);
}

static void header_command(FILE *out, const struct facts *facts, bool named)
{
	const char *command = facts_find(facts, "command_line");

	command = command ? command : facts_find(facts, "command");
	command = command ? command : facts_find(facts, "args");
	if (!command && !named)
		return;
	fputs("<p class=\"small\"><span class=\"soft\">command", out);
	if (named)
		escape_put(out, ESCAPE_HTML, " of %s", facts->file);
	escape_put(out, ESCAPE_HTML, "</span> <code>%s</code></p>\n", command ? command : "not recorded");
}

/* Of the first run directory; rows say it where run.json does not. */
static void header_facts(FILE *out, const struct page *page)
{
	const struct result *first = rows_get(page->study->rows, 0);
	const struct facts *facts = page->nfacts > 0 ? &page->facts[0] : NULL;
	const char *started = facts ? facts_find(facts, "started") : NULL;
	char *hosts = NULL;

	if (facts) {
		hosts = facts_join(facts, "host");
		hosts = hosts ? hosts : facts_join(facts, "hostname");
		hosts = hosts ? hosts : facts_join(facts, "hosts");
	}
	put(out, "<p class=\"small\">");
	header_fact(out, "host", hosts);
	header_fact(out, "library", overview_libraries(page->study).text);
	header_fact(out, "started", started ? started : first->timestamp);
	put(out, "</p>\n");
	for (size_t f = 0; f < page->nfacts && f < PAGE_MOST_RUNS; f++)
		header_command(out, &page->facts[f], page->study->runs.count > 1);
	if (page->nfacts > PAGE_MOST_RUNS)
		escape_put(out, ESCAPE_HTML, "<p class=\"small soft\">and %zu more</p>\n", page->nfacts - PAGE_MOST_RUNS);
	free(hosts);
}

static void header(FILE *out, const struct page *page)
{
	const struct study *study = page->study;
	size_t present = 0;

	for (size_t c = 0; c < COLL_COUNT; c++)
		present += study->figures[c].nrows > 0;
	escape_put(out, ESCAPE_HTML, "<header><div>\n<h1>Collective performance%s</h1>\n", overview_title(study));
	put(out, "<p>");
	if (present > 0)
		escape_put(out, ESCAPE_HTML, "%zu primitive%s, ", present, present == 1 ? "" : "s");
	escape_put(out, ESCAPE_HTML, "%s%s%zu points, %s, %s.</p>\n", page->pairs->count > 0 ? "pairs of ranks, " : "",
		   page->steps->count > 0 ? "training steps, " : "", rows_distinct(study->rows), overview_ranks(study).text,
		   *rows_get(study->rows, 0)->backend ? rows_get(study->rows, 0)->backend : "backend not recorded");
	header_facts(out, page);
	put(out, "</div></header>\n");
}

static void models(FILE *out, const struct study *study)
{
	put(out, "<h3>alpha and B</h3>\n<p>The models say that a message of n bytes takes alpha + n / B; the time to "
		 "reduce data is taken "
		 "as 0, so the bounds of reducing primitives are on the optimistic side.</p>\n<ul>\n");
	for (size_t m = 0; m < study->nmachines && m < PAGE_MOST_MACHINES; m++) {
		put(out, "<li>");
		overview_machine(out, ESCAPE_HTML, &study->machines[m]);
		put(out, "</li>\n");
	}
	if (study->nmachines > PAGE_MOST_MACHINES)
		escape_put(out, ESCAPE_HTML, "<li>%zu more are in fit.csv.</li>\n", study->nmachines - PAGE_MOST_MACHINES);
	put(out, "</ul>\n");
}

/* Those that are there: they are written before the page. */
static void numbers(FILE *out, const struct page *page)
{
	static const char *const names[] = { "bounds.csv", "fit.csv",           "compare.csv",        "scaling.csv",
					     "steps.csv",  "pairs_latency.csv", "pairs_bandwidth.csv" };
	const bool bounds = overview_has_models(page->study);
	const char *join = "<p class=\"small soft\">The numbers behind the figures, beside this page: ";

	for (size_t i = bounds ? 0 : 2; i < sizeof names / sizeof *names; i++) {
		if (!outdir_has(page->dir, names[i]))
			continue;
		fprintf(out, "%s<code>%s</code>", join, names[i]);
		join = ", ";
	}
	put(out, strcmp(join, ", ") == 0 ? ".</p>\n" : "");
}

static void method(FILE *out, const struct page *page)
{
	put(out, "<h2 id=\"method\">How it was measured</h2>\n<p>");
	overview_method(out, ESCAPE_HTML, page->study);
	put(out, "</p>\n");
	if (overview_has_models(page->study))
		models(out, page->study);
	numbers(out, page);
}

static void facts(FILE *out, const struct page *page)
{
	put(out, "<h2 id=\"facts\">Facts of the run</h2>\n");
	for (size_t f = 0; f < page->nfacts && f < PAGE_MOST_RUNS; f++) {
		const struct facts *facts = &page->facts[f];

		escape_put(out, ESCAPE_HTML,
			   "<details%s><summary>%s: %zu facts</summary>\n<div class=\"box tall\"><table><tbody>\n", "",
			   facts->file, facts->count);
		for (size_t i = 0; i < facts->count; i++)
			escape_put(out, ESCAPE_HTML,
				   "<tr><td class=\"name\">%s</td><td class=\"wide\"><code>%s</code></td></tr>\n",
				   facts->items[i].name, facts->items[i].value);
		put(out, "</tbody></table></div>\n");
		if (facts->left_out > 0)
			escape_put(out, ESCAPE_HTML, "<p class=\"small soft\">%zu more are in the file.</p>\n", facts->left_out);
		put(out, "</details>\n");
	}
	if (page->nfacts > PAGE_MOST_RUNS)
		escape_put(out, ESCAPE_HTML, "<p class=\"small soft\">%zu more run.json are not shown.</p>\n",
			   page->nfacts - PAGE_MOST_RUNS);
	if (page->nfacts == 0)
		put(out, "<p class=\"soft\">No run.json was given: only the rows are known.</p>\n");
}

void html_write(FILE *out, const struct page *page)
{
	put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"robots\" "
		 "content=\"noindex\">\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
		 "<title>collperf report");
	escape_put(out, ESCAPE_HTML, "%s</title>\n<style>\n", overview_title(page->study));
	for (size_t i = 0; html_style[i]; i++)
		put(out, html_style[i]);
	put(out, "</style>\n</head>\n<body>\n");
	header(out, page);
	nav(out, page);
	put(out, "<main>\n");
	html_findings(out, page);
	if (page->gate)
		gate_tell_html(out, page->gate);
	if (page->study->nmachines > 0) {
		html_summary(out, page);
		html_machines(out, page->study);
	}
	for (size_t c = 0; c < COLL_COUNT; c++) {
		if (page->study->figures[c].nrows > 0)
			html_section(out, page, &page->study->figures[c]);
	}
	html_pairs(out, page);
	html_steps(out, page);
	put(out, "<section>\n");
	html_topology(out, page);
	method(out, page);
	facts(out, page);
	put(out, "</section>\n<footer>Written by collperf report. Nothing on this page runs or loads "
		 "anything.</footer>\n</main>\n</body>\n</html>\n");
}
