/* SPDX-License-Identifier: Apache-2.0
 *
 * How a split is written and which groups it makes. Ranks are sorted by colour, so that a million groups take no longer than a few.
 */
#include "groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *word;
	char sign;
} operators[] = {
	[SPLIT_AND] = { "AND", '&' },
	[SPLIT_OR] = { "OR", '|' },
	[SPLIT_MOD] = { "MOD", '%' },
	[SPLIT_DIV] = { "DIV", '/' },
};

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/* Returns what follows the operator, or NULL. */
static const char *parse_operator(const char *text, enum split_op *op)
{
	for (size_t i = SPLIT_AND; i < sizeof operators / sizeof *operators; i++) {
		const size_t length = strlen(operators[i].word);

		*op = (enum split_op)i;
		if (*text == operators[i].sign)
			return text + 1;
		if (strncasecmp(text, operators[i].word, length) == 0)
			return text + length;
	}
	return NULL;
}

static unsigned digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

/* Returns what follows the number, or NULL. */
static const char *parse_number(const char *text, uint64_t *value)
{
	unsigned base = 10, digit;
	uint64_t total = 0;
	const char *start;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		base = 16;
	else if (text[0] == '0' && (text[1] == 'b' || text[1] == 'B'))
		base = 2;
	start = text += base == 10 ? 0 : 2;
	while ((digit = digit_of(*text)) < base) {
		if (total > (UINT64_MAX - digit) / base)
			return NULL;
		total = total * base + digit;
		text++;
	}
	*value = total;
	return text > start ? text : NULL;
}

int split_parse(const char *text, struct split *split, bool *is_zero)
{
	struct split parsed;

	*is_zero = false;
	text = parse_operator(skip_blanks(text), &parsed.op);
	if (text)
		text = parse_number(skip_blanks(text), &parsed.value);
	if (!text || *skip_blanks(text))
		return -1;
	*is_zero = parsed.value == 0 && (parsed.op == SPLIT_MOD || parsed.op == SPLIT_DIV);
	if (*is_zero)
		return -1;
	*split = parsed;
	return 0;
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

struct coloured {
	uint64_t colour;
	int rank;
};

static int compare_coloured(const void *left, const void *right)
{
	const struct coloured *a = left, *b = right;

	if (a->colour != b->colour)
		return a->colour < b->colour ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* Fills `rank`, and `of` with each rank's lowest fellow. */
static void find_fellows(struct groups *groups, struct coloured *ranks, const struct split *split)
{
	int lowest = 0;

	for (int rank = 0; rank < groups->nranks; rank++)
		ranks[rank] = (struct coloured){ colour_of(split, rank), rank };
	qsort(ranks, (size_t)groups->nranks, sizeof *ranks, compare_coloured);
	for (int i = 0; i < groups->nranks; i++) {
		const bool is_first = i == 0 || ranks[i].colour != ranks[i - 1].colour;

		lowest = is_first ? ranks[i].rank : lowest;
		groups->of[ranks[i].rank] = lowest;
		groups->rank[ranks[i].rank] = is_first ? 0 : groups->rank[ranks[i - 1].rank] + 1;
	}
}

/* The lowest of a group comes before its fellows, so what `of` says of it is a number already when they ask. */
static void number_groups(struct groups *groups)
{
	for (int rank = 0; rank < groups->nranks; rank++) {
		const bool is_first = groups->rank[rank] == 0;

		groups->of[rank] = is_first ? groups->count : groups->of[groups->of[rank]];
		if (is_first)
			groups->first[groups->count++] = rank;
		groups->size[groups->of[rank]]++;
	}
	groups->least = groups->most = groups->size[0];
	for (int group = 1; group < groups->count; group++) {
		if (groups->size[group] < groups->least)
			groups->least = groups->size[group];
		if (groups->size[group] > groups->most)
			groups->most = groups->size[group];
	}
}

int groups_open(struct groups *groups, const struct split *split, int nranks)
{
	const size_t n = (size_t)nranks;
	struct coloured *ranks = malloc(n * sizeof *ranks);
	int *numbers = calloc(4 * n, sizeof *numbers);

	if (!ranks || !numbers) {
		fprintf(stderr, "groups: out of memory for %d ranks\n", nranks);
		free(ranks);
		free(numbers);
		return -1;
	}
	*groups = (struct groups){
		.nranks = nranks,
		.of = numbers,
		.rank = numbers + n,
		.size = numbers + 2 * n,
		.first = numbers + 3 * n,
	};
	find_fellows(groups, ranks, split);
	number_groups(groups);
	free(ranks);
	return 0;
}

void groups_close(struct groups *groups)
{
	free(groups->of);
	*groups = (struct groups){ 0 };
}
