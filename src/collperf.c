/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver: a table of sub-commands. What each does is in driver/ and report/.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../report/report.h"
#include "../topo/show.h"
#include "driver/ab.h"
#include "driver/ab_args.h"
#include "driver/args.h"
#include "driver/run.h"
#include "launch.h"

enum { EXIT_USAGE = 2, EXIT_FAILED = 3 };

struct command {
	const char *name;
	const char *summary;
	int (*main)(const char *program, int argc, char **argv); /* returns the exit code */
};

static int report(const char *program, int argc, char **argv)
{
	(void)program;
	return report_main(argc, argv);
}

static int compare(const char *program, int argc, char **argv)
{
	(void)program;
	return compare_main(argc, argv);
}

static int baseline(const char *program, int argc, char **argv)
{
	(void)program;
	return baseline_main(argc, argv);
}

static int import(const char *program, int argc, char **argv)
{
	(void)program;
	return import_main(argc, argv);
}

static int explain(const char *program, int argc, char **argv)
{
	(void)program;
	return explain_main(argc, argv);
}

static int plan(const char *program, int argc, char **argv)
{
	(void)program;
	return plan_main(argc, argv);
}

/* Becomes the program beside us that has a launch. Returns where it cannot. */
static int become_topo(char **argv)
{
	static const char name[] = "collperf-topo";
	char path[PATH_MAX + sizeof name];
	const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *end;

	path[length > 0 ? length : 0] = '\0';
	end = strrchr(path, '/');
	memcpy(end ? end + 1 : path, name, sizeof name);
	execv(path, argv);
	if (launch_env_rank() == 0)
		fprintf(stderr,
			"collperf topo: as one of several processes this needs %s beside collperf: %s; --alone shows this host\n",
			name, strerror(errno));
	return EXIT_FAILED;
}

static int topo(const char *program, int argc, char **argv)
{
	struct topo_command command;

	(void)program;
	if (!launch_is_one_of_several())
		return topo_main(argc, argv);
	const int rc = topo_command_parse(argc, argv, launch_env_rank() != 0, &command);

	if (rc)
		return rc == -1 ? EXIT_USAGE : EXIT_FAILED;
	const bool alone = command.alone;

	topo_command_clear(&command);
	return alone ? topo_main(argc, argv) : become_topo(argv);
}

static const struct command commands[] = {
	{ "run", "run the perf binaries one after another and write a run directory", run_main },
	{ "report", "plots, theoretical bounds and a page from run directories or CSV files", report },
	{ "compare", "whether a run became slower than another, with exit codes for CI", compare },
	{ "ab", "launch two variants by turns and say whether one is slower", ab_main },
	{ "baseline", "keep the last accepted runs and hold a new one against all of them", baseline },
	{ "plan", "whether training will wait for the network, and what would help", plan },
	{ "topo", "what hosts are made of, the paths between GPUs and NICs and their peak rates", topo },
	{ "import", "results of nccl-tests, rccl-tests, OSU and Intel benchmarks as CSV", import },
	{ "explain", "what a collective does, step by step on small numbers, and what that costs", explain },
};

static const size_t command_count = sizeof(commands) / sizeof(commands[0]);

static int help(void)
{
	puts("Usage: collperf COMMAND [options]\n\n"
	     "Measures collective communication and reports it against theory.\n\n"
	     "Commands:");
	for (size_t i = 0; i < command_count; i++)
		printf("  %-10s %s\n", commands[i].name, commands[i].summary);
	puts("\nOptions:\n"
	     "  -h, --help  this text; collperf COMMAND --help tells more\n"
	     "  --version   the version\n"
	     "  --man       a man page (man macros)");
	return 0;
}

static int version(void)
{
	puts("collperf " COLLPERF_VERSION);
	return 0;
}

