/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls without data are at no size, so no figure has them: one sentence for each setting, the median of its launches beside the rounds that it must have.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "finding_parts.h"
#include "human.h"
#include "series.h"

enum { MOST_SETTINGS = 8 };

struct setting {
	size_t row, run;
	double *times;
	size_t ntimes;
};

struct settings {
	struct setting list[MOST_SETTINGS];
	size_t count, more; /* rows of settings beyond */
};

static int add_time(struct setting *setting, double time)
{
	double *grown = array_grow(setting->times, setting->ntimes, sizeof *grown);

	if (!grown)
		return -1;
	setting->times = grown;
	grown[setting->ntimes++] = time;
	return 0;
}

static int add_row(struct settings *settings, const struct study *study, size_t i)
{
	const struct result *row = rows_get(study->rows, i);
	size_t s = 0;

	for (; s < settings->count; s++) {
		const struct setting *setting = &settings->list[s];

		if (setting->run == study->runs.of[i] && series_same_key(rows_get(study->rows, setting->row), row) &&
		    strcmp(rows_get(study->rows, setting->row)->collective, row->collective) == 0)
			break;
	}
	if (s == MOST_SETTINGS) {
		settings->more++;
		return 0;
	}
	if (s == settings->count)
		settings->list[settings->count++] = (struct setting){ .row = i, .run = study->runs.of[i] };
	return add_time(&settings->list[s], row->time);
}

static int compare_times(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* ", 3 launches from 2 us to 3 us" */
static struct finding_text spread_of(const struct setting *setting)
{
	struct finding_text text = { "" };

	if (setting->ntimes > 1)
		snprintf(text.text, sizeof text.text, ", the median of %zu from %s to %s", setting->ntimes,
			 human_time(setting->times[0]).text, human_time(setting->times[setting->ntimes - 1]).text);
	return text;
}

/* What as many messages one after the other take, where alpha is known. */
static struct finding_text rounds_of(const struct study *study, const struct setting *setting)
{
	const struct result *row = rows_get(study->rows, setting->row);
	const struct collective *coll = collective_find(row->collective);
	const double bound = study_model_time(coll, collective_model(coll, "lb"), study_machine(study, setting->row), row->nranks,
					      0);
	struct finding_text text = { "" };

	if (isfinite(bound) && !result_takes_turns(row))
		snprintf(text.text, sizeof text.text, "; at least it needs ceil(log2 %d) alpha = %s", (int)row->nranks,
			 human_time(bound).text);
	return text;
}

static int tell(struct findings *findings, const struct study *study, struct setting *setting)
{
	const struct result *row = rows_get(study->rows, setting->row);
	const size_t middle = setting->ntimes / 2;

	qsort(setting->times, setting->ntimes, sizeof *setting->times, compare_times);
	findings->run = study->runs.names[setting->run];
	return findings_add(findings, FINDING_NOTE, "%s of %lld ranks takes %s%s%s", row->collective, (long long)row->nranks,
			    human_time((setting->times[middle] + setting->times[(setting->ntimes - 1) / 2]) / 2).text,
			    spread_of(setting).text, rounds_of(study, setting).text);
}

int finding_barriers(struct findings *findings, const struct study *study)
{
	struct settings settings = { .count = 0 };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < rows_count(study->rows); i++) {
		const struct result *row = rows_get(study->rows, i);

		if (study_is_dataless(row) && !result_is_pair(row) && !rows_is_repeat(study->rows, i))
			rc = add_row(&settings, study, i);
	}
	for (size_t s = 0; s < settings.count; s++) {
		if (rc == 0)
			rc = tell(findings, study, &settings.list[s]);
		free(settings.list[s].times);
	}
	findings->run = NULL;
	if (rc == 0 && settings.more > 0)
		rc = findings_add(findings, FINDING_NOTE, "... and %zu more rows of calls without data", settings.more);
	return rc;
}
