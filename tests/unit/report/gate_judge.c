/* SPDX-License-Identifier: Apache-2.0
 *
 * What the test of the gate says of sheets whose truth is known: kinds of findings, verdicts, doubts, pairs, eras, single launches.
 */
#include "gate_sheets.h"

#include <stdio.h>

static const struct lab quiet = {
	.series = 3, .sizes = 20, .placements = 2, .launches = { 5, 5 }, .launch = 0.002, .own = 0.002
};
static const struct gate_settings usual = { 0.05, 0.02, 1 };

static struct gate_judgement judge(struct gate_sheet *sheet, const struct gate_settings *settings)
{
	struct gate_judgement judgement;

	assert_int_equal(gate_judge(sheet, settings, &judgement), 0);
	return judgement;
}

static void assert_near(double value, double expected, double off)
{
	if (!(fabs(value - expected) <= off))
		fail_msg("%g is not within %g of %g", value, off, expected);
}

static void equals_are_the_same(void **state)
{
	struct lab silent = quiet;
	struct gate_sheet sheet;
	struct gate_judgement judgement;
	uint64_t seed = 1;

	(void)state;
	silent.launch = silent.own = 0;
	lab_make(&silent, NULL, &sheet, &seed);
	judgement = judge(&sheet, &usual);
	assert_true(judgement.statistics && !judgement.blind);
	assert_int_equal(judgement.nfindings, 0);
	assert_int_equal(judgement.same, 120);
	assert_int_equal(judgement.slower + judgement.faster + judgement.undecided, 0);
	assert_true(isnan(judgement.launches));
	for (size_t s = 0; s < 3; s++) {
		assert_int_equal(judgement.series[s].word, GATE_SAME);
		for (int class = 0; class < GATE_CLASSES; class ++) {
			const struct gate_class_verdict *verdict = &judgement.series[s].classes[class];

			if (verdict->points == 0)
				continue;
			assert_int_equal(verdict->word, GATE_SAME);
			assert_near(verdict->ratio.value, 1, 1e-9);
			assert_near(verdict->visible, 0.05, 1e-3);
		}
	}
	gate_judgement_clear(&judgement);
	lab_clear(&sheet);
}

static void a_size_a_stretch_and_a_whole_are_told_apart(void **state)
{
	static const struct {
		struct change change;
		enum gate_kind kind;
	} cases[] = {
		{ { 1, 10, 10, 1.15, -1 }, GATE_POINT }, { { 1, 10, 10, 1.15, 0 }, GATE_POINT },
		{ { 1, 10, 10, 1.15, 1 }, GATE_POINT },  { { 1, 0, 0, 1.15, -1 }, GATE_POINT },
		{ { 1, 19, 19, 1.15, 1 }, GATE_POINT },  { { 1, 17, 19, 1.10, -1 }, GATE_SHAPE },
		{ { 1, 0, 4, 1.10, -1 }, GATE_SHAPE },   { { 1, 5, 12, 1.10, -1 }, GATE_SHAPE },
		{ { 1, 4, 19, 1.10, -1 }, GATE_SHAPE },  { { 1, 0, 19, 1.10, 1 }, GATE_SHAPE },
		{ { 1, 0, 19, 1.10, -1 }, GATE_LEVEL },
	};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
		struct change change = cases[i / 2].change;
		bool slower = i % 2 == 0;
		struct gate_sheet sheet;
		struct gate_judgement judgement;
		const struct gate_finding *found;
		uint64_t seed = 7 + i;
		size_t points = (change.last - change.first + 1) * (change.placement < 0 ? 2 : 1);

		if (!slower)
			change.ratio = 1 / change.ratio;
		lab_make(&quiet, &change, &sheet, &seed);
		judgement = judge(&sheet, &usual);
		assert_int_equal(judgement.nfindings, 1);
		found = judgement.findings;
		assert_int_equal(found->series, 1);
		assert_int_equal(found->kind, cases[i / 2].kind);
		assert_int_equal(found->slower, slower);
		assert_true(found->first_bytes == lab_bytes(change.first) && found->last_bytes == lab_bytes(change.last));
		assert_int_equal(found->in_place, change.placement != 0);
		assert_int_equal(found->out_of_place, change.placement != 1);
		assert_near(found->ratio.value / change.ratio, 1, 0.01);
		assert_near(found->direct.value / change.ratio, 1, 0.01);
		assert_true(found->ratio.low < found->ratio.value && found->ratio.value < found->ratio.high);
		assert_true(found->direct.low < found->direct.value && found->direct.value < found->direct.high);
		assert_true(found->p >= 0 && found->p < found->adjusted && found->adjusted < 1e-4);
		assert_int_equal(slower ? judgement.slower : judgement.faster, points);
		assert_int_equal(judgement.same, 120 - points);
		assert_int_equal(judgement.series[1].word, slower ? GATE_SLOWER : GATE_FASTER);
		assert_int_equal(judgement.series[0].word, GATE_SAME);
		gate_judgement_clear(&judgement);
		lab_clear(&sheet);
	}
}

