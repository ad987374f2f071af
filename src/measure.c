/* SPDX-License-Identifier: Apache-2.0
 *
 * The course of one point: check, warm up, estimate, time, check again, summarise.
 */
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch.h"
#include "measure_parts.h"
#include "watch.h"

/* Who passes a plan on may have to wake up. */
static const double NAP_SLACK = 150e-6;

static size_t sample_capacity(int nranks)
{
	const size_t most = (size_t)16 << 20, each = most / ((size_t)nranks * sizeof(double));

	return each > MAX_SAMPLES ? MAX_SAMPLES : each < MAX_BATCH ? MAX_BATCH : each;
}

/* A rank's own times, and at worst as much for a group of its own: times, kernels, enqueues. */
uint64_t measure_memory(int nranks)
{
	return 4 * sample_capacity(nranks) * sizeof(double) + (MAX_BATCH + 1) * sizeof(struct backend_sample);
}

static int allocate_first(struct measure *m, size_t rows)
{
	const size_t n = (size_t)m->nranks, groups = (size_t)m->groups->count;

	m->all = calloc(rows * (size_t)m->parts.launch->size, sizeof *m->all);
	m->times = calloc(m->capacity * groups, sizeof *m->times);
	m->kernels = calloc(m->capacity * groups, sizeof *m->kernels);
	m->enqueues = calloc(m->capacity * groups, sizeof *m->enqueues);
	m->scratch = calloc(m->capacity > n ? m->capacity : n, sizeof *m->scratch);
	m->rank_times = calloc(m->capacity * n, sizeof *m->rank_times);
	return m->all && m->times && m->kernels && m->enqueues && m->scratch && m->rank_times ? 0 : -1;
}

static int allocate(struct measure *m)
{
	const size_t n = (size_t)m->nranks, local = (size_t)m->nlocal;
	const size_t rows = (size_t)(MAX_BATCH + 1) * local;

	m->capacity = sample_capacity(m->nranks);
	m->mine = calloc(rows, sizeof *m->mine);
	m->send = calloc(local, sizeof *m->send);
	m->recv = calloc(local, sizeof *m->recv);
	m->results = calloc(local, sizeof *m->results);
	m->group_out = calloc((size_t)m->groups->count, sizeof *m->group_out);
	m->late_count = calloc(n, sizeof *m->late_count);
	m->lateness = calloc(n, sizeof *m->lateness);
	if (!m->mine || !m->send || !m->recv || !m->results || !m->group_out || !m->late_count || !m->lateness)
		return -1;
	return m->parts.launch->rank == 0 ? allocate_first(m, rows) : 0;
}

struct measure *measure_open(const struct measure_parts *parts)
{
	struct measure *m = calloc(1, sizeof *m);

	if (m) {
		m->parts = *parts;
		m->groups = parts->backend->groups;
		m->nranks = parts->backend->nranks;
		m->nlocal = parts->backend->nlocal;
		m->trips = 1;
		/* A broadcast of the plan through a binomial tree, with room to spare. */
		m->slack = 20e-6 + (parts->quiet ? NAP_SLACK : 5e-6) * coll_log2_ceil(parts->launch->size);
	}
	if (!m || allocate(m)) {
		fprintf(stderr, "measure: out of memory for the samples of %d ranks\n", parts->backend->nranks);
		measure_close(m);
		return NULL;
	}
	return m;
}

void measure_share_cores(struct measure *m, bool oversubscribed)
{
	m->parts.oversubscribed = oversubscribed;
}

void measure_close(struct measure *m)
{
	if (!m)
		return;
	free(m->mine);
	free(m->group_out);
	free(m->results);
	free(m->send);
	free(m->recv);
	free(m->all);
	free(m->times);
	free(m->kernels);
	free(m->enqueues);
	free(m->rank_times);
	free(m->scratch);
	free(m->lateness);
	free(m->late_count);
	free(m);
}

/* Rank 0 may sit the point out: the longest of all is what its plans need. */
static int slowest_estimate(struct measure *m, double *estimate)
{
	struct launch *launch = m->parts.launch;
	double *all = launch->rank == 0 ? calloc((size_t)launch->size, sizeof *all) : NULL;
	int rc = -1;

	if (launch->rank == 0 && !all)
		fprintf(stderr, "measure: out of memory for %d estimates\n", launch->size);
	else
		rc = launch->ops->gather(launch, estimate, sizeof *estimate, all);
	for (int process = 0; all && rc == 0 && process < launch->size; process++)
		*estimate = fmax(*estimate, all[process]);
	free(all);
	return rc;
}

/* The time of the last warm-up calls: the first may meet connections that are still to be made. */
static int warm_up(struct measure *m, long calls, double *estimate)
{
	const struct clock *clock = m->parts.clock;
	double fastest = INFINITY;

	watch_phase(m->parts.watch, WATCH_WARMUP);
	/* Who waits here for a rank that does not come must be ahead of it, also where no call was checked. */
	watch_call(m->parts.watch);
	if (m->parts.launch->ops->barrier(m->parts.launch))
		return -1;
	for (long i = 0; i < calls; i++) {
		const double start = clock_now(clock);

		if (measure_call(m))
			return -1;
		fastest = fmin(fastest, clock_now(clock) - start);
	}
	*estimate = isfinite(fastest) ? fastest : 0;
	return m->parts.quiet ? slowest_estimate(m, estimate) : 0;
}

