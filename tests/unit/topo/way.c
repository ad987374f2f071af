/* SPDX-License-Identifier: Apache-2.0
 *
 * Ways: their words, their variables, and what a host must have for them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "topo/topo_make.h"
#include "topo/way.h"

static struct topo_host *new_host(struct topo *topo, const char *from)
{
	struct topo_host *host = topo_add_host(topo);

	assert_non_null(host);
	assert_int_equal(topo_set(&host->from, from), 0);
	return host;
}

static void add_gpus(struct topo_host *host, int count)
{
	for (int i = 0; i < count; i++) {
		struct topo_pci *pci = topo_add_pci(host);
		char bus[24];

		snprintf(bus, sizeof bus, "0000:%02x:00.0", 0x10 + i);
		topo_set(&pci->bus, bus);
		pci->kind = TOPO_GPU;
		pci->root = i;
		pci->numa = 0;
		struct topo_gpu *gpu = topo_add_gpu(host);

		gpu->number = i;
		gpu->pci = (int)host->npci - 1;
		gpu->numa = 0;
	}
}

static void join(struct topo_host *host, int a, int b)
{
	struct topo_nvlink *link = topo_add_nvlink(host);

	*link = (struct topo_nvlink){
		.gpu = a, .end = TOPO_END_GPU, .peer = b, .count = 4, .version = 3, .rate = 100e9, .source = link->source
	};
}

static void add_nic(struct topo_host *host, const char *name, enum topo_fabric fabric, enum topo_state state)
{
	struct topo_nic *nic = topo_add_nic(host);

	topo_set(&nic->name, name);
	nic->fabric = fabric;
	nic->state = state;
	nic->port = 1;
}

static void expect(const struct topo_host *host, enum way_library library, enum way way, const char *reason)
{
	char text[256] = "";
	const int rc = way_possible(host, library, way, text, sizeof text);

	if (!reason) {
		assert_int_equal(rc, 0);
		return;
	}
	assert_int_equal(rc, -1);
	assert_non_null(strstr(text, reason));
}

static void words_are_found_and_joined(void **state)
{
	char text[64];

	(void)state;
	for (int i = 0; i < WAYS; i++)
		assert_int_equal(way_find(way_names[i]), i);
	assert_int_equal(way_find("TCP"), -1);
	assert_int_equal(way_find(""), -1);
	way_words(0, text);
	assert_string_equal(text, "");
	way_words(1U << WAY_TCP | 1U << WAY_SHM, text);
	assert_string_equal(text, "shm+tcp");
	way_words(~0U, text);
	assert_string_equal(text, "nvlink+pcie+shm+ib+roce+socket+tcp");
}

static const char *value_of(enum way_library library, enum way way, const char *name)
{
	const struct way_variable *variable = way_variables(library, way);

	while (variable->name && strcmp(variable->name, name) != 0)
		variable++;
	return variable->name ? variable->value : "";
}

static void each_library_has_its_ways(void **state)
{
	static const bool has[WAY_LIBRARIES][WAYS] = { { true, true, true, true, true, true, true, false },
						       { true, false, false, true, true, false, false, true } };

	(void)state;
	for (int library = 0; library < WAY_LIBRARIES; library++) {
		for (int way = 0; way < WAYS; way++)
			assert_int_equal(way_variables((enum way_library)library, (enum way)way) != NULL, has[library][way]);
		assert_null(way_variables((enum way_library)library, WAY_AUTO)->name);
	}
	assert_string_equal(value_of(WAY_UCX, WAY_TCP, "UCX_TLS"), "tcp,self");
	assert_string_equal(value_of(WAY_UCX, WAY_SHM, "UCX_TLS"), "shm,self");
	assert_string_equal(value_of(WAY_NCCL, WAY_NVLINK, "NCCL_P2P_LEVEL"), "NVL");
	assert_string_equal(value_of(WAY_NCCL, WAY_NVLINK, "NCCL_P2P_DISABLE"), "");
	/* What is tried before a way is off: peer-to-peer, then shared memory, then the other network. */
	for (int way = WAY_SHM; way <= WAY_SOCKET; way++) {
		assert_string_equal(value_of(WAY_NCCL, (enum way)way, "NCCL_P2P_DISABLE"), "1");
		assert_string_equal(value_of(WAY_NCCL, (enum way)way, "NCCL_SHM_DISABLE"), way == WAY_SHM ? "" : "1");
		assert_string_equal(value_of(WAY_NCCL, (enum way)way, "NCCL_NVLS_ENABLE"), "0");
		assert_string_equal(value_of(WAY_NCCL, (enum way)way, "NCCL_NET"), way == WAY_SHM      ? ""
										   : way == WAY_SOCKET ? "Socket"
												       : "IB");
	}
}

