/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines that begin with '#': which program, how it was called, its ranks, what the columns are, how it ended.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nccl_text.h"

enum { MOST_WORDS = 40, MOST_HOST = 256 };

/* The words of a line that matter: its first ones. */
struct comment {
	const char *line;
	size_t length;
	size_t number;
	struct word words[MOST_WORDS];
	size_t count;
};

static bool starts(const struct comment *comment, const char *text)
{
	size_t skip = 1;

	while (skip < comment->length && comment->line[skip] == ' ')
		skip++;
	return words_start(comment->line + skip, comment->length - skip, text);
}

/* The word behind the words `text`, or one of length 0. */
static struct word after(const struct comment *comment, const char *text)
{
	for (size_t i = 1; i + 1 < comment->count; i++)
		if (word_is(comment->words[i], text))
			return comment->words[i + 1];
	return (struct word){ "", 0 };
}

static void copy(struct word word, char *text, size_t size)
{
	snprintf(text, size, "%.*s", (int)(word.length < size ? word.length : size - 1), word.length ? word.text : "");
}

/* "all_reduce_perf", "all_reduce_perf_mpi", "./build/all_reduce_perf": the primitive's name. False when it is none. */
static bool program_name(struct word program, char *name, size_t size)
{
	const char *slash = memrchr(program.text, '/', program.length);
	size_t length;

	if (slash) {
		program.length -= (size_t)(slash + 1 - program.text);
		program.text = slash + 1;
	}
	length = words_find(program.text, program.length, "_perf");
	if (length == 0 || length == program.length || length >= size)
		return false;
	copy((struct word){ program.text, length }, name, size);
	return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

static int starting(struct nccl_reader *reader, const struct comment *comment)
{
	char name[sizeof(reader->section.collective)];

	if (nccl_section_begin(reader) != 0)
		return -1;
	if (program_name(after(comment, "starting:"), name, sizeof(name)))
		strcpy(reader->section.collective, name);
	return 0;
}

static int concluded(struct nccl_reader *reader, const struct comment *comment)
{
	struct nccl_section *section = &reader->section;
	char name[sizeof(section->collective)];

	if (program_name(after(comment, "concluded:"), name, sizeof(name))) {
		if (!*section->collective)
			strcpy(section->collective, name);
		else if (strcmp(section->collective, name) != 0)
			strcpy(section->other, name);
	}
	if (nccl_flush(reader) != 0)
		return -1;
	section->concluded = true;
	return 0;
}

static int64_t number_of(struct word word)
{
	int64_t value = RESULT_NONE;

	return word_whole(word, &value) ? value : RESULT_NONE;
}

/* "nThread 1 nGpus 8 minBytes 8 ... warmup iters: 1 iters: 20 agg iters: 1 validation: 1" */
static int called(struct nccl_reader *reader, const struct comment *comment)
{
	struct nccl_section *section = &reader->section;

	if (nccl_section_begin(reader) != 0)
		return -1;
	section->nthreads = number_of(after(comment, "nThread"));
	section->ngpus = number_of(after(comment, "nGpus"));
	for (size_t i = 1; i + 1 < comment->count; i++) {
		if (!word_is(comment->words[i], "iters:") || word_is(comment->words[i - 1], "warmup"))
			continue;
		if (word_is(comment->words[i - 1], "agg"))
			section->agg_iters = number_of(comment->words[i + 1]);
		else
			section->iters = number_of(comment->words[i + 1]);
	}
	return 0;
}

/* 22809 is 2.28.9, 2708 is 2.7.8. */
static void library_by_number(struct nccl_section *section, struct word word)
{
	int64_t code = number_of(word);

	if (code < 1000 || code > 999999)
		return;
	if (code < 10000)
		snprintf(section->library, sizeof(section->library), "NCCL %" PRId64 ".%" PRId64 ".%" PRId64, code / 1000,
			 code / 100 % 10, code % 100);
	else
		snprintf(section->library, sizeof(section->library), "NCCL %" PRId64 ".%" PRId64 ".%" PRId64, code / 10000,
			 code / 100 % 100, code % 100);
}

/* "nccl-tests version 2.17.9 nccl-headers=22809 nccl-library=22809", "collperf version 0.1.0 headers=MPI 4.0 library=MPICH 4.0.2" */
static int version(struct nccl_reader *reader, const struct comment *comment)
{
	static const char ours[] = " library=", theirs[] = "nccl-library=";
	struct nccl_section *section = &reader->section;
	size_t at = words_find(comment->line, comment->length, theirs);

	if (nccl_section_begin(reader) != 0)
		return -1;
	section->ours = word_is(comment->words[1], "collperf");
	if (at < comment->length) {
		struct word word;

		at += strlen(theirs);
		if (words_split(comment->line + at, comment->length - at, &word, 1) > 0)
			library_by_number(section, word);
		return 0;
	}
	at = words_find(comment->line, comment->length, ours);
	if (section->ours && at < comment->length) {
		at += strlen(ours);
		copy((struct word){ comment->line + at, comment->length - at }, section->library, sizeof(section->library));
	}
	return 0;
}

void nccl_version_line(struct nccl_reader *reader, const char *line, size_t length)
{
	static const char text[] = "CCL version ";
	size_t at = words_find(line, length, text);
	struct nccl_section *section = &reader->section;
	struct word word;

	if (at == length || at == 0 || (line[at - 1] != 'N' && line[at - 1] != 'R'))
		return;
	at += strlen(text);
	if (words_split(line + at, length - at, &word, 1) == 0 || word.length > 60 || word.text[0] < '0' || word.text[0] > '9')
		return;
	snprintf(section->library, sizeof(section->library), "%cCCL %.*s", line[at - strlen(text) - 1], (int)word.length,
		 word.text);
}

void nccl_ranks_restart(struct nccl_ranks *ranks)
{
	ranks->generation++;
	ranks->count = 0;
	ranks->max = -1;
	ranks->last_host = NULL;
}

static int make_room(struct nccl_ranks *ranks, size_t number)
{
	size_t room = 2 * number + 16;
	struct nccl_rank *items;

	if (number < ranks->room)
		return 0;
	items = realloc(ranks->items, room * sizeof(*items));
	if (!items) {
		fputs("collperf import: out of memory\n", stderr);
		return -1;
	}
	memset(items + ranks->room, 0, (room - ranks->room) * sizeof(*items));
	ranks->items = items;
	ranks->room = room;
	return 0;
}

/* "Rank  0 Group  0 Pid  1234 on node7 device  0 [0000:0f:00] NAME"; old versions have no Group. */
static int rank_line(struct nccl_reader *reader, const struct comment *comment)
{
	struct nccl_ranks *ranks = &reader->section.ranks;
	int64_t number = number_of(after(comment, "Rank"));
	int64_t group = number_of(after(comment, "Group"));
	int64_t pid = number_of(after(comment, "Pid"));
	struct word host = after(comment, "on");
	struct nccl_rank *rank;
	char name[MOST_HOST];

	if (number < 0 || number >= NCCL_MOST_RANKS || pid < 0 || host.length == 0 || number_of(after(comment, "device")) < 0)
		return import_skip(reader->sink, comment->number, "a rank's line that is not whole");
	if (make_room(ranks, (size_t)number) != 0)
		return -1;
	copy(host, name, sizeof(name));
	rank = &ranks->items[number];
	if (rank->generation == ranks->generation && (rank->pid != pid || strcmp(rank->host, name) != 0))
		nccl_ranks_restart(ranks);
	if (rank->generation != ranks->generation)
		ranks->count++;
	*rank = (struct nccl_rank){ ranks->generation, group < 0 ? 0 : group, pid, pool_text(reader->pool, name) };
	if (number > ranks->max)
		ranks->max = number;
	if (!rank->host)
		fputs("collperf import: out of memory\n", stderr);
	return rank->host ? 0 : -1;
}

static bool ends_with(const char *text, size_t length, const char *name)
{
	size_t n = strlen(name);

	return n <= length && memcmp(text + length - n, name, n) == 0;
}

size_t nccl_host_at_end(struct nccl_ranks *ranks, const char *text, size_t length)
{
	size_t longest = 0;

	if (ranks->last_host && strlen(ranks->last_host) == length && ends_with(text, length, ranks->last_host))
		return length;
	for (size_t i = 0; i < ranks->room && (int64_t)i <= ranks->max; i++) {
		const struct nccl_rank *rank = &ranks->items[i];

		if (rank->generation != ranks->generation || !ends_with(text, length, rank->host) ||
		    strlen(rank->host) <= longest)
			continue;
		longest = strlen(rank->host);
		ranks->last_host = rank->host;
	}
	return longest;
}

/* "Out of bounds values : 0 OK", or "N/A not checked" */
static int footer(struct nccl_reader *reader, const struct comment *comment)
{
	struct word verdict = comment->words[comment->count - 1];

	reader->in_table = false;
	if (word_is(verdict, "OK") || word_is(verdict, "FAILED") || word_is(verdict, "checked"))
		reader->section.footers++;
	if (word_is(verdict, "FAILED")) {
		reader->section.failed_footers++;
		import_wrong(reader->sink);
	}
	return 0;
}

/* "out-of-place ... in-place": which placements, in the order of their columns. */
static void placements(struct nccl_reader *reader, const struct comment *comment)
{
	reader->nplacements = 0;
	for (size_t i = 1; i < comment->count && reader->nplacements < 2; i++) {
		if (word_is(comment->words[i], RESULT_OUT_OF_PLACE))
			reader->placement[reader->nplacements++] = 0;
		else if (word_is(comment->words[i], RESULT_IN_PLACE))
			reader->placement[reader->nplacements++] = 1;
	}
}

static void table_header(struct nccl_reader *reader, size_t number)
{
	struct nccl_layout *layout = &reader->layout;

	for (size_t set = 0; set < layout->nsets && layout->nsets == reader->nplacements; set++)
		layout->placement[set] = reader->placement[set];
	/* All versions have out of place first. */
	if (layout->nsets == 2 && (layout->placement[0] < 0 || layout->placement[0] == layout->placement[1])) {
		layout->placement[0] = 0;
		layout->placement[1] = 1;
	}
	reader->nplacements = 0;
	reader->in_table = true;
	reader->section.header_line = number;
	if (reader->section.concluded && reader->section.nrows == 0)
		*reader->section.collective = *reader->section.other = '\0';
}

int nccl_comment(struct nccl_reader *reader, const char *line, size_t length, size_t number)
{
	struct comment comment = { .line = line, .length = length, .number = number };

	comment.count = words_split(line, length, comment.words, MOST_WORDS);
	if (comment.count > MOST_WORDS)
		comment.count = MOST_WORDS;
	if (comment.count < 2)
		return 0;
	if (nccl_layout_read(&reader->layout, line, length))
		table_header(reader, number);
	else if (starts(&comment, "Rank "))
		return rank_line(reader, &comment);
	else if (starts(&comment, "Collective test starting:"))
		return starting(reader, &comment);
	else if (starts(&comment, "Collective test concluded:"))
		return concluded(reader, &comment);
	else if (starts(&comment, "nThread "))
		return called(reader, &comment);
	else if (starts(&comment, "nccl-tests version ") || starts(&comment, "rccl-tests version ") ||
		 starts(&comment, "collperf version "))
		return version(reader, &comment);
	else if (starts(&comment, "Using devices"))
		return nccl_section_begin(reader);
	else if (starts(&comment, "Out of bounds values"))
		return footer(reader, &comment);
	else
		placements(reader, &comment);
	return 0;
}
