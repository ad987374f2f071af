/* SPDX-License-Identifier: Apache-2.0
 *
 * Algorithms: the table is whole, names are found, limits are minded, and an environment is understood in NCCL's grammar.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "topo/algo.h"

static const char *get(const char *name)
{
	return getenv(name);
}

static const char *value_of(const struct algo *algo, const char *name)
{
	for (const struct way_variable *variable = algo->variables; variable->name; variable++)
		if (strcmp(variable->name, name) == 0)
			return variable->value;
	return "";
}

/* A name means one thing, every entry of MPICH forbids a silent fallback, and every list of variables ends. */
static void the_table_is_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < algo_count; i++) {
		const struct algo *algo = &algos[i];

		assert_null(algo->variables[3].name);
		assert_non_null(algo->variables[0].name);
		assert_ptr_equal(algo_find(algo->library, algo->coll, algo->name), algo);
		if (algo->also)
			assert_ptr_equal(algo_find(algo->library, algo->coll, algo->also), algo);
		if (algo->library == WAY_NCCL) {
			assert_string_not_equal(value_of(algo, "NCCL_ALGO"), "");
			assert_int_equal(strchr(algo->name, '/') != NULL, *value_of(algo, "NCCL_PROTO") != '\0');
			continue;
		}
		assert_string_equal(value_of(algo, "MPIR_CVAR_COLLECTIVE_FALLBACK"), "error");
		assert_string_equal(value_of(algo, "MPIR_CVAR_DEVICE_COLLECTIVES"), "none");
		assert_non_null(strstr(algo->variables[0].name, "_INTRA_ALGORITHM"));
	}
}

/* Names without a cost model are few, and known. */
static void names_are_those_of_the_models(void **state)
{
	static const char *const others[] = { "scatter_recdbl_allgather",
					      "noncommutative",
					      "pairwise_replace",
					      "collnet_direct",
					      "collnet_chain",
					      "nvls",
					      "nvls_tree",
					      "pat" };

	(void)state;
	for (size_t i = 0; i < algo_count; i++) {
		const struct algo *algo = &algos[i];
		char name[32];
		bool known;

		snprintf(name, sizeof name, "%.*s", (int)strcspn(algo->name, "/"), algo->name);
		known = collective_model(collectives[algo->coll], name) != NULL;
		for (size_t k = 0; k < sizeof others / sizeof *others; k++)
			known |= strcmp(others[k], name) == 0;
		/* NCCL's tree is two_tree, and its log says TREE. */
		known |= algo->library == WAY_NCCL && strcmp(name, "tree") == 0;
		known |= algo->coll == COLL_REDUCE_SCATTER && (strcmp(name, "pairwise") == 0 || strcmp(name, "recdbl") == 0);
		if (!known)
			fail_msg("%s of %s", algo->name, collectives[algo->coll]->name);
	}
}

static void names_are_found(void **state)
{
	(void)state;
	assert_string_equal(algo_find(WAY_UCX, COLL_ALL_REDUCE, "recursive_doubling")->name, "recdbl");
	assert_string_equal(algo_find(WAY_UCX, COLL_ALL_REDUCE, "reduce_scatter_allgather")->name, "rabenseifner");
	assert_string_equal(algo_find(WAY_UCX, COLL_BROADCAST, "scatter_ring_allgather")->name, "scatter_allgather");
	assert_string_equal(algo_find(WAY_UCX, COLL_ALL_GATHER, "Brucks")->name, "bruck");
	assert_string_equal(algo_find(WAY_NCCL, COLL_ALL_REDUCE, "TREE/LL128")->name, "tree/ll128");
	assert_null(algo_find(WAY_UCX, COLL_ALL_REDUCE, "ring"));
	assert_null(algo_find(WAY_NCCL, COLL_BROADCAST, "tree"));
	assert_null(algo_find(WAY_NCCL, COLL_SENDRECV, "ring"));
	assert_null(algo_find(WAY_NCCL, COLL_ALL_REDUCE, ""));
}

