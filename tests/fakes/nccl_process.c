/* SPDX-License-Identifier: Apache-2.0
 *
 * What the stand-in of libnccl knows of this process: the communicators that it ever had, and what each thread has in its group. A group that is
 * still open when its thread or the process ends is wrong use.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nccl_fake.h"

const char collperf_fake[] = "stand-in of NCCL on host memory";

struct process {
	pthread_mutex_t mutex;
	pthread_once_t once;
	pthread_key_t ends; /* of a thread that has a group */
	struct ncclComm *comms;
	atomic_int handles;
};

static struct process *process(void)
{
	static struct process one = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_ONCE_INIT, 0, NULL, ncclNumOps };

	return &one;
}

static struct fake_group *own_group(void)
{
	static _Thread_local struct fake_group group;

	return &group;
}

static void group_ends(void *value)
{
	struct fake_group *group = (struct fake_group *)value;

	if (group->depth > 0 && group->error == ncclSuccess)
		fake_fail("a thread ends with ncclGroupStart open %d deep", group->depth);
	free(group->ops);
	free(group->jobs);
	group->ops = NULL;
	group->jobs = NULL;
}

static void process_ends(void)
{
	group_ends(own_group());
}

static void start(void)
{
	if (pthread_key_create(&process()->ends, group_ends) || atexit(process_ends))
		fake_fail("no memory for libnccl");
}

struct fake_group *fake_group(void)
{
	struct fake_group *group = own_group();

	pthread_once(&process()->once, start);
	pthread_setspecific(process()->ends, group);
	return group;
}

void fake_comm_add(ncclComm_t comm)
{
	pthread_mutex_lock(&process()->mutex);
	comm->next = process()->comms;
	process()->comms = comm;
	pthread_mutex_unlock(&process()->mutex);
}

void fake_comm_check(ncclComm_t comm, const char *function)
{
	const struct ncclComm *known;
	const char *gone = NULL;

	pthread_mutex_lock(&process()->mutex);
	for (known = process()->comms; known && known != comm; known = known->next)
		;
	if (known)
		gone = known->gone;
	pthread_mutex_unlock(&process()->mutex);
	if (!known)
		fake_fail("%s: %p is no communicator", function, (void *)comm);
	if (gone)
		fake_fail("%s: the communicator of rank %d is used after %s", function, comm->rank, gone);
}

int fake_next_handle(void)
{
	return atomic_fetch_add(&process()->handles, 1);
}

ncclResult_t fake_error(ncclResult_t result, const char *format, ...)
{
	struct fake_group *group = fake_group();
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(group->last_error, sizeof(group->last_error), format, arguments);
	va_end(arguments);
	if (group->depth > 0 && group->error == ncclSuccess)
		group->error = result;
	return result;
}

ncclResult_t fake_call_begin(const char *function, ncclComm_t comm)
{
	if (comm)
		fake_comm_check(comm, function);
	if (fake_enter(function, comm ? comm->rank : -1, comm ? comm->device : fake_current_device()))
		return fake_error(ncclUnhandledCudaError, "%s: an error as asked for", function);
	return ncclSuccess;
}

int fake_version(void)
{
	long version = fake_setting("nccl");

	return version < fake_newest ? (int)version : fake_newest;
}

const char *fake_kind_name(enum fake_kind kind)
{
	static const char *const names[] = { "ncclAllReduce",     "ncclBroadcast", "ncclReduce", "ncclAllGather",
					     "ncclReduceScatter", "ncclAlltoAll",  "ncclGather", "ncclScatter",
					     "ncclSend",          "ncclRecv" };

	return names[kind];
}

const char *fake_type_name(int type)
{
	static const char *const names[] = { "int8", "uint8", "int32",  "uint32",   "int64",  "uint64",
					     "half", "float", "double", "bfloat16", "f8e4m3", "f8e5m2" };

	return type >= 0 && type < ncclNumTypes ? names[type] : "?";
}

size_t fake_type_size(int type)
{
	static const unsigned char sizes[] = { 1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1 };

	return sizes[type];
}

const char *fake_redop_name(int redop)
{
	static const char *const names[] = { "sum", "prod", "max", "min", "avg", "mulsum" };

	return names[redop];
}