static void changes_of_one_series_are_told_one_by_one(void **state)
{
	struct change changes[] = { { 1, 3, 3, 1.2, -1 }, { 1, 9, 9, 0.8, -1 }, { 1, 15, 17, 1.3, -1 }, { 2, 12, 12, 1.25, 0 } };
	struct gate_sheet sheet;
	struct gate_judgement judgement;
	uint64_t seed = 3;

	(void)state;
	lab_make(&quiet, &changes[0], &sheet, &seed);
	for (size_t i = 1; i < 4; i++)
		lab_change(&quiet, &changes[i], &sheet);
	judgement = judge(&sheet, &usual);
	assert_int_equal(judgement.nfindings, 4);
	/* The worst first, then what is faster. */
	assert_near(judgement.findings[0].ratio.value, 1.3, 0.02);
	assert_int_equal(judgement.findings[0].kind, GATE_SHAPE);
	assert_near(judgement.findings[1].ratio.value, 1.25, 0.02);
	assert_int_equal(judgement.findings[1].series, 2);
	assert_true(!judgement.findings[1].in_place);
	assert_near(judgement.findings[2].ratio.value, 1.2, 0.02);
	assert_near(judgement.findings[3].ratio.value, 0.8, 0.02);
	assert_true(!judgement.findings[3].slower);
	gate_judgement_clear(&judgement);
	lab_clear(&sheet);
}

/* 4 % is significant and not over 5 %, of a size, a stretch and a whole; against 3 % it is over. */
static void what_is_under_the_threshold_is_no_finding(void **state)
{
	static const struct change changes[] = { { 1, 10, 10, 1.04, -1 }, { 1, 14, 19, 1.04, -1 }, { 1, 0, 19, 1.04, -1 } };
	const struct gate_settings strict = { 0.03, 0.02, 1 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct gate_sheet sheet;
		struct gate_judgement judgement;
		uint64_t seed = 11;

		lab_make(&quiet, &changes[i], &sheet, &seed);
		judgement = judge(&sheet, &usual);
		assert_int_equal(judgement.nfindings, 0);
		assert_int_equal(judgement.same, 120);
		gate_judgement_clear(&judgement);
		judgement = judge(&sheet, &strict);
		assert_int_equal(judgement.nfindings, 1);
		assert_true(judgement.findings[0].slower);
		gate_judgement_clear(&judgement);
		lab_clear(&sheet);
	}
}

