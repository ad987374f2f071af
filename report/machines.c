/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows to machines. There may be a million of either, so that each row is looked up and each sendrecv row put to its machine's others once.
 */
#include "machines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "index.h"
#include "wiring.h"

/* A folder by the name of a file in it: up to the last '/', without it; "." where there is none. */
struct folder {
	const char *text;
	size_t length;
};

static struct folder folder_of(const char *source)
{
	const char *slash = strrchr(source, '/');

	if (!slash)
		return (struct folder){ ".", 1 };
	return (struct folder){ source, slash == source ? 1 : (size_t)(slash - source) };
}

/* A row that looks for its machine. */
struct seeker {
	const struct study *study;
	const struct result *row;
	struct folder folder;
	const char *file; /* NULL: all files of the folder are of its machine */
};

static bool machine_owns(const void *context, size_t number)
{
	const struct seeker *seeker = context;
	const struct machine *machine = &seeker->study->machines[number];
	const struct result *row = seeker->row;

	return machine->file == seeker->file && machine->key->nranks == row->nranks && machine->key->nnodes == row->nnodes &&
	       strcmp(machine->key->backend, row->backend) == 0 && strcmp(machine->key->path, row->path) == 0 &&
	       strlen(machine->folder) == seeker->folder.length &&
	       memcmp(machine->folder, seeker->folder.text, seeker->folder.length) == 0;
}

static uint64_t seeker_hash(const struct seeker *seeker)
{
	uint64_t hash = index_mix(index_mix(seeker->folder.length, (uint64_t)seeker->row->nranks), (uint64_t)seeker->row->nnodes);

	hash = index_mix(hash, (uint64_t)(uintptr_t)seeker->file);
	for (size_t i = 0; i < seeker->folder.length; i++)
		hash = index_mix(hash, (unsigned char)seeker->folder.text[i]);
	return index_mix_text(index_mix_text(hash, seeker->row->backend), seeker->row->path);
}

static int machine_add(struct study *study, const struct seeker *seeker, size_t run)
{
	struct machine *grown = array_grow(study->machines, study->nmachines, sizeof *grown);

	if (!grown)
		return -1;
	study->machines = grown;
	grown[study->nmachines] = (struct machine){ .key = seeker->row, .run = run, .alpha = NAN, .bandwidth = NAN };
	grown[study->nmachines].folder = strndup(seeker->folder.text, seeker->folder.length);
	grown[study->nmachines].file = seeker->file;
	grown[study->nmachines].name = seeker->file ? seeker->file : grown[study->nmachines].folder;
	return grown[study->nmachines++].folder ? 0 : array_failed();
}

/* Files of a run directory describe one machine; files that lie side by side by chance may be of any. */
static const char *file_alone(const struct study *study, size_t i)
{
	const char *source = rows_source(study->rows, i);
	size_t run = study->runs.of[i];

	return study->runs.alone[run] && strcmp(study->runs.names[run], source) == 0 ? source : NULL;
}

static int machine_find(struct study *study, struct index *index, size_t i)
{
	const struct result *row = rows_get(study->rows, i);
	struct seeker seeker = { study, row, folder_of(rows_source(study->rows, i)), file_alone(study, i) };
	uint64_t hash;
	size_t m;

	if (result_is_pair(row) || result_is_step(row)) {
		study->machine_of[i] = STUDY_NO_MACHINE;
		return 0;
	}
	/* Most rows are of the machine of the row before. */
	if (i > 0 && study->machine_of[i - 1] != STUDY_NO_MACHINE && machine_owns(&seeker, study->machine_of[i - 1])) {
		study->machine_of[i] = study->machine_of[i - 1];
		return 0;
	}
	hash = seeker_hash(&seeker);
	m = index_find(index, hash, machine_owns, &seeker);
	if (m == INDEX_NONE) {
		m = study->nmachines;
		if (index_add(index, hash, m))
			return array_failed();
		if (machine_add(study, &seeker, study->runs.of[i]))
			return -1;
	}
	study->machine_of[i] = m;
	return 0;
}

int machines_find(struct study *study)
{
	struct index index = { 0 };
	int rc = 0;

	study->machine_of = malloc((rows_count(study->rows) + 1) * sizeof *study->machine_of);
	if (!study->machine_of)
		return array_failed();
	for (size_t i = 0; i < rows_count(study->rows) && rc == 0; i++)
		rc = machine_find(study, &index, i);
	index_clear(&index);
	return rc;
}

static bool is_fit_row(const struct study *study, size_t i)
{
	const struct result *row = rows_get(study->rows, i);

	return strcmp(row->collective, "sendrecv") == 0 && !result_is_pair(row) && !*row->variant && study_is_timed(row) &&
	       row->nranks >= 2 && strcmp(row->placement, RESULT_IN_PLACE) && !result_takes_turns(row) &&
	       !rows_is_repeat(study->rows, i);
}

/* The points of all machines, those of each behind one another, from first[m] on. */
static void sort_points(const struct study *study, struct fit_point *points, size_t *first)
{
	size_t all = 0;

	for (size_t m = 0; m < study->nmachines; m++) {
		first[m] = all;
		all += study->machines[m].fit_rows;
		study->machines[m].fit_rows = 0;
	}
	for (size_t i = 0; i < rows_count(study->rows); i++) {
		const struct result *row = rows_get(study->rows, i);
		size_t m = study->machine_of[i];

		if (is_fit_row(study, i))
			points[first[m] + study->machines[m].fit_rows++] = (struct fit_point){ .bytes = (double)row->bytes,
											       .time = row->time };
	}
}

int machines_fit(struct study *study)
{
	size_t all = 0;
	size_t *first = malloc((study->nmachines + 1) * sizeof *first);
	struct fit_point *points;
	int rc = 0;

	for (size_t i = 0; i < rows_count(study->rows); i++) {
		bool fit = is_fit_row(study, i);

		if (!fit)
			continue;
		study->machines[study->machine_of[i]].fit_rows++;
		all++;
	}
	points = malloc((all + 1) * sizeof *points);
	if (!first || !points) {
		rc = array_failed();
	} else {
		sort_points(study, points, first);
		for (size_t m = 0; m < study->nmachines && rc == 0; m++)
			rc = fit_line(points + first[m], study->machines[m].fit_rows, &study->machines[m].fit);
	}
	free(first);
	free(points);
	return rc;
}

void machines_clear(struct study *study)
{
	for (size_t m = 0; m < study->nmachines; m++) {
		wiring_forget(study->machines[m].own);
		free((char *)study->machines[m].folder);
	}
	free(study->machines);
	free(study->machine_of);
	study->machines = NULL;
	study->machine_of = NULL;
	study->nmachines = 0;
}
