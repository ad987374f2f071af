/* SPDX-License-Identifier: Apache-2.0
 *
 * What `nvidia-smi topo -m` prints, wherever it stands in a log: the words become classes that the source gives, names come from the legend and from
 * the list of `nvidia-smi -L`.
 */
#include "read_smi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read.h"

struct smi {
	const struct read_error *error;
	const char *text;
	size_t size;
	struct topo_host *host;
	struct read_smi_line *line;
	struct read_smi_matrix matrix;
};

static int no_memory(const struct smi *smi)
{
	return read_fail(smi->error, 0, "more devices than are read, or out of memory");
}

static const struct read_smi_cell *cell(const struct smi *smi, size_t row, size_t column)
{
	return &smi->matrix.cells[row * smi->matrix.ndevices + column];
}

/* A matrix of other words ("topo -p2p") is not the one that is looked for. */
static int find(struct smi *smi)
{
	char odd[READ_SMI_LONGEST_WORD] = "";
	unsigned long odd_line = 0;
	size_t at = 0;

	smi->line->number = 0;
	for (;;) {
		int rc = read_smi_find(smi->text, smi->size, &at, smi->line, &smi->matrix);

		if (rc < 0)
			return no_memory(smi);
		if (rc == 0)
			break;
		if (smi->matrix.known > 0 || smi->matrix.nodd == 0)
			return 0;
		if (odd_line == 0) {
			odd_line = smi->matrix.line;
			memcpy(odd, smi->matrix.odd[0], sizeof odd);
		}
		read_smi_clear(&smi->matrix);
	}
	if (odd_line > 0)
		return read_fail(smi->error, odd_line, "a matrix of other words (\"%s\") than nvidia-smi topo -m has", odd);
	return read_fail(smi->error, 0, "no matrix as nvidia-smi topo -m prints it");
}

static int add_numa(struct smi *smi, const struct read_smi_device *device)
{
	struct topo_numa *numa;

	for (size_t i = 0; i < smi->host->nnuma; i++) {
		numa = &smi->host->numa[i];
		if (numa->os != device->numa)
			continue;
		/* Only what all GPUs of the node say is the node's. */
		if (strcmp(numa->cpus, device->cpus ? device->cpus : "") != 0)
			numa->cpus[0] = '\0';
		return 0;
	}
	numa = topo_add_numa(smi->host);
	if (!numa || topo_set(&numa->cpus, device->cpus))
		return no_memory(smi);
	numa->os = device->numa;
	return 0;
}

static int add_gpu(struct smi *smi, const struct read_smi_device *device)
{
	struct topo_gpu *gpu = topo_add_gpu(smi->host);

	if (!gpu || topo_set(&gpu->cpus, device->cpus))
		return no_memory(smi);
	gpu->number = read_smi_number(device->name, "GPU");
	gpu->numa = device->numa;
	return device->numa == TOPO_UNKNOWN ? 0 : add_numa(smi, device);
}

static int add_nic(struct smi *smi, const struct read_smi_device *device)
{
	struct topo_nic *nic = topo_add_nic(smi->host);
	bool is_number = read_smi_number(device->name, "NIC") >= 0;

	return !nic || (!is_number && topo_set(&nic->name, device->name)) ? no_memory(smi) : 0;
}

static int add_devices(struct smi *smi)
{
	const struct read_smi_matrix *matrix = &smi->matrix;

	for (size_t i = 0; i < matrix->ndevices; i++) {
		const struct read_smi_device *device = &matrix->devices[i];
		bool is_gpu = (size_t)device->end < matrix->ngpus;

		if (is_gpu ? add_gpu(smi, device) : add_nic(smi, device))
			return -1;
		if (device->cells < matrix->ndevices &&
		    topo_note(smi->host,
			      device->cells > 0 ? "the row of %s is cut: %zu of %zu words" : "the row of %s is missing",
			      device->name, device->cells, matrix->ndevices))
			return no_memory(smi);
	}
	for (size_t i = 0; i < matrix->nodd; i++) {
		if (topo_note(smi->host, "the word \"%s\" of the matrix is not understood", matrix->odd[i]))
			return no_memory(smi);
	}
	return 0;
}

static void cell_words(const struct read_smi_cell *cell, char *text, size_t size)
{
	snprintf(text, size, cell->class == TOPO_NV ? "%s%d" : "%s", topo_class_names[cell->class], cell->links);
}

/* Where the two halves differ, the farther is taken. */
static int join_cells(struct smi *smi, size_t a, size_t b, struct read_smi_cell *joined)
{
	const struct read_smi_cell *there = cell(smi, a, b), *back = cell(smi, b, a);
	bool farther = back->class > there->class || (back->class == there->class && back->links < there->links);
	char words[2][16];

	*joined = there->class == TOPO_CLASS_UNKNOWN || farther ? *back : *there;
	if (there->class == TOPO_CLASS_UNKNOWN || back->class == TOPO_CLASS_UNKNOWN ||
	    (there->class == back->class && there->links == back->links))
		return 0;
	cell_words(there, words[0], sizeof words[0]);
	cell_words(back, words[1], sizeof words[1]);
	if (topo_note(smi->host, "%s to %s is %s, but back %s: the farther is taken", smi->matrix.devices[a].name,
		      smi->matrix.devices[b].name, words[0], words[1]))
		return no_memory(smi);
	return 0;
}

