/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of `collperf ab`.
 */
#include "ab_args.h"

#include <string.h>

#include "say.h"
#include "seed.h"
#include "variant.h"

/* Of compare: name and whether a value follows. */
static const struct {
	const char *name;
	bool value;
} compare_options[] = {
	{ "threshold", true }, { "false-alarms", true }, { "gate", true }, { "gates", true },
	{ "junit", true },     { "markdown", true },     { "json", true },
};

/* What is left of the command line when the options of its own are taken off. */
struct left {
	const char *variants[AB_SIDES];
	struct words run;  /* options of run and for the binaries */
	struct words rest; /* after -- */
};

static bool is_long(const char *word, const char *name)
{
	const size_t length = strlen(name);

	return strncmp(word, "--", 2) == 0 && strncmp(word + 2, name, length) == 0 &&
	       (word[2 + length] == '\0' || word[2 + length] == '=');
}

/* Index of the option of compare, or the number of them. */
static size_t find_compare(const char *word)
{
	size_t i = 0;

	while (i < sizeof(compare_options) / sizeof(compare_options[0]) && !is_long(word, compare_options[i].name))
		i++;
	return i;
}

static int take_variant(int argc, char *const *argv, int *i, struct left *left)
{
	const enum ab_side side = argv[*i][1] == 'A' ? AB_A : AB_B;
	const char *value = argv[*i][2] != '\0' ? argv[*i] + 2 : *i + 1 < argc ? argv[++*i] : NULL;

	if (!value)
		return say_as("ab", "-%c: needs a value: the words of the variant", "AB"[side]);
	if (left->variants[side])
		return say_as("ab", "-%c: is given twice", "AB"[side]);
	left->variants[side] = value;
	return 0;
}

static int take_compare(int argc, char *const *argv, int *i, struct ab_args *ab)
{
	const char *word = argv[*i];

	words_add(&ab->compare, word);
	if (strchr(word, '='))
		return 0;
	if (*i + 1 == argc)
		return say_as("ab", "%s: needs a value", word);
	words_add(&ab->compare, argv[++*i]);
	return 0;
}

static int take_words(int argc, char *const *argv, struct ab_args *ab, struct left *left)
{
	int i = 1, rc = 0;

	for (; rc == 0 && i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *word = argv[i];

		if (word[0] == '-' && (word[1] == 'A' || word[1] == 'B'))
			rc = take_variant(argc, argv, &i, left);
		else if (strcmp(word, "--dry-run") == 0)
			ab->dry_run = true;
		else if (find_compare(word) < sizeof(compare_options) / sizeof(compare_options[0]))
			rc = take_compare(argc, argv, &i, ab);
		else if (is_long(word, "resume"))
			rc = say_as(
				"ab",
				"--resume: a comparison is not resumed: the machine is another one by now, and pairs would no "
				"longer stand "
				"together");
		else
			words_add(&left->run, word);
	}
	while (++i < argc)
		words_add(&left->rest, argv[i]);
	return rc;
}

/* The words of the variant come last, so that they win. */
static int parse_side(const struct left *left, enum ab_side side, struct ab_args *ab)
{
	struct words *words = &ab->words[side];
	struct args *args = &ab->args[side];

	words_add(words, "ab");
	words_append(words, &left->run);
	words_append(words, &ab->spec[side].options);
	if (left->rest.count + ab->spec[side].rest.count > 0)
		words_add(words, "--");
	words_append(words, &left->rest);
	words_append(words, &ab->spec[side].rest);
	if (words->failed)
		return say_as("ab", "out of memory");
	if (args_parse((int)words->count, words->list, args) != 0)
		return -1;
	args->repeat = args->given & ARGS_REPEAT ? args->repeat : AB_PAIRS;
	args->given |= ARGS_QUIET;
	variant_sizes(args);
	return args->sweep.failed ? say_as("ab", "out of memory") : 0;
}

static int parse_sides(const struct left *left, struct ab_args *ab)
{
	for (int side = AB_A; side < AB_SIDES; side++) {
		if (!left->variants[side])
			return say_as("ab", "needs -A and -B, the words of two variants; \"\" is one that changes nothing");
		if (ab_spec_read(left->variants[side], side == AB_A ? "-A" : "-B", &ab->spec[side]) != 0 ||
		    parse_side(left, (enum ab_side)side, ab) != 0)
			return -1;
	}
	ab->output = ab->args[AB_A].output;
	ab->args[AB_A].seed = ab->args[AB_A].given & ARGS_SEED ? ab->args[AB_A].seed : seed_random();
	ab->args[AB_B].seed = ab->args[AB_A].seed;
	return 0;
}

