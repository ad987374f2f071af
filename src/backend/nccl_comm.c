/* SPDX-License-Identifier: Apache-2.0
 *
 * Communicators: one a group, their unique ids made by rank 0's process and told over the launch. Also the streams and events that belong to a rank.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../launch.h"
#include "nccl_state.h"

static const double ENTER_LIMIT = 0.5, ABORT_LIMIT = 1.5; /* seconds */
const double nccl_look = 1e-3;

enum { EXIT_BACKEND = 3 };

static int make_ids(const struct nccl_state *state, ncclUniqueId *ids)
{
	for (int group = 0; group < state->groups->count; group++) {
		if (nccl_check(state, NULL, state->api.unique_id(&ids[group]), "ncclGetUniqueId"))
			return -1;
		if (group > 0 && memcmp(&ids[group], &ids[0], sizeof ids[0]) == 0) {
			fprintf(stderr, "nccl: ncclGetUniqueId makes the same id for every group: unset NCCL_COMM_ID\n");
			return -1;
		}
	}
	return 0;
}

/* ids[groups->count], to be freed. NULL after one line. */
static ncclUniqueId *share_ids(const struct nccl_state *state)
{
	struct launch *launch = state->launch;
	ncclUniqueId *ids = calloc((size_t)state->groups->count, sizeof *ids);
	int failed = !ids;

	if (failed)
		fprintf(stderr, "nccl: out of memory for %d ids\n", state->groups->count);
	else if (launch->rank == 0)
		failed = make_ids(state, ids) != 0;
	if (launch->ops->agree(launch, failed, &failed) || failed ||
	    launch->ops->broadcast(launch, ids, (size_t)state->groups->count * sizeof *ids)) {
		free(ids);
		return NULL;
	}
	return ids;
}

/* What goes on beside compute comes first where both want a multiprocessor. */
static int open_stream(const struct nccl_state *state, struct nccl_rank *rank)
{
	const struct nccl_api *api = &state->api;
	int least, greatest;

	if (!state->steps)
		return nccl_check_cuda(state, rank, api->stream_create(&rank->stream, cudaStreamNonBlocking),
				       "cudaStreamCreateWithFlags");
	if (nccl_check_cuda(state, rank, api->priority_range(&least, &greatest), "cudaDeviceGetStreamPriorityRange"))
		return -1;
	return nccl_check_cuda(state, rank, api->stream_create_priority(&rank->stream, cudaStreamNonBlocking, greatest),
			       "cudaStreamCreateWithPriority");
}

static int open_streams(struct nccl_state *state, struct nccl_rank *rank)
{
	const struct nccl_api *api = &state->api;

	if (nccl_use_device(state, rank))
		return -1;
	if (!state->stream_null && open_stream(state, rank))
		return -1;
	if (nccl_check_cuda(state, rank, api->event_create(&rank->begin, cudaEventDefault), "cudaEventCreateWithFlags") ||
	    nccl_check_cuda(state, rank, api->event_create(&rank->end, cudaEventDefault), "cudaEventCreateWithFlags"))
		return -1;
	return 0;
}

/* A group call: the ranks of a process wait for each other in it. */
static int init_ranks(struct nccl_state *state, const ncclUniqueId *ids, int first, int count)
{
	const struct nccl_api *api = &state->api;
	int rc = nccl_check(state, NULL, api->group_start(), "ncclGroupStart");

	if (rc)
		return rc;
	for (int i = first; i < first + count && rc == 0; i++) {
		struct nccl_rank *rank = &state->ranks[i];

		rc = nccl_use_device(state, rank);
		if (rc == 0)
			rc = nccl_check(state, rank,
					nccl_init_comm(state, &rank->comm, rank->members, ids[rank->group], rank->member),
					"ncclCommInitRank");
	}
	const ncclResult_t ended = api->group_end();

	return rc ? rc : nccl_check(state, NULL, ended, "ncclCommInitRank");
}

/* Other threads wait inside NCCL for one that failed, and there is no communicator yet that could be aborted. */
static int init_thread(struct nccl_state *state, int thread, void *arg)
{
	if (init_ranks(state, arg, thread * state->ngpus, state->ngpus) == 0)
		return 0;
	if (state->nthreads > 1)
		state->launch->ops->abort(state->launch, EXIT_BACKEND);
	return -1;
}

static int init(struct nccl_state *state, ncclUniqueId *ids)
{
	const int rc = state->parallel_init ? nccl_threads_run(state->threads, init_thread, ids)
					    : init_ranks(state, ids, 0, state->nlocal);

	if (rc && state->shared_gpu)
		fprintf(stderr,
			"nccl: ranks share a GPU: NCCL needs a process for each with an NCCL_HOSTID of its own, or from 2.30 on "
			"NCCL_MULTI_RANK_GPU_ENABLE=1\n");
	return rc;
}

/* What the communicators take of the first GPU is told with -M. */
static int measured_init(struct nccl_state *state, ncclUniqueId *ids)
{
	struct backend_memory before, after;

	if (nccl_devices_memory(state, 0, &before) || init(state, ids) || nccl_devices_memory(state, 0, &after))
		return -1;
	state->memory_comms = after.available < before.available ? before.available - after.available : 0;
	return 0;
}

