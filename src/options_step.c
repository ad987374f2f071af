/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts a command line into options of steps and those of all perf binaries, and makes gradients of what was said of them.
 */
#include "options_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../collectives/training.h"
#include "size.h"

enum { QUOTE = 100, MOST_WORDS = 4096, WARM_UP = 2, MOST_STEPS = 1000000 };

static const double step_time = 1.0; /* seconds a row */

/* Names of options of the other perf binaries. */
static const char *const shared[] = {
	"datatype",      "iters",       "warmup_iters", "run_cycles",
	"check",         "sync",        "ci",           "max-time",
	"timeout",       "backend",     "launch",       "connect-timeout",
	"malloc",        "path",        "readback",     "csv",
	"json",          "output_file", "facts",        "report_timestamps",
	"label",         "run-id",      "sim-ranks",    "sim-alpha",
	"sim-bandwidth", "sim-gamma",   "sim-model",    "sim-noise",
	"nthreads",      "ngpus",       "share-gpus",   "seed",
	"inject",        "help",        "version",      "list",
	"dry-run",       "man",         NULL,
};

bool option_step_shares(const struct option_row *row)
{
	const char *const *name = shared;

	while (*name && strcmp(*name, row->name) != 0)
		name++;
	return *name != NULL;
}

static const struct option_row shown_here[] = {
	{ .name = "datatype",
	  .preset = "float",
	  .help = "int8, uint8, int32, uint32, int64, uint64, half, bfloat16, float, double, f8e4m3 or f8e5m2" },
	{ .name = "iters",
	  .preset = "until precise",
	  .help = "timed steps of a row; without -n: until --ci is reached or --max-time is used up" },
	{ .name = "warmup_iters", .preset = "2", .help = "steps before each row that are not timed" },
	{ .name = "check", .preset = "1", .help = "1: the data of a step before timing and of one after; 0: no check" },
	{ .name = "max-time",
	  .preset = "1",
	  .help = "about this many seconds (up to thrice where steps are late) a row without -n" },
	{ .name = "inject", .help = "a fault: corrupt=RANK, with @SIZE in the rows of this --bucket-cap alone" },
};

struct option_row option_step_shown(const struct option_row *row)
{
	struct option_row shown = *row;

	for (size_t i = 0; i < sizeof shown_here / sizeof *shown_here; i++) {
		if (strcmp(shown_here[i].name, row->name) != 0)
			continue;
		shown.preset = shown_here[i].preset;
		shown.help = shown_here[i].help;
	}
	return shown;
}

/* The words that are left for options_parse. */
struct rest {
	char *words[MOST_WORDS + 1];
	int count;
	bool has_warm_up, has_time;
};

static bool is_named(const char *word, const char *name)
{
	const size_t length = strlen(name);

	return strncmp(word, "--", 2) == 0 && strncmp(word + 2, name, length) == 0 &&
	       (word[2 + length] == '\0' || word[2 + length] == '=');
}

static const struct option_row *find_shared(const char *word)
{
	for (size_t i = 0; i < option_row_count; i++) {
		const struct option_row *row = &option_rows[i];
		const bool by_letter = word[0] == '-' && word[1] != '-' && word[1] != '\0' && word[1] == row->letter;

		if (by_letter || is_named(word, row->name))
			return row;
	}
	return NULL;
}

static const struct option_step_row *find_own(const char *word)
{
	for (size_t i = 0; i < option_step_row_count; i++)
		if (is_named(word, option_step_rows[i].shown.name))
			return &option_step_rows[i];
	return NULL;
}

/* How many words the option takes: 1 or 2, or -1. */
static int take_own(const struct option_step_row *row, char *const *words, int left, struct options_step *given,
		    struct options_error *error)
{
	const char *equals = strchr(words[0], '='), *text = equals ? equals + 1 : words[1];
	struct options_error reason;
	char quoted[QUOTE];

	if (!equals && left < 2)
		return option_fail(error, "--%s: needs an argument (%s)", row->shown.name, row->shown.argument);
	if (row->parse(text, given, &reason))
		return option_fail(error, "--%s: '%s' %.300s", row->shown.name, option_quote(text, quoted, sizeof quoted),
				   reason.text);
	return equals ? 1 : 2;
}

