/* SPDX-License-Identifier: Apache-2.0
 *
 * From logs to the path column: what joins the logs of all ranks, what a topology adds, and what is not what was asked for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/launch.h"
#include "src/way_taken.h"
#include "topo/topo_make.h"

static const char *const variables[] = { "NCCL_DEBUG",           "NCCL_DEBUG_FILE", "NCCL_DEBUG_SUBSYS",
					 "NCCL_RUNTIME_CONNECT", "UCX_LOG_LEVEL",   "UCX_LOG_FILE",
					 "UCX_LOG_FILE_SIZE",    "UCX_TLS",         "NCCL_P2P_DISABLE" };

static int forget(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		unsetenv(variables[i]);
	return 0;
}

/* --- a launch of several processes that all know the same --- */

static int gather(struct launch *launch, const void *mine, size_t size, void *all)
{
	for (int i = 0; i < launch->size; i++)
		memcpy((char *)all + (size_t)i * size, mine, size);
	return launch->state != NULL;
}

static int broadcast(struct launch *launch, void *data, size_t size)
{
	(void)data;
	(void)size;
	return launch->state != NULL;
}

static const struct launch_ops launch_ops = { .gather = gather, .broadcast = broadcast };
static const struct backend_ops nccl = { .name = "nccl" }, mpi = { .name = "mpi" }, other = { .name = "sim" };

struct bench {
	struct launch launch;
	struct groups groups;
	struct backend backend;
	struct options options;
};

static void bench_open(struct bench *bench, const struct backend_ops *ops)
{
	*bench = (struct bench){ .launch = { .size = 2, .nnodes = 1, .ops = &launch_ops },
				 .groups = { .count = 1 },
				 .backend = { .ops = ops, .nranks = 2 },
				 .options = { .path = "auto", .readback = READBACK_PATH } };
	bench->backend.groups = &bench->groups;
}

static void read_way(struct bench *bench, const struct topo *topo, struct way_taken *taken)
{
	assert_int_equal(way_taken_read(&bench->launch, &bench->backend, &bench->options, topo, taken), 0);
}

/* As a library does: it opens the file by its name, and its stream keeps what it is given. */
static FILE *begin_log(const struct backend_ops *ops, enum readback readback)
{
	struct steer_variable set[STEER_MOST];
	const int n = way_taken_variables(ops->name, readback, set, STEER_MOST);

	assert_true(n > 0);
	for (int i = 0; i < n; i++)
		setenv(set[i].name, set[i].value, 1);
	FILE *log = fopen(set[0].value, "w");

	assert_non_null(log);
	return log;
}

#define UCX(list) "[1.2] [vm:1 :0]  ucp_worker.c:1763 UCX  INFO    ep_cfg[1]: tag(" list ") rma(x/y)\n"
#define CHANNEL(text) "h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] " text "\n"

