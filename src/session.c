/* SPDX-License-Identifier: Apache-2.0
 *
 * The course of a run. Collective steps that can fail on one rank alone end the job through the launch, so that nobody waits for ever.
 */
#include "session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch.h"
#include "memory.h"
#include "session_parts.h"
#include "session_steps.h"
#include "watch.h"

static const double FIRST_WARM_UP = 0.1; /* seconds: cores at speed, ranks moved to their own cores */

void session_abort(const struct session_parts *parts)
{
	watch_failed(parts->watch);
	parts->launch->ops->abort(parts->launch, SESSION_FAILED);
}

static int open_measure(struct session *session)
{
	const struct session_parts *parts = session->parts;
	const struct options *options = parts->options;
	const struct backend *backend = &session->backend;
	const uint64_t largest = session->total.max_buffer < backend->data_limit ? session->total.max_buffer
										 : backend->data_limit;
	const bool skewed = options->inject.kind == INJECT_CLOCK && options->inject.rank == backend->first_rank;

	session->check = check_open(&session->backend, largest, session_shift(session));
	if (!session->check ||
	    clock_open(&session->clock, &session->backend, parts->launch, skewed ? options->inject.seconds : 0))
		return -1;
	const struct measure_parts measure = { .launch = parts->launch,
					       .backend = &session->backend,
					       .watch = parts->watch,
					       .check = session->check,
					       .clock = &session->clock,
					       .options = options,
					       .buffer_bytes = largest,
					       .oversubscribed = session->oversubscribed,
					       .quiet = parts->launch->quiet };

	session->measure = measure_open(&measure);
	return session->measure ? 0 : -1;
}

/* Whether what --inject spoils is looked at in any point. */
static bool sees_corruption(const struct session *session)
{
	const struct options *options = session->parts->options;
	const uint64_t size = options->inject.bytes;
	struct sweep sweep;
	struct point point;
	const char *skip;

	if (options->step)
		return session_steps_see_corruption(session);
	sweep_begin(&sweep, options, &session->backend, session->parts->coll);
	while (sweep_next(&sweep, &point, &skip))
		if (!skip && (size == 0 || size == point.bytes_requested) && point.buffer <= session->backend.data_limit &&
		    !(point.coll->flags & COLL_NO_DATA))
			return true;
	return false;
}

/* Refusals that every rank knows alike. */
static enum session_code refuse(const struct session *session)
{
	const struct session_parts *parts = session->parts;
	const struct options *options = parts->options;
	const bool speaks = parts->launch->rank == 0;
	char text[160];

	if ((parts->coll->flags & COLL_HAS_ROOT) && options->root >= session->groups.least) {
		if (speaks)
			fprintf(stderr, "%s: -r: there is no rank %d among %d%s\n", parts->program, options->root,
				session->groups.least, session->groups.count > 1 ? " of the smallest group" : "");
		return SESSION_USAGE;
	}
	if (options->pairs && session->backend.nranks < 2) {
		if (speaks)
			fprintf(stderr, "%s: --pairs: one rank makes no pair\n", parts->program);
		return SESSION_NOTHING;
	}
	if (!session_matrix_fits(session))
		return SESSION_USAGE;
	if (session_exchange_refuses(session, text, sizeof text)) {
		if (speaks)
			fprintf(stderr, "%s: %s\n", parts->program, text);
		return SESSION_USAGE;
	}
	if (options->inject.kind != INJECT_NONE && options->inject.rank >= session->backend.nranks) {
		if (speaks)
			fprintf(stderr, "%s: --inject: there is no rank %d among %d\n", parts->program, options->inject.rank,
				session->backend.nranks);
		return SESSION_USAGE;
	}
	if (session->total.points == 0) {
		if (speaks)
			fprintf(stderr, "%s: nothing can be measured: %s\n", parts->program,
				session->total.skips[0].reason ? session->total.skips[0].reason : sweep_too_small);
		return SESSION_NOTHING;
	}
	if (options->inject.kind == INJECT_CORRUPT && !sees_corruption(session)) {
		if (speaks)
			fprintf(stderr, "%s: --inject: corrupt data are never seen where nothing is checked\n", parts->program);
		return SESSION_USAGE;
	}
	return SESSION_OK;
}

