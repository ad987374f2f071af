/* SPDX-License-Identifier: Apache-2.0
 *
 * The elements of a topology: made, counted, released. An array has room for the next power of two of its count, so that no capacity need be kept.
 */
#include "topo.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const topo_class_names[TOPO_CLASSES] = { "?", "X", "NV", "PIX", "PXB", "PHB", "NODE", "SYS" };

static void clear_devices(struct topo_host *host)
{
	for (size_t i = 0; i < host->nnuma; i++)
		free(host->numa[i].cpus);
	for (size_t i = 0; i < host->npci; i++)
		free(host->pci[i].bus);
	for (size_t i = 0; i < host->ngpus; i++) {
		free(host->gpus[i].name);
		free(host->gpus[i].cpus);
	}
	for (size_t i = 0; i < host->nnics; i++) {
		free(host->nics[i].name);
		free(host->nics[i].netdev);
		free(host->nics[i].cpus);
	}
	for (size_t i = 0; i < host->nnvlinks; i++)
		free(host->nvlinks[i].source);
}

void topo_clear_host(struct topo_host *host)
{
	clear_devices(host);
	for (size_t i = 0; i < host->nranks; i++)
		free(host->ranks[i].cpus);
	for (size_t i = 0; i < host->nnotes; i++)
		free(host->notes[i]);
	free(host->name);
	free(host->from);
	free(host->cpu);
	free(host->caches);
	free(host->numa);
	free(host->pci);
	free(host->gpus);
	free(host->nics);
	free(host->nvlinks);
	free(host->given);
	free(host->ranks);
	free(host->notes);
	*host = (struct topo_host){ .alike = TOPO_UNKNOWN };
}

void topo_clear(struct topo *topo)
{
	for (size_t i = 0; i < topo->nhosts; i++)
		topo_clear_host(&topo->hosts[i]);
	free(topo->hosts);
	*topo = (struct topo){ 0 };
}

/* The array with room for one more, or NULL; the old one stays then. */
static void *with_room(void *items, size_t count, size_t size, size_t most)
{
	if (count >= most)
		return NULL;
	if (items && (count & (count - 1)) != 0)
		return items;
	return realloc(items, (count == 0 ? 1 : 2 * count) * size);
}

/* Up to three texts (NULL: none). */
static int make_blank(char **a, char **b, char **c)
{
	char **texts[3] = { a, b, c };
	bool failed = false;

	for (size_t i = 0; i < 3; i++) {
		if (texts[i])
			*texts[i] = NULL;
	}
	for (size_t i = 0; i < 3; i++)
		failed = failed || (texts[i] && topo_set(texts[i], ""));
	for (size_t i = 0; failed && i < 3; i++) {
		if (texts[i])
			free(*texts[i]);
	}
	return failed ? -1 : 0;
}

struct topo_host *topo_add_host(struct topo *topo)
{
	struct topo_host *hosts = with_room(topo->hosts, topo->nhosts, sizeof *hosts, TOPO_MOST_HOSTS);
	struct topo_host made = { .alike = TOPO_UNKNOWN };

	if (!hosts)
		return NULL;
	topo->hosts = hosts;
	if (make_blank(&made.name, &made.from, &made.cpu))
		return NULL;
	hosts[topo->nhosts] = made;
	return &hosts[topo->nhosts++];
}

struct topo_numa *topo_add_numa(struct topo_host *host)
{
	struct topo_numa *items = with_room(host->numa, host->nnuma, sizeof *items, TOPO_MOST_NUMA);
	struct topo_numa made = { .os = TOPO_UNKNOWN, .package = TOPO_UNKNOWN };

	if (!items)
		return NULL;
	host->numa = items;
	if (make_blank(&made.cpus, NULL, NULL))
		return NULL;
	items[host->nnuma] = made;
	return &items[host->nnuma++];
}

struct topo_pci *topo_add_pci(struct topo_host *host)
{
	struct topo_pci *items = with_room(host->pci, host->npci, sizeof *items, TOPO_MOST_PCI);
	struct topo_pci made = { .parent = TOPO_UNKNOWN, .root = TOPO_UNKNOWN, .numa = TOPO_UNKNOWN };

