/* SPDX-License-Identifier: Apache-2.0
 *
 * Measured against expected. What is expected of a link is what collectives reach of it where that is known, else its peak.
 */
#include "verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "human.h"
#include "link.h"
#include "overview.h"
#include "system.h"

static const double fine = 0.9, low = 0.8;
static const double still_rising = 1.1; /* from one stretch of sizes to the next */
static const double stretch = 4;        /* the largest sizes are those over a quarter of the largest, and so on */

/* The best busbw of the sizes over `least`, up to `most`; 0 where there is none. */
static double best_between(const struct figure *figure, const struct series *series, double least, double most, double *bytes)
{
	double factor = figure->coll->bus_factor((int)series->key->nranks), best = 0;

	for (size_t i = 0; i < series->npoints; i++) {
		const struct point *point = &series->points[i];
		double busbw = isfinite(point->busbw) ? point->busbw : factor * point->bytes / point->time;

		if (point->oversubscribed || point->bytes <= least || point->bytes > most || busbw <= best)
			continue;
		best = busbw;
		*bytes = point->bytes;
	}
	return best;
}

/* What was reached at the largest sizes, and whether larger ones would give more. */
struct reached {
	double busbw, bytes;
	bool rising;
};

static struct reached reached_of(const struct figure *figure, const struct series *series)
{
	double largest = series->points[series->npoints - 1].bytes, unused = 0;
	struct reached reached = { .bytes = largest };
	double before = best_between(figure, series, largest / stretch / stretch, largest / stretch, &unused);

	reached.busbw = best_between(figure, series, largest / stretch, largest, &reached.bytes);
	reached.rising = before == 0 || reached.busbw > still_rising * before;
	return reached;
}

static enum verdict_level judge(double ratio, bool rising)
{
	if (ratio >= fine)
		return VERDICT_FINE;
	if (rising)
		return VERDICT_UNSURE;
	return ratio >= low ? VERDICT_WARN : VERDICT_FAIL;
}

const char *verdict_word(enum verdict_level level)
{
	static const char *const words[] = { "fine", "low", "too low", "not judged" };

	return words[level];
}

static struct verdict verdict_of(enum verdict_kind kind, const struct figure *figure, const struct series *series,
				 double expected)
{
	struct reached reached = reached_of(figure, series);
	const struct point *last = &series->points[series->npoints - 1];
	struct bounds bounds = study_point_bounds(figure, series, last);
	double ratio = reached.busbw / expected;

	return (struct verdict){ .kind = kind,
				 .level = judge(ratio, reached.rising),
				 .figure = figure,
				 .series = series,
				 .measured = reached.busbw,
				 .bytes = reached.bytes,
				 .expected = expected,
				 .ratio = ratio,
				 .link = bounds.link,
				 .efficiency = reached.busbw / bounds.link,
				 .cap = bounds.cap };
}

/* "all_reduce, out-of-place: 235 GB/s at 8 GiB" */
static int put_measured(struct verdict *verdict)
{
	return snprintf(verdict->text, sizeof verdict->text, "%s, %s: busbw %s at %s", verdict->figure->coll->name,
			verdict->series->label, human_rate(verdict->measured).text, human_size(verdict->bytes).text);
}

static void put_end(struct verdict *verdict, int used)
{
	snprintf(verdict->text + used, sizeof verdict->text - (size_t)used, ": %s",
		 verdict->level == VERDICT_UNSURE
			 ? "it still rises at the largest size, so it is not judged; sweep to larger sizes"
			 : verdict_word(verdict->level));
}

/* What the link's share of a ring is expected to carry. */
static double expected_of_link(const struct machine *machine, double ring)
{
	const struct link *known = machine->options->known;

	return known && known->reachable > 0 && machine->gpus == 0 ? known->reachable : ring;
}

