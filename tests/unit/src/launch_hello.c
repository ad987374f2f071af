/* SPDX-License-Identifier: Apache-2.0
 *
 * The two messages of the handshake: they read back as written, are nothing to other jobs, and no change of a bit survives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/launch/env.h"

static void test_hello(void **state)
{
	struct env_hello hello = { .nonce = 0x123456789abcdef0, .rank = 3, .size = 70000, .local_rank = -1, .host = "h" }, read;
	unsigned char bytes[ENV_HELLO_BYTES];
	struct env_key key, other;

	(void)state;
	env_hello_key("one", &key);
	env_hello_key("two", &other);
	env_hello_write(&hello, &key, bytes);
	assert_int_equal(env_hello_read(bytes, &key, &read), ENV_GENUINE);
	assert_true(read.nonce == hello.nonce && read.rank == 3 && read.size == 70000 && read.local_rank == -1);
	assert_string_equal(read.host, "h");
	assert_int_equal(env_hello_read(bytes, &other, &read), ENV_OTHER);
	for (size_t i = 0; i < 8 * sizeof bytes; i++) {
		bytes[i / 8] ^= (unsigned char)(1 << i % 8);
		assert_int_not_equal(env_hello_read(bytes, &key, &read), ENV_GENUINE);
		bytes[i / 8] ^= (unsigned char)(1 << i % 8);
	}
	/* Who has the token may still be wrong. */
	hello.rank = hello.size;
	env_hello_write(&hello, &key, bytes);
	assert_int_equal(env_hello_read(bytes, &key, &read), ENV_GARBAGE);
	hello = (struct env_hello){ .rank = 0, .size = ENV_MAX_RANKS + 1 };
	env_hello_write(&hello, &key, bytes);
	assert_int_equal(env_hello_read(bytes, &key, &read), ENV_GARBAGE);
}

static void test_answer(void **state)
{
	const struct env_answer answer = { .verdict = ENV_REFUSED, .reason = "no\033[2J" };
	struct env_answer read;
	unsigned char bytes[ENV_ANSWER_BYTES];
	struct env_key key, other;

	(void)state;
	env_hello_key("one", &key);
	env_hello_key("two", &other);
	env_answer_write(&answer, 7, &key, bytes);
	assert_int_equal(env_answer_read(bytes, 7, &key, &read), ENV_GENUINE);
	assert_int_equal(read.verdict, ENV_REFUSED);
	assert_string_equal(read.reason, "no?[2J");
	/* An answer to somebody else, or to an earlier hello, is none. */
	assert_int_equal(env_answer_read(bytes, 8, &key, &read), ENV_OTHER);
	assert_int_equal(env_answer_read(bytes, 7, &other, &read), ENV_OTHER);
	for (size_t i = 0; i < 8 * sizeof bytes; i++) {
		bytes[i / 8] ^= (unsigned char)(1 << i % 8);
		assert_int_not_equal(env_answer_read(bytes, 7, &key, &read), ENV_GENUINE);
		bytes[i / 8] ^= (unsigned char)(1 << i % 8);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_hello), cmocka_unit_test(test_answer) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
