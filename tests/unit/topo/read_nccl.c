/* SPDX-License-Identifier: Apache-2.0
 *
 * NCCL's and RCCL's topologies: whole files as dumped and as clouds ship them, and what in them is missing, odd or hostile.
 */
#include "read_file.h"

#include "topo/path.h"

#define IN_CPU(inside)                                                                                         \
	"<system version=\"1\"><cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"V\" familyid=\"6\" " \
	"modelid=\"1\">" inside "</cpu></system>"
#define GPU(bus, inside)                                                                                               \
	"<pci busid=\"" bus "\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x2330\" link_speed=\"32.0 GT/s PCIe\" " \
	"link_width=\"16\">" inside "</pci>"

static void a_cloud_of_gpus_and_infiniband_named_by_class_alone(void **state)
{
	static const char *const near[] = { "0-23", "24-47", "48-71", "72-95" };
	struct reading r;

	(void)state;
	read_data(&r, read_nccl_xml, "cloud_8ib.xml");
	assert_int_equal(r.host->ngpus, 8);
	assert_int_equal(r.host->nnics, 8);
	assert_int_equal(r.host->nnuma, 4);
	assert_int_equal(r.host->npci, 4 + 16);
	assert_string_equal(r.host->cpu, "AuthenticAMD x86_64 family 23 model 49");
	for (int i = 0; i < 8; i++) {
		const struct topo_gpu *gpu = &r.host->gpus[i];
		const struct topo_nic *nic = &r.host->nics[i];

		assert_int_equal(gpu->number, i);
		assert_int_equal(gpu->numa, i / 2);
		assert_int_equal(nic->numa, i / 2);
		assert_string_equal(gpu->cpus, near[i / 2]);
		assert_string_equal(nic->cpus, near[i / 2]);
		assert_string_equal(r.host->numa[i / 2].cpus, near[i / 2]);
		assert_string_equal(gpu->name, "");
		assert_string_equal(nic->name, "");
		assert_int_equal(nic->fabric, TOPO_INFINIBAND);
		same_rate(nic->rate, 0);
		is_linked(r.host, gpu->pci, 16, 16);
		is_linked(r.host, nic->pci, 16, 16);
		assert_int_equal(r.host->pci[gpu->pci].kind, TOPO_GPU);
		assert_int_equal(r.host->pci[nic->pci].kind, TOPO_NIC);
		assert_int_equal(r.host->pci[gpu->pci].parent, r.host->pci[nic->pci].parent);
	}
	assert_string_equal(r.host->pci[0].bus, "ffff:ff:01.0");
	assert_int_equal(r.host->pci[0].kind, TOPO_BRIDGE);
	assert_int_equal(r.host->pci[0].parent, TOPO_UNKNOWN);
	assert_string_equal(r.host->pci[r.host->gpus[4].pci].bus, "000d:00:00.0");
	assert_int_equal(r.host->nnvlinks, 0);
	has_note(r.host, "the file names no NVLinks");
	has_note(r.host, "8 of 8 NICs have no speed in the file");
	assert_int_equal(r.host->nnotes, 2);
	topo_clear(&r.topo);
}

static void a_cloud_of_gpus_and_elastic_adapters(void **state)
{
	struct reading r;

	(void)state;
	read_data(&r, read_nccl_xml, "cloud_4efa.xml");
	assert_int_equal(r.host->ngpus, 8);
	assert_int_equal(r.host->nnics, 4);
	assert_int_equal(r.host->nnuma, 2);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(r.host->nics[i].fabric, TOPO_EFA);
		assert_int_equal(r.host->nics[i].numa, i / 2);
		is_linked(r.host, r.host->nics[i].pci, 8, 16);
		assert_int_equal(r.host->gpus[2 * i].numa, i / 2);
		assert_int_equal(r.host->pci[r.host->gpus[2 * i + 1].pci].parent, r.host->pci[r.host->nics[i].pci].parent);
		is_linked(r.host, r.host->gpus[2 * i].pci, 8, 16);
	}
	assert_int_equal(r.host->pci[r.host->gpus[0].pci].vendor, 0x10de);
	assert_int_equal(r.host->pci[r.host->gpus[0].pci].device, 0x20b0);
	assert_string_equal(r.host->numa[0].cpus, "0-23,48-71");
	assert_string_equal(r.host->numa[1].cpus, "24-47,72-95");
	topo_clear(&r.topo);
}

