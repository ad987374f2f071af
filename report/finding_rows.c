/* SPDX-License-Identifier: Apache-2.0
 *
 * What single rows say: wrong data, times below the bound, flags. Rows are counted in one pass, each point once.
 */
#include "finding_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "human.h"

/*
 * Alpha and B of a fit are those of the launches of sendrecv; medians of launches with nothing changed were seen to differ by a fifth. Up to
 * there a time below the bound is a note.
 */
static const double launches_differ = 0.2;

/* Flags that are only counted. */
static const struct flag_finding {
	const char *flag;
	enum finding_level level;
	const char *text;
} flag_findings[] = {
	{ RESULT_FLAG_RATES, FINDING_WARNING,
	  "have rates that do not agree with their size and time (rates): another number of ranks, another meaning of the size, "
	  "or a "
	  "log that was changed" },
	{ RESULT_FLAG_OVERSUBSCRIBED, FINDING_WARNING,
	  "ran more ranks than cores (oversubscribed): shown, but left out of the fit and of efficiencies" },
	{ RESULT_FLAG_SHARED_GPU, FINDING_WARNING,
	  "ran several ranks on one GPU (shared_gpu): shown, but left out of the fit and of efficiencies" },
	{ RESULT_FLAG_OTHER_PATH, FINDING_WARNING,
	  "took another path than --path asked for (other_path): the path column says which" },
	{ RESULT_FLAG_TRACED, FINDING_NOTE, "include a line in the library's log for each call (traced): --readback all" },
	{ RESULT_FLAG_HOST_BOUND, FINDING_NOTE,
	  "show how fast the host queues calls, not how fast they run (host_bound): loop timing without --hold" },
	{ RESULT_FLAG_LATE, FINDING_WARNING,
	  "have a rank that kept coming late to the common start: their times include the wait for it" },
	{ RESULT_FLAG_NOISY, FINDING_NOTE, "stayed noisy: their time was used up before the wanted precision was reached" },
	{ RESULT_FLAG_SHORT, FINDING_NOTE, "take under 100 steps of the clock" },
	{ RESULT_FLAG_UNCHECKED, FINDING_NOTE, "were measured without a data check" },
	{ RESULT_FLAG_SIMULATED, FINDING_NOTE, "are simulated, not measured" },
	{ RESULT_FLAG_IMPORTED, FINDING_NOTE,
	  "are from another tool's log (imported): means over calls as it took them, without intervals" },
};

enum { FLAGS = sizeof flag_findings / sizeof *flag_findings };

enum above_kind {
	ABOVE_CLEARLY,
	ABOVE_SLIGHTLY, /* beyond what the fit leaves unexplained, but no more than launches differ */
	ABOVE_ROUGH,    /* by however little, where the fit is poor; may be counted above too */
	ABOVE_KINDS
};

/* Points of a primitive that are faster than its lower bound. */
struct above {
	size_t count, row; /* the worst one */
	double most;       /* bound / time */
};

struct primitive {
	size_t all, wrong;
	size_t first_wrong; /* row */
	struct above above[ABOVE_KINDS];
};

/* Of one run. */
struct tally {
	size_t all, flagged[FLAGS];
	size_t foreign, untimed, single;
	struct primitive primitives[COLL_COUNT];
};

static void above_add(struct above *above, size_t i, double ratio)
{
	above->count++;
	if (ratio <= above->most)
		return;
	above->most = ratio;
	above->row = i;
}

static bool is_clear(const struct machine *machine, double ratio)
{
	return machine->given || machine->bandwidth_only || ratio * (1 - launches_differ) > 1;
}

static void count_primitive(const struct study *study, size_t i, enum coll_id id, struct primitive *primitive)
{
	const struct result *row = rows_get(study->rows, i);
	const struct machine *machine;
	double ratio;

	primitive->all++;
	if (row->wrong > 0 && primitive->wrong++ == 0)
		primitive->first_wrong = i;
	if (study->figures[id].singleton || result_is_pair(row))
		return;
	machine = study_machine(study, i);
	ratio = study_row_bounds(study, i).lb / row->time;
	if (ratio * (1 - study_tolerance(machine)) > 1)
		above_add(&primitive->above[is_clear(machine, ratio) ? ABOVE_CLEARLY : ABOVE_SLIGHTLY], i, ratio);
	if (ratio > 1 && study_is_rough(machine))
		above_add(&primitive->above[ABOVE_ROUGH], i, ratio);
}

static void count(const struct study *study, size_t i, struct tally *tally)
{
	const struct result *row = rows_get(study->rows, i);
	const struct collective *coll = collective_find(row->collective);

	tally->all++;
	for (size_t f = 0; *row->flags && f < FLAGS; f++)
		tally->flagged[f] += result_has_flag(row, flag_findings[f].flag);
	tally->foreign += !coll && !result_is_step(row);
	tally->untimed += coll && !study_is_timed(row) && !study_is_dataless(row);
	tally->single += row->nranks == 1;
	if (coll)
		count_primitive(study, i, coll->id, &tally->primitives[coll->id]);
}

