/* SPDX-License-Identifier: Apache-2.0
 *
 * Curves that should agree: in-place with out-of-place, all_reduce with reduce_scatter where both carry all they can.
 */
#include "finding_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"

/* Below this many bytes a copy more or less, or one step of the clock, is a large part of a call. */
static const double least_bytes = 4096;
/* Both placements are measured in turn by one launch, so that what stays is no matter of launches. */
static const double placements_apart = 1.2;
/* Of the same link's traffic both should reach the same busbw; libraries that tune one of them were seen to be this far off. */
static const double least_ratio = 0.7, most_ratio = 1.4;
/* Levelled off: at most this much more busbw than at half the size. */
static const double still_rising = 1.15;

enum pair { PAIR_PLACEMENTS, PAIR_MEETING };

static bool is_same_call(const struct finding_curve *left, const struct finding_curve *right)
{
	const struct result *a = left->series->key, *b = right->series->key;

	return left->figure == right->figure && left->source == right->source && a->root == b->root &&
	       strcmp(a->redop, b->redop) == 0;
}

static void compare_placements(const struct point *out, const struct point *in, struct finding_sight *sight)
{
	const struct point *slow = out->time > in->time ? out : in, *fast = slow == out ? in : out;
	double factor = slow->time / fast->time;

	sight->of++;
	if (factor <= placements_apart || finding_span(slow).low <= finding_span(fast).high)
		return;
	sight->count++;
	if (factor <= sight->factor)
		return;
	sight->factor = factor;
	sight->bytes = out->bytes;
	sight->time = slow->time;
	sight->time2 = fast->time;
	sight->flag = slow == in;
}

static int find_placements(struct finding_sights *sights, const struct finding_curve *out, const struct finding_curve *in)
{
	struct finding_sight sight = { .curve = out, .kind = PAIR_PLACEMENTS };
	size_t at = 0;

	for (size_t i = 0; i < out->series->npoints; i++) {
		const struct point *point = &out->series->points[i];
		size_t found = finding_point(in->series, at, point->bytes);

		if (found == in->series->npoints)
			continue;
		at = found;
		if (point->bytes >= least_bytes)
			compare_placements(point, &in->series->points[at], &sight);
	}
	sight.level = sight.count > 1 ? FINDING_WARNING : FINDING_NOTE;
	return sight.count > 0 ? finding_sights_add(sights, &sight) : 0;
}

static double busbw_of(const struct finding_curve *curve, size_t at)
{
	const struct point *point = &curve->series->points[at];

	return curve->figure->coll->bus_factor((int)curve->series->key->nranks) * point->bytes / point->time;
}

static bool has_levelled_off(const struct finding_curve *curve, size_t at)
{
	size_t half = at;

	while (half > 0 && curve->series->points[half].bytes > curve->series->points[at].bytes / 2)
		half--;
	return curve->series->points[half].bytes <= curve->series->points[at].bytes / 2 &&
	       busbw_of(curve, at) <= still_rising * busbw_of(curve, half);
}

/* How far switches that reduce may set the two apart: all_reduce / reduce_scatter; NAN where they may, but by how much is not known. */
static double expected_ratio(const struct finding_curve *all, const struct finding_curve *part, size_t at, size_t part_at)
{
	if (!study_may_reduce(all->series->machine, all->series->key))
		return 1;
	return study_point_bounds(all->figure, all->series, &all->series->points[at]).cap /
	       study_point_bounds(part->figure, part->series, &part->series->points[part_at]).cap;
}

static int find_meeting(struct finding_sights *sights, const struct finding_curve *all, const struct finding_curve *part)
{
	struct finding_sight sight = { .level = FINDING_WARNING, .curve = all, .kind = PAIR_MEETING };
	size_t at = all->series->npoints, found = part->series->npoints;
	double ratio, expected;

	while (at > 0 && found == part->series->npoints)
		found = finding_point(part->series, 0, all->series->points[--at].bytes);
	if (found == part->series->npoints || all->series->key->nranks > STUDY_MOST_RANKS || !has_levelled_off(all, at) ||
	    !has_levelled_off(part, found))
		return 0;
	ratio = busbw_of(all, at) / busbw_of(part, found);
	expected = expected_ratio(all, part, at, found);
	if (!(ratio > most_ratio * fmax(1, expected) || ratio < least_ratio * fmin(1, expected)) || isnan(expected))
		return 0;
	sight.factor = fmax(ratio, 1 / ratio);
	sight.bytes = all->series->points[at].bytes;
	sight.time = busbw_of(all, at);
	sight.time2 = busbw_of(part, found);
	return finding_sights_add(sights, &sight);
}

static int find_pair(struct finding_sights *sights, const struct finding_curve *left, const struct finding_curve *right)
{
	if (!strcmp(left->series->key->placement, RESULT_OUT_OF_PLACE) &&
	    !strcmp(right->series->key->placement, RESULT_IN_PLACE) && is_same_call(left, right))
		return find_placements(sights, left, right);
	if (left->figure->coll->id == COLL_ALL_REDUCE && right->figure->coll->id == COLL_REDUCE_SCATTER &&
	    strcmp(left->series->key->redop, right->series->key->redop) == 0 && finding_same_setting(left, right))
		return find_meeting(sights, left, right);
	return 0;
}

static int say_placements(struct findings *findings, const struct finding_view *view, const struct finding_sight *sight)
{
	return findings_add(
		findings, sight->level,
		"%s (%s): in-place and out-of-place are over %.0f %% apart at %zu of %zu sizes from %s on: at %s %s takes "
		"%s, %s times the %s of the other (%s). Usual reasons: a copy that one of them needs, or buffers "
		"that only one of them keeps in a cache",
		sight->curve->figure->coll->name, finding_setting(sight->curve).text, (placements_apart - 1) * 100, sight->count,
		sight->of, human_size(least_bytes).text, human_size(sight->bytes).text,
		sight->flag ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE, human_time(sight->time).text,
		human_times(sight->factor).text, human_time(sight->time2).text,
		finding_row(view, sight->curve, sight->bytes).text);
}

static int say_meeting(struct findings *findings, const struct finding_view *view, const struct finding_sight *sight)
{
	return findings_add(
		findings, sight->level,
		"all_reduce and reduce_scatter (%s) do not meet: busbw %s and %s at %s, where neither rises any more (%s). "
		"An all_reduce can be a reduce_scatter and an all_gather, so both should carry the same: the slower "
		"one is poorly tuned, or takes another path",
		finding_setting(sight->curve).text, human_rate(sight->time).text, human_rate(sight->time2).text,
		human_size(sight->bytes).text, finding_row(view, sight->curve, sight->bytes).text);
}

static int say(struct findings *findings, const struct finding_view *view, const struct finding_sight *sight)
{
	return sight->kind == PAIR_PLACEMENTS ? say_placements(findings, view, sight) : say_meeting(findings, view, sight);
}

int finding_pairs(struct findings *findings, const struct finding_view *view)
{
	struct finding_sights sights = { 0 };

	for (size_t first = 0, end; first < view->ncurves; first = end) {
		for (end = first + 1; end < view->ncurves && finding_same_machine(&view->curves[first], &view->curves[end]);)
			end++;
		for (size_t a = first; a < end; a++) {
			for (size_t b = first; b < end; b++) {
				if (!find_pair(&sights, &view->curves[a], &view->curves[b]))
					continue;
				free(sights.items);
				return -1;
			}
		}
	}
	return finding_sights_tell(findings, view, &sights, say, "pairs of curves that should agree");
}
