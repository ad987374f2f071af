/* SPDX-License-Identifier: Apache-2.0
 *
 * GPUs, which of them a process sees and a thread has taken, and each thread's last error.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cudart_state.h"

enum { MOST_GPUS = 64 };

static const struct {
	cudaError_t error;
	const char *text;
} errors[] = {
	{ cudaSuccess, "no error" },
	{ cudaErrorInvalidValue, "invalid argument" },
	{ cudaErrorMemoryAllocation, "out of memory" },
	{ cudaErrorInitializationError, "initialization error" },
	{ cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy" },
	{ cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version" },
	{ cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable" },
	{ cudaErrorNoDevice, "no CUDA-capable device is detected" },
	{ cudaErrorInvalidDevice, "invalid device ordinal" },
	{ cudaErrorInvalidResourceHandle, "invalid resource handle" },
	{ cudaErrorIllegalState, "the operation cannot be performed in the present state" },
	{ cudaErrorNotReady, "device not ready" },
	{ cudaErrorIllegalAddress, "an illegal memory access was encountered" },
	{ cudaErrorLaunchFailure, "unspecified launch failure" },
	{ cudaErrorNotSupported, "operation not supported" },
	{ cudaErrorSystemNotReady, "system not yet initialized" },
	{ cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing" },
	{ cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture" },
	{ cudaErrorStreamCaptureUnmatched, "stream is not capturing" },
	{ cudaErrorStreamCaptureImplicit, "operation would make the legacy stream depend on a capturing blocking stream" },
	{ cudaErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream" },
	{ cudaErrorStreamCaptureWrongThread, "attempt to terminate a thread-local capture sequence from another thread" },
	{ cudaErrorUnknown, "unknown error" },
};

static const struct {
	enum cudaDeviceAttr attribute;
	int value;
} attributes[] = {
	{ cudaDevAttrMaxThreadsPerBlock, 1024 },
	{ cudaDevAttrMaxBlockDimX, 1024 },
	{ cudaDevAttrMaxGridDimX, 2147483647 },
	{ cudaDevAttrMaxSharedMemoryPerBlock, 49152 },
	{ cudaDevAttrWarpSize, 32 },
	{ cudaDevAttrClockRate, 1000000 },
	{ cudaDevAttrMultiProcessorCount, 4 },
	{ cudaDevAttrIntegrated, 0 },
	{ cudaDevAttrCanMapHostMemory, 1 },
	{ cudaDevAttrComputeMode, 0 },
	{ cudaDevAttrPciDeviceId, 0 },
	{ cudaDevAttrMemoryClockRate, 1000000 },
	{ cudaDevAttrGlobalMemoryBusWidth, 1024 },
	{ cudaDevAttrL2CacheSize, 1 << 20 },
	{ cudaDevAttrMaxThreadsPerMultiProcessor, 2048 },
	{ cudaDevAttrUnifiedAddressing, 1 },
	{ cudaDevAttrPciDomainId, 0 },
};

static _Thread_local struct {
	int device;
	bool has_context, on_stream;
	cudaError_t last;
} thread;

void fake_enter_stream(void)
{
	thread.on_stream = true;
}

bool fake_on_stream(void)
{
	return thread.on_stream;
}

/* What the first call finds, as with CUDA. */
static struct {
	pthread_once_t once;
	cudaError_t error;
	int count;
	int gpus[MOST_GPUS]; /* of the machine */
} visible = { .once = PTHREAD_ONCE_INIT };

/* As CUDA_VISIBLE_DEVICES says: the list ends before the first entry that is no GPU; one that is named twice leaves none. */
static int find_gpus(void)
{
	const char *text = getenv("CUDA_VISIBLE_DEVICES");
	long total = fake_setting("gpus");
	int count = 0;

	for (int i = 0; !text && i < total; i++)
		visible.gpus[count++] = i;
	while (text && isdigit((unsigned char)*text) && count < MOST_GPUS) {
		char *end;
		long gpu = strtol(text, &end, 10);

		if (gpu >= total || (*end != ',' && *end != '\0'))
			break;
		for (int i = 0; i < count; i++)
			if (visible.gpus[i] == gpu)
				return 0;
		visible.gpus[count++] = (int)gpu;
		text = *end ? end + 1 : end;
	}
	return count;
}

