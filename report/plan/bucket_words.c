/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plan says of buckets.
 */
#include <math.h>
#include <string.h>

#include "../human.h"
#include "words.h"

static struct plan_word time_of(const struct plan_bucket *bucket)
{
	return plan_word_marked(bucket->time, &bucket->marks);
}

static void say_number(double number, char *text, size_t size)
{
	const struct plan_word word = plan_word_number(number);

	plan_word_append(text, size, "%s bucket%s", word.text, strcmp(word.text, "1") == 0 ? "" : "s");
}

/* Sizes within 1 % of the best. */
static void say_range(const struct plan_buckets *buckets, char *text, size_t size)
{
	const bool at_least = buckets->measured && buckets->flat_least <= buckets->least,
		   at_most = buckets->measured && buckets->flat_most >= buckets->most && buckets->most < buckets->gradients;

	plan_word_append(text, size, "%s%s to %s%s", plan_word_bytes(buckets->flat_least).text,
			 at_least ? " (the smallest measured)" : "", plan_word_bytes(buckets->flat_most).text,
			 at_most ? " (the largest measured)" : "");
}

/* Larger ones do as well: then that with the most calls is no advice. */
static bool is_flat(const struct plan_buckets *buckets)
{
	return buckets->advised.bytes >= 2 * buckets->best.bytes;
}

static void say_advised(const struct plan_buckets *buckets, char *text, size_t size)
{
	plan_word_append(text, size, "Any buckets of ");
	say_range(buckets, text, size);
	plan_word_append(text, size, " do, within 1 %% of the best. The largest make the fewest calls: with ");
	say_number(buckets->advised.number, text, size);
	plan_word_append(text, size, " the last gradient is reduced %s after the backward pass of %s began. ",
			 time_of(&buckets->advised).text, plan_word_time(buckets->backward).text);
}

static void say_near(const struct plan_buckets *buckets, char *text, size_t size)
{
	plan_word_append(text, size, "the last gradient is reduced %s after the backward pass of %s began; ",
			 time_of(&buckets->best).text, plan_word_time(buckets->backward).text);
	if (strcmp(plan_word_bytes(buckets->flat_least).text, plan_word_bytes(buckets->flat_most).text) == 0) {
		plan_word_append(text, size, "other sizes that were measured take over 1 %% longer");
		return;
	}
	plan_word_append(text, size, "from ");
	say_range(buckets, text, size);
	plan_word_append(text, size, " it takes at most 1 %% longer");
}

static void say_beyond(const struct plan_buckets *buckets, char *text, size_t size)
{
	if (buckets->beyond_unknown)
		plan_word_append(text, size, " %s ones were not measured, and the fit does not tell what they take.",
				 buckets->best.bytes > buckets->least ? "Larger" : "Smaller");
	if (!isfinite(buckets->beyond.time))
		return;
	plan_word_append(text, size, " Outside of the measured sizes the fit has ");
	say_number(buckets->beyond.number, text, size);
	plan_word_append(text, size, " of %s take %s.", plan_word_bytes(buckets->beyond.bytes).text,
			 time_of(&buckets->beyond).text);
}

static void say_best(const struct plan_buckets *buckets, char *text, size_t size)
{
	const struct plan_bucket *best = &buckets->best;

	if (is_flat(buckets))
		say_advised(buckets, text, size);
	plan_word_append(text, size, "Best%s %s ", buckets->measured ? " among the measured sizes" : "",
			 strcmp(plan_word_number(best->number).text, "1") == 0 ? "is" : "are");
	say_number(best->number, text, size);
	plan_word_append(text, size, " of %s: ", plan_word_bytes(best->bytes).text);
	if (is_flat(buckets))
		plan_word_append(text, size, "%s", time_of(best).text);
	else
		say_near(buckets, text, size);
	plan_word_append(text, size, ".");
	say_beyond(buckets, text, size);
}

static void say_usual(const struct plan_buckets *buckets, char *text, size_t size)
{
	const struct plan_bucket *usual = &buckets->usual;
	const double more = usual->time / buckets->best.time - 1;

	plan_word_append(text, size, " The default of 25 MiB makes ");
	say_number(usual->number, text, size);
	plan_word_append(text, size, ": the last gradient is reduced %s after the backward pass began", time_of(usual).text);
	if (isfinite(more) && fabs(more) < 1e-6)
		plan_word_append(text, size, ", no later than with the best");
	else if (isfinite(more))
		plan_word_append(text, size, ", %s %s than with the best", plan_word_percent(fabs(more)).text,
				 more < 0 ? "earlier" : "later");
	plan_word_append(text, size, ".");
}

