/* SPDX-License-Identifier: Apache-2.0
 *
 * Options of one primitive: the table against that of all options, whose help begins with the binary's name where it is of one alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "src/options_table.h"
#include "src/own.h"

static const struct option_row *find_row(const char *name)
{
	for (size_t i = 0; i < option_row_count; i++)
		if (strcmp(option_rows[i].name, name) == 0)
			return &option_rows[i];
	return NULL;
}

static const struct collective *primitive_of(const struct option_row *row)
{
	char name[64];
	const char *end = strstr(row->help, "_perf: ");

	if (!end)
		return NULL;
	snprintf(name, sizeof name, "%.*s", (int)(end - row->help), row->help);
	return collective_find(name);
}

static void each_is_an_option(void **state)
{
	(void)state;
	for (size_t i = 0; i < own_option_count; i++) {
		const struct own_option *own = &own_options[i];
		const struct option_row *row = find_row(own->name);

		assert_non_null(row);
		assert_int_equal(row->letter, 0);
		assert_int_equal(own->has_value, row->argument && !option_is_optional(row));
		assert_ptr_equal(primitive_of(row), collectives[own->coll]);
	}
}

static void none_is_missing(void **state)
{
	size_t found = 0;

	(void)state;
	for (size_t i = 0; i < option_row_count; i++)
		found += primitive_of(&option_rows[i]) != NULL;
	assert_int_equal(found, own_option_count);
}

static void words_name_them(void **state)
{
	static const char *const others[] = { "skew", "-skew", "--skews", "--ske", "--", "--=", "", "-s", "--no-skew" };

	(void)state;
	assert_int_equal(own_option_find("--skew")->coll, COLL_ALLTOALLV);
	assert_int_equal(own_option_find("--pairs=all")->coll, COLL_SENDRECV);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_null(own_option_find(others[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_an_option),
		cmocka_unit_test(none_is_missing),
		cmocka_unit_test(words_name_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
