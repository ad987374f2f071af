/* SPDX-License-Identifier: Apache-2.0
 *
 * GPUs and NICs: by <gpu> and <net>, or by nothing but the class of a <pci>.
 */
#include <stdlib.h>
#include <string.h>

#include "pci.h"
#include "peak.h"
#include "read_nccl.h"

enum { MOST_DEV = 65535, MOST_RANK = 1 << 24, MOST_SM = 9999, MOST_MEGABITS = 100000000 };

/* An element that stands for a GPU. */
struct gpu_row {
	int element, dev;
};

static int by_dev(const void *a, const void *b)
{
	const struct gpu_row *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return x->element < y->element ? -1 : 1;
}

static bool is_of_kind(const struct read_nccl *nccl, int element, enum topo_kind kind)
{
	return read_nccl_is(nccl, element, "pci") && nccl->host->pci[nccl->made[element]].kind == kind;
}

/* In the file's order, unless all have a dev. */
static size_t list_gpus(const struct read_nccl *nccl, struct gpu_row *rows)
{
	size_t count = 0;
	bool all_have_dev = true;

	for (int i = 1; i < (int)nccl->xml.nelements; i++) {
		if (!read_nccl_is(nccl, i, "gpu") && !(is_of_kind(nccl, i, TOPO_GPU) && !read_nccl_has(nccl, i, "gpu")))
			continue;
		rows[count] = (struct gpu_row){ i, read_nccl_int(nccl, i, "dev", MOST_DEV, TOPO_UNKNOWN) };
		all_have_dev = all_have_dev && rows[count].dev != TOPO_UNKNOWN;
		count++;
	}
	if (all_have_dev)
		qsort(rows, count, sizeof *rows, by_dev);
	return count;
}

static int add_rank(struct read_nccl *nccl, int element, int gpu)
{
	int rank = read_nccl_int(nccl, element, "rank", MOST_RANK, TOPO_UNKNOWN);
	struct topo_rank *made;

	if (rank == TOPO_UNKNOWN)
		return 0;
	made = topo_add_rank(nccl->host);
	if (!made)
		return read_nccl_no_memory(nccl);
	made->rank = rank;
	made->gpu = gpu;
	return 0;
}

static int add_gpu(struct read_nccl *nccl, const struct gpu_row *row)
{
	const int index = (int)nccl->host->ngpus;
	int pci = row->element;
	struct topo_gpu *gpu = topo_add_gpu(nccl->host);

	if (!gpu)
		return read_nccl_no_memory(nccl);
	if (!read_xml_is(&nccl->xml, pci, "pci"))
		pci = nccl->xml.elements[pci].parent;
	gpu->pci = read_xml_is(&nccl->xml, pci, "pci") ? nccl->made[pci] : TOPO_UNKNOWN;
	gpu->number = row->dev == TOPO_UNKNOWN ? index : row->dev;
	gpu->numa = read_nccl_numa(nccl, row->element);
	gpu->sm = read_nccl_int(nccl, row->element, "sm", MOST_SM, 0);
	if (read_nccl_cpus(nccl, row->element, &gpu->cpus))
		return -1;
	if (read_xml_is(&nccl->xml, row->element, "gpu"))
		nccl->made[row->element] = index;
	return add_rank(nccl, row->element, index);
}

int read_nccl_gpus(struct read_nccl *nccl)
{
	struct gpu_row *rows = malloc(nccl->xml.nelements * sizeof *rows);
	size_t count = rows ? list_gpus(nccl, rows) : 0;
	int rc = rows ? 0 : read_nccl_no_memory(nccl);

	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = add_gpu(nccl, &rows[i]);
	free(rows);
	return rc;
}

/* Names of RDMA devices; `class` is Ethernet's then. */
static bool is_rdma_name(const char *name)
{
	static const char *const begins[] = { "mlx4_", "mlx5_", "bnxt_re", "roce", "rocep", "irdma", "erdma", "hns_", "rdmap" };

	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
		if (strncmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	}
	return false;
}

static enum topo_fabric fabric_of(const struct read_nccl *nccl, int element, const char *name)
{
	unsigned class;
	int vendor;

