/* SPDX-License-Identifier: Apache-2.0
 *
 * Check, warm up, turns, check again.
 */
#include "step_measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch.h"
#include "options.h"
#include "watch.h"

enum {
	FIRST_TURNS = 6,
	MIN_TURNS = 10,
	SHARED_CORE_TURNS = 3,
	MOST_TURNS = 100000,
	COMM_SAMPLES = 7,
	COMM_WARM_UPS = 3,
	MOST_DROPPED = 10,
	MOST_TIMES = 3
};

static const double FIRST_SLACK = 300e-6; /* between a plan and its start */
static const double MAX_SLACK = 10e-3;
static const double LATE_SHARE = 0.01; /* of the part's time: a rank that comes later spoils the turn */
static const double LATE_LEAST = 2e-6; /* less is the spread of two ranks that read a clock in a loop */

/* From rank 0 before each part. */
struct start_plan {
	double start;
	int barrier;
};

/* What one process saw of a turn; of all its ranks alike. */
struct turn {
	double arrival[STEP_PARTS];
	double end[STEP_PARTS];
};

/* Rank 0's notebook. */
struct book {
	const struct step_measure_parts *parts;
	struct turn own;
	struct turn *all; /* [process] */
	double *times;    /* [part][turn] of the slowest */
	double *ranks;    /* [process][turn] of the whole step */
	double *scratch;  /* [MOST_TURNS or processes] */
	size_t n, capacity;
	double slack, begun, shortest; /* seconds of the shortest turn */
	long dropped;
	bool keep_late, late;
};

static bool by_barrier(const struct step_measure_parts *parts)
{
	return parts->clock->unstable || parts->options->sync == START_BARRIER;
}

/* A signal may come to one rank alone; *stop becomes the same on all. */
static int agree_to_stop(const struct step_measure_parts *parts, bool *stop)
{
	int any;

	if (parts->launch->ops->agree(parts->launch, watch_interrupted(parts->watch), &any))
		return -1;
	*stop = any != 0;
	return 0;
}

/* Compute takes longer on some ranks: the plan is made when all are there. */
static int take_part(struct book *book, enum step_part part, bool *stop)
{
	const struct step_measure_parts *parts = book->parts;
	struct launch *launch = parts->launch;
	struct start_plan plan = { .barrier = by_barrier(parts) };
	double start, entered;

	if (!*stop && agree_to_stop(parts, stop))
		return -1;
	if (*stop)
		return 0;
	if (launch->rank == 0)
		plan.start = clock_now(parts->clock) + book->slack;
	if (launch->ops->broadcast(launch, &plan, sizeof plan) || (plan.barrier && launch->ops->barrier(launch)))
		return -1;
	if (plan.barrier)
		start = entered = clock_now(parts->clock);
	else {
		start = clock_from_rank0(parts->clock, plan.start);
		entered = clock_wait(parts->clock, start);
	}
	if (step_run_step(parts->run, part))
		return -1;
	book->own.end[part] = clock_now(parts->clock) - start;
	book->own.arrival[part] = entered - start;
	return 0;
}

/* Of all ranks. */
static struct turn latest(const struct book *book)
{
	struct turn last = { 0 };

	for (int i = 0; i < book->parts->launch->size; i++) {
		for (int part = 0; part < STEP_PARTS; part++) {
			last.arrival[part] = fmax(last.arrival[part], book->all[i].arrival[part]);
			last.end[part] = fmax(last.end[part], book->all[i].end[part]);
		}
	}
	return last;
}

/* A row must end: what is late after thrice its time, or that of the turns that were asked for, is kept. */
static bool is_overdue(const struct book *book)
{
	const struct options *options = book->parts->options;
	const double asked = options->iters > 0 ? (double)options->iters * book->shortest : 0;

	return clock_now(book->parts->clock) - book->begun > MOST_TIMES * fmax(options->max_time, asked);
}

/* Rank 0: the turn into the book, unless somebody was late to it. */
static void keep(struct book *book)
{
	const size_t processes = (size_t)book->parts->launch->size;
	const double least = fmax(LATE_LEAST, 2 * book->parts->clock->cost);
	const struct turn last = latest(book);
	bool late = false;

	for (int part = 0; part < STEP_PARTS; part++)
		late |= last.arrival[part] > fmax(least, LATE_SHARE * last.end[part]);
	book->keep_late |= is_overdue(book);
	if (late && !book->keep_late) {
		book->dropped++;
		book->slack = fmin(book->slack * 1.5, MAX_SLACK);
		book->keep_late = book->dropped > 2 * (long)book->n + MOST_DROPPED;
		return;
	}
	book->late |= late;
	for (int part = 0; part < STEP_PARTS; part++)
		book->times[(size_t)part * book->capacity + book->n] = last.end[part];
	for (size_t i = 0; i < processes; i++)
		book->ranks[i * book->capacity + book->n] = book->all[i].end[STEP_ALL];
	book->n++;
}

