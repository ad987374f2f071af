/* SPDX-License-Identifier: Apache-2.0
 *
 * What the models say of a row on its machine: on one level, or on nodes with NICs between them, and where switches reduce.
 */
#include <math.h>
#include <string.h>

#include "bounds.h"
#include "hier.h"
#include "link.h"
#include "study.h"

static const struct bounds no_bounds = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };

static bool is_bounded(const struct machine *machine, int64_t nranks)
{
	return machine->known && nranks >= 2 && nranks <= STUDY_MOST_RANKS;
}

static struct hier hier_of(const struct machine *machine, double link)
{
	int gpus = machine->gpus > 0 ? machine->gpus : (int)machine->key->nranks;

	return (struct hier){ .nnodes = (int)machine->key->nranks / gpus,
			      .gpus = gpus,
			      .alpha_in = machine->alpha,
			      .alpha_out = machine->alpha,
			      .link = link,
			      .nic = machine->gpus > 0 ? machine->options->nic : link,
			      .nics = machine->gpus > 0 ? machine->options->nics : 1 };
}

/* Of each node; 0 where ranks are not spread evenly. --gpus-per-node knows better than the rows. */
static int64_t count_gpus(const struct result *key, const struct report_options *options)
{
	int64_t nnodes = key->nnodes > 1 ? key->nnodes : 1;
	int64_t gpus = options->gpus_per_node > 0 ? options->gpus_per_node : key->nranks / nnodes;

	if (options->gpus_per_node > 0)
		return key->nranks <= gpus ? key->nranks : key->nranks % gpus == 0 ? gpus : 0;
	return gpus * nnodes == key->nranks ? gpus : 0;
}

void bounds_learn(struct machine *machine, const struct report_options *options)
{
	int64_t gpus = count_gpus(machine->key, options);

	machine->options = options;
	machine->many_nodes = gpus < machine->key->nranks;
	machine->linked = options->link > 0 && (!options->given || options->bandwidth == options->link);
	if (machine->linked) {
		if (!options->given)
			machine->alpha = machine->fit.alpha;
		machine->bandwidth_only = !isfinite(machine->alpha);
		machine->alpha = machine->bandwidth_only ? 0 : machine->alpha;
		machine->bandwidth = options->link;
		machine->known = true;
	}
	if (options->nic > 0 && gpus > 0 && machine->many_nodes && machine->key->nranks <= STUDY_MOST_RANKS)
		machine->gpus = (int)gpus;
}

static double time_at(const struct coll_model *model, int nranks, double bytes, const struct coll_link *link)
{
	double time;

	if (!model || (model->holds && !model->holds(nranks)))
		return NAN;
	time = model->time(nranks, bytes, link);
	return isfinite(time) && time > 0 ? time : NAN;
}

double study_model_time(const struct collective *coll, const struct coll_model *model, const struct machine *machine,
			int64_t nranks, double bytes)
{
	struct coll_link link = { .alpha = machine->alpha, .gamma = 0 };

	if (!coll || !is_bounded(machine, nranks))
		return NAN;
	if (machine->gpus > 0) {
		struct hier hier = hier_of(machine, machine->bandwidth);

		link.beta = 1 / hier_ring_rate(coll->id, &hier);
	} else {
		link.beta = 1 / machine->bandwidth;
	}
	return time_at(model, (int)nranks, bytes, &link);
}

static bool names(const char *algo, const char *word)
{
	return strcasestr(algo, word) != NULL;
}

bool study_may_reduce(const struct machine *machine, const struct result *key)
{
	const struct report_options *options = machine->options;

	if (names(key->algo, "nvls"))
		return true;
	if (names(key->algo, "ring") || names(key->algo, "tree") || names(key->algo, "pat"))
		return false;
	return options->nvls || (options->known && options->known->nvls);
}

static bool is_sharp(const struct result *key)
{
	return names(key->algo, "collnet") || names(key->algo, "sharp");
}

static double bound_of_nics(const struct collective *coll, const struct hier *hier, const struct result *key, double bytes)
{
	double plain = hier_nic_bound(coll->id, hier, bytes);
	double cap = hier_sharp_cap(coll->id, (int)key->nranks, hier->nic * hier->nics);

	if (!is_sharp(key) || !isfinite(cap))
		return plain;
	return coll->bus_factor((int)key->nranks) * bytes / cap;
}

