/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `collperf import`.
 */
#ifndef COLLPERF_IMPORT_OPTIONS_H
#define COLLPERF_IMPORT_OPTIONS_H

#include "import.h"

struct import_command {
	struct import_options options;
	char *const *inputs; /* borrowed from argv; "-" is stdin */
	size_t ninputs;
	const char *output; /* "-" is stdout */
	bool nccl_log;      /* the inputs are NCCL's logs, and a summary is wanted */
	bool help;
};

/* 0, or -1 after one line on stderr. */
int import_options_parse(int argc, char **argv, struct import_command *command);

void import_options_help(void);

/* By the word of --from, or NULL. */
const struct import_format *import_format_find(const char *name);

#endif
