/* SPDX-License-Identifier: Apache-2.0
 *
 * Which measured rows stand for the calls of a plan: of the same ranks and nodes, of others, or none.
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

#include "report/plan/network.h"
#include "report/plan/tell.h"

static void assert_near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance * fabs(expected)))
		fail_msg("%.17g is not %.17g", value, expected);
}

static const char head[] = "schema,collective,nranks,nnodes,bytes,time_us,type,placement\n";

/* A sweep whose calls are ring calls of that link: alpha in microseconds, rate in bytes a microsecond. */
static void add_sweep(char *text, size_t size, const char *collective, int nranks, int nnodes, double alpha, double rate)
{
	const struct collective *coll = collective_find(collective);
	const struct coll_link link = { alpha, 1 / rate, 0 };

	for (double bytes = 1024; bytes <= 1 << 24; bytes *= 4)
		snprintf(text + strlen(text), size - strlen(text), "1,%s,%d,%d,%.0f,%.9g,float,out-of-place\n", collective,
			 nranks, nnodes, bytes, collective_model(coll, coll->ring)->time(nranks, bytes, &link));
}

static struct rows *read_rows(const char *text)
{
	struct rows *rows = rows_new();
	char error[200];

	assert_non_null(rows);
	assert_int_equal(rows_parse(rows, "test.csv", text, strlen(text), error, sizeof error), 0);
	return rows;
}

static void the_ranks_that_were_measured_are_the_default(void **state)
{
	char text[8192];
	struct rows *rows;
	struct plan_options options = { 0 };
	struct plan_network network;
	const struct plan_members all = { PLAN_EVERYBODY, 4, 1 };
	const struct plan_timer *timer;

	(void)state;
	snprintf(text, sizeof text, "%s", head);
	add_sweep(text, sizeof text, "all_reduce", 2, 1, 5, 1e4);
	add_sweep(text, sizeof text, "all_reduce", 4, 1, 5, 1e4);
	rows = read_rows(text);
	assert_int_equal(plan_network_open(&options, rows, &network), 0);
	assert_int_equal(network.np, 4);
	assert_int_equal(network.gpus_per_node, 0);
	timer = plan_network_timer(&network, COLL_ALL_REDUCE, &all);
	assert_non_null(timer);
	assert_true(timer->known);
	assert_true(timer == plan_network_timer(&network, COLL_ALL_REDUCE, &all));
	assert_near(plan_timer_time(timer, 1 << 20).seconds, (6 * 5 + 1.5 * (1 << 20) / 1e4) * 1e-6, 1e-6);
	assert_false(plan_timer_time(timer, 1 << 20).scaled);
	timer = plan_network_timer(&network, COLL_ALL_GATHER, &all);
	assert_non_null(timer);
	assert_false(timer->known);
	assert_non_null(strstr(timer->error, "all_gather"));
	plan_network_close(&network);
	rows_free(rows);
}

static void other_ranks_are_scaled(void **state)
{
	char text[8192];
	struct rows *rows;
	struct plan_options options = { .np = 8 };
	struct plan_network network;
	const struct plan_members all = { PLAN_EVERYBODY, 8, 1 };
	const struct plan_timer *timer;
	struct curve_time time;

	(void)state;
	snprintf(text, sizeof text, "%s", head);
	add_sweep(text, sizeof text, "all_reduce", 2, 1, 5, 1e4);
	rows = read_rows(text);
	assert_int_equal(plan_network_open(&options, rows, &network), 0);
	timer = plan_network_timer(&network, COLL_ALL_REDUCE, &all);
	assert_true(timer && timer->known);
	time = plan_timer_time(timer, 1 << 20);
	assert_true(time.scaled);
	assert_near(time.seconds, (14 * 5 + 1.75 * (1 << 20) / 1e4) * 1e-6, 1e-2);
	plan_network_close(&network);
	rows_free(rows);
}

