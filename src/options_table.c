/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of the perf binaries, and the other tables that --help and the man page print. A new option is one row here.
 */
#include "options_table.h"

#include <limits.h>
#include <stddef.h>

/* In the order of the enums they become. */
static const char *const timing_words[] = { "sync", "loop", NULL };
static const char *const sync_words[] = { "clock", "barrier", NULL };
static const char *const launch_words[] = { "auto", "mpi", "env", "self", NULL };
static const char *const format_words[] = { "nccl", "wide", NULL };
static const char *const backend_words[] = { "auto", "mpi", "nccl", "sim", NULL };
static const char *const malloc_words[] = { "tuned", "system", NULL };
static const char *const path_words[] = { "auto", "nvlink", "pcie", "shm", "ib", "roce", "socket", "tcp", NULL };
static const char *const mode_words[] = { "shift", "oneway", "bidirectional", "pingpong", NULL };
static const char *const readback_words[] = { "off", "path", "all", NULL };

static const char no_device_api[] = "device-API kernels are not here yet";

const struct option_group_info option_groups[GROUP_COUNT] = {
	[GROUP_SIZES] = { "Sizes", NULL },
	[GROUP_WHAT] = { "What is called", NULL },
	[GROUP_HOW_OFTEN] = { "How it is timed and checked", NULL },
	[GROUP_WHERE] = { "Backend and launch", NULL },
	[GROUP_OUTPUT] = { "Output", NULL },
	[GROUP_GPU] = { "GPUs (other values than the default need --backend nccl)", "nccl" },
	[GROUP_SIM] = { "Simulation (needs --backend sim)", "sim" },
	[GROUP_TESTS] = { "For tests", NULL },
	[GROUP_INSTEAD] = { "Instead of measuring", NULL },
};

