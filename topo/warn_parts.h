/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts that look for trouble share.
 */
#ifndef COLLPERF_WARN_PARTS_H
#define COLLPERF_WARN_PARTS_H

#include "warn.h"

/* Where findings of a host go. */
struct warn_place {
	const struct topo *topo;
	struct warnings *warnings;
	size_t number;                /* of the host */
	const struct topo_host *host; /* that describes it */
	char name[112];               /* "n0", "n0 and 3 hosts like it" */
	bool failed;                  /* out of memory */
};

/* "NAME: " and what the format says. */
void warn_add(struct warn_place *place, enum warn_kind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* "NAME: DEVICE: " and what the format says; one more device where the host's last ones of that kind have that as well. */
void warn_add_device(struct warn_place *place, enum warn_kind kind, enum topo_kind device_kind, const char *device,
		     const char *format, ...) __attribute__((format(printf, 5, 6)));

/* "GPU0 (NVIDIA H100, 0000:0f:00.0)", "mlx5_0 port 1 (0000:10:00.0)" for an end. */
void warn_end(const struct topo_host *host, int end, char *text, size_t size);

/* NICs that carry a job: those for RDMA, and fast ones of unknown kind or Ethernet. */
bool warn_carries(const struct topo_nic *nic);

void warn_links(struct warn_place *place);   /* generation, width */
void warn_nvlinks(struct warn_place *place); /* fewer than the product has, or than others */
void warn_nics(struct warn_place *place);    /* down, slower, far */
void warn_peers(struct warn_place *place);   /* ACS, IOMMU */
void warn_cores(struct warn_place *place);   /* of every host, also one that is like another */

/* Hosts that have less than others; `place` is set by it. -1: out of memory. */
int warn_unlike(const struct topo *topo, struct warnings *warnings);
void warn_begin(struct warn_place *place, const struct topo *topo, struct warnings *warnings, size_t number);

#endif
