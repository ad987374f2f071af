/* SPDX-License-Identifier: Apache-2.0
 *
 * A sweep's fit: sizes with one time each, strays left out, segments, a robust line through each, and what may be said of them.
 */
#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "fit_parts.h"

enum { SIZES_PER_OUTLIER = 8, MOST_OUTLIERS = 16 };

static const double poor_residual = 0.10;
static const double outlier_residual = 0.0953; /* ln 1.1 */
static const double outlier_deviations = 5 * 1.4826;
static const double least_bend = 1e-3;
static const double least_normal = -2.326; /* of a standard normal variable, one in a hundred is under it */

/* The sizes in use and their points. All arrays lie in one block of reals but for `points` and `start`. */
struct sizes {
	double *bytes, *time, *log_time, *weight; /* as in fit_data */
	double *scores, *sorted;                  /* for fit_stray; `sorted` also for other uses */
	struct fit_point **points;                /* by rising bytes, then time */
	size_t *start, *count;                    /* of each size's points in it */
	size_t n;
};

static int compare_points(const void *left, const void *right)
{
	const struct fit_point *a = *(struct fit_point *const *)left;
	const struct fit_point *b = *(struct fit_point *const *)right;

	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? -1 : 1;
	return (a->time > b->time) - (a->time < b->time);
}

static void sizes_clear(struct sizes *sizes)
{
	free(sizes->bytes);
	free(sizes->points);
	free(sizes->start);
}

/* A sweep of a million sizes tells no more than one of some thousands. */
static void sizes_thin(struct sizes *sizes)
{
	if (sizes->n <= FIT_MOST_FITTED)
		return;
	for (size_t s = 0; s < FIT_MOST_FITTED; s++) {
		size_t from = s * (sizes->n - 1) / (FIT_MOST_FITTED - 1);

		sizes->start[s] = sizes->start[from];
		sizes->count[s] = sizes->count[from];
		sizes->bytes[s] = sizes->bytes[from];
		sizes->time[s] = sizes->time[from];
		sizes->log_time[s] = sizes->log_time[from];
		sizes->weight[s] = sizes->weight[from];
	}
	sizes->n = FIT_MOST_FITTED;
}

static int sizes_init(struct sizes *sizes, struct fit_point *points, size_t n)
{
	size_t room = n + 1;

	*sizes = (struct sizes){ .bytes = calloc(room, 6 * sizeof(double)),
				 .points = calloc(room, sizeof *sizes->points),
				 .start = calloc(room, 2 * sizeof *sizes->start) };
	if (!sizes->bytes || !sizes->points || !sizes->start) {
		sizes_clear(sizes);
		array_failed();
		return -1;
	}
	sizes->time = sizes->bytes + room;
	sizes->log_time = sizes->bytes + 2 * room;
	sizes->weight = sizes->bytes + 3 * room;
	sizes->scores = sizes->bytes + 4 * room;
	sizes->sorted = sizes->bytes + 5 * room;
	sizes->count = sizes->start + room;
	for (size_t i = 0; i < n; i++) {
		points[i].left_out = false;
		sizes->points[i] = &points[i];
	}
	qsort(sizes->points, n, sizeof(*sizes->points), compare_points);
	for (size_t i = 0, k; i < n; i += k) {
		size_t s = sizes->n++;

		for (k = 1; i + k < n && sizes->points[i + k]->bytes == sizes->points[i]->bytes; k++)
			;
		sizes->start[s] = i;
		sizes->count[s] = k;
		sizes->bytes[s] = sizes->points[i]->bytes;
		sizes->time[s] = (sizes->points[i + (k - 1) / 2]->time + sizes->points[i + k / 2]->time) / 2;
		sizes->log_time[s] = log(sizes->time[s]);
		sizes->weight[s] = 1 / (sizes->time[s] * sizes->time[s]);
	}
	sizes_thin(sizes);
	return 0;
}

static struct fit_data sizes_data(const struct sizes *sizes)
{
	return (struct fit_data){ sizes->bytes, sizes->time, sizes->log_time, sizes->weight, sizes->n };
}

static void sizes_leave_out(struct sizes *sizes, size_t s, struct fit *fit)
{
	double *const reals[] = { sizes->bytes, sizes->time, sizes->log_time, sizes->weight, sizes->scores };
	size_t after = sizes->n - s - 1;

	if (fit->outliers++ == 0)
		fit->outlier_bytes = sizes->bytes[s];
	for (size_t i = 0; i < sizes->count[s]; i++)
		sizes->points[sizes->start[s] + i]->left_out = true;
	for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
		memmove(reals[k] + s, reals[k] + s + 1, after * sizeof(double));
	memmove(sizes->start + s, sizes->start + s + 1, after * sizeof *sizes->start);
	memmove(sizes->count + s, sizes->count + s + 1, after * sizeof *sizes->count);
	sizes->n--;
}

