/* SPDX-License-Identifier: Apache-2.0
 *
 * From what was found to the exit code.
 */
#include "tell.h"

#include "words.h"

bool gate_fails(const struct gate_judgement *judgement, double ratio)
{
	return judgement->statistics || ratio >= GATE_FAR;
}

bool gate_is_loss(const struct gate_finding *finding)
{
	return finding->slower && !(finding->direct.high < 1);
}

bool gate_is_lost(const struct gate_point_verdict *verdict)
{
	return verdict->word == GATE_SLOWER && !(verdict->ratio.high < 1);
}

bool gate_is_missed(const struct gate_outcome *outcome)
{
	return outcome->met == GATE_MISSED || outcome->met == GATE_NO_ROW;
}

static bool has_loss(const struct gate_sheet *sheet, const struct gate_judgement *judgement)
{
	for (size_t f = 0; f < judgement->nfindings; f++) {
		if (gate_is_loss(&judgement->findings[f]) && gate_fails(judgement, judgement->findings[f].ratio.value))
			return true;
	}
	for (size_t s = 0; s < sheet->nseries; s++) {
		for (size_t i = 0; i < sheet->series[s].npoints; i++) {
			const struct gate_point_verdict *verdict = &judgement->series[s].points[i];

			if (gate_is_lost(verdict) && gate_fails(judgement, verdict->ratio.value))
				return true;
		}
	}
	return false;
}

enum gate_exit gate_decide(const struct gate_sheet *sheet, const struct gate_judgement *judgement, const struct gate_rules *rules,
			   const struct gate_outcome *outcomes)
{
	const struct gate_tally tally = gate_tally(sheet, judgement, rules, outcomes);

	if (sheet->wrong_new > 0 || tally.missed > 0 || has_loss(sheet, judgement))
		return GATE_EXIT_REGRESSION;
	for (size_t i = 0; rules && i < rules->count; i++) {
		if (outcomes[i].met == GATE_NOT_JUDGED)
			return GATE_EXIT_INCONCLUSIVE;
	}
	/* Of a primitive that was measured where no measurement can be, nothing was found because nothing could be. */
	if (tally.barred_series > 0)
		return GATE_EXIT_INCONCLUSIVE;
	if (!judgement->statistics)
		return tally.lost > 0 || tally.slower > 0 ? GATE_EXIT_INCONCLUSIVE : GATE_EXIT_OK;
	return judgement->blind ? GATE_EXIT_INCONCLUSIVE : GATE_EXIT_OK;
}
