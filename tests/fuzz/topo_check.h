/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold of any topology that was read, whatever it was read from: texts are harmless, indices point at something, numbers are numbers, and what
 * is asked of it has an answer. A host that is written as JSON and read again is the same.
 */
#ifndef COLLPERF_FUZZ_TOPO_CHECK_H
#define COLLPERF_FUZZ_TOPO_CHECK_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topo/json.h"
#include "topo/path.h"
#include "topo/rates.h"
#include "topo/topo.h"
#include "topo/warn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void check(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "broken: %s\n", what);
	abort();
}

static inline void check_text(const char *text)
{
	check(text != NULL, "a text is there");
	check(strlen(text) <= TOPO_LONGEST_LIST, "a text is short");
	for (; *text; text++)
		check((unsigned char)*text >= ' ' && *text != 0x7f, "a text is without control characters");
}

static inline void check_rate(double rate)
{
	check(isfinite(rate) && rate >= 0, "a rate is a number");
}

static inline void check_index(int index, size_t count, const char *what)
{
	check(index == TOPO_UNKNOWN || (index >= 0 && (size_t)index < count), what);
}

static inline void check_tree(const struct topo_host *host)
{
	for (size_t i = 0; i < host->npci; i++) {
		const struct topo_pci *pci = &host->pci[i];

		check_text(pci->bus);
		check_index(pci->parent, i, "a parent comes before its children");
		check(pci->numa >= TOPO_UNKNOWN && pci->root >= TOPO_UNKNOWN, "numbers of a pci");
		check_rate(pci->now.gts);
		check_rate(pci->most.gts);
		check(pci->now.width >= 0 && pci->most.width >= 0, "lanes");
	}
	for (size_t i = 0; i < host->nnuma; i++)
		check_text(host->numa[i].cpus);
}

static inline void check_devices(const struct topo_host *host)
{
	const size_t ends = host->ngpus + host->nnics;

	for (size_t i = 0; i < host->ngpus; i++) {
		check_text(host->gpus[i].name);
		check_text(host->gpus[i].cpus);
		check_index(host->gpus[i].pci, host->npci, "the pci of a GPU");
	}
	for (size_t i = 0; i < host->nnics; i++) {
		check_text(host->nics[i].name);
		check_text(host->nics[i].cpus);
		check_rate(host->nics[i].rate);
		check_index(host->nics[i].pci, host->npci, "the pci of a NIC");
	}
	for (size_t i = 0; i < host->nnvlinks; i++) {
		const struct topo_nvlink *link = &host->nvlinks[i];

		check_text(link->source);
		check_rate(link->rate);
		check_index(link->gpu, host->ngpus, "the GPU of a link");
		if (link->end == TOPO_END_GPU || link->end == TOPO_END_SWITCH)
			check_index(link->peer, link->end == TOPO_END_GPU ? host->ngpus : host->npci, "the other end of a link");
		check(link->count >= 0, "links");
	}
	for (size_t i = 0; i < host->ngiven; i++) {
		check_index(host->given[i].a, ends, "an end of what is given");
		check_index(host->given[i].b, ends, "an end of what is given");
	}
	for (size_t i = 0; i < host->nranks; i++)
		check_index(host->ranks[i].gpu, host->ngpus, "the GPU of a rank");
}

static inline void check_paths(const struct topo_host *host)
{
	const int ends = (int)(host->ngpus + host->nnics), most = ends < 24 ? ends : 24;

	for (int a = 0; a < most; a++) {
		for (int b = 0; b < most; b++) {
			struct path there, back;

			path_between(host, a, b, &there);
			path_between(host, b, a, &back);
			check_rate(there.rate);
			check_text(there.words);
			check((a == b) == (there.class == TOPO_X), "X is self");
			check(there.class == back.class, "both ways have one class");
		}
	}
}

static inline void check_host(const struct topo_host *host)
{
	check_text(host->name);
	check_text(host->from);
	check_text(host->cpu);
	check_tree(host);
	check_devices(host);
	check_paths(host);
	check(host->nnotes <= TOPO_MOST_NOTES, "notes");
	for (size_t i = 0; i < host->nnotes; i++)
		check_text(host->notes[i]);
}

static inline void check_round_trip(const struct topo *topo)
{
	struct topo back = { 0 };
	char error[512] = "", *text = topo_to_text(topo);

	check(text != NULL, "JSON");
	check(topo_from_text(text, strlen(text), &back, error, sizeof error) == 0, error);
	check(back.nhosts == topo->nhosts, "as many hosts");
	for (size_t i = 0; i < topo->nhosts; i++) {
		const struct topo_host *a = topo_host_of(topo, i), *b = topo_host_of(&back, i);

		check(topo_hosts_alike(a, b), "a host read back is the same");
		check(a->nnotes == b->nnotes, "as many notes");
	}
	topo_clear(&back);
	free(text);
}

/* Releases it, too. */
static inline void check_topo(struct topo *topo, int rc, const char *error)
{
	struct warnings warnings = { 0 };
	struct rates rates;

	check((rc == 0) == (error[0] == '\0'), "an error has a line, success has none");
	check(strchr(error, '\n') == NULL, "an error is one line");
	check(rc == 0 || topo->nhosts == 0, "nothing is added after an error");
	for (size_t i = 0; i < topo->nhosts; i++)
		check_host(topo_host_of(topo, i));
	if (topo->nhosts > 0) {
		check_round_trip(topo);
		check(warn_topo(topo, &warnings) == 0, "warnings");
		for (size_t i = 0; i < warnings.count; i++)
			check_text(warnings.items[i].text);
		warn_clear(&warnings);
		if (rates_of(topo, &rates) == 0) {
			check_rate(rates.ring);
			check_rate(rates.nic);
			check_text(rates.ring_words);
			check_text(rates.nic_words);
		}
	}
	topo_clear(topo);
}

#endif
