/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of bucket_perf: options of its own, and those of the other perf binaries that have a meaning for steps.
 */
#ifndef COLLPERF_OPTIONS_STEP_H
#define COLLPERF_OPTIONS_STEP_H

#include "options_table.h"
#include "step.h"

/* What was said of gradients. */
struct options_step {
	struct step_options step;
	double params;         /* NAN: not given */
	long layers;           /* 0 */
	const char *model;     /* NULL */
	const char *gradients; /* NULL; a file */
	bool ratio_given, caps_given, prefetch_given;
	char variant[24]; /* "occupancy 50" */
};

/* Reads `text`. 0, or -1 with the reason in error->text, worded to follow the quoted text. */
typedef int option_step_parser(const char *text, struct options_step *given, struct options_error *error);

struct option_step_row {
	struct option_row shown;
	option_step_parser *parse;
};

extern const struct option_step_row option_step_rows[];
extern const size_t option_step_row_count;

option_step_parser option_step_params, option_step_layers, option_step_model, option_step_gradients, option_step_strategy,
	option_step_caps, option_step_prefetch, option_step_compute, option_step_ratio, option_step_progress, option_step_period,
	option_step_occupancy;

/* Whether bucket_perf takes this option of the other perf binaries, and as its help has it: some have another default or less to say. */
bool option_step_shares(const struct option_row *row);
struct option_row option_step_shown(const struct option_row *row);

/*
 * Fills both, without what environment and backend say; options->step points to given->step, whose gradients are to be freed. 0, or -1 with error->text.
 * Prints nothing.
 */
int options_step_parse(int argc, char *const *argv, struct options *options, struct options_step *given,
		       struct options_error *error);

void options_step_help(FILE *out, const char *program, const char *summary);
void options_step_man(FILE *out);

#endif
