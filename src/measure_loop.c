/* SPDX-License-Identifier: Apache-2.0
 *
 * Loop timing, nccl-tests' way: a barrier, n calls back to back, one mean a rank, ranks combined by -a. With -n one loop of n calls is the result; without,
 * loops of a millisecond or more are repeated until their median is precise.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch.h"
#include "measure_parts.h"
#include "watch.h"

enum { MIN_CALLS = 20, MIN_LOOPS = 10 };

static const double LOOP_SECONDS = 1e-3;

/* Calls one by one, each complete when it returns. */
static int repeat_calls(struct measure *m, long calls, const struct measure_delay *delay)
{
	struct backend *backend = m->parts.backend;
	struct clock *clock = m->parts.clock;
	backend_call_fn *call = backend->ops->call[m->call.coll->id];
	const double start = clock_now(clock);

	for (long k = 0; k < calls; k++) {
		const struct backend_call *next = measure_next_call(m);

		watch_call(m->parts.watch);
		if (delay->local >= 0)
			clock_wait(clock, clock_now(clock) + delay->seconds);
		if (call(backend, next))
			return -1;
	}
	const double end = clock_now(clock) - start;

	for (int i = 0; i < m->nlocal; i++)
		m->mine[i] = (struct backend_sample){ .end = end, .kernel = NAN, .enqueue = NAN };
	return 0;
}

static int run_loop(struct measure *m, long calls, const struct measure_delay *delay, double *each)
{
	struct backend *backend = m->parts.backend;
	struct backend_call call = m->call;
	int rc;

	if (m->parts.launch->ops->barrier(m->parts.launch))
		return -1;
	if (backend->ops->loop) {
		const struct backend_start start = { .start = backend->ops->now(backend),
						     .delayed = delay->local,
						     .delay = delay->seconds };

		call.rotate_bytes = m->rotate_bytes;
		call.rotations = m->rotations;
		watch_call(m->parts.watch);
		rc = backend->ops->loop(backend, &call, calls, &start, m->mine, each);
	} else {
		rc = repeat_calls(m, calls, delay);
	}
	for (int i = 0; i < m->nlocal; i++) {
		m->mine[i].end /= (double)calls;
		m->mine[i].kernel /= (double)calls;
		m->mine[i].enqueue /= (double)calls;
	}
	m->mine[m->nlocal].end = watch_interrupted(m->parts.watch);
	return rc;
}

static double combine(const struct measure *m, int group)
{
	double least = INFINITY, most = -INFINITY, sum = 0;
	int ranks = 0;
	const enum combine how = m->parts.options->combine;

	for (int rank = m->groups->first[group]; rank < m->nranks; rank++) {
		const double mean = m->rank_times[(size_t)rank * m->capacity + m->n - 1];

		if (m->groups->of[rank] != group || measure_is_idle(m, rank))
			continue;
		if (how == COMBINE_RANK0)
			return mean;
		least = fmin(least, mean);
		most = fmax(most, mean);
		sum += mean;
		ranks++;
	}
	return how == COMBINE_AVG ? sum / ranks : how == COMBINE_MIN ? least : most;
}

static const struct backend_sample *mean_of(const void *where, int rank)
{
	const struct measure *m = where;
	const size_t row = (size_t)m->nlocal + 1;

	return &m->all[(size_t)(rank / m->nlocal) * row + (size_t)(rank % m->nlocal)];
}

/* Rank 0: one loop's means into the samples. */
static void digest(struct measure *m, struct measurement *out)
{
	const size_t before = m->n;

	m->skip = 0;
	measure_keep(m, mean_of, m);
	for (int group = 0; group < m->groups->count && m->n > before; group++)
		m->times[(size_t)group * m->capacity + m->n - 1] = combine(m, group);
	for (int process = 0; process < m->parts.launch->size; process++)
		out->stop |= mean_of(m, process * m->nlocal)[m->nlocal].end > 0;
}

