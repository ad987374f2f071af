/* SPDX-License-Identifier: Apache-2.0
 *
 * Small /sys and /proc trees in a temporary folder, with links as the kernel makes them. To be included by one test.
 */
#ifndef COLLPERF_FAKE_TREE_H
#define COLLPERF_FAKE_TREE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "topo/topo.h"

struct tree {
	char root[64];
	struct topo topo; /* what is read from it */
};

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *at)
{
	(void)about;
	(void)kind;
	(void)at;
	return remove(path);
}

static int begin_tree(void **state)
{
	struct tree *tree = calloc(1, sizeof *tree);

	assert_non_null(tree);
	strcpy(tree->root, "/tmp/collperf-tree-XXXXXX");
	assert_non_null(mkdtemp(tree->root));
	*state = tree;
	return 0;
}

static int end_tree(void **state)
{
	struct tree *tree = *state;

	nftw(tree->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	topo_clear(&tree->topo);
	free(tree);
	return 0;
}

/* The folders of a path below the root. */
static void make_folders(const struct tree *tree, const char *path)
{
	char whole[1024];

	snprintf(whole, sizeof whole, "%s%s", tree->root, path);
	for (char *slash = strchr(whole + strlen(tree->root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(whole, 0700);
		*slash = '/';
	}
}

static void put_bytes(const struct tree *tree, const char *path, const void *bytes, size_t size)
{
	char whole[1024];
	int fd;

	make_folders(tree, path);
	snprintf(whole, sizeof whole, "%s%s", tree->root, path);
	fd = open(whole, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), (ssize_t)size);
	close(fd);
}

static void put(const struct tree *tree, const char *text, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void put(const struct tree *tree, const char *text, const char *format, ...)
{
	char path[512];
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof path, format, args);
	va_end(args);
	put_bytes(tree, path, text, strlen(text));
}

/* A link from one path below the root to another. */
static void put_link(const struct tree *tree, const char *target, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void put_link(const struct tree *tree, const char *target, const char *format, ...)
{
	char path[512], whole[1024], to[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof path, format, args);
	va_end(args);
	make_folders(tree, path);
	snprintf(whole, sizeof whole, "%s%s", tree->root, path);
	snprintf(to, sizeof to, "%s%s", tree->root, target);
	assert_int_equal(symlink(to, whole), 0);
}

/* A function at a path below /sys/devices, and its link below /sys/bus. Speeds as "16.0 GT/s PCIe", NULL: no such files. */
struct function {
	const char *class, *vendor, *device;
	const char *speed, *width, *most_speed, *most_width;
	const char *node;
};

static void put_function(const struct tree *tree, const char *path, const struct function *function)
{
	const char *at = strrchr(path, '/');
	char device[512];
	const struct {
		const char *name, *text;
	} files[] = {
		{ "class", function->class },
		{ "vendor", function->vendor },
		{ "device", function->device },
		{ "current_link_speed", function->speed },
		{ "current_link_width", function->width },
		{ "max_link_speed", function->most_speed },
		{ "max_link_width", function->most_width },
		{ "numa_node", function->node },
	};

	snprintf(device, sizeof device, "/sys/devices/%s", path);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (files[i].text)
			put(tree, files[i].text, "%s/%s", device, files[i].name);
	}
	put_link(tree, device, "/sys/bus/pci/devices%s", at);
}

static inline bool has_note(const struct topo_host *host, const char *words)
{
	for (size_t i = 0; i < host->nnotes; i++) {
		if (strstr(host->notes[i], words))
			return true;
	}
	return false;
}

#endif
