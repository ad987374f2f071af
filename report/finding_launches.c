/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches that are taken for the same and are not: those behind the points of one curve, and curves of sendrecv behind one alpha and B.
 */
#include "finding_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"

/* Launches with nothing changed differ by a fifth and more on some machines, but hardly by this factor at most sizes. */
static const double launches_apart = 1.5;

enum { LEAST_SIZES = 3 };

static void take(struct finding_sight *sight, double bytes, double low, double high)
{
	double factor = high / low;

	if (!(low > 0) || !isfinite(factor))
		return;
	sight->of++;
	sight->count += factor > launches_apart;
	if (factor <= sight->factor)
		return;
	sight->factor = factor;
	sight->bytes = bytes;
	sight->time = high;
	sight->time2 = low;
}

static int keep(struct finding_sights *sights, const struct finding_sight *sight)
{
	return sight->of >= LEAST_SIZES && 2 * sight->count > sight->of ? finding_sights_add(sights, sight) : 0;
}

static int find_in_curve(struct finding_sights *sights, const struct finding_curve *curve)
{
	struct finding_sight sight = { .level = FINDING_WARNING, .curve = curve };

	for (size_t i = 0; i < curve->series->npoints; i++) {
		const struct point *point = &curve->series->points[i];

		if (point->launches > 1)
			take(&sight, point->bytes, point->low, point->high);
	}
	return keep(sights, &sight);
}

/* Nothing is fitted to other ways of sendrecv than the plain one, and they differ by what they do. */
static bool is_fitted(const struct finding_curve *curve)
{
	const struct series *series = curve->series;

	return curve->figure->coll->id == COLL_SENDRECV && !series->in_place && !*series->key->variant && !series->machine->given;
}

/* kind: the other curve's index + 1. */
static int find_in_machine(struct finding_sights *sights, const struct finding_view *view, size_t one, size_t other)
{
	const struct finding_curve *curve = &view->curves[one];
	const struct series *series = view->curves[other].series;
	struct finding_sight sight = { .level = FINDING_WARNING, .curve = curve, .kind = other + 1 };

	for (size_t i = 0, k = 0; i < curve->series->npoints; i++) {
		const struct point *point = &curve->series->points[i];

		k = finding_point(series, k, point->bytes);
		if (k < series->npoints)
			take(&sight, point->bytes, fmin(point->time, series->points[k].time),
			     fmax(point->time, series->points[k].time));
		else
			break;
	}
	return keep(sights, &sight);
}

static int find_in_machines(struct finding_sights *sights, const struct finding_view *view)
{
	for (size_t one = 0; one < view->ncurves; one++) {
		if (!is_fitted(&view->curves[one]))
			continue;
		for (size_t other = one + 1; other < view->ncurves; other++) {
			if (is_fitted(&view->curves[other]) &&
			    view->curves[other].series->machine == view->curves[one].series->machine &&
			    find_in_machine(sights, view, one, other))
				return -1;
		}
	}
	return 0;
}

static int say(struct findings *findings, const struct finding_view *view, const struct finding_sight *sight)
{
	const struct finding_curve *other = sight->kind ? &view->curves[sight->kind - 1] : NULL;

	if (other)
		return findings_add(
			findings, sight->level,
			"launches of sendrecv that one alpha and B are fitted to (%s, %s; %s, %s) differ up to %s times at %s: "
			"%s and "
			"%s, over %.3g times apart at %zu of %zu sizes. The bounds describe neither: report them apart",
			finding_setting(sight->curve).text, sight->curve->series->source, finding_setting(other).text,
			other->series->source, human_times(sight->factor).text, human_size(sight->bytes).text,
			human_time(sight->time2).text, human_time(sight->time).text, launches_apart, sight->count, sight->of);
	return findings_add(findings, sight->level,
			    "launches of %s (%s) differ up to %s times at %s: from %s to %s, over %.3g times apart at %zu of "
			    "%zu sizes (%s). Their "
			    "median describes none of them: another machine, placement or load was measured; report them apart",
			    sight->curve->figure->coll->name, finding_setting(sight->curve).text, human_times(sight->factor).text,
			    human_size(sight->bytes).text, human_time(sight->time2).text, human_time(sight->time).text,
			    launches_apart, sight->count, sight->of, finding_row(view, sight->curve, sight->bytes).text);
}

int finding_launches(struct findings *findings, const struct finding_view *view)
{
	struct finding_sights sights = { 0 };

	for (size_t c = 0; c < view->ncurves; c++) {
		if (find_in_curve(&sights, &view->curves[c])) {
			free(sights.items);
			return -1;
		}
	}
	if (find_in_machines(&sights, view)) {
		free(sights.items);
		return -1;
	}
	return finding_sights_tell(findings, view, &sights, say, "curves whose launches differ");
}
