/* SPDX-License-Identifier: Apache-2.0
 *
 * Where in a log the matrix is: a header of devices, then a row for each.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "read_smi.h"

enum { MOST_BETWEEN = 64 /* other lines between two rows */ };

int read_smi_number(const char *word, const char *kind)
{
	size_t length = strlen(kind);

	if (strncmp(word, kind, length) != 0)
		return -1;
	return isdigit((unsigned char)word[length]) ? read_number(word + length, 10, 0, 65535) : -1;
}

static bool is_list(const char *word)
{
	return isdigit((unsigned char)*word) && word[strspn(word, "0123456789,-")] == '\0';
}

static bool is_device(const char *word)
{
	int links;

	if (!isalpha((unsigned char)*word) || strlen(word) >= READ_SMI_LONGEST_WORD || !strpbrk(word, "0123456789"))
		return false;
	for (const char *at = word; *at; at++) {
		if (!isalnum((unsigned char)*at) && !strchr("_-.", *at))
			return false;
	}
	return read_smi_class(word, &links) == TOPO_CLASS_UNKNOWN;
}

static bool has_pair(const struct read_smi_line *line, size_t first, const char *one, const char *other)
{
	for (size_t i = first; i + 1 < line->nwords; i++) {
		if (strcmp(line->words[i], one) == 0 && strcmp(line->words[i + 1], other) == 0)
			return true;
	}
	return false;
}

/* The devices that a line lists from word *first on, 0 where it is no header. Behind them are other columns' names or nothing. */
static size_t header_devices(const struct read_smi_line *line, size_t *first)
{
	size_t i = 0, count = 0;

	while (i < line->nwords && read_smi_number(line->words[i], "GPU") < 0)
		i++;
	*first = i;
	while (i + count < line->nwords && is_device(line->words[i + count]))
		count++;
	if (count == 0 || count > READ_SMI_MOST_DEVICES)
		return 0;
	return i + count == line->nwords || strcmp(line->words[i + count], "CPU") == 0 ? count : 0;
}

static int begin(struct read_smi_matrix *matrix, const struct read_smi_line *line, size_t first, size_t count)
{
	*matrix = (struct read_smi_matrix){ .line = line->number, .ndevices = count };
	matrix->devices = calloc(count, sizeof *matrix->devices);
	matrix->cells = calloc(count * count, sizeof *matrix->cells);
	if (!matrix->devices || !matrix->cells) {
		read_smi_clear(matrix);
		return -1;
	}
	for (size_t i = 0; i < count; i++) {
		struct read_smi_device *device = &matrix->devices[i];

		strcpy(device->name, line->words[first + i]);
		device->numa = TOPO_UNKNOWN;
		matrix->ngpus += read_smi_number(device->name, "GPU") >= 0;
	}
	for (size_t i = 0, gpus = 0, others = matrix->ngpus; i < count; i++)
		matrix->devices[i].end = (int)(read_smi_number(matrix->devices[i].name, "GPU") >= 0 ? gpus++ : others++);
	matrix->has_numa = has_pair(line, first + count, "NUMA", "Affinity");
	return 0;
}

void read_smi_clear(struct read_smi_matrix *matrix)
{
	for (size_t i = 0; matrix->devices && i < matrix->ndevices; i++)
		free(matrix->devices[i].cpus);
	free(matrix->devices);
	free(matrix->cells);
	*matrix = (struct read_smi_matrix){ 0 };
}

static void keep_odd(struct read_smi_matrix *matrix, const char *word)
{
	for (size_t i = 0; i < matrix->nodd; i++) {
		if (strncmp(matrix->odd[i], word, READ_SMI_LONGEST_WORD - 1) == 0)
			return;
	}
	if (matrix->nodd < READ_SMI_MOST_ODD)
		strncat(matrix->odd[matrix->nodd++], word, READ_SMI_LONGEST_WORD - 1);
}

