/* SPDX-License-Identifier: Apache-2.0
 *
 * Run directories and CSV files to rows and facts.
 */
#include "input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "array.h"
#include "escape.h"
#include "runs.h"

static const char *command_of(const struct report_options *options)
{
	return options->command ? options->command : "report";
}

static int complain(const struct report_options *options, const char *path, const char *why)
{
	escape_put(stderr, ESCAPE_PLAIN, "collperf %s: %s: %s\n", command_of(options), path, why);
	return -1;
}

/* A file that is bad does not spoil the others: what it held up to there counts. */
static int read_file(const struct report_options *options, const char *path, struct input *input, struct findings *findings)
{
	char error[1024];

	if (rows_read(input->rows, path, error, sizeof error) == 0)
		return 0;
	escape_put(stderr, ESCAPE_PLAIN, "collperf %s: %s\n", command_of(options), error);
	input->failed++;
	return findings_add(findings, FINDING_ERROR, "%s", error);
}

static int read_facts(const char *folder, struct input *input, struct findings *findings)
{
	struct facts *grown = array_grow(input->facts, input->nfacts, sizeof *grown);
	struct facts *facts;
	char why[1024];
	int rc;

	if (!grown)
		return -1;
	input->facts = grown;
	facts = &grown[input->nfacts];
	rc = facts_read(folder, facts, why, sizeof why);
	if (rc == 1) {
		input->unread++;
		rc = findings_add(findings, FINDING_WARNING, "%s", why);
	}
	if (rc == 0)
		rc = findings_take_facts(findings, facts, folder);
	if (rc == 0 && facts->count > 0)
		input->nfacts++;
	else
		facts_clear(facts);
	return rc;
}

/* The files that runs write and no other: a report and its tables may lie in the same place. */
static int read_folder(const struct report_options *options, const char *folder, struct input *input, struct findings *findings)
{
	size_t length = runs_name_length(folder), found = 0;
	char *name;
	int failed;

	input->folders++;
	for (size_t c = 0; runs_file(c); c++) {
		struct stat status;
		char *path;
		int rc = 0;

		if (asprintf(&path, "%.*s/%s.csv", (int)length, folder, runs_file(c)) < 0)
			return array_failed();
		if (stat(path, &status) == 0) {
			found++;
			rc = read_file(options, path, input, findings);
		} else if (errno != ENOENT) {
			/* A folder that may not be looked into is not an empty one. */
			rc = complain(options, path, strerror(errno));
		}
		free(path);
		if (rc)
			return -1;
	}
	if (found == 0)
		return complain(options, folder, "no primitive's CSV file (such as all_reduce.csv) is in this directory");
	name = strndup(folder, length);
	if (!name)
		return array_failed();
	/* A directory that is given twice has its facts once. */
	failed = facts_in(input->facts, input->nfacts, name) ? 0 : read_facts(name, input, findings);
	free(name);
	return failed;
}

int input_read(const struct report_options *options, struct input *input, struct findings *findings)
{
	*input = (struct input){ .rows = rows_new() };
	if (!input->rows)
		return array_failed();
	for (size_t i = 0; i < options->ninputs; i++) {
		const char *path = options->inputs[i];
		struct stat status;

		if (stat(path, &status))
			return complain(options, path, strerror(errno));
		if (S_ISDIR(status.st_mode) ? read_folder(options, path, input, findings)
					    : read_file(options, path, input, findings))
			return -1;
	}
	/* Each file without rows has had its line. */
	return rows_count(input->rows) > 0 ? 0 : -1;
}

void input_clear(struct input *input)
{
	for (size_t i = 0; i < input->nfacts; i++)
		facts_clear(&input->facts[i]);
	free(input->facts);
	if (input->rows)
		rows_free(input->rows);
	*input = (struct input){ 0 };
}
