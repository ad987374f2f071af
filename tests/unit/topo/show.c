/* SPDX-License-Identifier: Apache-2.0
 *
 * What is shown of a topology: tree, matrix, rates, graph.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "topo/show.h"
#include "topo/show_words.h"
#include "topo/topo.h"

/* Of one kind of output; to be freed. */
static char *shown(const struct topo *topo, void (*show)(const struct topo *topo, FILE *out))
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	show(topo, out);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void expect_shown(const struct topo *topo, void (*show)(const struct topo *topo, FILE *out), const char *expected)
{
	char *text = shown(topo, show);

	assert_string_equal(text, expected);
	free(text);
}

static void expect_within(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

static int add_pci(struct topo_host *host, const char *bus, enum topo_kind kind, int parent, int numa, double gts, int width)
{
	struct topo_pci *pci = topo_add_pci(host);

	topo_set(&pci->bus, bus);
	pci->kind = kind;
	pci->parent = parent;
	pci->numa = numa;
	pci->now = pci->most = (struct topo_pcie){ .gts = gts, .width = width };
	return (int)host->npci - 1;
}

static struct topo_gpu *add_gpu(struct topo_host *host, const char *name, int pci, int numa)
{
	struct topo_gpu *gpu = topo_add_gpu(host);

	topo_set(&gpu->name, name);
	gpu->number = (int)host->ngpus - 1;
	gpu->pci = pci;
	gpu->numa = numa;
	return gpu;
}

static struct topo_nic *add_nic(struct topo_host *host, const char *name, int pci, double rate)
{
	struct topo_nic *nic = topo_add_nic(host);

	topo_set(&nic->name, name);
	nic->pci = pci;
	nic->rate = rate;
	return nic;
}

static void add_numa(struct topo_host *host, int os, const char *cpus)
{
	struct topo_numa *numa = topo_add_numa(host);

	numa->os = os;
	topo_set(&numa->cpus, cpus);
}

static void add_rank(struct topo_host *host, int number, const char *cpus, int gpu)
{
	struct topo_rank *rank = topo_add_rank(host);

	rank->rank = number;
	rank->gpu = gpu;
	topo_set(&rank->cpus, cpus);
}

static void add_given(struct topo_host *host, int a, int b, enum topo_class class, int links)
{
	struct topo_given *given = topo_add_given(host);

	given->a = a;
	given->b = b;
	given->class = class;
	given->links = links;
}

/* Two NUMA nodes, two GPUs, a NIC that is down beside the first, and a bridge that leads nowhere. */
static struct topo small(void)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);
	struct topo_cache *cache;
	struct topo_nic *nic;
	int bridge;

	topo_set(&host->name, "n1");
	topo_set(&host->from, "a test");
	topo_set(&host->cpu, "Some CPU");
	host->packages = 2;
	host->cores = 8;
	host->memory = 64ULL << 30;
	cache = topo_add_cache(host);
	cache->level = 3;
	cache->count = 2;
	cache->bytes = 16 << 20;
	add_numa(host, 0, "0-3");
	add_numa(host, 1, "4-7");
	host->numa[0].package = 0;
	host->numa[0].memory = 32ULL << 30;
	add_pci(host, "0000:01:00.0", TOPO_BRIDGE, TOPO_UNKNOWN, 0, 16, 16);
	bridge = add_pci(host, "0000:10:00.0", TOPO_BRIDGE, TOPO_UNKNOWN, 0, 16, 16);
	host->pci[bridge].root = 7;
	host->pci[bridge].acs = TOPO_YES;
	add_gpu(host, "A100", add_pci(host, "0000:11:00.0", TOPO_GPU, bridge, 0, 16, 16), 0);
	topo_set(&host->gpus[0].cpus, "0-3");
	host->pci[2].now = (struct topo_pcie){ .gts = 2.5, .width = 8 };
	nic = add_nic(host, "mlx5_0", add_pci(host, "0000:12:00.0", TOPO_NIC, bridge, 0, 8, 0), 25e9);
	nic->fabric = TOPO_INFINIBAND;
	nic->state = TOPO_DOWN;
	nic->port = 2;
	topo_set(&nic->netdev, "ib0");
	add_gpu(host, "", add_pci(host, "0000:81:00.0", TOPO_GPU, TOPO_UNKNOWN, 1, 0, 0), 1)->memory = 40ULL << 30;
	topo_note(host, "a note");
	add_rank(host, 0, "0-3", 0);
	add_rank(host, 1, "4-7", TOPO_UNKNOWN);
	add_rank(host, 2, "4-7", TOPO_UNKNOWN);
	return topo;
}

