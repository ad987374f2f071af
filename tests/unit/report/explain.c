/* SPDX-License-Identifier: Apache-2.0
 *
 * What a collective does on small numbers: worked results, formulas against what is counted, data from outside.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/explain/example.h"
#include "report/explain/formula.h"
#include "report/explain/lore.h"
#include "report/explain/names.h"
#include "report/explain/show.h"
#include "report/explain/walk.h"
#include "report/explain/words.h"

enum { MOST_RANKS = 33 };

static struct example made(const char *coll, const char *algo, int nranks, const char *data)
{
	const struct example_request request = {
		.coll = collective_find(coll), .algo = algo, .nranks = nranks, .data = data, .op = EXAMPLE_SUM
	};
	struct example example;
	char error[400] = "";

	if (example_make(&request, &example, error, sizeof error))
		fail_msg("%s %s %d: %s", coll, algo, nranks, error);
	return example;
}

static const char *refusal(const char *coll, const char *algo, int nranks, const char *data)
{
	static char error[400];
	const struct example_request request = { .coll = collective_find(coll), .algo = algo, .nranks = nranks, .data = data };
	struct example example;

	*error = '\0';
	assert_int_equal(example_make(&request, &example, error, sizeof error), -1);
	return error;
}

/* What a rank has after `rounds` rounds of what `mask` asks for; rounds -1: all. */
static const char *after(const struct example *example, int rank)
{
	static char text[400];
	const size_t at = example_at(example, rank);

	return words_buffer(example, example->ended + at, example->schedule.wanted + at, 0, text, sizeof text);
}

static void test_all_reduce(void **state)
{
	struct example example = made("all_reduce", "ring", 4, NULL);

	(void)state;
	for (int rank = 0; rank < 4; rank++) {
		const struct show_moved moved = show_moved(&example, rank);

		assert_string_equal(after(&example, rank), "6 10 14 18");
		assert_int_equal(moved.sent_messages, 6);
		assert_int_equal(moved.sent_size, 6);
		assert_int_equal(moved.got_messages, 6);
	}
	assert_int_equal(example.per, 1);
	assert_int_equal(example_whole(&example), 4);
	assert_true(show_moves_alike(&example));
	example_clear(&example);
}

static void test_moved(void **state)
{
	struct example example = made("broadcast", "linear", 3, NULL);

	(void)state;
	assert_false(show_moves_alike(&example));
	assert_int_equal(show_moved(&example, 0).sent_messages, 2);
	assert_int_equal(show_moved(&example, 0).got_messages, 0);
	assert_int_equal(show_moved(&example, 2).got_messages, 1);
	example_clear(&example);
}

/* Which block is complete where when the first part of the ring is done. */
static void test_ring_middle(void **state)
{
	static const double done[] = { 10, 14, 18, 6 };
	struct example example = made("all_reduce", "ring", 4, NULL);
	struct walk walk;
	int skipped;

	(void)state;
	assert_int_equal(walk_open(&example, 8, 14, &walk), 0);
	assert_int_equal(walk.first, 3);
	for (int round = 0; round < 3; round++) {
		assert_true(walk_next(&walk, &skipped));
		assert_int_equal(skipped, 0);
		assert_string_equal(walk_part(&walk), "reduce-scatter");
		assert_int_equal(walk_ends_part(&walk), round == 2);
	}
	for (int rank = 0; rank < 4; rank++) {
		for (int block = 0; block < 4; block++) {
			const uint64_t set = walk.after[example_at(&example, rank) + (size_t)block];

			assert_int_equal(example_is_complete(&example, set, block), block == (rank + 1) % 4);
			if (block == (rank + 1) % 4)
				assert_true(example_number(&example, set, block, 0) == done[rank]);
		}
	}
	assert_true(walk_next(&walk, &skipped));
	assert_string_equal(walk_part(&walk), "all-gather");
	walk_close(&walk);
	example_clear(&example);
}

static void test_reduce_scatter(void **state)
{
	static const char *const wanted[] = { "1111", "2222", "3333", "4444" };
	const struct collective *coll = collective_find("reduce_scatter");
	const char *algo;

	(void)state;
	for (size_t a = 0; (algo = schedule_algorithm(coll, a)) != NULL; a++) {
		struct example by_default = made("reduce_scatter", algo, 4, NULL);
		struct example given = made("reduce_scatter", algo, 4,
					    "1 2 3 4; 10,20,30,40 / 100 200 300 400;1e3 2e3 3e3 4e3; ");

		for (int rank = 0; rank < 4; rank++) {
			assert_string_equal(after(&by_default, rank), wanted[rank]);
			assert_string_equal(after(&given, rank), wanted[rank]);
		}
		example_clear(&by_default);
		example_clear(&given);
	}
}

