/* SPDX-License-Identifier: Apache-2.0
 *
 * hwloc's XML of versions 1 to 3, and what must not reach the library. Without the library there is one answer to all.
 */
#include "read_file.h"

#include "topo/by_hwloc.h"

#define OBJECT(inside) NODE("1073741824", inside)
#define NODE(memory, inside)                                                                                                     \
	"<object type=\"Machine\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" allowed_cpuset=\"0x1\" nodeset=\"0x1\" " \
	"complete_nodeset=\"0x1\" allowed_nodeset=\"0x1\" gp_index=\"1\">\n<object type=\"NUMANode\" os_index=\"0\" "            \
	"cpuset=\"0x1\" complete_cpuset=\"0x1\" nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"2\" local_memory=\"" memory  \
	"\"/>\n"                                                                                                                 \
	"<object type=\"PU\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" nodeset=\"0x1\" complete_nodeset=\"0x1\" "    \
	"gp_index=\"3\"/>" inside "</object>"

static bool is_built_in(void)
{
	return *by_hwloc_name() != '\0';
}

static void gpus_of_power_have_links_to_each_other_and_to_processors(void **state)
{
	struct reading r;
	int to_gpus = 0, to_processors = 0;

	(void)state;
	if (!is_built_in())
		skip();
	read_data(&r, read_hwloc, "hwloc3_power8.xml");
	assert_string_equal(r.host->name, "power8");
	assert_int_equal(r.host->ngpus, 4);
	assert_int_equal(r.host->nnuma, 2);
	assert_int_equal(r.host->numa[1].os, 8);
	assert_int_equal(r.host->gpus[2].numa, 8);
	assert_string_equal(r.host->gpus[2].name, "Tesla P100-SXM2-16GB");
	for (size_t i = 0; i < r.host->nnvlinks; i++) {
		const struct topo_nvlink *link = &r.host->nvlinks[i];

		same_rate(link->rate, 40e9);
		to_processors += link->end == TOPO_END_CPU;
		if (link->end == TOPO_END_GPU) {
			to_gpus++;
			assert_int_equal(link->peer, link->gpu ^ 1);
		}
	}
	assert_int_equal(to_gpus, 4);
	assert_int_equal(to_processors, 4);
	is_linked(r.host, r.host->gpus[3].pci, 8, 16);
	assert_int_equal(r.host->nnics, 1);
	assert_string_equal(r.host->nics[0].name, "mlx5_0");
	assert_string_equal(r.host->nics[0].netdev, "ib0");
	assert_int_equal(r.host->nics[0].fabric, TOPO_INFINIBAND);
	assert_int_equal(r.host->nics[0].numa, 8);
	topo_clear(&r.topo);
}

static void an_export_of_hwloc_1_is_read(void **state)
{
	struct reading r;

	(void)state;
	if (!is_built_in())
		skip();
	read_data(&r, read_hwloc, "hwloc1.xml");
	assert_string_equal(r.host->name, "old");
	assert_int_equal(r.host->packages, 2);
	assert_int_equal(r.host->cores, 2);
	assert_int_equal(r.host->nnuma, 2);
	assert_int_equal(r.host->nnics, 1);
	assert_string_equal(r.host->nics[0].name, "mlx4_0");
	assert_int_equal(r.host->nics[0].numa, 0);
	topo_clear(&r.topo);
}

static void remarks_and_other_elements_do_not_reach_the_library(void **state)
{
	struct reading r;

	(void)state;
	if (!is_built_in())
		skip();
	read_text(&r, read_hwloc,
		  "<topology version=\"2.0\">" OBJECT(
			  "<userdata length=\"3\">abc</userdata><info name=\"HostName\" value=\"a&amp;&quot;&lt;&#10;b\"/>"
			  "<object type=\"Misc\" name=\"x\"><object type=\"PU\"/></object>") "<support name=\"x\"/>"
											     "<cpukind "
											     "cpuset=\"0x1\"/><memattr/"
											     "><distances2 type=\"NUMANode\" "
											     "nbobjs=\"99999999\" "
											     "name=\"NUMALatency\"/>"
											     "</topology>");
	assert_string_equal(r.host->name, "a&\"<?b");
	assert_int_equal(r.host->threads, 1);
	assert_int_equal(r.host->nnuma, 1);
	assert_string_equal(r.host->from, "file");
	topo_clear(&r.topo);
}