static const struct {
	const struct backend_ops *ops;
	const char *log, *asked, *path;
	int hosts;
	bool differs;
} logs[] = {
	{ &mpi, UCX("sysv/memory cma/memory"), "auto", "shm", 1, false },
	{ &mpi, UCX("tcp/lo tcp/eth0"), "auto", "tcp", 1, false },
	{ &mpi, UCX("sysv/memory") UCX("tcp/eth0"), "auto", "shm+tcp", 2, false },
	{ &mpi, UCX("self/memory"), "auto", "", 1, false },
	{ &mpi, "", "auto", "", 1, false },
	{ &mpi, "", "tcp", "tcp?", 1, false },
	{ &mpi, UCX("tcp/lo"), "tcp", "tcp", 1, false },
	{ &mpi, UCX("tcp/lo"), "shm", "tcp", 1, true },
	{ &mpi, UCX("sysv/memory"), "tcp", "shm", 1, true },
	{ &mpi, UCX("sysv/memory") UCX("tcp/eth0"), "tcp", "shm+tcp", 2, true },
	{ &mpi, UCX("sysv/memory") UCX("tcp/eth0"), "shm", "shm+tcp", 2, false },
	{ &mpi, UCX("sysv/memory") UCX("tcp/eth0"), "shm", "shm+tcp", 1, true },
	{ &mpi, UCX("tcp/eth0") UCX("rc_mlx5/mlx5_0:1"), "tcp", "ib+tcp", 2, true },
	{ &mpi, UCX("sysv/memory srd/efa:1"), "shm", "shm+srd", 2, false },
	{ &mpi, UCX("sysv/memory srd/efa:1"), "shm", "shm+srd", 1, true },
	{ &mpi, UCX("srd/efa:1"), "ib", "srd", 2, true },
	{ &nccl, CHANNEL("via P2P/CUMEM"), "auto", "p2p", 1, false },
	{ &nccl, CHANNEL("via P2P/CUMEM"), "nvlink", "p2p", 1, false },
	{ &nccl, CHANNEL("via P2P/CUMEM"), "pcie", "p2p", 1, false },
	{ &nccl, CHANNEL("via P2P/CUMEM"), "shm", "p2p", 1, true },
	{ &nccl, CHANNEL("via SHM/direct/direct"), "nvlink", "shm", 1, true },
	{ &nccl, CHANNEL("via P2P/CUMEM") CHANNEL("via SHM/direct/direct"), "nvlink", "p2p+shm", 1, true },
	{ &nccl, CHANNEL("via P2P/CUMEM") CHANNEL("[send] via NET/IB/0"), "nvlink", "p2p+ib", 2, false },
	{ &nccl, CHANNEL("[send] via NET/Socket/0"), "ib", "socket", 2, true },
	{ &nccl, CHANNEL("[send] via NET/AWS Libfabric/0"), "auto", "aws_libfabric", 2, false },
	{ &nccl, CHANNEL("via SHM/direct"), "socket", "shm", 1, true },
};

static void test_logs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
		struct bench bench;
		struct way_taken taken;

		forget(NULL);
		bench_open(&bench, logs[i].ops);
		bench.options.path = logs[i].asked;
		bench.launch.nnodes = logs[i].hosts;
		FILE *log = begin_log(logs[i].ops, READBACK_PATH);

		fputs(logs[i].log, log);
		read_way(&bench, NULL, &taken);
		if (strcmp(taken.path, logs[i].path) != 0 || taken.differs != logs[i].differs)
			fail_msg("%zu: %s, %d", i, taken.path, taken.differs);
		/* There is a line for the reader where there is something to say. */
		assert_int_equal(taken.note[0] != '\0', taken.differs || strchr(taken.path, '?'));
		if (taken.differs) {
			assert_non_null(strstr(taken.note, taken.path));
			assert_non_null(strstr(taken.note, logs[i].asked));
		}
		assert_false(taken.traced);
		fclose(log);
	}
}

static void test_nothing_is_read(void **state)
{
	struct bench bench;
	struct way_taken taken;
	FILE *log = begin_log(&mpi, READBACK_PATH);

	(void)state;
	fputs(UCX("tcp/lo"), log);
	fflush(log);
	bench_open(&bench, &mpi);
	bench.backend.nranks = 1;
	bench.options.path = "shm";
	read_way(&bench, NULL, &taken);
	assert_string_equal(taken.path, "");
	assert_string_equal(taken.note, "");
	bench_open(&bench, &mpi);
	bench.launch.simulated = true;
	read_way(&bench, NULL, &taken);
	assert_string_equal(taken.path, "");
	bench_open(&bench, &mpi);
	bench.backend.fake_clock = true;
	read_way(&bench, NULL, &taken);
	assert_string_equal(taken.path, "");
	bench_open(&bench, &other);
	read_way(&bench, NULL, &taken);
	assert_string_equal(taken.path, "");
	bench_open(&bench, &mpi);
	bench.options.readback = READBACK_OFF;
	bench.options.path = "shm";
	read_way(&bench, NULL, &taken);
	assert_string_equal(taken.path, "shm?");
	/* A variable of the user is against it, of which steering tells; one that is the same or another library's is not. */
	setenv("UCX_TLS", "tcp,self", 1);
	read_way(&bench, NULL, &taken);
	assert_string_equal(taken.path, "");
	assert_string_equal(taken.note, "");
	setenv("UCX_TLS", "shm,self", 1);
	setenv("NCCL_P2P_DISABLE", "0", 1);
	read_way(&bench, NULL, &taken);
	assert_string_equal(taken.path, "shm?");
	bench.backend.ops = &nccl;
	read_way(&bench, NULL, &taken);
	assert_string_equal(taken.path, "");
	assert_string_equal(taken.note, "");
	forget(NULL);
	FILE *again = begin_log(&mpi, READBACK_PATH);

	fputs(UCX("tcp/lo"), again);
	fflush(again);
	/* It is all still there. */
	bench_open(&bench, &mpi);
	read_way(&bench, NULL, &taken);
	assert_string_equal(taken.path, "tcp");
	bench.launch.state = &bench;
	assert_int_equal(way_taken_read(&bench.launch, &bench.backend, &bench.options, NULL, &taken), -1);
	fclose(log);
}

