/* SPDX-License-Identifier: Apache-2.0
 *
 * What sets series apart, put into words.
 */
#include "label.h"

#include <stdio.h>
#include <string.h>

#include "escape.h"

enum { MOST_PAIRED = 64 }; /* longer lists, which no figure shows, are not searched for shorter labels */

static bool differ_text(const char *left, const char *right)
{
	return strcmp(left, right) != 0;
}

/* The last part of a path, or the last two. */
static const char *tail_of(const char *path, bool parent)
{
	const char *slash = strrchr(path, '/');
	const char *before = slash;

	while (parent && before && before > path && before[-1] != '/')
		before--;
	if (parent && before)
		return before;
	return slash ? slash + 1 : path;
}

/* The parts that two series do not share. */
static struct label_parts difference(const struct series *a, const struct series *b, bool parent)
{
	const struct result *left = a->key, *right = b->key;

	return (struct label_parts){
		.name = differ_text(tail_of(a->source, parent), tail_of(b->source, parent)),
		.folder = differ_text(tail_of(a->machine->folder, parent), tail_of(b->machine->folder, parent)),
		.backend = differ_text(left->backend, right->backend),
		.library = differ_text(left->library, right->library),
		.path = differ_text(left->path, right->path),
		.algo = differ_text(left->algo, right->algo),
		.group = differ_text(left->group, right->group),
		.nranks = left->nranks != right->nranks,
		.nnodes = left->nnodes != right->nnodes,
		.timing = differ_text(left->timing, right->timing),
		.placement = differ_text(left->placement, right->placement),
		.type = differ_text(left->type, right->type),
		.redop = differ_text(left->redop, right->redop),
		.root = left->root != right->root,
		.variant = differ_text(left->variant, right->variant),
	};
}

static void merge(struct label_parts *parts, struct label_parts more)
{
	parts->name |= more.name;
	parts->folder |= more.folder;
	parts->backend |= more.backend;
	parts->library |= more.library;
	parts->path |= more.path;
	parts->algo |= more.algo;
	parts->group |= more.group;
	parts->nranks |= more.nranks;
	parts->nnodes |= more.nnodes;
	parts->timing |= more.timing;
	parts->placement |= more.placement;
	parts->type |= more.type;
	parts->redop |= more.redop;
	parts->root |= more.root;
	parts->variant |= more.variant;
}

static bool told_apart(struct label_parts by, struct label_parts of)
{
	return (by.name && of.name) || (by.folder && of.folder) || (by.backend && of.backend) || (by.library && of.library) ||
	       (by.path && of.path) || (by.algo && of.algo) || (by.group && of.group) || (by.nranks && of.nranks) ||
	       (by.nnodes && of.nnodes) || (by.timing && of.timing) || (by.placement && of.placement) || (by.type && of.type) ||
	       (by.redop && of.redop) || (by.root && of.root) || (by.variant && of.variant);
}

/* Pairs of the list that these parts do not tell apart; with `machines`, only pairs of two machines count. */
static size_t confused(const struct series *const list[], size_t n, struct label_parts parts, bool machines)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			if (!machines || list[i]->machine != list[j]->machine)
				count += !told_apart(parts, difference(list[i], list[j], parts.parent));
		}
	}
	return count;
}

/* One part of the source is what a label shows: the file's name, or its folder where all names are the same. */
static struct label_parts all_parts(const struct series *const list[], size_t n, bool parent)
{
	struct label_parts parts = { .parent = parent };

	for (size_t i = 1; i < n; i++)
		merge(&parts, difference(list[0], list[i], parent));
	parts.folder &= !parts.name;
	return parts;
}

/* `place` tells machines apart: by their sources only where nothing else does. */
static void find_place(const struct series *const list[], size_t n, struct label_parts all, struct label_parts *parts)
{
	struct label_parts place = {
		.parent = all.parent, .backend = all.backend, .path = all.path, .nranks = all.nranks, .nnodes = parts->nnodes
	};
	size_t without = confused(list, n, place, true);

	place.name = all.name;
	place.folder = all.folder;
	if (parts->name || parts->folder || confused(list, n, place, true) < without) {
		parts->machine_name = all.name;
		parts->machine_folder = all.folder;
	}
}

