/* SPDX-License-Identifier: Apache-2.0
 *
 * Sentences.
 */
#include "pair_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *format, ...)
{
	const size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, size - used, format, args);
	va_end(args);
}

const char *pair_words_size(int64_t bytes, char text[24])
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	size_t unit = 0;

	for (; unit + 1 < sizeof units / sizeof *units && bytes >= 1024 && bytes % 1024 == 0; unit++)
		bytes /= 1024;
	snprintf(text, 24, "%" PRId64 " %s", bytes, units[unit]);
	return text;
}

static void add_host(const struct pair_hosts *hosts, int rank, char *text, size_t size)
{
	const char *name = hosts->name(hosts->context, rank);

	if (name)
		add(text, size, " (host %.100s)", name);
}

static void add_subject(const struct pair_set *set, const struct pair_hosts *hosts, const struct pair_slow *slow, char *text,
			size_t size)
{
	const char *name;

	switch (slow->kind) {
	case PAIR_OF_HOST:
		name = hosts->name(hosts->context, set->lowest[slow->a]);
		if (name)
			add(text, size, "host %.100s", name);
		else
			add(text, size, "the host of rank %d", set->lowest[slow->a]);
		break;
	case PAIR_OF_RANK:
		add(text, size, "rank %d", slow->a);
		add_host(hosts, slow->a, text, size);
		break;
	case PAIR_OF_PAIR:
		add(text, size, "the pair of rank %d", slow->a);
		add_host(hosts, slow->a, text, size);
		add(text, size, " and rank %d", slow->b);
		add_host(hosts, slow->b, text, size);
		break;
	}
}

static void add_factors(const struct pair_set *set, const struct pair_slow *slow, int load, char *text, size_t size)
{
	const char *between = "";
	char bytes[24];

	*text = '\0';
	for (int figure = 0; figure < PAIR_FIGURES; figure++) {
		if (!(slow->factor[load][figure] > 0))
			continue;
		add(text, size, "%s%.2f times%s at %s", between, slow->factor[load][figure], *between ? "" : " as long",
		    pair_words_size(set->matrix[load][figure].bytes, bytes));
		between = ", ";
	}
}

const char *pair_words_slow(const struct pair_set *set, const struct pair_hosts *hosts, const struct pair_slow *slow, char *text,
			    size_t size)
{
	static const char *const where[] = { " within its host", " with other hosts" };
	char alone[PAIR_WORDS], together[PAIR_WORDS];

	*text = '\0';
	add_subject(set, hosts, slow, text, size);
	if (slow->kind == PAIR_OF_PAIR)
		add(text, size, " is slow: it takes ");
	else
		add(text, size, " is slow: its %zu pair%s%s take ", slow->pairs, slow->pairs == 1 ? "" : "s",
		    slow->class < 0 || set->nhosts < 2 ? "" : where[slow->class]);
	add_factors(set, slow, PAIR_ALONE, alone, sizeof alone);
	add_factors(set, slow, PAIR_TOGETHER, together, sizeof together);
	if (*together)
		add(text, size, "%s%s%s %s", alone, *alone ? ", and " : "",
		    pair_has_others(set) ? "while others exchange too" : "once more", together);
	else
		add(text, size, "%s", alone);
	return text;
}

const char *pair_words_limits(const struct pair_set *set)
{
	if (set->oversubscribed)
		return "ranks take turns on cores or GPUs: such times tell of that, so nobody is called slow";
	if (set->nranks == 2)
		return "two ranks are one pair: nothing to hold it against, so nobody can be called slow";
	if (set->unsteady)
		return "where most pairs stayed noisy and waited for late ranks, nobody is called slow";
	if (set->nranks == 3)
		return "three ranks are three pairs: a slow rank can be told, a slow pair cannot";
	if (set->nhosts == 2)
		return "two hosts: which of them is the slower one cannot be told";
	return NULL;
}

bool pair_words_summary(const struct pair_set *set, int load, enum pair_figure figure, char *text, size_t size)
{
	const struct pair_matrix *matrix = &set->matrix[load][figure];
	const char *how = load == PAIR_ALONE ? "alone" : pair_has_others(set) ? "at once" : "once more";
	double worst;
	char bytes[24];

	if (matrix->pairs == 0)
		return false;
	pair_words_size(matrix->bytes, bytes);
	worst = pair_time(set, matrix, matrix->worst_from, matrix->worst_to);
	*text = '\0';
	if (figure == PAIR_LATENCY)
		add(text, size, "latency of %zu pair%s %s at %s: median %.4g us, worst %.4g us", matrix->pairs,
		    matrix->pairs == 1 ? "" : "s", how, bytes, matrix->median * 1e6, worst * 1e6);
	else
		add(text, size, "bandwidth of %zu pair%s %s at %s: median %.4g GB/s each way, worst %.4g GB/s", matrix->pairs,
		    matrix->pairs == 1 ? "" : "s", how, bytes, (double)matrix->bytes / matrix->median / 1e9,
		    (double)matrix->bytes / worst / 1e9);
	add(text, size, " (ranks %d and %d)", matrix->worst_from, matrix->worst_to);
	return true;
}

bool pair_words_disturbance(const struct pair_set *set, enum pair_figure figure, char *text, size_t size)
{
	const struct pair_disturbance found = pair_disturbance(set, figure);
	char bytes[24];

	if (found.pairs == 0)
		return false;
	*text = '\0';
	add(text, size,
	    "while others exchange too a pair takes %.3g times as long at %s in the median, in the worst case (ranks %d and %d) "
	    "%.3g times",
	    found.median, pair_words_size(set->matrix[PAIR_ALONE][figure].bytes, bytes), found.from, found.to, found.worst);
	return true;
}
