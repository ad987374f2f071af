/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a side to one cell a launch and point: copies are counted once, several cycles of one launch become their median.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../collectives/collective.h"
#include "../array.h"
#include "sheet_parts.h"

struct entry {
	const struct result *row;
	int64_t bytes, point; /* of the row, which lies far away */
	uint32_t key, launch, number;
	bool in_place, repeat;
};

struct gathering {
	struct gate_gathered *side;
	struct entry *entries;
	size_t nentries;
	struct index index; /* launches by what they are of */
	size_t last;        /* launch that a row was found to be of */
	long most_wrong;    /* of any row */
};

/* A row that looks for its launch. */
struct seeker {
	const struct gathering *gathering;
	struct gate_launch launch;
};

/* Texts of one pool: their addresses stand for them. Files of one name may be given by different inputs. */
static bool owns(const void *context, size_t number)
{
	const struct seeker *seeker = context;
	const struct gate_launch *launch = &seeker->gathering->side->launches[number], *sought = &seeker->launch;

	return launch->run == sought->run && launch->collective == sought->collective && launch->era == sought->era &&
	       (*sought->run || launch->source == sought->source);
}

static size_t find_launch(struct gathering *gathering, const struct gate_launch *launch)
{
	struct seeker seeker = { gathering, *launch };
	struct gate_gathered *side = gathering->side;
	const char *texts[] = { launch->run, launch->collective, *launch->run ? NULL : launch->source };
	uint64_t hash = launch->era;
	struct gate_launch *grown;
	size_t found;

	if (gathering->last < side->nlaunches && owns(&seeker, gathering->last))
		return gathering->last;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		hash = index_mix(hash, (uint64_t)(uintptr_t)texts[i]);
	found = index_find(&gathering->index, hash, owns, &seeker);
	if (found != INDEX_NONE)
		return gathering->last = found;
	grown = array_grow(side->launches, side->nlaunches, sizeof *grown);
	if (!grown)
		return SIZE_MAX;
	side->launches = grown;
	if (index_add(&gathering->index, hash, side->nlaunches)) {
		array_failed();
		return SIZE_MAX;
	}
	grown[side->nlaunches] = *launch;
	return gathering->last = side->nlaunches++;
}

static void take_time(struct gate_gathered *side, struct gate_launch *launch, double seconds)
{
	launch->started = fmin(launch->started, seconds);
	side->first = fmin(side->first, seconds);
	side->last = fmax(side->last, seconds);
}

static int take_row(struct gathering *gathering, struct gate_keys *keys, enum gate_side_id id, const struct runs *runs, size_t i)
{
	const struct rows *rows = gathering->side->side->rows;
	struct entry entry = { .row = rows_get(rows, i), .number = (uint32_t)i, .repeat = rows_is_repeat(rows, i) };
	struct gate_launch launch = { .run = entry.row->run,
				      .collective = entry.row->collective,
				      .source = rows_source(rows, i),
				      .era = runs->of[i],
				      .started = NAN,
				      .points = RESULT_NONE };
	size_t key = gate_keys_find(keys, id, entry.row), number = find_launch(gathering, &launch);
	struct gate_launch *of;
	struct entry *grown = array_grow(gathering->entries, gathering->nentries, sizeof *grown);

	if (grown)
		gathering->entries = grown;
	if (!grown || key == SIZE_MAX || number == SIZE_MAX)
		return -1;
	of = &gathering->side->launches[number];
	take_time(gathering->side, of, gate_seconds(entry.row->timestamp));
	if (entry.row->points > of->points)
		of->points = entry.row->points;
	entry.bytes = entry.row->bytes;
	entry.point = entry.row->point;
	entry.key = (uint32_t)key;
	entry.launch = (uint32_t)number;
	entry.in_place = strcmp(entry.row->placement, RESULT_IN_PLACE) == 0;
	grown[gathering->nentries++] = entry;
	return 0;
}

static int take_rows(struct gathering *gathering, struct gate_keys *keys, enum gate_side_id id, const struct runs *runs)
{
	struct gate_gathered *side = gathering->side;
	const struct rows *rows = side->side->rows;

	for (size_t i = 0; i < rows_count(rows); i++) {
		const struct result *row = rows_get(rows, i);
		bool pair = result_is_pair(row), step = result_is_step(row), known = collective_find(row->collective) != NULL;

		if (row->wrong > gathering->most_wrong)
			gathering->most_wrong = row->wrong;
		if (!pair && known) {
			if (take_row(gathering, keys, id, runs, i))
				return -1;
			continue;
		}
		if (rows_is_repeat(rows, i))
			continue;
		side->pairs += pair;
		side->steps += step;
		side->foreign += !pair && !step;
		if (!pair && !step)
			side->foreign_name = row->collective;
		if (row->wrong > 0)
			side->wrong = gate_add(side->wrong, row->wrong);
	}
	return 0;
}

/* Launches as they are sorted. */
struct ranked {
	double started;
	size_t number;
};

static int by_start(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->started != b->started)
		return a->started < b->started ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Launches in the order of time, if all have one. */
