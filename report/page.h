/* SPDX-License-Identifier: Apache-2.0
 *
 * The three renderings of one report. They decide how it looks, never what it says.
 */
#ifndef COLLPERF_PAGE_H
#define COLLPERF_PAGE_H

#include <stdio.h>

#include "facts.h"
#include "findings.h"
#include "outdir.h"
#include "plot.h"
#include "study.h"
#include "verdict.h"

enum {
	PAGE_MOST_ROWS = 500,           /* of one primitive's table of points in index.html */
	PAGE_MOST_MARKDOWN_ROWS = 100,  /* likewise, in report.md */
	PAGE_MOST_MACHINES = 12,        /* whose alpha and B are in the pages */
	PAGE_OPEN_FINDINGS = 5,         /* that are not folded away in index.html; errors never are */
	PAGE_MOST_VERDICTS = 12,        /* whose sentences are in the pages */
	PAGE_MARKDOWN_FINDINGS = 15000, /* bytes of report.md after which findings are only counted */
	PAGE_MARKDOWN_BYTES = 60000,    /* likewise for points; with the lines that say so under 65000 */
	PAGE_MOST_RUNS = 6,             /* whose command is in the header and whose facts are in the page */
	PAGE_MOST_DEVICES = 16,         /* of a host's matrix of paths */
	PAGE_MOST_HOSTS = 8,            /* that differ, of one topology */
	PAGE_MOST_BOUND = 64,           /* ranks of a host whose cores are told */
	PAGE_MOST_FIGURE = 200 << 10,   /* bytes of a figure in the page; a larger one is linked to */
	PAGE_MOST_MAP = 600 << 10,      /* likewise of a heat map: 64 ranks */
};

struct dataless;
struct gate_story;

struct page {
	const struct study *study;
	const struct findings *findings;
	const struct verdicts *verdicts;
	const struct facts *facts; /* one a run directory */
	size_t nfacts;
	const struct outdir *dir;        /* figures are taken from it */
	const struct pair_study *pairs;  /* of --pairs; may be without any */
	const struct step_study *steps;  /* of bucket_perf; likewise */
	const struct dataless *dataless; /* calls without data; NULL: none */
	const struct gate_story *gate;   /* of the two runs that are compared; NULL: none */
	enum plot_outcome outcome;
};

/* One page that needs nothing else: figures inline, no scripts, dark and light, for phones and for paper. */
void html_write(FILE *out, const struct page *page);
/* Parts of html_write. */
void html_findings(FILE *out, const struct page *page);
void html_summary(FILE *out, const struct page *page);
void html_machines(FILE *out, const struct study *study);
void html_topology(FILE *out, const struct page *page); /* nothing where no run.json has one */
/* The section of one primitive, and what is in it. */
void html_section(FILE *out, const struct page *page, const struct figure *figure);
void html_figure(FILE *out, const struct page *page, const struct figure *figure, enum plot_kind kind);
void html_fits(FILE *out, const struct figure *figure);
void html_comparison(FILE *out, const struct page *page, const struct figure *figure);
void html_uneven(FILE *out, const struct page *page, const struct figure *figure); /* nothing but of alltoallv */
void html_scaling(FILE *out, const struct page *page, const struct figure *figure);
void html_pairs(FILE *out, const struct page *page); /* nothing where there are none */
void html_steps(FILE *out, const struct page *page); /* likewise */
/* An svg of the directory, which is of gnuplot; over `most` bytes a link to `larger`. Names and title are ours. */
void html_svg(FILE *out, const struct page *page, const char *file, const char *larger, const char *title, size_t most);
void html_points(FILE *out, const struct page *page, const struct figure *figure);
extern const char *const html_style[]; /* ends with NULL */

void markdown_write(FILE *out, const struct page *page);
void markdown_uneven(FILE *out, const struct page *page, const struct figure *figure);
void markdown_pairs(FILE *out, const struct page *page); /* likewise */
void markdown_steps(FILE *out, const struct page *page); /* likewise */

/* Five lines for a terminal. */
void summary_print(FILE *out, const struct page *page);

#endif
