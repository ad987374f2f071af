/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that `collperf topo` reads and writes. "-" is stdin or stdout.
 */
#ifndef COLLPERF_TOPO_COMMAND_PARTS_H
#define COLLPERF_TOPO_COMMAND_PARTS_H

#include <stddef.h>

/* Replaces a file. -1 after one line on stderr. */
int topo_file_write(const char *file, const char *text, size_t size);

/* Always -1, after one line on stderr. */
int topo_file_fail(const char *file, const char *verb, const char *why);

enum topo_drawn { TOPO_DRAWN, TOPO_NO_DOT, TOPO_NOT_DRAWN };
/*
 * Has Graphviz's dot, found on PATH, draw a graph: *picture is its SVG, to be freed. TOPO_NO_DOT without a word where it is not there; TOPO_NOT_DRAWN after
 * one line on stderr.
 */
enum topo_drawn topo_draw(const char *graph, size_t graph_size, char **picture, size_t *size);

#endif
