/* SPDX-License-Identifier: Apache-2.0
 *
 * The logs of NCCL 2.4 to 2.31, of RCCL and of UCX 1.6 to 1.18, line form by line form; mixed, cut and endless lines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topo/taken.h"

#define P2P (1U << WAY_PCIE)
#define NVLINK (1U << WAY_NVLINK)
#define SHM (1U << WAY_SHM)
#define IB (1U << WAY_IB)
#define ROCE (1U << WAY_ROCE)
#define SOCKET (1U << WAY_SOCKET)
#define TCP (1U << WAY_TCP)

static void feed(struct taken *taken, const char *line)
{
	assert_int_equal(taken_nccl_line(taken, line, strlen(line), WAY_PCIE), 0);
}

static void feed_ucx(struct taken *taken, const char *line)
{
	assert_int_equal(taken_ucx_line(taken, line, strlen(line)), 0);
}

static const struct {
	const char *line;
	int from, to;
	unsigned ways;
	int channels;
	bool gdrdma;
	const char *how, *network;
} channels[] = {
	/* 2.4 */
	{ "h1:10:20 [0] NCCL INFO Ring 00 : 0[0] -> 1[1] via P2P/IPC", 0, 1, P2P, 1, false, "P2P/IPC", "" },
	{ "h1:10:20 [0] NCCL INFO Ring 00 : 0[0] -> 1[1] via P2P/direct pointer", 0, 1, P2P, 1, false, "P2P/direct pointer", "" },
	{ "h1:10:20 [0] NCCL INFO Ring 01 : 3[3] -> 0[0] via direct shared memory", 3, 0, SHM, 1, false, "direct shared memory",
	  "" },
	{ "h1:10:20 [0] NCCL INFO Ring 00 : 1 -> 0 [receive] via NET/Socket/0", 1, 0, SOCKET, 0, false, "NET/Socket", "" },
	{ "h1:10:20 [0] NCCL INFO Ring 00 : 0 -> 1 [send] via NET/IB/0", 0, 1, IB, 1, false, "NET/IB", "" },
	{ "h1:10:20 [0] NCCL INFO Ring 00 : 7 -> 8 [send] via NET/IB/3/GDRDMA", 7, 8, IB, 1, true, "NET/IB/GDRDMA", "" },
	/* 2.5 to 2.7: bus ids; 2.8 on: "Channel" */
	{ "h1:10:20 [3] NCCL INFO Ring 11 : 3[1e000] -> 2[1b000] via P2P/IPC", 3, 2, P2P, 1, false, "P2P/IPC", "" },
	{ "h1:10:20 [3] NCCL INFO Channel 11 : 3[1e000] -> 2[1b000] via P2P/IPC/read", 3, 2, P2P, 1, false, "P2P/IPC/read", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 01 : 1[4000] -> 0[3000] via P2P/direct pointer/read", 1, 0, P2P, 1, false,
	  "P2P/direct pointer/read", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 00 : 1[4000] -> 0[3000] via direct shared memory", 1, 0, SHM, 1, false,
	  "direct shared memory", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 02 : 1[4000] -> 5[3000] via P2P/indirect/3[7000]", 1, 5, NVLINK, 1, false,
	  "P2P/indirect/3[7000]", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 00 : 8[3000] -> 0[3000] [receive] via NET/IB/0/GDRDMA", 8, 0, IB, 0, true,
	  "NET/IB/GDRDMA", "" },
	/* 2.12 to 2.14 on: connection */
	{ "h1:10:20 [1] NCCL INFO Channel 00/0 : 1[4000] -> 0[3000] via P2P/IPC", 1, 0, P2P, 1, false, "P2P/IPC", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 15/1 : 1[4000] -> 0[3000] via P2P/IPC/CE", 1, 0, P2P, 1, false, "P2P/IPC/CE", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 01 : 1[4000] -> 0[3000] via SHM/direct/direct", 1, 0, SHM, 1, false,
	  "SHM/direct/direct", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 01 : 1[4000] -> 0[3000] via SHM/CE/direct", 1, 0, SHM, 1, false, "SHM/CE/direct", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 00/0 : 1[4000] -> 2[3000] [send] via NET/Socket/0", 1, 2, SOCKET, 1, false,
	  "NET/Socket", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 00/0 : 1[4000] -> 2[3000] [send] via NET/IB/1(0)/GDRDMA", 1, 2, IB, 1, true,
	  "NET/IB/GDRDMA", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 00/0 : 1[4000] -> 2[3000] [send] via NET/IB/1/GDRDMA/Shared", 1, 2, IB, 1, true,
	  "NET/IB/GDRDMA/Shared", "" },
	/* 2.18.3 on: device numbers */
	{ "h1:10:20 [1] NCCL INFO Channel 00/0 : 1[1] -> 0[0] via P2P/CUMEM", 1, 0, P2P, 1, false, "P2P/CUMEM", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 23/0 : 1[1] -> 0[0] via P2P/CUMEM/read", 1, 0, P2P, 1, false, "P2P/CUMEM/read", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 23/0 : 1[1] -> 0[0] via P2P/CUMEM/CE", 1, 0, P2P, 1, false, "P2P/CUMEM/CE", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 00/0 : 3[3] -> 4[0] via P2P/MNNVL", 3, 4, NVLINK, 1, false, "P2P/MNNVL", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 00 : 3[3] -> 4[0] via SHM/direct", 3, 4, SHM, 1, false, "SHM/direct", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 00/0 : 3[3] -> 4[0] [send] via NET/IBext_v8/2/GDRDMA", 3, 4, IB, 1, true,
	  "NET/IBext_v8/GDRDMA", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 00/0 : 3[3] -> 4[0] [send] via NET/AWS Libfabric/0/GDRDMA", 3, 4, 0, 1, true,
	  "NET/AWS Libfabric/GDRDMA", "aws_libfabric" },
	{ "h1:10:20 [1] NCCL INFO Channel 00/0 : 3[3] -> 4[0] [receive] via NET/AWS Libfabric/1/GDRDMA/Shared", 3, 4, 0, 0, true,
	  "NET/AWS Libfabric/GDRDMA/Shared", "aws_libfabric" },
	{ "h1:10:20 [1] NCCL INFO Channel 00/0 : 3[3] -> 4[0] [send] via NET/IB/1(2)/GDRDMA(PCI)/Shared", 3, 4, IB, 1, true,
	  "NET/IB/GDRDMA(PCI)/Shared", "" },
	/* 2.31 */
	{ "h1:10:20 [1] NCCL INFO Channel 00/0 : 3[3] -> 4[0] [send] via NET/IB/1/GDRDMA/flush=0", 3, 4, IB, 1, true,
	  "NET/IB/GDRDMA/flush=0", "" },
	/* RCCL */
	{ "h1:10:20 [1] NCCL INFO Channel 04/0 : 1[c000] -> 0[8000] via P2P/direct pointer comm 0x55d57e0 nRanks 08", 1, 0, P2P,
	  1, false, "P2P/direct pointer", "" },
	{ "h1:10:20 [1] NCCL INFO Channel 00 : 0[1] -> 1[2] [send] via NET/IB/0/GDRDMA comm 0x7f12 nRanks 16", 0, 1, IB, 1, true,
	  "NET/IB/GDRDMA", "" },
	/* what launchers and terminals leave */
	{ "[1,0]<stdout>:h1:10:20 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM\r", 0, 1, P2P, 1, false, "P2P/CUMEM",
	  "" },
	{ "0: h1:10:20 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM  ", 0, 1, P2P, 1, false, "P2P/CUMEM", "" },
	{ "[0] 2025-01-02 03:04:05 h1:10:20 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM", 0, 1, P2P, 1, false,
	  "P2P/CUMEM", "" },
	{ "[0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM", 0, 1, P2P, 1, false, "P2P/CUMEM", "" },
	/* the end of one line was lost */
	{ "h1:10:20 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] vih1:10:21 [1] NCCL INFO Channel 01/0 : 2[2] -> 3[3] via "
	  "SHM/direct",
	  2, 3, SHM, 1, false, "SHM/direct", "" },
};

