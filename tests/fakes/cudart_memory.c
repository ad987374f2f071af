/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory: each allocation has an address for the user, where nothing can be read or written, and lies `distance` bytes from it for the fakes.
 * Addresses are used once, and what lies between allocations cannot be touched. Pinned host memory is ordinary memory that is known here.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cudart_state.h"

/* Address space, not memory. Small allocations end at a page's end; what is large starts on a boundary of large pages, as from the driver. */
static const size_t space = (size_t)256 << 30, page = 4096, granule = 256, large = 1 << 20, large_page = 2 << 20;
static const size_t poisoned_most = 1 << 20;

struct allocation {
	uintptr_t memory;
	size_t bytes;
	int device; /* -1: pinned host memory */
	const char *allocator;
	uintptr_t begin; /* of its pages */
	size_t pages;    /* bytes of them */
	struct allocation *next;
};

static struct {
	pthread_mutex_t lock;
	uintptr_t base; /* of the users' addresses; 0: not yet reserved */
	uintptr_t distance;
	size_t used;
	struct allocation *live, *freed;
} heap = { .lock = PTHREAD_MUTEX_INITIALIZER };

static size_t round_up(size_t value, size_t to)
{
	return (value + to - 1) / to * to;
}

/* The allocation that has this address. Under the lock. */
static struct allocation *find(struct allocation *list, uintptr_t memory)
{
	while (list && !(memory >= list->memory && memory - list->memory < list->bytes))
		list = list->next;
	return list;
}

static void add_live(struct allocation *a)
{
	a->next = heap.live;
	heap.live = a;
}

static void move_to_freed(struct allocation *a)
{
	struct allocation **link = &heap.live;

	while (*link != a)
		link = &(*link)->next;
	*link = a->next;
	a->next = heap.freed;
	heap.freed = a;
}

static bool in_space(uintptr_t memory)
{
	return heap.base != 0 && memory >= heap.base && memory < heap.base + space;
}

