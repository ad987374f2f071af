/* SPDX-License-Identifier: Apache-2.0
 *
 * What the stand-ins of CUDA do, and that they report what a program must not do. Each case runs in a process of its own; TAP on stdout.
 */
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fake.h"
#include "src/backend/verify_array.h"

static void expect_at(int line, long got, long wanted, const char *what)
{
	if (got == wanted)
		return;
	fprintf(stderr, "line %d: %s is %ld, not %ld\n", line, what, got, wanted);
	exit(1);
}
#define EXPECT(got, wanted) expect_at(__LINE__, (long)(got), (long)(wanted), #got)
#define OK(call) expect_at(__LINE__, (long)(call), 0, #call)

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

/* A host function that holds its stream until it is told to go on. */
static void wait_for_flag(void *arg)
{
	while (!atomic_load((atomic_bool *)arg))
		pause_ms(1);
}

struct trace {
	atomic_int count;
	int numbers[4096];
};

struct step {
	struct trace *trace;
	int number;
};

static void add_to_trace(void *arg)
{
	const struct step *step = arg;

	step->trace->numbers[atomic_fetch_add(&step->trace->count, 1)] = step->number;
}

static cudaStream_t new_stream(void)
{
	cudaStream_t stream;

	OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	return stream;
}

static cudaEvent_t new_event(unsigned flags)
{
	cudaEvent_t event;

	OK(cudaEventCreateWithFlags(&event, flags));
	return event;
}

static void *new_memory(size_t bytes)
{
	void *memory;

	OK(cudaMalloc(&memory, bytes));
	return memory;
}

/* --- what works */

static void devices(void)
{
	char first[20], second[20], name[96];
	CUdevice device;
	int count, value;

	OK(cudaGetDeviceCount(&count));
	EXPECT(count, 4);
	OK(cudaDeviceGetPCIBusId(first, sizeof first, 0));
	OK(cudaDeviceGetPCIBusId(second, sizeof second, 1));
	EXPECT(strcmp(first, "0000:0F:00.0"), 0);
	EXPECT(strcmp(first, second) != 0, 1);
	EXPECT(cudaDeviceGetPCIBusId(first, 12, 0), cudaErrorInvalidValue);
	OK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 3));
	EXPECT(value, 8);
	OK(cuDeviceGet(&device, 3));
	OK(cuDeviceGetName(name, sizeof name, device));
	EXPECT(strcmp(name, "Fake GPU"), 0);
	EXPECT(cuDeviceGet(&device, 4), CUDA_ERROR_INVALID_DEVICE);
	EXPECT(cudaGetLastError(), cudaErrorInvalidValue);
	EXPECT(cudaSetDevice(4), cudaErrorInvalidDevice);
	EXPECT(cudaGetLastError(), cudaErrorInvalidDevice);
	EXPECT(cudaGetLastError(), cudaSuccess);
	OK(cudaDriverGetVersion(&value));
	EXPECT(value, 13000);
}

static void visible_devices(void)
{
	char id[20];
	int count;

	OK(cudaGetDeviceCount(&count));
	EXPECT(count, 2);
	OK(cudaDeviceGetPCIBusId(id, sizeof id, 1));
	EXPECT(strcmp(id, "0000:15:00.0"), 0);
}

static void one_visible_device(void)
{
	int count;

	OK(cudaGetDeviceCount(&count));
	EXPECT(count, 1);
}

static void no_device(void)
{
	void *memory;
	int count = -1;

	EXPECT(cudaGetDeviceCount(&count), cudaErrorNoDevice);
	EXPECT(count, 0);
	EXPECT(cudaSetDevice(0), cudaErrorNoDevice);
	EXPECT(cudaMalloc(&memory, 1), cudaErrorNoDevice);
}

static void no_driver(void)
{
	int value;

	EXPECT(cudaGetDeviceCount(&value), cudaErrorInsufficientDriver);
	OK(cudaDriverGetVersion(&value));
	EXPECT(value, 0);
}

static void old_driver(void)
{
	int value;

	EXPECT(cudaGetDeviceCount(&value), cudaErrorInsufficientDriver);
	OK(cudaDriverGetVersion(&value));
	EXPECT(value, 12040);
}

static void driver_error(void)
{
	int value;

	EXPECT(cudaGetDeviceCount(&value), cudaErrorSystemDriverMismatch);
	EXPECT(cudaGetLastError(), cudaErrorSystemDriverMismatch);
}

