/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers that bounds are made of, for kinds of machines that exist.
 */
#include "machines.h"

#include "topo/rates.h"
#include "topo/rates_ring.h"

static void check(const struct topo *topo, double ring, double one_ring, const char *link, const char *words)
{
	struct rates rates;

	assert_int_equal(rates_of(topo, &rates), 0);
	if (fabs(rates.ring * 1e-9 - ring) > 0.0005 || fabs(rates.one_ring * 1e-9 - one_ring) > 0.0005)
		fail_msg("%g, one ring %g GB/s, not %g, %g", rates.ring * 1e-9, rates.one_ring * 1e-9, ring, one_ring);
	assert_string_equal(rates.link, link);
	assert_string_equal(rates.ring_words, words);
}

static void all_through_switches(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = switched(&topo, "h", "NVIDIA H100 80GB HBM3", 32, 18, 4);
	struct rates rates;

	(void)state;
	check(&topo, 450, 450, "nvlink4", "18 x NVLink4: 450 GB/s through switches");
	assert_int_equal(rates_of(&topo, &rates), 0);
	assert_int_equal(rates.levels, 1);
	assert_int_equal(rates.gpus, 8);
	assert_true(rates.nvls);
	assert_int_equal(rates.nics, 8);
	assert_true(rates.nic == 25e9);
	assert_string_equal(rates.nic_words, "8 x InfiniBand: 25 GB/s");
	host->nvlinks[3].count = 17;
	check(&topo, 425, 425, "", "slowest hop GPU2 - GPU3: 17 x NVLink4: 425 GB/s through switches");
	topo_clear(&topo);
	switched(&topo, "a", "NVIDIA A100-SXM4-40GB", 16, 12, 3);
	check(&topo, 300, 300, "nvlink3", "12 x NVLink3: 300 GB/s through switches");
	assert_int_equal(rates_of(&topo, &rates), 0);
	assert_false(rates.nvls);
	topo_clear(&topo);
	switched(&topo, "a", "NVIDIA A100-SXM4-40GB", 16, 0, 0);
	check(&topo, 31.508, 31.508, "pcie4",
	      "slowest hop GPU3 - GPU4: PCIe 4.0 x16: 31.5 GB/s at most: the link between CPUs is not known; without NVLinks, of "
	      "which the "
	      "product has 12");
	topo_clear(&topo);
	switched(&topo, "b", "NVIDIA B200", 32, 18, 5);
	check(&topo, 900, 900, "nvlink5", "18 x NVLink5: 900 GB/s through switches");
	topo_clear(&topo);
}

/* 40 GB/s inside a pair and less, or not more, between them. */
static void pairs_of_gpus(void **state)
{
	struct topo topo = { 0 };

	(void)state;
	pairs_of_p100(&topo, false);
	check(&topo, 15.754, 15.754, "pcie3",
	      "slowest hop GPU1 - GPU2: PCIe 3.0 x16: 15.8 GB/s at most: the link between CPUs is not known");
	topo_clear(&topo);
	pairs_of_p100(&topo, true);
	check(&topo, 40, 40, "",
	      "slowest hop GPU1 - GPU2: NVLink to the CPU: 40 GB/s at most: the link between CPUs is not known");
	topo_clear(&topo);
}

static void pcie_only(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = switched(&topo, "l40s", "NVIDIA L40S", 16, 0, 0);

	(void)state;
	check(&topo, 31.508, 31.508, "pcie4",
	      "slowest hop GPU3 - GPU4: PCIe 4.0 x16: 31.5 GB/s at most: the link between CPUs is not known");
	host->pci[host->gpus[5].pci].now.width = 8;
	check(&topo, 15.754, 15.754, "pcie4x8",
	      "slowest hop GPU5 - GPU6: PCIe 4.0 x8: 15.8 GB/s at most: what is between host bridges is not known");
	host->pci[host->gpus[5].pci].now.width = 0;
	check(&topo, 0, 0, "", "slowest hop GPU0 - GPU5: rate unknown: link speed is not given");
	topo_clear(&topo);
}

/* One ring over double links alone: 50 GB/s; rings over all six links of each: 150. */
static void hybrid_cube_mesh(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = cube_mesh(&topo);
	struct rates_ring ring;
	bool seen[8] = { false };

	(void)state;
	assert_int_equal(rates_ring_find(host, &ring), 0);
	assert_true(ring.rate == 50e9);
	assert_true(ring.direct);
	assert_false(ring.cut_short);
	for (int i = 0; i < 8; i++) {
		struct path path;

		assert_false(seen[ring.order[i]]);
		seen[ring.order[i]] = true;
		path_between(host, ring.order[i], ring.order[(i + 1) % 8], &path);
		assert_true(path.rate >= 50e9);
	}
	rates_ring_clear(&ring);
	check(&topo, 150, 50, "nvlink2",
	      "NVLinks of a GPU together: 150 GB/s; one ring alone, slowest hop GPU0 - GPU3: 2 x NVLink2: 50 GB/s");
	topo_clear(&topo);
}

