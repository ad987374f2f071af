/* SPDX-License-Identifier: Apache-2.0
 *
 * The stand-in of libcuda: names of devices, modules and launches. An image is not read; what it holds is what cuda_kernels.c knows.
 */
#include <cuda.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_kernels.h"
#include "fake.h"

struct CUfunc_st {
	CUmodule module;
	const struct fake_kernel *kernel;
	struct CUfunc_st *next;
};

struct CUmod_st {
	int device;
	bool dead;
	struct CUfunc_st *functions;
	struct CUmod_st *next;
};

/* All that ever were, so that a use after the end is seen. */
static struct {
	pthread_mutex_t lock;
	struct CUmod_st *first;
} modules = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct launch {
	const struct fake_kernel *kernel;
	uint64_t threads;
	uint64_t values[FAKE_PARAMETERS];
};

static CUmodule module_of(CUmodule handle, const char *function)
{
	CUmodule module = modules.first;

	while (module && module != handle)
		module = module->next;
	if (!module || module->dead)
		fake_fail("%s: %p is no module%s", function, (void *)handle, module ? " any more" : "");
	return module;
}

/* An error that is due, or that this thread has no context. */
static CUresult begin(const char *function)
{
	if (fake_enter(function, -1, fake_current_device()))
		return CUDA_ERROR_UNKNOWN;
	return fake_context_device() < 0 ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
	*text = cudaGetErrorString((cudaError_t)error);
	return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	if (fake_enter("cuDeviceGet", -1, ordinal))
		return CUDA_ERROR_UNKNOWN;
	if (fake_device_count() == 0)
		return CUDA_ERROR_NO_DEVICE;
	if (ordinal < 0 || ordinal >= fake_device_count())
		return CUDA_ERROR_INVALID_DEVICE;
	*device = ordinal;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
	if (fake_enter("cuDeviceGetName", -1, device))
		return CUDA_ERROR_UNKNOWN;
	if (size <= 0 || device < 0 || device >= fake_device_count())
		return CUDA_ERROR_INVALID_VALUE;
	snprintf(name, (size_t)size, "Fake GPU");
	return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
	CUresult result = begin("cuModuleLoadData");
	CUmodule made;

	if (result == CUDA_SUCCESS && (!module || !image))
		result = CUDA_ERROR_INVALID_VALUE;
	if (result != CUDA_SUCCESS)
		return result;
	made = calloc(1, sizeof *made);
	if (!made)
		return CUDA_ERROR_OUT_OF_MEMORY;
	made->device = fake_context_device();
	pthread_mutex_lock(&modules.lock);
	made->next = modules.first;
	modules.first = made;
	pthread_mutex_unlock(&modules.lock);
	*module = made;
	return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule handle)
{
	CUresult result = begin("cuModuleUnload");

	if (result != CUDA_SUCCESS)
		return result;
	pthread_mutex_lock(&modules.lock);
	module_of(handle, "cuModuleUnload")->dead = true;
	pthread_mutex_unlock(&modules.lock);
	return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule handle, const char *name)
{
	CUresult result = begin("cuModuleGetFunction");
	const struct fake_kernel *kernel;
	CUfunction made;
	CUmodule module;

	if (result != CUDA_SUCCESS)
		return result;
	kernel = fake_kernel_find(name);
	if (!kernel)
		return CUDA_ERROR_NOT_FOUND;
	made = calloc(1, sizeof *made);
	if (!made)
		return CUDA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_lock(&modules.lock);
	module = module_of(handle, "cuModuleGetFunction");
	*made = (struct CUfunc_st){ .module = module, .kernel = kernel, .next = module->functions };
	module->functions = made;
	pthread_mutex_unlock(&modules.lock);
	*function = made;
	return CUDA_SUCCESS;
}

/* Whether it is a function of a loaded module; its device. */
static int device_of(CUfunction handle)
{
	const struct CUfunc_st *function = NULL;
	int device;

	pthread_mutex_lock(&modules.lock);
	for (const struct CUmod_st *module = modules.first; module && !function; module = module->next)
		for (function = module->functions; function && function != handle;)
			function = function->next;
	if (!function)
		fake_fail("cuLaunchKernel: %p is no function", (void *)handle);
	device = module_of(function->module, "cuLaunchKernel")->device;
	pthread_mutex_unlock(&modules.lock);
	return device;
}

static void run(void *arg)
{
	const struct launch *launch = arg;

	fake_kernel_run(launch->kernel, launch->threads, launch->values);
}

static CUresult enqueue(const struct fake_kernel *kernel, uint64_t threads, void **parameters, int device, CUstream stream)
{
	struct launch *launch = calloc(1, sizeof *launch);
	struct fake_range ranges[FAKE_PARAMETERS];
	struct fake_work work = { .name = kernel->name, .run = run, .dispose = free, .arg = launch, .ranges = ranges };

	if (!launch)
		return CUDA_ERROR_OUT_OF_MEMORY;
	launch->kernel = kernel;
	launch->threads = threads;
	for (int i = 0; i < kernel->parameters; i++)
		launch->values[i] = *(const uint64_t *)parameters[i];
	work.nranges = fake_kernel_ranges(kernel, launch->values, device, ranges);
	return (CUresult)fake_stream_enqueue(stream, device, &work);
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
			unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, CUstream stream, void **parameters,
			void **extra)
{
	CUresult result = begin("cuLaunchKernel");
	int device, context;

	if (result != CUDA_SUCCESS)
		return result;
	device = device_of(function);
	context = fake_context_device();
	if (grid_x == 0 || block_x == 0 || block_x > 1024 || !parameters || extra)
		return CUDA_ERROR_INVALID_VALUE;
	if (grid_y != 1 || grid_z != 1 || block_y != 1 || block_z != 1 || shared_bytes != 0)
		fake_fail("cuLaunchKernel: %s: kernels of one dimension without dynamic shared memory alone",
			  function->kernel->name);
	if (device != context || fake_stream_device(stream, context, "cuLaunchKernel") != context)
		return CUDA_ERROR_INVALID_HANDLE;
	if (fake_setting("trace"))
		fprintf(stderr, "fake: launched: %s, %u blocks of %u\n", function->kernel->name, grid_x, block_x);
	return enqueue(function->kernel, (uint64_t)grid_x * block_x, parameters, device, stream);
}
