/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of --launcher as words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "src/driver/split.h"

enum { MAX_WORDS = 6 };

static void texts_become_words(void **state)
{
	static const struct {
		const char *text;
		const char *words[MAX_WORDS];
	} cases[] = {
		{ "mpiexec", { "mpiexec" } },
		{ "srun -n 16", { "srun", "-n", "16" } },
		{ " \t srun \n -n\t16  ", { "srun", "-n", "16" } },
		{ "a 'b c' \"d  e\"", { "a", "b c", "d  e" } },
		{ "a b'c d'e\"f g\"h", { "a", "bc def gh" } },
		{ "a '' \"\"", { "a", "", "" } },
		{ "a '\"' \"'\"", { "a", "\"", "'" } },
		{ "a b\\ c \\' \\\\ \\n", { "a", "b c", "'", "\\", "n" } },
		{ "a '\\n' \"\\\"\\\\\"", { "a", "\\n", "\"\\" } },
		{ "a $(b) `c` $D *; ~", { "a", "$(b)", "`c`", "$D", "*;", "~" } },
		{ "'a b'", { "a b" } },
		{ "\xc3\xa9 \xff", { "\xc3\xa9", "\xff" } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct words words = { 0 };
		const char *why = NULL;
		size_t count = 0;

		assert_int_equal(split_words(cases[i].text, &words, &why), 0);
		assert_null(why);
		while (count < MAX_WORDS && cases[i].words[count])
			count++;
		assert_int_equal(words.count, count);
		for (size_t k = 0; k < count; k++)
			assert_string_equal(words.list[k], cases[i].words[k]);
		assert_null(words.list[count]);
		words_clear(&words);
	}
}

static void broken_texts_are_refused(void **state)
{
	static const char *const texts[] = { "",     " \t\n",  "'",  "a 'b", "a \"b",    "a \"b'",
					     "a \\", "a \"\\", "''", "'' a", "a 'b\\'c'" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct words words = { 0 };
		const char *why = NULL;

		assert_int_equal(split_words(texts[i], &words, &why), -1);
		assert_non_null(why);
		assert_int_equal(words.count, 0);
		assert_null(words.list);
	}
}

static void lists_are_compared_word_by_word(void **state)
{
	struct words a = { 0 }, b = { 0 };

	(void)state;
	assert_true(words_equal(&a, &b));
	words_add(&a, "x");
	assert_false(words_equal(&a, &b));
	words_format(&b, "%c", 'x');
	assert_true(words_equal(&a, &b));
	words_append(&a, &b);
	words_add(&b, "y");
	assert_false(words_equal(&a, &b));
	assert_int_equal(a.count, 2);
	words_clear(&a);
	words_clear(&b);
	assert_int_equal(a.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_become_words),
		cmocka_unit_test(broken_texts_are_refused),
		cmocka_unit_test(lists_are_compared_word_by_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
