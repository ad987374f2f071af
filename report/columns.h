/* SPDX-License-Identifier: Apache-2.0
 *
 * The one table of columns: name (with its unit), type, place in struct result, and factor from memory to print.
 * CSV, JSON, the wide console format and the reader are loops over it, so a new column is one row.
 */
#ifndef COLLPERF_COLUMNS_H
#define COLLPERF_COLUMNS_H

#include <stdio.h>

#include "result.h"

enum column_type { COLUMN_TEXT, COLUMN_INTEGER, COLUMN_REAL };

struct column {
	const char *name;
	enum column_type type;
	size_t offset; /* of a const char *, int64_t or double in struct result */
	double scale;  /* printed value = value in memory * scale; reals only */
	int width;     /* on the wide console; 0: not shown there */
};

extern const struct column columns[];
extern const size_t column_count;

/* Index of a column by its printed name, -1 when there is none. */
int column_find(const char *name);

const char *column_text(const struct column *column, const struct result *result);
int64_t column_integer(const struct column *column, const struct result *result);
/* In the printed unit; NAN when absent. */
double column_real(const struct column *column, const struct result *result);

/*
 * The value as CSV, JSON and the wide console print a number: integers plain, reals with %.9g; "" when it is absent (infinite
 * values too). Texts are returned as they are, unquoted. `buffer` (at least 40 bytes) may hold the answer.
 */
const char *column_print(const struct column *column, const struct result *result, char *buffer, size_t size);

/* A number as %.9g prints it, but quicker; finite. The answer is somewhere in `buffer` (at least 40 bytes). */
const char *column_number(double real, char *buffer, size_t size);

/*
 * The reverse, into *result. Empty text: absent. -1 when text is not a number of that type or does not fit.
 * Texts are stored as given (the caller keeps them alive).
 */
int column_parse(const struct column *column, const char *text, struct result *result);

#endif
