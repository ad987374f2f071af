/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements of a topology, harmless texts, bus ids, lists of hardware threads, hosts that are kept once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "topo/topo.h"

static void elements_start_unknown(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);
	struct topo_pci *pci = topo_add_pci(host);
	struct topo_gpu *gpu = topo_add_gpu(host);
	struct topo_nic *nic = topo_add_nic(host);
	struct topo_nvlink *nvlink = topo_add_nvlink(host);
	struct topo_numa *numa = topo_add_numa(host);
	struct topo_rank *rank = topo_add_rank(host);
	struct topo_given *given = topo_add_given(host);

	(void)state;
	assert_int_equal(host->alike, TOPO_UNKNOWN);
	assert_string_equal(host->name, "");
	assert_string_equal(host->from, "");
	assert_string_equal(host->cpu, "");
	assert_int_equal(pci->parent, TOPO_UNKNOWN);
	assert_int_equal(pci->root, TOPO_UNKNOWN);
	assert_int_equal(pci->numa, TOPO_UNKNOWN);
	assert_int_equal(pci->acs, TOPO_MAYBE);
	assert_string_equal(pci->bus, "");
	assert_int_equal(gpu->pci, TOPO_UNKNOWN);
	assert_string_equal(gpu->name, "");
	assert_int_equal(nic->pci, TOPO_UNKNOWN);
	assert_int_equal(nic->numa, TOPO_UNKNOWN);
	assert_string_equal(nic->netdev, "");
	assert_int_equal(nvlink->peer, TOPO_UNKNOWN);
	assert_string_equal(nvlink->source, "");
	assert_int_equal(numa->package, TOPO_UNKNOWN);
	assert_int_equal(rank->gpu, TOPO_UNKNOWN);
	assert_int_equal(given->a, TOPO_UNKNOWN);
	assert_int_equal(topo_add_cache(host)->level, 0);
	topo_clear(&topo);
	assert_null(topo.hosts);
	assert_int_equal(topo.nhosts, 0);
}

static void arrays_have_limits(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);

	(void)state;
	for (int i = 0; i < TOPO_MOST_GPUS; i++) {
		struct topo_gpu *gpu = topo_add_gpu(host);

		assert_non_null(gpu);
		gpu->number = i;
	}
	assert_null(topo_add_gpu(host));
	assert_int_equal(host->ngpus, TOPO_MOST_GPUS);
	for (int i = 0; i < TOPO_MOST_GPUS; i++)
		assert_int_equal(host->gpus[i].number, i);
	topo_clear(&topo);
}

static void check_text(const char *value, const char *expected)
{
	char *text = NULL;

	assert_int_equal(topo_set(&text, value), 0);
	assert_string_equal(text, expected);
	free(text);
}

static void texts_are_harmless(void **state)
{
	char longer[600], list[6000];
	char *text = NULL;

	(void)state;
	check_text(NULL, "");
	check_text("NVIDIA H100", "NVIDIA H100");
	check_text("a\033[31mb\n\tc\177", "a?[31mb??c?");
	check_text("M\303\274ller \342\202\254 \360\237\230\200", "M\303\274ller \342\202\254 \360\237\230\200");
	/* alone, overlong, a surrogate, beyond the last, cut, a control character of two bytes */
	check_text("\200 \300\200 \355\240\200 \364\220\200\200 \342\202", "? ?? ??? ???? ??");
	check_text("\302\205", "??");
	memset(longer, 'x', sizeof longer);
	memcpy(longer + 254, "\303\274", 2);
	longer[sizeof longer - 1] = '\0';
	assert_int_equal(topo_set(&text, longer), 0);
	assert_int_equal(strlen(text), 254);
	list[0] = '\0';
	for (int i = 0; i < 800; i++)
		sprintf(list + strlen(list), "%s%d", i ? "," : "", 2 * i + 100000);
	assert_int_equal(topo_set(&text, list), 0);
	assert_true(strlen(text) > TOPO_LONGEST_TEXT && strlen(text) <= TOPO_LONGEST_LIST);
	assert_int_equal(strlen(strrchr(text, ',')), 7);
	assert_int_equal(topo_set(&text, text), 0);
	free(text);
}

static void notes_are_told_once(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);

	(void)state;
	assert_int_equal(topo_note(host, "no %s", "NVML"), 0);
	assert_int_equal(topo_note(host, "no NVML"), 0);
	assert_int_equal(topo_note(host, "a\nb"), 0);
	assert_int_equal(host->nnotes, 2);
	assert_string_equal(host->notes[1], "a?b");
	for (int i = 0; i < 2 * TOPO_MOST_NOTES; i++)
		assert_int_equal(topo_note(host, "note %d", i), 0);
	assert_int_equal(host->nnotes, TOPO_MOST_NOTES);
	topo_clear(&topo);
}

static void check_bus(const char *text, const char *expected)
{
	char bus[24] = "unset";

	assert_int_equal(topo_bus(text, bus), expected ? 0 : -1);
	assert_string_equal(bus, expected ? expected : "unset");
}

