/* SPDX-License-Identifier: Apache-2.0
 *
 * hwloc's XML. The library has a small parser of its own that trusts what it reads; it is handed a text that is written anew from the tree that expat
 * made: only elements and attributes that matter, with numbers in range, as version 2.0 where hwloc 3 wrote it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_hwloc.h"
#include "read.h"
#include "read_xml.h"

enum {
	MOST_OS_INDEX = 1 << 20,
	MOST_DEPTH = 1024,
	MOST_TOGETHER = 512,    /* objects of a matrix */
	MOST_BYTES_DIGITS = 16, /* of memory or a cache: no machine has 10 PB in one piece */
	MOST_TEXT = 2 * (int)TOPO_MOST_BYTES
};

struct rewriting {
	const struct read_xml *xml;
	const struct read_error *error;
	struct topo_host *host; /* for notes */
	int version;            /* 1, 2, 3 */
	char *text;
	size_t used, room;
	bool failed;
};

static void put(struct rewriting *to, const char *text, size_t length)
{
	if (to->failed)
		return;
	if (to->used + length > to->room) {
		size_t room = 2 * (to->used + length) + 4096;
		char *grown = room <= MOST_TEXT ? realloc(to->text, room) : NULL;

		if (!grown) {
			to->failed = true;
			return;
		}
		to->text = grown;
		to->room = room;
	}
	memcpy(to->text + to->used, text, length);
	to->used += length;
}

static void put_text(struct rewriting *to, const char *text)
{
	put(to, text, strlen(text));
}

static void put_attribute(struct rewriting *to, const char *name, const char *value)
{
	put_text(to, " ");
	put_text(to, name);
	put_text(to, "=\"");
	for (; *value; value++) {
		switch (*value) {
		case '"':
			put_text(to, "&quot;");
			break;
		case '&':
			put_text(to, "&amp;");
			break;
		case '<':
			put_text(to, "&lt;");
			break;
		case '>':
			put_text(to, "&gt;");
			break;
		default:
			put(to, (unsigned char)*value >= ' ' && (unsigned char)*value < 0x7f ? value : "?", 1);
		}
	}
	put_text(to, "\"");
}

/* Kinds of OS devices are bits in version 3, numbers before. */
static const char *device_kind(const char *bits, const char *subtype)
{
	static const struct {
		int bit;
		const char *number;
	} kinds[] = { { 8, "5" }, { 4, "1" }, { 32, "3" }, { 16, "2" }, { 64, "4" } };
	int number = read_number(bits, 10, 0, 65535);

	if (strcmp(subtype, "NVML") == 0)
		return "1";
	for (size_t i = 0; number > 0 && i < sizeof kinds / sizeof *kinds; i++) {
		if (number & kinds[i].bit)
			return kinds[i].number;
	}
	return "0";
}

/* What is no number of bytes, or too many, is not known. */
static bool is_absurd(struct rewriting *to, int element, const char *name, const char *value)
{
	const size_t digits = strspn(value, "0123456789");

	if (strcmp(name, "local_memory") != 0 && strcmp(name, "cache_size") != 0)
		return false;
	if (!value[digits] && digits <= MOST_BYTES_DIGITS)
		return false;
	if (topo_note(to->host, "line %lu: %s=\"%.40s\" is no number of bytes that is read: unknown",
		      to->xml->elements[element].line, name, value))
		to->failed = true;
	return true;
}

static void put_attributes(struct rewriting *to, int element, const char *const *names)
{
	for (; *names; names++) {
		const char *value = read_xml_get(to->xml, element, *names);

		if (*value && to->version == 3 && strcmp(*names, "osdev_type") == 0)
			value = device_kind(value, read_xml_get(to->xml, element, "subtype"));
		if (*value && !is_absurd(to, element, *names, value))
			put_attribute(to, *names, value);
	}
}

static void put_info(struct rewriting *to, int element)
{
	static const char *const names[] = { "name", "value", NULL };

	put_text(to, "<info");
	put_attributes(to, element, names);
	put_text(to, "/>\n");
}

static int check_number(const struct rewriting *to, int element, const char *name, int most)
{
	const char *value = read_xml_get(to->xml, element, name);

	if (*value && read_number(value, 10, 0, most) < 0)
		return read_fail(to->error, to->xml->elements[element].line, "%s=\"%.40s\" is no number that is read", name,
				 value);
	return 0;
}

/* The library's own way to write a set: words of 32 bits, the highest first, empty where they are 0, "0xf...f" for all bits above. */
static bool is_set(const char *text)
{
	static const char all[] = "0xf...f";
	const size_t length = strlen(all);

	if (strncmp(text, all, length) == 0) {
		text += length;
		if (*text && *text != ',')
			return false;
	} else if (*text == ',') {
		return false;
	}
	while (*text) {
		size_t digits;

		text += *text == ',';
		text += strncmp(text, "0x", 2) == 0 ? 2 : 0;
		digits = strspn(text, "0123456789abcdefABCDEF");
		text += digits;
		if (digits > 8 || (*text && *text != ','))
			return false;
	}
	return true;
}

