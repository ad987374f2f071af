/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows made as CSV text, and the study of them, for the tests of the report stage.
 */
#ifndef COLLPERF_TEST_STUDY_ROWS_H
#define COLLPERF_TEST_STUDY_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/findings.h"
#include "report/study.h"

static const char study_header[] =
	"schema,point,points,run,collective,backend,path,nranks,type,redop,placement,bytes,time_us,time_ci_low_us,"
	"time_ci_high_us,busbw_GBps,wrong,flags\n";

struct study_text {
	char *text;
	size_t size;
	FILE *out;
};

/* The stream keeps the struct's address. */
static inline void study_text_open(struct study_text *text)
{
	*text = (struct study_text){ 0 };
	text->out = open_memstream(&text->text, &text->size);
	assert_non_null(text->out);
	fputs(study_header, text->out);
}

/* The sendrecv sweep of a machine: 8 B to 8 MiB, alpha + bytes / bandwidth. */
static inline void study_sendrecv(struct study_text *text, const char *path, int nranks, double alpha, double bandwidth)
{
	for (int i = 0; i <= 20; i++) {
		double bytes = ldexp(8, i);

		fprintf(text->out, "1,,,r1,sendrecv,sim,%s,%d,float,,out-of-place,%.0f,%.9g,,,%.9g,0,\n", path, nranks, bytes,
			(alpha + bytes / bandwidth) * 1e6, bytes / (alpha + bytes / bandwidth) / 1e9);
	}
}

struct studied {
	struct rows *rows;
	struct study study;
	struct findings findings;
};

/* Closes the text. */
static inline void study_read(struct study_text *text, const struct report_options *options, struct studied *studied)
{
	char error[512] = "";

	fclose(text->out);
	*studied = (struct studied){ .rows = rows_new() };
	if (rows_parse(studied->rows, "run/x.csv", text->text, text->size, error, sizeof error))
		fail_msg("%s", error);
	assert_int_equal(study_build(options, studied->rows, NULL, 0, &studied->study), 0);
	assert_int_equal(findings_collect(&studied->findings, &studied->study), 0);
	free(text->text);
}

static inline void study_end(struct studied *studied)
{
	findings_clear(&studied->findings);
	study_clear(&studied->study);
	rows_free(studied->rows);
}

/* Whether some finding of that level holds these words. */
static inline bool study_found(const struct studied *studied, enum finding_level level, const char *words)
{
	for (size_t i = 0; i < studied->findings.count; i++) {
		if (studied->findings.items[i].level == level && strstr(studied->findings.items[i].text, words))
			return true;
	}
	return false;
}

static inline void assert_close(double value, double expected)
{
	if (!(fabs(value / expected - 1) < 1e-6))
		fail_msg("%.9g is not %.9g", value, expected);
}

#endif
