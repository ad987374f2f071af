/* SPDX-License-Identifier: Apache-2.0
 *
 * Where formats put the rows of one file, and what is to be told about it.
 */
#ifndef COLLPERF_IMPORT_SINK_H
#define COLLPERF_IMPORT_SINK_H

#include <stdio.h>

#include "../reader.h"
#include "import.h"

/* Lines one after the other that were skipped for the same reason. */
struct import_skipped {
	size_t line, last;
	size_t count;
	char *why;
};

struct import_sink {
	struct rows *rows; /* borrowed: those of all files */
	const char *run;   /* borrowed */
	size_t first;      /* of this file's rows */
	size_t first_line; /* of a row that repeats an earlier one; 0: none */
	size_t repeats;
	size_t disagree; /* rows flagged "rates" */
	size_t wrong;    /* rows with wrong data */
	bool wrong_somewhere;
	struct import_skipped shown[IMPORT_SHOWN_SKIPS];
	size_t nshown;
	size_t skipped;    /* lines */
	size_t unshown;    /* of them, for other reasons than those shown */
	size_t last_shown; /* line; 0: the last one was not */
	size_t last_skip;  /* line */
	char **notes;
	size_t nnotes;
};

/* Rows from here on are of file `name`. -1 after one line on stderr. The sink is to be cleared in every case. */
int sink_begin(struct import_sink *sink, struct rows *rows, const char *name, const char *run);
void sink_clear(struct import_sink *sink);

/* Rows of this file so far. */
size_t sink_count(const struct import_sink *sink);

/* What was read, what was skipped and why; each line begins with the file's name. */
void sink_tell(const struct import_sink *sink, FILE *out, const char *name, const char *format);

/* Whether the exit code is 1. */
bool sink_is_bad(const struct import_sink *sink);

#endif
