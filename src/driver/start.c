/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps before the launches, shared by all that launch.
 */
#include "start.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "choice.h"
#include "launch.h"
#include "look.h"
#include "record.h"
#include "say.h"
#include "verdict.h"

int start_words(const char *command, int argc, char *const *argv)
{
	for (int i = 1; i < argc; i++) {
		if (record_can_hold(argv[i]))
			continue;
		say_as(command, "argument %d is not UTF-8: run.json could not hold it", i);
		return VERDICT_USAGE;
	}
	return 0;
}

int start_open(struct plan *plan, const struct args *args)
{
	int rc = plan_open(plan, args);

	if (rc != 0 || record_can_hold(plan->bin))
		return rc;
	say("--bin: the directory's name is not UTF-8: run.json could not hold it");
	return VERDICT_USAGE;
}

int start_choose(struct plan *plan, struct job_watch *watch)
{
	struct look look;
	struct choice choice;
	int rc;

	if (!choice_needs_look(plan->args))
		return 0;
	rc = launch_look(plan, watch, &look);
	if (rc == 0)
		rc = choice_make(plan->args, &look, getenv("NCCL_TESTS_DEVICE"), &choice);
	if (rc != 0)
		return rc;
	plan_choose(plan, &choice);
	if (choice.why[0] != '\0')
		say("--backend auto: %s: %s", choice.backend, choice.why);
	return 0;
}

int start_folder(const struct plan *plan)
{
	char *path;
	int rc;

	if (!plan_joins(plan))
		return 0;
	if (asprintf(&path, "%s/launches", plan->dir) < 0) {
		say("out of memory");
		return VERDICT_FAILED;
	}
	rc = mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : VERDICT_FAILED;
	if (rc != 0)
		say("%s: %s", path, strerror(errno));
	free(path);
	return rc;
}
