/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line: what each option sets, the sweep of sizes, --help and the man page.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "options_line.h"
#include "src/options_table.h"

#define MIB (UINT64_C(1) << 20)

static void the_defaults(void **state)
{
	struct options options = parse_good("");

	(void)state;
	assert_true(options.min_bytes == 32 * MIB && options.max_bytes == 32 * MIB && options.step_bytes == MIB);
	assert_true(options.step_factor == 1 && options.iters == 0 && options.warmup == 5 && options.agg_iters == 1);
	assert_true(options.cycles == 1 && options.check == 1 && options.max_time == 0.5 && options.ci == 0.025);
	assert_true(options.type == DTYPE_FLOAT && options.op == REDOP_SUM && options.root == 0);
	assert_true(options.timing == TIMING_SYNC && options.combine == COMBINE_MAX && !options.combine_given);
	assert_true(options.timeout == 0 && options.unalign == 0 && options.nthreads == 1 && options.ngpus == 1);
	assert_true(options.launch == LAUNCH_AUTO && !options.malloc_system && options.format == FORMAT_NCCL);
	assert_string_equal(options.path, "auto");
	assert_true(!options.algo && !options.forced && options.readback == READBACK_PATH);
	assert_true(options.blocking == 0 && options.graph == 0 && options.cpu_time == 0 && options.local_register == 0);
	assert_true(options.parallel_init == 0 && options.cta_policy == -1 && options.stream_null == 0);
	assert_true(options.memory_report == 0 && options.first_device == 0 && !options.hold && !options.share_gpus);
	assert_true(options.per_iter == 0 && options.per_iter_skip == 0 && !options.rotate);
	assert_true(options.split.op == SPLIT_NONE && options.connect_timeout == 60);
	assert_string_equal(options.backend, "auto");
	assert_true(!options.csv && !options.json && !options.facts && !options.run && options.nlabels == 0);
	assert_true(options.sim_ranks == 8 && options.sim_alpha == 5e-6 && options.sim_bandwidth == 100e9);
	assert_true(options.sim_gamma == 0 && !options.sim_model && options.sim_noise_launch == 0 && options.seed == 1);
	assert_true(options.inject.kind == INJECT_NONE && !options.sim_option);
	assert_true(!options.help && !options.version && !options.list && !options.dry_run && !options.man);
}

/* What --help says of a default is what the parser makes of it. */
static void the_printed_defaults_are_the_defaults(void **state)
{
	struct options defaults = parse_good("");

	(void)state;
	for (size_t i = 0; i < option_row_count; i++) {
		const struct option_row *row = &option_rows[i];
		struct options options = defaults;
		struct options_error error;

		if (!row->preset || strchr(row->preset, ' ') || strcmp(row->name, "sim-model") == 0)
			continue;
		if (row->parse(row, row->preset, &options, &error))
			fail_msg("%s: %s", row->name, error.text);
		options.combine_given = false;
		/* Equal texts need not be one. */
		if (strcmp(options.backend, defaults.backend) == 0)
			options.backend = defaults.backend;
		if (strcmp(options.path, defaults.path) == 0)
			options.path = defaults.path;
		if (memcmp(&options, &defaults, sizeof options) != 0)
			fail_msg("--%s: %s is not its default", row->name, row->preset);
	}
}

static void letters_and_long_names_are_unique(void **state)
{
	(void)state;
	for (size_t i = 0; i < option_row_count; i++)
		for (size_t j = 0; j < i; j++) {
			assert_string_not_equal(option_rows[i].name, option_rows[j].name);
			assert_true(!option_rows[i].letter || option_rows[i].letter != option_rows[j].letter);
		}
	for (size_t i = 0; option_refusals[i].name; i++)
		for (size_t j = 0; j < option_row_count; j++) {
			assert_string_not_equal(option_refusals[i].name, option_rows[j].name);
			assert_true(!option_refusals[i].letter || option_refusals[i].letter != option_rows[j].letter);
		}
}