/* all_reduce = reduce_scatter, then all_gather, by every pair of algorithms. */
static void test_halves(void **state)
{
	const char *scatters, *gathers;
	const struct collective *rs = collective_find("reduce_scatter"), *ag = collective_find("all_gather");

	(void)state;
	for (size_t a = 0; (scatters = schedule_algorithm(rs, a)) != NULL; a++) {
		struct example first = made("reduce_scatter", scatters, 4, "3 1 4 1;5 9 2 6;5 3 5 8;9 7 9 3");
		char rows[400] = "";

		for (int rank = 0; rank < 4; rank++)
			snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "%s%s", rank > 0 ? ";" : "",
				 after(&first, rank));
		for (size_t b = 0; (gathers = schedule_algorithm(ag, b)) != NULL; b++) {
			struct example second = made("all_gather", gathers, 4, rows);
			struct example whole = made("all_reduce", "ring", 4, "3 1 4 1;5 9 2 6;5 3 5 8;9 7 9 3");

			for (int rank = 0; rank < 4; rank++) {
				char gathered[400];

				snprintf(gathered, sizeof gathered, "%s", after(&second, rank));
				assert_string_equal(after(&whole, rank), gathered);
				assert_string_equal(gathered, "22 20 20 18");
			}
			example_clear(&second);
			example_clear(&whole);
		}
		example_clear(&first);
	}
}

static void test_transpose(void **state)
{
	const struct collective *coll = collective_find("alltoall");
	const char *algo;

	(void)state;
	for (size_t a = 0; (algo = schedule_algorithm(coll, a)) != NULL; a++) {
		for (int nranks = 1; nranks <= 9; nranks++) {
			struct example example = made("alltoall", algo, nranks, NULL);

			for (int rank = 0; rank < nranks; rank++) {
				for (int from = 0; from < nranks; from++) {
					const int item = walk_item(&example, rank, from);
					const uint64_t set = example.ended[example_at(&example, rank) + (size_t)item];

					assert_int_equal(walk_columns(&example), nranks);
					assert_true(example_number(&example, set, item, 0) == 10.0 * from + rank);
				}
			}
			example_clear(&example);
		}
	}
}

static bool applies(const struct collective *coll, const struct coll_model *model, int nranks)
{
	return (!model->holds || model->holds(nranks)) && !(coll->cannot && coll->cannot(nranks));
}

/* Every result on numbers is what collective.h's origin says, by every algorithm. */
static void check_origin(const struct collective *coll, const char *algo, int nranks)
{
	struct example example = made(coll->name, algo, nranks, NULL);
	const int whole = coll->id == COLL_HYPERCUBE ? nranks : example_whole(&example);
	const struct coll_shape shape = coll->shape((size_t)whole, nranks, 1);
	const double step = nranks > 10 || (example.schedule.sizes && nranks > 7) ? 100 : 10;
	uint64_t cells[12 * 12];

	for (int pair = 0; example.schedule.sizes && pair < nranks * nranks; pair++)
		cells[pair] = (uint64_t)example.schedule.sizes[pair];
	for (int rank = 0; rank < nranks; rank++) {
		const struct coll_geom geom = {
			.nranks = nranks,
			.rank = rank,
			.count = shape.count,
			.layout = { .cells = example.schedule.sizes ? cells : NULL, .busiest = 1, .bytes = 1, .element = 1 }
		};
		size_t k = 0;

		for (int item = 0; item < example.schedule.nitems; item++) {
			const size_t at = example_at(&example, rank) + (size_t)item;

			for (int e = 0; example.schedule.wanted[at] && e < example_count(&example, item); e++, k++) {
				const struct coll_origin origin = coll->origin(&geom, k);
				double wanted = 0;

				for (int r = 0; r < nranks && origin.rank == COLL_REDUCED; r++)
					wanted += coll->id == COLL_REDUCE_SCATTER && nranks <= 6
							  ? (double)(origin.index + 1) * pow(10, r)
							  : (double)r + (double)origin.index;
				if (origin.rank >= 0)
					wanted = step * origin.rank + (double)origin.index;
				assert_true(origin.rank != COLL_UNTOUCHED);
				assert_true(example_number(&example, example.ended[at], item, e) == wanted);
			}
		}
	}
	example_clear(&example);
}

