/* SPDX-License-Identifier: Apache-2.0
 *
 * Short texts for people that the parts of show share. All write into a buffer of the caller and return it.
 */
#ifndef COLLPERF_SHOW_WORDS_H
#define COLLPERF_SHOW_WORDS_H

#include <stdio.h>

#include "topo.h"

enum { SHOW_WORDS = 320, SHOW_COLUMNS = 110 };

/* "40 GiB", "32 KiB"; whole numbers from 100 on. */
const char *show_bytes(uint64_t bytes, char *text, size_t size);
/* "PCIe 4.0 x16", "PCIe 3.0 x8 (could be 4.0 x16)"; "" where nothing is known. */
const char *show_pcie(const struct topo_pci *pci, char *text, size_t size);
/* "InfiniBand", "" where it is unknown. */
const char *show_fabric(enum topo_fabric fabric);
/* Its name, "0" for the first where it has none. */
const char *show_host(const struct topo *topo, size_t i, char *text, size_t size);
/* "GPU0", "NIC3": ends as in a path. */
const char *show_end(const struct topo_host *host, int end, char *text, size_t size);
/* "12 x NVLink3", "NVLink" where less is known. kind: path_link_kind. */
const char *show_nvlinks(const char *kind, int count, int version, char *text, size_t size);

/* A text of anybody as it may be printed, cut at the size. */
const char *show_visible(const char *text, char *buffer, size_t size);

/* Words in lines of at most SHOW_COLUMNS columns; starts behind `indent` blanks that are written already. */
struct show_list {
	FILE *out;
	int indent;
	int column;
	const char *between; /* of two words: ", " */
	bool any;
};

void show_list_begin(struct show_list *list, FILE *out, int indent, const char *between);
void show_list_add(struct show_list *list, const char *word);
/* The end of the line. */
void show_list_end(struct show_list *list);

/*
 * Rising numbers as "1-3,5", behind what `text` holds; once the buffer is full, "..." ends it. *first and *last are the numbers seen last: begin with -1 in
 * both, and end with number -1.
 */
struct show_run {
	char *text;
	size_t size;
	size_t used;
	int first, last;
	bool any;
};
void show_run_add(struct show_run *run, int number);

#endif
