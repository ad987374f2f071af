/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph of each kind of host for Graphviz, from left to right: host, NUMA nodes, PCI tree, GPUs and NICs, NVLinks. Names of nodes are made here; texts of
 * others are quoted labels only.
 */
#include "show.h"

#include <string.h>

#include "path.h"
#include "show_parts.h"
#include "show_words.h"

/* Beyond these nobody sees anything in a drawing. */
enum { MOST_HOSTS = 16, MOST_FUNCTIONS = 2000, MOST_DIRECT = 600 };

static const char gpu_look[] = "fillcolor=\"#d8ead3\", color=\"#3b7d2b\"",
		  nic_look[] = "fillcolor=\"#d6e4f2\", color=\"#2f6299\"",
		  bad_look[] = "fillcolor=\"#f6d9d5\", color=\"#b3261e\"",
		  bridge_look[] = "fillcolor=\"#f2f2f2\", color=\"#777777\"",
		  switch_look[] = "fillcolor=\"#e5dcf0\", color=\"#6b4a94\"",
		  numa_look[] = "fillcolor=\"#fbefd3\", color=\"#9a7420\"";

struct drawing {
	const struct topo_host *host;
	size_t number;
	FILE *out;
	struct show_pci tree;
};

/* Inside quotes; in labels a backslash begins an escape of dot's, and & an entity. */
static void quote(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '&') {
			fputs("&amp;", out);
			continue;
		}
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void put_line(FILE *out, const char *text)
{
	if (!*text)
		return;
	fputs("\\n", out);
	quote(out, text);
}

/* The PCI link; whether it is less than it could be. */
static bool put_pcie(const struct topo_host *host, int pci, FILE *out)
{
	char text[SHOW_WORDS];

	if (pci == TOPO_UNKNOWN)
		return false;
	put_line(out, show_pcie(&host->pci[pci], text, sizeof text));
	return strstr(text, "could be") != NULL;
}

static void draw_gpu(const struct drawing *drawing, int g)
{
	const struct topo_host *host = drawing->host;
	const struct topo_gpu *gpu = &host->gpus[g];
	FILE *out = drawing->out;

	fprintf(out, "    h%zu_gpu%d [label=\"GPU%d", drawing->number, g, g);
	for (size_t i = 0; i < host->nranks; i++)
		if (host->ranks[i].gpu == g)
			fprintf(out, ", rank %d", host->ranks[i].rank);
	put_line(out, gpu->name);
	fprintf(out, "\", %s];\n", put_pcie(host, gpu->pci, out) ? bad_look : gpu_look);
}

static void draw_nic(const struct drawing *drawing, int n)
{
	const struct topo_nic *nic = &drawing->host->nics[n];
	FILE *out = drawing->out;
	char rate[32], text[SHOW_WORDS];

	path_rate_words(nic->rate, rate);
	snprintf(text, sizeof text, "%s%s%s%s", show_fabric(nic->fabric), nic->rate > 0 ? " " : "", nic->rate > 0 ? rate : "",
		 nic->state == TOPO_DOWN ? ", DOWN" : "");
	fprintf(out, "    h%zu_nic%d [label=\"NIC%d ", drawing->number, n, n);
	quote(out, nic->name);
	put_line(out, text + strspn(text, " "));
	const bool slow = put_pcie(drawing->host, nic->pci, out);

	fprintf(out, "\", %s];\n", slow || nic->state == TOPO_DOWN ? bad_look : nic_look);
}

static void draw_edge(const struct drawing *drawing, const char *parent, const char *kind, int i)
{
	fprintf(drawing->out, "    %s -- h%zu_%s%d;\n", parent, drawing->number, kind, i);
}

/* GPUs and NICs of a function, or of none and a NUMA node; how many. */
static int draw_devices(const struct drawing *drawing, int pci, int numa, const char *parent)
{
	const struct topo_host *host = drawing->host;
	int count = 0;

	for (size_t g = 0; g < host->ngpus; g++) {
		if (host->gpus[g].pci != pci || (pci == TOPO_UNKNOWN && show_numa(host, host->gpus[g].numa) != numa))
			continue;
		draw_gpu(drawing, (int)g);
		draw_edge(drawing, parent, "gpu", (int)g);
		count++;
	}
	for (size_t n = 0; n < host->nnics; n++) {
		if (host->nics[n].pci != pci || (pci == TOPO_UNKNOWN && show_numa(host, host->nics[n].numa) != numa))
			continue;
		draw_nic(drawing, (int)n);
		draw_edge(drawing, parent, "nic", (int)n);
		count++;
	}
	return count;
}

