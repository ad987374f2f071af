/* SPDX-License-Identifier: Apache-2.0
 *
 * Peaks of links against worked values, one way, GB/s.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "topo/peak.h"

/* To the last digit that is given. */
static void check(double rate, double expected, double digit)
{
	if (fabs(rate * 1e-9 - expected) > digit / 2 * 1.000001)
		fail_msg("%.9g GB/s, not %g", rate * 1e-9, expected);
}

static double pcie(double gts, int width)
{
	const struct topo_pcie link = { gts, width };

	return peak_pcie(&link);
}

static void pcie_generations(void **state)
{
	(void)state;
	check(pcie(2.5, 16), 4.000, 0.001);
	check(pcie(5, 16), 8.000, 0.001);
	check(pcie(8, 16), 15.754, 0.001);
	check(pcie(16, 16), 31.508, 0.001);
	check(pcie(32, 16), 63.015, 0.001);
	check(pcie(64, 16), 121.0, 0.001);
	check(pcie(128, 16), 242.0, 0.001);
	check(pcie(2.5, 1), 0.25, 0.001);
	check(pcie(8, 1), 0.98462, 0.00001);
	check(pcie(16, 1), 1.96923, 0.00001);
	check(pcie(16, 4), 7.877, 0.001);
	check(pcie(32, 8), 31.508, 0.001);
	check(pcie(64, 4), 30.25, 0.001);
	assert_true(pcie(0, 16) == 0);
	assert_true(pcie(16, 0) == 0);
	assert_true(pcie(16, -1) == 0);
	assert_true(pcie(12, 16) == 0);
	assert_string_equal(peak_pcie_generation(2.5), "1.0");
	assert_string_equal(peak_pcie_generation(16), "4.0");
	assert_string_equal(peak_pcie_generation(64), "6.0");
	assert_string_equal(peak_pcie_generation(0), "");
	assert_string_equal(peak_pcie_generation(20), "");
}

static void pcie_words(void **state)
{
	(void)state;
	assert_true(peak_pcie_parse("16 GT/s") == 16);
	assert_true(peak_pcie_parse("16.0 GT/s PCIe") == 16);
	assert_true(peak_pcie_parse("2.5 GT/s PCIe\n") == 2.5);
	assert_true(peak_pcie_parse("8GT/s") == 8);
	assert_true(peak_pcie_parse("") == 0);
	assert_true(peak_pcie_parse("Unknown") == 0);
	assert_true(peak_pcie_parse("Unknown speed") == 0);
	assert_true(peak_pcie_parse("7 GT/s") == 0);
	assert_true(peak_pcie_parse("16 MT/s") == 0);
	assert_true(peak_pcie_parse("99999999999999999999 GT/s") == 0);
}

static void check_gpu(const char *name, int device, int version, int links, double total)
{
	const struct peak_gpu *gpu = peak_gpu_find(name, device);

	if (!gpu)
		fail_msg("%s %x is not known", name, (unsigned)device);
	assert_int_equal(gpu->version, version);
	assert_int_equal(gpu->links, links);
	check(gpu->links * gpu->rate, total, 0.001);
	assert_true(gpu->reachable <= gpu->links * gpu->rate);
}

static void nvlinks_of_products(void **state)
{
	(void)state;
	check_gpu("Tesla P100-SXM2-16GB", 0, 1, 4, 80);
	check_gpu("Tesla P100-PCIE-16GB", 0, 0, 0, 0);
	check_gpu("Tesla V100-SXM2-32GB", 0, 2, 6, 150);
	check_gpu("Tesla V100-SXM3-32GB", 0, 2, 6, 150);
	check_gpu("Tesla V100S-PCIE-32GB", 0, 0, 0, 0);
	check_gpu("NVIDIA A100-SXM4-40GB", 0, 3, 12, 300);
	check_gpu("NVIDIA A100-SXM4-80GB", 0, 3, 12, 300);
	check_gpu("NVIDIA A100 80GB PCIe", 0, 3, 12, 300);
	check_gpu("NVIDIA A800-SXM4-80GB", 0, 3, 8, 200);
	check_gpu("NVIDIA A30", 0, 3, 4, 100);
	check_gpu("NVIDIA A40", 0, 3, 4, 56.25);
	check_gpu("NVIDIA RTX A6000", 0, 3, 4, 56.25);
	check_gpu("NVIDIA GeForce RTX 3090", 0, 3, 4, 56.25);
	check_gpu("NVIDIA GeForce RTX 2080 Ti", 0, 2, 2, 50);
	check_gpu("NVIDIA H100 80GB HBM3", 0, 4, 18, 450);
	check_gpu("NVIDIA H100 PCIe", 0, 4, 12, 300);
	check_gpu("NVIDIA H100 NVL", 0, 4, 12, 300);
	check_gpu("NVIDIA H200", 0, 4, 18, 450);
	check_gpu("NVIDIA H20", 0, 4, 18, 450);
	check_gpu("NVIDIA H800", 0, 4, 8, 200);
	check_gpu("NVIDIA B200", 0, 5, 18, 900);
	check_gpu("NVIDIA GB200", 0, 5, 18, 900);
	check_gpu("NVIDIA B300 SXM6 AC", 0, 5, 18, 900);
	check_gpu("NVIDIA L40S", 0, 0, 0, 0);
	check_gpu("NVIDIA L4", 0, 0, 0, 0);
	check_gpu("NVIDIA GeForce RTX 4090", 0, 0, 0, 0);
	check_gpu("", 0x20b0, 3, 12, 300);
	check_gpu("", 0x2330, 4, 18, 450);
	check_gpu("", 0x15f9, 1, 4, 80);
	check_gpu("", 0x2901, 5, 18, 900);
	assert_false(peak_gpu_find("NVIDIA A100-SXM4-40GB", 0)->optional);
	assert_true(peak_gpu_find("NVIDIA A40", 0)->optional);
	assert_true(fabs(peak_gpu_find("NVIDIA H100 80GB HBM3", 0)->reachable - 370.8e9) < 1e6);
}