static bool may_leave_out(const struct sizes *sizes, const struct fit *fit)
{
	return fit->outliers < MOST_OUTLIERS && (fit->outliers + 1) * SIZES_PER_OUTLIER <= sizes->n + fit->outliers;
}

static void leave_out_strays(struct sizes *sizes, struct fit *fit)
{
	size_t from = 0, until = sizes->n;

	while (may_leave_out(sizes, fit)) {
		size_t stray = fit_stray(sizes_data(sizes), sizes->scores, sizes->sorted, from, until);

		if (stray == sizes->n)
			return;
		sizes_leave_out(sizes, stray, fit);
		from = stray;
		until = stray;
	}
}

/* One parameter is not told by sizes where the other one makes up nearly all of every time. */
static enum fit_verdict judge_segment(const struct fit_segment *segment)
{
	bool no_bandwidth = segment->last_bytes * segment->b.value < 3 * segment->a.value;
	bool no_alpha = segment->first_bytes * segment->b.value > segment->a.value / 3;

	if (no_bandwidth || no_alpha)
		return no_bandwidth && no_alpha ? FIT_NEITHER : no_bandwidth ? FIT_NO_BANDWIDTH : FIT_NO_ALPHA;
	return segment->residual > poor_residual ? FIT_POOR : FIT_GOOD;
}

static int fit_segments(const struct sizes *sizes, const struct fit_division *division, struct fit *fit)
{
	fit->nsegments = division->count;
	for (size_t s = 0; s < division->count; s++) {
		size_t end = s + 1 < division->count ? division->first[s + 1] : sizes->n;
		struct fit_segment *segment = &fit->segments[s];

		if (fit_huber(fit_slice(sizes_data(sizes), division->first[s], end), segment))
			return -1;
		segment->verdict = judge_segment(segment);
	}
	return 0;
}

static double residual_at(const struct fit *fit, const struct sizes *sizes, size_t i)
{
	size_t s = 0;

	while (s + 1 < fit->nsegments && sizes->bytes[i] > fit->segments[s].last_bytes)
		s++;
	return sizes->log_time[i] - log(fit->segments[s].a.value + fit->segments[s].b.value * sizes->bytes[i]);
}

/* A size that stands out from its segment's line, sizes->n if none does. */
static size_t find_outlier(const struct fit *fit, const struct sizes *sizes)
{
	double most = 0;
	size_t worst = sizes->n;

	for (size_t i = 0; i < sizes->n; i++) {
		sizes->sorted[i] = fabs(residual_at(fit, sizes, i));
		if (sizes->sorted[i] > most) {
			most = sizes->sorted[i];
			worst = i;
		}
	}
	qsort(sizes->sorted, sizes->n, sizeof *sizes->sorted, fit_compare);
	if (most <= outlier_residual || most <= outlier_deviations * sizes->sorted[sizes->n / 2])
		return sizes->n;
	return worst;
}

static int find_segments(struct sizes *sizes, struct fit *fit)
{
	struct fit_division division;

	leave_out_strays(sizes, fit);
	for (;;) {
		size_t outlier;

		fit_divide(sizes_data(sizes), &division);
		if (fit_segments(sizes, &division, fit))
			return -1;
		memcpy(fit->bic, division.bic, sizeof fit->bic);
		memcpy(fit->aicc, division.aicc, sizeof fit->aicc);
		outlier = may_leave_out(sizes, fit) ? find_outlier(fit, sizes) : sizes->n;
		if (outlier == sizes->n)
			return 0;
		sizes_leave_out(sizes, outlier, fit);
	}
}

static void measure(const struct sizes *sizes, struct fit *fit)
{
	double squares = 0, mean = 0, spread = 0;

	for (size_t i = 0; i < sizes->n; i++)
		mean += sizes->log_time[i] / (double)sizes->n;
	fit->worst = 0;
	for (size_t i = 0; i < sizes->n; i++) {
		double residual = residual_at(fit, sizes, i);
		double deviation = sizes->log_time[i] - mean;

		squares += residual * residual;
		spread += deviation * deviation;
		if (fabs(residual) >= fit->worst) {
			fit->worst = fabs(residual);
			fit->worst_bytes = sizes->bytes[i];
		}
	}
	fit->n = sizes->n;
	fit->residual = sqrt(squares / (double)sizes->n);
	fit->r_squared = spread > 0 ? 1 - squares / spread : NAN;
	for (size_t s = 0; s < fit->nsegments; s++)
		fit->runs += fit->segments[s].runs;
}

