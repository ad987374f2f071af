/* SPDX-License-Identifier: Apache-2.0
 *
 * The folder of a baseline: which names are runs', what is copied, what goes, what is left alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/gate/baseline_copy.h"
#include "report/gate/baseline_run.h"
#include "report/gate/baseline_store.h"

static const char header[] =
	"schema,point,points,run,collective,nranks,nnodes,placement,bytes,time_us,algbw_GBps,busbw_GBps,wrong,flags\n";

struct place {
	char root[64], folder[96], run[96];
};

static void write_file(const char *folder, const char *name, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static bool exists(const char *folder, const char *name)
{
	char path[512];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return access(path, F_OK) == 0;
}

static int make_place(void **state)
{
	struct place *place = calloc(1, sizeof *place);

	assert_non_null(place);
	strcpy(place->root, "/tmp/gate_baseline.XXXXXX");
	assert_non_null(mkdtemp(place->root));
	snprintf(place->folder, sizeof place->folder, "%s/kept/deep", place->root);
	snprintf(place->run, sizeof place->run, "%s/run", place->root);
	assert_int_equal(mkdir(place->run, 0777), 0);
	*state = place;
	return 0;
}

static int remove_place(void **state)
{
	struct place *place = *state;
	char command[256];

	snprintf(command, sizeof command, "rm -rf %s", place->root);
	assert_int_equal(system(command), 0);
	free(place);
	return 0;
}

static void make_run(const struct place *place, const char *stamp, long seed, const char *rows)
{
	char text[1024];

	snprintf(text, sizeof text,
		 "{\"schema\": 1, \"stamp\": \"%s\", \"seed\": %ld, \"started\": \"2025-11-30T01:02:03.456Z\", \"ended\": "
		 "\"2025-11-30T01:03:03.456Z\", \"host\": \"h\", \"cores\": 4, \"launches\": [{\"collective\": \"all_reduce\", "
		 "\"status\": \"ok\"}, {\"collective\": \"all_reduce\", \"status\": \"ok\"}, {\"collective\": \"broadcast\", "
		 "\"status\": \"skipped\"}]}",
		 stamp, seed);
	write_file(place->run, "run.json", text);
	snprintf(text, sizeof text, "%s%s", header, rows);
	write_file(place->run, "all_reduce.csv", text);
}

static const char two_launches[] = "1,1,2,r-1,all_reduce,4,1,in-place,8,10,1,2,0,\n"
				   "1,2,2,r-1,all_reduce,4,1,in-place,64,10,3,5,0,\n"
				   "1,1,2,r-2,all_reduce,4,1,in-place,8,10,1,2,0,\n"
				   "1,2,2,r-2,all_reduce,4,1,in-place,64,30,3,9,0,\n";

static void names_are_checked_letter_by_letter(void **state)
{
	static const struct {
		const char *name;
		bool is;
	} cases[] = {
		{ "20251130T010203.456Z-17", true },
		{ "20251130T010203.456Z-A-17", true },
		{ "20251130T010203.456Z-", false },
		{ "20251130T010203.456Z", false },
		{ "20251130T010203.456Z17", false },
		{ "20251130t010203.456Z-1", false },
		{ "2025113xT010203.456Z-1", false },
		{ "20251130T010203,456Z-1", false },
		{ "20251130T010203.456Z-1/x", false },
		{ "20251130T010203.456Z-..", false },
		{ "20251130T010203.456Z-1 ", false },
		{ "20251130T010203.456Z-\xc3\xa4", false },
		{ "", false },
		{ ".", false },
		{ "..", false },
		{ ".making", false },
	};
	char longest[BASELINE_NAME + 1] = "20251130T010203.456Z-";

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (baseline_is_name(cases[i].name) != cases[i].is)
			fail_msg("'%s'", cases[i].name);
	}
	memset(longest + strlen(longest), '1', BASELINE_NAME - strlen(longest));
	assert_false(baseline_is_name(longest));
	longest[BASELINE_NAME - 1] = '\0';
	assert_true(baseline_is_name(longest));
}

static void runs_come_and_the_oldest_go(void **state)
{
	static const char *const stamps[] = { "20251103T000000.000Z", "20251101T000000.000Z", "20251102T000000.000Z" };
	const struct place *place = *state;
	struct baseline baseline;

	assert_int_equal(baseline_open(place->folder, true, 0, &baseline), 0);
	for (size_t i = 0; i < 3; i++) {
		struct baseline_run run;

		make_run(place, stamps[i], 7, two_launches);
		assert_int_equal(baseline_run_read(place->run, true, &run), 0);
		assert_int_equal(run.doubts, 0);
		assert_false(baseline_has(&baseline, run.name));
		assert_int_equal(baseline_add(&baseline, place->run, run.name), 0);
		assert_true(baseline_has(&baseline, run.name));
		/* what is there is not replaced */
		assert_int_equal(baseline_add(&baseline, place->run, run.name), -1);
		baseline_run_clear(&run);
	}
	assert_int_equal(baseline.count, 3);
	assert_string_equal(baseline.names[0], "20251101T000000.000Z-7");
	assert_string_equal(baseline.names[2], "20251103T000000.000Z-7");
	assert_int_equal(baseline_trim(&baseline, 2), 0);
	assert_int_equal(baseline.count, 2);
	assert_string_equal(baseline.names[0], "20251102T000000.000Z-7");
	assert_false(exists(place->folder, "20251101T000000.000Z-7"));
	assert_true(exists(place->folder, "20251103T000000.000Z-7/all_reduce.csv"));
	assert_true(exists(place->folder, "20251103T000000.000Z-7/run.json"));
	assert_int_equal(baseline_trim(&baseline, 5), 0);
	assert_int_equal(baseline.count, 2);
	baseline_close(&baseline);

	assert_int_equal(baseline_open(place->folder, false, 0, &baseline), 0);
	assert_int_equal(baseline.count, 2);
	baseline_close(&baseline);
}

