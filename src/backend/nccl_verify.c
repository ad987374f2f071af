/* SPDX-License-Identifier: Apache-2.0
 *
 * Seeding and checking by kernels. Every rank has a module, counters and copies of the last tables of its own, and its stream orders what is done with
 * them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../notes.h"
#include "nccl_state.h"
#include "nccl_verify.h"
#include "verify_kernels.h"

/* A point uses four tables at most, two of them at a time; groups of another size have others. TABLE_BYTES: twice 4093 elements of 8 bytes. */
enum { TABLES = 8, TABLE_BYTES = 1 << 16, COUNTER_BYTES = 256 };

struct verify_rank {
	CUmodule module;
	CUfunction fill, differs, differs_from, spin, compute;
	struct verify_counters *counters; /* on the device, with the tables behind them */
	struct verify_counters *seen;     /* their copy in pinned host memory */
	uint64_t serial[TABLES];
	bool kept[TABLES];
	int next;                           /* table to be replaced */
	unsigned int blocks;                /* that run at once */
	unsigned int processors, computing; /* multiprocessors, and blocks that fill one with threads that compute */
};

struct nccl_verify {
	struct verify_rank *ranks; /* [nlocal] */
	bool is_ready;             /* on all of them */
	char why[256];             /* not */
};

static struct verify_rank *verify_of(const struct nccl_state *state, int local)
{
	return &state->verify->ranks[local];
}

static int open_memory(struct nccl_state *state, const struct nccl_rank *rank, struct verify_rank *verify)
{
	const struct nccl_api *api = &state->api;
	int processors = 0, threads = 0;
	void *memory;

	if (nccl_use_device(state, rank) ||
	    nccl_check_cuda(state, rank, api->device_attribute(&processors, cudaDevAttrMultiProcessorCount, rank->device),
			    "cudaDeviceGetAttribute") ||
	    nccl_check_cuda(state, rank, api->device_attribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, rank->device),
			    "cudaDeviceGetAttribute") ||
	    nccl_check_cuda(state, rank, api->allocate(&memory, COUNTER_BYTES + TABLES * TABLE_BYTES), "cudaMalloc"))
		return -1;
	verify->counters = memory;
	verify->processors = processors > 0 ? (unsigned int)processors : 1;
	verify->computing = threads > VERIFY_COMPUTE_BLOCK ? (unsigned int)threads / VERIFY_COMPUTE_BLOCK : 1;
	verify->blocks = processors > 0 ? (unsigned int)processors * VERIFY_BLOCKS : 1;
	if (nccl_check_cuda(state, rank, api->host_allocate(&memory, sizeof *verify->seen, cudaHostAllocDefault),
			    "cudaHostAlloc"))
		return -1;
	verify->seen = memory;
	return 0;
}

/* Whether this GPU can run the kernels; why not is remembered, and no error. */
static bool load(struct nccl_state *state, const struct nccl_rank *rank, struct verify_rank *verify)
{
	const struct nccl_api *api = &state->api;
	const struct {
		const char *name;
		CUfunction *function;
	} functions[] = { { "collperf_fill", &verify->fill },
			  { "collperf_differs", &verify->differs },
			  { "collperf_differs_from", &verify->differs_from },
			  { "collperf_spin", &verify->spin },
			  { "collperf_compute", &verify->compute } };
	CUresult result = api->module_load(&verify->module, nccl_verify_image);
	const char *call = "cuModuleLoadData", *text = "unknown error";

	if (result != CUDA_SUCCESS)
		verify->module = NULL;
	for (size_t i = 0; i < sizeof functions / sizeof functions[0] && result == CUDA_SUCCESS; i++) {
		call = "cuModuleGetFunction";
		result = api->module_function(functions[i].function, verify->module, functions[i].name);
	}
	if (result == CUDA_SUCCESS)
		return true;
	api->driver_error_string(result, &text);
	snprintf(state->verify->why, sizeof state->verify->why, "%s: %s (GPU %d [%s])", call, text ? text : "unknown error",
		 rank->device, rank->pci);
	return false;
}

int nccl_verify_open(struct nccl_state *state)
{
	struct nccl_verify *verify = calloc(1, sizeof *verify);

	if (verify)
		verify->ranks = calloc((size_t)state->nlocal, sizeof *verify->ranks);
	state->verify = verify;
	if (!verify || !verify->ranks) {
		fprintf(stderr, "nccl: out of memory\n");
		nccl_verify_close(state);
		return -1;
	}
	if (nccl_verify_image_size == 0) {
		snprintf(verify->why, sizeof verify->why, "built without nvcc");
		return 0;
	}
	verify->is_ready = true;
	for (int i = 0; i < state->nlocal && verify->is_ready; i++) {
		if (open_memory(state, &state->ranks[i], &verify->ranks[i])) {
			nccl_verify_close(state);
			return -1;
		}
		verify->is_ready = load(state, &state->ranks[i], &verify->ranks[i]);
	}
	return 0;
}

