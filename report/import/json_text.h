/* SPDX-License-Identifier: Apache-2.0
 *
 * What JSON of other tools needs: bare inf and nan made null, where its objects stand, values that may be texts.
 */
#ifndef COLLPERF_IMPORT_JSON_TEXT_H
#define COLLPERF_IMPORT_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_TEXT_MOST_BYTES = 256 << 20 }; /* a document in memory is several times as large as its text */

/*
 * A copy in which bare inf, nan and the like, which printf leaves and which are no JSON, are null; lines stay where they are. The caller frees it.
 * NULL when memory is out.
 */
char *json_text_repair(const char *data, size_t size, size_t *repaired);

/* One object after the other, wherever they stand between brackets, commas and lines. Start with .line = 1, the rest 0. */
struct json_objects {
	size_t at, line;
};

enum json_piece {
	JSON_PIECE_END,
	JSON_PIECE_OBJECT, /* without objects in it */
	JSON_PIECE_CUT,    /* it begins an object, which another one or the end of the line inside a text cuts off */
	JSON_PIECE_OTHER,  /* the rest of a line that is no JSON */
};

struct json_slice {
	const char *text; /* borrowed */
	size_t length, line;
};

enum json_piece json_text_next(const char *data, size_t size, struct json_objects *scan, struct json_slice *slice);

/* The line of each object that is an element of the array `name` of the document's own object. Start as above. */
struct json_elements {
	size_t at, line, depth;
	bool inside;
};

/* 0 when there is no further one. */
size_t json_text_element(const char *data, size_t size, const char *name, struct json_elements *scan);

/* Numbers, or texts that hold one; NAN and RESULT_NONE where there is none. */
double json_text_real(const json_t *value);
int64_t json_text_whole(const json_t *value);

/* "" where it is no text. */
const char *json_text_string(const json_t *value);

#endif
