/* SPDX-License-Identifier: Apache-2.0
 *
 * A curve alone: a few sizes far slower than those beside them, a step that lasts, sizes that are slower than larger ones.
 */
#include "finding_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "array.h"
#include "human.h"

/* Changes of protocol cost up to this without being odd. */
static const double cliff_factor = 1.5;
/* A size belongs to a slow stretch while it is this much over what the sizes before the stretch suggest. */
static const double still_slow = 1.25;
/* A call of fewer bytes has less to do; a third more than a larger one takes is no longer noise of one launch. */
static const double slower_factor = 1.3;
/* A time that grows by this much more than its bytes: calls of the smaller size one after the other are faster. */
static const double split_factor = 1.15;
/* A line through two points is not followed further than this many times their distance: noise is multiplied as well. */
static const double far_enough = 32;
/* What happens up to here is called a matter of small sizes. */
static const double small_bytes = 1024;

enum {
	MOST_STRETCH = 3, /* slow sizes; more are a step that lasts */
	MOST_LAW = 3,     /* points that the next ones are guessed from */
};

enum shape { SHAPE_CLIFF, SHAPE_STEP, SHAPE_SLOWER };

struct guess {
	double time, high;
};

/* The last sizes without anything odd. */
struct law {
	const struct point *points[MOST_LAW];
	size_t count;
};

static void law_add(struct law *law, const struct point *point)
{
	if (law->count == MOST_LAW) {
		for (size_t i = 1; i < MOST_LAW; i++)
			law->points[i - 1] = law->points[i];
		law->count--;
	}
	law->points[law->count++] = point;
}

/* The most that a startup and a bandwidth allow: times grow as bytes do. */
static struct guess guess_proportional(const struct point *point, double bytes)
{
	double more = bytes / point->bytes;

	return (struct guess){ point->time * more, finding_span(point).high * more };
}

/* By the line through two points. False when they tell none: too near each other, or the first was far slower. */
static bool guess_line(const struct point *first, const struct point *second, double bytes, struct guess *guess)
{
	double steps = (bytes - second->bytes) / (second->bytes - first->bytes);
	struct finding_span one = finding_span(first), two = finding_span(second);
	struct guess most = guess_proportional(second, bytes);

	if (!(steps <= far_enough) || first->time > still_slow * second->time)
		return false;
	guess->time = fmin(most.time, second->time + steps * fmax(0, second->time - first->time));
	guess->high = fmin(most.high, two.high + steps * fmax(0, two.high - one.low));
	return true;
}

/* Of two lines the higher one, so that one fast size does not make the next ones look slow. False when neither reaches so far. */
static bool law_guess(const struct law *law, double bytes, struct guess *guess)
{
	struct guess earlier;
	bool known = guess_line(law->points[1], law->points[2], bytes, guess);

	if (!guess_line(law->points[0], law->points[1], bytes, &earlier))
		return known;
	if (!known || earlier.time > guess->time)
		*guess = earlier;
	return true;
}

static bool is_over(const struct point *point, struct guess guess, double factor)
{
	return point->time > factor * guess.time && finding_span(point).low > guess.high;
}

/* Between two sizes, on logarithmic axes. */
static struct guess guess_between(const struct point *left, const struct point *right, double bytes)
{
	double part = log(bytes / left->bytes) / log(right->bytes / left->bytes);
	double low = finding_span(left).high, high = finding_span(right).high;

	return (struct guess){ left->time * pow(right->time / left->time, part), low * pow(high / low, part) };
}

/* One past the slow sizes that begin at i; npoints where they do not end, as far as can be told. */
static size_t find_end(const struct series *series, const struct law *law, size_t i)
{
	for (size_t end = i + 1; end < series->npoints && end - i <= MOST_STRETCH; end++) {
		struct guess guess;

		if (!law_guess(law, series->points[end].bytes, &guess))
			break;
		if (!is_over(&series->points[end], guess, still_slow))
			return end;
	}
	return series->npoints;
}

/* What the sizes after i suggest for it, where those before it tell too little. */
static bool stands_out(const struct series *series, size_t i)
{
	const struct point *point = &series->points[i], *next = point + 1;
	double least = next->time * point->bytes / next->bytes, slope = 0;

	if (i + 2 < series->npoints)
		slope = fmax(0, (next[1].time - next->time) / (next[1].bytes - next->bytes));
	return point->time > still_slow * fmax(least, next->time - slope * (next->bytes - point->bytes));
}

