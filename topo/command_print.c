/* SPDX-License-Identifier: Apache-2.0
 *
 * What `collperf topo` writes, and where to.
 */
#include <errno.h>
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

static int print_json(const struct topo *topo)
{
	char *text = topo_to_text(topo);

	if (!text)
		return out_of_memory();
	puts(text);
	free(text);
	return 0;
}

/* The answer to most questions is in the last lines, which is what a terminal still shows. */
static int print_text(const struct topo *topo)
{
	struct warnings warnings = { 0 };

	if (warn_topo(topo, &warnings))
		return out_of_memory();
	show_summary(topo, &warnings, stdout);
	putchar('\n');
	show_tree(topo, stdout);
	putchar('\n');
	show_matrix(topo, stdout);
	putchar('\n');
	show_rates(topo, stdout);
	putchar('\n');
	show_numbers(topo, stdout);
	if (warnings.count > 0)
		putchar('\n');
	show_warnings(&warnings, stdout);
	warn_clear(&warnings);
	return 0;
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
	char *graph = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&graph, &size);
	int rc = 0;

	if (stream)
		show_dot(topo, stream);
	if (!stream || fclose(stream) != 0) {
		free(graph);
		return out_of_memory();
	}
	if (command->dot)
		rc = topo_file_write(command->dot, graph, size);
	if (command->svg && write_svg(command->svg, graph, size))
		rc = -1;
	free(graph);
	return rc;
}

int topo_command_print(const struct topo_command *command, const struct topo *topo)
{
	const bool graph_on_stdout = (command->dot && strcmp(command->dot, "-") == 0) ||
				     (command->svg && strcmp(command->svg, "-") == 0);
	int rc = 0;

	if (command->json)
		rc = print_json(topo);
	else if (!graph_on_stdout)
		rc = print_text(topo);
	errno = 0;
	if (rc == 0 && (fflush(stdout) != 0 || ferror(stdout)))
		rc = topo_file_fail("-", "write", strerror(errno ? errno : EIO));
	if ((command->dot || command->svg) && write_graphs(command, topo))
		rc = -1;
	return rc;
}
