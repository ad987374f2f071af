/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said of what moves data during compute, and of what that costs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "step_words_parts.h"

static const char *const words[] = { RESULT_DEVICE, RESULT_POLLING, RESULT_THREAD, RESULT_NOBODY };
enum { WORDS = sizeof words / sizeof *words };

/* Of what has no interval: less is no difference. */
static const double clearly = 0.05;

/* The bucketed line by that word that is told first. */
static const struct step_line *find_mover(const struct step_part *part, const char *word)
{
	const struct step_line *found = NULL;

	for (size_t l = 0; l < part->nlines; l++) {
		const struct step_line *line = &part->lines[l];

		if (step_is_strategy(line, RESULT_BUCKETED) && strcmp(line->key->progress, word) == 0 &&
		    step_precedes(part, line, found))
			found = line;
	}
	return found;
}

/* By word; absent ones NULL. */
struct movers {
	const struct step_line *lines[WORDS];
	size_t count;
	bool alike; /* all of one compute */
	bool open;  /* the intervals leave open which is fastest */
};

static struct movers find_movers(const struct step_part *part)
{
	struct movers movers = { .alike = true };
	const struct step_line *best = NULL;

	for (size_t i = 0; i < WORDS; i++) {
		movers.lines[i] = find_mover(part, words[i]);
		if (!movers.lines[i])
			continue;
		movers.count++;
		if (best)
			movers.alike = movers.alike && step_same_compute(best, movers.lines[i]);
		if (step_precedes(part, movers.lines[i], best))
			best = movers.lines[i];
	}
	for (size_t i = 0; i < WORDS; i++)
		if (movers.lines[i] && movers.lines[i] != best)
			movers.open = movers.open || !step_is_slower(step_best(movers.lines[i]), step_best(best));
	return movers;
}

bool step_words_movers(const struct step_part *part, char *text, size_t size)
{
	const struct movers movers = find_movers(part);
	int n = snprintf(text, size, "best bucketed step by progress%s: ",
			 movers.alike ? "" : ", as a multiple of its compute, which is not the same");
	size_t told = 0;

	for (size_t i = 0; i < WORDS && movers.count > 1; i++) {
		const struct step_point *best = movers.lines[i] ? step_best(movers.lines[i]) : NULL;
		const struct human overlap = best ? step_words_overlap(best) : (struct human){ "" };

		if (best)
			n += snprintf(text + n, size - (size_t)n, "%s%s %s%s%s%s%s", told++ > 0 ? ", " : "", words[i],
				      movers.alike ? human_time(best->time).text : human_ratio(step_over_compute(best)).text,
				      step_words_at_cap(best).text, *overlap.text ? " (" : "", overlap.text,
				      *overlap.text ? ")" : "");
	}
	if (movers.alike && movers.open)
		snprintf(text + n, size - (size_t)n, "; intervals leave open which is fastest");
	return movers.count > 1;
}

/* The median over a line's points; NAN where there is none. */
static double median_of(const struct step_part *part, const struct step_line *line,
			double (*value)(const struct step_part *, const struct step_line *, const struct step_point *))
{
	double *values = malloc(line->npoints * sizeof *values), middle = NAN;
	size_t n = 0;

	for (size_t i = 0; values && i < line->npoints; i++) {
		const double one = value(part, line, &line->points[i]);

		if (isfinite(one) && one > 0)
			values[n++] = one;
	}
	if (n > 0)
		middle = step_median(values, n);
	free(values);
	return middle;
}

static double over_model(const struct step_part *part, const struct step_line *line, const struct step_point *point)
{
	return point->time / step_model_of(part, line, point);
}

static double over_asked(const struct step_part *part, const struct step_line *line, const struct step_point *point)
{
	(void)part;
	(void)line;
	return point->compute / point->asked;
}

/* "12 % more with progress thread, as much (to 5 %) with progress polling"; how many there are, and whether one is clearly apart. */
static size_t tell_ratios(const struct step_part *part,
			  double (*value)(const struct step_part *, const struct step_line *, const struct step_point *),
			  double least, char *text, size_t size, bool *apart)
{
	size_t told = 0;
	int n = 0;

	*apart = false;
	for (size_t i = 0; i < WORDS; i++) {
		const struct step_line *line = find_mover(part, words[i]);
		const double ratio = line ? median_of(part, line, value) : NAN;

		if (!isfinite(ratio))
			continue;
		n += snprintf(text + n, size - (size_t)n, "%s", told++ > 0 ? ", " : "");
		if (fabs(ratio - 1) > least)
			n += snprintf(text + n, size - (size_t)n, "%s", step_words_more(ratio).text);
		else
			n += snprintf(text + n, size - (size_t)n, "as much (to %s)", human_percent(least).text);
		n += snprintf(text + n, size - (size_t)n, " with progress %s", words[i]);
		*apart = *apart || fabs(ratio - 1) > least;
	}
	return told;
}

/* Compute alone does not poll: what polling takes from compute and what it leaves undone is seen in the steps alone. */
bool step_words_price(const struct step_part *part, char *text, size_t size)
{
	char ratios[STEP_LABEL * 2];
	bool apart;
	const size_t told = tell_ratios(part, over_model, fmax(step_words_same, part->model.residual), ratios, sizeof ratios,
					&apart);

	if (told == 0 || !apart)
		return false;
	snprintf(text, size,
		 "what progress costs: against the model, where data moves by itself, bucketed steps take %s (medians over the "
		 "sizes of buckets)",
		 ratios);
	return true;
}

bool step_words_asked(const struct step_part *part, char *text, size_t size)
{
	char ratios[STEP_LABEL * 2];
	bool apart;
	const size_t told = tell_ratios(part, over_asked, clearly, ratios, sizeof ratios, &apart);

	if (told == 0 || (told == 1 && !apart))
		return false;
	snprintf(text, size, "against what was asked for, compute alone takes %s%s", ratios,
		 find_mover(part, RESULT_THREAD)
			 ? " (what a thread takes all the time is in the rate by which compute is asked for)"
			 : "");
	return true;
}

/* Of communication alone at the sizes that both have: the median ratio, and whether all are to one side of 1. */
static double comm_ratio(const struct step_line *line, const struct step_line *base, bool *all)
{
	double *ratios = malloc(line->npoints * sizeof *ratios), ratio = NAN;
	size_t n = 0;

	for (size_t i = 0, k = 0; ratios && i < line->npoints && k < base->npoints;) {
		const struct step_point *one = &line->points[i], *other = &base->points[k];

		if (one->cap == other->cap && one->comm > 0 && other->comm > 0)
			ratios[n++] = one->comm / other->comm;
		i += one->cap <= other->cap;
		k += other->cap <= one->cap;
	}
	if (n > 0) {
		ratio = step_median(ratios, n);
		*all = ratios[0] > 1 || ratios[n - 1] < 1;
	}
	free(ratios);
	return ratio;
}

/* A library with a thread takes locks. */
bool step_words_thread(const struct step_part *part, char *text, size_t size)
{
	const struct step_line *thread = find_mover(part, RESULT_THREAD), *nobody = find_mover(part, RESULT_NOBODY);
	const struct step_line *base = nobody ? nobody : find_mover(part, RESULT_POLLING);
	bool all = false;
	const double ratio = thread && base ? comm_ratio(thread, base, &all) : NAN;

	if (!isfinite(ratio) || !all || fabs(ratio - 1) <= clearly)
		return false;
	snprintf(text, size, "what the progress thread costs communication: alone it takes %s with progress %s",
		 step_words_apart(ratio).text, base->key->progress);
	return true;
}
