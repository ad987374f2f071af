/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of --launcher as words. Blanks separate; '...' and "..." keep blanks; a backslash outside '...' takes the next character
 * as it is. Nothing is expanded and no shell is involved.
 */
#ifndef COLLPERF_DRIVER_SPLIT_H
#define COLLPERF_DRIVER_SPLIT_H

#include "words.h"

/* Fills empty *words with at least one word. -1 with a reason (a text that lives for ever) in *why; *words is then empty. */
int split_words(const char *text, struct words *words, const char **why);

#endif
