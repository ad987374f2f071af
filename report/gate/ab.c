/* SPDX-License-Identifier: Apache-2.0
 *
 * The verdict of `collperf ab`.
 */
#include <string.h>

#include "../report.h"
#include "outputs.h"
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

static void set_side(struct gate_request *request, enum gate_side_id side, const char *const *dir)
{
	request->inputs[side] = dir;
	request->ninputs[side] = *dir ? 1 : 0;
}

int compare_pairs(int argc, char **argv, const char *folder, const char *const *dirs, const char *const *names)
{
	enum gate_exit code;
	struct gate_options *options = gate_options_read(argc, argv, &code);
	struct gate_request request;

	if (!options)
		return (int)code;
	request = *gate_options_request(options);
	request.command = "ab";
	if (dirs) {
		for (int side = GATE_BASE; side < GATE_SIDES; side++) {
			set_side(&request, (enum gate_side_id)side, &dirs[side]);
			request.names[side] = names[side];
		}
		request.paired = true;
		request.calls[GATE_BASE] = "A";
		request.calls[GATE_NEW] = "B";
		code = gate_compare(&request);
	} else {
		set_side(&request, GATE_BASE, &folder);
		if (gate_outputs_check(&request))
			code = GATE_EXIT_USAGE;
	}
	gate_options_free(options);
	return (int)code;
}

void compare_pairs_fail(int argc, char **argv, const char *why)
{
	enum gate_exit code;
	struct gate_options *options = gate_options_read(argc, argv, &code);

	if (options)
		gate_tell_nothing(gate_options_request(options), why);
	gate_options_free(options);
}
