/* SPDX-License-Identifier: Apache-2.0
 *
 * What a report tells of the topology of its runs: words, pages, figures and findings.
 */
#include "wired.h"

#include "report/page.h"
#include "report/pair_study.h"
#include "report/step_study.h"
#include "report/verdict.h"
#include "report/wiring_words.h"

static bool holds(void (*put)(FILE *, const void *), const void *what, const char *words)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool found;

	put(out, what);
	fclose(out);
	found = strstr(text, words) != NULL;
	if (!found)
		print_message("%s\n", text);
	free(text);
	return found;
}

static void put_host(FILE *out, const void *wiring)
{
	const struct topo *topo = &((const struct wiring *)wiring)->topo;

	wiring_names(out, ESCAPE_PLAIN, topo, 0);
	fputs(": ", out);
	wiring_host(out, ESCAPE_PLAIN, &topo->hosts[0]);
	putc('\n', out);
	wiring_peaks(out, ESCAPE_PLAIN, wiring);
}

static void hosts_are_told_in_words(void **state)
{
	struct facts facts = facts_of("run/run.json", run_of(2, 8));
	struct wiring_line lines[8];

	(void)state;
	assert_true(holds(put_host, &facts.wiring,
			  "node0, node1, alike: 2 packages, 128 cores, 128 hardware threads, 4 NUMA nodes, AMD EPYC 7742 64-Core "
			  "Processor; 8 x NVIDIA A100-SXM4-40GB; 8 x InfiniBand, 25 GB/s\n"));
	assert_true(holds(put_host, &facts.wiring, "Ring over 8 GPUs of a host: 300 GB/s ("));
	assert_true(holds(put_host, &facts.wiring, " NICs of a host: 8, 25 GB/s each ("));
	/* 28 pairs of GPUs are one line, 8 of a GPU and its NIC another. */
	assert_int_equal(wiring_lines(&facts.wiring.topo.hosts[0], lines, 8), 2);
	assert_string_equal(lines[0].class, "NV12");
	assert_int_equal(lines[0].pairs, 28);
	assert_string_equal(lines[1].class, "PIX");
	assert_int_equal(lines[1].pairs, 8);
	facts_clear(&facts);
}

static void put_topology(FILE *out, const void *page)
{
	html_topology(out, page);
}

static void put_markdown(FILE *out, const void *page)
{
	markdown_write(out, page);
}

static void put_summary(FILE *out, const void *page)
{
	summary_print(out, page);
}

static void pages_tell_it(void **state)
{
	struct outdir dir = { .path = (char *)"nowhere", .fd = -1 };
	struct facts facts = facts_of("run/run.json", run_of(2, 8));
	struct verdicts verdicts;
	struct pair_study pairs = { 0 };
	struct step_study steps = { 0 };
	struct studied studied;
	struct page page = { .study = &studied.study,
			     .findings = &studied.findings,
			     .verdicts = &verdicts,
			     .facts = &facts,
			     .nfacts = 1,
			     .dir = &dir,
			     .pairs = &pairs,
			     .steps = &steps };

	(void)state;
	assert_int_equal(topo_set(&facts.wiring.topo.hosts[0].name, "<b>node&0</b>"), 0);
	study_wired(&studied, &nothing_given, &facts, 1, (struct rowset){ "nccl", "nvlink+ib", 16, 2, 180e9 });
	assert_int_equal(verdicts_build(&studied.study, &verdicts), 0);
	assert_true(holds(put_topology, &page, "<h3>&lt;b&gt;node&amp;0&lt;/b&gt;, node1, alike</h3>"));
	assert_true(holds(put_topology, &page, "<th>GPU7</th><th>NIC0</th>"));
	assert_true(holds(put_topology, &page, "<tr><td class=\"l\">GPU0</td><td>X</td><td>NV12</td>"));
	assert_true(holds(put_topology, &page, "<li>GPU0 to GPU1 and 27 more such pairs: NV12, 12 x NVLink3"));
	assert_true(holds(put_topology, &page, "0000:11:00.0</td><td class=\"l\">PCIe 4.0 x16</td><td>0</td>"));
	assert_true(holds(put_topology, &page, "<tr><td>0</td><td>0</td><td class=\"wide\">0-15</td></tr>"));
	assert_true(holds(put_markdown, &page, "## Topology\n\n- &lt;b&gt;node&amp;0&lt;/b&gt;, node1, alike: 2 packages, "));
	assert_true(holds(put_markdown, &page, "link rate from the topology in run.json: 12 x NVLink3"));
	assert_true(holds(put_summary, &page, ", link rate from the topology in run.json: 12 x NVLink3"));
	assert_true(holds(put_summary, &page, "; NICs of a node: "));
	verdicts_clear(&verdicts);
	study_end(&studied);
	facts_clear(&facts);
}

