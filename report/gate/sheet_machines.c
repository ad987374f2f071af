/* SPDX-License-Identifier: Apache-2.0
 *
 * How the machines and settings of two sides differ by what run.json says: what a run is to be compared on, first.
 */
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../escape.h"
#include "../wiring_words.h"
#include "sheet_tell.h"

enum { MOST_TOPOLOGIES = 8, DEVICES_BUS = '[' };

/* Paths of facts, by their ends. A name of a host says little: machines of one kind have many. */
static const struct {
	const char *what, *path, *end;
} told[] = {
	{ "processor", "facts.cpu", "" },
	{ "cores", "facts.cores", "" },
	{ "devices", "ranks.#.detail", "" },
	{ "kernel", "facts.kernel", "" },
	{ "hosts", "ranks.#.host", " (the same kind of machine, unless more is said here)" },
	{ "cores that rank 0 may use", "facts.binding_rank0", "" },
	{ "started by", "facts.launch", "" },
	{ "ranks of a process", "facts.ranks_per_process", "" },
	{ "malloc", "facts.malloc", "" },
	{ "buffers", "facts.buffers", "" },
	{ "clock", "facts.clock", "" },
	{ "precision", "facts.precision", "" },
	{ "time of a point, seconds", "facts.max_time_s", "" },
	{ "warm-up calls", "facts.warmup", "" },
	{ "timed calls", "config.iters", "" },
	{ "calls between clocks", "config.agg_iters", "" },
	{ "CUDA graphs", "config.graph", "" },
	{ "unaligned by", "config.unalign", "" },
	{ "threads of a process", "config.nthreads", "" },
	{ "GPUs of a thread", "config.ngpus", "" },
	{ "collperf", "facts.version", "" },
};

bool gate_fact_ends(const char *name, const char *path)
{
	const char *at = name + strlen(name), *want = path + strlen(path);

	while (want > path) {
		if (want[-1] == '#') {
			const char *end = at;

			while (at > name && at[-1] >= '0' && at[-1] <= '9')
				at--;
			if (at == end)
				return false;
			want--;
		} else if (at > name && at[-1] == want[-1]) {
			at--;
			want--;
		} else {
			return false;
		}
	}
	return at == name || at[-1] == '.';
}

/* "[0000:0f:00] NVIDIA H200": where a device sits is no difference. */
static const char *without_bus(const char *value)
{
	const char *end = *value == DEVICES_BUS ? strchr(value, ']') : NULL;

	return end && end[1] == ' ' ? end + 2 : value;
}

static void collect(const struct gate_side *side, const char *path, struct gate_set *set)
{
	for (size_t f = 0; f < side->nfacts; f++) {
		const struct facts *facts = &side->facts[f];

		for (size_t i = 0; i < facts->count; i++) {
			if (gate_fact_ends(facts->items[i].name, path))
				gate_set_add(set, without_bus(facts->items[i].value));
		}
	}
}

static int tell_facts(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES])
{
	for (size_t k = 0; k < sizeof told / sizeof *told; k++) {
		struct gate_set sets[GATE_SIDES] = { 0 };

		for (size_t side = 0; side < GATE_SIDES; side++)
			collect(gathered[side].side, told[k].path, &sets[side]);
		if (gate_set_tell(sheet, gathered, sets, told[k].what, told[k].end))
			return -1;
	}
	return 0;
}

/* What a run.json says of topologies, as texts that are to be freed. */
struct topologies {
	char *texts[MOST_TOPOLOGIES];
	size_t count;
};

static int describe(const struct wiring *wiring, struct topologies *found)
{
	for (size_t h = 0; h < wiring->topo.nhosts && found->count < MOST_TOPOLOGIES; h++) {
		char *text = NULL;
		size_t size;
		FILE *out;

		if (wiring->topo.hosts[h].alike != TOPO_UNKNOWN)
			continue;
		out = open_memstream(&text, &size);
		if (!out)
			return array_failed();
		wiring_host(out, ESCAPE_PLAIN, &wiring->topo.hosts[h]);
		fputs(" [", out);
		wiring_peaks(out, ESCAPE_PLAIN, wiring);
		fputs("]", out);
		if (fclose(out)) {
			free(text);
			return array_failed();
		}
		found->texts[found->count++] = text;
	}
	return 0;
}

static int tell_topologies(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES])
{
	struct topologies found[GATE_SIDES] = { 0 };
	struct gate_set sets[GATE_SIDES] = { 0 };
	int rc = 0;

	for (size_t side = 0; side < GATE_SIDES; side++) {
		for (size_t f = 0; rc == 0 && f < gathered[side].side->nfacts; f++)
			rc = describe(&gathered[side].side->facts[f].wiring, &found[side]);
		for (size_t i = 0; i < found[side].count; i++)
			gate_set_add(&sets[side], found[side].texts[i]);
	}
	if (rc == 0)
		rc = gate_set_tell(sheet, gathered, sets, "topology", "");
	for (size_t side = 0; side < GATE_SIDES; side++) {
		for (size_t i = 0; i < found[side].count; i++)
			free(found[side].texts[i]);
	}
	return rc;
}

static int tell_unknown(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES])
{
	size_t without = gathered[GATE_BASE].side->nfacts == 0 ? GATE_BASE : GATE_NEW;
	struct gate_line line;

	/* One that cannot be read has its own line. */
	if ((gathered[GATE_BASE].side->nfacts == 0) == (gathered[GATE_NEW].side->nfacts == 0) ||
	    gathered[without].side->unread > 0)
		return 0;
	if (gate_line_open(&line))
		return -1;
	escape_put(line.out, ESCAPE_PLAIN, "the machine of %s is not known: it has no run.json", gathered[without].name);
	return gate_line_close(&line, &sheet->differences, &sheet->ndifferences);
}

int gate_differences_of_machines(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES])
{
	if (tell_unknown(sheet, gathered) || tell_facts(sheet, gathered) || tell_topologies(sheet, gathered) ||
	    gate_differences_of_environment(sheet, gathered))
		return -1;
	return gate_differences_of_launches(sheet, gathered);
}
