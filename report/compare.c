/* SPDX-License-Identifier: Apache-2.0
 *
 * Pairs series, and makes ratios of their times.
 */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "series.h"

/* What a comparison is about: the first of these in which series differ. */
enum dimension { BY_RUN, BY_PATH, BY_ALGO, BY_VARIANT, BY_GROUP, BY_LIBRARY, BY_OPERATION, BY_NODES, BY_RANKS, DIMENSIONS };

static bool same_text(const char *left, const char *right)
{
	return strcmp(left, right) == 0;
}

static bool same(enum dimension dimension, const struct series *a, const struct series *b)
{
	const struct result *left = a->key, *right = b->key;

	switch (dimension) {
	case BY_RUN:
		return same_text(a->source, b->source);
	case BY_PATH:
		return same_text(left->path, right->path);
	case BY_ALGO:
		return same_text(left->algo, right->algo);
	case BY_VARIANT:
		return same_text(left->variant, right->variant);
	case BY_GROUP:
		return same_text(left->group, right->group);
	case BY_LIBRARY:
		return same_text(left->library, right->library) && same_text(left->backend, right->backend);
	case BY_OPERATION:
		return series_same_operation(left, right);
	case BY_NODES:
		return left->nnodes == right->nnodes;
	default:
		return left->nranks == right->nranks;
	}
}

static bool same_placement(const struct series *left, const struct series *right)
{
	return same_text(left->key->placement, right->key->placement);
}

static enum dimension find_dimension(const struct figure *figure)
{
	enum dimension dimension = 0;

	for (; dimension < DIMENSIONS; dimension++) {
		for (size_t s = 1; s < figure->nseries; s++) {
			if (!same(dimension, &figure->series[0], &figure->series[s]))
				return dimension;
		}
	}
	return dimension;
}

/* Numbers of ranks weigh most: times of few ranks say little of those of many. */
static int unlikeness(const struct series *left, const struct series *right)
{
	int sum = strcmp(left->key->timing, right->key->timing) != 0;

	for (enum dimension d = 0; d < DIMENSIONS; d++)
		sum += same(d, left, right) ? 0 : d == BY_RANKS ? DIMENSIONS + 1 : 1;
	return sum;
}

/* Whether the base side was measured with several numbers of ranks, so that one that is missing there has no base. */
static bool has_choice(const struct figure *figure, enum dimension dimension)
{
	const struct series *first = figure->series;

	for (size_t s = 1; s < figure->nseries; s++) {
		if (same(dimension, first, &figure->series[s]) && !same(BY_RANKS, first, &figure->series[s]))
			return true;
	}
	return false;
}

static const struct series *find_base(const struct figure *figure, enum dimension dimension, const struct series *series,
				      bool choice)
{
	const struct series *best = NULL;

	for (size_t s = 0; s < figure->nseries; s++) {
		const struct series *base = &figure->series[s];

		if (!same(dimension, figure->series, base) || !same_placement(base, series))
			continue;
		if (dimension != BY_OPERATION && !same(BY_OPERATION, base, series))
			continue;
		if (choice && dimension != BY_RANKS && !same(BY_RANKS, base, series))
			continue;
		if (!best || unlikeness(base, series) < unlikeness(best, series))
			best = base;
	}
	return best;
}

/* Fewer launches may agree by chance. */
enum { SURE_LAUNCHES = 5 };

/* Of many launches what they span says it all; of few also what each leaves open. */
static struct ratio_time time_of(const struct point *point)
{
	struct ratio_time time = {
		.time = point->time,
		.low = point->low,
		.high = point->high,
		.least = NAN,
		.p95 = NAN,
		.turns = point->oversubscribed,
		.late = point->late,
	};

	if (point->launches >= SURE_LAUNCHES)
		return time;
	time.least = point->least;
	time.p95 = point->p95;
	if (isfinite(time.low)) {
		time.low = fmin(time.low, time.time * exp(-point->below));
		time.high = fmax(time.high, time.time * exp(point->above));
	}
	return time;
}

struct compare_point compare_points(const struct point *base, const struct point *point)
{
	const struct ratio_time time = time_of(point), base_time = time_of(base);
	const struct ratio ratio = ratio_of(&time, &base_time);

	return (struct compare_point){
		.bytes = base->bytes,
		.time = point->time,
		.base_time = base->time,
		.ratio = ratio.value,
		.low = ratio.low,
		.high = ratio.high,
		.kind = ratio.kind,
		.launches = point->launches,
		.base_launches = base->launches,
		.oversubscribed = point->oversubscribed || base->oversubscribed,
	};
}

struct compare_point compare_ways(const struct point *base, const struct point *point)
{
	struct compare_point made = compare_points(base, point);

	if (ratio_why(made.kind))
		made.ratio = made.low = made.high = NAN;
	return made;
}

/* Adds the comparison, unless they have no size in common. */
static int add(struct figure *figure, const struct series *base, const struct series *series)
{
	struct comparison *grown = array_grow(figure->comparisons, figure->ncomparisons, sizeof *grown);
	struct comparison made = { .series = series, .base = base };
	const bool ways = !same(BY_VARIANT, base, series);

	if (!grown)
		return -1;
	figure->comparisons = grown;
	made.points = malloc((base->npoints + 1) * sizeof *made.points);
	if (!made.points)
		return array_failed();
	for (size_t i = 0; i < base->npoints; i++) {
		const struct point *point = series_point(series, base->points[i].bytes);

		if (point)
			made.points[made.npoints++] = (ways ? compare_ways : compare_points)(&base->points[i], point);
	}
	if (made.npoints == 0) {
		free(made.points);
		return 0;
	}
	made.shown = series < figure->series + figure->nshown && same_placement(series, figure->series);
	grown[figure->ncomparisons++] = made;
	return 0;
}

int compare_build(struct figure *figure)
{
	enum dimension dimension = find_dimension(figure);
	bool choice = dimension < DIMENSIONS && has_choice(figure, dimension);

	for (size_t s = 1; dimension < DIMENSIONS && s < figure->nseries; s++) {
		const struct series *series = &figure->series[s];
		const struct series *base;

		if (same(dimension, figure->series, series))
			continue;
		base = find_base(figure, dimension, series, choice);
		if (base && add(figure, base, series))
			return -1;
	}
	return 0;
}

void compare_clear(struct figure *figure)
{
	for (size_t i = 0; i < figure->ncomparisons; i++)
		free(figure->comparisons[i].points);
	free(figure->comparisons);
	figure->comparisons = NULL;
	figure->ncomparisons = 0;
}

size_t compare_shown(const struct figure *figure)
{
	size_t n = 0;

	for (size_t i = 0; i < figure->ncomparisons; i++)
		n += figure->comparisons[i].shown;
	return n;
}