static void one_launch_has_thresholds_only(void **state)
{
	struct lab lab = quiet;
	struct change change = { 1, 10, 12, 1.2, 0 }, faster = { 2, 5, 5, 0.7, 1 }, last = { 2, 19, 19, 1.5, 0 },
		      first = { 2, 0, 0, 1.4, 1 };
	struct gate_sheet sheet;
	struct gate_judgement judgement;
	uint64_t seed = 5;

	(void)state;
	lab.launches[GATE_NEW] = 1;
	lab_make(&lab, &change, &sheet, &seed);
	lab_change(&lab, &faster, &sheet);
	lab_change(&lab, &last, &sheet);
	lab_change(&lab, &first, &sheet);
	sheet.series[0].points[0].doubt = GATE_OVERSUBSCRIBED;
	sheet.series[0].log_time[GATE_NEW][1] = NAN;
	judgement = judge(&sheet, &usual);
	assert_true(!judgement.statistics && !judgement.blind && isnan(judgement.launches) && isnan(judgement.launch_spread));
	/* Neighbours in the table, but of two placements. */
	assert_int_equal(judgement.nfindings, 4);
	for (size_t i = 0; i < 2; i++)
		assert_true(judgement.findings[i].slower && judgement.findings[i].kind == GATE_POINT &&
			    judgement.findings[i].series == 2);
	assert_true(judgement.findings[2].slower && judgement.findings[2].series == 1);
	assert_int_equal(judgement.findings[2].kind, GATE_LEVEL);
	assert_true(judgement.findings[2].first_bytes == lab_bytes(10) && judgement.findings[2].last_bytes == lab_bytes(12));
	assert_true(judgement.findings[2].out_of_place && !judgement.findings[2].in_place);
	assert_near(judgement.findings[2].ratio.value, 1.2, 0.02);
	assert_true(isnan(judgement.findings[2].ratio.low) && isnan(judgement.findings[2].p));
	assert_int_equal(judgement.findings[3].kind, GATE_POINT);
	assert_true(!judgement.findings[3].slower && judgement.findings[3].in_place);
	assert_int_equal(judgement.slower, 5);
	assert_int_equal(judgement.faster, 1);
	assert_int_equal(judgement.undecided, 2);
	assert_int_equal(judgement.series[0].points[0].word, GATE_UNDECIDED);
	assert_true(isnan(judgement.series[0].points[1].ratio.value) && isnan(judgement.series[0].points[2].ratio.low));
	assert_int_equal(judgement.series[0].word, GATE_SAME);
	assert_int_equal(judgement.series[1].word, GATE_SLOWER);
	assert_int_equal(judgement.series[2].word, GATE_SLOWER);
	gate_judgement_clear(&judgement);
	lab_clear(&sheet);
}

/* What is in doubt is in no window either: 100 times slower, and nothing is found. */
static void points_in_doubt_are_undecided(void **state)
{
	struct change change = { 1, 10, 12, 100, -1 };
	struct gate_sheet sheet;
	struct gate_judgement judgement;
	uint64_t seed = 5;

	(void)state;
	lab_make(&quiet, &change, &sheet, &seed);
	for (size_t size = 10; size < 13; size++) {
		sheet.series[1].points[size].doubt = GATE_OVERSUBSCRIBED;
		sheet.series[1].log_time[GATE_NEW][2 * 40 + 20 + size] = NAN;
	}
	judgement = judge(&sheet, &usual);
	assert_int_equal(judgement.nfindings, 0);
	assert_int_equal(judgement.undecided, 6);
	assert_int_equal(sheet.series[1].points[10].doubt, GATE_OVERSUBSCRIBED);
	assert_int_equal(sheet.series[1].points[30].doubt, GATE_INCOMPLETE);
	assert_true(strlen(sheet.series[1].points[30].why) > 0);
	assert_near(judgement.series[1].points[30].ratio.value, 100, 1);
	assert_true(isnan(judgement.series[1].points[30].ratio.low));
	gate_judgement_clear(&judgement);
	lab_clear(&sheet);
}

static void a_series_of_one_launch_among_others_is_undecided(void **state)
{
	struct change change = { 1, 10, 12, 2, -1 };
	struct gate_sheet sheet;
	struct gate_judgement judgement;
	uint64_t seed = 5;

	(void)state;
	lab_make(&quiet, &change, &sheet, &seed);
	sheet.series[1].launches[GATE_NEW] = 1;
	judgement = judge(&sheet, &usual);
	assert_true(judgement.statistics);
	assert_int_equal(judgement.nfindings, 0);
	assert_int_equal(judgement.undecided, 40);
	assert_int_equal(judgement.series[1].word, GATE_UNDECIDED);
	assert_int_equal(judgement.series[0].word, GATE_SAME);
	gate_judgement_clear(&judgement);
	lab_clear(&sheet);
}

static void wide_spreads_are_said(void **state)
{
	struct lab lab = quiet;
	struct gate_sheet sheet;
	struct gate_judgement judgement;
	uint64_t seed = 5;
	double launches;

	(void)state;
	lab.launch = 0.1;
	lab_make(&lab, NULL, &sheet, &seed);
	for (int again = 0; again < 2; again++) {
		judgement = judge(&sheet, &usual);
		assert_true(judgement.blind);
		assert_int_equal(judgement.undecided, 120);
		assert_int_equal(sheet.series[0].points[0].doubt, GATE_NOISY);
		assert_int_equal(judgement.series[0].word, GATE_UNDECIDED);
		assert_int_equal(judgement.series[0].classes[GATE_LATENCY].word, GATE_UNDECIDED);
		assert_near(judgement.launch_spread, 0.1, 0.03);
		assert_near(judgement.point_spread, 0.002, 0.0004);
		launches = judgement.launches;
		/* 2 x (1.1 x 1.96 x 0.1 / 0.0488)^2 where the spread is known. */
		assert_in_range((size_t)launches, 20, 90);
		gate_judgement_clear(&judgement);
	}
	lab_clear(&sheet);
	/* So many do. */
	lab.launches[GATE_BASE] = lab.launches[GATE_NEW] = (size_t)launches;
	lab_make(&lab, NULL, &sheet, &seed);
	judgement = judge(&sheet, &usual);
	assert_true(!judgement.blind);
	assert_true(isnan(judgement.launches));
	gate_judgement_clear(&judgement);
	lab_clear(&sheet);
}

