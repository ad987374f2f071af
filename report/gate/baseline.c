/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `collperf baseline`.
 */
#include "baseline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../escape.h"
#include "baseline_run.h"
#include "outputs.h"

enum action { ACTION_UPDATE, ACTION_SHOW, ACTION_CHECK, ACTIONS };

static const char *const action_names[ACTIONS] = { "update", "show", "check" };

struct line {
	enum action action;
	long keep, wait;
	bool has_keep, force, check, help;
	char **words; /* what is left for the options of compare: argv[0], then borrowed words */
	int count;
	struct gate_options *options;
	const char *folder, *run;
};

static int usage(const char *what, const char *text, const char *why)
{
	escape_put(stderr, ESCAPE_PLAIN, "collperf baseline: %s%s%s; try 'collperf baseline --help'\n", what, text, why);
	return -1;
}

static int read_number(const char *option, const char *text, long least, long most, long *number)
{
	char *end;
	long value;

	errno = 0;
	value = text ? strtol(text, &end, 10) : 0;
	if (!text || *text < '0' || *text > '9' || *end || errno || value < least || value > most) {
		escape_put(stderr, ESCAPE_PLAIN, "collperf baseline: %s: '%s' is not a whole number from %d to %d\n", option,
			   text ? text : "", (int)least, (int)most);
		return -1;
	}
	*number = value;
	return 0;
}

/* The value of an option "--name VALUE" or "--name=VALUE"; NULL where the word is another one or the value is missing. */
static bool is_option(const char *name, char *const *argv, int argc, int *i, const char **value)
{
	const size_t length = strlen(name);

	if (strncmp(argv[*i], name, length) != 0 || (argv[*i][length] != '\0' && argv[*i][length] != '='))
		return false;
	*value = argv[*i][length] == '=' ? argv[*i] + length + 1 : *i + 1 < argc ? argv[++*i] : NULL;
	return true;
}

/* Our own options; all other words are kept. */
static int take(struct line *line, char **argv, int argc, int *i)
{
	const char *value;

	if (strcmp(argv[*i], "--force") == 0) {
		line->force = true;
	} else if (strcmp(argv[*i], "--check") == 0) {
		line->check = true;
	} else if (strcmp(argv[*i], "--help") == 0 || strcmp(argv[*i], "-h") == 0) {
		line->help = true;
	} else if (is_option("--keep", argv, argc, i, &value)) {
		line->has_keep = true;
		return read_number("--keep", value, 1, BASELINE_MOST, &line->keep);
	} else if (is_option("--wait", argv, argc, i, &value)) {
		return read_number("--wait", value, 0, BASELINE_MOST_WAIT, &line->wait);
	} else {
		line->words[line->count++] = argv[*i];
	}
	return 0;
}

static int find_action(struct line *line, const char *word)
{
	for (int a = 0; a < ACTIONS; a++) {
		if (strcmp(word, action_names[a]) == 0) {
			line->action = (enum action)a;
			return 0;
		}
	}
	return usage("'", word, "' is none of update, show and check");
}

static int check_together(const struct line *line)
{
	const bool updates = line->action == ACTION_UPDATE;

	if (!updates && (line->has_keep || line->force || line->check))
		return usage("--keep, --force and --check go with update", "", "");
	if (line->force && line->check)
		return usage("--force takes what --check may refuse: give one of them", "", "");
	for (int i = 1; line->action != ACTION_CHECK && !line->check && i < line->count; i++) {
		if (strcmp(line->words[i], "--") == 0)
			break;
		if (line->words[i][0] == '-' && line->words[i][1] != '\0')
			return usage("unknown option '", line->words[i], updates ? "' (those of compare go with --check)" : "'");
	}
	return 0;
}

/* 0 or an exit code. */
static int take_words(struct line *line)
{
	enum gate_exit code;
	char *const *words;
	size_t count;

	line->options = gate_options_read(line->count, line->words, &code);
	if (!line->options)
		return (int)code;
	words = gate_options_words(line->options, &count);
	if (count != (line->action == ACTION_SHOW ? 1 : 2)) {
		usage(line->action == ACTION_SHOW ? "show: name the folder of the baseline"
						  : "name the folder of the baseline, then a run directory",
		      "", "");
		return GATE_EXIT_USAGE;
	}
	line->folder = words[0];
	line->run = count > 1 ? words[1] : NULL;
	if (*line->folder && (!line->run || *line->run))
		return 0;
	usage("an empty name is no folder", "", "");
	return GATE_EXIT_USAGE;
}

/* 0 or an exit code. */
static int parse(int argc, char **argv, struct line *line)
{
	int i = argc > 1 && argv[1][0] != '-' ? 2 : 1;

	line->words = calloc((size_t)argc + 1, sizeof *line->words);
	if (!line->words) {
		array_failed();
		return GATE_EXIT_INPUT;
	}
	line->words[line->count++] = argv[0];
	for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (take(line, argv, argc, &i))
			return GATE_EXIT_USAGE;
	}
	for (; i < argc; i++)
		line->words[line->count++] = argv[i];
	if (line->help)
		return 0;
	if (argc < 2 || argv[1][0] == '-')
		usage("needs update, show or check, then a folder", "", "");
	else if (find_action(line, argv[1]) == 0 && check_together(line) == 0)
		return take_words(line);
	return GATE_EXIT_USAGE;
}

