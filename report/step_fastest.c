/* SPDX-License-Identifier: Apache-2.0
 *
 * Few settings, each as often as there are cycles.
 */
#include "step_fastest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* By how much a time must be longer where no intervals tell whether it is. */
static const double clearly = 0.05;

bool step_time_is_slower(double time, double low, double than, double than_high)
{
	return isfinite(low) && isfinite(than_high) ? low > than_high : time > (1 + clearly) * than;
}

double step_drift(double compute, double other)
{
	return compute > 0 && other > 0 ? fmax(1, compute / other) : 1;
}

static struct step_fast *find(const struct step_fastest *fastest, const struct step_fast *own)
{
	for (size_t i = 0; i < fastest->count; i++)
		if (fastest->all[i].cap == own->cap && strcmp(fastest->all[i].strategy, own->strategy) == 0)
			return &fastest->all[i];
	return NULL;
}

int step_fastest_add(struct step_fastest *fastest, const struct result *row)
{
	struct step_fast own = { .cap = row->bucket_cap,
				 .time = row->time,
				 .low = row->time_ci_low,
				 .high = row->time_ci_high,
				 .compute = row->compute };
	struct step_fast *known, *all;

	if (!isfinite(row->time) || row->wrong > 0)
		return 0;
	fastest->turns = fastest->turns || result_takes_turns(row);
	text_escape(row->strategy, own.strategy, sizeof own.strategy);
	known = find(fastest, &own);
	if (known) {
		if (own.time < known->time)
			*known = own;
		return 0;
	}
	all = realloc(fastest->all, (fastest->count + 1) * sizeof *all);
	if (!all)
		return -1;
	fastest->all = all;
	all[fastest->count++] = own;
	return 0;
}

const struct step_fast *step_fastest_find(const struct step_fastest *fastest, bool *clear)
{
	const struct step_fast *all = fastest->all, *best = all;

	for (size_t i = 1; i < fastest->count; i++)
		if (all[i].time < best->time)
			best = &all[i];
	*clear = true;
	for (size_t i = 0; i < fastest->count; i++) {
		const double drift = step_drift(all[i].compute, best->compute);

		*clear = *clear && (&all[i] == best ||
				    step_time_is_slower(all[i].time, all[i].low, best->time * drift, best->high * drift));
	}
	return best;
}

void step_fastest_clear(struct step_fastest *fastest)
{
	free(fastest->all);
	*fastest = (struct step_fastest){ 0 };
}
