/* SPDX-License-Identifier: Apache-2.0
 *
 * main of every <primitive>_perf binary. The Makefile defines COLLPERF_PRIMITIVE as the name of the collective.
 */
#include <stdio.h>
#include <string.h>

#include "../collectives/primitives.h"
#include "list.h"
#include "memory.h"
#include "options.h"
#include "perf.h"

static const struct collective *const primitive = &COLLPERF_PRIMITIVE;

/* --help and its like: whether there was one. */
static bool tell(const char *program, const struct options *options)
{
	if (options->help)
		options_help(stdout, program, primitive->summary);
	else if (options->version)
		printf("collperf %s\n", COLLPERF_VERSION);
	else if (options->man)
		options_man(stdout);
	else if (options->list)
		list_all(stdout, primitive);
	else
		return false;
	return true;
}

int main(int argc, char **argv)
{
	char program[64];
	struct options options;
	struct options_error error;

	perf_begin();
	snprintf(program, sizeof program, "%s_perf", primitive->name);
	if (options_parse(argc, argv, &options, &error))
		return perf_usage(program, argv, error.text);
	if (tell(program, &options))
		return perf_printed(program);
	if (options_environment(&options, &error))
		return perf_usage(program, argv, error.text);
	/* The driver's word for the library's choice. */
	if (options.algo && strcmp(options.algo, "auto") == 0)
		options.algo = NULL;
	if (!options.malloc_system)
		memory_tune_malloc();
	const struct perf_job job = { .program = program, .coll = primitive, .options = &options, .argc = argc, .argv = argv };

	return perf_run(&job);
}
