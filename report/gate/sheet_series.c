/* SPDX-License-Identifier: Apache-2.0
 *
 * Points that the same launches measured become a series: a full table of log times, and of each point why it may not be judged.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../escape.h"
#include "sheet_parts.h"
#include "sheet_tell.h"

/* Which cells of each spot take part. */
struct chosen {
	size_t *cells[GATE_SIDES];
	size_t count[GATE_SIDES];
	bool paired;
};

static const char *unmeasured(unsigned base, unsigned new)
{
	static const struct {
		unsigned trait;
		bool alone; /* a doubt where one side alone has it */
		const char *why;
	} doubts[] = {
		{ GATE_TRAIT_TURNS, false, "ranks shared cores" },
		{ GATE_TRAIT_GPU_TURNS, false, "ranks shared a GPU" },
		{ GATE_TRAIT_TRACED, false, "the library wrote a line for each call" },
		{ GATE_TRAIT_RATES, false, "its rates do not agree with its size and time" },
		{ GATE_TRAIT_SIMULATED, true, "simulated on one side alone" },
		{ GATE_TRAIT_IMPORTED, true, "measured by another program on one side" },
	};

	for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++) {
		if ((doubts[i].alone ? base ^ new : base | new) & doubts[i].trait)
			return doubts[i].why;
	}
	return ((base | new) & GATE_TRAIT_SYNC) && ((base | new) & GATE_TRAIT_LOOP) ? "timed call by call and in loops" : NULL;
}

static void judge(struct gate_point *point, const struct gate_spot *spot)
{
	unsigned traits[GATE_SIDES] = { 0 };
	long wrong[GATE_SIDES] = { 0 };
	bool untimed = false;

	for (size_t side = 0; side < GATE_SIDES; side++) {
		for (size_t i = 0; i < spot->ncells[side]; i++) {
			traits[side] |= spot->cells[side][i].traits;
			wrong[side] = gate_add(wrong[side], spot->cells[side][i].wrong);
			untimed = untimed || isnan(spot->cells[side][i].log_time);
		}
	}
	point->why = unmeasured(traits[GATE_BASE], traits[GATE_NEW]);
	point->wrong_new = wrong[GATE_NEW];
	point->doubt = point->why ? GATE_OVERSUBSCRIBED : GATE_CLEAR;
	if (!point->why && spot->incomplete) {
		point->doubt = GATE_INCOMPLETE;
		point->why = "a launch was cut short before it";
	}
	if (wrong[GATE_BASE] > 0) {
		point->doubt = GATE_WRONG_BASE;
		point->why = "wrong data";
	}
	if (untimed) {
		point->doubt = GATE_UNTIMED;
		point->why = "no time";
	}
	if (!point->why)
		point->why = "";
}

/* The cell nearest to the middle of its side. */
static const struct gate_cell *middle(const struct gate_cell *cells, const size_t *chosen, size_t n, double *scratch)
{
	const struct gate_cell *nearest = &cells[chosen[0]];
	double median;

	for (size_t i = 0; i < n; i++)
		scratch[i] = cells[chosen[i]].log_time;
	median = gate_median(scratch, n);
	for (size_t i = 1; i < n; i++) {
		if (fabs(cells[chosen[i]].log_time - median) < fabs(nearest->log_time - median))
			nearest = &cells[chosen[i]];
	}
	return nearest;
}

static int say(struct gate_sheet *sheet, const char *name, const struct result *key, size_t count, const char *what)
{
	char words[256];
	struct gate_line line;

	if (gate_line_open(&line))
		return -1;
	escape_put(line.out, ESCAPE_PLAIN, "%s: %zu launches of %s %s", name, count, gate_key_words(key, words, sizeof words),
		   what);
	return gate_line_close(&line, &sheet->differences, &sheet->ndifferences);
}

/* The newest where there are too many: they stand last. */
static int choose_all(struct gate_sheet *sheet, const struct gate_gathered *gathered, const struct gate_spot *spot,
		      struct chosen *chosen)
{
	for (size_t side = 0; side < GATE_SIDES; side++) {
		size_t n = spot->ncells[side], first = n > GATE_MOST_LAUNCHES ? n - GATE_MOST_LAUNCHES : 0;

		chosen->count[side] = n - first;
		for (size_t i = first; i < n; i++)
			chosen->cells[side][i - first] = i;
		if (first > 0 && say(sheet, gathered[side].name, spot->cells[side]->row, first, "are too many: the newest count"))
			return -1;
	}
	return 0;
}

/* 0 pairs: as if they were none. */
static int choose_pairs(struct gate_sheet *sheet, const struct gate_gathered *gathered, const struct gate_spot *spot,
			struct chosen *chosen)
{
	const struct gate_launch **launches[GATE_SIDES];
	size_t pairs = SIZE_MAX;

