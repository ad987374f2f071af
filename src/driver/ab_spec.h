/* SPDX-License-Identifier: Apache-2.0
 *
 * What makes a variant of `collperf ab` another one: "NCCL_ALGO=Ring /opt/other/bin --path nvlink". Words as those of --launcher; no shell sees them.
 *
 * A word right after an option that takes a value is that value, whatever it looks like. Of the other words, one that starts with a dash is an option,
 * NAME=VALUE is a variable, and the rest is the folder of another build. After -- everything is for the binaries.
 */
#ifndef COLLPERF_DRIVER_AB_SPEC_H
#define COLLPERF_DRIVER_AB_SPEC_H

#include "words.h"

struct ab_spec {
	const char *text;   /* as given, borrowed */
	struct words names; /* of variables, none twice */
	struct words values;
	struct words options; /* the folder is among them, as --bin */
	struct words rest;    /* after -- */
};

/* "" is a variant too: all is as without it. -1 after one line that begins with `option` (a usage error); *spec is to be cleared in both cases. */
int ab_spec_read(const char *text, const char *option, struct ab_spec *spec);
void ab_spec_clear(struct ab_spec *spec);

/* Whether both make the same of a launch. */
bool ab_spec_equal(const struct ab_spec *a, const struct ab_spec *b);

/* What the variables were before, so that they can be put back. */
struct ab_before {
	struct words names, values;
	struct words absent;
};

/* Sets the variables in our own environment, which every command inherits. -1 after one line, and nothing is set. *before starts zeroed. */
int ab_spec_enter(const struct ab_spec *spec, struct ab_before *before);
void ab_spec_leave(struct ab_before *before);

#endif
