/* SPDX-License-Identifier: Apache-2.0
 *
 * Formulas of a training step against worked numbers: data parallel, ZeRO, activations, and the split of a feed-forward block.
 */
#include "collectives/training.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <math.h>

static void assert_close(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance * fabs(want)))
		fail_msg("%.17g, not %.17g", got, want);
}

static void data_parallel_takes_what_is_worked_out(void **state)
{
	(void)state;
	assert_close(train_compute(7e9, 16384, 4e14), 1.72032, 1e-12);
	/* Of so many ranks that (p - 1) / p is 1. */
	assert_close(train_ddp_time(7e9, 2, INT_MAX, 400e9), 70e-3, 1e-8);
	assert_close(train_ddp_time(7e9, 2, INT_MAX, 400e9) / train_compute(7e9, 16384, 4e14), 0.04069, 1e-4);
	assert_close(train_ddp_break_even(2, INT_MAX, 400e9, 4e14, false), 666.7, 1e-4);
	assert_close(train_ddp_break_even(2, INT_MAX, 400e9, 4e14, true), 1000, 1e-8);
	assert_close(train_ddp_time(7e9, 2, 8, 400e9), 61.25e-3, 1e-12);
	assert_close(train_ddp_time(7e9, 2, 8, 400e9) / train_compute(7e9, 16384, 4e14), 0.03560, 1e-3);
	assert_close(train_ddp_break_even(2, 8, 400e9, 4e14, false), 583.3, 1e-4);
	assert_close(train_ddp_break_even(2, 8, 400e9, 4e14, true), 875, 1e-12);
	/* A model of 175e9 parameters and 300e9 tokens. */
	assert_close(train_compute(175e9, 300e9, 4e14), 7.875e8, 1e-12);
	assert_close(train_compute(175e9, 300e9, 4e14) / 1024 / 86400, 8.90, 1e-3);
}

static void at_the_break_even_both_take_the_same(void **state)
{
	(void)state;
	for (int nranks = 2; nranks < 1000; nranks = 3 * nranks / 2) {
		const double tokens = train_ddp_break_even(4, nranks, 25e9, 1e14, false);
		const double backward = train_ddp_break_even(4, nranks, 25e9, 1e14, true);

		assert_close(train_compute(1e9, tokens, 1e14), train_ddp_time(1e9, 4, nranks, 25e9), 1e-12);
		assert_close(train_compute(1e9, backward, 1e14) * 2 / 3, train_ddp_time(1e9, 4, nranks, 25e9), 1e-12);
	}
}

static void one_rank_sends_nothing_and_holds_all(void **state)
{
	const struct train_block block = { 1 << 20, 8192, 28672, 50e9, 4e14 };

	(void)state;
	assert_true(train_ddp_time(7e9, 2, 1, 400e9) == 0);
	assert_true(train_ddp_break_even(2, 1, 400e9, 4e14, false) == 0);
	for (int stage = TRAIN_DDP; stage < TRAIN_ZEROS; stage++) {
		assert_close(train_memory((enum train_zero)stage, 1e9, 1), 16e9, 1e-12);
		assert_true(train_traffic((enum train_zero)stage, 1e9, 1) == 0);
	}
	assert_true(train_block_dp(&block, 1, true) == 0);
	assert_true(train_block_fsdp(&block, 1, 4, true) == 0);
	assert_true(train_block_tp(&block, 4, 1, true) == 0);
}

static void zero_divides_what_it_says(void **state)
{
	static const struct {
		double memory, traffic; /* GB; GB of two bytes an element */
	} worked[TRAIN_ZEROS] = { { 120, 29.53 }, { 31.406, 29.53 }, { 16.641, 29.53 }, { 1.875, 44.30 } };

	(void)state;
	for (int stage = TRAIN_DDP; stage < TRAIN_ZEROS; stage++) {
		assert_close(train_memory((enum train_zero)stage, 7.5e9, 64), worked[stage].memory * 1e9, 3e-5);
		assert_close(2 * train_traffic((enum train_zero)stage, 7.5e9, 64), worked[stage].traffic * 1e9, 1e-4);
	}
}

static void activations_of_a_layer(void **state)
{
	(void)state;
	assert_close(train_activations(8192, 8, 4096, 4096, 32, false), 95.026e9, 1e-5);
	assert_close(train_activations(8192, 8, 4096, 4096, 32, true), 9.127e9, 1e-4);
	/* 26 x 3072 + 8 x 4096 bytes a token. */
	assert_close(train_activations(2, 3, 3072, 4096, 16, true), 6 * 112640.0, 1e-12);
	assert_close(train_activations(2, 3, 3072, 4096, 16, false), 6 * (112640.0 + 160), 1e-12);
}

static const struct train_block block50 = { 1 << 20, 8192, 28672, 50e9, 4e14 };
static const struct train_block block450 = { 1 << 20, 8192, 28672, 450e9, 4e14 };

static void a_block_split_64_by_4(void **state)
{
	(void)state;
	assert_close(train_block_compute(&block50, 256, false), 14.431e-3, 5e-5);
	assert_close(train_block_compute(&block50, 256, true), 28.862e-3, 5e-5);
	assert_close(train_block_fsdp(&block50, 64, 4, false), 6.936e-3, 1e-4);
	assert_close(train_block_fsdp(&block50, 64, 4, true), 13.873e-3, 1e-4);
	assert_close(train_block_tp(&block50, 64, 4, false), 8.053e-3, 1e-4);
	assert_close(train_block_tp(&block50, 64, 4, true), 8.053e-3, 1e-4);
	assert_true(train_block_dp(&block50, 64, false) == 0);
	/* Both of FSDP's passes gather; data parallel reduces once. */
	assert_close(train_block_dp(&block50, 64, true), 2 * train_block_fsdp(&block50, 64, 1, false), 1e-12);
}

