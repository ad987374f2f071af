/* SPDX-License-Identifier: Apache-2.0
 *
 * What a reader must know before believing a figure. One sentence each, worst first.
 */
#ifndef COLLPERF_FINDINGS_H
#define COLLPERF_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "facts.h"
#include "study.h"

enum { FINDING_MOST_RUNS = 6 }; /* named by a finding; the others are counted */

enum finding_level { FINDING_ERROR, FINDING_WARNING, FINDING_NOTE };

struct finding {
	enum finding_level level;
	char *text;                    /* owned; may hold any bytes */
	char *runs[FINDING_MOST_RUNS]; /* owned; where it was found */
	size_t nruns;
};

/* Where a rank of a run ran, by its run.json. */
struct finding_host {
	char *run, *host; /* owned; no host: not the same in all launches */
	int64_t rank;
};

struct findings {
	struct finding *items;
	size_t count;
	const char *run; /* what findings_add takes as the place; NULL: none. Borrowed */
	struct finding_host *hosts;
	size_t nhosts;
	bool wrong_data; /* some row holds wrong elements */
	bool singleton;  /* some figure looks like several jobs of one rank */
};

/* All return 0, or -1 after one line on stderr. What is said already is only said of one more run. */
int findings_add(struct findings *findings, enum finding_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int findings_collect(struct findings *findings, const struct study *study);
/* What run.json says of the run: launches that failed, other programs that took the processor. */
int findings_take_facts(struct findings *findings, const struct facts *facts, const char *run);
/* Puts the names of the runs in front of each text: "a, b: ...". Once, when all are added. */
int findings_name_runs(struct findings *findings);
void findings_clear(struct findings *findings);

/* "error", "warning", "note". */
const char *finding_word(enum finding_level level);

#endif
