/* SPDX-License-Identifier: Apache-2.0
 *
 * Times at any size of points that were measured at some, or of a model.
 */
#include "curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fit_series.h"
#include "../result.h"
#include "../study.h"
#include "curve_parts.h"

/* Rows of so many numbers of ranks are looked at, until some can be scaled. */
enum { MOST_TRIES = 8 };

static int fail(char *error, size_t size, const char *why)
{
	snprintf(error, size, "%s", why);
	return -1;
}

const char *curve_word(enum curve_source source)
{
	static const char *const words[CURVE_SOURCES] = { "measured", "interpolated", "below", "above", "model" };

	return words[source];
}

double curve_least(const struct curve *curve)
{
	return curve->npoints > 0 ? curve->points[0].bytes : 0;
}

double curve_most(const struct curve *curve)
{
	return curve->npoints > 0 ? curve->points[curve->npoints - 1].bytes : INFINITY;
}

static double by_model(const struct curve *curve, int nranks, double bytes)
{
	return nranks > 1 ? curve->model->time(nranks, bytes, &curve->link) : 0;
}

static struct curve_time before_first(const struct curve *curve, double bytes)
{
	const struct curve_end *end = &curve->below;
	const struct curve_point *first = &curve->points[0];
	struct curve_time time = { .seconds = first->time, .source = CURVE_BELOW, .guess = end->guess };

	if (!end->guess)
		time.seconds *= (end->a + end->b * bytes) / (end->a + end->b * first->bytes);
	return time;
}

static struct curve_time behind_last(const struct curve *curve, double bytes)
{
	const struct curve_end *end = &curve->above;
	const struct curve_point *last = &curve->points[curve->npoints - 1];
	struct curve_time time = { .seconds = last->time, .source = CURVE_ABOVE, .guess = end->guess };

	if (end->guess)
		time.seconds *= bytes / last->bytes;
	else
		time.seconds += end->b * (bytes - last->bytes);
	return time;
}

static struct curve_time measured(const struct curve *curve, double bytes)
{
	const struct curve_point *points = curve->points;
	size_t low = 0, high = curve->npoints;
	double at;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (points[middle].bytes < bytes)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == curve->npoints)
		return behind_last(curve, bytes);
	if (points[low].bytes == bytes)
		return (struct curve_time){ .seconds = points[low].time, .source = CURVE_MEASURED };
	if (low == 0)
		return before_first(curve, bytes);
	at = log(bytes / points[low - 1].bytes) / log(points[low].bytes / points[low - 1].bytes);
	return (struct curve_time){ .seconds = points[low - 1].time * pow(points[low].time / points[low - 1].time, at),
				    .source = CURVE_BETWEEN };
}

struct curve_time curve_time(const struct curve *curve, double bytes)
{
	struct curve_time time = { .source = CURVE_MODEL };

	if (!(bytes > 0))
		return time;
	if (curve->npoints == 0) {
		time.seconds = by_model(curve, curve->nranks, bytes);
		return time;
	}
	time = measured(curve, bytes);
	time.scaled = curve->measured_nranks != curve->nranks;
	return time;
}

/* Of times that lie on one, seen at sizes far apart. */
static bool find_line(const struct curve *curve, double *a, double *b)
{
	static const double small = 4096, large = 1 << 26;
	const double at_small = by_model(curve, curve->nranks, small), at_large = by_model(curve, curve->nranks, large);
	const double slope = (at_large - at_small) / (large - small), start = fmax(at_small - slope * small, 0);

	for (double bytes = 1; bytes < 0x1p50; bytes *= 32) {
		const double seconds = by_model(curve, curve->nranks, bytes);

		if (!(fabs(start + slope * bytes - seconds) <= 1e-6 * seconds))
			return false;
	}
	*a = start;
	*b = slope;
	return true;
}

bool curve_line(const struct curve *curve, double *a, double *b)
{
	if (curve->nranks > 1 && curve->npoints == 0)
		return find_line(curve, a, b);
	if (curve->npoints > 0 && !fit_is_usable(&curve->fit))
		return false;
	*a = curve->npoints > 0 ? curve->below.a : 0;
	*b = curve->npoints > 0 ? curve->above.b : 0;
	return true;
}

static bool is_good_link(const struct coll_link *link)
{
	return link->alpha >= 0 && link->beta > 0 && link->gamma >= 0 && isfinite(link->alpha) && isfinite(link->beta) &&
	       isfinite(link->gamma);
}