static int check_sets(const struct rewriting *to, int element)
{
	static const char *const names[] = { "cpuset",  "complete_cpuset",  "online_cpuset",  "allowed_cpuset",
					     "nodeset", "complete_nodeset", "allowed_nodeset" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = read_xml_get(to->xml, element, names[i]);

		if (!is_set(value))
			return read_fail(to->error, to->xml->elements[element].line, "%s=\"%.40s\" is no set that is read",
					 names[i], value);
	}
	return 0;
}

static bool is_object(const struct rewriting *to, int element)
{
	/* Somebody's remarks. */
	return read_xml_is(to->xml, element, "object") && strcmp(read_xml_get(to->xml, element, "type"), "Misc") != 0;
}

enum need { NEED_NOTHING, NEED_SETS, NEED_NUMBER, NEED_UNKNOWN };

/* What the library takes for granted of an object of this type. */
static enum need need_of(const char *type)
{
	static const struct {
		const char *type;
		enum need need;
	} needs[] = {
		{ "Bridge", NEED_NOTHING },  { "PCIDev", NEED_NOTHING }, { "OSDev", NEED_NOTHING }, { "PU", NEED_NUMBER },
		{ "NUMANode", NEED_NUMBER }, { "Core", NEED_SETS },      { "Package", NEED_SETS },  { "Socket", NEED_SETS },
		{ "Die", NEED_SETS },        { "Group", NEED_SETS },     { "Machine", NEED_SETS },  { "System", NEED_SETS },
		{ "Cache", NEED_SETS },      { "L1Cache", NEED_SETS },   { "L2Cache", NEED_SETS },  { "L3Cache", NEED_SETS },
		{ "L4Cache", NEED_SETS },    { "L5Cache", NEED_SETS },   { "L1iCache", NEED_SETS }, { "L2iCache", NEED_SETS },
		{ "L3iCache", NEED_SETS },   { "MemCache", NEED_SETS },
	};

	for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
		if (strcmp(needs[i].type, type) == 0)
			return needs[i].need;
	}
	return NEED_UNKNOWN;
}

static int check_object(const struct rewriting *to, int element)
{
	static const char *const wanted[] = { "cpuset", "complete_cpuset", "nodeset", "complete_nodeset", "os_index" };
	const char *type = read_xml_get(to->xml, element, "type");
	const unsigned long line = to->xml->elements[element].line;
	const enum need need = need_of(type);
	const size_t count = need == NEED_NOTHING ? 0 : need == NEED_SETS ? 4 : 5;

	if (need == NEED_UNKNOWN)
		return read_fail(to->error, line, "an object of type \"%.40s\" is not known", type);
	if (check_number(to, element, "os_index", MOST_OS_INDEX) || check_number(to, element, "depth", MOST_DEPTH) ||
	    check_sets(to, element))
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (!*read_xml_get(to->xml, element, wanted[i]))
			return read_fail(to->error, line, "an object of type \"%s\" without %s", type, wanted[i]);
	}
	return 0;
}

/* With what is in it; recursion ends at the depth that the tree may have. */
static int put_object(struct rewriting *to, int element)
{
	static const char *const names[] = { "type",
					     "os_index",
					     "cpuset",
					     "complete_cpuset",
					     "online_cpuset",
					     "allowed_cpuset",
					     "nodeset",
					     "complete_nodeset",
					     "allowed_nodeset",
					     "gp_index",
					     "name",
					     "subtype",
					     "cache_size",
					     "depth",
					     "cache_linesize",
					     "cache_associativity",
					     "cache_type",
					     "local_memory",
					     "bridge_type",
					     "bridge_pci",
					     "pci_busid",
					     "pci_type",
					     "pci_link_speed",
					     "osdev_type",
					     NULL };
	const struct read_xml *xml = to->xml;

	if (check_object(to, element))
		return -1;
	put_text(to, "<object");
	put_attributes(to, element, names);
	put_text(to, ">\n");
	/* Version 3 has what is true of all behind the objects. */
	for (int i = 1; xml->elements[element].parent == 0 && i < (int)xml->nelements; i = xml->elements[i].last + 1) {
		if (read_xml_is(xml, i, "info"))
			put_info(to, i);
	}
	/* The library wants these before objects. */
	for (int i = element + 1; i <= xml->elements[element].last; i = xml->elements[i].last + 1) {
		if (read_xml_is(xml, i, "info"))
			put_info(to, i);
	}
	for (int i = element + 1; i <= xml->elements[element].last; i = xml->elements[i].last + 1) {
		if (is_object(to, i) && put_object(to, i))
			return -1;
	}
	put_text(to, "</object>\n");
	return 0;
}

