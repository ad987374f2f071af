/* SPDX-License-Identifier: Apache-2.0
 *
 * What NCCL has since 2.11: configuration, operations with a scalar, its own memory, registration, alltoall, gather, scatter.
 */
#include <stdlib.h>
#include <string.h>

#include "nccl_fake.h"

const int fake_newest = INT_MAX;

const char *ncclGetLastError(ncclComm_t comm)
{
	(void)comm;
	return fake_group()->last_error;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int nranks, ncclUniqueId id, int rank, ncclConfig_t *config)
{
	if (config && (config->magic != 0xcafebeef || config->size < 32 || config->size > 4096))
		fake_fail("ncclCommInitRankConfig: rank %d: the configuration was not initialised", rank);
	if (config && config->blocking != NCCL_CONFIG_UNDEF_INT && config->blocking != 1)
		fake_fail("ncclCommInitRankConfig: rank %d: only blocking communicators are here", rank);
	if (config && config->size > offsetof(ncclConfig_t, CTAPolicy) && config->CTAPolicy != NCCL_CONFIG_UNDEF_INT &&
	    (config->CTAPolicy < 0 || config->CTAPolicy > 3))
		return fake_error(ncclInvalidArgument, "ncclCommInitRankConfig: CTA policy %d", config->CTAPolicy);
	return fake_comm_init("ncclCommInitRankConfig", comm, nranks, &id, rank);
}

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t *op, void *scalar, ncclDataType_t type, ncclScalarResidence_t residence,
				      ncclComm_t comm)
{
	ncclResult_t result = fake_call_begin("ncclRedOpCreatePreMulSum", comm);
	struct fake_redop *redop;

	if (result)
		return result;
	if (!comm || !op || !scalar)
		fake_fail("ncclRedOpCreatePreMulSum: no communicator, operation or scalar");
	if ((int)type < 0 || type >= (fake_version() >= 22400 ? ncclNumTypes : ncclFloat8e4m3))
		return fake_error(ncclInvalidArgument, "ncclRedOpCreatePreMulSum: invalid type %d", (int)type);
	redop = (struct fake_redop *)calloc(1, sizeof(*redop));
	if (!redop)
		fake_fail("no memory for an operation");
	redop->type = type;
	redop->handle = fake_next_handle();
	if (residence == ncclScalarHostImmediate)
		memcpy(redop->scalar, scalar, fake_type_size((int)type));
	else if (fake_is_device_memory(scalar, fake_type_size((int)type), NULL))
		redop->device_scalar = scalar;
	else
		fake_fail("ncclRedOpCreatePreMulSum: rank %d: the scalar %p is not device memory", comm->rank, scalar);
	redop->next = comm->redops;
	comm->redops = redop;
	*op = (ncclRedOp_t)redop->handle;
	return ncclSuccess;
}

ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm)
{
	ncclResult_t result = fake_call_begin("ncclRedOpDestroy", comm);
	struct fake_redop **at, *redop;

	if (result)
		return result;
	if (!comm)
		fake_fail("ncclRedOpDestroy: no communicator");
	for (at = &comm->redops; *at && (*at)->handle != (int)op; at = &(*at)->next)
		;
	redop = *at;
	if (!redop)
		fake_fail("ncclRedOpDestroy: rank %d: the operation %d was not created for this communicator, or is destroyed",
			  comm->rank, (int)op);
	*at = redop->next;
	free(redop);
	return ncclSuccess;
}

ncclResult_t ncclMemAlloc(void **memory, size_t bytes)
{
	ncclResult_t result = fake_call_begin("ncclMemAlloc", NULL);

	if (result)
		return result;
	if (!memory || bytes == 0)
		fake_fail("ncclMemAlloc: %zu bytes to %p", bytes, (void *)memory);
	if (fake_allocate(fake_current_device(), bytes, (size_t)2 << 20, "ncclMemAlloc", memory))
		return fake_error(ncclUnhandledCudaError, "ncclMemAlloc: out of memory: %zu bytes on device %d", bytes,
				  fake_current_device());
	return ncclSuccess;
}

ncclResult_t ncclMemFree(void *memory)
{
	ncclResult_t result = fake_call_begin("ncclMemFree", NULL);

	if (!result)
		fake_release(memory, "ncclMemAlloc");
	return result;
}

static struct fake_registration *registration_add(ncclComm_t comm, const void *memory, size_t bytes, bool is_window)
{
	const char *function = is_window ? "ncclCommWindowRegister" : "ncclCommRegister";
	struct fake_registration *registration = (struct fake_registration *)calloc(1, sizeof(*registration));
	int device;

	if (!registration)
		fake_fail("no memory for a registration");
	if (!fake_is_device_memory(memory, bytes, &device) || device != comm->device)
		fake_fail("%s: rank %d: %p is not memory of its device of %zu bytes", function, comm->rank, memory, bytes);
	*registration = (struct fake_registration){ comm->registrations, memory, bytes, is_window };
	comm->registrations = registration;
	return registration;
}

static void registration_remove(ncclComm_t comm, const void *handle, bool is_window)
{
	const char *function = is_window ? "ncclCommWindowDeregister" : "ncclCommDeregister";
	struct fake_registration **at, *registration;

	for (at = &comm->registrations; *at && *at != handle; at = &(*at)->next)
		;
	registration = *at;
	if (!registration || registration->is_window != is_window)
		fake_fail("%s: rank %d: %p was not registered this way, or no longer is", function, comm->rank, handle);
	if (!fake_is_device_memory(registration->memory, registration->bytes, NULL))
		fake_fail("%s: rank %d: %p was freed before", function, comm->rank, registration->memory);
	*at = registration->next;
	free(registration);
}

