/* SPDX-License-Identifier: Apache-2.0
 *
 * NVIDIA's management library, found at run time; the few functions that are used, declared here. Any of them may be missing in a library: NULL then.
 * Binary interface as the library has kept it since NVLink came: a result is an int, 0 success; handles are pointers.
 */
#ifndef COLLPERF_NVML_H
#define COLLPERF_NVML_H

#include <stddef.h>

#include "topo.h"

enum nvml_result {
	NVML_SUCCESS = 0,
	NVML_INVALID_ARGUMENT = 2,
	NVML_NOT_SUPPORTED = 3,
	NVML_DRIVER_NOT_LOADED = 9,
	NVML_MISMATCH = 18
};
enum nvml_remote { NVML_REMOTE_GPU = 0, NVML_REMOTE_IBM = 1, NVML_REMOTE_SWITCH = 2 };

struct nvml_pci {
	char bus_legacy[16];
	unsigned domain, bus, device;
	unsigned ids, subsystem; /* device id in the upper half, vendor in the lower */
	char bus_id[32];         /* libraries from before 2018 write 16 reserved bytes here */
};

struct nvml_memory {
	unsigned long long total, available, used;
};

struct nvml {
	void *library;
	int (*init)(void);
	int (*shutdown)(void);
	const char *(*error)(int result);
	int (*count)(unsigned *count);
	int (*handle)(unsigned index, void **device);
	int (*name)(void *device, char *name, unsigned length);
	int (*pci)(void *device, struct nvml_pci *pci);
	int (*memory)(void *device, struct nvml_memory *memory);
	int (*capability)(void *device, int *major, int *minor);
	int (*mig)(void *device, unsigned *now, unsigned *pending);
	int (*generation)(void *device, unsigned *generation);
	int (*width)(void *device, unsigned *width);
	int (*most_generation)(void *device, unsigned *generation);
	int (*most_width)(void *device, unsigned *width);
	int (*link_state)(void *device, unsigned link, unsigned *active);
	int (*link_version)(void *device, unsigned link, unsigned *version);
	int (*link_remote)(void *device, unsigned link, struct nvml_pci *pci);
	int (*link_type)(void *device, unsigned link, unsigned *type);
};

/* -1 with one line in `why`: no library, no driver, or they do not fit. `name` NULL: libnvidia-ml.so.1. */
int nvml_open(struct nvml *nvml, const char *name, char *why, size_t size);
void nvml_close(struct nvml *nvml);
/* What the library calls a result. */
const char *nvml_words(const struct nvml *nvml, int result);
/* "0000:0f:00.0" of a function 0; `bus` of 24 bytes. */
void nvml_bus(const struct nvml_pci *pci, char *bus);

/*
 * The GPUs in the library's order, each with its PCI function (added where the host has it not); *listed: how many. -1: out of memory. What a call
 * does not tell is unknown or a note.
 */
int nvml_gpus(const struct nvml *nvml, struct topo_host *host, int *listed);
/* NVLinks of the GPUs that nvml_gpus added: one element for each GPU and end. */
int nvml_links(const struct nvml *nvml, struct topo_host *host);

#endif
