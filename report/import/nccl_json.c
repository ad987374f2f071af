/* SPDX-License-Identifier: Apache-2.0
 *
 * nccl-tests' -J file, versions 1 to 3: one document, no name of the primitive but in args[0], booleans and roots as texts, nan as a text, inf bare. Of
 * several ranks of one process only the first is listed.
 */
#include "import.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../escape.h"
#include "../text.h"
#include "json_text.h"
#include "nccl_rule.h"
#include "words.h"

enum { KNOWN_VERSION = 3, MOST_DEVICES = 1 << 20, LINE_SIZE = 200, LOOK_AT = 64 << 20 };

/* printf's %lf: six places of microseconds and of GB/s. */
static const struct import_digits digits = { 0.5e-12, 0.5e3, 0.5e3 };

struct run {
	const struct import_text *text;
	const struct import_options *options;
	struct import_sink *sink;
	const struct collective *coll;
	char library[48];
	int64_t nranks, nnodes;
	bool noted_type; /* one whose size is not known */
};

static int fail(const struct import_text *text, const char *why)
{
	escape_put(stderr, ESCAPE_PLAIN, "collperf import: %s: %s\n", text->name, why);
	return -1;
}

static json_t *parse(const struct import_text *text)
{
	json_error_t error;
	json_t *document;
	char why[LINE_SIZE + JSON_ERROR_TEXT_LENGTH];
	size_t size;
	char *repaired;

	if (text->size > JSON_TEXT_MOST_BYTES) {
		fail(text, "a JSON document of over 256 MiB");
		return NULL;
	}
	repaired = json_text_repair(text->data, text->size, &size);
	if (!repaired) {
		array_failed();
		return NULL;
	}
	document = json_loadb(repaired, size, 0, &error);
	free(repaired);
	if (!document) {
		snprintf(why, sizeof why, "line %d: no JSON document: %s", error.line, error.text);
		fail(text, why);
	}
	return document;
}

/* "/opt/build/all_reduce_perf_mpi" -> all_reduce */
static const struct collective *collective_of(const char *program)
{
	const char *slash = strrchr(program, '/');
	const char *name = slash ? slash + 1 : program;
	const char *end = strstr(name, "_perf");

	return end ? word_collective((struct word){ name, (size_t)(end - name) }) : NULL;
}

static void name_library(int64_t version, char *library, size_t size)
{
	const int64_t unit = version >= 10000 ? 10000 : 1000;

	library[0] = '\0';
	if (version > 0 && version < 10000000)
		snprintf(library, size, "NCCL %d.%d.%d", (int)(version / unit), (int)(version % unit / 100),
			 (int)(version % 100));
}

static int compare_texts(const void *a, const void *b)
{
	const char *const *one = a, *const *other = b;

	return strcmp(*one, *other);
}

/* How many different hosts there are; sorts. 0 where one has no name. */
static int64_t count_hosts(const char **hosts, size_t count)
{
	int64_t different = 0;

	qsort(hosts, count, sizeof *hosts, compare_texts);
	for (size_t i = 0; i < count; i++) {
		if (!*hosts[i])
			return 0;
		different += i == 0 || strcmp(hosts[i], hosts[i - 1]) != 0;
	}
	return different;
}

/* Ranks of `listed` processes or ranks, the last of which is `last`, where each process has `each`; 0 where that does not fit together. */
static int64_t count_ranks(int64_t listed, int64_t last, int64_t each)
{
	if (each < 1 || each > INT_MAX || listed < 1)
		return 0;
	if (listed == 1)
		return each;
	if (last == listed - 1)
		return listed;
	return last == (listed - 1) * each ? listed * each : 0;
}

/* Of the group of the first device, whose rows these are. */
static int count_devices(struct run *run, const json_t *config)
{
	const json_t *devices = json_object_get(config, "devices");
	const size_t count = json_array_size(devices);
	const int64_t group = json_text_whole(json_object_get(json_array_get(devices, 0), "group"));
	const int64_t threads = json_text_whole(json_object_get(config, "nthreads"));
	const int64_t gpus = json_text_whole(json_object_get(config, "ngpus"));
	const char **hosts = calloc(count + 1, sizeof *hosts);
	int64_t last = 0, each;
	size_t listed = 0;

	if (!hosts)
		return array_failed();
	for (size_t i = 0; i < count && i < MOST_DEVICES; i++) {
		const json_t *device = json_array_get(devices, i);
		const int64_t rank = json_text_whole(json_object_get(device, "rank"));

		if (json_text_whole(json_object_get(device, "group")) != group)
			continue;
		hosts[listed++] = json_text_string(json_object_get(device, "hostname"));
		last = rank > last ? rank : last;
	}
	if (threads > 0 && gpus > 0 && words_multiply(threads, gpus, &each))
		run->nranks = count_ranks((int64_t)listed, last, each);
	run->nnodes = count_hosts(hosts, listed);
	free(hosts);
	return 0;
}

