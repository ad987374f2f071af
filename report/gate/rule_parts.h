/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the rules share. Whoever uses rules needs rule.h alone.
 */
#ifndef COLLPERF_GATE_RULE_PARTS_H
#define COLLPERF_GATE_RULE_PARTS_H

#include "rule.h"

struct gate_unit {
	const char *name;
	double per_unit; /* seconds or bytes per second */
	double fraction; /* 0, or how many units make one second: 1e6, as a quotient is the nearest double */
};

/* Of times or of rates, by name; NULL. */
const struct gate_unit *gate_unit_find(enum gate_measure measure, const char *name);
/* "s, ms, us or ns". */
const char *gate_unit_names(enum gate_measure measure);

/* Digits, with a point between them where need be, at the start of a text; *rest is what follows. The value is > 0 and finite. -1: else. */
int gate_number_parse(const char *text, double *value, const char **rest);

/* The whole text: "8", "1K", "1.5MiB", "1GB"; 1K = 1024, a whole number of bytes from 1 to the largest int64_t. */
int gate_size_parse(const char *text, double *bytes);

/* The whole text, digits alone: 1 .. most. */
int gate_count_parse(const char *text, long most, long *value);

/* As gate_rules_read; `name` stands for the file in messages. The text need not end. */
int gate_rules_parse(struct gate_rules *rules, const char *name, const char *text, size_t size, char *error, size_t error_size);

/* Forgets all but the first `count`. */
void gate_rules_cut(struct gate_rules *rules, size_t count);

#endif
