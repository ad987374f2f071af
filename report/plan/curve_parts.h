/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the curve share.
 */
#ifndef COLLPERF_CURVE_PARTS_H
#define COLLPERF_CURVE_PARTS_H

#include "curve.h"

struct curve_row {
	const struct result *row;
	const char *source;
	size_t number; /* of the rows read */
};

/* Who chose the algorithm. */
enum curve_choice {
	CURVE_LIBRARY,  /* the library, as far as rows tell */
	CURVE_PROTOCOL, /* it chose no more than the protocol */
	CURVE_FORCED
};

/* Rows of one curve. */
struct curve_series {
	const struct result *key; /* the first of them that was read */
	const char *source;       /* of the key */
	struct curve_row *rows;
	size_t nrows;
	size_t first; /* of the rows read, which is the key */
	size_t sizes;
	size_t launches; /* the most of a size */
	enum curve_choice choice;
	const char *label; /* of the algorithms, as far as `choice` does not tell; length */
	size_t length;
	bool refused; /* it cannot be scaled */
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

/* Makes several of a series with several algorithms at a size. 0, or -1: no memory. */
int curve_split_algorithms(struct curve_found *found, size_t number);
bool curve_same_algorithm(const char *left, const char *right);

/* One point a size, the caller's to free; sorts the rows. NULL: no memory. */
struct curve_point *curve_series_points(struct curve_series *series, size_t *npoints, struct curve_noise *noise);
/* Sets sizes and launches; sorts the rows. */
void curve_series_measure(struct curve_series *series);

/* The one to take, by the rule of curve_from_rows; NULL: there is none. */
struct curve_series *curve_choose(const struct curve_found *found, const struct curve_wish *wish);
/* The same once `chosen` could not be scaled: of other numbers of ranks or nodes. */
struct curve_series *curve_choose_other(struct curve_found *found, const struct curve_wish *wish,
					const struct curve_series *chosen);

/* Texts of the caller; NULL: no memory. What was taken; what was not. */
char *curve_tell_choice(const struct curve *curve, const struct curve_series *chosen);
char *curve_tell_model(const struct curve *curve);
/* Of series whose key is none of used[n]. */
char *curve_tell_passed(const struct curve_found *found, const struct result *const *used, size_t n);
/* Why there is no curve: no rows, no such number of ranks. */
void curve_tell_none(const struct curve_found *found, const struct curve_wish *wish, char *error, size_t size);

#endif