/* Fast inside, slow between: groups of TP are neighbours of one node, those of FSDP one rank of each. */
static void groups_take_rows_of_their_nodes(void **state)
{
	char text[16384];
	struct rows *rows;
	struct plan_options options = { .np = 16 };
	struct plan_network network;
	const struct plan_members inside = { PLAN_NEIGHBOURS, 4, 1 }, across = { PLAN_STRIDE, 4, 4 },
				  all = { PLAN_EVERYBODY, 16, 1 };
	const struct plan_timer *timer;

	(void)state;
	snprintf(text, sizeof text, "%s", head);
	add_sweep(text, sizeof text, "all_reduce", 4, 1, 5, 1e5);
	add_sweep(text, sizeof text, "all_reduce", 4, 4, 20, 1e3);
	add_sweep(text, sizeof text, "all_reduce", 16, 4, 20, 5e3);
	rows = read_rows(text);
	options.gpus_per_node = 4;
	assert_int_equal(plan_network_open(&options, rows, &network), 0);
	timer = plan_network_timer(&network, COLL_ALL_REDUCE, &inside);
	assert_true(timer && timer->known);
	assert_int_equal(timer->curve.key->nnodes, 1);
	assert_string_equal(timer->remark, "");
	timer = plan_network_timer(&network, COLL_ALL_REDUCE, &across);
	assert_true(timer && timer->known);
	assert_int_equal(timer->curve.key->nnodes, 4);
	assert_int_equal(timer->curve.key->nranks, 4);
	timer = plan_network_timer(&network, COLL_ALL_REDUCE, &all);
	assert_true(timer && timer->known);
	assert_int_equal(timer->curve.key->nranks, 16);
	plan_network_close(&network);
	rows_free(rows);
}

static void rows_of_other_nodes_are_remarked(void **state)
{
	char text[8192];
	struct rows *rows;
	struct plan_options options = { .np = 16 };
	struct plan_network network;
	const struct plan_members inside = { PLAN_NEIGHBOURS, 8, 1 };
	const struct plan_timer *timer;

	(void)state;
	snprintf(text, sizeof text, "%s", head);
	add_sweep(text, sizeof text, "all_reduce", 16, 2, 20, 5e3);
	rows = read_rows(text);
	assert_int_equal(plan_network_open(&options, rows, &network), 0);
	assert_int_equal(network.gpus_per_node, 8);
	timer = plan_network_timer(&network, COLL_ALL_REDUCE, &inside);
	assert_true(timer && timer->known);
	assert_non_null(strstr(timer->remark, "8 ranks on 1 node was not measured"));
	plan_network_close(&network);
	rows_free(rows);
}

/* Opens a network over rows and asks for the all-reduce of some members, which is known. */
static const struct plan_timer *ask(const struct rows *rows, const struct plan_options *options, struct plan_network *network,
				    struct plan_members members)
{
	const struct plan_timer *timer;

	assert_int_equal(plan_network_open(options, rows, network), 0);
	timer = plan_network_timer(network, COLL_ALL_REDUCE, &members);
	assert_true(timer && timer->known);
	return timer;
}

static void assert_says(const char *text, const char *says)
{
	if (!strstr(text, says))
		fail_msg("'%s' lacks '%s'", text, says);
}