static void memory_limits(void)
{
	size_t available, total, after;
	void *small, *big, *none;

	OK(cudaMemGetInfo(&available, &total));
	EXPECT(total, 64 << 20);
	EXPECT(available, total);
	small = new_memory(1000);
	big = new_memory(40 << 20);
	EXPECT((uintptr_t)small % 256, 0);
	EXPECT((uintptr_t)big % (2 << 20), 0);
	OK(cudaMemGetInfo(&after, &total));
	EXPECT(available - after, 1024 + (40 << 20));
	EXPECT(cudaMalloc(&none, 40 << 20), cudaErrorMemoryAllocation);
	EXPECT(cudaGetLastError(), cudaErrorMemoryAllocation);
	OK(cudaSetDevice(1));
	none = new_memory(40 << 20);
	OK(cudaFree(none));
	OK(cudaFree(big));
	OK(cudaFree(small));
	OK(cudaFree(NULL));
	OK(cudaSetDevice(0));
	OK(cudaMemGetInfo(&after, &total));
	EXPECT(after, total);
	EXPECT(fake_allocate(0, 100, 4096, "ncclMemAlloc", &none), cudaSuccess);
	EXPECT((uintptr_t)none % 4096, 0);
	fake_release(none, "ncclMemAlloc");
}

static void copies(void)
{
	cudaStream_t stream = new_stream();
	char from[1000], to[1000];
	char *one = new_memory(1000), *two = new_memory(1000);

	memset(from, 7, sizeof from);
	OK(cudaMemcpyAsync(one, from, 1000, cudaMemcpyHostToDevice, stream));
	OK(cudaMemsetAsync(one + 10, 9, 5, stream));
	OK(cudaMemcpyAsync(two, one, 1000, cudaMemcpyDeviceToDevice, stream));
	OK(cudaMemcpyAsync(to, two, 1000, cudaMemcpyDefault, stream));
	OK(cudaStreamSynchronize(stream));
	memset(from + 10, 9, 5);
	EXPECT(memcmp(from, to, 1000), 0);
	EXPECT(cudaMemcpyAsync(to, two, 1000, (enum cudaMemcpyKind)5, stream), cudaErrorInvalidMemcpyDirection);
	OK(cudaFree(one));
	OK(cudaFree(two));
	OK(cudaStreamDestroy(stream));
}