static int sort_launches(struct gathering *gathering)
{
	struct gate_gathered *side = gathering->side;
	size_t n = side->nlaunches;
	struct ranked *ranked = malloc((n + 1) * sizeof *ranked);
	struct gate_launch *sorted = malloc((n + 1) * sizeof *sorted);
	uint32_t *place = malloc((n + 1) * sizeof *place);
	bool timed = true;

	for (size_t i = 0; i < n; i++)
		timed = timed && !isnan(side->launches[i].started);
	for (size_t i = 0; ranked && i < n; i++)
		ranked[i] = (struct ranked){ timed ? side->launches[i].started : 0, i };
	if (ranked && sorted && place) {
		qsort(ranked, n, sizeof *ranked, by_start);
		for (size_t i = 0; i < n; i++) {
			sorted[i] = side->launches[ranked[i].number];
			place[ranked[i].number] = (uint32_t)i;
		}
		for (size_t i = 0; i < gathering->nentries; i++)
			gathering->entries[i].launch = place[gathering->entries[i].launch];
		free(side->launches);
		side->launches = sorted;
		sorted = NULL;
	}
	timed = ranked && place && !sorted;
	free(ranked);
	free(sorted);
	free(place);
	return timed ? 0 : array_failed();
}

static int compare(int64_t left, int64_t right)
{
	return (left > right) - (left < right);
}

/* By cell, and there by point: copies stand behind what they are copies of, as they were read later. */
static int by_cell(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = compare(a->key, b->key);

	if (order == 0)
		order = compare(a->in_place, b->in_place);
	if (order == 0)
		order = compare(a->bytes, b->bytes);
	if (order == 0)
		order = compare(a->launch, b->launch);
	if (order == 0)
		order = compare(a->point, b->point);
	return order ? order : compare(a->number, b->number);
}

static bool same_cell(const struct entry *a, const struct entry *b)
{
	return a->key == b->key && a->in_place == b->in_place && a->bytes == b->bytes && a->launch == b->launch;
}

/* Moves the rows that count to the front: no copies of a row there (the same point again), nothing where the original is of another launch. */
static size_t keep(struct entry *cell, size_t n)
{
	bool original = false;
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		original = original || !cell[i].repeat;
	for (size_t i = 0; original && i < n; i++) {
		if (!cell[i].repeat || kept == 0 || cell[i].point != cell[kept - 1].point)
			cell[kept++] = cell[i];
	}
	return kept;
}

static int add_cell(struct gate_gathered *side, const struct entry *entries, size_t n)
{
	struct gate_cell *grown = array_grow(side->cells, side->ncells, sizeof *grown);
	struct gate_cell cell = {
		.row = entries->row, .key = entries->key, .launch = entries->launch, .in_place = entries->in_place
	};
	double *times = malloc(n * sizeof *times);

	if (grown)
		side->cells = grown;
	if (!grown || !times) {
		free(times);
		return grown ? array_failed() : -1;
	}
	for (size_t i = 0; i < n; i++) {
		times[i] = entries[i].row->time;
		cell.traits |= gate_traits(entries[i].row);
		if (entries[i].row->wrong > 0)
			cell.wrong = gate_add(cell.wrong, entries[i].row->wrong);
	}
	cell.time = gate_median(times, n);
	cell.log_time = log(cell.time);
	if (!isfinite(cell.log_time))
		cell.log_time = NAN;
	free(times);
	side->wrong = gate_add(side->wrong, cell.wrong);
	side->launches[cell.launch].kept += n;
	grown[side->ncells++] = cell;
	return 0;
}

static int make_cells(struct gathering *gathering)
{
	struct entry *entries = gathering->entries;
	struct gate_gathered *side = gathering->side;

	if (gathering->nentries > 0)
		qsort(entries, gathering->nentries, sizeof *entries, by_cell);
	for (size_t first = 0, end; first < gathering->nentries; first = end) {
		size_t kept;

		for (end = first + 1; end < gathering->nentries && same_cell(&entries[first], &entries[end]);)
			end++;
		kept = keep(entries + first, end - first);
		if (kept > 0 && add_cell(side, entries + first, kept))
			return -1;
	}
	for (size_t i = 0; i < side->nlaunches; i++) {
		struct gate_launch *launch = &side->launches[i];

		launch->cut = launch->kept > 0 && launch->points > 0 && launch->kept < (uint64_t)launch->points;
	}
	/* A wrong row counts, though it be called a copy of a right one. */
	if (gathering->most_wrong > side->wrong)
		side->wrong = gathering->most_wrong;
	return 0;
}

int gate_gather(const struct gate_side *side, enum gate_side_id id, struct gate_keys *keys, struct gate_gathered *gathered)
{
	/* Inputs are read, never written. */
	struct report_options options = { .inputs = (char *const *)side->inputs, .ninputs = side->ninputs };
	struct gathering gathering = { .side = gathered };
	struct runs runs = { 0 };
	int rc;

	*gathered = (struct gate_gathered){ .side = side,
					    .name = side->name        ? side->name
						    : id == GATE_BASE ? "BASE"
								      : "NEW",
					    .first = NAN,
					    .last = NAN };
	rc = runs_build(&options, side->rows, &runs);
	if (rc == 0)
		rc = take_rows(&gathering, keys, id, &runs);
	if (rc == 0)
		rc = sort_launches(&gathering);
	if (rc == 0)
		rc = make_cells(&gathering);
	runs_clear(&runs);
	index_clear(&gathering.index);
	free(gathering.entries);
	return rc;
}

void gate_gathered_clear(struct gate_gathered *gathered)
{
	free(gathered->cells);
	free(gathered->launches);
	*gathered = (struct gate_gathered){ 0 };
}
