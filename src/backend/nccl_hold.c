/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream that does nothing until all calls of a piece of a loop are queued. Work that a stream waits for in front: a kernel that spins on a word of
 * host memory, else a host function that does. Why it cannot end in a deadlock: no more calls are queued behind it than the driver takes without
 * blocking (about 1024 launches), every path that queues releases afterwards, and a hold that nobody releases ends by itself.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "nccl_run.h"

/* Queueing as many calls takes about a millisecond; ending by itself must not come after an abort's two seconds. */
static const double LIMIT = 1.5;

/* Of one rank. */
struct nccl_hold {
	atomic_int *released;       /* host memory that the device sees; NULL: not made */
	void *released_from_device; /* the same as the device calls it */
	double since, until;
};

static int make_flag(struct nccl_state *state, int local, struct nccl_hold *hold)
{
	const struct nccl_api *api = &state->api;
	const struct nccl_rank *rank = &state->ranks[local];
	void *flag = NULL;

	if (nccl_use_device(state, rank) ||
	    nccl_check_cuda(state, rank,
			    api->host_allocate(&flag, sizeof(atomic_int), cudaHostAllocMapped | cudaHostAllocPortable),
			    "cudaHostAlloc"))
		return -1;
	hold->released = flag;
	return nccl_check_cuda(state, rank, api->host_device_pointer(&hold->released_from_device, flag, 0),
			       "cudaHostGetDevicePointer");
}

static void free_holds(const struct nccl_state *state, struct nccl_hold *holds)
{
	for (int local = 0; local < state->nlocal; local++)
		if (holds[local].released)
			state->api.host_release(holds[local].released);
	free(holds);
}

struct nccl_hold *nccl_hold_open(struct nccl_state *state)
{
	struct nccl_hold *holds = calloc((size_t)state->nlocal, sizeof *holds);

	if (!holds) {
		fprintf(stderr, "nccl: out of memory for the holds of %d ranks\n", state->nlocal);
		return NULL;
	}
	for (int local = 0; state->hold && local < state->nlocal; local++) {
		if (make_flag(state, local, &holds[local])) {
			free_holds(state, holds);
			return NULL;
		}
	}
	return holds;
}

/* After a failure a stream may come to its hold, which looks at this memory, at any later time. */
static bool is_in_use(const struct nccl_state *state)
{
	for (int local = 0; local < state->nlocal; local++)
		if (atomic_load(&state->ranks[local].busy))
			return true;
	return false;
}

void nccl_hold_close(struct nccl_state *state, struct nccl_hold *hold)
{
	if (hold && !is_in_use(state))
		free_holds(state, hold);
}

/* Not counted from `since`: the stream may come to it later. */
static void CUDART_CB hold_on_host(void *arg)
{
	const struct nccl_hold *hold = arg;
	const double until = nccl_clock() + LIMIT;

	while (!atomic_load_explicit(hold->released, memory_order_acquire) && nccl_clock() < until)
		sched_yield();
}

int nccl_hold_begin(struct nccl_state *state, int local)
{
	struct nccl_hold *hold = &state->holds[local];
	const struct nccl_rank *rank = &state->ranks[local];

	atomic_store(hold->released, 0);
	hold->since = nccl_clock();
	hold->until = 0;
	if (nccl_use_device(state, rank))
		return -1;
	if (nccl_device(&(struct backend){ .state = state }))
		return nccl_verify_spin(state, local, hold->released_from_device, (uint64_t)(LIMIT * 1e9));
	return nccl_check_cuda(state, rank, state->api.launch_host_function(rank->stream, hold_on_host, hold),
			       "cudaLaunchHostFunc");
}

void nccl_hold_release(struct nccl_state *state, int local)
{
	struct nccl_hold *hold = &state->holds[local];

	atomic_store_explicit(hold->released, 1, memory_order_release);
	hold->until = nccl_clock();
}

int nccl_hold_check(struct nccl_state *state, int local)
{
	const struct nccl_hold *hold = &state->holds[local];
	const struct nccl_rank *rank = &state->ranks[local];

	if (hold->until - hold->since < LIMIT)
		return 0;
	fprintf(stderr, "nccl: --hold: queueing took %.1f s, longer than a stream is held (rank %d, GPU %d [%s] on host %s)\n",
		hold->until - hold->since, rank->rank, rank->device, rank->pci, state->host);
	return -1;
}