static void test_channels(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof channels / sizeof *channels; i++) {
		struct taken taken = { 0 };

		feed(&taken, channels[i].line);
		if (taken.npairs != 1)
			fail_msg("%s: %zu pairs", channels[i].line, taken.npairs);
		assert_int_equal(taken.pairs->from, channels[i].from);
		assert_int_equal(taken.pairs->to, channels[i].to);
		if (taken.pairs->ways != channels[i].ways || taken.ways != channels[i].ways)
			fail_msg("%s: ways %x", channels[i].line, taken.pairs->ways);
		assert_int_equal(taken.ntransports, 1);
		assert_int_equal(taken.pairs->transports, 1);
		if (taken.pairs->channels.count != channels[i].channels ||
		    taken.transports->channels.count != channels[i].channels)
			fail_msg("%s: %d channels", channels[i].line, taken.pairs->channels.count);
		assert_int_equal(taken.transports->gdrdma, channels[i].gdrdma);
		assert_string_equal(taken.transports->how, channels[i].how);
		assert_string_equal(taken.network, channels[i].network);
		assert_int_equal(taken.understood, 1);
		assert_int_equal(taken.lines, 1);
		taken_clear(&taken);
	}
}

/* Not a channel, or a line that was cut or mixed with another. */
static const char *const nothing[] = {
	"",
	"NCCL",
	"h1:10:20 [0] NCCL INFO ",
	"h1:10:20 [0] NCCL WARN Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM",
	"h1:10:20 [0] NCCL INFO Channel 00/08 :    0   1   2   3",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via NVLS/0",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/CU",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/CUMEM/",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/CUMEM/rea",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/direct",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/direct poin",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/indirect/3[70",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via SHM/dir",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via SHM/direct/",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via SHM/direct/C",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] [send] via NET/IB/0/",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] [send] via NET/IB/0(",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] [send] via NET/IB/0/GDR",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] [send] via NET/IB/0/GDRDMA(P",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] [send] via NET/IB/0/GDRDMA/Sha",
	"h1:10:20 [0] NCCL INFO NVLS multicast support is not avail",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via NET/IB",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via NET/IB/",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via NET//0",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via NET/IB/0 and then something",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/IPC h1:10:20 [0] NCCL",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/direct pointers",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via direct shared mem",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1 via P2P/IPC",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] - 1[1] via P2P/IPC",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 99999999999[1] via P2P/IPC",
	"h1:10:20 [0] NCCL INFO Channel : 0[0] -> 1[1] via P2P/IPC",
	"h1:10:20 [0] NCCL INFO Channel -1 : 0[0] -> 1[1] via P2P/IPC",
	"h1:10:20 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/\x1b[31mIPC",
	"h1:10:20 [0] NCCL INFO CollNet 00/0 : 0 [send] via COLLNE",
	"h1:10:20 [0] NCCL INFO Connected all",
	"h1:10:20 [0] NCCL INFO 16 coll chan",
	"h1:10:20 [0] NCCL INFO AllReduce: 8 Bytes -> Algo TREE proto",
	"h1:10:20 [0] NCCL INFO AllReduce: 8 Bytes -> Algo 9 proto 2 time 3.4",
	"h1:10:20 [0] NCCL INFO AllReduce: 8 Bytes -> Algo 1 proto 3 time 3.4",
	"h1:10:20 [0] NCCL INFO AllReduce: 8 Bytes -> Algo CIRCLE proto LL channel{Lo..Hi}={0..0}",
	"h1:10:20 [0] NCCL INFO AllReduce: 99999999999999999999 Bytes -> Algo RING proto LL",
	"h1:10:20 [0] NCCL INFO Something: 8 Bytes -> Algo RING proto LL",
	"h1:10:20 [0] NCCL INFO AllGather: opCount 1606 sendbuff 0x93f recvbuff 0x96d count 2359808 datatype 7 op 0 root 0",
};

