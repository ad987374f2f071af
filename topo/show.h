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
/* Per pair of GPUs and per GPU and nearest NIC: peak rate one way and its derivation; equal lines are told once with their pairs. An empty line
 * behind each host. */
void show_rates(const struct topo *topo, FILE *out);
/* One line: how many of what, warnings included. */
void show_summary(const struct topo *topo, const struct warnings *warnings, FILE *out);
/* "warning: ..." lines. */
void show_warnings(const struct warnings *warnings, FILE *out);
/* What a report's bounds are made of, and the options that say the same. */
void show_numbers(const struct topo *topo, FILE *out);
/* A graph in Graphviz's language. */
void show_dot(const struct topo *topo, FILE *out);

/* The command line of `collperf topo`, for the driver and for the program that a process manager starts. */
enum topo_source { TOPO_FROM_HWLOC, TOPO_FROM_NCCL, TOPO_FROM_SMI };

struct topo_input {
	enum topo_source source;
	const char *file; /* "-": stdin */
};

struct topo_command {
	struct topo_input *inputs; /* owned; the texts are argv's */
	size_t ninputs;
	const char *svg, *dot; /* NULL: none; "-": stdout */
	bool json, alone, help;
};

/* argv[0] is not looked at. -1 (usage) or -2 (out of memory), after one line on stderr unless `quiet`; then nothing is to be cleared. */
int topo_command_parse(int argc, char **argv, bool quiet, struct topo_command *command);
void topo_command_clear(struct topo_command *command);
void topo_command_help(FILE *out);
/* The options, for a man page (man macros). */
void topo_command_man(FILE *out);
/* Reads the inputs, a host each, or discovers this host where there are none. -1 after one line on stderr. */
int topo_command_read(const struct topo_command *command, struct topo *topo);
/* Writes what was asked for. -1 after one line on stderr. */
int topo_command_print(const struct topo_command *command, const struct topo *topo);

/* `collperf topo [options]`; argv[0] is "topo". The exit code; one line on stderr for errors. */
int topo_main(int argc, char **argv);

#endif
