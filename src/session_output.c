/* SPDX-License-Identifier: Apache-2.0
 *
 * From what was measured to rows, and what the writers are told before and after them.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch.h"
#include "session_parts.h"
#include "size.h"

enum { HOST_BYTES = 64 };

struct rank_card {
	long pid;
	int device;
	char host[HOST_BYTES];
};

static int gather_ranks(struct session *session, struct rank_card **cards)
{
	struct launch *launch = session->parts->launch;
	struct rank_card mine = { .pid = session->backend.fake_clock ? 0 : (long)getpid(), .device = launch->local_rank };

	if (session->backend.fake_clock || gethostname(mine.host, sizeof mine.host - 1))
		snprintf(mine.host, sizeof mine.host, "sim");
	*cards = calloc((size_t)launch->size, sizeof **cards);
	if (!*cards) {
		fprintf(stderr, "%s: out of memory for %d ranks\n", session->parts->program, launch->size);
		return -1;
	}
	return launch->ops->gather(launch, &mine, sizeof mine, *cards);
}

static int list_ranks(struct session *session, const struct rank_card *cards)
{
	const int n = session->backend.nranks, nlocal = session->backend.nlocal;

	session->ranks = calloc((size_t)n, sizeof *session->ranks);
	session->hosts = calloc((size_t)n, HOST_BYTES);
	if (!session->ranks || !session->hosts) {
		fprintf(stderr, "%s: out of memory for %d ranks\n", session->parts->program, n);
		return -1;
	}
	for (int i = 0; i < n; i++) {
		const struct rank_card *card = &cards[i / nlocal];
		char *host = session->hosts + (size_t)i * HOST_BYTES;

		memcpy(host, card->host, HOST_BYTES);
		session->ranks[i] = (struct run_rank){ .rank = i,
						       .pid = card->pid,
						       .host = host,
						       .device = nlocal > 1 ? i % nlocal : card->device,
						       .detail = session->backend.ops->name };
	}
	return 0;
}

static void note_skips(struct session *session)
{
	const struct sweep_total *total = &session->total;
	char size[24];

	if (total->zero_below > 0)
		notes_add(&session->before, "sizes up to %s are under one element, or under a block of 16 bytes a rank: skipped",
			  size_format(total->zero_below, size, sizeof size));
	for (size_t i = 0; i < SWEEP_SKIPS && total->skips[i].reason; i++)
		notes_add(&session->before, "%" PRIu64 " points skipped, such as %s %s: %s", total->skips[i].points,
			  dtypes[total->skips[i].first.type].name,
			  total->skips[i].first.coll->flags & COLL_HAS_REDOP ? redop_names[total->skips[i].first.op] : "",
			  total->skips[i].reason);
	if (total->max_bytes > session->backend.data_limit && session->parts->options->check > 0)
		notes_add(&session->before, "data over %s are not moved and not checked here, only timed",
			  size_format(session->backend.data_limit, size, sizeof size));
	if (session->backend.nranks == 1) {
		notes_add(&session->before, "1 rank: no traffic between ranks, busbw does not apply");
		fprintf(stderr, "%s: warning: 1 rank: no traffic between ranks\n", session->parts->program);
	}
	if (session->clock.unstable)
		notes_add(&session->before, "the clocks of the hosts jump: samples start from a barrier and carry its skew");
}

static double timestamp(struct session *session)
{
	return session->backend.fake_clock ? clock_now(&session->clock) : facts_wall_clock();
}

static void name_run(struct session *session)
{
	const struct options *options = session->parts->options;

	facts_timestamp(timestamp(session), session->started);
	if (options->run)
		snprintf(session->run, sizeof session->run, "%s", options->run);
	else if (session->backend.fake_clock)
		snprintf(session->run, sizeof session->run, "sim-%" PRIu64, options->seed);
	else
		snprintf(session->run, sizeof session->run, "%s-%s-%ld", session->started, session->parts->coll->name,
			 (long)getpid());
}

static void fill_info(struct session *session)
{
	const struct options *options = session->parts->options;

	session->info = (struct run_info){
		.program = session->parts->program,
		.version = COLLPERF_VERSION,
		.headers = session->backend.headers,
		.library = session->backend.library,
		.run = session->run,
		.started = session->started,
		.nthreads = (int)options->nthreads,
		.ngpus = (int)options->ngpus,
		.min_bytes = options->min_bytes,
		.max_bytes = options->max_bytes,
		.step_is_factor = options->step_factor > 1,
		.step = options->step_factor > 1 ? options->step_factor : options->step_bytes,
		.warmup = options->warmup,
		.iters = options->iters,
		.agg_iters = options->agg_iters,
		.check = options->check,
		.graph = options->graph,
		.unalign = options->unalign,
		.timestamps = options->timestamps,
		.ranks = session->ranks,
		.nranks = (size_t)session->backend.nranks,
		.facts = session->facts.items,
		.nfacts = session->facts.count,
		.environment = session->environment.items,
		.nenvironment = session->environment.count,
		.labels = session->labels.items,
		.nlabels = session->labels.count,
		.args = (const char *const *)session->parts->argv,
		.nargs = (size_t)session->parts->argc,
		.notes = (const char *const *)session->before.lines,
		.nnotes = session->before.count,
	};
}

static int begin_writers(struct session *session, const struct rank_card *cards)
{
	const struct session_parts *parts = session->parts;
	if (list_ranks(session, cards) ||
	    facts_collect(&session->facts, &session->backend, parts->launch, &session->clock, parts->options) ||
	    facts_environment(&session->environment) || facts_labels(&session->labels, parts->options))
		return -1;
	note_skips(session);
	name_run(session);
	fill_info(session);
	return output_begin(&session->output, parts->options, &session->info);
}

int session_begin(struct session *session)
{
	struct launch *launch = session->parts->launch;
	struct rank_card *cards;
	int failed;

	if (gather_ranks(session, &cards))
		return -1;
	failed = launch->rank == 0 && begin_writers(session, cards);
	free(cards);
	return launch->ops->agree(launch, failed, &failed) || failed ? -1 : 0;
}

static void end_facts(struct session *session, double foreign)
{
	if (foreign >= 0 && !session->backend.fake_clock && !session->parts->launch->simulated) {
		facts_add(&session->end_facts, "foreign_cpu_cores", "%.3f", foreign);
		if (foreign > 0.2)
			notes_add(&session->after, "other programs used %.1f cores of host %s meanwhile", foreign,
				  session->ranks[0].host);
	}
	facts_add(&session->end_facts, "points", "%" PRIu64, session->done);
	facts_add(&session->end_facts, "points_precise", "%" PRIu64, session->done - session->imprecise);
	facts_add(&session->end_facts, "clock_error_us", "%.3f", session->clock.error * 1e6);
	/* Where ranks share cores nobody tried. */
	if (session->imprecise > 0 && !session->oversubscribed)
		notes_add(&session->after, "%" PRIu64 " of %" PRIu64 " points did not reach a half interval of %g %% within %g s",
			  session->imprecise, session->done, session->parts->options->ci * 100,
			  session->parts->options->max_time);
}

