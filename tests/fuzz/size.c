/* SPDX-License-Identifier: Apache-2.0 */
/* sources: src/size.c */
/*
 * Any bytes as a number: a parser that accepts a text gives a value in its range, one that refuses leaves it alone, and what is printed
 * reads back.
 */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/size.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_real(int (*parse)(const char *, double *), const char *text, double least)
{
	double value = -77;

	if (parse(text, &value))
		assert(value == -77);
	else
		assert(isfinite(value) && value >= least);
}

static void check_size(const char *text)
{
	uint64_t value = 77, again;
	char buffer[24];

	if (size_parse(text, &value)) {
		assert(value == 77);
		return;
	}
	assert(value <= INT64_MAX);
	assert(size_parse(size_format(value, buffer, sizeof buffer), &again) == 0 && again == value);
}

static void check_count(const char *text, long min, long max)
{
	long value = 77;

	if (count_parse(text, min, max, &value))
		assert(value == 77);
	else
		assert(value >= min && value <= max);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	check_size(text);
	check_count(text, 0, LONG_MAX);
	check_count(text, -1, 100);
	check_count(text, LONG_MIN, LONG_MAX);
	check_real(real_parse, text, 0);
	check_real(duration_parse, text, 0);
	check_real(bandwidth_parse, text, 1);
	check_real(fraction_parse, text, 0);
	free(text);
	return 0;
}
