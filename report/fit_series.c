/* SPDX-License-Identifier: Apache-2.0
 *
 * Series to parameters.
 */
#include "fit_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "array.h"

static const double small = 4096, large = 1 << 26; /* bytes */

static bool same(double left, double right)
{
	return fabs(left - right) <= 1e-9 * fabs(right);
}

/* Whether the model is alphas * alpha + bytes * S / B, by trying. */
static bool is_linear(const struct coll_model *model, int nranks, double *alphas, double *bytes)
{
	const struct coll_link latency = { .alpha = 1 }, rate = { .beta = 1 }, both = { .alpha = 1, .beta = 1 / large };
	double a = model->time(nranks, small, &latency), b = model->time(nranks, 1, &rate);

	if (!(a > 0 && b > 0 && isfinite(a) && isfinite(b)))
		return false;
	if (!same(model->time(nranks, large, &latency), a) || !same(model->time(nranks, large, &rate), b * large) ||
	    !same(model->time(nranks, small, &both), a + b * small / large) || !same(model->time(nranks, large, &both), a + b))
		return false;
	*alphas = a;
	*bytes = b;
	return true;
}

/* "ring" is the model of "Ring/LL128" too: behind the slash is how, not what. */
static bool is_model_of(const char *model, const char *algo)
{
	const size_t length = strcspn(algo, "/");

	return strlen(model) == length && strncasecmp(model, algo, length) == 0;
}

/* Names that libraries have for what a model describes. */
static const struct {
	enum coll_id coll;
	const char *algo, *model;
} others[] = {
	{ COLL_ALL_REDUCE, "tree", "tree_ideal" },
	{ COLL_ALL_REDUCE, "two_tree", "tree_ideal" },
	{ COLL_ALL_REDUCE, "recursive_doubling", "recdbl" },
	{ COLL_ALL_GATHER, "recursive_doubling", "recdbl" },
	{ COLL_ALL_GATHER, "pat", "bruck" },
	{ COLL_REDUCE_SCATTER, "pat", "circulant" },
	{ COLL_REDUCE_SCATTER, "pairwise", "ring" },
};

static const struct coll_model *named_model(const struct collective *coll, const char *algo)
{
	if (!*algo || strcmp(algo, "auto") == 0)
		return collective_model(coll, coll->ring);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		if (others[i].coll == coll->id && is_model_of(others[i].algo, algo))
			return collective_model(coll, others[i].model);
	}
	for (const struct coll_model *model = coll->models; model->name; model++) {
		if (is_model_of(model->name, algo))
			return model;
	}
	return NULL;
}

static const struct coll_model *linear_model(const struct coll_model *model, const struct result *key, double *alphas,
					     double *bytes)
{
	if (!model || key->nranks < 2 || key->nranks > STUDY_MOST_RANKS || (model->holds && !model->holds((int)key->nranks)))
		return NULL;
	return is_linear(model, (int)key->nranks, alphas, bytes) ? model : NULL;
}

const struct coll_model *fit_named_model(const struct collective *coll, const struct result *key, double *alphas, double *bytes)
{
	return linear_model(named_model(coll, key->algo), key, alphas, bytes);
}

const struct coll_model *fit_model(const struct collective *coll, const struct result *key, double *alphas, double *bytes)
{
	const struct coll_model *model = named_model(coll, key->algo);

	return linear_model(model ? model : collective_model(coll, coll->ring), key, alphas, bytes);
}

static struct fit_value times(struct fit_value value, double factor)
{
	return (struct fit_value){ value.value * factor, value.low * factor, value.high * factor };
}

static void fit_link(struct series *series, const struct collective *coll)
{
	const struct fit *fit = &series->fit;
	const struct fit_value alpha = { fit->alpha, fit->alpha_low, fit->alpha_high };
	const struct fit_value bandwidth = { fit->bandwidth, fit->bandwidth_low, fit->bandwidth_high };
	double alphas = NAN, bytes = NAN;

	series->link.model = fit_model(coll, series->key, &alphas, &bytes);
	series->link.alphas = alphas;
	series->link.bytes = bytes;
	series->link.alpha = times(alpha, 1 / alphas);
	series->link.bandwidth = times(bandwidth, bytes);
}