static void reserve(void)
{
	void *user, *view;

	if (heap.base)
		return;
	user = mmap(NULL, space, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	view = mmap(NULL, space, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (user == MAP_FAILED || view == MAP_FAILED)
		fake_fail("no address space for device memory");
	/* Both on the same offset to a large page, so that alignment holds for both. */
	heap.base = round_up((uintptr_t)user, large_page);
	heap.distance = round_up((uintptr_t)view, large_page) - heap.base;
	heap.used = large_page;
}

static size_t used_on(int device)
{
	size_t used = 0;

	for (const struct allocation *a = heap.live; a; a = a->next)
		if (a->device == device)
			used += round_up(a->bytes, granule);
	return used;
}

/* Fills in where it is; false: no address space is left. */
static bool place(struct allocation *a, size_t alignment)
{
	size_t start = heap.base + heap.used, bytes = round_up(a->bytes, granule);

	if (alignment <= granule && bytes < large) {
		a->pages = round_up(bytes, page);
		a->begin = start;
		a->memory = start + a->pages - bytes;
	} else {
		start = round_up(start, bytes >= large && alignment < large_page ? large_page : alignment);
		a->pages = round_up(bytes, page);
		a->begin = a->memory = start;
	}
	heap.used = a->begin + a->pages + page - heap.base;
	return heap.used + 2 * large_page <= space;
}

static cudaError_t allocate(struct allocation *a, size_t alignment)
{
	size_t total = (size_t)fake_setting("memory");

	reserve();
	if (a->bytes > total || used_on(a->device) + round_up(a->bytes, granule) > total || !place(a, alignment))
		return cudaErrorMemoryAllocation;
	if (mprotect((void *)(a->begin + heap.distance), a->pages, PROT_READ | PROT_WRITE) != 0)
		return cudaErrorMemoryAllocation;
	/* Nobody may count on zeros. */
	if (a->pages <= poisoned_most)
		memset((void *)(a->begin + heap.distance), 0xa5, a->pages);
	add_live(a);
	return cudaSuccess;
}

cudaError_t fake_allocate(int device, size_t bytes, size_t alignment, const char *allocator, void **memory)
{
	struct allocation *a;
	cudaError_t error;

	if (fake_fault("oom", NULL, -1, device))
		return cudaErrorMemoryAllocation;
	a = calloc(1, sizeof *a);
	if (!a)
		return cudaErrorMemoryAllocation;
	*a = (struct allocation){ .bytes = bytes, .device = device, .allocator = allocator };
	pthread_mutex_lock(&heap.lock);
	error = allocate(a, alignment);
	pthread_mutex_unlock(&heap.lock);
	if (error)
		free(a);
	else
		*memory = (void *)a->memory;
	return error;
}

/* The live allocation that starts there; ends the process where there is none that `function` may give back. */
static struct allocation *taken_by(const void *memory, const char *allocator, const char *function)
{
	struct allocation *a = find(heap.live, (uintptr_t)memory);

	if (!a && find(heap.freed, (uintptr_t)memory))
		fake_fail("%s: %p is freed already", function, memory);
	if (!a || a->memory != (uintptr_t)memory)
		fake_fail("%s: %p was not allocated", function, memory);
	if (strcmp(a->allocator, allocator) != 0)
		fake_fail("%s: %p was allocated by %s", function, memory, a->allocator);
	return a;
}

static void check_pending(const void *memory, size_t bytes, const char *function)
{
	const char *pending;

	pthread_mutex_lock(&fake_lock);
	pending = fake_order_pending(memory, bytes);
	pthread_mutex_unlock(&fake_lock);
	if (pending)
		fake_fail("%s: %p is freed while %s uses it: nobody waited for its stream", function, memory, pending);
}

static void release(void *memory, const char *allocator, const char *function)
{
	struct allocation *a;
	size_t bytes;

	pthread_mutex_lock(&heap.lock);
	a = taken_by(memory, allocator, function);
	bytes = a->bytes;
	pthread_mutex_unlock(&heap.lock);
	check_pending(memory, bytes, function);

	pthread_mutex_lock(&heap.lock);
	a = taken_by(memory, allocator, function);
	move_to_freed(a);
	if (a->device >= 0) {
		madvise((void *)(a->begin + heap.distance), a->pages, MADV_DONTNEED);
		mprotect((void *)(a->begin + heap.distance), a->pages, PROT_NONE);
	} else {
		free(memory);
	}
	pthread_mutex_unlock(&heap.lock);
}

void fake_release(void *memory, const char *allocator)
{
	release(memory, allocator, strcmp(allocator, "cudaMalloc") == 0 ? "cudaFree" : "ncclMemFree");
}

bool fake_is_device_memory(const void *memory, size_t bytes, int *device)
{
	const struct allocation *a;
	bool is_device;

	pthread_mutex_lock(&heap.lock);
	a = in_space((uintptr_t)memory) ? find(heap.live, (uintptr_t)memory) : NULL;
	is_device = a && bytes <= a->bytes - ((uintptr_t)memory - a->memory);
	if (is_device && device)
		*device = a->device;
	pthread_mutex_unlock(&heap.lock);
	return is_device;
}

/* Why these bytes cannot be used, or NULL. Under the lock. */
static const char *bad_range(uintptr_t memory, size_t bytes)
{
	const struct allocation *a;

	if (!in_space(memory) || bytes == 0)
		return NULL;
	a = find(heap.live, memory);
	if (!a)
		return find(heap.freed, memory) ? "freed" : "outside of every allocation";
	return bytes <= a->bytes - (memory - a->memory) ? NULL : "beyond the end of its allocation";
}

void *fake_view(const void *memory, size_t bytes)
{
	uintptr_t address = (uintptr_t)memory;
	const char *bad;

	pthread_mutex_lock(&heap.lock);
	bad = bad_range(address, bytes);
	if (in_space(address))
		address += heap.distance;
	pthread_mutex_unlock(&heap.lock);
	if (bad)
		fake_fail("work on a stream uses %zu bytes at %p, which are %s", bytes, memory, bad);
	return (void *)address;
}

void fake_check_ranges(const struct fake_work *work)
{
	for (size_t i = 0; i < work->nranges; i++) {
		const struct fake_range *range = &work->ranges[i];
		const char *bad;

		pthread_mutex_lock(&heap.lock);
		bad = bad_range((uintptr_t)range->memory, range->bytes);
		pthread_mutex_unlock(&heap.lock);
		if (bad)
			fake_fail("%s: %zu bytes at %p are %s", work->name, range->bytes, range->memory, bad);
	}
}

cudaError_t cudaMalloc(void **memory, size_t size)
{
	cudaError_t error = fake_begin("cudaMalloc");

	if (error == cudaErrorLaunchFailure)
		error = cudaErrorMemoryAllocation;
	if (!error)
		error = fake_capture_forbids();
	if (!error && !memory)
		error = cudaErrorInvalidValue;
	if (!error && size == 0)
		*memory = NULL;
	else if (!error)
		error = fake_allocate(fake_current_device(), size, 0, "cudaMalloc", memory);
	return fake_end(error);
}

cudaError_t cudaFree(void *memory)
{
	cudaError_t error = fake_begin("cudaFree");

	if (!error)
		error = fake_capture_forbids();
	if (!error && memory)
		fake_release(memory, "cudaMalloc");
	return fake_end(error);
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
	cudaError_t error = fake_begin("cudaMemGetInfo");
	size_t size = (size_t)fake_setting("memory");

	if (error)
		return fake_end(error);
	pthread_mutex_lock(&heap.lock);
	*total = size;
	*available = size - used_on(fake_current_device());
	pthread_mutex_unlock(&heap.lock);
	return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **memory, size_t size, unsigned int flags)
{
	cudaError_t error = fake_begin("cudaHostAlloc");
	struct allocation *a;

	if (error == cudaErrorLaunchFailure)
		error = cudaErrorMemoryAllocation;
	if (!error)
		error = fake_capture_forbids();
	if (!error && (flags & ~7U || size == 0))
		error = cudaErrorInvalidValue;
	if (error)
		return fake_end(error);
	a = calloc(1, sizeof *a);
	if (!a || posix_memalign(memory, page, round_up(size, page)) != 0)
		fake_fail("out of memory");
	*a = (struct allocation){ .bytes = size, .device = -1, .allocator = "cudaHostAlloc" };
	a->memory = (uintptr_t)*memory;
	pthread_mutex_lock(&heap.lock);
	add_live(a);
	pthread_mutex_unlock(&heap.lock);
	return cudaSuccess;
}

cudaError_t cudaFreeHost(void *memory)
{
	cudaError_t error = fake_begin("cudaFreeHost");

	if (!error)
		error = fake_capture_forbids();
	if (!error && memory)
		release(memory, "cudaHostAlloc", "cudaFreeHost");
	return fake_end(error);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
	cudaError_t error = fake_begin("cudaHostGetDevicePointer");
	const struct allocation *a;

	if (error)
		return fake_end(error);
	pthread_mutex_lock(&heap.lock);
	a = find(heap.live, (uintptr_t)host);
	if (flags != 0 || !a || a->device >= 0)
		error = cudaErrorInvalidValue;
	else
		*device = host;
	pthread_mutex_unlock(&heap.lock);
	return fake_end(error);
}
