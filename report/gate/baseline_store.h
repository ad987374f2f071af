/* SPDX-License-Identifier: Apache-2.0
 *
 * The folder of a baseline: a copy of each of the last runs that were accepted, in a folder whose name begins with the run's time. A run is there as a
 * whole or not at all, and one program changes the folder at a time.
 */
#ifndef COLLPERF_GATE_BASELINE_STORE_H
#define COLLPERF_GATE_BASELINE_STORE_H

#include <stdbool.h>
#include <stddef.h>

enum { BASELINE_NAME = 96, BASELINE_KEEP = 12, BASELINE_MOST = 1000, BASELINE_WAIT = 60, BASELINE_MOST_WAIT = 86400 };

struct baseline {
	char *path; /* as given, without '/' at its end */
	int fd, lock;
	char **names; /* of the runs, oldest first */
	size_t count;
	size_t others; /* what else is there, but hidden files */
};

/* "20251130T010203.456Z-17": a time as run.json has it, then letters, digits and dashes. */
bool baseline_is_name(const char *name);

/*
 * To read: it must exist. To write: it is made where it does not exist, and what an interrupted change left is removed. Waits at most `wait` seconds for
 * another program's change to end. 0, or an exit code after one line on stderr: 2 a run directory was given, or to write one that holds other things and no run; 3 all else. *baseline is to be closed in
 * every case.
 */
int baseline_open(const char *path, bool write, long wait, struct baseline *baseline);
void baseline_close(struct baseline *baseline);

/* Whether a run of this name is there. */
bool baseline_has(const struct baseline *baseline, const char *name);

/* Copies the run's files; `name` is not there yet. 0, or -1 after one line: then the folder holds what it held. */
int baseline_add(struct baseline *baseline, const char *run, const char *name);

/* Removes the oldest runs until `keep` are left. 0, or -1 after one line. */
int baseline_trim(struct baseline *baseline, size_t keep);

/* The path of run i; to be freed. NULL after one line on stderr. */
char *baseline_place(const struct baseline *baseline, size_t i);

/* One line on stderr: "collperf baseline: PATH: WHY". Returns -1. */
int baseline_complain(const char *path, const char *why);

#endif
