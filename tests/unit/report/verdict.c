/* SPDX-License-Identifier: Apache-2.0
 *
 * Bounds against the link's peak, between nodes and where switches reduce, and what is said of what was reached.
 */
#include "study_rows.h"

#include "report/link.h"
#include "report/overview.h"
#include "report/system.h"
#include "report/tables.h"
#include "report/verdict.h"

static const char header[] = "schema,point,points,run,collective,backend,path,algo,nranks,nnodes,type,redop,placement,bytes,time_"
			     "us,busbw_GBps,flags\n";

static void open_rows(struct study_text *text)
{
	*text = (struct study_text){ 0 };
	text->out = open_memstream(&text->text, &text->size);
	assert_non_null(text->out);
	fputs(header, text->out);
}

struct sweep {
	const char *collective, *algo;
	int nranks, nnodes;
	double busbw; /* at large sizes, bytes per second */
	double alpha; /* seconds that each call takes besides */
	int largest;  /* log2 of the bytes */
};

/* From 64 KiB on. */
static void put_sweep(FILE *out, struct sweep sweep)
{
	double factor = collective_find(sweep.collective)->bus_factor(sweep.nranks);

	for (int i = 16; i <= sweep.largest; i++) {
		double time = sweep.alpha + factor * ldexp(1, i) / sweep.busbw;

		fprintf(out, "1,,,r1,%s,nccl,,%s,%d,%d,float,,out-of-place,%.0f,%.12g,%.12g,\n", sweep.collective, sweep.algo,
			sweep.nranks, sweep.nnodes, ldexp(1, i), time * 1e6, factor * ldexp(1, i) / time / 1e9);
	}
}

static void study_sweep(struct studied *studied, const struct report_options *options, struct sweep sweep)
{
	struct study_text text;

	open_rows(&text);
	put_sweep(text.out, sweep);
	study_read(&text, options, studied);
}

static const struct report_options a_rate = { .link = 100e9, .link_text = "100G" };

static void without_sendrecv_bounds_are_of_bandwidth(void **state)
{
	struct studied studied;
	struct bounds bounds;
	const struct figure *figure;

	(void)state;
	study_sweep(&studied, &a_rate, (struct sweep){ "all_reduce", "", 8, 1, 95e9, 20e-6, 30 });
	bounds = study_row_bounds(&studied.study, 0);
	assert_close(bounds.ring, 1.75 * 65536 / 100e9);
	assert_close(bounds.tree, 2.0 * 65536 / 100e9);
	assert_close(bounds.lb, 1.75 * 65536 / 100e9);
	assert_close(bounds.cap, 100e9);
	assert_close(bounds.link, 100e9);
	assert_true(isnan(bounds.hier) && isnan(bounds.nic) && isnan(bounds.sum));
	assert_true(study_found(&studied, FINDING_NOTE, "bounds are of bandwidth alone"));
	assert_false(study_found(&studied, FINDING_NOTE, "no bounds for"));
	assert_string_equal(tables_origin(&studied.study.machines[0]), "link");
	/* The efficiency of the summary is busbw over the link. */
	figure = &studied.study.figures[COLL_ALL_REDUCE];
	assert_close(overview_of(figure, &figure->series[0]).efficiency, overview_of(figure, &figure->series[0]).peak / 100e9);
	study_end(&studied);
}

static void alpha_is_the_fits_where_there_is_one(void **state)
{
	struct study_text text;
	struct studied studied;

	(void)state;
	study_text_open(&text);
	study_sendrecv(&text, "", 8, 5e-6, 20e9);
	fputs("1,,,r1,all_reduce,sim,,8,float,sum,out-of-place,8,99,,,1,0,\n", text.out);
	study_read(&text, &a_rate, &studied);
	assert_close(study_row_bounds(&studied.study, 21).ring, 14 * studied.study.machines[0].fit.alpha + 1.75 * 8 / 100e9);
	assert_true(fabs(studied.study.machines[0].fit.alpha / 5e-6 - 1) < 0.01);
	assert_false(study_found(&studied, FINDING_NOTE, "bandwidth alone"));
	assert_string_equal(tables_origin(&studied.study.machines[0]), "sendrecv and link");
	study_end(&studied);
}

