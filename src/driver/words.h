/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of words, as argv is: owned copies, ended by NULL. Running out of memory is remembered in the list, so that a caller who adds
 * many words checks once.
 */
#ifndef COLLPERF_DRIVER_WORDS_H
#define COLLPERF_DRIVER_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Starts zeroed. `list` is NULL while nothing was added. */
struct words {
	char **list;
	size_t count;
	bool failed; /* out of memory: the list lacks words */
};

void words_add(struct words *words, const char *text);
void words_format(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
void words_append(struct words *words, const struct words *more);
bool words_equal(const struct words *a, const struct words *b);
/* Empties the list; it can be used again. */
void words_clear(struct words *words);

#endif
