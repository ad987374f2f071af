/* SPDX-License-Identifier: Apache-2.0
 *
 * `collperf plan --help`.
 */
#include <stdio.h>

#include "options.h"

static void help_input(void)
{
	puts("Usage: collperf plan [RUN_DIR|CSV]... MODEL --tokens T --flops F [--np N] [options]\n"
	     "       collperf plan --bandwidth B|--link L [--alpha A] --np N MODEL --tokens T --flops F [options]\n"
	     "       collperf plan --models | --link list\n"
	     "\n"
	     "Says for DDP, ZeRO-1, ZeRO-2, ZeRO-3/FSDP, TP and FSDP x TP what a training step sends, how long that takes, "
	     "whether\n"
	     "compute hides it, and what a rank must store. What cannot be told names the option that is missing.\n"
	     "\n"
	     "The network: rows that were measured (times are read off them at the sizes of the calls), or\n"
	     "      --bandwidth B      of a rank, one way: 400G, 12.5GB/s, decimal powers\n"
	     "      --link L           the same by name (nvlink4, ib-ndr ...: peaks; --link list) or a rate\n"
	     "      --alpha A          time of an empty message: 5us, 1.5ms, 0 (default)\n"
	     "      --nic N            what enters a node, one NIC or K of them: ib-ndrx8, 50Gx8; needs --gpus-per-node\n"
	     "      --np N             ranks of the job (default: the most that were measured). Rows of another number of ranks "
	     "are\n"
	     "                         scaled by the alpha-beta model, and marked\n"
	     "      --gpus-per-node N  (default: the most ranks a node of rows, if some are of several nodes). Groups of TP in "
	     "FSDP x TP stay inside a\n"
	     "                         node");
}

static void help_model(void)
{
	puts("\n"
	     "The model:\n"
	     "      --params N         7e9, 7B\n"
	     "      --layers N  --hidden N  --ffn N  --vocab N  --heads N  --kv-heads N\n"
	     "      --ffn-matrices N   3 (gated, default) or 2\n"
	     "      --model NAME       a public model (--models lists them with their sources), or FILE.json: an object with the "
	     "names\n"
	     "                         above, head_dim and positions (learned), or a config.json of a model hub (matrices by "
	     "its\n"
	     "                         family or activation, else 3). The numbers above go before it\n"
	     "\n"
	     "The work:\n"
	     "      --tokens N         of a rank and step; or --batch N x --sequence N\n"
	     "      --element-bytes N  of weights, gradients and activations (default: 2)\n"
	     "      --flops F          FLOP/s that a rank reaches: 4e14, 400T; or --peak F x --mfu 40%\n"
	     "      --bucket SIZE      of gradients of DDP and ZeRO (default: 25M, powers of 1024)");
}

static void help_output(void)
{
	puts("\n"
	     "Output:\n"
	     "      --json FILE        every figure; - is stdout, then nothing else is printed there\n"
	     "      --markdown FILE    the tables; - likewise\n"
	     "  -h, --help             this text\n"
	     "\n"
	     "A strategy is communication-bound where communication takes longer than compute, or overlap leaves over 10 % of "
	     "the "
	     "compute\n"
	     "visible. Waits that are the same (to 1e-6; to 5 % where times are marked) tie: the one that stores least is "
	     "named.\n"
	     "\n"
	     "JSON: schema (1), program, version; network {source, alpha_s, bandwidth_Bps, nic_Bps, nics, gpus_per_node, what};\n"
	     "model {name, source, params, layers, hidden, ffn, ffn_matrices, vocab, heads, kv_heads, head_dim, positions}; job "
	     "{ranks, "
	     "tokens_per_rank,\n"
	     "element_bytes, flops, compute_s, bucket_bytes, activations_flash_bytes, activations_bytes}; strategies: [{name, "
	     "fsdp, tp,\n"
	     "missing: [option], sent_bytes, communication_s, ratio, communication_bound, exposed_s, exposed_overlapped_s, "
	     "extrapolated,\n"
	     "scaled, guess, stand_in, memory_bytes, break_even (\"tokens\"; \"always\", \"never\" less than compute), "
	     "break_even_tokens,\n"
	     "break_even_backward_tokens, break_even_marks, most_ranks, most_fsdp, most_tp, most_pass (\"forward\", "
	     "\"backward\", \"both\"),\n"
	     "most_marks, most_why, calls: "
	     "[{primitive,\n"
	     "of, ranks, number, bytes, sent_bytes, "
	     "time_s, read_off, scaled, guess, stand_in, rows_ranks, rows_nodes, why}], sentence}]; splits: [{fsdp, tp, and what "
	     "a strategy costs}]; least_split "
	     "(index of\n"
	     "the one with the least communication); buckets {gradients_bytes, backward_s, best, advised, beyond, default, "
	     "asked: {bytes, "
	     "number, "
	     "time_s,\n"
	     "extrapolated, scaled, guess, stand_in}, measured_least_bytes, measured_most_bytes, flat_least_bytes, "
	     "flat_most_bytes,\n"
	     "default_tensor_calls, default_tensor_time_s, default_tensor_marks}; block {tokens, hidden, ffn, ffn_matrices, "
	     "bandwidth_Bps,\n"
	     "most_data_parallel, most_fsdp, most_tp_forward, most_tp_backward, most_both_overlapped, best_fsdp, best_tp, "
	     "most_both};\n"
	     "advice; remarks. What is not known is null; marks are {extrapolated, scaled, guess, stand_in}. Names stay; others "
	     "may be added.\n"
	     "\n"
	     "Exit codes: 0 ok, 2 usage, 3 an input cannot be used or an output not be written.");
}

void plan_options_help(void)
{
	help_input();
	help_model();
	help_output();
}
