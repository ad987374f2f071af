/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `collperf compare`.
 */
#include "../command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "outputs.h"
#include "request.h"
#include "settings.h"
#include "tell.h"

enum {
	OPTION_THRESHOLD = 256,
	OPTION_GATE,
	OPTION_GATES,
	OPTION_JUNIT,
	OPTION_MARKDOWN,
	OPTION_JSON,
	OPTION_BASE,
	OPTION_FALSE_ALARMS,
	OPTION_SEED,
	OPTION_QUIET,
	OPTION_POINTS
};

static const struct option long_options[] = { { "threshold", required_argument, NULL, OPTION_THRESHOLD },
					      { "gate", required_argument, NULL, OPTION_GATE },
					      { "gates", required_argument, NULL, OPTION_GATES },
					      { "junit", required_argument, NULL, OPTION_JUNIT },
					      { "markdown", required_argument, NULL, OPTION_MARKDOWN },
					      { "json", required_argument, NULL, OPTION_JSON },
					      { "base", required_argument, NULL, OPTION_BASE },
					      { "false-alarms", required_argument, NULL, OPTION_FALSE_ALARMS },
					      { "seed", required_argument, NULL, OPTION_SEED },
					      { "quiet", no_argument, NULL, OPTION_QUIET },
					      { "list-points", no_argument, NULL, OPTION_POINTS },
					      { "help", no_argument, NULL, 'h' },
					      { NULL, 0, NULL, 0 } };

/* Read when all options are known, as a file that cannot be read is told in the outputs. */
struct gates_option {
	const char *value;
	bool is_file;
};

struct parsed {
	struct gate_request request;
	struct gate_rules rules;
	const char **bases; /* --base, then what comes before the last word */
	size_t nbases;
	struct gates_option *gates;
	size_t ngates;
	const char **files; /* of gates */
	bool help;
};

static int option_take(int letter, const char *value, void *into);

static const struct command command_line = { "compare", long_options, option_take };

static int usage(const char *what, const char *text, const char *why)
{
	return command_usage(&command_line, what, text, why);
}

static int base_add(struct parsed *parsed, const char *name)
{
	const char **grown = array_grow(parsed->bases, parsed->nbases, sizeof *grown);

	if (!grown)
		return -1;
	parsed->bases = grown;
	grown[parsed->nbases++] = name;
	return 0;
}

static int gates_take(struct parsed *parsed, const char *value, bool is_file)
{
	struct gates_option *grown = array_grow(parsed->gates, parsed->ngates, sizeof *grown);
	const char **files = NULL;

	if (!grown)
		return -1;
	parsed->gates = grown;
	grown[parsed->ngates++] = (struct gates_option){ value, is_file };
	if (!is_file)
		return 0;
	files = array_grow(parsed->files, parsed->request.nkept, sizeof *files);
	if (!files)
		return -1;
	parsed->files = files;
	files[parsed->request.nkept++] = value;
	parsed->request.kept = files;
	return 0;
}

/* 0 or an exit code. */
static enum gate_exit gates_read(struct parsed *parsed)
{
	for (size_t i = 0; i < parsed->ngates; i++) {
		const struct gates_option *gates = &parsed->gates[i];
		char error[512] = "";
		const int rc = gates->is_file ? gate_rules_read(&parsed->rules, gates->value, error, sizeof error)
					      : gate_rule_add(&parsed->rules, gates->value, error, sizeof error);

		if (rc == 0)
			continue;
		usage(gates->is_file ? "--gates: " : "--gate: ", error, "");
		if (rc != -2)
			return GATE_EXIT_USAGE;
		gate_tell_nothing(&parsed->request, error);
		return GATE_EXIT_INPUT;
	}
	return GATE_EXIT_OK;
}

static void parsed_clear(struct parsed *parsed)
{
	gate_rules_clear(&parsed->rules);
	free(parsed->bases);
	free(parsed->gates);
	free(parsed->files);
}

static int file_take(const char **file, const char *option, const char *value)
{
	*file = value;
	return *value ? 0 : usage(option, "", ": an empty name is no file");
}

