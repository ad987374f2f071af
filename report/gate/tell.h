/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison, told: for people, for a CI server, for a pull request, for programs. All say the same; none decides.
 */
#ifndef COLLPERF_GATE_TELL_H
#define COLLPERF_GATE_TELL_H

#include <stdio.h>

#include "judge.h"
#include "rule.h"
#include "sheet.h"

enum gate_exit {
	GATE_EXIT_OK = 0,
	GATE_EXIT_REGRESSION = 1,
	GATE_EXIT_USAGE = 2,
	GATE_EXIT_INPUT = 3,
	GATE_EXIT_INCONCLUSIVE = 4
};

struct gate_story {
	const struct gate_sheet *sheet;
	const struct gate_judgement *judgement;
	const struct gate_settings *settings;
	const struct gate_rules *rules;
	const struct gate_outcome *outcomes;
	const char *names[GATE_SIDES]; /* of the sides: folders as given, "A: NCCL_ALGO=Ring" */
	enum gate_exit code;
};

enum gate_exit gate_decide(const struct gate_sheet *sheet, const struct gate_judgement *judgement, const struct gate_rules *rules,
			   const struct gate_outcome *outcomes);

void gate_tell_text(FILE *out, const struct gate_story *story);
void gate_tell_markdown(FILE *out, const struct gate_story *story);
void gate_tell_junit(FILE *out, const struct gate_story *story);
/* -1: memory. */
int gate_tell_json(FILE *out, const struct gate_story *story);

/* The two rates that a sheet and judgement need, from inputs as the command line names them; prints and returns the exit code. Used by compare, ab, baseline. */
struct gate_request {
	const char *const *inputs[GATE_SIDES];
	size_t ninputs[GATE_SIDES];
	const char *names[GATE_SIDES]; /* NULL: the inputs' */
	bool paired;
	struct gate_settings settings;
	const struct gate_rules *rules;
	const char *junit, *markdown, *json; /* files; "-" stdout; NULL: none */
	bool quiet;
};
enum gate_exit gate_compare(const struct gate_request *request);

/* `collperf compare BASE... NEW`, `collperf baseline update|show|check DIR`; argv[0] is the command. The exit code. */
int compare_main(int argc, char **argv);
int baseline_main(int argc, char **argv);

#endif
