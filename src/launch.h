/* SPDX-License-Identifier: Apache-2.0
 *
 * The contract of bring-up: who we are among how many, and a control plane of small messages outside every timed region.
 * A launch knows nothing of what is measured. Every call is collective over all processes.
 */
#ifndef COLLPERF_LAUNCH_H
#define COLLPERF_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

struct launch {
	const char *name;
	int rank;
	int size;
	int local_rank;
	int local_size;
	int node; /* 0 .. nnodes-1, numbered by the lowest rank on each */
	int nnodes;
	bool simulated; /* every process lives in one simulated machine: no threads, no signals, sleeping is cheap */
	const struct launch_ops *ops;
	void *state;
};

/* All return 0, or -1 after one line on stderr. */
struct launch_ops {
	int (*barrier)(struct launch *launch);
	/* From rank 0 to all. */
	int (*broadcast)(struct launch *launch, void *data, size_t size);
	/* `size` bytes of every process; `all` holds launch->size * size bytes on rank 0, may be NULL elsewhere. */
	int (*gather)(struct launch *launch, const void *mine, size_t size, void *all);
	/* The largest of every process's value, known to all: exit codes, error flags. */
	int (*agree)(struct launch *launch, int value, int *largest);
	/* Offset of this process's clock to rank 0's in seconds (add it to now() to get rank 0's time) and its error bound. */
	int (*clock_offset)(struct launch *launch, double (*now)(void *), void *arg, double *offset, double *error);
	/* Ends every process at once with this code. Does not return. */
	void (*abort)(struct launch *launch, int code);
	/* After this no other call is valid. */
	void (*close)(struct launch *launch);
};

/* Each fills *launch. -1 after one line on stderr. argc/argv may be used by MPI. */
int launch_open_self(struct launch *launch, int *argc, char ***argv);
int launch_open_mpi(struct launch *launch, int *argc, char ***argv);

/* Whether the MPI library is a simulator's (SimGrid). May be asked before launch_open_mpi. */
bool launch_mpi_is_simulated(void);

/*
 * How many ranks the environment of a known launcher promises (PMI_SIZE, OMPI_COMM_WORLD_SIZE, SLURM_NTASKS ...), and the variable
 * that says so; 0 when none does.
 */
int launch_promised_size(const char **variable);

/* This process's rank by the same environment, before any library is started; 0 when nothing says. */
int launch_env_rank(void);

#endif
