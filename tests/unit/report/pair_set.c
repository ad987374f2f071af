/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of pairs to matrices: which rows count, hosts, repeated launches, figures at the ends of the sweep; the sentences; the table on the console.
 */
#include "sample.h"

#include "report/pair_set.h"
#include "report/pair_words.h"

static struct result pair_row(int from, int to, int64_t bytes, double us, const char *load)
{
	struct result row = sample_row(bytes, us, RESULT_OUT_OF_PLACE);

	row.collective = "sendrecv";
	row.nranks = 2;
	row.nnodes = 1;
	row.from = from;
	row.to = to;
	row.load = load;
	row.wrong = 0;
	return row;
}

static void add(struct pair_set *set, struct result row)
{
	assert_int_equal(pair_set_add(set, &row), 0);
}

/* Ranks 0, 2 on one host, 1, 3 on another; within a host 5 us, else 20; at 1 MiB tenfold; together half as fast again. */
static void fill(struct pair_set *set)
{
	for (int to = 1; to < 4; to++) {
		for (int from = 0; from < to; from++) {
			const bool same = from % 2 == to % 2;
			struct result row = pair_row(from, to, 8, same ? 5 : 20, RESULT_ALONE);

			row.nnodes = same ? 1 : 2;
			add(set, row);
			row.bytes = 1 << 20;
			row.time *= 10;
			add(set, row);
			row.time *= 1.5;
			row.load = RESULT_TOGETHER;
			add(set, row);
		}
	}
	assert_int_equal(pair_set_finish(set), 0);
}

static void figures_are_at_the_ends_of_the_sweep(void **state)
{
	struct pair_set set = { 0 };
	const struct pair_matrix *latency = &set.matrix[PAIR_ALONE][PAIR_LATENCY];
	const struct pair_matrix *bandwidth = &set.matrix[PAIR_ALONE][PAIR_BANDWIDTH];

	(void)state;
	fill(&set);
	assert_int_equal(set.nranks, 4);
	assert_int_equal(latency->pairs, 6);
	assert_int_equal(latency->bytes, 8);
	assert_int_equal(bandwidth->bytes, 1 << 20);
	assert_true(fabs(pair_time(&set, latency, 0, 2) - 5e-6) < 1e-12);
	assert_true(fabs(pair_time(&set, latency, 3, 0) - 20e-6) < 1e-12);
	assert_true(isnan(pair_time(&set, latency, 1, 1)));
	assert_true(fabs(pair_rate(&set, bandwidth, 0, 1) - (1 << 20) / 200e-6) < 1);
	assert_true(fabs(latency->median - 20e-6) < 1e-12);
	assert_true(isfinite(pair_time(&set, latency, latency->worst_from, latency->worst_to)));
	pair_set_clear(&set);
}

static void hosts_follow_from_pairs_that_share_one(void **state)
{
	struct pair_set set = { 0 };

	(void)state;
	fill(&set);
	assert_int_equal(set.nhosts, 2);
	assert_int_equal(set.host[0], 0);
	assert_int_equal(set.host[1], 1);
	assert_int_equal(set.host[2], 0);
	assert_int_equal(set.host[3], 1);
	assert_int_equal(set.lowest[1], 1);
	pair_set_clear(&set);
}

static void both_loads_are_held_against_each_other(void **state)
{
	struct pair_set set = { 0 };
	struct pair_disturbance found;
	char text[PAIR_WORDS];

	(void)state;
	fill(&set);
	found = pair_disturbance(&set, PAIR_BANDWIDTH);
	assert_int_equal(found.pairs, 6);
	assert_true(fabs(found.median - 1.5) < 1e-9 && fabs(found.worst - 1.5) < 1e-9);
	/* At once only the large size was measured. */
	assert_int_equal(pair_disturbance(&set, PAIR_LATENCY).pairs, 0);
	assert_false(pair_words_disturbance(&set, PAIR_LATENCY, text, sizeof text));
	assert_true(pair_words_disturbance(&set, PAIR_BANDWIDTH, text, sizeof text));
	assert_non_null(strstr(text, "takes 1.5 times as long at 1 MiB"));
	pair_set_clear(&set);
}

static void other_rows_are_left_out(void **state)
{
	struct pair_set set = { 0 };
	struct result row = sample_row(8, 1, RESULT_OUT_OF_PLACE);

	(void)state;
	add(&set, row);
	row = pair_row(1, 1, 8, 1, RESULT_ALONE);
	add(&set, row);
	row = pair_row(0, 1, 8, NAN, RESULT_ALONE);
	add(&set, row);
	row = pair_row(0, 1, 0, 1, RESULT_ALONE);
	add(&set, row);
	row = pair_row(0, PAIR_MOST_RANKS, 8, 1, RESULT_ALONE);
	add(&set, row);
	assert_int_equal(set.ncells, 0);
	assert_int_equal(set.left_out, 1);
	assert_int_equal(pair_set_finish(&set), 0);
	assert_int_equal(set.matrix[PAIR_ALONE][PAIR_LATENCY].pairs, 0);
	pair_set_clear(&set);
}

