/* SPDX-License-Identifier: Apache-2.0
 *
 * What the models say of a row on its machine.
 */
#include <math.h>
#include <string.h>

#include "study.h"

static const struct bounds no_bounds = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };

double study_model_time(const struct collective *coll, const struct coll_model *model, const struct machine *machine,
			int64_t nranks, double bytes)
{
	struct coll_link link = { .alpha = machine->alpha, .beta = 1 / machine->bandwidth, .gamma = 0 };
	double time;

	if (!coll || !model || !machine->known || nranks < 2 || nranks > STUDY_MOST_RANKS)
		return NAN;
	if (model->holds && !model->holds((int)nranks))
		return NAN;
	time = model->time((int)nranks, bytes, &link);
	return isfinite(time) && time > 0 ? time : NAN;
}

struct bounds study_bounds(const struct collective *coll, const struct machine *machine, const struct result *key, double bytes)
{
	int64_t nranks = key->nranks;

	const struct coll_model *lb = collective_model(coll, "lb");
	const struct coll_model *ring = coll->ring ? collective_model(coll, coll->ring) : NULL;
	const struct coll_model *tree = coll->tree ? collective_model(coll, coll->tree) : NULL;

	return (struct bounds){
		.hier = NAN,
		.nic = NAN,
		.sum = NAN,
		.cap = NAN,
		.link = NAN,
		.lb = study_model_time(coll, lb, machine, nranks, bytes),
		.ring = study_model_time(coll, ring, machine, nranks, bytes),
		.tree = study_model_time(coll, tree, machine, nranks, bytes),
	};
}

struct bounds study_row_bounds(const struct study *study, size_t i)
{
	const struct result *row = rows_get(study->rows, i);

	if (!study_is_timed(row) || result_takes_turns(row))
		return no_bounds;
	return study_bounds(collective_find(row->collective), study_machine(study, i), row, (double)row->bytes);
}

struct bounds study_point_bounds(const struct figure *figure, const struct series *series, const struct point *point)
{
	if (point->oversubscribed)
		return no_bounds;
	return study_bounds(figure->coll, series->machine, series->key, point->bytes);
}
