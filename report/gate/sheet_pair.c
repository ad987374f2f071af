/* SPDX-License-Identifier: Apache-2.0
 *
 * Which launch of one side belongs to which of the other: `collperf ab` starts them one after the other, and one that failed must not shift the rest.
 */
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "sheet_parts.h"

enum { MOST_DIGITS = 9 };

struct numbered {
	long number;
	size_t launch;
};

/* 3 of "...-3"; -1 where there is none. */
static long number_of(const char *run)
{
	const char *dash = strrchr(run, '-');
	size_t n = dash ? strspn(dash + 1, "0123456789") : 0;

	return n > 0 && n <= MOST_DIGITS && dash[1 + n] == '\0' ? strtol(dash + 1, NULL, 10) : -1;
}

static int by_number(const void *left, const void *right)
{
	const struct numbered *a = left, *b = right;

	return (a->number > b->number) - (a->number < b->number);
}

/* Sorted by their numbers; NULL where one has none or two have the same. *failed: memory. */
static struct numbered *number(const struct gate_launch *const *launches, size_t n, bool *failed)
{
	struct numbered *numbered = malloc((n + 1) * sizeof *numbered);
	bool good = numbered != NULL;

	*failed = *failed || !numbered;
	for (size_t i = 0; good && i < n; i++) {
		numbered[i] = (struct numbered){ number_of(launches[i]->run), i };
		good = numbered[i].number >= 0;
	}
	if (good)
		qsort(numbered, n, sizeof *numbered, by_number);
	for (size_t i = 1; good && i < n; i++)
		good = numbered[i].number != numbered[i - 1].number;
	if (good)
		return numbered;
	free(numbered);
	return NULL;
}

size_t gate_pair_launches(const struct gate_launch *const *first, size_t nfirst, const struct gate_launch *const *second,
			  size_t nsecond, size_t *of_first, size_t *of_second)
{
	bool failed = false;
	struct numbered *one = number(first, nfirst, &failed), *other = number(second, nsecond, &failed);
	size_t pairs = 0;

	for (size_t i = 0, k = 0; one && other && i < nfirst && k < nsecond;) {
		if (one[i].number == other[k].number) {
			of_first[pairs] = one[i].launch;
			of_second[pairs++] = other[k].launch;
		}
		if (one[i].number <= other[k].number)
			i++;
		else
			k++;
	}
	for (; !(one && other) && nfirst == nsecond && pairs < nfirst; pairs++)
		of_first[pairs] = of_second[pairs] = pairs;
	free(one);
	free(other);
	if (failed)
		array_failed();
	return failed ? SIZE_MAX : pairs;
}
