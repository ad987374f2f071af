/* SPDX-License-Identifier: Apache-2.0
 *
 * What run.json says: launches that failed, other programs that took the processor, and which host each rank ran on.
 */
#include "finding_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

/* A tenth of a core is what a desktop or an agent takes now and then; more is a program. */
static const double disturbing_cores = 0.1;

static bool ended_well(const char *status)
{
	return strcmp(status, "ok") == 0 || strcmp(status, "skipped") == 0;
}

static int take_facts(struct findings *findings, const struct facts *facts)
{
	const char *collective = "", *bad = NULL, *bad_status = "";
	size_t launches = 0, failed = 0;
	double foreign = 0;

	for (size_t i = 0; i < facts->count; i++) {
		const struct fact *fact = &facts->items[i];

		/* A launch's own words follow each other: its collective, then its status. */
		if (facts_is(fact, "collective"))
			collective = fact->value;
		if (facts_is(fact, "foreign_cpu_cores"))
			foreign = fmax(foreign, strtod(fact->value, NULL));
		if (!facts_is(fact, "status") || strncmp(fact->name, "launches.", strlen("launches.")))
			continue;
		launches++;
		if (ended_well(fact->value))
			continue;
		failed++;
		bad = bad ? bad : collective;
		bad_status = *bad_status ? bad_status : fact->value;
	}
	if (failed && findings_add(findings, FINDING_ERROR, "%zu of %zu launches did not end well (first: %s, %s)", failed,
				   launches, bad, bad_status))
		return -1;
	if (foreign >= disturbing_cores && isfinite(foreign))
		return findings_add(findings, FINDING_WARNING,
				    "other programs used up to %.2g cores of a host during the run: times are disturbed",
				    foreign);
	return 0;
}

/* The rank of "launches.0.facts.ranks.3.rank" is said before its host. Another host in a later launch: none can be named. */
static int take_host(struct findings *findings, const char *run, size_t first, int64_t rank, const char *host)
{
	struct finding_host *grown;

	for (size_t i = first; i < findings->nhosts; i++) {
		if (findings->hosts[i].rank != rank)
			continue;
		if (strcmp(findings->hosts[i].host, host))
			*findings->hosts[i].host = '\0';
		return 0;
	}
	grown = array_grow(findings->hosts, findings->nhosts, sizeof *grown);
	if (!grown)
		return -1;
	findings->hosts = grown;
	grown[findings->nhosts] = (struct finding_host){ .run = strdup(run), .rank = rank, .host = strdup(host) };
	findings->nhosts++;
	return grown[findings->nhosts - 1].run && grown[findings->nhosts - 1].host ? 0 : array_failed();
}

static int take_hosts(struct findings *findings, const struct facts *facts, const char *run)
{
	size_t first = findings->nhosts;
	int64_t rank = -1;

	for (size_t i = 0; i < facts->count; i++) {
		const struct fact *fact = &facts->items[i];

		/* A run.json of the driver, or what --facts wrote. */
		if (!strstr(fact->name, ".ranks.") && strncmp(fact->name, "ranks.", strlen("ranks.")) != 0)
			continue;
		if (facts_is(fact, "rank"))
			rank = strtoll(fact->value, NULL, 10);
		if (facts_is(fact, "host") && rank >= 0) {
			if (take_host(findings, run, first, rank, fact->value))
				return -1;
			rank = -1;
		}
	}
	return 0;
}

const char *finding_host(const struct findings *findings, const char *run, int64_t rank)
{
	for (size_t i = 0; i < findings->nhosts; i++) {
		const struct finding_host *host = &findings->hosts[i];

		if (host->rank == rank && strcmp(host->run, run) == 0)
			return *host->host ? host->host : NULL;
	}
	return NULL;
}

int findings_take_facts(struct findings *findings, const struct facts *facts, const char *run)
{
	int rc;

	findings->run = run;
	rc = take_facts(findings, facts) || take_hosts(findings, facts, run) ? -1 : 0;
	findings->run = NULL;
	return rc;
}
