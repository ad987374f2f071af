/* SPDX-License-Identifier: Apache-2.0
 *
 * The topology of a run in its report: rates for the rows that took that way, and files that hold anything.
 */
#include "wired.h"

#include <unistd.h>

#include "report/overview.h"
#include "report/tables.h"

static const double slot = 16e9 / 8 * 16 * 128 / 130; /* PCIe 4.0 x16 */

/* The link's rate that rows of such a run get, 0: none. */
static double link_of(int nhosts, int each, struct rowset set)
{
	struct facts facts = facts_of("run/run.json", run_of(nhosts, each));
	struct studied studied;
	double link;

	study_wired(&studied, &nothing_given, &facts, 1, set);
	link = studied.study.machines[0].own ? studied.study.machines[0].options->link : 0;
	study_end(&studied);
	facts_clear(&facts);
	return link;
}

static void rows_over_nvlink_have_its_rate(void **state)
{
	struct facts facts = facts_of("run/run.json", run_of(1, 8));
	const struct machine *machine;
	struct studied studied;

	(void)state;
	study_wired(&studied, &nothing_given, &facts, 1, (struct rowset){ "nccl", "nvlink", 8, 1, 235e9 });
	machine = &studied.study.machines[0];
	assert_true(machine->known && machine->linked && machine->bandwidth_only && !machine->given);
	assert_close(machine->bandwidth, 300e9);
	assert_string_equal(machine->options->link_text, "nvlink3");
	assert_non_null(strstr(machine->options->link_words, "12 x NVLink3"));
	assert_close(study_row_bounds(&studied.study, 14).link, 300e9);
	assert_string_equal(tables_origin(machine), "topology");
	assert_string_equal(overview_efficiency_name(&studied.study), "of link");
	assert_int_equal(studied.findings.count, 1); /* that alpha is not known */
	assert_true(study_found(&studied, FINDING_NOTE, "bounds are of bandwidth alone"));
	study_end(&studied);
	facts_clear(&facts);
}

static void the_path_column_chooses_the_rate(void **state)
{
	(void)state;
	assert_close(link_of(1, 8, (struct rowset){ "nccl", "", 8, 1, 235e9 }), 300e9);
	assert_close(link_of(1, 8, (struct rowset){ "nccl", "nvlink?", 8, 1, 235e9 }), 300e9);
	assert_close(link_of(1, 8, (struct rowset){ "nccl", "pcie", 8, 1, 20e9 }), slot);
	assert_close(link_of(1, 8, (struct rowset){ "nccl", "nvlink+pcie", 8, 1, 20e9 }), 300e9);
	assert_true(link_of(1, 8, (struct rowset){ "nccl", "shm", 8, 1, 8e9 }) == 0);
	assert_true(link_of(1, 8, (struct rowset){ "nccl", "nvlink+shm", 8, 1, 8e9 }) == 0);
	assert_true(link_of(1, 8, (struct rowset){ "nccl", "socket", 8, 1, 2e9 }) == 0);
	assert_true(link_of(1, 8, (struct rowset){ "nccl", "ib", 8, 1, 2e9 }) == 0);
	assert_true(link_of(1, 8, (struct rowset){ "nccl", "nvlinks", 8, 1, 2e9 }) == 0);
}

static void hosts_of_mpi_have_no_link_of_gpus(void **state)
{
	(void)state;
	assert_true(link_of(1, 8, (struct rowset){ "mpi", "shm", 8, 1, 8e9 }) == 0);
	assert_true(link_of(1, 8, (struct rowset){ "mpi", "", 8, 1, 8e9 }) == 0);
	assert_true(link_of(2, 8, (struct rowset){ "mpi", "ib", 16, 2, 8e9 }) == 0);
}

