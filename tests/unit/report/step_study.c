/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of training steps to lines and a model, what is said of them, what is found, and what the figure shows.
 */
#include "study_rows.h"

#include "report/step_fastest.h"
#include "report/step_findings.h"
#include "report/step_plot.h"
#include "report/step_words.h"

static const char header[] =
	"schema,point,points,run,collective,backend,path,nranks,nnodes,type,redop,placement,bytes,time_us,time_ci_low_us,"
	"time_ci_high_us,wrong,flags,strategy,bucket_cap,calls,tensors,prefetch,progress,compute_us,comm_us,"
	"exposed_us,overlap,compute_asked_us,overlap_error\n";

/* A step of 100 MiB in 400 tensors: Tb 50 ms, a 100 us, 10 GB/s. */
enum { GRADIENTS = 100 << 20 };
static const double backward = 50e-3, a = 100e-6, b = 1e-10;

struct step {
	const char *run, *strategy, *progress;
	long cap, calls;
	double time, compute; /* seconds */
	const char *flags;
	int wrong, nodes;
};

struct world {
	double asked;  /* of the rows put; 0: they do not say */
	double spread; /* of their intervals, to either side */
	double error;  /* of their overlaps; 0: they do not say */
	double slower; /* than a and b have it their communication alone is */
	struct study_text text;
	struct studied studied;
	struct step_study steps;
};

static void open_world(struct world *world)
{
	world->text = (struct study_text){ 0 };
	world->asked = 0;
	world->error = 0;
	world->slower = 1;
	world->spread = 0.01;
	world->text.out = open_memstream(&world->text.text, &world->text.size);
	assert_non_null(world->text.out);
	fputs(header, world->text.out);
}

static void put(struct world *world, const struct step *step)
{
	const double comm = world->slower * ((double)step->calls * a + b * GRADIENTS), exposed = step->time - step->compute;
	char cap[24] = "", nodes[24] = "", asked[40] = "", error[40] = "";

	if (step->nodes > 0)
		snprintf(nodes, sizeof nodes, "%d", step->nodes);
	if (step->cap > 0)
		snprintf(cap, sizeof cap, "%ld", step->cap);
	if (world->asked > 0)
		snprintf(asked, sizeof asked, "%.9g", world->asked * 1e6);
	if (world->error > 0)
		snprintf(error, sizeof error, "%.9g", world->error);
	fprintf(world->text.out,
		"1,,,%s,bucket,mpi,shm,4,%s,float,sum,in-place,%d,%.9g,%.9g,%.9g,%d,%s,%s,%s,%ld,400,,%s,%.9g,%.9g,%.9g,%.9g,%"
		"s,%s\n",
		step->run, nodes, GRADIENTS, step->time * 1e6, step->time * (1 - world->spread) * 1e6,
		step->time * (1 + world->spread) * 1e6, step->wrong, step->flags, step->strategy, cap, step->calls,
		step->progress, step->compute * 1e6, comm * 1e6, exposed * 1e6, 1 - exposed / comm, asked, error);
}

/* Bucketed steps as the model has them, from 1 to 64 MiB, flat and naive. `factor` slows the bucketed ones. */
static void put_sweep(struct world *world, const char *run, const char *progress, double factor)
{
	const struct train_buckets model = { .backward = backward, .bytes = GRADIENTS, .a = a, .b = b };

	for (int i = 0; i <= 6; i++) {
		const long cap = (1L << 20) << i, calls = (GRADIENTS + cap - 1) / cap;

		put(world, &(struct step){ run, RESULT_BUCKETED, progress, cap, calls,
					   factor * train_buckets_time(&model, (double)calls), backward, "", 0, 0 });
	}
	put(world, &(struct step){ run, RESULT_FLAT, progress, 0, 1, backward + a + b * GRADIENTS, backward, "", 0, 0 });
	put(world, &(struct step){ run, RESULT_NAIVE, progress, 0, 400, backward + 400 * a + b * GRADIENTS, backward, "", 0, 0 });
}

static void close_world(struct world *world)
{
	static const struct report_options options = { 0 };

	study_read(&world->text, &options, &world->studied);
	assert_int_equal(step_study_build(&world->studied.study, &world->steps), 0);
	assert_int_equal(step_findings(&world->studied.findings, &world->studied.study, &world->steps), 0);
}

static void end_world(struct world *world)
{
	step_study_clear(&world->steps);
	study_end(&world->studied);
}

static bool says(const struct step_part *part, const char *words)
{
	char text[STEP_WORDS];

	for (size_t i = 0; i < STEP_SENTENCES; i++)
		if (step_words(part, i, text, sizeof text) && strstr(text, words))
			return true;
	return false;
}

static void test_lines(void **state)
{
	struct world world;
	const struct step_part *part;

	(void)state;
	open_world(&world);
	put_sweep(&world, "r1", RESULT_POLLING, 1);
	put_sweep(&world, "r2", RESULT_POLLING, 1.1);
	put_sweep(&world, "r3", RESULT_POLLING, 1.5);
	put_sweep(&world, "r4", RESULT_NOBODY, 2);
	close_world(&world);
	assert_int_equal(world.steps.count, 1);
	part = world.steps.parts;
	assert_int_equal(part->nlines, 6);
	assert_string_equal(part->lines[0].label, "bucketed, polling");
	assert_string_equal(part->lines[1].label, "bucketed, none");
	assert_string_equal(part->lines[2].label, "flat, polling");
	assert_string_equal(part->lines[5].label, "naive");
	/* Three launches of each size are one point, their median; its bar spans them. */
	assert_int_equal(part->lines[0].npoints, 7);
	assert_int_equal(part->lines[0].points[0].launches, 3);
	assert_int_equal(part->lines[0].points[0].cap, 1 << 20);
	assert_close(part->lines[0].points[0].high / part->lines[0].points[0].low, 1.5);
	assert_close(part->lines[0].points[0].time / part->lines[0].points[0].low, 1.1);
	assert_ptr_equal(part->best, &part->lines[0]);
	assert_int_equal(world.studied.study.foreign, 0);
	assert_int_equal(world.studied.study.nmachines, 0);
	end_world(&world);
}

static void test_parts(void **state)
{
	struct world world;
	const struct step_part *part;
	char label[512];

	(void)state;
	open_world(&world);
	put_sweep(&world, "r1", RESULT_POLLING, 1);
	fputs("1,,,r1,bucket,mpi,shm,8,,float,sum,in-place,1024,10,,,0,,bucketed,512,2,4,,polling,5,6,5,0.166666667,,\n",
	      world.text.out);
	fputs("1,,,r1,bucket,mpi,shm,8,,float,sum,in-place,1024,10,,,0,,fsdp,,2,4,1,polling,5,6,5,0.166666667,,\n",
	      world.text.out);
	fputs("1,,,r1,bucket,mpi,shm,8,,float,sum,in-place,1024,10,,,0,,fsdp,,2,4,2,polling,5,6,5,0.166666667,,\n",
	      world.text.out);
	close_world(&world);
	assert_int_equal(world.steps.count, 2);
	part = &world.steps.parts[1];
	assert_int_equal(part->nlines, 3);
	assert_string_equal(part->lines[1].label, "fsdp 1 ahead, polling");
	assert_string_equal(part->lines[2].label, "fsdp 2 ahead, polling");
	step_part_label(&world.steps, part, label, sizeof label);
	assert_string_equal(label, "8 ranks, 1 KiB in 4 tensors, float, path shm, mpi");
	/* One number of calls tells nothing of one call. */
	assert_int_equal(part->model.origin, STEP_NOTHING);
	assert_true(
		says(part, "predicted optimum: none, as the steps' communication alone is known at too few numbers of calls"));
	end_world(&world);
}

