/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces of by_hwloc.c that read a loaded topology into a host. -1: out of memory.
 */
#ifndef COLLPERF_BY_HWLOC_PARTS_H
#define COLLPERF_BY_HWLOC_PARTS_H

#include <hwloc.h>

#include "topo.h"

/* Bridges, GPUs, NVSwitches and NICs. */
int by_hwloc_pci(hwloc_topology_t topology, struct topo_host *host);
/* The matrix of NVLink rates. `version`: of the hwloc that wrote it. */
int by_hwloc_links(hwloc_topology_t topology, const char *version, struct topo_host *host);

#endif
