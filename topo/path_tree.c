/* SPDX-License-Identifier: Apache-2.0
 *
 * The way between two devices through the PCI tree.
 */
#include <string.h>

#include "path_parts.h"
#include "peak.h"

/* No tree is deeper; one that claims to be is not followed. */
enum { DEEPEST = 64 };

struct chain {
	int pci[DEEPEST]; /* the device, then the bridges above it */
	int length;
};

int path_pci(const struct topo_host *host, int end)
{
	int pci = end < (int)host->ngpus ? host->gpus[end].pci : host->nics[end - (int)host->ngpus].pci;

	return pci >= 0 && pci < (int)host->npci ? pci : TOPO_UNKNOWN;
}

static void climb(const struct topo_host *host, int pci, struct chain *chain)
{
	*chain = (struct chain){ .length = 0 };
	while (pci >= 0 && pci < (int)host->npci && chain->length < DEEPEST) {
		chain->pci[chain->length++] = pci;
		pci = host->pci[pci].parent;
	}
}

int path_numa(const struct topo_host *host, int end)
{
	int numa = end < (int)host->ngpus ? host->gpus[end].numa : host->nics[end - (int)host->ngpus].numa;
	struct chain chain;

	climb(host, path_pci(host, end), &chain);
	for (int i = 0; numa == TOPO_UNKNOWN && i < chain.length; i++)
		numa = host->pci[chain.pci[i]].numa;
	return numa == TOPO_UNKNOWN && host->nnuma == 1 ? host->numa[0].os : numa;
}

static int root_of(const struct topo_host *host, const struct chain *chain)
{
	for (int i = chain->length - 1; i >= 0; i--) {
		if (host->pci[chain->pci[i]].root != TOPO_UNKNOWN)
			return host->pci[chain->pci[i]].root;
	}
	return TOPO_UNKNOWN;
}

/* Where two ways up meet: indices into both chains. */
static bool meet(const struct chain *a, const struct chain *b, int *in_a, int *in_b)
{
	for (int i = 0; i < a->length; i++) {
		for (int k = 0; k < b->length; k++) {
			if (a->pci[i] == b->pci[k]) {
				*in_a = i;
				*in_b = k;
				return true;
			}
		}
	}
	return false;
}

/* Functions of one bus: "0000:05:00.0" and "0000:05:10.0". */
static bool same_bus(const struct topo_host *host, int a, int b)
{
	const char *x = host->pci[a].bus, *y = host->pci[b].bus, *colon = strrchr(x, ':');

	return colon && strncmp(x, y, (size_t)(colon + 1 - x)) == 0;
}

/*
 * A switch is one bridge where a source has it so; as the system shows it, it is a port that faces up and above each device one that faces down, all
 * of these on one bus.
 */
static enum topo_class below_bridge(const struct topo_host *host, const struct chain *a, int in_a, const struct chain *b,
				    int in_b)
{
	int bridges = (in_a > 0 ? in_a - 1 : 0) + (in_b > 0 ? in_b - 1 : 0) + 1;

	if (bridges <= 1)
		return TOPO_PIX;
	if (in_a == 2 && in_b == 2 && same_bus(host, a->pci[1], b->pci[1]))
		return TOPO_PIX;
	return TOPO_PXB;
}

static enum topo_class across(const struct topo_host *host, int a, int b, const struct chain *above_a,
			      const struct chain *above_b)
{
	int numa_a = path_numa(host, a), numa_b = path_numa(host, b), root_a = root_of(host, above_a),
	    root_b = root_of(host, above_b);

	if (root_a != TOPO_UNKNOWN && root_a == root_b)
		return TOPO_PHB;
	if (numa_a == TOPO_UNKNOWN || numa_b == TOPO_UNKNOWN)
		return TOPO_CLASS_UNKNOWN;
	if (numa_a != numa_b)
		return TOPO_SYS;
	return above_a->length > 0 && above_b->length > 0 ? TOPO_NODE : TOPO_CLASS_UNKNOWN;
}

/* A link that is idle sleeps at the first generation. */
static struct topo_pcie awake(const struct topo_host *host, int pci, bool *sleeping)
{
	struct topo_pcie link = host->pci[pci].now;
	double most = host->pci[pci].most.gts;

	*sleeping = link.gts > 0 && link.gts <= 2.5 && most > link.gts;
	if (*sleeping)
		link.gts = most;
	return link;
}

/* The hops of chain[0 .. end); false where the device's own link is not known. */
static bool add_hops(const struct topo_host *host, const struct chain *chain, int end, struct path_tree *tree)
{
	bool known = end == 0;

	for (int i = 0; i < end; i++) {
		bool sleeping;
		struct topo_pcie link = awake(host, chain->pci[i], &sleeping);
		double rate = peak_pcie(&link);

		known = known || (i == 0 && rate > 0);
		if (rate > 0 && (tree->rate == 0 || rate < tree->rate)) {
			tree->rate = rate;
			tree->slowest = link;
			tree->sleeping = sleeping;
		}
	}
	return known;
}

void path_in_tree(const struct topo_host *host, int a, int b, struct path_tree *tree)
{
	struct chain above_a, above_b;
	int end_a, end_b;
	bool known;

	*tree = (struct path_tree){ .class = TOPO_CLASS_UNKNOWN };
	climb(host, path_pci(host, a), &above_a);
	climb(host, path_pci(host, b), &above_b);
	if (meet(&above_a, &above_b, &end_a, &end_b)) {
		tree->class = below_bridge(host, &above_a, end_a, &above_b, end_b);
	} else {
		end_a = above_a.length;
		end_b = above_b.length;
		tree->class = across(host, a, b, &above_a, &above_b);
	}
	if (above_a.length == 0 || above_b.length == 0)
		return;
	known = add_hops(host, &above_a, end_a, tree);
	known = add_hops(host, &above_b, end_b, tree) && known;
	/* Two ports of one card have no link between them. */
	if (!known || (end_a == 0 && end_b == 0))
		tree->rate = 0;
}
