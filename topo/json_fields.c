/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of what a topology is in JSON.
 */
#include "json_fields.h"

#include <limits.h>

static const char *const yes_words[] = { NULL, "yes", "no", NULL };
static const char *const kind_words[] = { "bridge", "gpu", "nic", "nvswitch", NULL };
static const char *const fabric_words[] = { NULL, "infiniband", "roce", "ethernet", "efa", NULL };
static const char *const state_words[] = { NULL, "up", "down", NULL };
static const char *const end_words[] = { NULL, "gpu", "switch", "cpu", NULL };
static const char *const class_words[] = { NULL, "X", "NV", "PIX", "PXB", "PHB", "NODE", "SYS", NULL };

const struct topo_field topo_host_fields[] = {
	{ "name", offsetof(struct topo_host, name), TOPO_FIELD_TEXT, 0, TOPO_LIMIT_ANY, NULL },
	{ "from", offsetof(struct topo_host, from), TOPO_FIELD_TEXT, 0, TOPO_LIMIT_ANY, NULL },
	{ "cpu", offsetof(struct topo_host, cpu), TOPO_FIELD_TEXT, 0, TOPO_LIMIT_ANY, NULL },
	{ "packages", offsetof(struct topo_host, packages), TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
	{ "cores", offsetof(struct topo_host, cores), TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
	{ "threads", offsetof(struct topo_host, threads), TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
	{ "memory", offsetof(struct topo_host, memory), TOPO_FIELD_BYTES, 0, TOPO_LIMIT_ANY, NULL },
	{ "iommu", offsetof(struct topo_host, iommu), TOPO_FIELD_WORD, 0, TOPO_LIMIT_ANY, yes_words },
	{ NULL, 0, TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
};

const struct topo_field topo_link_fields[] = {
	{ "gts", offsetof(struct topo_pcie, gts), TOPO_FIELD_REAL, 0, TOPO_LIMIT_ANY, NULL },
	{ "width", offsetof(struct topo_pcie, width), TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
	{ NULL, 0, TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
};

static const struct topo_field cache_fields[] = {
	{ "level", offsetof(struct topo_cache, level), TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
	{ "bytes", offsetof(struct topo_cache, bytes), TOPO_FIELD_BYTES, 0, TOPO_LIMIT_ANY, NULL },
	{ "count", offsetof(struct topo_cache, count), TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
	{ NULL, 0, TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
};

static const struct topo_field numa_fields[] = {
	{ "os", offsetof(struct topo_numa, os), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_ANY, NULL },
	{ "package", offsetof(struct topo_numa, package), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_ANY, NULL },
	{ "cpus", offsetof(struct topo_numa, cpus), TOPO_FIELD_TEXT, 0, TOPO_LIMIT_ANY, NULL },
	{ "memory", offsetof(struct topo_numa, memory), TOPO_FIELD_BYTES, 0, TOPO_LIMIT_ANY, NULL },
	{ NULL, 0, TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
};

static const struct topo_field pci_fields[] = {
	{ "bus", offsetof(struct topo_pci, bus), TOPO_FIELD_TEXT, 0, TOPO_LIMIT_ANY, NULL },
	{ "kind", offsetof(struct topo_pci, kind), TOPO_FIELD_WORD, 0, TOPO_LIMIT_ANY, kind_words },
	{ "parent", offsetof(struct topo_pci, parent), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_EARLIER, NULL },
	{ "root", offsetof(struct topo_pci, root), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_ANY, NULL },
	{ "numa", offsetof(struct topo_pci, numa), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_ANY, NULL },
	{ "vendor", offsetof(struct topo_pci, vendor), TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
	{ "device", offsetof(struct topo_pci, device), TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
	{ "now", offsetof(struct topo_pci, now), TOPO_FIELD_LINK, 0, TOPO_LIMIT_ANY, NULL },
	{ "most", offsetof(struct topo_pci, most), TOPO_FIELD_LINK, 0, TOPO_LIMIT_ANY, NULL },
	{ "acs", offsetof(struct topo_pci, acs), TOPO_FIELD_WORD, 0, TOPO_LIMIT_ANY, yes_words },
	{ NULL, 0, TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
};

static const struct topo_field gpu_fields[] = {
	{ "name", offsetof(struct topo_gpu, name), TOPO_FIELD_TEXT, 0, TOPO_LIMIT_ANY, NULL },
	{ "number", offsetof(struct topo_gpu, number), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_ANY, NULL },
	{ "pci", offsetof(struct topo_gpu, pci), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_PCI, NULL },
	{ "numa", offsetof(struct topo_gpu, numa), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_ANY, NULL },
	{ "cpus", offsetof(struct topo_gpu, cpus), TOPO_FIELD_TEXT, 0, TOPO_LIMIT_ANY, NULL },
	{ "memory", offsetof(struct topo_gpu, memory), TOPO_FIELD_BYTES, 0, TOPO_LIMIT_ANY, NULL },
	{ "sm", offsetof(struct topo_gpu, sm), TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
	{ NULL, 0, TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
};

static const struct topo_field nic_fields[] = {
	{ "name", offsetof(struct topo_nic, name), TOPO_FIELD_TEXT, 0, TOPO_LIMIT_ANY, NULL },
	{ "netdev", offsetof(struct topo_nic, netdev), TOPO_FIELD_TEXT, 0, TOPO_LIMIT_ANY, NULL },
	{ "fabric", offsetof(struct topo_nic, fabric), TOPO_FIELD_WORD, 0, TOPO_LIMIT_ANY, fabric_words },
	{ "port", offsetof(struct topo_nic, port), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_ANY, NULL },
	{ "rate", offsetof(struct topo_nic, rate), TOPO_FIELD_REAL, 0, TOPO_LIMIT_ANY, NULL },
	{ "state", offsetof(struct topo_nic, state), TOPO_FIELD_WORD, 0, TOPO_LIMIT_ANY, state_words },
	{ "pci", offsetof(struct topo_nic, pci), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_PCI, NULL },
	{ "numa", offsetof(struct topo_nic, numa), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_ANY, NULL },
	{ "cpus", offsetof(struct topo_nic, cpus), TOPO_FIELD_TEXT, 0, TOPO_LIMIT_ANY, NULL },
	{ NULL, 0, TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
};

/* `end` before `peer`, whose limit it is. */
static const struct topo_field nvlink_fields[] = {
	{ "gpu", offsetof(struct topo_nvlink, gpu), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_GPUS, NULL },
	{ "end", offsetof(struct topo_nvlink, end), TOPO_FIELD_WORD, 0, TOPO_LIMIT_ANY, end_words },
	{ "peer", offsetof(struct topo_nvlink, peer), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_PEER, NULL },
	{ "count", offsetof(struct topo_nvlink, count), TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
	{ "version", offsetof(struct topo_nvlink, version), TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
	{ "rate", offsetof(struct topo_nvlink, rate), TOPO_FIELD_REAL, 0, TOPO_LIMIT_ANY, NULL },
	{ "source", offsetof(struct topo_nvlink, source), TOPO_FIELD_TEXT, 0, TOPO_LIMIT_ANY, NULL },
	{ NULL, 0, TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
};

static const struct topo_field given_fields[] = {
	{ "a", offsetof(struct topo_given, a), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_ENDS, NULL },
	{ "b", offsetof(struct topo_given, b), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_ENDS, NULL },
	{ "class", offsetof(struct topo_given, class), TOPO_FIELD_WORD, 0, TOPO_LIMIT_ANY, class_words },
	{ "links", offsetof(struct topo_given, links), TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
	{ NULL, 0, TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
};

static const struct topo_field rank_fields[] = {
	{ "rank", offsetof(struct topo_rank, rank), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_ANY, NULL },
	{ "cpus", offsetof(struct topo_rank, cpus), TOPO_FIELD_TEXT, 0, TOPO_LIMIT_ANY, NULL },
	{ "gpu", offsetof(struct topo_rank, gpu), TOPO_FIELD_INT, TOPO_UNKNOWN, TOPO_LIMIT_GPUS, NULL },
	{ NULL, 0, TOPO_FIELD_INT, 0, TOPO_LIMIT_ANY, NULL },
};

const struct topo_part_form topo_part_forms[TOPO_PARTS] = {
	[TOPO_PART_CACHE] = { "caches", cache_fields, offsetof(struct topo_host, caches), offsetof(struct topo_host, ncaches),
			      sizeof(struct topo_cache) },
	[TOPO_PART_NUMA] = { "numa", numa_fields, offsetof(struct topo_host, numa), offsetof(struct topo_host, nnuma),
			     sizeof(struct topo_numa) },
	[TOPO_PART_PCI] = { "pci", pci_fields, offsetof(struct topo_host, pci), offsetof(struct topo_host, npci),
			    sizeof(struct topo_pci) },
	[TOPO_PART_GPU] = { "gpus", gpu_fields, offsetof(struct topo_host, gpus), offsetof(struct topo_host, ngpus),
			    sizeof(struct topo_gpu) },
	[TOPO_PART_NIC] = { "nics", nic_fields, offsetof(struct topo_host, nics), offsetof(struct topo_host, nnics),
			    sizeof(struct topo_nic) },
	[TOPO_PART_NVLINK] = { "nvlinks", nvlink_fields, offsetof(struct topo_host, nvlinks),
			       offsetof(struct topo_host, nnvlinks), sizeof(struct topo_nvlink) },
	[TOPO_PART_GIVEN] = { "given", given_fields, offsetof(struct topo_host, given), offsetof(struct topo_host, ngiven),
			      sizeof(struct topo_given) },
	[TOPO_PART_RANK] = { "ranks", rank_fields, offsetof(struct topo_host, ranks), offsetof(struct topo_host, nranks),
			     sizeof(struct topo_rank) },
};

static size_t peer_limit(const struct topo_host *host, const struct topo_nvlink *nvlink)
{
	switch (nvlink->end) {
	case TOPO_END_GPU:
		return host->ngpus;
	case TOPO_END_SWITCH:
		return host->npci;
	case TOPO_END_UNKNOWN:
	case TOPO_END_CPU:
		break;
	}
	return 0;
}

long topo_field_limit(const struct topo_field *field, const struct topo_host *described, const void *element, size_t index)
{
	switch (field->limit) {
	case TOPO_LIMIT_EARLIER:
		return (long)index;
	case TOPO_LIMIT_PCI:
		return (long)described->npci;
	case TOPO_LIMIT_GPUS:
		return (long)described->ngpus;
	case TOPO_LIMIT_ENDS:
		return (long)(described->ngpus + described->nnics);
	case TOPO_LIMIT_PEER:
		return (long)peer_limit(described, element);
	case TOPO_LIMIT_ANY:
		break;
	}
	return (long)INT_MAX + 1;
}