/* 16 ranks of which nodes of 4 were measured, but 4 nodes never: the rows of 2 nodes are nearer than those of one. */
static void several_nodes_stay_several(void **state)
{
	char text[16384], cell[64];
	const struct plan_options options = { .np = 16 };
	struct plan_network network;
	const struct plan_timer *timer;
	struct curve_time time;
	struct rows *rows;

	(void)state;
	snprintf(text, sizeof text, "%s", head);
	add_sweep(text, sizeof text, "all_reduce", 4, 1, 3, 2e5);
	add_sweep(text, sizeof text, "all_reduce", 8, 2, 10, 2e4);
	rows = read_rows(text);
	timer = ask(rows, &options, &network, (struct plan_members){ PLAN_STRIDE, 4, 4 });
	assert_int_equal(network.gpus_per_node, 4);
	assert_int_equal(timer->curve.key->nnodes, 2);
	time = plan_timer_time(timer, 1 << 20);
	assert_near(time.seconds, (6 * 10 + 1.5 * (1 << 20) / 2e4) * 1e-6, 1e-2);
	assert_true(time.scaled);
	/* Four groups go through each node's NICs, of which one was measured. */
	assert_true(time.stand_in);
	assert_says(timer->remark, "was not measured but scaled from rows of 8 ranks on 2 nodes, which were measured alone: in "
				   "the job 4 such groups share the NICs of a node, which may take up to 4 times");
	plan_timer_rows(timer, &time, cell, sizeof cell);
	assert_string_equal(cell, "measured, 8 ranks on 2 nodes, scaled, stand in");
	timer = plan_network_timer(&network, COLL_ALL_REDUCE, &(struct plan_members){ PLAN_EVERYBODY, 16, 1 });
	assert_true(timer && timer->known && !timer->stand_in);
	assert_int_equal(timer->curve.key->nnodes, 2);
	assert_string_equal(timer->remark, "");
	plan_network_close(&network);
	rows_free(rows);
}

static void one_node_for_several_is_marked(void **state)
{
	char text[16384];
	const struct plan_options options = { .np = 16, .gpus_per_node = 4 };
	struct plan_network network;
	const struct plan_timer *timer;
	struct rows *rows;

	(void)state;
	snprintf(text, sizeof text, "%s", head);
	add_sweep(text, sizeof text, "all_reduce", 4, 1, 3, 2e5);
	rows = read_rows(text);
	timer = ask(rows, &options, &network, (struct plan_members){ PLAN_STRIDE, 4, 4 });
	assert_true(plan_timer_time(timer, 1 << 20).stand_in);
	assert_says(timer->remark,
		    "all_reduce among 4 ranks on 4 nodes was not measured: rows of 4 ranks on one node stand in, so the "
		    "time may be far too short");
	timer = plan_network_timer(&network, COLL_ALL_REDUCE, &(struct plan_members){ PLAN_NEIGHBOURS, 4, 1 });
	assert_true(timer && timer->known && !plan_timer_time(timer, 1 << 20).stand_in);
	plan_network_close(&network);
	rows_free(rows);
}

/* All-reduces of these places, one after the other; a node has as many NICs as ranks take part. */
static struct rows *read_places(const int (*places)[2], size_t n)
{
	char text[16384];

	snprintf(text, sizeof text, "%s", head);
	for (size_t i = 0; i < n; i++)
		add_sweep(text, sizeof text, "all_reduce", places[i][0], places[i][1], 5, 1e3 * places[i][0] / places[i][1]);
	return read_rows(text);
}

/* Which of them a call of 64 ranks on nodes of 8 is read off; whether that was marked. */
static bool stands_in(const int (*places)[2], size_t n, struct plan_members members, int nranks, int nnodes, const char *says)
{
	const struct plan_options options = { .np = 64, .gpus_per_node = 8 };
	struct rows *rows = read_places(places, n);
	struct plan_network network;
	const struct plan_timer *timer = ask(rows, &options, &network, members);
	const bool marked = plan_timer_time(timer, 1 << 20).stand_in;

	assert_int_equal(timer->curve.key->nranks, nranks);
	assert_int_equal(timer->curve.key->nnodes, nnodes);
	assert_says(timer->remark, says);
	assert_int_equal(marked, timer->remark[0] != '\0');
	plan_network_close(&network);
	rows_free(rows);
	return marked;
}

