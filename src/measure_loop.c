/* SPDX-License-Identifier: Apache-2.0
 *
 * Loop timing, nccl-tests' way: a barrier, n calls back to back, one mean a rank, ranks combined by -a. With -n one loop of n calls is the result; without,
 * loops of a millisecond or more are repeated until their median is precise.
 */
#include <math.h>
#include <string.h>

#include "launch.h"
#include "measure_parts.h"
#include "watch.h"

enum { MIN_CALLS = 20, MIN_LOOPS = 10 };

static const double LOOP_SECONDS = 1e-3;

static int run_loop(struct measure *m, long calls, double delay, int delay_rank)
{
	struct backend *backend = m->parts.backend;
	struct clock *clock = m->parts.clock;
	backend_call_fn *call = backend->ops->call[m->call.coll->id];
	const int local = delay > 0 ? delay_rank - backend->first_rank : -1;
	const bool delayed = local >= 0 && local < m->nlocal;

	if (m->parts.launch->ops->barrier(m->parts.launch))
		return -1;
	const double start = clock_now(clock);

	for (long k = 0; k < calls; k++) {
		watch_call(m->parts.watch);
		if (delayed)
			clock_wait(clock, clock_now(clock) + delay);
		if (call(backend, &m->call))
			return -1;
	}
	const double mean = (clock_now(clock) - start) / (double)calls;

	for (int i = 0; i < m->nlocal; i++)
		m->mine[i] = (struct sample){ .end = mean };
	m->mine[m->nlocal].end = watch_interrupted(m->parts.watch);
	return 0;
}

static double combine(const struct measure *m, const double *means, enum combine how)
{
	double least = means[0], most = means[0], sum = 0;

	for (int rank = 0; rank < m->nranks; rank++) {
		least = fmin(least, means[rank]);
		most = fmax(most, means[rank]);
		sum += means[rank];
	}
	switch (how) {
	case COMBINE_RANK0:
		return means[0];
	case COMBINE_AVG:
		return sum / m->nranks;
	case COMBINE_MIN:
		return least;
	default:
		return most;
	}
}

/* Rank 0: one loop's means into the samples. */
static void digest(struct measure *m, struct measurement *out)
{
	const size_t row = (size_t)m->nlocal + 1;

	for (int rank = 0; rank < m->nranks; rank++) {
		const struct sample *mine = &m->all[(size_t)(rank / m->nlocal) * row];

		m->scratch[rank] = mine[rank % m->nlocal].end;
		m->rank_times[(size_t)rank * m->capacity + m->n] = m->scratch[rank];
		out->stop |= mine[m->nlocal].end > 0;
	}
	m->times[m->n++] = combine(m, m->scratch, m->parts.options->combine);
}

static bool enough(struct measure *m, double begun, struct measurement *out)
{
	const struct options *options = m->parts.options;
	struct stats stats;

	if (options->iters > 0 || m->n == m->capacity)
		return true;
	if (m->n >= MIN_LOOPS) {
		memcpy(m->scratch, m->times, m->n * sizeof *m->scratch);
		stats_compute(m->scratch, m->n, &stats);
		out->precise = stats_precision(&stats) <= options->ci;
	}
	return out->precise || clock_now(m->parts.clock) - begun >= options->max_time;
}

int measure_loop(struct measure *m, const struct point *point, double estimate, struct measurement *out)
{
	struct launch *launch = m->parts.launch;
	const double begun = clock_now(m->parts.clock);
	const long iters = m->parts.options->iters;
	struct plan plan = { 0 };
	int delay_rank;
	const double delay = measure_inject_delay(m, point, &delay_rank);

	out->precise = iters > 0;
	out->sync = "barrier";
	if (launch->rank == 0)
		plan.count = iters > 0 ? iters : (long)fmin(fmax(ceil(LOOP_SECONDS / fmax(estimate, 1e-9)), MIN_CALLS), 1e6);
	do {
		if (launch->ops->broadcast(launch, &plan, sizeof plan) || run_loop(m, plan.count, delay, delay_rank) ||
		    launch->ops->gather(launch, m->mine, ((size_t)m->nlocal + 1) * sizeof *m->mine, m->all))
			return -1;
		if (launch->rank == 0) {
			digest(m, out);
			plan.aborted = out->stop;
			plan.stop = out->stop || enough(m, begun, out);
		}
		if (launch->ops->broadcast(launch, &plan, sizeof plan))
			return -1;
	} while (!plan.stop);
	out->stop = plan.aborted;
	out->iters = (long)m->n * plan.count;
	return 0;
}
