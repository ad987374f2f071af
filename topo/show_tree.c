/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree of each host. Files of others may hold any tree, so it is walked without recursion.
 */
#include "show.h"

#include <stdlib.h>
#include <string.h>

#include "path.h"
#include "show_parts.h"
#include "show_words.h"

enum { DEEPEST_INDENT = 24, STEP = 2, MOST_ALIKE = 16 };

static void print_numbers(const struct topo_host *host, FILE *out)
{
	char text[40];
	const struct {
		const char *one, *many;
		int count;
	} counts[] = { { "socket", "sockets", host->packages },
		       { "core", "cores", host->cores },
		       { "hardware thread", "hardware threads", host->threads } };
	struct show_list list;

	if (!*host->cpu && host->packages <= 0 && host->cores <= 0 && host->threads <= 0 && host->memory == 0)
		return;
	fputs("  ", out);
	show_list_begin(&list, out, STEP, ", ");
	if (*host->cpu)
		show_list_add(&list, host->cpu);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		if (counts[i].count <= 0)
			continue;
		snprintf(text, sizeof text, "%d %s", counts[i].count, counts[i].count == 1 ? counts[i].one : counts[i].many);
		show_list_add(&list, text);
	}
	if (host->memory > 0) {
		char bytes[32];

		snprintf(text, sizeof text, "%s memory", show_bytes(host->memory, bytes, sizeof bytes));
		show_list_add(&list, text);
	}
	show_list_end(&list);
}

static void print_caches(const struct topo_host *host, FILE *out)
{
	char text[64], bytes[32];
	struct show_list list;

	if (host->ncaches == 0)
		return;
	fputs("  caches: ", out);
	show_list_begin(&list, out, STEP + 8, ", ");
	for (size_t i = 0; i < host->ncaches; i++) {
		const struct topo_cache *cache = &host->caches[i];

		snprintf(text, sizeof text, "%d x L%d of %s", cache->count, cache->level,
			 cache->bytes > 0 ? show_bytes(cache->bytes, bytes, sizeof bytes) : "unknown size");
		show_list_add(&list, text);
	}
	show_list_end(&list);
}

static void print_gpu(const struct topo_host *host, int g, int indent, FILE *out)
{
	const struct topo_gpu *gpu = &host->gpus[g];
	const struct topo_pci *pci = gpu->pci == TOPO_UNKNOWN ? NULL : &host->pci[gpu->pci];
	char text[SHOW_WORDS];

	fprintf(out, "%*sGPU%d", indent, "", g);
	if (pci)
		fprintf(out, " %s", pci->bus);
	if (*gpu->name)
		fprintf(out, " %s", gpu->name);
	if (gpu->number >= 0 && gpu->number != g)
		fprintf(out, ", number %d there", gpu->number);
	if (gpu->memory > 0)
		fprintf(out, ", %s", show_bytes(gpu->memory, text, sizeof text));
	if (pci && *show_pcie(pci, text, sizeof text))
		fprintf(out, ", %s", text);
	for (size_t i = 0; i < host->nranks; i++)
		if (host->ranks[i].gpu == g)
			fprintf(out, ", rank %d", host->ranks[i].rank);
	fputc('\n', out);
	show_nvlinks_of(host, g, indent + STEP, out);
}

static void print_nic(const struct topo_host *host, int n, int indent, FILE *out)
{
	static const char *const states[] = { "", ", up", ", DOWN" };
	const struct topo_nic *nic = &host->nics[n];
	const struct topo_pci *pci = nic->pci == TOPO_UNKNOWN ? NULL : &host->pci[nic->pci];
	char text[SHOW_WORDS];

	fprintf(out, "%*sNIC%d", indent, "", n);
	if (pci)
		fprintf(out, " %s", pci->bus);
	if (*nic->name)
		fprintf(out, " %s", nic->name);
	if (*nic->netdev && strcmp(nic->netdev, nic->name) != 0)
		fprintf(out, " (%s)", nic->netdev);
	if (nic->port > 1)
		fprintf(out, " port %d", nic->port);
	if (nic->fabric != TOPO_FABRIC_UNKNOWN)
		fprintf(out, ", %s", show_fabric(nic->fabric));
	path_rate_words(nic->rate, text);
	fprintf(out, ", %s%s", nic->rate > 0 ? text : "rate unknown", states[nic->state]);
	if (pci && *show_pcie(pci, text, sizeof text))
		fprintf(out, ", %s", text);
	fputc('\n', out);
}

