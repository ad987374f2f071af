/* SPDX-License-Identifier: Apache-2.0
 *
 * Within the reader of NCCL's topologies: what its steps share.
 */
#ifndef COLLPERF_READ_NCCL_H
#define COLLPERF_READ_NCCL_H

#include "read_xml.h"

enum { READ_NCCL_LEFT_OUT = -2 };

struct read_nccl {
	struct read_xml xml;
	const struct read_error *error;
	struct topo_host *host;
	int cpus;  /* that are not left out */
	int *made; /* of each element: what it became, the index of a pci or GPU; TOPO_UNKNOWN; READ_NCCL_LEFT_OUT */
};

/* Each step returns -1 with an error. */
int read_nccl_pcis(struct read_nccl *nccl);
int read_nccl_gpus(struct read_nccl *nccl);
int read_nccl_nics(struct read_nccl *nccl);
int read_nccl_links(struct read_nccl *nccl);

/* Whether element is called `name` and is not left out. */
bool read_nccl_is(const struct read_nccl *nccl, int element, const char *name);
/* The nearest element around this one that is called so; READ_XML_NONE. */
int read_nccl_within(const struct read_nccl *nccl, int element, const char *name);
/* Whether one of the elements right inside is called so. */
bool read_nccl_has(const struct read_nccl *nccl, int element, const char *name);
/* The NUMA node of what stands there, by the <cpu> around it; TOPO_UNKNOWN. */
int read_nccl_numa(const struct read_nccl *nccl, int element);
/* The near threads of what stands there, to *cpus. */
int read_nccl_cpus(const struct read_nccl *nccl, int element, char **cpus);
/* A number such as class="0x030200", of at most six digits; 0 where it is missing or none. */
int read_nccl_hex(const struct read_nccl *nccl, int element, const char *name);
/* A whole number; `missing` where it is not there or not in [0, most]. */
int read_nccl_int(const struct read_nccl *nccl, int element, const char *name, int most, int missing);
int read_nccl_no_memory(const struct read_nccl *nccl);

#endif
