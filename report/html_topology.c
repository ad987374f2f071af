/* SPDX-License-Identifier: Apache-2.0
 *
 * The section "Topology" of index.html: what the machines are, the classes of the paths in them, and the rates that follow.
 */
#include "page.h"

#include "../topo/peak.h"
#include "escape.h"
#include "human.h"
#include "wiring_words.h"

enum { MOST_LINES = 24, MOST_DEVICES = 64 };

static size_t count_ends(const struct topo_host *host)
{
	return host->ngpus + host->nnics;
}

static void matrix(FILE *out, const struct topo_host *host)
{
	size_t n = count_ends(host);
	char text[16];

	if (n < 2 || n > PAGE_MOST_DEVICES)
		return;
	fputs("<div class=\"box\"><table>\n<thead><tr><th class=\"l\">path</th>", out);
	for (size_t b = 0; b < n; b++) {
		wiring_end(host, b, text);
		escape_put(out, ESCAPE_HTML, "<th>%s</th>", text);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t a = 0; a < n; a++) {
		wiring_end(host, a, text);
		escape_put(out, ESCAPE_HTML, "<tr><td class=\"l\">%s</td>", text);
		for (size_t b = 0; b < n; b++) {
			struct path path;

			path_between(host, (int)a, (int)b, &path);
			path_class(&path, text);
			escape_put(out, ESCAPE_HTML, "<td>%s</td>", text);
		}
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n<p class=\"small soft\">NV#: # NVLinks (xGMI links of AMD); PIX: one PCIe bridge; PXB: "
	      "several; PHB: a host "
	      "bridge; NODE: within a NUMA node; SYS: across NUMA nodes; ?: unknown.</p>\n",
	      out);
}

static void put_slot(FILE *out, const struct topo_host *host, int pci)
{
	const struct topo_pci *one = pci >= 0 && (size_t)pci < host->npci ? &host->pci[pci] : NULL;

	escape_put(out, ESCAPE_HTML, "<td class=\"l\">%s</td><td class=\"l\">", one ? one->bus : "-");
	if (one && one->now.gts > 0 && one->now.width > 0) {
		escape_put(out, ESCAPE_HTML, "PCIe %s x%d", peak_pcie_generation(one->now.gts), one->now.width);
		if (one->most.gts > one->now.gts || one->most.width > one->now.width)
			escape_put(out, ESCAPE_HTML, " of %s x%d", peak_pcie_generation(one->most.gts), one->most.width);
	} else {
		fputs("-", out);
	}
	fputs("</td>", out);
}

static void put_numa(FILE *out, int numa)
{
	if (numa >= 0)
		fprintf(out, "<td>%d</td></tr>\n", numa);
	else
		fputs("<td>-</td></tr>\n", out);
}

static void put_gpu(FILE *out, const struct topo_host *host, const struct topo_gpu *gpu)
{
	escape_put(out, ESCAPE_HTML, "<td class=\"l\">%s</td>", gpu->name);
	put_slot(out, host, gpu->pci);
	put_numa(out, gpu->numa);
}

static void put_nic(FILE *out, const struct topo_host *host, const struct topo_nic *nic)
{
	escape_put(out, ESCAPE_HTML, "<td class=\"l\">%s", nic->name);
	if (nic->rate > 0)
		escape_put(out, ESCAPE_HTML, ", %s", human_rate(nic->rate).text);
	fputs(nic->state == TOPO_DOWN ? ", down</td>" : "</td>", out);
	put_slot(out, host, nic->pci);
	put_numa(out, nic->numa);
}

static void put_device(FILE *out, const struct topo_host *host, size_t end)
{
	char text[16];

	wiring_end(host, end, text);
	escape_put(out, ESCAPE_HTML, "<tr><td class=\"l\">%s</td>", text);
	if (end < host->ngpus)
		put_gpu(out, host, &host->gpus[end]);
	else
		put_nic(out, host, &host->nics[end - host->ngpus]);
}

static void devices(FILE *out, const struct topo_host *host)
{
	size_t n = count_ends(host);

	if (n == 0)
		return;
	fprintf(out,
		"<details><summary>%zu GPUs, %zu NICs</summary>\n<div class=\"box tall\"><table>\n<thead><tr><th class=\"l\">"
		"device</th><th class=\"l\">name</th><th class=\"l\">bus</th><th "
		"class=\"l\">slot</th><th>NUMA</th></tr></thead>\n"
		"<tbody>\n",
		host->ngpus, host->nnics);
	for (size_t end = 0; end < n && end < MOST_DEVICES; end++)
		put_device(out, host, end);
	fputs("</tbody></table></div>\n", out);
	if (n > MOST_DEVICES)
		fprintf(out, "<p class=\"small soft\">%zu more are in run.json.</p>\n", n - MOST_DEVICES);
	fputs("</details>\n", out);
}

