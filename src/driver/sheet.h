/* SPDX-License-Identifier: Apache-2.0
 *
 * The CSV files of launches: whether one is complete, and several joined to one. Knows of their contents that a header comes
 * first, and the columns points and wrong.
 */
#ifndef COLLPERF_DRIVER_SHEET_H
#define COLLPERF_DRIVER_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "words.h"

struct sheet {
	size_t rows;    /* whole ones */
	size_t points;  /* how many there should be, 0: unknown */
	uint64_t wrong; /* sum of the column, of whole rows; fields that are no positive number count nothing */
	bool complete;  /* at least one row, no fewer than points, the last one not cut short */
};

/* A file that cannot be read has no rows. */
void sheet_check(const char *path, struct sheet *sheet);

/*
 * Writes the whole rows of every file that exists to `path` under the first one's header; replaces it as a whole, so that a reader never
 * sees half of it. A file with another header is left out with one line on stderr. -1 after one line where `path` cannot be written.
 * No rows at all: writes nothing.
 */
int sheet_join(const char *path, const struct words *files);

#endif
