/* SPDX-License-Identifier: Apache-2.0
 *
 * PCI functions that matter and the chain of bridges above them, which is the path that /sys/bus/pci/devices' links lead to.
 */
#include "sysfs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pci.h"
#include "peak.h"

#define PCI "/sys/bus/pci/devices/%s"

static struct topo_pcie link_of(const char *directory, const char *which)
{
	struct topo_pcie link = { 0 };
	char text[64];
	long width;

	sysfs_read(directory, text, sizeof text, "/%s_link_speed", which);
	link.gts = peak_pcie_parse(text);
	width = sysfs_number(directory, 0, "/%s_link_width", which);
	/* 63 and 255 stand where there is no link. */
	if (width >= 1 && width <= 32)
		link.width = (int)width;
	return link;
}

/* What a link could be is what both of its ends can. */
static void set_links(const char *directory, struct topo_pci *pci, int depth)
{
	char above[SYSFS_TEXT + 8];

	if (pci->kind == TOPO_BRIDGE && !pci_faces_up(depth))
		return;
	pci->now = link_of(directory, "current");
	pci->most = link_of(directory, "max");
	if (depth == 0 || pci_faces_up(depth - 1) || pci->most.gts <= 0)
		return;
	snprintf(above, sizeof above, "%s/..", directory);
	pci->most = pci_least(pci->most, link_of(above, "max"));
}

static int add_function(struct topo_host *host, const char *directory, const char *bus, enum topo_kind kind, int depth)
{
	struct topo_pci *pci = topo_add_pci(host);

	if (!pci || topo_set(&pci->bus, bus))
		return -1;
	pci->kind = kind;
	pci->numa = (int)sysfs_number(directory, TOPO_UNKNOWN, "/numa_node");
	if (pci->numa < 0)
		pci->numa = TOPO_UNKNOWN;
	pci->vendor = (int)sysfs_number(directory, 0, "/vendor");
	pci->device = (int)sysfs_number(directory, 0, "/device");
	set_links(directory, pci, depth);
	if (kind == TOPO_BRIDGE)
		pci->acs = sysfs_acs(directory);
	return 0;
}

/* "pci0000:80" as one number. */
static int root_of(const char *part)
{
	char *end;
	unsigned long domain, number;

	if (strncmp(part, "pci", 3) != 0)
		return TOPO_UNKNOWN;
	domain = strtoul(part + 3, &end, 16);
	if (end == part + 3 || *end != ':')
		return TOPO_UNKNOWN;
	number = strtoul(end + 1, &end, 16);
	return *end == '/' && number < 256 && domain < 0x400000 ? (int)(domain << 8 | number) : TOPO_UNKNOWN;
}

enum { MOST_STEPS = 32 };

struct chain {
	int root, count;
	struct {
		char bus[24];
		size_t length; /* of the path up to here */
	} steps[MOST_STEPS];
};

/* The PCI functions in a path, from the host bridge down. */
static void split(const char *path, struct chain *chain)
{
	chain->root = TOPO_UNKNOWN;
	chain->count = 0;
	for (const char *part = path; *part; part += strcspn(part, "/")) {
		char name[24], bus[24];
		size_t length;

		part += strspn(part, "/");
		length = strcspn(part, "/");
		/* A host bridge below a function, as volume management devices have it, begins a tree of its own. */
		if (root_of(part) != TOPO_UNKNOWN) {
			chain->root = root_of(part);
			chain->count = 0;
		}
		if (chain->root == TOPO_UNKNOWN || length >= sizeof name || chain->count == MOST_STEPS)
			continue;
		snprintf(name, sizeof name, "%.*s", (int)length, part);
		if (topo_bus(name, bus))
			continue;
		memcpy(chain->steps[chain->count].bus, bus, sizeof bus);
		chain->steps[chain->count++].length = (size_t)(part - path) + length;
	}
}

