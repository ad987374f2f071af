/* SPDX-License-Identifier: Apache-2.0
 *
 * A run as a baseline sees it: when it was, what it is called, what speaks against it.
 */
#ifndef COLLPERF_GATE_BASELINE_RUN_H
#define COLLPERF_GATE_BASELINE_RUN_H

#include <stddef.h>

#include "../../collectives/collective.h"
#include "../reader.h"
#include "baseline_store.h"

struct baseline_run {
	char name[BASELINE_NAME]; /* in the folder of a baseline: its time and seed, so that the same run has the same name */
	char *started, *host;     /* as run.json has them; "" where it does not */
	long cores;               /* 0: unknown */
	size_t launches;          /* that ended well */
	size_t fewest;            /* of a primitive that was launched */
	size_t doubts;            /* said on stderr, one line each, where they were asked for */
	char *library;
	double peak[COLL_COUNT]; /* busbw, bytes per second, median over launches of the best of each; NAN: none */
};

/*
 * Reads run.json and rows of a run directory. `tell`: what speaks against it as a measure for others is said on stderr and counted. 0, or -1 after one
 * line: it is none. *run is to be cleared in every case.
 */
int baseline_run_read(const char *path, bool tell, struct baseline_run *run);
/* One that a baseline holds under that name: a run.json that is none is told on stderr, as a check tells it, and what only it says stays unknown. */
int baseline_run_stored(const char *path, const char *name, struct baseline_run *run);
void baseline_run_clear(struct baseline_run *run);

#endif
