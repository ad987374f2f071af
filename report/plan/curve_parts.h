/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the curve share.
 */
#ifndef COLLPERF_CURVE_PARTS_H
#define COLLPERF_CURVE_PARTS_H

#include "curve.h"

/* Rows of one curve. */
struct curve_series {
	const struct result *key; /* the first of them */
	const char *source;
	const struct result **rows; /* curve_series_points sorts them */
	size_t nrows;
	size_t first; /* of the rows read, which is the key */
	size_t sizes;
	size_t launches; /* the most of a size */
};

/* Why rows of the primitive do not count. */
enum curve_reason {
	CURVE_TURNS,
	CURVE_WRONG,
	CURVE_UNTIMED,
	CURVE_REPEAT,
	CURVE_ALONE,    /* one rank */
	CURVE_PAIR,     /* or of a step */
	CURVE_VARIANT,  /* not a plain call, which the wish asks for */
	CURVE_UNWISHED, /* anything else that the wish does not allow */
	CURVE_REASONS
};

struct curve_found {
	struct curve_series *items;
	size_t count;
	size_t left_out[CURVE_REASONS]; /* rows */
};

/* The series that the wish allows, but for its number of ranks. 0, or -1: no memory. */
int curve_collect(const struct rows *rows, const struct curve_wish *wish, struct curve_found *found);
void curve_found_clear(struct curve_found *found);

/* One point a size, the caller's to free; sorts the rows. NULL: no memory. */
struct curve_point *curve_series_points(struct curve_series *series, size_t *npoints);

/* The one to take, by the rule of curve_from_rows; NULL: there is none. */
struct curve_series *curve_choose(const struct curve_found *found, const struct curve_wish *wish);

/* Texts of the caller; NULL: no memory. What was taken; what was not. */
char *curve_tell_choice(const struct curve *curve, const struct curve_series *chosen);
char *curve_tell_model(const struct curve *curve);
char *curve_tell_passed(const struct curve_found *found, const struct curve_series *chosen);
/* Why there is no curve: no rows, no such number of ranks. */
void curve_tell_none(const struct curve_found *found, const struct curve_wish *wish, char *error, size_t size);

#endif