static void streams(void)
{
	static struct trace trace;
	static struct step steps[500];
	cudaStream_t held = new_stream(), other = new_stream();
	atomic_bool flag = false;

	OK(cudaLaunchHostFunc(held, wait_for_flag, &flag));
	for (int i = 0; i < 500; i++) {
		steps[i] = (struct step){ &trace, i };
		OK(cudaLaunchHostFunc(held, add_to_trace, &steps[i]));
	}
	OK(cudaLaunchHostFunc(other, add_to_trace, &(struct step){ &trace, 1000 }));
	OK(cudaStreamSynchronize(other));
	EXPECT(trace.count, 1);
	EXPECT(trace.numbers[0], 1000);
	EXPECT(cudaStreamQuery(held), cudaErrorNotReady);
	OK(cudaStreamQuery(other));
	atomic_store(&flag, true);
	OK(cudaStreamSynchronize(held));
	OK(cudaStreamQuery(held));
	for (int i = 0; i < 500; i++)
		EXPECT(trace.numbers[i + 1], i);
	OK(cudaStreamDestroy(held));
	OK(cudaStreamDestroy(other));
	EXPECT(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
}

static void null_stream(void)
{
	cudaStream_t blocking, apart = new_stream();
	atomic_bool flag = false;
	char *memory = new_memory(8), value = 0;

	OK(cudaStreamCreateWithFlags(&blocking, cudaStreamDefault));
	OK(cudaLaunchHostFunc(blocking, wait_for_flag, &flag));
	OK(cudaMemsetAsync(memory, 1, 8, blocking));
	OK(cudaMemsetAsync(memory, 2, 8, NULL));
	OK(cudaMemcpyAsync(&value, memory, 1, cudaMemcpyDeviceToHost, blocking));
	EXPECT(cudaStreamQuery(NULL), cudaErrorNotReady);
	OK(cudaStreamQuery(apart));
	atomic_store(&flag, true);
	OK(cudaStreamSynchronize(blocking));
	EXPECT(value, 2);
	OK(cudaStreamQuery(NULL));
	OK(cudaMemsetAsync(memory, 3, 8, apart));
	OK(cudaStreamSynchronize(apart));
	OK(cudaMemsetAsync(memory, 1, 8, blocking));
	OK(cudaStreamSynchronize(NULL));
	OK(cudaFree(memory));
}

/* Two streams that the null stream orders; to have seen the last is to have seen all. */
static void null_stream_between(void)
{
	cudaStream_t one, two;
	char *memory = new_memory(8), *other = new_memory(8);

	OK(cudaStreamCreateWithFlags(&one, cudaStreamDefault));
	OK(cudaStreamCreateWithFlags(&two, cudaStreamDefault));
	OK(cudaMemsetAsync(memory, 1, 8, one));
	OK(cudaMemsetAsync(other, 1, 8, NULL));
	OK(cudaMemsetAsync(memory, 2, 8, two));
	OK(cudaStreamSynchronize(two));
	OK(cudaFree(memory));
	OK(cudaFree(other));
}

static void events(void)
{
	cudaStream_t stream = new_stream();
	cudaEvent_t begin = new_event(0), end = new_event(0), plain = new_event(cudaEventDisableTiming), elsewhere;
	atomic_bool flag = false;
	float ms = -1;

	EXPECT(cudaEventElapsedTime(&ms, begin, end), cudaErrorInvalidResourceHandle);
	OK(cudaEventRecord(begin, stream));
	OK(cudaLaunchHostFunc(stream, wait_for_flag, &flag));
	OK(cudaEventRecord(end, stream));
	OK(cudaEventRecord(plain, stream));
	OK(cudaEventSynchronize(begin));
	EXPECT(cudaEventElapsedTime(&ms, begin, end), cudaErrorNotReady);
	pause_ms(5);
	atomic_store(&flag, true);
	OK(cudaEventSynchronize(end));
	OK(cudaEventElapsedTime(&ms, begin, end));
	EXPECT(ms >= 4.9f && ms < 1e4f, 1);
	OK(cudaEventSynchronize(plain));
	EXPECT(cudaEventElapsedTime(&ms, begin, plain), cudaErrorInvalidResourceHandle);
	/* Recorded again: the later time counts. */
	OK(cudaEventRecord(begin, stream));
	OK(cudaStreamSynchronize(stream));
	OK(cudaEventElapsedTime(&ms, begin, end));
	EXPECT(ms < 0, 1);
	OK(cudaSetDevice(1));
	elsewhere = new_event(0);
	EXPECT(cudaEventRecord(elsewhere, stream), cudaErrorInvalidResourceHandle);
	OK(cudaEventDestroy(elsewhere));
	OK(cudaEventDestroy(end));
	OK(cudaStreamDestroy(stream));
}

static void graphs(void)
{
	static struct trace trace;
	cudaStream_t stream = new_stream();
	struct step one = { &trace, 1 }, two = { &trace, 2 };
	char *memory = new_memory(4), value = 0;
	atomic_bool flag = false;
	cudaGraphExec_t exec;
	cudaGraph_t graph;

	OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
	EXPECT(fake_stream_is_capturing(stream), 1);
	OK(cudaLaunchHostFunc(stream, add_to_trace, &one));
	OK(cudaMemsetAsync(memory, 5, 4, stream));
	OK(cudaLaunchHostFunc(stream, add_to_trace, &two));
	OK(cudaStreamEndCapture(stream, &graph));
	OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
	OK(cudaGraphDestroy(graph));
	OK(cudaStreamSynchronize(stream));
	EXPECT(trace.count, 0);
	OK(cudaLaunchHostFunc(stream, wait_for_flag, &flag));
	for (int i = 0; i < 3; i++)
		OK(cudaGraphLaunch(exec, stream));
	OK(cudaGraphExecDestroy(exec));
	atomic_store(&flag, true);
	OK(cudaMemcpyAsync(&value, memory, 1, cudaMemcpyDeviceToHost, stream));
	OK(cudaStreamSynchronize(stream));
	EXPECT(trace.count, 6);
	for (int i = 0; i < 6; i++)
		EXPECT(trace.numbers[i], i % 2 + 1);
	EXPECT(value, 5);
	OK(cudaFree(memory));
	OK(cudaStreamDestroy(stream));
}

static void *allocate_elsewhere(void *arg)
{
	void *memory;

	if (cudaMalloc(&memory, 1))
		return arg;
	OK(cudaFree(memory));
	return NULL;
}

static void *end_elsewhere(void *stream)
{
	cudaGraph_t graph;

	EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureWrongThread);
	return NULL;
}

static void *in_thread(void *(*function)(void *), void *arg)
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, function, arg);
	pthread_join(thread, &result);
	return result;
}

