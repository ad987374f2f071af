/* SPDX-License-Identifier: Apache-2.0
 *
 * splitmix64 and what is drawn from it.
 */
#include "seed.h"

#include <sys/random.h>
#include <time.h>

static const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);

/* Output number n (from 1) of the generator started at `seed`. */
static uint64_t output(uint64_t seed, uint64_t n)
{
	uint64_t z = seed + n * golden;

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint64_t seed_random(void)
{
	uint64_t seed;
	struct timespec now;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != (ssize_t)sizeof(seed)) {
		clock_gettime(CLOCK_REALTIME, &now);
		seed = output((uint64_t)now.tv_sec, (uint64_t)now.tv_nsec);
	}
	return seed >> 11;
}

uint64_t seed_launch(uint64_t seed, uint64_t index)
{
	return output(seed, index + 1) >> 11;
}

void seed_shuffle(uint64_t seed, uint64_t stream, size_t *order, size_t count)
{
	/* A generator apart from that of the launches: its start is an output of another one. */
	uint64_t start = output(~seed, stream + 1);

	for (size_t i = count; i > 1; i--) {
		size_t j = (size_t)(output(start, i) % i);
		size_t swap = order[i - 1];

		order[i - 1] = order[j];
		order[j] = swap;
	}
}
