/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of text for the reader of a run, each said once: before the table, after it, and on stderr.
 */
#ifndef COLLPERF_NOTES_H
#define COLLPERF_NOTES_H

#include <stddef.h>

enum { NOTES_MAX = 32 };

/* Owns its lines. Beyond NOTES_MAX they are counted only. */
struct notes {
	char *lines[NOTES_MAX];
	size_t count;
	size_t lost;
};

/* Adds a line unless it is there already. Short memory loses a note, never a run. */
void notes_add(struct notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
void notes_free(struct notes *notes);

#endif
