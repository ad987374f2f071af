/* SPDX-License-Identifier: Apache-2.0
 *
 * How a primitive scales: time and busbw at fixed sizes against the number of ranks.
 */
#ifndef COLLPERF_SCALING_H
#define COLLPERF_SCALING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "study.h"

enum {
	SCALING_LEAST_COUNTS = 3,  /* numbers of ranks */
	SCALING_MOST_SIZES = 4,    /* that are drawn */
	SCALING_SHOWN = 3,         /* of a primitive */
	SCALING_MOST_LISTED = 4096 /* sizes of a scaling, in scaling.csv */
};

/* Series that differ in their number of ranks (and nodes) alone. */
struct scaling {
	const struct series **series;     /* by rising number of ranks, each number once */
	size_t count;                     /* >= SCALING_LEAST_COUNTS */
	double *bytes;                    /* sizes that all of them measured, rising */
	size_t nbytes;                    /* >= 1 */
	double sizes[SCALING_MOST_SIZES]; /* those drawn, rising: the least, the largest and what lies evenly between */
	size_t nsizes;
	size_t left_out; /* series whose number of ranks an earlier one has */
	char label
		[96]; /* what it is apart from the figure's other scalings: "tcp"; of the safe alphabet, "" where there is one */
	bool shown;
};

/* Whether nothing but the number of ranks and nodes, and where they are from, sets two series apart. */
bool scaling_only_ranks(const struct series *left, const struct series *right);

/* Fills figure->scalings. 0, or -1 after one line on stderr. */
int scaling_build(struct figure *figure);
void scaling_clear(struct figure *figure);

/* How many of a figure's scalings are shown. */
size_t scaling_shown(const struct figure *figure);

/* scaling.csv: a line a size of a number of ranks, with the models' times; of more than SCALING_MOST_LISTED sizes every second, third ... */
void scaling_csv(FILE *out, const struct study *study);

#endif
