/* SPDX-License-Identifier: Apache-2.0
 *
 * Somebody's XML that is hostile, or larger than any topology.
 */
#include "read_file.h"

static void nothing_is_expanded_or_opened(void **state)
{
	(void)state;
	refused(read_nccl_xml, "<!DOCTYPE system SYSTEM \"file:///etc/passwd\">\n<system/>",
		"some/file:1: a DTD (<!DOCTYPE>): such files are not read");
	refused(read_nccl_xml,
		"<!DOCTYPE s [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c "
		"\"&b;&b;&b;&b;&b;&b;&b;&b;\">]>\n"
		"<system>&c;</system>",
		"some/file:1: a DTD (<!DOCTYPE>): such files are not read");
	refused(read_nccl_xml, "<system>\n&x;</system>", "some/file:2: not XML: undefined entity");
}

/* "<a>" many times over, or one long value. */
static char *repeated(const char *before, const char *piece, size_t times, const char *behind)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	fputs(before, out);
	for (size_t i = 0; i < times; i++)
		fputs(piece, out);
	fputs(behind, out);
	fclose(out);
	return text;
}

static void what_is_too_much_is_refused(void **state)
{
	char *deep = repeated("<system>", "<pci>", 100000, ""), *wide = repeated("<system version='", "v", 100000, "'/>");
	char *many = repeated("<system>", "<x/>", 600000, "</system>"), *said = repeated("<system>", "word ", 5000, "</system>");
	struct reading r;

	(void)state;
	refused(read_nccl_xml, deep, "some/file:1: more than 64 elements within each other");
	refused(read_nccl_xml, wide, "some/file:1: a value of more than 16384 bytes");
	refused(read_nccl_xml, many, "some/file:1: too many elements");
	refused(read_nccl_xml, said, "some/file:1: a text of more than 16384 bytes");
	read_bytes(&r, read_nccl_xml, "a\nfile", "<x", (size_t)TOPO_MOST_BYTES + 1);
	assert_string_equal(r.error, "a?file: more than 64 MiB");
	free(deep);
	free(wide);
	free(many);
	free(said);
}

static void an_error_fits_its_room(void **state)
{
	struct topo topo = { 0 };
	char error[12];

	(void)state;
	assert_int_equal(read_nccl_xml("some/file", "<x/>", 4, &topo, error, sizeof error), -1);
	assert_string_equal(error, "some/file:1");
	assert_int_equal(read_nccl_xml("some/file", "<x/>", 4, &topo, NULL, 0), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_expanded_or_opened),
		cmocka_unit_test(what_is_too_much_is_refused),
		cmocka_unit_test(an_error_fits_its_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