/* As many launches as are named are conclusive: with 2 launches, where these are too few, as with 5 that spread. */
static void as_many_launches_are_conclusive(void **state)
{
	static const struct {
		size_t launches, series, eras;
		double spread;
	} cases[] = { { 2, 1, 0, 0.02 }, { 2, 3, 0, 0.04 }, { 5, 1, 0, 0.06 }, { 5, 3, 0, 0.06 }, { 5, 3, 2, 0.06 } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct lab lab = {
			.series = cases[i].series, .sizes = 8, .placements = 1, .launch = cases[i].spread, .own = 0.01
		};
		size_t blind = 0, enough = 0;
		uint64_t seed = 40 + i;

		for (int trial = 0; trial < 60; trial++) {
			struct gate_sheet sheet;
			struct gate_judgement judgement;
			double launches;

			lab.launches[GATE_BASE] = lab.launches[GATE_NEW] = cases[i].launches;
			lab.eras = cases[i].eras;
			lab_make(&lab, NULL, &sheet, &seed);
			judgement = judge(&sheet, &usual);
			launches = judgement.launches;
			assert_true(isfinite(launches) == (judgement.blind && judgement.runs == 0));
			assert_true(judgement.runs == 0 || judgement.runs == cases[i].eras);
			gate_judgement_clear(&judgement);
			lab_clear(&sheet);
			if (!isfinite(launches))
				continue;
			assert_true(launches > (double)cases[i].launches);
			lab.launches[GATE_BASE] = lab.launches[GATE_NEW] = (size_t)launches;
			lab.eras = 0;
			lab_make(&lab, NULL, &sheet, &seed);
			judgement = judge(&sheet, &usual);
			blind++;
			enough += !judgement.blind;
			gate_judgement_clear(&judgement);
			lab_clear(&sheet);
		}
		printf("# %zu launches, %zu series: of %zu inconclusive %zu are conclusive with as many launches as said\n",
		       cases[i].launches, cases[i].series, blind, enough);
		assert_true(blind > 10 && 10 * enough >= 5 * blind);
	}
}

/* 5.4 % against the other sizes and 3 % against BASE, whose launches were luckier: the series is slower, and so are sizes of it. */
static void a_shape_is_slower_to_its_rest(void **state)
{
	struct change change = { 1, 14, 19, 1.07, -1 };
	struct gate_sheet sheet;
	struct gate_judgement judgement;
	uint64_t seed = 11;

	(void)state;
	lab_make(&quiet, &change, &sheet, &seed);
	for (size_t i = 0; i < 5 * 40; i++)
		sheet.series[1].log_time[GATE_NEW][i] -= 0.03;
	judgement = judge(&sheet, &usual);
	assert_int_equal(judgement.nfindings, 1);
	assert_near(judgement.findings[0].ratio.value, 1.07, 0.005);
	assert_near(judgement.findings[0].direct.value, 1.07 * exp(-0.03), 0.005);
	assert_int_equal(judgement.series[1].word, GATE_SLOWER);
	assert_int_equal(judgement.slower, 12);
	gate_judgement_clear(&judgement);
	lab_clear(&sheet);
}

