/* SPDX-License-Identifier: Apache-2.0
 *
 * What Linux tells of a machine in /sys and /proc, under an optional root in front ("": the machine's own). Files that are missing or odd tell nothing.
 */
#ifndef COLLPERF_SYSFS_H
#define COLLPERF_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

#include "topo.h"

enum { SYSFS_TEXT = 4096, SYSFS_MOST_CPUS = 8192 };

/* Paths are made printf-like and begin with a slash, behind the root. */

/* A file's text, cut at size - 1, without blanks at its end. -1: it cannot be read; text is "" then. */
int sysfs_read(const char *root, char *text, size_t size, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* A number, decimal or behind 0x. */
long sysfs_number(const char *root, long otherwise, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool sysfs_has(const char *root, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Where a link leads, all links resolved. -1: nowhere; path is "" then. `path` of SYSFS_TEXT bytes. */
int sysfs_real(const char *root, char *path, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* What stands behind "key", blanks and a colon in a line of its own that begins with it, up to the end of line, in a text of many lines; "" where no line does. */
void sysfs_field(const char *text, const char *key, char *value, size_t size);

struct sysfs_names {
	char **items; /* owned */
	size_t count;
};
/* The names in a directory, but for those with a dot in front, numbers in them by value. -1: out of memory; where there is none: no names. */
int sysfs_list(const char *root, struct sysfs_names *names, const char *format, ...) __attribute__((format(printf, 3, 4)));
void sysfs_names_clear(struct sysfs_names *names);

/* A set of hardware threads. */
struct sysfs_cpus {
	unsigned char has[SYSFS_MOST_CPUS];
	int count;
};
void sysfs_cpus(const char *list, struct sysfs_cpus *cpus);

/* Each adds to the host what it finds. -1: out of memory. */

/* CPU model, packages, cores, threads, caches, memory, NUMA nodes. */
int sysfs_machine(const char *root, struct topo_host *host);
/* GPUs and NVSwitches on PCI and the bridges above them. */
int sysfs_pci(const char *root, struct topo_host *host);
/* The PCI function that this path is, or is below of, and the bridges above it; *index: TOPO_UNKNOWN where it is none. */
int sysfs_pci_add(const char *root, struct topo_host *host, enum topo_kind kind, int *index, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* RDMA devices by their ports, then network interfaces that have a device and are no RDMA device's. */
int sysfs_nics(const char *root, struct topo_host *host);
/* Interfaces that sysfs_nics has not met as RDMA devices; it calls this. */
int sysfs_interfaces(const char *root, struct topo_host *host);
/* Those PCI GPUs that have no entry yet; NVIDIA's only where `nvidia`. */
int sysfs_gpus(const char *root, struct topo_host *host, bool nvidia);
/* Whether the IOMMU translates what the host's PCI functions do. */
void sysfs_iommu(const char *root, struct topo_host *host);
/* Whether a bridge redirects peer-to-peer traffic, by its access control services. `directory`: of the function, without root in front. */
enum topo_yes sysfs_acs(const char *directory);

#endif
