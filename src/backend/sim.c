/* SPDX-License-Identifier: Apache-2.0
 *
 * The sim backend: every rank in this process, a fake clock that a cost model drives, seeded noise. Its output is the same byte for byte for the same
 * command line, which is what tests of everything around a measurement need.
 */
#include "sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../launch.h"
#include "../memory.h"
#include "../options.h"

/* Data beyond this are not moved: a sweep to 1 GiB on 8 simulated ranks must not need 16 GiB. */
enum { SIM_DATA_LIMIT = 1 << 20 };

struct sim_state {
	double clock;
	double launch_factor;
	double sample_noise;
	double last;
	struct coll_link link;
	const char *model; /* NULL: the collective's ring */
	uint64_t random;
	void *scratch;
	int nranks;
};

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* A factor around 1: log-normal, so that a time is never negative (Box-Muller). */
static double noise_factor(uint64_t *random, double sigma)
{
	if (sigma <= 0)
		return 1;
	double u = ((double)(next_random(random) >> 11) + 1) / 9007199254740993.0;
	double v = (double)(next_random(random) >> 11) / 9007199254740992.0;

	return exp(sigma * sqrt(-2 * log(u)) * cos(6.283185307179586 * v));
}

static int sim_open(struct backend *backend, struct launch *launch, const struct options *options)
{
	struct sim_state *state = calloc(1, sizeof *state);

	(void)launch;
	if (state)
		state->scratch = malloc(SIM_DATA_LIMIT);
	if (!state || !state->scratch) {
		fprintf(stderr, "sim: out of memory\n");
		free(state);
		return -1;
	}
	state->nranks = options->sim_ranks;
	state->random = options->seed;
	state->launch_factor = noise_factor(&state->random, options->sim_noise_launch);
	state->sample_noise = options->sim_noise_sample;
	state->model = options->sim_model;
	state->link = (struct coll_link){ options->sim_alpha, 1 / options->sim_bandwidth, options->sim_gamma };
	*backend = (struct backend){
		.ops = &backend_sim,
		.state = state,
		.nranks = options->sim_ranks,
		.nlocal = options->sim_ranks,
		.library = "sim",
		.headers = "sim",
		.path = "",
		.algo = options->sim_model ? options->sim_model : "",
		.data_limit = SIM_DATA_LIMIT,
		.fake_clock = true,
	};
	return 0;
}

static void sim_close(struct backend *backend)
{
	struct sim_state *state = backend->state;

	free(state->scratch);
	free(state);
	backend->state = NULL;
}

static int sim_alloc(struct backend *backend, int local, size_t bytes, void **memory)
{
	(void)backend, (void)local;
	if (posix_memalign(memory, 64, bytes)) {
		fprintf(stderr, "sim: out of memory for a buffer of %zu bytes\n", bytes);
		return -1;
	}
	return 0;
}

static void sim_release(struct backend *backend, int local, void *memory)
{
	(void)backend, (void)local;
	free(memory);
}

static int sim_memory_free(struct backend *backend, uint64_t *bytes)
{
	(void)backend;
	return memory_available(bytes);
}

static int sim_copy(struct backend *backend, int local, void *to, const void *from, size_t bytes)
{
	(void)backend, (void)local;
	memcpy(to, from, bytes);
	return 0;
}

static void *sim_host_view(struct backend *backend, int local, void *memory)
{
	(void)backend, (void)local;
	return memory;
}

static double sim_now(struct backend *backend)
{
	const struct sim_state *state = backend->state;

	return state->clock;
}

static double sim_wait_until(struct backend *backend, double until)
{
	struct sim_state *state = backend->state;

	if (until > state->clock)
		state->clock = until;
	return state->clock;
}

static const struct coll_model *model_of(const struct sim_state *state, const struct collective *coll)
{
	const char *name = state->model ? state->model : coll->ring;

	return collective_model(coll, name ? name : "lb");
}

static const char *sim_cannot(const struct backend *backend, const struct point *point)
{
	const struct sim_state *state = backend->state;
	const struct coll_model *model = model_of(state, point->coll);

	if (!model)
		return "--sim-model names no cost model of this primitive";
	if (model->holds && !model->holds(state->nranks))
		return "the cost model of --sim-model does not hold for this number of ranks";
	return NULL;
}

/* S in elements: the split collectives are called with one peer's share of it. */
static size_t whole_elements(const struct backend_call *call, int nranks)
{
	const bool split = nranks > 1 && call->coll->shape((size_t)nranks, nranks, 1).count == 1;

	return split ? call->count * (size_t)nranks : call->count;
}

static int sim_call(struct backend *backend, const struct backend_call *call)
{
	struct sim_state *state = backend->state;
	const double bytes = (double)whole_elements(call, state->nranks) * (double)dtypes[call->type].size;
	double time = model_of(state, call->coll)->time(state->nranks, bytes, &state->link);

	if (bytes <= SIM_DATA_LIMIT)
		sim_move(call, state->nranks, state->scratch);
	time *= state->launch_factor * noise_factor(&state->random, state->sample_noise);
	state->last = time;
	state->clock += time;
	return 0;
}

static void sim_last_ends(struct backend *backend, double *ends)
{
	const struct sim_state *state = backend->state;

	for (int r = 0; r < state->nranks; r++)
		ends[r] = state->last;
}

static backend_call_fn *const sim_calls[COLL_COUNT] = {
	sim_call, sim_call, sim_call, sim_call, sim_call, sim_call, sim_call, sim_call, sim_call,
};

const struct backend_ops backend_sim = {
	.name = "sim",
	.summary = "simulated ranks in this process, a clock driven by a cost model",
	.launch = launch_open_self,
	.open = sim_open,
	.close = sim_close,
	.alloc = sim_alloc,
	.release = sim_release,
	.memory_free = sim_memory_free,
	.upload = sim_copy,
	.download = sim_copy,
	.host_view = sim_host_view,
	.now = sim_now,
	.wait_until = sim_wait_until,
	.cannot = sim_cannot,
	.call = sim_calls,
	.last_ends = sim_last_ends,
};