	if (!items)
		return NULL;
	host->pci = items;
	if (make_blank(&made.bus, NULL, NULL))
		return NULL;
	items[host->npci] = made;
	return &items[host->npci++];
}

struct topo_gpu *topo_add_gpu(struct topo_host *host)
{
	struct topo_gpu *items = with_room(host->gpus, host->ngpus, sizeof *items, TOPO_MOST_GPUS);
	struct topo_gpu made = { .number = TOPO_UNKNOWN, .pci = TOPO_UNKNOWN, .numa = TOPO_UNKNOWN };

	if (!items)
		return NULL;
	host->gpus = items;
	if (make_blank(&made.name, &made.cpus, NULL))
		return NULL;
	items[host->ngpus] = made;
	return &items[host->ngpus++];
}

struct topo_nic *topo_add_nic(struct topo_host *host)
{
	struct topo_nic *items = with_room(host->nics, host->nnics, sizeof *items, TOPO_MOST_NICS);
	struct topo_nic made = { .port = TOPO_UNKNOWN, .pci = TOPO_UNKNOWN, .numa = TOPO_UNKNOWN };

	if (!items)
		return NULL;
	host->nics = items;
	if (make_blank(&made.name, &made.netdev, &made.cpus))
		return NULL;
	items[host->nnics] = made;
	return &items[host->nnics++];
}

struct topo_nvlink *topo_add_nvlink(struct topo_host *host)
{
	struct topo_nvlink *items = with_room(host->nvlinks, host->nnvlinks, sizeof *items, TOPO_MOST_NVLINKS);
	struct topo_nvlink made = { .gpu = TOPO_UNKNOWN, .peer = TOPO_UNKNOWN };

	if (!items)
		return NULL;
	host->nvlinks = items;
	if (make_blank(&made.source, NULL, NULL))
		return NULL;
	items[host->nnvlinks] = made;
	return &items[host->nnvlinks++];
}

struct topo_given *topo_add_given(struct topo_host *host)
{
	struct topo_given *items = with_room(host->given, host->ngiven, sizeof *items, TOPO_MOST_GIVEN);

	if (!items)
		return NULL;
	host->given = items;
	items[host->ngiven] = (struct topo_given){ .a = TOPO_UNKNOWN, .b = TOPO_UNKNOWN };
	return &items[host->ngiven++];
}

struct topo_rank *topo_add_rank(struct topo_host *host)
{
	struct topo_rank *items = with_room(host->ranks, host->nranks, sizeof *items, TOPO_MOST_RANKS);
	struct topo_rank made = { .rank = TOPO_UNKNOWN, .gpu = TOPO_UNKNOWN };

	if (!items)
		return NULL;
	host->ranks = items;
	if (make_blank(&made.cpus, NULL, NULL))
		return NULL;
	items[host->nranks] = made;
	return &items[host->nranks++];
}

struct topo_cache *topo_add_cache(struct topo_host *host)
{
	struct topo_cache *items = with_room(host->caches, host->ncaches, sizeof *items, TOPO_MOST_CACHES);

	if (!items)
		return NULL;
	host->caches = items;
	items[host->ncaches] = (struct topo_cache){ 0 };
	return &items[host->ncaches++];
}

int topo_note(struct topo_host *host, const char *format, ...)
{
	char line[512], *note = NULL;
	char **notes;
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	if (topo_set(&note, line))
		return -1;
	for (size_t i = 0; i < host->nnotes; i++) {
		if (strcmp(host->notes[i], note) == 0) {
			free(note);
			return 0;
		}
	}
	if (host->nnotes >= TOPO_MOST_NOTES) {
		free(note);
		return 0;
	}
	notes = with_room(host->notes, host->nnotes, sizeof *notes, TOPO_MOST_NOTES);
	if (!notes) {
		free(note);
		return -1;
	}
	notes[host->nnotes++] = note;
	host->notes = notes;
	return 0;
}
