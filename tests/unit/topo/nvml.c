/* SPDX-License-Identifier: Apache-2.0
 *
 * GPUs and NVLinks as NVML tells them, over a stand-in whose machine is chosen by a variable: where links go, what they carry, and calls that fail.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fake_nvml.h"
#include "topo/nvml.h"
#include "topo/pci.h"

struct machine {
	struct topo topo;
	struct topo_host *host;
	struct nvml nvml;
	int listed;
};

static void open_machine(struct machine *machine, const char *name)
{
	char path[1024], why[256];

	memset(machine, 0, sizeof *machine);
	setenv("COLLPERF_FAKE_NVML", name, 1);
	machine->host = topo_add_host(&machine->topo);
	assert_non_null(machine->host);
	if (nvml_open(&machine->nvml, fake_nvml(path), why, sizeof why))
		fail_msg("%s", why);
}

static void ask(struct machine *machine)
{
	assert_int_equal(nvml_gpus(&machine->nvml, machine->host, &machine->listed), 0);
	assert_int_equal(nvml_links(&machine->nvml, machine->host), 0);
}

static void close_machine(struct machine *machine)
{
	nvml_close(&machine->nvml);
	topo_clear(&machine->topo);
}

static void put_switches(struct topo_host *host)
{
	for (int i = 0; i < 4; i++) {
		struct topo_pci *pci = topo_add_pci(host);
		char bus[24];

		snprintf(bus, sizeof bus, "0000:c%d:00.0", i);
		topo_set(&pci->bus, bus);
		pci->kind = TOPO_NVSWITCH;
	}
}

/* The only links of a GPU to this kind of end. */
static const struct topo_nvlink *links_to(const struct topo_host *host, int gpu, enum topo_end end)
{
	const struct topo_nvlink *found = NULL;

	for (size_t i = 0; i < host->nnvlinks; i++) {
		if (host->nvlinks[i].gpu != gpu || host->nvlinks[i].end != end)
			continue;
		assert_null(found);
		found = &host->nvlinks[i];
	}
	assert_non_null(found);
	return found;
}

static bool has_note(const struct topo_host *host, const char *words)
{
	for (size_t i = 0; i < host->nnotes; i++) {
		if (strstr(host->notes[i], words))
			return true;
	}
	return false;
}

/* --- what is there --- */

static void check_switches(struct machine *machine)
{
	static const int counts[] = { 5, 4, 4, 5 };
	const struct topo_host *host = machine->host;

	assert_int_equal(machine->listed, 8);
	assert_int_equal(host->ngpus, 8);
	assert_int_equal(host->nnvlinks, 32);
	for (int i = 0; i < 32; i++) {
		const struct topo_nvlink *nvlink = &host->nvlinks[i];

		assert_int_equal(nvlink->gpu, i / 4);
		assert_int_equal(nvlink->end, TOPO_END_SWITCH);
		assert_int_equal(nvlink->peer, i % 4);
		assert_int_equal(nvlink->count, counts[i % 4]);
		assert_int_equal(nvlink->version, 4);
		assert_true(nvlink->rate == counts[i % 4] * 25e9);
	}
	assert_string_equal(host->nvlinks[0].source, "table: H100, 5 x 25 GB/s");
	assert_int_equal(host->nnotes, 0);
}

static void test_switches(void **state)
{
	struct machine machine;

	(void)state;
	open_machine(&machine, "switch");
	put_switches(machine.host);
	ask(&machine);
	check_switches(&machine);
	assert_string_equal(machine.host->gpus[7].name, "NVIDIA H100 80GB HBM3");
	assert_int_equal(machine.host->gpus[7].number, 7);
	assert_int_equal(machine.host->gpus[7].sm, 90);
	assert_true(machine.host->gpus[7].memory == 85899345920);
	assert_string_equal(machine.host->pci[machine.host->gpus[7].pci].bus, "0000:80:00.0");
	assert_int_equal(machine.host->pci[machine.host->gpus[7].pci].device, 0x2330);
	close_machine(&machine);
}

static void test_ends_are_known_by_their_addresses(void **state)
{
	struct machine machine;

	(void)state;
	open_machine(&machine, "untyped");
	put_switches(machine.host);
	ask(&machine);
	check_switches(&machine);
	close_machine(&machine);
	open_machine(&machine, "pairs");
	machine.nvml.link_type = NULL;
	ask(&machine);
	assert_int_equal(links_to(machine.host, 2, TOPO_END_GPU)->peer, 3);
	close_machine(&machine);
	open_machine(&machine, "power9");
	machine.nvml.link_type = NULL;
	ask(&machine);
	assert_int_equal(links_to(machine.host, 2, TOPO_END_CPU)->count, 3);
	close_machine(&machine);
}

