/* SPDX-License-Identifier: Apache-2.0
 *
 * Times made from known parameters, for the tests of fits: the same on every machine.
 */
#ifndef COLLPERF_TEST_FIT_SWEEPS_H
#define COLLPERF_TEST_FIT_SWEEPS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/fit.h"

enum { SWEEP_MOST = 40, SWEEP_WHOLE = 31 }; /* a whole sweep is 8 B, 16 B, ... 8 GiB */

static const double two_pi = 6.283185307179586476925286766559;

/* Uniform between 0 and 1: a linear congruential generator of 64 bits. */
static inline double sweep_uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

/* Standard normal, by Box and Muller. */
static inline double sweep_normal(uint64_t *state)
{
	double radius = sqrt(-2 * log(sweep_uniform(state)));

	return radius * cos(two_pi * sweep_uniform(state));
}

struct law {
	double alpha, bandwidth; /* of sizes up to `until` */
	double until;            /* bytes; INFINITY: all */
	double next_alpha, next_bandwidth;
};

static inline double law_time(const struct law *law, double bytes)
{
	return bytes <= law->until ? law->alpha + bytes / law->bandwidth : law->next_alpha + bytes / law->next_bandwidth;
}

/* n sizes from 8 B on, doubling; times with that relative noise. Returns n. */
static inline size_t sweep_make(struct fit_point *points, size_t n, const struct law *law, double noise, uint64_t *state)
{
	for (size_t i = 0; i < n; i++) {
		points[i] = (struct fit_point){ .bytes = ldexp(8, (int)i) };
		points[i].time = law_time(law, points[i].bytes) * exp(noise > 0 ? noise * sweep_normal(state) : 0);
	}
	return n;
}

static inline void assert_near(double value, double expected, double relative)
{
	if (!(fabs(value / expected - 1) <= relative))
		fail_msg("%g is not within %g of %g", value, relative, expected);
}

#endif
