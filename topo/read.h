/* SPDX-License-Identifier: Apache-2.0
 *
 * Topologies from files of other people's machines. Tolerant of what is missing, strict about what is claimed: nothing is invented, oddities are notes.
 * Each adds one host. -1 with one line in `error` (file, line where known, what is wrong) where the text is not of that kind; nothing is added then.
 */
#ifndef COLLPERF_READ_H
#define COLLPERF_READ_H

#include <stddef.h>

#include "topo.h"

/* hwloc's XML export (2.x and 1.x as the library reads them). */
int read_hwloc(const char *file, const char *text, size_t size, struct topo *topo, char *error, size_t error_size);

/* NCCL_TOPO_FILE or NCCL_TOPO_DUMP_FILE: <system version="1">, RCCL's version="2". Entities, DTDs and includes are refused. */
int read_nccl_xml(const char *file, const char *text, size_t size, struct topo *topo, char *error, size_t error_size);

/* What `nvidia-smi topo -m` prints, also inside a longer log, with escape sequences of a terminal. */
int read_smi(const char *file, const char *text, size_t size, struct topo *topo, char *error, size_t error_size);

#endif
