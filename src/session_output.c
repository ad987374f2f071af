/* SPDX-License-Identifier: Apache-2.0
 *
 * From what was measured to rows, and what the writers are told before and after them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch.h"
#include "session_parts.h"
#include "size.h"
#include "steer.h"

enum { HOST_BYTES = 64, DETAIL_BYTES = 96 };

/* What a process says of one of its ranks. */
struct rank_card {
	long pid;
	int device;
	int node;
	char host[HOST_BYTES];
	char detail[DETAIL_BYTES];
};

static int describe_rank(struct session *session, int local, struct rank_card *card)
{
	struct backend *backend = &session->backend;

	*card = (struct rank_card){ .pid = backend->fake_clock ? 0 : (long)getpid(),
				    .device = backend->nlocal > 1 ? local : session->parts->launch->local_rank,
				    .node = session->parts->launch->node };
	if (backend->fake_clock || gethostname(card->host, sizeof card->host - 1))
		snprintf(card->host, sizeof card->host, "sim");
	snprintf(card->detail, sizeof card->detail, "%s", backend->ops->name);
	return backend->ops->describe ? backend->ops->describe(backend, local, &card->device, card->detail, sizeof card->detail)
				      : 0;
}

static int gather_ranks(struct session *session, struct rank_card **cards)
{
	struct launch *launch = session->parts->launch;
	const size_t nlocal = (size_t)session->backend.nlocal;
	struct rank_card *mine = calloc(nlocal, sizeof *mine);
	int rc = -1;

	*cards = calloc((size_t)session->backend.nranks, sizeof **cards);
	if (!mine || !*cards) {
		fprintf(stderr, "%s: out of memory for %d ranks\n", session->parts->program, session->backend.nranks);
		session_abort(session->parts);
		goto out; /* which abort never comes back to do */
	}
	for (size_t i = 0; i < nlocal; i++)
		if (describe_rank(session, (int)i, &mine[i]))
			session_abort(session->parts);
	rc = launch->ops->gather(launch, mine, nlocal * sizeof *mine, *cards);
out:
	free(mine);
	return rc;
}

/* Nodes of each group: a rank counts when no earlier rank of its group is on the same. */
static void count_nodes(struct session *session, const struct rank_card *cards)
{
	const struct groups *groups = &session->groups;

	for (int group = 0; group < groups->count && groups->count > 1; group++) {
		for (int i = groups->first[group]; i < groups->nranks; i++) {
			int earlier = groups->first[group];

			while (earlier < i && (groups->of[earlier] != group || cards[earlier].node != cards[i].node))
				earlier++;
			session->group_nodes[group] += groups->of[i] == group && earlier == i;
		}
	}
	if (groups->count == 1)
		session->group_nodes[0] = session->parts->launch->nnodes;
}

static int list_ranks(struct session *session, const struct rank_card *cards)
{
	const int n = session->backend.nranks;

	session->ranks = calloc((size_t)n, sizeof *session->ranks);
	session->texts = calloc((size_t)n, HOST_BYTES + DETAIL_BYTES);
	session->group_nodes = calloc((size_t)session->group_capacity + 1, sizeof *session->group_nodes);
	if (!session->ranks || !session->texts || !session->group_nodes) {
		fprintf(stderr, "%s: out of memory for %d ranks\n", session->parts->program, n);
		return -1;
	}
	for (int i = 0; i < n; i++) {
		char *host = session->texts + (size_t)i * (HOST_BYTES + DETAIL_BYTES), *detail = host + HOST_BYTES;

		memcpy(host, cards[i].host, HOST_BYTES);
		memcpy(detail, cards[i].detail, DETAIL_BYTES);
		session->ranks[i] = (struct run_rank){ .rank = i,
						       .group = session->world.of[i],
						       .pid = cards[i].pid,
						       .host = host,
						       .device = cards[i].device,
						       .detail = detail };
	}
	if (session->parts->options->pairs)
		for (int i = 0; i < n; i++)
			session->nodes[i] = cards[i].node;
	else
		count_nodes(session, cards);
	return 0;
}

static void note_skip(struct session *session, const struct sweep_skip *skip)
{
	const bool reduces = skip->first.coll->flags & COLL_HAS_REDOP;

	notes_add(&session->before, "%" PRIu64 " point%s skipped, such as %s%s%s: %s", skip->points, skip->points == 1 ? "" : "s",
		  dtypes[skip->first.type].name, reduces ? " " : "", reduces ? redop_names[skip->first.op] : "", skip->reason);
}