static void paths(FILE *out, const struct topo_host *host)
{
	struct wiring_line lines[MOST_LINES];
	size_t n = wiring_lines(host, lines, MOST_LINES);

	if (n == 0)
		return;
	fputs("<ul class=\"small\">\n", out);
	for (size_t i = 0; i < n; i++) {
		char a[16], b[16];

		wiring_end(host, lines[i].a, a);
		wiring_end(host, lines[i].b, b);
		escape_put(out, ESCAPE_HTML, "<li>%s to %s", a, b);
		if (lines[i].pairs > 1)
			escape_put(out, ESCAPE_HTML, " and %zu more such pair%s", lines[i].pairs - 1,
				   lines[i].pairs == 2 ? "" : "s");
		escape_put(out, ESCAPE_HTML, ": %s, %s</li>\n", lines[i].class, lines[i].words);
	}
	fputs("</ul>\n", out);
}

static void ranks(FILE *out, const struct topo *topo, size_t first)
{
	size_t n = topo->hosts[first].nranks;

	if (n == 0)
		return;
	escape_put(
		out, ESCAPE_HTML,
		"<details><summary>ranks on %s</summary>\n<div class=\"box tall\"><table>\n<thead><tr><th>rank</th><th>GPU</th>"
		"<th class=\"l\">hardware threads</th></tr></thead>\n<tbody>\n",
		topo->hosts[first].name);
	for (size_t i = 0; i < n && i < PAGE_MOST_BOUND; i++) {
		const struct topo_rank *rank = &topo->hosts[first].ranks[i];

		escape_put(out, ESCAPE_HTML, "<tr><td>%d</td><td>%s</td><td class=\"wide\">%s</td></tr>\n", rank->rank,
			   rank->gpu >= 0 ? human_integer(rank->gpu).text : "-", *rank->cpus ? rank->cpus : "-");
	}
	fputs("</tbody></table></div>\n", out);
	if (n > PAGE_MOST_BOUND)
		fprintf(out, "<p class=\"small soft\">%zu more are in run.json.</p>\n", n - PAGE_MOST_BOUND);
	fputs("</details>\n", out);
}

static void host(FILE *out, const struct topo *topo, size_t first)
{
	const struct topo_host *host = &topo->hosts[first];

	fputs("<h3>", out);
	wiring_names(out, ESCAPE_HTML, topo, first);
	fputs("</h3>\n<p>", out);
	wiring_host(out, ESCAPE_HTML, host);
	escape_put(out, ESCAPE_HTML, ".%s%s%s</p>\n", *host->from ? " From " : "", host->from, *host->from ? "." : "");
	for (size_t i = 0; i < host->nnotes; i++)
		escape_put(out, ESCAPE_HTML, "<p class=\"small soft\">%s</p>\n", host->notes[i]);
	matrix(out, host);
	paths(out, host);
	devices(out, host);
	ranks(out, topo, first);
}

static void run(FILE *out, const struct facts *facts, bool named)
{
	const struct topo *topo = &facts->wiring.topo;
	size_t kinds = 0;

	if (named)
		escape_put(out, ESCAPE_HTML, "<p class=\"soft\">%s</p>\n", facts->file);
	fputs("<p>", out);
	wiring_peaks(out, ESCAPE_HTML, &facts->wiring);
	fputs("</p>\n", out);
	for (size_t h = 0; h < topo->nhosts; h++) {
		if (topo->hosts[h].alike == TOPO_UNKNOWN && kinds++ < PAGE_MOST_HOSTS)
			host(out, topo, h);
	}
	if (kinds > PAGE_MOST_HOSTS)
		fprintf(out, "<p class=\"small soft\">%zu more hosts that differ are in run.json.</p>\n",
			kinds - PAGE_MOST_HOSTS);
	if (facts->wiring.others > 0)
		fprintf(out,
			"<p class=\"small soft\">%zu more topologies are in this run.json: its launches did not find the "
			"same.</p>\n",
			facts->wiring.others);
}

void html_topology(FILE *out, const struct page *page)
{
	size_t told = 0;

	for (size_t f = 0; f < page->nfacts; f++) {
		if (page->facts[f].wiring.topo.nhosts == 0 || told++ >= PAGE_MOST_RUNS)
			continue;
		if (told == 1)
			fputs("<h2 id=\"topology\">Topology</h2>\n", out);
		run(out, &page->facts[f], page->study->runs.count > 1);
	}
	if (told > PAGE_MOST_RUNS)
		fprintf(out, "<p class=\"small soft\">The topologies of %zu more runs are not shown.</p>\n",
			told - PAGE_MOST_RUNS);
}
