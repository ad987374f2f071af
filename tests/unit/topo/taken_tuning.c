/* SPDX-License-Identifier: Apache-2.0
 *
 * Which algorithm and protocol NCCL says that it took.
 */
#include "taken_lines.h"

static const struct {
	const char *line, *collective;
	unsigned long long bytes;
	const char *algo, *proto;
	int channels;
} tuning[] = {
	{ "h:1:2 [0] NCCL INFO 1026048 Bytes -> Algo 1 proto 2 time 34.693867", "", 1026048, "ring", "simple", 0 },
	{ "h:1:2 [0] NCCL INFO 8 Bytes -> Algo 0 proto 0 time 12.1", "", 8, "tree", "ll", 0 },
	{ "h:1:2 [0] NCCL INFO 8 Bytes -> Algo 5 proto 1 time 12.1", "", 8, "nvls_tree", "ll128", 0 },
	{ "h:1:2 [0] NCCL INFO AllGather: 37756928 Bytes -> Algo 1 proto 2 time 2860.208008", "all_gather", 37756928, "ring",
	  "simple", 0 },
	{ "h:1:2 [0] NCCL INFO ReduceScatter: 64 Bytes -> Algo 6 proto 2 time 2860.208008", "reduce_scatter", 64, "pat", "simple",
	  0 },
	{ "h:1:2 [0] NCCL INFO AllReduce: 8 Bytes -> Algo TREE proto LL channel{Lo..Hi}={0..0}", "all_reduce", 8, "tree", "ll",
	  1 },
	{ "h:1:2 [0] NCCL INFO Broadcast:    32768 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..15}", "broadcast", 32768,
	  "ring", "simple", 16 },
	{ "h:1:2 [0] NCCL INFO Reduce: 1 Bytes -> Algo Ring proto LL128 channel{Lo..Hi}={2..15}", "reduce", 1, "ring", "ll128",
	  14 },
	{ "h:1:2 [0] NCCL INFO AllReduce: 268435456 Bytes -> Algo NVLS proto SIMPLE channel{Lo..Hi}={0..15}", "all_reduce",
	  268435456, "nvls", "simple", 16 },
	{ "h:1:2 [0] NCCL INFO AllReduce: 4 Bytes -> Algo NVLS_TREE proto SIMPLE channel{Lo..Hi}={0..15}", "all_reduce", 4,
	  "nvls_tree", "simple", 16 },
	{ "h:1:2 [0] NCCL INFO AllReduce: 4 Bytes -> Algo COLLNET_DIRECT proto SIMPLE channel{Lo..Hi}={0..1}", "all_reduce", 4,
	  "collnet_direct", "simple", 2 },
	{ "h:1:2 [0] NCCL INFO AllReduce: 4 Bytes -> Algo COLLNET_CHAIN proto SIMPLE channel{Lo..Hi}={0..1}", "all_reduce", 4,
	  "collnet_chain", "simple", 2 },
	{ "h:1:2 [0] NCCL INFO AllReduce: 4 Bytes -> Algo RING proto SIMPLE channel{Lo..", "all_reduce", 4, "ring", "simple", 0 },
};

static void test_tuning(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof tuning / sizeof *tuning; i++) {
		struct taken taken = { 0 };

		feed(&taken, tuning[i].line);
		if (taken.nchoices != 1)
			fail_msg("%s: %zu choices", tuning[i].line, taken.nchoices);
		assert_string_equal(taken.choices->collective, tuning[i].collective);
		assert_true(taken.choices->bytes == tuning[i].bytes);
		assert_string_equal(taken.choices->algo, tuning[i].algo);
		assert_string_equal(taken.choices->proto, tuning[i].proto);
		assert_int_equal(taken.choices->channels, tuning[i].channels);
		/* A call that took it is a sign of it. */
		assert_int_equal(taken.nvls, strstr(tuning[i].algo, "nvls") != NULL);
		assert_int_equal(taken.collnet, strstr(tuning[i].algo, "collnet") != NULL);
		feed(&taken, tuning[i].line);
		assert_int_equal(taken.nchoices, 1);
		assert_int_equal(taken.choices->calls, 2);
		taken_clear(&taken);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tuning),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
