/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of elements as people write them, alone and a line each in a file, which rank 0 reads for all.
 */
#include "step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch.h"
#include "options.h"
#include "text_file.h"

enum { LONGEST_LINE = 64, MOST_MIB = 32 };

static const double most_elements = 0x1p53; /* whole numbers to here */

static double factor_of(const char *suffix)
{
	static const char letters[] = "KkMmGgTt";
	static const double powers[] = { 1e3, 1e6, 1e9, 1e12 };
	const char *letter = *suffix ? strchr(letters, *suffix) : NULL;

	if (*suffix == '\0')
		return 1;
	if (suffix[1] != '\0')
		return NAN;
	/* Billions: what people say of parameters. */
	if (*suffix == 'B' || *suffix == 'b')
		return 1e9;
	return letter ? powers[(letter - letters) / 2] : NAN;
}

int step_count_parse(const char *text, double *count)
{
	const size_t digits = strspn(text, "0123456789.");
	char *end;
	double value;

	/* strtod alone would take blanks, signs, hexadecimal, "inf" and "nan". */
	if (digits == 0 || text[strspn(text, "0123456789.eE+KkMmGgTtBb")] != '\0')
		return -1;
	value = strtod(text, &end);
	value *= factor_of(end);
	/* 1.3G is whole, whatever its last bit. */
	if (!(value >= 1 && value <= most_elements) || fabs(value - round(value)) > 1e-3)
		return -1;
	*count = round(value);
	return 0;
}

static int fail_line(char *error, size_t size, size_t line, const char *why)
{
	snprintf(error, size, "line %zu: %s", line, why);
	return -1;
}

static int add(struct step_gradients *gradients, double elements, size_t line, char *error, size_t size)
{
	if (gradients->count == STEP_MOST_TENSORS)
		return fail_line(error, size, line, "over 1048576 gradients");
	if ((gradients->count & (gradients->count - 1)) == 0) {
		const size_t room = gradients->count > 0 ? 2 * gradients->count : 1;
		uint64_t *grown = realloc(gradients->elements, room * sizeof *grown);

		if (!grown)
			return fail_line(error, size, line, "out of memory");
		gradients->elements = grown;
	}
	gradients->elements[gradients->count++] = (uint64_t)elements;
	gradients->total += (uint64_t)elements;
	if ((double)gradients->total > most_elements)
		return fail_line(error, size, line, "over 2^53 elements in all");
	return 0;
}

/* One line without its end. */
static int take_line(struct step_gradients *gradients, const char *text, size_t length, size_t line, char *error, size_t size)
{
	const char *comment = memchr(text, '#', length);
	char word[LONGEST_LINE];
	double elements;

	if (comment)
		length = (size_t)(comment - text);
	while (length > 0 && strchr(" \t\r", text[length - 1]) && text[length - 1])
		length--;
	while (length > 0 && (*text == ' ' || *text == '\t'))
		text++, length--;
	if (length == 0)
		return 0;
	if (length >= sizeof word || memchr(text, '\0', length))
		return fail_line(error, size, line, "not a number of elements");
	memcpy(word, text, length);
	word[length] = '\0';
	if (step_count_parse(word, &elements))
		return fail_line(error, size, line,
				 "not a number of elements (a whole number from 1 on, or with K, M or G: thousands)");
	return add(gradients, elements, line, error, size);
}

int step_gradients_parse(const char *text, size_t length, struct step_gradients *gradients, char *error, size_t size)
{
	struct step_gradients read = { 0 };
	size_t line = 0;
	int rc = 0;

	while (length > 0 && rc == 0) {
		const char *end = memchr(text, '\n', length);
		const size_t own = end ? (size_t)(end - text) : length, step = own + (end != NULL);

		rc = take_line(&read, text, own, ++line, error, size);
		text += step;
		length -= step;
	}
	if (rc == 0 && read.count == 0) {
		snprintf(error, size, "no gradients in it");
		rc = -1;
	}
	if (rc)
		step_gradients_free(&read);
	else
		*gradients = read;
	return rc;
}

static int read_file(const char *path, struct step_gradients *gradients, char *error, size_t size)
{
	char *text;
	size_t length;
	int rc;

	if (text_file_read(path, MOST_MIB, &text, &length, error, size))
		return -1;
	rc = step_gradients_parse(text, length, gradients, error, size);
	free(text);
	return rc;
}

/* Rank 0's gradients to all. */
static int share(struct step_gradients *gradients, struct launch *launch)
{
	uint64_t head[2] = { gradients->count, gradients->total };

	if (launch->ops->broadcast(launch, head, sizeof head) || head[0] == 0)
		return -1;
	const size_t bytes = (size_t)head[0] * sizeof *gradients->elements;

	gradients->count = (size_t)head[0];
	gradients->total = head[1];
	if (launch->rank > 0)
		gradients->elements = malloc(bytes);
	if (!gradients->elements) {
		fprintf(stderr, "--gradients: out of memory for %zu bytes\n", bytes);
		launch->ops->abort(launch, 3);
	}
	return launch->ops->broadcast(launch, gradients->elements, bytes);
}

int step_gradients_open(struct options *options, struct launch *launch, const char *program)
{
	struct step_options *step = options->step;
	struct step_gradients read = { 0 };
	char error[256];

	if (!step || !step->file)
		return 0;
	if (launch->rank == 0 && read_file(step->file, &read, error, sizeof error))
		fprintf(stderr, "%s: --gradients: %s: %s\n", program, step->shown, error);
	if (share(&read, launch)) {
		step_gradients_free(&read);
		return -1;
	}
	read.layers = step->gradients.layers;
	step->gradients = read;
	options->min_bytes = options->max_bytes = read.total * dtypes[options->type].size;
	return 0;
}

void step_gradients_free(struct step_gradients *gradients)
{
	free(gradients->elements);
	*gradients = (struct step_gradients){ 0 };
}
