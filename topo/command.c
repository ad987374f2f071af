/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `collperf topo`: one table gives parsing, --help and the man page.
 */
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show.h"
#include "show_words.h"

enum { EXIT_USAGE = 2, EXIT_FAILED = 3, OPTION_FIRST = 256 };

enum { OPTION_HWLOC = OPTION_FIRST, OPTION_NCCL, OPTION_SMI, OPTION_JSON, OPTION_SVG, OPTION_DOT, OPTION_ALONE, OPTION_HELP };

/* In the order of the enum. */
static const struct {
	const char *name, *value, *text;
} rows[] = {
	{ "hwloc", "FILE", "read hwloc's XML (lstopo FILE.xml) instead of this machine" },
	{ "nccl", "FILE", "read NCCL's XML (NCCL_TOPO_DUMP_FILE, NCCL_TOPO_FILE)" },
	{ "smi", "FILE", "read what 'nvidia-smi topo -m' prints" },
	{ "json", NULL, "JSON on stdout instead of text; rates in bytes per second" },
	{ "svg", "FILE", "write a picture too, drawn by Graphviz's dot" },
	{ "dot", "FILE", "write the graph too, in Graphviz's language" },
	{ "alone", NULL, "this process alone, whatever variables of a launcher are set" },
	{ "help", NULL, "this text" },
};

void topo_command_help(FILE *out)
{
	fputs("Usage: collperf topo [--hwloc FILE | --nccl FILE | --smi FILE]... [--json] [--svg FILE] [--dot FILE]\n\n"
	      "Shows what this machine is made of: NUMA nodes, PCI links, GPUs, NVLinks and NICs, the paths between them with\n"
	      "their peak rates, and what costs time. Under mpiexec, srun or torchrun: every host of the job, with its ranks.\n"
	      "Files of other machines are read instead where there are any, a host each; - is stdin (or stdout).\n\n",
	      out);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char words[32];

		snprintf(words, sizeof words, "--%s%s%s", rows[i].name, rows[i].value ? " " : "",
			 rows[i].value ? rows[i].value : "");
		fprintf(out, "  %s %-14s %s\n", strcmp(rows[i].name, "help") == 0 ? "-h," : "   ", words, rows[i].text);
	}
	fputs("\nRates are what links carry at best, one way, in powers of ten.\n"
	      "Exit codes: 0 ok (also with warnings), 2 usage, 3 input, output or launch failed.\n",
	      out);
}

void topo_command_man(FILE *out)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		fprintf(out, ".TP\n\\fB%s\\-\\-%s\\fR%s%s%s\n%s\n", strcmp(rows[i].name, "help") == 0 ? "\\-h\\fR, \\fB" : "",
			rows[i].name, rows[i].value ? " \\fI" : "", rows[i].value ? rows[i].value : "",
			rows[i].value ? "\\fR" : "", rows[i].text);
}

struct parsing {
	struct topo_command *command;
	bool quiet;
};

static int usage(const struct parsing *parsing, const char *what, const char *text, const char *why)
{
	char shown[200];

	if (!parsing->quiet)
		fprintf(stderr, "collperf topo: %s%s%s; try 'collperf topo --help'\n", what,
			show_visible(text, shown, sizeof shown), why);
	return -1;
}

static int take_file(const struct parsing *parsing, const char *name, const char *value)
{
	return *value ? 0 : usage(parsing, "--", name, ": an empty name is no file");
}

static int take_input(const struct parsing *parsing, int letter, const char *value)
{
	struct topo_command *command = parsing->command;

	if (take_file(parsing, rows[letter - OPTION_FIRST].name, value))
		return -1;
	for (size_t i = 0; i < command->ninputs && strcmp(value, "-") == 0; i++)
		if (strcmp(command->inputs[i].file, "-") == 0)
			return usage(parsing, "stdin can be read once only", "", "");
	command->inputs[command->ninputs++] = (struct topo_input){ .source = (enum topo_source)(letter - OPTION_FIRST),
								   .file = value };
	return 0;
}