static void limits_as_worked_out(void **state)
{
	struct train_limits limits = train_block_limits(&block50);

	(void)state;
	assert_close(limits.data, 132.07, 1e-4);
	assert_close(limits.fsdp, 132.072, 1e-6);
	assert_close(limits.tp_forward, 6.376, 1e-4);
	assert_close(limits.tp_backward, 11.752, 1e-4);
	assert_close(limits.both, 842.09, 1e-5);
	assert_close(limits.nf, 78.23, 1e-4);
	assert_close(limits.nt, 3.2085, 2e-5);
	assert_close(limits.both_serial, 250.99, 4e-5);
	limits = train_block_limits(&block450);
	assert_close(limits.fsdp, 1180.648, 1e-6);
	assert_close(limits.both, 58305.1, 1e-6);
	assert_close(limits.nf, 602.51, 1e-5);
	assert_close(limits.nt, 24.71, 2e-4);
	assert_close(limits.both_serial, 14889.6, 1e-5);
}

/* At a limit the pass that binds takes as long as its compute. */
static void at_the_limits_both_take_the_same(void **state)
{
	const struct train_limits limits = train_block_limits(&block50);
	const double n = limits.both_serial;

	(void)state;
	assert_close(train_block_dp(&block50, limits.data, true), train_block_compute(&block50, limits.data, true), 1e-12);
	assert_close(train_block_fsdp(&block50, limits.fsdp, 1, false), train_block_compute(&block50, limits.fsdp, false), 1e-12);
	assert_close(train_block_fsdp(&block50, limits.fsdp, 1, true), train_block_compute(&block50, limits.fsdp, true), 1e-12);
	assert_close(train_block_tp(&block50, 1, limits.tp_forward, false),
		     train_block_compute(&block50, limits.tp_forward, false), 1e-12);
	assert_close(train_block_tp(&block50, 1, limits.tp_backward, true),
		     train_block_compute(&block50, limits.tp_backward, true), 1e-12);
	assert_close(train_block_fsdp(&block50, limits.nf, limits.nt, false) +
			     train_block_tp(&block50, limits.nf, limits.nt, false),
		     train_block_compute(&block50, n, false), 1e-12);
}

/* The largest nf * nt >= 1 x 1 at which FSDP and TP, one after the other, take no longer than compute: by trying. */
static double largest_by_trying(const struct train_block *block)
{
	double most = 0;

	for (int i = 0; i <= 200000; i++) {
		const double nf = exp(i * log(1e5) / 200000);
		/* times nf nt: FSDP 6 (nf - 1) D F / W, TP 4 (nt - 1) B D / W, compute 6 B D F / C */
		const double left = 6 * block->tokens * block->ffn / block->flops - 6 * (nf - 1) * block->ffn / block->bandwidth;
		const double nt = 1 + left * block->bandwidth / (4 * block->tokens);

		if (nt >= 1)
			most = fmax(most, nf * nt);
	}
	return most;
}

static void the_best_split_may_lie_in_a_corner(void **state)
{
	/* Few tokens: al + be < 1, all of it goes to TP. A slow link and a narrow block: nt* < 1, all of it to FSDP. */
	static const struct {
		struct train_block block;
		double nf, nt; /* 0: inside */
	} cases[] = {
		{ { 512, 8192, 28672, 450e9, 4e14 }, 1, 0 },     { { 2000, 1024, 1024, 50e9, 4e14 }, 0, 1 },
		{ { 1 << 20, 8192, 1024, 50e9, 4e14 }, 0, 1 },   { { 1 << 20, 8192, 28672, 50e9, 4e14 }, 0, 0 },
		{ { 1 << 20, 8192, 28672, 450e9, 4e14 }, 0, 0 }, { { 4096, 4096, 14336, 450e9, 4e14 }, 0, 0 },
		{ { 100, 8192, 28672, 4e12, 4e14 }, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct train_limits limits = train_block_limits(&cases[i].block);

		assert_close(limits.both_serial, largest_by_trying(&cases[i].block), 1e-4);
		assert_close(limits.both_serial, limits.nf * limits.nt, 1e-12);
		assert_true(limits.nf >= 1 && limits.nt >= 1);
		if (cases[i].nf > 0)
			assert_true(limits.nf == cases[i].nf && limits.nt > 1);
		if (cases[i].nt > 0)
			assert_true(limits.nt == cases[i].nt && limits.nf > 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data_parallel_takes_what_is_worked_out),
		cmocka_unit_test(at_the_break_even_both_take_the_same),
		cmocka_unit_test(one_rank_sends_nothing_and_holds_all),
		cmocka_unit_test(zero_divides_what_it_says),
		cmocka_unit_test(activations_of_a_layer),
		cmocka_unit_test(a_block_split_64_by_4),
		cmocka_unit_test(limits_as_worked_out),
		cmocka_unit_test(at_the_limits_both_take_the_same),
		cmocka_unit_test(the_best_split_may_lie_in_a_corner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
