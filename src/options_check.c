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

/* Options of the GPU backend are whole numbers or flags. */
static int check_need(const struct option_row *row, const struct options *options, const char *needs, struct options_error *error)
{
	const bool is_flag = row->parse == option_parse_flag;
	char label[SIZE_TEXT];
	long value, idle;

	if (is_flag) {
		value = *(const bool *)option_value(row, options);
		idle = *(const bool *)option_value(row, &option_defaults);
	} else {
		value = *(const long *)option_value(row, options);
		idle = *(const long *)option_value(row, &option_defaults);
	}
	if (value == idle)
		return 0;
	option_label(row, label, sizeof label);
	return is_flag ? option_fail(error, "%s needs --backend %s", label, needs)
		       : option_fail(error, "%s: %ld needs --backend %s", label, value, needs);
}

static int check_needs(const struct options *options, const char *backend, struct options_error *error)
{
	const char *needs = option_groups[GROUP_GPU].needs;

	for (size_t i = 0; i < option_row_count && strcmp(backend, needs) != 0; i++)
		if (option_rows[i].group == GROUP_GPU && check_need(&option_rows[i], options, needs, error))
			return -1;
	needs = option_groups[GROUP_SIM].needs;
	if (options->sim_option && strcmp(backend, needs) != 0)
		return option_fail(error, "--%s: needs --backend %s", options->sim_option, needs);
	return 0;
}

static int check_gpu(const struct options *options, struct options_error *error)
{
	if (options->blocking != 0 && options->timing == TIMING_SYNC)
		return option_fail(error, "-z applies to --timing loop; with --timing sync every call is waited for");
	if (options->hold && options->timing == TIMING_SYNC)
		return option_fail(error, "--hold applies to --timing loop");
	if (options->hold && options->blocking != 0)
		return option_fail(error, "--hold: a call that is waited for (-z %ld) would never start", options->blocking);
	/* The first call of a kernel loads it, which waits for the device: behind a hold, for ever. */
	if (options->hold && options->warmup == 0)
		return option_fail(error, "--hold: needs a warm-up call (-w 0 has none)");
	if (options->graph != 0 && options->per_iter)
		return option_fail(error, "-I: calls inside a graph (-G) have no times of their own");
	if (options->graph != 0 && options->stream_null)
		return option_fail(error, "-G: the null stream (-y 1) cannot be recorded");
	return 0;
}

static int check_per_iter(const struct options *options, const char *backend, struct options_error *error)
{
	const char *device = option_groups[GROUP_GPU].needs;

	if (options->per_iter_skip > 0 && !options->per_iter)
		return option_fail(error, "-K applies to -I 1");
	if (options->iters > 0 && options->per_iter_skip >= options->iters)
		return option_fail(error, "-K: leaving %ld calls out of -n %ld leaves none", options->per_iter_skip,
				   options->iters);
	if (!options->per_iter || options->timing == TIMING_SYNC)
		return 0;
	if (strcmp(backend, device) != 0)
		return option_fail(error, "-I with --timing loop needs --backend %s, where the GPU times each call", device);
	return options->iters > 0 ? 0 : option_fail(error, "-I with --timing loop needs -n");
}

static int check_steering(const struct options *options, struct options_error *error)
{
	if (options->algo && options->sim_model)
		return option_fail(error, "--algo and --sim-model both name the cost model: give one");
	return 0;
}

int options_check(const struct options *options, const char *backend, struct options_error *error)
{
	if (check_sizes(options, error) || check_timing(options, error) || check_files(options, error))
		return -1;
	if (check_needs(options, backend, error) || check_gpu(options, error) || check_per_iter(options, backend, error))
		return -1;
	if (check_steering(options, error) || option_check_pairs(options, error) || option_check_exchange(options, error) ||
	    option_check_uneven(options, error))
		return -1;
	return option_check_inject(options, error);
}
