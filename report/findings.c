/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks through a study for what spoils its figures.
 */
#include "findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "human.h"
#include "verdict.h"

enum { MOST_NOTES = 12, MOST_RANKS = 12 };

static const double disturbing_cores = 0.1;

/* Flags that are only counted. */
static const struct flag_finding {
	const char *flag;
	enum finding_level level;
	const char *text;
} flag_findings[] = {
	{ RESULT_FLAG_OVERSUBSCRIBED, FINDING_WARNING,
	  "ran more ranks than cores (oversubscribed): shown, but left out of the fit and of efficiencies" },
	{ RESULT_FLAG_SHARED_GPU, FINDING_WARNING,
	  "ran several ranks on one GPU (shared_gpu): shown, but left out of the fit and of efficiencies" },
	{ RESULT_FLAG_HOST_BOUND, FINDING_NOTE,
	  "show how fast the host queues calls, not how fast they run (host_bound): loop timing without --hold" },
	{ RESULT_FLAG_LATE, FINDING_WARNING,
	  "have a rank that kept coming late to the common start: their times include the wait for it" },
	{ RESULT_FLAG_NOISY, FINDING_NOTE, "stayed noisy: their time was used up before the wanted precision was reached" },
	{ RESULT_FLAG_SHORT, FINDING_NOTE, "take under 100 steps of the clock" },
	{ RESULT_FLAG_UNCHECKED, FINDING_NOTE, "were measured without a data check" },
	{ RESULT_FLAG_SIMULATED, FINDING_NOTE, "are simulated, not measured" },
};

/* Whether row i is counted among those of the run: each point once. */
static bool counts(const struct study *study, size_t i, size_t run)
{
	return study->runs.of[i] == run && !rows_is_repeat(study->rows, i);
}

static bool is_of(const struct study *study, size_t i, size_t run, const struct figure *figure)
{
	return counts(study, i, run) && strcmp(rows_get(study->rows, i)->collective, figure->coll->name) == 0;
}

