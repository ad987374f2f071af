/* SPDX-License-Identifier: Apache-2.0
 *
 * The MPI backend on host memory: one rank a process, CLOCK_MONOTONIC (half the cost of MPI_Wtime in MPICH 4.0.2, and the simulated
 * clock under SimGrid).
 */
#include "mpi.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "../launch.h"
#include "../memory.h"
#include "../options.h"

enum { HUGE_PAGE = 2 << 20 };

/* The first line of the library's text is enough for a column: "MPICH Version: 4.0.2" becomes "MPICH 4.0.2". */
static void shorten_name(char *text, char *name, size_t size)
{
	size_t out = 0;

	text[strcspn(text, "\r\n")] = '\0';
	char *version = strstr(text, " Version:");

	if (version)
		memmove(version, version + strlen(" Version:"), strlen(version + strlen(" Version:")) + 1);
	for (const char *c = text; *c && out < size - 1; c++) {
		bool blank = *c == ' ' || *c == '\t';

		if (!blank || (out > 0 && name[out - 1] != ' '))
			name[out++] = blank ? ' ' : *c;
	}
	name[out] = '\0';
}

static void library_name(struct mpi_state *state)
{
	char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length = 0;

	MPI_Get_library_version(text, &length);
	shorten_name(text, state->library, sizeof state->library);
	snprintf(state->headers, sizeof state->headers, "MPI %d.%d", MPI_VERSION, MPI_SUBVERSION);
}

/* Known faults of libraries. The comparison is tried; a crash cannot be, so that one goes by the version (repaired after MPICH 4.1.1). */
static void find_faults(struct mpi_state *state)
{
	static const char *const crashing[] = { "MPICH 3.4", "MPICH 4.0", "MPICH 4.1" };
	const char *setting = getenv("MPIR_CVAR_DEVICE_COLLECTIVES");
	const uint8_t large = 200;
	uint8_t result = 100;

	state->unsigned_is_signed = MPI_Reduce_local(&large, &result, 1, MPI_UINT8_T, MPI_MAX) != MPI_SUCCESS || result != large;
	for (size_t i = 0; i < sizeof crashing / sizeof crashing[0]; i++)
		state->reduce_in_place_crashes |= strncmp(state->library, crashing[i], strlen(crashing[i])) == 0;
	if (setting && strcmp(setting, "none") == 0)
		state->reduce_in_place_crashes = false;
}

/*
 * A rank that sleeps up to its start finds a cold core, so real ranks spin through the short waits between samples. Where ranks share cores
 * spinning takes the time from the very rank that is waited for, and under SimGrid each look at the clock costs 10 simulated ns and a real
 * context switch.
 */
static void waiting(struct mpi_state *state, const struct launch *launch)
{
	state->yield = launch->local_size > memory_cores();
	state->spin = launch->simulated ? 0.2e-6 : state->yield ? 50e-6 : 5e-3;
}

/* MPICH's own shared memory, where it was built in, is beyond UCX's reach. */
static int mpi_steerable(char *reason, size_t size)
{
	char text[MPI_MAX_LIBRARY_VERSION_STRING] = "", name[64];
	int length = 0;

	MPI_Get_library_version(text, &length);
	const bool is_mpich = strncmp(text, "MPICH Version", strlen("MPICH Version")) == 0,
		   has_ucx = strstr(text, "ch4:ucx") != NULL;
	const char *modules = strstr(text, "--with-ch4-shmmods=");
	const bool has_modules = modules && strncmp(strchr(modules, '=') + 1, "none", 4) != 0;

	if (is_mpich && has_ucx && !has_modules)
		return 0;
	shorten_name(text, name, sizeof name);
	snprintf(reason, size,
		 "the MPI library is %s%s: only MPICH over UCX alone (ch4:ucx) can be told the way and the algorithm", name,
		 has_modules ? " with shared memory of its own"
		 : is_mpich  ? " over another device"
			     : "");
	return -1;
}

static int mpi_local_ranks(const struct options *options)
{
	(void)options;
	return 1;
}

static int mpi_open(struct backend *backend, struct launch *launch, const struct options *options, const struct groups *groups)
{
	struct mpi_state *state = calloc(1, sizeof *state);
	const int group = groups->of[launch->rank];

	if (!state || mpi_check(MPI_Comm_split(MPI_COMM_WORLD, group, launch->rank, &state->comm), "MPI_Comm_split") ||
	    mpi_types_open(state))
		return -1;
	MPI_Comm_set_errhandler(state->comm, MPI_ERRORS_RETURN);
	MPI_Comm_rank(state->comm, &state->rank);
	MPI_Comm_size(state->comm, &state->nranks);
	state->counts = calloc(4 * (size_t)state->nranks, sizeof *state->counts);
	if (!state->counts) {
		fprintf(stderr, "mpi: out of memory for %d counts\n", state->nranks);
		return -1;
	}
	library_name(state);
	find_faults(state);
	waiting(state, launch);
	*backend = (struct backend){
		.ops = &backend_mpi,
		.state = state,
		.nranks = groups->nranks,
		.first_rank = launch->rank,
		.nlocal = 1,
		.groups = groups,
		.quirks = BACKEND_BROADCAST_SPARES_ROOT | BACKEND_REDUCE_SCATTER_AT_START,
		.library = state->library,
		.headers = state->headers,
		.path = "",
		.algo = options->forced ? options->forced : "",
		.data_limit = UINT64_MAX,
	};
	return 0;
}

