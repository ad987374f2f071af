/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain least squares of log residuals in two parameters, by damped normal equations: the inner loop of everything that compares
 * divisions of a sweep.
 */
#include "fit_parts.h"

#include <math.h>

#include <gsl/gsl_fit.h>

enum { MOST_ROUNDS = 40 };

static const double least_slope = 1e-15; /* seconds per byte, where the times do not rise */
static const double enough = 1e-9;       /* relative change of the sum of squares */
static const double least_sum = 1e-24;   /* of squares: exact */
static const double most_damping = 1e6;

struct fit_data fit_slice(struct fit_data data, size_t first, size_t end)
{
	return (struct fit_data){ data.bytes + first, data.time + first, data.log_time + first, data.weight + first,
				  end - first };
}

double fit_log_time(struct fit_logs logs, double bytes)
{
	double share = logs.v + log(bytes);

	return fmax(logs.u, share) + log1p(exp(-fabs(logs.u - share)));
}

/* Both finite, whatever the line is: by weighted least squares in relative error. n >= 2. */
static struct fit_logs start(struct fit_data data)
{
	double a = 0, b = 0, caa, cab, cbb, chi2, least = INFINITY;

	gsl_fit_wlinear(data.bytes, 1, data.weight, 1, data.time, 1, data.n, &a, &b, &caa, &cab, &cbb, &chi2);
	for (size_t i = 0; i < data.n; i++)
		least = fmin(least, data.time[i]);
	if (!(a > 0 && isfinite(a)))
		a = 0.5 * least;
	if (!(b > least_slope && isfinite(b)))
		b = least_slope;
	return (struct fit_logs){ log(a), log(b) };
}

/* At u, v: the sum of squares, and the normal equations for a step. */
struct normal {
	double sum, uu, uv, vv, u, v;
};

static struct normal normal_at(struct fit_data data, struct fit_logs at)
{
	struct normal normal = { 0 };
	double a = exp(at.u), b = exp(at.v);

	for (size_t i = 0; i < data.n; i++) {
		double time = a + b * data.bytes[i];
		double part = a / time, rest = 1 - part;
		double residual = data.log_time[i] - log(time);

		normal.sum += residual * residual;
		normal.uu += part * part;
		normal.uv += part * rest;
		normal.vv += rest * rest;
		normal.u += part * residual;
		normal.v += rest * residual;
	}
	return normal;
}

static double within(double value, double most)
{
	return fmax(-most, fmin(most, value));
}

static struct fit_logs step(struct fit_logs from, const struct normal *normal, double damping)
{
	double uu = normal->uu * (1 + damping) + 1e-30, vv = normal->vv * (1 + damping) + 1e-30;
	double determinant = uu * vv - normal->uv * normal->uv;

	from.u += within((normal->u * vv - normal->v * normal->uv) / determinant, 2);
	from.v += within((normal->v * uu - normal->u * normal->uv) / determinant, 2);
	return from;
}

/* Where the best line has no alpha or no bandwidth, its logs run away to minus infinity; these sums are their limits. */
static double edge_sum(struct fit_data data)
{
	double flat = 0, flat_squares = 0, steep = 0, steep_squares = 0, n = (double)data.n;

	for (size_t i = 0; i < data.n; i++) {
		double time = data.log_time[i] - data.log_time[0];
		double rate = time - log(data.bytes[i] / data.bytes[0]);

		flat += time;
		flat_squares += time * time;
		steep += rate;
		steep_squares += rate * rate;
	}
	return fmax(0, fmin(flat_squares - flat * flat / n, steep_squares - steep * steep / n));
}

double fit_squares(struct fit_data data, struct fit_logs *logs)
{
	struct fit_logs at = start(data);
	struct normal normal = normal_at(data, at);
	double damping = 1e-3;

	for (int round = 0; round < MOST_ROUNDS && normal.sum > least_sum && damping < most_damping; round++) {
		struct fit_logs next = step(at, &normal, damping);
		struct normal there = normal_at(data, next);
		double gain = normal.sum - there.sum;

		if (!(gain > 0)) {
			damping *= 10;
			continue;
		}
		at = next;
		normal = there;
		damping *= 0.1;
		if (gain < enough * normal.sum)
			break;
	}
	if (logs)
		*logs = at;
	return fmin(normal.sum, edge_sum(data));
}