static int fit_points(struct series *series)
{
	struct fit_point *points = malloc((series->npoints + 1) * sizeof *points);
	size_t n = 0;
	int rc;

	if (!points)
		return array_failed();
	for (size_t i = 0; i < series->npoints && series->key->nranks > 1; i++) {
		if (!series->points[i].oversubscribed)
			points[n++] = (struct fit_point){ .bytes = series->points[i].bytes, .time = series->points[i].time };
	}
	rc = fit_line(points, n, &series->fit);
	free(points);
	return rc;
}

static int compare_launches(const void *left, const void *right)
{
	const struct result *a = *(const struct result *const *)left;
	const struct result *b = *(const struct result *const *)right;

	return strcmp(a->run, b->run);
}

static int compare_values(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Of n values, those that are NAN left out; sorts them. */
static struct fit_range range_of(double *values, size_t n)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		if (isfinite(values[i]))
			values[known++] = values[i];
	}
	if (known == 0)
		return (struct fit_range){ NAN, NAN, NAN };
	qsort(values, known, sizeof *values, compare_values);
	return (struct fit_range){ (values[(known - 1) / 2] + values[known / 2]) / 2, values[0], values[known - 1] };
}

/* One launch's parameters, with the segments of all. */
static int fit_launch(const struct series *series, const struct result *const *rows, size_t n, double *a, double *b)
{
	struct fit_point *points = malloc((n + 1) * sizeof *points);
	struct fit fit;
	size_t used = 0;
	int rc;

	if (!points)
		return array_failed();
	for (size_t i = 0; i < n; i++) {
		if (!result_takes_turns(rows[i]))
			points[used++] = (struct fit_point){ .bytes = (double)rows[i]->bytes, .time = rows[i]->time };
	}
	rc = fit_line_as(points, used, &series->fit, &fit);
	free(points);
	*a = fit.alpha;
	*b = 1 / fit.bandwidth;
	return rc;
}

/* The rows of launch l begin at starts[l] and end at starts[l + 1]; rows are sorted by launch. Returns how many there are. */
static size_t find_launches(const struct result *const *rows, size_t n, size_t *starts)
{
	size_t launches = 0;

	for (size_t i = 0; i < n; i++) {
		if (i == 0 || strcmp(rows[i - 1]->run, rows[i]->run))
			starts[launches++] = i;
	}
	starts[launches] = n;
	return launches;
}

static int fit_each(struct series *series, const struct result *const *rows, size_t n, size_t *starts)
{
	double a[FIT_MOST_LAUNCHES] = { 0 }, b[FIT_MOST_LAUNCHES] = { 0 };
	size_t launches = find_launches(rows, n, starts), taken = launches < FIT_MOST_LAUNCHES ? launches : FIT_MOST_LAUNCHES;

	if (launches < 2)
		return 0;
	for (size_t i = 0; i < taken; i++) {
		size_t l = i * (launches - 1) / (taken - 1);

		if (fit_launch(series, rows + starts[l], starts[l + 1] - starts[l], &a[i], &b[i]))
			return -1;
	}
	series->launches = taken;
	series->launch_a = range_of(a, taken);
	series->launch_b = range_of(b, taken);
	return 0;
}

static int fit_launches(struct series *series, const struct result *const *rows, size_t n)
{
	const struct result **sorted = malloc((n + 1) * sizeof *sorted);
	size_t *starts = malloc((n + 1) * sizeof *starts);
	int rc = -1;

	series->launch_a = series->launch_b = (struct fit_range){ NAN, NAN, NAN };
	if (!sorted || !starts) {
		array_failed();
	} else {
		memcpy(sorted, rows, n * sizeof *sorted);
		qsort(sorted, n, sizeof(*sorted), compare_launches);
		rc = series->fit.nsegments > 0 ? fit_each(series, sorted, n, starts) : 0;
	}
	free(sorted);
	free(starts);
	return rc;
}

int fit_series(struct series *series, const struct collective *coll, const struct result *const *rows, size_t nrows)
{
	if (fit_points(series))
		return -1;
	fit_link(series, coll);
	return fit_launches(series, rows, nrows);
}
