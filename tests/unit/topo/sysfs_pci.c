/* SPDX-License-Identifier: Apache-2.0
 *
 * PCI functions and the bridges above them as /sys tells them, from small trees.
 */
#include "sysfs_tree.h"

#include "topo/pci.h"

static const struct topo_pci *pci_at(const struct topo_host *host, const char *bus)
{
	int index = topo_find_pci(host, bus);

	if (index == TOPO_UNKNOWN)
		fail_msg("%s is not there", bus);
	return &host->pci[index];
}

static const struct function upstream = { "0x060400", "0x1000", "0xc030", GEN4, "16", GEN5, "16", "0" };

static const struct function gpu = { "0x030200", "0x10de", "0x2330", "2.5 GT/s PCIe", "16", GEN5, "16", "0" };

static void test_chain_of_bridges(void **state)
{
	struct tree *tree = *state;
	struct topo_host *host = new_host(tree);
	const struct topo_pci *found;
	struct function slow_port = port;

	slow_port.most_speed = GEN4;
	put_function(tree, PORT, &port);
	put_function(tree, UP, &upstream);
	put_function(tree, DOWN, &slow_port);
	put_function(tree, DOWN "/0000:1a:00.0", &gpu);
	put_function(tree, "pci0000:00/0000:00:02.0", &(struct function){ "0x088000", "0x8086", "0x0998", .node = "-1" });
	put_function(tree, "pci0000:00/0000:00:03.0", &(struct function){ "0x068000", "0x10de", "0x22a3", .node = "-1" });
	assert_int_equal(sysfs_pci(tree->root, host), 0);
	assert_int_equal(pci_number_roots(host), 0);
	assert_int_equal(host->npci, 5);
	found = pci_at(host, "0000:1a:00.0");
	assert_int_equal(found->kind, TOPO_GPU);
	assert_int_equal(found->vendor, 0x10de);
	assert_int_equal(found->device, 0x2330);
	assert_int_equal(found->numa, 0);
	assert_int_equal(found->root, 1);
	assert_true(found->now.gts == 2.5 && found->now.width == 16);
	/* The port above it is of generation 4. */
	assert_true(found->most.gts == 16 && found->most.width == 16);
	assert_string_equal(host->pci[found->parent].bus, "0000:19:04.0");
	found = &host->pci[found->parent];
	assert_true(found->now.gts == 0 && found->most.width == 0);
	found = &host->pci[found->parent];
	assert_string_equal(found->bus, "0000:18:00.0");
	assert_true(found->now.gts == 16 && found->most.gts == 32);
	found = &host->pci[found->parent];
	assert_string_equal(found->bus, "0000:17:00.0");
	assert_true(found->parent == TOPO_UNKNOWN && found->now.gts == 0);
	found = pci_at(host, "0000:00:03.0");
	assert_int_equal(found->kind, TOPO_NVSWITCH);
	assert_int_equal(found->root, 0);
	assert_int_equal(found->numa, TOPO_UNKNOWN);
}

static void test_which_displays_count(void **state)
{
	struct tree *tree = *state;
	struct topo_host *host = new_host(tree);

	put_function(tree, "pci0000:00/0000:00:01.0", &(struct function){ "0x030000", "0x1a03", "0x2000", .node = NULL });
	put_function(tree, "pci0000:00/0000:00:02.0", &(struct function){ "0x030000", "0x102b", "0x0536", .node = NULL });
	put_function(tree, "pci0000:00/0000:00:03.0", &(struct function){ "0x030000", "0x10de", "0x2204", .node = NULL });
	put_function(tree, "pci0000:00/0000:00:04.0", &(struct function){ "0x120000", "0x1002", "0x74a1", .node = NULL });
	put_function(tree, "pci0000:00/0000:00:05.0", &(struct function){ "0x038000", "0x1002", "0x740f", .node = NULL });
	put_function(tree, "pci0000:00/0000:00:06.0", &(struct function){ "0x040300", "0x10de", "0x1aef", .node = NULL });
	put(tree, "AMD Instinct MI300X\n", "/sys/devices/pci0000:00/0000:00:04.0/product_name");
	put(tree, "Model: \t\t NVIDIA GeForce RTX 3090\nIRQ: 5\n", "/proc/driver/nvidia/gpus/0000:00:03.0/information");
	assert_int_equal(sysfs_pci(tree->root, host), 0);
	assert_int_equal(host->npci, 3);
	assert_int_equal(sysfs_gpus(tree->root, host, true), 0);
	assert_int_equal(host->ngpus, 3);
	assert_string_equal(host->gpus[0].name, "NVIDIA GeForce RTX 3090");
	assert_string_equal(host->gpus[1].name, "AMD Instinct MI300X");
	assert_int_equal(host->gpus[2].number, 2);
	/* Once is enough. */
	assert_int_equal(sysfs_gpus(tree->root, host, true), 0);
	assert_int_equal(host->ngpus, 3);
}

