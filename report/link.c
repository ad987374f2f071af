/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of links, and the words that name one.
 */
#include "link.h"

#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "options.h"

enum { MOST_LINKS = 1024, LONGEST_NAME = 63 };

static const char pcie[] = "PCI Express Base Specification: rate, 8b/10b or 128b/130b; 24 B of header, framing and CRC a packet. "
			   "Reached: NCCL topo.h";
static const char flit[] = "PCI Express 6.0: 236 of 242 bytes of a flit, 16 B header. Reached: NCCL topo.h";
static const char sheet[] = "NVIDIA data sheets, which give both directions: half of that. Reached: NCCL topo.h";
static const char xgmi[] = "AMD Instinct MI300X data sheet, one way to each of 7 peers";
static const char infiniband[] = "InfiniBand specification, less 26 B of headers a 4096 B packet";
static const char infiniband_seen[] =
	"InfiniBand specification, less 26 B of headers a 4096 B packet. Reached: NVIDIA in nccl-tests #119, #290";
static const char ethernet[] = "IEEE 802.3; TCP gets 94 % of it at an MTU of 1500, 99 % at 9000";
static const char roce[] = "IEEE 802.3, less 82 B a 4096 B packet (at an MTU of 1024: 92.6 % of the line)";
static const char efa[] = "Amazon EC2 instance types, network bandwidth";