	if (element == READ_XML_NONE)
		return strncmp(name, "eth", 3) == 0 || strncmp(name, "en", 2) == 0 ? TOPO_ETHERNET : TOPO_FABRIC_UNKNOWN;
	class = (unsigned)read_nccl_hex(nccl, element, "class") >> 8;
	vendor = read_nccl_hex(nccl, element, "vendor");
	if (pci_is_infiniband(class))
		return TOPO_INFINIBAND;
	if (pci_is_efa(vendor, read_nccl_hex(nccl, element, "device")))
		return TOPO_EFA;
	if (class != 0x0200)
		return TOPO_FABRIC_UNKNOWN;
	return is_rdma_name(name) ? TOPO_ROCE : TOPO_ETHERNET;
}

/* A NIC without PCI device is listed once under each <cpu>; which of them it is near to is not known then. */
static bool is_there(struct read_nccl *nccl, const char *name, int port, int pci, int numa)
{
	for (size_t i = 0; *name && i < nccl->host->nnics; i++) {
		struct topo_nic *nic = &nccl->host->nics[i];

		if (nic->pci != pci || nic->port != port || strcmp(nic->name, name) != 0)
			continue;
		if (nic->numa != numa) {
			nic->numa = TOPO_UNKNOWN;
			nic->cpus[0] = '\0';
		}
		return true;
	}
	return false;
}

/* element: the <net>, or the <pci> where there is none. */
static int add_nic(struct read_nccl *nccl, int element, int pci_element)
{
	const char *name = read_xml_get(&nccl->xml, element, "name");
	const int port = read_nccl_int(nccl, element, "port", MOST_DEV, 0);
	const int pci = pci_element == READ_XML_NONE ? TOPO_UNKNOWN : nccl->made[pci_element];
	const int numa = read_nccl_numa(nccl, element);
	struct topo_nic *nic;

	if (is_there(nccl, name, port, pci, numa))
		return 0;
	nic = topo_add_nic(nccl->host);
	if (!nic || topo_set(&nic->name, name))
		return read_nccl_no_memory(nccl);
	nic->fabric = fabric_of(nccl, pci_element, name);
	nic->port = port;
	nic->rate = peak_ethernet(read_nccl_int(nccl, element, "speed", MOST_MEGABITS, 0));
	nic->pci = pci;
	nic->numa = numa;
	return read_nccl_cpus(nccl, element, &nic->cpus);
}

/* Over the NICs that the file has. */
static int note_nics(struct read_nccl *nccl)
{
	int silent = 0, without_gdr = 0, nets = 0;

	for (size_t i = 0; i < nccl->host->nnics; i++)
		silent += nccl->host->nics[i].rate <= 0;
	for (int i = 1; i < (int)nccl->xml.nelements; i++) {
		if (!read_nccl_is(nccl, i, "net"))
			continue;
		nets++;
		without_gdr += strcmp(read_xml_get(&nccl->xml, i, "gdr"), "0") == 0;
	}
	if (silent > 0 && topo_note(nccl->host, "%d of %zu NICs have no speed in the file", silent, nccl->host->nnics))
		return read_nccl_no_memory(nccl);
	if (without_gdr > 0 &&
	    topo_note(nccl->host, "%d of %d networks are without GPUDirect RDMA (gdr=\"0\")", without_gdr, nets))
		return read_nccl_no_memory(nccl);
	return 0;
}

/* Whether anywhere in it is a <net>, other than in a <pci> of its own. */
static bool has_net(const struct read_nccl *nccl, int element)
{
	for (int i = element + 1; i <= nccl->xml.elements[element].last; i++) {
		if (read_nccl_is(nccl, i, "net") && read_nccl_within(nccl, i, "pci") == element)
			return true;
	}
	return false;
}

int read_nccl_nics(struct read_nccl *nccl)
{
	int rc = 0;

	for (int i = 1; rc == 0 && i < (int)nccl->xml.nelements; i++) {
		if (read_nccl_is(nccl, i, "net"))
			rc = add_nic(nccl, i, read_nccl_within(nccl, i, "pci"));
		else if (is_of_kind(nccl, i, TOPO_NIC) && !has_net(nccl, i))
			rc = add_nic(nccl, i, i);
	}
	return rc ? rc : note_nics(nccl);
}
