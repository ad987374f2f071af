/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines whose models cannot be drawn, or not with confidence.
 */
#include "finding_parts.h"

#include <stdio.h>
#include <string.h>

enum { MOST_RANKS = 12 }; /* numbers named in one line */

static bool is_unfitted(const struct machine *machine, size_t run)
{
	return machine->run == run && !machine->given && !machine->linked && machine->key->nranks >= 2 && machine->fit_rows == 0;
}

/* All numbers of ranks of a path in one line; `first` is the first machine of it. */
static int add_unfitted(struct findings *findings, const struct study *study, size_t run, size_t first)
{
	const char *path = study->machines[first].key->path;
	char text[MOST_RANKS * 24] = "", more[48] = "";
	size_t n = 0, used = 0;

	for (size_t m = first; m < study->nmachines; m++) {
		const struct result *key = study->machines[m].key;

		if (!is_unfitted(&study->machines[m], run) || strcmp(key->path, path))
			continue;
		if (n++ < MOST_RANKS)
			used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld", n > 1 ? ", " : "",
						 (long long)key->nranks);
	}
	if (n > MOST_RANKS)
		snprintf(more, sizeof more, " and %zu more numbers of", n - MOST_RANKS);
	return findings_add(findings, FINDING_NOTE,
			    "no bounds for %s%s ranks%s%s: there is no usable sendrecv sweep to take alpha and B from; give "
			    "--alpha and --bandwidth, or --link",
			    text, more, *path ? " over " : "", path);
}

static int find_unfitted(struct findings *findings, const struct study *study, size_t run)
{
	for (size_t m = 0; m < study->nmachines; m++) {
		bool seen = !is_unfitted(&study->machines[m], run);

		for (size_t k = 0; k < m && !seen; k++)
			seen = is_unfitted(&study->machines[k], run) &&
			       strcmp(study->machines[k].key->path, study->machines[m].key->path) == 0;
		if (!seen && add_unfitted(findings, study, run, m))
			return -1;
	}
	return 0;
}

int finding_machines(struct findings *findings, const struct study *study, size_t run)
{
	for (size_t m = 0; m < study->nmachines; m++) {
		const struct machine *machine = &study->machines[m];
		const struct result *key = machine->key;

		if (machine->run != run || machine->given || machine->linked || key->nranks < 2 ||
		    machine->fit.verdict == FIT_GOOD || machine->fit_rows == 0)
			continue;
		if (findings_add(findings, FINDING_WARNING, "sendrecv on %lld ranks%s%s: %s%s", (long long)key->nranks,
				 *key->path ? " over " : "", key->path, fit_sentence(machine->fit.verdict),
				 machine->known ? "; take the bounds as rough" : "; bounds are left out"))
			return -1;
	}
	return find_unfitted(findings, study, run);
}
