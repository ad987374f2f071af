/* SPDX-License-Identifier: Apache-2.0
 *
 * Which variables make NCCL and UCX take one way, and what a host must have for it.
 */
#include "way.h"

#include <stdlib.h>
#include <string.h>

#include "path.h"

const char *const way_names[WAYS] = { "auto", "nvlink", "pcie", "shm", "ib", "roce", "socket", "tcp" };

const char *const way_library_names[WAY_LIBRARIES] = { "nccl", "mpi" };

enum { MOST_VARIABLES = 6 };

/*
 * NCCL tries peer-to-peer, then shared memory, then the network, so a way is what is left when those before it are off. Switches that reduce (NVLS) are apart
 * from that order. UCX takes any of a list; its "shm" and "ib" are whatever it has of these.
 */
static const struct {
	bool known;
	struct way_variable variables[MOST_VARIABLES];
} table[WAY_LIBRARIES][WAYS] = {
	[WAY_NCCL] = {
		[WAY_AUTO] = { true, { { NULL, NULL } } },
		[WAY_NVLINK] = { true, { { "NCCL_P2P_LEVEL", "NVL" }, { "NCCL_SHM_DISABLE", "1" } } },
		[WAY_PCIE] = { true, { { "NCCL_P2P_LEVEL", "SYS" }, { "NCCL_SHM_DISABLE", "1" }, { "NCCL_NVLS_ENABLE", "0" } } },
		[WAY_SHM] = { true, { { "NCCL_P2P_DISABLE", "1" }, { "NCCL_NVLS_ENABLE", "0" } } },
		[WAY_IB] = { true, { { "NCCL_P2P_DISABLE", "1" }, { "NCCL_SHM_DISABLE", "1" }, { "NCCL_NVLS_ENABLE", "0" },
				     { "NCCL_NET", "IB" } } },
		[WAY_ROCE] = { true, { { "NCCL_P2P_DISABLE", "1" }, { "NCCL_SHM_DISABLE", "1" }, { "NCCL_NVLS_ENABLE", "0" },
				       { "NCCL_NET", "IB" } } },
		[WAY_SOCKET] = { true, { { "NCCL_P2P_DISABLE", "1" }, { "NCCL_SHM_DISABLE", "1" }, { "NCCL_NVLS_ENABLE", "0" },
					 { "NCCL_NET", "Socket" }, { "NCCL_IB_DISABLE", "1" } } },
	},
	[WAY_UCX] = {
		[WAY_AUTO] = { true, { { NULL, NULL } } },
		[WAY_SHM] = { true, { { "UCX_TLS", "shm,self" } } },
		[WAY_IB] = { true, { { "UCX_TLS", "ib,self" } } },
		[WAY_TCP] = { true, { { "UCX_TLS", "tcp,self" } } },
	},
};

int way_find(const char *name)
{
	for (int i = 0; i < WAYS; i++)
		if (strcmp(way_names[i], name) == 0)
			return i;
	return -1;
}

const struct way_variable *way_variables(enum way_library library, enum way way)
{
	return table[library][way].known ? table[library][way].variables : NULL;
}

struct pairs {
	size_t joined, apart; /* by NVLink; pairs of which nothing is known are neither */
	int a, b;             /* the first of those that speak against it */
};

/* Only who asked NVML, or was told of a link, knows of links that are not there. */
static bool knows_nvlink(const struct topo_host *host)
{
	return host->nnvlinks > 0 || host->ngiven > 0 || strstr(host->from, "NVML") != NULL;
}

static struct pairs count_pairs(const struct topo_host *host, bool wanted)
{
	struct pairs pairs = { 0 };

	for (int a = 0; a < (int)host->ngpus; a++) {
		for (int b = a + 1; b < (int)host->ngpus; b++) {
			struct path path;

			path_between(host, a, b, &path);
			if (path.class == TOPO_CLASS_UNKNOWN)
				continue;
			const bool is_nvlink = path.class == TOPO_NV;

			if (is_nvlink != wanted && pairs.b == 0)
				pairs.a = a, pairs.b = b;
			pairs.joined += is_nvlink;
			pairs.apart += !is_nvlink;
		}
	}
	return pairs;
}

