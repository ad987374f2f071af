/* SPDX-License-Identifier: Apache-2.0
 *
 * The log, as NCCL 2.28 writes it where NCCL_DEBUG is INFO and NCCL_DEBUG_FILE names a file: a ring of two channels by the transports that NCCL_P2P_DISABLE,
 * NCCL_SHM_DISABLE and NCCL_NET leave, and with NCCL_DEBUG_SUBSYS=...TUNING a line for each collective.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "nccl_fake.h"

enum { CHANNELS = 2 };

struct log {
	pthread_once_t once;
	FILE *file;
	bool tunes;
	char host[256];
};

static struct log *the_log(void)
{
	static struct log one = { PTHREAD_ONCE_INIT, NULL, false, "" };

	return &one;
}

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

static void open_log(void)
{
	struct log *log = the_log();
	char name[4096];
	size_t used = 0;

	gethostname(log->host, sizeof(log->host) - 1);
	for (const char *at = variable("NCCL_DEBUG_FILE"); *at && used < sizeof(name) - 300; at++) {
		if (at[0] == '%' && at[1] == 'h')
			used += (size_t)snprintf(name + used, 300, "%s", log->host);
		else if (at[0] == '%' && at[1] == 'p')
			used += (size_t)snprintf(name + used, 300, "%ld", (long)getpid());
		else
			name[used++] = *at;
		at += at[0] == '%' && (at[1] == 'h' || at[1] == 'p');
	}
	name[used] = '\0';
	if (used == 0 || strcasecmp(variable("NCCL_DEBUG"), "INFO") != 0)
		return;
	log->file = fopen(name, "w");
	if (!log->file)
		return;
	setvbuf(log->file, NULL, _IOLBF, BUFSIZ);
	log->tunes = strstr(variable("NCCL_DEBUG_SUBSYS"), "TUNING") != NULL;
	fprintf(log->file, "%s:%ld:%ld [0] NCCL INFO NCCL version %d.%d.%d+cuda13.0\n", log->host, (long)getpid(),
		(long)syscall(SYS_gettid), fake_version() / 10000, fake_version() / 100 % 100, fake_version() % 100);
}

__attribute__((format(printf, 2, 3))) static void say(const struct ncclComm *comm, const char *format, ...)
{
	struct log *log = the_log();
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fprintf(log->file, "%s:%ld:%ld [%d] NCCL INFO %s\n", log->host, (long)getpid(), (long)syscall(SYS_gettid), comm->device,
		text);
}

static bool is_on(const char *name)
{
	return strcmp(variable(name), "1") == 0;
}

static void say_channel(const struct ncclComm *comm, int from, int to)
{
	const struct fake_seat *a = &comm->meeting->seats[from], *b = &comm->meeting->seats[to];
	const bool one_host = a->host == b->host, sends = comm->rank == from;
	const char *net = strcasecmp(variable("NCCL_NET"), "IB") == 0 ? "IB" : "Socket";

	for (int channel = 0; channel < CHANNELS; channel++) {
		if (one_host && !is_on("NCCL_P2P_DISABLE")) {
			if (sends)
				say(comm, "Channel %02d/0 : %d[%d] -> %d[%d] via %s", channel, from, from, to, to,
				    a->pid == b->pid ? "P2P/direct pointer" : "P2P/CUMEM");
		} else if (one_host && !is_on("NCCL_SHM_DISABLE")) {
			if (sends)
				say(comm, "Channel %02d : %d[%d] -> %d[%d] via SHM/direct/direct", channel, from, from, to, to);
		} else {
			say(comm, "Channel %02d/0 : %d[%d] -> %d[%d] [%s] via NET/%s/0", channel, from, from, to, to,
			    sends ? "send" : "receive", net);
		}
	}
}

void fake_log_connect(const struct ncclComm *comm)
{
	const int next = (comm->rank + 1) % comm->nranks, before = (comm->rank + comm->nranks - 1) % comm->nranks;

	pthread_once(&the_log()->once, open_log);
	if (!the_log()->file)
		return;
	say(comm, "Channel 00/%02d :    0   1", CHANNELS);
	if (comm->nranks > 1) {
		say_channel(comm, before, comm->rank);
		say_channel(comm, comm->rank, next);
	}
	say(comm, "Connected all rings, use ring PXN 0 GDR 1");
	say(comm, "Connected all trees");
	say(comm, "%d coll channels, %d collnet channels, 0 nvls channels, %d p2p channels, %d p2p channels per peer", CHANNELS,
	    CHANNELS, CHANNELS, CHANNELS);
}

/* In capitals, as NCCL has it. */
static void choose(const char *name, const char *otherwise, char *word, size_t size)
{
	const char *value = variable(name);
	size_t i = 0;

	for (value = *value ? value : otherwise; value[i] && i + 1 < size; i++)
		word[i] = (char)(value[i] >= 'a' && value[i] <= 'z' ? value[i] - 'a' + 'A' : value[i]);
	word[i] = '\0';
}

void fake_log_call(const struct fake_op *op)
{
	static const char *const names[] = {
		[FAKE_ALL_REDUCE] = "AllReduce", [FAKE_BROADCAST] = "Broadcast",          [FAKE_REDUCE] = "Reduce",
		[FAKE_ALL_GATHER] = "AllGather", [FAKE_REDUCE_SCATTER] = "ReduceScatter", [FAKE_RECV] = NULL,
	};
	const size_t bytes = op->send_bytes > op->recv_bytes ? op->send_bytes : op->recv_bytes;
	char algo[24], proto[24];

	if (!the_log()->file || !the_log()->tunes || !names[op->kind])
		return;
	choose("NCCL_ALGO", bytes < 65536 && op->kind == FAKE_ALL_REDUCE ? "TREE" : "RING", algo, sizeof(algo));
	choose("NCCL_PROTO", bytes < 65536 ? "LL" : "SIMPLE", proto, sizeof(proto));
	say(op->comm, "%s: %zu Bytes -> Algo %s proto %s channel{Lo..Hi}={0..%d}", names[op->kind], bytes, algo, proto,
	    CHANNELS - 1);
}
