/* SPDX-License-Identifier: Apache-2.0
 *
 * Bus bandwidths that well-known systems were seen to reach at large sizes: single reports, no guarantees. Constant.
 */
#ifndef COLLPERF_SYSTEM_H
#define COLLPERF_SYSTEM_H

#include <stddef.h>
#include <stdio.h>

struct system {
	const char *name;
	const char *collective;
	int nranks;       /* 0: any number */
	int nnodes;       /* 0: any number; over one where nranks is any number */
	double low, high; /* busbw, bytes per second; equal where one value was reported */
	const char *what;
	const char *source;
};

extern const struct system systems[];
extern const size_t system_count;

/* By name, or NULL. */
const struct system *system_find(const char *name);

/* The table for people. */
void system_list(FILE *out);

#endif
