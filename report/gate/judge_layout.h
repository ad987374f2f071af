/* SPDX-License-Identifier: Apache-2.0
 *
 * The windows that a series is looked at through, and how large the largest of their statistics is by chance. A part of judge_parts.h.
 */
#ifndef COLLPERF_GATE_JUDGE_LAYOUT_H
#define COLLPERF_GATE_JUDGE_LAYOUT_H

#include "judge.h"

/* --- judge_largest.c: the largest of statistics that depend on each other */

/* Behaves in its tail as the largest of `tests` independent normal values, or of their magnitudes. */
struct gate_largest {
	double tests;
	bool magnitudes;
};

double gate_largest_p(struct gate_largest largest, double z);
double gate_largest_z(struct gate_largest largest, double p);

/* --- judge_windows.c: what a series of that many sizes is looked at through */

enum { GATE_QUARTERS = 4, GATE_LEVELS = 7, GATE_MOST_SEGMENTS = 256, GATE_GROUPS = 48, GATE_ROWS = 3 };

/*
 * Sizes are put into segments: each is one, or, where there are more than GATE_MOST_SEGMENTS, as many neighbours as needed. Rows of a series: its
 * out-of-place points, its in-place points, both. A window is [first, end) of `row` against the rest of [low, high) of `against`.
 */
struct gate_window {
	unsigned short first, end, low, high;
	unsigned char row, against, group;
	bool either; /* it is as well the rest that may have changed */
};

struct gate_layout {
	size_t segments, placements;
	struct gate_window *windows;
	size_t nwindows;
	struct gate_largest level, shape;
};

/* -1: memory */
int gate_layout_make(struct gate_layout *layout, size_t segments, size_t placements);
void gate_layout_clear(struct gate_layout *layout);
/* Variances of an observation: what all points of a launch share, what those of a quarter of the sizes share beside that, and what is a point's own. */
struct gate_spread {
	double launch, quarter, own;
};
/* In judge_draw.c: the largest statistics under that spread, right where their p is about `rates`; `most` layouts share the time. -1: memory. */
int gate_layout_draw(struct gate_layout *layout, struct gate_spread spread, const double rates[GATE_KINDS], uint64_t seed,
		     size_t most);
/* The level windows: all, from a quarter, half, three quarters on, up to those. An empty one has first == end. */
void gate_level_window(size_t segments, size_t i, size_t *first, size_t *end);
/* How many windows of a group can be independent of each other. */
double gate_group_places(size_t group, size_t segments);

#endif
