/* SPDX-License-Identifier: Apache-2.0
 *
 * Short texts for people: sizes, links, names, lists.
 */
#include "show_words.h"

#include <stdlib.h>
#include <string.h>

#include "peak.h"

const char *show_bytes(uint64_t bytes, char *text, size_t size)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double value = (double)bytes;
	size_t unit = 0;

	for (; value >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
		value /= 1024;
	snprintf(text, size, value >= 100 || value - (double)(int)value < 0.05 ? "%.0f %s" : "%.1f %s", value, units[unit]);
	return text;
}

/* "4.0 x16", "x16", "4.0"; "". */
static void link_words(const struct topo_pcie *link, char *text, size_t size)
{
	const char *generation = peak_pcie_generation(link->gts);
	char width[16] = "";

	if (link->width > 0)
		snprintf(width, sizeof width, "x%d", link->width);
	snprintf(text, size, "%s%s%s", generation, *generation && *width ? " " : "", width);
}

const char *show_pcie(const struct topo_pci *pci, char *text, size_t size)
{
	char now[40], most[40];

	link_words(&pci->now, now, sizeof now);
	link_words(&pci->most, most, sizeof most);
	const bool less = (pci->most.gts > 0 && pci->now.gts > 0 && pci->now.gts < pci->most.gts) ||
			  (pci->most.width > 0 && pci->now.width > 0 && pci->now.width < pci->most.width);

	if (*now)
		snprintf(text, size, less ? "PCIe %s (could be %s)" : "PCIe %s", now, most);
	else
		snprintf(text, size, *most ? "PCIe, could be %s" : "", most);
	return text;
}

const char *show_fabric(enum topo_fabric fabric)
{
	static const char *const names[] = { "", "InfiniBand", "RoCE", "Ethernet", "EFA" };

	return names[fabric];
}

const char *show_host(const struct topo *topo, size_t i, char *text, size_t size)
{
	if (*topo->hosts[i].name)
		snprintf(text, size, "%s", topo->hosts[i].name);
	else
		snprintf(text, size, "%zu", i);
	return text;
}

const char *show_end(const struct topo_host *host, int end, char *text, size_t size)
{
	const int ngpus = (int)host->ngpus;

	snprintf(text, size, "%s%d", end < ngpus ? "GPU" : "NIC", end < ngpus ? end : end - ngpus);
	return text;
}

const char *show_nvlinks(const char *kind, int count, int version, char *text, size_t size)
{
	char number[24] = "", generation[16] = "";

	if (count > 0)
		snprintf(number, sizeof number, "%d x ", count);
	if (version > 0)
		snprintf(generation, sizeof generation, "%d", version);
	snprintf(text, size, "%s%s%s", number, kind, generation);
	return text;
}

const char *show_visible(const char *text, char *buffer, size_t size)
{
	char *copy = NULL;

	snprintf(buffer, size, "%s", topo_set(&copy, text) == 0 ? copy : "?");
	free(copy);
	return buffer;
}

void show_list_begin(struct show_list *list, FILE *out, int indent, const char *between)
{
	*list = (struct show_list){ .out = out, .indent = indent, .column = indent, .between = between };
}

void show_list_add(struct show_list *list, const char *word)
{
	const int length = (int)strlen(word), between = list->any ? (int)strlen(list->between) : 0;

	if (list->any && list->column + between + length > SHOW_COLUMNS) {
		const int end = between > 0 && list->between[between - 1] == ' ' ? between - 1 : between;

		fprintf(list->out, "%.*s\n%*s", end, list->between, list->indent, "");
		list->column = list->indent;
	} else if (list->any) {
		fputs(list->between, list->out);
		list->column += between;
	}
	fputs(word, list->out);
	list->column += length;
	list->any = true;
}

void show_list_end(struct show_list *list)
{
	fputc('\n', list->out);
}

static void run_flush(struct show_run *run)
{
	char words[40];

	if (run->first < 0)
		return;
	snprintf(words, sizeof words, run->first == run->last ? "%s%d" : "%s%d-%d", run->any ? "," : "", run->first, run->last);
	run->any = true;
	if (run->used + strlen(words) + sizeof ",..." > run->size) {
		if (run->used + sizeof ",..." <= run->size)
			run->used += (size_t)snprintf(run->text + run->used, run->size - run->used, ",...");
		run->size = run->used;
		return;
	}
	run->used += (size_t)snprintf(run->text + run->used, run->size - run->used, "%s", words);
}

void show_run_add(struct show_run *run, int number)
{
	if (number >= 0 && run->first >= 0 && number == run->last + 1) {
		run->last = number;
		return;
	}
	run_flush(run);
	run->first = run->last = number;
}