static void limits_are_minded(void **state)
{
	const struct algo *halving = algo_find(WAY_UCX, COLL_ALL_REDUCE, "rabenseifner");
	const struct algo *doubling = algo_find(WAY_UCX, COLL_ALL_GATHER, "recdbl");
	const struct algo *pairwise = algo_find(WAY_UCX, COLL_ALLTOALL, "pairwise"),
			  *replace = algo_find(WAY_UCX, COLL_ALLTOALL, "pairwise_replace");
	struct algo_call call = { .nranks = 7, .count = 4, .reduces = true, .has_own_op = true };

	(void)state;
	assert_null(algo_cannot(halving, &call));
	call.count = 3;
	assert_non_null(algo_cannot(halving, &call));
	call.count = 4;
	call.nranks = 8;
	assert_non_null(algo_cannot(halving, &call));
	call.count = 8;
	assert_null(algo_cannot(halving, &call));
	assert_null(algo_cannot(doubling, &call));
	call.has_own_op = false;
	assert_non_null(algo_cannot(halving, &call));
	call.reduces = false;
	assert_null(algo_cannot(halving, &call));
	call.nranks = 6;
	assert_non_null(algo_cannot(doubling, &call));
	assert_null(algo_cannot(pairwise, &call));
	assert_non_null(algo_cannot(replace, &call));
	call.in_place = true;
	assert_non_null(algo_cannot(pairwise, &call));
	assert_null(algo_cannot(replace, &call));
}

static void set_variables(const char *algorithm, const char *protocol)
{
	unsetenv("NCCL_ALGO");
	unsetenv("NCCL_PROTO");
	if (algorithm)
		setenv("NCCL_ALGO", algorithm, 1);
	if (protocol)
		setenv("NCCL_PROTO", protocol, 1);
}

static void an_environment_in_the_grammar_of_nccl(void **state)
{
	static const struct {
		const char *algorithm, *protocol;
		enum coll_id coll;
		const char *name; /* NULL: nothing is certain */
	} cases[] = {
		{ NULL, NULL, COLL_ALL_REDUCE, NULL },
		{ "", "", COLL_ALL_REDUCE, NULL },
		{ "Ring", NULL, COLL_ALL_REDUCE, "ring" },
		{ "ring", "ll128", COLL_ALL_REDUCE, "ring/ll128" },
		{ "RING", "LL,LL128", COLL_ALL_REDUCE, "ring" },
		{ NULL, "LL", COLL_ALL_REDUCE, NULL },
		{ "ring,tree", NULL, COLL_ALL_REDUCE, NULL },
		{ "tree,tree", NULL, COLL_ALL_REDUCE, "tree" },
		{ "tree", "^LL,LL128", COLL_ALL_REDUCE, "tree/simple" },
		{ "^tree", NULL, COLL_ALL_REDUCE, NULL },
		{ "^Ring,CollnetDirect,CollnetChain,NVLS,NVLSTree,PAT", NULL, COLL_ALL_REDUCE, "tree" },
		{ "allreduce:tree;broadcast:ring", NULL, COLL_ALL_REDUCE, "tree" },
		{ "allreduce:tree;broadcast:ring", NULL, COLL_BROADCAST, "ring" },
		{ "allreduce:tree;broadcast:ring", NULL, COLL_REDUCE, NULL },
		{ "ring;AllReduce:tree", "Simple;allreduce:LL", COLL_ALL_REDUCE, "tree/ll" },
		{ "ring;AllReduce:tree", "Simple;allreduce:LL", COLL_ALL_GATHER, "ring/simple" },
		{ "NVLS", "Simple", COLL_ALL_REDUCE, "nvls" },
		{ "tree", NULL, COLL_REDUCE, NULL }, /* NCCL has none */
		{ "ring", NULL, COLL_SENDRECV, NULL },
		{ "cable", NULL, COLL_ALL_REDUCE, NULL },
		{ "ring,cable", NULL, COLL_ALL_REDUCE, NULL },
		{ "^", NULL, COLL_ALL_REDUCE, NULL },
		{ ";;:", NULL, COLL_ALL_REDUCE, NULL },
		{ "ring:", NULL, COLL_ALL_REDUCE, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		set_variables(cases[i].algorithm, cases[i].protocol);
		const struct algo *algo = algo_by_environment(WAY_NCCL, cases[i].coll, get);

		if (!!algo != !!cases[i].name || (algo && strcmp(algo->name, cases[i].name) != 0))
			fail_msg("%s %s: %s", cases[i].algorithm, cases[i].protocol, algo ? algo->name : "nothing");
	}
	set_variables(NULL, NULL);
}

/* Every entry's own variables ask for it. */
static void an_environment_that_was_set_is_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < algo_count; i++) {
		const struct way_variable *variables = algos[i].variables;

		for (const struct way_variable *variable = variables; variable->name; variable++)
			setenv(variable->name, variable->value, 1);
		assert_ptr_equal(algo_by_environment(algos[i].library, algos[i].coll, get), &algos[i]);
		for (const struct way_variable *variable = variables; variable->name; variable++)
			unsetenv(variable->name);
	}
}

