/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks through a study for what spoils its figures: what belongs to no part of its own, and the order of the parts.
 */
#include "findings.h"

#include "compare.h"
#include "finding_parts.h"
#include "series.h"
#include "verdict.h"

enum { MOST_NOTES = 12 };

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

static int find_singletons(struct findings *findings, const struct study *study)
{
	for (size_t c = 0; c < COLL_COUNT; c++) {
		if (find_singleton(findings, &study->figures[c]))
			return -1;
	}
	return 0;
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

static int find_machines(struct findings *findings, const struct study *study)
{
	int rc = 0;

	for (size_t r = 0; rc == 0 && r < study->runs.count; r++) {
		findings->run = study->runs.names[r];
		rc = finding_machines(findings, study, r);
	}
	findings->run = NULL;
	return rc;
}

static int find_in_curves(struct findings *findings, const struct study *study)
{
	struct finding_view view;
	int rc = finding_view_build(study, &view);

	if (rc == 0)
		rc = finding_launches(findings, &view) || finding_shapes(findings, &view) || finding_pairs(findings, &view) ||
				     finding_guides(findings, &view) || finding_uneven(findings, &view)
			     ? -1
			     : 0;
	finding_view_clear(&view);
	return rc;
}

/* Of the same operation on as many ranks: other runs, paths, algorithms, libraries. */
static bool is_contest(const struct comparison *comparison)
{
	const struct result *key = comparison->series->key, *base = comparison->base->key;

	return key->nranks == base->nranks && key->nnodes == base->nnodes && series_same_operation(key, base);
}

static bool rests_on_one_launch(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->npoints; i++) {
		if (comparison->points[i].launches == 1 || comparison->points[i].base_launches == 1)
			return true;
	}
	return false;
}

static int find_launches(struct findings *findings, const struct study *study)
{
	size_t all = 0, few = 0;

	for (size_t c = 0; c < COLL_COUNT; c++) {
		for (size_t i = 0; i < study->figures[c].ncomparisons; i++) {
			const struct comparison *comparison = &study->figures[c].comparisons[i];

			if (!is_contest(comparison))
				continue;
			all++;
			few += rests_on_one_launch(comparison);
		}
	}
	if (few == 0)
		return 0;
	return findings_add(
		findings, FINDING_NOTE,
		"%zu of %zu comparisons rest on one launch of a side: launches with nothing changed differ by a fifth and "
		"more on some machines, so they decide nothing; measure with --repeat 5 or more",
		few, all);
}

int findings_collect(struct findings *findings, const struct study *study)
{
	if (find_singletons(findings, study) || find_notes(findings, study) || finding_rows(findings, study) ||
	    find_machines(findings, study) || finding_topology(findings, study) || find_in_curves(findings, study) ||
	    verdict_findings(findings, study) || finding_ranks(findings, study) || find_launches(findings, study))
		return -1;
	return find_unplotted(findings, study);
}
