/* SPDX-License-Identifier: Apache-2.0
 *
 * What makes rows of two sides the same series, and how it is called. Texts of the sides are of different pools, so they are compared as texts.
 */
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../text.h"
#include "sheet_parts.h"

/* A row that looks for its key. */
struct seeker {
	const struct gate_keys *keys;
	const struct result *row;
};

static bool same_text(const char *left, const char *right)
{
	return left == right || strcmp(left, right) == 0;
}

bool gate_key_same(const struct result *left, const struct result *right, bool loose)
{
	return left->nranks == right->nranks && left->nnodes == right->nnodes && left->root == right->root &&
	       same_text(left->collective, right->collective) && same_text(left->type, right->type) &&
	       same_text(left->redop, right->redop) && same_text(left->group, right->group) &&
	       same_text(left->variant, right->variant) &&
	       (loose || (same_text(left->backend, right->backend) && same_text(left->path, right->path) &&
			  same_text(left->algo, right->algo)));
}

static bool owns(const void *context, size_t number)
{
	const struct seeker *seeker = context;

	return gate_key_same(seeker->keys->items[number], seeker->row, seeker->keys->loose);
}

static uint64_t hash_of(const struct result *row, bool loose)
{
	const char *texts[] = { row->collective, row->type,    row->redop, row->group,
				row->variant,    row->backend, row->path,  row->algo };
	size_t n = sizeof texts / sizeof *texts - (loose ? 3 : 0);
	uint64_t hash = index_mix(index_mix((uint64_t)row->nranks, (uint64_t)row->nnodes), (uint64_t)row->root);

	for (size_t i = 0; i < n; i++)
		hash = index_mix_text(hash, texts[i]);
	return hash;
}

/* All arrays grow together, by the same count. */
static int grow(struct gate_keys *keys)
{
	const struct result ***arrays[] = { &keys->items, &keys->of[GATE_BASE], &keys->of[GATE_NEW] };

	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
		const struct result **grown = array_grow(*arrays[i], keys->count, sizeof *grown);

		if (!grown)
			return -1;
		*arrays[i] = grown;
	}
	return 0;
}

static size_t add(struct gate_keys *keys, const struct result *row, uint64_t hash)
{
	if (grow(keys))
		return SIZE_MAX;
	if (index_add(&keys->index, hash, keys->count)) {
		array_failed();
		return SIZE_MAX;
	}
	keys->items[keys->count] = row;
	keys->of[GATE_BASE][keys->count] = keys->of[GATE_NEW][keys->count] = NULL;
	return keys->count++;
}

size_t gate_keys_find(struct gate_keys *keys, enum gate_side_id id, const struct result *row)
{
	struct seeker seeker = { keys, row };
	uint64_t hash;
	size_t key = keys->last;

	/* Texts of one side are equal where their addresses are. */
	if (key < keys->count && keys->of[id][key] && gate_key_same(keys->of[id][key], row, false))
		return key;
	hash = hash_of(row, keys->loose);
	key = index_find(&keys->index, hash, owns, &seeker);
	if (key == INDEX_NONE)
		key = add(keys, row, hash);
	if (key == SIZE_MAX)
		return SIZE_MAX;
	if (!keys->of[id][key])
		keys->of[id][key] = row;
	else if (keys->loose && !gate_key_same(keys->of[id][key], row, false))
		keys->mixed = true;
	keys->last = key;
	return key;
}

void gate_keys_clear(struct gate_keys *keys)
{
	free(keys->items);
	free(keys->of[GATE_BASE]);
	free(keys->of[GATE_NEW]);
	index_clear(&keys->index);
	*keys = (struct gate_keys){ 0 };
}

/* What an absent part leaves out. */
static size_t put(char *buffer, size_t size, size_t used, const char *before, const char *text)
{
	char shown[128];
	int n;

	if (!*text || used >= size)
		return used;
	n = snprintf(buffer + used, size - used, "%s%s", before, text_escape(text, shown, sizeof shown));
	return n > 0 ? used + (size_t)n : used;
}

static size_t put_number(char *buffer, size_t size, size_t used, const char *format, int64_t number)
{
	int n;

	if (number == RESULT_NONE || used >= size)
		return used;
	n = snprintf(buffer + used, size - used, format, (long long)number);
	return n > 0 ? used + (size_t)n : used;
}

const char *gate_key_words(const struct result *key, char *buffer, size_t size)
{
	size_t used = put(buffer, size, 0, "", key->collective);

	used = put(buffer, size, used, ", ", key->backend);
	used = put(buffer, size, used, ", ", key->path);
	used = put(buffer, size, used, ", ", key->algo);
	used = put(buffer, size, used, ", group ", key->group);
	used = put_number(buffer, size, used, key->nranks == 1 ? ", %lld rank" : ", %lld ranks", key->nranks);
	used = put(buffer, size, used, ", ", key->variant);
	if (key->nnodes > 1)
		used = put_number(buffer, size, used, ", %lld nodes", key->nnodes);
	used = put(buffer, size, used, ", ", key->type);
	used = put(buffer, size, used, *key->type ? " " : ", ", key->redop);
	if (key->root > 0)
		put_number(buffer, size, used, ", root %lld", key->root);
	return buffer;
}