/* The time that transfer alone takes, whatever the algorithm. */
static double transfer(const struct collective *coll, const struct machine *machine, const struct result *key, double bytes)
{
	int nranks = (int)key->nranks;
	struct coll_link link = { .beta = 1 / machine->bandwidth };
	struct hier hier = hier_of(machine, machine->bandwidth);
	double flat = time_at(collective_model(coll, "lb"), nranks, bytes, &link);
	double nics = machine->gpus > 0 ? bound_of_nics(coll, &hier, key, bytes) : 0;
	double nvls = hier_nvls_bound(coll->id, nranks, machine->bandwidth, bytes);
	double bound = machine->gpus > 0 ? fmax(nics, hier_bound(coll->id, &hier, bytes)) : flat;

	/* All of a matrix may stay on one node. */
	if (result_is_matrix(key))
		return coll->bus_factor(nranks) * bytes / (machine->bandwidth + (machine->gpus > 0 ? hier.nic * hier.nics : 0));
	/* A GPU may use its link and NICs at once, so that reduction in both leaves only what the NICs carry. */
	if (nics < hier_nic_bound(coll->id, &hier, bytes))
		return nics;
	if (isfinite(nvls) && study_may_reduce(machine, key))
		return fmin(bound, machine->gpus > 0 ? nics : nvls);
	return bound;
}

/* Whether a switch may do the work: what it does costs no messages. */
static bool is_in_network(const struct collective *coll, const struct machine *machine, const struct result *key)
{
	return (study_may_reduce(machine, key) && isfinite(hier_nvls_bound(coll->id, 2, 1, 1))) || is_sharp(key);
}

/* A matrix in which every rank keeps what it has is bounded by nothing. */
static bool is_kept(const struct result *key, double busbw)
{
	return result_is_matrix(key) && !(busbw > 0);
}

/* The S of an even exchange whose ports carry what the busiest one does, as busbw tells. */
static double bytes_of(const struct result *key, double bytes, double busbw, double time)
{
	if (!result_is_matrix(key) || key->nranks < 2 || !isfinite(busbw))
		return bytes;
	return busbw * time / collectives[COLL_ALLTOALLV]->bus_factor((int)key->nranks);
}

static double lower_bound(const struct collective *coll, const struct machine *machine, const struct result *key, double bytes)
{
	const struct coll_model *model = collective_model(coll, "lb");
	const struct coll_link steps = { .alpha = machine->alpha };
	double bound = transfer(coll, machine, key, bytes);

	if (is_in_network(coll, machine, key))
		return bound;
	/* It may be one message: nothing is known of rounds. */
	if (result_is_matrix(key))
		return fmax(bound, machine->alpha);
	if (machine->gpus == 0 || coll->id == COLL_SENDRECV)
		return study_model_time(coll, model, machine, key->nranks, bytes);
	return fmax(bound, model->time((int)key->nranks, bytes, &steps));
}

struct bounds study_bounds(const struct collective *coll, const struct machine *machine, const struct result *key, double bytes)
{
	struct bounds bounds = no_bounds;
	double peak = machine->options->link;
	double factor;

	if (!is_bounded(machine, key->nranks))
		return no_bounds;
	factor = coll->bus_factor((int)key->nranks);
	bounds.ring = study_model_time(coll, collective_model(coll, coll->ring), machine, key->nranks, bytes);
	bounds.tree = study_model_time(coll, collective_model(coll, coll->tree), machine, key->nranks, bytes);
	bounds.lb = lower_bound(coll, machine, key, bytes);
	bounds.cap = factor * bytes / transfer(coll, machine, key, bytes);
	if (peak > 0 && (machine->gpus > 0 || !machine->many_nodes)) {
		struct hier hier = hier_of(machine, peak);

		bounds.link = hier_ring_rate(coll->id, &hier);
	}
	if (machine->gpus > 0) {
		struct hier hier = hier_of(machine, machine->bandwidth);

		bounds.hier = hier_overlapped(coll->id, &hier, bytes);
		bounds.sum = hier_sequential(coll->id, &hier, bytes);
		bounds.nic = bound_of_nics(coll, &hier, key, bytes);
	}
	return bounds;
}

struct bounds study_row_bounds(const struct study *study, size_t i)
{
	const struct result *row = rows_get(study->rows, i);

	if (!study_is_timed(row) || result_takes_turns(row) || result_is_pair(row) || is_kept(row, row->busbw))
		return no_bounds;
	return study_bounds(collective_find(row->collective), study_machine(study, i), row,
			    bytes_of(row, (double)row->bytes, row->busbw, row->time));
}

struct bounds study_point_bounds(const struct figure *figure, const struct series *series, const struct point *point)
{
	if (point->oversubscribed || is_kept(series->key, point->busbw))
		return no_bounds;
	return study_bounds(figure->coll, series->machine, series->key,
			    bytes_of(series->key, point->bytes, point->busbw, point->time));
}
