/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line: what is refused, and in which words.
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

#define MIB (UINT64_C(1) << 20)

/* Lines that are refused, and what the message must contain. */
static const struct {
	const char *line, *text;
} refused[] = {
	{ "-b 12Q", "-b: '12Q' is not a size (such as 8, 64K, 1.5G)" },
	{ "--minbytes 12Q", "--minbytes: '12Q' is not a size" },
	{ "--minbytes=12Q", "--minbytes: '12Q' is not a size" },
	{ "-b 1M -e 1K", "-b: 1M is above -e, which is 1K" },
	{ "-b 64M", "-b: 64M is above -e, which is 32M" },
	{ "-b 4Mxyz", "'4Mxyz'" },
	{ "-b -5", "'-5'" },
	{ "-b nan", "'nan'" },
	{ "-b 0x10", "'0x10'" },
	{ "-b ''", "''" },
	{ "-b 1,024", "'1,024'" },
	{ "-b 0 -e 1K -f 2", "-b: '0'" },
	{ "-e 0", "-e: '0'" },
	{ "-b 0.5", "-b: '0.5'" },
	{ "-i 2Q", "-i: '2Q'" },
	{ "-b 1 -e 8 -f 1 -i 0", "-i: 0 leads from no size to the next" },
	{ "-b 1 -e 1P -i 1", "more than 1000000 sizes" },
	{ "-f 1.5", "-f: '1.5' is not a whole number of at least 1" },
	{ "-f -2", "-f: '-2'" },
	{ "-f 0", "-f: '0'" },
	{ "-f ''", "-f: ''" },
	{ "-f 99999999999999999999", "-f: '9999" },
	{ "-n 0", "-c N sets the checked calls" },
	{ "-n 10k", "-n: '10k' is not a whole number" },
	{ "-n -1", "-n: '-1'" },
	{ "-n abc", "-n: 'abc'" },
	{ "-w -1", "-w: '-1'" },
	{ "-w ''", "-w: ''" },
	{ "-m 0", "-m: '0'" },
	{ "-N -1", "-N: '-1'" },
	{ "-c -1", "-c: '-1'" },
	{ "-a 4", "-a: '4' is not one of 0, 1, 2, 3, rank0, avg, min, max" },
	{ "-a mean", "-a: 'mean'" },
	{ "-a 1", "-a applies to --timing loop" },
	{ "-o xor", "-o: 'xor' is not one of sum, prod, max, min, avg, mulsum, all" },
	{ "-o ''", "-o: '' is not one of" },
	{ "-d 0,1,2,3", "-d: '0,1,2,3' is not one of int8, uint8, int32, uint32, int64, uint64, half, bfloat16, float, double, "
			"f8e4m3, f8e5m2, all" },
	{ "-d FLOAT", "-d: 'FLOAT'" },
	{ "-r -2", "-r: '-2'" },
	{ "-r first", "-r: 'first' is neither a rank nor all" },
	{ "-r 2147483648", "-r: '2147483648'" },
	{ "-S 2", "-S: '2' is neither 0 nor 1" },
	{ "-T -1", "-T: '-1' is not a time" },
	{ "-T soon", "-T: 'soon'" },
	{ "-T 1e300", "-T: '1e300'" },
	{ "-u -1", "-u: '-1'" },
	{ "-z 4", "-z: '4' is not a whole number from 0 to 3" },
	{ "-J ''", "-J: '' is empty" },
	{ "--csv=", "--csv: '' is empty" },
	{ "--ci 0", "--ci: '0'" },
	{ "--ci 1", "--ci: '1'" },
	{ "--ci 100%", "--ci: '100%'" },
	{ "--ci 2", "--ci: '2'" },
	{ "--ci nan", "--ci: 'nan'" },
	{ "--max-time garbage", "--max-time: 'garbage'" },
	{ "--max-time -1", "--max-time: '-1'" },
	{ "--max-time inf", "--max-time: 'inf'" },
	{ "--timing fast", "--timing: 'fast' is not one of sync, loop" },
	{ "--format csv", "--format: 'csv' is not one of nccl, wide" },
	{ "--backend gloo", "--backend: 'gloo' is not one of auto, mpi, nccl, sim" },
	{ "--launch slurm", "--launch: 'slurm' is not one of auto, mpi, env, self" },
	{ "--malloc je", "--malloc: 'je' is not one of tuned, system" },
	{ "--label x", "--label: 'x' is not KEY=VALUE" },
	{ "--label =x", "--label: '=x' is not KEY=VALUE" },
	{ "--run-id ''", "--run-id: '' is empty" },
	{ "--seed -1", "--seed: '-1'" },
	{ "--backend sim --sim-ranks 0", "--sim-ranks: '0'" },
	{ "--backend sim --sim-ranks 1e3", "--sim-ranks: '1e3'" },
	{ "--backend sim --sim-bandwidth 0", "--sim-bandwidth: '0'" },
	{ "--backend sim --sim-bandwidth 1e300", "--sim-bandwidth: '1e300'" },
	{ "--backend sim --sim-noise 5%,", "--sim-noise: '5%,'" },
	{ "--backend sim --sim-noise ,5%", "--sim-noise: ',5%'" },
	{ "--backend sim --sim-noise 101%", "--sim-noise: '101%'" },
	{ "--backend sim --sim-noise 1%,2%,3%", "--sim-noise: '1%,2%,3%'" },
	{ "--inject corrupt", "--inject: 'corrupt' is not corrupt=RANK" },
	{ "--inject corrupt=", "--inject: 'corrupt='" },
	{ "--inject corrupt=-1", "--inject: 'corrupt=-1'" },
	{ "--inject corrupt=1:5", "--inject: 'corrupt=1:5'" },
	{ "--inject corrupt=1@", "--inject: 'corrupt=1@'" },
	{ "--inject corrupt=1@0", "--inject: 'corrupt=1@0'" },
	{ "--inject corrupt=1@1K@2K", "--inject: 'corrupt=1@1K@2K'" },
	{ "--inject delay=1", "--inject: 'delay=1'" },
	{ "--inject delay=1:", "--inject: 'delay=1:'" },
	{ "--inject delay=1:-5", "--inject: 'delay=1:-5'" },
	{ "--inject delay=1:1e300", "--inject: 'delay=1:1e300'" },
	{ "--inject clock=1:--5", "--inject: 'clock=1:--5'" },
	{ "--inject none=1", "--inject: 'none=1'" },
	{ "--inject explode=1", "--inject: 'explode=1'" },
	{ "--inject rank=2,us=5000", "--inject: 'rank=2,us=5000'" },
	{ "--inject corrupt=0 -c 0", "--inject: corrupt data are never seen with -c 0" },
	{ "--bogus", "unknown option --bogus" },
	{ "--bogus=3", "unknown option --bogus" },
	{ "--memory_usage 0", "unknown option --memory_usage" },
	{ "--memory_repor 0", "unknown option --memory_repor" },
	{ "-q", "unknown option -q" },
	{ "-?", "unknown option -?" },
	{ "-hq", "unknown option -q" },
	{ "-:", "unknown option -:" },
	{ "--=", "unknown option --" },
	{ "--minbyte 8", "unknown option --minbyte" },
	{ "--min=8", "unknown option --min" },
	{ "--max 8", "unknown option --max" },
	{ "--minb", "unknown option --minb" },
	{ "--he", "unknown option --he" },
	{ "-minbytes 8", "-m: 'inbytes'" },
	{ "-b", "-b: needs an argument (SIZE)" },
	{ "-b 8 -e", "-e: needs an argument (SIZE)" },
	{ "--csv", "--csv: needs an argument (FILE)" },
	{ "--help=3", "--help: takes no argument" },
	{ "foo", "extra argument 'foo'" },
	{ "-b 8 foo -e 16", "extra argument 'foo'" },
	{ "-- foo", "extra argument 'foo'" },
	{ "-", "extra argument '-'" },
	{ "''", "extra argument ''" },
	{ "-S", "-S: needs an argument (0|1)" },
	{ "--split AND", "--split: 'AND' is not AND, OR, MOD or DIV and a whole number" },
	{ "--split MOD0", "--split: 'MOD0' divides by 0" },
	{ "--split %0x0", "--split: '%0x0' divides by 0" },
	{ "--split XOR1", "--split: 'XOR1' is not AND" },
	{ "--split ''", "--split: '' is not AND" },
	{ "--path cable", "--path: 'cable' is not one of auto, nvlink, pcie, shm, ib, roce, socket, tcp" },
	{ "--path", "--path: needs an argument (NAME)" },
	{ "--algo ''", "--algo: '' is empty" },
	{ "--readback some", "--readback: 'some' is not one of off, path, all" },
	{ "--backend sim --algo ring --sim-model ring", "--algo and --sim-model both name the cost model" },
	{ "-p 1", "-p: 1 needs --backend nccl" },
	{ "-p 2", "-p: '2' is not a whole number from 0 to 1" },
	{ "-x 1", "-x: 1 needs --backend nccl" },
	{ "-x 0", "-x: 0 needs --backend nccl" },
	{ "-x 3", "-x: '3' is not one of 0, 1, 2, default, efficiency, zero, unset" },
	{ "-x -1", "-x: '-1' is not one of" },
	{ "-x fast", "-x: 'fast'" },
	{ "-y 1", "-y: 1 needs --backend nccl" },
	{ "-M 1", "-M: 1 needs --backend nccl" },
	{ "--memory_report 1 --backend sim", "-M: 1 needs --backend nccl" },
	{ "-D 1", "-D: device-API kernels are not here yet" },
	{ "-V 1", "-V: device-API kernels are not here yet" },
	{ "--device_cta_count=1", "--device_cta_count: device-API" },
	{ "-I 2", "-I: '2'" },
	{ "-K -1", "-K: '-1'" },
	{ "-K 1", "-K applies to -I 1" },
	{ "--per_iter_skip=1 -I 0", "-K applies to -I 1" },
	{ "-I 1 -K 20 -n 20", "-K: leaving 20 calls out of -n 20 leaves none" },
	{ "-I 1 --timing loop -n 20", "-I with --timing loop needs --backend nccl" },
	{ "-I 1 --timing loop --backend nccl", "-I with --timing loop needs -n" },
	{ "-I 1 -G 2 --backend nccl", "-I: calls inside a graph (-G) have no times of their own" },
	{ "-y 1 -G 2 --backend nccl", "-G: the null stream (-y 1) cannot be recorded" },
	{ "-z 1 --backend nccl", "-z applies to --timing loop" },
	{ "--hold", "--hold needs --backend nccl" },
	{ "--hold --timing loop --backend sim", "--hold needs --backend nccl" },
	{ "--hold --backend nccl", "--hold applies to --timing loop" },
	{ "--hold --backend nccl --timing loop -z 2", "--hold: a call that is waited for (-z 2) would never start" },
	{ "--hold --backend nccl --timing loop -w 0", "--hold: needs a warm-up call (-w 0 has none)" },
	{ "--hold=1", "--hold: takes no argument" },
	{ "--rotate=1", "--rotate: takes no argument" },
	{ "--share-gpus", "--share-gpus needs --backend nccl" },
	{ "--connect-timeout 0", "--connect-timeout: '0' is no time at all" },
	{ "--connect-timeout -1", "--connect-timeout: '-1' is not a time" },
	{ "--connect-timeout soon", "--connect-timeout: 'soon' is not a time" },
	{ "-t 2", "-t: 2 needs --backend nccl" },
	{ "-g 2", "-g: 2 needs --backend nccl" },
	{ "-m 2", "-m: 2 needs --backend nccl" },
	{ "-z 1", "-z: 1 needs --backend nccl" },
	{ "-G 1", "-G: 1 needs --backend nccl" },
	{ "-C 1", "-C: 1 needs --backend nccl" },
	{ "-R 2 --backend sim", "-R: 2 needs --backend nccl" },
	{ "-g 0", "-g: '0' is not a whole number from 1 to 1024" },
	{ "-t garbage", "-t: 'garbage'" },
	{ "--sim-ranks 8", "--sim-ranks: needs --backend sim" },
	{ "--sim-model ring --backend mpi", "--sim-model: needs --backend sim" },
	{ "--sim-noise 5%", "--sim-noise: needs --backend sim" },
	{ "--csv - --json -", "--csv and --json cannot both write to '-'" },
	{ "--json a --facts a", "--json and --facts cannot both write to 'a'" },
};

