/* SPDX-License-Identifier: Apache-2.0
 *
 * Peak rates of pairs. Pairs of one class and rate are told together: a machine has few kinds of paths and many pairs.
 */
#include "show.h"

#include <stdlib.h>
#include <string.h>

#include "path.h"
#include "show_words.h"

struct pair {
	int a, b;
	bool told;
	struct path path;
};

struct pairs {
	const struct topo_host *host;
	struct pair *items;
	size_t count;
};

static bool same_path(const struct path *a, const struct path *b)
{
	return a->class == b->class && a->links == b->links && strcmp(a->words, b->words) == 0;
}

/* "GPU0-GPU1-3,5" would be read wrongly: "GPU0 to GPU1-3,5". From item i on, those with the same path and the same first end. */
static void add_partners(const struct pairs *pairs, size_t i, struct show_list *list)
{
	const struct pair *pair = &pairs->items[i];
	const int ngpus = (int)pairs->host->ngpus, base = pair->b < ngpus ? 0 : ngpus;
	char numbers[200] = "", text[SHOW_WORDS], from[24];
	struct show_run run = { .text = numbers, .size = sizeof numbers, .first = -1, .last = -1 };

	for (size_t k = i; k < pairs->count && pairs->items[k].a == pair->a; k++) {
		struct pair *other = &pairs->items[k];

		if (k != i && (other->told || !same_path(&other->path, &pair->path)))
			continue;
		other->told = true;
		show_run_add(&run, other->b - base);
	}
	show_run_add(&run, -1);
	snprintf(text, sizeof text, "%s to %s%s", show_end(pairs->host, pair->a, from, sizeof from), base ? "NIC" : "GPU",
		 numbers);
	show_list_add(list, text);
}

static void print_group(struct pairs *pairs, size_t first, FILE *out)
{
	const struct path path = pairs->items[first].path;
	struct show_list list;
	char class[24];
	size_t count = 0;

	path_class(&path, class);
	fprintf(out, "    %-5s %s\n          ", class, path.words);
	show_list_begin(&list, out, 10, "; ");
	for (size_t i = 0; i < pairs->count; i++)
		count += same_path(&pairs->items[i].path, &path);
	if (count == pairs->count && count > 1) {
		char text[64];

		snprintf(text, sizeof text, "all %zu pairs", count);
		show_list_add(&list, text);
		for (size_t i = 0; i < pairs->count; i++)
			pairs->items[i].told = true;
	}
	for (size_t i = first; i < pairs->count; i++)
		if (!pairs->items[i].told && same_path(&pairs->items[i].path, &path))
			add_partners(pairs, i, &list);
	show_list_end(&list);
}

static void print_pairs(struct pairs *pairs, const char *title, FILE *out)
{
	if (pairs->count > 0)
		fprintf(out, "  %s\n", title);
	for (size_t i = 0; i < pairs->count; i++)
		if (!pairs->items[i].told)
			print_group(pairs, i, out);
}

/* The classes' order is that of distance, but for what is not known. */
static int distance(const struct path *path)
{
	return path->class == TOPO_CLASS_UNKNOWN ? TOPO_CLASSES : (int)path->class;
}

static void add_pair(struct pairs *pairs, int a, int b)
{
	struct pair *pair = &pairs->items[pairs->count++];

	*pair = (struct pair){ .a = a, .b = b };
	path_between(pairs->host, a, b, &pair->path);
}

static void add_nearest(struct pairs *pairs, int gpu)
{
	const int ngpus = (int)pairs->host->ngpus, ends = ngpus + (int)pairs->host->nnics;
	const size_t before = pairs->count;
	size_t kept = before;
	int least = TOPO_CLASSES;

	for (int nic = ngpus; nic < ends; nic++) {
		add_pair(pairs, gpu, nic);
		if (distance(&pairs->items[pairs->count - 1].path) < least)
			least = distance(&pairs->items[pairs->count - 1].path);
	}
	for (size_t i = before; i < pairs->count; i++)
		if (distance(&pairs->items[i].path) == least && least < TOPO_CLASSES)
			pairs->items[kept++] = pairs->items[i];
	pairs->count = kept;
}

static void print_host(const struct topo_host *host, FILE *out)
{
	const size_t gpus = host->ngpus, nics = host->nnics, most = gpus * (gpus > nics ? gpus : nics) + nics + 1;
	struct pairs pairs = { .host = host, .items = malloc(most * sizeof *pairs.items) };

	if (!pairs.items) {
		fputs("  out of memory: no rates\n", out);
		return;
	}
	for (int a = 0; a < (int)gpus; a++)
		for (int b = a + 1; b < (int)gpus; b++)
			add_pair(&pairs, a, b);
	print_pairs(&pairs, "between GPUs", out);
	pairs.count = 0;
	for (int gpu = 0; gpu < (int)gpus; gpu++)
		add_nearest(&pairs, gpu);
	print_pairs(&pairs, "GPUs to their nearest NICs", out);
	free(pairs.items);
}

void show_rates(const struct topo *topo, FILE *out)
{
	char name[SHOW_WORDS];

	for (size_t i = 0; i < topo->nhosts; i++) {
		const struct topo_host *host = &topo->hosts[i];

		if (host->alike != TOPO_UNKNOWN || host->ngpus == 0 || host->ngpus + host->nnics < 2)
			continue;
		if (topo->nhosts > 1)
			fprintf(out, "peak rates one way, host %s\n", show_host(topo, i, name, sizeof name));
		else
			fputs("peak rates one way\n", out);
		print_host(host, out);
		fputc('\n', out);
	}
}
