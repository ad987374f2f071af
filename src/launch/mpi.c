/* SPDX-License-Identifier: Apache-2.0
 *
 * Bring-up over MPI: a communicator of our own for control messages, so that they never meet a measured call, host numbering, and the offset
 * between clocks. Knows nothing of backends.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../launch.h"
#include "parts.h"

enum { HOST_BYTES = MPI_MAX_PROCESSOR_NAME + 64 };

struct mpi_launch {
	MPI_Comm comm;
	int *nodes; /* of every process */
};

static int check(int rc, const char *call)
{
	char text[MPI_MAX_ERROR_STRING];
	int length = 0;

	if (rc == MPI_SUCCESS)
		return 0;
	MPI_Error_string(rc, text, &length);
	fprintf(stderr, "launch: %s: %.*s\n", call, length, text);
	return -1;
}

/*
 * A blocking act of MPI spins, and never meets one that does not block: where some processes sleep, all begin and then wait. So do the acts whose algorithm
 * somebody may have forced upon the calls that are measured (--algo): libraries choose apart for those that do not block, and do not refuse ours.
 */
static int doze(const struct launch *launch, int begun, MPI_Request *request)
{
	const struct timespec nap = { .tv_nsec = 50000 };
	int done = 0, rc = begun;

	while (launch->asleep && rc == MPI_SUCCESS && !done) {
		rc = MPI_Test(request, &done, MPI_STATUS_IGNORE);
		if (!done)
			nanosleep(&nap, NULL);
	}
	return rc;
}

static int check_both(int dozed, int waited, const char *call)
{
	return check(dozed, call) || check(waited, call) ? -1 : 0;
}

static int mpi_broadcast(struct launch *launch, void *data, size_t size)
{
	struct mpi_launch *state = launch->state;
	MPI_Request request = MPI_REQUEST_NULL;
	const int rc = doze(launch, MPI_Ibcast(data, (int)size, MPI_BYTE, 0, state->comm, &request), &request);

	return check_both(rc, MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Ibcast");
}

static int mpi_gather(struct launch *launch, const void *mine, size_t size, void *all)
{
	struct mpi_launch *state = launch->state;
	const int bytes = (int)size;
	MPI_Request request = MPI_REQUEST_NULL;

	if (!launch->quiet)
		return check(MPI_Gather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, 0, state->comm), "MPI_Gather");
	const int rc = doze(launch, MPI_Igather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, 0, state->comm, &request), &request);

	return check_both(rc, MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Igather");
}