static void tree_of_a_host(void **state)
{
	struct topo topo = small();

	(void)state;
	expect_shown(&topo, show_tree,
		     "host n1 (from a test)\n"
		     "  Some CPU, 2 sockets, 8 cores, 64 GiB memory\n"
		     "  caches: 2 x L3 of 16 MiB\n"
		     "  NUMA node 0, socket 0, hardware threads 0-3, 32 GiB\n"
		     "    host bridge 7\n"
		     "      bridge 0000:10:00.0, PCIe 4.0 x16, ACS on\n"
		     "        GPU0 0000:11:00.0 A100, PCIe 1.0 x8 (could be 4.0 x16), rank 0\n"
		     "        NIC0 0000:12:00.0 mlx5_0 (ib0) port 2, InfiniBand, 25 GB/s, DOWN, PCIe 3.0\n"
		     "  NUMA node 1, hardware threads 4-7\n"
		     "    GPU1 0000:81:00.0, 40 GiB\n"
		     "  rank 0: GPU0, hardware threads 0-3\n"
		     "  ranks 1-2: hardware threads 4-7\n"
		     "  note: a note\n");
	topo_clear(&topo);
}

static void hosts_alike_are_told_once(void **state)
{
	struct topo topo = small();
	char *text;

	(void)state;
	for (int i = 0; i < 20; i++) {
		struct topo_host *host = topo_add_host(&topo);
		char name[8];

		snprintf(name, sizeof name, "m%d", i);
		topo_set(&host->name, name);
		host->alike = 0;
		add_rank(host, 3 + 2 * i, "0", TOPO_UNKNOWN);
		add_rank(host, 4 + 2 * i, "0", TOPO_UNKNOWN);
	}
	text = shown(&topo, show_tree);
	expect_within(text, "\n  just like:  m0 (ranks 3-4), m1 (ranks 5-6), ");
	expect_within(text, "m15 (ranks 33-34), and 4 more\n");
	assert_null(strstr(text, "m16"));
	assert_null(strstr(strstr(text, "host n1") + 1, "host m"));
	free(text);
	text = shown(&topo, show_matrix);
	assert_null(strstr(strstr(text, "Legend") + 1, "\nLegend"));
	free(text);
	topo_clear(&topo);
}

/* Bridges below bridges without an end are neither a recursion nor a line of ten thousand blanks. */
static void deep_trees(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);
	int parent = TOPO_UNKNOWN;
	size_t lines = 0;
	char *text;

	(void)state;
	for (int i = 0; i < 10000; i++)
		parent = add_pci(host, "0000:01:00.0", TOPO_BRIDGE, parent, TOPO_UNKNOWN, 8, 8);
	add_gpu(host, "end", add_pci(host, "0000:02:00.0", TOPO_GPU, parent, TOPO_UNKNOWN, 8, 8), TOPO_UNKNOWN);
	text = shown(&topo, show_tree);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++)
		assert_true(strlen(line) < 130);
	assert_int_equal(lines, 10003);
	free(text);
	free(shown(&topo, show_dot));
	topo_clear(&topo);
}

static void siblings_after_children(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);
	int first, second, inner;

	(void)state;
	first = add_pci(host, "0000:01:00.0", TOPO_BRIDGE, TOPO_UNKNOWN, TOPO_UNKNOWN, 0, 0);
	second = add_pci(host, "0000:02:00.0", TOPO_BRIDGE, TOPO_UNKNOWN, TOPO_UNKNOWN, 0, 0);
	inner = add_pci(host, "0000:03:00.0", TOPO_BRIDGE, first, TOPO_UNKNOWN, 0, 0);
	add_pci(host, "0000:04:00.0", TOPO_NVSWITCH, second, TOPO_UNKNOWN, 0, 0);
	add_gpu(host, "", add_pci(host, "0000:05:00.0", TOPO_GPU, inner, TOPO_UNKNOWN, 0, 0), TOPO_UNKNOWN);
	add_gpu(host, "", add_pci(host, "0000:06:00.0", TOPO_GPU, first, TOPO_UNKNOWN, 0, 0), TOPO_UNKNOWN);
	expect_shown(&topo, show_tree,
		     "host 0\n"
		     "  devices\n"
		     "    bridge 0000:01:00.0\n"
		     "      bridge 0000:03:00.0\n"
		     "        GPU0 0000:05:00.0\n"
		     "      GPU1 0000:06:00.0\n"
		     "    bridge 0000:02:00.0\n"
		     "      NVSwitch 0000:04:00.0\n");
	topo_clear(&topo);
}

