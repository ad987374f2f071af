/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the NVLinks of GPUs go. How many and where to is NVML's word; what one carries is the table's where it knows the product, as the library tells
 * versions by numbers of its own and rates as they are signalled.
 */
#include <stdio.h>
#include <string.h>

#include "nvml.h"
#include "path_parts.h"
#include "pci.h"
#include "peak.h"

enum { MOST_LINKS = 64 };

/* What has been asked of one GPU. */
struct links {
	const struct nvml *nvml;
	void *device;
	int gpu;
	unsigned version; /* as NVML numbers them */
	int active, down;
	char down_words[120];
};

/* The generation of NVLink; 0: not known. */
static int generation_of(unsigned version)
{
	static const int generations[] = { 0, 1, 2, 2, 3, 3, 4, 5 };

	return version < sizeof generations / sizeof *generations ? generations[version] : 0;
}

/* In virtual machines the switches have no address. */
static bool is_hidden(const struct nvml_pci *pci)
{
	return pci->bus == 0xff && (pci->domain & 0xffff) == 0xffff;
}

/* The kind of end where the library does not name it. */
static enum topo_end guess(const struct topo_host *host, const struct nvml_pci *at, int pci)
{
	if (is_hidden(at) || (pci != TOPO_UNKNOWN && host->pci[pci].kind == TOPO_NVSWITCH))
		return TOPO_END_SWITCH;
	if (topo_find_gpu(host, pci) != TOPO_UNKNOWN)
		return TOPO_END_GPU;
	return (at->ids & 0xffff) == PCI_IBM ? TOPO_END_CPU : TOPO_END_UNKNOWN;
}

static int end_of(const struct links *links, struct topo_host *host, unsigned link, struct topo_nvlink *to)
{
	static const enum topo_end ends[] = {
		[NVML_REMOTE_GPU] = TOPO_END_GPU, [NVML_REMOTE_IBM] = TOPO_END_CPU, [NVML_REMOTE_SWITCH] = TOPO_END_SWITCH
	};
	const struct nvml *nvml = links->nvml;
	struct nvml_pci at = { 0 };
	unsigned type = sizeof ends / sizeof *ends;
	char bus[24];
	int pci;

	*to = (struct topo_nvlink){ .gpu = links->gpu, .peer = TOPO_UNKNOWN };
	if (!nvml->link_type || nvml->link_type(links->device, link, &type) != NVML_SUCCESS)
		type = sizeof ends / sizeof *ends;
	if (type < sizeof ends / sizeof *ends)
		to->end = ends[type];
	if (!nvml->link_remote || nvml->link_remote(links->device, link, &at) != NVML_SUCCESS)
		return 0;
	nvml_bus(&at, bus);
	pci = topo_find_pci(host, bus);
	if (to->end == TOPO_END_UNKNOWN)
		to->end = guess(host, &at, pci);
	if (to->end == TOPO_END_SWITCH && pci != TOPO_UNKNOWN && host->pci[pci].kind == TOPO_NVSWITCH)
		to->peer = pci;
	if (to->end != TOPO_END_GPU)
		return 0;
	to->peer = topo_find_gpu(host, pci);
	if (to->peer == links->gpu) {
		to->end = TOPO_END_UNKNOWN;
		to->peer = TOPO_UNKNOWN;
		return topo_note(host, "GPU %d: NVML says that an NVLink leads to itself", links->gpu);
	}
	if (to->peer == TOPO_UNKNOWN)
		return topo_note(host, "GPU %d: an NVLink leads to %s, which is no GPU that is listed here", links->gpu, bus);
	return 0;
}

static int count_link(struct topo_host *host, const struct topo_nvlink *to)
{
	struct topo_nvlink *nvlink;

	for (size_t i = 0; i < host->nnvlinks; i++) {
		nvlink = &host->nvlinks[i];
		if (nvlink->gpu == to->gpu && nvlink->end == to->end && nvlink->peer == to->peer) {
			nvlink->count++;
			return 0;
		}
	}
	nvlink = topo_add_nvlink(host);
	if (!nvlink)
		return -1;
	nvlink->gpu = to->gpu;
	nvlink->end = to->end;
	nvlink->peer = to->peer;
	nvlink->count = 1;
	return 0;
}

static int ask_links(struct links *links, struct topo_host *host)
{
	for (unsigned i = 0; i < MOST_LINKS; i++) {
		struct topo_nvlink to;
		unsigned active = 0, version = 0;
		int result = links->nvml->link_state(links->device, i, &active);
		size_t length = strlen(links->down_words);

		if (result == NVML_INVALID_ARGUMENT)
			break;
		if (result != NVML_SUCCESS)
			continue;
		if (!active) {
			links->down++;
			snprintf(links->down_words + length, sizeof links->down_words - length, "%s%u", length > 0 ? ", " : "",
				 i);
			continue;
		}
		links->active++;
		if (links->version == 0 && links->nvml->link_version &&
		    links->nvml->link_version(links->device, i, &version) == NVML_SUCCESS)
			links->version = version;
		if (end_of(links, host, i, &to) || count_link(host, &to))
			return -1;
	}
	return 0;
}

/* The rate of one link and the words for it; 0: unknown. */
static double rate_of(const struct links *links, const struct topo_host *host, int *version, char *words, size_t size)
{
	const struct peak_gpu *product = path_product(host, links->gpu);

	if (product && product->links > 0) {
		*version = product->version;
		snprintf(words, size, "table: %s", product->name);
		return product->rate;
	}
	*version = generation_of(links->version);
	if (*version > 0)
		snprintf(words, size, "NVML: NVLink%d", *version);
	else
		snprintf(words, size, "NVML");
	return peak_nvlink(*version);
}

static int rate_links(const struct links *links, struct topo_host *host)
{
	int version, told = generation_of(links->version);
	char words[128], source[256];
	double rate = rate_of(links, host, &version, words, sizeof words);

	for (size_t i = 0; i < host->nnvlinks; i++) {
		struct topo_nvlink *nvlink = &host->nvlinks[i];

		if (nvlink->gpu != links->gpu)
			continue;
		nvlink->version = version;
		nvlink->rate = rate * nvlink->count;
		if (rate > 0)
			snprintf(source, sizeof source, "%s, %d x %g GB/s", words, nvlink->count, rate / 1e9);
		if (topo_set(&nvlink->source, rate > 0 ? source : words))
			return -1;
	}
	if (links->active > 0 && told > 0 && told != version)
		return topo_note(host, "%s: NVML says NVLink%d, the product has NVLink%d; taken is the product's",
				 host->gpus[links->gpu].name, told, version);
	return 0;
}

static int links_of(const struct nvml *nvml, struct topo_host *host, int gpu)
{
	struct links links = { .nvml = nvml, .gpu = gpu };
	int number = host->gpus[gpu].number;

	if (nvml->handle((unsigned)number, &links.device) != NVML_SUCCESS)
		return topo_note(host, "NVML: GPU %d could not be asked for NVLinks", number);
	if (ask_links(&links, host) || rate_links(&links, host))
		return -1;
	/* All down are a product without a bridge. */
	if (links.down > 0 && links.active > 0)
		return topo_note(host, "GPU %d: %d of %d NVLinks are down: %s", number, links.down, links.down + links.active,
				 links.down_words);
	return 0;
}

int nvml_links(const struct nvml *nvml, struct topo_host *host)
{
	if (!nvml->link_state)
		return topo_note(host, "NVML: this version does not tell NVLinks");
	for (size_t i = 0; i < host->ngpus; i++) {
		if (links_of(nvml, host, (int)i))
			return -1;
	}
	return 0;
}
