/* SPDX-License-Identifier: Apache-2.0 */
/* sources: topo/taken.c topo/taken_nccl.c topo/taken_tuning.c topo/taken_ucx.c topo/taken_show.c topo/way.c topo/topo*.c topo/path*.c topo/peak*.c topo/pci.c */
/*
 * Any bytes as logs of NCCL and of UCX.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topo/taken.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static bool is_printable(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			return false;
	return true;
}

static void check_taken(const struct taken *taken)
{
	unsigned ways = 0;
	char words[TAKEN_WORDS];

	for (size_t i = 0; i < taken->npairs; i++) {
		const struct taken_pair *pair = &taken->pairs[i];

		check(is_printable(pair->how) && (pair->from < 0) == (*pair->how != '\0'), "lanes that cannot be printed");
		check(pair->channels.count >= 0 && pair->channels.count <= 128, "channels");
		check((pair->from < 0) == (pair->to < 0), "half a pair");
		ways |= pair->ways;
	}
	for (size_t i = 0; i < taken->ntransports; i++) {
		const struct taken_transport *transport = &taken->transports[i];

		check(is_printable(transport->how) && *transport->how, "a transport that cannot be printed");
		check(transport->channels.count >= 0 && transport->channels.count <= 128, "channels of a transport");
		check(transport->next == 0 || (transport->next > i + 1 && transport->next <= taken->ntransports), "a circle");
	}
	check(taken->left_out > 0 || ways == taken->ways, "ways of no pair");
	for (size_t i = 0; i < taken->nchoices; i++) {
		check(*taken->choices[i].algo && *taken->choices[i].proto && taken->choices[i].calls > 0, "half a choice");
		check(taken->choices[i].channels >= 0, "channels of a choice");
	}
	check(is_printable(taken->version) && is_printable(taken->network), "words that cannot be printed");
	check(taken->understood <= taken->lines, "more understood than read");
	taken_words(taken->ways, taken->network, words);
	check(is_printable(words), "words");
}

/* Printed, every line has its end and nothing of a terminal. */
static void check_shown(const struct taken *taken)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	taken_show(taken, out);
	fclose(out);
	check(size > 0 && text[size - 1] == '\n', "a line without an end");
	for (size_t i = 0; i < size; i++)
		check(text[i] == '\n' || (text[i] >= ' ' && text[i] <= '~'), "bytes that cannot be printed");
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum way p2p[] = { WAY_AUTO, WAY_NVLINK, WAY_PCIE };
	struct taken taken = { .lines = 0 };
	/* Of exactly this size, so that what reads beyond is seen. */
	char *text = malloc(size ? size : 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	check(taken_nccl_text(&taken, text, size, p2p[size % 3]) == 0, "out of memory");
	check_taken(&taken);
	check_shown(&taken);
	taken_clear(&taken);
	check(taken_ucx_text(&taken, text, size) == 0, "out of memory");
	check_taken(&taken);
	check_shown(&taken);
	/* Both into one: nobody does so, and nothing breaks. */
	check(taken_nccl_text(&taken, text, size, WAY_AUTO) == 0, "out of memory");
	check_shown(&taken);
	taken_clear(&taken);
	free(text);
	return 0;
}
