/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives by paths and algorithms: which lists are lists, what a round holds, and names that files can have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "src/driver/variant.h"
#include "src/driver/verdict.h"

static void lists_are_read(void **state)
{
	static const char *const bad_paths[] = { "", "shm,", ",shm", "cable", "SHM", "shm,shm", "shm tcp" };
	static const char *const bad_algos[] = {
		"",    "ring,", "ring,ring", "../x", "ring/",
		"/ll", "a b",   "ring;tree", "a\nb", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	};
	struct words words = { 0 };

	(void)state;
	assert_int_equal(variant_read_paths("auto,shm,tcp", &words), 0);
	assert_int_equal(words.count, 3);
	assert_string_equal(words.list[2], "tcp");
	assert_int_equal(variant_read_algos("auto,ring/ll128,recursive_doubling", &words), 0);
	assert_int_equal(words.count, 3);
	assert_string_equal(words.list[1], "ring/ll128");
	for (size_t i = 0; i < sizeof(bad_paths) / sizeof(bad_paths[0]); i++)
		assert_int_equal(variant_read_paths(bad_paths[i], &words), -1);
	for (size_t i = 0; i < sizeof(bad_algos) / sizeof(bad_algos[0]); i++)
		assert_int_equal(variant_read_algos(bad_algos[i], &words), -1);
	words_clear(&words);
}

static void prepare(struct args *args, const char *collectives_list, const char *paths, const char *algos_list)
{
	args_init(args);
	assert_int_equal(args_set_collectives(args, collectives_list), 0);
	if (paths)
		assert_int_equal(variant_read_paths(paths, &args->paths), 0);
	if (algos_list)
		assert_int_equal(variant_read_algos(algos_list, &args->algos), 0);
}

/* "all_reduce-tcp-ring all_gather-tcp-ring ..." of the round, or "refused N" */
static void expect(const char *collectives_list, const char *paths, const char *algos_list, const char *backend,
		   const char *wanted)
{
	struct args args;
	struct variant *list = NULL;
	size_t count = 0;
	char text[1024] = "";

	prepare(&args, collectives_list, paths, algos_list);
	const int rc = variant_round(&args, backend, &list, &count);

	if (rc != 0)
		snprintf(text, sizeof(text), "refused %d", rc);
	for (size_t i = 0; i < count; i++) {
		char suffix[VARIANT_WORDS];

		variant_suffix(&list[i], suffix);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s%s", i > 0 ? " " : "", list[i].coll->name,
			 suffix);
	}
	assert_string_equal(text, wanted);
	free(list);
	args_clear(&args);
}

static void a_round_has_every_combination_that_is_there(void **state)
{
	(void)state;
	expect("reduce,gather", NULL, NULL, NULL, "reduce gather");
	expect("reduce,gather", "shm,tcp", NULL, "mpi", "reduce-shm reduce-tcp gather-shm gather-tcp");
	expect("all_reduce,all_gather", NULL, "recdbl,ring", "mpi", "all_reduce-recdbl all_gather-recdbl all_gather-ring");
	expect("all_reduce,all_gather", NULL, "ring/ll,tree", "nccl", "all_reduce-ring_ll all_reduce-tree all_gather-ring_ll");
	expect("all_reduce,all_gather", "shm,tcp", "auto,ring", "mpi",
	       "all_reduce-shm-auto all_reduce-tcp-auto all_gather-shm-auto all_gather-shm-ring all_gather-tcp-auto "
	       "all_gather-tcp-ring");
	/* Who takes what is not known: any of them may have it. */
	expect("all_reduce,all_gather", NULL, "ring", NULL, "all_reduce-ring all_gather-ring");
	expect("all_reduce,sendrecv", NULL, "circulant,recursive_doubling", "sim",
	       "all_reduce-circulant all_reduce-recursive_doubling");
}

static void an_algorithm_of_none_of_them_is_refused(void **state)
{
	(void)state;
	expect("sendrecv", NULL, "ring", "mpi", "refused 2");
	expect("all_reduce", NULL, "auto,ring", "mpi", "refused 2");
	expect("all_reduce,broadcast", NULL, "ring,pat", "nccl", "refused 2");
	expect("all_reduce", NULL, "ring/ll", "sim", "refused 2");
	expect("all_reduce", NULL, "nothing", NULL, "refused 2");
}

static void a_path_that_the_backend_lacks_is_refused(void **state)
{
	(void)state;
	expect("reduce", "shm", NULL, "sim", "refused 2");
	expect("reduce", "auto,tcp", NULL, "sim", "refused 2");
	expect("reduce", "auto", NULL, "sim", "reduce-auto");
	expect("reduce", "shm,nvlink", NULL, "mpi", "refused 2");
	expect("reduce", "shm,tcp", NULL, "nccl", "refused 2");
	expect("reduce", "nvlink,shm", NULL, "nccl", "reduce-nvlink reduce-shm");
	expect("reduce", "tcp,nvlink", NULL, NULL, "reduce-tcp reduce-nvlink");
}

static void words_of_a_heading(void **state)
{
	struct variant variant = { .path = "tcp", .algo = "ring/ll128" };
	char text[VARIANT_WORDS];

	(void)state;
	variant_words(&variant, text);
	assert_string_equal(text, ", path tcp, algo ring/ll128");
	variant.path = NULL;
	variant_words(&variant, text);
	assert_string_equal(text, ", algo ring/ll128");
	variant.algo = NULL;
	variant_words(&variant, text);
	assert_string_equal(text, "");
}

static void sizes_are_added_where_there_are_none(void **state)
{
	static const struct {
		const char *paths, *word;
		size_t count;
	} cases[] = { { NULL, "-n3", 1 },
		      { "shm", NULL, 6 },
		      { "shm", "-n3", 7 },
		      { "shm", "-b8", 1 },
		      { "shm", "--maxbytes=8", 1 },
		      { "shm", "--minbytes", 1 },
		      { "shm", "-f2", 1 },
		      { "shm", "--stepbytes=4", 1 },
		      { "shm", "--", 1 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct args args;

		prepare(&args, "reduce", cases[i].paths, NULL);
		if (cases[i].word)
			words_add(&args.sweep, cases[i].word);
		variant_sizes(&args);
		assert_int_equal(args.sweep.count, cases[i].count);
		args_clear(&args);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_read),
		cmocka_unit_test(a_round_has_every_combination_that_is_there),
		cmocka_unit_test(an_algorithm_of_none_of_them_is_refused),
		cmocka_unit_test(a_path_that_the_backend_lacks_is_refused),
		cmocka_unit_test(words_of_a_heading),
		cmocka_unit_test(sizes_are_added_where_there_are_none),
	};

	return cmocka_run_group_tests_name("driver/variant", tests, NULL, NULL);
}