static void four_with_links_to_each_other(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = machine(&topo, "station");

	(void)state;
	for (int i = 0; i < 4; i++)
		add_gpu(host, "NVIDIA A100-SXM4-80GB", TOPO_UNKNOWN, i, 0, 16);
	for (int i = 0; i < 12; i++)
		add_links(host, i / 3, TOPO_END_GPU, (i / 3 + 1 + i % 3) % 4, 4, 3);
	check(&topo, 300, 100, "nvlink3", "NVLinks of a GPU together: 300 GB/s; one ring alone, 4 x NVLink3: 100 GB/s");
	topo_clear(&topo);
}

static void cycles(void **state)
{
	/* two triangles, then with one link between them, then with two */
	double rate[36];
	double big[400];
	int order[20];

	(void)state;
	for (int i = 0; i < 6; i++) {
		for (int k = 0; k < 6; k++)
			rate[i * 6 + k] = i != k && i / 3 == k / 3 ? 2 : 1;
	}
	assert_int_equal(rates_ring_cycle(rate, 6, 1, 1000, order), 1);
	assert_int_equal(rates_ring_cycle(rate, 6, 2, 1000, order), 0);
	rate[2 * 6 + 3] = rate[3 * 6 + 2] = 2;
	assert_int_equal(rates_ring_cycle(rate, 6, 2, 1000, order), 0);
	rate[0 * 6 + 5] = rate[5 * 6 + 0] = 2;
	assert_int_equal(rates_ring_cycle(rate, 6, 2, 1000, order), 1);
	assert_int_equal(rates_ring_cycle(rate, 6, 3, 1000, order), 0);
	assert_int_equal(rates_ring_cycle(rate, 6, 2, 3, order), -1);
	/* Ten and ten, each linked with the others' alone but for one too many on a side: no cycle, and long to find out. */
	for (int i = 0; i < 20; i++) {
		for (int k = 0; k < 20; k++)
			big[i * 20 + k] = (i < 11) != (k < 11);
	}
	assert_int_equal(rates_ring_cycle(big, 20, 1, 100000, order), -1);
}

/* As many GPUs as there may be, no two pairs as fast: the answer does not take for ever. */
static void many_rates(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);
	struct rates_ring ring;
	double least = 1e18;
	struct path path;

	(void)state;
	for (int i = 0; i < TOPO_MOST_GPUS; i++) {
		struct topo_nvlink *link;

		topo_add_gpu(host);
		link = topo_add_nvlink(host);
		link->gpu = i;
		link->end = TOPO_END_SWITCH;
		link->rate = 1e9 + i;
	}
	host->nvlinks[255].end = TOPO_END_GPU;
	host->nvlinks[255].peer = 7;
	assert_int_equal(rates_ring_find(host, &ring), 0);
	assert_true(ring.rate == 0);
	host->nvlinks[255].end = TOPO_END_SWITCH;
	assert_int_equal(rates_ring_find(host, &ring), 0);
	for (int i = 0; i < TOPO_MOST_GPUS; i++) {
		path_between(host, ring.order[i], ring.order[(i + 1) % TOPO_MOST_GPUS], &path);
		least = path.rate < least ? path.rate : least;
	}
	assert_true(ring.rate == least && least == 1e9);
	rates_ring_clear(&ring);
	topo_clear(&topo);
}

static void one_gpu_or_none(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);
	struct rates rates;

	(void)state;
	assert_int_equal(rates_of(&topo, &rates), -1);
	assert_string_equal(rates.link, "");
	topo_add_gpu(host);
	check(&topo, 0, 0, "", "one GPU: no ring");
	topo_add_gpu(host);
	check(&topo, 0, 0, "", "rate unknown: the place in the PCI tree is not given");
	topo_clear(&topo);
	assert_int_equal(rates_of(&topo, &rates), -1);
}

static void check_nics(const struct topo *topo, int nics, double nic, const char *words)
{
	struct rates rates;

	assert_int_equal(rates_of(topo, &rates), 0);
	assert_int_equal(rates.nics, nics);
	assert_true(fabs(rates.nic * 1e-9 - nic) < 0.0005);
	assert_string_equal(rates.nic_words, words);
}

