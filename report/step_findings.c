/* SPDX-License-Identifier: Apache-2.0
 *
 * Wrong data, turns, overlap that is missing, buckets that do not pay.
 */
#include "step_findings.h"

#include <math.h>
#include <string.h>

#include "human.h"
#include "step_words.h"

/* All lines of one file. */
struct tally {
	size_t rows, turns; /* of points; of them of ranks that took turns */
	size_t wrong;       /* rows beside them */
	const struct result *first;
};

static struct tally tally_of(const struct step_part *part, const char *source)
{
	struct tally tally = { .rows = 0 };

	for (size_t l = 0; l < part->nlines + part->nlost; l++) {
		const struct step_line *line = &part->lines[l];

		if (line->source != source)
			continue;
		tally.rows += line->taken;
		tally.wrong += line->wrong;
		tally.turns += line->turns;
		tally.first = tally.first ? tally.first : line->first_wrong;
	}
	return tally;
}

static int find_wrong(struct findings *findings, const struct tally *tally)
{
	const struct result *first = tally->first;

	if (!first)
		return 0;
	findings->wrong_data = true;
	return findings_add(
		findings, FINDING_ERROR,
		"training steps: WRONG DATA in %zu of %zu rows (first: %.30s%s%s, %.30s, %s of gradients, %lld elements)",
		tally->wrong, tally->rows + tally->wrong, first->strategy,
		first->bucket_cap == RESULT_NONE ? "" : ", buckets of ",
		first->bucket_cap == RESULT_NONE ? "" : human_size((double)first->bucket_cap).text, first->progress,
		human_size((double)first->bytes).text, (long long)first->wrong);
}

/* Each file of a part is told by its first line. */
static int find_in_file(struct findings *findings, const struct step_part *part, size_t l)
{
	const char *source = part->lines[l].source;
	struct tally tally;

	for (size_t before = 0; before < l; before++)
		if (part->lines[before].source == source)
			return 0;
	tally = tally_of(part, source);
	if (find_wrong(findings, &tally))
		return -1;
	return tally.turns == 0 ? 0
				: findings_add(findings, FINDING_WARNING, "training steps: in %zu of %zu rows %s", tally.turns,
					       tally.rows, step_words_turns);
}

/* Why little is hidden; *within: ranks of one host move data themselves, whatever progress they have. */
static const char *usual_reasons(const struct step_line *line, bool *within)
{
	const bool device = strcmp(line->key->progress, RESULT_DEVICE) == 0;

	*within = !device && line->key->nnodes == 1;
	if (*within)
		return "Ranks of one host copy and add the data with the cores that compute, so that hardly more than waiting "
		       "can be hidden";
	if (device)
		return "Usual reasons: a kernel that leaves no room for communication, or one bucket for all";
	if (strcmp(line->key->progress, RESULT_THREAD) == 0)
		return "Usual reasons: no core for the progress thread, or one bucket for all";
	return "Usual reasons: polled too seldom, one bucket for all, or a network whose data the cores move";
}

/* What its interval leaves open, too: the most that may be hidden. Rows that do not tell it have that of the step. */
static bool hides_little(const struct step_point *point)
{
	const double least = isfinite(point->low - point->exposed) ? fmax(0, point->exposed - (point->time - point->low))
								   : point->exposed;
	const double most = isfinite(point->overlap_high) ? point->overlap_high : 1 - least / point->comm;

	return point->overlap < step_words_little && !(most >= step_words_little);
}

/* "only 5 %", "none" */
static struct human hidden(const struct step_point *point)
{
	struct human text;

	snprintf(text.text, sizeof text.text, "%s%.40s", point->overlap > 0 ? "only " : "none",
		 point->overlap > 0 ? human_percent(point->overlap).text : "");
	return text;
}

static struct human exposure(const struct step_point *point)
{
	struct human text;

	snprintf(text.text, sizeof text.text,
		 point->overlap > 0 ? "%.15s of %.15s are exposed" : "%.15s are exposed, alone it takes %.15s",
		 human_time(point->exposed).text, human_time(point->comm).text);
	return text;
}

