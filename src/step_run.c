/* SPDX-License-Identifier: Apache-2.0
 *
 * The acts of a step on real buffers.
 */
#include "step_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "options.h"
#include "watch.h"

static const double LONG_PIECE = 20e-3; /* seconds of compute */

static bool gathers_weights(const struct step_options *step)
{
	bool any = false;

	for (size_t i = 0; i < step->nstrategies; i++)
		any |= step->strategies[i] == STEP_FSDP;
	return any;
}

/* Each gradient may be a unit of its own that is filled up. */
static uint64_t most_elements(const struct options *options, int nranks, uint64_t data_limit)
{
	const struct step_options *step = options->step;
	const size_t size = dtypes[options->type].size;
	const uint64_t all = step->gradients.total + (uint64_t)step->gradients.count * (uint64_t)nranks;

	return all > data_limit / size ? data_limit / size : all;
}

uint64_t step_run_host_memory(const struct options *options, int nranks, uint64_t data_limit, bool library)
{
	return most_elements(options, nranks, data_limit) * dtypes[options->type].size * (library ? 2 : 1);
}

uint64_t step_run_memory(const struct options *options, int nranks, uint64_t data_limit)
{
	return most_elements(options, nranks, data_limit) * dtypes[options->type].size * (gathers_weights(options->step) ? 3 : 2);
}

static int alloc_each(struct step_run *run, void ***buffers)
{
	struct backend *backend = run->parts.backend;
	const size_t bytes = run->capacity * dtypes[run->parts.type].size;

	*buffers = calloc((size_t)backend->nlocal, sizeof **buffers);
	if (!*buffers)
		return -1;
	for (int i = 0; i < backend->nlocal; i++) {
		if (backend->ops->alloc(backend, i, bytes, &(*buffers)[i]))
			return -1;
		if (backend->ops->host_view(backend, i, (*buffers)[i]))
			memory_touch((*buffers)[i], bytes);
	}
	return 0;
}

static int alloc_all(struct step_run *run)
{
	const struct backend *backend = run->parts.backend;
	const size_t n = (size_t)backend->nlocal;

	run->send = calloc(n, sizeof *run->send);
	run->recv = calloc(n, sizeof *run->recv);
	run->counts = calloc(n, sizeof *run->counts);
	run->host = malloc(run->capacity * dtypes[run->parts.type].size);
	if (!run->send || !run->recv || !run->counts || !run->host || alloc_each(run, &run->gradients) ||
	    alloc_each(run, &run->reduced))
		return -1;
	return gathers_weights(run->parts.options->step) ? alloc_each(run, &run->weights) : 0;
}

int step_run_open(struct step_run *run, const struct step_run_parts *parts)
{
	const struct backend *backend = parts->backend;

	*run = (struct step_run){ .parts = *parts };
	run->capacity = most_elements(parts->options, backend->nranks, backend->data_limit);
	run->pattern = pattern_new(parts->type, REDOP_SUM, true, backend->nranks, parts->options->seed);
	if (!run->pattern)
		return -1;
	if (alloc_all(run) == 0)
		return 0;
	fprintf(stderr, "step: out of memory for the gradients of %d ranks\n", backend->nlocal);
	return -1;
}

static void release_each(struct step_run *run, void **buffers)
{
	struct backend *backend = run->parts.backend;

	for (int i = 0; buffers && i < backend->nlocal; i++)
		if (buffers[i])
			backend->ops->release(backend, i, buffers[i]);
	free(buffers);
}

static void end_calls(struct step_run *run)
{
	if (run->state)
		run->parts.backend->ops->step->close(run->state);
	run->state = NULL;
}

void step_run_close(struct step_run *run)
{
	if (!run->parts.backend)
		return;
	end_calls(run);
	release_each(run, run->gradients);
	release_each(run, run->reduced);
	release_each(run, run->weights);
	free(run->send);
	free(run->recv);
	free(run->counts);
	free(run->host);
	pattern_free(run->pattern);
	*run = (struct step_run){ 0 };
}