static void unknown_products(void **state)
{
	(void)state;
	assert_null(peak_gpu_find("", 0));
	assert_null(peak_gpu_find("", 0x1234));
	assert_null(peak_gpu_find("NVIDIA A1000", 0));
	assert_null(peak_gpu_find("NVIDIA A100X", 0));
	assert_null(peak_gpu_find("GRID A100-10C", 0));
	assert_null(peak_gpu_find("NVIDIA H100-80C", 0));
	assert_null(peak_gpu_find("NVIDIA GeForce RTX 4090 Laptop GPU", 0));
	assert_null(peak_gpu_find("AMD Instinct MI300X", 0));
	assert_null(peak_gpu_find("- - -", 0));
}

static void one_nvlink(void **state)
{
	(void)state;
	check(peak_nvlink(1), 20, 0.001);
	check(peak_nvlink(2), 25, 0.001);
	check(peak_nvlink(3), 25, 0.001);
	check(peak_nvlink(4), 25, 0.001);
	check(peak_nvlink(5), 50, 0.001);
	assert_true(peak_nvlink(0) == 0);
	assert_true(peak_nvlink(6) == 0);
	assert_true(peak_nvlink(-1) == 0);
}

static void check_infiniband(const char *text, double expected, double digit, const char *name)
{
	const char *said = "unset";

	check(peak_infiniband(text, &said), expected, digit);
	assert_string_equal(said, name);
}

static void infiniband_by_what_sysfs_says(void **state)
{
	(void)state;
	check_infiniband("10 Gb/sec (4X SDR)\n", 1.0, 0.001, "SDR");
	check_infiniband("10 Gb/sec (4X)", 1.0, 0.001, "SDR");
	check_infiniband("20 Gb/sec (4X DDR)", 2.0, 0.001, "DDR");
	check_infiniband("40 Gb/sec (4X QDR)", 4.0, 0.001, "QDR");
	check_infiniband("40 Gb/sec (4X FDR10)", 5.0, 0.001, "FDR10");
	check_infiniband("56 Gb/sec (4X FDR)", 6.818, 0.001, "FDR");
	check_infiniband("14 Gb/sec (1X FDR)", 1.7045, 0.0001, "FDR");
	check_infiniband("100 Gb/sec (4X EDR)", 12.5, 0.001, "EDR");
	check_infiniband("200 Gb/sec (4X HDR)", 25, 0.001, "HDR");
	check_infiniband("100 Gb/sec (2X HDR)", 12.5, 0.001, "HDR");
	check_infiniband("400 Gb/sec (4X NDR)", 50, 0.001, "NDR");
	check_infiniband("200 Gb/sec (2X NDR)", 25, 0.001, "NDR");
	check_infiniband("800 Gb/sec (4X XDR)", 100, 0.001, "XDR");
	check_infiniband("2.5 Gb/sec (1X SDR)", 0.25, 0.001, "SDR");
	check_infiniband("1600 Gb/sec (4X GDR)", 200, 0.001, "");
	check_infiniband("100 Gb/sec", 12.5, 0.001, "");
	check_infiniband("", 0, 0.001, "");
	check_infiniband("Gb/sec (4X EDR)", 0, 0.001, "");
	check_infiniband("0 Gb/sec (0X EDR)", 0, 0.001, "");
	check_infiniband("100 Mb/sec (4X EDR)", 0, 0.001, "");
	check(peak_infiniband("100 Gb/sec (4X EDR)", NULL), 12.5, 0.001);
}

static void ethernet(void **state)
{
	(void)state;
	check(peak_ethernet(10000), 1.25, 0.001);
	check(peak_ethernet(25000), 3.125, 0.0001);
	check(peak_ethernet(400000), 50, 0.001);
	assert_true(peak_ethernet(-1) == 0);
	assert_true(peak_ethernet(0) == 0);
	assert_true(peak_ethernet(4294967295.0) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pcie_generations), cmocka_unit_test(pcie_words), cmocka_unit_test(nvlinks_of_products),
		cmocka_unit_test(unknown_products), cmocka_unit_test(one_nvlink), cmocka_unit_test(infiniband_by_what_sysfs_says),
		cmocka_unit_test(ethernet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
