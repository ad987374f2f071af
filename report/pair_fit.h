/* SPDX-License-Identifier: Apache-2.0
 *
 * The pairs of one class as base + effects of both ranks + rest, all by medians; a part of pair_judge.
 */
#ifndef COLLPERF_PAIR_FIT_H
#define COLLPERF_PAIR_FIT_H

#include "pair_judge.h"

struct pair_fit {
	size_t pairs;
	double base;    /* logarithm of the time of a pair of ordinary ranks */
	double scatter; /* standard deviation of the rest of one pair, never 0 */
	double *effect; /* [nranks] 0 in the middle; 0 of ranks with fewer than two pairs, which cannot be told from their peers */
	size_t *degree;     /* [nranks] pairs of each */
	bool crosses_hosts; /* pairs of ranks on different hosts */
};

/* 0, or -1 when memory is out; *fit is to be cleared in either case. */
int pair_fit_make(const struct pair_input *input, int class, struct pair_fit *fit);
void pair_fit_clear(struct pair_fit *fit);

/* Whether the rank has an effect of its own. */
bool pair_fit_has(const struct pair_fit *fit, int rank);

/* Sorts; 0 for none. */
double pair_fit_median(double *values, size_t n);

#endif
