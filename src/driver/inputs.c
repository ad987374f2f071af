/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and digests of files.
 */
#include "inputs.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../own.h"
#include "file.h"
#include "record.h"
#include "say.h"
#include "share.h"

enum { DIGEST = 17 }; /* with its end */

/* The name of a file at word i, which may be attached to its option, or NULL; *next is the word behind it. */
static const char *name_at(const struct words *sweep, size_t i, size_t *next, const struct own_option **own)
{
	const char *attached = strchr(sweep->list[i], '=');

	*next = share_next(sweep, i, own);
	if (!*own || !(*own)->is_file)
		return NULL;
	if (attached)
		return attached + 1;
	return *next - i == 2 ? sweep->list[i + 1] : NULL;
}

/* The binaries take any unambiguous beginning of an option; its file would be missed here. */
static bool is_cut(const char *word)
{
	const size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;

	for (size_t i = 0; i < own_option_count && length > 0; i++)
		if (own_options[i].is_file && length < strlen(own_options[i].name) &&
		    strncmp(own_options[i].name, word + 2, length) == 0)
			return true;
	return false;
}

/* A pipe is empty when its second reader comes, and nobody may be there for the first. A name that is nothing here may be there for the first rank. */
static int check_kind(const char *name, const char *option)
{
	struct stat status;

	if (stat(name, &status) != 0 || S_ISREG(status.st_mode))
		return 0;
	return say("--%s %s: no regular file: a run reads it more than once", option, name);
}

/* `name` is in the word, at its end. */
static int make_absolute(char **word, const char *name, const char *option)
{
	char *folder = getcwd(NULL, 0), *made = NULL;
	int rc = 0;

	if (!folder)
		rc = say("--%s: the folder that we are in: %s", option, strerror(errno));
	else if (!record_can_hold(folder))
		rc = say("--%s: the name of this folder is not UTF-8: run.json could not hold it", option);
	else if (asprintf(&made, "%.*s%s/%s", (int)(name - *word), *word, strcmp(folder, "/") == 0 ? "" : folder, name) < 0)
		rc = say("out of memory");
	if (rc == 0) {
		free(*word);
		*word = made;
	}
	free(folder);
	return rc;
}

int inputs_resolve(struct words *sweep)
{
	const struct own_option *own;

	for (size_t i = 0, next; i < sweep->count; i = next) {
		const char *name = name_at(sweep, i, &next, &own);

		if (!own && is_cut(sweep->list[i]))
			return say("%s: not with run: give it in full", sweep->list[i]);
		if (name && name[0] != '\0' && check_kind(name, own->name) != 0)
			return -1;
		if (name && name[0] != '\0' && name[0] != '/' && make_absolute(&sweep->list[next - 1], name, own->name) != 0)
			return -1;
	}
	return 0;
}

/* Fowler, Noll and Vo's hash of 64 bits. -1 with errno. */
static int read_digest(const char *name, char digest[DIGEST])
{
	struct file_text text;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	if (file_read(name, &text) != 0)
		return -1;
	for (size_t i = 0; i < text.size; i++)
		hash = (hash ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001b3);
	file_text_clear(&text);
	snprintf(digest, DIGEST, "%016" PRIx64, hash);
	return 0;
}

json_t *inputs_digests(const struct words *sweep)
{
	const struct own_option *own;
	json_t *digests = NULL;
	char digest[DIGEST];

	for (size_t i = 0, next; i < sweep->count; i = next) {
		const char *name = name_at(sweep, i, &next, &own);

		/* Where only the first rank can read it nobody here can tell. */
		if (!name || read_digest(name, digest) != 0)
			continue;
		if (!digests)
			digests = json_object();
		json_object_set_new(digests, name, json_string(digest));
	}
	return digests;
}

int inputs_check(const struct words *sweep, const json_t *digests)
{
	const struct own_option *own;
	char digest[DIGEST];

	for (size_t i = 0, next; i < sweep->count; i = next) {
		const char *name = name_at(sweep, i, &next, &own);
		const char *recorded = name ? json_string_value(json_object_get(digests, name)) : NULL;

		if (!recorded)
			continue;
		if (check_kind(name, own->name) != 0)
			return -1;
		if (read_digest(name, digest) != 0)
			return say("--%s %s: %s", own->name, name, strerror(errno));
		if (strcmp(digest, recorded) != 0)
			return say("--%s %s: changed since the run was started, and its other launches read what it was: start a "
				   "new run",
				   own->name, name);
	}
	return 0;
}