static void test_model_of_steps(void **state)
{
	const struct train_buckets model = { .backward = backward, .bytes = GRADIENTS, .a = a, .b = b };
	struct world world;
	const struct step_part *part;

	(void)state;
	open_world(&world);
	put_sweep(&world, "r1", RESULT_POLLING, 1);
	close_world(&world);
	part = world.steps.parts;
	assert_int_equal(part->model.origin, STEP_STEPS);
	assert_close(part->model.buckets.a, a);
	assert_close(part->model.buckets.b, b);
	assert_close(part->model.buckets.backward, backward);
	assert_close(part->model.exact, train_buckets_best(&model));
	assert_close(part->model.calls, floor(part->model.exact));
	assert_close(part->model.time, train_buckets_time(&model, part->model.calls));
	assert_close(part->model.bytes * part->model.calls, GRADIENTS);
	/* A bucket cannot hold less than a tensor, and there is at least one. */
	assert_close(step_model_at(part, 1), train_buckets_time(&model, 400));
	assert_close(step_model_at(part, 1e12), train_buckets_time(&model, 1));
	assert_true(says(part, "fitted from the steps' communication alone"));
	end_world(&world);
}

static void test_model_of_sweep(void **state)
{
	struct world world;
	const struct step_part *part;

	(void)state;
	open_world(&world);
	put_sweep(&world, "r1", RESULT_POLLING, 1);
	for (int i = 0; i <= 17; i++)
		fprintf(world.text.out, "1,,,r1,all_reduce,mpi,shm,4,,float,sum,in-place,%.0f,%.9g,,,0,,,,,,,,,,,,,\n",
			ldexp(1024, i), i < 8 ? 5 + ldexp(1024, i) * 1e-5 : 90 + ldexp(1024, i) * 1.05e-4);
	for (int i = 0; i <= 17; i++)
		fprintf(world.text.out, "1,,,r1,all_reduce,mpi,shm,2,,float,sum,in-place,%.0f,%.9g,,,0,,,,,,,,,,,,,\n",
			ldexp(1024, i), (10e-6 + ldexp(1024, i) * 1e-10) * 1e6);
	close_world(&world);
	part = world.steps.parts;
	assert_int_equal(part->model.origin, STEP_SWEEP);
	assert_close(part->model.buckets.a, 90e-6);
	assert_close(part->model.buckets.b, 1.05e-10);
	assert_true(says(part, "of the line through the all_reduce rows in run/x.csv"));
	end_world(&world);
}

static void test_no_model(void **state)
{
	struct world world;

	(void)state;
	open_world(&world);
	/* More calls are faster: the cache holds small buckets. */
	for (int calls = 1; calls <= 64; calls *= 2)
		fprintf(world.text.out,
			"1,,,r1,bucket,mpi,shm,4,,float,sum,in-place,1048576,%d,,,0,,bucketed,%d,%d,64,,polling,100,%d,%d,0,,\n",
			200 - calls, 1048576 / calls, calls, 100 - calls, 100 - calls);
	close_world(&world);
	assert_int_equal(world.steps.parts[0].model.origin, STEP_NOTHING);
	assert_true(isnan(step_model_time(world.steps.parts, 4)));
	assert_true(says(world.steps.parts, "communication alone does not become slower with more calls"));
	assert_true(says(world.steps.parts, "this is the smallest size measured: the optimum may lie beyond"));
	end_world(&world);
}

static void test_words(void **state)
{
	struct world world;
	const struct step_part *part;
	char text[STEP_WORDS];

	(void)state;
	open_world(&world);
	put_sweep(&world, "r1", RESULT_POLLING, 1.019);
	put_sweep(&world, "r2", RESULT_NOBODY, 1.3);
	close_world(&world);
	part = world.steps.parts;
	assert_true(says(
		part, "measured optimum: bucketed, polling at 1 MiB, 51.2 ms a step, 2.3 % more than its compute alone (50 ms)"));
	assert_true(says(part, "no size from 1 MiB to 8 MiB is clearly faster"));
	assert_true(says(part, "predicted optimum: 395 buckets of 259 KiB"));
	assert_true(
		says(part, "flat, polling takes 60.6 ms, 18 % more than the best bucketed step; naive, polling takes 100 ms"));
	assert_true(says(part, "polling 51.2 ms at 1 MiB (overlap 94 %), none 65.3 ms at 1 MiB"));
	assert_true(
		says(part, "bucketed steps take at most 4.6 % more with progress polling, 28 % to 33 % more with progress none"));
	assert_false(says(part, step_words_nobody)); /* with an overlap of 25 % */
	assert_true(says(part, "those of 16 MiB cost 2.8 % more time a step than the best, those of 32 MiB cost 5 % more time a "
			       "step than the best; as tensors "
			       "are not cut, they"));
	assert_true(step_words_summary(part, text, sizeof text));
	assert_string_equal(text, "bucketed, polling: 51.2 ms at 1 MiB, overlap 94 %; flat 60.6 ms; predicted optimum 259 KiB");
	end_world(&world);
}

/* Tensors are not cut, so that only sizes that were measured are known: 25 MiB itself, those beside it, or none. */
static void test_default_cap(void **state)
{
	static const struct {
		int from, to;   /* caps of 2^from to 2^to */
		double own;     /* of 25 MiB, 0: not measured */
		double compute; /* its own, of what was asked for */
		const char *said;
	} cases[] = {
		{ 20, 26, 0.08, 1, " default, cost 60 % more time a step than the best (measured)" },
		{ 20, 26, 0.08, 1.4,
		  " default, cost 14 % more time a step than the best by step / compute alone, which took 40 % more there "
		  "(measured)" },
		{ 24, 26, 0, 1,
		  " default, were not measured: those of 16 MiB are the best, those of 32 MiB cost 10 % more time a step than "
		  "the "
		  "best; as tensors are not cut, they may take more or less than either" },
		/* (50.1 + 10.48576 / 4.48) / (50.1 + 10.48576 / 395) ms */
		{ 18, 24, 0, 1,
		  " default, cost about 4.6 % more time a step than the predicted optimum (by the model of equal buckets)" },
		{ 24, 24, 0, 1, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world world;
		double time = 0.05;

		open_world(&world);
		world.asked = backward;
		for (int shift = cases[i].from; shift <= cases[i].to; shift++, time *= 1.1)
			put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_POLLING, 1L << shift,
						    (GRADIENTS + (1L << shift) - 1) >> shift, time, backward, "", 0, 0 });
		if (cases[i].own > 0)
			put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_POLLING, STEP_DEFAULT_CAP, 4, cases[i].own,
						    cases[i].compute * backward, "", 0, 0 });
		close_world(&world);
		if (cases[i].said ? !says(world.steps.parts, cases[i].said) : says(world.steps.parts, "a usual default"))
			fail_msg("case %zu", i);
		end_world(&world);
	}
}

static void test_findings(void **state)
{
	struct world world;

	(void)state;
	open_world(&world);
	put_sweep(&world, "r1", RESULT_POLLING, 1.3);
	put(&world, &(struct step){ "r1", RESULT_ZERO, RESULT_POLLING, 1 << 20, 200, 0.078961472, backward, "", 0, 0 });
	put(&world, &(struct step){ "r2", RESULT_ZERO, RESULT_POLLING, 1 << 20, 200, 0.06, backward, "", 7, 0 });
	put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_NOBODY, 1 << 20, 100, 0.1, backward, "", 0, 0 });
	close_world(&world);
	assert_true(world.studied.findings.wrong_data);
	assert_true(study_found(
		&world.studied, FINDING_ERROR,
		"WRONG DATA in 1 of 12 rows (first: zero, buckets of 1 MiB, polling, 100 MiB of gradients, 7 elements)"));
	assert_true(study_found(&world.studied, FINDING_WARNING,
				"bucketed, polling takes 65.3 ms at its best size of buckets (1 MiB), 7.7 % "
				"more than flat"));
	assert_true(study_found(&world.studied, FINDING_WARNING, "zero, polling hides only 5 % of its communication"));
	assert_true(study_found(&world.studied, FINDING_NOTE,
				"bucketed, none hides none of its communication behind compute: with progress none"));
	assert_false(study_found(&world.studied, FINDING_WARNING, "bucketed, none hides"));
	assert_false(study_found(&world.studied, FINDING_WARNING, "unknown primitive"));
	end_world(&world);
	open_world(&world);
	put_sweep(&world, "r1", RESULT_POLLING, 1);
	close_world(&world);
	assert_int_equal(world.studied.findings.count, 0);
	end_world(&world);
}

