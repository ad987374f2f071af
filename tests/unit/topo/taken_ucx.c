/* SPDX-License-Identifier: Apache-2.0
 *
 * The log of UCX 1.6 to 1.18, line form by line form.
 */
#include "taken_lines.h"

static const struct {
	const char *line;
	unsigned ways;
	const char *how, *network;
} configs[] = {
	/* 1.13 */
	{ "[1795998146.856483] [vm:4505 :0]      ucp_worker.c:1763 UCX  INFO    ep_cfg[1]: tag(sysv/memory cma/memory) "
	  "rma(sysv/memory "
	  "posix/memory) am(sysv/memory cma/memory)",
	  SHM, "sysv/memory cma/memory", "" },
	{ "[1.2] [vm:1 :0]      ucp_worker.c:1763 UCX  INFO    ep_cfg[0]: tag(posix/memory) rma(posix/memory) am(posix/memory)",
	  SHM, "posix/memory", "" },
	{ "[1.2] [vm:1 :0]      ucp_worker.c:1763 UCX  INFO    ep_cfg[1]: tag(tcp/lo tcp/eth0) rma_am(tcp/lo) am(tcp/lo "
	  "tcp/eth0)",
	  TCP, "tcp/lo tcp/eth0", "" },
	{ "[1.2] [vm:1 :0]      ucp_worker.c:1763 UCX  INFO    ep_cfg[2]: tag(sysv/memory cma/memory tcp/ib1)", SHM | TCP,
	  "sysv/memory cma/memory tcp/ib1", "" },
	{ "[1.2] [vm:1 :0]      ucp_worker.c:1763 UCX  INFO  ep_cfg[1]: tag(sysv/memory cma/memory cuda_copy/cuda)", SHM,
	  "sysv/memory cma/memory cuda_copy/cuda", "" },
	/* 1.6 to 1.10 */
	{ "[1.2] [r39:1:0]     ucp_worker.c:1720 UCX  INFO  ep_cfg[1]: tag(rc_mlx5/mlx5_0:1 rc_mlx5/mlx5_1:1);", IB,
	  "rc_mlx5/mlx5_0:1 rc_mlx5/mlx5_1:1", "" },
	{ "[1.2] [r39:1:0]     ucp_worker.c:1720 UCX  INFO  ep_cfg[1]: tag(dc_mlx5/mlx5_0:1);", IB, "dc_mlx5/mlx5_0:1", "" },
	/* 1.14 on */
	{ "[1.2] [r:1:0]   ucp_worker.c:1783 UCX  INFO    0x252d990 intra-node cfg#2 tag(sysv/memory cma/memory) "
	  "rma(sysv/memory)",
	  SHM, "sysv/memory cma/memory", "" },
	{ "[1.2] [r:1:0]   ucp_worker.c:1783 UCX  INFO    0x2d96740 intra-node cfg#2tag(sysv/memory cma/memory) rma(sysv/memory)",
	  SHM, "sysv/memory cma/memory", "" },
	{ "[1.2] [r:1:0]   ucp_worker.c:1903 UCX  INFO    ucp_context_0 inter-node cfg#8 tag(rc_mlx5/mlx5_2:1 ud_mlx5/mlx5_0:1)",
	  IB, "rc_mlx5/mlx5_2:1 ud_mlx5/mlx5_0:1", "" },
	{ "[1.2] [r:1:0]   ucp_worker.c:1903 UCX  INFO    ucp_context_0 intra-node cfg#4 tag(xpmem/memory cuda_ipc/cuda)",
	  SHM | 1U << WAY_AUTO, "xpmem/memory cuda_ipc/cuda", "" },
	{ "[1.2] [r:1:0]   ucp_worker.c:1903 UCX  INFO    ucp_context_0 inter-node cfg#4 tag(srd/rdmap0s1:1)", 0,
	  "srd/rdmap0s1:1", "srd" },
};

static void test_ucx(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
		struct taken taken = { 0 };

		feed_ucx(&taken, configs[i].line);
		if (taken.npairs != 1)
			fail_msg("%s: %zu", configs[i].line, taken.npairs);
		assert_int_equal(taken.pairs->from, -1);
		if (taken.ways != configs[i].ways || taken.pairs->ways != configs[i].ways)
			fail_msg("%s: ways %x", configs[i].line, taken.ways);
		assert_string_equal(taken.pairs->how, configs[i].how);
		assert_string_equal(taken.network, configs[i].network);
		/* The same configuration again, of another process. */
		feed_ucx(&taken, configs[i].line);
		assert_int_equal(taken.npairs, 1);
		assert_int_equal(taken.understood, 2);
		taken_clear(&taken);
	}
}

static void test_ucx_nothing(void **state)
{
	/* An endpoint to oneself says nothing of the others. */
	static const struct {
		const char *line;
		int understood;
	} lines[] = {
		{ "[1.2] [vm:1 :0]  ucp_worker.c:1763 UCX  INFO    ep_cfg[0]: tag(self/memory0 tcp/lo tcp/eth0) "
		  "rma(self/memory0)",
		  1 },
		{ "[1.2] [vm:1 :0]  ucp_worker.c:1763 UCX  INFO    ep_cfg[0]: tag(self/memory0 cma/memory) rma(self/memory0 "
		  "sysv/memory)",
		  1 },
		{ "[1.2] [r:1:0]   ucp_worker.c:1783 UCX  INFO    0x252d990 self cfg#1 tag(sysv/memory cma/memory "
		  "cuda_copy/cuda)",
		  1 },
		{ "[1.2] [vm:1 :0]  ucp_worker.c:1763 UCX  INFO    ep_cfg[1]: rma(sysv/memory)", 0 },
		{ "[1.2] [vm:1 :0]  ucp_worker.c:1763 UCX  INFO    ep_cfg[1]: tag(sysv/memory cma/mem", 0 },
		{ "[1.2] [vm:1 :0]  ucp_worker.c:1763 UCX  INFO    ep_cfg[1]: tag()", 0 },
		{ "[1.2] [vm:1 :0]  ucp_worker.c:1763 UCX  INFO    ep_cfg[1]: tag(tcp)", 0 },
		{ "[1.2] [vm:1 :0]  ucp_worker.c:1763 UCX  INFO    ep_cfg[1]: tag(/tcp)", 0 },
		{ "[1.2] [vm:1 :0]  ucp_worker.c:1763 UCX  DIAG    ep_cfg[1]: tag(tcp/lo)", 0 },
		{ "[1.2] [vm:1 :0]  parser.c:1916 UCX  INFO  UCX_* env variables: UCX_LOG_LEVEL=info UCX_TLS=tcp,self", 0 },
		{ "[1.2] [vm:1 :0]   | 0x559761b45a80 ep_cfg[0] | tagged message by ucp_tag_send*() from host memory      |", 0 },
		{ "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct taken taken = { 0 };

		feed_ucx(&taken, lines[i].line);
		if (taken.understood != lines[i].understood || taken.npairs || taken.ways || *taken.network)
			fail_msg("%s", lines[i].line);
		taken_clear(&taken);
	}
}

static void test_ucx_version(void **state)
{
	struct taken taken = { 0 };

	(void)state;
	feed_ucx(&taken, "[1.2] [vm:1 :0]     ucp_context.c:1849 UCX  INFO  Version 1.13.1 (loaded from "
			 "/lib/x86_64-linux-gnu/libucp.so.0)");
	assert_string_equal(taken.version, "UCX 1.13.1");
	taken_clear(&taken);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ucx),
		cmocka_unit_test(test_ucx_nothing),
		cmocka_unit_test(test_ucx_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