static void every_letter_of_nccl_tests(void **state)
{
	struct options o = parse_good(
		"--backend nccl -t 2 -g 4 -b 8 -e 1G -i 3 -f 2 -n 20 -w 1 -m 3 -N 0 -a 1 -c 0 -o avg -d half -r 3 "
		"-z 1 -G 5 -C 1 --timing loop");
	struct options p = parse_good("--backend nccl -R 2 -S 1 -T 30 -u 3 -J out.json -p 1 -x 2 -y 1 -M 1 -I 1 -K 5 -n 6");

	(void)state;
	assert_true(o.nthreads == 2 && o.ngpus == 4 && o.min_bytes == 8 && o.max_bytes == 1024 * MIB && o.step_bytes == 3);
	assert_true(o.step_factor == 2 && o.iters == 20 && o.warmup == 1 && o.agg_iters == 3 && o.cycles == 0);
	assert_true(o.combine == COMBINE_AVG && o.combine_given && o.check == 0 && o.op == REDOP_AVG && o.type == DTYPE_HALF);
	assert_true(o.root == 3 && o.blocking == 1 && o.graph == 5 && o.cpu_time == 1);
	assert_true(p.local_register == 2 && p.timestamps && p.timeout == 30 && p.unalign == 3);
	assert_true(p.parallel_init == 1 && p.cta_policy == 2 && p.stream_null == 1 && p.memory_report == 1);
	assert_true(p.per_iter == 1 && p.per_iter_skip == 5);
	assert_string_equal(p.json, "out.json");
	assert_true(parse_good("-h").help);
}

/* The option table of nccl-tests 2.19 with a value that its users give. Each is taken, or refused for a reason that says more than "unknown". */
static const struct {
	char letter;
	const char *name, *value;
} incumbent[] = {
	{ 't', "nthreads", "2" },
	{ 'g', "ngpus", "8" },
	{ 'b', "minbytes", "8" },
	{ 'e', "maxbytes", "8G" },
	{ 'i', "stepbytes", "1M" },
	{ 'f', "stepfactor", "2" },
	{ 'n', "iters", "20" },
	{ 'w', "warmup_iters", "1" },
	{ 'm', "agg_iters", "4" },
	{ 'N', "run_cycles", "0" },
	{ 'a', "average", "1" },
	{ 'c', "check", "0" },
	{ 'o', "op", "mulsum" },
	{ 'd', "datatype", "f8e4m3" },
	{ 'r', "root", "-1" },
	{ 'z', "blocking", "3" },
	{ 'G', "cudagraph", "8" },
	{ 'C', "report_cputime", "1" },
	{ 'p', "parallel_init", "1" },
	{ 'R', "local_register", "2" },
	{ 'D', "device_implementation", "1" },
	{ 'V', "device_cta_count", "17" },
	{ 'x', "cta_policy", "1" },
	{ 'u', "unalign", "3" },
	{ 'y', "stream_null", "1" },
	{ 'T', "timeout", "60" },
	{ 'I', "per_iter_timing", "1" },
	{ 'K', "per_iter_skip", "3" },
	{ 'J', "output_file", "x.json" },
	{ 'S', "report_timestamps", "1" },
	{ 'M', "memory", "1" },
};

static void check_incumbent(const char *option, const char *value, bool refused)
{
	struct options options;
	struct options_error error;
	char line[160];

	/* -K wants -I; -I in a loop wants -n. */
	snprintf(line, sizeof line, "--backend nccl --timing loop -n 20 -f 2 -b 8%s %s %s",
		 strstr(option, "per_iter_skip") || !strcmp(option, "-K") ? " -I 1" : "", option, value);
	if (parse(line, &options, &error) == 0) {
		if (refused)
			fail_msg("%s is accepted", line);
	} else if (!refused || !strstr(error.text, "device-API kernels are not here yet")) {
		fail_msg("%s: %s", line, error.text);
	}
}

/* -D 0 and -V 16 are nccl-tests' defaults: no device-API kernels. */
static void what_asks_for_nothing_is_accepted(void **state)
{
	struct options options;
	struct options_error error;
	char line[] = "-D 0 --device_cta_count 16";

	(void)state;
	assert_int_equal(parse(line, &options, &error), 0);
}