void nccl_verify_close(struct nccl_state *state)
{
	const struct nccl_api *api = &state->api;
	/* After an abort a call may still run on the device, and giving memory back would wait for it. */
	const bool releases = state->verify && state->verify->ranks && !atomic_load(&state->aborted);

	for (int i = 0; releases && i < state->nlocal; i++) {
		struct verify_rank *verify = verify_of(state, i);

		if (!verify->counters || nccl_use_device(state, &state->ranks[i]))
			continue;
		if (verify->module)
			nccl_check_driver(state, &state->ranks[i], api->module_unload(verify->module), "cuModuleUnload");
		if (verify->seen)
			nccl_check_cuda(state, &state->ranks[i], api->host_release(verify->seen), "cudaFreeHost");
		nccl_check_cuda(state, &state->ranks[i], api->release(verify->counters), "cudaFree");
	}
	if (state->verify)
		free(state->verify->ranks);
	free(state->verify);
	state->verify = NULL;
}

void nccl_verify_report(const struct nccl_state *state, struct notes *notes)
{
	if (state->verify && !state->verify->is_ready)
		notes_add(notes, "Data were checked through the host, not on the GPU: %s", state->verify->why);
}

/* `units`: pieces of work that threads may have one of. */
static int launch(const struct nccl_state *state, int local, CUfunction kernel, uint64_t units, void **parameters)
{
	const unsigned int most = verify_of(state, local)->blocks;
	const uint64_t blocks = units / VERIFY_BLOCK + 1;

	return nccl_check_driver(state, &state->ranks[local],
				 state->api.launch_kernel(kernel, blocks < most ? (unsigned int)blocks : most, 1, 1, VERIFY_BLOCK,
							  1, 1, 0, state->ranks[local].stream, parameters, NULL),
				 "cuLaunchKernel");
}

static uint64_t units_of(const void *data, uint64_t size, uint64_t count)
{
	return (uintptr_t)data % size ? count : count * size / VERIFY_VECTOR + VERIFY_VECTOR;
}

static int wait(const struct nccl_state *state, int local)
{
	return nccl_check_cuda(state, &state->ranks[local], state->api.stream_synchronize(state->ranks[local].stream),
			       "cudaStreamSynchronize");
}

/* The table's place on the device, where it is brought unless it is there already. */
static int bring_table(const struct nccl_state *state, int local, const struct pattern_table *table, const void **there)
{
	const struct nccl_rank *rank = &state->ranks[local];
	const size_t bytes = 2 * table->period * table->size;
	struct verify_rank *verify = verify_of(state, local);
	char *tables = (char *)verify->counters + COUNTER_BYTES;
	int slot;

	if (bytes > TABLE_BYTES) {
		fprintf(stderr, "nccl: a table of %zu bytes is more than the data check keeps on a GPU\n", bytes);
		return -1;
	}
	for (slot = 0; slot < TABLES; slot++)
		if (verify->kept[slot] && verify->serial[slot] == table->serial)
			break;
	if (slot == TABLES) {
		slot = verify->next;
		verify->kept[slot] = false;
		if (nccl_check_cuda(state, rank,
				    state->api.copy(tables + (size_t)slot * TABLE_BYTES, table->data, bytes,
						    cudaMemcpyHostToDevice, rank->stream),
				    "cudaMemcpyAsync"))
			return -1;
		verify->serial[slot] = table->serial;
		verify->kept[slot] = true;
		verify->next = (slot + 1) % TABLES;
	}
	*there = tables + (size_t)slot * TABLE_BYTES;
	return 0;
}

static int device_fill(struct backend *backend, int local, void *to, const struct pattern_table *table, size_t from, size_t count)
{
	const struct nccl_state *state = backend->state;
	uint64_t period = table->period, size = table->size, start = from, elements = count;
	const void *there;
	void *parameters[] = { &to, &there, &period, &size, &start, &elements };

	if (nccl_use_device(state, &state->ranks[local]) || bring_table(state, local, table, &there) ||
	    launch(state, local, verify_of(state, local)->fill, units_of(to, size, count), parameters))
		return -1;
	return wait(state, local);
}

