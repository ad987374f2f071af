/* SPDX-License-Identifier: Apache-2.0
 *
 * The one way by which a text from outside gets into a page, a table or a terminal. Texts may hold any bytes: what is not
 * printable UTF-8 comes out as '?', blanks of every kind as a space; but see ESCAPE_CSV.
 */
#ifndef COLLPERF_ESCAPE_H
#define COLLPERF_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

enum escape {
	ESCAPE_PLAIN,    /* a terminal: no control characters */
	ESCAPE_HTML,     /* text and quoted attributes */
	ESCAPE_MARKDOWN, /* text and table cells */
	ESCAPE_CSV, /* RFC 4180: line feeds stay, in quotes; other bytes of no printable UTF-8 are \xNN; a ' before = + - @ at the start */
};

/* A printf that knows only %s, %zu, %d and %%: the format is trusted, every %s is escaped. */
void escape_put(FILE *out, enum escape how, const char *format, ...) __attribute__((format(printf, 3, 4)));

void escape_text(FILE *out, enum escape how, const char *text);

/*
 * A text that gnuplot may see: letters, digits, space and ._-/+ stay, all else becomes '?'. Always ends `label`, cut to size.
 */
void escape_label(char *label, size_t size, const char *text);

#endif
