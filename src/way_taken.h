/* SPDX-License-Identifier: Apache-2.0
 *
 * The path column: what the libraries' logs of all ranks say was taken. Read once after the warm-up, when every connection stands, and removed at the end.
 */
#ifndef COLLPERF_WAY_TAKEN_H
#define COLLPERF_WAY_TAKEN_H

#include "backend.h"
#include "options.h"
#include "steer.h"

struct launch;
struct topo;

struct way_taken {
	char path[64];  /* "shm", "shm+tcp", "nvlink"; "" unknown */
	char note[256]; /* one line for the reader, such as that it is not what was asked for; "" */
	bool differs;   /* from --path */
};

/*
 * The variables that make the backend's library write its log, and where (one file a process under a new folder, whose name goes to `folder`). Those that the
 * user has set are left alone; then nothing is read back unless they name files that can be read. Returns how many, -1 after one line on stderr.
 */
int way_taken_variables(const char *backend, struct steer_variable *variables, int most, char *folder, size_t folder_size);

/* Collective. `topo` (NULL: unknown) tells whether P2P is NVLink. The same on all ranks. 0, or -1 when the launch failed. */
int way_taken_read(struct launch *launch, const struct backend *backend, const struct options *options, const struct steer *steer,
		   const struct topo *topo, struct way_taken *taken);

#endif