/* What rows of wrong data took is no time of a step: they are counted, and nothing else is made of them. */
static void test_wrong_data(void **state)
{
	char text[STEP_WORDS];

	(void)state;
	for (int all = 0; all < 2; all++) {
		const struct step_part *part;
		struct world world;

		open_world(&world);
		if (!all)
			put_sweep(&world, "r1", RESULT_POLLING, 1);
		put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_POLLING, 512 << 10, 200, 0.0501, backward,
					    RESULT_FLAG_OVERSUBSCRIBED, 3, 0 });
		put(&world, &(struct step){ "r2", RESULT_FLAT, RESULT_POLLING, 0, 1, 0.051, backward, "", 3, 0 });
		put(&world, &(struct step){ "r1", RESULT_ZERO, RESULT_POLLING, 1 << 20, 200, 0.0789, backward, "", 3, 0 });
		close_world(&world);
		part = world.steps.parts;
		assert_true(world.studied.findings.wrong_data);
		assert_true(study_found(&world.studied, FINDING_ERROR,
					all ? "WRONG DATA in 3 of 3 rows (first: bucketed, buckets of 512 KiB"
					    : "WRONG DATA in 3 of 12 rows (first: bucketed, buckets of 512 KiB"));
		assert_false(study_found(&world.studied, FINDING_WARNING, "took turns"));
		assert_int_equal(part->nlines, all ? 0 : 3);
		assert_int_equal(part->nlost, all ? 3 : 1);
		assert_true(step_words_summary(part, text, sizeof text));
		if (all) {
			assert_true(says(part, "WRONG DATA in all rows (3): they tell no optimum, and nothing is compared"));
			assert_non_null(strstr(text, "WRONG DATA in all rows (3)"));
			assert_false(says(part, "optimum:") || says(part, "flat") || says(part, "progress") ||
				     step_plot_has(&world.steps, 0));
		} else {
			assert_true(says(part, "WRONG DATA in 3 of 12 rows: left out of all that follows"));
			assert_true(says(part, "measured optimum: bucketed, polling at 1 MiB"));
			assert_true(says(part, "flat, polling takes 60.6 ms, "));
			assert_int_equal(part->best->npoints, 7);
			assert_non_null(strstr(text, "bucketed, polling: 50.2 ms at 1 MiB"));
		}
		end_world(&world);
	}
}

/* Steps that nothing tells an optimum of: the fastest is told. */
static void test_no_buckets(void **state)
{
	static const struct {
		double fsdp;
		const char *said;
	} cases[] = {
		{ 0.055,
		  "no bucketed steps tell an optimum; the fastest are fsdp, polling, 55 ms a step, 10 % more than its compute "
		  "alone (50 ms)" },
		{ 0.0595,
		  "fsdp, polling, 59.5 ms a step, 19 % more than its compute alone (50 ms); 1 other is not clearly slower" },
		{ 0,
		  "no bucketed steps tell an optimum; naive, polling, 100 ms a step, 100 % more than its compute alone (50 ms)" },
	};
	char text[STEP_WORDS];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world world;

		open_world(&world);
		put(&world, &(struct step){ "r1", RESULT_NAIVE, RESULT_POLLING, 0, 400, 0.1, backward, "", 0, 0 });
		if (cases[i].fsdp > 0) {
			put(&world, &(struct step){ "r1", RESULT_ZERO, RESULT_POLLING, 4 << 20, 50, 0.06, backward, "", 0, 0 });
			put(&world, &(struct step){ "r1", RESULT_ZERO, RESULT_POLLING, 8 << 20, 26, 0.07, backward, "", 0, 0 });
			put(&world,
			    &(struct step){ "r1", RESULT_FSDP, RESULT_POLLING, 0, 48, cases[i].fsdp, backward, "", 0, 0 });
		}
		close_world(&world);
		if (!says(world.steps.parts, cases[i].said))
			fail_msg("case %zu", i);
		assert_true(says(world.steps.parts, "not clearly slower") == (i == 1));
		assert_true(step_words_summary(world.steps.parts, text, sizeof text));
		assert_true(strncmp(text, i < 2 ? "fsdp, polling: 5" : "naive, polling: 1", 16) == 0);
		end_world(&world);
	}
}

/* Tensors are not cut: between two caps none is named as the one that makes the best number of calls. */
static void test_cap_between(void **state)
{
	const struct train_buckets model = { .backward = backward, .bytes = GRADIENTS, .a = a, .b = b };
	char text[STEP_WORDS];
	struct world world;

	(void)state;
	open_world(&world);
	for (int i = 0; i < 4; i++) {
		const long cap = (256L << 10) << i, calls = 400 >> i;

		put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_POLLING, cap, calls,
					    train_buckets_time(&model, (double)calls), backward, "", 0, 0 });
	}
	close_world(&world);
	assert_true(says(world.steps.parts,
			 "predicted optimum: 395 buckets of 259 KiB (k* = 395.1; a cap between 256 KiB (400 calls) and 512 "
			 "KiB (200))"));
	assert_true(step_words_summary(world.steps.parts, text, sizeof text));
	assert_non_null(strstr(text, "; predicted optimum 256 KiB to 512 KiB"));
	end_world(&world);
}

/* One host's cores move the data themselves; a device or a network may. */
static void test_why_little_is_hidden(void **state)
{
	static const struct {
		const char *progress, *expected;
		int nodes;
		enum finding_level level;
	} cases[] = {
		{ RESULT_POLLING, "are exposed). Ranks of one host copy and add", 1, FINDING_NOTE },
		{ RESULT_THREAD, "are exposed). Ranks of one host copy and add", 1, FINDING_NOTE },
		{ RESULT_POLLING, "are exposed). Usual reasons: polled too seldom", 2, FINDING_WARNING },
		{ RESULT_POLLING, "are exposed). Usual reasons: polled too seldom", 0, FINDING_WARNING },
		{ RESULT_THREAD, "are exposed). Usual reasons: no core for the progress thread", 2, FINDING_WARNING },
		{ RESULT_DEVICE, "are exposed). Usual reasons: a kernel that leaves no room", 1, FINDING_WARNING },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct world world;

		open_world(&world);
		put(&world, &(struct step){ "r1", RESULT_BUCKETED, cases[i].progress, 1 << 20, 100, 0.069461472, backward, "", 0,
					    cases[i].nodes });
		close_world(&world);
		assert_true(study_found(&world.studied, cases[i].level, cases[i].expected));
		end_world(&world);
	}
}