/* 4 nodes of 8, 450 GB/s inside, 8 x 50 GB/s between. */
static struct report_options two_levels(void)
{
	return (struct report_options){ .link = 450e9,
					.link_text = "450G",
					.nic = 50e9,
					.nics = 8,
					.nic_text = "50Gx8",
					.given = true,
					.alpha = 5e-6,
					.bandwidth = 450e9 };
}

static void rows_of_several_nodes_have_two_levels(void **state)
{
	struct report_options options = two_levels();
	struct studied studied;
	struct bounds bounds;
	const struct point *last;
	const struct figure *figure;
	double bytes = 1073741824, q = 31 / 32.0;

	(void)state;
	study_sweep(&studied, &options, (struct sweep){ "all_reduce", "", 32, 4, 300e9, 20e-6, 30 });
	figure = &studied.study.figures[COLL_ALL_REDUCE];
	last = &figure->series[0].points[figure->series[0].npoints - 1];
	bounds = study_point_bounds(figure, &figure->series[0], last);
	assert_close(bounds.nic, 1.5 * bytes / 400e9);
	assert_close(bounds.sum, 14 * 5e-6 + 1.75 * bytes / 450e9 + 6 * 5e-6 + 1.5 * bytes / 400e9);
	assert_close(bounds.hier, 20 * 5e-6 + 1.75 * bytes / 450e9);
	/* 2q S over the link and an eighth of the NICs. */
	assert_close(bounds.lb, 2 * q * bytes / (450e9 + 50e9));
	assert_close(bounds.cap, 500e9);
	assert_close(bounds.link, 400e9);
	assert_close(bounds.ring, 62 * 5e-6 + 2 * q * bytes / 400e9);
	study_end(&studied);
	/* At small sizes five steps of messages count. */
	study_sweep(&studied, &options, (struct sweep){ "all_reduce", "", 32, 4, 300e9, 20e-6, 16 });
	assert_close(study_row_bounds(&studied.study, 0).lb, 25e-6);
	study_end(&studied);
	/* The reader of the command line knows better than the rows. */
	options.gpus_per_node = 16;
	study_sweep(&studied, &options, (struct sweep){ "all_reduce", "", 32, 1, 300e9, 20e-6, 30 });
	assert_close(study_row_bounds(&studied.study, 0).nic, 65536 / 400e9);
	study_end(&studied);
	/* In-network reduction sends each byte once from each node. */
	options.gpus_per_node = 0;
	study_sweep(&studied, &options, (struct sweep){ "all_reduce", "CollNetDirect", 32, 4, 300e9, 20e-6, 30 });
	assert_close(study_row_bounds(&studied.study, 0).cap, 2 * q * 400e9);
	study_end(&studied);
}

static void several_nodes_without_nics_are_told(void **state)
{
	struct report_options uneven = two_levels();
	struct studied studied;

	(void)state;
	study_sweep(&studied, &a_rate, (struct sweep){ "all_reduce", "", 8, 2, 50e9, 20e-6, 30 });
	assert_true(study_found(&studied, FINDING_NOTE, "rows of several nodes"));
	assert_true(isnan(study_row_bounds(&studied.study, 0).link));
	assert_close(study_row_bounds(&studied.study, 0).lb, 1.75 * 65536 / 100e9);
	study_end(&studied);
	study_sweep(&studied, &uneven, (struct sweep){ "all_reduce", "", 7, 2, 50e9, 20e-6, 30 });
	assert_true(study_found(&studied, FINDING_NOTE, "ranks are not spread evenly"));
	study_end(&studied);
}

/* What one sweep on 8 ranks of one node gives. */
static void assert_verdict(const struct report_options *options, struct sweep sweep, enum verdict_kind kind,
			   enum verdict_level level, double ratio, const char *words)
{
	struct verdicts verdicts;
	struct studied studied;
	const struct verdict *verdict;

