/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways of sendrecv: who sends to whom in one call, how a long message is packed while it is sent, and how such a call is named. Pure.
 *
 *   shift          rank r sends S to r + stride and receives S from r - stride, around the ring, both at once
 *   oneway         in pairs (r, r + stride) the lower rank sends S, the upper one receives it: until the slower of both is done, which is the receiver
 *   bidirectional  in the same pairs both send S to the other at once: until both are done; algbw and busbw are those of one direction
 *   pingpong       in the same pairs the lower rank sends S, the upper one sends S back when it has it: half of there and back
 *
 * Pairs stand in blocks of 2 * stride ranks, the lower half of a block against its upper half. A rank without a partner sits out: it makes no call.
 * In all of them a rank sends at most one message and receives at most one, so busbw is algbw, and on full duplex links none is bound by more than one
 * message.
 */
#ifndef COLLPERF_EXCHANGE_H
#define COLLPERF_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum exchange_mode { EXCHANGE_SHIFT, EXCHANGE_ONEWAY, EXCHANGE_BIDIRECTIONAL, EXCHANGE_PINGPONG };

enum { EXCHANGE_MOST_BUFFERS = 16, EXCHANGE_PIECES = 16, EXCHANGE_LEAST_PIECE = 4096, EXCHANGE_COLUMNS = 16 };

struct exchange {
	enum exchange_mode mode;
	int stride;    /* >= 1, in ranks of a group */
	int buffers;   /* of a pipeline: staging buffers; 0: the message is sent as it lies in memory */
	char name[64]; /* the variant column: "" for shift, stride 1 and no pipeline; exchange_name fills it */
};

/* Whom a rank sends to and receives from: -1 nobody. */
struct exchange_peers {
	int to, from;
	bool first; /* pingpong: it sends first */
};

struct exchange_peers exchange_peers(const struct exchange *exchange, int nranks, int rank);

/* Whether the rank has no partner. */
bool exchange_sits_out(const struct exchange *exchange, int nranks, int rank);

/* Ranks of a group that have no partner; nranks when the stride pairs nobody. A shift by a multiple of nranks > 1 pairs nobody: every rank is its own. */
int exchange_idle(const struct exchange *exchange, int nranks);

/* Whether a shift goes once around or more and is one by less, under another name. */
bool exchange_wraps(const struct exchange *exchange, int nranks);

/* nccl-tests' sendrecv: shift, stride 1, no pipeline. */
bool exchange_is_plain(const struct exchange *exchange);

/* Whether a call may have one buffer for what is sent and what is received. */
bool exchange_has_in_place(const struct exchange *exchange);

/* By what the time of a call is divided: 2 for there and back, else 1. */
int exchange_trips(const struct exchange *exchange);

/* "oneway", "shift stride 2", "oneway stride 2 pipeline 4", "pipeline 2"; "" for the plain call. */
void exchange_name(struct exchange *exchange);

/*
 * Pipelines. The message is a matrix of EXCHANGE_COLUMNS columns that lies row by row in the sender's buffer and is sent column by column, as a transposition
 * has it: element i of the message is at element exchange_place(count, i) of the buffer. What is left over of the last row comes last, as it lies.
 * The message goes in pieces of a sixteenth of it and at least 4 KiB, each packed into the next of `buffers` staging buffers once that one has been sent:
 * one buffer packs and sends in turn; from two on a piece is packed while another is under way.
 */
size_t exchange_place(size_t count, size_t i);

/* Elements of a piece of a message of `count` elements of `size` bytes; the last one may be shorter. At least 1. */
size_t exchange_piece(size_t count, size_t size);

/* Bytes of all staging buffers for a message of so many bytes; 0 without a pipeline. */
uint64_t exchange_staging(const struct exchange *exchange, uint64_t bytes);

/* Elements first .. first + n - 1 of the message from the buffer `from` of count elements of `size` bytes, to `to`. */
void exchange_pack(void *to, const void *from, size_t count, size_t first, size_t n, size_t size);

/* The reverse for a whole message: such that packing `to` gives `from`. They must not overlap. */
void exchange_spread(void *to, const void *from, size_t count, size_t size);

/* Seconds of a pipeline of which packing a byte takes `pack` seconds and a message alpha + bytes * beta. */
double exchange_pipeline_time(const struct exchange *exchange, size_t count, size_t size, double alpha, double beta, double pack);

#endif
