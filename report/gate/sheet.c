/* SPDX-License-Identifier: Apache-2.0
 *
 * Brings the cells of two sides together: both are sorted alike, so one walk finds what both have and what one has alone.
 */
#include "sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "sheet_parts.h"
#include "sheet_tell.h"

struct walk {
	struct gate_sheet *sheet;
	const struct gate_gathered *gathered; /* [GATE_SIDES] */
	bool paired;
	size_t at[GATE_SIDES];
	struct gate_spot *spots; /* of one key */
	size_t nspots;
	struct gate_lone *lone[GATE_SIDES]; /* of all keys */
	size_t nlone[GATE_SIDES];
	uint32_t *seen[GATE_SIDES]; /* of each launch: key + 1 where a cell of it was counted */
};

/* What the cell at that place is of; NULL where the side has no more of the key. */
static const struct gate_cell *next(const struct walk *walk, size_t side, uint32_t key)
{
	const struct gate_gathered *gathered = &walk->gathered[side];
	size_t at = walk->at[side];

	return at < gathered->ncells && gathered->cells[at].key == key ? &gathered->cells[at] : NULL;
}

static int by_point(const struct gate_cell *a, const struct gate_cell *b)
{
	if (a->in_place != b->in_place)
		return a->in_place ? 1 : -1;
	return (a->row->bytes > b->row->bytes) - (a->row->bytes < b->row->bytes);
}

/* How many cells of a side are of the point at its place. */
static size_t run_of(const struct walk *walk, size_t side)
{
	const struct gate_gathered *gathered = &walk->gathered[side];
	const struct gate_cell *first = &gathered->cells[walk->at[side]];
	size_t n = 1;

	while (walk->at[side] + n < gathered->ncells && first[n].key == first->key && by_point(first, &first[n]) == 0)
		n++;
	return n;
}

static int add_lone(struct walk *walk, size_t side, const struct gate_cell *cell)
{
	struct gate_lone *grown = array_grow(walk->lone[side], walk->nlone[side], sizeof *grown);

	if (!grown)
		return -1;
	walk->lone[side] = grown;
	grown[walk->nlone[side]++] = (struct gate_lone){ .row = cell->row, .key = cell->key, .in_place = cell->in_place };
	return 0;
}

static int add_spot(struct walk *walk, const struct gate_cell *const cells[GATE_SIDES], const size_t ncells[GATE_SIDES])
{
	struct gate_spot *grown = array_grow(walk->spots, walk->nspots, sizeof *grown), *spot;

	if (!grown)
		return -1;
	walk->spots = grown;
	spot = &grown[walk->nspots++];
	*spot = (struct gate_spot){ 0 };
	for (size_t side = 0; side < GATE_SIDES; side++) {
		spot->cells[side] = cells[side];
		spot->ncells[side] = ncells[side];
		spot->coverage = index_mix(spot->coverage, ncells[side]);
		for (size_t i = 0; i < ncells[side]; i++)
			spot->coverage = index_mix(spot->coverage, cells[side][i].launch);
	}
	return 0;
}

/* The points of one key. */
static int match(struct walk *walk, uint32_t key)
{
	for (;;) {
		const struct gate_cell *cells[GATE_SIDES] = { next(walk, GATE_BASE, key), next(walk, GATE_NEW, key) };
		size_t ncells[GATE_SIDES] = { 0 };
		int order, rc;

		if (!cells[GATE_BASE] && !cells[GATE_NEW])
			return 0;
		order = !cells[GATE_NEW] ? -1 : !cells[GATE_BASE] ? 1 : by_point(cells[GATE_BASE], cells[GATE_NEW]);
		for (size_t side = 0; side < GATE_SIDES; side++) {
			if (order == 0 || (order < 0) == (side == GATE_BASE))
				ncells[side] = run_of(walk, side);
			walk->at[side] += ncells[side];
		}
		if (order == 0)
			rc = add_spot(walk, cells, ncells);
		else
			rc = order < 0 ? add_lone(walk, GATE_BASE, cells[GATE_BASE]) : add_lone(walk, GATE_NEW, cells[GATE_NEW]);
		if (rc)
			return -1;
	}
}

