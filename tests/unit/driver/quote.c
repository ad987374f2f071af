/* SPDX-License-Identifier: Apache-2.0
 *
 * What is put in quotes for a shell, and how.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "src/driver/quote.h"

static void check(void (*quote)(FILE *out, const char *text), const char *text, const char *expected)
{
	char *said = NULL;
	size_t size;
	FILE *out = open_memstream(&said, &size);

	assert_non_null(out);
	quote(out, text);
	fclose(out);
	assert_string_equal(said, expected);
	free(said);
}

static void words(void **state)
{
	(void)state;
	check(quote_word, "azAZ09_./+-", "azAZ09_./+-");
	check(quote_word, "", "''");
	check(quote_word, "'", "''\\'''");
	check(quote_word, "a'b", "'a'\\''b'");
	check(quote_word, "\xc3\xa9\n\\", "'\xc3\xa9\n\\'");
	for (const char *c = " \t!\"#$%&()*,:;<=>?@[]^`{|}~"; *c != '\0'; c++)
		check(quote_word, (char[]){ *c, '\0' }, (char[]){ '\'', *c, '\'', '\0' });
}

static void paths(void **state)
{
	(void)state;
	check(quote_path, "a-b", "a-b");
	check(quote_path, "-", "./-");
	check(quote_path, "-a b", "./'-a b'");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(words), cmocka_unit_test(paths) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
