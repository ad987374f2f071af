/* SPDX-License-Identifier: Apache-2.0
 *
 * What is recorded beside the numbers: hosts, cores, clock, library, the allow-listed environment, and how much of the machine others used meanwhile.
 */
#ifndef COLLPERF_FACTS_H
#define COLLPERF_FACTS_H

#include "../report/writer.h"
#include "backend.h"
#include "clock.h"
#include "options.h"

struct launch;
struct steer;

/* A growing list of named texts that owns what it holds. */
struct fact_list {
	struct run_fact *items;
	size_t count;
	size_t capacity;
};

/* Texts are copied. -1 when memory is short. */
int facts_add(struct fact_list *list, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
void facts_free(struct fact_list *list);

/* Facts of this host and run. */
int facts_collect(struct fact_list *list, const struct backend *backend, const struct launch *launch, const struct clock *clock,
		  const struct options *options);

/* Variables that change a measurement, by an allow-list; never the whole environment, and none that `steer` (NULL: nothing) set for the log. */
int facts_environment(struct fact_list *list, const struct steer *steer);

/* "K=V" labels. */
int facts_labels(struct fact_list *list, const struct options *options);

/* CPU seconds of this host and of this process so far. */
struct cpu_use {
	double host;
	double own;
	double wall;
};

void facts_cpu(struct cpu_use *use);

/*
 * Cores' worth of CPU time that others took on rank 0's host between `begin` and now: own time of all ranks of the host is taken off. Collective; the
 * answer is on rank 0, -1 when unknown.
 */
int facts_foreign_cpu(struct launch *launch, const struct cpu_use *begin, double *cores);

/* "2026-01-31T12:00:00.123Z" for seconds since 1970. `text` of at least 32 bytes. */
void facts_timestamp(double seconds, char *text);
/* Seconds since 1970. */
double facts_wall_clock(void);

#endif
