/* SPDX-License-Identifier: Apache-2.0
 *
 * What alltoallv_perf is asked to send: blocks by --skew, or by a file of --matrix.
 */
#ifndef COLLPERF_UNEVEN_H
#define COLLPERF_UNEVEN_H

#include <stddef.h>
#include <stdint.h>

#include "../collectives/collective.h"

struct launch;
struct options;

enum { UNEVEN_MOST_RANKS = 1024, UNEVEN_MOST_MIB = 32 };

struct uneven {
	double skew;      /* without a matrix */
	int nranks;       /* of the matrix; 0: there is none */
	uint64_t *cells;  /* [nranks * nranks] bytes, a row for each sender; owned */
	uint64_t busiest; /* bytes: the largest sum of a row or a column */
	char variant[64]; /* "skew 0.5", "matrix moe.txt 1a2b3c4d"; of letters, digits, dots, dashes, underscores and blanks */
};

/*
 * A matrix as text: a row a line, blanks between sizes ("0", "64K"), '#' to the end of a line is left out, and so are empty lines. 0, or -1 with what is
 * wrong in `error`, with the line, and row and column as ranks are numbered, from 0. Sets cells, nranks and busiest.
 */
int uneven_parse(const char *text, size_t length, struct uneven *uneven, char *error, size_t size);

/*
 * Collective. What the options ask for: options->uneven points to it, or stays NULL where blocks are even. Rank 0 reads the file; sizes that were not given
 * become the matrix's own. 0, or -1 after one line on stderr of rank 0, which all know.
 */
int uneven_open(struct uneven *uneven, struct options *options, struct launch *launch, const char *program);
void uneven_close(struct uneven *uneven);

/* "matrix NAME DIGEST": the end of the path, up to UNEVEN_MOST_NAME characters of it, and a digest of the sizes, as other files may have that name. */
enum { UNEVEN_MOST_NAME = 40 };
void uneven_name(struct uneven *uneven, const char *path);

/* `bytes`: what the busiest rank sends or receives; elements of `element` bytes; what is skewed is rounded down to multiples of `align` elements. */
struct coll_layout uneven_layout(const struct uneven *uneven, uint64_t bytes, size_t element, int nranks, size_t align);

#endif
