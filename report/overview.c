/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers and sentences that HTML, Markdown and the summary share.
 */
#include "overview.h"

#include <math.h>
#include <string.h>

#include "crossover.h"
#include "human.h"
#include "plot.h"

enum { MOST_LIBRARIES = 4 };

struct overview overview_of(const struct figure *figure, const struct series *series)
{
	struct overview overview = { NAN, NAN, NAN, NAN, NAN, NAN };

	if (series->npoints == 0)
		return overview;
	overview.latency = series->points[0].time;
	overview.latency_bytes = series->points[0].bytes;
	for (size_t i = 0; i < series->npoints; i++) {
		const struct point *point = &series->points[i];

		if (isfinite(point->busbw) && !(point->busbw <= overview.peak)) {
			overview.peak = point->busbw;
			overview.peak_bytes = point->bytes;
		}
	}
	for (size_t i = series->npoints; i-- > 0 && !isfinite(overview.efficiency);) {
		const struct point *point = &series->points[i];
		double ring = study_point_bounds(figure, series, point).ring;

		if (isfinite(ring)) {
			overview.efficiency = ring / point->time;
			overview.efficiency_bytes = point->bytes;
		}
	}
	return overview;
}

bool overview_is_headline(const struct figure *figure, size_t s)
{
	bool choice = false;

	for (size_t i = 0; i < figure->nshown; i++)
		choice |= !figure->series[i].in_place;
	return s < figure->nshown && (!choice || !figure->series[s].in_place);
}

static bool is_listed(const struct study *study, const char *source)
{
	for (size_t c = 0; c < COLL_COUNT; c++) {
		const struct figure *figure = &study->figures[c];

		for (size_t s = 0; plot_has_figure(figure) && s < figure->nshown; s++) {
			if (figure->series[s].source == source && overview_is_headline(figure, s))
				return true;
		}
	}
	return false;
}

/* Rows of a file follow each other, and so does what is first of it in each figure. */
static size_t count_files(const struct study *study, bool listed)
{
	const char *last = NULL;
	size_t n = 0;

	for (size_t i = 0; i < rows_count(study->rows); i++) {
		const char *source = rows_source(study->rows, i);

		n += source != last && is_listed(study, source) == listed;
		last = source;
	}
	return n;
}

struct overview_hidden overview_hidden(const struct study *study)
{
	struct overview_hidden hidden = { 0 };

	for (size_t c = 0; c < COLL_COUNT; c++) {
		const struct figure *figure = &study->figures[c];
		bool choice = false;

		for (size_t s = 0; s < figure->nshown; s++)
			choice |= !figure->series[s].in_place;
		for (size_t s = figure->nshown; plot_has_figure(figure) && s < figure->nseries; s++)
			hidden.series += !choice || !figure->series[s].in_place;
	}
	if (hidden.series > 0) {
		hidden.files = count_files(study, false);
		hidden.shown = count_files(study, true);
	}
	return hidden;
}

void overview_hidden_put(FILE *out, enum escape how, const struct study *study)
{
	struct overview_hidden hidden = overview_hidden(study);

	if (hidden.series == 0)
		return;
	escape_put(out, how, " %zu more series are not listed, at most %d of a primitive are", hidden.series, STUDY_SHOWN_SERIES);
	if (hidden.files > 0)
		escape_put(out, how, "; of %zu of the %zu files none is", hidden.files, hidden.files + hidden.shown);
	escape_put(out, how, ": all are in bounds.csv.");
}

const char *overview_title(const struct study *study)
{
	const struct totals *totals = &study->totals;

	if (totals->rows > 0 && totals->simulated == totals->rows)
		return ": simulated, not measured";
	return totals->rows > 0 && totals->imported == totals->rows ? ": imported from another tool's log" : "";
}

/* Texts are of one pool: their addresses stand for them. */
struct overview_text overview_libraries(const struct study *study)
{
	const char *seen[MOST_LIBRARIES];
	struct overview_text text = { "" };
	size_t count = 0;
	int n = 0;

