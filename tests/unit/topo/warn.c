/* SPDX-License-Identifier: Apache-2.0
 *
 * Each kind of warning of devices on a machine that has the trouble, and none on machines that have not.
 */
#include "warn_check.h"

static struct topo_pci *pci_of_gpu(struct topo_host *host, int gpu)
{
	return &host->pci[host->gpus[gpu].pci];
}

static struct topo_pci *pci_of_nic(struct topo_host *host, int nic)
{
	return &host->pci[host->nics[nic].pci];
}

static void clean_machines(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host;

	(void)state;
	h100(&topo, "a");
	check_none(&topo);
	h100(&topo, "b")->iommu = TOPO_NO;
	check_none(&topo);
	topo_clear(&topo);
	pairs_of_p100(&topo, true);
	check_none(&topo);
	topo_clear(&topo);
	cube_mesh(&topo);
	check_none(&topo);
	topo_clear(&topo);
	/* No bridges between these, and none needed. */
	host = machine(&topo, "a40");
	for (int i = 0; i < 4; i++)
		add_gpu(host, "NVIDIA A40", TOPO_UNKNOWN, i, i / 2, 16);
	check_none(&topo);
	add_links(host, 0, TOPO_END_GPU, 1, 4, 3);
	add_links(host, 1, TOPO_END_GPU, 0, 4, 3);
	check_none(&topo);
	topo_clear(&topo);
	topo_add_host(&topo);
	check_none(&topo);
	topo_clear(&topo);
	check_none(&topo);
}

/* Nothing is known of links, nodes and threads, and the IOMMU is not seen. */
static void virtual_machines(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);

	(void)state;
	for (int i = 0; i < 8; i++) {
		add_gpu(host, "NVIDIA H100 80GB HBM3", TOPO_UNKNOWN, TOPO_UNKNOWN, TOPO_UNKNOWN, 0);
		add_nic(host, TOPO_UNKNOWN, TOPO_UNKNOWN, TOPO_UNKNOWN, 0, 0)->state = TOPO_STATE_UNKNOWN;
		pci_of_gpu(host, i)->most = (struct topo_pcie){ 32, 16 };
	}
	check_none(&topo);
	for (int i = 0; i < 8; i++)
		add_links(host, i, TOPO_END_SWITCH, TOPO_UNKNOWN, 0, 0);
	check_none(&topo);
	topo_clear(&topo);
}

static void pcie_generation(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = h100(&topo, "n0");

	(void)state;
	pci_of_gpu(host, 2)->now.gts = 16;
	check_one(&topo, WARN_PCIE_GENERATION, "n0: GPU2 (NVIDIA H100 80GB HBM3, 0000:06:00.0): PCIe 4.0, 5.0 at most");
	pci_of_gpu(host, 2)->now.gts = 32;
	host->pci[0].now.gts = 8;
	check_one(&topo, WARN_PCIE_GENERATION, "n0: PCIe bridge 0000:00:00.0: PCIe 3.0, 5.0 at most");
	topo_clear(&topo);
}

static void links_that_sleep(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = h100(&topo, "n0");

	(void)state;
	pci_of_gpu(host, 0)->now.gts = 2.5;
	check_one(&topo, WARN_PCIE_GENERATION,
		  "n0: GPU0 (NVIDIA H100 80GB HBM3, 0000:01:00.0): PCIe 1.0 now, 5.0 at most: links that are idle sleep at 1.0, "
		  "so look "
		  "again under load");
	for (int i = 0; i < 8; i++)
		pci_of_gpu(host, i)->now.gts = 2.5;
	check_one(&topo, WARN_PCIE_GENERATION,
		  "n0: GPU0 (NVIDIA H100 80GB HBM3, 0000:01:00.0) and 7 more: PCIe 1.0 now, 5.0 at most: links that are idle "
		  "sleep at 1.0, "
		  "so look again under load");
	topo_clear(&topo);
}

static void pcie_width(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = h100(&topo, "n0");

	(void)state;
	pci_of_nic(host, 3)->now.width = 8;
	check_one(&topo, WARN_PCIE_WIDTH, "n0: mlx5_3 port 1 (0000:09:00.0): PCIe x8, x16 at most");
	topo_add_host(&topo)->alike = 0;
	topo_add_host(&topo)->alike = 0;
	check_one(&topo, WARN_PCIE_WIDTH, "n0 and 2 hosts like it: mlx5_3 port 1 (0000:09:00.0): PCIe x8, x16 at most");
	topo_clear(&topo);
}

