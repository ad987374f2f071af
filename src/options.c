/* SPDX-License-Identifier: Apache-2.0
 *
 * Splits a command line and walks the sizes of a sweep. What an option means is in options_values.c, which options there are in
 * options_table.c.
 */
#include "options.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

#include "options_table.h"

enum {
	MAX_ROWS = 128,
	LONG_ROW = 256,     /* + its index: a row given by its long name */
	LONG_REFUSED = 512, /* + its index: a refusal given by its long name */
	QUOTE = 100,
	POSITIONAL = 1, /* what getopt_long returns for an argument that is no option */
};

/* The command line as getopt_long wants it described. */
struct grammar {
	struct option longs[MAX_ROWS];
	char letters[3 * MAX_ROWS];
};

const struct options option_defaults = {
	.min_bytes = UINT64_C(32) << 20,
	.max_bytes = UINT64_C(32) << 20,
	.step_bytes = UINT64_C(1) << 20,
	.step_factor = 1,
	.type = DTYPE_FLOAT,
	.op = REDOP_SUM,
	.warmup = 5,
	.agg_iters = 1,
	.cycles = 1,
	.check = 1,
	.max_time = 0.5,
	.ci = 0.025,
	.exchange = { .stride = 1 },
	.serial = { .stride = 1 },
	.timing = TIMING_SYNC,
	.sync = START_CLOCK,
	.combine = COMBINE_MAX,
	.nthreads = 1,
	.ngpus = 1,
	.cta_policy = -1,
	.connect_timeout = 60,
	.backend = "auto",
	.launch = LAUNCH_AUTO,
	.path = "auto",
	.readback = READBACK_PATH,
	.format = FORMAT_NCCL,
	.sim_ranks = 8,
	.sim_alpha = 5e-6,
	.sim_bandwidth = 100e9,
	.seed = 1,
};

/* What --pairs may take from one point: there are many. */
static const double pairs_time = 20e-3;

static void add_option(struct grammar *grammar, size_t i, const char *name, char letter, int argument, int value)
{
	size_t used = strlen(grammar->letters);

	grammar->longs[i] = (struct option){ name, argument, NULL, value };
	if (letter)
		snprintf(grammar->letters + used, sizeof grammar->letters - used, "%c%s", letter,
			 argument == no_argument ? "" : ":");
}

static int kind_of(const struct option_row *row)
{
	return option_is_optional(row) ? optional_argument : row->argument ? required_argument : no_argument;
}

static void describe(struct grammar *grammar)
{
	size_t n = 0;

	memset(grammar, 0, sizeof *grammar);
	/* '-': arguments that are no options are returned where they stand. ':': a missing argument is told from an unknown option. */
	strcpy(grammar->letters, "-:");
	for (size_t i = 0; i < option_row_count && n < MAX_ROWS - 1; i++, n++)
		add_option(grammar, n, option_rows[i].name, option_rows[i].letter, kind_of(&option_rows[i]), LONG_ROW + (int)i);
	for (size_t i = 0; option_refusals[i].name && n < MAX_ROWS - 1; i++, n++)
		add_option(grammar, n, option_refusals[i].name, option_refusals[i].letter, required_argument,
			   LONG_REFUSED + (int)i);
}

static const struct option_row *find_row(int value)
{
	if (value >= LONG_ROW && value < LONG_ROW + (int)option_row_count)
		return &option_rows[value - LONG_ROW];
	for (size_t i = 0; i < option_row_count; i++)
		if (option_rows[i].letter && option_rows[i].letter == value)
			return &option_rows[i];
	return NULL;
}

static const struct option_refusal *find_refusal(int value)
{
	if (value >= LONG_REFUSED)
		return &option_refusals[value - LONG_REFUSED];
	for (size_t i = 0; option_refusals[i].name; i++)
		if (option_refusals[i].letter && option_refusals[i].letter == value)
			return &option_refusals[i];
	return NULL;
}

/* The option as it was typed, without its argument: "--minbytes", "-b". */
static void name_typed(int value, const char *word, char *typed, size_t size)
{
	char letter[2] = { (char)value, '\0' };
	char escaped[8], name[QUOTE];

	if (value != 0 && value < LONG_ROW) {
		snprintf(typed, size, "-%s", option_quote(letter, escaped, sizeof escaped));
		return;
	}
	snprintf(name, sizeof name, "%.*s", (int)(strcspn(word, "=") < sizeof name ? strcspn(word, "=") : sizeof name), word);
	option_quote(name, typed, size);
}