static void test_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
		struct taken taken = { 0 };

		feed(&taken, nothing[i]);
		if (taken.understood != 0 || taken.npairs != 0 || taken.nchoices != 0 || taken.ways != 0 || *taken.network)
			fail_msg("understood: %s", nothing[i]);
		assert_int_equal(taken.lines, 1);
		taken_clear(&taken);
	}
}

static const struct taken_transport *transport(const struct taken *taken, int pair, int which)
{
	size_t next = taken->pairs[pair].transports;

	for (; next && which > 0; which--)
		next = taken->transports[next - 1].next;
	return next ? &taken->transports[next - 1] : NULL;
}

/* Two ranks of the same job say each channel twice, and connection 1 is no channel of its own. */
static void test_channels_of_a_pair(void **state)
{
	struct taken taken = { 0 };
	char line[128];

	(void)state;
	for (int channel = 0; channel < 24; channel++) {
		snprintf(line, sizeof line, "h:1:2 [0] NCCL INFO Channel %02d/0 : 0[0] -> 1[0] [send] via NET/IB/%d/GDRDMA",
			 channel, channel % 4);
		feed(&taken, line);
		snprintf(line, sizeof line, "h:1:2 [0] NCCL INFO Channel %02d/0 : 0[0] -> 1[0] [receive] via NET/IB/%d/GDRDMA",
			 channel, channel % 4);
		feed(&taken, line);
		snprintf(line, sizeof line,
			 "h:1:2 [0] NCCL INFO Channel %02d/1 : 0[0] -> 1[0] [send] via NET/IB/%d/GDRDMA/Shared", channel,
			 channel % 4);
		feed(&taken, line);
		snprintf(line, sizeof line, "h:1:2 [0] NCCL INFO Channel %02d/0 : 1[0] -> 2[1] via P2P/CUMEM/read", channel % 16);
		feed(&taken, line);
	}
	assert_int_equal(taken.npairs, 2);
	assert_int_equal(taken.pairs[0].channels.count, 24);
	assert_int_equal(taken.pairs[1].channels.count, 16);
	assert_int_equal(taken.channels, 24);
	assert_int_equal(taken.ntransports, 3);
	assert_string_equal(transport(&taken, 0, 1)->how, "NET/IB/GDRDMA/Shared");
	assert_int_equal(transport(&taken, 0, 0)->channels.count, 24);
	assert_int_equal(taken.ways, IB | P2P);
	feed(&taken, "h:1:2 [0] NCCL INFO 16 coll channels, 0 collnet channels, 0 nvls channels, 32 p2p channels, 32 p2p "
		     "channels per peer");
	assert_int_equal(taken.channels, 16);
	/* Nothing beyond what a bit stands for is counted, nor lost on the way. */
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 500/0 : 1[0] -> 2[1] via P2P/CUMEM/read");
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 127/0 : 1[0] -> 2[1] via P2P/CUMEM/read");
	assert_int_equal(taken.pairs[1].channels.count, 17);
	assert_int_equal(taken.channels, 16);
	taken_clear(&taken);
}

