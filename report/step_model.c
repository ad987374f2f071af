/* SPDX-License-Identifier: Apache-2.0
 *
 * What a step with buckets of any size should take, from what one call takes and from the compute of the steps.
 */
#include <math.h>
#include <string.h>

#include "step_study.h"

enum { LEAST_POINTS = 3 };

/* Several numbers of calls tell what one costs only where they differ by this factor. */
static const double least_spread = 2;

/* A sweep of the same calls: where there are several, one of the same run and of the same placement. */
static size_t likeness(const struct study *study, const struct step_part *part, const struct series *series)
{
	const struct result *key = series->key, *step = part->key;
	const size_t length = strlen(part->run);
	size_t like = 1;

	if (series->fit.nsegments == 0 || key->nranks != step->nranks || key->nnodes != step->nnodes ||
	    strcmp(key->backend, step->backend) || strcmp(key->path, step->path) || strcmp(key->group, step->group) ||
	    *key->variant)
		return 0;
	if (study->runs.count == 1 || (strncmp(series->source, part->run, length) == 0 &&
				       (series->source[length] == '/' || series->source[length] == '\0')))
		like += 4;
	if (strcmp(key->placement, step->placement) == 0)
		like += 2;
	return like + (strcmp(key->type, step->type) == 0);
}

static const struct series *find_sweep(const struct study *study, const struct step_part *part)
{
	const struct figure *figure = &study->figures[COLL_ALL_REDUCE];
	const struct series *found = NULL;
	size_t most = 0;

	for (size_t s = 0; s < figure->nseries && !figure->singleton; s++) {
		const size_t like = likeness(study, part, &figure->series[s]);

		if (like > most) {
			most = like;
			found = &figure->series[s];
		}
	}
	return found;
}

/* The middle of the sizes of buckets on a logarithmic axis; all gradients where nothing has buckets. */
static double middle_bucket(const struct step_part *part)
{
	double low = INFINITY, high = 0;

	for (size_t l = 0; l < part->nlines; l++) {
		for (size_t i = 0; i < part->lines[l].npoints; i++) {
			const double cap = (double)part->lines[l].points[i].cap;

			low = cap > 0 ? fmin(low, cap) : low;
			high = fmax(high, cap);
		}
	}
	return fmin(high > 0 ? sqrt(low) * sqrt(high) : INFINITY, (double)part->key->bytes);
}

/* Of a sweep whose law changes with the size, the line that holds for buckets. */
static void learn_sweep(struct step_model *model, const struct series *sweep, double bucket)
{
	const struct fit_segment *segment = sweep->fit.segments;

	while (segment + 1 < sweep->fit.segments + sweep->fit.nsegments && segment->last_bytes < bucket)
		segment++;
	if (!(isfinite(segment->a.value) && segment->a.value > 0 && isfinite(segment->b.value) && segment->b.value > 0))
		return;
	model->origin = STEP_SWEEP;
	model->sweep = sweep;
	model->buckets.a = segment->a.value;
	model->buckets.b = segment->b.value;
}

/* Sums of the least squares of comm = calls * a + d, errors relative to comm. */
struct squares {
	size_t n;
	double w, wc, wcc, wy, wcy, least, most;
};

static void add_point(struct squares *squares, double calls, double comm)
{
	const double weight = 1 / (comm * comm);

	squares->n++;
	squares->w += weight;
	squares->wc += weight * calls;
	squares->wcc += weight * calls * calls;
	squares->wy += weight * comm;
	squares->wcy += weight * calls * comm;
	squares->least = fmin(squares->least, calls);
	squares->most = fmax(squares->most, calls);
}

static void add_line(struct squares *squares, const struct step_line *line)
{
	if (!step_is_strategy(line, RESULT_BUCKETED) && !step_is_strategy(line, RESULT_FLAT) &&
	    !step_is_strategy(line, RESULT_NAIVE))
		return;
	for (size_t i = 0; i < line->npoints; i++) {
		const struct step_point *point = &line->points[i];

		if (point->calls > 0 && point->comm > 1e-12 && point->comm < 1e12)
			add_point(squares, (double)point->calls, point->comm);
	}
}

static void learn_steps(struct step_part *part)
{
	struct step_model *model = &part->model;
	struct squares squares = { .least = INFINITY };
	double a, rest;

	for (size_t l = 0; l < part->nlines; l++)
		add_line(&squares, &part->lines[l]);
	model->why = "the steps' communication alone is known at too few numbers of calls to tell what one costs";
	if (squares.n < LEAST_POINTS || squares.most < least_spread * squares.least)
		return;
	a = (squares.w * squares.wcy - squares.wc * squares.wy) / (squares.w * squares.wcc - squares.wc * squares.wc);
	rest = (squares.wy - a * squares.wc) / squares.w;
	model->why = "communication alone does not become slower with more calls, so that what one costs cannot be told";
	if (!(isfinite(a) && isfinite(rest) && a > 0 && rest > 0))
		return;
	model->origin = STEP_STEPS;
	model->buckets.a = a;
	model->buckets.b = rest / (double)part->key->bytes;
}

static double limit_calls(const struct step_part *part, double calls)
{
	if (part->key->tensors != RESULT_NONE)
		calls = fmin(calls, (double)part->key->tensors);
	return fmax(calls, 1);
}

double step_model_time(const struct step_part *part, double calls)
{
	return part->model.origin == STEP_NOTHING || !(calls >= 1) ? NAN : train_buckets_time(&part->model.buckets, calls);
}

double step_model_at(const struct step_part *part, double bytes)
{
	return step_model_time(part, limit_calls(part, (double)part->key->bytes / bytes));
}

void step_model_learn(const struct study *study, struct step_part *part)
{
	struct step_model *model = &part->model;
	const struct series *sweep = find_sweep(study, part);

	*model = (struct step_model){ .buckets = { .bytes = (double)part->key->bytes, .backward = NAN },
				      .why = "no step with buckets was measured" };
	if (!part->best || part->key->bytes <= 0)
		return;
	model->buckets.backward = step_best(part->best)->compute;
	model->why = part->key->nranks < 2 ? "of one rank nothing has to move" : "the steps' compute alone is not known";
	if (!(model->buckets.backward > 0) || part->key->nranks < 2)
		return;
	if (sweep)
		learn_sweep(model, sweep, middle_bucket(part));
	if (model->origin == STEP_NOTHING)
		learn_steps(part);
	if (model->origin == STEP_NOTHING)
		return;
	model->calls = limit_calls(part, train_buckets_best(&model->buckets));
	model->bytes = model->buckets.bytes / model->calls;
	model->time = step_model_time(part, model->calls);
	/* Times at the edge of what a number can hold make no curve. */
	if (!(isfinite(model->time) && model->bytes > 0))
		*model = (struct step_model){ .why = "the times are out of reach" };
}
