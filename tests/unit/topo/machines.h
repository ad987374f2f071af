/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines built in code, for tests of what is said about them.
 */
#ifndef COLLPERF_TESTS_MACHINES_H
#define COLLPERF_TESTS_MACHINES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "topo/topo.h"

/* A host of two sockets with a NUMA node each. */
static inline struct topo_host *machine(struct topo *topo, const char *name)
{
	struct topo_host *host = topo_add_host(topo);

	topo_set(&host->name, name);
	for (int i = 0; i < 2; i++) {
		struct topo_numa *numa = topo_add_numa(host);

		numa->os = i;
		numa->package = i;
		topo_set(&numa->cpus, i ? "16-31" : "0-15");
	}
	return host;
}

static inline int add_function(struct topo_host *host, enum topo_kind kind, int parent, int root, int numa, double gts, int width)
{
	struct topo_pci *pci = topo_add_pci(host);
	char bus[24];

	/* The ports that face down below a bridge are on one bus, everything else has its own. */
	if (kind == TOPO_BRIDGE && parent != TOPO_UNKNOWN)
		snprintf(bus, sizeof bus, "0001:%02x:%02x.0", (unsigned)parent, (unsigned)(host->npci - 1) % 32);
	else
		snprintf(bus, sizeof bus, "0000:%02x:00.0", (unsigned)(host->npci - 1));
	topo_set(&pci->bus, bus);
	pci->kind = kind;
	pci->parent = parent;
	pci->root = root;
	pci->numa = numa;
	pci->now = pci->most = (struct topo_pcie){ gts, width };
	return (int)host->npci - 1;
}

static inline struct topo_gpu *add_gpu(struct topo_host *host, const char *name, int parent, int root, int numa, double gts)
{
	int pci = add_function(host, TOPO_GPU, parent, root, numa, gts, gts > 0 ? 16 : 0);
	struct topo_gpu *gpu = topo_add_gpu(host);

	topo_set(&gpu->name, name);
	gpu->number = (int)host->ngpus - 1;
	gpu->pci = pci;
	gpu->numa = numa;
	if (numa != TOPO_UNKNOWN)
		topo_set(&gpu->cpus, numa ? "16-31" : "0-15");
	return gpu;
}

static inline struct topo_nic *add_nic(struct topo_host *host, int parent, int root, int numa, double gts, double gigabits)
{
	int pci = add_function(host, TOPO_NIC, parent, root, numa, gts, gts > 0 ? 16 : 0);
	struct topo_nic *nic = topo_add_nic(host);
	char name[24];

	snprintf(name, sizeof name, "mlx5_%zu", host->nnics - 1);
	topo_set(&nic->name, name);
	nic->fabric = TOPO_INFINIBAND;
	nic->port = 1;
	nic->rate = gigabits * 1e9 / 8;
	nic->state = TOPO_UP;
	nic->pci = pci;
	nic->numa = numa;
	return nic;
}

static inline void add_links(struct topo_host *host, int gpu, enum topo_end end, int peer, int count, int version)
{
	struct topo_nvlink *link = topo_add_nvlink(host);

	link->gpu = gpu;
	link->end = end;
	link->peer = peer;
	link->count = count;
	link->version = version;
	topo_set(&link->source, "NVML");
}

/* Eight GPUs and as many NICs, two of each at a switch of PCIe that is one bridge; NVLinks go to switches. */
static inline struct topo_host *switched(struct topo *topo, const char *name, const char *gpu, double gts, int links, int version)
{
	struct topo_host *host = machine(topo, name);

	for (int i = 0; i < 4; i++) {
		int bridge = add_function(host, TOPO_BRIDGE, TOPO_UNKNOWN, i, i / 2, gts, 16);

		for (int k = 0; k < 2; k++) {
			add_gpu(host, gpu, bridge, i, i / 2, gts);
			add_nic(host, bridge, i, i / 2, gts, 200);
		}
	}
	for (int i = 0; i < 8 && links > 0; i++)
		add_links(host, i, TOPO_END_SWITCH, TOPO_UNKNOWN, links, version);
	return host;
}

/* Four P100 in two pairs, each pair at a socket, as hwloc tells it. */
static inline struct topo_host *pairs_of_p100(struct topo *topo, bool cpu_links)
{
	struct topo_host *host = machine(topo, "minsky");

	for (int i = 0; i < 4; i++)
		add_gpu(host, "Tesla P100-SXM2-16GB", TOPO_UNKNOWN, i, i / 2, 8);
	for (int i = 0; i < 4; i++) {
		struct topo_nvlink *link = topo_add_nvlink(host);

		link->gpu = i;
		link->end = TOPO_END_GPU;
		link->peer = i ^ 1;
		link->rate = 40e9;
		topo_set(&link->source, "hwloc's NVLinkBandwidth");
		if (!cpu_links)
			continue;
		link = topo_add_nvlink(host);
		link->gpu = i;
		link->end = TOPO_END_CPU;
		link->rate = 40e9;
		topo_set(&link->source, "hwloc's NVLinkBandwidth");
	}
	return host;
}

/* The hybrid cube mesh of eight V100: six links each, to four of the others. */
static inline struct topo_host *cube_mesh(struct topo *topo)
{
	static const char mesh[8][9] = { "01122000", "10210200", "12020010", "21200001",
					 "20000112", "02001021", "00101202", "00012120" };
	struct topo_host *host = machine(topo, "dgx-1");

	for (int i = 0; i < 8; i++)
		add_gpu(host, "Tesla V100-SXM2-32GB", TOPO_UNKNOWN, i / 2, i / 4, 8);
	for (int a = 0; a < 8; a++) {
		for (int b = 0; b < 8; b++) {
			if (mesh[a][b] != '0')
				add_links(host, a, TOPO_END_GPU, b, mesh[a][b] - '0', 2);
		}
	}
	return host;
}

#endif