const struct option_row option_rows[] = {
	{ "minbytes", 'b', "SIZE", GROUP_SIZES, "32M", option_parse_size, offsetof(struct options, min_bytes), 1, 0, NULL,
	  "first size" },
	{ "maxbytes", 'e', "SIZE", GROUP_SIZES, "32M", option_parse_size, offsetof(struct options, max_bytes), 1, 0, NULL,
	  "last size, inclusive" },
	{ "stepbytes", 'i', "SIZE", GROUP_SIZES, "1M", option_parse_size, offsetof(struct options, step_bytes), 0, 0, NULL,
	  "distance of sizes while -f is 1" },
	{ "stepfactor", 'f', "N", GROUP_SIZES, "1", option_parse_unsigned, offsetof(struct options, step_factor), 1, LONG_MAX,
	  NULL, "factor between sizes; 1: add -i instead" },
	{ "datatype", 'd', "TYPE", GROUP_WHAT, "float", option_parse_type, offsetof(struct options, type), 0, 0, NULL,
	  "int8, uint8, int32, uint32, int64, uint64, half, bfloat16, float, double, f8e4m3, f8e5m2 or all; without effect where "
	  "there are no data" },
	{ "op", 'o', "OP", GROUP_WHAT, "sum", option_parse_op, offsetof(struct options, op), 0, 0, NULL,
	  "sum, prod, max, min, avg, mulsum or all; without effect where nothing is reduced" },
	{ "root", 'r', "RANK", GROUP_WHAT, "0", option_parse_root, offsetof(struct options, root), -1, INT_MAX, NULL,
	  "root rank, or all (also -1); without effect where there is none" },
	{ "unalign", 'u', "N", GROUP_WHAT, "0", option_parse_count, offsetof(struct options, unalign), 0, 1L << 30, NULL,
	  "shift both buffers by N elements" },
	{ "split", 0, "EXPR", GROUP_WHAT, NULL, option_parse_split, offsetof(struct options, split), 0, 0, NULL,
	  "groups that call at the same time: ranks with the same rank AND, OR, MOD or DIV a number, such as 'MOD 8' (or & | % "
	  "/; "
	  "0x, 0b)" },
	{ "pairs", 0, "[=WHICH]", GROUP_WHAT, NULL, option_parse_pairs, offsetof(struct options, pairs), 0, 0, NULL,
	  "sendrecv_perf: each two ranks exchange alone; all: then also all pairs of a round at once. A row a pair and size; "
	  "slow "
	  "ranks, hosts and pairs are named" },
	{ "skew", 0, "SHARE", GROUP_WHAT, "0", option_parse_skew, offsetof(struct options, skew), 0, 0, NULL,
	  "alltoallv_perf: this share of what each rank sends goes to rank 0 beside an even part of the rest; 1: all of it. "
	  "Sizes are what rank 0 receives; the even exchange of as much follows each" },
	{ "matrix", 0, "FILE", GROUP_WHAT, NULL, option_parse_text, offsetof(struct options, matrix), 0, 0, NULL,
	  "alltoallv_perf: bytes from each rank (row) to each rank (column), '#' for comments; as they are, down to whole "
	  "elements, or with -b, -e "
	  "scaled to what the busiest rank sends or receives" },
	{ "mode", 0, "HOW", GROUP_WHAT, "shift", option_parse_word, offsetof(struct options, exchange.mode), 0, 0, mode_words,
	  "sendrecv_perf: shift: each rank sends to the next and receives from the one before; oneway, bidirectional (both at "
	  "once), pingpong (half of there and back): in pairs of ranks" },
	{ "stride", 0, "K", GROUP_WHAT, "1", option_parse_int, offsetof(struct options, exchange.stride), 1, INT_MAX, NULL,
	  "sendrecv_perf: distance of the ranks that --mode joins, less than there are" },
	{ "pipeline", 0, "K", GROUP_WHAT, NULL, option_parse_int, offsetof(struct options, exchange.buffers), 1,
	  EXCHANGE_MOST_BUFFERS, NULL,
	  "sendrecv_perf: the columns of a matrix are packed piece by piece into K buffers (at most 16) and sent meanwhile; each "
	  "size also with K = 1" },
	{ "iters", 'n', "N", GROUP_HOW_OFTEN, "until precise", option_parse_iters, offsetof(struct options, iters), 1, LONG_MAX,
	  NULL, "timed calls of a point; without -n: until --ci is reached or --max-time is used up" },
	{ "warmup_iters", 'w', "N", GROUP_HOW_OFTEN, "5", option_parse_count, offsetof(struct options, warmup), 0, LONG_MAX, NULL,
	  "calls before each point that are not timed" },
	{ "run_cycles", 'N', "N", GROUP_HOW_OFTEN, "1", option_parse_count, offsetof(struct options, cycles), 0, LONG_MAX, NULL,
	  "repeat the whole sweep; 0: until interrupted" },
	{ "check", 'c', "N", GROUP_HOW_OFTEN, "1", option_parse_count, offsetof(struct options, check), 0, LONG_MAX, NULL,
	  "checked calls of a point; 0: no check" },
	{ "per_iter_timing", 'I', "0|1", GROUP_HOW_OFTEN, "0", option_parse_count, offsetof(struct options, per_iter), 0, 1, NULL,
	  "1: also the spread of single calls" },
	{ "per_iter_skip", 'K', "N", GROUP_HOW_OFTEN, "0", option_parse_count, offsetof(struct options, per_iter_skip), 0,
	  LONG_MAX, NULL, "leave the first N calls out of that" },
	{ "rotate", 0, NULL, GROUP_HOW_OFTEN, NULL, option_parse_flag, offsetof(struct options, rotate), 0, 0, NULL,
	  "each call at another place of the buffers, as nccl-tests has it, so that no cache holds them" },
	{ "timing", 0, "HOW", GROUP_HOW_OFTEN, "sync", option_parse_word, offsetof(struct options, timing), 0, 0, timing_words,
	  "sync: each call alone, from a common start to the end on the slowest rank; loop: calls back to back, one mean a "
	  "rank" },
	{ "sync", 0, "HOW", GROUP_HOW_OFTEN, "clock", option_parse_word, offsetof(struct options, sync), 0, 0, sync_words,
	  "what samples of sync timing start from: clock: a moment agreed on the synchronised clock; barrier: a barrier, "
	  "whose skew is then in the time" },
	{ "average", 'a', "WHICH", GROUP_HOW_OFTEN, "max", option_parse_combine, offsetof(struct options, combine), 0, 3, NULL,
	  "which rank counts with --timing loop: 0 rank0, 1 avg, 2 min, 3 max (number or word)" },
	{ "ci", 0, "PERCENT", GROUP_HOW_OFTEN, "2.5%", option_parse_ci, offsetof(struct options, ci), 0, 0, NULL,
	  "enough: half the 95 % interval of the median, as a part of the median" },
	{ "max-time", 0, "TIME", GROUP_HOW_OFTEN, "0.5", option_parse_seconds, offsetof(struct options, max_time), 0, 0, NULL,
	  "at most this many seconds a point without -n; with --pairs 20 ms unless given" },
	{ "timeout", 'T', "TIME", GROUP_HOW_OFTEN, "0", option_parse_seconds, offsetof(struct options, timeout), 0, 0, NULL,
	  "give up after this many seconds without progress; 0: never" },
	{ "backend", 0, "NAME", GROUP_WHERE, "auto", option_parse_text_word, offsetof(struct options, backend), 0, 0,
	  backend_words, "auto, mpi, nccl or sim" },
	{ "launch", 0, "HOW", GROUP_WHERE, "auto", option_parse_word, offsetof(struct options, launch), 0, 0, launch_words,
	  "how ranks find each other: auto, mpi, env or self" },
	{ "connect-timeout", 0, "TIME", GROUP_WHERE, "60", option_parse_seconds, offsetof(struct options, connect_timeout), 1, 0,
	  NULL, "give up after this many seconds while processes are missing (env)" },
	{ "malloc", 0, "HOW", GROUP_WHERE, "tuned", option_parse_word_bool, offsetof(struct options, malloc_system), 0, 0,
	  malloc_words, "tuned: memory freed by the library is kept for its next call; system: malloc is left alone" },
	{ "path", 0, "NAME", GROUP_WHERE, "auto", option_parse_text_word, offsetof(struct options, path), 0, 0, path_words,
	  "the way of the bytes: nvlink, pcie, shm, ib, roce or socket with NCCL; shm, tcp or ib with MPICH over UCX; auto: the "
	  "library's choice" },
	{ "algo", 0, "NAME", GROUP_WHERE, "the library's choice", option_parse_text, offsetof(struct options, algo), 0, 0, NULL,
	  "the algorithm, as --list names them with the variables that are set for it; with --backend sim the cost model" },
	{ "readback", 0, "WHAT", GROUP_WHERE, "path", option_parse_word, offsetof(struct options, readback), 0, 0, readback_words,
	  "what is read from the library's log: off: nothing; path: the way that was taken, which costs no time; all: also the "
	  "algorithm of each size with NCCL, which writes a line for each call" },
	{ "format", 0, "NAME", GROUP_OUTPUT, "nccl", option_parse_word, offsetof(struct options, format), 0, 0, format_words,
	  "table on stdout: nccl (as nccl-tests prints it) or wide" },
	{ "csv", 0, "FILE", GROUP_OUTPUT, NULL, option_parse_text, offsetof(struct options, csv), 0, 0, NULL,
	  "write rows as CSV; -: to stdout instead of the table" },
	{ "json", 0, "FILE", GROUP_OUTPUT, NULL, option_parse_text, offsetof(struct options, json), 0, 0, NULL,
	  "write one JSON document; -: to stdout instead of the table" },
	{ "output_file", 'J', "FILE", GROUP_OUTPUT, NULL, option_parse_text, offsetof(struct options, json), 0, 0, NULL,
	  "the same as --json" },
	{ "facts", 0, "FILE", GROUP_OUTPUT, NULL, option_parse_text, offsetof(struct options, facts), 0, 0, NULL,
	  "write the facts of the run as JSON, without rows" },
	{ "report_timestamps", 'S', "0|1", GROUP_OUTPUT, "0", option_parse_switch, offsetof(struct options, timestamps), 0, 0,
	  NULL, "1: the time at the end of each row of the table" },
	{ "label", 0, "KEY=VALUE", GROUP_OUTPUT, NULL, option_parse_label, offsetof(struct options, labels), 0, 0, NULL,
	  "a label for JSON and facts; may be given again" },
	{ "run-id", 0, "TEXT", GROUP_OUTPUT, "made up", option_parse_text, offsetof(struct options, run), 0, 0, NULL,
	  "name of this launch in the rows" },
	{ "nthreads", 't', "N", GROUP_GPU, "1", option_parse_count, offsetof(struct options, nthreads), 1, 1024, NULL,
	  "threads a process" },
	{ "ngpus", 'g', "N", GROUP_GPU, "1", option_parse_count, offsetof(struct options, ngpus), 1, 1024, NULL,
	  "GPUs a thread" },
	{ "agg_iters", 'm', "N", GROUP_GPU, "1", option_parse_count, offsetof(struct options, agg_iters), 1, 1L << 20, NULL,
	  "calls in one group" },
	{ "blocking", 'z', "N", GROUP_GPU, "0", option_parse_count, offsetof(struct options, blocking), 0, 3, NULL,
	  "wait after each call: 1 with a barrier, 2 without, 3 with one that is not timed" },
	{ "cudagraph", 'G', "N", GROUP_GPU, "0", option_parse_count, offsetof(struct options, graph), 0, 1L << 20, NULL,
	  "record the calls as a graph and start it N times" },
	{ "report_cputime", 'C', "0|1", GROUP_GPU, "0", option_parse_count, offsetof(struct options, cpu_time), 0, 1, NULL,
	  "1: the time to enqueue a call" },
	{ "local_register", 'R', "N", GROUP_GPU, "0", option_parse_count, offsetof(struct options, local_register), 0, 2, NULL,
	  "register buffers: 1 locally, 2 as symmetric windows" },
	{ "parallel_init", 'p', "0|1", GROUP_GPU, "0", option_parse_count, offsetof(struct options, parallel_init), 0, 1, NULL,
	  "1: each thread sets up its own GPUs" },
	{ "cta_policy", 'x', "POLICY", GROUP_GPU, "unset", option_parse_policy, offsetof(struct options, cta_policy), 0, 2, NULL,
	  "NCCL's CTA policy: 0 default, 1 efficiency, 2 zero (number or word)" },
	{ "stream_null", 'y', "0|1", GROUP_GPU, "0", option_parse_count, offsetof(struct options, stream_null), 0, 1, NULL,
	  "1: calls go to the null stream" },
	{ "memory", 'M', "0|1", GROUP_GPU, "0", option_parse_count, offsetof(struct options, memory_report), 0, 1, NULL,
	  "1: say how much GPU memory was used" },
	{ "memory_report", 0, "0|1", GROUP_GPU, "0", option_parse_count, offsetof(struct options, memory_report), 0, 1, NULL,
	  "the same as --memory" },
	{ "hold", 0, NULL, GROUP_GPU, NULL, option_parse_flag, offsetof(struct options, hold), 0, 0, NULL,
	  "with --timing loop: calls wait on the GPU until all are queued" },
	{ "share-gpus", 0, NULL, GROUP_GPU, NULL, option_parse_flag, offsetof(struct options, share_gpus), 0, 0, NULL,
	  "more ranks than GPUs on a host are no error; their rows are marked" },
	{ "sim-ranks", 0, "N", GROUP_SIM, "8", option_parse_int, offsetof(struct options, sim_ranks), 1, 1L << 20, NULL,
	  "simulated ranks" },
	{ "sim-alpha", 0, "TIME", GROUP_SIM, "5us", option_parse_seconds, offsetof(struct options, sim_alpha), 0, 0, NULL,
	  "latency of a message" },
	{ "sim-bandwidth", 0, "RATE", GROUP_SIM, "100G", option_parse_bandwidth, offsetof(struct options, sim_bandwidth), 0, 0,
	  NULL, "bandwidth of a link, bytes per second" },
	{ "sim-gamma", 0, "TIME", GROUP_SIM, "0", option_parse_seconds, offsetof(struct options, sim_gamma), 0, 0, NULL,
	  "time to reduce one byte" },
	{ "sim-model", 0, "NAME", GROUP_SIM, "ring", option_parse_text, offsetof(struct options, sim_model), 0, 0, NULL,
	  "cost model of the collective" },
	{ "sim-noise", 0, "LAUNCH%[,SAMPLE%]", GROUP_SIM, "0", option_parse_noise, offsetof(struct options, sim_noise_launch), 0,
	  0, NULL, "spread between launches and between samples (standard deviations)" },
	{ "seed", 0, "N", GROUP_TESTS, "1", option_parse_unsigned, offsetof(struct options, seed), 0, LONG_MAX, NULL,
	  "seed of what is random" },
	{ "inject", 0, "FAULT", GROUP_TESTS, NULL, option_parse_inject, offsetof(struct options, inject), 0, 0, NULL,
	  "a fault: corrupt=RANK, delay=RANK:US, hang=RANK, abort=RANK or clock=RANK:US, each with @SIZE for one size alone" },
	{ "help", 'h', NULL, GROUP_INSTEAD, NULL, option_parse_flag, offsetof(struct options, help), 0, 0, NULL,
	  "print this help" },
	{ "version", 0, NULL, GROUP_INSTEAD, NULL, option_parse_flag, offsetof(struct options, version), 0, 0, NULL,
	  "print the version" },
	{ "list", 0, NULL, GROUP_INSTEAD, NULL, option_parse_flag, offsetof(struct options, list), 0, 0, NULL,
	  "print backends, types, operations, formats, paths and algorithms, and why one is missing" },
	{ "dry-run", 0, NULL, GROUP_INSTEAD, NULL, option_parse_flag, offsetof(struct options, dry_run), 0, 0, NULL,
	  "print the points and the memory they need" },
	{ "man", 0, NULL, GROUP_INSTEAD, NULL, option_parse_flag, offsetof(struct options, man), 0, 0, NULL,
	  "print the man page" },
};

