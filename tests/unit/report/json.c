/* SPDX-License-Identifier: Apache-2.0
 *
 * The JSON document: its keys, the columns of its rows, hostile texts, and that the file parses whenever it is looked at.
 */
#include <fcntl.h>
#include <jansson.h>
#include <sys/stat.h>

#include "sample.h"

static json_t *parsed(const char *text)
{
	json_error_t error;
	json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	if (!document)
		fail_msg("line %d: %s", error.line, error.text);
	return document;
}

static json_t *parsed_file(const char *path)
{
	char *text = sample_read(path);
	json_t *document = parsed(text);

	free(text);
	return document;
}

static const char *text_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	assert_non_null(text);
	return text;
}

static json_t *written(const struct writer_ops *writer, const struct run_info *info, const struct result *rows, size_t nrows)
{
	struct run_summary summary = sample_summary();
	char *text = sample_written(writer, info, rows, nrows, &summary);
	json_t *document = parsed(text);

	free(text);
	return document;
}

static void document_says_what_is_known(void **state)
{
	static const char *const keys[] = { "schema", "program", "version", "complete", "why",    "run",   "started",
					    "ended",  "headers", "library", "config",   "ranks",  "facts", "environment",
					    "labels", "args",    "notes",   "rows",     "summary" };
	struct run_info info = sample_info();
	json_t *document = written(&writer_json, &info, NULL, 0);
	json_t *rank = json_array_get(json_object_get(document, "ranks"), 0);
	const char *key;
	json_t *value;
	size_t n = 0;

	(void)state;
	json_object_foreach(document, key, value) assert_string_equal(key, keys[n++]);
	assert_int_equal(n, sizeof(keys) / sizeof(keys[0]));
	assert_int_equal(json_integer_value(json_object_get(document, "schema")), 1);
	assert_true(json_is_true(json_object_get(document, "complete")));
	assert_int_equal(json_integer_value(json_object_get(json_object_get(document, "config"), "max_bytes")), 8589934592);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(document, "config"), "step_factor")), 2);
	assert_string_equal(text_of(rank, "detail"), "[0000:0f:00] NVIDIA H200");
	assert_int_equal(json_integer_value(json_object_get(rank, "pid")), 1234);
	assert_string_equal(text_of(json_object_get(document, "facts"), "cores"), "8");
	assert_string_equal(text_of(json_object_get(document, "labels"), "rack"), "a7");
	assert_string_equal(json_string_value(json_array_get(json_object_get(document, "args"), 2)), "8");
	json_decref(document);
}

/* Only what was handed over: the environment of the process is nowhere in it. */
static void environment_is_only_what_was_listed(void **state)
{
	const struct writer_ops *const writers[] = { &writer_json, &writer_facts, &writer_csv, &writer_console, &writer_wide };
	struct run_info info = sample_info();
	struct run_summary summary = sample_summary();

	(void)state;
	setenv("SECRET_TOKEN", "hunter2hunter2", 1);
	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
		char *text = sample_written(writers[i], &info, NULL, 0, &summary);

		assert_null(strstr(text, "hunter2"));
		assert_null(strstr(text, "SECRET_TOKEN"));
		free(text);
	}
}

/* CSV, JSON and columns[] name the same columns in the same order. */
static void rows_have_the_columns_of_the_csv(void **state)
{
	struct run_info info = sample_info();
	struct run_summary summary = sample_summary();
	struct result row = sample_row(1048576, 1000, RESULT_OUT_OF_PLACE);
	json_t *document = written(&writer_json, &info, &row, 1);
	char *csv = sample_written(&writer_csv, &info, NULL, 0, &summary);
	char *name = strtok(csv, ",\n");
	size_t n = 0;
	const char *key;
	json_t *value;

	(void)state;
	json_object_foreach(json_array_get(json_object_get(document, "rows"), 0), key, value)
	{
		assert_non_null(name);
		assert_string_equal(key, name);
		assert_string_equal(key, columns[n++].name);
		name = strtok(NULL, ",\n");
	}
	assert_null(name);
	assert_int_equal(n, column_count);
	json_decref(document);
	free(csv);
}

