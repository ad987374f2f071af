/* SPDX-License-Identifier: Apache-2.0
 *
 * How often the gate cries wolf and how often it misses one. GATE_TRIALS=1000 makes as many trials of each kind and holds the figures against what is
 * promised; by default there are few, and the bounds are as wide as chance. The generator and its seeds are fixed.
 */
#include "gate_sheets.h"

#include <stdio.h>

enum { FEW = 30, MANY = 500 };

/*
 * Launches share 3 %. A point's own noise is that of a median of samples that vary by 5 %: 2 % with 10 of them, the fewest that are taken, 1.3 % with
 * the 24 after which the interval is narrow enough.
 */
static const struct lab suite = { .series = 9, .sizes = 20, .placements = 2, .launches = { 5, 5 }, .launch = 0.03, .own = 0.02 };

struct setting {
	const char *name;
	struct lab lab;
	double threshold;
	struct change change; /* ratio 0: none */
	double promised;      /* of trials: at most without a change, at least with one */
	bool exactly;         /* kind and sizes are to be right as well */
};

struct count {
	int alarms, found, exact;
};

static void look(const struct setting *setting, const struct gate_judgement *judgement, struct count *count)
{
	bool alarm = false, found = false, exact = false, other = false;

	for (size_t i = 0; i < judgement->nfindings; i++) {
		const struct gate_finding *finding = &judgement->findings[i];
		const struct change *change = &setting->change;
		bool here = finding->slower && change->ratio > 0 && finding->series == change->series;

		alarm |= finding->slower;
		found |= here;
		other |= finding->slower && !here;
		if (!here)
			continue;
		if (finding->first_bytes == lab_bytes(change->first) && finding->last_bytes == lab_bytes(change->last) &&
		    (finding->kind == GATE_POINT) == (change->first == change->last))
			exact = true;
		else
			other = true;
	}
	count->alarms += alarm;
	count->found += found;
	count->exact += exact && !other;
}

static int trials(int by_default)
{
	const char *text = getenv("GATE_TRIALS");
	long n = text ? strtol(text, NULL, 10) : 0;

	return n > 0 && n <= 100000 ? (int)n : by_default;
}

static void run(const struct setting *setting, int n)
{
	struct gate_settings settings = { setting->threshold, 0.02, 1 };
	struct count count = { 0 };
	uint64_t state = 20240607;
	double rate, slack;

	for (int i = 0; i < n; i++) {
		struct gate_sheet sheet;
		struct gate_judgement judgement;

		lab_make(&setting->lab, setting->change.ratio > 0 ? &setting->change : NULL, &sheet, &state);
		assert_int_equal(gate_judge(&sheet, &settings, &judgement), 0);
		look(setting, &judgement, &count);
		gate_judgement_clear(&judgement);
		lab_clear(&sheet);
	}
	slack = n < MANY ? 1 + 3.5 * sqrt(n * setting->promised * (1 - setting->promised)) : 0;
	if (!(setting->change.ratio > 0)) {
		rate = 100.0 * count.alarms / n;
		printf("# %-62s %5.1f %% of %d report anything slower\n", setting->name, rate, n);
		if (count.alarms > n * setting->promised + slack)
			fail_msg("%s: %d alarms in %d", setting->name, count.alarms, n);
		return;
	}
	rate = 100.0 * (setting->exactly ? count.exact : count.found) / n;
	printf("# %-62s %5.1f %% of %d found%s\n", setting->name, rate, n, setting->exactly ? " as such, and nothing else" : "");
	if ((setting->exactly ? count.exact : count.found) < n * setting->promised - slack)
		fail_msg("%s: %.1f %% found", setting->name, rate);
}

static struct lab with(size_t launches, double own)
{
	struct lab lab = suite;

	lab.launches[GATE_BASE] = lab.launches[GATE_NEW] = launches;
	lab.own = own;
	return lab;
}

