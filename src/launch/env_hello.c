/* SPDX-License-Identifier: Apache-2.0
 *
 * The two messages of the handshake. Each carries a keyed digest (SipHash-2-4, Aumasson and Bernstein 2012) over itself and a number that the
 * sender of the hello drew, so that neither a stranger who listens nor one who connects is told the token. It keeps jobs and strangers apart; who
 * can read and change the network's packets is not kept out. Numbers are big-endian.
 */
#include <string.h>

#include "env.h"

enum { VERSION = 1, MAGIC_BYTES = 8, DIGEST_BYTES = 8 };

static const char hello_magic[MAGIC_BYTES] = "clp-helo", answer_magic[MAGIC_BYTES] = "clp-answ";

/* What follows the handshake is in the sender's byte order. */
static const uint32_t order = 0x01020304;

static uint64_t turn(uint64_t value, int bits)
{
	return value << bits | value >> (64 - bits);
}

static void mix(uint64_t v[4], int rounds)
{
	while (rounds-- > 0) {
		v[0] += v[1], v[1] = turn(v[1], 13) ^ v[0], v[0] = turn(v[0], 32);
		v[2] += v[3], v[3] = turn(v[3], 16) ^ v[2];
		v[0] += v[3], v[3] = turn(v[3], 21) ^ v[0];
		v[2] += v[1], v[1] = turn(v[1], 17) ^ v[2], v[2] = turn(v[2], 32);
	}
}

static uint64_t digest(const struct env_key *key, const unsigned char *bytes, size_t size)
{
	uint64_t v[4] = { key->word[0] ^ 0x736f6d6570736575u, key->word[1] ^ 0x646f72616e646f6du,
			  key->word[0] ^ 0x6c7967656e657261u, key->word[1] ^ 0x7465646279746573u };

	for (size_t i = 0; i <= size / 8; i++) {
		uint64_t word = i == size / 8 ? (uint64_t)size << 56 : 0;

		for (size_t j = 0; j < 8 && 8 * i + j < size; j++)
			word |= (uint64_t)bytes[8 * i + j] << 8 * j;
		v[3] ^= word;
		mix(v, 2);
		v[0] ^= word;
	}
	v[2] ^= 0xff;
	mix(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static unsigned char *put(unsigned char *at, uint64_t value, int bytes)
{
	for (int i = 0; i < bytes; i++)
		at[i] = (unsigned char)(value >> 8 * (bytes - 1 - i));
	return at + bytes;
}

static const unsigned char *get(const unsigned char *at, uint64_t *value, int bytes)
{
	*value = 0;
	for (int i = 0; i < bytes; i++)
		*value = *value << 8 | at[i];
	return at + bytes;
}

/* The digest stands at the end and covers all before it. */
static void sign(unsigned char *bytes, size_t size, const struct env_key *key)
{
	put(bytes + size - DIGEST_BYTES, digest(key, bytes, size - DIGEST_BYTES), DIGEST_BYTES);
}

static bool is_signed(const unsigned char *bytes, size_t size, const struct env_key *key)
{
	uint64_t said;

	get(bytes + size - DIGEST_BYTES, &said, DIGEST_BYTES);
	return said == digest(key, bytes, size - DIGEST_BYTES);
}

void env_hello_key(const char *token, struct env_key *key)
{
	const struct env_key first = { { 1, 0 } }, second = { { 2, 0 } };

	key->word[0] = digest(&first, (const unsigned char *)token, strlen(token));
	key->word[1] = digest(&second, (const unsigned char *)token, strlen(token));
}

static unsigned char *put_head(unsigned char *at, const char *magic)
{
	memcpy(at, magic, MAGIC_BYTES);
	at = put(at + MAGIC_BYTES, VERSION, 4);
	memcpy(at, &order, sizeof order);
	return at + sizeof order;
}

/* Behind it, or NULL: another version or byte order. */
static const unsigned char *get_head(const unsigned char *at)
{
	uint64_t version;

	at = get(at + MAGIC_BYTES, &version, 4);
	return version == VERSION && memcmp(at, &order, sizeof order) == 0 ? at + sizeof order : NULL;
}

void env_hello_write(const struct env_hello *hello, const struct env_key *key, unsigned char *bytes)
{
	memset(bytes, 0, ENV_HELLO_BYTES);
	unsigned char *at = put_head(bytes, hello_magic);

	at = put(at, hello->nonce, 8);
	at = put(at, (uint64_t)hello->rank, 4);
	at = put(at, (uint64_t)hello->size, 4);
	at = put(at, (uint64_t)hello->local_rank + 1, 4);
	memcpy(at, hello->host, ENV_HOST_KEY);
	sign(bytes, ENV_HELLO_BYTES, key);
}

enum env_reading env_hello_read(const unsigned char *bytes, const struct env_key *key, struct env_hello *hello)
{
	uint64_t nonce, rank, size, local;

	if (memcmp(bytes, hello_magic, MAGIC_BYTES) != 0)
		return ENV_GARBAGE;
	const unsigned char *at = get_head(bytes);

	if (!at || !is_signed(bytes, ENV_HELLO_BYTES, key))
		return ENV_OTHER;
	at = get(at, &nonce, 8);
	at = get(at, &rank, 4);
	at = get(at, &size, 4);
	at = get(at, &local, 4);
	if (size > ENV_MAX_RANKS || rank >= size || local > ENV_MAX_RANKS)
		return ENV_GARBAGE;
	*hello = (struct env_hello){ .nonce = nonce, .rank = (int)rank, .size = (int)size, .local_rank = (int)local - 1 };
	memcpy(hello->host, at, ENV_HOST_KEY);
	hello->host[ENV_HOST_KEY - 1] = '\0';
	return ENV_GENUINE;
}

void env_answer_write(const struct env_answer *answer, uint64_t nonce, const struct env_key *key, unsigned char *bytes)
{
	memset(bytes, 0, ENV_ANSWER_BYTES);
	unsigned char *at = put_head(bytes, answer_magic);

	at = put(at, nonce, 8);
	at = put(at, answer->verdict, 4);
	memcpy(at, answer->reason, strnlen(answer->reason, ENV_REASON - 1));
	sign(bytes, ENV_ANSWER_BYTES, key);
}

enum env_reading env_answer_read(const unsigned char *bytes, uint64_t nonce, const struct env_key *key, struct env_answer *answer)
{
	uint64_t echo, verdict;

	if (memcmp(bytes, answer_magic, MAGIC_BYTES) != 0)
		return ENV_GARBAGE;
	const unsigned char *at = get_head(bytes);

	if (!at) {
		*answer = (struct env_answer){ ENV_REFUSED,
					       "it runs another version of this program, or on another kind of processor" };
		return ENV_OTHER;
	}
	at = get(at, &echo, 8);
	at = get(at, &verdict, 4);
	if (verdict != ENV_WELCOME && verdict != ENV_REFUSED)
		return ENV_GARBAGE;
	*answer = (struct env_answer){ .verdict = (enum env_verdict)verdict };
	memcpy(answer->reason, at, ENV_REASON - 1);
	for (char *c = answer->reason; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return echo == nonce && is_signed(bytes, ENV_ANSWER_BYTES, key) ? ENV_GENUINE : ENV_OTHER;
}
