/* SPDX-License-Identifier: Apache-2.0
 *
 * A log read by one format, for the tests of formats: its rows, what was skipped and why, its notes.
 */
#ifndef COLLPERF_TEST_IMPORT_LOG_H
#define COLLPERF_TEST_IMPORT_LOG_H

#include "sample.h"

#include "report/import/import.h"
#include "report/import/sink.h"

struct log {
	struct rows *rows;
	struct import_sink sink;
	int rc;
};

static inline struct log log_bytes(const struct import_format *format, const char *data, size_t size,
				   struct import_options options)
{
	const struct import_text text = { "x.log", data, size };
	struct log log = { .rows = rows_new() };

	assert_non_null(log.rows);
	assert_int_equal(sink_begin(&log.sink, log.rows, "x.log", "r1"), 0);
	log.rc = format->read(&text, &options, &log.sink);
	return log;
}

static inline struct log log_read(const struct import_format *format, const char *data, struct import_options options)
{
	return log_bytes(format, data, strlen(data), options);
}

/* A file of tests/data/import, which the format must be the surest to recognise. */
static inline struct log log_file(const struct import_format *format, const char *name, struct import_options options)
{
	char path[200];
	char *data;
	struct import_text text;
	struct log log;

	snprintf(path, sizeof path, "tests/data/import/%s", name);
	data = sample_read(path);
	text = (struct import_text){ name, data, strlen(data) };
	assert_true(format->recognise(&text) >= 90);
	for (size_t i = 0; i < import_format_count; i++)
		assert_true(import_formats[i] == format || import_formats[i]->recognise(&text) < format->recognise(&text));
	log = log_read(format, data, options);
	free(data);
	return log;
}

static inline void log_free(struct log *log)
{
	sink_clear(&log->sink);
	rows_free(log->rows);
}

/* Within what arithmetic may lose. */
static inline void same_real(double got, double expected)
{
	if (isnan(expected))
		assert_true(isnan(got));
	else if (!(fabs(got - expected) <= 1e-12 * fabs(expected)))
		fail_msg("%.17g is not %.17g", got, expected);
}

static inline void has_skip(const struct log *log, size_t i, size_t line, const char *why)
{
	assert_true(i < log->sink.nshown);
	assert_int_equal(log->sink.shown[i].line, line);
	assert_string_equal(log->sink.shown[i].why, why);
}

static inline void has_note(const struct log *log, size_t i, const char *note)
{
	assert_true(i < log->sink.nnotes);
	assert_string_equal(log->sink.notes[i], note);
}

/* What the conversion of a row decides; times in microseconds. */
static inline const struct result *has_row(const struct log *log, size_t i, const char *collective, int64_t nranks, int64_t bytes,
					   double time)
{
	const struct result *row;

	assert_true(i < rows_count(log->rows));
	row = rows_get(log->rows, i);
	assert_string_equal(row->collective, collective);
	assert_int_equal(row->nranks, nranks);
	assert_int_equal(row->bytes, bytes);
	same_real(row->time, time * 1e-6);
	assert_true(result_has_flag(row, RESULT_FLAG_IMPORTED));
	return row;
}

static inline void has_rates(const struct result *row, double algbw, double busbw)
{
	same_real(row->algbw, algbw * 1e9);
	same_real(row->busbw, busbw * 1e9);
	assert_false(result_has_flag(row, RESULT_FLAG_RATES));
}

#endif
