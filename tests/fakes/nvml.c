/* SPDX-License-Identifier: Apache-2.0
 *
 * A stand-in of NVIDIA's management library. COLLPERF_FAKE_NVML names a machine of the table below; unset: no driver is loaded, so that programs over the
 * other fakes see no GPUs through it. PCI addresses: GPU i is 0000:(i + 1)0:00.0, NVSwitch i is 0000:c(i):00.0.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topo/nvml.h"

enum { NOT_LOADED = 9, LOST = 15, UNKNOWN_TYPE = 255, HIDDEN = -1, SWITCHES = 100, CPU = 200, NOWHERE = 201 };

struct machine {
	const char *name, *product;
	int init; /* result of it */
	unsigned gpus, links, version, device;
	const char *ends; /* of GPU 0, a letter a link: its end, see end_of; '-': down */
	int lost;         /* this GPU cannot be had; -1: none */
	int silent;       /* all but the list of GPUs is refused */
	int mig;
	int untyped; /* the kind of an end is not told */
};

static const struct machine machines[] = {
	{ "switch", "NVIDIA H100 80GB HBM3", 0, 8, 18, 6, 0x2330, "aaaaabbbbccccddddd", -1, 0, 0, 0 },
	{ "untyped", "NVIDIA H100 80GB HBM3", 0, 8, 18, 6, 0x2330, "aaaaabbbbccccddddd", -1, 0, 0, 1 },
	{ "hidden", "NVIDIA H100 80GB HBM3", 0, 8, 18, 6, 0x2330, "hhhhhhhhhhhhhhhhhh", -1, 0, 0, 1 },
	{ "pairs", "NVIDIA RTX A6000", 0, 4, 4, 5, 0x2230, "pppp", -1, 0, 0, 0 },
	{ "down", "NVIDIA A100-SXM4-40GB", 0, 2, 12, 4, 0x20b0, "pppp-pp-pppp", -1, 0, 0, 0 },
	{ "no bridge", "NVIDIA RTX A6000", 0, 2, 4, 5, 0x2230, "----", -1, 0, 0, 0 },
	{ "power9", "Tesla V100-SXM2-16GB", 0, 4, 6, 2, 0x1db1, "pppCCC", -1, 0, 0, 0 },
	{ "self", "NVIDIA A100-SXM4-40GB", 0, 2, 2, 4, 0x20b0, "so", -1, 0, 0, 0 },
	{ "new", "NVIDIA X900", 0, 2, 2, 7, 0x9999, "pp", -1, 0, 0, 0 },
	{ "newer", "NVIDIA X901", 0, 2, 2, 99, 0x9999, "pp", -1, 0, 0, 0 },
	{ "older", "NVIDIA A100-SXM4-40GB", 0, 2, 12, 3, 0x20b0, "pppppppppppp", -1, 0, 0, 0 },
	{ "lost", "NVIDIA H100 80GB HBM3", 0, 8, 18, 6, 0x2330, "aaaaabbbbccccddddd", 3, 0, 0, 0 },
	{ "silent", "", 0, 2, 18, 6, 0, "", -1, 1, 0, 0 },
	{ "mig", "NVIDIA A100-SXM4-40GB", 0, 1, 0, 4, 0x20b0, "", -1, 0, 1, 0 },
	{ "none", "", 0, 0, 0, 0, 0, "", -1, 0, 0, 0 },
	{ "mismatch", "", 18, 0, 0, 0, 0, "", -1, 0, 0, 0 },
	{ "broken", "", 999, 0, 0, 0, 0, "", -1, 0, 0, 0 },
};

static const struct machine *machine(void)
{
	const char *name = getenv("COLLPERF_FAKE_NVML");

	for (size_t i = 0; name && i < sizeof machines / sizeof *machines; i++) {
		if (strcmp(machines[i].name, name) == 0)
			return &machines[i];
	}
	return NULL;
}

static unsigned index_of(void *device)
{
	return (unsigned)(uintptr_t)device - 1;
}

/* --- the library --- */

int nvmlInit_v2(void);
int nvmlShutdown(void);
const char *nvmlErrorString(int result);
int nvmlDeviceGetCount_v2(unsigned *count);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device);
int nvmlDeviceGetName(void *device, char *name, unsigned length);
int nvmlDeviceGetPciInfo_v3(void *device, struct nvml_pci *pci);
int nvmlDeviceGetMemoryInfo(void *device, struct nvml_memory *memory);
int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor);
int nvmlDeviceGetMigMode(void *device, unsigned *now, unsigned *pending);
int nvmlDeviceGetCurrPcieLinkGeneration(void *device, unsigned *generation);
int nvmlDeviceGetCurrPcieLinkWidth(void *device, unsigned *width);
int nvmlDeviceGetMaxPcieLinkGeneration(void *device, unsigned *generation);
int nvmlDeviceGetMaxPcieLinkWidth(void *device, unsigned *width);
int nvmlDeviceGetNvLinkState(void *device, unsigned link, unsigned *active);
int nvmlDeviceGetNvLinkVersion(void *device, unsigned link, unsigned *version);
int nvmlDeviceGetNvLinkRemotePciInfo_v2(void *device, unsigned link, struct nvml_pci *pci);
int nvmlDeviceGetNvLinkRemoteDeviceType(void *device, unsigned link, unsigned *type);

int nvmlInit_v2(void)
{
	return machine() ? machine()->init : NOT_LOADED;
}

int nvmlShutdown(void)
{
	return 0;
}

