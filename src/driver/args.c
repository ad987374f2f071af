/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of `collperf run`.
 */
#include "args.h"

#include <stdlib.h>
#include <string.h>

#include "../size.h"
#include "say.h"
#include "split.h"
#include "variant.h"

struct option_row {
	const char *name;  /* without its dashes */
	char letter;       /* '\0': none */
	unsigned bit;      /* enum args_given */
	const char *value; /* NULL: takes none */
	const char *help;
	int (*set)(struct args *args, const char *value); /* NULL: the bit says it all */
};

static int set_np(struct args *args, const char *value)
{
	long np = 0;

	if (strcmp(value, "auto") != 0 && count_parse(value, 1, ARGS_MAX_NP, &np) != 0)
		return say("--np: '%s' is not a number of ranks (1 to %d, or auto)", value, ARGS_MAX_NP);
	args->np = (int)np;
	return 0;
}

static int set_backend(struct args *args, const char *value)
{
	args->backend = value;
	return 0;
}

static int set_paths(struct args *args, const char *value)
{
	return variant_read_paths(value, &args->paths);
}

static int set_algos(struct args *args, const char *value)
{
	return variant_read_algos(value, &args->algos);
}

static int set_repeat(struct args *args, const char *value)
{
	long repeat;

	if (count_parse(value, 1, ARGS_MAX_REPEAT, &repeat) != 0)
		return say("--repeat: '%s' is not a number of launches (1 to %d)", value, ARGS_MAX_REPEAT);
	args->repeat = (int)repeat;
	return 0;
}

static int set_launcher(struct args *args, const char *value)
{
	const char *why;

	words_clear(&args->launcher);
	return split_words(value, &args->launcher, &why) == 0 ? 0 : say("--launcher: '%s': %s", value, why);
}

static int set_output(struct args *args, const char *value)
{
	args->output = value;
	return *value != '\0' ? 0 : say("-o: the name of a directory is empty");
}

static int set_resume(struct args *args, const char *value)
{
	args->resume = value;
	return *value != '\0' ? 0 : say("--resume: the name of a directory is empty");
}

static int set_bin(struct args *args, const char *value)
{
	args->bin = value;
	return *value != '\0' ? 0 : say("--bin: the name of a directory is empty");
}

static int set_seed(struct args *args, const char *value)
{
	long seed;

	if (count_parse(value, 0, INT64_MAX, &seed) != 0)
		return say("--seed: '%s' is not a whole number (0 to 2^63 - 1)", value);
	args->seed = (uint64_t)seed;
	return 0;
}

static const struct option_row rows[] = {
	{ "np", 0, ARGS_NP, "N|auto",
	  "ranks; auto (default): the cores this process may use, at least 2, at most 8. With nccl processes of one GPU each, or "
	  "of as many as -t and "
	  "-g say; auto: one process with all GPUs",
	  set_np },
	{ "backend", 0, ARGS_BACKEND, "NAME",
	  "auto (default), nccl, mpi, sim. auto: nccl where two GPUs can be used, and --np of them if that is given, else mpi. "
	  "sim: no launcher is "
	  "started, --np ranks are simulated",
	  set_backend },
	{ "collectives", 0, ARGS_COLLECTIVES, "LIST", "names separated by commas, in the order to run them, or all (default)",
	  args_set_collectives },
	{ "paths", 0, ARGS_PATHS, "LIST",
	  "a sweep by each of these paths, names separated by commas: auto, nvlink, pcie, shm, ib, roce, socket (NCCL), shm, "
	  "tcp, ib "
	  "(MPICH over UCX)",
	  set_paths },
	{ "algos", 0, ARGS_ALGOS, "LIST",
	  "a sweep by each of these algorithms, as a binary's --list names them; auto is the library's choice. A collective that "
	  "lacks one is not launched with it",
	  set_algos },
	{ "repeat", 0, ARGS_REPEAT, "R",
	  "launches of each collective, path and algorithm (default 1; 5 or more for collperf compare and baseline, as the "
	  "launch is "
	  "the unit that comparisons are made of), in an order that is shuffled within each round by --seed",
	  set_repeat },
	{ "launcher", 0, ARGS_LAUNCHER, "TEXT",
	  "what starts the ranks, such as \"srun -n 16\" (default: mpiexec -n NP, nothing for one process of nccl); split at "
	  "blanks, quotes keep them, nothing is "
	  "expanded",
	  set_launcher },
	{ "output", 'o', ARGS_OUTPUT, "DIR",
	  "the run directory to make (default runs/<UTC time>); the reduction operation is --op here", set_output },
	{ "resume", 0, ARGS_RESUME, "DIR",
	  "repeat the launches of that run which did not succeed, with the options it was started with", set_resume },
	{ "bin", 0, ARGS_BIN, "DIR", "where the *_perf binaries are (default: beside this program)", set_bin },
	{ "seed", 0, ARGS_SEED, "N", "gives each launch its seed and the launches their order (default: a fresh one, recorded)",
	  set_seed },
	{ "quiet", 0, ARGS_QUIET, NULL, "write the binaries' tables to DIR/<collective>.log instead of stdout", NULL },
	{ "help", 'h', ARGS_HELP, NULL, "this text", NULL },
};

