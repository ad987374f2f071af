/* SPDX-License-Identifier: Apache-2.0
 *
 * The PCI tree as hwloc has it: of links a rate alone, of devices what their operating system names tell.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_hwloc_parts.h"
#include "pci.h"
#include "peak.h"

static const struct hwloc_pcidev_attr_s *attributes(hwloc_obj_t obj)
{
	if (obj->type == HWLOC_OBJ_PCI_DEVICE)
		return &obj->attr->pcidev;
	if (obj->type == HWLOC_OBJ_BRIDGE && obj->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_PCI)
		return &obj->attr->bridge.upstream.pci;
	return NULL;
}

/* The widest link that has this rate: 16 lanes of generation 3 carry what 8 of generation 4 do. */
static struct topo_pcie link_of(double rate)
{
	static const double speeds[] = { 2.5, 5, 8, 16, 32, 64 };

	for (int width = 16; width > 0; width /= 2) {
		for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
			const struct topo_pcie link = { speeds[i], width };

			if (rate > 0 && fabs(peak_pcie(&link) - rate * 1e9) < 0.005 * rate * 1e9)
				return link;
		}
	}
	return (struct topo_pcie){ 0 };
}

static int node_of(hwloc_topology_t topology, hwloc_obj_t obj)
{
	hwloc_obj_t near = hwloc_get_non_io_ancestor_obj(topology, obj);

	return near && near->nodeset && hwloc_bitmap_weight(near->nodeset) == 1 ? hwloc_bitmap_first(near->nodeset)
										: TOPO_UNKNOWN;
}

static int host_bridge(hwloc_obj_t obj)
{
	hwloc_obj_t above = obj;

	while (above && (above->type != HWLOC_OBJ_BRIDGE || above->attr->bridge.upstream_type != HWLOC_OBJ_BRIDGE_HOST))
		above = above->parent;
	return above ? (int)above->logical_index : TOPO_UNKNOWN;
}

static void bus_of(const struct hwloc_pcidev_attr_s *pci, char *bus)
{
	snprintf(bus, 24, "%04x:%02x:%02x.%01x", (unsigned)pci->domain, pci->bus, pci->dev, pci->func);
}

static int add_function(hwloc_topology_t topology, struct topo_host *host, hwloc_obj_t obj, enum topo_kind kind, int parent,
			int depth)
{
	const struct hwloc_pcidev_attr_s *attr = attributes(obj);
	struct topo_pci *pci = topo_add_pci(host);
	char bus[24];

	bus_of(attr, bus);
	if (!pci || topo_set(&pci->bus, bus))
		return -1;
	pci->kind = kind;
	pci->parent = parent;
	pci->root = host_bridge(obj);
	pci->numa = node_of(topology, obj);
	pci->vendor = attr->vendor_id;
	pci->device = attr->device_id;
	if (kind != TOPO_BRIDGE || pci_faces_up(depth))
		pci->now = link_of(attr->linkspeed);
	if (pci->now.gts > 0)
		return topo_note(
			host,
			"hwloc tells the rates of PCIe links alone: generation and width are of the widest link with that rate");
	return 0;
}

/* With the bridges above, from the root down. */
static int add(hwloc_topology_t topology, struct topo_host *host, hwloc_obj_t obj, enum topo_kind kind, int *index)
{
	hwloc_obj_t chain[32];
	int depth = 0, parent = TOPO_UNKNOWN;

	for (hwloc_obj_t above = obj; above && depth < 32 && attributes(above); above = above->parent)
		chain[depth++] = above;
	for (int i = depth - 1; i >= 0; i--) {
		char bus[24];
		int known;

		bus_of(attributes(chain[i]), bus);
		known = topo_find_pci(host, bus);
		if (known == TOPO_UNKNOWN) {
			known = (int)host->npci;
			if (add_function(topology, host, chain[i], i > 0 ? TOPO_BRIDGE : kind, parent, depth - 1 - i))
				return -1;
		}
		parent = known;
	}
	*index = parent;
	return 0;
}

/* --- GPUs --- */

/* "nvml3", then "cuda3"; else as they come. */
static int number_of(hwloc_obj_t obj, int otherwise)
{
	static const char *const kinds[] = { "nvml", "rsmi", "cuda" };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		for (hwloc_obj_t child = obj->io_first_child; child; child = child->next_sibling) {
			size_t length = strlen(kinds[i]);

			if (child->name && strncmp(child->name, kinds[i], length) == 0 && child->name[length] >= '0' &&
			    child->name[length] <= '9')
				return atoi(child->name + length);
		}
	}
	return otherwise;
}

static const char *info_of(hwloc_obj_t obj, const char *key)
{
	const char *value = NULL;

	for (hwloc_obj_t child = obj->io_first_child; child && !value; child = child->next_sibling)
		value = hwloc_obj_get_info_by_name(child, key);
	return value;
}

/* Of "85198045 KiB", "1024KiB"; 0: not known, also what no GPU has. */
static uint64_t memory_of(const char *text)
{
	const size_t digits = strspn(text, "0123456789");

	return digits > 0 && digits <= 12 && strcmp(text + digits + (text[digits] == ' '), "KiB") == 0
		       ? strtoull(text, NULL, 10) << 10
		       : 0;
}

