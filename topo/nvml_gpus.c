/* SPDX-License-Identifier: Apache-2.0
 *
 * GPUs as NVML tells them.
 */
#include <stdio.h>
#include <string.h>

#include "nvml.h"
#include "pci.h"

static double transfers(unsigned generation)
{
	static const double rates[] = { 0, 2.5, 5, 8, 16, 32, 64 };

	return generation < sizeof rates / sizeof *rates ? rates[generation] : 0;
}

static unsigned ask(int (*get)(void *, unsigned *), void *device)
{
	unsigned value = 0;

	return get && get(device, &value) == NVML_SUCCESS ? value : 0;
}

/* sysfs has said it already, unless it is hidden. */
static void set_link(const struct nvml *nvml, void *device, struct topo_pci *pci)
{
	const struct topo_pcie now = { transfers(ask(nvml->generation, device)), (int)ask(nvml->width, device) };
	const struct topo_pcie most = { transfers(ask(nvml->most_generation, device)), (int)ask(nvml->most_width, device) };

	if (pci->now.gts <= 0)
		pci->now = now;
	if (pci->most.gts <= 0)
		pci->most = most;
}

static int place(struct topo_host *host, const struct nvml_pci *at)
{
	char bus[24];
	struct topo_pci *pci;
	int index;

	nvml_bus(at, bus);
	index = topo_find_pci(host, bus);
	if (index != TOPO_UNKNOWN)
		return index;
	pci = topo_add_pci(host);
	if (!pci || topo_set(&pci->bus, bus))
		return -2;
	pci->kind = TOPO_GPU;
	pci->vendor = (int)(at->ids & 0xffff);
	pci->device = (int)(at->ids >> 16);
	return (int)host->npci - 1;
}

static int describe(const struct nvml *nvml, void *device, struct topo_gpu *gpu)
{
	char name[256] = "";
	struct nvml_memory memory = { 0 };
	int major = 0, minor = 0;

	if (nvml->name && nvml->name(device, name, sizeof name) != NVML_SUCCESS)
		name[0] = '\0';
	if (nvml->memory && nvml->memory(device, &memory) == NVML_SUCCESS)
		gpu->memory = memory.total;
	if (nvml->capability && nvml->capability(device, &major, &minor) == NVML_SUCCESS)
		gpu->sm = 10 * major + minor;
	name[sizeof name - 1] = '\0';
	return topo_set(&gpu->name, name);
}

static int add(const struct nvml *nvml, struct topo_host *host, unsigned index)
{
	struct nvml_pci at = { 0 };
	unsigned now = 0, pending = 0;
	struct topo_gpu *gpu;
	void *device = NULL;
	int pci, result;

	result = nvml->handle(index, &device);
	if (result == NVML_SUCCESS)
		result = nvml->pci(device, &at);
	if (result != NVML_SUCCESS)
		return topo_note(host, "NVML: GPU %u: %s (%d)", index, nvml_words(nvml, result), result);
	pci = place(host, &at);
	gpu = pci < 0 ? NULL : topo_add_gpu(host);
	if (!gpu || describe(nvml, device, gpu))
		return -1;
	gpu->number = (int)index;
	gpu->pci = pci;
	set_link(nvml, device, &host->pci[pci]);
	if (nvml->mig && nvml->mig(device, &now, &pending) == NVML_SUCCESS && now != 0)
		return topo_note(host, "GPU %u: MIG is on: programs see parts of it, and these use no NVLinks", index);
	return 0;
}

int nvml_gpus(const struct nvml *nvml, struct topo_host *host, int *listed)
{
	size_t before = host->ngpus;
	unsigned count = 0;
	int result = nvml->count(&count);

	*listed = 0;
	if (result != NVML_SUCCESS)
		return topo_note(host, "NVML: counting GPUs failed: %s (%d)", nvml_words(nvml, result), result);
	for (unsigned i = 0; i < count && i < TOPO_MOST_GPUS; i++) {
		if (add(nvml, host, i))
			return -1;
	}
	*listed = (int)(host->ngpus - before);
	return 0;
}
