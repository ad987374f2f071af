/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns of points, two of each.
 */
#include "thin.h"

#include <math.h>

/* Those from `first` on whose size is under `end`; returns how many. At least the first one is put. */
static size_t put_column(FILE *out, const struct thin *thin, size_t first, double end)
{
	size_t least = first, most = first, i = first;

	do {
		least = thin->value(thin->points, i) < thin->value(thin->points, least) ? i : least;
		most = thin->value(thin->points, i) > thin->value(thin->points, most) ? i : most;
		i++;
	} while (i < thin->n && thin->bytes(thin->points, i) < end);
	thin->put(out, thin->points, least < most ? least : most);
	if (least != most)
		thin->put(out, thin->points, least < most ? most : least);
	return i - first;
}

void thin_put(FILE *out, const struct thin *thin)
{
	double low, step;

	if (thin->n <= THIN_MOST) {
		for (size_t i = 0; i < thin->n; i++)
			thin->put(out, thin->points, i);
		return;
	}
	low = thin->bytes(thin->points, 0);
	/* A little less, so that the last point has a column of its own. */
	step = log(thin->bytes(thin->points, thin->n - 1) / low) / (THIN_COLUMNS - 1 + 1e-6);
	for (size_t i = 0; i < thin->n;) {
		double column = floor(log(thin->bytes(thin->points, i) / low) / step);

		i += put_column(out, thin, i, low * exp(step * (column + 1)));
	}
}