static const size_t row_count = sizeof(rows) / sizeof(rows[0]);

/* What would break the run directory, or measures nothing. */
static const struct {
	const char *name;
	const char *why;
} refused[] = {
	{ "csv", "the run directory holds the CSV files" },
	{ "json", "the run directory holds the output" },
	{ "output_file", "the run directory holds the output" },
	{ "facts", "run.json holds the facts" },
	{ "run-id", "it is made here, one for each launch" },
	{ "sim-ranks", "--np says how many ranks" },
	{ "dry-run", "ask a perf binary" },
	{ "list", "ask a perf binary" },
	{ "man", "see collperf --man" },
	{ "version", "see collperf --version" },
	{ "help", "give it in full" },
	{ "backend", "give it in full" },
	{ "seed", "give it in full" },
};

/* Those that are asked for by name stay out. */
static void take_all(struct args *args)
{
	args->ncolls = 0;
	for (size_t i = 0; i < COLL_COUNT; i++)
		if (!(collectives[i]->flags & COLL_BY_NAME))
			args->colls[args->ncolls++] = collectives[i];
}

void args_init(struct args *args)
{
	*args = (struct args){ .repeat = 1 };
	take_all(args);
}

void args_clear(struct args *args)
{
	words_clear(&args->launcher);
	words_clear(&args->paths);
	words_clear(&args->algos);
	words_clear(&args->sweep);
}

static bool is_backend(const struct args *args, const char *name)
{
	return args->backend && strcmp(args->backend, name) == 0;
}

bool args_is_sim(const struct args *args)
{
	return is_backend(args, "sim");
}

bool args_is_nccl(const struct args *args)
{
	return is_backend(args, "nccl");
}

bool args_is_auto(const struct args *args)
{
	return !args->backend || is_backend(args, "auto");
}

static bool is_option(const char *word, char letter, const char *name)
{
	size_t length = strlen(name);

	if (letter != '\0' && word[0] == '-' && word[1] == letter)
		return true;
	return strncmp(word, "--", 2) == 0 && strncmp(word + 2, name, length) == 0 &&
	       (word[2 + length] == '\0' || word[2 + length] == '=');
}

bool args_sweep_has(const struct args *args, char letter, const char *name)
{
	const struct words *sweep = &args->sweep;

	/* Every letter has an argument there, so none hides behind another; of all arguments only a label may look like an option. */
	for (size_t i = 0; i < sweep->count && strcmp(sweep->list[i], "--") != 0; i++) {
		if (is_option(sweep->list[i], letter, name))
			return true;
		if (strcmp(sweep->list[i], "--label") == 0)
			i++;
	}
	return false;
}

static int add_collective(struct args *args, const char *name)
{
	const struct collective *coll = collective_find(name);

	for (size_t i = 0; coll && i < args->ncolls; i++) {
		if (args->colls[i] == coll)
			return say("--collectives: %s is named twice", name);
	}
	if (coll) {
		args->colls[args->ncolls++] = coll;
		return 0;
	}
	say("--collectives: '%s' is not a collective; there are:", name);
	for (size_t i = 0; i < COLL_COUNT; i++)
		say_plain("  %-15s %s", collectives[i]->name, collectives[i]->summary);
	return -1;
}

int args_set_collectives(struct args *args, const char *list)
{
	char *copy = NULL, *rest, *name;
	int rc = 0;

	if (strcmp(list, "all") == 0) {
		take_all(args);
		return 0;
	}
	copy = strdup(list);
	if (!copy)
		return say("out of memory");
	args->ncolls = 0;
	rest = copy;
	while (rc == 0 && (name = strsep(&rest, ",")))
		rc = add_collective(args, name);
	free(copy);
	return rc;
}

/* getopt_long in the binaries takes any unambiguous beginning of a long option. */
static int check_word(const char *word)
{
	size_t length;

	if (strcmp(word, ":") == 0)
		return say("':' alone would end the command for a launcher");
	if (word[0] == '-' && word[1] == 'J')
		return say("-J: the run directory holds the output");
	if (strncmp(word, "--", 2) != 0)
		return 0;
	length = strcspn(word + 2, "=");
	for (size_t i = 0; length > 0 && i < sizeof(refused) / sizeof(refused[0]); i++) {
		if (strncmp(refused[i].name, word + 2, length) == 0)
			return say("%.*s: not with run: %s", (int)length + 2, word, refused[i].why);
	}
	return 0;
}

