/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding programs that draw.
 */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Only absolute directories count: the current one may be anybody's. */
char *program_find(const char *name)
{
	const char *path = getenv("PATH");

	while (path && *path) {
		const size_t length = strcspn(path, ":");
		struct stat status;
		char *program;

		if (*path == '/' && asprintf(&program, "%.*s/%s", (int)length, path, name) >= 0) {
			if (access(program, X_OK) == 0 && stat(program, &status) == 0 && S_ISREG(status.st_mode))
				return program;
			free(program);
		}
		path += length + (path[length] == ':');
	}
	return NULL;
}

size_t program_environment(char *environment[PROGRAM_ENVIRONMENT])
{
	static const char *const kept[] = {
		"PATH", "HOME", "GDFONTPATH", "FONTCONFIG_FILE", "XDG_CACHE_HOME", "LD_LIBRARY_PATH"
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
		const char *value = getenv(kept[i]);

		if (value && asprintf(&environment[n], "%s=%s", kept[i], value) >= 0)
			n++;
	}
	environment[n] = strdup("LC_ALL=C.UTF-8");
	n += environment[n] != NULL;
	environment[n] = NULL;
	return n;
}
