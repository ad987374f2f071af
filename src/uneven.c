/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading of a matrix, and what becomes of it on all ranks.
 */
#include "uneven.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../collectives/layout.h"
#include "launch.h"
#include "options.h"
#include "size.h"
#include "text_file.h"

/* Sums of 1024 of them fit 63 bits. */
static const uint64_t MOST_CELL = UINT64_C(1) << 50;

struct scan {
	const char *text, *end;
	uint64_t *cells;
	size_t count, capacity;
	int line, row, columns; /* columns of the first row; 0 before its end */
	char *error;
	size_t size;
};

__attribute__((format(printf, 2, 3))) static int refuse(const struct scan *scan, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(scan->error, scan->size, format, arguments);
	va_end(arguments);
	return -1;
}

static int add_cell(struct scan *scan, uint64_t value)
{
	if (scan->count == scan->capacity) {
		const size_t capacity = scan->capacity ? 2 * scan->capacity : 64;
		uint64_t *grown = realloc(scan->cells, capacity * sizeof *grown);

		if (!grown)
			return refuse(scan, "out of memory for %zu sizes", capacity);
		scan->cells = grown;
		scan->capacity = capacity;
	}
	scan->cells[scan->count++] = value;
	return 0;
}

/* What a terminal may be shown of a word. */
static void show_word(const char *word, size_t length, char *shown, size_t size)
{
	size_t used = 0;

	for (; used < length && used + 1 < size; used++)
		shown[used] = word[used] >= ' ' && word[used] <= '~' ? word[used] : '?';
	shown[used] = '\0';
}

static int take_word(struct scan *scan, const char *word, size_t length, int column)
{
	char text[32] = "", shown[32];
	uint64_t value;

	if (length < sizeof text)
		memcpy(text, word, length);
	if (length >= sizeof text || strlen(text) != length || size_parse(text, &value)) {
		show_word(word, length, shown, sizeof shown);
		return refuse(scan, "line %d, row %d, column %d: '%s' is not a size in bytes (such as 0, 65536, 64K)", scan->line,
			      scan->row, column, shown);
	}
	if (value > MOST_CELL)
		return refuse(scan, "line %d, row %d, column %d: more than 1P", scan->line, scan->row, column);
	if (column == UNEVEN_MOST_RANKS)
		return refuse(scan, "line %d, row %d, column %d: more than %d ranks", scan->line, scan->row, column,
			      UNEVEN_MOST_RANKS);
	if (scan->columns > 0 && column == scan->columns)
		return refuse(scan, "line %d, row %d, column %d: one more than row 0 has", scan->line, scan->row, column);
	return add_cell(scan, value);
}

static const char *end_of_line(const struct scan *scan)
{
	const char *end = memchr(scan->text, '\n', (size_t)(scan->end - scan->text));

	return end ? end : scan->end;
}

static int take_line(struct scan *scan)
{
	const char *stop = end_of_line(scan), *comment = memchr(scan->text, '#', (size_t)(stop - scan->text));
	const char *end = comment ? comment : stop;
	int column = 0;

	scan->line++;
	for (const char *at = scan->text; at < end; column++) {
		const char *word;

		while (at < end && isspace((unsigned char)*at))
			at++;
		for (word = at; at < end && !isspace((unsigned char)*at);)
			at++;
		if (word == at)
			break;
		if (take_word(scan, word, (size_t)(at - word), column))
			return -1;
	}
	scan->text = stop < scan->end ? stop + 1 : stop;
	if (column == 0)
		return 0;
	if (scan->columns > 0 && column < scan->columns)
		return refuse(scan, "line %d, row %d, column %d: missing, row 0 has %d columns", scan->line, scan->row, column,
			      scan->columns);
	scan->columns = column;
	if (scan->row == scan->columns)
		return refuse(scan, "line %d, row %d: one row more than columns, of which there are %d", scan->line, scan->row,
			      scan->columns);
	scan->row++;
	return 0;
}

static uint64_t busiest_of(const uint64_t *cells, int nranks)
{
	uint64_t most = 0;

	for (int rank = 0; rank < nranks; rank++) {
		uint64_t out = 0, in = 0;

		for (int peer = 0; peer < nranks; peer++) {
			out += cells[(size_t)rank * (size_t)nranks + (size_t)peer];
			in += cells[(size_t)peer * (size_t)nranks + (size_t)rank];
		}
		most = out > most ? out : most;
		most = in > most ? in : most;
	}
	return most;
}

