/* SPDX-License-Identifier: Apache-2.0
 *
 * What `collperf topo` writes, and where to.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_parts.h"
#include "json.h"
#include "show.h"
#include "show_words.h"

static int out_of_memory(void)
{
	fputs("collperf topo: out of memory\n", stderr);
	return -1;
}

/* Of files that name no host; programs find each by its name then, as people do by its number. */
static char *json_text(const struct topo *topo)
{
	json_t *json = topo_to_json(topo), *hosts = json_object_get(json, "hosts");
	bool failed = !json;
	char *text;

	for (size_t i = 0; !failed && i < topo->nhosts; i++) {
		if (!*topo->hosts[i].name)
			failed = json_object_set_new(json_array_get(hosts, i), "name", json_sprintf("host %zu", i)) != 0;
	}
	text = failed ? NULL : json_dumps(json, JSON_COMPACT);
	json_decref(json);
	return text;
}

/* Whole texts are made before they are written, so that a failed write can say why. */
static int write_json(const struct topo *topo)
{
	char *text = json_text(topo), *line;
	int length, rc;

	if (!text)
		return out_of_memory();
	length = asprintf(&line, "%s\n", text);
	free(text);
	if (length < 0)
		return out_of_memory();
	rc = topo_file_write("-", line, (size_t)length);
	free(line);
	return rc;
}

/* The answer to most questions is in the last lines, which is what a terminal still shows. */
static int show_all(const struct topo *topo, FILE *out)
{
	struct warnings warnings = { 0 };

	if (warn_topo(topo, &warnings))
		return -1;
	show_summary(topo, &warnings, out);
	fputc('\n', out);
	show_tree(topo, out);
	fputc('\n', out);
	show_matrix(topo, out);
	fputc('\n', out);
	show_rates(topo, out);
	show_numbers(topo, out);
	if (warnings.count > 0)
		fputc('\n', out);
	show_warnings(&warnings, out);
	warn_clear(&warnings);
	return 0;
}

static int show_graph(const struct topo *topo, FILE *out)
{
	show_dot(topo, out);
	return 0;
}

/* What `show` prints, to be freed. NULL after one line on stderr. */
static char *make_text(const struct topo *topo, int (*show)(const struct topo *topo, FILE *out), size_t *size)
{
	char *text = NULL;
	FILE *stream = open_memstream(&text, size);
	const int rc = stream ? show(topo, stream) : -1;

	if (stream && fclose(stream) == 0 && rc == 0)
		return text;
	free(text);
	out_of_memory();
	return NULL;
}

static int write_text(const struct topo *topo)
{
	size_t size;
	char *text = make_text(topo, show_all, &size);
	const int rc = text ? topo_file_write("-", text, size) : -1;

	free(text);
	return rc;
}

/* Without dot the graph is kept: it can be drawn elsewhere. */
static int write_without_dot(const char *svg, const char *graph, size_t size)
{
	char shown[256], *file;
	int rc;

	if (strcmp(svg, "-") == 0)
		return topo_file_fail(svg, "write", "a picture needs Graphviz's dot, which is not on PATH");
	if (asprintf(&file, "%s.dot", svg) < 0)
		return out_of_memory();
	rc = topo_file_write(file, graph, size);
	if (rc == 0)
		fprintf(stderr, "collperf topo: Graphviz's dot is not on PATH: wrote %s in place of a picture\n",
			show_visible(file, shown, sizeof shown));
	free(file);
	return rc;
}

static int write_svg(const char *svg, const char *graph, size_t size)
{
	char *picture = NULL;
	size_t picture_size = 0;
	int rc = -1;

	switch (topo_draw(graph, size, &picture, &picture_size)) {
	case TOPO_NO_DOT:
		return write_without_dot(svg, graph, size);
	case TOPO_DRAWN:
		rc = topo_file_write(svg, picture, picture_size);
		break;
	case TOPO_NOT_DRAWN:
		break;
	}
	free(picture);
	return rc;
}

static int write_graphs(const struct topo_command *command, const struct topo *topo)
{
	size_t size;
	char *graph = make_text(topo, show_graph, &size);
	int rc = graph ? 0 : -1;

	if (graph && command->dot)
		rc = topo_file_write(command->dot, graph, size);
	if (graph && command->svg && write_svg(command->svg, graph, size))
		rc = -1;
	free(graph);
	return rc;
}

static bool is_stdout(const char *file)
{
	return file && strcmp(file, "-") == 0;
}

int topo_command_print(const struct topo_command *command, const struct topo *topo)
{
	int rc = 0;

	if (command->json)
		rc = write_json(topo);
	else if (!is_stdout(command->dot) && !is_stdout(command->svg))
		rc = write_text(topo);
	if ((command->dot || command->svg) && write_graphs(command, topo))
		rc = -1;
	return rc;
}
