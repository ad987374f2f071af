/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns are taken from the header as found, as every version has others; a row must fill them exactly, but for a blank operation.
 */
#include <math.h>
#include <string.h>

#include "nccl_text.h"

enum { MOST_CELL = 64, BLANK_PLACEMENT = 28 };

static const char *const names[NCCL_KINDS] = {
	[NCCL_SIZE] = "size",   [NCCL_COUNT] = "count",         [NCCL_TYPE] = "type",       [NCCL_REDOP] = "redop",
	[NCCL_ROOT] = "root",   [NCCL_TIME] = "time",           [NCCL_CPUTIME] = "cputime", [NCCL_ALGBW] = "algbw",
	[NCCL_BUSBW] = "busbw", [NCCL_WRONG] = "#wrong",        [NCCL_ERROR] = "error",     [NCCL_MIN] = "i_min",
	[NCCL_MAX] = "i_max",   [NCCL_P99] = "i_p99",           [NCCL_CV] = "i_cv%",        [NCCL_GROUP] = "group",
	[NCCL_OTHER] = "",      [NCCL_TIMESTAMP] = "timestamp",
};

static enum nccl_kind kind_of(struct word word)
{
	for (int kind = 0; kind < NCCL_KINDS; kind++)
		if (word_is(word, names[kind]))
			return (enum nccl_kind)kind;
	return NCCL_OTHER;
}

bool nccl_layout_read(struct nccl_layout *layout, const char *line, size_t length)
{
	struct word words[NCCL_MOST_COLUMNS + 1];
	size_t n = words_split(line, length, words, NCCL_MOST_COLUMNS + 1);
	struct nccl_layout found = { .placement = { -1, -1 } };
	size_t seen[NCCL_KINDS] = { 0 };

	if (n > NCCL_MOST_COLUMNS || n < 4 || !word_is(words[0], "#") || !word_is(words[1], "size"))
		return false;
	for (size_t i = 1; i < n; i++) {
		enum nccl_kind kind = kind_of(words[i]);

		if (kind == NCCL_TIME || kind == NCCL_CPUTIME) {
			if (found.nsets == 2)
				return false;
			found.starts[found.nsets++] = found.count;
		}
		seen[kind]++;
		found.kinds[found.count++] = kind;
	}
	for (int kind = NCCL_SIZE; kind <= NCCL_TYPE; kind++)
		if (seen[kind] != 1)
			return false;
	if (found.nsets == 0 || seen[NCCL_ALGBW] != found.nsets || seen[NCCL_BUSBW] != found.nsets)
		return false;
	*layout = found;
	return true;
}

