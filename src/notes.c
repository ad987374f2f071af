/* SPDX-License-Identifier: Apache-2.0
 *
 * Notes.
 */
#include "notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void notes_add(struct notes *notes, const char *format, ...)
{
	char *line = NULL;
	va_list args;

	va_start(args, format);
	const int length = vasprintf(&line, format, args);

	va_end(args);
	if (length < 0)
		return;
	for (size_t i = 0; i < notes->count; i++) {
		if (strcmp(notes->lines[i], line) == 0) {
			free(line);
			return;
		}
	}
	if (notes->count == NOTES_MAX) {
		notes->lost++;
		free(line);
		return;
	}
	notes->lines[notes->count++] = line;
}

void notes_free(struct notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		free(notes->lines[i]);
	*notes = (struct notes){ .count = 0 };
}