static void gpus_come_in_the_order_of_their_numbers_with_links_to_switches(void **state)
{
	static const int numa[] = { 3, 3, 1, 1, 7, 7, 5, 5 };
	struct reading r;

	(void)state;
	read_data(&r, read_nccl_xml, "dgx_a100.xml");
	assert_int_equal(r.host->ngpus, 8);
	assert_int_equal(r.host->nnics, 8);
	assert_int_equal(r.host->nranks, 8);
	assert_int_equal(r.host->nnvlinks, 8 * 6);
	assert_int_equal(r.host->npci, 4 + 16 + 6);
	assert_int_equal(r.host->nnotes, 0);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(r.host->gpus[i].number, i);
		assert_int_equal(r.host->gpus[i].sm, 80);
		assert_int_equal(r.host->gpus[i].numa, numa[i]);
		assert_int_equal(r.host->ranks[i].rank, i);
		assert_int_equal(r.host->ranks[i].gpu, i);
		same_rate(r.host->nics[i].rate, 25e9);
		assert_int_equal(r.host->nics[i].port, 1);
		assert_int_equal(r.host->nics[i].fabric, TOPO_INFINIBAND);
		assert_int_equal(r.host->pci[r.host->nics[i].pci].parent, r.host->pci[r.host->gpus[i].pci].parent);
	}
	assert_string_equal(r.host->nics[7].name, "mlx5_7");
	for (int i = 0; i < 48; i++) {
		const struct topo_nvlink *link = &r.host->nvlinks[i];

		/* Links stay in the order of the file, which begins with GPU 1. */
		assert_int_equal(link->gpu, i < 12 ? 1 - i / 6 : i / 6);
		assert_int_equal(link->end, TOPO_END_SWITCH);
		assert_int_equal(r.host->pci[link->peer].kind, TOPO_NVSWITCH);
		assert_int_equal(link->count, 2);
		assert_int_equal(link->version, 3);
		same_rate(link->rate, 50e9);
		assert_string_equal(link->source, "table: A100 SXM, 2 x 25 GB/s");
	}
	assert_string_equal(r.host->pci[r.host->nvlinks[1].peer].bus, "0000:c5:00.0");
	assert_string_equal(r.host->gpus[0].cpus, "48-63,176-191");
	assert_string_equal(r.host->pci[r.host->gpus[0].pci].bus, "0000:0f:00.0");
	assert_string_equal(r.host->pci[r.host->gpus[1].pci].bus, "0000:07:00.0");
	topo_clear(&r.topo);
}

static void four_switches_share_eighteen_links(void **state)
{
	struct reading r;
	int links = 0;
	double rate = 0;

	(void)state;
	read_data(&r, read_nccl_xml, "h100.xml");
	assert_int_equal(r.host->ngpus, 8);
	for (size_t i = 0; i < r.host->nnvlinks; i++) {
		if (r.host->nvlinks[i].gpu == 7) {
			links += r.host->nvlinks[i].count;
			rate += r.host->nvlinks[i].rate;
			assert_int_equal(r.host->nvlinks[i].version, 4);
		}
	}
	assert_int_equal(links, 18);
	same_rate(rate, 450e9);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(r.host->nics[i].fabric, TOPO_ROCE);
		same_rate(r.host->nics[i].rate, 50e9);
		is_linked(r.host, r.host->gpus[i].pci, 32, 16);
	}
	assert_int_equal(r.host->nnotes, 0);
	topo_clear(&r.topo);
}

