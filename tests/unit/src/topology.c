/* SPDX-License-Identifier: Apache-2.0
 *
 * Hosts of a launch to one topology. The processes are threads, whose collective acts are copies between barriers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/topology.h"

enum { PROCESSES = 6 };

/* What all have in common. */
struct world {
	pthread_barrier_t barrier;
	char *all;       /* of rank 0, of the gather that is going on */
	char *broadcast; /* likewise */
	size_t most;     /* bytes of a process in one gather */
	int gathers;
	int values[PROCESSES];
};

static void meet(struct world *world)
{
	pthread_barrier_wait(&world->barrier);
}

static int act_gather(struct launch *launch, const void *mine, size_t size, void *all)
{
	struct world *world = launch->state;

	if (launch->rank == 0) {
		world->all = all;
		world->most = size > world->most ? size : world->most;
		world->gathers++;
	}
	meet(world);
	memcpy(world->all + (size_t)launch->rank * size, mine, size);
	meet(world);
	return 0;
}

static int act_broadcast(struct launch *launch, void *data, size_t size)
{
	struct world *world = launch->state;

	if (launch->rank == 0)
		world->broadcast = data;
	meet(world);
	if (launch->rank != 0)
		memcpy(data, world->broadcast, size);
	meet(world);
	return 0;
}

static int act_agree(struct launch *launch, int value, int *largest)
{
	struct world *world = launch->state;

	world->values[launch->rank] = value;
	meet(world);
	*largest = world->values[0];
	for (int i = 1; i < launch->size; i++)
		*largest = world->values[i] > *largest ? world->values[i] : *largest;
	meet(world);
	return 0;
}

static const struct launch_ops ops = { .gather = act_gather, .broadcast = act_broadcast, .agree = act_agree };

/* How a process finds its host. */
enum host_kind { HOST_PLAIN, HOST_OTHER, HOST_WITH_GPU, HOST_LONG, HOST_UNKNOWN };

struct process {
	struct launch launch;
	enum host_kind kind;
	struct topo topo;
	int rc;
};

static void add_gpu(struct topo_host *host)
{
	struct topo_pci *pci = topo_add_pci(host);
	struct topo_gpu *gpu = topo_add_gpu(host);

	if (!pci || !gpu || topo_set(&pci->bus, "0000:0f:00.0"))
		abort();
	pci->kind = TOPO_GPU;
	gpu->pci = 0;
}

/* Longer than two pieces. */
static void add_many(struct topo_host *host)
{
	for (int i = 0; i < 4000; i++) {
		struct topo_pci *pci = topo_add_pci(host);
		char bus[24];

		snprintf(bus, sizeof bus, "%04x:%02x:00.0", i / 256, i % 256);
		if (!pci || topo_set(&pci->bus, bus))
			abort();
	}
}

static void make_own(struct process *process, struct topo *own)
{
	struct topo_host *host = topo_add_host(own);
	char name[16];

	snprintf(name, sizeof name, "node%d", process->launch.node);
	if (!host || topo_set(&host->name, name) || topo_set(&host->cpu, "a processor"))
		abort();
	host->cores = process->kind == HOST_OTHER ? 8 : 4;
	if (process->kind == HOST_WITH_GPU)
		add_gpu(host);
	if (process->kind == HOST_LONG)
		add_many(host);
	if (process->kind == HOST_UNKNOWN)
		topo_clear(own);
}

static void *run(void *arg)
{
	struct process *process = arg;
	struct topology_rank ranks[2] = { { .rank = 2 * process->launch.rank, .bus = "0F:00.0" },
					  { .rank = 2 * process->launch.rank + 1, .bus = "" } };
	struct topo own = { 0 };

	make_own(process, &own);
	process->rc = topology_gather_hosts(&process->launch, &own, ranks, 2, &process->topo);
	topo_clear(&own);
	return NULL;
}

/* Two processes a node. */
static void gather(struct world *world, struct process *processes, const enum host_kind *kinds)
{
	pthread_t threads[PROCESSES];

	*world = (struct world){ .gathers = 0 };
	assert_int_equal(pthread_barrier_init(&world->barrier, NULL, PROCESSES), 0);
	for (int i = 0; i < PROCESSES; i++) {
		processes[i] = (struct process){ .launch = { .rank = i,
							     .size = PROCESSES,
							     .local_rank = i % 2,
							     .local_size = 2,
							     .node = i / 2,
							     .nnodes = PROCESSES / 2,
							     .ops = &ops,
							     .state = world },
						 .kind = kinds[i / 2] };
		assert_int_equal(pthread_create(&threads[i], NULL, run, &processes[i]), 0);
	}
	for (int i = 0; i < PROCESSES; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(processes[i].rc, 0);
		assert_true(i == 0 || processes[i].topo.nhosts == 0);
	}
	pthread_barrier_destroy(&world->barrier);
}

