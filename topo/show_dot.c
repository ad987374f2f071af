/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph of each kind of host for Graphviz, from left to right: host, NUMA nodes, PCI tree, GPUs and NICs, NVLinks. Names of nodes are made here; texts of
 * others are quoted labels only.
 */
#include "show.h"

#include <string.h>

#include "path.h"
#include "show_dot.h"
#include "show_words.h"

/* Beyond these nobody sees anything in a dot. */
enum { MOST_HOSTS = 16, MOST_FUNCTIONS = 2000 };

static const char gpu_look[] = "fillcolor=\"#d8ead3\", color=\"#3b7d2b\"",
		  nic_look[] = "fillcolor=\"#d6e4f2\", color=\"#2f6299\"",
		  bad_look[] = "fillcolor=\"#f6d9d5\", color=\"#b3261e\"",
		  bridge_look[] = "fillcolor=\"#f2f2f2\", color=\"#777777\"",
		  numa_look[] = "fillcolor=\"#fbefd3\", color=\"#9a7420\"";

/* Inside quotes; in labels a backslash begins an escape of dot's, and & an entity. */
void show_dot_quote(FILE *out, const char *text)
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
	show_dot_quote(out, text);
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

static void draw_gpu(const struct show_dot *dot, int g)
{
	const struct topo_host *host = dot->host;
	const struct topo_gpu *gpu = &host->gpus[g];
	FILE *out = dot->out;

	fprintf(out, "    h%zu_gpu%d [label=\"GPU%d", dot->number, g, g);
	for (size_t i = 0; i < host->nranks; i++)
		if (host->ranks[i].gpu == g)
			fprintf(out, ", rank %d", host->ranks[i].rank);
	put_line(out, gpu->name);
	show_dot_label(dot, g);
	fprintf(out, "\", %s];\n", put_pcie(host, gpu->pci, out) ? bad_look : gpu_look);
}

static void draw_nic(const struct show_dot *dot, int n)
{
	const struct topo_nic *nic = &dot->host->nics[n];
	FILE *out = dot->out;
	char rate[32], text[SHOW_WORDS];

	path_rate_words(nic->rate, rate);
	snprintf(text, sizeof text, "%s%s%s%s", show_fabric(nic->fabric), nic->rate > 0 ? " " : "", nic->rate > 0 ? rate : "",
		 nic->state == TOPO_DOWN ? ", DOWN" : "");
	fprintf(out, "    h%zu_nic%d [label=\"NIC%d ", dot->number, n, n);
	show_dot_quote(out, nic->name);
	put_line(out, text + strspn(text, " "));
	const bool slow = put_pcie(dot->host, nic->pci, out);

	fprintf(out, "\", %s];\n", slow || nic->state == TOPO_DOWN ? bad_look : nic_look);
}

static void draw_edge(const struct show_dot *dot, const char *parent, const char *kind, int i)
{
	fprintf(dot->out, "    %s -- h%zu_%s%d;\n", parent, dot->number, kind, i);
}

/* Where a device without a function is shown. */
static int numa_of_nic(const struct topo_host *host, int n)
{
	const int gpu = show_dot_near(host, n);

	return show_numa(host, gpu == TOPO_UNKNOWN ? host->nics[n].numa : host->gpus[gpu].numa);
}

/* GPUs and NICs of a function, or of none and a NUMA node; how many. Graphviz draws upwards, so the last comes first. */
static int draw_devices(const struct show_dot *dot, int pci, int numa, const char *parent)
{
	const struct topo_host *host = dot->host;
	int count = 0;

	for (int n = (int)host->nnics - 1; n >= 0; n--) {
		if (host->nics[n].pci != pci || (pci == TOPO_UNKNOWN && numa_of_nic(host, n) != numa))
			continue;
		draw_nic(dot, n);
		if (show_dot_near(host, n) == TOPO_UNKNOWN)
			draw_edge(dot, parent, "nic", n);
		else
			show_dot_near_lines(dot, n);
		count++;
	}
	for (int g = (int)host->ngpus - 1; g >= 0; g--) {
		if (host->gpus[g].pci != pci || (pci == TOPO_UNKNOWN && show_numa(host, host->gpus[g].numa) != numa))
			continue;
		draw_gpu(dot, g);
		draw_edge(dot, parent, "gpu", g);
		count++;
	}
	return count;
}

static bool leads_to_device(const struct show_dot *dot, int i)
{
	const struct topo_host *host = dot->host;

	if (host->pci[i].kind != TOPO_BRIDGE)
		return host->pci[i].kind != TOPO_NVSWITCH;
	for (int k = dot->tree.first[i]; k >= 0; k = dot->tree.next[k])
		if (host->pci[k].kind != TOPO_NVSWITCH)
			return true;
	return false;
}

