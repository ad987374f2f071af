/* SPDX-License-Identifier: Apache-2.0
 *
 * The pairs of a study: rows of one file that differ in their ranks, load and size alone are one set, launches taken together.
 */
#ifndef COLLPERF_PAIR_STUDY_H
#define COLLPERF_PAIR_STUDY_H

#include <stdio.h>

#include "findings.h"
#include "pair_set.h"
#include "pair_words.h"
#include "study.h"

enum { PAIR_MOST_PARTS = 64, PAIR_SHOWN_PARTS = 3 };

struct pair_part {
	const struct result *key; /* one of its rows */
	const char *source;       /* file name as given */
	const char *run;          /* of study->runs */
	struct pair_set set;
};

struct pair_study {
	struct pair_part *parts;
	size_t count;    /* the first PAIR_SHOWN_PARTS have figures */
	size_t left_out; /* rows over PAIR_MOST_PARTS or PAIR_MOST_RANKS */
};

/* Both 0, or -1 after one line on stderr. The study must outlive it. */
int pair_study_build(const struct study *study, struct pair_study *pairs);
int pair_study_findings(struct findings *findings, const struct pair_study *pairs);
void pair_study_clear(struct pair_study *pairs);

/* Of a part's ranks by its run.json. *owner is filled and must live as long as the result. */
struct pair_owner {
	const struct findings *findings;
	const char *run;
};
struct pair_hosts pair_study_hosts(const struct findings *findings, const struct pair_part *part, struct pair_owner *owner);

/* Ranks in the order of their hosts: order[set->nranks]. */
void pair_study_order(const struct pair_set *set, int *order);

/* What sets a part apart: "pairs.csv, float, path tcp"; nothing where there is one alone. */
void pair_study_label(const struct pair_study *pairs, const struct pair_part *part, char *text, size_t size);

/* A matrix of each part and load as CSV: times in us at the smallest size, or GB/s at the largest. */
void pair_study_csv(FILE *out, const struct pair_study *pairs, const struct findings *findings, enum pair_figure figure);

#endif