/* ", point 13" of the file, as far as it is known. */
static struct finding_text place_of(const struct study *study, size_t i)
{
	const struct result *row = rows_get(study->rows, i);
	struct finding_text text;
	int used = snprintf(text.text, sizeof text.text, "%.300s", rows_source(study->rows, i));

	if (row->point != RESULT_NONE)
		snprintf(text.text + used, sizeof text.text - (size_t)used, ", point %lld", (long long)row->point);
	return text;
}

static int tell_wrong(struct findings *findings, const struct study *study, size_t c, const struct primitive *primitive)
{
	const struct result *first;

	if (primitive->wrong == 0)
		return 0;
	first = rows_get(study->rows, primitive->first_wrong);
	findings->wrong_data = true;
	return findings_add(findings, FINDING_ERROR,
			    "%s: WRONG DATA in %zu of %zu points (first: %s%s%s, %s%s%s, %s, %lld elements) [%s]",
			    collectives[c]->name, primitive->wrong, primitive->all, first->variant, *first->variant ? ", " : "",
			    human_size((double)first->bytes).text, first->type, *first->redop ? " " : "", first->redop,
			    first->placement, (long long)first->wrong, place_of(study, primitive->first_wrong).text);
}

static int add_above(struct findings *findings, enum above_kind kind, size_t total, const char *text)
{
	if (total == 0)
		return 0;
	if (kind == ABOVE_ROUGH)
		return findings_add(findings, FINDING_NOTE, "%zu points faster than the rough lower bound: %s", total, text);
	if (kind == ABOVE_SLIGHTLY)
		return findings_add(
			findings, FINDING_NOTE,
			"%zu points faster than the lower bound by no more than launches differ: %s. Alpha and B are of the "
			"launches of sendrecv: measure with --repeat 5 or more",
			total, text);
	return findings_add(findings, FINDING_WARNING,
			    "above bound, faster than the lower bound allows: %s. Usual reasons: alpha or B describe another "
			    "protocol or path than these sizes use, data stays in a cache, several links work at once, the "
			    "network reduces, or ranks did not start together",
			    text);
}

/* One finding for all primitives: its reasons are the same. */
static int tell_above(struct findings *findings, const struct study *study, const struct tally *tally, enum above_kind kind)
{
	char *text = NULL;
	size_t length = 0, total = 0;
	FILE *out = open_memstream(&text, &length);
	int rc;

	if (!out)
		return array_failed();
	for (size_t c = 0; c < COLL_COUNT; c++) {
		const struct primitive *primitive = &tally->primitives[c];
		const struct above *above = &primitive->above[kind];

		if (above->count > 0)
			fprintf(out, "%s%s %zu of %zu points (up to %s times, at %s) [%s]", total > 0 ? ", " : "",
				collectives[c]->name, above->count, primitive->all, human_times(above->most).text,
				human_size((double)rows_get(study->rows, above->row)->bytes).text,
				place_of(study, above->row).text);
		total += above->count;
	}
	if (fclose(out)) {
		free(text);
		return array_failed();
	}
	rc = add_above(findings, kind, total, text);
	free(text);
	return rc;
}

static int tell_flags(struct findings *findings, const struct tally *tally)
{
	for (size_t f = 0; f < FLAGS; f++) {
		if (tally->flagged[f] > 0 && findings_add(findings, flag_findings[f].level, "%zu of %zu points %s",
							  tally->flagged[f], tally->all, flag_findings[f].text))
			return -1;
	}
	return 0;
}

static int tell_left_out(struct findings *findings, const struct tally *tally)
{
	if (tally->foreign &&
	    findings_add(findings, FINDING_WARNING, "%zu rows of an unknown primitive are left out", tally->foreign))
		return -1;
	if (tally->untimed &&
	    findings_add(findings, FINDING_NOTE, "%zu rows without a usable size or time are not plotted", tally->untimed))
		return -1;
	return tally->single ? findings_add(findings, FINDING_NOTE,
					    "%zu rows of one rank: no traffic between ranks, hence no bounds", tally->single)
			     : 0;
}

static int tell(struct findings *findings, const struct study *study, const struct tally *tally)
{
	for (size_t c = 0; c < COLL_COUNT; c++) {
		if (tell_wrong(findings, study, c, &tally->primitives[c]))
			return -1;
	}
	if (tell_above(findings, study, tally, ABOVE_CLEARLY) || tell_flags(findings, tally) ||
	    tell_above(findings, study, tally, ABOVE_SLIGHTLY) || tell_above(findings, study, tally, ABOVE_ROUGH))
		return -1;
	return tell_left_out(findings, tally);
}

int finding_rows(struct findings *findings, const struct study *study)
{
	struct tally *tallies = calloc(study->runs.count + 1, sizeof *tallies);
	int rc = 0;

	if (!tallies)
		return array_failed();
	for (size_t i = 0; i < rows_count(study->rows); i++) {
		if (!rows_is_repeat(study->rows, i))
			count(study, i, &tallies[study->runs.of[i]]);
	}
	for (size_t r = 0; rc == 0 && r < study->runs.count; r++) {
		findings->run = study->runs.names[r];
		rc = tell(findings, study, &tallies[r]);
	}
	findings->run = NULL;
	free(tallies);
	return rc;
}
