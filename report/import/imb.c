/* SPDX-License-Identifier: Apache-2.0
 *
 * Intel MPI Benchmarks, the MPI-1 part: a table for each benchmark and each number of processes. A row has the mean over repetitions, of the fastest
 * rank, the slowest and the average; the slowest is a row's time here. The root of rooted calls may move between calls, so it is left open. Mbytes/sec
 * is left out: it counts other bytes than we do, and in units that changed from version to version.
 */
#include "import.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "words.h"

enum { MOST_COLUMNS = 16 };

enum bytes_mean {
	BYTES_WHOLE,      /* our size: the vector of a rank */
	BYTES_BLOCK,      /* what a rank has for one peer, or gives: our size is that of all ranks */
	BYTES_BY_VERSION, /* the whole vector up to 2018, a rank's block since */
};

enum { LAST_OF_WHOLE = 2018 };

static const struct benchmark {
	const char *name, *collective;
	enum bytes_mean mean;
	bool ping_pong; /* between two ranks, half of a round trip */
} benchmarks[] = {
	{ "PingPong", "sendrecv", BYTES_WHOLE, true },
	/* Each rank sends to the next and receives from the one before. */
	{ "Sendrecv", "sendrecv", BYTES_WHOLE, false },
	{ "Bcast", "broadcast", BYTES_WHOLE, false },
	{ "Allreduce", "all_reduce", BYTES_WHOLE, false },
	{ "Reduce", "reduce", BYTES_WHOLE, false },
	{ "Reduce_scatter", "reduce_scatter", BYTES_BY_VERSION, false },
	{ "Reduce_scatter_block", "reduce_scatter", BYTES_BLOCK, false },
	{ "Allgather", "all_gather", BYTES_BLOCK, false },
	{ "Alltoall", "alltoall", BYTES_BLOCK, false },
	{ "Gather", "gather", BYTES_BLOCK, false },
	{ "Scatter", "scatter", BYTES_BLOCK, false },
};

enum kind { KIND_OTHER, KIND_BYTES, KIND_REPETITIONS, KIND_TIME, KIND_MIN, KIND_MAX, KIND_AVERAGE, KIND_DEFECTS, KIND_STRANGE };

static const struct heading {
	const char *text;
	enum kind kind;
} headings[] = {
	{ "#bytes", KIND_BYTES },
	{ "#repetitions", KIND_REPETITIONS },
	{ "t[usec]", KIND_TIME },
	{ "t_min[usec]", KIND_MIN },
	{ "t_max[usec]", KIND_MAX },
	{ "t_avg[usec]", KIND_AVERAGE },
	{ "Mbytes/sec", KIND_OTHER },
	{ "defects", KIND_DEFECTS },
	/* Another part of the suite: several pairs at once. */
	{ "Msg/sec", KIND_STRANGE },
};

struct imb {
	const struct import_options *options;
	struct import_sink *sink;
	int64_t version;                   /* the year; 0: not seen; 1: older than years */
	const struct benchmark *benchmark; /* NULL: rows below are skipped, for `why` */
	char why[160];
	int64_t processes; /* 0: not seen since the benchmark's name */
	const char *type, *reduced_type, *redop;
	enum kind columns[MOST_COLUMNS];
	size_t count; /* of columns; 0: no header seen since the benchmark's name */
	bool noted_ping_pong, noted_processes;
};

struct cells {
	int64_t bytes, repetitions;
	double time, min, max, average, defects;
	bool has_time, has_range, has_defects;
	double half; /* of the headline */
};

/* "Intel(R) MPI Benchmarks 2021.7, MPI-1 part", "Intel (R) MPI Benchmark Suite V3.2, MPI-1 part" */
static int64_t version_of(const char *line, size_t length)
{
	struct word words[WORDS_MOST];
	size_t count = words_split(line, length, words, WORDS_MOST);

	for (size_t i = 0; i < count && i < WORDS_MOST; i++) {
		int64_t year;

		if (words[i].length >= 4 && word_whole((struct word){ words[i].text, 4 }, &year) && year >= 2000 && year < 2100)
			return year;
		if (words[i].length >= 2 && words[i].text[0] == 'V' && words[i].text[1] >= '1' && words[i].text[1] <= '9')
			return 1;
	}
	return 0;
}

static void take_name(struct imb *imb, struct word name)
{
	char shown[WORDS_SHOWN];

	imb->benchmark = NULL;
	imb->processes = 0;
	imb->count = 0;
	for (size_t i = 0; i < sizeof benchmarks / sizeof benchmarks[0]; i++) {
		if (word_is_like(name, benchmarks[i].name))
			imb->benchmark = &benchmarks[i];
	}
	if (!imb->benchmark)
		snprintf(imb->why, sizeof imb->why, "the benchmark '%s' does not time a call that is known here",
			 word_show(name, shown));
}

