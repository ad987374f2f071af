/* SPDX-License-Identifier: Apache-2.0
 *
 * The matrix of nvidia-smi topo -m: of several drivers, inside logs, cut, contradicting itself.
 */
#include "read_file.h"

/* The class that the source gives for two ends. */
static void is_given(const struct topo_host *host, int a, int b, enum topo_class class, int links)
{
	for (size_t i = 0; i < host->ngiven; i++) {
		if (host->given[i].a != a || host->given[i].b != b)
			continue;
		assert_int_equal(host->given[i].class, class);
		assert_int_equal(host->given[i].links, links);
		return;
	}
	assert_int_equal(class, TOPO_CLASS_UNKNOWN);
}

static void a_whole_matrix_with_escapes_and_a_legend(void **state)
{
	struct reading r;

	(void)state;
	read_data(&r, read_smi, "smi_a100.txt");
	assert_int_equal(r.host->ngpus, 8);
	assert_int_equal(r.host->nnics, 10);
	assert_int_equal(r.host->nnuma, 4);
	assert_int_equal(r.host->ngiven, 18 * 17 / 2);
	is_given(r.host, 0, 7, TOPO_NV, 12);
	is_given(r.host, 0, 8, TOPO_PXB, 0);
	is_given(r.host, 0, 10, TOPO_SYS, 0);
	is_given(r.host, 16, 17, TOPO_PIX, 0);
	assert_int_equal(r.host->gpus[7].number, 7);
	assert_int_equal(r.host->gpus[7].numa, 5);
	assert_string_equal(r.host->gpus[7].cpus, "80-95,208-223");
	assert_int_equal(r.host->gpus[7].pci, TOPO_UNKNOWN);
	assert_int_equal(r.host->numa[0].os, 3);
	assert_string_equal(r.host->numa[0].cpus, "48-63,176-191");
	assert_string_equal(r.host->nics[0].name, "mlx5_0");
	assert_string_equal(r.host->nics[8].name, "mlx5_bond_0");
	assert_string_equal(r.host->nics[9].name, "mlx5_11");
	assert_int_equal(r.host->nics[0].fabric, TOPO_FABRIC_UNKNOWN);
	assert_int_equal(r.host->nnotes, 0);
	topo_clear(&r.topo);
}

static void an_old_driver_names_devices_and_sockets(void **state)
{
	struct reading r;

	(void)state;
	read_data(&r, read_smi, "smi_2016.txt");
	assert_int_equal(r.host->ngpus, 4);
	assert_int_equal(r.host->nnics, 1);
	assert_string_equal(r.host->nics[0].name, "mlx5_0");
	is_given(r.host, 0, 1, TOPO_NV, 1);
	is_given(r.host, 0, 2, TOPO_PHB, 0);
	is_given(r.host, 0, 3, TOPO_SYS, 0);
	is_given(r.host, 1, 2, TOPO_NODE, 0);
	is_given(r.host, 2, 3, TOPO_NV, 2);
	is_given(r.host, 0, 4, TOPO_PIX, 0);
	assert_int_equal(r.host->nnuma, 0);
	assert_int_equal(r.host->gpus[3].numa, TOPO_UNKNOWN);
	assert_string_equal(r.host->gpus[3].cpus, "8-15,24-31");
	assert_int_equal(r.host->nnotes, 0);
	topo_clear(&r.topo);
}

