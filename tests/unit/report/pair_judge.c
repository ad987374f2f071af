/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule that names slow ranks, hosts and pairs: in a thousand clean jobs it names nobody, and it finds who is slow, and nobody else. Noise is of a
 * generator of its own, so that every run has the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/pair_judge.h"

enum { MOST = 64 };

static double uniform(uint64_t *random)
{
	uint64_t z = *random += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return ((double)(z >> 11) + 1) / 9007199254740993.0;
}

static double normal(uint64_t *random)
{
	const double radius = sqrt(-2 * log(uniform(random)));

	return radius * cos(6.283185307179586 * uniform(random));
}

/* A job and what is slow in it: -1 is nobody. */
struct job {
	int nranks, per_host;
	double noise;
	double factor; /* by which these are slow */
	int rank, other_rank, host, a, b;
	int twice; /* a rank that is slow by this factor beside what else is */
	uint64_t seed;
};

static const struct job clean = { .rank = -1, .other_rank = -1, .host = -1, .a = -1, .b = -1, .twice = -1 };

static bool is_slow(const struct job *job, int i, int j, int hi, int hj)
{
	return i == job->rank || j == job->rank || i == job->other_rank || j == job->other_rank ||
	       (hi != hj && (hi == job->host || hj == job->host)) || (i == job->a && j == job->b);
}

/* To be cleared. */
static struct pair_verdict judge(const struct job *job)
{
	static struct pair_value values[MOST * MOST];
	int host[MOST];
	uint64_t random = job->seed * 1000003 + (uint64_t)job->nranks;
	struct pair_verdict verdict;
	size_t n = 0;

	for (int i = 0; i < job->nranks; i++)
		host[i] = i / job->per_host;
	for (int i = 0; i < job->nranks; i++) {
		for (int j = i + 1; j < job->nranks; j++) {
			const bool across = host[i] != host[j];
			double time = (across ? 20e-6 : 5e-6) * exp(job->noise * normal(&random));

			time *= is_slow(job, i, j, host[i], host[j]) ? job->factor : 1;
			time *= i == job->twice || j == job->twice ? job->factor : 1;
			values[n++] = (struct pair_value){ i, j, across, time, 0 };
		}
	}
	const struct pair_input input = { .nranks = job->nranks,
					  .nhosts = host[job->nranks - 1] + 1,
					  .host = host,
					  .nclasses = 2,
					  .values = values,
					  .nvalues = n };

	assert_int_equal(pair_judge(&input, &verdict), 0);
	return verdict;
}

/* In how many of `runs` exactly this is named, be it by one class or both; fails where anything else is. */
static int times_named(struct job job, int runs, enum pair_kind kind, int a, int b)
{
	int named = 0;

	for (int run = 0; run < runs; run++) {
		job.seed = (uint64_t)run;
		struct pair_verdict verdict = judge(&job);

		for (size_t i = 0; i < verdict.count; i++) {
			assert_int_equal(verdict.names[i].kind, kind);
			assert_int_equal(verdict.names[i].a, a);
			assert_int_equal(verdict.names[i].b, b);
		}
		named += verdict.count > 0;
		pair_verdict_clear(&verdict);
	}
	return named;
}

static void chance_names_nobody(void **state)
{
	static const int shapes[][2] = { { 8, 64 }, { 16, 64 }, { 33, 64 }, { 3, 64 }, { 4, 64 }, { 5, 64 },
					 { 8, 2 },  { 16, 4 },  { 16, 8 },  { 12, 3 }, { 12, 1 }, { 32, 8 } };

	(void)state;
	for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
		struct job job = clean;

		job.nranks = shapes[s][0];
		job.per_host = shapes[s][1];
		job.noise = 0.03;
		assert_int_equal(times_named(job, s < 3 ? 1000 : 200, PAIR_OF_RANK, -1, -1), 0);
	}
}

/* Three times the scatter is no reason either. */
static void more_scatter_takes_more_to_be_named(void **state)
{
	struct job job = clean;

	(void)state;
	job.per_host = 64;
	job.noise = 0.1;
	for (job.nranks = 8; job.nranks <= 32; job.nranks *= 2)
		assert_int_equal(times_named(job, 300, PAIR_OF_RANK, -1, -1), 0);
}

static void a_rank_a_fifth_slower_is_named(void **state)
{
	(void)state;
	for (int nranks = 8; nranks <= 33; nranks += 5) {
		struct job job = clean;

		job.nranks = nranks;
		job.per_host = 64;
		job.noise = 0.03;
		job.factor = 1.2;
		job.rank = nranks / 3;
		assert_int_equal(times_named(job, 100, PAIR_OF_RANK, nranks / 3, -1), 100);
	}
}