static void what_is_given_wins(void **state)
{
	static const struct report_options link = { .link = 100e9, .link_text = "100G" };
	static const struct report_options both = { .given = true, .alpha = 5e-6, .bandwidth = 50e9 };
	struct facts facts = facts_of("run/run.json", run_of(1, 8));
	struct facts elsewhere = facts_of("other/run.json", run_of(1, 8));
	const struct rowset set = { "nccl", "nvlink", 8, 1, 90e9 };
	struct studied studied;

	(void)state;
	study_wired(&studied, &link, &facts, 1, set);
	assert_null(studied.study.machines[0].own);
	assert_close(studied.study.machines[0].bandwidth, 100e9);
	study_end(&studied);
	study_wired(&studied, &both, &facts, 1, set);
	assert_null(studied.study.machines[0].own);
	assert_close(studied.study.machines[0].bandwidth, 50e9);
	study_end(&studied);
	/* The topology of another run says nothing of these rows. */
	study_wired(&studied, &nothing_given, &elsewhere, 1, set);
	assert_null(studied.study.machines[0].own);
	study_end(&studied);
	facts_clear(&facts);
	facts_clear(&elsewhere);
}

static void two_nodes_have_two_levels(void **state)
{
	struct facts facts = facts_of("run/run.json", run_of(2, 8));
	const struct machine *machine;
	struct studied studied;

	(void)state;
	study_wired(&studied, &nothing_given, &facts, 1, (struct rowset){ "nccl", "nvlink+ib", 16, 2, 180e9 });
	machine = &studied.study.machines[0];
	assert_int_equal(machine->gpus, 8);
	assert_close(machine->options->nic, 25e9);
	assert_int_equal(machine->options->nics, 8);
	assert_true(isfinite(study_row_bounds(&studied.study, 14).hier));
	study_end(&studied);
	facts_clear(&facts);
	/* Without NICs in the way nothing bounds what goes between nodes. */
	assert_true(link_of(2, 8, (struct rowset){ "nccl", "nvlink+socket", 16, 2, 2e9 }) == 0);
	assert_true(link_of(2, 8, (struct rowset){ "nccl", "nvlink", 16, 2, 2e9 }) == 0);
	/* One GPU a node: the NICs are all that there is. */
	assert_close(link_of(2, 1, (struct rowset){ "nccl", "ib", 2, 2, 20e9 }), 200e9);
	/* Ranks that are not spread evenly. */
	assert_true(link_of(2, 8, (struct rowset){ "nccl", "nvlink+ib", 15, 2, 2e9 }) == 0);
}

/* 4 GPUs of which two and two are bridged: only a job on one such pair goes over NVLink. */
static struct facts bridged(int ranks)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);
	json_t *root;

	assert_non_null(host);
	for (int i = 0; i < 4; i++)
		assert_int_equal(hosts_add_pair(host, i), 0);
	for (int g = 0; g < 4; g++) {
		struct topo_nvlink *link = topo_add_nvlink(host);

		assert_non_null(link);
		assert_int_equal(topo_set(&link->source, "NVML"), 0);
		link->gpu = g;
		link->end = TOPO_END_GPU;
		link->peer = g ^ 1;
		link->count = 4;
		link->version = 3;
		link->rate = 56.25e9;
	}
	assert_int_equal(hosts_add_ranks(host, 0, ranks), 0);
	root = json_pack("{s:{s:o}}", "facts", "topology", topo_to_json(&topo));
	topo_clear(&topo);
	return facts_of("run/run.json", root);
}

