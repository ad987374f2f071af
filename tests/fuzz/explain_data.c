/* SPDX-License-Identifier: Apache-2.0 */
/* sources: report/explain/[a-z]*.c report/command.c report/output.c report/text.c report/escape.c report/array.c report/html_style.c collectives/[a-z]*.c */
/*
 * Any bytes as the numbers of ranks: read whole or refused in one line, never anything that is no finite number; and what is shown of them, as text, as a
 * page and as JSON, has no such number either. Links: -ljansson -lm
 */
#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/explain/show.h"

enum { MOST_RANKS = 17, MOST_TEXT = 4000, CHOICES = 4, MOST_SHOWN = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "broken: %s\n", what);
	abort();
}

static void check_numbers(const struct example *example)
{
	const struct schedule *schedule = &example->schedule;

	for (int rank = 0; rank < schedule->nranks; rank++) {
		for (int item = 0; item < schedule->nitems; item++) {
			const uint64_t set = example->ended[example_at(example, rank) + (size_t)item];

			for (int e = 0; set && e < example_count(example, item); e++)
				check(isfinite(example_number(example, set, item, e)), "a number is not finite");
		}
	}
}

static bool has_word(const char *text, const char *word)
{
	for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
		if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[strlen(word)]))
			return true;
	return false;
}

static void check_shown(int (*show)(FILE *, const struct example *), const struct example *example)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	json_t *root;

	check(out && show(out, example) == 0, "memory");
	fclose(out);
	check(!has_word(text, "nan") && !has_word(text, "inf"), "a number that is none is shown");
	if (show == show_json) {
		root = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
		check(root != NULL, "no JSON");
		json_decref(root);
	}
	free(text);
}

static const char *choose_algorithm(const struct collective *coll, size_t number)
{
	size_t count = 0;

	while (schedule_algorithm(coll, count))
		count++;
	return count > 0 ? schedule_algorithm(coll, number % count) : NULL;
}

static void check_request(const struct example_request *request)
{
	struct example example;
	char error[400] = "";

	if (example_make(request, &example, error, sizeof error)) {
		check(*error && !strpbrk(error, "\n\033"), "a refusal is one line");
		return;
	}
	check_numbers(&example);
	/* Of larger ones only printing would be tested. */
	if (example_at(&example, example.schedule.nranks) * (size_t)example.per < MOST_SHOWN) {
		check_shown(show_text, &example);
		check_shown(show_page, &example);
		check_shown(show_json, &example);
	}
	example_clear(&example);
}

/* The first byte chooses primitive and operation, the second the ranks, the third the algorithm, the fourth root and segments; the rest is the text. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct example_request request = { 0 };
	char *text;

	if (size < CHOICES || size > MOST_TEXT)
		return 0;
	request.coll = collectives[data[0] % COLL_COUNT];
	request.op = (enum example_op)(data[0] / 32 % EXAMPLE_OPS);
	request.nranks = 1 + data[1] % MOST_RANKS;
	request.algo = choose_algorithm(request.coll, data[2]);
	if (request.coll->flags & COLL_HAS_ROOT)
		request.root = data[3] % request.nranks;
	request.segments = data[3] / 32;
	text = malloc(size - CHOICES + 1);
	if (!text || !request.algo) {
		free(text);
		return 0;
	}
	memcpy(text, data + CHOICES, size - CHOICES);
	text[size - CHOICES] = '\0';
	request.data = text;
	check_request(&request);
	free(text);
	return 0;
}
