/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of reading nccl-tests' table: what header lines say, what a row's columns are, and rows on their way out.
 * A section is what one program printed, from its header to its footer; its rows wait until all of it is known.
 */
#ifndef COLLPERF_IMPORT_NCCL_TEXT_H
#define COLLPERF_IMPORT_NCCL_TEXT_H

#include "../pool.h"
#include "import.h"
#include "words.h"

enum nccl_kind {
	NCCL_SIZE,
	NCCL_COUNT,
	NCCL_TYPE,
	NCCL_REDOP,
	NCCL_ROOT,
	NCCL_TIME,
	NCCL_CPUTIME,
	NCCL_ALGBW,
	NCCL_BUSBW,
	NCCL_WRONG,
	NCCL_ERROR,
	NCCL_MIN,
	NCCL_MAX,
	NCCL_P99,
	NCCL_CV,
	NCCL_GROUP,
	NCCL_TIMESTAMP,
	NCCL_OTHER,
	NCCL_KINDS
};

enum { NCCL_MOST_COLUMNS = 64, NCCL_MOST_RANKS = 1 << 20 };

/* The columns of a table, of one placement or two. */
struct nccl_layout {
	enum nccl_kind kinds[NCCL_MOST_COLUMNS];
	size_t count;     /* 0: no header was seen */
	size_t starts[2]; /* column where a placement's figures begin */
	size_t nsets;
	int placement[2]; /* of a set: 0 out of place, 1 in place, -1 the header does not say */
};

/* What a row says of one placement: seconds, bytes per second. */
struct nccl_figures {
	bool there;
	double time, algbw, busbw, min, max, p99;
	struct import_digits digits;
	int64_t wrong;
	bool unchecked;
	bool inexact; /* old versions: the largest deviation, which is not 0 */
};

struct nccl_row {
	size_t line;
	int64_t size, count, root; /* root RESULT_NONE: none */
	const char *type, *redop, *group, *timestamp;
	bool cputime;                   /* time is that of queueing a call */
	bool redop_blank;               /* no operation */
	bool has_redop, has_root;       /* there is such a column, be it blank */
	struct nccl_figures figures[2]; /* by placement */
};

/* Ranks of "Using devices" by their number; entries of another generation are none. */
struct nccl_rank {
	unsigned generation;
	int64_t group, pid;
	const char *host; /* of the pool */
};

struct nccl_ranks {
	struct nccl_rank *items;
	size_t room;
	size_t count;
	int64_t max;
	unsigned generation;
	const char *last_host; /* found by nccl_host_at_end; of this generation, or NULL */
};

struct nccl_section {
	char collective[64]; /* "": not named */
	char other[64];      /* a second name that does not agree, or "" */
	bool concluded;
	bool ours; /* collperf's own table */
	char library[128];
	int64_t nthreads, ngpus, iters, agg_iters; /* RESULT_NONE: not said */
	size_t footers, failed_footers;
	size_t header_line; /* of the newest table header */
	struct nccl_ranks ranks;
	struct nccl_row *rows;
	size_t nrows;
};

struct nccl_reader {
	const struct import_options *options;
	struct import_sink *sink;
	struct pool *pool;
	struct nccl_section section;
	struct nccl_layout layout;
	int placement[2]; /* of the last line that names placements */
	size_t nplacements;
	bool in_table;
	size_t passed, first_passed;   /* lines that are no part of a table */
	size_t of_nccl, first_of_nccl; /* lines of the library */
};

enum nccl_parse { NCCL_NO_ROW, NCCL_BAD_ROW, NCCL_HALF_ROW, NCCL_FULL_ROW };

/* nccl_header.c: a line that begins with '#'. 0, or -1 after one line on stderr. */
int nccl_comment(struct nccl_reader *reader, const char *line, size_t length, size_t number);
/* "NCCL version 2.20.5+cuda12.4" anywhere in a line: the section's library. */
void nccl_version_line(struct nccl_reader *reader, const char *line, size_t length);
/* A new list: that of a later start, or of another job. */
void nccl_ranks_restart(struct nccl_ranks *ranks);
/* Length of the longest name of a host of these ranks with which the text ends; 0: none. */
size_t nccl_host_at_end(struct nccl_ranks *ranks, const char *text, size_t length);

/* nccl_library.c */
bool nccl_is_blank(const char *text, size_t length);
/* Where a line of the library begins and how long its host is; its first word may be glued to what stands before. */
bool nccl_library_find(const char *text, size_t length, size_t *start, size_t *host);
/* Where such a line is cut off from the row before it; false when that cannot be said. */
bool nccl_library_cut(struct nccl_ranks *ranks, const char *text, size_t start, size_t host, size_t *cut);

/* nccl_table.c: columns from a header line; false when it is none. */
bool nccl_layout_read(struct nccl_layout *layout, const char *line, size_t length);
/* Fills *row (texts from the pool) when the answer is a row; *why says what is wrong with a bad one. */
enum nccl_parse nccl_row_parse(const struct nccl_reader *reader, const char *line, size_t length, struct nccl_row *row,
			       const char **why);

/* nccl_rows.c. All return 0, or -1 after one line on stderr. */
int nccl_row_add(struct nccl_reader *reader, const struct nccl_row *row);
/* Hands the section's rows over; what it says stays. */
int nccl_flush(struct nccl_reader *reader);
/* Nothing known; ranks start anew. */
void nccl_section_clear(struct nccl_section *section);
/* The same, and a new section starts, unless this one has not begun. */
int nccl_section_begin(struct nccl_reader *reader);

#endif