	study_sweep(&studied, options, sweep);
	assert_int_equal(verdicts_build(&studied.study, &verdicts), 0);
	assert_true(verdicts.count > 0);
	verdict = &verdicts.items[verdicts.count - 1];
	assert_int_equal(verdict->kind, kind);
	if (verdict->level != level || !strstr(verdict->text, words))
		fail_msg("%d %s", (int)verdict->level, verdict->text);
	assert_true(isnan(ratio) ? isnan(verdict->ratio) : fabs(verdict->ratio / ratio - 1) < 0.01);
	if (level == VERDICT_FINE)
		assert_false(study_found(&studied, FINDING_WARNING, "busbw") || study_found(&studied, FINDING_ERROR, "busbw"));
	else if (level == VERDICT_WARN || (level == VERDICT_FAIL && kind == VERDICT_LINK))
		assert_true(study_found(&studied, FINDING_WARNING, words));
	else if (level == VERDICT_FAIL)
		assert_true(study_found(&studied, FINDING_ERROR, words));
	verdicts_clear(&verdicts);
	study_end(&studied);
}

static void reached_of_a_link(void **state)
{
	struct report_options a100 = { .link = 300e9, .link_text = "nvlink3", .known = link_find("nvlink3") };

	(void)state;
	assert_verdict(&a_rate, (struct sweep){ "all_reduce", "", 8, 1, 95e9, 0, 30 }, VERDICT_LINK, VERDICT_FINE, 0.95,
		       "is 95 % of 100 GB/s through the link 100G, against a ring: fine");
	assert_verdict(&a_rate, (struct sweep){ "all_gather", "tree", 8, 1, 85e9, 0, 30 }, VERDICT_LINK, VERDICT_WARN, 0.85,
		       "is 85 % of 100 GB/s through the link 100G, algorithm tree: low");
	assert_verdict(&a_rate, (struct sweep){ "sendrecv", "", 8, 1, 75e9, 0, 30 }, VERDICT_LINK, VERDICT_FAIL, 0.75, "too low");
	/* 78 % of the peak is 98 % of what was ever seen. */
	assert_verdict(&a100, (struct sweep){ "all_reduce", "", 8, 1, 235e9, 0, 33 }, VERDICT_LINK, VERDICT_FINE, 235 / 240.0,
		       "is 78 % of 300 GB/s through the link nvlink3, against a ring, and 98 % of the 240 GB/s that collectives "
		       "reach of it: fine");
}

/* A sweep that ends where alpha still counts says nothing of the link. */
static void a_sweep_that_still_rises_is_not_judged(void **state)
{
	(void)state;
	assert_verdict(&a_rate, (struct sweep){ "all_reduce", "", 8, 1, 95e9, 100e-6, 20 }, VERDICT_LINK, VERDICT_UNSURE,
		       1.75 * 1048576 / (100e-6 + 1.75 * 1048576 / 95e9) / 100e9, "still rises");
	assert_verdict(&a_rate, (struct sweep){ "all_reduce", "", 8, 1, 50e9, 0, 16 }, VERDICT_LINK, VERDICT_UNSURE, 0.5,
		       "still rises");
}

static void over_the_link_where_switches_reduce(void **state)
{
	struct report_options h100 = { .link = 450e9, .link_text = "nvlink4", .known = link_find("nvlink4") };
	struct report_options told = { .link = 100e9, .link_text = "100G", .nvls = true };
	struct sweep sweep = { "all_reduce", "", 8, 1, 480e9, 0, 33 };
	struct studied studied;

	(void)state;
	assert_verdict(&h100, sweep, VERDICT_LINK, VERDICT_FINE, 480 / 370.8,
		       "no error: switches that reduce can give up to 700 GB/s");
	study_sweep(&studied, &h100, sweep);
	assert_int_equal(studied.study.figures[COLL_ALL_REDUCE].above, 0);
	study_end(&studied);
	/* Above that cap it is one, and for a ring above the link. */
	sweep.busbw = 750e9;
	study_sweep(&studied, &h100, sweep);
	assert_true(study_found(&studied, FINDING_WARNING, "above bound"));
	study_end(&studied);
	sweep.busbw = 480e9;
	sweep.algo = "RING/SIMPLE";
	study_sweep(&studied, &h100, sweep);
	assert_true(study_found(&studied, FINDING_WARNING, "above bound"));
	study_end(&studied);
	/* A rate alone tells nothing of switches; --nvls or the algo column does. */
	sweep.busbw = 120e9;
	sweep.algo = "";
	study_sweep(&studied, &a_rate, sweep);
	assert_true(study_found(&studied, FINDING_WARNING, "above bound"));
	study_end(&studied);
	study_sweep(&studied, &told, sweep);
	assert_false(study_found(&studied, FINDING_WARNING, "above bound"));
	study_end(&studied);
	sweep.algo = "NVLS";
	study_sweep(&studied, &a_rate, sweep);
	assert_false(study_found(&studied, FINDING_WARNING, "above bound"));
	assert_close(study_row_bounds(&studied.study, 0).cap, 14 / 9.0 * 100e9);
	study_end(&studied);
	/* What a switch does costs no messages; it helps no all-to-all. */
	told.given = true;
	told.alpha = 5e-6;
	told.bandwidth = 100e9;
	sweep.collective = "all_reduce";
	sweep.algo = "";
	study_sweep(&studied, &told, sweep);
	assert_close(study_row_bounds(&studied.study, 0).lb, 65536 * 1.125 / 100e9);
	study_end(&studied);
	sweep.collective = "alltoall";
	study_sweep(&studied, &told, sweep);
	assert_close(study_row_bounds(&studied.study, 0).lb, 15e-6);
	study_end(&studied);
	sweep.collective = "alltoall";
	study_sweep(&studied, &told, sweep);
	assert_true(study_found(&studied, FINDING_WARNING, "above bound"));
	study_end(&studied);
}

