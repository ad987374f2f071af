/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of the stand-in of libnccl itself: right use gives right data, each wrong use ends the process with FAKE_EXIT and a line that says what it is,
 * each fault comes as asked for. Every case is a process of its own. Prints TAP.
 */
#include <cuda_runtime_api.h>
#include <nccl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fake.h"

enum { MOST = 8, ELEMENTS = 20000, GUARD = 64 };

/* The ranks that a process drives. */
struct world {
	int first, local, nranks;
	ncclUniqueId id;
	ncclComm_t comms[MOST];
	cudaStream_t streams[MOST];
	char *send[MOST], *recv[MOST];
	size_t bytes;
};

static void must(int result, const char *what)
{
	if (result) {
		fprintf(stderr, "%s: %d\n", what, result);
		_exit(1);
	}
}

static void expect(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "not so: %s\n", what);
		_exit(1);
	}
}

static void open_rank(struct world *world, int i)
{
	must(cudaSetDevice(world->first + i), "cudaSetDevice");
	must(cudaStreamCreateWithFlags(&world->streams[i], cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
	must(cudaMalloc((void **)&world->send[i], world->bytes), "cudaMalloc");
	must(cudaMalloc((void **)&world->recv[i], world->bytes), "cudaMalloc");
}

static void world_buffers(struct world *world)
{
	world->bytes = (size_t)ELEMENTS * 8 * MOST;
	for (int i = 0; i < world->local; i++)
		open_rank(world, i);
}

static void world_init(struct world *world)
{
	world_buffers(world);
	must(ncclGroupStart(), "ncclGroupStart");
	for (int i = 0; i < world->local; i++) {
		must(cudaSetDevice(world->first + i), "cudaSetDevice");
		must(ncclCommInitRank(&world->comms[i], world->nranks, world->id, world->first + i), "ncclCommInitRank");
	}
	must(ncclGroupEnd(), "ncclGroupEnd");
}

/* nranks ranks in this process, driven by one thread. */
static struct world world_open(int nranks)
{
	struct world world = { 0, nranks, nranks, { { 0 } }, { 0 }, { 0 }, { 0 }, { 0 }, 0 };

	must(ncclGetUniqueId(&world.id), "ncclGetUniqueId");
	world_init(&world);
	return world;
}

static void world_wait(struct world *world)
{
	for (int i = 0; i < world->local; i++)
		must(cudaStreamSynchronize(world->streams[i]), "cudaStreamSynchronize");
}

static void world_close(struct world *world)
{
	world_wait(world);
	for (int i = 0; i < world->local; i++) {
		must(ncclCommDestroy(world->comms[i]), "ncclCommDestroy");
		must(cudaFree(world->send[i]), "cudaFree");
		must(cudaFree(world->recv[i]), "cudaFree");
		must(cudaStreamDestroy(world->streams[i]), "cudaStreamDestroy");
	}
}

static void put(struct world *world, int i, void *to, const void *from, size_t bytes)
{
	must(cudaSetDevice(world->first + i), "cudaSetDevice");
	must(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, world->streams[i]), "cudaMemcpyAsync");
	must(cudaStreamSynchronize(world->streams[i]), "cudaStreamSynchronize");
}

static void get(struct world *world, int i, void *to, const void *from, size_t bytes)
{
	must(cudaSetDevice(world->first + i), "cudaSetDevice");
	must(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, world->streams[i]), "cudaMemcpyAsync");
	must(cudaStreamSynchronize(world->streams[i]), "cudaStreamSynchronize");
}

/* Element k of what a rank sends. */
static int32_t value(int rank, size_t k)
{
	return (int32_t)(k * 7 % 1000 + 1000 * (size_t)(rank + 1));
}

static void fill(struct world *world, size_t count)
{
	int32_t *data = (int32_t *)malloc(count * 4);

	for (int i = 0; i < world->local; i++) {
		for (size_t k = 0; k < count; k++)
			data[k] = value(world->first + i, k);
		put(world, i, world->send[i], data, count * 4);
		memset(data, 0x55, count * 4);
		put(world, i, world->recv[i], data, count * 4);
	}
	free(data);
}

static int same(struct world *world, int i, const char *at, const int32_t *want, size_t count)
{
	int32_t *data = (int32_t *)malloc(count * 4);
	int equal;

	get(world, i, data, at, count * 4);
	equal = memcmp(data, want, count * 4) == 0;
	free(data);
	return equal;
}

static void all_reduce(struct world *world, size_t count)
{
	must(ncclGroupStart(), "ncclGroupStart");
	for (int i = 0; i < world->local; i++)
		must(ncclAllReduce(world->send[i], world->recv[i], count, ncclInt32, ncclSum, world->comms[i], world->streams[i]),
		     "ncclAllReduce");
	must(ncclGroupEnd(), "ncclGroupEnd");
}

static int is_reduced(struct world *world, size_t count)
{
	int32_t *want = (int32_t *)malloc(count * 4);
	int right = 1;

	for (size_t k = 0; k < count; k++) {
		want[k] = 0;
		for (int rank = 0; rank < world->nranks; rank++)
			want[k] += value(rank, k);
	}
	for (int i = 0; i < world->local; i++)
		right = right && same(world, i, world->recv[i], want, count);
	free(want);
	return right;
}

/* --- right use */

static void right_all_reduce(void)
{
	for (int nranks = 1; nranks <= MOST; nranks++) {
		struct world world = world_open(nranks);

		fill(&world, ELEMENTS);
		all_reduce(&world, ELEMENTS);
		expect(is_reduced(&world, ELEMENTS), "sums");
		world_close(&world);
	}
}