static void test_origins(void **state)
{
	const char *algo;

	(void)state;
	for (int c = 0; c < COLL_COUNT; c++) {
		for (size_t a = 0; (algo = schedule_algorithm(collectives[c], a)) != NULL; a++) {
			const struct coll_model *model = collective_model(collectives[c], algo);

			for (int nranks = 1; nranks <= 12 && !(collectives[c]->flags & COLL_NO_DATA); nranks++) {
				if (applies(collectives[c], model, nranks))
					check_origin(collectives[c], algo, nranks);
			}
		}
	}
}

/* What is shown as formula is what was counted. */
static void check_formula(const struct collective *coll, const char *algo, int nranks)
{
	const struct lore *lore = lore_find(coll, algo);
	struct example example = made(coll->name, algo, nranks, NULL);

	if (words_cost_fit(&example, lore_cost_of(lore, nranks)) != WORDS_EXACT) {
		char formula[200], counted[200];

		fail_msg("%s %s, %d ranks: %s, counted %s", coll->name, algo, nranks,
			 words_cost(lore_cost_of(lore, nranks), formula, sizeof formula),
			 words_counted(&example, counted, sizeof counted));
	}
	example_clear(&example);
}

static void test_formulas(void **state)
{
	const char *algo;

	(void)state;
	for (int c = 0; c < COLL_COUNT; c++) {
		for (size_t a = 0; (algo = schedule_algorithm(collectives[c], a)) != NULL; a++) {
			const struct coll_model *model = collective_model(collectives[c], algo);

			assert_non_null(model);
			assert_non_null(lore_find(collectives[c], algo));
			for (int nranks = 2; nranks <= MOST_RANKS; nranks++) {
				if (applies(collectives[c], model, nranks))
					check_formula(collectives[c], algo, nranks);
			}
		}
	}
}

static const char *validity(const char *coll, const char *algo, int nranks)
{
	return lore_validity(lore_find(collective_find(coll), algo), nranks);
}

/* For which numbers of ranks a formula holds is those that the algorithm works for. */
static void test_validity(void **state)
{
	(void)state;
	assert_string_equal(validity("all_reduce", "ring", 4), "for every p");
	assert_string_equal(validity("all_gather", "recdbl", 4), "for p = 2^k");
	assert_string_equal(validity("hypercube", "recdbl", 8), "for p = 2^k");
	assert_string_equal(validity("all_reduce", "recdbl", 8), "for p = 2^k");
	assert_string_equal(validity("all_reduce", "recdbl", 6), "for p not 2^k");
	assert_string_equal(validity("broadcast", "two_tree", 2), "for p = 2");
	assert_string_equal(validity("broadcast", "bintree_pipe", 4), "for p > 2");
	assert_string_equal(validity("broadcast", "ring_pipe", 2), "for every p");
	for (int c = 0; c < COLL_COUNT; c++) {
		const char *algo;

		for (size_t a = 0; (algo = schedule_algorithm(collectives[c], a)) != NULL; a++) {
			const bool all = strcmp(validity(collectives[c]->name, algo, 4), "for p = 2^k") != 0 ||
					 lore_find(collectives[c], algo)->odd.rounds;

			for (int nranks = 2; nranks <= SCHEDULE_MOST_RANKS; nranks++)
				assert_int_equal(schedule_suits(collectives[c], algo, nranks),
						 all || coll_is_power_of_two(nranks));
		}
	}
}

