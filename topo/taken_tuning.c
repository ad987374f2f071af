/* SPDX-License-Identifier: Apache-2.0
 *
 * What NCCL's lines of the subsystem TUNING say: algorithm and protocol of one call. Versions 2.20 to 2.22 give numbers and no name of the call, 2.23 numbers
 * and the name, later ones words.
 */
#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "taken.h"
#include "taken_parts.h"

/* As these versions number them. */
static const char *const algos[] = { "tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat" };
static const char *const protos[] = { "ll", "ll128", "simple" };

static const struct {
	const char *theirs, *ours;
} names[] = {
	{ "AllReduce", "all_reduce" }, { "AllGather", "all_gather" },    { "ReduceScatter", "reduce_scatter" },
	{ "Broadcast", "broadcast" },  { "Reduce", "reduce" },           { "SendRecv", "sendrecv" },
	{ "AlltoAll", "alltoall" },    { "AllToAll", "alltoall" },       { "Gather", "gather" },
	{ "Scatter", "scatter" },      { "AllGatherV", "all_gather_v" },
};

/* A number of the list or one of its words in any case, which are all the same length as ours; "" is left where it is neither. */
static bool read_choice(struct taken_text *text, const char *const *words, size_t count, char *chosen)
{
	unsigned long long number;
	const char *end = text->at;

	if (taken_number(text, INT_MAX, &number)) {
		if (number < count)
			strcpy(chosen, words[number]);
		return number < count;
	}
	while (end < text->end && (isalnum((unsigned char)*end) || *end == '_'))
		end++;
	for (size_t i = 0; i < count; i++) {
		if (strlen(words[i]) != (size_t)(end - text->at) || strncasecmp(words[i], text->at, strlen(words[i])) != 0)
			continue;
		strcpy(chosen, words[i]);
		text->at = end;
		return true;
	}
	return false;
}

/* "AllReduce: ", or nothing. */
static bool read_name(struct taken_text *text, char *collective)
{
	const char *end = text->at;

	while (end < text->end && isalpha((unsigned char)*end))
		end++;
	if (end == text->at)
		return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i].theirs) == (size_t)(end - text->at) &&
		    memcmp(names[i].theirs, text->at, strlen(names[i].theirs)) == 0)
			strcpy(collective, names[i].ours);
	text->at = end;
	return *collective && taken_word(text, ":");
}

/* "channel{Lo..Hi}={0..15}" */
static int read_channels(struct taken_text *text)
{
	unsigned long long low, high;

	if (!taken_skip_to(text, "channel{Lo..Hi}={") || !taken_number(text, 4095, &low) || !taken_word(text, "..") ||
	    !taken_number(text, 4095, &high) || !taken_word(text, "}") || high < low)
		return 0;
	return (int)(high - low + 1);
}

int taken_tuning_line(struct taken *taken, struct taken_text text)
{
	struct taken_choice choice = { .bytes = 0 };

	taken_blanks(&text);
	if (!read_name(&text, choice.collective))
		return 0;
	taken_blanks(&text);
	if (!taken_number(&text, LLONG_MAX, &choice.bytes) || !taken_word(&text, " Bytes -> Algo ") ||
	    !read_choice(&text, algos, sizeof algos / sizeof *algos, choice.algo) || !taken_word(&text, " proto ") ||
	    !read_choice(&text, protos, sizeof protos / sizeof *protos, choice.proto))
		return 0;
	choice.channels = read_channels(&text);
	taken->nvls |= strncmp(choice.algo, "nvls", 4) == 0;
	taken->collnet |= strncmp(choice.algo, "collnet", 7) == 0;
	return taken_count_choice(taken, &choice) ? -1 : 1;
}