static void pairs_are_judged_by_their_differences(void **state)
{
	struct lab lab = quiet;
	struct change change = { 1, 0, 19, 1.1, -1 };
	struct gate_sheet sheet;
	struct gate_judgement judgement;
	uint64_t seed = 5;

	(void)state;
	lab.paired = true;
	lab.pair = 0.2;
	lab_make(&lab, &change, &sheet, &seed);
	judgement = judge(&sheet, &usual);
	assert_int_equal(judgement.nfindings, 1);
	assert_int_equal(judgement.findings[0].kind, GATE_LEVEL);
	assert_near(judgement.findings[0].ratio.value, 1.1, 0.01);
	assert_near(judgement.launch_spread, 0.002, 0.001);
	gate_judgement_clear(&judgement);
	for (size_t s = 0; s < 3; s++)
		sheet.series[s].paired = false;
	judgement = judge(&sheet, &usual);
	assert_int_equal(judgement.nfindings, 0);
	assert_true(judgement.blind);
	gate_judgement_clear(&judgement);
	lab_clear(&sheet);
}

/* Runs that differ by 6 %, and launches of each that hardly do: as one run they would tell lies. */
static void eras_count_as_one_observation_each(void **state)
{
	struct lab lab = quiet;
	struct gate_sheet sheet;
	struct gate_judgement judgement;
	size_t lies = 0, alarms = 0;

	(void)state;
	lab.eras = 6;
	lab.era = 0.06;
	for (uint64_t seed = 1; seed < 20; seed++) {
		uint64_t from = seed;

		lab_make(&lab, NULL, &sheet, &from);
		judgement = judge(&sheet, &usual);
		alarms += judgement.nfindings > 0;
		assert_true(judgement.blind && isnan(judgement.launches)); /* launches do not help */
		gate_judgement_clear(&judgement);
		for (size_t s = 0; s < 3; s++)
			memset(sheet.series[s].era[GATE_BASE], 0, 30 * sizeof(size_t));
		judgement = judge(&sheet, &usual);
		lies += judgement.nfindings > 0;
		gate_judgement_clear(&judgement);
		lab_clear(&sheet);
	}
	assert_in_range(lies, 6, 19);
	assert_in_range(alarms, 0, 2);
}

/* Two runs that do not differ tell no less than one, and twelve more. */
static void equal_runs_are_no_loss(void **state)
{
	static const size_t eras[] = { 0, 2, 3, 12 };
	struct lab lab = { .series = 1, .sizes = 12, .placements = 1, .launches = { 5, 5 }, .launch = 0.03, .own = 0.02 };
	const struct change change = { 0, 0, 11, 1.1, -1 };
	size_t blind[4] = { 0 }, alarms = 0, found[4] = { 0 };
	uint64_t seed = 77;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		for (int trial = 0; trial < 60; trial++) {
			struct gate_sheet sheet;
			struct gate_judgement judgement;

			lab.eras = eras[i];
			lab_make(&lab, NULL, &sheet, &seed);
			judgement = judge(&sheet, &usual);
			alarms += judgement.nfindings > 0;
			blind[i] += judgement.blind;
			gate_judgement_clear(&judgement);
			lab_change(&lab, &change, &sheet);
			judgement = judge(&sheet, &usual);
			found[i] += judgement.nfindings > 0;
			gate_judgement_clear(&judgement);
			lab_clear(&sheet);
		}
	printf("# inconclusive with 1, 2, 3, 12 runs: %zu, %zu, %zu, %zu of 60; 10 %% found: %zu, %zu, %zu, %zu\n", blind[0],
	       blind[1], blind[2], blind[3], found[0], found[1], found[2], found[3]);
	assert_in_range(alarms, 0, 7);
	for (size_t i = 1; i < 4; i++)
		assert_true(blind[i] <= blind[0] + 6 && found[i] + 9 >= found[0]);
	assert_true(blind[3] < 8 && found[3] > 55);
}

/* What the launches of NEW vary by is not averaged with those of runs that hardly vary. */
static void a_noisy_new_is_no_regression(void **state)
{
	struct lab lab = quiet;
	uint64_t seed = 3;
	size_t alarms = 0;

	(void)state;
	lab.series = 1;
	lab.eras = 2;
	for (int trial = 0; trial < 100; trial++) {
		struct gate_sheet sheet;
		struct gate_judgement judgement;

		lab_make(&lab, NULL, &sheet, &seed);
		for (size_t launch = 0; launch < 5; launch++) {
			double noise = 0.2 * lab_normal(&seed);

			for (size_t i = 0; i < 40; i++)
				sheet.series[0].log_time[GATE_NEW][launch * 40 + i] += noise;
		}
		judgement = judge(&sheet, &usual);
		alarms += judgement.slower > 0;
		assert_true(judgement.blind);
		gate_judgement_clear(&judgement);
		lab_clear(&sheet);
	}
	printf("# a noisy NEW: %zu alarms of 100\n", alarms);
	assert_in_range(alarms, 0, 6);
}