static void what_is_no_export_is_refused(void **state)
{
	(void)state;
	if (!is_built_in())
		skip();
	refused(read_hwloc, "", "some/file:1: no XML");
	refused(read_hwloc, "<system version=\"1\"/>",
		"some/file:1: it begins with <system>: hwloc's XML begins with <topology>, this looks like NCCL's");
	refused(read_hwloc, "<root/>", "some/file:1: it begins with <root>: hwloc's XML begins with <topology>");
	refused(read_hwloc, "<topology version=\"2.0\">\n<info/></topology>", "some/file:1: a <topology> of nothing");
	refused(read_hwloc, "<topology version=\"4.0\"/>", "some/file:1: version \"4.0\" of hwloc's XML is not known");
	refused(read_hwloc, "<topology version=\"22\"/>", "some/file:1: version \"22\" of hwloc's XML is not known");
	refused(read_hwloc, "<topology version=\"2.0\">\n" OBJECT(""), "some/file:4: the file ends inside <topology>, it is cut");
}

static void numbers_out_of_range_are_refused(void **state)
{
	(void)state;
	if (!is_built_in())
		skip();
	refused(read_hwloc, "<topology version=\"2.0\">\n<object type=\"Machine\" os_index=\"4294967295\"/></topology>",
		"some/file:2: os_index=\"4294967295\" is no number that is read");
	refused(read_hwloc,
		"<topology version=\"2.0\">" OBJECT(
			"") "\n<distances2 type=\"PU\" nbobjs=\"4000000000\" kind=\"9\" name=\"NVLinkBandwidth\"/></topology>",
		"some/file:4: nbobjs=\"4000000000\" is no number that is read");
	refused(read_hwloc,
		"<topology version=\"2.0\">" OBJECT(
			"") "<distances2 type=\"PU\" nbobjs=\"1\" kind=\"9\" name=\"NVLinkBandwidth\">\n"
			    "<u64values>1;</u64values></distances2></topology>",
		"some/file:4: <u64values> is not of numbers");
}

/* The Machine's cpuset is `set`. */
static void write_machine(char *text, size_t size, const char *set)
{
	static const char whole[] = "<topology version=\"2.0\">\n" OBJECT("") "</topology>";
	const char *at = strstr(whole, "cpuset=\"0x1\"") + strlen("cpuset=\"");

	snprintf(text, size, "%.*s%s%s", (int)(at - whole), whole, set, at + strlen("0x1"));
}

/* The library counts words by commas behind the first character, and aborts where it meets one more. */
static void sets_are_written_as_the_library_writes_them(void **state)
{
	static const char *const right[] = { "0x1",     "0x00000001",         "0x0,0x1",     "0x00000002,,0x00000001", "F1",
					     "0xf...f", "0xf...f,0x00000001", "0xf...f,,0x1" };
	static const char *const wrong[] = { ",0x1", ",,,,0x1",     "0-3",        "0x1;0x2",  "0x1 ",
					     "-1",   "0x123456789", "0xf...f0x1", "0x1,f...f" };
	char text[2000], line[100];
	struct reading r;

	(void)state;
	if (!is_built_in())
		skip();
	for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
		write_machine(text, sizeof text, right[i]);
		read_text(&r, read_hwloc, text);
		assert_int_equal(r.host->threads, 1);
		topo_clear(&r.topo);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		write_machine(text, sizeof text, wrong[i]);
		snprintf(line, sizeof line, "some/file:2: cpuset=\"%s\" is no set that is read", wrong[i]);
		refused(read_hwloc, text, line);
	}
}

