/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines for the tests of topologies in reports: hosts of 8 A100 behind NVSwitches, each with an InfiniBand NIC at its PCIe switch.
 */
#ifndef COLLPERF_TEST_WIRING_HOSTS_H
#define COLLPERF_TEST_WIRING_HOSTS_H

#include <stdio.h>

#include "topo/topo.h"

enum { HOST_GPUS = 8, HOST_SWITCHES = 6 };

static inline int hosts_add_pci(struct topo_host *host, enum topo_kind kind, int parent, int root, const char *bus)
{
	struct topo_pci *pci = topo_add_pci(host);

	if (!pci || topo_set(&pci->bus, bus))
		return -1;
	pci->kind = kind;
	pci->parent = parent;
	pci->root = root;
	pci->numa = root;
	pci->vendor = kind == TOPO_NIC ? 0x15b3 : 0x10de;
	pci->device = kind == TOPO_NIC ? 0x101b : kind == TOPO_NVSWITCH ? 0x1af1 : 0x20b0;
	pci->now = pci->most = (struct topo_pcie){ 16, 16 };
	pci->acs = TOPO_NO;
	return (int)host->npci - 1;
}

/* GPU i and NIC i under a PCIe switch of their own, two of those at a host bridge. */
static inline int hosts_add_pair(struct topo_host *host, int i)
{
	char bus[24], name[16];
	struct topo_gpu *gpu;
	struct topo_nic *nic;
	int bridge, function;

	snprintf(bus, sizeof bus, "0000:%02x:00.0", 0x10 * (i + 1));
	bridge = hosts_add_pci(host, TOPO_BRIDGE, TOPO_UNKNOWN, i / 2, bus);
	snprintf(bus, sizeof bus, "0000:%02x:00.0", 0x10 * (i + 1) + 1);
	function = hosts_add_pci(host, TOPO_GPU, bridge, i / 2, bus);
	gpu = topo_add_gpu(host);
	if (!gpu || topo_set(&gpu->name, "NVIDIA A100-SXM4-40GB"))
		return -1;
	gpu->number = i;
	gpu->pci = function;
	gpu->numa = i / 2;
	gpu->memory = 40ull << 30;
	gpu->sm = 80;
	snprintf(bus, sizeof bus, "0000:%02x:00.0", 0x10 * (i + 1) + 2);
	function = hosts_add_pci(host, TOPO_NIC, bridge, i / 2, bus);
	nic = topo_add_nic(host);
	snprintf(name, sizeof name, "mlx5_%d", i);
	if (!nic || topo_set(&nic->name, name))
		return -1;
	nic->fabric = TOPO_INFINIBAND;
	nic->port = 1;
	nic->rate = 25e9;
	nic->state = TOPO_UP;
	nic->pci = function;
	nic->numa = i / 2;
	return 0;
}

static inline int hosts_add_nvlinks(struct topo_host *host)
{
	for (int s = 0; s < HOST_SWITCHES; s++) {
		char bus[24];

		snprintf(bus, sizeof bus, "0000:%02x:00.0", 0xc0 + s);
		if (hosts_add_pci(host, TOPO_NVSWITCH, TOPO_UNKNOWN, 3, bus) < 0)
			return -1;
	}
	for (int g = 0; g < HOST_GPUS; g++) {
		struct topo_nvlink *link = topo_add_nvlink(host);

		if (!link || topo_set(&link->source, "NVML"))
			return -1;
		link->gpu = g;
		link->end = TOPO_END_SWITCH;
		link->count = 12;
		link->version = 3;
		link->rate = 300e9;
	}
	return 0;
}

/* 8 ranks, each on its GPU and the cores of its NUMA node. */
static inline int hosts_add_ranks(struct topo_host *host, int first, int count)
{
	for (int i = 0; i < count; i++) {
		struct topo_rank *rank = topo_add_rank(host);
		char cpus[32];

		snprintf(cpus, sizeof cpus, "%d-%d", 16 * i, 16 * i + 15);
		if (!rank || topo_set(&rank->cpus, cpus))
			return -1;
		rank->rank = first + i;
		rank->gpu = i;
	}
	return 0;
}

/* -1: out of memory. */
static inline int hosts_add(struct topo *topo, const char *name)
{
	struct topo_host *host = topo_add_host(topo);

	if (!host || topo_set(&host->name, name) || topo_set(&host->from, "hwloc, sysfs, NVML") ||
	    topo_set(&host->cpu, "AMD EPYC 7742 64-Core Processor"))
		return -1;
	host->packages = 2;
	host->cores = host->threads = 128;
	host->iommu = TOPO_NO;
	for (int n = 0; n < 4; n++) {
		struct topo_numa *numa = topo_add_numa(host);
		char cpus[32];

		snprintf(cpus, sizeof cpus, "%d-%d", 32 * n, 32 * n + 31);
		if (!numa || topo_set(&numa->cpus, cpus))
			return -1;
		numa->os = n;
		numa->package = n / 2;
	}
	for (int i = 0; i < HOST_GPUS; i++)
		if (hosts_add_pair(host, i))
			return -1;
	for (int i = 0; i < HOST_GPUS; i++) {
		char cpus[32];

		snprintf(cpus, sizeof cpus, "%d-%d", 32 * (i / 2), 32 * (i / 2) + 31);
		if (topo_set(&host->gpus[i].cpus, cpus) || topo_set(&host->nics[i].cpus, cpus))
			return -1;
	}
	return hosts_add_nvlinks(host);
}

#endif
