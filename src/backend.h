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
#include <stdio.h>

#include "../collectives/collective.h"
#include "backend_call.h"
#include "backend_step.h"
#include "dtype.h"
#include "groups.h"
#include "pattern.h"
#include "point.h"
#include "redop.h"

struct launch;
struct notes;
struct options;

/* Differences in what a valid call is, which the data check must know. */
enum backend_quirk {
	/* An out-of-place broadcast reads the root's send buffer and leaves its receive buffer alone (MPI_Bcast has one buffer). */
	BACKEND_BROADCAST_SPARES_ROOT = 1,
	/* An in-place reduce_scatter leaves its result at the start of the buffer (MPI), not at rank * count (NCCL). */
	BACKEND_REDUCE_SCATTER_AT_START = 2,
};

struct backend {
	const struct backend_ops *ops;
	void *state;
	int nranks;                  /* over all processes */
	int first_rank;              /* of this process */
	int nlocal;                  /* ranks in this process, the same in all */
	const struct groups *groups; /* borrowed */
	unsigned quirks;
	const char *library; /* one line: "MPICH 4.0.2" */
	const char *headers; /* version compiled against */
	const char *path;    /* "" when unknown */
	const char *algo;    /* "" when unknown */
	uint64_t
		data_limit; /* data are really moved in calls whose buffers are no larger; larger ones are timed and not checked */
	bool fake_clock;    /* now() is simulated: timestamps come from it, wall-clock limits do not apply */
	const char *
		flags; /* words for the flags of every row, NULL: none ("shared_gpu"; "simulated" over a library that is a fake) */
};

/* Starts the call and returns when the local ranks' part is complete. 0, or -1 after one line on stderr that names the vendor's call. */
typedef int backend_call_fn(struct backend *backend, const struct backend_call *call);

/* All return 0, or -1 after one line on stderr that names the call. */
struct backend_ops {
	const char *name;
	const char *summary;
	unsigned launches; /* bits 1 << enum launch_way: how its processes may find each other */
	/* May be NULL: it can. Whether this machine can run it, before any launch: 0, or -1 with one line for the user (no driver, no GPU). */
	int (*probe)(char *reason, size_t size);
	/* May be NULL: nothing. More lines for --list: versions, what is missing and why. */
	void (*list)(FILE *out);
	/*
	 * May be NULL: it can. Whether its library can be told a way and an algorithm by the variables of topo/way.h and topo/algo.h, before the launch: 0,
	 * or -1 with one line for the user.
	 */
	int (*steerable)(char *reason, size_t size);
	/* May be NULL: no. Whether the processes are threads of a simulator, before the launch. */
	bool (*is_simulated)(void);
	/* Ranks in every process. */
	int (*local_ranks)(const struct options *options);
	/*
	 * Fills *backend. `groups` is over launch->size * local_ranks(options) ranks. 1: no process can go on; all know it, and rank 0 has said why.
	 */
	int (*open)(struct backend *backend, struct launch *launch, const struct options *options, const struct groups *groups);
	void (*close)(struct backend *backend);
	/* Memory for local rank i, aligned to at least 64 bytes (2 MiB where large). */
	int (*alloc)(struct backend *backend, int local, size_t bytes, void **memory);
	void (*release)(struct backend *backend, int local, void *memory);
	/* What is free now where local rank i's buffers will be. */
	int (*memory_free)(struct backend *backend, int local, struct backend_memory *memory);
	/* Host <-> backend memory, complete on return. */
	int (*upload)(struct backend *backend, int local, void *to, const void *from, size_t bytes);
	int (*download)(struct backend *backend, int local, void *to, const void *from, size_t bytes);
	/* Where host code may read and write the memory in place; NULL: nowhere. */
	void *(*host_view)(struct backend *backend, int local, void *memory);
	/* Seconds on this process's clock; cheap and monotonic. */
	double (*now)(struct backend *backend);
	/* Waits until now() >= until; returns the reading of the clock that ended the wait, so that no second one is needed. */
	double (*wait_until)(struct backend *backend, double until);
	/* Why this point cannot be measured (a text that lives for ever), or NULL when it can. */
	const char *(*cannot)(const struct backend *backend, const struct point *point);
	bool pairs; /* a sendrecv may be of pairs (backend_call.peer); no communicator is made for one */
	/* COLL_COUNT entries; a hole: the collective is absent. */
	backend_call_fn *const *call;
	/*
	 * May be NULL: now, wait_until and the call itself do. One call that every local rank enters at the start; samples[nlocal]. For backends with
	 * several ranks in a process or with clocks of their own.
	 */
	int (*sample)(struct backend *backend, const struct backend_call *call, const struct backend_start *start,
		      struct backend_sample *samples);
	/*
	 * May be NULL: the call is repeated. `calls` calls back to back from the start, waited for as the backend's options say; samples[nlocal] hold
	 * the whole loop. each[calls], unless NULL: seconds of each call, the longest over local ranks.
	 */
	int (*loop)(struct backend *backend, const struct backend_call *call, long calls, const struct backend_start *start,
		    struct backend_sample *samples, double *each);
	/* May be NULL: data pass through the host. Or the function returns NULL where the device side was not built. */
	const struct backend_device *(*device)(struct backend *backend);
	/* May be NULL: it cannot. Calls beside compute. */
	const struct backend_step_ops *step;
	/* May be NULL. What is known of a rank: "[0000:0f:00] NVIDIA H200"; and the device's number. */
	int (*describe)(struct backend *backend, int local, int *device, char *text, size_t size);
	/* May be NULL. Lines for the '#' lines after the table: memory, versions that differ. Collective; added on rank 0. */
	int (*report)(struct backend *backend, struct notes *notes);
	/* May be NULL. Both are called from another thread while a call hangs. Bit i: local rank i has not finished its call. */
	uint64_t (*unfinished)(const struct backend *backend);
	/* Makes calls that hang return, for ever broken. */
	void (*abort)(struct backend *backend);
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
extern const struct backend_ops backend_nccl;

#endif
