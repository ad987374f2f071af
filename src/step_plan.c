/* SPDX-License-Identifier: Apache-2.0
 *
 * From gradients and a strategy to a list of acts. A bucket closes when the next gradient would take it over its cap, as train_buckets_replay has it; a layer
 * is a run of gradients that holds about one share of all elements.
 */
#include "step.h"

#include <math.h>
#include <stdlib.h>

const char *const step_strategy_names[STEP_STRATEGIES + 1] = { "naive", "flat", "bucketed", "zero", "fsdp", NULL };
const char *const step_progress_names[] = { "polling", "thread", "none", NULL };

static bool has_buckets(enum step_strategy strategy)
{
	return strategy == STEP_BUCKETED || strategy == STEP_ZERO;
}

size_t step_rows(const struct step_options *options)
{
	size_t rows = 0;

	for (size_t i = 0; i < options->nstrategies; i++)
		rows += has_buckets(options->strategies[i]) ? options->ncaps : 1;
	return rows;
}

struct step_row step_row(const struct step_options *options, size_t i)
{
	size_t at = 0;

	while (i >= (has_buckets(options->strategies[at]) ? options->ncaps : 1))
		i -= has_buckets(options->strategies[at++]) ? options->ncaps : 1;
	return (struct step_row){ options->strategies[at], has_buckets(options->strategies[at]) ? options->caps[i] : 0 };
}

/* What a plan is made from. */
struct maker {
	struct step_plan *plan;
	const struct step_gradients *gradients;
	size_t *ends;  /* [unit] the gradient behind its last */
	size_t *first; /* [unit] element of the buffer */
	size_t *begin; /* [unit] element of the gradients */
	size_t *sizes; /* [unit] elements, filled up */
	size_t *last;  /* [unit] number of the last call on it */
};

static void cut_by_cap(struct maker *maker, double most)
{
	double held = 0;

	for (size_t i = 0; i < maker->gradients->count; i++) {
		const double own = (double)maker->gradients->elements[i];

		if (held > 0 && held + own > most) {
			maker->ends[maker->plan->units++] = i;
			held = 0;
		}
		held += own;
	}
	maker->ends[maker->plan->units++] = maker->gradients->count;
}

/* A gradient belongs to the layer in whose share its middle lies. */
static void cut_by_layers(struct maker *maker)
{
	const struct step_gradients *gradients = maker->gradients;
	const double layers = gradients->layers > 0 ? (double)gradients->layers : (double)gradients->count;
	double before = 0, layer = 0;

	for (size_t i = 0; i < gradients->count; i++) {
		const double own = (double)gradients->elements[i];
		const double its = gradients->layers > 0 ? floor((before + own / 2) / (double)gradients->total * layers)
							 : (double)i;

		if (i > 0 && its > layer)
			maker->ends[maker->plan->units++] = i;
		layer = its;
		before += own;
	}
	maker->ends[maker->plan->units++] = gradients->count;
}

/* Split calls need as many elements for every rank. */
static void place_units(struct maker *maker, size_t multiple)
{
	size_t gradient = 0, at = 0, before = 0;

	for (size_t unit = 0; unit < maker->plan->units; unit++) {
		size_t elements = 0;

		for (; gradient < maker->ends[unit]; gradient++)
			elements += maker->gradients->elements[gradient];
		maker->begin[unit] = before;
		before += elements;
		elements = (elements + multiple - 1) / multiple * multiple;
		maker->first[unit] = at;
		maker->sizes[unit] = elements;
		at += elements;
	}
	maker->plan->elements = at;
}

static void add_act(struct step_plan *plan, enum step_do what, size_t index, double share)
{
	plan->acts[plan->nacts++] = (struct step_act){ what, index, share };
}

static void add_call(struct maker *maker, enum step_do what, enum coll_id coll, size_t unit, bool weights)
{
	struct step_plan *plan = maker->plan;
	const size_t end = unit + 1 < plan->units ? maker->begin[unit + 1] : maker->gradients->total;

	plan->calls[plan->ncalls] = (struct step_call){ .coll = coll,
							.first = maker->first[unit],
							.elements = maker->sizes[unit],
							.begins = maker->begin[unit],
							.filling = maker->begin[unit] + maker->sizes[unit] - end,
							.weights = weights };
	if (maker->sizes[unit] > plan->largest)
		plan->largest = maker->sizes[unit];
	maker->last[unit] = plan->ncalls;
	add_act(plan, what, plan->ncalls++, 0);
}

static void add_compute(struct maker *maker, size_t unit)
{
	const struct step_gradients *gradients = maker->gradients;

	for (size_t i = unit > 0 ? maker->ends[unit - 1] : 0; i < maker->ends[unit]; i++)
		add_act(maker->plan, STEP_COMPUTE, i, (double)gradients->elements[i] / (double)gradients->total);
}

static void add_waits(struct maker *maker)
{
	for (size_t unit = 0; unit < maker->plan->units; unit++)
		add_act(maker->plan, STEP_WAIT, maker->last[unit], 0);
}

