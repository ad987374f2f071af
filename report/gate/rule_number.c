/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of rules. A gate that misreads its own number passes everything, so nothing is guessed: what is not plain is refused.
 */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rule_parts.h"

enum { MOST_CHARS = 40, MOST_DECIMALS = 9 };

static const struct gate_unit times[] = {
	{ "s", 1, 1 }, { "ms", 1e-3, 1e3 }, { "us", 1e-6, 1e6 }, { "ns", 1e-9, 1e9 }, { NULL, 0, 0 }
};

static const struct gate_unit rates[] = { { "TB/s", 1e12, 0 }, { "GB/s", 1e9, 0 },       { "MB/s", 1e6, 0 }, { "KB/s", 1e3, 0 },
					  { "B/s", 1, 0 },     { "Gbit/s", 1e9 / 8, 0 }, { NULL, 0, 0 } };

const struct gate_unit *gate_unit_find(enum gate_measure measure, const char *name)
{
	for (const struct gate_unit *unit = measure == GATE_TIME ? times : rates; unit->name; unit++) {
		if (strcmp(unit->name, name) == 0)
			return unit;
	}
	return NULL;
}

const char *gate_unit_names(enum gate_measure measure)
{
	return measure == GATE_TIME ? "s, ms, us or ns" : "TB/s, GB/s, MB/s, KB/s, B/s or Gbit/s";
}

static size_t count_digits(const char *text)
{
	return strspn(text, "0123456789");
}

int gate_number_parse(const char *text, double *value, const char **rest)
{
	size_t n = count_digits(text), after = 0;
	char digits[MOST_CHARS + 1];
	double parsed;

	if (n == 0)
		return -1;
	if (text[n] == '.') {
		after = count_digits(text + n + 1);
		if (after == 0)
			return -1;
		n += 1 + after;
	}
	if (n > MOST_CHARS)
		return -1;
	memcpy(digits, text, n);
	digits[n] = '\0';
	parsed = strtod(digits, NULL);
	if (!isfinite(parsed) || !(parsed > 0))
		return -1;
	*value = parsed;
	*rest = text + n;
	return 0;
}

/* n digits as an integer. */
static int parse_digits(const char *text, size_t n, uint64_t most, uint64_t *value)
{
	uint64_t total = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned digit = (unsigned)(text[i] - '0');

		if (digit > most || total > (most - digit) / 10)
			return -1;
		total = 10 * total + digit;
	}
	*value = total;
	return 0;
}

/* .DIGITS times 2^shift where that is whole: without its last zeros it has to be a multiple of 5^n, and n at most shift. */
static int parse_fraction(const char *text, size_t n, unsigned shift, uint64_t *value)
{
	uint64_t digits, fives = 1;

	while (n > 0 && text[n - 1] == '0')
		n--;
	if (n > MOST_DECIMALS || n > shift || parse_digits(text, n, UINT64_MAX, &digits))
		return -1;
	for (size_t i = 0; i < n; i++)
		fives *= 5;
	if (digits % fives)
		return -1;
	*value = digits / fives << (shift - n);
	return 0;
}

/* Bits of a prefix: 10 for K; 0 where there is none. */
static unsigned prefix_shift(char c)
{
	static const char prefixes[] = "KMGTP";
	const char *found = c ? strchr(prefixes, c >= 'a' ? c - ('a' - 'A') : c) : NULL;

	return found ? 10 * (unsigned)(found - prefixes + 1) : 0;
}

int gate_size_parse(const char *text, double *bytes)
{
	size_t nwhole = count_digits(text), nafter = 0;
	const char *after = text + nwhole, *suffix = after;
	uint64_t whole, part = 0;
	unsigned shift;

	if (nwhole == 0)
		return -1;
	if (*after == '.') {
		nafter = count_digits(++after);
		suffix = after + nafter;
		if (nafter == 0)
			return -1;
	}
	shift = prefix_shift(*suffix);
	suffix += shift > 0;
	if (*suffix && strcmp(suffix, "B") != 0 && !(shift > 0 && strcmp(suffix, "iB") == 0))
		return -1;
	if (parse_digits(text, nwhole, (uint64_t)INT64_MAX >> shift, &whole) || parse_fraction(after, nafter, shift, &part) ||
	    (whole << shift) + part == 0)
		return -1;
	*bytes = (double)((whole << shift) + part);
	return 0;
}

int gate_count_parse(const char *text, long most, long *value)
{
	size_t n = count_digits(text);
	uint64_t parsed;

	if (n == 0 || text[n] || parse_digits(text, n, (uint64_t)most, &parsed) || parsed == 0)
		return -1;
	*value = (long)parsed;
	return 0;
}
