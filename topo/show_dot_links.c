/* SPDX-License-Identifier: Apache-2.0
 *
 * Links between GPUs in the graph. Where all pairs are alike one node in the middle says more than a line for each; where many differ, lines would be a
 * tangle, and each GPU says its own.
 */
#include "show_dot.h"

#include <string.h>

#include "path_parts.h"
#include "show_words.h"

/* Of more GPUs nobody sees pairs in a drawing. */
enum { MOST_GPUS = 64 };

static const char link_look[] = "color=\"#6b4a94\", penwidth=2";

static bool is_nvlink(const struct topo_host *host, int a, int b, struct path *path)
{
	path_between(host, a, b, path);
	return path->class == TOPO_NV;
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

/* Lines from GPU to GPU are seen only where each has one. */
enum show_dot_links show_dot_choose(const struct topo_host *host)
{
	const int ngpus = (int)host->ngpus;
	struct path first = { 0 }, path;
	int most = 0;
	bool alike = true;

	if (ngpus > MOST_GPUS)
		return has_switch_links(host) ? SHOW_DOT_HUB : SHOW_DOT_NONE;
	for (int a = 0; a < ngpus; a++) {
		int partners = 0;

		for (int b = 0; b < ngpus; b++) {
			const bool linked = is_nvlink(host, a, b, &path);

			if (a == 0 && b == 1)
				first = path;
			partners += linked;
			alike = alike && (a >= b || (linked && strcmp(path.words, first.words) == 0));
		}
		most = partners > most ? partners : most;
	}
	if (has_switch_links(host) || (alike && ngpus > 3))
		return SHOW_DOT_HUB;
	return most == 0 ? SHOW_DOT_NONE : most == 1 ? SHOW_DOT_LINES : SHOW_DOT_LABELS;
}

/* Pairs with the same number of links are one line. */
void show_dot_label(const struct show_dot *dot, int gpu)
{
	const int ngpus = dot->links == SHOW_DOT_LABELS ? (int)dot->host->ngpus : 0;
	char classes[MOST_GPUS][24];
	struct path path;

	for (int b = 0; b < ngpus; b++) {
		classes[b][0] = '\0';
		if (is_nvlink(dot->host, gpu, b, &path))
			path_class(&path, classes[b]);
	}
	for (int b = 0; b < ngpus; b++) {
		char numbers[100] = "";
		struct show_run run = { .text = numbers, .size = sizeof numbers, .first = -1, .last = -1 };
		int first = 0;

		while (strcmp(classes[first], classes[b]) != 0)
			first++;
		if (!*classes[b] || first < b)
			continue;
		for (int c = b; c < ngpus; c++)
			if (strcmp(classes[c], classes[b]) == 0)
				show_run_add(&run, c);
		show_run_add(&run, -1);
		fprintf(dot->out, "\\n%s to GPU%s", classes[b], numbers);
	}
}

/* "6 NVSwitches", "12 x NVLink3: 300 GB/s" */
static void draw_hub(const struct show_dot *dot)
{
	const size_t switches = count_switches(dot->host);
	struct path path = { 0 };
	FILE *out = dot->out;

	fprintf(out, "  h%zu_hub [shape=ellipse, fillcolor=\"#e5dcf0\", color=\"#6b4a94\", label=\"", dot->number);
	if (switches > 0)
		fprintf(out, "%zu NVSwitch%s", switches, switches == 1 ? "" : "es");
	else
		fputs(has_switch_links(dot->host) ? "NVSwitches" : "every pair of GPUs", out);
	if (dot->host->ngpus > 1 && is_nvlink(dot->host, 0, 1, &path)) {
		fputs("\\n", out);
		show_dot_quote(out, path.words);
	}
	fputs("\"];\n", out);
}

/* "12 x NVLink3" of what this GPU has into switches; whether it has any. */
static bool switch_links(const struct topo_host *host, int gpu, char *text, size_t size)
{
	struct show_bundle bundle;

	for (size_t i = 0; i < host->nnvlinks; i++) {
		if (!show_bundle_at(host, gpu, i, &bundle) || bundle.end != TOPO_END_SWITCH)
			continue;
		show_nvlinks(path_link_kind(host, gpu), bundle.count, bundle.version, text, size);
		return true;
	}
	return false;
}

/* Lines need words only where they differ. */
static void draw_spokes(const struct show_dot *dot)
{
	const struct topo_host *host = dot->host;
	const bool switches = has_switch_links(host);
	char first[48] = "", links[48] = "";
	bool differ = false;

	for (int gpu = 0; gpu < (int)host->ngpus; gpu++) {
		const bool joined = switch_links(host, gpu, links, sizeof links);

		if (gpu == 0)
			snprintf(first, sizeof first, "%s", links);
		differ = differ || (switches && !joined) || strcmp(first, links) != 0;
	}
	for (int gpu = 0; gpu < (int)host->ngpus; gpu++)
		if (switch_links(host, gpu, links, sizeof links) || !switches)
			fprintf(dot->out, "  h%zu_gpu%d -- h%zu_hub [%s, label=\"%s\"];\n", dot->number, gpu, dot->number,
				link_look, differ ? links : "");
}

static void draw_lines(const struct show_dot *dot)
{
	const int ngpus = (int)dot->host->ngpus;
	struct path path;
	char class[24];

	for (int a = 0; a < ngpus; a++) {
		for (int b = a + 1; b < ngpus; b++) {
			if (!is_nvlink(dot->host, a, b, &path))
				continue;
			path_class(&path, class);
			fprintf(dot->out, "  h%zu_gpu%d -- h%zu_gpu%d [%s, headport=e, constraint=false, label=\"%s\"];\n",
				dot->number, a, dot->number, b, link_look, class);
		}
	}
}

void show_dot_nvlinks(const struct show_dot *dot)
{
	if (dot->links == SHOW_DOT_HUB) {
		draw_hub(dot);
		draw_spokes(dot);
	} else if (dot->links == SHOW_DOT_LINES) {
		draw_lines(dot);
	}
}

/* Of classes nearer than a host bridge; TOPO_CLASS_UNKNOWN: none. */
static enum topo_class nearest_class(const struct topo_host *host, int nic)
{
	enum topo_class nearest = TOPO_CLASS_UNKNOWN;

	for (int gpu = 0; gpu < (int)host->ngpus; gpu++) {
		struct path path;

		path_between(host, gpu, (int)host->ngpus + nic, &path);
		if ((path.class == TOPO_PIX || path.class == TOPO_PXB) && (nearest == TOPO_CLASS_UNKNOWN || path.class < nearest))
			nearest = path.class;
	}
	return nearest;
}

int show_dot_near(const struct topo_host *host, int nic)
{
	const bool by_path = host->nics[nic].pci == TOPO_UNKNOWN && host->ngpus <= MOST_GPUS;
	const enum topo_class nearest = by_path ? nearest_class(host, nic) : TOPO_CLASS_UNKNOWN;

	for (int gpu = 0; gpu < (int)host->ngpus && nearest != TOPO_CLASS_UNKNOWN; gpu++) {
		struct path path;

		path_between(host, gpu, (int)host->ngpus + nic, &path);
		if (path.class == nearest)
			return gpu;
	}
	return TOPO_UNKNOWN;
}

void show_dot_near_lines(const struct show_dot *dot, int nic)
{
	const struct topo_host *host = dot->host;
	const enum topo_class nearest = nearest_class(host, nic);

	for (int gpu = 0; gpu < (int)host->ngpus; gpu++) {
		struct path path;

		path_between(host, gpu, (int)host->ngpus + nic, &path);
		if (path.class == nearest)
			fprintf(dot->out, "    h%zu_gpu%d -- h%zu_nic%d [label=\"%s\"];\n", dot->number, gpu, dot->number, nic,
				topo_class_names[nearest]);
	}
}
