/* SPDX-License-Identifier: Apache-2.0
 *
 * hwloc's view: of exports retyped as far as they matter, and of this machine. Without the library there is one thing to see: it says so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "topo/by_hwloc.h"

static struct topo_host *new_host(struct topo *topo)
{
	topo_clear(topo);
	return topo_add_host(topo);
}

static struct topo_host *read_text(struct topo *topo, const char *text, size_t size)
{
	struct topo_host *host = new_host(topo);
	char why[256] = "";

	if (by_hwloc_xml(text, size, host, why, sizeof why))
		fail_msg("%s", why);
	return host;
}

static void replace(char *text, size_t size, const char *word, const char *by)
{
	for (char *at = text; (at = strstr(at, word)); at += strlen(by)) {
		char *rest = strdup(at + strlen(word));
		size_t room = size - (size_t)(at - text);

		assert_non_null(rest);
		assert_true(snprintf(at, room, "%s%s", by, rest) < (int)room);
		free(rest);
	}
}

/* Two packages of a core of two threads, with a GPU each and what else is on PCI. */
static struct topo_host *read_machine(struct topo *topo, const char *version, const char *gpu, const char *matrix)
{
	char text[16384];
	FILE *in = fopen("tests/data/topo/two_gpus.export", "r");
	size_t length;

	assert_non_null(in);
	length = fread(text, 1, 8192, in);
	fclose(in);
	text[length] = '\0';
	replace(text, sizeof text - 1, "@VERSION@", version);
	replace(text, sizeof text - 1, "@GPU@", gpu);
	replace(text, sizeof text - 1, "@MATRIX@", matrix);
	length = strlen(text);
	/* The byte behind the text is not the library's to read. */
	text[length] = 'x';
	return read_text(topo, text, length);
}

static int begin(void **state)
{
	*state = calloc(1, sizeof(struct topo));
	return *state ? 0 : -1;
}

static int end(void **state)
{
	topo_clear(*state);
	free(*state);
	return 0;
}

static void skip_where_not_built_in(void)
{
	if (by_hwloc_name()[0] == '\0')
		skip();
}

static bool has_note(const struct topo_host *host, const char *words)
{
	for (size_t i = 0; i < host->nnotes; i++) {
		if (strstr(host->notes[i], words))
			return true;
	}
	return false;
}

/* --- exports --- */

static void test_cores_and_nodes(void **state)
{
	const struct topo_host *host;

	skip_where_not_built_in();
	host = read_machine(*state, "2.11.1", "", "");
	assert_string_equal(host->name, "elsewhere");
	assert_string_equal(host->from, "hwloc 2.11.1");
	assert_string_equal(host->cpu, "Test 9000");
	assert_int_equal(host->packages, 2);
	assert_int_equal(host->cores, 2);
	assert_int_equal(host->threads, 4);
	assert_int_equal(host->memory, 12288);
	assert_int_equal(host->nnuma, 2);
	assert_string_equal(host->numa[1].cpus, "2-3");
	assert_int_equal(host->numa[1].package, 1);
	assert_int_equal(host->numa[1].memory, 8192);
	/* Caches of two sizes. */
	assert_int_equal(host->ncaches, 2);
	assert_int_equal(host->caches[1].level, 3);
	assert_int_equal(host->caches[1].bytes, 16384);
	assert_int_equal(host->caches[1].count, 1);
}

static void check_pci(const struct topo_host *host, int index, const char *bus, int parent, int root, double gts, int width)
{
	const struct topo_pci *pci = &host->pci[index];

	assert_string_equal(pci->bus, bus);
	assert_int_equal(pci->parent, parent);
	assert_int_equal(pci->root, root);
	assert_true(pci->now.gts == gts && pci->now.width == width);
}

