/* SPDX-License-Identifier: Apache-2.0
 *
 * A call that is slower than others which can stand in for it: sizes mean the same data on both sides.
 */
#include "finding_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"

/*
 * How much slower counts. Each primitive has launches of its own, and medians of single launches were seen to differ by a fifth and
 * more with nothing changed: what is found in few of them is a note, up to what even two such launches do not differ by.
 */
static const double margin = 1.15, margin_of_few = 1.3, sure_of_few = 1.5;

enum { MOST_PARTS = 2, FEW_LAUNCHES = 3 };

static const struct guide {
	enum coll_id call;
	size_t nparts;
	enum coll_id parts[MOST_PARTS];
	const char *why;
} guides[] = {
	{ COLL_REDUCE, 1, { COLL_ALL_REDUCE }, "it does the same and gives the result to all ranks" },
	{ COLL_GATHER, 1, { COLL_ALL_GATHER }, "it does the same and gives the result to all ranks" },
	{ COLL_SCATTER, 1, { COLL_BROADCAST }, "it moves all the data to each rank, of which a block is enough" },
	{ COLL_REDUCE_SCATTER, 1, { COLL_ALL_REDUCE }, "it gives each rank the whole result, of which a block is enough" },
	{ COLL_ALL_GATHER, 1, { COLL_ALLTOALL }, "with the same block for each rank it does the same" },
	{ COLL_ALL_REDUCE, 2, { COLL_REDUCE_SCATTER, COLL_ALL_GATHER }, "one after the other they do the same" },
	{ COLL_ALL_REDUCE, 2, { COLL_REDUCE, COLL_BROADCAST }, "one after the other they do the same" },
	{ COLL_BROADCAST, 2, { COLL_SCATTER, COLL_ALL_GATHER }, "one after the other they do the same" },
	{ COLL_REDUCE, 2, { COLL_REDUCE_SCATTER, COLL_GATHER }, "one after the other they do the same" },
	{ COLL_ALL_GATHER, 2, { COLL_GATHER, COLL_BROADCAST }, "one after the other they do the same" },
	{ COLL_REDUCE_SCATTER, 2, { COLL_REDUCE, COLL_SCATTER }, "one after the other they do the same" },
};

/* Curves of one setting, first .. end of the view's. */
struct setting {
	const struct finding_curve *first, *end;
};

static bool agree(const struct result *left, const struct result *right)
{
	return (left->root == right->root || left->root == RESULT_NONE || right->root == RESULT_NONE) &&
	       (strcmp(left->redop, right->redop) == 0 || !*left->redop || !*right->redop);
}

/* The curve of that primitive whose operation and root are those of the call and of the other part, where they have any. */
static const struct finding_curve *find_part(const struct setting *setting, enum coll_id id, const struct finding_curve *call,
					     const struct finding_curve *other)
{
	for (const struct finding_curve *curve = setting->first; curve < setting->end; curve++) {
		if (curve->figure->coll->id == id && agree(curve->series->key, call->series->key) &&
		    (!other || agree(curve->series->key, other->series->key)))
			return curve;
	}
	return NULL;
}

/* Of all parts (the last may be NULL) of about these bytes together; false when one lacks the size. `from` is where each is looked for. */
static bool add_up(const struct finding_curve *const *parts, double bytes, size_t *from, struct point *sum)
{
	*sum = (struct point){ .launches = FEW_LAUNCHES };
	for (size_t p = 0; p < MOST_PARTS && parts[p]; p++) {
		const struct series *series = parts[p]->series;
		size_t at = finding_point(series, from[p], bytes);
		struct finding_span span;

		if (at == series->npoints)
			return false;
		from[p] = at;
		span = finding_span(&series->points[at]);
		sum->time += series->points[at].time;
		sum->low += span.low;
		sum->high += span.high;
		sum->launches = series->points[at].launches < sum->launches ? series->points[at].launches : sum->launches;
	}
	return true;
}

static int find_guide(struct finding_sights *sights, const struct finding_curve *call, size_t kind,
		      const struct finding_curve *const *parts)
{
	struct finding_sight sight = { .curve = call, .kind = kind };
	size_t from[MOST_PARTS] = { 0 }, sure = 0;

	for (size_t i = 0; i < call->series->npoints; i++) {
		const struct point *point = &call->series->points[i];
		struct point sum;
		bool few;

		if (!add_up(parts, point->bytes, from, &sum))
			continue;
		sight.of++;
		few = point->launches < FEW_LAUNCHES || sum.launches < FEW_LAUNCHES;
		if (point->time <= (few ? margin_of_few : margin) * sum.time || finding_span(point).low <= sum.high)
			continue;
		sight.count++;
		sure += !few || point->time > sure_of_few * sum.time;
		if (point->time / sum.time <= sight.factor)
			continue;
		sight.factor = point->time / sum.time;
		sight.bytes = point->bytes;
		sight.time = point->time;
		sight.time2 = sum.time;
	}
	/* One size may be a cliff of its own. */
	sight.level = sure > 1 ? FINDING_WARNING : FINDING_NOTE;
	return sight.count > 0 ? finding_sights_add(sights, &sight) : 0;
}

static int find_guides(struct finding_sights *sights, const struct setting *setting, const struct finding_curve *call)
{
	for (size_t g = 0; g < sizeof guides / sizeof *guides; g++) {
		const struct finding_curve *parts[MOST_PARTS] = { NULL };
		size_t p = 0;

		if (guides[g].call != call->figure->coll->id)
			continue;
		while (p < guides[g].nparts && (parts[p] = find_part(setting, guides[g].parts[p], call, parts[0])))
			p++;
		if (p == guides[g].nparts && find_guide(sights, call, g, parts))
			return -1;
	}
	return 0;
}

static int say(struct findings *findings, const struct finding_view *view, const struct finding_sight *sight)
{
	const struct guide *guide = &guides[sight->kind];
	bool both = guide->nparts > 1;

	return findings_add(
		findings, sight->level,
		"%s (%s) is slower than %s%s%s at %zu of %zu sizes, though %s: up to %s times, at %s: %s, not %s (%s)",
		sight->curve->figure->coll->name, finding_setting(sight->curve).text, collectives[guide->parts[0]]->name,
		both ? " and " : "", both ? collectives[guide->parts[1]]->name : "", sight->count, sight->of, guide->why,
		human_times(sight->factor).text, human_size(sight->bytes).text, human_time(sight->time).text,
		human_time(sight->time2).text, finding_row(view, sight->curve, sight->bytes).text);
}

int finding_guides(struct findings *findings, const struct finding_view *view)
{
	const struct finding_curve *last = view->curves + view->ncurves;
	struct finding_sights sights = { 0 };

	for (struct setting setting = { .first = view->curves }; setting.first < last; setting.first = setting.end) {
		for (setting.end = setting.first + 1; setting.end < last && finding_same_setting(setting.first, setting.end);)
			setting.end++;
		for (const struct finding_curve *call = setting.first; call < setting.end; call++) {
			if (find_guides(&sights, &setting, call)) {
				free(sights.items);
				return -1;
			}
		}
	}
	return finding_sights_tell(findings, view, &sights, say, "calls slower than what can stand in for them");
}
