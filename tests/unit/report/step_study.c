/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of training steps to lines and a model, what is said of them, what is found, and what the figure shows.
 */
#include "study_rows.h"

#include "report/step_findings.h"
#include "report/step_plot.h"
#include "report/step_words.h"

static const char header[] =
	"schema,point,points,run,collective,backend,path,nranks,nnodes,type,redop,placement,bytes,time_us,time_ci_low_us,"
	"time_ci_high_us,wrong,flags,strategy,bucket_cap,calls,tensors,prefetch,progress,compute_us,comm_us,"
	"exposed_us,overlap\n";

/* A step of 100 MiB in 400 tensors: Tb 50 ms, a 100 us, 10 GB/s. */
enum { GRADIENTS = 100 << 20 };
static const double backward = 50e-3, a = 100e-6, b = 1e-10;

struct step {
	const char *run, *strategy, *progress;
	long cap, calls;
	double time, compute, overlap; /* seconds */
	const char *flags;
	int wrong, nodes;
};

struct world {
	struct study_text text;
	struct studied studied;
	struct step_study steps;
};

static void open_world(struct world *world)
{
	world->text = (struct study_text){ 0 };
	world->text.out = open_memstream(&world->text.text, &world->text.size);
	assert_non_null(world->text.out);
	fputs(header, world->text.out);
}

static void put(struct world *world, const struct step *step)
{
	const double comm = (double)step->calls * a + b * GRADIENTS;
	char cap[24] = "", nodes[24] = "";

	if (step->nodes > 0)
		snprintf(nodes, sizeof nodes, "%d", step->nodes);
	if (step->cap > 0)
		snprintf(cap, sizeof cap, "%ld", step->cap);
	fprintf(world->text.out,
		"1,,,%s,bucket,mpi,shm,4,%s,float,sum,in-place,%d,%.9g,%.9g,%.9g,%d,%s,%s,%s,%ld,400,,%s,%.9g,%.9g,%.9g,%.9g\n",
		step->run, nodes, GRADIENTS, step->time * 1e6, step->time * 0.99e6, step->time * 1.01e6, step->wrong, step->flags,
		step->strategy, cap, step->calls, step->progress, step->compute * 1e6, comm * 1e6,
		(step->time - step->compute) * 1e6, step->overlap);
}

/* Bucketed steps as the model has them, from 1 to 64 MiB, flat and naive. `factor` slows the bucketed ones. */
static void put_sweep(struct world *world, const char *run, const char *progress, double factor)
{
	const struct train_buckets model = { .backward = backward, .bytes = GRADIENTS, .a = a, .b = b };

	for (int i = 0; i <= 6; i++) {
		const long cap = (1L << 20) << i, calls = (GRADIENTS + cap - 1) / cap;

		put(world, &(struct step){ run, RESULT_BUCKETED, progress, cap, calls,
					   factor * train_buckets_time(&model, (double)calls), backward, 0.8, "", 0, 0 });
	}
	put(world, &(struct step){ run, RESULT_FLAT, progress, 0, 1, backward + a + b * GRADIENTS, backward, 0, "", 0, 0 });
	put(world,
	    &(struct step){ run, RESULT_NAIVE, progress, 0, 400, backward + 400 * a + b * GRADIENTS, backward, 0, "", 0, 0 });
}

