/* SPDX-License-Identifier: Apache-2.0
 *
 * A run as one JSON document: what is known before the first row, rows, and the end. Knows nothing of files.
 */
#ifndef COLLPERF_DOCUMENT_H
#define COLLPERF_DOCUMENT_H

#include <jansson.h>

#include "writer.h"

/*
 * {"schema", "program", "version", "complete": false, "why", ..., "rows": [] (only with_rows), "summary": null}; texts that are not UTF-8 have
 * U+FFFD where they are not. NULL when memory is out. json_decref frees it.
 */
json_t *document_new(const struct run_info *info, bool with_rows);

/* {column name: value} of every column in their order; null where absent. -1 when memory is out. */
int document_add_row(json_t *document, const struct result *result);

/* Fills "complete", "why", "ended" and "summary". -1 when memory is out. */
int document_end(json_t *document, const struct run_summary *summary);

/* 0, or -1 with errno. */
int document_print(const json_t *document, FILE *file);

#endif
