/* SPDX-License-Identifier: Apache-2.0
 *
 * Sentences on training steps.
 */
#include "step_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "step_words_parts.h"

const double step_words_same = 0.02;
const double step_words_little = 0.1;

const char step_words_turns[] =
	"ranks took turns on cores or on a GPU: what computes keeps others from sending, so these steps say nothing of overlap";
const char step_words_nobody[] =
	"with progress none nobody moves data before the wait at the end, so an overlap near 0 is expected there: it shows what "
	"polling, a progress thread or a device's own stream is for";

struct human step_words_more(double ratio)
{
	struct human text;

	if (fabs(ratio - 1) < 0.0005)
		return (struct human){ "as much" };
	snprintf(text.text, sizeof text.text, "%.40s %s", human_percent(fabs(ratio - 1)).text, ratio > 1 ? "more" : "less");
	return text;
}

struct human step_words_apart(double ratio)
{
	struct human text;

	snprintf(text.text, sizeof text.text, "%.50s %s", step_words_more(ratio).text, fabs(ratio - 1) < 0.0005 ? "as" : "than");
	return text;
}

struct human step_words_beside(const struct step_point *point, const struct step_point *than)
{
	struct human text = { "" };

	if (step_compute_contradicts(point, than))
		snprintf(text.text, sizeof text.text, "compute alone took %.20s beside it",
			 step_words_more(point->compute / than->compute).text);
	return text;
}

struct human step_words_by(const struct step_point *point, const struct step_point *than)
{
	struct human text = { "" };

	if (step_compute_contradicts(point, than))
		snprintf(text.text, sizeof text.text, " by step / compute alone, which took %.16s there",
			 step_words_more(point->compute / than->compute).text);
	return text;
}

struct human step_words_at_cap(const struct step_point *point)
{
	struct human text = { "" };

	if (point->cap != RESULT_NONE)
		snprintf(text.text, sizeof text.text, " at %.50s", human_size((double)point->cap).text);
	return text;
}

struct human step_words_range(const struct step_point *point)
{
	struct human text = human_percent(point->overlap);
	const size_t length = strlen(text.text);

	if (point->overlap_low < point->overlap_high)
		snprintf(text.text + length, sizeof text.text - length, " [%.15s to %.15s]",
			 human_percent(point->overlap_low).text, human_percent(point->overlap_high).text);
	return text;
}

struct human step_words_overlap(const struct step_point *point)
{
	struct human text = { "" };

