/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers as people write them on a command line, and sizes as people read them. Knows nothing of options.
 */
#include "size.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_FRACTION_DIGITS = 64, MAX_REAL_CHARS = 400, BINARY_STEP = 10 };

static const char prefixes[] = "KMGTP";

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t count_digits(const char *text)
{
	size_t n = 0;

	while (is_digit(text[n]))
		n++;
	return n;
}

/* 1 for K, 2 for M ...; 0 when c is no prefix. */
static unsigned prefix_power(char c)
{
	for (unsigned i = 0; prefixes[i]; i++)
		if (c == prefixes[i] || c == prefixes[i] + ('a' - 'A'))
			return i + 1;
	return 0;
}

static int parse_digits(const char *text, size_t n, uint64_t max, uint64_t *value)
{
	uint64_t total = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned digit = (unsigned)(text[i] - '0');

		if (total > (max - digit) / 10)
			return -1;
		total = total * 10 + digit;
	}
	*value = total;
	return 0;
}

/*
 * The decimal fraction .DIGITS times 2^shift, when that is whole. Doubling digit by digit keeps it exact, where a double would make a
 * whole number of 0.1G.
 */
static int scale_fraction(const char *text, size_t n, unsigned shift, uint64_t *value)
{
	unsigned char digits[MAX_FRACTION_DIGITS];
	uint64_t total = 0;

	while (n > 0 && text[n - 1] == '0')
		n--;
	if (n > shift || n > sizeof digits)
		return -1; /* n significant decimals need n doublings to become whole */
	for (size_t i = 0; i < n; i++)
		digits[i] = (unsigned char)(text[i] - '0');
	for (unsigned k = 0; k < shift; k++) {
		unsigned carry = 0;

		for (size_t i = n; i-- > 0;) {
			unsigned doubled = 2U * digits[i] + carry;

			carry = doubled >= 10;
			digits[i] = (unsigned char)(doubled % 10);
		}
		total = 2 * total + carry;
	}
	for (size_t i = 0; i < n; i++)
		if (digits[i])
			return -1;
	*value = total;
	return 0;
}

int size_parse(const char *text, uint64_t *value)
{
	size_t nwhole = count_digits(text);
	const char *fraction = text + nwhole;
	size_t nfraction = *fraction == '.' ? count_digits(fraction + 1) : 0;
	const char *suffix = *fraction == '.' ? fraction + 1 + nfraction : fraction;
	unsigned shift = BINARY_STEP * prefix_power(*suffix);
	uint64_t whole, part = 0;

	if (nwhole + nfraction == 0)
		return -1;
	if (shift)
		suffix++;
	if (*suffix && strcasecmp(suffix, "b") != 0 && !(shift && strcasecmp(suffix, "ib") == 0))
		return -1;
	if (parse_digits(text, nwhole, (uint64_t)INT64_MAX >> shift, &whole))
		return -1;
	if (nfraction && scale_fraction(fraction + 1, nfraction, shift, &part))
		return -1;
	*value = (whole << shift) + part;
	return 0;
}

int count_parse(const char *text, long min, long max, long *value)
{
	const char *digits = text;
	char *end;
	long parsed;

	if (min < 0 && (*digits == '-' || *digits == '+'))
		digits++;
	if (!is_digit(*digits))
		return -1;
	errno = 0;
	parsed = strtol(text, &end, 10);
	if (errno || *end || parsed < min || parsed > max)
		return -1;
	*value = parsed;
	return 0;
}

/* How many characters of text are a decimal number ("12", "1.5", ".5", "1e-3"); 0 when none are. */
static size_t real_length(const char *text)
{
	size_t n = count_digits(text);
	size_t digits = n;

	if (text[n] == '.') {
		size_t fraction = count_digits(text + n + 1);

		digits += fraction;
		n += 1 + fraction;
	}
	if (digits == 0)
		return 0;
	if (text[n] == 'e' || text[n] == 'E') {
		size_t sign = text[n + 1] == '-' || text[n + 1] == '+';
		size_t exponent = count_digits(text + n + 1 + sign);

		if (exponent)
			n += 1 + sign + exponent;
	}
	return n;
}

/* A leading number, which must be finite; *rest is what follows it. */
static int parse_real(const char *text, double *value, const char **rest)
{
	size_t n = real_length(text);
	char digits[MAX_REAL_CHARS + 1];
	double parsed;

	if (n == 0 || n > MAX_REAL_CHARS)
		return -1;
	memcpy(digits, text, n);
	digits[n] = '\0';
	parsed = strtod(digits, NULL);
	if (!isfinite(parsed))
		return -1;
	*value = parsed;
	*rest = text + n;
	return 0;
}

int real_parse(const char *text, double *value)
{
	const char *rest;
	double parsed;

	if (parse_real(text, &parsed, &rest) || *rest)
		return -1;
	*value = parsed;
	return 0;
}

int duration_parse(const char *text, double *seconds)
{
	/* Divided, not multiplied: 5us is then the double nearest to 5e-6. */
	static const struct {
		const char *name;
		double per_second;
	} units[] = { { "", 1 }, { "s", 1 }, { "ms", 1e3 }, { "us", 1e6 }, { "ns", 1e9 } };
	const char *rest;
	double parsed;

	if (parse_real(text, &parsed, &rest))
		return -1;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(rest, units[i].name) == 0) {
			*seconds = parsed / units[i].per_second;
			return 0;
		}
	return -1;
}

int bandwidth_parse(const char *text, double *bytes_per_second)
{
	const char *rest;
	unsigned power;
	double parsed;

	if (parse_real(text, &parsed, &rest))
		return -1;
	power = prefix_power(*rest);
	if (power)
		rest++;
	if (*rest && strcmp(rest, "B/s") != 0 && strcmp(rest, "Bps") != 0)
		return -1;
	while (power-- > 0)
		parsed *= 1000;
	if (!isfinite(parsed) || parsed < 1)
		return -1;
	*bytes_per_second = parsed;
	return 0;
}

int fraction_parse(const char *text, double *fraction)
{
	const char *rest;
	double parsed;

	if (parse_real(text, &parsed, &rest))
		return -1;
	if (strcmp(rest, "%") == 0)
		parsed /= 100;
	else if (*rest || parsed > 1)
		return -1;
	*fraction = parsed;
	return 0;
}

const char *size_format(uint64_t value, char *buffer, size_t size)
{
	for (unsigned i = sizeof prefixes - 1; i-- > 0;) {
		unsigned shift = BINARY_STEP * (i + 1);
		uint64_t unit = UINT64_C(1) << shift;
		uint64_t hundredths = (value & (unit - 1)) * 100;

		if (value < unit || hundredths & (unit - 1))
			continue;
		hundredths >>= shift;
		if (hundredths == 0)
			snprintf(buffer, size, "%llu%c", (unsigned long long)(value >> shift), prefixes[i]);
		else if (hundredths % 10 == 0)
			snprintf(buffer, size, "%llu.%u%c", (unsigned long long)(value >> shift), (unsigned)(hundredths / 10),
				 prefixes[i]);
		else
			snprintf(buffer, size, "%llu.%02u%c", (unsigned long long)(value >> shift), (unsigned)hundredths,
				 prefixes[i]);
		return buffer;
	}
	snprintf(buffer, size, "%llu", (unsigned long long)value);
	return buffer;
}