static void rates_are_of_the_gpus_in_use(void **state)
{
	static const struct {
		int ranks, of_rows;
		const char *path;
		double link;
	} cases[] = {
		{ 2, 2, "nvlink", 56.25e9 }, { 4, 4, "", 1 }, { 4, 4, "nvlink", 0 }, { 4, 2, "", 0 }, { 2, 2, "pcie", 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct facts facts = bridged(cases[i].ranks);
		struct studied studied;
		const struct machine *machine;

		study_wired(&studied, &nothing_given, &facts, 1,
			    (struct rowset){ "nccl", cases[i].path, cases[i].of_rows, 1, 10e9 });
		machine = &studied.study.machines[0];
		if (cases[i].link == 0)
			assert_null(machine->own);
		else
			assert_close(machine->options->link, cases[i].link == 1 ? slot : cases[i].link);
		study_end(&studied);
		facts_clear(&facts);
	}
}

static void topologies_are_found_where_programs_put_them(void **state)
{
	json_t *one = run_of(1, 8), *two = run_of(2, 8), *root;
	json_t *small = json_object_get(json_object_get(one, "facts"), "topology");
	json_t *large = json_object_get(json_object_get(two, "facts"), "topology");
	struct facts facts;

	(void)state;
	/* Launches name them by number. */
	root = json_pack("{s:[O, O], s:[{s:{s:{s:i}}}]}", "topologies", small, large, "launches", "facts", "facts", "topology",
			 1);
	facts = facts_of("run/run.json", root);
	assert_int_equal(facts.wiring.topo.nhosts, 2);
	assert_int_equal(facts.wiring.others, 1);
	assert_null(facts.wiring.error);
	facts_clear(&facts);
	/* Or hold them: the same twice is one. */
	root = json_pack("{s:[{s:{s:{s:O}}}, {s:{s:{s:O}}}]}", "launches", "facts", "facts", "topology", small, "facts", "facts",
			 "topology", small);
	facts = facts_of("run/run.json", root);
	assert_int_equal(facts.wiring.topo.nhosts, 1);
	assert_int_equal(facts.wiring.ranks, 8);
	assert_int_equal(facts.wiring.others, 0);
	facts_clear(&facts);
	json_decref(one);
	json_decref(two);
}

static void broken_topologies_are_said(void **state)
{
	static const char *const texts[] = {
		"{\"facts\": {\"topology\": {}}}",
		"{\"facts\": {\"topology\": {\"hosts\": 7}}}",
		"{\"facts\": {\"topology\": {\"hosts\": []}}}",
		"{\"topologies\": [{\"hosts\": [[]]}], \"launches\": [{\"facts\": {\"facts\": {\"topology\": 99}}}]}",
		"{\"topologies\": \"x\"}",
		"{\"topologies\": [[{\"hosts\": []}]]}",
		"{\"topologies\": [null]}",
		"{\"topologies\": 3, \"facts\": [], \"launches\": {\"a\": 1}}",
		"{\"launches\": [null, {\"facts\": {\"facts\": {\"topology\": -1}}}]}",
		"{\"launches\": [{\"facts\": {\"facts\": {\"topology\": 0}}}]}",
		"{\"launches\": [{\"facts\": {\"facts\": {\"topology\": \"0\"}}}]}",
	};
	static const char *const others[] = {
		"{}",
		"[]",
		"{\"topologies\": []}",
		"{\"topologies\": null, \"launches\": [null, {\"facts\": {\"facts\": {\"topology\": null}}}, 7]}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct facts facts = facts_of("run/run.json", json_loads(texts[i], 0, NULL));
		struct studied studied;

		assert_int_equal(facts.wiring.topo.nhosts, 0);
		assert_non_null(facts.wiring.error);
		study_wired(&studied, &nothing_given, &facts, 1, (struct rowset){ "nccl", "nvlink", 8, 1, 90e9 });
		assert_null(studied.study.machines[0].own);
		assert_true(study_found(&studied, FINDING_WARNING, "the topology in run.json cannot be used: "));
		study_end(&studied);
		facts_clear(&facts);
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct facts facts = facts_of("run/run.json", json_loads(others[i], 0, NULL));

		assert_int_equal(facts.wiring.topo.nhosts, 0);
		assert_null(facts.wiring.error);
		facts_clear(&facts);
	}
}

/* Alike devices are one, of those that are not four are told. */
static void many_warnings_are_counted(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);
	struct studied studied;
	struct facts facts;

	(void)state;
	for (int i = 0; i < 8; i++) {
		assert_int_equal(hosts_add_pair(host, i), 0);
		host->pci[host->gpus[i].pci].now.width = i < 6 ? 1 + i : 6;
		host->pci[host->gpus[i].pci].most.width = 16;
	}
	facts = facts_of("run/run.json", json_pack("{s:{s:o}}", "facts", "topology", topo_to_json(&topo)));
	study_wired(&studied, &nothing_given, &facts, 1, (struct rowset){ "nccl", "pcie", 8, 1, 5e9 });
	assert_true(study_found(&studied, FINDING_WARNING, "PCIe x4, x16 at most"));
	assert_false(study_found(&studied, FINDING_WARNING, "PCIe x5, x16 at most"));
	assert_true(study_found(&studied, FINDING_NOTE, "topology: 2 more warnings of the kinds above"));
	study_end(&studied);
	facts_clear(&facts);
	for (int i = 0; i < 8; i++)
		host->pci[host->gpus[i].pci].now.width = 8;
	facts = facts_of("run/run.json", json_pack("{s:{s:o}}", "facts", "topology", topo_to_json(&topo)));
	study_wired(&studied, &nothing_given, &facts, 1, (struct rowset){ "nccl", "pcie", 8, 1, 5e9 });
	assert_true(study_found(&studied, FINDING_WARNING, " and 7 more: PCIe x8, x16 at most"));
	assert_false(study_found(&studied, FINDING_NOTE, "more warning"));
	study_end(&studied);
	facts_clear(&facts);
	topo_clear(&topo);
}

