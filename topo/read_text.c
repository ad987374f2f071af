/* SPDX-License-Identifier: Apache-2.0
 *
 * What all readers of other machines' files need.
 */
#include "read_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "path_parts.h"

enum {
	BITS = 32,              /* of a word of a mask */
	MOST_DIGITS = 32768 / 4 /* of a mask */
};

static void make_harmless(char *text)
{
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte < ' ' || byte >= 0x7f)
			*text = '?';
	}
}

int read_fail(const struct read_error *error, unsigned long line, const char *format, ...)
{
	char what[400], place[24] = "";
	va_list arguments;

	if (!error->text || error->size == 0)
		return -1;
	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	if (line > 0)
		snprintf(place, sizeof place, ":%lu", line);
	snprintf(error->text, error->size, "%.300s%s: %s", error->file, place, what);
	make_harmless(error->text);
	return -1;
}

const char *read_base(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash && slash[1] ? slash + 1 : file;
}

int read_number(const char *text, int base, int least, int most)
{
	char *end;
	long number;

	if (!isalnum((unsigned char)*text))
		return -1;
	errno = 0;
	number = strtol(text, &end, base);
	return errno || *end || number < least || number > most ? -1 : (int)number;
}

/* Hexadecimal digits of the mask, lowest last; each word is filled up to eight. Their number, 0 where it is no mask. */
static size_t mask_digits(const char *mask, char *digits)
{
	size_t n = 0;

	if (mask[0] == '0' && (mask[1] == 'x' || mask[1] == 'X'))
		mask += 2;
	for (;;) {
		size_t length = strspn(mask, "0123456789abcdefABCDEF"), zeros = length < BITS / 4 ? BITS / 4 - length : 0;

		if (length == 0 || length > BITS / 4 || n + BITS / 4 > MOST_DIGITS)
			return 0;
		memset(digits + n, '0', zeros);
		memcpy(digits + n + zeros, mask, length);
		n += BITS / 4;
		mask += length;
		if (*mask == '\0')
			return n;
		if (*mask++ != ',')
			return 0;
	}
}

static bool has_bit(const char *digits, size_t n, size_t bit)
{
	char digit[2] = { 0 };

	if (bit / 4 >= n)
		return false;
	digit[0] = digits[n - 1 - bit / 4];
	return (strtoul(digit, NULL, 16) >> bit % 4 & 1) != 0;
}

int read_mask(const char *mask, char **text)
{
	char digits[MOST_DIGITS], list[TOPO_LONGEST_LIST + 64];
	size_t n = mask_digits(mask, digits), used = 0;

	if (n == 0)
		return 1;
	list[0] = '\0';
	for (size_t bit = 0; bit < 4 * n && used <= TOPO_LONGEST_LIST; bit++) {
		size_t last = bit;

		if (!has_bit(digits, n, bit))
			continue;
		while (has_bit(digits, n, last + 1))
			last++;
		used += (size_t)snprintf(list + used, sizeof list - used, used > 0 ? ",%zu" : "%zu", bit);
		if (last > bit)
			used += (size_t)snprintf(list + used, sizeof list - used, "-%zu", last);
		bit = last;
	}
	return topo_set(text, list);
}

int read_hand_over(const struct read_error *error, struct topo *topo, struct topo *one, const char *from)
{
	int failed = path_note_uneven(&one->hosts[0]) || topo_set(&one->hosts[0].from, from) || topo_merge(topo, one);

	topo_clear(one);
	return failed ? read_fail(error, 0, "out of memory") : 0;
}