/* Which of its GPUs a job uses is not known here: one pair that can is enough. */
static int check_gpus(const struct topo_host *host, bool nvlink, char *reason, size_t size)
{
	if (host->ngpus == 1) {
		snprintf(reason, size, "there is one GPU here: nothing passes between GPUs");
		return -1;
	}
	if (host->ngpus == 0 || !knows_nvlink(host))
		return 0;
	const struct pairs pairs = count_pairs(host, nvlink);

	if ((nvlink ? pairs.joined : pairs.apart) > 0 || pairs.joined + pairs.apart == 0)
		return 0;
	if (nvlink)
		snprintf(reason, size, "no NVLink between GPU%d and GPU%d%s", pairs.a, pairs.b,
			 pairs.apart > 1 ? ", nor between any others here" : "");
	else
		snprintf(reason, size,
			 "GPU%d and GPU%d are joined by NVLink%s, and NCCL has no variable that keeps peer-to-peer off it "
			 "(shm is the way without peer-to-peer)",
			 pairs.a, pairs.b, pairs.joined > 1 ? ", as all GPUs here are" : "");
	return -1;
}

struct nics {
	size_t ib, roce, unknown;
	const struct topo_nic *down; /* of the wanted ones, where none is up */
	const struct topo_nic *first_ib;
};

static struct nics count_nics(const struct topo_host *host, bool wants_roce, bool wants_ib)
{
	struct nics nics = { 0 };

	for (size_t i = 0; i < host->nnics; i++) {
		const struct topo_nic *nic = &host->nics[i];
		const bool is_ib = nic->fabric == TOPO_INFINIBAND, is_roce = nic->fabric == TOPO_ROCE;

		nics.unknown += nic->fabric == TOPO_FABRIC_UNKNOWN;
		if ((is_ib || is_roce) && nic->state == TOPO_DOWN) {
			if (is_ib ? wants_ib : wants_roce)
				nics.down = nic;
			continue;
		}
		nics.ib += is_ib;
		nics.roce += is_roce;
		if (is_ib && !nics.first_ib)
			nics.first_ib = nic;
	}
	return nics;
}

/* No NIC at all is a fact where the system's files were read, else nobody looked. */
static bool knows_nics(const struct topo_host *host)
{
	return host->nnics > 0 || strstr(host->from, "sysfs") != NULL;
}

static int check_nics(const struct topo_host *host, enum way_library library, enum way way, char *reason, size_t size)
{
	/* UCX calls both "ib". */
	const bool roce = way == WAY_ROCE || library == WAY_UCX, ib = way == WAY_IB;
	const struct nics nics = count_nics(host, roce, ib);
	const char *what = way == WAY_ROCE ? "RoCE" : library == WAY_UCX ? "InfiniBand or RoCE" : "InfiniBand";

	if (nics.unknown > 0 || !knows_nics(host))
		return 0;
	if ((roce && nics.roce > 0) || (ib && nics.ib > 0)) {
		/* The variable that names devices settles it. */
		if (way != WAY_ROCE || nics.ib == 0 || getenv("NCCL_IB_HCA"))
			return 0;
		snprintf(reason, size, "%s is InfiniBand, which NCCL would take as well: name the RoCE devices in NCCL_IB_HCA",
			 nics.first_ib->name);
	} else if (nics.down) {
		snprintf(reason, size, "port %d of %s is down, and no other %s device is here", nics.down->port, nics.down->name,
			 what);
	} else {
		snprintf(reason, size, "no %s device here", what);
	}
	return -1;
}

int way_possible(const struct topo_host *host, enum way_library library, enum way way, char *reason, size_t size)
{
	if (way == WAY_NVLINK || way == WAY_PCIE)
		return check_gpus(host, way == WAY_NVLINK, reason, size);
	if (way == WAY_IB || way == WAY_ROCE)
		return check_nics(host, library, way, reason, size);
	return 0;
}

void way_words(unsigned ways, char *text)
{
	char *at = text;

	*at = '\0';
	for (int i = WAY_AUTO + 1; i < WAYS; i++)
		if (ways & 1U << i)
			at += sprintf(at, "%s%s", at > text ? "+" : "", way_names[i]);
}

void way_list(FILE *out, enum way_library library)
{
	for (int i = 0; i < WAYS; i++) {
		const struct way_variable *variable = way_variables(library, (enum way)i);

		if (!variable)
			continue;
		fprintf(out, "path: %s (%s):", way_names[i], way_library_names[library]);
		if (!variable->name)
			fprintf(out, " the library's choice");
		for (; variable->name; variable++)
			fprintf(out, " %s=%s", variable->name, variable->value);
		fprintf(out, "\n");
	}
}
