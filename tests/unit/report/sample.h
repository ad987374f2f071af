/* SPDX-License-Identifier: Apache-2.0
 *
 * A run and a row for the tests of the formats, files of the current folder, and what a call prints on stderr.
 */
#ifndef COLLPERF_TEST_SAMPLE_H
#define COLLPERF_TEST_SAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/columns.h"
#include "report/result.h"
#include "report/writer.h"

static inline struct run_info sample_info(void)
{
	static const struct run_rank ranks[] = {
		{ 0, 0, 1234, "host", 0, "[0000:0f:00] NVIDIA H200" },
		{ 1, 0, 123456, "a-long-host-name", 1, "" },
	};
	static const struct run_fact facts[] = { { "hosts", "host" }, { "cores", "8" } };
	static const struct run_fact environment[] = { { "NCCL_ALGO", "Ring" } };
	static const struct run_fact labels[] = { { "rack", "a7" } };
	static const char *const args[] = { "all_reduce_perf", "-b", "8" };

	return (struct run_info){
		.program = "all_reduce_perf",
		.version = "0.1.0",
		.headers = "H",
		.library = "L",
		.run = "r1",
		.started = "2026-01-02T03:04:05Z",
		.nthreads = 1,
		.ngpus = 1,
		.min_bytes = 8,
		.max_bytes = 8589934592,
		.step_is_factor = true,
		.step = 2,
		.warmup = 1,
		.iters = 20,
		.agg_iters = 1,
		.check = 1,
		.ranks = ranks,
		.nranks = 2,
		.facts = facts,
		.nfacts = 2,
		.environment = environment,
		.nenvironment = 1,
		.labels = labels,
		.nlabels = 1,
		.args = args,
		.nargs = 3,
	};
}

static inline struct run_summary sample_summary(void)
{
	return (struct run_summary){ .complete = true, .why = "", .ended = "2026-01-02T03:05:00Z" };
}

/* All_reduce over 8 ranks; bandwidths from size and time. */
static inline struct result sample_row(int64_t bytes, double microseconds, const char *placement)
{
	struct result row;

	result_clear(&row);
	row.schema = 1;
	row.point = 1;
	row.points = 2;
	row.run = "r1";
	row.collective = "all_reduce";
	row.backend = "sim";
	row.library = "sim";
	row.nranks = 8;
	row.nnodes = 1;
	row.type = "float";
	row.redop = "sum";
	row.placement = placement;
	row.bytes_requested = bytes;
	row.bytes = bytes;
	row.count = bytes / 4;
	row.timing = "sync";
	row.sync = "clock";
	row.iters = 20;
	row.dropped = 0;
	row.time = microseconds * 1e-6;
	row.algbw = (double)bytes / row.time;
	row.busbw = row.algbw * 1.75;
	row.wrong = 0;
	row.timestamp = "2026-01-02T03:04:06Z";
	return row;
}

/* A new empty file; the caller frees the name and removes the file. */
static inline char *sample_path(void)
{
	char *path = strdup("/tmp/collperf-test-XXXXXX");
	int file;

	if (!path)
		abort();
	file = mkstemp(path);
	assert_true(file >= 0);
	close(file);
	return path;
}

/* The whole file with a NUL behind; the caller frees it. */
static inline char *sample_read(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	size_t size = 0;
	size_t got;

	assert_non_null(file);
	do {
		text = realloc(text, size + 65536);
		assert_non_null(text);
		got = fread(text + size, 1, 65535, file);
		size += got;
	} while (got > 0);
	text[size] = '\0';
	fclose(file);
	return text;
}

static inline void sample_remove(char *path)
{
	unlink(path);
	free(path);
}

/* From here on stderr goes to a file; returns what sample_stderr_end needs. */
static inline int sample_stderr_begin(const char *path)
{
	int saved = dup(2);

	fflush(stderr);
	assert_non_null(freopen(path, "w", stderr));
	return saved;
}

static inline void sample_stderr_end(int saved)
{
	fflush(stderr);
	assert_true(dup2(saved, fileno(stderr)) >= 0);
	close(saved);
}

/* Stdout becomes a pipe whose reader has left; returns what sample_stdout_mended needs. */
static inline int sample_stdout_broken(void)
{
	int saved = dup(1);
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	fflush(stdout);
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], 1);
	close(ends[1]);
	close(ends[0]);
	return saved;
}

static inline void sample_stdout_mended(int saved)
{
	dup2(saved, 1);
	close(saved);
	clearerr(stdout);
}

static inline size_t sample_lines(const char *text)
{
	size_t lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* What a writer leaves in a file for these rows. */
static inline char *sample_written(const struct writer_ops *writer, const struct run_info *info, const struct result *rows,
				   size_t nrows, const struct run_summary *summary)
{
	char *path = sample_path();
	char *text;
	void *writing;

	assert_int_equal(writer->begin(info, path, &writing), 0);
	for (size_t i = 0; i < nrows; i++)
		assert_int_equal(writer->row(writing, &rows[i]), 0);
	assert_int_equal(writer->end(writing, summary), 0);
	text = sample_read(path);
	sample_remove(path);
	return text;
}

#endif
