/* SPDX-License-Identifier: Apache-2.0
 *
 * What of the PCI tree matters, whoever tells it: hwloc or sysfs.
 */
#ifndef COLLPERF_PCI_H
#define COLLPERF_PCI_H

#include <stdbool.h>

#include "topo.h"

enum { PCI_NVIDIA = 0x10de, PCI_AMD = 0x1002, PCI_AMAZON = 0x1d0f, PCI_IBM = 0x1014 };

/* Of 16 bits, as in 0x0302. A display of another vendor is a management controller's. */
bool pci_is_gpu(unsigned class, int vendor);
bool pci_is_nvswitch(unsigned class, int vendor);
bool pci_is_infiniband(unsigned class);
bool pci_is_efa(int vendor, int device);

/* The slower in generation and the narrower in width; what either does not know is the other's. */
struct topo_pcie pci_least(struct topo_pcie a, struct topo_pcie b);

/*
 * Whether a bridge has its link above itself, as an endpoint has: the upstream port of a switch. Ports that face down have it below, towards the next
 * function, which tells it. From the root down they alternate. `depth` 0: right under a host bridge.
 */
bool pci_faces_up(int depth);

/* Host bridges get numbers from 0 in the order of what `root` held before, as long as equal ones shared one. */
int pci_number_roots(struct topo_host *host);

/* GPUs and NICs that do not know their NUMA node and near threads get them from their PCI function and node. -1: out of memory. */
int pci_settle(struct topo_host *host);

#endif
