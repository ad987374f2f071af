/* SPDX-License-Identifier: Apache-2.0
 *
 * What the text of each kind of option means. Knows nothing of how a command line is split, nor of rules between options.
 */
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "options_table.h"
#include "size.h"

enum { MAX_PART = 64 };

static const double max_seconds = 1e9;
static const double max_bandwidth = 1e18;

static const char *const combine_words[] = { "rank0", "avg", "min", "max", NULL };
static const char *const policy_words[] = { "default", "efficiency", "zero", "unset", NULL };
static const char *const inject_words[] = { "none", "corrupt", "delay", "hang", "abort", "clock", NULL };

void *option_place(const struct option_row *row, struct options *options)
{
	return (char *)options + row->offset;
}

const void *option_value(const struct option_row *row, const struct options *options)
{
	return (const char *)options + row->offset;
}

const char *option_label(const struct option_row *row, char *buffer, size_t size)
{
	if (row->letter)
		snprintf(buffer, size, "-%c", row->letter);
	else
		snprintf(buffer, size, "--%s", row->name);
	return buffer;
}

const char *option_quote(const char *text, char *buffer, size_t size)
{
	size_t used = 0;

	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		int printable = c >= ' ' && c <= '~';

		if (used + (printable ? 1 : 4) + sizeof "..." > size) {
			memcpy(buffer + used, "...", sizeof "...");
			return buffer;
		}
		used += (size_t)snprintf(buffer + used, size - used, printable ? "%c" : "\\x%02x", c);
	}
	buffer[used] = '\0';
	return buffer;
}

int option_fail(struct options_error *error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(error->text, sizeof error->text, format, arguments);
	va_end(arguments);
	return -1;
}

static int find_word(const char *const *words, const char *text, size_t length)
{
	for (int i = 0; words[i]; i++)
		if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
			return i;
	return -1;
}

/* "is not one of a, b, c". Takes a function, since names live in tables of several shapes. */
static int fail_names(struct options_error *error, const char *(*name)(const void *table, int i), const void *table)
{
	size_t used = (size_t)snprintf(error->text, sizeof error->text, "is not one of ");
	const char *separator = "";

	for (int i = 0; name(table, i) && used < sizeof error->text; i++) {
		used += (size_t)snprintf(error->text + used, sizeof error->text - used, "%s%s", separator, name(table, i));
		separator = ", ";
	}
	return -1;
}

static const char *word_name(const void *table, int i)
{
	return ((const char *const *)table)[i];
}

static const char *type_name(const void *table, int i)
{
	(void)table;
	return i < DTYPE_COUNT ? dtypes[i].name : i == DTYPE_COUNT ? "all" : NULL;
}

static const char *op_name(const void *table, int i)
{
	(void)table;
	return i < REDOP_COUNT ? redop_names[i] : i == REDOP_COUNT ? "all" : NULL;
}

int option_parse_size(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	uint64_t value;

	if (size_parse(text, &value))
		return option_fail(error, "is not a size (such as 8, 64K, 1.5G)");
	if (value < (uint64_t)row->min)
		return option_fail(error, "is too small, a message has at least %ld byte", row->min);
	*(uint64_t *)option_place(row, options) = value;
	return 0;
}

static int fail_count(const struct option_row *row, struct options_error *error)
{
	if (row->max == LONG_MAX)
		return option_fail(error, "is not a whole number of at least %ld", row->min);
	return option_fail(error, "is not a whole number from %ld to %ld", row->min, row->max);
}

int option_parse_count(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	return count_parse(text, row->min, row->max, option_place(row, options)) ? fail_count(row, error) : 0;
}

int option_parse_int(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	long value;

	if (count_parse(text, row->min, row->max, &value))
		return fail_count(row, error);
	*(int *)option_place(row, options) = (int)value;
	return 0;
}

int option_parse_unsigned(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	long value;

	if (count_parse(text, row->min, row->max, &value))
		return fail_count(row, error);
	*(uint64_t *)option_place(row, options) = (uint64_t)value;
	return 0;
}

int option_parse_iters(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	long value;

	if (count_parse(text, 0, LONG_MAX, &value) == 0 && value == 0)
		return option_fail(error,
				   "calls cannot be timed: leave -n out to measure until precise; -c N sets the checked calls");
	return option_parse_count(row, text, options, error);
}

int option_parse_seconds(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	double value;

	if (duration_parse(text, &value) || value > max_seconds)
		return option_fail(error, "is not a time (such as 0.5, 20ms, 5us; at most 1e9 s)");
	if (row->min > 0 && !(value > 0))
		return option_fail(error, "is no time at all");
	*(double *)option_place(row, options) = value;
	return 0;
}

int option_parse_ci(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	double value;

	if (fraction_parse(text, &value) || value <= 0 || value >= 1)
		return option_fail(error, "is not a fraction between 0 and 1 (such as 2.5%% or 0.025)");
	*(double *)option_place(row, options) = value;
	return 0;
}

int option_parse_bandwidth(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	double value;

	if (bandwidth_parse(text, &value) || value > max_bandwidth)
		return option_fail(error, "is not a bandwidth in bytes per second (such as 100G, 12.5GB/s; 1 to 1e18)");
	*(double *)option_place(row, options) = value;
	return 0;
}

/* LAUNCH%[,SAMPLE%] */
int option_parse_noise(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	const char *comma = strchr(text, ',');
	size_t length = comma ? (size_t)(comma - text) : strlen(text);
	char first[MAX_PART];
	double launch, sample = 0;

	(void)row;
	snprintf(first, sizeof first, "%.*s", (int)(length < sizeof first ? length : sizeof first), text);
	if (length >= sizeof first || fraction_parse(first, &launch) || (comma && fraction_parse(comma + 1, &sample)) ||
	    launch > 1 || sample > 1)
		return option_fail(error, "is not LAUNCH%%[,SAMPLE%%] of at most 100%% each (such as 5%% or 5%%,1%%)");
	options->sim_noise_launch = launch;
	options->sim_noise_sample = sample;
	return 0;
}