	for (size_t side = 0; side < GATE_SIDES; side++) {
		launches[side] = calloc(spot->ncells[side], sizeof *launches[side]);
		for (size_t i = 0; launches[side] && i < spot->ncells[side]; i++)
			launches[side][i] = &gathered[side].launches[spot->cells[side][i].launch];
	}
	if (launches[GATE_BASE] && launches[GATE_NEW])
		pairs = gate_pair_launches(launches[GATE_BASE], spot->ncells[GATE_BASE], launches[GATE_NEW],
					   spot->ncells[GATE_NEW], chosen->cells[GATE_BASE], chosen->cells[GATE_NEW]);
	else
		array_failed();
	free(launches[GATE_BASE]);
	free(launches[GATE_NEW]);
	if (pairs == SIZE_MAX)
		return -1;
	chosen->paired = pairs > 0;
	for (size_t side = 0; side < GATE_SIDES && pairs > 0; side++) {
		size_t alone = spot->ncells[side] - pairs;

		chosen->count[side] = pairs > GATE_MOST_LAUNCHES ? GATE_MOST_LAUNCHES : pairs;
		if (alone > 0 && say(sheet, gathered[side].name, spot->cells[side]->row, alone,
				     "have no partner on the other side and are left out"))
			return -1;
	}
	return 0;
}

static int fill_side(struct gate_series *series, size_t side, const struct gate_spot *spots, const struct chosen *chosen,
		     const struct gate_launch *launches)
{
	const size_t *cells = chosen->cells[side];
	size_t n = chosen->count[side];
	double *scratch = malloc(n * sizeof *scratch);

	series->launches[side] = n;
	series->era[side] = malloc(n * sizeof *series->era[side]);
	series->log_time[side] = malloc(n * series->npoints * sizeof *series->log_time[side]);
	if (!scratch || !series->era[side] || !series->log_time[side]) {
		free(scratch);
		return array_failed();
	}
	for (size_t i = 0; i < n; i++) {
		series->era[side][i] = launches[spots->cells[side][cells[i]].launch].era;
		for (size_t p = 0; p < series->npoints; p++)
			series->log_time[side][i * series->npoints + p] = spots[p].cells[side][cells[i]].log_time;
	}
	for (size_t p = 0; p < series->npoints; p++)
		series->points[p].row[side] = middle(spots[p].cells[side], cells, n, scratch)->row;
	free(scratch);
	return 0;
}

static int add(struct gate_sheet *sheet, const struct gate_gathered *gathered, const struct gate_spot *spots, size_t n,
	       const struct chosen *chosen)
{
	struct gate_series *grown = array_grow(sheet->series, sheet->nseries, sizeof *grown), *series;

	if (!grown)
		return -1;
	sheet->series = grown;
	series = &grown[sheet->nseries++];
	*series = (struct gate_series){ .key = spots->cells[GATE_BASE]->row, .npoints = n, .paired = chosen->paired };
	series->points = calloc(n, sizeof *series->points);
	if (!series->points)
		return array_failed();
	for (size_t p = 0; p < n; p++) {
		const struct gate_cell *cell = spots[p].cells[GATE_BASE];

		series->points[p] = (struct gate_point){ .bytes = (double)cell->row->bytes, .in_place = cell->in_place };
		judge(&series->points[p], &spots[p]);
	}
	for (size_t side = 0; side < GATE_SIDES; side++) {
		if (fill_side(series, side, spots, chosen, gathered[side].launches))
			return -1;
	}
	return 0;
}

int gate_series_make(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES], bool paired,
		     const struct gate_spot *spots, size_t n)
{
	struct chosen chosen = { 0 };
	size_t most = spots->ncells[GATE_BASE] > spots->ncells[GATE_NEW] ? spots->ncells[GATE_BASE] : spots->ncells[GATE_NEW];
	int rc = -1;

	chosen.cells[GATE_BASE] = calloc(most, sizeof *chosen.cells[GATE_BASE]);
	chosen.cells[GATE_NEW] = calloc(most, sizeof *chosen.cells[GATE_NEW]);
	if (chosen.cells[GATE_BASE] && chosen.cells[GATE_NEW])
		rc = paired ? choose_pairs(sheet, gathered, spots, &chosen) : 0;
	else
		array_failed();
	if (rc == 0 && !chosen.paired)
		rc = choose_all(sheet, gathered, spots, &chosen);
	for (size_t p = 0; rc == 0 && p < n; p += GATE_MOST_POINTS)
		rc = add(sheet, gathered, spots + p, n - p < GATE_MOST_POINTS ? n - p : GATE_MOST_POINTS, &chosen);
	free(chosen.cells[GATE_BASE]);
	free(chosen.cells[GATE_NEW]);
	return rc;
}

void gate_series_clear(struct gate_series *series)
{
	free(series->points);
	for (size_t side = 0; side < GATE_SIDES; side++) {
		free(series->log_time[side]);
		free(series->era[side]);
	}
}
