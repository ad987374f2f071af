/* SPDX-License-Identifier: Apache-2.0 */
/* sources: report/[a-z]*.c report/gate/[a-z]*.c collectives/[a-z]*.c topo/topo*.c topo/json*.c topo/path*.c topo/peak*.c topo/rates*.c topo/warn*.c topo/program.c */
/*
 * Any rows as a report: findings, tables, pages, the figures' data and scripts. Nothing of the rows may get out of a text into what a browser or gnuplot
 * runs, and no number is printed that is none.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/compare.h"
#include "report/dataless.h"
#include "report/page.h"
#include "report/pair_plot.h"
#include "report/pair_study.h"
#include "report/scaling.h"
#include "report/step_findings.h"
#include "report/step_plot.h"
#include "report/step_words.h"
#include "report/tables.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds, const char *what, const char *text)
{
	if (holds)
		return;
	fprintf(stderr, "broken: %s\n%.2000s\n", what, text);
	abort();
}

/* Of what is printed between two cells. */
static void check_numbers(const char *text)
{
	static const char *const bad[] = { ",nan", ",-nan", ",inf", ",-inf", " nan", " -nan", " inf ", " -inf" };

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		check(strstr(text, bad[i]) == NULL, "a number that is none", text);
}

static char *written(void (*write)(FILE *, const void *), const void *what)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	check(out != NULL, "memory", "");
	write(out, what);
	fclose(out);
	return text;
}

static void put_html(FILE *out, const void *page)
{
	html_write(out, page);
}

static void put_markdown(FILE *out, const void *page)
{
	markdown_write(out, page);
}

/* Plain text: nobody renders it. */
static void put_summary(FILE *out, const void *page)
{
	summary_print(out, page);
}

static void put_tables(FILE *out, const void *study)
{
	tables_bounds(out, study);
	tables_fit(out, study);
	compare_csv(out, study);
	scaling_csv(out, study);
}

static void put_plots(FILE *out, const void *study)
{
	for (size_t c = 0; c < COLL_COUNT; c++) {
		const struct figure *figure = &((const struct study *)study)->figures[c];

		if (!plot_has_figure(figure))
			continue;
		for (enum plot_kind kind = 0; kind < PLOT_KINDS; kind++) {
			if (plot_has(figure, kind))
				plot_script(out, figure, kind);
		}
	}
}

static void put_data(FILE *out, const void *study)
{
	for (size_t c = 0; c < COLL_COUNT; c++) {
		const struct figure *figure = &((const struct study *)study)->figures[c];

		if (plot_has_figure(figure)) {
			plot_data(out, figure);
			plot_model_data(out, figure);
		}
	}
}

/* Matrices of the pairs; nobody's host is known here. */
static void put_pairs(FILE *out, const void *what)
{
	const struct page *page = what;

	pair_study_csv(out, page->pairs, page->findings, PAIR_LATENCY);
	pair_study_csv(out, page->pairs, page->findings, PAIR_BANDWIDTH);
	for (size_t p = 0; p < page->pairs->count; p++)
		for (int load = 0; load < PAIR_LOADS; load++)
			for (int figure = 0; figure < PAIR_FIGURES; figure++)
				if (pair_plot_has(page->pairs, p, load, (enum pair_figure)figure)) {
					pair_plot_data(out, &page->pairs->parts[p].set, load, (enum pair_figure)figure);
					pair_plot_script(out, &page->pairs->parts[p].set, p, load, (enum pair_figure)figure);
				}
}

/* Steps: figures' scripts hold labels from outside. */
static void put_step_scripts(FILE *out, const void *what)
{
	const struct page *page = what;

	for (size_t p = 0; p < page->steps->count; p++)
		if (step_plot_has(page->steps, p))
			step_plot_script(out, &page->steps->parts[p], p);
}

static void put_step_data(FILE *out, const void *what)
{
	const struct page *page = what;

	for (size_t p = 0; p < page->steps->count; p++)
		if (step_plot_has(page->steps, p))
			step_plot_data(out, &page->steps->parts[p]);
}

static void put_step_words(FILE *out, const void *what)
{
	const struct page *page = what;
	char text[STEP_WORDS];

	for (size_t p = 0; p < page->steps->count; p++)
		for (size_t i = 0; i < STEP_SENTENCES; i++)
			if (step_words(&page->steps->parts[p], i, text, sizeof text))
				fprintf(out, "%.20s\n", text);
}