/* Three GPUs and a NIC, by what nvidia-smi says alone. */
static struct topo given(void)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);

	for (int i = 0; i < 3; i++)
		add_gpu(host, "", TOPO_UNKNOWN, i == 2 ? TOPO_UNKNOWN : i);
	topo_set(&host->gpus[0].cpus, "0-3,8");
	add_nic(host, "mlx5_0", TOPO_UNKNOWN, 0);
	add_given(host, 0, 1, TOPO_NV, 4);
	add_given(host, 0, 2, TOPO_NODE, 0);
	add_given(host, 1, 2, TOPO_NODE, 0);
	add_given(host, 0, 3, TOPO_PIX, 0);
	add_given(host, 1, 3, TOPO_SYS, 0);
	return topo;
}

static void matrix_has_smi_s_layout(void **state)
{
	struct topo topo = given();
	char *text = shown(&topo, show_matrix);

	(void)state;
	expect_within(text, "\tGPU0\tGPU1\tGPU2\tNIC0\tCPU Affinity\tNUMA Affinity\n"
			    "GPU0\t X \tNV4\tNODE\tPIX\t0-3,8\t0\n"
			    "GPU1\tNV4\t X \tNODE\tSYS\tN/A\t1\n"
			    "GPU2\tNODE\tNODE\t X \t?\tN/A\tN/A\n"
			    "NIC0\tPIX\tSYS\t?\t X \n"
			    "\nLegend:\n");
	expect_within(text, "\n  ?    = ");
	expect_within(text, "\n  NIC0: mlx5_0\n");
	free(text);
	topo_clear(&topo);
	topo_add_host(&topo);
	expect_shown(&topo, show_matrix, "no GPU and no NIC: no paths\n");
	for (int i = 0; i < 257; i++)
		add_nic(topo.hosts, "", TOPO_UNKNOWN, 0);
	expect_shown(&topo, show_matrix, "257 GPUs and NICs: no matrix of more than 256\n");
	topo_clear(&topo);
}

static void equal_paths_are_told_together(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);
	char *text;

	(void)state;
	for (int i = 0; i < 4; i++)
		add_gpu(host, "", TOPO_UNKNOWN, TOPO_UNKNOWN);
	for (int a = 0; a < 4; a++)
		for (int b = a + 1; b < 4; b++)
			add_given(host, a, b, a == 1 && b == 3 ? TOPO_SYS : TOPO_NV, a == 1 && b == 3 ? 0 : 2);
	add_nic(host, "a", TOPO_UNKNOWN, 0);
	add_nic(host, "b", TOPO_UNKNOWN, 0);
	add_given(host, 0, 4, TOPO_PIX, 0);
	add_given(host, 0, 5, TOPO_PIX, 0);
	add_given(host, 1, 4, TOPO_SYS, 0);
	add_given(host, 1, 5, TOPO_PHB, 0);
	text = shown(&topo, show_rates);
	expect_within(text, "          GPU0 to GPU1-3; GPU1 to GPU2; GPU2 to GPU3\n");
	expect_within(text, "          GPU1 to GPU3\n");
	expect_within(text, "          GPU0 to NIC0-1\n");
	expect_within(text, "    PHB ");
	expect_within(text, "          GPU1 to NIC1\n");
	assert_null(strstr(text, "GPU1 to NIC0"));
	assert_null(strstr(text, "GPU2 to NIC"));
	free(text);
	host->given[4].class = TOPO_NV;
	host->given[4].links = 2;
	text = shown(&topo, show_rates);
	expect_within(text, "          all 6 pairs\n");
	free(text);
	topo_clear(&topo);
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)); text++)
		n++;
	return n;
}