/* What lone points of the key are held against. */
static void measure(struct walk *walk, const size_t first[GATE_SIDES])
{
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < walk->nspots; i++) {
		double bytes = (double)walk->spots[i].cells[GATE_BASE]->row->bytes;

		least = fmin(least, bytes);
		most = fmax(most, bytes);
	}
	for (size_t side = 0; side < GATE_SIDES; side++) {
		for (size_t i = first[side]; i < walk->nlone[side]; i++) {
			walk->lone[side][i].matched = walk->nspots > 0;
			walk->lone[side][i].least = least;
			walk->lone[side][i].most = most;
		}
	}
}

/* Launches of cells `first` .. `end`, all of one key, that were cut. */
static size_t count_cut(struct walk *walk, size_t side, size_t first, size_t end)
{
	const struct gate_gathered *gathered = &walk->gathered[side];
	size_t n = 0;

	for (size_t i = first; i < end; i++) {
		const struct gate_cell *cell = &gathered->cells[i];

		if (gathered->launches[cell->launch].cut && walk->seen[side][cell->launch] != cell->key + 1) {
			walk->seen[side][cell->launch] = cell->key + 1;
			n++;
		}
	}
	return n;
}

static void find_incomplete(struct walk *walk, size_t side, size_t cut)
{
	const struct gate_gathered *gathered = &walk->gathered[side];

	for (size_t p = 0; cut > 0 && p < walk->nspots; p++) {
		struct gate_spot *spot = &walk->spots[p];
		size_t n = 0;

		for (size_t i = 0; i < spot->ncells[side]; i++)
			n += gathered->launches[spot->cells[side][i].launch].cut;
		spot->incomplete = spot->incomplete || n < cut;
	}
}

static int by_coverage(const void *left, const void *right)
{
	const struct gate_spot *a = left, *b = right;

	if (a->coverage != b->coverage)
		return a->coverage < b->coverage ? -1 : 1;
	return by_point(a->cells[GATE_BASE], b->cells[GATE_BASE]);
}

/* Equal hashes alone do not make tables full. */
static bool same_coverage(const struct gate_spot *a, const struct gate_spot *b)
{
	for (size_t side = 0; side < GATE_SIDES; side++) {
		if (a->coverage != b->coverage || a->ncells[side] != b->ncells[side])
			return false;
		for (size_t i = 0; i < a->ncells[side]; i++) {
			if (a->cells[side][i].launch != b->cells[side][i].launch)
				return false;
		}
	}
	return true;
}

static int by_size(const void *left, const void *right)
{
	const struct gate_point *a = ((const struct gate_series *)left)->points, *b = ((const struct gate_series *)right)->points;

	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? -1 : 1;
	return (int)a->in_place - (int)b->in_place;
}

static int make_series(struct walk *walk)
{
	size_t before = walk->sheet->nseries;

	if (walk->nspots > 1)
		qsort(walk->spots, walk->nspots, sizeof *walk->spots, by_coverage);
	for (size_t first = 0, end; first < walk->nspots; first = end) {
		for (end = first + 1; end < walk->nspots && same_coverage(&walk->spots[first], &walk->spots[end]);)
			end++;
		if (gate_series_make(walk->sheet, walk->gathered, walk->paired, walk->spots + first, end - first))
			return -1;
	}
	if (walk->sheet->nseries > before + 1)
		qsort(walk->sheet->series + before, walk->sheet->nseries - before, sizeof *walk->sheet->series, by_size);
	return 0;
}

static int walk_key(struct walk *walk, uint32_t key)
{
	const size_t lone[GATE_SIDES] = { walk->nlone[GATE_BASE], walk->nlone[GATE_NEW] };
	const size_t first[GATE_SIDES] = { walk->at[GATE_BASE], walk->at[GATE_NEW] };

	free(walk->spots);
	walk->spots = NULL;
	walk->nspots = 0;
	if (match(walk, key))
		return -1;
	measure(walk, lone);
	for (size_t side = 0; side < GATE_SIDES; side++)
		find_incomplete(walk, side, count_cut(walk, side, first[side], walk->at[side]));
	return make_series(walk);
}

