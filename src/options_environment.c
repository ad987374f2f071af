/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables that stand in for options, under the names that nccl-tests reads.
 */
#include <limits.h>
#include <stdlib.h>

#include "options_table.h"
#include "size.h"

enum { QUOTE = 100 };

static const char split_name[] = "NCCL_TESTS_SPLIT";
static const char mask_name[] = "NCCL_TESTS_SPLIT_MASK";
static const char device_name[] = "NCCL_TESTS_DEVICE";

/* NULL where it is not set, or to nothing. */
static const char *find_variable(const char *name)
{
	const char *text = getenv(name);

	return text && *text ? text : NULL;
}

static int fail_variable(const char *name, const char *text, const char *reason, struct options_error *error)
{
	char quoted[QUOTE];

	return option_fail(error, "%s: '%s' %s", name, option_quote(text, quoted, sizeof quoted), reason);
}

/* Hexadecimal without 0x, or with. */
static int read_mask(const char *text, struct split *split, struct options_error *error)
{
	char expression[QUOTE];
	bool is_zero;
	const bool has_prefix = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const int length = snprintf(expression, sizeof expression, "&0x%s", has_prefix ? text + 2 : text);

	if (length >= (int)sizeof expression || split_parse(expression, split, &is_zero))
		return fail_variable(mask_name, text, "is not a hexadecimal number", error);
	return 0;
}

static int read_split(struct options *options, struct options_error *error)
{
	const char *text = find_variable(split_name), *mask = find_variable(mask_name);
	struct options_error reason;

	if (options->split.op != SPLIT_NONE || (!text && !mask))
		return 0;
	if (text && mask)
		return option_fail(error, "%s and %s are both set", split_name, mask_name);
	if (mask)
		return read_mask(mask, &options->split, error);
	return option_read_split(text, &options->split, &reason) ? fail_variable(split_name, text, reason.text, error) : 0;
}

int options_environment(struct options *options, struct options_error *error)
{
	const char *device = find_variable(device_name);

	if (device && count_parse(device, 0, INT_MAX, &options->first_device))
		return fail_variable(device_name, device, "is not the number of a GPU", error);
	return read_split(options, error);
}