static void processes_started_alike_have_one_fingerprint(void **state)
{
	const char *const lines[] = { "-b 8 -e 8",
				      "-b 8 -e 16",
				      "-b 8 -e 8 -d int32",
				      "-b 8 -e 8 -r 1",
				      "-b 8 -e 8 -n 5",
				      "-b 8 -e 8 -g 2 --backend nccl",
				      "-b 8 -e 8 --split MOD2",
				      "-b 8 -e 8 -R 1 --backend nccl",
				      "-b 8 -e 8 -c 0",
				      "-b 8 -e 8 --max-time 1",
				      "-b 8 -e 8 --path shm",
				      "-b 8 -e 8 --path tcp",
				      "-b 8 -e 8 --algo shm",
				      "-b 8 -e 8 --readback off" };
	struct options options, same;
	struct options_error error;
	uint64_t prints[sizeof lines / sizeof *lines];

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		assert_int_equal(parse(lines[i], &options, &error), 0);
		prints[i] = options_fingerprint(&options, "reduce_perf", "1");
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(prints[i], prints[j]);
	}
	assert_int_equal(parse("--maxbytes 8 --minbytes 8 --csv x --label a=b -T 5", &same, &error), 0);
	assert_int_equal(options_fingerprint(&same, "reduce_perf", "1"), prints[0]);
	assert_int_not_equal(options_fingerprint(&same, "all_reduce_perf", "1"), prints[0]);
	assert_int_not_equal(options_fingerprint(&same, "reduce_perf", "2"), prints[0]);
}

static void all_letters_of_nccl_tests_are_known(void **state)
{
	char option[64];

	(void)state;
	for (size_t i = 0; i < sizeof incumbent / sizeof *incumbent; i++) {
		const bool refused = incumbent[i].letter == 'D' || incumbent[i].letter == 'V';

		snprintf(option, sizeof option, "-%c", incumbent[i].letter);
		check_incumbent(option, incumbent[i].value, refused);
		snprintf(option, sizeof option, "--%s", incumbent[i].name);
		check_incumbent(option, incumbent[i].value, refused);
	}
}

/* And no letter of ours means something else than there. */
static void no_letter_is_ours_alone(void **state)
{
	(void)state;
	for (size_t row = 0; row < option_row_count; row++) {
		bool found = option_rows[row].letter == 'h' || !option_rows[row].letter;

		for (size_t i = 0; i < sizeof incumbent / sizeof *incumbent; i++)
			found |= incumbent[i].letter == option_rows[row].letter &&
				 !strcmp(incumbent[i].name, option_rows[row].name);
		if (!found)
			fail_msg("-%c, --%s", option_rows[row].letter, option_rows[row].name);
	}
}

static void every_long_name_of_nccl_tests(void **state)
{
	struct options o = parse_good(
		"--backend nccl --nthreads 2 --ngpus=4 --minbytes 8 --maxbytes=1G --stepbytes 3 --stepfactor 2 "
		"--iters 20 --warmup_iters 1 --agg_iters 3 --run_cycles 0 --timing loop --average avg");
	struct options p = parse_good(
		"--backend=nccl --check 0 --op avg --datatype half --root 3 --blocking 1 --cudagraph 5 "
		"--report_cputime 1 --local_register 2 --report_timestamps 1 --timeout 30 --unalign 3 --timing loop");

	(void)state;
	assert_true(o.nthreads == 2 && o.ngpus == 4 && o.min_bytes == 8 && o.max_bytes == 1024 * MIB && o.step_bytes == 3);
	assert_true(o.step_factor == 2 && o.iters == 20 && o.warmup == 1 && o.agg_iters == 3 && o.cycles == 0);
	assert_true(o.combine == COMBINE_AVG && p.check == 0 && p.op == REDOP_AVG && p.type == DTYPE_HALF && p.root == 3);
	assert_true(p.blocking == 1 && p.graph == 5 && p.cpu_time == 1 && p.local_register == 2 && p.timestamps);
	assert_true(p.timeout == 30 && p.unalign == 3);
	p = parse_good("--backend nccl --parallel_init 1 --cta_policy efficiency --stream_null 1 --memory 1 --per_iter_timing 1 "
		       "--per_iter_skip 2");
	assert_true(p.parallel_init == 1 && p.cta_policy == 1 && p.stream_null == 1 && p.memory_report == 1);
	assert_true(p.per_iter == 1 && p.per_iter_skip == 2);
	assert_true(parse_good("--backend nccl --memory_report 1").memory_report == 1);
	assert_string_equal(parse_good("--output_file x").json, "x");
}

