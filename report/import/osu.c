/* SPDX-License-Identifier: Apache-2.0
 *
 * OSU micro-benchmarks: the latency tests of collectives, and the ping-pong. Every rank times each call by itself, a barrier behind each; a row has the
 * mean over calls, averaged over ranks, and with -f also of the fastest and the slowest rank: that one is a row's time here. What Size counts differs
 * from call to call, see the table. Windowed bandwidths are no times of a call and are not imported.
 */
#include "import.h"

#include <stdio.h>
#include <string.h>

#include "words.h"

enum { MOST_COLUMNS = 16, MOST_TITLE = 96 };

enum size_means {
	SIZE_WHOLE, /* our size: the vector of a rank */
	SIZE_BLOCK, /* what a rank has for one peer, or gives: our size is that of all ranks */
};

static const struct test {
	const char *title; /* between the backend's word and "Latency Test" */
	const char *collective;
	enum size_means means;
	bool redop;     /* always a sum */
	bool any_rank;  /* NCCL's variant is known to count Size the same way */
	bool ping_pong; /* between two ranks, half of a round trip */
} tests[] = {
	{ "Allreduce", "all_reduce", SIZE_WHOLE, true, true, false },
	{ "Reduce", "reduce", SIZE_WHOLE, true, true, false },
	{ "Broadcast", "broadcast", SIZE_WHOLE, false, true, false },
	/* Its send buffer has Size bytes, which are split among the ranks as evenly as elements allow. */
	{ "Reduce_scatter", "reduce_scatter", SIZE_WHOLE, true, false, false },
	{ "Allgather", "all_gather", SIZE_BLOCK, false, false, false },
	{ "All-to-All Personalized Exchange", "alltoall", SIZE_BLOCK, false, false, false },
	{ "Gather", "gather", SIZE_BLOCK, false, false, false },
	{ "Scatter", "scatter", SIZE_BLOCK, false, false, false },
	{ "", "sendrecv", SIZE_WHOLE, false, false, true },
};

enum kind { KIND_OTHER, KIND_SIZE, KIND_AVERAGE, KIND_MIN, KIND_MAX, KIND_ITERS, KIND_VALIDATION };

static const struct heading {
	const char *text;
	enum kind kind;
} headings[] = {
	{ "Size", KIND_SIZE },
	{ "Avg Latency(us)", KIND_AVERAGE },
	{ "Avg Lat(us)", KIND_AVERAGE },
	{ "Latency (us)", KIND_AVERAGE },
	{ "Latency(us)", KIND_AVERAGE },
	{ "Min Latency(us)", KIND_MIN },
	{ "Min Lat(us)", KIND_MIN },
	{ "Max Latency(us)", KIND_MAX },
	{ "Max Lat(us)", KIND_MAX },
	{ "Iterations", KIND_ITERS },
	{ "Validation", KIND_VALIDATION },
	{ "P50 Tail Lat(us)", KIND_OTHER },
	{ "P90 Tail Lat(us)", KIND_OTHER },
	{ "P95 Tail Lat(us)", KIND_OTHER },
	{ "P99 Tail Lat(us)", KIND_OTHER },
	{ "Overall(us)", KIND_OTHER },
	{ "Compute(us)", KIND_OTHER },
	{ "Pure Comm.(us)", KIND_OTHER },
	{ "Overlap(%)", KIND_OTHER },
};

static const struct type {
	const char *mpi, *name;
} types[] = {
	{ "MPI_CHAR", "int8" },
	{ "MPI_INT", "int32" },
	{ "MPI_FLOAT", "float" },
	{ "MPI_DOUBLE", "double" },
};

struct osu {
	const struct import_options *options;
	struct import_sink *sink;
	const struct test *test; /* NULL: rows below are skipped, for `why` */
	char why[192];
	bool nccl;
	const char *type;
	enum kind columns[MOST_COLUMNS];
	size_t count; /* of columns; 0: no header seen since the title */
	bool noted_average, noted_ping_pong, noted_wrong;
};

struct cells {
	int64_t size, iters;
	double average, min, max;
	bool has_average, has_min, has_max, has_iters, validated, wrong;
	double half; /* of the headline */
};

/* Without '#' and blanks at the start, and blanks at the end: some logs lost the '#'. */
static struct word bare(const char *line, size_t length)
{
	while (length > 0 && strchr("# \t", *line) && *line) {
		line++;
		length--;
	}
	while (length > 0 && strchr(" \t\r", line[length - 1]) && line[length - 1])
		length--;
	return (struct word){ line, length };
}

/* "OSU MPI-CUDA Allreduce Latency Test v7.5" -> backend "MPI-CUDA", name "Allreduce Latency". */
static bool split_title(struct word line, struct word *backend, struct word *name)
{
	size_t end = words_find(line.text, line.length, " Test"), at = strlen("OSU ");

	if (!words_start(line.text, line.length, "OSU ") || end == line.length || end < at)
		return false;
	backend->text = line.text + at;
	while (at < end && line.text[at] != ' ')
		at++;
	backend->length = (size_t)(line.text + at - backend->text);
	*name = (struct word){ line.text + at, end - at };
	if (name->length > 0) {
		name->text++;
		name->length--;
	}
	return words_start(backend->text, backend->length, "MPI") || words_start(backend->text, backend->length, "NCCL") ||
	       words_start(backend->text, backend->length, "RCCL");
}

