/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts rows of calls without data into settings, and puts the median of a setting's launches beside the rounds that it must have.
 */
#include "dataless.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "human.h"
#include "series.h"

static int add_time(struct dataless_setting *setting, const struct result *row)
{
	double *grown = array_grow(setting->times, setting->launches, sizeof *grown);

	if (!grown)
		return -1;
	setting->times = grown;
	grown[setting->launches++] = row->time;
	setting->turns |= result_takes_turns(row);
	return 0;
}

/* What as many messages one after the other take, where alpha is known. */
static double least_time(const struct study *study, size_t i)
{
	const struct result *row = rows_get(study->rows, i);
	const struct collective *coll = collective_find(row->collective);

	return study_model_time(coll, collective_model(coll, "lb"), study_machine(study, i), row->nranks, 0);
}

static int add_row(struct dataless *dataless, const struct study *study, size_t i)
{
	const struct result *row = rows_get(study->rows, i);
	size_t s = 0;

	for (; s < dataless->count; s++) {
		const struct dataless_setting *setting = &dataless->settings[s];

		if (setting->run == study->runs.of[i] && series_same_key(setting->key, row) &&
		    strcmp(setting->key->collective, row->collective) == 0)
			break;
	}
	if (s == DATALESS_MOST) {
		dataless->left_out++;
		return 0;
	}
	if (s == dataless->count)
		dataless->settings[dataless->count++] = (struct dataless_setting){ .key = row,
										   .run = study->runs.of[i],
										   .least = least_time(study, i) };
	return add_time(&dataless->settings[s], row);
}

static int compare_times(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

int dataless_build(const struct study *study, struct dataless *dataless)
{
	*dataless = (struct dataless){ .count = 0 };
	for (size_t i = 0; i < rows_count(study->rows); i++) {
		const struct result *row = rows_get(study->rows, i);

		if (study_is_dataless(row) && !result_is_pair(row) && !rows_is_repeat(study->rows, i) &&
		    add_row(dataless, study, i))
			return -1;
	}
	for (size_t s = 0; s < dataless->count; s++) {
		struct dataless_setting *setting = &dataless->settings[s];
		const size_t n = setting->launches;

		qsort(setting->times, n, sizeof *setting->times, compare_times);
		setting->time = (setting->times[n / 2] + setting->times[(n - 1) / 2]) / 2;
		/* A bandwidth alone leaves alpha 0. */
		setting->least = setting->turns || !(setting->least > 0) ? NAN : setting->least;
	}
	return 0;
}

void dataless_clear(struct dataless *dataless)
{
	for (size_t s = 0; s < dataless->count; s++)
		free(dataless->settings[s].times);
	*dataless = (struct dataless){ .count = 0 };
}

/* Adds a part that some other setting of the list does not share. */
static void put_part(char *text, size_t size, bool differs, const char *part)
{
	const size_t used = strlen(text);

	if (differs && *part)
		snprintf(text + used, size - used, "%s%.60s", used > 0 ? ", " : "", part);
}

void dataless_label(const struct study *study, const struct dataless *dataless, size_t s, char *text, size_t size)
{
	const struct result *key = dataless->settings[s].key;
	bool run = false, path = false, backend = false, library = false, algo = false, group = false, timing = false;

	for (size_t o = 0; o < dataless->count; o++) {
		const struct result *other = dataless->settings[o].key;

		run |= dataless->settings[o].run != dataless->settings[s].run;
		path |= strcmp(other->path, key->path) != 0;
		backend |= strcmp(other->backend, key->backend) != 0;
		library |= strcmp(other->library, key->library) != 0;
		algo |= strcmp(other->algo, key->algo) != 0;
		group |= strcmp(other->group, key->group) != 0;
		timing |= strcmp(other->timing, key->timing) != 0;
	}
	*text = '\0';
	put_part(text, size, run, study->runs.names[dataless->settings[s].run]);
	put_part(text, size, path, key->path);
	put_part(text, size, backend, key->backend);
	put_part(text, size, library, key->library);
	put_part(text, size, algo, key->algo);
	put_part(text, size, group, key->group);
	put_part(text, size, timing, key->timing);
	if (!*text)
		snprintf(text, size, "plain");
}

void dataless_whose(const struct study *study, const struct dataless *dataless, size_t s, char *text, size_t size)
{
	char label[DATALESS_WORDS];

	dataless_label(study, dataless, s, label, sizeof label);
	*text = '\0';
	if (dataless->count > 1 && size > 4)
		snprintf(text, size, " (%.*s)", (int)size - 4, label);
}

void dataless_verdict(const struct dataless_setting *setting, char *text, size_t size)
{
	if (setting->turns)
		snprintf(text, size, "ranks took turns");
	else if (setting->key->nranks < 2)
		snprintf(text, size, "one rank");
	else if (!isfinite(setting->least))
		snprintf(text, size, "no bound known");
	else
		snprintf(text, size, "ceil(log2 %d) alpha = %s", (int)setting->key->nranks, human_time(setting->least).text);
}

void dataless_sentence(const struct dataless_setting *setting, char *text, size_t size)
{
	int n = snprintf(text, size, "%s of %lld rank%s", human_time(setting->time).text, (long long)setting->key->nranks,
			 setting->key->nranks == 1 ? "" : "s");

	if (setting->launches > 1)
		n += snprintf(text + n, size - (size_t)n, ", the median of %zu launches from %s to %s", setting->launches,
			      human_time(setting->times[0]).text, human_time(setting->times[setting->launches - 1]).text);
	if (isfinite(setting->least))
		snprintf(text + n, size - (size_t)n, "; at least it needs ceil(log2 %d) alpha = %s", (int)setting->key->nranks,
			 human_time(setting->least).text);
}
