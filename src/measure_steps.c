/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that both timings and the course of a point share: one call, one check, the injected faults.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "launch.h"
#include "measure_parts.h"
#include "watch.h"

static bool injects(const struct measure *m, const struct point *point, enum inject_kind kind)
{
	const struct inject *inject = &m->parts.options->inject;

	return inject->kind == kind && (inject->bytes == 0 || inject->bytes == point->bytes_requested);
}

static bool is_local(const struct measure *m, int rank)
{
	return rank >= m->parts.backend->first_rank && rank < m->parts.backend->first_rank + m->nlocal;
}

void measure_inject_start(const struct measure *m, const struct point *point)
{
	if (!is_local(m, m->parts.options->inject.rank))
		return;
	while (injects(m, point, INJECT_HANG))
		pause();
	if (injects(m, point, INJECT_ABORT))
		raise(SIGKILL);
}

struct measure_delay measure_inject_delay(const struct measure *m, const struct point *point)
{
	const struct inject *inject = &m->parts.options->inject;

	/* Where its pair does not exchange the rank delays nobody, whoever shares its thread. */
	if (!injects(m, point, INJECT_DELAY) || !is_local(m, inject->rank) || m->groups->of[inject->rank] < 0)
		return (struct measure_delay){ .local = -1 };
	return (struct measure_delay){ .local = inject->rank - m->parts.backend->first_rank, .seconds = inject->seconds };
}

bool measure_is_idle(const struct measure *m, int rank)
{
	return m->call.exchange &&
	       exchange_sits_out(m->call.exchange, m->groups->size[m->groups->of[rank]], m->groups->rank[rank]);
}

int measure_call(struct measure *m)
{
	struct backend *backend = m->parts.backend;

	watch_call(m->parts.watch);
	return backend->ops->call[m->call.coll->id](backend, &m->call);
}

const struct backend_call *measure_next_call(struct measure *m)
{
	if (m->rotations == 1)
		return &m->call;
	const size_t shift = (size_t)m->turn * m->rotate_bytes;

	m->turn = m->turn + 1 < m->rotations ? m->turn + 1 : 0;
	for (int i = 0; i < m->nlocal; i++) {
		m->send[i] = (char *)m->call.send[i] + shift;
		m->recv[i] = (char *)m->call.recv[i] + shift;
	}
	m->shifted = m->call;
	m->shifted.send = m->send;
	m->shifted.recv = m->recv;
	return &m->shifted;
}

/* A sample where every rank has a process: nothing but the call stands between the two readings of the clock. */
static int time_call(struct measure *m, const struct backend_call *call, double start, bool is_now,
		     const struct measure_delay *delay, struct backend_sample *sample)
{
	struct backend *backend = m->parts.backend;
	struct clock *clock = m->parts.clock;
	backend_call_fn *function = backend->ops->call[call->coll->id];
	/* After a barrier its reading is the start; a second one would be inside the sample. */
	const double arrival = is_now ? start : clock_wait(clock, start);
	const double called = delay->local == 0 ? clock_wait(clock, start + delay->seconds) : arrival;

	if (function(backend, call))
		return -1;
	const double end = clock_now(clock);

	*sample = (struct backend_sample){ .arrival = called - start, .end = end - start, .kernel = NAN, .enqueue = NAN };
	return 0;
}

int measure_sample(struct measure *m, const struct backend_call *call, double start, bool is_now,
		   const struct measure_delay *delay, struct backend_sample *samples)
{
	struct backend *backend = m->parts.backend;
	const struct backend_start begin = { .start = start - m->parts.clock->skew,
					     .delayed = delay->local,
					     .delay = delay->seconds };

	if (!backend->ops->sample)
		return time_call(m, call, start, is_now, delay, samples);
	return backend->ops->sample(backend, call, &begin, samples);
}