static void draw_function(const struct drawing *drawing, int i, const char *numa)
{
	static const char *const kinds[] = { "bridge", "GPU", "NIC", "NVSwitch" };
	const struct topo_pci *pci = &drawing->host->pci[i];
	FILE *out = drawing->out;
	char parent[48];

	if (pci->parent != TOPO_UNKNOWN)
		snprintf(parent, sizeof parent, "h%zu_pci%d", drawing->number, pci->parent);
	else
		snprintf(parent, sizeof parent, "%s", numa);
	/* NVSwitches are drawn where the links meet. */
	if (pci->kind == TOPO_NVSWITCH || draw_devices(drawing, i, 0, parent) > 0)
		return;
	fprintf(out, "    h%zu_pci%d [label=\"%s %s", drawing->number, i, kinds[pci->kind], pci->bus);
	const bool slow = put_pcie(drawing->host, i, out);

	fprintf(out, "%s\", %s];\n", pci->acs == TOPO_YES ? "\\nACS on" : "",
		slow || pci->acs == TOPO_YES ? bad_look : bridge_look);
	draw_edge(drawing, parent, "pci", i);
}

static bool leads_to_device(const struct drawing *drawing, int i)
{
	const struct topo_host *host = drawing->host;

	if (host->pci[i].kind != TOPO_BRIDGE)
		return host->pci[i].kind != TOPO_NVSWITCH;
	for (int k = drawing->tree.first[i]; k >= 0; k = drawing->tree.next[k])
		if (host->pci[k].kind != TOPO_NVSWITCH)
			return true;
	return false;
}

/* Parents come before their children, so the functions of a NUMA node need no walk: each finds the node of its root. */
static void draw_numa(const struct drawing *drawing, const struct topo_numa *numa)
{
	const struct topo_host *host = drawing->host;
	const int os = numa ? numa->os : TOPO_UNKNOWN;
	char name[48], text[64];

	/* Memory alone, as that of GPUs may be, is no place. */
	if ((!numa || !*numa->cpus) && !show_has_numa(host, &drawing->tree, os))
		return;
	snprintf(name, sizeof name, "h%zu_numa%d", drawing->number, os + 1);
	snprintf(text, sizeof text, numa ? "NUMA node %d" : "NUMA node unknown", os);
	fprintf(drawing->out, "  subgraph cluster_%s {\n    %s [label=\"%s", name, name, text);
	if (numa && numa->package != TOPO_UNKNOWN)
		fprintf(drawing->out, "\\nsocket %d", numa->package);
	if (numa && *numa->cpus) {
		snprintf(text, sizeof text, "threads %.40s%s", numa->cpus, strlen(numa->cpus) > 40 ? "..." : "");
		put_line(drawing->out, text);
	}
	fprintf(drawing->out, "\", %s];\n", numa_look);
	for (size_t i = 0; i < host->npci && i < MOST_FUNCTIONS; i++) {
		int root = (int)i;

		while (host->pci[root].parent != TOPO_UNKNOWN)
			root = host->pci[root].parent;
		if (show_numa(host, host->pci[root].numa) == os && leads_to_device(drawing, (int)i))
			draw_function(drawing, (int)i, name);
	}
	draw_devices(drawing, TOPO_UNKNOWN, os, name);
	fprintf(drawing->out, "  }\n  h%zu -- %s;\n", drawing->number, name);
}

/* Every pair has the same number of NVLinks, whatever is behind it: then one hub says more than a line for each pair. */
static bool all_pairs_alike(const struct topo_host *host, struct path *path)
{
	const int ngpus = (int)host->ngpus;

	if (ngpus < 2)
		return false;
	path_between(host, 0, 1, path);
	for (int a = 0; a < ngpus; a++) {
		for (int b = a + 1; b < ngpus; b++) {
			struct path other;

			path_between(host, a, b, &other);
			if (other.class != TOPO_NV || other.links != path->links || strcmp(other.words, path->words) != 0)
				return false;
		}
	}
	return true;
}

static size_t count_switches(const struct topo_host *host)
{
	size_t count = 0;

	for (size_t i = 0; i < host->npci; i++)
		count += host->pci[i].kind == TOPO_NVSWITCH;
	return count;
}

static bool has_switch_links(const struct topo_host *host)
{
	for (size_t i = 0; i < host->nnvlinks; i++)
		if (host->nvlinks[i].end == TOPO_END_SWITCH)
			return true;
	return false;
}

/* What all GPUs are joined by: "6 NVSwitches", "12 x NVLink3: 300 GB/s". */
static void draw_hub(const struct drawing *drawing, const char *words, const char *pairs)
{
	const size_t switches = count_switches(drawing->host);
	FILE *out = drawing->out;

	fprintf(out, "  h%zu_hub [shape=ellipse, label=\"", drawing->number);
	if (switches > 0)
		fprintf(out, "%zu NVSwitch%s", switches, switches == 1 ? "" : "es");
	else
		fputs(has_switch_links(drawing->host) ? "NVSwitches" : pairs, out);
	put_line(out, words);
	fprintf(out, "\", %s];\n", switch_look);
}