/* The whole step comes last, so that its output is what is there at the end. */
static int take_turn(struct book *book, bool *stop)
{
	struct launch *launch = book->parts->launch;
	const double begun = clock_now(book->parts->clock);

	if (take_part(book, STEP_COMPUTE_ALONE, stop) || take_part(book, STEP_COMM_ALONE, stop) ||
	    take_part(book, STEP_ALL, stop))
		return -1;
	if (*stop)
		return 0;
	if (launch->ops->gather(launch, &book->own, sizeof book->own, book->all))
		return -1;
	book->shortest = fmin(book->shortest, clock_now(book->parts->clock) - begun);
	if (launch->rank == 0)
		keep(book);
	return 0;
}

static bool is_precise(struct book *book)
{
	struct stats stats;

	if (book->n < FIRST_TURNS)
		return false;
	memcpy(book->scratch, book->times + STEP_ALL * book->capacity, book->n * sizeof *book->scratch);
	stats_compute(book->scratch, book->n, &stats);
	return stats_precision(&stats) <= book->parts->options->ci;
}

/* Rank 0: whether another turn is wanted. */
static bool wants_more(struct book *book, bool *precise)
{
	const struct options *options = book->parts->options;
	const double spent = clock_now(book->parts->clock) - book->begun;

	*precise = options->iters > 0 || is_precise(book);
	if (book->n == book->capacity)
		return false;
	if (options->iters > 0)
		return (long)book->n < options->iters;
	if (book->parts->oversubscribed)
		return book->n < SHARED_CORE_TURNS;
	/* With few turns an interval may be narrow by chance; when the time is used up, that chance is the interval's own. */
	return !(*precise && book->n >= MIN_TURNS) && (spent < options->max_time || book->n < FIRST_TURNS);
}

static int take_turns(struct book *book, struct step_measured *out)
{
	struct launch *launch = book->parts->launch;
	int more = 1;

	book->begun = clock_now(book->parts->clock);
	while (more) {
		if (take_turn(book, &out->stop))
			return -1;
		if (out->stop)
			return 0;
		if (launch->rank == 0)
			more = wants_more(book, &out->precise);
		if (launch->ops->broadcast(launch, &more, sizeof more))
			return -1;
	}
	return 0;
}

/* Steps that are not timed, from one that all are there for. */
static int make_steps(const struct step_measure_parts *parts, long n, bool *stop)
{
	for (long i = 0; i < n && !*stop; i++)
		if (agree_to_stop(parts, stop) || (!*stop && step_run_step(parts->run, STEP_ALL)))
			return -1;
	return 0;
}

/* A step on fresh data, and what it left. Folds into *out what is worst. */
static int check(const struct step_measure_parts *parts, struct step_wrong *all, struct step_measured *out)
{
	struct launch *launch = parts->launch;
	struct step_wrong own;
	int64_t sum = 0;

	watch_phase(parts->watch, WATCH_CHECK);
	if (step_run_seed(parts->run) || make_steps(parts, 1, &out->stop))
		return -1;
	if (out->stop)
		return 0;
	if (step_run_verify(parts->run, &own) || launch->ops->gather(launch, &own, sizeof own, all))
		return -1;
	for (int i = 0; launch->rank == 0 && i < launch->size; i++) {
		sum += (int64_t)all[i].elements;
		if (all[i].rank >= 0 && out->wrong_rank < 0) {
			out->wrong_rank = all[i].rank;
			out->wrong_first = all[i].first;
			out->wrong_filling = all[i].filling;
		}
	}
	out->wrong = sum > out->wrong ? sum : out->wrong;
	return 0;
}

static bool is_checked(const struct step_measure_parts *parts)
{
	return parts->options->check > 0 && !parts->run->together;
}

/* The parts of a turn follow each other, so each turn has an overlap of its own. Before the times are sorted. */
static double overlap_error(struct book *book)
{
	const double *compute = book->times + STEP_COMPUTE_ALONE * book->capacity;
	const double *comm = book->times + STEP_COMM_ALONE * book->capacity, *step = book->times + STEP_ALL * book->capacity;
	struct stats stats;

	for (size_t i = 0; i < book->n; i++) {
		book->scratch[i] = step_overlap(step_exposed(step[i], compute[i]), comm[i]);
		if (isnan(book->scratch[i]))
			return NAN;
	}
	stats_compute(book->scratch, book->n, &stats);
	return (stats.ci_high - stats.ci_low) / 2;
}

