/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes that stand out so far that they would spoil the search for segments: each is compared with what lines through its neighbours
 * predict, on either side and on both, and the nearest prediction counts, so that the end of a segment does not stand out.
 */
#include "fit_parts.h"

#include <math.h>
#include <stdlib.h>

enum { NEIGHBOURS = 4 };

static const double least_score = 0.0953; /* of ln t: ln 1.1 */
static const double deviations = 8 * 1.4826;

/* The distance of size i from the line through `before` neighbours under it and the rest above it. */
static double score_against(struct fit_data data, size_t i, size_t before)
{
	double bytes[NEIGHBOURS], time[NEIGHBOURS], log_time[NEIGHBOURS], weight[NEIGHBOURS];
	struct fit_logs logs;

	for (size_t k = 0; k < NEIGHBOURS; k++) {
		size_t j = i - before + k + (k >= before);

		bytes[k] = data.bytes[j];
		time[k] = data.time[j];
		log_time[k] = data.log_time[j];
		weight[k] = data.weight[j];
	}
	fit_squares((struct fit_data){ bytes, time, log_time, weight, NEIGHBOURS }, &logs);
	return fabs(data.log_time[i] - fit_log_time(logs, data.bytes[i]));
}

static double score(struct fit_data data, size_t i)
{
	double least = INFINITY;

	for (size_t before = 0; before <= NEIGHBOURS; before++) {
		if (before <= i && i + NEIGHBOURS - before < data.n)
			least = fmin(least, score_against(data, i, before));
	}
	return least;
}

int fit_compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

size_t fit_stray(struct fit_data data, double *scores, double *sorted, size_t from, size_t until)
{
	size_t worst = 0;

	if (data.n <= NEIGHBOURS)
		return data.n;
	for (size_t i = from < NEIGHBOURS ? 0 : from - NEIGHBOURS; i < data.n && i < until + NEIGHBOURS; i++)
		scores[i] = score(data, i);
	for (size_t i = 0; i < data.n; i++) {
		sorted[i] = scores[i];
		worst = scores[i] > scores[worst] ? i : worst;
	}
	qsort(sorted, data.n, sizeof *sorted, fit_compare);
	if (scores[worst] <= fmax(least_score, deviations * sorted[data.n / 2]))
		return data.n;
	return worst;
}
