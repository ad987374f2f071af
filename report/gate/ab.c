/* SPDX-License-Identifier: Apache-2.0
 *
 * The verdict of `collperf ab`.
 */
#include <string.h>

#include "request.h"

/* By the whole path, as other facts may end in the same word. NULL: none. */
static const char *find(const struct facts *facts, const char *path)
{
	for (size_t i = 0; i < facts->count; i++) {
		if (strcmp(facts->items[i].name, path) == 0)
			return facts->items[i].value;
	}
	return NULL;
}

/* "A" or "B"; NULL: none. */
static const char *variant_of(const struct facts *facts)
{
	const char *variant = find(facts, "ab.variant");

	return !variant ? NULL : strcmp(variant, "A") == 0 ? "A" : strcmp(variant, "B") == 0 ? "B" : NULL;
}

bool gate_ab_sides(const struct facts *base, const struct facts *next, const char *calls[GATE_SIDES])
{
	const char *one = find(base, "ab.comparison"), *other = find(next, "ab.comparison");
	const char *first = variant_of(base), *second = variant_of(next);

	if (!one || !other || !first || !second || strcmp(one, other) != 0 || strcmp(first, second) == 0)
		return false;
	calls[GATE_BASE] = first;
	calls[GATE_NEW] = second;
	return true;
}

int compare_pairs(int argc, char **argv, const char *const *dirs, const char *const *names)
{
	enum gate_exit code;
	struct gate_options *options = gate_options_read(argc, argv, &code);
	struct gate_request request;

	if (!options || !dirs) {
		gate_options_free(options);
		return (int)code;
	}
	request = *gate_options_request(options);
	for (int side = GATE_BASE; side < GATE_SIDES; side++) {
		request.inputs[side] = &dirs[side];
		request.ninputs[side] = 1;
		request.names[side] = names[side];
	}
	request.paired = true;
	request.command = "ab";
	request.calls[GATE_BASE] = "A";
	request.calls[GATE_NEW] = "B";
	code = gate_compare(&request);
	gate_options_free(options);
	return (int)code;
}