/* Each with its own channels, whichever line came last. */
static void test_transports_of_a_pair(void **state)
{
	struct taken taken = { 0 };

	(void)state;
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC");
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[1] via P2P/IPC");
	feed(&taken, "h:1:2 [1] NCCL INFO Channel 00/0 : 1[1] -> 0[0] via SHM/direct/direct");
	feed(&taken, "h:1:2 [1] NCCL INFO Channel 05/0 : 1[1] -> 0[0] via P2P/CUMEM");
	feed(&taken, "h:1:2 [1] NCCL INFO Channel 06/0 : 1[1] -> 0[0] via P2P/CUMEM");
	/* The same channel through both, what a later version may say, and a line that has lost its end. */
	feed(&taken, "h:1:2 [1] NCCL INFO Channel 05/1 : 1[1] -> 0[0] via SHM/direct/direct");
	feed(&taken, "h:1:2 [1] NCCL INFO Channel 06/0 : 1[1] -> 0[0] via P2P/WIRE");
	feed(&taken, "h:1:2 [1] NCCL INFO Channel 07/0 : 1[1] -> 0[0] via P2P/CU");
	assert_int_equal(taken.npairs, 2);
	assert_int_equal(taken.ntransports, 4);
	assert_int_equal(taken.understood, 7);
	assert_int_equal(taken.pairs[1].ways, P2P | SHM);
	assert_int_equal(taken.pairs[1].channels.count, 3);
	assert_int_equal(taken.channels, 3);
	assert_string_equal(transport(&taken, 0, 0)->how, "P2P/IPC");
	assert_int_equal(transport(&taken, 0, 0)->channels.count, 2);
	assert_null(transport(&taken, 0, 1));
	assert_string_equal(transport(&taken, 1, 0)->how, "SHM/direct/direct");
	assert_int_equal(transport(&taken, 1, 0)->channels.count, 2);
	assert_string_equal(transport(&taken, 1, 1)->how, "P2P/CUMEM");
	assert_int_equal(transport(&taken, 1, 1)->channels.count, 2);
	assert_string_equal(transport(&taken, 1, 2)->how, "P2P/WIRE");
	assert_int_equal(transport(&taken, 1, 2)->channels.count, 1);
	taken_clear(&taken);
}

