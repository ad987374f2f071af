/* SPDX-License-Identifier: Apache-2.0
 *
 * Which backend is taken: of the words of a command line and of what the binaries see.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "src/driver/choice.h"

enum { MAX_WORDS = 8 };

/* "run" and these words. */
static void parse(const char *const *words, struct args *args)
{
	char *argv[MAX_WORDS + 2] = { (char[]){ "run" } };
	int argc = 1;

	while (argc <= MAX_WORDS && words[argc - 1]) {
		argv[argc] = (char *)(uintptr_t)words[argc - 1];
		argc++;
	}
	assert_int_equal(args_parse(argc, argv, args), 0);
}

static void options_are_found(void **state)
{
	static const struct {
		const char *words[MAX_WORDS];
		bool has;
	} cases[] = {
		{ { "-g", "4" }, true },
		{ { "-g4" }, true },
		{ { "--ngpus", "4" }, true },
		{ { "--ngpus=4" }, true },
		{ { "-b", "8", "--hold", "-g", "4" }, true },
		{ { "--label=-g", "-g", "1" }, true },
		{ { "--label", "--", "-g", "1" }, false }, /* the driver's own --, so -g is --label's */
		{ { "--", "-g", "1" }, true },
		{ { "--label", "-g" }, false },
		{ { "--label", "--ngpus=4" }, false },
		{ { "--label=-g" }, false },
		{ { "--ngpu", "4" }, false },
		{ { "--ngpuss", "4" }, false },
		{ { "-ngpus", "4" }, false },
		{ { "--", "--", "-g", "1" }, false },
		{ { "-G", "1", "-t", "4" }, false },
		{ { "" }, false },
		{ { "-" }, false },
		{ { "g" }, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct args args;

		parse(cases[i].words, &args);
		assert_int_equal(args_sweep_has(&args, 'g', "ngpus"), cases[i].has);
		args_clear(&args);
	}
}

static void letters_may_be_none(void **state)
{
	struct args args;

	(void)state;
	parse((const char *const[MAX_WORDS]){ "-", "-s" }, &args);
	assert_false(args_sweep_has(&args, '\0', "share-gpus"));
	args_clear(&args);
}

static void looks_are_needed(void **state)
{
	static const struct {
		const char *words[MAX_WORDS];
		bool needed;
	} cases[] = {
		{ { NULL }, true },
		{ { "--backend", "auto" }, true },
		{ { "--np", "2" }, true },
		{ { "--np", "auto" }, true },
		{ { "-g", "2" }, true },
		{ { "--np", "1" }, false },
		{ { "--launcher", "srun" }, false },
		{ { "--backend", "mpi" }, false },
		{ { "--backend", "sim" }, false },
		{ { "--backend", "nccl" }, true },
		{ { "--backend", "nccl", "--np", "2", "-g", "2" }, true },
		{ { "--backend", "nccl", "-g", "2" }, false },
		{ { "--backend", "nccl", "-t", "2" }, false },
		{ { "--backend", "nccl", "--np", "1" }, false },
		{ { "--backend", "nccl", "--launcher", "srun" }, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct args args;

		parse(cases[i].words, &args);
		assert_int_equal(choice_needs_look(&args), cases[i].needed);
		args_clear(&args);
	}
}

static const struct look eight = { .has_mpi = true, .has_nccl = true, .gpus = 8 };
static const struct look two = { .has_mpi = true, .has_nccl = true, .gpus = 2 };
static const struct look one = { .has_mpi = true, .has_nccl = true, .gpus = 1 };
static const struct look none = { .has_mpi = true, .has_nccl = true, .reason = "no driver" };
static const struct look one_alone = { .has_nccl = true, .gpus = 1 };
static const struct look none_alone = { .has_nccl = true, .reason = "no driver" };
static const struct look hosts = { .has_mpi = true };
static const struct look nothing = { 0 };

static void choices_are_made(void **state)
{
	static const struct {
		const char *words[MAX_WORDS];
		const struct look *look;
		const char *first;
		const char *backend; /* NULL: none */
		int gpus;
		const char *why;
	} cases[] = {
		{ { NULL }, &eight, NULL, "nccl", 8, "8 usable GPUs" },
		{ { NULL }, &two, NULL, "nccl", 2, "2 usable GPUs" },
		{ { NULL }, &one, NULL, "mpi", 0, "1 usable GPU" },
		{ { NULL }, &none, NULL, "mpi", 0, "nccl: no driver" },
		{ { NULL }, &one_alone, NULL, "nccl", 1, "1 usable GPU" },
		{ { NULL }, &none_alone, NULL, NULL, 0, "" },
		{ { NULL }, &hosts, NULL, NULL, 0, "" },
		{ { NULL }, &nothing, NULL, NULL, 0, "" },
		{ { NULL }, &eight, "2", "nccl", 6, "6 usable GPUs" },
		{ { NULL }, &eight, "7", "mpi", 0, "1 usable GPU" },
		{ { NULL }, &eight, "8", "nccl", 8, "8 usable GPUs" },
		{ { NULL }, &eight, "", "nccl", 8, "8 usable GPUs" },
		{ { NULL }, &none, "0", "mpi", 0, "nccl: no driver" },
		{ { "--nthreads=2" }, &eight, NULL, "nccl", 0, "8 usable GPUs" },
		{ { "--backend", "nccl" }, &eight, NULL, "nccl", 8, "" },
		{ { "--backend", "nccl" }, &one, NULL, "nccl", 1, "" },
		{ { "--backend", "nccl", "--np", "9" }, &eight, NULL, "nccl", 0, "" },
		{ { "--backend", "nccl", "--np", "9" }, &none, NULL, "nccl", 0, "" },
		{ { "--backend", "nccl", "--np", "9" }, &nothing, NULL, "nccl", 0, "" },
		{ { "--np", "2" }, &two, NULL, NULL, 0, "" },
		{ { "--np", "3" }, &two, NULL, "mpi", 0, "2 usable GPUs for 3 ranks" },
		{ { "--np", "2" }, &two, "1", "mpi", 0, "1 usable GPU for 2 ranks" },
		{ { "--np", "3", "-g", "1" }, &two, NULL, NULL, 0, "" },
		{ { "--np", "3", "--share-gpus" }, &two, NULL, NULL, 0, "" },
		{ { "--np", "2" }, &none, NULL, NULL, 0, "" },
		{ { "--np", "2" }, &none_alone, NULL, NULL, 0, "" },
		{ { "--np", "2" }, &hosts, NULL, NULL, 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct choice choice;
		struct args args;

		parse(cases[i].words, &args);
		assert_int_equal(choice_make(&args, cases[i].look, cases[i].first, &choice), 0);
		if (cases[i].backend)
			assert_string_equal(choice.backend, cases[i].backend);
		else
			assert_null(choice.backend);
		assert_int_equal(choice.gpus, cases[i].gpus);
		assert_string_equal(choice.why, cases[i].why);
		args_clear(&args);
	}
}

static void what_cannot_run_is_refused(void **state)
{
	static const struct {
		const char *words[MAX_WORDS];
		const struct look *look;
		int code;
	} cases[] = {
		{ { "--backend", "nccl" }, &none, 3 },
		{ { "--backend", "nccl" }, &hosts, 3 },
		{ { "--backend", "nccl", "--np", "2" }, &one_alone, 2 },
		{ { "--backend", "nccl", "--np", "2" }, &none_alone, 2 },
		{ { "--np", "2" }, &one_alone, 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct choice choice;
		struct args args;

		parse(cases[i].words, &args);
		assert_int_equal(choice_make(&args, cases[i].look, NULL, &choice), cases[i].code);
		args_clear(&args);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_found),          cmocka_unit_test(letters_may_be_none),
		cmocka_unit_test(looks_are_needed),           cmocka_unit_test(choices_are_made),
		cmocka_unit_test(what_cannot_run_is_refused),
	};

	return cmocka_run_group_tests_name("choice", tests, NULL, NULL);
}
