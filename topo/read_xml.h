/* SPDX-License-Identifier: Apache-2.0
 *
 * Somebody's XML as a tree in the order of the file, read by expat within limits. No DTD is read, no entity is replaced, nothing outside is opened.
 */
#ifndef COLLPERF_READ_XML_H
#define COLLPERF_READ_XML_H

#include "read_text.h"

enum {
	READ_XML_DEEPEST = 64,
	READ_XML_MOST_ELEMENTS = 1 << 19,
	READ_XML_MOST_ATTRIBUTES = 64, /* of an element */
	READ_XML_ALL_ATTRIBUTES = 1 << 22,
	READ_XML_LONGEST = 16384, /* bytes of a value */
	READ_XML_NONE = -1
};

/* Names and values are places in `texts`. */
struct read_attribute {
	size_t name, value;
};

struct read_element {
	int parent, last; /* the element around it; the last one inside it, or itself */
	unsigned long line;
	size_t name, text; /* text: of elements without others inside */
	size_t first, count;
};

struct read_xml {
	struct read_element *elements;
	size_t nelements;
	struct read_attribute *attributes;
	size_t nattributes;
	char *texts;
	size_t used;
	size_t room[3]; /* of elements, attributes, texts */
};

/*
 * Parents come before what is in them, element 0 is the root. `may_name_dtd`: a DOCTYPE that only names one is passed over, else any is an error.
 * -1 with an error; else to be cleared.
 */
int read_xml_parse(struct read_xml *xml, const struct read_error *error, const char *text, size_t size, bool may_name_dtd);
void read_xml_clear(struct read_xml *xml);

const char *read_xml_name(const struct read_xml *xml, int element);
bool read_xml_is(const struct read_xml *xml, int element, const char *name);
/* The value of an attribute, "" where it is missing. Valid as long as the tree. */
const char *read_xml_get(const struct read_xml *xml, int element, const char *name);
const char *read_xml_text(const struct read_xml *xml, int element);

#endif