static int device_set(struct backend *backend, int local, void *to, int byte, size_t bytes)
{
	const struct nccl_state *state = backend->state;
	const struct nccl_rank *rank = &state->ranks[local];

	if (bytes == 0)
		return 0;
	if (nccl_use_device(state, rank) ||
	    nccl_check_cuda(state, rank, state->api.fill(to, byte, bytes, rank->stream), "cudaMemsetAsync"))
		return -1;
	return wait(state, local);
}

static int clear_counters(const struct nccl_state *state, int local)
{
	const struct verify_rank *verify = verify_of(state, local);

	return nccl_check_cuda(state, &state->ranks[local],
			       state->api.fill(verify->counters, 0, sizeof *verify->counters, state->ranks[local].stream),
			       "cudaMemsetAsync");
}

static int read_counters(const struct nccl_state *state, int local, size_t count, uint64_t *wrong, size_t *first)
{
	const struct nccl_rank *rank = &state->ranks[local];
	const struct verify_rank *verify = verify_of(state, local);

	if (nccl_check_cuda(
		    state, rank,
		    state->api.copy(verify->seen, verify->counters, sizeof *verify->seen, cudaMemcpyDeviceToHost, rank->stream),
		    "cudaMemcpyAsync") ||
	    wait(state, local))
		return -1;
	*wrong = verify->seen->wrong;
	if (*wrong > 0)
		*first = count - (size_t)verify->seen->left;
	return 0;
}

static int device_differs(struct backend *backend, int local, const void *data, const struct pattern_table *table, size_t from,
			  size_t count, uint64_t *wrong, size_t *first)
{
	const struct nccl_state *state = backend->state;
	struct verify_rank *verify = verify_of(state, local);
	uint64_t period = table->period, size = table->size, start = from, elements = count;
	const void *there;
	void *parameters[] = { &data, &there, &period, &size, &start, &elements, &verify->counters };

	if (nccl_use_device(state, &state->ranks[local]) || bring_table(state, local, table, &there) ||
	    clear_counters(state, local) || launch(state, local, verify->differs, units_of(data, size, count), parameters))
		return -1;
	return read_counters(state, local, count, wrong, first);
}

static int device_differs_from(struct backend *backend, int local, const void *data, int byte, size_t size, size_t count,
			       uint64_t *wrong, size_t *first)
{
	const struct nccl_state *state = backend->state;
	struct verify_rank *verify = verify_of(state, local);
	uint64_t value = (unsigned char)byte, bytes = size, elements = count;
	void *parameters[] = { &data, &value, &bytes, &elements, &verify->counters };

	if (nccl_use_device(state, &state->ranks[local]) || clear_counters(state, local) ||
	    launch(state, local, verify->differs_from, units_of(data, size, count), parameters))
		return -1;
	return read_counters(state, local, count, wrong, first);
}

const struct backend_device *nccl_device(struct backend *backend)
{
	static const struct backend_device device = {
		.fill = device_fill,
		.set = device_set,
		.differs = device_differs,
		.differs_from = device_differs_from,
	};
	const struct nccl_state *state = backend->state;

	return state->verify && state->verify->is_ready ? &device : NULL;
}

int nccl_verify_spin(struct nccl_state *state, int local, const int *flag, uint64_t limit_ns)
{
	void *parameters[] = { &flag, &limit_ns };

	if (!state->verify || !state->verify->is_ready)
		return -1;
	if (nccl_use_device(state, &state->ranks[local]))
		return -1;
	return nccl_check_driver(state, &state->ranks[local],
				 state->api.launch_kernel(verify_of(state, local)->spin, 1, 1, 1, 1, 1, 1, 0,
							  state->ranks[local].stream, parameters, NULL),
				 "cuLaunchKernel");
}

const char *nccl_verify_why(const struct nccl_state *state)
{
	return !state->verify ? "not open" : state->verify->is_ready ? NULL : state->verify->why;
}

int nccl_verify_compute(const struct nccl_state *state, int local, cudaStream_t stream, uint64_t links, long percent)
{
	const struct verify_rank *verify = verify_of(state, local);
	const unsigned int processors = (verify->processors * (unsigned int)percent + 99) / 100;
	void *parameters[] = { &links };

	return nccl_check_driver(state, &state->ranks[local],
				 state->api.launch_kernel(verify->compute, processors * verify->computing, 1, 1,
							  VERIFY_COMPUTE_BLOCK, 1, 1, 0, stream, parameters, NULL),
				 "cuLaunchKernel");
}
