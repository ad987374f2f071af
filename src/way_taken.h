/* SPDX-License-Identifier: Apache-2.0
 *
 * The path column: what the libraries' logs of all ranks say was taken. The log of a process is a file in memory without a name, so nothing stays behind
 * however the process ends; it is read once after the warm-up, when every connection stands. With --readback all NCCL's log also says the algorithm of
 * each call.
 */
#ifndef COLLPERF_WAY_TAKEN_H
#define COLLPERF_WAY_TAKEN_H

#include "backend.h"
#include "options.h"
#include "steer.h"

struct launch;
struct topo;

struct way_taken {
	/* "shm", "shm+tcp", "nvlink"; "p2p": over what is not known; "tcp?": asked for, not confirmed, and no variable of the user against it; "": unknown. */
	char path[96];
	char note[256]; /* one line for the reader, such as that it is not what was asked for; "" */
	bool differs;   /* from --path */
	bool traced;    /* the library writes a line for each call */
};

/*
 * The variables that make the backend's library write its log to a file that is made here and inherited by what this process executes, the name of that file
 * first. Those that the user has set are left alone; then nothing is read back unless they name files that can be read. Called again after the program
 * executed itself it gives the same. What the library warns of goes to stderr when it is read and when the process ends, as far as it would have been seen
 * without this. Returns how many; 0: no file was made. UCX reads its two when it is loaded.
 */
int way_taken_variables(const char *backend, enum readback readback, struct steer_variable *variables, int most);

/*
 * Collective. `topo` (of rank 0, elsewhere NULL; NULL or empty there: unknown) tells whether P2P is NVLink and InfiniBand is RoCE. The same on all ranks.
 * 0, or -1 when the launch failed.
 */
int way_taken_read(struct launch *launch, const struct backend *backend, const struct options *options, const struct topo *topo,
		   struct way_taken *taken);

/*
 * Where `traced`, on every process after each point: what the log says of the calls of this size since the last point, "ring/ll128", "" where it says nothing or
 * several things.
 */
void way_taken_algorithm(const char *backend, const char *collective, size_t bytes, char *algo, size_t size);

#endif
