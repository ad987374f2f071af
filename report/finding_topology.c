/* SPDX-License-Identifier: Apache-2.0
 *
 * What the topologies of the runs say: links, NICs and cores that cost time, and runs of machines that are not the same.
 */
#include "finding_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../topo/warn.h"
#include "array.h"

enum { MOST_OF_A_KIND = 4, MOST_KINDS = 64 };

/* An idle link may sleep, an address translation may be wanted: those may be as they should. Without a second node no NIC is used. */
static enum finding_level level_of(enum warn_kind kind, bool many_nodes)
{
	switch (kind) {
	case WARN_PCIE_GENERATION:
	case WARN_ACS:
	case WARN_IOMMU:
		return FINDING_NOTE;
	case WARN_NIC_DOWN:
	case WARN_NIC_SLOWER:
	case WARN_FAR_NIC:
		return many_nodes ? FINDING_WARNING : FINDING_NOTE;
	default:
		return FINDING_WARNING;
	}
}

static bool has_many_nodes(const struct study *study, const char *run)
{
	for (size_t m = 0; m < study->nmachines; m++) {
		const struct machine *machine = &study->machines[m];

		if (strcmp(machine->folder, run) == 0 && machine->key->nnodes > 1)
			return true;
	}
	return false;
}

static int tell(struct findings *findings, const struct warnings *warnings, bool many_nodes)
{
	size_t told[WARN_KINDS] = { 0 }, more = 0;

	for (size_t i = 0; i < warnings->count; i++) {
		const struct warning *warning = &warnings->items[i];

		if (told[warning->kind]++ >= MOST_OF_A_KIND)
			more++;
		else if (findings_add(findings, level_of(warning->kind, many_nodes), "topology: %s", warning->text))
			return -1;
	}
	return more == 0 ? 0
			 : findings_add(findings, FINDING_NOTE,
					"topology: %zu more warning%s of the kinds above, see collperf topo", more,
					more == 1 ? "" : "s");
}

static int find_warnings(struct findings *findings, const struct study *study, const struct facts *facts)
{
	struct warnings warnings = { 0 };
	int rc;

	if (facts->wiring.topo.nhosts == 0)
		return 0;
	if (warn_topo(&facts->wiring.topo, &warnings))
		return array_failed();
	rc = tell(findings, &warnings, has_many_nodes(study, findings->run));
	warn_clear(&warnings);
	return rc;
}

static double nvlink_rate(const struct topo_host *host)
{
	double rate = 0;

	for (size_t i = 0; i < host->nnvlinks; i++)
		rate += host->nvlinks[i].rate;
	return rate;
}

static double nic_rate(const struct topo_host *host)
{
	double rate = 0;

	for (size_t i = 0; i < host->nnics; i++)
		rate += host->nics[i].rate;
	return rate;
}

/* What a machine is, by what matters: links may sleep and names of buses differ on equal ones. */
static bool is_same(const struct topo_host *a, const struct topo_host *b)
{
	if (strcmp(a->cpu, b->cpu) || a->packages != b->packages || a->cores != b->cores || a->threads != b->threads ||
	    a->ngpus != b->ngpus || a->nnics != b->nnics || nvlink_rate(a) != nvlink_rate(b) || nic_rate(a) != nic_rate(b))
		return false;
	for (size_t g = 0; g < a->ngpus; g++)
		if (strcmp(a->gpus[g].name, b->gpus[g].name))
			return false;
	return true;
}

/* A host of `topo` that `other` has none of; NULL. Only so many kinds are held against each other. */
static const struct topo_host *find_unlike(const struct topo *topo, const struct topo *other)
{
	size_t kinds = 0;

	for (size_t i = 0; i < topo->nhosts && kinds < MOST_KINDS; i++) {
		bool found = topo->hosts[i].alike != TOPO_UNKNOWN;

		kinds += !found;
		for (size_t k = 0, seen = 0; k < other->nhosts && seen < MOST_KINDS && !found; k++) {
			seen += other->hosts[k].alike == TOPO_UNKNOWN;
			found = other->hosts[k].alike == TOPO_UNKNOWN && is_same(&topo->hosts[i], &other->hosts[k]);
		}
		if (!found)
			return &topo->hosts[i];
	}
	return NULL;
}

/* "8 x NVIDIA H100, 96 cores of AMD EPYC" */
static void describe(const struct topo_host *host, char *text, size_t size)
{
	char gpus[160] = "no GPU", cores[24] = "cores";

	if (host->ngpus > 0)
		snprintf(gpus, sizeof gpus, "%zu x %.120s", host->ngpus, *host->gpus[0].name ? host->gpus[0].name : "GPU");
	if (host->cores > 0)
		snprintf(cores, sizeof cores, "%d core%s", host->cores, host->cores == 1 ? "" : "s");
	snprintf(text, size, "%s, %s%s%.120s, %zu NIC%s", gpus, cores, *host->cpu ? " of " : "", host->cpu, host->nnics,
		 host->nnics == 1 ? "" : "s");
}

/* The folder of a run.json. */
static int folder_length(const struct facts *facts)
{
	const char *slash = strrchr(facts->file, '/');

	return slash ? (int)(slash - facts->file) : 0;
}

static int find_other_machines(struct findings *findings, const struct facts *first, const struct facts *facts)
{
	const struct topo_host *mine = find_unlike(&facts->wiring.topo, &first->wiring.topo);
	const struct topo_host *theirs = find_unlike(&first->wiring.topo, &facts->wiring.topo);
	char here[480], there[480];

	if (!mine && !theirs)
		return 0;
	/* Where one run has all that the other has and more, the more is told against the first of the other. */
	describe(mine ? mine : &facts->wiring.topo.hosts[0], here, sizeof here);
	describe(theirs ? theirs : &first->wiring.topo.hosts[0], there, sizeof there);
	return findings_add(findings, FINDING_NOTE,
			    "the machines are not those of %.*s, which may be all that differs: %s, there %s",
			    folder_length(first), first->file, here, there);
}

int finding_topology(struct findings *findings, const struct study *study)
{
	const struct facts *first = NULL;
	int rc = 0;

	for (size_t f = 0; f < study->nfacts && rc == 0; f++) {
		const struct facts *facts = &study->facts[f];
		char *run = strndup(facts->file, (size_t)folder_length(facts));

		if (!run)
			return array_failed();
		findings->run = run;
		rc = find_warnings(findings, study, facts);
		if (rc == 0 && facts->wiring.error)
			rc = findings_add(findings, FINDING_WARNING, "the topology in run.json cannot be used: %s",
					  facts->wiring.error);
		if (rc == 0 && first && facts->wiring.topo.nhosts > 0)
			rc = find_other_machines(findings, first, facts);
		first = first || facts->wiring.topo.nhosts == 0 ? first : facts;
		findings->run = NULL;
		free(run);
	}
	return rc;
}