static void cells_have_their_types(void **state)
{
	struct run_info info = sample_info();
	struct result row = sample_row(1048576, 1000, RESULT_OUT_OF_PLACE);
	json_t *document, *cells;

	(void)state;
	row.time = 1.23456789123e-3;
	row.busbw = NAN;
	row.time_max = INFINITY;
	document = written(&writer_json, &info, &row, 1);
	cells = json_array_get(json_object_get(document, "rows"), 0);
	assert_int_equal(json_integer_value(json_object_get(cells, "bytes")), 1048576);
	assert_true(json_is_real(json_object_get(cells, "time_us")));
	assert_true(json_real_value(json_object_get(cells, "time_us")) == 1234.56789);
	assert_true(json_real_value(json_object_get(cells, "algbw_GBps")) == 1.048576);
	assert_string_equal(text_of(cells, "placement"), "out-of-place");
	assert_true(json_is_null(json_object_get(cells, "busbw_GBps")));
	assert_true(json_is_null(json_object_get(cells, "time_max_us")));
	assert_true(json_is_null(json_object_get(cells, "root")));
	assert_true(json_is_null(json_object_get(cells, "path")));
	json_decref(document);
}

static void hostile_texts_do_not_lose_the_document(void **state)
{
	static const char *const notes[] = {
		"\xff",
		"a\xc0\xaf"
		"b",                /* overlong */
		"\xed\xa0\x80",     /* a surrogate */
		"\xf4\x90\x80\x80", /* beyond the last character */
		"\xe2\x82",         /* cut */
		"ok \xe2\x82\xac \xf0\x9f\x98\x80 \"q\" \\ \n\x01 </script>",
	};
	static const char *const expected[] = {
		"\xEF\xBF\xBD",
		"a\xEF\xBF\xBD\xEF\xBF\xBD"
		"b",
		"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD",
		"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD",
		"\xEF\xBF\xBD\xEF\xBF\xBD",
		"ok \xe2\x82\xac \xf0\x9f\x98\x80 \"q\" \\ \n\x01 </script>",
	};
	static const struct run_fact labels[] = { { "k\xff", "v\xfe" }, { "", "" } };
	struct run_info info = sample_info();
	struct result row = sample_row(8, 1, RESULT_OUT_OF_PLACE);
	json_t *document;

	(void)state;
	info.notes = notes;
	info.nnotes = 6;
	info.labels = labels;
	info.nlabels = 2;
	info.program = "p\x80";
	row.library = "l\xffm";
	document = written(&writer_json, &info, &row, 1);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(json_string_value(json_array_get(json_object_get(document, "notes"), i)), expected[i]);
	assert_string_equal(text_of(json_object_get(document, "labels"), "k\xEF\xBF\xBD"), "v\xEF\xBF\xBD");
	assert_string_equal(text_of(document, "program"), "p\xEF\xBF\xBD");
	assert_string_equal(text_of(json_array_get(json_object_get(document, "rows"), 0), "library"), "l\xEF\xBF\xBDm");
	json_decref(document);
}

static void file_parses_at_any_time(void **state)
{
	struct run_info info = sample_info();
	struct run_summary summary = { .complete = false, .why = "interrupted", .ended = "x", .wrong = 5 };
	struct result row = sample_row(8, 1, RESULT_OUT_OF_PLACE);
	char *path = sample_path();
	void *writing;
	json_t *document;

	(void)state;
	assert_int_equal(writer_json.begin(&info, path, &writing), 0);
	document = parsed_file(path);
	assert_true(json_is_false(json_object_get(document, "complete")));
	assert_true(json_is_null(json_object_get(document, "summary")));
	json_decref(document);
	for (int i = 0; i < 100; i++)
		assert_int_equal(writer_json.row(writing, &row), 0);
	document = parsed_file(path);
	assert_true(json_is_false(json_object_get(document, "complete")));
	json_decref(document);
	assert_int_equal(writer_json.end(writing, &summary), 0);
	document = parsed_file(path);
	assert_true(json_is_false(json_object_get(document, "complete")));
	assert_string_equal(text_of(document, "why"), "interrupted");
	assert_int_equal(json_array_size(json_object_get(document, "rows")), 100);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(document, "summary"), "wrong")), 5);
	json_decref(document);
	sample_remove(path);
}

