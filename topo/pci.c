/* SPDX-License-Identifier: Apache-2.0
 *
 * Which PCI functions matter, and what follows from the tree for the devices on it.
 */
#include "pci.h"

#include <stdlib.h>

bool pci_is_gpu(unsigned class, int vendor)
{
	bool display = class == 0x0300 || class == 0x0302;

	if (vendor == PCI_NVIDIA)
		return display;
	/* AMD's accelerators without outputs are of other classes. */
	return vendor == PCI_AMD && (display || class == 0x0380 || class == 0x1200);
}

bool pci_is_nvswitch(unsigned class, int vendor)
{
	return class == 0x0680 && vendor == PCI_NVIDIA;
}

bool pci_is_infiniband(unsigned class)
{
	return class == 0x0207 || class == 0x0c06;
}

bool pci_is_efa(int vendor, int device)
{
	return vendor == PCI_AMAZON && (device & 0xfff0) == 0xefa0;
}

struct topo_pcie pci_least(struct topo_pcie a, struct topo_pcie b)
{
	if (a.gts <= 0 || (b.gts > 0 && b.gts < a.gts))
		a.gts = b.gts;
	if (a.width <= 0 || (b.width > 0 && b.width < a.width))
		a.width = b.width;
	return a;
}

bool pci_faces_up(int depth)
{
	return depth % 2 == 1;
}

static int by_value(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

int pci_number_roots(struct topo_host *host)
{
	int *roots = calloc(host->npci + 1, sizeof *roots);
	size_t count = 0;

	if (!roots)
		return -1;
	for (size_t i = 0; i < host->npci; i++)
		roots[i] = host->pci[i].root;
	qsort(roots, host->npci, sizeof *roots, by_value);
	for (size_t i = 0; i < host->npci; i++) {
		if (roots[i] != TOPO_UNKNOWN && (count == 0 || roots[count - 1] != roots[i]))
			roots[count++] = roots[i];
	}
	for (size_t i = 0; i < host->npci; i++) {
		const int *found = bsearch(&host->pci[i].root, roots, count, sizeof *roots, by_value);

		host->pci[i].root = found ? (int)(found - roots) : TOPO_UNKNOWN;
	}
	free(roots);
	return 0;
}

/* The only node is near to everything. */
static int node_of(const struct topo_host *host, int pci)
{
	if (pci != TOPO_UNKNOWN && host->pci[pci].numa != TOPO_UNKNOWN)
		return host->pci[pci].numa;
	return host->nnuma == 1 ? host->numa[0].os : TOPO_UNKNOWN;
}

static int near_threads(const struct topo_host *host, int node, char **cpus)
{
	for (size_t i = 0; i < host->nnuma && (*cpus)[0] == '\0'; i++) {
		if (node != TOPO_UNKNOWN && host->numa[i].os == node && topo_set(cpus, host->numa[i].cpus))
			return -1;
	}
	return 0;
}

int pci_settle(struct topo_host *host)
{
	for (size_t i = 0; i < host->npci; i++)
		host->pci[i].numa = node_of(host, (int)i);
	for (size_t i = 0; i < host->ngpus; i++) {
		if (host->gpus[i].numa == TOPO_UNKNOWN)
			host->gpus[i].numa = node_of(host, host->gpus[i].pci);
		if (near_threads(host, host->gpus[i].numa, &host->gpus[i].cpus))
			return -1;
	}
	for (size_t i = 0; i < host->nnics; i++) {
		if (host->nics[i].numa == TOPO_UNKNOWN)
			host->nics[i].numa = node_of(host, host->nics[i].pci);
		if (near_threads(host, host->nics[i].numa, &host->nics[i].cpus))
			return -1;
	}
	return 0;
}
