/* SPDX-License-Identifier: Apache-2.0
 *
 * Which GPU every rank takes. Processes tell rank 0 which GPUs they see; the choice for all is made there, so that what cannot be is said once.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../launch.h"
#include "nccl_state.h"

enum { MAX_GPUS = 64, MAX_FIRST = 1 << 20 };

/* What a process sees. */
struct claim {
	int node, local_rank;
	int visible;
	int version; /* of NCCL */
	char host[64];
	uint64_t gpus[MAX_GPUS]; /* by PCI address: the same GPU has other numbers in other processes */
};

struct choice {
	int first; /* device of the process's first rank */
	int wrap;  /* devices are counted modulo this */
	int shared;
	int refused; /* in the first choice alone: for all */
};

struct wish {
	int nlocal;
	int first_device;
	bool may_share;
};

static const uint64_t RESERVE = 1 << 30; /* bytes */

static uint64_t hash_text(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return hash;
}

static bool sees(const struct claim *claim, uint64_t gpu)
{
	for (int i = 0; i < claim->visible; i++)
		if (claim->gpus[i] == gpu)
			return true;
	return false;
}

/* Whether no other process of the host sees any of its GPUs: a launcher has dealt them out, and each process counts from 0. */
static bool has_its_own(const struct claim *claims, int size, int process)
{
	const struct claim *mine = &claims[process];
	bool alone = true;

	for (int i = 0; i < size; i++) {
		if (i == process || claims[i].node != mine->node)
			continue;
		alone = false;
		for (int gpu = 0; gpu < mine->visible; gpu++)
			if (sees(&claims[i], mine->gpus[gpu]))
				return false;
	}
	return !alone;
}

static int refuse(const struct claim *claims, int size, int process, const struct wish *wish, int first)
{
	const struct claim *mine = &claims[process];
	int ranks = 0, gpus = 0;

	for (int i = 0; i < size; i++) {
		if (claims[i].node != mine->node)
			continue;
		ranks += wish->nlocal;
		for (int gpu = 0; gpu < claims[i].visible; gpu++) {
			bool seen = false;

			for (int before = 0; before < i && !seen; before++)
				seen = claims[before].node == mine->node && sees(&claims[before], claims[i].gpus[gpu]);
			gpus += !seen;
		}
	}
	if (gpus >= ranks + wish->first_device)
		fprintf(stderr,
			"nccl: host %s: a process needs devices %d to %d and sees %d: CUDA_VISIBLE_DEVICES must show all GPUs to "
			"all processes of a host, or to each process its own\n",
			mine->host, first, first + wish->nlocal - 1, mine->visible);
	else
		fprintf(stderr,
			"nccl: host %s: %d ranks need %d GPUs, %d %s visible: start fewer ranks there (-g, -t, processes), or "
			"allow several on a GPU (--share-gpus)\n",
			mine->host, ranks, ranks + wish->first_device, gpus, gpus == 1 ? "is" : "are");
	return -1;
}

static uint64_t gpu_of(const struct claim *claim, const struct choice *choice, int local)
{
	return claim->gpus[(choice->first + local) % choice->wrap];
}

static int ranks_on(const struct claim *claims, const struct choice *choices, int size, const struct wish *wish, int node,
		    uint64_t gpu)
{
	int ranks = 0;

	for (int i = 0; i < size; i++)
		for (int local = 0; claims[i].node == node && local < wish->nlocal; local++)
			ranks += gpu_of(&claims[i], &choices[i], local) == gpu;
	return ranks;
}

static bool any_shared(const struct claim *claims, const struct choice *choices, int size, const struct wish *wish)
{
	for (int i = 0; i < size; i++)
		for (int local = 0; local < wish->nlocal; local++)
			if (ranks_on(claims, choices, size, wish, claims[i].node, gpu_of(&claims[i], &choices[i], local)) > 1)
				return true;
	return false;
}

/* NCCL's own word for this is an internal error, on some rank, after a while. */
static int same_version(const struct claim *claims, int size)
{
	char mine[40], other[40];

	for (int i = 1; i < size; i++) {
		if (claims[i].version == claims[0].version)
			continue;
		nccl_version_text(claims[0].version, mine, sizeof mine);
		nccl_version_text(claims[i].version, other, sizeof other);
		fprintf(stderr, "nccl: NCCL %s on host %s, %s on host %s: all processes need the same\n", mine, claims[0].host,
			other, claims[i].host);
		return -1;
	}
	return 0;
}

/* On rank 0. 0, or -1 after one line. */
static int choose(const struct claim *claims, int size, const struct wish *wish, struct choice *choices)
{
	if (same_version(claims, size))
		return -1;
	for (int i = 0; i < size; i++) {
		const int before = has_its_own(claims, size, i) ? 0 : claims[i].local_rank * wish->nlocal;

		choices[i] = (struct choice){ .first = wish->first_device + before, .wrap = claims[i].visible };
		if (choices[i].first + wish->nlocal > claims[i].visible && !wish->may_share)
			return refuse(claims, size, i, wish, choices[i].first);
	}
	choices[0].shared = any_shared(claims, choices, size, wish);
	for (int i = 1; i < size; i++)
		choices[i].shared = choices[0].shared;
	return 0;
}