/* A number that names none is said beside the topology that the others name. */
static void a_number_of_no_topology_is_said(void **state)
{
	json_t *one = run_of(1, 8), *small = json_object_get(json_object_get(one, "facts"), "topology");
	json_t *root = json_pack("{s:[O], s:[{s:{s:{s:i}}}, {s:{s:{s:i}}}]}", "topologies", small, "launches", "facts", "facts",
				 "topology", 0, "facts", "facts", "topology", 99999999);
	struct facts facts = facts_of("run/run.json", root);

	(void)state;
	assert_int_equal(facts.wiring.topo.nhosts, 1);
	assert_string_equal(facts.wiring.error, "a launch has number 99999999, \"topologies\" holds 1");
	facts_clear(&facts);
	json_decref(one);
}

static void facts_are_without_the_topology(void **state)
{
	char folder[] = "/tmp/collperf-topology-XXXXXX", path[80], why[512];
	json_t *root = run_of(1, 8);
	struct facts facts;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/run.json", folder);
	json_object_set_new(json_object_get(root, "facts"), "host", json_string("node0"));
	json_object_set(root, "topologies", json_object_get(root, "launches"));
	json_object_set_new(root, "topologies", json_pack("[O]", json_object_get(json_object_get(root, "facts"), "topology")));
	json_object_set_new(root, "topology", json_string("of the user's own")); /* no fact of ours: told as it is */
	assert_int_equal(json_dump_file(root, path, 0), 0);
	assert_int_equal(facts_read(folder, &facts, why, sizeof why), 0);
	assert_int_equal(facts.count, 2);
	assert_string_equal(facts_find(&facts, "host"), "node0");
	assert_string_equal(facts_find(&facts, "topology"), "of the user's own");
	assert_int_equal(facts.wiring.topo.nhosts, 1);
	facts_clear(&facts);
	unlink(path);
	rmdir(folder);
	json_decref(root);
}

static void a_part_keeps_what_ranks_use(void **state)
{
	struct topo topo = { 0 }, part;

	(void)state;
	assert_int_equal(hosts_add(&topo, "a"), 0);
	assert_int_equal(hosts_add_ranks(&topo.hosts[0], 0, 2), 0);
	assert_int_equal(wiring_part(&topo, true, &part), 0);
	assert_int_equal(part.hosts[0].ngpus, 2);
	assert_int_equal(part.hosts[0].nnvlinks, 2);
	assert_int_equal(part.hosts[0].nnics, 8);
	assert_int_equal(part.hosts[0].npci, topo.hosts[0].npci);
	topo_clear(&part);
	assert_int_equal(wiring_part(&topo, false, &part), 0);
	assert_int_equal(part.hosts[0].nnvlinks, 0);
	topo_clear(&part);
	/* A rank on nobody knows which GPU: all may be used. */
	topo.hosts[0].ranks[1].gpu = TOPO_UNKNOWN;
	assert_int_equal(wiring_part(&topo, true, &part), 0);
	assert_int_equal(part.hosts[0].ngpus, 8);
	topo_clear(&part);
	topo_clear(&topo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_over_nvlink_have_its_rate),
		cmocka_unit_test(the_path_column_chooses_the_rate),
		cmocka_unit_test(hosts_of_mpi_have_no_link_of_gpus),
		cmocka_unit_test(what_is_given_wins),
		cmocka_unit_test(two_nodes_have_two_levels),
		cmocka_unit_test(rates_are_of_the_gpus_in_use),
		cmocka_unit_test(topologies_are_found_where_programs_put_them),
		cmocka_unit_test(broken_topologies_are_said),
		cmocka_unit_test(a_number_of_no_topology_is_said),
		cmocka_unit_test(many_warnings_are_counted),
		cmocka_unit_test(facts_are_without_the_topology),
		cmocka_unit_test(a_part_keeps_what_ranks_use),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
