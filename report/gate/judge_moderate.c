/* SPDX-License-Identifier: Apache-2.0
 *
 * Variances of few launches are poor; those of many series tell what is usual (empirical Bayes, Smyth 2004). And p values of many questions at once.
 */
#include "judge_parts.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_psi.h>

#include "../array.h"

enum { HALVINGS = 60 };

static const double least_variance = 1e-12; /* a millionth of a time: what is printed has no more digits */
static const double least_p = 1e-300;

int gate_order(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

double gate_trigamma_inverse(double x)
{
	/* 1 / y < trigamma(y) < 1 / y + 1 / y^2 */
	double low = 1 / x, high = (1 + sqrt(1 + 4 * x)) / (2 * x);

	for (int i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;

		if (gsl_sf_psi_1(middle) > x)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* The log of a variance and what its few degrees of freedom do to that: on average, and how it scatters. */
struct bias {
	double df, mean, scatter;
};

static void bias_of(double df, struct bias *bias)
{
	if (df == bias->df)
		return;
	*bias = (struct bias){ df, gsl_sf_psi(df / 2) - log(df / 2), gsl_sf_psi_1(df / 2) };
}

static bool counts(double variance, double df)
{
	return isfinite(variance) && df > 0;
}

struct gate_prior gate_prior_of(const double *variance, const double *df, size_t n)
{
	struct bias bias = { 0 };
	double count = 0, mean = 0, squares = 0, scatter = 0, pooled = 0, together = 0, excess;

	for (size_t i = 0; i < n; i++) {
		double value = fmax(variance[i], least_variance), e;

		if (!counts(variance[i], df[i]))
			continue;
		bias_of(df[i], &bias);
		e = log(value) - bias.mean;
		count++;
		squares += (e - mean) * (e - mean) * (count - 1) / count;
		mean += (e - mean) / count;
		scatter += bias.scatter;
		pooled += value * df[i];
		together += df[i];
	}
	if (count < 2)
		return (struct gate_prior){ count > 0 ? pooled / together : NAN, 0, together };
	excess = squares / (count - 1) - scatter / count;
	if (!(excess > 0))
		return (struct gate_prior){ pooled / together, INFINITY, together };
	excess = 2 * gate_trigamma_inverse(excess);
	return (struct gate_prior){ exp(mean + gsl_sf_psi(excess / 2) - log(excess / 2)), excess, together };
}

double gate_moderate(struct gate_prior prior, double variance, double df)
{
	variance = fmax(variance, least_variance);
	if (!(prior.df > 0))
		return variance;
	return isinf(prior.df) ? prior.variance : (prior.df * prior.variance + df * variance) / (prior.df + df);
}

double gate_moderated_df(struct gate_prior prior, double df)
{
	return prior.df > 0 ? fmax(df, fmin(prior.df + df, prior.most)) : df;
}

int gate_adjust(const double *p, size_t n, double *adjusted)
{
	double *sorted = malloc((2 * n + 1) * sizeof *sorted), *least;

	if (!sorted) {
		array_failed();
		return -1;
	}
	least = sorted + n;
	for (size_t i = 0; i < n; i++)
		sorted[i] = p[i];
	qsort(sorted, n, sizeof *sorted, gate_order);
	for (size_t i = n; i-- > 0;)
		least[i] = fmin(i + 1 < n ? least[i + 1] : 1, sorted[i] * (double)n / (double)(i + 1));
	for (size_t i = 0; i < n; i++) {
		size_t low = 0, high = n - 1; /* the last that is no larger */

		while (low < high) {
			size_t middle = (low + high + 1) / 2;

			if (sorted[middle] <= p[i])
				low = middle;
			else
				high = middle - 1;
		}
		adjusted[i] = least[low];
	}
	free(sorted);
	return 0;
}

double gate_cut(double *p, size_t n, double rate, size_t *found)
{
	qsort(p, n, sizeof *p, gate_order);
	*found = 0;
	for (size_t i = 0; i < n; i++)
		if (p[i] <= rate * (double)(i + 1) / (double)n)
			*found = i + 1;
	return rate * (double)*found / (double)n;
}

double gate_normal_of_t(double t, double df)
{
	double p = gsl_cdf_tdist_Q(fabs(t), df);
	double z = gsl_cdf_ugaussian_Qinv(fmax(p, least_p));

	return t < 0 ? -z : z;
}

double gate_tail(double t, double df)
{
	return gsl_cdf_tdist_Q(t, df);
}

double gate_t_of_normal(double z, double df)
{
	double t = gsl_cdf_tdist_Qinv(fmax(gsl_cdf_ugaussian_Q(fabs(z)), least_p), df);

	return z < 0 ? -t : t;
}

struct gate_ratio gate_ratio_of(double difference, double error, double df)
{
	double reach = gsl_cdf_tdist_Pinv(0.975, df) * error;
	struct gate_ratio ratio = { exp(difference), exp(difference - reach), exp(difference + reach) };

	if (!isfinite(ratio.low) || !isfinite(ratio.high))
		ratio.low = ratio.high = NAN;
	return ratio;
}
