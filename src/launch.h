/* SPDX-License-Identifier: Apache-2.0
 *
 * The contract of bring-up: who we are among how many, and a control plane of small messages outside every timed region.
 * A launch knows nothing of what is measured. Every call is collective over all processes.
 */
#ifndef COLLPERF_LAUNCH_H
#define COLLPERF_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

/* The ways processes find each other; the words of --launch after auto, in its order. */
enum launch_way { LAUNCH_BY_MPI, LAUNCH_BY_ENV, LAUNCH_BY_SELF, LAUNCH_WAYS };

struct launch_setup {
	const char *program; /* for messages */
	int *argc;           /* may be used by MPI */
	char ***argv;
	double connect_timeout; /* seconds until all peers must be there (env) */
};

struct launch {
	const char *name;
	int rank;
	int size;
	int local_rank;
	int local_size;
	int node; /* 0 .. nnodes-1, numbered by the lowest rank on each */
	int nnodes;
	bool simulated; /* every process lives in one simulated machine: no threads, no signals, sleeping is cheap */
	/*
	 * For whoever measures few of many processes: the others wait for control messages asleep, so that they take neither core nor network. `quiet` is
	 * to be set alike on all, between acts, and tells that some may sleep; `asleep` is this process's own.
	 */
	bool quiet, asleep;
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
	/*
	 * Ends every process at once with this code. Does not return. (env: the others end so at the act that they are in or enter next; who is stuck
	 * elsewhere is the watch's.)
	 */
	void (*abort)(struct launch *launch, int code);
	/* After this no other call is valid. An act that failed makes all later ones fail, silently; close it all the same. */
	void (*close)(struct launch *launch);
};

/* Each fills *launch. -1 after one line on stderr. */
typedef int launch_open_fn(struct launch *launch, const struct launch_setup *setup);
launch_open_fn launch_open_self, launch_open_mpi, launch_open_env;

struct launch_entry {
	launch_open_fn *open; /* NULL: not built */
	const char *name;
	const char *summary;
	const char *missing; /* why it is not built, else NULL */
};

/* In the order of enum launch_way. */
extern const struct launch_entry launches[LAUNCH_WAYS];

/*
 * The way that the environment asks for among `allowed` (bits 1 << enum launch_way): MPI when a process manager of one started us, else env when its
 * variables are there, else self; the first of these that is allowed, where none is asked for.
 */
enum launch_way launch_choose(unsigned allowed);

/* Whether the MPI library is a simulator's (SimGrid). May be asked before launch_open_mpi. */
bool launch_mpi_is_simulated(void);

/*
 * How many ranks the environment of a known launcher promises (PMI_SIZE, OMPI_COMM_WORLD_SIZE, SLURM_NTASKS ...), and the variable
 * that says so; 0 when none does.
 */
int launch_promised_size(const char **variable);

/* This process's rank by the same environment, before any library is started; 0 when nothing says. */
int launch_env_rank(void);

/* Whether the environment of a launcher says that this process is one of several, or of a number that it keeps to itself. */
bool launch_is_one_of_several(void);

#endif
