/* SPDX-License-Identifier: Apache-2.0
 *
 * The topology of launches in run.json: each once, and what a resumed run makes of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/driver/plan.h"
#include "src/driver/record.h"

enum { LAUNCHES = 3 };

struct recorded {
	struct args args;
	struct plan plan;
	struct words command;
};

/* Three launches of one collective under /tmp. */
static void open_record(struct recorded *recorded)
{
	char folder[] = "/tmp/record.XXXXXX";

	*recorded = (struct recorded){ 0 };
	args_init(&recorded->args);
	assert_int_equal(args_set_collectives(&recorded->args, "all_reduce"), 0);
	recorded->args.repeat = LAUNCHES;
	assert_non_null(mkdtemp(folder));
	recorded->plan.args = &recorded->args;
	recorded->plan.dir = strdup(folder);
	recorded->plan.bin = strdup("/nowhere");
	recorded->plan.choice.backend = "sim";
	plan_time(recorded->plan.stamp, sizeof(recorded->plan.stamp), true);
	plan_time(recorded->plan.started, sizeof(recorded->plan.started), false);
	assert_int_equal(plan_launches(&recorded->plan), 0);
	words_add(&recorded->command, "collperf");
}

static void close_record(struct recorded *recorded)
{
	char path[80];

	snprintf(path, sizeof(path), "%s/run.json", recorded->plan.dir);
	unlink(path);
	rmdir(recorded->plan.dir);
	plan_clear(&recorded->plan);
	args_clear(&recorded->args);
	words_clear(&recorded->command);
}

/* Facts of a launch on this host, as from a file of its own. */
static json_t *facts_on(const char *host)
{
	return json_pack("{s:i, s:{s:s, s:{s:[{s:s}]}}}", "schema", 1, "facts", "cpu", "x", "topology", "hosts", "name", host);
}

static void take(struct plan *plan, size_t i, const char *host)
{
	plan->launches[i].status = PLAN_OK;
	plan->launches[i].facts = facts_on(host);
	record_share_topology(plan, plan->launches[i].facts);
}

static json_t *written(const struct recorded *recorded)
{
	char path[80];
	json_t *root;

	snprintf(path, sizeof(path), "%s/run.json", recorded->plan.dir);
	assert_int_equal(record_write(&recorded->plan, &recorded->command), 0);
	root = json_load_file(path, 0, NULL);
	assert_non_null(root);
	return root;
}

static const json_t *number_of(const json_t *root, size_t launch)
{
	const json_t *facts = json_object_get(json_array_get(json_object_get(root, "launches"), launch), "facts");

	return json_object_get(json_object_get(facts, "facts"), "topology");
}

static const char *host_of(const json_t *topology)
{
	return json_string_value(json_object_get(json_array_get(json_object_get(topology, "hosts"), 0), "name"));
}

static json_t *topology_in(const struct plan *plan, size_t launch)
{
	return json_object_get(json_object_get(plan->launches[launch].facts, "facts"), "topology");
}

static void equal_topologies_are_written_once(void **state)
{
	struct recorded recorded;
	json_t *root;

	(void)state;
	open_record(&recorded);
	take(&recorded.plan, 0, "a");
	take(&recorded.plan, 1, "b");
	take(&recorded.plan, 2, "a");
	assert_ptr_equal(topology_in(&recorded.plan, 2), topology_in(&recorded.plan, 0));
	root = written(&recorded);
	assert_int_equal(json_array_size(json_object_get(root, "topologies")), 2);
	assert_int_equal(json_integer_value(number_of(root, 0)), 0);
	assert_int_equal(json_integer_value(number_of(root, 1)), 1);
	assert_int_equal(json_integer_value(number_of(root, 2)), 0);
	assert_true(json_is_integer(number_of(root, 2)));
	assert_string_equal(host_of(json_array_get(json_object_get(root, "topologies"), 1)), "b");
	/* Writing leaves the launches as they are. */
	assert_string_equal(host_of(topology_in(&recorded.plan, 1)), "b");
	json_decref(root);
	close_record(&recorded);
}

static void launches_without_a_topology_have_none(void **state)
{
	struct recorded recorded;
	json_t *root;

	(void)state;
	open_record(&recorded);
	recorded.plan.launches[0].facts = json_pack("{s:{s:s}}", "facts", "topology", "a text");
	recorded.plan.launches[1].facts = json_pack("[i]", 1);
	for (size_t i = 0; i < LAUNCHES; i++)
		record_share_topology(&recorded.plan, recorded.plan.launches[i].facts);
	root = written(&recorded);
	assert_null(json_object_get(root, "topologies"));
	assert_string_equal(json_string_value(number_of(root, 0)), "a text");
	json_decref(root);
	close_record(&recorded);
}

/* Rows that are complete, so that the launch counts as done. */
static void put_rows(const struct plan *plan, size_t i)
{
	char folder[80];
	FILE *file;

	snprintf(folder, sizeof(folder), "%s/launches", plan->dir);
	mkdir(folder, 0777);
	file = fopen(plan->launches[i].csv, "w");
	assert_non_null(file);
	fputs("schema,point,points,collective,wrong\r\n1,1,1,all_reduce,0\r\n", file);
	fclose(file);
}

static void a_resumed_run_has_them_again(void **state)
{
	struct recorded recorded, again;
	json_t *root;
	char folder[80];

	(void)state;
	open_record(&recorded);
	for (size_t i = 0; i < LAUNCHES; i++) {
		take(&recorded.plan, i, i == 1 ? "b" : "a");
		put_rows(&recorded.plan, i);
	}
	root = written(&recorded);
	json_object_set_new(
		json_object_get(json_object_get(json_array_get(json_object_get(root, "launches"), 1), "facts"), "facts"),
		"topology", json_integer(77));
	open_record(&again);
	for (size_t i = 0; i < LAUNCHES; i++) {
		free(again.plan.launches[i].csv);
		again.plan.launches[i].csv = strdup(recorded.plan.launches[i].csv);
	}
	assert_int_equal(record_restore(root, &again.plan), 0);
	assert_string_equal(host_of(topology_in(&again.plan, 0)), "a");
	assert_ptr_equal(topology_in(&again.plan, 0), topology_in(&again.plan, 2));
	/* A number of none is left out. */
	assert_null(topology_in(&again.plan, 1));
	json_decref(root);
	root = written(&again);
	assert_int_equal(json_array_size(json_object_get(root, "topologies")), 1);
	json_decref(root);
	for (size_t i = 0; i < LAUNCHES; i++)
		unlink(recorded.plan.launches[i].csv);
	snprintf(folder, sizeof(folder), "%s/launches", recorded.plan.dir);
	rmdir(folder);
	close_record(&again);
	close_record(&recorded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_topologies_are_written_once),
		cmocka_unit_test(launches_without_a_topology_have_none),
		cmocka_unit_test(a_resumed_run_has_them_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
