/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows to inputs: a file name is an input itself, or lies right in one.
 */
#include "runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../collectives/collective.h"
#include "array.h"

size_t runs_name_length(const char *path)
{
	const char *end = path + strlen(path);

	while (end > path + 1 && end[-1] == '/')
		end--;
	return (size_t)(end - path);
}

static int add(struct runs *runs, const char *path)
{
	char *name = strndup(path, runs_name_length(path));
	char **grown;

	if (!name)
		return array_failed();
	for (size_t r = 0; r < runs->count; r++) {
		if (strcmp(runs->names[r], name) == 0) {
			free(name);
			return 0;
		}
	}
	grown = array_grow(runs->names, runs->count, sizeof(*grown));
	if (!grown) {
		free(name);
		return -1;
	}
	runs->names = grown;
	grown[runs->count++] = name;
	return 0;
}

static bool owns(const char *name, const char *source)
{
	const char *slash = strrchr(source, '/');
	size_t length = strlen(name);

	return strcmp(name, source) == 0 || (slash && (size_t)(slash - source) == length && memcmp(name, source, length) == 0);
}

static size_t find(const struct runs *runs, const char *source)
{
	for (size_t r = 0; r < runs->count; r++) {
		if (owns(runs->names[r], source))
			return r;
	}
	return 0;
}

static int find_alone(struct runs *runs)
{
	runs->alone = calloc(runs->count + 1, sizeof(*runs->alone));
	if (!runs->alone)
		return array_failed();
	for (size_t r = 0; r < runs->count; r++) {
		const char *name = runs->names[r], *slash = strrchr(name, '/');
		struct stat status;
		char *facts;

		if (asprintf(&facts, "%.*srun.json", slash ? (int)(slash - name) + 1 : 0, name) < 0)
			return array_failed();
		runs->alone[r] = stat(facts, &status) != 0 && !(stat(name, &status) == 0 && S_ISDIR(status.st_mode));
		free(facts);
	}
	return 0;
}

const char *runs_file(size_t i)
{
	static const char *const others[] = { "pairs", RESULT_STEP };

	if (i < COLL_COUNT)
		return collectives[i]->name;
	return i - COLL_COUNT < sizeof others / sizeof *others ? others[i - COLL_COUNT] : NULL;
}

int runs_build(const struct report_options *options, const struct rows *rows, struct runs *runs)
{
	const char *source = NULL;

	*runs = (struct runs){ .of = calloc(rows_count(rows) + 1, sizeof(*runs->of)) };
	if (!runs->of)
		return array_failed();
	for (size_t i = 0; i < options->ninputs; i++) {
		if (add(runs, options->inputs[i]))
			return -1;
	}
	if ((runs->count == 0 && add(runs, "")) || find_alone(runs))
		return -1;
	for (size_t i = 0; i < rows_count(rows); i++) {
		const char *next = rows_source(rows, i);

		runs->of[i] = next == source ? runs->of[i - 1] : find(runs, next);
		source = next;
	}
	return 0;
}

void runs_clear(struct runs *runs)
{
	for (size_t r = 0; r < runs->count; r++)
		free(runs->names[r]);
	free(runs->names);
	free(runs->alone);
	free(runs->of);
	*runs = (struct runs){ 0 };
}