ncclResult_t ncclCommRegister(const ncclComm_t comm, void *memory, size_t bytes, void **handle)
{
	ncclResult_t result = fake_call_begin("ncclCommRegister", comm);

	if (result)
		return result;
	if (!comm || !handle)
		fake_fail("ncclCommRegister: no communicator or no place for the handle");
	*handle = registration_add(comm, memory, bytes, false);
	return ncclSuccess;
}

ncclResult_t ncclCommDeregister(const ncclComm_t comm, void *handle)
{
	ncclResult_t result = fake_call_begin("ncclCommDeregister", comm);

	if (result)
		return result;
	if (!comm)
		fake_fail("ncclCommDeregister: no communicator");
	registration_remove(comm, handle, false);
	return ncclSuccess;
}

static bool all_registered(void *arg)
{
	const struct fake_job *job = (struct fake_job *)arg;
	const struct ncclComm *comm = job->comm;

	for (int rank = 0; rank < comm->nranks; rank++)
		if (atomic_load(&comm->meeting->seats[rank].windows) < job->number)
			return false;
	return true;
}

static void not_all_registered(void *arg)
{
	const struct fake_job *job = (struct fake_job *)arg;
	const struct ncclComm *comm = job->comm;

	for (int rank = 0; rank < comm->nranks; rank++)
		if (atomic_load(&comm->meeting->seats[rank].windows) < job->number)
			fake_fail("ncclCommWindowRegister: rank %d waits for rank %d, which did not come in %ld s (several in "
				  "one thread need "
				  "a group)",
				  comm->rank, rank, fake_limit());
}

static ncclResult_t window_begin(struct fake_job *job)
{
	struct fake_seat *seat = fake_own_seat(job->comm);

	job->number = ++job->comm->windows;
	seat->window_bytes[job->number % FAKE_WINDOWS] = job->bytes;
	atomic_store(&seat->windows, job->number);
	return ncclSuccess;
}

static ncclResult_t window_finish(struct fake_job *job)
{
	ncclComm_t comm = job->comm;
	const struct fake_wait wait = { &comm->meeting->bell, all_registered, not_all_registered, job };

	fake_ring(&comm->meeting->bell);
	if (!fake_wait(comm, &wait))
		return ncclSuccess;
	for (int rank = 0; rank < comm->nranks; rank++)
		if (comm->meeting->seats[rank].window_bytes[job->number % FAKE_WINDOWS] != job->bytes)
			fake_fail("ncclCommWindowRegister: ranks do not agree: rank %d registers %zu bytes, rank %d other",
				  comm->rank, job->bytes, rank);
	*job->window = (ncclWindow_t)(void *)registration_add(comm, job->memory, job->bytes, true);
	return ncclSuccess;
}

ncclResult_t ncclCommWindowRegister(ncclComm_t comm, void *memory, size_t bytes, ncclWindow_t *window, int flags)
{
	struct fake_job job = { .begin = window_begin, .finish = window_finish, .comm = comm, .memory = memory, .bytes = bytes };
	ncclResult_t result = fake_call_begin("ncclCommWindowRegister", comm);

	if (result)
		return result;
	if (!comm || !window || bytes == 0 || (flags & ~NCCL_WIN_COLL_SYMMETRIC))
		fake_fail("ncclCommWindowRegister: no communicator, no place for the window, %zu bytes or flags %d", bytes,
			  flags);
	if ((uintptr_t)memory % NCCL_WIN_REQUIRED_ALIGNMENT)
		fake_fail("ncclCommWindowRegister: rank %d: %p is not aligned to %d bytes", comm->rank, memory,
			  NCCL_WIN_REQUIRED_ALIGNMENT);
	job.window = window;
	fake_group_enter();
	fake_group_add_job(&job);
	return fake_group_leave();
}

ncclResult_t ncclCommWindowDeregister(ncclComm_t comm, ncclWindow_t window)
{
	ncclResult_t result = fake_call_begin("ncclCommWindowDeregister", comm);

	if (result)
		return result;
	if (!comm)
		fake_fail("ncclCommWindowDeregister: no communicator");
	registration_remove(comm, window, true);
	return ncclSuccess;
}

ncclResult_t ncclAlltoAll(const void *send, void *recv, size_t count, ncclDataType_t type, ncclComm_t comm, cudaStream_t stream)
{
	struct fake_op call = { .kind = FAKE_ALLTOALL, .comm = comm, .stream = stream, .send = send, .recv = recv };

	call.count = count;
	call.type = type;
	return fake_call("ncclAlltoAll", &call);
}

ncclResult_t ncclGather(const void *send, void *recv, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
			cudaStream_t stream)
{
	struct fake_op call = { .kind = FAKE_GATHER, .comm = comm, .stream = stream, .send = send, .recv = recv };

	call.count = count;
	call.type = type;
	call.root = root;
	return fake_call("ncclGather", &call);
}

ncclResult_t ncclScatter(const void *send, void *recv, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
			 cudaStream_t stream)
{
	struct fake_op call = { .kind = FAKE_SCATTER, .comm = comm, .stream = stream, .send = send, .recv = recv };

	call.count = count;
	call.type = type;
	call.root = root;
	return fake_call("ncclScatter", &call);
}
