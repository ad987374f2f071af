/* SPDX-License-Identifier: Apache-2.0
 *
 * From the text of a variant to variables and options.
 */
#include "ab_spec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "record.h"
#include "say.h"
#include "split.h"

/* Options without a value, of the binaries: what follows one of them is a word of its own. */
static const char *const flags[] = { "rotate", "hold", "share-gpus", "pairs" };

/* What both variants share, or what would make them no variants of one comparison. */
static const struct {
	const char *name;
	const char *why;
} refused[] = {
	{ "np", "both variants run on the same ranks" },       { "collectives", "both variants run the same primitives" },
	{ "paths", "--path names the one path of a variant" }, { "algos", "--algo names the one algorithm of a variant" },
	{ "repeat", "both variants are launched as often" },   { "output", "both variants are kept in one directory" },
	{ "resume", "a comparison is not resumed" },           { "seed", "both variants have the order of one seed" },
	{ "quiet", "the tables of both go to files anyway" },  { "help", "see collperf ab --help" },
};

static bool is_name(const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)word[i]) && word[i] != '_')
			return false;
	return length > 0 && !isdigit((unsigned char)word[0]);
}

/* Length of the name, 0: no variable. */
static size_t name_length(const char *word)
{
	const char *equals = strchr(word, '=');
	const size_t length = equals ? (size_t)(equals - word) : 0;

	return is_name(word, length) ? length : 0;
}

static int add_variable(const char *word, size_t length, const char *option, struct ab_spec *spec)
{
	words_format(&spec->names, "%.*s", (int)length, word);
	words_add(&spec->values, word + length + 1);
	for (size_t i = 0; i + 1 < spec->names.count; i++)
		if (strcmp(spec->names.list[i], spec->names.list[spec->names.count - 1]) == 0)
			return say_as("ab", "%s: %s is set twice", option, spec->names.list[i]);
	return 0;
}

static bool is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int add_folder(const char *word, const char *option, struct ab_spec *spec)
{
	if (!is_folder(word))
		return say_as("ab", "%s: '%s' is neither NAME=VALUE nor an option, and no folder of a build", option, word);
	words_add(&spec->options, "--bin");
	words_add(&spec->options, word);
	return 0;
}

static bool is_bin(const char *word)
{
	return strcmp(word, "--bin") == 0 || strncmp(word, "--bin=", strlen("--bin=")) == 0;
}

/* Whether the next word is this one's value. */
static bool wants_value(const char *word)
{
	if (strncmp(word, "--", 2) != 0)
		return word[1] != '\0' && word[2] == '\0';
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (strcmp(word + 2, flags[i]) == 0)
			return false;
	return strchr(word, '=') == NULL;
}

static int check_option(const char *word, const char *option)
{
	const size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;

	if (word[1] == 'o' && length == 0)
		return say_as("ab", "%s: -o: both variants are kept in one directory; the operation is --op here", option);
	for (size_t i = 0; length > 0 && i < sizeof(refused) / sizeof(refused[0]); i++)
		if (strlen(refused[i].name) == length && strncmp(refused[i].name, word + 2, length) == 0)
			return say_as("ab", "%s: %s: %s", option, word, refused[i].why);
	return 0;
}

static int take_words(const struct words *words, const char *option, struct ab_spec *spec)
{
	bool is_value = false;
	size_t i = 0, builds = 0;
	int rc = 0;

	for (; rc == 0 && i < words->count && (is_value || strcmp(words->list[i], "--") != 0); i++) {
		const char *word = words->list[i];
		const size_t length = name_length(word);

		builds += !is_value && (is_bin(word) || (word[0] != '-' && length == 0));
		if (builds > 1)
			return say_as("ab", "%s: '%s': two folders; a variant has one build", option, word);
		if (is_value || word[0] == '-') {
			rc = is_value ? 0 : check_option(word, option);
			words_add(&spec->options, word);
			is_value = !is_value && wants_value(word);
		} else if (length > 0) {
			rc = add_variable(word, length, option, spec);
		} else {
			rc = add_folder(word, option, spec);
		}
	}
	while (++i < words->count)
		words_add(&spec->rest, words->list[i]);
	return rc;
}

static bool is_blank(const char *text)
{
	return text[strspn(text, " \t\n")] == '\0';
}

int ab_spec_read(const char *text, const char *option, struct ab_spec *spec)
{
	struct words words = { 0 };
	const char *why = NULL;
	int rc = 0;

	*spec = (struct ab_spec){ .text = text };
	if (!record_can_hold(text))
		return say_as("ab", "%s: is not UTF-8: run.json could not hold it", option);
	if (!is_blank(text) && split_words(text, &words, &why) != 0)
		return say_as("ab", "%s: '%s': %s", option, text,
			      strcmp(why, "names no program") == 0 ? "begins with an empty word" : why);
	rc = take_words(&words, option, spec);
	words_clear(&words);
	if (rc == 0 && (spec->names.failed || spec->values.failed || spec->options.failed || spec->rest.failed))
		rc = say_as("ab", "out of memory");
	return rc;
}

void ab_spec_clear(struct ab_spec *spec)
{
	words_clear(&spec->names);
	words_clear(&spec->values);
	words_clear(&spec->options);
	words_clear(&spec->rest);
}

static const char *value_of(const struct ab_spec *spec, const char *name)
{
	for (size_t i = 0; i < spec->names.count; i++)
		if (strcmp(spec->names.list[i], name) == 0)
			return spec->values.list[i];
	return NULL;
}

bool ab_spec_equal(const struct ab_spec *a, const struct ab_spec *b)
{
	bool equal = a->names.count == b->names.count && words_equal(&a->options, &b->options) && words_equal(&a->rest, &b->rest);

	for (size_t i = 0; equal && i < a->names.count; i++) {
		const char *other = value_of(b, a->names.list[i]);

		equal = other && strcmp(other, a->values.list[i]) == 0;
	}
	return equal;
}

int ab_spec_enter(const struct ab_spec *spec, struct ab_before *before)
{
	bool failed = false;

	for (size_t i = 0; i < spec->names.count; i++) {
		const char *value = getenv(spec->names.list[i]);

		words_add(value ? &before->names : &before->absent, spec->names.list[i]);
		if (value)
			words_add(&before->values, value);
	}
	failed = before->names.failed || before->values.failed || before->absent.failed;
	for (size_t i = 0; !failed && i < spec->names.count; i++)
		failed = setenv(spec->names.list[i], spec->values.list[i], 1) != 0;
	if (!failed)
		return 0;
	ab_spec_leave(before);
	return say_as("ab", "out of memory");
}

void ab_spec_leave(struct ab_before *before)
{
	for (size_t i = 0; i < before->names.count && i < before->values.count; i++)
		setenv(before->names.list[i], before->values.list[i], 1);
	for (size_t i = 0; i < before->absent.count; i++)
		unsetenv(before->absent.list[i]);
	words_clear(&before->names);
	words_clear(&before->values);
	words_clear(&before->absent);
}
