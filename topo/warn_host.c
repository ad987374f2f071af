/* SPDX-License-Identifier: Apache-2.0
 *
 * What concerns whole hosts: traffic sent round by the root, far cores, hosts that have less than others.
 */
#include <stdio.h>
#include <stdlib.h>

#include "path_parts.h"
#include "warn_parts.h"

static bool is_above_device(const struct topo_host *host, int bridge, bool *gpu)
{
	bool any = false;

	for (int end = 0; end < (int)(host->ngpus + host->nnics); end++) {
		int pci = path_pci(host, end);

		for (int depth = 0; pci >= 0 && pci < (int)host->npci && pci != bridge && depth < 64; depth++)
			pci = host->pci[pci].parent;
		if (pci != bridge)
			continue;
		any = true;
		*gpu = *gpu || end < (int)host->ngpus;
	}
	return any;
}

/* The ports of switches; those of the root send everything through the root anyway. */
static void check_acs(struct warn_place *place)
{
	const struct topo_host *host = place->host;
	int first = TOPO_UNKNOWN, count = 0;
	bool gpu = false;
	char more[48] = "";

	for (int i = 0; i < (int)host->npci; i++) {
		if (host->pci[i].acs != TOPO_YES || host->pci[i].parent == TOPO_UNKNOWN || !is_above_device(host, i, &gpu))
			continue;
		first = first == TOPO_UNKNOWN ? i : first;
		count++;
	}
	if (count == 0 || !gpu)
		return;
	if (count > 1)
		snprintf(more, sizeof more, " and %d more", count - 1);
	warn_add(place, WARN_ACS,
		 "ACS is on at PCIe bridge %s%s: traffic between devices of a switch goes up to the root; it should be off",
		 host->pci[first].bus, more);
}

static void check_iommu(struct warn_place *place)
{
	const struct topo_host *host = place->host;
	bool peers = host->ngpus > 1;

	for (size_t i = 0; i < host->nnics && host->ngpus > 0; i++)
		peers = peers || warn_carries(&host->nics[i]);
	if (host->iommu == TOPO_YES && peers)
		warn_add(place, WARN_IOMMU,
			 "the IOMMU translates for GPU0 and the other devices, so traffic between them goes through the root; it "
			 "should be "
			 "off or pass through");
}

void warn_peers(struct warn_place *place)
{
	check_acs(place);
	check_iommu(place);
}

/* Threads near a GPU; "" when unknown. */
static const char *near_threads(const struct topo_host *host, int gpu)
{
	int numa = path_numa(host, gpu);

	if (host->gpus[gpu].cpus[0] != '\0')
		return host->gpus[gpu].cpus;
	for (size_t i = 0; numa != TOPO_UNKNOWN && i < host->nnuma; i++) {
		if (host->numa[i].os == numa)
			return host->numa[i].cpus;
	}
	return "";
}

static bool is_far(const struct topo_host *host, const struct topo_rank *rank)
{
	const char *near;

	if (rank->gpu < 0 || rank->gpu >= (int)host->ngpus || rank->cpus[0] == '\0')
		return false;
	near = near_threads(host, rank->gpu);
	return near[0] != '\0' && !topo_cpus_overlap(rank->cpus, near);
}

void warn_cores(struct warn_place *place)
{
	const struct topo_host *own = &place->topo->hosts[place->number];
	const struct topo_rank *first = NULL;
	size_t count = 0;
	char name[112], more[48] = "";

	for (size_t i = 0; i < own->nranks; i++) {
		if (!is_far(place->host, &own->ranks[i]))
			continue;
		first = first ? first : &own->ranks[i];
		count++;
	}
	if (!first)
		return;
	warn_end(place->host, first->gpu, name, sizeof name);
	if (count > 1)
		snprintf(more, sizeof more, "; so %s %zu more", count == 2 ? "does" : "do", count - 1);
	warn_add(place, WARN_FAR_CORES,
		 "rank %d runs on hardware threads %.24s far from its %s, it should run on some of %.24s%s", first->rank,
		 first->cpus, name, near_threads(place->host, first->gpu), more);
}

enum { GPUS, NICS, NVLINKS, COUNTS };

static int count_of(const struct topo_host *host, int what)
{
	long count = 0;

	if (what == GPUS)
		return (int)host->ngpus;
	for (size_t i = 0; what == NICS && i < host->nnics; i++)
		count += warn_carries(&host->nics[i]) && host->nics[i].state != TOPO_DOWN;
	for (size_t i = 0; what == NVLINKS && i < host->nnvlinks; i++)
		count += host->nvlinks[i].count > 0 && host->nvlinks[i].count < 10000 ? host->nvlinks[i].count : 1;
	return (int)(count < 1000000000 ? count : 1000000000);
}

static int falling(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x < y) - (x > y);
}

/* What most hosts have; of equally many the more. */
static int usual(const int *counts, int *sorted, size_t n)
{
	size_t most = 0, run = 0;
	int found = 0;

	for (size_t i = 0; i < n; i++)
		sorted[i] = counts[i];
	qsort(sorted, n, sizeof *sorted, falling);
	for (size_t i = 0; i < n; i++) {
		run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
		if (run > most) {
			most = run;
			found = sorted[i];
		}
	}
	return found;
}

static bool compare(const struct topo *topo, struct warnings *warnings, int what, int *counts, int *sorted)
{
	const bool amd = topo->nhosts > 0 && path_is_amd(&topo->hosts[0], 0);
	const char *const names[COUNTS] = { "GPUs", "NICs that are up", amd ? "xGMI links" : "NVLinks" };
	struct warn_place place = { .failed = false };
	int common;

	for (size_t i = 0; i < topo->nhosts; i++) {
		const struct topo_host *host = topo_host_of(topo, i);

		counts[i] = host == &topo->hosts[i] ? count_of(host, what) : counts[host - topo->hosts];
	}
	common = usual(counts, sorted, topo->nhosts);
	for (size_t i = 0; !place.failed && i < topo->nhosts; i++) {
		if (counts[i] >= common)
			continue;
		warn_begin(&place, topo, warnings, i);
		warn_add(&place, WARN_UNLIKE, "%d %s, other hosts have %d", counts[i], names[what], common);
	}
	return !place.failed;
}

int warn_unlike(const struct topo *topo, struct warnings *warnings)
{
	int *counts = calloc(topo->nhosts + 1, sizeof *counts), *sorted = calloc(topo->nhosts + 1, sizeof *sorted);
	bool failed = !counts || !sorted;

	for (int what = 0; !failed && topo->nhosts > 1 && what < COUNTS; what++)
		failed = !compare(topo, warnings, what, counts, sorted);
	free(counts);
	free(sorted);
	return failed ? -1 : 0;
}