/* Segments as asked for, at two ranks too: each is a message. */
static void test_segments(void **state)
{
	static const char *const algos[] = { "ring_pipe", "bintree_pipe", "round_optimal", "two_tree" };
	struct example example;
	char error[400], text[300];

	(void)state;
	for (size_t a = 0; a < sizeof algos / sizeof *algos; a++) {
		const int trees = a == 3 ? 2 : 1;
		const struct example_request request = {
			.coll = collective_find("broadcast"), .algo = algos[a], .nranks = 2, .segments = 5
		};

		assert_int_equal(example_make(&request, &example, error, sizeof error), 0);
		assert_int_equal(example.count.rounds, 5);
		assert_int_equal(example.schedule.messages[3].nitems, trees);
		assert_int_equal(example_trees(&example), trees);
		assert_int_equal(words_cost_fit(&example, lore_cost_of(lore_find(request.coll, algos[a]), 2)), WORDS_EXACT);
		example_clear(&example);
	}
	example = made("reduce", "two_tree", 5, NULL);
	assert_string_equal(words_cut(&example, text, sizeof text),
			    "The buffer is cut into 4 segments of 2 numbers, m = 2 for each tree: even ones for the first.");
	assert_string_equal(
		words_letters(&example, lore_cost_of(lore_find(example.schedule.coll, "two_tree"), 5), text, sizeof text),
		"L = ceil(log2 p) = 3, m = segments for each tree = 2, d = 1 (0 where p is 2^k or 4i+3, else 1)");
	example_clear(&example);
	example = made("reduce", "bintree_pipe", 7, NULL);
	assert_string_equal(
		words_letters(&example, lore_cost_of(lore_find(example.schedule.coll, "bintree_pipe"), 7), text, sizeof text),
		"m = segments = 4, D = floor(log2(p+1)) + floor(log2((p+1)/3)) = 4");
	example_clear(&example);
}

/* Which half is which is said only of algorithms that have these halves. */
static void test_kinship(void **state)
{
	static const char *const halves[] = { "ring", "rabenseifner", "circulant" }, *const wholes[] = { "binomial", "two_tree",
													 "naive" };
	const struct collective *coll = collective_find("all_reduce");

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_non_null(strstr(lore_kinship(lore_find(coll, halves[i])), "the blocks that one leaves"));
		assert_null(strstr(lore_kinship(lore_find(coll, wholes[i])), "blocks"));
		assert_non_null(strstr(lore_kinship(lore_find(coll, wholes[i])), "all_reduce = reduce, then broadcast"));
	}
	assert_null(strstr(lore_kinship(lore_find(coll, "recdbl")), "blocks"));
}

static const char *number(double value)
{
	static char text[40];

	return words_number(value, text, sizeof text);
}

static void test_numbers(void **state)
{
	(void)state;
	assert_string_equal(number(123456789012345), "123456789012345");
	assert_string_equal(number(123456789012346), "123456789012346");
	assert_string_equal(number(9007199254740992), "9007199254740992");
	assert_string_equal(number(-9007199254740991), "-9007199254740991");
	assert_string_equal(number(64e15), "6.4e+16");
	assert_string_equal(number(12345678901234568), "~1.23456789012346e+16");
	assert_string_equal(number(0.1 + 0.2), "0.3");
	assert_string_equal(number(123456789012.5), "123456789012.5");
	assert_string_equal(number(0), "0");
}

/* Of many columns those are chosen that change or are sent. */
static void test_columns(void **state)
{
	struct example example = made("all_gather", "ring", 40, NULL);
	struct walk walk;
	int columns[12], moving, skipped;

	(void)state;
	assert_int_equal(walk_open(&example, 8, 40, &walk), 0);
	assert_int_equal(walk_choose(&walk, 12, columns, &moving), 12);
	assert_int_equal(moving, 0);
	assert_int_equal(columns[11], 11);
	for (int round = 0; round < 3; round++)
		assert_true(walk_next(&walk, &skipped));
	/* Ranks 0 to 7 are shown; they get blocks 37 to 39 and 0 to 4, and send 38, 39 and 0 to 5. */
	assert_int_equal(walk_choose(&walk, 12, columns, &moving), 9);
	assert_int_equal(moving, 9);
	for (int i = 0; i < 9; i++)
		assert_int_equal(columns[i], i < 6 ? i : i + 31);
	assert_int_equal(walk_choose(&walk, 4, columns, &moving), 4);
	assert_int_equal(moving, 9);
	assert_int_equal(columns[3], 3);
	walk_close(&walk);
	example_clear(&example);
	/* In the last round each of them sends all. */
	example = made("all_gather", "tree", 40, NULL);
	assert_int_equal(walk_open(&example, 8, 40, &walk), 0);
	while (walk_next(&walk, &skipped))
		;
	assert_int_equal(walk_choose(&walk, 12, columns, &moving), 12);
	assert_int_equal(moving, 40);
	walk_close(&walk);
	example_clear(&example);
	example = made("sendrecv", "p2p", 3, NULL);
	assert_int_equal(walk_open(&example, 8, 40, &walk), 0);
	assert_int_equal(walk_choose(&walk, 12, columns, &moving), 1);
	walk_close(&walk);
	example_clear(&example);
}

