/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes of level: means over sizes that carry what launches share, and so must stand out from how launches differ.
 */
#include "judge_parts.h"

#include <math.h>
#include <stdlib.h>

#include "../array.h"

static const double as_good = 1; /* a wider window is taken before a better one that is better by less */

/* The widest of the windows that say most. */
static bool best_of(const struct gate_trial *trial, const struct gate_study *study, double sign, struct gate_seen *best,
		    double *most)
{
	double z[GATE_LEVELS];
	bool any = false;

	*most = -INFINITY;
	for (size_t i = 0; i < GATE_LEVELS; i++) {
		size_t first, end;

		z[i] = -INFINITY;
		gate_level_window(study->segments, i, &first, &end);
		if (!isfinite(study->levels[i]) || !(sign * gate_mean(study, study->level, 2, first, end) > trial->step))
			continue;
		z[i] = gate_normal_of_t(sign * gate_mean(study, study->level, 2, first, end) /
						sqrt(study->levels[i] * study->sampling.factor),
					gate_moderated_df(trial->levels[i], study->sampling.df));
		*most = fmax(*most, z[i]);
	}
	for (size_t i = 0; i < GATE_LEVELS; i++) {
		size_t first, end;

		gate_level_window(study->segments, i, &first, &end);
		if (isinf(z[i]) || z[i] < *most - as_good || (any && end - first <= best->end - best->first))
			continue;
		any = true;
		*best = (struct gate_seen){ .row = 2, .first = first, .end = end, .kind = GATE_LEVEL };
		best->effect = gate_mean(study, study->level, 2, first, end);
		best->error = sqrt(study->levels[i] * study->sampling.factor);
		best->t = fabs(best->effect) / best->error;
		best->df = gate_moderated_df(trial->levels[i], study->sampling.df);
	}
	return any;
}

static int find(struct gate_trial *trial, double sign, double *p)
{
	struct gate_seen seen;
	size_t n = 0, found;
	double most, cut;

	for (size_t s = 0; s < trial->n; s++) {
		if (!trial->studies[s].clear)
			continue;
		best_of(trial, &trial->studies[s], sign, &seen, &most);
		p[n++] = gate_largest_p(trial->studies[s].layout->level, most);
	}
	if (!((cut = gate_cut(p, n, trial->rates[GATE_LEVEL], &found)) > 0))
		return 0;
	for (size_t s = 0; s < trial->n; s++) {
		double largest;

		if (!trial->studies[s].clear || !best_of(trial, &trial->studies[s], sign, &seen, &most))
			continue;
		largest = gate_largest_p(trial->studies[s].layout->level, most);
		if (!(largest <= cut))
			continue;
		seen.p = gate_tail(seen.t, seen.df);
		seen.adjusted = fmin(1, largest * trial->settings->false_alarms / cut);
		if (gate_add_finding(trial, s, &seen) != 0)
			return -1;
	}
	return 0;
}

int gate_find_levels(struct gate_trial *trial)
{
	double *p = malloc((trial->n + 1) * sizeof *p);
	int rc = p ? 0 : array_failed();

	if (rc == 0)
		rc = find(trial, 1, p);
	if (rc == 0)
		rc = find(trial, -1, p);
	free(p);
	return rc;
}