/* getopt_long also takes the beginning of a long name; scripts that use one break when an option is added. */
static bool is_abbreviated(int value, const char *typed)
{
	const struct option_row *row = find_row(value);
	const struct option_refusal *refusal = find_refusal(value);

	return value >= LONG_ROW && strcmp(typed + 2, row ? row->name : refusal->name) != 0;
}

/* One option as getopt_long returned it; `value` is its letter or LONG_*, `word` where it was found. */
static int take(int value, const char *word, struct options *options, struct options_error *error)
{
	const struct option_row *row = find_row(value);
	const struct option_refusal *refusal = find_refusal(value);
	struct options_error reason;
	char typed[QUOTE], text[QUOTE];

	name_typed(value, word, typed, sizeof typed);
	if ((!row && !refusal) || is_abbreviated(value, typed))
		return option_fail(error, "unknown option %s", typed);
	if (refusal && refusal->idle && strcmp(optarg, refusal->idle) == 0)
		return 0;
	if (refusal)
		return option_fail(error, "%s: %s", typed, refusal->reason);
	const char *argument = row->argument && optarg ? optarg : "";

	if (row->parse(row, argument, options, &reason))
		return option_fail(error, "%s: '%s' %s", typed, option_quote(argument, text, sizeof text), reason.text);
	if (row->group == GROUP_SIM)
		options->sim_option = row->name;
	return 0;
}

/* `value`: the option that getopt_long could not take; 0 when it is a long one that it does not know. */
static int fail_option(int value, bool missing, const char *word, struct options_error *error)
{
	const struct option_row *row = find_row(value);
	char typed[QUOTE];

	name_typed(value, word, typed, sizeof typed);
	if (value == 0 || (!row && !find_refusal(value)) || is_abbreviated(value, typed))
		return option_fail(error, "unknown option %s", typed);
	if (missing)
		return option_fail(error, "%s: needs an argument (%s)", typed, row ? row->argument : "TEXT");
	return option_fail(error, "%s: takes no argument", typed);
}

static int fail_extra(const char *text, struct options_error *error)
{
	char quoted[QUOTE];

	return option_fail(error, "extra argument '%s'", option_quote(text, quoted, sizeof quoted));
}

int options_parse(int argc, char *const *argv, struct options *options, struct options_error *error)
{
	struct options parsed = option_defaults;
	struct grammar grammar;

	/* Not given, until it is. */
	parsed.max_time = NAN;
	parsed.min_bytes = parsed.max_bytes = 0;
	describe(&grammar);
	opterr = 0;
	optind = 0; /* start anew, also inside a group of letters that a call before this one left */
	for (;;) {
		int at = optind ? optind : 1;
		const char *word = at < argc ? argv[at] : "";
		int value = getopt_long(argc, argv, grammar.letters, grammar.longs, NULL);

		if (value == -1)
			break;
		if (value == '?' || value == ':') {
			if (fail_option(optopt, value == ':', word, error))
				return -1;
		} else if (value == POSITIONAL) {
			return fail_extra(optarg, error);
		} else if (take(value, word, &parsed, error)) {
			return -1;
		}
	}
	if (optind < argc)
		return fail_extra(argv[optind], error);
	if (isnan(parsed.max_time))
		parsed.max_time = parsed.pairs ? pairs_time : option_defaults.max_time;
	option_default_sizes(&parsed);
	option_name_exchange(&parsed);
	*options = parsed;
	return 0;
}

bool options_next_size(const struct options *options, uint64_t *bytes)
{
	uint64_t left = options->max_bytes - *bytes;

	if (*bytes == 0) {
		*bytes = options->min_bytes;
		return options->min_bytes > 0 && options->min_bytes <= options->max_bytes;
	}
	if (*bytes >= options->max_bytes)
		return false;
	if (options->step_factor > 1) {
		if (*bytes > options->max_bytes / options->step_factor)
			return false;
		*bytes *= options->step_factor;
		return true;
	}
	if (options->step_bytes == 0 || options->step_bytes > left)
		return false;
	*bytes += options->step_bytes;
	return true;
}
