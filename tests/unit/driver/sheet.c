/* SPDX-License-Identifier: Apache-2.0
 *
 * Which CSV files are complete, and what joining makes of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/driver/file.h"
#include "src/driver/sheet.h"

/* Fresh files in a directory of the test's own. */
struct place {
	char dir[32];
	char a[48], b[48], c[48], all[48];
};

static int make_place(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	assert_non_null(place);
	strcpy(place->dir, "/tmp/sheet.XXXXXX");
	assert_non_null(mkdtemp(place->dir));
	snprintf(place->a, sizeof(place->a), "%s/a", place->dir);
	snprintf(place->b, sizeof(place->b), "%s/b", place->dir);
	snprintf(place->c, sizeof(place->c), "%s/c", place->dir);
	snprintf(place->all, sizeof(place->all), "%s/all", place->dir);
	*state = place;
	return 0;
}

static int remove_place(void **state)
{
	struct place *place = *state;

	unlink(place->a);
	unlink(place->b);
	unlink(place->c);
	unlink(place->all);
	rmdir(place->dir);
	free(place);
	return 0;
}

static void put(const char *path, const char *text)
{
	assert_int_equal(file_replace(path, text, strlen(text)), 0);
}

static void completeness(void **state)
{
	static const struct {
		const char *text;
		size_t rows, points;
		bool complete;
	} cases[] = {
		{ "", 0, 0, false },
		{ "point,points\n", 0, 0, false },
		{ "point,points\n1,2\n", 1, 2, false },
		{ "point,points\n1,2\n2,2\n", 2, 2, true },
		{ "point,points\r\n1,2\r\n2,2\r\n", 2, 2, true },
		{ "point,points\n1,2\n2,2", 1, 2, false },
		{ "point,points\n1,2\n2,2\n1,2", 2, 2, false },
		{ "point,points,x\n1,2,\"a\n2,2,b\n", 0, 0, false },
		{ "point,points,x\n1,2,\"a\n\"\"b\"\n2,2,\n", 2, 2, true },
		{ "point,points\n1,x\n", 1, 0, true },
		{ "point,points\n1,-1\n", 1, SIZE_MAX, false },
		{ "x\n1\n", 1, 0, true },
	};
	const struct place *place = *state;
	struct sheet sheet;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put(place->a, cases[i].text);
		sheet_check(place->a, &sheet);
		assert_int_equal(sheet.rows, cases[i].rows);
		assert_int_equal(sheet.points, cases[i].points);
		assert_int_equal(sheet.complete, cases[i].complete);
	}
	sheet_check(place->b, &sheet);
	assert_false(sheet.complete);
	sheet_check(place->dir, &sheet);
	assert_false(sheet.complete);
}

static void wrong_elements(void **state)
{
	static const struct {
		const char *text;
		uint64_t wrong;
	} cases[] = {
		{ "point,points\n1,1\n", 0 },
		{ "point,points,wrong\n1,2,0\n2,2,\n", 0 },
		{ "wrong,points\n3,2\n4,2\n", 7 },
		{ "wrong,points\n3,2\n4,2", 3 },
		{ "points,note,wrong\n2,\"a\n9,9,9\",1\n2,\"wrong\",\"2\"\n", 3 },
		{ "points,wrong\n1,-1\n1,x\n1,1x\n1,nan\n", 0 },
		{ "points,wrong\n1,9223372036854775807\n1,9223372036854775807\n1,99999999999999999999\n", UINT64_MAX },
	};
	const struct place *place = *state;
	struct sheet sheet;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put(place->a, cases[i].text);
		sheet_check(place->a, &sheet);
		assert_int_equal(sheet.wrong, cases[i].wrong);
	}
}

static void joining(void **state)
{
	static const struct {
		const char *a, *b, *c; /* NULL: no such file */
		const char *all;
	} cases[] = {
		{ "h\n1\n", "h\n2\n", "h\n3\n", "h\n1\n2\n3\n" },
		{ NULL, "h\n2\n", "h\n3\n", "h\n2\n3\n" },
		{ "h\n1\n", NULL, "", "h\n1\n" },
		{ "", "h\n2\ncut", "h\n3\n", "h\n2\n3\n" },
		{ "h\n1\n", "H\n2\n", "h\n3\n", "h\n1\n3\n" },
		{ "h\n1\n", "hh\n2\n", "h", "h\n1\n" },
		{ "h\n", "h\n2\n", "h\n\"3\n4\"\n\"5\n", "h\n2\n\"3\n4\"\n" },
		{ NULL, "", NULL, NULL },
	};
	const struct place *place = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *const texts[] = { cases[i].a, cases[i].b, cases[i].c };
		const char *const paths[] = { place->a, place->b, place->c };
		struct words files = { 0 };
		struct file_text all;

		unlink(place->all);
		for (size_t k = 0; k < 3; k++) {
			unlink(paths[k]);
			if (texts[k])
				put(paths[k], texts[k]);
			words_add(&files, paths[k]);
		}
		assert_int_equal(sheet_join(place->all, &files), 0);
		words_clear(&files);
		assert_int_equal(file_read(place->all, &all), cases[i].all ? 0 : -1);
		if (!cases[i].all)
			continue;
		assert_int_equal(all.size, strlen(cases[i].all));
		assert_memory_equal(all.data, cases[i].all, all.size);
		file_text_clear(&all);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(completeness, make_place, remove_place),
		cmocka_unit_test_setup_teardown(wrong_elements, make_place, remove_place),
		cmocka_unit_test_setup_teardown(joining, make_place, remove_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