static const struct test *find_test(struct word name)
{
	static const char latency[] = "Latency";
	const size_t tail = sizeof latency - 1;

	if (name.length < tail || memcmp(name.text + name.length - tail, latency, tail) != 0)
		return NULL;
	name.length -= tail;
	if (name.length > 0)
		name.length--;
	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
		if (word_is(name, tests[i].title))
			return &tests[i];
	}
	return NULL;
}

static void take_title(struct osu *osu, struct word backend, struct word name)
{
	char shown[WORDS_SHOWN];

	osu->nccl = !words_start(backend.text, backend.length, "MPI");
	osu->test = find_test(name);
	osu->type = "";
	osu->count = 0;
	if (!osu->test)
		snprintf(osu->why, sizeof osu->why, "OSU's \"%s\" test does not time a call that is known here",
			 word_show(name, shown));
	if (osu->test && osu->nccl && !osu->test->any_rank) {
		snprintf(osu->why, sizeof osu->why, "what Size counts in OSU's NCCL test of %s is not known",
			 osu->test->collective);
		osu->test = NULL;
	}
}

static void take_type(struct osu *osu, struct word line)
{
	struct word name = { line.text + strlen("Datatype: "), line.length - strlen("Datatype: ") };

	if (name.length > 0 && name.text[name.length - 1] == '.')
		name.length--;
	osu->type = "";
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		if (word_is(name, types[i].mpi))
			osu->type = types[i].name;
	}
}

/* False when a heading is not known. */
static bool take_header(struct osu *osu, struct word line)
{
	osu->count = 0;
	while (line.length > 0) {
		const struct heading *heading = NULL;

		for (size_t i = 0; i < sizeof headings / sizeof headings[0] && !heading; i++) {
			if (words_start(line.text, line.length, headings[i].text))
				heading = &headings[i];
		}
		if (!heading || osu->count == MOST_COLUMNS) {
			osu->count = 0;
			return false;
		}
		osu->columns[osu->count++] = heading->kind;
		line = bare(line.text + strlen(heading->text), line.length - strlen(heading->text));
	}
	return true;
}

static bool take_cell(enum kind kind, struct word word, struct cells *cells)
{
	double half;

	switch (kind) {
	case KIND_SIZE:
		return word_whole(word, &cells->size);
	case KIND_AVERAGE:
		cells->has_average = true;
		return word_real(word, &cells->average, cells->has_max ? &half : &cells->half);
	case KIND_MIN:
		cells->has_min = true;
		return word_real(word, &cells->min, &half);
	case KIND_MAX:
		cells->has_max = true;
		return word_real(word, &cells->max, &cells->half);
	case KIND_ITERS:
		cells->has_iters = true;
		return word_whole(word, &cells->iters);
	case KIND_VALIDATION:
		cells->validated = true;
		cells->wrong = !word_is_like(word, "Pass");
		return word_is_like(word, "Pass") || word_is_like(word, "Fail");
	case KIND_OTHER:
		break;
	}
	return true;
}

static void fill_row(const struct osu *osu, const struct cells *cells, int64_t nranks, struct result *row)
{
	const struct test *test = osu->test;

	row->collective = test->collective;
	row->backend = osu->nccl ? "nccl" : "mpi";
	row->algo = test->ping_pong ? "ping-pong" : "";
	row->nranks = nranks;
	row->nnodes = osu->options->nnodes > 0 ? osu->options->nnodes : 1;
	row->type = osu->type;
	row->redop = test->redop ? "sum" : "";
	row->placement = RESULT_OUT_OF_PLACE;
	row->timing = test->ping_pong ? "loop" : "sync";
	row->sync = test->ping_pong ? "" : "barrier";
	row->iters = cells->has_iters ? cells->iters : RESULT_NONE;
	row->time = (cells->has_max ? cells->max : cells->average) * 1e-6;
	if (!test->ping_pong) {
		row->rank_time_min = cells->has_min ? cells->min * 1e-6 : NAN;
		row->rank_time_avg = cells->has_average ? cells->average * 1e-6 : NAN;
		row->rank_time_max = cells->has_max ? cells->max * 1e-6 : NAN;
	}
	/* How many elements were wrong is not told: 1 stands for them. */
	row->wrong = cells->validated ? cells->wrong : RESULT_NONE;
	row->flags = cells->validated ? "" : RESULT_FLAG_UNCHECKED;
}

static int note_once(struct osu *osu, const struct cells *cells)
{
	if (osu->test->ping_pong && !osu->noted_ping_pong) {
		osu->noted_ping_pong = true;
		return import_note(osu->sink,
				   "ping-pong between two ranks: a time is half of a round trip, not the ring of sendrecv_perf");
	}
	if (!osu->test->ping_pong && !cells->has_max && !osu->noted_average) {
		osu->noted_average = true;
		return import_note(osu->sink,
				   "no times of the slowest rank (-f): averages over ranks stand for them, which is too little "
				   "where ranks leave early");
	}
	return 0;
}

