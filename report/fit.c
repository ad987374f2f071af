/* SPDX-License-Identifier: Apache-2.0
 *
 * Two-parameter fit in relative error by the normal equations.
 */
#include "fit.h"

#include <math.h>
#include <stdlib.h>

enum { FIT_POINTS_PER_OUTLIER = 8 };

static const double poor_residual = 0.10;
static const double outlier_residual = 0.10;
static const double outlier_deviations = 5 * 1.4826;

struct line {
	double a, b; /* t = a + b * bytes */
};

static double line_residual(struct line line, const struct fit_point *point)
{
	return (point->time - line.a - line.b * point->bytes) / point->time;
}

/* Minimises sum ((t - a - b S) / t)^2 over a, b >= 0: where the free minimum is outside, it lies on an edge. */
static struct line solve(const struct fit_point *points, size_t n)
{
	double w = 0, ws = 0, wss = 0, wt = 0, wst = 0;
	double determinant;
	struct line line;

	for (size_t i = 0; i < n; i++) {
		double x = 1 / points[i].time;
		double y = points[i].bytes / points[i].time;

		if (points[i].left_out)
			continue;
		w += x * x;
		ws += x * y;
		wss += y * y;
		wt += x;
		wst += y;
	}
	determinant = w * wss - ws * ws;
	line.a = determinant > 0 ? (wt * wss - wst * ws) / determinant : 0;
	line.b = determinant > 0 ? (wst * w - wt * ws) / determinant : 0;
	if (line.a <= 0)
		line = (struct line){ 0, wst / wss };
	else if (line.b <= 0)
		line = (struct line){ wt / w, 0 };
	return line;
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Marks the point that stands out most and returns it; NULL when none does. */
static const struct fit_point *drop_outlier(struct line line, struct fit_point *points, size_t n)
{
	double *sizes = malloc(n * sizeof *sizes);
	struct fit_point *worst = NULL;
	double median, most = 0;
	size_t used = 0;

	if (!sizes)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (points[i].left_out)
			continue;
		sizes[used] = fabs(line_residual(line, &points[i]));
		if (sizes[used] > most) {
			most = sizes[used];
			worst = &points[i];
		}
		used++;
	}
	qsort(sizes, used, sizeof *sizes, compare_doubles);
	median = sizes[used / 2];
	free(sizes);
	if (!worst || most <= outlier_residual || most <= outlier_deviations * median)
		return NULL;
	worst->left_out = true;
	return worst;
}

static void measure(struct line line, const struct fit_point *points, size_t n, struct fit *fit)
{
	double squares = 0, log_squares = 0, mean = 0, spread = 0;
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		if (!points[i].left_out)
			mean += log(points[i].time), used++;
	}
	mean /= (double)used;
	fit->worst = 0;
	for (size_t i = 0; i < n; i++) {
		double residual = line_residual(line, &points[i]);
		double deviation = log(points[i].time) - mean;
		double log_residual = log(points[i].time / (line.a + line.b * points[i].bytes));

		if (points[i].left_out)
			continue;
		squares += residual * residual;
		log_squares += log_residual * log_residual;
		spread += deviation * deviation;
		if (fabs(residual) >= fit->worst) {
			fit->worst = fabs(residual);
			fit->worst_bytes = points[i].bytes;
		}
	}
	fit->n = used;
	fit->residual = sqrt(squares / (double)used);
	fit->r_squared = spread > 0 && isfinite(log_squares) ? 1 - log_squares / spread : NAN;
}

static size_t distinct_sizes(const struct fit_point *points, size_t n)
{
	size_t distinct = 0;

	for (size_t i = 0; i < n && distinct < FIT_LEAST_SIZES; i++) {
		size_t j = 0;

		while (j < i && points[j].bytes != points[i].bytes)
			j++;
		distinct += j == i;
	}
	return distinct;
}

/* One parameter is not told by the sizes where the other one makes up nearly all of every time. */
static enum fit_verdict judge(struct line line, const struct fit_point *points, size_t n, double residual)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < n; i++) {
		if (points[i].left_out)
			continue;
		least = fmin(least, points[i].bytes);
		most = fmax(most, points[i].bytes);
	}
	if (most * line.b < 3 * line.a)
		return FIT_NO_BANDWIDTH;
	if (least * line.b > line.a / 3)
		return FIT_NO_ALPHA;
	return residual > poor_residual ? FIT_POOR : FIT_GOOD;
}

int fit_line(struct fit_point *points, size_t n, struct fit *fit)
{
	struct line line;

	*fit = (struct fit){ .verdict = FIT_TOO_FEW,
			     .alpha = NAN,
			     .bandwidth = NAN,
			     .n = n,
			     .outlier_bytes = NAN,
			     .residual = NAN,
			     .worst = NAN,
			     .worst_bytes = NAN,
			     .r_squared = NAN,
			     .half_bytes = NAN };
	for (size_t i = 0; i < n; i++)
		points[i].left_out = false;
	if (distinct_sizes(points, n) < FIT_LEAST_SIZES)
		return 0;
	line = solve(points, n);
	while ((fit->outliers + 1) * FIT_POINTS_PER_OUTLIER <= n) {
		const struct fit_point *outlier = drop_outlier(line, points, n);

		if (!outlier)
			break;
		if (fit->outliers++ == 0)
			fit->outlier_bytes = outlier->bytes;
		line = solve(points, n);
	}
	measure(line, points, n, fit);
	fit->verdict = judge(line, points, n, fit->residual);
	if (fit->verdict != FIT_NO_ALPHA)
		fit->alpha = line.a;
	if (fit->verdict != FIT_NO_BANDWIDTH)
		fit->bandwidth = 1 / line.b;
	return 0;
}

bool fit_is_curved(size_t n, size_t runs)
{
	return n > 0 && runs == 0;
}

bool fit_is_usable(const struct fit *fit)
{
	return fit->verdict == FIT_GOOD || fit->verdict == FIT_POOR;
}

const char *fit_word(enum fit_verdict verdict)
{
	static const char *const words[] = { "good", "poor", "no bandwidth", "no alpha", "too few", "neither" };

	return words[verdict];
}

const char *fit_sentence(enum fit_verdict verdict)
{
	static const char *const sentences[] = {
		"one line describes the times",
		"poor fit: residual over 10 %, as one alpha and one B do not describe this link at every size (often: a change "
		"of protocol)",
		"B is not identifiable: even the largest message is mostly alpha; sweep to larger sizes",
		"alpha is not identifiable: even the smallest message is mostly transfer; sweep from smaller sizes",
		"not identifiable: fewer than 4 different sizes",
		"neither alpha nor B is identifiable: sweep from smaller sizes to larger ones",
	};

	return sentences[verdict];
}