static void test_formula_reader(void **state)
{
	static const struct {
		const char *text;
		int nranks, segments;
		double value;
	} good[] = { { "2(p-1)/p", 4, 1, 1.5 },
		     { "p-2+m", 5, 7, 10 },
		     { "4-2/2^k", 6, 1, 3.5 },
		     { "L", 33, 1, 6 },
		     { "D", 47, 1, 9 },
		     { "D", 46, 1, 8 },
		     { "D", 3, 1, 2 },
		     { "D", 62, 1, 9 },
		     { "d", 16, 1, 0 },
		     { "d", 11, 1, 0 },
		     { "d", 12, 1, 1 },
		     { "2-d", 9, 1, 1 },
		     { "k", 33, 1, 5 },
		     { "W/p", 8, 1, 1.5 },
		     { "2(k+m-1)/m", 7, 4, 2.5 },
		     { "(p-1)(1/p+1)", 4, 1, 3.75 },
		     { "7", 1, 1, 7 },
		     { "p-1-1-1", 9, 1, 6 } };
	static const char *const bad[] = { "", "(", "p-", "2x", "p)", "1/(p-p)", "((((((((((((((((((((((((((p", "2(p-1" };
	double value;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_int_equal(formula_value(good[i].text, good[i].nranks, good[i].segments, &value), 0);
		assert_true(fabs(value - good[i].value) < 1e-12);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(formula_value(bad[i], 4, 1, &value), -1);
}

static void test_fractions(void **state)
{
	char text[40];

	(void)state;
	assert_string_equal(formula_fraction(1.5, 4, text, sizeof text), "3/2");
	assert_string_equal(formula_fraction(6, 4, text, sizeof text), "6");
	assert_string_equal(formula_fraction(0, 4, text, sizeof text), "0");
	assert_string_equal(formula_fraction(63.0 / 64, 64, text, sizeof text), "63/64");
}

static void test_refusals(void **state)
{
	(void)state;
	assert_string_equal(refusal("all_reduce", "ring", 4, "1 2 3 4;1 2 3;1 2 3 4;1 2 3 4"),
			    "rank 1 has 3 numbers where 4 are wanted, as of the ranks before");
	assert_string_equal(refusal("all_reduce", "ring", 4, "1 2 3 4 5;;;1"),
			    "rank 0 has 5 numbers, which cannot be cut into 4 equal parts: 4 or 8 can");
	assert_string_equal(refusal("all_reduce", "ring", 4, "1 2 3 4;1 2 3 4;1 2 3 4"),
			    "there are 3 rows of numbers, but 4 of 4 ranks (--np) have data before the call");
	assert_string_equal(refusal("broadcast", "ring", 4, "1;2"),
			    "there are 2 rows of numbers, but 1 of 4 ranks (--np) has data before the call");
	assert_string_equal(refusal("alltoallv", "linear", 2, "1|2;3"),
			    "rank 1 has fewer blocks than 2; there is one for each rank, and '|' parts them");
	assert_string_equal(refusal("alltoallv", "linear", 2, "1|2|;3|"),
			    "rank 0 has more blocks than 2; there is one for each rank, and '|' parts them");
	assert_string_equal(refusal("alltoallv", "linear", 2, "1|2"),
			    "there is 1 row of numbers, but 2 of 2 ranks (--np) have data before the call");
	assert_string_equal(refusal("alltoallv", "linear", 2, "1|2;3|x"), "rank 1: 'x' is not a number of at most 1e15");
	assert_string_equal(refusal("alltoallv", "linear", 2, "|;|"), "all blocks are empty");
	assert_string_equal(refusal("all_gather", "ring", 2, "1;2|3"), "rank 1: '2|3' is not a number of at most 1e15");
	assert_string_equal(
		refusal("hypercube", "recdbl", 6, NULL),
		"hypercube has no schedule of 'recdbl' for 6 ranks, only for 2, 4, 8, 16, 32, 64: a hypercube needs a "
		"power of two of ranks");
	assert_string_equal(refusal("all_gather", "ring", 3, "1;;2"), "rank 1 has no numbers");
	assert_string_equal(refusal("all_gather", "ring", 3, "1;2;xy "), "rank 2: 'xy' is not a number of at most 1e15");
	assert_string_equal(refusal("all_gather", "ring", 2, "1;nan"), "rank 1: 'nan' is not a number of at most 1e15");
	assert_string_equal(refusal("all_gather", "ring", 2, "1;1e-400"),
			    "rank 1: '1e-400' is not a number of at most 1e15 that is 0 or can be told from it");
	assert_string_equal(refusal("all_gather", "ring", 2, "1;12345678901234567890123456789012345678901234567890"),
			    "rank 1: '1234567890123456789012345678901234567890...' is not a number of at most 1e15");
	assert_string_equal(refusal("all_reduce", "ring", 4, "1;1;1;1"),
			    "rank 0 has 1 number, which cannot be cut into 4 equal parts: 4 can");
	assert_string_equal(refusal("all_gather", "ring", 2, ""),
			    "there is 1 row of numbers, but 2 of 2 ranks (--np) have data before the call");
	assert_string_equal(refusal("all_gather", "ring", 2, "1;2;;"),
			    "there are 3 rows of numbers, but 2 of 2 ranks (--np) have data before the call");
	assert_string_equal(refusal("all_gather", "recdbl", 5, NULL),
			    "all_gather has no schedule of 'recdbl' for 5 ranks, only for 1, 2, 4, 8, 16, 32, 64");
	assert_string_equal(refusal("all_gather", "ring", 2, "1;0x10"), "rank 1: '0x10' is not a number of at most 1e15");
	assert_string_equal(refusal("all_gather", "ring", 2, "1;1e16"), "rank 1: '1e16' is not a number of at most 1e15");
}

