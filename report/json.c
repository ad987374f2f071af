/* SPDX-License-Identifier: Apache-2.0
 *
 * The JSON document on disk or on stdout, with rows or (run.json) without. On disk a new one replaces the old one whole, so that
 * whoever reads it, or whatever kills us, finds one that parses.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "document.h"
#include "output.h"
#include "writer.h"

struct store {
	const char *program;
	json_t *document;
	char *path;   /* NULL: not replaced but written once, at the end, to `output` */
	char *spare;  /* path.tmp */
	char *target; /* as given */
	double next;  /* when the next row may be saved, on monotonic_now */
	bool failed;  /* and said so */
	bool with_rows;
	struct output output; /* without `path` */
};

static double monotonic_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void release(struct store *store)
{
	json_decref(store->document);
	free(store->path);
	free(store->spare);
	free(store->target);
	free(store);
}

static int fail(struct store *store, const char *path, int error)
{
	store->failed = true;
	return output_error(store->program, path, strerror(error ? error : EIO));
}

static int replace(struct store *store)
{
	FILE *file;
	int rc;

	/* Never through a link that somebody left there. */
	unlink(store->spare);
	errno = 0;
	file = fopen(store->spare, "wx");
	if (!file)
		return fail(store, store->target, errno);
	rc = document_print(store->document, file);
	if (rc != 0)
		fail(store, store->target, errno);
	if (fclose(file) != 0 && rc == 0)
		rc = fail(store, store->target, errno);
	if (rc == 0 && rename(store->spare, store->path) != 0)
		rc = fail(store, store->path, errno);
	if (rc != 0)
		unlink(store->spare);
	return rc;
}

/* Rewriting a long document must not eat the run: the next one waits 20 times as long as this one took, a tenth of a second at least. */
static int save(struct store *store)
{
	double started = monotonic_now();
	double ended;
	int rc = replace(store);

	ended = monotonic_now();
	store->next = ended + fmax(0.1, 20 * (ended - started));
	return rc;
}

/* What cannot be written is told before the run, not after it. A device may be full; a blank line before a document changes nothing of it. */
static int open_once(struct store *store)
{
	struct stat status;

	if (output_open(&store->output, store->program, store->target) != 0)
		return -1;
	if (store->output.file == stdout || fstat(fileno(store->output.file), &status) != 0 || !S_ISCHR(status.st_mode))
		return 0;
	fputc('\n', store->output.file);
	if (output_flush(&store->output) == 0)
		return 0;
	output_close(&store->output);
	return -1;
}

static int print_once(struct store *store)
{
	errno = 0;
	if (document_print(store->document, store->output.file) != 0) {
		fail(store, store->target, errno);
		store->output.failed = true;
	}
	return output_close(&store->output);
}

/* A file is replaced, what it links to if it is a link; a device or a pipe must not be. */
static int choose_path(struct store *store, const char *path)
{
	struct stat status;

	store->target = strdup(path);
	if (!store->target)
		return -1;
	if (strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
		return 0;
	store->path = realpath(path, NULL);
	if (!store->path)
		store->path = strdup(path);
	if (!store->path || asprintf(&store->spare, "%s.tmp", store->path) < 0) {
		store->spare = NULL;
		return -1;
	}
	return 0;
}

static int begin(const struct run_info *info, const char *path, bool with_rows, void **state)
{
	struct store *store = calloc(1, sizeof(*store));

	if (!store)
		return output_error(info->program, path, "out of memory");
	store->program = info->program;
	store->with_rows = with_rows;
	store->document = document_new(info, with_rows);
	if (!store->document || choose_path(store, path) != 0) {
		release(store);
		return output_error(info->program, path, "out of memory");
	}
	if (store->path ? save(store) : open_once(store)) {
		release(store);
		return -1;
	}
	*state = store;
	return 0;
}

static int begin_json(const struct run_info *info, const char *path, void **state)
{
	return begin(info, path, true, state);
}

static int begin_facts(const struct run_info *info, const char *path, void **state)
{
	return begin(info, path, false, state);
}

static int row(void *state, const struct result *result)
{
	struct store *store = state;

	if (store->failed)
		return -1;
	if (!store->with_rows)
		return 0;
	if (document_add_row(store->document, result) != 0)
		return fail(store, store->target, ENOMEM);
	if (store->path && monotonic_now() >= store->next)
		return save(store);
	return 0;
}

static int end(void *state, const struct run_summary *summary)
{
	struct store *store = state;
	int rc = -1;

	if (!store->failed && document_end(store->document, summary) != 0)
		fail(store, store->target, ENOMEM);
	if (!store->failed)
		rc = store->path ? replace(store) : print_once(store);
	else if (!store->path)
		output_close(&store->output);
	release(store);
	return rc;
}

const struct writer_ops writer_json = {
	.name = "json",
	.summary = "one document with all rows and all facts of the run",
	.begin = begin_json,
	.row = row,
	.end = end,
};

const struct writer_ops writer_facts = {
	.name = "facts",
	.summary = "the same document without rows",
	.begin = begin_facts,
	.row = row,
	.end = end,
};
