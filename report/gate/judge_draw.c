/* SPDX-License-Identifier: Apache-2.0
 *
 * How often the largest of statistics that overlap is over z where nothing has changed: the sum over windows of the chance that this one is over z, times the
 * mean of 1 / (how many are over z when this one is). Drawing from that condition needs few draws, however far out z is.
 */
#include "judge_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "../array.h"

enum { PARTS = 1 + 2 * GATE_QUARTERS, LEVEL_DRAWS = 400, SHAPE_DRAWS = 1000, LEAST_DRAWS = 200, ROUNDS = 2 };

static const double most_work = 5e7; /* statistics drawn for all layouts together */
static const double least_rate = 1e-12, most_rate = 0.2;

/* The level windows as weights of independent parts of variance 1: the launch's, those of quarters, sums of the points' own. */
struct levels {
	double weights[GATE_LEVELS][PARTS];
	size_t n;
};

static double dot(const double *a, const double *b)
{
	double sum = 0;

	for (size_t i = 0; i < PARTS; i++)
		sum += a[i] * b[i];
	return sum;
}

static void weigh(const struct gate_layout *layout, struct gate_spread spread, size_t from, size_t upto, double *weights)
{
	double points[GATE_QUARTERS], all = 0, length;

	for (size_t q = 0; q < GATE_QUARTERS; q++) {
		size_t sizes = (q + 1) * layout->segments / GATE_QUARTERS - q * layout->segments / GATE_QUARTERS;

		points[q] = q >= from && q < upto ? (double)(sizes * layout->placements) : 0;
		all += points[q];
	}
	weights[0] = sqrt(spread.launch);
	for (size_t q = 0; q < GATE_QUARTERS; q++) {
		weights[1 + q] = sqrt(spread.quarter) * points[q] / all;
		weights[1 + GATE_QUARTERS + q] = sqrt(spread.own * points[q]) / all;
	}
	length = sqrt(dot(weights, weights));
	for (size_t i = 0; i < PARTS; i++)
		weights[i] = length > 0 ? weights[i] / length : i == 0;
}

static struct levels levels_of(const struct gate_layout *layout, struct gate_spread spread)
{
	struct levels levels = { .n = 0 };

	for (size_t i = 0; i < GATE_LEVELS; i++) {
		size_t first, end, from = i % 2 ? (i + 1) / 2 : 0, upto = i % 2 || i == 0 ? GATE_QUARTERS : i / 2;

		gate_level_window(layout->segments, i, &first, &end);
		if (first < end)
			weigh(layout, spread, from, upto, levels.weights[levels.n++]);
	}
	return levels;
}

static double beyond(gsl_rng *random, double z)
{
	return gsl_cdf_ugaussian_Qinv(gsl_rng_uniform_pos(random) * gsl_cdf_ugaussian_Q(z));
}

/* The sum over windows of the mean of 1 / how many. */
static double share_levels(const struct levels *levels, gsl_rng *random, double z)
{
	double sum = 0;

	for (size_t draw = 0; draw < LEVEL_DRAWS * levels->n; draw++) {
		const double *given = levels->weights[draw % levels->n];
		double parts[PARTS], more, over = 0;

		for (size_t i = 0; i < PARTS; i++)
			parts[i] = gsl_ran_gaussian_ziggurat(random, 1);
		more = beyond(random, z) - dot(given, parts);
		for (size_t i = 0; i < PARTS; i++)
			parts[i] += more * given[i];
		for (size_t i = 0; i < levels->n; i++)
			over += levels->weights[i] == given || dot(levels->weights[i], parts) > z;
		sum += 1 / over;
	}
	return sum / LEVEL_DRAWS;
}

/* A contrast from sums inside a window and over all that it is seen in, where points have variance 1; what a launch shares is in none of them. */
struct weight {
	double inside, all;
};

static struct weight weight_of(const struct gate_layout *layout, const struct gate_window *window)
{
	double each = window->row == 2 ? (double)layout->placements : 1;
	double n = each * (window->end - window->first), m = each * (window->high - window->low), scale;
	bool within = window->row == window->against;

	if (within)
		m -= n;
	scale = sqrt(1 / n + 1 / m);
	return (struct weight){ (1 / n + (within ? 1 / m : 0)) / scale, 1 / m / scale };
}

/* What is drawn: points, by placement, and their running sums by row. */
struct field {
	size_t stride, placements;
	double *points, *sums;
};

static void fill(struct field *field, gsl_rng *random)
{
	for (size_t i = 0; i < 2 * field->stride; i++)
		field->points[i] = i < field->placements * field->stride ? gsl_ran_gaussian_ziggurat(random, 1) : 0;
}