static struct example skewed(double skew, int nranks)
{
	const struct example_request request = {
		.coll = collective_find("alltoallv"), .algo = "pairwise", .nranks = nranks, .skewed = true, .skew = skew
	};
	struct example example;
	char error[400] = "";

	if (example_make(&request, &example, error, sizeof error))
		fail_msg("skew %g of %d: %s", skew, nranks, error);
	return example;
}

/* Of what a rank sends, skew goes to rank 0 beside its even part of the rest, as near as small whole numbers can be. */
static void test_skew(void **state)
{
	static const double skews[] = { 0, 0.05, 0.1, 0.3, 0.5, 0.8 };

	(void)state;
	for (size_t i = 0; i < sizeof skews / sizeof *skews; i++) {
		for (int nranks = 2; nranks <= 20; nranks += 3) {
			struct example example = skewed(skews[i], nranks);
			const double hot = example_count(&example, 0), cold = example_count(&example, 1);

			assert_true(fabs(hot / (hot + (nranks - 1) * cold) - (skews[i] + (1 - skews[i]) / nranks)) < 0.02);
			for (int pair = 0; pair < nranks * nranks; pair++)
				assert_int_equal(example_count(&example, pair), pair % nranks == 0 ? hot : cold);
			assert_int_equal(show_busiest(&example).rank, 0);
			assert_int_equal(show_busiest(&example).gets, skews[i] > 0);
			assert_int_equal(show_busiest(&example).most, hot * (nranks - 1));
			assert_int_equal(show_busiest(&example).total, (hot + cold * (nranks - 1)) * (nranks - 1));
			example_clear(&example);
		}
	}
}

static void test_nothing_but_to_rank_0(void **state)
{
	struct example example = skewed(1, 3);

	(void)state;
	assert_int_equal(example_count(&example, 3), 2);
	assert_int_equal(example_smallest(&example), 0);
	assert_int_equal(example.schedule.nmessages, 2);
	example_clear(&example);
}

