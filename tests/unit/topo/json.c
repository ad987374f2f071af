/* SPDX-License-Identifier: Apache-2.0
 *
 * A topology in JSON: written and read back it is the same; what others wrote is refused with a place, or skipped, and never crashes.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "topo/json.h"

static void fill_devices(struct topo_host *host)
{
	struct topo_pci *pci = topo_add_pci(host);
	struct topo_gpu *gpu;
	struct topo_nic *nic;

	topo_set(&pci->bus, "0000:00:01.0");
	pci->root = 3;
	pci->acs = TOPO_NO;
	for (int i = 0; i < 3; i++) {
		pci = topo_add_pci(host);
		pci->kind = i == 2 ? TOPO_NIC : TOPO_GPU;
		pci->parent = 0;
		pci->root = 3;
		pci->numa = 0;
		pci->vendor = 0x10de;
		pci->device = 0x2330 + i;
		pci->now = (struct topo_pcie){ 2.5, 8 };
		pci->most = (struct topo_pcie){ 32, 16 };
	}
	for (int i = 0; i < 2; i++) {
		gpu = topo_add_gpu(host);
		topo_set(&gpu->name, "NVIDIA H100 80GB HBM3");
		topo_set(&gpu->cpus, "0-23,96-119");
		gpu->number = i;
		gpu->pci = 1 + i;
		gpu->numa = 0;
		gpu->memory = 85899345920;
		gpu->sm = 90;
	}
	nic = topo_add_nic(host);
	topo_set(&nic->name, "mlx5_0");
	topo_set(&nic->netdev, "ib0");
	topo_set(&nic->cpus, "0-23");
	nic->fabric = TOPO_ROCE;
	nic->port = 1;
	nic->rate = 54.54545e9 / 8;
	nic->state = TOPO_DOWN;
	nic->pci = 3;
	nic->numa = 0;
}

static void fill_rest(struct topo_host *host)
{
	struct topo_nvlink *nvlink = topo_add_nvlink(host);
	struct topo_given *given = topo_add_given(host);
	struct topo_rank *rank = topo_add_rank(host);

	*topo_add_cache(host) = (struct topo_cache){ 3, 33554432, 4 };
	nvlink->gpu = 0;
	nvlink->end = TOPO_END_GPU;
	nvlink->peer = 1;
	nvlink->count = 18;
	nvlink->version = 4;
	nvlink->rate = 450e9;
	topo_set(&nvlink->source, "NVML");
	nvlink = topo_add_nvlink(host);
	nvlink->gpu = 1;
	nvlink->end = TOPO_END_SWITCH;
	nvlink->peer = 3;
	*given = (struct topo_given){ 0, 2, TOPO_NODE, 0 };
	rank->rank = 0;
	rank->gpu = 1;
	topo_set(&rank->cpus, "4-7");
	topo_note(host, "NVML says nothing of \"links\"");
}

static void fill(struct topo *topo)
{
	struct topo_host *host = topo_add_host(topo), *twin;
	struct topo_numa *numa = topo_add_numa(host);

	numa->os = 8;
	numa->package = 1;
	numa->memory = 1099511627776;
	topo_set(&numa->cpus, "0-23,96-119");
	topo_set(&host->name, "n0");
	topo_set(&host->from, "hwloc 2.9.0, sysfs, NVML");
	topo_set(&host->cpu, "POWER8NVL, altivec \303\274");
	host->packages = 2;
	host->cores = 48;
	host->threads = 96;
	host->memory = 2199023255552;
	host->iommu = TOPO_YES;
	fill_devices(host);
	fill_rest(host);
	twin = topo_add_host(topo);
	topo_set(&twin->name, "n1");
	twin->alike = 0;
	topo_add_rank(twin)->gpu = 1;
	topo_set(&topo_add_host(topo)->name, "empty");
}

static void reading_gives_an_equal_struct(void **state)
{
	struct topo topo = { 0 }, back = { 0 };
	char error[200] = "", *text, *again;
	const struct topo_host *a, *b;

	(void)state;
	fill(&topo);
	text = topo_to_text(&topo);
	assert_non_null(text);
	assert_int_equal(topo_from_text(text, strlen(text), &back, error, sizeof error), 0);
	assert_int_equal(back.nhosts, 3);
	for (size_t i = 0; i < 3; i++) {
		a = &topo.hosts[i];
		b = &back.hosts[i];
		assert_string_equal(a->name, b->name);
		assert_int_equal(a->alike, b->alike);
		assert_int_equal(a->nranks, b->nranks);
		assert_int_equal(a->memory, b->memory);
		assert_true(topo_hosts_alike(a, b));
	}
	assert_int_equal(back.hosts[0].ranks[0].gpu, 1);
	assert_string_equal(back.hosts[0].ranks[0].cpus, "4-7");
	assert_int_equal(back.hosts[1].ranks[0].gpu, 1);
	assert_int_equal(back.hosts[0].nnotes, 1);
	assert_string_equal(back.hosts[0].notes[0], topo.hosts[0].notes[0]);
	assert_true(back.hosts[0].nics[0].rate == topo.hosts[0].nics[0].rate);
	again = topo_to_text(&back);
	assert_string_equal(text, again);
	free(text);
	free(again);
	topo_clear(&topo);
	topo_clear(&back);
}

/* What cannot be true is not written, so that our own files are always read. */
static void nothing_wrong_is_written(void **state)
{
	struct topo topo = { 0 }, back = { 0 };
	struct topo_host *host = topo_add_host(&topo);
	struct topo_gpu *gpu = topo_add_gpu(host);
	struct topo_nic *nic = topo_add_nic(host);
	char error[200], *text;

	(void)state;
	gpu->pci = 7;
	gpu->numa = -7;
	gpu->memory = UINT64_MAX;
	nic->rate = 1e300;
	nic->fabric = (enum topo_fabric)99;
	topo_add_pci(host)->parent = 0;
	text = topo_to_text(&topo);
	assert_non_null(text);
	assert_int_equal(topo_from_text(text, strlen(text), &back, error, sizeof error), 0);
	assert_int_equal(back.hosts[0].gpus[0].pci, TOPO_UNKNOWN);
	assert_int_equal(back.hosts[0].gpus[0].numa, TOPO_UNKNOWN);
	assert_int_equal(back.hosts[0].gpus[0].memory, 0);
	assert_true(back.hosts[0].nics[0].rate == 0);
	assert_int_equal(back.hosts[0].pci[0].parent, TOPO_UNKNOWN);
	free(text);
	topo_clear(&topo);
	topo_clear(&back);
}