static void test_pci_tree(void **state)
{
	const struct topo_host *host;

	skip_where_not_built_in();
	host = read_machine(*state, "2.11.1", "NVIDIA A100-SXM4-40GB", "");
	assert_int_equal(host->npci, 9);
	check_pci(host, 0, "0000:00:01.0", TOPO_UNKNOWN, 0, 0, 0);
	check_pci(host, 1, "0000:01:00.0", 0, 0, 8, 8);
	check_pci(host, 2, "0000:02:00.0", 1, 0, 0, 0);
	check_pci(host, 3, "0000:03:00.0", 2, 0, 16, 16);
	check_pci(host, 4, "0000:04:00.0", 1, 0, 8, 4);
	check_pci(host, 5, "0000:0c:00.0", TOPO_UNKNOWN, 0, 0, 0);
	check_pci(host, 6, "0000:81:00.0", TOPO_UNKNOWN, 1, 16, 16);
	assert_int_equal(host->pci[7].kind, TOPO_NVSWITCH);
	assert_int_equal(host->pci[3].numa, 0);
	assert_int_equal(host->pci[6].numa, 1);
	assert_true(has_note(host, "rates of PCIe links alone"));
	assert_int_equal(host->ngpus, 2);
	assert_string_equal(host->gpus[0].name, "NVIDIA A100-SXM4-40GB");
	assert_int_equal(host->gpus[0].number, 0);
	assert_int_equal(host->gpus[0].memory, 1 << 20);
	assert_int_equal(host->gpus[1].number, 1);
	assert_string_equal(host->gpus[1].cpus, "2-3");
}

static void test_nics(void **state)
{
	const struct topo_host *host;

	skip_where_not_built_in();
	host = read_machine(*state, "2.11.1", "", "");
	assert_int_equal(host->nnics, 4);
	assert_string_equal(host->nics[0].name, "mlx5_0");
	assert_string_equal(host->nics[0].netdev, "ib0");
	assert_int_equal(host->nics[0].fabric, TOPO_INFINIBAND);
	assert_int_equal(host->nics[0].state, TOPO_UP);
	assert_int_equal(host->nics[0].port, 1);
	assert_int_equal(host->nics[1].port, 2);
	assert_int_equal(host->nics[1].state, TOPO_DOWN);
	assert_int_equal(host->nics[2].fabric, TOPO_ROCE);
	assert_int_equal(host->nics[2].state, TOPO_STATE_UNKNOWN);
	assert_string_equal(host->nics[3].name, "eth0");
	assert_int_equal(host->nics[3].fabric, TOPO_ETHERNET);
	assert_int_equal(host->nics[3].numa, 1);
	assert_true(host->nics[0].rate == 0);
	assert_true(has_note(host, "0000:0b:00.0: an InfiniBand device without a driver there"));
}

/* From GPU 0 to GPU 1, the switch and the processor. Its lengths are of the text, to the byte. */
static const char *matrix(int gpus, int to_switch, int to_processor)
{
	static char text[1024];
	static const char names[] = "OSDev:14 OSDev:28 PCIDev:29 Package:2 ";
	char values[256];

	snprintf(values, sizeof values, "1000000 %d %d %d %d 1000000 0 0 %d 0 1000000 0 %d 0 0 1000000 ", gpus, to_switch,
		 to_processor, gpus, to_switch, to_processor);
	snprintf(text, sizeof text,
		 "<distances2hetero nbobjs=\"4\" kind=\"25\" name=\"NVLinkBandwidth\">\n<indexes length=\"%zu\">%s</indexes>\n"
		 "<u64values length=\"%zu\">%s</u64values>\n</distances2hetero>\n",
		 strlen(names), names, strlen(values), values);
	return text;
}

