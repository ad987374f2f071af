/* SPDX-License-Identifier: Apache-2.0
 *
 * The windows through which a series is looked at, and how large the largest of their statistics becomes where nothing has changed.
 */
#include "judge_parts.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "../array.h"

enum {
	FEW_SEGMENTS = 32,    /* up to that many every width, beyond widths that grow by a third or a half */
	LEAST_NEIGHBOURS = 2, /* segments on each side that a window is held against, or as many as it has itself */
	QUARTERS = 4,
	LEVEL_DRAWS = 40000,
	SHAPE_DRAWS = 4000,
	LEAST_DRAWS = 1000
};

static const double most_work = 2e8;                               /* statistics drawn for all layouts together */
static const double level_quantile = 0.998, shape_quantile = 0.99; /* as far out as draws allow */

/* Widths 1, 2, 3, 4-5, 6-7, 8-11, 12-15, ... have something in common. */
static size_t width_class(size_t width)
{
	size_t octave = 0;

	if (width < 2)
		return 0;
	while (width >> (octave + 1))
		octave++;
	return 2 * octave - (width < 3u << (octave - 1));
}

enum { WIDTHS = 18, CUTS = 2 * WIDTHS, ACROSS = CUTS + 2 }; /* groups */

double gate_group_places(size_t group, size_t segments)
{
	size_t class = group / 2, least;

	if (group >= CUTS)
		return 1;
	least = class == 0 ? 1 : (class % 2 ? 2u : 3u) << ((class - 1) / 2);
	return fmax(1, (double)segments / (double)(3 * least));
}

void gate_level_window(size_t segments, size_t i, size_t *first, size_t *end)
{
	size_t at = ((i + 1) / 2) * segments / QUARTERS;

	*first = 0;
	*end = segments;
	if (i % 2)
		*first = at == 0 ? segments : at;
	else if (i > 0)
		*end = at;
}

static size_t next_width(size_t width, size_t segments)
{
	if (segments <= FEW_SEGMENTS || width < 4)
		return width + 1;
	return (width & (width - 1)) ? width / 3 * 4 : width / 2 * 3;
}

/* A window against its neighbours. false: that is the same as a cut, which put_row() has by itself. */
static bool put_band(struct gate_window *out, size_t segments, unsigned char row, size_t first, size_t width)
{
	size_t reach = width > LEAST_NEIGHBOURS ? width : LEAST_NEIGHBOURS, end = first + width;
	size_t low = first > reach ? first - reach : 0, high = end + reach < segments ? end + reach : segments;

	if (low == 0 && high == segments && (first == 0 || end == segments))
		return false;
	*out = (struct gate_window){ .first = (unsigned short)first, .end = (unsigned short)end, .row = row, .against = row };
	out->low = (unsigned short)low;
	out->high = (unsigned short)high;
	out->group = (unsigned char)(2 * width_class(width) + (row < 2));
	return true;
}

/* Windows of a row of a layout; with NULL they are only counted. */
static size_t put_row(struct gate_window *out, size_t segments, unsigned char row)
{
	size_t n = 0;

	for (size_t width = 1; width < segments; width = next_width(width, segments))
		for (size_t first = 0; first + width <= segments; first++) {
			struct gate_window one;

			if (!put_band(out ? &out[n] : &one, segments, row, first, width))
				continue;
			n++;
		}
	for (size_t first = 1; first < segments; first++, n++) {
		if (!out)
			continue;
		out[n] = (struct gate_window){ .row = row, .against = row, .group = CUTS + (row < 2), .either = true };
		out[n].first = (unsigned short)first;
		out[n].end = out[n].high = (unsigned short)segments;
	}
	return n;
}

static size_t put_windows(struct gate_window *out, size_t segments, size_t placements)
{
	size_t n = put_row(out, segments, 2);

	for (unsigned char row = 0; placements > 1 && row < 2; row++)
		n += put_row(out ? out + n : NULL, segments, row);
	if (placements > 1) {
		if (out)
			out[n] = (struct gate_window){ 0,   (unsigned short)segments, 0, (unsigned short)segments, 0, 1, ACROSS,
						       true };
		n++;
	}
	return n;
}

int gate_layout_make(struct gate_layout *layout, size_t segments, size_t placements)
{
	*layout = (struct gate_layout){ .segments = segments, .placements = placements };
	layout->nwindows = put_windows(NULL, segments, placements);
	layout->windows = malloc((layout->nwindows + 1) * sizeof *layout->windows);
	if (!layout->windows)
		return array_failed();
	put_windows(layout->windows, segments, placements);
	return 0;
}