/* Devices of a kind with the same trouble are one line, in the order of the first. */
static void the_same_trouble_is_told_once(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = h100(&topo, "n0");
	static const char *const widths[] = {
		"n0: GPU0 (NVIDIA H100 80GB HBM3, 0000:01:00.0) and 6 more: PCIe x8, x16 at most",
		"n0: mlx5_0 port 1 (0000:02:00.0) and 1 more: PCIe x8, x16 at most",
		"n0: GPU3 (NVIDIA H100 80GB HBM3, 0000:08:00.0): PCIe x4, x16 at most",
		NULL,
	};

	(void)state;
	for (int i = 0; i < 8; i++)
		pci_of_gpu(host, i)->now.width = i == 3 ? 4 : 8;
	pci_of_nic(host, 0)->now.width = pci_of_nic(host, 7)->now.width = 8;
	check(&topo, widths, WARN_PCIE_WIDTH);
	for (int i = 0; i < 8; i++) {
		pci_of_gpu(host, i)->now.width = pci_of_nic(host, i)->now.width = 16;
		host->nvlinks[i].count = 17;
		topo_set(&host->gpus[i].name, "NVIDIA H100 80GB HBM3 of a name that is as long as such a name can be at all");
	}
	check_one(&topo, WARN_FEW_NVLINKS,
		  "n0: GPU0 (NVIDIA H100 80GB HBM3 of a name that is , 0000:01:00.0) and 7 more: 17 NVLinks, the product has 18");
	/* Of each host its own. */
	topo_clear(&topo);
	for (int h = 0; h < 2; h++) {
		host = h100(&topo, h ? "b" : "a");
		host->nics[0].state = host->nics[1].state = TOPO_DOWN;
	}
	{
		static const char *const down[] = {
			"a: mlx5_0 port 1 (0000:02:00.0) and 1 more: the port is down, it should be up",
			"b: mlx5_0 port 1 (0000:02:00.0) and 1 more: the port is down, it should be up",
			NULL,
		};

		check(&topo, down, WARN_NIC_DOWN);
	}
	topo_clear(&topo);
}

static void nic_down(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = h100(&topo, "");
	struct topo_nic *ethernet;

	(void)state;
	host->nics[5].state = TOPO_DOWN;
	check_one(&topo, WARN_NIC_DOWN, "host 0: mlx5_5 port 1 (0000:0e:00.0): the port is down, it should be up");
	host->nics[5].state = TOPO_UP;
	/* An unused Ethernet port is none, nor the second one of a card. */
	ethernet = add_nic(host, TOPO_UNKNOWN, 0, 0, 8, 0);
	ethernet->fabric = TOPO_ETHERNET;
	ethernet->state = TOPO_DOWN;
	check_none(&topo);
	ethernet = add_nic(host, TOPO_UNKNOWN, 0, 0, 8, 10);
	ethernet->fabric = TOPO_ETHERNET;
	pci_of_nic(host, 8)->device = pci_of_nic(host, 9)->device = 0x1572;
	topo_set(&pci_of_nic(host, 8)->bus, "0000:41:00.0");
	topo_set(&pci_of_nic(host, 9)->bus, "0000:41:00.1");
	check_none(&topo);
	topo_set(&pci_of_nic(host, 9)->bus, "0000:42:00.0");
	check_one(&topo, WARN_NIC_DOWN, "host 0: mlx5_8 port 1 (0000:41:00.0): the port is down, it should be up");
	topo_clear(&topo);
}

static void nic_slower(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = h100(&topo, "n0");
	struct topo_nic *other;

	(void)state;
	host->nics[6].rate = 12.5e9;
	check_one(&topo, WARN_NIC_SLOWER, "n0: mlx5_6 port 1 (0000:11:00.0): 100 Gb/s, its twins have 200 Gb/s");
	pci_of_nic(host, 6)->device = 0x1019;
	for (int i = 0; i < 8; i++)
		pci_of_nic(host, i)->device = i == 6 ? 0x1019 : 0x1021;
	check_none(&topo);
	/* Of another fabric. */
	pci_of_nic(host, 6)->device = 0x1021;
	host->nics[6].fabric = TOPO_ROCE;
	check_none(&topo);
	host->nics[6].rate = 25e9;
	other = add_nic(host, TOPO_UNKNOWN, 0, 0, 8, 1);
	topo_set(&other->name, "eth0");
	other->fabric = TOPO_ETHERNET;
	check_none(&topo);
	topo_clear(&topo);
}

static void far_nic(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = machine(&topo, "n0");
	static const char *const both[] = {
		"n0: GPU2 (NVIDIA L40S, 0000:02:00.0) and 1 more: the nearest NIC, mlx5_0 port 1 (0000:04:00.0), is on another "
		"socket, one should be on its own",
		NULL,
	};

	(void)state;
	for (int i = 0; i < 4; i++)
		add_gpu(host, "NVIDIA L40S", TOPO_UNKNOWN, i, i / 2, 16);
	add_nic(host, TOPO_UNKNOWN, 0, 0, 16, 200);
	check(&topo, both, WARN_FAR_NIC);
	/* Nodes of one socket. */
	host->numa[1].package = 0;
	check_none(&topo);
	host->numa[1].package = 1;
	/* What manages the machine is nobody's nearest. */
	host->nics[0].fabric = TOPO_ETHERNET;
	host->nics[0].rate = 1e9 / 8;
	check_none(&topo);
	host->nics[0].rate = 12.5e9;
	check(&topo, both, WARN_FAR_NIC);
	add_nic(host, TOPO_UNKNOWN, 3, 1, 16, 100)->fabric = TOPO_ETHERNET;
	check_none(&topo);
	topo_clear(&topo);
}