static void a_virtual_machine_hides_links_and_switches(void **state)
{
	struct reading r;

	(void)state;
	read_data(&r, read_nccl_xml, "vm_h100.xml");
	assert_int_equal(r.host->ngpus, 8);
	assert_int_equal(r.host->npci, 8);
	for (int i = 0; i < 8; i++) {
		is_linked(r.host, r.host->gpus[i].pci, 0, 0);
		assert_int_equal(r.host->nvlinks[i].gpu, i);
		assert_int_equal(r.host->nvlinks[i].end, TOPO_END_SWITCH);
		assert_int_equal(r.host->nvlinks[i].peer, TOPO_UNKNOWN);
		same_rate(r.host->nvlinks[i].rate, 450e9);
	}
	assert_int_equal(r.host->nnics, 1);
	assert_string_equal(r.host->nics[0].name, "eth0");
	assert_int_equal(r.host->nics[0].fabric, TOPO_ETHERNET);
	assert_int_equal(r.host->nics[0].pci, TOPO_UNKNOWN);
	assert_int_equal(r.host->nics[0].numa, TOPO_UNKNOWN);
	assert_string_equal(r.host->nics[0].cpus, "");
	same_rate(r.host->nics[0].rate, 12.5e9);
	has_note(r.host, "8 of 8 GPUs and NICs have no link speed or width in the file");
	has_note(r.host, "NVSwitches are there but not visible, as in a virtual machine (fffffff:ff:ff.0)");
	has_note(r.host, "2 of 2 networks are without GPUDirect RDMA (gdr=\"0\")");
	assert_int_equal(r.host->nnotes, 3);
	topo_clear(&r.topo);
}

static void a_link_to_the_gpu_itself_is_noted_not_invented(void **state)
{
	struct reading r;

	(void)state;
	read_data(&r, read_nccl_xml, "bridged_a6000.xml");
	assert_int_equal(r.host->ngpus, 2);
	assert_int_equal(r.host->nnuma, 1);
	assert_int_equal(r.host->numa[0].os, 0);
	assert_int_equal(r.host->gpus[1].numa, 0);
	assert_string_equal(r.host->gpus[1].cpus, "0-31");
	assert_int_equal(r.host->nnvlinks, 3);
	assert_int_equal(r.host->nvlinks[2].gpu, 1);
	assert_int_equal(r.host->nvlinks[2].end, TOPO_END_UNKNOWN);
	assert_int_equal(r.host->nvlinks[2].count, 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(r.host->nvlinks[i].end, TOPO_END_GPU);
		assert_int_equal(r.host->nvlinks[i].gpu, i);
		assert_int_equal(r.host->nvlinks[i].peer, 1 - i);
		assert_int_equal(r.host->nvlinks[i].count, 4);
		same_rate(r.host->nvlinks[i].rate, 56.25e9);
	}
	assert_string_equal(r.host->nvlinks[0].source, "table: RTX A6000, 4 x 14.0625 GB/s");
	has_note(r.host, "GPU1: a link to \"0000:21:00.0\": that is this GPU itself, so how many links it has is not known");
	has_note(r.host, "line 3: a <cpu> of NUMA node \"-1\": as there is no other, it is taken as node 0");
	topo_clear(&r.topo);
}

static void a_partial_file_is_what_it_is(void **state)
{
	struct reading r;

	(void)state;
	read_data(&r, read_nccl_xml, "partial.xml");
	assert_int_equal(r.host->ngpus, 0);
	assert_int_equal(r.host->nnics, 1);
	assert_int_equal(r.host->nics[0].fabric, TOPO_EFA);
	assert_int_equal(r.host->npci, 2);
	assert_string_equal(r.host->cpu, "x86_64");
	has_note(r.host, "line 6: 0000:00:1f.0 is neither GPU nor NIC nor switch: left out");
	has_note(r.host, "the file names no GPUs");
	topo_clear(&r.topo);
}

static void amd_links_count_but_have_no_rate(void **state)
{
	struct reading r;

	(void)state;
	read_data(&r, read_nccl_xml, "rccl.xml");
	assert_int_equal(r.host->ngpus, 4);
	assert_int_equal(r.host->nnvlinks, 12);
	assert_int_equal(r.host->nvlinks[0].gpu, 0);
	assert_int_equal(r.host->nvlinks[0].peer, 1);
	assert_int_equal(r.host->nvlinks[0].count, 2);
	assert_int_equal(r.host->nvlinks[0].version, 0);
	same_rate(r.host->nvlinks[0].rate, 0);
	has_note(r.host, "links are AMD's xGMI, shown as NV#; their rate is not known");
	assert_int_equal(r.host->nnotes, 1);
	topo_clear(&r.topo);
}

