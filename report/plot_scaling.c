/* SPDX-License-Identifier: Apache-2.0
 *
 * Data and scripts of time and busbw against the number of ranks.
 */
#include <math.h>

#include "human.h"
#include "plot_parts.h"
#include "series.h"

enum { MOST_TICS = 14 };

static struct bounds bounds_at(const struct figure *figure, const struct scaling *scaling, size_t s, size_t i)
{
	const struct series *series = scaling->series[s];

	return study_point_bounds(figure, series, series_point(series, scaling->sizes[i]));
}

void plot_scaling_data(FILE *out, const struct figure *figure, enum plot_kind kind)
{
	const struct scaling *scaling = plot_scaling_of(figure, kind);

	for (size_t i = 0; i < scaling->nsizes; i++) {
		fprintf(out,
			"%s# nranks bytes time_us low_us high_us busbw_GBps busbw_low_GBps busbw_high_GBps lower_us ring_us "
			"tree_us "
			"ring_GBps\n",
			i ? "\n\n" : "");
		for (size_t s = 0; s < scaling->count; s++) {
			const struct point *point = series_point(scaling->series[s], scaling->sizes[i]);
			struct bounds bounds = bounds_at(figure, scaling, s, i);

			fprintf(out, "%lld ", (long long)scaling->series[s]->key->nranks);
			plot_put_point(out, point);
			plot_put_number(out, bounds.lb * 1e6);
			plot_put_number(out, bounds.ring * 1e6);
			plot_put_number(out, bounds.tree * 1e6);
			plot_put_number(out, point->busbw * point->time / bounds.ring / 1e9);
			putc('\n', out);
		}
	}
}

struct shape {
	struct range times;
	double rate; /* the largest busbw */
	bool lower, ring, tree;
};

static struct shape find_shape(const struct figure *figure, const struct scaling *scaling)
{
	struct shape shape = { .times = { INFINITY, 0 } };

	for (size_t i = 0; i < scaling->nsizes; i++) {
		for (size_t s = 0; s < scaling->count; s++) {
			const struct point *point = series_point(scaling->series[s], scaling->sizes[i]);
			struct bounds bounds = bounds_at(figure, scaling, s, i);

			shape.rate = fmax(shape.rate, fmax(point->busbw, point->busbw * point->time / bounds.ring));
			shape.lower |= isfinite(bounds.lb);
			shape.ring |= isfinite(bounds.ring);
			shape.tree |= isfinite(bounds.tree);
			shape.times.low = fmin(shape.times.low, fmin(point->time, point->low));
			shape.times.high = fmax(shape.times.high, fmax(point->time, point->high));
			shape.times.low = fmin(shape.times.low, fmin(bounds.lb, fmin(bounds.ring, bounds.tree)));
			shape.times.high = fmax(shape.times.high, fmax(bounds.lb, fmax(bounds.ring, bounds.tree)));
		}
	}
	return shape;
}

/* Whether a number has room beside those that are on the axis already. */
static bool has_room(const int64_t tics[], size_t n, int64_t nranks, double room)
{
	for (size_t i = 0; i < n; i++) {
		if (fabs(log((double)tics[i] / (double)nranks)) < room)
			return false;
	}
	return true;
}

/* Numbers of ranks that were measured, as far as their texts have room: both ends, powers of two, others. */
static void put_tics(FILE *out, const struct scaling *scaling)
{
	int64_t tics[MOST_TICS], first = scaling->series[0]->key->nranks;
	int64_t last = scaling->series[scaling->count - 1]->key->nranks;
	double room = log((double)last / (double)first) / MOST_TICS;
	size_t n = 0;

	tics[n++] = first;
	tics[n++] = last;
	for (int others = 0; others < 2; others++) {
		for (size_t s = 0; s < scaling->count && n < MOST_TICS; s++) {
			int64_t nranks = scaling->series[s]->key->nranks;

			if ((others || (nranks & (nranks - 1)) == 0) && has_room(tics, n, nranks, room))
				tics[n++] = nranks;
		}
	}
	plot_put_array(out, "tic", n);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "tic[%zu] = %lld\n", i + 1, (long long)tics[i]);
	fprintf(out, "ntics = %zu\nxmin = %lld\nxmax = %lld\n", n, (long long)first, (long long)last);
}

void plot_scaling_script(FILE *out, const struct figure *figure, enum plot_kind kind)
{
	const struct scaling *scaling = plot_scaling_of(figure, kind);
	struct shape shape = find_shape(figure, scaling);
	bool message = plot_is_message(figure->coll);

	fprintf(out, "data = \"%s\"\n", plot_data_file(figure->coll, kind).text);
	fprintf(out, "file = \"%s\"\n", plot_file(figure->coll, kind, "").text);
	put_tics(out, scaling);
	fprintf(out, "ymin = %.9g\nymax = %.9g\ntop = %.9g\n", shape.times.low * 1e6, shape.times.high * 1e6, shape.rate / 1e9);
	fprintf(out, "nseries = %zu\n", scaling->nsizes);
	plot_put_array(out, "label", scaling->nsizes);
	plot_put_array(out, "in_place", scaling->nsizes);
	for (size_t i = 0; i < scaling->nsizes; i++) {
		fprintf(out, "label[%zu] = \"%s\"\n", i + 1, human_size(scaling->sizes[i]).text);
		fprintf(out, "in_place[%zu] = %d\n", i + 1, scaling->series[0]->in_place);
	}
	fprintf(out, "has_lower = %d\nhas_ring = %d\nhas_tree = %d\nbusbw = %d\n", shape.lower && !message, shape.ring,
		shape.tree, (kind - PLOT_SCALING) % 2);
	fprintf(out, "ring_name = \"%s\"\n", message ? "alpha + S/B" : "ring bound");
}