/* The same; what is wrong with it options_parse will say. */
static int take_shared(const struct option_row *row, char *const *words, int left, struct rest *rest, struct options_error *error)
{
	const bool is_whole = strchr(words[0], '=') || (words[0][1] != '-' && words[0][2] != '\0');
	const int count = row->argument && !option_is_optional(row) && !is_whole && left > 1 ? 2 : 1;
	char label[QUOTE];

	if (!option_step_shares(row))
		return option_fail(error, "%s has no meaning for steps of training", option_label(row, label, sizeof label));
	rest->has_warm_up |= strcmp(row->name, "warmup_iters") == 0;
	rest->has_time |= strcmp(row->name, "max-time") == 0;
	for (int i = 0; i < count; i++)
		rest->words[rest->count++] = words[i];
	return count;
}

static int part(int argc, char *const *argv, struct rest *rest, struct options_step *given, struct options_error *error)
{
	if (argc > MOST_WORDS)
		return option_fail(error, "over %d words", MOST_WORDS);
	if (argc > 0)
		rest->words[rest->count++] = argv[0];
	for (int i = 1; i < argc;) {
		const struct option_step_row *own = find_own(argv[i]);
		const struct option_row *row = own ? NULL : find_shared(argv[i]);
		int taken = 1;

		if (own)
			taken = take_own(own, &argv[i], argc - i, given, error);
		else if (row)
			taken = take_shared(row, &argv[i], argc - i, rest, error);
		else
			rest->words[rest->count++] = argv[i];
		if (taken < 0)
			return -1;
		i += taken;
	}
	return 0;
}

static int name_models(struct options_error *error, const char *model)
{
	char names[256] = "", quoted[QUOTE];

	for (const struct train_shape *shape = train_shapes; shape->name; shape++) {
		const size_t used = strlen(names);

		snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", shape->name);
	}
	return option_fail(error, "--model: '%s' is not one of %s", option_quote(model, quoted, sizeof quoted), names);
}

static int make_gradients(struct options_step *given, struct options_error *error)
{
	struct step_gradients *gradients = &given->step.gradients;
	const struct train_shape plain = { .params = given->params, .layers = given->layers };
	const struct train_shape *shape = given->model ? train_shape_find(given->model) : &plain;
	char reason[256];

	if (!shape)
		return name_models(error, given->model);
	if (train_gradients(shape, &gradients->elements, &gradients->count, reason, sizeof reason))
		return option_fail(error, "--%s: %s", given->model ? "model" : "params", reason);
	gradients->layers = (long)shape->layers;
	for (size_t i = 0; i < gradients->count; i++)
		gradients->total += gradients->elements[i];
	return 0;
}

/* To be read by rank 0 when all are there. */
static void note_file(struct options_step *given)
{
	given->step.file = given->gradients;
	option_quote(given->gradients, given->step.shown, sizeof given->step.shown);
	given->step.gradients.layers = given->layers;
}

static int find_gradients(struct options_step *given, struct options_error *error)
{
	const int ways = !isnan(given->params) + (given->model != NULL) + (given->gradients != NULL);

	if (ways != 1)
		return option_fail(error, ways ? "give one of --params, --model and --gradients"
					       : "which gradients? Give --params with --layers, --model or --gradients");
	if (!isnan(given->params) && given->layers == 0)
		return option_fail(error, "--params: needs --layers");
	if (given->model && given->layers > 0)
		return option_fail(error, "--layers: --model says how many there are");
	if (!given->gradients)
		return make_gradients(given, error);
	note_file(given);
	return 0;
}

static void add(uint64_t *hash, uint64_t value)
{
	for (int byte = 0; byte < 8; byte++)
		*hash = (*hash ^ (value >> (8 * byte) & 0xff)) * 0x100000001b3;
}

static void add_real(uint64_t *hash, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	add(hash, bits);
}

/* FNV-1a, as options_fingerprint. */
static uint64_t fingerprint(const struct step_options *step)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (const char *c = step->file; c && *c; c++)
		add(&hash, (unsigned char)*c);
	for (size_t i = 0; i < step->gradients.count; i++)
		add(&hash, step->gradients.elements[i]);
	for (size_t i = 0; i < step->nstrategies; i++)
		add(&hash, step->strategies[i]);
	for (size_t i = 0; i < step->ncaps; i++)
		add(&hash, step->caps[i]);
	add(&hash, (uint64_t)step->gradients.layers);
	add(&hash, (uint64_t)step->prefetch);
	add(&hash, step->progress);
	add_real(&hash, step->period);
	add_real(&hash, step->compute);
	add_real(&hash, step->ratio);
	add(&hash, (uint64_t)step->occupancy);
	return hash;
}

