/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads CSV files of schema 1 into rows. Input may come from anybody: every field is checked, nothing is executed,
 * unknown columns are ignored and counted, missing ones are absent. A ' before a text's leading = + - @ is the writer's and taken off. Lines of over 1 MiB,
 * rows of over 1024 fields, fields of over 64 KiB and files of over 4 GiB are errors, as are more than 8388608 rows.
 */
#ifndef COLLPERF_READER_H
#define COLLPERF_READER_H

#include <stdbool.h>

#include "result.h"

struct rows; /* owns its rows and their texts */

struct rows *rows_new(void);
void rows_free(struct rows *rows);

/*
 * Appends every row of a file. 0, or -1 with one line in `error` (file, line, column, why); rows read before stay.
 * A file without rows is an error. A header that lacks schema, collective, nranks, bytes or time_us is an error, so is a schema
 * other than 1. A last line that was cut short is left out and noted (see rows_note).
 */
int rows_read(struct rows *rows, const char *path, char *error, size_t error_size);

/* The same from memory; `name` stands for the file in messages. */
int rows_parse(struct rows *rows, const char *name, const char *text, size_t size, char *error, size_t error_size);

size_t rows_count(const struct rows *rows);
const struct result *rows_get(const struct rows *rows, size_t i);
/* Whether an earlier row has the same keys: such a row is counted once. */
bool rows_is_repeat(const struct rows *rows, size_t i);
/* Rows that are no repeats. */
size_t rows_distinct(const struct rows *rows);
/* Which file (its name as given) row i came from. */
const char *rows_source(const struct rows *rows, size_t i);

/* What a reader should be told: cut lines, unknown columns, fewer rows than `points`, duplicates, wrong rates. */
size_t rows_note_count(const struct rows *rows);
const char *rows_note(const struct rows *rows, size_t i);

#endif
