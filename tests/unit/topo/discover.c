/* SPDX-License-Identifier: Apache-2.0
 *
 * Hosts from all sources together: this machine, and one of eight GPUs and four switches from a small tree and a stand-in of NVML.
 */
#include "fake_tree.h"

#include <sched.h>
#include <sys/wait.h>

#include "fake_nvml.h"
#include "topo/by_hwloc.h"
#include "topo/discover.h"
#include "topo/discover_check.h"

static const struct topo_host *discover(struct topo *topo, const struct discover_setup *setup)
{
	topo_clear(topo);
	assert_int_equal(discover_host(topo, setup), 0);
	assert_int_equal(topo->nhosts, 1);
	return &topo->hosts[0];
}

/* --- this machine --- */

static void test_this_machine(void **state)
{
	struct topo topo = { 0 };
	const struct topo_host *host = discover(&topo, NULL);
	char name[256] = "";

	(void)state;
	gethostname(name, sizeof name - 1);
	assert_string_equal(host->name, name);
	assert_in_range(host->threads, 1, sysconf(_SC_NPROCESSORS_CONF));
	assert_true(host->memory > 0);
	if (access("/sys/devices/system/cpu/cpu0/topology", F_OK) == 0)
		assert_in_range(host->cores, 1, host->threads);
	if (access("/sys/devices/system/node/node0", F_OK) == 0)
		assert_true(host->nnuma >= 1);
	assert_non_null(strstr(host->from, "sysfs"));
	topo_clear(&topo);
}

/* The real machine's NICs of hardware are found without the libraries. */
static void test_interfaces_of_this_machine(void **state)
{
	const struct discover_setup setup = { .no_hwloc = true, .no_nvml = true };
	struct topo topo = { 0 };
	const struct topo_host *host = discover(&topo, &setup);
	long flags = 0;
	FILE *in = fopen("/sys/class/net/eth0/flags", "r");

	(void)state;
	if (in) {
		char text[32] = "";

		flags = fgets(text, sizeof text, in) ? strtol(text, NULL, 16) : 0;
		fclose(in);
	}
	if ((flags & 1) && access("/sys/class/net/eth0/device", F_OK) == 0) {
		bool found = false;

		for (size_t i = 0; i < host->nnics; i++)
			found |= strcmp(host->nics[i].netdev, "eth0") == 0;
		assert_true(found);
	}
	assert_string_equal(host->from, "sysfs");
	topo_clear(&topo);
}

static void test_libraries_and_files_agree(void **state)
{
	const struct discover_setup bare = { .no_hwloc = true, .no_nvml = true };
	struct topo topo = { 0 }, files = { 0 };
	const struct topo_host *host, *other;

	(void)state;
	if (by_hwloc_name()[0] == '\0')
		skip();
	host = discover(&topo, NULL);
	other = discover(&files, &bare);
	assert_int_equal(host->nnics, other->nnics);
	/* hwloc leaves out what a job may not use. */
	assert_true(host->threads <= other->threads);
	if (host->threads == other->threads) {
		assert_int_equal(host->cores, other->cores);
		assert_int_equal(host->packages, other->packages);
		assert_string_equal(host->cpu, other->cpu);
		assert_int_equal(host->nnuma, other->nnuma);
		assert_string_equal(host->numa[0].cpus, other->numa[0].cpus);
		assert_int_equal(host->ncaches, other->ncaches);
		for (size_t i = 0; i < host->ncaches; i++)
			assert_memory_equal(&host->caches[i], &other->caches[i], sizeof host->caches[i]);
	}
	topo_clear(&topo);
	topo_clear(&files);
}