/* GPUs and NICs of this function (TOPO_UNKNOWN and `numa`: of none); how many. */
static int print_devices(const struct topo_host *host, int pci, int numa, int indent, FILE *out)
{
	int count = 0;

	for (size_t g = 0; g < host->ngpus; g++) {
		if (host->gpus[g].pci == pci && (pci != TOPO_UNKNOWN || show_numa(host, host->gpus[g].numa) == numa)) {
			print_gpu(host, (int)g, indent, out);
			count++;
		}
	}
	for (size_t n = 0; n < host->nnics; n++) {
		if (host->nics[n].pci == pci && (pci != TOPO_UNKNOWN || show_numa(host, host->nics[n].numa) == numa)) {
			print_nic(host, (int)n, indent, out);
			count++;
		}
	}
	return count;
}

static void print_function(const struct topo_host *host, int i, int indent, FILE *out)
{
	static const char *const kinds[] = { "bridge", "GPU", "NIC", "NVSwitch" };
	const struct topo_pci *pci = &host->pci[i];
	char text[SHOW_WORDS];

	if (print_devices(host, i, 0, indent, out) > 0)
		return;
	fprintf(out, "%*s%s %s", indent, "", kinds[pci->kind], pci->bus);
	if (*show_pcie(pci, text, sizeof text))
		fprintf(out, ", %s", text);
	fputs(pci->acs == TOPO_YES ? ", ACS on\n" : "\n", out);
}

/* One root and what is below. */
static void print_branch(const struct topo_host *host, const struct show_pci *tree, int root, int indent, FILE *out)
{
	int i = root, depth = 0;

	for (;;) {
		print_function(host, i, indent + STEP * (depth < DEEPEST_INDENT ? depth : DEEPEST_INDENT), out);
		if (tree->first[i] >= 0) {
			i = tree->first[i];
			depth++;
			continue;
		}
		while (i != root && tree->next[i] < 0) {
			i = host->pci[i].parent;
			depth--;
		}
		if (i == root)
			return;
		i = tree->next[i];
	}
}

/* The roots of one NUMA node, those of one host bridge together. */
static void print_roots(const struct topo_host *host, const struct show_pci *tree, int numa, FILE *out)
{
	for (int i = tree->first[host->npci]; i >= 0; i = tree->next[i]) {
		const int bridge = host->pci[i].root;
		int earlier = tree->first[host->npci];

		if (show_numa(host, host->pci[i].numa) != numa)
			continue;
		if (bridge == TOPO_UNKNOWN) {
			print_branch(host, tree, i, 2 * STEP, out);
			continue;
		}
		while (earlier != i && (host->pci[earlier].root != bridge || show_numa(host, host->pci[earlier].numa) != numa))
			earlier = tree->next[earlier];
		if (earlier != i)
			continue;
		fprintf(out, "    host bridge %d\n", bridge);
		for (int k = i; k >= 0; k = tree->next[k])
			if (host->pci[k].root == bridge && show_numa(host, host->pci[k].numa) == numa)
				print_branch(host, tree, k, 3 * STEP, out);
	}
}

static void print_section(const struct topo_host *host, const struct show_pci *tree, const struct topo_numa *numa, FILE *out)
{
	char text[32];
	const int os = numa ? numa->os : TOPO_UNKNOWN;

	if (numa) {
		fprintf(out, "  NUMA node %d", os);
		if (numa->package != TOPO_UNKNOWN)
			fprintf(out, ", socket %d", numa->package);
		if (*numa->cpus)
			fprintf(out, ", hardware threads %.200s%s", numa->cpus, strlen(numa->cpus) > 200 ? "..." : "");
		if (numa->memory > 0)
			fprintf(out, ", %s", show_bytes(numa->memory, text, sizeof text));
		fputc('\n', out);
	} else if (show_has_numa(host, tree, TOPO_UNKNOWN)) {
		fputs(host->nnuma > 0 ? "  NUMA node unknown\n" : "  devices\n", out);
	} else {
		return;
	}
	print_roots(host, tree, os, out);
	print_devices(host, TOPO_UNKNOWN, os, 2 * STEP, out);
}