/* All that move blocks, root 1 of 3. count elements a block: more than one step. */
static void call_moves(struct world *world, int which, size_t count)
{
	must(ncclGroupStart(), "ncclGroupStart");
	for (int i = 0; i < world->local; i++) {
		char *send = world->send[i], *recv = world->recv[i];
		ncclComm_t comm = world->comms[i];
		cudaStream_t stream = world->streams[i];

		if (which == 0)
			must(ncclBroadcast(send, recv, count, ncclInt32, 1, comm, stream), "ncclBroadcast");
		else if (which == 1)
			must(ncclAllGather(send, recv, count, ncclInt32, comm, stream), "ncclAllGather");
		else if (which == 2)
			must(ncclAlltoAll(send, recv, count, ncclInt32, comm, stream), "ncclAlltoAll");
		else if (which == 3)
			must(ncclGather(send, i == 1 ? recv : NULL, count, ncclInt32, 1, comm, stream), "ncclGather");
		else if (which == 4)
			must(ncclScatter(i == 1 ? send : NULL, recv, count, ncclInt32, 1, comm, stream), "ncclScatter");
		else if (which == 5)
			must(ncclReduceScatter(send, recv, count, ncclInt32, ncclMax, comm, stream), "ncclReduceScatter");
		else
			must(ncclReduce(send, i == 1 ? recv : NULL, count, ncclInt32, ncclMin, 1, comm, stream), "ncclReduce");
	}
	must(ncclGroupEnd(), "ncclGroupEnd");
}

static int32_t moved(int which, int rank, int from, size_t count, size_t k)
{
	switch (which) {
	case 0:
		return value(1, k);
	case 1:
	case 3:
		return value(from, k);
	case 2:
		return value(from, (size_t)rank * count + k);
	case 4:
		return value(1, (size_t)rank * count + k);
	case 5:
		return value(2, (size_t)rank * count + k);
	default:
		return value(0, k);
	}
}

static void right_moves(void)
{
	enum { COUNT = ELEMENTS, RANKS = 3 };
	struct world world = world_open(RANKS);
	int32_t *want = (int32_t *)malloc((size_t)COUNT * 4), *untouched = (int32_t *)malloc((size_t)COUNT * 4);

	memset(untouched, 0x55, (size_t)COUNT * 4);
	for (int which = 0; which < 7; which++) {
		int blocks = which >= 1 && which <= 3 ? RANKS : 1;

		fill(&world, (size_t)COUNT * RANKS);
		call_moves(&world, which, COUNT);
		for (int rank = 0; rank < RANKS; rank++) {
			int receives = (which != 3 && which != 6) || rank == 1;

			for (int from = 0; from < blocks; from++) {
				for (size_t k = 0; k < COUNT; k++)
					want[k] = moved(which, rank, from, COUNT, k);
				expect(same(&world, rank, world.recv[rank] + (size_t)from * COUNT * 4,
					    receives ? want : untouched, COUNT),
				       "blocks");
			}
		}
	}
	world_close(&world);
}

static void shift(struct world *world, size_t count)
{
	must(ncclGroupStart(), "ncclGroupStart");
	for (int i = 0; i < world->local; i++) {
		int rank = world->first + i, n = world->nranks;

		must(ncclSend(world->send[i], count, ncclInt32, (rank + 1) % n, world->comms[i], world->streams[i]), "ncclSend");
		must(ncclRecv(world->recv[i], count, ncclInt32, (rank + n - 1) % n, world->comms[i], world->streams[i]),
		     "ncclRecv");
	}
	must(ncclGroupEnd(), "ncclGroupEnd");
}

static int is_shifted(struct world *world, size_t count)
{
	int32_t *want = (int32_t *)malloc(count * 4);
	int right = 1;

	for (int i = 0; i < world->local; i++) {
		for (size_t k = 0; k < count; k++)
			want[k] = value((world->first + i + world->nranks - 1) % world->nranks, k);
		right = right && same(world, i, world->recv[i], want, count);
	}
	free(want);
	return right;
}

static void right_letters(void)
{
	for (int nranks = 1; nranks <= 4; nranks++) {
		struct world world = world_open(nranks);

		fill(&world, ELEMENTS);
		shift(&world, ELEMENTS);
		shift(&world, 0);
		expect(is_shifted(&world, ELEMENTS), "letters");
		world_close(&world);
	}
}

