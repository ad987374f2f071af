/* SPDX-License-Identifier: Apache-2.0
 *
 * What an output format is: it is told of a run, of each row as soon as it is measured, and of the end.
 * Formats: console (nccl-tests' table), wide (our own columns), csv, json. They know nothing of measuring.
 */
#ifndef COLLPERF_WRITER_H
#define COLLPERF_WRITER_H

#include <stdio.h>

#include "result.h"

struct topo;

/* A named fact of the run. Borrowed texts, any bytes: a format escapes them as it must. */
struct run_fact {
	const char *name;
	const char *value;
};

/* One rank, as the console's device lines and the JSON show it. */
struct run_rank {
	int rank;
	int group;
	long pid;
	const char *host;
	int device;         /* local rank, or the GPU's index */
	const char *detail; /* "[0000:0f:00] NVIDIA H200", "cores 0-1"; may be "" */
};

/* Everything known before the first row. Borrowed; lives until the writer's end. */
struct run_info {
	const char *program; /* "all_reduce_perf" */
	const char *version; /* collperf's */
	const char *headers; /* library version compiled against */
	const char *library; /* library version running */
	const char *run;     /* id of this launch, as in the rows */
	const char *started; /* ISO 8601 UTC */
	int nthreads;
	int ngpus;
	uint64_t min_bytes;
	uint64_t max_bytes;
	bool step_is_factor;
	uint64_t step;
	long warmup;
	long iters; /* 0: until the precision is reached */
	long agg_iters;
	long check;
	long graph;
	long unalign;
	bool per_iter;   /* -I: four more console columns a placement, from the spread of single calls */
	bool cpu_time;   /* -C: the console's time is the time to queue a call */
	int ngroups;     /* parallel groups; with more than one the console shows which */
	bool variants;   /* rows may have a variant: the console shows it */
	bool timestamps; /* -S: a time at the end of each console row */
	const struct run_rank *ranks;
	size_t nranks;
	const struct run_fact *facts; /* host names, cores, timer, library strings ... */
	size_t nfacts;
	const struct topo *topo;            /* the machines; NULL or without hosts: not known */
	const struct run_fact *environment; /* allow-listed variables only */
	size_t nenvironment;
	const struct run_fact *labels; /* --label */
	size_t nlabels;
	const char *const *args; /* the command line */
	size_t nargs;
	const char *const *notes; /* one line each, printed as '#' lines before the table: warnings, skipped combinations */
	size_t nnotes;
};

/* What is known at the end. */
struct run_summary {
	bool complete;            /* every point was measured */
	const char *why;          /* when not complete: "interrupted", "rank 2 died"; else "" */
	int64_t wrong;            /* elements over all rows */
	const char *ended;        /* ISO 8601 UTC */
	const char *const *notes; /* '#' lines after the table: late ranks, points that stayed noisy */
	size_t nnotes;
	const struct run_fact *facts; /* measured over the run: foreign CPU share, points that reached their precision */
	size_t nfacts;
};

struct writer_ops {
	const char *name;
	const char *summary; /* for --list */
	/* All return 0, or -1 after printing one line on stderr. `path` is where to write, "-" is stdout. */
	int (*begin)(const struct run_info *info, const char *path, void **state);
	int (*row)(void *state, const struct result *result);
	/* Frees state, also when it fails. */
	int (*end)(void *state, const struct run_summary *summary);
};

extern const struct writer_ops writer_console; /* "nccl": rows of both placements joined in one line */
extern const struct writer_ops writer_wide;
extern const struct writer_ops writer_pairs;   /* of --pairs: a line a pair and size, matrices, slow ranks, hosts and pairs */
extern const struct writer_ops writer_buckets; /* of training steps: a line a strategy and bucket size */
extern const struct writer_ops writer_csv;     /* appends a row and flushes it; refuses nothing, truncates an old file */
extern const struct writer_ops
	writer_json; /* one document; on disk it always parses: replaced whole, at most ten times a second */
extern const struct writer_ops writer_facts; /* JSON of struct run_info and run_summary without rows, for run.json */

#endif
