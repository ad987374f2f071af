/* SPDX-License-Identifier: Apache-2.0
 *
 * The way between two devices of a host: its class as nvidia-smi writes it, its peak rate one way, and where that number comes from.
 */
#ifndef COLLPERF_PATH_H
#define COLLPERF_PATH_H

#include "topo.h"

enum { PATH_WORDS = 160 };

struct path {
	enum topo_class class;
	int links;   /* of TOPO_NV; 0: unknown how many */
	double rate; /* peak one way, bytes per second; 0: unknown */
	char words
		[PATH_WORDS]; /* how the rate comes about: "12 x NVLink3: 300 GB/s", "PCIe 4.0 x16: 31.5 GB/s", "rate unknown: link speed is not given" */
};

/* Ends: GPUs 0 .. ngpus - 1, then NICs. What the source states itself (given) wins over what its tree says; a difference is not resolved here. */
void path_between(const struct topo_host *host, int a, int b, struct path *path);

/* "NV12", "PIX", "X", "?". `text` of at least 16 bytes. */
void path_class(const struct path *path, char *text);

/* "31.5 GB/s", "450 GB/s", "1.97 GB/s": three digits, 1e9. `text` of at least 24 bytes. */
void path_rate_words(double rate, char *text);

#endif
