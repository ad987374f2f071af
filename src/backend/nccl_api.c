/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding NCCL and CUDA at run time. What is missing is diagnosed from the bottom up: driver, runtime, NCCL, functions, GPUs.
 */
#include "nccl_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum library { DRIVER, RUNTIME, NCCL };

enum { OLDEST_NCCL = 21000 };

struct symbol {
	const char *name;
	size_t offset; /* of the member in struct nccl_api */
	enum library library;
	bool optional;
};

static const struct symbol symbols[] = {
	{ "cudaGetErrorString", offsetof(struct nccl_api, error_string), RUNTIME, false },
	{ "cudaGetLastError", offsetof(struct nccl_api, last_error), RUNTIME, false },
	{ "cudaDriverGetVersion", offsetof(struct nccl_api, driver_version), RUNTIME, false },
	{ "cudaRuntimeGetVersion", offsetof(struct nccl_api, runtime_version), RUNTIME, false },
	{ "cudaGetDeviceCount", offsetof(struct nccl_api, device_count), RUNTIME, false },
	{ "cudaSetDevice", offsetof(struct nccl_api, set_device), RUNTIME, false },
	{ "cudaDeviceGetPCIBusId", offsetof(struct nccl_api, pci_bus_id), RUNTIME, false },
	{ "cudaDeviceGetAttribute", offsetof(struct nccl_api, device_attribute), RUNTIME, false },
	{ "cudaMemGetInfo", offsetof(struct nccl_api, memory_info), RUNTIME, false },
	{ "cudaMalloc", offsetof(struct nccl_api, allocate), RUNTIME, false },
	{ "cudaFree", offsetof(struct nccl_api, release), RUNTIME, false },
	{ "cudaHostAlloc", offsetof(struct nccl_api, host_allocate), RUNTIME, false },
	{ "cudaFreeHost", offsetof(struct nccl_api, host_release), RUNTIME, false },
	{ "cudaHostGetDevicePointer", offsetof(struct nccl_api, host_device_pointer), RUNTIME, false },
	{ "cudaMemcpyAsync", offsetof(struct nccl_api, copy), RUNTIME, false },
	{ "cudaMemsetAsync", offsetof(struct nccl_api, fill), RUNTIME, false },
	{ "cudaStreamCreateWithFlags", offsetof(struct nccl_api, stream_create), RUNTIME, false },
	{ "cudaStreamCreateWithPriority", offsetof(struct nccl_api, stream_create_priority), RUNTIME, false },
	{ "cudaDeviceGetStreamPriorityRange", offsetof(struct nccl_api, priority_range), RUNTIME, false },
	{ "cudaStreamDestroy", offsetof(struct nccl_api, stream_destroy), RUNTIME, false },
	{ "cudaStreamQuery", offsetof(struct nccl_api, stream_query), RUNTIME, false },
	{ "cudaStreamSynchronize", offsetof(struct nccl_api, stream_synchronize), RUNTIME, false },
	{ "cudaStreamWaitEvent", offsetof(struct nccl_api, stream_wait_event), RUNTIME, false },
	{ "cudaEventCreateWithFlags", offsetof(struct nccl_api, event_create), RUNTIME, false },
	{ "cudaEventDestroy", offsetof(struct nccl_api, event_destroy), RUNTIME, false },
	{ "cudaEventRecord", offsetof(struct nccl_api, event_record), RUNTIME, false },
	{ "cudaEventSynchronize", offsetof(struct nccl_api, event_synchronize), RUNTIME, false },
	{ "cudaEventElapsedTime", offsetof(struct nccl_api, event_elapsed), RUNTIME, false },
	{ "cudaStreamBeginCapture", offsetof(struct nccl_api, begin_capture), RUNTIME, false },
	{ "cudaStreamEndCapture", offsetof(struct nccl_api, end_capture), RUNTIME, false },
	{ "cudaGraphInstantiateWithFlags", offsetof(struct nccl_api, graph_instantiate), RUNTIME, false },
	{ "cudaGraphLaunch", offsetof(struct nccl_api, graph_launch), RUNTIME, false },
	{ "cudaGraphExecDestroy", offsetof(struct nccl_api, graph_exec_destroy), RUNTIME, false },
	{ "cudaGraphDestroy", offsetof(struct nccl_api, graph_destroy), RUNTIME, false },
	{ "cudaLaunchHostFunc", offsetof(struct nccl_api, launch_host_function), RUNTIME, false },

	{ "cuGetErrorString", offsetof(struct nccl_api, driver_error_string), DRIVER, false },
	{ "cuDeviceGet", offsetof(struct nccl_api, driver_device), DRIVER, false },
	{ "cuDeviceGetName", offsetof(struct nccl_api, driver_device_name), DRIVER, false },
	{ "cuModuleLoadData", offsetof(struct nccl_api, module_load), DRIVER, false },
	{ "cuModuleUnload", offsetof(struct nccl_api, module_unload), DRIVER, false },
	{ "cuModuleGetFunction", offsetof(struct nccl_api, module_function), DRIVER, false },
	{ "cuLaunchKernel", offsetof(struct nccl_api, launch_kernel), DRIVER, false },

	{ "ncclGetVersion", offsetof(struct nccl_api, version), NCCL, false },
	{ "ncclGetErrorString", offsetof(struct nccl_api, nccl_error_string), NCCL, false },
	{ "ncclGetLastError", offsetof(struct nccl_api, nccl_last_error), NCCL, true },
	{ "ncclGetUniqueId", offsetof(struct nccl_api, unique_id), NCCL, false },
	{ "ncclCommInitRank", offsetof(struct nccl_api, init_rank), NCCL, false },
	{ "ncclCommDestroy", offsetof(struct nccl_api, comm_destroy), NCCL, false },
	{ "ncclCommAbort", offsetof(struct nccl_api, comm_abort), NCCL, false },
	{ "ncclCommGetAsyncError", offsetof(struct nccl_api, async_error), NCCL, false },
	{ "ncclGroupStart", offsetof(struct nccl_api, group_start), NCCL, false },
	{ "ncclGroupEnd", offsetof(struct nccl_api, group_end), NCCL, false },
	{ "ncclAllReduce", offsetof(struct nccl_api, all_reduce), NCCL, false },
	{ "ncclBroadcast", offsetof(struct nccl_api, broadcast), NCCL, false },
	{ "ncclReduce", offsetof(struct nccl_api, reduce), NCCL, false },
	{ "ncclAllGather", offsetof(struct nccl_api, all_gather), NCCL, false },
	{ "ncclReduceScatter", offsetof(struct nccl_api, reduce_scatter), NCCL, false },
	{ "ncclSend", offsetof(struct nccl_api, send), NCCL, false },
	{ "ncclRecv", offsetof(struct nccl_api, recv), NCCL, false },
	{ "ncclCommInitRankConfig", offsetof(struct nccl_api, init_rank_config), NCCL, true },
	{ "ncclRedOpCreatePreMulSum", offsetof(struct nccl_api, redop_create_premul), NCCL, true },
	{ "ncclRedOpDestroy", offsetof(struct nccl_api, redop_destroy), NCCL, true },
	{ "ncclMemAlloc", offsetof(struct nccl_api, mem_alloc), NCCL, true },
	{ "ncclMemFree", offsetof(struct nccl_api, mem_free), NCCL, true },
	{ "ncclCommRegister", offsetof(struct nccl_api, comm_register), NCCL, true },
	{ "ncclCommDeregister", offsetof(struct nccl_api, comm_deregister), NCCL, true },
	{ "ncclCommWindowRegister", offsetof(struct nccl_api, window_register), NCCL, true },
	{ "ncclCommWindowDeregister", offsetof(struct nccl_api, window_deregister), NCCL, true },
	{ "ncclAlltoAll", offsetof(struct nccl_api, alltoall), NCCL, true },
	{ "ncclGather", offsetof(struct nccl_api, gather), NCCL, true },
	{ "ncclScatter", offsetof(struct nccl_api, scatter), NCCL, true },
};