static void bad_lines_are_refused_in_one_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct options options;
		struct options_error error;

		if (parse(refused[i].line, &options, &error) != -1)
			fail_msg("'%s' is accepted", refused[i].line);
		if (!strstr(error.text, refused[i].text) || strchr(error.text, '\n'))
			fail_msg("'%s': %s", refused[i].line, error.text);
	}
}

static void a_refused_line_leaves_the_options_alone(void **state)
{
	char *words[] = { "x", "-b", "8", "-e", "12Q", NULL };
	struct options options, before;
	struct options_error error;

	(void)state;
	memset(&options, 0x5a, sizeof options);
	memset(&before, 0x5a, sizeof before);
	assert_int_equal(options_parse(5, words, &options, &error), -1);
	assert_memory_equal(&options, &before, sizeof options);
}

/* A parse that stopped inside a group of letters must not leak into the next one. */
static void parsing_starts_anew_each_time(void **state)
{
	struct options options;
	struct options_error error;

	(void)state;
	assert_int_equal(parse("-hqb", &options, &error), -1);
	assert_true(parse_good("-b 8").min_bytes == 8);
	assert_int_equal(parse("foo -b 8", &options, &error), -1);
	assert_true(parse_good("-h").help);
	assert_false(parse_good("").help);
}