/* The slow sizes i .. end between the last of the law and end; false when they are not slow enough beside both. */
static bool see_cliff(const struct series *series, const struct law *law, size_t i, size_t end, struct finding_sight *sight)
{
	sight->factor = 0;
	for (size_t k = i; k < end; k++) {
		const struct point *point = &series->points[k];
		struct guess guess = guess_between(law->points[law->count - 1], &series->points[end], point->bytes);

		if (!is_over(point, guess, cliff_factor) || point->time / guess.time <= sight->factor)
			continue;
		sight->factor = point->time / guess.time;
		sight->bytes = point->bytes;
		sight->time = point->time;
		sight->time2 = guess.time;
	}
	sight->kind = SHAPE_CLIFF;
	sight->level = FINDING_WARNING;
	sight->count = end - i;
	return sight->factor > 0;
}

static size_t see_step(const struct law *law, const struct point *point, struct guess guess, bool at_end,
		       struct finding_sight *sight)
{
	const struct point *last = law->points[law->count - 1];

	sight->kind = SHAPE_STEP;
	sight->factor = point->time / guess.time;
	sight->bytes = point->bytes;
	sight->time = point->time;
	sight->bytes2 = last->bytes;
	sight->time2 = last->time;
	sight->level = point->time / last->time > split_factor * point->bytes / last->bytes ? FINDING_WARNING : FINDING_NOTE;
	sight->flag = at_end;
	return 1;
}

/* Where few sizes before it tell of a slope, those behind have to, and a step has to be more than any slope allows. */
static size_t see_early(const struct series *series, const struct law *law, size_t i, struct finding_sight *sight)
{
	const struct point *point = &series->points[i];
	struct guess guess = guess_proportional(law->points[law->count - 1], point->bytes);

	if (i + 1 < series->npoints && stands_out(series, i))
		return see_cliff(series, law, i, i + 1, sight);
	return is_over(point, guess, cliff_factor) ? see_step(law, point, guess, i + 1 == series->npoints, sight) : 0;
}

/* What begins at point i, if anything: how many points it takes. 0: nothing. */
static size_t see(const struct series *series, const struct law *law, size_t i, struct finding_sight *sight)
{
	const struct point *point = &series->points[i];
	struct guess guess;
	size_t end;

	if (law->count < MOST_LAW)
		return law->count > 0 ? see_early(series, law, i, sight) : 0;
	if (!law_guess(law, point->bytes, &guess))
		guess = guess_proportional(law->points[law->count - 1], point->bytes);
	if (!is_over(point, guess, cliff_factor))
		return 0;
	end = find_end(series, law, i);
	if (end == series->npoints)
		return see_step(law, point, guess, i + 1 == end, sight);
	return see_cliff(series, law, i, end, sight) ? end - i : 0;
}

/* Marks the points of cliffs as odd. */
static int find_breaks(struct finding_sights *sights, const struct finding_curve *curve, bool *odd)
{
	const struct series *series = curve->series;
	struct law law = { 0 };

	for (size_t i = 0, n; i<series->npoints; i += n> 0 ? n : 1) {
		struct finding_sight sight = { .curve = curve, .of = series->npoints };

		n = see(series, &law, i, &sight);
		if (n > 0 && finding_sights_add(sights, &sight))
			return -1;
		for (size_t k = i; n > 0 && sight.kind == SHAPE_CLIFF && k < i + n; k++)
			odd[k] = true;
		if (n > 0 && sight.kind == SHAPE_STEP)
			law.count = 0;
		if (n == 0 || sight.kind == SHAPE_STEP)
			law_add(&law, &series->points[i]);
	}
	return 0;
}