const struct link links[] = {
	{ "pcie1", 2.5e9 / 8 * 16 * 8 / 10 * 256 / 280, 0, false, "PCI Express 1 x16, payload of 256 B packets", pcie },
	{ "pcie2", 5e9 / 8 * 16 * 8 / 10 * 256 / 280, 0, false, "PCI Express 2 x16, payload of 256 B packets", pcie },
	{ "pcie3", 8e9 / 8 * 16 * 128 / 130 * 256 / 280, 12e9, false, "PCI Express 3 x16, payload of 256 B packets", pcie },
	{ "pcie3x8", 8e9 / 8 * 8 * 128 / 130 * 256 / 280, 12e9 * 8 / 16, false, "PCI Express 3 x8, payload of 256 B packets",
	  pcie },
	{ "pcie3x4", 8e9 / 8 * 4 * 128 / 130 * 256 / 280, 12e9 * 4 / 16, false, "PCI Express 3 x4, payload of 256 B packets",
	  pcie },
	{ "pcie4", 16e9 / 8 * 16 * 128 / 130 * 256 / 280, 24e9, false, "PCI Express 4 x16, payload of 256 B packets", pcie },
	{ "pcie4x8", 16e9 / 8 * 8 * 128 / 130 * 256 / 280, 24e9 * 8 / 16, false, "PCI Express 4 x8, payload of 256 B packets",
	  pcie },
	{ "pcie4x4", 16e9 / 8 * 4 * 128 / 130 * 256 / 280, 24e9 * 4 / 16, false, "PCI Express 4 x4, payload of 256 B packets",
	  pcie },
	{ "pcie5", 32e9 / 8 * 16 * 128 / 130 * 256 / 280, 48e9, false, "PCI Express 5 x16, payload of 256 B packets", pcie },
	{ "pcie5x8", 32e9 / 8 * 8 * 128 / 130 * 256 / 280, 48e9 * 8 / 16, false, "PCI Express 5 x8, payload of 256 B packets",
	  pcie },
	{ "pcie5x4", 32e9 / 8 * 4 * 128 / 130 * 256 / 280, 48e9 * 4 / 16, false, "PCI Express 5 x4, payload of 256 B packets",
	  pcie },
	{ "pcie6", 64e9 / 8 * 16 * 242 / 256 * 236 / 242 * 256 / 272, 96e9, false,
	  "PCI Express 6 x16, payload of 256 B packets in flits (estimate)", flit },
	{ "pcie6x8", 64e9 / 8 * 8 * 242 / 256 * 236 / 242 * 256 / 272, 96e9 * 8 / 16, false,
	  "PCI Express 6 x8, payload of 256 B packets in flits (estimate)", flit },
	{ "pcie6x4", 64e9 / 8 * 4 * 242 / 256 * 236 / 242 * 256 / 272, 96e9 * 4 / 16, false,
	  "PCI Express 6 x4, payload of 256 B packets in flits (estimate)", flit },
	{ "pcie7", 128e9 / 8 * 16 * 242 / 256 * 236 / 242 * 256 / 272, 0, false,
	  "PCI Express 7 x16, payload of 256 B packets in flits (estimate)", flit },
	{ "nvlink1", 4 * 20e9, 4 * 18e9, false, "P100, 4 links", sheet },
	{ "nvlink2", 6 * 25e9, 6 * 20e9, false, "V100, 6 links", sheet },
	{ "nvlink3", 12 * 25e9, 12 * 20e9, false, "A100, 12 links", sheet },
	{ "nvlink4", 18 * 25e9, 18 * 20.6e9, true, "H100, H200, H20, 18 links", sheet },
	{ "nvlink5", 18 * 50e9, 18 * 40.1e9, true, "B200, B300, GB200, GB300, 18 links", sheet },
	{ "nvlink2-bridge", 2 * 25e9, 0, false, "RTX 2080 Ti, RTX 8000, 2 links", sheet },
	{ "nvlink-bridge", 4 * 14.0625e9, 4 * 12e9, false, "A40, RTX A6000, RTX 3090, 4 links", sheet },
	{ "nvlink3-a30", 4 * 25e9, 4 * 20e9, false, "A30, 4 links", sheet },
	{ "nvlink3-a800", 8 * 25e9, 8 * 20e9, false, "A800, 8 links", sheet },
	{ "nvlink4-h800", 8 * 25e9, 8 * 20.6e9, true, "H800, 8 links", sheet },
	{ "nvlink4-bridge", 12 * 25e9, 12 * 20.6e9, false, "H100 PCIe, H100 NVL, 12 links", sheet },
	{ "xgmi-mi300x", 7 * 64e9, 0, false, "MI300X, 7 peers", xgmi },
	{ "ib-sdr", 4 * 2.5e9 * 8 / 10 / 8 * 4096 / 4122, 0, false, "InfiniBand SDR, 10 Gb/s", infiniband },
	{ "ib-ddr", 4 * 5e9 * 8 / 10 / 8 * 4096 / 4122, 0, false, "InfiniBand DDR, 20 Gb/s", infiniband },
	{ "ib-qdr", 4 * 10e9 * 8 / 10 / 8 * 4096 / 4122, 0, false, "InfiniBand QDR, 40 Gb/s", infiniband },
	{ "ib-fdr10", 4 * 10.3125e9 * 64 / 66 / 8 * 4096 / 4122, 0, false, "InfiniBand FDR10, 40 Gb/s", infiniband },
	{ "ib-fdr", 4 * 14.0625e9 * 64 / 66 / 8 * 4096 / 4122, 0, false, "InfiniBand FDR, 54.5 Gb/s of data", infiniband },
	{ "ib-edr", 4 * 25e9 / 8 * 4096 / 4122, 12e9, false, "InfiniBand EDR, 100 Gb/s", infiniband_seen },
	{ "ib-hdr100", 2 * 50e9 / 8 * 4096 / 4122, 12e9, false, "InfiniBand HDR100, 100 Gb/s", infiniband_seen },
	{ "ib-hdr", 4 * 50e9 / 8 * 4096 / 4122, 24e9, false, "InfiniBand HDR, 200 Gb/s", infiniband_seen },
	{ "ib-ndr200", 2 * 100e9 / 8 * 4096 / 4122, 24e9, false, "InfiniBand NDR200, 200 Gb/s", infiniband_seen },
	{ "ib-ndr", 4 * 100e9 / 8 * 4096 / 4122, 46e9, false, "InfiniBand NDR, 400 Gb/s", infiniband_seen },
	{ "ib-xdr", 4 * 200e9 / 8 * 4096 / 4122, 0, false, "InfiniBand XDR, 800 Gb/s", infiniband },
	{ "eth-10", 10e9 / 8, 0, false, "Ethernet 10 Gb/s, line rate", ethernet },
	{ "eth-25", 25e9 / 8, 0, false, "Ethernet 25 Gb/s, line rate", ethernet },
	{ "eth-40", 40e9 / 8, 0, false, "Ethernet 40 Gb/s, line rate", ethernet },
	{ "eth-50", 50e9 / 8, 0, false, "Ethernet 50 Gb/s, line rate", ethernet },
	{ "eth-100", 100e9 / 8, 0, false, "Ethernet 100 Gb/s, line rate", ethernet },
	{ "eth-200", 200e9 / 8, 0, false, "Ethernet 200 Gb/s, line rate", ethernet },
	{ "eth-400", 400e9 / 8, 0, false, "Ethernet 400 Gb/s, line rate", ethernet },
	{ "eth-800", 800e9 / 8, 0, false, "Ethernet 800 Gb/s, line rate", ethernet },
	{ "roce-25", 25e9 / 8 * 4096 / 4178, 0, false, "RoCE v2 25 Gb/s, payload", roce },
	{ "roce-40", 40e9 / 8 * 4096 / 4178, 0, false, "RoCE v2 40 Gb/s, payload", roce },
	{ "roce-50", 50e9 / 8 * 4096 / 4178, 0, false, "RoCE v2 50 Gb/s, payload", roce },
	{ "roce-100", 100e9 / 8 * 4096 / 4178, 0, false, "RoCE v2 100 Gb/s, payload", roce },
	{ "roce-200", 200e9 / 8 * 4096 / 4178, 0, false, "RoCE v2 200 Gb/s, payload", roce },
	{ "roce-400", 400e9 / 8 * 4096 / 4178, 0, false, "RoCE v2 400 Gb/s, payload", roce },
	{ "roce-800", 800e9 / 8 * 4096 / 4178, 0, false, "RoCE v2 800 Gb/s, payload", roce },
	{ "efa-p4d", 50e9, 0, false, "EFA of a whole instance, p4d, p4de: 4 x 100 Gb/s", efa },
	{ "efa-p5", 400e9, 0, false, "EFA of a whole instance, p5: 32 x 100 Gb/s", efa },
	{ "efa-p5en", 400e9, 0, false, "EFA of a whole instance, p5en: 16 x 200 Gb/s", efa },
	{ "efa-p6-b200", 400e9, 0, false, "EFA of a whole instance, p6-b200: 8 x 400 Gb/s", efa },
	{ "efa-p6-b300", 800e9, 0, false, "EFA of a whole instance, p6-b300: 6.4 Tb/s", efa },
};

