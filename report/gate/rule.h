/* SPDX-License-Identifier: Apache-2.0
 *
 * Absolute gates: "all_reduce busbw >= 350 GB/s at 1G", "sendrecv time <= 3 us at 8". Per size, never an average.
 *   PRIMITIVE busbw|algbw|time >=|<= NUMBER UNIT at SIZE [in-place|out-of-place] [path WORD] [algo WORD] [nranks N] [type WORD]
 * A rule is held against the median over launches of each point that it names; without a placement both must hold.
 */
#ifndef COLLPERF_GATE_RULE_H
#define COLLPERF_GATE_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "../../collectives/collective.h"
#include "../reader.h"

enum gate_measure { GATE_BUSBW, GATE_ALGBW, GATE_TIME };

struct gate_rule {
	char *text; /* as given */
	const struct collective *coll;
	enum gate_measure measure;
	bool at_least; /* >=, else <= */
	double limit;  /* seconds or bytes per second */
	double bytes;
	int placement;            /* -1: both; 0 out-of-place, 1 in-place */
	char *path, *algo, *type; /* NULL: any */
	long nranks;              /* 0: any */
};

struct gate_rules {
	struct gate_rule *items;
	size_t count;
};

enum gate_met { GATE_MET, GATE_MISSED, GATE_NO_ROW, GATE_NOT_JUDGED };

struct gate_outcome {
	const struct gate_rule *rule;
	enum gate_met met;        /* GATE_NO_ROW fails too: a gate that nothing was measured for has not been passed */
	double value;             /* worst of what it names; NAN */
	const struct result *row; /* that one; NULL */
	char words
		[256]; /* "all_reduce busbw at 1G: 341.2 GB/s is 2.5 % under 350 GB/s (out-of-place, 8 ranks, median of 5 launches)" */
};

/* One rule. -1 with one line in `error`: a usage error. */
int gate_rule_add(struct gate_rules *rules, const char *text, char *error, size_t error_size);
/* A file: a rule a line, '#' begins a remark, blank lines. -1 with one line (file, line number) in `error`; -2 when it cannot be read. */
int gate_rules_read(struct gate_rules *rules, const char *file, char *error, size_t error_size);
void gate_rules_clear(struct gate_rules *rules);

/* outcomes[rules->count] */
int gate_rules_apply(const struct gate_rules *rules, const struct rows *rows, struct gate_outcome *outcomes);

#endif
