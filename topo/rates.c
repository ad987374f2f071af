/* SPDX-License-Identifier: Apache-2.0
 *
 * From a topology the numbers that bounds are made of.
 */
#include "rates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "path_parts.h"
#include "peak.h"
#include "rates_nics.h"
#include "rates_ring.h"

/* Names of the report's table of links. PCIe has its own by generation and width. */
static const struct {
	int version;
	double rate;
	const char *name;
} nvlink_names[] = {
	{ 1, 80e9, "nvlink1" },         { 2, 150e9, "nvlink2" },      { 2, 50e9, "nvlink2-bridge" },   { 3, 300e9, "nvlink3" },
	{ 3, 200e9, "nvlink3-a800" },   { 3, 100e9, "nvlink3-a30" },  { 3, 56.25e9, "nvlink-bridge" }, { 4, 450e9, "nvlink4" },
	{ 4, 300e9, "nvlink4-bridge" }, { 4, 200e9, "nvlink4-h800" }, { 5, 900e9, "nvlink5" },
};

static const char *const pcie_names[][3] = {
	{ "pcie1", NULL, NULL },           { "pcie2", NULL, NULL },           { "pcie3", "pcie3x8", "pcie3x4" },
	{ "pcie4", "pcie4x8", "pcie4x4" }, { "pcie5", "pcie5x8", "pcie5x4" }, { "pcie6", "pcie6x8", "pcie6x4" },
	{ "pcie7", NULL, NULL },
};

static const char *nvlink_name(const struct topo_host *host, const struct rates_ring *ring, double rate)
{
	const struct peak_gpu *product = path_product(host, ring->a);

	/* A name is that of a product with all its links: what has as much by chance is another machine. */
	if (!product || product->links == 0 || fabs(rate / (product->links * product->rate) - 1) >= 0.01)
		return "";
	for (size_t i = 0; i < sizeof nvlink_names / sizeof *nvlink_names; i++) {
		if (nvlink_names[i].version == product->version && fabs(rate / nvlink_names[i].rate - 1) < 0.01)
			return nvlink_names[i].name;
	}
	return "";
}

static const char *pcie_name(const struct topo_host *host, const struct rates_ring *ring, double rate)
{
	struct path_tree tree;
	int generation, column;

	path_in_tree(host, ring->a, ring->b, &tree);
	generation = peak_pcie_generation(tree.slowest.gts)[0] - '0';
	if (tree.rate != rate || generation < 1 || generation > 7)
		return "";
	column = tree.slowest.width == 16 ? 0 : tree.slowest.width == 8 ? 1 : tree.slowest.width == 4 ? 2 : -1;
	return column >= 0 && pcie_names[generation - 1][column] ? pcie_names[generation - 1][column] : "";
}

/* The least that any GPU has of links from GPU to GPU. */
static double least_direct(const struct topo_host *host)
{
	double least = 0;

	for (int gpu = 0; gpu < (int)host->ngpus; gpu++) {
		double sum = 0;

		for (int peer = 0; peer < (int)host->ngpus; peer++) {
			struct path_nvlinks links;

			if (peer == gpu)
				continue;
			path_nvlinks_between(host, gpu, peer, &links);
			if (!links.switches)
				sum += links.rate;
		}
		least = gpu == 0 || sum < least ? sum : least;
	}
	return least;
}

/* NVSwitches reduce since the third kind, that of Hopper. */
static bool has_nvls(const struct topo_host *host)
{
	for (int gpu = 0; gpu < (int)host->ngpus; gpu++) {
		const struct peak_gpu *product = path_product(host, gpu);
		struct path_nvlinks links;

		path_nvlinks_of(host, gpu, TOPO_END_SWITCH, TOPO_UNKNOWN, &links);
		if (!links.any || (links.version < 4 && host->gpus[gpu].sm < 90 && !(product && product->version >= 4)))
			return false;
	}
	return host->ngpus > 1;
}

static void ring_words(const struct rates_ring *ring, struct rates *rates)
{
	char all[24], hop[64] = "";
	size_t length = 0;

	path_rate_words(rates->ring, all);
	if (!ring->even)
		snprintf(hop, sizeof hop, "slowest hop GPU%d - GPU%d: ", ring->a, ring->b);
	if (rates->ring > rates->one_ring)
		length = (size_t)snprintf(rates->ring_words, RATES_WORDS, "NVLinks of a GPU together: %s; one ring alone, ", all);
	snprintf(rates->ring_words + length, RATES_WORDS - length, "%s%s%s", hop, ring->slow.words,
		 ring->cut_short ? "; the search was cut short, a better ring may exist" : "");
}

static void append(char *words, const char *more)
{
	size_t length = strlen(words);

	snprintf(words + length, RATES_WORDS - length, "%s", more);
}

/* PCIe may not be what carries most. */
static void add_missing(const struct topo_host *host, const struct rates_ring *ring, struct rates *rates)
{
	const struct peak_gpu *product = path_product(host, ring->a);
	char more[64];

	if (ring->slow.class == TOPO_NV || host->nnvlinks > 0 || !product || product->links == 0 || product->optional)
		return;
	snprintf(more, sizeof more, "; without NVLinks, of which the product has %d", product->links);
	append(rates->ring_words, more);
}