static void say_link(struct verdict *verdict, double ring)
{
	const struct machine *machine = verdict->series->machine;
	const struct report_options *options = machine->options;
	const char *algo = verdict->series->key->algo;
	int used = put_measured(verdict);
	size_t size = sizeof verdict->text;

	used += snprintf(verdict->text + used, size - (size_t)used, " is %s of %s through the %s %.40s%s%.40s",
			 human_percent(verdict->efficiency).text, human_rate(ring).text, machine->gpus > 0 ? "NICs" : "link",
			 machine->gpus > 0 ? options->nic_text : options->link_text, *algo ? ", algorithm " : ", against a ring",
			 algo);
	if (verdict->expected < ring)
		used += snprintf(verdict->text + used, size - (size_t)used, ", and %s of the %s that collectives reach of it",
				 human_percent(verdict->ratio).text, human_rate(verdict->expected).text);
	if (verdict->efficiency > 1 && verdict->measured <= verdict->cap * (1 + study_tolerance(machine)))
		used += snprintf(verdict->text + used, size - (size_t)used, " (no error: %s can give up to %s)",
				 machine->gpus > 0 ? "combining traffic between nodes" : "switches that reduce",
				 human_rate(verdict->cap).text);
	put_end(verdict, used);
}

static int add(struct verdicts *verdicts, const struct verdict *verdict)
{
	struct verdict *grown = array_grow(verdicts->items, verdicts->count, sizeof *grown);

	if (!grown)
		return -1;
	verdicts->items = grown;
	grown[verdicts->count++] = *verdict;
	return 0;
}

static bool is_judged(const struct figure *figure, size_t s)
{
	const struct series *series = &figure->series[s];
	double unused;

	return !figure->singleton && overview_is_headline(figure, s) && series->npoints > 0 && series->key->nranks >= 2 &&
	       series->key->nranks <= STUDY_MOST_RANKS &&
	       best_between(figure, series, series->points[series->npoints - 1].bytes / stretch, INFINITY, &unused) > 0;
}

static int add_link(struct verdicts *verdicts, const struct figure *figure, const struct series *series)
{
	const struct point *last = &series->points[series->npoints - 1];
	double ring = study_point_bounds(figure, series, last).link;
	struct verdict verdict;

	if (!isfinite(ring))
		return 0;
	verdict = verdict_of(VERDICT_LINK, figure, series, expected_of_link(series->machine, ring));
	say_link(&verdict, ring);
	return add(verdicts, &verdict);
}

static bool is_of_system(const struct system *system, const struct series *series)
{
	const struct result *key = series->key;

	if (system->nranks > 0 && key->nranks != system->nranks)
		return false;
	if (system->nnodes == 0)
		return system->nranks > 0 || series->machine->many_nodes;
	if (system->nnodes == 1)
		return !series->machine->many_nodes;
	return key->nnodes == RESULT_NONE || key->nnodes == system->nnodes;
}

static int add_system(struct verdicts *verdicts, const struct system *system, const struct figure *figure,
		      const struct series *series)
{
	struct verdict verdict = verdict_of(VERDICT_SYSTEM, figure, series, system->low);
	int used = put_measured(&verdict);

	used += snprintf(verdict.text + used, sizeof verdict.text - (size_t)used, " is %s of the %s reported for %s (%s)",
			 human_percent(verdict.ratio).text, human_rate(verdict.expected).text, system->what, system->source);
	put_end(&verdict, used);
	return add(verdicts, &verdict);
}

static int add_no_system(struct verdicts *verdicts, const struct system *system)
{
	struct verdict verdict = { .kind = VERDICT_SYSTEM,
				   .level = VERDICT_UNSURE,
				   .measured = NAN,
				   .bytes = NAN,
				   .expected = system->low,
				   .ratio = NAN,
				   .link = NAN,
				   .efficiency = NAN,
				   .cap = NAN };
	char ranks[32] = "several nodes", nodes[32] = "";

	if (system->nranks > 0)
		snprintf(ranks, sizeof ranks, "%d ranks", system->nranks);
	if (system->nnodes > 0)
		snprintf(nodes, sizeof nodes, ", %d node%s", system->nnodes, system->nnodes == 1 ? "" : "s");
	snprintf(verdict.text, sizeof verdict.text, "nothing to compare with %s: it stands for %s on %s%s", system->name,
		 system->collective, ranks, nodes);
	return add(verdicts, &verdict);
}