int session_end(struct session *session, const char *why)
{
	struct launch *launch = session->parts->launch;
	char ended[32];
	double foreign;
	int failed = 0;

	if (facts_foreign_cpu(launch, &session->cpu, &foreign))
		return -1;
	if (launch->rank == 0) {
		end_facts(session, foreign);
		facts_timestamp(timestamp(session), ended);
		const struct run_summary summary = { .complete = !*why,
						     .why = why,
						     .wrong = session->wrong,
						     .ended = ended,
						     .notes = (const char *const *)session->after.lines,
						     .nnotes = session->after.count,
						     .facts = session->end_facts.items,
						     .nfacts = session->end_facts.count };
		failed = output_end(&session->output, &summary) != 0;
	}
	return launch->ops->agree(launch, failed, &failed) || failed ? -1 : 0;
}

static void add_flag(char *flags, size_t size, bool wanted, const char *flag)
{
	if (!wanted)
		return;
	const size_t length = strlen(flags);

	snprintf(flags + length, size - length, "%s%s", length ? " " : "", flag);
}

static void write_flags(const struct session *session, const struct measurement *measured, char *flags, size_t size)
{
	flags[0] = '\0';
	add_flag(flags, size, session->oversubscribed, RESULT_FLAG_OVERSUBSCRIBED);
	add_flag(flags, size, !measured->precise, RESULT_FLAG_NOISY);
	add_flag(flags, size, measured->late, RESULT_FLAG_LATE);
	add_flag(flags, size, measured->stats.median < 100 * session->clock.step, RESULT_FLAG_SHORT);
	add_flag(flags, size, measured->wrong < 0, RESULT_FLAG_UNCHECKED);
	add_flag(flags, size, session->backend.fake_clock, RESULT_FLAG_SIMULATED);
}