/* As long as it grows slowly, the variance between runs is not what hides it. */
static void a_slow_drift_is_seen(void **state)
{
	struct lab lab = quiet;
	struct gate_sheet sheet;
	struct gate_judgement judgement;
	uint64_t seed = 5;

	(void)state;
	lab.eras = 12;
	lab.era = 0.005;
	lab.drift = 0.015;
	lab_make(&lab, NULL, &sheet, &seed);
	judgement = judge(&sheet, &usual);
	assert_int_equal(judgement.nfindings, 3);
	for (size_t i = 0; i < 3; i++)
		assert_near(judgement.findings[i].ratio.value, exp(6.5 * 0.015), 0.02);
	gate_judgement_clear(&judgement);
	lab_clear(&sheet);
}

/* Small sizes became faster; that the large ones became slower against them is no finding. */
static void an_improvement_is_no_regression_of_the_rest(void **state)
{
	struct lab lab = quiet;
	struct change change = { 1, 0, 9, 0.8, -1 };

	(void)state;
	lab.launch = 0.02;
	for (uint64_t seed = 1; seed < 20; seed++) {
		struct gate_sheet sheet;
		struct gate_judgement judgement;
		uint64_t from = seed;

		lab_make(&lab, &change, &sheet, &from);
		judgement = judge(&sheet, &usual);
		assert_int_equal(judgement.slower, 0);
		assert_int_equal(judgement.nfindings, 1);
		assert_true(!judgement.findings[0].slower && judgement.findings[0].last_bytes == lab_bytes(9));
		gate_judgement_clear(&judgement);
		lab_clear(&sheet);
	}
}

static void classes_follow_the_curve(void **state)
{
	struct lab lab = quiet;
	struct gate_sheet sheet;
	struct gate_judgement judgement;
	uint64_t seed = 1;
	size_t counts[GATE_CLASSES] = { 0 };

	(void)state;
	lab.launch = lab.own = 0;
	lab_make(&lab, NULL, &sheet, &seed);
	/* 10 us + S / (20 GB/s): twice the latency at 200 kB, half of the best rate (of 4 MiB, 19.1 GB/s) at 183 kB */
	for (size_t i = 0; i < 40; i++) {
		enum gate_class class = gate_class_of(&sheet.series[0], i);

		assert_int_equal(class, lab_bytes(i % 20) < 200e3 ? GATE_LATENCY : GATE_BANDWIDTH);
		counts[class]++;
	}
	judgement = judge(&sheet, &usual);
	for (int class = 0; class < GATE_CLASSES; class ++)
		assert_int_equal(judgement.series[0].classes[class].points, counts[class]);
	gate_judgement_clear(&judgement);
	lab_clear(&sheet);
	/* Two more costs: some sizes belong to neither. */
	lab_make(&lab, NULL, &sheet, &seed);
	for (size_t launch = 0; launch < 5; launch++)
		for (size_t i = 0; i < 40; i++)
			sheet.series[0].log_time[GATE_BASE][launch * 40 + i] = log(10e-6 + lab_bytes(i % 20) / 20e9 +
										   (i % 20 > 5 && i % 20 < 16 ? 30e-6 : 0));
	assert_int_equal(gate_class_of(&sheet.series[0], 5), GATE_LATENCY);
	assert_int_equal(gate_class_of(&sheet.series[0], 8), GATE_MIDDLE);
	assert_int_equal(gate_class_of(&sheet.series[0], 39), GATE_BANDWIDTH);
	lab_clear(&sheet);
}

static const struct lab noisy = { .series = 9, .sizes = 20, .placements = 2, .launches = { 5, 5 }, .launch = 0.03, .own = 0.02 };

