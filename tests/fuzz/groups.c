/* SPDX-License-Identifier: Apache-2.0 */
/* sources: src/groups.c */
/*
 * Any text as a split. What is accepted makes groups in which every rank has its place; what is refused leaves the split alone.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "src/groups.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_groups(const struct split *split, int nranks)
{
	struct groups groups;
	int total = 0;

	if (groups_open(&groups, split, nranks))
		abort();
	assert(groups.count >= 1 && groups.count <= nranks && groups.nranks == nranks);
	for (int group = 0; group < groups.count; group++) {
		const int first = groups.first[group];

		assert(groups.of[first] == group && groups.rank[first] == 0 && (group == 0 || first > groups.first[group - 1]));
		assert(groups.least <= groups.size[group] && groups.size[group] <= groups.most && groups.least >= 1);
		total += groups.size[group];
	}
	assert(total == nranks);
	for (int rank = 0; rank < nranks; rank++) {
		const int group = groups.of[rank];

		assert(group >= 0 && group < groups.count && rank >= groups.first[group]);
		assert(groups.rank[rank] >= 0 && groups.rank[rank] < groups.size[group]);
	}
	groups_close(&groups);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(size + 1, 1);
	struct split split = { SPLIT_NONE, 77 };
	bool is_zero;

	assert(text);
	if (size > 0)
		memcpy(text, data, size);
	if (split_parse(text, &split, &is_zero)) {
		assert(split.op == SPLIT_NONE && split.value == 77);
	} else {
		assert(!is_zero && split.op != SPLIT_NONE);
		assert(split.value != 0 || split.op == SPLIT_AND || split.op == SPLIT_OR);
		check_groups(&split, 1);
		check_groups(&split, 7);
		check_groups(&split, 64);
	}
	free(text);
	return 0;
}