static void few_nvlinks(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = h100(&topo, "n0");

	(void)state;
	host->nvlinks[4].count = 17;
	check_one(&topo, WARN_FEW_NVLINKS, "n0: GPU4 (NVIDIA H100 80GB HBM3, 0000:0b:00.0): 17 NVLinks, the product has 18");
	topo_set(&host->gpus[4].name, "something new");
	check_one(&topo, WARN_FEW_NVLINKS, "n0: GPU4 (something new, 0000:0b:00.0): 17 NVLinks, others of the host have 18");
	topo_clear(&topo);
	host = cube_mesh(&topo);
	host->nvlinks[0].count = 0;
	check_none(&topo);
	/* That a GPU's links are not all known says nothing of the others'. */
	host->nvlinks[host->nnvlinks - 1].gpu = TOPO_UNKNOWN;
	check_one(&topo, WARN_FEW_NVLINKS,
		  "dgx-1: GPU7 (Tesla V100-SXM2-32GB, 0000:07:00.0): 4 NVLinks, others of the host have 6");
	host->nvlinks[host->nnvlinks - 1].gpu = 7;
	host->nvlinks[0].gpu = TOPO_UNKNOWN;
	check_one(&topo, WARN_FEW_NVLINKS,
		  "dgx-1: GPU0 (Tesla V100-SXM2-32GB, 0000:00:00.0): 5 NVLinks, others of the host have 6");
	topo_clear(&topo);
}

/* The links of AMD's GPUs are no NVLinks, and a mesh of them need not be even. */
static void links_of_amd(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = cube_mesh(&topo);

	(void)state;
	for (int i = 0; i < 8; i++) {
		topo_set(&host->gpus[i].name, "AMD Instinct MI250X");
		pci_of_gpu(host, i)->vendor = 0x1002;
	}
	host->nvlinks[0].count = 9;
	check_none(&topo);
	host = cube_mesh(&topo);
	topo_set(&host->name, "other");
	for (int i = 0; i < 8; i++)
		pci_of_gpu(host, i)->vendor = 0x1002;
	check_one(&topo, WARN_UNLIKE, "other: 48 xGMI links, other hosts have 56");
	topo_clear(&topo);
}

/* The matrix of nvidia-smi. */
static void few_nvlinks_given(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);

	(void)state;
	for (int i = 0; i < 4; i++)
		topo_add_gpu(host);
	for (int a = 0; a < 4; a++) {
		for (int b = a + 1; b < 4; b++)
			*topo_add_given(host) = (struct topo_given){ a, b, TOPO_NV, 12 };
	}
	check_none(&topo);
	for (int i = 0; i < 6; i++)
		host->given[i].links = host->given[i].a == 1 || host->given[i].b == 1 ? 11 : 12;
	topo_set(&host->name, "smi");
	check_one(&topo, WARN_FEW_NVLINKS, "smi: GPU1 (bus unknown): 33 NVLinks, others of the host have 35");
	topo_clear(&topo);
}

/* Names as long as they may be fit. */
static void long_names(void **state)
{
	struct topo topo = { 0 };
	struct warnings warnings;
	struct topo_host *host;
	char name[256];

	(void)state;
	memset(name, 'n', sizeof name);
	name[sizeof name - 1] = '\0';
	host = switched(&topo, name, name, 32, 18, 4);
	for (int i = 0; i < 8; i++) {
		pci_of_gpu(host, i)->now.gts = 2.5;
		topo_set(&host->nics[i].name, name);
		host->nics[i].state = TOPO_DOWN;
	}
	host->nvlinks[0].count = 3;
	assert_int_equal(warn_topo(&topo, &warnings), 0);
	assert_int_equal(warnings.count, 3);
	assert_non_null(strstr(warnings.items[0].text, "look again under load"));
	assert_non_null(strstr(warnings.items[1].text, "others of the host have 18"));
	assert_non_null(strstr(warnings.items[2].text, " and 7 more: the port is down, it should be up"));
	warn_clear(&warnings);
	topo_clear(&topo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clean_machines),  cmocka_unit_test(virtual_machines),
		cmocka_unit_test(pcie_generation), cmocka_unit_test(links_that_sleep),
		cmocka_unit_test(pcie_width),      cmocka_unit_test(the_same_trouble_is_told_once),
		cmocka_unit_test(nic_down),        cmocka_unit_test(nic_slower),
		cmocka_unit_test(far_nic),         cmocka_unit_test(few_nvlinks),
		cmocka_unit_test(links_of_amd),    cmocka_unit_test(few_nvlinks_given),
		cmocka_unit_test(long_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
