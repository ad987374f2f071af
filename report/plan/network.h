/* SPDX-License-Identifier: Apache-2.0
 *
 * How long calls take among the ranks of a job: by measured rows, or by a link. Units: seconds, bytes.
 */
#ifndef COLLPERF_PLAN_NETWORK_H
#define COLLPERF_PLAN_NETWORK_H

#include "../hier.h"
#include "curve.h"
#include "options.h"

/* Who takes part in a call. */
enum plan_group {
	PLAN_EVERYBODY,
	PLAN_NEIGHBOURS, /* ranks that follow each other: the ranks of one node as far as they go round */
	PLAN_STRIDE,     /* every n-th rank, where n neighbours are a group of their own */
};

struct plan_members {
	enum plan_group group;
	int nranks; /* of the group */
	int stride; /* of PLAN_STRIDE; else 1 */
};

/* The times of one primitive in a group. */
struct plan_timer {
	struct plan_members members;
	const struct collective *coll;
	bool known;
	bool two_level; /* by hier.h, else by the curve */
	struct hier hier;
	struct curve curve;
	char error[256];  /* one line: why it is not known; else "" */
	char remark[400]; /* one line: what was not measured as it should have been; else "" */
	bool stand_in;    /* then the remark says so, or, where gpus_per_node is not known, one of the whole network */
};

struct plan_network {
	const struct plan_options *options;
	const struct rows *rows;   /* NULL: a link */
	const struct facts *facts; /* [nfacts] of the rows' folders; the caller's, who sets them behind plan_network_open */
	size_t nfacts;
	int np;
	int gpus_per_node;          /* 0: not known */
	struct plan_timer **timers; /* grows; owned */
	size_t ntimers;
};

/* Why no plan can be read off these rows at all: none is of a collective's calls. NULL: some are. */
const char *plan_network_why_useless(const struct rows *rows);

/* rows: NULL with a link; else must outlive it. 0, or -1 after one line on stderr: which ranks there are cannot be told (exit code 2). */
int plan_network_open(const struct plan_options *options, const struct rows *rows, struct plan_network *network);
void plan_network_close(struct plan_network *network);

/* Lives as long as the network. NULL after one line on stderr: memory. */
const struct plan_timer *plan_network_timer(struct plan_network *network, enum coll_id coll, const struct plan_members *members);

/* Of a known timer. */
struct curve_time plan_timer_time(const struct plan_timer *timer, double bytes);
/* a + b * bytes of a known timer; false where there is no such line. */
bool plan_timer_line(const struct plan_timer *timer, double *a, double *b);

/* One of the rows that times are read off; NULL: none are, or nothing is known. */
const struct result *plan_timer_key(const struct plan_timer *timer);
/* Where a time of it comes from, for a column: "measured, 8 ranks on 2 nodes, scaled". */
void plan_timer_rows(const struct plan_timer *timer, const struct curve_time *time, char *text, size_t size);

/* Rows that times are read off: each series once. */
struct curve_noise plan_network_noise(const struct plan_network *network);

/* Bytes that the busiest rank sends in a call of `bytes`: busbw's factor times them; 0 with one rank. */
double plan_sent(const struct plan_members *members, enum coll_id coll, double bytes);

#endif
