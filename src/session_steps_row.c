/* SPDX-License-Identifier: Apache-2.0
 *
 * From a measured step to its row.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "session_parts.h"
#include "session_steps.h"
#include "size.h"

void session_steps_name(const struct step_row *row, char *text, size_t size)
{
	char cap[24];

	if (row->cap > 0)
		snprintf(text, size, "%s, buckets of up to %s", step_strategy_names[row->strategy],
			 size_format(row->cap, cap, sizeof cap));
	else
		snprintf(text, size, "%s", step_strategy_names[row->strategy]);
}

/* What moves data during compute. */
static const char *progress_of(const struct session *session, enum step_strategy strategy)
{
	const struct step_options *step = session->parts->options->step;
	const bool overlaps = step_strategy_overlaps(strategy);

	if (session->backend.ops->step->progress)
		return overlaps ? session->backend.ops->step->progress : RESULT_NOBODY;
	if (step->progress == STEP_THREAD)
		return RESULT_THREAD;
	return overlaps ? step_progress_names[step->progress] : RESULT_NOBODY;
}

/*
 * Not with one rank, not where no call is under way during compute, not where ranks take turns (what hides is another's turn), not where the step was so
 * much shorter than its compute that one of the two is no measure of the other, and not where it is not known well enough. Simulated times are exact.
 */
static bool has_overlap(const struct session *session, const struct step_plan *plan, const struct result *out,
			const struct step_measured *measured, double error)
{
	return step_plan_overlaps(plan) && session->backend.nranks > 1 && !result_takes_turns(out) && measured->asked > 0 &&
	       !(measured->step.ci_high < measured->compute) && step_overlap_tells(error, measured->compute, measured->comm);
}

static void fill_step(struct result *out, const struct session *session, const struct step_plan *plan, const struct step_row *row,
		      const struct step_measured *measured)
{
	const struct step_options *step = session->parts->options->step;
	const double error = session->backend.fake_clock ? 0 : measured->overlap_error;

	out->strategy = step_strategy_names[row->strategy];
	if (row->cap > 0)
		out->bucket_cap = (int64_t)row->cap;
	out->calls = (int64_t)plan->ncalls;
	out->tensors = (int64_t)step->gradients.count;
	if (row->strategy == STEP_FSDP)
		out->prefetch = step->prefetch;
	out->progress = progress_of(session, row->strategy);
	out->compute = measured->compute;
	out->compute_asked = measured->asked;
	out->comm = measured->comm;
	out->exposed = step_exposed(measured->step.median, measured->compute);
	if (has_overlap(session, plan, out, measured, error)) {
		out->overlap = step_overlap(out->exposed, measured->comm);
		out->overlap_error = error;
	}
}

static void note_wrong(struct session *session, const struct step_row *row, const struct step_measured *measured)
{
	char name[80], text[256];

	if (measured->wrong <= 0)
		return;
	session_steps_name(row, name, sizeof name);
	snprintf(text, sizeof text, "wrong data: %s: %" PRId64 " elements, first on rank %d %s element %zu", name,
		 measured->wrong, measured->wrong_rank, measured->wrong_filling ? "in what fills a call up behind" : "at",
		 measured->wrong_first);
	notes_add(&session->after, "%s", text);
	fprintf(stderr, "%s: %s\n", session->parts->program, text);
}

int session_steps_row(struct session *session, const struct step_plan *plan, const struct step_row *row,
		      const struct step_measured *measured)
{
	const struct options *options = session->parts->options;
	const struct point point = { .coll = session->parts->coll,
				     .type = (enum dtype)options->type,
				     .op = REDOP_SUM,
				     .bytes_requested = options->max_bytes,
				     .bytes = options->max_bytes,
				     .variant = options->variant,
				     .shape = { .count = options->step->gradients.total } };
	const struct group_measurement own = { .stats = measured->step,
					       .rank_time_min = measured->rank_time_min,
					       .rank_time_avg = measured->rank_time_avg,
					       .rank_time_max = measured->rank_time_max,
					       .slowest_rank = measured->slowest_rank,
					       .kernel = NAN,
					       .enqueue = NAN,
					       .precise = measured->precise,
					       .late = measured->late,
					       .wrong = measured->wrong };
	char flags[160], now[32];
	struct result out;

	progress_wipe(&session->progress);
	session_row_begin(session, &point, &own, &out, flags, sizeof flags);
	facts_timestamp(session->backend.fake_clock ? clock_now(&session->clock) : facts_wall_clock(), now);
	out.placement = RESULT_OUT_OF_PLACE;
	out.nranks = session->backend.nranks;
	out.nnodes = session->group_nodes[0];
	out.flags = flags;
	out.sync = measured->sync;
	out.iters = (int64_t)measured->step.n;
	out.dropped = measured->dropped;
	fill_step(&out, session, plan, row, measured);
	out.algbw = out.time > 0 ? (double)out.bytes / out.time : NAN;
	out.timestamp = now;
	note_wrong(session, row, measured);
	session->left_out += measured->dropped;
	const int rc = output_row(&session->output, &out);

	progress_show(&session->progress, session->done);
	return rc;
}
