/* SPDX-License-Identifier: Apache-2.0
 *
 * What a library's own log says of the way that bytes went. Fed line by line, in any order and from any version; what is not understood is not counted.
 * Logs are untrusted: lines are cut at 4096 bytes, nothing in them is executed.
 */
#ifndef COLLPERF_TAKEN_H
#define COLLPERF_TAKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "way.h"

enum { TAKEN_MOST_PAIRS = 65536, TAKEN_MOST_TRANSPORTS = 2 * TAKEN_MOST_PAIRS, TAKEN_MOST_CHOICES = 4096, TAKEN_NAME = 24 };

struct taken_channels {
	int count;                  /* different ones, of lines of the sender alone; 0: only the receiver's side was seen */
	unsigned long long seen[2]; /* which */
};

/*
 * How rank `from` reaches rank `to` of a communicator; ways as bits 1 << enum way. The bit of WAY_AUTO: NCCL's P2P over what the caller does not know
 * either ("p2p"). UCX's log names no ranks: from and to are -1, and there is one element for each different `how`.
 */
struct taken_pair {
	int from, to;
	unsigned ways;
	struct taken_channels channels; /* through any transport */
	size_t transports;              /* the first: its number in taken->transports and 1; 0: none, of UCX */
	char how[64];                   /* of UCX: "sysv/memory cma/memory" */
};

/* What some channels of a pair go through. */
struct taken_transport {
	char how[64]; /* "P2P/CUMEM/read", "SHM/direct/direct"; of the network without the device: "NET/IB/GDRDMA" */
	struct taken_channels channels;
	bool gdrdma;
	size_t next; /* of the same pair, as `transports` */
};

/* Which algorithm a call of a size took. */
struct taken_choice {
	char collective[TAKEN_NAME]; /* our name, "" where the log has none */
	unsigned long long bytes;
	char algo[TAKEN_NAME];  /* our name: "ring", "tree", "nvls" ... */
	char proto[TAKEN_NAME]; /* "ll", "ll128", "simple" */
	int channels;           /* 0: not said */
	long calls;
};

struct taken {
	char version[40];         /* "NCCL 2.28.9+cuda13.0", "RCCL 2.18.3", "UCX 1.13.1"; "" where the log has none */
	char network[TAKEN_NAME]; /* the network that is none of enum way, by its name in our letters: "aws_libfabric"; "" */
	unsigned ways;            /* of all pairs */
	struct taken_pair *pairs; /* owned; in the order of the log */
	size_t npairs;
	struct taken_transport *transports; /* owned */
	size_t ntransports, transport_room;
	struct taken_choice *choices; /* owned; in the order of the log */
	size_t nchoices;
	int channels;               /* "N coll channels", else the most of any pair; 0: unknown */
	bool said_channels;         /* the former */
	bool rings, trees;          /* were connected */
	bool nvls, collnet;         /* in use */
	bool nvls_can, nvls_cannot; /* said of some device */
	long lines, understood;
	long left_out; /* beyond the limits */
	/* Which devices of NET/IB are known, and which of them speak RoCE: bits. Each log begins with what it uses. */
	unsigned long long ib_known, ib_roce;
	unsigned *pair_slots, *choice_slots; /* owned: where pairs and choices are, to find them */
	size_t pair_room, choice_room;
};

void taken_clear(struct taken *taken);

/*
 * NCCL's and RCCL's log (NCCL_DEBUG=INFO, also with GRAPH and TUNING), whatever a launcher put in front of its lines. -1: out of memory. P2P counts as `p2p`:
 * WAY_NVLINK or WAY_PCIE as the caller knows, WAY_AUTO where it does not.
 */
int taken_nccl_line(struct taken *taken, const char *line, size_t length, enum way p2p);
/* UCX's log (UCX_LOG_LEVEL=info): the lanes of tagged messages of every configuration of an endpoint, but those to itself. */
int taken_ucx_line(struct taken *taken, const char *line, size_t length);

/* A whole text: 0, -1 out of memory. Texts of several processes may follow each other into one struct. */
int taken_nccl_text(struct taken *taken, const char *text, size_t size, enum way p2p);
int taken_ucx_text(struct taken *taken, const char *text, size_t size);

/* "shm+tcp" as way_words, with "p2p" first where that is all that is known, and the other network last. `text` of at least TAKEN_WORDS bytes. */
enum { TAKEN_WORDS = 96 };
void taken_words(unsigned ways, const char *network, char *text);

/* For people: version, transports with their pairs and channels, GDRDMA, NVLS, algorithm and protocol by size. */
void taken_show(const struct taken *taken, FILE *out);

#endif