_Static_assert(sizeof symbols / sizeof symbols[0] == offsetof(struct nccl_api, nccl) / sizeof(void *),
	       "every function has a row");

/* Of the same version as the headers, then downwards, then what a developer's machine calls simply so. */
static const char *const runtimes[] = { "libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0", "libcudart.so" };
enum { RUNTIMES = sizeof runtimes / sizeof runtimes[0] };

/* Ours alone: another library's symbols of the same names stay its own. Never unloaded: the driver may have threads that run on. */
static void *open_library(const char *name)
{
	return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

/* A library that is there and cannot be loaded is another trouble than one that is not there. */
static int fail_library(const char *missing, const char *name, char *reason, size_t size)
{
	const char *error = dlerror();

	if (!error || strstr(error, "No such file"))
		snprintf(reason, size, "%s (%s was not found)", missing, name);
	else
		snprintf(reason, size, "%s (%s)", missing, error);
	return -1;
}

static int load_functions(struct nccl_api *api, enum library library, char *reason, size_t size)
{
	static const char *const names[] = { [DRIVER] = "libcuda.so.1", [RUNTIME] = "libcudart.so", [NCCL] = "libnccl.so.2" };
	void *const handle = library == DRIVER ? api->driver : library == RUNTIME ? api->runtime : api->nccl;

	for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
		const struct symbol *symbol = &symbols[i];

		if (symbol->library != library)
			continue;
		void *const address = dlsym(handle, symbol->name);

		if (!address && !symbol->optional) {
			snprintf(reason, size, "%s is too old: it has no %s", names[library], symbol->name);
			return -1;
		}
		/* A copy, since C has no cast from data to functions. */
		memcpy((char *)api + symbol->offset, &address, sizeof address);
	}
	return 0;
}

