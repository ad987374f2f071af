/* SPDX-License-Identifier: Apache-2.0
 *
 * Within the reader of nvidia-smi's matrix: lines and their words.
 */
#ifndef COLLPERF_READ_SMI_H
#define COLLPERF_READ_SMI_H

#include "read_text.h"

enum {
	READ_SMI_LONGEST = 16384,    /* of a line; what is behind is cut */
	READ_SMI_MOST_WORDS = 2048,  /* of a line */
	READ_SMI_MOST_DEVICES = 512, /* of a matrix */
	READ_SMI_LONGEST_WORD = 64,
	READ_SMI_MOST_ODD = 16 /* words that are noted */
};

/* A line without escape sequences, its words separated by NULs. */
struct read_smi_line {
	unsigned long number;
	char text[READ_SMI_LONGEST + 1];
	char *words[READ_SMI_MOST_WORDS];
	size_t nwords;
};

/* The next line from *at, which goes behind it; false at the end. */
bool read_smi_next(const char *text, size_t size, size_t *at, struct read_smi_line *line);

/* Class and number of links of a cell; TOPO_CLASS_UNKNOWN: no such word. */
enum topo_class read_smi_class(const char *word, int *links);

/* Cells without blanks between them, as broken tables have them ("NODEPIX"), become words of their own, from word `first` on. */
void read_smi_part(struct read_smi_line *line, size_t first);

/* A word of the matrix; TOPO_CLASS_UNKNOWN: there is none, or it is not understood. */
struct read_smi_cell {
	enum topo_class class;
	int links;
};

struct read_smi_device {
	char name[READ_SMI_LONGEST_WORD]; /* as the header has it */
	int end;                          /* GPUs first, then NICs */
	size_t cells;                     /* of its row; 0: no row */
	char *cpus;                       /* near hardware threads, "" or owned; NULL: none */
	int numa;
};

struct read_smi_matrix {
	unsigned long line; /* of the header; 0: none */
	size_t from;        /* where the header's line begins */
	size_t behind;      /* where the text goes on */
	struct read_smi_device *devices;
	struct read_smi_cell *cells; /* by row, then column */
	size_t ndevices, ngpus, nrows;
	bool has_numa; /* "NUMA Affinity" is a column */
	size_t known;  /* cells that were understood, X aside */
	char odd[READ_SMI_MOST_ODD][READ_SMI_LONGEST_WORD];
	size_t nodd;
};

/* The first matrix behind *at: 1; 0: none, -1: out of memory. To be cleared after 1; *line is for its use. `number` of line goes on. */
int read_smi_find(const char *text, size_t size, size_t *at, struct read_smi_line *line, struct read_smi_matrix *matrix);
void read_smi_clear(struct read_smi_matrix *matrix);

/* The number behind "GPU" or "NIC"; -1. */
int read_smi_number(const char *word, const char *kind);

#endif
