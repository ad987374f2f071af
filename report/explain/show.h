/* SPDX-License-Identifier: Apache-2.0
 *
 * The three ways to show an example. Each says what it left out.
 */
#ifndef COLLPERF_EXPLAIN_SHOW_H
#define COLLPERF_EXPLAIN_SHOW_H

#include <stdio.h>

#include "example.h"

struct lore;
struct walk;

enum {
	SHOW_FLOAT = 4,      /* bytes that a number is taken to be */
	SHOW_WIDTH = 100,    /* columns of a terminal */
	SHOW_TEXT_RANKS = 8, /* of more the first ones are shown */
	SHOW_TEXT_ROUNDS = 14,
	SHOW_PAGE_RANKS = 16,
	SHOW_PAGE_COLUMNS = 24,
	SHOW_PAGE_ROUNDS = 36,
};

/* What a rank moves. */
struct show_moved {
	int sent_messages, got_messages;
	size_t sent_size, got_size; /* in units of schedule.share: items, where all are alike */
};

/* Who moves most, of what is sent or what is got. */
struct show_busiest {
	int rank;
	bool gets;
	size_t most, total; /* of it, and of what all ranks send; in the same units */
};

/* 0, or -1 after one line on stderr when memory is out. What could not be written is known to the stream. */
int show_text(FILE *out, const struct example *example);
int show_page(FILE *out, const struct example *example);
int show_json(FILE *out, const struct example *example);

struct show_moved show_moved(const struct example *example, int rank);
struct show_busiest show_busiest(const struct example *example);
/* Whether all ranks move the same. */
bool show_moves_alike(const struct example *example);

/* Which p the formulas of it are for: "for every p". */
const char *show_validity(const struct example *example, const struct lore *lore);

/* Parts of show_text. */
void show_text_round(FILE *out, const struct walk *walk);
void show_text_cost(FILE *out, const struct walk *walk);
/* How large blocks are, where they differ. */
void show_text_blocks(FILE *out, const struct walk *walk);
/* Words in lines of SHOW_WIDTH columns, each after so many blanks. */
void show_text_wrap(FILE *out, int indent, const char *text);

/* Parts of show_page. */
extern const char *const show_style[]; /* ends with NULL */
void show_page_picture(FILE *out,
		       const struct walk *walk); /* of the ranks and the messages of the round; nothing where there are many */
void show_page_round(FILE *out, const struct walk *walk);
void show_page_cost(FILE *out, const struct walk *walk);
void show_page_blocks(FILE *out, const struct walk *walk);

#endif