/* The texts of a curve that has no points. */
static int finish_model(struct curve *curve, char *error, size_t size)
{
	curve->choice = curve_tell_model(curve);
	curve->passed_over = strdup("");
	if (curve->choice && curve->passed_over)
		return 0;
	curve_clear(curve);
	return fail(error, size, "out of memory");
}

int curve_from_link(const struct collective *coll, const char *model, const struct coll_link *link, int nranks,
		    struct curve *curve, char *error, size_t size)
{
	struct curve made = { .coll = coll, .nranks = nranks, .link = *link };

	made.model = collective_model(coll, model ? model : coll->ring ? coll->ring : "lb");
	if (!made.model) {
		snprintf(error, size, "%s has no model of that name", coll->name);
		return -1;
	}
	if (!is_good_link(link))
		return fail(error, size, "a link needs a positive bandwidth, and no time below 0");
	if (nranks < 1 || (made.model->holds && !made.model->holds(nranks))) {
		snprintf(error, size, "%s: the model %s does not hold for %d ranks", coll->name, made.model->name, nranks);
		return -1;
	}
	if (finish_model(&made, error, size))
		return -1;
	*curve = made;
	return 0;
}

static const struct coll_model *find_model(const struct curve *curve, const char *algo, int nranks, double *alphas, double *bytes)
{
	struct result key = *curve->key;

	key.algo = algo;
	key.nranks = nranks;
	return fit_named_model(curve->coll, &key, alphas, bytes);
}

/* The models of the points, and what the fit says of the link by them: its alpha is of the smallest sizes, its bandwidth of the largest. */
static void find_link(struct curve *curve)
{
	double alphas = NAN, bytes = NAN, first = NAN;

	for (size_t i = 0; i < curve->npoints; i++) {
		alphas = bytes = NAN;
		curve->points[i].model = find_model(curve, curve->points[i].algo, curve->measured_nranks, &alphas, &bytes);
		first = i == 0 ? alphas : first;
	}
	curve->model = curve->points[curve->npoints - 1].model;
	curve->link = (struct coll_link){ .alpha = curve->fit.alpha / first, .beta = 1 / (curve->fit.bandwidth * bytes) };
}

/* Joins the end of the fit to the measured size there. `told`: the fit knows what is needed beyond it. */
static struct curve_end find_end(const struct fit_segment *segment, const struct curve_point *point, bool told)
{
	static const double apart = 0.15;
	struct curve_end end = { .a = NAN, .b = NAN, .guess = true };

	if (!segment)
		return end;
	end.a = segment->a.value;
	end.b = segment->b.value;
	end.guess = !told || !(fabs(log(point->time / (end.a + end.b * point->bytes))) <= log(1 + apart));
	return end;
}

static void find_ends(struct curve *curve)
{
	const struct fit *fit = &curve->fit;
	const size_t n = fit->nsegments;

	curve->below = find_end(n > 0 ? &fit->segments[0] : NULL, &curve->points[0], isfinite(fit->alpha));
	curve->above = find_end(n > 0 ? &fit->segments[n - 1] : NULL, &curve->points[curve->npoints - 1],
				isfinite(fit->bandwidth));
}

static int cannot_scale(const struct curve *curve, const char *why, const char *name, char *error, size_t size)
{
	snprintf(error, size, "%s: measured with %d ranks, and times of %d do not follow from that: %s%s", curve->coll->name,
		 curve->measured_nranks, curve->nranks, why, name);
	return -1;
}

static int check_scaling(const struct curve *curve, char *error, size_t size)
{
	double alphas, bytes;

	if (curve->nranks > STUDY_MOST_RANKS)
		return cannot_scale(curve, "no model is asked for more than 65536 ranks", "", error, size);
	for (size_t i = 0; i < curve->npoints; i++) {
		const struct curve_point *point = &curve->points[i];

		if (!point->model && *point->algo)
			return cannot_scale(curve,
					    "no model that is linear in alpha and 1 / bandwidth is known of the algorithm ",
					    point->algo, error, size);
		if (!point->model)
			return cannot_scale(curve, "its algorithm has no model that is linear in both", "", error, size);
		if (find_model(curve, point->algo, curve->nranks, &alphas, &bytes) != point->model)
			return cannot_scale(curve, "its model does not hold for them: ", point->model->name, error, size);
	}
	if (!fit_is_usable(&curve->fit))
		return cannot_scale(curve, "its fit does not tell both alpha and bandwidth", "", error, size);
	return 0;
}

