/* SPDX-License-Identifier: Apache-2.0
 *
 * Words and numbers of lines of logs.
 */
#include "words.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../text.h"

enum { MOST_DIGITS = 40, MOST_NAME = 40 };

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

size_t words_split(const char *line, size_t length, struct word *words, size_t most)
{
	size_t count = 0, at = 0;

	for (;;) {
		size_t start;

		while (at < length && is_blank(line[at]))
			at++;
		if (at == length)
			return count;
		start = at;
		while (at < length && !is_blank(line[at]))
			at++;
		if (count < most)
			words[count] = (struct word){ line + start, at - start };
		count++;
	}
}

bool word_is(struct word word, const char *text)
{
	return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

bool word_is_like(struct word word, const char *text)
{
	return word.length == strlen(text) && strncasecmp(word.text, text, word.length) == 0;
}

/* Into a text with a NUL; false when it does not fit. */
static bool copy_word(struct word word, char *buffer, size_t size)
{
	if (word.length == 0 || word.length >= size)
		return false;
	memcpy(buffer, word.text, word.length);
	buffer[word.length] = '\0';
	return true;
}

bool word_real(struct word word, double *value, double *half)
{
	char text[MOST_DIGITS], *end;
	const char *point, *exponent;
	double read;
	long places;

	if (!copy_word(word, text, sizeof text) || !(isdigit((unsigned char)text[0]) || text[0] == '.') ||
	    text[strspn(text, "0123456789.eE+-")] != '\0')
		return false;
	read = strtod(text, &end);
	if (end == text || *end || !isfinite(read))
		return false;
	exponent = strpbrk(text, "eE");
	point = strchr(text, '.');
	places = exponent ? strtol(exponent + 1, NULL, 10) : 0;
	if (point)
		places -= (exponent ? exponent : end) - point - 1;
	*value = read;
	*half = 0.5 * pow(10, (double)places);
	return isfinite(*half);
}

bool word_whole(struct word word, int64_t *value)
{
	int64_t read = 0;

	for (size_t i = 0; i < word.length; i++) {
		if (!isdigit((unsigned char)word.text[i]) || __builtin_mul_overflow(read, 10, &read) ||
		    __builtin_add_overflow(read, word.text[i] - '0', &read))
			return false;
	}
	*value = word.length ? read : *value;
	return word.length > 0;
}

bool words_start(const char *line, size_t length, const char *text)
{
	return length >= strlen(text) && memcmp(line, text, strlen(text)) == 0;
}

size_t words_find(const char *line, size_t length, const char *text)
{
	const char *found = length ? memmem(line, length, text, strlen(text)) : NULL;

	return found ? (size_t)(found - line) : length;
}

const char *word_show(struct word word, char *buffer)
{
	char text[WORDS_SHOWN];
	size_t length = word.length < sizeof text ? word.length : sizeof text - 1;

	memcpy(text, word.text, length);
	text[length] = '\0';
	return text_escape(text, buffer, WORDS_SHOWN);
}

/* Small letters alone. */
static void simplify(const char *text, char *name)
{
	for (; *text; text++) {
		if (!strchr("_- ", *text))
			*name++ = (char)tolower((unsigned char)*text);
	}
	*name = '\0';
}

const struct collective *word_collective(struct word word)
{
	char text[MOST_NAME], name[MOST_NAME], other[MOST_NAME];

	if (!copy_word(word, text, sizeof text) || strlen(text) != word.length)
		return NULL;
	simplify(text, name);
	for (size_t i = 0; i < COLL_COUNT; i++) {
		simplify(collectives[i]->name, other);
		if (strcmp(name, other) == 0)
			return collectives[i];
	}
	return NULL;
}

bool words_multiply(int64_t size, int64_t times, int64_t *total)
{
	return !__builtin_mul_overflow(size, times, total);
}
