/* SPDX-License-Identifier: Apache-2.0
 *
 * Measured against expected, said in words: the busbw at the largest sizes against the link (--link) and against a well-known
 * system (--system).
 */
#ifndef COLLPERF_VERDICT_H
#define COLLPERF_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "findings.h"
#include "study.h"

enum verdict_kind { VERDICT_LINK, VERDICT_SYSTEM };

enum verdict_level {
	VERDICT_FINE,   /* >= 0.9 */
	VERDICT_WARN,   /* < 0.9 */
	VERDICT_FAIL,   /* < 0.8 */
	VERDICT_UNSURE, /* not to be judged: the text says why */
};

struct verdict {
	enum verdict_kind kind;
	enum verdict_level level;
	const struct figure *figure; /* NULL: of the whole study */
	const struct series *series; /* likewise */
	double measured, bytes;      /* best busbw among the largest sizes, bytes per second, and where */
	double expected;             /* bytes per second */
	double ratio;                /* measured / expected; NAN: unknown */
	double link;       /* what a ring over the links at their peak has, through the NICs between nodes; NAN: unknown */
	double efficiency; /* measured / link; NAN: unknown */
	double cap;        /* busbw that nothing can be above, NAN: unknown */
	char text[480];    /* one sentence; may hold any bytes */
};

struct verdicts {
	struct verdict *items; /* by primitive; those of --system last */
	size_t count;
};

/* One for each series that stands for its figure (overview_is_headline). 0, or -1 after one line on stderr. */
int verdicts_build(const struct study *study, struct verdicts *verdicts);
void verdicts_clear(struct verdicts *verdicts);

/* "fine", "low", "too low", "not judged". */
const char *verdict_word(enum verdict_level level);

/* Those under 0.9 as findings. 0, or -1 after one line on stderr. */
int verdict_findings(struct findings *findings, const struct study *study);

#endif
