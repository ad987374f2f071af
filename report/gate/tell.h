/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison, told: for people, for a CI server, for a pull request, for programs. All say the same; none decides.
 */
#ifndef COLLPERF_GATE_TELL_H
#define COLLPERF_GATE_TELL_H

#include <stdio.h>

#include "../report.h"
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
	const char *calls[GATE_SIDES]; /* what sentences call them: "A"; NULL: "BASE", "NEW" */
	char *const *notes;            /* what readers and run.json say of the inputs, a line each */
	size_t nnotes;
	bool all_points; /* the text lists every point */
	bool same;       /* NEW is one of BASE's inputs */
	enum gate_exit code;
};

enum gate_exit gate_decide(const struct gate_sheet *sheet, const struct gate_judgement *judgement, const struct gate_rules *rules,
			   const struct gate_outcome *outcomes);

void gate_tell_text(FILE *out, const struct gate_story *story);
void gate_tell_verdict(FILE *out, const struct gate_story *story); /* its first line alone */
void gate_tell_markdown(FILE *out, const struct gate_story *story);
void gate_tell_junit(FILE *out, const struct gate_story *story);
/* A section of a page, with the class names of html_style. */
void gate_tell_html(FILE *out, const struct gate_story *story);
/* -1: memory. */
int gate_tell_json(FILE *out, const struct gate_story *story);

/* What is compared, how it is judged, and where it is told: as command lines name it. Of compare, ab, baseline and the report. */
struct gate_request {
	const char *command; /* whose messages these are: "ab"; NULL: "compare" */
	const char *const *inputs[GATE_SIDES];
	size_t ninputs[GATE_SIDES];
	const char *names[GATE_SIDES]; /* NULL: the inputs' */
	const char *calls[GATE_SIDES]; /* as in a story */
	bool paired;
	struct gate_settings settings;
	const struct gate_rules *rules;
	const char *junit, *markdown, *json; /* files; "-" stdout; NULL: none */
	const char *const *kept;             /* files of gates, which no output may be */
	size_t nkept;
	bool quiet; /* the first line alone */
	bool all_points;
	bool beside; /* a report asks in passing: it is no error, and not said, that no point is on both sides */
};
/* Tells and returns the exit code. */
enum gate_exit gate_compare(const struct gate_request *request);

/* The two sides brought together, judged, and everything that is told of them. */
struct gate_case;
/* NULL after one line on stderr: an input that cannot be used, no point on both sides, memory. */
struct gate_case *gate_case_open(const struct gate_request *request);
const struct gate_story *gate_case_story(const struct gate_case *opened);
void gate_case_close(struct gate_case *opened);

struct study;
/* Of a report of two runs, of which --baseline may name the base; NULL where there is nothing to judge. `study` outlives it. */
struct gate_case *gate_case_beside(const struct study *study);

#endif
