/* SPDX-License-Identifier: Apache-2.0
 *
 * Somebody's XML as a tree.
 */
#include "read_xml.h"

#include <expat.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct reading {
	struct read_xml *xml;
	const struct read_error *error;
	XML_Parser parser;
	bool may_name_dtd, failed;
	int open; /* the element that is being read */
	int depth;
	char *text; /* inside it, so far */
	size_t length;
};

/* Grown to hold `count`; NULL: out of memory, the old one stays. */
static void *grown(void *items, size_t count, size_t size, size_t *room)
{
	size_t wanted = *room > 0 ? *room : 64;
	void *moved;

	if (items && count <= *room)
		return items;
	while (wanted < count)
		wanted *= 2;
	moved = realloc(items, wanted * size);
	if (moved)
		*room = wanted;
	return moved;
}

static unsigned long line_of(const struct reading *reading)
{
	return (unsigned long)XML_GetCurrentLineNumber(reading->parser);
}

static void stop(struct reading *reading)
{
	reading->failed = true;
	XML_StopParser(reading->parser, XML_FALSE);
}

static void stop_for(struct reading *reading, const char *why)
{
	if (!reading->failed)
		read_fail(reading->error, line_of(reading), "%s", why);
	stop(reading);
}

/* The place of a text; SIZE_MAX after an error. */
static size_t keep(struct reading *reading, const char *text, size_t length)
{
	struct read_xml *xml = reading->xml;
	char *texts;
	size_t place = xml->used;

	if (length > READ_XML_LONGEST) {
		stop_for(reading, "a value of more than 16384 bytes");
		return SIZE_MAX;
	}
	texts = grown(xml->texts, place + length + 1, 1, &xml->room[2]);
	if (!texts) {
		stop_for(reading, "out of memory");
		return SIZE_MAX;
	}
	xml->texts = texts;
	memcpy(texts + place, text, length);
	texts[place + length] = '\0';
	xml->used += length + 1;
	return place;
}

static int keep_attributes(struct reading *reading, struct read_element *element, const XML_Char **attributes)
{
	struct read_xml *xml = reading->xml;

	element->first = xml->nattributes;
	for (; attributes[0]; attributes += 2) {
		struct read_attribute *grew = grown(xml->attributes, xml->nattributes + 1, sizeof *grew, &xml->room[1]);
		struct read_attribute made;

		if (grew)
			xml->attributes = grew;
		if (!grew || element->count == READ_XML_MOST_ATTRIBUTES || xml->nattributes == READ_XML_ALL_ATTRIBUTES) {
			stop_for(reading, grew ? "too many attributes" : "out of memory");
			return -1;
		}
		made.name = keep(reading, attributes[0], strlen(attributes[0]));
		made.value = made.name == SIZE_MAX ? SIZE_MAX : keep(reading, attributes[1], strlen(attributes[1]));
		if (made.value == SIZE_MAX)
			return -1;
		grew[xml->nattributes++] = made;
		element->count++;
	}
	return 0;
}

static void on_start(void *data, const XML_Char *name, const XML_Char **attributes)
{
	struct reading *reading = data;
	struct read_xml *xml = reading->xml;
	struct read_element *grew, made = { .parent = reading->open, .last = (int)xml->nelements, .line = line_of(reading) };

	if (reading->failed)
		return;
	if (xml->nelements == READ_XML_MOST_ELEMENTS || reading->depth == READ_XML_DEEPEST) {
		stop_for(reading,
			 reading->depth == READ_XML_DEEPEST ? "more than 64 elements within each other" : "too many elements");
		return;
	}
	made.name = keep(reading, name, strlen(name));
	if (made.name == SIZE_MAX || keep_attributes(reading, &made, attributes))
		return;
	grew = grown(xml->elements, xml->nelements + 1, sizeof *grew, &xml->room[0]);
	if (!grew) {
		stop_for(reading, "out of memory");
		return;
	}
	xml->elements = grew;
	grew[xml->nelements] = made;
	reading->open = (int)xml->nelements++;
	reading->depth++;
	reading->length = 0;
}

static void on_end(void *data, const XML_Char *name)
{
	struct reading *reading = data;
	struct read_element *element;
	int last;

	(void)name;
	if (reading->failed)
		return;
	element = &reading->xml->elements[reading->open];
	last = (int)reading->xml->nelements - 1;
	element->last = last;
	if (last == reading->open && reading->length > 0) {
		size_t place = keep(reading, reading->text, reading->length);

		if (place == SIZE_MAX)
			return;
		element->text = place;
	}
	reading->length = 0;
	reading->open = element->parent;
	reading->depth--;
}

