/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a run for a baseline. run.json may come from anybody: its time becomes a file name, so it is checked letter by letter.
 */
#include "baseline_run.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../array.h"
#include "../escape.h"
#include "../file.h"
#include "../findings.h"
#include "../input.h"
#include "../runs.h"

enum { MOST_BYTES = 1 << 28, MOST_DOUBTS = 8 };

struct reading {
	const char *path;
	bool tell;
	struct baseline_run *run;
};

static void __attribute__((format(printf, 2, 3))) doubt(const struct reading *reading, const char *format, ...)
{
	char text[512];
	va_list args;

	if (!reading->tell || ++reading->run->doubts > MOST_DOUBTS)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	baseline_complain(reading->path, text);
}

static json_t *load(const char *path)
{
	char *name;
	const char *why;
	struct stat status;
	json_error_t error = { .text = "out of memory" };
	json_t *root = NULL;
	FILE *file;

	if (asprintf(&name, "%.*s/run.json", (int)runs_name_length(path), path) < 0) {
		array_failed();
		return NULL;
	}
	file = file_open(name, &why);
	if (file && fstat(fileno(file), &status) == 0 && status.st_size <= MOST_BYTES) {
		root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
		why = error.text;
	} else if (file) {
		why = "is no file of a run";
	}
	if (file)
		fclose(file);
	if (!root)
		baseline_complain(name, why);
	free(name);
	return root;
}

static char *text_of(const json_t *root, const char *name)
{
	const char *text = json_string_value(json_object_get(root, name));

	return strdup(text ? text : "");
}

/* -1 where the file is none that a run writes. */
static int read_name(const char *path, const json_t *root, struct baseline_run *run)
{
	const char *stamp = json_string_value(json_object_get(root, "stamp"));
	const json_t *seed = json_object_get(root, "seed");
	const int length = snprintf(run->name, sizeof run->name, "%s-%" JSON_INTEGER_FORMAT, stamp ? stamp : "",
				    json_integer_value(seed));

	if (json_integer_value(json_object_get(root, "schema")) != 1 || !json_is_integer(seed) || json_integer_value(seed) < 0 ||
	    length >= (int)sizeof run->name || !baseline_is_name(run->name))
		return baseline_complain(path, "run.json is not what collperf run writes");
	run->started = text_of(root, "started");
	run->host = text_of(root, "host");
	if (!run->started || !run->host)
		return array_failed();
	run->cores = json_integer_value(json_object_get(root, "cores")) > 0 ? json_integer_value(json_object_get(root, "cores"))
									    : 0;
	return 0;
}

/* What could not run is no fault of the run. */
static bool is_well(const char *status)
{
	return strcmp(status, "ok") == 0 || strcmp(status, "skipped") == 0;
}

/* Of its primitive, as collperf run and collperf compare number them; of all where that is not known. */
static long long launch_number(const json_t *launch, size_t i)
{
	const json_t *repeat = json_object_get(launch, "repeat");

	return json_is_integer(repeat) ? (long long)json_integer_value(repeat) : (long long)i + 1;
}

static void count_launches(const struct reading *reading, const json_t *root)
{
	struct baseline_run *run = reading->run;
	const json_t *launches = json_object_get(root, "launches");
	size_t each[COLL_COUNT] = { 0 };

	for (size_t i = 0; i < json_array_size(launches); i++) {
		const json_t *launch = json_array_get(launches, i);
		const char *status = json_string_value(json_object_get(launch, "status"));
		const char *name = json_string_value(json_object_get(launch, "collective"));
		const struct collective *coll = name ? collective_find(name) : NULL;

		if (!status || !coll || !is_well(status))
			doubt(reading, "%s: launch %lld: %s", coll ? coll->name : "?", launch_number(launch, i),
			      status ? status : "no status");
		else if (strcmp(status, "ok") == 0)
			each[coll->id]++;
	}
	for (size_t c = 0; c < COLL_COUNT; c++) {
		run->launches += each[c];
		if (each[c] > 0 && (run->fewest == 0 || each[c] < run->fewest))
			run->fewest = each[c];
	}
	if (run->launches == 0)
		doubt(reading, "no launch of it ended well");
	if (!json_is_string(json_object_get(root, "ended")))
		doubt(reading, "has not ended");
}

/* The rows of one launch, which stand together. */
struct launch {
	const struct result *first;
	size_t rows;
	double peak; /* NAN: none */
};

struct peaks {
	double *values[COLL_COUNT];
	size_t count[COLL_COUNT];
};

