/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled twice: against tests/fakes/include and, where they are, against CUDA's own headers. Either way the values must be these.
 */
#include <cuda.h>
#include <cuda_runtime_api.h>

_Static_assert((int)cudaSuccess == 0, "cudaSuccess");
_Static_assert((int)cudaErrorInvalidValue == 1, "cudaErrorInvalidValue");
_Static_assert((int)cudaErrorMemoryAllocation == 2, "cudaErrorMemoryAllocation");
_Static_assert((int)cudaErrorInitializationError == 3, "cudaErrorInitializationError");
_Static_assert((int)cudaErrorInvalidDevicePointer == 17, "cudaErrorInvalidDevicePointer");
_Static_assert((int)cudaErrorInvalidMemcpyDirection == 21, "cudaErrorInvalidMemcpyDirection");
_Static_assert((int)cudaErrorInsufficientDriver == 35, "cudaErrorInsufficientDriver");
_Static_assert((int)cudaErrorDevicesUnavailable == 46, "cudaErrorDevicesUnavailable");
_Static_assert((int)cudaErrorNoDevice == 100, "cudaErrorNoDevice");
_Static_assert((int)cudaErrorInvalidDevice == 101, "cudaErrorInvalidDevice");
_Static_assert((int)cudaErrorNoKernelImageForDevice == 209, "cudaErrorNoKernelImageForDevice");
_Static_assert((int)cudaErrorInvalidResourceHandle == 400, "cudaErrorInvalidResourceHandle");
_Static_assert((int)cudaErrorIllegalState == 401, "cudaErrorIllegalState");
_Static_assert((int)cudaErrorNotReady == 600, "cudaErrorNotReady");
_Static_assert((int)cudaErrorIllegalAddress == 700, "cudaErrorIllegalAddress");
_Static_assert((int)cudaErrorLaunchTimeout == 702, "cudaErrorLaunchTimeout");
_Static_assert((int)cudaErrorLaunchFailure == 719, "cudaErrorLaunchFailure");
_Static_assert((int)cudaErrorNotPermitted == 800, "cudaErrorNotPermitted");
_Static_assert((int)cudaErrorNotSupported == 801, "cudaErrorNotSupported");
_Static_assert((int)cudaErrorSystemNotReady == 802, "cudaErrorSystemNotReady");
_Static_assert((int)cudaErrorSystemDriverMismatch == 803, "cudaErrorSystemDriverMismatch");
_Static_assert((int)cudaErrorStreamCaptureUnsupported == 900, "cudaErrorStreamCaptureUnsupported");
_Static_assert((int)cudaErrorStreamCaptureInvalidated == 901, "cudaErrorStreamCaptureInvalidated");
_Static_assert((int)cudaErrorStreamCaptureUnmatched == 903, "cudaErrorStreamCaptureUnmatched");
_Static_assert((int)cudaErrorStreamCaptureImplicit == 906, "cudaErrorStreamCaptureImplicit");
_Static_assert((int)cudaErrorCapturedEvent == 907, "cudaErrorCapturedEvent");
_Static_assert((int)cudaErrorStreamCaptureWrongThread == 908, "cudaErrorStreamCaptureWrongThread");
_Static_assert((int)cudaErrorUnknown == 999, "cudaErrorUnknown");
_Static_assert((int)cudaMemcpyHostToHost == 0, "cudaMemcpyHostToHost");
_Static_assert((int)cudaMemcpyHostToDevice == 1, "cudaMemcpyHostToDevice");
_Static_assert((int)cudaMemcpyDeviceToHost == 2, "cudaMemcpyDeviceToHost");
_Static_assert((int)cudaMemcpyDeviceToDevice == 3, "cudaMemcpyDeviceToDevice");
_Static_assert((int)cudaMemcpyDefault == 4, "cudaMemcpyDefault");
_Static_assert((int)cudaStreamCaptureModeGlobal == 0, "cudaStreamCaptureModeGlobal");
_Static_assert((int)cudaStreamCaptureModeThreadLocal == 1, "cudaStreamCaptureModeThreadLocal");
_Static_assert((int)cudaStreamCaptureModeRelaxed == 2, "cudaStreamCaptureModeRelaxed");
_Static_assert((int)cudaDevAttrMaxThreadsPerBlock == 1, "cudaDevAttrMaxThreadsPerBlock");
_Static_assert((int)cudaDevAttrMaxBlockDimX == 2, "cudaDevAttrMaxBlockDimX");
_Static_assert((int)cudaDevAttrMaxGridDimX == 5, "cudaDevAttrMaxGridDimX");
_Static_assert((int)cudaDevAttrMaxSharedMemoryPerBlock == 8, "cudaDevAttrMaxSharedMemoryPerBlock");
_Static_assert((int)cudaDevAttrWarpSize == 10, "cudaDevAttrWarpSize");
_Static_assert((int)cudaDevAttrClockRate == 13, "cudaDevAttrClockRate");
_Static_assert((int)cudaDevAttrMultiProcessorCount == 16, "cudaDevAttrMultiProcessorCount");
_Static_assert((int)cudaDevAttrIntegrated == 18, "cudaDevAttrIntegrated");
_Static_assert((int)cudaDevAttrCanMapHostMemory == 19, "cudaDevAttrCanMapHostMemory");
_Static_assert((int)cudaDevAttrComputeMode == 20, "cudaDevAttrComputeMode");
_Static_assert((int)cudaDevAttrPciBusId == 33, "cudaDevAttrPciBusId");
_Static_assert((int)cudaDevAttrPciDeviceId == 34, "cudaDevAttrPciDeviceId");
_Static_assert((int)cudaDevAttrMemoryClockRate == 36, "cudaDevAttrMemoryClockRate");
_Static_assert((int)cudaDevAttrGlobalMemoryBusWidth == 37, "cudaDevAttrGlobalMemoryBusWidth");
_Static_assert((int)cudaDevAttrMaxThreadsPerMultiProcessor == 39, "cudaDevAttrMaxThreadsPerMultiProcessor");
_Static_assert((int)cudaDevAttrUnifiedAddressing == 41, "cudaDevAttrUnifiedAddressing");
_Static_assert((int)cudaDevAttrPciDomainId == 50, "cudaDevAttrPciDomainId");
_Static_assert((int)cudaDevAttrComputeCapabilityMajor == 75, "cudaDevAttrComputeCapabilityMajor");
_Static_assert((int)cudaDevAttrComputeCapabilityMinor == 76, "cudaDevAttrComputeCapabilityMinor");
_Static_assert((int)cudaHostAllocDefault == 0, "cudaHostAllocDefault");
_Static_assert((int)cudaHostAllocPortable == 1, "cudaHostAllocPortable");
_Static_assert((int)cudaHostAllocMapped == 2, "cudaHostAllocMapped");
_Static_assert((int)cudaHostAllocWriteCombined == 4, "cudaHostAllocWriteCombined");
_Static_assert((int)cudaStreamDefault == 0, "cudaStreamDefault");
_Static_assert((int)cudaStreamNonBlocking == 1, "cudaStreamNonBlocking");
_Static_assert((int)cudaEventDefault == 0, "cudaEventDefault");
_Static_assert((int)cudaEventBlockingSync == 1, "cudaEventBlockingSync");
_Static_assert((int)cudaEventDisableTiming == 2, "cudaEventDisableTiming");
_Static_assert((int)cudaEventInterprocess == 4, "cudaEventInterprocess");
_Static_assert((int)CUDA_SUCCESS == 0, "CUDA_SUCCESS");
_Static_assert((int)CUDA_ERROR_INVALID_VALUE == 1, "CUDA_ERROR_INVALID_VALUE");
_Static_assert((int)CUDA_ERROR_OUT_OF_MEMORY == 2, "CUDA_ERROR_OUT_OF_MEMORY");
_Static_assert((int)CUDA_ERROR_NOT_INITIALIZED == 3, "CUDA_ERROR_NOT_INITIALIZED");
_Static_assert((int)CUDA_ERROR_NO_DEVICE == 100, "CUDA_ERROR_NO_DEVICE");
_Static_assert((int)CUDA_ERROR_INVALID_DEVICE == 101, "CUDA_ERROR_INVALID_DEVICE");
_Static_assert((int)CUDA_ERROR_INVALID_IMAGE == 200, "CUDA_ERROR_INVALID_IMAGE");
_Static_assert((int)CUDA_ERROR_INVALID_CONTEXT == 201, "CUDA_ERROR_INVALID_CONTEXT");
_Static_assert((int)CUDA_ERROR_NO_BINARY_FOR_GPU == 209, "CUDA_ERROR_NO_BINARY_FOR_GPU");
_Static_assert((int)CUDA_ERROR_INVALID_HANDLE == 400, "CUDA_ERROR_INVALID_HANDLE");
_Static_assert((int)CUDA_ERROR_NOT_FOUND == 500, "CUDA_ERROR_NOT_FOUND");
_Static_assert((int)CUDA_ERROR_NOT_READY == 600, "CUDA_ERROR_NOT_READY");
_Static_assert((int)CUDA_ERROR_LAUNCH_FAILED == 719, "CUDA_ERROR_LAUNCH_FAILED");
_Static_assert((int)CUDA_ERROR_UNKNOWN == 999, "CUDA_ERROR_UNKNOWN");
_Static_assert(CUDART_VERSION >= 11000 && CUDA_VERSION >= 11000, "versions");
_Static_assert(sizeof(cudaError_t) == sizeof(int) && sizeof(CUresult) == sizeof(int) && sizeof(CUdevice) == sizeof(int), "sizes");