static void on_text(void *data, const XML_Char *text, int length)
{
	struct reading *reading = data;

	if (reading->failed || length < 0)
		return;
	if (reading->length + (size_t)length > READ_XML_LONGEST) {
		stop_for(reading, "a text of more than 16384 bytes");
		return;
	}
	memcpy(reading->text + reading->length, text, (size_t)length);
	reading->length += (size_t)length;
}

static void on_doctype(void *data, const XML_Char *name, const XML_Char *system_id, const XML_Char *public_id, int has_internal)
{
	struct reading *reading = data;

	(void)name;
	(void)system_id;
	(void)public_id;
	if (has_internal || !reading->may_name_dtd)
		stop_for(reading, "a DTD (<!DOCTYPE>): such files are not read");
}

/* An entity that only a DTD could know. */
static void on_entity(void *data, const XML_Char *name, int is_parameter)
{
	struct reading *reading = data;

	(void)is_parameter;
	if (!reading->failed)
		read_fail(reading->error, line_of(reading), "the entity &%.60s; is not known", name);
	stop(reading);
}

static int tell(const struct reading *reading)
{
	enum XML_Error code = XML_GetErrorCode(reading->parser);
	const struct read_xml *xml = reading->xml;

	if (reading->failed)
		return -1;
	if (code == XML_ERROR_JUNK_AFTER_DOC_ELEMENT)
		return read_fail(reading->error, line_of(reading), "something follows </%.60s>: a file holds one",
				 read_xml_name(xml, 0));
	if (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN) {
		if (reading->open == READ_XML_NONE)
			return read_fail(reading->error, line_of(reading), "no XML");
		return read_fail(reading->error, line_of(reading), "the file ends inside <%.60s>, it is cut",
				 read_xml_name(xml, reading->open));
	}
	return read_fail(reading->error, line_of(reading), "not XML: %s", XML_ErrorString(code));
}

int read_xml_parse(struct read_xml *xml, const struct read_error *error, const char *text, size_t size, bool may_name_dtd)
{
	struct reading reading = { xml, error, XML_ParserCreate(NULL), may_name_dtd, false, READ_XML_NONE, 0, NULL, 0 };
	int rc = -1;

	*xml = (struct read_xml){ 0 };
	reading.text = malloc(READ_XML_LONGEST);
	if (size > TOPO_MOST_BYTES) {
		read_fail(error, 0, "more than 64 MiB");
	} else if (!reading.parser || !reading.text) {
		read_fail(error, 0, "out of memory");
	} else if (keep(&reading, "", 0) != SIZE_MAX) { /* place 0 is "" */
		XML_SetUserData(reading.parser, &reading);
		XML_SetElementHandler(reading.parser, on_start, on_end);
		XML_SetCharacterDataHandler(reading.parser, on_text);
		XML_SetStartDoctypeDeclHandler(reading.parser, on_doctype);
		XML_SetSkippedEntityHandler(reading.parser, on_entity);
		if (XML_Parse(reading.parser, text, (int)size, XML_TRUE) != XML_STATUS_OK || reading.failed)
			tell(&reading);
		else
			rc = 0;
	}
	if (reading.parser)
		XML_ParserFree(reading.parser);
	free(reading.text);
	if (rc)
		read_xml_clear(xml);
	return rc;
}

void read_xml_clear(struct read_xml *xml)
{
	free(xml->elements);
	free(xml->attributes);
	free(xml->texts);
	*xml = (struct read_xml){ 0 };
}

const char *read_xml_name(const struct read_xml *xml, int element)
{
	return xml->texts + xml->elements[element].name;
}

bool read_xml_is(const struct read_xml *xml, int element, const char *name)
{
	return element != READ_XML_NONE && strcmp(read_xml_name(xml, element), name) == 0;
}

const char *read_xml_text(const struct read_xml *xml, int element)
{
	return xml->texts + xml->elements[element].text;
}

const char *read_xml_get(const struct read_xml *xml, int element, const char *name)
{
	const struct read_element *from = &xml->elements[element];

	for (size_t i = from->first; i < from->first + from->count; i++) {
		if (strcmp(xml->texts + xml->attributes[i].name, name) == 0)
			return xml->texts + xml->attributes[i].value;
	}
	return "";
}