static void grace_processors_are_ends_of_links(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, read_nccl_xml,
		  IN_CPU("<pci busid=\"9:1:0.0\" class=\"0x030200\" link_speed=\"2.5 GT/s PCIe\"><gpu sm=\"90\">"
			 "<nvlink target=\"0000:00:00.0\" count=\"2\" tclass=\"0x068001\"/><c2c bw=\"44712\" "
			 "count=\"10\"/></gpu></pci>"));
	assert_int_equal(r.host->nnvlinks, 2);
	assert_int_equal(r.host->nvlinks[0].end, TOPO_END_CPU);
	same_rate(r.host->nvlinks[0].rate, 50e9);
	assert_string_equal(r.host->nvlinks[0].source, "table: compute capability 9.0, 2 x 25 GB/s");
	assert_int_equal(r.host->nvlinks[1].end, TOPO_END_CPU);
	same_rate(r.host->nvlinks[1].rate, 447.12e9);
	assert_string_equal(r.host->nvlinks[1].source, "the file's NVLink-C2C: 10 x 44.712 GB/s");
	assert_int_equal(r.host->gpus[0].number, 0);
	assert_string_equal(r.host->pci[0].bus, "0009:01:00.0");
	topo_clear(&r.topo);
}

static void only_the_first_of_several_hosts_is_read(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, read_nccl_xml,
		  "<system version=\"1\">"
		  "<cpu host_hash=\"0x1\" numaid=\"0\" affinity=\"f\"><pci busid=\"0000:01:00.0\" class=\"0x030200\"/></cpu>"
		  "<cpu host_hash=\"0x2\" numaid=\"0\" affinity=\"f0\"><pci busid=\"0000:01:00.0\" class=\"0x030200\"/></cpu>"
		  "<cpu host_hash=\"0x1\" numaid=\"1\" affinity=\"f0\"><pci busid=\"0000:02:00.0\" "
		  "class=\"0x030200\"/></cpu></system>");
	assert_int_equal(r.host->ngpus, 2);
	assert_int_equal(r.host->nnuma, 2);
	assert_string_equal(r.host->gpus[1].cpus, "4-7");
	has_note(r.host, "1 <cpu> of other hosts (another host_hash) are left out");
	topo_clear(&r.topo);
}

static void of_several_processors_without_a_number_none_is_known(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, read_nccl_xml,
		  "<system version=\"1\">\n<cpu numaid=\"-1\" affinity=\"f\"><pci busid=\"0000:01:00.0\" "
		  "class=\"0x030200\"/></cpu>\n"
		  "<cpu affinity=\"f0\"><pci busid=\"0000:02:00.0\" class=\"0x030200\"/></cpu></system>");
	assert_int_equal(r.host->nnuma, 0);
	assert_int_equal(r.host->gpus[0].numa, TOPO_UNKNOWN);
	assert_int_equal(r.host->gpus[1].numa, TOPO_UNKNOWN);
	assert_string_equal(r.host->gpus[1].cpus, "4-7");
	has_note(r.host, "line 2: a <cpu> of NUMA node \"-1\": which node it is is not known");
	has_note(r.host, "line 3: a <cpu> of NUMA node \"\": which node it is is not known");
	topo_clear(&r.topo);
}

static void odd_links_are_kept_as_far_as_they_are_known(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, read_nccl_xml,
		  IN_CPU(GPU("0000:01:00.0", "<gpu dev=\"3\"><nvlink target=\"0000:99:00.0\" count=\"4\" tclass=\"0x030200\"/>"
					     "<nvlink target=\"somewhere\" count=\"2\"/><nvlink target=\"0000:02:00.0\"/></gpu>")
				 GPU("0000:02:00.0", "<gpu dev=\"7\"/>")));
	assert_int_equal(r.host->nnvlinks, 3);
	assert_int_equal(r.host->nvlinks[0].end, TOPO_END_UNKNOWN);
	same_rate(r.host->nvlinks[0].rate, 100e9);
	assert_int_equal(r.host->nvlinks[1].end, TOPO_END_UNKNOWN);
	assert_int_equal(r.host->nvlinks[2].end, TOPO_END_GPU);
	assert_int_equal(r.host->nvlinks[2].peer, 1);
	assert_int_equal(r.host->nvlinks[2].count, 0);
	same_rate(r.host->nvlinks[2].rate, 0);
	assert_int_equal(r.host->gpus[1].number, 7);
	has_note(r.host, "GPU0: a link to \"0000:99:00.0\": not in the file");
	has_note(r.host, "GPU0: a link to \"somewhere\": no bus id, where it goes is not known");
	has_note(r.host, "GPU0: a link to \"0000:02:00.0\": how many is not said");
	topo_clear(&r.topo);
}

