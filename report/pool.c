/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts kept once each, in blocks that never move, found through an open hash table.
 */
#include "pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 * 1024, FIRST_SLOTS = 256 };

struct block {
	struct block *next;
	char text[];
};

struct pool {
	struct block *blocks;
	char *place; /* free room in the newest block */
	size_t room;
	const char **slots; /* a power of two, at most half full */
	size_t nslots;
	size_t ntexts;
};

/* FNV-1a, 64 bits. */
static size_t hash(const char *text)
{
	uint64_t value = 0xcbf29ce484222325u;

	for (; *text; text++)
		value = (value ^ (unsigned char)*text) * 0x100000001b3u;
	return (size_t)(value ^ value >> 32);
}

struct pool *pool_new(void)
{
	struct pool *pool = calloc(1, sizeof(*pool));

	if (!pool)
		return NULL;
	pool->nslots = FIRST_SLOTS;
	pool->slots = calloc(pool->nslots, sizeof(*pool->slots));
	if (!pool->slots) {
		free(pool);
		return NULL;
	}
	return pool;
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	for (struct block *block = pool->blocks, *next; block; block = next) {
		next = block->next;
		free(block);
	}
	free(pool->slots);
	free(pool);
}

static size_t find_slot(const char *const *slots, size_t nslots, const char *text)
{
	size_t i = hash(text) & (nslots - 1);

	while (slots[i] && strcmp(slots[i], text) != 0)
		i = (i + 1) & (nslots - 1);
	return i;
}

static int grow(struct pool *pool)
{
	size_t nslots = pool->nslots * 2;
	const char **slots = calloc(nslots, sizeof(*slots));

	if (!slots)
		return -1;
	for (size_t i = 0; i < pool->nslots; i++)
		if (pool->slots[i])
			slots[find_slot(slots, nslots, pool->slots[i])] = pool->slots[i];
	free(pool->slots);
	pool->slots = slots;
	pool->nslots = nslots;
	return 0;
}

static const char *store(struct pool *pool, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy;

	if (size > pool->room) {
		size_t room = size > BLOCK ? size : BLOCK;
		struct block *block = malloc(sizeof(*block) + room);

		if (!block)
			return NULL;
		block->next = pool->blocks;
		pool->blocks = block;
		pool->place = block->text;
		pool->room = room;
	}
	copy = memcpy(pool->place, text, size);
	pool->place += size;
	pool->room -= size;
	return copy;
}

const char *pool_text(struct pool *pool, const char *text)
{
	size_t slot;

	if (2 * pool->ntexts >= pool->nslots && grow(pool) != 0)
		return NULL;
	slot = find_slot(pool->slots, pool->nslots, text);
	if (!pool->slots[slot]) {
		pool->slots[slot] = store(pool, text);
		if (pool->slots[slot])
			pool->ntexts++;
	}
	return pool->slots[slot];
}