static bool asks_help(const struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->list[i], "--help") == 0 || strcmp(words->list[i], "-h") == 0)
			return true;
	return false;
}

int ab_args_parse(int argc, char *const *argv, struct ab_args *ab)
{
	struct left left = { 0 };
	int rc;

	*ab = (struct ab_args){ 0 };
	rc = take_words(argc, argv, ab, &left);
	ab->help = rc == 0 && asks_help(&left.run);
	if (rc == 0 && !ab->help)
		rc = parse_sides(&left, ab);
	if (rc == 0 && ab->compare.failed)
		rc = say_as("ab", "out of memory");
	words_clear(&left.run);
	words_clear(&left.rest);
	return rc;
}

void ab_args_clear(struct ab_args *ab)
{
	for (int side = AB_A; side < AB_SIDES; side++) {
		args_clear(&ab->args[side]);
		words_clear(&ab->words[side]);
		ab_spec_clear(&ab->spec[side]);
	}
	words_clear(&ab->compare);
}

static const struct {
	const char *option, *value, *help;
} own[] = {
	{ "-A", "SPEC",
	  "what makes the variant A: words as those of --launcher, none of which any shell sees: NAME=VALUE sets a variable of "
	  "its "
	  "launches, a folder (or --bin DIR) is another build, the rest are options for the binaries, and --launcher or "
	  "--backend" },
	{ "-B", "SPEC", "the same of B; one of the two may be \"\", which changes nothing" },
	{ "--repeat", "R", "pairs of launches of each primitive (default 10), an even number for as many A B as B A" },
	{ "-o, --output", "DIR",
	  "the directory to make (default runs/<UTC time>): DIR/A and DIR/B are run directories, DIR/ab.json has the order" },
	{ "--dry-run", NULL, "print the commands in their order; nothing is measured or written" },
};

void ab_args_help(FILE *out)
{
	fputs("Usage: collperf ab -A SPEC -B SPEC [options of run] [sweep options of the perf binaries] [options of compare]\n\n"
	      "Does this setting help? Launches two variants by turns, A B B A, as a machine drifts by more than most "
	      "differences, and\n"
	      "judges the pairs. Such as: collperf ab -A \"\" -B \"NCCL_ALGO=Ring\" --collectives all_reduce -b 8 -e 64M -f "
	      "2\n\n",
	      out);
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		fprintf(out, "  %s %-*s %s\n", own[i].option, (int)(20 - strlen(own[i].option)), own[i].value ? own[i].value : "",
			own[i].help);
	fputs("\nOf run: all but --resume; see collperf run --help. Of compare, for the verdict:", out);
	for (size_t i = 0; i < sizeof(compare_options) / sizeof(compare_options[0]); i++)
		fprintf(out, " --%s", compare_options[i].name);
	fputs("; see collperf compare --help.\n\n"
	      "Variables reach the ranks as the launcher passes them on (mpiexec passes all, srun unless --export says "
	      "otherwise). They are\n"
	      "recorded with the variant in run.json: put no secret there.\n"
	      "Exit code: 0 B is no slower than A, 1 it is, or wrong data of B (those of A make their points undecided) or a "
	      "gate missed, 2 usage, 3 a launch failed, nothing "
	      "is judged then,\n"
	      "4 the spread is too wide to see a loss of the threshold's size; 77 when nothing could run.\n",
	      out);
}

void ab_args_man(FILE *out)
{
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		fputs(".TP\n\\fB", out);
		for (const char *c = own[i].option; *c != '\0'; c++)
			fputs(*c == '-' ? "\\-" : (char[]){ *c, '\0' }, out);
		fputs("\\fR", out);
		if (own[i].value)
			fprintf(out, " \\fI%s\\fR", own[i].value);
		fputc('\n', out);
		for (const char *c = own[i].help; *c != '\0'; c++)
			fputs(*c == '-' ? "\\-" : (char[]){ *c, '\0' }, out);
		fputc('\n', out);
	}
}
