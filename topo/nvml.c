/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding the library and its functions. A symbol of an older spelling stands in for the newer one where both mean the same to us.
 */
#include "nvml.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct symbol {
	const char *name, *older;
	size_t offset;
};

static const struct symbol symbols[] = {
	{ "nvmlInit_v2", "nvmlInit", offsetof(struct nvml, init) },
	{ "nvmlShutdown", NULL, offsetof(struct nvml, shutdown) },
	{ "nvmlErrorString", NULL, offsetof(struct nvml, error) },
	{ "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount", offsetof(struct nvml, count) },
	{ "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex", offsetof(struct nvml, handle) },
	{ "nvmlDeviceGetName", NULL, offsetof(struct nvml, name) },
	{ "nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2", offsetof(struct nvml, pci) },
	{ "nvmlDeviceGetMemoryInfo", NULL, offsetof(struct nvml, memory) },
	{ "nvmlDeviceGetCudaComputeCapability", NULL, offsetof(struct nvml, capability) },
	{ "nvmlDeviceGetMigMode", NULL, offsetof(struct nvml, mig) },
	{ "nvmlDeviceGetCurrPcieLinkGeneration", NULL, offsetof(struct nvml, generation) },
	{ "nvmlDeviceGetCurrPcieLinkWidth", NULL, offsetof(struct nvml, width) },
	{ "nvmlDeviceGetMaxPcieLinkGeneration", NULL, offsetof(struct nvml, most_generation) },
	{ "nvmlDeviceGetMaxPcieLinkWidth", NULL, offsetof(struct nvml, most_width) },
	{ "nvmlDeviceGetNvLinkState", NULL, offsetof(struct nvml, link_state) },
	{ "nvmlDeviceGetNvLinkVersion", NULL, offsetof(struct nvml, link_version) },
	{ "nvmlDeviceGetNvLinkRemotePciInfo_v2", "nvmlDeviceGetNvLinkRemotePciInfo", offsetof(struct nvml, link_remote) },
	{ "nvmlDeviceGetNvLinkRemoteDeviceType", NULL, offsetof(struct nvml, link_type) },
};

static void find(struct nvml *nvml)
{
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		void *found = dlsym(nvml->library, symbols[i].name);

		if (!found && symbols[i].older)
			found = dlsym(nvml->library, symbols[i].older);
		memcpy((char *)nvml + symbols[i].offset, &found, sizeof found);
	}
}

const char *nvml_words(const struct nvml *nvml, int result)
{
	const char *words = nvml->error ? nvml->error(result) : NULL;

	return words && words[0] ? words : "no reason given";
}

static void no_library(const char *name, char *why, size_t size)
{
	const char *said = dlerror();

	if (!said || strstr(said, "No such file"))
		snprintf(why, size, "NVML: %s is not there", name);
	else
		snprintf(why, size, "NVML: %s", said);
}

static void no_init(const struct nvml *nvml, int result, char *why, size_t size)
{
	if (result == NVML_DRIVER_NOT_LOADED)
		snprintf(why, size, "NVML: the NVIDIA driver is not loaded");
	else if (result == NVML_MISMATCH)
		snprintf(why, size, "NVML: library and driver are of different versions");
	else
		snprintf(why, size, "NVML: starting it failed: %s (%d)", nvml_words(nvml, result), result);
}

int nvml_open(struct nvml *nvml, const char *name, char *why, size_t size)
{
	const char *library = name ? name : "libnvidia-ml.so.1";
	int result;

	*nvml = (struct nvml){ .library = dlopen(library, RTLD_NOW | RTLD_LOCAL) };
	if (!nvml->library) {
		no_library(library, why, size);
		return -1;
	}
	find(nvml);
	if (!nvml->init || !nvml->count || !nvml->handle || !nvml->pci) {
		snprintf(why, size, "NVML: %s lacks a function that lists GPUs", library);
		dlclose(nvml->library);
		return -1;
	}
	result = nvml->init();
	if (result != NVML_SUCCESS) {
		no_init(nvml, result, why, size);
		dlclose(nvml->library);
		return -1;
	}
	return 0;
}

void nvml_close(struct nvml *nvml)
{
	if (nvml->shutdown)
		nvml->shutdown();
	dlclose(nvml->library);
	*nvml = (struct nvml){ 0 };
}

void nvml_bus(const struct nvml_pci *pci, char *bus)
{
	snprintf(bus, 24, "%04x:%02x:%02x.0", pci->domain, pci->bus & 0xff, pci->device & 0x1f);
}
