/* SPDX-License-Identifier: Apache-2.0
 *
 * Hosts that are the same but for their name are kept once.
 */
#include <stdlib.h>
#include <string.h>

#include "topo.h"

const struct topo_host *topo_host_of(const struct topo *topo, size_t i)
{
	int alike = topo->hosts[i].alike;

	return alike >= 0 && (size_t)alike < topo->nhosts ? &topo->hosts[alike] : &topo->hosts[i];
}

/* What firmware and kernel keep for themselves differs a little between machines of one kind. */
static bool same_memory(uint64_t a, uint64_t b)
{
	uint64_t more = a > b ? a : b, less = a > b ? b : a;

	return more - less <= more / 64;
}

static bool same_link(const struct topo_pcie *a, const struct topo_pcie *b)
{
	return a->gts == b->gts && a->width == b->width;
}

static bool same_numa(const struct topo_host *a, const struct topo_host *b)
{
	for (size_t i = 0; i < a->nnuma; i++) {
		const struct topo_numa *x = &a->numa[i], *y = &b->numa[i];

		if (x->os != y->os || x->package != y->package || strcmp(x->cpus, y->cpus) != 0 ||
		    !same_memory(x->memory, y->memory))
			return false;
	}
	for (size_t i = 0; i < a->ncaches; i++) {
		const struct topo_cache *x = &a->caches[i], *y = &b->caches[i];

		if (x->level != y->level || x->bytes != y->bytes || x->count != y->count)
			return false;
	}
	return true;
}

static bool same_pci(const struct topo_host *a, const struct topo_host *b)
{
	for (size_t i = 0; i < a->npci; i++) {
		const struct topo_pci *x = &a->pci[i], *y = &b->pci[i];

		if (strcmp(x->bus, y->bus) != 0 || x->kind != y->kind || x->parent != y->parent || x->root != y->root ||
		    x->numa != y->numa || x->vendor != y->vendor || x->device != y->device || x->acs != y->acs ||
		    !same_link(&x->now, &y->now) || !same_link(&x->most, &y->most))
			return false;
	}
	return true;
}

static bool same_gpus(const struct topo_host *a, const struct topo_host *b)
{
	for (size_t i = 0; i < a->ngpus; i++) {
		const struct topo_gpu *x = &a->gpus[i], *y = &b->gpus[i];

		if (strcmp(x->name, y->name) != 0 || x->number != y->number || x->pci != y->pci || x->numa != y->numa ||
		    strcmp(x->cpus, y->cpus) != 0 || !same_memory(x->memory, y->memory) || x->sm != y->sm)
			return false;
	}
	for (size_t i = 0; i < a->nnvlinks; i++) {
		const struct topo_nvlink *x = &a->nvlinks[i], *y = &b->nvlinks[i];

		if (x->gpu != y->gpu || x->end != y->end || x->peer != y->peer || x->count != y->count ||
		    x->version != y->version || x->rate != y->rate || strcmp(x->source, y->source) != 0)
			return false;
	}
	return true;
}

static bool same_nics(const struct topo_host *a, const struct topo_host *b)
{
	for (size_t i = 0; i < a->nnics; i++) {
		const struct topo_nic *x = &a->nics[i], *y = &b->nics[i];

		if (strcmp(x->name, y->name) != 0 || strcmp(x->netdev, y->netdev) != 0 || x->fabric != y->fabric ||
		    x->port != y->port || x->rate != y->rate || x->state != y->state || x->pci != y->pci || x->numa != y->numa ||
		    strcmp(x->cpus, y->cpus) != 0)
			return false;
	}
	for (size_t i = 0; i < a->ngiven; i++) {
		const struct topo_given *x = &a->given[i], *y = &b->given[i];

		if (x->a != y->a || x->b != y->b || x->class != y->class || x->links != y->links)
			return false;
	}
	return true;
}

bool topo_hosts_alike(const struct topo_host *a, const struct topo_host *b)
{
	if (a->nnuma != b->nnuma || a->ncaches != b->ncaches || a->npci != b->npci || a->ngpus != b->ngpus ||
	    a->nnics != b->nnics || a->nnvlinks != b->nnvlinks || a->ngiven != b->ngiven)
		return false;
	if (strcmp(a->from, b->from) != 0 || strcmp(a->cpu, b->cpu) != 0 || a->packages != b->packages || a->cores != b->cores ||
	    a->threads != b->threads || a->iommu != b->iommu || !same_memory(a->memory, b->memory))
		return false;
	return same_numa(a, b) && same_pci(a, b) && same_gpus(a, b) && same_nics(a, b);
}

/* The first host that describes this one. */
static int find_alike(const struct topo *topo, const struct topo_host *host)
{
	for (size_t i = 0; i < topo->nhosts; i++) {
		if (topo->hosts[i].alike == TOPO_UNKNOWN && topo_hosts_alike(&topo->hosts[i], host))
			return (int)i;
	}
	return TOPO_UNKNOWN;
}

/* Name and ranks alone stay. */
static void strip(struct topo_host *host, struct topo_host *blank, int alike)
{
	struct topo_host old = *host;

	*host = *blank;
	host->alike = alike;
	host->name = old.name;
	host->ranks = old.ranks;
	host->nranks = old.nranks;
	old.name = NULL;
	old.ranks = NULL;
	old.nranks = 0;
	topo_clear_host(&old);
}

static size_t room_for(size_t count)
{
	size_t room = 1;

	while (room < count)
		room *= 2;
	return room;
}

/* Texts for every host that may have to be stripped, so that nothing can fail half way. */
static struct topo_host *make_blanks(size_t count)
{
	struct topo_host *blanks = calloc(count, sizeof *blanks);
	bool failed = !blanks;

	for (size_t i = 0; !failed && i < count; i++)
		failed = topo_set(&blanks[i].from, "") || topo_set(&blanks[i].cpu, "");
	for (size_t i = 0; failed && blanks && i < count; i++)
		topo_clear_host(&blanks[i]);
	if (failed) {
		free(blanks);
		return NULL;
	}
	return blanks;
}

int topo_merge(struct topo *topo, struct topo *more)
{
	size_t count = more->nhosts;
	struct topo_host *hosts, *blanks;
	int *place;

	if (count == 0)
		return 0;
	if (count > TOPO_MOST_HOSTS - topo->nhosts)
		return -1;
	hosts = realloc(topo->hosts, room_for(topo->nhosts + count) * sizeof *hosts);
	if (!hosts)
		return -1;
	topo->hosts = hosts;
	place = calloc(count, sizeof *place);
	blanks = make_blanks(count);
	if (!place || !blanks) {
		for (size_t i = 0; blanks && i < count; i++)
			topo_clear_host(&blanks[i]);
		free(blanks);
		free(place);
		return -1;
	}
	for (size_t i = 0; i < count; i++) {
		struct topo_host *host = &more->hosts[i];
		bool was_alike = host->alike >= 0 && (size_t)host->alike < i;
		int alike = was_alike ? place[host->alike] : find_alike(topo, host);

		place[i] = alike == TOPO_UNKNOWN ? (int)topo->nhosts : alike;
		if (alike == TOPO_UNKNOWN)
			topo_clear_host(&blanks[i]);
		else
			strip(host, &blanks[i], alike);
		hosts[topo->nhosts++] = *host;
	}
	free(blanks);
	free(place);
	free(more->hosts);
	*more = (struct topo){ 0 };
	return 0;
}