static void hosts_that_are_alike_are_sent_once(void **state)
{
	static const enum host_kind kinds[] = { HOST_WITH_GPU, HOST_PLAIN, HOST_WITH_GPU };
	struct process processes[PROCESSES];
	struct world world;
	const struct topo *topo = &processes[0].topo;

	(void)state;
	gather(&world, processes, kinds);
	assert_int_equal(topo->nhosts, 3);
	assert_string_equal(topo->hosts[0].name, "node0");
	assert_string_equal(topo->hosts[2].name, "node2");
	assert_int_equal(topo->hosts[0].alike, TOPO_UNKNOWN);
	assert_int_equal(topo->hosts[1].alike, TOPO_UNKNOWN);
	assert_int_equal(topo->hosts[2].alike, 0);
	assert_int_equal(topo->hosts[0].ngpus, 1);
	assert_int_equal(topo->hosts[1].ngpus, 0);
	/* Cards, ranks, one round of texts. */
	assert_int_equal(world.gathers, 3);
	topo_clear(&processes[0].topo);
}

static void hosts_whose_texts_are_as_long_differ(void **state)
{
	static const enum host_kind kinds[] = { HOST_PLAIN, HOST_OTHER, HOST_PLAIN };
	struct process processes[PROCESSES];
	struct world world;
	const struct topo *topo = &processes[0].topo;

	(void)state;
	gather(&world, processes, kinds);
	assert_int_equal(topo->hosts[0].cores, 4);
	assert_int_equal(topo->hosts[1].cores, 8);
	assert_int_equal(topo->hosts[2].alike, 0);
	topo_clear(&processes[0].topo);
}

static void ranks_are_at_their_hosts_and_gpus(void **state)
{
	static const enum host_kind kinds[] = { HOST_WITH_GPU, HOST_WITH_GPU, HOST_PLAIN };
	struct process processes[PROCESSES];
	struct world world;
	const struct topo *topo = &processes[0].topo;

	(void)state;
	gather(&world, processes, kinds);
	for (int h = 0; h < 3; h++) {
		assert_int_equal(topo->hosts[h].nranks, 4);
		for (int i = 0; i < 4; i++) {
			const struct topo_rank *rank = &topo->hosts[h].ranks[i];

			assert_int_equal(rank->rank, 4 * h + i);
			assert_int_equal(rank->gpu, h < 2 && i % 2 == 0 ? 0 : TOPO_UNKNOWN);
			assert_true(strlen(rank->cpus) > 0);
		}
	}
	topo_clear(&processes[0].topo);
}

static void long_texts_come_in_pieces(void **state)
{
	static const enum host_kind kinds[] = { HOST_PLAIN, HOST_LONG, HOST_LONG };
	struct process processes[PROCESSES];
	struct world world;
	const struct topo *topo = &processes[0].topo;

	(void)state;
	gather(&world, processes, kinds);
	assert_int_equal(topo->nhosts, 3);
	assert_int_equal(topo->hosts[0].npci, 0);
	assert_int_equal(topo->hosts[1].npci, 4000);
	assert_string_equal(topo->hosts[1].pci[3999].bus, "000f:9f:00.0");
	assert_int_equal(topo->hosts[2].alike, 1);
	assert_true(world.gathers > 4);
	assert_in_range(world.most, 1, 64 << 10);
	topo_clear(&processes[0].topo);
}

static void a_host_that_is_not_known_is_a_note(void **state)
{
	static const enum host_kind kinds[] = { HOST_UNKNOWN, HOST_PLAIN, HOST_UNKNOWN };
	struct process processes[PROCESSES];
	struct world world;
	const struct topo *topo = &processes[0].topo;

	(void)state;
	gather(&world, processes, kinds);
	assert_int_equal(topo->nhosts, 3);
	assert_int_equal(topo->hosts[0].nnotes, 1);
	assert_string_equal(topo->hosts[0].notes[0], "this host could not be discovered");
	assert_string_equal(topo->hosts[1].cpu, "a processor");
	assert_int_equal(topo->hosts[2].nranks, 4);
	topo_clear(&processes[0].topo);
}

static void nobody_knows_anything(void **state)
{
	static const enum host_kind kinds[] = { HOST_UNKNOWN, HOST_UNKNOWN, HOST_UNKNOWN };
	struct process processes[PROCESSES];
	struct world world;

	(void)state;
	gather(&world, processes, kinds);
	assert_int_equal(processes[0].topo.nhosts, 3);
	assert_int_equal(world.gathers, 2);
	topo_clear(&processes[0].topo);
}

static void one_process_discovers_itself(void **state)
{
	struct launch_setup setup = { .program = "test" };
	struct topology_rank rank = { .rank = 0 };
	struct launch launch = { .size = 1 };
	struct topo topo;

	(void)state;
	assert_int_equal(launch_open_self(&launch, &setup), 0);
	assert_int_equal(topology_gather(&launch, &rank, 1, &topo), 0);
	assert_int_equal(topo.nhosts, 1);
	assert_int_equal(topo.hosts[0].nranks, 1);
	assert_true(strlen(topo.hosts[0].name) > 0);
	topo_clear(&topo);
	launch.ops->close(&launch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_that_are_alike_are_sent_once), cmocka_unit_test(hosts_whose_texts_are_as_long_differ),
		cmocka_unit_test(ranks_are_at_their_hosts_and_gpus),  cmocka_unit_test(long_texts_come_in_pieces),
		cmocka_unit_test(a_host_that_is_not_known_is_a_note), cmocka_unit_test(nobody_knows_anything),
		cmocka_unit_test(one_process_discovers_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
