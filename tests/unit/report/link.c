/* SPDX-License-Identifier: Apache-2.0
 *
 * Peaks of links, one way and in units of 1e9 bytes, and the reported bandwidths of systems.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectives/collective.h"
#include "report/link.h"
#include "report/system.h"

static const struct {
	const char *name;
	double rate; /* GB/s */
} peaks[] = {
	{ "pcie1", 3.657 },
	{ "pcie2", 7.314 },
	{ "pcie3", 14.404 },
	{ "pcie4", 28.807 },
	{ "pcie4x8", 14.404 },
	{ "pcie5", 57.614 },
	{ "pcie5x4", 14.404 },
	{ "pcie6", 111.06 },
	{ "pcie7", 222.12 },
	/* One way, where data sheets add both: 600 and 900 GB/s, 1.8 TB/s. */
	{ "nvlink1", 80 },
	{ "nvlink2", 150 },
	{ "nvlink3", 300 },
	{ "nvlink4", 450 },
	{ "nvlink5", 900 },
	{ "nvlink3-a800", 200 },
	{ "nvlink4-h800", 200 },
	{ "nvlink3-a30", 100 },
	{ "nvlink4-bridge", 300 },
	{ "nvlink-bridge", 56.25 },
	{ "nvlink2-bridge", 50 },
	{ "xgmi-mi300x", 448 },
	{ "ib-sdr", .994 },
	{ "ib-ddr", 1.987 },
	{ "ib-qdr", 3.975 },
	{ "ib-fdr10", 4.969 },
	{ "ib-fdr", 6.775 }, /* 54.5 Gb/s of data, not 56 */
	{ "ib-edr", 12.42 },
	{ "ib-hdr100", 12.42 },
	{ "ib-hdr", 24.84 },
	{ "ib-ndr", 49.68 },
	{ "ib-xdr", 99.37 },
	{ "eth-10", 1.25 },
	{ "eth-100", 12.5 },
	{ "eth-800", 100 },
	{ "roce-400", 49.02 },
	{ "roce-100", 12.255 },
	{ "efa-p4d", 50 },
	{ "efa-p5", 400 },
	{ "efa-p6-b300", 800 },
};

static void peaks_are_those_of_the_specifications(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof peaks / sizeof *peaks; i++) {
		const struct link *link = link_find(peaks[i].name);

		if (!link)
			fail_msg("no %s", peaks[i].name);
		if (fabs(link->rate / (peaks[i].rate * 1e9) - 1) > 1e-3)
			fail_msg("%s: %g", link->name, link->rate);
	}
}

static void a_link_is_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < link_count; i++) {
		assert_true(links[i].rate > 0 && *links[i].what && *links[i].source);
		assert_true(links[i].reachable >= 0 && links[i].reachable < links[i].rate);
		assert_ptr_equal(link_find(links[i].name), &links[i]);
	}
	assert_null(link_find("nvlink"));
	assert_null(link_find(""));
	/* What rings were seen to reach: 370 GB/s on H100, where the table says 370.8. */
	assert_true(fabs(link_find("nvlink4")->reachable - 370.8e9) < 1e6);
	assert_true(link_find("nvlink4")->nvls && link_find("nvlink5")->nvls && !link_find("nvlink3")->nvls);
}

static void assert_parsed(const char *text, double rate, int count, const char *name)
{
	const struct link *link = NULL;
	double parsed = 0;
	int many = 0;

	if (link_parse(text, &parsed, &many, &link))
		fail_msg("%s is refused", text);
	assert_true(fabs(parsed / rate - 1) < 1e-9);
	assert_int_equal(many, count);
	assert_ptr_equal(link, name ? link_find(name) : NULL);
}

static void names_rates_and_counts(void **state)
{
	static const char *const refused[] = { "",
					       "nvlink9",
					       "ib-ndrx",
					       "ib-ndrx0",
					       "ib-ndrx1025",
					       "ib-ndrx-1",
					       "ib-ndrx2x2",
					       "ib-ndr x2",
					       "x8",
					       "pcie4x2",
					       "pcie4x16x",
					       "0x8",
					       "50Gx99999999999999999999",
					       "-50G",
					       "nvlink3\n",
					       "infx2",
					       "ib-ndrx2.5" };
	const struct link *link = NULL;
	double rate = 7;
	int count = 7;

	(void)state;
	assert_parsed("nvlink3", 300e9, 1, "nvlink3");
	assert_parsed("ib-ndrx8", 400e9 / 8 * 4096 / 4122, 8, "ib-ndr");
	assert_parsed("50G", 50e9, 1, NULL);
	assert_parsed("12.5GB/sx4", 12.5e9, 4, NULL);
	assert_parsed("pcie4x8", link_find("pcie4x8")->rate, 1, "pcie4x8");
	assert_parsed("pcie4x8x2", link_find("pcie4x8")->rate, 2, "pcie4x8");
	assert_parsed("eth-100x1024", 12.5e9, 1024, "eth-100");
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		if (!link_parse(refused[i], &rate, &count, &link))
			fail_msg("'%s' is taken", refused[i]);
		assert_true(rate == 7 && count == 7 && !link);
	}
}

static void a_system_is_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < system_count; i++) {
		const struct system *one = &systems[i];

		assert_ptr_equal(system_find(one->name), one);
		assert_non_null(collective_find(one->collective));
		/* A busbw of some GB/s to some hundred: a value in bits or in both directions would be outside. */
		assert_true(one->low >= 30e9 && one->high >= one->low && one->high <= 900e9);
		assert_true(*one->what && *one->source && one->nranks >= 0 && one->nnodes >= 0);
	}
	assert_null(system_find("h100"));
	assert_true(system_find("a100x8")->low == 230e9 && system_find("h100x8")->high == 482e9);
}

static void lists_name_all_with_their_sources(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	link_list(out);
	system_list(out);
	fclose(out);
	for (size_t i = 0; i < link_count; i++)
		assert_true(strstr(text, links[i].name) && strstr(text, links[i].source) && strstr(text, links[i].what));
	for (size_t i = 0; i < system_count; i++)
		assert_true(strstr(text, systems[i].name) && strstr(text, systems[i].source));
	assert_non_null(strstr(text, "nvlink3           300 GB/s   240 GB/s  A100"));
	assert_non_null(strstr(text, "230 GB/s to 235 GB/s"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(peaks_are_those_of_the_specifications),
		cmocka_unit_test(a_link_is_whole),
		cmocka_unit_test(names_rates_and_counts),
		cmocka_unit_test(a_system_is_whole),
		cmocka_unit_test(lists_name_all_with_their_sources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
