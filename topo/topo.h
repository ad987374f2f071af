/* SPDX-License-Identifier: Apache-2.0
 *
 * What machines are made of: one struct for every source (hwloc, sysfs, NVML, NCCL's XML, nvidia-smi's text). Nothing is invented: what a source does
 * not say is unknown here, and a note says so. Rates: bytes per second, one way. Indices count from 0 within their host.
 */
#ifndef COLLPERF_TOPO_H
#define COLLPERF_TOPO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOPO_UNKNOWN = -1 };

enum topo_kind { TOPO_BRIDGE, TOPO_GPU, TOPO_NIC, TOPO_NVSWITCH };
enum topo_fabric { TOPO_FABRIC_UNKNOWN, TOPO_INFINIBAND, TOPO_ROCE, TOPO_ETHERNET, TOPO_EFA };
enum topo_state { TOPO_STATE_UNKNOWN, TOPO_UP, TOPO_DOWN };
enum topo_yes { TOPO_MAYBE, TOPO_YES, TOPO_NO };

/* As nvidia-smi names them, nearest first. */
enum topo_class { TOPO_CLASS_UNKNOWN, TOPO_X, TOPO_NV, TOPO_PIX, TOPO_PXB, TOPO_PHB, TOPO_NODE, TOPO_SYS, TOPO_CLASSES };
extern const char *const topo_class_names[TOPO_CLASSES]; /* "?", "X", "NV", "PIX", "PXB", "PHB", "NODE", "SYS" */

/*
 * Texts are owned and never NULL ("" where unknown), of at most TOPO_LONGEST_TEXT bytes (lists of hardware threads: TOPO_LONGEST_LIST), without control
 * characters; arrays are owned.
 */
struct topo_numa {
	int os;          /* the system's number */
	int package;     /* socket, TOPO_UNKNOWN */
	char *cpus;      /* hardware threads as a list: "0-23,96-119" */
	uint64_t memory; /* bytes; 0: unknown */
};

struct topo_pcie {
	double gts; /* GT/s of a lane: 2.5, 5, 8, 16, 32, 64; 0: unknown */
	int width;  /* lanes; 0: unknown */
};

/* A PCI function that matters; parents come before their children. */
struct topo_pci {
	char *bus; /* "0000:0f:00.0", lower case */
	enum topo_kind kind;
	int parent;            /* the bridge above, TOPO_UNKNOWN: right under a host bridge */
	int root;              /* which host bridge: equal numbers share one; TOPO_UNKNOWN */
	int numa;              /* a node by the system's number (os); TOPO_UNKNOWN */
	int vendor, device;    /* PCI ids; 0: unknown */
	struct topo_pcie now;  /* the link towards the parent: now, or as the source says */
	struct topo_pcie most; /* what both of its ends could do */
	enum topo_yes acs;     /* a bridge that sends peer-to-peer traffic up to the root */
};

struct topo_gpu {
	char *name; /* "NVIDIA H100 80GB HBM3" */
	int number; /* as the source counts: NVML's index, "GPU0", dev */
	int pci;    /* TOPO_UNKNOWN */
	int numa;   /* the system's number; TOPO_UNKNOWN */
	char *cpus; /* near hardware threads */
	uint64_t memory;
	int sm; /* compute capability: 90; 0: unknown */
};

struct topo_nic {
	char *name;   /* "mlx5_0", "eth0" */
	char *netdev; /* "ib0", "eth0" where it is known beside the name */
	enum topo_fabric fabric;
	int port;
	double rate; /* 0: unknown */
	enum topo_state state;
	int pci, numa; /* numa: the system's number; TOPO_UNKNOWN */
	char *cpus;
};

/* Where the links of a GPU go. */
enum topo_end { TOPO_END_UNKNOWN, TOPO_END_GPU, TOPO_END_SWITCH, TOPO_END_CPU };

struct topo_nvlink {
	int gpu;
	enum topo_end end;
	int peer;     /* the GPU of TOPO_END_GPU, the pci of TOPO_END_SWITCH where known; else TOPO_UNKNOWN */
	int count;    /* links; 0: unknown (only the rate of all is known) */
	int version;  /* 1 .. 5; 0: unknown */
	double rate;  /* of all `count` together; 0: unknown */
	char *source; /* what says the rate: "NVML", "hwloc's NVLinkBandwidth", "table: A100, 12 x 25 GB/s" */
};

/* A class that a source states itself, without saying how it comes about (nvidia-smi). Ends: GPUs 0 .. ngpus - 1, then NICs. */
struct topo_given {
	int a, b;
	enum topo_class class;
	int links; /* of TOPO_NV */
};

/* A rank of a job that runs there. */
struct topo_rank {
	int rank;
	char *cpus; /* that it may run on */
	int gpu;    /* TOPO_UNKNOWN */
};

struct topo_cache {
	int level;
	uint64_t bytes; /* of each */
	int count;
};

struct topo_host {
	char *name;
	char *from;                   /* sources: "hwloc 2.9.0, sysfs, NVML", "ndv4-topo.xml" */
	char *cpu;                    /* model */
	int packages, cores, threads; /* 0: unknown */
	uint64_t memory;
	enum topo_yes iommu; /* translates, so that peer-to-peer goes through the root */
	struct topo_cache *caches;
	size_t ncaches;
	struct topo_numa *numa;
	size_t nnuma;
	struct topo_pci *pci;
	size_t npci;
	struct topo_gpu *gpus;
	size_t ngpus;
	struct topo_nic *nics;
	size_t nnics;
	struct topo_nvlink *nvlinks;
	size_t nnvlinks;
	struct topo_given *given;
	size_t ngiven;
	struct topo_rank *ranks;
	size_t nranks;
	char **notes; /* what is missing or odd in the source, a line each */
	size_t nnotes;
	int alike; /* an earlier host of the topo that differs in name and ranks alone, TOPO_UNKNOWN; then only name and ranks are filled */
};

struct topo {
	struct topo_host *hosts;
	size_t nhosts;
};

#include "topo_make.h"

#endif
