/* SPDX-License-Identifier: Apache-2.0
 *
 * A small reader of formulas by recursive descent: sums of products of powers.
 */
#include "formula.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../collectives/collective.h"

enum { DEEPEST = 20 };

struct reading {
	const char *at;
	int nranks, segments;
	int depth;
	bool bad;
};

static double read_sum(struct reading *reading);

static int ones_below(int nranks)
{
	int ones = 0;

	for (int i = 1; i < nranks; i++) {
		for (int rest = i; rest > 0; rest /= 2)
			ones += rest % 2;
	}
	return ones;
}

/* sum of ceil(p / 2^i), i = 1..k */
static int halves(int nranks)
{
	int blocks = 0, left = nranks;

	for (int rounds = coll_log2_floor(nranks); rounds > 0; rounds--) {
		left -= left / 2;
		blocks += left;
	}
	return blocks;
}

static double letter_value(struct reading *reading, char letter)
{
	switch (letter) {
	case 'p':
		return reading->nranks;
	case 'L':
		return coll_log2_ceil(reading->nranks);
	case 'k':
		return coll_log2_floor(reading->nranks);
	case 'm':
		return reading->segments;
	case 'D':
		return floor(log2(reading->nranks + 1)) + floor(log2((reading->nranks + 1) / 3.0) + 1e-9);
	case 'd':
		return !coll_is_power_of_two(reading->nranks) && reading->nranks % 4 != 3;
	case 'W':
		return ones_below(reading->nranks);
	case 'H':
		return halves(reading->nranks);
	default:
		reading->bad = true;
		return 0;
	}
}

static double read_atom(struct reading *reading)
{
	double value;
	char *end;

	if (*reading->at == '(') {
		reading->at++;
		value = read_sum(reading);
		reading->bad |= *reading->at != ')';
		reading->at += *reading->at != '\0';
		return value;
	}
	if (isdigit((unsigned char)*reading->at)) {
		value = (double)strtol(reading->at, &end, 10);
		reading->at = end;
		return value;
	}
	value = letter_value(reading, *reading->at);
	reading->at += *reading->at != '\0';
	return value;
}

static double read_power(struct reading *reading)
{
	const double value = read_atom(reading);

	if (*reading->at != '^')
		return value;
	reading->at++;
	return pow(value, read_atom(reading));
}

static double read_product(struct reading *reading)
{
	double value = read_power(reading);

	while (!reading->bad && *reading->at != '\0' && !strchr("+-)", *reading->at)) {
		const char sign = *reading->at;

		reading->at += sign == '*' || sign == '/';
		if (sign == '/')
			value /= read_power(reading);
		else
			value *= read_power(reading);
	}
	return value;
}

static double read_sum(struct reading *reading)
{
	double value = 0;
	bool minus = false;

	if (++reading->depth > DEEPEST)
		reading->bad = true;
	while (!reading->bad) {
		const double product = read_product(reading);

		value += minus ? -product : product;
		if (*reading->at != '+' && *reading->at != '-')
			break;
		minus = *reading->at++ == '-';
	}
	reading->depth--;
	return value;
}

int formula_value(const char *text, int nranks, int segments, double *value)
{
	struct reading reading = { .at = text, .nranks = nranks, .segments = segments };
	const double read = read_sum(&reading);

	if (reading.bad || *reading.at != '\0' || !isfinite(read))
		return -1;
	*value = read;
	return 0;
}

bool formula_has(const char *text, char letter)
{
	return strchr(text, letter) != NULL;
}

static long common(long a, long b)
{
	while (b > 0) {
		const long rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

const char *formula_fraction(double value, int denominator, char *buffer, size_t size)
{
	const long numerator = lround(value * denominator);
	const long factor = numerator > 0 ? common(numerator, denominator) : denominator;

	if (denominator / factor == 1)
		snprintf(buffer, size, "%ld", numerator / factor);
	else
		snprintf(buffer, size, "%ld/%ld", numerator / factor, denominator / factor);
	return buffer;
}