static int add_given(struct smi *smi, size_t a, size_t b)
{
	const int ends[2] = { smi->matrix.devices[a].end, smi->matrix.devices[b].end };
	struct read_smi_cell joined;
	struct topo_given *given;

	if (join_cells(smi, a, b, &joined))
		return -1;
	if (joined.class == TOPO_X &&
	    topo_note(smi->host, "%s to %s is X, as if they were one", smi->matrix.devices[a].name, smi->matrix.devices[b].name))
		return no_memory(smi);
	if (joined.class <= TOPO_X)
		return 0;
	given = topo_add_given(smi->host);
	if (!given)
		return no_memory(smi);
	given->a = ends[0] < ends[1] ? ends[0] : ends[1];
	given->b = ends[0] < ends[1] ? ends[1] : ends[0];
	given->class = joined.class;
	given->links = joined.links;
	return 0;
}

static int add_classes(struct smi *smi)
{
	for (size_t a = 0; a < smi->matrix.ndevices; a++) {
		const char *name = smi->matrix.devices[a].name;

		if (cell(smi, a, a)->class > TOPO_X && topo_note(smi->host, "%s to itself is not X", name))
			return no_memory(smi);
		for (size_t b = a + 1; b < smi->matrix.ndevices; b++) {
			if (add_given(smi, a, b))
				return -1;
		}
	}
	return 0;
}

/* "GPU 0: NVIDIA A100-SXM4-40GB (UUID: ...)" anywhere in the log, from word `i` on. */
static int name_gpu(struct smi *smi, size_t i)
{
	const struct read_smi_line *line = smi->line;
	char name[TOPO_LONGEST_TEXT + 1] = "";
	size_t used = 0, end = i + 2;
	char *colon = strchr(line->words[i + 1], ':');
	int number;

	if (strcmp(line->words[i], "GPU") != 0)
		return 0;
	while (end < line->nwords && strncmp(line->words[end], "(UUID", 5) != 0)
		end++;
	if (end == line->nwords || !colon || colon[1])
		return 0;
	*colon = '\0';
	number = read_number(line->words[i + 1], 10, 0, 65535);
	for (size_t k = i + 2; k < end && used < sizeof name; k++)
		used += (size_t)snprintf(name + used, sizeof name - used, used > 0 ? " %s" : "%s", line->words[k]);
	for (size_t k = 0; k < smi->host->ngpus; k++) {
		struct topo_gpu *gpu = &smi->host->gpus[k];

		if (gpu->number == number && !*gpu->name && topo_set(&gpu->name, name))
			return no_memory(smi);
	}
	return 0;
}

/* "NIC0: mlx5_0" of the legend, from word `i` on. */
static int name_nic(struct smi *smi, size_t i)
{
	char *word = smi->line->words[i];
	const size_t length = strlen(word);

	if (length < 5 || word[length - 1] != ':')
		return 0;
	for (size_t k = 0; k < smi->matrix.ndevices; k++) {
		const struct read_smi_device *device = &smi->matrix.devices[k];
		struct topo_nic *nic;

		if (strncmp(device->name, word, length - 1) != 0 || device->name[length - 1] ||
		    (size_t)device->end < smi->matrix.ngpus)
			continue;
		nic = &smi->host->nics[(size_t)device->end - smi->matrix.ngpus];
		if (!*nic->name && topo_set(&nic->name, smi->line->words[i + 1]))
			return no_memory(smi);
	}
	return 0;
}

/* Every word of text [from, to) that could begin a name. */
static int add_names(struct smi *smi, size_t from, size_t to, const char *begin, int (*name)(struct smi *smi, size_t word))
{
	while (read_smi_next(smi->text, to, &from, smi->line)) {
		for (size_t i = 0; i + 1 < smi->line->nwords; i++) {
			if (strncmp(smi->line->words[i], begin, strlen(begin)) == 0 && name(smi, i))
				return -1;
		}
	}
	return 0;
}

/* The legend stands behind its matrix; the next matrix, of another host, has its own. */
static int add_all_names(struct smi *smi)
{
	struct read_smi_matrix next;
	size_t at = smi->matrix.behind, nameless = 0;
	int rc = read_smi_find(smi->text, smi->size, &at, smi->line, &next);
	const size_t end = rc > 0 ? next.from : smi->size;

	if (rc > 0 && next.known > 0)
		rc = topo_note(smi->host, "another matrix, in line %lu, is left out", next.line);
	read_smi_clear(&next);
	if (rc < 0)
		return no_memory(smi);
	if (add_names(smi, 0, smi->size, "GPU", name_gpu) || add_names(smi, smi->matrix.behind, end, "NIC", name_nic))
		return -1;
	for (size_t i = 0; i < smi->host->nnics; i++)
		nameless += !*smi->host->nics[i].name;
	if (nameless > 0 && topo_note(smi->host, "%zu of %zu NICs have no name (no \"NIC Legend\")", nameless, smi->host->nnics))
		return no_memory(smi);
	return 0;
}

int read_smi(const char *file, const char *text, size_t size, struct topo *topo, char *error, size_t error_size)
{
	const struct read_error to = { file, error, error_size };
	struct smi smi = { .error = &to, .text = text, .size = size };
	struct topo one = { 0 };
	int rc = -1;

	if (size > TOPO_MOST_BYTES)
		return read_fail(&to, 0, "more than 64 MiB");
	smi.line = calloc(1, sizeof *smi.line);
	smi.host = topo_add_host(&one);
	if (!smi.line || !smi.host)
		no_memory(&smi);
	else if (find(&smi) == 0 && add_devices(&smi) == 0 && add_classes(&smi) == 0 && add_all_names(&smi) == 0)
		rc = read_hand_over(&to, topo, &one, read_base(file));
	read_smi_clear(&smi.matrix);
	topo_clear(&one);
	free(smi.line);
	return rc;
}