static void test_odd_links_and_trees(void **state)
{
	struct tree *tree = *state;
	struct topo_host *host = new_host(tree);
	const struct topo_pci *found;
	struct function odd = gpu;

	odd.speed = odd.most_speed = "Unknown";
	odd.width = odd.most_width = "63";
	put_function(tree, "pci0000:00/0000:00:0e.0", &port);
	put_function(tree, "pci0000:00/0000:00:0e.0/pci10000:e0/10000:e0:02.0", &port);
	put_function(tree, "pci0000:00/0000:00:0e.0/pci10000:e0/10000:e0:02.0/10000:e1:00.0", &odd);
	assert_int_equal(sysfs_pci(tree->root, host), 0);
	assert_int_equal(host->npci, 2);
	found = pci_at(host, "10000:e1:00.0");
	assert_true(found->now.gts == 0 && found->now.width == 0);
	assert_string_equal(host->pci[found->parent].bus, "10000:e0:02.0");
	assert_int_equal(host->pci[found->parent].parent, TOPO_UNKNOWN);
}

static void test_access_control(void **state)
{
	const struct tree *tree = *state;
	/* Error reporting, of which the next is at 0x148; access control, the last; the first again. */
	static const unsigned char first[] = { 0x01, 0x00, 0x82, 0x14 },
				   access[] = { 0x0d, 0x00, 0x01, 0x00, 0x5f, 0x00, 0x00, 0x00 },
				   circle[] = { 0x02, 0x00, 0x01, 0x10 };
	unsigned char config[4096] = { 0 };
	char directory[128];

	snprintf(directory, sizeof directory, "%s/sys/x", tree->root);
	assert_int_equal(sysfs_acs(directory), TOPO_MAYBE);
	put_bytes(tree, "/sys/x/config", config, 64);
	assert_int_equal(sysfs_acs(directory), TOPO_MAYBE);
	put_bytes(tree, "/sys/x/config", config, 256);
	assert_int_equal(sysfs_acs(directory), TOPO_NO);
	memcpy(config + 0x100, first, sizeof first);
	memcpy(config + 0x148, access, sizeof access);
	put_bytes(tree, "/sys/x/config", config, 4096);
	assert_int_equal(sysfs_acs(directory), TOPO_NO);
	config[0x14e] = 0x1d;
	put_bytes(tree, "/sys/x/config", config, 4096);
	assert_int_equal(sysfs_acs(directory), TOPO_YES);
	/* Source validation alone redirects nothing. */
	config[0x14e] = 0x01;
	put_bytes(tree, "/sys/x/config", config, 4096);
	assert_int_equal(sysfs_acs(directory), TOPO_NO);
	/* A list in a circle ends. */
	memcpy(config + 0x148, circle, sizeof circle);
	put_bytes(tree, "/sys/x/config", config, 4096);
	assert_int_equal(sysfs_acs(directory), TOPO_NO);
}

static enum topo_yes iommu(struct tree *tree)
{
	struct topo_host *host = new_host(tree);

	assert_int_equal(sysfs_pci(tree->root, host), 0);
	sysfs_iommu(tree->root, host);
	return host->iommu;
}

static void test_iommu(void **state)
{
	struct tree *tree = *state;

	put_function(tree, PORT "/0000:18:00.0", &gpu);
	put_function(tree, PORT "/0000:18:00.1", &gpu);
	put(tree, "", "/sys/class/iommu/.keep");
	put(tree, "", "/sys/kernel/iommu_groups/.keep");
	assert_int_equal(iommu(tree), TOPO_NO);
	put(tree, "", "/sys/class/iommu/dmar0/devices");
	assert_int_equal(iommu(tree), TOPO_MAYBE);
	put(tree, "identity\n", "/sys/kernel/iommu_groups/7/type");
	put_link(tree, "/sys/kernel/iommu_groups/7", "/sys/devices/%s/0000:18:00.0/iommu_group", PORT);
	assert_int_equal(iommu(tree), TOPO_MAYBE);
	put_link(tree, "/sys/kernel/iommu_groups/7", "/sys/devices/%s/0000:18:00.1/iommu_group", PORT);
	assert_int_equal(iommu(tree), TOPO_NO);
	put(tree, "DMA-FQ\n", "/sys/kernel/iommu_groups/7/type");
	assert_int_equal(iommu(tree), TOPO_YES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_chain_of_bridges, begin_tree, end_tree),
		cmocka_unit_test_setup_teardown(test_which_displays_count, begin_tree, end_tree),
		cmocka_unit_test_setup_teardown(test_odd_links_and_trees, begin_tree, end_tree),
		cmocka_unit_test_setup_teardown(test_access_control, begin_tree, end_tree),
		cmocka_unit_test_setup_teardown(test_iommu, begin_tree, end_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
