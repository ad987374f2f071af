/* SPDX-License-Identifier: Apache-2.0
 *
 * One walk over all rows.
 */
#include "totals.h"

#include <math.h>
#include <string.h>

static void take_iters(struct totals *totals, const struct result *row)
{
	if (row->iters > 0) {
		totals->least_iters = row->iters < totals->least_iters ? row->iters : totals->least_iters;
		totals->most_iters = row->iters > totals->most_iters ? row->iters : totals->most_iters;
	}
	if (row->dropped > 0 && totals->dropped <= INT64_MAX - row->dropped)
		totals->dropped += row->dropped;
}

/* A pair is of a job with more ranks than two. */
static void take_ranks(struct totals *totals, const struct result *row)
{
	if (result_is_pair(row)) {
		totals->pairs++;
		totals->paired_ranks = row->to + 1 > totals->paired_ranks ? row->to + 1 : totals->paired_ranks;
		return;
	}
	totals->least_ranks = row->nranks < totals->least_ranks ? row->nranks : totals->least_ranks;
	totals->most_ranks = row->nranks > totals->most_ranks ? row->nranks : totals->most_ranks;
}

static void take(struct totals *totals, const struct result *row)
{
	totals->rows++;
	if (*row->flags) {
		totals->simulated += result_has_flag(row, RESULT_FLAG_SIMULATED);
		totals->imported += result_has_flag(row, RESULT_FLAG_IMPORTED);
	}
	totals->sync += strcmp(row->timing, "sync") == 0;
	totals->loop += strcmp(row->timing, "loop") == 0;
	totals->clock += strcmp(row->sync, "clock") == 0;
	totals->barrier += strcmp(row->sync, "barrier") == 0;
	totals->kernel += isfinite(row->kernel);
	totals->enqueue += isfinite(row->enqueue);
	take_ranks(totals, row);
	take_iters(totals, row);
}

struct totals totals_of(const struct rows *rows)
{
	struct totals totals = { .least_ranks = INT64_MAX, .least_iters = INT64_MAX };

	for (size_t i = 0; i < rows_count(rows); i++)
		take(&totals, rows_get(rows, i));
	if (totals.pairs == totals.rows)
		totals.least_ranks = totals.most_ranks = totals.paired_ranks;
	return totals;
}
