/* SPDX-License-Identifier: Apache-2.0
 *
 * How a row of steps is measured: turns of compute alone, communication alone and a whole step, each from a common start, so that what changes with time
 * changes for all three. A turn to which a rank came late is taken again, until many were or thrice the time of a row, or of the turns asked for, is used up.
 * Before each part and each step that is not timed all ranks agree whether a signal came to one of them.
 */
#ifndef COLLPERF_STEP_MEASURE_H
#define COLLPERF_STEP_MEASURE_H

#include "stats.h"
#include "step_run.h"

struct launch;

/* Borrowed. */
struct step_measure_parts {
	struct launch *launch;
	struct backend *backend;
	struct clock *clock;
	struct watch *watch;
	const struct options *options;
	struct step_run *run;
	bool oversubscribed;
};

/* What a row gave; complete on rank 0's process, on the others only `stop`. */
struct step_measured {
	struct stats step;
	double compute, comm; /* medians over turns of the slowest rank */
	double asked;         /* seconds of compute, as the run has them */
	double rank_time_min, rank_time_avg, rank_time_max;
	int slowest_rank;
	long dropped;
	const char *sync;
	bool precise, late;
	double overlap_error; /* half the 95 % interval of the turns' overlaps; NAN under 6 turns or without communication */
	int64_t wrong;        /* -1: not checked */
	int wrong_rank;
	size_t wrong_first; /* as step_wrong has them */
	bool wrong_filling;
	bool stop; /* a signal came */
};

/* Collective. Of what step_run_begin has set. 0, or -1 after one line on stderr. */
int step_measure_row(const struct step_measure_parts *parts, struct step_measured *out);

/* Collective. Seconds of the row's communication alone, the same on all ranks; *stop, also on all, when a signal came: then none. */
int step_measure_comm(const struct step_measure_parts *parts, double *seconds, bool *stop);

#endif
