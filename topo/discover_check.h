/* SPDX-License-Identifier: Apache-2.0
 *
 * A host as two sources see it.
 */
#ifndef COLLPERF_DISCOVER_CHECK_H
#define COLLPERF_DISCOVER_CHECK_H

#include "topo.h"

/* Where `other` says something else of PCI functions and NVLinks, a note in host, which stays as it is; what host does not know it takes. -1: out of memory. */
int discover_check(struct topo_host *host, const struct topo_host *other);
/* CPU, packages, cores, threads, caches, memory, NUMA nodes and notes move to host. -1: out of memory. */
int discover_take(struct topo_host *host, struct topo_host *other);

#endif