static int end_launch(const struct reading *reading, const struct launch *launch, struct peaks *peaks)
{
	const struct collective *coll = launch->first ? collective_find(launch->first->collective) : NULL;
	double *grown;

	if (!coll)
		return 0;
	if (launch->first->points > 0 && (int64_t)launch->rows < launch->first->points)
		doubt(reading, "%s: a launch has %zu rows of %lld", coll->name, launch->rows, (long long)launch->first->points);
	if (!isfinite(launch->peak))
		return 0;
	grown = array_grow(peaks->values[coll->id], peaks->count[coll->id], sizeof *grown);
	if (!grown)
		return -1;
	peaks->values[coll->id] = grown;
	grown[peaks->count[coll->id]++] = launch->peak;
	return 0;
}

static bool is_same_launch(const struct result *a, const struct result *b)
{
	return strcmp(a->run, b->run) == 0 && strcmp(a->collective, b->collective) == 0;
}

static void doubt_rows(const struct reading *reading, size_t wrong, size_t turns)
{
	if (wrong > 0)
		doubt(reading, "wrong data in %zu row%s", wrong, wrong == 1 ? "" : "s");
	if (turns > 0)
		doubt(reading, "ranks shared cores or GPUs in %zu row%s: their times are no measurement", turns,
		      turns == 1 ? "" : "s");
}

static int read_rows(const struct reading *reading, const struct rows *rows, struct peaks *peaks)
{
	struct launch launch = { 0 };
	size_t wrong = 0, turns = 0;

	for (size_t i = 0; i < rows_count(rows); i++) {
		const struct result *row = rows_get(rows, i);

		wrong += row->wrong != RESULT_NONE && row->wrong > 0;
		turns += result_takes_turns(row);
		if (rows_is_repeat(rows, i) || result_is_pair(row) || result_is_step(row))
			continue;
		if (!launch.first || !is_same_launch(launch.first, row)) {
			if (end_launch(reading, &launch, peaks))
				return -1;
			launch = (struct launch){ .first = row, .peak = NAN };
		}
		launch.rows++;
		launch.peak = fmax(launch.peak, row->busbw);
	}
	doubt_rows(reading, wrong, turns);
	return end_launch(reading, &launch, peaks);
}

static int by_value(const void *a, const void *b)
{
	const double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static void take_medians(struct peaks *peaks, double *medians)
{
	for (size_t c = 0; c < COLL_COUNT; c++) {
		const size_t n = peaks->count[c];

		medians[c] = NAN;
		if (n > 0) {
			qsort(peaks->values[c], n, sizeof *peaks->values[c], by_value);
			medians[c] = (peaks->values[c][(n - 1) / 2] + peaks->values[c][n / 2]) / 2;
		}
		free(peaks->values[c]);
	}
}

static int read_table(const struct reading *reading)
{
	char *const inputs[] = { (char *)(uintptr_t)reading->path };
	const struct report_options options = { .command = "baseline", .inputs = inputs, .ninputs = 1 };
	struct input input;
	struct findings findings = { 0 };
	struct peaks peaks = { 0 };
	int rc = input_read(&options, &input, &findings);

	if (rc == 0 && input.failed > 0)
		rc = baseline_complain(reading->path, "cannot be read to its end");
	if (rc == 0) {
		rc = read_rows(reading, input.rows, &peaks);
		take_medians(&peaks, reading->run->peak);
		reading->run->library = strdup(rows_get(input.rows, 0)->library);
		if (!reading->run->library)
			rc = array_failed();
	}
	findings_clear(&findings);
	input_clear(&input);
	return rc;
}

/* What run.json would say. */
static int name_after(const char *name, struct baseline_run *run)
{
	static const char shape[] = "00000000T000000.000Z";

	snprintf(run->name, sizeof run->name, "%s", name);
	run->started = strndup(name, sizeof shape - 1);
	run->host = strdup("");
	return run->started && run->host ? 0 : array_failed();
}

static int read_run(const struct reading *reading, const char *stored)
{
	json_t *root = load(reading->path);
	int rc = -1;

	if (root && read_name(reading->path, root, reading->run) == 0) {
		count_launches(reading, root);
		rc = 0;
	} else if (stored) {
		baseline_run_clear(reading->run);
		rc = name_after(stored, reading->run);
	}
	json_decref(root);
	return rc == 0 ? read_table(reading) : -1;
}

int baseline_run_read(const char *path, bool tell, struct baseline_run *run)
{
	const struct reading reading = { path, tell, run };
	int rc;

	*run = (struct baseline_run){ 0 };
	rc = read_run(&reading, NULL);
	if (run->doubts > MOST_DOUBTS)
		escape_put(stderr, ESCAPE_PLAIN, "collperf baseline: %s: and %zu more\n", path, run->doubts - MOST_DOUBTS);
	return rc;
}

int baseline_run_stored(const char *path, const char *name, struct baseline_run *run)
{
	const struct reading reading = { path, false, run };

	*run = (struct baseline_run){ 0 };
	return read_run(&reading, name);
}

void baseline_run_clear(struct baseline_run *run)
{
	free(run->started);
	free(run->host);
	free(run->library);
	*run = (struct baseline_run){ 0 };
}