static int walk_keys(struct walk *walk, const struct gate_keys *keys)
{
	for (size_t side = 0; side < GATE_SIDES; side++) {
		walk->seen[side] = calloc(walk->gathered[side].nlaunches + 1, sizeof *walk->seen[side]);
		if (!walk->seen[side])
			return array_failed();
	}
	for (size_t key = 0; key < keys->count; key++) {
		if (walk_key(walk, (uint32_t)key))
			return -1;
	}
	for (size_t side = 0; side < GATE_SIDES; side++) {
		walk->sheet->points_only[side] = walk->nlone[side];
		if (gate_only_tell(walk->sheet, (enum gate_side_id)side, keys, &walk->gathered[side], walk->lone[side],
				   walk->nlone[side]))
			return -1;
	}
	return gate_differences_of_wrong(walk->sheet, walk->lone[GATE_NEW], walk->nlone[GATE_NEW]);
}

static double time_apart(const struct gate_gathered *base, const struct gate_gathered *new)
{
	if (isnan(base->first) || isnan(new->first))
		return NAN;
	return fmax(0, fmax(new->first - base->last, base->first - new->last));
}

static int build(const struct gate_gathered gathered[GATE_SIDES], const struct gate_keys *keys, bool paired,
		 struct gate_sheet *sheet)
{
	struct walk walk = { .sheet = sheet, .gathered = gathered, .paired = paired };
	int rc;

	sheet->apart = time_apart(&gathered[GATE_BASE], &gathered[GATE_NEW]);
	sheet->wrong_new = gathered[GATE_NEW].wrong;
	for (size_t side = 0; side < GATE_SIDES; side++) {
		for (size_t i = 0; i < gathered[side].nlaunches; i++) {
			sheet->launches[side] += gathered[side].launches[i].kept > 0;
			sheet->cut[side] += gathered[side].launches[i].cut;
		}
	}
	rc = gate_differences_of_machines(sheet, gathered) || gate_differences_of_rows(sheet, gathered, keys->loose) ||
	     walk_keys(&walk, keys);
	free(walk.spots);
	for (size_t side = 0; side < GATE_SIDES; side++) {
		free(walk.lone[side]);
		free(walk.seen[side]);
	}
	return rc ? -1 : 0;
}

static int gather(const struct gate_side sides[GATE_SIDES], bool loose, struct gate_keys *keys,
		  struct gate_gathered gathered[GATE_SIDES])
{
	*keys = (struct gate_keys){ .loose = loose };
	return gate_gather(&sides[GATE_BASE], GATE_BASE, keys, &gathered[GATE_BASE]) ||
			       gate_gather(&sides[GATE_NEW], GATE_NEW, keys, &gathered[GATE_NEW])
		       ? -1
		       : 0;
}

static void clear(struct gate_keys *keys, struct gate_gathered gathered[GATE_SIDES])
{
	gate_keys_clear(keys);
	gate_gathered_clear(&gathered[GATE_BASE]);
	gate_gathered_clear(&gathered[GATE_NEW]);
}

int gate_sheet_build(const struct gate_side sides[GATE_SIDES], bool paired, struct gate_sheet *sheet)
{
	struct gate_gathered gathered[GATE_SIDES] = { 0 };
	struct gate_keys keys;
	int rc;

	*sheet = (struct gate_sheet){ 0 };
	rc = gather(sides, paired, &keys, gathered);
	if (rc == 0 && keys.mixed) {
		clear(&keys, gathered);
		rc = gather(sides, false, &keys, gathered);
	}
	if (rc == 0)
		rc = build(gathered, &keys, paired, sheet);
	clear(&keys, gathered);
	if (rc)
		gate_sheet_clear(sheet);
	return rc;
}

void gate_sheet_clear(struct gate_sheet *sheet)
{
	for (size_t i = 0; i < sheet->nseries; i++)
		gate_series_clear(&sheet->series[i]);
	free(sheet->series);
	for (size_t side = 0; side < GATE_SIDES; side++) {
		for (size_t i = 0; i < sheet->nonly[side]; i++)
			free(sheet->only[side][i]);
		free(sheet->only[side]);
	}
	for (size_t i = 0; i < sheet->ndifferences; i++)
		free(sheet->differences[i]);
	free(sheet->differences);
	*sheet = (struct gate_sheet){ 0 };
}