static bool tells_alpha(enum fit_verdict verdict)
{
	return verdict != FIT_NO_ALPHA && verdict != FIT_NEITHER;
}

static bool tells_bandwidth(enum fit_verdict verdict)
{
	return verdict != FIT_NO_BANDWIDTH && verdict != FIT_NEITHER;
}

static void conclude(const struct sizes *sizes, struct fit *fit)
{
	const struct fit_segment *first = &fit->segments[0], *last = &fit->segments[fit->nsegments - 1];
	bool alpha = tells_alpha(first->verdict), bandwidth = tells_bandwidth(last->verdict);

	if (alpha) {
		fit->alpha = first->a.value;
		fit->alpha_low = first->a.low;
		fit->alpha_high = first->a.high;
	}
	if (bandwidth) {
		fit->bandwidth = 1 / last->b.value;
		fit->bandwidth_low = 1 / last->b.high;
		fit->bandwidth_high = 1 / last->b.low;
	}
	if (!alpha || !bandwidth) {
		fit->verdict = alpha ? FIT_NO_BANDWIDTH : bandwidth ? FIT_NO_ALPHA : FIT_NEITHER;
		return;
	}
	fit->verdict = fit->residual > poor_residual ? FIT_POOR : FIT_GOOD;
	fit->half_bytes = fit->alpha * fit->bandwidth;
	for (size_t i = 0; i < sizes->n; i++)
		fit->below = fmax(fit->below, 1 - sizes->time[i] / (fit->alpha + sizes->bytes[i] / fit->bandwidth));
}

static void fit_clear(struct fit *fit)
{
	*fit = (struct fit){ .verdict = FIT_TOO_FEW,
			     .alpha = NAN,
			     .bandwidth = NAN,
			     .alpha_low = NAN,
			     .alpha_high = NAN,
			     .bandwidth_low = NAN,
			     .bandwidth_high = NAN,
			     .half_bytes = NAN,
			     .outlier_bytes = NAN,
			     .residual = NAN,
			     .worst = NAN,
			     .worst_bytes = NAN,
			     .r_squared = NAN };
	for (size_t s = 0; s < FIT_MOST_SEGMENTS; s++)
		fit->bic[s] = fit->aicc[s] = NAN;
}

/* The segments of `model` in these sizes; those that would be too short are joined to the one before. */
static void divide_as(const struct sizes *sizes, const struct fit *model, struct fit_division *division)
{
	size_t i = 0;

	*division = (struct fit_division){ .count = 1 };
	for (size_t s = 1; s < model->nsegments; s++) {
		while (i < sizes->n && sizes->bytes[i] <= model->segments[s - 1].last_bytes)
			i++;
		if (i >= division->first[division->count - 1] + FIT_LEAST_SIZES && i + FIT_LEAST_SIZES <= sizes->n)
			division->first[division->count++] = i;
	}
}

static int fit_sizes(struct sizes *sizes, const struct fit *model, struct fit *fit)
{
	struct fit_division division;
	int rc;

	fit->n = sizes->n;
	if (sizes->n < FIT_LEAST_SIZES)
		return 0;
	if (model) {
		divide_as(sizes, model, &division);
		rc = fit_segments(sizes, &division, fit);
	} else {
		rc = find_segments(sizes, fit);
	}
	if (rc == 0) {
		measure(sizes, fit);
		conclude(sizes, fit);
	}
	return rc;
}

int fit_line_as(struct fit_point *points, size_t n, const struct fit *model, struct fit *fit)
{
	struct sizes sizes;
	int rc = sizes_init(&sizes, points, n);

	fit_clear(fit);
	if (rc)
		return rc;
	rc = fit_sizes(&sizes, model, fit);
	sizes_clear(&sizes);
	return rc;
}

int fit_line(struct fit_point *points, size_t n, struct fit *fit)
{
	return fit_line_as(points, n, NULL, fit);
}

bool fit_is_usable(const struct fit *fit)
{
	return fit->verdict == FIT_GOOD || fit->verdict == FIT_POOR;
}

/* The number of runs of n fair signs is about normal: mean (n + 1) / 2, variance (n - 1) / 4. */
bool fit_is_curved(const struct fit *fit)
{
	for (size_t s = 0; s < fit->nsegments; s++) {
		double n = (double)fit->segments[s].n, runs = (double)fit->segments[s].runs;

		if (fit->segments[s].residual > least_bend && (runs - (n + 1) / 2) / sqrt((n - 1) / 4) < least_normal)
			return true;
	}
	return false;
}