static void test_blocks(void **state)
{
	struct example example = made("alltoallv", "linear", 3, " 1 2 | | 3 / 4,5|6| ;|7 8 9 10 |11"),
		       own = made("alltoallv", "linear", 2, "1|;|2"),
		       waiting = made("alltoallv", "linear", 3, "1 2 3|4|;5||6 7;|8 9 10|");
	char text[400];

	(void)state;
	assert_string_equal(words_before(&example, 0, 0, text, sizeof text), "1 2 | - | 3");
	assert_string_equal(words_before(&example, 2, 0, text, sizeof text), "- | 7 8 9 10 | 11");
	assert_string_equal(words_after(&example, 0, 0, text, sizeof text), "1 2 | 4 5 | -");
	assert_string_equal(words_after(&example, 1, 0, text, sizeof text), "- | 6 | 7 8 9 10");
	assert_string_equal(words_after(&example, 1, 0, text, 17), "- | 6 | 7 8 9 10");
	assert_string_equal(words_after(&example, 1, 0, text, 16), "- | 6 ..");
	assert_string_equal(words_before(&example, 2, 0, text, 16), "- | 7 8 9 10 ..");
	assert_string_equal(words_before(&example, 2, 0, text, 15), "- ..");
	assert_string_equal(words_counted(&example, text, sizeof text), "alpha + 4/5 S beta");
	assert_string_equal(show_validity(&example, lore_find(example.schedule.coll, "linear")), "for even blocks");
	assert_string_equal(
		words_busiest(&waiting, text, sizeof text),
		"Rank 1 is the busiest: it gets 4 numbers, one message at a time, so that no order of messages takes less "
		"than S beta. As each round waits for its largest block, it is 5/4 S beta here. Spread evenly over all "
		"ranks it would be 2.33 numbers each; this is 1.71 times that.");
	assert_string_equal(
		words_busiest(&waiting, text, sizeof text),
		"Rank 1 is the busiest: it gets 4 numbers, one message at a time, so that no order of messages takes less "
		"than S beta. As each round waits for its largest block, it is 5/4 S beta here. Spread evenly over all "
		"ranks it would be 2.33 numbers each; this is 1.71 times that.");
	assert_string_equal(words_busiest(&own, text, sizeof text), "No rank has anything for another one.");
	assert_int_equal(example.per, 1);
	assert_int_equal(example.room, 4);
	example_clear(&example);
	example_clear(&own);
	example_clear(&waiting);
}

static void test_barrier(void **state)
{
	struct example example = made("barrier", "dissemination", 5, NULL);
	static const int item = 0;
	char text[100];

	(void)state;
	assert_int_equal(example_whole(&example), 0);
	assert_string_equal(words_before(&example, 3, 0, text, sizeof text), "3");
	assert_string_equal(words_after(&example, 3, 0, text, sizeof text), "0-4");
	assert_string_equal(words_items(&example, &item, 1, text, sizeof text), "empty message");
	assert_string_equal(words_counted(&example, text, sizeof text), "3 alpha");
	assert_string_equal(words_sign(&example, true), "");
	assert_int_equal(show_moved(&example, 1).sent_messages, 3);
	assert_int_equal(show_moved(&example, 1).sent_size * (size_t)example.per, 0);
	example_clear(&example);
	assert_string_equal(refusal("barrier", "dissemination", 2, "1;2"), "barrier carries no data");
}

static void test_operations(void **state)
{
	static const char *const wanted[] = { "5 0.5", "6 -1.5", "3 1.5", "2 -1" };
	struct example_request request = {
		.coll = collective_find("all_reduce"), .algo = "ring", .nranks = 2, .data = "3 1.5;2,-1"
	};

	(void)state;
	for (int op = 0; op < EXAMPLE_OPS; op++) {
		struct example example;
		char error[400];

		request.op = (enum example_op)op;
		assert_int_equal(example_make(&request, &example, error, sizeof error), 0);
		assert_string_equal(after(&example, 0), wanted[op]);
		assert_string_equal(after(&example, 1), wanted[op]);
		example_clear(&example);
	}
}

static void test_overflow(void **state)
{
	struct example_request request = {
		.coll = collective_find("all_reduce"), .algo = "ring", .nranks = 32, .op = EXAMPLE_PROD
	};
	struct example example;
	char error[400], data[8000] = "";

	(void)state;
	for (int i = 0; i < 32 * 32; i++)
		strcat(data, i == 32 * 32 - 1 ? "1e15" : i % 32 == 31 ? "1e15;" : "1e15 ");
	request.data = data;
	assert_int_equal(example_make(&request, &example, error, sizeof error), -1);
	assert_string_equal(error, "the numbers grow too large");
	request.op = EXAMPLE_SUM;
	assert_int_equal(example_make(&request, &example, error, sizeof error), 0);
	example_clear(&example);
	request = (struct example_request){
		.coll = collective_find("reduce"), .algo = "ring", .nranks = 3, .op = EXAMPLE_PROD, .data = "1e-150;1e-150;1"
	};
	assert_int_equal(example_make(&request, &example, error, sizeof error), -1);
	assert_string_equal(error, "the numbers come too near to 0");
	request.data = "1e-150;0;1e-149";
	assert_int_equal(example_make(&request, &example, error, sizeof error), 0);
	assert_string_equal(after(&example, 0), "0");
	example_clear(&example);
}