/* Cells from word `at` on; where they end. */
static size_t read_cells(struct read_smi_matrix *matrix, size_t row, const struct read_smi_line *line, size_t at)
{
	for (size_t column = 0; column < matrix->ndevices && at < line->nwords; column++, at++) {
		struct read_smi_cell *cell = &matrix->cells[row * matrix->ndevices + column];

		/* Hardware threads: the row is short. */
		if (is_list(line->words[at]))
			break;
		cell->class = read_smi_class(line->words[at], &cell->links);
		matrix->known += cell->class > TOPO_X;
		if (cell->class == TOPO_CLASS_UNKNOWN)
			keep_odd(matrix, line->words[at]);
		matrix->devices[row].cells++;
	}
	return at;
}

/* "0-47,96-143  0  N/A"; a lone number could be either. */
static int read_affinity(const struct read_smi_matrix *matrix, struct read_smi_device *device, const struct read_smi_line *line,
			 size_t at)
{
	bool lone = at + 1 >= line->nwords;

	if (at >= line->nwords || !is_list(line->words[at]) || (lone && matrix->has_numa && !strpbrk(line->words[at], ",-")))
		return 0;
	if (topo_set(&device->cpus, line->words[at]))
		return -1;
	if (matrix->has_numa && !lone)
		device->numa = read_number(line->words[at + 1], 10, 0, 1 << 20);
	return 0;
}

/* Prose names devices, too. */
static bool has_classes(const struct read_smi_matrix *matrix, const struct read_smi_line *line, size_t at)
{
	int links;

	for (size_t i = at; i < line->nwords && i < at + matrix->ndevices; i++) {
		if (read_smi_class(line->words[i], &links) != TOPO_CLASS_UNKNOWN)
			return true;
	}
	return false;
}

/* 1: the line is a row of this matrix. */
static int read_row(struct read_smi_matrix *matrix, struct read_smi_line *line)
{
	for (size_t i = 0; i + 1 < line->nwords; i++) {
		for (size_t row = 0; row < matrix->ndevices; row++) {
			struct read_smi_device *device = &matrix->devices[row];

			if (device->cells > 0 || strcmp(line->words[i], device->name) != 0)
				continue;
			read_smi_part(line, i + 1);
			if (!has_classes(matrix, line, i + 1))
				continue;
			if (read_affinity(matrix, device, line, read_cells(matrix, row, line, i + 1)))
				return -1;
			matrix->nrows += device->cells > 0;
			return device->cells > 0;
		}
	}
	return 0;
}

static int read_rows(const char *text, size_t size, struct read_smi_line *line, struct read_smi_matrix *matrix)
{
	unsigned long number = line->number;
	size_t at = matrix->behind, first;

	for (int between = 0; between < MOST_BETWEEN && matrix->nrows < matrix->ndevices; between++) {
		int rc;

		if (!read_smi_next(text, size, &at, line) || header_devices(line, &first) > 0)
			break;
		rc = read_row(matrix, line);
		if (rc < 0)
			return -1;
		if (rc > 0) {
			between = 0;
			number = line->number;
			matrix->behind = at;
		}
	}
	line->number = number;
	return 0;
}

int read_smi_find(const char *text, size_t size, size_t *at, struct read_smi_line *line, struct read_smi_matrix *matrix)
{
	size_t from = *at;

	*matrix = (struct read_smi_matrix){ 0 };
	for (; read_smi_next(text, size, at, line); from = *at) {
		size_t first, count = header_devices(line, &first);

		if (count == 0)
			continue;
		if (begin(matrix, line, first, count))
			return -1;
		matrix->from = from;
		matrix->behind = *at;
		if (read_rows(text, size, line, matrix)) {
			read_smi_clear(matrix);
			return -1;
		}
		*at = matrix->behind;
		if (matrix->nrows > 0)
			return 1;
		read_smi_clear(matrix);
	}
	return 0;
}
