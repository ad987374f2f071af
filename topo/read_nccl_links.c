/* SPDX-License-Identifier: Apache-2.0
 *
 * <nvlink>, <xgmi> and <c2c>: where the links of each GPU go, and what they carry by the table of products, as the file gives counts alone.
 */
#include <stdio.h>
#include <string.h>

#include "pci.h"
#include "peak.h"
#include "read_nccl.h"

enum { MOST_LINKS = 1024, MOST_MEGABYTES = 10000000 };

/* What a virtual machine sees in place of a switch. */
static const char hidden_switch[] = "fffffff:ff:ff.0";

/* By compute capability, where the product is not known. Sources: as in the table of products. */
static const struct {
	int sm, version;
	double rate; /* 0: what the version has */
} generations[] = {
	{ 60, 1, 0 },         { 70, 2, 0 }, { 72, 2, 0 },  { 75, 2, 0 },  { 80, 3, 0 },
	{ 86, 3, 14.0625e9 }, { 90, 4, 0 }, { 100, 5, 0 }, { 103, 5, 0 },
};

/* Version, rate and source of `count` links of this GPU. */
static int rate_links(struct read_nccl *nccl, struct topo_nvlink *link)
{
	const struct topo_gpu *gpu = &nccl->host->gpus[link->gpu];
	const struct topo_pci *pci = gpu->pci == TOPO_UNKNOWN ? NULL : &nccl->host->pci[gpu->pci];
	const struct peak_gpu *product = pci && pci->vendor == PCI_NVIDIA ? peak_gpu_find("", pci->device) : NULL;
	char source[TOPO_LONGEST_TEXT];
	double rate = 0;

	if (product && product->links > 0) {
		link->version = product->version;
		rate = product->rate;
		snprintf(source, sizeof source, "table: %.80s, %d x %.6g GB/s", product->name, link->count, rate / 1e9);
	} else {
		for (size_t i = 0; i < sizeof generations / sizeof *generations; i++) {
			if (generations[i].sm != gpu->sm)
				continue;
			link->version = generations[i].version;
			rate = generations[i].rate > 0 ? generations[i].rate : peak_nvlink(link->version);
		}
		snprintf(source, sizeof source, "table: compute capability %d.%d, %d x %.6g GB/s", gpu->sm / 10, gpu->sm % 10,
			 link->count, rate / 1e9);
	}
	link->rate = rate * link->count;
	return link->rate > 0 && topo_set(&link->source, source) ? read_nccl_no_memory(nccl) : 0;
}

/* NVSwitches are only named as targets; their place in the tree is not known. */
static int add_switch(struct read_nccl *nccl, const char *bus)
{
	struct topo_pci *pci = topo_add_pci(nccl->host);

	if (!pci || topo_set(&pci->bus, bus))
		return read_nccl_no_memory(nccl);
	pci->kind = TOPO_NVSWITCH;
	return (int)(pci - nccl->host->pci);
}

static int note_target(struct read_nccl *nccl, int gpu, const char *target, const char *why)
{
	if (topo_note(nccl->host, "GPU%d: a link to \"%.40s\": %s", gpu, target, why))
		return read_nccl_no_memory(nccl);
	return 0;
}

/* Where the link goes: `end` and `peer` of *link, and `count` where it is not to be believed. */
static int find_end(struct read_nccl *nccl, int element, struct topo_nvlink *link)
{
	const char *target = read_xml_get(&nccl->xml, element, "target");
	const int class = read_nccl_hex(nccl, element, "tclass");
	char bus[24] = "";
	int pci, peer;

	if (class == 0x068001) { /* a processor of POWER */
		link->end = TOPO_END_CPU;
		return 0;
	}
	if (topo_bus(target, bus))
		return note_target(nccl, link->gpu, target, "no bus id, where it goes is not known");
	if (strcmp(bus, hidden_switch) == 0) {
		link->end = TOPO_END_SWITCH;
		return topo_note(nccl->host, "NVSwitches are there but not visible, as in a virtual machine (%s)", bus)
			       ? read_nccl_no_memory(nccl)
			       : 0;
	}
	pci = topo_find_pci(nccl->host, bus);
	peer = topo_find_gpu(nccl->host, pci);
	if (pci != TOPO_UNKNOWN && pci == nccl->host->gpus[link->gpu].pci) {
		/* It may be a link told twice, or one to elsewhere. */
		link->count = 0;
		return note_target(nccl, link->gpu, bus, "that is this GPU itself, so how many links it has is not known");
	}
	if (peer != TOPO_UNKNOWN) {
		link->end = TOPO_END_GPU;
		link->peer = peer;
		return 0;
	}
	if (pci == TOPO_UNKNOWN && class >> 8 == 0x0680) {
		pci = add_switch(nccl, bus);
		if (pci < 0)
			return -1;
	}
	if (pci != TOPO_UNKNOWN && nccl->host->pci[pci].kind == TOPO_NVSWITCH) {
		link->end = TOPO_END_SWITCH;
		link->peer = pci;
		return 0;
	}
	return note_target(nccl, link->gpu, bus, pci == TOPO_UNKNOWN ? "not in the file" : "neither GPU nor NVSwitch");
}