static void a_silent_fallback_is_not_certain(void **state)
{
	(void)state;
	setenv("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "recursive_doubling", 1);
	assert_null(algo_by_environment(WAY_UCX, COLL_ALL_REDUCE, get));
	setenv("MPIR_CVAR_DEVICE_COLLECTIVES", "none", 1);
	setenv("MPIR_CVAR_COLLECTIVE_FALLBACK", "print", 1);
	assert_null(algo_by_environment(WAY_UCX, COLL_ALL_REDUCE, get));
	setenv("MPIR_CVAR_COLLECTIVE_FALLBACK", "error", 1);
	assert_string_equal(algo_by_environment(WAY_UCX, COLL_ALL_REDUCE, get)->name, "recdbl");
	assert_null(algo_by_environment(WAY_UCX, COLL_ALL_GATHER, get));
	unsetenv("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM");
	unsetenv("MPIR_CVAR_DEVICE_COLLECTIVES");
	unsetenv("MPIR_CVAR_COLLECTIVE_FALLBACK");
}

static void names_for_messages(void **state)
{
	char text[256], small[12];

	(void)state;
	algo_names(WAY_UCX, COLL_ALL_REDUCE, text, sizeof text);
	assert_string_equal(text, "recdbl, rabenseifner");
	algo_names(WAY_NCCL, COLL_REDUCE, text, sizeof text);
	assert_string_equal(text, "ring[/ll|/ll128|/simple]");
	algo_names(WAY_NCCL, COLL_ALL_REDUCE, text, sizeof text);
	assert_string_equal(text,
			    "ring[/ll|/ll128|/simple], tree[/ll|/ll128|/simple], collnet_direct, collnet_chain, nvls, nvls_tree");
	algo_names(WAY_UCX, COLL_SENDRECV, text, sizeof text);
	assert_string_equal(text, "");
	algo_names(WAY_NCCL, COLL_ALL_REDUCE, small, sizeof small);
	assert_int_equal(strlen(small), sizeof small - 1);
}

static void the_list_has_all_variables(void **state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	algo_list(out, COLL_ALL_GATHER);
	fclose(out);
	assert_non_null(strstr(text, "algo: ring/ll128 (nccl): NCCL_ALGO=Ring NCCL_PROTO=LL128\n"));
	assert_non_null(strstr(text, "algo: bruck (mpi; also brucks): MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=brucks "
				     "MPIR_CVAR_COLLECTIVE_FALLBACK=error MPIR_CVAR_DEVICE_COLLECTIVES=none\n"));
	assert_null(strstr(text, "ALLREDUCE"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_whole),
		cmocka_unit_test(names_are_those_of_the_models),
		cmocka_unit_test(names_are_found),
		cmocka_unit_test(limits_are_minded),
		cmocka_unit_test(an_environment_in_the_grammar_of_nccl),
		cmocka_unit_test(an_environment_that_was_set_is_found),
		cmocka_unit_test(a_silent_fallback_is_not_certain),
		cmocka_unit_test(names_for_messages),
		cmocka_unit_test(the_list_has_all_variables),
	};

	return cmocka_run_group_tests_name("topo/algo", tests, NULL, NULL);
}