int nccl_comms_open(struct nccl_state *state)
{
	ncclUniqueId *ids = share_ids(state);
	int rc = ids ? 0 : -1;

	for (int i = 0; i < state->nlocal && rc == 0; i++)
		rc = open_streams(state, &state->ranks[i]);
	if (rc == 0)
		rc = measured_init(state, ids);
	free(ids);
	return rc;
}

/* What was aborted is gone, and what still runs on the device would hang whoever waits for it. */
void nccl_comms_close(struct nccl_state *state)
{
	const struct nccl_api *api = &state->api;

	for (int i = 0; i < state->nlocal && !atomic_load(&state->aborted); i++) {
		struct nccl_rank *rank = &state->ranks[i];

		if (nccl_use_device(state, rank))
			continue;
		nccl_redops_close(state, rank);
		if (rank->comm)
			nccl_check(state, rank, api->comm_destroy(rank->comm), "ncclCommDestroy");
		rank->comm = NULL;
		if (rank->begin)
			nccl_check_cuda(state, rank, api->event_destroy(rank->begin), "cudaEventDestroy");
		if (rank->end)
			nccl_check_cuda(state, rank, api->event_destroy(rank->end), "cudaEventDestroy");
		if (rank->stream)
			nccl_check_cuda(state, rank, api->stream_destroy(rank->stream), "cudaStreamDestroy");
	}
}

/* Outlives nccl_comms_abort where an abort hangs. */
struct aborts {
	const struct nccl_state *state;
	atomic_int left, next;
};

static void *abort_next(void *arg)
{
	struct aborts *aborts = arg;
	const struct nccl_state *state = aborts->state;
	const struct nccl_rank *rank = &state->ranks[atomic_fetch_add(&aborts->next, 1)];

	state->api.set_device(rank->device);
	if (rank->comm)
		state->api.comm_abort(rank->comm);
	atomic_fetch_sub(&aborts->left, 1);
	return NULL;
}

static const struct timespec nap = { .tv_nsec = 1000000 }; /* a thousandth of the limits */

static void wait_for(const struct aborts *aborts)
{
	for (int i = 0; i < (int)(ABORT_LIMIT * 1000) && atomic_load(&aborts->left) > 0; i++)
		nanosleep(&nap, NULL);
}

/* Both sides write first and look then, in one order for all: who enters sees the abort, or the abort sees who is inside. */
bool nccl_comms_enter(struct nccl_state *state, struct nccl_rank *first)
{
	atomic_store(&first->inside, true);
	if (!atomic_load(&state->aborted))
		return true;
	atomic_store(&first->inside, false);
	return false;
}

void nccl_comms_leave(struct nccl_rank *first)
{
	atomic_store_explicit(&first->inside, false, memory_order_release);
}

static bool is_anyone_inside(const struct nccl_state *state)
{
	for (int i = 0; i < state->nlocal; i++)
		if (atomic_load(&state->ranks[i].inside))
			return true;
	return false;
}

/* Aborting frees what a call that is being queued still uses. One that hangs in there is what the abort is for. */
static void wait_outside(const struct nccl_state *state)
{
	for (int i = 0; i < (int)(ENTER_LIMIT * 1000) && is_anyone_inside(state); i++)
		nanosleep(&nap, NULL);
}

/* Communicators of one process wait for each other while they abort, so each has a thread; one may hang, so nobody joins them. */
void nccl_comms_abort(struct nccl_state *state)
{
	struct aborts *aborts;
	pthread_attr_t detached;
	pthread_t thread;

	if (atomic_exchange(&state->aborted, true))
		return;
	wait_outside(state);
	for (int i = 0; i < state->nlocal && state->holds; i++)
		nccl_hold_release(state, i);
	aborts = calloc(1, sizeof *aborts);
	if (!aborts)
		return;
	aborts->state = state;
	atomic_init(&aborts->left, state->nlocal);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < state->nlocal; i++)
		if (pthread_create(&thread, &detached, abort_next, aborts))
			atomic_fetch_sub(&aborts->left, 1);
	pthread_attr_destroy(&detached);
	wait_for(aborts);
	if (atomic_load(&aborts->left) == 0)
		free(aborts);
}

static int poll_errors(const struct nccl_state *state, const struct nccl_rank *rank)
{
	ncclResult_t error = ncclSuccess;

	if (nccl_check(state, rank, state->api.async_error(rank->comm, &error), "ncclCommGetAsyncError"))
		return -1;
	return nccl_check(state, rank, error, "asynchronous error");
}

int nccl_comms_look(struct nccl_state *state, struct nccl_rank *first)
{
	int rc = 0;

	if (!nccl_comms_enter(state, first))
		return -1;
	for (int i = 0; i < state->ngpus && rc == 0; i++)
		if (atomic_load_explicit(&first[i].busy, memory_order_relaxed))
			rc = poll_errors(state, &first[i]);
	nccl_comms_leave(first);
	return rc;
}
