/* SPDX-License-Identifier: Apache-2.0
 *
 * Before anything is allocated: does the sweep fit into what is free, host by host, and do the ranks have a core each?
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch.h"
#include "memory.h"
#include "session_parts.h"
#include "step.h"

/* What ranks of one process need, and of which memory. */
struct need {
	int node;
	int ranks;
	uint64_t bytes; /* each */
	struct backend_memory memory;
	char host[64];
};

static uint64_t saturating_mul(uint64_t a, uint64_t b)
{
	return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

size_t session_shift(const struct session *session)
{
	const struct options *options = session->parts->options;

	return (size_t)options->unalign * dtypes[options->type == OPTION_ALL ? DTYPE_INT64 : options->type].size;
}

static uint64_t saturating_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Two buffers; in a host's memory as much again as one of them where the library needs room to combine in, and the samples. */
static uint64_t rank_need(const struct session *session, bool on_host)
{
	const struct backend *backend = &session->backend;
	const uint64_t largest = session->total.max_buffer;
	const uint64_t bytes = largest < backend->data_limit ? largest : backend->data_limit;
	const uint64_t scratch = (session->parts->coll->flags & COLL_HAS_REDOP) && !backend->fake_clock ? bytes : 0;
	const uint64_t buffers = check_memory(saturating_add(bytes, session_shift(session)));

	if (session->parts->options->step)
		return saturating_add(saturating_add(buffers, session_steps_memory(session)),
				      on_host ? session_steps_host_memory(session) : 0);
	if (!on_host)
		return buffers;
	return saturating_add(saturating_add(buffers, scratch + session_staging(session, bytes)),
			      measure_memory(backend->nranks));
}

static bool shares_memory(const struct need *a, const struct need *b)
{
	return a->node == b->node && strcmp(a->memory.name, b->memory.name) == 0;
}

/* The first of the entries that share memory with entry i. */
static int first_sharer(const struct need *all, int i)
{
	int first = 0;

	while (!shares_memory(&all[first], &all[i]))
		first++;
	return first;
}

static int too_much(const struct session *session, const struct need *all, int count)
{
	const struct options *options = session->parts->options;

	for (int i = 0; i < count; i++) {
		const struct need *need = &all[i];
		uint64_t available = need->memory.available;
		char kept[64];
		int ranks = 0;

		if (first_sharer(all, i) < i)
			continue;
		for (int j = i; j < count; j++) {
			if (!shares_memory(need, &all[j]))
				continue;
			ranks += all[j].ranks;
			available = all[j].memory.available < available ? all[j].memory.available : available;
		}
		const uint64_t sum = saturating_mul(need->bytes, (uint64_t)ranks);

		if (sum <= available)
			continue;
		snprintf(kept, sizeof kept, " beside %" PRIu64 " kept for the library", need->memory.kept);
		fprintf(stderr,
			"%s: memory: %" PRIu64 " bytes a rank x %d ranks on %s%shost %s = %" PRIu64 " bytes needed for %s%" PRIu64
			" bytes, %" PRIu64 " free%s: choose %s or fewer ranks a host\n",
			session->parts->program, need->bytes, ranks, need->memory.name, *need->memory.name ? " of " : "",
			need->host, sum, options->step ? "gradients of " : "sizes up to ",
			options->step ? options->max_bytes : session->total.max_bytes, available,
			need->memory.kept > 0 ? kept : "", options->step ? "fewer gradients" : "a smaller -e");
		return -1;
	}
	return 0;
}

static void host_name(const struct launch *launch, char *name, size_t size)
{
	FILE *file = fopen("/proc/sys/kernel/hostname", "r");

	if (!file || !fgets(name, (int)size, file))
		snprintf(name, size, "node %d", launch->node);
	if (file)
		fclose(file);
	name[strcspn(name, "\n")] = '\0';
}

/* Ranks that use their host's memory are one entry a process, others one each. */
static int gather_needs(struct session *session, struct need **all, int *count)
{
	struct launch *launch = session->parts->launch;
	struct backend *backend = &session->backend;
	struct need *mine = calloc((size_t)backend->nlocal, sizeof *mine);
	int entries = 0, rc = -1;

	for (int i = 0; mine && i < backend->nlocal && (i == 0 || *mine[0].memory.name); i++, entries++) {
		if (backend->ops->memory_free(backend, i, &mine[i].memory))
			goto out;
		mine[i].node = launch->node;
		mine[i].ranks = *mine[i].memory.name ? 1 : backend->nlocal;
		mine[i].bytes = rank_need(session, !*mine[i].memory.name);
		host_name(launch, mine[i].host, sizeof mine[i].host);
	}
	*count = launch->size * entries;
	*all = calloc((size_t)*count + 1, sizeof **all);
	if (mine && *all)
		rc = launch->ops->gather(launch, mine, (size_t)entries * sizeof *mine, *all);
	else
		fprintf(stderr, "%s: out of memory for %d ranks\n", session->parts->program, backend->nranks);
out:
	free(mine);
	return rc;
}

int session_memory(struct session *session)
{
	struct launch *launch = session->parts->launch;
	struct need *all = NULL;
	int count = 0, refused, rc;

	/* A rank that fails here alone leaves the others waiting. */
	if (gather_needs(session, &all, &count))
		session_abort(session->parts);
	refused = launch->rank == 0 && too_much(session, all, count);
	free(all);
	rc = launch->ops->agree(launch, refused, &refused);
	return rc || refused ? -1 : 0;
}

/* Of a process, that want a core each. */
static long threads(const struct options *options)
{
	return options->step && options->step->progress == STEP_THREAD ? 2 * options->nthreads : options->nthreads;
}

int session_oversubscription(struct session *session)
{
	struct launch *launch = session->parts->launch;
	const int cores = memory_cores();
	const long busy = (long)launch->local_size * threads(session->parts->options);
	const bool over = !session->backend.fake_clock && !launch->simulated && busy > cores;
	int any;

	if (launch->ops->agree(launch, over ? (int)busy : 0, &any))
		return -1;
	session->oversubscribed = any > 0;
	if (any > 0 && launch->rank == 0) {
		notes_add(&session->before,
			  "%d %s on %d cores of a host: oversubscribed, times show the scheduler and not the network", any,
			  threads(session->parts->options) > 1 ? "threads" : "ranks", cores);
		fprintf(stderr, "%s: warning: %s\n", session->parts->program, session->before.lines[session->before.count - 1]);
	}
	return 0;
}

void session_dry_run(const struct session *session)
{
	struct sweep sweep;
	struct point point;
	const char *skip;
	const uint64_t need = rank_need(session,
					session->backend.ops->host_view((struct backend *)&session->backend, 0, NULL) != NULL);

	printf("# %s: %" PRIu64 " points, %d ranks, %" PRIu64 " bytes of memory a rank\n", session->parts->program,
	       session->total.points, session->backend.nranks, need);
	printf("# type redop root placement bytes_requested bytes count\n");
	sweep_begin(&sweep, session->parts->options, &session->backend, session->parts->coll);
	while (sweep_next(&sweep, &point, &skip)) {
		const unsigned flags = point.coll->flags;

		printf("%s %s %d %s %" PRIu64 " %zu %zu%s%s%s%s\n", flags & COLL_NO_DATA ? "none" : dtypes[point.type].name,
		       flags & COLL_HAS_REDOP ? redop_names[point.op] : "none", flags & COLL_HAS_ROOT ? point.root : -1,
		       point.in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE, point.bytes_requested, point.bytes,
		       point.shape.count, point.variant && *point.variant ? ", " : "", point.variant ? point.variant : "",
		       skip ? " skipped: " : "", skip ? skip : "");
	}
}
