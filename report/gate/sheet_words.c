/* SPDX-License-Identifier: Apache-2.0
 *
 * Small things that rows of a sheet are made of: times, flags, medians; and lines of words.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "sheet_parts.h"
#include "sheet_tell.h"

/* n digits at `text`, -1 where they are not. */
static int digits(const char *text, int n)
{
	int value = 0;

	for (int i = 0; i < n; i++) {
		if (text[i] < '0' || text[i] > '9')
			return -1;
		value = 10 * value + (text[i] - '0');
	}
	return value;
}

static bool in_range(int value, int least, int most)
{
	return value >= least && value <= most;
}

/* Of the calendar that has always been the Gregorian one: March is the first month of a year, so that the day that is at times missing is the last. */
static double days_since_1970(int year, int month, int day)
{
	int from_march = (month + 9) % 12, years = year - (month <= 2), before = (153 * from_march + 2) / 5;

	return 365.0 * years + floor(years / 4.0) - floor(years / 100.0) + floor(years / 400.0) + before + day - 1 - 719468;
}

double gate_seconds(const char *timestamp)
{
	static const char shape[] = "dddd-dd-ddTdd:dd:dd";
	double seconds, part = 0.1;
	int hour, minute, second;

	for (size_t i = 0; shape[i]; i++) {
		if (shape[i] == 'd' ? digits(timestamp + i, 1) < 0 : timestamp[i] != shape[i])
			return NAN;
	}
	hour = digits(timestamp + 11, 2);
	minute = digits(timestamp + 14, 2);
	second = digits(timestamp + 17, 2);
	if (!in_range(digits(timestamp + 5, 2), 1, 12) || !in_range(digits(timestamp + 8, 2), 1, 31) || hour > 23 ||
	    minute > 59 || second > 60)
		return NAN;
	seconds = 86400 * days_since_1970(digits(timestamp, 4), digits(timestamp + 5, 2), digits(timestamp + 8, 2));
	seconds += 3600 * hour + 60 * minute + second;
	timestamp += strlen(shape);
	if (*timestamp == '.') {
		for (timestamp++; digits(timestamp, 1) >= 0; timestamp++, part /= 10)
			seconds += part * digits(timestamp, 1);
	}
	return strcmp(timestamp, "Z") == 0 ? seconds : NAN;
}

/* Where nothing says that data were checked they were not; other tools' logs are told as imported. */
bool gate_is_unchecked(const struct result *row)
{
	return result_has_flag(row, RESULT_FLAG_UNCHECKED) ||
	       (row->wrong == RESULT_NONE && row->bytes > 0 && !result_has_flag(row, RESULT_FLAG_IMPORTED));
}

unsigned gate_traits(const struct result *row)
{
	static const struct {
		const char *flag;
		unsigned trait;
	} flags[] = {
		{ RESULT_FLAG_OVERSUBSCRIBED, GATE_TRAIT_TURNS }, { RESULT_FLAG_SHARED_GPU, GATE_TRAIT_GPU_TURNS },
		{ RESULT_FLAG_TRACED, GATE_TRAIT_TRACED },        { RESULT_FLAG_RATES, GATE_TRAIT_RATES },
		{ RESULT_FLAG_SIMULATED, GATE_TRAIT_SIMULATED },  { RESULT_FLAG_IMPORTED, GATE_TRAIT_IMPORTED },
	};
	unsigned traits = 0;

	if (strcmp(row->timing, "sync") == 0)
		traits = GATE_TRAIT_SYNC;
	else if (strcmp(row->timing, "loop") == 0)
		traits = GATE_TRAIT_LOOP;
	for (size_t i = 0; *row->flags && i < sizeof flags / sizeof *flags; i++)
		traits |= result_has_flag(row, flags[i].flag) ? flags[i].trait : 0;
	if (gate_is_unchecked(row))
		traits |= GATE_TRAIT_UNCHECKED;
	return traits;
}

static int by_number(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

double gate_median(double *numbers, size_t n)
{
	if (n > 1)
		qsort(numbers, n, sizeof *numbers, by_number);
	return n % 2 ? numbers[n / 2] : numbers[n / 2 - 1] / 2 + numbers[n / 2] / 2;
}

long gate_add(long a, long b)
{
	return a > LONG_MAX - b ? LONG_MAX : a + b;
}

int gate_line_open(struct gate_line *line)
{
	*line = (struct gate_line){ 0 };
	line->out = open_memstream(&line->text, &line->size);
	return line->out ? 0 : array_failed();
}

int gate_line_close(struct gate_line *line, char ***lines, size_t *count)
{
	char **grown = NULL;

	if (fclose(line->out))
		array_failed();
	else
		grown = array_grow(*lines, *count, sizeof *grown);
	if (!grown) {
		free(line->text);
		return -1;
	}
	*lines = grown;
	grown[(*count)++] = line->text;
	return 0;
}