/* What a name holds stays inside of its label. */
static void names_cannot_leave_a_label(void **state)
{
	struct topo topo = small();
	char *text;

	(void)state;
	topo_set(&topo.hosts[0].gpus[0].name, "x\"]; evil [label=\"\\");
	topo_set(&topo.hosts[0].nics[0].name, "&lt;b\\");
	text = shown(&topo, show_dot);
	expect_within(text, "[label=\"GPU0, rank 0\\nx\\\"]; evil [label=\\\"\\\\\\nPCIe 1.0 x8 (could be 4.0 x16)\", ");
	expect_within(text, "NIC0 &amp;lt;b\\\\\\nInfiniBand 25 GB/s, DOWN\\nPCIe 3.0\", fillcolor=\"#f6d9d5\"");
	free(text);
	topo_clear(&topo);
}

static void graph_of_links(void **state)
{
	struct topo topo = given();
	struct topo_host *host = topo.hosts;
	char *text = shown(&topo, show_dot);

	(void)state;
	expect_within(text, "h0_gpu0 -- h0_gpu1 [color=");
	expect_within(text, "label=\"NV4\"");
	expect_within(text, "h0_gpu0 -- h0_nic0 [label=\"PIX\"]");
	assert_null(strstr(text, "hub"));
	free(text);
	/* All pairs alike: one node in the middle. */
	add_gpu(host, "", TOPO_UNKNOWN, TOPO_UNKNOWN);
	host->ngiven = 0;
	for (int a = 0; a < 4; a++)
		for (int b = a + 1; b < 4; b++)
			add_given(host, a, b, TOPO_NV, 4);
	text = shown(&topo, show_dot);
	assert_int_equal(count(text, " -- h0_hub "), 4);
	assert_int_equal(count(text, "constraint=false"), 0);
	free(text);
	/* Many that differ: words. */
	for (int i = 0; i < 2; i++)
		add_gpu(host, "", TOPO_UNKNOWN, TOPO_UNKNOWN);
	for (int a = 0; a < 4; a++)
		add_given(host, a, 5, TOPO_NV, a < 2 ? 4 : 1);
	text = shown(&topo, show_dot);
	assert_null(strstr(text, "hub"));
	assert_int_equal(count(text, "constraint=false"), 0);
	expect_within(text, "[label=\"GPU5\\nNV4 to GPU0-1\\nNV1 to GPU2-3\"");
	free(text);
	topo_clear(&topo);
}

static void links_to_switches(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);
	char *text;

	(void)state;
	for (int gpu = 0; gpu < 2; gpu++) {
		add_gpu(host, "", TOPO_UNKNOWN, TOPO_UNKNOWN);
		for (int i = 0; i < 3 - gpu; i++) {
			struct topo_nvlink *link = topo_add_nvlink(host);

			link->gpu = gpu;
			link->end = TOPO_END_SWITCH;
			link->count = 2;
			link->version = 3;
			link->rate = 50e9;
			topo_set(&link->source, "a test");
		}
	}
	text = shown(&topo, show_tree);
	expect_within(text, "    GPU0\n      6 x NVLink3 to NVSwitches: 150 GB/s (a test)\n    GPU1\n      4 x NVLink3 to");
	free(text);
	text = shown(&topo, show_dot);
	expect_within(text, "h0_gpu0 -- h0_hub [color=\"#6b4a94\", penwidth=2, label=\"6 x NVLink3\"]");
	expect_within(text, "h0_gpu1 -- h0_hub [color=\"#6b4a94\", penwidth=2, label=\"4 x NVLink3\"]");
	free(text);
	topo_clear(&topo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tree_of_a_host),
		cmocka_unit_test(hosts_alike_are_told_once),
		cmocka_unit_test(deep_trees),
		cmocka_unit_test(siblings_after_children),
		cmocka_unit_test(matrix_has_smi_s_layout),
		cmocka_unit_test(equal_paths_are_told_together),
		cmocka_unit_test(names_cannot_leave_a_label),
		cmocka_unit_test(graph_of_links),
		cmocka_unit_test(links_to_switches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
