/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts of unknown origin on their way to a line of text or to JSON. Knows nothing of rows.
 */
#ifndef COLLPERF_TEXT_H
#define COLLPERF_TEXT_H

#include <stddef.h>
#include <stdio.h>

/*
 * `text` with every control character (0-31, 127-159) and every byte that is not valid UTF-8 as \xNN, so that it stays on one line. Cut to what fits
 * (size >= 5), then ending in "...". Returns buffer.
 */
const char *text_escape(const char *text, char *buffer, size_t size);

/* The same, uncut, to a stream. */
void text_print(FILE *file, const char *text);

/* A copy in which bytes that are not valid UTF-8 are U+FFFD; the caller frees it. NULL when memory is out. */
char *text_utf8(const char *text);

/* Length in bytes of the valid UTF-8 character at the start of text: 1..4; 0 when it is not one, or text is at its end. */
size_t text_utf8_length(const char *text);

#endif
