/* SPDX-License-Identifier: Apache-2.0
 *
 * How the reader fills struct rows. Whoever only reads rows needs reader.h alone.
 */
#ifndef COLLPERF_ROWS_H
#define COLLPERF_ROWS_H

#include "pool.h"
#include "reader.h"

struct pool *rows_pool(struct rows *rows);

/* Rows added from here on come from `name` (copied). -1 when memory is out. */
int rows_begin_file(struct rows *rows, const char *name);

/*
 * Copies *result, whose texts must be of rows_pool. `line` is where the row stands in its file. An algbw or busbw that does not follow from
 * size and time is replaced by what does (rows that say imported or rates are left alone). -1 when memory is out.
 */
int rows_add(struct rows *rows, const struct result *result, size_t line);

/* Notes what only the whole file shows: duplicates, wrong rates and sweeps with fewer rows than `points`. -1 when memory is out. */
int rows_end_file(struct rows *rows);

/* "FILE: ..." of the current file, escaped so that it stays on one line. -1 when memory is out. */
int rows_add_note(struct rows *rows, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
