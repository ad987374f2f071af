/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of training instead of a sweep: the amount of compute is found once, then each strategy and bucket size is a row.
 */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "launch.h"
#include "session_parts.h"
#include "session_steps.h"
#include "size.h"
#include "step_measure.h"
#include "watch.h"

enum { WARM_UP_BYTES = 256 << 10 };

/* Why a row cannot be measured, or NULL. */
static const char *cannot(const struct session *session, const struct step_plan *plan)
{
	static const enum coll_id used[] = { COLL_ALL_REDUCE, COLL_REDUCE_SCATTER, COLL_ALL_GATHER };
	const struct backend *backend = &session->backend;
	const char *why = plan->largest > INT_MAX ? "a call of over 2^31 - 1 elements" : NULL;

	for (size_t i = 0; i < sizeof used / sizeof *used && !why; i++) {
		const struct point point = { .coll = collectives[used[i]],
					     .type = (enum dtype)session->parts->options->type,
					     .shape = { .count = 1 } };

		for (size_t call = 0; call < plan->ncalls && !why; call++)
			if (plan->calls[call].coll == used[i])
				why = backend->ops->cannot(backend, &point);
	}
	return why;
}

/* The plan of row i; -1 where memory is short (said), else 0 and *why as cannot(). */
static int open_plan(const struct session *session, size_t i, struct step_plan *plan, struct step_row *row, const char **why)
{
	const struct options *options = session->parts->options;

	*row = step_row(options->step, i);
	if (step_plan_open(plan, options->step, row, session->backend.nranks, dtypes[options->type].size)) {
		fprintf(stderr, "%s: out of memory for %zu gradients\n", session->parts->program, options->step->gradients.count);
		return -1;
	}
	*why = cannot(session, plan);
	return 0;
}

static struct point warm_up_point(const struct session *session)
{
	const size_t size = dtypes[session->parts->options->type].size;
	const struct coll_shape shape = collectives[COLL_ALL_REDUCE]->shape(WARM_UP_BYTES / size, session->backend.nranks, 1);

	return (struct point){ .coll = collectives[COLL_ALL_REDUCE],
			       .type = (enum dtype)session->parts->options->type,
			       .op = REDOP_SUM,
			       .bytes_requested = WARM_UP_BYTES,
			       .bytes = WARM_UP_BYTES,
			       .buffer = WARM_UP_BYTES,
			       .shape = shape };
}

int session_steps_count(struct session *session)
{
	struct sweep_total *total = &session->total;
	const size_t rows = step_rows(session->parts->options->step);

	*total = (struct sweep_total){ .max_bytes = WARM_UP_BYTES,
				       .max_buffer = WARM_UP_BYTES,
				       .max_requested = WARM_UP_BYTES,
				       .smallest = warm_up_point(session) };
	for (size_t i = 0; i < rows; i++) {
		struct step_plan plan;
		struct step_row row;
		const char *why;

		if (open_plan(session, i, &plan, &row, &why))
			return -1;
		step_plan_close(&plan);
		total->points += !why;
		total->skipped += why != NULL;
		if (why && !total->skips[0].reason)
			total->skips[0] = (struct sweep_skip){ .reason = why, .first = total->smallest };
		total->skips[0].points += why != NULL;
	}
	return 0;
}

bool session_steps_see_corruption(const struct session *session)
{
	const struct options *options = session->parts->options;
	const size_t fits = session->backend.data_limit / dtypes[options->type].size;
	bool seen = false;

	for (size_t i = 0; i < step_rows(options->step) && !seen; i++) {
		struct step_plan plan;
		struct step_row row;
		const char *why;

		if (open_plan(session, i, &plan, &row, &why))
			return false;
		seen = !why && plan.elements <= fits && step_inject_is_at(&options->inject, &row);
		step_plan_close(&plan);
	}
	return seen;
}

uint64_t session_steps_memory(const struct session *session)
{
	return step_run_memory(session->parts->options, session->backend.nranks, session->backend.data_limit);
}

uint64_t session_steps_host_memory(const struct session *session)
{
	const struct backend *backend = &session->backend;

	return step_run_host_memory(session->parts->options, backend->nranks, backend->data_limit, !backend->fake_clock);
}

int session_steps_dry_run(const struct session *session)
{
	const struct step_options *step = session->parts->options->step;

	printf("# %s: %" PRIu64 " rows, %d ranks, %zu gradients of %" PRIu64 " elements, %" PRIu64 " bytes of memory a rank\n",
	       session->parts->program, session->total.points, session->backend.nranks, step->gradients.count,
	       step->gradients.total, session_steps_memory(session));
	printf("# strategy cap calls\n");
	for (size_t i = 0; i < step_rows(step); i++) {
		struct step_plan plan;
		struct step_row row;
		const char *why;

		if (open_plan(session, i, &plan, &row, &why))
			return -1;
		printf("%s %" PRIu64 " %zu%s%s\n", step_strategy_names[row.strategy], row.cap, plan.ncalls,
		       why ? " skipped: " : "", why ? why : "");
		step_plan_close(&plan);
	}
	return 0;
}

