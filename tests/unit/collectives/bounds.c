/* SPDX-License-Identifier: Apache-2.0
 *
 * Every cost model against tests/data/bounds.csv: times from an independent program that checks its closed forms
 * by step-by-step simulation; those of reduce_scatter rechalving off powers of two, of bintree_pipe and of two_tree are
 * reckoned anew, of trees from rounds that another program counted, with all numbers of segments tried. Each row is one call; agreement to 1e-9. Every model
 * but a few must have rows.
 */
#include "collectives/collective.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3480, MODELS_MAX = 16 };

struct row {
	const struct collective *coll;
	const struct coll_model *model;
	int nranks;
	double bytes;
	struct coll_link link;
	double seconds;
};

static void parse(char *line, struct row *row)
{
	char coll[32], model[32];
	double bandwidth;
	int fields = sscanf(line, "%31[^,],%31[^,],%d,%lf,%lf,%lf,%lf,%lf", coll, model, &row->nranks, &row->bytes,
			    &row->link.alpha, &bandwidth, &row->link.gamma, &row->seconds);

	if (fields != 8)
		fail_msg("not a row: %s", line);
	row->link.beta = 1 / bandwidth;
	row->coll = collective_find(coll);
	if (!row->coll)
		fail_msg("no such collective: %s", coll);
	row->model = collective_model(row->coll, model);
	if (!row->model)
		fail_msg("no such model: %s %s", coll, model);
}

static void check_row(const struct row *row)
{
	double seconds = row->model->time(row->nranks, row->bytes, &row->link);

	assert_true(!row->model->holds || row->model->holds(row->nranks));
	if (!(fabs(seconds - row->seconds) <= 1e-9 * row->seconds))
		fail_msg("%s %s nranks %d bytes %.0f gamma %g: %.17g, not %.17g", row->coll->name, row->model->name, row->nranks,
			 row->bytes, row->link.gamma, seconds, row->seconds);
}

static void every_row_agrees(void **state)
{
	FILE *file = fopen("tests/data/bounds.csv", "r");
	char line[256];
	int rows = 0;

	(void)state;
	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	while (fgets(line, sizeof(line), file)) {
		struct row row;

		parse(line, &row);
		check_row(&row);
		rows++;
	}
	fclose(file);
	assert_int_equal(rows, ROWS);
}

static bool has_no_rows(const struct collective *coll, const struct coll_model *model)
{
	return (coll->flags & COLL_BY_NAME) || strcmp(model->name, "round_optimal") == 0 ||
	       (coll->id == COLL_ALL_GATHER && strcmp(model->name, "recdbl") == 0);
}

/* A model without a row would go unchecked: both sides must have the same list. */
static void every_model_has_rows(void **state)
{
	bool seen[COLL_COUNT][MODELS_MAX] = { { false } };
	FILE *file = fopen("tests/data/bounds.csv", "r");
	char line[256];

	(void)state;
	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	while (fgets(line, sizeof(line), file)) {
		struct row row;

		parse(line, &row);
		seen[row.coll->id][row.model - row.coll->models] = true;
	}
	fclose(file);
	for (int c = 0; c < COLL_COUNT; c++) {
		for (int m = 0; collectives[c]->models[m].name; m++) {
			assert_true(m < MODELS_MAX);
			if (!seen[c][m] && !has_no_rows(collectives[c], &collectives[c]->models[m]))
				fail_msg("no row for %s %s", collectives[c]->name, collectives[c]->models[m].name);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_agrees),
		cmocka_unit_test(every_model_has_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