static void launches_are_one_by_their_median(void **state)
{
	static const double times[] = { 9, 3, 4, 100, 5 };
	struct pair_set set = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		add(&set, pair_row(0, 1, 8, times[i], RESULT_ALONE));
	assert_int_equal(pair_set_finish(&set), 0);
	assert_int_equal(set.matrix[PAIR_ALONE][PAIR_LATENCY].pairs, 1);
	assert_true(fabs(set.matrix[PAIR_ALONE][PAIR_LATENCY].median - 5e-6) < 1e-12);
	assert_non_null(strstr(pair_words_limits(&set), "nobody can be called slow"));
	pair_set_clear(&set);
}

static const char *host_name(const void *context, int rank)
{
	(void)context;
	return rank == 5 ? "n\n5" : NULL;
}

/* Rank 5 of eight, at the small size alone; every pair at two sizes. */
static void fill_slow(struct pair_set *set, const char *flags)
{
	for (int to = 1; to < 8; to++) {
		for (int from = 0; from < to; from++) {
			struct result row = pair_row(from, to, 8, from == 5 || to == 5 ? 1.3 : 1, RESULT_ALONE);

			row.flags = flags;
			add(set, row);
			row.bytes = 4096;
			row.time = 9e-6;
			add(set, row);
		}
	}
	assert_int_equal(pair_set_finish(set), 0);
}

static void who_is_slow_is_said_with_size_and_host(void **state)
{
	const struct pair_hosts hosts = { host_name, NULL };
	struct pair_set set = { 0 };
	char text[PAIR_WORDS];

	(void)state;
	fill_slow(&set, "");
	assert_int_equal(set.nslow, 1);
	assert_string_equal(pair_words_slow(&set, &hosts, &set.slow[0], text, sizeof text),
			    "rank 5 (host n\n5) is slow: its 7 pairs take 1.30 times as long at 8 B");
	assert_null(pair_words_limits(&set));
	assert_true(pair_words_summary(&set, PAIR_ALONE, PAIR_BANDWIDTH, text, sizeof text));
	assert_non_null(strstr(text, "bandwidth of 28 pairs alone at 4 KiB: median 0.4551 GB/s each way"));
	assert_false(pair_words_summary(&set, PAIR_TOGETHER, PAIR_LATENCY, text, sizeof text));
	/* Never more than there is room for. */
	for (size_t size = 1; size < 80; size++)
		assert_true(strlen(pair_words_slow(&set, &hosts, &set.slow[0], text, size)) < size);
	pair_set_clear(&set);
}

static void ranks_that_take_turns_are_not_called_slow(void **state)
{
	struct pair_set set = { 0 };

	(void)state;
	fill_slow(&set, "oversubscribed");
	assert_int_equal(set.nslow, 0);
	assert_non_null(strstr(pair_words_limits(&set), "take turns"));
	pair_set_clear(&set);
}

/* Rank 5 of eight again; what most of the others are flagged with. */
static void fill_flagged(struct pair_set *set, const char *flags, int sound)
{
	for (int to = 1; to < 8; to++) {
		for (int from = 0; from < to; from++) {
			struct result row = pair_row(from, to, 8, from == 5 || to == 5 ? 1.3 : 1, RESULT_ALONE);

			if (from == 5 || to == 5 || sound-- <= 0)
				row.flags = flags;
			add(set, row);
		}
	}
	assert_int_equal(pair_set_finish(set), 0);
}

static void noise_and_lateness_of_all_accuse_nobody(void **state)
{
	struct pair_set set = { 0 };

	(void)state;
	/* 21 pairs are without rank 5: with 10 of them sound most are not. */
	fill_flagged(&set, "noisy late", 10);
	assert_int_equal(set.nslow, 0);
	assert_true(set.unsteady);
	assert_string_equal(pair_words_limits(&set),
			    "where most pairs stayed noisy and waited for late ranks, nobody is called slow");
	pair_set_clear(&set);
	fill_flagged(&set, "noisy late", 11);
	assert_int_equal(set.nslow, 1);
	assert_int_equal(set.slow[0].a, 5);
	assert_false(set.unsteady);
	pair_set_clear(&set);
	fill_flagged(&set, "late", 0);
	assert_int_equal(set.nslow, 1);
	pair_set_clear(&set);
	fill_flagged(&set, "noisy", 0);
	assert_int_equal(set.nslow, 1);
	pair_set_clear(&set);
}

/* Three ranks of four are in pairs with rank 3: it makes half of all unsteady, and is named. */
static void the_slow_one_of_four_may_make_half_of_the_pairs_unsteady(void **state)
{
	struct pair_set set = { 0 };

	(void)state;
	for (int to = 1; to < 4; to++) {
		for (int from = 0; from < to; from++) {
			struct result row = pair_row(from, to, 8, to == 3 ? 3 : 1, RESULT_ALONE);

			row.flags = to == 3 || (from == 0 && to == 1) ? "noisy late" : "";
			add(&set, row);
		}
	}
	assert_int_equal(pair_set_finish(&set), 0);
	assert_int_equal(set.nslow, 1);
	assert_int_equal(set.slow[0].a, 3);
	pair_set_clear(&set);
}