/* The word behind " = ", " : " or the like, where `text` is in the line. */
static bool find_value(const char *line, size_t length, const char *text, struct word *value)
{
	size_t at = words_find(line, length, text);
	struct word words[3];
	size_t count;

	if (at == length)
		return false;
	at += strlen(text);
	count = words_split(line + at, length - at, words, 3);
	if (count < 2 || (!word_is(words[0], "=") && !word_is(words[0], ":")))
		return false;
	*value = words[1];
	return true;
}

static const char *type_name(struct word word)
{
	if (word_is(word, "MPI_BYTE"))
		return "uint8";
	return word_is(word, "MPI_FLOAT") ? "float" : "";
}

/* False when the line says nothing that we keep. */
static bool take_fact(struct imb *imb, const char *line, size_t length)
{
	struct word value;

	if (find_value(line, length, "#processes", &value)) {
		/* "4; rank order (rowwise):" */
		value.length -= value.length > 0 && value.text[value.length - 1] == ';';
		if (!word_whole(value, &imb->processes) || imb->processes > INT_MAX)
			imb->processes = 0;
		return true;
	}
	if (find_value(line, length, "MPI_Datatype for reductions", &value))
		imb->reduced_type = type_name(value);
	else if (find_value(line, length, "MPI_Datatype", &value))
		imb->type = type_name(value);
	else if (find_value(line, length, "MPI_Op", &value))
		imb->redop = word_is(value, "MPI_SUM") ? "sum" : "";
	else
		return false;
	return true;
}

static void take_header(struct imb *imb, const struct word *words, size_t count)
{
	imb->count = count <= MOST_COLUMNS ? count : 0;
	for (size_t i = 0; i < imb->count; i++) {
		imb->columns[i] = KIND_STRANGE;
		for (size_t k = 0; k < sizeof headings / sizeof headings[0]; k++) {
			if (word_is(words[i], headings[k].text))
				imb->columns[i] = headings[k].kind;
		}
	}
	for (size_t i = 0; i < imb->count; i++) {
		if (imb->columns[i] == KIND_STRANGE)
			imb->count = 0;
	}
}

static bool take_cell(enum kind kind, struct word word, struct cells *cells)
{
	double half;

	switch (kind) {
	case KIND_BYTES:
		return word_whole(word, &cells->bytes);
	case KIND_REPETITIONS:
		return word_whole(word, &cells->repetitions);
	case KIND_TIME:
		cells->has_time = true;
		return word_real(word, &cells->time, &cells->half);
	case KIND_MIN:
		return word_real(word, &cells->min, &half);
	case KIND_MAX:
		cells->has_range = true;
		return word_real(word, &cells->max, &cells->half);
	case KIND_AVERAGE:
		return word_real(word, &cells->average, &half);
	case KIND_DEFECTS:
		cells->has_defects = true;
		return word_real(word, &cells->defects, &half);
	case KIND_OTHER:
	case KIND_STRANGE:
		break;
	}
	return true;
}

static void fill_row(const struct imb *imb, const struct cells *cells, struct result *row)
{
	const struct benchmark *benchmark = imb->benchmark;
	const bool reduces = strstr(benchmark->collective, "reduce") != NULL;

	row->collective = benchmark->collective;
	row->backend = "mpi";
	row->algo = benchmark->ping_pong ? "ping-pong" : "";
	row->nranks = imb->processes;
	row->nnodes = imb->options->nnodes > 0 ? imb->options->nnodes : 1;
	row->type = reduces ? imb->reduced_type : imb->type;
	row->redop = reduces ? imb->redop : "";
	row->placement = RESULT_OUT_OF_PLACE;
	row->iters = cells->repetitions;
	row->time = (cells->has_range ? cells->max : cells->time) * 1e-6;
	if (cells->has_range) {
		row->rank_time_min = cells->min * 1e-6;
		row->rank_time_avg = cells->average * 1e-6;
		row->rank_time_max = cells->max * 1e-6;
	}
	/* A defect is how far off the worst element was; how many there were is not told: 1 stands for them. */
	row->wrong = cells->has_defects ? cells->defects > 0 : RESULT_NONE;
	row->flags = cells->has_defects ? "" : RESULT_FLAG_UNCHECKED;
}

/* Why a row of this benchmark cannot be used, or NULL. */
static const char *obstacle(const struct imb *imb)
{
	if (imb->processes < 1)
		return "no number of processes above this row";
	if (imb->benchmark->mean == BYTES_BY_VERSION && imb->version == 0)
		return "what #bytes of Reduce_scatter counts depends on the version (whole vector up to 2018, a rank's block "
		       "since), and no title "
		       "above says it";
	if (imb->benchmark->ping_pong && imb->processes != 2)
		return "a ping-pong of several pairs at once";
	return NULL;
}