/* A log of nonsense gives a pair no end of them. */
static void test_transports_limit(void **state)
{
	struct taken taken = { 0 };
	char line[128];

	(void)state;
	for (int i = 0; i < 40; i++) {
		snprintf(line, sizeof line, "h:1:2 [1] NCCL INFO Channel %02d/0 : 1[1] -> 0[0] via P2P/X%d", i, i);
		feed(&taken, line);
	}
	assert_int_equal(taken.ntransports, 32);
	assert_int_equal(taken.left_out, 8);
	taken_clear(&taken);
}

static void test_p2p_word(void **state)
{
	static const char line[] = "h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM";
	struct taken taken = { 0 };
	char words[TAKEN_WORDS];

	(void)state;
	assert_int_equal(taken_nccl_line(&taken, line, strlen(line), WAY_NVLINK), 0);
	assert_int_equal(taken.ways, NVLINK);
	taken_clear(&taken);
	assert_int_equal(taken_nccl_line(&taken, line, strlen(line), WAY_AUTO), 0);
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 00/0 : 1[1] -> 2[0] [send] via NET/IB/0");
	taken_words(taken.ways, taken.network, words);
	assert_string_equal(words, "p2p+ib");
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 00/0 : 1[1] -> 2[0] [send] via NET/FasTrak v7/0");
	taken_words(taken.ways, taken.network, words);
	assert_string_equal(words, "p2p+ib+fastrak_v7");
	taken_words(0, taken.network, words);
	assert_string_equal(words, "fastrak_v7");
	taken_words(SHM | TCP, "", words);
	assert_string_equal(words, "shm+tcp");
	taken_words(0, "", words);
	assert_string_equal(words, "");
	taken_clear(&taken);
}

