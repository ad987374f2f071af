/* SPDX-License-Identifier: Apache-2.0
 *
 * What tree and graph share: the PCI tree of a host without what leads nowhere, and the NVLinks of a GPU.
 */
#ifndef COLLPERF_SHOW_PARTS_H
#define COLLPERF_SHOW_PARTS_H

#include <stdio.h>

#include "topo.h"

/* Children in the order of the host; a function is in it where a GPU, a NIC or an NVSwitch is at it or below. -1: none, or not in it. */
struct show_pci {
	int *first; /* child, of each function; [npci]: the first root */
	int *next;  /* sibling */
};

/* -1: out of memory. */
int show_pci_open(const struct topo_host *host, struct show_pci *tree);
void show_pci_close(struct show_pci *tree);

/* The number of a NUMA node that the host has, else TOPO_UNKNOWN. */
int show_numa(const struct topo_host *host, int numa);
/* Whether a root of the tree, or a GPU or NIC without a PCI function, is there. */
bool show_has_numa(const struct topo_host *host, const struct show_pci *tree, int numa);

/* The links of one GPU to one end together. */
struct show_bundle {
	enum topo_end end;
	int peer;    /* of TOPO_END_GPU */
	int count;   /* 0: not known of all */
	int version; /* 0: unknown or several */
	double rate; /* 0: not known of all */
	const char *source;
};

/* The bundle of this GPU that element i is the first of; false where an earlier element is of the same bundle, or it is not this GPU's. */
bool show_bundle_at(const struct topo_host *host, int gpu, size_t i, struct show_bundle *bundle);
/* A line for each bundle. */
void show_nvlinks_of(const struct topo_host *host, int gpu, int indent, FILE *out);

#endif