static void make_serial(struct maker *maker)
{
	for (size_t unit = 0; unit < maker->plan->units; unit++)
		add_compute(maker, unit);
	for (size_t unit = 0; unit < maker->plan->units; unit++)
		add_call(maker, STEP_CALL, COLL_ALL_REDUCE, unit, false);
}

static void make_buckets(struct maker *maker, enum coll_id coll)
{
	for (size_t unit = 0; unit < maker->plan->units; unit++) {
		add_compute(maker, unit);
		add_call(maker, STEP_START, coll, unit, false);
	}
	add_waits(maker);
}

static void make_zero(struct maker *maker)
{
	make_buckets(maker, COLL_REDUCE_SCATTER);
	for (size_t unit = 0; unit < maker->plan->units; unit++)
		add_call(maker, STEP_START, COLL_ALL_GATHER, unit, false);
	add_waits(maker);
}

static void make_fsdp(struct maker *maker, size_t ahead)
{
	const size_t units = maker->plan->units;
	size_t gathered = 0;

	for (size_t unit = 0; unit < units; unit++) {
		for (; gathered < units && gathered <= unit + ahead; gathered++)
			add_call(maker, STEP_START, COLL_ALL_GATHER, gathered, true);
		add_act(maker->plan, STEP_WAIT, maker->last[unit], 0);
		add_compute(maker, unit);
		add_call(maker, STEP_START, COLL_REDUCE_SCATTER, unit, false);
	}
	add_waits(maker);
}

static void make(struct maker *maker, const struct step_options *options, const struct step_row *row, int nranks,
		 size_t element_bytes)
{
	const bool splits = row->strategy == STEP_ZERO || row->strategy == STEP_FSDP;

	if (row->strategy == STEP_NAIVE)
		cut_by_cap(maker, 0);
	else if (row->strategy == STEP_FLAT)
		cut_by_cap(maker, INFINITY);
	else if (row->strategy == STEP_FSDP)
		cut_by_layers(maker);
	else
		cut_by_cap(maker, (double)row->cap / (double)element_bytes);
	place_units(maker, splits ? (size_t)nranks : 1);
	if (row->strategy == STEP_BUCKETED)
		make_buckets(maker, COLL_ALL_REDUCE);
	else if (row->strategy == STEP_ZERO)
		make_zero(maker);
	else if (row->strategy == STEP_FSDP)
		make_fsdp(maker, (size_t)options->prefetch);
	else
		make_serial(maker);
}

int step_plan_open(struct step_plan *plan, const struct step_options *options, const struct step_row *row, int nranks,
		   size_t element_bytes)
{
	const size_t n = options->gradients.count;
	struct maker maker = { .plan = plan,
			       .gradients = &options->gradients,
			       .ends = calloc(n, sizeof(size_t)),
			       .first = calloc(n, sizeof(size_t)),
			       .begin = calloc(n, sizeof(size_t)),
			       .sizes = calloc(n, sizeof(size_t)),
			       .last = calloc(n, sizeof(size_t)) };
	bool ok;

	/* A unit has at most two calls, each with a start and a wait. */
	*plan = (struct step_plan){ .calls = calloc(2 * n, sizeof *plan->calls), .acts = calloc(5 * n, sizeof *plan->acts) };
	ok = maker.ends && maker.first && maker.begin && maker.sizes && maker.last && plan->calls && plan->acts;
	if (ok)
		make(&maker, options, row, nranks, element_bytes);
	else
		step_plan_close(plan);
	free(maker.ends);
	free(maker.first);
	free(maker.begin);
	free(maker.sizes);
	free(maker.last);
	return ok ? 0 : -1;
}

void step_plan_close(struct step_plan *plan)
{
	free(plan->calls);
	free(plan->acts);
	*plan = (struct step_plan){ 0 };
}

bool step_strategy_overlaps(enum step_strategy strategy)
{
	return strategy != STEP_NAIVE && strategy != STEP_FLAT;
}

bool step_plan_overlaps(const struct step_plan *plan)
{
	size_t pending = 0;
	bool any = false;

	for (size_t i = 0; i < plan->nacts; i++) {
		any |= plan->acts[i].what == STEP_COMPUTE && pending > 0;
		pending += plan->acts[i].what == STEP_START;
		pending -= plan->acts[i].what == STEP_WAIT;
	}
	return any;
}

bool step_call_element(const struct step_call *call, size_t at, size_t *element)
{
	const size_t offset = at - call->first, own = call->elements - call->filling;

	*element = call->begins + (offset < own ? offset : own - 1);
	return offset < own;
}

/* What rounding left of nothing is nothing. */
static double without_rounding(double value, double of)
{
	return fabs(value) < 1e-9 * of ? 0 : value;
}

double step_exposed(double step, double compute)
{
	return without_rounding(step - compute, compute);
}

double step_overlap(double exposed, double comm)
{
	return comm > 0 ? without_rounding(1 - exposed / comm, 1) : NAN;
}

bool step_overlap_tells(double error, double compute, double comm)
{
	return compute > 0 && comm > 0 && error <= fmin(1, compute / comm);
}
