/* SPDX-License-Identifier: Apache-2.0
 *
 * Sentences on training steps.
 */
#include "step_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"

/* Steps that differ by less are as good as one another; the same for compute. */
static const double same = 0.02;

const char step_words_turns[] =
	"ranks took turns on cores or on a GPU: what computes keeps others from sending, so these steps say nothing of overlap";
const char step_words_nobody[] =
	"with progress none nobody moves data before the wait at the end, so an overlap near 0 is expected there: it shows what "
	"polling, a progress thread or a device's own stream is for";

static const char model_text[] = "T(k) = max(Tb + a + b G / k, Tb / k + k a + b G)";

/* "4 % more", "as much" */
static struct human more(double ratio)
{
	struct human text;

	if (fabs(ratio - 1) < 0.0005)
		return (struct human){ "as much" };
	snprintf(text.text, sizeof text.text, "%.40s %s", human_percent(fabs(ratio - 1)).text, ratio > 1 ? "more" : "less");
	return text;
}

/* "4 % more than", "as much as" */
static struct human apart(double ratio)
{
	struct human text;

	snprintf(text.text, sizeof text.text, "%.50s %s", more(ratio).text, fabs(ratio - 1) < 0.0005 ? "as" : "than");
	return text;
}

static struct human at_cap(const struct step_point *point)
{
	struct human text = { "" };

	if (point->cap != RESULT_NONE)
		snprintf(text.text, sizeof text.text, " at %.50s", human_size((double)point->cap).text);
	return text;
}

static bool say_what(const struct step_part *part, char *text, size_t size)
{
	const struct result *key = part->key;

	snprintf(text, size, "%lld rank%s; a step reduces %s of gradients%s%s%s%.40s", (long long)key->nranks,
		 key->nranks == 1 ? "" : "s", human_size((double)key->bytes).text, key->tensors == RESULT_NONE ? "" : " in ",
		 key->tensors == RESULT_NONE ? "" : human_integer(key->tensors).text,
		 key->tensors == RESULT_NONE ? ", " : " tensors, ", key->type);
	return true;
}

/* Sizes around the best one that are as good. */
static void find_flat(const struct step_line *line, size_t *first, size_t *last)
{
	const double most = step_best(line)->time * (1 + same);

	*first = *last = line->best;
	while (*first > 0 && line->points[*first - 1].time <= most && line->points[*first - 1].cap != RESULT_NONE)
		--*first;
	while (*last + 1 < line->npoints && line->points[*last + 1].time <= most)
		++*last;
}

static bool say_best(const struct step_part *part, char *text, size_t size)
{
	const struct step_line *line = part->best;
	const struct step_point *best;
	size_t first, last;
	int n;

	if (!line)
		return false;
	best = step_best(line);
	find_flat(line, &first, &last);
	n = snprintf(text, size, "measured optimum: %s%s, %s a step", line->label, at_cap(best).text,
		     human_time(best->time).text);
	if (best->compute > 0)
		n += snprintf(text + n, size - (size_t)n, ", %s its compute alone (%s)", apart(best->time / best->compute).text,
			      human_time(best->compute).text);
	if (last > first)
		n += snprintf(text + n, size - (size_t)n, "; from %s to %s a step takes at most %s more",
			      human_size((double)line->points[first].cap).text, human_size((double)line->points[last].cap).text,
			      human_percent(same).text);
	if (line->npoints > 1 && (line->best == 0 || line->best + 1 == line->npoints))
		snprintf(text + n, size - (size_t)n, "; this is the %s size measured: the optimum may lie beyond",
			 line->best == 0 ? "smallest" : "largest");
	return true;
}

static bool say_model(const struct step_part *part, char *text, size_t size)
{
	const struct step_model *model = &part->model;
	const struct step_point *best = part->best ? step_best(part->best) : NULL;
	double there;
	int n;

	if (!best)
		return false;
	if (model->origin == STEP_NOTHING) {
		snprintf(text, size, "predicted optimum: none, as %s%s", model->why,
			 part->key->nranks > 1 ? "; all_reduce rows of the same ranks in this report would tell it" : "");
		return true;
	}
	there = step_model_time(part, best->calls == RESULT_NONE ? NAN : (double)best->calls);
	n = snprintf(text, size, "predicted optimum: %.3g bucket%s of %s%s, %s a step, if data moves while ranks compute",
		     model->calls, model->calls < 1.5 ? "" : "s", human_size(model->bytes).text,
		     part->key->tensors > 1 && model->calls >= (double)part->key->tensors ? " (one a tensor)" : "",
		     human_time(model->time).text);
	if (isfinite(there))
		snprintf(text + n, size - (size_t)n,
			 "; for the measured optimum's %lld calls the model says %s, and it took %s that", (long long)best->calls,
			 human_time(there).text, apart(best->time / there).text);
	return true;
}

