/* SPDX-License-Identifier: Apache-2.0
 *
 * A run as one JSON document. Every value goes in through set(), which reports memory that is out once for all.
 */
#include "document.h"

#include <stdlib.h>

#include "../topo/json.h"
#include "columns.h"
#include "text.h"

static json_t *text_value(const char *text)
{
	char *clean = text_utf8(text);
	json_t *value = clean ? json_string(clean) : NULL;

	free(clean);
	return value;
}

/* Takes value, which may be NULL: memory is out. */
static int set(json_t *object, const char *name, json_t *value)
{
	return json_object_set_new(object, name, value);
}

static json_t *facts_value(const struct run_fact *facts, size_t count)
{
	json_t *object = json_object();
	int rc = 0;

	for (size_t i = 0; i < count; i++) {
		char *name = text_utf8(facts[i].name);

		rc |= name ? set(object, name, text_value(facts[i].value)) : -1;
		free(name);
	}
	if (rc != 0) {
		json_decref(object);
		return NULL;
	}
	return object;
}

/* What a machine is does not stop a run: where memory is out it is left out. */
static json_t *run_facts_value(const struct run_info *info)
{
	json_t *object = facts_value(info->facts, info->nfacts);

	if (object && info->topo && info->topo->nhosts > 0)
		set(object, "topology", topo_to_json(info->topo));
	return object;
}

static json_t *texts_value(const char *const *texts, size_t count)
{
	json_t *array = json_array();
	int rc = 0;

	for (size_t i = 0; i < count; i++)
		rc |= json_array_append_new(array, text_value(texts[i]));
	if (rc != 0) {
		json_decref(array);
		return NULL;
	}
	return array;
}

static json_t *config_value(const struct run_info *info)
{
	json_t *config = json_object();
	int rc = 0;

	rc |= set(config, "nthreads", json_integer(info->nthreads));
	rc |= set(config, "ngpus", json_integer(info->ngpus));
	rc |= set(config, "min_bytes", json_integer((json_int_t)info->min_bytes));
	rc |= set(config, "max_bytes", json_integer((json_int_t)info->max_bytes));
	rc |= set(config, info->step_is_factor ? "step_factor" : "step_bytes", json_integer((json_int_t)info->step));
	rc |= set(config, "warmup_iters", json_integer(info->warmup));
	rc |= set(config, "iters", json_integer(info->iters));
	rc |= set(config, "agg_iters", json_integer(info->agg_iters));
	rc |= set(config, "check", json_integer(info->check));
	rc |= set(config, "graph", json_integer(info->graph));
	rc |= set(config, "unalign", json_integer(info->unalign));
	if (rc != 0) {
		json_decref(config);
		return NULL;
	}
	return config;
}

static json_t *rank_value(const struct run_rank *rank)
{
	json_t *object = json_object();
	int rc = 0;

	rc |= set(object, "rank", json_integer(rank->rank));
	rc |= set(object, "group", json_integer(rank->group));
	rc |= set(object, "pid", json_integer(rank->pid));
	rc |= set(object, "host", text_value(rank->host));
	rc |= set(object, "device", json_integer(rank->device));
	rc |= set(object, "detail", text_value(rank->detail));
	if (rc != 0) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *ranks_value(const struct run_info *info)
{
	json_t *array = json_array();
	int rc = 0;

	for (size_t i = 0; i < info->nranks; i++)
		rc |= json_array_append_new(array, rank_value(&info->ranks[i]));
	if (rc != 0) {
		json_decref(array);
		return NULL;
	}
	return array;
}

json_t *document_new(const struct run_info *info, bool with_rows)
{
	json_t *document = json_object();
	int rc = 0;

	rc |= set(document, "schema", json_integer(RESULT_SCHEMA));
	rc |= set(document, "program", text_value(info->program));
	rc |= set(document, "version", text_value(info->version));
	/* True once document_end has seen every point. */
	rc |= set(document, "complete", json_false());
	rc |= set(document, "why", json_string("not ended"));
	rc |= set(document, "run", text_value(info->run));
	rc |= set(document, "started", text_value(info->started));
	rc |= set(document, "ended", json_null());
	rc |= set(document, "headers", text_value(info->headers));
	rc |= set(document, "library", text_value(info->library));
	rc |= set(document, "config", config_value(info));
	rc |= set(document, "ranks", ranks_value(info));
	rc |= set(document, "facts", run_facts_value(info));
	rc |= set(document, "environment", facts_value(info->environment, info->nenvironment));
	rc |= set(document, "labels", facts_value(info->labels, info->nlabels));
	rc |= set(document, "args", texts_value(info->args, info->nargs));
	rc |= set(document, "notes", texts_value(info->notes, info->nnotes));
	if (with_rows)
		rc |= set(document, "rows", json_array());
	rc |= set(document, "summary", json_null());
	if (rc != 0) {
		json_decref(document);
		return NULL;
	}
	return document;
}

static json_t *cell_value(const struct column *column, const struct result *result)
{
	const char *text;
	int64_t integer;
	double real;

	switch (column->type) {
	case COLUMN_TEXT:
		text = column_text(column, result);
		return text[0] ? text_value(text) : json_null();
	case COLUMN_INTEGER:
		integer = column_integer(column, result);
		return integer == RESULT_NONE ? json_null() : json_integer(integer);
	case COLUMN_REAL:
		real = column_real(column, result);
		return isnan(real) ? json_null() : json_real(real);
	}
	return NULL;
}

int document_add_row(json_t *document, const struct result *result)
{
	json_t *row = json_object();
	int rc = 0;

	for (size_t i = 0; i < column_count; i++)
		rc |= set(row, columns[i].name, cell_value(&columns[i], result));
	if (rc != 0) {
		json_decref(row);
		return -1;
	}
	return json_array_append_new(json_object_get(document, "rows"), row);
}

int document_end(json_t *document, const struct run_summary *summary)
{
	json_t *object = json_object();
	int rc = 0;

	rc |= set(object, "wrong", summary->wrong == RESULT_NONE ? json_null() : json_integer(summary->wrong));
	rc |= set(object, "notes", texts_value(summary->notes, summary->nnotes));
	rc |= set(object, "facts", facts_value(summary->facts, summary->nfacts));
	rc |= set(document, "complete", json_boolean(summary->complete));
	rc |= set(document, "why", text_value(summary->why));
	rc |= set(document, "ended", text_value(summary->ended));
	rc |= set(document, "summary", object);
	return rc;
}

int document_print(const json_t *document, FILE *file)
{
	if (json_dumpf(document, file, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) != 0 || fputc('\n', file) == EOF)
		return -1;
	return fflush(file) != 0 || ferror(file) ? -1 : 0;
}