static void test_matrix_of_nvlinks(void **state)
{
	const struct topo_host *host;

	skip_where_not_built_in();
	host = read_machine(*state, "2.9.0", "Tesla V100-SXM2-16GB", matrix(50000, 25000, 75000));
	assert_int_equal(host->nnvlinks, 4);
	assert_int_equal(host->nvlinks[0].end, TOPO_END_GPU);
	assert_int_equal(host->nvlinks[0].peer, 1);
	assert_int_equal(host->nvlinks[0].count, 0);
	assert_true(host->nvlinks[0].rate == 50e9);
	assert_string_equal(host->nvlinks[0].source, "hwloc's NVLinkBandwidth");
	assert_int_equal(host->nvlinks[1].end, TOPO_END_SWITCH);
	assert_int_equal(host->nvlinks[1].peer, 7);
	assert_int_equal(host->nvlinks[2].end, TOPO_END_CPU);
	assert_int_equal(host->nvlinks[2].peer, TOPO_UNKNOWN);
	assert_int_equal(host->nvlinks[3].gpu, 1);
	assert_false(has_note(host, "NVLink"));
}

static void test_doubled_rates(void **state)
{
	const struct topo_host *host;

	skip_where_not_built_in();
	host = read_machine(*state, "2.9.0", "NVIDIA A100-SXM4-40GB", matrix(600000, 0, 0));
	assert_true(host->nvlinks[0].rate == 300e9 && host->nvlinks[1].rate == 300e9);
	assert_true(has_note(host, "hwloc 2.9.0 doubles"));
	host = read_machine(*state, "2.9.1", "NVIDIA A100-SXM4-40GB", matrix(600000, 0, 0));
	assert_true(host->nvlinks[0].rate == 600e9);
	assert_true(has_note(host, "GPU 1: NVLinks of 600 GB/s by hwloc, the product has 300"));
	host = read_machine(*state, "2.9.0", "NVIDIA A100-SXM4-40GB", matrix(300000, 0, 0));
	assert_true(host->nvlinks[0].rate == 300e9);
	assert_false(has_note(host, "hwloc 2.9.0 doubles"));
}

static void refused(struct topo *topo, const char *text, const char *words)
{
	char why[256] = "";

	assert_int_equal(by_hwloc_xml(text, strlen(text), new_host(topo), why, sizeof why), -1);
	if (!strstr(why, words))
		fail_msg("%s", why);
}

static void test_what_is_no_export(void **state)
{
	if (by_hwloc_name()[0] == '\0') {
		refused(*state, "<topology/>", "built without it");
		return;
	}
	refused(*state, "", "no export");
	refused(*state, "<topology version='2.0'></topology>", "no export");
	refused(*state, "<system version='1'/>", "no export");
	refused(*state, "<!DOCTYPE topology [<!ENTITY a 'b'>]><topology/>", "entities");
}

/* --- this machine --- */

static void test_this_machine(void **state)
{
	char why[256] = "";
	long threads = sysconf(_SC_NPROCESSORS_ONLN);
	struct topo_host *host = new_host(*state);

	if (by_hwloc_name()[0] == '\0') {
		assert_int_equal(by_hwloc_live(host, false, why, sizeof why), -1);
		assert_string_equal(why, "hwloc: collperf was built without it");
		return;
	}
	assert_int_equal(by_hwloc_live(host, true, why, sizeof why), 0);
	/* A job may be confined to some of them. */
	assert_in_range(host->threads, 1, threads);
	assert_in_range(host->cores, 1, host->threads);
	assert_true(host->nnuma >= 1 && host->memory > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_cores_and_nodes, begin, end),
		cmocka_unit_test_setup_teardown(test_pci_tree, begin, end),
		cmocka_unit_test_setup_teardown(test_nics, begin, end),
		cmocka_unit_test_setup_teardown(test_matrix_of_nvlinks, begin, end),
		cmocka_unit_test_setup_teardown(test_doubled_rates, begin, end),
		cmocka_unit_test_setup_teardown(test_what_is_no_export, begin, end),
		cmocka_unit_test_setup_teardown(test_this_machine, begin, end),
	};

	return cmocka_run_group_tests_name("hwloc", tests, NULL, NULL);
}