static void test_a_file_of_the_user(void **state)
{
	char name[] = "/tmp/way_taken.XXXXXX";
	struct bench bench;
	struct way_taken taken;
	FILE *file = fdopen(mkstemp(name), "w");

	(void)state;
	assert_non_null(file);
	fputs(CHANNEL("via SHM/direct/direct"), file);
	fclose(file);
	bench_open(&bench, &nccl);
	setenv("NCCL_DEBUG_FILE", name, 1);
	read_way(&bench, NULL, &taken);
	assert_string_equal(taken.path, "shm");
	/* Not ours to trace, and it stays. */
	bench.options.readback = READBACK_ALL;
	read_way(&bench, NULL, &taken);
	assert_string_equal(taken.path, "shm");
	assert_false(taken.traced);
	unlink(name);
	read_way(&bench, NULL, &taken);
	assert_string_equal(taken.path, "");
}

static void give(struct topo_host *host, int a, int b, enum topo_class class)
{
	struct topo_given *given = topo_add_given(host);

	assert_non_null(given);
	*given = (struct topo_given){ .a = a, .b = b, .class = class, .links = class == TOPO_NV ? 4 : 0 };
}

/* Four GPUs, of which ranks use some; two bridges. */
static void make_topo(struct topo *topo, enum topo_class within, enum topo_class across, const int *gpus)
{
	struct topo_host *host = topo_add_host(topo);

	assert_non_null(host);
	for (int i = 0; i < 4; i++)
		assert_non_null(topo_add_gpu(host));
	for (int a = 0; a < 4; a++)
		for (int b = 0; b < a; b++)
			give(host, a, b, a / 2 == b / 2 ? within : across);
	for (int i = 0; i < 2; i++) {
		struct topo_rank *rank = topo_add_rank(host);

		assert_non_null(rank);
		rank->rank = i;
		rank->gpu = gpus[i];
	}
}

