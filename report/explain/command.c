/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `collperf explain`.
 */
#include "../command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../output.h"
#include "../report.h"
#include "../text.h"
#include "example.h"
#include "names.h"
#include "show.h"

enum { EXIT_OK = 0, EXIT_USAGE = 2, EXIT_IO = 3 };

enum {
	OPTION_NP = 256,
	OPTION_ALGO,
	OPTION_DATA,
	OPTION_ROOT,
	OPTION_OP,
	OPTION_SEGMENTS,
	OPTION_SKEW,
	OPTION_HTML,
	OPTION_JSON
};

static const struct option long_options[] = { { "np", required_argument, NULL, OPTION_NP },
					      { "algo", required_argument, NULL, OPTION_ALGO },
					      { "data", required_argument, NULL, OPTION_DATA },
					      { "root", required_argument, NULL, OPTION_ROOT },
					      { "op", required_argument, NULL, OPTION_OP },
					      { "segments", required_argument, NULL, OPTION_SEGMENTS },
					      { "skew", required_argument, NULL, OPTION_SKEW },
					      { "html", required_argument, NULL, OPTION_HTML },
					      { "json", required_argument, NULL, OPTION_JSON },
					      { "help", no_argument, NULL, 'h' },
					      { NULL, 0, NULL, 0 } };

struct parsed {
	struct example_request request;
	const char *algo, *html, *json; /* as given */
	bool has_root, has_op, help;
};

static int option_take(int letter, const char *value, void *into);

static const struct command command_line = { "explain", long_options, option_take };

static int usage(const char *what, const char *text, const char *why)
{
	return command_usage(&command_line, what, text, why);
}

static int number_take(const char *option, const char *value, int least, int most, int *number)
{
	char *end, why[80];
	long read;

	errno = 0;
	read = strtol(value, &end, 10);
	if (*value >= '0' && *value <= '9' && *end == '\0' && errno == 0 && read >= least && read <= most) {
		*number = (int)read;
		return 0;
	}
	snprintf(why, sizeof why, "' is not a whole number from %d to %d", least, most);
	return usage(option, value, why);
}

static int skew_take(struct example_request *request, const char *value)
{
	char *end;

	request->skewed = true;
	request->skew = strtod(value, &end);
	if (*value >= '0' && *value <= '9' && *end == '\0' && strspn(value, "0123456789.") == strlen(value) && request->skew <= 1)
		return 0;
	return usage("--skew: '", value, "' is not a number from 0 to 1");
}

static int op_take(struct parsed *parsed, const char *value)
{
	parsed->has_op = true;
	for (int op = 0; op < EXAMPLE_OPS; op++) {
		if (strcmp(value, example_ops[op]) == 0) {
			parsed->request.op = (enum example_op)op;
			return 0;
		}
	}
	return usage("--op: '", value, "' is none of sum, prod, max, min");
}

static int file_take(const char **file, const char *option, const char *value)
{
	*file = value;
	return *value ? 0 : usage(option, "", ": an empty name is no file");
}

static int option_take(int letter, const char *value, void *into)
{
	struct parsed *parsed = into;

	switch (letter) {
	case OPTION_NP:
		return number_take("--np: '", value, 1, SCHEDULE_MOST_RANKS, &parsed->request.nranks);
	case OPTION_ALGO:
		parsed->algo = value;
		return 0;
	case OPTION_DATA:
		parsed->request.data = value;
		return 0;
	case OPTION_ROOT:
		parsed->has_root = true;
		return number_take("--root: '", value, 0, SCHEDULE_MOST_RANKS - 1, &parsed->request.root);
	case OPTION_OP:
		return op_take(parsed, value);
	case OPTION_SEGMENTS:
		return number_take("--segments: '", value, 1, SCHEDULE_MOST_ITEMS, &parsed->request.segments);
	case OPTION_SKEW:
		return skew_take(&parsed->request, value);
	case OPTION_HTML:
		return file_take(&parsed->html, "--html", value);
	case OPTION_JSON:
		return file_take(&parsed->json, "--json", value);
	case 'h':
		parsed->help = true;
		return 0;
	default:
		return usage("unknown option", "", " -o");
	}
}