static void test_hidden_switches(void **state)
{
	struct machine machine;
	const struct topo_nvlink *nvlink;

	(void)state;
	open_machine(&machine, "hidden");
	ask(&machine);
	nvlink = links_to(machine.host, 5, TOPO_END_SWITCH);
	assert_int_equal(nvlink->peer, TOPO_UNKNOWN);
	assert_int_equal(nvlink->count, 18);
	assert_true(nvlink->rate == 450e9);
	close_machine(&machine);
}

static void test_pairs(void **state)
{
	struct machine machine;

	(void)state;
	open_machine(&machine, "pairs");
	ask(&machine);
	assert_int_equal(machine.host->nnvlinks, 4);
	for (int i = 0; i < 4; i++) {
		const struct topo_nvlink *nvlink = links_to(machine.host, i, TOPO_END_GPU);

		assert_int_equal(nvlink->peer, i ^ 1);
		assert_int_equal(nvlink->count, 4);
		assert_int_equal(nvlink->version, 3);
		assert_true(nvlink->rate == 56.25e9);
	}
	close_machine(&machine);
}

static void test_links_to_processors(void **state)
{
	struct machine machine;

	(void)state;
	open_machine(&machine, "power9");
	ask(&machine);
	assert_int_equal(links_to(machine.host, 0, TOPO_END_GPU)->count, 3);
	assert_int_equal(links_to(machine.host, 0, TOPO_END_CPU)->count, 3);
	assert_int_equal(links_to(machine.host, 0, TOPO_END_CPU)->peer, TOPO_UNKNOWN);
	assert_true(links_to(machine.host, 0, TOPO_END_CPU)->rate == 75e9);
	close_machine(&machine);
}

/* --- what is amiss --- */

static void test_links_that_are_down(void **state)
{
	struct machine machine;

	(void)state;
	open_machine(&machine, "down");
	ask(&machine);
	assert_int_equal(links_to(machine.host, 0, TOPO_END_GPU)->count, 10);
	assert_true(links_to(machine.host, 0, TOPO_END_GPU)->rate == 250e9);
	assert_int_equal(links_to(machine.host, 1, TOPO_END_GPU)->count, 12);
	assert_int_equal(machine.host->nnotes, 1);
	assert_string_equal(machine.host->notes[0], "GPU 0: 2 of 12 NVLinks are down: 4, 7");
	close_machine(&machine);
	/* Without a bridge all are down, and that is no fault. */
	open_machine(&machine, "no bridge");
	ask(&machine);
	assert_int_equal(machine.host->nnvlinks, 0);
	assert_int_equal(machine.host->nnotes, 0);
	close_machine(&machine);
}

static void test_ends_that_cannot_be(void **state)
{
	struct machine machine;

	(void)state;
	open_machine(&machine, "self");
	ask(&machine);
	assert_int_equal(links_to(machine.host, 0, TOPO_END_UNKNOWN)->peer, TOPO_UNKNOWN);
	assert_int_equal(links_to(machine.host, 0, TOPO_END_GPU)->peer, TOPO_UNKNOWN);
	assert_true(has_note(machine.host, "GPU 1: NVML says that an NVLink leads to itself"));
	assert_true(has_note(machine.host, "0000:f0:00.0, which is no GPU that is listed here"));
	close_machine(&machine);
}

static void test_products_that_are_not_known(void **state)
{
	struct machine machine;
	const struct topo_nvlink *nvlink;

	(void)state;
	open_machine(&machine, "new");
	ask(&machine);
	nvlink = links_to(machine.host, 0, TOPO_END_GPU);
	assert_int_equal(nvlink->version, 5);
	assert_true(nvlink->rate == 100e9);
	assert_string_equal(nvlink->source, "NVML: NVLink5, 2 x 50 GB/s");
	close_machine(&machine);
	open_machine(&machine, "newer");
	ask(&machine);
	nvlink = links_to(machine.host, 0, TOPO_END_GPU);
	assert_int_equal(nvlink->version, 0);
	assert_true(nvlink->rate == 0);
	assert_int_equal(nvlink->count, 2);
	close_machine(&machine);
}

static void test_the_table_decides(void **state)
{
	struct machine machine;

	(void)state;
	open_machine(&machine, "older");
	ask(&machine);
	assert_int_equal(links_to(machine.host, 0, TOPO_END_GPU)->version, 3);
	assert_true(links_to(machine.host, 0, TOPO_END_GPU)->rate == 300e9);
	assert_int_equal(machine.host->nnotes, 1);
	assert_string_equal(machine.host->notes[0],
			    "NVIDIA A100-SXM4-40GB: NVML says NVLink2, the product has NVLink3; taken is the product's");
	close_machine(&machine);
}

