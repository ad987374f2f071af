/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of gates. One that holds none is an error: gates that were lost on the way must not pass.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../file.h"
#include "../text.h"
#include "rule_parts.h"

enum { MOST_FILE = 16 << 20 };

static const char blanks[] = " \t\r";

struct file {
	const char *name;
	size_t line;
	char *error;
	size_t error_size;
};

__attribute__((format(printf, 2, 3))) static void say(const struct file *file, const char *format, ...)
{
	char name[256], what[768];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	snprintf(file->error, file->error_size, "%s: %s", text_escape(file->name, name, sizeof name), what);
}

static int take_line(const struct file *file, struct gate_rules *rules, const char *text, size_t size)
{
	const char *remark = memchr(text, '#', size);
	char why[640], *copy;
	int rc;

	if (remark)
		size = (size_t)(remark - text);
	while (size > 0 && strchr(blanks, text[size - 1]))
		size--;
	while (size > 0 && strchr(blanks, *text)) {
		text++;
		size--;
	}
	if (size == 0)
		return 0;
	copy = strndup(text, size);
	rc = copy ? gate_rule_add(rules, copy, why, sizeof why) : -2;
	if (rc)
		say(file, "line %zu: %s", file->line, copy ? why : "out of memory");
	free(copy);
	return rc;
}

static int take_lines(struct file *file, struct gate_rules *rules, const char *text, size_t size)
{
	size_t before = rules->count;

	while (size > 0) {
		const char *end = memchr(text, '\n', size);
		size_t length = end ? (size_t)(end - text) : size;
		int rc = take_line(file, rules, text, length);

		if (rc)
			return rc;
		text += length + (end != NULL);
		size -= length + (end != NULL);
		file->line++;
	}
	if (rules->count > before)
		return 0;
	say(file, "there is no gate in it");
	return -1;
}

int gate_rules_parse(struct gate_rules *rules, const char *name, const char *text, size_t size, char *error, size_t error_size)
{
	struct file file = { .name = name, .line = 1, .error = error, .error_size = error_size };
	size_t before = rules->count, mark = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
	int rc;

	if (memchr(text, '\0', size)) {
		say(&file, "a NUL byte; this is no text file");
		return -1;
	}
	rc = take_lines(&file, rules, text + mark, size - mark);
	if (rc)
		gate_rules_cut(rules, before);
	return rc;
}

int gate_rules_read(struct gate_rules *rules, const char *file, char *error, size_t error_size)
{
	struct file place = { .name = file, .error = error, .error_size = error_size };
	const char *why;
	FILE *stream = file_open(file, &why);
	char *text = malloc(MOST_FILE + 1);
	size_t size = 0;
	int rc = -2;

	if (!stream)
		say(&place, "%s", why);
	else if (!text)
		say(&place, "out of memory");
	else {
		errno = 0;
		size = fread(text, 1, MOST_FILE + 1, stream);
		if (ferror(stream))
			say(&place, "%s", strerror(errno));
		else if (size > MOST_FILE)
			say(&place, "more than %d MiB", (int)(MOST_FILE >> 20));
		else
			rc = gate_rules_parse(rules, file, text, size, error, error_size);
	}
	if (stream)
		fclose(stream);
	free(text);
	return rc;
}
