/* SPDX-License-Identifier: Apache-2.0
 *
 * What links can carry at best: one way, payload where framing is known, bytes per second, each with its source. Constant.
 */
#ifndef COLLPERF_LINK_H
#define COLLPERF_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct link {
	const char *name;
	double rate;      /* bytes per second, one way: of a GPU for NVLink, of a slot, of a port */
	double reachable; /* what collectives reach of it at best by NCCL's own constants; 0: not known */
	bool nvls;        /* may be behind a switch that reduces: busbw over `rate` is then no error */
	const char *what;
	const char *source;
};

extern const struct link links[];
extern const size_t link_count;

/* By name, or NULL. */
const struct link *link_find(const char *name);

/*
 * "NAME" or a bandwidth ("50G"), or either with "xK" behind it, K in 1..1024: the rate of one, how many (1 where not said) and the
 * row of the table (NULL for a bandwidth). -1, and nothing changed, when it is none of these.
 */
int link_parse(const char *text, double *rate, int *count, const struct link **link);

/* The table for people. */
void link_list(FILE *out);

#endif
