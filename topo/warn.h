/* SPDX-License-Identifier: Apache-2.0
 *
 * What in a topology costs time: each warning names host, device, what is and what should be.
 */
#ifndef COLLPERF_WARN_H
#define COLLPERF_WARN_H

#include "topo.h"

enum warn_kind {
	WARN_PCIE_GENERATION, /* below its maximum; says that an idle link may sleep at 2.5 GT/s */
	WARN_PCIE_WIDTH,
	WARN_NIC_DOWN,
	WARN_NIC_SLOWER, /* than its twins: NICs of the same fabric and PCI device id, or of the same class name */
	WARN_FAR_NIC,    /* a GPU whose nearest NIC is on another socket */
	WARN_ACS,
	WARN_IOMMU,
	WARN_FEW_NVLINKS, /* fewer than the product has, or than the other GPUs of the host */
	WARN_FAR_CORES,   /* a rank bound to hardware threads of which none is near its GPU; without GPU: never */
	WARN_UNLIKE,      /* a host that differs from the others: fewer GPUs, NICs, NVLinks */
	WARN_KINDS
};

struct warning {
	enum warn_kind kind;
	size_t host;
	char text[320];  /* of several devices with the same trouble it names the first: "n0: GPU0 (...) and 7 more: ..." */
	int devices;     /* 0: it is of none */
	int device_kind; /* enum topo_kind of all of them */
	size_t named;    /* where in `text` the first one's name ends */
	size_t what;     /* and where that begins which is true of all */
};

struct warnings {
	struct warning *items; /* owned */
	size_t count;
};

/* -1: out of memory. */
int warn_topo(const struct topo *topo, struct warnings *warnings);
void warn_clear(struct warnings *warnings);

#endif
