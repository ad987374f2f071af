/* SPDX-License-Identifier: Apache-2.0
 *
 * Links to a fuzz target in place of the fuzzer: gives it each input of tests/fuzz/corpus/ and nothing else, so that any compiler proves that the target
 * links and that what was once found stays mended. A target is named as the program is; run from the root of the tree.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In memory of exactly its size, so that what reads beyond is seen. NULL: it cannot be read. */
static uint8_t *read_input(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	long length = -1;

	if (file && fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0) {
		rewind(file);
		data = malloc(length > 0 ? (size_t)length : 1);
	}
	if (data && fread(data, 1, (size_t)length, file) != (size_t)length) {
		free(data);
		data = NULL;
	}
	if (file)
		fclose(file);
	*size = (size_t)length;
	return data;
}

/* -1 with a line of TAP. */
static int replay(const char *path)
{
	size_t size;
	uint8_t *data = read_input(path, &size);

	/* Who dies of it is told by this last line. */
	printf("# %s\n", path);
	fflush(stdout);
	if (!data) {
		printf("# cannot be read\n");
		return -1;
	}
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 0;
}

/* How many inputs the target took; -1: not all. */
static int replay_all(const char *folder)
{
	struct dirent **entries;
	const int found = scandir(folder, &entries, NULL, alphasort);
	int count = 0;

	for (int i = 0; i < found; i++) {
		char path[1024];

		snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.' && count >= 0)
			count = replay(path) == 0 ? count + 1 : -1;
		free(entries[i]);
	}
	if (found >= 0)
		free(entries);
	return count;
}

int main(int argc, char **argv)
{
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL, *target = slash ? slash + 1 : argv[0];
	const uint8_t nothing = 0;
	char folder[512];
	int count;

	printf("1..1\n# no bytes at all\n");
	fflush(stdout);
	LLVMFuzzerTestOneInput(&nothing, 0);
	snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", target);
	count = replay_all(folder);
	printf("%sok 1 - %s takes its %d inputs\n", count > 0 ? "" : "not ", target, count);
	return count > 0 ? 0 : 1;
}
