/* SPDX-License-Identifier: Apache-2.0
 *
 * hwloc's matrix of NVLink rates: MB/s one way, all links between two objects together. hwloc 2.9.0 wrote twice the truth for NVLink 3.0, so what is more
 * than the product has is looked at.
 */
#include <stdio.h>
#include <string.h>

#include "by_hwloc_parts.h"
#include "path_parts.h"
#include "peak.h"

/* MB/s: no two GPUs have 10 TB/s between them. */
static const double most_megabytes = 1e7;

static hwloc_obj_t function_of(hwloc_obj_t obj)
{
	while (obj && obj->type == HWLOC_OBJ_OS_DEVICE)
		obj = obj->parent;
	return obj && obj->type == HWLOC_OBJ_PCI_DEVICE ? obj : NULL;
}

static int pci_at(const struct topo_host *host, hwloc_obj_t obj)
{
	hwloc_obj_t function = function_of(obj);
	char bus[24];

	if (!function)
		return TOPO_UNKNOWN;
	snprintf(bus, sizeof bus, "%04x:%02x:%02x.%01x", (unsigned)function->attr->pcidev.domain, function->attr->pcidev.bus,
		 function->attr->pcidev.dev, function->attr->pcidev.func);
	return topo_find_pci(host, bus);
}

static void end_of(const struct topo_host *host, hwloc_obj_t obj, struct topo_nvlink *to)
{
	int pci = pci_at(host, obj);

	to->peer = topo_find_gpu(host, pci);
	if (to->peer != TOPO_UNKNOWN) {
		to->end = TOPO_END_GPU;
	} else if (pci != TOPO_UNKNOWN && host->pci[pci].kind == TOPO_NVSWITCH) {
		to->end = TOPO_END_SWITCH;
		to->peer = pci;
	} else {
		to->end = hwloc_obj_type_is_io(obj->type) ? TOPO_END_UNKNOWN : TOPO_END_CPU;
	}
}

/* Several ports of a switch may be objects of their own. */
static int add(struct topo_host *host, const struct topo_nvlink *to)
{
	struct topo_nvlink *nvlink = NULL;

	for (size_t i = 0; i < host->nnvlinks && !nvlink; i++) {
		if (host->nvlinks[i].gpu == to->gpu && host->nvlinks[i].end == to->end && host->nvlinks[i].peer == to->peer)
			nvlink = &host->nvlinks[i];
	}
	if (!nvlink) {
		nvlink = topo_add_nvlink(host);
		if (!nvlink || topo_set(&nvlink->source, "hwloc's NVLinkBandwidth"))
			return -1;
		nvlink->gpu = to->gpu;
		nvlink->end = to->end;
		nvlink->peer = to->peer;
	}
	/* Less than 0: not known, also where more of the same comes. */
	nvlink->rate = to->rate < 0 || nvlink->rate < 0 ? -1 : nvlink->rate + to->rate;
	return 0;
}

/* A rate that no link has, and nobody's mistake to repeat. */
static int doubt(struct topo_host *host, struct topo_nvlink *to)
{
	if (to->rate <= 1e6 * most_megabytes)
		return 0;
	to->rate = -1;
	return topo_note(host, "GPU%d: hwloc's NVLinkBandwidth has a rate of over 10 TB/s: unknown", to->gpu);
}

static int read_matrix(const struct hwloc_distances_s *matrix, struct topo_host *host)
{
	for (unsigned i = 0; i < matrix->nbobjs; i++) {
		int gpu = matrix->objs[i] ? topo_find_gpu(host, pci_at(host, matrix->objs[i])) : TOPO_UNKNOWN;

		for (unsigned k = 0; k < matrix->nbobjs && gpu != TOPO_UNKNOWN; k++) {
			struct topo_nvlink to = { .gpu = gpu, .rate = 1e6 * (double)matrix->values[i * matrix->nbobjs + k] };

			if (i == k || to.rate <= 0 || !matrix->objs[k])
				continue;
			end_of(host, matrix->objs[k], &to);
			if (!(to.end == TOPO_END_GPU && to.peer == gpu) && (doubt(host, &to) || add(host, &to)))
				return -1;
		}
	}
	for (size_t i = 0; i < host->nnvlinks; i++)
		host->nvlinks[i].rate = host->nvlinks[i].rate > 0 ? host->nvlinks[i].rate : 0;
	return 0;
}

/* Rates of a GPU that are more than its product has: of the version that doubled them the halves, of others as they stand. */
static int check(struct topo_host *host, int gpu, bool doubled)
{
	const struct peak_gpu *product = path_product(host, gpu);
	double sum = 0, most = product ? product->links * product->rate : 0;

	for (size_t i = 0; i < host->nnvlinks; i++)
		sum += host->nvlinks[i].gpu == gpu ? host->nvlinks[i].rate : 0;
	if (most <= 0 || sum <= 1.07 * most)
		return 0;
	for (size_t i = 0; i < host->nnvlinks && doubled; i++) {
		if (host->nvlinks[i].gpu != gpu)
			continue;
		host->nvlinks[i].rate /= 2;
		if (topo_set(&host->nvlinks[i].source, "half of hwloc 2.9.0's NVLinkBandwidth"))
			return -1;
	}
	if (doubled)
		return topo_note(host, "hwloc 2.9.0 doubles the rates of NVLink 3.0; they are halved here");
	return topo_note(host, "GPU %d: NVLinks of %g GB/s by hwloc, the product has %g", gpu, sum / 1e9, most / 1e9);
}

int by_hwloc_links(hwloc_topology_t topology, const char *version, struct topo_host *host)
{
	struct hwloc_distances_s *matrix = NULL;
	unsigned count = 1;
	int failed;

	if (hwloc_distances_get_by_name(topology, "NVLinkBandwidth", &count, &matrix, 0) || count == 0 || !matrix)
		return 0;
	failed = read_matrix(matrix, host);
	hwloc_distances_release(topology, matrix);
	for (size_t i = 0; i < host->ngpus && !failed; i++)
		failed = check(host, (int)i, strcmp(version, "2.9.0") == 0);
	return failed;
}