static void run_up(struct field *field)
{
	size_t n = field->stride;
	double *a = field->sums, *b = a + n, *both = b + n;

	for (size_t i = 0; i + 1 < n; i++) {
		a[i + 1] = a[i] + field->points[i];
		b[i + 1] = b[i] + field->points[n + i];
		both[i + 1] = a[i + 1] + b[i + 1];
	}
}

static double statistic(const struct field *field, const struct gate_window *window, struct weight weight)
{
	const double *in = field->sums + window->row * field->stride, *all = field->sums + window->against * field->stride;

	return weight.inside * (in[window->end] - in[window->first]) - weight.all * (all[window->high] - all[window->low]);
}

static void shift(struct field *field, size_t row, size_t first, size_t end, double by)
{
	for (size_t placement = 0; placement < field->placements; placement++)
		for (size_t i = first; (row == 2 || row == placement) && i < end; i++)
			field->points[placement * field->stride + i] += by;
}

static double share_shapes(const struct gate_layout *layout, struct field *field, const struct weight *weights, gsl_rng *random,
			   double z, size_t draws)
{
	double sum = 0;

	for (size_t draw = 0; draw < draws; draw++) {
		/* Windows in turn, as evenly as so many draws can. */
		size_t given = (size_t)(((double)draw + gsl_rng_uniform(random)) * (double)layout->nwindows / (double)draws),
		       over = 0;
		const struct gate_window *window = &layout->windows[given];
		double more;

		fill(field, random);
		run_up(field);
		more = beyond(random, z) - statistic(field, window, weights[given]);
		shift(field, window->row, window->first, window->end, more * weights[given].inside);
		shift(field, window->against, window->low, window->high, -more * weights[given].all);
		run_up(field);
		for (size_t w = 0; w < layout->nwindows; w++)
			over += w == given || fabs(statistic(field, &layout->windows[w], weights[w])) > z;
		sum += 1 / (double)over;
	}
	return sum / (double)draws * (double)layout->nwindows;
}

/* As many independent ones are over z as often. */
static double tests_of(double share, double z, bool magnitudes)
{
	double one = (magnitudes ? 2 : 1) * gsl_cdf_ugaussian_Q(z);

	return fmax(1, log1p(-fmin(one * share, 0.999)) / log1p(-one));
}

static double height(struct gate_largest largest, double rate)
{
	return gate_largest_z(largest, fmin(most_rate, fmax(least_rate, rate)));
}

static void draw_shapes(struct gate_layout *layout, struct field *field, struct weight *weights, gsl_rng *random, double rate,
			size_t most)
{
	double share = most_work / (double)(ROUNDS * most * (layout->nwindows + 1));
	size_t draws = (size_t)fmin(SHAPE_DRAWS, fmax(LEAST_DRAWS, share));

	layout->shape = (struct gate_largest){ sqrt((double)layout->nwindows), true };
	for (size_t w = 0; w < layout->nwindows; w++)
		weights[w] = weight_of(layout, &layout->windows[w]);
	for (int round = 0; round < ROUNDS && layout->nwindows > 1; round++) {
		double z = height(layout->shape, rate);

		layout->shape.tests = tests_of(share_shapes(layout, field, weights, random, z, draws), z, true);
	}
}

int gate_layout_draw(struct gate_layout *layout, struct gate_spread spread, const double rates[GATE_KINDS], uint64_t seed,
		     size_t most)
{
	struct levels levels = levels_of(layout, spread);
	struct field field = { .stride = layout->segments + 1, .placements = layout->placements };
	struct weight *weights = calloc(layout->nwindows + 1, sizeof *weights);
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	int rc = -1;

	field.points = calloc(2 * field.stride, sizeof *field.points);
	field.sums = calloc(GATE_ROWS * field.stride, sizeof *field.sums);
	if (random && weights && field.points && field.sums) {
		rc = 0;
		gsl_rng_set(random, (unsigned long)(seed ^ (seed >> 32)));
		layout->level = (struct gate_largest){ 1, false };
		for (int round = 0; round < ROUNDS; round++) {
			double z = height(layout->level, rates[GATE_LEVEL]);

			layout->level.tests = tests_of(share_levels(&levels, random, z), z, false);
		}
		draw_shapes(layout, &field, weights, random, rates[GATE_SHAPE], most);
	} else {
		array_failed();
	}
	if (random)
		gsl_rng_free(random);
	free(weights);
	free(field.points);
	free(field.sums);
	return rc;
}