static void capture_errors(void)
{
	cudaStream_t stream = new_stream(), blocking;
	cudaGraph_t graph;
	cudaEvent_t event = new_event(0);
	void *memory;

	EXPECT(cudaStreamBeginCapture(NULL, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
	EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
	OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
	EXPECT(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
	EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
	EXPECT(graph == NULL, 1);
	/* Another thread may allocate only while no global capture goes on. */
	OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
	EXPECT(in_thread(allocate_elsewhere, stream) == NULL, 1);
	in_thread(end_elsewhere, stream);
	EXPECT(cudaMalloc(&memory, 1), cudaErrorStreamCaptureUnsupported);
	EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
	OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	EXPECT(in_thread(allocate_elsewhere, stream) == NULL, 0);
	EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
	OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
	OK(cudaMalloc(&memory, 1));
	OK(cudaEventRecord(event, stream));
	OK(cudaStreamEndCapture(stream, &graph));
	EXPECT(cudaEventSynchronize(event), cudaErrorCapturedEvent);
	OK(cudaGraphDestroy(graph));
	OK(cudaStreamCreateWithFlags(&blocking, cudaStreamDefault));
	OK(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeThreadLocal));
	EXPECT(cudaMemsetAsync(memory, 0, 1, NULL), cudaErrorStreamCaptureImplicit);
	EXPECT(cudaStreamEndCapture(blocking, &graph), cudaErrorStreamCaptureInvalidated);
	OK(cudaFree(memory));
}

struct filler {
	cudaStream_t stream;
	atomic_int queued;
	int calls;
	struct trace trace;
	struct step step;
};

static void *fill_queue(void *arg)
{
	struct filler *filler = arg;

	for (int i = 0; i < filler->calls; i++) {
		OK(cudaLaunchHostFunc(filler->stream, add_to_trace, &filler->step));
		atomic_fetch_add(&filler->queued, 1);
	}
	return NULL;
}

/* The host is blocked by a full queue, and goes on with the stream. */
static void full_queue(void)
{
	static struct filler filler;
	atomic_bool flag = false;
	pthread_t thread;

	filler.stream = new_stream();
	filler.calls = FAKE_QUEUE + 100;
	filler.step = (struct step){ &filler.trace, 1 };
	OK(cudaLaunchHostFunc(filler.stream, wait_for_flag, &flag));
	pthread_create(&thread, NULL, fill_queue, &filler);
	while (atomic_load(&filler.queued) < FAKE_QUEUE - 1)
		pause_ms(1);
	pause_ms(50);
	EXPECT(filler.queued, FAKE_QUEUE - 1);
	atomic_store(&flag, true);
	pthread_join(thread, NULL);
	OK(cudaStreamSynchronize(filler.stream));
	EXPECT(filler.trace.count, FAKE_QUEUE + 100);
}

static void host_memory(void)
{
	void *host, *device;
	int plain;

	OK(cudaHostAlloc(&host, 100, cudaHostAllocMapped | cudaHostAllocPortable));
	OK(cudaHostGetDevicePointer(&device, host, 0));
	EXPECT(fake_is_device_memory(host, 1, NULL), 0);
	EXPECT(fake_view(device, 4) == host, 1);
	EXPECT(cudaHostGetDevicePointer(&device, &plain, 0), cudaErrorInvalidValue);
	OK(cudaFreeHost(host));
	OK(cudaFreeHost(NULL));
}

static void *device_of_thread(void *arg)
{
	CUmodule module;

	(void)arg;
	EXPECT(cuModuleLoadData(&module, "image"), CUDA_ERROR_INVALID_CONTEXT);
	EXPECT(fake_current_device(), 0);
	OK(cudaSetDevice(2));
	OK(cuModuleLoadData(&module, "image"));
	OK(cuModuleUnload(module));
	return NULL;
}

static void device_of_threads(void)
{
	OK(cudaSetDevice(1));
	in_thread(device_of_thread, NULL);
	EXPECT(fake_current_device(), 1);
}

static CUfunction kernel_of(CUmodule *module, const char *name)
{
	CUfunction function;

	OK(cudaSetDevice(0));
	OK(cuModuleLoadData(module, "image"));
	OK(cuModuleGetFunction(&function, *module, name));
	return function;
}

static CUresult launch(CUfunction function, cudaStream_t stream, void **parameters)
{
	return cuLaunchKernel(function, 3, 1, 1, 64, 1, 1, 0, stream, parameters, NULL);
}

static void kernels(void)
{
	CUmodule module;
	CUfunction fill = kernel_of(&module, "collperf_fill"), differs = kernel_of(&module, "collperf_differs_from"), none;
	cudaStream_t stream = new_stream(), elsewhere;
	uint64_t period = 8, size = 4, from = 3, count = 1000, byte = 0;
	uint32_t table[16], *memory = new_memory(4000), *there = new_memory(sizeof table), values[1000];
	struct verify_counters *counters = new_memory(sizeof *counters), seen;
	void *filling[] = { &memory, &there, &period, &size, &from, &count };
	void *checking[] = { &memory, &byte, &size, &count, &counters };

	for (uint32_t i = 0; i < 16; i++)
		table[i] = i % 8;
	OK(cudaMemcpyAsync(there, table, sizeof table, cudaMemcpyHostToDevice, stream));
	OK(launch(fill, stream, filling));
	OK(cudaMemcpyAsync(values, memory, sizeof values, cudaMemcpyDeviceToHost, stream));
	OK(cudaMemsetAsync(counters, 0, sizeof *counters, stream));
	OK(launch(differs, stream, checking));
	OK(cudaMemcpyAsync(&seen, counters, sizeof seen, cudaMemcpyDeviceToHost, stream));
	OK(cudaStreamSynchronize(stream));
	for (uint32_t i = 0; i < 1000; i++)
		EXPECT(values[i], (i + 3) % 8);
	EXPECT(seen.wrong, 875);
	EXPECT(seen.left, 1000);
	EXPECT(cuModuleGetFunction(&none, module, "no_such_kernel"), CUDA_ERROR_NOT_FOUND);
	OK(cudaSetDevice(1));
	EXPECT(launch(fill, stream, filling), CUDA_ERROR_INVALID_HANDLE);
	elsewhere = new_stream();
	EXPECT(launch(fill, elsewhere, filling), CUDA_ERROR_INVALID_HANDLE);
	OK(cudaSetDevice(0));
	EXPECT(launch(fill, elsewhere, filling), CUDA_ERROR_INVALID_HANDLE);
	EXPECT(cuLaunchKernel(fill, 0, 1, 1, 64, 1, 1, 0, stream, filling, NULL), CUDA_ERROR_INVALID_VALUE);
	OK(cuModuleUnload(module));
	OK(cudaFree(memory));
}

static void faults(void)
{
	cudaStream_t stream = new_stream();
	char *memory = new_memory(8);
	void *other;

	OK(cudaMemsetAsync(memory, 0, 8, stream));
	EXPECT(cudaMemsetAsync(memory, 0, 8, stream), cudaErrorLaunchFailure);
	EXPECT(cudaGetLastError(), cudaErrorLaunchFailure);
	OK(cudaMemsetAsync(memory, 0, 8, stream));
	OK(cudaStreamSynchronize(stream));
	EXPECT(cudaStreamQuery(stream), cudaErrorLaunchFailure);
	EXPECT(cudaStreamQuery(stream), cudaErrorLaunchFailure);
	EXPECT(cudaSetDevice(2), cudaErrorDevicesUnavailable);
	OK(cudaSetDevice(1));
	EXPECT(cudaMalloc(&other, 1), cudaErrorMemoryAllocation);
	EXPECT(fake_fault("hang", NULL, 0, 0), 0);
	EXPECT(fake_fault("hang", NULL, 1, 0), 0);
	EXPECT(fake_fault("hang", NULL, 1, 0), 1);
	EXPECT(fake_fault("hang", NULL, 1, 0), 0);
}

static atomic_int disposed;

static void count_disposed(void *arg)
{
	(void)arg;
	atomic_fetch_add(&disposed, 1);
}

static void nothing(void *arg)
{
	(void)arg;
}

static void disposal(void)
{
	const struct fake_work work = { .name = "work", .run = nothing, .dispose = count_disposed };
	cudaStream_t stream = new_stream();
	cudaGraphExec_t exec;
	cudaGraph_t graph;

	OK(fake_stream_enqueue(stream, 0, &work));
	OK(cudaStreamSynchronize(stream));
	EXPECT(disposed, 1);
	OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
	OK(fake_stream_enqueue(stream, 0, &work));
	OK(cudaStreamEndCapture(stream, &graph));
	OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
	OK(cudaGraphLaunch(exec, stream));
	OK(cudaStreamSynchronize(stream));
	OK(cudaGraphDestroy(graph));
	EXPECT(disposed, 1);
	OK(cudaGraphExecDestroy(exec));
	EXPECT(disposed, 2);
	OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
	OK(fake_stream_enqueue(stream, 0, &work));
	EXPECT(cudaStreamQuery(stream), cudaErrorStreamCaptureUnsupported);
	EXPECT(fake_stream_enqueue(stream, 0, &work), cudaErrorStreamCaptureInvalidated);
	EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
	EXPECT(disposed, 4);
}

/* Streams that read the same memory, or that were waited for, are no mistake. */
static void ordered_streams(void)
{
	cudaStream_t one = new_stream(), two = new_stream();
	cudaEvent_t event = new_event(cudaEventDisableTiming);
	char *memory = new_memory(16), a = 0, b = 0;

	OK(cudaMemsetAsync(memory, 1, 16, one));
	OK(cudaEventRecord(event, one));
	OK(cudaEventSynchronize(event));
	OK(cudaMemcpyAsync(&a, memory, 1, cudaMemcpyDeviceToHost, one));
	OK(cudaMemcpyAsync(&b, memory, 1, cudaMemcpyDeviceToHost, two));
	OK(cudaMemsetAsync(memory + 8, 1, 8, two));
	OK(cudaStreamSynchronize(one));
	while (cudaStreamQuery(two))
		;
	EXPECT(a + b, 2);
	OK(cudaFree(memory));
}

static void *work_on_device(void *arg)
{
	const int device = (int)(intptr_t)arg;
	cudaStream_t stream;
	cudaEvent_t event;
	char *memory, value = 0;

	OK(cudaSetDevice(device));
	stream = new_stream();
	event = new_event(0);
	memory = new_memory(64);
	for (char i = 0; i < 100; i++) {
		OK(cudaMemsetAsync(memory, i, 64, stream));
		OK(cudaMemcpyAsync(&value, memory + 60, 1, cudaMemcpyDeviceToHost, stream));
		OK(cudaEventRecord(event, stream));
		OK(cudaEventSynchronize(event));
		EXPECT(value, i);
	}
	OK(cudaFree(memory));
	OK(cudaEventDestroy(event));
	OK(cudaStreamDestroy(stream));
	return NULL;
}

static void many_threads(void)
{
	pthread_t threads[8];

	for (intptr_t i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, work_on_device, (void *)i);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
}

/* --- what must be reported */

static void bad_setting(void)
{
	int count;

	cudaGetDeviceCount(&count);
}

static void host_reads_device(void)
{
	volatile char *memory = new_memory(64);

	exit(memory[0] == 1 ? 2 : 3);
}

/* Whoever uses fake_view finds nothing behind its allocation either. */
static void fake_beyond_the_end(void)
{
	volatile char *memory = new_memory(256);

	new_memory(256);
	memory = fake_view((const void *)memory, 256);
	memory[255] = 1;
	exit(memory[256] == 1 ? 2 : 3);
}

static void double_free(void)
{
	void *memory = new_memory(64);

	OK(cudaFree(memory));
	cudaFree(memory);
}

static void free_unknown(void)
{
	cudaFree((char *)new_memory(64) + 8);
}

static void free_as_host(void)
{
	cudaFreeHost(new_memory(64));
}

static void use_after_free(void)
{
	char *memory = new_memory(64);

	OK(cudaFree(memory));
	cudaMemsetAsync(memory, 0, 64, new_stream());
}

static void graph_after_free(void)
{
	cudaStream_t stream = new_stream();
	char *memory = new_memory(64);
	cudaGraphExec_t exec;
	cudaGraph_t graph;

	OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
	OK(cudaMemsetAsync(memory, 0, 64, stream));
	OK(cudaStreamEndCapture(stream, &graph));
	OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
	OK(cudaFree(memory));
	cudaGraphLaunch(exec, stream);
}

static void beyond_the_end(void)
{
	cudaMemcpyAsync((char *)new_memory(64) + 60, (char[8]){ 0 }, 8, cudaMemcpyDefault, new_stream());
}

static void wrong_kind(void)
{
	cudaMemcpyAsync(new_memory(64), (char[8]){ 0 }, 8, cudaMemcpyDeviceToDevice, new_stream());
}

static void overlapping_copy(void)
{
	char *memory = new_memory(64);

	cudaMemcpyAsync(memory, memory + 8, 16, cudaMemcpyDeviceToDevice, new_stream());
}

static void fill_of_host(void)
{
	char host[8];

	cudaMemsetAsync(host, 0, 8, new_stream());
}

static void unordered_write(void)
{
	char *memory = new_memory(64), value;

	OK(cudaMemsetAsync(memory, 0, 64, new_stream()));
	cudaMemcpyAsync(&value, memory + 32, 1, cudaMemcpyDeviceToHost, new_stream());
}

static void unordered_host_buffer(void)
{
	char host[8];

	OK(cudaMemcpyAsync(host, new_memory(8), 8, cudaMemcpyDeviceToHost, new_stream()));
	cudaMemcpyAsync(new_memory(8), host, 8, cudaMemcpyHostToDevice, new_stream());
}

/* An event that was recorded before the work says nothing about it. */
static void event_too_early(void)
{
	cudaStream_t stream = new_stream();
	cudaEvent_t event = new_event(0);
	char *memory = new_memory(64);

	OK(cudaEventRecord(event, stream));
	OK(cudaMemsetAsync(memory, 0, 64, stream));
	OK(cudaEventSynchronize(event));
	cudaMemsetAsync(memory, 0, 64, new_stream());
}

static void free_too_early(void)
{
	char *memory = new_memory(64);

	OK(cudaMemsetAsync(memory, 0, 64, new_stream()));
	pause_ms(10);
	cudaFree(memory);
}

static void destroyed_stream(void)
{
	cudaStream_t stream = new_stream();

	OK(cudaStreamDestroy(stream));
	cudaStreamQuery(stream);
}

static void destroyed_event(void)
{
	cudaEvent_t event = new_event(0);

	OK(cudaEventDestroy(event));
	cudaEventRecord(event, NULL);
}

static void unloaded_module(void)
{
	CUmodule module;
	CUfunction function = kernel_of(&module, "collperf_spin");

	OK(cuModuleUnload(module));
	launch(function, NULL, (void *[]){ NULL, NULL });
}

static void kernel_beyond_the_end(void)
{
	CUmodule module;
	CUfunction function = kernel_of(&module, "collperf_differs_from");
	void *memory = new_memory(100), *counters = new_memory(16);
	uint64_t byte = 0, size = 4, count = 26;

	launch(function, NULL, (void *[]){ &memory, &byte, &size, &count, &counters });
}

static void call_cuda(void *arg)
{
	cudaStreamQuery(arg);
}

static void cuda_in_host_function(void)
{
	cudaStream_t stream = new_stream();

	OK(cudaLaunchHostFunc(stream, call_cuda, stream));
	cudaStreamSynchronize(stream);
}

static void work_of_other_device(void)
{
	const struct fake_work work = { .name = "work", .run = nothing };

	fake_stream_enqueue(new_stream(), 1, &work);
}

static const struct test {
	const char *name, *fake, *visible;
	void (*run)(void);
	const char *message; /* of wrong use, or NULL */
	int signal;
} tests[] = {
	{ "devices, names, attributes", "gpus=4,cc=80", NULL, devices, NULL, 0 },
	{ "CUDA_VISIBLE_DEVICES", NULL, "0,2", visible_devices, NULL, 0 },
	{ "CUDA_VISIBLE_DEVICES ends before what is no device", NULL, "1,9,2", one_visible_device, NULL, 0 },
	{ "no visible device", NULL, "", no_device, NULL, 0 },
	{ "no device", "gpus=0", NULL, no_device, NULL, 0 },
	{ "no driver", "driver=0", NULL, no_driver, NULL, 0 },
	{ "an old driver", "driver=12040", NULL, old_driver, NULL, 0 },
	{ "an error of the driver", "drivererror=803", NULL, driver_error, NULL, 0 },
	{ "memory of each device", "memory=64M", NULL, memory_limits, NULL, 0 },
	{ "copies and fills", NULL, NULL, copies, NULL, 0 },
	{ "streams: in order, side by side", NULL, NULL, streams, NULL, 0 },
	{ "the null stream", NULL, NULL, null_stream, NULL, 0 },
	{ "the null stream orders others", NULL, NULL, null_stream_between, NULL, 0 },
	{ "events", NULL, NULL, events, NULL, 0 },
	{ "graphs", NULL, NULL, graphs, NULL, 0 },
	{ "what a capture forbids", NULL, NULL, capture_errors, NULL, 0 },
	{ "a full queue blocks the host", NULL, NULL, full_queue, NULL, 0 },
	{ "pinned host memory", NULL, NULL, host_memory, NULL, 0 },
	{ "each thread has its device", NULL, NULL, device_of_threads, NULL, 0 },
	{ "kernels", NULL, NULL, kernels, NULL, 0 },
	{ "faults", "fail=cudaMemsetAsync:2,fail=cudaStreamQuery,fail=cudaSetDevice:device2,oom=device1,hang=rank1:call2", NULL,
	  faults, NULL, 0 },
	{ "work is disposed of once", NULL, NULL, disposal, NULL, 0 },
	{ "streams that are ordered", NULL, NULL, ordered_streams, NULL, 0 },
	{ "slow work", "slow=100", NULL, copies, NULL, 0 },
	{ "eight threads", NULL, NULL, many_threads, NULL, 0 },
	{ "an unknown word", "gpus=2,gps=3", NULL, bad_setting, "'gps=3' is not understood", 0 },
	{ "a bad number", "gpus=2x", NULL, bad_setting, "a number from 0 to 64", 0 },
	{ "a bad condition", "oom=device1:rnk2", NULL, bad_setting, "'rnk2' is not understood", 0 },
	{ "a fault without its function", "fail=3", NULL, bad_setting, "the name of a function is missing", 0 },
	{ "the host reads device memory", NULL, NULL, host_reads_device, NULL, SIGSEGV },
	{ "nothing is behind an allocation", NULL, NULL, fake_beyond_the_end, NULL, SIGSEGV },
	{ "freed twice", NULL, NULL, double_free, "is freed already", 0 },
	{ "freed, never allocated", NULL, NULL, free_unknown, "was not allocated", 0 },
	{ "freed by the wrong function", NULL, NULL, free_as_host, "was allocated by cudaMalloc", 0 },
	{ "used after free", NULL, NULL, use_after_free, "not memory of a device", 0 },
	{ "a graph uses freed memory", NULL, NULL, graph_after_free, "are freed", 0 },
	{ "a copy beyond the end", NULL, NULL, beyond_the_end, "beyond the end", 0 },
	{ "a copy of the wrong kind", NULL, NULL, wrong_kind, "memory of a device, which it is not", 0 },
	{ "a copy onto itself", NULL, NULL, overlapping_copy, "overlap", 0 },
	{ "a fill of host memory", NULL, NULL, fill_of_host, "not memory of a device", 0 },
	{ "two streams, one writes", NULL, NULL, unordered_write, "nothing orders the two", 0 },
	{ "two streams, a buffer of the host", NULL, NULL, unordered_host_buffer, "nothing orders the two", 0 },
	{ "an event that was too early", NULL, NULL, event_too_early, "nothing orders the two", 0 },
	{ "freed while in use", NULL, NULL, free_too_early, "nobody waited", 0 },
	{ "a destroyed stream", NULL, NULL, destroyed_stream, "destroyed already", 0 },
	{ "a destroyed event", NULL, NULL, destroyed_event, "destroyed already", 0 },
	{ "an unloaded module", NULL, NULL, unloaded_module, "no module any more", 0 },
	{ "a kernel beyond the end", NULL, NULL, kernel_beyond_the_end, "104 bytes", 0 },
	{ "CUDA inside of a host function", NULL, NULL, cuda_in_host_function, "inside of a host function", 0 },
	{ "work on another device's stream", NULL, NULL, work_of_other_device, "on a stream of device 0", 0 },
};

static void set_variable(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static void run_child(const struct test *test, int output)
{
	set_variable("COLLPERF_FAKE", test->fake);
	set_variable("CUDA_VISIBLE_DEVICES", test->visible);
	dup2(output, STDERR_FILENO);
	alarm(60);
	if (test->signal) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		signal(test->signal, SIG_DFL);
	}
	test->run();
	exit(0);
}

/* As it should end, with the right message. */
static bool is_good(const struct test *test, int status, const char *text)
{
	if (test->signal)
		return WIFSIGNALED(status) && WTERMSIG(status) == test->signal;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != (test->message ? FAKE_EXIT : 0))
		return false;
	return test->message ? strncmp(text, "fake: ", 6) == 0 && strstr(text, test->message) : text[0] == '\0';
}

static bool run_test(const struct test *test, int number)
{
	char text[4096] = "";
	size_t length = 0;
	int ends[2], status;
	ssize_t got;
	pid_t child;
	bool good;

	if (pipe(ends) != 0)
		return false;
	fflush(stdout);
	child = fork();
	if (child == 0)
		run_child(test, ends[1]);
	close(ends[1]);
	while ((got = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
		length += (size_t)got;
	close(ends[0]);
	waitpid(child, &status, 0);
	good = is_good(test, status, text);
	printf("%s %d - %s\n", good ? "ok" : "not ok", number, test->name);
	if (!good)
		printf("# status %d: %s\n", status, text);
	return good;
}

int main(int argc, char **argv)
{
	const int count = sizeof tests / sizeof tests[0];
	int failed = 0;

	printf("1..%d\n", count);
	for (int i = 0; i < count; i++)
		if (argc < 2 || strstr(tests[i].name, argv[1]))
			failed += !run_test(&tests[i], i + 1);
	return failed > 0;
}
