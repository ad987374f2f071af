/* SPDX-License-Identifier: Apache-2.0
 *
 * What a path is made of: the way through the PCI tree, and NVLinks.
 */
#ifndef COLLPERF_PATH_PARTS_H
#define COLLPERF_PATH_PARTS_H

#include "path.h"

struct path_tree {
	enum topo_class class; /* never TOPO_NV; TOPO_CLASS_UNKNOWN where the place of an end is not given */
	struct topo_pcie slowest;
	double rate;   /* of the slowest hop; 0: an end's own link is not known */
	bool sleeping; /* that hop is at 2.5 GT/s now, and could be at what `slowest` says */
};

/* Between two devices that are not the same. */
void path_in_tree(const struct topo_host *host, int a, int b, struct path_tree *tree);

/* The pci of an end and its NUMA node, TOPO_UNKNOWN. */
int path_pci(const struct topo_host *host, int end);
int path_numa(const struct topo_host *host, int end);

struct path_nvlinks {
	bool any;
	bool switches; /* through NVSwitches */
	int count;     /* 0: unknown */
	int version;   /* 0: unknown */
	double rate;   /* 0: unknown */
	const char *source;
};

/* What of a GPU's links goes to `end` (for GPUs: to the GPU `peer`). */
void path_nvlinks_of(const struct topo_host *host, int gpu, enum topo_end end, int peer, struct path_nvlinks *sum);
/* Between two GPUs: direct links, else through switches. */
void path_nvlinks_between(const struct topo_host *host, int a, int b, struct path_nvlinks *found);
/* Of one link of a GPU by its product, else by version; 0: unknown. */
double path_nvlink_rate(const struct topo_host *host, int gpu, int version);
/* Whether its vendor is AMD, and what its links are called: "NVLink", "xGMI". */
bool path_is_amd(const struct topo_host *host, int gpu);
const char *path_link_kind(const struct topo_host *host, int gpu);
/* A note for each pair of GPUs whose ends tell different numbers of links. -1: out of memory. */
int path_note_uneven(struct topo_host *host);
/* The product by its name, else by its PCI id; NULL. */
const struct peak_gpu *path_product(const struct topo_host *host, int gpu);

#endif
