/* SPDX-License-Identifier: Apache-2.0
 *
 * What links carry at best, one way, bytes per second, from what they are; constants with their sources. Theory: PCI Express base specifications
 * (8b/10b, 128b/130b, 242 of 256 bytes of a flit), NVIDIA's data sheets (halved: they count both ways), IBTA lane rates, IEEE 802.3.
 */
#ifndef COLLPERF_PEAK_H
#define COLLPERF_PEAK_H

#include <stddef.h>

#include "topo.h"

/* "4.0" for 16 GT/s; "" when unknown. */
const char *peak_pcie_generation(double gts);
/* 0 when gts is no known generation or width is 0. "16.0 GT/s PCIe" is read by peak_pcie_parse. */
double peak_pcie(const struct topo_pcie *link);
/* "16 GT/s", "16.0 GT/s PCIe", "8.0 GT/s": GT/s; 0 where it is "" or not understood ("Unknown speed"). */
double peak_pcie_parse(const char *text);

/* The NVLinks of a product. */
struct peak_gpu {
	const char *name; /* words that its name must hold, separated by blanks: "H100 SXM" */
	int version;      /* of NVLink */
	int links;        /* 0: none, PCIe only */
	double rate;      /* of one link */
	double reachable; /* what collectives reach of all of them at best, 0: not known */
	bool optional;    /* on bridges or boards that may be absent: none is no fault */
	const char *source;
};
/* By the name that drivers print ("NVIDIA A100-SXM4-40GB"), by PCI device id where the name is "" and vendor is NVIDIA; NULL: not known. */
const struct peak_gpu *peak_gpu_find(const char *name, int device);
/* Of one NVLink by version; 0: unknown. */
double peak_nvlink(int version);

/*
 * "200 Gb/sec (4X HDR)" (sysfs): rate of data in bytes per second; 0 when not understood. A speed without a name that is known counts as it is said.
 * `*name` (NULL: not wanted) is "HDR" or "". RDMA over Ethernet shows the same words, but its numbers are data: peak_ethernet.
 */
double peak_infiniband(const char *text, const char **name);
/* From Mb/s as /sys/class/net/.../speed says; 0 where it is not positive. */
double peak_ethernet(double megabits);

#endif
