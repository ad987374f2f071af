/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the session share. Nobody else includes this.
 */
#ifndef COLLPERF_SESSION_PARTS_H
#define COLLPERF_SESSION_PARTS_H

#include "../topo/topo.h"
#include "check.h"
#include "clock.h"
#include "facts.h"
#include "measure.h"
#include "notes.h"
#include "output.h"
#include "progress.h"
#include "session.h"
#include "sweep.h"

struct session {
	const struct session_parts *parts;
	struct groups groups;
	struct backend backend;
	struct clock clock;
	struct check *check;
	struct measure *measure;
	struct sweep_total total;
	uint64_t planned; /* rows of all cycles, one a point and group; 0: no end */
	/* Of the last type and operation, [group]; groups of equal size share one. */
	const struct pattern **patterns;
	bool has_patterns;
	int pattern_type, pattern_op;
	bool oversubscribed;
	/* rank 0 */
	struct run_info info; /* borrowed by the writers */
	struct topo topo;     /* without hosts where it is not known */
	struct output output;
	struct notes before, after;
	struct fact_list facts, end_facts, environment, labels;
	struct run_rank *ranks;
	char *texts;      /* of `ranks` */
	int *group_nodes; /* [group] */
	struct cpu_use cpu;
	struct progress progress;
	char run[96];
	char started[32];
	uint64_t done, imprecise, host_bound; /* rows */
	int64_t wrong;
};

/* Memory for the sweep on every host, or a refusal with the numbers. Collective; the same answer on all ranks. 0 or -1. */
int session_memory(struct session *session);

/* Bytes by which -u shifts buffers, for the largest element of the sweep. */
size_t session_shift(const struct session *session);

/* What failed is said: ends every process. Does not return. */
void session_abort(const struct session_parts *parts);

/* Prints the points and the memory they need (rank 0). */
void session_dry_run(const struct session *session);

/* Fills session->topo on rank 0. Collective. 0, or -1 when the launch failed. */
int session_topology(struct session *session);

/* Rank 0: gathers what the writers are told first and begins them. Collective. 0, or -1 (the same on all ranks). */
int session_begin(struct session *session);
/* Ends the writers. */
int session_end(struct session *session, const char *why);

/* Rank 0: one row for each group. */
int session_rows(struct session *session, const struct point *point, const struct measurement *measurement);

/* The patterns of this point, made anew only when type or operation change; NULL where nothing is checked, with *failed where memory is short. */
const struct pattern *const *session_patterns(struct session *session, const struct point *point, bool *failed);
void session_patterns_free(struct session *session);

/* "4 ranks on 2 cores" on any host: sets oversubscribed, the same on all ranks. Collective. */
int session_oversubscription(struct session *session);

#endif