/* 5 % of the communication is hidden, by one launch to within 4 or 6 points, by several to within what they differ. */
static void test_overlap_error(void **state)
{
	const struct step step = { "r1", RESULT_ZERO, RESULT_POLLING, 1 << 20, 200, 0.078961472, backward, "", 0, 0 };
	const struct step_point *point;
	struct step other = step;
	char text[STEP_WORDS];
	struct world world;

	(void)state;
	for (int i = 0; i < 3; i++) {
		open_world(&world);
		world.error = i == 1 ? 0.06 : 0.04;
		put(&world, &step);
		other.run = "r2";
		other.time = 0.07; /* 34 % */
		if (i == 2)
			put(&world, &other);
		close_world(&world);
		point = step_best(&world.steps.parts[0].lines[0]);
		assert_true(study_found(&world.studied, FINDING_WARNING, "zero, polling hides only 5 %") == (i == 0));
		assert_true(step_words_summary(&world.steps.parts[0], text, sizeof text));
		assert_non_null(strstr(text, i == 0   ? "overlap 5 % [1 % to 9 %]"
					     : i == 1 ? "overlap 5 % [-1 % to 11 %]"
						      : "overlap 20 % [5 % to 34 %]"));
		assert_true(fabs(point->overlap_low - (i == 1 ? -0.01 : i == 0 ? 0.01 : 0.05)) < 1e-6);
		assert_true(fabs(point->overlap_high - (i == 2   ? 1 - 0.02 / (200 * a + b * GRADIENTS)
							: i == 0 ? 0.09
								 : 0.11)) < 1e-6);
		end_world(&world);
	}
}

static void test_turns(void **state)
{
	struct world world;

	(void)state;
	open_world(&world);
	put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_POLLING, 1 << 20, 100, 0.2, backward,
				    RESULT_FLAG_OVERSUBSCRIBED, 0, 0 });
	put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_THREAD, 1 << 20, 100, 0.3, backward, "", 0, 0 });
	put(&world, &(struct step){ "r1", RESULT_FLAT, RESULT_POLLING, 0, 1, 0.1, backward, RESULT_FLAG_OVERSUBSCRIBED, 0, 0 });
	close_world(&world);
	assert_true(study_found(&world.studied, FINDING_WARNING, "training steps: in 2 of 3 rows ranks took turns"));
	assert_false(study_found(&world.studied, FINDING_WARNING, "more than flat"));
	assert_false(study_found(&world.studied, FINDING_WARNING, "hides only"));
	assert_string_equal(world.steps.parts[0].best->label, "bucketed, thread");
	assert_true(isnan(world.steps.parts[0].lines[0].points[0].overlap)); /* whatever the row says */
	assert_true(isfinite(world.steps.parts[0].lines[1].points[0].overlap));
	end_world(&world);
}

/* What is expected of it is said where it is so: of an overlap of 0, 9 and 11 %. */
static void test_nobody(void **state)
{
	static const double overlaps[] = { 0, 0.09, 0.11 };
	const double comm = 100 * a + b * GRADIENTS;

	(void)state;
	for (size_t i = 0; i < sizeof overlaps / sizeof *overlaps; i++) {
		struct world world;

		open_world(&world);
		put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_NOBODY, 1 << 20, 100,
					    backward + (1 - overlaps[i]) * comm, backward, "", 0, 0 });
		close_world(&world);
		assert_true(says(world.steps.parts, step_words_nobody) == (i < 2));
		end_world(&world);
	}
}

static void test_absent_overlap(void **state)
{
	struct world world;
	const struct step_part *part;

	(void)state;
	open_world(&world);
	put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_NOBODY, 1 << 20, 100, 0.2, backward, RESULT_FLAG_OVERSUBSCRIBED,
				    0, 0 });
	put(&world, &(struct step){ "r1", RESULT_FLAT, RESULT_NOBODY, 0, 1, 0.1, backward, RESULT_FLAG_OVERSUBSCRIBED, 0, 0 });
	close_world(&world);
	part = world.steps.parts;
	assert_false(says(part, "overlap near 0 is expected"));
	assert_false(study_found(&world.studied, FINDING_NOTE, "behind compute"));
	assert_true(says(part, "these steps say nothing of overlap"));
	end_world(&world);
}

static void test_clearly_slower(void **state)
{
	(void)state;
	assert_true(step_time_is_slower(2, 1.9, 1.8, 1.85) && !step_time_is_slower(2, 1.9, 1.8, 1.9));
	assert_true(step_time_is_slower(1.06, NAN, 1, NAN) && !step_time_is_slower(1.04, NAN, 1, 1.01));
	assert_true(step_drift(3, 2) == 1.5 && step_drift(2, 3) == 1 && step_drift(NAN, 2) == 1 && step_drift(3, 0) == 1);
}

/* A bucketed step against a flat one of 75 ms, where the same compute alone took 50 ms beside both, or more beside one of them. */
static void test_drift(void **state)
{
	static const struct {
		double time, compute;
		const char *flags;
		enum finding_level level;
		const char *found, *said; /* NULL: nothing */
	} cases[] = {
		{ 90e-3, 50e-3, "", FINDING_WARNING, "(75 ms): buckets",
		  "flat takes 75 ms, 17 % less than the best bucketed step" },
		{ 90e-3, 50e-3, RESULT_FLAG_NOISY, FINDING_NOTE, "20 % more than flat", NULL },
		{ 90e-3, 50e-3, RESULT_FLAG_LATE, FINDING_NOTE, "20 % more than flat", NULL },
		{ 90e-3, 60e-3, "", FINDING_WARNING, NULL,
		  "flat takes 75 ms, which is not clearly apart from the best bucketed step: compute alone took 17 % less beside "
		  "it" },
		{ 90e-3, 60e-3, "", FINDING_NOTE, NULL, NULL },
		{ 120e-3, 60e-3, "", FINDING_WARNING,
		  "33 % more than flat, which sends all gradients in one call after the backward pass (75 ms) by step / compute "
		  "alone, which took 20 % more there: buckets",
		  "flat takes 75 ms, 25 % less than the best bucketed step by step / compute alone, which took 17 % less there" },
		{ 60e-3, 40e-3, "", FINDING_WARNING, NULL,
		  "flat takes 75 ms, which is not clearly apart from the best bucketed step: compute alone took 25 % more beside "
		  "it" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *const found = cases[i].found ? cases[i].found : "more than flat";
		struct world world;

		open_world(&world);
		world.asked = backward;
		put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_POLLING, 1 << 20, 100, cases[i].time, cases[i].compute,
					    cases[i].flags, 0, 0 });
		put(&world, &(struct step){ "r1", RESULT_FLAT, RESULT_NOBODY, 0, 1, 75e-3, backward, "", 0, 0 });
		close_world(&world);
		assert_true(study_found(&world.studied, cases[i].level, found) == (cases[i].found != NULL));
		assert_true(!cases[i].said || says(&world.steps.parts[0], cases[i].said));
		end_world(&world);
	}
}

static void test_fastest(void **state)
{
	struct step_fastest fastest = { 0 };
	struct result row;
	bool clear;

	(void)state;
	assert_null(step_fastest_find(&fastest, &clear));
	result_clear(&row);
	row.time = 0.5;
	row.wrong = 3;
	assert_int_equal(step_fastest_add(&fastest, &row), 0);
	assert_int_equal(fastest.count, 0);
	result_clear(&row);
	assert_int_equal(step_fastest_add(&fastest, &row), 0);
	assert_int_equal(fastest.count, 0);
	for (int i = 0; i < 4; i++) {
		/* 1.0 twice (two cycles), then 1.2 with an interval that reaches to 1.1; the best's goes to 1.05 */
		row.strategy = i < 2 ? RESULT_FLAT : RESULT_BUCKETED;
		row.bucket_cap = i < 2 ? RESULT_NONE : 1 << 20;
		row.time = i < 2 ? 1 : 1.2;
		row.time_ci_low = i < 2 ? 0.95 : 1.1;
		row.time_ci_high = i < 2 ? 1.05 : 1.3;
		assert_int_equal(step_fastest_add(&fastest, &row), 0);
	}
	assert_int_equal(fastest.count, 2);
	assert_string_equal(step_fastest_find(&fastest, &clear)->strategy, RESULT_FLAT);
	assert_true(clear && !fastest.turns);
	row.bucket_cap = 2 << 20;
	row.time_ci_low = 1.04;
	row.flags = RESULT_FLAG_OVERSUBSCRIBED;
	assert_int_equal(step_fastest_add(&fastest, &row), 0);
	assert_string_equal(step_fastest_find(&fastest, &clear)->strategy, RESULT_FLAT);
	assert_true(!clear && fastest.turns);
	step_fastest_clear(&fastest);
}