static void the_same_twice(void **state)
{
	struct change change = { 1, 12, 19, 1.12, -1 };
	struct gate_settings other = { 0.05, 0.02, 0x123456789abcu };
	struct gate_judgement a, b, c;
	struct gate_sheet sheet;
	uint64_t seed = 9;

	(void)state;
	lab_make(&noisy, &change, &sheet, &seed);
	a = judge(&sheet, &usual);
	b = judge(&sheet, &usual);
	c = judge(&sheet, &other);
	assert_true(a.nfindings > 0 && a.nfindings == b.nfindings && a.nfindings == c.nfindings);
	for (size_t i = 0; i < a.nfindings; i++) {
		assert_memory_equal(&a.findings[i].ratio, &b.findings[i].ratio, sizeof(struct gate_ratio));
		assert_true(a.findings[i].p == b.findings[i].p && a.findings[i].adjusted == b.findings[i].adjusted);
		assert_true(a.findings[i].first_bytes == c.findings[i].first_bytes && a.findings[i].p == c.findings[i].p);
		assert_near(a.findings[i].adjusted / c.findings[i].adjusted, 1, 0.3);
	}
	assert_int_equal(a.same, c.same);
	gate_judgement_clear(&a);
	gate_judgement_clear(&b);
	gate_judgement_clear(&c);
	lab_clear(&sheet);
}

/* 95 % intervals hold the truth, and what `visible` names is found four times in five. */
static void intervals_hold_and_what_is_visible_is_seen(void **state)
{
	enum { TRIALS = 120 };
	size_t points = 0, points_held = 0, classes = 0, classes_held = 0, found = 0;
	uint64_t seed = 21;
	double visible = 0;

	(void)state;
	for (int trial = 0; trial < TRIALS; trial++) {
		struct gate_sheet sheet;
		struct gate_judgement judgement;
		struct change change = { 1, 15, 19, 1 + visible / (trial > 20 ? 21 : 1e9), -1 };

		lab_make(&noisy, &change, &sheet, &seed);
		judgement = judge(&sheet, &usual);
		if (trial < 21)
			visible += judgement.series[1].classes[GATE_BANDWIDTH].visible;
		for (size_t i = 0; trial > 20 && i < judgement.nfindings; i++)
			if (judgement.findings[i].series == 1 && judgement.findings[i].slower) {
				found++;
				break;
			}
		for (size_t i = 0; i < 40; i++, points++)
			points_held += judgement.series[0].points[i].ratio.low < 1 &&
				       judgement.series[0].points[i].ratio.high > 1;
		for (size_t i = 0; i < GATE_CLASSES; i++) {
			const struct gate_class_verdict *verdict = &judgement.series[0].classes[i];

			classes += verdict->points > 0;
			classes_held += verdict->ratio.low < 1 && verdict->ratio.high > 1;
		}
		gate_judgement_clear(&judgement);
		lab_clear(&sheet);
	}
	printf("# 95 %% intervals hold %.1f %% of points, %.1f %% of classes; a loss of %.1f %% is found %zu times in %d\n",
	       100.0 * (double)points_held / (double)points, 100.0 * (double)classes_held / (double)classes, 100 * visible / 21,
	       found, TRIALS - 21);
	assert_near((double)points_held / (double)points, 0.95, 0.03);
	assert_near((double)classes_held / (double)classes, 0.95, 0.05);
	assert_in_range(found, 69, 97);
	/* By the contrast; the mean over these sizes alone would take 7.5 %. */
	assert_near(visible / 21, 0.055, 0.008);
}

/* Of a size that varies by itself, the size counts and not the launches, which hardly vary. */
static void direct_ratios_hold(void **state)
{
	enum { TRIALS = 60 };
	struct lab lab = noisy;
	const struct change change = { 1, 10, 10, 2, 0 };
	uint64_t seed = 4;
	size_t held = 0;

	(void)state;
	lab.launch = 0.002;
	lab.own = 0.05;
	for (int trial = 0; trial < TRIALS; trial++) {
		struct gate_sheet sheet;
		struct gate_judgement judgement;

		lab_make(&lab, &change, &sheet, &seed);
		judgement = judge(&sheet, &usual);
		assert_true(judgement.nfindings > 0 && judgement.findings[0].kind == GATE_POINT);
		held += judgement.findings[0].direct.low < 2 && judgement.findings[0].direct.high > 2;
		gate_judgement_clear(&judgement);
		lab_clear(&sheet);
	}
	assert_in_range(held, 51, 60);
}

