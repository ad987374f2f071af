/* SPDX-License-Identifier: Apache-2.0
 *
 * What processes tell each other first: whether all were started alike, and whether one of them will not run at all.
 */
#ifndef COLLPERF_PERF_MEET_H
#define COLLPERF_PERF_MEET_H

#include <stdint.h>

struct backend_entry;
struct launch;

/* What one process found, told to rank 0. */
struct perf_finding {
	int backend;       /* its place in the table */
	uint64_t options;  /* their fingerprint */
	int code;          /* of the session, with `refusal` */
	char refusal[600]; /* why it will not run; "": it will */
	char reason[256];  /* why its backend cannot */
	char note[400];
	char host[64]; /* filled by perf_meet */
};

/* The entry of that name, or the one that ends the table. */
const struct backend_entry *perf_backend(const char *name);

/*
 * Collective, the first act after the launch. SESSION_OK where all found the same and will run; else rank 0 has printed why, but for a refusal of its own,
 * which was printed before.
 */
int perf_meet(const char *program, struct launch *launch, struct perf_finding *own);

#endif