static void note_skips(struct session *session)
{
	const struct sweep_total *total = &session->total;
	char size[24];

	if (total->zero_below > 0)
		notes_add(&session->before, "sizes up to %s are under one element, or under a block of 16 bytes a rank: skipped",
			  size_format(total->zero_below, size, sizeof size));
	for (size_t i = 0; i < SWEEP_SKIPS && total->skips[i].reason; i++)
		note_skip(session, &total->skips[i]);
	if (total->max_buffer > session->backend.data_limit && session->parts->options->check > 0)
		notes_add(&session->before, "data over %s are not moved and not checked here, only timed",
			  size_format(session->backend.data_limit, size, sizeof size));
	if ((session->parts->coll->flags & COLL_NO_DATA) && strcmp(session->backend.ops->name, "nccl") == 0)
		notes_add(&session->before,
			  "NCCL has no barrier: an all-reduce of one byte is timed, which ends when all have begun");
	if (session->parts->note)
		notes_add(&session->before, "%s", session->parts->note);
	if (session->parts->steer)
		steer_tell(session->parts->steer, &session->before);
	if (session->parts->options->step)
		session_steps_note(session);
	if (session->parts->options->pairs)
		session_pairs_note(session);
	else if (session->groups.count > 1 && session->groups.least == session->groups.most)
		notes_add(&session->before, "%d groups of %d ranks call at the same time", session->groups.count,
			  session->groups.least);
	else if (session->groups.count > 1)
		notes_add(&session->before, "%d groups of %d to %d ranks call at the same time", session->groups.count,
			  session->groups.least, session->groups.most);
	session_exchange_note(session);
	session_uneven_note(session);
	if (session->backend.flags && strstr(session->backend.flags, RESULT_FLAG_SIMULATED))
		notes_add(&session->before, "the library is a stand-in for tests: nothing here is a measurement");
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
		.per_iter = options->per_iter,
		.cpu_time = options->cpu_time,
		.ngroups = session->world.count,
		.variants = session_has_variants(session),
		.timestamps = options->timestamps,
		.ranks = session->ranks,
		.nranks = (size_t)session->backend.nranks,
		.facts = session->facts.items,
		.nfacts = session->facts.count,
		.topo = &session->topo,
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
	    (parts->steer && steer_facts(parts->steer, &session->facts)) ||
	    facts_environment(&session->environment, parts->steer) || facts_labels(&session->labels, parts->options))
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

	if (gather_ranks(session, &cards)) {
		free(cards);
		return -1;
	}
	failed = launch->rank == 0 && begin_writers(session, cards);
	free(cards);
	return launch->ops->agree(launch, failed, &failed) || failed ? -1 : 0;
}

static void note_host_bound(struct session *session)
{
	if (session->host_bound > 0)
		notes_add(&session->after,
			  "%" PRIu64
			  " rows are host_bound: queueing a call took as long as the call, so the host's launch rate was "
			  "measured (--hold measures the device's)",
			  session->host_bound);
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
	/* Where ranks share cores nobody tried. Until a precision is reached leaving out is a matter of course, but not of a number that was asked for. */
	if (session->imprecise > 0 && !session->oversubscribed)
		notes_add(&session->after,
			  "%" PRIu64 " of %" PRIu64
			  " points did not reach a half interval of %g %% within %g s; left out as late: %" PRId64
			  " timed calls or steps",
			  session->imprecise, session->done, session->parts->options->ci * 100, session->parts->options->max_time,
			  session->left_out);
	else if (session->left_out > 0 && (session->parts->options->iters > 0 || session->parts->options->step))
		notes_add(&session->after, "left out as late: %" PRId64 " timed calls or steps", session->left_out);
}

int session_end(struct session *session, const char *why)
{
	struct launch *launch = session->parts->launch;
	char ended[32];
	double foreign;
	int failed = 0;

	if (facts_foreign_cpu(launch, &session->cpu, &foreign) ||
	    (session->backend.ops->report && session->backend.ops->report(&session->backend, &session->after)))
		return -1;
	if (launch->rank == 0) {
		note_host_bound(session);
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