static void the_options_of_our_own(void **state)
{
	struct options o = parse_good(
		"--backend sim --timing loop --csv a --json b --facts c --format wide --max-time 2s --ci 1% "
		"--label k=v --label x= --list --dry-run --version --man --launch self");
	struct options p = parse_good("--backend sim --sim-ranks 64 --sim-alpha 2us --sim-bandwidth 12.5GB/s --sim-gamma 1ns "
				      "--sim-model tree --sim-noise 5%,1% --seed 7 --malloc system --run-id r1");

	(void)state;
	assert_true(o.timing == TIMING_LOOP && o.format == FORMAT_WIDE && o.max_time == 2 && o.ci == 0.01 && o.nlabels == 2);
	assert_true(o.list && o.dry_run && o.version && o.man && o.launch == LAUNCH_SELF && !o.help);
	assert_true(p.sim_ranks == 64 && p.sim_alpha == 2e-6 && p.sim_bandwidth == 12.5e9 && p.sim_gamma == 1e-9);
	assert_true(p.sim_noise_launch == 0.05 && p.sim_noise_sample == 0.01 && p.seed == 7 && p.malloc_system);
	assert_string_equal(p.sim_model, "tree");
	assert_string_equal(p.run, "r1");
	assert_string_equal(p.sim_option, "sim-noise");
	p = parse_good("--path shm --algo ring/ll --readback all");
	assert_string_equal(p.path, "shm");
	assert_string_equal(p.algo, "ring/ll");
	assert_int_equal(p.readback, READBACK_ALL);
	p = parse_good("--split MOD8 --rotate --connect-timeout 200ms");
	assert_true(p.split.op == SPLIT_MOD && p.split.value == 8 && p.rotate && p.connect_timeout == 0.2);
	p = parse_good("--backend nccl --hold --share-gpus --timing loop --launch env");
	assert_true(p.hold && p.share_gpus && p.launch == LAUNCH_ENV);
	assert_true(parse_good("--backend sim --split &0x4 --split |0b11").split.value == 3);
	o = parse_good("--csv a --json b --facts c --label k=v --label x=");
	assert_string_equal(o.csv, "a");
	assert_string_equal(o.json, "b");
	assert_string_equal(o.facts, "c");
	assert_string_equal(o.labels[0], "k=v");
	assert_string_equal(o.labels[1], "x=");
	assert_true(parse_good("--launch mpi").launch == LAUNCH_MPI);
}

static void all_and_words(void **state)
{
	(void)state;
	assert_true(parse_good("-o all").op == OPTION_ALL && parse_good("-d all").type == OPTION_ALL);
	assert_true(parse_good("-r all").root == OPTION_ALL && parse_good("-r -1").root == OPTION_ALL);
	assert_true(parse_good("-a 0 --timing loop").combine == COMBINE_RANK0);
	assert_true(parse_good("-a rank0 --timing loop").combine == COMBINE_RANK0);
	assert_true(parse_good("-a min --timing loop").combine == COMBINE_MIN);
	assert_true(parse_good("--backend nccl -x default").cta_policy == 0 &&
		    parse_good("--backend nccl -x zero").cta_policy == 2);
	assert_true(parse_good("--backend nccl -x 1 -x unset").cta_policy == -1);
	assert_true(parse_good("-a 3").combine == COMBINE_MAX && parse_good("-a max").combine_given);
	for (int i = 0; i < DTYPE_COUNT; i++) {
		char line[64];

		snprintf(line, sizeof line, "-d %s", dtypes[i].name);
		assert_int_equal(parse_good(line).type, i);
	}
	for (int i = 0; i < REDOP_COUNT; i++) {
		char line[64];

		snprintf(line, sizeof line, "-o %s", redop_names[i]);
		assert_int_equal(parse_good(line).op, i);
	}
}

static void the_last_of_two_wins(void **state)
{
	struct options o = parse_good("-b 8 -b 16 --csv a --csv b -J c --json d");

	(void)state;
	assert_true(o.min_bytes == 16);
	assert_string_equal(o.csv, "b");
	assert_string_equal(o.json, "d");
}

