/* SPDX-License-Identifier: Apache-2.0
 *
 * A topology written as JSON.
 */
#include "json.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_fields.h"
#include "path.h"

/* Adds a value that was just made; -1 when it was not. */
static int put(json_t *object, const char *key, json_t *value)
{
	return value ? json_object_set_new_nocheck(object, key, value) : -1;
}

static int put_text(json_t *object, const char *key, const char *text)
{
	char *harmless = NULL;
	int failed;

	if (topo_set(&harmless, text))
		return -1;
	failed = harmless[0] == '\0' ? 0 : put(object, key, json_string(harmless));
	free(harmless);
	return failed;
}

static json_t *fields_json(const struct topo_field *field, const struct topo_host *described, const char *element, size_t index);

static int put_link(json_t *object, const char *key, const struct topo_pcie *link)
{
	return link->gts == 0 && link->width == 0 ? 0
						  : put(object, key, fields_json(topo_link_fields, NULL, (const char *)link, 0));
}

static int put_word(json_t *object, const struct topo_field *field, int value)
{
	int count = 1;

	while (field->words[count])
		count++;
	return value >= 0 && value < count && field->words[value] ? put(object, field->key, json_string(field->words[value])) : 0;
}

static int put_field(json_t *object, const struct topo_field *field, const struct topo_host *described, const char *element,
		     size_t index)
{
	const char *at = element + field->offset;
	union {
		int integer;
		uint64_t bytes;
		double real;
		char *text;
	} value;

	switch (field->type) {
	case TOPO_FIELD_TEXT:
		memcpy(&value.text, at, sizeof value.text);
		return put_text(object, field->key, value.text);
	case TOPO_FIELD_INT:
		memcpy(&value.integer, at, sizeof value.integer);
		if (value.integer == field->unknown || value.integer < 0 ||
		    value.integer >= topo_field_limit(field, described, element, index))
			return 0;
		return put(object, field->key, json_integer(value.integer));
	case TOPO_FIELD_BYTES:
		memcpy(&value.bytes, at, sizeof value.bytes);
		if (value.bytes == 0 || value.bytes > INT64_MAX)
			return 0;
		return put(object, field->key, json_integer((json_int_t)value.bytes));
	case TOPO_FIELD_REAL:
		memcpy(&value.real, at, sizeof value.real);
		return value.real > 0 && value.real <= TOPO_JSON_MOST_REAL ? put(object, field->key, json_real(value.real)) : 0;
	case TOPO_FIELD_WORD:
		memcpy(&value.integer, at, sizeof value.integer);
		return put_word(object, field, value.integer);
	case TOPO_FIELD_LINK:
		break;
	}
	return put_link(object, field->key, (const struct topo_pcie *)at);
}

static json_t *fields_json(const struct topo_field *field, const struct topo_host *described, const char *element, size_t index)
{
	json_t *object = json_object();
	int failed = !object;

	for (; !failed && field->key; field++)
		failed = put_field(object, field, described, element, index);
	if (!failed)
		return object;
	json_decref(object);
	return NULL;
}

static int put_part(json_t *object, const struct topo_part_form *form, const struct topo_host *described,
		    const struct topo_host *host)
{
	const char *items;
	size_t count;
	json_t *array;

	memcpy(&items, (const char *)host + form->items, sizeof items);
	memcpy(&count, (const char *)host + form->count, sizeof count);
	if (count == 0)
		return 0;
	array = json_array();
	if (put(object, form->key, array))
		return -1;
	for (size_t i = 0; i < count; i++) {
		json_t *element = fields_json(form->fields, described, items + i * form->size, i);

		if (!element || json_array_append_new(array, element))
			return -1;
	}
	return 0;
}

static int put_notes(json_t *object, const struct topo_host *host)
{
	json_t *array;

	if (host->nnotes == 0)
		return 0;
	array = json_array();
	if (put(object, "notes", array))
		return -1;
	for (size_t i = 0; i < host->nnotes; i++) {
		json_t *note = json_string(host->notes[i]);

		if (!note || json_array_append_new(array, note))
			return -1;
	}
	return 0;
}

static void name_end(const struct topo_host *host, int end, char *text, size_t size)
{
	const int ngpus = (int)host->ngpus;

	if (end < ngpus)
		snprintf(text, size, "GPU%d", end);
	else
		snprintf(text, size, "NIC%d", end - ngpus);
}

static json_t *way_json(const struct topo_host *host, int a, int b)
{
	json_t *object = json_object();
	struct path path;
	char text[24];
	int failed;

	path_between(host, a, b, &path);
	name_end(host, a, text, sizeof text);
	failed = put_text(object, "from", text);
	name_end(host, b, text, sizeof text);
	failed = failed || put_text(object, "to", text);
	path_class(&path, text);
	failed = failed || (path.class != TOPO_CLASS_UNKNOWN && put_text(object, "class", text));
	failed = failed || (path.rate > 0 && path.rate <= TOPO_JSON_MOST_REAL && put(object, "rate", json_real(path.rate)));
	failed = failed || put_text(object, "words", path.words);
	if (!failed)
		return object;
	json_decref(object);
	return NULL;
}

/* What follows from the rest: for readers that do not know how. */
static int put_ways(json_t *object, const struct topo_host *host)
{
	int ngpus = (int)host->ngpus, ends = ngpus + (int)host->nnics;
	json_t *array;

	/* So many are of no use to anybody, and what claims them may not be true. */
	if (ngpus == 0 || ends < 2 || (long)ngpus * ends > TOPO_JSON_MOST_WAYS)
		return 0;
	array = json_array();
	if (put(object, "links", array))
		return -1;
	for (int a = 0; a < ngpus; a++) {
		for (int b = a + 1; b < ends; b++) {
			json_t *way = way_json(host, a, b);

			if (!way || json_array_append_new(array, way))
				return -1;
		}
	}
	return 0;
}

/* Readers may count on these lists, also where they are empty. */
static int put_missing(json_t *object)
{
	static const char *const keys[] = { "numa", "gpus", "nics", "links" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (!json_object_get(object, keys[i]) && put(object, keys[i], json_array()))
			return -1;
	return 0;
}

static json_t *host_json(const struct topo *topo, size_t i)
{
	const struct topo_host *host = &topo->hosts[i], *described = topo_host_of(topo, i);
	json_t *object = fields_json(topo_host_fields, described, (const char *)host, i);
	int failed = !object;

	if (!failed && host != described)
		failed = put(object, "alike", json_integer(host->alike));
	for (size_t part = 0; !failed && part < TOPO_PARTS; part++)
		failed = put_part(object, &topo_part_forms[part], described, host);
	failed = failed || put_notes(object, host) || put_ways(object, host) || (host == described && put_missing(object));
	if (!failed)
		return object;
	json_decref(object);
	return NULL;
}

json_t *topo_to_json(const struct topo *topo)
{
	json_t *root = json_object(), *hosts = json_array();
	int failed = put(root, "hosts", hosts);

	for (size_t i = 0; !failed && i < topo->nhosts; i++) {
		json_t *host = host_json(topo, i);

		failed = !host || json_array_append_new(hosts, host);
	}
	if (!failed)
		return root;
	json_decref(root);
	return NULL;
}

char *topo_to_text(const struct topo *topo)
{
	json_t *json = topo_to_json(topo);
	char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;

	json_decref(json);
	return text;
}