static int add_systems(struct verdicts *verdicts, const struct study *study)
{
	const struct system *system = study->options->system;
	size_t before = verdicts->count;

	for (size_t c = 0; system && c < COLL_COUNT; c++) {
		const struct figure *figure = &study->figures[c];

		if (strcmp(figure->coll->name, system->collective))
			continue;
		for (size_t s = 0; s < figure->nshown; s++) {
			if (is_judged(figure, s) && is_of_system(system, &figure->series[s]) &&
			    add_system(verdicts, system, figure, &figure->series[s]))
				return -1;
		}
	}
	return system && verdicts->count == before ? add_no_system(verdicts, system) : 0;
}

int verdicts_build(const struct study *study, struct verdicts *verdicts)
{
	*verdicts = (struct verdicts){ 0 };
	for (size_t c = 0; c < COLL_COUNT; c++) {
		const struct figure *figure = &study->figures[c];

		for (size_t s = 0; s < figure->nshown; s++) {
			if (is_judged(figure, s) && add_link(verdicts, figure, &figure->series[s]))
				goto fail;
		}
	}
	if (add_systems(verdicts, study) == 0)
		return 0;
fail:
	verdicts_clear(verdicts);
	return -1;
}

void verdicts_clear(struct verdicts *verdicts)
{
	free(verdicts->items);
	*verdicts = (struct verdicts){ 0 };
}

/* What must be known of the bounds themselves. */
static int find_network(struct findings *findings, const struct machine *machine)
{
	const struct report_options *options = machine->options;

	if (machine->key->nranks < 2)
		return 0;
	if (machine->bandwidth_only &&
	    findings_add(findings, FINDING_NOTE,
			 "alpha is not known, as there is no usable sendrecv sweep: bounds are of bandwidth alone"))
		return -1;
	if (!machine->many_nodes || machine->gpus > 0 || !(options->link > 0 || options->nic > 0))
		return 0;
	return findings_add(
		findings, FINDING_NOTE,
		options->nic > 0
			? "ranks are not spread evenly over the nodes: no two-level bounds; give --gpus-per-node"
			: "rows of several nodes: their bounds know of the GPUs' links alone; give --nic for two levels");
}

static int find_verdict(struct findings *findings, const struct study *study, const struct verdict *verdict)
{
	enum finding_level level = verdict->kind == VERDICT_SYSTEM && verdict->level == VERDICT_FAIL ? FINDING_ERROR
												     : FINDING_WARNING;
	int rc;

	if (verdict->level == VERDICT_FINE || (verdict->level == VERDICT_UNSURE && verdict->figure))
		return 0;
	findings->run = verdict->series ? study->runs.names[verdict->series->machine->run] : NULL;
	rc = findings_add(findings, verdict->level == VERDICT_UNSURE ? FINDING_NOTE : level, "%s", verdict->text);
	findings->run = NULL;
	return rc;
}

int verdict_findings(struct findings *findings, const struct study *study)
{
	struct verdicts verdicts;
	int rc = verdicts_build(study, &verdicts);

	for (size_t m = 0; rc == 0 && m < study->nmachines; m++) {
		findings->run = study->runs.names[study->machines[m].run];
		rc = find_network(findings, &study->machines[m]);
	}
	findings->run = NULL;
	for (size_t i = 0; rc == 0 && i < verdicts.count; i++)
		rc = find_verdict(findings, study, &verdicts.items[i]);
	verdicts_clear(&verdicts);
	return rc;
}
