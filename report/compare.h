/* SPDX-License-Identifier: Apache-2.0
 *
 * Series of one primitive held against each other, size by size: the time of each against that of a base.
 */
#ifndef COLLPERF_COMPARE_H
#define COLLPERF_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "escape.h"
#include "ratio.h"
#include "study.h"

enum { COMPARE_MOST_SIZES = 4096 }; /* of a comparison, in compare.csv */

struct compare_point {
	double bytes;           /* of the base */
	double time, base_time; /* seconds */
	double ratio;           /* time / base_time: under 1 is faster than the base */
	double low, high;       /* what the intervals of both times leave the ratio; NAN unless both have one */
	size_t launches, base_launches;
	bool oversubscribed;  /* one of the two */
	enum ratio_kind kind; /* of the two times; one that is not to be told is NAN only where ways of a call are compared */
};

/* One series against its base. */
struct comparison {
	const struct series *series, *base;
	struct compare_point *points; /* the sizes that both have, by rising bytes */
	size_t npoints;               /* >= 1 */
	bool shown;                   /* in the figure and in the table of the page */
};

/*
 * Fills figure->comparisons. The base side is what the figure's first series is of the first of these that differs: run, path,
 * algorithm, group, library or backend, type (operation, root), nodes, number of ranks. Every other series is held against the one of
 * the base side that is most like it, of the same placement. 0, or -1 after one line on stderr.
 */
int compare_build(struct figure *figure);
void compare_clear(struct figure *figure);

/* How many of a figure's comparisons are shown. */
size_t compare_shown(const struct figure *figure);

/*
 * The ratio of two times and its interval. Where several launches are behind a time, its interval is what they span; of fewer than five, which may agree
 * by chance, at least what the typical launch's own interval leaves it.
 */
struct compare_point compare_points(const struct point *base, const struct point *point);

/* The same of two ways of a call (uneven and even, pipelines, modes): a ratio that ratio.h does not tell is NAN, as its interval. */
struct compare_point compare_ways(const struct point *base, const struct point *point);

/*
 * Whether a row of that file is what --baseline NAME means: the file or its folder (whole or their last parts, with or without ".csv"),
 * or its path, algo, group, backend, library, type, or its number of ranks ("8" or "8 ranks").
 */
bool compare_names(const char *name, const char *source, const struct result *row);

/* Whether --baseline, if it was given, means a series at all; else one line on stderr says so. */
bool compare_knows_baseline(const struct study *study);

/* "A takes 1.20 to 3.00 times as long as B: slower at 18 of 20 sizes, faster at 1, not apart at 1." */
void compare_put(FILE *out, enum escape how, const struct comparison *comparison);

/* compare.csv: a line a size of a comparison; of more than COMPARE_MOST_SIZES every second, third ... one. */
void compare_csv(FILE *out, const struct study *study);

#endif
