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

enum {
	PAGE_MOST_ROWS = 500,          /* of one primitive's table of points in index.html */
	PAGE_MOST_MARKDOWN_ROWS = 100, /* likewise, in report.md */
	PAGE_MOST_RUNS = 6,            /* whose command is in the header and whose facts are in the page */
	PAGE_MOST_FIGURE = 200 << 10,  /* bytes of a figure in the page; a larger one is linked to */
};

struct page {
	const struct study *study;
	const struct findings *findings;
	const struct facts *facts; /* one a run directory */
	size_t nfacts;
	const struct outdir *dir; /* figures are taken from it */
	enum plot_outcome outcome;
};

/* One page that needs nothing else: figures inline, no scripts, dark and light, for phones and for paper. */
void html_write(FILE *out, const struct page *page);
/* The section of one primitive, and what is in it; parts of html_write. */
void html_section(FILE *out, const struct page *page, const struct figure *figure);
void html_figure(FILE *out, const struct page *page, const struct figure *figure, enum plot_kind kind);
void html_comparison(FILE *out, const struct page *page, const struct figure *figure);
void html_scaling(FILE *out, const struct page *page, const struct figure *figure);
void html_points(FILE *out, const struct page *page, const struct figure *figure);
extern const char html_style[];

void markdown_write(FILE *out, const struct page *page);

/* Five lines for a terminal. */
void summary_print(FILE *out, const struct page *page);

#endif
