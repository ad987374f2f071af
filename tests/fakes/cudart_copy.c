/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies, fills and host functions. Also with pageable host memory a copy is made when the stream comes to it, not before: later than a GPU may do
 * it, so that whoever does not wait is found out.
 */
#include <stdlib.h>
#include <string.h>

#include "cudart_state.h"

struct copy {
	void *to;
	const void *from;
	size_t bytes;
	int value;
};

struct host_call {
	cudaHostFn_t function;
	void *data;
};

static void run_copy(void *arg)
{
	const struct copy *copy = arg;

	memcpy(fake_view(copy->to, copy->bytes), fake_view(copy->from, copy->bytes), copy->bytes);
}

static void run_fill(void *arg)
{
	const struct copy *fill = arg;

	memset(fake_view(fill->to, fill->bytes), fill->value, fill->bytes);
}

static void run_host_call(void *arg)
{
	const struct host_call *call = arg;

	call->function(call->data);
}

static void check_side(const char *side, const void *memory, size_t bytes, bool is_device)
{
	if (fake_is_device_memory(memory, bytes, NULL) != is_device)
		fake_fail("cudaMemcpyAsync: its kind says that %p, the %s, is memory of %s, which it is not", memory, side,
			  is_device ? "a device" : "the host");
}

/* Works on any device's stream: that of the stream. */
static cudaError_t enqueue(cudaStream_t stream, struct fake_work *work, const void *arg, size_t size)
{
	int device = fake_stream_device(stream, fake_current_device(), work->name);

	work->dispose = free;
	work->arg = malloc(size);
	if (!work->arg)
		fake_fail("out of memory");
	memcpy(work->arg, arg, size);
	return fake_stream_enqueue(stream, device, work);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	cudaError_t error = fake_begin("cudaMemcpyAsync");
	struct copy copy = { .to = to, .from = from, .bytes = bytes };
	struct fake_range ranges[] = { { to, bytes, true }, { from, bytes, false } };
	struct fake_work work = { .name = "cudaMemcpyAsync", .run = run_copy, .ranges = ranges, .nranges = 2 };

	if (!error && (unsigned)kind > cudaMemcpyDefault)
		error = cudaErrorInvalidMemcpyDirection;
	if (error || bytes == 0)
		return fake_end(error);
	if ((const char *)to < (const char *)from + bytes && (const char *)from < (const char *)to + bytes)
		fake_fail("cudaMemcpyAsync: its source and its target overlap");
	if (kind != cudaMemcpyDefault) {
		check_side("target", to, bytes, kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice);
		check_side("source", from, bytes, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice);
	}
	return fake_end(enqueue(stream, &work, &copy, sizeof copy));
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
	cudaError_t error = fake_begin("cudaMemsetAsync");
	struct copy fill = { .to = to, .bytes = bytes, .value = value };
	struct fake_range range = { to, bytes, true };
	struct fake_work work = { .name = "cudaMemsetAsync", .run = run_fill, .ranges = &range, .nranges = 1 };

	if (error || bytes == 0)
		return fake_end(error);
	if (!fake_is_device_memory(to, bytes, NULL))
		fake_fail("cudaMemsetAsync: %zu bytes at %p are not memory of a device", bytes, to);
	return fake_end(enqueue(stream, &work, &fill, sizeof fill));
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
	cudaError_t error = fake_begin("cudaLaunchHostFunc");
	struct host_call call = { .function = function, .data = data };
	struct fake_work work = { .name = "cudaLaunchHostFunc", .run = run_host_call };

	if (!error && !function)
		error = cudaErrorInvalidValue;
	if (error)
		return fake_end(error);
	return fake_end(enqueue(stream, &work, &call, sizeof call));
}
