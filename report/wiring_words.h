/* SPDX-License-Identifier: Apache-2.0
 *
 * A topology in words that page and report.md share.
 */
#ifndef COLLPERF_WIRING_WORDS_H
#define COLLPERF_WIRING_WORDS_H

#include <stdio.h>

#include "../topo/path.h"
#include "escape.h"
#include "wiring.h"

/* The hosts that host `first` describes, itself among them: "a, b and 14 more, alike". */
void wiring_names(FILE *out, enum escape how, const struct topo *topo, size_t first);

/* "2 packages, 96 cores, 192 threads, 4 NUMA nodes, AMD EPYC 7V12; 8 x NVIDIA A100-SXM4-40GB; 8 x InfiniBand, 25 GB/s". */
void wiring_host(FILE *out, enum escape how, const struct topo_host *host);

/* What bounds are made of: "GPUs: 300 GB/s (12 x NVLink3: 300 GB/s); NICs: ...". */
void wiring_peaks(FILE *out, enum escape how, const struct wiring *wiring);

/* "GPU0", "NIC1". `text` of at least 16 bytes. */
void wiring_end(const struct topo_host *host, size_t end, char *text);

/* Paths of one class and one derivation, once. */
struct wiring_line {
	char class[16];
	char words[PATH_WORDS];
	size_t pairs;
	size_t a, b; /* the first of them */
};

/* Between GPUs, then from each GPU to its NICs of the nearest class; at most `most`, those behind are left out. How many. */
size_t wiring_lines(const struct topo_host *host, struct wiring_line *lines, size_t most);

#endif