static bool say_origin(const struct step_part *part, char *text, size_t size)
{
	const struct step_model *model = &part->model;
	int n;

	if (model->origin == STEP_NOTHING)
		return false;
	n = snprintf(text, size, "the model: %s with Tb = %s, G = %s, and a = %s and 1/b = %s ", model_text,
		     human_time(model->buckets.backward).text, human_size(model->buckets.bytes).text,
		     human_time(model->buckets.a).text, human_rate(1 / model->buckets.b).text);
	if (model->origin == STEP_SWEEP)
		snprintf(text + n, size - (size_t)n, "of the line through the all_reduce rows in %.300s", model->sweep->source);
	else
		snprintf(text + n, size - (size_t)n,
			 "fitted from the steps' communication alone (calls * a + b * G), as no all_reduce rows of these ranks "
			 "are in "
			 "this report");
	return true;
}

/* Between two sizes that were measured, on logarithmic axes. */
static double between(const struct step_line *line, double cap)
{
	for (size_t i = 0; i + 1 < line->npoints; i++) {
		const struct step_point *low = &line->points[i], *high = low + 1;

		if (low->cap == RESULT_NONE || (double)low->cap > cap || (double)high->cap < cap)
			continue;
		return exp(log(low->time) +
			   log(high->time / low->time) * log(cap / (double)low->cap) / log((double)high->cap / (double)low->cap));
	}
	return NAN;
}

double step_words_default(const struct step_part *part, const char **how)
{
	const struct step_line *line = part->best;
	double time = NAN;

	*how = "measured";
	if (!line)
		return NAN;
	for (size_t i = 0; i < line->npoints; i++)
		if (line->points[i].cap == STEP_DEFAULT_CAP)
			time = line->points[i].time;
	if (isfinite(time))
		return time / step_best(line)->time;
	*how = "read between the sizes measured";
	time = between(line, STEP_DEFAULT_CAP);
	if (isfinite(time))
		return time / step_best(line)->time;
	*how = "by the model";
	return step_model_at(part, STEP_DEFAULT_CAP) / part->model.time;
}

static bool say_default(const struct step_part *part, char *text, size_t size)
{
	const char *how = "";
	const double ratio = step_words_default(part, &how);

	if (!isfinite(ratio))
		return false;
	if (ratio < 1.0005)
		snprintf(text, size, "buckets of 25 MiB, a usual default, are as good as the best (%s)", how);
	else
		snprintf(text, size, "buckets of 25 MiB, a usual default, cost %s more time a step than the best (%s)",
			 human_percent(ratio - 1).text, how);
	return true;
}

static bool say_against(const struct step_part *part, char *text, size_t size)
{
	static const char *const others[] = { RESULT_FLAT, RESULT_NAIVE };
	int n = 0;

	for (size_t i = 0; i < sizeof others / sizeof *others && part->best; i++) {
		const struct step_line *line = step_find(part, others[i]);

		if (line)
			n += snprintf(text + n, size - (size_t)n, "%s%s takes %s, %s the best bucketed step", n > 0 ? "; " : "",
				      line->label, human_time(step_best(line)->time).text,
				      apart(step_best(line)->time / step_best(part->best)->time).text);
	}
	return n > 0;
}

/* The bucketed line by that word with the least time. */
static const struct step_line *find_mover(const struct step_part *part, const char *word)
{
	const struct step_line *found = NULL;

	for (size_t l = 0; l < part->nlines; l++) {
		const struct step_line *line = &part->lines[l];

		if (step_is_strategy(line, RESULT_BUCKETED) && strcmp(line->key->progress, word) == 0 &&
		    (!found || step_best(line)->time < step_best(found)->time))
			found = line;
	}
	return found;
}

static const char *const words[] = { RESULT_DEVICE, RESULT_POLLING, RESULT_THREAD, RESULT_NOBODY };

static bool say_movers(const struct step_part *part, char *text, size_t size)
{
	int n = snprintf(text, size, "best bucketed step by progress: ");
	size_t found = 0;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const struct step_line *line = find_mover(part, words[i]);

		if (line)
			n += snprintf(text + n, size - (size_t)n, "%s%s %s%s (overlap %s)", found++ > 0 ? ", " : "", words[i],
				      human_time(step_best(line)->time).text, at_cap(step_best(line)).text,
				      human_percent(step_best(line)->overlap).text);
	}
	return found > 1;
}

/* The column of two lines at the sizes that both have: the median of their ratios. NAN where they have none. */
static double ratio_of(const struct step_line *line, const struct step_line *base, double (*value)(const struct step_point *))
{
	double *ratios = malloc(line->npoints * sizeof *ratios), ratio = NAN;
	size_t n = 0;

	for (size_t i = 0, k = 0; ratios && i < line->npoints && k < base->npoints;) {
		const struct step_point *one = &line->points[i], *other = &base->points[k];

		if (one->cap == other->cap && value(one) > 0 && value(other) > 0)
			ratios[n++] = value(one) / value(other);
		i += one->cap <= other->cap;
		k += other->cap <= one->cap;
	}
	if (n > 0)
		ratio = step_median(ratios, n);
	free(ratios);
	return ratio;
}

