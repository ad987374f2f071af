/* SPDX-License-Identifier: Apache-2.0
 *
 * Files by what they are, not by what they are called: device and inode where they exist, else the path behind all links.
 */
#include "outputs.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../array.h"
#include "../escape.h"
#include "words.h"

enum { MOST_LINKS = 40, MOST_DEPTH = 4 };

struct place {
	char *path;
	struct stat status;
	bool is_file, is_folder, is_other; /* other: a pipe or device, which nothing is lost in */
};

static char *resolve(const char *path, int links);

/* `name` in the folder of `path`; a name that begins with '/' is in none. */
static char *resolve_beside(const char *path, const char *name, int links)
{
	const char *slash = strrchr(path, '/');
	char *joined = NULL, *found;

	if (*name == '/' || !slash)
		return resolve(name, links);
	if (asprintf(&joined, "%.*s/%s", (int)(slash - path), path, name) < 0)
		return NULL;
	found = resolve(joined, links);
	free(joined);
	return found;
}

static char *resolve_missing(char *path, int links)
{
	char target[PATH_MAX], *slash = strrchr(path, '/'), *folder, *found = NULL;
	const ssize_t n = readlink(path, target, sizeof target - 1);

	if (n > 0 && links < MOST_LINKS) {
		target[n] = '\0';
		return resolve_beside(path, target, links + 1);
	}
	if (!slash)
		folder = resolve(".", links);
	else if (slash == path)
		folder = strdup("");
	else
		folder = (*slash = '\0', resolve(path, links));
	if (folder && asprintf(&found, "%s/%s", folder, slash ? slash + 1 : path) < 0)
		found = NULL;
	free(folder);
	return found;
}

/* To be freed; NULL: memory. */
static char *resolve(const char *path, int links)
{
	char *found = realpath(path, NULL), *copy;
	size_t length = strlen(path);

	if (found || errno == ENOMEM)
		return found;
	if (errno != ENOENT)
		return strdup(path);
	while (length > 1 && path[length - 1] == '/')
		length--;
	copy = strndup(path, length);
	found = copy ? resolve_missing(copy, links) : NULL;
	free(copy);
	return found;
}

static int place_find(const char *name, struct place *place)
{
	*place = (struct place){ .path = resolve(name, 0) };
	if (!place->path) {
		array_failed();
		return -1;
	}
	if (stat(name, &place->status) == 0) {
		place->is_file = S_ISREG(place->status.st_mode);
		place->is_folder = S_ISDIR(place->status.st_mode);
		place->is_other = !place->is_file && !place->is_folder;
	}
	return 0;
}

static bool is_inode(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_same(const struct place *a, const struct place *b)
{
	if (a->is_other || b->is_other)
		return false;
	return (a->is_file && b->is_file && is_inode(&a->status, &b->status)) || strcmp(a->path, b->path) == 0;
}

/* What a run directory, or a folder of such, is made of. */
static bool is_kept(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');

	return strcmp(name, "run.json") == 0 || strcmp(name, "ab.json") == 0 ||
	       (dot && (strcasecmp(dot, ".csv") == 0 || strcasecmp(dot, ".log") == 0));
}

/* Whether a file of the folder has that inode by another name. */
static bool has_link(const char *folder, const struct stat *status, int depth)
{
	DIR *dir = depth < MOST_DEPTH ? opendir(folder) : NULL;
	bool found = false;

	for (const struct dirent *entry = dir ? readdir(dir) : NULL; !found && entry; entry = readdir(dir)) {
		struct stat other = { 0 };
		char *path = NULL;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
		    asprintf(&path, "%s/%s", folder, entry->d_name) < 0)
			continue;
		if (lstat(path, &other) == 0 && S_ISLNK(other.st_mode) && stat(path, &other) == 0 && S_ISDIR(other.st_mode))
			other.st_mode = 0; /* no folder of this one */
		if (S_ISDIR(other.st_mode))
			found = has_link(path, status, depth + 1);
		else
			found = is_kept(path) && is_inode(&other, status);
		free(path);
	}
	if (dir)
		closedir(dir);
	return found;
}

static bool is_in(const char *folder, const char *path)
{
	const size_t length = strlen(folder);

	return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* -1: memory. */
static int destroys(const struct place *output, const char *input)
{
	struct place place, facts;
	char *beside = NULL;
	int found = -1;

	if (place_find(input, &place))
		return -1;
	if (place.is_file) {
		if (asprintf(&beside, "%.*s/run.json", (int)(strrchr(place.path, '/') - place.path), place.path) < 0)
			beside = NULL;
		if (beside && place_find(beside, &facts) == 0) {
			found = is_same(output, &place) || (facts.is_file && is_same(output, &facts));
			free(facts.path);
		}
		free(beside);
	} else {
		found = is_same(output, &place) ||
			(!output->is_other && is_in(place.path, output->path) && is_kept(output->path)) ||
			(output->is_file && place.is_folder && has_link(place.path, &output->status, 0));
	}
	free(place.path);
	return found;
}

struct output_option {
	const char *option, *file;
};

static int refuse(const struct gate_request *request, const struct output_option *output, const char *what, const char *name)
{
	escape_put(stderr, ESCAPE_PLAIN, "collperf %s: %s %s would overwrite %s%s: nothing was written\n",
		   request->command ? request->command : "compare", output->option, output->file, what, name);
	return -1;
}

static int check_inputs(const struct gate_request *request, const struct output_option *output, const struct place *place)
{
	for (size_t side = 0; side < GATE_SIDES; side++) {
		for (size_t i = 0; i < request->ninputs[side]; i++) {
			const int found = destroys(place, request->inputs[side][i]);

			if (found)
				return found < 0 ? array_failed()
						 : refuse(request, output, "what is read from ", request->inputs[side][i]);
		}
	}
	for (size_t i = 0; i < request->nkept; i++) {
		const int found = destroys(place, request->kept[i]);

		if (found)
			return found < 0 ? array_failed() : refuse(request, output, "the gates of ", request->kept[i]);
	}
	return 0;
}

int gate_outputs_check(const struct gate_request *request)
{
	const struct output_option outputs[] = { { "--junit", request->junit },
						 { "--markdown", request->markdown },
						 { "--json", request->json } };
	enum { OUTPUTS = sizeof outputs / sizeof *outputs };
	struct place places[OUTPUTS] = { 0 };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < OUTPUTS; i++) {
		if (!outputs[i].file || strcmp(outputs[i].file, "-") == 0)
			continue;
		rc = place_find(outputs[i].file, &places[i]);
		for (size_t j = 0; rc == 0 && j < i; j++) {
			if (places[j].path && is_same(&places[i], &places[j]))
				rc = refuse(request, &outputs[i], outputs[j].option, "'s file");
		}
		if (rc == 0)
			rc = check_inputs(request, &outputs[i], &places[i]);
	}
	for (size_t i = 0; i < OUTPUTS; i++)
		free(places[i].path);
	return rc;
}