/* Of a file's lines the first with these, each replaced by what the library would make something huge of. */
static void numbers_that_cannot_be_are_unknown_with_a_note(void **state)
{
	static const struct {
		const char *from, *to;
	} changes[] = {
		{ "cache_size=\"8388608\"", "cache_size=\"-1\"     " },
		{ ">1000000 40000 ", ">1000000 99999999999999999999999 " },
	};
	char *text = malloc(1 << 20), *at;
	struct reading r;
	size_t size;
	FILE *file = fopen("tests/data/topo/hwloc3_power8.xml", "rb");

	(void)state;
	assert_non_null(file);
	size = fread(text, 1, 1 << 19, file);
	fclose(file);
	text[size] = '\0';
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		at = strstr(text, changes[i].from);
		assert_non_null(at);
		memmove(at + strlen(changes[i].to), at + strlen(changes[i].from), strlen(at) - strlen(changes[i].from) + 1);
		memcpy(at, changes[i].to, strlen(changes[i].to));
	}
	if (is_built_in()) {
		read_text(&r, read_hwloc, text);
		assert_int_equal(r.host->ncaches, 2);
		assert_true(r.host->caches[0].bytes == 0 && r.host->caches[1].bytes == 8388608);
		has_note(r.host, "line 9: cache_size=\"-1\" is no number of bytes that is read: unknown");
		has_note(r.host, "GPU0: hwloc's NVLinkBandwidth has a rate of over 10 TB/s: unknown");
		assert_int_equal(r.host->nvlinks[0].peer, 1);
		same_rate(r.host->nvlinks[0].rate, 0);
		same_rate(r.host->nvlinks[1].rate, 40e9);
		topo_clear(&r.topo);
		read_text(&r, read_hwloc, "<topology version=\"2.0\">" NODE("-5", "") "</topology>");
		assert_true(r.host->numa[0].memory == 0 && r.host->memory == 0);
		has_note(r.host, "line 2: local_memory=\"-5\" is no number of bytes that is read: unknown");
		topo_clear(&r.topo);
		read_text(&r, read_hwloc, "<topology version=\"2.0\">" NODE("99999999999999999", "") "</topology>");
		assert_true(r.host->numa[0].memory == 0 && r.host->nnotes > 0);
		topo_clear(&r.topo);
	}
	free(text);
}

static void only_a_named_dtd_is_passed_over(void **state)
{
	struct reading r;

	(void)state;
	if (!is_built_in())
		skip();
	read_text(&r, read_hwloc,
		  "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">" OBJECT("") "</topology>");
	assert_int_equal(r.host->threads, 1);
	topo_clear(&r.topo);
	refused(read_hwloc, "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\" [<!ENTITY a \"b\">]>\n<topology/>",
		"some/file:1: a DTD (<!DOCTYPE>): such files are not read");
	refused(read_hwloc, "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">&a;</topology>",
		"some/file:2: the entity &a; is not known");
}

static void without_the_library_an_error_says_so(void **state)
{
	(void)state;
	if (is_built_in())
		skip();
	refused(read_hwloc, "<topology/>", "some/file: hwloc's XML cannot be read: collperf was built without hwloc");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gpus_of_power_have_links_to_each_other_and_to_processors),
		cmocka_unit_test(an_export_of_hwloc_1_is_read),
		cmocka_unit_test(remarks_and_other_elements_do_not_reach_the_library),
		cmocka_unit_test(what_is_no_export_is_refused),
		cmocka_unit_test(numbers_out_of_range_are_refused),
		cmocka_unit_test(sets_are_written_as_the_library_writes_them),
		cmocka_unit_test(numbers_that_cannot_be_are_unknown_with_a_note),
		cmocka_unit_test(only_a_named_dtd_is_passed_over),
		cmocka_unit_test(without_the_library_an_error_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
