/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of well-known systems.
 */
#include "system.h"

#include <string.h>

#include "human.h"

static const char azure[] = "azurehpc-health-checks, the value below which a node fails there";

const struct system systems[] = {
	{ "a100x8", "all_reduce", 8, 1, 230e9, 235e9, "8 A100 SXM over NVSwitch", "nccl #527; stas00/ml-engineering" },
	{ "h100x8", "all_reduce", 8, 1, 475e9, 482e9, "8 H100 SXM, NVLS", "nccl #1455, nccl-tests #212" },
	{ "h100x8-ring", "all_reduce", 8, 1, 365e9, 370e9, "8 H100 SXM without NVLS", "nccl #1455, nccl-tests #212" },
	{ "h100-pcie-x8", "all_reduce", 8, 1, 35e9, 45e9, "8 H100 PCIe without NVLink", "alayanew, blog" },
	{ "h800x8", "all_reduce", 8, 1, 215e9, 215e9, "8 H800 SXM, NVLS", "nccl #1374" },
	{ "h200x8", "all_reduce", 8, 1, 475e9, 475e9, "8 H200 SXM, NVLS", "nccl-tests #272" },
	{ "b200x8", "all_reduce", 8, 1, 830e9, 830e9, "8 B200, NVLS", "nccl #1807" },
	{ "gb200-nvl72", "all_reduce", 72, 0, 839e9, 847e9, "GB200 NVL72, all 72 GPUs", "coreweave/nccl-tests #43" },
	{ "gb200x8", "all_reduce", 8, 2, 811e9, 811e9, "2 GB200 nodes of 4 over NVLink, NVLS", "lixueduan.com" },
	{ "gb200x4-ring", "all_reduce", 4, 0, 197e9, 197e9, "4 GPUs of GB200 without NVLS, ring", "nccl #1801" },
	{ "gb200x4-tree", "all_reduce", 4, 0, 234e9, 234e9, "4 GPUs of GB200 without NVLS, tree", "nccl #1801" },
	{ "gb200x8-ring", "all_reduce", 8, 0, 394e9, 394e9, "8 GPUs of GB200 without NVLS, ring", "nccl #1801" },
	{ "gb200x8-tree", "all_reduce", 8, 0, 486e9, 486e9, "8 GPUs of GB200 without NVLS, tree", "nccl #1801" },
	{ "azure-nd-a100-v4", "all_reduce", 8, 1, 228e9, 228e9, "one Azure ND A100 v4 node", azure },
	{ "azure-nd-h100-v5", "all_reduce", 8, 1, 460e9, 460e9, "one Azure ND H100 v5 node", azure },
	{ "azure-nd-h200-v5", "all_reduce", 8, 1, 431e9, 431e9, "one Azure ND H200 v5 node", azure },
	{ "azure-nd-gb200", "all_reduce", 4, 1, 432e9, 432e9, "one Azure GB200 node", azure },
	{ "dgx-a100-8xhdr", "all_reduce", 0, 0, 192e9, 192e9, "DGX A100 nodes, 8 HDR each", "nccl #812" },
	{ "a100-4xhdr", "all_reduce", 0, 3, 96e9, 96e9, "3 A100 nodes, 4 HDR each", "nccl-tests #119" },
	{ "h100-8xndr", "all_reduce", 0, 0, 360e9, 380e9, "many H100 nodes, 8 NDR each", "nccl-tests #309" },
	{ "h100-8xroce", "all_reduce", 0, 4, 320e9, 320e9, "4 H100 nodes, 8 RoCE 400G each", "nccl #1221" },
};

const size_t system_count = sizeof systems / sizeof *systems;

const struct system *system_find(const char *name)
{
	for (size_t i = 0; i < system_count; i++) {
		if (strcmp(systems[i].name, name) == 0)
			return &systems[i];
	}
	return NULL;
}

void system_list(FILE *out)
{
	fputs("Bus bandwidths that were reported for large sizes. Each is a single report, not a promise.\n\n", out);
	for (size_t i = 0; i < system_count; i++) {
		const struct system *one = &systems[i];
		char upto[80] = "";

		if (one->high > one->low)
			snprintf(upto, sizeof upto, " to %s", human_rate(one->high).text);
		fprintf(out, "%-16s %s %s%s: %s; %s\n", one->name, one->collective, human_rate(one->low).text, upto, one->what,
			one->source);
	}
}