static void test_calls_that_fail(void **state)
{
	struct machine machine;

	(void)state;
	open_machine(&machine, "silent");
	ask(&machine);
	assert_int_equal(machine.host->ngpus, 2);
	assert_string_equal(machine.host->gpus[0].name, "");
	assert_true(machine.host->gpus[0].memory == 0 && machine.host->gpus[0].sm == 0);
	assert_int_equal(machine.host->nnvlinks, 0);
	close_machine(&machine);
	open_machine(&machine, "lost");
	ask(&machine);
	assert_int_equal(machine.listed, 7);
	assert_int_equal(machine.host->gpus[3].number, 4);
	assert_true(has_note(machine.host, "NVML: GPU 3: GPU is lost (15)"));
	assert_int_equal(links_to(machine.host, 3, TOPO_END_SWITCH)->count, 18);
	close_machine(&machine);
	open_machine(&machine, "mig");
	ask(&machine);
	assert_true(has_note(machine.host, "GPU 0: MIG is on"));
	close_machine(&machine);
}

static void test_functions_that_are_missing(void **state)
{
	struct machine machine;

	(void)state;
	open_machine(&machine, "pairs");
	machine.nvml.name = NULL;
	machine.nvml.memory = NULL;
	machine.nvml.capability = NULL;
	machine.nvml.mig = NULL;
	machine.nvml.generation = machine.nvml.width = machine.nvml.most_generation = machine.nvml.most_width = NULL;
	machine.nvml.link_version = NULL;
	machine.nvml.link_remote = NULL;
	machine.nvml.error = NULL;
	ask(&machine);
	/* The product is known by its PCI id. */
	assert_int_equal(links_to(machine.host, 0, TOPO_END_GPU)->count, 4);
	assert_int_equal(links_to(machine.host, 0, TOPO_END_GPU)->peer, TOPO_UNKNOWN);
	assert_string_equal(nvml_words(&machine.nvml, 1), "no reason given");
	machine.nvml.link_state = NULL;
	ask(&machine);
	assert_true(has_note(machine.host, "does not tell NVLinks"));
	close_machine(&machine);
}

static void refused(const char *library, const char *name, const char *words)
{
	char why[256] = "";
	struct nvml nvml;

	setenv("COLLPERF_FAKE_NVML", name, 1);
	assert_int_equal(nvml_open(&nvml, library, why, sizeof why), -1);
	assert_string_equal(why, words);
}

static void test_libraries_that_do_not_start(void **state)
{
	char path[1024];

	(void)state;
	fake_nvml(path);
	refused(path, "", "NVML: the NVIDIA driver is not loaded");
	refused(path, "mismatch", "NVML: library and driver are of different versions");
	refused(path, "broken", "NVML: starting it failed: Unknown Error (999)");
	refused("libcollperf-none.so.1", "", "NVML: libcollperf-none.so.1 is not there");
	refused("libm.so.6", "", "NVML: libm.so.6 lacks a function that lists GPUs");
}

/* What sysfs has said of a link stays. */
static void test_pcie_links(void **state)
{
	struct machine machine;
	struct topo_pci *pci;

	(void)state;
	open_machine(&machine, "pairs");
	pci = topo_add_pci(machine.host);
	topo_set(&pci->bus, "0000:10:00.0");
	pci->kind = TOPO_GPU;
	pci->now = (struct topo_pcie){ 16, 16 };
	pci->root = 3;
	ask(&machine);
	assert_int_equal(machine.host->npci, 4);
	assert_int_equal(machine.host->gpus[0].pci, 0);
	pci = machine.host->pci;
	assert_true(pci[0].now.gts == 16 && pci[0].now.width == 16 && pci[0].most.gts == 32 && pci[0].most.width == 16);
	assert_true(pci[1].now.gts == 2.5 && pci[1].now.width == 8 && pci[1].most.gts == 32);
	assert_int_equal(pci[1].root, TOPO_UNKNOWN);
	close_machine(&machine);
}

static void test_declarations(void **state)
{
	const struct nvml_pci last = { .domain = 0x10000, .bus = 0x0f, .device = 0x1f };
	char bus[24];

	(void)state;
	assert_int_equal(sizeof(struct nvml_pci), 68);
	assert_int_equal(offsetof(struct nvml_pci, domain), 16);
	assert_int_equal(offsetof(struct nvml_pci, ids), 28);
	assert_int_equal(sizeof(struct nvml_memory), 24);
	nvml_bus(&last, bus);
	assert_string_equal(bus, "10000:0f:1f.0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_switches),
		cmocka_unit_test(test_ends_are_known_by_their_addresses),
		cmocka_unit_test(test_hidden_switches),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_links_to_processors),
		cmocka_unit_test(test_links_that_are_down),
		cmocka_unit_test(test_ends_that_cannot_be),
		cmocka_unit_test(test_products_that_are_not_known),
		cmocka_unit_test(test_the_table_decides),
		cmocka_unit_test(test_calls_that_fail),
		cmocka_unit_test(test_functions_that_are_missing),
		cmocka_unit_test(test_libraries_that_do_not_start),
		cmocka_unit_test(test_pcie_links),
		cmocka_unit_test(test_declarations),
	};

	return cmocka_run_group_tests_name("nvml", tests, NULL, NULL);
}
