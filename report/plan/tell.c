/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan as tables and sentences.
 */
#include "tell.h"

#include <math.h>
#include <string.h>

#include "../human.h"
#include "layout.h"
#include "words.h"

enum { LINE = 2400, SHOWN_SPLITS = 12 };

static void put(char *cell, const char *text)
{
	snprintf(cell, PAGE_CELL, "%s", text);
}

static void tell_job(const struct plan_page *page, const struct plan *plan)
{
	const struct plan_job *job = &plan->job;
	char line[LINE];

	snprintf(line, sizeof line, "model: %.200s%s%.300s, %s parameters", plan->model_name,
		 plan->model_source[0] ? ", of " : "", plan->model_source,
		 job->params > 0 ? plan_word_number(job->params).text : "an unknown number of");
	plan_page_line(page, line);
	snprintf(line, sizeof line,
		 "job: %d rank%s, %s token%s a rank and step, %s bytes an element, %s FLOP/s reached by a rank", job->np,
		 job->np == 1 ? "" : "s", job->tokens > 0 ? plan_word_number(job->tokens).text : "unknown",
		 job->tokens > 1 || !(job->tokens > 0) ? "s" : "", plan_word_number(job->element_bytes).text,
		 job->flops > 0 ? plan_word_number(job->flops).text : "unknown");
	plan_page_line(page, line);
	memcpy(line, "network: ", sizeof "network: ");
	plan_network_sentence(plan, line + strlen(line), sizeof line - strlen(line));
	plan_page_line(page, line);
	if (!isfinite(job->compute))
		return;
	snprintf(line, sizeof line, "compute of a step: %s, of it %s forward and %s backward", plan_word_time(job->compute).text,
		 plan_word_time(job->compute / 3).text, plan_word_time(job->compute * 2 / 3).text);
	plan_page_line(page, line);
}

static struct plan_word break_even_word(double tokens)
{
	struct plan_word word = { "any" };

	if (isinf(tokens))
		snprintf(word.text, sizeof word.text, "never");
	else if (!(tokens == 0))
		word = plan_word_number(tokens);
	return word;
}

static struct plan_word marked(const struct plan_strategy *strategy, double seconds)
{
	return plan_word_marked(seconds, &strategy->marks);
}

static void fill_strategy_row(const struct plan_strategy *strategy, char (*row)[PAGE_CELL])
{
	const bool split = strategy->kind == PLAN_MIXED && strategy->ncalls > 0;

	snprintf(row[0], PAGE_CELL, split ? "%s %dx%d" : "%s", plan_kind_name(strategy->kind), strategy->nf, strategy->nt);
	put(row[1], plan_word_bytes(strategy->sent).text);
	put(row[2], marked(strategy, strategy->communication).text);
	put(row[3], plan_word_percent(strategy->ratio).text);
	put(row[4], marked(strategy, strategy->exposed).text);
	put(row[5], marked(strategy, strategy->exposed_overlapped).text);
	put(row[6], plan_word_bytes(strategy->memory).text);
	put(row[7], plan_word_signs(break_even_word(strategy->break_even), &strategy->break_even_marks).text);
	put(row[8], plan_word_signs(plan_word_number(strategy->most_ranks), &strategy->most_marks).text);
}

static int tell_strategies(const struct plan_page *page, const struct plan *plan)
{
	static const char *const head[] = { "strategy",   "sent a rank", "communication", "of compute", "exposed",
					    "overlapped", "memory",      "break-even",    "most ranks", NULL };
	struct plan_table table;

	plan_page_heading(page, "Strategies, a step");
	plan_table_begin(&table, head);
	for (int kind = 0; kind < PLAN_KINDS; kind++) {
		char(*row)[PAGE_CELL] = plan_table_row(&table);

		if (row)
			fill_strategy_row(&plan->strategies[kind], row);
	}
	return plan_table_end(page, &table, PAGE_MOST_COLUMNS);
}

