/* SPDX-License-Identifier: Apache-2.0
 *
 * Words for hosts, their devices and the paths between them.
 */
#include "wiring_words.h"

#include <string.h>

#include "human.h"

enum { MOST_NAMES = 8, MOST_KINDS = 6, MOST_PAIRED = 64 };

void wiring_names(FILE *out, enum escape how, const struct topo *topo, size_t first)
{
	size_t n = 0;

	for (size_t h = first; h < topo->nhosts; h++) {
		if (topo_host_of(topo, h) != &topo->hosts[first])
			continue;
		if (n++ < MOST_NAMES)
			escape_put(out, how, "%s%s", n > 1 ? ", " : "", *topo->hosts[h].name ? topo->hosts[h].name : "unnamed");
	}
	if (n > MOST_NAMES)
		escape_put(out, how, " and %zu more", n - MOST_NAMES);
	if (n > 1)
		fputs(", alike", out);
}

static void put_count(FILE *out, enum escape how, int count, const char *one, const char *many, bool *first)
{
	if (count <= 0)
		return;
	escape_put(out, how, "%s%d %s", *first ? "" : ", ", count, count == 1 ? one : many);
	*first = false;
}

static void put_gpus(FILE *out, enum escape how, const struct topo_host *host)
{
	size_t kinds = 0;

	for (size_t g = 0; g < host->ngpus; g++) {
		size_t same = 0, earlier = 0;

		for (size_t k = 0; k < host->ngpus; k++) {
			bool equal = strcmp(host->gpus[k].name, host->gpus[g].name) == 0;

			same += equal;
			earlier += equal && k < g;
		}
		if (earlier > 0)
			continue;
		if (kinds++ < MOST_KINDS)
			escape_put(out, how, "; %zu x %s", same, *host->gpus[g].name ? host->gpus[g].name : "GPU");
	}
	if (kinds > MOST_KINDS)
		escape_put(out, how, "; %zu more kinds of GPUs", kinds - MOST_KINDS);
}

static const char *fabric_word(const struct topo_nic *nic)
{
	static const char *const words[] = { "network", "InfiniBand", "RoCE", "Ethernet", "EFA" };
	size_t fabric = (size_t)nic->fabric;

	return words[fabric < sizeof words / sizeof *words ? fabric : 0];
}

static void put_nics(FILE *out, enum escape how, const struct topo_host *host)
{
	size_t kinds = 0;

	for (size_t n = 0; n < host->nnics; n++) {
		const struct topo_nic *one = &host->nics[n];
		size_t same = 0, earlier = 0;

		for (size_t k = 0; k < host->nnics; k++) {
			const struct topo_nic *nic = &host->nics[k];
			bool equal = nic->fabric == one->fabric && nic->rate == one->rate && nic->state == one->state;

			same += equal;
			earlier += equal && k < n;
		}
		if (earlier > 0 || kinds++ >= MOST_KINDS)
			continue;
		escape_put(out, how, "; %zu x %s", same, fabric_word(one));
		if (one->rate > 0)
			escape_put(out, how, ", %s", human_rate(one->rate).text);
		fputs(one->state == TOPO_DOWN ? ", down" : "", out);
	}
}

void wiring_host(FILE *out, enum escape how, const struct topo_host *host)
{
	bool first = true;

	put_count(out, how, host->packages, "package", "packages", &first);
	put_count(out, how, host->cores, "core", "cores", &first);
	put_count(out, how, host->threads, "hardware thread", "hardware threads", &first);
	put_count(out, how, (int)host->nnuma, "NUMA node", "NUMA nodes", &first);
	if (*host->cpu)
		escape_put(out, how, "%s%s", first ? "" : ", ", host->cpu);
	else if (first)
		fputs("processors unknown", out);
	put_gpus(out, how, host);
	put_nics(out, how, host);
}

void wiring_peaks(FILE *out, enum escape how, const struct wiring *wiring)
{
	const struct rates *rates = &wiring->best;

	if (rates->ring > 0)
		escape_put(out, how, "Ring over %d GPUs of a host: %s (%s)%s.", rates->gpus, human_rate(rates->ring).text,
			   rates->ring_words, rates->nvls ? "; switches can reduce (NVLS)" : "");
	else
		fputs("No rate between GPUs is known.", out);
	if (rates->nics > 0 && rates->nic > 0)
		escape_put(out, how, " NICs of a host: %d, %s each (%s).", rates->nics, human_rate(rates->nic).text,
			   rates->nic_words);
}

void wiring_end(const struct topo_host *host, size_t end, char *text)
{
	if (end < host->ngpus)
		snprintf(text, 16, "GPU%d", (int)end);
	else
		snprintf(text, 16, "NIC%d", (int)(end - host->ngpus));
}

static size_t add_line(struct wiring_line *lines, size_t count, size_t most, const struct path *path, size_t a, size_t b)
{
	struct wiring_line line = { .pairs = 1, .a = a, .b = b };

	path_class(path, line.class);
	snprintf(line.words, sizeof line.words, "%s", path->words);
	for (size_t i = 0; i < count; i++) {
		if ((lines[i].b < lines[i].a) == (b < a) && strcmp(lines[i].class, line.class) == 0 &&
		    strcmp(lines[i].words, line.words) == 0) {
			lines[i].pairs++;
			return count;
		}
	}
	if (count < most)
		lines[count++] = line;
	return count;
}

/* The NICs of the nearest class alone: the others are not taken. */
static size_t add_nics(const struct topo_host *host, size_t gpu, struct wiring_line *lines, size_t count, size_t most)
{
	enum topo_class nearest = TOPO_CLASSES;
	struct path path;

	for (size_t n = host->ngpus; n < host->ngpus + host->nnics; n++) {
		path_between(host, (int)gpu, (int)n, &path);
		if (path.class > TOPO_X && path.class < nearest)
			nearest = path.class;
	}
	for (size_t n = host->ngpus; n < host->ngpus + host->nnics; n++) {
		path_between(host, (int)gpu, (int)n, &path);
		if (path.class == nearest)
			count = add_line(lines, count, most, &path, gpu, n);
	}
	return count;
}

size_t wiring_lines(const struct topo_host *host, struct wiring_line *lines, size_t most)
{
	size_t count = 0, between_gpus;

	if (host->ngpus > MOST_PAIRED || host->nnics > MOST_PAIRED)
		return 0;
	for (size_t a = 0; a < host->ngpus; a++) {
		for (size_t b = a + 1; b < host->ngpus; b++) {
			struct path path;

			path_between(host, (int)a, (int)b, &path);
			count = add_line(lines, count, most, &path, a, b);
		}
	}
	between_gpus = count;
	for (size_t g = 0; g < host->ngpus; g++)
		count = between_gpus + add_nics(host, g, lines + between_gpus, count - between_gpus, most - between_gpus);
	return count;
}
