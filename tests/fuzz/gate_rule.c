/* SPDX-License-Identifier: Apache-2.0 */
/* sources: report/gate/rule*.c report/gate/sheet_rows.c report/gate/sheet_keys.c report/gate/sheet_words.c report/array.c report/text.c report/human.c report/index.c report/pool.c report/file.c report/reader.c report/rows.c report/columns.c report/result.c report/range.c report/runs.c collectives/[a-z]*.c */
/*
 * Any bytes as a file of gates, and its first line as one: what is taken is whole and holds against rows with words on one line, what is refused has its
 * line and leaves nothing behind.
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/gate/rule_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char rows_text[] = "schema,run,collective,backend,path,algo,nranks,type,redop,placement,bytes,time_us,wrong,flags\n"
				"1,r1,all_reduce,mpi,shm,,2,float,sum,out-of-place,8,3,0,\n"
				"1,r2,all_reduce,mpi,shm,,2,float,sum,out-of-place,8,4,0,late\n"
				"1,r1,all_reduce,mpi,shm,,2,float,sum,in-place,8,2.5,0,oversubscribed\n"
				"1,r1,all_reduce,mpi,tcp,ring,4,half,sum,out-of-place,1048576,300,7,\n"
				"1,r1,sendrecv,mpi,tcp,,1,float,,out-of-place,1073741824,1e300,0,unchecked\n";

static void check_line(const char *text)
{
	assert(*text && !strpbrk(text, "\r\n\t") && strlen(text) < 1023);
}

static void check_rule(const struct gate_rule *rule)
{
	assert(rule->coll && rule->unit && *rule->text && *rule->size);
	assert(rule->limit > 0 && isfinite(rule->limit) && rule->per_unit > 0);
	assert(rule->bytes >= 1 && rule->bytes <= 0x1p63 && rule->nranks >= 0);
	assert(rule->placement >= -1 && rule->placement <= 1);
	assert((!rule->path || *rule->path) && (!rule->algo || *rule->algo) && (!rule->type || *rule->type));
}

static void check_outcomes(const struct gate_rules *rules)
{
	struct gate_outcome *outcomes = calloc(rules->count + 1, sizeof *outcomes);
	struct rows *rows = rows_new();
	char error[512];

	assert(outcomes && rows && rows_parse(rows, "new/x.csv", rows_text, sizeof rows_text - 1, error, sizeof error) == 0);
	assert(gate_rules_apply(rules, rows, outcomes) == 0);
	for (size_t i = 0; i < rules->count; i++) {
		assert((outcomes[i].met == GATE_NO_ROW) == (outcomes[i].row == NULL));
		assert(!isinf(outcomes[i].value));
		check_line(outcomes[i].words);
		assert(strlen(outcomes[i].words) < sizeof outcomes[i].words);
	}
	rows_free(rows);
	free(outcomes);
}

/* What is taken is taken once more from its own text. */
static void check_again(const struct gate_rule *rule)
{
	struct gate_rules again = { 0 };
	char error[1024];

	assert(gate_rule_add(&again, rule->text, error, sizeof error) == 0);
	assert(again.count == 1 && again.items[0].limit == rule->limit && again.items[0].bytes == rule->bytes);
	gate_rules_clear(&again);
}

static void check_one(const char *text)
{
	struct gate_rules rules = { 0 };
	char error[1024] = "";
	int rc = gate_rule_add(&rules, text, error, sizeof error);

	assert(rules.count == (rc == 0));
	if (rc)
		check_line(error);
	else
		check_rule(&rules.items[0]);
	gate_rules_clear(&rules);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gate_rules rules = { 0 };
	char error[1024] = "", *text = malloc(size + 1);
	int rc;

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	check_one(text);
	rc = gate_rules_parse(&rules, "gates", text, size, error, sizeof error);
	assert((rules.count > 0) == (rc == 0));
	if (rc)
		check_line(error);
	for (size_t i = 0; i < rules.count; i++) {
		check_rule(&rules.items[i]);
		check_again(&rules.items[i]);
	}
	if (rc == 0)
		check_outcomes(&rules);
	gate_rules_clear(&rules);
	free(text);
	return 0;
}