static void draw_hub_edge(const struct drawing *drawing, int gpu, const char *label)
{
	fprintf(drawing->out, "  h%zu_gpu%d -- h%zu_hub [color=\"#6b4a94\", penwidth=2", drawing->number, gpu, drawing->number);
	fprintf(drawing->out, *label ? ", label=\"%s\"];\n" : "];\n", label);
}

/* Links to switches by the hub, others directly; of two GPUs that each name the other, one line. */
static void draw_bundles(const struct drawing *drawing)
{
	const struct topo_host *host = drawing->host;
	char links[48];
	int direct = 0;

	if (has_switch_links(host))
		draw_hub(drawing, "", "");
	for (int gpu = 0; gpu < (int)host->ngpus; gpu++) {
		for (size_t i = 0; i < host->nnvlinks; i++) {
			struct show_bundle bundle;

			if (!show_bundle_at(host, gpu, i, &bundle))
				continue;
			show_nvlinks(bundle.count, bundle.version, links, sizeof links);
			if (bundle.end == TOPO_END_SWITCH)
				draw_hub_edge(drawing, gpu, links);
			else if (bundle.end == TOPO_END_GPU && gpu < bundle.peer && direct++ < MOST_DIRECT)
				fprintf(drawing->out,
					"  h%zu_gpu%d -- h%zu_gpu%d [color=\"#6b4a94\", penwidth=2, constraint=false, "
					"label=\"%s\"];\n",
					drawing->number, gpu, drawing->number, bundle.peer, links);
		}
	}
}

/* Without links of its own a host may still have pairs that its source calls NVLink. */
static void draw_given(const struct drawing *drawing)
{
	const struct topo_host *host = drawing->host;
	int drawn = 0;

	for (size_t i = 0; i < host->ngiven && drawn < MOST_DIRECT; i++) {
		const struct topo_given *given = &host->given[i];

		if (given->class != TOPO_NV || given->a >= given->b || given->b >= (int)host->ngpus)
			continue;
		drawn++;
		fprintf(drawing->out,
			"  h%zu_gpu%d -- h%zu_gpu%d [color=\"#6b4a94\", penwidth=2, constraint=false, label=\"NV%d\"];\n",
			drawing->number, given->a, drawing->number, given->b, given->links);
	}
}

static void draw_nvlinks(const struct drawing *drawing)
{
	const struct topo_host *host = drawing->host;
	struct path path;

	if (all_pairs_alike(host, &path) && (host->ngpus > 3 || has_switch_links(host))) {
		draw_hub(drawing, path.words, "every pair");
		for (int gpu = 0; gpu < (int)host->ngpus; gpu++)
			draw_hub_edge(drawing, gpu, "");
	} else if (host->nnvlinks > 0) {
		draw_bundles(drawing);
	} else {
		draw_given(drawing);
	}
}

static void draw_host(const struct topo *topo, size_t number, FILE *out)
{
	const struct topo_host *host = &topo->hosts[number];
	struct drawing drawing = { .host = host, .number = number, .out = out };
	size_t alike = 0;

	if (show_pci_open(host, &drawing.tree))
		return;
	for (size_t i = number + 1; i < topo->nhosts; i++)
		alike += topo->hosts[i].alike == (int)number;
	fprintf(out, "  h%zu [label=\"", number);
	quote(out, *host->name ? host->name : "host");
	if (alike > 0)
		fprintf(out, "\\nand %zu just like it", alike);
	put_line(out, host->cpu);
	fputs("\", fillcolor=\"#ffffff\", color=\"#333333\"];\n", out);
	for (size_t i = 0; i < host->nnuma; i++)
		draw_numa(&drawing, &host->numa[i]);
	draw_numa(&drawing, NULL);
	draw_nvlinks(&drawing);
	show_pci_close(&drawing.tree);
}

void show_dot(const struct topo *topo, FILE *out)
{
	size_t drawn = 0;

	fputs("graph topology {\n"
	      "  graph [rankdir=LR, nodesep=0.12, ranksep=0.6, fontname=\"Helvetica\", style=\"rounded,dashed\", "
	      "color=\"#bbbbbb\"];\n"
	      "  node [shape=box, style=\"filled,rounded\", fontname=\"Helvetica\", fontsize=11, height=0.3, "
	      "margin=\"0.12,0.05\"];\n"
	      "  edge [color=\"#777777\", fontname=\"Helvetica\", fontsize=10];\n",
	      out);
	for (size_t i = 0; i < topo->nhosts; i++) {
		if (topo->hosts[i].alike != TOPO_UNKNOWN || ++drawn > MOST_HOSTS)
			continue;
		draw_host(topo, i, out);
	}
	if (drawn > MOST_HOSTS)
		fprintf(out, "  more [shape=plaintext, style=\"\", label=\"%zu more kinds of hosts are not drawn\"];\n",
			drawn - MOST_HOSTS);
	fputs("}\n", out);
}