static int add_chain(struct topo_host *host, char *path, enum topo_kind kind, int *index)
{
	struct chain chain;
	int parent = TOPO_UNKNOWN;

	split(path, &chain);
	for (int depth = 0; depth < chain.count; depth++) {
		int known = topo_find_pci(host, chain.steps[depth].bus);
		char directory[SYSFS_TEXT];

		if (known == TOPO_UNKNOWN) {
			known = (int)host->npci;
			snprintf(directory, sizeof directory, "%.*s", (int)chain.steps[depth].length, path);
			if (add_function(host, directory, chain.steps[depth].bus, depth + 1 < chain.count ? TOPO_BRIDGE : kind,
					 depth))
				return -1;
			host->pci[known].parent = parent;
			host->pci[known].root = chain.root;
		}
		parent = known;
	}
	*index = parent;
	return 0;
}

int sysfs_pci_add(const char *root, struct topo_host *host, enum topo_kind kind, int *index, const char *format, ...)
{
	char link[SYSFS_TEXT], path[SYSFS_TEXT];
	va_list args;
	int length;

	*index = TOPO_UNKNOWN;
	va_start(args, format);
	length = vsnprintf(link, sizeof link, format, args);
	va_end(args);
	if (length < 0 || (size_t)length >= sizeof link || sysfs_real(root, path, "%s", link))
		return 0;
	return add_chain(host, path, kind, index);
}

/* --- what is there --- */

static int by_bus(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	size_t m = strlen(x), n = strlen(y);

	return m != n ? (m > n) - (m < n) : strcmp(x, y);
}

static int look_at(const char *root, struct topo_host *host, const char *name)
{
	unsigned long class = (unsigned long)sysfs_number(root, 0, PCI "/class", name);
	unsigned kind = (unsigned)(class >> 8) & 0xffff;
	int vendor, device, index;

	/* Most functions are neither display, accelerator, bridge nor network. */
	if (kind >> 8 != 0x03 && kind >> 8 != 0x12 && kind != 0x0680 && kind >> 8 != 0x02)
		return 0;
	vendor = (int)sysfs_number(root, 0, PCI "/vendor", name);
	device = (int)sysfs_number(root, 0, PCI "/device", name);
	if (pci_is_gpu(kind, vendor))
		return sysfs_pci_add(root, host, TOPO_GPU, &index, PCI, name);
	if (pci_is_nvswitch(kind, vendor))
		return sysfs_pci_add(root, host, TOPO_NVSWITCH, &index, PCI, name);
	if ((pci_is_infiniband(kind) || pci_is_efa(vendor, device)) && !sysfs_has(root, PCI "/infiniband", name) &&
	    !sysfs_has(root, PCI "/net", name))
		return topo_note(host, "%s: %s without a driver here, not counted", name,
				 pci_is_efa(vendor, device) ? "an EFA device" : "an InfiniBand device");
	return 0;
}

int sysfs_pci(const char *root, struct topo_host *host)
{
	struct sysfs_names names;
	int failed = sysfs_list(root, &names, "/sys/bus/pci/devices");

	if (!failed && names.count == 0)
		failed = topo_note(host, "sysfs: no PCI devices are shown");
	if (names.count > 1)
		qsort(names.items, names.count, sizeof *names.items, by_bus);
	for (size_t i = 0; i < names.count && !failed; i++)
		failed = look_at(root, host, names.items[i]);
	sysfs_names_clear(&names);
	return failed;
}

/* --- GPUs that no library of their maker told of --- */

static int name_gpu(const char *root, struct topo_gpu *gpu, const char *bus)
{
	char text[SYSFS_TEXT], name[256];

	sysfs_read(root, text, sizeof text, "/proc/driver/nvidia/gpus/%s/information", bus);
	sysfs_field(text, "Model", name, sizeof name);
	if (name[0] == '\0')
		sysfs_read(root, name, sizeof name, PCI "/product_name", bus);
	return topo_set(&gpu->name, name);
}

int sysfs_gpus(const char *root, struct topo_host *host, bool nvidia)
{
	for (size_t i = 0; i < host->npci; i++) {
		struct topo_gpu *gpu;

		if (host->pci[i].kind != TOPO_GPU || (host->pci[i].vendor == PCI_NVIDIA && !nvidia) ||
		    topo_find_gpu(host, (int)i) != TOPO_UNKNOWN)
			continue;
		gpu = topo_add_gpu(host);
		if (!gpu || name_gpu(root, gpu, host->pci[i].bus))
			return -1;
		gpu->number = (int)host->ngpus - 1;
		gpu->pci = (int)i;
	}
	return 0;
}