	if (isfinite(point->overlap))
		snprintf(text.text, sizeof text.text, "overlap %.50s",
			 point->overlap > 0 ? step_words_range(point).text : "none");
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

static double base_of(const struct step_line *line)
{
	return isfinite(step_best(line)->asked) ? step_best(line)->asked : step_best(line)->compute;
}

enum { MOST_MIXED = 6 };

static bool say_mixed(const struct step_part *part, char *text, size_t size)
{
	double low = NAN, high = NAN;
	size_t told = 0;
	int n;

	for (size_t l = 0; l < part->nlines; l++) {
		low = fmin(low, base_of(&part->lines[l]));
		high = fmax(high, base_of(&part->lines[l]));
	}
	n = snprintf(
		text, size,
		"steps are of different compute (%s to %s), so they are compared by step / compute alone, and longer compute "
		"hides more; --compute-ms makes it the same in all launches",
		human_time(low).text, human_time(high).text);
	for (size_t l = 0; l < part->nlines && told < MOST_MIXED && (size_t)n + 200 < size; l++)
		if (step_is_strategy(&part->lines[l], RESULT_BUCKETED) && part->lines[l].npoints > 0)
			n += snprintf(text + n, size - (size_t)n, "%s%s times %s",
				      told++ == 0 ? ". The best bucketed steps take " : ", ",
				      human_ratio(step_over_compute(step_best(&part->lines[l]))).text,
				      human_time(step_best(&part->lines[l])->compute).text);
	return part->mixed;
}

static void put_cost(const struct step_point *point, const struct step_point *best, char *text, size_t size)
{
	if (point == best)
		snprintf(text, size, "are the best");
	else if (step_is_slower(point, best))
		snprintf(text, size, "cost %s more time a step than the best%s", human_percent(step_ratio(point, best) - 1).text,
			 step_words_by(point, best).text);
	else
		snprintf(text, size, "are not clearly slower than the best");
}

/* Where sizes to either side were measured: tensors are not cut, so that nothing tells what a size between them makes. */
static bool put_beside(const struct step_line *line, char *text, size_t size)
{
	const struct step_point *low = NULL, *high = NULL;
	char first[192], second[192];

	for (size_t i = 0; i < line->npoints && !high; i++) {
		const struct step_point *point = &line->points[i];

		low = point->cap > 0 && point->cap <= STEP_DEFAULT_CAP ? point : low;
		high = point->cap >= STEP_DEFAULT_CAP ? point : NULL;
	}
	if (!low || !high)
		return false;
	put_cost(low, step_best(line), first, sizeof first);
	put_cost(high, step_best(line), second, sizeof second);
	if (low == high)
		snprintf(text, size, "buckets of 25 MiB, a usual default, %s (measured)", first);
	else
		snprintf(text, size,
			 "buckets of 25 MiB, a usual default, were not measured: those of %s %s, those of %s %s; as tensors are "
			 "not cut, they may take more or less than either",
			 human_size((double)low->cap).text, first, human_size((double)high->cap).text, second);
	return true;
}

static bool say_default(const struct step_part *part, char *text, size_t size)
{
	double ratio;

	if (!part->best)
		return false;
	if (put_beside(part->best, text, size))
		return true;
	ratio = step_model_at(part, STEP_DEFAULT_CAP) / part->model.time;
	if (ratio > 1 + fmax(step_words_same, part->model.residual))
		snprintf(text, size,
			 "buckets of 25 MiB, a usual default, cost about %s more time a step than the predicted optimum (by the "
			 "model of equal buckets)",
			 human_percent(ratio - 1).text);
	else
		snprintf(text, size,
			 "buckets of 25 MiB, a usual default, are not clearly slower than the predicted optimum (by the model of "
			 "equal buckets)");
	return isfinite(ratio);
}

/* A line without buckets against the best bucketed step. */
static int put_against(const struct step_part *part, const struct step_line *line, char *text, size_t size)
{
	const struct step_point *own = step_best(line), *best = step_best(part->best);
	const struct human beside = step_words_beside(own, best);

	if (!step_same_compute(line, part->best))
		return snprintf(text, size, "%s takes %s times its compute, the best bucketed step %s times", line->label,
				human_ratio(step_over_compute(own)).text, human_ratio(step_over_compute(best)).text);
	if (!step_is_slower(own, best) && !step_is_slower(best, own))
		return snprintf(text, size, "%s takes %s, which is not clearly apart from the best bucketed step%s%s",
				line->label, human_time(own->time).text, *beside.text ? ": " : "", beside.text);
	return snprintf(text, size, "%s takes %s, %s the best bucketed step%s", line->label, human_time(own->time).text,
			step_words_apart(step_ratio(own, best)).text, step_words_by(own, best).text);
}

static bool say_against(const struct step_part *part, char *text, size_t size)
{
	static const char *const others[] = { RESULT_FLAT, RESULT_NAIVE };
	int n = 0;

	for (size_t i = 0; i < sizeof others / sizeof *others && part->best; i++) {
		const struct step_line *line = step_find_beside(part, others[i], part->best);

		line = line ? line : step_find(part, others[i]);
		if (!line)
			continue;
		n += snprintf(text + n, size - (size_t)n, "%s", n > 0 ? "; " : "");
		n += put_against(part, line, text + n, size - (size_t)n);
	}
	return n > 0;
}

static bool say_nobody(const struct step_part *part, char *text, size_t size)
{
	for (size_t l = 0; l < part->nlines; l++) {
		if (!(step_best(&part->lines[l])->overlap < step_words_little) || !step_may_overlap(&part->lines[l]) ||
		    strcmp(part->lines[l].key->progress, RESULT_NOBODY))
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
	static bool (*const sentences[STEP_SENTENCES])(const struct step_part *, char *, size_t) = {
		say_what,         step_words_wrong,  say_mixed,         step_words_best, say_turns,
		step_words_model, step_words_origin, say_default,       say_against,     step_words_movers,
		step_words_price, step_words_asked,  step_words_thread, say_nobody
	};

	return sentences[i](part, text, size);
}

bool step_words_summary(const struct step_part *part, char *text, size_t size)
{
	const struct step_line *line = part->best ? part->best : step_words_fastest(part);
	const struct step_line *flat;
	int n;

	if (!line)
		return step_words_wrong(part, text, size);
	flat = step_find_beside(part, RESULT_FLAT, line);
	n = snprintf(text, size, "%s: %s%s", line->label, human_time(step_best(line)->time).text,
		     step_words_at_cap(step_best(line)).text);
	if (isfinite(step_best(line)->overlap))
		n += snprintf(text + n, size - (size_t)n, ", %s", step_words_overlap(step_best(line)).text);
	if (flat && flat != line) {
		const struct human beside = step_words_beside(step_best(flat), step_best(line));

		n += snprintf(text + n, size - (size_t)n, *beside.text ? "; flat %s (%s)" : "; flat %s",
			      human_time(step_best(flat)->time).text, beside.text);
	}
	if (part->model.origin != STEP_NOTHING)
		snprintf(text + n, size - (size_t)n, "; predicted optimum %s", step_words_cap(&part->model).text);
	return true;
}
