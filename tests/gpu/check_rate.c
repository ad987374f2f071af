/* SPDX-License-Identifier: Apache-2.0
 *
 * For a machine with a GPU: are data seeded and checked by the kernels as by the host, is every planted error counted, and how fast is that beside a copy
 * on the device. check_rate [--short] [MIB]: a short one has no timing (for compute-sanitizer). 1 when anything is miscounted, 3 when nothing can run.
 * The last line is "check_GBps C copy_GBps D ratio R": bytes read by the check, and bytes read and written by the copy, a second.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/backend/nccl_state.h"
#include "src/notes.h"
#include "src/pattern.h"

enum { AROUND = 64, TRIALS = 150, TRIAL_BYTES = 1 << 18, REPEATS = 5, MIB = 1 << 20 };

static const size_t MOST_BYTES = (size_t)8 << 30, SHORT_BYTES = (size_t)16 << 20;

struct site {
	struct nccl_state state;
	struct nccl_rank rank;
	struct backend backend;
	const struct backend_device *device;
	char *memory; /* on the device */
	size_t bytes;
	char *found, *expected; /* TRIAL_BYTES + 3 * AROUND on the host */
	uint64_t random;
	long miscounted;
};

static const enum dtype types[] = { DTYPE_INT8, DTYPE_HALF, DTYPE_FLOAT, DTYPE_DOUBLE };

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static size_t draw(struct site *site, size_t below)
{
	site->random = site->random * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (size_t)(site->random >> 33) % below;
}

static int check(const struct site *site, cudaError_t error, const char *call)
{
	return nccl_check_cuda(&site->state, &site->rank, error, call);
}

