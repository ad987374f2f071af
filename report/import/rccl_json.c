/* SPDX-License-Identifier: Apache-2.0
 *
 * rccl-tests' JSON: an array of records, in its first version a record a line and nothing around them. Each record is parsed for itself, so that a file
 * that was cut, or several in one, cost no record that is whole.
 */
#include "rccl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "json_text.h"

enum { MOST_NUMBER = 40, MOST_RECORD = 4096 };

/* As word_real reads it; "" for what is no number, text or truth value. */
static struct word print_value(const json_t *value, char *buffer)
{
	if (json_is_string(value))
		return (struct word){ json_string_value(value), json_string_length(value) };
	buffer[0] = '\0';
	if (json_is_integer(value))
		snprintf(buffer, MOST_NUMBER, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		snprintf(buffer, MOST_NUMBER, "%.17g", json_real_value(value));
	else if (json_is_boolean(value))
		snprintf(buffer, MOST_NUMBER, "%s", json_is_true(value) ? "true" : "false");
	return (struct word){ buffer, strlen(buffer) };
}

static int take_object(json_t *object, const struct import_options *options, struct import_sink *sink, size_t line)
{
	struct rccl_record record = { .printed = false };
	char numbers[RCCL_COLUMNS][MOST_NUMBER];
	const char *name;
	json_t *value;

	for (size_t i = 0; i < RCCL_COLUMNS; i++)
		record.cell[i] = (struct word){ "", 0 };
	json_object_foreach(object, name, value)
	{
		const int column = rccl_column_find((struct word){ name, strlen(name) });

		if (column >= 0)
			record.cell[column] = print_value(value, numbers[column]);
	}
	return rccl_take(&record, options, sink, line);
}

/* inf and nan cost a record its time or a rate, not more. -1 when memory is out. */
static int take_slice(const struct json_slice *slice, const struct import_options *options, struct import_sink *sink)
{
	json_error_t error;
	size_t size;
	char *repaired = json_text_repair(slice->text, slice->length, &size);
	json_t *object;
	char shown[WORDS_SHOWN];
	int rc;

	if (!repaired)
		return array_failed();
	object = json_loadb(repaired, size, 0, &error);
	free(repaired);
	if (!object)
		return import_skip(sink, slice->line, "no JSON: %s",
				   word_show((struct word){ error.text, strlen(error.text) }, shown));
	rc = take_object(object, options, sink, slice->line);
	json_decref(object);
	return rc;
}

/* A record has some dozen columns; what is longer is none. */
static bool is_record(const struct json_slice *slice)
{
	return slice->length < MOST_RECORD && words_find(slice->text, slice->length, "\"numCycle\"") < slice->length;
}

static int recognise(const struct import_text *text)
{
	const size_t size = text->size < (256 << 10) ? text->size : 256 << 10;
	struct json_objects scan = { .line = 1 };
	struct json_slice slice;
	enum json_piece piece = json_text_next(text->data, size, &scan, &slice);

	/* Some put a line of their own before it. */
	while (piece == JSON_PIECE_OTHER)
		piece = json_text_next(text->data, size, &scan, &slice);
	return piece == JSON_PIECE_OBJECT && is_record(&slice) ? 95 : 0;
}

static int read_json(const struct import_text *text, const struct import_options *options, struct import_sink *sink)
{
	struct json_objects scan = { .line = 1 };
	struct json_slice slice;

	for (;;) {
		enum json_piece piece = json_text_next(text->data, text->size, &scan, &slice);
		int rc = 0;

		if (piece == JSON_PIECE_END)
			return 0;
		if (piece == JSON_PIECE_OTHER)
			rc = import_skip(sink, slice.line, "no JSON");
		else if (piece == JSON_PIECE_CUT)
			rc = import_skip(sink, slice.line, "a record that is cut, or no record");
		else if (!is_record(&slice))
			rc = import_skip(sink, slice.line, "an object that is no record of rccl-tests");
		else
			rc = take_slice(&slice, options, sink);
		if (rc != 0)
			return -1;
	}
}

const struct import_format import_rccl_json = { "rccl-json", "the JSON of rccl-tests (-Z json)", recognise, read_json };