static int man(void)
{
	puts(".TH COLLPERF 1 \"\" \"collperf " COLLPERF_VERSION "\" \"User commands\"\n"
	     ".SH NAME\n"
	     "collperf \\- measure collective communication\n"
	     ".SH SYNOPSIS\n"
	     ".B collperf run\n"
	     "[\\fIoptions\\fR] [\\fIsweep options\\fR]\n"
	     ".br\n"
	     ".B collperf report\n"
	     "\\fIDIR\\fR...\\ |\\ \\fICSV\\fR... [\\fIoptions\\fR]\n"
	     ".br\n"
	     ".B collperf compare\n"
	     "\\fIBASE\\fR...\\ \\fINEW\\fR [\\fB\\-\\-threshold\\fR \\fILOSS\\fR] [\\fB\\-\\-gate\\fR \\fIRULE\\fR]... "
	     "[\\fIoptions\\fR]\n"
	     ".br\n"
	     ".B collperf ab\n"
	     "\\fB\\-A\\fR \\fISPEC\\fR \\fB\\-B\\fR \\fISPEC\\fR [\\fIoptions\\fR] [\\fIsweep options\\fR]\n"
	     ".br\n"
	     ".B collperf baseline\n"
	     "\\fBupdate\\fR|\\fBshow\\fR|\\fBcheck\\fR \\fIDIR\\fR [\\fIRUN\\fR] [\\fIoptions\\fR]\n"
	     ".br\n"
	     ".B collperf plan\n"
	     "[\\fIRUN\\fR | \\fICSV\\fR]... \\fB\\-\\-params\\fR \\fIN\\fR | \\fB\\-\\-model\\fR \\fINAME\\fR "
	     "[\\fIoptions\\fR]\n"
	     ".br\n"
	     ".B collperf topo\n"
	     "[\\fB\\-\\-hwloc\\fR | \\fB\\-\\-nccl\\fR | \\fB\\-\\-smi\\fR \\fIFILE\\fR]... [\\fIoptions\\fR]\n"
	     ".br\n"
	     ".B collperf import\n"
	     "\\fIFILE\\fR... [\\fB\\-o\\fR \\fICSV\\fR] [\\fIoptions\\fR]\n"
	     ".br\n"
	     ".B collperf explain\n"
	     "[\\fIPRIMITIVE\\fR] [\\fB\\-\\-np\\fR \\fIN\\fR] [\\fB\\-\\-algo\\fR \\fINAME\\fR] [\\fIoptions\\fR]\n"
	     ".SH COMMANDS");
	for (size_t i = 0; i < command_count; i++)
		printf(".TP\n\\fB%s\\fR\n%s\n", commands[i].name, commands[i].summary);
	puts(".SH OPTIONS OF RUN");
	args_man(stdout);
	puts(".PP\n"
	     "Every other option goes to the perf binaries unchanged, so does everything after \\fB\\-\\-\\fR.\n"
	     ".SH OPTIONS OF AB\n"
	     "Those of run but \\fB\\-\\-resume\\fR, those of compare, and:");
	ab_args_man(stdout);
	puts(".SH OPTIONS OF TOPO");
	topo_command_man(stdout);
	puts(".SH FILES\n"
	     "A run directory holds \\fIrun.json\\fR (what was asked, where it ran, how each launch ended) and "
	     "\\fI<collective>.csv\\fR (the rows).\n"
	     "With \\fB\\-\\-repeat\\fR the rows of each launch are kept in \\fIlaunches/\\fR too.\n"
	     ".SH EXIT STATUS\n"
	     "Of run the worst of all launches: 3 failed or interrupted, 2 usage, 1 wrong data, 0 ok; 77 when nothing could "
	     "run.\n"
	     ".PP\n"
	     "Of compare: 0 no regression, 1 regression, a gate missed or wrong data, 2 usage, 3 an input cannot be used, 4 the "
	     "data cannot "
	     "decide.");
	return 0;
}

static const struct {
	const char *name;
	int (*show)(void);
} options[] = { { "--help", help }, { "-h", help }, { "--version", version }, { "--man", man } };

static int unknown(const char *name)
{
	fprintf(stderr, "collperf: unknown command '");
	for (const char *c = name; *c != '\0'; c++)
		fputc((unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c, stderr);
	fprintf(stderr, "'; there are:");
	for (size_t i = 0; i < command_count; i++)
		fprintf(stderr, " %s", commands[i].name);
	fprintf(stderr, "\nTry 'collperf --help'.\n");
	return EXIT_USAGE;
}

static int dispatch(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "collperf: needs a command\nTry 'collperf --help'.\n");
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < command_count; i++) {
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].main(argv[0], argc - 1, argv + 1);
	}
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (strcmp(argv[1], options[i].name) == 0)
			return options[i].show();
	}
	return unknown(argv[1]);
}

/* In the words of the commands' own outputs. command: of the table, or "". */
static void say_unwritten(const char *command)
{
	const char *why = strerror(errno ? errno : EIO);

	fprintf(stderr, "collperf%s%s: cannot write to stdout: %s\n", *command ? " " : "", command, why);
}

int main(int argc, char **argv)
{
	int code = dispatch(argc, argv);

	if (fflush(stdout) != 0 || ferror(stdout)) {
		if (code != EXIT_FAILED) /* a command that failed has said why */
			say_unwritten(argc > 1 && *argv[1] != '-' ? argv[1] : "");
		return EXIT_FAILED;
	}
	return code;
}
