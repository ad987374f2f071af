/* SPDX-License-Identifier: Apache-2.0
 *
 * The one place where a failed call of NCCL or CUDA becomes a line: what, why, and where.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../launch.h"
#include "nccl_state.h"

/* "rank 3, GPU 3 [0000:0f:00] on host x" */
static void where(const struct nccl_state *state, const struct nccl_rank *rank, char *text, size_t size)
{
	if (rank)
		snprintf(text, size, "rank %d, GPU %d [%s] on host %s", rank->rank, rank->device, rank->pci, state->host);
	else if (state->nlocal > 1)
		snprintf(text, size, "ranks %d-%d on host %s", state->first_rank, state->first_rank + state->nlocal - 1,
			 state->host);
	else
		snprintf(text, size, "rank %d on host %s", state->first_rank, state->host);
}

/* NCCL's texts may have several lines. */
static void print_line(const char *call, const char *why, const char *place, const char *more)
{
	char line[1024];

	snprintf(line, sizeof line, "%s: %s (%s)%s%s", call, why, place, *more ? ": " : "", more);
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
	fprintf(stderr, "nccl: %s\n", line);
}

int nccl_check(const struct nccl_state *state, const struct nccl_rank *rank, ncclResult_t result, const char *call)
{
	const struct nccl_api *api = &state->api;
	const char *more = NULL;
	char place[256];

	if (result == ncclSuccess)
		return 0;
	/* Whoever aborted has said why; what fails afterwards fails for that. */
	if (atomic_load(&state->aborted))
		return -1;
	where(state, rank, place, sizeof place);
	if (api->nccl_last_error)
		more = api->nccl_last_error(rank ? rank->comm : NULL);
	print_line(call, api->nccl_error_string(result), place, more ? more : "");
	return -1;
}

int nccl_check_cuda(const struct nccl_state *state, const struct nccl_rank *rank, cudaError_t error, const char *call)
{
	char place[256];

	if (error == cudaSuccess)
		return 0;
	/* Else a later call that asks for the last error would get this one. */
	state->api.last_error();
	if (atomic_load(&state->aborted))
		return -1;
	where(state, rank, place, sizeof place);
	print_line(call, state->api.error_string(error), place, "");
	return -1;
}

int nccl_check_driver(const struct nccl_state *state, const struct nccl_rank *rank, CUresult result, const char *call)
{
	const char *text = NULL;
	char place[256];

	if (result == CUDA_SUCCESS)
		return 0;
	if (atomic_load(&state->aborted))
		return -1;
	where(state, rank, place, sizeof place);
	state->api.driver_error_string(result, &text);
	print_line(call, text ? text : "unknown error", place, "");
	return -1;
}

struct trouble {
	char host[64];
	char text[NCCL_TROUBLE];
};

static void tell(const struct trouble *all, int size)
{
	int first = -1, others = 0;

	for (int i = 0; i < size; i++) {
		if (all[i].text[0] && first < 0)
			first = i;
		else if (all[i].text[0])
			others++;
	}
	if (first >= 0 && others > 0)
		fprintf(stderr, "nccl: host %s: %s (and %d more processes in trouble)\n", all[first].host, all[first].text,
			others);
	else if (first >= 0)
		fprintf(stderr, "nccl: host %s: %s\n", all[first].host, all[first].text);
}

int nccl_agree(const struct nccl_state *state, const char *trouble)
{
	struct launch *launch = state->launch;
	struct trouble mine, *all = calloc((size_t)launch->size, sizeof *all);
	int failed = trouble[0] != '\0' || !all;

	memset(&mine, 0, sizeof mine);
	snprintf(mine.host, sizeof mine.host, "%s", state->host);
	snprintf(mine.text, sizeof mine.text, "%s", all ? trouble : "out of memory");
	if (launch->ops->gather(launch, &mine, sizeof mine, all) == 0 && all && launch->rank == 0)
		tell(all, launch->size);
	free(all);
	return launch->ops->agree(launch, failed, &failed) ? -1 : failed;
}

int nccl_use_device(const struct nccl_state *state, const struct nccl_rank *rank)
{
	return nccl_check_cuda(state, rank, state->api.set_device(rank->device), "cudaSetDevice");
}