static void a_log_with_prefixes_other_matrices_and_cut_rows(void **state)
{
	struct reading r;

	(void)state;
	read_data(&r, read_smi, "smi_log.txt");
	assert_int_equal(r.host->ngpus, 2);
	assert_int_equal(r.host->nnics, 2);
	assert_string_equal(r.host->gpus[0].name, "NVIDIA H100 PCIe");
	assert_string_equal(r.host->gpus[1].name, "NVIDIA H100 PCIe");
	assert_int_equal(r.host->gpus[1].numa, 1);
	assert_string_equal(r.host->gpus[0].cpus, "0-15");
	assert_string_equal(r.host->nics[0].name, "mlx5_2");
	assert_string_equal(r.host->nics[1].name, "irdma-x1");
	is_given(r.host, 0, 1, TOPO_NV, 10);
	is_given(r.host, 0, 2, TOPO_NODE, 0);
	is_given(r.host, 0, 3, TOPO_PIX, 0);
	is_given(r.host, 1, 2, TOPO_SYS, 0);
	is_given(r.host, 1, 3, TOPO_SYS, 0);
	is_given(r.host, 2, 3, TOPO_PHB, 0);
	has_note(r.host, "GPU0 to GPU1 is NV12, but back NV10: the farther is taken");
	has_note(r.host, "the word \"WAT\" of the matrix is not understood");
	has_note(r.host, "the row of NIC1 is cut: 2 of 4 words");
	has_note(r.host, "another matrix, in line 18, is left out");
	assert_int_equal(r.host->nnotes, 4);
	topo_clear(&r.topo);
}

static void the_smallest_matrix_is_one_gpu(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, read_smi, "\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \t\t\t\tN/A\n");
	assert_int_equal(r.host->ngpus, 1);
	assert_int_equal(r.host->ngiven, 0);
	assert_string_equal(r.host->gpus[0].cpus, "");
	assert_int_equal(r.host->gpus[0].numa, TOPO_UNKNOWN);
	assert_int_equal(r.host->nnotes, 0);
	topo_clear(&r.topo);
}

static void affinities_may_be_missing_or_several(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, read_smi,
		  "GPU0 GPU1 GPU2 CPU Affinity NUMA Affinity\r\nGPU0 X SYS SYS 0-3 0-1\r\nGPU1 SYS X SYS N/A N/A\r\nGPU2 SYS SYS "
		  "X 1\r\n");
	assert_int_equal(r.host->ngpus, 3);
	assert_string_equal(r.host->gpus[0].cpus, "0-3");
	assert_int_equal(r.host->gpus[0].numa, TOPO_UNKNOWN);
	assert_string_equal(r.host->gpus[1].cpus, "");
	assert_string_equal(r.host->gpus[2].cpus, "");
	assert_int_equal(r.host->gpus[2].numa, TOPO_UNKNOWN);
	assert_int_equal(r.host->nnuma, 0);
	topo_clear(&r.topo);
}

static void a_short_row_still_has_its_threads(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, read_smi,
		  "GPU0 GPU1 GPU2 CPU Affinity NUMA Affinity\nGPU0 X SYS PIX 0-3 0\nGPU1 SYS X 8-11 1\nGPU2 PIX SYS X 0-3 0\n");
	assert_string_equal(r.host->gpus[1].cpus, "8-11");
	assert_int_equal(r.host->gpus[1].numa, 1);
	is_given(r.host, 1, 2, TOPO_SYS, 0);
	has_note(r.host, "the row of GPU1 is cut: 2 of 3 words");
	assert_int_equal(r.host->nnotes, 1);
	topo_clear(&r.topo);
}

static void the_legend_of_another_host_is_not_ours(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, read_smi,
		  "GPU0 NIC0 CPU Affinity\nGPU0 X PIX 0\nNIC0 PIX X\n\nGPU0 NIC0 CPU Affinity\nGPU0 X SYS 0\nNIC0 SYS X\nNIC0: "
		  "mlx5_9\n");
	assert_string_equal(r.host->nics[0].name, "");
	is_given(r.host, 0, 1, TOPO_PIX, 0);
	has_note(r.host, "another matrix, in line 5, is left out");
	has_note(r.host, "1 of 1 NICs have no name (no \"NIC Legend\")");
	topo_clear(&r.topo);
}