static int take(const struct parsing *parsing, int letter, const char *value)
{
	struct topo_command *command = parsing->command;

	switch (letter) {
	case OPTION_HWLOC:
	case OPTION_NCCL:
	case OPTION_SMI:
		return take_input(parsing, letter, value);
	case OPTION_SVG:
		command->svg = value;
		return take_file(parsing, "svg", value);
	case OPTION_DOT:
		command->dot = value;
		return take_file(parsing, "dot", value);
	case OPTION_JSON:
		command->json = true;
		return 0;
	case OPTION_ALONE:
		command->alone = true;
		return 0;
	default:
		command->help = true;
		return 0;
	}
}

/* Of letters in one word getopt tells which it is, and not yet the word. */
static const char *unknown_option(char *const *argv, char letter[3])
{
	if (optopt == 0 || optopt > UCHAR_MAX || optopt == 'h')
		return argv[optind - 1];
	snprintf(letter, 3, "-%c", optopt);
	return letter;
}

static int parse_words(const struct parsing *parsing, int argc, char **argv)
{
	struct option long_options[sizeof rows / sizeof *rows + 1] = { { 0 } };
	char unknown[3];
	int letter;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		long_options[i] = (struct option){ rows[i].name, rows[i].value ? required_argument : no_argument, NULL,
						   OPTION_FIRST + (int)i };
	optind = 0; /* the driver parsed its own words first */
	opterr = 0;
	while ((letter = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
		if (letter == '?')
			return usage(parsing, "unknown option '", unknown_option(argv, unknown), "'");
		if (letter == ':')
			return usage(parsing, "'", argv[optind - 1], "' needs a value");
		if (take(parsing, letter, optarg))
			return -1;
	}
	if (optind < argc)
		return usage(parsing, "'", argv[optind], "' is no option: say what a file is by --hwloc, --nccl or --smi");
	return 0;
}

static int settle(const struct parsing *parsing)
{
	const struct topo_command *command = parsing->command;
	const int to_stdout = command->json + (command->svg && strcmp(command->svg, "-") == 0) +
			      (command->dot && strcmp(command->dot, "-") == 0);

	if (!command->help && to_stdout > 1)
		return usage(parsing, "only one of --json, --svg - and --dot - can have stdout", "", "");
	return 0;
}

int topo_command_parse(int argc, char **argv, bool quiet, struct topo_command *command)
{
	struct topo_command parsed = { .inputs = calloc((size_t)argc + 1, sizeof *parsed.inputs) };
	const struct parsing parsing = { .command = &parsed, .quiet = quiet };

	if (!parsed.inputs) {
		fputs("collperf topo: out of memory\n", stderr);
		return -2;
	}
	if (parse_words(&parsing, argc, argv) || settle(&parsing)) {
		topo_command_clear(&parsed);
		return -1;
	}
	*command = parsed;
	return 0;
}

void topo_command_clear(struct topo_command *command)
{
	free(command->inputs);
	*command = (struct topo_command){ 0 };
}

static int run(const struct topo_command *command)
{
	struct topo topo = { 0 };
	int rc;

	if (command->help) {
		topo_command_help(stdout);
		return 0;
	}
	rc = topo_command_read(command, &topo) || topo_command_print(command, &topo) ? EXIT_FAILED : 0;
	topo_clear(&topo);
	return rc;
}

int topo_main(int argc, char **argv)
{
	struct topo_command command;
	int rc = topo_command_parse(argc, argv, false, &command);

	/* A reader that goes away is a failed write, not a death without a word. */
	signal(SIGPIPE, SIG_IGN);
	if (rc)
		return rc == -1 ? EXIT_USAGE : EXIT_FAILED;
	rc = run(&command);
	topo_command_clear(&command);
	return rc;
}