/* "N/A", or a figure that did not come out. */
static bool is_no_number(struct word word)
{
	static const char *const texts[] = { "N/A", "n/a", "nan", "-nan", "inf", "-inf" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (word_is(word, texts[i]))
			return true;
	return false;
}

static bool is_figure(struct word word)
{
	double value;
	double half;

	return is_no_number(word) || word_real(word, &value, &half);
}

static bool is_name(struct word word)
{
	return word.length < MOST_CELL && !is_no_number(word) &&
	       ((word.text[0] >= 'a' && word.text[0] <= 'z') || (word.text[0] >= 'A' && word.text[0] <= 'Z'));
}

static bool is_whole(struct word word, int64_t *value)
{
	bool minus = word.length > 1 && word.text[0] == '-';

	if (!word_whole((struct word){ word.text + minus, word.length - minus }, value))
		return false;
	*value = minus ? -*value : *value;
	return true;
}

/* "2025-06-07T08:09:10.123Z" is one word, "2025-06-07 08:09:10" are two. */
static size_t timestamp_words(const struct word *words, size_t n)
{
	if (n >= 2 && words[0].length == 10 && words[0].text[4] == '-' && words[1].length >= 8 && words[1].text[2] == ':')
		return 2;
	return n >= 1 && words[0].length < MOST_CELL ? 1 : 0;
}

/* How many words the next column takes, -1 when the next word cannot be its. */
static int column_width(enum nccl_kind kind, const struct word *words, size_t n)
{
	int64_t whole;

	if (kind == NCCL_REDOP)
		return n > 0 && is_name(words[0]);
	if (n == 0)
		return -1;
	switch (kind) {
	case NCCL_SIZE:
	case NCCL_COUNT:
		return word_whole(words[0], &whole) ? 1 : -1;
	case NCCL_TYPE:
		return is_name(words[0]) ? 1 : -1;
	case NCCL_ROOT:
		return is_whole(words[0], &whole) ? 1 : -1;
	case NCCL_TIMESTAMP:
		n = timestamp_words(words, n);
		return n > 0 ? (int)n : -1;
	case NCCL_GROUP:
	case NCCL_OTHER:
		return words[0].length < MOST_CELL ? 1 : -1;
	default:
		return is_figure(words[0]) ? 1 : -1;
	}
}

/* The first word of each column; length 0 where it is blank. Columns from *filled on have none. */
static bool match(const struct nccl_layout *layout, const struct word *words, size_t n, struct word *cells, size_t *filled)
{
	size_t at = 0;

	for (size_t i = 0; i < layout->count; i++) {
		int width;

		if (at == n && i == layout->starts[1] && layout->nsets == 2) {
			*filled = i;
			return true;
		}
		width = column_width(layout->kinds[i], words + at, n - at);
		if (width < 0)
			return false;
		cells[i] = width ? words[at] : (struct word){ NULL, 0 };
		at += (size_t)width;
	}
	*filled = layout->count;
	return at == n;
}

static double number(struct word word, double scale, double *half)
{
	double value;
	double digits = 0;

	if (!word_real(word, &value, &digits))
		return NAN;
	if (half)
		*half = digits * scale;
	return value * scale;
}

/* False: no number of wrong elements. */
static bool take_wrong(struct nccl_figures *figures, enum nccl_kind kind, struct word word)
{
	double value = number(word, 1, NULL);

	figures->unchecked = word_is(word, "N/A") || word_is(word, "n/a");
	if (figures->unchecked)
		return true;
	if (kind == NCCL_ERROR) {
		figures->inexact = !(value <= 0);
		figures->wrong = figures->inexact ? RESULT_NONE : 0;
		return true;
	}
	if (!(value < 9e18))
		return false;
	figures->wrong = (int64_t)value;
	return true;
}

static bool take_figure(struct nccl_figures *figures, enum nccl_kind kind, struct word word)
{
	switch (kind) {
	case NCCL_TIME:
	case NCCL_CPUTIME:
		figures->there = !word_is(word, "N/A") && !word_is(word, "n/a");
		figures->time = number(word, 1e-6, &figures->digits.time);
		return true;
	case NCCL_ALGBW:
		figures->algbw = number(word, 1e9, &figures->digits.algbw);
		return true;
	case NCCL_BUSBW:
		figures->busbw = number(word, 1e9, &figures->digits.busbw);
		return true;
	case NCCL_MIN:
		figures->min = number(word, 1e-6, NULL);
		return true;
	case NCCL_MAX:
		figures->max = number(word, 1e-6, NULL);
		return true;
	case NCCL_P99:
		figures->p99 = number(word, 1e-6, NULL);
		return true;
	case NCCL_WRONG:
	case NCCL_ERROR:
		return take_wrong(figures, kind, word);
	default:
		return true;
	}
}

/* The pool's copy; NULL when memory is out. */
static const char *kept(struct pool *pool, struct word word)
{
	char text[MOST_CELL];

	memcpy(text, word.length ? word.text : "", word.length);
	text[word.length] = '\0';
	return pool_text(pool, text);
}

static bool take_head(const struct nccl_reader *reader, const struct word *cells, size_t filled, struct nccl_row *row)
{
	row->type = row->redop = row->group = row->timestamp = "";
	row->root = RESULT_NONE;
	row->redop_blank = true;
	row->has_redop = row->has_root = false;
	for (size_t i = 0; i < filled; i++) {
		const char **text = NULL;

		switch (reader->layout.kinds[i]) {
		case NCCL_SIZE:
			word_whole(cells[i], &row->size);
			break;
		case NCCL_COUNT:
			word_whole(cells[i], &row->count);
			break;
		case NCCL_ROOT:
			is_whole(cells[i], &row->root);
			row->has_root = true;
			break;
		case NCCL_TYPE:
			text = &row->type;
			break;
		case NCCL_REDOP:
			row->has_redop = true;
			row->redop_blank = cells[i].length == 0 || word_is(cells[i], "none");
			text = row->redop_blank ? NULL : &row->redop;
			break;
		case NCCL_GROUP:
			text = &row->group;
			break;
		case NCCL_TIMESTAMP:
			text = &row->timestamp;
			break;
		default:
			break;
		}
		if (text && !(*text = kept(reader->pool, cells[i])))
			return false;
	}
	return true;
}

/* Of which placement set `set` is; a line with figures for one of two has a gap where the first would be. */
static int placement_of(const struct nccl_layout *layout, size_t set, const struct word *cells, bool half)
{
	size_t start = layout->starts[0];
	const char *before;

	if (!half)
		return layout->placement[set];
	while (start > 0 && cells[start - 1].length == 0)
		start--;
	before = start > 0 ? cells[start - 1].text + cells[start - 1].length : cells[layout->starts[0]].text;
	return layout->placement[cells[layout->starts[0]].text - before >= BLANK_PLACEMENT];
}

static const char *take_figures(const struct nccl_layout *layout, const struct word *cells, size_t filled, struct nccl_row *row)
{
	bool half = filled < layout->count;

	for (size_t set = 0; set < (half ? 1 : layout->nsets); set++) {
		size_t end = set + 1 < layout->nsets ? layout->starts[set + 1] : layout->count;
		struct nccl_figures figures = {
			.time = NAN,
			.algbw = NAN,
			.busbw = NAN,
			.min = NAN,
			.max = NAN,
			.p99 = NAN,
			.wrong = RESULT_NONE,
			.unchecked = true,
		};
		int placement = placement_of(layout, set, cells, half);

		if (placement < 0)
			return "its header does not say whether it is out of place or in place";
		row->cputime |= layout->kinds[layout->starts[set]] == NCCL_CPUTIME;
		for (size_t i = layout->starts[set]; i < end; i++)
			if (!take_figure(&figures, layout->kinds[i], cells[i]))
				return "its #wrong is no number";
		row->figures[placement] = figures;
	}
	return NULL;
}

enum nccl_parse nccl_row_parse(const struct nccl_reader *reader, const char *line, size_t length, struct nccl_row *row,
			       const char **why)
{
	struct word words[IMPORT_MOST_FIELDS];
	struct word cells[NCCL_MOST_COLUMNS] = { { NULL, 0 } };
	size_t n = words_split(line, length, words, IMPORT_MOST_FIELDS);
	size_t filled;
	int64_t whole;

	*why = "its columns are not those of the header";
	if (n < 2 || !word_whole(words[0], &whole) || !word_whole(words[1], &whole))
		return NCCL_NO_ROW;
	if (n > IMPORT_MOST_FIELDS)
		return NCCL_BAD_ROW;
	if (reader->layout.count == 0) {
		*why = "no header above it says what its columns are";
		return n > 6 && is_name(words[2]) ? NCCL_BAD_ROW : NCCL_NO_ROW;
	}
	if (!match(&reader->layout, words, n, cells, &filled))
		return NCCL_BAD_ROW;
	*row = (struct nccl_row){ .line = 0 };
	*why = take_figures(&reader->layout, cells, filled, row);
	if (*why)
		return NCCL_BAD_ROW;
	if (!take_head(reader, cells, filled, row)) {
		*why = "memory is out";
		return NCCL_BAD_ROW;
	}
	return filled < reader->layout.count ? NCCL_HALF_ROW : NCCL_FULL_ROW;
}
