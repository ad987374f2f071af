/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the sheet share: rows of a side brought down to one cell a launch and point, and lines of words. Whoever reads a sheet needs
 * sheet.h alone.
 */
#ifndef COLLPERF_GATE_SHEET_PARTS_H
#define COLLPERF_GATE_SHEET_PARTS_H

#include <stdint.h>
#include <stdio.h>

#include "../index.h"
#include "../runs.h"
#include "sheet.h"

/* What rows of a cell or point say of how its time came about. */
enum gate_trait {
	GATE_TRAIT_TURNS = 1,
	GATE_TRAIT_GPU_TURNS = 2,
	GATE_TRAIT_TRACED = 4,
	GATE_TRAIT_RATES = 8,
	GATE_TRAIT_SIMULATED = 16,
	GATE_TRAIT_IMPORTED = 32,
	GATE_TRAIT_SYNC = 64,
	GATE_TRAIT_LOOP = 128,
	GATE_TRAIT_UNCHECKED = 256,
};

/* One sweep of one primitive by one start of a binary: its run id in one input, of rows without one its file. */
struct gate_launch {
	const char *run, *source, *collective;
	size_t era;
	double started; /* of its earliest row, seconds since 1970; NAN */
	int64_t points; /* that it meant to measure, RESULT_NONE where no row says it */
	size_t kept;    /* rows that are no copies */
	bool cut;       /* kept < points */
};

/* What a launch says of a point. */
struct gate_cell {
	const struct result *row;
	double time, log_time; /* the median over cycles: seconds and its logarithm, NAN */
	long wrong;
	unsigned traits;
	uint32_t key, launch;
	bool in_place;
};

struct gate_gathered {
	const struct gate_side *side;
	const char *name;
	struct gate_cell *cells; /* by key, placement, bytes, launch */
	size_t ncells;
	struct gate_launch *launches; /* oldest first; in the order of rows where times are missing */
	size_t nlaunches;
	size_t pairs, steps, foreign; /* rows left out */
	const char *foreign_name;
	long wrong;
	double first, last; /* row, seconds since 1970; NAN */
};

/* The different keys of both sides. */
struct gate_keys {
	const struct result **items;
	const struct result **of[GATE_SIDES]; /* the first row of each side, NULL */
	size_t count;
	struct index index;
	size_t last; /* that a row was found to be of */
	bool loose;  /* without backend, path and algo */
	bool mixed;  /* set where rows of one side differ in these and are the same key nevertheless */
};

/* A point that one side has alone. */
struct gate_lone {
	const struct result *row;
	uint32_t key;
	bool in_place;
	bool matched;       /* other points of its key are on both sides */
	double least, most; /* bytes of those */
};

/* A point that both sides have. */
struct gate_spot {
	const struct gate_cell *cells[GATE_SIDES];
	size_t ncells[GATE_SIDES];
	uint64_t coverage; /* equal where the same launches have it */
	bool incomplete;   /* a launch that was cut lacks it */
};

/* Appends the series of spots that the same launches have, by placement and bytes. -1 after one line on stderr. */
int gate_series_make(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES], bool paired,
		     const struct gate_spot *spots, size_t n);
void gate_series_clear(struct gate_series *series);

/* -1 after one line on stderr; the keys and *gathered are to be cleared in either case. Rows are added to keys. */
int gate_gather(const struct gate_side *side, enum gate_side_id id, struct gate_keys *keys, struct gate_gathered *gathered);
void gate_gathered_clear(struct gate_gathered *gathered);

/* Number of the key of a row, added where it is new; SIZE_MAX after one line on stderr. */
size_t gate_keys_find(struct gate_keys *keys, enum gate_side_id id, const struct result *row);
void gate_keys_clear(struct gate_keys *keys);

/* Whether two rows, of whichever side, are of one key; and with backend, path and algo among it. */
bool gate_key_same(const struct result *left, const struct result *right, bool loose);

/* Seconds since 1970 of "2026-01-02T03:04:05.678Z"; NAN for any other text. */
double gate_seconds(const char *timestamp);

bool gate_is_unchecked(const struct result *row);
unsigned gate_traits(const struct result *row);

/* Median of n >= 1 numbers, which are sorted; of two in the middle the mean. */
double gate_median(double *numbers, size_t n);

/* a + b, or the largest long. */
long gate_add(long a, long b);

/*
 * Pairs launches of two sides: first[i] of one side belongs to second[i] of the other, in the order of their numbers. By the numbers that end their run
 * ids, where all have one and no two of a side the same; else by their order, where there are as many. 0 pairs: neither. SIZE_MAX: memory, one line.
 */
size_t gate_pair_launches(const struct gate_launch *const *first, size_t nfirst, const struct gate_launch *const *second,
			  size_t nsecond, size_t *of_first, size_t *of_second);

#endif