/* Launches of one ratio differ, launches that were asked for other compute are other steps. */
static void test_compute(void **state)
{
	struct world world;
	const struct step_part *part;
	const struct train_buckets longer = { .backward = 10 * backward, .bytes = GRADIENTS, .a = a, .b = b };

	(void)state;
	open_world(&world);
	world.asked = backward;
	put_sweep(&world, "r1", RESULT_POLLING, 1);
	world.asked = backward * 1.005;
	put_sweep(&world, "r2", RESULT_NOBODY, 1.2);
	close_world(&world);
	assert_false(world.steps.parts[0].mixed);
	assert_close(world.steps.parts[0].best->points[0].asked, backward);
	/* As long as was asked for. */
	assert_false(says(world.steps.parts, "compute alone t"));
	end_world(&world);
	open_world(&world);
	world.spread = 0;
	world.asked = backward;
	put_sweep(&world, "r1", RESULT_POLLING, 1);
	world.asked = 10 * backward;
	put(&world, &(struct step){ "r2", RESULT_BUCKETED, RESULT_POLLING, 8 << 20, 13, train_buckets_time(&longer, 13),
				    10 * backward, "", 0, 0 });
	put(&world, &(struct step){ "r2", RESULT_BUCKETED, RESULT_NOBODY, 8 << 20, 13, 0.6, 10 * backward, "", 0, 0 });
	close_world(&world);
	part = world.steps.parts;
	assert_int_equal(part->nlines, 5);
	assert_true(part->mixed);
	assert_string_equal(part->lines[0].label, "bucketed, polling, compute 50 ms");
	assert_string_equal(part->lines[1].label, "bucketed, polling, compute 500 ms");
	assert_true(says(part, "steps are of different compute (50 ms to 500 ms), so they are compared by step / compute alone"));
	/* The times of the longer ones are no loss. */
	assert_ptr_equal(part->best, &part->lines[1]);
	assert_true(says(part, "flat, polling takes 1.21 times its compute, the best bucketed step 1.00 times"));
	assert_close(step_model_of(part, &part->lines[0], &part->lines[0].points[0]), part->lines[0].points[0].time);
	assert_close(step_model_of(part, &part->lines[1], &part->lines[1].points[0]), part->lines[1].points[0].time);
	assert_true(says(part, "bucketed steps take at most 2 % more with progress polling, 20 % more with progress none"));
	end_world(&world);
}

/* Steps whose tensors are not equal, as a network makes them that needs no help. */
static void put_uneven(struct world *world, const char *progress, const char *flags, double factor)
{
	static const uint64_t elements[] = { 10, 1, 1, 9, 1, 1, 10, 2, 1, 8, 3, 3 };
	static const long caps[] = { 4, 6, 8, 20, 48 }; /* a tensor is over most of them */
	const struct train_buckets model = { .backward = 10e-3, .a = a, .b = b };

	open_world(world);
	for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
		const long cap = caps[i] << 20;
		size_t calls;
		const double time = train_buckets_replay(&model, elements, sizeof elements / sizeof *elements, GRADIENTS / 50.0,
							 (double)cap, &calls);

		put(world,
		    &(struct step){ "r1", RESULT_BUCKETED, progress, cap, (long)calls, factor * time, 10e-3, flags, 0, 0 });
	}
	close_world(world);
}

/* What whole tensors cost against equal buckets is no price of progress, nor is there one where data moves by itself. */
static void test_price_of_shapes(void **state)
{
	static const struct {
		const char *progress, *flags;
		double factor;
		bool told;
	} cases[] = { { RESULT_POLLING, "", 1, false },
		      { RESULT_POLLING, "", 1.5, true },
		      { RESULT_POLLING, "simulated", 1.5, false },
		      { RESULT_DEVICE, "", 1.5, false } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world world;
		const struct step_line *line;

		put_uneven(&world, cases[i].progress, cases[i].flags, cases[i].factor);
		line = &world.steps.parts[0].lines[0];
		assert_close(world.steps.parts[0].model.buckets.a, a);
		assert_true(line->points[3].time > 1.05 * step_model_of(world.steps.parts, line, &line->points[3]));
		assert_true(says(world.steps.parts, "what progress costs") == cases[i].told);
		end_world(&world);
	}
}

/* A bucketed step by polling and a flat one by nobody of one launch, whose computes take so much of what was asked for. */
static void put_busy(struct world *world, const char *progress, double own, double nobody, const char *flags)
{
	open_world(world);
	world->asked = backward;
	world->spread = 0.05;
	put(world, &(struct step){ "r1", RESULT_BUCKETED, progress, 8 << 20, 13, 0.2, own * backward, flags, 0, 0 });
	put(world, &(struct step){ "r1", RESULT_BUCKETED, progress, 16 << 20, 7, 0.2, own * backward, flags, 0, 0 });
	put(world, &(struct step){ "r1", RESULT_BUCKETED, progress, 32 << 20, 4, 0.2, own * backward, "", 0, 0 });
	put(world, &(struct step){ "r1", RESULT_FLAT, RESULT_NOBODY, 0, 1, 0.2, nobody * backward, "", 0, 0 });
	close_world(world);
}

/* Compute alone does not poll: what it takes where nobody moves data is not polling's. */
static void test_blame(void **state)
{
	struct world world;

	(void)state;
	put_busy(&world, RESULT_POLLING, 2.05, 2.2, "late");
	assert_true(says(world.steps.parts,
			 "compute alone took 105 % more than was asked for: other programs or clocks were in the way"));
	assert_false(says(world.steps.parts, "compute alone takes"));
	assert_true(says(world.steps.parts, "; most of these rows are late or noisy"));
	end_world(&world);
	put_busy(&world, RESULT_POLLING, 2.4, 2, "");
	assert_false(says(world.steps.parts, "compute alone takes"));
	assert_true(says(world.steps.parts, "more than was asked for: other programs or clocks were in the way"));
	end_world(&world);
	put_busy(&world, RESULT_THREAD, 2.4, 2, RESULT_FLAG_OVERSUBSCRIBED);
	assert_false(says(world.steps.parts, "compute alone takes"));
	end_world(&world);
	put_busy(&world, RESULT_THREAD, 2.14, 2, ""); /* known to 5 % each */
	assert_false(says(world.steps.parts, "compute alone takes"));
	end_world(&world);
	put_busy(&world, RESULT_THREAD, 2.4, 2, "");
	assert_true(says(world.steps.parts,
			 "compute alone takes 20 % more with progress thread, against rows of the same file with progress none"));
	assert_false(says(world.steps.parts, "than was asked for"));
	assert_true(says(world.steps.parts, "what progress costs: "));
	assert_false(says(world.steps.parts, "late or noisy"));
	end_world(&world);
}

