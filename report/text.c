/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts of unknown origin made safe for one line of text, and for JSON. What UTF-8 is: RFC 3629.
 */
#include "text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Length that the first byte of a character promises; 0 when none starts with it. */
static size_t promised_length(unsigned char first)
{
	if (first < 0x80)
		return first != 0;
	if (first < 0xC2 || first > 0xF4)
		return 0;
	return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

size_t text_utf8_length(const char *text)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t length = promised_length(byte[0]);
	uint32_t code;

	if (length < 2)
		return length;
	code = byte[0] & (0x7Fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((byte[i] & 0xC0) != 0x80)
			return 0;
		code = code << 6 | (byte[i] & 0x3F);
	}
	/* Overlong forms, surrogates, and what lies beyond the last character. */
	if ((length == 3 && code < 0x800) || (length == 4 && code < 0x10000))
		return 0;
	if ((code >= 0xD800 && code < 0xE000) || code > 0x10FFFF)
		return 0;
	return length;
}

/* The next piece of text as it may stand in a line; returns how many bytes of text it stands for. */
static size_t next_piece(const char *text, char piece[8])
{
	unsigned char byte = (unsigned char)text[0];
	size_t length = text_utf8_length(text);
	/* U+0080 to U+009F steer some terminals as the old control bytes do. */
	bool control = byte < 0x20 || byte == 0x7F || (byte == 0xC2 && (unsigned char)text[1] < 0xA0);

	if (length == 0 || control) {
		snprintf(piece, 8, "\\x%02x", byte);
		return 1;
	}
	memcpy(piece, text, length);
	piece[length] = '\0';
	return length;
}

const char *text_escape(const char *text, char *buffer, size_t size)
{
	size_t used = 0;
	size_t room = size - 1; /* bytes that may be used if the text ends there */
	size_t safe = 0;        /* up to where "..." would still fit after it */

	while (*text) {
		char piece[8];
		size_t taken = next_piece(text, piece);
		size_t length = strlen(piece);

		if (used + length > room) {
			strcpy(buffer + safe, "...");
			return buffer;
		}
		memcpy(buffer + used, piece, length);
		used += length;
		if (used + 3 <= room)
			safe = used;
		text += taken;
	}
	buffer[used] = '\0';
	return buffer;
}

void text_print(FILE *file, const char *text)
{
	while (*text) {
		char piece[8];

		text += next_piece(text, piece);
		fputs(piece, file);
	}
}

char *text_utf8(const char *text)
{
	char *copy = malloc(3 * strlen(text) + 1);
	char *to = copy;

	if (!copy)
		return NULL;
	while (*text) {
		size_t length = text_utf8_length(text);

		if (length == 0) {
			memcpy(to, "\xEF\xBF\xBD", 3);
			to += 3;
			text++;
		} else {
			memcpy(to, text, length);
			to += length;
			text += length;
		}
	}
	*to = '\0';
	return copy;
}
