/* SPDX-License-Identifier: Apache-2.0
 *
 * Command lines as tests of the options write them: one text, words at blanks. After cmocka.h.
 */
#ifndef COLLPERF_TESTS_OPTIONS_LINE_H
#define COLLPERF_TESTS_OPTIONS_LINE_H

#include <string.h>

#include "src/options.h"

enum { MAX_WORDS = 64 };

/* Splits a line at blanks; '' is an empty word. The words live in `line`. */
static inline int split(char *line, char **words)
{
	int n = 0;

	words[n++] = "all_reduce_perf";
	for (char *word = strtok(line, " "); word && n < MAX_WORDS - 1; word = strtok(NULL, " "))
		words[n++] = strcmp(word, "''") == 0 ? "" : word;
	words[n] = NULL;
	return n;
}

/* Parse and check with the backend named on the line, or mpi. The texts of *options stay valid until the next call. */
static inline int parse(const char *line, struct options *options, struct options_error *error)
{
	static char copy[4096];
	char *words[MAX_WORDS];
	int n;

	assert_true(strlen(line) < sizeof copy);
	strcpy(copy, line);
	n = split(copy, words);
	memset(error, 0, sizeof *error);
	if (options_parse(n, words, options, error))
		return -1;
	return options_check(options, strcmp(options->backend, "auto") == 0 ? "mpi" : options->backend, error);
}

static inline struct options parse_good(const char *line)
{
	struct options options;
	struct options_error error;

	if (parse(line, &options, &error))
		fail_msg("%s: %s", line, error.text);
	return options;
}

#endif