/* Numbers of a matrix, which the library counts by the length that stands before them. */
static int put_values(struct rewriting *to, int element)
{
	const char *text = read_xml_text(to->xml, element), *name = read_xml_name(to->xml, element);
	char length[24];

	if (text[strspn(text, "0123456789 :ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")])
		return read_fail(to->error, to->xml->elements[element].line, "<%.20s> is not of numbers", name);
	snprintf(length, sizeof length, "%zu", strlen(text));
	put_text(to, "<");
	put_text(to, name);
	put_attribute(to, "length", length);
	put_text(to, ">");
	put_text(to, text);
	put_text(to, "</");
	put_text(to, name);
	put_text(to, ">\n");
	return 0;
}

/* Of the matrices only that of NVLinks matters. */
static int put_matrix(struct rewriting *to, int element)
{
	static const char *const names[] = { "type", "nbobjs", "kind", "name", "indexing", NULL };
	const struct read_xml *xml = to->xml;
	const char *name = read_xml_name(xml, element);

	if (strcmp(read_xml_get(xml, element, "name"), "NVLinkBandwidth") != 0)
		return 0;
	if (check_number(to, element, "nbobjs", MOST_TOGETHER) || check_number(to, element, "kind", 1 << 16))
		return -1;
	put_text(to, "<");
	put_text(to, name);
	put_attributes(to, element, names);
	put_text(to, ">\n");
	for (int i = element + 1; i <= xml->elements[element].last; i++) {
		if ((read_xml_is(xml, i, "indexes") || read_xml_is(xml, i, "u64values")) && put_values(to, i))
			return -1;
	}
	put_text(to, "</");
	put_text(to, name);
	put_text(to, ">\n");
	return 0;
}

static int rewrite(struct rewriting *to)
{
	const struct read_xml *xml = to->xml;
	const char *version = read_xml_get(xml, 0, "version");
	int first = 1;

	if (!read_xml_is(xml, 0, "topology"))
		return read_fail(to->error, xml->elements[0].line, "it begins with <%.40s>: hwloc's XML begins with <topology>%s",
				 read_xml_name(xml, 0), read_xml_is(xml, 0, "system") ? ", this looks like NCCL's" : "");
	to->version = *version ? *version - '0' : 1;
	if (to->version < 1 || to->version > 3 || (*version && version[1] != '.'))
		return read_fail(to->error, xml->elements[0].line, "version \"%.20s\" of hwloc's XML is not known", version);
	while (first < (int)xml->nelements && !is_object(to, first))
		first = xml->elements[first].last + 1;
	if (first >= (int)xml->nelements)
		return read_fail(to->error, xml->elements[0].line, "a <topology> of nothing");
	put_text(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	put_text(to, to->version == 1 ? "<topology>\n" : "<topology version=\"2.0\">\n");
	if (put_object(to, first))
		return -1;
	for (int i = xml->elements[first].last + 1; to->version > 1 && i < (int)xml->nelements; i = xml->elements[i].last + 1) {
		if ((read_xml_is(xml, i, "distances2") || read_xml_is(xml, i, "distances2hetero")) && put_matrix(to, i))
			return -1;
	}
	put_text(to, "</topology>\n");
	put(to, "", 1);
	return to->failed ? read_fail(to->error, 0, "out of memory") : 0;
}

/* The host of `one`, that the library fills. */
static int load(const struct rewriting *from, struct topo *one, struct topo *topo, const char *base)
{
	char why[256] = "";

	if (by_hwloc_xml(from->text, from->used - 1, from->host, why, sizeof why))
		return read_fail(from->error, 0, "%s", why);
	return read_hand_over(from->error, topo, one, base);
}

int read_hwloc(const char *file, const char *text, size_t size, struct topo *topo, char *error, size_t error_size)
{
	const struct read_error to = { file, error, error_size };
	struct read_xml xml = { 0 };
	struct topo one = { 0 };
	struct rewriting rewriting = { .xml = &xml, .error = &to };
	int rc;

	if (!*by_hwloc_name())
		return read_fail(&to, 0, "hwloc's XML cannot be read: collperf was built without hwloc");
	if (read_xml_parse(&xml, &to, text, size, true))
		return -1;
	rewriting.host = topo_add_host(&one);
	rc = rewriting.host ? rewrite(&rewriting) : read_fail(&to, 0, "out of memory");
	if (rc == 0)
		rc = load(&rewriting, &one, topo, read_base(file));
	topo_clear(&one);
	free(rewriting.text);
	read_xml_clear(&xml);
	return rc;
}