int measure_sit_out(struct measure *m, const struct plan *plan)
{
	struct clock *clock = m->parts.clock;
	const double end = clock_from_rank0(clock, plan->start + (double)plan->count * plan->window);

	for (long i = 0; i < plan->count * m->nlocal; i++)
		m->mine[i] = (struct backend_sample){ .kernel = NAN, .enqueue = NAN };
	for (long k = 0; k < plan->count; k++) {
		/* As if it took part: who has fewer calls behind him is the one that is missed when nothing goes on. */
		watch_call(m->parts.watch);
		if (plan->barrier && m->parts.launch->ops->barrier(m->parts.launch))
			return -1;
	}
	for (double left = end - clock_now(clock); left > 0; left = end - clock_now(clock)) {
		const struct timespec nap = { .tv_sec = (time_t)left, .tv_nsec = (long)((left - floor(left)) * 1e9) };

		nanosleep(&nap, NULL);
	}
	return 0;
}

void measure_keep(struct measure *m, const struct backend_sample *(*sample_of)(const void *where, int rank), const void *where)
{
	if (m->n == m->capacity)
		return;
	if (m->skip > 0) {
		m->skip--;
		return;
	}
	for (int group = 0; group < m->groups->count; group++) {
		const size_t at = (size_t)group * m->capacity + m->n;

		m->times[at] = m->kernels[at] = m->enqueues[at] = NAN;
	}
	for (int rank = 0; rank < m->nranks; rank++) {
		if (m->groups->of[rank] < 0 || measure_is_idle(m, rank))
			continue;
		const struct backend_sample *sample = sample_of(where, rank);
		const size_t at = (size_t)m->groups->of[rank] * m->capacity + m->n;

		m->rank_times[(size_t)rank * m->capacity + m->n] = sample->end / m->trips;
		m->times[at] = fmax(m->times[at], sample->end / m->trips);
		m->kernels[at] = fmax(m->kernels[at], sample->kernel / m->trips);
		m->enqueues[at] = fmax(m->enqueues[at], sample->enqueue / m->trips);
	}
	m->n++;
}

/* Rank 0: the sum over the ranks of a group of one check; the worst check of a point is what it reports. */
static int fold(struct measure *m, const struct check_result *all)
{
	int64_t *wrong = calloc((size_t)m->groups->count, sizeof *wrong);

	if (!wrong) {
		fprintf(stderr, "measure: out of memory for %d check results\n", m->groups->count);
		return -1;
	}
	for (int rank = 0; rank < m->nranks; rank++) {
		if (m->groups->of[rank] < 0)
			continue;
		struct group_measurement *out = &m->group_out[m->groups->of[rank]];

		wrong[m->groups->of[rank]] += (int64_t)all[rank].wrong;
		if (all[rank].wrong > 0 && out->wrong_rank < 0) {
			out->wrong_rank = rank;
			out->wrong_first = all[rank].first;
		}
	}
	for (int group = 0; group < m->groups->count; group++)
		if (wrong[group] > m->group_out[group].wrong)
			m->group_out[group].wrong = wrong[group];
	free(wrong);
	return 0;
}

static int gather_results(struct measure *m)
{
	struct launch *launch = m->parts.launch;
	struct check_result *all = calloc((size_t)m->nranks, sizeof *all);
	int rc = -1;

	if (!all)
		fprintf(stderr, "measure: out of memory for %d check results\n", m->nranks);
	else if (launch->ops->gather(launch, m->results, (size_t)m->nlocal * sizeof *all, all) == 0)
		rc = launch->rank == 0 ? fold(m, all) : 0;
	free(all);
	return rc;
}

int measure_verify(struct measure *m, const struct point *point, const struct pattern *const *patterns)
{
	watch_phase(m->parts.watch, WATCH_CHECK);
	if (injects(m, point, INJECT_CORRUPT) && check_corrupt(m->parts.check, point, m->parts.options->inject.rank))
		return -1;
	return check_verify(m->parts.check, point, patterns, m->results) || gather_results(m) ? -1 : 0;
}

int measure_check(struct measure *m, const struct point *point, const struct pattern *const *patterns)
{
	watch_phase(m->parts.watch, WATCH_CHECK);
	if (check_seed(m->parts.check, point, patterns) || measure_call(m))
		return -1;
	return measure_verify(m, point, patterns);
}