static void nvlink_is_between_gpus(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = new_host(&topo, "hwloc 2.9.0, sysfs, NVML");

	(void)state;
	expect(host, WAY_NCCL, WAY_NVLINK, NULL);
	add_gpus(host, 1);
	expect(host, WAY_NCCL, WAY_NVLINK, "one GPU");
	add_gpus(host, 1);
	host->gpus[1].number = 1;
	expect(host, WAY_NCCL, WAY_NVLINK, "no NVLink between GPU0 and GPU1");
	expect(host, WAY_NCCL, WAY_PCIE, NULL);
	join(host, 0, 1);
	join(host, 1, 0);
	expect(host, WAY_NCCL, WAY_NVLINK, NULL);
	expect(host, WAY_NCCL, WAY_PCIE, "GPU0 and GPU1 are joined by NVLink, and NCCL has no variable");
	expect(host, WAY_NCCL, WAY_SHM, NULL);
	topo_clear(&topo);
}

/* Which two of them a job uses is not known. */
static void one_pair_of_many_is_enough(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = new_host(&topo, "NVML");

	(void)state;
	add_gpus(host, 4);
	expect(host, WAY_NCCL, WAY_NVLINK, "no NVLink between GPU0 and GPU1, nor between any others here");
	join(host, 2, 3);
	join(host, 3, 2);
	expect(host, WAY_NCCL, WAY_NVLINK, NULL);
	expect(host, WAY_NCCL, WAY_PCIE, NULL);
	topo_clear(&topo);
}

static void what_is_unknown_is_no_reason(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = new_host(&topo, "hwloc 2.9.0");

	(void)state;
	add_gpus(host, 2);
	expect(host, WAY_NCCL, WAY_NVLINK, NULL);
	expect(host, WAY_NCCL, WAY_IB, NULL);
	expect(host, WAY_NCCL, WAY_ROCE, NULL);
	expect(host, WAY_UCX, WAY_IB, NULL);
	topo_set(&host->from, "hwloc 2.9.0, sysfs");
	expect(host, WAY_NCCL, WAY_IB, "no InfiniBand device here");
	expect(host, WAY_NCCL, WAY_ROCE, "no RoCE device here");
	expect(host, WAY_UCX, WAY_IB, "no InfiniBand or RoCE device here");
	add_nic(host, "odd0", TOPO_FABRIC_UNKNOWN, TOPO_UP);
	expect(host, WAY_NCCL, WAY_IB, NULL);
	topo_clear(&topo);
}

static void networks_need_their_devices(void **state)
{
	struct topo topo = { 0 };
	struct topo_host *host = new_host(&topo, "sysfs");

	(void)state;
	unsetenv("NCCL_IB_HCA");
	add_nic(host, "eth0", TOPO_ETHERNET, TOPO_UP);
	expect(host, WAY_NCCL, WAY_IB, "no InfiniBand device here");
	expect(host, WAY_NCCL, WAY_SOCKET, NULL);
	expect(host, WAY_UCX, WAY_TCP, NULL);
	add_nic(host, "mlx5_1", TOPO_ROCE, TOPO_UP);
	expect(host, WAY_NCCL, WAY_IB, "no InfiniBand device here");
	expect(host, WAY_NCCL, WAY_ROCE, NULL);
	expect(host, WAY_UCX, WAY_IB, NULL);
	add_nic(host, "mlx5_0", TOPO_INFINIBAND, TOPO_DOWN);
	expect(host, WAY_NCCL, WAY_IB, "port 1 of mlx5_0 is down");
	expect(host, WAY_NCCL, WAY_ROCE, NULL);
	add_nic(host, "mlx5_2", TOPO_INFINIBAND, TOPO_STATE_UNKNOWN);
	expect(host, WAY_NCCL, WAY_IB, NULL);
	expect(host, WAY_NCCL, WAY_ROCE, "mlx5_2 is InfiniBand, which NCCL would take as well");
	setenv("NCCL_IB_HCA", "mlx5_1", 1);
	expect(host, WAY_NCCL, WAY_ROCE, NULL);
	unsetenv("NCCL_IB_HCA");
	topo_clear(&topo);
}

static void the_list_has_all_variables(void **state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	way_list(out, WAY_NCCL);
	way_list(out, WAY_UCX);
	fclose(out);
	assert_non_null(strstr(text, "path: auto (nccl): the library's choice\n"));
	assert_non_null(strstr(text, "path: tcp (mpi): UCX_TLS=tcp,self\n"));
	assert_non_null(strstr(text, "path: shm (nccl): NCCL_P2P_DISABLE=1 NCCL_NVLS_ENABLE=0\n"));
	assert_null(strstr(text, "tcp (nccl)"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_found_and_joined),   cmocka_unit_test(each_library_has_its_ways),
		cmocka_unit_test(nvlink_is_between_gpus),       cmocka_unit_test(one_pair_of_many_is_enough),
		cmocka_unit_test(what_is_unknown_is_no_reason), cmocka_unit_test(networks_need_their_devices),
		cmocka_unit_test(the_list_has_all_variables),
	};

	return cmocka_run_group_tests_name("topo/way", tests, NULL, NULL);
}