int step_run_begin(struct step_run *run, const struct step_plan *plan, const struct step_row *row)
{
	struct backend *backend = run->parts.backend;

	end_calls(run);
	run->plan = plan;
	run->row = *row;
	run->together = plan->elements > run->capacity;
	return backend->ops->step->open(backend, run->parts.options, plan->ncalls, &run->state);
}

/* In pieces: compute that is longer than -T is no standstill. */
static void spin(struct step_run *run, double seconds)
{
	for (; seconds > LONG_PIECE; seconds -= LONG_PIECE) {
		step_spin_seconds(&run->spin, LONG_PIECE);
		watch_progress(run->parts.watch);
	}
	step_spin_seconds(&run->spin, seconds);
}

/* Compute in pieces between which the library is looked at, where calls are under way and nobody else does. */
static int compute(struct step_run *run, double seconds)
{
	const struct backend_step_ops *ops = run->parts.backend->ops->step;
	const struct step_options *step = run->parts.options->step;
	const bool polls = step->progress == STEP_POLLING && run->pending > 0;

	if (ops->compute)
		return ops->compute(run->state, seconds);
	while (polls && run->since + seconds >= step->period) {
		const double piece = step->period - run->since;

		spin(run, piece);
		watch_progress(run->parts.watch);
		seconds -= piece;
		run->since = 0;
		if (ops->test(run->state))
			return -1;
	}
	spin(run, seconds);
	run->since += polls ? seconds : 0;
	return 0;
}

/* The call as the backend wants it; good until the next. */
static struct backend_call backend_call_of(struct step_run *run, const struct step_call *call)
{
	const struct backend *backend = run->parts.backend;
	const size_t size = dtypes[run->parts.type].size, all = (size_t)backend->nranks;
	const size_t block = call->coll == COLL_ALL_REDUCE ? call->elements : call->elements / all;

	for (int i = 0; i < backend->nlocal; i++) {
		const size_t at = run->together ? 0 : call->first * size;
		const size_t own = block * (size_t)(backend->first_rank + i) * size;
		char *into = (char *)(call->weights ? run->weights : run->reduced)[i] + at;

		run->counts[i] = block;
		run->send[i] = call->coll == COLL_ALL_GATHER ? into + own : (char *)run->gradients[i] + at;
		run->recv[i] = call->coll == COLL_REDUCE_SCATTER ? into + own : into;
	}
	return (struct backend_call){ .coll = collectives[call->coll],
				      .count = run->counts,
				      .type = run->parts.type,
				      .op = REDOP_SUM,
				      .in_place = call->coll == COLL_ALL_GATHER,
				      .send = run->send,
				      .recv = run->recv,
				      .rotations = 1 };
}

static int communicate(struct step_run *run, const struct step_act *act)
{
	struct backend *backend = run->parts.backend;
	const struct backend_step_ops *ops = backend->ops->step;
	int rc;

	if (act->what == STEP_WAIT) {
		run->pending--;
		return ops->wait(run->state, act->index);
	}
	const struct backend_call call = backend_call_of(run, &run->plan->calls[act->index]);

	if (act->what == STEP_CALL && !ops->finish)
		return backend->ops->call[call.coll->id](backend, &call);
	run->since = run->pending == 0 ? 0 : run->since;
	rc = ops->start(run->state, act->index, &call);
	if (act->what == STEP_CALL)
		return rc ? rc : ops->wait(run->state, act->index);
	run->pending++;
	return rc;
}

int step_run_step(struct step_run *run, enum step_part part)
{
	const struct backend_step_ops *ops = run->parts.backend->ops->step;
	int rc = 0;

	watch_call(run->parts.watch);
	run->pending = 0;
	run->since = 0;
	for (size_t i = 0; i < run->plan->nacts && rc == 0; i++) {
		const struct step_act *act = &run->plan->acts[i];

		watch_progress(run->parts.watch);
		if (act->what != STEP_COMPUTE && part != STEP_COMPUTE_ALONE)
			rc = communicate(run, act);
		else if (act->what == STEP_COMPUTE && part != STEP_COMM_ALONE)
			rc = compute(run, act->share * run->compute);
	}
	if (rc == 0 && ops->finish)
		rc = ops->finish(run->state);
	ops->again(run->state);
	return rc;
}
