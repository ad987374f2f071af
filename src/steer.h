/* SPDX-License-Identifier: Apache-2.0
 *
 * --path and --algo: what is set in this process's environment before a library reads it, what the user had set already and is kept, and what this machine
 * cannot do. Some libraries read their environment when they are loaded: then the program starts itself again, once, with the same command line.
 */
#ifndef COLLPERF_STEER_H
#define COLLPERF_STEER_H

#include <stdbool.h>

#include "../collectives/collective.h"
#include "backend.h"
#include "facts.h"
#include "notes.h"
#include "options.h"

enum { STEER_MOST = 16 };

struct steer_variable {
	char name[64];
	char value[128];  /* that holds now */
	char wanted[128]; /* what --path or --algo would have set; "" where it is the same */
};

struct steer {
	struct steer_variable set[STEER_MOST]; /* by us; first those for --path and --algo, then those for the log */
	int nset, nasked;
	struct steer_variable kept[STEER_MOST]; /* of the user, where --path or --algo name the variable too */
	int nkept;
	const char *path; /* asked for: "auto" ... */
	const char *algo; /* our name of the algorithm that was forced, by us or by the user's variables; "" */
	bool again;       /* steer_again is to be called: a library has read its environment already */
};

/*
 * Once, before any launch. Sets variables that the library of `backend` has not read yet, also those that have it write its log (way_taken.h). 0 to go on, or
 * an exit code after one line on stderr (of rank 0 alone): 2 where the word, or the algorithm of this primitive, is unknown; 3 where this library or this
 * machine cannot do it; 77 where the number of ranks that was promised cannot.
 */
int steer_begin(struct steer *steer, const char *program, const struct collective *coll, const struct options *options,
		const struct backend_ops *backend);

/*
 * Where steer->again: executes this program again with the same words, in this process; no thread and no child of it may be left. Returns where it cannot.
 */
void steer_again(struct steer *steer, char *const *argv);

/* A line for each variable of the user that stands against what was asked for. */
void steer_tell(const struct steer *steer, struct notes *notes);
/* Whether "NAME=VALUE" is what we set to have the library write its log, and nobody's wish. */
bool steer_is_for_log(const struct steer *steer, const char *pair);
/* What was asked for, set, kept, and set to read the log back, for run.json: nothing where all is left to the library. -1 when memory is short. */
int steer_facts(const struct steer *steer, struct fact_list *list);

#endif
