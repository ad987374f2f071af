/* SPDX-License-Identifier: Apache-2.0
 *
 * Splits a launcher's text into words.
 */
#include "split.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Copies the word at `text` to `out` without its quotes. Returns where it ended, or NULL with *why. */
static const char *read_word(const char *text, char *out, const char **why)
{
	char quote = '\0';

	for (; *text != '\0' && (quote != '\0' || !is_blank(*text)); text++) {
		if (*text == quote) {
			quote = '\0';
			continue;
		}
		if (quote == '\0' && (*text == '\'' || *text == '"')) {
			quote = *text;
			continue;
		}
		if (*text == '\\' && quote != '\'' && *++text == '\0') {
			*why = "ends in a backslash";
			return NULL;
		}
		*out++ = *text;
	}
	*out = '\0';
	if (quote != '\0') {
		*why = "a quote is not closed";
		return NULL;
	}
	return text;
}

static int split_into(const char *text, char *word, struct words *words, const char **why)
{
	for (;;) {
		while (is_blank(*text))
			text++;
		if (*text == '\0')
			break;
		text = read_word(text, word, why);
		if (!text)
			return -1;
		words_add(words, word);
	}
	if (words->failed)
		*why = "out of memory";
	else if (words->count == 0 || words->list[0][0] == '\0')
		*why = "names no program";
	else
		return 0;
	return -1;
}

int split_words(const char *text, struct words *words, const char **why)
{
	char *word = malloc(strlen(text) + 1);
	int rc = -1;

	if (word)
		rc = split_into(text, word, words, why);
	else
		*why = "out of memory";
	free(word);
	if (rc != 0)
		words_clear(words);
	return rc;
}
