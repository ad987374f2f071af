/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy of a topology with the GPUs of the job alone, and without NVLinks where rows did not use them: what rates are taken from.
 */
#include <string.h>

#include "wiring.h"

/* Which GPUs of a host the ranks are on: all, where that is not known of each. */
struct used {
	bool gpus[TOPO_MOST_GPUS];
	int number[TOPO_MOST_GPUS]; /* in the copy */
	int count;
};

static void find_used(const struct topo_host *host, const struct topo_host *machine, struct used *used)
{
	bool known = host->nranks > 0;
	size_t ngpus = machine->ngpus < TOPO_MOST_GPUS ? machine->ngpus : TOPO_MOST_GPUS;

	memset(used, 0, sizeof *used);
	for (size_t r = 0; r < host->nranks && known; r++) {
		known = host->ranks[r].gpu >= 0 && (size_t)host->ranks[r].gpu < ngpus;
		if (known)
			used->gpus[host->ranks[r].gpu] = true;
	}
	for (size_t g = 0; g < ngpus; g++) {
		used->gpus[g] |= !known;
		used->number[g] = used->gpus[g] ? used->count++ : TOPO_UNKNOWN;
	}
}

static int copy_pci(const struct topo_host *from, struct topo_host *to)
{
	for (size_t i = 0; i < from->npci; i++) {
		struct topo_pci *pci = topo_add_pci(to);
		char *bus = pci ? pci->bus : NULL;

		if (!pci)
			return -1;
		*pci = from->pci[i];
		pci->bus = bus;
		if (topo_set(&pci->bus, from->pci[i].bus))
			return -1;
	}
	return 0;
}

static int copy_numa(const struct topo_host *from, struct topo_host *to)
{
	for (size_t i = 0; i < from->nnuma; i++) {
		struct topo_numa *numa = topo_add_numa(to);

		if (!numa || topo_set(&numa->cpus, from->numa[i].cpus))
			return -1;
		numa->os = from->numa[i].os;
		numa->package = from->numa[i].package;
		numa->memory = from->numa[i].memory;
	}
	return 0;
}

static int copy_gpus(const struct topo_host *from, const struct used *used, struct topo_host *to)
{
	for (size_t i = 0; i < from->ngpus; i++) {
		const struct topo_gpu *one = &from->gpus[i];
		struct topo_gpu *gpu = used->gpus[i] ? topo_add_gpu(to) : NULL;

		if (!used->gpus[i])
			continue;
		if (!gpu || topo_set(&gpu->name, one->name) || topo_set(&gpu->cpus, one->cpus))
			return -1;
		gpu->number = one->number;
		gpu->pci = one->pci;
		gpu->numa = one->numa;
		gpu->memory = one->memory;
		gpu->sm = one->sm;
	}
	return 0;
}

static int copy_nics(const struct topo_host *from, struct topo_host *to)
{
	for (size_t i = 0; i < from->nnics; i++) {
		const struct topo_nic *one = &from->nics[i];
		struct topo_nic *nic = topo_add_nic(to);

		if (!nic || topo_set(&nic->name, one->name) || topo_set(&nic->netdev, one->netdev) ||
		    topo_set(&nic->cpus, one->cpus))
			return -1;
		nic->fabric = one->fabric;
		nic->port = one->port;
		nic->rate = one->rate;
		nic->state = one->state;
		nic->pci = one->pci;
		nic->numa = one->numa;
	}
	return 0;
}

/* -2: it is no end of the copy. */
static int end_of(const struct topo_host *from, const struct used *used, int end)
{
	if (end < 0 || (size_t)end >= from->ngpus + from->nnics)
		return -2;
	if ((size_t)end >= from->ngpus)
		return used->count + end - (int)from->ngpus;
	return used->gpus[end] ? used->number[end] : -2;
}

static int copy_nvlinks(const struct topo_host *from, const struct used *used, struct topo_host *to)
{
	for (size_t i = 0; i < from->nnvlinks; i++) {
		const struct topo_nvlink *one = &from->nvlinks[i];
		bool has = one->gpu >= 0 && (size_t)one->gpu < from->ngpus && used->gpus[one->gpu];
		int peer = one->end == TOPO_END_GPU ? end_of(from, used, one->peer) : one->peer;
		struct topo_nvlink *link = has && peer != -2 ? topo_add_nvlink(to) : NULL;

		if (!has || peer == -2)
			continue;
		if (!link || topo_set(&link->source, one->source))
			return -1;
		link->gpu = used->number[one->gpu];
		link->end = one->end;
		link->peer = peer;
		link->count = one->count;
		link->version = one->version;
		link->rate = one->rate;
	}
	return 0;
}

static int copy_given(const struct topo_host *from, const struct used *used, bool nvlinks, struct topo_host *to)
{
	for (size_t i = 0; i < from->ngiven; i++) {
		const struct topo_given *one = &from->given[i];
		int a = end_of(from, used, one->a), b = end_of(from, used, one->b);
		struct topo_given *given;

		if (a == -2 || b == -2 || (one->class == TOPO_NV && !nvlinks))
			continue;
		given = topo_add_given(to);
		if (!given)
			return -1;
		*given = *one;
		given->a = a;
		given->b = b;
	}
	return 0;
}

static int copy_host(const struct topo_host *from, const struct used *used, bool nvlinks, struct topo_host *to)
{
	if (topo_set(&to->from, from->from) || topo_set(&to->cpu, from->cpu))
		return -1;
	to->packages = from->packages;
	to->cores = from->cores;
	to->threads = from->threads;
	to->memory = from->memory;
	to->iommu = from->iommu;
	if (copy_pci(from, to) || copy_numa(from, to) || copy_gpus(from, used, to) || copy_nics(from, to))
		return -1;
	return (nvlinks && copy_nvlinks(from, used, to)) || copy_given(from, used, nvlinks, to) ? -1 : 0;
}

int wiring_part(const struct topo *topo, bool nvlinks, struct topo *part)
{
	*part = (struct topo){ 0 };
	for (size_t i = 0; i < topo->nhosts; i++) {
		const struct topo_host *host = &topo->hosts[i], *machine = topo_host_of(topo, i);
		struct topo_host *copy = topo_add_host(part);
		struct used used, first;

		if (!copy || topo_set(&copy->name, host->name))
			goto fail;
		find_used(host, machine, &used);
		find_used(machine, machine, &first);
		if (machine < host && memcmp(&used, &first, sizeof used) == 0)
			copy->alike = (int)(machine - topo->hosts);
		else if (copy_host(machine, &used, nvlinks, copy))
			goto fail;
	}
	return 0;
fail:
	topo_clear(part);
	return -1;
}
