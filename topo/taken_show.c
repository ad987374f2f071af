/* SPDX-License-Identifier: Apache-2.0
 *
 * What a log said, for people.
 */
#include <stdlib.h>
#include <string.h>

#include "taken.h"

/* What pairs go through alike. */
struct kind {
	char how[64];
	size_t pairs;
	long channels;
	int from, to; /* the first */
	bool gdrdma;
};

enum { MOST_KINDS = 64 };

struct kinds {
	struct kind list[MOST_KINDS];
	size_t count, others; /* the latter: pairs of which there is no room for the kind */
};

static void add_kind(struct kinds *kinds, const struct taken_pair *pair, const char *how, int channels, bool gdrdma)
{
	size_t k = 0;

	while (k < kinds->count && strcmp(kinds->list[k].how, how) != 0)
		k++;
	if (k == MOST_KINDS) {
		kinds->others++;
		return;
	}
	if (k == kinds->count) {
		kinds->list[k] = (struct kind){ .from = pair->from, .to = pair->to };
		strncpy(kinds->list[k].how, how, sizeof kinds->list[k].how - 1);
		kinds->count++;
	}
	kinds->list[k].pairs++;
	kinds->list[k].channels += channels;
	kinds->list[k].gdrdma |= gdrdma;
}

static void sort_out(const struct taken *taken, struct kinds *kinds)
{
	for (size_t i = 0; i < taken->npairs; i++) {
		const struct taken_pair *pair = &taken->pairs[i];

		if (pair->from < 0)
			add_kind(kinds, pair, pair->how, 0, false);
		for (size_t next = pair->transports; next; next = taken->transports[next - 1].next) {
			const struct taken_transport *transport = &taken->transports[next - 1];

			add_kind(kinds, pair, transport->how, transport->channels.count, transport->gdrdma);
		}
	}
}

static void show_kind(const struct kind *kind, FILE *out)
{
	if (kind->from < 0) {
		fprintf(out, "  %s\n", kind->how);
		return;
	}
	fprintf(out, "  %-28s %zu pair%s, such as %d -> %d", kind->how, kind->pairs, kind->pairs == 1 ? "" : "s", kind->from,
		kind->to);
	if (kind->channels > 0)
		fprintf(out, "; %ld channel%s%s", kind->channels, kind->channels == 1 ? "" : "s",
			kind->pairs == 1 ? "" : " of all these pairs");
	fputc('\n', out);
}

static void show_pairs(const struct taken *taken, FILE *out)
{
	struct kinds *kinds = calloc(1, sizeof *kinds);
	bool gdrdma = false, net = false;

	if (!kinds)
		return;
	sort_out(taken, kinds);
	for (size_t i = 0; i < kinds->count; i++) {
		show_kind(&kinds->list[i], out);
		gdrdma |= kinds->list[i].gdrdma;
		net |= strncmp(kinds->list[i].how, "NET/", 4) == 0;
	}
	if (kinds->others > 0)
		fprintf(out, "  and %zu pairs of other kinds\n", kinds->others);
	free(kinds);
	if (net)
		fprintf(out, "GPUDirect RDMA: %s\n", gdrdma ? "yes" : "no");
}

static int by_size(const void *one, const void *other)
{
	const struct taken_choice *a = *(const struct taken_choice *const *)one, *b = *(const struct taken_choice *const *)other;
	const int names = strcmp(a->collective, b->collective);

	if (names)
		return names;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? -1 : 1;
	return a < b ? -1 : 1;
}

static bool continues(const struct taken_choice *a, const struct taken_choice *b)
{
	return strcmp(a->collective, b->collective) == 0 && strcmp(a->algo, b->algo) == 0 && strcmp(a->proto, b->proto) == 0 &&
	       a->channels == b->channels;
}

static void show_range(const struct taken_choice *const *sorted, size_t first, size_t last, FILE *out)
{
	const struct taken_choice *choice = sorted[first];
	long calls = 0;
	char channels[16] = "", algorithm[2 * TAKEN_NAME];

	for (size_t i = first; i <= last; i++)
		calls += sorted[i]->calls;
	if (choice->channels > 0)
		snprintf(channels, sizeof channels, "%d", choice->channels);
	snprintf(algorithm, sizeof algorithm, "%s/%s", choice->algo, choice->proto);
	fprintf(out, "  %-14s %12llu .. %-12llu %-22s %8s %8ld\n", *choice->collective ? choice->collective : "-", choice->bytes,
		sorted[last]->bytes, algorithm, *channels ? channels : "-", calls);
}

static void show_choices(const struct taken *taken, FILE *out)
{
	const struct taken_choice **sorted = calloc(taken->nchoices, sizeof *sorted);

	if (!sorted)
		return;
	for (size_t i = 0; i < taken->nchoices; i++)
		sorted[i] = &taken->choices[i];
	qsort(sorted, taken->nchoices, sizeof *sorted, by_size);
	fprintf(out, "algorithm and protocol by size:\n  %-14s %12s    %-12s %-22s %8s %8s\n", "collective", "from", "to bytes",
		"algorithm", "channels", "calls");
	for (size_t first = 0, last; first < taken->nchoices; first = last + 1) {
		last = first;
		while (last + 1 < taken->nchoices && continues(sorted[first], sorted[last + 1]))
			last++;
		show_range(sorted, first, last, out);
	}
	free(sorted);
}

static const char *nvls_word(const struct taken *taken)
{
	if (taken->nvls)
		return "in use";
	if (taken->nvls_can)
		return taken->nvls_cannot ? "available on some devices" : "available";
	return taken->nvls_cannot ? "not available" : "no sign of it";
}

void taken_show(const struct taken *taken, FILE *out)
{
	char words[TAKEN_WORDS];

	taken_words(taken->ways, taken->network, words);
	fprintf(out, "library: %s\n", *taken->version ? taken->version : "its version is not in the log");
	fprintf(out, "lines: %ld, %ld of them understood\n", taken->lines, taken->understood);
	fprintf(out, "path: %s\n", *words ? words : "not in the log");
	if (taken->npairs > 0)
		show_pairs(taken, out);
	if (taken->channels > 0)
		fprintf(out, "channels: %d, %s\n", taken->channels,
			taken->said_channels ? "as the log says of collectives" : "the most between two ranks");
	if (taken->rings || taken->trees)
		fprintf(out, "connected: %s%s%s\n", taken->rings ? "rings" : "", taken->rings && taken->trees ? ", " : "",
			taken->trees ? "trees" : "");
	if (strncmp(taken->version, "UCX", 3) != 0)
		fprintf(out, "NVLS: %s; CollNet: %s\n", nvls_word(taken), taken->collnet ? "in use" : "no sign of it");
	if (taken->nchoices > 0)
		show_choices(taken, out);
	if (taken->left_out > 0)
		fprintf(out, "left out: %ld lines of more pairs or choices than are kept\n", taken->left_out);
}
