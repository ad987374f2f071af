/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads --list, line by line: "backend: NAME (...)", and indented lines that belong to the backend before them.
 */
#include "look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../size.h"

/* What follows `part` in the line; NULL where it is not in it. */
static const char *after(const char *line, const char *part)
{
	const char *at = strstr(line, part);

	return at ? at + strlen(part) : NULL;
}

static bool begins(const char *line, const char *prefix)
{
	return strncmp(line, prefix, strlen(prefix)) == 0;
}

static void set_reason(struct look *look, const char *text)
{
	snprintf(look->reason, sizeof(look->reason), "%s", text);
	for (char *c = look->reason; *c != '\0'; c++) {
		if (*c < ' ' || *c > '~')
			*c = '?';
	}
}

static void read_nccl(const char *line, struct look *look)
{
	const char *count = after(line, "; GPUs: "), *trouble = after(line, "not usable here: ");
	long gpus;

	if (trouble)
		set_reason(look, trouble);
	else if (count && count_parse(count, 0, LOOK_MAX_GPUS, &gpus) == 0)
		look->gpus = (int)gpus;
}

/* Whether the line opens the part of a backend that was built. */
static bool opens(const char *line, const char *backend)
{
	return begins(line, backend) && !begins(line + strlen(backend), "(built without");
}

static int read_lines(char *text, struct look *look)
{
	bool answered = false, in_nccl = false;

	for (char *line; (line = strsep(&text, "\n"));) {
		line[strcspn(line, "\r")] = '\0';
		if (line[0] == ' ' && in_nccl)
			read_nccl(line, look);
		if (line[0] == ' ')
			continue;
		in_nccl = opens(line, "backend: nccl ");
		look->has_nccl = look->has_nccl || in_nccl;
		look->has_mpi = look->has_mpi || opens(line, "backend: mpi ");
		answered = answered || begins(line, "backend: ");
	}
	return answered ? 0 : -1;
}

int look_read(const char *text, struct look *look)
{
	struct look seen = { 0 };
	char *copy = strdup(text);
	int rc = copy ? read_lines(copy, &seen) : -1;

	free(copy);
	if (rc != 0)
		return -1;
	if (seen.gpus > 0)
		seen.reason[0] = '\0';
	else if (seen.has_nccl && seen.reason[0] == '\0')
		set_reason(&seen, "no GPU is visible");
	*look = seen;
	return 0;
}
