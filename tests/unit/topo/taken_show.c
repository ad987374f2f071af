/* SPDX-License-Identifier: Apache-2.0
 *
 * What is shown of libraries' logs.
 */
#include "taken_lines.h"

static char *shown(const struct taken *taken)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	taken_show(taken, out);
	fclose(out);
	return text;
}

static void expect(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in:\n%s", part, text);
}

static void test_show(void **state)
{
	struct taken taken = { 0 };
	char *text;

	(void)state;
	text = shown(&taken);
	expect(text, "its version is not in the log");
	expect(text, "path: not in the log");
	free(text);
	feed(&taken, "NCCL version 2.28.9+cuda13.0");
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read");
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[1] via P2P/CUMEM/read");
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 00/0 : 2[0] -> 3[1] via P2P/CUMEM/read");
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 00/0 : 1[0] -> 2[1] [send] via NET/IB/0(3)/GDRDMA");
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 00/0 : 3[0] -> 0[1] [send] via NET/IB/7/GDRDMA");
	feed(&taken, "h:1:2 [0] NCCL INFO Connected all rings");
	feed(&taken, "h:1:2 [0] NCCL INFO AllReduce: 8 Bytes -> Algo TREE proto LL channel{Lo..Hi}={0..0}");
	feed(&taken, "h:1:2 [0] NCCL INFO AllReduce: 1024 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..0}");
	feed(&taken, "h:1:2 [0] NCCL INFO AllReduce: 16 Bytes -> Algo TREE proto LL channel{Lo..Hi}={0..0}");
	text = shown(&taken);
	expect(text, "library: NCCL 2.28.9+cuda13.0\n");
	expect(text, "lines: 10, 10 of them understood\n");
	expect(text, "path: pcie+ib\n");
	expect(text, "  P2P/CUMEM/read               2 pairs, such as 0 -> 1; 3 channels of all these pairs\n");
	expect(text, "  NET/IB/GDRDMA                2 pairs, such as 1 -> 2; 2 channels of all these pairs\n");
	expect(text, "GPUDirect RDMA: yes\n");
	expect(text, "channels: 2, the most between two ranks\n");
	expect(text, "connected: rings\n");
	expect(text, "NVLS: no sign of it; CollNet: no sign of it\n");
	expect(text, "  all_reduce                8 .. 16           tree/ll                       1        2\n");
	expect(text, "  all_reduce             1024 .. 1024         ring/ll                       1        1\n");
	free(text);
	taken_clear(&taken);
	feed_ucx(&taken, "[1.2] [vm:1 :0]  ucp_worker.c:1763 UCX  INFO    ep_cfg[1]: tag(tcp/lo tcp/eth0)");
	text = shown(&taken);
	expect(text, "path: tcp\n  tcp/lo tcp/eth0\n");
	free(text);
	taken_clear(&taken);
}

/* The words of NVLS and CollNet, each of a log of these lines. */
static void test_show_switches(void **state)
{
	static const struct {
		const char *lines[2], *words;
	} logs[] = {
		{ { "", "" }, "NVLS: no sign of it; CollNet: no sign of it\n" },
		{ { "NVLS multicast support is available on dev 0", "" }, "NVLS: available; CollNet: no sign of it\n" },
		{ { "NVLS multicast support is not available on dev 0", "" }, "NVLS: not available; " },
		{ { "NVLS multicast support is not available on dev 0", "NVLS multicast support is available on dev 1" },
		  "NVLS: available on some devices; " },
		{ { "NVLS multicast support is available on dev 0",
		    "AllReduce: 4 Bytes -> Algo NVLS_TREE proto SIMPLE channel{Lo..Hi}={0..15}" },
		  "NVLS: in use; CollNet: no sign of it\n" },
		{ { "AllReduce: 4 Bytes -> Algo COLLNET_DIRECT proto SIMPLE channel{Lo..Hi}={0..1}", "" },
		  "NVLS: no sign of it; CollNet: in use\n" },
		{ { "16 coll channels, 0 collnet channels, 0 nvls channels, 32 p2p channels, 32 p2p channels per peer", "" },
		  "channels: 16, as the log says of collectives\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
		struct taken taken = { 0 };
		char line[160], *text;

		for (size_t k = 0; k < 2; k++) {
			snprintf(line, sizeof line, "h:1:2 [0] NCCL INFO %s", logs[i].lines[k]);
			feed(&taken, line);
		}
		text = shown(&taken);
		expect(text, logs[i].words);
		free(text);
		taken_clear(&taken);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_show),
		cmocka_unit_test(test_show_switches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
