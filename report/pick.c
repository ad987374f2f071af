/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the series of a figure.
 */
#include "pick.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "compare.h"
#include "scaling.h"
#include "series.h"

struct candidate {
	bool possible, chosen;
	double distance; /* from the nearest one that is chosen */
};

static bool same_placement(const struct series *left, const struct series *right)
{
	return strcmp(left->key->placement, right->key->placement) == 0;
}

/* Where the number of ranks is all that differs, the fewest come first, in whatever order they were given. */
static size_t fewest_ranks(const struct figure *figure)
{
	const struct series *first = figure->series;
	size_t fewest = 0;

	for (size_t s = 1; s < figure->nseries; s++) {
		const struct series *series = &figure->series[s];

		if (!series_same_operation(series->key, first->key) || !same_placement(series, first))
			continue;
		if (!scaling_only_ranks(series, first) || series->key->nranks == first->key->nranks)
			return 0;
		if (series->key->nranks < figure->series[fewest].key->nranks)
			fewest = s;
	}
	return fewest;
}

static size_t find_base(const char *baseline, const struct figure *figure)
{
	for (size_t s = 0; baseline && s < figure->nseries; s++) {
		if (compare_names(baseline, figure->series[s].source, figure->series[s].key))
			return s;
	}
	return fewest_ranks(figure);
}

/* Whether the types, operations and roots are what there is to compare. */
static bool only_operations_differ(const struct figure *figure, const struct series *base)
{
	size_t rivals = 0, others = 0;

	for (size_t s = 0; s < figure->nseries; s++) {
		const struct series *series = &figure->series[s];
		bool same = series_same_operation(series->key, base->key);

		rivals += series != base && same && same_placement(series, base);
		others += !same && same_placement(series, base);
	}
	return rivals == 0 && others > 0;
}

static size_t find_possible(const struct figure *figure, const struct series *base, bool placement, struct candidate *candidates)
{
	size_t n = 0;

	for (size_t s = 0; s < figure->nseries; s++) {
		const struct series *series = &figure->series[s];

		candidates[s].possible = (figure->mixed || series_same_operation(series->key, base->key)) &&
					 (!placement || same_placement(series, base));
		n += candidates[s].possible;
	}
	return n;
}

/* How far apart two curves are: the mean of |ln| of the ratio of their times. Curves without a common size are as far as can be. */
static double distance_of(const struct series *left, const struct series *right)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < left->npoints; i++) {
		const struct point *point = series_point(right, left->points[i].bytes);

		if (point) {
			sum += fabs(log(point->time / left->points[i].time));
			n++;
		}
	}
	return n > 0 ? sum / (double)n : INFINITY;
}

static void choose(const struct figure *figure, struct candidate *candidates, size_t index)
{
	candidates[index].chosen = true;
	for (size_t s = 0; s < figure->nseries; s++) {
		if (candidates[s].possible && !candidates[s].chosen)
			candidates[s].distance = fmin(candidates[s].distance,
						      distance_of(&figure->series[index], &figure->series[s]));
	}
}

/* One after the other: the one farthest from all that are chosen already. */
static void choose_most_different(const struct figure *figure, struct candidate *candidates, size_t base)
{
	choose(figure, candidates, base);
	for (size_t n = 1; n < STUDY_SHOWN_SERIES; n++) {
		size_t best = base;

		for (size_t s = 0; s < figure->nseries; s++) {
			if (candidates[s].possible && !candidates[s].chosen &&
			    (best == base || candidates[s].distance > candidates[best].distance))
				best = s;
		}
		choose(figure, candidates, best);
	}
}

/* Those of the same number keep their order. */
static void sort_by_ranks(struct series *series, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct series moved = series[i];
		size_t at = i;

		for (; at > 0 && series[at - 1].key->nranks > moved.key->nranks; at--)
			series[at] = series[at - 1];
		series[at] = moved;
	}
}

static int reorder(struct figure *figure, const struct candidate *candidates, size_t base)
{
	struct series *series = calloc(figure->nseries + 1, sizeof *series);
	size_t n = 0;

	if (!series)
		return array_failed();
	series[n++] = figure->series[base];
	for (size_t s = 0; s < figure->nseries; s++) {
		if (s != base && candidates[s].chosen)
			series[n++] = figure->series[s];
	}
	sort_by_ranks(series + 1, n - 1);
	figure->nshown = n;
	for (size_t s = 0; s < figure->nseries; s++) {
		if (!candidates[s].chosen)
			series[n++] = figure->series[s];
	}
	free(figure->series);
	figure->series = series;
	return 0;
}

int pick_series(const char *baseline, struct figure *figure)
{
	struct candidate *candidates = malloc(figure->nseries * sizeof *candidates);
	size_t base = find_base(baseline, figure);
	size_t possible;
	int rc;

	if (!candidates)
		return array_failed();
	for (size_t s = 0; s < figure->nseries; s++)
		candidates[s] = (struct candidate){ .distance = INFINITY };
	figure->mixed = only_operations_differ(figure, &figure->series[base]);
	possible = find_possible(figure, &figure->series[base], false, candidates);
	if (possible > STUDY_SHOWN_SERIES)
		possible = find_possible(figure, &figure->series[base], true, candidates);
	if (possible > STUDY_SHOWN_SERIES) {
		choose_most_different(figure, candidates, base);
	} else {
		for (size_t s = 0; s < figure->nseries; s++)
			candidates[s].chosen = candidates[s].possible;
	}
	rc = reorder(figure, candidates, base);
	free(candidates);
	return rc;
}