static void close_world(struct world *world)
{
	static const struct report_options options = { 0 };

	study_read(&world->text, &options, &world->studied);
	assert_int_equal(step_study_build(&world->studied.study, &world->steps), 0);
	assert_int_equal(step_findings(&world->studied.findings, &world->steps), 0);
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
	fputs("1,,,r1,bucket,mpi,shm,8,,float,sum,in-place,1024,10,,,0,,bucketed,512,2,4,,polling,5,6,5,0.5\n", world.text.out);
	fputs("1,,,r1,bucket,mpi,shm,8,,float,sum,in-place,1024,10,,,0,,fsdp,,2,4,1,polling,5,6,5,0.5\n", world.text.out);
	fputs("1,,,r1,bucket,mpi,shm,8,,float,sum,in-place,1024,10,,,0,,fsdp,,2,4,2,polling,5,6,5,0.5\n", world.text.out);
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
	assert_close(part->model.calls, train_buckets_best(&model));
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
		fprintf(world.text.out, "1,,,r1,all_reduce,mpi,shm,4,,float,sum,in-place,%.0f,%.9g,,,0,,,,,,,,,,,\n",
			ldexp(1024, i), i < 8 ? 5 + ldexp(1024, i) * 1e-5 : 30 + ldexp(1024, i) * 2e-4);
	for (int i = 0; i <= 17; i++)
		fprintf(world.text.out, "1,,,r1,all_reduce,mpi,shm,2,,float,sum,in-place,%.0f,%.9g,,,0,,,,,,,,,,,\n",
			ldexp(1024, i), (10e-6 + ldexp(1024, i) * 1e-10) * 1e6);
	close_world(&world);
	part = world.steps.parts;
	assert_int_equal(part->model.origin, STEP_SWEEP);
	assert_close(part->model.buckets.a, 30e-6);
	assert_close(part->model.buckets.b, 2e-10);
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
			"1,,,r1,bucket,mpi,shm,4,,float,sum,in-place,1048576,%d,,,0,,bucketed,%d,%d,64,,polling,100,%d,10,0.5\n",
			200 - calls, 1048576 / calls, calls, 100 - calls);
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
	const char *how = NULL;
	char text[STEP_WORDS];

	(void)state;
	open_world(&world);
	put_sweep(&world, "r1", RESULT_POLLING, 1.02);
	put_sweep(&world, "r2", RESULT_NOBODY, 1.3);
	close_world(&world);
	part = world.steps.parts;
	assert_true(says(
		part, "measured optimum: bucketed, polling at 1 MiB, 51.2 ms a step, 2.4 % more than its compute alone (50 ms)"));
	assert_true(says(part, "from 1 MiB to 8 MiB a step takes at most 2 % more"));
	assert_true(says(part, "predicted optimum: 395 buckets of 259 KiB"));
	assert_true(
		says(part, "flat, polling takes 60.6 ms, 18 % more than the best bucketed step; naive, polling takes 100 ms"));
	assert_true(says(part, "polling 51.2 ms at 1 MiB (overlap 80 %), none 65.3 ms at 1 MiB"));
	assert_true(says(part, "bucketed steps take 2 % more with progress polling, 30 % more with progress none"));
	assert_true(says(part, step_words_nobody));
	assert_true(step_words_default(part, &how) > part->best->points[4].time / step_best(part->best)->time);
	assert_true(step_words_default(part, &how) < part->best->points[5].time / step_best(part->best)->time);
	assert_string_equal(how, "read between the sizes measured");
	assert_true(step_words_summary(part, text, sizeof text));
	assert_string_equal(text, "bucketed, polling: 51.2 ms at 1 MiB, overlap 80 %; flat 60.6 ms; predicted optimum 259 KiB");
	end_world(&world);
}

static void test_default_cap(void **state)
{
	struct world world;
	const char *how = NULL;

	(void)state;
	open_world(&world);
	put(&world, &(struct step){ "r", RESULT_BUCKETED, RESULT_POLLING, 8 << 20, 13, 51e-3, backward, 0.9, "", 0, 0 });
	put(&world, &(struct step){ "r", RESULT_BUCKETED, RESULT_POLLING, 16 << 20, 7, 52e-3, backward, 0.9, "", 0, 0 });
	close_world(&world);
	assert_true(isnan(step_words_default(world.steps.parts, &how)));
	end_world(&world);
	open_world(&world);
	put_sweep(&world, "r1", RESULT_POLLING, 1);
	put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_POLLING, STEP_DEFAULT_CAP, 4, 1, backward, 0.9, "", 0, 0 });
	close_world(&world);
	assert_close(step_words_default(world.steps.parts, &how), 1 / step_best(world.steps.parts->best)->time);
	assert_string_equal(how, "measured");
	end_world(&world);
}

static void test_findings(void **state)
{
	struct world world;

	(void)state;
	open_world(&world);
	put_sweep(&world, "r1", RESULT_POLLING, 1.3);
	put(&world, &(struct step){ "r1", RESULT_ZERO, RESULT_POLLING, 1 << 20, 200, 0.1, backward, 0.05, "", 7, 0 });
	put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_NOBODY, 1 << 20, 100, 0.1, backward, 0, "", 0, 0 });
	close_world(&world);
	assert_true(world.studied.findings.wrong_data);
	assert_true(study_found(
		&world.studied, FINDING_ERROR,
		"WRONG DATA in 1 of 11 rows (first: zero, buckets of 1 MiB, polling, 100 MiB of gradients, 7 elements)"));
	assert_true(study_found(&world.studied, FINDING_WARNING,
				"bucketed, polling takes 65.3 ms at its best size of buckets (1 MiB), 7.7 % "
				"more than flat"));
	assert_true(study_found(&world.studied, FINDING_WARNING, "zero, polling hides only 5 % of its communication"));
	assert_true(study_found(&world.studied, FINDING_NOTE,
				"bucketed, none hides 0 % of its communication behind compute: with progress none"));
	assert_false(study_found(&world.studied, FINDING_WARNING, "bucketed, none hides"));
	assert_false(study_found(&world.studied, FINDING_WARNING, "unknown primitive"));
	end_world(&world);
	open_world(&world);
	put_sweep(&world, "r1", RESULT_POLLING, 1);
	close_world(&world);
	assert_int_equal(world.studied.findings.count, 0);
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
		put(&world, &(struct step){ "r1", RESULT_BUCKETED, cases[i].progress, 1 << 20, 100, 0.1, backward, 0.05, "", 0,
					    cases[i].nodes });
		close_world(&world);
		assert_true(study_found(&world.studied, cases[i].level, cases[i].expected));
		end_world(&world);
	}
}

