/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs of all primitives by their ring models, with what a test does to them, for the tests of findings.
 */
#ifndef COLLPERF_TEST_FINDINGS_RUN_H
#define COLLPERF_TEST_FINDINGS_RUN_H

#include "study_rows.h"

static const char findings_header[] =
	"schema,point,points,run,collective,backend,path,nranks,nnodes,type,redop,root,placement,bytes,time_us,time_ci_low_us,"
	"time_ci_high_us,rank_time_avg_us,rank_time_max_us,slowest_rank,busbw_GBps,wrong,flags\n";

struct findings_run {
	int nranks;
	double first, last, step; /* sizes */
	double launch_noise;      /* standard deviations: of the factor of a primitive, of the factor of a point */
	double noise;
	double interval; /* half of it, as a part of the time; negative: rows have none */
	uint64_t seed;
	const char *path, *run;
	/* Times another one; NULL: they stay. */
	double (*change)(enum coll_id coll, bool in_place, double bytes, double time);
};

static const struct findings_run findings_clean = {
	.nranks = 8, .first = 8, .last = 1 << 26, .step = 2, .interval = 0.001, .seed = 1, .path = "", .run = "r1"
};

static inline double findings_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return ((double)((z ^ (z >> 31)) >> 11) + 1) / 9007199254740993.0;
}

static inline double findings_noise(uint64_t *state, double sigma)
{
	double u = findings_random(state), v = findings_random(state);

	return exp(sigma * sqrt(-2 * log(u)) * cos(6.283185307179586 * v));
}

static inline void findings_put(struct study_text *text, const struct findings_run *run, const struct collective *coll,
				bool in_place, double bytes, double time)
{
	char low[32] = "", high[32] = "";

	if (run->interval >= 0) {
		snprintf(low, sizeof low, "%.9g", time * (1 - run->interval) * 1e6);
		snprintf(high, sizeof high, "%.9g", time * (1 + run->interval) * 1e6);
	}
	fprintf(text->out, "1,,,%s,%s,mpi,%s,%d,1,float,%s,%s,%s,%.0f,%.9g,%s,%s,,,,%.9g,0,\n", run->run, coll->name, run->path,
		run->nranks, coll->flags & COLL_HAS_REDOP ? "sum" : "", coll->flags & COLL_HAS_ROOT ? "0" : "",
		in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE, bytes, time * 1e6, low, high,
		coll->bus_factor(run->nranks) * bytes / time / 1e9);
}

/* 5 us and 100 GB/s. */
static inline void findings_sweep(struct study_text *text, const struct findings_run *run, enum coll_id id)
{
	static const struct coll_link link = { .alpha = 5e-6, .beta = 1e-11 };
	const struct collective *coll = collectives[id];
	const struct coll_model *model = collective_model(coll, coll->ring ? coll->ring : "lb");
	uint64_t state = run->seed * 1000 + id;
	double launch = findings_noise(&state, run->launch_noise);
	bool split = coll->shape((size_t)run->nranks, run->nranks, 1).count == 1;

	for (double size = run->first; size <= run->last; size *= run->step) {
		size_t block = coll_block((size_t)size / 4, run->nranks, 4) * 4;
		double bytes = split ? (double)(block * (size_t)run->nranks) : size;

		for (int in_place = 0; bytes > 0 && in_place < 2; in_place++) {
			double time = model->time(run->nranks, bytes, &link) * launch * findings_noise(&state, run->noise);

			findings_put(text, run, coll, in_place, bytes,
				     run->change ? run->change(id, in_place, bytes, time) : time);
		}
	}
}

static inline void findings_open(struct study_text *text)
{
	*text = (struct study_text){ 0 };
	text->out = open_memstream(&text->text, &text->size);
	assert_non_null(text->out);
	fputs(findings_header, text->out);
}

static inline void findings_study(const struct findings_run *run, struct studied *studied)
{
	static const struct report_options fitted = { 0 };
	struct study_text text;

	findings_open(&text);
	for (enum coll_id c = 0; c < COLL_ALLTOALLV; c++)
		findings_sweep(&text, run, c);
	study_read(&text, &fitted, studied);
}

/* As findings_clean but for what is done to it. */
static inline void findings_changed(double (*change)(enum coll_id, bool, double, double), struct studied *studied)
{
	struct findings_run run = findings_clean;

	run.change = change;
	findings_study(&run, studied);
}

/* How many findings hold these words. */
static inline size_t findings_count(const struct studied *studied, const char *words)
{
	size_t n = 0;

	for (size_t i = 0; i < studied->findings.count; i++)
		n += strstr(studied->findings.items[i].text, words) != NULL;
	return n;
}

/* Fails with its text when there is a finding as bad as `least` (FINDING_NOTE: any). */
static inline void findings_none(const struct studied *studied, enum finding_level least)
{
	for (size_t i = 0; i < studied->findings.count; i++) {
		if (studied->findings.items[i].level <= least)
			fail_msg("found: %s", studied->findings.items[i].text);
	}
}

#endif
