/* SPDX-License-Identifier: Apache-2.0 */
/* sources: src/driver/split.c src/driver/words.c */
/*
 * Any text as --launcher: words without their quotes are never longer than the text, and without quotes only blanks are lost.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/driver/split.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t count_blanks(const char *text)
{
	size_t n = 0;

	for (; *text != '\0'; text++)
		n += *text == ' ' || *text == '\t' || *text == '\n';
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(size + 1, 1);
	struct words words = { 0 };
	const char *why = NULL;
	size_t total = 0;

	if (!text)
		return 0;
	if (size > 0)
		memcpy(text, data, size);
	if (split_words(text, &words, &why) == 0) {
		for (size_t i = 0; i < words.count; i++)
			total += strlen(words.list[i]);
		if (words.count == 0 || words.list[words.count] || total > strlen(text))
			abort();
		if (!strpbrk(text, "'\"\\") && total + count_blanks(text) != strlen(text))
			abort();
	} else if (!why || words.list) {
		abort();
	}
	words_clear(&words);
	free(text);
	return 0;
}
