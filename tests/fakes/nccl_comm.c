/* SPDX-License-Identifier: Apache-2.0
 *
 * Communicators: initialisation (at once or in a group), destruction, abort, asynchronous errors. A rank's work is over before its communicator is
 * destroyed; abort ends work that hangs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nccl_fake.h"

static const char token_owner[] = "ncclCommInitRank";

static bool all_present(void *arg)
{
	const struct ncclComm *comm = (struct ncclComm *)arg;

	for (int rank = 0; rank < comm->nranks; rank++)
		if (atomic_load(&comm->meeting->seats[rank].presence) < FAKE_PRESENT)
			return false;
	return true;
}

static void not_all_present(void *arg)
{
	const struct ncclComm *comm = (struct ncclComm *)arg;
	char missing[256] = "";

	for (int rank = 0; rank < comm->nranks; rank++) {
		size_t used = strlen(missing);

		if (atomic_load(&comm->meeting->seats[rank].presence) < FAKE_PRESENT)
			snprintf(missing + used, sizeof(missing) - used, " %d", rank);
	}
	fake_fail("ncclCommInitRank: rank %d waits for ranks%s, which did not come in %ld s (several in one thread need a group)",
		  comm->rank, missing, fake_limit());
}

static ncclResult_t init_begin(struct fake_job *job)
{
	ncclComm_t comm = (ncclComm_t)calloc(1, sizeof(*comm));
	ncclResult_t result;

	if (!comm)
		fake_fail("no memory for a communicator");
	comm->rank = job->rank;
	comm->nranks = job->nranks;
	comm->device = job->device;
	if (fake_allocate(comm->device, FAKE_TOKEN, 0, token_owner, &comm->token)) {
		free(comm);
		return fake_error(ncclUnhandledCudaError, "ncclCommInitRank: out of memory on device %d", job->device);
	}
	result = fake_meeting_open(comm, &job->id);
	if (result) {
		fake_release(comm->token, token_owner);
		free(comm);
		return result;
	}
	job->comm = comm;
	return ncclSuccess;
}

static ncclResult_t refuse(ncclComm_t comm, int other)
{
	const struct fake_seat *seat = fake_own_seat(comm);

	return fake_error(ncclInvalidUsage, "Duplicate GPU detected : rank %d and rank %d both on CUDA device %s", comm->rank,
			  other, seat->bus);
}

static ncclResult_t init_finish(struct fake_job *job)
{
	ncclComm_t comm = job->comm;
	const struct fake_wait wait = { &comm->meeting->bell, all_present, not_all_present, comm };
	const struct fake_seat *seat = fake_own_seat(comm);

	fake_wait(comm, &wait);
	for (int rank = 0; rank < comm->nranks; rank++) {
		const struct fake_seat *other = &comm->meeting->seats[rank];

		if (rank != comm->rank && other->host == seat->host && strcmp(other->bus, seat->bus) == 0)
			return refuse(comm, rank);
	}
	fake_comm_add(comm);
	fake_log_connect(comm);
	*job->to = comm;
	return ncclSuccess;
}

ncclResult_t fake_comm_init(const char *function, ncclComm_t *comm, int nranks, const ncclUniqueId *id, int rank)
{
	struct fake_job job = { .begin = init_begin, .finish = init_finish, .is_init = true, .to = comm, .id = *id };
	int device = fake_current_device();

	if (fake_enter(function, rank, device))
		return fake_error(ncclUnhandledCudaError, "%s: an error as asked for", function);
	if (!comm || nranks < 1 || nranks > FAKE_RANKS || rank < 0 || rank >= nranks)
		fake_fail("%s: rank %d of %d ranks (at most %d), to %p", function, rank, nranks, FAKE_RANKS, (void *)comm);
	if (device < 0)
		return fake_error(ncclUnhandledCudaError, "%s: no CUDA-capable device", function);
	job.nranks = nranks;
	job.rank = rank;
	job.device = device;
	fake_group_enter();
	fake_group_add_job(&job);
	return fake_group_leave();
}

ncclResult_t ncclGetVersion(int *version)
{
	if (fake_call_begin("ncclGetVersion", NULL))
		return ncclUnhandledCudaError;
	*version = fake_version();
	return ncclSuccess;
}

const char *ncclGetErrorString(ncclResult_t result)
{
	static const char *const texts[] = { "no error",
					     "unhandled cuda error",
					     "unhandled system error",
					     "internal error",
					     "invalid argument",
					     "invalid usage",
					     "remote process exited or there was a network error",
					     "NCCL operation in progress" };

	return (unsigned)result < ncclNumResults ? texts[result] : "unknown result code";
}

ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
	ncclResult_t result = fake_call_begin("ncclGetUniqueId", NULL);

	return result ? result : fake_meeting_make(id);
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int nranks, ncclUniqueId id, int rank)
{
	return fake_comm_init("ncclCommInitRank", comm, nranks, &id, rank);
}

/* From here on a use is seen; others may look at the flag at this moment, so the memory stays. */
static void leave(ncclComm_t comm, const char *function, enum fake_presence presence)
{
	comm->gone = function;
	atomic_store(&fake_own_seat(comm)->presence, presence);
	fake_ring(&comm->meeting->bell);
	while (comm->redops) {
		struct fake_redop *next = comm->redops->next;

		free(comm->redops);
		comm->redops = next;
	}
}

ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
	ncclResult_t result = fake_call_begin("ncclCommDestroy", comm);

	if (result)
		return result;
	if (!comm)
		fake_fail("ncclCommDestroy: no communicator");
	if (fake_group()->depth > 0)
		fake_fail("ncclCommDestroy: rank %d, inside a group", comm->rank);
	if (atomic_load(&comm->running))
		fake_fail("ncclCommDestroy: rank %d has work that is not complete", comm->rank);
	if (atomic_load(&comm->graphs))
		fake_fail("ncclCommDestroy: rank %d has calls in graphs that still exist", comm->rank);
	if (comm->registrations)
		fake_fail("ncclCommDestroy: rank %d still has a registered buffer", comm->rank);
	fake_release(comm->token, token_owner);
	leave(comm, "ncclCommDestroy", FAKE_DESTROYED);
	fake_meeting_close(comm);
	return ncclSuccess;
}

/* Work that is queued still runs afterwards, and finds that there is nothing to do. */
ncclResult_t ncclCommAbort(ncclComm_t comm)
{
	const struct timespec nap = { 0, 1000 * 1000 };
	ncclResult_t result = fake_call_begin("ncclCommAbort", comm);

	if (result)
		return result;
	if (!comm)
		fake_fail("ncclCommAbort: no communicator");
	atomic_store(&comm->aborted, true);
	fake_ring(&fake_own_seat(comm)->event);
	fake_ring(&comm->meeting->bell);
	for (int naps = 0; atomic_load(&comm->running); naps++) {
		if (naps > 5000)
			fake_fail("ncclCommAbort: work of rank %d does not end", comm->rank);
		nanosleep(&nap, NULL);
	}
	leave(comm, "ncclCommAbort", FAKE_ABORTED);
	return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error)
{
	ncclResult_t result = fake_call_begin("ncclCommGetAsyncError", comm);

	if (result)
		return result;
	if (!comm || !error)
		fake_fail("ncclCommGetAsyncError: no communicator or no place for the error");
	*error = (ncclResult_t)atomic_load(&comm->async);
	return ncclSuccess;
}