static void test_turns(void **state)
{
	struct world world;

	(void)state;
	open_world(&world);
	put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_POLLING, 1 << 20, 100, 0.2, backward, 0,
				    RESULT_FLAG_OVERSUBSCRIBED, 0, 0 });
	put(&world, &(struct step){ "r1", RESULT_BUCKETED, RESULT_THREAD, 1 << 20, 100, 0.3, backward, 0.5, "", 0, 0 });
	put(&world,
	    &(struct step){ "r1", RESULT_FLAT, RESULT_POLLING, 0, 1, 0.1, backward, 0, RESULT_FLAG_OVERSUBSCRIBED, 0, 0 });
	close_world(&world);
	assert_true(study_found(&world.studied, FINDING_WARNING, "training steps: in 2 of 3 rows ranks took turns"));
	assert_false(study_found(&world.studied, FINDING_WARNING, "more than flat"));
	assert_false(study_found(&world.studied, FINDING_WARNING, "hides only"));
	assert_string_equal(world.steps.parts[0].best->label, "bucketed, thread");
	end_world(&world);
}

static void test_rows_that_are_none(void **state)
{
	static const struct {
		const char *row, *column;
	} bad[] = {
		{ "all_reduce,mpi,shm,4,,float,sum,in-place,1024,10,,,0,,bucketed,512,2,4,,polling,5,6,5,0.5", "strategy" },
		{ "bucket,mpi,shm,4,,float,sum,in-place,1024,10,,,0,,,512,2,4,,polling,5,6,5,0.5", "strategy" },
		{ "bucket,mpi,shm,4,,float,sum,in-place,1024,10,,,0,,bucketed,0,2,4,,polling,5,6,5,0.5", "bucket_cap" },
		{ "bucket,mpi,shm,4,,float,sum,in-place,1024,10,,,0,,bucketed,512,-2,4,,polling,5,6,5,0.5", "calls" },
		{ "bucket,mpi,shm,4,,float,sum,in-place,1024,10,,,0,,bucketed,512,2,0,,polling,5,6,5,0.5", "tensors" },
		{ "bucket,mpi,shm,4,,float,sum,in-place,1024,10,,,0,,fsdp,,2,4,-1,polling,5,6,5,0.5", "prefetch" },
		{ "bucket,mpi,shm,4,,float,sum,in-place,1024,10,,,0,,bucketed,512,2,4,,polling,5,6,5,1.5", "overlap" },
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

static void test_figure(void **state)
{
	struct world world;
	char *text = NULL;
	size_t size;
	FILE *out;

	(void)state;
	open_world(&world);
	put_sweep(&world, "r1", RESULT_POLLING, 1);
	put(&world, &(struct step){ "r1", "b'`$(x)", RESULT_POLLING, 1 << 20, 100, 0.1, backward, 0.5, "", 0, 0 });
	close_world(&world);
	assert_true(step_plot_has(&world.steps, 0));
	assert_false(step_plot_has(&world.steps, 1));
	out = open_memstream(&text, &size);
	step_plot_script(out, world.steps.parts, 0);
	fclose(out);
	assert_non_null(strstr(text, "label[1] = \"bucketed polling\"\nin_place[1] = 0\nlabel[2] = \"b????x? polling\""));
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
	/* Without sizes there is nothing to draw. */
	open_world(&world);
	put(&world, &(struct step){ "r1", RESULT_FLAT, RESULT_POLLING, 0, 1, 0.1, backward, 0, "", 0, 0 });
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
		cmocka_unit_test(test_why_little_is_hidden),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_rows_that_are_none),
		cmocka_unit_test(test_figure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
