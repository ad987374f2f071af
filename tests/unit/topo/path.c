/* SPDX-License-Identifier: Apache-2.0
 *
 * Classes of ways, their rates and the words for these.
 */
#include "machines.h"

#include "topo/path.h"

static void check(const struct topo_host *host, int a, int b, const char *class, double rate, const char *words)
{
	struct path path;
	char text[16];

	for (int turn = 0; turn < 2; turn++) {
		path_between(host, turn ? b : a, turn ? a : b, &path);
		path_class(&path, text);
		assert_string_equal(text, class);
		assert_string_equal(path.words, words);
		if (fabs(path.rate * 1e-9 - rate) > 0.0005)
			fail_msg("%g GB/s, not %g", path.rate * 1e-9, rate);
	}
}

static void rates_in_three_digits(void **state)
{
	static const struct {
		double rate;
		const char *words;
	} cases[] = {
		{ 31.508e9, "31.5 GB/s" }, { 450e9, "450 GB/s" },   { 1.9692e9, "1.97 GB/s" }, { 0.25e9, "250 MB/s" },
		{ 56.25e9, "56.2 GB/s" },  { 900e9, "900 GB/s" },   { 1.8e12, "1.8 TB/s" },    { 999.6e6, "1 GB/s" },
		{ 9.996e9, "10 GB/s" },    { 0, "unknown" },        { -1, "unknown" },         { NAN, "unknown" },
		{ 1e300, "unknown" },      { 12.5e9, "12.5 GB/s" }, { 25e9, "25 GB/s" },       { 3.125e9, "3.12 GB/s" },
		{ 121e9, "121 GB/s" },     { 5, "5 B/s" },
	};
	char text[24];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		path_rate_words(cases[i].rate, text);
		assert_string_equal(text, cases[i].words);
	}
}

#define NODE_WORDS "PCIe 4.0 x16: 31.5 GB/s at most: what is between host bridges is not known"
#define SYS_WORDS "PCIe 4.0 x16: 31.5 GB/s at most: the link between CPUs is not known"

static void through_switches(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = switched(&topo, "a", "NVIDIA A100-SXM4-40GB", 16, 12, 3);

	(void)state;
	check(host, 0, 0, "X", 0, "");
	check(host, 0, 7, "NV12", 300, "12 x NVLink3: 300 GB/s through switches");
	check(host, 0, 8, "PIX", 31.508, "PCIe 4.0 x16: 31.5 GB/s");
	check(host, 0, 10, "NODE", 31.508, NODE_WORDS);
	check(host, 0, 12, "SYS", 31.508, SYS_WORDS);
	check(host, 8, 9, "PIX", 31.508, "PCIe 4.0 x16: 31.5 GB/s");
	check(host, 0, 16, "?", 0, "rate unknown: no such device");
	check(host, -1, 0, "?", 0, "rate unknown: no such device");
	/* One of them has lost links. */
	host->nvlinks[7].count = 11;
	check(host, 0, 7, "NV11", 275, "11 x NVLink3: 275 GB/s through switches");
	check(host, 0, 6, "NV12", 300, "12 x NVLink3: 300 GB/s through switches");
	topo_clear(&topo);
}

static void products_tell_the_rate_of_a_link(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = switched(&topo, "h", "NVIDIA H100 80GB HBM3", 32, 18, 0);

	(void)state;
	check(host, 0, 1, "NV18", 450, "18 x NVLink4: 450 GB/s through switches");
	check(host, 0, 8, "PIX", 63.015, "PCIe 5.0 x16: 63 GB/s");
	topo_set(&host->gpus[0].name, "");
	topo_set(&host->gpus[1].name, "");
	check(host, 0, 1, "NV18", 0, "rate unknown: 18 x NVLink through switches, of which product is not known");
	host->nvlinks[0].rate = host->nvlinks[1].rate = 478e9;
	check(host, 0, 1, "NV18", 478, "18 x NVLink: 478 GB/s through switches");
	topo_clear(&topo);
	host = machine(&topo, "a40");
	add_gpu(host, "NVIDIA A40", TOPO_UNKNOWN, 0, 0, 16);
	add_gpu(host, "NVIDIA A40", TOPO_UNKNOWN, 0, 0, 16);
	check(host, 0, 1, "PHB", 31.508, "PCIe 4.0 x16: 31.5 GB/s");
	add_links(host, 0, TOPO_END_GPU, 1, 4, 3);
	check(host, 0, 1, "NV4", 56.25, "4 x NVLink3: 56.2 GB/s");
	topo_clear(&topo);
}

