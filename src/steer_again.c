/* SPDX-License-Identifier: Apache-2.0
 *
 * Around steering: the new start of the program, and what the reader is told.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "steer.h"
#include "steer_parts.h"

enum { MARK_BYTES = 32 + STEER_MOST * 64, TEXT_BYTES = STEER_MOST * 200 };

const char steer_mark[] = "COLLPERF_STEERED";

static void write_mark(const struct steer *steer, char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "%ld:", (long)getpid());

	for (int i = 0; i < steer->nset; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? "," : "", steer->set[i].name);
}

void steer_again(struct steer *steer, char *const *argv)
{
	char mark[MARK_BYTES], program[PATH_MAX];
	const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);

	steer->again = false;
	/* Started by the dynamic loader's name, that is the program, and knows nothing of these words. */
	if (length <= 0 || getauxval(AT_BASE) == 0)
		return;
	program[length] = '\0';
	write_mark(steer, mark, sizeof mark);
	if (setenv(steer_mark, mark, 1))
		return;
	execv(program, argv);
	unsetenv(steer_mark);
}

bool steer_line(const struct steer_variable *kept, char *text, size_t size)
{
	snprintf(text, size, "%s=%s of the environment is kept; what was asked for would be %s", kept->name, kept->value,
		 kept->wanted);
	return kept->wanted[0];
}

void steer_tell(const struct steer *steer, struct notes *notes)
{
	char line[STEER_LINE];

	for (int i = 0; i < steer->nkept; i++)
		if (steer_line(&steer->kept[i], line, sizeof line))
			notes_add(notes, "%s", line);
}

/* "UCX_TLS=tcp,self MPIR_CVAR_X=error" */
static void list(const struct steer_variable *variables, int n, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (int i = 0; i < n && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s=%s", i > 0 ? " " : "", variables[i].name,
					 variables[i].value);
}

bool steer_is_for_log(const struct steer *steer, const char *pair)
{
	for (int i = steer->nasked; i < steer->nset; i++) {
		const size_t length = strlen(steer->set[i].name);

		if (strncmp(pair, steer->set[i].name, length) == 0 && pair[length] == '=')
			return true;
	}
	return false;
}

int steer_facts(const struct steer *steer, struct fact_list *facts)
{
	char set[TEXT_BYTES], kept[TEXT_BYTES], logs[TEXT_BYTES];
	int rc = 0;

	list(steer->set, steer->nasked, set, sizeof set);
	list(steer->kept, steer->nkept, kept, sizeof kept);
	list(steer->set + steer->nasked, steer->nset - steer->nasked, logs, sizeof logs);
	if (strcmp(steer->path, "auto") != 0)
		rc |= facts_add(facts, "steer_path", "%s", steer->path);
	if (steer->algo[0])
		rc |= facts_add(facts, "steer_algo", "%s", steer->algo);
	if (set[0])
		rc |= facts_add(facts, "steer_set", "%s", set);
	if (kept[0])
		rc |= facts_add(facts, "steer_kept", "%s", kept);
	if (logs[0])
		rc |= facts_add(facts, "readback_set", "%s", logs);
	return rc ? -1 : 0;
}
