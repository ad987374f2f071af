/* SPDX-License-Identifier: Apache-2.0
 *
 * Options of the perf binaries that one primitive alone has. The binaries of the others refuse them; who starts several gives them to the one.
 */
#ifndef COLLPERF_OWN_H
#define COLLPERF_OWN_H

#include <stdbool.h>
#include <stddef.h>

#include "../collectives/collective.h"

struct own_option {
	const char *name; /* long, without dashes; none has a letter */
	enum coll_id coll;
	bool has_value; /* the word after it, unless one is attached to it */
	bool is_file;   /* which is the name of one that is read */
};

extern const struct own_option own_options[];
extern const size_t own_option_count;

/* What a word of a command line names, as "--skew" and "--skew=0.5" do; NULL: none of these. */
const struct own_option *own_option_find(const char *word);

#endif
