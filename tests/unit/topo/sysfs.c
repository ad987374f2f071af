/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines and their network devices as /sys and /proc tell them, from small trees: what is read is said, what is missing or odd is unknown.
 */
#include "sysfs_tree.h"

#include "topo/pci.h"

/* --- reading --- */

static void test_numbers_and_texts(void **state)
{
	const struct tree *tree = *state;
	char text[8];

	put(tree, "0x10de\n", "/sys/a/hex");
	put(tree, "-1\n", "/sys/a/minus");
	put(tree, "12 apples\n", "/sys/a/words");
	put(tree, "0123456789abcdef \n", "/sys/a/long");
	assert_int_equal(sysfs_number(tree->root, 7, "/sys/a/%s", "hex"), 0x10de);
	assert_int_equal(sysfs_number(tree->root, 7, "/sys/a/minus"), -1);
	assert_int_equal(sysfs_number(tree->root, 7, "/sys/a/words"), 7);
	assert_int_equal(sysfs_number(tree->root, 7, "/sys/a/none"), 7);
	assert_int_equal(sysfs_read(tree->root, text, sizeof text, "/sys/a/long"), 0);
	assert_string_equal(text, "0123456");
	assert_int_equal(sysfs_read(tree->root, text, sizeof text, "/sys/a"), -1);
	assert_string_equal(text, "");
}

static void test_fields(void **state)
{
	static const char text[] = "processor\t: 0\nmodel\t\t: 85\nmodel name\t: A  CPU @ 2 GHz\n\nflags : x\n";
	char value[16];

	(void)state;
	sysfs_field(text, "model", value, sizeof value);
	assert_string_equal(value, "85");
	sysfs_field(text, "model name", value, sizeof value);
	assert_string_equal(value, "A  CPU @ 2 GHz");
	sysfs_field(text, "flags", value, 2);
	assert_string_equal(value, "x");
	sysfs_field(text, "mod", value, sizeof value);
	assert_string_equal(value, "");
	sysfs_field("", "mod", value, sizeof value);
	assert_string_equal(value, "");
}

static void test_names_are_in_the_order_of_their_numbers(void **state)
{
	const struct tree *tree = *state;
	struct sysfs_names names;

	put(tree, "", "/sys/c/mlx5_10");
	put(tree, "", "/sys/c/mlx5_9");
	put(tree, "", "/sys/c/.hidden");
	assert_int_equal(sysfs_list(tree->root, &names, "/sys/c"), 0);
	assert_int_equal(names.count, 2);
	assert_string_equal(names.items[0], "mlx5_9");
	sysfs_names_clear(&names);
	assert_int_equal(sysfs_list(tree->root, &names, "/sys/nothing"), 0);
	assert_int_equal(names.count, 0);
}

static void test_lists_of_threads(void **state)
{
	static struct sysfs_cpus cpus;

	(void)state;
	sysfs_cpus("0-2,2,8,4294967295-4294967299", &cpus);
	assert_int_equal(cpus.count, 4);
	assert_true(cpus.has[0] && cpus.has[2] && cpus.has[8] && !cpus.has[3]);
	sysfs_cpus("5-3,x", &cpus);
	assert_int_equal(cpus.count, 0);
	sysfs_cpus("0-99999", &cpus);
	assert_int_equal(cpus.count, SYSFS_MOST_CPUS);
}

/* --- cores, caches, nodes --- */