static void find_driver(void)
{
	visible.error = (cudaError_t)fake_setting("drivererror");
	if (!visible.error && fake_setting("driver") < CUDART_VERSION / 1000 * 1000)
		visible.error = cudaErrorInsufficientDriver;
	if (!visible.error)
		visible.count = find_gpus();
	if (!visible.error && visible.count == 0)
		visible.error = cudaErrorNoDevice;
}

static cudaError_t no_device(void)
{
	pthread_once(&visible.once, find_driver);
	return visible.error;
}

int fake_device_count(void)
{
	return no_device() ? 0 : visible.count;
}

int fake_current_device(void)
{
	return no_device() ? -1 : thread.device;
}

int fake_context_device(void)
{
	return thread.has_context ? thread.device : -1;
}

cudaError_t fake_end(cudaError_t error)
{
	if (error)
		thread.last = error;
	return error;
}

cudaError_t fake_begin(const char *function)
{
	cudaError_t error;

	if (fake_enter(function, -1, thread.device))
		return cudaErrorLaunchFailure;
	error = no_device();
	thread.has_context = thread.has_context || !error;
	return error;
}

const char *cudaGetErrorString(cudaError_t error)
{
	for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
		if (errors[i].error == error)
			return errors[i].text;
	return "unrecognized error code";
}

cudaError_t cudaGetLastError(void)
{
	cudaError_t last = thread.last;

	thread.last = cudaSuccess;
	return last;
}

cudaError_t cudaDriverGetVersion(int *version)
{
	if (fake_enter("cudaDriverGetVersion", -1, -1))
		return fake_end(cudaErrorUnknown);
	*version = (int)fake_setting("driver");
	return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
	if (fake_enter("cudaRuntimeGetVersion", -1, -1))
		return fake_end(cudaErrorUnknown);
	*version = CUDART_VERSION;
	return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
	if (fake_enter("cudaGetDeviceCount", -1, -1))
		return fake_end(cudaErrorUnknown);
	*count = fake_device_count();
	return fake_end(no_device());
}

cudaError_t cudaSetDevice(int device)
{
	cudaError_t error;

	if (fake_enter("cudaSetDevice", -1, device))
		return fake_end(cudaErrorDevicesUnavailable);
	error = no_device();
	if (!error && (device < 0 || device >= fake_device_count()))
		error = cudaErrorInvalidDevice;
	if (error)
		return fake_end(error);
	thread.device = device;
	thread.has_context = true;
	return cudaSuccess;
}

static int bus_of(int device)
{
	return 0x0f + 3 * visible.gpus[device];
}

static cudaError_t check_device(const char *function, int device)
{
	cudaError_t error;

	if (fake_enter(function, -1, device))
		return cudaErrorUnknown;
	error = no_device();
	if (!error && (device < 0 || device >= fake_device_count()))
		error = cudaErrorInvalidDevice;
	return error;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device)
{
	cudaError_t error = check_device("cudaDeviceGetPCIBusId", device);
	char id[16];

	if (error)
		return fake_end(error);
	snprintf(id, sizeof id, "0000:%02X:00.0", (unsigned)bus_of(device));
	if (size <= (int)strlen(id))
		return fake_end(cudaErrorInvalidValue);
	memcpy(text, id, strlen(id) + 1);
	return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
	cudaError_t error = check_device("cudaDeviceGetAttribute", device);

	if (error)
		return fake_end(error);
	switch ((int)attribute) {
	case cudaDevAttrComputeCapabilityMajor:
		*value = (int)fake_setting("cc") / 10;
		return cudaSuccess;
	case cudaDevAttrComputeCapabilityMinor:
		*value = (int)fake_setting("cc") % 10;
		return cudaSuccess;
	case cudaDevAttrPciBusId:
		*value = bus_of(device);
		return cudaSuccess;
	}
	for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
		if (attributes[i].attribute == attribute) {
			*value = attributes[i].value;
			return cudaSuccess;
		}
	}
	fake_fail("cudaDeviceGetAttribute: attribute %d has no value here", (int)attribute);
}
