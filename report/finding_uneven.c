/* SPDX-License-Identifier: Apache-2.0
 *
 * An uneven exchange that takes longer than an even one in which every rank is as busy as its busiest rank: that is no matter of who has most to do.
 */
#include <stdio.h>
#include <stdlib.h>

#include "finding_parts.h"
#include "human.h"
#include "uneven.h"

/* Both have launches of their own; medians of single launches were seen to differ by a fifth and more with nothing changed. */
static const double margin = 1.15, margin_of_few = 1.3, sure_of_few = 1.5;

enum { FEW_LAUNCHES = 3 };

static int look(struct finding_sights *sights, const struct finding_curve *curve, const struct uneven_base *base)
{
	struct finding_sight sight = { .curve = curve };
	size_t sure = 0;

	for (size_t i = 0; i < curve->series->npoints; i++) {
		const struct uneven_line line = uneven_line(base, &curve->series->points[i]);
		const struct compare_point *busy = &line.busy;
		const bool few = busy->launches < FEW_LAUNCHES || busy->base_launches < FEW_LAUNCHES;

		if (!(busy->ratio > 0))
			continue;
		sight.of++;
		/* Without intervals nobody knows what is beyond them. */
		if (!(busy->ratio > (few ? margin_of_few : margin)) || !(busy->low > 1))
			continue;
		sight.count++;
		sure += !few || busy->ratio > sure_of_few;
		if (busy->ratio <= sight.factor)
			continue;
		sight.factor = busy->ratio;
		sight.bytes = line.point->bytes;
		sight.time = busy->time;
		sight.time2 = busy->base_time;
	}
	/* One size may be a cliff of its own. */
	sight.level = sure > 1 ? FINDING_WARNING : FINDING_NOTE;
	return sight.count > 0 ? finding_sights_add(sights, &sight) : 0;
}

static int say(struct findings *findings, const struct finding_view *view, const struct finding_sight *sight)
{
	return findings_add(
		findings, sight->level,
		"%s (%s) takes longer than its imbalance explains at %zu of %zu sizes: up to %s times as long as the even "
		"exchange in "
		"which every rank is as busy as the busiest one here, at %s: %s, not %s (%s). Usual reasons: many ranks send to "
		"one "
		"at once and its port or switch loses packets, or an algorithm that waits for the largest block in every round",
		sight->curve->figure->coll->name, finding_setting(sight->curve).text, sight->count, sight->of,
		human_times(sight->factor).text, human_size(sight->bytes).text, human_time(sight->time).text,
		human_time(sight->time2).text, finding_row(view, sight->curve, sight->bytes).text);
}

int finding_uneven(struct findings *findings, const struct finding_view *view)
{
	struct finding_sights sights = { 0 };

	for (size_t c = 0; c < view->ncurves; c++) {
		const struct finding_curve *curve = &view->curves[c];
		struct uneven_base base;

		/* Of a matrix nobody knows how many messages its ranks need. */
		if (!uneven_is(curve->figure, curve->series) || result_is_matrix(curve->series->key))
			continue;
		base = uneven_base(view->study, curve->figure, curve->series);
		if (look(&sights, curve, &base)) {
			free(sights.items);
			return -1;
		}
	}
	return finding_sights_tell(findings, view, &sights, say, "exchanges that take longer than their imbalance explains");
}