/* Each reason once. */
static void tell_most_errors(const struct plan_page *page, const struct plan *plan)
{
	char line[LINE];

	for (int kind = 0; kind < PLAN_KINDS; kind++) {
		const char *error = plan->strategies[kind].most_error;
		int first = 0;

		while (error && plan->strategies[first].most_error != error)
			first++;
		if (!error || first < kind)
			continue;
		snprintf(line, sizeof line, "most ranks not told (-): %s", error);
		plan_page_item(page, line);
	}
}

static void tell_most(const struct plan_page *page, const struct plan *plan)
{
	char line[LINE] =
		"most ranks: with this step's tokens spread over more, communication takes longer than the compute beside it: "
		"that of the forward or of the backward pass, whichever is short first";
	bool marked = false;

	for (int kind = 0; kind < PLAN_KINDS; kind++)
		marked |= plan->strategies[kind].most_marks.stand_in;
	if (plan->network->rows)
		plan_word_append(line, sizeof line, "; by the rows of the calls below, for FSDP x TP of similar splits");
	if (marked)
		plan_word_append(line, sizeof line, " (!: also where so many ranks lie on other nodes than these rows)");
	plan_page_item(page, line);
	tell_most_errors(page, plan);
}

/* With many splits, those around the best. */
static size_t first_split(const struct plan *plan)
{
	size_t at = 0;

	for (size_t i = 0; i < plan->nsplits; i++)
		at = plan->splits[i].nt == plan->strategies[PLAN_MIXED].nt ? i : at;
	return plan->nsplits > SHOWN_SPLITS && at > SHOWN_SPLITS / 2 ? at - SHOWN_SPLITS / 2 : 0;
}

static size_t last_split(const struct plan *plan)
{
	const size_t last = first_split(plan) + SHOWN_SPLITS;

	return last < plan->nsplits ? last : plan->nsplits;
}

/* Of figures that are told. */
static struct plan_marks marks_of(const struct plan *plan)
{
	struct plan_marks marks = plan_buckets_marks(plan);

	for (int kind = 0; kind < PLAN_KINDS; kind++) {
		const struct plan_strategy *strategy = &plan->strategies[kind];

		plan_marks_join(&marks, &strategy->marks);
		plan_marks_join(&marks, &strategy->break_even_marks);
		plan_marks_join(&marks, &strategy->most_marks);
	}
	for (size_t i = first_split(plan); i < last_split(plan); i++)
		plan_marks_join(&marks, &plan->splits[i].marks);
	if (plan->nsplits > 0)
		plan_marks_join(&marks, &plan->splits[plan->least_split].marks);
	return marks;
}

/* Whether a remark says which rows stand in: of numbers of ranks beyond the job none does. */
static bool has_remark(const struct plan *plan)
{
	for (size_t i = 0; i < plan->network->ntimers; i++) {
		const struct plan_timer *timer = plan->network->timers[i];

		if (timer->stand_in && timer->remark[0])
			return true;
	}
	return false;
}

static void tell_stand_in(const struct plan_page *page, const struct plan *plan)
{
	if (plan->network->gpus_per_node == 0)
		plan_page_item(page, "! rows of one node stand in for more ranks than any of them has: between nodes it may "
				     "take far longer (--gpus-per-node says which calls go there)");
	else if (has_remark(plan))
		plan_page_item(page, "! rows of other nodes stand in, or rows without the calls beside them: see the remarks");
	else
		plan_page_item(page, "! rows of other nodes stand in: so many ranks lie on more or fewer nodes than those");
}