struct label_parts label_find(const struct series *const list[], size_t n)
{
	struct label_parts all = all_parts(list, n, false), parts, fewer;
	size_t least;

	parts = all;
	parts.machine_name = all.name;
	parts.machine_folder = all.folder;
	if (n > MOST_PAIRED)
		return parts;
	least = confused(list, n, all, false);
	if (least > 0) {
		struct label_parts longer = all_parts(list, n, true);
		size_t count = confused(list, n, longer, false);

		if (count < least) {
			all = longer;
			least = count;
		}
	}
	parts = fewer = all;
	fewer.library = false;
	if (confused(list, n, fewer, false) == least)
		parts = fewer;
	fewer = parts;
	fewer.name = fewer.folder = false;
	if (confused(list, n, fewer, false) == least)
		parts = fewer;
	fewer = parts;
	fewer.nnodes = false;
	if (confused(list, n, fewer, false) == least)
		parts = fewer;
	find_place(list, n, all, &parts);
	return parts;
}

/* Whether the blank-separated words of `label` hold `text`. */
static bool label_has(const char *label, const char *text)
{
	size_t length = strlen(text);

	for (const char *p = strstr(label, text); p; p = strstr(p + 1, text)) {
		if ((p == label || p[-1] == ' ') && (p[length] == ' ' || p[length] == '\0'))
			return true;
	}
	return false;
}

/* " text" or "text" at the end of a label that is still being made; a folder is often named for its path. */
static void add(char *label, size_t size, bool wanted, const char *text)
{
	size_t used = strlen(label);

	if (wanted && *text && used + 2 < size && !label_has(label, text))
		snprintf(label + used, size - used, "%s%s", used ? " " : "", text);
}

static void add_number(char *label, size_t size, bool wanted, int64_t number, const char *unit)
{
	char text[48];

	snprintf(text, sizeof text, "%lld %s%s", (long long)number, unit, number == 1 ? "" : "s");
	add(label, size, wanted && number != RESULT_NONE, text);
}

static void add_source(char *label, size_t size, const struct series *series, bool name, bool folder, bool parent)
{
	char text[80];
	size_t length;

	snprintf(text, sizeof text, "%s", tail_of(name ? series->source : series->machine->folder, parent));
	length = strlen(text);
	if (name && length > 4 && strcmp(text + length - 4, ".csv") == 0)
		text[length - 4] = '\0';
	add(label, size, name || folder, text);
}

static void add_place(char *label, size_t size, const struct result *key, struct label_parts parts)
{
	add(label, size, parts.backend, key->backend);
	add(label, size, parts.path, key->path);
	add_number(label, size, parts.nranks, key->nranks, "rank");
	add_number(label, size, parts.nnodes, key->nnodes, "node");
}

struct label label_make(const struct series *series, struct label_parts parts)
{
	const struct result *key = series->key;
	struct label label = { "", "" };
	char text[sizeof label.text] = "", place[sizeof label.place] = "", root[32];

	add_source(place, sizeof place, series, parts.machine_name, parts.machine_folder, parts.parent);
	add_place(place, sizeof place, key, parts);
	escape_label(label.place, sizeof label.place, place);
	add_source(text, sizeof place, series, parts.name, parts.folder, parts.parent);
	add_place(text, sizeof place, key, parts);
	/* Even where all have it: who reads the name of the primitive takes it for its plain call. */
	add(text, sizeof text, true, *key->variant ? key->variant : parts.variant ? "plain" : "");
	add(text, sizeof text, parts.library, key->library);
	add(text, sizeof text, parts.algo, key->algo);
	add(text, sizeof text, parts.group, key->group);
	add(text, sizeof text, parts.type, key->type);
	add(text, sizeof text, parts.redop, key->redop);
	snprintf(root, sizeof root, "root %lld", (long long)key->root);
	add(text, sizeof text, parts.root && key->root != RESULT_NONE, root);
	add(text, sizeof text, parts.timing, key->timing);
	add(text, sizeof text, parts.placement || !*text, key->placement);
	escape_label(label.text, sizeof label.text, *text ? text : "measured");
	return label;
}
