/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls beside compute with MPI: they go on when the library is called (MPI_Testsome), or by a thread of its own.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi.h"

struct mpi_step {
	struct mpi_state *mpi;
	size_t first, started; /* calls before `first` are over */
	int *indices;          /* of requests that a test found over */
	MPI_Status *statuses;
	MPI_Request *requests; /* [number] */
};

/* The thread runs only in a library that was told so before its start, and that can be called by several. */
static int check_thread(const struct mpi_state *mpi)
{
	const char *setting = getenv("MPIR_CVAR_ASYNC_PROGRESS");
	int provided = MPI_THREAD_SINGLE;

	if (!setting || strcmp(setting, "1") != 0)
		return 0;
	MPI_Query_thread(&provided);
	if (strncmp(mpi->library, "MPICH", 5) == 0 && provided == MPI_THREAD_MULTIPLE)
		return 0;
	fprintf(stderr, "mpi: a progress thread (MPIR_CVAR_ASYNC_PROGRESS) is MPICH's with MPI_THREAD_MULTIPLE; here is %s%s\n",
		mpi->library, provided == MPI_THREAD_MULTIPLE ? "" : " without it");
	return -1;
}

static void mpi_step_close(void *state)
{
	struct mpi_step *step = state;

	if (!step)
		return;
	free(step->indices);
	free(step->statuses);
	free(step->requests);
	free(step);
}

static int mpi_step_open(struct backend *backend, const struct options *options, size_t calls, void **state)
{
	struct mpi_step *step;

	(void)options;
	if (check_thread(backend->state))
		return -1;
	step = calloc(1, sizeof *step);
	if (step) {
		step->indices = calloc(calls, sizeof *step->indices);
		step->statuses = calloc(calls, sizeof *step->statuses);
		step->requests = calloc(calls, sizeof(MPI_Request));
	}
	if (!step || !step->indices || !step->statuses || !step->requests) {
		fprintf(stderr, "mpi: out of memory for %zu calls\n", calls);
		mpi_step_close(step);
		return -1;
	}
	step->mpi = backend->state;
	*state = step;
	return 0;
}

static int mpi_step_start(void *state, size_t number, const struct backend_call *call)
{
	struct mpi_step *step = state;
	const struct mpi_state *mpi = step->mpi;
	MPI_Request *request = &step->requests[number];
	const void *send = call->in_place ? MPI_IN_PLACE : call->send[0];
	MPI_Datatype type = mpi->types[call->type];
	const int count = (int)call->count[0];

	if (call->count[0] > INT_MAX) {
		fprintf(stderr, "mpi: a call of a step is limited to 2^31 - 1 elements\n");
		return -1;
	}
	step->started = number + 1;
	if (call->coll->id == COLL_ALL_GATHER)
		return mpi_check(MPI_Iallgather(send, count, type, call->recv[0], count, type, mpi->comm, request),
				 "MPI_Iallgather");
	MPI_Op op = mpi_op(mpi, call->type, call->op);

	if (call->coll->id == COLL_REDUCE_SCATTER)
		return mpi_check(MPI_Ireduce_scatter_block(send, call->recv[0], count, type, op, mpi->comm, request),
				 "MPI_Ireduce_scatter_block");
	return mpi_check(MPI_Iallreduce(send, call->recv[0], count, type, op, mpi->comm, request), "MPI_Iallreduce");
}

static int mpi_step_test(void *state)
{
	struct mpi_step *step = state;
	int done;

	while (step->first < step->started && step->requests[step->first] == MPI_REQUEST_NULL)
		step->first++;
	if (step->first == step->started)
		return 0;
	return mpi_check(MPI_Testsome((int)(step->started - step->first), &step->requests[step->first], &done, step->indices,
				      step->statuses),
			 "MPI_Testsome");
}

static int mpi_step_wait(void *state, size_t number)
{
	struct mpi_step *step = state;

	return mpi_check(MPI_Wait(&step->requests[number], MPI_STATUS_IGNORE), "MPI_Wait");
}

static void mpi_step_again(void *state)
{
	struct mpi_step *step = state;

	step->first = step->started = 0;
}

const struct backend_step_ops mpi_step = {
	.open = mpi_step_open,
	.close = mpi_step_close,
	.start = mpi_step_start,
	.test = mpi_step_test,
	.wait = mpi_step_wait,
	.again = mpi_step_again,
};