/* Rank 0: the figures of the row. */
static void digest(struct book *book, struct step_measured *out)
{
	const int processes = book->parts->launch->size, nlocal = book->parts->backend->nlocal;
	double sum = 0;

	out->rank_time_min = INFINITY;
	for (int i = 0; i < processes; i++) {
		const double median = stats_median(book->ranks + (size_t)i * book->capacity, book->n);

		sum += median;
		out->rank_time_min = fmin(out->rank_time_min, median);
		if (i == 0 || median > out->rank_time_max) {
			out->rank_time_max = median;
			out->slowest_rank = i * nlocal;
		}
	}
	out->rank_time_avg = sum / processes;
	out->overlap_error = overlap_error(book);
	out->compute = stats_median(book->times + STEP_COMPUTE_ALONE * book->capacity, book->n);
	out->asked = book->parts->run->compute;
	out->comm = stats_median(book->times + STEP_COMM_ALONE * book->capacity, book->n);
	stats_compute(book->times + STEP_ALL * book->capacity, book->n, &out->step);
	out->dropped = book->dropped;
	out->late = book->late;
}

/* As many as were asked for, else by what memory and time allow. */
static size_t most_turns(const struct options *options, size_t processes)
{
	return options->iters > 0 ? (size_t)options->iters : MOST_TURNS / processes + MIN_TURNS;
}

static int open_book(struct book *book, const struct step_measure_parts *parts)
{
	const size_t processes = (size_t)parts->launch->size;

	*book = (struct book){ .parts = parts,
			       .slack = FIRST_SLACK,
			       .shortest = INFINITY,
			       .keep_late = parts->oversubscribed,
			       .capacity = most_turns(parts->options, processes) };
	if (parts->launch->rank != 0)
		return 0;
	book->all = calloc(processes, sizeof *book->all);
	book->times = calloc(STEP_PARTS * book->capacity, sizeof *book->times);
	book->ranks = calloc(processes * book->capacity, sizeof *book->ranks);
	book->scratch = calloc(book->capacity + COMM_SAMPLES, sizeof *book->scratch);
	if (book->all && book->times && book->ranks && book->scratch)
		return 0;
	fprintf(stderr, "step: out of memory for the times of %zu processes\n", processes);
	return -1;
}

static void close_book(struct book *book)
{
	free(book->all);
	free(book->times);
	free(book->ranks);
	free(book->scratch);
}

static int measure_row(struct book *book, struct step_wrong *all, struct step_measured *out)
{
	const struct step_measure_parts *parts = book->parts;
	const bool checked = is_checked(parts);

	out->wrong = checked ? 0 : -1;
	if (checked ? check(parts, all, out) : make_steps(parts, 1, &out->stop))
		return -1;
	watch_phase(parts->watch, WATCH_WARMUP);
	if (make_steps(parts, parts->options->warmup, &out->stop))
		return -1;
	if (out->stop)
		return 0;
	if (clock_refresh(parts->clock, parts->launch))
		return -1;
	watch_phase(parts->watch, WATCH_TIMING);
	if (take_turns(book, out) || (checked && !out->stop && check(parts, all, out)))
		return -1;
	if (parts->launch->rank == 0 && book->n > 0)
		digest(book, out);
	return 0;
}

int step_measure_row(const struct step_measure_parts *parts, struct step_measured *out)
{
	struct step_wrong *all = calloc((size_t)parts->launch->size, sizeof *all);
	struct book book;
	int rc = -1;

	*out = (struct step_measured){ .wrong_rank = -1, .sync = by_barrier(parts) ? "barrier" : "clock" };
	if (!all) {
		fprintf(stderr, "step: out of memory for %d ranks\n", parts->launch->size);
		return -1;
	}
	if (open_book(&book, parts) == 0)
		rc = measure_row(&book, all, out);
	close_book(&book);
	free(all);
	return rc;
}

int step_measure_comm(const struct step_measure_parts *parts, double *seconds, bool *stop)
{
	struct book book;
	int rc = open_book(&book, parts);

	*stop = false;
	watch_phase(parts->watch, WATCH_WARMUP);
	for (int i = 0; i < COMM_WARM_UPS + COMM_SAMPLES && rc == 0 && !*stop; i++) {
		rc = take_part(&book, STEP_COMM_ALONE, stop);
		if (rc == 0 && !*stop)
			rc = parts->launch->ops->gather(parts->launch, &book.own, sizeof book.own, book.all);
		/* The first find everything cold. */
		if (rc == 0 && !*stop && parts->launch->rank == 0 && i >= COMM_WARM_UPS)
			book.scratch[i - COMM_WARM_UPS] = latest(&book).end[STEP_COMM_ALONE];
	}
	if (rc == 0 && !*stop && parts->launch->rank == 0)
		*seconds = stats_median(book.scratch, COMM_SAMPLES);
	if (rc == 0 && !*stop)
		rc = parts->launch->ops->broadcast(parts->launch, seconds, sizeof *seconds);
	close_book(&book);
	return rc;
}