static void check_steps(const struct page *page)
{
	char *scripts = written(put_step_scripts, page), *data = written(put_step_data, page);
	char *words = written(put_step_words, page);

	check(strchr(scripts, '`') == NULL && strstr(scripts, "system(") == NULL, "a text gets to gnuplot", scripts);
	check_numbers(scripts);
	check_numbers(data);
	free(scripts);
	free(data);
	free(words);
}

static void check_page(const struct page *page)
{
	char *html = written(put_html, page), *markdown = written(put_markdown, page);
	char *tables = written(put_tables, page->study), *plots = written(put_plots, page->study);
	char *numbers = written(put_data, page->study), *pairs = written(put_pairs, page);
	char *summary = written(put_summary, page);

	check(strstr(html, "<script") == NULL && strstr(html, "<img") == NULL, "a text is rendered", html);
	check(strstr(markdown, "<script") == NULL && strstr(markdown, "<img") == NULL, "a text is rendered", markdown);
	check(strlen(markdown) < 70000, "report.md is too long", markdown);
	check(strchr(plots, '`') == NULL && strstr(plots, "system(") == NULL && strstr(plots, "\nsystem") == NULL,
	      "a text gets to gnuplot", plots);
	check(strchr(summary, '\033') == NULL, "a text gets to the terminal", summary);
	check_numbers(numbers);
	check_numbers(pairs);
	check_steps(page);
	free(html);
	free(markdown);
	free(tables);
	free(plots);
	free(numbers);
	free(pairs);
	free(summary);
}

/* Of settings nothing but numbers is in these. */
static void check_dataless(const struct dataless *dataless)
{
	char text[DATALESS_WORDS];

	for (size_t s = 0; s < dataless->count; s++) {
		dataless_sentence(&dataless->settings[s], text, sizeof text);
		check(*text != '\0' && strlen(text) < sizeof text, "a sentence", text);
		check_numbers(text);
		dataless_verdict(&dataless->settings[s], text, sizeof text);
		check(*text != '\0', "a verdict", text);
		check_numbers(text);
	}
}

static void check_study(const struct report_options *options, const struct rows *rows)
{
	struct outdir dir = { .path = (char *)"nowhere", .fd = -1 };
	struct findings findings = { 0 };
	struct verdicts verdicts = { 0 };
	struct study study = { 0 };
	struct pair_study pairs = { 0 };
	struct step_study steps = { 0 };
	struct dataless dataless = { 0 };
	struct page page = {
		.study = &study,
		.findings = &findings,
		.verdicts = &verdicts,
		.dir = &dir,
		.pairs = &pairs,
		.steps = &steps,
		.dataless = &dataless,
	};

	if (study_build(options, rows, NULL, 0, &study) == 0) {
		check(pair_study_build(&study, &pairs) == 0 && pair_study_findings(&findings, &pairs) == 0, "memory", "");
		check(step_study_build(&study, &steps) == 0 && step_findings(&findings, &study, &steps) == 0, "memory", "");
		check(dataless_build(&study, &dataless) == 0, "memory", "");
		check(findings_collect(&findings, &study) == 0 && verdicts_build(&study, &verdicts) == 0, "memory", "");
		check_dataless(&dataless);
		check_page(&page);
		dataless_clear(&dataless);
		verdicts_clear(&verdicts);
		findings_clear(&findings);
		step_study_clear(&steps);
		pair_study_clear(&pairs);
		study_clear(&study);
	}
}

/* The first byte chooses options; the rest is a file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct report_options options = { 0 };
	char *argv[] = {
		(char *)"report", (char *)"fuzz.csv", (char *)"--link", (char *)"nvlink3", (char *)"--nic", (char *)"25Gx4", NULL
	};
	struct rows *rows = rows_new();
	char error[512];

	if (size > 0) {
		check(report_options_parse(data[0] & 1 ? 6 : 2, argv, &options) == 0, "options", "");
		rows_parse(rows, "fuzz.csv", (const char *)data + 1, size - 1, error, sizeof(error));
		if (rows_count(rows) > 0)
			check_study(&options, rows);
	}
	rows_free(rows);
	return 0;
}