/* Times and ends become those of the number of ranks asked for. */
static void scale(struct curve *curve)
{
	const struct curve_point *first = &curve->points[0], *last = &curve->points[curve->npoints - 1];
	double alphas[2], bytes[2];

	for (size_t i = 0; i < curve->npoints; i++) {
		struct curve_point *point = &curve->points[i];

		point->time *= point->model->time(curve->nranks, point->bytes, &curve->link) /
			       point->model->time(curve->measured_nranks, point->bytes, &curve->link);
	}
	find_model(curve, first->algo, curve->measured_nranks, &alphas[0], &bytes[0]);
	find_model(curve, first->algo, curve->nranks, &alphas[1], &bytes[1]);
	curve->below.a *= alphas[1] / alphas[0];
	curve->below.b *= bytes[1] / bytes[0];
	find_model(curve, last->algo, curve->measured_nranks, &alphas[0], &bytes[0]);
	find_model(curve, last->algo, curve->nranks, &alphas[1], &bytes[1]);
	curve->above.a *= alphas[1] / alphas[0];
	curve->above.b *= bytes[1] / bytes[0];
}

static int fit_points(struct curve *curve)
{
	struct fit_point *points = malloc((curve->npoints + 1) * sizeof *points);
	int rc = -1;

	if (!points)
		return -1;
	for (size_t i = 0; i < curve->npoints; i++)
		points[i] = (struct fit_point){ .bytes = curve->points[i].bytes, .time = curve->points[i].time };
	rc = fit_line(points, curve->npoints, &curve->fit);
	free(points);
	return rc;
}

static int fill(struct curve *curve, const struct curve_found *found, struct curve_series *chosen, char *error, size_t size)
{
	curve->key = chosen->key;
	curve->source = chosen->source;
	curve->measured_nranks = (int)chosen->key->nranks;
	curve->points = curve_series_points(chosen, &curve->npoints, &curve->noise);
	if (!curve->points || fit_points(curve))
		return fail(error, size, "out of memory");
	find_link(curve);
	find_ends(curve);
	if (curve->nranks != curve->measured_nranks) {
		if (check_scaling(curve, error, size))
			return -1;
		scale(curve);
	}
	curve->choice = curve_tell_choice(curve, chosen);
	curve->passed_over = curve_tell_passed(found, (const struct result *const[]){ chosen->key }, 1);
	return curve->choice && curve->passed_over ? 0 : fail(error, size, "out of memory");
}

/* The nearest rows, or the next to those that cannot be scaled. The error is that of the nearest. */
static int fill_nearest(struct curve *curve, struct curve_found *found, const struct curve_wish *wish, char *error, size_t size)
{
	const struct curve empty = { .coll = curve->coll, .nranks = curve->nranks };
	struct curve_series *chosen = curve_choose(found, wish);
	char others[256];
	int rc;

	if (!chosen) {
		curve_tell_none(found, wish, error, size);
		return -1;
	}
	rc = fill(curve, found, chosen, error, size);
	for (int tries = 1; rc && tries < MOST_TRIES; tries++) {
		chosen = curve_choose_other(found, wish, chosen);
		if (!chosen)
			return -1;
		curve_clear(curve);
		*curve = empty;
		rc = fill(curve, found, chosen, others, sizeof others);
	}
	return rc;
}

int curve_from_rows(const struct rows *rows, const struct curve_wish *wish, struct curve *curve, char *error, size_t size)
{
	struct curve made = { .coll = wish->coll, .nranks = wish->nranks };
	struct curve_found found;
	int rc = -1;

	if (wish->nranks < 1)
		return fail(error, size, "a call needs a rank");
	if (wish->nranks == 1) {
		rc = finish_model(&made, error, size);
	} else if (curve_collect(rows, wish, &found)) {
		return fail(error, size, "out of memory");
	} else {
		rc = fill_nearest(&made, &found, wish, error, size);
		curve_found_clear(&found);
	}
	if (rc)
		curve_clear(&made);
	else
		*curve = made;
	return rc;
}

void curve_clear(struct curve *curve)
{
	free(curve->points);
	free(curve->choice);
	free(curve->passed_over);
	*curve = (struct curve){ 0 };
}
