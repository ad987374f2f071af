/* SPDX-License-Identifier: Apache-2.0
 *
 * Five lines for a terminal: what was measured, the best busbw, the latencies, the model, the findings.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dataless.h"
#include "escape.h"
#include "human.h"
#include "overview.h"
#include "page.h"
#include "pair_study.h"
#include "step_words.h"
#include "verdict.h"

static void measured(FILE *out, const struct page *page)
{
	const struct study *study = page->study;
	char *hosts = page->nfacts > 0 ? facts_join(&page->facts[0], "host") : NULL;
	const struct overview_text library = overview_libraries(study);
	const struct totals *totals = &study->totals;
	struct overview_hidden hidden = overview_hidden(study);
	size_t present = 0;

	for (size_t c = 0; c < COLL_COUNT; c++)
		present += study->figures[c].nrows > 0;
	fputs(totals->simulated == totals->rows  ? "simulated "
	      : totals->imported == totals->rows ? "imported  "
						 : "measured  ",
	      out);
	if (present > 0)
		escape_put(out, ESCAPE_PLAIN, "%zu primitive%s, ", present, present == 1 ? "" : "s");
	escape_put(out, ESCAPE_PLAIN, "%s%s%zu points, %s", page->pairs->count > 0 ? "pairs of ranks, " : "",
		   page->steps->count > 0 ? "training steps, " : "", rows_distinct(study->rows), overview_ranks(study).text);
	if (hosts)
		escape_put(out, ESCAPE_PLAIN, " on %s", hosts);
	if (*library.text)
		escape_put(out, ESCAPE_PLAIN, ", %s", library.text);
	if (totals->simulated > 0 && totals->simulated < totals->rows)
		fprintf(out, "; %zu of the %zu rows are simulated", totals->simulated, totals->rows);
	if (hidden.files > 0)
		escape_put(out, ESCAPE_PLAIN, "; %zu of %zu files are not in the lines below", hidden.files,
			   hidden.files + hidden.shown);
	putc('\n', out);
	free(hosts);
}

/* The best of all figures by `value`; larger is better where `largest`. */
struct best {
	const struct figure *figure;
	const struct series *series;
	struct overview overview;
};

static void consider(struct best *peak, struct best *latency, const struct figure *figure, const struct series *series)
{
	struct best candidate = { figure, series, overview_of(figure, series) };

	if (isfinite(candidate.overview.peak) && (!peak->figure || candidate.overview.peak > peak->overview.peak))
		*peak = candidate;
	if (isfinite(candidate.overview.latency) && (!latency->figure || candidate.overview.latency < latency->overview.latency))
		*latency = candidate;
}

static void best_lines(FILE *out, const struct study *study)
{
	struct best peak = { 0 }, latency = { 0 };

	for (size_t c = 0; c < COLL_COUNT; c++) {
		for (size_t s = 0; plot_has_figure(&study->figures[c]) && s < study->figures[c].nshown; s++)
			consider(&peak, &latency, &study->figures[c], &study->figures[c].series[s]);
	}
	if (peak.figure)
		escape_put(out, ESCAPE_PLAIN, "busbw     up to %s: %s, %s, %s\n", human_rate(peak.overview.peak).text,
			   peak.figure->coll->name, human_size(peak.overview.peak_bytes).text, peak.series->label);
	else
		fputs("busbw     -\n", out);
	if (latency.figure)
		escape_put(out, ESCAPE_PLAIN, "latency   from %s: %s, %s, %s\n", human_time(latency.overview.latency).text,
			   latency.figure->coll->name, human_size(latency.overview.latency_bytes).text, latency.series->label);
	else
		fputs("latency   -\n", out);
}

static void linked_model(FILE *out, const struct machine *machine)
{
	escape_put(out, ESCAPE_PLAIN, "model     B %s, ", human_rate(machine->bandwidth).text);
	overview_link(out, ESCAPE_PLAIN, machine);
	escape_put(out, ESCAPE_PLAIN, "; %s%s\n", machine->bandwidth_only ? "bandwidth alone, alpha is not known" : "alpha ",
		   machine->bandwidth_only ? "" : human_time(machine->alpha).text);
}

