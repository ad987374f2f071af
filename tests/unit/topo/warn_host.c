/* SPDX-License-Identifier: Apache-2.0
 *
 * Warnings of whole hosts: traffic sent round by the root, far cores, hosts that have less than others.
 */
#include "warn_check.h"

static void acs(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = machine(&topo, "n0");
	int port = add_function(host, TOPO_BRIDGE, TOPO_UNKNOWN, 0, 0, 16, 16);
	int up = add_function(host, TOPO_BRIDGE, port, 0, 0, 16, 16);

	(void)state;
	for (int i = 0; i < 2; i++)
		add_gpu(host, "NVIDIA L40S", add_function(host, TOPO_BRIDGE, up, 0, 0, 0, 0), 0, 0, 16);
	add_function(host, TOPO_BRIDGE, up, 0, 0, 0, 0);
	host->pci[port].acs = TOPO_YES;
	check_none(&topo);
	host->pci[6].acs = TOPO_YES;
	check_none(&topo);
	host->pci[2].acs = TOPO_YES;
	check_one(&topo, WARN_ACS,
		  "n0: ACS is on at PCIe bridge 0001:01:02.0: traffic between devices of a switch goes up to the root; it should "
		  "be off");
	host->pci[4].acs = TOPO_YES;
	check_one(&topo, WARN_ACS,
		  "n0: ACS is on at PCIe bridge 0001:01:02.0 and 1 more: traffic between devices of a switch goes up to "
		  "the root; it "
		  "should be off");
	topo_clear(&topo);
}

static void iommu(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = h100(&topo, "n0");

	(void)state;
	host->iommu = TOPO_YES;
	check_one(&topo, WARN_IOMMU,
		  "n0: the IOMMU translates for GPU0 and the other devices, so traffic between them goes through the root; it "
		  "should be off "
		  "or pass through");
	topo_clear(&topo);
	/* Nobody to talk to. */
	host = machine(&topo, "one");
	add_gpu(host, "NVIDIA L40S", TOPO_UNKNOWN, 0, 0, 16);
	host->iommu = TOPO_YES;
	check_none(&topo);
	topo_clear(&topo);
}

static void add_rank(struct topo_host *host, int rank, int gpu, const char *cpus)
{
	struct topo_rank *made = topo_add_rank(host);

	made->rank = rank;
	made->gpu = gpu;
	topo_set(&made->cpus, cpus);
}

static void far_cores(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = h100(&topo, "n0"), *twin;

	(void)state;
	add_rank(host, 0, 0, "0-3");
	add_rank(host, 1, 1, "12-19");
	add_rank(host, 2, TOPO_UNKNOWN, "16-31");
	add_rank(host, 3, 2, "");
	add_rank(host, 4, 99, "0");
	check_none(&topo);
	twin = topo_add_host(&topo);
	topo_set(&twin->name, "n1");
	twin->alike = 0;
	add_rank(twin, 8, 0, "16-19");
	check_one(&topo, WARN_FAR_CORES,
		  "n1: rank 8 runs on hardware threads 16-19 far from its GPU0 (NVIDIA H100 80GB HBM3, 0000:01:00.0), it should "
		  "run on some of "
		  "0-15");
	add_rank(twin, 9, 7, "8");
	check_one(&topo, WARN_FAR_CORES,
		  "n1: rank 8 runs on hardware threads 16-19 far from its GPU0 (NVIDIA H100 80GB HBM3, 0000:01:00.0), it should "
		  "run on some of "
		  "0-15; so does 1 more");
	/* Where the GPU does not say, its node does. */
	topo_set(&topo.hosts[0].gpus[0].cpus, "");
	twin->nranks = 1;
	check_one(&topo, WARN_FAR_CORES,
		  "n1: rank 8 runs on hardware threads 16-19 far from its GPU0 (NVIDIA H100 80GB HBM3, 0000:01:00.0), it should "
		  "run on some of "
		  "0-15");
	twin->nranks = 2;
	topo_clear(&topo);
}

static void unlike_hosts(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host;
	static const char *const less[] = {
		"n3: 0 GPUs, other hosts have 8",
		"n3: 0 NICs that are up, other hosts have 8",
		"n3: 0 NVLinks, other hosts have 144",
		NULL,
	};

	(void)state;
	h100(&topo, "n0");
	for (int i = 1; i < 3; i++) {
		host = topo_add_host(&topo);
		host->alike = 0;
		topo_set(&host->name, "n");
	}
	check_none(&topo);
	topo_set(&topo_add_host(&topo)->name, "n3");
	check(&topo, less, WARN_UNLIKE);
	topo_clear(&topo);
	/* Of two the one with less. */
	h100(&topo, "n0");
	host = h100(&topo, "n1");
	host->nnics = 7;
	check_one(&topo, WARN_UNLIKE, "n1: 7 NICs that are up, other hosts have 8");
	host->nnics = 8;
	topo_clear(&topo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(acs),
		cmocka_unit_test(iommu),
		cmocka_unit_test(far_cores),
		cmocka_unit_test(unlike_hosts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