/* 2 ranks: code of one, code of the other, code of the result. */
static const struct arithmetic {
	ncclDataType_t type;
	ncclRedOp_t op;
	uint64_t one, other, result;
} sums[] = {
	{ ncclInt8, ncclSum, 100, 100, 200 },
	{ ncclInt8, ncclMax, 0xff, 1, 1 },
	{ ncclInt8, ncclMin, 0x80, 0x7f, 0x80 },
	{ ncclInt8, ncclAvg, 0xfd, 0, 0xff },
	{ ncclInt8, ncclProd, 0xfd, 5, 0xf1 },
	{ ncclUint8, ncclSum, 200, 100, 44 },
	{ ncclUint8, ncclMax, 0xff, 1, 0xff },
	{ ncclUint8, ncclAvg, 255, 0, 127 },
	{ ncclInt32, ncclMin, 0xffffffff, 3, 0xffffffff },
	{ ncclUint32, ncclMin, 0xffffffff, 3, 3 },
	{ ncclUint32, ncclSum, 0xffffffff, 3, 2 },
	{ ncclInt64, ncclMax, UINT64_MAX, 3, 3 },
	{ ncclInt64, ncclAvg, (uint64_t)-9, 0, (uint64_t)-4 },
	{ ncclUint64, ncclMax, UINT64_MAX, 3, UINT64_MAX },
	{ ncclUint64, ncclProd, UINT64_MAX, 3, (uint64_t)-3 },
	{ ncclUint64, ncclAvg, UINT64_MAX, 0, UINT64_MAX / 2 },
	{ ncclFloat16, ncclSum, 0x3c00, 0x1000, 0x3c00 },  /* 1 + 2^-11: a tie, to even */
	{ ncclFloat16, ncclSum, 0x3c01, 0x1000, 0x3c02 },  /* the next one: up */
	{ ncclFloat16, ncclSum, 0x3c00, 0x1001, 0x3c01 },  /* just more than a tie */
	{ ncclFloat16, ncclSum, 0x7bff, 0x4c00, 0x7c00 },  /* 65504 + 16: infinity */
	{ ncclFloat16, ncclSum, 0x7bff, 0x4bff, 0x7bff },  /* not yet */
	{ ncclFloat16, ncclSum, 0x0001, 0x0001, 0x0002 },  /* the smallest ones */
	{ ncclFloat16, ncclProd, 0x0400, 0x3800, 0x0200 }, /* 2^-14 / 2 */
	{ ncclFloat16, ncclSum, 0x03ff, 0x0001, 0x0400 },  /* into the normal ones */
	{ ncclFloat16, ncclProd, 0xc000, 0x4200, 0xc600 }, /* -2 * 3 */
	{ ncclFloat16, ncclMax, 0xc000, 0x4200, 0x4200 },
	{ ncclFloat16, ncclMin, 0xc000, 0x4200, 0xc000 },
	{ ncclFloat16, ncclAvg, 0x3c00, 0x4200, 0x4000 },
	{ ncclBfloat16, ncclSum, 0x3f80, 0x3b80, 0x3f80 }, /* 1 + 2^-8: a tie */
	{ ncclBfloat16, ncclSum, 0x3f81, 0x3b80, 0x3f82 },
	{ ncclBfloat16, ncclSum, 0x7f7f, 0x7f7f, 0x7f80 },
	{ ncclBfloat16, ncclProd, 0x4040, 0xc0a0, 0xc170 }, /* 3 * -5 */
	{ ncclFloat8e4m3, ncclSum, 0x38, 0x38, 0x40 },      /* 1 + 1 */
	{ ncclFloat8e4m3, ncclSum, 0x7e, 0x7e, 0x7e },      /* 448 + 448 */
	{ ncclFloat8e4m3, ncclSum, 0x38, 0x18, 0x38 },      /* 1 + 1/16: a tie */
	{ ncclFloat8e4m3, ncclProd, 0x08, 0x30, 0x04 },     /* 2^-6 / 2 */
	{ ncclFloat8e5m2, ncclSum, 0x3c, 0x3c, 0x40 },
	{ ncclFloat8e5m2, ncclSum, 0x7b, 0x7b, 0x7b },
	{ ncclFloat8e5m2, ncclProd, 0xbc, 0x42, 0xc2 }, /* -1 * 3 */
	{ ncclFloat32, ncclSum, 0x3f800000, 0x33800000, 0x3f800000 },
	{ ncclFloat32, ncclSum, 0x3f800001, 0x33800000, 0x3f800002 },
	{ ncclFloat32, ncclAvg, 0x3f800000, 0x40400000, 0x40000000 },
	{ ncclFloat64, ncclSum, 0x3ff0000000000000, 0x3ff0000000000000, 0x4000000000000000 },
	{ ncclFloat64, ncclMin, 0x3ff0000000000000, 0xbff0000000000000, 0xbff0000000000000 },
};

static void right_arithmetic(void)
{
	static const size_t sizes[] = { 1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1 };
	struct world world = world_open(2);

	for (size_t k = 0; k < sizeof(sums) / sizeof(sums[0]); k++) {
		uint64_t result = 0;
		char text[64];

		put(&world, 0, world.send[0], &sums[k].one, 8);
		put(&world, 1, world.send[1], &sums[k].other, 8);
		must(ncclGroupStart(), "ncclGroupStart");
		for (int i = 0; i < 2; i++)
			must(ncclAllReduce(world.send[i], world.recv[i], 1, sums[k].type, sums[k].op, world.comms[i],
					   world.streams[i]),
			     "ncclAllReduce");
		must(ncclGroupEnd(), "ncclGroupEnd");
		get(&world, 1, &result, world.recv[1], sizes[sums[k].type]);
		snprintf(text, sizeof(text), "sum %zu gives 0x%llx", k, (unsigned long long)result);
		expect(result == sums[k].result, text);
	}
	world_close(&world);
}

/* Each rank has a scalar of its own, one as a number, the other in device memory. */
static void right_premul(void)
{
	struct world world = world_open(2);
	float scalars[2] = { 2, 3 }, data[2] = { 10, 100 }, result;
	ncclRedOp_t ops[2];

	for (int i = 0; i < 2; i++) {
		put(&world, i, world.send[i], &data[i], 4);
		put(&world, i, world.send[i] + 1024, &scalars[i], 4);
	}
	must(ncclRedOpCreatePreMulSum(&ops[0], &scalars[0], ncclFloat32, ncclScalarHostImmediate, world.comms[0]), "create");
	must(ncclRedOpCreatePreMulSum(&ops[1], world.send[1] + 1024, ncclFloat32, ncclScalarDevice, world.comms[1]), "create");
	must(ncclGroupStart(), "ncclGroupStart");
	for (int i = 0; i < 2; i++)
		must(ncclAllReduce(world.send[i], world.recv[i], 1, ncclFloat32, ops[i], world.comms[i], world.streams[i]),
		     "ncclAllReduce");
	must(ncclGroupEnd(), "ncclGroupEnd");
	get(&world, 0, &result, world.recv[0], 4);
	expect(result == 320, "10 * 2 + 100 * 3");
	must(ncclRedOpDestroy(ops[0], world.comms[0]), "ncclRedOpDestroy");
	must(ncclRedOpDestroy(ops[1], world.comms[1]), "ncclRedOpDestroy");
	world_close(&world);
}

