/* SPDX-License-Identifier: Apache-2.0
 *
 * What the launches have in common: which host a process is on, and how far two clocks are apart. Knows no transport.
 */
#ifndef COLLPERF_LAUNCH_PARTS_H
#define COLLPERF_LAUNCH_PARTS_H

#include <stdbool.h>
#include <stddef.h>

enum { PARTS_PINGS = 24 };

/* Fills all of key[size]: `name`, then the boot id: the name alone may be shared by containers, the boot id alone by simulated hosts. */
void parts_host_key(char *key, size_t size, const char *name);

/* Equal keys are one host, numbered by the lowest rank on each. keys: nranks * size bytes; returns how many hosts there are. */
int parts_number_hosts(const char *keys, size_t size, int nranks, int *host);

/* The rank's number among those of its host, and how many those are. */
void parts_place(const int *host, int nranks, int rank, int *local_rank, int *local_size);

struct parts_clock {
	double best; /* the fastest round trip so far; begin with a large number */
	double offset, error;
};

/* A ping sent and answered at these times here, seen at `seen` there. The fastest one bounds the error by half of it (Cristian's method). */
void parts_ping(struct parts_clock *clock, double sent, double seen, double back);

/* Clocks of one host are the same clock: there, an offset within its own error bound is noise and no fact. */
void parts_clock_read(const struct parts_clock *clock, bool same_host, double *offset, double *error);

#endif
