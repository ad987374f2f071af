/* SPDX-License-Identifier: Apache-2.0
 *
 * A topology read from JSON, which may come from anybody: what is claimed is checked, what is not known is skipped.
 */
#include <jansson.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "json_fields.h"

struct place {
	char *error;
	size_t error_size;
	size_t host;
	const char *part; /* NULL: the host itself */
	size_t index;
};

__attribute__((format(printf, 3, 4))) static int refuse(const struct place *place, const char *key, const char *format, ...)
{
	char where[96], what[128];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	if (place->part)
		snprintf(where, sizeof where, "hosts[%zu].%s[%zu]", place->host, place->part, place->index);
	else
		snprintf(where, sizeof where, "hosts[%zu]", place->host);
	snprintf(place->error, place->error_size, "%s%s%s: %s", where, *key ? "." : "", key, what);
	return -1;
}

static int read_int(const struct place *place, const struct topo_field *field, const json_t *value, long limit, char *at)
{
	json_int_t number = json_integer_value(value);
	int integer;

	if (!json_is_integer(value))
		return refuse(place, field->key, "not a whole number");
	if (number < 0 || number >= limit) {
		if (limit == 0)
			return refuse(place, field->key, "%lld where there is nothing to name", (long long)number);
		return refuse(place, field->key, "%lld is not between 0 and %ld", (long long)number, limit - 1);
	}
	integer = (int)number;
	memcpy(at, &integer, sizeof integer);
	return 0;
}

static int read_bytes(const struct place *place, const char *key, const json_t *value, char *at)
{
	uint64_t bytes = (uint64_t)json_integer_value(value);

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return refuse(place, key, "not a number of bytes");
	memcpy(at, &bytes, sizeof bytes);
	return 0;
}

static int read_real(const struct place *place, const char *key, const json_t *value, char *at)
{
	double real = json_number_value(value);

	if (!json_is_number(value) || !(real >= 0 && real <= TOPO_JSON_MOST_REAL))
		return refuse(place, key, "not a number of 0 or more");
	memcpy(at, &real, sizeof real);
	return 0;
}

static int read_word(const struct place *place, const struct topo_field *field, const json_t *value, char *at)
{
	const char *text = json_string_value(value);

	if (!text)
		return refuse(place, field->key, "not a text");
	for (int i = 0; i == 0 || field->words[i]; i++) {
		if (field->words[i] && strcmp(text, field->words[i]) == 0) {
			memcpy(at, &i, sizeof i);
			return 0;
		}
	}
	return refuse(place, field->key, "a word that is not known here");
}

static int read_text(const struct place *place, const char *key, const json_t *value, char *at)
{
	char *text;

	if (!json_is_string(value))
		return refuse(place, key, "not a text");
	memcpy(&text, at, sizeof text);
	if (topo_set(&text, json_string_value(value)))
		return refuse(place, key, "out of memory");
	memcpy(at, &text, sizeof text);
	return 0;
}

static int read_link(const struct place *place, const char *key, const json_t *value, char *at)
{
	struct topo_pcie link = { 0 };
	const json_t *gts = json_object_get(value, "gts"), *width = json_object_get(value, "width");

	if (!json_is_object(value))
		return refuse(place, key, "not an object");
	if ((gts && read_real(place, key, gts, (char *)&link.gts)) ||
	    (width && read_int(place, &topo_link_fields[1], width, (long)INT_MAX + 1, (char *)&link.width)))
		return -1;
	memcpy(at, &link, sizeof link);
	return 0;
}

static int read_field(const struct place *place, const struct topo_field *field, const json_t *value,
		      const struct topo_host *described, char *element)
{
	char *at = element + field->offset;

	switch (field->type) {
	case TOPO_FIELD_TEXT:
		return read_text(place, field->key, value, at);
	case TOPO_FIELD_INT:
		return read_int(place, field, value, topo_field_limit(field, described, element, place->index), at);
	case TOPO_FIELD_BYTES:
		return read_bytes(place, field->key, value, at);
	case TOPO_FIELD_REAL:
		return read_real(place, field->key, value, at);
	case TOPO_FIELD_WORD:
		return read_word(place, field, value, at);
	case TOPO_FIELD_LINK:
		break;
	}
	return read_link(place, field->key, value, at);
}

static int read_fields(const struct place *place, const struct topo_field *field, const json_t *object,
		       const struct topo_host *described, char *element)
{
	if (!json_is_object(object))
		return refuse(place, "", "not an object");
	for (; field->key; field++) {
		const json_t *value = json_object_get(object, field->key);

		if (value && !json_is_null(value) && read_field(place, field, value, described, element))
			return -1;
	}
	return 0;
}

