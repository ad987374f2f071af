/* SPDX-License-Identifier: Apache-2.0
 *
 * run.json to a flat list.
 */
#include "facts.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "array.h"
#include "file.h"

enum { MOST_FACTS = 1000, MOST_NEEDED = 20000, MOST_DEPTH = 8, MOST_VALUE = 600, MOST_JOINED = 8, MOST_FILE = 64 << 20 };

/* A run of many launches has more facts than anyone reads, but which launch failed must not be lost. */
static bool is_needed(const char *name)
{
	static const char *const needed[] = { "status", "collective", "foreign_cpu_cores" };
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		if (strcmp(dot ? dot + 1 : name, needed[i]) == 0)
			return true;
	}
	return false;
}

static int add(struct facts *facts, const char *name, const char *value)
{
	struct fact *grown;

	if (facts->count >= (is_needed(name) ? MOST_NEEDED : MOST_FACTS)) {
		facts->left_out++;
		return 0;
	}
	grown = array_grow(facts->items, facts->count, sizeof *grown);
	if (!grown)
		return -1;
	facts->items = grown;
	grown[facts->count] = (struct fact){ strdup(name), NULL };
	if (strlen(value) <= MOST_VALUE)
		grown[facts->count].value = strdup(value);
	else if (asprintf(&grown[facts->count].value, "%.*s...", MOST_VALUE, value) < 0)
		grown[facts->count].value = NULL;
	facts->count++;
	return grown[facts->count - 1].name && grown[facts->count - 1].value ? 0 : array_failed();
}

static bool is_scalar(const json_t *value)
{
	return !json_is_object(value) && !json_is_array(value);
}

/* A scalar as people write it; lives as long as value and buffer. */
static const char *scalar_text(const json_t *value, char *buffer, size_t size)
{
	switch (json_typeof(value)) {
	case JSON_STRING:
		return json_string_value(value);
	case JSON_INTEGER:
		snprintf(buffer, size, "%lld", (long long)json_integer_value(value));
		return buffer;
	case JSON_REAL:
		snprintf(buffer, size, "%.6g", json_real_value(value));
		return buffer;
	case JSON_TRUE:
		return "yes";
	case JSON_FALSE:
		return "no";
	default:
		return "";
	}
}

static bool is_list(const json_t *value)
{
	size_t size = json_array_size(value);

	for (size_t i = 0; i < size; i++) {
		if (!is_scalar(json_array_get(value, i)))
			return false;
	}
	return size > 0;
}

/* A list of words, such as a command line, as one line. */
static int add_list(struct facts *facts, const char *name, const json_t *list)
{
	char *text = NULL, buffer[64];
	size_t length;
	FILE *out = open_memstream(&text, &length);
	int rc;

	if (!out)
		return array_failed();
	for (size_t i = 0; i < json_array_size(list); i++)
		fprintf(out, "%s%s", i ? " " : "", scalar_text(json_array_get(list, i), buffer, sizeof buffer));
	if (fclose(out)) {
		free(text);
		return array_failed();
	}
	rc = add(facts, name, text);
	free(text);
	return rc;
}

static int flatten(struct facts *facts, const char *name, const json_t *value, int depth);

static int flatten_item(struct facts *facts, const char *name, const char *key, const json_t *value, int depth)
{
	char *path;
	int rc;

	if (asprintf(&path, "%s%s%.100s", name, *name ? "." : "", key) < 0)
		return array_failed();
	rc = flatten(facts, path, value, depth);
	free(path);
	return rc;
}

static int flatten(struct facts *facts, const char *name, const json_t *value, int depth)
{
	json_t *object = (json_t *)value; /* iterators take no const one */
	char buffer[64];

	if (is_scalar(value))
		return add(facts, name, scalar_text(value, buffer, sizeof buffer));
	if (is_list(value))
		return add_list(facts, name, value);
	if (depth == MOST_DEPTH) {
		facts->left_out++;
		return 0;
	}
	for (size_t i = 0; i < json_array_size(value); i++) {
		snprintf(buffer, sizeof buffer, "%zu", i);
		if (flatten_item(facts, name, buffer, json_array_get(value, i), depth + 1))
			return -1;
	}
	for (void *i = json_object_iter(object); i; i = json_object_iter_next(object, i)) {
		if (!wiring_is_topology(name, json_object_iter_key(i)) &&
		    flatten_item(facts, name, json_object_iter_key(i), json_object_iter_value(i), depth + 1))
			return -1;
	}
	return 0;
}

int facts_read(const char *folder, struct facts *facts, char *why, size_t why_size)
{
	struct stat status;
	const char *reason;
	FILE *file;
	json_error_t error;
	json_t *root;
	int rc;

	*facts = (struct facts){ 0 };
	if (asprintf(&facts->file, "%s/run.json", folder) < 0) {
		facts->file = NULL;
		return array_failed();
	}
	if (stat(facts->file, &status) && errno == ENOENT)
		return 0;
	file = file_open(facts->file, &reason);
	if (!file) {
		snprintf(why, why_size, "%s cannot be read: %s", facts->file, reason);
		return 1;
	}
	if (fstat(fileno(file), &status) == 0 && status.st_size > MOST_FILE) {
		snprintf(why, why_size, "%s is too large to be read", facts->file);
		fclose(file);
		return 1;
	}
	root = json_loadf(file, 0, &error);
	fclose(file);
	if (!root) {
		snprintf(why, why_size, "%s cannot be read: line %d: %s", facts->file, error.line, error.text);
		return 1;
	}
	rc = flatten(facts, "", root, 0) || wiring_read(root, &facts->wiring) ? -1 : 0;
	json_decref(root);
	return rc;
}

void facts_clear(struct facts *facts)
{
	for (size_t i = 0; i < facts->count; i++) {
		free(facts->items[i].name);
		free(facts->items[i].value);
	}
	wiring_clear(&facts->wiring);
	free(facts->items);
	free(facts->file);
	*facts = (struct facts){ 0 };
}

const struct facts *facts_in(const struct facts *all, size_t n, const char *folder)
{
	const size_t length = strlen(folder);

	for (size_t f = 0; f < n; f++) {
		if (strncmp(all[f].file, folder, length) == 0 && strcmp(all[f].file + length, "/run.json") == 0)
			return &all[f];
	}
	return NULL;
}

bool facts_is(const struct fact *fact, const char *name)
{
	const char *dot = strrchr(fact->name, '.');

	return strcmp(dot ? dot + 1 : fact->name, name) == 0 && *fact->value;
}

const char *facts_find(const struct facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->count; i++) {
		if (facts_is(&facts->items[i], name))
			return facts->items[i].value;
	}
	return NULL;
}

char *facts_join(const struct facts *facts, const char *name)
{
	const char *seen[MOST_JOINED];
	size_t n = 0, more = 0, length;
	char *text = NULL;
	FILE *out;

	for (size_t i = 0; i < facts->count; i++) {
		size_t k = 0;

		if (!facts_is(&facts->items[i], name))
			continue;
		while (k < n && strcmp(seen[k], facts->items[i].value))
			k++;
		if (k == n && n < MOST_JOINED)
			seen[n++] = facts->items[i].value;
		else if (k == n)
			more++;
	}
	out = n > 0 ? open_memstream(&text, &length) : NULL;
	if (!out)
		return NULL;
	for (size_t k = 0; k < n; k++)
		fprintf(out, "%s%s", k ? ", " : "", seen[k]);
	if (more > 0)
		fputs(", ...", out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