static int help(void)
{
	puts("Usage: collperf explain PRIMITIVE [--np N] [--algo NAME] [--data \"1 2 3; 4 5 6\"] [--root R]\n"
	     "                        [--op sum|prod|max|min] [--segments M] [--skew S] [--html FILE] [--json FILE]\n"
	     "       collperf explain\n"
	     "\n"
	     "Shows on small numbers what a collective does: every rank's buffer before and after, round by\n"
	     "round who sends what to whom and what everyone then holds, how much is moved, and what it costs.\n"
	     "Without a primitive: which there are, and by which algorithms.\n"
	     "\n"
	     "      --np N         ranks, 1 to 64 (default: 4)\n"
	     "      --algo NAME    the algorithm, by the name that models and bounds have, or as books call it: tree,\n"
	     "                     recursive_doubling, recursive_halving ... (default: ring where there is one)\n"
	     "      --data ROWS    the numbers of each rank that has any before: blanks or commas between numbers,\n"
	     "                     ';' or '/' between ranks (default: numbers that tell where they come from);\n"
	     "                     of alltoallv '|' between the blocks of a rank, which may be empty: \"1 2|; |3\"\n"
	     "      --root R       of broadcast, reduce, scatter and gather (default: 0)\n"
	     "      --op OP        how the reducing ones combine: sum, prod, max, min (default: sum)\n"
	     "      --segments M   of an algorithm with a pipeline (of two_tree: for each tree)\n"
	     "      --skew S       of alltoallv, 0 to 1: of what each rank sends S goes to rank 0, the rest evenly to all, in\n"
	     "                     small whole numbers (default: blocks of 0 to 3 numbers)\n"
	     "      --html FILE    a page to step through instead of text; '-': stdout\n"
	     "      --json FILE    the same as JSON\n"
	     "  -h, --help         this text\n"
	     "\n"
	     "Exit codes: 0 ok, 2 usage, 3 output failed.");
	return EXIT_OK;
}

static int find_collective(struct parsed *parsed, const char *word)
{
	char names[400], why[480];

	parsed->request.coll = names_collective(word);
	if (parsed->request.coll && schedule_algorithm(parsed->request.coll, 0))
		return 0;
	snprintf(why, sizeof why, "' is no primitive that can be shown; there are: %s", names_collectives(names, sizeof names));
	return usage("'", word, why);
}

static int find_algorithm(struct parsed *parsed)
{
	const struct collective *coll = parsed->request.coll;
	char names[400], why[480];

	parsed->request.algo = parsed->algo ? names_algorithm(coll, parsed->algo) : names_default(coll);
	if (parsed->request.algo)
		return 0;
	snprintf(why, sizeof why, "' is no algorithm of %s that can be shown; there are: %s", coll->name,
		 names_algorithms(coll, names, sizeof names));
	return usage("--algo: '", parsed->algo, why);
}

/* What the options say together. */
static int check(const struct parsed *parsed)
{
	const struct collective *coll = parsed->request.coll;

	if (parsed->has_root && !(coll->flags & COLL_HAS_ROOT))
		return usage("--root: ", coll->name, " has no root");
	if (parsed->has_op && !(coll->flags & COLL_HAS_REDOP))
		return usage("--op: ", coll->name, " reduces nothing");
	if (parsed->request.skewed && coll->id != COLL_ALLTOALLV)
		return usage("--skew: ", coll->name, " has even blocks, or none");
	if (parsed->request.skewed && parsed->request.data)
		return usage("--skew and --data both say how large blocks are: give one", "", "");
	if (parsed->request.root >= parsed->request.nranks)
		return usage("--root", "", ": there is no such rank; --np says how many there are, from 0 on");
	if (parsed->html && parsed->json && strcmp(parsed->html, parsed->json) == 0)
		return usage("--html and --json: both are '", parsed->html, "'");
	return 0;
}

static int write_file(const char *path, int (*show)(FILE *, const struct example *), const struct example *example)
{
	struct output output;
	int rc;

	if (output_open(&output, "collperf explain", path))
		return -1;
	rc = show(output.file, example);
	return output_close(&output) || rc ? -1 : 0;
}

static int show(const struct parsed *parsed)
{
	struct example example;
	char error[400];
	int rc = 0;

	if (example_make(&parsed->request, &example, error, sizeof error)) {
		usage("", error, "");
		return EXIT_USAGE;
	}
	if (parsed->html)
		rc = write_file(parsed->html, show_page, &example);
	if (parsed->json && rc == 0)
		rc = write_file(parsed->json, show_json, &example);
	if (!parsed->html && !parsed->json)
		rc = show_text(stdout, &example);
	example_clear(&example);
	return rc ? EXIT_IO : EXIT_OK;
}

int explain_main(int argc, char **argv)
{
	struct parsed parsed = { .request = { .nranks = 4 } };
	char *const *words;
	size_t nwords;

	if (command_parse(&command_line, argc, argv, &parsed, &words, &nwords))
		return EXIT_USAGE;
	if (parsed.help)
		return help();
	if (nwords == 0 && argc == 1) {
		names_list(stdout);
		return EXIT_OK;
	}
	if (nwords != 1) {
		usage(nwords == 0 ? "needs a primitive, before or after the options" : "one primitive at a time, not also '",
		      nwords == 0 ? "" : words[1], nwords == 0 ? "" : "'");
		return EXIT_USAGE;
	}
	if (find_collective(&parsed, words[0]) || find_algorithm(&parsed) || check(&parsed))
		return EXIT_USAGE;
	return show(&parsed);
}