static void say_tensors(const struct plan_buckets *buckets, char *text, size_t size)
{
	if (isfinite(buckets->tensor_time))
		plan_word_append(text, size,
				 " Tensors are not cut: with this model's own it makes %zu call%s, and the last gradient is "
				 "reduced after %s.",
				 buckets->tensor_calls, buckets->tensor_calls == 1 ? "" : "s",
				 plan_word_marked(buckets->tensor_time, &buckets->tensor_marks).text);
}

static bool is_usual(const struct plan_buckets *buckets)
{
	return !(buckets->asked.bytes < buckets->usual.bytes) && !(buckets->asked.bytes > buckets->usual.bytes);
}

/* With DDP's own calls; NAN where that is no other time. */
static double real_time(const struct plan *plan)
{
	const struct plan_strategy *ddp = &plan->strategies[PLAN_DDP];
	const double real = plan->buckets.backward + ddp->exposed_overlapped;

	return ddp->ncalls < 2 || strcmp(plan_word_time(real).text, plan_word_time(plan->buckets.asked.time).text) == 0 ? NAN
															: real;
}

/* T(k) is of equal buckets; the strategy's row has whole ones and a smaller one. */
static void say_asked(const struct plan *plan, char *text, size_t size)
{
	const struct plan_buckets *buckets = &plan->buckets;
	const struct plan_strategy *ddp = &plan->strategies[PLAN_DDP];
	const double real = real_time(plan);

	if (!is_usual(buckets))
		plan_word_append(text, size, " With --bucket %s it is reduced after %s.", human_size(buckets->asked.bytes).text,
				 time_of(&buckets->asked).text);
	if (isnan(real))
		return;
	plan_word_append(text, size,
			 " These are equal buckets; with DDP's calls above, %s and a smaller one, it is reduced after %s.",
			 plan_word_number(ddp->calls[0].number).text, plan_word_marked(real, &ddp->marks).text);
}

struct plan_marks plan_buckets_marks(const struct plan *plan)
{
	const struct plan_buckets *buckets = &plan->buckets;
	const bool is_best = isfinite(buckets->best.time);
	struct plan_marks marks = buckets->usual.marks;

	if (!buckets->known)
		return marks;
	if (is_best)
		plan_marks_join(&marks, &buckets->best.marks);
	if (is_best && is_flat(buckets))
		plan_marks_join(&marks, &buckets->advised.marks);
	if (is_best && isfinite(buckets->beyond.time))
		plan_marks_join(&marks, &buckets->beyond.marks);
	if (isfinite(buckets->tensor_time))
		plan_marks_join(&marks, &buckets->tensor_marks);
	if (!is_usual(buckets))
		plan_marks_join(&marks, &buckets->asked.marks);
	if (isfinite(real_time(plan)))
		plan_marks_join(&marks, &plan->strategies[PLAN_DDP].marks);
	return marks;
}

void plan_buckets_sentence(const struct plan *plan, char *sentence, size_t size)
{
	const struct plan_buckets *buckets = &plan->buckets;
	const struct plan_marks marks = plan_buckets_marks(plan);

	sentence[0] = '\0';
	if (!buckets->known) {
		if (buckets->missing[0])
			plan_word_append(sentence, size, "The best bucket size is not known without %s.", buckets->missing);
		return;
	}
	if (buckets->no_latency)
		plan_word_append(
			sentence, size,
			"Calls without latency cost the same in any number, so there is no best bucket size: --alpha would "
			"tell one; the backward pass takes %s.",
			plan_word_time(buckets->backward).text);
	else if (isfinite(buckets->best.time))
		say_best(buckets, sentence, size);
	else
		plan_word_append(sentence, size,
				 "The best bucket size is not known: too few of the sizes that these gradients' "
				 "buckets may have were measured.");
	say_usual(buckets, sentence, size);
	say_tensors(buckets, sentence, size);
	say_asked(plan, sentence, size);
	sentence[strlen(sentence) - 1] = '\0';
	plan_word_marks(&marks, sentence, size);
	plan_word_append(sentence, size, ".");
}
