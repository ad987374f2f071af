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

struct host_need {
	int node;
	int ranks;
	int cores;
	uint64_t need; /* of this process */
	uint64_t available;
	char name[64];
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

/* Two buffers, as much again as one of them where the library needs room to combine in, and the samples. */
static uint64_t rank_need(const struct session *session)
{
	const struct backend *backend = &session->backend;
	const uint64_t largest = session->total.max_bytes;
	const uint64_t bytes = largest < backend->data_limit ? largest : backend->data_limit;
	const uint64_t scratch = (session->parts->coll->flags & COLL_HAS_REDOP) && !backend->fake_clock ? bytes : 0;
	const uint64_t buffers = check_memory(saturating_add(bytes, session_shift(session)));

	return saturating_add(saturating_add(buffers, scratch), measure_memory(backend->nranks));
}

static int too_much(const struct session *session, const struct host_need *all, int size)
{
	for (int i = 0; i < size; i++) {
		const uint64_t need = saturating_mul(all[i].need, (uint64_t)all[i].ranks);

		if (need <= all[i].available)
			continue;
		fprintf(stderr,
			"%s: memory: %" PRIu64 " bytes a rank x %d ranks on host %s = %" PRIu64
			" bytes needed for sizes up to %" PRIu64 ", %" PRIu64
			" free: choose a smaller -e or fewer ranks a host\n",
			session->parts->program, all[i].need, all[i].ranks, all[i].name, need, session->total.max_bytes,
			all[i].available);
		return -1;
	}
	return 0;
}

static int gather_needs(struct session *session, struct host_need **all)
{
	struct launch *launch = session->parts->launch;
	struct host_need mine = { .node = launch->node,
				  .ranks = launch->local_size,
				  .cores = memory_cores(),
				  .need = saturating_mul(rank_need(session), (uint64_t)session->backend.nlocal) };
	FILE *file = fopen("/proc/sys/kernel/hostname", "r");

	if (!file || !fgets(mine.name, sizeof mine.name, file))
		snprintf(mine.name, sizeof mine.name, "node %d", launch->node);
	if (file)
		fclose(file);
	mine.name[strcspn(mine.name, "\n")] = '\0';
	if (session->backend.ops->memory_free(&session->backend, &mine.available))
		return -1;
	*all = calloc((size_t)launch->size, sizeof **all);
	if (!*all) {
		fprintf(stderr, "%s: out of memory for %d hosts\n", session->parts->program, launch->size);
		return -1;
	}
	return launch->ops->gather(launch, &mine, sizeof mine, *all);
}

int session_memory(struct session *session)
{
	struct launch *launch = session->parts->launch;
	struct host_need *all;
	int refused, rc;

	if (gather_needs(session, &all))
		return -1;
	refused = launch->rank == 0 && too_much(session, all, launch->size);
	free(all);
	rc = launch->ops->agree(launch, refused, &refused);
	return rc || refused ? -1 : 0;
}

int session_oversubscription(struct session *session)
{
	struct launch *launch = session->parts->launch;
	const int cores = memory_cores();
	const int over = !session->backend.fake_clock && !launch->simulated && launch->local_size > cores;
	int any;

	if (launch->ops->agree(launch, over ? launch->local_size : 0, &any))
		return -1;
	session->oversubscribed = any > 0;
	if (any > 0 && launch->rank == 0) {
		notes_add(&session->before,
			  "%d ranks on %d cores of a host: oversubscribed, times show the scheduler and not the network", any,
			  cores);
		fprintf(stderr, "%s: warning: %s\n", session->parts->program, session->before.lines[session->before.count - 1]);
	}
	return 0;
}

void session_dry_run(const struct session *session)
{
	struct sweep sweep;
	struct point point;
	const char *skip;
	const uint64_t need = rank_need(session);

	printf("# %s: %" PRIu64 " points, %d ranks, %" PRIu64 " bytes of memory a rank\n", session->parts->program,
	       session->total.points, session->backend.nranks, need);
	printf("# type redop root placement bytes_requested bytes count\n");
	sweep_begin(&sweep, session->parts->options, &session->backend, session->parts->coll);
	while (sweep_next(&sweep, &point, &skip)) {
		const unsigned flags = point.coll->flags;

		printf("%s %s %d %s %" PRIu64 " %zu %zu%s%s\n", dtypes[point.type].name,
		       flags & COLL_HAS_REDOP ? redop_names[point.op] : "none", flags & COLL_HAS_ROOT ? point.root : -1,
		       point.in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE, point.bytes_requested, point.bytes,
		       point.shape.count, skip ? " skipped: " : "", skip ? skip : "");
	}
}