static void test_names(void **state)
{
	const struct collective *all_reduce = collective_find("all_reduce");

	(void)state;
	assert_ptr_equal(names_collective("All-Reduce"), all_reduce);
	assert_ptr_equal(names_collective("allreduce"), all_reduce);
	assert_null(names_collective("allreduces"));
	assert_null(names_collective(""));
	assert_string_equal(names_algorithm(all_reduce, "recursive_doubling"), "recdbl");
	assert_string_equal(names_algorithm(all_reduce, "tree"), "binomial");
	assert_string_equal(names_algorithm(all_reduce, "recursive-halving"), "rabenseifner");
	assert_string_equal(names_algorithm(collective_find("alltoall"), "tree"), "bruck");
	assert_string_equal(names_algorithm(collective_find("alltoall"), "ring"), "pairwise");
	assert_string_equal(names_algorithm(collective_find("all_gather"), "tree"), "tree");
	assert_null(names_algorithm(all_reduce, "pairwise"));
	assert_string_equal(names_default(all_reduce), "ring");
	assert_string_equal(names_default(collective_find("sendrecv")), "p2p");
}

static void test_words(void **state)
{
	static const int items[] = { 0, 1, 2, 4 };
	struct example ring = made("all_reduce", "ring", 5, NULL), pairs = made("alltoall", "pairwise", 2, NULL);
	char text[100], small[12];

	(void)state;
	assert_string_equal(words_items(&ring, items, 4, text, sizeof text), "blocks 0-2,4");
	assert_string_equal(words_items(&ring, items + 3, 1, text, sizeof text), "block 4");
	assert_string_equal(words_items(&ring, items, 4, small, sizeof small), "blocks 0-..");
	assert_string_equal(words_items(&pairs, items, 3, text, sizeof text), "0:0 0:1 1:0");
	assert_string_equal(words_values(&ring, ring.ended, items, 3, text, sizeof text), "10 15 20");
	assert_string_equal(words_values(&ring, ring.ended, items, 3, small, 8), "10 15..");
	assert_string_equal(words_values(&ring, ring.ended, items, 3, small, 7), "10..");
	/* The end of the room is that of a number: nothing may be written behind it, and the text has an end. */
	memset(text, 'x', sizeof text - 1);
	assert_string_equal(words_values(&ring, ring.ended, items, 3, text, 3), "..");
	assert_string_equal(words_buffer(&ring, ring.ended, ring.ended, 0, text, 10), "10 15..");
	assert_string_equal(words_buffer(&ring, ring.ended, ring.ended, 0, text, 6), "10..");
	assert_string_equal(words_ranks(0x8000000000000003, text, sizeof text), "0-1,63");
	assert_string_equal(words_counted(&ring, text, sizeof text), "8 alpha + 8/5 S beta + 4/5 S gamma");
	assert_string_equal(words_cost(&(struct lore_cost){ "p-1", "1", "0" }, text, sizeof text), "(p-1) alpha + S beta");
	example_clear(&ring);
	example_clear(&pairs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_reduce),     cmocka_unit_test(test_moved),
		cmocka_unit_test(test_ring_middle),    cmocka_unit_test(test_reduce_scatter),
		cmocka_unit_test(test_halves),         cmocka_unit_test(test_transpose),
		cmocka_unit_test(test_origins),        cmocka_unit_test(test_formulas),
		cmocka_unit_test(test_formula_reader), cmocka_unit_test(test_fractions),
		cmocka_unit_test(test_refusals),       cmocka_unit_test(test_operations),
		cmocka_unit_test(test_skew),           cmocka_unit_test(test_nothing_but_to_rank_0),
		cmocka_unit_test(test_blocks),         cmocka_unit_test(test_barrier),
		cmocka_unit_test(test_overflow),       cmocka_unit_test(test_names),
		cmocka_unit_test(test_words),          cmocka_unit_test(test_validity),
		cmocka_unit_test(test_segments),       cmocka_unit_test(test_kinship),
		cmocka_unit_test(test_numbers),        cmocka_unit_test(test_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
