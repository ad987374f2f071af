/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything random in a run comes from one seed: the seed of each launch and the order of launches. Generator: splitmix64 (Steele, Lea,
 * Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
 */
#ifndef COLLPERF_DRIVER_SEED_H
#define COLLPERF_DRIVER_SEED_H

#include <stddef.h>
#include <stdint.h>

/* A fresh seed below 2^53, so that every JSON reader keeps it exact. */
uint64_t seed_random(void);

/* The seed of launch `index` of a run: output index + 1 of the generator started at `seed`, its upper 53 bits. */
uint64_t seed_launch(uint64_t seed, uint64_t index);

/* Shuffles `count` numbers; the same seed and stream give the same order on every machine. */
void seed_shuffle(uint64_t seed, uint64_t stream, size_t *order, size_t count);

#endif