static void few_ranks_behave(void **state)
{
	struct job job = clean;

	(void)state;
	job.per_host = 64;
	job.noise = 0.005;
	job.factor = 1.2;
	job.rank = 1;
	job.nranks = 2;
	assert_int_equal(times_named(job, 100, PAIR_OF_RANK, 1, -1), 0);
	for (job.nranks = 3; job.nranks <= 6; job.nranks++)
		assert_int_equal(times_named(job, 100, PAIR_OF_RANK, 1, -1), 100);
	/* Of three pairs one alone is the slow one, or two are the fast ones: nobody is slow. */
	job.rank = -1;
	job.a = 0;
	job.b = 2;
	job.factor = 2;
	job.nranks = 3;
	assert_int_equal(times_named(job, 100, PAIR_OF_PAIR, 0, 2), 0);
	job.nranks = 4;
	assert_int_equal(times_named(job, 100, PAIR_OF_PAIR, 0, 2), 100);
	/* Of three pairs within a host each none is held against two; of five it is. */
	job.per_host = 2;
	job.a = 2;
	job.b = 3;
	job.nranks = 6;
	assert_int_equal(times_named(job, 20, PAIR_OF_PAIR, 2, 3), 0);
	job.nranks = 10;
	assert_int_equal(times_named(job, 20, PAIR_OF_PAIR, 2, 3), 20);
}

static void the_rank_is_named_and_not_its_pairs(void **state)
{
	struct job job = clean;

	(void)state;
	job.nranks = 12;
	job.per_host = 64;
	job.noise = 0.02;
	job.factor = 3;
	job.rank = 5;
	assert_int_equal(times_named(job, 50, PAIR_OF_RANK, 5, -1), 50);
}

static void two_slow_ranks_are_both_named(void **state)
{
	struct job job = clean;

	(void)state;
	job.nranks = 10;
	job.per_host = 64;
	job.noise = 0.02;
	job.factor = 1.4;
	job.rank = 2;
	job.other_rank = 7;
	for (job.seed = 0; job.seed < 50; job.seed++) {
		struct pair_verdict verdict = judge(&job);

		assert_int_equal(verdict.count > 1, 1);
		assert_int_equal(verdict.names[0].kind, PAIR_OF_RANK);
		assert_int_equal(verdict.names[1].kind, PAIR_OF_RANK);
		assert_int_equal(verdict.names[0].a + verdict.names[1].a, 9);
		pair_verdict_clear(&verdict);
	}
}

static void a_pair_is_named_where_its_ranks_do_not_explain_it(void **state)
{
	struct job job = clean;

	(void)state;
	job.nranks = 16;
	job.per_host = 8;
	job.noise = 0.02;
	job.factor = 1.5;
	job.a = 3;
	job.b = 12;
	assert_int_equal(times_named(job, 50, PAIR_OF_PAIR, 3, 12), 50);
	job.b = 5;
	assert_int_equal(times_named(job, 50, PAIR_OF_PAIR, 3, 5), 50);
}

static void a_host_is_named_and_not_its_ranks(void **state)
{
	struct job job = clean;

	(void)state;
	job.nranks = 16;
	job.per_host = 4;
	job.noise = 0.03;
	job.factor = 1.25;
	job.host = 2;
	assert_int_equal(times_named(job, 100, PAIR_OF_HOST, 2, -1), 100);
	/* Of two, either could be the slow one. */
	job.per_host = 8;
	job.host = 1;
	assert_int_equal(times_named(job, 100, PAIR_OF_HOST, 1, -1), 0);
	/* A host of one rank is that rank. */
	job.nranks = 12;
	job.per_host = 1;
	job.host = 4;
	assert_int_equal(times_named(job, 100, PAIR_OF_RANK, 4, -1), 100);
}

static void a_host_with_a_sound_rank_is_not_to_blame(void **state)
{
	struct job job = clean;

	(void)state;
	job.nranks = 12;
	job.per_host = 3;
	job.noise = 0.01;
	job.factor = 1.4;
	job.rank = 6;
	job.other_rank = 7;
	for (job.seed = 0; job.seed < 20; job.seed++) {
		struct pair_verdict verdict = judge(&job);

		assert_true(verdict.count >= 2);
		for (size_t i = 0; i < verdict.count; i++)
			assert_int_equal(verdict.names[i].kind, PAIR_OF_RANK);
		pair_verdict_clear(&verdict);
	}
}

/* Its pairs with other hosts bear both: each is told its own part. */
static void a_slow_rank_of_a_slow_host(void **state)
{
	struct job job = clean;
	size_t told = 0;

	(void)state;
	job.nranks = 16;
	job.per_host = 4;
	job.noise = 0.01;
	job.factor = 1.3;
	job.host = 2;
	job.twice = 9;
	for (job.seed = 0; job.seed < 20; job.seed++) {
		struct pair_verdict verdict = judge(&job);

		assert_true(verdict.count >= 2);
		assert_int_equal(verdict.names[0].kind, PAIR_OF_HOST);
		for (size_t i = 0; i < verdict.count; i++) {
			told += verdict.names[i].class == 1 && verdict.names[i].a == 9;
			assert_true(fabs(verdict.names[i].factor - 1.3) < 0.06);
		}
		pair_verdict_clear(&verdict);
	}
	assert_int_equal(told, 20);
}

