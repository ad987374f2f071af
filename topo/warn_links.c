/* SPDX-License-Identifier: Apache-2.0
 *
 * Links that are slower, narrower or fewer than they could be.
 */
#include <stdio.h>

#include "path_parts.h"
#include "peak.h"
#include "warn_parts.h"

/* The device at a function, or what it is else. */
static void name_function(const struct topo_host *host, int pci, char *text, size_t size)
{
	for (int end = 0; end < (int)(host->ngpus + host->nnics); end++) {
		if (path_pci(host, end) == pci) {
			warn_end(host, end, text, size);
			return;
		}
	}
	snprintf(text, size, "%s %s",
		 host->pci[pci].kind == TOPO_NVSWITCH ? "NVSwitch"
		 : host->pci[pci].kind == TOPO_BRIDGE ? "PCIe bridge"
						      : "PCIe function",
		 host->pci[pci].bus);
}

static bool is_slow(const struct topo_pci *pci)
{
	return pci->now.gts > 0 && pci->most.gts > 0 && pci->now.gts < pci->most.gts;
}

static bool sleeps(const struct topo_pci *pci)
{
	return is_slow(pci) && pci->now.gts <= 2.5;
}

static const char *generation(double gts)
{
	const char *name = peak_pcie_generation(gts);

	return name[0] != '\0' ? name : "of an unknown generation";
}

static void add_sleeping(struct warn_place *place)
{
	int first = TOPO_UNKNOWN, count = 0;
	char name[112], more[32] = "";

	for (int i = 0; i < (int)place->host->npci; i++) {
		if (!sleeps(&place->host->pci[i]))
			continue;
		first = first == TOPO_UNKNOWN ? i : first;
		count++;
	}
	if (count == 0)
		return;
	name_function(place->host, first, name, sizeof name);
	if (count > 1)
		snprintf(more, sizeof more, " and %d more", count - 1);
	warn_add(place, WARN_PCIE_GENERATION,
		 "%s%s: PCIe 1.0 now, %s at most: links that are idle sleep at 1.0, so look again under load", name, more,
		 generation(place->host->pci[first].most.gts));
}

void warn_links(struct warn_place *place)
{
	const struct topo_host *host = place->host;
	char name[112];

	add_sleeping(place);
	for (int i = 0; i < (int)host->npci; i++) {
		const struct topo_pci *pci = &host->pci[i];

		if (is_slow(pci) && !sleeps(pci)) {
			name_function(host, i, name, sizeof name);
			warn_add_device(place, WARN_PCIE_GENERATION, pci->kind, name, "PCIe %s, %s at most",
					generation(pci->now.gts), generation(pci->most.gts));
		}
		if (pci->now.width > 0 && pci->now.width < pci->most.width) {
			name_function(host, i, name, sizeof name);
			warn_add_device(place, WARN_PCIE_WIDTH, pci->kind, name, "PCIe x%d, x%d at most", pci->now.width,
					pci->most.width);
		}
	}
}

struct links {
	int count;    /* that are known */
	bool unknown; /* some of which it is not known how many they are */
	bool direct;  /* to other GPUs, of which not all need be here */
};

static struct links links_of(const struct topo_host *host, int gpu)
{
	struct links links = { 0 };

	for (size_t i = 0; i < host->nnvlinks; i++) {
		const struct topo_nvlink *link = &host->nvlinks[i];

		if (link->gpu != gpu)
			continue;
		links.unknown = links.unknown || link->count <= 0;
		links.direct = links.direct || link->end == TOPO_END_GPU;
		links.count += link->count > 0 && link->count < 10000 && links.count < 10000 ? link->count : 0;
	}
	return links;
}

/* What nvidia-smi's matrix says: links to each other GPU, together. */
static int given_links(const struct topo_host *host, int gpu)
{
	int sum = 0;

	for (size_t i = 0; i < host->ngiven; i++) {
		const struct topo_given *given = &host->given[i];

		if (given->class == TOPO_NV && (given->a == gpu || given->b == gpu) && given->links > 0 && given->links < 1000 &&
		    sum < 1000000)
			sum += given->links;
	}
	return sum;
}

static void add_few(struct warn_place *place, int gpu, int count, int most, const char *of)
{
	char name[112];

	warn_end(place->host, gpu, name, sizeof name);
	warn_add_device(place, WARN_FEW_NVLINKS, TOPO_GPU, name, "%d NVLink%s, %s %d", count, count == 1 ? "" : "s", of, most);
}

/* Fewer than the GPU of the host that has most. None at all is no fault where a bridge may be absent. */
static void against_others(struct warn_place *place, int gpu, int count, int most)
{
	const struct peak_gpu *product = path_product(place->host, gpu);

	if (count < most && (count > 0 || !product || (!product->optional && product->links > 0)))
		add_few(place, gpu, count, most, "others of the host have");
}

/* The links of AMD's GPUs are no NVLinks: in their meshes not every GPU has as many. */
static bool is_comparable(const struct topo_host *host, int gpu)
{
	return !path_is_amd(host, gpu) && !links_of(host, gpu).unknown;
}

void warn_nvlinks(struct warn_place *place)
{
	const struct topo_host *host = place->host;
	int most = 0, most_given = 0;

	for (int gpu = 0; gpu < (int)host->ngpus; gpu++) {
		struct links links = links_of(host, gpu);

		if (!is_comparable(host, gpu))
			continue;
		most = links.count > most ? links.count : most;
		most_given = given_links(host, gpu) > most_given ? given_links(host, gpu) : most_given;
	}
	for (int gpu = 0; most > 0 && gpu < (int)host->ngpus; gpu++) {
		const struct peak_gpu *product = path_product(host, gpu);
		struct links links = links_of(host, gpu);

		if (!is_comparable(host, gpu))
			continue;
		if (product && !product->optional && !links.direct && links.count < product->links)
			add_few(place, gpu, links.count, product->links, "the product has");
		else
			against_others(place, gpu, links.count, most);
	}
	for (int gpu = 0; most == 0 && most_given > 0 && gpu < (int)host->ngpus; gpu++)
		if (is_comparable(host, gpu))
			against_others(place, gpu, given_links(host, gpu), most_given);
}