/* One rank a node goes through one NIC, eight through eight: more such rows never make a plan worse. */
static void as_many_ranks_a_node_come_first(void **state)
{
	static const int places[][2] = { { 8, 8 }, { 16, 2 }, { 32, 4 } },
			 fewer[][2] = { { 8, 8 }, { 8, 2 }, { 64, 16 }, { 32, 8 } };
	const struct plan_members all = { PLAN_EVERYBODY, 64, 1 }, node = { PLAN_NEIGHBOURS, 8, 1 }, one = { PLAN_STRIDE, 8, 8 };

	(void)state;
	assert_false(stands_in(places, 3, all, 32, 4, ""));
	assert_false(stands_in(places, 2, all, 16, 2, ""));
	assert_true(stands_in(
		places, 1, all, 8, 8,
		"among 64 ranks on 8 nodes was not measured with 8 ranks a node: rows of 8 ranks on 8 nodes stand in, so "
		"the time may be far too long"));
	/* Of others those with the nearest number a node, and of these as many nodes. */
	assert_true(stands_in(fewer, 2, all, 8, 2, "far too long"));
	assert_true(stands_in(fewer, 4, all, 32, 8, "far too long"));
	assert_true(stands_in(&(const int[2]){ 32, 2 }, 1, all, 32, 2, "far too short"));
	/* Inside a node the rows with full nodes come nearest; one rank of each node was measured as such. */
	assert_true(stands_in(places, 3, node, 16, 2, "among 8 ranks on 1 node was not measured"));
	assert_true(stands_in(places, 3, (struct plan_members){ PLAN_NEIGHBOURS, 2, 1 }, 16, 2, "may be far too long"));
	assert_true(stands_in(places, 3, one, 8, 8, "among 8 ranks on 8 nodes was measured alone"));
	assert_true(stands_in(places, 3, (struct plan_members){ PLAN_STRIDE, 16, 4 }, 8, 8,
			      "4 times as long; with more ranks a node than those rows it may be shorter"));
}

/* Two sizes do not tell how to scale: the next nearest are taken. */
static void rows_that_cannot_be_scaled_give_way(void **state)
{
	const struct plan_options options = { .np = 64, .gpus_per_node = 8 };
	struct plan_network network;
	const struct plan_timer *timer;
	char text[8192];
	struct rows *rows;

	(void)state;
	snprintf(text, sizeof text,
		 "%s1,all_reduce,32,4,1024,9,float,out-of-place\n1,all_reduce,32,4,4096,9,float,out-of-place\n", head);
	add_sweep(text, sizeof text, "all_reduce", 8, 8, 5, 1e3);
	add_sweep(text, sizeof text, "all_reduce", 16, 2, 5, 8e3);
	rows = read_rows(text);
	timer = ask(rows, &options, &network, (struct plan_members){ PLAN_EVERYBODY, 64, 1 });
	assert_int_equal(timer->curve.key->nranks, 16);
	assert_near(plan_timer_time(timer, 1 << 20).seconds, (126 * 5 + 126.0 / 64 * (1 << 20) / 8e3) * 1e-6, 1e-2);
	assert_false(timer->stand_in);
	plan_network_close(&network);
	rows_free(rows);
}

/* Nobody said how many ranks a node has: where more take part than any node was seen to have, it may be several. */
static void more_ranks_than_a_node_was_seen_to_have_are_marked(void **state)
{
	static const int places[][2] = { { 8, 1 }, { 2, 1 }, { 20, 3 } };
	struct plan_options options = { .np = 1024 };
	const struct {
		size_t nplaces;
		struct plan_members members;
		bool marked;
	} calls[] = {
		{ 2, { PLAN_EVERYBODY, 1024, 1 }, true },  { 2, { PLAN_NEIGHBOURS, 8, 1 }, false },
		{ 2, { PLAN_NEIGHBOURS, 16, 1 }, true },   { 2, { PLAN_STRIDE, 4, 2 }, false },
		{ 2, { PLAN_STRIDE, 8, 128 }, true },      { 3, { PLAN_NEIGHBOURS, 12, 1 }, true },
		{ 3, { PLAN_EVERYBODY, 1024, 1 }, false }, /* read off several nodes */
	};

	(void)state;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		struct rows *rows = read_places(places, calls[i].nplaces);
		struct plan_network network;
		const struct plan_timer *timer = ask(rows, &options, &network, calls[i].members);

		assert_int_equal(plan_timer_time(timer, 1 << 20).stand_in, calls[i].marked);
		assert_string_equal(timer->remark, "");
		plan_network_close(&network);
		rows_free(rows);
	}
}