static void fill_times(struct result *row, const struct measurement *measured, const struct point *point, int nranks)
{
	const struct stats *stats = &measured->stats;

	row->time = stats->median;
	row->time_ci_low = stats->ci_low;
	row->time_ci_high = stats->ci_high;
	row->time_min = stats->min;
	row->time_mean = stats->mean;
	row->time_stddev = stats->stddev;
	row->time_p95 = stats->p95;
	row->time_p99 = stats->p99;
	row->time_max = stats->max;
	row->rank_time_min = measured->rank_time_min;
	row->rank_time_avg = measured->rank_time_avg;
	row->rank_time_max = measured->rank_time_max;
	row->slowest_rank = measured->slowest_rank;
	row->iters = measured->iters;
	row->dropped = measured->dropped;
	if (stats->median > 0) {
		row->algbw = (double)point->bytes / stats->median;
		if (nranks > 1)
			row->busbw = row->algbw * point->coll->bus_factor(nranks);
	}
}

/* What a row cannot hold: which rank was wrong or late. */
static void note_point(struct session *session, const struct point *point, const struct measurement *measured)
{
	char text[256];

	if (measured->wrong > 0) {
		snprintf(text, sizeof text,
			 "wrong data: %s, %zu bytes, %s: %" PRId64 " elements, first on rank %d at element %zu",
			 point->coll->name, point->bytes, point->in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE,
			 measured->wrong, measured->wrong_rank, measured->wrong_first);
		notes_add(&session->after, "%s", text);
		progress_wipe(&session->progress);
		fprintf(stderr, "%s: %s\n", session->parts->program, text);
	}
	/* With more ranks than cores somebody is always late, and who is chance. */
	if (measured->late && measured->late_rank >= 0 && !session->oversubscribed)
		notes_add(&session->after,
			  "late arriver: rank %d came %.0f us after the common start at %zu bytes; its samples were kept",
			  measured->late_rank, measured->late_time * 1e6, point->bytes);
}

int session_row(struct session *session, const struct point *point, const struct measurement *measured)
{
	const struct session_parts *parts = session->parts;
	char flags[160], now[32];
	struct result row;

	result_clear(&row);
	session->done++;
	session->imprecise += !measured->precise;
	session->wrong += measured->wrong > 0 ? measured->wrong : 0;
	write_flags(session, measured, flags, sizeof flags);
	facts_timestamp(timestamp(session), now);
	row.schema = RESULT_SCHEMA;
	row.point = (int64_t)session->done;
	if (session->planned > 0)
		row.points = (int64_t)session->planned;
	row.run = session->run;
	row.collective = point->coll->name;
	row.backend = session->backend.ops->name;
	row.library = session->backend.library;
	row.path = session->backend.path;
	row.algo = session->backend.algo;
	row.nranks = session->backend.nranks;
	row.nnodes = parts->launch->nnodes;
	row.type = dtypes[point->type].name;
	row.redop = point->coll->flags & COLL_HAS_REDOP ? redop_names[point->op] : "";
	if (point->coll->flags & COLL_HAS_ROOT)
		row.root = point->root;
	row.placement = point->in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE;
	row.bytes_requested = (int64_t)point->bytes_requested;
	row.bytes = (int64_t)point->bytes;
	row.count = (int64_t)point->shape.count;
	row.timing = parts->options->timing == TIMING_LOOP ? "loop" : "sync";
	row.sync = measured->sync;
	fill_times(&row, measured, point, session->backend.nranks);
	if (measured->wrong >= 0)
		row.wrong = measured->wrong;
	row.flags = flags;
	row.timestamp = now;
	note_point(session, point, measured);
	progress_wipe(&session->progress);
	const int rc = output_row(&session->output, &row);

	progress_show(&session->progress, session->done);
	return rc;
}