static void tell_marks(const struct plan_page *page, const struct plan *plan)
{
	const struct plan_marks marks = marks_of(plan);

	if (page->markdown)
		fputc('\n', page->out);
	plan_page_item(
		page,
		"exposed: what a step waits for the network without overlap; overlapped: what compute cannot hide, at best");
	plan_page_item(page, "memory: weights, gradients and optimizer state of a rank");
	plan_page_item(
		page,
		"break-even: tokens a rank at which communication takes as long as compute; any: at any number it takes less; "
		"never: at any number it takes longer; of FSDP x TP by the split named");
	tell_most(page, plan);
	if (marks.extrapolated)
		plan_page_item(page, "~ some calls are smaller or larger than all that were measured: their times go on from the "
				     "outermost one by the fit");
	if (marks.scaled)
		plan_page_item(page, "* measured with another number of ranks, scaled by the alpha-beta model");
	if (marks.guess)
		plan_page_item(
			page,
			"? the fit does not tell what these sizes need: at most the time of the smallest measured one, or in "
			"proportion to that of the largest");
	if (marks.stand_in)
		tell_stand_in(page, plan);
}

static void fill_call_row(const struct plan_strategy *strategy, const struct plan_calls *calls, char (*row)[PAGE_CELL])
{
	const bool known = calls->timer->known;

	put(row[0], plan_kind_name(strategy->kind));
	put(row[1], plan_word_number(calls->number).text);
	put(row[2], human_size(calls->bytes).text);
	put(row[3], plan_word_number(calls->timer->members.nranks).text);
	put(row[4], plan_word_time(known ? calls->one.seconds : NAN).text);
	put(row[5], plan_word_time(known ? calls->number * calls->one.seconds : NAN).text);
	snprintf(row[6], PAGE_CELL, "%s of %s", calls->timer->coll->name, calls->what);
	plan_timer_rows(calls->timer, &calls->one, row[7], PAGE_CELL);
}

static int tell_calls(const struct plan_page *page, const struct plan *plan)
{
	static const char *const head[] = { "strategy", "calls",     "size",     "ranks", "time of one",
					    "of all",   "primitive", "read off", NULL };
	struct plan_table table;
	bool some = false;

	for (int kind = 0; kind < PLAN_KINDS; kind++)
		some |= plan->strategies[kind].ncalls > 0;
	if (!some)
		return 0;
	plan_page_heading(page, "Calls");
	plan_table_begin(&table, head);
	for (int kind = 0; kind < PLAN_KINDS; kind++) {
		const struct plan_strategy *strategy = &plan->strategies[kind];

		for (size_t i = 0; i < strategy->ncalls; i++) {
			char(*row)[PAGE_CELL] = plan_table_row(&table);

			if (row)
				fill_call_row(strategy, &strategy->calls[i], row);
		}
	}
	return plan_table_end(page, &table, 6);
}

static void tell_sentences(const struct plan_page *page, const struct plan *plan)
{
	char line[LINE];

	plan_page_heading(page, "In words");
	for (int kind = 0; kind < PLAN_KINDS; kind++) {
		plan_sentence(plan, &plan->strategies[kind], line, sizeof line);
		plan_page_item(page, line);
	}
	plan_advice(plan, line, sizeof line);
	if (line[0])
		plan_page_item(page, line);
	plan_buckets_sentence(plan, line, sizeof line);
	if (line[0]) {
		plan_page_heading(page, "Buckets of gradients (DDP)");
		plan_page_item(page, line);
	}
}

static void fill_split_row(const struct plan_strategy *split, char (*row)[PAGE_CELL])
{
	snprintf(row[0], PAGE_CELL, "%d x %d", split->nf, split->nt);
	put(row[1], plan_word_bytes(split->sent).text);
	put(row[2], marked(split, split->communication).text);
	put(row[3], plan_word_percent(split->ratio).text);
	put(row[4], marked(split, split->exposed_overlapped).text);
}

