/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the graph share: one host that is being drawn.
 */
#ifndef COLLPERF_SHOW_DOT_H
#define COLLPERF_SHOW_DOT_H

#include <stdio.h>

#include "show_parts.h"
#include "topo.h"

enum show_dot_links {
	SHOW_DOT_NONE,
	SHOW_DOT_HUB,    /* every GPU is joined to one node */
	SHOW_DOT_LINES,  /* a line for each pair */
	SHOW_DOT_LABELS, /* so many pairs that each GPU says its own */
};

struct show_dot {
	const struct topo_host *host;
	size_t number; /* part of every node's name: h<number>_gpu3 */
	FILE *out;
	struct show_pci tree;
	enum show_dot_links links;
};

/* A text of anybody inside of quotes. */
void show_dot_quote(FILE *out, const char *text);

/* How the links between GPUs are drawn best. */
enum show_dot_links show_dot_choose(const struct topo_host *host);
/* Behind a GPU's name, inside its label: "NV2 to GPU1,3" in lines of their own. */
void show_dot_label(const struct show_dot *dot, int gpu);
/* The hub or the lines. */
void show_dot_nvlinks(const struct show_dot *dot);

/*
 * A NIC of which only paths are known is drawn beside the first GPU that is near to it: that GPU, else TOPO_UNKNOWN. Lines to all of the GPUs that are as near.
 */
int show_dot_near(const struct topo_host *host, int nic);
void show_dot_near_lines(const struct show_dot *dot, int nic);

#endif
