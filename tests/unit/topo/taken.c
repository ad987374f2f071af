/* SPDX-License-Identifier: Apache-2.0
 *
 * The logs of NCCL 2.4 to 2.31 and of RCCL, line form by line form; mixed, cut and endless lines.
 */
#include "taken_lines.h"

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
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_transports_of_a_pair),
		cmocka_unit_test(test_transports_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
