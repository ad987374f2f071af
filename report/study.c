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
#include "series.h"

static const double shortest = 1e-12, longest = 1e12; /* seconds; outside, squares and ratios leave the range of a double */

static const double given_tolerance = 0.02, fitted_tolerance = 0.10, most_tolerance = 0.50;

bool study_is_timed(const struct result *row)
{
	return collective_find(row->collective) && row->nranks >= 1 && row->bytes > 0 && row->time >= shortest &&
	       row->time <= longest;
}

/* The part of a file name up to its last '/', without it; "." where there is none. */
static char *folder_of(const char *source)
{
	const char *slash = strrchr(source, '/');

	return slash ? strndup(source, slash == source ? 1 : (size_t)(slash - source)) : strdup(".");
}

static bool machine_owns(const struct machine *machine, const char *source, const struct result *row)
{
	const char *slash = strrchr(source, '/');
	size_t length = slash ? (slash == source ? 1 : (size_t)(slash - source)) : 1;

	return machine->key->nranks == row->nranks && machine->key->nnodes == row->nnodes &&
	       strcmp(machine->key->backend, row->backend) == 0 && strcmp(machine->key->path, row->path) == 0 &&
	       strlen(machine->folder) == length && strncmp(machine->folder, slash ? source : ".", length) == 0;
}

const struct machine *study_machine(const struct study *study, size_t i)
{
	const struct result *row = rows_get(study->rows, i);
	const char *source = rows_source(study->rows, i);
	size_t m = 0;

	while (m + 1 < study->nmachines && !machine_owns(&study->machines[m], source, row))
		m++;
	return &study->machines[m];
}

static int find_machines(struct study *study)
{
	for (size_t i = 0; i < rows_count(study->rows); i++) {
		const struct result *row = rows_get(study->rows, i);
		const char *source = rows_source(study->rows, i);
		struct machine *grown;
		size_t m = 0;

		while (m < study->nmachines && !machine_owns(&study->machines[m], source, row))
			m++;
		if (m < study->nmachines)
			continue;
		grown = array_grow(study->machines, study->nmachines, sizeof *grown);
		if (!grown)
			return -1;
		study->machines = grown;
		grown[m] = (struct machine){
			.key = row, .folder = folder_of(source), .run = study->runs.of[i], .alpha = NAN, .bandwidth = NAN
		};
		if (!grown[m].folder)
			return array_failed();
		study->nmachines++;
	}
	return 0;
}

static bool is_fit_row(const struct result *row)
{
	return strcmp(row->collective, "sendrecv") == 0 && study_is_timed(row) && row->nranks >= 2 &&
	       strcmp(row->placement, RESULT_IN_PLACE) && !result_takes_turns(row);
}

static int fit_machine(struct study *study, struct machine *machine)
{
	size_t count = rows_count(study->rows);
	struct fit_point *points = malloc((count + 1) * sizeof *points);
	int rc;

	if (!points)
		return array_failed();
	for (size_t i = 0; i < count; i++) {
		const struct result *row = rows_get(study->rows, i);

		if (is_fit_row(row) && !rows_is_repeat(study->rows, i) && machine_owns(machine, rows_source(study->rows, i), row))
			points[machine->fit_rows++] = (struct fit_point){ .bytes = (double)row->bytes, .time = row->time };
	}
	rc = fit_line(points, machine->fit_rows, &machine->fit);
	free(points);
	return rc;
}

static int learn_machine(struct study *study, struct machine *machine)
{
	machine->given = study->options->given;
	if (machine->given) {
		machine->alpha = study->options->alpha;
		machine->bandwidth = study->options->bandwidth;
		machine->known = true;
	} else {
		if (fit_machine(study, machine))
			return -1;
		machine->known = fit_is_usable(&machine->fit);
		if (machine->known) {
			machine->alpha = machine->fit.alpha;
			machine->bandwidth = machine->fit.bandwidth;
		}
	}
	bounds_learn(machine, study->options);
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

int study_build(const struct report_options *options, const struct rows *rows, struct study *study)
{
	*study = (struct study){ .options = options, .rows = rows };
	if (runs_build(options, rows, &study->runs) || find_machines(study))
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
	for (size_t m = 0; m < study->nmachines; m++)
		free((char *)study->machines[m].folder);
	free(study->machines);
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
		       : fmin(most_tolerance, fmax(fitted_tolerance, 3 * machine->fit.residual));
}
