/* SPDX-License-Identifier: Apache-2.0
 *
 * run.json: what the run was asked, where it ran, and how each launch ended. It is replaced as a whole, so it always parses. When it is read
 * back for --resume nothing in it is trusted: names are looked up, options are checked, and no command in it is ever executed.
 */
#ifndef COLLPERF_DRIVER_RECORD_H
#define COLLPERF_DRIVER_RECORD_H

#include <stdbool.h>

#include "args.h"
#include "plan.h"
#include "words.h"

struct json_t;

/*
 * Writes DIR/run.json. `command` is the driver's own command line; all texts have passed record_can_hold. -1 after one line.
 */
int record_write(const struct plan *plan, const struct words *command);

/*
 * Reads run.json of plan->dir: fills *args with the options of that run (--launcher, --bin and --quiet in it stay), *command, and the stamp, start,
 * choice and inputs of *plan. -1 after one line. The texts in *args live as long as *root, which is to be released with json_decref in both cases.
 */
int record_read(struct plan *plan, struct args *args, struct words *command, struct json_t **root);

/*
 * Sets the launches of a plan made from what record_read gave: those that ended well and whose rows are all there are ok, the others
 * pending. -1 after one line where the file does not fit the plan, or names another launcher than the plan has.
 */
int record_restore(struct json_t *root, struct plan *plan);

/* Whether run.json can hold the text: it must be UTF-8. */
bool record_can_hold(const char *text);

/*
 * Where an earlier launch of the plan had the same topology (facts.topology), these facts hold that very object afterwards: run.json has each once, under
 * "topologies", and the facts its number. Few are kept, as no job runs on many machines by turns.
 */
void record_share_topology(const struct plan *plan, struct json_t *facts);

/* The facts a binary left in a file, which is removed; NULL where there are none (one line where they are broken). */
struct json_t *record_take_facts(const char *path);

#endif
