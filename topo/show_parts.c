/* SPDX-License-Identifier: Apache-2.0
 *
 * The PCI tree of a host and the NVLinks of a GPU, as they are shown.
 */
#include "show_parts.h"

#include <stdlib.h>

#include "path_parts.h"
#include "show_words.h"

static void mark(bool *wanted, int pci)
{
	if (pci != TOPO_UNKNOWN)
		wanted[pci] = true;
}

static void mark_all(const struct topo_host *host, bool *wanted)
{
	for (size_t i = 0; i < host->ngpus; i++)
		mark(wanted, host->gpus[i].pci);
	for (size_t i = 0; i < host->nnics; i++)
		mark(wanted, host->nics[i].pci);
	/* Parents come before their children. */
	for (size_t i = host->npci; i-- > 0;) {
		wanted[i] = wanted[i] || host->pci[i].kind != TOPO_BRIDGE;
		if (wanted[i])
			mark(wanted, host->pci[i].parent);
	}
}

int show_pci_open(const struct topo_host *host, struct show_pci *tree)
{
	bool *wanted = calloc(host->npci + 1, sizeof *wanted);

	*tree = (struct show_pci){ .first = malloc((host->npci + 1) * sizeof *tree->first),
				   .next = malloc((host->npci + 1) * sizeof *tree->next) };
	if (!wanted || !tree->first || !tree->next) {
		free(wanted);
		show_pci_close(tree);
		return -1;
	}
	mark_all(host, wanted);
	for (size_t i = 0; i <= host->npci; i++)
		tree->first[i] = tree->next[i] = -1;
	for (size_t i = host->npci; i-- > 0;) {
		const int parent = host->pci[i].parent;
		int *first = &tree->first[parent == TOPO_UNKNOWN ? host->npci : (size_t)parent];

		if (!wanted[i])
			continue;
		tree->next[i] = *first;
		*first = (int)i;
	}
	free(wanted);
	return 0;
}

void show_pci_close(struct show_pci *tree)
{
	free(tree->first);
	free(tree->next);
	*tree = (struct show_pci){ 0 };
}

int show_numa(const struct topo_host *host, int numa)
{
	for (size_t i = 0; i < host->nnuma; i++)
		if (host->numa[i].os == numa)
			return numa;
	return TOPO_UNKNOWN;
}

bool show_has_numa(const struct topo_host *host, const struct show_pci *tree, int numa)
{
	for (int i = tree->first[host->npci]; i >= 0; i = tree->next[i])
		if (show_numa(host, host->pci[i].numa) == numa)
			return true;
	for (size_t i = 0; i < host->ngpus; i++)
		if (host->gpus[i].pci == TOPO_UNKNOWN && show_numa(host, host->gpus[i].numa) == numa)
			return true;
	for (size_t i = 0; i < host->nnics; i++)
		if (host->nics[i].pci == TOPO_UNKNOWN && show_numa(host, host->nics[i].numa) == numa)
			return true;
	return false;
}

static bool same_bundle(const struct topo_nvlink *a, const struct topo_nvlink *b)
{
	return a->gpu == b->gpu && a->end == b->end && (a->end != TOPO_END_GPU || a->peer == b->peer);
}

bool show_bundle_at(const struct topo_host *host, int gpu, size_t i, struct show_bundle *bundle)
{
	const struct topo_nvlink *link = &host->nvlinks[i];

	if (link->gpu != gpu)
		return false;
	for (size_t k = 0; k < i; k++)
		if (same_bundle(&host->nvlinks[k], link))
			return false;
	*bundle = (struct show_bundle){ link->end, link->peer, link->count, link->version, link->rate, link->source };
	for (size_t k = i + 1; k < host->nnvlinks; k++) {
		const struct topo_nvlink *other = &host->nvlinks[k];

		if (!same_bundle(other, link))
			continue;
		bundle->count = bundle->count > 0 && other->count > 0 ? bundle->count + other->count : 0;
		bundle->rate = bundle->rate > 0 && other->rate > 0 ? bundle->rate + other->rate : 0;
		bundle->version = bundle->version == other->version ? bundle->version : 0;
	}
	return true;
}

static const char *bundle_end(const struct show_bundle *bundle, char *text, size_t size)
{
	static const char *const ends[] = { "an unknown end", "", "NVSwitches", "the CPU" };

	if (bundle->end == TOPO_END_GPU)
		snprintf(text, size, "GPU%d", bundle->peer);
	else
		snprintf(text, size, "%s", ends[bundle->end]);
	return text;
}

void show_nvlinks_of(const struct topo_host *host, int gpu, int indent, FILE *out)
{
	char links[48], end[32], rate[32];
	struct show_bundle bundle;

	for (size_t i = 0; i < host->nnvlinks; i++) {
		if (!show_bundle_at(host, gpu, i, &bundle))
			continue;
		path_rate_words(bundle.rate, rate);
		fprintf(out, "%*s%s to %s: %s", indent, "",
			show_nvlinks(path_link_kind(host, gpu), bundle.count, bundle.version, links, sizeof links),
			bundle_end(&bundle, end, sizeof end), bundle.rate > 0 ? rate : "rate unknown");
		fprintf(out, bundle.rate > 0 && *bundle.source ? " (%s)\n" : "\n", bundle.source);
	}
}
