/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole files in and out.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_parts.h"
#include "discover.h"
#include "read.h"
#include "show.h"
#include "show_words.h"

enum { CHUNK = 64 << 10 };

int topo_file_fail(const char *file, const char *verb, const char *why)
{
	char shown[256];
	const char *std = strcmp(verb, "read") == 0 ? "stdin" : "stdout";

	fprintf(stderr, "collperf topo: cannot %s %s: %s\n", verb,
		strcmp(file, "-") == 0 ? std : show_visible(file, shown, sizeof shown), why);
	return -1;
}

/* Until the end, so that pipes work too. NULL: *why says what happened. */
static char *read_all(FILE *stream, size_t *size, const char **why)
{
	char *text = NULL;
	size_t used = 0, room = 0;

	errno = 0;
	for (;;) {
		if (used + 1 >= room) {
			char *larger = realloc(text, room = room * 2 + CHUNK);

			if (!larger) {
				*why = "out of memory";
				break;
			}
			text = larger;
		}
		const size_t got = fread(text + used, 1, room - used - 1, stream);

		used += got;
		if (used > TOPO_MOST_BYTES) {
			*why = "it is larger than 64 MiB";
			break;
		}
		if (got == 0) {
			*why = ferror(stream) ? strerror(errno ? errno : EIO) : NULL;
			break;
		}
	}
	if (*why) {
		free(text);
		return NULL;
	}
	text[used] = '\0';
	*size = used;
	return text;
}

/* A whole file, ended by a NUL byte behind `size`, to be freed. -1 after one line on stderr: it cannot be read, or is larger than TOPO_MOST_BYTES. */
static int read_file(const char *file, char **text, size_t *size)
{
	const bool is_stdin = strcmp(file, "-") == 0;
	FILE *stream = is_stdin ? stdin : fopen(file, "re");
	const char *why = NULL;

	if (!stream)
		return topo_file_fail(file, "read", strerror(errno));
	*text = read_all(stream, size, &why);
	if (!is_stdin)
		fclose(stream);
	return *text ? 0 : topo_file_fail(file, "read", why);
}

int topo_file_write(const char *file, const char *text, size_t size)
{
	const bool is_stdout = strcmp(file, "-") == 0;
	FILE *stream = is_stdout ? stdout : fopen(file, "we");
	int error = 0;

	if (!stream)
		return topo_file_fail(file, "write", strerror(errno));
	errno = 0;
	if (fwrite(text, 1, size, stream) != size || fflush(stream) != 0)
		error = errno ? errno : EIO;
	if (!is_stdout && fclose(stream) != 0 && !error)
		error = errno;
	return error ? topo_file_fail(file, "write", strerror(error)) : 0;
}

typedef int read_fn(const char *file, const char *text, size_t size, struct topo *topo, char *error, size_t error_size);

static read_fn *const readers[] = {
	[TOPO_FROM_HWLOC] = read_hwloc, [TOPO_FROM_NCCL] = read_nccl_xml, [TOPO_FROM_SMI] = read_smi
};

static int read_input(const struct topo_input *input, struct topo *topo)
{
	struct topo one = { 0 };
	char error[400], shown[400];
	char *text;
	size_t size = 0;
	int rc;

	if (read_file(input->file, &text, &size))
		return -1;
	rc = readers[input->source](strcmp(input->file, "-") == 0 ? "stdin" : input->file, text, size, &one, error, sizeof error);
	free(text);
	if (rc)
		fprintf(stderr, "collperf topo: %s\n", show_visible(error, shown, sizeof shown));
	else if ((rc = topo_merge(topo, &one)) != 0)
		fputs("collperf topo: out of memory\n", stderr);
	topo_clear(&one);
	return rc ? -1 : 0;
}

int topo_command_read(const struct topo_command *command, struct topo *topo)
{
	if (command->ninputs == 0)
		return discover_host(topo, NULL);
	for (size_t i = 0; i < command->ninputs; i++)
		if (read_input(&command->inputs[i], topo))
			return -1;
	return 0;
}