/* The GPUs of one host; -1: out of memory. */
static int ring_of(const struct topo_host *host, struct rates *rates)
{
	struct rates_ring ring;
	double direct;

	rates->link = "";
	rates->gpus = (int)host->ngpus;
	if (host->ngpus < 2) {
		snprintf(rates->ring_words, RATES_WORDS, host->ngpus == 1 ? "one GPU: no ring" : "no GPU");
		return 0;
	}
	if (rates_ring_find(host, &ring))
		return -1;
	direct = ring.direct ? least_direct(host) : 0;
	rates->one_ring = ring.rate;
	rates->ring = direct > ring.rate ? direct : ring.rate;
	rates->nvls = has_nvls(host);
	rates->nvlink = ring.slow.class == TOPO_NV;
	if (ring.rate > 0)
		rates->link = ring.slow.class == TOPO_NV ? nvlink_name(host, &ring, rates->ring)
							 : pcie_name(host, &ring, rates->ring);
	ring_words(&ring, rates);
	add_missing(host, &ring, rates);
	rates_ring_clear(&ring);
	return 0;
}

static void take_ring(struct rates *rates, const struct rates *more)
{
	rates->ring = more->ring;
	rates->one_ring = more->one_ring;
	rates->nvlink = more->nvlink;
	rates->link = more->link;
	memcpy(rates->ring_words, more->ring_words, sizeof rates->ring_words);
}

static void take_nics(struct rates *rates, const struct rates *more)
{
	rates->nics = more->nics;
	rates->nic = more->nic;
	memcpy(rates->nic_words, more->nic_words, sizeof rates->nic_words);
}

static const char unknown[] = "rate unknown: ";

/* Of NICs without a rate nobody knows whether they are the least: all are told. */
static void join_nics(struct rates *rates, const struct rates *more)
{
	struct rates joined = rates->nic > 0 ? *more : *rates;
	const char *other = rates->nic > 0 ? rates->nic_words : more->nic_words;

	/* That one is unknown is said by then. */
	if (strncmp(other, unknown, strlen(unknown)) == 0)
		other += strlen(unknown);
	if (strstr(joined.nic_words, other) == NULL) {
		append(joined.nic_words, "; other hosts: ");
		append(joined.nic_words, other);
	}
	joined.nics = more->nics < rates->nics ? more->nics : rates->nics;
	take_nics(rates, &joined);
}

/* Which of the words have to say that hosts differ. */
struct uneven {
	bool ring, nics;
};

/* What of two hosts counts for a job over both. */
static void add_host(struct rates *rates, const struct rates *more, struct uneven *uneven)
{
	const bool silent = more->nics > 0 && rates->nics > 0 && (more->nic <= 0 || rates->nic <= 0);

	uneven->ring = uneven->ring || rates->gpus != more->gpus || rates->ring != more->ring;
	uneven->nics = uneven->nics || rates->nics * rates->nic != more->nics * more->nic || rates->nics != more->nics;
	if (more->ring < rates->ring || (more->ring <= rates->ring && more->gpus < rates->gpus))
		take_ring(rates, more);
	if (more->gpus < rates->gpus)
		rates->gpus = more->gpus;
	if (silent)
		join_nics(rates, more);
	else if (more->nics * more->nic < rates->nics * rates->nic || more->nics == 0)
		take_nics(rates, more);
	rates->nvls = rates->nvls && more->nvls;
}

static int host_rates(const struct topo_host *host, struct rates *rates)
{
	struct rates_nics nics;

	*rates = (struct rates){ .link = "" };
	rates_nics_find(host, &nics);
	rates->nics = nics.count;
	rates->nic = nics.rate;
	memcpy(rates->nic_words, nics.words, sizeof rates->nic_words);
	return ring_of(host, rates);
}

int rates_of(const struct topo *topo, struct rates *rates)
{
	struct rates found = { .link = "" };
	struct uneven uneven = { false, false };
	bool any = false;

	*rates = (struct rates){ .link = "" };
	for (size_t i = 0; i < topo->nhosts; i++) {
		struct rates one;

		/* Those that are like another add nothing. */
		if (topo_host_of(topo, i) != &topo->hosts[i])
			continue;
		if (host_rates(&topo->hosts[i], &one))
			return -1;
		if (any)
			add_host(&found, &one, &uneven);
		else
			found = one;
		any = true;
	}
	if (found.gpus == 0 && found.nics == 0)
		return -1;
	if (uneven.ring)
		append(found.ring_words, found.ring > 0 ? "; hosts differ, the least counts" : "; hosts differ");
	if (uneven.nics && (found.nics == 0 || found.nic > 0))
		append(found.nic_words, "; hosts differ, the least counts");
	found.levels = topo->nhosts > 1 ? 2 : 1;
	*rates = found;
	return 0;
}