static double compute_of(const struct step_point *point)
{
	return point->compute;
}

static double comm_of(const struct step_point *point)
{
	return point->comm;
}

/* Time of the steps / what the model says for their calls, the median over the sizes of buckets; NAN where there is no model. */
static double over_model(const struct step_part *part, const struct step_line *line)
{
	double *ratios = malloc(line->npoints * sizeof *ratios), ratio = NAN;
	size_t n = 0;

	for (size_t i = 0; ratios && i < line->npoints; i++) {
		const struct step_point *point = &line->points[i];
		const double time = point->calls == RESULT_NONE ? NAN : step_model_time(part, (double)point->calls);

		if (time > 0)
			ratios[n++] = point->time / time;
	}
	if (n > 0)
		ratio = step_median(ratios, n);
	free(ratios);
	return ratio;
}

/* Compute alone does not poll: what polling takes from compute and what it leaves undone is seen in the steps alone. */
static bool say_price(const struct step_part *part, char *text, size_t size)
{
	int n = snprintf(text, size, "what progress costs: against the model, where data moves by itself, bucketed steps take ");
	size_t found = 0;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const struct step_line *line = find_mover(part, words[i]);
		const double ratio = line ? over_model(part, line) : NAN;

		if (isfinite(ratio))
			n += snprintf(text + n, size - (size_t)n, "%s%s with progress %s", found++ > 0 ? ", " : "",
				      more(ratio).text, words[i]);
	}
	snprintf(text + n, size - (size_t)n, " (medians over the sizes of buckets)");
	return found > 0;
}

/* A library with a thread takes locks, and the thread a core. */
static bool say_thread(const struct step_part *part, char *text, size_t size)
{
	const struct step_line *thread = find_mover(part, RESULT_THREAD), *nobody = find_mover(part, RESULT_NOBODY);
	const struct step_line *base = nobody ? nobody : find_mover(part, RESULT_POLLING);
	double compute, comm;

	if (!thread || !base)
		return false;
	compute = ratio_of(thread, base, compute_of);
	comm = ratio_of(thread, base, comm_of);
	if (!isfinite(compute) || !isfinite(comm))
		return false;
	snprintf(text, size, "the progress thread costs: compute alone takes %s with progress %s, communication alone %s",
		 apart(compute).text, base->key->progress, more(comm).text);
	return true;
}

static bool say_nobody(const struct step_part *part, char *text, size_t size)
{
	for (size_t l = 0; l < part->nlines; l++) {
		if (!step_may_overlap(&part->lines[l]) || strcmp(part->lines[l].key->progress, RESULT_NOBODY))
			continue;
		snprintf(text, size, "%s", step_words_nobody);
		return true;
	}
	return false;
}

static bool say_turns(const struct step_part *part, char *text, size_t size)
{
	size_t rows = 0, turns = 0;

	for (size_t l = 0; l < part->nlines; l++) {
		rows += part->lines[l].taken;
		turns += part->lines[l].turns;
	}
	if (turns > 0)
		snprintf(text, size, "in %zu of %zu rows %s", turns, rows, step_words_turns);
	return turns > 0;
}

bool step_words(const struct step_part *part, size_t i, char *text, size_t size)
{
	static bool (*const sentences[STEP_SENTENCES])(const struct step_part *, char *,
						       size_t) = { say_what,    say_best,    say_model,  say_origin,
								   say_default, say_against, say_movers, say_price,
								   say_thread,  say_nobody,  say_turns };

	return sentences[i](part, text, size);
}

bool step_words_summary(const struct step_part *part, char *text, size_t size)
{
	const struct step_line *line = part->best ? part->best : part->nlines > 0 ? part->lines : NULL;
	const struct step_line *flat = step_find(part, RESULT_FLAT);
	int n;

	if (!line)
		return false;
	n = snprintf(text, size, "%s: %s%s", line->label, human_time(step_best(line)->time).text, at_cap(step_best(line)).text);
	if (isfinite(step_best(line)->overlap))
		n += snprintf(text + n, size - (size_t)n, ", overlap %s", human_percent(step_best(line)->overlap).text);
	if (flat && flat != line)
		n += snprintf(text + n, size - (size_t)n, "; flat %s", human_time(step_best(flat)->time).text);
	if (part->model.origin != STEP_NOTHING)
		snprintf(text + n, size - (size_t)n, "; predicted optimum %s", human_size(part->model.bytes).text);
	return true;
}