static void right_in_place(void)
{
	enum { COUNT = 1000 };
	struct world world = world_open(3);

	fill(&world, (size_t)COUNT * 3);
	must(ncclGroupStart(), "ncclGroupStart");
	for (int i = 0; i < 3; i++) {
		char *own = world.send[i] + (size_t)i * COUNT * 4;

		must(ncclAllReduce(world.recv[i], world.recv[i], COUNT, ncclInt32, ncclSum, world.comms[i], world.streams[i]),
		     "reduce");
		must(ncclReduceScatter(world.send[i], own, COUNT, ncclInt32, ncclSum, world.comms[i], world.streams[i]),
		     "scatter");
		must(ncclAllGather(own, world.send[i], COUNT, ncclInt32, world.comms[i], world.streams[i]), "gather");
	}
	must(ncclGroupEnd(), "ncclGroupEnd");
	for (int i = 0; i < 3; i++) {
		int32_t *want = (int32_t *)malloc((size_t)COUNT * 3 * 4);

		for (size_t k = 0; k < (size_t)COUNT * 3; k++)
			want[k] = value(0, k) + value(1, k) + value(2, k);
		expect(same(&world, i, world.send[i], want, (size_t)COUNT * 3), "in place");
		free(want);
	}
	world_close(&world);
}

