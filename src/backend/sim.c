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

#include "../../collectives/layout.h"
#include "../launch.h"
#include "../memory.h"
#include "../options.h"

/* Data beyond this are not moved: a sweep to 1 GiB on 8 simulated ranks must not need 16 GiB. */
enum { SIM_DATA_LIMIT = 1 << 20 };

struct sim_state {
	double clock;
	double launch_factor;
	double sample_noise;
	struct coll_link link;
	const char *model; /* NULL: the collective's ring */
	uint64_t random;
	void *scratch;
	const struct groups *groups;
	void **send, **recv; /* of the ranks of one group */
	double *ends;        /* [group] of the last call */
	double *pair_ends;   /* [rank] of the last call of pairs; -1: it took no part */
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

static int sim_local_ranks(const struct options *options)
{
	return options->sim_ranks;
}

static void free_state(struct sim_state *state)
{
	if (!state)
		return;
	free(state->scratch);
	free(state->send);
	free(state->recv);
	free(state->ends);
	free(state->pair_ends);
	free(state);
}

static struct sim_state *new_state(const struct groups *groups)
{
	struct sim_state *state = calloc(1, sizeof *state);

	if (state) {
		state->groups = groups;
		state->scratch = malloc(SIM_DATA_LIMIT);
		state->send = calloc((size_t)groups->nranks, sizeof *state->send);
		state->recv = calloc((size_t)groups->nranks, sizeof *state->recv);
		state->ends = calloc((size_t)groups->count, sizeof *state->ends);
		state->pair_ends = calloc((size_t)groups->nranks, sizeof *state->pair_ends);
	}
	if (state && state->scratch && state->send && state->recv && state->ends && state->pair_ends)
		return state;
	fprintf(stderr, "sim: out of memory\n");
	free_state(state);
	return NULL;
}

static int sim_open(struct backend *backend, struct launch *launch, const struct options *options, const struct groups *groups)
{
	struct sim_state *state = new_state(groups);

	(void)launch;
	if (!state)
		return -1;
	state->random = options->seed;
	state->launch_factor = noise_factor(&state->random, options->sim_noise_launch);
	state->sample_noise = options->sim_noise_sample;
	state->model = options->sim_model;
	state->link = (struct coll_link){ options->sim_alpha, 1 / options->sim_bandwidth, options->sim_gamma };
	*backend = (struct backend){
		.ops = &backend_sim,
		.state = state,
		.nranks = groups->nranks,
		.nlocal = groups->nranks,
		.groups = groups,
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
	free_state(backend->state);
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

static int sim_memory_free(struct backend *backend, int local, struct backend_memory *memory)
{
	(void)backend, (void)local;
	*memory = (struct backend_memory){ .name = "" };
	return memory_available(&memory->available);
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
	for (int group = 0; group < state->groups->count; group++)
		if (model->holds && !model->holds(state->groups->size[group]))
			return "the cost model of --sim-model does not hold for this number of ranks";
	return NULL;
}

/* S in elements: the split collectives are called with one peer's share of it. */
static size_t whole_elements(const struct backend_call *call, size_t count, int nranks)
{
	const bool split = nranks > 1 && call->coll->shape((size_t)nranks, nranks, 1).count == 1;

	return split ? count * (size_t)nranks : count;
}

/* The call as the ranks of one group see it. */
static struct backend_call call_of_group(const struct sim_state *state, const struct backend_call *call, int group)
{
	const struct groups *groups = state->groups;
	struct backend_call part = *call;

	if (groups->count == 1)
		return part;
	for (int rank = groups->first[group]; rank < groups->nranks; rank++) {
		if (groups->of[rank] != group)
			continue;
		state->send[groups->rank[rank]] = call->send[rank];
		state->recv[groups->rank[rank]] = call->recv[rank];
	}
	part.count = &call->count[groups->first[group]];
	if (call->layout)
		part.layout = &call->layout[groups->first[group]];
	part.send = state->send;
	part.recv = state->recv;
	return part;
}

/* What models take for S, and the larger buffer; bytes. */
struct load {
	double bytes, buffer;
};

static struct load load_of(const struct backend_call *call, int nranks)
{
	const double size = (double)dtypes[call->type].size;
	const struct coll_shape shape = { .count = call->count[0] };
	struct load load = { .buffer = (double)whole_elements(call, shape.count, nranks) * size };

	load.bytes = call->coll->moved ? (double)call->coll->moved(&shape, nranks) * size : load.buffer;
	if (call->coll->id == COLL_ALLTOALLV && nranks > 1) {
		const struct coll_shape uneven = coll_layout_shape(call->layout, nranks);

		/* The busiest port of an even exchange carries S less its own block. */
		load.bytes = (double)coll_layout_port(call->layout, nranks) * size * nranks / (nranks - 1);
		load.buffer = (double)(uneven.send > uneven.recv ? uneven.send : uneven.recv) * size;
	}
	return load;
}

static double group_time(struct sim_state *state, const struct backend_call *call, int group)
{
	const struct backend_call part = call_of_group(state, call, group);
	const int nranks = state->groups->size[group];
	const struct load load = load_of(&part, nranks);
	double time = model_of(state, call->coll)->time(nranks, load.bytes, &state->link);

	if (call->exchange)
		time = sim_exchange_time(&part, nranks, &state->link, time);
	if (load.buffer <= SIM_DATA_LIMIT)
		(call->exchange ? sim_exchange_move : sim_move)(&part, nranks, state->scratch);
	return time * state->launch_factor * noise_factor(&state->random, state->sample_noise);
}

/* The exchange of two ranks, full duplex: as long as one message. */
static double pair_time(struct sim_state *state, const struct backend_call *call, int a, int b)
{
	struct backend_call part = *call;
	const double bytes = (double)call->count[a] * (double)dtypes[call->type].size;

	state->send[0] = call->send[a];
	state->send[1] = call->send[b];
	state->recv[0] = call->recv[a];
	state->recv[1] = call->recv[b];
	part.count = &call->count[a];
	part.send = state->send;
	part.recv = state->recv;
	if (bytes <= SIM_DATA_LIMIT)
		sim_move(&part, 2, state->scratch);
	return model_of(state, call->coll)->time(2, bytes, &state->link) * state->launch_factor *
	       noise_factor(&state->random, state->sample_noise);
}

/* Pairs do not disturb each other here. */
static double call_pairs(struct sim_state *state, const struct backend_call *call)
{
	double longest = 0;

	for (int rank = 0; rank < state->groups->nranks; rank++) {
		const int peer = call->peer[rank];

		if (peer < 0)
			state->pair_ends[rank] = -1;
		if (peer > rank)
			state->pair_ends[rank] = state->pair_ends[peer] = pair_time(state, call, rank, peer);
		longest = fmax(longest, state->pair_ends[rank]);
	}
	return longest;
}

double sim_duration(struct backend *backend, const struct backend_call *call)
{
	struct sim_state *state = backend->state;
	double longest = 0;

	for (int group = 0; group < state->groups->count; group++) {
		state->ends[group] = group_time(state, call, group);
		longest = fmax(longest, state->ends[group]);
	}
	return longest;
}

static int sim_call(struct backend *backend, const struct backend_call *call)
{
	struct sim_state *state = backend->state;

	state->clock += call->peer ? call_pairs(state, call) : sim_duration(backend, call);
	return 0;
}

/* A pair ends late when one of its ranks is. */
static void sample_pairs(struct sim_state *state, const struct backend_call *call, const struct backend_start *start,
			 struct backend_sample *samples)
{
	const int late = start->delayed >= 0 && call->peer[start->delayed] >= 0 ? start->delayed : -1;

	for (int rank = 0; rank < state->groups->nranks; rank++) {
		const bool takes_part = state->pair_ends[rank] >= 0;
		const bool is_late = late >= 0 && (rank == late || call->peer[rank] == late);

		samples[rank] = (struct backend_sample){ .arrival = rank == late ? start->delay : 0,
							 .end = takes_part ? (is_late ? start->delay : 0) + state->pair_ends[rank]
									   : 0,
							 .kernel = NAN,
							 .enqueue = NAN };
	}
	if (late >= 0)
		state->clock += start->delay;
}

/* A group ends late when one of its ranks is; in this order of additions a time without a delay is exact. */
static int sim_sample(struct backend *backend, const struct backend_call *call, const struct backend_start *start,
		      struct backend_sample *samples)
{
	struct sim_state *state = backend->state;
	const int late_group = start->delayed >= 0 ? state->groups->of[start->delayed] : -1;

	sim_wait_until(backend, start->start);
	if (sim_call(backend, call))
		return -1;
	if (call->peer) {
		sample_pairs(state, call, start, samples);
		return 0;
	}
	for (int rank = 0; rank < backend->nranks; rank++) {
		const int group = state->groups->of[rank];
		const double late = group == late_group ? start->delay : 0;

		samples[rank] = (struct backend_sample){ .arrival = rank == start->delayed ? start->delay : 0,
							 .end = late + state->ends[group],
							 .kernel = NAN,
							 .enqueue = NAN };
	}
	if (late_group >= 0)
		state->clock += start->delay;
	return 0;
}

static backend_call_fn *const sim_calls[COLL_COUNT] = {
	sim_call, sim_call, sim_call, sim_call, sim_call, sim_call, sim_call, sim_call, sim_call, sim_call, sim_call, sim_call,
};

const struct backend_ops backend_sim = {
	.name = "sim",
	.summary = "simulated ranks in this process, a clock driven by a cost model",
	.launches = 1U << LAUNCH_BY_SELF,
	.local_ranks = sim_local_ranks,
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
	.pairs = true,
	.call = sim_calls,
	.sample = sim_sample,
	.step = &sim_step,
};
