/* SPDX-License-Identifier: Apache-2.0
 *
 * The table behind the command line, for the files named options*.c alone: each row is an option with its place in struct options, its
 * default, its help and the function that reads its text. Parsing, --help, the man page and the checks are loops over it.
 */
#ifndef COLLPERF_OPTIONS_TABLE_H
#define COLLPERF_OPTIONS_TABLE_H

#include "options.h"

enum option_group {
	GROUP_SIZES,
	GROUP_WHAT,
	GROUP_HOW_OFTEN,
	GROUP_WHERE,
	GROUP_OUTPUT,
	GROUP_GPU,
	GROUP_SIM,
	GROUP_TESTS,
	GROUP_INSTEAD,
	GROUP_COUNT
};

struct option_row;

/*
 * Reads `text` ("" for an option without an argument) into *options. 0, or -1 with the reason in error->text, worded to follow the
 * quoted text: "is not a size".
 */
typedef int option_parser(const struct option_row *row, const char *text, struct options *options, struct options_error *error);

struct option_row {
	const char *name;     /* long, without dashes */
	char letter;          /* 0: none */
	const char *argument; /* its name; NULL: none; "[=NAME]": may be left out */
	enum option_group group;
	const char *preset; /* the default as help shows it; NULL: nothing to show */
	option_parser *parse;
	size_t offset;            /* of the member in struct options */
	long min, max;            /* of whole numbers and sizes; min 1 of a time: not 0 */
	const char *const *words; /* valid words, ends with NULL; their order is that of the member's values */
	const char *help;
};

extern const struct option_row option_rows[];
extern const size_t option_row_count;

/* What options_parse makes of an empty line. */
extern const struct options option_defaults;

struct option_group_info {
	const char *name;
	const char *needs; /* the only backend that can do other than the default; NULL: all can */
};

extern const struct option_group_info option_groups[GROUP_COUNT];

/* Names that users of nccl-tests know or that are reserved. Ends with a NULL name. */
struct option_refusal {
	const char *name;
	char letter;
	const char *reason;
	const char *idle; /* an argument that asks for nothing is accepted; NULL: none */
};

extern const struct option_refusal option_refusals[];

struct option_exit_code {
	int code;
	const char *meaning;
};

/* Ends with a NULL meaning. */
extern const struct option_exit_code option_exit_codes[];

struct option_example {
	const char *launcher; /* before the program's name, with a blank; may be "" */
	const char *arguments;
	const char *what;
};

/* Ends with a NULL launcher. */
extern const struct option_example option_examples[];

/* How sizes and rates are to be read. */
extern const char option_units[];

/* Where a row keeps its value. */
void *option_place(const struct option_row *row, struct options *options);
const void *option_value(const struct option_row *row, const struct options *options);

/* "-b", or "--csv" where there is no letter; `buffer` holds the answer. */
const char *option_label(const struct option_row *row, char *buffer, size_t size);

/* Text for a message: unprintable bytes as \xNN, a long text cut to what fits, with "..." at its end. Returns buffer. */
const char *option_quote(const char *text, char *buffer, size_t size);

/* Always returns -1. */
int option_fail(struct options_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

option_parser option_parse_size, option_parse_count, option_parse_int, option_parse_unsigned, option_parse_iters,
	option_parse_seconds, option_parse_ci, option_parse_bandwidth, option_parse_noise, option_parse_word,
	option_parse_word_bool, option_parse_text_word, option_parse_type, option_parse_op, option_parse_root,
	option_parse_combine, option_parse_text, option_parse_label, option_parse_inject, option_parse_flag, option_parse_switch,
	option_parse_split, option_parse_policy, option_parse_pairs, option_parse_skew;

/* For --help and the man page: a row of the table, text wrapped from column `indent` on, a row, text that troff reads. */
void option_print_row(FILE *out, const struct option_row *row);
void option_print_wrapped(FILE *out, const char *text, size_t indent);
void option_man_row(FILE *out, const struct option_row *row);
void option_man_text(FILE *out, const char *text);

/* What has no meaning beside --pairs. */
int option_check_pairs(const struct options *options, struct options_error *error);

/* --skew, --matrix: what has no meaning together; and sizes that were not given, which are 0. */
int option_check_uneven(const struct options *options, struct options_error *error);
void option_default_sizes(struct options *options);

/* Names the ways of sendrecv that the options ask for. */
void option_name_exchange(struct options *options);

/* What has no meaning beside --mode, --stride and --pipeline. */
int option_check_exchange(const struct options *options, struct options_error *error);

/* A fault at a size that the sweep does not have. */
int option_check_inject(const struct options *options, struct options_error *error);

/* Whether the option's argument may be left out. */
bool option_is_optional(const struct option_row *row);

/* A split, from whichever source. As an option_parser. */
int option_read_split(const char *text, struct split *split, struct options_error *error);

#endif