int option_parse_word(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	int value = find_word(row->words, text, strlen(text));

	if (value < 0)
		return fail_names(error, word_name, row->words);
	*(int *)option_place(row, options) = value;
	return 0;
}

/* The second of two words is true. */
int option_parse_word_bool(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	int value = find_word(row->words, text, strlen(text));

	if (value < 0)
		return fail_names(error, word_name, row->words);
	*(bool *)option_place(row, options) = value == 1;
	return 0;
}

int option_parse_text_word(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	if (find_word(row->words, text, strlen(text)) < 0)
		return fail_names(error, word_name, row->words);
	return option_parse_text(row, text, options, error);
}

int option_parse_type(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	int value = strcmp(text, "all") == 0 ? OPTION_ALL : dtype_find(text);

	if (value < 0 && strcmp(text, "all") != 0)
		return fail_names(error, type_name, NULL);
	*(int *)option_place(row, options) = value;
	return 0;
}

int option_parse_op(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	int value = strcmp(text, "all") == 0 ? OPTION_ALL : redop_find(text);

	if (value < 0 && strcmp(text, "all") != 0)
		return fail_names(error, op_name, NULL);
	*(int *)option_place(row, options) = value;
	return 0;
}

int option_parse_root(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	long value = OPTION_ALL;

	if (strcmp(text, "all") != 0 && count_parse(text, row->min, row->max, &value))
		return option_fail(error, "is neither a rank nor all");
	*(int *)option_place(row, options) = (int)value;
	return 0;
}

int option_parse_combine(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	long value = find_word(combine_words, text, strlen(text));

	if (value < 0 && count_parse(text, row->min, row->max, &value))
		return option_fail(error, "is not one of 0, 1, 2, 3, rank0, avg, min, max");
	options->combine = (enum combine)value;
	options->combine_given = true;
	return 0;
}

int option_parse_text(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	if (!*text)
		return option_fail(error, "is empty");
	*(const char **)option_place(row, options) = text;
	return 0;
}

int option_parse_label(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	const char *equals = strchr(text, '=');

	(void)row;
	if (!equals || equals == text)
		return option_fail(error, "is not KEY=VALUE");
	if (options->nlabels == OPTIONS_MAX_LABELS)
		return option_fail(error, "is one label too many, %d are allowed", OPTIONS_MAX_LABELS);
	options->labels[options->nlabels++] = text;
	return 0;
}

/* RANK[:US][@SIZE], of which microseconds must be there when `timed` and must not otherwise. Cuts the text up. */
static int parse_inject_tail(char *text, bool timed, struct inject *inject)
{
	char *at = strchr(text, '@');
	char *colon, *microseconds = NULL;
	long rank;
	bool negative = false;

	if (at)
		*at++ = '\0';
	colon = strchr(text, ':');
	if (colon) {
		*colon = '\0';
		microseconds = colon + 1;
	}
	if (count_parse(text, 0, INT_MAX, &rank) || timed != (microseconds != NULL))
		return -1;
	if (at && (size_parse(at, &inject->bytes) || inject->bytes == 0))
		return -1;
	inject->rank = (int)rank;
	if (!timed)
		return 0;
	/* A clock may be behind; a delay cannot. */
	if (inject->kind == INJECT_CLOCK && *microseconds == '-') {
		negative = true;
		microseconds++;
	}
	if (real_parse(microseconds, &inject->seconds))
		return -1;
	inject->seconds = (negative ? -inject->seconds : inject->seconds) / 1e6;
	return inject->seconds > max_seconds || inject->seconds < -max_seconds ? -1 : 0;
}

int option_parse_inject(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	struct inject inject = { 0 };
	size_t length = strcspn(text, "=");
	int kind = find_word(inject_words, text, length);
	char tail[MAX_PART];

	(void)row;
	if (kind > 0 && text[length] == '=' && strlen(text + length + 1) < sizeof tail) {
		inject.kind = (enum inject_kind)kind;
		strcpy(tail, text + length + 1);
		if (parse_inject_tail(tail, kind == INJECT_DELAY || kind == INJECT_CLOCK, &inject) == 0) {
			options->inject = inject;
			return 0;
		}
	}
	return option_fail(
		error, "is not corrupt=RANK, delay=RANK:US, hang=RANK, abort=RANK or clock=RANK:US, each with or without @SIZE");
}

int option_parse_flag(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	(void)text;
	(void)error;
	*(bool *)option_place(row, options) = true;
	return 0;
}

int option_parse_switch(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	long value;

	if (count_parse(text, 0, 1, &value))
		return option_fail(error, "is neither 0 nor 1");
	*(bool *)option_place(row, options) = value == 1;
	return 0;
}

int option_parse_policy(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	long value = find_word(policy_words, text, strlen(text));

	if (value < 0 && count_parse(text, row->min, row->max, &value))
		return option_fail(error, "is not one of 0, 1, 2, default, efficiency, zero, unset");
	*(long *)option_place(row, options) = value > row->max ? option_defaults.cta_policy : value;
	return 0;
}

int option_read_split(const char *text, struct split *split, struct options_error *error)
{
	bool is_zero;

	if (split_parse(text, split, &is_zero) == 0)
		return 0;
	if (is_zero)
		return option_fail(error, "divides by 0");
	return option_fail(error, "is not AND, OR, MOD or DIV and a whole number (such as 'MOD 8', '& 0x7', '/ 0b100')");
}

int option_parse_split(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	return option_read_split(text, option_place(row, options), error);
}