/* Each size against the fastest of the larger ones. */
static int find_slower(struct finding_sights *sights, const struct finding_curve *curve, const bool *odd)
{
	const struct series *series = curve->series;
	const struct point *fastest = &series->points[series->npoints - 1];
	struct finding_sight sight = { .curve = curve, .kind = SHAPE_SLOWER, .of = series->npoints };

	for (size_t i = series->npoints - 1; i-- > 0;) {
		const struct point *point = &series->points[i];
		double factor = point->time / fastest->time;

		if (factor > slower_factor && !odd[i] && finding_span(point).low > finding_span(fastest).high) {
			sight.count++;
			if (factor > sight.factor) {
				sight.factor = factor;
				sight.bytes = point->bytes;
				sight.time = point->time;
				sight.bytes2 = fastest->bytes;
				sight.time2 = fastest->time;
			}
		}
		if (point->time < fastest->time)
			fastest = point;
	}
	/* One size in a sweep may be so by chance. */
	sight.level = sight.count > 1 || sight.factor > cliff_factor ? FINDING_WARNING : FINDING_NOTE;
	return sight.count > 0 ? finding_sights_add(sights, &sight) : 0;
}

static int find_shapes(struct finding_sights *sights, const struct finding_curve *curve)
{
	bool *odd = calloc(curve->series->npoints, sizeof *odd);
	int rc;

	if (!odd)
		return array_failed();
	rc = find_breaks(sights, curve, odd) || find_slower(sights, curve, odd) ? -1 : 0;
	free(odd);
	return rc;
}

static int say_cliff(struct findings *findings, const struct finding_view *view, const struct finding_sight *sight)
{
	char more[64] = "";

	if (sight->count > 1)
		snprintf(more, sizeof more, " (%zu sizes in a row, this the worst)", sight->count);
	return findings_add(findings, sight->level,
			    "%s (%s): a cliff at %s%s: %s, %s times the %s that the sizes beside it suggest (%s). Usual reasons: "
			    "a protocol or algorithm chosen for that size alone, or memory taken anew for each call",
			    sight->curve->figure->coll->name, finding_setting(sight->curve).text, human_size(sight->bytes).text,
			    more, human_time(sight->time).text, human_times(sight->factor).text, human_time(sight->time2).text,
			    finding_row(view, sight->curve, sight->bytes).text);
}

static int say_step(struct findings *findings, const struct finding_view *view, const struct finding_sight *sight)
{
	char cure[128] = "";

	if (sight->level == FINDING_WARNING)
		snprintf(cure, sizeof cure, ": calls of %s one after the other are faster", human_size(sight->bytes2).text);
	return findings_add(findings, sight->level,
			    "%s (%s): a step from %s to %s%s: from %s to %s, %s times what smaller sizes suggest (%s)%s. Usual "
			    "reason: another protocol or algorithm from there on",
			    sight->curve->figure->coll->name, finding_setting(sight->curve).text, human_size(sight->bytes2).text,
			    human_size(sight->bytes).text, sight->flag ? ", the largest size" : " that lasts",
			    human_time(sight->time2).text, human_time(sight->time).text, human_times(sight->factor).text,
			    finding_row(view, sight->curve, sight->bytes).text, cure);
}

static int say_slower(struct findings *findings, const struct finding_view *view, const struct finding_sight *sight)
{
	return findings_add(
		findings, sight->level,
		"%s (%s): %zu of %zu sizes are slower than a larger one: %s takes %s, %s times the %s of %s (%s). %s",
		sight->curve->figure->coll->name, finding_setting(sight->curve).text, sight->count, sight->of,
		human_size(sight->bytes).text, human_time(sight->time).text, human_times(sight->factor).text,
		human_time(sight->time2).text, human_size(sight->bytes2).text, finding_row(view, sight->curve, sight->bytes).text,
		sight->bytes <= small_bytes
			? "Usual reasons: too little warm-up before the first sizes, or a poor choice for small messages"
			: "Padding the smaller call would be faster");
}

static int say(struct findings *findings, const struct finding_view *view, const struct finding_sight *sight)
{
	static finding_say_fn *const says[] = { say_cliff, say_step, say_slower };

	return says[sight->kind](findings, view, sight);
}

int finding_shapes(struct findings *findings, const struct finding_view *view)
{
	struct finding_sights sights = { 0 };

	for (size_t c = 0; c < view->ncurves; c++) {
		if (find_shapes(&sights, &view->curves[c])) {
			free(sights.items);
			return -1;
		}
	}
	return finding_sights_tell(findings, view, &sights, say, "cliffs, steps and sizes slower than larger ones");
}