/* Two ranks that are faster than the others make no slow pair of the one between them. */
static void fast_ranks_are_no_matter(void **state)
{
	struct job job = clean;

	(void)state;
	job.nranks = 10;
	job.per_host = 64;
	job.noise = 0.01;
	job.factor = 0.7;
	job.rank = 0;
	job.other_rank = 1;
	assert_int_equal(times_named(job, 20, PAIR_OF_PAIR, -1, -1), 0);
}

/* What slows one kind of pairs is not hidden by the other kind's being faster or slower as a whole. */
static void kinds_are_not_mixed(void **state)
{
	struct job job = clean;

	(void)state;
	job.nranks = 8;
	job.per_host = 4;
	job.rank = 3;
	job.factor = 1.5;
	for (job.seed = 0; job.seed < 20; job.seed++) {
		struct pair_verdict verdict = judge(&job);
		size_t pairs[2] = { 0, 0 };

		/* Its three pairs tell it on its host, its four with the other host once more. */
		assert_int_equal(verdict.count, 2);
		for (size_t i = 0; i < verdict.count; i++) {
			assert_int_equal(verdict.names[i].a, 3);
			pairs[verdict.names[i].class] += verdict.names[i].pairs;
		}
		assert_int_equal(pairs[0], 3);
		assert_int_equal(pairs[1], 4);
		pair_verdict_clear(&verdict);
	}
}

static void a_tight_class_does_not_cry_wolf(void **state)
{
	struct job job = clean;

	(void)state;
	job.nranks = 8;
	job.per_host = 64;
	job.factor = 1.08;
	job.rank = 3;
	/* A tenth is the least, however little the others scatter. */
	assert_int_equal(times_named(job, 1, PAIR_OF_RANK, 3, -1), 0);
	job.factor = 1.15;
	assert_int_equal(times_named(job, 1, PAIR_OF_RANK, 3, -1), 1);
	job.rank = -1;
	job.a = 0;
	job.b = 1;
	assert_int_equal(times_named(job, 1, PAIR_OF_PAIR, 0, 1), 0);
	job.factor = 1.3;
	assert_int_equal(times_named(job, 1, PAIR_OF_PAIR, 0, 1), 1);
}

/* Samples that scatter much tell that their medians do, too. */
static void noise_of_the_samples_counts(void **state)
{
	struct pair_value values[28];
	int host[8] = { 0 };
	struct pair_input input = { .nranks = 8, .nhosts = 1, .host = host, .nclasses = 1, .values = values };
	struct pair_verdict verdict;

	(void)state;
	for (int noisy = 0; noisy < 2; noisy++) {
		input.nvalues = 0;
		for (int i = 0; i < 8; i++)
			for (int j = i + 1; j < 8; j++)
				values[input.nvalues++] = (struct pair_value){ i, j, 0, i == 2 || j == 2 ? 1.2e-6 : 1e-6,
									       noisy ? 0.2 : 0.01 };
		assert_int_equal(pair_judge(&input, &verdict), 0);
		assert_int_equal(verdict.count, noisy ? 0 : 1);
		if (!noisy) {
			assert_true(fabs(verdict.names[0].factor - 1.2) < 0.01);
			assert_int_equal(verdict.names[0].pairs, 7);
		}
		pair_verdict_clear(&verdict);
	}
}

static void nothing_is_no_error(void **state)
{
	struct pair_value value = { 0, 1, 0, 1e-6, 0 };
	int host[2] = { 0 };
	struct pair_input input = { .nranks = 2, .nhosts = 1, .host = host, .nclasses = 2, .values = &value };
	struct pair_verdict verdict;

	(void)state;
	for (input.nvalues = 0; input.nvalues < 2; input.nvalues++) {
		assert_int_equal(pair_judge(&input, &verdict), 0);
		assert_int_equal(verdict.count, 0);
		pair_verdict_clear(&verdict);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chance_names_nobody),
		cmocka_unit_test(more_scatter_takes_more_to_be_named),
		cmocka_unit_test(a_rank_a_fifth_slower_is_named),
		cmocka_unit_test(few_ranks_behave),
		cmocka_unit_test(the_rank_is_named_and_not_its_pairs),
		cmocka_unit_test(two_slow_ranks_are_both_named),
		cmocka_unit_test(a_pair_is_named_where_its_ranks_do_not_explain_it),
		cmocka_unit_test(a_host_is_named_and_not_its_ranks),
		cmocka_unit_test(a_host_with_a_sound_rank_is_not_to_blame),
		cmocka_unit_test(a_slow_rank_of_a_slow_host),
		cmocka_unit_test(fast_ranks_are_no_matter),
		cmocka_unit_test(kinds_are_not_mixed),
		cmocka_unit_test(a_tight_class_does_not_cry_wolf),
		cmocka_unit_test(noise_of_the_samples_counts),
		cmocka_unit_test(nothing_is_no_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