static void tell_watch(const struct session *session, const struct point *point)
{
	const bool is_variant = point->variant && *point->variant;
	char what[224];

	if (point->coll->flags & COLL_NO_DATA)
		snprintf(what, sizeof what, "%s", point->coll->name);
	else
		snprintf(what, sizeof what, "%s%s%s, %zu bytes, %s%s%s, %s", point->coll->name, is_variant ? ", " : "",
			 is_variant ? point->variant : "", point->bytes, dtypes[point->type].name,
			 point->coll->flags & COLL_HAS_REDOP ? " " : "",
			 point->coll->flags & COLL_HAS_REDOP ? redop_names[point->op] : "",
			 point->in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE);
	if (session->parts->options->pairs)
		session_pairs_name(session, what, sizeof what);
	watch_point(session->parts->watch, what);
}

/* 0 to go on, 1 to stop in good order, -1 when this rank failed. */
static int do_point(struct session *session, const struct point *point)
{
	struct launch *launch = session->parts->launch;
	struct measurement measured;
	bool failed;
	const struct pattern *const *patterns = session_patterns(session, point, &failed);
	int state = 0;

	tell_watch(session, point);
	if (failed || measure_point(session->measure, point, patterns, &measured))
		return -1;
	session_way_point(session, point);
	watch_phase(session->parts->watch, WATCH_OUTPUT);
	if (launch->rank == 0 && !measured.stop && session_rows(session, point, &measured))
		state = 2;
	if (measured.stop || watch_interrupted(session->parts->watch))
		state = state > 1 ? state : 1;
	return launch->ops->agree(launch, state, &state) ? -1 : state;
}

int session_sweep(struct session *session)
{
	struct sweep sweep;
	struct point point;
	const char *skip;

	sweep_begin(&sweep, session->parts->options, &session->backend, session->parts->coll);
	while (sweep_next(&sweep, &point, &skip)) {
		const int state = skip ? 0 : do_point(session, &point);

		if (skip && point.evened)
			session_uneven_alone(session, skip);
		if (state)
			return state;
	}
	return 0;
}

static int do_sweep(struct session *session)
{
	const struct options *options = session->parts->options;
	int state = 0;

	if (options->step)
		return session_steps(session);
	for (long cycle = 0; state == 0 && (options->cycles == 0 || cycle < options->cycles); cycle++)
		state = options->pairs ? session_pairs(session) : session_sweep(session);
	return state;
}

static int warm_up(struct session *session)
{
	const bool needed = !session->backend.fake_clock && !session->parts->launch->simulated;

	watch_phase(session->parts->watch, WATCH_WARMUP);
	return needed && measure_warm_up(session->measure, &session->total.smallest, FIRST_WARM_UP) ? -1 : 0;
}

static enum session_code verdict(const struct session *session, int state)
{
	struct launch *launch = session->parts->launch;
	int code = state ? SESSION_FAILED : session->wrong > 0 ? SESSION_WRONG : SESSION_OK;

	return launch->ops->agree(launch, code, &code) ? SESSION_FAILED : (enum session_code)code;
}

static void tell_interrupted(const struct session *session)
{
	const char *program = session->parts->program;

	if (session->planned > 0)
		fprintf(stderr, "%s: interrupted: %" PRIu64 " of %" PRIu64 " points were measured\n", program, session->done,
			session->planned);
	else
		fprintf(stderr, "%s: interrupted: %" PRIu64 " points were measured\n", program, session->done);
}

static enum session_code measure_all(struct session *session)
{
	struct launch *launch = session->parts->launch;
	int state;