static void ends_that_differ_are_noted_and_the_fewer_count(void **state)
{
	struct reading r;
	struct path path;

	(void)state;
	read_text(&r, read_nccl_xml,
		  IN_CPU(GPU("0000:01:00.0", "<gpu dev=\"1\"><nvlink target=\"0000:02:00.0\" count=\"4\"/></gpu>")
				 GPU("0000:02:00.0", "<gpu dev=\"2\"><nvlink target=\"0000:01:00.0\" count=\"2\"/></gpu>")));
	has_note(r.host, "GPU0 to GPU1: 4 links one way, 2 back; the fewer count");
	for (int i = 0; i < 2; i++) {
		path_between(r.host, i, 1 - i, &path);
		assert_int_equal(path.links, 2);
		same_rate(path.rate, 50e9);
	}
	topo_clear(&r.topo);
	/* What only one end tells is true of both. */
	read_text(&r, read_nccl_xml,
		  IN_CPU(GPU("0000:01:00.0", "<gpu><nvlink target=\"0000:02:00.0\" count=\"4\"/></gpu>")
				 GPU("0000:02:00.0", "<gpu><nvlink target=\"0000:02:00.0\" count=\"4\"/></gpu>")));
	path_between(r.host, 1, 0, &path);
	assert_int_equal(path.links, 4);
	same_rate(path.rate, 100e9);
	topo_clear(&r.topo);
}

static void what_is_not_understood_is_noted(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, read_nccl_xml,
		  "<system version=\"9\"><novelty/><cpu numaid=\"2\" affinity=\"xyz\">"
		  "<pci busid=\"0000:01:00.0\" class=\"0x030200\" link_speed=\"fast\" link_width=\"x4\"/>"
		  "<pci busid=\"0000:01:00.0\" class=\"0x020700\"/>"
		  "<pci busid=\"0000:02:00.0\" class=\"0x030000\" vendor=\"0x1a03\" device=\"0x2000\"/>"
		  "<nic><net name=\"mlx5_0\" port=\"1\" speed=\"-5\"/><net name=\"mlx5_0\" port=\"2\" "
		  "speed=\"fast\"/></nic></cpu></system>");
	assert_int_equal(r.host->ngpus, 1);
	assert_int_equal(r.host->nnics, 2);
	assert_int_equal(r.host->nics[1].port, 2);
	assert_int_equal(r.host->nics[1].numa, 2);
	assert_int_equal(r.host->nics[1].fabric, TOPO_FABRIC_UNKNOWN);
	same_rate(r.host->nics[0].rate, 0);
	assert_string_equal(r.host->numa[0].cpus, "");
	has_note(r.host, "<system version=\"9\">: versions 1 and 2 are known");
	has_note(r.host, "<novelty> is not known here and left out");
	has_note(r.host, "NUMA node 2: affinity is no mask of hardware threads");
	has_note(r.host, "0000:01:00.0: link_speed \"fast\" is not understood");
	has_note(r.host, "0000:01:00.0: link_width \"x4\" is no number of lanes");
	has_note(r.host, "line 1: 0000:01:00.0 is there already: left out with what is in it");
	has_note(r.host, "line 1: 0000:02:00.0 is neither GPU nor NIC nor switch: left out");
	topo_clear(&r.topo);
}