static void what_is_half_made_is_no_run(void **state)
{
	const struct place *place = *state;
	char half[160];
	struct baseline baseline;

	assert_int_equal(baseline_open(place->folder, true, 0, &baseline), 0);
	baseline_close(&baseline);
	for (int i = 0; i < 2; i++) {
		snprintf(half, sizeof half, "%s/%s", place->folder, i == 0 ? ".making" : ".removing");
		assert_int_equal(mkdir(half, 0777), 0);
		write_file(half, "run.json", "{");
	}
	assert_int_equal(baseline_open(place->folder, false, 0, &baseline), 0);
	assert_int_equal(baseline.count, 0);
	baseline_close(&baseline);
	assert_true(exists(place->folder, ".making/run.json")); /* who reads changes nothing */
	assert_int_equal(baseline_open(place->folder, true, 0, &baseline), 0);
	assert_false(exists(place->folder, ".making"));
	assert_false(exists(place->folder, ".removing"));
	baseline_close(&baseline);
}

static void one_changes_it_at_a_time(void **state)
{
	const struct place *place = *state;
	struct baseline writer, other;

	assert_int_equal(baseline_open(place->folder, true, 0, &writer), 0);
	assert_int_equal(baseline_open(place->folder, true, 0, &other), 3);
	baseline_close(&other);
	assert_int_equal(baseline_open(place->folder, false, 0, &other), 3);
	baseline_close(&other);
	baseline_close(&writer);
	assert_int_equal(baseline_open(place->folder, false, 0, &writer), 0);
	assert_int_equal(baseline_open(place->folder, false, 0, &other), 0); /* readers do not mind each other */
	baseline_close(&other);
	baseline_close(&writer);
}

static void a_run_is_read(void **state)
{
	const struct place *place = *state;
	struct baseline_run run;

	make_run(place, "20251103T000000.000Z", 7, two_launches);
	assert_int_equal(baseline_run_read(place->run, true, &run), 0);
	assert_string_equal(run.name, "20251103T000000.000Z-7");
	assert_string_equal(run.host, "h");
	assert_int_equal(run.cores, 4);
	assert_int_equal(run.launches, 2);
	assert_int_equal(run.fewest, 2);
	/* 64 B in 10 us and in 30 us, 1.5 times that on the bus: the median of both */
	assert_float_equal(run.peak[COLL_ALL_REDUCE], 6.4e6, 1);
	assert_true(isnan(run.peak[COLL_BROADCAST]));
	baseline_run_clear(&run);
}

static void doubts_are_counted(void **state)
{
	static const char *const rows[] = {
		"1,1,1,r-1,all_reduce,4,1,in-place,8,10,1,2,1,\n",
		"1,1,1,r-1,all_reduce,4,1,in-place,8,10,1,2,0,oversubscribed\n",
		"1,1,1,r-1,all_reduce,4,1,in-place,8,10,1,2,0,noisy shared_gpu\n",
		"1,1,2,r-1,all_reduce,4,1,in-place,8,10,1,2,0,\n",
		"1,1,2,r-1,all_reduce,4,1,in-place,8,10,1,2,0,\n1,1,2,r-1,all_reduce,4,1,in-place,8,10,1,2,0,\n",
		"1,1,1,r-1,all_reduce,4,1,in-place,8,10,1,2,0,\n1,1,2,r-2,all_reduce,4,1,in-place,8,10,1,2,0,\n",
	};
	const struct place *place = *state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct baseline_run run;

		make_run(place, "20251103T000000.000Z", 7, rows[i]);
		assert_int_equal(baseline_run_read(place->run, true, &run), 0);
		assert_int_equal(run.doubts, 1);
		baseline_run_clear(&run);
		assert_int_equal(baseline_run_read(place->run, false, &run), 0);
		assert_int_equal(run.doubts, 0);
		baseline_run_clear(&run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_checked_letter_by_letter),
		cmocka_unit_test_setup_teardown(runs_come_and_the_oldest_go, make_place, remove_place),
		cmocka_unit_test_setup_teardown(what_is_half_made_is_no_run, make_place, remove_place),
		cmocka_unit_test_setup_teardown(one_changes_it_at_a_time, make_place, remove_place),
		cmocka_unit_test_setup_teardown(a_run_is_read, make_place, remove_place),
		cmocka_unit_test_setup_teardown(doubts_are_counted, make_place, remove_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