static int mpi_agree(struct launch *launch, int value, int *largest)
{
	struct mpi_launch *state = launch->state;
	MPI_Request request = MPI_REQUEST_NULL;
	const int rc = doze(launch, MPI_Iallreduce(&value, largest, 1, MPI_INT, MPI_MAX, state->comm, &request), &request);

	return check_both(rc, MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Iallreduce");
}

/* Nobody leaves an agreement before all have come. */
static int mpi_barrier(struct launch *launch)
{
	struct mpi_launch *state = launch->state;
	int ignored;

	return launch->quiet ? mpi_agree(launch, 0, &ignored) : check(MPI_Barrier(state->comm), "MPI_Barrier");
}

/* Rank 0's side: answer every ping of `peer` with the time it was seen. */
static int answer_pings(MPI_Comm comm, int peer, double (*now)(void *), void *arg)
{
	for (int i = 0; i < PARTS_PINGS; i++) {
		double time;

		if (check(MPI_Recv(&time, 1, MPI_DOUBLE, peer, 1, comm, MPI_STATUS_IGNORE), "MPI_Recv"))
			return -1;
		time = now(arg);
		if (check(MPI_Send(&time, 1, MPI_DOUBLE, peer, 1, comm), "MPI_Send"))
			return -1;
	}
	return 0;
}

static int send_pings(MPI_Comm comm, double (*now)(void *), void *arg, struct parts_clock *clock)
{
	for (int i = 0; i < PARTS_PINGS; i++) {
		double sent = now(arg), seen = sent;

		if (check(MPI_Send(&seen, 1, MPI_DOUBLE, 0, 1, comm), "MPI_Send") ||
		    check(MPI_Recv(&seen, 1, MPI_DOUBLE, 0, 1, comm, MPI_STATUS_IGNORE), "MPI_Recv"))
			return -1;
		parts_ping(clock, sent, seen, now(arg));
	}
	return 0;
}

static int mpi_clock_offset(struct launch *launch, double (*now)(void *), void *arg, double *offset, double *error)
{
	struct mpi_launch *state = launch->state;
	struct parts_clock clock = { .best = 1e9 };

	for (int peer = 1; peer < launch->size; peer++) {
		if (launch->rank == 0 && answer_pings(state->comm, peer, now, arg))
			return -1;
		if (launch->rank == peer && send_pings(state->comm, now, arg, &clock))
			return -1;
	}
	parts_clock_read(&clock, launch->node == 0, offset, error);
	return 0;
}

static void *end_soon(void *code)
{
	const struct timespec patience = { .tv_sec = 1 };

	nanosleep(&patience, NULL);
	_Exit((int)(intptr_t)code);
}

/*
 * MPICH's MPI_Abort over UCX waits until the peers make progress, and a peer that waits for a GPU makes none. Whoever ends without MPI_Finalize takes the
 * others along just as well.
 */
static void mpi_abort(struct launch *launch, int code)
{
	struct mpi_launch *state = launch->state;
	pthread_t guard;

	if (!launch->simulated)
		(void)pthread_create(&guard, NULL, end_soon, (void *)(intptr_t)code);
	MPI_Abort(state->comm, code);
	_Exit(code);
}

static void mpi_close(struct launch *launch)
{
	struct mpi_launch *state = launch->state;

	MPI_Comm_free(&state->comm);
	free(state->nodes);
	free(state);
	launch->state = NULL;
	MPI_Finalize();
}

static const struct launch_ops mpi_ops = {
	.barrier = mpi_barrier,
	.broadcast = mpi_broadcast,
	.gather = mpi_gather,
	.agree = mpi_agree,
	.clock_offset = mpi_clock_offset,
	.abort = mpi_abort,
	.close = mpi_close,
};

static int number_nodes(struct launch *launch, struct mpi_launch *state)
{
	size_t size = (size_t)launch->size;
	char name[MPI_MAX_PROCESSOR_NAME] = "", mine[HOST_BYTES], *all = malloc(size * HOST_BYTES);
	int length, rc = -1;
	MPI_Request request = MPI_REQUEST_NULL;

	state->nodes = malloc(size * sizeof *state->nodes);
	if (!all || !state->nodes) {
		fprintf(stderr, "launch: out of memory for %d host names\n", launch->size);
		goto out;
	}
	MPI_Get_processor_name(name, &length);
	parts_host_key(mine, HOST_BYTES, name);
	const int begun = MPI_Iallgather(mine, HOST_BYTES, MPI_BYTE, all, HOST_BYTES, MPI_BYTE, state->comm, &request);

	if (check_both(begun, MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Iallgather"))
		goto out;
	launch->nnodes = parts_number_hosts(all, HOST_BYTES, launch->size, state->nodes);
	launch->node = state->nodes[launch->rank];
	parts_place(state->nodes, launch->size, launch->rank, &launch->local_rank, &launch->local_size);
	rc = 0;
out:
	free(all);
	return rc;
}

bool launch_mpi_is_simulated(void)
{
	char library[MPI_MAX_LIBRARY_VERSION_STRING];
	int length;

	return MPI_Get_library_version(library, &length) == MPI_SUCCESS && strncmp(library, "SMPI", 4) == 0;
}

int launch_open_mpi(struct launch *launch, const struct launch_setup *setup)
{
	int provided;
	struct mpi_launch *state = calloc(1, sizeof *state);

	*launch = (struct launch){ .name = "mpi", .ops = &mpi_ops, .state = state };
	/* The watch over signals has a thread of its own that never calls MPI. */
	if (!state || check(MPI_Init_thread(setup->argc, setup->argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread"))
		return -1;
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	if (check(MPI_Comm_dup(MPI_COMM_WORLD, &state->comm), "MPI_Comm_dup"))
		return -1;
	MPI_Comm_rank(state->comm, &launch->rank);
	MPI_Comm_size(state->comm, &launch->size);
	launch->simulated = launch_mpi_is_simulated();
	return number_nodes(launch, state);
}
