/* SPDX-License-Identifier: Apache-2.0 */
/* sources: src/launch/env_hello.c */
/*
 * Any bytes as the messages of the handshake, read as they are and once more with the digest that they should have: what is accepted is within its
 * limits and is written again as it was read, what is refused leaves the output alone.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "src/launch/env.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_hello(const unsigned char *bytes, const struct env_key *key)
{
	struct env_hello hello, kept, again;
	unsigned char written[ENV_HELLO_BYTES];

	memset(&hello, '!', sizeof hello);
	kept = hello;
	if (env_hello_read(bytes, key, &hello) != ENV_GENUINE) {
		assert(memcmp(&hello, &kept, sizeof hello) == 0);
		return;
	}
	assert(hello.size > 0 && hello.size <= ENV_MAX_RANKS && hello.rank >= 0 && hello.rank < hello.size);
	assert(hello.local_rank >= -1 && hello.local_rank < ENV_MAX_RANKS);
	assert(memchr(hello.host, '\0', sizeof hello.host));
	env_hello_write(&hello, key, written);
	assert(env_hello_read(written, key, &again) == ENV_GENUINE);
	assert(again.nonce == hello.nonce && again.rank == hello.rank && again.size == hello.size &&
	       again.local_rank == hello.local_rank && strcmp(again.host, hello.host) == 0);
}

static void check_answer(const unsigned char *bytes, const struct env_key *key)
{
	struct env_answer answer;

	if (env_answer_read(bytes, 0, key, &answer) == ENV_GARBAGE)
		return;
	assert(answer.verdict == ENV_WELCOME || answer.verdict == ENV_REFUSED);
	assert(memchr(answer.reason, '\0', sizeof answer.reason));
	for (const char *c = answer.reason; *c; c++)
		assert(*c >= ' ' && *c <= '~');
}

/* A hello of these numbers with a valid digest, whatever they are. */
static void check_signed(const unsigned char *bytes, const struct env_key *key)
{
	struct env_hello hello = { 0 };
	unsigned char written[ENV_HELLO_BYTES];
	int32_t numbers[3];

	memcpy(numbers, bytes, sizeof numbers);
	hello.rank = numbers[0];
	hello.size = numbers[1];
	hello.local_rank = numbers[2] == INT32_MAX ? 0 : numbers[2];
	memcpy(hello.host, bytes + sizeof numbers, sizeof hello.host);
	env_hello_write(&hello, key, written);
	check_hello(written, key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char bytes[ENV_ANSWER_BYTES] = { 0 };
	struct env_key key;

	env_hello_key("token", &key);
	if (size > 0)
		memcpy(bytes, data, size < sizeof bytes ? size : sizeof bytes);
	check_hello(bytes, &key);
	check_answer(bytes, &key);
	check_signed(bytes, &key);
	return 0;
}