int args_check_sweep(const struct words *sweep)
{
	if (sweep->failed)
		return say("out of memory");
	for (size_t i = 0; i < sweep->count; i++) {
		if (check_word(sweep->list[i]) != 0)
			return -1;
	}
	return 0;
}

/* The row a word names, and in *value what is attached to it, or NULL. */
static const struct option_row *find_row(const char *word, const char **value)
{
	size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;

	for (size_t i = 0; i < row_count; i++) {
		if (length > 0 && strlen(rows[i].name) == length && strncmp(rows[i].name, word + 2, length) == 0) {
			*value = word[2 + length] == '=' ? word + 3 + length : NULL;
			return &rows[i];
		}
		if (rows[i].letter != '\0' && word[0] == '-' && word[1] == rows[i].letter) {
			*value = word[2] != '\0' ? word + 2 : NULL;
			return &rows[i];
		}
	}
	return NULL;
}

/* Rules that join two options. */
static int check_joined(const struct args *args)
{
	const unsigned with_resume = ARGS_RESUME | ARGS_LAUNCHER | ARGS_BIN | ARGS_QUIET;

	if ((args->given & ARGS_RESUME) && ((args->given & ~with_resume) || args->sweep.count > 0))
		return say("--resume keeps the options of the run: only --launcher, --bin and --quiet go with it");
	if ((args->given & ARGS_LAUNCHER) && args_is_sim(args))
		return say("--launcher: --backend sim starts no launcher");
	if ((args->given & ARGS_LAUNCHER) && (args->given & ARGS_NP))
		return say("--np: not with --launcher, whose own text says how many ranks it starts");
	if (args->paths.count > 0 && args_sweep_has(args, '\0', "path"))
		return say("--path: not with --paths");
	if (args->algos.count > 0 && args_sweep_has(args, '\0', "algo"))
		return say("--algo: not with --algos");
	return args_check_sweep(&args->sweep);
}

int args_parse(int argc, char *const *argv, struct args *args)
{
	args_init(args);
	for (int i = 1; i < argc; i++) {
		const char *value = NULL;
		const struct option_row *row = find_row(argv[i], &value);

		if (strcmp(argv[i], "--") == 0) {
			while (++i < argc)
				words_add(&args->sweep, argv[i]);
			break;
		}
		if (!row) {
			words_add(&args->sweep, argv[i]);
			continue;
		}
		if (!row->value && value)
			return say("'%s': --%s takes no value", argv[i], row->name);
		if (row->value && !value) {
			value = ++i < argc ? argv[i] : NULL;
			if (!value)
				return say("--%s: needs a value: %s", row->name, row->value);
		}
		args->given |= row->bit;
		if (row->bit == ARGS_HELP)
			return 0;
		if (row->set && row->set(args, value) != 0)
			return -1;
	}
	return check_joined(args);
}

void args_help(FILE *out)
{
	fputs("Usage: collperf run [options] [sweep options of the perf binaries]\n\n"
	      "Runs the perf binaries one after another under a launcher and writes a run directory:\n"
	      "run.json, and <collective>.csv with the rows of all its launches.\n\n",
	      out);
	for (size_t i = 0; i < row_count; i++) {
		const struct option_row *row = &rows[i];
		char left[64];

		snprintf(left, sizeof(left), "%c%c%s--%s %s", row->letter ? '-' : ' ', row->letter ? row->letter : ' ',
			 row->letter ? ", " : "  ", row->name, row->value ? row->value : "");
		fprintf(out, "  %-24s %s\n", left, row->help);
	}
	fputs("\nWith --paths or --algos and no sizes: -b 8 -e 4M -f 2.\n"
	      "Other options, and all after --, go to the binaries unchanged, those of one primitive (--skew) to it alone.\n"
	      "Exit code: the worst of all launches: 3 failed, 2 usage, 1 wrong data, 0 ok; 77 when nothing could run.\n",
	      out);
}

void args_man(FILE *out)
{
	for (size_t i = 0; i < row_count; i++) {
		const struct option_row *row = &rows[i];

		fputs(".TP\n", out);
		if (row->letter)
			fprintf(out, "\\fB\\-%c\\fR, ", row->letter);
		fprintf(out, "\\fB\\-\\-%s\\fR", row->name);
		if (row->value)
			fprintf(out, " \\fI%s\\fR", row->value);
		fputc('\n', out);
		for (const char *c = row->help; *c != '\0'; c++)
			fputs(*c == '-' ? "\\-" : (char[]){ *c, '\0' }, out);
		fputc('\n', out);
	}
}