static void the_farther_of_two_words_is_taken(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, read_smi,
		  "GPU0 GPU1 GPU2 NIC0 CPU Affinity\nGPU0 X PIX NV4 X 0-3\nGPU1 SYS PHB XYZ PXB 0-3\nGPU2 PHB XYZ X NODE 0-3\n");
	is_given(r.host, 0, 1, TOPO_SYS, 0);
	is_given(r.host, 0, 2, TOPO_PHB, 0);
	is_given(r.host, 1, 2, TOPO_CLASS_UNKNOWN, 0);
	is_given(r.host, 0, 3, TOPO_CLASS_UNKNOWN, 0);
	is_given(r.host, 1, 3, TOPO_PXB, 0);
	is_given(r.host, 2, 3, TOPO_NODE, 0);
	has_note(r.host, "GPU0 to GPU1 is PIX, but back SYS: the farther is taken");
	has_note(r.host, "GPU0 to GPU2 is NV4, but back PHB: the farther is taken");
	has_note(r.host, "GPU1 to itself is not X");
	has_note(r.host, "GPU0 to NIC0 is X, as if they were one");
	has_note(r.host, "the row of NIC0 is missing");
	has_note(r.host, "the word \"XYZ\" of the matrix is not understood");
	has_note(r.host, "1 of 1 NICs have no name (no \"NIC Legend\")");
	assert_int_equal(r.host->nnotes, 7);
	topo_clear(&r.topo);
}

static void threads_of_a_node_are_what_all_its_gpus_say(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, read_smi, "GPU0 GPU1 CPU Affinity NUMA Affinity\nGPU0 X NODE 0-3 8\nGPU1 NODE X 4-7 8\n");
	assert_int_equal(r.host->nnuma, 1);
	assert_int_equal(r.host->numa[0].os, 8);
	assert_string_equal(r.host->numa[0].cpus, "");
	assert_string_equal(r.host->gpus[1].cpus, "4-7");
	topo_clear(&r.topo);
}

static void what_holds_no_matrix_is_refused(void **state)
{
	(void)state;
	refused(read_smi, "", "some/file: no matrix as nvidia-smi topo -m prints it");
	refused(read_smi, "GPU0 is busy\nGPU0\n", "some/file: no matrix as nvidia-smi topo -m prints it");
	refused(read_smi, "\tGPU0\tGPU1\tCPU Affinity\n", "some/file: no matrix as nvidia-smi topo -m prints it");
	refused(read_smi, "log\n\tGPU0\tGPU1\nGPU0\tX\tOK\nGPU1\tOK\tX\n",
		"some/file:2: a matrix of other words (\"OK\") than nvidia-smi topo -m has");
}

static void long_lines_are_cut_and_wide_ones_left(void **state)
{
	const size_t size = 400000;
	char *text = malloc(size);
	struct reading r;

	(void)state;
	assert_non_null(text);
	memset(text, 'x', size);
	for (size_t i = 0; i < size / 2; i++)
		text[i] = "GPU12 "[i % 6];
	text[size / 2] = '\n';
	strcpy(text + size - 40, "\nGPU0 GPU1\nGPU0 X NV2\nGPU1 NV2 X");
	read_text(&r, read_smi, text);
	is_given(r.host, 0, 1, TOPO_NV, 2);
	topo_clear(&r.topo);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_matrix_with_escapes_and_a_legend),
		cmocka_unit_test(an_old_driver_names_devices_and_sockets),
		cmocka_unit_test(a_log_with_prefixes_other_matrices_and_cut_rows),
		cmocka_unit_test(the_smallest_matrix_is_one_gpu),
		cmocka_unit_test(affinities_may_be_missing_or_several),
		cmocka_unit_test(a_short_row_still_has_its_threads),
		cmocka_unit_test(the_legend_of_another_host_is_not_ours),
		cmocka_unit_test(the_farther_of_two_words_is_taken),
		cmocka_unit_test(threads_of_a_node_are_what_all_its_gpus_say),
		cmocka_unit_test(what_holds_no_matrix_is_refused),
		cmocka_unit_test(long_lines_are_cut_and_wide_ones_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
