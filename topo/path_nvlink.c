/* SPDX-License-Identifier: Apache-2.0
 *
 * NVLinks between GPUs.
 */
#include "path_parts.h"
#include "pci.h"
#include "peak.h"

/* No more are counted: what claims more is wrong, and sums must not overflow. */
enum { MOST_LINKS = 1000000 };

const struct peak_gpu *path_product(const struct topo_host *host, int gpu)
{
	int pci = path_pci(host, gpu);
	int device = pci != TOPO_UNKNOWN && host->pci[pci].vendor == PCI_NVIDIA ? host->pci[pci].device : 0;

	return peak_gpu_find(host->gpus[gpu].name, device);
}

bool path_is_amd(const struct topo_host *host, int gpu)
{
	int pci = gpu < (int)host->ngpus ? path_pci(host, gpu) : TOPO_UNKNOWN;

	return pci != TOPO_UNKNOWN && host->pci[pci].vendor == PCI_AMD;
}

const char *path_link_kind(const struct topo_host *host, int gpu)
{
	return path_is_amd(host, gpu) ? "xGMI" : "NVLink";
}

double path_nvlink_rate(const struct topo_host *host, int gpu, int version)
{
	const struct peak_gpu *product = path_product(host, gpu);

	return product && product->links > 0 ? product->rate : peak_nvlink(version);
}

void path_nvlinks_of(const struct topo_host *host, int gpu, enum topo_end end, int peer, struct path_nvlinks *sum)
{
	bool counted = true, rated = true;

	*sum = (struct path_nvlinks){ .switches = end == TOPO_END_SWITCH, .source = "" };
	for (size_t i = 0; i < host->nnvlinks; i++) {
		const struct topo_nvlink *link = &host->nvlinks[i];
		double rate = link->rate > 0 ? link->rate : link->count * path_nvlink_rate(host, gpu, link->version);

		if (link->gpu != gpu || link->end != end || (end == TOPO_END_GPU && link->peer != peer))
			continue;
		sum->any = true;
		counted = counted && link->count > 0;
		rated = rated && rate > 0;
		sum->count += link->count < MOST_LINKS - sum->count ? link->count : MOST_LINKS - sum->count;
		sum->rate += rate;
		sum->version = sum->version == 0 ? link->version : sum->version;
		sum->source = sum->source[0] == '\0' ? link->source : sum->source;
	}
	if (!counted)
		sum->count = 0;
	if (!rated)
		sum->rate = 0;
}

/* The lesser of two sums: neither end can do more than its own links. */
static bool is_less(const struct path_nvlinks *a, const struct path_nvlinks *b)
{
	if (a->rate > 0 && b->rate > 0)
		return a->rate < b->rate;
	return a->rate == 0 && (b->rate > 0 || a->count < b->count);
}

static bool is_known(const struct path_nvlinks *links)
{
	return links->count > 0 || links->rate > 0;
}

/* Sources tell a link at one of its ends or at both; where the ends differ, what both say counts. */
static void direct_links(const struct topo_host *host, int a, int b, struct path_nvlinks *found)
{
	struct path_nvlinks other;

	path_nvlinks_of(host, a, TOPO_END_GPU, b, found);
	path_nvlinks_of(host, b, TOPO_END_GPU, a, &other);
	if (!found->any || (other.any && is_known(&other) && (!is_known(found) || is_less(&other, found))))
		*found = other;
}

int path_note_uneven(struct topo_host *host)
{
	for (int a = 0; a < (int)host->ngpus; a++) {
		for (int b = a + 1; b < (int)host->ngpus && host->nnvlinks > 0; b++) {
			struct path_nvlinks there, back;

			path_nvlinks_of(host, a, TOPO_END_GPU, b, &there);
			path_nvlinks_of(host, b, TOPO_END_GPU, a, &back);
			if (there.count > 0 && back.count > 0 && there.count != back.count &&
			    topo_note(host, "GPU%d to GPU%d: %d links one way, %d back; the fewer count", a, b, there.count,
				      back.count))
				return -1;
		}
	}
	return 0;
}

void path_nvlinks_between(const struct topo_host *host, int a, int b, struct path_nvlinks *found)
{
	struct path_nvlinks other;

	*found = (struct path_nvlinks){ .source = "" };
	if (a >= (int)host->ngpus || b >= (int)host->ngpus)
		return;
	direct_links(host, a, b, found);
	if (found->any)
		return;
	path_nvlinks_of(host, a, TOPO_END_SWITCH, TOPO_UNKNOWN, found);
	path_nvlinks_of(host, b, TOPO_END_SWITCH, TOPO_UNKNOWN, &other);
	if (!found->any || !other.any)
		*found = (struct path_nvlinks){ .source = "" };
	else if (is_less(&other, found))
		*found = other;
}