static int number_take(struct parsed *parsed, int letter, const char *value)
{
	struct gate_settings *settings = &parsed->request.settings;

	if (letter == OPTION_THRESHOLD)
		return gate_settings_fraction(value, GATE_MOST_THRESHOLD, &settings->threshold) == 0
			       ? 0
			       : usage("--threshold: '", value, "' is not a loss such as 5% or 0.05 (over 0, at most 1000%)");
	if (letter == OPTION_FALSE_ALARMS)
		return gate_settings_fraction(value, GATE_MOST_ALARMS, &settings->false_alarms) == 0
			       ? 0
			       : usage("--false-alarms: '", value, "' is not a share such as 2% or 0.02 (over 0, at most 50%)");
	return gate_settings_seed(value, &settings->seed) == 0
		       ? 0
		       : usage("--seed: '", value, "' is not a whole number (0 to 2^63 - 1)");
}

static int option_take(int letter, const char *value, void *into)
{
	struct parsed *parsed = into;

	switch (letter) {
	case OPTION_GATE:
	case OPTION_GATES:
		return gates_take(parsed, value, letter == OPTION_GATES);
	case OPTION_JUNIT:
		return file_take(&parsed->request.junit, "--junit", value);
	case OPTION_MARKDOWN:
		return file_take(&parsed->request.markdown, "--markdown", value);
	case OPTION_JSON:
		return file_take(&parsed->request.json, "--json", value);
	case OPTION_BASE:
		return *value ? base_add(parsed, value) : usage("--base", "", ": an empty name is no directory");
	case OPTION_QUIET:
		parsed->request.quiet = true;
		return 0;
	case OPTION_POINTS:
		parsed->request.all_points = true;
		return 0;
	case 'h':
		parsed->help = true;
		return 0;
	case 'o':
		return usage("unknown option '-o'", "", "");
	default:
		return number_take(parsed, letter, value);
	}
}

static int outputs_check(const struct gate_request *request)
{
	const char *const files[] = { request->junit, request->markdown, request->json };
	size_t to_stdout = 0;

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		to_stdout += files[i] && strcmp(files[i], "-") == 0;
	return to_stdout > 1 ? usage("only one of --junit, --markdown and --json can go to stdout", "", "") : 0;
}

static int inputs_take(struct parsed *parsed, char *const *words, size_t nwords)
{
	struct gate_request *request = &parsed->request;

	if (nwords == 0 || nwords + parsed->nbases < 2)
		return usage("name what is compared: BASE... NEW", "", "");
	if (outputs_check(request))
		return -1;
	for (size_t i = 0; i + 1 < nwords; i++) {
		if (base_add(parsed, words[i]))
			return -1;
	}
	request->inputs[GATE_BASE] = parsed->bases;
	request->ninputs[GATE_BASE] = parsed->nbases;
	request->inputs[GATE_NEW] = (const char *const *)&words[nwords - 1];
	request->ninputs[GATE_NEW] = 1;
	request->rules = &parsed->rules;
	return 0;
}

