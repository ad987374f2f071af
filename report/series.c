/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows to series: collect the rows of each curve, sort them by size, make one point of the launches that measured a size.
 */
#include "series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "compare.h"
#include "fit_series.h"
#include "index.h"
#include "label.h"
#include "pick.h"
#include "scaling.h"

struct draft {
	const struct result *key;
	const char *source;
	const struct machine *machine;
	const struct result **rows;
	size_t nrows;
};

struct drafts {
	struct draft *items;
	size_t count;
	struct index index; /* drafts by what their rows share */
	size_t last;        /* that a row was found to be of */
};

static bool same_text(const char *left, const char *right)
{
	return strcmp(left, right) == 0;
}

bool series_same_operation(const struct result *left, const struct result *right)
{
	return same_text(left->type, right->type) && same_text(left->redop, right->redop) && left->root == right->root;
}

bool series_same_key(const struct result *left, const struct result *right)
{
	return left->nranks == right->nranks && left->nnodes == right->nnodes && series_same_operation(left, right) &&
	       same_text(left->placement, right->placement) && same_text(left->backend, right->backend) &&
	       same_text(left->library, right->library) && same_text(left->path, right->path) &&
	       same_text(left->algo, right->algo) && same_text(left->group, right->group) &&
	       same_text(left->timing, right->timing) && same_text(left->variant, right->variant);
}

/* A row that looks for its draft. */
struct seeker {
	const struct drafts *drafts;
	const struct result *row;
	const char *source;
};

static bool draft_owns(const void *context, size_t number)
{
	const struct seeker *seeker = context;
	const struct draft *draft = &seeker->drafts->items[number];

	return same_text(draft->source, seeker->source) && series_same_key(draft->key, seeker->row);
}

static uint64_t seeker_hash(const struct seeker *seeker)
{
	const struct result *row = seeker->row;
	const char *texts[] = { seeker->source, row->type, row->redop, row->placement, row->backend, row->library,
				row->path,      row->algo, row->group, row->timing,    row->variant };
	uint64_t hash = index_mix(index_mix((uint64_t)row->nranks, (uint64_t)row->nnodes), (uint64_t)row->root);

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		hash = index_mix_text(hash, texts[i]);
	return hash;
}

/* Index of the draft that row i belongs to, made where there is none; count where there are too many. SIZE_MAX: no memory. */
static size_t draft_find(struct drafts *drafts, const struct study *study, size_t i)
{
	struct seeker seeker = { drafts, rows_get(study->rows, i), rows_source(study->rows, i) };
	struct draft *grown;
	uint64_t hash;
	size_t d = drafts->last;

	if (d < drafts->count && draft_owns(&seeker, d))
		return d;
	hash = seeker_hash(&seeker);
	d = index_find(&drafts->index, hash, draft_owns, &seeker);
	if (d != INDEX_NONE || drafts->count == STUDY_MOST_SERIES)
		return d != INDEX_NONE ? (drafts->last = d) : drafts->count;
	grown = array_grow(drafts->items, drafts->count, sizeof *grown);
	if (!grown)
		return SIZE_MAX;
	drafts->items = grown;
	if (index_add(&drafts->index, hash, drafts->count)) {
		array_failed();
		return SIZE_MAX;
	}
	grown[drafts->count] = (struct draft){ .key = seeker.row, .source = seeker.source, .machine = study_machine(study, i) };
	drafts->last = drafts->count;
	return drafts->count++;
}

static int draft_add(struct draft *draft, const struct result *row)
{
	const struct result **grown = array_grow(draft->rows, draft->nrows, sizeof *grown);

	if (!grown)
		return -1;
	draft->rows = grown;
	grown[draft->nrows++] = row;
	return 0;
}

static int drafts_collect(struct drafts *drafts, const struct study *study, struct figure *figure)
{
	for (size_t k = 0; k < figure->nrows; k++) {
		size_t i = figure->rows[k], d;
		const struct result *row = rows_get(study->rows, i);
		bool repeat = rows_is_repeat(study->rows, i);

		figure->distinct += !repeat;
		if (!study_is_timed(row)) {
			figure->untimed += !study_is_dataless(row);
			continue;
		}
		if (repeat) {
			figure->duplicates++;
			continue;
		}
		d = draft_find(drafts, study, i);
		if (d == SIZE_MAX)
			return -1;
		if (d == drafts->count)
			figure->left_out++;
		else if (draft_add(&drafts->items[d], row))
			return -1;
	}
	return 0;
}

static int compare_integers(int64_t left, int64_t right)
{
	return (left > right) - (left < right);
}

static int compare_rows(const void *left, const void *right)
{
	const struct result *a = *(const struct result *const *)left;
	const struct result *b = *(const struct result *const *)right;
	int order = compare_integers(a->bytes, b->bytes);

	if (order == 0)
		order = strcmp(a->run, b->run);
	if (order == 0)
		order = compare_integers(a->bytes_requested, b->bytes_requested);
	return order ? order : compare_integers(a->point, b->point);
}

