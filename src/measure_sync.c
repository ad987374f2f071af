/* SPDX-License-Identifier: Apache-2.0
 *
 * Sync timing: series of agreed starts. A series starts small and grows, so that slow calls are not repeated needlessly and fast ones do not pay for a
 * plan each. The last sample of a checked point is taken alone on freshly seeded buffers, so that the output of a timed call is what is checked.
 */
#include <math.h>
#include <string.h>

#include "launch.h"
#include "measure_parts.h"
#include "watch.h"

enum { FIRST_BATCH = 10, MIN_SAMPLES = 10, SHARED_CORE_SAMPLES = 3 };

static const double MIN_SECONDS = 12e-3; /* of sampling, so that ten lucky calls are no result */
static const double SLOW_PHASE = 1.5;    /* median over least sample */
static const double SLOW_SECONDS = 60e-3;
static const double BATCH_SECONDS = 20e-3; /* after which the precision is looked at again */
static const double STRETCH = 1.2;         /* window over the time of a call */
static const double MAX_SLACK = 2e-3;
static const double LATE_SHARE = 0.01; /* of the call's time: a rank that comes later spoils the sample */

/* Rank 0's notebook of one point. */
struct series {
	double estimate; /* seconds a call, most of them end within it */
	double slack;    /* between a plan and its first start */
	double begun;
	long wanted; /* -n, else 0 */
	long batch;
	bool keep_late;
	long late;   /* samples to which some rank came late */
	long judged; /* samples whose late ranks came late by themselves */
};

static double tolerance(const struct measure *m, const struct series *series)
{
	return fmax(fmax(2 * m->parts.clock->cost, 20e-9), LATE_SHARE * series->estimate);
}

/* Runs one series; fills m->mine. */
static int run_batch(struct measure *m, const struct plan *plan, const struct measure_delay *delay)
{
	struct clock *clock = m->parts.clock;

	if (m->sits_out)
		return measure_sit_out(m, plan);

	for (long k = 0; k < plan->count; k++) {
		const struct backend_call *call = measure_next_call(m);
		double start = clock_from_rank0(clock, plan->start + (double)k * plan->window);

		watch_call(m->parts.watch);
		if (plan->barrier) {
			if (m->parts.launch->ops->barrier(m->parts.launch))
				return -1;
			start = clock_now(clock);
		}
		if (measure_sample(m, call, start, plan->barrier, delay, &m->mine[k * m->nlocal]))
			return -1;
	}
	return 0;
}

/* Sample k of a series of `count`. */
struct place {
	const struct measure *m;
	long count, k;
};

static const struct backend_sample *sample_at(const void *where, int rank)
{
	const struct place *place = where;
	const struct measure *m = place->m;
	const int process = rank / m->nlocal;

	return &m->all[((size_t)process * (size_t)(place->count + 1) + (size_t)place->k) * (size_t)m->nlocal +
		       (size_t)(rank % m->nlocal)];
}

static const struct backend_sample *sample_of(const struct measure *m, long count, long k, int rank)
{
	return sample_at(&(struct place){ m, count, k }, rank);
}

static bool any_stop(const struct measure *m, long count)
{
	bool stop = false;

	for (int rank = 0; rank < m->nranks; rank += m->nlocal)
		stop |= sample_of(m, count, count, rank)->end > 0;
	return stop;
}

static double slowest_end(const struct measure *m, long count, long k)
{
	double slowest = 0;

	for (int rank = 0; rank < m->nranks; rank++)
		slowest = fmax(slowest, sample_of(m, count, k, rank)->end);
	return slowest;
}

/*
 * Whether sample k was spoilt by a late rank; counts against the latest and those at least half as late. Where the call before it took longer than
 * its window all are late and nobody is to blame.
 */