static void reached_of_a_system(void **state)
{
	struct report_options options = { .system = system_find("h100x8") };
	struct sweep sweep = { "all_reduce", "", 8, 1, 480e9, 0, 33 };

	(void)state;
	assert_verdict(&options, sweep, VERDICT_SYSTEM, VERDICT_FINE, 480 / 475.0,
		       "101 % of the 475 GB/s reported for 8 H100 SXM, NVLS");
	sweep.busbw = 0.85 * 475e9;
	assert_verdict(&options, sweep, VERDICT_SYSTEM, VERDICT_WARN, 0.85, ": low");
	sweep.busbw = 0.75 * 475e9;
	assert_verdict(&options, sweep, VERDICT_SYSTEM, VERDICT_FAIL, 0.75, ": too low");
	/* Other ranks, nodes or primitives are no such system. */
	sweep.nranks = 4;
	assert_verdict(&options, sweep, VERDICT_SYSTEM, VERDICT_UNSURE, NAN, "stands for all_reduce on 8 ranks, 1 node");
	sweep.nranks = 8;
	sweep.nnodes = 2;
	assert_verdict(&options, sweep, VERDICT_SYSTEM, VERDICT_UNSURE, NAN, "nothing to compare with h100x8");
	sweep.nnodes = 1;
	sweep.collective = "all_gather";
	assert_verdict(&options, sweep, VERDICT_SYSTEM, VERDICT_UNSURE, NAN, "nothing to compare with h100x8");
	/* Many nodes. */
	options.system = system_find("h100-8xndr");
	sweep = (struct sweep){ "all_reduce", "", 64, 8, 370e9, 0, 33 };
	assert_verdict(&options, sweep, VERDICT_SYSTEM, VERDICT_FINE, 370 / 360.0, "many H100 nodes");
	sweep.nnodes = 1;
	assert_verdict(&options, sweep, VERDICT_SYSTEM, VERDICT_UNSURE, NAN, "on several nodes");
}

static void between_nodes_nics_count(void **state)
{
	struct report_options options = two_levels();

	(void)state;
	assert_verdict(&options, (struct sweep){ "all_reduce", "", 32, 4, 370e9, 0, 33 }, VERDICT_LINK, VERDICT_FINE, 370 / 400.0,
		       "is 92 % of 400 GB/s through the NICs 50Gx8, against a ring: fine");
	assert_verdict(&options, (struct sweep){ "all_reduce", "", 16, 2, 480e9, 0, 33 }, VERDICT_LINK, VERDICT_FINE, 1.2,
		       "no error: combining traffic between nodes can give up to 500 GB/s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_sendrecv_bounds_are_of_bandwidth),
		cmocka_unit_test(alpha_is_the_fits_where_there_is_one),
		cmocka_unit_test(rows_of_several_nodes_have_two_levels),
		cmocka_unit_test(several_nodes_without_nics_are_told),
		cmocka_unit_test(reached_of_a_link),
		cmocka_unit_test(a_sweep_that_still_rises_is_not_judged),
		cmocka_unit_test(over_the_link_where_switches_reduce),
		cmocka_unit_test(reached_of_a_system),
		cmocka_unit_test(between_nodes_nics_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