static bool uses(const struct step_options *step, enum step_strategy one, enum step_strategy other)
{
	for (size_t i = 0; i < step->nstrategies; i++)
		if (step->strategies[i] == one || step->strategies[i] == other)
			return true;
	return false;
}

/* What none of the strategies would heed. */
static int check_strategies(const struct options_step *given, struct options_error *error)
{
	const struct step_options *step = &given->step;
	const bool has_buckets = uses(step, STEP_BUCKETED, STEP_ZERO), has_layers = uses(step, STEP_FSDP, STEP_FSDP);

	if (given->caps_given && !has_buckets)
		return option_fail(error, "--bucket-cap: only the strategies bucketed and zero have buckets");
	if (given->prefetch_given && !has_layers)
		return option_fail(error, "--prefetch: only the strategy fsdp gathers ahead");
	if (given->gradients && given->layers > 0 && !has_layers)
		return option_fail(error, "--layers: of --gradients only the strategy fsdp makes layers");
	if (step->period_given && ((step->progress_given && step->progress != STEP_POLLING) || !(has_buckets || has_layers)))
		return option_fail(error, "--progress-us: only polling stops compute, while calls are under way");
	return 0;
}

/* Its @SIZE is a bucket's: all rows have the same gradients. */
static int check_corrupt(const struct inject *inject, const struct step_options *step, struct options_error *error)
{
	bool is_there = inject->bytes == 0;
	char text[24];

	for (size_t i = 0; i < step->ncaps && uses(step, STEP_BUCKETED, STEP_ZERO); i++)
		is_there |= step->caps[i] == inject->bytes;
	return is_there ? 0
			: option_fail(error, "--inject: there is no --bucket-cap of %s",
				      size_format(inject->bytes, text, sizeof text));
}

static int check_options(const struct options *options, const struct options_step *given, struct options_error *error)
{
	const struct inject *inject = &options->inject;

	if (options->type == OPTION_ALL)
		return option_fail(error, "-d: steps are of one type");
	if (options->iters > MOST_STEPS)
		return option_fail(error, "-n: %ld is over %d steps a row", options->iters, MOST_STEPS);
	if (inject->kind != INJECT_NONE && inject->kind != INJECT_CORRUPT)
		return option_fail(error, "--inject: steps know only corrupt=RANK");
	if (check_strategies(given, error) || check_corrupt(inject, &given->step, error))
		return -1;
	if (!isnan(given->step.compute) && given->ratio_given)
		return option_fail(error, "--compute-ms and --compute-ratio both say how much: give one");
	return 0;
}

static int finish(struct options *options, struct options_step *given, const struct rest *rest, struct options_error *error)
{
	const size_t size = dtypes[options->type == OPTION_ALL ? DTYPE_FLOAT : options->type].size;

	if (!rest->has_warm_up)
		options->warmup = WARM_UP;
	if (!rest->has_time)
		options->max_time = step_time;
	/* Whoever asks only for help need not say which gradients. */
	if (options->help || options->version || options->list || options->man)
		return 0;
	if (check_options(options, given, error) || find_gradients(given, error))
		return -1;
	given->step.fingerprint = fingerprint(&given->step);
	options->min_bytes = options->max_bytes = given->step.gradients.total * size;
	options->step = &given->step;
	options->occupancy = given->step.occupancy;
	if (given->step.occupancy != STEP_WHOLE) {
		snprintf(given->variant, sizeof given->variant, "occupancy %ld", given->step.occupancy);
		options->variant = given->variant;
	}
	return 0;
}

int options_step_parse(int argc, char *const *argv, struct options *options, struct options_step *given,
		       struct options_error *error)
{
	struct rest rest = { .count = 0 };

	*given = (struct options_step){ .params = NAN,
					.step = { .strategies = { STEP_NAIVE, STEP_FLAT, STEP_BUCKETED },
						  .nstrategies = 3,
						  .caps = { UINT64_C(25) << 20 },
						  .ncaps = 1,
						  .prefetch = 1,
						  .progress = STEP_POLLING,
						  .period = 50e-6,
						  .compute = NAN,
						  .ratio = 1,
						  .occupancy = STEP_WHOLE } };
	if (part(argc, argv, &rest, given, error) || options_parse(rest.count, rest.words, options, error))
		return -1;
	return finish(options, given, &rest, error);
}