static bool note_late(struct measure *m, struct series *series, const struct plan *plan, long k, double limit)
{
	const bool pushed = k > 0 && slowest_end(m, plan->count, k - 1) > plan->window;
	double latest = 0;

	for (int rank = 0; rank < m->nranks; rank++)
		latest = fmax(latest, sample_of(m, plan->count, k, rank)->arrival);
	series->judged += !pushed;
	for (int rank = 0; rank < m->nranks && !pushed && latest > limit; rank++) {
		const double arrival = sample_of(m, plan->count, k, rank)->arrival;

		if (arrival < latest / 2)
			continue;
		m->late_count[rank]++;
		m->lateness[rank] = arrival;
	}
	return latest > limit;
}

/* No group waits for the ranks of another. */
static void note_late_groups(struct measure *m, long count, long k, double limit)
{
	for (int group = 0; group < m->groups->count; group++)
		m->scratch[group] = 0;
	for (int rank = 0; rank < m->nranks; rank++)
		if (m->groups->of[rank] >= 0 && sample_of(m, count, k, rank)->arrival > limit)
			m->scratch[m->groups->of[rank]] = 1;
	for (int group = 0; group < m->groups->count; group++)
		m->group_out[group].late_samples += m->scratch[group] > 0;
}

/*
 * The next window follows the calls: nine in ten of a series must fit. A late first sample means that the plan came too close before its start.
 * Everything else that makes ranks late is the machine's doing: such samples are replaced. When half the time of the point is gone and hardly any sample
 * was good, a rank is late by nature; then they are kept, since dropping them would hide what there is to see.
 */
static void learn(struct measure *m, struct series *series, const struct plan *plan, bool first_late)
{
	for (long k = 0; k < plan->count; k++)
		m->scratch[k] = slowest_end(m, plan->count, k);
	stats_median(m->scratch, (size_t)plan->count);
	series->estimate = m->scratch[(plan->count - 1) * 9 / 10];
	series->slack = first_late ? fmin(series->slack * 1.5, MAX_SLACK) : fmax(series->slack / 1.5, m->slack);
}

static bool is_hopeless(const struct measure *m, const struct series *series, const struct measurement *out)
{
	const double spent = clock_now(m->parts.clock) - series->begun;
	const bool few = m->n < MIN_SAMPLES || (series->wanted > 0 && out->dropped > 20 * (long)m->n);

	return spent >= m->parts.options->max_time / 2 && out->dropped > (long)m->n && few;
}

static int digest(struct measure *m, struct series *series, const struct plan *plan, struct measurement *out)
{
	const double limit = tolerance(m, series);
	bool first_late = false;
	long late = 0;

	for (long k = 0; k < plan->count; k++) {
		const bool is_late = !plan->barrier && note_late(m, series, plan, k, limit);

		first_late |= is_late && k == 0;
		late += is_late;
		if (is_late)
			note_late_groups(m, plan->count, k, limit);
		if (!is_late || series->keep_late)
			measure_keep(m, sample_at, &(struct place){ m, plan->count, k });
		else
			out->dropped++;
	}
	out->late |= series->keep_late && late > 0;
	series->late += late;
	learn(m, series, plan, first_late);
	series->keep_late |= is_hopeless(m, series, out);
	return any_stop(m, plan->count);
}

/* One series: plan from rank 0, samples from all. On rank 0 out->stop is set when a signal came to some rank. */
static int do_series(struct measure *m, struct series *series, struct plan *plan, const struct point *point,
		     struct measurement *out)
{
	struct launch *launch = m->parts.launch;
	const struct measure_delay delay = measure_inject_delay(m, point);

	if (launch->rank == 0)
		plan->start = clock_now(m->parts.clock) + series->slack;
	if (launch->ops->broadcast(launch, plan, sizeof *plan))
		return -1;
	if (plan->stop || plan->aborted)
		return 0;
	if (run_batch(m, plan, &delay))
		return -1;
	const size_t rows = (size_t)(plan->count + 1) * (size_t)m->nlocal;

