/* SPDX-License-Identifier: Apache-2.0
 *
 * Of which format a text is. Jobs print much before their first benchmark: where the beginning says nothing, later pieces that have a word of a header are
 * looked at as if they were beginnings.
 */
#include "recognise.h"

#include <string.h>

enum { PIECE = 256 << 10, STEP = 192 << 10 };

static const struct import_format *surest(const struct import_text *text)
{
	const struct import_format *found = NULL;
	int best = 0;

	for (size_t i = 0; i < import_format_count; i++) {
		int sure = import_formats[i]->recognise(text);

		if (sure > best) {
			best = sure;
			found = import_formats[i];
		}
	}
	return found;
}

static bool has_header(const struct import_text *piece)
{
	static const char *const words[] = { "algbw", "algBw",    "# nThread ",    "# Collective test starting:",
					     "OSU ",  "numCycle", "MPI Benchmark", "# Benchmarking ",
					     "AlgBw" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (memmem(piece->data, piece->size, words[i], strlen(words[i])))
			return true;
	return false;
}

const struct import_format *import_recognise(const struct import_text *text)
{
	const struct import_format *found = surest(text);
	size_t end = text->size < IMPORT_LOOK_AT ? text->size : IMPORT_LOOK_AT;

	for (size_t at = STEP; !found && at < end; at += STEP) {
		struct import_text piece = { text->name, text->data + at, end - at < PIECE ? end - at : PIECE };
		const char *line = memchr(piece.data, '\n', piece.size);

		if (!line || !has_header(&piece))
			continue;
		piece.size -= (size_t)(line + 1 - piece.data);
		piece.data = line + 1;
		found = surest(&piece);
	}
	return found;
}

bool import_is_cr_alone(const struct import_text *text)
{
	const char *end = memchr(text->data, '\r', text->size);

	return end && !memchr(text->data, '\n', text->size);
}