const size_t link_count = sizeof links / sizeof *links;

const struct link *link_find(const char *name)
{
	for (size_t i = 0; i < link_count; i++) {
		if (strcmp(links[i].name, name) == 0)
			return &links[i];
	}
	return NULL;
}

static int parse_one(const char *text, double *rate, const struct link **link)
{
	const struct link *found = link_find(text);

	if (!found && report_bandwidth_parse(text, rate))
		return -1;
	if (found)
		*rate = found->rate;
	*link = found;
	return 0;
}

/* K at the end of "...xK", or 0. */
static int parse_count(const char *text)
{
	size_t digits = strspn(text, "0123456789");
	long count = digits > 0 && digits < 5 && text[digits] == '\0' ? strtol(text, NULL, 10) : 0;

	return count <= MOST_LINKS ? (int)count : 0;
}

int link_parse(const char *text, double *rate, int *count, const struct link **link)
{
	const char *cross = strrchr(text, 'x');
	const struct link *found;
	char name[LONGEST_NAME + 1];
	double one;
	int many;

	if (parse_one(text, &one, &found) == 0) {
		many = 1;
	} else {
		many = cross && cross > text && cross - text <= LONGEST_NAME ? parse_count(cross + 1) : 0;
		if (many == 0)
			return -1;
		memcpy(name, text, (size_t)(cross - text));
		name[cross - text] = '\0';
		/* What stands behind the x of a slot are lanes; those that the table lacks are no count. */
		if (parse_one(name, &one, &found) || (found && strncmp(name, "pcie", 4) == 0 && !strchr(name, 'x')))
			return -1;
	}
	*rate = one;
	*count = many;
	*link = found;
	return 0;
}

void link_list(FILE *out)
{
	fputs("Peaks one way: of a GPU for NVLink, of a slot, of a port. Behind them what collectives reach at best, where that "
	      "is known.\n",
	      out);
	for (size_t i = 0; i < link_count; i++) {
		const struct link *one = &links[i];

		if (i == 0 || links[i - 1].source != one->source)
			fprintf(out, "\n%s\n", one->source);
		fprintf(out, "  %-15s %10s %10s  %s\n", one->name, human_rate(one->rate).text,
			one->reachable > 0 ? human_rate(one->reachable).text : "-", one->what);
	}
}
