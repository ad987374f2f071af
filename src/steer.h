/* SPDX-License-Identifier: Apache-2.0
 *
 * --path and --algo: what is set in this process's environment before a library reads it, what the user had set already and is kept, and what this machine
 * cannot do. Some libraries read their environment when they are loaded: then the program starts itself again, once, with the same command line.
 */
#ifndef COLLPERF_STEER_H
#define COLLPERF_STEER_H

#include "../collectives/collective.h"
#include "options.h"

enum { STEER_MOST = 16 };

struct steer_variable {
	char name[64];
	char value[128];  /* that holds now */
	char wanted[128]; /* what --path or --algo would have set; "" where it is the same */
};

struct steer {
	struct steer_variable set[STEER_MOST]; /* by us */
	int nset;
	struct steer_variable kept[STEER_MOST]; /* of the user, against --path or --algo */
	int nkept;
	const char *path; /* asked for: "auto" ... */
	const char *algo; /* our name of the algorithm that was forced, by us or by the user's variables; "" */
	char logs[256];   /* folder of the libraries' logs that this process made, "" */
};

/*
 * Before the backend is probed and before any launch. `backend`: its name. An exit code after one line on stderr (of rank 0 alone): 2 where the word, or the
 * algorithm of this primitive, is unknown; 3 where this machine cannot do it. 0 to go on. May not return: it executes the program again.
 */
int steer_begin(struct steer *steer, const char *program, const struct collective *coll, const struct options *options,
		const char *backend, char *const *argv);

/* What the logs in steer->logs are no longer needed for: removes them. */
void steer_end(struct steer *steer);

#endif
