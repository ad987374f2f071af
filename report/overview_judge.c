/* SPDX-License-Identifier: Apache-2.0
 *
 * What a summary says of a series in a word, and what it means by it.
 */
#include "overview.h"

#include <math.h>
#include <string.h>

#include "plot.h"

static const double above = 1.05, close_by = 0.9, under = 0.5;

bool overview_needs_labels(const struct study *study)
{
	for (size_t c = 0; c < COLL_COUNT; c++) {
		size_t headlines = 0;

		for (size_t s = 0; s < study->figures[c].nshown; s++)
			headlines += overview_is_headline(&study->figures[c], s);
		if (headlines > 1)
			return true;
	}
	return false;
}

static const char *word_of(const struct series *series, double efficiency)
{
	if (series->points[series->npoints - 1].oversubscribed)
		return "ranks took turns";
	if (!isfinite(efficiency))
		return series->key->nranks < 2 ? "one rank" : "no bound known";
	if (study_is_rough(series->machine))
		return "bound is rough";
	if (efficiency > above)
		return "faster than the model";
	return efficiency >= close_by ? "close to the bound" : efficiency >= under ? "under the bound" : "far under the bound";
}

struct overview_judgement overview_judge(const struct verdicts *verdicts, const struct figure *figure,
					 const struct series *series, const struct overview *overview)
{
	struct overview_judgement judgement = { overview->efficiency, overview->efficiency_bytes, VERDICT_FINE,
						word_of(series, overview->efficiency) };

	for (size_t i = 0; i < verdicts->count; i++) {
		const struct verdict *verdict = &verdicts->items[i];

		if (verdict->figure != figure || verdict->series != series)
			continue;
		judgement.level = verdict->level > judgement.level ? verdict->level : judgement.level;
		if (verdict->kind == VERDICT_LINK) {
			judgement.efficiency = verdict->efficiency;
			judgement.bytes = verdict->bytes;
		}
		judgement.word = verdict_word(judgement.level);
	}
	return judgement;
}

const char *overview_efficiency_name(const struct study *study)
{
	size_t wired = 0, others = 0;

	for (size_t m = 0; m < study->nmachines; m++) {
		wired += study->machines[m].own != NULL;
		others += !study->machines[m].own && study->machines[m].key->nranks > 1;
	}
	if (study->options->link > 0 || (wired > 0 && others == 0))
		return "of link";
	return wired > 0 ? "of link or bound" : "of ring bound";
}

void overview_legend(FILE *out, enum escape how, const struct study *study)
{
	const char *name = overview_efficiency_name(study);
	bool ring = strcmp(name, "of ring bound") == 0; /* and nothing else */

	escape_put(out, how, "Latency: the time at the smallest size. ");
	if (!ring)
		escape_put(out, how,
			   "Of link: the best busbw among the largest sizes as a share of what a ring over %s could have. ",
			   study->options->link > 0 ? study->options->link_text : "the links of the topology in run.json");
	if (strcmp(name, "of link"))
		escape_put(out, how,
			   "Of %sbound: the time of the ring's model as a share of the time measured, at the largest size "
			   "(sendrecv: of alpha + S/B). ",
			   ring ? "ring " : "");
	escape_put(out, how, "Out-of-place where there is a choice.");
}

const char *overview_fit_sentence(const struct fit *fit)
{
	return fit->verdict == FIT_GOOD && fit->nsegments > 1 ? "a line for each stretch of sizes describes the times"
							      : fit_sentence(fit->verdict);
}