static void pairs_known_by_a_rate_alone(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = pairs_of_p100(&topo, false);

	(void)state;
	check(host, 0, 1, "NV", 40, "NVLink: 40 GB/s (hwloc's NVLinkBandwidth)");
	check(host, 1, 2, "SYS", 15.754, "PCIe 3.0 x16: 15.8 GB/s at most: the link between CPUs is not known");
	topo_clear(&topo);
	host = pairs_of_p100(&topo, true);
	check(host, 0, 1, "NV", 40, "NVLink: 40 GB/s (hwloc's NVLinkBandwidth)");
	check(host, 1, 2, "SYS", 40, "NVLink to the CPU: 40 GB/s at most: the link between CPUs is not known");
	topo_clear(&topo);
}

static void mesh_of_links(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = cube_mesh(&topo);

	(void)state;
	check(host, 0, 1, "NV1", 25, "1 x NVLink2: 25 GB/s");
	check(host, 0, 3, "NV2", 50, "2 x NVLink2: 50 GB/s");
	check(host, 0, 5, "SYS", 15.754, "PCIe 3.0 x16: 15.8 GB/s at most: the link between CPUs is not known");
	topo_clear(&topo);
}

/* Ports as the system shows them: one that faces up, below it those that face down. */
static void bridges_and_switches(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = machine(&topo, "tree");
	int port = add_function(host, TOPO_BRIDGE, TOPO_UNKNOWN, 0, 0, 16, 16);
	int up = add_function(host, TOPO_BRIDGE, port, 0, 0, 8, 16);
	int down[4], up2;

	(void)state;
	for (int i = 0; i < 4; i++)
		down[i] = add_function(host, TOPO_BRIDGE, up, 0, 0, 0, 0);
	up2 = add_function(host, TOPO_BRIDGE, down[3], 0, 0, 16, 8);
	add_gpu(host, "NVIDIA L40S", down[0], 0, 0, 16);
	add_gpu(host, "NVIDIA L40S", down[1], 0, 0, 16);
	add_gpu(host, "NVIDIA L40S", add_function(host, TOPO_BRIDGE, up2, 0, 0, 0, 0), 0, 0, 16);
	add_gpu(host, "NVIDIA L40S", add_function(host, TOPO_BRIDGE, TOPO_UNKNOWN, 0, 0, 16, 16), 0, 0, 16);
	add_gpu(host, "NVIDIA L40S", TOPO_UNKNOWN, 1, 0, 16);
	add_gpu(host, "NVIDIA L40S", TOPO_UNKNOWN, 2, 1, 16);
	check(host, 0, 1, "PIX", 31.508, "PCIe 4.0 x16: 31.5 GB/s");
	check(host, 0, 2, "PXB", 15.754, "PCIe 4.0 x8: 15.8 GB/s");
	check(host, 0, 3, "PHB", 15.754, "PCIe 3.0 x16: 15.8 GB/s");
	check(host, 3, 4, "NODE", 31.508, NODE_WORDS);
	check(host, 0, 5, "SYS", 15.754, "PCIe 3.0 x16: 15.8 GB/s at most: the link between CPUs is not known");
	topo_clear(&topo);
}

/* Two switches that a source tells as one bridge each. */
static void bridges_that_stand_for_switches(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = machine(&topo, "nccl");
	int top = add_function(host, TOPO_BRIDGE, TOPO_UNKNOWN, 0, 0, 16, 16);
	int below[2] = { add_function(host, TOPO_BRIDGE, top, 0, 0, 16, 16), add_function(host, TOPO_BRIDGE, top, 0, 0, 16, 16) };

	(void)state;
	topo_set(&host->pci[below[0]].bus, "0000:03:00.0");
	topo_set(&host->pci[below[1]].bus, "0000:07:00.0");
	add_gpu(host, "NVIDIA L40S", below[0], 0, 0, 16);
	add_gpu(host, "NVIDIA L40S", below[1], 0, 0, 16);
	check(host, 0, 1, "PXB", 31.508, "PCIe 4.0 x16: 31.5 GB/s");
	topo_clear(&topo);
}

static void what_is_not_known(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = machine(&topo, "vm");
	int bridge = add_function(host, TOPO_BRIDGE, TOPO_UNKNOWN, 0, 0, 0, 0);
	struct topo_nic *nic;

	(void)state;
	add_gpu(host, "NVIDIA L40S", bridge, 0, 0, 0);
	add_gpu(host, "NVIDIA L40S", bridge, 0, 0, 16);
	add_gpu(host, "NVIDIA L40S", TOPO_UNKNOWN, TOPO_UNKNOWN, TOPO_UNKNOWN, 16);
	host->gpus[2].pci = TOPO_UNKNOWN;
	nic = add_nic(host, bridge, 0, 0, 16, 100);
	check(host, 0, 1, "PIX", 0, "rate unknown: link speed is not given");
	check(host, 1, 3, "PIX", 31.508, "PCIe 4.0 x16: 31.5 GB/s");
	check(host, 1, 2, "?", 0, "rate unknown: the place in the PCI tree is not given");
	host->gpus[2].numa = 0;
	check(host, 1, 2, "?", 0, "rate unknown: the place in the PCI tree is not given");
	host->gpus[2].numa = 1;
	check(host, 1, 2, "SYS", 0, "rate unknown: the place in the PCI tree is not given");
	nic->pci = host->gpus[1].pci;
	check(host, 1, 3, "PIX", 0, "rate unknown: both are one PCI function");
	topo_clear(&topo);
}

