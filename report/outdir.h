/* SPDX-License-Identifier: Apache-2.0
 *
 * The directory that a report is written to.
 */
#ifndef COLLPERF_OUTDIR_H
#define COLLPERF_OUTDIR_H

#include <stdbool.h>
#include <stdio.h>

struct outdir {
	char *path; /* owned */
	int fd;
};

/*
 * Makes the directory, with its parents, where it does not exist. One that holds other things than a report (it has no index.html and
 * bounds.csv) is refused. 0, or -1 after one line on stderr.
 */
int outdir_open(const char *path, struct outdir *dir);
void outdir_close(struct outdir *dir);

/* Makes it, with its parents, where it does not exist. The text is in the end what it was. -1 with errno. */
int outdir_make(char *path);

/* A new file in it, written anew. NULL after one line on stderr. */
FILE *outdir_create(const struct outdir *dir, const char *name);
/* Closes it; -1 after one line on stderr when not all could be written. */
int outdir_finish(const struct outdir *dir, const char *name, FILE *file);

/* Whether it has a file of that name. */
bool outdir_has(const struct outdir *dir, const char *name);

/* A whole file of it, NUL-terminated, to be freed; NULL where there is none. */
char *outdir_read(const struct outdir *dir, const char *name);

#endif