static void help(void)
{
	puts("Usage: collperf compare BASE... NEW [options]\n"
	     "\n"
	     "Says whether NEW became slower than BASE. Each is a run directory or a CSV file; several BASE are\n"
	     "one side. Run both with --repeat 5 or more: a launch is one observation, and launches differ more\n"
	     "than calls do.\n"
	     "\n"
	     "      --threshold LOSS      what is slower by more is a regression, if it is significant [5%]\n"
	     "      --gate RULE           such as \"all_reduce busbw >= 350 GB/s at 1G\" or\n"
	     "                            \"sendrecv time <= 3 us at 8\"; again for more (below)\n"
	     "      --gates FILE          a rule a line, # begins a remark\n"
	     "      --junit FILE          JUnit XML for a CI server; - is stdout, in place of the text\n"
	     "      --markdown FILE       for a pull request or the summary of a job; - likewise\n"
	     "      --json FILE           every figure; - likewise\n"
	     "      --base DIR            one more BASE\n"
	     "      --false-alarms SHARE  of comparisons of equals that may report anything slower [2%]\n"
	     "      --seed N              of the simulation that the test draws on [1]\n"
	     "      --list-points         the text lists every point, too\n"
	     "      --quiet               the first line alone\n"
	     "  -h, --help                this text\n"
	     "\n"
	     "A rule is PRIMITIVE busbw|algbw|time >=|<= NUMBER UNIT at SIZE, then, in any order and each once,\n"
	     "which rows it is for: in-place or out-of-place, path WORD, algo WORD, type WORD, nranks N. Words are\n"
	     "those of the rows' columns. What is left out is any, and all points that it names must hold. UNIT of\n"
	     "a rate: TB/s, GB/s, MB/s, KB/s, B/s (decimal) or Gbit/s; of a time: s, ms, us or ns. SIZE: 8, 64K,\n"
	     "1G (K = 1024).\n"
	     "\n"
	     "Gates judge measurements: of rows that are simulated or unchecked, or of ranks that shared cores, a\n"
	     "gate stays open, which is 4. An output cannot be a file of an input, nor two outputs the same file.\n"
	     "\n"
	     "Exit code: 0 no regression; 1 regression, a gate missed or not measured, or wrong data in NEW, even\n"
	     "if nothing is on both sides; 2 usage; 3 an input cannot be used or an output not be written: outputs\n"
	     "then say so; 4 inconclusive: the data cannot show a loss of that size, or points cannot be judged:\n"
	     "the first line says why. With one launch on a side there are no statistics: a loss over the\n"
	     "threshold is 4, and from twice the time on 1.");
}

/* The exit code, or GATE_EXIT_OK with the request complete. */
static enum gate_exit parse(int argc, char **argv, struct parsed *parsed)
{
	char *const *words;
	size_t nwords;

	if (command_parse(&command_line, argc, argv, parsed, &words, &nwords) ||
	    (!parsed->help && (inputs_take(parsed, words, nwords) || gate_outputs_check(&parsed->request))))
		return GATE_EXIT_USAGE;
	return parsed->help ? GATE_EXIT_OK : gates_read(parsed);
}

int compare_main(int argc, char **argv)
{
	struct parsed parsed = { .request.settings = gate_settings_default() };
	enum gate_exit code = parse(argc, argv, &parsed);

	if (code == GATE_EXIT_OK && parsed.help)
		help();
	else if (code == GATE_EXIT_OK)
		code = gate_compare(&parsed.request);
	parsed_clear(&parsed);
	return (int)code;
}

struct gate_options {
	struct parsed parsed;
	char *const *words;
	size_t nwords;
};

static int options_check(const struct parsed *parsed)
{
	if (parsed->nbases > 0)
		return usage("--base", "", ": both sides are given");
	return outputs_check(&parsed->request) || gate_outputs_check(&parsed->request) ? -1 : 0;
}

struct gate_options *gate_options_read(int argc, char **argv, enum gate_exit *code)
{
	struct gate_options *options = calloc(1, sizeof *options);

	*code = GATE_EXIT_INPUT;
	if (!options) {
		array_failed();
		return NULL;
	}
	options->parsed.request.settings = gate_settings_default();
	options->parsed.request.rules = &options->parsed.rules;
	*code = GATE_EXIT_USAGE;
	if (command_parse(&command_line, argc, argv, &options->parsed, &options->words, &options->nwords) == 0 &&
	    options_check(&options->parsed) == 0)
		*code = gates_read(&options->parsed);
	if (*code == GATE_EXIT_OK)
		return options;
	gate_options_free(options);
	return NULL;
}

void gate_options_free(struct gate_options *options)
{
	if (!options)
		return;
	parsed_clear(&options->parsed);
	free(options);
}

const struct gate_request *gate_options_request(const struct gate_options *options)
{
	return &options->parsed.request;
}

char *const *gate_options_words(const struct gate_options *options, size_t *count)
{
	*count = options->nwords;
	return options->words;
}
