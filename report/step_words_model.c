/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said of the model of bucketed steps: its optimum, and what it is made of.
 */
#include <math.h>

#include "step_words_parts.h"

static const char model_text[] = "T(k) = max(Tb + a + b G / k, Tb / k + k a + b G)";

/* Over this a line does not describe the times. */
static const double poor = 0.1;

static bool is_measured(const struct step_point *point, double model)
{
	return (point->low <= model && point->high >= model) || fabs(point->time / model - 1) <= step_words_same;
}

struct human step_words_cap(const struct step_model *model)
{
	struct human text;

	if (!model->under || model->under == model->over)
		return human_size(isfinite(model->cap) ? model->cap : model->bytes);
	snprintf(text.text, sizeof text.text, "%.28s to %.28s", human_size((double)model->under->cap).text,
		 human_size((double)model->over->cap).text);
	return text;
}

/* "a cap between 4 MiB (121 calls) and 8 MiB (49)" */
static int put_cap(const struct step_model *model, char *text, size_t size)
{
	const struct step_point *under = model->under, *over = model->over;

	if (under && under != over)
		return snprintf(text, size, "a cap between %s (%lld calls) and %s (%lld)", human_size((double)under->cap).text,
				(long long)under->calls, human_size((double)over->cap).text, (long long)over->calls);
	if (under)
		return snprintf(text, size, "a cap of %s", human_size((double)under->cap).text);
	if (isfinite(model->cap))
		return snprintf(text, size, "a cap of about %s", human_size(model->cap).text);
	return snprintf(text, size, "more than any cap measured here makes");
}

/* "3 buckets of 12.7 MiB (k* = 3.32; a cap of 16 MiB)" */
static int put_optimum(const struct step_part *part, char *text, size_t size)
{
	const struct step_model *model = &part->model;
	const bool beside = fabs(model->exact - model->calls) > 0.005;
	const bool far = model->under != model->over || !(fabs(model->cap / model->bytes - 1) <= 0.02);
	int n = snprintf(text, size, "predicted optimum: %.9g bucket%s of %s%s", model->calls, model->calls < 1.5 ? "" : "s",
			 human_size(model->bytes).text,
			 part->key->tensors > 1 && model->calls >= (double)part->key->tensors ? ", one a tensor" : "");

	if (beside || far)
		n += snprintf(text + n, size - (size_t)n, " (");
	if (beside)
		n += snprintf(text + n, size - (size_t)n, "k* = %.4g%s", model->exact, far ? "; " : "");
	if (far)
		n += put_cap(model, text + n, size - (size_t)n);
	if (beside || far)
		n += snprintf(text + n, size - (size_t)n, ")");
	return n + snprintf(text + n, size - (size_t)n, ", %s a step, if data moves while ranks compute",
			    human_time(model->time).text);
}

bool step_words_model(const struct step_part *part, char *text, size_t size)
{
	const struct step_model *model = &part->model;
	const struct step_point *best = part->best ? step_best(part->best) : NULL;
	double there;
	int n;

	if (!best)
		return false;
	if (model->origin == STEP_NOTHING) {
		n = snprintf(text, size, "predicted optimum: none, as %s", model->why);
		if (model->refused)
			snprintf(text + n, size - (size_t)n,
				 "; the line through the all_reduce rows in %.300s is no help: it says %s of it",
				 model->refused->source, step_words_more(model->off).text);
		else if (part->key->nranks > 1)
			snprintf(text + n, size - (size_t)n, "; all_reduce rows of the same ranks in this report would tell it");
		return true;
	}
	there = step_model_of(part, part->best, best);
	n = put_optimum(part, text, size);
	if (model->residual > poor)
		n += snprintf(text + n, size - (size_t)n, ". It rests on a poor fit: a and b are %s off the times they are of",
			      human_percent(model->residual).text);
	if (isfinite(there) && is_measured(best, there))
		snprintf(text + n, size - (size_t)n, "; for the measured optimum's %lld calls the model says %s, as measured",
			 (long long)best->calls, human_time(there).text);
	else if (isfinite(there))
		snprintf(text + n, size - (size_t)n,
			 "; for the measured optimum's %lld calls the model says %s, and it took %s that", (long long)best->calls,
			 human_time(there).text, step_words_apart(best->time / there).text);
	return true;
}

static int put_source(const struct step_model *model, char *text, size_t size)
{
	if (model->origin == STEP_SWEEP)
		return snprintf(text, size, "of the line through the all_reduce rows in %.300s%s", model->sweep->source,
				model->checked ? "" : ", which no communication alone of the steps bears out");
	if (model->refused)
		return snprintf(
			text, size,
			"fitted from the steps' communication alone (calls * a + b * G), as the line through the all_reduce "
			"rows in %.300s says %s of it",
			model->refused->source, step_words_more(model->off).text);
	return snprintf(text, size,
			"fitted from the steps' communication alone (calls * a + b * G), as no all_reduce rows of these ranks, "
			"type and network are in this report");
}

bool step_words_origin(const struct step_part *part, char *text, size_t size)
{
	const struct step_model *model = &part->model;
	int n;

	if (model->origin == STEP_NOTHING)
		return false;
	n = snprintf(text, size, "the model: %s with Tb = %s, G = %s, and a = %s and 1/b = %s ", model_text,
		     human_time(model->buckets.backward).text, human_size(model->buckets.bytes).text,
		     human_time(model->buckets.a).text, human_rate(1 / model->buckets.b).text);
	n += put_source(model, text + n, size - (size_t)n);
	snprintf(text + n, size - (size_t)n,
		 ". It supposes k equal buckets; real ones are of whole tensors, and the largest tensor is a bucket at least");
	return true;
}
