/* SPDX-License-Identifier: Apache-2.0
 *
 * Every function of NCCL, of the CUDA runtime and of the CUDA driver that we call, found at run time by dlopen: a binary built with NCCL starts on a
 * machine that has neither, and one binary runs with several versions. For the files named nccl*.c alone.
 */
#ifndef COLLPERF_NCCL_API_H
#define COLLPERF_NCCL_API_H

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <nccl.h>
#include <stdbool.h>
#include <stddef.h>

/* Members that are marked "or NULL" are missing from older libraries or from the headers compiled against. */
struct nccl_api {
	/* CUDA runtime, libcudart.so */
	__typeof__(cudaGetErrorString) *error_string;
	__typeof__(cudaGetLastError) *last_error;
	__typeof__(cudaDriverGetVersion) *driver_version;
	__typeof__(cudaRuntimeGetVersion) *runtime_version;
	__typeof__(cudaGetDeviceCount) *device_count;
	__typeof__(cudaSetDevice) *set_device;
	__typeof__(cudaDeviceGetPCIBusId) *pci_bus_id;
	__typeof__(cudaDeviceGetAttribute) *device_attribute;
	__typeof__(cudaMemGetInfo) *memory_info;
	__typeof__(cudaMalloc) *allocate;
	__typeof__(cudaFree) *release;
	__typeof__(cudaHostAlloc) *host_allocate;
	__typeof__(cudaFreeHost) *host_release;
	__typeof__(cudaHostGetDevicePointer) *host_device_pointer;
	__typeof__(cudaMemcpyAsync) *copy;
	__typeof__(cudaMemsetAsync) *fill;
	__typeof__(cudaStreamCreateWithFlags) *stream_create;
	__typeof__(cudaStreamCreateWithPriority) *stream_create_priority;
	__typeof__(cudaDeviceGetStreamPriorityRange) *priority_range;
	__typeof__(cudaStreamDestroy) *stream_destroy;
	__typeof__(cudaStreamQuery) *stream_query;
	__typeof__(cudaStreamSynchronize) *stream_synchronize;
	__typeof__(cudaStreamWaitEvent) *stream_wait_event;
	__typeof__(cudaEventCreateWithFlags) *event_create;
	__typeof__(cudaEventDestroy) *event_destroy;
	__typeof__(cudaEventRecord) *event_record;
	__typeof__(cudaEventSynchronize) *event_synchronize;
	__typeof__(cudaEventElapsedTime) *event_elapsed;
	__typeof__(cudaStreamBeginCapture) *begin_capture;
	__typeof__(cudaStreamEndCapture) *end_capture;
	__typeof__(cudaGraphInstantiateWithFlags) *graph_instantiate;
	__typeof__(cudaGraphLaunch) *graph_launch;
	__typeof__(cudaGraphExecDestroy) *graph_exec_destroy;
	__typeof__(cudaGraphDestroy) *graph_destroy;
	__typeof__(cudaLaunchHostFunc) *launch_host_function;

	/* CUDA driver, libcuda.so.1: what the runtime lacks or keeps in structs that change between versions */
	__typeof__(cuGetErrorString) *driver_error_string;
	__typeof__(cuDeviceGet) *driver_device;
	__typeof__(cuDeviceGetName) *driver_device_name;
	__typeof__(cuModuleLoadData) *module_load;
	__typeof__(cuModuleUnload) *module_unload;
	__typeof__(cuModuleGetFunction) *module_function;
	__typeof__(cuLaunchKernel) *launch_kernel;

	/* NCCL, libnccl.so.2 */
	__typeof__(ncclGetVersion) *version;
	__typeof__(ncclGetErrorString) *nccl_error_string;
	const char *(*nccl_last_error)(ncclComm_t comm); /* or NULL, before 2.13 */
	__typeof__(ncclGetUniqueId) *unique_id;
	__typeof__(ncclCommInitRank) *init_rank;
	__typeof__(ncclCommDestroy) *comm_destroy;
	__typeof__(ncclCommAbort) *comm_abort;
	__typeof__(ncclCommGetAsyncError) *async_error;
	__typeof__(ncclGroupStart) *group_start;
	__typeof__(ncclGroupEnd) *group_end;
	__typeof__(ncclAllReduce) *all_reduce;
	__typeof__(ncclBroadcast) *broadcast;
	__typeof__(ncclReduce) *reduce;
	__typeof__(ncclAllGather) *all_gather;
	__typeof__(ncclReduceScatter) *reduce_scatter;
	__typeof__(ncclSend) *send;
	__typeof__(ncclRecv) *recv;

	/*
	 * Or NULL: newer than 2.10. Named by address alone, so that old headers compile; nccl_features.c knows which headers have which, and holds the
	 * only code that calls those whose types need new headers.
	 */
	void *init_rank_config;    /* 2.14: CTA policy */
	void *redop_create_premul; /* 2.11 */
	void *redop_destroy;       /* 2.11 */
	void *mem_alloc;           /* 2.19 */
	void *mem_free;            /* 2.19 */
	void *comm_register;       /* 2.19 */
	void *comm_deregister;     /* 2.19 */
	void *window_register;     /* 2.27 */
	void *window_deregister;   /* 2.27 */
	void *alltoall;            /* 2.28 */
	void *gather;              /* 2.28 */
	void *scatter;             /* 2.28 */

	void *nccl, *runtime, *driver; /* handles */
	int nccl_version;              /* as ncclGetVersion says: 22809 */
	bool is_fake;                  /* a stand-in for tests: its results are no measurement */
};

/* 0, or -1 with one line in `reason`: which library or function is missing, or that the driver finds no GPU. */
int nccl_api_load(struct nccl_api *api, char *reason, size_t size);
void nccl_api_unload(struct nccl_api *api);

/* "2.28.9" from 22809, "2.8.4" from 2804. */
void nccl_version_text(int version, char *text, size_t size);

#endif