	for (size_t i = 0; i < rows_count(study->rows); i++) {
		const char *library = rows_get(study->rows, i)->library;
		size_t known = 0;

		while (known < count && seen[known] != library)
			known++;
		if (known < count || !*library)
			continue;
		if (count == MOST_LIBRARIES) {
			snprintf(text.text + n, sizeof text.text - (size_t)n, " and others");
			break;
		}
		n += snprintf(text.text + n, sizeof text.text - (size_t)n, "%s%.70s", count > 0 ? ", " : "", library);
		seen[count++] = library;
	}
	return text;
}

struct human overview_ranks(const struct study *study)
{
	int64_t least = study->totals.least_ranks, most = study->totals.most_ranks;
	struct human human;

	if (least >= most)
		snprintf(human.text, sizeof human.text, "%lld rank%s", (long long)most, most == 1 ? "" : "s");
	else
		snprintf(human.text, sizeof human.text, "%lld to %lld ranks", (long long)least, (long long)most);
	return human;
}

static void method_kinds(FILE *out, enum escape how, const struct totals *totals)
{
	if (totals->simulated > 0)
		escape_put(
			out, how,
			"%zu of %zu points are simulated: a model or a stand-in of a library made them, nothing was measured. ",
			totals->simulated, totals->rows);
	if (totals->imported > 0)
		escape_put(out, how,
			   "%zu of %zu points are from another tool's log: how they were measured is that tool's choice, and "
			   "they have no "
			   "intervals of ours. ",
			   totals->imported, totals->rows);
}

static void method_gpu(FILE *out, enum escape how, const struct totals *totals)
{
	if (totals->kernel > 0)
		escape_put(out, how,
			   "Kernel times are those of the GPU's own clock on the rank where it took longest: what the call took "
			   "without the "
			   "host. ");
	if (totals->enqueue > 0)
		escape_put(out, how,
			   "Enqueue times are what the host needs until a call comes back, before anything is waited for. ");
}

bool overview_has_models(const struct study *study)
{
	for (size_t c = 0; c < COLL_COUNT; c++)
		if (study->figures[c].nrows > 0)
			return true;
	return study->nmachines > 0;
}

void overview_method(FILE *out, enum escape how, const struct study *study)
{
	const struct totals *totals = &study->totals;

	method_kinds(out, how, totals);
	if (totals->sync > 0)
		escape_put(out, how,
			   "A sample is one call, from a common start to its end on the slowest rank; the time of a point is the "
			   "median "
			   "of its samples, with the 95 %% interval of that median. ");
	if (totals->clock > 0)
		escape_put(out, how, "The common start is a time agreed on synchronised clocks, so no barrier's skew is in it. ");
	if (totals->barrier > 0)
		escape_put(out, how, "%sa barrier gave the start, whose skew is part of the time. ",
			   totals->clock > 0 ? "At some points " : "Not clocks but ");
	if (totals->loop > 0)
		escape_put(out, how,
			   "%scalls were timed back to back in one loop and divided by their number, as nccl-tests does. ",
			   totals->sync > 0 ? "At some points " : "The ");
	if (totals->most_iters > 0)
		escape_put(out, how, "A point counts %s to %s timed calls; %s were left out as a rank was late. ",
			   human_integer(totals->least_iters).text, human_integer(totals->most_iters).text,
			   human_integer(totals->dropped).text);
	method_gpu(out, how, totals);
	escape_put(out, how,
		   "Sizes are those of nccl-tests (S), busbw is its bus bandwidth; 1 GB = 1e9 bytes, 1 KiB = 1024 bytes. Where "
		   "several "
		   "launches measured a size, a point is the median of their medians and its bar spans them.");
}

static void machine_name(FILE *out, enum escape how, const struct machine *machine)
{
	const struct result *key = machine->key;

	escape_put(out, how, "%s ranks", human_integer(key->nranks).text);
	if (*key->backend)
		escape_put(out, how, ", %s", key->backend);
	if (*key->path)
		escape_put(out, how, ", path %s", key->path);
	escape_put(out, how, ", %s: ", machine->name);
}

void overview_link(FILE *out, enum escape how, const struct machine *machine)
{
	const struct report_options *options = machine->options;

	if (!options->link_words) {
		escape_put(out, how, "the peak of %s", options->link_text);
		return;
	}
	escape_put(out, how, "link rate from the topology in run.json: %s", options->link_words);
	if (machine->gpus > 1 && options->nic_words)
		escape_put(out, how, "; NICs of a node: %s", options->nic_words);
}