	m->mine[(size_t)plan->count * (size_t)m->nlocal].end = watch_interrupted(m->parts.watch);
	if (launch->ops->gather(launch, m->mine, rows * sizeof *m->mine, m->all))
		return -1;
	if (launch->rank == 0 && digest(m, series, plan, out))
		out->stop = true;
	return 0;
}

/*
 * Whether the samples of a group are enough. A phase in which everything is slow (another program, a clock that changes) lasts milliseconds and has a
 * narrow interval, too: where the median is far above the least sample, sampling goes on until such a phase would be over.
 */
static bool is_group_precise(struct measure *m, int group, double spent)
{
	const bool no_noise = m->parts.launch->simulated || m->parts.backend->fake_clock;
	struct stats stats;

	memcpy(m->scratch, m->times + (size_t)group * m->capacity, m->n * sizeof *m->scratch);
	stats_compute(m->scratch, m->n, &stats);
	if (stats_precision(&stats) > m->parts.options->ci)
		return false;
	return no_noise || spent >= (stats.median > SLOW_PHASE * stats.min ? SLOW_SECONDS : MIN_SECONDS);
}

/* Rank 0: whether all groups are. */
static bool is_precise(struct measure *m, const struct series *series)
{
	const double spent = clock_now(m->parts.clock) - series->begun;
	bool precise = m->n >= MIN_SAMPLES;

	for (int group = 0; group < m->groups->count && m->n >= MIN_SAMPLES; group++) {
		m->group_out[group].precise = is_group_precise(m, group, spent);
		precise &= m->group_out[group].precise;
	}
	return precise;
}

/* Rank 0: how many samples to take next, 0 when there are enough. `reserved` of -n's samples come later, on seeded buffers. */
static long next_count(struct measure *m, struct series *series, long reserved)
{
	const struct options *options = m->parts.options;
	const double now = clock_now(m->parts.clock), spent = now - series->begun;
	const double window = fmax(series->estimate * STRETCH, 1e-9);
	long count = (long)fmin(BATCH_SECONDS / window, MAX_BATCH);

	if (series->wanted > 0) {
		const long left = series->wanted - reserved - (long)m->n;

		count = count < FIRST_BATCH ? FIRST_BATCH : count;
		return left < count ? left : count;
	}
	if (m->parts.oversubscribed)
		return SHARED_CORE_SAMPLES - reserved - (long)m->n;
	if (is_precise(m, series) || m->n == m->capacity || (spent >= options->max_time && m->n > 0))
		return 0;
	count = count < FIRST_BATCH ? FIRST_BATCH : count < series->batch ? count : series->batch;
	series->batch *= 4;
	if (count > (long)(m->capacity - m->n))
		count = (long)(m->capacity - m->n);
	return count;
}

static bool by_barrier(const struct measure *m)
{
	return m->parts.clock->unstable || m->parts.options->sync == START_BARRIER;
}

static void fill_plan(const struct measure *m, const struct series *series, long count, struct plan *plan)
{
	*plan = (struct plan){
		.count = count,
		.window = series->estimate * STRETCH + 2e-6,
		.stop = count <= 0,
		.barrier = by_barrier(m),
	};
}

/* A sample of several calls, each of which takes the output of the one before: a call of its own is checked instead. */
static bool repeats_in_place(const struct measure *m, const struct point *point)
{
	return point->in_place && (m->parts.options->agg_iters > 1 || m->parts.options->graph > 1);
}

