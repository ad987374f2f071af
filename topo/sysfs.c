/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading small files, links and directories of /sys and /proc.
 */
#include "sysfs.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int make_path(const char *root, char *path, const char *format, va_list args)
{
	int length = snprintf(path, SYSFS_TEXT, "%s", root), more;

	if (length < 0 || length >= SYSFS_TEXT)
		return -1;
	more = vsnprintf(path + length, (size_t)(SYSFS_TEXT - length), format, args);
	return more < 0 || more >= SYSFS_TEXT - length ? -1 : 0;
}

static int read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	size_t length = 0;
	ssize_t got = 0;

	if (fd < 0)
		return -1;
	while (length < size - 1 && (got = read(fd, text + length, size - 1 - length)) > 0)
		length += (size_t)got;
	close(fd);
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		length--;
	text[length] = '\0';
	return got < 0 ? -1 : 0;
}

int sysfs_read(const char *root, char *text, size_t size, const char *format, ...)
{
	char path[SYSFS_TEXT];
	va_list args;
	int failed;

	va_start(args, format);
	failed = make_path(root, path, format, args);
	va_end(args);
	if (failed || read_file(path, text, size)) {
		text[0] = '\0';
		return -1;
	}
	return 0;
}

long sysfs_number(const char *root, long otherwise, const char *format, ...)
{
	char path[SYSFS_TEXT], text[64], *end;
	va_list args;
	int failed;
	long value;

	va_start(args, format);
	failed = make_path(root, path, format, args);
	va_end(args);
	if (failed || read_file(path, text, sizeof text))
		return otherwise;
	value = strtol(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
	return end == text || *end != '\0' ? otherwise : value;
}

bool sysfs_has(const char *root, const char *format, ...)
{
	char path[SYSFS_TEXT];
	va_list args;
	int failed;

	va_start(args, format);
	failed = make_path(root, path, format, args);
	va_end(args);
	return !failed && access(path, F_OK) == 0;
}

int sysfs_real(const char *root, char *path, const char *format, ...)
{
	char link[SYSFS_TEXT];
	char *real;
	va_list args;
	int failed;

	va_start(args, format);
	failed = make_path(root, link, format, args);
	va_end(args);
	real = failed ? NULL : realpath(link, NULL);
	path[0] = '\0';
	if (real && strlen(real) < SYSFS_TEXT)
		strcpy(path, real);
	free(real);
	return path[0] == '\0' ? -1 : 0;
}

void sysfs_field(const char *text, const char *key, char *value, size_t size)
{
	size_t length = strlen(key);

	value[0] = '\0';
	for (const char *line = text, *next; line; line = next) {
		const char *from = line + strspn(line, " \t");

		next = strchr(line, '\n');
		next = next ? next + 1 : NULL;
		if (strncmp(from, key, length) != 0 || from[length + strspn(from + length, " \t")] != ':')
			continue;
		from = strchr(from + length, ':') + 1;
		from += strspn(from, " \t");
		snprintf(value, size, "%.*s", (int)strcspn(from, "\n"), from);
		return;
	}
}

/* --- directories --- */

static int by_name(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static int add_name(struct sysfs_names *names, const char *name)
{
	char **more = realloc(names->items, (names->count + 1) * sizeof *more);

	if (!more)
		return -1;
	names->items = more;
	more[names->count] = strdup(name);
	if (!more[names->count])
		return -1;
	names->count++;
	return 0;
}

int sysfs_list(const char *root, struct sysfs_names *names, const char *format, ...)
{
	char path[SYSFS_TEXT];
	const struct dirent *entry;
	va_list args;
	DIR *directory;
	int failed;

	*names = (struct sysfs_names){ 0 };
	va_start(args, format);
	failed = make_path(root, path, format, args);
	va_end(args);
	directory = failed ? NULL : opendir(path);
	if (!directory)
		return 0;
	failed = 0;
	while (!failed && (entry = readdir(directory)))
		failed = entry->d_name[0] != '.' && add_name(names, entry->d_name);
	closedir(directory);
	if (failed) {
		sysfs_names_clear(names);
		return -1;
	}
	if (names->count > 1)
		qsort(names->items, names->count, sizeof *names->items, by_name);
	return 0;
}

void sysfs_names_clear(struct sysfs_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
	*names = (struct sysfs_names){ 0 };
}

/* --- lists of hardware threads --- */

void sysfs_cpus(const char *list, struct sysfs_cpus *cpus)
{
	const char *at = list;

	memset(cpus, 0, sizeof *cpus);
	while (isdigit((unsigned char)*at)) {
		char *end;
		unsigned long low = strtoul(at, &end, 10), high = low;

		if (*end == '-' && isdigit((unsigned char)end[1]))
			high = strtoul(end + 1, &end, 10);
		for (unsigned long i = low; i <= high && i < SYSFS_MOST_CPUS; i++) {
			cpus->count += !cpus->has[i];
			cpus->has[i] = 1;
		}
		at = end + (*end == ',');
	}
}
