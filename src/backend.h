/* SPDX-License-Identifier: Apache-2.0
 *
 * The contract of a transport: buffers, a clock, and one function a collective. One call drives all ranks that live in this process.
 * A backend knows nothing of sweeps, statistics, options or output.
 */
#ifndef COLLPERF_BACKEND_H
#define COLLPERF_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../collectives/collective.h"
#include "dtype.h"
#include "point.h"
#include "redop.h"

struct launch;
struct options;

/* Differences in what a valid call is, which the data check must know. */
enum backend_quirk {
	/* An out-of-place broadcast reads the root's send buffer and leaves its receive buffer alone (MPI_Bcast has one buffer). */
	BACKEND_BROADCAST_SPARES_ROOT = 1,
	/* An in-place reduce_scatter leaves its result at the start of the buffer (MPI), not at rank * count (NCCL). */
	BACKEND_REDUCE_SCATTER_AT_START = 2,
};

/* One collective call as seen by all local ranks. Buffers are backend memory, `send[i]`/`recv[i]` of local rank i. */
struct backend_call {
	const struct collective *coll;
	size_t count; /* elements */
	enum dtype type;
	enum redop op;
	int root;
	bool in_place; /* send and recv point into one buffer, as coll_place says */
	void *const *send;
	void *const *recv;
};

struct backend {
	const struct backend_ops *ops;
	void *state;
	int nranks;     /* over all processes */
	int first_rank; /* of this process */
	int nlocal;     /* ranks in this process */
	unsigned quirks;
	const char *library; /* one line: "MPICH 4.0.2" */
	const char *headers; /* version compiled against */
	const char *path;    /* "" when unknown */
	const char *algo;    /* "" when unknown */
	uint64_t
		data_limit; /* data are really moved in calls whose buffers are no larger; larger ones are timed and not checked */
	bool fake_clock;    /* now() is simulated: timestamps come from it, wall-clock limits do not apply */
};

/* Starts the call and returns when the local ranks' part is complete. 0, or -1 after one line on stderr that names the vendor's call. */
typedef int backend_call_fn(struct backend *backend, const struct backend_call *call);

/* All return 0, or -1 after one line on stderr that names the call. */
struct backend_ops {
	const char *name;
	const char *summary;
	/* How its processes find each other: launch_open_mpi, launch_open_self. */
	int (*launch)(struct launch *launch, int *argc, char ***argv);
	/* May be NULL: no. Whether the processes are threads of a simulator, before the launch. */
	bool (*is_simulated)(void);
	int (*open)(struct backend *backend, struct launch *launch, const struct options *options);
	void (*close)(struct backend *backend);
	/* Memory for local rank i, aligned to at least 64 bytes (2 MiB where large). */
	int (*alloc)(struct backend *backend, int local, size_t bytes, void **memory);
	void (*release)(struct backend *backend, int local, void *memory);
	/* Bytes that could be allocated now for each local rank's use on this process's host or device. */
	int (*memory_free)(struct backend *backend, uint64_t *bytes);
	/* Host <-> backend memory, complete on return. */
	int (*upload)(struct backend *backend, int local, void *to, const void *from, size_t bytes);
	int (*download)(struct backend *backend, int local, void *to, const void *from, size_t bytes);
	/* NULL when host code may read and write the memory in place. */
	void *(*host_view)(struct backend *backend, int local, void *memory);
	/* Seconds on this process's clock; cheap and monotonic. */
	double (*now)(struct backend *backend);
	/* Waits until now() >= until; returns the reading of the clock that ended the wait, so that no second one is needed. */
	double (*wait_until)(struct backend *backend, double until);
	/* Why this point cannot be measured (a text that lives for ever), or NULL when it can. */
	const char *(*cannot)(const struct backend *backend, const struct point *point);
	/* COLL_COUNT entries; a hole: the collective is absent. */
	backend_call_fn *const *call;
	/*
	 * NULL where each rank has a process. Else the time in seconds, from a common start, at which each local rank ended the last
	 * call, nlocal values (the sim backend; several GPUs).
	 */
	void (*last_ends)(struct backend *backend, double *ends);
};

struct backend_entry {
	const struct backend_ops *ops; /* NULL: not built */
	const char *name;
	const char *missing; /* why it is not built, else NULL */
};

/* Ends with a NULL name. */
extern const struct backend_entry backends[];

extern const struct backend_ops backend_sim;
extern const struct backend_ops backend_mpi;

#endif