/* The same for signatures. */
const struct {
	const char *(*cudaGetErrorString)(cudaError_t error);
	cudaError_t (*cudaGetLastError)(void);
	cudaError_t (*cudaDriverGetVersion)(int *version);
	cudaError_t (*cudaRuntimeGetVersion)(int *version);
	cudaError_t (*cudaGetDeviceCount)(int *count);
	cudaError_t (*cudaSetDevice)(int device);
	cudaError_t (*cudaDeviceGetPCIBusId)(char *text, int size, int device);
	cudaError_t (*cudaDeviceGetAttribute)(int *value, enum cudaDeviceAttr attribute, int device);
	cudaError_t (*cudaMemGetInfo)(size_t *available, size_t *total);
	cudaError_t (*cudaMalloc)(void **memory, size_t size);
	cudaError_t (*cudaFree)(void *memory);
	cudaError_t (*cudaHostAlloc)(void **memory, size_t size, unsigned int flags);
	cudaError_t (*cudaFreeHost)(void *memory);
	cudaError_t (*cudaHostGetDevicePointer)(void **device, void *host, unsigned int flags);
	cudaError_t (*cudaMemcpyAsync)(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream);
	cudaError_t (*cudaMemsetAsync)(void *to, int value, size_t bytes, cudaStream_t stream);
	cudaError_t (*cudaStreamCreateWithFlags)(cudaStream_t *stream, unsigned int flags);
	cudaError_t (*cudaStreamDestroy)(cudaStream_t stream);
	cudaError_t (*cudaStreamQuery)(cudaStream_t stream);
	cudaError_t (*cudaStreamSynchronize)(cudaStream_t stream);
	cudaError_t (*cudaEventCreateWithFlags)(cudaEvent_t *event, unsigned int flags);
	cudaError_t (*cudaEventDestroy)(cudaEvent_t event);
	cudaError_t (*cudaEventRecord)(cudaEvent_t event, cudaStream_t stream);
	cudaError_t (*cudaEventSynchronize)(cudaEvent_t event);
	cudaError_t (*cudaEventElapsedTime)(float *milliseconds, cudaEvent_t start, cudaEvent_t end);
	cudaError_t (*cudaStreamBeginCapture)(cudaStream_t stream, enum cudaStreamCaptureMode mode);
	cudaError_t (*cudaStreamEndCapture)(cudaStream_t stream, cudaGraph_t *graph);
	cudaError_t (*cudaGraphInstantiateWithFlags)(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags);
	cudaError_t (*cudaGraphLaunch)(cudaGraphExec_t exec, cudaStream_t stream);
	cudaError_t (*cudaGraphExecDestroy)(cudaGraphExec_t exec);
	cudaError_t (*cudaGraphDestroy)(cudaGraph_t graph);
	cudaError_t (*cudaLaunchHostFunc)(cudaStream_t stream, cudaHostFn_t function, void *data);
	CUresult (*cuGetErrorString)(CUresult error, const char **text);
	CUresult (*cuDeviceGet)(CUdevice *device, int ordinal);
	CUresult (*cuDeviceGetName)(char *name, int size, CUdevice device);
	CUresult (*cuModuleLoadData)(CUmodule *module, const void *image);
	CUresult (*cuModuleUnload)(CUmodule module);
	CUresult (*cuModuleGetFunction)(CUfunction *function, CUmodule module, const char *name);
	CUresult (*cuLaunchKernel)(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
				   unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
				   CUstream stream, void **parameters, void **extra);
} collperf_signatures = {
	&cudaGetErrorString,
	&cudaGetLastError,
	&cudaDriverGetVersion,
	&cudaRuntimeGetVersion,
	&cudaGetDeviceCount,
	&cudaSetDevice,
	&cudaDeviceGetPCIBusId,
	&cudaDeviceGetAttribute,
	&cudaMemGetInfo,
	&cudaMalloc,
	&cudaFree,
	&cudaHostAlloc,
	&cudaFreeHost,
	&cudaHostGetDevicePointer,
	&cudaMemcpyAsync,
	&cudaMemsetAsync,
	&cudaStreamCreateWithFlags,
	&cudaStreamDestroy,
	&cudaStreamQuery,
	&cudaStreamSynchronize,
	&cudaEventCreateWithFlags,
	&cudaEventDestroy,
	&cudaEventRecord,
	&cudaEventSynchronize,
	&cudaEventElapsedTime,
	&cudaStreamBeginCapture,
	&cudaStreamEndCapture,
	&cudaGraphInstantiateWithFlags,
	&cudaGraphLaunch,
	&cudaGraphExecDestroy,
	&cudaGraphDestroy,
	&cudaLaunchHostFunc,
	&cuGetErrorString,
	&cuDeviceGet,
	&cuDeviceGetName,
	&cuModuleLoadData,
	&cuModuleUnload,
	&cuModuleGetFunction,
	&cuLaunchKernel,
};
