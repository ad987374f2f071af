/* SPDX-License-Identifier: Apache-2.0
 *
 * What comes first and last: how much there is, warnings, and the numbers that bounds are made of.
 */
#include "show.h"

#include "path_parts.h"
#include "pci.h"
#include "peak.h"
#include "rates.h"
#include "show_words.h"

/* "8 GPUs" */
static void add_count(struct show_list *list, size_t count, const char *one, const char *many)
{
	char text[64];

	snprintf(text, sizeof text, "%zu %s", count, count == 1 ? one : many);
	show_list_add(list, text);
}

void show_summary(const struct topo *topo, const struct warnings *warnings, FILE *out)
{
	size_t gpus = 0, nics = 0, numa = 0, kinds = 0, notes = 0;
	struct show_list list;

	for (size_t i = 0; i < topo->nhosts; i++) {
		const struct topo_host *host = topo_host_of(topo, i);

		gpus += host->ngpus;
		nics += host->nnics;
		numa += host->nnuma;
		kinds += topo->hosts[i].alike == TOPO_UNKNOWN;
		notes += topo->hosts[i].nnotes;
	}
	show_list_begin(&list, out, 0, ", ");
	add_count(&list, topo->nhosts, "host", "hosts");
	if (topo->nhosts > 1)
		add_count(&list, kinds, "kind of host", "kinds of hosts");
	add_count(&list, gpus, "GPU", "GPUs");
	add_count(&list, nics, "NIC", "NICs");
	add_count(&list, numa, "NUMA node", "NUMA nodes");
	if (notes > 0)
		add_count(&list, notes, "note", "notes");
	add_count(&list, warnings->count, "warning", "warnings");
	show_list_end(&list);
}

void show_warnings(const struct warnings *warnings, FILE *out)
{
	for (size_t i = 0; i < warnings->count; i++)
		fprintf(out, "warning: %s\n", warnings->items[i].text);
}

static void print_nics(const struct rates *rates, FILE *out)
{
	char one[32], all[32];

	if (rates->nics == 0)
		return;
	path_rate_words(rates->nic, one);
	path_rate_words(rates->nic * rates->nics, all);
	if (rates->nic > 0)
		fprintf(out, "  into a node: %d NIC%s, %s each, %s together (%s)\n", rates->nics, rates->nics == 1 ? "" : "s",
			one, all, rates->nic_words);
	else
		fprintf(out, "  into a node: %s\n", rates->nic_words);
}

static void print_command(const struct rates *rates, FILE *out)
{
	fputs("  as options: collperf report", out);
	if (*rates->link)
		fprintf(out, " --link %s", rates->link);
	else
		fprintf(out, " --link %.6gG", rates->ring / 1e9);
	if (rates->nics > 0 && rates->nic > 0)
		fprintf(out, " --nic %.6gG", rates->nic / 1e9);
	if (rates->nics > 1 && rates->nic > 0)
		fprintf(out, "x%d", rates->nics);
	fprintf(out, " --gpus-per-node %d%s DIR\n", rates->gpus, rates->nvls ? " --nvls" : "");
}

static bool has_nvlinks(const struct topo_host *host, int gpu)
{
	for (size_t i = 0; i < host->nnvlinks; i++)
		if (host->nvlinks[i].gpu == gpu)
			return true;
	for (size_t i = 0; i < host->ngiven; i++)
		if (host->given[i].class == TOPO_NV && (host->given[i].a == gpu || host->given[i].b == gpu))
			return true;
	return false;
}

/* Files may leave NVLinks out: whether a GPU without any is not known to be a product without any. */
static bool may_lack_nvlinks(const struct topo *topo)
{
	for (size_t i = 0; i < topo->nhosts; i++) {
		const struct topo_host *host = &topo->hosts[i];

		for (size_t g = 0; g < host->ngpus && host->ngpus > 1; g++) {
			const struct topo_gpu *gpu = &host->gpus[g];
			const struct topo_pci *pci = gpu->pci == TOPO_UNKNOWN ? NULL : &host->pci[gpu->pci];
			const bool nvidia = !pci || pci->vendor == 0 || pci->vendor == PCI_NVIDIA;
			const struct peak_gpu *known = path_product(host, (int)g);

			if (nvidia && (!known || known->links > 0) && !has_nvlinks(host, (int)g))
				return true;
		}
	}
	return false;
}

void show_numbers(const struct topo *topo, FILE *out)
{
	char text[32];
	struct rates rates;

	if (rates_of(topo, &rates)) {
		fputs("for a report: nothing, as there is no GPU and no fast NIC\n", out);
		return;
	}
	fprintf(out, "for a report: %s\n",
		rates.levels == 1 ? "one level, within a host" : "two levels, within hosts and between them");
	path_rate_words(rates.ring, text);
	if (rates.gpus > 1 && rates.ring > 0)
		fprintf(out, "  rings over %d GPUs: %s (%s)\n", rates.gpus, text, rates.ring_words);
	else if (rates.gpus > 1)
		fprintf(out, "  rings over %d GPUs: %s\n", rates.gpus, rates.ring_words);
	if (rates.nvls)
		fputs("  the switches can reduce (NVLS)\n", out);
	print_nics(&rates, out);
	if (may_lack_nvlinks(topo))
		fputs("  GPUs are without NVLinks here; if the machine has some, say --link yourself\n", out);
	if (rates.ring > 0)
		print_command(&rates, out);
}
