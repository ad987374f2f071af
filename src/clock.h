/* SPDX-License-Identifier: Apache-2.0
 *
 * One clock for all ranks: each process's own, with its offset and drift to rank 0's. Processes of one host read the same clock; between hosts the
 * offset is measured by round trips before every point, and the drift from the first measurement on.
 */
#ifndef COLLPERF_CLOCK_H
#define COLLPERF_CLOCK_H

#include <stdbool.h>

#include "backend.h"

struct launch;

struct clock {
	struct backend *backend;
	double cost;                    /* seconds one reading takes */
	double step;                    /* smallest difference seen between two readings that differ */
	double skew;                    /* added to every reading: an injected fault */
	double offset, reference, rate; /* to rank 0's clock: offset + rate * (now - reference) */
	double first_offset, first_reference;
	double error;  /* bound of |offset - truth|, half of the fastest round trip; 0 on rank 0's host */
	bool unstable; /* two measurements contradicted each other: a common start by the clock cannot be trusted */
	bool differs;  /* some rank's clock is not rank 0's: offsets are measured anew for every point */
	int measured;
};

/* Measures cost and step, then the offset twice. Collective. 0 or -1. */
int clock_open(struct clock *clock, struct backend *backend, struct launch *launch, double skew);

/* Measures the offset anew where clocks differ. Collective. 0 or -1. */
int clock_refresh(struct clock *clock, struct launch *launch);

/* This process's clock, the injected skew included. */
double clock_now(const struct clock *clock);

/* Waits for a reading of this process's clock. Returns the reading that ended the wait. */
double clock_wait(const struct clock *clock, double until);

/* Rank 0's time as this process's clock shows it. */
double clock_from_rank0(const struct clock *clock, double time);

#endif