static void right_graph(void)
{
	struct world world = world_open(4);
	cudaGraph_t graphs[4];
	cudaGraphExec_t execs[4];

	fill(&world, ELEMENTS);
	for (int i = 0; i < 4; i++)
		must(cudaStreamBeginCapture(world.streams[i], cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
	all_reduce(&world, ELEMENTS);
	for (int i = 0; i < 4; i++) {
		must(cudaStreamEndCapture(world.streams[i], &graphs[i]), "cudaStreamEndCapture");
		must(cudaGraphInstantiateWithFlags(&execs[i], graphs[i], 0), "cudaGraphInstantiateWithFlags");
	}
	for (int launch = 0; launch < 3; launch++) {
		fill(&world, ELEMENTS);
		for (int i = 0; i < 4; i++)
			must(cudaGraphLaunch(execs[i], world.streams[i]), "cudaGraphLaunch");
		world_wait(&world);
		expect(is_reduced(&world, ELEMENTS), "sums of a graph");
	}
	for (int i = 0; i < 4; i++) {
		must(cudaGraphExecDestroy(execs[i]), "cudaGraphExecDestroy");
		must(cudaGraphDestroy(graphs[i]), "cudaGraphDestroy");
	}
	world_close(&world);
}

static void right_memory(void)
{
	struct world world = world_open(2);
	void *memory[2], *handle[2];
	ncclWindow_t window[2];

	for (int i = 0; i < 2; i++) {
		must(cudaSetDevice(i), "cudaSetDevice");
		must(ncclMemAlloc(&memory[i], 1 << 20), "ncclMemAlloc");
		must(ncclCommRegister(world.comms[i], world.send[i], 4096, &handle[i]), "ncclCommRegister");
	}
	must(ncclGroupStart(), "ncclGroupStart");
	for (int i = 0; i < 2; i++)
		must(ncclCommWindowRegister(world.comms[i], memory[i], 1 << 20, &window[i], NCCL_WIN_COLL_SYMMETRIC), "window");
	must(ncclGroupEnd(), "ncclGroupEnd");
	for (int i = 0; i < 2; i++) {
		must(ncclCommWindowDeregister(world.comms[i], window[i]), "ncclCommWindowDeregister");
		must(ncclCommDeregister(world.comms[i], handle[i]), "ncclCommDeregister");
		must(ncclMemFree(memory[i]), "ncclMemFree");
	}
	world_close(&world);
}

struct thread {
	struct world world;
	size_t count;
};

static void *drive(void *arg)
{
	struct thread *thread = (struct thread *)arg;

	world_init(&thread->world);
	fill(&thread->world, thread->count);
	all_reduce(&thread->world, thread->count);
	expect(is_reduced(&thread->world, thread->count), "sums");
	shift(&thread->world, thread->count);
	expect(is_shifted(&thread->world, thread->count), "letters");
	world_close(&thread->world);
	return NULL;
}

/* `threads` threads with `gpus` ranks each, from rank `first` on. */
static void drive_all(int first, int threads, int gpus, int nranks, const ncclUniqueId *id)
{
	struct thread all[MOST];
	pthread_t running[MOST];

	for (int t = 0; t < threads; t++) {
		memset(&all[t], 0, sizeof(all[t]));
		all[t].count = ELEMENTS;
		all[t].world.first = first + t * gpus;
		all[t].world.local = gpus;
		all[t].world.nranks = nranks;
		all[t].world.id = *id;
		must(pthread_create(&running[t], NULL, drive, &all[t]), "pthread_create");
	}
	for (int t = 0; t < threads; t++)
		pthread_join(running[t], NULL);
}

static void right_threads(void)
{
	ncclUniqueId id;

	must(ncclGetUniqueId(&id), "ncclGetUniqueId");
	drive_all(0, 8, 1, 8, &id);
}

/* This process makes the id and never joins; two others have 2 threads with 2 ranks. */
static void right_processes(void)
{
	ncclUniqueId id;
	int ends[2], codes = 0;

	must(pipe(ends), "pipe");
	for (int process = 0; process < 2; process++) {
		if (fork() == 0) {
			must(read(ends[0], &id, sizeof(id)) != sizeof(id), "read");
			drive_all(process * 4, 2, 2, 8, &id);
			_exit(0);
		}
	}
	must(ncclGetUniqueId(&id), "ncclGetUniqueId");
	for (int process = 0; process < 2; process++)
		must(write(ends[1], &id, sizeof(id)) != sizeof(id), "write");
	for (int process = 0; process < 2; process++) {
		int status;

		wait(&status);
		codes |= status;
	}
	expect(codes == 0, "both processes end well");
}

static void right_speed(void)
{
	enum { CALLS = 2000 };
	struct world world = world_open(8);
	struct timespec begin, end;

	fill(&world, 16);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (int call = 0; call < CALLS; call++) {
		all_reduce(&world, 16);
		if (call % 100 == 99)
			world_wait(&world);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("# %d calls of 8 ranks: %.3f s\n", (int)CALLS,
	       (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
	fflush(stdout);
	expect(is_reduced(&world, 16), "sums");
	world_close(&world);
}

/* --- wrong use */

static void wrong_group_end(void)
{
	ncclGroupEnd();
}

static void wrong_group_open(void)
{
	ncclGroupStart();
	exit(0);
}

static void *open_a_group(void *arg)
{
	ncclGroupStart();
	return arg;
}

static void wrong_group_open_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, open_a_group, NULL);
	pthread_join(thread, NULL);
}

/* Ranks 0 and 1 do not call the same; `which` says what differs. */
static void disagree(int which)
{
	struct world world = world_open(2);

	ncclGroupStart();
	for (int i = 0; i < 2; i++) {
		size_t count = which == 0 && i ? 99 : 100;
		ncclDataType_t type = which == 1 && i ? ncclFloat32 : ncclInt32;
		ncclRedOp_t op = which == 2 && i ? ncclMax : ncclSum;
		int root = which == 3 && i;

		if (which == 4 && i)
			ncclAllReduce(world.send[i], world.recv[i], count, type, op, world.comms[i], world.streams[i]);
		ncclReduce(world.send[i], world.recv[i], count, type, op, root, world.comms[i], world.streams[i]);
		if (which == 4 && !i)
			ncclAllReduce(world.send[i], world.recv[i], count, type, op, world.comms[i], world.streams[i]);
	}
	ncclGroupEnd();
	world_wait(&world);
}

static void wrong_count(void)
{
	disagree(0);
}

static void wrong_type(void)
{
	disagree(1);
}

static void wrong_op(void)
{
	disagree(2);
}

static void wrong_root(void)
{
	disagree(3);
}

static void wrong_order(void)
{
	disagree(4);
}

static void wrong_letter(void)
{
	struct world world = world_open(2);

	ncclGroupStart();
	ncclSend(world.send[0], 10, ncclInt32, 1, world.comms[0], world.streams[0]);
	ncclRecv(world.recv[1], 11, ncclInt32, 0, world.comms[1], world.streams[1]);
	ncclGroupEnd();
	world_wait(&world);
}

static void wrong_no_recv(void)
{
	struct world world = world_open(2);

	ncclSend(world.send[0], 10, ncclInt32, 1, world.comms[0], world.streams[0]);
	world_wait(&world);
}

static void wrong_no_send(void)
{
	struct world world = world_open(2);

	ncclRecv(world.recv[0], 10, ncclInt32, 1, world.comms[0], world.streams[0]);
	world_wait(&world);
}

/* Both ranks send and then receive, as two pieces of work. */
static void wrong_send_then_receive(void)
{
	struct world world = world_open(2);

	for (int send = 1; send >= 0; send--) {
		ncclGroupStart();
		for (int i = 0; i < 2; i++) {
			if (send)
				ncclSend(world.send[i], 10, ncclInt32, 1 - i, world.comms[i], world.streams[i]);
			else
				ncclRecv(world.recv[i], 10, ncclInt32, 1 - i, world.comms[i], world.streams[i]);
		}
		ncclGroupEnd();
	}
	world_wait(&world);
}

static void wrong_absent(void)
{
	struct world world = world_open(3);

	ncclGroupStart();
	for (int i = 0; i < 2; i++)
		ncclAllReduce(world.send[i], world.recv[i], 10, ncclInt32, ncclSum, world.comms[i], world.streams[i]);
	ncclGroupEnd();
	world_wait(&world);
}

static void wrong_after_destroy(void)
{
	struct world world = world_open(1);

	ncclCommDestroy(world.comms[0]);
	ncclAllReduce(world.send[0], world.recv[0], 10, ncclInt32, ncclSum, world.comms[0], world.streams[0]);
}

static void wrong_after_abort(void)
{
	struct world world = world_open(1);
	ncclResult_t error;

	ncclCommAbort(world.comms[0]);
	ncclCommGetAsyncError(world.comms[0], &error);
}

static void wrong_comm(void)
{
	int nothing;

	ncclCommDestroy((ncclComm_t)(void *)&nothing);
}

static void wrong_null_comm(void)
{
	void *memory;

	must(cudaMalloc(&memory, 64), "cudaMalloc");
	ncclAllReduce(memory, memory, 1, ncclInt32, ncclSum, NULL, NULL);
}

static void wrong_destroy_busy(void)
{
	struct world world = world_open(2);

	all_reduce(&world, 10);
	ncclCommDestroy(world.comms[0]);
}

static void wrong_destroy_in_group(void)
{
	struct world world = world_open(1);

	ncclGroupStart();
	ncclCommDestroy(world.comms[0]);
}

static void wrong_destroy_registered(void)
{
	struct world world = world_open(1);
	void *handle;

	must(ncclCommRegister(world.comms[0], world.send[0], 64, &handle), "ncclCommRegister");
	ncclCommDestroy(world.comms[0]);
}

static void wrong_destroy_graph(void)
{
	struct world world = world_open(1);
	cudaGraph_t graph;

	must(cudaStreamBeginCapture(world.streams[0], cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
	all_reduce(&world, 10);
	must(cudaStreamEndCapture(world.streams[0], &graph), "cudaStreamEndCapture");
	ncclCommDestroy(world.comms[0]);
}

static void wrong_alltoall_in_place(void)
{
	struct world world = world_open(2);

	ncclAlltoAll(world.send[0], world.send[0], 10, ncclInt32, world.comms[0], world.streams[0]);
}

static void wrong_gather_in_place(void)
{
	struct world world = world_open(2);

	ncclAllGather(world.recv[1], world.recv[1], 10, ncclInt32, world.comms[1], world.streams[1]);
}

static void wrong_scatter_in_place(void)
{
	struct world world = world_open(2);

	ncclReduceScatter(world.send[1], world.send[1], 10, ncclInt32, ncclSum, world.comms[1], world.streams[1]);
}

static void wrong_root_scatter_in_place(void)
{
	struct world world = world_open(2);

	ncclScatter(world.send[1], world.send[1], 10, ncclInt32, 1, world.comms[1], world.streams[1]);
}

static void wrong_root_gather_in_place(void)
{
	struct world world = world_open(2);

	ncclGather(world.recv[1], world.recv[1], 10, ncclInt32, 1, world.comms[1], world.streams[1]);
}

static void wrong_overlap(void)
{
	struct world world = world_open(2);

	ncclAllReduce(world.send[0], world.send[0] + 4, 10, ncclInt32, ncclSum, world.comms[0], world.streams[0]);
}

static void wrong_sendrecv_in_place(void)
{
	struct world world = world_open(2);

	ncclGroupStart();
	for (int i = 0; i < 2; i++) {
		ncclSend(world.send[i], 10, ncclInt32, 1 - i, world.comms[i], world.streams[i]);
		ncclRecv(world.send[i], 10, ncclInt32, 1 - i, world.comms[i], world.streams[i]);
	}
	ncclGroupEnd();
}

static void wrong_host_memory(void)
{
	struct world world = world_open(1);
	int on_host[10];

	ncclAllReduce(on_host, world.recv[0], 10, ncclInt32, ncclSum, world.comms[0], world.streams[0]);
}

static void wrong_other_device(void)
{
	struct world world = world_open(2);

	ncclAllReduce(world.send[0], world.recv[1], 10, ncclInt32, ncclSum, world.comms[0], world.streams[0]);
}

static void wrong_too_short(void)
{
	struct world world = world_open(2);

	ncclAllGather(world.send[0], world.recv[0], world.bytes / 4, ncclInt32, world.comms[0], world.streams[0]);
}

static void wrong_stream(void)
{
	struct world world = world_open(2);

	ncclAllReduce(world.send[0], world.recv[0], 10, ncclInt32, ncclSum, world.comms[0], world.streams[1]);
}

static void wrong_alone(void)
{
	struct world world = world_open(2);

	for (int i = 0; i < 2; i++)
		ncclAllReduce(world.send[i], world.recv[i], 10, ncclInt32, ncclSum, world.comms[i], world.streams[i]);
}

static void wrong_init_alone(void)
{
	ncclUniqueId id;
	ncclComm_t comm;

	must(ncclGetUniqueId(&id), "ncclGetUniqueId");
	ncclCommInitRank(&comm, 2, id, 0);
}

static void wrong_id(void)
{
	ncclUniqueId id;
	ncclComm_t comm;

	memset(&id, 7, sizeof(id));
	ncclCommInitRank(&comm, 1, id, 0);
}

static void wrong_twice(void)
{
	struct world world = world_open(1);
	ncclComm_t comm;

	ncclCommInitRank(&comm, 1, world.id, 0);
}

static void wrong_nranks(void)
{
	ncclUniqueId id;
	ncclComm_t comms[2];

	must(ncclGetUniqueId(&id), "ncclGetUniqueId");
	ncclGroupStart();
	ncclCommInitRank(&comms[0], 2, id, 0);
	ncclCommInitRank(&comms[1], 3, id, 1);
	ncclGroupEnd();
}

static void wrong_rank(void)
{
	ncclUniqueId id;
	ncclComm_t comm;

	must(ncclGetUniqueId(&id), "ncclGetUniqueId");
	ncclCommInitRank(&comm, 2, id, 2);
}

static void wrong_mixed_group(void)
{
	struct world world = world_open(1);
	ncclUniqueId id;
	ncclComm_t comm;

	must(ncclGetUniqueId(&id), "ncclGetUniqueId");
	ncclGroupStart();
	ncclCommInitRank(&comm, 1, id, 0);
	ncclAllReduce(world.send[0], world.recv[0], 10, ncclInt32, ncclSum, world.comms[0], world.streams[0]);
	ncclGroupEnd();
}

static void wrong_two_streams(void)
{
	struct world world = world_open(1);
	cudaStream_t other;

	must(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
	ncclAllReduce(world.send[0], world.recv[0], 10, ncclInt32, ncclSum, world.comms[0], world.streams[0]);
	ncclAllReduce(world.send[0] + 1024, world.recv[0] + 1024, 10, ncclInt32, ncclSum, world.comms[0], other);
}

static void wrong_redop(void)
{
	struct world world = world_open(1);
	float scalar = 1;
	ncclRedOp_t op;

	must(ncclRedOpCreatePreMulSum(&op, &scalar, ncclFloat32, ncclScalarHostImmediate, world.comms[0]), "create");
	must(ncclRedOpDestroy(op, world.comms[0]), "ncclRedOpDestroy");
	ncclAllReduce(world.send[0], world.recv[0], 10, ncclFloat32, op, world.comms[0], world.streams[0]);
}

static void wrong_redop_type(void)
{
	struct world world = world_open(1);
	float scalar = 1;
	ncclRedOp_t op;

	must(ncclRedOpCreatePreMulSum(&op, &scalar, ncclFloat32, ncclScalarHostImmediate, world.comms[0]), "create");
	ncclAllReduce(world.send[0], world.recv[0], 10, ncclInt32, op, world.comms[0], world.streams[0]);
}

static void wrong_peer(void)
{
	struct world world = world_open(2);

	ncclSend(world.send[0], 10, ncclInt32, 2, world.comms[0], world.streams[0]);
}

static void wrong_window_alone(void)
{
	struct world world = world_open(2);
	ncclWindow_t window;
	void *memory;

	must(cudaSetDevice(0), "cudaSetDevice");
	must(ncclMemAlloc(&memory, 1 << 20), "ncclMemAlloc");
	ncclCommWindowRegister(world.comms[0], memory, 1 << 20, &window, NCCL_WIN_COLL_SYMMETRIC);
}

static void wrong_deregister(void)
{
	struct world world = world_open(1);
	void *handle;

	must(ncclCommRegister(world.comms[0], world.send[0], 64, &handle), "ncclCommRegister");
	must(ncclCommDeregister(world.comms[0], handle), "ncclCommDeregister");
	ncclCommDeregister(world.comms[0], handle);
}

static void wrong_freed_registered(void)
{
	struct world world = world_open(1);
	void *handle;

	must(ncclCommRegister(world.comms[0], world.send[0], 64, &handle), "ncclCommRegister");
	must(cudaFree(world.send[0]), "cudaFree");
	ncclCommDeregister(world.comms[0], handle);
}

/* --- refused, and faults */

static void fault_duplicate(void)
{
	ncclUniqueId id;
	ncclComm_t comms[2];

	must(ncclGetUniqueId(&id), "ncclGetUniqueId");
	ncclGroupStart();
	ncclCommInitRank(&comms[0], 2, id, 0);
	ncclCommInitRank(&comms[1], 2, id, 1);
	expect(ncclGroupEnd() == ncclInvalidUsage, "one GPU twice is refused");
	expect(strstr(ncclGetLastError(NULL), "Duplicate GPU") != NULL, "and said");
}

static void fault_fail(void)
{
	struct world world = world_open(1);

	all_reduce(&world, 10);
	expect(ncclAllReduce(world.send[0], world.recv[0], 10, ncclInt32, ncclSum, world.comms[0], world.streams[0]) ==
		       ncclUnhandledCudaError,
	       "the second call fails");
	all_reduce(&world, 10);
	world_close(&world);
}

static void fault_async(void)
{
	struct world world = world_open(2);
	ncclResult_t error = ncclSuccess;

	all_reduce(&world, 10);
	world_wait(&world);
	must(ncclCommGetAsyncError(world.comms[1], &error), "ncclCommGetAsyncError");
	expect(error == ncclSuccess, "no error yet");
	all_reduce(&world, 10);
	for (int polls = 0; polls < 5000 && error == ncclSuccess; polls++) {
		usleep(1000);
		must(ncclCommGetAsyncError(world.comms[1], &error), "ncclCommGetAsyncError");
	}
	expect(error == ncclRemoteError, "an error");
	must(ncclCommGetAsyncError(world.comms[0], &error), "ncclCommGetAsyncError");
	expect(error == ncclSuccess, "not of the other rank");
	expect(cudaStreamQuery(world.streams[1]) == cudaErrorNotReady, "the work goes on");
	for (int i = 0; i < 2; i++)
		must(ncclCommAbort(world.comms[i]), "ncclCommAbort");
	world_wait(&world);
}

static void fault_hang(void)
{
	struct world world = world_open(3);

	all_reduce(&world, 10);
	all_reduce(&world, 10);
	all_reduce(&world, 10);
	usleep(50000);
	for (int i = 0; i < 3; i++)
		expect(cudaStreamQuery(world.streams[i]) == cudaErrorNotReady, "all wait");
	for (int i = 0; i < 3; i++)
		must(ncclCommAbort(world.comms[i]), "ncclCommAbort");
	world_wait(&world);
}

static void fault_flip(void)
{
	struct world world = world_open(2);
	int32_t data[100];
	int wrong = 0;

	fill(&world, 100);
	all_reduce(&world, 100);
	expect(is_reduced(&world, 100), "the first call is right");
	all_reduce(&world, 100);
	for (int i = 0; i < 2; i++) {
		get(&world, i, data, world.recv[i], sizeof(data));
		for (size_t k = 0; k < 100; k++)
			wrong += data[k] != value(0, k) + value(1, k) ? 1 + 100 * i : 0;
	}
	expect(wrong == 101, "one element of rank 1");
	world_close(&world);
}

static void fault_type(void)
{
	struct world world = world_open(1);

	expect(ncclAllReduce(world.send[0], world.recv[0], 10, ncclFloat8e4m3, ncclSum, world.comms[0], world.streams[0]) ==
		       ncclInvalidArgument,
	       "no f8e4m3");
}

static const struct test {
	const char *name;
	void (*run)(void);
	const char *settings;
	const char *says; /* NULL: it ends well; else it ends with FAKE_EXIT and says this */
} tests[] = {
	{ "all_reduce, 1 to 8 ranks, several steps", right_all_reduce, "", NULL },
	{ "collectives that move blocks", right_moves, "", NULL },
	{ "send and receive", right_letters, "", NULL },
	{ "arithmetic and rounding of all types", right_arithmetic, "", NULL },
	{ "sums with a scalar", right_premul, "", NULL },
	{ "in place", right_in_place, "", NULL },
	{ "graphs", right_graph, "", NULL },
	{ "memory, registration, windows", right_memory, "", NULL },
	{ "8 threads", right_threads, "", NULL },
	{ "2 processes with 2 threads with 2 ranks", right_processes, "", NULL },
	{ "many small calls", right_speed, "", NULL },
	{ "group end without start", wrong_group_end, "", "ncclGroupEnd without ncclGroupStart" },
	{ "group open at exit", wrong_group_open, "", "ends with ncclGroupStart open 1 deep" },
	{ "group open at the end of a thread", wrong_group_open_thread, "", "ends with ncclGroupStart open 1 deep" },
	{ "other count", wrong_count, "", "do not agree on collective number 0" },
	{ "other type", wrong_type, "", "100 float sum" },
	{ "other operation", wrong_op, "", "100 int32 max" },
	{ "other root", wrong_root, "", "root 1" },
	{ "other order", wrong_order, "", "ncclAllReduce of 100 int32 sum" },
	{ "send and receive of other counts", wrong_letter, "", "rank 1 receives 11 int32 from rank 0, which sends 10 int32" },
	{ "send without receive", wrong_no_recv, "limit=1", "ncclSend of 10 int32 with rank 1 has no counterpart" },
	{ "receive without send", wrong_no_send, "limit=1", "ncclRecv of 10 int32 with rank 1 has no counterpart" },
	{ "send before receive", wrong_send_then_receive, "limit=1", "has no counterpart" },
	{ "a rank that does not come", wrong_absent, "limit=1", "for ranks 2, which did not come" },
	{ "use after destroy", wrong_after_destroy, "", "of rank 0 is used after ncclCommDestroy" },
	{ "use after abort", wrong_after_abort, "", "of rank 0 is used after ncclCommAbort" },
	{ "no communicator", wrong_comm, "", "is no communicator" },
	{ "NULL as communicator", wrong_null_comm, "", "ncclAllReduce: no communicator" },
	{ "destroy while work is pending", wrong_destroy_busy, "slow=200000", "fake: nccl" },
	{ "destroy inside a group", wrong_destroy_in_group, "", "inside a group" },
	{ "destroy with a registered buffer", wrong_destroy_registered, "", "still has a registered buffer" },
	{ "destroy while a graph has calls", wrong_destroy_graph, "", "in graphs that still exist" },
	{ "alltoall in place", wrong_alltoall_in_place, "", "ncclAlltoAll: rank 0: the buffers overlap" },
	{ "all_gather in place, wrong offset", wrong_gather_in_place, "", "ncclAllGather: rank 1: the buffers overlap" },
	{ "reduce_scatter in place, wrong offset", wrong_scatter_in_place, "", "ncclReduceScatter: rank 1: the buffers overlap" },
	{ "scatter in place, wrong offset", wrong_root_scatter_in_place, "", "ncclScatter: rank 1: the buffers overlap" },
	{ "gather in place, wrong offset", wrong_root_gather_in_place, "", "ncclGather: rank 1: the buffers overlap" },
	{ "buffers that overlap", wrong_overlap, "", "ncclAllReduce: rank 0: the buffers overlap" },
	{ "sendrecv in place", wrong_sendrecv_in_place, "", "rank 0 receives from rank 1 where it also sends to rank 1" },
	{ "host memory", wrong_host_memory, "", "the send buffer" },
	{ "memory of another device", wrong_other_device, "", "is on device 1, the communicator on 0" },
	{ "memory that is too short", wrong_too_short, "", "the receive buffer" },
	{ "stream of another device", wrong_stream, "", "the stream is of another device" },
	{ "two ranks of a thread without a group", wrong_alone, "", "one thread calls for ranks 0 and 1 outside a group" },
	{ "initialisation without a group", wrong_init_alone, "limit=1", "waits for ranks 1, which did not come" },
	{ "an invented unique id", wrong_id, "", "unique id that ncclGetUniqueId did not give" },
	{ "a unique id used twice", wrong_twice, "", "rank 0 is there twice" },
	{ "other numbers of ranks", wrong_nranks, "", "rank 1 says 3 ranks, another says 2" },
	{ "a rank beyond the last", wrong_rank, "", "rank 2 of 2 ranks" },
	{ "a group of initialisation and calls", wrong_mixed_group, "", "a group has both" },
	{ "one communicator on two streams", wrong_two_streams, "slow=100000", "nothing orders the two" },
	{ "an operation that is destroyed", wrong_redop, "", "was not created for this communicator, or is destroyed" },
	{ "an operation for another type", wrong_redop_type, "", "created for float, not for int32" },
	{ "a peer that is none", wrong_peer, "", "2 is not a rank of 2" },
	{ "a window of one rank", wrong_window_alone, "limit=1", "waits for rank 1" },
	{ "deregistered twice", wrong_deregister, "", "was not registered this way, or no longer is" },
	{ "freed while registered", wrong_freed_registered, "", "was freed before" },
	{ "one GPU for two ranks", fault_duplicate, "", NULL },
	{ "an error from a call", fault_fail, "fail=ncclAllReduce:2", NULL },
	{ "an asynchronous error", fault_async, "async=rank1:call2", NULL },
	{ "a call that hangs", fault_hang, "hang=rank2:call2", NULL },
	{ "a wrong element", fault_flip, "flip=rank1:call2", NULL },
	{ "FP8 on an older GPU", fault_type, "cc=80", NULL },
	{ "FP8 with an older library", fault_type, "nccl=21005", NULL },
};

/* What it printed is in `said`. Its exit code, or -1. */
static int run(const struct test *test, char *said, size_t size)
{
	size_t used = 0;
	int ends[2], status = -1;
	ssize_t got;
	pid_t child;

	if (pipe(ends))
		return -1;
	fflush(stdout);
	child = fork();
	if (child == 0) {
		setenv("COLLPERF_FAKE", test->settings, 1);
		dup2(ends[1], 2);
		close(ends[0]);
		close(ends[1]);
		alarm(30);
		test->run();
		_exit(0);
	}
	close(ends[1]);
	while (used < size - 1 && (got = read(ends[0], said + used, size - 1 - used)) > 0)
		used += (size_t)got;
	said[used] = '\0';
	close(ends[0]);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
	size_t count = sizeof(tests) / sizeof(tests[0]);
	int failed = 0, number = 0;

	for (size_t i = 0; i < count; i++) {
		char said[4096];
		int code, good;

		if (argc > 1 && !strstr(tests[i].name, argv[1]))
			continue;
		code = run(&tests[i], said, sizeof(said));
		good = tests[i].says ? code == FAKE_EXIT && strstr(said, tests[i].says) : code == 0;
		printf("%sok %d - fake NCCL: %s\n", good ? "" : "not ", ++number, tests[i].name);
		if (!good)
			printf("# exit code %d: %s\n", code, said);
		failed += !good;
	}
	printf("1..%d\n", number);
	return failed > 0;
}