static int scan_all(struct scan *scan)
{
	while (scan->text < scan->end)
		if (take_line(scan))
			return -1;
	if (scan->row == 0)
		return refuse(scan, "no sizes in it");
	if (scan->row < scan->columns)
		return refuse(scan, "row %d, column 0: missing, there are %d columns and so there must be as many rows",
			      scan->row, scan->columns);
	if (busiest_of(scan->cells, scan->row) == 0)
		return refuse(scan, "all sizes are 0: nothing would move");
	return 0;
}

int uneven_parse(const char *text, size_t length, struct uneven *uneven, char *error, size_t size)
{
	struct scan scan = { .text = text, .end = text + length, .error = error, .size = size };

	if (scan_all(&scan)) {
		free(scan.cells);
		return -1;
	}
	uneven->cells = scan.cells;
	uneven->nranks = scan.row;
	uneven->busiest = busiest_of(scan.cells, scan.row);
	return 0;
}

static int read_file(const char *path, struct uneven *uneven, char *error, size_t size)
{
	char *text;
	size_t length;
	int rc;

	if (text_file_read(path, UNEVEN_MOST_MIB, &text, &length, error, size))
		return -1;
	rc = uneven_parse(text, length, uneven, error, size);
	free(text);
	return rc;
}

/* Rank 0's matrix to all. */
static int share(struct uneven *uneven, struct launch *launch)
{
	uint64_t head[2] = { (uint64_t)uneven->nranks, uneven->busiest };

	if (launch->ops->broadcast(launch, head, sizeof head))
		return -1;
	if (head[0] == 0)
		return -1;
	const size_t bytes = (size_t)(head[0] * head[0] * sizeof *uneven->cells);

	uneven->nranks = (int)head[0];
	uneven->busiest = head[1];
	if (launch->rank > 0)
		uneven->cells = malloc(bytes);
	if (!uneven->cells) {
		fprintf(stderr, "--matrix: out of memory for %zu bytes\n", bytes);
		launch->ops->abort(launch, 3);
	}
	return launch->ops->broadcast(launch, uneven->cells, bytes);
}

/* Fowler, Noll and Vo's hash of 32 bits over the sizes, low bytes first. */
static uint32_t digest_of(const struct uneven *uneven)
{
	const size_t count = (size_t)uneven->nranks * (size_t)uneven->nranks;
	uint32_t hash = UINT32_C(2166136261);

	for (size_t i = 0; i < count; i++)
		for (int shift = 0; shift < 64; shift += 8)
			hash = (hash ^ (uint32_t)(uneven->cells[i] >> shift & 255)) * UINT32_C(16777619);
	return hash;
}

void uneven_name(struct uneven *uneven, const char *path)
{
	const char *slash = strrchr(path, '/');
	char name[UNEVEN_MOST_NAME + 1];
	size_t used = 0;

	for (const char *c = slash ? slash + 1 : path; *c && used < UNEVEN_MOST_NAME; c++)
		name[used++] = isalnum((unsigned char)*c) || strchr("._-", *c) ? *c : '_';
	name[used] = '\0';
	snprintf(uneven->variant, sizeof uneven->variant, "matrix %s %08" PRIx32, name, digest_of(uneven));
}

static int open_matrix(struct uneven *uneven, struct options *options, struct launch *launch, const char *program)
{
	char error[256];

	if (launch->rank == 0 && read_file(options->matrix, uneven, error, sizeof error)) {
		char shown[80];

		show_word(options->matrix, strlen(options->matrix), shown, sizeof shown);
		fprintf(stderr, "%s: --matrix %s: %s\n", program, shown, error);
	}
	if (share(uneven, launch))
		return -1;
	uneven_name(uneven, options->matrix);
	if (options->max_bytes == 0)
		options->min_bytes = options->max_bytes = uneven->busiest;
	return 0;
}

int uneven_open(struct uneven *uneven, struct options *options, struct launch *launch, const char *program)
{
	*uneven = (struct uneven){ .skew = options->skew };
	if (options->matrix) {
		if (open_matrix(uneven, options, launch, program))
			return -1;
	} else if (options->skew > 0) {
		snprintf(uneven->variant, sizeof uneven->variant, "skew %g", options->skew);
	} else {
		return 0;
	}
	options->uneven = uneven;
	options->variant = uneven->variant;
	return 0;
}

void uneven_close(struct uneven *uneven)
{
	free(uneven->cells);
	*uneven = (struct uneven){ 0 };
}

struct coll_layout uneven_layout(const struct uneven *uneven, uint64_t bytes, size_t element, int nranks, size_t align)
{
	/* Of a matrix for another number of ranks nothing can be made; such a run is refused. */
	if (uneven->nranks == nranks)
		return (struct coll_layout){
			.cells = uneven->cells, .busiest = uneven->busiest, .bytes = bytes, .element = element
		};
	return coll_layout_skewed(uneven->skew, (size_t)(bytes / element), nranks, align);
}
