/* SPDX-License-Identifier: Apache-2.0
 *
 * The sub-command ab: two variants launched by turns, then judged pair by pair.
 */
#ifndef COLLPERF_DRIVER_AB_H
#define COLLPERF_DRIVER_AB_H

#include "ab_args.h"
#include "plan.h"
#include "words.h"

/* `program` is what the driver was started as; argv[0] is "ab". Returns the exit code. */
int ab_main(const char *program, int argc, char **argv);

/* Which variant is the first or (place 1) the second of a pair, numbered from 1: A B, then B A, so that two pairs are A B B A and a drift cancels. */
enum ab_side ab_turn(int pair, int place);

struct ab_job {
	const struct ab_args *args;
	const char *dir;
	const char *stamp;        /* what the ids of both have in common */
	const struct plan *plans; /* [AB_SIDES], with the same launches */
	const struct words *command;
};

/* What run.json of a variant says of the comparison, NULL: out of memory. */
struct json_t *ab_member(const struct ab_job *job, enum ab_side side);

/* Writes DIR/ab.json: the variants, the order of the launches and how each ended, the pairs. -1 after one line. */
int ab_write(const struct ab_job *job);

/* The launches as lines for a shell, in their order. */
void ab_show(const struct ab_job *job, FILE *out);

#endif