/* More sizes than windows go to, one size, one placement, two sizes, series that differ, a threshold of nothing. */
static void sheets_of_all_shapes(void **state)
{
	struct lab lab = quiet;
	const struct gate_settings nothing = { 0, 0.02, 1 };
	static const size_t sizes[] = { 1, 2, 3, 4, 33, 300 };

	(void)state;
	for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
		struct gate_sheet sheet;
		struct gate_judgement judgement;
		struct change change = { 1, 0, sizes[i / 2] - 1, 1.2, -1 };
		uint64_t seed = 5 + i;

		lab.sizes = sizes[i / 2];
		lab.placements = 1 + i % 2;
		lab_make(&lab, &change, &sheet, &seed);
		/* The third has fewer points. */
		for (size_t point = 1; point < sheet.series[2].npoints / 2; point++)
			sheet.series[2].points[point].doubt = GATE_UNTIMED;
		judgement = judge(&sheet, &usual);
		assert_int_equal(judgement.nfindings, 1);
		assert_int_equal(judgement.slower, sizes[i / 2] * lab.placements);
		assert_true(judgement.findings[0].last_bytes == lab_bytes(sizes[i / 2] - 1));
		gate_judgement_clear(&judgement);
		judgement = judge(&sheet, &nothing);
		assert_true(judgement.nfindings >= 1 && judgement.blind && isnan(judgement.launches));
		gate_judgement_clear(&judgement);
		lab_clear(&sheet);
	}
}

static void one_size_of_many_is_found(void **state)
{
	struct lab lab = quiet;
	struct gate_sheet sheet;
	struct gate_judgement judgement;
	struct change change = { 1, 77, 77, 1.2, -1 };
	uint64_t seed = 5;

	(void)state;
	lab.sizes = 200;
	lab_make(&lab, &change, &sheet, &seed);
	judgement = judge(&sheet, &usual);
	assert_int_equal(judgement.nfindings, 1);
	assert_int_equal(judgement.findings[0].kind, GATE_POINT);
	assert_true(judgement.findings[0].first_bytes == lab_bytes(77));
	gate_judgement_clear(&judgement);
	lab_clear(&sheet);
}

static void nothing_to_judge(void **state)
{
	struct gate_series hollow = { .launches = { 5, 5 } };
	struct gate_sheet sheet = { 0 };
	struct gate_judgement judgement = judge(&sheet, &usual);
	uint64_t seed = 1;

	(void)state;
	assert_true(!judgement.statistics && judgement.nfindings == 0 && judgement.same == 0);
	gate_judgement_clear(&judgement);
	sheet = (struct gate_sheet){ .series = &hollow, .nseries = 1 };
	judgement = judge(&sheet, &usual);
	assert_true(judgement.nfindings == 0 && judgement.series[0].word == GATE_UNDECIDED);
	gate_judgement_clear(&judgement);
	gate_judgement_clear(&judgement);
	/* All points in doubt. */
	lab_make(&quiet, NULL, &sheet, &seed);
	for (size_t s = 0; s < 3; s++)
		for (size_t i = 0; i < 40; i++)
			sheet.series[s].points[i].doubt = GATE_OVERSUBSCRIBED;
	judgement = judge(&sheet, &usual);
	assert_true(judgement.undecided == 120 && judgement.nfindings == 0);
	gate_judgement_clear(&judgement);
	lab_clear(&sheet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equals_are_the_same),
		cmocka_unit_test(a_size_a_stretch_and_a_whole_are_told_apart),
		cmocka_unit_test(changes_of_one_series_are_told_one_by_one),
		cmocka_unit_test(what_is_under_the_threshold_is_no_finding),
		cmocka_unit_test(one_launch_has_thresholds_only),
		cmocka_unit_test(points_in_doubt_are_undecided),
		cmocka_unit_test(a_series_of_one_launch_among_others_is_undecided),
		cmocka_unit_test(wide_spreads_are_said),
		cmocka_unit_test(as_many_launches_are_conclusive),
		cmocka_unit_test(a_shape_is_slower_to_its_rest),
		cmocka_unit_test(pairs_are_judged_by_their_differences),
		cmocka_unit_test(eras_count_as_one_observation_each),
		cmocka_unit_test(equal_runs_are_no_loss),
		cmocka_unit_test(a_noisy_new_is_no_regression),
		cmocka_unit_test(a_slow_drift_is_seen),
		cmocka_unit_test(an_improvement_is_no_regression_of_the_rest),
		cmocka_unit_test(classes_follow_the_curve),
		cmocka_unit_test(the_same_twice),
		cmocka_unit_test(intervals_hold_and_what_is_visible_is_seen),
		cmocka_unit_test(direct_ratios_hold),
		cmocka_unit_test(sheets_of_all_shapes),
		cmocka_unit_test(one_size_of_many_is_found),
		cmocka_unit_test(nothing_to_judge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