	if (session_memory(session) || session_oversubscription(session) || session_topology(session))
		return SESSION_FAILED;
	watch_phase(session->parts->watch, WATCH_PREPARE);
	if (open_measure(session))
		session_abort(session->parts);
	if (session_begin(session))
		return SESSION_FAILED;
	facts_cpu(&session->cpu);
	progress_open(&session->progress, launch->rank == 0 && !session->backend.fake_clock, session->planned);
	state = warm_up(session);
	if (state == 0)
		state = session_way(session);
	if (state == 0)
		state = do_sweep(session);
	if (state < 0) {
		/* A call that failed as the watch is ending this process: that has the word. */
		watch_set_hooks(session->parts->watch, NULL);
		session_abort(session->parts);
	}
	if (state == 1 && launch->rank == 0)
		tell_interrupted(session);
	if (session_end(session, state == 1 ? "interrupted" : state == 2 ? "output failed" : ""))
		state = 2;
	return verdict(session, state);
}

static uint64_t unfinished(void *arg)
{
	const struct backend *backend = arg;

	return backend->ops->unfinished(backend);
}

static void abort_calls(void *arg)
{
	struct backend *backend = arg;

	backend->ops->abort(backend);
}

/* 1 as the backend's open. */
static int open_backend(struct session *session)
{
	const struct session_parts *parts = session->parts;
	struct backend *backend = &session->backend;
	struct watch_hooks hooks = { .nlocal = parts->backend->local_ranks(parts->options), .arg = backend };

	watch_phase(parts->watch, WATCH_PREPARE);
	watch_set_hooks(parts->watch, &hooks);
	if (groups_open(&session->world, &parts->options->split, parts->launch->size * hooks.nlocal))
		return -1;
	session->groups = session->world;
	session->group_capacity = session->world.count;
	const int rc = parts->backend->open(backend, parts->launch, parts->options, &session->world);

	if (rc)
		return rc;
	hooks.unfinished = backend->ops->unfinished ? unfinished : NULL;
	hooks.abort = backend->ops->abort ? abort_calls : NULL;
	watch_set_hooks(parts->watch, &hooks);
	return parts->options->pairs ? session_pairs_open(session) : 0;
}

static void close_all(struct session *session)
{
	measure_close(session->measure);
	check_close(session->check);
	session_patterns_free(session);
	topo_clear(&session->topo);
	facts_free(&session->facts);
	facts_free(&session->end_facts);
	facts_free(&session->environment);
	facts_free(&session->labels);
	notes_free(&session->before);
	notes_free(&session->after);
	free(session->ranks);
	free(session->texts);
	free(session->group_nodes);
	free(session->serial);
	free(session->uneven);
	watch_set_hooks(session->parts->watch, NULL);
	session->backend.ops->close(&session->backend);
	if (session->parts->options->pairs)
		session_pairs_close(session);
	groups_close(&session->world);
}

static int count(struct session *session)
{
	const struct session_parts *parts = session->parts;

	if (parts->options->step)
		return session_steps_count(session);
	sweep_count(parts->options, &session->backend, parts->coll, &session->total);
	return 0;
}

static int dry_run(const struct session *session)
{
	if (session->parts->options->step)
		return session_steps_dry_run(session);
	session_dry_run(session);
	return 0;
}

enum session_code session_run(const struct session_parts *parts)
{
	struct session session = { .parts = parts };
	enum session_code code;

	const int opened = open_backend(&session);

	if (opened < 0)
		session_abort(parts);
	if (opened > 0) {
		groups_close(&session.world);
		return SESSION_FAILED;
	}
	if (count(&session))
		session_abort(parts);
	session.planned = session.total.points * (uint64_t)parts->options->cycles;
	session.planned *= parts->options->pairs ? session_pairs_rows(&session) : (uint64_t)session.groups.count;
	code = refuse(&session);
	if (code == SESSION_OK && parts->options->dry_run) {
		if (parts->launch->rank == 0 && dry_run(&session))
			session_abort(parts);
	} else if (code == SESSION_OK) {
		code = measure_all(&session);
	}
	close_all(&session);
	return code;
}
