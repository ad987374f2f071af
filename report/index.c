/* SPDX-License-Identifier: Apache-2.0
 *
 * An open hash table of numbers. The hashes lie beside them, so that a step over a stranger need not look at the thing itself.
 */
#include "index.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 256 };

uint64_t index_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

uint64_t index_mix_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return index_mix(hash, 1);
}

/* The low bits choose the slot, so they must hang on all of the hash. */
static uint32_t fold(uint64_t hash)
{
	return (uint32_t)(hash ^ hash >> 32);
}

size_t index_find(const struct index *index, uint64_t hash, bool (*same)(const void *context, size_t number), const void *context)
{
	uint32_t folded = fold(hash);

	if (index->nslots == 0)
		return INDEX_NONE;
	for (size_t i = folded & (index->nslots - 1); index->slots[i].number; i = (i + 1) & (index->nslots - 1)) {
		if (index->slots[i].hash == folded && same(context, index->slots[i].number - 1))
			return index->slots[i].number - 1;
	}
	return INDEX_NONE;
}

static void place(struct index_slot *slots, size_t nslots, struct index_slot slot)
{
	size_t i = slot.hash & (nslots - 1);

	while (slots[i].number)
		i = (i + 1) & (nslots - 1);
	slots[i] = slot;
}

static int grow(struct index *index)
{
	size_t nslots = index->nslots ? 2 * index->nslots : FIRST_SLOTS;
	struct index_slot *slots = calloc(nslots, sizeof *slots);

	if (!slots)
		return -1;
	for (size_t i = 0; i < index->nslots; i++) {
		if (index->slots[i].number)
			place(slots, nslots, index->slots[i]);
	}
	free(index->slots);
	index->slots = slots;
	index->nslots = nslots;
	return 0;
}

int index_add(struct index *index, uint64_t hash, size_t number)
{
	if (index->count >= INDEX_MOST || number >= INDEX_MOST || (2 * index->count >= index->nslots && grow(index)))
		return -1;
	place(index->slots, index->nslots, (struct index_slot){ (uint32_t)number + 1, fold(hash) });
	index->count++;
	return 0;
}

void index_clear(struct index *index)
{
	free(index->slots);
	*index = (struct index){ 0 };
}