static void values_without_effect_are_taken_everywhere(void **state)
{
	(void)state;
	parse_good("-t 1 -g 1 -m 1 -z 0 -G 0 -C 0 -R 0 -S 0 -T 0 -u 0 -p 0 -x unset -y 0 -M 0 -I 0 -K 0");
	parse_good("--timing loop -z 0 -I 0 -G 0 --memory_report 0");
	parse_good("--backend sim -t 1 -g 1 -m 1 -z 0 -G 0 -C 0 -R 0");
	parse_good("-b 8 -e 8 -i 0");
}

static void faults(void **state)
{
	struct inject a = parse_good("--inject corrupt=1").inject, b = parse_good("--inject delay=2:5000").inject;
	struct inject c = parse_good("-b 1K --inject hang=0@1K").inject, d = parse_good("--inject abort=3").inject;
	struct inject e = parse_good("-b 4M --inject clock=1:-2.5@4M").inject;

	(void)state;
	assert_true(a.kind == INJECT_CORRUPT && a.rank == 1 && a.bytes == 0);
	assert_true(b.kind == INJECT_DELAY && b.rank == 2 && b.seconds == 0.005 && b.bytes == 0);
	assert_true(c.kind == INJECT_HANG && c.rank == 0 && c.bytes == 1024);
	assert_true(d.kind == INJECT_ABORT && d.rank == 3);
	assert_true(e.kind == INJECT_CLOCK && e.rank == 1 && e.seconds == -2.5e-6 && e.bytes == 4 * MIB);
}

static void set_variables(const char *split, const char *mask, const char *device)
{
	const char *const values[] = { split, mask, device };
	static const char *const names[] = { "NCCL_TESTS_SPLIT", "NCCL_TESTS_SPLIT_MASK", "NCCL_TESTS_DEVICE" };

	for (int i = 0; i < 3; i++)
		assert_int_equal(values[i] ? setenv(names[i], values[i], 1) : unsetenv(names[i]), 0);
}

static struct options with_variables(const char *line, const char *split, const char *mask, const char *device)
{
	struct options options = parse_good(line);
	struct options_error error = { "" };

	set_variables(split, mask, device);
	if (options_environment(&options, &error))
		fail_msg("%s", error.text);
	set_variables(NULL, NULL, NULL);
	return options;
}

static void variables_stand_in_for_options(void **state)
{
	struct options o = with_variables("", NULL, NULL, NULL);

	(void)state;
	assert_true(o.split.op == SPLIT_NONE && o.first_device == 0);
	o = with_variables("", "MOD 8", NULL, "3");
	assert_true(o.split.op == SPLIT_MOD && o.split.value == 8 && o.first_device == 3);
	o = with_variables("", NULL, "7f", NULL);
	assert_true(o.split.op == SPLIT_AND && o.split.value == 0x7f);
	o = with_variables("", NULL, "0X10", "0");
	assert_true(o.split.op == SPLIT_AND && o.split.value == 16);
	o = with_variables("", "", "", "");
	assert_true(o.split.op == SPLIT_NONE && o.first_device == 0);
	/* The command line wins. */
	o = with_variables("--split DIV2", "MOD 8", NULL, NULL);
	assert_true(o.split.op == SPLIT_DIV && o.split.value == 2);
	o = with_variables("--split DIV2", NULL, "nonsense", NULL);
	assert_true(o.split.op == SPLIT_DIV && o.split.value == 2);
}