static void *add(struct topo_host *host, enum topo_part part)
{
	switch (part) {
	case TOPO_PART_CACHE:
		return topo_add_cache(host);
	case TOPO_PART_NUMA:
		return topo_add_numa(host);
	case TOPO_PART_PCI:
		return topo_add_pci(host);
	case TOPO_PART_GPU:
		return topo_add_gpu(host);
	case TOPO_PART_NIC:
		return topo_add_nic(host);
	case TOPO_PART_NVLINK:
		return topo_add_nvlink(host);
	case TOPO_PART_GIVEN:
		return topo_add_given(host);
	case TOPO_PART_RANK:
		return topo_add_rank(host);
	case TOPO_PARTS:
		break;
	}
	return NULL;
}

/* `described` NULL: the host itself, as far as it is read. */
static int read_part(struct place *place, enum topo_part part, const json_t *array, const struct topo_host *described,
		     struct topo_host *host)
{
	const struct topo_part_form *form = &topo_part_forms[part];
	size_t count = json_array_size(array);

	if (!array || json_is_null(array))
		return 0;
	place->part = NULL;
	if (!json_is_array(array))
		return refuse(place, form->key, "not a list");
	for (place->index = 0; place->index < count; place->index++) {
		char *element = add(host, part);

		place->part = NULL;
		if (!element)
			return refuse(place, form->key, "out of memory, or more than %zu of them", place->index);
		place->part = form->key;
		if (read_fields(place, form->fields, json_array_get(array, place->index), described ? described : host, element))
			return -1;
	}
	place->part = NULL;
	return 0;
}

static int read_notes(struct place *place, const json_t *array, struct topo_host *host)
{
	if (!array || json_is_null(array))
		return 0;
	if (!json_is_array(array))
		return refuse(place, "notes", "not a list");
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *note = json_string_value(json_array_get(array, i));

		if (!note)
			return refuse(place, "notes", "not a text");
		if (topo_note(host, "%s", note))
			return refuse(place, "notes", "out of memory");
	}
	return 0;
}

/* Which earlier host this one is like: TOPO_UNKNOWN for none; -1 with a reason is told by the return value. */
static int read_alike(const struct place *place, const json_t *value, const struct topo *topo, int *alike)
{
	json_int_t number = json_integer_value(value);

	*alike = TOPO_UNKNOWN;
	if (!value || json_is_null(value))
		return 0;
	if (!json_is_integer(value) || number < 0 || (size_t)number >= place->host)
		return refuse(place, "alike", "not an earlier host");
	if (topo->hosts[number].alike != TOPO_UNKNOWN)
		return refuse(place, "alike", "host %lld is itself like another", (long long)number);
	*alike = (int)number;
	return 0;
}

static int read_host(struct place *place, const json_t *object, struct topo *topo)
{
	struct topo_host *host = topo_add_host(topo);
	const struct topo_host *described = NULL;

	place->part = NULL;
	if (!host)
		return refuse(place, "", "out of memory, or too many hosts");
	if (!json_is_object(object))
		return refuse(place, "", "not an object");
	if (read_alike(place, json_object_get(object, "alike"), topo, &host->alike))
		return -1;
	if (host->alike != TOPO_UNKNOWN) {
		described = &topo->hosts[host->alike];
		if (json_is_string(json_object_get(object, "name")) &&
		    read_text(place, "name", json_object_get(object, "name"), (char *)&host->name))
			return -1;
		return read_part(place, TOPO_PART_RANK, json_object_get(object, "ranks"), described, host);
	}
	if (read_fields(place, topo_host_fields, object, host, (char *)host))
		return -1;
	for (enum topo_part part = 0; part < TOPO_PARTS; part++) {
		if (read_part(place, part, json_object_get(object, topo_part_forms[part].key), NULL, host))
			return -1;
	}
	return read_notes(place, json_object_get(object, "notes"), host);
}

int topo_from_json(const json_t *json, struct topo *topo, char *error, size_t error_size)
{
	const json_t *hosts = json_object_get(json, "hosts");
	struct place place = { .error = error, .error_size = error_size };
	struct topo read = { 0 };

	if (!json_is_array(hosts)) {
		snprintf(error, error_size, "no topology: no list of hosts");
		return -1;
	}
	for (; place.host < json_array_size(hosts); place.host++) {
		if (read_host(&place, json_array_get(hosts, place.host), &read)) {
			topo_clear(&read);
			return -1;
		}
	}
	*topo = read;
	return 0;
}

int topo_from_text(const char *text, size_t size, struct topo *topo, char *error, size_t error_size)
{
	json_error_t reason;
	json_t *json;
	char *line = NULL;
	int failed;

	if (size > TOPO_MOST_BYTES) {
		snprintf(error, error_size, "more than %d MiB", TOPO_MOST_BYTES >> 20);
		return -1;
	}
	json = json_loadb(text, size, 0, &reason);
	if (!json) {
		/* The parser's reason has text of the file in it. */
		snprintf(error, error_size, "line %d: %s", reason.line,
			 topo_set(&line, reason.text) == 0 ? line : "not understood");
		free(line);
		return -1;
	}
	failed = topo_from_json(json, topo, error, error_size);
	json_decref(json);
	return failed;
}