static void overview_linked(FILE *out, enum escape how, const struct machine *machine)
{
	escape_put(out, how, "B = %s", human_rate(machine->bandwidth).text);
	fputs(machine->own ? ": " : ", ", out);
	overview_link(out, how, machine);
	fputs(machine->own ? "" : " one way, was given on the command line", out);
	escape_put(out, how,
		   machine->bandwidth_only ? "; no sendrecv sweep tells alpha, so bounds are of bandwidth alone and say nothing "
					     "of small messages."
					   : "; alpha is the fit's. The fit: ");
}

void overview_machine(FILE *out, enum escape how, const struct machine *machine)
{
	machine_name(out, how, machine);
	if (machine->key->nranks < 2) {
		escape_put(out, how, "one rank has no link and no bounds.");
		return;
	}
	if (machine->given) {
		escape_put(out, how, "alpha = %s and B = %s were given on the command line.", human_time(machine->alpha).text,
			   human_rate(machine->bandwidth).text);
		return;
	}
	if (machine->linked) {
		overview_linked(out, how, machine);
		if (machine->bandwidth_only)
			return;
	}
	if (machine->fit_rows == 0) {
		escape_put(out, how, "no usable sendrecv sweep to take alpha and B from, hence no bounds.");
		return;
	}
	overview_machine_fit(out, how, machine);
}

static void curves_left_out(FILE *out, enum escape how, const struct figure *figure)
{
	size_t hidden = figure->nseries - figure->nshown;

	if (hidden > 0)
		escape_put(out, how,
			   " Not drawn: %zu more series (of other types, operations, roots or placements; of more than %d, those "
			   "that differ most are drawn); their points are in the table.",
			   hidden, STUDY_SHOWN_SERIES);
}

static void curves_models(FILE *out, enum escape how, const struct figure *figure, bool rough, size_t models)
{
	const struct collective *coll = figure->coll;

	if (plot_is_message(coll)) {
		escape_put(out, how, ". Model: alpha + S/B, the time of one message.");
		return;
	}
	escape_put(out, how, ". Models: ring = \"%s\"", coll->ring ? coll->ring : "none");
	if (coll->tree && models == 1)
		escape_put(out, how, ", tree = \"%s\"", coll->tree);
	escape_put(out, how, ". They are what these algorithms could reach; another one may be faster");
	escape_put(out, how, models == 1 && figure->above == 0 && !rough ? ", but none beats the lower bound." : ".");
}

/* Never claims what the points in the table belie. */
static void curves_bound(FILE *out, enum escape how, const struct figure *figure, bool rough, size_t models)
{
	const char *bound = plot_is_message(figure->coll) ? "this line"
			    : models == 1                 ? "the lower bound"
							  : "the bound in the table";

	if (rough)
		escape_put(out, how, " alpha and B are rough here, so bounds are rough: %zu of %zu points are faster than %s.",
			   figure->above, figure->distinct, bound);
	else if (figure->above > 0)
		escape_put(out, how, " %zu of %zu points are faster than %s, which is up to %s of their time.", figure->above,
			   figure->distinct, bound, human_percent(figure->most_above).text);
}

void overview_curves(FILE *out, enum escape how, const struct figure *figure)
{
	const struct machine *machines[STUDY_SHOWN_SERIES];
	size_t series[STUDY_SHOWN_SERIES];
	size_t models = plot_models(figure, machines, series);
	const struct result *key = figure->series[0].key;
	bool rough = false;

	escape_put(out, how, "Drawn: %s%s%s, medians with their intervals",
		   figure->mixed ? "types, operations and roots as they are named"
		   : !*key->type ? "all types"
				 : key->type,
		   *key->redop && !figure->mixed ? " " : "", figure->mixed ? "" : key->redop);
	if (key->root != RESULT_NONE && !figure->mixed)
		escape_put(out, how, ", root %s", human_integer(key->root).text);
	if (models == 0) {
		escape_put(out, how, "; no bounds, as alpha and B are not known.");
	} else {
		for (size_t m = 0; m < models; m++)
			rough |= study_is_rough(machines[m]);
		curves_models(out, how, figure, rough, models);
		curves_bound(out, how, figure, rough, models);
	}
	crossover_put(out, how, figure);
	curves_left_out(out, how, figure);
}
