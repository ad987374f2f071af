/* SPDX-License-Identifier: Apache-2.0
 *
 * The NCCL backend: ranks are GPUs, one or many a process, driven by one thread or several. Here it is opened and closed, and says what it cannot measure.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../launch.h"
#include "../notes.h"
#include "../options.h"
#include "nccl_state.h"

enum { NCCL_REFUSES = 22400 };

static int nccl_probe(char *reason, size_t size)
{
	struct nccl_api api;
	const int rc = nccl_api_load(&api, reason, size);

	nccl_api_unload(&api);
	return rc;
}

static void nccl_list(FILE *out)
{
	struct nccl_api api;
	char reason[256], headers[40], library[40];
	int driver = 0, runtime = 0, gpus = 0;

	nccl_version_text(NCCL_VERSION_CODE, headers, sizeof headers);
	if (nccl_api_load(&api, reason, sizeof reason)) {
		fprintf(out, "  NCCL headers %s; not usable here: %s\n", headers, reason);
	} else {
		nccl_version_text(api.nccl_version, library, sizeof library);
		api.driver_version(&driver);
		api.runtime_version(&runtime);
		api.device_count(&gpus);
		fprintf(out, "  NCCL headers %s, library %s%s; CUDA driver %d.%d, runtime %d.%d; GPUs: %d\n", headers, library,
			api.is_fake ? " (a fake)" : "", driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10,
			gpus);
		nccl_features_list(&api, out);
	}
	nccl_api_unload(&api);
}

static int nccl_local_ranks(const struct options *options)
{
	return (int)(options->nthreads * options->ngpus);
}

static void read_options(struct nccl_state *state, const struct options *options)
{
	state->nthreads = (int)options->nthreads;
	state->ngpus = (int)options->ngpus;
	state->nlocal = nccl_local_ranks(options);
	state->agg_iters = options->agg_iters;
	state->blocking = options->blocking;
	state->graph = options->graph;
	state->local_register = options->local_register;
	state->cta_policy = options->cta_policy;
	state->parallel_init = options->parallel_init != 0;
	state->stream_null = options->stream_null != 0;
	state->memory_report = options->memory_report != 0;
	state->hold = options->hold;
	state->steps = options->step != NULL;
}

static int make_ranks(struct nccl_state *state)
{
	const struct groups *groups = state->groups;

	state->ranks = calloc((size_t)state->nlocal, sizeof *state->ranks);
	if (!state->ranks) {
		fprintf(stderr, "nccl: out of memory for %d ranks\n", state->nlocal);
		return -1;
	}
	for (int i = 0; i < state->nlocal; i++) {
		struct nccl_rank *rank = &state->ranks[i];

		rank->rank = state->first_rank + i;
		rank->group = groups->of[rank->rank];
		rank->member = groups->rank[rank->rank];
		rank->members = groups->size[rank->group];
	}
	return 0;
}

static void name_versions(struct nccl_state *state)
{
	char library[40];

	nccl_version_text(state->api.nccl_version, library, sizeof library);
	nccl_version_text(NCCL_VERSION_CODE, state->headers, sizeof state->headers);
	if (state->api.is_fake)
		snprintf(state->library, sizeof state->library, "fake");
	else
		snprintf(state->library, sizeof state->library, "NCCL %s", library);
	snprintf(state->flags, sizeof state->flags, "%s%s%s", state->shared_gpu ? "shared_gpu" : "",
		 state->shared_gpu && state->api.is_fake ? " " : "", state->api.is_fake ? "simulated" : "");
}

/* What one process lacks none can do without: said once, by rank 0, for all. */
static int load(struct nccl_state *state)
{
	char trouble[NCCL_TROUBLE] = "";

	if (nccl_api_load(&state->api, trouble, sizeof trouble) == 0)
		trouble[0] = '\0';
	return nccl_agree(state, trouble);
}

/* Steps compute by a kernel. Not 1: threads are running by now. */
static int agree_on_kernels(const struct nccl_state *state)
{
	const char *why = nccl_verify_why(state);
	char trouble[NCCL_TROUBLE] = "";

	if (why)
		snprintf(trouble, sizeof trouble, "steps compute by a kernel, and there is none: %.200s", why);
	return nccl_agree(state, trouble) ? -1 : 0;
}

