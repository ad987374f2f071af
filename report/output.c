/* SPDX-License-Identifier: Apache-2.0
 *
 * The stream that a format writes to, and the one line that says why it failed.
 */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

int output_error(const char *program, const char *path, const char *why)
{
	char shown[512];

	fprintf(stderr, "%s: cannot write %s: %s\n", program,
		strcmp(path, "-") == 0 ? "to stdout" : text_escape(path, shown, sizeof(shown)), why);
	return -1;
}

int output_open(struct output *output, const char *program, const char *path)
{
	bool is_stdout = strcmp(path, "-") == 0;
	FILE *file = is_stdout ? stdout : fopen(path, "w");
	char *copy;

	if (!file)
		return output_error(program, path, strerror(errno));
	copy = strdup(path);
	if (!copy) {
		if (!is_stdout)
			fclose(file);
		return output_error(program, path, "out of memory");
	}
	*output = (struct output){ .file = file, .path = copy, .program = program };
	return 0;
}

static int fail_once(struct output *output, int error)
{
	if (!output->failed)
		output_error(output->program, output->path, strerror(error ? error : EIO));
	output->failed = true;
	return -1;
}

/* Nobody kept the error of a buffer that could not be written on the way; one more byte meets it again. */
static int meet_again(FILE *file)
{
	clearerr(file);
	errno = 0;
	if (fputc('\n', file) != EOF)
		fflush(file);
	return errno;
}

int output_flush(struct output *output)
{
	errno = 0;
	if (output->failed || fflush(output->file) != 0)
		return fail_once(output, errno);
	if (ferror(output->file))
		return fail_once(output, meet_again(output->file));
	return 0;
}

int output_close(struct output *output)
{
	int rc = output_flush(output);

	errno = 0;
	if (output->file != stdout && fclose(output->file) != 0)
		rc = fail_once(output, errno);
	free(output->path);
	*output = (struct output){ 0 };
	return rc;
}
