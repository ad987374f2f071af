/* SPDX-License-Identifier: Apache-2.0
 *
 * What the stand-in of libcudart offers to the stand-ins of libcuda and libnccl, which link it: streams, device memory, checks, faults.
 *
 * Device memory is host memory behind another address: what cudaMalloc returns cannot be read or written (a host that tries dies of SIGSEGV, as it
 * would with a GPU); work on a stream reaches the bytes through fake_view. All functions may be called from any thread.
 *
 * The environment variable COLLPERF_FAKE configures and breaks the fakes: words separated by commas; one that is not understood ends the process.
 *   gpus=8             GPUs of this machine, 0..64, before CUDA_VISIBLE_DEVICES; 0: no device
 *   memory=1G          bytes of each GPU (K, M, G: powers of 1024)
 *   cc=90              compute capability
 *   driver=13000       version of the driver; 0: no driver is installed
 *   drivererror=CODE   cudaGetDeviceCount returns this error
 *   nccl=22809         what ncclGetVersion says
 *   slow=US            every piece of work on a stream takes so many microseconds longer
 *   wire=US            every call of NCCL on a stream takes so many microseconds longer
 *   trace=1            every piece of work that has run is told on stderr: its stream, and when it was queued, began and ended, in ns
 *   limit=20           seconds after which NCCL's work that waits for a peer is wrong use
 *   fail=NAME          the named CUDA or NCCL function returns an error
 *   tell=NAME          calls of the named function are told on stderr
 *   oom                allocating device memory returns cudaErrorMemoryAllocation
 *   deaf               cudaStreamWaitEvent returns success, and nothing waits
 *   async, hang, flip  NCCL: an asynchronous error of the communicator, a collective that never ends, a wrong bit in one received element
 * The last five lines take conditions, each after a colon, in any order: callK or K (the K-th matching call of this process, from 1, alone; without
 * it every one), rankR (NCCL's rank over all of its communicator), deviceD (number as cudaSetDevice takes it). E.g.
 *   COLLPERF_FAKE=gpus=4,memory=64M,fail=ncclAllReduce:12,async=3:rank2,hang=5:rank1,flip=rank1:call3,oom=device2
 */
#ifndef COLLPERF_FAKE_H
#define COLLPERF_FAKE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

/* Wrong use: one line on stderr, "fake: ...", and the process ends with FAKE_EXIT. */
enum { FAKE_EXIT = 99 };
_Noreturn void fake_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What a number in COLLPERF_FAKE is: "gpus", "memory", "cc", "driver", "drivererror", "nccl", "slow", "wire", "trace", "limit". Its default where it is not named. */
long fake_setting(const char *name);
/*
 * Whether a fault of this kind ("fail", "tell", "oom", "deaf", "async", "hang", "flip") is due now. name: the function's ("fail", "tell"), else NULL; rank, device: -1 when
 * there is none (no word with that condition fits then). Every asking counts as a call for the words that fit otherwise.
 */
bool fake_fault(const char *kind, const char *name, int rank, int device);
/*
 * First thing in every function of an API. Being inside a host function or on the thread of a stream is wrong use. Whether "fail" is due.
 */
bool fake_enter(const char *function, int rank, int device);

/* As the calling thread has set it; -1 where there is no GPU. */
int fake_current_device(void);
int fake_device_count(void);
/* The same once this thread has made a call of the runtime that gives it a context; -1 before, when the driver's functions fail. */
int fake_context_device(void);

/*
 * Memory. `allocator` is the name of the function that gives it ("cudaMalloc", "ncclMemAlloc"); fake_release with another one is wrong use, as are
 * unknown and freed memory and memory whose work is not known to be complete. alignment: 0 or a power of two; bytes > 0.
 */
cudaError_t fake_allocate(int device, size_t bytes, size_t alignment, const char *allocator, void **memory);
void fake_release(void *memory, const char *allocator);
/* Wholly inside one live allocation of a device? Its number goes to *device (which may be NULL). Host memory, also cudaHostAlloc's, is not. */
bool fake_is_device_memory(const void *memory, size_t bytes, int *device);
/*
 * The address under which work on a stream (or the fake itself) reads and writes device memory; other addresses come back as they are. Freed memory
 * and bytes beyond the end of an allocation are wrong use. bytes 0: only the translation.
 */
void *fake_view(const void *memory, size_t bytes);

/*
 * Work on a stream. Pieces run one after another on a thread of the stream's own, without a lock held: they may block. `dispose` (or NULL) is called
 * exactly once, when the work will not run again: after it has run, or when the graph that it was captured into is gone.
 * On a capturing stream nothing runs: the work is recorded, and runs at every launch of the graph.
 * ranges: memory that it reads or writes (addresses as the user gave them; copied). From now until a host thread has seen the work complete (stream or
 * event synchronised, a query that said so), conflicting work on an unordered stream is wrong use, and so is freeing the memory.
 */
struct fake_range {
	const void *memory;
	size_t bytes;
	bool writes;
};

struct fake_work {
	const char *name; /* for messages; lives for ever */
	void (*run)(void *arg);
	void (*dispose)(void *arg);
	void *arg;
	const struct fake_range *ranges;
	size_t nranges;
};

/*
 * `device`: where it runs; a stream of another device is wrong use, NULL is that device's null stream. An error only where CUDA would return one (a
 * capture that is broken); then dispose has been called. Blocks while FAKE_QUEUE pieces are pending on the stream, as the driver does.
 */
enum { FAKE_QUEUE = 1024 };
cudaError_t fake_stream_enqueue(cudaStream_t stream, int device, const struct fake_work *work);
void fake_pause(long us);
/* Also says whether it is a live stream: wrong use if not. `function` is for the message. NULL: `device` comes back. */
int fake_stream_device(cudaStream_t stream, int device, const char *function);
bool fake_stream_is_capturing(cudaStream_t stream);

#endif