static void test_nothing_changes(void **state)
{
	struct topo topo = { 0 };
	char *before = discover_own_cpus(), *after;
	char folder[512] = "", later[512] = "";

	(void)state;
	assert_non_null(getcwd(folder, sizeof folder));
	discover(&topo, NULL);
	after = discover_own_cpus();
	assert_string_equal(before, after);
	assert_non_null(getcwd(later, sizeof later));
	assert_string_equal(folder, later);
	/* No process was left, nor started. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	free(before);
	free(after);
	topo_clear(&topo);
}

static void test_own_threads(void **state)
{
	cpu_set_t all, one;
	char *list;
	size_t last = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
	for (size_t i = 0; i < CPU_SETSIZE; i++)
		last = CPU_ISSET(i, &all) ? i : last;
	CPU_ZERO(&one);
	CPU_SET(last, &one);
	assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
	list = discover_own_cpus();
	assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
	assert_int_equal(strtol(list, NULL, 10), last);
	assert_int_equal(strspn(list, "0123456789"), strlen(list));
	free(list);
	list = discover_own_cpus();
	if (last > 0 && last + 1 == (size_t)CPU_COUNT(&all)) {
		char expected[32];

		snprintf(expected, sizeof expected, "0-%zu", last);
		assert_string_equal(list, expected);
	}
	free(list);
}

/* --- a machine of eight GPUs --- */

static const struct function port = { "0x060400", "0x1000", "0xc030", "16.0 GT/s PCIe", "16", "16.0 GT/s PCIe", "16", "0" };

static void put_host(const struct tree *tree)
{
	put(tree, "dgx1\n", "/proc/sys/kernel/hostname");
	put(tree, "0-3\n", "/sys/devices/system/cpu/online");
	put(tree, "0-1\n", "/sys/devices/system/node/node0/cpulist");
	put(tree, "2-3\n", "/sys/devices/system/node/node1/cpulist");
	for (int i = 0; i < 8; i++) {
		char path[128];
		struct function gpu = { "0x030200", "0x10de", "0x2330", "16.0 GT/s PCIe", "16", "16.0 GT/s PCIe", "16", NULL };

		gpu.node = i < 4 ? "0" : "1";
		snprintf(path, sizeof path, "pci0000:%d0/0000:%d0:01.0", i < 4 ? 0 : 9, i < 4 ? 0 : 9);
		if (i % 4 == 0)
			put_function(tree, path, &port);
		snprintf(path + strlen(path), sizeof path - strlen(path), "/0000:%d0:00.0", i + 1);
		put_function(tree, path, &gpu);
	}
	for (int i = 0; i < 4; i++) {
		char path[128];

		snprintf(path, sizeof path, "pci0000:b0/0000:c%d:00.0", i);
		put_function(tree, path, &(struct function){ "0x068000", "0x10de", "0x22a3", .node = "1" });
	}
}

static const struct topo_host *discover_tree(struct topo *topo, const struct tree *tree, const char *machine)
{
	char path[1024];
	const struct discover_setup setup = { .root = tree->root, .nvml = machine ? fake_nvml(path) : NULL };

	setenv("COLLPERF_FAKE_NVML", machine ? machine : "", 1);
	return discover(topo, &setup);
}

static void test_eight_gpus(void **state)
{
	const struct tree *tree = *state;
	struct topo topo = { 0 };
	const struct topo_host *host;

	put_host(tree);
	host = discover_tree(&topo, tree, "switch");
	assert_string_equal(host->name, "dgx1");
	assert_string_equal(host->from, "sysfs, NVML");
	assert_int_equal(host->ngpus, 8);
	assert_int_equal(host->npci, 14);
	assert_int_equal(host->nnvlinks, 32);
	for (int i = 0; i < 8; i++) {
		const struct topo_gpu *gpu = &host->gpus[i];

		assert_string_equal(gpu->name, "NVIDIA H100 80GB HBM3");
		assert_int_equal(gpu->numa, i < 4 ? 0 : 1);
		assert_string_equal(gpu->cpus, i < 4 ? "0-1" : "2-3");
		/* sysfs, not NVML, tells the link. */
		assert_true(host->pci[gpu->pci].now.gts == 16);
		assert_int_equal(host->pci[gpu->pci].root, i < 4 ? 0 : 1);
		assert_int_equal(host->pci[host->nvlinks[4 * i + 3].peer].kind, TOPO_NVSWITCH);
	}
	assert_string_equal(host->pci[host->nvlinks[3].peer].bus, "0000:c3:00.0");
	topo_clear(&topo);
}

static void test_gpus_that_are_not_ours(void **state)
{
	const struct tree *tree = *state;
	struct topo topo = { 0 };
	const struct topo_host *host;

	put_host(tree);
	host = discover_tree(&topo, tree, "pairs");
	assert_int_equal(host->ngpus, 4);
	assert_true(has_note(host, "NVML lists 4 of 8 NVIDIA GPUs on PCI: these alone are counted"));
	host = discover_tree(&topo, tree, "lost");
	assert_int_equal(host->ngpus, 7);
	assert_true(has_note(host, "NVML lists 7 of 8"));
	topo_clear(&topo);
}

static void test_without_a_driver(void **state)
{
	const struct tree *tree = *state;
	struct topo topo = { 0 };
	const struct topo_host *host;

	put_host(tree);
	host = discover_tree(&topo, tree, "mismatch");
	assert_int_equal(host->ngpus, 8);
	assert_string_equal(host->from, "sysfs");
	assert_string_equal(host->gpus[7].name, "");
	assert_int_equal(host->gpus[7].number, 7);
	assert_int_equal(host->nnvlinks, 0);
	assert_true(has_note(host, "different versions"));
	host = discover_tree(&topo, tree, "none");
	assert_int_equal(host->ngpus, 8);
	assert_true(has_note(host, "NVML lists 0 of 8 NVIDIA GPUs on PCI"));
	host = discover_tree(&topo, tree, NULL);
	assert_int_equal(host->ngpus, 8);
	topo_clear(&topo);
}

/* --- two sources beside each other --- */

static struct topo_host *gpu_host(struct topo *topo, double rate, int node)
{
	struct topo_host *host = topo_add_host(topo);
	struct topo_pci *pci = topo_add_pci(host);
	struct topo_nvlink *nvlink;

	topo_set(&pci->bus, "0000:10:00.0");
	pci->kind = TOPO_GPU;
	pci->numa = node;
	topo_add_gpu(host)->pci = 0;
	host->gpus[0].number = 0;
	for (int i = 0; i < 2; i++) {
		nvlink = topo_add_nvlink(host);
		nvlink->gpu = 0;
		nvlink->rate = rate / 2;
	}
	return host;
}

static const char *check(struct topo *a, struct topo *b)
{
	assert_int_equal(discover_check(&a->hosts[0], &b->hosts[0]), 0);
	return a->hosts[0].nnotes > 0 ? a->hosts[0].notes[0] : "";
}

static void test_sources_that_differ(void **state)
{
	struct topo ours = { 0 }, theirs = { 0 };

	(void)state;
	gpu_host(&ours, 300e9, 1);
	gpu_host(&theirs, 600e9, 1);
	assert_string_equal(check(&ours, &theirs), "GPU 0 has NVLinks of 300 GB/s, hwloc says 600; taken is the former");
	assert_true(ours.hosts[0].nvlinks[0].rate == 150e9);
	topo_clear(&ours);
	topo_clear(&theirs);
	/* What is signalled is a little more than what is carried. */
	gpu_host(&ours, 450e9, TOPO_UNKNOWN);
	gpu_host(&theirs, 18 * 26.562e9, 1);
	assert_string_equal(check(&ours, &theirs), "");
	assert_int_equal(ours.hosts[0].pci[0].numa, 1);
	topo_clear(&theirs);
	gpu_host(&theirs, 0, 0);
	assert_string_equal(check(&ours, &theirs), "0000:10:00.0 is near NUMA node 1 by sysfs, 0 by hwloc; taken is sysfs'");
	assert_int_equal(ours.hosts[0].pci[0].numa, 1);
	topo_clear(&ours);
	topo_clear(&theirs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_this_machine),
		cmocka_unit_test(test_interfaces_of_this_machine),
		cmocka_unit_test(test_libraries_and_files_agree),
		cmocka_unit_test(test_nothing_changes),
		cmocka_unit_test(test_own_threads),
		cmocka_unit_test_setup_teardown(test_eight_gpus, begin_tree, end_tree),
		cmocka_unit_test_setup_teardown(test_gpus_that_are_not_ours, begin_tree, end_tree),
		cmocka_unit_test_setup_teardown(test_without_a_driver, begin_tree, end_tree),
		cmocka_unit_test(test_sources_that_differ),
	};

	return cmocka_run_group_tests_name("discover", tests, NULL, NULL);
}
