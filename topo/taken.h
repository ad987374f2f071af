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

enum { TAKEN_MOST_PAIRS = 65536, TAKEN_MOST_CHOICES = 4096, TAKEN_NAME = 24 };

/* How rank `from` reaches rank `to`; ways as bits 1 << enum way. */
struct taken_pair {
	int from, to;
	unsigned ways;
	int channels; /* lines of different channels, sends only */
	bool gdrdma;
	char how[48]; /* "P2P/CUMEM/read", "SHM/direct/direct", "NET/IB/0/GDRDMA", of the last line */
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
	char version[32];         /* of the library, "" where the log has none */
	unsigned ways;            /* of all pairs */
	struct taken_pair *pairs; /* owned; by rising from, to */
	size_t npairs;
	struct taken_choice *choices; /* owned; in the order of the log */
	size_t nchoices;
	int channels;       /* "N coll channels", else the most of any pair; 0: unknown */
	bool rings, trees;  /* were connected */
	bool nvls, collnet; /* in use */
	long lines, understood;
	long left_out;            /* beyond the limits */
	int cuda_p2p_over_nvlink; /* what P2P lines mean is a matter of the topology: TOPO_MAYBE, TOPO_YES, TOPO_NO */
};

void taken_clear(struct taken *taken);

/* NCCL's and RCCL's log (NCCL_DEBUG=INFO, also with GRAPH and TUNING). -1: out of memory. P2P counts as `p2p`: WAY_NVLINK or WAY_PCIE as the caller knows. */
int taken_nccl_line(struct taken *taken, const char *line, size_t length, enum way p2p);
/* UCX's log (UCX_LOG_LEVEL=info), and what UCX_PROTO_INFO prints where there is any. */
int taken_ucx_line(struct taken *taken, const char *line, size_t length);

/* A whole text: 0, -1 out of memory. */
int taken_nccl_text(struct taken *taken, const char *text, size_t size, enum way p2p);
int taken_ucx_text(struct taken *taken, const char *text, size_t size);

/* For people: version, transports and pairs per transport, channels, GDRDMA, NVLS, algorithm and protocol by size. */
void taken_show(const struct taken *taken, FILE *out);

#endif