const struct option_refusal option_refusals[] = {
	{ "device_implementation", 'D', no_device_api, "0" },
	{ "device_cta_count", 'V', no_device_api, "16" },
	{ NULL, 0, NULL, NULL },
};

const size_t option_row_count = sizeof option_rows / sizeof *option_rows;

const char option_units[] =
	"In sizes K, M, G, T and P are powers of 1024. In bandwidths they are powers of 1000: 1 GB/s = 1e9 B/s.";

const struct option_exit_code option_exit_codes[] = {
	{ 0, "success" },
	{ 1, "wrong data" },
	{ 2, "usage" },
	{ 3, "backend, launch, input or output failed, or time-out" },
	{ 77, "nothing could run" },
	{ 0, NULL },
};

const struct option_example option_examples[] = {
	{ "mpiexec -n 2 ", "-b 8 -e 4M -f 2 --csv rows.csv", "Two ranks, sizes from 8 B to 4 MiB, rows also to a file." },
	{ "mpiexec -n 4 ", "-b 1M -e 64M -f 2 --timing loop -n 20 -a 1", "Timed as nccl-tests does: 20 calls back to back." },
	{ "", "--backend sim --sim-ranks 64 --sim-bandwidth 50G -b 8 -f 8", "What a described network would give." },
	{ NULL, NULL, NULL },
};