/* Which variables, and what the message must contain. */
static void variables_are_checked_whole(void **state)
{
	static const struct {
		const char *split, *mask, *device, *text;
	} bad[] = {
		{ "MOD 0", NULL, NULL, "NCCL_TESTS_SPLIT: 'MOD 0' divides by 0" },
		{ "XOR 1", NULL, NULL, "NCCL_TESTS_SPLIT: 'XOR 1' is not AND, OR, MOD or DIV" },
		{ "8", NULL, NULL, "NCCL_TESTS_SPLIT: '8'" },
		{ " ", NULL, NULL, "NCCL_TESTS_SPLIT: ' '" },
		{ NULL, "xyz", NULL, "NCCL_TESTS_SPLIT_MASK: 'xyz' is not a hexadecimal number" },
		{ NULL, "7 8", NULL, "NCCL_TESTS_SPLIT_MASK: '7 8'" },
		{ NULL, "0x", NULL, "NCCL_TESTS_SPLIT_MASK: '0x'" },
		{ NULL, "-1", NULL, "NCCL_TESTS_SPLIT_MASK: '-1'" },
		{ NULL, "0x0x7", NULL, "NCCL_TESTS_SPLIT_MASK: '0x0x7'" },
		{ NULL, "\x1b[31m", NULL, "NCCL_TESTS_SPLIT_MASK: '\\x1b[31m'" },
		{ NULL, "11111111111111111", NULL, "NCCL_TESTS_SPLIT_MASK: '11111111111111111'" },
		{ "MOD 8", "7", NULL, "NCCL_TESTS_SPLIT and NCCL_TESTS_SPLIT_MASK are both set" },
		{ NULL, NULL, "abc", "NCCL_TESTS_DEVICE: 'abc' is not the number of a GPU" },
		{ NULL, NULL, "-1", "NCCL_TESTS_DEVICE: '-1'" },
		{ NULL, NULL, "0,1", "NCCL_TESTS_DEVICE: '0,1'" },
		{ NULL, NULL, "99999999999", "NCCL_TESTS_DEVICE: '99999999999'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct options options = parse_good("");
		struct options_error error = { "" };

		set_variables(bad[i].split, bad[i].mask, bad[i].device);
		assert_int_equal(options_environment(&options, &error), -1);
		if (!strstr(error.text, bad[i].text))
			fail_msg("%s, not %s", error.text, bad[i].text);
	}
	set_variables(NULL, NULL, NULL);
}

static void check_sweep(const char *line, size_t n, const uint64_t *sizes)
{
	struct options options = parse_good(line);
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++) {
		assert_true(options_next_size(&options, &bytes));
		if (bytes != sizes[i])
			fail_msg("%s: size %zu is %llu", line, i, (unsigned long long)bytes);
	}
	assert_false(options_next_size(&options, &bytes));
}

static void sweeps(void **state)
{
	(void)state;
	check_sweep("-b 64m -e 70m -i 2M", 4, (uint64_t[]){ 64 * MIB, 66 * MIB, 68 * MIB, 70 * MIB });
	check_sweep("-b 8 -e 64 -f 2", 4, (uint64_t[]){ 8, 16, 32, 64 });
	check_sweep("-b 8 -e 63 -f 2", 3, (uint64_t[]){ 8, 16, 32 });
	check_sweep("-b 8 -e 20 -i 5", 3, (uint64_t[]){ 8, 13, 18 });
	check_sweep("-b 8 -e 8", 1, (uint64_t[]){ 8 });
	check_sweep("-b 8 -e 8 -i 0", 1, (uint64_t[]){ 8 });
	check_sweep("-b 8 -e 8 -f 2", 1, (uint64_t[]){ 8 });
	check_sweep("", 1, (uint64_t[]){ 32 * MIB });
	check_sweep("-b 1 -e 9223372036854775807 -f 4294967296", 2, (uint64_t[]){ 1, UINT64_C(1) << 32 });
	check_sweep("-b 9223372036854775806 -e 9223372036854775807 -f 9223372036854775807", 1, (uint64_t[]){ INT64_MAX - 1 });
	check_sweep("-b 9223372036854775800 -e 9223372036854775807 -i 7", 2, (uint64_t[]){ INT64_MAX - 7, INT64_MAX });
	check_sweep("-b 9223372036854775800 -e 9223372036854775807 -i 8000P", 1, (uint64_t[]){ INT64_MAX - 7 });
}

/* Also of options that options_check would refuse. */
static void no_sweep_is_endless(void **state)
{
	static const uint64_t values[] = { 0, 1, 2, 3, 1000, INT64_MAX, UINT64_MAX - 1, UINT64_MAX };
	enum { N = sizeof values / sizeof *values };

	(void)state;
	for (int i = 0; i < N * N * N * N; i++) {
		struct options options = { .min_bytes = values[i % N],
					   .max_bytes = values[i / N % N],
					   .step_bytes = values[i / N / N % N],
					   .step_factor = values[i / N / N / N] };
		uint64_t bytes = 0, before = 0;

		for (int n = 0; n < 1000 && options_next_size(&options, &bytes); n++) {
			assert_true(bytes > before && bytes >= options.min_bytes && bytes <= options.max_bytes);
			before = bytes;
		}
	}
}

