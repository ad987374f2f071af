/* SPDX-License-Identifier: Apache-2.0
 *
 * Short texts and lists for people.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "topo/show_words.h"

static void words_for_people(void **state)
{
	struct topo_pci pci = { .now = { .gts = 16 }, .most = { .gts = 32, .width = 16 } };
	char text[64];

	(void)state;
	assert_string_equal(show_bytes(0, text, sizeof text), "0 B");
	assert_string_equal(show_bytes(1536, text, sizeof text), "1.5 KiB");
	assert_string_equal(show_bytes(40ULL << 30, text, sizeof text), "40 GiB");
	assert_string_equal(show_bytes(UINT64_MAX, text, sizeof text), "16 EiB");
	assert_string_equal(show_pcie(&pci, text, sizeof text), "PCIe 4.0 (could be 5.0 x16)");
	pci.now.gts = 0;
	assert_string_equal(show_pcie(&pci, text, sizeof text), "PCIe, could be 5.0 x16");
	pci.now = (struct topo_pcie){ .gts = 32, .width = 16 };
	assert_string_equal(show_pcie(&pci, text, sizeof text), "PCIe 5.0 x16");
	pci.most = (struct topo_pcie){ 0 };
	pci.now = (struct topo_pcie){ 0 };
	assert_string_equal(show_pcie(&pci, text, sizeof text), "");
	assert_string_equal(show_nvlinks("NVLink", 0, 0, text, sizeof text), "NVLink");
	assert_string_equal(show_visible("a\033[31m\xff", text, sizeof text), "a?[31m?");
}

static void runs_of_numbers(void **state)
{
	char text[20] = "";
	struct show_run run = { .text = text, .size = sizeof text, .first = -1, .last = -1 };

	(void)state;
	for (int i = 0; i < 3; i++)
		show_run_add(&run, i);
	show_run_add(&run, 5);
	show_run_add(&run, -1);
	assert_string_equal(text, "0-2,5");
	run = (struct show_run){ .text = text, .size = sizeof text, .first = -1, .last = -1 };
	for (int i = 0; i < 100; i++)
		show_run_add(&run, 3 * i);
	show_run_add(&run, -1);
	assert_string_equal(text, "0,3,6,9,12,15,...");
}

static void lists_are_broken_into_lines(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct show_list list;

	(void)state;
	show_list_begin(&list, out, 4, ", ");
	for (int i = 0; i < 30; i++)
		show_list_add(&list, "abcdefgh");
	show_list_end(&list);
	fclose(out);
	assert_null(strstr(text, ", \n"));
	assert_non_null(strstr(text, ",\n    abcdefgh, "));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		assert_true(strlen(line) <= SHOW_COLUMNS);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_for_people),
		cmocka_unit_test(runs_of_numbers),
		cmocka_unit_test(lists_are_broken_into_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
