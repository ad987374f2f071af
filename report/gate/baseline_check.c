/* SPDX-License-Identifier: Apache-2.0
 *
 * A run against a baseline: against the mean of all, and against how things were.
 */
#include "baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../escape.h"
#include "baseline_run.h"

struct against {
	char **places; /* borrowed, oldest first */
	size_t count;
	char *name; /* of this side */
	struct gate_case *opened;
};

static void say_heading(const char *what, const struct against *against)
{
	escape_put(stdout, ESCAPE_PLAIN, "%s (%s):\n", what, against->name);
}

static int open_case(struct against *against, const char *run, const struct gate_request *request, double false_alarms)
{
	struct gate_request own = *request;
	const char *const runs[] = { run };

	own.command = "baseline";
	own.inputs[GATE_BASE] = (const char *const *)against->places;
	own.ninputs[GATE_BASE] = against->count;
	own.inputs[GATE_NEW] = runs;
	own.ninputs[GATE_NEW] = 1;
	own.names[GATE_BASE] = against->name;
	own.names[GATE_NEW] = run;
	own.settings.false_alarms = false_alarms;
	against->opened = gate_case_open(&own);
	if (against->opened)
		return 0;
	gate_tell_nothing(request, "an input cannot be used, or no point is on both sides (stderr says which)");
	return -1;
}

bool baseline_is_piped(const struct gate_request *request)
{
	const char *const files[] = { request->junit, request->markdown, request->json };

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (files[i] && strcmp(files[i], "-") == 0)
			return true;
	}
	return false;
}

/* Files tell the comparison that decides, the terminal both. */
static enum gate_exit tell(const struct against *all, const struct against *oldest, const struct gate_request *request)
{
	const struct gate_story *story = gate_case_story(all->opened), *drift = gate_case_story(oldest->opened);
	const bool drifted = drift->code == GATE_EXIT_REGRESSION && story->code != GATE_EXIT_REGRESSION;
	const bool for_people = !baseline_is_piped(request);

	if (for_people) {
		say_heading(drifted ? "Against all" : "Against the oldest", drifted ? all : oldest);
		gate_tell_verdict(stdout, drifted ? story : drift);
		if (drifted)
			fputs("Each step was too small to see, their sum is not.\n", stdout);
		fputc('\n', stdout);
		say_heading(drifted ? "Against the oldest" : "Against all", drifted ? oldest : all);
	}
	if (gate_tell(request, drifted ? drift : story))
		return GATE_EXIT_INPUT;
	return drifted ? drift->code : story->code;
}

static enum gate_exit compare(struct against *all, struct against *oldest, const char *run, const struct gate_request *request)
{
	const double each = oldest->count > 0 ? request->settings.false_alarms / 2 : request->settings.false_alarms;

	if (open_case(all, run, request, each))
		return GATE_EXIT_INPUT;
	if (oldest->count > 0) {
		if (open_case(oldest, run, request, each))
			return GATE_EXIT_INPUT;
		return tell(all, oldest, request);
	}
	return gate_tell(request, gate_case_story(all->opened)) == 0 ? gate_case_story(all->opened)->code : GATE_EXIT_INPUT;
}

static int name_sides(const struct baseline *baseline, struct against *all, struct against *oldest)
{
	if (asprintf(&all->name, "%s: %zu run%s", baseline->path, all->count, all->count == 1 ? "" : "s") < 0)
		all->name = NULL;
	if (asprintf(&oldest->name, "%s: oldest %zu of %zu runs", baseline->path, oldest->count, all->count) < 0)
		oldest->name = NULL;
	return all->name && oldest->name ? 0 : array_failed();
}

/* Paths of all runs but the one of that name. */
static int find_places(const struct baseline *baseline, const char *name, char **places, size_t *count)
{
	for (size_t i = 0; i < baseline->count; i++) {
		if (strcmp(baseline->names[i], name) == 0)
			continue;
		places[*count] = baseline_place(baseline, i);
		if (!places[*count])
			return -1;
		++*count;
	}
	return 0;
}

static enum gate_exit check(const struct baseline *baseline, const char *run, char **places, size_t count,
			    const struct gate_request *request)
{
	struct against all = { .places = places, .count = count },
		       oldest = { .places = places, .count = count >= BASELINE_LEAST_FOR_DRIFT ? count / 3 : 0 };
	enum gate_exit code = GATE_EXIT_INPUT;

	if (name_sides(baseline, &all, &oldest) == 0)
		code = compare(&all, &oldest, run, request);
	gate_case_close(all.opened);
	gate_case_close(oldest.opened);
	free(all.name);
	free(oldest.name);
	return code;
}

enum gate_exit baseline_check(const struct baseline *baseline, const char *run, const struct gate_request *request)
{
	char **places = calloc(baseline->count + 1, sizeof *places);
	struct baseline_run read;
	size_t count = 0;
	enum gate_exit code = GATE_EXIT_INPUT;

	if (!places) {
		array_failed();
		return code;
	}
	if (baseline_run_read(run, false, &read) || find_places(baseline, read.name, places, &count)) {
		gate_tell_nothing(request, "the run cannot be used (stderr says why)");
	} else {
		if (baseline_has(baseline, read.name))
			baseline_complain(run, "is in the baseline: compared with the others there");
		if (count > 0) {
			code = check(baseline, run, places, count, request);
		} else {
			baseline_complain(baseline->path, "holds no run to compare with; collperf baseline update adds one");
			gate_tell_nothing(request, "the baseline holds no run to compare with");
		}
	}
	baseline_run_clear(&read);
	for (size_t i = 0; i < count; i++)
		free(places[i]);
	free(places);
	return code;
}