static int put_row(struct imb *imb, const struct cells *cells, size_t line)
{
	const enum bytes_mean mean = imb->benchmark->mean;
	const bool block = mean == BYTES_BLOCK || (mean == BYTES_BY_VERSION && imb->version > LAST_OF_WHOLE);
	const struct import_digits digits = { .time = cells->half * 1e-6 };
	struct result row;

	result_clear(&row);
	fill_row(imb, cells, &row);
	if (!words_multiply(cells->bytes, block ? imb->processes : 1, &row.bytes))
		return import_skip(imb->sink, line, "a size of over 2^63 bytes");
	if (imb->benchmark->ping_pong && !imb->noted_ping_pong) {
		imb->noted_ping_pong = true;
		if (import_note(imb->sink, "PingPong: a time is half of a round trip, not the ring of sendrecv_perf") != 0)
			return -1;
	}
	if (imb->options->nranks > 0 && imb->options->nranks != imb->processes && !imb->noted_processes) {
		imb->noted_processes = true;
		if (import_note(imb->sink, "the log says how many processes ran; --nranks is not used") != 0)
			return -1;
	}
	return import_row(imb->sink, &row, &digits, line);
}

static int take_row(struct imb *imb, const struct word *words, size_t count, struct word text, size_t line)
{
	struct cells cells = { 0 };
	char shown[WORDS_SHOWN];

	if (!imb->benchmark)
		return import_skip(imb->sink, line, "%s", imb->why);
	if (imb->count == 0)
		return import_skip(imb->sink, line, "no header that is known above this row");
	if (obstacle(imb))
		return import_skip(imb->sink, line, "%s", obstacle(imb));
	/* Too little memory or time: words in place of figures. */
	if (count != imb->count)
		return import_skip(imb->sink, line, "no row as its header: '%s'", word_show(text, shown));
	for (size_t i = 0; i < count; i++) {
		if (!take_cell(imb->columns[i], words[i], &cells))
			return import_skip(imb->sink, line, "'%s' is not what its column has", word_show(words[i], shown));
	}
	if (!cells.has_time && !cells.has_range)
		return import_skip(imb->sink, line, "no column of a time");
	return put_row(imb, &cells, line);
}

static int take_line(struct imb *imb, struct word text, size_t line)
{
	struct word words[WORDS_MOST];
	size_t count = words_split(text.text, text.length, words, WORDS_MOST);
	char shown[WORDS_SHOWN];
	int64_t bytes;

	if (count == 0)
		return 0;
	if (count >= 3 && word_is(words[0], "#") && word_is(words[1], "Benchmarking")) {
		take_name(imb, words[2]);
		return 0;
	}
	if (word_is(words[0], "#bytes") || word_is(words[0], "#repetitions") || word_is(words[0], "Group")) {
		take_header(imb, words, count);
		return 0;
	}
	if (text.length > 0 && *words[0].text == '#') {
		if (words_find(text.text, text.length, "MPI Benchmark") < text.length)
			imb->version = version_of(text.text, text.length);
		else
			take_fact(imb, text.text, text.length);
		return 0;
	}
	if (count > WORDS_MOST || !word_whole(words[0], &bytes))
		return import_skip(imb->sink, line, "no row of a table: '%s'", word_show(text, shown));
	return take_row(imb, words, count, text, line);
}

static int recognise(const struct import_text *text)
{
	const char *line;
	size_t at = 0, length, number = 0;
	bool named = false;

	while (at < (256 << 10) && import_next_line(text, &at, &line, &length, &number)) {
		size_t skip = import_prefix(line, length);

		line += skip;
		length -= skip;
		if (words_start(line, length, "#") && words_find(line, length, "MPI Benchmark") < length &&
		    words_find(line, length, " part") < length)
			return 95;
		named = named || words_start(line, length, "# Benchmarking ");
		if (named && words_find(line, length, "#bytes #repetitions") < length)
			return 90;
	}
	return 0;
}

static int read_imb(const struct import_text *text, const struct import_options *options, struct import_sink *sink)
{
	struct imb imb = { .options = options, .sink = sink, .type = "", .reduced_type = "", .redop = "" };
	const char *line;
	size_t at = 0, length, number = 0;

	snprintf(imb.why, sizeof imb.why, "no benchmark's name above this row");
	while (import_next_line(text, &at, &line, &length, &number)) {
		size_t skip = import_prefix(line, length);

		if (length > IMPORT_MOST_LINE ? import_skip(sink, number, "a line of over 1 MiB")
					      : take_line(&imb, (struct word){ line + skip, length - skip }, number))
			return -1;
	}
	return 0;
}

const struct import_format import_imb = { "imb", "Intel MPI Benchmarks, the MPI-1 part", recognise, read_imb };