/* Two ranks on two nodes beside eight: the job left GPUs idle. */
static void nodes_have_the_most_ranks_of_any_row(void **state)
{
	char text[16384];
	const struct plan_options options = { 0 };
	struct plan_network network;
	const struct plan_timer *timer;
	struct rows *rows;

	(void)state;
	snprintf(text, sizeof text, "%s", head);
	add_sweep(text, sizeof text, "all_reduce", 8, 2, 10, 2e4);
	add_sweep(text, sizeof text, "all_reduce", 4, 1, 3, 2e5);
	add_sweep(text, sizeof text, "all_reduce", 2, 2, 10, 2e4);
	rows = read_rows(text);
	timer = ask(rows, &options, &network, (struct plan_members){ PLAN_NEIGHBOURS, 2, 1 });
	assert_int_equal(network.gpus_per_node, 4);
	assert_int_equal(timer->curve.key->nnodes, 1);
	timer = plan_network_timer(&network, COLL_ALL_REDUCE, &(struct plan_members){ PLAN_STRIDE, 4, 2 });
	assert_true(timer && timer->known);
	assert_int_equal(timer->curve.key->nnodes, 2);
	plan_network_close(&network);
	rows_free(rows);
}

static void places_that_are_not_known_are_said(void **state)
{
	char text[16384];
	struct plan_options options = { .np = 12 };
	struct plan_network network;
	const struct plan_timer *timer;
	struct rows *rows;

	(void)state;
	snprintf(text, sizeof text, "%s", head);
	add_sweep(text, sizeof text, "all_reduce", 16, 2, 10, 2e4);
	rows = read_rows(text);
	timer = ask(rows, &options, &network, (struct plan_members){ PLAN_EVERYBODY, 12, 1 });
	assert_true(timer->stand_in);
	assert_says(timer->remark, "12 ranks do not lie evenly on nodes of 8");
	plan_network_close(&network);
	/* As with a link. */
	options = (struct plan_options){ .gpus_per_node = 3 };
	assert_int_equal(plan_network_open(&options, rows, &network), -1);
	rows_free(rows);
	snprintf(text, sizeof text, "schema,collective,nranks,bytes,time_us\n1,all_reduce,8,1024,5\n");
	rows = read_rows(text);
	options.gpus_per_node = 4;
	timer = ask(rows, &options, &network, (struct plan_members){ PLAN_EVERYBODY, 8, 1 });
	assert_true(timer->stand_in);
	assert_says(timer->remark, "do not tell their nodes");
	plan_network_close(&network);
	rows_free(rows);
}

static void no_rows_of_a_job_need_a_number(void **state)
{
	struct plan_options options = { 0 };
	struct plan_network network;
	struct rows *rows = read_rows("schema,collective,nranks,bytes,time_us\n1,unheard_of,2,1024,5\n");

	(void)state;
	assert_int_equal(plan_network_open(&options, rows, &network), -1);
	rows_free(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ranks_that_were_measured_are_the_default),
		cmocka_unit_test(other_ranks_are_scaled),
		cmocka_unit_test(groups_take_rows_of_their_nodes),
		cmocka_unit_test(rows_of_other_nodes_are_remarked),
		cmocka_unit_test(several_nodes_stay_several),
		cmocka_unit_test(one_node_for_several_is_marked),
		cmocka_unit_test(as_many_ranks_a_node_come_first),
		cmocka_unit_test(rows_that_cannot_be_scaled_give_way),
		cmocka_unit_test(more_ranks_than_a_node_was_seen_to_have_are_marked),
		cmocka_unit_test(nodes_have_the_most_ranks_of_any_row),
		cmocka_unit_test(places_that_are_not_known_are_said),
		cmocka_unit_test(no_rows_of_a_job_need_a_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
