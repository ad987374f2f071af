/* SPDX-License-Identifier: Apache-2.0
 *
 * Fan-out to the writers.
 */
#include "output.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Two names of one file: the second writer would destroy what the first wrote. */
static bool is_taken(const struct output *output, const char *path)
{
	struct stat mine, other;

	if (stat(path, &mine) || !S_ISREG(mine.st_mode))
		return false;
	for (size_t i = 0; i < output->count; i++)
		if (stat(output->paths[i], &other) == 0 && mine.st_dev == other.st_dev && mine.st_ino == other.st_ino)
			return true;
	return false;
}

static int begin_one(struct output *output, const struct writer_ops *ops, const char *path, const struct run_info *info)
{
	if (!path)
		return 0;
	if (is_taken(output, path)) {
		fprintf(stderr, "%s: '%s' is already the file of another output\n", info->program, path);
		return -1;
	}
	output->paths[output->count] = path;
	if (ops->begin(info, path, &output->states[output->count]))
		return -1;
	output->ops[output->count++] = ops;
	return 0;
}

static bool takes_stdout(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

int output_begin(struct output *output, const struct options *options, const struct run_info *info)
{
	const bool table = !takes_stdout(options->csv) && !takes_stdout(options->json) && !takes_stdout(options->facts);
	const struct writer_ops *format = options->step                    ? &writer_buckets
					  : options->pairs                 ? &writer_pairs
					  : options->format == FORMAT_WIDE ? &writer_wide
									   : &writer_console;

	output->count = 0;
	return begin_one(output, &writer_csv, options->csv, info) || begin_one(output, &writer_json, options->json, info) ||
			       begin_one(output, &writer_facts, options->facts, info) ||
			       begin_one(output, format, table ? "-" : NULL, info)
		       ? -1
		       : 0;
}

int output_row(struct output *output, const struct result *result)
{
	int rc = 0;

	for (size_t i = 0; i < output->count; i++)
		rc |= output->ops[i]->row(output->states[i], result);
	return rc ? -1 : 0;
}

int output_end(struct output *output, const struct run_summary *summary)
{
	int rc = 0;

	for (size_t i = 0; i < output->count; i++)
		rc |= output->ops[i]->end(output->states[i], summary);
	output->count = 0;
	return rc ? -1 : 0;
}
