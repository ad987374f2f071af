/* SPDX-License-Identifier: Apache-2.0
 *
 * Absolute gates: "all_reduce busbw >= 350 GB/s at 1G", "sendrecv time <= 3 us at 8". Per size, never an average.
 *   PRIMITIVE busbw|algbw|time >=|<= NUMBER UNIT at SIZE [in-place|out-of-place] [path WORD] [algo WORD] [nranks N] [type WORD]
 * NUMBER: digits, with a point where need be, above 0: no sign, exponent or hexadecimal. UNIT, also right behind the number: of a rate TB/s, GB/s, MB/s,
 * KB/s, B/s (decimal) or Gbit/s, of a time s, ms, us or ns. SIZE: as --begin of a sweep, 1K = 1024. The rest in any order, each once; words are blank-free.
 *
 * A rule is held against the median over launches of each point that it names, by size as it was asked for or as it was moved; all of them must hold, so
 * without a placement both, of those that were measured. A point that is no measurement (simulated, oversubscribed, ...) or whose data nobody checked
 * is not judged, which neither passes nor fails: the gate is open. Wrong data miss it.
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
	bool at_least;    /* >=, else <= */
	double limit;     /* seconds or bytes per second */
	const char *unit; /* "GB/s" */
	double per_unit;  /* limit of 1 unit */
	double bytes;
	char size[32];            /* as given: "1G" */
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
	enum gate_met met;        /* GATE_NO_ROW fails too: a gate that nothing was measured for has not been passed */
	double value;             /* worst of what it names; NAN */
	const struct result *row; /* that one; NULL */
	char words
		[256]; /* "all_reduce busbw at 1G: 341.2 GB/s is 2.5 % under 350 GB/s (out-of-place, 8 ranks, median of 5 launches)" */
};

enum { GATE_MOST_RULES = 100000, GATE_LONGEST_RULE = 4096 };

/* One rule. -1 with one line in `error`, which says what was expected: a usage error; -2: memory, likewise. *rules is then as before. */
int gate_rule_add(struct gate_rules *rules, const char *text, char *error, size_t error_size);
/*
 * A file: a rule a line, '#' begins a remark, blank lines. -1 with one line (file, line number) in `error`, also where it has no rule; -2 when it cannot be
 * read or memory is out, likewise. *rules is then as before.
 */
int gate_rules_read(struct gate_rules *rules, const char *file, char *error, size_t error_size);
void gate_rules_clear(struct gate_rules *rules);

/* outcomes[rules->count], one of each rule; they point into rows. 0, or -1 after one line on stderr (memory). */
int gate_rules_apply(const struct gate_rules *rules, const struct rows *rows, struct gate_outcome *outcomes);

#endif
