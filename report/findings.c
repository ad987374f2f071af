/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks through a study for what spoils its figures.
 */
#include "findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "human.h"

enum { MOST_NOTES = 12 };

static const double disturbing_cores = 0.1;

/* Flags that are only counted. */
static const struct flag_finding {
	const char *flag;
	enum finding_level level;
	const char *text;
} flag_findings[] = {
	{ RESULT_FLAG_OVERSUBSCRIBED, FINDING_WARNING,
	  "ran more ranks than cores (oversubscribed): shown, but left out of the fit and of efficiencies" },
	{ RESULT_FLAG_LATE, FINDING_WARNING,
	  "have a rank that kept coming late to the common start: their times include the wait for it" },
	{ RESULT_FLAG_NOISY, FINDING_NOTE, "stayed noisy: their time was used up before the wanted precision was reached" },
	{ RESULT_FLAG_SHORT, FINDING_NOTE, "take under 100 steps of the clock" },
	{ RESULT_FLAG_UNCHECKED, FINDING_NOTE, "were measured without a data check" },
	{ RESULT_FLAG_SIMULATED, FINDING_NOTE, "are simulated, not measured" },
};

int findings_add(struct findings *findings, enum finding_level level, const char *format, ...)
{
	struct finding *grown = array_grow(findings->items, findings->count, sizeof *grown);
	size_t at = findings->count;
	va_list args;
	char *text;
	int length;

	if (!grown)
		return -1;
	findings->items = grown;
	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		return array_failed();
	/* Behind the last one that is at least as bad. */
	while (at > 0 && grown[at - 1].level > level)
		at--;
	memmove(&grown[at + 1], &grown[at], (findings->count - at) * sizeof *grown);
	grown[at] = (struct finding){ level, text };
	findings->count++;
	return 0;
}

void findings_clear(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		free(findings->items[i].text);
	free(findings->items);
	*findings = (struct findings){ 0 };
}

const char *finding_word(enum finding_level level)
{
	static const char *const words[] = { "error", "warning", "note" };

	return words[level];
}

static bool is_of(const struct study *study, size_t i, const struct figure *figure)
{
	return strcmp(rows_get(study->rows, i)->collective, figure->coll->name) == 0;
}

static int find_wrong(struct findings *findings, const struct study *study, const struct figure *figure)
{
	const struct result *first = NULL;
	size_t bad = 0;

	for (size_t i = 0; i < rows_count(study->rows); i++) {
		const struct result *row = rows_get(study->rows, i);

		if (!is_of(study, i, figure) || row->wrong <= 0)
			continue;
		first = first ? first : row;
		bad++;
	}
	if (!first)
		return 0;
	findings->wrong_data = true;
	return findings_add(findings, FINDING_ERROR, "%s: WRONG DATA in %zu of %zu points (first: %s, %s%s%s, %s, %lld elements)",
			    figure->coll->name, bad, figure->nrows, human_size((double)first->bytes).text, first->type,
			    *first->redop ? " " : "", first->redop, first->placement, (long long)first->wrong);
}

static int find_singleton(struct findings *findings, const struct figure *figure)
{
	if (!figure->singleton)
		return 0;
	findings->singleton = true;
	return findings_add(
		findings, FINDING_ERROR,
		"%s: bus bandwidth 0 or repeated rows of one rank: this looks like several jobs of one rank each, started by a "
		"launcher that the library does not know; nothing moved between ranks, so it is not plotted",
		figure->coll->name);
}

/* How many points of a figure are faster than its lower bound allows, and by how much at most. */
static size_t count_above(const struct study *study, const struct figure *figure, double *most, double *most_bytes)
{
	size_t above = 0;

	*most = 0;
	for (size_t i = 0; i < rows_count(study->rows); i++) {
		const struct result *row = rows_get(study->rows, i);
		double ratio;

		if (!is_of(study, i, figure) || figure->singleton)
			continue;
		ratio = study_row_bounds(study, i).lb / row->time;
		if (!(ratio * (1 - study_tolerance(study_machine(study, i))) > 1))
			continue;
		above++;
		if (ratio > *most) {
			*most = ratio;
			*most_bytes = (double)row->bytes;
		}
	}
	return above;
}

/* One finding for all primitives: its reasons are the same. */
static int find_above_bound(struct findings *findings, const struct study *study)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	int rc;

	if (!out)
		return array_failed();
	for (size_t c = 0; c < COLL_COUNT; c++) {
		double most = 0, bytes = 0;
		size_t above = count_above(study, &study->figures[c], &most, &bytes);

		if (above > 0)
			fprintf(out, "%s%s %zu of %zu points (up to %.3g times, at %s)", ftell(out) > 0 ? ", " : "",
				study->figures[c].coll->name, above, study->figures[c].nrows, most, human_size(bytes).text);
	}
	if (fclose(out)) {
		free(text);
		return array_failed();
	}
	rc = length == 0 ? 0
			 : findings_add(findings, FINDING_WARNING,
					"above bound, faster than the lower bound allows: %s. Usual reasons: alpha or B describe "
					"another protocol or "
					"path than these sizes use, data stays in a cache, several links work at once, the "
					"network reduces, or ranks "
					"did not start together",
					text);
	free(text);
	return rc;
}

