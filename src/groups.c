/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups from colours, and the text that says which colours. Colours are taken in the order of ranks, so a group's number is that of its first rank's
 * place among first ranks.
 */
#include "groups.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct split_word {
	const char *word;
	enum split_op op;
};

static const struct split_word words[] = {
	{ "AND", SPLIT_AND }, { "OR", SPLIT_OR }, { "MOD", SPLIT_MOD }, { "DIV", SPLIT_DIV },
	{ "&", SPLIT_AND },   { "|", SPLIT_OR },  { "%", SPLIT_MOD },   { "/", SPLIT_DIV },
};

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/* Digits of the number's own base alone: no sign, no octal. */
static int parse_number(const char *text, uint64_t *value)
{
	int base = 10;
	char *end;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		base = 16;
	else if (text[0] == '0' && (text[1] == 'b' || text[1] == 'B'))
		base = 2;
	if (base != 10)
		text += 2;
	if (base == 16 ? !isxdigit((unsigned char)*text) : !isdigit((unsigned char)*text))
		return -1;
	errno = 0;
	*value = strtoull(text, &end, base);
	return errno || end == text || *skip_blanks(end) ? -1 : 0;
}

int split_parse(const char *text, struct split *split, bool *is_zero)
{
	*is_zero = false;
	text = skip_blanks(text);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const size_t length = strlen(words[i].word);
		uint64_t value;

		if (strncasecmp(text, words[i].word, length) != 0 || parse_number(skip_blanks(text + length), &value))
			continue;
		*is_zero = value == 0 && (words[i].op == SPLIT_MOD || words[i].op == SPLIT_DIV);
		if (*is_zero)
			return -1;
		*split = (struct split){ words[i].op, value };
		return 0;
	}
	return -1;
}

static uint64_t colour_of(const struct split *split, int rank)
{
	const uint64_t number = (uint64_t)rank;

	switch (split->op) {
	case SPLIT_AND:
		return number & split->value;
	case SPLIT_OR:
		return number | split->value;
	case SPLIT_MOD:
		return number % split->value;
	case SPLIT_DIV:
		return number / split->value;
	default:
		return 0;
	}
}

/* A rank and its colour, to sort by colour and then by rank. */
struct coloured {
	uint64_t colour;
	int rank;
};

static int by_colour(const void *a, const void *b)
{
	const struct coloured *left = a, *right = b;

	if (left->colour != right->colour)
		return left->colour < right->colour ? -1 : 1;
	return left->rank - right->rank;
}

/* The first rank of a colour gets a new number, so that numbers follow the order of ranks; `leader` is the first rank of each rank's colour. */
static void number_groups(struct groups *groups, const int *leader)
{
	for (int rank = 0; rank < groups->nranks; rank++) {
		if (leader[rank] == rank) {
			groups->of[rank] = groups->count;
			groups->first[groups->count++] = rank;
		} else {
			groups->of[rank] = groups->of[leader[rank]];
		}
		groups->rank[rank] = groups->size[groups->of[rank]]++;
	}
	groups->least = groups->most = groups->size[0];
	for (int group = 1; group < groups->count; group++) {
		groups->least = groups->size[group] < groups->least ? groups->size[group] : groups->least;
		groups->most = groups->size[group] > groups->most ? groups->size[group] : groups->most;
	}
}

int groups_open(struct groups *groups, const struct split *split, int nranks)
{
	const size_t n = (size_t)nranks;
	struct coloured *ranks = calloc(n, sizeof *ranks);
	int *leader = calloc(n, sizeof *leader);

	*groups = (struct groups){ .nranks = nranks };
	groups->of = calloc(n, sizeof *groups->of);
	groups->rank = calloc(n, sizeof *groups->rank);
	groups->size = calloc(n, sizeof *groups->size);
	groups->first = calloc(n, sizeof *groups->first);
	if (!ranks || !leader || !groups->of || !groups->rank || !groups->size || !groups->first) {
		fprintf(stderr, "groups: out of memory for %d ranks\n", nranks);
		groups_close(groups);
		free(ranks);
		free(leader);
		return -1;
	}
	for (int rank = 0; rank < nranks; rank++)
		ranks[rank] = (struct coloured){ colour_of(split, rank), rank };
	qsort(ranks, n, sizeof *ranks, by_colour);
	for (size_t i = 0; i < n; i++)
		leader[ranks[i].rank] = i > 0 && ranks[i].colour == ranks[i - 1].colour ? leader[ranks[i - 1].rank]
											: ranks[i].rank;
	number_groups(groups, leader);
	free(ranks);
	free(leader);
	return 0;
}

void groups_close(struct groups *groups)
{
	free(groups->of);
	free(groups->rank);
	free(groups->size);
	free(groups->first);
	*groups = (struct groups){ 0 };
}