/* 0, -1, or 1 as open does. */
static int open_parts(struct nccl_state *state, const struct options *options)
{
	int rc = load(state);

	if (!rc)
		rc = nccl_devices_choose(state, options->share_gpus, options->first_device);
	if (rc)
		return rc;
	if (nccl_lacks_options(state)) {
		if (state->launch->rank == 0)
			fprintf(stderr, "nccl: %s\n", nccl_lacks_options(state));
		return 1;
	}
	name_versions(state);
	state->threads = nccl_threads_open(state);
	if (!state->threads || nccl_comms_open(state))
		return -1;
	if (state->hold) {
		state->holds = nccl_hold_open(state);
		if (!state->holds)
			return -1;
	}
	if (nccl_verify_open(state))
		return -1;
	return state->steps ? agree_on_kernels(state) : 0;
}

static void warn_versions(const struct nccl_state *state)
{
	char library[40];

	nccl_version_text(state->api.nccl_version, library, sizeof library);
	if (state->launch->rank == 0 && state->api.nccl_version != NCCL_VERSION_CODE)
		fprintf(stderr, "nccl: warning: built with the headers of NCCL %s, running with NCCL %s\n", state->headers,
			library);
}

/* For messages, so no control characters. */
static void name_host(struct nccl_state *state)
{
	if (gethostname(state->host, sizeof state->host - 1))
		snprintf(state->host, sizeof state->host, "node %d", state->launch->node);
	for (char *c = state->host; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
}

/* Before 2.24 NCCL went back to its own choice without a word where it could not do what its variables say. */
static const char *name_algo(const struct nccl_state *state, const struct options *options)
{
	return options->forced && state->api.nccl_version >= NCCL_REFUSES ? options->forced : "";
}

static int nccl_open(struct backend *backend, struct launch *launch, const struct options *options, const struct groups *groups)
{
	struct nccl_state *state = calloc(1, sizeof *state);

	if (!state) {
		fprintf(stderr, "nccl: out of memory\n");
		return -1;
	}
	state->launch = launch;
	state->groups = groups;
	read_options(state, options);
	state->first_rank = launch->rank * state->nlocal;
	name_host(state);
	const int rc = make_ranks(state) ? -1 : open_parts(state, options);

	/* Else threads may be running. */
	if (rc > 0) {
		free(state->ranks);
		free(state);
	}
	if (rc)
		return rc;
	warn_versions(state);
	*backend = (struct backend){
		.ops = &backend_nccl,
		.state = state,
		.nranks = groups->nranks,
		.first_rank = state->first_rank,
		.nlocal = state->nlocal,
		.groups = groups,
		.library = state->library,
		.headers = state->headers,
		.path = "",
		.algo = name_algo(state, options),
		.data_limit = UINT64_MAX,
		.flags = state->flags[0] ? state->flags : NULL,
	};
	return 0;
}

static void nccl_close(struct backend *backend)
{
	struct nccl_state *state = backend->state;

	nccl_step_end(state);
	nccl_verify_close(state);
	if (state->holds)
		nccl_hold_close(state, state->holds);
	nccl_threads_close(state->threads);
	nccl_comms_close(state);
	nccl_api_unload(&state->api);
	free(state->ranks);
	free(state);
	backend->state = NULL;
}

/* cudaMemGetInfo: what the communicators took is gone already, since they are made when the backend is opened. */
static int nccl_memory_free(struct backend *backend, int local, struct backend_memory *memory)
{
	return nccl_devices_memory(backend->state, local, memory);
}

static void *nccl_host_view(struct backend *backend, int local, void *memory)
{
	(void)backend, (void)local, (void)memory;
	return NULL;
}

/* NCCL multiplies by 1/n, as the type holds it, before it sums: smaller than 1/64 it is not one of the type's normal numbers, and over 512 ranks 0. */
static bool share_is_too_small(const struct nccl_state *state, const struct point *point)
{
	for (int group = 0; group < state->groups->count; group++)
		if (state->groups->size[group] > 64)
			return point->type == DTYPE_F8E4M3 && point->op == REDOP_AVG;
	return false;
}

static const char *nccl_cannot(const struct backend *backend, const struct point *point)
{
	const struct nccl_state *state = backend->state;
	const char *reason = nccl_lacks_type(state, point->type);

	if (!reason && (point->coll->flags & COLL_HAS_REDOP))
		reason = nccl_lacks_redop(state, point->op);
	if (!reason && (point->coll->flags & COLL_HAS_REDOP) && share_is_too_small(state, point))
		reason = "f8e4m3 cannot hold 1/n of more than 64 ranks, which NCCL's avg multiplies by";
	if (!reason && point->in_place && point->coll->id == COLL_ALLTOALL)
		reason = "alltoall in place is not a valid NCCL call";
	if (!reason && point->in_place && point->coll->id == COLL_SENDRECV)
		reason = "sendrecv in place is not a valid NCCL call";
	if (!reason && point->exchange && point->exchange->buffers > 0)
		reason = "--pipeline: packing on a GPU needs a kernel of its own, which is not here; MPI packs on the host";
	return reason;
}

static int nccl_describe(struct backend *backend, int local, int *device, char *text, size_t size)
{
	const struct nccl_state *state = backend->state;
	const struct nccl_rank *rank = &state->ranks[local];

	*device = rank->device;
	snprintf(text, size, "[%s] %s", rank->pci, rank->name);
	return 0;
}

static double mib(uint64_t bytes)
{
	return (double)bytes / (1 << 20);
}

static int report_memory(struct nccl_state *state, struct notes *notes)
{
	const struct nccl_rank *rank = &state->ranks[0];
	size_t available, total;

	if (nccl_use_device(state, rank) ||
	    nccl_check_cuda(state, rank, state->api.memory_info(&available, &total), "cudaMemGetInfo"))
		return -1;
	notes_add(notes, "memory of GPU %d [%s]: communicators %.1f MiB, buffers of rank %d %.1f MiB, free %.1f of %.1f MiB",
		  rank->device, rank->pci, mib(state->memory_comms), rank->rank, mib(state->memory_buffers), mib(available),
		  mib(total));
	return 0;
}

static bool has_no_handle(const struct nccl_state *state)
{
	for (const struct nccl_buffer *buffer = state->ranks[0].buffers; buffer; buffer = buffer->next)
		if (buffer->registered && !buffer->handle)
			return true;
	return false;
}

static int nccl_report(struct backend *backend, struct notes *notes)
{
	struct nccl_state *state = backend->state;
	char library[40];

	if (state->launch->rank != 0 || atomic_load(&state->aborted))
		return 0;
	nccl_version_text(state->api.nccl_version, library, sizeof library);
	if (state->api.nccl_version != NCCL_VERSION_CODE)
		notes_add(notes, "built with the headers of NCCL %s, ran with NCCL %s", state->headers, library);
	nccl_verify_report(state, notes);
	if (has_no_handle(state))
		notes_add(notes, "-R %ld: NCCL registers no buffers on this machine", state->local_register);
	return state->memory_report ? report_memory(state, notes) : 0;
}

static void nccl_abort(struct backend *backend)
{
	nccl_comms_abort(backend->state);
}

const struct backend_ops backend_nccl = {
	.name = "nccl",
	.summary = "NCCL on NVIDIA GPUs, one or many a process",
	.launches = 1U << LAUNCH_BY_MPI | 1U << LAUNCH_BY_ENV | 1U << LAUNCH_BY_SELF,
	.probe = nccl_probe,
	.list = nccl_list,
	.local_ranks = nccl_local_ranks,
	.open = nccl_open,
	.close = nccl_close,
	.alloc = nccl_alloc,
	.release = nccl_release,
	.memory_free = nccl_memory_free,
	.upload = nccl_upload,
	.download = nccl_download,
	.host_view = nccl_host_view,
	.now = nccl_now,
	.wait_until = nccl_wait_until,
	.cannot = nccl_cannot,
	.pairs = true,
	.call = nccl_calls,
	.sample = nccl_sample,
	.loop = nccl_loop,
	.device = nccl_device,
	.step = &nccl_step,
	.describe = nccl_describe,
	.report = nccl_report,
	.unfinished = nccl_unfinished,
	.abort = nccl_abort,
};
