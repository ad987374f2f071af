/* SPDX-License-Identifier: Apache-2.0
 *
 * This host as it is: hwloc for cores, caches and where PCI functions are near, sysfs for the PCI tree, link speeds, RDMA devices and network interfaces,
 * NVML (dlopen) for GPUs and NVLinks. Every source is optional: what could not be asked is a note. Starts no process, changes nothing.
 */
#ifndef COLLPERF_DISCOVER_H
#define COLLPERF_DISCOVER_H

#include "topo.h"

struct discover_setup {
	const char *
		root; /* in front of /sys and /proc; "" or NULL: the machine's own. hwloc cannot look under a root and is left out there */
	bool no_hwloc, no_nvml; /* for tests, and where a library misbehaves */
	const char *nvml;       /* the library's name or path; NULL: libnvidia-ml.so.1, and none under a root */
};

/* Adds one host. -1 after one line on stderr: out of memory; the host may be half filled then. `setup` NULL: the machine as it is. */
int discover_host(struct topo *topo, const struct discover_setup *setup);

/* The hardware threads that this process may run on, as a list; "" when unknown. To be freed; NULL: out of memory. */
char *discover_own_cpus(void);

#endif