/* The checked sample, again when a rank was late to it. */
static int checked_sample(struct measure *m, struct series *series, const struct point *point,
			  const struct pattern *const *patterns, struct measurement *out)
{
	enum { TRIES = 5 };
	int done = 0;

	for (int i = 0; i < TRIES && !done; i++) {
		const size_t before = m->n;
		struct plan plan = { 0 };

		watch_phase(m->parts.watch, WATCH_CHECK);
		m->turn = 0; /* the seeded place of the buffers */
		if (check_seed(m->parts.check, point, patterns))
			return -1;
		if (m->parts.launch->rank == 0) {
			/* The last sample of -n is kept even when a rank keeps coming late to it. */
			series->keep_late |= i == TRIES - 1;
			fill_plan(m, series, 1, &plan);
			plan.start = 0;
		}
		watch_phase(m->parts.watch, WATCH_TIMING);
		/* Seeding takes a while, and longer on some ranks: the plan is made when all are there. */
		if (m->parts.launch->ops->barrier(m->parts.launch) || do_series(m, series, &plan, point, out))
			return -1;
		done = m->n > before || out->stop || m->n == m->capacity;
		if (m->parts.launch->ops->broadcast(m->parts.launch, &done, sizeof done))
			return -1;
	}
	return repeats_in_place(m, point) ? measure_check(m, point, patterns) : measure_verify(m, point, patterns);
}

/*
 * A late arriver is one rank that is late to most samples while the others are not; when lateness is spread the machine is busy, and no rank is to
 * blame.
 */
static void name_late_rank(const struct measure *m, const struct series *series, struct measurement *out)
{
	long sum = 0;

	out->late_rank = 0;
	for (int rank = 0; rank < m->nranks; rank++) {
		sum += m->late_count[rank];
		if (m->late_count[rank] > m->late_count[out->late_rank])
			out->late_rank = rank;
	}
	const long most = m->late_count[out->late_rank];

	out->late_time = m->lateness[out->late_rank];
	if (most * 10 < sum * 9 || most == 0 || most * 10 < series->judged * 8)
		out->late_rank = -1;
}

/* Series until rank 0 has enough; on a signal out->stop is set on every rank. */
static int take_series(struct measure *m, struct series *series, long reserved, const struct point *point,
		       struct measurement *out)
{
	struct plan plan = { 0 };

	do {
		if (m->parts.launch->rank == 0) {
			fill_plan(m, series, next_count(m, series, reserved), &plan);
			plan.aborted = out->stop;
		}
		if (do_series(m, series, &plan, point, out))
			return -1;
	} while (!plan.stop && !plan.aborted);
	out->stop = plan.aborted;
	return 0;
}

/* The checked sample may have widened the interval: then sampling goes on while there is time. */
static int more_wanted(struct measure *m, struct series *series, struct measurement *out, int *more)
{
	const double spent = clock_now(m->parts.clock) - series->begun;

	*more = 0;
	if (m->parts.launch->rank == 0 && series->wanted == 0 && !m->parts.oversubscribed)
		*more = !is_precise(m, series) && !out->stop && m->n < m->capacity && spent < m->parts.options->max_time;
	return m->parts.launch->ops->broadcast(m->parts.launch, more, sizeof *more);
}

int measure_sync(struct measure *m, const struct point *point, const struct pattern *const *patterns, double estimate,
		 struct measurement *out)
{
	struct series series = { .estimate = estimate,
				 .slack = m->slack,
				 .begun = clock_now(m->parts.clock),
				 .wanted = m->parts.options->iters,
				 .batch = FIRST_BATCH,
				 /* Among ranks that share cores somebody is late to most starts, by chance. */
				 .keep_late = m->parts.oversubscribed };
	const long reserved = patterns ? 1 : 0;
	int more;

	for (int group = 0; group < m->groups->count; group++)
		m->group_out[group].precise = series.wanted > 0;
	out->sync = by_barrier(m) ? "barrier" : "clock";
	do {
		if (take_series(m, &series, reserved, point, out) ||
		    (patterns && !out->stop && checked_sample(m, &series, point, patterns, out)) ||
		    more_wanted(m, &series, out, &more))
			return -1;
	} while (more);
	out->iters = (long)m->n;
	name_late_rank(m, &series, out);
	/* A group whose ranks were late to few of the late samples came by that by chance. */
	for (int group = 0; group < m->groups->count; group++)
		m->group_out[group].late = out->late && m->group_out[group].late_samples * 10 >= series.late;
	return 0;
}
