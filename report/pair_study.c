/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of pairs to sets, what is said of them, and their matrices as tables.
 */
#include "pair_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "escape.h"
#include "finding_parts.h"

static bool same_text(const char *left, const char *right)
{
	return strcmp(left, right) == 0;
}

static bool is_of(const struct pair_part *part, const struct result *row, const char *source)
{
	const struct result *key = part->key;

	return part->source == source && same_text(key->type, row->type) && same_text(key->backend, row->backend) &&
	       same_text(key->library, row->library) && same_text(key->path, row->path) && same_text(key->algo, row->algo) &&
	       same_text(key->collective, row->collective) && same_text(key->timing, row->timing);
}

/* NULL: no memory, or *full. */
static struct pair_part *find_part(struct pair_study *pairs, const struct study *study, size_t i, bool *full)
{
	const struct result *row = rows_get(study->rows, i);
	const char *source = rows_source(study->rows, i);
	struct pair_part *grown;

	*full = false;
	for (size_t p = pairs->count; p-- > 0;)
		if (is_of(&pairs->parts[p], row, source))
			return &pairs->parts[p];
	if (pairs->count == PAIR_MOST_PARTS) {
		*full = true;
		return NULL;
	}
	grown = array_grow(pairs->parts, pairs->count, sizeof *grown);
	if (!grown)
		return NULL;
	pairs->parts = grown;
	grown[pairs->count] = (struct pair_part){ .key = row, .source = source, .run = study->runs.names[study->runs.of[i]] };
	return &grown[pairs->count++];
}

static int take_row(struct pair_study *pairs, const struct study *study, size_t i)
{
	bool full;
	struct pair_part *part;

	if (!result_is_pair(rows_get(study->rows, i)) || rows_is_repeat(study->rows, i))
		return 0;
	part = find_part(pairs, study, i, &full);
	if (!part) {
		pairs->left_out += full;
		return full ? 0 : -1;
	}
	return pair_set_add(&part->set, rows_get(study->rows, i)) ? array_failed() : 0;
}

int pair_study_build(const struct study *study, struct pair_study *pairs)
{
	int rc = 0;

	*pairs = (struct pair_study){ 0 };
	for (size_t i = 0; i < rows_count(study->rows) && rc == 0; i++)
		rc = take_row(pairs, study, i);
	for (size_t p = 0; p < pairs->count && rc == 0; p++) {
		pairs->left_out += pairs->parts[p].set.left_out;
		rc = pair_set_finish(&pairs->parts[p].set) ? array_failed() : 0;
	}
	if (rc)
		pair_study_clear(pairs);
	return rc;
}

void pair_study_clear(struct pair_study *pairs)
{
	for (size_t p = 0; p < pairs->count; p++)
		pair_set_clear(&pairs->parts[p].set);
	free(pairs->parts);
	*pairs = (struct pair_study){ 0 };
}

static const char *host_of(const void *context, int rank)
{
	const struct pair_owner *owner = context;

	return finding_host(owner->findings, owner->run, rank);
}

struct pair_hosts pair_study_hosts(const struct findings *findings, const struct pair_part *part, struct pair_owner *owner)
{
	*owner = (struct pair_owner){ findings, part->run };
	return (struct pair_hosts){ host_of, owner };
}

/* All that is slow in one part. */
static int find_slow(struct findings *findings, const struct pair_part *part)
{
	const struct pair_set *set = &part->set;
	struct pair_owner owner;
	const struct pair_hosts hosts = pair_study_hosts(findings, part, &owner);
	char text[PAIR_WORDS];

	for (size_t i = 0; i < set->nslow && i < PAIR_MOST_NAMED; i++)
		if (findings_add(findings, FINDING_WARNING, "pairs: %s",
				 pair_words_slow(set, &hosts, &set->slow[i], text, sizeof text)))
			return -1;
	return set->nslow <= PAIR_MOST_NAMED
		       ? 0
		       : findings_add(findings, FINDING_WARNING, "pairs: %zu more are slow: see the matrices",
				      set->nslow - PAIR_MOST_NAMED);
}

int pair_study_findings(struct findings *findings, const struct pair_study *pairs)
{
	int rc = 0;

	for (size_t p = 0; p < pairs->count && rc == 0; p++) {
		findings->run = pairs->parts[p].run;
		rc = find_slow(findings, &pairs->parts[p]);
	}
	findings->run = NULL;
	if (rc == 0 && pairs->left_out > 0)
		rc = findings_add(findings, FINDING_WARNING,
				  "%zu rows of pairs are left out: over %d sets, or of ranks from %d on", pairs->left_out,
				  PAIR_MOST_PARTS, PAIR_MOST_RANKS);
	return rc;
}

void pair_study_order(const struct pair_set *set, int *order)
{
	size_t n = 0;

	for (int host = 0; host < set->nhosts; host++)
		for (int rank = set->lowest[host]; rank < set->nranks; rank++)
			if (set->host[rank] == host)
				order[n++] = rank;
}

void pair_study_label(const struct pair_study *pairs, const struct pair_part *part, char *text, size_t size)
{
	const struct result *key = part->key;

	*text = '\0';
	if (pairs->count > 1)
		snprintf(text, size, "%.200s, %.40s%s%.60s%s%.60s, %.60s", part->source, key->type, *key->path ? ", path " : "",
			 key->path, *key->algo ? ", algo " : "", key->algo, key->backend);
}

static void put_number(FILE *out, double value)
{
	if (isfinite(value))
		fprintf(out, ",%.9g", value);
	else
		putc(',', out);
}

static void put_matrix(FILE *out, const struct pair_part *part, const struct findings *findings, int load,
		       enum pair_figure figure, int columns)
{
	const struct pair_set *set = &part->set;
	const struct pair_matrix *matrix = &set->matrix[load][figure];
	struct pair_owner owner;
	const struct pair_hosts hosts = pair_study_hosts(findings, part, &owner);

	for (int from = 0; from < set->nranks && matrix->pairs > 0; from++) {
		const char *host = hosts.name(hosts.context, from);

		escape_text(out, ESCAPE_CSV, part->source);
		fprintf(out, ",%s,%lld,%d,", load == PAIR_ALONE ? RESULT_ALONE : RESULT_TOGETHER, (long long)matrix->bytes, from);
		escape_text(out, ESCAPE_CSV, host ? host : "");
		for (int to = 0; to < columns; to++) {
			if (to >= set->nranks)
				putc(',', out);
			else if (figure == PAIR_LATENCY)
				put_number(out, pair_time(set, matrix, from, to) * 1e6);
			else
				put_number(out, pair_rate(set, matrix, from, to) / 1e9);
		}
		fputs("\r\n", out);
	}
}

void pair_study_csv(FILE *out, const struct pair_study *pairs, const struct findings *findings, enum pair_figure figure)
{
	int columns = 0;

	for (size_t p = 0; p < pairs->count; p++)
		columns = pairs->parts[p].set.nranks > columns ? pairs->parts[p].set.nranks : columns;
	fputs("source,load,bytes,rank,host", out);
	for (int to = 0; to < columns; to++)
		fprintf(out, figure == PAIR_LATENCY ? ",time_us_%d" : ",GBps_%d", to);
	fputs("\r\n", out);
	for (size_t p = 0; p < pairs->count; p++)
		for (int load = 0; load < PAIR_LOADS; load++)
			put_matrix(out, &pairs->parts[p], findings, load, figure, columns);
}