/* Ranks without a GPU whose threads are the same are one line. */
static void print_ranks(const struct topo_host *host, FILE *out)
{
	bool *told = calloc(host->nranks + 1, sizeof *told);
	char text[SHOW_WORDS];

	for (size_t i = 0; told && i < host->nranks; i++) {
		const struct topo_rank *rank = &host->ranks[i];
		struct show_run run = { .text = text, .size = sizeof text, .first = -1, .last = -1 };
		size_t count = 0;

		/* A GPU's line names its rank. */
		if (told[i] || (rank->gpu != TOPO_UNKNOWN && !*rank->cpus))
			continue;
		for (size_t k = i; k < host->nranks; k++) {
			if (k != i && (host->ranks[k].gpu != rank->gpu || strcmp(host->ranks[k].cpus, rank->cpus) != 0))
				continue;
			told[k] = true;
			count++;
			show_run_add(&run, host->ranks[k].rank);
		}
		show_run_add(&run, -1);
		fprintf(out, "  rank%s %s:", count > 1 ? "s" : "", text);
		if (rank->gpu != TOPO_UNKNOWN)
			fprintf(out, " GPU%d,", rank->gpu);
		fprintf(out, " hardware threads %.200s\n", *rank->cpus ? rank->cpus : "unknown");
	}
	free(told);
}

/* "n3 (ranks 24-31)", "host 3" where it has no name. */
static void alike_words(const struct topo *topo, size_t i, char *text, size_t size)
{
	const struct topo_host *host = &topo->hosts[i];
	char numbers[64] = "", name[208];
	struct show_run run = { .text = numbers, .size = sizeof numbers, .first = -1, .last = -1 };

	for (size_t k = 0; k < host->nranks; k++)
		show_run_add(&run, host->ranks[k].rank);
	show_run_add(&run, -1);
	snprintf(name, sizeof name, "host %zu", i);
	if (*host->name)
		snprintf(name, sizeof name, "%.200s", host->name);
	snprintf(text, size, host->nranks > 0 ? "%s (rank%s %s)" : "%s", name, host->nranks > 1 ? "s" : "", numbers);
}

static void print_alike(const struct topo *topo, size_t of, FILE *out)
{
	struct show_list list;
	char text[SHOW_WORDS];
	size_t count = 0;

	show_list_begin(&list, out, STEP + 12, ", ");
	for (size_t i = of + 1; i < topo->nhosts; i++) {
		if (topo->hosts[i].alike != (int)of || ++count > MOST_ALIKE)
			continue;
		if (count == 1)
			fputs("  just like:  ", out);
		alike_words(topo, i, text, sizeof text);
		show_list_add(&list, text);
	}
	if (count > MOST_ALIKE) {
		snprintf(text, sizeof text, "and %zu more", count - MOST_ALIKE);
		show_list_add(&list, text);
	}
	if (count > 0)
		show_list_end(&list);
}

static void print_host(const struct topo *topo, size_t i, FILE *out)
{
	const struct topo_host *host = &topo->hosts[i];
	char text[SHOW_WORDS];
	struct show_pci tree;

	fprintf(out, "%shost %s", i > 0 ? "\n" : "", show_host(topo, i, text, sizeof text));
	fprintf(out, *host->from ? " (from %s)\n" : "\n", host->from);
	print_alike(topo, i, out);
	print_numbers(host, out);
	print_caches(host, out);
	if (host->iommu == TOPO_YES)
		fputs("  IOMMU on\n", out);
	if (show_pci_open(host, &tree)) {
		fputs("  out of memory: no tree\n", out);
		return;
	}
	for (size_t n = 0; n < host->nnuma; n++)
		print_section(host, &tree, &host->numa[n], out);
	print_section(host, &tree, NULL, out);
	show_pci_close(&tree);
	print_ranks(host, out);
	for (size_t n = 0; n < host->nnotes; n++)
		fprintf(out, "  note: %s\n", host->notes[n]);
}

void show_tree(const struct topo *topo, FILE *out)
{
	for (size_t i = 0; i < topo->nhosts; i++)
		if (topo->hosts[i].alike == TOPO_UNKNOWN)
			print_host(topo, i, out);
}
