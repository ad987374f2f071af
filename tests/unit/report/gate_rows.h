/* SPDX-License-Identifier: Apache-2.0
 *
 * Sides of a comparison made row by row, as if they had been read from files.
 */
#ifndef COLLPERF_TEST_GATE_ROWS_H
#define COLLPERF_TEST_GATE_ROWS_H

#include "report/gate/sheet.h"
#include "sample.h"

enum { GATE_ROWS_INPUTS = 8 };

struct gate_rows {
	struct rows *rows;
	struct facts facts[2];
	size_t nfacts;
	const char *inputs[GATE_ROWS_INPUTS];
	size_t ninputs;
	char *text;
	size_t size;
	FILE *out;
	char file[64];
};

/* From here on rows are of FOLDER/all_reduce.csv, and FOLDER is an input. */
static inline void gate_rows_file(struct gate_rows *side, const char *folder);

static inline void gate_rows_close(struct gate_rows *side)
{
	char error[512] = "";

	if (!side->out)
		return;
	fclose(side->out);
	if (rows_parse(side->rows, side->file, side->text, side->size, error, sizeof error))
		fail_msg("%s", error);
	free(side->text);
	side->out = NULL;
	side->text = NULL;
}

static inline void gate_rows_file(struct gate_rows *side, const char *folder)
{
	gate_rows_close(side);
	if (!side->rows)
		side->rows = rows_new();
	assert_non_null(side->rows);
	side->inputs[side->ninputs++] = folder;
	snprintf(side->file, sizeof side->file, "%s/all_reduce.csv", folder);
	side->out = open_memstream(&side->text, &side->size);
	assert_non_null(side->out);
	for (size_t c = 0; c < column_count; c++)
		fprintf(side->out, "%s%s", c > 0 ? "," : "", columns[c].name);
	fputc('\n', side->out);
}

static inline void gate_rows_put(struct gate_rows *side, const struct result *row)
{
	char buffer[64];

	for (size_t c = 0; c < column_count; c++)
		fprintf(side->out, "%s%s", c > 0 ? "," : "", column_print(&columns[c], row, buffer, sizeof buffer));
	fputc('\n', side->out);
}

/* A row of which a test changes what it is about: all_reduce over mpi, shm, 2 ranks, of a sweep that is complete whatever there is of it. */
static inline struct result gate_row(const char *run, int64_t bytes, double microseconds)
{
	struct result row = sample_row(bytes, microseconds, RESULT_OUT_OF_PLACE);

	row.run = run;
	row.backend = "mpi";
	row.library = "MPICH 4.0.2";
	row.path = "shm";
	row.nranks = 2;
	row.point = row.points = 1;
	row.algbw = row.busbw = NAN;
	row.timestamp = "";
	return row;
}

static inline void gate_rows_add(struct gate_rows *side, const char *run, int64_t bytes, double microseconds)
{
	struct result row = gate_row(run, bytes, microseconds);

	gate_rows_put(side, &row);
}

static inline struct gate_side gate_rows_side(struct gate_rows *side)
{
	gate_rows_close(side);
	return (struct gate_side){
		.rows = side->rows, .facts = side->facts, .nfacts = side->nfacts, .inputs = side->inputs, .ninputs = side->ninputs
	};
}

static inline void gate_rows_clear(struct gate_rows *side)
{
	gate_rows_close(side);
	rows_free(side->rows);
	for (size_t i = 0; i < side->nfacts; i++)
		facts_clear(&side->facts[i]);
	*side = (struct gate_rows){ 0 };
}

static inline void gate_rows_fact(struct gate_rows *side, const char *name, const char *value)
{
	struct facts *facts = &side->facts[0];

	side->nfacts = 1;
	facts->items = realloc(facts->items, (facts->count + 1) * sizeof *facts->items);
	assert_non_null(facts->items);
	facts->items[facts->count++] = (struct fact){ strdup(name), strdup(value) };
}

#endif