static int series_fill(struct series *series, struct draft *draft, struct figure *figure)
{
	*series = (struct series){ .key = draft->key, .source = draft->source, .machine = draft->machine };
	series->in_place = same_text(draft->key->placement, RESULT_IN_PLACE);
	series->points = malloc(draft->nrows * sizeof *series->points);
	if (!series->points)
		return array_failed();
	qsort(draft->rows, draft->nrows, sizeof(*draft->rows), compare_rows);
	for (size_t i = 1; i < draft->nrows; i++)
		figure->duplicates += compare_rows(&draft->rows[i - 1], &draft->rows[i]) == 0;
	for (size_t i = 0, n; i < draft->nrows; i += n) {
		for (n = 1; i + n < draft->nrows && draft->rows[i + n]->bytes == draft->rows[i]->bytes; n++)
			;
		series->points[series->npoints++] = series_make_point(&draft->rows[i], n);
	}
	return fit_series(series, figure->coll, draft->rows, draft->nrows);
}

/* Logs of other tools print two digits: at small sizes 0.00 is a rate too. */
static bool is_rounded(const struct result *row)
{
	double algbw = (double)row->bytes / row->time;

	return result_has_flag(row, RESULT_FLAG_IMPORTED) && row->nranks >= 2 && row->nranks <= STUDY_MOST_RANKS &&
	       algbw * collective_find(row->collective)->bus_factor((int)row->nranks) < 0.01e9;
}

/* Rows of jobs that were meant to be one: each rank measured itself, so nothing was moved between ranks. */
static bool looks_singleton(const struct drafts *drafts, const struct figure *figure)
{
	for (size_t d = 0; d < drafts->count; d++) {
		for (size_t i = 0; i < drafts->items[d].nrows; i++) {
			const struct result *row = drafts->items[d].rows[i];

			/* In a matrix every rank may keep what it has. */
			if (row->busbw == 0 && !is_rounded(row) && !result_is_matrix(row) &&
			    (row->nranks >= 2 || figure->duplicates > 0))
				return true;
			if (row->nranks == 1 && figure->duplicates > 0)
				return true;
		}
	}
	return false;
}

static void label_all(struct figure *figure, size_t from, size_t n)
{
	const struct series *list[STUDY_MOST_SERIES] = { NULL };
	struct label_parts parts;

	for (size_t s = 0; s < n; s++)
		list[s] = &figure->series[s];
	parts = label_find(list, n);
	for (size_t s = from; s < n; s++) {
		struct label label = label_make(&figure->series[s], parts);

		memcpy(figure->series[s].place, label.place, sizeof label.place);
		memcpy(figure->series[s].label, label.text, sizeof label.text);
	}
}

static int figure_fill(const struct study *study, struct figure *figure, struct drafts *drafts)
{
	figure->series = calloc(drafts->count + 1, sizeof *figure->series);
	if (!figure->series)
		return array_failed();
	for (size_t d = 0; d < drafts->count; d++) {
		if (series_fill(&figure->series[figure->nseries++], &drafts->items[d], figure))
			return -1;
	}
	if (figure->nseries > 0 && pick_series(study->options->baseline, figure))
		return -1;
	label_all(figure, 0, figure->nshown);
	label_all(figure, figure->nshown, figure->nseries);
	figure->singleton = looks_singleton(drafts, figure);
	return compare_build(figure) || scaling_build(figure) ? -1 : 0;
}

static int figure_build(struct study *study, struct figure *figure)
{
	struct drafts drafts = { 0 };
	int rc = drafts_collect(&drafts, study, figure);

	if (rc == 0)
		rc = figure_fill(study, figure, &drafts);
	for (size_t d = 0; d < drafts.count; d++)
		free(drafts.items[d].rows);
	free(drafts.items);
	index_clear(&drafts.index);
	return rc;
}

const struct point *series_point(const struct series *series, double bytes)
{
	static const double tolerance = 0.01;
	size_t low = 0, high = series->npoints;
	const struct point *above, *below;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (series->points[middle].bytes < bytes)
			low = middle + 1;
		else
			high = middle;
	}
	above = low < series->npoints ? &series->points[low] : NULL;
	below = low > 0 ? &series->points[low - 1] : NULL;
	if (above && (!below || above->bytes - bytes <= bytes - below->bytes))
		below = above;
	return below && fabs(below->bytes - bytes) <= tolerance * bytes ? below : NULL;
}

/* Fills rows of each figure. */
static int sort_rows(struct study *study)
{
	for (size_t i = 0; i < rows_count(study->rows); i++) {
		const struct result *row = rows_get(study->rows, i);
		const struct collective *coll = collective_find(row->collective);
		struct figure *figure = coll ? &study->figures[coll->id] : NULL;
		size_t *grown;

		if (!figure) {
			study->foreign += !result_is_step(row);
			continue;
		}
		if (result_is_pair(row))
			continue;
		grown = array_grow(figure->rows, figure->nrows, sizeof *grown);
		if (!grown)
			return -1;
		figure->rows = grown;
		grown[figure->nrows++] = i;
	}
	return 0;
}

int series_build(struct study *study)
{
	if (sort_rows(study))
		return -1;
	for (size_t c = 0; c < COLL_COUNT; c++) {
		study->figures[c].coll = collectives[c];
		if (figure_build(study, &study->figures[c]))
			return -1;
	}
	return 0;
}

void series_clear(struct study *study)
{
	for (size_t c = 0; c < COLL_COUNT; c++) {
		compare_clear(&study->figures[c]);
		scaling_clear(&study->figures[c]);
		for (size_t s = 0; s < study->figures[c].nseries; s++)
			free(study->figures[c].series[s].points);
		free(study->figures[c].series);
		free(study->figures[c].rows);
		study->figures[c] = (struct figure){ 0 };
	}
}
