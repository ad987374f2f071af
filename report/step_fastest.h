/* SPDX-License-Identifier: Apache-2.0
 *
 * The fastest of steps told one after another, and whether it is clearly so. Times are seconds.
 */
#ifndef COLLPERF_STEP_FASTEST_H
#define COLLPERF_STEP_FASTEST_H

#include "result.h"

/* A strategy and size of buckets by its fastest row. */
struct step_fast {
	char strategy[16]; /* as text_escape has it */
	int64_t cap;       /* bytes; RESULT_NONE */
	double time, low, high, compute;
};

/* Zeroed: none yet. */
struct step_fastest {
	struct step_fast *all; /* owned */
	size_t count;
	bool turns; /* ranks took turns in one of the rows */
};

/* Whether a time is longer than another, beyond what their intervals leave open (5 % where there is none). */
bool step_time_is_slower(double time, double low, double than, double than_high);
/* By how much the machine was slower while `compute` was taken than for `other`, the same work: at least 1, 1 where one is not above 0. */
double step_drift(double compute, double other);

/* Rows without a time or with wrong data are passed over. 0, or -1 when memory is short. */
int step_fastest_add(struct step_fastest *fastest, const struct result *row);

/* NULL where there is none; *clear: all others are slower. */
const struct step_fast *step_fastest_find(const struct step_fastest *fastest, bool *clear);

void step_fastest_clear(struct step_fastest *fastest);

#endif
