/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison from inputs to outputs. Where a file goes to stdout, the text for people does not.
 */
#include <stdio.h>
#include <string.h>

#include "../array.h"
#include "../output.h"
#include "outputs.h"
#include "request.h"

static bool is_stdout(const char *file)
{
	return file && strcmp(file, "-") == 0;
}

static int tell_to(const char *file, void (*tell)(FILE *, const struct gate_story *), const struct gate_story *story)
{
	struct output output;

	if (!file)
		return 0;
	if (output_open(&output, "collperf compare", file))
		return -1;
	tell(output.file, story);
	return output_close(&output);
}

static int tell_json(const char *file, const struct gate_story *story)
{
	struct output output;
	int rc;

	if (!file)
		return 0;
	if (output_open(&output, "collperf compare", file))
		return -1;
	rc = gate_tell_json(output.file, story);
	if (rc)
		array_failed();
	return output_close(&output) || rc ? -1 : 0;
}

int gate_tell(const struct gate_request *request, const struct gate_story *story)
{
	int rc = 0;

	if (!is_stdout(request->junit) && !is_stdout(request->markdown) && !is_stdout(request->json))
		rc = tell_to("-", request->quiet ? gate_tell_verdict : gate_tell_text, story);
	/* One that cannot be written does not keep the others from a CI server. */
	rc |= tell_to(request->junit, gate_tell_junit, story);
	rc |= tell_to(request->markdown, gate_tell_markdown, story);
	rc |= tell_json(request->json, story);
	return rc;
}

enum gate_exit gate_compare(const struct gate_request *request)
{
	struct gate_case *opened;
	enum gate_exit code = GATE_EXIT_INPUT;

	if (gate_outputs_check(request))
		return GATE_EXIT_USAGE;
	opened = gate_case_open(request);
	if (!opened) {
		gate_tell_nothing(request, "an input cannot be used, or no point is on both sides (stderr says which)");
		return code;
	}
	if (gate_tell(request, gate_case_story(opened)) == 0)
		code = gate_case_story(opened)->code;
	gate_case_close(opened);
	return code;
}
