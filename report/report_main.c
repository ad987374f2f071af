/* SPDX-License-Identifier: Apache-2.0
 *
 * `collperf report`: reads rows, studies them, writes the tables, the figures and the pages.
 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compare.h"
#include "dataless.h"
#include "escape.h"
#include "findings.h"
#include "gate/tell.h"
#include "input.h"
#include "link.h"
#include "options.h"
#include "outdir.h"
#include "page.h"
#include "pair_plot.h"
#include "pair_study.h"
#include "plot.h"
#include "scaling.h"
#include "step_findings.h"
#include "step_plot.h"
#include "step_study.h"
#include "study.h"
#include "system.h"
#include "tables.h"

enum { EXIT_OK = 0, EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_IO = 3 };

/* Where to write: beside the one run directory's rows, or here. To be freed. */
static char *output_path(const struct report_options *options, const struct input *input)
{
	char *path;

	if (options->output)
		return asprintf(&path, "%s", options->output) < 0 ? NULL : path;
	if (options->ninputs == 1 && input->folders == 1)
		return asprintf(&path, "%s/report", options->inputs[0]) < 0 ? NULL : path;
	return asprintf(&path, "collperf-report") < 0 ? NULL : path;
}

static int write_table(const struct outdir *dir, const char *name, void (*write)(FILE *, const struct study *),
		       const struct study *study)
{
	FILE *out = outdir_create(dir, name);

	if (!out)
		return -1;
	write(out, study);
	return outdir_finish(dir, name, out);
}

/* Only where there is something to compare; those of an earlier report do not stay. */
static int write_comparisons(const struct outdir *dir, const struct study *study)
{
	size_t comparisons = 0, scalings = 0;

	for (size_t c = 0; c < COLL_COUNT; c++) {
		comparisons += study->figures[c].ncomparisons;
		scalings += study->figures[c].nscalings;
	}
	if (comparisons == 0)
		unlinkat(dir->fd, "compare.csv", 0);
	else if (write_table(dir, "compare.csv", compare_csv, study))
		return -1;
	if (scalings == 0)
		unlinkat(dir->fd, "scaling.csv", 0);
	else if (write_table(dir, "scaling.csv", scaling_csv, study))
		return -1;
	return 0;
}

static int write_page(const struct outdir *dir, const char *name, void (*write)(FILE *, const struct page *),
		      const struct page *page)
{
	FILE *out = outdir_create(dir, name);

	if (!out)
		return -1;
	write(out, page);
	return outdir_finish(dir, name, out);
}

static int write_matrix(const struct page *page, enum pair_figure figure, const char *name)
{
	FILE *out;

	if (page->pairs->count == 0) {
		unlinkat(page->dir->fd, name, 0);
		return 0;
	}
	out = outdir_create(page->dir, name);
	if (!out)
		return -1;
	pair_study_csv(out, page->pairs, page->findings, figure);
	return outdir_finish(page->dir, name, out);
}

static int write_pairs(struct page *page)
{
	if (write_matrix(page, PAIR_LATENCY, "pairs_latency.csv") || write_matrix(page, PAIR_BANDWIDTH, "pairs_bandwidth.csv"))
		return -1;
	return pair_plot(page->dir, page->pairs, &page->outcome);
}

static int write_steps(struct page *page)
{
	static const char name[] = "steps.csv";
	FILE *out;

	if (page->steps->count == 0) {
		unlinkat(page->dir->fd, name, 0);
	} else {
		out = outdir_create(page->dir, name);
		if (!out)
			return -1;
		step_study_csv(out, page->steps);
		if (outdir_finish(page->dir, name, out))
			return -1;
	}
	return step_plot(page->dir, page->steps, &page->outcome);
}

static int write_all(struct page *page)
{
	const struct outdir *dir = page->dir;

	if (write_table(dir, "bounds.csv", tables_bounds, page->study) || write_table(dir, "fit.csv", tables_fit, page->study) ||
	    write_comparisons(dir, page->study) || plot_study(dir, page->study, &page->outcome))
		return -1;
	if (page->outcome == PLOT_NO_GNUPLOT)
		fputs("collperf report: gnuplot is not on the PATH: its data and scripts are written, figures are not\n", stderr);
	if (write_pairs(page) || write_steps(page))
		return -1;
	return write_page(dir, "report.md", markdown_write, page) || write_page(dir, "index.html", html_write, page) ? -1 : 0;
}

static int report(const struct report_options *options, struct input *input, struct findings *findings, const struct study *study,
		  const struct pair_study *pairs, const struct step_study *steps, const struct dataless *dataless)
{
	struct verdicts verdicts = { 0 };
	char *path = output_path(options, input);
	struct gate_case *gate = input->failed > 0 ? NULL : gate_case_beside(study);
	struct outdir dir;
	struct page page = { .study = study,
			     .findings = findings,
			     .verdicts = &verdicts,
			     .facts = input->facts,
			     .nfacts = input->nfacts,
			     .dir = &dir,
			     .pairs = pairs,
			     .steps = steps,
			     .dataless = dataless,
			     .gate = gate ? gate_case_story(gate) : NULL };
	int rc = EXIT_IO;

	if (path && verdicts_build(study, &verdicts) == 0 && outdir_open(path, &dir) == 0) {
		if (!options->output && (options->ninputs > 1 || input->folders == 0))
			fputs("collperf report: no -o given, writing to ./collperf-report\n", stderr);
		if (write_all(&page) == 0) {
			summary_print(stdout, &page);
			escape_put(stdout, ESCAPE_PLAIN, "%s/index.html\n", dir.path);
			rc = input->failed > 0 || findings->singleton ? EXIT_IO : findings->wrong_data ? EXIT_WRONG : EXIT_OK;
		}
		outdir_close(&dir);
	}
	gate_case_close(gate);
	verdicts_clear(&verdicts);
	free(path);
	return rc;
}

static int study_and_report(const struct report_options *options, struct input *input, struct findings *findings,
			    const struct study *study)
{
	struct pair_study pairs;
	struct step_study steps = { 0 };
	struct dataless dataless;
	int rc = EXIT_IO;

	if (pair_study_build(study, &pairs))
		return rc;
	/* Who is slow is why other things are found. */
	if (dataless_build(study, &dataless) == 0 && step_study_build(study, &steps) == 0 &&
	    pair_study_findings(findings, &pairs) == 0 && step_findings(findings, study, &steps) == 0 &&
	    findings_collect(findings, study) == 0 && (study->runs.count < 2 || findings_name_runs(findings) == 0))
		rc = report(options, input, findings, study, &pairs, &steps, &dataless);
	dataless_clear(&dataless);
	step_study_clear(&steps);
	pair_study_clear(&pairs);
	return rc;
}

int report_main(int argc, char **argv)
{
	struct report_options options;
	struct findings findings = { 0 };
	struct study study = { 0 };
	struct input input;
	int rc = EXIT_IO;

	if (report_options_parse(argc, argv, &options))
		return EXIT_USAGE;
	if (options.help) {
		report_options_help();
		return EXIT_OK;
	}
	if (options.list_links || options.list_systems) {
		if (options.list_links)
			link_list(stdout);
		if (options.list_systems)
			system_list(stdout);
		return EXIT_OK;
	}
	if (input_read(&options, &input, &findings) == 0 &&
	    study_build(&options, input.rows, input.facts, input.nfacts, &study) == 0) {
		if (!compare_knows_baseline(&study))
			rc = EXIT_USAGE;
		else
			rc = study_and_report(&options, &input, &findings, &study);
		study_clear(&study);
	}
	findings_clear(&findings);
	input_clear(&input);
	return rc;
}