static int add_link(struct read_nccl *nccl, const struct topo_nvlink *found)
{
	struct topo_nvlink *link = topo_add_nvlink(nccl->host);
	char *source;

	if (!link)
		return read_nccl_no_memory(nccl);
	source = link->source;
	*link = *found;
	link->source = source;
	return 0;
}

static int read_nvlink(struct read_nccl *nccl, int element, int gpu)
{
	struct topo_nvlink found = { .gpu = gpu, .peer = TOPO_UNKNOWN };
	const bool is_xgmi = read_xml_is(&nccl->xml, element, "xgmi");

	found.count = read_nccl_int(nccl, element, "count", MOST_LINKS, 0);
	if (found.count == 0 && note_target(nccl, gpu, read_xml_get(&nccl->xml, element, "target"), "how many is not said"))
		return -1;
	if (find_end(nccl, element, &found))
		return -1;
	if (is_xgmi && topo_note(nccl->host, "links are AMD's xGMI, shown as NV#; their rate is not known"))
		return read_nccl_no_memory(nccl);
	if (add_link(nccl, &found))
		return -1;
	return is_xgmi || found.count == 0 ? 0 : rate_links(nccl, &nccl->host->nvlinks[nccl->host->nnvlinks - 1]);
}

/* bw: MB/s of one link, one way. */
static int read_c2c(struct read_nccl *nccl, int element, int gpu)
{
	const int megabytes = read_nccl_int(nccl, element, "bw", MOST_MEGABYTES, 0);
	struct topo_nvlink found = { .gpu = gpu, .end = TOPO_END_CPU, .peer = TOPO_UNKNOWN };
	char source[TOPO_LONGEST_TEXT];

	found.count = read_nccl_int(nccl, element, "count", MOST_LINKS, 0);
	found.rate = 1e6 * megabytes * found.count;
	if (add_link(nccl, &found))
		return -1;
	snprintf(source, sizeof source, "the file's NVLink-C2C: %d x %.6g GB/s", found.count, megabytes / 1e3);
	if (found.rate > 0 && topo_set(&nccl->host->nvlinks[nccl->host->nnvlinks - 1].source, source))
		return read_nccl_no_memory(nccl);
	return 0;
}

int read_nccl_links(struct read_nccl *nccl)
{
	const struct read_xml *xml = &nccl->xml;
	int rc = 0;

	for (int i = 1; rc == 0 && i < (int)xml->nelements; i++) {
		const int parent = xml->elements[i].parent;
		const bool is_c2c = read_nccl_is(nccl, i, "c2c");

		if (!is_c2c && !read_nccl_is(nccl, i, "nvlink") && !read_nccl_is(nccl, i, "xgmi"))
			continue;
		if (!read_nccl_is(nccl, parent, "gpu"))
			rc = read_fail(nccl->error, xml->elements[i].line, "a <%.40s> inside <%.40s>, not <gpu>",
				       read_xml_name(xml, i), read_xml_name(xml, parent));
		else
			rc = is_c2c ? read_c2c(nccl, i, nccl->made[parent]) : read_nvlink(nccl, i, nccl->made[parent]);
	}
	if (rc == 0 && nccl->host->ngpus > 1 && nccl->host->nnvlinks == 0 && topo_note(nccl->host, "the file names no NVLinks"))
		rc = read_nccl_no_memory(nccl);
	return rc;
}