static int tell_splits(const struct plan_page *page, const struct plan *plan)
{
	static const char *const head[] = { "FSDP x TP", "sent a rank", "communication", "of compute", "overlapped", NULL };
	struct plan_table table;
	char line[LINE];

	if (plan->nsplits == 0)
		return 0;
	plan_page_heading(page, "Splits of FSDP x TP");
	plan_table_begin(&table, head);
	for (size_t i = first_split(plan); i < last_split(plan); i++) {
		char(*row)[PAGE_CELL] = plan_table_row(&table);

		if (row)
			fill_split_row(&plan->splits[i], row);
	}
	if (plan_table_end(page, &table, PAGE_MOST_COLUMNS))
		return -1;
	plan_splits_sentence(plan, line, sizeof line);
	if (!line[0])
		return 0;
	if (page->markdown)
		fputc('\n', page->out);
	plan_page_item(page, line);
	return 0;
}

static void tell_block(const struct plan_page *page, const struct plan *plan)
{
	const struct plan_block *block = &plan->block;
	const struct train_limits *limits = &block->limits;
	const struct train_shape *shape = &plan->job.shape;
	char line[LINE];

	if (!block->known)
		return;
	plan_page_heading(page, "A feed-forward block by itself");
	snprintf(line, sizeof line, "%s x %s, %s matrices%s, ", plan_word_number((double)shape->hidden).text,
		 plan_word_number((double)shape->ffn).text, shape->gated ? "three" : "two",
		 shape->gated ? "" : " (counted as two thirds as wide with three)");
	snprintf(line + strlen(line), sizeof line - strlen(line),
		 "%s token%s over all ranks, %s one way%s: communication takes as long as compute at %s ranks of DP or FSDP, %s "
		 "of TP "
		 "forward (%s backward), %s of FSDP x TP with both overlapped",
		 plan_word_number(block->tokens).text, block->tokens > 1 ? "s" : "", human_rate(block->bandwidth).text,
		 block->levels ? " (what large all-reduces inside nodes and then through their NICs reach)" : "",
		 plan_word_fixed(limits->fsdp, 2).text, plan_word_fixed(limits->tp_forward, 3).text,
		 plan_word_fixed(limits->tp_backward, 3).text, plan_word_fixed(limits->both, 2).text);
	plan_page_item(page, line);
	snprintf(line, sizeof line, "without overlap the best split of FSDP x TP is %s x %s, %s ranks",
		 plan_word_fixed(limits->nf, 2).text, plan_word_fixed(limits->nt, 4).text,
		 plan_word_fixed(limits->both_serial, 2).text);
	plan_page_item(page, line);
}

struct remarks {
	const struct plan_page *page;
	size_t count;
};

static void tell_remark(void *context, const char *remark)
{
	struct remarks *remarks = context;

	if (remarks->count++ == 0)
		plan_page_heading(remarks->page, "Remarks");
	plan_page_item(remarks->page, remark);
}

static void tell_remarks(const struct plan_page *page, const struct plan *plan)
{
	struct remarks remarks = { page, 0 };
	char line[LINE];

	if (plan->model_note[0])
		tell_remark(&remarks, plan->model_note);
	if (plan->model_remark[0])
		tell_remark(&remarks, plan->model_remark);
	if (isfinite(plan->activations_flash)) {
		snprintf(line, sizeof line,
			 "Activations of a rank's tokens without recomputation are not in the memory: %s%s%s%s",
			 plan_word_bytes(plan->activations_flash).text,
			 isfinite(plan->activations) ? "; with attention matrices kept " : "",
			 isfinite(plan->activations) ? plan_word_bytes(plan->activations).text : "", ".");
		tell_remark(&remarks, line);
	}
	plan_each_remark(plan, tell_remark, &remarks);
}

int plan_tell(FILE *out, const struct plan *plan, bool markdown)
{
	const struct plan_page page = { out, markdown };

	if (markdown)
		fputs("## Will training wait for the network\n\n", out);
	tell_job(&page, plan);
	if (tell_strategies(&page, plan))
		return -1;
	tell_marks(&page, plan);
	if (tell_calls(&page, plan))
		return -1;
	tell_sentences(&page, plan);
	if (tell_splits(&page, plan))
		return -1;
	tell_block(&page, plan);
	tell_remarks(&page, plan);
	return 0;
}
