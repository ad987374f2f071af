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
	int numa;              /* TOPO_UNKNOWN */
	int vendor, device;    /* PCI ids; 0: unknown */
	struct topo_pcie now;  /* the link towards the parent: now, or as the source says */
	struct topo_pcie most; /* what it could be */
	enum topo_yes acs;     /* a bridge that sends peer-to-peer traffic up to the root */
};

struct topo_gpu {
	char *name; /* "NVIDIA H100 80GB HBM3" */
	int number; /* as the source counts: NVML's index, "GPU0", dev */
	int pci;    /* TOPO_UNKNOWN */
	int numa;   /* TOPO_UNKNOWN */
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
	int pci, numa; /* TOPO_UNKNOWN */
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

enum {
	TOPO_MOST_GPUS = 256,
	TOPO_MOST_NICS = 1024,
	TOPO_MOST_PCI = 16384,
	TOPO_MOST_NVLINKS = 65536,
	TOPO_MOST_NUMA = 1024,
	TOPO_MOST_NOTES = 256,
	TOPO_MOST_HOSTS = 65536,
	TOPO_MOST_RANKS = 65536, /* of a host */
	TOPO_MOST_CACHES = 64,
	TOPO_MOST_GIVEN = 1 << 20,
	TOPO_MOST_BYTES = 64 << 20, /* of a file that is read */
	TOPO_LONGEST_TEXT = 255,
	TOPO_LONGEST_LIST = 4095, /* of hardware threads */
};

void topo_clear(struct topo *topo);
/* What a host holds; all is empty after, texts are NULL. */
void topo_clear_host(struct topo_host *host);

/*
 * A new element at the end, cleared (texts "", numbers unknown), or NULL: out of memory or over the limit. Pointers to earlier elements of the same
 * array die.
 */
struct topo_host *topo_add_host(struct topo *topo);
struct topo_numa *topo_add_numa(struct topo_host *host);
struct topo_pci *topo_add_pci(struct topo_host *host);
struct topo_gpu *topo_add_gpu(struct topo_host *host);
struct topo_nic *topo_add_nic(struct topo_host *host);
struct topo_nvlink *topo_add_nvlink(struct topo_host *host);
struct topo_given *topo_add_given(struct topo_host *host);
struct topo_rank *topo_add_rank(struct topo_host *host);
struct topo_cache *topo_add_cache(struct topo_host *host);

/*
 * Replaces a text (*text: NULL or owned): control characters and bytes that are not UTF-8 become '?', it is cut at 255 bytes; what is made of digits,
 * commas and dashes alone at 4095, before a comma. NULL is "". -1: out of memory, the old one stays.
 */
int topo_set(char **text, const char *value);
/* One line; the same line is not noted twice. Beyond TOPO_MOST_NOTES: left out. -1: out of memory. */
int topo_note(struct topo_host *host, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The index of a pci, by its bus id in any spelling ("0F:00.0", "00000000:0f:00.0"); TOPO_UNKNOWN. */
int topo_find_pci(const struct topo_host *host, const char *bus);
/* "00000000:0F:00.0" to "0000:0f:00.0" (longer domains stay); -1 where it is no bus id. `bus` of at least 24 bytes. */
int topo_bus(const char *text, char *bus);

/* The host that describes this one: itself, or the one that it is like. */
const struct topo_host *topo_host_of(const struct topo *topo, size_t i);

/* Whether two hosts differ in name, ranks and notes alone, and in memory by less than a 64th. */
bool topo_hosts_alike(const struct topo_host *a, const struct topo_host *b);

/* Moves all hosts of `more` behind those of `topo`; those that are like an earlier one keep name and ranks alone. `more` is empty after. -1: out of memory. */
int topo_merge(struct topo *topo, struct topo *more);

/* Lists of hardware threads: "0-3,8". Whether a is inside b; false where either is "". */
bool topo_cpus_within(const char *a, const char *b);
/* Whether they have a thread in common; false where either is "". */
bool topo_cpus_overlap(const char *a, const char *b);

#endif
