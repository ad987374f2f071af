/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules that join two options, or an option and the backend, from general to specific.
 */
#include <string.h>

#include "options_table.h"
#include "size.h"

enum { SIZE_TEXT = 24, MAX_SIZES = 1000000 };

static int check_sizes(const struct options *options, struct options_error *error)
{
	char low[SIZE_TEXT], high[SIZE_TEXT];

	if (options->min_bytes > options->max_bytes)
		return option_fail(error, "-b: %s is above -e, which is %s", size_format(options->min_bytes, low, sizeof low),
				   size_format(options->max_bytes, high, sizeof high));
	if (options->step_factor > 1 || options->min_bytes == options->max_bytes)
		return 0;
	if (options->step_bytes == 0)
		return option_fail(error, "-i: 0 leads from no size to the next while -f is 1: give -i a step or -f a factor");
	if ((options->max_bytes - options->min_bytes) / options->step_bytes >= MAX_SIZES)
		return option_fail(error, "-i: %s makes more than %d sizes: give a larger step or -f a factor",
				   size_format(options->step_bytes, low, sizeof low), MAX_SIZES);
	return 0;
}

static int check_timing(const struct options *options, struct options_error *error)
{
	if (options->combine != COMBINE_MAX && options->timing == TIMING_SYNC)
		return option_fail(error, "-a applies to --timing loop; with --timing sync the slowest rank counts");
	if (options->sync != START_CLOCK && options->timing == TIMING_LOOP)
		return option_fail(error, "--sync applies to --timing sync; a loop starts from a barrier");
	return 0;
}

static int check_files(const struct options *options, struct options_error *error)
{
	const struct {
		const char *option, *file;
	} outputs[] = { { "--csv", options->csv }, { "--json", options->json }, { "--facts", options->facts } };
	char quoted[80];

	for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
		for (size_t j = 0; j < i; j++)
			if (outputs[i].file && outputs[j].file && strcmp(outputs[i].file, outputs[j].file) == 0)
				return option_fail(error, "%s and %s cannot both write to '%s'", outputs[j].option,
						   outputs[i].option, option_quote(outputs[i].file, quoted, sizeof quoted));
	return 0;
}

/* Options of the GPU backend are whole numbers whose default is their value without effect. */
static int check_needs(const struct options *options, const char *backend, struct options_error *error)
{
	for (size_t i = 0; i < option_row_count; i++) {
		const struct option_row *row = &option_rows[i];
		const char *needs = option_groups[row->group].needs;
		const long *value = option_value(row, options);
		char label[SIZE_TEXT];
		long idle;

		if (row->group != GROUP_GPU || strcmp(needs, backend) == 0 ||
		    count_parse(row->preset, row->min, row->max, &idle) || *value == idle)
			continue;
		return option_fail(error, "%s: %ld needs --backend %s", option_label(row, label, sizeof label), *value, needs);
	}
	if (options->sim_option && strcmp(backend, option_groups[GROUP_SIM].needs) != 0)
		return option_fail(error, "--%s: needs --backend %s", options->sim_option, option_groups[GROUP_SIM].needs);
	return 0;
}

static int check_inject(const struct options *options, struct options_error *error)
{
	if (options->inject.kind == INJECT_CORRUPT && options->check == 0)
		return option_fail(error, "--inject: corrupt data are never seen with -c 0");
	return 0;
}

/* Each backend brings its ranks up in one way only, so far. */
static int check_launch(const struct options *options, const char *backend, struct options_error *error)
{
	const enum launch_kind own = strcmp(backend, "mpi") == 0 ? LAUNCH_MPI : LAUNCH_SELF;

	if (options->launch == LAUNCH_AUTO || options->launch == own)
		return 0;
	return option_fail(error, "--launch: the %s backend is launched by '%s' only", backend,
			   own == LAUNCH_MPI ? "mpi" : "self");
}

int options_check(const struct options *options, const char *backend, struct options_error *error)
{
	if (check_sizes(options, error) || check_timing(options, error) || check_files(options, error))
		return -1;
	return check_needs(options, backend, error) || check_launch(options, backend, error) || check_inject(options, error) ? -1
															     : 0;
}