static void nics_that_count(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = machine(&topo, "n");
	struct topo_nic *nic;

	(void)state;
	for (int i = 0; i < 4; i++)
		add_nic(host, TOPO_UNKNOWN, 0, 0, 16, 200);
	check_nics(&topo, 4, 25, "4 x InfiniBand: 25 GB/s");
	host->nics[1].state = TOPO_DOWN;
	check_nics(&topo, 3, 25, "3 x InfiniBand: 25 GB/s");
	nic = add_nic(host, TOPO_UNKNOWN, 0, 0, 8, 400);
	nic->fabric = TOPO_ETHERNET;
	check_nics(&topo, 3, 25, "3 x InfiniBand: 25 GB/s");
	host->nics[0].rate = 12.5e9 / 10;
	check_nics(&topo, 2, 25, "2 x InfiniBand: 25 GB/s; 1 slower or unknown not counted");
	host->nics[0].rate = 0;
	check_nics(&topo, 2, 25, "2 x InfiniBand: 25 GB/s; 1 slower or unknown not counted");
	host->pci[host->nics[2].pci].now.gts = host->pci[host->nics[3].pci].now.gts = 8;
	check_nics(&topo, 2, 15.754, "2 x InfiniBand: 15.8 GB/s, held back by PCIe; 1 slower or unknown not counted");
	host->nics[2].state = host->nics[3].state = TOPO_DOWN;
	check_nics(&topo, 1, 0, "rate unknown: 1 x InfiniBand, speed not given");
	host->nics[0].fabric = TOPO_ETHERNET;
	host->nics[0].rate = 1.25e9;
	check_nics(&topo, 1, 15.754, "1 x Ethernet: 15.8 GB/s, held back by PCIe; 1 slower or unknown not counted");
	topo_clear(&topo);
}

/* A name of the table is that of a product, whose it is not by having as much. */
static void names_of_links(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = machine(&topo, "n");
	struct rates rates;

	(void)state;
	for (int i = 0; i < 2; i++)
		add_gpu(host, "", TOPO_UNKNOWN, i, 0, 16)->sm = 80;
	add_links(host, 0, TOPO_END_GPU, 1, 4, 3);
	check(&topo, 100, 100, "", "4 x NVLink3: 100 GB/s");
	assert_int_equal(rates_of(&topo, &rates), 0);
	assert_true(rates.nvlink);
	for (int i = 0; i < 2; i++)
		topo_set(&host->gpus[i].name, "NVIDIA A100 80GB PCIe");
	check(&topo, 100, 100, "", "4 x NVLink3: 100 GB/s");
	for (int i = 0; i < 2; i++)
		topo_set(&host->gpus[i].name, "NVIDIA A30");
	check(&topo, 100, 100, "nvlink3-a30", "4 x NVLink3: 100 GB/s");
	host->nvlinks[0].end = TOPO_END_UNKNOWN;
	assert_int_equal(rates_of(&topo, &rates), 0);
	assert_false(rates.nvlink);
	topo_clear(&topo);
}

static void two_levels(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host;
	struct rates rates;

	(void)state;
	switched(&topo, "n0", "NVIDIA H100 80GB HBM3", 32, 18, 4);
	host = topo_add_host(&topo);
	host->alike = 0;
	assert_int_equal(rates_of(&topo, &rates), 0);
	assert_int_equal(rates.levels, 2);
	assert_int_equal(rates.gpus, 8);
	assert_string_equal(rates.ring_words, "18 x NVLink4: 450 GB/s through switches");
	host = switched(&topo, "n2", "NVIDIA H100 80GB HBM3", 32, 18, 4);
	host->nics[0].state = TOPO_DOWN;
	for (int i = 0; i < 8; i++)
		host->nvlinks[i].count = 12;
	assert_int_equal(rates_of(&topo, &rates), 0);
	assert_true(rates.ring == 300e9);
	assert_int_equal(rates.nics, 7);
	assert_string_equal(rates.ring_words, "12 x NVLink4: 300 GB/s through switches; hosts differ, the least counts");
	assert_string_equal(rates.nic_words, "7 x InfiniBand: 25 GB/s; hosts differ, the least counts");
	/* Only what differs says so. */
	for (int i = 0; i < 8; i++)
		host->nvlinks[i].count = 18;
	assert_int_equal(rates_of(&topo, &rates), 0);
	assert_string_equal(rates.ring_words, "18 x NVLink4: 450 GB/s through switches");
	assert_string_equal(rates.nic_words, "7 x InfiniBand: 25 GB/s; hosts differ, the least counts");
	/* Which are the least is not known then. */
	for (int i = 0; i < 8; i++) {
		host->nics[i].rate = 0;
		host->nics[i].fabric = TOPO_EFA;
	}
	check_nics(&topo, 7, 0, "rate unknown: 7 x EFA, speed not given; other hosts: 8 x InfiniBand: 25 GB/s");
	for (int i = 0; i < 8; i++)
		topo.hosts[0].nics[i].rate = 0;
	check_nics(&topo, 7, 0, "rate unknown: 8 x InfiniBand, speed not given; other hosts: 7 x EFA, speed not given");
	topo_set(&topo_add_host(&topo)->name, "login");
	assert_int_equal(rates_of(&topo, &rates), -1);
	topo_clear(&topo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_through_switches),
		cmocka_unit_test(pairs_of_gpus),
		cmocka_unit_test(pcie_only),
		cmocka_unit_test(hybrid_cube_mesh),
		cmocka_unit_test(four_with_links_to_each_other),
		cmocka_unit_test(cycles),
		cmocka_unit_test(many_rates),
		cmocka_unit_test(one_gpu_or_none),
		cmocka_unit_test(nics_that_count),
		cmocka_unit_test(names_of_links),
		cmocka_unit_test(two_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