static bool enough(struct measure *m, double begun)
{
	const struct options *options = m->parts.options;
	bool precise = m->n >= MIN_LOOPS;
	struct stats stats;

	if (options->iters > 0 || m->n == m->capacity)
		return true;
	for (int group = 0; group < m->groups->count && m->n >= MIN_LOOPS; group++) {
		memcpy(m->scratch, m->times + (size_t)group * m->capacity, m->n * sizeof *m->scratch);
		stats_compute(m->scratch, m->n, &stats);
		m->group_out[group].precise = stats_precision(&stats) <= options->ci;
		precise &= m->group_out[group].precise;
	}
	return precise || clock_now(m->parts.clock) - begun >= options->max_time;
}

/* Calls of one loop: -n, else as many as fill a millisecond. */
static long loop_calls(const struct measure *m, double estimate)
{
	const long iters = m->parts.options->iters;

	return iters > 0 ? iters : (long)fmin(fmax(ceil(LOOP_SECONDS / fmax(estimate, 1e-9)), MIN_CALLS), 1e6);
}

/* Rank 0, -I: the longest over processes of each call, as if it were a sample of every group; the headline stays the mean. */
static int keep_each(struct measure *m, const double *all, long calls)
{
	for (int group = 0; group < m->groups->count; group++) {
		struct group_measurement *out = &m->group_out[group];
		const long skip = m->parts.options->per_iter_skip < calls ? m->parts.options->per_iter_skip : calls - 1;
		double *each = calloc((size_t)calls, sizeof *each);

		if (!each) {
			fprintf(stderr, "measure: out of memory for %ld calls\n", calls);
			return -1;
		}
		for (long k = skip; k < calls; k++)
			for (int process = 0; process < m->parts.launch->size; process++)
				each[k - skip] = fmax(each[k - skip],
						      all[(size_t)process * (size_t)calls + (size_t)k] / m->trips);
		stats_compute(each, (size_t)(calls - skip), &out->each);
		out->has_each = true;
		free(each);
	}
	return 0;
}

static int gather_each(struct measure *m, const double *each, long calls)
{
	struct launch *launch = m->parts.launch;
	const size_t size = (size_t)calls * sizeof *each;
	double *all = launch->rank == 0 ? malloc(size * (size_t)launch->size) : NULL;
	int failed = launch->rank == 0 && !all;

	if (failed)
		fprintf(stderr, "measure: out of memory for %ld calls of %d processes\n", calls, launch->size);
	if (launch->ops->agree(launch, failed, &failed) || failed || launch->ops->gather(launch, each, size, all) ||
	    (all && keep_each(m, all, calls)))
		failed = 1;
	free(all);
	return failed ? -1 : 0;
}

/* Loops until rank 0 has enough. each: of one loop of -n calls, or NULL. */
static int take_loops(struct measure *m, struct plan *plan, const struct measure_delay *delay, double *each,
		      struct measurement *out)
{
	struct launch *launch = m->parts.launch;
	const double begun = clock_now(m->parts.clock);

	do {
		if (launch->ops->broadcast(launch, plan, sizeof *plan) || run_loop(m, plan->count, delay, each) ||
		    launch->ops->gather(launch, m->mine, ((size_t)m->nlocal + 1) * sizeof *m->mine, m->all))
			return -1;
		if (launch->rank == 0) {
			digest(m, out);
			plan->aborted = out->stop;
			plan->stop = out->stop || enough(m, begun);
		}
		if (launch->ops->broadcast(launch, plan, sizeof *plan))
			return -1;
	} while (!plan->stop);
	return 0;
}

int measure_loop(struct measure *m, const struct point *point, double estimate, struct measurement *out)
{
	const struct options *options = m->parts.options;
	const struct measure_delay delay = measure_inject_delay(m, point);
	const bool wants_each = options->per_iter && options->iters > 0 && m->parts.backend->ops->loop;
	double *each = wants_each ? calloc((size_t)options->iters, sizeof *each) : NULL;
	struct plan plan = { .count = loop_calls(m, estimate) };
	int rc = wants_each && !each ? -1 : 0;

	for (int group = 0; group < m->groups->count; group++)
		m->group_out[group].precise = options->iters > 0;
	out->sync = "barrier";
	if (rc)
		fprintf(stderr, "measure: out of memory for the times of %ld calls\n", options->iters);
	else if (take_loops(m, &plan, &delay, each, out) || (each && !plan.aborted && gather_each(m, each, plan.count)))
		rc = -1;
	free(each);
	out->stop = plan.aborted;
	out->iters = (long)m->n * plan.count;
	return rc;
}
