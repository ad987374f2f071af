/* SPDX-License-Identifier: Apache-2.0
 *
 * <pci>: bridges, GPUs, NICs and NVSwitches, with the links that the file gives them. NCCL writes a switch as one <pci>, not as its two ports.
 */
#include <string.h>

#include "pci.h"
#include "peak.h"
#include "read_nccl.h"

enum { MOST_LANES = 32 };

static bool is_nic(unsigned class)
{
	return class == 0x0200 || class == 0x0280 || pci_is_infiniband(class);
}

/* -1: nothing that matters. What is in it tells more than a class, which may be missing or somebody's guess. */
static int kind_of(const struct read_nccl *nccl, int element)
{
	const unsigned class = (unsigned)read_nccl_hex(nccl, element, "class") >> 8;
	const int vendor = read_nccl_hex(nccl, element, "vendor");

	if (read_nccl_has(nccl, element, "gpu"))
		return TOPO_GPU;
	if (class != 0x0604 && read_nccl_has(nccl, element, "nic"))
		return TOPO_NIC;
	if (class == 0x0604 || read_nccl_has(nccl, element, "pci"))
		return TOPO_BRIDGE;
	if (pci_is_gpu(class, vendor > 0 ? vendor : PCI_NVIDIA))
		return TOPO_GPU;
	if (pci_is_nvswitch(class, vendor > 0 ? vendor : PCI_NVIDIA))
		return TOPO_NVSWITCH;
	return is_nic(class) ? TOPO_NIC : -1;
}

/* What is not said is 0; what is said but not understood is noted. */
static int read_link(struct read_nccl *nccl, int element, struct topo_pci *pci)
{
	const struct read_xml *xml = &nccl->xml;
	const char *speed = read_xml_get(xml, element, "link_speed"), *width = read_xml_get(xml, element, "link_width");
	int lanes = read_nccl_int(nccl, element, "link_width", MOST_LANES, TOPO_UNKNOWN);

	pci->now.gts = peak_pcie_parse(speed);
	pci->now.width = lanes < 0 ? 0 : lanes;
	if (*speed && pci->now.gts <= 0 && topo_note(nccl->host, "%s: link_speed \"%.40s\" is not understood", pci->bus, speed))
		return read_nccl_no_memory(nccl);
	if (*width && lanes < 0 && topo_note(nccl->host, "%s: link_width \"%.20s\" is no number of lanes", pci->bus, width))
		return read_nccl_no_memory(nccl);
	return 0;
}

static int leave_out(struct read_nccl *nccl, int element, const char *bus, const char *why)
{
	nccl->made[element] = READ_NCCL_LEFT_OUT;
	if (topo_note(nccl->host, "line %lu: %s %s", nccl->xml.elements[element].line, bus, why))
		return read_nccl_no_memory(nccl);
	return 0;
}

static int read_pci(struct read_nccl *nccl, int element)
{
	const struct read_xml *xml = &nccl->xml;
	const int parent = xml->elements[element].parent, kind = kind_of(nccl, element);
	const char *busid = read_xml_get(xml, element, "busid");
	char bus[24];
	struct topo_pci *pci;

	if (topo_bus(busid, bus))
		return *busid ? read_fail(nccl->error, xml->elements[element].line, "\"%.40s\" is no bus id", busid)
			      : read_fail(nccl->error, xml->elements[element].line, "a <pci> without busid");
	if (topo_find_pci(nccl->host, bus) != TOPO_UNKNOWN)
		return leave_out(nccl, element, bus, "is there already: left out with what is in it");
	if (kind < 0)
		return leave_out(nccl, element, bus, "is neither GPU nor NIC nor switch: left out");
	pci = topo_add_pci(nccl->host);
	if (!pci || topo_set(&pci->bus, bus))
		return read_nccl_no_memory(nccl);
	pci->kind = (enum topo_kind)kind;
	pci->parent = read_xml_is(xml, parent, "pci") ? nccl->made[parent] : TOPO_UNKNOWN;
	pci->numa = read_nccl_numa(nccl, element);
	pci->vendor = read_nccl_hex(nccl, element, "vendor");
	pci->device = read_nccl_hex(nccl, element, "device");
	nccl->made[element] = (int)(pci - nccl->host->pci);
	return read_link(nccl, element, pci);
}

/* A virtual machine hides links, or a hand-written file leaves them out. */
static int note_hidden_links(struct read_nccl *nccl)
{
	int hidden = 0, devices = 0;

	for (size_t i = 0; i < nccl->host->npci; i++) {
		const struct topo_pci *pci = &nccl->host->pci[i];

		if (pci->kind != TOPO_GPU && pci->kind != TOPO_NIC)
			continue;
		devices++;
		hidden += pci->now.gts <= 0 || pci->now.width == 0;
	}
	if (hidden > 0 &&
	    topo_note(nccl->host, "%d of %d GPUs and NICs have no link speed or width in the file", hidden, devices))
		return read_nccl_no_memory(nccl);
	return 0;
}

int read_nccl_pcis(struct read_nccl *nccl)
{
	const struct read_xml *xml = &nccl->xml;

	for (int i = 1; i < (int)xml->nelements; i++) {
		const int parent = xml->elements[i].parent;

		if (nccl->made[parent] == READ_NCCL_LEFT_OUT) {
			nccl->made[i] = READ_NCCL_LEFT_OUT;
			continue;
		}
		if (!read_nccl_is(nccl, i, "pci"))
			continue;
		if (!read_xml_is(xml, parent, "pci") && !read_xml_is(xml, parent, "cpu") && !read_xml_is(xml, parent, "system"))
			return read_fail(nccl->error, xml->elements[i].line, "a <pci> inside <%.40s>",
					 read_xml_name(xml, parent));
		if (read_pci(nccl, i))
			return -1;
	}
	return note_hidden_links(nccl);
}
