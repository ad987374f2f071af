/* SPDX-License-Identifier: Apache-2.0
 *
 * A topology for people.
 */
#ifndef COLLPERF_SHOW_H
#define COLLPERF_SHOW_H

#include <stdio.h>

#include "topo.h"
#include "warn.h"

/* The tree of each host: sources, NUMA nodes, PCI bridges with link generation x width (and the maximum where it differs), GPUs, NICs, NVLinks, ranks. */
void show_tree(const struct topo *topo, FILE *out);
/* The matrix of classes between GPUs and NICs, laid out as nvidia-smi's, with its legend. */
void show_matrix(const struct topo *topo, FILE *out);
/* Per pair of GPUs and per GPU and nearest NIC: peak rate one way and its derivation; equal lines are told once with their pairs. */
void show_rates(const struct topo *topo, FILE *out);
/* "warning: ..." lines, then what the numbers for a report are. */
void show_warnings(const struct warnings *warnings, FILE *out);
/* A graph in Graphviz's language. */
void show_dot(const struct topo *topo, FILE *out);

/* `collperf topo [options]`; argv[0] is "topo". The exit code; one line on stderr for errors. */
int topo_main(int argc, char **argv);

#endif