/* Idle links sleep at 2.5 GT/s. */
static void sleeping_links(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = machine(&topo, "idle");
	int port = add_function(host, TOPO_BRIDGE, TOPO_UNKNOWN, 1, 0, 8, 16);

	(void)state;
	add_gpu(host, "NVIDIA L40S", TOPO_UNKNOWN, 1, 0, 16);
	add_gpu(host, "NVIDIA L40S", TOPO_UNKNOWN, 1, 0, 16);
	add_gpu(host, "NVIDIA L40S", port, 1, 0, 16);
	for (int i = 0; i < 3; i++)
		host->pci[host->gpus[i].pci].now.gts = 2.5;
	host->pci[host->gpus[2].pci].most.gts = 8;
	check(host, 0, 1, "PHB", 31.508, "PCIe 4.0 x16: 31.5 GB/s (idle: at 1.0 now)");
	check(host, 0, 2, "PHB", 15.754, "PCIe 3.0 x16: 15.8 GB/s (idle: at 1.0 now)");
	host->pci[host->gpus[0].pci].most.gts = 0;
	check(host, 0, 1, "PHB", 4, "PCIe 1.0 x16: 4 GB/s");
	topo_clear(&topo);
}

static void give(struct topo_host *host, int a, int b, enum topo_class class, int links)
{
	*topo_add_given(host) = (struct topo_given){ a, b, class, links };
}

static void what_a_source_states_wins(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = switched(&topo, "a", "NVIDIA A100-SXM4-40GB", 16, 12, 3);

	(void)state;
	give(host, 0, 8, TOPO_PXB, 0);
	give(host, 7, 0, TOPO_NV, 10);
	give(host, 1, 2, TOPO_CLASS_UNKNOWN, 0);
	give(host, 0, 1, TOPO_SYS, 0);
	check(host, 0, 8, "PXB", 31.508, "PCIe 4.0 x16: 31.5 GB/s");
	check(host, 0, 7, "NV10", 250, "10 x NVLink3: 250 GB/s through switches");
	check(host, 1, 2, "NV12", 300, "12 x NVLink3: 300 GB/s through switches");
	check(host, 0, 1, "SYS", 31.508, SYS_WORDS);
	topo_clear(&topo);
	/* The text of nvidia-smi, with and without names of GPUs. */
	host = topo_add_host(&topo);
	topo_add_gpu(host);
	topo_add_gpu(host);
	give(host, 0, 1, TOPO_NV, 4);
	check(host, 0, 1, "NV4", 0, "rate unknown: 4 x NVLink, of which product is not known");
	topo_set(&host->gpus[0].name, "NVIDIA A40");
	topo_set(&host->gpus[1].name, "NVIDIA A40");
	check(host, 0, 1, "NV4", 56.25, "4 x NVLink3: 56.2 GB/s");
	host->given[0].class = TOPO_PHB;
	check(host, 0, 1, "PHB", 0, "rate unknown: the place in the PCI tree is not given");
	topo_clear(&topo);
}

/* Trees that no machine has must not take forever, or fall over. */
static void nonsense(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = machine(&topo, "odd");
	struct path path;
	char text[16];
	int above = TOPO_UNKNOWN;

	(void)state;
	for (int i = 0; i < 1000; i++)
		above = add_function(host, TOPO_BRIDGE, above, TOPO_UNKNOWN, TOPO_UNKNOWN, 16, 16);
	add_gpu(host, "", above, TOPO_UNKNOWN, TOPO_UNKNOWN, 1000);
	add_gpu(host, "", 0, TOPO_UNKNOWN, TOPO_UNKNOWN, 1000);
	path_between(host, 0, 1, &path);
	host->pci[5].parent = 6;
	host->gpus[1].pci = 5;
	path_between(host, 0, 1, &path);
	for (int i = 0; i < 3; i++)
		add_links(host, 0, TOPO_END_GPU, 1, INT32_MAX, INT32_MAX);
	path_between(host, 0, 1, &path);
	path_class(&path, text);
	assert_string_equal(text, "NV1000000");
	topo_clear(&topo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_in_three_digits),
		cmocka_unit_test(through_switches),
		cmocka_unit_test(products_tell_the_rate_of_a_link),
		cmocka_unit_test(pairs_known_by_a_rate_alone),
		cmocka_unit_test(mesh_of_links),
		cmocka_unit_test(bridges_and_switches),
		cmocka_unit_test(bridges_that_stand_for_switches),
		cmocka_unit_test(what_is_not_known),
		cmocka_unit_test(sleeping_links),
		cmocka_unit_test(what_a_source_states_wins),
		cmocka_unit_test(nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