/* Rows of old files do not say what was asked for. */
static void test_compute_of_old(void **state)
{
	char text[STEP_WORDS];
	struct world world;

	(void)state;
	open_world(&world);
	put(&world, &(struct step){ "sim-1", RESULT_BUCKETED, RESULT_DEVICE, 1 << 20, 100, 0.06, backward, "simulated", 0, 0 });
	put(&world,
	    &(struct step){ "sim-1", RESULT_BUCKETED, RESULT_DEVICE, 1 << 20, 100, 0.51, 10 * backward, "simulated", 0, 0 });
	put(&world, &(struct step){ "sim-1", RESULT_BUCKETED, RESULT_NOBODY, 1 << 20, 100, 0.07, backward, "simulated", 0, 0 });
	put(&world, &(struct step){ "sim-1", RESULT_BUCKETED, RESULT_NOBODY, 1 << 20, 100, 0.07, backward, "simulated", 0, 0 });
	close_world(&world);
	assert_int_equal(world.steps.parts[0].nlines, 3);
	assert_int_equal(world.steps.parts[0].lines[0].points[0].launches, 1);
	/* The very same row is the same step. */
	assert_int_equal(world.steps.parts[0].lines[2].points[0].launches, 1);
	assert_true(world.steps.parts[0].mixed);
	assert_false(says(world.steps.parts, "compute alone takes"));
	end_world(&world);
	/* Of one launch all steps have one compute, however much it wanders. */
	open_world(&world);
	put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_POLLING, 1 << 20, 100, 0.07, backward, "", 0, 0 });
	put(&world, &(struct step){ "r1", RESULT_FLAT, RESULT_POLLING, 0, 1, 0.09, backward * 1.2, "", 0, 0 });
	put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_NOBODY, 1 << 20, 100, 0.09, backward * 1.3, "", 0, 0 });
	close_world(&world);
	assert_false(world.steps.parts[0].mixed);
	assert_true(says(world.steps.parts, "none 90 ms at 1 MiB (overlap none); compute alone took 50 ms to 65 ms beside them"));
	assert_true(step_words_summary(world.steps.parts, text, sizeof text));
	assert_non_null(strstr(text, "; flat 90 ms (compute alone took 20 % more beside it)"));
	assert_true(says(world.steps.parts, "flat, polling takes 90 ms, 7.1 % more than the best bucketed step by step / compute "
					    "alone, which took 20 % more there"));
	end_world(&world);
}

static void put_calls(struct world *world, int ranks, const char *type, double alpha, double per_byte, double noise)
{
	for (int i = 0; i <= 17; i++)
		fprintf(world->text.out, "1,,,r1,all_reduce,mpi,shm,%d,,%s,sum,in-place,%.0f,%.9g,,,0,,,,,,,,,,,,,\n", ranks,
			type, ldexp(1024, i), (alpha + ldexp(1024, i) * per_byte) * 1e6 * (i % 2 ? 1 + noise : 1 / (1 + noise)));
}

/* A slow spell of the machine, in which nothing overlaps less, is no price of progress: be it of compute or of communication. */
static void test_price_of_a_slow_machine(void **state)
{
	static const double spells[] = { 1, 1.7, 1.7, 1.6, 1.7 };

	(void)state;
	for (int i = 0; i < 3; i++) {
		const bool none = i == 1, calls_are_slow = i == 2;
		struct world world;

		open_world(&world);
		world.asked = calls_are_slow ? 5e-3 : backward;
		world.slower = calls_are_slow ? 1.2 : 1;
		for (size_t k = 0; k < sizeof spells / sizeof *spells; k++) {
			const long cap = (2L << 20) << k, calls = (GRADIENTS + cap - 1) / cap;
			const struct train_buckets own = { .backward = world.asked * (calls_are_slow ? 1 : spells[k]),
							   .bytes = GRADIENTS,
							   .a = world.slower * a,
							   .b = world.slower * b };
			const double all = own.backward + (double)calls * own.a + own.b * own.bytes;

			put(&world,
			    &(struct step){ "r1", RESULT_BUCKETED, none ? RESULT_NOBODY : RESULT_POLLING, cap, calls,
					    none ? all : train_buckets_time(&own, (double)calls), own.backward, "", 0, 0 });
		}
		if (calls_are_slow)
			put_calls(&world, 4, "float", a, b, 0);
		close_world(&world);
		assert_int_equal(world.steps.parts[0].model.origin, calls_are_slow ? STEP_SWEEP : STEP_STEPS);
		assert_true(says(world.steps.parts, "what progress costs") == none);
		end_world(&world);
	}
}

/* What intervals leave open is no price: beyond them, or by over 5 % where there are none. */
static void test_price_of_intervals(void **state)
{
	static const struct {
		double factor, spread;
		const char *said; /* NULL: nothing */
	} cases[] = {
		{ 1.2, 0.02, "bucketed steps take 17 % to 24 % more with progress polling (medians" },
		{ 1.2, 0.25, NULL },
		{ 1.2, 0.16, NULL },
		{ 1.2, 1, "bucketed steps take 20 % to 22 % more with progress polling (medians" }, /* which is none */
		{ 1.04, 0, "bucketed steps take 3.8 % to 5.7 % more with progress polling (medians" },
		{ 1.04, 1, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world world;

		open_world(&world);
		world.spread = cases[i].spread;
		put_sweep(&world, "r1", RESULT_POLLING, cases[i].factor);
		close_world(&world);
		if (says(world.steps.parts, cases[i].said ? cases[i].said : "what progress costs") != (cases[i].said != NULL))
			fail_msg("case %zu", i);
		end_world(&world);
	}
}

/* Three launches that differ by what a price would be have none. */
static void test_price_of_launches(void **state)
{
	static const double apart[][3] = { { 1.2, 1.22, 1.24 }, { 1, 1.2, 1.6 } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct world world;

		open_world(&world);
		put_sweep(&world, "r1", RESULT_POLLING, apart[i][0]);
		put_sweep(&world, "r2", RESULT_POLLING, apart[i][1]);
		put_sweep(&world, "r3", RESULT_POLLING, apart[i][2]);
		close_world(&world);
		assert_true(says(world.steps.parts, "bucketed steps take 20 % to 26 % more with progress polling") == (i == 0));
		assert_true(says(world.steps.parts, "what progress costs") == (i == 0));
		end_world(&world);
	}
}

/* Steps of 4 to 32 MiB as the model has them, those from `turned` on of ranks that took turns. */
static void put_turned(struct world *world, const char *progress, double factor, double compute, int turned)
{
	const struct train_buckets model = {
		.backward = compute, .bytes = GRADIENTS, .a = world->slower * a, .b = world->slower * b
	};

	for (int i = 0; i < 4; i++) {
		const long cap = (4L << 20) << i, calls = (GRADIENTS + cap - 1) / cap;

		put(world, &(struct step){ "r1", RESULT_BUCKETED, progress, cap, calls,
					   (i >= turned ? 1.5 : factor) * train_buckets_time(&model, (double)calls), compute,
					   i >= turned ? RESULT_FLAG_OVERSUBSCRIBED : "", 0, 0 });
	}
}

/* By two kinds of progress, of which ranks took turns by none, one or both: what those take is not progress's. */
static void test_progress_of_turns(void **state)
{
	static const char *const said[] = {
		"best bucketed step by progress: thread 84.7 ms at 4 MiB (overlap none), none 111 ms",
		"thread 106 ms at 4 MiB (ranks took turns), none 111 ms",
		"best bucketed step by progress: ",
		"; where ranks took turns the time tells nothing of progress",
		"; compute alone took 50 ms to 70 ms beside them",
		"; intervals leave open",
		"more with progress thread, ",
		"more with progress none (medians",
		"compute alone takes 40 % more with progress thread",
		"than was asked for",
		"what the progress thread costs communication: alone it takes 10 % more than with progress none",
	};
	static const char *const expected[] = { "y-y-y-yyy-y", "-yyy---y---", "-----------" };

	(void)state;
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		struct world world;

		open_world(&world);
		world.asked = backward;
		world.slower = 1.1;
		put_turned(&world, RESULT_THREAD, 1.2, 1.4 * backward, i > 0 ? 0 : 4);
		world.slower = 1;
		put_turned(&world, RESULT_NOBODY, 2.2, backward, i > 1 ? 0 : 4);
		close_world(&world);
		for (size_t k = 0; k < sizeof said / sizeof *said; k++)
			if (says(world.steps.parts, said[k]) != (expected[i][k] == 'y'))
				fail_msg("case %zu: %s", i, said[k]);
		end_world(&world);
	}
}

