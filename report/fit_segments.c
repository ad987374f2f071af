/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a sweep changes its law: the best division for each number of segments by an exact dynamic programme, and the number by BIC.
 */
#include "fit_parts.h"

#include <assert.h>
#include <math.h>

enum { POINTS = FIT_MOST_SIZES, LEAST = FIT_LEAST_SIZES, MOST = FIT_MOST_SEGMENTS };

static const double least_gain = 6;   /* of BIC, for one more segment */
static const double least_rms = 1e-3; /* deviations under 0.1 % are worth no segment */

/* sum[i][j]: squares of one line through sizes i to j - 1. least[s][j]: of the first j sizes in s + 1 segments, whose last begins at from. */
struct table {
	double sum[POINTS][POINTS + 1];
	double least[MOST][POINTS + 1];
	size_t from[MOST][POINTS + 1];
};

static void fill(struct fit_data data, struct table *table)
{
	for (size_t i = 0; i < data.n; i++) {
		for (size_t j = i + LEAST; j <= data.n; j++)
			table->sum[i][j] = fit_squares(fit_slice(data, i, j), NULL);
	}
	for (size_t j = 0; j <= data.n; j++) {
		table->least[0][j] = j < LEAST ? INFINITY : table->sum[0][j];
		table->from[0][j] = 0;
	}
	for (size_t s = 1; s < MOST; s++) {
		for (size_t j = 0; j <= data.n; j++) {
			table->least[s][j] = INFINITY;
			table->from[s][j] = 0;
			for (size_t i = LEAST; i + LEAST <= j; i++) {
				double sum = table->least[s - 1][i] + table->sum[i][j];

				if (sum < table->least[s][j]) {
					table->least[s][j] = sum;
					table->from[s][j] = i;
				}
			}
		}
	}
}

/* Both criteria; a line has two parameters, a division its places, and all have one spread. */
static void judge(double sum, size_t sizes, size_t segments, double *bic, double *aicc)
{
	double n = (double)sizes, k = 2 * (double)segments + (double)(segments - 1) + 1;
	double fit = n * log(sum / n + least_rms * least_rms);

	*bic = fit + k * log(n);
	*aicc = n > k + 1 ? fit + 2 * k + 2 * k * (k + 1) / (n - k - 1) : NAN;
}

static void divide(struct fit_data data, struct fit_division *division)
{
	struct table table;
	size_t best = 0;

	assert(data.n >= LEAST && data.n <= POINTS);
	fill(data, &table);
	for (size_t s = 0; s < MOST; s++) {
		division->bic[s] = division->aicc[s] = NAN;
		if (!isfinite(table.least[s][data.n]))
			continue;
		judge(table.least[s][data.n], data.n, s + 1, &division->bic[s], &division->aicc[s]);
		if (division->bic[s] < division->bic[best] - least_gain)
			best = s;
	}
	division->count = best + 1;
	for (size_t s = best + 1, end = data.n; s-- > 0; end = division->first[s])
		division->first[s] = table.from[s][end];
}

void fit_divide(struct fit_data data, struct fit_division *division)
{
	double bytes[POINTS], time[POINTS], log_time[POINTS], weight[POINTS];
	size_t at[POINTS];
	struct fit_data some = { bytes, time, log_time, weight, POINTS };

	if (data.n <= POINTS) {
		divide(data, division);
		return;
	}
	for (size_t i = 0; i < POINTS; i++) {
		at[i] = i * (data.n - 1) / (POINTS - 1);
		bytes[i] = data.bytes[at[i]];
		time[i] = data.time[at[i]];
		log_time[i] = data.log_time[at[i]];
		weight[i] = data.weight[at[i]];
	}
	divide(some, division);
	for (size_t s = 0; s < division->count; s++)
		division->first[s] = at[division->first[s]];
}