/* The claims of all go to rank 0, the choices to all. */
static int deal(struct nccl_state *state, const struct claim *mine, const struct wish *wish, struct choice *choice)
{
	struct launch *launch = state->launch;
	const size_t size = (size_t)launch->size;
	struct claim *claims = calloc(launch->rank == 0 ? size : 1, sizeof *claims);
	struct choice *choices = calloc(size, sizeof *choices);
	int rc = -1;

	if (!claims || !choices)
		fprintf(stderr, "nccl: out of memory for the GPUs of %d processes\n", launch->size);
	else if (launch->ops->gather(launch, mine, sizeof *mine, claims) == 0) {
		if (launch->rank == 0)
			choices[0].refused = choose(claims, launch->size, wish, choices) != 0;
		rc = launch->ops->broadcast(launch, choices, size * sizeof *choices);
	}
	if (rc == 0 && choices[0].refused)
		rc = 1;
	if (rc == 0)
		*choice = choices[launch->rank];
	free(claims);
	free(choices);
	return rc;
}

static int look(const struct nccl_state *state, struct claim *claim)
{
	char pci[32];

	*claim = (struct claim){ .node = state->launch->node,
				 .local_rank = state->launch->local_rank,
				 .version = state->api.nccl_version };
	snprintf(claim->host, sizeof claim->host, "%s", state->host);
	if (nccl_check_cuda(state, NULL, state->api.device_count(&claim->visible), "cudaGetDeviceCount"))
		return -1;
	if (claim->visible > MAX_GPUS)
		claim->visible = MAX_GPUS;
	for (int i = 0; i < claim->visible; i++) {
		if (nccl_check_cuda(state, NULL, state->api.pci_bus_id(pci, sizeof pci, i), "cudaDeviceGetPCIBusId"))
			return -1;
		claim->gpus[i] = hash_text(pci);
	}
	return 0;
}

/* "0000:0F:00.0" as nccl-tests writes it: a GPU has one function. */
static void shorten(char *pci)
{
	pci[strcspn(pci, ".")] = '\0';
	for (; *pci; pci++)
		*pci = (char)tolower((unsigned char)*pci);
}

/* What is known of a rank's GPU. */
static int describe(struct nccl_state *state, struct nccl_rank *rank)
{
	const struct nccl_api *api = &state->api;
	int major = 0, minor = 0;
	CUdevice device;

	if (nccl_check_cuda(state, rank, api->pci_bus_id(rank->pci, sizeof rank->pci, rank->device), "cudaDeviceGetPCIBusId"))
		return -1;
	shorten(rank->pci);
	if (nccl_check_cuda(state, rank, api->device_attribute(&major, cudaDevAttrComputeCapabilityMajor, rank->device),
			    "cudaDeviceGetAttribute") ||
	    nccl_check_cuda(state, rank, api->device_attribute(&minor, cudaDevAttrComputeCapabilityMinor, rank->device),
			    "cudaDeviceGetAttribute") ||
	    nccl_check_driver(state, rank, api->driver_device(&device, rank->device), "cuDeviceGet") ||
	    nccl_check_driver(state, rank, api->driver_device_name(rank->name, sizeof rank->name, device), "cuDeviceGetName"))
		return -1;
	if (major * 10 + minor < state->capability)
		state->capability = major * 10 + minor;
	return 0;
}

int nccl_devices_choose(struct nccl_state *state, bool may_share, long first_device)
{
	struct launch *launch = state->launch;
	const struct wish wish = { .nlocal = state->nlocal,
				   .first_device = first_device < 0           ? 0
						   : first_device < MAX_FIRST ? (int)first_device
									      : MAX_FIRST,
				   .may_share = may_share };
	struct claim mine;
	struct choice choice;
	int failed = look(state, &mine) != 0, least;

	if (launch->ops->agree(launch, failed, &failed))
		return -1;
	if (!failed)
		failed = deal(state, &mine, &wish, &choice);
	if (failed)
		return failed;
	state->shared_gpu = choice.shared;
	state->capability = INT_MAX;
	for (int i = 0; i < state->nlocal && !failed; i++) {
		state->ranks[i].device = (choice.first + i) % choice.wrap;
		failed = describe(state, &state->ranks[i]) != 0;
	}
	if (launch->ops->agree(launch, failed, &failed) || launch->ops->agree(launch, -state->capability, &least))
		return -1;
	state->capability = -least;
	return failed;
}

int nccl_devices_memory(const struct nccl_state *state, int local, struct backend_memory *memory)
{
	const struct nccl_rank *rank = &state->ranks[local];
	size_t available, total;

	if (nccl_use_device(state, rank) ||
	    nccl_check_cuda(state, rank, state->api.memory_info(&available, &total), "cudaMemGetInfo"))
		return -1;
	/* NCCL connects, and allocates for it, when it is first called: after our buffers are there. On a small GPU a part of it must do. */
	memory->kept = total / 16 < RESERVE ? total / 16 : RESERVE;
	memory->available = available > memory->kept ? available - memory->kept : 0;
	snprintf(memory->name, sizeof memory->name, "GPU %d [%s]", rank->device, rank->pci);
	return 0;
}
