/* SPDX-License-Identifier: Apache-2.0
 *
 * That there is no comparison, in the files that one was to be written to.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../escape.h"
#include "../output.h"
#include "../text.h"
#include "request.h"

static int put_junit(FILE *out, const char *why)
{
	escape_put(
		out, ESCAPE_HTML,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"collperf compare\" tests=\"1\" failures=\"0\" "
		"errors=\"1\" skipped=\"0\" time=\"0\">\n"
		"  <testsuite name=\"comparison\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0\">\n"
		"    <testcase classname=\"collperf.comparison\" name=\"inputs\" time=\"0\">\n"
		"      <error message=\"no comparison: %s\" type=\"input\"/>\n    </testcase>\n  </testsuite>\n</testsuites>\n",
		why);
	return 0;
}

static int put_markdown(FILE *out, const char *why)
{
	escape_put(out, ESCAPE_MARKDOWN, "### No comparison: %s\n", why);
	return 0;
}

static int put_json(FILE *out, const char *why)
{
	char *clean = text_utf8(why);
	json_t *root = json_pack("{s:i, s:s, s:s, s:s, s:i, s:s}", "schema", 1, "program", "collperf compare", "version",
				 COLLPERF_VERSION, "verdict", "no comparison", "exit_code", GATE_EXIT_INPUT, "error",
				 clean ? clean : "");
	const int rc = root ? json_dumpf(root, out, JSON_INDENT(1)) : -1;

	putc('\n', out);
	json_decref(root);
	free(clean);
	return rc;
}

int gate_tell_nothing(const struct gate_request *request, const char *why)
{
	const struct {
		const char *file;
		int (*put)(FILE *, const char *);
	} files[] = { { request->junit, put_junit }, { request->markdown, put_markdown }, { request->json, put_json } };
	int rc = 0;

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct output output;

		if (!files[i].file)
			continue;
		if (output_open(&output, "collperf compare", files[i].file)) {
			rc = -1;
			continue;
		}
		rc |= files[i].put(output.file, why);
		rc |= output_close(&output);
	}
	return rc ? -1 : 0;
}
