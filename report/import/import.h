/* SPDX-License-Identifier: Apache-2.0
 *
 * Other tools' results become rows. A format knows how to recognise its logs and how to read them; everything else is here: files, prefixes of launchers,
 * what was skipped and why, the CSV that comes out. Logs are from other people's machines: any bytes may stand in them, nothing is executed or guessed.
 */
#ifndef COLLPERF_IMPORT_H
#define COLLPERF_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "../result.h"

enum {
	IMPORT_MOST_BYTES = 1 << 30, /* of a file */
	IMPORT_MOST_LINE = 1 << 20,  /* of a line: a longer one is skipped and told */
	IMPORT_MOST_FIELDS = 1024,   /* of a line */
	IMPORT_SHOWN_SKIPS = 20,     /* lines that are shown; the others are counted */
	IMPORT_MOST_ROWS = 2 << 20,  /* of all files together */
};

struct import_options {
	const char *from;       /* a format's name, or NULL: by content */
	int nranks;             /* 0: from the log, else what the log does not say */
	int nnodes;             /* 0: from the log, else 1 */
	const char *run;        /* name of the rows' run, or NULL: the file's path as given */
	const char *collective; /* what the log does not say, one of the nine; or NULL */
};

/* A whole file in memory, with a NUL behind it that does not count; borrowed. */
struct import_text {
	const char *name;
	const char *data;
	size_t size;
};

struct import_sink;

/*
 * One row, numbered by the sink. The format fills collective, nranks, type, redop, root, placement, bytes, count, time and what else it knows; times in
 * seconds, rates in bytes per second, as the log says them. The sink fills schema, point, points, run, bytes_requested (bytes where unknown), backend
 * ("nccl" or "mpi" as the format set it), timing ("loop" where empty), the flag "imported". Where algbw or busbw are absent they are computed; where they
 * are there and do not agree with bytes / time and the primitive's factor within what the log's digits allow (`digits`: a half unit of each figure's last
 * place, 0 where it is exact), the row is flagged "rates" and counted. A time that is not positive, or no size, skips the row. Texts are copied.
 * Texts come from logs: control characters and bytes that are not UTF-8 are written \xNN, blanks at the ends are cut, what is longer than 200 bytes
 * ends in "...", and a text that begins with one of = + - @ gets a ' in front, so that no spreadsheet takes it for a formula.
 * A row that the reader of CSV would refuse (no number of ranks, a root that is no rank ...) is skipped. `digits` NULL: all exact. *row is left alone.
 * 0, or -1 after one line on stderr: memory is out, or there are more than IMPORT_MOST_ROWS.
 */
struct import_digits {
	double time, algbw, busbw; /* in the row's units */
};
int import_row(struct import_sink *sink, const struct result *row, const struct import_digits *digits, size_t line);

/* Line `line` (from 1) could not be used. 0, or -1 when memory is out. */
int import_skip(struct import_sink *sink, size_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The log says that data were wrong, but not in which row (a row's `wrong` above 0 needs no such call): the exit code is 1. */
void import_wrong(struct import_sink *sink);

/* Something about the whole file; one line. */
int import_note(struct import_sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct import_format {
	const char *name;    /* the word of --from */
	const char *summary; /* for --help */
	/* How sure that the text is of this format: 0 not at all .. 100. Looks at the first 256 KiB, of a document as a whole at 64 MiB. */
	int (*recognise)(const struct import_text *text);
	/* 0, or -1 after one line on stderr. */
	int (*read)(const struct import_text *text, const struct import_options *options, struct import_sink *sink);
};

extern const struct import_format import_nccl_text; /* nccl-tests' and rccl-tests' table, ours too */
extern const struct import_format import_nccl_json;
extern const struct import_format import_rccl_csv;
extern const struct import_format import_rccl_json;
extern const struct import_format import_osu;
extern const struct import_format import_imb;

/* table.c: in the order in which they are asked; the surest wins, of equals the first. */
extern const struct import_format *const import_formats[];
extern const size_t import_format_count;

/*
 * The lines of a text one by one: *line and *length without line end (CR LF too); false at the end. Start from at = 0 and number = 0;
 * *number is then the line's, from 1. A line longer than IMPORT_MOST_LINE comes too: the format skips it.
 */
bool import_next_line(const struct import_text *text, size_t *at, const char **line, size_t *length, size_t *number);

/*
 * What a launcher or a terminal put in front of a line, skipped: "[1,0]<stdout>:", "0: ", "[0] ", "rank 0: ", "node1: ", "(pid=1) ", time stamps, what
 * syslog has behind them, escape sequences for colours.
 * Returns where the rest begins. Takes nothing off that may be the line's own.
 */
size_t import_prefix(const char *line, size_t length);

#endif
