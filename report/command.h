/* SPDX-License-Identifier: Apache-2.0
 *
 * The command lines of `collperf report` and `collperf import`: options by getopt_long, then inputs.
 */
#ifndef COLLPERF_COMMAND_H
#define COLLPERF_COMMAND_H

#include <getopt.h>
#include <stddef.h>

struct command {
	const char *name;             /* "report" */
	const struct option *options; /* long ones; -o and -h are the short ones */
	/* 0, or -1 after command_usage. */
	int (*take)(int letter, const char *value, void *into);
};

/* Always -1, after one line on stderr: what, text (escaped), why. */
int command_usage(const struct command *command, const char *what, const char *text, const char *why);

/* 0, or -1 after one line. The words that are no options, borrowed from argv, which is put in another order. */
int command_parse(const struct command *command, int argc, char **argv, void *into, char *const **inputs, size_t *ninputs);

#endif