static void mpi_close(struct backend *backend)
{
	struct mpi_state *state = backend->state;

	mpi_types_close(state);
	MPI_Comm_free(&state->comm);
	free(state->counts);
	free(state->staging);
	free(state);
	backend->state = NULL;
}

/* Aligned so that large pages are possible and no run depends on where malloc happened to put a buffer. */
static int mpi_alloc(struct backend *backend, int local, size_t bytes, void **memory)
{
	void *data = NULL;

	(void)backend, (void)local;
	if (posix_memalign(&data, bytes >= HUGE_PAGE ? HUGE_PAGE : 4096, bytes)) {
		fprintf(stderr, "mpi: out of memory for a buffer of %zu bytes\n", bytes);
		return -1;
	}
	*memory = data;
	return 0;
}

static void mpi_release(struct backend *backend, int local, void *memory)
{
	(void)backend, (void)local;
	free(memory);
}

static int mpi_memory_free(struct backend *backend, int local, struct backend_memory *memory)
{
	(void)backend, (void)local;
	*memory = (struct backend_memory){ .name = "" };
	return memory_available(&memory->available);
}

static int mpi_copy(struct backend *backend, int local, void *to, const void *from, size_t bytes)
{
	(void)backend, (void)local;
	memcpy(to, from, bytes);
	return 0;
}

static void *mpi_host_view(struct backend *backend, int local, void *memory)
{
	(void)backend, (void)local;
	return memory;
}

static double mpi_now(struct backend *backend)
{
	struct timespec time;

	(void)backend;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double mpi_wait_until(struct backend *backend, double until)
{
	struct mpi_state *state = backend->state;
	double left = until - mpi_now(backend) - state->spin;

	if (left > 0) {
		struct timespec time = { .tv_sec = (time_t)left, .tv_nsec = (long)((left - (double)(time_t)left) * 1e9) };

		nanosleep(&time, NULL);
	}
	double now = mpi_now(backend);

	while (now < until) {
		if (state->yield)
			sched_yield();
		now = mpi_now(backend);
	}
	return now;
}

/* What MPI is told as a number of elements or a place. */
static size_t largest_count(const struct point *point)
{
	const bool whole = point->coll->id == COLL_ALLTOALLV || point->coll->id == COLL_HYPERCUBE;

	return whole ? point->buffer / dtypes[point->type].size : point->shape.count;
}

/*
 * What an MPI library gets wrong is not measured: a crash ends every other point too, and a wrong operation has no time worth knowing.
 */
static const char *mpi_cannot(const struct backend *backend, const struct point *point)
{
	const struct mpi_state *state = backend->state;
	const bool reduces = (point->coll->flags & COLL_HAS_REDOP) != 0;
	const bool narrow = point->type == DTYPE_F8E4M3 || point->type == DTYPE_F8E5M2;
	const bool own_op = reduces && (point->type == DTYPE_HALF || point->type == DTYPE_BFLOAT16);
	const bool orders = reduces && (point->op == REDOP_MAX || point->op == REDOP_MIN);
	const bool is_unsigned = !dtypes[point->type].is_float && !dtypes[point->type].is_signed;

	if (reduces && narrow)
		return "MPI has no 8-bit floating point type to reduce";
	if (reduces && point->op == REDOP_MULSUM)
		return "MPI has no operation that multiplies before it sums";
	if (largest_count(point) > INT_MAX && !mpi_has_large_counts)
		return "more than 2^31 - 1 elements need MPI 4's large-count calls, which this MPI library lacks";
	if (point->shape.count > INT_MAX && point->exchange)
		return "more than 2^31 - 1 elements are sent by the plain shift alone";
	if (point->shape.count > INT_MAX && own_op)
		return "a user-defined MPI operation is limited to 2^31 - 1 elements";
	if (orders && is_unsigned && state->unsigned_is_signed)
		return "this MPI library compares unsigned integers as signed in MPI_MAX and MPI_MIN (MPICH issue 6083)";
	if (point->coll->id == COLL_REDUCE && point->in_place && point->root != 0 && state->reduce_in_place_crashes)
		return "MPI_Reduce of this MPI library crashes in place at a root other than 0 (MPICH issue 6540; avoided by "
		       "MPIR_CVAR_DEVICE_COLLECTIVES=none)";
	return NULL;
}

const struct backend_ops backend_mpi = {
	.name = "mpi",
	.summary = "MPI on host memory, one rank a process",
	.launches = 1U << LAUNCH_BY_MPI,
	.steerable = mpi_steerable,
	.is_simulated = launch_mpi_is_simulated,
	.local_ranks = mpi_local_ranks,
	.open = mpi_open,
	.close = mpi_close,
	.alloc = mpi_alloc,
	.release = mpi_release,
	.memory_free = mpi_memory_free,
	.upload = mpi_copy,
	.download = mpi_copy,
	.host_view = mpi_host_view,
	.now = mpi_now,
	.wait_until = mpi_wait_until,
	.cannot = mpi_cannot,
	.pairs = true,
	.call = mpi_calls,
	.step = &mpi_step,
};
