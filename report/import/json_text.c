/* SPDX-License-Identifier: Apache-2.0
 *
 * Scanning JSON that other tools wrote by hand.
 */
#include "json_text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../result.h"
#include "words.h"

/* Behind the text that begins at `at` with its quote; at a line end or at the end where it is not closed. */
static size_t skip_string(const char *data, size_t size, size_t at)
{
	for (at++; at < size && data[at] != '\n'; at++) {
		if (data[at] == '"')
			return at + 1;
		if (data[at] == '\\' && at + 1 < size && data[at + 1] != '\n')
			at++;
	}
	return at;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Length of a number that is none at the start of text: "inf", "-nan", "Infinity". */
static size_t match_no_number(const char *text, size_t size)
{
	static const char *const spellings[] = { "infinity", "inf", "nan", "-infinity", "-inf", "-nan" };

	for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
		size_t length = strlen(spellings[i]);

		if (size >= length && word_is_like((struct word){ text, length }, spellings[i]) &&
		    (size == length || !is_letter(text[length])))
			return length;
	}
	return 0;
}

char *json_text_repair(const char *data, size_t size, size_t *repaired)
{
	static const char null[4] = { 'n', 'u', 'l', 'l' };
	/* "inf" grows by one byte. */
	char *copy = malloc(size + size / 3 + 1);
	size_t at = 0, to = 0;

	while (copy && at < size) {
		size_t end = data[at] == '"' ? skip_string(data, size, at) : at + 1;
		const bool begins = at == 0 || !is_letter(data[at - 1]);
		size_t length = data[at] == '"' || !begins ? 0 : match_no_number(data + at, size - at);

		if (length > 0) {
			memcpy(copy + to, null, sizeof null);
			to += sizeof null;
			at += length;
			continue;
		}
		memcpy(copy + to, data + at, end - at);
		to += end - at;
		at = end;
	}
	*repaired = to;
	return copy;
}

/* An object that begins at scan->at. */
static enum json_piece take_object(const char *data, size_t size, struct json_objects *scan, struct json_slice *slice)
{
	size_t at = scan->at + 1;

	*slice = (struct json_slice){ data + scan->at, 0, scan->line };
	while (at < size && data[at] != '}' && data[at] != '{') {
		size_t end = data[at] == '"' ? skip_string(data, size, at) : at + 1;

		if (data[at] == '"' && (end == size || data[end] == '\n') && data[end - 1] != '"')
			break;
		scan->line += data[at] == '\n';
		at = end;
	}
	scan->at = at;
	if (at < size && data[at] == '"')
		scan->at = skip_string(data, size, at);
	if (at < size && data[at] == '}') {
		scan->at = at + 1;
		slice->length = at + 1 - (size_t)(slice->text - data);
		return JSON_PIECE_OBJECT;
	}
	slice->length = at - (size_t)(slice->text - data);
	return JSON_PIECE_CUT;
}

enum json_piece json_text_next(const char *data, size_t size, struct json_objects *scan, struct json_slice *slice)
{
	const char *end;

	while (scan->at < size && (isspace((unsigned char)data[scan->at]) || (data[scan->at] && strchr("[],", data[scan->at])))) {
		scan->line += data[scan->at] == '\n';
		scan->at++;
	}
	if (scan->at == size)
		return JSON_PIECE_END;
	if (data[scan->at] == '{')
		return take_object(data, size, scan, slice);
	end = memchr(data + scan->at, '\n', size - scan->at);
	*slice = (struct json_slice){ data + scan->at, end ? (size_t)(end - data) - scan->at : size - scan->at, scan->line };
	/* An object may stand behind it in the same line. */
	end = memchr(slice->text, '{', slice->length);
	if (end)
		slice->length = (size_t)(end - slice->text);
	scan->at += slice->length;
	return JSON_PIECE_OTHER;
}

size_t json_text_element(const char *data, size_t size, const char *name, struct json_elements *scan)
{
	bool named = false;

	while (scan->at < size) {
		const char c = data[scan->at];
		const size_t end = c == '"' ? skip_string(data, size, scan->at) : scan->at + 1;

		if (c == '"' && scan->depth == 1) {
			size_t length = end - scan->at;

			named = length >= 2 && word_is((struct word){ data + scan->at + 1, length - 2 }, name);
		}
		scan->at = end;
		scan->line += c == '\n';
		if (c == '{' || c == '[') {
			scan->depth++;
			scan->inside = scan->inside || (c == '[' && scan->depth == 2 && named);
			if (c == '{' && scan->inside && scan->depth == 3)
				return scan->line;
		} else if (c == '}' || c == ']') {
			scan->depth -= scan->depth > 0;
			scan->inside = scan->inside && scan->depth > 1;
		}
	}
	return 0;
}

/* nccl-tests pads some of its texts with blanks. */
static struct word text_word(const json_t *value)
{
	struct word word = { "", 0 };

	words_split(json_string_value(value), json_string_length(value), &word, 1);
	return word;
}

double json_text_real(const json_t *value)
{
	double real, half;

	if (json_is_number(value))
		return isfinite(json_number_value(value)) ? json_number_value(value) : NAN;
	return json_is_string(value) && word_real(text_word(value), &real, &half) ? real : NAN;
}

int64_t json_text_whole(const json_t *value)
{
	const double real = json_text_real(value);
	int64_t whole;

	if (json_is_integer(value))
		return json_integer_value(value);
	/* Negative ones as texts are roots that there are not. */
	if (json_is_string(value) && word_whole(text_word(value), &whole))
		return whole;
	/* As floating-point numbers count exactly. */
	return real >= 0 && real < 0x1p53 && floor(real) == real ? (int64_t)real : RESULT_NONE;
}

const char *json_text_string(const json_t *value)
{
	return json_is_string(value) ? json_string_value(value) : "";
}