const char *nvmlErrorString(int result)
{
	return result == LOST ? "GPU is lost" : result == NVML_NOT_SUPPORTED ? "Not Supported" : "Unknown Error";
}

int nvmlDeviceGetCount_v2(unsigned *count)
{
	*count = machine()->gpus;
	return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
	if ((int)index == machine()->lost)
		return LOST;
	*device = (void *)(uintptr_t)(index + 1);
	return index < machine()->gpus ? 0 : NVML_INVALID_ARGUMENT;
}

int nvmlDeviceGetName(void *device, char *name, unsigned length)
{
	(void)device;
	if (machine()->silent)
		return NVML_NOT_SUPPORTED;
	snprintf(name, length, "%s", machine()->product);
	return 0;
}

static void address(struct nvml_pci *pci, unsigned char bus, unsigned ids)
{
	memset(pci, 0, sizeof *pci);
	pci->bus = bus;
	pci->ids = ids;
	snprintf(pci->bus_legacy, sizeof pci->bus_legacy, "0000:%02X:00.0", bus);
	snprintf(pci->bus_id, sizeof pci->bus_id, "00000000:%02X:00.0", bus);
}

int nvmlDeviceGetPciInfo_v3(void *device, struct nvml_pci *pci)
{
	address(pci, (unsigned char)(16 * (index_of(device) + 1)), machine()->device << 16 | 0x10de);
	return 0;
}

int nvmlDeviceGetMemoryInfo(void *device, struct nvml_memory *memory)
{
	(void)device;
	if (machine()->silent)
		return NVML_NOT_SUPPORTED;
	*memory = (struct nvml_memory){ 85899345920, 85899345920 - 1024, 1024 };
	return 0;
}

int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor)
{
	(void)device;
	if (machine()->silent)
		return NVML_NOT_SUPPORTED;
	*major = 9;
	*minor = 0;
	return 0;
}

int nvmlDeviceGetMigMode(void *device, unsigned *now, unsigned *pending)
{
	(void)device;
	if (!machine()->mig)
		return NVML_NOT_SUPPORTED;
	*now = *pending = 1;
	return 0;
}

static int tell(unsigned *to, unsigned value)
{
	if (machine()->silent)
		return NVML_NOT_SUPPORTED;
	*to = value;
	return 0;
}

int nvmlDeviceGetCurrPcieLinkGeneration(void *device, unsigned *generation)
{
	(void)device;
	return tell(generation, 1);
}

int nvmlDeviceGetCurrPcieLinkWidth(void *device, unsigned *width)
{
	(void)device;
	return tell(width, 8);
}

int nvmlDeviceGetMaxPcieLinkGeneration(void *device, unsigned *generation)
{
	(void)device;
	return tell(generation, 5);
}

int nvmlDeviceGetMaxPcieLinkWidth(void *device, unsigned *width)
{
	(void)device;
	return tell(width, 16);
}

/* --- links --- */

/* The other GPU of a pair, a switch, the processor; '-' where there is no such link or it is down. */
static int end_of(void *device, unsigned link)
{
	int gpu = (int)index_of(device);
	char letter = link < machine()->links ? machine()->ends[link] : '-';

	if (letter >= 'a' && letter <= 'd')
		return SWITCHES + letter - 'a';
	return letter == 'p' ? gpu ^ 1 : letter == 's' ? gpu : letter == 'C' ? CPU : letter == 'h' ? HIDDEN : NOWHERE;
}

int nvmlDeviceGetNvLinkState(void *device, unsigned link, unsigned *active)
{
	if (machine()->silent || machine()->links == 0)
		return NVML_NOT_SUPPORTED;
	if (link >= machine()->links)
		return NVML_INVALID_ARGUMENT;
	/* The first GPU alone has links that are down, but where none has any up. */
	*active = machine()->ends[link] != '-' || (index_of(device) > 0 && strchr(machine()->ends, 'p'));
	return 0;
}

int nvmlDeviceGetNvLinkVersion(void *device, unsigned link, unsigned *version)
{
	(void)device;
	(void)link;
	return tell(version, machine()->version);
}

int nvmlDeviceGetNvLinkRemotePciInfo_v2(void *device, unsigned link, struct nvml_pci *pci)
{
	int end = end_of(device, link);

	if (end == NOWHERE && machine()->ends[link] == '-')
		end = (int)index_of(device) ^ 1;
	if (end == HIDDEN) {
		address(pci, 0xff, 0);
		pci->domain = 0xffffffff;
		pci->device = 0xff;
	} else if (end == CPU) {
		address(pci, 0xe0, 0x04ea1014);
	} else if (end == NOWHERE) {
		address(pci, 0xf0, machine()->device << 16 | 0x10de);
	} else if (end >= SWITCHES) {
		address(pci, (unsigned char)(0xc0 + end - SWITCHES), 0x22a310de);
	} else {
		address(pci, (unsigned char)(16 * (end + 1)), machine()->device << 16 | 0x10de);
	}
	return 0;
}

int nvmlDeviceGetNvLinkRemoteDeviceType(void *device, unsigned link, unsigned *type)
{
	int end = end_of(device, link);

	if (machine()->untyped) {
		*type = UNKNOWN_TYPE;
		return 0;
	}
	*type = end == CPU                                        ? NVML_REMOTE_IBM
		: end == HIDDEN || (end >= SWITCHES && end < CPU) ? NVML_REMOTE_SWITCH
								  : NVML_REMOTE_GPU;
	return 0;
}