/* Whether the run can be taken as it is. */
static int admit(const struct line *line, const struct baseline *baseline, const struct baseline_run *run)
{
	if (baseline_has(baseline, run->name))
		return baseline_complain(line->run, "is in the baseline already");
	if (run->doubts > 0 && !line->force)
		return baseline_complain(line->run, "is no measure for others: not taken (--force takes it)");
	if (baseline->count >= (size_t)line->keep && strcmp(run->name, baseline->names[baseline->count - (size_t)line->keep]) < 0)
		return baseline_complain(line->run, "is older than all runs that are kept: not taken");
	if (run->fewest == 1)
		baseline_complain(line->run, "has one launch of a primitive: a gate wants --repeat 5");
	return 0;
}

/*
 * The code of --check, and whether the run is to be taken. Two or three runs often cannot tell how much runs differ, and would stay two or three for ever
 * if only what is conclusive were let in.
 */
static int gate(const struct line *line, const struct baseline *baseline, bool *take)
{
	const bool few = baseline->count > 1 && baseline->count < BASELINE_ENOUGH;
	enum gate_exit code;

	*take = true;
	if (!line->check)
		return 0;
	if (baseline->count == 0) {
		baseline_complain(baseline->path, "holds no run yet: nothing to check this one against");
		return 0;
	}
	code = baseline_check(baseline, line->run, gate_options_request(line->options));
	*take = code == GATE_EXIT_OK || (code == GATE_EXIT_INCONCLUSIVE && few);
	if (!*take)
		baseline_complain(line->run, "not taken");
	else if (code != GATE_EXIT_OK)
		baseline_complain(line->run,
				  "taken though inconclusive, so that the baseline comes to know how much runs differ");
	return (int)code;
}

static int update(const struct line *line, struct baseline *baseline)
{
	struct baseline_run run;
	bool take = false;
	int code = GATE_EXIT_INPUT;

	if (baseline_run_read(line->run, true, &run) == 0 && admit(line, baseline, &run) == 0) {
		code = gate(line, baseline, &take);
		if (take && (baseline_add(baseline, line->run, run.name) || baseline_trim(baseline, (size_t)line->keep))) {
			code = GATE_EXIT_INPUT;
			take = false;
		}
		if (take && !baseline_is_piped(gate_options_request(line->options)))
			escape_put(stdout, ESCAPE_PLAIN, "%s: took %s as %s; holds %zu run%s of at most %d\n", baseline->path,
				   line->run, run.name, baseline->count, baseline->count == 1 ? "" : "s", (int)line->keep);
	} else {
		gate_tell_nothing(gate_options_request(line->options), "the run is not taken (stderr says why)");
	}
	baseline_run_clear(&run);
	return code;
}

static int check_outputs(const struct line *line)
{
	struct gate_request request = *gate_options_request(line->options);

	request.command = "baseline";
	request.inputs[GATE_BASE] = &line->folder;
	request.ninputs[GATE_BASE] = 1;
	request.inputs[GATE_NEW] = &line->run;
	request.ninputs[GATE_NEW] = line->run ? 1 : 0;
	return gate_outputs_check(&request);
}

static int act(const struct line *line)
{
	struct baseline baseline;
	int code;

	if (check_outputs(line))
		return GATE_EXIT_USAGE;
	code = baseline_open(line->folder, line->action == ACTION_UPDATE, line->wait, &baseline);
	if (code == GATE_EXIT_INPUT)
		gate_tell_nothing(gate_options_request(line->options), "the baseline cannot be used (stderr says why)");
	if (code == 0 && line->action == ACTION_UPDATE)
		code = update(line, &baseline);
	else if (code == 0 && line->action == ACTION_SHOW)
		code = (int)baseline_show(&baseline);
	else if (code == 0)
		code = (int)baseline_check(&baseline, line->run, gate_options_request(line->options));
	baseline_close(&baseline);
	return code;
}

static void help(void)
{
	puts("Usage: collperf baseline update DIR RUN [--keep N] [--check [options of compare]] [--force]\n"
	     "       collperf baseline show DIR\n"
	     "       collperf baseline check DIR RUN [options of compare]\n"
	     "\n"
	     "DIR holds the last runs that were accepted, a copy of the rows and run.json of each. A new run is held against\n"
	     "all of them, and against the oldest third: a loss of 1 % a week is too small to be seen from one week to the\n"
	     "next, and half gone from the mean of them all, but not from what was twelve weeks ago.\n"
	     "\n"
	     "  update  takes a run, and lets the oldest go\n"
	     "  show    when each was taken, where, how many launches, peak bus bandwidth of each primitive\n"
	     "  check   whether RUN became slower; exit codes of compare\n"
	     "\n"
	     "      --keep N       runs to keep, at most 1000 [12]; --keep 1 begins anew after a loss that is accepted\n"
	     "      --check        take the run only if check says 0, or 4 while there are two or three runs, which often "
	     "cannot\n"
	     "                     tell how much runs differ; the exit code is check's\n"
	     "      --force        also a run with wrong data, one that is incomplete, or whose ranks shared cores\n"
	     "      --wait SECONDS for another program that changes DIR [60]\n"
	     "  -h, --help         this text\n"
	     "\n"
	     "Runs want --repeat 5 or more. Exit code: 0 done, 2 usage, 3 an input cannot be used or DIR not be changed; of\n"
	     "check also 1 regression and 4 inconclusive (collperf compare --help).");
}

int baseline_main(int argc, char **argv)
{
	struct line line = { .keep = BASELINE_KEEP, .wait = BASELINE_WAIT };
	int code = parse(argc, argv, &line);

	if (code == 0 && line.help)
		help();
	else if (code == 0)
		code = act(&line);
	gate_options_free(line.options);
	free(line.words);
	return code;
}
