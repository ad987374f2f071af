/* SPDX-License-Identifier: Apache-2.0
 *
 * The facts of a run from its run.json, as a flat list of texts. Every fact is optional and may be of any type and hold any bytes.
 */
#ifndef COLLPERF_FACTS_H
#define COLLPERF_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "wiring.h"

struct fact {
	char *name; /* "facts.hostname": the path to it */
	char *value;
};

struct facts {
	char *file; /* as read, for people */
	struct fact *items;
	size_t count;
	size_t left_out;      /* beyond the number that is kept */
	struct wiring wiring; /* its topology, which is not in the list */
};

/*
 * Reads FOLDER/run.json. 0, also when there is no such file (no items then); 1 when it is no JSON, with one line in `why`; -1 after one
 * line on stderr when memory is out. *facts is to be cleared in every case.
 */
int facts_read(const char *folder, struct facts *facts, char *why, size_t why_size);
void facts_clear(struct facts *facts);

/* Those of all[n] that are of FOLDER/run.json; NULL. */
const struct facts *facts_in(const struct facts *all, size_t n, const char *folder);

/* The value of the first fact whose path ends in `name`, NULL where there is none or it is empty. */
const char *facts_find(const struct facts *facts, const char *name);

/* Whether the path of a fact ends in `name` and it has a value. */
bool facts_is(const struct fact *fact, const char *name);

/* The different values of all facts whose path ends in `name`: "a, b, c". To be freed; NULL where there is none. */
char *facts_join(const struct facts *facts, const char *name);

#endif