static void no_words_at_all(void **state)
{
	char *words[] = { NULL };
	struct options options;
	struct options_error error;

	(void)state;
	assert_int_equal(options_parse(0, words, &options, &error), 0);
	assert_true(options.min_bytes == 32 * MIB);
}

static void environment_does_not_change_the_rules(void **state)
{
	(void)state;
	assert_int_equal(setenv("POSIXLY_CORRECT", "1", 1), 0);
	bad_lines_are_refused_in_one_line(state);
	unsetenv("POSIXLY_CORRECT");
}

static void too_many_labels(void **state)
{
	char *words[2 * OPTIONS_MAX_LABELS + 4] = { "x" };
	struct options options;
	struct options_error error;
	int n = 1;

	(void)state;
	for (int i = 0; i < OPTIONS_MAX_LABELS; i++) {
		words[n++] = "--label";
		words[n++] = "k=v";
	}
	assert_int_equal(options_parse(n, words, &options, &error), 0);
	assert_int_equal(options.nlabels, OPTIONS_MAX_LABELS);
	words[n++] = "--label";
	words[n++] = "k=v";
	assert_int_equal(options_parse(n, words, &options, &error), -1);
	assert_non_null(strstr(error.text, "one label too many"));
}

static void long_and_binary_texts_make_one_printable_line(void **state)
{
	static const char *const options_with_text[] = { "-b",          "-d",      "-o",   "-a",     "--inject",
							 "--sim-noise", "--label", "--ci", "--bogus" };
	size_t length = 100000;
	char *text = malloc(length + 1), *both = malloc(length + 16);

	(void)state;
	assert_true(text && both);
	for (size_t i = 0; i < length; i++)
		text[i] = (char)(i % 251 + 1 == '=' ? 'x' : i % 251 + 1);
	text[length] = '\0';
	snprintf(both, length + 16, "--%s", text);
	for (size_t i = 0; i < sizeof options_with_text / sizeof *options_with_text; i++) {
		char *words[][4] = { { "x", (char *)options_with_text[i], text, NULL },
				     { "x", text, NULL },
				     { "x", both, NULL } };

		for (int k = 0; k < 3; k++) {
			struct options options;
			struct options_error error;

			assert_int_equal(options_parse(k == 0 ? 3 : 2, words[k], &options, &error), -1);
			assert_true(strlen(error.text) > 8 && strlen(error.text) < sizeof error.text);
			for (const char *c = error.text; *c; c++)
				assert_true(*c >= ' ' && *c <= '~');
		}
	}
	free(text);
	free(both);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_lines_are_refused_in_one_line),
		cmocka_unit_test(a_refused_line_leaves_the_options_alone),
		cmocka_unit_test(parsing_starts_anew_each_time),
		cmocka_unit_test(no_words_at_all),
		cmocka_unit_test(environment_does_not_change_the_rules),
		cmocka_unit_test(too_many_labels),
		cmocka_unit_test(long_and_binary_texts_make_one_printable_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
