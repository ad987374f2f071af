/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the session share. Nobody else includes this.
 */
#ifndef COLLPERF_SESSION_PARTS_H
#define COLLPERF_SESSION_PARTS_H

#include "../report/ratio.h"
#include "../topo/topo.h"
#include "check.h"
#include "clock.h"
#include "facts.h"
#include "measure.h"
#include "notes.h"
#include "output.h"
#include "pairs.h"
#include "progress.h"
#include "session.h"
#include "sweep.h"
#include "way_taken.h"

struct session {
	const struct session_parts *parts;
	struct groups world;  /* what the backend knows */
	struct groups groups; /* who talks to whom now: the same, or (--pairs) pairs of its ranks */
	int group_capacity;   /* the most that `groups` ever has */
	int *peer;            /* --pairs: [rank] of the pairs that are measured now */
	int *nodes;           /* --pairs, rank 0: [rank] */
	bool load_all;        /* --pairs: those of a round at once */
	struct backend backend;
	struct way_taken taken; /* backend.path is its path */
	char algo[48];          /* of the last point, "" where the library did not say */
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
	char *texts;               /* of `ranks` */
	int *group_nodes;          /* [group] */
	struct ratio_time *serial; /* [group] of the last pipeline with one buffer, time 0: none; NULL: none yet */
	struct uneven_row *uneven; /* [group] the last uneven one; NULL: none yet */
	int gains, costs;          /* told of: pipelines with several buffers, uneven exchanges */
	struct cpu_use cpu;
	struct progress progress;
	char run[96], started[32];
	uint64_t done, imprecise, host_bound; /* rows */
	int64_t wrong, left_out;              /* elements; timed calls and steps to which a rank was late */
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

/* The points of one cycle for the groups as they are. 0 to go on, 1 to stop in good order, 2 where output failed, -1 when this rank failed. */
int session_sweep(struct session *session);

/* session_pairs.c: the groups become pairs, in place of session->world for all but the backend. 0, or -1 after one line on stderr. */
int session_pairs_open(struct session *session);
void session_pairs_close(struct session *session);
/* One cycle; as session_sweep. */
int session_pairs(struct session *session);
/* Rows of one cycle for each point. */
uint64_t session_pairs_rows(const struct session *session);
void session_pairs_note(struct session *session);
/* Adds which pairs are measured now to the text. */
void session_pairs_name(const struct session *session, char *text, size_t size);
/* The columns of a pair. */
void session_pairs_fill(const struct session *session, int group, struct result *row);

/* session_exchange.c: whether the ways of sendrecv find no partners among these ranks: a line for the user. */
bool session_exchange_refuses(const struct session *session, char *text, size_t size);
void session_exchange_note(struct session *session);
bool session_has_variants(const struct session *session);
/* Rank 0: what a pipeline gained against the one with a single buffer, as far as the rows can tell. */
void session_exchange_row(struct session *session, const struct point *point, int group, const struct result *row);
/* Bytes of a rank's staging buffers. */
uint64_t session_staging(const struct session *session, uint64_t bytes);

/* session_way.c, collective: reads the path that was taken. 0, or -1 when the launch failed. */
int session_way(struct session *session);
/* On every process after each point, before its rows. */
void session_way_point(struct session *session, const struct point *point);

/* session_steps.c, with options->step: what there is to measure. 0, or -1 after one line on stderr. */
int session_steps_count(struct session *session);
uint64_t session_steps_memory(const struct session *session);
uint64_t session_steps_host_memory(const struct session *session);
int session_steps_dry_run(const struct session *session);
void session_steps_note(struct session *session);
/* All cycles, with the same compute; as session_sweep. */
int session_steps(struct session *session);

/* Rank 0: a row with the point, its times and what was wrong, counted; its flags are written to `flags`. */
void session_row_begin(struct session *session, const struct point *point, const struct group_measurement *measured,
		       struct result *row, char *flags, size_t size);

/* Rank 0: one row for each group. */
int session_rows(struct session *session, const struct point *point, const struct measurement *measurement);

/* session_uneven.c: whether a matrix is for as many ranks as there are; if not, rank 0 says so. */
bool session_matrix_fits(const struct session *session);
/* Rank 0: what whole elements do not leave of a matrix. */
void session_uneven_note(struct session *session);
/* Rank 0: what uneven blocks cost, once the row of the even exchange is there too, or why that is not measured. */
void session_uneven_row(struct session *session, const struct point *point, int group, const struct result *row);
void session_uneven_alone(struct session *session, const char *why);

/* The patterns of this point, made anew only when type or operation change; NULL where nothing is checked, with *failed where memory is short. */
const struct pattern *const *session_patterns(struct session *session, const struct point *point, bool *failed);
void session_patterns_free(struct session *session);

/* "4 ranks on 2 cores" on any host: sets oversubscribed, the same on all ranks. Collective. */
int session_oversubscription(struct session *session);

#endif
