/* SPDX-License-Identifier: Apache-2.0
 *
 * Options, then inputs.
 */
#include "command.h"

#include <limits.h>
#include <stdio.h>

#include "text.h"

int command_usage(const struct command *command, const char *what, const char *text, const char *why)
{
	char shown[200];

	fprintf(stderr, "collperf %s: %s%s%s; try 'collperf %s --help'\n", command->name, what,
		text_escape(text, shown, sizeof(shown)), why, command->name);
	return -1;
}

/* Of letters in one word getopt tells which it is, and not yet the word. */
static const char *unknown_option(char *const *argv, char letter[3])
{
	if (optopt == 0 || optopt > UCHAR_MAX || optopt == 'h')
		return argv[optind - 1];
	snprintf(letter, 3, "-%c", optopt);
	return letter;
}

int command_parse(const struct command *command, int argc, char **argv, void *into, char *const **inputs, size_t *ninputs)
{
	char unknown[3];
	int letter;

	optind = 0; /* the driver parsed its own words first */
	opterr = 0;
	while ((letter = getopt_long(argc, argv, ":o:h", command->options, NULL)) != -1) {
		if (letter == '?')
			return command_usage(command, "unknown option '", unknown_option(argv, unknown), "'");
		if (letter == ':')
			return command_usage(command, "'", argv[optind - 1], "' needs a value");
		if (command->take(letter, optarg, into))
			return -1;
	}
	*inputs = argv + optind;
	*ninputs = (size_t)(argc - optind);
	return 0;
}
