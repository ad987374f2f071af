/* SPDX-License-Identifier: Apache-2.0
 *
 * hwloc beside sysfs and NVML. hwloc 2.9.0 doubles the rate of NVLink 3.0 and releases up to 2.11 leave links out, so its matrix only makes one look.
 */
#include "discover_check.h"

#include <math.h>
#include <string.h>

/* Signalling rates are up to 7 % above what links carry. */
#define TOLERANCE 0.07

static int check_pci(struct topo_host *host, const struct topo_host *other)
{
	for (size_t i = 0; i < host->npci; i++) {
		struct topo_pci *pci = &host->pci[i];
		int found = topo_find_pci(other, pci->bus), node = found == TOPO_UNKNOWN ? TOPO_UNKNOWN : other->pci[found].numa;

		if (pci->numa == TOPO_UNKNOWN)
			pci->numa = node;
		else if (node != TOPO_UNKNOWN && node != pci->numa && pci->kind != TOPO_BRIDGE &&
			 topo_note(host, "%s is near NUMA node %d by sysfs, %d by hwloc; taken is sysfs'", pci->bus, pci->numa,
				   node))
			return -1;
	}
	return 0;
}

static int same_gpu(const struct topo_host *host, const struct topo_host *other, int gpu)
{
	int pci = gpu == TOPO_UNKNOWN ? TOPO_UNKNOWN : host->gpus[gpu].pci;

	for (size_t i = 0; i < other->ngpus && pci != TOPO_UNKNOWN; i++) {
		int there = other->gpus[i].pci;

		if (there != TOPO_UNKNOWN && strcmp(other->pci[there].bus, host->pci[pci].bus) == 0)
			return (int)i;
	}
	return TOPO_UNKNOWN;
}

/* All NVLinks of a GPU together. */
static double rate_of(const struct topo_host *host, int gpu)
{
	double sum = 0;

	for (size_t i = 0; i < host->nnvlinks; i++) {
		if (host->nvlinks[i].gpu == gpu)
			sum += host->nvlinks[i].rate;
	}
	return sum;
}

static int check_links(struct topo_host *host, const struct topo_host *other)
{
	/* Without a matrix hwloc says nothing. */
	for (size_t i = 0; i < host->ngpus && other->nnvlinks > 0; i++) {
		int there = same_gpu(host, other, (int)i);
		double ours = rate_of(host, (int)i), theirs = there == TOPO_UNKNOWN ? 0 : rate_of(other, there);

		if (ours <= 0 || theirs <= 0 || fabs(ours - theirs) <= TOLERANCE * ours)
			continue;
		/* One line: the others say the same. */
		return topo_note(host, "GPU %d has NVLinks of %g GB/s, hwloc says %g; taken is the former", (int)i, ours / 1e9,
				 theirs / 1e9);
	}
	return 0;
}

int discover_check(struct topo_host *host, const struct topo_host *other)
{
	return check_pci(host, other) || check_links(host, other) ? -1 : 0;
}

int discover_take(struct topo_host *host, struct topo_host *other)
{
	host->packages = other->packages;
	host->cores = other->cores;
	host->threads = other->threads;
	host->memory = other->memory;
	host->numa = other->numa;
	host->nnuma = other->nnuma;
	host->caches = other->caches;
	host->ncaches = other->ncaches;
	other->numa = NULL;
	other->nnuma = 0;
	other->caches = NULL;
	other->ncaches = 0;
	for (size_t i = 0; i < other->nnotes; i++) {
		if (topo_note(host, "%s", other->notes[i]))
			return -1;
	}
	return topo_set(&host->cpu, other->cpu);
}