/* Two packages of two cores of two threads: 0-3, and their second threads 4-7. */
static void put_machine(const struct tree *tree)
{
	put(tree, "processor\t: 0\nmodel name\t: Test 9000\n", "/proc/cpuinfo");
	put(tree, "MemTotal:       1024 kB\n", "/proc/meminfo");
	put(tree, "0-7\n", "/sys/devices/system/cpu/online");
	for (int cpu = 0; cpu < 8; cpu++) {
		const char *package = cpu % 4 < 2 ? "0,1,4-5" : "2-3,6-7";
		char siblings[16];

		snprintf(siblings, sizeof siblings, "%d,%d", cpu % 4, cpu % 4 + 4);
		put(tree, siblings, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
		put(tree, cpu % 4 < 2 ? "0" : "1", "/sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu);
		for (int index = 0; index < 3; index++) {
			static const char *const types[] = { "Data", "Instruction", "Unified" };
			static const char *const sizes[] = { "48K", "32K", "30M" };

			put(tree, types[index], "/sys/devices/system/cpu/cpu%d/cache/index%d/type", cpu, index);
			put(tree, sizes[index], "/sys/devices/system/cpu/cpu%d/cache/index%d/size", cpu, index);
			put(tree, index == 2 ? "3" : "1", "/sys/devices/system/cpu/cpu%d/cache/index%d/level", cpu, index);
			put(tree, index == 2 ? package : siblings, "/sys/devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list",
			    cpu, index);
		}
	}
	put(tree, "0-1,4-5\n", "/sys/devices/system/node/node0/cpulist");
	put(tree, "2-3,6-7\n", "/sys/devices/system/node/node1/cpulist");
	put(tree, "\n", "/sys/devices/system/node/node10/cpulist");
	put(tree, "Node 0 MemTotal:     512 kB\nNode 0 MemFree: 1 kB\n", "/sys/devices/system/node/node0/meminfo");
	put(tree, "0-1\n", "/sys/devices/system/node/online");
}

static void test_machine(void **state)
{
	struct tree *tree = *state;
	struct topo_host *host = new_host(tree);

	put_machine(tree);
	assert_int_equal(sysfs_machine(tree->root, host), 0);
	assert_string_equal(host->cpu, "Test 9000");
	assert_int_equal(host->packages, 2);
	assert_int_equal(host->cores, 4);
	assert_int_equal(host->threads, 8);
	assert_int_equal(host->memory, 1024 * 1024);
	assert_int_equal(host->ncaches, 2);
	assert_int_equal(host->caches[0].level, 1);
	assert_int_equal(host->caches[0].bytes, 48 * 1024);
	assert_int_equal(host->caches[0].count, 4);
	assert_int_equal(host->caches[1].level, 3);
	assert_int_equal(host->caches[1].bytes, 30 << 20);
	assert_int_equal(host->caches[1].count, 2);
	assert_int_equal(host->nnuma, 3);
	assert_string_equal(host->numa[1].cpus, "2-3,6-7");
	assert_int_equal(host->numa[1].package, 1);
	assert_int_equal(host->numa[0].memory, 512 * 1024);
	assert_int_equal(host->numa[1].memory, 0);
	assert_int_equal(host->numa[2].os, 10);
	assert_int_equal(host->numa[2].package, TOPO_UNKNOWN);
	assert_int_equal(host->nnotes, 0);
}

static void test_nothing_is_there(void **state)
{
	struct tree *tree = *state;
	struct topo_host *host = new_host(tree);

	assert_int_equal(sysfs_machine(tree->root, host), 0);
	assert_int_equal(sysfs_pci(tree->root, host), 0);
	assert_int_equal(sysfs_nics(tree->root, host), 0);
	sysfs_iommu(tree->root, host);
	assert_int_equal(host->threads + host->cores + host->packages, 0);
	assert_int_equal(host->npci + host->nnics + host->nnuma, 0);
	assert_int_equal(host->iommu, TOPO_MAYBE);
	assert_true(has_note(host, "no hardware threads"));
	assert_true(has_note(host, "no PCI devices"));
	assert_true(has_note(host, "no RDMA devices"));
	assert_true(has_note(host, "no network interface"));
}

/* --- NICs --- */

static void put_rdma(const struct tree *tree, const char *name, const char *device, int port_number, const char *layer,
		     const char *state, const char *rate)
{
	char at[128];

	snprintf(at, sizeof at, "/sys/class/infiniband/%s", name);
	if (port_number == 1) {
		put(tree, "1: CA\n", "%s/node_type", at);
		put_link(tree, device, "%s/device", at);
	}
	put(tree, layer, "%s/ports/%d/link_layer", at, port_number);
	put(tree, state, "%s/ports/%d/state", at, port_number);
	put(tree, rate, "%s/ports/%d/rate", at, port_number);
}

static const struct function ib = { "0x020700", "0x15b3", "0x1021", GEN5, "16", GEN5, "16", "1" };
static const struct function ethernet = { "0x020000", "0x15b3", "0x101d", GEN4, "16", GEN4, "16", "0" };

static void test_infiniband(void **state)
{
	struct tree *tree = *state;
	struct topo_host *host = new_host(tree);

	put_function(tree, PORT, &port);
	put_function(tree, PORT "/0000:18:00.0", &ib);
	put_function(tree, PORT "/0000:18:00.1", &ib);
	put(tree, "24-47\n", "/sys/devices/%s/0000:18:00.0/local_cpulist", PORT);
	put_rdma(tree, "mlx5_0", "/sys/devices/" PORT "/0000:18:00.0", 1, "InfiniBand\n", "4: ACTIVE\n", "400 Gb/sec (4X NDR)\n");
	put_rdma(tree, "mlx5_1", "/sys/devices/" PORT "/0000:18:00.1", 1, "InfiniBand\n", "1: DOWN\n", "10 Gb/sec (4X SDR)\n");
	put(tree, "5: LinkUp\n", "/sys/class/infiniband/mlx5_0/ports/1/phys_state");
	put(tree, "", "/sys/devices/%s/0000:18:00.0/net/ibp24s0/dev_port", PORT);
	assert_int_equal(sysfs_nics(tree->root, host), 0);
	assert_int_equal(host->nnics, 2);
	assert_string_equal(host->nics[0].name, "mlx5_0");
	assert_string_equal(host->nics[0].netdev, "ibp24s0");
	assert_string_equal(host->nics[0].cpus, "24-47");
	assert_int_equal(host->nics[0].fabric, TOPO_INFINIBAND);
	assert_int_equal(host->nics[0].state, TOPO_UP);
	assert_int_equal(host->nics[0].port, 1);
	assert_true(host->nics[0].rate == 50e9);
	assert_string_equal(host->pci[host->nics[0].pci].bus, "0000:18:00.0");
	assert_int_equal(host->pci[host->nics[0].pci].kind, TOPO_NIC);
	assert_int_equal(host->nics[1].state, TOPO_DOWN);
	assert_true(host->nics[1].rate == 0);
}

static void test_a_port_whose_cable_sleeps_is_down(void **state)
{
	struct tree *tree = *state;
	struct topo_host *host = new_host(tree);

	put_function(tree, PORT "/0000:18:00.0", &ib);
	put_rdma(tree, "mlx5_0", "/sys/devices/" PORT "/0000:18:00.0", 1, "InfiniBand\n", "4: ACTIVE\n", "400 Gb/sec (4X NDR)\n");
	put(tree, "3: Disabled\n", "/sys/class/infiniband/mlx5_0/ports/1/phys_state");
	assert_int_equal(sysfs_nics(tree->root, host), 0);
	assert_int_equal(host->nics[0].state, TOPO_DOWN);
	assert_true(host->nics[0].rate == 0);
}

static void test_roce_and_two_ports(void **state)
{
	struct tree *tree = *state;
	struct topo_host *host = new_host(tree);

	put_function(tree, PORT "/0000:18:00.0", &ethernet);
	put_rdma(tree, "mlx4_0", "/sys/devices/" PORT "/0000:18:00.0", 1, "Ethernet\n", "4: ACTIVE\n", "40 Gb/sec (4X QDR)\n");
	put_rdma(tree, "mlx4_0", "", 2, "InfiniBand\n", "4: ACTIVE\n", "40 Gb/sec (4X QDR)\n");
	put(tree, "0", "/sys/devices/%s/0000:18:00.0/net/eth1/dev_port", PORT);
	put(tree, "1", "/sys/devices/%s/0000:18:00.0/net/ib1/dev_port", PORT);
	put_link(tree, "/sys/devices/" PORT "/0000:18:00.0", "/sys/class/net/eth1/device");
	put(tree, "1", "/sys/class/net/eth1/type");
	put(tree, "0x1003", "/sys/class/net/eth1/flags");
	assert_int_equal(sysfs_nics(tree->root, host), 0);
	assert_int_equal(host->nnics, 2);
	assert_int_equal(host->nics[0].fabric, TOPO_ROCE);
	assert_true(host->nics[0].rate == 5e9);
	assert_string_equal(host->nics[0].netdev, "eth1");
	assert_int_equal(host->nics[1].fabric, TOPO_INFINIBAND);
	assert_int_equal(host->nics[1].port, 2);
	assert_true(host->nics[1].rate == 4e9);
	assert_string_equal(host->nics[1].netdev, "ib1");
}

static void test_efa_and_virtual_functions(void **state)
{
	struct tree *tree = *state;
	struct topo_host *host = new_host(tree);

	put_function(tree, "pci0000:00/0000:00:1b.0", &(struct function){ "0x020000", "0x1d0f", "0xefa1", .node = "0" });
	put_function(tree, "pci0000:00/0000:00:1c.0", &(struct function){ "0x020000", "0x1d0f", "0xefa1", .node = "0" });
	put_function(tree, "pci0000:00/0000:00:1d.0", &ib);
	put_rdma(tree, "rdmap0", "/sys/devices/pci0000:00/0000:00:1b.0", 1, "Unspecified\n", "4: ACTIVE\n",
		 "100 Gb/sec (4X EDR)\n");
	put_rdma(tree, "mlx5_9", "/sys/devices/pci0000:00/0000:00:1d.0", 1, "InfiniBand\n", "4: ACTIVE\n",
		 "100 Gb/sec (4X EDR)\n");
	put(tree, "", "/sys/devices/pci0000:00/0000:00:1d.0/physfn/class");
	put(tree, "", "/sys/devices/pci0000:00/0000:00:1b.0/infiniband/rdmap0/x");
	put(tree, "", "/sys/devices/pci0000:00/0000:00:1d.0/infiniband/mlx5_9/x");
	assert_int_equal(sysfs_pci(tree->root, host), 0);
	assert_true(has_note(host, "0000:00:1c.0: an EFA device without a driver here"));
	assert_false(has_note(host, "0000:00:1b.0"));
	assert_int_equal(sysfs_nics(tree->root, host), 0);
	assert_int_equal(host->nnics, 1);
	assert_int_equal(host->nics[0].fabric, TOPO_EFA);
	assert_true(host->nics[0].rate == 12.5e9);
	assert_true(has_note(host, "1 virtual functions"));
}

static void put_interface(const struct tree *tree, const char *name, const char *device, const char *flags, const char *state,
			  const char *speed)
{
	put(tree, "1\n", "/sys/class/net/%s/type", name);
	put(tree, flags, "/sys/class/net/%s/flags", name);
	put(tree, state, "/sys/class/net/%s/operstate", name);
	if (speed)
		put(tree, speed, "/sys/class/net/%s/speed", name);
	if (device)
		put_link(tree, device, "/sys/class/net/%s/device", name);
}

static void test_interfaces(void **state)
{
	struct tree *tree = *state;
	struct topo_host *host = new_host(tree);

	put_function(tree, "pci0000:00/0000:00:03.0", &ethernet);
	put_function(tree, "pci0000:00/0000:00:04.0", &ethernet);
	put(tree, "", "/sys/devices/pci0000:00/0000:00:03.0/virtio2/x");
	put_interface(tree, "eth0", "/sys/devices/pci0000:00/0000:00:03.0/virtio2", "0x1003", "up\n", "25000\n");
	put_interface(tree, "eth1", "/sys/devices/pci0000:00/0000:00:04.0", "0x1003", "down\n", "10000\n");
	put_interface(tree, "eth2", "/sys/devices/pci0000:00/0000:00:04.0", "0x1002", "down\n", NULL);
	put_interface(tree, "eth3", "/sys/devices/pci0000:00/0000:00:04.0", "0x1003", "unknown\n", "-1\n");
	put_interface(tree, "veth0", NULL, "0x1003", "up\n", "10000\n");
	put_interface(tree, "lo", NULL, "0x9", "unknown\n", NULL);
	put(tree, "772\n", "/sys/class/net/lo/type");
	put(tree, "1\n", "/sys/class/net/eth3/carrier");
	assert_int_equal(sysfs_nics(tree->root, host), 0);
	assert_int_equal(host->nnics, 3);
	assert_string_equal(host->nics[0].name, "eth0");
	assert_int_equal(host->nics[0].fabric, TOPO_ETHERNET);
	assert_int_equal(host->nics[0].state, TOPO_UP);
	assert_true(host->nics[0].rate == 3.125e9);
	assert_string_equal(host->pci[host->nics[0].pci].bus, "0000:00:03.0");
	assert_int_equal(host->nics[1].state, TOPO_DOWN);
	assert_true(host->nics[1].rate == 0);
	assert_int_equal(host->nics[2].state, TOPO_UP);
	assert_true(host->nics[2].rate == 0);
	assert_true(has_note(host, "switched off: eth2"));
}

/* --- what follows --- */

static void test_devices_get_node_and_threads(void **state)
{
	struct tree *tree = *state;
	struct topo_host *host = new_host(tree);

	put_machine(tree);
	put_function(tree, PORT "/0000:18:00.0", &ib);
	put_function(tree, PORT "/0000:18:00.1", &(struct function){ "0x030200", "0x10de", "0x2330", .node = "-1" });
	put_rdma(tree, "mlx5_0", "/sys/devices/" PORT "/0000:18:00.0", 1, "InfiniBand\n", "4: ACTIVE\n", "400 Gb/sec (4X NDR)\n");
	assert_int_equal(sysfs_pci(tree->root, host) || sysfs_nics(tree->root, host) || sysfs_gpus(tree->root, host, true), 0);
	assert_int_equal(sysfs_machine(tree->root, host) || pci_settle(host), 0);
	assert_int_equal(host->nics[0].numa, 1);
	assert_string_equal(host->nics[0].cpus, "2-3,6-7");
	assert_int_equal(host->gpus[0].numa, TOPO_UNKNOWN);
	assert_string_equal(host->gpus[0].cpus, "");
	/* With one node there is no other. */
	host->nnuma = 1;
	assert_int_equal(pci_settle(host), 0);
	assert_int_equal(host->gpus[0].numa, 0);
	assert_string_equal(host->gpus[0].cpus, "0-1,4-5");
	host->nnuma = 3;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_numbers_and_texts, begin_tree, end_tree),
		cmocka_unit_test(test_fields),
		cmocka_unit_test_setup_teardown(test_names_are_in_the_order_of_their_numbers, begin_tree, end_tree),
		cmocka_unit_test(test_lists_of_threads),
		cmocka_unit_test_setup_teardown(test_machine, begin_tree, end_tree),
		cmocka_unit_test_setup_teardown(test_nothing_is_there, begin_tree, end_tree),
		cmocka_unit_test_setup_teardown(test_infiniband, begin_tree, end_tree),
		cmocka_unit_test_setup_teardown(test_a_port_whose_cable_sleeps_is_down, begin_tree, end_tree),
		cmocka_unit_test_setup_teardown(test_roce_and_two_ports, begin_tree, end_tree),
		cmocka_unit_test_setup_teardown(test_efa_and_virtual_functions, begin_tree, end_tree),
		cmocka_unit_test_setup_teardown(test_interfaces, begin_tree, end_tree),
		cmocka_unit_test_setup_teardown(test_devices_get_node_and_threads, begin_tree, end_tree),
	};

	return cmocka_run_group_tests_name("sysfs", tests, NULL, NULL);
}