static char *printed(bool man)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	if (man)
		options_man(out);
	else
		options_help(out, "all_reduce_perf", "a summary");
	fclose(out);
	return text;
}

static void help_has_every_option_and_default(void **state)
{
	char *text = printed(false), *line_end;

	(void)state;
	for (size_t i = 0; i < option_row_count; i++) {
		char name[64];

		snprintf(name, sizeof name, "--%s", option_rows[i].name);
		if (!strstr(text, name))
			fail_msg("%s is missing", name);
	}
	assert_non_null(strstr(text, "Usage: all_reduce_perf [OPTION]...\na summary\n"));
	assert_non_null(strstr(text, "first size [32M]"));
	assert_non_null(strstr(text, "powers of 1024"));
	assert_non_null(strstr(text, "1 GB/s = 1e9 B/s"));
	for (size_t i = 0; option_exit_codes[i].meaning; i++)
		assert_non_null(strstr(text, option_exit_codes[i].meaning));
	assert_non_null(strstr(text, "  77  nothing could run"));
	for (size_t i = 0; option_examples[i].launcher; i++)
		assert_non_null(strstr(text, option_examples[i].arguments));
	for (char *line = text; (line_end = strchr(line, '\n')); line = line_end + 1)
		if (line_end - line > 80)
			fail_msg("a line of %d columns: %.40s", (int)(line_end - line), line);
	free(text);
}

/* The examples must be lines that the parser takes. */
static void the_examples_are_right(void **state)
{
	(void)state;
	for (size_t i = 0; option_examples[i].launcher; i++)
		parse_good(option_examples[i].arguments);
}

static void the_man_page_has_its_sections(void **state)
{
	static const char *const sections[] = { ".TH COLLPERF 1 ", ".SH NAME\n",        ".SH SYNOPSIS\n",    ".SH DESCRIPTION\n",
						".SH OPTIONS\n",   ".SH EXIT STATUS\n", ".SH ENVIRONMENT\n", ".SH EXAMPLES\n" };
	char *text = printed(true), *at = text, *line_end;

	(void)state;
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		at = strstr(at, sections[i]);
		if (!at)
			fail_msg("%s is missing or out of order", sections[i]);
	}
	assert_non_null(strstr(text, "\\fB\\-b\\fR, \\fB\\-\\-minbytes\\fR \\fISIZE\\fR\n"));
	/* Every line that starts as a request is one that we mean. */
	for (char *line = text; (line_end = strchr(line, '\n')); line = line_end + 1)
		if (*line == '\'' ||
		    (*line == '.' && strncmp(line, ".S", 2) && strncmp(line, ".T", 2) && strncmp(line, ".P", 2) &&
		     strncmp(line, ".R", 2) && strncmp(line, ".I", 2) && strncmp(line, ".nf", 3) && strncmp(line, ".fi", 3)))
			fail_msg("%.40s", line);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_defaults),
		cmocka_unit_test(the_printed_defaults_are_the_defaults),
		cmocka_unit_test(letters_and_long_names_are_unique),
		cmocka_unit_test(every_letter_of_nccl_tests),
		cmocka_unit_test(what_asks_for_nothing_is_accepted),
		cmocka_unit_test(processes_started_alike_have_one_fingerprint),
		cmocka_unit_test(all_letters_of_nccl_tests_are_known),
		cmocka_unit_test(no_letter_is_ours_alone),
		cmocka_unit_test(every_long_name_of_nccl_tests),
		cmocka_unit_test(the_options_of_our_own),
		cmocka_unit_test(all_and_words),
		cmocka_unit_test(the_last_of_two_wins),
		cmocka_unit_test(values_without_effect_are_taken_everywhere),
		cmocka_unit_test(faults),
		cmocka_unit_test(variables_stand_in_for_options),
		cmocka_unit_test(variables_are_checked_whole),
		cmocka_unit_test(sweeps),
		cmocka_unit_test(no_sweep_is_endless),
		cmocka_unit_test(help_has_every_option_and_default),
		cmocka_unit_test(the_examples_are_right),
		cmocka_unit_test(the_man_page_has_its_sections),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
