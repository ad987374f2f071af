/* SPDX-License-Identifier: Apache-2.0
 *
 * Logs of NCCL, one file or one a process, become one summary.
 */
#include "nccl_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../topo/taken.h"
#include "../text.h"
#include "load.h"

static int refuse(const char *name, const char *why)
{
	char shown[300];

	fprintf(stderr, "collperf import: %s: %s\n", text_escape(name, shown, sizeof(shown)), why);
	return -1;
}

static int add_file(const char *name, struct taken *taken)
{
	struct import_text text;
	char *memory;
	const long before = taken->understood;
	int rc;

	if (load_text(name, &text, &memory) != 0)
		return -1;
	rc = taken_nccl_text(taken, text.data, text.size, WAY_AUTO);
	free(memory);
	if (rc != 0)
		return refuse(name, "out of memory");
	return taken->understood > before ? 0 : refuse(name, "no line of it is known from logs of NCCL (NCCL_DEBUG=INFO)");
}

static int write_summary(const char *output, const struct taken *taken)
{
	const bool is_stdout = strcmp(output, "-") == 0;
	FILE *out = is_stdout ? stdout : fopen(output, "w");
	bool failed;

	if (!out)
		return refuse(output, strerror(errno));
	errno = 0;
	taken_show(taken, out);
	failed = fflush(out) != 0 || ferror(out);
	if (!is_stdout)
		failed |= fclose(out) != 0;
	return failed ? refuse(is_stdout ? "stdout" : output, strerror(errno ? errno : EIO)) : 0;
}

int nccl_log_summary(const struct import_command *command)
{
	struct taken taken = { .lines = 0 };
	int rc = 0;

	for (size_t i = 0; i < command->ninputs; i++)
		rc |= add_file(command->inputs[i], &taken);
	if (taken.understood > 0)
		rc |= write_summary(command->output, &taken);
	taken_clear(&taken);
	return rc != 0 ? 3 : 0;
}