void gate_layout_clear(struct gate_layout *layout)
{
	free(layout->windows);
	*layout = (struct gate_layout){ 0 };
}

/* All points vary by themselves and with their launch: the level windows, each over its own deviation. */
static double draw_level(const struct gate_layout *layout, gsl_rng *random, double launch, double own)
{
	double common = gsl_ran_gaussian_ziggurat(random, sqrt(launch)), sum[QUARTERS + 1] = { 0 }, most = -INFINITY;
	size_t ends[QUARTERS + 1];

	for (size_t q = 0; q <= QUARTERS; q++)
		ends[q] = q * layout->segments / QUARTERS;
	for (size_t q = 0; q < QUARTERS; q++) {
		double points = (double)((ends[q + 1] - ends[q]) * layout->placements);

		sum[q + 1] = sum[q] + gsl_ran_gaussian_ziggurat(random, sqrt(own * points));
	}
	for (size_t i = 0; i < GATE_LEVELS; i++) {
		size_t quarter = (i + 1) / 2, first, end;
		double points, part;

		gate_level_window(layout->segments, i, &first, &end);
		if (end <= first)
			continue;
		points = (double)((end - first) * layout->placements);
		part = i % 2 ? sum[QUARTERS] - sum[quarter] : sum[i == 0 ? QUARTERS : quarter];
		most = fmax(most, (common + part / points) / sqrt(launch + own / points));
	}
	return most;
}

/* A statistic from sums inside a window and over all that it is seen in. */
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

/* The common part cancels in these, so that points alone are drawn, of variance 1. */
static double draw_shape(const struct gate_layout *layout, gsl_rng *random, double *sums, const struct weight *weights)
{
	size_t stride = layout->segments + 1;
	double most = 0;

	for (size_t i = 0; i < layout->segments; i++) {
		double own[2] = { gsl_ran_gaussian_ziggurat(random, 1), 0 };

		if (layout->placements > 1)
			own[1] = gsl_ran_gaussian_ziggurat(random, 1);
		sums[i + 1] = sums[i] + own[0];
		sums[stride + i + 1] = sums[stride + i] + own[1];
		sums[2 * stride + i + 1] = sums[2 * stride + i] + own[0] + own[1];
	}
	for (size_t w = 0; w < layout->nwindows; w++) {
		struct gate_window window = layout->windows[w];
		const double *in = sums + window.row * stride, *out = sums + window.against * stride;
		double inside = in[window.end] - in[window.first], all = out[window.high] - out[window.low];
		double value = weights[w].inside * inside - weights[w].all * all;

		most = fmax(most, value * value);
	}
	return sqrt(most);
}

int gate_layout_draw(struct gate_layout *layout, double launch, double own, uint64_t seed, size_t most)
{
	double share = most_work / (double)(most * (layout->nwindows + 1));
	size_t draws = (size_t)fmin(SHAPE_DRAWS, fmax(LEAST_DRAWS, share)), levels = LEVEL_DRAWS;
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double *drawn = malloc(LEVEL_DRAWS * sizeof *drawn);
	double *sums = calloc(GATE_ROWS * (layout->segments + 1), sizeof *sums);
	struct weight *weights = malloc((layout->nwindows + 1) * sizeof *weights);
	int rc = -1;

	layout->level = (struct gate_largest){ 1, false };
	layout->shape = (struct gate_largest){ 1, true };
	if (random && drawn && sums && weights) {
		rc = 0;
		for (size_t w = 0; w < layout->nwindows; w++)
			weights[w] = weight_of(layout, &layout->windows[w]);
		gsl_rng_set(random, (unsigned long)(seed ^ (seed >> 32)));
		for (size_t i = 0; i < levels; i++)
			drawn[i] = draw_level(layout, random, launch, own);
		layout->level = gate_largest_of(drawn, levels, level_quantile, false);
		for (size_t i = 0; layout->nwindows > 0 && i < draws; i++)
			drawn[i] = draw_shape(layout, random, sums, weights);
		if (layout->nwindows > 0)
			layout->shape = gate_largest_of(drawn, draws, shape_quantile, true);
	} else {
		array_failed();
	}
	gsl_rng_free(random);
	free(drawn);
	free(sums);
	free(weights);
	return rc;
}
