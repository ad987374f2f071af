/* SPDX-License-Identifier: Apache-2.0
 *
 * Data of the figures over sizes.
 */
#include <math.h>

#include "plot_parts.h"
#include "thin.h"

enum { MODEL_SAMPLES = 96 };

void plot_put_number(FILE *out, double value)
{
	if (isfinite(value))
		fprintf(out, " %.9g", value);
	else
		fputs(" ?", out);
}

/* busbw moves against time: its interval is that of the time, turned over. */
void plot_put_point(FILE *out, const struct point *point)
{
	double low = isfinite(point->low) ? point->low : point->time;
	double high = isfinite(point->high) ? point->high : point->time;

	fprintf(out, "%.17g", point->bytes);
	plot_put_number(out, point->time * 1e6);
	plot_put_number(out, low * 1e6);
	plot_put_number(out, high * 1e6);
	plot_put_number(out, point->busbw / 1e9);
	plot_put_number(out, point->busbw * point->time / high / 1e9);
	plot_put_number(out, point->busbw * point->time / low / 1e9);
}

static double point_bytes(const void *points, size_t i)
{
	return ((const struct point *)points)[i].bytes;
}

static double point_time(const void *points, size_t i)
{
	return ((const struct point *)points)[i].time;
}

static void point_put(FILE *out, const void *points, size_t i)
{
	plot_put_point(out, (const struct point *)points + i);
	putc('\n', out);
}

void plot_data(FILE *out, const struct figure *figure)
{
	for (size_t s = 0; s < figure->nshown; s++) {
		const struct series *series = &figure->series[s];

		fprintf(out, "%s# bytes time_us low_us high_us busbw_GBps busbw_low_GBps busbw_high_GBps\n", s ? "\n\n" : "");
		thin_put(out, &(struct thin){ series->points, series->npoints, point_bytes, point_time, point_put });
	}
}

struct range plot_size_range(const struct figure *figure)
{
	struct range range = { INFINITY, 0 };

	for (size_t s = 0; s < figure->nshown; s++) {
		const struct series *series = &figure->series[s];

		range.low = fmin(range.low, series->points[0].bytes);
		range.high = fmax(range.high, series->points[series->npoints - 1].bytes);
	}
	return range;
}

void plot_model_data(FILE *out, const struct figure *figure)
{
	const struct machine *machines[STUDY_SHOWN_SERIES];
	size_t series[STUDY_SHOWN_SERIES];
	size_t n = plot_models(figure, machines, series);
	struct range range = plot_size_range(figure);

	for (size_t m = 0; m < n; m++) {
		int nranks = (int)machines[m]->key->nranks;
		double factor = figure->coll->bus_factor(nranks) / 1e9;

		fprintf(out, "%s# bytes lower_us ring_us tree_us lower_GBps ring_GBps tree_GBps\n", m ? "\n\n" : "");
		for (int i = 0; i <= MODEL_SAMPLES; i++) {
			double bytes = range.low * pow(range.high / range.low, (double)i / MODEL_SAMPLES);
			struct bounds bounds = study_bounds(figure->coll, machines[m], figure->series[series[m]].key, bytes);

			fprintf(out, "%.9g", bytes);
			plot_put_number(out, bounds.lb * 1e6);
			plot_put_number(out, bounds.ring * 1e6);
			plot_put_number(out, bounds.tree * 1e6);
			plot_put_number(out, factor * bytes / bounds.lb);
			plot_put_number(out, factor * bytes / bounds.ring);
			plot_put_number(out, factor * bytes / bounds.tree);
			putc('\n', out);
			if (range.high <= range.low)
				break;
		}
	}
}