int measure_warm_up(struct measure *m, const struct point *point, double seconds)
{
	const double begun = clock_now(m->parts.clock);
	int go_on = 1;

	check_call(m->parts.check, point, &m->call);
	watch_phase(m->parts.watch, WATCH_WARMUP);
	while (go_on) {
		for (int i = 0; i < 20; i++)
			if (measure_call(m))
				return -1;
		go_on = clock_now(m->parts.clock) - begun < seconds;
		/* Pairs do not wait for each other: rank 0's would be far ahead of one that is slow. */
		if (m->parts.quiet && m->parts.launch->ops->barrier(m->parts.launch))
			return -1;
		if (m->parts.launch->ops->broadcast(m->parts.launch, &go_on, sizeof go_on))
			return -1;
	}
	return 0;
}

/* Ranks' own medians inside one group, then the statistics of its samples (which sorts them). */
static void summarise_group(struct measure *m, int group)
{
	struct group_measurement *out = &m->group_out[group];
	const size_t row = (size_t)group * m->capacity;
	double sum = 0;
	int ranks = 0;

	out->rank_time_min = INFINITY;
	out->rank_time_max = -INFINITY;
	for (int rank = m->groups->first[group]; rank < m->nranks; rank++) {
		if (m->groups->of[rank] != group || measure_is_idle(m, rank))
			continue;
		const double median = stats_median(m->rank_times + (size_t)rank * m->capacity, m->n);

		sum += median;
		ranks++;
		out->rank_time_min = fmin(out->rank_time_min, median);
		if (median > out->rank_time_max) {
			out->rank_time_max = median;
			out->slowest_rank = rank;
		}
	}
	out->rank_time_avg = sum / ranks;
	out->kernel = isnan(m->kernels[row]) ? NAN : stats_median(m->kernels + row, m->n);
	out->enqueue = isnan(m->enqueues[row]) ? NAN : stats_median(m->enqueues + row, m->n);
	stats_compute(m->times + row, m->n, &out->stats);
}

/* On rank 0's process. */
static void summarise(struct measure *m)
{
	for (int group = 0; group < m->groups->count; group++)
		summarise_group(m, group);
}

/* Pairs are many, a point of one is short, and comparing the clocks takes all ranks. */
enum { REFRESH_PAIRS = 16 };

static void fall_asleep(struct measure *m)
{
	const int first = m->parts.backend->first_rank;
	bool takes_part = false;

	for (int i = 0; i < m->nlocal; i++)
		takes_part |= m->groups->of[first + i] >= 0;
	m->sits_out = !takes_part;
	m->parts.launch->asleep = m->sits_out;
}

static int reset(struct measure *m, struct measurement *out, bool is_checked)
{
	*out = (struct measurement){ .groups = m->group_out, .late_rank = -1 };
	for (int group = 0; group < m->groups->count; group++)
		m->group_out[group] = (struct group_measurement){ .wrong = is_checked ? 0 : -1, .wrong_rank = -1 };
	m->n = 0;
	m->turn = 0;
	m->skip = m->parts.options->per_iter_skip;
	memset(m->late_count, 0, (size_t)m->nranks * sizeof *m->late_count);
	memset(m->lateness, 0, (size_t)m->nranks * sizeof *m->lateness);
	fall_asleep(m);
	if (m->parts.quiet && m->refreshed++ % REFRESH_PAIRS != 0)
		return 0;
	return clock_refresh(m->parts.clock, m->parts.launch);
}

/* Lines of 256 bytes, so that no call is less aligned than another. */
static void plan_rotation(struct measure *m, const struct point *point)
{
	enum { LINE = 256 };

	m->rotate_bytes = (point->buffer + LINE - 1) / LINE * LINE;
	m->rotations = 1;
	if (m->parts.options->rotate && m->rotate_bytes > 0 && m->parts.buffer_bytes / m->rotate_bytes > 1)
		m->rotations = (long)(m->parts.buffer_bytes / m->rotate_bytes);
}

int measure_point(struct measure *m, const struct point *point, const struct pattern *const *patterns, struct measurement *out)
{
	const struct options *options = m->parts.options;
	double estimate;

	if (reset(m, out, patterns != NULL))
		return -1;
	check_call(m->parts.check, point, &m->call);
	m->trips = point->exchange ? exchange_trips(point->exchange) : 1;
	plan_rotation(m, point);
	watch_phase(m->parts.watch, WATCH_TIMING);
	measure_inject_start(m, point);
	for (long i = 0; i < options->check && patterns; i++)
		if (measure_check(m, point, patterns))
			return -1;
	if (warm_up(m, options->warmup, &estimate))
		return -1;
	watch_phase(m->parts.watch, WATCH_TIMING);
	if (options->timing == TIMING_LOOP) {
		if (measure_loop(m, point, estimate, out))
			return -1;
		/* Calls in place have eaten their input many times over: only a call on fresh data can be checked. */
		if (patterns && !out->stop && measure_check(m, point, patterns))
			return -1;
	} else if (measure_sync(m, point, patterns, estimate, out)) {
		return -1;
	}
	if (m->parts.launch->rank == 0 && !out->stop)
		summarise(m);
	return 0;
}