static void check_link(const json_t *link, const char *from, const char *to, const char *class, double rate, const char *words)
{
	assert_string_equal(json_string_value(json_object_get(link, "from")), from);
	assert_string_equal(json_string_value(json_object_get(link, "to")), to);
	assert_string_equal(json_string_value(json_object_get(link, "class")), class);
	assert_string_equal(json_string_value(json_object_get(link, "words")), words);
	assert_true(fabs(json_number_value(json_object_get(link, "rate")) - rate) < 1);
}

static void links_are_written(void **state)
{
	struct topo topo = { 0 };
	json_t *json, *links;

	(void)state;
	fill(&topo);
	topo.hosts[0].ngiven = 0;
	json = topo_to_json(&topo);
	links = json_object_get(json_array_get(json_object_get(json, "hosts"), 0), "links");
	assert_int_equal(json_array_size(links), 3);
	check_link(json_array_get(links, 0), "GPU0", "GPU1", "NV18", 450e9, "18 x NVLink4: 450 GB/s");
	check_link(json_array_get(links, 2), "GPU1", "NIC0", "PIX", 32e9 / 8 * 8 * 128 / 130,
		   "PCIe 5.0 x8: 31.5 GB/s (idle: at 1.0 now)");
	assert_null(json_object_get(json_array_get(json_object_get(json, "hosts"), 1), "links"));
	json_decref(json);
	topo_clear(&topo);
}

static void check_refused(const char *text, const char *expected)
{
	struct topo topo = { 0 };
	char error[200] = "";

	if (topo_from_text(text, strlen(text), &topo, error, sizeof error) != -1)
		fail_msg("read: %s", text);
	if (!strstr(error, expected))
		fail_msg("%s: \"%s\" lacks \"%s\"", text, error, expected);
	assert_null(topo.hosts);
	for (const char *c = error; *c; c++)
		assert_true((unsigned char)*c >= ' ');
}