/* Of the best step: others may have too few buckets. */
static int find_overlap(struct findings *findings, const struct step_part *part, const struct step_line *line, bool *told)
{
	const struct step_point *best = step_best(line);
	const bool nobody = strcmp(line->key->progress, RESULT_NOBODY) == 0;
	const char *reasons;
	bool within;

	if (!step_may_overlap(line) || best->turns || !hides_little(best) || (nobody && *told) || part->key->nranks < 2)
		return 0;
	*told = *told || nobody;
	if (nobody)
		return findings_add(findings, FINDING_NOTE, "training steps: %s hides %s of its communication behind compute: %s",
				    line->label, hidden(best).text, step_words_nobody);
	reasons = usual_reasons(line, &within);
	return findings_add(findings, within ? FINDING_NOTE : FINDING_WARNING,
			    "training steps: %s hides %s of its communication behind compute (%s). %s", line->label,
			    hidden(best).text, exposure(best).text, reasons);
}

/* Between steps of one file: others may be of another day. By the same progress, if there is one: flat steps need none. */
static const struct step_line *find_flat(const struct step_part *part, const struct step_line *line)
{
	const struct step_line *found = NULL;

	for (size_t l = 0; l < part->nlines; l++) {
		const struct step_line *flat = &part->lines[l];

		if (step_is_strategy(flat, RESULT_FLAT) && flat->source == line->source && step_same_compute(flat, line) &&
		    (!found || strcmp(flat->key->progress, line->key->progress) == 0))
			found = flat;
	}
	return found;
}

/* Most of its rows: late or noisy. */
static bool is_disturbed(const struct step_line *line)
{
	return line->disturbed * 2 > line->taken;
}

static int find_slower(struct findings *findings, const struct step_part *part, const struct step_line *line)
{
	const struct step_line *flat = step_is_strategy(line, RESULT_BUCKETED) ? find_flat(part, line) : NULL;
	const struct step_point *best = step_best(line);
	struct human by;

	if (!flat || best->turns || step_best(flat)->turns || !step_is_slower(best, step_best(flat)))
		return 0;
	by = step_words_by(best, step_best(flat));
	return findings_add(
		findings, is_disturbed(line) || is_disturbed(flat) ? FINDING_NOTE : FINDING_WARNING,
		"training steps: %s takes %s at its best size of buckets (%s), %s more than flat, which sends all gradients in "
		"one call after the backward pass (%s)%s: buckets cost more here than their overlap saves",
		line->label, human_time(best->time).text, human_size((double)best->cap).text,
		human_percent(step_ratio(best, step_best(flat)) - 1).text, human_time(step_best(flat)->time).text, by.text);
}

static int find_in_part(struct findings *findings, const struct step_part *part)
{
	bool told = false;

	for (size_t l = 0; l < part->nlines + part->nlost; l++) {
		const struct step_line *line = &part->lines[l];

		findings->run = line->run;
		if (find_in_file(findings, part, l))
			return -1;
		if (l < part->nlines && (find_slower(findings, part, line) || find_overlap(findings, part, line, &told)))
			return -1;
	}
	return 0;
}

static int find_contradictions(struct findings *findings, const struct study *study, const struct step_study *steps)
{
	const struct result *row;
	char point[40] = "";

	if (steps->contradictory == 0)
		return 0;
	if (steps->contradictory_wrong > 0) {
		findings->wrong_data = true;
		if (findings_add(findings, FINDING_ERROR,
				 "training steps: WRONG DATA in %zu rows that contradict themselves besides",
				 steps->contradictory_wrong))
			return -1;
	}
	row = rows_get(study->rows, steps->contradiction);
	if (row->point != RESULT_NONE)
		snprintf(point, sizeof point, ", point %lld", (long long)row->point);
	return findings_add(findings, FINDING_WARNING,
			    "%zu row%s of training steps contradict%s %s left out (first: %.30s of %.300s%s has %s)",
			    steps->contradictory, steps->contradictory == 1 ? "" : "s", steps->contradictory == 1 ? "s" : "",
			    steps->contradictory == 1 ? "itself and is" : "themselves and are", row->strategy,
			    rows_source(study->rows, steps->contradiction), point, step_contradiction(row));
}

int step_findings(struct findings *findings, const struct study *study, const struct step_study *steps)
{
	int rc = find_contradictions(findings, study, steps);

	for (size_t p = 0; p < steps->count && rc == 0; p++)
		rc = find_in_part(findings, &steps->parts[p]);
	findings->run = NULL;
	if (rc == 0 && steps->left_out > 0)
		rc = findings_add(
			findings, FINDING_WARNING,
			"%zu rows of training steps are left out: over %d settings, or over %d strategies and files of one",
			steps->left_out, STEP_MOST_PARTS, STEP_MOST_LINES);
	return rc;
}
