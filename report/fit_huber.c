/* SPDX-License-Identifier: Apache-2.0
 *
 * The robust fit of one line: iteratively reweighted nonlinear least squares by a trust region method.
 */
#include "fit_parts.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>

#include "array.h"

enum { MOST_ROUNDS = 50, MOST_STEPS = 2 };

static const double huber = 1.345, normal_mad = 1.4826, least_scale = 1e-6;
static const double settled = 1e-10; /* change of a log */
static const double no_share = 1e-6; /* a parameter that makes up less than this of every time has no value to settle */
static const double precision = 1e-13;

/* Part of a in the line's time, from 0 to 1. */
static double part_of(struct fit_logs logs, double bytes)
{
	return 1 / (1 + exp(logs.v + log(bytes) - logs.u));
}

static struct fit_logs logs_of(const gsl_vector *at)
{
	return (struct fit_logs){ gsl_vector_get(at, 0), gsl_vector_get(at, 1) };
}

static int residuals(const gsl_vector *at, void *context, gsl_vector *out)
{
	const struct fit_data *data = context;

	for (size_t i = 0; i < data->n; i++)
		gsl_vector_set(out, i, data->log_time[i] - fit_log_time(logs_of(at), data->bytes[i]));
	return GSL_SUCCESS;
}

static int derivatives(const gsl_vector *at, void *context, gsl_matrix *out)
{
	const struct fit_data *data = context;

	for (size_t i = 0; i < data->n; i++) {
		double part = part_of(logs_of(at), data->bytes[i]);

		gsl_matrix_set(out, i, 0, -part);
		gsl_matrix_set(out, i, 1, part - 1);
	}
	return GSL_SUCCESS;
}

/* What a fit works with; all are owned. */
struct work {
	gsl_multifit_nlinear_workspace *solver;
	gsl_vector *weights, *start;
	gsl_matrix *covariance;
	double *residual, *sorted;
};

static void work_clear(struct work *work)
{
	gsl_multifit_nlinear_free(work->solver);
	gsl_vector_free(work->weights);
	gsl_vector_free(work->start);
	gsl_matrix_free(work->covariance);
	free(work->residual);
	free(work->sorted);
}

static int work_init(struct work *work, size_t n)
{
	gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();

	how.trs = gsl_multifit_nlinear_trs_lm;
	work->solver = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, n, 2);
	work->weights = gsl_vector_alloc(n);
	work->start = gsl_vector_alloc(2);
	work->covariance = gsl_matrix_alloc(2, 2);
	work->residual = calloc(n, sizeof *work->residual);
	work->sorted = malloc(n * sizeof *work->sorted);
	if (work->solver && work->weights && work->start && work->covariance && work->residual && work->sorted)
		return 0;
	work_clear(work);
	array_failed();
	return -1;
}

/* Residuals at `logs`, and from them the weights. */
static void weigh(struct fit_data data, struct fit_logs logs, struct work *work)
{
	double bound;

	for (size_t i = 0; i < data.n; i++) {
		work->residual[i] = data.log_time[i] - fit_log_time(logs, data.bytes[i]);
		work->sorted[i] = fabs(work->residual[i]);
	}
	qsort(work->sorted, data.n, sizeof *work->sorted, fit_compare);
	bound = huber * fmax(least_scale, normal_mad * work->sorted[data.n / 2]);
	for (size_t i = 0; i < data.n; i++)
		gsl_vector_set(work->weights, i, fmin(1, bound / fmax(bound, fabs(work->residual[i]))));
}

static double change(struct fit_data data, struct fit_logs from, struct fit_logs to)
{
	double change = 0;

	if (part_of(to, data.bytes[0]) > no_share)
		change += fabs(to.u - from.u);
	if (part_of(to, data.bytes[data.n - 1]) < 1 - no_share)
		change += fabs(to.v - from.v);
	return change;
}

static struct fit_logs solve(struct fit_data data, struct work *work)
{
	gsl_multifit_nlinear_fdf system = { .f = residuals, .df = derivatives, .n = data.n, .p = 2, .params = &data };
	struct fit_logs logs, before;
	int round = 0, why;

	fit_squares(data, &logs);
	do {
		before = logs;
		weigh(data, logs, work);
		gsl_vector_set(work->start, 0, logs.u);
		gsl_vector_set(work->start, 1, logs.v);
		gsl_multifit_nlinear_winit(work->start, work->weights, &system, work->solver);
		gsl_multifit_nlinear_driver(MOST_STEPS, precision, precision, 0, NULL, NULL, &why, work->solver);
		logs = logs_of(gsl_multifit_nlinear_position(work->solver));
	} while (change(data, before, logs) > settled && ++round < MOST_ROUNDS);
	return logs;
}

/* Of exp(log), with the standard error of that log. */
static struct fit_value value_of(double log, double variance, size_t n)
{
	double reach = sqrt(variance) * gsl_cdf_tdist_Pinv(0.975, (double)n - 2);
	struct fit_value value = { exp(log), exp(log - reach), exp(log + reach) };

	if (!isfinite(value.low) || !isfinite(value.high))
		value.low = value.high = NAN;
	return value;
}

static void measure(struct fit_data data, const struct work *work, struct fit_segment *segment)
{
	double mean = 0, squares = 0, spread = 0;

	for (size_t i = 0; i < data.n; i++)
		mean += data.log_time[i] / (double)data.n;
	segment->worst = 0;
	segment->runs = 1;
	for (size_t i = 0; i < data.n; i++) {
		double residual = work->residual[i];

		squares += residual * residual;
		spread += (data.log_time[i] - mean) * (data.log_time[i] - mean);
		segment->runs += i > 0 && (residual < 0) != (work->residual[i - 1] < 0);
		if (fabs(residual) >= segment->worst) {
			segment->worst = fabs(residual);
			segment->worst_bytes = data.bytes[i];
		}
	}
	segment->n = data.n;
	segment->first_bytes = data.bytes[0];
	segment->last_bytes = data.bytes[data.n - 1];
	segment->residual = sqrt(squares / (double)data.n);
	segment->r_squared = spread > 0 ? 1 - squares / spread : NAN;
}

int fit_huber(struct fit_data data, struct fit_segment *segment)
{
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	struct work work;
	struct fit_logs logs;
	double variance = 0;
	int rc = work_init(&work, data.n);

	if (rc == 0) {
		logs = solve(data, &work);
		weigh(data, logs, &work);
		for (size_t i = 0; i < data.n; i++)
			variance += gsl_vector_get(work.weights, i) * work.residual[i] * work.residual[i];
		variance /= (double)data.n - 2;
		gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(work.solver), 0, work.covariance);
		segment->a = value_of(logs.u, variance * gsl_matrix_get(work.covariance, 0, 0), data.n);
		segment->b = value_of(logs.v, variance * gsl_matrix_get(work.covariance, 1, 1), data.n);
		measure(data, &work, segment);
		work_clear(&work);
	}
	gsl_set_error_handler(handler);
	return rc;
}
