/* SPDX-License-Identifier: Apache-2.0
 *
 * The matrix of path classes. Its layout is that of nvidia-smi, with tabs, so that whoever reads that one can read this one, programs included.
 */
#include "show.h"

#include <string.h>

#include "path_parts.h"
#include "show_words.h"

/* Nobody reads a wider one. */
enum { MOST_ENDS = 256 };

static const struct {
	const char *name, *meaning;
} legend[] = {
	{ "X", "the device itself" },
	{ "NV#", "# NVLinks together" },
	{ "PIX", "no more than one PCIe bridge" },
	{ "PXB", "several PCIe bridges, but no host bridge" },
	{ "PHB", "a PCIe host bridge" },
	{ "NODE", "the connection between host bridges of one NUMA node" },
	{ "SYS", "the connection between NUMA nodes or sockets" },
};

static void print_head(const struct topo_host *host, FILE *out)
{
	const int ends = (int)(host->ngpus + host->nnics);
	char name[24];

	for (int i = 0; i < ends; i++)
		fprintf(out, "\t%s", show_end(host, i, name, sizeof name));
	if (host->ngpus > 0)
		fputs("\tCPU Affinity\tNUMA Affinity", out);
	fputc('\n', out);
}

/* Whether a class was unknown. */
static bool print_row(const struct topo_host *host, int row, FILE *out)
{
	const int ends = (int)(host->ngpus + host->nnics);
	char text[24];
	bool unknown = false;

	fputs(show_end(host, row, text, sizeof text), out);
	for (int i = 0; i < ends; i++) {
		struct path path;

		path_between(host, row, i, &path);
		path_class(&path, text);
		fprintf(out, path.class == TOPO_X ? "\t %s " : "\t%s", text);
		unknown = unknown || path.class == TOPO_CLASS_UNKNOWN;
	}
	if (row < (int)host->ngpus) {
		const struct topo_gpu *gpu = &host->gpus[row];

		fprintf(out, "\t%s", *gpu->cpus ? gpu->cpus : "N/A");
		if (gpu->numa == TOPO_UNKNOWN)
			fputs("\tN/A", out);
		else
			fprintf(out, "\t%d", gpu->numa);
	}
	fputc('\n', out);
	return unknown;
}

/* Files that name no interfaces still have their bus ids. */
static const char *nic_name(const struct topo_host *host, size_t i)
{
	const struct topo_nic *nic = &host->nics[i];

	return *nic->name ? nic->name : nic->pci != TOPO_UNKNOWN ? host->pci[nic->pci].bus : "?";
}

static void print_matrix(const struct topo_host *host, FILE *out)
{
	const int ends = (int)(host->ngpus + host->nnics);
	bool unknown = false;

	print_head(host, out);
	for (int i = 0; i < ends; i++)
		unknown = print_row(host, i, out) || unknown;
	fputs("\nLegend:\n\n", out);
	for (size_t i = 0; i < sizeof legend / sizeof *legend; i++)
		fprintf(out, "  %-4s = %s\n", legend[i].name,
			i == 1 && path_is_amd(host, 0) ? "# xGMI links together" : legend[i].meaning);
	if (unknown)
		fputs("  ?    = the source does not say\n", out);
	if (host->nnics > 0)
		fputs("\nNIC Legend:\n\n", out);
	for (size_t i = 0; i < host->nnics; i++)
		fprintf(out, "  NIC%zu: %s\n", i, nic_name(host, i));
}

void show_matrix(const struct topo *topo, FILE *out)
{
	bool first = true;
	char name[SHOW_WORDS];

	for (size_t i = 0; i < topo->nhosts; i++) {
		const struct topo_host *host = &topo->hosts[i];

		if (host->alike != TOPO_UNKNOWN)
			continue;
		if (!first)
			fputc('\n', out);
		first = false;
		if (topo->nhosts > 1)
			fprintf(out, "host %s\n", show_host(topo, i, name, sizeof name));
		if (host->ngpus + host->nnics > MOST_ENDS)
			fprintf(out, "%zu GPUs and NICs: no matrix of more than %d\n", host->ngpus + host->nnics, MOST_ENDS);
		else if (host->ngpus + host->nnics > 0)
			print_matrix(host, out);
		else
			fputs("no GPU and no NIC: no paths\n", out);
	}
}