static void links_that_cost_time_are_findings(void **state)
{
	const struct rowset one = { "nccl", "nvlink", 8, 1, 235e9 }, two = { "nccl", "nvlink+ib", 16, 2, 180e9 };
	struct facts facts = facts_of("run/run.json", run_of(2, 8));
	struct studied studied;

	(void)state;
	facts.wiring.topo.hosts[0].nics[3].state = TOPO_DOWN;
	facts.wiring.topo.hosts[0].pci[1].now.width = 8;
	facts.wiring.topo.hosts[0].iommu = TOPO_YES;
	study_wired(&studied, &nothing_given, &facts, 1, two);
	assert_true(study_found(&studied, FINDING_WARNING, "mlx5_3"));
	assert_true(study_found(&studied, FINDING_WARNING, "x8"));
	assert_true(study_found(&studied, FINDING_NOTE, "IOMMU"));
	study_end(&studied);
	/* Where no NIC is used one that is down is no matter. */
	study_wired(&studied, &nothing_given, &facts, 1, one);
	assert_true(study_found(&studied, FINDING_NOTE, "mlx5_3"));
	assert_false(study_found(&studied, FINDING_WARNING, "mlx5_3"));
	study_end(&studied);
	facts_clear(&facts);
}

static void runs_of_other_machines_are_told(void **state)
{
	const struct rowset set = { "nccl", "nvlink", 8, 1, 235e9 };
	struct facts facts[2] = { facts_of("run/run.json", run_of(1, 8)), facts_of("new/run.json", run_of(2, 8)) };
	struct studied studied;

	(void)state;
	/* More of the same, and links that sleep, are no other machines. */
	facts[1].wiring.topo.hosts[0].pci[1].now.gts = 2.5;
	study_wired(&studied, &nothing_given, facts, 2, set);
	assert_false(study_found(&studied, FINDING_NOTE, "the machines are not those of"));
	study_end(&studied);
	for (int g = 0; g < HOST_GPUS; g++)
		assert_int_equal(topo_set(&facts[1].wiring.topo.hosts[0].gpus[g].name, "NVIDIA H100 80GB HBM3"), 0);
	study_wired(&studied, &nothing_given, facts, 2, set);
	assert_true(study_found(&studied, FINDING_NOTE,
				"the machines are not those of run, which may be all that differs: 8 x NVIDIA H100 80GB HBM3, "
				"128 cores of AMD EPYC 7742 64-Core Processor, 8 NICs, there 8 x NVIDIA A100-SXM4-40GB, "));
	study_end(&studied);
	facts_clear(&facts[0]);
	facts_clear(&facts[1]);
}

static void put_latency(FILE *out, const void *figure)
{
	plot_script(out, figure, PLOT_LATENCY);
}

/* The bound of 64 KiB is 0.4 us: without alpha it does not stretch the axis of times from 20 us on. */
static void a_bound_without_alpha_squeezes_no_figure(void **state)
{
	struct facts facts = facts_of("run/run.json", run_of(1, 8));
	struct studied studied;

	(void)state;
	study_wired(&studied, &nothing_given, &facts, 1, (struct rowset){ "nccl", "nvlink", 8, 1, 235e9 });
	assert_true(holds(put_latency, &studied.study.figures[COLL_ALL_REDUCE], "has_ring = 1\n"));
	assert_true(holds(put_latency, &studied.study.figures[COLL_ALL_REDUCE], "ymin = 2.0488"));
	study_end(&studied);
	facts_clear(&facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_are_told_in_words),
		cmocka_unit_test(pages_tell_it),
		cmocka_unit_test(a_bound_without_alpha_squeezes_no_figure),
		cmocka_unit_test(links_that_cost_time_are_findings),
		cmocka_unit_test(runs_of_other_machines_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
