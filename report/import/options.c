/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `collperf import`.
 */
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../collectives/collective.h"
#include "../command.h"

static const struct option long_options[] = { { "output", required_argument, NULL, 'o' },
					      { "from", required_argument, NULL, 'F' },
					      { "nranks", required_argument, NULL, 'N' },
					      { "nnodes", required_argument, NULL, 'H' },
					      { "collective", required_argument, NULL, 'C' },
					      { "run", required_argument, NULL, 'R' },
					      { "nccl-log", no_argument, NULL, 'L' },
					      { "help", no_argument, NULL, 'h' },
					      { NULL, 0, NULL, 0 } };

const struct import_format *import_format_find(const char *name)
{
	for (size_t i = 0; i < import_format_count; i++)
		if (strcmp(import_formats[i]->name, name) == 0)
			return import_formats[i];
	return NULL;
}

static int option_take(int letter, const char *value, void *into);

static const struct command import_command_line = { "import", long_options, option_take };

static int usage(const char *what, const char *text, const char *why)
{
	return command_usage(&import_command_line, what, text, why);
}

static int count_take(const char *option, const char *text, int *count)
{
	long value;

	errno = 0;
	value = strtol(text, NULL, 10);
	if (*text == '\0' || text[strspn(text, "0123456789")] != '\0' || errno != 0 || value < 1 || value > INT_MAX) {
		usage(option, text, "' is not a whole number of at least 1");
		return -1;
	}
	*count = (int)value;
	return 0;
}

static int from_take(const char *name, struct import_options *options)
{
	if (!import_format_find(name))
		return usage("--from: '", name, "' is no format");
	options->from = name;
	return 0;
}

static int collective_take(const char *name, struct import_options *options)
{
	if (!collective_find(name))
		return usage("--collective: '", name, "' is no collective that there is");
	options->collective = name;
	return 0;
}

static int option_take(int letter, const char *value, void *into)
{
	struct import_command *command = into;

	switch (letter) {
	case 'o':
		command->output = value;
		return *value ? 0 : usage("-o: an empty name is no file", "", "");
	case 'F':
		return from_take(value, &command->options);
	case 'N':
		return count_take("--nranks: '", value, &command->options.nranks);
	case 'H':
		return count_take("--nnodes: '", value, &command->options.nnodes);
	case 'C':
		return collective_take(value, &command->options);
	case 'R':
		command->options.run = value;
		return *value ? 0 : usage("--run: an empty name is none", "", "");
	case 'L':
		command->nccl_log = true;
		return 0;
	case 'h':
		command->help = true;
		return 0;
	default:
		return -1;
	}
}

static bool has_options_of_rows(const struct import_options *options)
{
	return options->from || options->nranks || options->nnodes || options->run || options->collective;
}

int import_options_parse(int argc, char **argv, struct import_command *command)
{
	struct import_command parsed = { .output = "-" };

	if (command_parse(&import_command_line, argc, argv, &parsed, &parsed.inputs, &parsed.ninputs))
		return -1;
	if (!parsed.help && parsed.ninputs == 0)
		return usage("name the logs to import", "", "");
	if (parsed.options.nnodes > parsed.options.nranks && parsed.options.nranks > 0)
		return usage("--nnodes: more hosts than ranks", "", "");
	if (parsed.nccl_log && has_options_of_rows(&parsed.options))
		return usage("--nccl-log: gives a summary and no rows; of the other options only -o goes with it", "", "");
	*command = parsed;
	return 0;
}

void import_options_help(void)
{
	puts("Usage: collperf import FILE... [-o CSV] [options]\n"
	     "       collperf import --nccl-log FILE... [-o FILE]\n"
	     "\n"
	     "Turns results of other tools into rows that 'collperf report' reads. What was read, left out and noticed is\n"
	     "told on stderr, with line numbers. '-' is stdin.\n"
	     "\n"
	     "  -o, --output CSV       where to write (default: stdout)\n"
	     "      --from FORMAT      what the files are (default: by their content)\n"
	     "      --nranks N         ranks, where the log does not say\n"
	     "      --nnodes N         hosts, where the log does not say (default: 1)\n"
	     "      --collective NAME  where the log does not say, one of the nine: all_reduce ...\n"
	     "      --run NAME         name of the rows' run (default: the file's path, as given)\n"
	     "      --nccl-log         the files are the log of one job, as NCCL or RCCL write it (NCCL_DEBUG=INFO): print "
	     "which\n"
	     "                         transports, channels and, with NCCL_DEBUG_SUBSYS=TUNING, algorithms were taken\n"
	     "  -h, --help             this text\n"
	     "\n"
	     "Formats:");
	for (size_t i = 0; i < import_format_count; i++)
		printf("  %-12s %s\n", import_formats[i]->name, import_formats[i]->summary);
	puts("\n"
	     "Exit codes: 0 ok, 1 wrong data, or rates that do not agree with size and time, in a log, 2 usage,\n"
	     "3 a file from which nothing could be read, input or output failed.");
}
