/* SPDX-License-Identifier: Apache-2.0 */
/* sources: report/explain/example.c collectives/[a-z]*.c */
/*
 * Any bytes as the numbers of ranks: read whole or refused in one line, never anything that is no finite number. Links: -lm
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/explain/example.h"

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

			for (int e = 0; set && e < example->per; e++)
				check(isfinite(example_number(example, set, item, e)), "a number is not finite");
		}
	}
}

/* The first byte chooses primitive and operation, the second the ranks. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct example_request request = { 0 };
	struct example example;
	char error[400] = "", *text;

	if (size < 2 || size > 4000)
		return 0;
	request.coll = collectives[data[0] % COLL_COUNT];
	request.op = (enum example_op)(data[0] / 32 % EXAMPLE_OPS);
	request.algo = schedule_algorithm(request.coll, 0);
	request.nranks = 1 + data[1] % 5;
	text = malloc(size - 1);
	if (!text || !request.algo) {
		free(text);
		return 0;
	}
	memcpy(text, data + 2, size - 2);
	text[size - 2] = '\0';
	request.data = text;
	if (example_make(&request, &example, error, sizeof error)) {
		check(*error && !strchr(error, '\n'), "a refusal is one line");
	} else {
		check_numbers(&example);
		example_clear(&example);
	}
	free(text);
	return 0;
}
