/* SPDX-License-Identifier: Apache-2.0
 *
 * How topologies come to be and what is asked of them; included by topo.h.
 */
#ifndef COLLPERF_TOPO_MAKE_H
#define COLLPERF_TOPO_MAKE_H

#include "topo.h"

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
	TOPO_MOST_GIVEN = 65536,
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
/* The index of the GPU that is this pci; TOPO_UNKNOWN. */
int topo_find_gpu(const struct topo_host *host, int pci);
/* "00000000:0F:00.0" to "0000:0f:00.0" (longer domains stay); -1 where it is no bus id. `bus` of at least 24 bytes. */
int topo_bus(const char *text, char *bus);

/* The host that describes this one: itself, or the one that it is like. */
const struct topo_host *topo_host_of(const struct topo *topo, size_t i);

/* Whether two hosts differ in name, ranks and notes alone, and in memory by less than a 64th. */
bool topo_hosts_alike(const struct topo_host *a, const struct topo_host *b);

/* Moves all hosts of `more` behind those of `topo`; those that are like an earlier one keep name and ranks alone. `more` is empty after. -1: out of memory. */
int topo_merge(struct topo *topo, struct topo *more);

/* Whether lists of hardware threads ("0-3,8") have one in common; false where either is "". */
bool topo_cpus_overlap(const char *a, const char *b);

#endif
