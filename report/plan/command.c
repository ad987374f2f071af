/* SPDX-License-Identifier: Apache-2.0
 *
 * `collperf plan`: reads rows or takes a link, makes the plan, tells it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../escape.h"
#include "../findings.h"
#include "../gate/outputs.h"
#include "../input.h"
#include "../link.h"
#include "../output.h"
#include "../report.h"
#include "model.h"
#include "tell.h"

enum { EXIT_OK = 0, EXIT_USAGE = 2, EXIT_IO = 3 };

static const char no_call[] = "collperf plan: the rows tell the time of no call:";

static bool is_stdout(const char *file)
{
	return file && strcmp(file, "-") == 0;
}

enum format { FORMAT_TEXT, FORMAT_MARKDOWN, FORMAT_JSON };

static int write_file(const char *path, const struct plan *plan, enum format format)
{
	struct output output;
	int rc;

	if (output_open(&output, "collperf plan", path))
		return -1;
	rc = format == FORMAT_JSON ? plan_tell_json(output.file, plan) : plan_tell(output.file, plan, format == FORMAT_MARKDOWN);
	return output_close(&output) || rc ? -1 : 0;
}

/* Files first: who reads along on the terminal may close it. */
static int tell_all(const struct plan_options *options, const struct plan *plan)
{
	if (options->json && write_file(options->json, plan, FORMAT_JSON))
		return EXIT_IO;
	if (options->markdown && write_file(options->markdown, plan, FORMAT_MARKDOWN))
		return EXIT_IO;
	if (is_stdout(options->json) || is_stdout(options->markdown))
		return EXIT_OK;
	return write_file("-", plan, FORMAT_TEXT) ? EXIT_IO : EXIT_OK;
}

static bool is_told(const struct plan *plan, int kind)
{
	for (int before = 0; before < kind; before++)
		if (plan->strategies[before].error && strcmp(plan->strategies[before].error, plan->strategies[kind].error) == 0)
			return true;
	return false;
}

/* Rows that tell the time of no call at all make no plan. */
static bool is_useless(const struct plan *plan)
{
	const char *join = no_call;
	bool any = false;

	for (int kind = 0; kind < PLAN_KINDS; kind++) {
		if (isfinite(plan->strategies[kind].communication))
			return false;
		any = any || plan->strategies[kind].error;
	}
	for (int kind = 0; any && kind < PLAN_KINDS; kind++) {
		if (!plan->strategies[kind].error || is_told(plan, kind))
			continue;
		escape_put(stderr, ESCAPE_PLAIN, "%s %s", join, plan->strategies[kind].error);
		join = ";";
	}
	if (any)
		fputc('\n', stderr);
	return any;
}

static int make_and_tell(const struct plan_options *options, const struct plan_model *model, const struct input *input)
{
	struct plan *plan = calloc(1, sizeof *plan);
	struct plan_network network;
	int rc = EXIT_IO;

	if (!plan) {
		array_failed();
		return EXIT_IO;
	}
	if (plan_network_open(options, input ? input->rows : NULL, &network)) {
		free(plan);
		return EXIT_USAGE;
	}
	network.facts = input ? input->facts : NULL;
	network.nfacts = input ? input->nfacts : 0;
	plan_model_put(plan, options, model, &network);
	if (plan_make(plan) == 0 && !is_useless(plan))
		rc = tell_all(options, plan);
	plan_network_close(&network);
	free(plan);
	return rc;
}

static int plan_rows(const struct plan_options *options, const struct plan_model *model)
{
	const struct report_options report = { .command = "plan",
					       .inputs = (char *const *)options->inputs,
					       .ninputs = options->ninputs };
	struct findings findings = { 0 };
	struct input input;
	int rc = EXIT_IO;

	if (input_read(&report, &input, &findings) == 0) {
		const char *why = plan_network_why_useless(input.rows);

		if (why)
			fprintf(stderr, "%s %s; give rows of all_reduce, all_gather and reduce_scatter\n", no_call, why);
		else
			rc = make_and_tell(options, model, &input);
		if (rc == EXIT_OK && input.failed > 0)
			rc = EXIT_IO;
	}
	findings_clear(&findings);
	input_clear(&input);
	return rc;
}

/* No output may be what is read. */
static int check_outputs(const struct plan_options *options)
{
	const bool file = options->model && !train_shape_find(options->model);
	const struct gate_request request = { .command = "plan",
					      .inputs = { options->inputs, file ? &options->model : NULL },
					      .ninputs = { options->ninputs, file ? 1 : 0 },
					      .json = options->json,
					      .markdown = options->markdown };

	return gate_outputs_check(&request);
}

int plan_main(int argc, char **argv)
{
	struct plan_options options;
	struct plan_model model;
	int rc;

	if (plan_options_parse(argc, argv, &options))
		return EXIT_USAGE;
	if (options.help || options.list_models || options.list_links) {
		if (options.help)
			plan_options_help();
		else if (options.list_models)
			plan_model_list(stdout);
		else
			link_list(stdout);
		return EXIT_OK;
	}
	rc = plan_model_find(&options, &model);
	if (rc)
		return rc;
	if (check_outputs(&options))
		rc = EXIT_USAGE;
	else
		rc = options.given ? make_and_tell(&options, &model, NULL) : plan_rows(&options, &model);
	plan_model_clear(&model);
	return rc;
}
