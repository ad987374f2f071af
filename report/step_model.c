/* SPDX-License-Identifier: Apache-2.0
 *
 * What a step with buckets of any size should take, from what one call takes and from the compute of the steps.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "step_study.h"

enum { LEAST_POINTS = 3 };

/* Several numbers of calls tell what one costs only where they differ by this factor. */
static const double least_spread = 2;
/* A sweep's line is of these steps where most of their communication alone is within this of it. */
static const double borne_out = 0.25, most_points = 0.75;
/* Calls x cap, of the bytes of all gradients: under it some tensors are larger than the cap, and have a bucket each. */
static const double full = 0.9;

/* Whether run.json of both says that they ran on other hosts. */
static bool other_hosts(const struct study *study, const struct step_part *part, const struct series *series)
{
	const struct facts *own = facts_in(study->facts, study->nfacts, part->run);
	const struct facts *theirs = series->machine ? facts_in(study->facts, study->nfacts, series->machine->folder) : NULL;
	char *one = own ? facts_join(own, "host") : NULL, *other = theirs ? facts_join(theirs, "host") : NULL;
	const bool differ = one && other && strcmp(one, other) != 0;

	free(one);
	free(other);
	return differ;
}

/* A sweep of the same calls: where there are several, one of the same run and of the same placement. */
static size_t likeness(const struct study *study, const struct step_part *part, const struct series *series)
{
	const struct result *key = series->key, *step = part->key;
	const size_t length = strlen(part->run);
	size_t like = 1;

	if (series->fit.nsegments == 0 || key->nranks != step->nranks || key->nnodes != step->nnodes ||
	    strcmp(key->backend, step->backend) || strcmp(key->path, step->path) || strcmp(key->group, step->group) ||
	    strcmp(key->type, step->type) || *key->variant || other_hosts(study, part, series))
		return 0;
	if (study->runs.count == 1 || (strncmp(series->source, part->run, length) == 0 &&
				       (series->source[length] == '/' || series->source[length] == '\0')))
		like += 4;
	if (strcmp(key->placement, step->placement) == 0)
		like += 2;
	return like;
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

/* Of a sweep whose law changes with the size, the line that holds for buckets; NULL where it tells no a or no b. */
static const struct fit_segment *segment_of(const struct series *sweep, double bucket)
{
	const struct fit_segment *segment = sweep->fit.segments;

	while (segment + 1 < sweep->fit.segments + sweep->fit.nsegments && segment->last_bytes < bucket)
		segment++;
	return isfinite(segment->a.value) && segment->a.value > 0 && isfinite(segment->b.value) && segment->b.value > 0 ? segment
															: NULL;
}

/* Calls of all gradients in buckets, whose communication alone is calls * a + bytes * b. */
static bool has_comm(const struct step_line *line, const struct step_point *point)
{
	return (step_is_strategy(line, RESULT_BUCKETED) || step_is_strategy(line, RESULT_FLAT) ||
		step_is_strategy(line, RESULT_NAIVE)) &&
	       point->calls > 0 && point->comm > 1e-12 && point->comm < 1e12;
}

/* A line against the steps' communication alone. */
struct trial {
	size_t points, near;
	double logs, squares; /* sums of ln(line / communication alone), and of its square */
};

static struct trial try_line(const struct step_part *part, double a, double b)
{
	struct trial trial = { .points = 0 };

	for (size_t l = 0; l < part->nlines; l++) {
		for (size_t i = 0; i < part->lines[l].npoints; i++) {
			const struct step_point *point = &part->lines[l].points[i];
			const double off = ((double)point->calls * a + (double)part->key->bytes * b) / point->comm;

			if (!has_comm(&part->lines[l], point))
				continue;
			trial.points++;
			trial.near += fabs(off - 1) <= borne_out;
			trial.logs += log(off);
			trial.squares += log(off) * log(off);
		}
	}
	return trial;
}

/* The most alike of the sweeps that the steps bear out; the most alike of the others is remembered. */
static void learn_sweep(const struct study *study, struct step_part *part)
{
	const struct figure *figure = &study->figures[COLL_ALL_REDUCE];
	const double bucket = middle_bucket(part);
	struct step_model *model = &part->model;
	size_t most = 0, refused = 0;

	for (size_t s = 0; s < figure->nseries && !figure->singleton; s++) {
		const struct series *series = &figure->series[s];
		const size_t like = likeness(study, part, series);
		const struct fit_segment *segment = like > 0 ? segment_of(series, bucket) : NULL;
		const struct trial trial = segment ? try_line(part, segment->a.value, segment->b.value) : (struct trial){ 0 };

		if (!segment)
			continue;
		if ((double)trial.near < most_points * (double)trial.points) {
			if (like > refused) {
				refused = like;
				model->refused = series;
				model->off = exp(trial.logs / (double)trial.points);
			}
		} else if (like > most) {
			most = like;
			model->origin = STEP_SWEEP;
			model->sweep = series;
			model->checked = trial.points > 0;
			model->residual = segment->residual;
			model->buckets.a = segment->a.value;
			model->buckets.b = segment->b.value;
		}
	}
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
	for (size_t i = 0; i < line->npoints; i++)
		if (has_comm(line, &line->points[i]))
			add_point(squares, (double)line->points[i].calls, line->points[i].comm);
}

static void learn_steps(struct step_part *part)
{
	struct step_model *model = &part->model;
	struct squares squares = { .least = INFINITY };
	struct trial trial;
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
	trial = try_line(part, model->buckets.a, model->buckets.b);
	model->residual = sqrt(trial.squares / (double)trial.points);
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

double step_model_of(const struct step_part *part, const struct step_line *line, const struct step_point *point)
{
	struct train_buckets buckets = part->model.buckets;

	if (part->model.origin == STEP_NOTHING || !step_is_strategy(line, RESULT_BUCKETED) || !(point->calls >= 1))
		return NAN;
	if (!step_same_compute(line, part->best))
		buckets.backward = step_best(line)->compute;
	return train_buckets_time(&buckets, (double)point->calls);
}

/*
 * Some call waits for its bucket, and those behind it follow without a gap: either it is the first one, or what is ready before it is most, so that the
 * backward pass ends with it. At least, the last call follows the backward pass, and all calls follow each other.
 */
struct step_span step_model_span(const struct step_part *part, const struct step_line *line, const struct step_point *point)
{
	const struct train_buckets *buckets = &part->model.buckets;
	const double calls = (double)point->calls, share = fmin(1, (double)point->cap / (double)part->key->bytes);
	const double line_comm = calls * buckets->a + buckets->b * buckets->bytes;
	const double scale = point->comm > 0 ? point->comm / line_comm : 1;
	const double a = scale * buckets->a, all = scale * buckets->b * buckets->bytes, compute = point->compute;

	if (part->model.origin == STEP_NOTHING || !step_is_strategy(line, RESULT_BUCKETED) || point->calls < 1 ||
	    point->cap <= 0 || !(compute > 0))
		return (struct step_span){ NAN, NAN };
	return (struct step_span){ fmax(compute + a, calls * a + all),
				   fmax(share * compute + calls * a + all, compute + (calls - 1 / share + 1) * a + share * all) };
}

/* The next point with a cap and calls, from i on; npoints where there is none. */
static size_t next_known(const struct step_line *line, size_t i)
{
	while (i < line->npoints && !(line->points[i].cap > 0 && line->points[i].calls > 0))
		i++;
	return i;
}

/* On logarithmic axes. */
static double read_between(double x, double x0, double y0, double x1, double y1)
{
	return y0 * exp(log(y1 / y0) * log(x / x0) / log(x1 / x0));
}

double step_model_calls(const struct step_part *part, double cap)
{
	const struct step_line *line = part->best;
	const struct step_point *low = NULL;

	for (size_t i = line ? next_known(line, 0) : 0; line && i < line->npoints; i = next_known(line, i + 1)) {
		const struct step_point *high = &line->points[i];

		if (cap <= (double)high->cap && low)
			return read_between(cap, (double)low->cap, (double)low->calls, (double)high->cap, (double)high->calls);
		if (cap <= (double)high->cap)
			return limit_calls(part, (double)high->calls * ((double)high->cap / cap));
		low = high;
	}
	return limit_calls(part, low ? (double)low->calls * ((double)low->cap / cap) : (double)part->key->bytes / cap);
}

/* Whether a smaller cap would have made more calls: tensors are not cut, so buckets over their cap hold one each. */
static bool holds_cap(const struct step_part *part, const struct step_point *point)
{
	return (double)point->calls * (double)point->cap >= full * (double)part->key->bytes;
}

/* The reverse: of several caps with so many calls the smallest. NAN where none made as many, and a smaller one might not either. */
static double cap_of(const struct step_part *part, double calls)
{
	const struct step_line *line = part->best;
	const struct step_point *low = NULL;

	for (size_t i = next_known(line, 0); i < line->npoints; i = next_known(line, i + 1)) {
		const struct step_point *high = &line->points[i];

		if ((double)high->calls <= calls && low && low->calls > high->calls)
			return read_between(calls, (double)low->calls, (double)low->cap, (double)high->calls, (double)high->cap);
		if ((double)high->calls <= calls)
			return holds_cap(part, high)               ? (double)high->cap * ((double)high->calls / calls)
			       : calls < (double)high->calls + 0.5 ? (double)high->cap
								   : NAN;
		low = high;
	}
	return low ? (double)low->cap * ((double)low->calls / calls) : (double)part->key->bytes / calls;
}

double step_model_at(const struct step_part *part, double cap)
{
	return step_model_time(part, step_model_calls(part, cap));
}

/* Tensors are not cut: what is read between two caps is no cap that makes so many calls. */
static void find_neighbours(struct step_part *part)
{
	const struct step_line *line = part->best;
	struct step_model *model = &part->model;

	for (size_t i = next_known(line, 0); i < line->npoints && !model->over; i = next_known(line, i + 1)) {
		const struct step_point *point = &line->points[i];

		if ((double)point->calls <= model->calls)
			model->over = point;
		if ((double)point->calls >= model->calls)
			model->under = point;
	}
	if (!model->under || !model->over)
		model->under = model->over = NULL;
}

/* The better of the whole numbers beside the best one. */
static void find_best(struct step_part *part)
{
	struct step_model *model = &part->model;
	double more;

	model->exact = limit_calls(part, train_buckets_best(&model->buckets));
	model->calls = floor(model->exact);
	more = limit_calls(part, model->calls + 1);
	if (step_model_time(part, more) < step_model_time(part, model->calls))
		model->calls = more;
	model->bytes = model->buckets.bytes / model->calls;
	model->time = step_model_time(part, model->calls);
	model->cap = cap_of(part, model->calls);
	find_neighbours(part);
}

void step_model_learn(const struct study *study, struct step_part *part)
{
	struct step_model *model = &part->model;

	*model = (struct step_model){ .buckets = { .bytes = (double)part->key->bytes, .backward = NAN },
				      .why = "no step with buckets was measured" };
	if (!part->best || part->key->bytes <= 0)
		return;
	model->buckets.backward = step_best(part->best)->compute;
	model->why = part->key->nranks < 2 ? "of one rank nothing has to move" : "the steps' compute alone is not known";
	if (!(model->buckets.backward > 0) || part->key->nranks < 2)
		return;
	learn_sweep(study, part);
	if (model->origin == STEP_NOTHING)
		learn_steps(part);
	if (model->origin == STEP_NOTHING)
		return;
	find_best(part);
	/* Times at the edge of what a number can hold make no curve. */
	if (!(isfinite(model->time) && model->bytes > 0 && !(model->cap <= 0)))
		*model = (struct step_model){ .why = "the times are out of reach" };
}
