/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes of level: means over sizes that carry what launches share, and so must stand out from how launches differ.
 */
#include "judge_parts.h"

#include <math.h>
#include <stdlib.h>

#include "../array.h"

/* A wider window is taken before a better one whose statistic is larger by no more than this, or by that share. */
static const double as_good = 1, as_good_share = 0.25;

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
		if (isinf(z[i]) || z[i] < *most - fmax(as_good, as_good_share * *most) ||
		    (any && end - first <= best->end - best->first))
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

static int find(struct gate_trial *trial, double sign, double *p, double *adjusted)
{
	double share = trial->rates[GATE_LEVEL] / trial->settings->false_alarms, most, cut;
	struct gate_seen seen;
	size_t n = 0, found;

	for (size_t s = 0; s < trial->n; s++) {
		if (!trial->studies[s].clear)
			continue;
		best_of(trial, &trial->studies[s], sign, &seen, &most);
		p[n++] = gate_largest_p(trial->studies[s].layout->level, most);
	}
	if (gate_adjust(p, n, adjusted) != 0)
		return -1;
	cut = gate_cut(p, n, trial->rates[GATE_LEVEL], &found);
	n = 0;
	for (size_t s = 0; found > 0 && s < trial->n; s++) {
		const struct gate_study *study = &trial->studies[s];

		if (!study->clear)
			continue;
		n++;
		if (!best_of(trial, study, sign, &seen, &most) || !(gate_largest_p(study->layout->level, most) <= cut))
			continue;
		seen.p = gate_tail(seen.t, seen.df);
		seen.adjusted = adjusted[n - 1] / share;
		if (gate_add_finding(trial, s, &seen) != 0)
			return -1;
	}
	return 0;
}

int gate_find_levels(struct gate_trial *trial)
{
	double *room = malloc(2 * (trial->n + 1) * sizeof *room);
	int rc = -1;

	if (room)
		rc = find(trial, 1, room, room + trial->n) == 0 ? find(trial, -1, room, room + trial->n) : -1;
	else
		array_failed();
	free(room);
	return rc;
}