/* 0 to go on, 1 to stop in good order, 2 where output failed, -1 when this rank failed. */
static int do_row(struct session *session, const struct step_measure_parts *parts, const struct step_plan *plan,
		  const struct step_row *row)
{
	struct launch *launch = parts->launch;
	struct step_measured measured;
	char name[80], what[112];
	int state = 0;

	session_steps_name(row, name, sizeof name);
	snprintf(what, sizeof what, "a step, %s", name);
	watch_point(parts->watch, what);
	if (step_run_begin(parts->run, plan, row) || step_measure_row(parts, &measured))
		return -1;
	watch_phase(parts->watch, WATCH_OUTPUT);
	if (launch->rank == 0 && !measured.stop && session_steps_row(session, plan, row, &measured))
		state = 2;
	if (measured.stop || watch_interrupted(parts->watch))
		state = state > 1 ? state : 1;
	return launch->ops->agree(launch, state, &state) ? -1 : state;
}

/* The row whose calls tell how long compute is: one all-reduce of all gradients or, where that cannot be, the first that can. */
static int open_yardstick(struct session *session, struct step_plan *plan, struct step_row *row)
{
	const struct options *options = session->parts->options;
	const char *why = NULL;

	if (options->step->gradients.total <= INT_MAX) {
		*row = (struct step_row){ STEP_FLAT, 0 };
		return step_plan_open(plan, options->step, row, session->backend.nranks, dtypes[options->type].size);
	}
	for (size_t i = 0; i < step_rows(options->step); i++) {
		if (open_plan(session, i, plan, row, &why))
			return -1;
		if (!why)
			return 0;
		step_plan_close(plan);
	}
	return -1; /* never: there is a row to measure */
}

/* Compute of a step: as asked for, or so many times as long as the yardstick's calls. 0, 1 when a signal came, or -1. */
static int find_compute(struct session *session, const struct step_measure_parts *parts)
{
	const struct step_options *step = session->parts->options->step;
	struct step_plan plan;
	struct step_row row;
	double comm = NAN;
	bool stop = false;
	int rc;

	if (!session->backend.ops->step->compute)
		step_spin_calibrate(&parts->run->spin, &session->clock);
	parts->run->compute = step->compute;
	if (!isnan(step->compute))
		return 0;
	if (open_yardstick(session, &plan, &row))
		return -1;
	rc = step_run_begin(parts->run, &plan, &row) || step_measure_comm(parts, &comm, &stop) ? -1 : stop;
	if (rc == 0) {
		parts->run->compute = step->ratio * comm;
		notes_add(&session->after, "compute of a step: %.3f ms, %g times %s", parts->run->compute * 1e3, step->ratio,
			  step->gradients.total <= INT_MAX ? "one all-reduce of all gradients" : "the first row's calls");
	}
	step_plan_close(&plan);
	return rc;
}

/* A device that computes tells nothing of itself before it has finished. */
static bool outlasts_watch(const struct session *session, double compute)
{
	const struct session_parts *parts = session->parts;
	const double timeout = parts->options->timeout;

	if (!session->backend.ops->step->finish || !(timeout > 0) || compute < timeout)
		return false;
	if (parts->launch->rank == 0)
		fprintf(stderr, "%s: -T: the compute of a step alone takes %g s, and %g s without progress are allowed\n",
			parts->program, compute, timeout);
	return true;
}

static int do_rows(struct session *session, const struct step_measure_parts *parts)
{
	const size_t rows = step_rows(session->parts->options->step);
	int state = 0;

	for (size_t i = 0; i < rows && state == 0; i++) {
		struct step_plan plan;
		struct step_row row;
		const char *why;

		if (open_plan(session, i, &plan, &row, &why))
			return -1;
		if (!why)
			state = do_row(session, parts, &plan, &row);
		step_plan_close(&plan);
	}
	return state;
}

int session_steps(struct session *session)
{
	const struct session_parts *own = session->parts;
	const struct step_run_parts run_parts = { .backend = &session->backend,
						  .clock = &session->clock,
						  .watch = own->watch,
						  .options = own->options,
						  .type = (enum dtype)own->options->type };
	struct step_run run;
	const struct step_measure_parts parts = { .launch = own->launch,
						  .backend = &session->backend,
						  .clock = &session->clock,
						  .watch = own->watch,
						  .options = own->options,
						  .run = &run,
						  .oversubscribed = session->oversubscribed };
	int state = -1;

	watch_phase(own->watch, WATCH_PREPARE);
	if (step_run_open(&run, &run_parts) == 0)
		state = find_compute(session, &parts);
	if (state == 0 && outlasts_watch(session, run.compute))
		state = -1;
	if (state == 0) {
		if (own->launch->rank == 0)
			facts_add(&session->end_facts, "step_compute_ms", "%.6f", run.compute * 1e3);
		for (long cycle = 0; state == 0 && (own->options->cycles == 0 || cycle < own->options->cycles); cycle++)
			state = do_rows(session, &parts);
	}
	step_run_close(&run);
	return state;
}

void session_steps_note(struct session *session)
{
	const struct step_options *step = session->parts->options->step;
	const char *device = session->backend.ops->step->progress;

	if (device)
		notes_add(&session->before, "calls go on by themselves during compute (progress %s)", device);
	else if (step->progress == STEP_POLLING)
		notes_add(&session->before, "compute stops every %g us to let MPI go on (--progress polling)",
			  step->period * 1e6);
	else if (step->progress == STEP_THREAD)
		notes_add(&session->before, "a thread of the library moves data during compute (--progress thread)");
	else
		notes_add(&session->before, "nobody calls the library during compute (--progress none)");
}