/* Within a line, too. */
static void test_price_beside_turns(void **state)
{
	struct world world;

	(void)state;
	for (int i = 0; i < 2; i++) {
		open_world(&world);
		put_turned(&world, RESULT_POLLING, i > 0 ? 1.2 : 1, backward, 1);
		close_world(&world);
		assert_true(says(world.steps.parts, "what progress costs") == (i > 0));
		end_world(&world);
	}
}

/* What one call takes by itself is taken only where the steps' own calls bear it out. */
static void test_sweeps_of_others(void **state)
{
	static const struct {
		int ranks;
		const char *type, *said;
		double a, b, noise;
		enum step_origin origin;
	} cases[] = {
		{ 4, "float", "of the line through the all_reduce rows in run/x.csv.", 110e-6, 0.9e-10, 0, STEP_SWEEP },
		{ 4, "float", "as the line through the all_reduce rows in run/x.csv says 400 % more of it", 500e-6, 5e-10, 0,
		  STEP_STEPS },
		{ 2, "float", "as no all_reduce rows of these ranks, type and network are in this report", 110e-6, 0.9e-10, 0,
		  STEP_STEPS },
		{ 4, "double", "as no all_reduce rows of these ranks, type and network are in this report", 110e-6, 0.9e-10, 0,
		  STEP_STEPS },
		{ 4, "float", "It rests on a poor fit: a and b are 18 % off", 100e-6, 1e-10, 0.2, STEP_SWEEP },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world world;

		open_world(&world);
		put_sweep(&world, "r1", RESULT_POLLING, 1);
		put_calls(&world, cases[i].ranks, cases[i].type, cases[i].a, cases[i].b, cases[i].noise);
		close_world(&world);
		assert_int_equal(world.steps.parts[0].model.origin, cases[i].origin);
		if (!says(world.steps.parts, cases[i].said))
			fail_msg("case %zu: not said: %s", i, cases[i].said);
		end_world(&world);
	}
}

/* Tensors are not cut: a cap makes the calls that were counted, and an optimum is a whole number of them. */
static void test_whole_buckets(void **state)
{
	static const struct {
		long cap, calls;
	} sizes[] = { { 1 << 20, 61 }, { 2 << 20, 25 }, { 8 << 20, 5 }, { 16 << 20, 3 }, { 32 << 20, 2 } };
	/* (Tb - b G) / a = 3.318 */
	const struct train_buckets model = { .backward = 770e-6, .bytes = 40e6, .a = 70e-6, .b = 537.74e-6 / 40e6 };
	struct world world;
	const struct step_part *part;

	(void)state;
	open_world(&world);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const double calls = (double)sizes[i].calls, comm = calls * model.a + model.b * model.bytes;
		const double time = train_buckets_time(&model, calls);

		fprintf(world.text.out,
			"1,,,r1,bucket,mpi,shm,4,,float,sum,in-place,40000000,%.12g,,,0,,bucketed,%ld,%ld,192,,polling,770,%.12g,"
			"%.12g,%.12g,,\n",
			time * 1e6, sizes[i].cap, sizes[i].calls, comm * 1e6, (time - model.backward) * 1e6,
			1 - (time - model.backward) / comm);
	}
	close_world(&world);
	part = world.steps.parts;
	assert_close(part->model.exact, train_buckets_best(&model));
	assert_true(part->model.exact > 3.3 && part->model.exact < 3.4);
	assert_true(part->model.calls == 3 || part->model.calls == 4);
	assert_true(part->model.time <= train_buckets_time(&model, 3) * (1 + 1e-9));
	assert_true(part->model.time <= train_buckets_time(&model, 4) * (1 + 1e-9));
	assert_true(says(part, " buckets of ") && says(part, "(k* = 3.318; a cap between 8 MiB (5 calls) and 16 MiB (3))"));
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		assert_close(step_model_at(part, (double)sizes[i].cap), train_buckets_time(&model, (double)sizes[i].calls));
	assert_close(step_model_calls(part, part->model.cap), part->model.calls);
	assert_close(step_model_calls(part, 4 << 20), sqrt(25 * 5.0));
	assert_close(step_model_calls(part, 1), 192);
	assert_close(step_model_calls(part, 1e12), 1);
	assert_true(says(part, "It supposes k equal buckets"));
	/* What the model leaves is no price. */
	assert_false(says(part, "what progress costs"));
	end_world(&world);
}

static void test_open_differences(void **state)
{
	struct world world;
	const struct step_part *part;

	(void)state;
	open_world(&world);
	world.spread = 0.2;
	put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_POLLING, 8 << 20, 13, 0.060, backward, "", 0, 0 });
	put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_POLLING, STEP_DEFAULT_CAP, 4, 0.074, backward, "", 0, 0 });
	put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_POLLING, 64 << 20, 2, 0.100, backward, "", 0, 0 });
	put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_THREAD, 8 << 20, 13, 0.066, backward, "", 0, 0 });
	put(&world, &(struct step){ "r1", RESULT_FLAT, RESULT_POLLING, 0, 1, 0.062, backward, "", 0, 0 });
	put(&world, &(struct step){ "r1", RESULT_NAIVE, RESULT_POLLING, 0, 400, 0.110, backward, "", 0, 0 });
	close_world(&world);
	part = world.steps.parts;
	assert_true(
		says(part,
		     "60 ms a step, hardly more than its compute alone (50 ms); no size from 8 MiB to 25 MiB is clearly faster"));
	assert_true(says(part, "buckets of 25 MiB, a usual default, are not clearly slower than the best (measured)"));
	assert_true(says(
		part, "flat, polling takes 62 ms, which is not clearly apart from the best bucketed step; naive, polling takes "
		      "110 ms, 83 % more than"));
	assert_true(says(part, "; intervals leave open which is fastest"));
	assert_false(study_found(&world.studied, FINDING_WARNING, "hides"));
	end_world(&world);
}

static void test_contradictions(void **state)
{
	static const struct {
		const char *cells, *why; /* from time_us to wrong; from compute_us to overlap */
		const char *rest;
	} bad[] = {
		{ "2.5,900,1100,0", "a time that is not within its interval", "770,1000,230,0.77" },
		{ "1000,,,0", "an exposed time that is not the step's less its compute", "770,1000,23,0.977" },
		{ "1000,,,0", "an overlap that is not 1 - exposed / communication", "770,1000,230,0.5" },
		{ "1e308,,,0", "a time that no step takes", "770,1000,,0.5" },
		{ "1000,,,0", "a time that no step takes", "770,1e300,230," },
		{ "1000,,,7", "an overlap that is not 1 - exposed / communication", "770,1000,230,0.9" },
	};
	static const char *const good[] = { "770,1000,230,0.77", "770,1000,230,",     "770,115,230,-1", "770,115,230,0", ",,,",
					    "1100,1000,0,1",     "1100,1000,-100,1.1" };

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct world world;

		open_world(&world);
		fprintf(world.text.out, "1,5,9,r1,bucket,mpi,shm,4,,float,sum,in-place,1024,%s,,bucketed,512,2,4,,polling,%s,,\n",
			bad[i].cells, bad[i].rest);
		for (size_t k = 0; k < sizeof good / sizeof *good; k++)
			fprintf(world.text.out,
				"1,,,r1,bucket,mpi,shm,4,,float,sum,in-place,1024,1000,,,0,,bucketed,%zu,2,4,,polling,%s,,\n",
				513 + k, good[k]);
		close_world(&world);
		assert_int_equal(world.steps.contradictory, 1);
		assert_true(study_found(&world.studied, FINDING_WARNING,
					"1 row of training steps contradicts itself and is left out (first: bucketed of "
					"run/x.csv, point 5 has a"));
		assert_true(study_found(&world.studied, FINDING_WARNING, bad[i].why));
		assert_int_equal(world.steps.parts[0].lines[0].npoints, 7);
		assert_true(world.studied.findings.wrong_data == (i == 5));
		end_world(&world);
	}
}

