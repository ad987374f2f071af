/* SPDX-License-Identifier: Apache-2.0
 *
 * The one place where a failed call of NCCL or CUDA becomes a line: what, why, and where.
 */
#include <stdio.h>
#include <string.h>

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