/* Whether anything is drawn in the box of what has no NUMA node. */
static bool has_stray(const struct show_dot *dot)
{
	const struct topo_host *host = dot->host;

	for (int i = dot->tree.first[host->npci]; i >= 0; i = dot->tree.next[i])
		if (show_numa(host, host->pci[i].numa) == TOPO_UNKNOWN && leads_to_device(dot, i))
			return true;
	for (size_t i = 0; i < host->ngpus; i++)
		if (host->gpus[i].pci == TOPO_UNKNOWN && show_numa(host, host->gpus[i].numa) == TOPO_UNKNOWN)
			return true;
	for (size_t i = 0; i < host->nnics; i++)
		if (host->nics[i].pci == TOPO_UNKNOWN && numa_of_nic(host, (int)i) == TOPO_UNKNOWN)
			return true;
	return false;
}

static void draw_function(const struct show_dot *dot, int i, const char *numa)
{
	static const char *const kinds[] = { "bridge", "GPU", "NIC", "NVSwitch" };
	const struct topo_pci *pci = &dot->host->pci[i];
	FILE *out = dot->out;
	char parent[48];

	if (pci->parent != TOPO_UNKNOWN)
		snprintf(parent, sizeof parent, "h%zu_pci%d", dot->number, pci->parent);
	else
		snprintf(parent, sizeof parent, "%s", numa);
	/* NVSwitches are drawn where the links meet. */
	if (pci->kind == TOPO_NVSWITCH || draw_devices(dot, i, 0, parent) > 0)
		return;
	fprintf(out, "    h%zu_pci%d [label=\"%s %s", dot->number, i, kinds[pci->kind], pci->bus);
	const bool slow = put_pcie(dot->host, i, out);

	fprintf(out, "%s\", %s];\n", pci->acs == TOPO_YES ? "\\nACS on" : "",
		slow || pci->acs == TOPO_YES ? bad_look : bridge_look);
	draw_edge(dot, parent, "pci", i);
}

/* Parents come before their children, so the functions of a NUMA node need no walk: each finds the node of its root. */
static void draw_numa(const struct show_dot *dot, const struct topo_numa *numa)
{
	const struct topo_host *host = dot->host;
	const int os = numa ? numa->os : TOPO_UNKNOWN;
	char name[48], text[64];

	/* Memory alone, as that of GPUs may be, is no place. */
	if (numa ? !*numa->cpus && !show_has_numa(host, &dot->tree, os) : !has_stray(dot))
		return;
	snprintf(name, sizeof name, "h%zu_numa%d", dot->number, os + 1);
	snprintf(text, sizeof text, numa ? "NUMA node %d" : "NUMA node unknown", os);
	fprintf(dot->out, "  subgraph cluster_%s {\n    %s [label=\"%s", name, name, text);
	if (numa && numa->package != TOPO_UNKNOWN)
		fprintf(dot->out, "\\nsocket %d", numa->package);
	if (numa && *numa->cpus) {
		snprintf(text, sizeof text, "threads %.40s%s", numa->cpus, strlen(numa->cpus) > 40 ? "..." : "");
		put_line(dot->out, text);
	}
	fprintf(dot->out, "\", %s];\n", numa_look);
	for (int i = (int)(host->npci < MOST_FUNCTIONS ? host->npci : MOST_FUNCTIONS) - 1; i >= 0; i--) {
		int root = i;

		while (host->pci[root].parent != TOPO_UNKNOWN)
			root = host->pci[root].parent;
		if (show_numa(host, host->pci[root].numa) == os && leads_to_device(dot, i))
			draw_function(dot, i, name);
	}
	draw_devices(dot, TOPO_UNKNOWN, os, name);
	fprintf(dot->out, "  }\n  h%zu -- %s;\n", dot->number, name);
}

static void draw_host(const struct topo *topo, size_t number, FILE *out)
{
	const struct topo_host *host = &topo->hosts[number];
	struct show_dot dot = { .host = host, .number = number, .out = out, .links = show_dot_choose(host) };
	size_t alike = 0;

	if (show_pci_open(host, &dot.tree))
		return;
	for (size_t i = number + 1; i < topo->nhosts; i++)
		alike += topo->hosts[i].alike == (int)number;
	fprintf(out, "  h%zu [label=\"", number);
	show_dot_quote(out, *host->name ? host->name : "host");
	if (alike > 0)
		fprintf(out, "\\nand %zu just like it", alike);
	put_line(out, host->cpu);
	fputs("\", fillcolor=\"#ffffff\", color=\"#333333\"];\n", out);
	for (size_t i = 0; i < host->nnuma; i++)
		draw_numa(&dot, &host->numa[i]);
	draw_numa(&dot, NULL);
	show_dot_nvlinks(&dot);
	show_pci_close(&dot.tree);
}

void show_dot(const struct topo *topo, FILE *out)
{
	size_t drawn = 0;

	fputs("graph topology {\n"
	      "  graph [rankdir=LR, nodesep=0.12, ranksep=0.6, fontname=\"Helvetica\", style=\"rounded,dashed\", "
	      "color=\"#bbbbbb\"];\n"
	      "  node [shape=box, style=\"filled,rounded\", fontname=\"Helvetica\", fontsize=11, height=0.3, "
	      "margin=\"0.12,0.05\"];\n"
	      "  edge [color=\"#777777\", tailport=e, headport=w, fontname=\"Helvetica\", fontsize=10];\n",
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