static void speeds_are_written_in_several_ways(void **state)
{
	static const struct {
		const char *speed;
		double gts;
	} ways[] = {
		{ "16 GT/s", 16 }, { "16.0 GT/s PCIe", 16 }, { "8 GT/s", 8 }, { "2.5 GT/s PCIe", 2.5 }, { "64.0 GT/s PCIe", 64 }
	};

	(void)state;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		char text[256];
		struct reading r;

		snprintf(text, sizeof text,
			 "<system version='1'><pci link_width='8' link_speed='%s' class='0x030200' busid='01:00.0'/></system>",
			 ways[i].speed);
		read_text(&r, read_nccl_xml, text);
		is_linked(r.host, r.host->gpus[0].pci, ways[i].gts, 8);
		assert_int_equal(r.host->gpus[0].numa, TOPO_UNKNOWN);
		assert_string_equal(r.host->pci[0].bus, "0000:01:00.0");
		topo_clear(&r.topo);
	}
}

static void what_is_no_topology_is_refused_in_one_line(void **state)
{
	(void)state;
	refused(read_nccl_xml, "", "some/file:1: no XML");
	refused(read_nccl_xml, "hello\n", "some/file:1: not XML: syntax error");
	refused(read_nccl_xml, "<system version=\"1\">\n<cpu numaid=\"0\">\n",
		"some/file:3: the file ends inside <cpu>, it is cut");
	refused(read_nccl_xml, "<system>\n<cpu numaid=\"0", "some/file:2: the file ends inside <system>, it is cut");
	refused(read_nccl_xml, "<system>\n</cpu></system>", "some/file:2: not XML: mismatched tag");
	refused(read_nccl_xml, "<system/>\n<system/>", "some/file:2: something follows </system>: a file holds one");
	refused(read_nccl_xml, "<system>\n<system/></system>", "some/file:2: a <system> inside <system>: a file holds one");
	refused(read_nccl_xml, "<x/>", "some/file:1: it begins with <x>: a topology of NCCL begins with <system>");
	refused(read_nccl_xml, "<topology/>", "some/file:1: it begins with <topology>: this looks like hwloc's XML");
	refused(read_nccl_xml, "<graphs/>",
		"some/file:1: it begins with <graphs>: these are the graphs that NCCL chose (NCCL_GRAPH_DUMP_FILE), not a "
		"topology");
	refused(read_nccl_xml, IN_CPU("<pci class=\"0x030200\"/>"), "some/file:1: a <pci> without busid");
	refused(read_nccl_xml, IN_CPU("<pci busid=\"1:2:3:4\"/>"), "some/file:1: \"1:2:3:4\" is no bus id");
	refused(read_nccl_xml, IN_CPU("\n<nvlink/>"), "some/file:2: a <nvlink> inside <cpu>, not <gpu>");
	refused(read_nccl_xml, IN_CPU("\n<cpu/>"), "some/file:2: a <cpu> inside <cpu>, not <system>");
	refused(read_nccl_xml, IN_CPU("<nic>\n<pci busid=\"01:00.0\"/></nic>"), "some/file:2: a <pci> inside <nic>");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cloud_of_gpus_and_infiniband_named_by_class_alone),
		cmocka_unit_test(a_cloud_of_gpus_and_elastic_adapters),
		cmocka_unit_test(gpus_come_in_the_order_of_their_numbers_with_links_to_switches),
		cmocka_unit_test(four_switches_share_eighteen_links),
		cmocka_unit_test(a_virtual_machine_hides_links_and_switches),
		cmocka_unit_test(a_link_to_the_gpu_itself_is_noted_not_invented),
		cmocka_unit_test(a_partial_file_is_what_it_is),
		cmocka_unit_test(amd_links_count_but_have_no_rate),
		cmocka_unit_test(grace_processors_are_ends_of_links),
		cmocka_unit_test(only_the_first_of_several_hosts_is_read),
		cmocka_unit_test(of_several_processors_without_a_number_none_is_known),
		cmocka_unit_test(odd_links_are_kept_as_far_as_they_are_known),
		cmocka_unit_test(ends_that_differ_are_noted_and_the_fewer_count),
		cmocka_unit_test(what_is_not_understood_is_noted),
		cmocka_unit_test(speeds_are_written_in_several_ways),
		cmocka_unit_test(what_is_no_topology_is_refused_in_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
