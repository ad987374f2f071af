/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of /sys share: a bridge with a place below it. To be included by one test.
 */
#ifndef COLLPERF_SYSFS_TREE_H
#define COLLPERF_SYSFS_TREE_H

#include "fake_tree.h"

#include "topo/sysfs.h"

#define PORT "pci0000:17/0000:17:00.0"
#define UP PORT "/0000:18:00.0"
#define DOWN UP "/0000:19:04.0"
#define GEN4 "16.0 GT/s PCIe"
#define GEN5 "32.0 GT/s PCIe"

static const struct function port = { "0x060400", "0x8086", "0x352a", GEN5, "16", GEN5, "16", "0" };

static inline struct topo_host *new_host(struct tree *tree)
{
	topo_clear(&tree->topo);
	return topo_add_host(&tree->topo);
}

#endif
