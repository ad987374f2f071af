/* SPDX-License-Identifier: Apache-2.0
 *
 * Pairs uneven exchanges with even ones. A wrong pair would accuse a network of what another machine did, so what is in doubt is not paired.
 */
#include "uneven.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "series.h"

bool uneven_is(const struct figure *figure, const struct series *series)
{
	bool known = false;

	for (size_t i = 0; i < series->npoints; i++)
		known |= isfinite(series->points[i].imbalance);
	return known && figure->coll->id == COLL_ALLTOALLV && *series->key->variant;
}

static bool is_even_of(const struct series *base, const struct series *series)
{
	struct result key = *base->key;

	if (*key.variant)
		return false;
	key.variant = series->key->variant;
	return series_same_key(&key, series->key);
}

static bool same_hosts(const struct study *study, const struct series *left, const struct series *right)
{
	const struct facts *one = facts_in(study->facts, study->nfacts, left->machine->folder);
	const struct facts *two = facts_in(study->facts, study->nfacts, right->machine->folder);
	char *first = one ? facts_join(one, "host") : NULL, *second = two ? facts_join(two, "host") : NULL;
	/* A list that was cut does not say. */
	const bool same = first && second && strcmp(first, second) == 0 && !strstr(first, ", ...");

	free(first);
	free(second);
	return same;
}

static size_t common_sizes(const struct series *base, const struct series *series)
{
	size_t n = 0;

	for (size_t i = 0; i < series->npoints; i++)
		n += series_point(base, series->points[i].bytes) != NULL;
	return n;
}

struct uneven_base uneven_base(const struct study *study, const struct figure *figure, const struct series *series)
{
	struct uneven_base made = { 0 };
	size_t could = 0, most = 0;

	for (size_t s = 0; s < figure->nseries; s++) {
		const struct series *base = &figure->series[s];

		if (!is_even_of(base, series))
			continue;
		could++;
		if (strcmp(base->source, series->source) == 0) {
			made.own = base;
		} else if (same_hosts(study, base, series)) {
			/* Such as the even rows beside another skew: a tie leaves none. */
			const size_t common = common_sizes(base, series) + 1;

			if (common >= most)
				made.other = common > most ? base : NULL;
			most = common > most ? common : most;
		}
	}
	made.doubt = could > 0 && !made.own && !made.other;
	return made;
}

/* `part` of the way: times are straight in sizes wherever one protocol is at work. */
static double between(double left, double right, double part)
{
	return left + part * (right - left);
}

/* The row of that size, or of a size down to which blocks of 16 bytes were rounded. */
static const struct point *exact_at(const struct series *base, double bytes)
{
	const double blocks = 16 * (double)base->key->nranks;
	const struct point *exact = series_point(base, bytes), *below = NULL;

	for (size_t i = 0; !exact && i < base->npoints; i++) {
		const double less = bytes - base->points[i].bytes;

		if (less >= 0 && less < blocks)
			below = &base->points[i];
	}
	return exact ? exact : below;
}

/* The point of any size between those measured; its time is NAN outside of them. */
static struct point read_at(const struct series *base, double bytes)
{
	const struct point *exact = exact_at(base, bytes);

	if (exact)
		return *exact;
	for (size_t i = 0; i + 1 < base->npoints; i++) {
		const struct point *left = &base->points[i], *right = left + 1;
		const double part = (bytes - left->bytes) / (right->bytes - left->bytes);

		if (!(left->bytes < bytes && bytes < right->bytes))
			continue;
		return (struct point){
			.bytes = bytes,
			.time = between(left->time, right->time, part),
			.low = between(left->low, right->low, part),
			.high = between(left->high, right->high, part),
			.below = between(left->below, right->below, part),
			.above = between(left->above, right->above, part),
			.least = between(left->least, right->least, part),
			.p95 = between(left->p95, right->p95, part),
			.late = left->late || right->late,
			.launches = left->launches < right->launches ? left->launches : right->launches,
			.oversubscribed = left->oversubscribed || right->oversubscribed,
		};
	}
	return (struct point){ .bytes = bytes, .time = NAN, .low = NAN, .high = NAN };
}

struct human uneven_ratio(const struct compare_point *point)
{
	const char *mark = ratio_mark(point->kind);
	struct human text;

	if (!mark)
		return human_ratio(point->ratio);
	snprintf(text.text, sizeof text.text, "%s", mark);
	return text;
}

struct uneven_line uneven_line(const struct uneven_base *base, const struct point *point)
{
	const struct point none = { .bytes = point->bytes, .time = NAN, .low = NAN, .high = NAN };
	const struct series *const list[] = { base->own, base->other };
	const struct point *busy = NULL;
	struct point total = none;

	for (size_t i = 0; i < 2; i++) {
		if (list[i] && point->imbalance > 1 && !isfinite(total.time))
			total = read_at(list[i], point->bytes / point->imbalance);
		if (list[i] && !busy)
			busy = series_point(list[i], point->bytes);
	}
	return (struct uneven_line){
		.point = point,
		.total = compare_ways(&total, point),
		.busy = compare_ways(busy ? busy : &none, point),
	};
}
