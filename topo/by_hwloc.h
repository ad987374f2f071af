/* SPDX-License-Identifier: Apache-2.0
 *
 * A host through the hwloc library: cores, caches, NUMA nodes, the PCI tree with GPUs, NICs and NVSwitches, and the NVLinks where hwloc knows them.
 * Where collperf was built without the library both functions fail, and the reason says so.
 */
#ifndef COLLPERF_BY_HWLOC_H
#define COLLPERF_BY_HWLOC_H

#include <stdbool.h>
#include <stddef.h>

#include "topo.h"

/* "hwloc 2.9.0"; "" where it is not built in. */
const char *by_hwloc_name(void);

/*
 * Into a host that is empty but for its name. -1 with one line in `error`: then the host may be half filled. `devices`: PCI and what is on it, too; takes
 * milliseconds for each function in virtual machines.
 */
int by_hwloc_live(struct topo_host *host, bool devices, char *error, size_t error_size);
/* From the text of an XML export; `text` need not end with a NUL. Host's name and `from` are set by the text's own (HostName, hwlocVersion) where it has them. */
int by_hwloc_xml(const char *text, size_t size, struct topo_host *host, char *error, size_t error_size);

#endif