static void turns_of_one_load_are_turns_of_the_job(void **state)
{
	struct pair_set set = { 0 };
	struct result row = pair_row(0, 1, 8, 1, RESULT_TOGETHER);

	(void)state;
	row.flags = "oversubscribed";
	add(&set, row);
	fill_slow(&set, "");
	assert_int_equal(set.nslow, 0);
	assert_non_null(strstr(pair_words_limits(&set), "take turns"));
	pair_set_clear(&set);
}

static void up_to_three_ranks_there_are_no_others(void **state)
{
	const struct pair_slow slow = { PAIR_OF_RANK, 1, -1, 0, 2, { { NAN, NAN }, { 1.3, NAN } } };
	const struct pair_hosts hosts = { host_name, NULL };
	char text[PAIR_WORDS];

	(void)state;
	for (int nranks = 2; nranks < 5; nranks++) {
		struct pair_set set = { 0 };

		for (int to = 1; to < nranks; to++) {
			for (int from = 0; from < to; from++) {
				add(&set, pair_row(from, to, 8, 1, RESULT_ALONE));
				add(&set, pair_row(from, to, 8, 1.1, RESULT_TOGETHER));
			}
		}
		assert_int_equal(pair_set_finish(&set), 0);
		assert_int_equal(pair_has_others(&set), nranks == 4);
		assert_int_equal(pair_words_disturbance(&set, PAIR_LATENCY, text, sizeof text), nranks == 4);
		assert_true(pair_words_summary(&set, PAIR_TOGETHER, PAIR_LATENCY, text, sizeof text));
		assert_non_null(strstr(text, nranks == 4 ? " at once at 8 B" : " once more at 8 B"));
		pair_words_slow(&set, &hosts, &slow, text, sizeof text);
		assert_non_null(strstr(text, nranks == 4 ? "take while others exchange too 1.30" : "take once more 1.30"));
		pair_set_clear(&set);
	}
}

static void sizes_are_whole_numbers_of_their_unit(void **state)
{
	char text[24];

	(void)state;
	assert_string_equal(pair_words_size(8, text), "8 B");
	assert_string_equal(pair_words_size(1000, text), "1000 B");
	assert_string_equal(pair_words_size(1536, text), "1536 B");
	assert_string_equal(pair_words_size(65536, text), "64 KiB");
	assert_string_equal(pair_words_size(INT64_C(3) << 30, text), "3 GiB");
}

static void the_table_has_a_line_a_pair(void **state)
{
	struct run_info info = sample_info();
	struct run_summary summary = sample_summary();
	struct result rows[3] = { pair_row(0, 1, 8, 2, RESULT_ALONE), pair_row(0, 2, 8, 2.5, RESULT_ALONE),
				  pair_row(1, 2, 8, 3, RESULT_ALONE) };
	char *text;

	(void)state;
	rows[1].nnodes = 2;
	rows[2].nnodes = 2;
	rows[1].wrong = RESULT_NONE;
	text = sample_written(&writer_pairs, &info, rows, 3, &summary);
	assert_non_null(strstr(text, "\n       0       1    same   alone             8     float        2.00"));
	assert_non_null(strstr(text, "\n       0       2   other   alone             8     float        2.50"));
	assert_non_null(strstr(text, "N/A\n"));
	assert_non_null(strstr(text, "\n#    1     2.00        -     3.00\n"));
	assert_non_null(strstr(text, "# latency of 3 pairs alone at 8 B: median 2.5 us, worst 3 us (ranks 1 and 2)\n"));
	assert_non_null(strstr(text, "# Out of bounds values"));
	/* All but the three rows are comments. */
	for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		assert_true(*line == '\0' || *line == '#' || strncmp(line, "       ", 7) == 0);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_at_the_ends_of_the_sweep),
		cmocka_unit_test(hosts_follow_from_pairs_that_share_one),
		cmocka_unit_test(both_loads_are_held_against_each_other),
		cmocka_unit_test(other_rows_are_left_out),
		cmocka_unit_test(launches_are_one_by_their_median),
		cmocka_unit_test(who_is_slow_is_said_with_size_and_host),
		cmocka_unit_test(ranks_that_take_turns_are_not_called_slow),
		cmocka_unit_test(noise_and_lateness_of_all_accuse_nobody),
		cmocka_unit_test(the_slow_one_of_four_may_make_half_of_the_pairs_unsteady),
		cmocka_unit_test(turns_of_one_load_are_turns_of_the_job),
		cmocka_unit_test(up_to_three_ranks_there_are_no_others),
		cmocka_unit_test(sizes_are_whole_numbers_of_their_unit),
		cmocka_unit_test(the_table_has_a_line_a_pair),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