static void bus_ids_have_one_spelling(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);

	(void)state;
	check_bus("0000:0f:00.0", "0000:0f:00.0");
	check_bus("00000000:0F:00.0", "0000:0f:00.0");
	check_bus("0F:00.0", "0000:0f:00.0");
	check_bus("00010000:E1:1f.7", "10000:e1:1f.7");
	check_bus("ffff:ff:01.0", "ffff:ff:01.0");
	check_bus("0:1:2.3", "0000:01:02.3");
	check_bus("", NULL);
	check_bus("0f:00", NULL);
	check_bus("0f:00.", NULL);
	check_bus("0f:00.0 ", NULL);
	check_bus("000000000:0f:00.0", NULL);
	check_bus("0000:0f:00.0:0", NULL);
	check_bus("0000:00f:00.0", NULL);
	check_bus("gggg:0f:00.0", NULL);
	topo_set(&topo_add_pci(host)->bus, "0000:01:00.0");
	topo_set(&topo_add_pci(host)->bus, "0000:0f:00.0");
	assert_int_equal(topo_find_pci(host, "00000000:0F:00.0"), 1);
	assert_int_equal(topo_find_pci(host, "0001:0f:00.0"), TOPO_UNKNOWN);
	assert_int_equal(topo_find_pci(host, "nonsense"), TOPO_UNKNOWN);
	topo_clear(&topo);
}

static void lists_of_threads(void **state)
{
	(void)state;
	assert_true(topo_cpus_overlap("0-3,8", "8-11"));
	assert_true(topo_cpus_overlap("0-3", "3"));
	assert_false(topo_cpus_overlap("0-3", "4-7"));
	assert_true(topo_cpus_overlap("0,4-7", "1-3,5"));
	assert_false(topo_cpus_overlap("0-3", "5"));
	assert_false(topo_cpus_overlap("3-1", "0-8"));
	assert_false(topo_cpus_overlap("0x", "0-8"));
	assert_false(topo_cpus_overlap("0-", "0-8"));
	assert_false(topo_cpus_overlap("0", ""));
	assert_false(topo_cpus_overlap("", ""));
}

static struct topo_host *add_like(struct topo *topo, const char *name, uint64_t memory, int width)
{
	struct topo_host *host = topo_add_host(topo);

	topo_set(&host->name, name);
	topo_set(&host->from, "sysfs");
	host->memory = memory;
	topo_add_pci(host)->now.width = width;
	topo_add_rank(host)->rank = (int)topo->nhosts;
	topo_note(host, "of %s", name);
	return host;
}

static void alike_hosts_are_kept_once(void **state)
{
	struct topo topo = { 0 }, more = { 0 };

	(void)state;
	add_like(&topo, "n0", 1000000, 16);
	add_like(&more, "n1", 1000100, 16);
	add_like(&more, "n2", 1000000, 8);
	add_like(&more, "n3", 900000, 16);
	assert_int_equal(topo_merge(&topo, &more), 0);
	assert_int_equal(more.nhosts, 0);
	assert_null(more.hosts);
	assert_int_equal(topo.nhosts, 4);
	assert_int_equal(topo.hosts[1].alike, 0);
	assert_string_equal(topo.hosts[1].name, "n1");
	assert_int_equal(topo.hosts[1].ranks[0].rank, 1);
	assert_int_equal(topo.hosts[1].npci, 0);
	assert_string_equal(topo.hosts[1].from, "");
	assert_int_equal(topo.hosts[2].alike, TOPO_UNKNOWN);
	assert_int_equal(topo.hosts[3].alike, TOPO_UNKNOWN);
	assert_ptr_equal(topo_host_of(&topo, 1), &topo.hosts[0]);
	assert_ptr_equal(topo_host_of(&topo, 2), &topo.hosts[2]);
	topo_clear(&topo);
}

/* Hosts that were merged once keep their describer when they move. */
static void merged_hosts_move(void **state)
{
	struct topo topo = { 0 }, first = { 0 }, second = { 0 }, more = { 0 };

	(void)state;
	add_like(&topo, "a", 0, 4);
	add_like(&first, "n0", 0, 8);
	add_like(&second, "n1", 0, 8);
	add_like(&more, "a1", 0, 4);
	assert_int_equal(topo_merge(&first, &second), 0);
	assert_int_equal(topo_merge(&first, &more), 0);
	assert_int_equal(first.hosts[1].alike, 0);
	assert_int_equal(topo_merge(&topo, &first), 0);
	assert_int_equal(topo.nhosts, 4);
	assert_int_equal(topo.hosts[1].alike, TOPO_UNKNOWN);
	assert_int_equal(topo.hosts[2].alike, 1);
	assert_int_equal(topo.hosts[3].alike, 0);
	assert_int_equal(topo_merge(&topo, &first), 0);
	assert_int_equal(topo.nhosts, 4);
	topo_clear(&topo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_start_unknown),    cmocka_unit_test(arrays_have_limits),
		cmocka_unit_test(texts_are_harmless),        cmocka_unit_test(notes_are_told_once),
		cmocka_unit_test(bus_ids_have_one_spelling), cmocka_unit_test(lists_of_threads),
		cmocka_unit_test(alike_hosts_are_kept_once), cmocka_unit_test(merged_hosts_move),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
