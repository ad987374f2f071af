/* SPDX-License-Identifier: Apache-2.0
 *
 * One point of the launches that measured a size.
 */
#include "series.h"

#include <math.h>
#include <stdlib.h>

#include "step_study.h"

static int compare_times(const void *left, const void *right)
{
	const struct result *a = *(const struct result *const *)left;
	const struct result *b = *(const struct result *const *)right;

	return (a->time > b->time) - (a->time < b->time);
}

/* NAN unless the rows agree. */
static double imbalance_of(const struct result **rows, size_t n)
{
	static const double same = 0.01;
	const double imbalance = rows[0]->imbalance;

	for (size_t i = 0; i < n; i++) {
		if (!(fabs(rows[i]->imbalance - imbalance) <= same * imbalance))
			return NAN;
	}
	return imbalance >= 1 && isfinite(imbalance) ? imbalance : NAN;
}

/* What a row tells of its time; NAN: nothing. */
static double reach_below(const struct result *row)
{
	return log(row->time / row->time_ci_low);
}

static double reach_above(const struct result *row)
{
	return log(row->time_ci_high / row->time);
}

static double least(const struct result *row)
{
	return row->time_min;
}

static double p95(const struct result *row)
{
	return row->time_p95;
}

/* The median over those of n rows that tell it; NAN where none does. */
static double typical(const struct result *const *rows, size_t n, double (*of)(const struct result *row))
{
	double *values = malloc(n * sizeof *values), median = NAN;
	size_t known = 0;

	for (size_t i = 0; values && i < n; i++) {
		const double value = of(rows[i]);

		if (value >= 0 && isfinite(value))
			values[known++] = value;
	}
	if (known > 0)
		median = step_median(values, known);
	free(values);
	return median;
}

static void set_flags(struct point *point, const struct result *const *rows, size_t n)
{
	size_t late = 0;

	for (size_t i = 0; i < n; i++) {
		point->oversubscribed |= result_takes_turns(rows[i]);
		late += result_has_flag(rows[i], RESULT_FLAG_LATE);
	}
	/* A median is not moved by fewer. */
	point->late = 2 * late >= n;
}

struct point series_make_point(const struct result **rows, size_t n)
{
	const struct result *const *const list = (const struct result *const *)rows;
	const struct result *middle, *below;
	struct point point = { .bytes = (double)rows[0]->bytes, .launches = n };

	qsort(rows, n, sizeof(*rows), compare_times);
	middle = rows[n / 2];
	below = rows[(n - 1) / 2];
	point.time = (below->time + middle->time) / 2;
	point.busbw = (below->busbw + middle->busbw) / 2;
	point.low = n > 1 ? rows[0]->time : middle->time_ci_low;
	point.high = n > 1 ? rows[n - 1]->time : middle->time_ci_high;
	if (!(point.low > 0 && point.low <= point.time && point.high >= point.time && isfinite(point.high)))
		point.low = point.high = NAN;
	if (n > 1) {
		point.below = fmax(typical(list, n, reach_below), 0);
		point.above = fmax(typical(list, n, reach_above), 0);
	}
	if (!(point.busbw >= 0 && isfinite(point.busbw)))
		point.busbw = NAN;
	point.imbalance = imbalance_of(rows, n);
	point.least = typical(list, n, least);
	point.p95 = typical(list, n, p95);
	set_flags(&point, list, n);
	return point;
}