static void no_spare_file_stays(void **state)
{
	struct run_info info = sample_info();
	struct run_summary summary = sample_summary();
	char *path = sample_path();
	char *other = sample_path();
	char spare[256];
	char *text;
	void *writing;

	(void)state;
	snprintf(spare, sizeof(spare), "%s.tmp", path);
	/* A link left there by somebody must not be written through. */
	assert_int_equal(symlink(other, spare), 0);
	assert_int_equal(writer_json.begin(&info, path, &writing), 0);
	assert_int_equal(access(spare, F_OK), -1);
	assert_int_equal(writer_json.end(writing, &summary), 0);
	assert_int_equal(access(spare, F_OK), -1);
	text = sample_read(other);
	assert_string_equal(text, "");
	free(text);
	sample_remove(other);
	sample_remove(path);
}

static void links_stay_links(void **state)
{
	struct run_info info = sample_info();
	struct run_summary summary = sample_summary();
	char *path = sample_path();
	char link[256];
	struct stat status;
	void *writing;
	json_t *document;

	(void)state;
	snprintf(link, sizeof(link), "%s.link", path);
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(writer_json.begin(&info, link, &writing), 0);
	assert_int_equal(writer_json.end(writing, &summary), 0);
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	document = parsed_file(path);
	json_decref(document);
	unlink(link);
	sample_remove(path);
}

/*
 * What is no regular file is written to, never replaced. A pipe of our own stands for all of them: were the writer wrong, a test run by root that
 * named a device would take it from the machine.
 */
static void pipes_stay_pipes(void **state)
{
	struct run_info info = sample_info();
	struct run_summary summary = sample_summary();
	char *path = sample_path();
	char text[65536];
	struct stat status;
	void *writing;
	ssize_t size;
	int reader;

	(void)state;
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	reader = open(path, O_RDONLY | O_NONBLOCK);
	assert_int_equal(writer_json.begin(&info, path, &writing), 0);
	assert_int_equal(writer_json.end(writing, &summary), 0);
	assert_int_equal(lstat(path, &status), 0);
	assert_true(S_ISFIFO(status.st_mode));
	size = read(reader, text, sizeof(text) - 1);
	assert_true(size > 0);
	text[size] = '\0';
	json_decref(parsed(text));
	close(reader);
	sample_remove(path);
}

static void facts_are_the_document_without_rows(void **state)
{
	static const struct run_fact measured[] = { { "foreign_cpu", "0.02" } };
	struct run_info info = sample_info();
	struct run_summary summary = sample_summary();
	struct result row = sample_row(8, 1, RESULT_OUT_OF_PLACE);
	char *text;
	json_t *document;

	(void)state;
	summary.facts = measured;
	summary.nfacts = 1;
	text = sample_written(&writer_facts, &info, &row, 1, &summary);
	document = parsed(text);
	assert_null(json_object_get(document, "rows"));
	assert_true(json_is_true(json_object_get(document, "complete")));
	assert_string_equal(text_of(json_object_get(json_object_get(document, "summary"), "facts"), "foreign_cpu"), "0.02");
	json_decref(document);
	free(text);
}

static void failures_are_told_once(void **state)
{
	struct run_info info = sample_info();
	struct run_summary summary = sample_summary();
	char *errors = sample_path();
	void *writing;
	int saved = sample_stderr_begin(errors);
	int refused = writer_json.begin(&info, "/nowhere/x.json", &writing);
	int out = sample_stdout_broken();
	int begun = writer_json.begin(&info, "-", &writing);
	int ended = writer_json.end(writing, &summary);
	char *text;

	(void)state;
	sample_stdout_mended(out);
	sample_stderr_end(saved);
	text = sample_read(errors);
	sample_remove(errors);
	assert_int_equal(refused, -1);
	assert_int_equal(begun, 0);
	assert_int_equal(ended, -1);
	assert_string_equal(text, "all_reduce_perf: cannot write /nowhere/x.json: No such file or directory\n"
				  "all_reduce_perf: cannot write to stdout: Broken pipe\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(document_says_what_is_known),
		cmocka_unit_test(environment_is_only_what_was_listed),
		cmocka_unit_test(rows_have_the_columns_of_the_csv),
		cmocka_unit_test(cells_have_their_types),
		cmocka_unit_test(hostile_texts_do_not_lose_the_document),
		cmocka_unit_test(file_parses_at_any_time),
		cmocka_unit_test(no_spare_file_stays),
		cmocka_unit_test(links_stay_links),
		cmocka_unit_test(pipes_stay_pipes),
		cmocka_unit_test(facts_are_the_document_without_rows),
		cmocka_unit_test(failures_are_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