static void model(FILE *out, const struct study *study)
{
	const struct machine *machine = study->machines;

	if (study->nmachines == 0)
		return;
	for (size_t m = study->nmachines; m-- > 0;)
		machine = study->machines[m].known && study->machines[m].key->nranks > 1 ? &study->machines[m] : machine;
	if (!machine->known)
		fputs("model     none: alpha and B are not known, so there are no bounds\n", out);
	else if (machine->linked && !machine->given)
		linked_model(out, machine);
	else if (machine->given)
		escape_put(out, ESCAPE_PLAIN, "model     alpha %s, B %s, from the command line\n",
			   human_time(machine->alpha).text, human_rate(machine->bandwidth).text);
	else
		escape_put(out, ESCAPE_PLAIN, "model     alpha %s, B %s, fitted to %zu sendrecv points, residual %s%s\n",
			   human_time(machine->alpha).text, human_rate(machine->bandwidth).text, machine->fit.n,
			   human_percent(machine->fit.residual).text, machine->fit.verdict == FIT_POOR ? " (poor)" : "");
}

/* Each primitive once; rates that follow each other and are the same are said once. */
static void links(FILE *out, const struct verdicts *verdicts)
{
	const struct verdict *last = NULL;

	for (size_t i = 0; i < verdicts->count; i++) {
		const struct verdict *verdict = &verdicts->items[i];

		if (verdict->kind != VERDICT_LINK || (last && verdict->figure == last->figure))
			continue;
		if (last && verdict->link != last->link)
			escape_put(out, ESCAPE_PLAIN, " of %s", human_rate(last->link).text);
		escape_put(out, ESCAPE_PLAIN, "%s%s %s", last ? ", " : "link      ", verdict->figure->coll->name,
			   human_percent(verdict->efficiency).text);
		last = verdict;
	}
	if (last)
		escape_put(out, ESCAPE_PLAIN, " of %s\n", human_rate(last->link).text);
}

/* What --link and --system were given for. */
static void expected(FILE *out, const struct verdicts *verdicts)
{
	links(out, verdicts);
	for (size_t i = 0; i < verdicts->count; i++) {
		if (verdicts->items[i].kind == VERDICT_SYSTEM)
			escape_put(out, ESCAPE_PLAIN, "system    %s\n", verdicts->items[i].text);
	}
}

/* Of the first setting; all are in the pages. */
static void dataless(FILE *out, const struct page *page)
{
	char text[DATALESS_WORDS];

	if (!page->dataless || page->dataless->count == 0)
		return;
	dataless_sentence(page->dataless->settings, text, sizeof text);
	escape_put(out, ESCAPE_PLAIN, "%s   %s\n", page->dataless->settings[0].key->collective, text);
}

/* Of the first set of pairs; what is slow is among the findings. */
static void pairs(FILE *out, const struct page *page)
{
	char text[PAIR_WORDS];

	for (int figure = 0; page->pairs->count > 0 && figure < PAIR_FIGURES; figure++)
		if (pair_words_summary(&page->pairs->parts[0].set, PAIR_ALONE, (enum pair_figure)figure, text, sizeof text))
			escape_put(out, ESCAPE_PLAIN, "pairs     %s\n", text);
}

/* Of the first setting. */
static void steps(FILE *out, const struct page *page)
{
	char text[STEP_WORDS];

	if (page->steps->count > 0 && step_words_summary(&page->steps->parts[0], text, sizeof text))
		escape_put(out, ESCAPE_PLAIN, "steps     %s\n", text);
}

/* The worst one, cut to a line of a terminal. */
static void findings(FILE *out, const struct findings *findings)
{
	char text[121];

	if (findings->count == 0) {
		fputs("findings  none\n", out);
		return;
	}
	snprintf(text, sizeof text, "%s", findings->items[0].text);
	escape_put(out, ESCAPE_PLAIN, "findings  %zu; %s: %s%s\n", findings->count, finding_word(findings->items[0].level), text,
		   strlen(text) < strlen(findings->items[0].text) ? "..." : "");
}

void summary_print(FILE *out, const struct page *page)
{
	measured(out, page);
	if (page->study->nmachines > 0)
		best_lines(out, page->study);
	dataless(out, page);
	pairs(out, page);
	steps(out, page);
	model(out, page->study);
	expected(out, page->verdicts);
	findings(out, page->findings);
}