static int open_kernels(struct site *site)
{
	struct nccl_state *state = &site->state;
	struct notes notes = { .count = 0 };
	char reason[256];

	if (nccl_api_load(&state->api, reason, sizeof reason)) {
		fprintf(stderr, "check_rate: %s\n", reason);
		return -1;
	}
	state->nlocal = state->nthreads = state->ngpus = 1;
	state->ranks = &site->rank;
	snprintf(site->rank.pci, sizeof site->rank.pci, "first");
	snprintf(state->host, sizeof state->host, "this one");
	site->backend = (struct backend){ .state = state, .nranks = 1, .nlocal = 1 };
	if (check(site, state->api.set_device(0), "cudaSetDevice") ||
	    check(site, state->api.stream_create(&site->rank.stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags") ||
	    nccl_verify_open(state))
		return -1;
	site->device = nccl_device(&site->backend);
	nccl_verify_report(state, &notes);
	if (!site->device)
		fprintf(stderr, "check_rate: %s\n", notes.count ? notes.lines[0] : "no kernels");
	notes_free(&notes);
	return site->device ? 0 : -1;
}

static int open_memory(struct site *site, size_t wanted)
{
	size_t available, total;
	void *memory;

	if (check(site, site->state.api.memory_info(&available, &total), "cudaMemGetInfo"))
		return -1;
	site->bytes = wanted < available / 2 ? wanted : available / 2 / 4096 * 4096;
	if (check(site, site->state.api.allocate(&memory, site->bytes), "cudaMalloc"))
		return -1;
	site->memory = memory;
	site->found = malloc(TRIAL_BYTES + 3 * AROUND);
	site->expected = malloc(TRIAL_BYTES + 3 * AROUND);
	return site->found && site->expected && site->bytes >= TRIAL_BYTES + 3 * AROUND ? 0 : -1;
}

static int wait(const struct site *site)
{
	return check(site, site->state.api.stream_synchronize(site->rank.stream), "cudaStreamSynchronize");
}

/* Elements of a random type, place and number. */
struct trial {
	struct pattern_table table;
	size_t offset, from, count, bytes; /* bytes: of the elements */
};

static void say(struct site *site, const struct trial *trial, const char *what, uint64_t found, uint64_t expected)
{
	printf("%s: %zu elements of %zu bytes at offset %zu from %zu: %llu, not %llu\n", what, trial->count, trial->table.size,
	       trial->offset, trial->from, (unsigned long long)found, (unsigned long long)expected);
	site->miscounted++;
}

/* Changes up to five bytes of `found`; how many elements are wrong then, and the first. */
static uint64_t spoil(struct site *site, const struct trial *trial, size_t *first)
{
	const size_t size = trial->table.size;
	char *found = site->found + AROUND + trial->offset, *expected = site->expected + AROUND + trial->offset;
	uint64_t wrong = 0;

	memcpy(expected, found, trial->bytes);
	for (size_t i = 1 + draw(site, 5); i > 0; i--)
		found[draw(site, trial->bytes)] ^= (char)(1 + draw(site, 255));
	for (size_t i = trial->count; i-- > 0;) {
		if (memcmp(found + i * size, expected + i * size, size) == 0)
			continue;
		wrong++;
		*first = i;
	}
	return wrong;
}

/* What the device counts, against what it should. byte: -1 for the table. */
static int count(struct site *site, const struct trial *trial, int byte, uint64_t wrong, size_t first)
{
	const char *data = site->memory + AROUND + trial->offset;
	uint64_t counted = 0;
	size_t seen = first;
	const int failed = byte < 0 ? site->device->differs(&site->backend, 0, data, &trial->table, trial->from, trial->count,
							    &counted, &seen)
				    : site->device->differs_from(&site->backend, 0, data, byte, trial->table.size, trial->count,
								 &counted, &seen);

	if (failed)
		return -1;
	if (counted != wrong)
		say(site, trial, "wrong elements", counted, wrong);
	else if (seen != first)
		say(site, trial, "first wrong element", seen, first);
	return 0;
}

static int try_filling(struct site *site, const struct trial *trial)
{
	const size_t all = AROUND + trial->offset + trial->bytes + AROUND;

	memset(site->expected, 0x5c, all);
	pattern_table_fill(&trial->table, trial->from, trial->count, site->expected + AROUND + trial->offset);
	if (site->device->set(&site->backend, 0, site->memory, 0x5c, all) ||
	    site->device->fill(&site->backend, 0, site->memory + AROUND + trial->offset, &trial->table, trial->from,
			       trial->count) ||
	    nccl_download(&site->backend, 0, site->found, site->memory, all))
		return -1;
	if (memcmp(site->found, site->expected, all) != 0)
		say(site, trial, "filled otherwise than by the host", 1, 0);
	return 0;
}

static int try_counting(struct site *site, const struct trial *trial, int byte)
{
	const size_t all = AROUND + trial->offset + trial->bytes + AROUND;
	size_t first = 0;

	if (count(site, trial, byte, 0, 0) || nccl_download(&site->backend, 0, site->found, site->memory, all))
		return -1;
	const uint64_t wrong = spoil(site, trial, &first);

	return nccl_upload(&site->backend, 0, site->memory, site->found, all) || count(site, trial, byte, wrong, first) ? -1 : 0;
}

static int try_once(struct site *site)
{
	const enum dtype type = types[draw(site, sizeof types / sizeof types[0])];
	struct pattern *pattern = pattern_new(type, REDOP_SUM, (int)draw(site, 2), 4, 1 + draw(site, 3));
	struct trial trial = { .count = 1 + draw(site, draw(site, 2) ? 50 : TRIAL_BYTES / dtypes[type].size) };
	int failed;

	if (!pattern)
		return -1;
	pattern_table(pattern, (int)draw(site, 4), draw(site, 9000), &trial.table, &trial.from);
	trial.bytes = trial.count * trial.table.size;
	trial.offset = draw(site, 16);
	/* Nearly always as -u has it: on the bounds of elements. */
	if (draw(site, 8))
		trial.offset -= trial.offset % trial.table.size;
	failed = try_filling(site, &trial) || try_counting(site, &trial, -1) ||
		 site->device->set(&site->backend, 0, site->memory + AROUND + trial.offset, 0xa7, trial.bytes) ||
		 try_counting(site, &trial, 0xa7);
	pattern_free(pattern);
	return failed ? -1 : 0;
}

static int flip(struct site *site, size_t at)
{
	char byte;

	if (nccl_download(&site->backend, 0, &byte, site->memory + at, 1))
		return -1;
	byte = (char)(byte ^ 1);
	return nccl_upload(&site->backend, 0, site->memory + at, &byte, 1);
}

/* The first, the middle (beyond 4 GiB where there is memory) and the last element of everything. */
static int try_all_memory(struct site *site, const struct pattern_table *table)
{
	const size_t elements = site->bytes / table->size;
	const struct trial trial = { .table = *table, .count = elements };
	uint64_t wrong = 0;
	size_t first = 1;

	if (site->device->fill(&site->backend, 0, site->memory, table, 3, elements) || flip(site, 0) ||
	    flip(site, site->bytes / 8 * 5) || flip(site, site->bytes - 1) ||
	    site->device->differs(&site->backend, 0, site->memory, table, 3, elements, &wrong, &first))
		return -1;
	if (wrong != 3 || first != 0)
		say(site, &trial, "wrong elements of all memory", wrong, 3);
	return 0;
}

/* Ends by its limit, and by its flag long before. */
static int try_spin(struct site *site)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	double start = now();
	void *memory;
	int *flag;

	if (check(site, site->state.api.host_allocate(&memory, sizeof *flag, cudaHostAllocMapped), "cudaHostAlloc"))
		return -1;
	flag = memory;
	*flag = 0;
	if (nccl_verify_spin(&site->state, 0, flag, 2000000) || wait(site))
		return -1;
	if (now() - start < 0.002) {
		printf("the waiting kernel did not wait\n");
		site->miscounted++;
	}
	start = now();
	if (nccl_verify_spin(&site->state, 0, flag, UINT64_C(20000000000)))
		return -1;
	nanosleep(&pause, NULL);
	__atomic_store_n(flag, 1, __ATOMIC_RELEASE);
	if (wait(site))
		return -1;
	if (now() - start > 10) {
		printf("the waiting kernel missed its flag\n");
		site->miscounted++;
	}
	return check(site, site->state.api.host_release(flag), "cudaFreeHost");
}

struct rates {
	double fill, check, copy; /* bytes per second */
};

static void keep_best(double *rate, size_t bytes, double start)
{
	const double this = (double)bytes / (now() - start);

	if (this > *rate)
		*rate = this;
}

static int rates_of(struct site *site, const struct pattern_table *table, size_t offset, struct rates *rates)
{
	const size_t half = site->bytes / 2, count = (site->bytes - offset) / table->size;
	char *data = site->memory + offset;

	for (int i = 0; i < REPEATS; i++) {
		uint64_t wrong = 0;
		size_t first;
		double start = now();

		if (site->device->fill(&site->backend, 0, data, table, 7, count))
			return -1;
		keep_best(&rates->fill, count * table->size, start);
		start = now();
		if (site->device->differs(&site->backend, 0, data, table, 7, count, &wrong, &first))
			return -1;
		keep_best(&rates->check, count * table->size, start);
		site->miscounted += wrong != 0;
		start = now();
		if (check(site,
			  site->state.api.copy(site->memory + half, site->memory, half, cudaMemcpyDeviceToDevice,
					       site->rank.stream),
			  "cudaMemcpyAsync") ||
		    wait(site))
			return -1;
		keep_best(&rates->copy, 2 * half, start);
	}
	return 0;
}

static int show_rates(struct site *site)
{
	struct rates worst = { 0, 1e300, 0 };

	printf("%6s %6s %14s %10s %10s %10s %6s\n", "size", "offset", "bytes", "fill_GBps", "check_GBps", "copy_GBps", "ratio");
	for (size_t i = 0; i < 2 * sizeof types / sizeof types[0]; i++) {
		struct pattern *pattern = pattern_new(types[i / 2], REDOP_SUM, 0, 4, 1);
		struct rates rates = { 0, 0, 0 };
		struct pattern_table table;
		size_t from, offset;

		if (!pattern)
			return -1;
		pattern_table(pattern, 1, 0, &table, &from);
		offset = i % 2 * table.size;
		if ((i % 2 == 0 && try_all_memory(site, &table)) || rates_of(site, &table, offset, &rates)) {
			pattern_free(pattern);
			return -1;
		}
		printf("%6zu %6zu %14zu %10.1f %10.1f %10.1f %6.3f\n", table.size, offset, site->bytes, rates.fill / 1e9,
		       rates.check / 1e9, rates.copy / 1e9, rates.check / rates.copy);
		pattern_free(pattern);
		if (rates.check / rates.copy * worst.copy < worst.check || worst.copy == 0)
			worst = rates;
	}
	printf("%ld miscounted\ncheck_GBps %.1f copy_GBps %.1f ratio %.3f\n", site->miscounted, worst.check / 1e9,
	       worst.copy / 1e9, worst.check / worst.copy);
	return 0;
}

static int close_site(struct site *site)
{
	struct nccl_state *state = &site->state;
	int failed = 0;

	if (site->memory)
		failed |= check(site, state->api.release(site->memory), "cudaFree");
	nccl_verify_close(state);
	if (site->rank.stream)
		failed |= check(site, state->api.stream_destroy(site->rank.stream), "cudaStreamDestroy");
	nccl_api_unload(&state->api);
	free(site->found);
	free(site->expected);
	return failed;
}

int main(int argc, char **argv)
{
	const bool is_short = argc > 1 && strcmp(argv[1], "--short") == 0;
	const long mib = argc > 1 + is_short ? strtol(argv[1 + is_short], NULL, 10) : 0;
	struct site site = { .random = 11 };
	int failed = open_kernels(&site) ||
		     open_memory(&site, mib > 0    ? (size_t)mib * MIB
					: is_short ? SHORT_BYTES
						   : MOST_BYTES) ||
		     try_spin(&site);

	for (int i = 0; i < TRIALS && !failed; i++)
		failed = try_once(&site);
	if (!failed && !is_short)
		failed = show_rates(&site);
	else if (!failed)
		printf("%d trials, %ld miscounted\n", TRIALS, site.miscounted);
	failed |= close_site(&site);
	return failed ? 3 : site.miscounted > 0;
}