static int find_flags(struct findings *findings, const struct study *study)
{
	size_t all = rows_count(study->rows);

	for (size_t f = 0; f < sizeof flag_findings / sizeof *flag_findings; f++) {
		size_t flagged = 0;

		for (size_t i = 0; i < all; i++)
			flagged += result_has_flag(rows_get(study->rows, i), flag_findings[f].flag);
		if (flagged > 0 &&
		    findings_add(findings, flag_findings[f].level, "%zu of %zu points %s", flagged, all, flag_findings[f].text))
			return -1;
	}
	return 0;
}

static int find_left_out(struct findings *findings, const struct study *study)
{
	size_t untimed = 0, left_out = 0, single = 0;

	for (size_t c = 0; c < COLL_COUNT; c++) {
		untimed += study->figures[c].untimed;
		left_out += study->figures[c].left_out;
	}
	for (size_t i = 0; i < rows_count(study->rows); i++)
		single += rows_get(study->rows, i)->nranks == 1;
	if (study->foreign &&
	    findings_add(findings, FINDING_WARNING, "%zu rows of an unknown primitive are left out", study->foreign))
		return -1;
	if (untimed && findings_add(findings, FINDING_NOTE, "%zu rows without a usable size or time are not plotted", untimed))
		return -1;
	if (left_out && findings_add(findings, FINDING_WARNING, "%zu rows are not plotted: over %d different series", left_out,
				     STUDY_MOST_SERIES))
		return -1;
	if (single &&
	    findings_add(findings, FINDING_NOTE, "%zu rows of one rank: no traffic between ranks, hence no bounds", single))
		return -1;
	return 0;
}

static int find_notes(struct findings *findings, const struct study *study)
{
	size_t notes = rows_note_count(study->rows);

	for (size_t i = 0; i < notes && i < MOST_NOTES; i++) {
		if (findings_add(findings, FINDING_WARNING, "%s", rows_note(study->rows, i)))
			return -1;
	}
	return notes > MOST_NOTES
		       ? findings_add(findings, FINDING_WARNING, "... and %zu more notes on the files", notes - MOST_NOTES)
		       : 0;
}

/* Machines whose models cannot be drawn, or not with confidence. */
static int find_machines(struct findings *findings, const struct study *study)
{
	for (size_t m = 0; m < study->nmachines; m++) {
		const struct machine *machine = &study->machines[m];
		const struct result *key = machine->key;
		int rc = 0;

		if (machine->given || key->nranks < 2 || machine->fit.verdict == FIT_GOOD)
			continue;
		if (machine->fit_rows == 0)
			rc = findings_add(
				findings, FINDING_NOTE,
				"no bounds for %lld ranks%s%s: there is no usable sendrecv sweep to take alpha and B from; give "
				"--alpha and --bandwidth",
				(long long)key->nranks, *key->path ? " over " : "", key->path);
		else
			rc = findings_add(findings, FINDING_WARNING, "sendrecv on %lld ranks%s%s: %s%s", (long long)key->nranks,
					  *key->path ? " over " : "", key->path, fit_sentence(machine->fit.verdict),
					  machine->known ? "; take the bounds as rough" : "; bounds are left out");
		if (rc)
			return -1;
	}
	return 0;
}

static bool ended_well(const char *status)
{
	return strcmp(status, "ok") == 0 || strcmp(status, "skipped") == 0;
}

int findings_take_facts(struct findings *findings, const struct facts *facts)
{
	const char *collective = "", *bad = NULL, *bad_status = "";
	size_t launches = 0, failed = 0;
	double foreign = 0;

	for (size_t i = 0; i < facts->count; i++) {
		const struct fact *fact = &facts->items[i];

		/* A launch's own words follow each other: its collective, then its status. */
		if (facts_is(fact, "collective"))
			collective = fact->value;
		if (facts_is(fact, "foreign_cpu_cores"))
			foreign = fmax(foreign, strtod(fact->value, NULL));
		if (!facts_is(fact, "status") || strncmp(fact->name, "launches.", strlen("launches.")))
			continue;
		launches++;
		if (ended_well(fact->value))
			continue;
		failed++;
		bad = bad ? bad : collective;
		bad_status = *bad_status ? bad_status : fact->value;
	}
	if (failed && findings_add(findings, FINDING_ERROR, "%zu of %zu launches did not end well (first: %s, %s)", failed,
				   launches, bad, bad_status))
		return -1;
	if (foreign >= disturbing_cores && isfinite(foreign))
		return findings_add(findings, FINDING_WARNING,
				    "other programs used up to %.2g cores of a host during the run: times are disturbed",
				    foreign);
	return 0;
}

int findings_collect(struct findings *findings, const struct study *study)
{
	for (size_t c = 0; c < COLL_COUNT; c++) {
		const struct figure *figure = &study->figures[c];

		if (find_wrong(findings, study, figure) || find_singleton(findings, figure))
			return -1;
	}
	if (find_above_bound(findings, study) || find_notes(findings, study) || find_flags(findings, study) ||
	    find_machines(findings, study))
		return -1;
	return find_left_out(findings, study);
}
