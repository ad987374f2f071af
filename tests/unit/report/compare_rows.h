/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of several files, for the tests of comparisons and of scaling.
 */
#ifndef COLLPERF_TEST_COMPARE_ROWS_H
#define COLLPERF_TEST_COMPARE_ROWS_H

#include "study_rows.h"

struct compared {
	struct rows *rows;
	struct study study;
	FILE *out; /* the text of the file that is being made */
	char *text;
	size_t size;
	const char *name;
	int files;
};

static inline void file_begin(struct compared *compared, const char *name)
{
	if (!compared->rows)
		compared->rows = rows_new();
	compared->name = name;
	compared->files++;
	compared->text = NULL;
	compared->out = open_memstream(&compared->text, &compared->size);
	assert_non_null(compared->out);
	fputs("schema,run,collective,backend,library,path,algo,group,nranks,type,redop,placement,bytes,time_us,time_ci_low_us,"
	      "time_ci_high_us,busbw_GBps,wrong,flags\n",
	      compared->out);
}

static inline void file_end(struct compared *compared)
{
	char error[512] = "";

	fclose(compared->out);
	if (rows_parse(compared->rows, compared->name, compared->text, compared->size, error, sizeof error))
		fail_msg("%s", error);
	free(compared->text);
}

/* A row of one launch, a run a file, out of place, float; its interval is 10 % to both sides. */
static inline void file_row(struct compared *compared, const char *collective, const char *path, int nranks, double bytes,
			    double us)
{
	fprintf(compared->out, "1,r%d,%s,sim,,%s,,,%d,float,,out-of-place,%.0f,%.9g,%.9g,%.9g,1,0,\n", compared->files,
		collective, path, nranks, bytes, us, us * 0.9, us * 1.1);
}

static inline struct figure *compared_build(struct compared *compared, const struct report_options *options, enum coll_id coll)
{
	assert_int_equal(study_build(options, compared->rows, NULL, 0, &compared->study), 0);
	return &compared->study.figures[coll];
}

static inline void compared_end(struct compared *compared)
{
	study_clear(&compared->study);
	rows_free(compared->rows);
	*compared = (struct compared){ 0 };
}

/* What a writer writes, to be freed. */
static inline char *written(void (*write)(FILE *, const struct study *), const struct study *study)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	write(out, study);
	fclose(out);
	return text;
}

#endif
