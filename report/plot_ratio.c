/* SPDX-License-Identifier: Apache-2.0
 *
 * Data and script of the ratios of what is compared.
 */
#include <math.h>

#include "compare.h"
#include "plot_parts.h"
#include "thin.h"

static double point_bytes(const void *points, size_t i)
{
	return ((const struct compare_point *)points)[i].bytes;
}

static double point_ratio(const void *points, size_t i)
{
	return ((const struct compare_point *)points)[i].ratio;
}

static void point_put(FILE *out, const void *points, size_t i)
{
	const struct compare_point *point = (const struct compare_point *)points + i;

	fprintf(out, "%.17g", point->bytes);
	plot_put_number(out, point->ratio);
	plot_put_number(out, isfinite(point->low) ? point->low : point->ratio);
	plot_put_number(out, isfinite(point->high) ? point->high : point->ratio);
	putc('\n', out);
}

void plot_ratio_data(FILE *out, const struct figure *figure)
{
	size_t blocks = 0;

	for (size_t i = 0; i < figure->ncomparisons; i++) {
		const struct comparison *comparison = &figure->comparisons[i];

		if (!comparison->shown)
			continue;
		fprintf(out, "%s# bytes ratio low high\n", blocks++ ? "\n\n" : "");
		thin_put(out, &(struct thin){ comparison->points, comparison->npoints, point_bytes, point_ratio, point_put });
	}
}

/* The base of all that are shown; NULL where they have several. */
static const struct series *common_base(const struct figure *figure)
{
	const struct series *base = NULL;

	for (size_t i = 0; i < figure->ncomparisons; i++) {
		if (!figure->comparisons[i].shown)
			continue;
		if (base && base != figure->comparisons[i].base)
			return NULL;
		base = figure->comparisons[i].base;
	}
	return base;
}

static void put_ranges(FILE *out, const struct figure *figure)
{
	struct range sizes = { INFINITY, 0 }, ratios = { 1, 1 };

	for (size_t i = 0; i < figure->ncomparisons; i++) {
		const struct comparison *comparison = &figure->comparisons[i];

		for (size_t k = 0; comparison->shown && k < comparison->npoints; k++) {
			const struct compare_point *point = &comparison->points[k];

			sizes.low = fmin(sizes.low, point->bytes);
			sizes.high = fmax(sizes.high, point->bytes);
			ratios.low = fmin(ratios.low, fmin(point->ratio, point->low));
			ratios.high = fmax(ratios.high, fmax(point->ratio, point->high));
		}
	}
	fprintf(out, "xmin = %.17g\nxmax = %.17g\nymin = %.9g\nymax = %.9g\n", sizes.low, sizes.high, ratios.low, ratios.high);
}

/* Each in the colour that it has in the other figures. */
static void put_series(FILE *out, const struct figure *figure)
{
	size_t n = compare_shown(figure), s = 0;

	fprintf(out, "nseries = %zu\n", n);
	plot_put_array(out, "label", n);
	plot_put_array(out, "in_place", n);
	plot_put_array(out, "shade", n);
	for (size_t i = 0; i < figure->ncomparisons; i++) {
		const struct comparison *comparison = &figure->comparisons[i];

		if (!comparison->shown)
			continue;
		s++;
		fprintf(out, "label[%zu] = \"%.40s\"\n", s, comparison->series->label);
		fprintf(out, "in_place[%zu] = %d\n", s, comparison->series->in_place);
		fprintf(out, "shade[%zu] = %zu\n", s, (size_t)(comparison->series - figure->series) + 1);
	}
}

void plot_ratio_script(FILE *out, const struct figure *figure)
{
	const struct series *base = common_base(figure);

	put_ranges(out, figure);
	put_series(out, figure);
	fprintf(out, "base = \"%.30s\"\n", base ? base->label : "");
}
