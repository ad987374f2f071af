/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages of the driver.
 */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>

static void say_line(const char *command, const char *format, va_list args)
{
	char text[4096];

	vsnprintf(text, sizeof(text), format, args);
	for (char *c = text; *c != '\0'; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	}
	/* The tables that went to stdout before come first, also where both end in one file. */
	fflush(stdout);
	if (command)
		fprintf(stderr, "collperf: %s: ", command);
	fprintf(stderr, "%s\n", text);
}

int say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_line("run", format, args);
	va_end(args);
	return -1;
}

int say_as(const char *command, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_line(command, format, args);
	va_end(args);
	return -1;
}

void say_plain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_line(NULL, format, args);
	va_end(args);
}