static void test_order_of_parts(void **state)
{
	struct world world;

	(void)state;
	open_world(&world);
	for (int ranks = 2; ranks <= 4; ranks++)
		fprintf(world.text.out,
			"1,,,r1,bucket,sim,,%d,,float,sum,in-place,1024,10,,,0,simulated,flat,,1,4,,none,5,,5,,,\n", ranks);
	put(&world, &(struct step){ "r1", RESULT_FLAT, RESULT_POLLING, 0, 1, 0.09, backward, "", 0, 0 });
	close_world(&world);
	assert_int_equal(world.steps.count, 4);
	assert_string_equal(world.steps.parts[0].key->backend, "mpi");
	assert_int_equal(world.steps.parts[1].key->nranks, 2);
	assert_int_equal(world.steps.parts[3].key->nranks, 4);
	end_world(&world);
}

static void test_rows_that_are_none(void **state)
{
	static const struct {
		const char *row, *column;
	} bad[] = {
		{ "all_reduce,mpi,shm,4,,float,sum,in-place,1024,10,,,0,,bucketed,512,2,4,,polling,5,6,5,0.5,,", "strategy" },
		{ "bucket,mpi,shm,4,,float,sum,in-place,1024,10,,,0,,,512,2,4,,polling,5,6,5,0.5,,", "strategy" },
		{ "bucket,mpi,shm,4,,float,sum,in-place,1024,10,,,0,,bucketed,0,2,4,,polling,5,6,5,0.5,,", "bucket_cap" },
		{ "bucket,mpi,shm,4,,float,sum,in-place,1024,10,,,0,,bucketed,512,-2,4,,polling,5,6,5,0.5,,", "calls" },
		{ "bucket,mpi,shm,4,,float,sum,in-place,1024,10,,,0,,bucketed,512,2,0,,polling,5,6,5,0.5,,", "tensors" },
		{ "bucket,mpi,shm,4,,float,sum,in-place,1024,10,,,0,,fsdp,,2,4,-1,polling,5,6,5,0.5,,", "prefetch" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct rows *rows = rows_new();
		char text[1024], error[512] = "";

		snprintf(text, sizeof text, "%s1,,,r1,%s\n", header, bad[i].row);
		assert_int_equal(rows_parse(rows, "x.csv", text, strlen(text), error, sizeof error), -1);
		if (!strstr(error, bad[i].column))
			fail_msg("%s: %s", bad[i].column, error);
		rows_free(rows);
	}
}

/* Caps below the tensors make no more calls: no cap is named for the calls that the model would have. */
static void test_plateau(void **state)
{
	struct world world;
	const struct step_model *model;
	char text[STEP_WORDS];

	(void)state;
	open_world(&world);
	for (int i = 0; i < 4; i++) {
		const long calls = i < 2 ? 60 : 60 >> (i - 1);

		put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_POLLING, (256L << 10) << (2 * i), calls,
					    backward + (double)calls * a + b * GRADIENTS / (double)calls, backward, "", 0, 0 });
	}
	close_world(&world);
	model = &world.steps.parts[0].model;
	assert_int_equal(world.steps.parts[0].lines[0].points[0].calls, 60);
	assert_true(model->origin != STEP_NOTHING && model->calls > 60 && isnan(model->cap));
	assert_true(says(world.steps.parts, "more than any cap measured here makes)"));
	assert_true(step_words_summary(world.steps.parts, text, sizeof text));
	assert_non_null(strstr(text, human_size(model->bytes).text));
	end_world(&world);
}

static void test_figure(void **state)
{
	struct world world;
	char *text = NULL;
	size_t size;
	FILE *out;

	(void)state;
	open_world(&world);
	put_sweep(&world, "r1", RESULT_POLLING, 1);
	put(&world, &(struct step){ "r1", "b'`$(x)", RESULT_POLLING, 1 << 20, 100, 0.1, backward, "", 0, 0 });
	close_world(&world);
	assert_true(step_plot_has(&world.steps, 0));
	assert_false(step_plot_has(&world.steps, 1));
	out = open_memstream(&text, &size);
	step_plot_script(out, world.steps.parts, 0);
	fclose(out);
	assert_non_null(strstr(text, "label[1] = \"bucketed polling\"\nin_place[1] = 1\nlabel[2] = \"b????x? polling\""));
	assert_non_null(strstr(text, "level_label[1] = \"flat polling\"\nlevel[1] = 60585.76\n"));
	assert_non_null(strstr(text, "has_model = 1\ncompute_us = 50000\nmeasured_bytes = 1048576\n"));
	/* The axis reaches to the predicted optimum. */
	assert_non_null(strstr(text, "\nxmin = 265"));
	assert_non_null(strstr(text, "\npredicted_bytes = 265"));
	free(text);
	out = open_memstream(&text, &size);
	step_plot_data(out, world.steps.parts);
	fclose(out);
	assert_non_null(strstr(text, "\n67108864 "));
	assert_non_null(strstr(text, "\n\n\n# bucket_bytes model_us\n"));
	free(text);
	end_world(&world);
	/* An interval from 0 on is none, and no edge of a logarithmic axis. */
	open_world(&world);
	world.spread = 1;
	put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_POLLING, 1 << 20, 100, 0.1, backward, "", 0, 0 });
	close_world(&world);
	assert_true(isnan(world.steps.parts[0].lines[0].points[0].low));
	end_world(&world);
	/* Without sizes there is nothing to draw. */
	open_world(&world);
	put(&world, &(struct step){ "r1", RESULT_FLAT, RESULT_POLLING, 0, 1, 0.1, backward, "", 0, 0 });
	close_world(&world);
	assert_false(step_plot_has(&world.steps, 0));
	assert_true(says(world.steps.parts, "4 ranks; a step reduces 100 MiB of gradients in 400 tensors, float"));
	end_world(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_model_of_steps),
		cmocka_unit_test(test_model_of_sweep),
		cmocka_unit_test(test_no_model),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_default_cap),
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_wrong_data),
		cmocka_unit_test(test_no_buckets),
		cmocka_unit_test(test_cap_between),
		cmocka_unit_test(test_why_little_is_hidden),
		cmocka_unit_test(test_overlap_error),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_nobody),
		cmocka_unit_test(test_absent_overlap),
		cmocka_unit_test(test_clearly_slower),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_fastest),
		cmocka_unit_test(test_compute),
		cmocka_unit_test(test_price_of_shapes),
		cmocka_unit_test(test_price_of_a_slow_machine),
		cmocka_unit_test(test_price_of_intervals),
		cmocka_unit_test(test_price_of_launches),
		cmocka_unit_test(test_progress_of_turns),
		cmocka_unit_test(test_price_beside_turns),
		cmocka_unit_test(test_blame),
		cmocka_unit_test(test_compute_of_old),
		cmocka_unit_test(test_sweeps_of_others),
		cmocka_unit_test(test_whole_buckets),
		cmocka_unit_test(test_open_differences),
		cmocka_unit_test(test_contradictions),
		cmocka_unit_test(test_order_of_parts),
		cmocka_unit_test(test_rows_that_are_none),
		cmocka_unit_test(test_plateau),
		cmocka_unit_test(test_figure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