static void test_roce(void **state)
{
	struct taken taken = { 0 };

	(void)state;
	feed(&taken, "h:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE [2]mlx5_2:1/IB/SHARP [RO]; OOB "
		     "eth0:10.0.0.1<0>");
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0/GDRDMA");
	assert_int_equal(taken.ways, IB);
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[0] [send] via NET/IB/1/GDRDMA");
	assert_int_equal(taken.ways, IB | ROCE);
	taken_clear(&taken);
	feed(&taken, "h:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE ; OOB eth0:10.0.0.1<0>");
	/* Both as one device. */
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[0] [send] via NET/IB/4/GDRDMA");
	assert_int_equal(taken.ways, ROCE);
	/* The next process's log. */
	feed(&taken, "h:1:2 [0] NCCL INFO NET/IBext_v8 : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB eth0:10.0.0.2<0>");
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 01/0 : 1[0] -> 0[0] [send] via NET/IBext_v8/1/GDRDMA");
	assert_int_equal(taken.ways, ROCE | IB);
	feed(&taken, "h:1:2 [0] NCCL INFO Channel 01/0 : 1[0] -> 0[0] [send] via NET/IB/2000/GDRDMA");
	assert_int_equal(taken.understood, 5);
	taken_clear(&taken);
}

static void test_states(void **state)
{
	struct taken taken = { 0 };

	(void)state;
	feed(&taken, "NCCL version 2.4.8+cuda10.0");
	assert_string_equal(taken.version, "NCCL 2.4.8+cuda10.0");
	feed(&taken, "h:1:2 [0] NCCL INFO NCCL version 2.28.9+cuda13.0");
	assert_string_equal(taken.version, "NCCL 2.28.9+cuda13.0");
	feed(&taken, "h:1:2 [0] NCCL INFO NCCL version 2.27.3 compiled with CUDA 12.9");
	assert_string_equal(taken.version, "NCCL 2.27.3");
	feed(&taken, "RCCL version 2.18.3+hip6.0 HEAD:2f6d59e+");
	assert_string_equal(taken.version, "RCCL 2.18.3+hip6.0");
	feed(&taken, "RCCL version : 2.22.3-develop:1234");
	assert_string_equal(taken.version, "RCCL 2.22.3-develop");
	feed(&taken, "h:1:2 [0] NCCL INFO Connected all rings");
	assert_true(taken.rings);
	assert_false(taken.trees);
	feed(&taken, "h:1:2 [0] NCCL INFO Connected all rings, use ring PXN 0 GDR 1");
	feed(&taken, "h:1:2 [0] NCCL INFO Connected all trees");
	assert_true(taken.trees);
	feed(&taken, "h:1:2 [0] NCCL INFO Connected binomial trees");
	/* That it could be is not that it is. */
	feed(&taken, "h:1:2 [0] NCCL INFO NVLS multicast support is available on dev 0");
	feed(&taken, "h:1:2 [0] NCCL INFO NVLS multicast support is not available on dev 1");
	assert_true(taken.nvls_can && taken.nvls_cannot);
	feed(&taken, "h:1:2 [0] NCCL INFO 24 coll channels, 24 collnet channels, 0 nvls channels, 32 p2p channels, 32 p2p "
		     "channels per peer");
	assert_false(taken.nvls);
	assert_int_equal(taken.channels, 24);
	feed(&taken,
	     "h:1:2 [0] NCCL INFO comm 0x55a7, 32 coll channels, 16 nvls channels, 16 p2p channels, 2 p2p channels per peer");
	assert_true(taken.nvls);
	assert_int_equal(taken.channels, 32);
	taken.nvls = false;
	feed(&taken, "h:1:2 [0] NCCL INFO Connected NVLS tree");
	assert_true(taken.nvls);
	assert_false(taken.collnet);
	feed(&taken, "h:1:2 [0] NCCL INFO 4 coll channels, 4 p2p channels, 4 p2p channels per peer");
	assert_int_equal(taken.channels, 32);
	assert_int_equal(taken.understood, taken.lines);
	taken_clear(&taken);
}

static void test_collnet(void **state)
{
	static const char *const lines[] = { "h:1:2 [0] NCCL INFO Coll 00 : 3 [send] via COLLNET/SHARP/0",
					     "h:1:2 [0] NCCL INFO CollNet 01 : 3 [receive] via COLLNET/SHARP/0/GDRDMA",
					     "h:1:2 [0] NCCL INFO CollNet 00/0 : 0 [send] via COLLNET/IBext/1/GDRDMA" };

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct taken taken = { 0 };

		feed(&taken, lines[i]);
		assert_true(taken.collnet);
		assert_int_equal(taken.understood, 1);
		assert_int_equal(taken.npairs, 0);
		taken_clear(&taken);
	}
}

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