static int find_wrong(struct findings *findings, const struct study *study, size_t run, const struct figure *figure)
{
	const struct result *first = NULL;
	size_t bad = 0, all = 0;

	for (size_t i = 0; i < rows_count(study->rows); i++) {
		const struct result *row = rows_get(study->rows, i);

		if (!is_of(study, i, run, figure))
			continue;
		all++;
		if (row->wrong <= 0)
			continue;
		first = first ? first : row;
		bad++;
	}
	if (!first)
		return 0;
	findings->wrong_data = true;
	return findings_add(findings, FINDING_ERROR, "%s: WRONG DATA in %zu of %zu points (first: %s, %s%s%s, %s, %lld elements)",
			    figure->coll->name, bad, all, human_size((double)first->bytes).text, first->type,
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

/* Points of a primitive that are faster than its lower bound. */
struct above {
	size_t count, all;
	double most, most_bytes; /* bound / time, and where */
};

/* Beyond what the fit leaves unexplained; with `rough`, all those whose fit is poor. */
static struct above count_above(const struct study *study, size_t run, const struct figure *figure, bool rough)
{
	struct above above = { 0 };

	for (size_t i = 0; !figure->singleton && i < rows_count(study->rows); i++) {
		const struct result *row = rows_get(study->rows, i);
		const struct machine *machine;
		double ratio;

		if (!is_of(study, i, run, figure))
			continue;
		above.all++;
		machine = study_machine(study, i);
		ratio = study_row_bounds(study, i).lb / row->time;
		if (!(ratio * (rough ? 1 : 1 - study_tolerance(machine)) > 1) || (rough && !study_is_rough(machine)))
			continue;
		above.count++;
		if (ratio > above.most) {
			above.most = ratio;
			above.most_bytes = (double)row->bytes;
		}
	}
	return above;
}

static int add_above(struct findings *findings, bool rough, size_t total, const char *text)
{
	if (total == 0)
		return 0;
	if (rough)
		return findings_add(findings, FINDING_NOTE, "%zu points faster than the rough lower bound: %s", total, text);
	return findings_add(findings, FINDING_WARNING,
			    "above bound, faster than the lower bound allows: %s. Usual reasons: alpha or B describe another "
			    "protocol or path than these sizes use, data stays in a cache, several links work at once, the "
			    "network reduces, or ranks did not start together",
			    text);
}

/* One finding for all primitives: its reasons are the same. */
static int find_above_bound(struct findings *findings, const struct study *study, size_t run, bool rough)
{
	char *text = NULL;
	size_t length = 0, total = 0;
	FILE *out = open_memstream(&text, &length);
	int rc;

	if (!out)
		return array_failed();
	for (size_t c = 0; c < COLL_COUNT; c++) {
		struct above above = count_above(study, run, &study->figures[c], rough);

		if (above.count > 0)
			fprintf(out, "%s%s %zu of %zu points (up to %.3g times, at %s)", total > 0 ? ", " : "",
				study->figures[c].coll->name, above.count, above.all, above.most,
				human_size(above.most_bytes).text);
		total += above.count;
	}
	if (fclose(out)) {
		free(text);
		return array_failed();
	}
	rc = add_above(findings, rough, total, text);
	free(text);
	return rc;
}

static int find_flags(struct findings *findings, const struct study *study, size_t run)
{
	size_t all = 0;

	for (size_t i = 0; i < rows_count(study->rows); i++)
		all += counts(study, i, run);
	for (size_t f = 0; f < sizeof flag_findings / sizeof *flag_findings; f++) {
		size_t flagged = 0;

		for (size_t i = 0; i < rows_count(study->rows); i++)
			flagged += counts(study, i, run) && result_has_flag(rows_get(study->rows, i), flag_findings[f].flag);
		if (flagged > 0 &&
		    findings_add(findings, flag_findings[f].level, "%zu of %zu points %s", flagged, all, flag_findings[f].text))
			return -1;
	}
	return 0;
}

static int find_left_out(struct findings *findings, const struct study *study, size_t run)
{
	size_t untimed = 0, foreign = 0, single = 0;

	for (size_t i = 0; i < rows_count(study->rows); i++) {
		const struct result *row = rows_get(study->rows, i);
		bool known = collective_find(row->collective) != NULL;

		if (!counts(study, i, run))
			continue;
		foreign += !known;
		untimed += known && !study_is_timed(row);
		single += row->nranks == 1;
	}
	if (foreign && findings_add(findings, FINDING_WARNING, "%zu rows of an unknown primitive are left out", foreign))
		return -1;
	if (untimed && findings_add(findings, FINDING_NOTE, "%zu rows without a usable size or time are not plotted", untimed))
		return -1;
	return single ? findings_add(findings, FINDING_NOTE, "%zu rows of one rank: no traffic between ranks, hence no bounds",
				     single)
		      : 0;
}

static int find_unplotted(struct findings *findings, const struct study *study)
{
	size_t left_out = 0;

	for (size_t c = 0; c < COLL_COUNT; c++)
		left_out += study->figures[c].left_out;
	return left_out ? findings_add(findings, FINDING_WARNING, "%zu rows are not plotted: over %d different series", left_out,
				       STUDY_MOST_SERIES)
			: 0;
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

static bool is_unfitted(const struct machine *machine, size_t run)
{
	return machine->run == run && !machine->given && !machine->linked && machine->key->nranks >= 2 && machine->fit_rows == 0;
}

/* All numbers of ranks of a path in one line; `first` is the first machine of it. */
static int add_unfitted(struct findings *findings, const struct study *study, size_t run, size_t first)
{
	const char *path = study->machines[first].key->path;
	char text[MOST_RANKS * 24] = "", more[48] = "";
	size_t n = 0, used = 0;

	for (size_t m = first; m < study->nmachines; m++) {
		const struct result *key = study->machines[m].key;

		if (!is_unfitted(&study->machines[m], run) || strcmp(key->path, path))
			continue;
		if (n++ < MOST_RANKS)
			used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld", n > 1 ? ", " : "",
						 (long long)key->nranks);
	}
	if (n > MOST_RANKS)
		snprintf(more, sizeof more, " and %zu more numbers of", n - MOST_RANKS);
	return findings_add(findings, FINDING_NOTE,
			    "no bounds for %s%s ranks%s%s: there is no usable sendrecv sweep to take alpha and B from; give "
			    "--alpha and --bandwidth, or --link",
			    text, more, *path ? " over " : "", path);
}

static int find_unfitted(struct findings *findings, const struct study *study, size_t run)
{
	for (size_t m = 0; m < study->nmachines; m++) {
		bool seen = false;

		for (size_t k = 0; k < m && !seen; k++)
			seen = is_unfitted(&study->machines[k], run) &&
			       strcmp(study->machines[k].key->path, study->machines[m].key->path) == 0;
		if (!seen && is_unfitted(&study->machines[m], run) && add_unfitted(findings, study, run, m))
			return -1;
	}
	return 0;
}

/* Machines whose models cannot be drawn, or not with confidence. */
static int find_machines(struct findings *findings, const struct study *study, size_t run)
{
	for (size_t m = 0; m < study->nmachines; m++) {
		const struct machine *machine = &study->machines[m];
		const struct result *key = machine->key;

		if (machine->run != run || machine->given || machine->linked || key->nranks < 2 ||
		    machine->fit.verdict == FIT_GOOD || machine->fit_rows == 0)
			continue;
		if (findings_add(findings, FINDING_WARNING, "sendrecv on %lld ranks%s%s: %s%s", (long long)key->nranks,
				 *key->path ? " over " : "", key->path, fit_sentence(machine->fit.verdict),
				 machine->known ? "; take the bounds as rough" : "; bounds are left out"))
			return -1;
	}
	return find_unfitted(findings, study, run);
}

static bool ended_well(const char *status)
{
	return strcmp(status, "ok") == 0 || strcmp(status, "skipped") == 0;
}

static int take_facts(struct findings *findings, const struct facts *facts)
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

int findings_take_facts(struct findings *findings, const struct facts *facts, const char *run)
{
	int rc;

	findings->run = run;
	rc = take_facts(findings, facts);
	findings->run = NULL;
	return rc;
}

static int find_in_run(struct findings *findings, const struct study *study, size_t run)
{
	for (size_t c = 0; c < COLL_COUNT; c++) {
		if (find_wrong(findings, study, run, &study->figures[c]))
			return -1;
	}
	if (find_above_bound(findings, study, run, false) || find_flags(findings, study, run) ||
	    find_machines(findings, study, run) || find_above_bound(findings, study, run, true))
		return -1;
	return find_left_out(findings, study, run);
}

int findings_collect(struct findings *findings, const struct study *study)
{
	for (size_t c = 0; c < COLL_COUNT; c++) {
		if (find_singleton(findings, &study->figures[c]))
			return -1;
	}
	if (find_notes(findings, study))
		return -1;
	for (size_t r = 0; r < study->runs.count; r++) {
		findings->run = study->runs.names[r];
		if (find_in_run(findings, study, r))
			return -1;
	}
	findings->run = NULL;
	return verdict_findings(findings, study) ? -1 : find_unplotted(findings, study);
}
