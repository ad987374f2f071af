/* SPDX-License-Identifier: Apache-2.0
 *
 * Pairs and choices that logs tell, each once; and the pieces of which the readers of lines are made.
 */
#include "taken.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "taken_parts.h"

/* So that a log of nonsense does not make each line slower than the one before. */
enum { MOST_OF_A_PAIR = 32 };

void taken_clear(struct taken *taken)
{
	free(taken->pairs);
	free(taken->transports);
	free(taken->choices);
	free(taken->pair_slots);
	free(taken->choice_slots);
	memset(taken, 0, sizeof *taken);
}

bool taken_word(struct taken_text *text, const char *word)
{
	const size_t length = strlen(word);

	if ((size_t)(text->end - text->at) < length || memcmp(text->at, word, length) != 0)
		return false;
	text->at += length;
	return true;
}

bool taken_number(struct taken_text *text, unsigned long long most, unsigned long long *number)
{
	const char *at = text->at;
	unsigned long long value = 0;

	for (; at < text->end && *at >= '0' && *at <= '9'; at++) {
		const unsigned digit = (unsigned)(*at - '0');

		if (digit > most || value > (most - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	if (at == text->at)
		return false;
	text->at = at;
	*number = value;
	return true;
}

void taken_blanks(struct taken_text *text)
{
	while (text->at < text->end && (*text->at == ' ' || *text->at == '\t'))
		text->at++;
}

bool taken_skip_to(struct taken_text *text, const char *word)
{
	const char *found = memmem(text->at, (size_t)(text->end - text->at), word, strlen(word));

	if (found)
		text->at = found + strlen(word);
	return found != NULL;
}

void taken_copy(struct taken_text *text, size_t length, char *to, size_t size)
{
	const size_t kept = length < size ? length : size - 1;

	for (size_t i = 0; i < kept; i++)
		to[i] = text->at[i] >= ' ' && text->at[i] < 0x7f ? text->at[i] : '?';
	to[kept] = '\0';
	text->at += length;
}

static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3U;
	return hash ^ hash >> 29;
}

static uint64_t pair_hash(int from, int to, const char *how)
{
	const uint64_t hash = mix(mix(0xcbf29ce484222325U, &from, sizeof from), &to, sizeof to);

	return from < 0 ? mix(hash, how, strlen(how)) : hash;
}

static uint64_t choice_hash(const struct taken_choice *choice)
{
	uint64_t hash = mix(0xcbf29ce484222325U, &choice->bytes, sizeof choice->bytes);

	hash = mix(hash, choice->collective, strlen(choice->collective));
	hash = mix(hash, choice->algo, strlen(choice->algo));
	hash = mix(hash, choice->proto, strlen(choice->proto));
	return mix(hash, &choice->channels, sizeof choice->channels);
}

static bool same_pair(const struct taken_pair *pair, int from, int to, const char *how)
{
	return pair->from == from && pair->to == to && (from >= 0 || strcmp(pair->how, how) == 0);
}

static bool same_choice(const struct taken_choice *a, const struct taken_choice *b)
{
	return a->bytes == b->bytes && a->channels == b->channels && strcmp(a->collective, b->collective) == 0 &&
	       strcmp(a->algo, b->algo) == 0 && strcmp(a->proto, b->proto) == 0;
}

static void enter(unsigned *slots, size_t room, uint64_t hash, size_t index)
{
	size_t slot = hash & (room - 1);

	while (slots[slot])
		slot = (slot + 1) & (room - 1);
	slots[slot] = (unsigned)index + 1;
}

/* A power of two, at most half full. */
static unsigned *bigger(unsigned **slots, size_t *room)
{
	const size_t more = *room ? *room * 2 : 64;
	unsigned *made = calloc(more, sizeof *made);

	if (made) {
		free(*slots);
		*slots = made;
		*room = more;
	}
	return made;
}

static int grow_pairs(struct taken *taken)
{
	if (2 * (taken->npairs + 1) <= taken->pair_room)
		return 0;
	struct taken_pair *pairs = realloc(taken->pairs, (taken->pair_room ? taken->pair_room : 32) * sizeof *pairs);

	if (!pairs)
		return -1;
	taken->pairs = pairs;
	if (!bigger(&taken->pair_slots, &taken->pair_room))
		return -1;
	for (size_t i = 0; i < taken->npairs; i++)
		enter(taken->pair_slots, taken->pair_room, pair_hash(pairs[i].from, pairs[i].to, pairs[i].how), i);
	return 0;
}

static int grow_choices(struct taken *taken)
{
	if (2 * (taken->nchoices + 1) <= taken->choice_room)
		return 0;
	struct taken_choice *choices = realloc(taken->choices, (taken->choice_room ? taken->choice_room : 32) * sizeof *choices);

	if (!choices)
		return -1;
	taken->choices = choices;
	if (!bigger(&taken->choice_slots, &taken->choice_room))
		return -1;
	for (size_t i = 0; i < taken->nchoices; i++)
		enter(taken->choice_slots, taken->choice_room, choice_hash(&choices[i]), i);
	return 0;
}

struct taken_pair *taken_find_pair(struct taken *taken, int from, int to, const char *how, bool *failed)
{
	const uint64_t hash = pair_hash(from, to, how);
	size_t slot = taken->pair_room ? hash & (taken->pair_room - 1) : 0;

	*failed = false;
	for (; taken->pair_room && taken->pair_slots[slot]; slot = (slot + 1) & (taken->pair_room - 1))
		if (same_pair(&taken->pairs[taken->pair_slots[slot] - 1], from, to, how))
			return &taken->pairs[taken->pair_slots[slot] - 1];
	if (taken->npairs >= TAKEN_MOST_PAIRS) {
		taken->left_out++;
		return NULL;
	}
	if (grow_pairs(taken)) {
		*failed = true;
		return NULL;
	}
	struct taken_pair *pair = &taken->pairs[taken->npairs];

	*pair = (struct taken_pair){ .from = from, .to = to };
	if (from < 0)
		strncpy(pair->how, how, sizeof pair->how - 1);
	enter(taken->pair_slots, taken->pair_room, hash, taken->npairs++);
	return pair;
}

static int grow_transports(struct taken *taken)
{
	if (taken->ntransports < taken->transport_room)
		return 0;
	const size_t room = taken->transport_room ? taken->transport_room * 2 : 32;
	struct taken_transport *more = realloc(taken->transports, room * sizeof *more);

	if (!more)
		return -1;
	taken->transports = more;
	taken->transport_room = room;
	return 0;
}

struct taken_transport *taken_find_transport(struct taken *taken, struct taken_pair *pair, const char *how, bool *failed)
{
	size_t last = 0, count = 0;

	*failed = false;
	for (size_t next = pair->transports; next; next = taken->transports[last].next, count++) {
		last = next - 1;
		if (strcmp(taken->transports[last].how, how) == 0)
			return &taken->transports[last];
	}
	if (taken->ntransports >= TAKEN_MOST_TRANSPORTS || count == MOST_OF_A_PAIR) {
		taken->left_out++;
		return NULL;
	}
	*failed = grow_transports(taken) != 0;
	if (*failed)
		return NULL;
	struct taken_transport *transport = &taken->transports[taken->ntransports++];

	*transport = (struct taken_transport){ .next = 0 };
	strncpy(transport->how, how, sizeof transport->how - 1);
	*(count > 0 ? &taken->transports[last].next : &pair->transports) = taken->ntransports;
	return transport;
}

int taken_count_choice(struct taken *taken, const struct taken_choice *choice)
{
	const uint64_t hash = choice_hash(choice);
	size_t slot = taken->choice_room ? hash & (taken->choice_room - 1) : 0;

	for (; taken->choice_room && taken->choice_slots[slot]; slot = (slot + 1) & (taken->choice_room - 1)) {
		struct taken_choice *known = &taken->choices[taken->choice_slots[slot] - 1];

		if (same_choice(known, choice)) {
			known->calls++;
			return 0;
		}
	}
	if (taken->nchoices >= TAKEN_MOST_CHOICES) {
		taken->left_out++;
		return 0;
	}
	if (grow_choices(taken))
		return -1;
	taken->choices[taken->nchoices] = *choice;
	taken->choices[taken->nchoices].calls = 1;
	enter(taken->choice_slots, taken->choice_room, hash, taken->nchoices++);
	return 0;
}

void taken_words(unsigned ways, const char *network, char *text)
{
	char known[64];
	const char *p2p = ways & 1U << WAY_AUTO ? "p2p" : "";

	way_words(ways & ~(1U << WAY_AUTO), known);
	snprintf(text, TAKEN_WORDS, "%s%s%.63s%s%.23s", p2p, *p2p && *known ? "+" : "", known,
		 *network && (*p2p || *known) ? "+" : "", network);
}