static void equals_are_seldom_told_apart(void **state)
{
	const struct setting settings[] = {
		{ "equals, 5 launches", with(5, 0.02), 0.05, { 0 }, 0.02, false },
		{ "equals, 5 launches, 24 samples", with(5, 0.013), 0.05, { 0 }, 0.02, false },
		{ "equals, 10 launches, threshold 2 %", with(10, 0.02), 0.02, { 0 }, 0.02, false },
		{ "equals, 20 launches, threshold 2 %", with(20, 0.02), 0.02, { 0 }, 0.02, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		if (i == 0 || trials(FEW) >= MANY)
			run(&settings[i], trials(2 * FEW));
}

static void a_slowdown_is_found(void **state)
{
	const struct setting settings[] = {
		{ "10 % from 1 MiB on, 5 launches", with(5, 0.02), 0.05, { 4, 17, 19, 1.10, -1 }, 0.95, false },
		{ "5 % from 1 MiB on, 10 launches, threshold 2 %", with(10, 0.02), 0.02, { 4, 17, 19, 1.05, -1 }, 0.70, false },
		{ "5 % from 1 MiB on, 20 launches, threshold 2 %", with(20, 0.02), 0.02, { 4, 17, 19, 1.05, -1 }, 0.97, false },
		{ "10 % everywhere, 5 launches", with(5, 0.02), 0.05, { 4, 0, 19, 1.10, -1 }, 0.94, false },
		{ "5 % everywhere, 10 launches, threshold 2 %", with(10, 0.02), 0.02, { 4, 0, 19, 1.05, -1 }, 0.66, false },
		{ "5 % everywhere, 20 launches, threshold 2 %", with(20, 0.02), 0.02, { 4, 0, 19, 1.05, -1 }, 0.96, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		run(&settings[i], trials(FEW));
}

static void one_size_is_found_as_such(void **state)
{
	struct lab real = with(5, 0.03);
	struct setting settings[] = {
		{ "15 % at one size, 5 launches", with(5, 0.02), 0.05, { 4, 10, 10, 1.15, -1 }, 0.95, true },
		{ "15 % at the largest size, 5 launches", with(5, 0.02), 0.05, { 4, 19, 19, 1.15, -1 }, 0.95, true },
		{ "15 % at one size of one placement, 5 launches", with(5, 0.02), 0.05, { 4, 10, 10, 1.15, 1 }, 0.95, true },
		{ "30 % at one size, launches vary by 15 %, own 3 %", real, 0.05, { 4, 17, 17, 1.30, -1 }, 0.95, false },
		{ "the same, latency and bandwidth vary by themselves", real, 0.05, { 4, 17, 17, 1.30, -1 }, 0.95, false },
		{ "the same in a sheet of one series", real, 0.05, { 0, 17, 17, 1.30, -1 }, 0.95, false },
	};

	(void)state;
	settings[3].lab.launch = settings[4].lab.launch = settings[5].lab.launch = 0.15;
	settings[4].lab.split = true;
	settings[5].lab.series = 1;
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		run(&settings[i], trials(FEW));
}

/* What data can be like; the threshold is so small that only the test stands between noise and an alarm. A little over is allowed for here. */
static void equals_of_all_sorts(void **state)
{
	struct setting settings[] = {
		{ "equals, heavy tails (t of 3)", suite, 0.01, { 0 }, 0.025, false },
		{ "equals, half of the launches 15 % slower", suite, 0.01, { 0 }, 0.025, false },
		{ "equals, spreads of series that differ by a factor 3", suite, 0.01, { 0 }, 0.03, false },
		{ "equals, noise of neighbouring sizes correlated 0.8", suite, 0.01, { 0 }, 0.025, false },
		{ "equals, latency and bandwidth vary by themselves", suite, 0.01, { 0 }, 0.025, false },
		{ "equals, one series", suite, 0.01, { 0 }, 0.03, false },
		{ "equals, two series", suite, 0.01, { 0 }, 0.03, false },
		{ "equals, one size", suite, 0.01, { 0 }, 0.03, false },
		{ "equals, 2 launches", with(2, 0.02), 0.01, { 0 }, 0.025, false },
		{ "equals, 5 pairs", suite, 0.01, { 0 }, 0.025, false },
		{ "equals, a baseline of 5 runs that differ by 3 %", suite, 0.01, { 0 }, 0.025, false },
		{ "equals, a baseline of 2 runs that do not differ", suite, 0.01, { 0 }, 0.025, false },
		{ "equals, a baseline of 3 runs that do not differ", suite, 0.01, { 0 }, 0.025, false },
		{ "equals, a baseline of 12 runs that do not differ", suite, 0.01, { 0 }, 0.025, false },
	};

	(void)state;
	settings[11].lab.eras = 2;
	settings[12].lab.eras = 3;
	settings[13].lab.eras = 12;
	settings[0].lab.heavy = true;
	settings[1].lab.regime = 0.15;
	settings[2].lab.uneven = 0.6;
	settings[3].lab.neighbours = 0.8;
	settings[4].lab.split = true;
	settings[5].lab.series = 1;
	settings[6].lab.series = 2;
	settings[7].lab.sizes = 1;
	settings[9].lab.paired = true;
	settings[9].lab.pair = 0.1;
	settings[10].lab.eras = 5;
	settings[10].lab.era = 0.03;
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		run(&settings[i], trials(FEW / 3));
}

/* 1 % from each of twelve weekly runs to the next: not to be seen from one to the next, but against all of them. */
static void slow_drift_is_found(void **state)
{
	struct setting setting = {
		"1 % more in each of 12 runs that differ by 1 %", suite, 0.05, { 4, 0, 19, 1, -1 }, 0.6, false
	};

	(void)state;
	setting.lab.eras = 12;
	setting.lab.era = 0.01;
	setting.lab.drift = 0.01;
	run(&setting, trials(FEW / 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equals_are_seldom_told_apart), cmocka_unit_test(a_slowdown_is_found),
		cmocka_unit_test(one_size_is_found_as_such),    cmocka_unit_test(equals_of_all_sorts),
		cmocka_unit_test(slow_drift_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
