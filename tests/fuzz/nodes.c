/* SPDX-License-Identifier: Apache-2.0 */
/* sources: src/launch/env_nodes.c */
/*
 * Any text as Slurm's list of nodes: what is accepted gives a name that fits, is one, and is what the list's own first entry gives alone; what is
 * refused leaves the output alone.
 */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "src/launch/env.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Up to the first comma outside of brackets. */
static size_t first_entry(const char *list)
{
	size_t i = 0;

	for (int depth = 0; list[i] && (depth > 0 || list[i] != ','); i++)
		depth += (list[i] == '[') - (list[i] == ']');
	return i;
}

static void check_name(const char *host)
{
	assert(host[0] != '\0' && host[0] != '-');
	for (const char *c = host; *c; c++)
		assert(isalnum((unsigned char)*c) || strchr("._-", *c));
}

static void check(char *list)
{
	char host[ENV_HOST + 1], again[ENV_HOST], small[4] = "xyz";

	memset(host, '!', sizeof host);
	if (env_nodes_first(list, host, ENV_HOST)) {
		assert(host[0] == '!' && host[ENV_HOST - 1] == '!');
		return;
	}
	assert(host[ENV_HOST] == '!' && memchr(host, '\0', ENV_HOST));
	check_name(host);
	if (env_nodes_first(list, small, sizeof small))
		assert(strcmp(small, "xyz") == 0 && strlen(host) >= sizeof small);
	else
		assert(strcmp(small, host) == 0);
	list[first_entry(list)] = '\0';
	assert(env_nodes_first(list, again, sizeof again) == 0 && strcmp(host, again) == 0);
	if (!strchr(list, '['))
		assert(strcmp(host, list) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *list = calloc(size + 1, 1);

	assert(list);
	if (size > 0)
		memcpy(list, data, size);
	check(list);
	free(list);
	return 0;
}
