/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of words for posix_spawn.
 */
#include "words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes `word` over, NULL included. */
static void adopt(struct words *words, char *word)
{
	char **list = word ? realloc(words->list, (words->count + 2) * sizeof(*list)) : NULL;

	if (!list) {
		free(word);
		words->failed = true;
		return;
	}
	list[words->count++] = word;
	list[words->count] = NULL;
	words->list = list;
}

void words_add(struct words *words, const char *text)
{
	adopt(words, strdup(text));
}

void words_format(struct words *words, const char *format, ...)
{
	char *word = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&word, format, args) < 0)
		word = NULL;
	va_end(args);
	adopt(words, word);
}

void words_append(struct words *words, const struct words *more)
{
	for (size_t i = 0; i < more->count; i++)
		words_add(words, more->list[i]);
	words->failed = words->failed || more->failed;
}

bool words_equal(const struct words *a, const struct words *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (strcmp(a->list[i], b->list[i]) != 0)
			return false;
	}
	return true;
}

void words_clear(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->list[i]);
	free(words->list);
	*words = (struct words){ 0 };
}
