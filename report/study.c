/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines, and what the models say of them. The series of the figures are made in series.c.
 */
#include "study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "bounds.h"
#include "facts.h"
#include "machines.h"
#include "series.h"

static const double shortest = 1e-12, longest = 1e12; /* seconds; outside, squares and ratios leave the range of a double */

static const double given_tolerance = 0.02, fitted_tolerance = 0.10, most_tolerance = 0.50;

bool study_is_timed(const struct result *row)
{
	return collective_find(row->collective) && row->nranks >= 1 && row->bytes > 0 && row->time >= shortest &&
	       row->time <= longest;
}

bool study_is_dataless(const struct result *row)
{
	const struct collective *coll = collective_find(row->collective);

	return coll && (coll->flags & COLL_NO_DATA) && row->nranks >= 1 && row->time >= shortest && row->time <= longest;
}

const struct machine *study_machine(const struct study *study, size_t i)
{
	return &study->machines[study->machine_of[i]];
}

static int learn_machine(const struct study *study, struct machine *machine)
{
	const struct facts *facts = facts_in(study->facts, study->nfacts, machine->folder);
	bool failed = false;

	machine->own = facts ? wiring_options(&facts->wiring, machine->key, study->options, &failed) : NULL;
	if (failed)
		return -1;
	machine->given = study->options->given;
	if (machine->given) {
		machine->alpha = study->options->alpha;
		machine->bandwidth = study->options->bandwidth;
		machine->known = true;
	} else {
		machine->known = fit_is_usable(&machine->fit);
		if (machine->known) {
			machine->alpha = machine->fit.alpha;
			machine->bandwidth = machine->fit.bandwidth;
		}
	}
	bounds_learn(machine, machine->own ? machine->own : study->options);
	return 0;
}

static void count_above(struct study *study)
{
	for (size_t i = 0; i < rows_count(study->rows); i++) {
		double ratio = study_row_bounds(study, i).lb / rows_get(study->rows, i)->time;
		struct figure *figure = study->figures;

		if (!(ratio > 1) || rows_is_repeat(study->rows, i))
			continue;
		while (strcmp(figure->coll->name, rows_get(study->rows, i)->collective))
			figure++;
		if (figure->singleton)
			continue;
		figure->above++;
		figure->most_above = fmax(figure->most_above, ratio);
	}
}

int study_build(const struct report_options *options, const struct rows *rows, const struct facts *facts, size_t nfacts,
		struct study *study)
{
	*study = (struct study){ .options = options, .rows = rows, .facts = facts, .nfacts = nfacts, .totals = totals_of(rows) };
	if (runs_build(options, rows, &study->runs) || machines_find(study) || (!options->given && machines_fit(study)))
		goto fail;
	for (size_t m = 0; m < study->nmachines; m++) {
		if (learn_machine(study, &study->machines[m]))
			goto fail;
	}
	if (series_build(study))
		goto fail;
	count_above(study);
	return 0;
fail:
	study_clear(study);
	return -1;
}

void study_clear(struct study *study)
{
	machines_clear(study);
	runs_clear(&study->runs);
	series_clear(study);
	*study = (struct study){ 0 };
}

bool study_is_rough(const struct machine *machine)
{
	return machine->known && !machine->given && !machine->linked && machine->fit.verdict == FIT_POOR;
}

double study_tolerance(const struct machine *machine)
{
	return machine->given || machine->bandwidth_only
		       ? given_tolerance
		       : fmin(most_tolerance, fmax(fitted_tolerance, fmax(3 * machine->fit.residual, machine->fit.below)));
}