static int note_wrong(struct osu *osu, const struct cells *cells)
{
	if (!cells->wrong || osu->noted_wrong)
		return 0;
	osu->noted_wrong = true;
	return import_note(osu->sink, "how many elements of a failed validation were wrong is not in the log; 1 stands for them");
}

static int put_row(struct osu *osu, const struct cells *cells, size_t line)
{
	const int64_t nranks = osu->test->ping_pong ? 2 : osu->options->nranks;
	const struct import_digits digits = { .time = cells->half * 1e-6 };
	struct result row;

	if (nranks < 1)
		return import_skip(osu->sink, line, "how many ranks ran is not in the log: --nranks is needed");
	result_clear(&row);
	fill_row(osu, cells, nranks, &row);
	if (!words_multiply(cells->size, osu->test->means == SIZE_BLOCK ? nranks : 1, &row.bytes))
		return import_skip(osu->sink, line, "a size of over 2^63 bytes");
	if (note_once(osu, cells) != 0 || note_wrong(osu, cells) != 0)
		return -1;
	return import_row(osu->sink, &row, &digits, line);
}

/* Not the least, the mean and the most of anything. */
static bool is_disordered(const struct cells *cells)
{
	return (cells->has_max && cells->has_average && cells->max < cells->average) ||
	       (cells->has_min && cells->has_average && cells->average < cells->min) ||
	       (cells->has_min && cells->has_max && cells->max < cells->min);
}

static int take_row(struct osu *osu, const struct word *words, size_t count, size_t line)
{
	struct cells cells = { 0 };
	char shown[WORDS_SHOWN];

	if (count != osu->count)
		return import_skip(osu->sink, line, "%zu fields, the header has %zu", count, osu->count);
	for (size_t i = 0; i < count; i++) {
		if (!take_cell(osu->columns[i], words[i], &cells))
			return import_skip(osu->sink, line, "'%s' is not what its column has", word_show(words[i], shown));
	}
	if (!cells.has_average && !cells.has_max)
		return import_skip(osu->sink, line, "no column of a time");
	if (is_disordered(&cells))
		return import_skip(osu->sink, line, "its least, average and largest time are not in this order");
	return put_row(osu, &cells, line);
}

static int take_other(struct osu *osu, const char *text, size_t length, size_t line)
{
	struct word words[WORDS_MOST];
	size_t count = words_split(text, length, words, WORDS_MOST);
	char shown[WORDS_SHOWN];
	int64_t size;

	if (count == 0 || *words[0].text == '#')
		return 0;
	if (words_find(text, length, "DATA VALIDATION ERROR") < length)
		import_wrong(osu->sink);
	if (count > WORDS_MOST || !word_whole(words[0], &size))
		return import_skip(osu->sink, line, "no row of a table: '%s'", word_show((struct word){ text, length }, shown));
	if (!osu->test)
		return import_skip(osu->sink, line, "%s", osu->why);
	if (osu->count == 0)
		return import_skip(osu->sink, line, "no header that is known above this row");
	return take_row(osu, words, count, line);
}

static int take_line(struct osu *osu, const char *text, size_t length, size_t line)
{
	struct word rest = bare(text, length), backend, name;
	char shown[WORDS_SHOWN];

	if (split_title(rest, &backend, &name)) {
		take_title(osu, backend, name);
		return 0;
	}
	if (words_start(rest.text, rest.length, "Datatype: ")) {
		take_type(osu, rest);
		return 0;
	}
	if (words_start(rest.text, rest.length, "Size ") || words_start(rest.text, rest.length, "Size\t"))
		return !osu->test || take_header(osu, rest)
			       ? 0
			       : import_skip(osu->sink, line, "a heading that is not known: '%s'", word_show(rest, shown));
	return take_other(osu, text, length, line);
}

static int recognise(const struct import_text *text)
{
	const char *line;
	size_t at = 0, length, number = 0;
	struct word backend, name;

	while (at < (256 << 10) && import_next_line(text, &at, &line, &length, &number)) {
		size_t skip = import_prefix(line, length);

		if (split_title(bare(line + skip, length - skip), &backend, &name))
			return 95;
	}
	return 0;
}

static int read_osu(const struct import_text *text, const struct import_options *options, struct import_sink *sink)
{
	struct osu osu = { .options = options, .sink = sink, .type = "", .why = "no title of a test above this row" };
	const char *line;
	size_t at = 0, length, number = 0;

	while (import_next_line(text, &at, &line, &length, &number)) {
		size_t skip = import_prefix(line, length);

		if (length > IMPORT_MOST_LINE ? import_skip(sink, number, "a line of over 1 MiB")
					      : take_line(&osu, line + skip, length - skip, number))
			return -1;
	}
	return 0;
}

const struct import_format import_osu = { "osu", "latency tests of the OSU micro-benchmarks", recognise, read_osu };