static int add_gpu(hwloc_topology_t topology, struct topo_host *host, hwloc_obj_t obj)
{
	const char *memory = info_of(obj, "CUDAGlobalMemorySize");
	struct topo_gpu *gpu;
	int pci;

	if (add(topology, host, obj, TOPO_GPU, &pci))
		return -1;
	gpu = topo_add_gpu(host);
	if (!gpu || topo_set(&gpu->name, info_of(obj, "GPUModel")))
		return -1;
	gpu->pci = pci;
	gpu->number = number_of(obj, (int)host->ngpus - 1);
	gpu->memory = memory ? memory_of(memory) : 0;
	if (memory && gpu->memory == 0)
		return topo_note(host, "GPU%zu: \"%.40s\" is no memory size that is read: unknown", host->ngpus - 1, memory);
	return 0;
}

/* --- NICs --- */

static hwloc_obj_t os_device(hwloc_obj_t obj, hwloc_obj_osdev_type_t type, int *many)
{
	hwloc_obj_t found = NULL;

	*many = 0;
	for (hwloc_obj_t child = obj->io_first_child; child; child = child->next_sibling) {
		if (child->type == HWLOC_OBJ_OS_DEVICE && child->attr->osdev.type == type) {
			found = found ? found : child;
			(*many)++;
		}
	}
	return found;
}

static int add_port(struct topo_host *host, hwloc_obj_t obj, int pci, enum topo_fabric fabric, const char *netdev, int port)
{
	struct topo_nic *nic = topo_add_nic(host);
	const char *state;
	char key[32];

	if (!nic || topo_set(&nic->name, obj->name) || topo_set(&nic->netdev, netdev))
		return -1;
	snprintf(key, sizeof key, "Port%dState", port);
	state = hwloc_obj_get_info_by_name(obj, key);
	nic->fabric = fabric;
	nic->pci = pci;
	nic->port = state ? port : TOPO_UNKNOWN;
	if (state)
		nic->state = atoi(state) == 4 ? TOPO_UP : TOPO_DOWN;
	return 0;
}

static int add_rdma(struct topo_host *host, hwloc_obj_t obj, int pci, enum topo_fabric fabric, const char *netdev)
{
	char key[32];

	if (add_port(host, obj, pci, fabric, netdev, 1))
		return -1;
	for (int port = 2; port <= 16; port++) {
		snprintf(key, sizeof key, "Port%dState", port);
		if (hwloc_obj_get_info_by_name(obj, key) && add_port(host, obj, pci, fabric, "", port))
			return -1;
	}
	return 0;
}

static int add_nic(hwloc_topology_t topology, struct topo_host *host, hwloc_obj_t obj)
{
	const struct hwloc_pcidev_attr_s *attr = attributes(obj);
	int nets, verbs, pci;
	hwloc_obj_t net = os_device(obj, HWLOC_OBJ_OSDEV_NETWORK, &nets),
		    rdma = os_device(obj, HWLOC_OBJ_OSDEV_OPENFABRICS, &verbs);
	bool efa = pci_is_efa(attr->vendor_id, attr->device_id), infiniband = pci_is_infiniband(attr->class_id);
	char bus[24];

	if (!net && !rdma) {
		bus_of(attr, bus);
		return efa || infiniband ? topo_note(host, "%s: an %s device without a driver there, not counted", bus,
						     efa ? "EFA" : "InfiniBand")
					 : 0;
	}
	if (add(topology, host, obj, TOPO_NIC, &pci))
		return -1;
	if (rdma)
		return add_rdma(host, rdma, pci,
				efa          ? TOPO_EFA
				: infiniband ? TOPO_INFINIBAND
					     : TOPO_ROCE,
				nets == 1 ? net->name : "");
	for (; net; net = net->next_sibling) {
		if (net->type == HWLOC_OBJ_OS_DEVICE && net->attr->osdev.type == HWLOC_OBJ_OSDEV_NETWORK &&
		    add_port(host, net, pci, infiniband ? TOPO_INFINIBAND : TOPO_ETHERNET, net->name, 1))
			return -1;
	}
	return 0;
}

int by_hwloc_pci(hwloc_topology_t topology, struct topo_host *host)
{
	for (hwloc_obj_t obj = NULL; (obj = hwloc_get_next_pcidev(topology, obj));) {
		const struct hwloc_pcidev_attr_s *attr = attributes(obj);
		int index, failed = 0;

		if (pci_is_gpu(attr->class_id, attr->vendor_id))
			failed = add_gpu(topology, host, obj);
		else if (pci_is_nvswitch(attr->class_id, attr->vendor_id))
			failed = add(topology, host, obj, TOPO_NVSWITCH, &index);
		else if (attr->class_id >> 8 == 0x02 || pci_is_infiniband(attr->class_id))
			failed = add_nic(topology, host, obj);
		if (failed)
			return -1;
	}
	return 0;
}