/* Lines as they come, in texts of which the last line has no end. */
static void test_text(void **state)
{
	static const char one[] = "NCCL version 2.28.9+cuda13.0\n"
				  "# nThread 1 nGpus 2\r\n"
				  "\n"
				  "h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM\r\n"
				  "h:1:2 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[1] via P2P/CUMEM\n"
				  "h:1:2 [0] NCCL INFO AllReduce: 8 Bytes -> Algo TREE proto LL channel{Lo..Hi}={0..0}\n"
				  "h:1:2 [0] NCCL INFO Connected all rin";
	static const char two[] = "h:1:3 [1] NCCL INFO Channel 00/0 : 1[1] -> 0[0] via P2P/CUMEM";
	struct taken taken = { 0 };

	(void)state;
	assert_int_equal(taken_nccl_text(&taken, one, strlen(one), WAY_NVLINK), 0);
	assert_int_equal(taken_nccl_text(&taken, two, strlen(two), WAY_NVLINK), 0);
	assert_int_equal(taken_nccl_text(&taken, "", 0, WAY_NVLINK), 0);
	assert_int_equal(taken.lines, 8);
	assert_int_equal(taken.understood, 5);
	assert_int_equal(taken.npairs, 2);
	assert_int_equal(taken.pairs[0].channels.count, 2);
	assert_false(taken.rings);
	taken_clear(&taken);
}

static void test_limits(void **state)
{
	const size_t size = 1 << 20;
	char *line = malloc(size), text[160];
	struct taken taken = { 0 };

	(void)state;
	assert_non_null(line);
	memset(line, 'x', size);
	memcpy(line + 4080, "NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM", 52);
	assert_int_equal(taken_nccl_line(&taken, line, size, WAY_PCIE), 0);
	assert_int_equal(taken_ucx_line(&taken, line, size), 0);
	assert_int_equal(taken.understood, 0);
	for (int i = TAKEN_MOST_PAIRS + 9; i >= 0; i--) {
		snprintf(text, sizeof text, "NCCL INFO Channel 00/0 : %d[0] -> %d[1] via P2P/CUMEM", i, i / 2);
		feed(&taken, text);
	}
	assert_int_equal(taken.npairs, TAKEN_MOST_PAIRS);
	assert_int_equal(taken.left_out, 10);
	assert_int_equal(taken.pairs[0].from, TAKEN_MOST_PAIRS + 9);
	feed(&taken, "NCCL INFO Channel 01/0 : 65545[0] -> 32772[1] via P2P/CUMEM");
	assert_int_equal(taken.npairs, TAKEN_MOST_PAIRS);
	assert_int_equal(taken.pairs[0].channels.count, 2);
	for (int i = 0; i < TAKEN_MOST_CHOICES + 5; i++) {
		snprintf(text, sizeof text, "NCCL INFO AllReduce: %d Bytes -> Algo RING proto LL channel{Lo..Hi}={0..1}", i);
		feed(&taken, text);
	}
	assert_int_equal(taken.nchoices, TAKEN_MOST_CHOICES);
	assert_int_equal(taken.left_out, 15);
	free(line);
	taken_clear(&taken);
}

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
		cmocka_unit_test(test_channels),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_channels_of_a_pair),
		cmocka_unit_test(test_p2p_word),
		cmocka_unit_test(test_roce),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_collnet),
		cmocka_unit_test(test_tuning),
		cmocka_unit_test(test_ucx),
		cmocka_unit_test(test_ucx_nothing),
		cmocka_unit_test(test_ucx_version),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_show),
		cmocka_unit_test(test_show_switches),
		cmocka_unit_test(test_transports_of_a_pair),
		cmocka_unit_test(test_transports_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