static void test_p2p(void **state)
{
	static const struct {
		enum topo_class within, across;
		int gpus[2];
		const char *asked, *path;
		bool differs, grouped;
	} cases[] = {
		{ TOPO_NV, TOPO_NV, { -1, -1 }, "auto", "nvlink", false, false },
		{ TOPO_PIX, TOPO_SYS, { -1, -1 }, "auto", "pcie", false, false },
		{ TOPO_PIX, TOPO_SYS, { -1, -1 }, "nvlink", "pcie", true, false },
		{ TOPO_NV, TOPO_NV, { -1, -1 }, "pcie", "nvlink", true, false },
		/* Bridges between pairs: which GPUs are used decides. */
		{ TOPO_NV, TOPO_SYS, { 0, 1 }, "auto", "nvlink", false, false },
		{ TOPO_NV, TOPO_SYS, { 1, 2 }, "auto", "pcie", false, false },
		{ TOPO_NV, TOPO_SYS, { 1, 2 }, "nvlink", "pcie", true, false },
		{ TOPO_NV, TOPO_SYS, { 1, 2 }, "auto", "p2p", false, true },
		{ TOPO_NV, TOPO_SYS, { -1, 2 }, "auto", "p2p", false, false },
		{ TOPO_NV, TOPO_CLASS_UNKNOWN, { 2, 3 }, "auto", "nvlink", false, false },
		{ TOPO_CLASS_UNKNOWN, TOPO_CLASS_UNKNOWN, { 2, 3 }, "auto", "p2p", false, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct topo topo = { 0 };
		struct bench bench;
		struct way_taken taken;

		forget(NULL);
		make_topo(&topo, cases[i].within, cases[i].across, cases[i].gpus);
		bench_open(&bench, &nccl);
		bench.options.path = cases[i].asked;
		bench.groups.count = cases[i].grouped ? 2 : 1;
		FILE *log = begin_log(&nccl, READBACK_PATH);

		fputs(CHANNEL("via P2P/CUMEM"), log);
		read_way(&bench, &topo, &taken);
		if (strcmp(taken.path, cases[i].path) != 0 || taken.differs != cases[i].differs)
			fail_msg("%zu: %s, %d", i, taken.path, taken.differs);
		fclose(log);
		topo_clear(&topo);
	}
}

static void test_roce(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = topo_add_host(&topo);
	struct topo_nic *nic = topo_add_nic(host);
	struct bench bench;
	struct way_taken taken;
	FILE *log = begin_log(&mpi, READBACK_PATH);

	(void)state;
	bench_open(&bench, &mpi);
	bench.options.path = "roce";
	fputs(UCX("rc_mlx5/mlx5_0:1"), log);
	nic->fabric = TOPO_ROCE;
	read_way(&bench, &topo, &taken);
	assert_string_equal(taken.path, "roce");
	assert_false(taken.differs);
	nic->fabric = TOPO_ETHERNET;
	fputs(UCX("rc_mlx5/mlx5_0:1"), log);
	read_way(&bench, &topo, &taken);
	assert_string_equal(taken.path, "ib");
	topo_add_nic(host)->fabric = TOPO_INFINIBAND;
	host->nics[0].fabric = TOPO_ROCE;
	fputs(UCX("rc_mlx5/mlx5_0:1"), log);
	read_way(&bench, &topo, &taken);
	assert_string_equal(taken.path, "ib");
	fclose(log);
	topo_clear(&topo);
}

static void expect_algorithm(const char *collective, size_t bytes, const char *expected)
{
	char algo[48];

	way_taken_algorithm("nccl", collective, bytes, algo, sizeof algo);
	assert_string_equal(algo, expected);
}

#define TUNED(text) "h:1:2 [0] NCCL INFO " text " channel{Lo..Hi}={0..1}\n"

static void test_algorithm(void **state)
{
	struct bench bench;
	struct way_taken taken;
	FILE *log = begin_log(&nccl, READBACK_ALL);

	(void)state;
	bench_open(&bench, &nccl);
	bench.options.readback = READBACK_ALL;
	fputs(CHANNEL("via SHM/direct/direct") TUNED("AllReduce: 8 Bytes -> Algo TREE proto LL"), log);
	read_way(&bench, NULL, &taken);
	assert_true(taken.traced);
	assert_string_equal(taken.path, "shm");
	/* What was read is gone. */
	expect_algorithm("all_reduce", 8, "");
	for (int i = 0; i < 100; i++)
		fputs(TUNED("AllReduce: 64 Bytes -> Algo RING proto LL128") TUNED("AllReduce: 8 Bytes -> Algo TREE proto LL"),
		      log);
	fputs("h:1:2 [0] NCCL INFO AllReduce: 64 Bytes -> Algo TREE pro", log);
	expect_algorithm("all_reduce", 64, "ring/ll128");
	/* The end of the line comes later. */
	fputs("to SIMPLE channel{Lo..Hi}={0..1}\n", log);
	expect_algorithm("all_reduce", 64, "tree/simple");
	fputs(TUNED("AllReduce: 64 Bytes -> Algo RING proto LL128") TUNED("AllReduce: 64 Bytes -> Algo TREE proto LL128"), log);
	expect_algorithm("all_reduce", 64, "");
	fputs(TUNED("AllReduce: 64 Bytes -> Algo RING proto LL128"), log);
	expect_algorithm("broadcast", 64, "");
	fputs("h:1:2 [0] NCCL INFO 64 Bytes -> Algo 1 proto 0 time 3.1\n", log);
	expect_algorithm("broadcast", 64, "ring/ll");
	fclose(log);
	forget(NULL);
	expect_algorithm("broadcast", 64, "");
	bench.options.readback = READBACK_ALL;
	read_way(&bench, NULL, &taken);
	assert_false(taken.traced);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_logs, forget),
		cmocka_unit_test_setup(test_nothing_is_read, forget),
		cmocka_unit_test_setup(test_a_file_of_the_user, forget),
		cmocka_unit_test_setup(test_p2p, forget),
		cmocka_unit_test_setup(test_roce, forget),
		cmocka_unit_test_setup(test_algorithm, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
