/* SPDX-License-Identifier: Apache-2.0
 *
 * Pairs uneven exchanges with even ones. A wrong pair would accuse a network of what another machine did, so what is in doubt is not paired.
 */
#include "uneven.h"

#include <math.h>
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

const struct series *uneven_base(const struct study *study, const struct figure *figure, const struct series *series, bool *doubt)
{
	const struct series *found = NULL;
	size_t could = 0, sure = 0;

	for (size_t s = 0; s < figure->nseries; s++) {
		const struct series *base = &figure->series[s];

		if (!is_even_of(base, series))
			continue;
		could++;
		if (strcmp(base->source, series->source) == 0) {
			sure = 1;
			found = base;
			break;
		}
		if (same_hosts(study, base, series)) {
			sure++;
			found = base;
		}
	}
	if (doubt)
		*doubt = could > 0 && sure != 1;
	return sure == 1 ? found : NULL;
}

/* `part` of the way: times are straight in sizes wherever one protocol is at work. */
static double between(double left, double right, double part)
{
	return left + part * (right - left);
}

/* The point of any size between those measured; its time is NAN outside of them. */
static struct point read_at(const struct series *base, double bytes)
{
	const struct point *exact = series_point(base, bytes);

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
			.launches = left->launches < right->launches ? left->launches : right->launches,
			.oversubscribed = left->oversubscribed || right->oversubscribed,
		};
	}
	return (struct point){ .bytes = bytes, .time = NAN, .low = NAN, .high = NAN };
}

/* Ranks that take turns add up what others do at the same time: no ratio. */
static struct compare_point ratio_of(const struct point *base, const struct point *point)
{
	struct compare_point made = compare_points(base, point);

	if (made.oversubscribed)
		made.ratio = made.low = made.high = NAN;
	return made;
}

struct uneven_line uneven_line(const struct series *base, const struct point *point)
{
	const struct point none = { .bytes = point->bytes, .time = NAN, .low = NAN, .high = NAN };
	const struct point *busy = base ? series_point(base, point->bytes) : NULL;
	struct point total = none;

	if (base && isfinite(point->imbalance))
		total = read_at(base, point->bytes / point->imbalance);
	return (struct uneven_line){
		.point = point,
		.total = ratio_of(&total, point),
		.busy = ratio_of(busy ? busy : &none, point),
	};
}