static int take_ranks(struct run *run, const json_t *config)
{
	const struct import_options *options = run->options;

	if (count_devices(run, config) != 0)
		return -1;
	if (run->nranks > 0 && options->nranks > 0 && run->nranks != options->nranks &&
	    import_note(run->sink, "the document says %lld ranks; --nranks is not used", (long long)run->nranks) != 0)
		return -1;
	if (run->nranks < 1 || run->nranks > INT_MAX)
		run->nranks = options->nranks;
	if (run->nnodes < 1)
		run->nnodes = options->nnodes > 0 ? options->nnodes : 1;
	return run->nranks > 0 ? 0 : fail(run->text, "the document does not say how many ranks ran: --nranks is needed");
}

static void take_time(const json_t *place, const json_t *calls, struct result *row)
{
	const json_t *wrong = json_object_get(place, "nwrong");

	row->time = json_text_real(json_object_get(place, "time")) * 1e-6;
	row->algbw = json_text_real(json_object_get(place, "alg_bw")) * 1e9;
	row->busbw = json_text_real(json_object_get(place, "bus_bw")) * 1e9;
	row->wrong = json_text_whole(wrong);
	row->flags = !wrong || json_is_null(wrong) || strcmp(json_text_string(wrong), "N/A") == 0 ? RESULT_FLAG_UNCHECKED : "";
	row->time_min = json_text_real(json_object_get(calls, "min_us")) * 1e-6;
	row->time_max = json_text_real(json_object_get(calls, "max_us")) * 1e-6;
	row->time_mean = json_text_real(json_object_get(calls, "avg_us")) * 1e-6;
	row->time_stddev = json_text_real(json_object_get(calls, "stdev_us")) * 1e-6;
	row->time_p95 = json_text_real(json_object_get(calls, "p95_us")) * 1e-6;
	row->time_p99 = json_text_real(json_object_get(calls, "p99_us")) * 1e-6;
}

static void fill_row(const struct run *run, const json_t *record, struct result *row)
{
	const char *redop = json_text_string(json_object_get(record, "redop"));
	const int64_t iters = json_text_whole(json_object_get(record, "actual_iterations"));
	const int64_t root = json_text_whole(json_object_get(record, "root"));

	result_clear(row);
	row->collective = run->coll->name;
	row->backend = "nccl";
	row->library = run->library;
	row->nranks = run->nranks;
	row->nnodes = run->nnodes;
	row->type = json_text_string(json_object_get(record, "type"));
	row->redop = run->coll->flags & COLL_HAS_REDOP && strcmp(redop, "none") != 0 ? redop : "";
	row->root = run->coll->flags & COLL_HAS_ROOT && root >= 0 ? root : RESULT_NONE;
	row->bytes = json_text_whole(json_object_get(record, "size"));
	row->count = json_text_whole(json_object_get(record, "count"));
	row->iters = iters > 0 ? iters : RESULT_NONE;
}

/* 1: yes, 0: the line was skipped, -1: memory is out. */
static int is_plausible(struct run *run, const json_t *record, const struct result *row, size_t line)
{
	const json_t *redop = json_object_get(record, "redop");
	const struct nccl_claim claim = { row->bytes, row->count, row->type,
					  json_is_string(redop) ? json_string_value(redop) : NULL };
	char why[120], shown[WORDS_SHOWN];

	if (row->count >= 0 && !run->noted_type && nccl_type_size(row->type) == 0) {
		run->noted_type = true;
		if (import_note(run->sink, "the size of type '%s' is not known: sizes and counts of its rows are not compared",
				word_show((struct word){ row->type, strlen(row->type) }, shown)) != 0)
			return -1;
	}
	if (nccl_claim_holds(run->coll, run->nranks, &claim, why, sizeof why))
		return 1;
	return import_skip(run->sink, line, "%s", why);
}

