/* SPDX-License-Identifier: Apache-2.0
 *
 * Look-ups by name, with the words that other libraries and books use.
 */
#include "names.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "lore.h"

/* A plain word stands for the first of these names that the primitive has. */
static const struct {
	const char *word;
	const char *names[6];
} aliases[] = {
	{ "tree", { "tree", "binomial", "two_tree", "bruck" } },
	{ "binomialtree", { "binomial", "tree" } },
	{ "binarytree", { "bintree_pipe" } },
	{ "doublebinarytree", { "two_tree" } },
	{ "doubletree", { "two_tree" } },
	{ "ring", { "ring", "ring_pipe", "pairwise", "p2p" } },
	{ "chain", { "ring_pipe", "ring" } },
	{ "pipeline", { "ring_pipe" } },
	{ "pipelinedring", { "ring_pipe" } },
	{ "recursivedoubling", { "recdbl" } },
	{ "recursivehalving", { "rechalving", "rabenseifner" } },
	{ "halvingdoubling", { "rabenseifner", "rechalving" } },
	{ "recursivehalvingdoubling", { "rabenseifner" } },
	{ "scatterallgather", { "scatter_allgather" } },
	{ "vandegeijn", { "scatter_allgather" } },
	{ "reducescattergather", { "rs_gather" } },
	{ "linear", { "linear", "naive" } },
	{ "naive", { "naive", "linear" } },
	{ "pairwiseexchange", { "pairwise" } },
	{ "shift", { "p2p" } },
};

/* Whether two words are the same but for capitals, '-' and '_'. */
static bool same_word(const char *a, const char *b)
{
	for (;;) {
		a += strspn(a, "-_");
		b += strspn(b, "-_");
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return false;
		if (*a == '\0')
			return true;
		a++;
		b++;
	}
}

const struct collective *names_collective(const char *word)
{
	for (int i = 0; i < COLL_COUNT; i++) {
		if (same_word(collectives[i]->name, word))
			return collectives[i];
	}
	return NULL;
}

static const char *find_exact(const struct collective *coll, const char *word)
{
	const char *name;

	for (size_t i = 0; (name = schedule_algorithm(coll, i)) != NULL; i++) {
		if (same_word(name, word))
			return name;
	}
	return NULL;
}

const char *names_algorithm(const struct collective *coll, const char *word)
{
	const char *name = find_exact(coll, word);

	for (size_t a = 0; !name && a < sizeof aliases / sizeof *aliases; a++) {
		if (!same_word(aliases[a].word, word))
			continue;
		for (size_t i = 0; !name && aliases[a].names[i]; i++)
			name = find_exact(coll, aliases[a].names[i]);
	}
	return name;
}

const char *names_default(const struct collective *coll)
{
	const char *name = names_algorithm(coll, "ring");

	return name ? name : schedule_algorithm(coll, 0);
}

static void append(char *buffer, size_t size, const char *word)
{
	const size_t used = strlen(buffer);

	snprintf(buffer + used, size - used, "%s%s", used > 0 ? " " : "", word);
}

const char *names_algorithms(const struct collective *coll, char *buffer, size_t size)
{
	const char *name;

	*buffer = '\0';
	for (size_t i = 0; (name = schedule_algorithm(coll, i)) != NULL; i++)
		append(buffer, size, name);
	return buffer;
}

const char *names_collectives(char *buffer, size_t size)
{
	*buffer = '\0';
	for (int i = 0; i < COLL_COUNT; i++) {
		if (schedule_algorithm(collectives[i], 0))
			append(buffer, size, collectives[i]->name);
	}
	return buffer;
}

void names_list(FILE *out)
{
	fputs("Primitives and the algorithms that can be shown of each; * is what is shown without --algo.\n\n", out);
	for (int i = 0; i < COLL_COUNT; i++) {
		const struct collective *coll = collectives[i];
		const char *name, *chosen = names_default(coll);

		if (!chosen)
			continue;
		fprintf(out, "%-15s %s\n               ", coll->name, lore_purpose(coll));
		for (size_t a = 0; (name = schedule_algorithm(coll, a)) != NULL; a++)
			fprintf(out, " %s%s", name, strcmp(name, chosen) == 0 ? "*" : "");
		fputs("\n", out);
	}
	fputs("\nFor example: collperf explain all_reduce --algo ring --np 4\n", out);
}