/* A runtime newer than the driver finds no GPU; an older one beside it does. */
static bool suits_driver(const struct nccl_api *api)
{
	int driver = 0, runtime = 0;

	return api->driver_version(&driver) != cudaSuccess || api->runtime_version(&runtime) != cudaSuccess || driver == 0 ||
	       runtime / 1000 <= driver / 1000;
}

/* The first that suits the driver, else the first. */
static int load_runtime(struct nccl_api *api, char *reason, size_t size)
{
	const int newest = CUDART_VERSION / 1000 >= 13 ? 0 : 13 - CUDART_VERSION / 1000;
	void *first = NULL;

	for (int i = 0; i < RUNTIMES; i++) {
		/* From the headers' own version on, then the newer ones. */
		api->runtime = open_library(runtimes[i == RUNTIMES - 1 ? i : (i + newest) % (RUNTIMES - 1)]);
		if (!api->runtime)
			continue;
		if (load_functions(api, RUNTIME, reason, size) == 0 && suits_driver(api))
			return 0;
		first = first ? first : api->runtime;
	}
	api->runtime = first;
	if (first)
		return load_functions(api, RUNTIME, reason, size);
	return fail_library("the CUDA runtime is missing", "libcudart.so.13, .12, .11.0", reason, size);
}

static int load_nccl(struct nccl_api *api, char *reason, size_t size)
{
	char text[40];

	api->nccl = open_library("libnccl.so.2");
	if (!api->nccl)
		return fail_library("NCCL is missing", "libnccl.so.2", reason, size);
	if (load_functions(api, NCCL, reason, size))
		return -1;
	if (api->version(&api->nccl_version) != ncclSuccess) {
		snprintf(reason, size, "libnccl.so.2 does not tell its version");
		return -1;
	}
	if (api->nccl_version < OLDEST_NCCL) {
		nccl_version_text(api->nccl_version, text, sizeof text);
		snprintf(reason, size, "NCCL %s is too old, 2.10 is needed", text);
		return -1;
	}
	api->is_fake = dlsym(api->nccl, "collperf_fake") != NULL;
	return 0;
}

static int find_gpus(const struct nccl_api *api, char *reason, size_t size)
{
	int count = 0;
	const cudaError_t error = api->device_count(&count);

	if (error == cudaSuccess && count > 0)
		return 0;
	/* Else the next call would meet it again. */
	api->last_error();
	snprintf(reason, size, "no GPU is visible (%s)", error ? api->error_string(error) : "0 devices");
	return -1;
}

int nccl_api_load(struct nccl_api *api, char *reason, size_t size)
{
	*api = (struct nccl_api){ .nccl_version = 0 };
	api->driver = open_library("libcuda.so.1");
	if (!api->driver)
		return fail_library("no NVIDIA driver on this machine", "libcuda.so.1", reason, size);
	if (load_functions(api, DRIVER, reason, size) || load_runtime(api, reason, size) || load_nccl(api, reason, size))
		return -1;
	return find_gpus(api, reason, size);
}

/* The libraries stay: they have threads and functions to call at exit. */
void nccl_api_unload(struct nccl_api *api)
{
	*api = (struct nccl_api){ .nccl_version = 0 };
}

void nccl_version_text(int version, char *text, size_t size)
{
	const int scale = version < 10000 ? 1000 : 10000;

	snprintf(text, size, "%d.%d.%d", version / scale, version % scale / 100, version % 100);
}