static int take_place(struct run *run, const json_t *record, bool in_place, size_t line)
{
	const json_t *place = json_object_get(record, in_place ? "in_place" : "out_of_place");
	const json_t *calls = json_object_get(record, in_place ? "in_place_per_iter" : "out_of_place_per_iter");
	struct result row;
	int rc;

	if (!place || json_is_null(place))
		return 0;
	if (!json_object_get(place, "time") && json_object_get(place, "cpu_time"))
		return import_skip(run->sink, line, "a time until the call was queued (-C), none of the call");
	fill_row(run, record, &row);
	take_time(place, calls, &row);
	row.placement = in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE;
	if (row.bytes < 0)
		return import_skip(run->sink, line, "no size");
	if (isnan(row.time))
		return import_skip(run->sink, line, "no time, or one that is not finite");
	rc = is_plausible(run, record, &row, line);
	if (rc <= 0)
		return rc;
	return import_row(run->sink, &row, &digits, line);
}

static int take_results(struct run *run, const json_t *results)
{
	struct json_elements scan = { .line = 1 };
	const size_t count = json_array_size(results);
	size_t line = 1, found;

	for (size_t i = 0; i < count; i++) {
		const json_t *record = json_array_get(results, i);

		if (!json_is_object(record)) {
			if (import_skip(run->sink, line, "element %zu of the results is no object", i) != 0)
				return -1;
			continue;
		}
		found = json_text_element(run->text->data, run->text->size, "results", &scan);
		line = found ? found : line;
		if (take_place(run, record, false, line) != 0 || take_place(run, record, true, line) != 0)
			return -1;
	}
	return 0;
}

static int note_end(const struct run *run, const json_t *document)
{
	const int64_t version = json_text_whole(json_object_get(document, "version"));
	const json_t *errors = json_object_get(document, "errors");
	const int64_t wrong = json_text_whole(json_object_get(json_object_get(document, "out_of_bounds"), "count"));
	char shown[LINE_SIZE];
	int rc = 0;

	if (version > KNOWN_VERSION)
		rc |= import_note(run->sink, "version %lld of the document is not known; read as version %d", (long long)version,
				  KNOWN_VERSION);
	if (wrong > 0)
		import_wrong(run->sink);
	if (wrong > 0)
		rc |= import_note(run->sink, "the document counts %lld checks with wrong data", (long long)wrong);
	for (size_t i = 0; i < json_array_size(errors) && i < IMPORT_SHOWN_SKIPS; i++)
		rc |= import_note(run->sink, "an error of the run: %s",
				  text_escape(json_text_string(json_array_get(errors, i)), shown, sizeof shown));
	if (!json_object_get(document, "end_time"))
		rc |= import_note(run->sink, "no end_time: the run did not come to its end");
	return rc ? -1 : 0;
}

static int take_document(struct run *run, const json_t *document)
{
	const char *program = json_text_string(json_array_get(json_object_get(document, "args"), 0));
	const json_t *results = json_object_get(document, "results");
	char why[LINE_SIZE], shown[WORDS_SHOWN];

	if (!json_is_array(results))
		return fail(run->text, "no array \"results\": no document of nccl-tests, or the run ended before its first row");
	run->coll = collective_of(program);
	if (!run->coll && !*program && run->options->collective)
		run->coll = collective_find(run->options->collective);
	if (!run->coll) {
		snprintf(why, sizeof why, "args[0], '%s', is no benchmark of a primitive that is known here",
			 word_show((struct word){ program, strlen(program) }, shown));
		return fail(run->text, why);
	}
	name_library(json_text_whole(json_object_get(document, "nccl_version")), run->library, sizeof run->library);
	if (take_ranks(run, json_object_get(document, "config")) != 0 || note_end(run, document) != 0)
		return -1;
	return take_results(run, results);
}

static bool has(const struct import_text *text, const char *what)
{
	const size_t size = text->size < LOOK_AT ? text->size : LOOK_AT;

	return words_find(text->data, size, what) < size;
}

static int recognise(const struct import_text *text)
{
	size_t at = 0;

	while (at < text->size && isspace((unsigned char)text->data[at]))
		at++;
	if (at == text->size || text->data[at] != '{')
		return 0;
	/* A large environment may stand between the head and the rest. */
	return has(text, "\"nccl_version\"") || (has(text, "\"args\"") && has(text, "\"start_time\"")) ? 95 : 0;
}

static int read_json(const struct import_text *text, const struct import_options *options, struct import_sink *sink)
{
	struct run run = { .text = text, .options = options, .sink = sink };
	json_t *document = parse(text);
	int rc;

	if (!document)
		return -1;
	rc = take_document(&run, document);
	json_decref(document);
	return rc;
}

const struct import_format import_nccl_json = { "nccl-json", "the JSON document of nccl-tests (-J)", recognise, read_json };
