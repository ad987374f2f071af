/* SPDX-License-Identifier: Apache-2.0
 *
 * The hardware threads of this process.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "discover.h"

enum { FEWEST_CPUS = 1024, MOST_CPUS = 1 << 16 };

/* Ranges of what is set, to be freed. */
static char *list_of(const cpu_set_t *set, size_t cpus)
{
	size_t bytes = CPU_ALLOC_SIZE(cpus), length = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	for (size_t i = 0, last; i < cpus; i = last + 1) {
		last = i;
		if (!CPU_ISSET_S(i, bytes, set))
			continue;
		while (last + 1 < cpus && CPU_ISSET_S(last + 1, bytes, set))
			last++;
		fprintf(out, "%s%zu", ftell(out) > 0 ? "," : "", i);
		if (last > i)
			fprintf(out, "-%zu", last);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

char *discover_own_cpus(void)
{
	/* The kernel refuses a set that is smaller than its own. */
	for (size_t cpus = FEWEST_CPUS; cpus <= MOST_CPUS; cpus *= 2) {
		cpu_set_t *set = CPU_ALLOC(cpus);
		char *list;

		if (!set)
			return NULL;
		if (sched_getaffinity(0, CPU_ALLOC_SIZE(cpus), set) == 0) {
			list = list_of(set, cpus);
			CPU_FREE(set);
			return list;
		}
		CPU_FREE(set);
		if (errno != EINVAL)
			break;
	}
	return calloc(1, 1);
}