static void what_is_wrong_is_refused_with_its_place(void **state)
{
	(void)state;
	check_refused("", "line 1");
	check_refused("{\"hosts\":\n[\033", "line 2");
	check_refused("[]", "no list of hosts");
	check_refused("{}", "no list of hosts");
	check_refused("{\"hosts\":{}}", "no list of hosts");
	check_refused("{\"hosts\":[{},1]}", "hosts[1]: not an object");
	check_refused("{\"hosts\":[{\"name\":1}]}", "hosts[0].name: not a text");
	check_refused("{\"hosts\":[{\"gpus\":{}}]}", "hosts[0].gpus: not a list");
	check_refused("{\"hosts\":[{\"gpus\":[{},2]}]}", "hosts[0].gpus[1]: not an object");
	check_refused("{\"hosts\":[{\"gpus\":[{\"pci\":0}]}]}", "hosts[0].gpus[0].pci: 0 where there is nothing to name");
	check_refused("{\"hosts\":[{\"pci\":[{}],\"gpus\":[{\"pci\":1}]}]}", "hosts[0].gpus[0].pci: 1 is not between 0 and 0");
	check_refused("{\"hosts\":[{\"pci\":[{}],\"gpus\":[{\"pci\":-1}]}]}", "pci: -1 is not");
	check_refused("{\"hosts\":[{\"pci\":[{},{\"parent\":1}]}]}", "hosts[0].pci[1].parent: 1 is not between 0 and 0");
	check_refused("{\"hosts\":[{\"pci\":[{\"parent\":1},{}]}]}", "hosts[0].pci[0].parent: 1 where");
	check_refused("{\"hosts\":[{\"pci\":[{\"kind\":\"cpu\"}]}]}", "kind: a word that is not known");
	check_refused("{\"hosts\":[{\"pci\":[{\"kind\":1}]}]}", "kind: not a text");
	check_refused("{\"hosts\":[{\"pci\":[{\"now\":3}]}]}", "now: not an object");
	check_refused("{\"hosts\":[{\"pci\":[{\"now\":{\"gts\":-1}}]}]}", "now: not a number");
	check_refused("{\"hosts\":[{\"pci\":[{\"now\":{\"width\":4294967296}}]}]}", "width: 4294967296 is not between");
	check_refused("{\"hosts\":[{\"nics\":[{\"rate\":1e19}]}]}", "nics[0].rate: not a number");
	check_refused("{\"hosts\":[{\"nics\":[{\"rate\":\"1\"}]}]}", "nics[0].rate: not a number");
	check_refused("{\"hosts\":[{\"memory\":-5}]}", "memory: not a number of bytes");
	check_refused("{\"hosts\":[{\"memory\":5.5}]}", "memory: not a number of bytes");
	check_refused("{\"hosts\":[{\"cores\":1.5}]}", "cores: not a whole number");
	check_refused("{\"hosts\":[{\"notes\":[1]}]}", "notes: not a text");
	check_refused("{\"hosts\":[{\"notes\":1}]}", "notes: not a list");
	check_refused("{\"hosts\":[{\"alike\":0}]}", "alike: not an earlier host");
	check_refused("{\"hosts\":[{},{\"alike\":0},{\"alike\":1}]}", "host 1 is itself like another");
	check_refused("{\"hosts\":[{},{\"alike\":0,\"ranks\":[{\"gpu\":0}]}]}", "hosts[1].ranks[0].gpu: 0 where");
	check_refused("{\"hosts\":[{\"gpus\":[{}],\"nvlinks\":[{\"gpu\":0,\"end\":\"gpu\",\"peer\":1}]}]}", "peer: 1 is not");
	check_refused("{\"hosts\":[{\"gpus\":[{}],\"nvlinks\":[{\"gpu\":0,\"peer\":0}]}]}", "peer: 0 where");
	check_refused("{\"hosts\":[{\"gpus\":[{}],\"given\":[{\"a\":0,\"b\":1}]}]}", "given[0].b: 1 is not");
}

static void huge_counts_are_refused(void **state)
{
	size_t most = TOPO_MOST_GPUS + 1;
	char *text = malloc(100 + 3 * most), *at = text;

	(void)state;
	at += sprintf(at, "{\"hosts\":[{\"gpus\":[{}");
	for (size_t i = 1; i < most; i++)
		at += sprintf(at, ",{}");
	strcpy(at, "]}]}");
	check_refused(text, "hosts[0].gpus: out of memory, or more than 256");
	free(text);
}

static void deep_nesting_is_survived(void **state)
{
	enum { DEPTH = 100000 };
	char *text = malloc(2 * DEPTH + 100);

	(void)state;
	strcpy(text, "{\"hosts\":");
	memset(text + strlen(text), '[', DEPTH);
	text[9 + DEPTH] = '\0';
	check_refused(text, "line 1");
	free(text);
}

static void what_is_not_known_is_skipped(void **state)
{
	static const char text[] =
		"{\"hosts\":[{\"name\":\"a\\u001b[2J\\n\",\"colour\":{\"x\":[1]},\"cores\":null,\"gpus\":null,\"links\":[7],"
		"\"nics\":[{\"name\":\"x\",\"cheese\":1}]}],\"more\":2}";
	struct topo topo = { 0 };
	char error[200];

	(void)state;
	assert_int_equal(topo_from_text(text, strlen(text), &topo, error, sizeof error), 0);
	assert_string_equal(topo.hosts[0].name, "a?[2J?");
	assert_int_equal(topo.hosts[0].nnics, 1);
	assert_int_equal(topo.hosts[0].cores, 0);
	topo_clear(&topo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_gives_an_equal_struct),
		cmocka_unit_test(nothing_wrong_is_written),
		cmocka_unit_test(links_are_written),
		cmocka_unit_test(what_is_wrong_is_refused_with_its_place),
		cmocka_unit_test(huge_counts_are_refused),
		cmocka_unit_test(deep_nesting_is_survived),
		cmocka_unit_test(what_is_not_known_is_skipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
