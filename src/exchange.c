/* SPDX-License-Identifier: Apache-2.0
 *
 * Partners, names and the packing of the ways of sendrecv.
 */
#include "exchange.h"

#include <stdio.h>
#include <string.h>

static const char *const mode_names[] = { "shift", "oneway", "bidirectional", "pingpong" };

/* The other rank of a pair, -1: none. */
static int partner_of(const struct exchange *exchange, int nranks, int rank)
{
	const long long stride = exchange->stride, other = rank / stride % 2 == 0 ? rank + stride : rank - stride;

	return other < nranks ? (int)other : -1;
}

struct exchange_peers exchange_peers(const struct exchange *exchange, int nranks, int rank)
{
	if (exchange->mode == EXCHANGE_SHIFT) {
		const int stride = exchange->stride % nranks, to = (int)(((long long)rank + stride) % nranks),
			  from = (int)(((long long)rank - stride + nranks) % nranks);

		return (struct exchange_peers){ to, from, false };
	}
	const int partner = partner_of(exchange, nranks, rank);
	const bool is_lower = partner > rank;

	if (exchange->mode == EXCHANGE_ONEWAY)
		return (struct exchange_peers){ is_lower ? partner : -1, is_lower ? -1 : partner, is_lower };
	return (struct exchange_peers){ partner, partner, is_lower };
}

bool exchange_sits_out(const struct exchange *exchange, int nranks, int rank)
{
	const struct exchange_peers peers = exchange_peers(exchange, nranks, rank);

	return peers.to < 0 && peers.from < 0;
}

int exchange_idle(const struct exchange *exchange, int nranks)
{
	int idle = 0;

	if (exchange->mode == EXCHANGE_SHIFT)
		return nranks > 1 && exchange->stride % nranks == 0 ? nranks : 0;
	for (int rank = 0; rank < nranks; rank++)
		idle += exchange_sits_out(exchange, nranks, rank);
	return idle;
}

bool exchange_wraps(const struct exchange *exchange, int nranks)
{
	return exchange->mode == EXCHANGE_SHIFT && exchange->stride > nranks && (nranks == 1 || exchange->stride % nranks != 0);
}

bool exchange_is_plain(const struct exchange *exchange)
{
	return exchange->mode == EXCHANGE_SHIFT && exchange->stride == 1 && exchange->buffers == 0;
}

/* One way a rank has one buffer in any case. A ping that lands in the buffer that is sent back would send back what it got. */
bool exchange_has_in_place(const struct exchange *exchange)
{
	return exchange->buffers == 0 && (exchange->mode == EXCHANGE_SHIFT || exchange->mode == EXCHANGE_BIDIRECTIONAL);
}

int exchange_trips(const struct exchange *exchange)
{
	return exchange->mode == EXCHANGE_PINGPONG ? 2 : 1;
}

void exchange_name(struct exchange *exchange)
{
	const bool is_named = exchange->mode != EXCHANGE_SHIFT || exchange->stride != 1;
	char stride[24] = "", pipeline[24] = "";

	if (exchange->stride != 1)
		snprintf(stride, sizeof stride, " stride %d", exchange->stride);
	if (exchange->buffers > 0)
		snprintf(pipeline, sizeof pipeline, "%spipeline %d", is_named ? " " : "", exchange->buffers);
	snprintf(exchange->name, sizeof exchange->name, "%s%s%s", is_named ? mode_names[exchange->mode] : "", stride, pipeline);
}

size_t exchange_place(size_t count, size_t i)
{
	const size_t rows = count / EXCHANGE_COLUMNS;

	return i < rows * EXCHANGE_COLUMNS ? i % rows * EXCHANGE_COLUMNS + i / rows : i;
}

size_t exchange_piece(size_t count, size_t size)
{
	const size_t least = (EXCHANGE_LEAST_PIECE + size - 1) / size, part = (count + EXCHANGE_PIECES - 1) / EXCHANGE_PIECES;

	return part > least ? part : least;
}

uint64_t exchange_staging(const struct exchange *exchange, uint64_t bytes)
{
	const uint64_t part = bytes / EXCHANGE_PIECES + EXCHANGE_LEAST_PIECE;

	return part * (uint64_t)exchange->buffers;
}

/* n elements that lie `step` elements apart, next to each other, or the other way round. */
static void gather(char *to, size_t to_step, const char *from, size_t from_step, size_t n, size_t size)
{
	/* A size that the compiler knows makes each copy one load and one store. */
	switch (size) {
	case 1:
		for (size_t i = 0; i < n; i++)
			to[i * to_step] = from[i * from_step];
		break;
	case 2:
		for (size_t i = 0; i < n; i++)
			memcpy(to + 2 * i * to_step, from + 2 * i * from_step, 2);
		break;
	case 4:
		for (size_t i = 0; i < n; i++)
			memcpy(to + 4 * i * to_step, from + 4 * i * from_step, 4);
		break;
	default:
		for (size_t i = 0; i < n; i++)
			memcpy(to + 8 * i * to_step, from + 8 * i * from_step, 8);
		break;
	}
}

/* Elements from number i of the message on that lie in one column, or in what is left over. */
static size_t stretch_of(size_t count, size_t i)
{
	const size_t rows = count / EXCHANGE_COLUMNS;

	return rows > 0 && i < rows * EXCHANGE_COLUMNS ? rows - i % rows : count - i;
}

static size_t step_of(size_t count, size_t i)
{
	return i < count / EXCHANGE_COLUMNS * EXCHANGE_COLUMNS ? EXCHANGE_COLUMNS : 1;
}

void exchange_pack(void *to, const void *from, size_t count, size_t first, size_t n, size_t size)
{
	for (size_t done = 0, stretch; done < n; done += stretch) {
		const size_t i = first + done;

		stretch = stretch_of(count, i);
		if (stretch > n - done)
			stretch = n - done;
		gather((char *)to + done * size, 1, (const char *)from + exchange_place(count, i) * size, step_of(count, i),
		       stretch, size);
	}
}

void exchange_spread(void *to, const void *from, size_t count, size_t size)
{
	for (size_t i = 0, stretch; i < count; i += stretch) {
		stretch = stretch_of(count, i);
		gather((char *)to + exchange_place(count, i) * size, step_of(count, i), (const char *)from + i * size, 1, stretch,
		       size);
	}
}

/* Two stages, one after the other for each piece; a piece is packed when its staging buffer has been sent. */
double exchange_pipeline_time(const struct exchange *exchange, size_t count, size_t size, double alpha, double beta, double pack)
{
	const size_t piece = exchange_piece(count, size), buffers = (size_t)exchange->buffers;
	double sent[EXCHANGE_MOST_BUFFERS] = { 0 }, packed = 0, end = 0;

	for (size_t done = 0, k = 0; done < count; done += piece, k++) {
		const size_t n = count - done < piece ? count - done : piece;
		const double bytes = (double)(n * size), waited = sent[k % buffers];

		packed = (packed > waited ? packed : waited) + pack * bytes;
		end = (packed > end ? packed : end) + alpha + bytes * beta;
		sent[k % buffers] = end;
	}
	return end;
}
